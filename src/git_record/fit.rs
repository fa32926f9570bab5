//! What of an edit goes into git: the agent's lines alone, in HEAD's version of a file and in the staged one.
//!
//! Owns the decision whether an edit of the working tree fits another version of the same file. Writes objects and nothing
//! else; refs and index are moved by `prepared.rs`, after the files.
//! Invariant: what is to be committed differs from HEAD in the agent's lines only, and what is staged afterwards differs
//! from what was staged before in the same lines.

use super::error::{GitRecordError as Error, UserLines};
use crate::change::ChangeKind;
use crate::git::{GitCall, GitForm, HeadEntry, Index, IndexChange, IndexLookup, Repo, TreeChange, TreeEntry, blob_id};
use crate::id::BlobId;
use crate::patch::carry::refine::refine;
use crate::patch::carry::{Conflict, Fit, carry, trim};
use crate::patch::{FilePatch, Origin, Replacement, Splice};
use crate::path::RepoPath;
use crate::strategy::Strategy;
use crate::text::Lines;
use std::ops::Range;

/// One file of an edit, as it is in the working tree.
#[derive(Debug, Clone, Copy)]
pub struct EditedFile<'a> {
    /// Where it is afterwards (for a deletion: where it is).
    pub path: &'a RepoPath,
    /// Where it is, for a rename.
    pub from: Option<&'a RepoPath>,
    /// What happens to it.
    pub change: ChangeKind,
    /// The raw bytes before; empty for a creation.
    pub before: &'a [u8],
    /// The raw bytes after; empty for a deletion.
    pub after: &'a [u8],
    /// From the one to the other.
    pub patch: &'a FilePatch,
    /// Permission bits that the edit sets; none where it leaves them.
    pub mode: Option<u32>,
}

impl<'a> EditedFile<'a> {
    fn source(&self) -> &'a RepoPath {
        self.from.unwrap_or(self.path)
    }
}

/// What is to become of HEAD's tree and of the index.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GitChanges {
    /// Against HEAD's tree.
    pub tree: Vec<TreeChange>,
    /// Against the index.
    pub index: Vec<IndexChange>,
}

/// Whether objects are written, or only their ids found out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Objects {
    /// Written.
    Write,
    /// Found out; filters are not run, and what they would have to decide is taken to fit.
    Compute,
}

/// Fits an edit to HEAD, and to the index where there is one to keep up.
///
/// # Errors
/// [`Error::DoesNotFit`] with the lines of others that are in the way, [`Error::Unmerged`]; where HEAD or a blob cannot be
/// read, or an object not be written.
pub fn fit_to_git(
    repo: &Repo,
    files: &[EditedFile<'_>],
    index: Option<&Index>,
    objects: Objects,
) -> Result<GitChanges, Error> {
    let mut changes = GitChanges::default();
    for file in files {
        let fitter = Fitter { repo, file, objects };
        if let Some(index) = index {
            fitter.refuse_unmerged(index)?;
        }
        let head = repo.head_entry(file.source())?;
        match file.change {
            ChangeKind::Create => fitter.create(index, &mut changes)?,
            ChangeKind::Delete => fitter.delete(head, index, &mut changes)?,
            ChangeKind::Modify | ChangeKind::Rename => fitter.modify(head, index, &mut changes)?,
        }
    }
    Ok(changes)
}

/// One file on its way into git.
struct Fitter<'a> {
    repo: &'a Repo,
    file: &'a EditedFile<'a>,
    objects: Objects,
}

impl Fitter<'_> {
    fn refuse_unmerged(&self, index: &Index) -> Result<(), Error> {
        let paths = [Some(self.file.path), self.file.from];
        match paths.into_iter().flatten().find(|path| index.lookup(path) == IndexLookup::Unmerged) {
            Some(path) => Err(Error::Unmerged(path.to_string_lossy())),
            None => Ok(()),
        }
    }

    fn misfit(&self, why: &'static str) -> Error {
        Error::DoesNotFit { path: self.file.source().to_string_lossy(), why: why.to_owned(), lines: Vec::new() }
    }

    fn create(&self, index: Option<&Index>, changes: &mut GitChanges) -> Result<(), Error> {
        let path = self.file.path;
        if self.repo.is_ignored(path)? {
            return Err(self.misfit("git ignores it"));
        }
        if self.repo.head_entry(path)?.is_some() {
            return Err(self.misfit("HEAD has another file there, which the user removed"));
        }
        if index.is_some_and(|index| index.lookup(path) != IndexLookup::Missing || index.has_below(path)) {
            return Err(self.misfit("the index has another file there, which the user removed"));
        }
        let id = self.store(path, self.file.after)?;
        let mode = self.mode(0o100_644);
        changes.tree.push((path.clone(), Some(TreeEntry { id, mode })));
        if index.is_some() {
            changes.index.push((path.clone(), Some((id, mode))));
        }
        Ok(())
    }

    fn delete(&self, head: Option<HeadEntry>, index: Option<&Index>, changes: &mut GitChanges) -> Result<(), Error> {
        let path = self.file.source();
        let Some(head) = head else { return Err(self.misfit("HEAD does not have it")) };
        if self.id_of(path, self.file.before)?.is_some_and(|id| id != head.id) {
            return Err(self.misfit("it holds changes that are not committed, and would be deleted with it"));
        }
        match index.map(|index| index.lookup(path)) {
            Some(IndexLookup::Entry(entry)) if entry.id != head.id => {
                return Err(self.misfit("staged changes of it would be deleted with it"));
            }
            Some(IndexLookup::Entry(_) | IndexLookup::AsInHead) => changes.index.push((path.clone(), None)),
            _ => {}
        }
        changes.tree.push((path.clone(), None));
        Ok(())
    }

    fn modify(&self, head: Option<HeadEntry>, index: Option<&Index>, changes: &mut GitChanges) -> Result<(), Error> {
        let (path, source) = (self.file.path, self.file.source());
        let Some(head) = head else { return Err(self.misfit("HEAD does not have it; `git add` and commit it first")) };
        if head.mode == 0o120_000 {
            return Err(self.misfit("it is a symbolic link in HEAD"));
        }
        let is_rename = self.file.from.is_some();
        if is_rename && self.repo.head_entry(path)?.is_some() {
            return Err(self.misfit("HEAD has another file at its new path"));
        }
        let blob = self.carried(head.id, "HEAD")?;
        if is_rename {
            changes.tree.push((source.clone(), None));
        }
        changes.tree.push((path.clone(), Some(TreeEntry { id: blob, mode: self.mode(head.mode) })));
        let Some(index) = index else { return Ok(()) };
        if is_rename && index.lookup(path) != IndexLookup::Missing {
            return Err(self.misfit("the index has another file at its new path"));
        }
        let (staged, mode) = match index.lookup(source) {
            // The user staged its deletion, which stays staged.
            IndexLookup::Missing if is_rename => return Err(self.misfit("its deletion is staged")),
            IndexLookup::Missing | IndexLookup::Unmerged => return Ok(()),
            IndexLookup::AsInHead => (blob, head.mode),
            IndexLookup::Entry(entry) if entry.id == head.id => (blob, entry.mode),
            IndexLookup::Entry(entry) => (self.carried(entry.id, "the index")?, entry.mode),
        };
        if is_rename {
            changes.index.push((source.clone(), None));
        }
        changes.index.push((path.clone(), Some((staged, self.mode(mode)))));
        Ok(())
    }

    /// The mode of an entry: what it is, unless the edit itself sets another.
    fn mode(&self, is: u32) -> u32 {
        match self.file.mode {
            Some(mode) if mode & 0o111 != 0 => 0o100_755,
            Some(_) => 0o100_644,
            None => is,
        }
    }

    /// The edit in another version of the file, by its blob.
    fn carried(&self, target: BlobId, whose: &'static str) -> Result<BlobId, Error> {
        let (path, source) = (self.file.path, self.file.source());
        let before = self.repo.git_form(source, self.file.before)?;
        if before == GitForm::Filtered {
            return self.carried_filtered(target, whose);
        }
        let form = |form: GitForm, raw: &[u8]| match form {
            GitForm::Converted(bytes) => bytes,
            _ => raw.to_vec(),
        };
        let is_same = before == GitForm::Same;
        let before = form(before, self.file.before);
        let after_form = self.repo.git_form(path, self.file.after)?;
        let is_same = is_same && after_form == GitForm::Same;
        let after = form(after_form, self.file.after);
        if blob_id(&before) == target {
            return self.store_bytes(&after);
        }
        let pieces = if is_same { raw_pieces(self.file) } else { form_pieces(self.file, &before, &after) };
        let text = self.carry(&pieces, &before, &self.repo.blob(&target)?, whose)?;
        self.store_bytes(&text)
    }

    /// As [`Self::carried`], where a filter driver decides what git stores: in the working tree's form, by git itself.
    fn carried_filtered(&self, target: BlobId, whose: &'static str) -> Result<BlobId, Error> {
        let (path, source) = (self.file.path, self.file.source());
        if self.objects == Objects::Compute {
            return Ok(target);
        }
        if self.id_of(source, self.file.before)? == Some(target) {
            return self.store(path, self.file.after);
        }
        let option = [&b"--path="[..], source.as_bstr()].concat();
        let call = GitCall::new(["cat-file", "--filters"]).arg(os(&option)).arg(target.to_string());
        let smudged = self.repo.run_git(call)?;
        let text = self.carry(&raw_pieces(self.file), self.file.before, &smudged, whose)?;
        self.store(path, &text)
    }

    fn carry(&self, pieces: &[Splice], from: &[u8], to: &[u8], whose: &'static str) -> Result<Vec<u8>, Error> {
        match carry_lines(pieces, from, to) {
            Ok(patch) => Ok(patch.apply(to)),
            Err((conflicts, pieces)) => Err(Error::DoesNotFit {
                path: self.file.source().to_string_lossy(),
                why: format!("lines that the edit needs are other ones in {whose}"),
                lines: conflicts.iter().map(|conflict| user_lines(conflict, &pieces, from, to)).collect(),
            }),
        }
    }

    /// The id under which git would store the raw bytes of a file; none where that is not to be found out.
    fn id_of(&self, path: &RepoPath, raw: &[u8]) -> Result<Option<BlobId>, Error> {
        Ok(match self.repo.git_form(path, raw)? {
            GitForm::Same => Some(blob_id(raw)),
            GitForm::Converted(bytes) => Some(blob_id(&bytes)),
            GitForm::Filtered if self.objects == Objects::Compute => None,
            GitForm::Filtered => Some(self.hash_object(path, raw, Objects::Compute)?),
        })
    }

    /// Stores the raw bytes of a file as git would.
    fn store(&self, path: &RepoPath, raw: &[u8]) -> Result<BlobId, Error> {
        match self.repo.git_form(path, raw)? {
            GitForm::Same => self.store_bytes(raw),
            GitForm::Converted(bytes) => self.store_bytes(&bytes),
            GitForm::Filtered if self.objects == Objects::Compute => Ok(blob_id(raw)),
            GitForm::Filtered => self.hash_object(path, raw, Objects::Write),
        }
    }

    fn store_bytes(&self, bytes: &[u8]) -> Result<BlobId, Error> {
        match self.objects {
            Objects::Write => Ok(self.repo.write_blob(bytes)?),
            Objects::Compute => Ok(blob_id(bytes)),
        }
    }

    /// Lets git find out an id, and where objects are written store the text.
    fn hash_object(&self, path: &RepoPath, raw: &[u8], objects: Objects) -> Result<BlobId, Error> {
        let option = [&b"--path="[..], path.as_bstr()].concat();
        let call = GitCall::new(["hash-object", "--stdin"]).arg(os(&option));
        let call = if objects == Objects::Write { call.arg("-w") } else { call };
        let out = self.repo.run_git(call.input(raw))?;
        let text = String::from_utf8_lossy(&out);
        text.trim().parse().map_err(|_| Error::Program(format!("git hash-object answered {text:?}")))
    }
}

/// Carries pieces to another version of a text; where one does not fit as a whole, by its changed lines alone.
///
/// # Errors
/// What does not fit, and the pieces that it counts.
pub fn carry_lines(pieces: &[Splice], from: &[u8], to: &[u8]) -> Result<FilePatch, (Vec<Conflict>, Vec<Splice>)> {
    let whole = match carry(pieces, from, to, Fit::Lines) {
        Ok(patch) => return Ok(patch),
        Err(conflicts) => conflicts,
    };
    let parts: Vec<Splice> = pieces.iter().flat_map(|piece| refine(from, piece)).collect();
    if parts.len() == pieces.len() {
        return Err((whole, parts));
    }
    carry(&parts, from, to, Fit::Lines).map_err(|conflicts| (conflicts, parts))
}

fn os(bytes: &[u8]) -> std::ffi::OsString {
    bstr::ByteSlice::to_os_str_lossy(bytes).into_owned()
}

/// The trimmed splices of an edit.
fn raw_pieces(file: &EditedFile<'_>) -> Vec<Splice> {
    let splices = file.patch.splices().iter();
    splices.filter_map(|splice| trim(file.before, splice)).collect()
}

/// The trimmed splices of an edit, in git's form of both texts.
fn form_pieces(file: &EditedFile<'_>, before: &[u8], after: &[u8]) -> Vec<Splice> {
    let mapped = || {
        let (in_before, in_after) = (offsets(file.before, before)?, offsets(file.after, after)?);
        let ranges = file.patch.splices().iter().zip(file.patch.result_ranges());
        let moved = ranges.map(|(splice, result)| {
            let range = in_before[splice.range.start]..in_before[splice.range.end];
            let replacement = after[in_after[result.start]..in_after[result.end]].to_vec();
            Splice { range, replacement, origin: splice.origin.clone() }
        });
        let moved = FilePatch::new(before.len(), moved.collect()).ok()?;
        let trimmed = moved.splices().iter().filter_map(|splice| trim(before, splice));
        (moved.apply(before) == after).then(|| trimmed.collect::<Vec<Splice>>())
    };
    mapped().unwrap_or_else(|| {
        let origin = file.patch.splices().first().map(|splice| splice.origin[0]);
        let origin = origin.unwrap_or(Origin { edit: 0, strategy: Strategy::Exact });
        let whole = Replacement { range: 0..before.len(), bytes: after.to_vec() };
        trim(before, &whole.by(origin)).into_iter().collect()
    })
}

/// Where each offset of a raw text is in git's form of it; none where more than line endings differ.
pub fn offsets(raw: &[u8], form: &[u8]) -> Option<Vec<usize>> {
    let mut map = Vec::with_capacity(raw.len() + 1);
    let mut at = 0;
    for (n, byte) in raw.iter().enumerate() {
        map.push(at);
        if form.get(at) == Some(byte) {
            at += 1;
        } else if *byte != b'\r' || raw.get(n + 1) != Some(&b'\n') {
            return None;
        }
    }
    map.push(at);
    (at == form.len()).then_some(map)
}

/// What stands in the way of a piece: its lines as they are, and as they are in the other version.
pub fn user_lines(conflict: &Conflict, pieces: &[Splice], from: &[u8], to: &[u8]) -> UserLines {
    let piece = &pieces[conflict.splice];
    let (start_line, end_line, text) = whole_lines(from, &piece.range);
    let (_, _, committed) = whole_lines(to, &conflict.near);
    UserLines { edit: piece.origin[0].edit, start_line, end_line, text, committed }
}

fn whole_lines(text: &[u8], range: &Range<usize>) -> (usize, usize, String) {
    let lines = Lines::new(text);
    let end = range.end.min(text.len());
    let start = range.start.min(end);
    let first = lines.number_at(start);
    let last = lines.number_at(if end > start { end - 1 } else { end }).max(first);
    let from = lines.range(first).start;
    let to = lines.range(last).end.max(from);
    (first, last, String::from_utf8_lossy(&text[from..to.min(text.len())]).into_owned())
}
