//! Checks the history: chains, objects, hashes, ledgers.
//!
//! Changes nothing. A text that was purged or is not kept is no damage; a text that should be there and is not, is.

use crate::history::error::HistoryError;
use crate::history::reader::{History, Scope};
use crate::history::store::chain_reader;
use crate::history::store::pack::object_id;
use crate::history::store::repository::{Chain, Store};
use crate::id::{BlobId, RecordId};
use crate::record::{Kept, Record};
use gix::objs::Kind;
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
    let mut checker =
        Checker { store: history.store(), checked: Checked::default(), hashed: HashSet::new(), seen: HashMap::new() };
    for (chain, tip) in history.store().chains()? {
        checker.chain(&chain, &tip);
    }
    let mut checked = checker.checked;
    checked.records += history.journal_records(Scope::All);
    for intent in history.in_flight(Scope::All) {
        checked.notes.push(format!("transaction {} is unfinished; `redraft recover` finishes it", intent.id));
    }
    Ok(checked)
}

struct Checker<'a> {
    store: &'a Store,
    checked: Checked,
    hashed: HashSet<BlobId>,
    seen: HashMap<RecordId, String>,
}

impl Checker<'_> {
    fn problem(&mut self, text: String) {
        self.checked.problems.push(text);
    }

    fn chain(&mut self, chain: &Chain, tip: &BlobId) {
        self.checked.chains += 1;
        let name = chain.ref_name();
        let mut next = Some(*tip);
        let mut in_chain = 0;
        let mut visited = HashSet::new();
        while let Some(commit) = next {
            if !visited.insert(commit) {
                self.problem(format!("{name}: the chain is a ring"));
                return;
            }
            self.object(&commit, Kind::Commit);
            match chain_reader::read_commit(self.store, &commit) {
                Ok((record, parent)) => {
                    self.record(&name, &record);
                    in_chain += 1;
                    next = parent;
                }
                Err(error) => {
                    self.problem(format!("{name}: {error}"));
                    return;
                }
            }
        }
        self.checked.records += in_chain;
        if !chain_reader::is_current(self.store, chain, tip, in_chain) {
            self.checked.notes.push(format!("{name}: the ledger lags behind; the next checkpoint writes it anew"));
        }
    }

    fn record(&mut self, name: &str, record: &Record) {
        if let Some(other) = self.seen.insert(record.id.clone(), name.to_owned()) {
            self.problem(format!("record {} is in {other} and again in {name}", record.id));
        }
        for file in &record.files {
            if file.kept != Kept::Stored {
                self.checked.not_kept += 1;
                continue;
            }
            for id in [file.before, file.after].into_iter().flatten() {
                if !self.object(&id, Kind::Blob) {
                    self.problem(format!("record {}: a text of {} is missing or damaged ({id})", record.id, file.path));
                }
            }
            let lens = (file.before_len, file.after_len);
            let fits = file.splices.iter().all(|s| s.before.end <= lens.0 && s.after.end <= lens.1);
            if !fits {
                self.problem(format!("record {}: the splices of {} lie outside its texts", record.id, file.path));
            }
        }
    }

    /// Whether an object is there and has the hash that names it.
    fn object(&mut self, id: &BlobId, kind: Kind) -> bool {
        if self.hashed.contains(id) {
            return true;
        }
        self.checked.objects += 1;
        let good = self.store.object(id, kind).is_ok_and(|data| object_id(kind, &data) == *id);
        if good {
            self.hashed.insert(*id);
        }
        good
    }
}
