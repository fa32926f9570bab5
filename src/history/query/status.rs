//! What is in flight, and what agents changed since HEAD.

use crate::change::{ChangeKind, PathState};
use crate::git::{GitForm, HeadLookup, RawFile, Repo, blob_id};
use crate::history::error::HistoryError;
use crate::history::held::HeldFile;
use crate::history::in_force::{Effects, FileEffect};
use crate::history::query::moved_files::{moved_from, moved_of};
use crate::history::query::recorded::Recorded;
use crate::history::reader::{History, Item, Scope};
use crate::history::review_marks::ReviewMark;
use crate::history::store::index_file::Filter;
use crate::history::utc::utc;
use crate::id::{BlobId, RecordId};
use crate::path::RepoPath;
use crate::record::{Record, RecordClass, RecordFile};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::rc::Rc;

/// Records of one file are tried one by one up to so many: the newest.
const MOST_RECORDS: usize = 10;

/// A transaction that was begun and not finished.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct InFlight {
    /// Of the record that it would be.
    pub id: RecordId,
    /// When it began.
    pub time: String,
    /// Its files.
    pub paths: Vec<String>,
    /// The same in base64, where one of them is not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub paths_b64: Option<Vec<Option<String>>>,
    /// The same, with all their bytes.
    #[serde(skip)]
    pub raw_paths: Vec<RepoPath>,
}

/// The journal.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct JournalStatus {
    /// Entries since the last checkpoint.
    pub entries: usize,
}

/// A record whose change of a file HEAD does not have.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct ChangeRecord {
    /// Its id.
    pub id: RecordId,
    /// Who made it.
    pub agent: Option<String>,
    /// In which session.
    pub session: Option<String>,
    /// When.
    pub time: String,
    /// The undo in force; null where the change is in force, or a part of it.
    pub undone_by: Option<RecordId>,
    /// Whether a person has looked at the record.
    pub reviewed: Option<ReviewMark>,
    /// What of the change is in force.
    #[serde(skip)]
    pub effect: FileEffect,
    /// An undo is listed where HEAD has what it took back.
    #[serde(skip)]
    pub kind: RecordClass,
}

/// A file that differs from HEAD, and that agents changed.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct AgentChange {
    /// Relative to the root.
    pub path: String,
    /// The same in base64, where it is not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path_b64: Option<String>,
    /// The same, with all its bytes.
    #[serde(skip)]
    pub raw_path: RepoPath,
    /// Against HEAD; null where there is no file any more.
    pub state: Option<PathState>,
    /// Newest first.
    pub records: Vec<ChangeRecord>,
}

/// All of it.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct Status {
    /// Unfinished transactions; `redraft recover` finishes them.
    pub in_flight: Vec<InFlight>,
    /// The journal.
    pub journal: JournalStatus,
    /// In the order of paths.
    pub agent_changes: Vec<AgentChange>,
}

/// The bytes of a file of the working tree, and whether it is executable.
pub type WorkingFile = (Vec<u8>, bool);

/// One file of a record.
struct Touch {
    item: Rc<Item>,
    file: usize,
    effect: FileEffect,
}

impl Touch {
    fn file(&self) -> &RecordFile {
        &self.item.record.files[self.file]
    }
}

/// Looks; `read` gives a file of the working tree (its bytes, and whether it is executable), none where there is none.
///
/// # Errors
/// Where history.git, HEAD or git's objects cannot be read.
pub fn status(history: &History<'_>, read: &dyn Fn(&RepoPath) -> Option<WorkingFile>) -> Result<Status, HistoryError> {
    let in_flight = history.in_flight(Scope::Own).map(|intent| {
        let raw_paths: Vec<RepoPath> = intent.files.iter().map(|file| file.path.clone()).collect();
        InFlight {
            id: intent.id.clone(),
            time: utc(intent.time_ms),
            paths: raw_paths.iter().map(RepoPath::to_string_lossy).collect(),
            paths_b64: RepoPath::base64_of_all(&raw_paths),
            raw_paths,
        }
    });
    let mut agent_changes = Vec::new();
    for (path, records) in by_file(history)? {
        if let Some(change) = change(history, &path, &records, read(&path))? {
            agent_changes.push(change);
        }
    }
    let journal = JournalStatus { entries: history.journal_len() };
    Ok(Status { in_flight: in_flight.collect(), journal, agent_changes })
}

/// The records of each file, newest first, by the name that it has today, whoever gave it that.
fn by_file(history: &History<'_>) -> Result<BTreeMap<RepoPath, Vec<Touch>>, HistoryError> {
    let mut by_file: BTreeMap<RepoPath, Vec<Touch>> = BTreeMap::new();
    let mut recorded = Recorded::default();
    let mut items = Vec::new();
    for one in history.effects(Scope::Own, Filter::default())? {
        let (item, effect) = one?;
        let item = Rc::new(item);
        recorded.visit(&item);
        items.push((item, effect));
    }
    // What a file is called today that goes by another name there.
    let moved = moved_of(history, &recorded);
    let mut today: BTreeMap<RepoPath, RepoPath> =
        moved.iter().map(|(name, moved)| (name.clone(), moved.today.clone())).collect();
    // Where somebody moved a file to, another one was that a record had made.
    let targets: BTreeSet<&RepoPath> = moved.values().map(|moved| &moved.today).collect();
    let mut gone: BTreeSet<RepoPath> = BTreeSet::new();
    for (item, effect) in items {
        let files = &item.record.files;
        let is_made = item.record.kind == RecordClass::Edit;
        let made = files.iter().filter(|file| is_made && file.change == ChangeKind::Create);
        gone.extend(made.map(|file| file.path.clone()).filter(|path| targets.contains(path)));
        let names: Vec<RepoPath> =
            files.iter().map(|file| today.get(&file.path).unwrap_or(&file.path).clone()).collect();
        // Before it was made, or got its name here, its name was another file's.
        let is_new = |file: &&RecordFile| {
            file.from.is_some() || (file.change == ChangeKind::Create && item.record.kind == RecordClass::Edit)
        };
        files.iter().filter(is_new).for_each(|file| drop(today.remove(&file.path)));
        let renamed = files.iter().zip(&names).filter_map(|(file, name)| Some((file.from.clone()?, name.clone())));
        today.extend(renamed);
        for ((file, effect), name) in effect.files.into_iter().enumerate().zip(names) {
            if gone.contains(&item.record.files[file].path) && targets.contains(&name) {
                continue;
            }
            by_file.entry(name).or_default().push(Touch { item: Rc::clone(&item), file, effect });
        }
    }
    Ok(by_file)
}

fn change(
    history: &History<'_>,
    path: &RepoPath,
    records: &[Touch],
    now: Option<WorkingFile>,
) -> Result<Option<AgentChange>, HistoryError> {
    let repo = history.repo();
    let state = now.as_ref().map(|now| state_of(repo, path, now)).transpose()?;
    let (name, recorded) = head_name(history, path, records)?;
    let head = head_text(repo, name)?;
    if state == Some(PathState::Clean) || (state.is_none() && head.is_none()) {
        return Ok(None);
    }
    // Those that are newer than the name that HEAD has for it, which it cannot have.
    let newer = if name == path {
        0
    } else {
        records.iter().position(|touch| touch.file().path == *recorded).unwrap_or(records.len())
    };
    let may_run = now.as_ref().map(|(_, is_executable)| *is_executable);
    let now = now.as_ref().map(|(bytes, _)| &bytes[..]);
    let mut in_head = vec![false; newer];
    in_head.extend(self::in_head(history, name, &records[newer..], head.as_deref(), now)?);
    if let Some(n) = bit_not_in_head(history, name, records, may_run)? {
        in_head[n] = false;
    }
    let records = as_in_file(history, records, now)?;
    let committed: HashSet<&RecordId> = records
        .iter()
        .zip(&in_head)
        .filter(|(_, in_head)| **in_head)
        .map(|((touch, _), _)| &touch.item.record.id)
        .collect();
    let mut told = Vec::new();
    for ((touch, effect), in_head) in records.iter().zip(in_head.iter().copied()) {
        let record = &touch.item.record;
        let undone_by = undone_by(effect);
        // What was done and undone before the newest commit is nobody's concern any more.
        let is_past = if undone_by.is_some() { record.meta.base != repo.head_id()? } else { in_head };
        // An undo is a change of its own where HEAD has what it took back.
        let is_told = match record.kind {
            RecordClass::Edit | RecordClass::External => true,
            RecordClass::Undo => undone_by.is_none() && record.meta.undoes.iter().any(|id| committed.contains(id)),
            RecordClass::Redo => false,
        };
        if is_past || !is_told {
            continue;
        }
        told.push(told_of(history, record, effect));
    }
    Ok((!told.is_empty()).then(|| AgentChange {
        path: path.to_string_lossy(),
        path_b64: path.base64(),
        raw_path: path.clone(),
        state,
        records: told,
    }))
}

fn state_of(repo: &Repo, path: &RepoPath, (bytes, is_executable): &WorkingFile) -> Result<PathState, HistoryError> {
    let file = RawFile { id: blob_id(bytes), bytes, is_executable: *is_executable };
    Ok(repo.state_with_filters(path, file)?)
}

/// The newest record that only said that a file may be run, or may not, if the file has that and HEAD has not; texts say nothing of it.
fn bit_not_in_head(
    history: &History<'_>,
    name: &RepoPath,
    records: &[Touch],
    may_run: Option<bool>,
) -> Result<Option<usize>, HistoryError> {
    let is_meant = |touch: &Touch| touch.file().before == touch.file().after && touch.effect == FileEffect::InForce;
    for (n, touch) in records.iter().enumerate().take(MOST_RECORDS).filter(|(_, touch)| is_meant(touch)) {
        let record = history.full_if_whole(&touch.item);
        let Some(bit) = record.and_then(|record| record.files[touch.file].bit_alone()) else { continue };
        let head = history.repo().head_entry(name)?.map(|entry| entry.mode & 0o100 != 0);
        return Ok((may_run == Some(bit) && head == Some(!bit)).then_some(n));
    }
    Ok(None)
}

fn told_of(history: &History<'_>, record: &Record, effect: &FileEffect) -> ChangeRecord {
    ChangeRecord {
        id: record.id.clone(),
        agent: record.meta.agent.clone(),
        session: record.meta.session.clone(),
        time: utc(record.time_ms),
        undone_by: undone_by(effect).cloned(),
        reviewed: history.mark_of(&record.id),
        effect: effect.clone(),
        kind: record.kind,
    }
}

fn undone_by(effect: &FileEffect) -> Option<&RecordId> {
    match effect {
        FileEffect::Undone(by) => Some(by),
        FileEffect::InForce | FileEffect::Partly(..) => None,
    }
}

/// The records of a file with what of each is in force there: where an undo was discarded, by a checkout from the index, say, what
/// it took back stands in the file again.
fn as_in_file<'t>(
    history: &History<'_>,
    records: &'t [Touch],
    now: Option<&[u8]>,
) -> Result<Vec<(&'t Touch, FileEffect)>, HistoryError> {
    let mut out = Vec::with_capacity(records.len());
    for (n, touch) in records.iter().enumerate() {
        let may_be_back = matches!(touch.effect, FileEffect::Undone(_)) && n < MOST_RECORDS;
        let is_back = match now.filter(|_| may_be_back) {
            Some(now) => is_in_working_file(history, touch, now)?,
            None => false,
        };
        out.push((touch, if is_back { FileEffect::InForce } else { touch.effect.clone() }));
    }
    Ok(out)
}

/// Whether all that a record changed of the lines of a file stands in its text.
fn is_in_working_file(history: &History<'_>, touch: &Touch, now: &[u8]) -> Result<bool, HistoryError> {
    let (item, n) = (&touch.item, touch.file);
    let Some(record) = history.full_if_whole(item).filter(|record| record.files[n].change == ChangeKind::Modify) else {
        return Ok(false);
    };
    let form = match history.repo().git_form(&record.files[n].path, now)? {
        GitForm::Same => now.to_vec(),
        GitForm::Converted(form) => form,
        GitForm::Filtered => return Ok(false),
    };
    let held = HeldFile::of(history.repo(), &record.files[n], &history.texts_if_whole(item, &record, n))?;
    Ok(held.is_some_and(|held| held.puts_in_lines() && held.is_in_force(&form)))
}

/// For each record of a file whether HEAD has what it wrote.
///
/// Where HEAD has the very text that a record found or left, the ids tell, and what was undone then HEAD has not, also where it was
/// redone since. Else the newest are tried one by one, and older ones are taken to be as the last that was tried.
fn in_head(
    history: &History<'_>,
    path: &RepoPath,
    records: &[Touch],
    head: Option<&[u8]>,
    now: Option<&[u8]>,
) -> Result<Vec<bool>, HistoryError> {
    let id = history.repo().head_entry(path)?.map(|entry| entry.id);
    let is_head = |text: Option<BlobId>| text.is_some() && text == id;
    let since = records.iter().position(|touch| {
        let file = touch.file();
        is_head(file.after) || is_head(file.before) || (id.is_none() && file.before.is_none())
    });
    if let Some(n) = since {
        let newer = n + usize::from(!is_head(records[n].file().after));
        let mut then = Effects::default();
        let older = records.iter().skip(newer).map(|touch| {
            match then.visit(&touch.item.record, touch.item.whose()).files.swap_remove(touch.file) {
                FileEffect::InForce => true,
                FileEffect::Undone(_) => false,
                part @ FileEffect::Partly(..) => part == touch.effect,
            }
        });
        let mut out: Vec<bool> = std::iter::repeat_n(false, newer.min(records.len())).chain(older).collect();
        // Where HEAD's text was met and not left, or a record did not find what the one before it left, what was done before had been
        // discarded, or put away, and may have been done again since.
        let is_left = records.get(newer).is_some_and(|touch| is_head(touch.file().after));
        let is_next = |n: &usize| records[*n].file().after != records[n - 1].file().before;
        let first = if is_left { (newer + 1..records.len()).take(MOST_RECORDS).find(is_next) } else { Some(newer) };
        if let (true, Some(first)) = (id.is_some(), first) {
            for (touch, out) in records.iter().zip(&mut out).skip(first).take(MOST_RECORDS) {
                if *out && touch.effect == FileEffect::InForce && !is_in_head(history, touch, head)? {
                    *out = !now.is_some_and(|now| is_in_working_file(history, touch, now).unwrap_or_default());
                }
            }
        }
        return Ok(out);
    }
    let mut out: Vec<bool> = Vec::with_capacity(records.len());
    for (n, touch) in records.iter().enumerate() {
        let found = if n < MOST_RECORDS { is_in_head(history, touch, head)? } else { out.last() == Some(&true) };
        out.push(found);
    }
    Ok(out)
}

/// The newest of a file's names that HEAD has, and what records call it there; its path where HEAD has none.
fn head_name<'a>(
    history: &'a History<'_>,
    path: &'a RepoPath,
    records: &'a [Touch],
) -> Result<(&'a RepoPath, &'a RepoPath), HistoryError> {
    let mut tried: Vec<&RepoPath> = Vec::new();
    for recorded in std::iter::once(path).chain(records.iter().map(|touch| &touch.file().path)) {
        if tried.contains(&recorded) {
            continue;
        }
        tried.push(recorded);
        let committed = moved_from(history, recorded).map(|moved| &moved.committed);
        for name in std::iter::once(recorded).chain(committed) {
            if matches!(history.repo().head_lookup(name)?, HeadLookup::File(_)) {
                return Ok((name, recorded));
            }
        }
    }
    Ok((path, path))
}

fn head_text(repo: &Repo, path: &RepoPath) -> Result<Option<Vec<u8>>, HistoryError> {
    let HeadLookup::File(entry) = repo.head_lookup(path)? else { return Ok(None) };
    Ok(Some(repo.blob(&entry.id)?))
}

/// Whether HEAD has what the record wrote: its splices could be undone there.
fn is_in_head(history: &History<'_>, touch: &Touch, head: Option<&[u8]>) -> Result<bool, HistoryError> {
    let (item, n) = (&touch.item, touch.file);
    let Some(record) = history.full_if_whole(item) else { return Ok(false) };
    let file = &record.files[n];
    let (Some(_), Some(head)) = (file.after, head) else {
        return Ok(file.after.is_none() == head.is_none());
    };
    let texts = history.texts_if_whole(item, &record, n);
    let held = HeldFile::of(history.repo(), file, &texts)?;
    Ok(held.is_some_and(|held| held.is_in_force(head)))
}
