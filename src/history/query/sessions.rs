//! The sessions of agents, each as a whole: who, when, how much, and what of it is undone.
//!
//! Owns the summary. Which records there are is the reader's affair.

use super::log::lines_between;
use crate::history::error::HistoryError;
use crate::history::in_force::FileEffect;
use crate::history::reader::{History, Item, Scope};
use crate::history::store::index_file::Filter;
use crate::history::utc::utc;
use crate::record::RecordClass;
use serde::Serialize;
use std::collections::{BTreeSet, HashMap};

/// Which sessions are wanted.
#[derive(Debug, Clone, Default)]
pub struct SessionsQuery {
    /// Those of all worktrees and clones.
    pub scope: Scope,
    /// By this agent.
    pub agent: Option<String>,
    /// With an edit that is not older, milliseconds since 1970-01-01 UTC.
    pub since_ms: Option<i64>,
    /// At most so many.
    pub limit: Option<usize>,
}

/// How much of a session is undone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum UndoneShare {
    /// Nothing.
    None,
    /// Some records, or a part of one.
    Some,
    /// All.
    All,
}

/// One session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SessionSummary {
    /// Its name; none for the edits of an agent that named none.
    pub session: Option<String>,
    /// The agent.
    pub agent: Option<String>,
    /// The models, in the order of their first edits.
    pub models: Vec<String>,
    /// When the first edit was made, RFC 3339, UTC.
    pub first: String,
    /// When the last one was made.
    pub last: String,
    /// How many prompts of a person led to edits, where these are known.
    pub turns: usize,
    /// How many edits there are.
    pub records: usize,
    /// How many of them other programs made, and redraft only saw.
    pub observed: usize,
    /// How many files they are about, by their names then.
    pub files: usize,
    /// Lines added by all edits.
    pub lines_added: usize,
    /// Lines removed.
    pub lines_removed: usize,
    /// What of it is undone.
    pub undone: UndoneShare,
    #[serde(skip)]
    last_ms: i64,
}

impl SessionSummary {
    /// When the last edit was made, milliseconds since 1970-01-01 UTC.
    pub fn last_ms(&self) -> i64 {
        self.last_ms
    }
}

/// A session on its way.
#[derive(Default)]
struct Gathered {
    models: Vec<String>,
    turns: BTreeSet<String>,
    paths: BTreeSet<crate::path::RepoPath>,
    records: usize,
    observed: usize,
    lines: (usize, usize),
    undone: usize,
    partly: usize,
    first_ms: i64,
    last_ms: i64,
}

/// A session by its name, and the agent.
type Key = (Option<String>, Option<String>);

impl SessionsQuery {
    /// The sessions that fit, those with the newest edits first.
    ///
    /// # Errors
    /// Where the refs of history.git cannot be read; a damaged record is left out and noted.
    pub fn run(&self, history: &History<'_>) -> Result<Vec<SessionSummary>, HistoryError> {
        let filter = self.agent.as_ref().map_or_else(Filter::default, |agent| Filter::of([agent.as_bytes()]));
        let mut found: HashMap<Key, Gathered> = HashMap::new();
        let mut order: Vec<Key> = Vec::new();
        for one in history.effects(self.scope, filter)? {
            let (item, effect) = one?;
            let meta = &item.record.meta;
            let is_edit = matches!(item.record.kind, RecordClass::Edit | RecordClass::External);
            if !is_edit || self.agent.as_ref().is_some_and(|agent| meta.agent.as_ref() != Some(agent)) {
                continue;
            }
            let key = (meta.session.clone(), meta.agent.clone());
            let session = found.entry(key.clone()).or_insert_with(|| {
                order.push(key);
                Gathered { last_ms: item.record.time_ms, ..Gathered::default() }
            });
            session.add(history, &item, &effect.files);
        }
        let sessions = order.into_iter().filter_map(|key| found.remove(&key).map(|session| session.summary(key)));
        let wanted = sessions.filter(|session| self.since_ms.is_none_or(|since| session.last_ms >= since));
        Ok(wanted.take(self.limit.unwrap_or(usize::MAX)).collect())
    }
}

impl Gathered {
    /// Adds a record, which is older than those before it.
    fn add(&mut self, history: &History<'_>, item: &Item, effects: &[FileEffect]) {
        let record = &item.record;
        self.first_ms = record.time_ms;
        self.records += 1;
        self.observed += usize::from(record.meta.observed.is_some());
        self.turns.extend(record.meta.turn.clone());
        self.models.extend(record.meta.model.clone().filter(|model| !self.models.contains(model)));
        self.paths.extend(record.files.iter().map(|file| file.path.clone()));
        let is_undone = |effect: &FileEffect| matches!(effect, FileEffect::Undone(_));
        if effects.iter().all(is_undone) {
            self.undone += 1;
        } else if effects.iter().any(|effect| *effect != FileEffect::InForce) {
            self.partly += 1;
        }
        for (n, file) in record.files.iter().enumerate() {
            let (added, removed) = file.lines.or_else(|| lines_of(history, item, n)).unwrap_or_default();
            self.lines = (self.lines.0 + added, self.lines.1 + removed);
        }
    }

    fn summary(self, (session, agent): Key) -> SessionSummary {
        let undone = match (self.undone, self.partly) {
            (0, 0) => UndoneShare::None,
            (undone, _) if undone == self.records => UndoneShare::All,
            _ => UndoneShare::Some,
        };
        let mut models = self.models;
        // They were met from the newest on.
        models.reverse();
        SessionSummary {
            session,
            agent,
            models,
            first: utc(self.first_ms),
            last: utc(self.last_ms),
            turns: self.turns.len(),
            records: self.records,
            observed: self.observed,
            files: self.paths.len(),
            lines_added: self.lines.0,
            lines_removed: self.lines.1,
            undone,
            last_ms: self.last_ms,
        }
    }
}

/// The lines of a file of a record that is not sealed yet.
fn lines_of(history: &History<'_>, item: &Item, n: usize) -> Option<(usize, usize)> {
    let record = history.full_if_whole(item)?;
    let texts = history.texts_if_whole(item, &record, n);
    lines_between(record.files.get(n)?, &texts)
}
