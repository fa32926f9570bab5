//! `--index`: the edit is made in the staged version and carried to the working tree's, so that a pre-commit hook can edit
//! what is about to be committed and neither commits nor loses what is not staged.
//!
//! Owns what an edit means for the two versions. The working tree is changed by the transaction; the index by its lock
//! file, which is made before and renamed after.
//! Under `git commit -- PATH` git commits a temporary index and has prepared the real one as `index.lock`: the same entries
//! go there, else the next commit would take the edit back.

use super::carried::{Carried, Carry, offsets};
use super::error::GitRecordError as Error;
use super::fit::before_all;
use super::stored_form::{StoredForm, StoredIn, git_form};
use super::waiting_index::{WaitingIndex, WaitingIndexes};
use crate::git::{GitForm, Index, IndexChange, IndexEntry, IndexLock, IndexLookup, Repo, TreeEncoding, blob_id};
use crate::id::BlobId;
use crate::patch::{EditOutcome, FilePatch, Splice};
use crate::path::RepoPath;
use crate::record::StagedVersion;
use crate::task::{Ids, PatchOutcome, Paths, TaskKind};
use crate::text::{BOM, Encoding, Eol, EolCount, Text};
use crate::worktree::WorktreeError;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The text after an undo from the text before it; `Some(None)` where the file goes, `None` where it does not fit.
type Replay<'a> = dyn Fn(Option<&[u8]>) -> Option<Option<Vec<u8>>> + 'a;

/// The index that is edited, and what is to become of its entries.
pub struct Staged<'a> {
    repo: &'a Repo,
    index: Index,
    files: RefCell<BTreeMap<RepoPath, StagedFile>>,
    left: RefCell<BTreeSet<RepoPath>>,
    ignored: RefCell<BTreeSet<RepoPath>>,
}

/// One file in the index.
struct StagedFile {
    from: Option<RepoPath>,
    was: Option<IndexEntry>,
    /// The staged text after; none where the entry goes.
    after: Option<Vec<u8>>,
    /// How it became that; none where that is not to be carried.
    edit: Option<(Carry, StoredIn)>,
    mode: Option<u32>,
}

/// Which index is changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Whose {
    /// The one that was read and edited.
    Edited,
    /// The one that git has prepared for after the commit.
    Prepared,
}

/// The versions of a file that is both staged and in the working tree.
struct Versions<'a> {
    entry: IndexEntry,
    staged: Text,
    /// The working tree's.
    now: &'a Text,
    /// Git's form of it, as it reads.
    form: &'a [u8],
    stored: StoredForm<'a>,
}

impl<'a> Staged<'a> {
    /// Reads the index that git would use (`GIT_INDEX_FILE`).
    ///
    /// # Errors
    /// Where it cannot be read.
    pub fn open(repo: &'a Repo) -> Result<Self, Error> {
        let index = repo.read_index(&repo.index_path())?;
        Ok(Self { repo, index, files: RefCell::default(), left: RefCell::default(), ignored: RefCell::default() })
    }

    /// The patch of the working tree's version `now`, from the one that `compile` makes of the staged version.
    ///
    /// # Errors
    /// Those of `compile`; [`Error::UnstagedOverlap`] where the patch does not fit `now`.
    pub fn compile<E: From<Error>>(
        &self,
        paths: Paths<'_>,
        kind: TaskKind,
        now: (&Text, Encoding),
        compile: &dyn Fn(&Text) -> Result<PatchOutcome, E>,
    ) -> Result<PatchOutcome, E> {
        let (now, encoding) = now;
        let (Paths { path, from }, source) = (paths, paths.source());
        let shown = source.to_string_lossy();
        let overlap =
            |why: &str| Error::UnstagedOverlap { path: shown.clone(), why: why.to_owned(), lines: Vec::new() };
        let is_new = matches!(kind, TaskKind::Create { .. }) && now.bytes().is_empty();
        let was = match (self.index.lookup(source), is_new) {
            (IndexLookup::Unmerged, _) => return Err(Error::Unmerged(shown).into()),
            (IndexLookup::Entry(entry), false) if !entry.intent_to_add && entry.mode != 0o120_000 => Some(entry),
            (IndexLookup::Missing, true) if !self.index.has_below(path) => None,
            (_, true) => return Err(overlap("the index has it, and the working tree does not").into()),
            (_, false) => return Err(overlap("the index does not have it").into()),
        };
        if from.is_some() && self.index.lookup(path) != IndexLookup::Missing {
            return Err(overlap("the index has another file at its new path").into());
        }
        let Some(entry) = was else {
            return compile(now);
        };
        let stored = StoredForm::of(self.repo, source, encoding)?;
        let form = stored.of_text(source, now.bytes())?;
        let text = stored.stored.read(source, self.repo.blob(&entry.id).map_err(Error::from)?)?;
        if kind == TaskKind::Delete {
            if text.bytes() != form {
                return Err(overlap("lines that are not staged would be deleted with it").into());
            }
            self.keep(path, StagedFile { from: None, was, after: None, edit: None, mode: None });
            return compile(now);
        }
        self.modify(paths, Versions { entry, staged: text, now, form: &form, stored }, compile)
    }

    /// Stages a file that is new, with these bytes; one that git ignores is not staged, as `git add` does not, and that is told
    /// ([`Self::ignored`]): it may hold a secret.
    ///
    /// # Errors
    /// Where git would not take them, or its rules cannot be read.
    pub fn create(&self, path: &RepoPath, raw: &[u8]) -> Result<(), Error> {
        if self.repo.is_ignored(path)? {
            self.ignored.borrow_mut().insert(path.clone());
            return Ok(());
        }
        let after = Some(git_form(self.repo, path, raw)?);
        self.keep(path, StagedFile { from: None, was: None, after, edit: None, mode: None });
        Ok(())
    }

    /// The patch of a file that is in both versions, from the staged text to the working tree's.
    fn modify<E: From<Error>>(
        &self,
        paths: Paths<'_>,
        Versions { entry, staged, now, form, stored }: Versions<'_>,
        compile: &dyn Fn(&Text) -> Result<PatchOutcome, E>,
    ) -> Result<PatchOutcome, E> {
        let shown = paths.source().to_string_lossy();
        let overlap =
            |why: &str| Error::UnstagedOverlap { path: shown.clone(), why: why.to_owned(), lines: Vec::new() };
        let outcome = compile(&staged)?;
        let edit = Carry::of_patch(staged.bytes(), &outcome.patch, &outcome.edits);
        let patch = match if staged.bytes() == form { Ok(Carried::Fits(outcome.patch.clone())) } else { edit.to(form) }
        {
            Ok(Carried::Fits(patch)) => patch,
            Ok(Carried::AlreadyThere) => return Err(Error::AlreadyUnstaged(shown).into()),
            Err(lines) => {
                let why = "lines that the edit needs are other ones in the working tree".to_owned();
                return Err(Error::UnstagedOverlap { path: shown, why, lines }.into());
            }
        };
        let wanted = patch.apply(form);
        let patch = in_raw_form(&patch, form, now).ok_or_else(|| overlap("its line endings differ too much"))?;
        if stored.of_text(paths.path, &patch.apply(now.bytes()))? != wanted {
            return Err(overlap("git would store another text than the edit asks for").into());
        }
        let edits = outcome.edits.iter().map(|edit| moved(edit, &patch)).collect();
        let (from, mode) = (paths.from.cloned(), outcome.mode);
        let after = Some(stored.stored.store(paths.path, edit.after())?);
        let edit = Some((edit, stored.stored));
        self.keep(paths.path, StagedFile { from, was: Some(entry), after, edit, mode });
        Ok(PatchOutcome { patch, edits, uncertain: outcome.uncertain, mode, ..PatchOutcome::default() })
    }

    /// Whether no entry is to change.
    pub fn is_empty(&self) -> bool {
        self.files.borrow().is_empty()
    }

    /// Takes an undo back from the staged version, too, if that still has what the record wrote there: `replay` gives the
    /// text after it (none where the file goes), from the staged text (none where nothing is staged), or `None` where it
    /// does not fit: then it stays staged, and that is told ([`Self::left`]).
    ///
    /// # Errors
    /// Where the entry cannot be read.
    pub fn undo(&self, paths: Paths<'_>, now: &[u8], replay: &Replay<'_>, inverts: &[Ids]) -> Result<(), Error> {
        let (Paths { path, from }, source) = (paths, paths.source());
        let was = match self.index.lookup(source) {
            IndexLookup::Entry(entry) if !entry.intent_to_add && entry.mode != 0o120_000 => Some(entry),
            IndexLookup::Missing if !self.index.has_below(path) => None,
            _ => return Ok(()),
        };
        let before = was.map(|entry| self.repo.blob(&entry.id)).transpose()?;
        let is_taken = from.is_some() && self.index.lookup(path) != IndexLookup::Missing;
        let after = match was.and_then(|entry| before_all(inverts, entry.id)) {
            Some(id) => Some(Some(self.repo.blob(&id)?)),
            None if is_taken => None,
            None => self.replayed(source, now, before.as_deref(), replay)?,
        };
        let Some(after) = after else {
            self.left.borrow_mut().insert(source.clone());
            return Ok(());
        };
        if after == before && from.is_none() {
            return Ok(());
        }
        self.keep(path, StagedFile { from: from.cloned(), was, after, edit: None, mode: None });
        Ok(())
    }

    /// A staged text as the working tree would have it, which has `now`; none where it cannot be written so.
    fn as_in_tree(&self, path: &RepoPath, staged: &[u8], now: &[u8]) -> Result<Option<Vec<u8>>, Error> {
        let TreeEncoding::Known(encoding) = self.repo.tree_encoding(path)? else {
            let is_crlf = EolCount::of(now).dominant() == Eol::CrLf;
            return Ok(Some(if is_crlf { with_crlf(staged) } else { staged.to_vec() }));
        };
        let (Some(now_text), Ok(text)) = (encoding.decode_marked(now), std::str::from_utf8(staged)) else {
            return Ok(None);
        };
        let is_crlf = EolCount::of(now_text.as_bytes()).dominant() == Eol::CrLf;
        let text = if is_crlf { text.replace('\n', "\r\n") } else { text.to_owned() };
        let mark = if now_text.as_bytes().starts_with(BOM) { "\u{feff}" } else { "" };
        Ok(Encoding::of_mark(now).unwrap_or(encoding).encode(&format!("{mark}{text}")).ok())
    }

    /// A staged text after an undo, by way of the working tree's form of it, which is the one that records have.
    fn replayed(
        &self,
        path: &RepoPath,
        now: &[u8],
        staged: Option<&[u8]>,
        replay: &Replay<'_>,
    ) -> Result<Option<Option<Vec<u8>>>, Error> {
        let raw = match (self.repo.git_form(path, now)?, staged) {
            (GitForm::Same, _) | (_, None) => return Ok(replay(staged)),
            (GitForm::Filtered, Some(_)) => return Ok(None),
            (GitForm::Converted(_), Some(staged)) => match self.as_in_tree(path, staged, now)? {
                Some(raw) => raw,
                None => return Ok(None),
            },
        };
        let is_form = |raw: &[u8], form: &[u8]| Ok::<_, Error>(git_form(self.repo, path, raw)? == form);
        if !is_form(&raw, staged.unwrap_or_default())? {
            return Ok(None);
        }
        let after = match replay(Some(&raw)) {
            Some(Some(after)) => Some(git_form(self.repo, path, &after)?),
            Some(None) => None,
            None => return Ok(None),
        };
        Ok(Some(after))
    }

    /// The files whose staged version still has what an undo took back in the working tree.
    pub fn left(&self) -> Vec<RepoPath> {
        self.left.borrow().iter().cloned().collect()
    }

    /// The new files that are not staged, since git ignores them.
    pub fn ignored(&self) -> Vec<RepoPath> {
        self.ignored.borrow().iter().cloned().collect()
    }

    /// Leaves what is staged of a file as it is, which is told.
    pub fn leave(&self, path: &RepoPath) {
        self.left.borrow_mut().insert(path.clone());
    }

    fn keep(&self, path: &RepoPath, file: StagedFile) {
        self.files.borrow_mut().insert(path.clone(), file);
    }

    /// Locks the index, and the one that git has prepared beside it, and writes the new ones as their lock files.
    ///
    /// # Errors
    /// Where an index is locked or changed since, or the edit does not fit the prepared one.
    pub(super) fn lock(&self, stage: &Path, timeout: Duration) -> Result<WaitingIndexes<'a>, Error> {
        let (mut waiting, mut staged) = (Vec::new(), Vec::new());
        let own = self.repo.index_path();
        let prepared = self.prepared_index().map(|path| (path, Whose::Prepared));
        for (n, (path, whose)) in prepared.into_iter().chain([(own, Whose::Edited)]).enumerate() {
            let scratch = stage.join(format!("index-{}-{n}", self.repo.env().process_id()));
            let lock = IndexLock::take(self.repo, &path, timeout, &scratch)?;
            let index = lock.read()?;
            let changes = self.changes(&index, whose)?;
            if whose == Whose::Edited {
                staged = self.versions(&changes);
            }
            waiting.push(WaitingIndex::write(self.repo, lock, &index, &changes)?);
        }
        Ok(WaitingIndexes { waiting, staged })
    }

    /// What these changes of the edited index make of each file.
    fn versions(&self, changes: &[IndexChange]) -> Vec<StagedVersion> {
        let id_after = |path: &RepoPath| changes.iter().find(|(other, _)| other == path)?.1.map(|(id, _)| id);
        let files = self.files.borrow();
        let version = |(path, file): (&RepoPath, &StagedFile)| StagedVersion {
            path: path.clone(),
            before: file.was.map(|was| was.id),
            after: id_after(path),
        };
        files.iter().map(version).collect()
    }

    /// The real index as git has prepared it under `git commit -- PATH`.
    fn prepared_index(&self) -> Option<PathBuf> {
        let own = self.repo.index_path();
        let name = own.file_name()?.to_string_lossy().into_owned();
        // Git locks what a symlink to the index leads to.
        let index = self.repo.git_dir().join("index");
        let mut prepared = index.canonicalize().unwrap_or(index).into_os_string();
        prepared.push(".lock");
        let prepared = PathBuf::from(prepared);
        (name.starts_with("next-index-") && prepared.exists()).then_some(prepared)
    }

    fn changes(&self, index: &Index, whose: Whose) -> Result<Vec<IndexChange>, Error> {
        let mut changes = Vec::new();
        for (path, file) in self.files.borrow().iter() {
            let source = file.from.as_ref().unwrap_or(path);
            let found = match (index.lookup(source), whose) {
                (IndexLookup::Entry(entry), _) => Some(entry),
                (IndexLookup::Unmerged, Whose::Prepared) => continue,
                (IndexLookup::Unmerged, Whose::Edited) => return Err(Error::Unmerged(source.to_string_lossy())),
                (IndexLookup::AsInHead | IndexLookup::Missing, _) => None,
            };
            match whose {
                Whose::Edited if found != file.was => {
                    let what = "it was staged anew".to_owned();
                    return Err(WorktreeError::ChangedWhileEditing { path: source.to_string_lossy(), what }.into());
                }
                Whose::Prepared if found.is_none() && file.was.is_some() => continue,
                Whose::Edited | Whose::Prepared => {}
            }
            if file.from.is_some() {
                changes.push((source.clone(), None));
            }
            changes.push((path.clone(), self.entry(source, file, found)?));
        }
        Ok(changes)
    }

    /// What becomes of the entry `found` of a file, in its index.
    fn entry(
        &self,
        source: &RepoPath,
        file: &StagedFile,
        found: Option<IndexEntry>,
    ) -> Result<Option<(BlobId, u32)>, Error> {
        let Some(after) = &file.after else { return Ok(None) };
        let carried = match found.filter(|found| file.was.is_some_and(|was| was.id != found.id)) {
            Some(found) => self.carried(file, found.id, source)?,
            None => None,
        };
        let mode = match file.mode {
            Some(mode) if mode & 0o111 != 0 => 0o100_755,
            Some(_) => 0o100_644,
            None => found.map_or(0o100_644, |entry| entry.mode),
        };
        Ok(Some((self.repo.write_blob(carried.as_deref().unwrap_or(after))?, mode)))
    }

    /// The edit in what another index has staged.
    fn carried(&self, file: &StagedFile, id: BlobId, path: &RepoPath) -> Result<Option<Vec<u8>>, Error> {
        let text = self.repo.blob(&id)?;
        if file.after.as_ref().is_some_and(|after| blob_id(after) == id) {
            return Ok(None);
        }
        let Some((edit, stored)) = &file.edit else { return Ok(Some(text)) };
        let read = stored.read(path, text.clone())?;
        match edit.to(read.bytes()) {
            Ok(Carried::Fits(patch)) => stored.store(path, &patch.apply(read.bytes())).map(Some),
            Ok(Carried::AlreadyThere) => Ok(Some(text)),
            Err(lines) => Err(Error::UnstagedOverlap {
                path: path.to_string_lossy(),
                why: "lines that the edit needs are other ones in the index that stays after the commit".to_owned(),
                lines,
            }),
        }
    }
}

/// A patch of git's form of a text as a patch of the raw text.
fn in_raw_form(patch: &FilePatch, form: &[u8], raw: &Text) -> Option<FilePatch> {
    if raw.bytes() == form {
        return Some(patch.clone());
    }
    let map = offsets(raw.bytes(), form)?;
    let mark = if form.starts_with(BOM) { 0 } else { raw.body_start() };
    // Of a CRLF and the LF that it became, the place is in front of both.
    let place = |at: usize| map.partition_point(|&there| there < at).max(mark);
    let crlf = raw.dominant_eol() == Eol::CrLf;
    let splices = patch.splices().iter().map(|splice| {
        let replacement = if crlf { with_crlf(&splice.replacement) } else { splice.replacement.clone() };
        let range = place(splice.range.start)..place(splice.range.end);
        Splice { range, replacement, origin: splice.origin.clone() }
    });
    FilePatch::new(raw.bytes().len(), splices.collect()).ok()
}

fn with_crlf(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len() + 16);
    for &byte in text {
        if byte == b'\n' && out.last() != Some(&b'\r') {
            out.push(b'\r');
        }
        out.push(byte);
    }
    out
}

/// What is told of an edit, with its places in the working tree's version.
fn moved(edit: &EditOutcome, patch: &FilePatch) -> EditOutcome {
    let own = patch.splices().iter().filter(|splice| splice.origin.iter().any(|origin| origin.edit == edit.index));
    let ranges: Vec<_> = own.map(|splice| splice.range.clone()).collect();
    let start = ranges.first().map_or(0, |range| range.start);
    let end = ranges.last().map_or(0, |range| range.end);
    EditOutcome { range: start..end, ..edit.clone() }
}
