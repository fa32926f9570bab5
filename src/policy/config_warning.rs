//! What in git's configuration is surely not what somebody meant: a key that nobody reads, a pattern that nothing can match.
//!
//! Owns how that is known. A bad value stops; this is told, for a rule that does nothing looks like one that holds.

use super::key::KEYS;
use crate::git::DeadPattern;

/// One such setting.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ConfigWarning {
    /// There is no such key.
    #[error("git config {key} is no setting of redraft{}; nothing reads it", nearest.map_or(String::new(), |name| format!(" (is it {name}?)")))]
    UnknownKey {
        /// As it is written there.
        key: String,
        /// One that is read.
        nearest: Option<&'static str>,
    },
    /// No path can match.
    #[error("git config {key} has {pattern:?}, which matches no path: {why}")]
    DeadPattern {
        /// Of the pattern.
        key: &'static str,
        /// As it is written there.
        pattern: String,
        /// Why not.
        why: DeadPattern,
    },
}

impl ConfigWarning {
    /// For a key that is none of [`KEYS`].
    pub fn unknown_key(name: &str) -> Self {
        let key = format!("redraft.{name}");
        let lower = key.to_ascii_lowercase();
        let near = KEYS.iter().map(|known| (distance(&lower, &known.name.to_ascii_lowercase()), known.name));
        let nearest = near.filter(|(distance, _)| *distance <= 1 + name.len() / 3).min().map(|(_, known)| known);
        Self::UnknownKey { key, nearest }
    }
}

/// How many letters must change, come or go to make one word of the other (Wagner and Fischer, 1974).
fn distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.bytes().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.bytes().enumerate() {
            let changed = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_key_is_named() {
        let nearest = |name| match ConfigWarning::unknown_key(name) {
            ConfigWarning::UnknownKey { nearest, .. } => nearest,
            ConfigWarning::DeadPattern { .. } => None,
        };
        assert_eq!(nearest("denied"), Some("redraft.deny"));
        assert_eq!(nearest("require-clean"), Some("redraft.requireClean"));
        assert_eq!(nearest("colour"), None);
    }

    #[test]
    fn the_distance_of_two_words_is_their_least_number_of_changes() {
        for (a, b, want) in [
            ("", "", 0),
            ("", "abc", 3),
            ("abc", "", 3),
            ("abc", "abc", 0),
            ("abc", "abd", 1),
            ("abc", "ac", 1),
            ("ac", "abc", 1),
            ("kitten", "sitting", 3),
            ("flaw", "lawn", 2),
            ("aabb", "bbaa", 4),
            ("intention", "execution", 5),
        ] {
            assert_eq!((distance(a, b), distance(b, a)), (want, want), "{a}, {b}");
        }
    }
}
