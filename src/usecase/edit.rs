//! The use case: a request becomes a change of files, and a true answer.
//!
//! Owns what a request means for the flow (`flow/`) and how what was done becomes an envelope (`answer.rs`).
//! Does not print and does not read arguments.

use super::answer::{Answering, Asked, Subject};
use super::may_be_gone::may_be_gone;
use super::meaning;
use super::near_paths::{Naming, with_near_paths};
use super::options::{Answer, Overrides, Place, Programs};
use super::recover::recover_in;
use crate::advice;
use crate::answer::Envelope;
use crate::change::ChangeKind;
use crate::dialect::{self, Limits, NativeContext};
use crate::error::Error;
use crate::flow::Task;
use crate::flow::replayed_requests::{self, Answered, Earlier};
use crate::flow::{Ask, Compile, Done, Flow, Told, Writes, resolve, sandbox, say_caller};
use crate::git::{Repo, RepoError};
use crate::git_record::Staged;
use crate::history::{CommitsOfRecords, History, LogQuery};
use crate::id::BlobId;
use crate::matcher::left_out::Notation;
use crate::patch::{CompileOptions, DiffLimits, EditOutcome, FilePatch, compile};
use crate::path::RepoPath;
use crate::policy::Settings;
use crate::policy::{Finding, FreshLines, check};
use crate::policy::{Receipt, Session};
use crate::record::{RecordClass, RecordFile, RecordMeta};
use crate::request::{Agent, Dialect, Edit, FileChange, FileRequest, Mode, PathArg, RecordKind, Request};
use crate::state_dir::StateDir;
use crate::strategy::{Level, Strategy};
use crate::task::{KnownFile, PatchOutcome, Paths, TaskKind};
use crate::text::{Encoding, Text, line_numbers};
use crate::transaction::{Note, TransactionError, Verify};
use crate::warning::Warning;
use crate::workspace::Workspace;
use serde_json::Value;
use std::borrow::Cow;
use std::time::Instant;

/// Applies a request: the bytes in, the answer out, whatever happens.
pub fn apply(bytes: &[u8], overrides: &Overrides, place: &Place<'_>) -> Answer {
    let start = place.env.clock().instant();
    match Workspace::discover(place.env) {
        Ok(workspace) => answer(Ok(&workspace), start, bytes, overrides, place),
        Err(error) => answer(Err(error), start, bytes, overrides, place),
    }
}

/// Applies a request to what was opened, if it could be: the bytes in, the answer out, whatever happens.
pub fn answer(
    workspace: Result<&Workspace, RepoError>,
    start: Instant,
    bytes: &[u8],
    overrides: &Overrides,
    place: &Place<'_>,
) -> Answer {
    let settings = workspace.as_ref().ok().map(|workspace| workspace.settings());
    let max_bytes = match settings {
        Some(Ok(settings)) => settings.max_request_size,
        Some(Err(_)) | None => Settings::default().max_request_size,
    };
    // The request is read even where there is no repository, so that the answer can show it.
    let limits = Limits { request_bytes: max_bytes, ..Limits::default() };
    let repo = workspace.as_ref().ok().map(|workspace| workspace.repo());
    let asked = |params_input, dialect| Asked::new(start, place.env, repo, params_input, dialect::words(dialect));
    let opened = workspace.as_ref().ok().copied();
    let near = |error: Error, naming| match opened {
        Some(workspace) => with_near_paths(error, workspace, overrides.root.as_deref(), naming),
        None => error,
    };
    let parsed = match dialect::parse(bytes, overrides.dialect, limits) {
        Ok(parsed) => parsed,
        Err(error) => {
            let dialect = error.dialect.unwrap_or(Dialect::Standard);
            let native = NativeContext::of_error(&error);
            let asked = asked(error.params_input.clone(), dialect);
            let error = near(error.into(), Naming::in_dialect(dialect));
            return Answer { dialect, envelope: asked.error(&error, &Subject::default()), native };
        }
    };
    let mut request = parsed.request;
    let (dialect, native) = (request.dialect, NativeContext::of(&request));
    let asked = asked(parsed.params_input, dialect);
    overrides.lay_over(&mut request);
    if let Some(envelope) = opened.and_then(|open| super::wish::fulfil(&request, open, overrides, place, &asked)) {
        return Answer { dialect, envelope, native };
    }
    let near = |error| near(error, Naming::of(&request));
    let use_case = workspace.map_err(Error::from).and_then(|workspace| {
        let (repo, settings) = (workspace.repo(), workspace.settings()?);
        Ok(UseCase { repo, settings, request: &request, overrides, place })
    });
    let resolved = use_case.and_then(|use_case| Ok((use_case.resolve()?, use_case)));
    let envelope = match resolved {
        Ok((resolved, use_case)) => {
            let answering = use_case.answering(&asked, &resolved);
            use_case.run(resolved, &answering).unwrap_or_else(|error| answering.error(&near(error)))
        }
        Err(error) => asked.error(&near(error), &Subject { path_resolved: None, several: request.files.len() > 1 }),
    };
    Answer { dialect, envelope, native }
}

/// Applies a request that is read already.
pub fn edit(
    workspace: &Workspace,
    request: &Request,
    overrides: &Overrides,
    ask: Option<Ask<'_>>,
) -> Result<Envelope, Error> {
    let mut request = request.clone();
    overrides.lay_over(&mut request);
    let (env, repo, settings) = (workspace.env(), workspace.repo(), workspace.settings()?);
    let words = dialect::words(request.dialect);
    let asked = Asked::new(env.clock().instant(), env, Some(repo), Value::Null, words);
    let place = Place { env, ask, programs: Programs::Run, group: None };
    let use_case = UseCase { repo, settings, request: &request, overrides, place: &place };
    let resolved = use_case.resolve()?;
    let answering = use_case.answering(&asked, &resolved);
    use_case.run(resolved, &answering)
}

/// One request on its way.
struct UseCase<'a> {
    repo: &'a Repo,
    settings: &'a Settings,
    request: &'a Request,
    overrides: &'a Overrides,
    place: &'a Place<'a>,
}

/// What a request comes to here, before any file is looked at.
struct Resolved {
    record: RecordKind,
    level: Level,
    sandbox: Option<RepoPath>,
    /// Of every file, relative to the root of the working tree.
    paths: Vec<FilePaths>,
}

/// The paths of one file of a request.
#[derive(Clone)]
struct FilePaths {
    /// Afterwards (for a deletion: now).
    path: RepoPath,
    /// Now, for a rename.
    from: Option<RepoPath>,
}

/// What holds for every file of a request.
#[derive(Clone, Copy)]
struct Terms<'a> {
    level: Level,
    /// None where the request names none.
    session: Option<&'a Session>,
    /// The index, where that is edited, too.
    staged: Option<&'a Staged<'a>>,
}

impl UseCase<'_> {
    fn resolve(&self) -> Result<Resolved, Error> {
        let record = self.record_kind()?;
        self.overrides.git.check(record)?;
        let level = self.level()?;
        let sandbox = sandbox(self.repo, self.overrides.root.as_deref())?;
        let paths = self.paths(sandbox.as_ref())?;
        Ok(Resolved { record, level, sandbox, paths })
    }

    fn answering<'q>(&self, asked: &'q Asked, resolved: &Resolved) -> Answering<'q> {
        Answering {
            asked,
            subject: Subject {
                path_resolved: resolved.paths.first().map(|paths| paths.path.to_string_lossy()),
                several: self.request.files.len() > 1,
            },
            limits: DiffLimits {
                lines: self.overrides.diff_lines.unwrap_or(self.settings.diff_lines),
                bytes: self.overrides.diff_bytes.unwrap_or(self.settings.diff_bytes),
            },
            record: resolved.record,
        }
    }

    fn run(&self, resolved: Resolved, answering: &Answering<'_>) -> Result<Envelope, Error> {
        let Resolved { record, level, sandbox, paths } = resolved;
        let request = self.request;
        let request_hash =
            request.request_id.as_ref().map(|_| meaning::hash(request, sandbox.as_ref(), self.overrides));
        let mut finished = Vec::new();
        if let Some(answered) = self.answered(request_hash, &mut finished)? {
            return self.replayed(&answered, answering, &finished);
        }
        if let Some(head) = request.expected_head {
            check::head(self.repo.head_id()?, head)?;
        }
        let session = self.session();
        let staged = self.overrides.git.index.then(|| Staged::open(self.repo)).transpose()?;
        let terms = Terms { level, session: session.as_ref(), staged: staged.as_ref() };
        let files = request.files.iter().zip(paths);
        let tasks: Vec<Task<'_>> = files.map(|(file, paths)| self.task(file, paths, terms)).collect();
        let answer = |done: &Done| answering.done_text(done);
        let verify = self.settings.checks(self.overrides.verify.as_deref(), self.overrides.verify_timeout);
        self.refuse_programs(record, verify.as_ref())?;
        let capped = verify.as_ref().and_then(|verify| self.capped(verify));
        let flow = Flow {
            env: self.place.env,
            repo: self.repo,
            settings: self.settings,
            sandbox: sandbox.as_ref(),
            dry_run: request.dry_run,
            lock_timeout: self.overrides.lock_timeout.unwrap_or(self.settings.lock_timeout),
            verify,
            expected_head: request.expected_head,
            class: RecordClass::Edit,
            meta: self.meta(record, request_hash)?,
            confirm: self.overrides.confirm,
            ask: self.place.ask,
            git: self.overrides.git.target(record, staged.as_ref())?,
            answer: Some(&answer),
            group: self.place.group,
        };
        let mut done = match flow.run(&tasks) {
            Ok(done) => done,
            Err(error) => {
                // The same request may have been answered since its id was looked for, which would be why it does not fit any more.
                let again = self.answered(request_hash, &mut finished)?;
                return again.map_or(Err(error), |answered| self.replayed(&answered, answering, &finished));
            }
        };
        drop(tasks);
        done.warnings.extend(finished.into_iter().chain(capped));
        if let (Some(session), true) = (&session, done.is_applied()) {
            renew(session, &mut done, self.place.env.now_ms());
        }
        Ok(answering.done(&done))
    }

    /// Refuses what would run programs, where none may run.
    fn refuse_programs(&self, record: RecordKind, verify: Option<&Verify>) -> Result<(), Finding> {
        let index = self.overrides.git.index.then_some("an edit of the index");
        self.place.programs.refuse(record, verify.map(|_| "a verification").or(index))
    }

    /// What is told where the configuration allows the verification less time than was asked for.
    fn capped(&self, verify: &Verify) -> Option<Warning> {
        let asked = self.overrides.verify_timeout.filter(|asked| *asked > verify.timeout)?;
        Some(Warning::VerifyTimeoutCapped { asked, limit: verify.timeout })
    }

    /// What an earlier request with the same id came to. Where it was interrupted, or is being done now, that is waited for or finished
    /// first, which `finished` is told: a file that is still the old one would make the answer untrue.
    fn answered(&self, hash: Option<BlobId>, finished: &mut Vec<Warning>) -> Result<Option<Answered>, Error> {
        // A dry run neither uses an id up nor answers with what was done.
        let (Some(id), Some(hash), false) = (&self.request.request_id, hash, self.request.dry_run) else {
            return Ok(None);
        };
        loop {
            match replayed_requests::find(self.repo, id, hash)? {
                Earlier::None => return Ok(None),
                // What is lost costs no later edit, but it is told.
                Earlier::Unknown(damage) => {
                    finished.push(Note::JournalDamaged { damage, kept: None }.into());
                    return Ok(None);
                }
                Earlier::Answered(answered) => return Ok(Some(answered)),
                Earlier::Unfinished => match self.place.group.filter(|group| group.is_open()) {
                    // It may be the one that this one was to join.
                    Some(group) => {
                        group.postpone();
                        return Err(TransactionError::Postponed.into());
                    }
                    None => finished.extend(recover_in(self.repo, self.settings)?.notes),
                },
            }
        }
    }

    /// A recorded answer, given again; with what it cannot say itself: that it is one, whether the edit was undone since, and the git
    /// commit, where git itself made that afterwards.
    fn replayed(
        &self,
        answered: &Answered,
        answering: &Answering<'_>,
        finished: &[Warning],
    ) -> Result<Envelope, Error> {
        let mut envelope = answering.replayed(answered);
        let words = dialect::words(self.request.dialect);
        let id = envelope.data.record.as_ref().and_then(|record| record.id.clone());
        // Where that cannot be found out, the answer is given all the same.
        let found = id.and_then(|id| History::open(self.repo).ok()?.find_with_effect(id.as_str()).ok());
        let undone_by = found.and_then(|(_, effect)| effect.undone_by().cloned());
        advice::replayed(&mut envelope.text, undone_by.as_ref());
        envelope.data.extra.extend(undone_by.map(|by| ("undone_by".to_owned(), by.as_str().into())));
        envelope.data.warnings.extend(finished.iter().map(|warning| advice::warning(warning, words)));
        if let Some(record) = &mut envelope.data.record
            && record.commit.is_none()
            && let Some(id) = record.id.as_ref().filter(|_| record.kind == RecordKind::Commit)
        {
            let commits = CommitsOfRecords::read(&StateDir::of(self.repo));
            let commits = commits.map_err(Error::io("read", "the commits of records"))?;
            record.commit = commits.of(id).last().map(|(commit, _)| *commit);
        }
        Ok(envelope)
    }

    /// The paths of every file, relative to the root of the working tree: after, and before a rename.
    fn paths(&self, sandbox: Option<&RepoPath>) -> Result<Vec<FilePaths>, Error> {
        let resolve = |arg: &PathArg| resolve(self.repo, arg, sandbox);
        let paths = self.request.files.iter().map(|file| match &file.change {
            FileChange::Rename { to, .. } => Ok(FilePaths { path: resolve(to)?, from: Some(resolve(&file.path)?) }),
            _ => Ok(FilePaths { path: resolve(&file.path)?, from: None }),
        });
        paths.collect()
    }

    fn task<'t>(&'t self, file: &'t FileRequest, paths: FilePaths, terms: Terms<'t>) -> Task<'t> {
        let (FilePaths { path, from }, Terms { level, session, staged }) = (paths.clone(), terms);
        let shown = from.clone().unwrap_or_else(|| path.clone());
        let options = CompileOptions {
            mode: self.request.mode,
            level,
            refuse_nested: self.request.refuse_nested,
            notation: Notation::of(shown.as_bstr()),
            shown: None,
            may_be_gone: false,
            most_bytes: self.settings.max_file_size,
        };
        let kind = match &file.change {
            FileChange::Modify(_) => TaskKind::Modify,
            FileChange::Create { overwrite, .. } => TaskKind::Create { overwrite: *overwrite },
            FileChange::Delete => TaskKind::Delete,
            FileChange::Rename { .. } => TaskKind::Rename,
        };
        let known = Known { repo: self.repo, session };
        let compile = move |text: &Text, encoding: Encoding| match &file.change {
            FileChange::Modify(edits) | FileChange::Rename { edits, .. } if !edits.is_empty() => {
                compiled_in(known, text, &in_encoding(edits, encoding), (options, &shown))
            }
            FileChange::Modify(_) | FileChange::Rename { .. } => Ok(FilePatch::unchanged(text.bytes().len()).into()),
            FileChange::Create { content, edits, .. } => created(text, (content, edits), options.most_bytes, &shown),
            FileChange::Delete => Ok(FilePatch::whole(text.bytes().len(), Vec::new()).into()),
        };
        let in_both = paths.clone();
        let compile_in_both = move |text: &Text, encoding: Encoding| match staged {
            Some(staged) => {
                let paths = Paths { path: &in_both.path, from: in_both.from.as_ref() };
                staged.compile(paths, kind, (text, encoding), &|text: &Text| compile(text, encoding))
            }
            None => compile(text, encoding),
        };
        let made = move |raw: &[u8]| staged.map_or(Ok(()), |staged| Ok(staged.create(&paths.path, raw)?));
        Task {
            path,
            from,
            kind,
            compile: Compile::Text(Box::new(compile_in_both)),
            made: Box::new(made),
            executable: file.executable,
            told: Told { encoding: file.encoding, writes: Writes::of(written(file)) },
            check: Box::new(move |known| self.check(file, known, session)),
        }
    }

    fn check(&self, file: &FileRequest, known: &KnownFile<'_>, session: Option<&Session>) -> Result<(), Error> {
        let found = known.found;
        if self.request.require_clean || self.settings.require_clean {
            check::clean(&found.source().path, known.base.map(|base| base.state))?;
            let is_new = found.base.is_none() || found.from.is_some();
            if is_new && self.repo.head_entry(&found.place.path)?.is_some() {
                return Err(Finding::NotClean { path: found.place.path.to_string_lossy(), state: "deleted" }.into());
            }
        }
        let is_new = matches!(&file.change, FileChange::Create { overwrite: false, .. }) && found.base.is_none();
        if is_new
            && self.repo.head_entry(&found.place.path)?.is_some()
            && !is_gone_by_record(self.repo, &found.place.path)
        {
            return Err(Finding::ExistsInHead(found.place.path.to_string_lossy()).into());
        }
        let Some(known) = known.known() else { return Ok(()) };
        check::expectation(&file.expected, &known).map_err(|finding| match lines_named(file) {
            Some(lines) => finding.with_lines(FreshLines::around(known.bytes, lines)),
            None => finding,
        })?;
        if let Some(session) = session.filter(|_| self.requires_read()) {
            let receipt = session.receipt(known.path).map_err(Error::io("read", "the receipt of a read"))?;
            check::receipt(receipt.as_ref(), &known)?;
        } else if self.requires_read() {
            return Err(Finding::NoSession(known.path.to_string_lossy()).into());
        }
        Ok(())
    }

    fn session(&self) -> Option<Session> {
        let name = self.agent().session?;
        Some(Session::new(&StateDir::of(self.repo), &name))
    }

    /// Who asks: as is known of the caller, else as the request says, which an agent writes. What a request means does not depend on the
    /// former, so that one that is sent again by another call is known.
    fn agent(&self) -> Agent {
        self.overrides.caller.or(&self.request.agent)
    }

    /// By request, flag or configuration; and in the dialects whose tools demand it, as soon as there is a session.
    fn requires_read(&self) -> bool {
        let demands = matches!(self.request.dialect, Dialect::ClaudeCode | Dialect::ClaudeCodeOpen);
        let by_dialect = demands && self.request.agent.session.is_some();
        self.settings.require_read || self.request.require_read.unwrap_or(by_dialect)
    }

    fn record_kind(&self) -> Result<RecordKind, Finding> {
        let shelf = self.overrides.git.shelve.then_some(RecordKind::Stash);
        self.settings.record_kind(self.request.record.or(shelf))
    }

    fn level(&self) -> Result<Level, Error> {
        let default = dialect::default_level(self.request.dialect);
        match (self.settings.level, self.request.level) {
            (None, asked) => Ok(asked.unwrap_or(default)),
            (Some(set), None) => Ok(set),
            (Some(set), Some(asked)) if rank(asked) <= rank(set) || asked == set => Ok(asked),
            (Some(set), Some(_)) => Err(Finding::Laxer { key: "redraft.match", value: set.as_str().to_owned() }.into()),
        }
    }

    fn meta(&self, record: RecordKind, request_hash: Option<BlobId>) -> Result<RecordMeta, Error> {
        let Request { message, request_id, dialect, .. } = self.request;
        let Agent { name, model, session, turn, subagent, call_id } = self.agent();
        let mut meta = RecordMeta {
            message: message.clone(),
            agent: name,
            model,
            session,
            turn,
            subagent,
            call_id,
            base: self.repo.head_id()?,
            dialect: Some(dialect.as_str().to_owned()),
            record,
            request_id: request_id.clone(),
            request_hash,
            ..RecordMeta::default()
        };
        say_caller(self.repo, &mut meta);
        Ok(meta)
    }
}

/// Whether the newest record of a path took it away: then nobody makes it anew by mistake.
fn is_gone_by_record(repo: &Repo, path: &RepoPath) -> bool {
    let query = LogQuery { paths: vec![path.clone()], limit: Some(1), ..LogQuery::default() };
    let Ok(history) = History::open(repo) else { return false };
    let Ok(mut newest) = query.run(&history) else { return false };
    let is_gone = |file: &RecordFile| {
        (file.path == *path && file.change == ChangeKind::Delete) || file.from.as_ref() == Some(path)
    };
    matches!(newest.next(), Some(Ok(logged)) if logged.item.record.files.iter().any(is_gone))
}

/// How loose a level is.
fn rank(level: Level) -> u8 {
    match level {
        Level::Exact | Level::Only(Strategy::Exact | Strategy::Simple) => 0,
        Level::Fuzzy => 1,
        Level::Loose | Level::Only(_) => 2,
    }
}

/// What a file's request would write.
fn written(file: &FileRequest) -> impl Iterator<Item = &[u8]> {
    let content = match &file.change {
        FileChange::Create { content, .. } => Some(&content[..]),
        FileChange::Modify(_) | FileChange::Delete | FileChange::Rename { .. } => None,
    };
    content.into_iter().chain(file.edits().iter().map(Edit::new_text))
}

/// The edits as the text of a file in this encoding reads.
fn in_encoding(edits: &[Edit], encoding: Encoding) -> Cow<'_, [Edit]> {
    if encoding.is_utf8() {
        return Cow::Borrowed(edits);
    }
    Cow::Owned(edits.iter().map(|edit| edit.as_read_in(encoding)).collect())
}

fn compiled(text: &Text, edits: &[Edit], options: CompileOptions, path: &RepoPath) -> Result<PatchOutcome, Error> {
    let compiled = compile(text, edits, &options)
        .map_err(|error| Error::Compile { path: path.clone(), error: Box::new(error) })?;
    Ok(PatchOutcome {
        patch: compiled.patch,
        edits: compiled.edits,
        uncertain: compiled.uncertain,
        ..PatchOutcome::default()
    })
}

/// What tells more of a file than its text.
#[derive(Clone, Copy)]
struct Known<'a> {
    repo: &'a Repo,
    session: Option<&'a Session>,
}

/// The same, beside what git and the session know of the file: what is near a text that is gone is not taken for it, and of an
/// edit that is refused, the hint has the lines that the session was shown last first.
fn compiled_in(
    Known { repo, session }: Known<'_>,
    text: &Text,
    edits: &[Edit],
    (options, path): (CompileOptions, &RepoPath),
) -> Result<PatchOutcome, Error> {
    let anew = |outcome: PatchOutcome| match may_be_gone(repo, path, &outcome.uncertain) {
        true => compiled(text, edits, CompileOptions { may_be_gone: true, ..options }, path),
        false => Ok(outcome),
    };
    compiled(text, edits, options, path).and_then(anew).or_else(|error| {
        // Nothing is read where there is nothing to tell.
        let shown = match (&error, session) {
            (Error::Compile { error, .. }, Some(session)) if error.refusal.has_places() => {
                session.receipt(path).ok().flatten().and_then(|receipt| receipt.lines)
            }
            _ => None,
        };
        if shown.is_some() { compiled(text, edits, CompileOptions { shown, ..options }, path) } else { Err(error) }
    })
}

/// The first and last lines that edits of a text are about.
fn lines_of(base: &[u8], edits: &[EditOutcome]) -> Option<(usize, usize)> {
    let first = edits.iter().map(|edit| edit.range.start).min()?;
    let last = edits.iter().map(|edit| edit.range.end.max(edit.range.start + 1) - 1).max()?;
    line_numbers(base, &[first, last]).try_into().ok().map(|[first, last]: [usize; 2]| (first, last))
}

/// A new file: its content, then the edits of the content.
fn created(
    text: &Text,
    (content, edits): (&[u8], &[Edit]),
    most_bytes: u64,
    path: &RepoPath,
) -> Result<PatchOutcome, Error> {
    let mut content = content.to_vec();
    if !edits.is_empty() {
        let nul = |_| Finding::NewTextHasNul(path.to_string_lossy());
        let made = Text::new(content).map_err(nul)?;
        let options = CompileOptions { mode: Mode::Sequence, most_bytes, ..CompileOptions::default() };
        // The first edit of the request made the file.
        let compiled = compile(&made, edits, &options)
            .map_err(|error| Error::Compile { path: path.clone(), error: Box::new(error.behind(1)) })?;
        content = compiled.patch.apply(made.bytes());
    }
    Ok(FilePatch::whole(text.bytes().len(), content).into())
}

/// An agent may go on editing what it has just written.
fn renew(session: &Session, done: &mut Done, mtime_ms: i64) {
    for (file, edits) in done.files.iter().map(|file| (&file.planned, &file.report.edits)) {
        let path = &file.place.path;
        let left = match &file.after {
            Some(after) => {
                let size_bytes = after.bytes.len() as u64;
                let lines = file.encoding.is_none().then(|| lines_of(file.base_bytes(), edits)).flatten();
                session.leave(&Receipt { path: path.clone(), blob: after.id, mtime_ms, size_bytes, lines })
            }
            None => session.forget(path),
        };
        if let Err(error) = left.and_then(|()| file.from.as_ref().map_or(Ok(()), |from| session.forget(&from.path))) {
            done.warnings.push(Warning::NoReceipt { path: path.clone(), error });
        }
    }
}

/// The first and the last of the lines that the edits of a file name by number.
fn lines_named(file: &FileRequest) -> Option<(usize, usize)> {
    let lines = file.edits().iter().filter_map(|edit| edit.anchor()?.lines);
    lines
        .map(|(first, last)| (first.min(last), first.max(last)))
        .reduce(|one, other| (one.0.min(other.0), one.1.max(other.1)))
}
