//! Reading a file the way edits see it, with a receipt for the session.

use super::answer::{Asked, Subject};
use super::near_paths::{Naming, with_near_paths};
use crate::advice;
use crate::answer::{Data, Envelope, Stats, Status};
use crate::dialect::Words;
use crate::env::Env;
use crate::error::Error;
use crate::flow::{FileFormats, Flow, Told, Writes};
use crate::git::{RepoError, blob_id};
use crate::id::BlobId;
use crate::path::RepoPath;
use crate::policy::Finding;
use crate::policy::check::ToldBy;
use crate::policy::{Receipt, Session};
use crate::state_dir::StateDir;
use crate::task::Overruled;
use crate::text::{Encoding, NulByte, Text, tag};
use crate::warning::Warning;
use crate::workspace::Workspace;
use crate::worktree::WorktreeError;
use base64::Engine;
use bstr::ByteSlice;
use serde_json::{Map, Value, json};
use std::path::PathBuf;
use std::time::Instant;

/// What to read.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct ReadRequest {
    /// Relative to the root, or absolute inside it.
    pub path: PathBuf,
    /// First and last line, from 1, both included.
    pub lines: Option<(usize, usize)>,
    /// Leaves a receipt for this session.
    pub session: Option<String>,
    /// A smaller root.
    pub root: Option<PathBuf>,
    /// What the file is in, where nothing in it and nothing of git's tells it.
    pub encoding: Option<Encoding>,
}

impl ReadRequest {
    /// The whole of a file, without a receipt.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), ..Self::default() }
    }
}

/// The answer, and the bytes themselves.
#[derive(Debug)]
pub struct ReadAnswer {
    /// For a program.
    pub envelope: Envelope,
    /// For a person; none on errors.
    pub content: Option<Vec<u8>>,
}

/// A file, or lines of it, as it was read.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Read {
    /// Relative to the root of the working tree.
    pub path: RepoPath,
    /// The lines, decoded where they are in another encoding.
    pub content: Vec<u8>,
    /// What the file is in, where that is known and not UTF-8.
    pub encoding: Option<Encoding>,
    /// That this is not what the request named.
    overruled: Option<Overruled>,
    /// First and last line, from 1; the last is before the first where the file has none of those asked for.
    pub lines: (usize, usize),
    /// Of the whole file.
    pub total_lines: usize,
    /// The git blob id of the whole file.
    pub blob: BlobId,
    /// The tag of four digits of the whole file (see docs/protocol.md, `lines`).
    pub tag: String,
    /// When it was modified, milliseconds since 1970-01-01 UTC.
    pub mtime_ms: i64,
    /// Of the whole file.
    pub size_bytes: u64,
}

/// Reads; the answer is an envelope, whatever happens.
pub fn read(request: &ReadRequest, env: &Env) -> ReadAnswer {
    let start = env.clock().instant();
    match Workspace::discover(env) {
        Ok(workspace) => answer(Ok(&workspace), start, request, env),
        Err(error) => answer(Err(error), start, request, env),
    }
}

/// Reads from what was opened, if it could be; the answer is an envelope, whatever happens.
pub fn answer(
    workspace: Result<&Workspace, RepoError>,
    start: Instant,
    request: &ReadRequest,
    env: &Env,
) -> ReadAnswer {
    let repo = workspace.as_ref().ok().map(|workspace| workspace.repo());
    let asked = Asked::new(start, env, repo, params(request), &Words::COMMAND_LINE);
    let refused =
        |error: Error, subject: &Subject| ReadAnswer { envelope: asked.error(&error, subject), content: None };
    let workspace = match workspace {
        Ok(workspace) => workspace,
        Err(error) => return refused(error.into(), &Subject::default()),
    };
    let near = |error| with_near_paths(error, workspace, request.root.as_deref(), Naming::Relative);
    let (path, sandbox) = match resolve(request, workspace) {
        Ok(resolved) => resolved,
        Err(error) => return refused(near(error), &Subject::default()),
    };
    let subject = Subject { path_resolved: Some(path.to_string_lossy()), several: false };
    match read_at(workspace, request, path, sandbox.as_ref()) {
        Ok(read) => ReadAnswer { envelope: envelope(&read, &asked, &subject), content: Some(read.content) },
        Err(error) => refused(near(error), &subject),
    }
}

/// Reads, from what is open.
pub fn read_in(workspace: &Workspace, request: &ReadRequest) -> Result<Read, Error> {
    let (path, sandbox) = resolve(request, workspace)?;
    read_at(workspace, request, path, sandbox.as_ref())
}

/// The path that a request means, and its smaller root.
fn resolve(request: &ReadRequest, workspace: &Workspace) -> Result<(RepoPath, Option<RepoPath>), Error> {
    workspace.settings()?;
    let repo = workspace.repo();
    let sandbox = crate::flow::sandbox(repo, request.root.as_deref())?;
    let raw = <[u8]>::from_path(&request.path).unwrap_or_default();
    let arg = if raw.starts_with(b"/") {
        crate::request::PathArg::Absolute(raw.into())
    } else {
        crate::request::PathArg::Relative(RepoPath::new(raw)?)
    };
    Ok((crate::flow::resolve(repo, &arg, sandbox.as_ref())?, sandbox))
}

fn read_at(
    workspace: &Workspace,
    request: &ReadRequest,
    path: RepoPath,
    sandbox: Option<&RepoPath>,
) -> Result<Read, Error> {
    let repo = workspace.repo();
    let root = Flow::open_root_of(repo, workspace.settings()?)?;
    let place = root.place(&path)?;
    if let Some(sandbox) = sandbox.filter(|sandbox| !place.path.is_below(sandbox)) {
        return Err(Finding::OutsideRoot(place.path.to_string_lossy(), sandbox.to_string_lossy()).into());
    }
    let shown = path.to_string_lossy();
    let found = root.read(&place)?.ok_or_else(|| WorktreeError::NoSuchFile(shown.clone()))?;
    let (mtime_ms, size_bytes) = (found.meta.mtime_ms(), found.meta.size);
    let (blob, tag) = (blob_id(&found.bytes), tag(&found.bytes));
    let formats = FileFormats { repo, settings: workspace.settings()?, root: &root, group: None };
    let told = Told { encoding: request.encoding, writes: Writes::Nothing };
    if let Some(encoding) = request.encoding.filter(|encoding| encoding.shifts()) {
        return Err(Finding::Shifting { path: shown, encoding: encoding.name(), by: ToldBy::Name }.into());
    }
    let marked = found.bytes[..found.bytes.len().min(3)].to_vec();
    let (text, encoding) = text_in(formats, &place.path, found.bytes, told)?;
    let overruled = Overruled::of(&path, &marked, request.encoding, encoding);
    // In UTF-16 the mark is the encoding's, and no part of the text.
    let text = if encoding.is_some() { text.without_mark() } else { text };
    let total_lines = text.lines().count();
    let (first, last) = request.lines.unwrap_or((1, usize::MAX));
    let last = last.min(total_lines);
    let range = text.lines().range(first).start..text.lines().range(last).end;
    let content = text.bytes().get(range).unwrap_or_default().to_vec();
    // Lines that are not there were not read.
    if let Some(name) = request.session.as_ref().filter(|_| !content.is_empty() || total_lines == 0) {
        let session = Session::new(&StateDir::of(repo), name);
        let lines = request.lines.map(|_| (first.max(1), last));
        let receipt = Receipt { path: place.path.clone(), blob, mtime_ms, size_bytes, lines };
        session.leave(&receipt).map_err(Error::io("leave", "the receipt of a read"))?;
    }
    Ok(Read { path, content, encoding, overruled, lines: (first, last), total_lines, blob, tag, mtime_ms, size_bytes })
}

fn envelope(read: &Read, asked: &Asked, subject: &Subject) -> Envelope {
    let (content, total) = (&read.content, read.total_lines);
    let mut extra = Map::new();
    extra.insert("content".into(), content.to_str_lossy().into());
    if content.to_str().is_err() {
        extra.insert("content_b64".into(), base64::engine::general_purpose::STANDARD.encode(content).into());
    }
    if let Some(encoding) = read.encoding {
        extra.insert("encoding".into(), encoding.name().into());
    }
    extra.insert("total_lines".into(), total.into());
    extra.insert("blob".into(), read.blob.to_string().into());
    extra.insert("tag".into(), read.tag.clone().into());
    let mut stats = Map::new();
    stats.insert("file_mtime_ms".into(), read.mtime_ms.into());
    stats.insert("file_size_bytes".into(), read.size_bytes.into());
    let (first, last) = read.lines;
    let overruled = read.overruled.clone().map(Warning::EncodingOverruled);
    let warnings: Vec<String> = overruled.iter().map(|warning| advice::warning(warning, asked.words)).collect();
    let which = if first > last { "no line".to_owned() } else { format!("lines {first} to {last}") };
    Envelope {
        status: Status::Success,
        data: Data { extra, warnings, ..Data::default() },
        text: format!("read {which} of {total} of {}", read.path),
        stats: Stats { time_ms: asked.time_ms(), extra: stats, ..Stats::default() },
        context: asked.context(subject),
        error: None,
    }
}

/// The text of a file, decoded where it is in another encoding than UTF-8, which is given then.
fn text_in(
    formats: FileFormats<'_>,
    path: &RepoPath,
    bytes: Vec<u8>,
    told: Told,
) -> Result<(Text, Option<Encoding>), Error> {
    let (bytes, encoding) = match formats.decoded(path, &bytes, told)? {
        Some((encoding, decoded)) => (decoded.into_bytes(), Some(encoding)),
        None => (bytes, None),
    };
    let binary = |nul: NulByte| Finding::Binary { path: path.to_string_lossy(), offset: nul.offset };
    Ok((Text::new(bytes).map_err(binary)?, encoding))
}

/// The text of a file of the working tree, as it is and as it reads.
///
/// # Errors
/// Where there is none, or it is binary.
pub fn text_of(workspace: &Workspace, path: &RepoPath) -> Result<Vec<u8>, Error> {
    let missing = || WorktreeError::NoSuchFile(path.to_string_lossy()).into();
    text_if_there(workspace, path)?.ok_or_else(|| with_near_paths(missing(), workspace, None, Naming::Relative))
}

/// The same; none where there is no file.
///
/// # Errors
/// Where it is binary, or cannot be read.
pub fn text_if_there(workspace: &Workspace, path: &RepoPath) -> Result<Option<Vec<u8>>, Error> {
    let root = Flow::open_root_of(workspace.repo(), workspace.settings()?)?;
    let place = root.place(path)?;
    let Some(found) = root.read(&place)? else { return Ok(None) };
    let formats = FileFormats { repo: workspace.repo(), settings: workspace.settings()?, root: &root, group: None };
    Ok(Some(text_in(formats, &place.path, found.bytes, Told::default())?.0.into_bytes()))
}

/// The bytes of a file of the working tree and whether it is executable; none where there is no such file.
pub fn file_of(workspace: &Workspace, path: &RepoPath) -> Option<(Vec<u8>, bool)> {
    let root = Flow::open_root_of(workspace.repo(), workspace.settings().ok()?).ok()?;
    let found = root.read(&root.place(path).ok()?).ok()??;
    Some((found.bytes, found.meta.mode & 0o111 != 0))
}

fn params(request: &ReadRequest) -> Value {
    let lines = request.lines.map(|(first, last)| {
        let last = if last == usize::MAX { String::new() } else { last.to_string() };
        format!("{first}:{last}")
    });
    let mut params = json!({
        "path": request.path.to_string_lossy(),
        "lines": lines,
        "session": request.session,
        "root": request.root.as_ref().map(|root| root.to_string_lossy()),
    });
    // Absent where it is not given, as it always was.
    if let (Some(encoding), Some(params)) = (request.encoding, params.as_object_mut()) {
        params.insert("encoding".to_owned(), encoding.name().into());
    }
    params
}
