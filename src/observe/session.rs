//! What has to be remembered of sessions whose harness does not say it in every payload.
//!
//! Owns how a turn is named that has no name, and who is below whom. Pure.

use crate::env::Running;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A session that is silent is remembered so long, in milliseconds: 30 days.
const LONGEST_MS: i64 = 30 * 24 * 60 * 60 * 1000;

/// So many are remembered, those that spoke last.
const MOST: usize = 200;

/// One session.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Session {
    /// The prompt of a person that is worked on.
    pub turn: Option<String>,
    /// The language model that was told of last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// So many prompts came.
    pub prompts: u64,
    /// The agents below that are at work, the innermost last.
    pub within: Vec<String>,
    /// The session that this one is below.
    pub parent: Option<String>,
    /// The processes that called all of its hooks so far, the nearest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub callers: Vec<Running>,
    /// So many hooks were compared, up to two.
    pub compared: u8,
    /// When it last spoke, milliseconds since 1970-01-01 UTC.
    pub spoke_ms: i64,
}

impl Session {
    /// Takes in the processes that called one more hook: what is left of them is the harness, and what it was started by. Says whether
    /// that is other than before.
    pub fn called_by(&mut self, callers: &[Running]) -> bool {
        let old = (self.callers.clone(), self.compared);
        if self.compared == 0 {
            self.callers = callers.to_vec();
        } else {
            self.callers.retain(|caller| callers.contains(caller));
        }
        self.compared = (self.compared + 1).min(2);
        // Another process may go on with an old session.
        if self.callers.is_empty() && !callers.is_empty() {
            (self.callers, self.compared) = (callers.to_vec(), 1);
        }
        old != (self.callers.clone(), self.compared)
    }

    /// The harness; none where one hook alone does not tell it from what it calls its hooks by.
    pub fn process(&self) -> Option<Running> {
        self.callers.first().copied().filter(|_| self.compared > 1)
    }
}

/// All of them, by harness and name.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Sessions(BTreeMap<String, Session>);

impl Sessions {
    /// Whether nothing is remembered.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// One of them; none where nothing is remembered of it.
    pub fn get(&self, harness: &str, name: &str) -> Option<&Session> {
        self.0.get(&key(harness, name))
    }

    /// One of them, to be changed.
    pub fn entry(&mut self, harness: &str, name: &str, now_ms: i64) -> &mut Session {
        let session = self.0.entry(key(harness, name)).or_default();
        session.spoke_ms = now_ms;
        session
    }

    /// Forgets those that have long been silent.
    pub fn forget_old(&mut self, now_ms: i64) {
        self.0.retain(|_, session| now_ms - session.spoke_ms < LONGEST_MS);
        while self.0.len() > MOST {
            let oldest = self.0.iter().min_by_key(|(_, session)| session.spoke_ms).map(|(key, _)| key.clone());
            oldest.and_then(|key| self.0.remove(&key));
        }
    }
}

fn key(harness: &str, name: &str) -> String {
    format!("{harness}\n{name}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_harness_is_what_called_every_hook() {
        let mut session = Session::default();
        let of = |number, began| Running { number, began, among: 1 };
        let (dispatcher, harness, shell) = (of(7, 1), of(5, 1), of(3, 1));
        session.called_by(&[dispatcher, harness, shell]);
        assert_eq!(session.process(), None);
        assert!(session.called_by(&[of(9, 2), harness, shell]));
        assert_eq!(session.process(), Some(harness));
        assert!(!session.called_by(&[of(11, 3), harness, shell]));
        // Gone on with by another process, in the same terminal or another one.
        session.called_by(&[of(13, 4), of(12, 4), of(2, 2)]);
        assert_eq!(session.process(), None);
    }

    #[test]
    fn the_sessions_that_spoke_last_are_remembered() {
        let mut sessions = Sessions::default();
        for n in 0..300 {
            sessions.entry("h", &n.to_string(), n);
        }
        sessions.forget_old(300);
        assert_eq!((sessions.get("h", "99"), sessions.0.len()), (None, MOST));
        assert!(sessions.get("h", "100").is_some());
        sessions.forget_old(LONGEST_MS + 299);
        assert_eq!(sessions.0.len(), 0);
        assert!(sessions.is_empty());
    }
}
