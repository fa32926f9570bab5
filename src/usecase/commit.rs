//! A git commit of what records did and is still there: of a session, say, beside the lines of everybody else.
//!
//! Owns what belongs to it: what an undo of the records would take away, and not more. Nothing in the working tree changes.

use super::Noted;
use super::commit_created::Created;
use super::marks::refuse_unreviewed;
use super::undo_files::{self, mode_of};
use super::untouched;
use crate::change::ChangeKind;
use crate::env::Env;
use crate::error::Error;
use crate::flow::{Committed, Flow, InPlace};
use crate::git::{GitForm, Ignores, Index, IndexLookup, Repo, RepoError, blob_id};
use crate::git_record::{Credits, GitOptions, GitRecordError, Made};
use crate::history::{
    Effect, FileEffect, History, HistoryError, Item, Misfits, NameChange, Nothing, Obstacle, Select, Slot,
    UndoConflict, UndoNote, UndoPlan, UndoRequest, patch_between, plan_undo, wholly_in_head,
};
use crate::id::{BlobId, CommitId, RecordId};
use crate::patch::{FilePatch, Origin, Replacement};
use crate::path::RepoPath;
use crate::policy::{CommitRule, Settings};
use crate::record::{Record, RecordClass, RecordMeta};
use crate::request::RecordKind;
use crate::strategy::Strategy;
use crate::text::{bare_line, has_word, split_lines};
use crate::warning::Warning;
use crate::workspace::Workspace;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::time::Duration;

/// What is to be committed, and how.
#[derive(Debug, Clone)]
pub struct CommitRequest {
    /// Whose lines.
    pub select: Select,
    /// Only these files, or what is below these directories; all where empty.
    pub paths: Vec<RepoPath>,
    /// What becomes of a file in which they cannot be told from those of others: it is refused, or left out.
    pub misfits: Misfits,
    /// Write nothing.
    pub dry_run: bool,
    /// The message; by default it says which files.
    pub message: Option<String>,
    /// The hooks that may refuse it, and its author.
    pub git: GitOptions,
    /// How long to wait for the lock.
    pub lock_timeout: Option<Duration>,
}

/// What was committed.
#[derive(Debug, Default)]
pub struct CommitOfRecords {
    /// None in a dry run.
    pub commit: Option<CommitId>,
    /// What happened to each file in it.
    pub files: Vec<(RepoPath, ChangeKind)>,
    /// The records that it has lines of, newest first.
    pub records: Vec<RecordId>,
    /// What was left out.
    pub left: Vec<UndoConflict>,
}

/// Commits it.
///
/// # Errors
/// Where nothing of the records is in the files, or cannot be told from what others did; where it does not fit HEAD or the index, git
/// refuses it, or HEAD has it already. Nothing is written then.
pub fn commit(env: &Env, request: &CommitRequest) -> Result<Noted<CommitOfRecords>, Error> {
    let workspace = Workspace::discover(env)?;
    let (repo, settings) = (workspace.repo(), workspace.settings()?);
    let flow = Flow {
        env: workspace.env(),
        repo,
        settings,
        sandbox: None,
        dry_run: request.dry_run,
        lock_timeout: request.lock_timeout.unwrap_or(settings.lock_timeout),
        verify: None,
        expected_head: None,
        class: RecordClass::Edit,
        meta: RecordMeta { message: request.message.clone(), ..RecordMeta::default() },
        confirm: false,
        ask: None,
        git: request.git.target(RecordKind::Commit, None)?,
        answer: None,
        group: None,
    };
    let planned = RefCell::new((Vec::new(), Vec::new(), Vec::new()));
    let unfit = RefCell::new(BTreeSet::new());
    let found = || -> Result<(Vec<InPlace>, Credits), Error> {
        let mut found = found((repo, settings), request, &unfit.borrow())
            .map_err(|error| untouched::blamed(error, &workspace, &request.paths))?;
        let (files, records) = found.files(repo, settings)?;
        let Found { left, notes, .. } = found;
        if settings.commit_rules.contains(&CommitRule::Unreviewed) {
            refuse_unreviewed(repo, records.iter())?;
        }
        let credits = Credits::by(settings.trailer);
        let credits = records.iter().fold(credits, |credits, record| credits.and(&record.id, &record.meta));
        planned.replace((records.into_iter().map(|record| record.id).collect(), left, notes));
        Ok((files, credits))
    };
    let try_again = || flow.commit_in_place(&found);
    let done = if request.misfits == Misfits::Skipped { without_unfit(try_again, &unfit) } else { try_again() };
    let Committed { commit, files, warnings } = done.map_err(of_commit)?;
    let (records, left, notes) = planned.into_inner();
    let files = files.into_iter().map(|file| (file.path, file.change)).collect();
    let notes = notes.into_iter().map(Warning::Undo).chain(warnings);
    let notes = notes.chain(settings.warnings.iter().cloned().map(Warning::Config)).collect();
    Ok(Noted { done: CommitOfRecords { commit, files, records, left }, notes })
}

/// Commits without the files that do not fit HEAD, each left out as it is met; where nothing else is to be committed, the first of them is told.
fn without_unfit(
    commit: impl Fn() -> Result<Committed, Error>,
    unfit: &RefCell<BTreeSet<RepoPath>>,
) -> Result<Committed, Error> {
    let mut first = None;
    loop {
        let error = match commit() {
            Ok(done) => return Ok(done),
            Err(error) => error,
        };
        let path = match &error {
            Error::GitRecord(GitRecordError::DoesNotFit { path, .. }) => RepoPath::new(path.as_bytes()).ok(),
            _ => None,
        };
        if !path.is_some_and(|path| unfit.borrow_mut().insert(path)) {
            let is_nothing = matches!(
                error,
                Error::History(HistoryError::NothingToCommit(_) | HistoryError::NotTellable(_))
                    | Error::GitRecord(GitRecordError::AlreadyThere { .. } | GitRecordError::NotCommittable { .. })
            );
            return Err(if is_nothing { first.unwrap_or(error) } else { error });
        }
        first.get_or_insert(error);
    }
}

/// What is to be committed.
struct Found {
    /// What an undo would take away; none where that is nothing.
    plan: Option<UndoPlan>,
    /// What is of the records in files that an undo would not remove.
    created: Created,
    left: Vec<UndoConflict>,
    notes: Vec<UndoNote>,
}

impl Found {
    /// The files to commit, and the records that the commit has lines of.
    fn files(&mut self, repo: &Repo, settings: &Settings) -> Result<(Vec<InPlace>, Vec<Record>), Error> {
        let (mut files, mut slots) = (std::mem::take(&mut self.created.files), Vec::new());
        let index = repo.read_index(&repo.index_path())?;
        let mut is_some_in_head = false;
        for change in self.plan.iter().flat_map(UndoPlan::changes) {
            let of_change = match &change {
                NameChange::Taken { by, from } => vec![*by, *from],
                change => vec![change.slot()],
            };
            match not_in_head(repo, in_place(repo, settings, change, &index)?)? {
                Some(file) => {
                    files.push(file);
                    slots.extend(of_change);
                }
                None => is_some_in_head = true,
            }
        }
        if files.is_empty() && is_some_in_head {
            return Err(nothing_else(&self.left, Nothing::InHead));
        }
        let records = self.records_in(&slots);
        Ok((files, records))
    }

    /// The records that it has lines of where these files are committed, newest first: what somebody discarded, or stashed, is not in it.
    fn records_in(&self, slots: &[&Slot]) -> Vec<Record> {
        let undone = self.plan.iter().flat_map(|plan| &plan.undone);
        let is_in = |record: &&Record| slots.iter().any(|slot| slot.changes_for(&record.id));
        let mut records: Vec<Record> = undone.filter(is_in).cloned().collect();
        let is_new = |record: &&Record| !records.iter().any(|known| known.id == record.id);
        let more: Vec<Record> = self.created.records.iter().filter(is_new).cloned().collect();
        records.extend(more);
        records.sort_by_key(|record| std::cmp::Reverse(record.time_ms));
        records
    }
}

/// What an undo would take away of the records that no commit of HEAD has as a whole, but for files that do not fit HEAD.
fn found(
    (repo, settings): (&Repo, &Settings),
    request: &CommitRequest,
    unfit: &BTreeSet<RepoPath>,
) -> Result<Found, Error> {
    let history = History::open(repo)?;
    let Meant { items, shared } = meant(&history, &request.select)?;
    if items.is_empty() {
        let nothing = if shared.is_empty() { Nothing::NoneFits } else { Nothing::OnlyShared(shared) };
        return Err(HistoryError::NothingToCommit(nothing).into());
    }
    let committed = wholly_in_head(&history, &items)?;
    let open: BTreeSet<RecordId> =
        items.iter().map(|item| &item.record.id).filter(|id| !committed.contains(*id)).cloned().collect();
    if open.is_empty() {
        return Err(HistoryError::NothingToCommit(Nothing::InHead).into());
    }
    let ignored = ignored(repo, &items, &open, &request.paths)?;
    let own: Vec<&Item> = items.iter().filter(|item| open.contains(&item.record.id)).collect();
    let mut left_out = left_out(&ignored);
    left_out.extend(unfit.iter().map(|path| not_in_head_as(path, &own)));
    let undo = UndoRequest {
        select: Select::Among(open.clone()),
        paths: request.paths.clone(),
        except: ignored.keys().chain(unfit).cloned().collect(),
        hunk: None,
        misfits: request.misfits,
    };
    let (planned, mut created) = planned((repo, settings), &history, undo, &own)?;
    created.files.retain(|file| !unfit.contains(&file.path));
    let mut plan = match planned {
        Ok(plan) => Some(plan),
        Err(HistoryError::NothingToUndo(_)) if !created.files.is_empty() => None,
        Err(HistoryError::NothingToUndo(nothing)) => return Err(nothing_else(&left_out, nothing)),
        Err(HistoryError::UndoConflict(conflicts)) => return Err(HistoryError::NotTellable(conflicts).into()),
        Err(error) => return Err(error.into()),
    };
    let mut left = plan.as_mut().map(|plan| std::mem::take(&mut plan.skipped)).unwrap_or_default();
    plan.iter().for_each(|plan| plan.number(&history, &mut left));
    left.extend(left_out);
    // What an undo has to say of names and places is no matter here.
    let notes = Some(UndoNote::SharedLeft(shared.clone())).filter(|_| !shared.is_empty()).into_iter().collect();
    Ok(Found { plan, created, left, notes })
}

/// The plan of an undo, without the files that it would not remove and of which can be told what is of the records.
fn planned(
    (repo, settings): (&Repo, &Settings),
    history: &History<'_>,
    mut undo: UndoRequest,
    own: &[&Item],
) -> Result<(Result<UndoPlan, HistoryError>, Created), Error> {
    let planned = |undo: &UndoRequest| undo_files::looked_at(repo, settings, |files| plan_undo(history, undo, files));
    let first = planned(&undo)?;
    let conflicts = match &first {
        Ok(plan) => &plan.skipped[..],
        Err(HistoryError::UndoConflict(conflicts)) => conflicts,
        Err(_) => &[],
    };
    let created = Created::of((repo, settings), history, own, conflicts)?;
    if created.files.is_empty() {
        return Ok((first, created));
    }
    undo.except.extend(created.files.iter().map(|file| file.path.clone()));
    Ok((planned(&undo)?, created))
}

/// Why nothing is to be committed: where git ignores what else there would be, that.
fn nothing_else(left: &[UndoConflict], nothing: Nothing) -> Error {
    match left.iter().find(|conflict| conflict.why == Obstacle::Ignored) {
        Some(UndoConflict { path, why, .. }) => {
            GitRecordError::NotCommittable { path: path.clone(), why: why.as_str().to_owned() }.into()
        }
        None => HistoryError::NothingToCommit(nothing).into(),
    }
}

/// What is left out since git ignores it.
fn left_out(ignored: &BTreeMap<RepoPath, RecordId>) -> Vec<UndoConflict> {
    let told = |(path, id): (&RepoPath, &RecordId)| {
        UndoConflict::of_file(id.clone(), path.to_string_lossy(), Obstacle::Ignored)
    };
    ignored.iter().map(told).collect()
}

/// That a file does not fit HEAD; told of the newest record that names it so.
fn not_in_head_as(path: &RepoPath, own: &[&Item]) -> UndoConflict {
    let names = |item: &&&Item| item.record.files.iter().any(|file| file.path == *path);
    let of = own.iter().find(names).or(own.first()).expect("records are to be committed");
    UndoConflict::of_file(of.record.id.clone(), path.to_string_lossy(), Obstacle::OtherInHead)
}

/// The files of records that are open, and that git ignores as they are now: they go into no commit, with `git add` as little. Each with the newest
/// record of it.
fn ignored(
    repo: &Repo,
    items: &[Item],
    open: &BTreeSet<RecordId>,
    asked: &[RepoPath],
) -> Result<BTreeMap<RepoPath, RecordId>, Error> {
    let is_asked = |path: &RepoPath| asked.is_empty() || asked.iter().any(|one| path == one || path.is_below(one));
    let mut found = BTreeMap::new();
    let mut ignores = Ignores::new(repo);
    let records = || items.iter().map(|item| &item.record).filter(|record| open.contains(&record.id));
    let files = || records().flat_map(|record| record.files.iter().map(|file| (&record.id, file)));
    for (id, file) in files() {
        let is_there = || repo.root().join(file.path.to_path()).symlink_metadata().is_ok();
        let is_new = is_asked(&file.path) && !found.contains_key(&file.path);
        if is_new && is_there() && ignores.is_ignored(&file.path)? {
            found.insert(file.path.clone(), id.clone());
        }
    }
    // What had such a name before, and has another one now, is told by that.
    for (_, file) in files() {
        if let Some(from) = &file.from {
            found.remove(from);
        }
    }
    Ok(found)
}

/// Records that are meant, and those that may be.
struct Meant {
    items: Vec<Item>,
    shared: Vec<RecordId>,
}

/// The edits that are meant, and not undone: what the log says, for what somebody did to the lines since is his.
fn meant(history: &History<'_>, select: &Select) -> Result<Meant, HistoryError> {
    let mut found = Meant { items: Vec::new(), shared: Vec::new() };
    let is_undone = |effect: &Effect| effect.files.iter().all(|file| matches!(file, FileEffect::Undone(_)));
    match select {
        Select::Matching(selection) => {
            for (item, effect, is_sure) in selection.edits(history)? {
                match is_sure {
                    _ if is_undone(&effect) => {}
                    true => found.items.push(item),
                    false => found.shared.push(item.record.id),
                }
            }
        }
        Select::Named(names) => {
            for name in names {
                let (item, effect) = history.find_with_effect(name)?;
                if !is_undone(&effect) {
                    found.items.push(item);
                }
            }
        }
        _ => {}
    }
    Ok(found)
}

/// What the records did to one file, as the working tree has it.
fn in_place(repo: &Repo, settings: &Settings, change: NameChange<'_>, index: &Index) -> Result<InPlace, Error> {
    if let Some(file) = made_anew(repo, settings, change)? {
        return Ok(file);
    }
    let NameChange::Own(slot) = change else {
        let path = change.path().map(RepoPath::to_string_lossy).unwrap_or_default();
        let why = "files exchanged their names".to_owned();
        return Err(GitRecordError::DoesNotFit { path, why, lines: Vec::new() }.into());
    };
    let root = Flow::open_root_of(repo, settings)?;
    let now = slot.disk.as_ref().map(|path| undo_files::read(&root, path)).transpose()?.flatten();
    let without = slot.replay(now.as_deref(), Misfits::Refused).map_err(HistoryError::NotTellable)?;
    let mode = slot.disk.as_ref().and_then(|path| mode_of(repo, path));
    let (change, path, from) = match (&slot.now, &slot.disk) {
        (Some(was), Some(is)) if was == is => (ChangeKind::Modify, is, None),
        (Some(was), Some(is)) => (ChangeKind::Rename, is, Some(was.clone())),
        (None, Some(is)) => (ChangeKind::Create, is, None),
        (Some(was), None) => (ChangeKind::Delete, was, None),
        (None, None) => unreachable!("such slots are left out of a plan"),
    };
    if change == ChangeKind::Create {
        refuse_lines_of_others(repo, (slot, path), now.as_deref().unwrap_or_default())?;
    }
    let (before, after) = (without.text.unwrap_or_default(), now.unwrap_or_default());
    let patch = match change {
        ChangeKind::Create | ChangeKind::Delete => FilePatch::whole(before.len(), after.clone()),
        ChangeKind::Modify | ChangeKind::Rename => inverse(&without.patch, &after),
    };
    // A chmod by somebody else is not theirs.
    let mode = match change {
        ChangeKind::Create => slot.mode_given(),
        _ => mode.filter(|_| slot.mode(mode).is_some()),
    };
    Ok(InPlace {
        path: path.clone(),
        from,
        change,
        patch,
        own_staged: own_staged(repo, slot, index)?,
        mode,
        encoding: slot.encoding(),
        before,
        after,
        made: made(slot),
    })
}

/// What the records made of a file, the oldest first.
fn made(slot: &Slot) -> Vec<Made> {
    let owned = |[before, after]: [&[u8]; 2]| Made { before: before.to_vec(), after: after.to_vec() };
    slot.texts().map(owned).collect()
}

/// A file that the records removed and made anew under its name: all of it is theirs. None where that is not what they did.
fn made_anew(repo: &Repo, settings: &Settings, change: NameChange<'_>) -> Result<Option<InPlace>, Error> {
    let NameChange::Taken { by, from } = change else { return Ok(None) };
    let (None, Some(path), None, Some(disk)) = (&by.disk, &by.now, &from.now, &from.disk) else { return Ok(None) };
    let root = Flow::open_root_of(repo, settings)?;
    let now = undo_files::read(&root, disk)?;
    // Whether it is still what they made is asked as an undo asks it.
    from.replay(now.as_deref(), Misfits::Refused).map_err(HistoryError::NotTellable)?;
    let old = by.replay(None, Misfits::Refused).map_err(HistoryError::NotTellable)?;
    let (Some(before), Some(after)) = (old.text, now) else { return Ok(None) };
    Ok(Some(InPlace {
        path: path.clone(),
        from: None,
        change: ChangeKind::Modify,
        patch: patch_between(&before, &after),
        own_staged: None,
        mode: mode_of(repo, path),
        encoding: from.encoding(),
        before,
        after,
        made: Vec::new(),
    }))
}

/// What is staged of a file, where it is as HEAD has it once the lines of the records are taken out of it: somebody staged what they had done so
/// far. Where git converts the file, nobody knows.
fn own_staged(repo: &Repo, slot: &Slot, index: &Index) -> Result<Option<BlobId>, Error> {
    let Some(path) = slot.disk.as_ref().filter(|disk| slot.now.as_ref().is_none_or(|now| now == *disk)) else {
        return Ok(None);
    };
    let IndexLookup::Entry(entry) = index.lookup(path) else { return Ok(None) };
    let text = repo.blob(&entry.id)?;
    match repo.git_form(path, &text) {
        Ok(GitForm::Same) => {}
        Ok(GitForm::Converted(_) | GitForm::Filtered) | Err(RepoError::NotInTreeEncoding { .. }) => return Ok(None),
        Err(error) => return Err(error.into()),
    }
    let Ok(without) = slot.replay(Some(&text), Misfits::Refused) else { return Ok(None) };
    let head = repo.head_entry(path)?.map(|head| head.id);
    let is_own = without.conflicts.is_empty() && without.text.as_deref().map(blob_id) == head;
    Ok(is_own.then_some(entry.id))
}

/// What of it HEAD does not have; none where it has all. Somebody may have committed a file that was made since, or its new name.
fn not_in_head(repo: &Repo, file: InPlace) -> Result<Option<InPlace>, Error> {
    let head = repo.head_entry(&file.path)?;
    match (file.change, head) {
        (ChangeKind::Delete, None) => Ok(None),
        (ChangeKind::Create, Some(head)) => {
            let id = match repo.git_form(&file.path, &file.after)? {
                GitForm::Same => blob_id(&file.after),
                GitForm::Converted(bytes) => blob_id(&bytes),
                GitForm::Filtered => return Ok(Some(file)),
            };
            if id == head.id {
                return Ok(None);
            }
            if id != blob_id(&file.after) {
                return Ok(Some(file));
            }
            // The whole file is of the records, also what HEAD has of it.
            let before = repo.blob(&head.id)?;
            let patch = patch_between(&before, &file.after);
            Ok(Some(InPlace { change: ChangeKind::Modify, before, patch, mode: None, ..file }))
        }
        (ChangeKind::Rename, Some(_)) if file.from.as_ref().is_some_and(|from| is_missing(repo, from)) => {
            let is_nothing = file.patch.is_empty() && file.mode.is_none();
            Ok(Some(InPlace { change: ChangeKind::Modify, from: None, ..file }).filter(|_| !is_nothing))
        }
        _ => Ok(Some(file)),
    }
}

/// Refuses a file that the records made, as it is `now`, where HEAD has a line that they never wrote: it is another file's, or a person's.
fn refuse_lines_of_others(repo: &Repo, (slot, path): (&Slot, &RepoPath), now: &[u8]) -> Result<(), Error> {
    let Some(head) = repo.head_entry(path)? else { return Ok(()) };
    let mut own: HashSet<Vec<u8>> = HashSet::new();
    for text in slot.left().chain([now]) {
        let form = match repo.git_form(path, text) {
            Ok(GitForm::Filtered) => return Ok(()),
            // Git would not take it, so that HEAD has no line of it.
            Err(RepoError::NotInTreeEncoding { .. }) => continue,
            form => form?,
        };
        own.extend(split_lines(&form.bytes(text)).map(|line| bare_line(line).to_vec()));
    }
    let head = repo.blob(&head.id)?;
    let is_own = split_lines(&head).map(bare_line).all(|line| !has_word(line) || own.contains(line));
    let why = || "HEAD has lines there that are not of these records".to_owned();
    let refused = || GitRecordError::DoesNotFit { path: path.to_string_lossy(), why: why(), lines: Vec::new() };
    if is_own { Ok(()) } else { Err(refused().into()) }
}

fn is_missing(repo: &Repo, path: &RepoPath) -> bool {
    matches!(repo.head_entry(path), Ok(None))
}

/// What is told of an edit that is to be made is not true of what is in the files already.
fn of_commit(error: Error) -> Error {
    match error {
        Error::GitRecord(GitRecordError::AlreadyThere { .. }) => HistoryError::NothingToCommit(Nothing::InHead).into(),
        Error::GitRecord(GitRecordError::DoesNotFit { path, why, lines: _ }) => {
            GitRecordError::NotCommittable { path, why }.into()
        }
        Error::GitRecord(GitRecordError::Operation(name)) => GitRecordError::InOperation(name).into(),
        error => error,
    }
}

/// The patch that leads back from what `patch` makes of `text`.
fn inverse(patch: &FilePatch, text: &[u8]) -> FilePatch {
    let mut back: Vec<Replacement> = Vec::new();
    for (splice, range) in patch.splices().iter().zip(patch.result_ranges()) {
        let bytes = &text[splice.range.clone()];
        match back.last_mut() {
            // What came out of two places side by side goes back as one.
            Some(last) if range.start <= last.range.end => {
                last.range.end = range.end;
                last.bytes.extend(bytes);
            }
            _ => back.push(Replacement { range, bytes: bytes.to_vec() }),
        }
    }
    let origin = Origin { edit: 0, strategy: Strategy::Exact };
    let back = back.into_iter().map(|one| one.by(origin)).collect();
    FilePatch::new(patch.result_len(), back).expect("results of splices are sorted, and those that meet are one")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Seen: two insertions side by side, of two records.
    #[test]
    fn what_is_taken_out_side_by_side_goes_back() {
        let origin = Origin { edit: 0, strategy: Strategy::Exact };
        let out = |range| Replacement { range, bytes: Vec::new() }.by(origin);
        let text = b"1\nB\nA\n2\n";
        let patch = FilePatch::new(text.len(), vec![out(2..4), out(4..6)]).expect("disjoint");
        assert_eq!(patch.apply(text), b"1\n2\n");
        assert_eq!(inverse(&patch, text).apply(b"1\n2\n"), text);
    }
}
