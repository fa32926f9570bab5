//! What records did together: by all, by agent, by session and turn, by file.
//!
//! Owns the counting. Reads nothing.

use super::model::{AgentTotals, FileTold, FileTotals, RecordTold, SessionTold, Standing, Totals, TurnTold};
use super::share::most_first;
use crate::path::RepoPath;
use crate::record::RecordClass;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Counts on their way: files, sessions and turns are each counted once.
#[derive(Default)]
struct Count<'r> {
    totals: Totals,
    files: BTreeSet<&'r RepoPath>,
    sessions: BTreeSet<(Option<&'r str>, Option<&'r str>)>,
    turns: BTreeSet<(Option<&'r str>, &'r str)>,
}

/// Whether it is new work, and not one of others that is taken back or brought back.
fn is_edit(record: &RecordTold) -> bool {
    matches!(record.kind, RecordClass::Edit | RecordClass::External)
}

/// Lines added and removed; none where they are not known.
fn lines(file: &FileTold) -> (usize, usize) {
    (file.lines_added.unwrap_or_default(), file.lines_removed.unwrap_or_default())
}

impl<'r> Count<'r> {
    fn add(&mut self, record: &'r RecordTold) {
        let totals = &mut self.totals;
        totals.records += 1;
        if !is_edit(record) {
            return;
        }
        self.sessions.insert((record.session.as_deref(), record.agent.as_deref()));
        self.turns.extend(record.turn.as_deref().map(|turn| (record.session.as_deref(), turn)));
        totals.edits += 1;
        totals.observed += usize::from(record.program.is_some());
        totals.undone += usize::from(record.standing == Standing::Undone);
        totals.partly_undone += usize::from(record.standing == Standing::PartlyUndone);
        totals.committed += usize::from(!record.commits.is_empty());
        for file in &record.files {
            let (added, removed) = lines(file);
            totals.lines_added += added;
            totals.lines_removed += removed;
            self.files.insert(&file.path);
        }
    }

    fn totals(self) -> Totals {
        let (files, sessions, turns) = (self.files.len(), self.sessions.len(), self.turns.len());
        Totals { files, sessions, turns, ..self.totals }
    }
}

/// Of some records.
fn count<'r>(records: impl IntoIterator<Item = &'r RecordTold>) -> Totals {
    let mut count = Count::default();
    records.into_iter().for_each(|record| count.add(record));
    count.totals()
}

/// Of all records.
pub(super) fn summary(records: &[RecordTold]) -> Totals {
    count(records)
}

/// Of each agent, the one with the most records first.
pub(super) fn agents(records: &[RecordTold]) -> Vec<AgentTotals> {
    let mut by: BTreeMap<Option<&str>, Vec<&RecordTold>> = BTreeMap::new();
    for record in records {
        by.entry(record.agent.as_deref()).or_default().push(record);
    }
    let of = |(agent, records): (Option<&str>, Vec<&RecordTold>)| {
        let mut models: Vec<String> = Vec::new();
        for model in records.iter().filter_map(|record| record.model.as_ref()) {
            if !models.contains(model) {
                models.push(model.clone());
            }
        }
        AgentTotals { agent: agent.map(str::to_owned), models, totals: count(records) }
    };
    let mut agents: Vec<AgentTotals> = by.into_iter().map(of).collect();
    agents.sort_by_key(|agent| Reverse(agent.totals.records));
    agents
}

/// The sessions, each with its turns, in the order of their first records.
pub(super) fn sessions(records: &[RecordTold]) -> Vec<SessionTold> {
    type Key<'r> = (Option<&'r str>, Option<&'r str>);
    let mut order: Vec<(Key<'_>, Vec<TurnTold>)> = Vec::new();
    let mut places: HashMap<Key<'_>, usize> = HashMap::new();
    let mut turn_places: HashMap<(Key<'_>, Option<&str>), usize> = HashMap::new();
    for (n, record) in records.iter().enumerate() {
        let key = (record.session.as_deref(), record.agent.as_deref());
        let place = *places.entry(key).or_insert_with(|| {
            order.push((key, Vec::new()));
            order.len() - 1
        });
        let turns = &mut order[place].1;
        let turn = *turn_places.entry((key, record.turn.as_deref())).or_insert_with(|| {
            turns.push(TurnTold { turn: record.turn.clone(), records: Vec::new() });
            turns.len() - 1
        });
        turns[turn].records.push(n);
    }
    let told = |((session, agent), turns): (Key<'_>, Vec<TurnTold>)| {
        let totals = count(turns.iter().flat_map(|turn| &turn.records).map(|n| &records[*n]));
        SessionTold { session: session.map(str::to_owned), agent: agent.map(str::to_owned), turns, totals }
    };
    order.into_iter().map(told).collect()
}

/// What was done to each file, without the share of today's lines; the one with the most changed lines first.
pub(super) fn files(records: &[RecordTold]) -> Vec<FileTotals> {
    #[derive(Default)]
    struct Touched {
        records: usize,
        lines: (usize, usize),
        by: BTreeMap<Option<String>, usize>,
    }
    let mut found: BTreeMap<&RepoPath, Touched> = BTreeMap::new();
    for record in records {
        for file in &record.files {
            let touched = found.entry(&file.path).or_default();
            touched.records += 1;
            if is_edit(record) {
                let (added, removed) = lines(file);
                touched.lines = (touched.lines.0 + added, touched.lines.1 + removed);
                *touched.by.entry(record.agent.clone()).or_default() += added + removed;
            }
        }
    }
    let told = |(path, touched): (&RepoPath, Touched)| FileTotals {
        path: path.clone(),
        records: touched.records,
        lines_added: touched.lines.0,
        lines_removed: touched.lines.1,
        by: most_first(touched.by),
        share: None,
    };
    let mut files: Vec<FileTotals> = found.into_iter().map(told).collect();
    files.sort_by_key(|file| Reverse(file.lines_added + file.lines_removed));
    files
}
