//! What of an edit goes into git: the agent's lines alone, in HEAD's version of a file and in the staged one.
//!
//! Owns the decision whether an edit of the working tree fits another version of the same file. Writes objects and nothing
//! else; refs and index are moved by `prepared.rs`, after the files.
//! Invariant: what is to be committed differs from HEAD in the agent's lines only, and what is staged afterwards differs
//! from what was staged before in the same lines.

use super::carried::{Carried, Carry};
use super::error::GitRecordError as Error;
use super::order::{Made, is_in_order, one_by_one};
use crate::change::ChangeKind;
use crate::git::{
    Filters, GitCall, GitForm, HeadEntry, Index, IndexChange, IndexLookup, Repo, RepoError, TreeChange, TreeEncoding,
    TreeEntry, blob_id,
};
use crate::id::BlobId;
use crate::patch::{EditOutcome, FilePatch, Readable, encoded};
use crate::path::RepoPath;
use crate::task::Ids;
use crate::text::Encoding;

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
    /// What a request asked for; empty where none did.
    pub edits: &'a [EditOutcome],
    /// What git commits made of the file, if it is just that which is taken back: the newest first.
    pub inverts: &'a [Ids],
    /// A staged version of the file that is HEAD's with lines of this edit, of an earlier state perhaps, and no others.
    pub own_staged: Option<BlobId>,
    /// Permission bits that the edit sets; none where it leaves them.
    pub mode: Option<u32>,
    /// What the texts are in, where that is known and not UTF-8.
    pub encoding: Option<Encoding>,
    /// What records made of the file, the oldest first, where it is those that are to go into git: they tell the order of lines.
    pub made: &'a [Made],
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
    /// Files whose edit HEAD has already.
    pub already: Vec<String>,
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
/// [`Error::DoesNotFit`] with the lines of others that are in the way, [`Error::AlreadyThere`] where HEAD has all of it,
/// [`Error::Unmerged`]; where HEAD or a blob cannot be read, or an object not be written.
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
    if changes.tree.is_empty() && !changes.already.is_empty() {
        return Err(Error::AlreadyThere { paths: changes.already });
    }
    Ok(changes)
}

/// The mode of a symbolic link in a tree.
const SYMLINK: u32 = 0o120_000;

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
        if let Some(head) = self.repo.head_entry(path)? {
            // It was removed in the working tree alone.
            let is_there = head.mode == self.mode(head.mode) && self.id_of(path, self.file.after)? == Some(head.id);
            if !is_there || head.mode == SYMLINK {
                return Err(self.misfit("HEAD has another file there, which the user removed"));
            }
            changes.already.push(path.to_string_lossy());
            return Ok(());
        }
        let id = self.store(path, self.file.after)?;
        let is_it = |index: &Index| match index.lookup(path) {
            // Of a folder that the index has as HEAD does, too: HEAD has no such file.
            IndexLookup::Missing | IndexLookup::AsInHead => true,
            // The user staged the very file, or what it was before, or said that it is to be.
            IndexLookup::Entry(entry) => entry.id == id || self.is_own(entry.id) || entry.intent_to_add,
            IndexLookup::Unmerged => false,
        };
        if index.is_some_and(|index| !is_it(index) || index.has_below(path)) {
            return Err(self.misfit("the index has another version of it, or another file there"));
        }
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
        if head.mode == SYMLINK {
            return Err(self.misfit("it is a symbolic link in HEAD"));
        }
        let is_rename = self.file.from.is_some();
        if is_rename && self.repo.head_entry(path)?.is_some() {
            return Err(self.misfit("HEAD has another file at its new path"));
        }
        let carried = self.carried(head.id, "HEAD")?.filter(|id| *id != head.id || !self.file.patch.is_empty());
        let (blob, mode) = (carried.unwrap_or(head.id), self.mode(head.mode));
        if carried.is_none() && !is_rename && mode == head.mode {
            changes.already.push(path.to_string_lossy());
        } else {
            changes.tree.push((path.clone(), Some(TreeEntry { id: blob, mode })));
        }
        if is_rename {
            changes.tree.push((source.clone(), None));
        }
        let Some(index) = index else { return Ok(()) };
        let renamed = match index.lookup(path) {
            _ if !is_rename => None,
            IndexLookup::Missing => None,
            // The user, or the edit itself, renamed it there, too.
            IndexLookup::Entry(entry) if entry.id == head.id || entry.id == blob => Some(entry.mode),
            _ => return Err(self.misfit("the index has another file at its new path")),
        };
        let (staged, mode) = match index.lookup(source) {
            IndexLookup::Missing if renamed.is_some() => (blob, renamed.unwrap_or(mode)),
            // The user staged its deletion, which stays staged.
            IndexLookup::Missing if is_rename => return Err(self.misfit("its deletion is staged")),
            IndexLookup::Missing | IndexLookup::Unmerged => return Ok(()),
            IndexLookup::AsInHead => (blob, head.mode),
            IndexLookup::Entry(entry) if entry.id == head.id || self.is_own(entry.id) => (blob, entry.mode),
            IndexLookup::Entry(entry) => (self.carried(entry.id, "the index")?.unwrap_or(entry.id), entry.mode),
        };
        if is_rename && index.lookup(source) != IndexLookup::Missing {
            changes.index.push((source.clone(), None));
        }
        changes.index.push((path.clone(), Some((staged, self.mode(mode)))));
        Ok(())
    }

    fn is_own(&self, staged: BlobId) -> bool {
        self.file.own_staged == Some(staged)
    }

    /// The mode of an entry: what it is, unless the edit itself sets another.
    fn mode(&self, is: u32) -> u32 {
        match self.file.mode {
            Some(mode) if mode & 0o111 != 0 => 0o100_755,
            Some(_) => 0o100_644,
            None => is,
        }
    }

    /// The edit in another version of the file, by its blob; none where that version has it already.
    fn carried(&self, target: BlobId, whose: &'static str) -> Result<Option<BlobId>, Error> {
        let (path, source) = (self.file.path, self.file.source());
        if let Some(before) = before_all(self.file.inverts, target) {
            return Ok(Some(before));
        }
        let before = self.repo.git_form(source, self.file.before)?;
        if before == GitForm::Filtered {
            return self.carried_filtered(target, whose);
        }
        let before = before.bytes(self.file.before);
        let after = self.repo.git_form(path, self.file.after)?.bytes(self.file.after);
        if blob_id(&before) == target {
            return self.store_bytes(&after).map(Some);
        }
        let other = self.repo.blob(&target)?;
        let made = self.made()?;
        let whole = (!made.is_empty()).then(|| Made { before: before.clone(), after: after.clone() });
        let text = self.carried_text([before, after], &other, whose);
        let text = match (text, whole) {
            (text, None) => text?,
            (Ok(text), Some(whole)) if text.as_ref().is_none_or(|text| is_in_order(&made, &whole, &other, text)) => {
                text
            }
            (Ok(_), Some(whole)) => Some(one_by_one(&made, &whole, &other).ok_or_else(|| self.out_of_order(whose))?),
            (Err(error @ Error::DoesNotFit { .. }), Some(whole)) => {
                Some(one_by_one(&made, &whole, &other).ok_or(error)?)
            }
            (Err(error), _) => return Err(error),
        };
        text.map(|text| self.store_bytes(&text)).transpose()
    }

    /// The edit, of which git has these texts, in another one of git's; none where that has it already.
    fn carried_text(&self, form: [Vec<u8>; 2], other: &[u8], whose: &'static str) -> Result<Option<Vec<u8>>, Error> {
        let file = self.file;
        let is_same = form[0] == file.before && form[1] == file.after;
        let readable = || Readable::new(file.before, file.patch, file.edits, file.encoding?);
        let is_decoded_by_git = || Ok::<_, Error>(self.repo.tree_encoding(file.source())? != TreeEncoding::None);
        match readable() {
            Some(Readable { before: text, patch, edits }) if !is_same && is_decoded_by_git()? => {
                let raw = [text.as_bytes(), &patch.apply(text.as_bytes())];
                self.carry(&Carry::in_form(raw, &patch, &edits, form), other, whose)
            }
            Some(readable) if is_same => self.carry_decoded(&readable, other, whose),
            _ if is_same => self.carry(&Carry::of_patch(file.before, file.patch, file.edits), other, whose),
            _ => {
                let raw = [file.before, file.after];
                self.carry(&Carry::in_form(raw, file.patch, file.edits, form), other, whose)
            }
        }
    }

    /// What records made of the file, in git's form; what git does not have so tells nothing.
    fn made(&self) -> Result<Vec<Made>, Error> {
        let form = |raw: &[u8]| match self.repo.git_form(self.file.path, raw) {
            Ok(GitForm::Converted(bytes)) => Ok(Some(bytes)),
            Ok(GitForm::Same) => Ok(Some(raw.to_vec())),
            Ok(GitForm::Filtered) | Err(RepoError::NotInTreeEncoding { .. }) => Ok(None),
            Err(error) => Err(error),
        };
        let mut made = Vec::with_capacity(self.file.made.len());
        for Made { before, after } in self.file.made {
            made.extend(form(before)?.zip(form(after)?).map(|(before, after)| Made { before, after }));
        }
        Ok(made)
    }

    fn out_of_order(&self, whose: &'static str) -> Error {
        let why = format!(
            "{whose} has lines at its place that were deleted since, and nothing tells on which side of them its own go"
        );
        Error::DoesNotFit { path: self.file.source().to_string_lossy(), why, lines: Vec::new() }
    }

    /// An edit in another version of a text that git has as it is, in its encoding.
    fn carry_decoded(
        &self,
        Readable { before, patch, edits }: &Readable,
        to: &[u8],
        whose: &'static str,
    ) -> Result<Option<Vec<u8>>, Error> {
        let file = self.file;
        let encoding = Encoding::of_mark(to).or(file.encoding).unwrap_or(Encoding::UTF_8);
        let Some(text) = encoding.decode(to) else {
            return self.carry(&Carry::of_patch(file.before, file.patch, file.edits), to, whose);
        };
        let edit = Carry::of_patch(before.as_bytes(), patch, edits);
        let Some(patch) = self.carried_patch(&edit, text.as_bytes(), whose)? else { return Ok(None) };
        let patch = encoded(&patch, &text, to, encoding);
        let patch =
            patch.map_err(|_| self.misfit("it has another encoding there, which lacks a character of the edit"));
        Ok(Some(patch?.apply(to)))
    }

    /// As [`Self::carried`], where a filter driver decides what git stores: in the working tree's form, by git itself.
    fn carried_filtered(&self, target: BlobId, whose: &'static str) -> Result<Option<BlobId>, Error> {
        let (path, source) = (self.file.path, self.file.source());
        if self.objects == Objects::Compute {
            return Ok(Some(target));
        }
        if self.id_of(source, self.file.before)? == Some(target) {
            return self.store(path, self.file.after).map(Some);
        }
        let smudged = self.repo.checked_out(source, target, Filters::Run)?;
        let edit = Carry::of_patch(self.file.before, self.file.patch, self.file.edits);
        let text = self.carry(&edit, &smudged, whose)?;
        text.map(|text| self.store(path, &text)).transpose()
    }

    fn carry(&self, edit: &Carry, to: &[u8], whose: &'static str) -> Result<Option<Vec<u8>>, Error> {
        Ok(self.carried_patch(edit, to, whose)?.map(|patch| patch.apply(to)))
    }

    /// The edit as a patch of another version of the file; none where that has it already.
    fn carried_patch(&self, edit: &Carry, to: &[u8], whose: &'static str) -> Result<Option<FilePatch>, Error> {
        match edit.to(to) {
            Ok(Carried::Fits(patch)) => Ok(Some(patch)),
            Ok(Carried::AlreadyThere) => Ok(None),
            Err(lines) => Err(Error::DoesNotFit {
                path: self.file.source().to_string_lossy(),
                why: format!("lines that the edit needs are other ones in {whose}"),
                lines,
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

/// The version of before these commits, where `target` is the one that they made.
pub(super) fn before_all(inverts: &[Ids], target: BlobId) -> Option<BlobId> {
    let step = |at: BlobId, one: &Ids| one.before.filter(|_| one.after == Some(at));
    inverts.iter().try_fold(target, step).filter(|_| !inverts.is_empty())
}

fn os(bytes: &[u8]) -> std::ffi::OsString {
    bstr::ByteSlice::to_os_str_lossy(bytes).into_owned()
}
