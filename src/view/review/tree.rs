//! The records as a tree: sessions, their turns, their records, each with the newest first.
//!
//! Owns which rows there are, with what is folded and filtered. Draws nothing.
//! Invariant: every record that fits the filter is below exactly one session.

use crate::id::RecordId;
use crate::usecase::review::Entry;
use std::collections::{HashMap, HashSet};

/// A session by its name, and the agent.
type SessionKey = (Option<String>, Option<String>);

/// What a row stands for: the same, when the list is read again.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Node {
    /// A session.
    Session(SessionKey),
    /// A turn of it.
    Turn(SessionKey, String),
    /// A record.
    Record(RecordId),
}

/// A row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Row {
    /// What it stands for.
    pub(super) node: Node,
    /// How deep it is.
    pub(super) depth: usize,
    /// The records below it, as indexes of the list; of a record itself.
    pub(super) records: Vec<usize>,
}

/// A turn, or the records of a session that are of none.
struct Branch {
    turn: Option<String>,
    records: Vec<usize>,
}

/// The rows that are seen.
pub(super) fn rows(entries: &[Entry], filter: &str, folded: &HashSet<Node>) -> Vec<Row> {
    let mut rows = Vec::new();
    for (session, branches) in sessions(entries, filter) {
        let records = branches.iter().flat_map(|branch| branch.records.iter().copied()).collect();
        let node = Node::Session(session.clone());
        let is_folded = folded.contains(&node);
        rows.push(Row { node, depth: 0, records });
        if is_folded {
            continue;
        }
        for Branch { turn, records } in branches {
            let mut depth = 1;
            if let Some(turn) = turn {
                let node = Node::Turn(session.clone(), turn);
                let is_folded = folded.contains(&node);
                rows.push(Row { node, depth, records: records.clone() });
                if is_folded {
                    continue;
                }
                depth = 2;
            }
            rows.extend(records.into_iter().map(|n| {
                let node = Node::Record(entries[n].item.record.id.clone());
                Row { node, depth, records: vec![n] }
            }));
        }
    }
    rows
}

/// The records that fit the filter, as they stand from top to bottom where nothing is folded.
pub(super) fn order(entries: &[Entry], filter: &str) -> Vec<usize> {
    let all = sessions(entries, filter).into_iter().flat_map(|(_, branches)| branches);
    all.flat_map(|branch| branch.records).collect()
}

/// All sessions, for folding them.
pub(super) fn all_sessions(entries: &[Entry]) -> HashSet<Node> {
    entries.iter().map(|entry| Node::Session(key(entry))).collect()
}

/// What a record is below.
pub(super) fn above(entry: &Entry) -> Vec<Node> {
    let turn = entry.item.record.meta.turn.clone();
    let turn = turn.map(|turn| Node::Turn(key(entry), turn));
    std::iter::once(Node::Session(key(entry))).chain(turn).collect()
}

fn key(entry: &Entry) -> SessionKey {
    let meta = &entry.item.record.meta;
    (meta.session.clone(), meta.agent.clone())
}

/// Those with the newest records first.
fn sessions(entries: &[Entry], filter: &str) -> Vec<(SessionKey, Vec<Branch>)> {
    let words: Vec<String> = filter.to_lowercase().split_whitespace().map(str::to_owned).collect();
    let mut found: Vec<(SessionKey, Vec<Branch>)> = Vec::new();
    let (mut places, mut turns) = (HashMap::new(), HashMap::new());
    for (n, entry) in entries.iter().enumerate().filter(|(_, entry)| has(entry, &words)) {
        let session = key(entry);
        let place = *places.entry(session.clone()).or_insert_with(|| {
            found.push((session, Vec::new()));
            found.len() - 1
        });
        let branches = &mut found[place].1;
        let turn = entry.item.record.meta.turn.clone();
        let branch = *turns.entry((place, turn.clone())).or_insert_with(|| {
            branches.push(Branch { turn, records: Vec::new() });
            branches.len() - 1
        });
        branches[branch].records.push(n);
    }
    found
}

/// Whether a record has all of these words, whatever their case.
fn has(entry: &Entry, words: &[String]) -> bool {
    if words.is_empty() {
        return true;
    }
    let record = &entry.item.record;
    let meta = &record.meta;
    let mut text = format!("{} {}", record.id, record.subject());
    let command = meta.observed.iter().map(|observed| observed.command.as_ref().unwrap_or(&observed.tool));
    let told = [&meta.message, &meta.agent, &meta.model, &meta.session, &meta.turn].into_iter().flatten();
    for part in told.chain(command) {
        text.push(' ');
        text.push_str(part);
    }
    for file in &record.files {
        text.push(' ');
        text.push_str(&file.path.to_string_lossy());
    }
    let text = text.to_lowercase();
    words.iter().all(|word| text.contains(word))
}
