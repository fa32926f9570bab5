//! Which records are meant, by who made them and when: as `--agent`, `--session`, `--turn` and `--since` say.
//!
//! Owns what each of these means, the same for every command.

use crate::env::Env;
use crate::env::when::{self, When};
use crate::history::error::HistoryError;
use crate::history::in_force::Effect;
use crate::history::reader::{History, Item, Scope};
use crate::history::store::index_file::Filter;
use crate::id::RecordId;
use crate::record::{Record, RecordClass, RecordMeta};
use std::collections::BTreeSet;

/// Records by who made them and when; silence selects all.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Selection {
    /// By this agent.
    pub agent: Option<String>,
    /// Of this session.
    pub session: Option<String>,
    /// Of this turn, one prompt of a person.
    pub turn: Option<String>,
    /// Not older.
    pub since: Option<Since>,
}

/// From when on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Since {
    /// Milliseconds since 1970-01-01 UTC; that one included.
    Time(i64),
    /// From this record on, itself included: an id, the unique beginning of one, `@` (the newest), `@-`, `@-2`.
    Record(String),
}

/// A beginning as it was written: a time of it depends on the clock.
#[derive(Debug, Clone)]
pub enum Beginning {
    /// A time.
    Time(When),
    /// The name of a record.
    Record(String),
}

impl Beginning {
    /// Reads a time, or the name of a record.
    ///
    /// # Errors
    /// Where it is neither; in words.
    pub fn read(text: &str) -> Result<Self, String> {
        let is_name = |name: &str| {
            name.starts_with('@') || (!name.is_empty() && name.bytes().all(|b| b.is_ascii_lowercase() && b >= b'k'))
        };
        match when::parse(text) {
            Ok(when) => Ok(Self::Time(when)),
            Err(_) if is_name(text) => Ok(Self::Record(text.to_owned())),
            Err(why) => Err(format!("{why}; or a record: an id, the unique beginning of one, @, @-, @-N")),
        }
    }

    /// What it means now.
    pub fn since(&self, env: &Env) -> Since {
        match self {
            Self::Time(when) => Since::Time(when.in_ms(env)),
            Self::Record(name) => Since::Record(name.clone()),
        }
    }
}

/// Whether a record counts that one of several calls made, of which only some are meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shared {
    /// It does: it is to be seen.
    Counts,
    /// It does not: it may be another session's.
    Left,
}

/// Which records a list of them must have, beside undos and redos.
#[derive(Debug, Clone)]
pub(crate) enum Wanted {
    /// All, also those that are not meant by name: the ends of a range are met themselves.
    All,
    /// Those that may be meant by name.
    Meant,
    /// Those that the filter lets pass.
    Passing(Filter),
}

/// Where the records begin that are not too old.
enum Start {
    Time(i64),
    Record(RecordId),
}

impl Selection {
    /// Whether it names nothing, so that all records are meant.
    pub fn is_all(&self) -> bool {
        *self == Self::default()
    }

    /// Whether a record is meant by who made it.
    pub(crate) fn is_by(&self, meta: &RecordMeta, shared: Shared) -> bool {
        let is = |wanted: &Option<String>, found: &Option<String>| wanted.is_none() || wanted == found;
        let is_sure = is(&self.agent, &meta.agent) && is(&self.session, &meta.session) && is(&self.turn, &meta.turn);
        is_sure || (shared == Shared::Counts && self.may_be_by(meta))
    }

    /// Whether a record was made by one of several calls, of which one is meant.
    pub(crate) fn may_be_by(&self, meta: &RecordMeta) -> bool {
        let is = |wanted: &Option<String>, found: &Option<String>| wanted.is_none() || wanted == found;
        meta.observed
            .iter()
            .flat_map(|observed| &observed.shared)
            .any(|call| is(&self.agent, &call.agent) && is(&self.session, &call.session) && is(&self.turn, &call.turn))
    }

    /// Refuses a turn whose name several sessions have, where no session is told.
    ///
    /// # Errors
    /// [`HistoryError::TurnOfSeveral`].
    pub(crate) fn refuse_turns_of_several<'m>(
        &self,
        found: impl Iterator<Item = &'m RecordMeta>,
    ) -> Result<(), HistoryError> {
        let (Some(turn), None) = (&self.turn, &self.session) else { return Ok(()) };
        let sessions: BTreeSet<Option<&String>> = found.map(|meta| meta.session.as_ref()).collect();
        if sessions.len() < 2 {
            return Ok(());
        }
        let sessions = sessions.into_iter().flatten().cloned().collect();
        Err(HistoryError::TurnOfSeveral { turn: turn.clone(), sessions })
    }

    /// The records that are not too old, newest first; those that are not `wanted` may be among them.
    ///
    /// # Errors
    /// Where the record from which on they are meant is none, and as [`History::items`].
    pub(crate) fn since<'h>(
        &self,
        history: &'h History<'_>,
        scope: Scope,
        wanted: Wanted,
    ) -> Result<impl Iterator<Item = Result<(Item, Effect), HistoryError>> + 'h, HistoryError> {
        let start = self.start(history, scope)?;
        let name = self.turn.as_ref().or(self.session.as_ref()).or(self.agent.as_ref());
        let filter = match (&start, wanted) {
            // It has to be met itself.
            (Start::Record(_), _) | (Start::Time(_), Wanted::All) => Filter::default(),
            (Start::Time(_), Wanted::Meant) => Filter::of(name.map(String::as_bytes)),
            (Start::Time(_), Wanted::Passing(filter)) => filter,
        };
        let oldest = if let Start::Time(time_ms) = start { time_ms } else { i64::MIN };
        let mut is_over = false;
        let found = history.effects(scope, filter)?.take_while(move |one| {
            let was_over = is_over;
            is_over |= matches!((one, &start), (Ok((item, _)), Start::Record(id)) if item.record.id == *id);
            !was_over
        });
        let is_young = move |record: &Record| record.time_ms >= oldest;
        Ok(found.filter(move |one| one.as_ref().map_or(true, |(item, _)| is_young(&item.record))))
    }

    /// The edits of this worktree that are meant, newest first, and those that may be, as one of several calls made them; whether it is
    /// certain stands with each.
    ///
    /// # Errors
    /// As [`Self::since`], and [`HistoryError::TurnOfSeveral`].
    pub(crate) fn edits(&self, history: &History<'_>) -> Result<Vec<(Item, Effect, bool)>, HistoryError> {
        let mut found = Vec::new();
        for one in self.since(history, Scope::Own, Wanted::Meant)? {
            let (item, effect) = one?;
            let meta = &item.record.meta;
            let is_edit = matches!(item.record.kind, RecordClass::Edit | RecordClass::External);
            let is_sure = self.is_by(meta, Shared::Left);
            if is_edit && (is_sure || self.may_be_by(meta)) {
                found.push((item, effect, is_sure));
            }
        }
        let sure = found.iter().filter(|(_, _, is_sure)| *is_sure);
        self.refuse_turns_of_several(sure.map(|(item, ..)| &item.record.meta))?;
        Ok(found)
    }

    fn start(&self, history: &History<'_>, scope: Scope) -> Result<Start, HistoryError> {
        Ok(match &self.since {
            None => Start::Time(i64::MIN),
            Some(Since::Time(time_ms)) => Start::Time(*time_ms),
            Some(Since::Record(name)) => {
                let item = history.find(name)?;
                // What is not among them is no end of them.
                if item.is_own || scope == Scope::All {
                    Start::Record(item.record.id)
                } else {
                    Start::Time(item.record.time_ms)
                }
            }
        })
    }
}
