//! What a person should know of a transaction, or of the one before it, although it is done.
//!
//! Owns the facts. What is said of them stands in `advice/`.

use super::error::TransactionError;
use super::journal_bytes::Damage;
use crate::id::RecordId;
use crate::path::RepoPath;
use std::fmt;
use std::path::PathBuf;

/// Something that is worth knowing.
#[derive(Debug)]
pub enum Note {
    /// Recovery left a file alone.
    LeftAlone(LeftAlone),
    /// The journal ended in half an entry that was whole once.
    JournalCutOff {
        /// What is left of it.
        kept: PathBuf,
    },
    /// The journal was damaged.
    JournalDamaged {
        /// Where.
        damage: JournalDamage,
        /// Where it is kept aside; none where it was only looked at.
        kept: Option<PathBuf>,
    },
    /// The files are exchanged, and could not be looked at afterwards.
    NotLookedAt(TransactionError),
}

/// A file of an interrupted edit that somebody changed since: it stays as it is, with the interrupted edit in it, while the
/// edit's other files are taken back.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct LeftAlone {
    /// Relative to the root of the working tree.
    pub path: RepoPath,
    /// Of the interrupted edit.
    pub id: RecordId,
    /// The file as it was before that edit; none where there was no file.
    pub backup: Option<PathBuf>,
}

/// The parts of a journal that cannot be read: at least one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JournalDamage(Vec<Damage>);

impl JournalDamage {
    /// None where nothing is damaged.
    pub fn of(parts: &[Damage]) -> Option<Self> {
        (!parts.is_empty()).then(|| Self(parts.to_vec()))
    }
}

impl fmt::Display for JournalDamage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 5;
        f.write_str("the journal is damaged, what was recorded there is lost: ")?;
        for (n, part) in self.0.iter().take(SHOWN).enumerate() {
            write!(f, "{}{part}", if n > 0 { "; " } else { "" })?;
        }
        match self.0.len().saturating_sub(SHOWN) {
            0 => Ok(()),
            more => write!(f, "; and {more} more places"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_much_damage_the_first_five_places_are_told() {
        let told = |count: usize| {
            let part = |n: usize| Damage { bytes: n..n + 1, record: None, why: "why".to_owned() };
            JournalDamage::of(&(0..count).map(part).collect::<Vec<_>>()).map(|damage| damage.to_string())
        };
        let start = "the journal is damaged, what was recorded there is lost: bytes 0 to 1: why";
        assert_eq!((told(0), told(1)), (None, Some(start.to_owned())));
        let five = (1..5).fold(start.to_owned(), |told, n| format!("{told}; bytes {n} to {}: why", n + 1));
        assert_eq!((told(5), told(7)), (Some(five.clone()), Some(format!("{five}; and 2 more places"))));
    }
}
