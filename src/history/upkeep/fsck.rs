//! Checks the history: chains, objects, hashes, log indexes, journals.
//!
//! Changes nothing. A text that was purged or is not kept is no damage; a text that should be there and is not, is.

use crate::history::error::HistoryError;
use crate::history::reader::{At, History, Scope};
use crate::history::store::chain::Chain;
use crate::history::store::chain_reader::{self, Sealed};
use crate::history::store::index_file::Filter;
use crate::history::store::repository::{Readable, Store};
use crate::id::{BlobId, CommitId, RecordId};
use crate::record::{Record, RecordedTexts, TextsKept};
use crate::state_dir::StateDir;
use crate::transaction::{backup_ids, staged_ids, unrecorded};
use bstr::ByteSlice;
use serde::Serialize;
use std::collections::{HashMap, HashSet};

/// What was found.
#[derive(Debug, Default, Serialize)]
pub struct Checked {
    /// Records looked at, those of the journal too.
    pub records: usize,
    /// Objects whose hash was computed.
    pub objects: usize,
    /// Chains of records.
    pub chains: usize,
    /// Texts that were purged or never kept.
    pub not_kept: usize,
    /// What is wrong, a sentence each.
    pub problems: Vec<String>,
    /// What is not as it should be and repairs itself, a sentence each.
    pub notes: Vec<String>,
}

/// Checks all chains of all worktrees and clones, and the journal.
///
/// # Errors
/// Where the history cannot even be listed.
pub fn fsck(history: &History<'_>) -> Result<Checked, HistoryError> {
    let mut checker = Checker { store: history.store(), checked: Checked::default(), seen: HashMap::new() };
    let Readable { chains, damage } = history.store().readable_chains()?;
    for (chain, tip) in chains {
        checker.chain(&chain, tip);
    }
    let Checker { mut checked, seen, .. } = checker;
    checked.problems.extend(damage);
    checked.problems.extend(history.store().faults()?);
    history.read_marks();
    checked.notes.extend(lost_backups(history)?);
    checked.problems.extend(history.take_warnings().iter().map(ToString::to_string));
    for (place, ids, torn) in history.states() {
        checked.notes.extend(notes_of(&place, torn));
        let without = without_record(history, &place, &seen.keys().chain(ids).collect())?;
        let told = |ids: &[RecordId]| format!("there is a backup of {}, and no record", RecordId::listed(ids));
        if !without.in_journal_aside.is_empty() {
            checked.notes.push(format!("{} (a journal that is kept aside has it)", told(&without.in_journal_aside)));
        }
        if !without.nowhere.is_empty() {
            let look =
                "`redraft backups show ID` has what the files were before; once nobody needs that, remove it from";
            let (told, place) = (told(&without.nowhere), place.backups());
            checked.problems.push(format!("records are missing: {told}: {look} {}", place.display()));
        }
    }
    checked.records += history.journal_records(Scope::All);
    for intent in history.in_flight(Scope::All) {
        checked.notes.push(format!("transaction {} is unfinished; `redraft recover` finishes it", intent.id));
    }
    Ok(checked)
}

/// Looks at the texts of records that are not sealed yet: what is lost is warned of, and backups without which they are known are noted.
fn lost_backups(history: &History<'_>) -> Result<Vec<String>, HistoryError> {
    let mut notes = Vec::new();
    for item in history.items(Scope::All, Filter::default())? {
        let item = item?;
        if !matches!(item.at, At::Journal { .. }) {
            continue;
        }
        for (n, file) in item.record.files.iter().enumerate() {
            let texts = history.texts_if_whole(&item, &item.record, n);
            if file.before.is_some() && texts.before().is_some() && !history.has_whole_backup(&item, n) {
                notes.push(format!(
                    "the backup of {} of edit {} is damaged or gone; what it had is known from what came later",
                    file.path, item.record.id
                ));
            }
        }
    }
    Ok(notes)
}

/// Edits that have a backup, and no record as they should have.
#[derive(Default)]
struct WithoutRecord {
    /// Their loss was told when the journal was put aside.
    in_journal_aside: Vec<RecordId>,
    nowhere: Vec<RecordId>,
}

/// The edits of a worktree that have a backup, and should have a record.
fn without_record(
    history: &History<'_>,
    place: &StateDir,
    known: &HashSet<&RecordId>,
) -> Result<WithoutRecord, HistoryError> {
    let as_it_should_be = unrecorded(place);
    let mut missing = backup_ids(&place.backups());
    missing.retain(|id| !known.contains(id) && !as_it_should_be.contains(id));
    if missing.is_empty() {
        return Ok(WithoutRecord::default());
    }
    // Somebody may have made it since the journal was read, or is making it.
    let staged = staged_ids(&place.stage());
    let now = History::open(history.repo())?;
    let sealed = now.items(Scope::All, Filter::default())?.map(|item| Ok(item?.record.id));
    let sealed: HashSet<RecordId> = sealed.collect::<Result<_, HistoryError>>()?;
    drop(now.take_warnings());
    let in_journals: HashSet<&RecordId> = now.states().flat_map(|(_, ids, _)| ids).collect();
    missing.retain(|id| !staged.contains(id) && !sealed.contains(id) && !in_journals.contains(id));
    let aside: Vec<Vec<u8>> = place.journals_aside().iter().filter_map(|file| std::fs::read(file).ok()).collect();
    let is_aside = |id: &RecordId| aside.iter().any(|bytes| bytes.contains_str(id.as_str()));
    let (in_journal_aside, nowhere) = missing.into_iter().partition(is_aside);
    Ok(WithoutRecord { in_journal_aside, nowhere })
}

/// What is worth knowing of a worktree's state: what was put aside, and what is being written.
fn notes_of(place: &StateDir, torn: u64) -> Vec<String> {
    let aside = place
        .journals_aside()
        .into_iter()
        .map(|aside| format!("a damaged journal is kept as {}; remove it when nobody needs it", aside.display()));
    let mut notes: Vec<String> = aside.collect();
    if torn > 0 {
        let journal = place.journal();
        let what = "an edit is being recorded, or it was cut off (`redraft recover` in that worktree tells)";
        notes.push(format!("{} ends in {torn} bytes that are no whole entry: {what}", journal.display()));
    }
    notes
}

struct Checker<'a> {
    store: &'a Store,
    checked: Checked,
    seen: HashMap<RecordId, String>,
}

impl Checker<'_> {
    fn problem(&mut self, text: String) {
        self.checked.problems.push(text);
    }

    fn chain(&mut self, chain: &Chain, tip: CommitId) {
        self.checked.chains += 1;
        let name = chain.ref_name();
        for sealed in chain_reader::of_commits(self.store, chain, tip) {
            match sealed {
                Ok(Sealed { record, .. }) => {
                    // Its commit: what is read as one has the hash that names it.
                    self.checked.objects += 1;
                    self.record(&name, &record);
                    self.checked.records += 1;
                }
                Err(error) => self.problem(format!("{name}: {error}")),
            }
        }
        if !chain_reader::is_current(self.store, chain, tip) {
            let note = format!(
                "{name}: the log index is damaged or out of date; the next checkpoint or `redraft gc` writes it anew"
            );
            self.checked.notes.push(note);
        }
    }

    fn record(&mut self, name: &str, record: &Record) {
        if let Some(other) = self.seen.insert(record.id.clone(), name.to_owned()) {
            self.problem(format!("record {} is in {other} and again in {name}", record.id));
        }
        for file in &record.files {
            if file.kept == TextsKept::Lost {
                let (id, path) = (&record.id, &file.path);
                let note = format!(
                    "the texts of {path} of record {id} were lost when it was sealed: nothing brings them back"
                );
                self.checked.notes.push(note);
            }
            if file.kept != TextsKept::Stored {
                self.checked.not_kept += 1;
                continue;
            }
            let text = |id: Option<BlobId>| id.and_then(|id| self.store.text(id).ok());
            let texts = RecordedTexts::new(file, text(file.before), text(file.after));
            self.checked.objects += usize::from(file.before.is_some()) + usize::from(file.after.is_some());
            let problem = match texts {
                Ok(texts) if texts.both(file).is_some() => continue,
                Ok(_) => "a text is missing or damaged".to_owned(),
                Err(bad) => bad.to_string(),
            };
            self.problem(format!("record {}: {}: {problem}", record.id, file.path));
        }
    }
}
