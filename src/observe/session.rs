//! What has to be remembered of sessions whose harness does not say it in every payload.
//!
//! Owns how a turn is named that has no name, and who is below whom. Pure.

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
    /// When it last spoke, milliseconds since 1970-01-01 UTC.
    pub spoke_ms: i64,
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
