//! What an undo or redo inverts.
//!
//! Owns the reference to (a part of) one file of an earlier record. Does not know whether that is still in force.

use crate::id::RecordId;
use serde::{Deserialize, Serialize};

/// What an undo or redo inverts in one of its files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Target {
    /// The record.
    pub id: RecordId,
    /// The 0-based index of its file.
    pub file: usize,
    /// The 0-based indexes of its splices; none for the whole file.
    pub splices: Option<Vec<usize>>,
    /// Whether its file was as before all along, because other records that are inverted with it had taken it back.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_cancelled: bool,
    /// Whether nothing of the record was left to be inverted.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub was_gone: bool,
}

impl Target {
    /// Whether all that another one means is meant by this one, too.
    pub fn covers(&self, other: &Self) -> bool {
        let has =
            |splices: &[usize]| other.splices.as_ref().is_some_and(|other| other.iter().all(|n| splices.contains(n)));
        (&self.id, self.file) == (&other.id, other.file) && self.splices.as_deref().is_none_or(has)
    }

    /// Whether both mean some of the same file of the same record.
    pub fn meets(&self, other: &Self) -> bool {
        let is_in =
            |splices: &[usize]| other.splices.as_ref().is_none_or(|other| splices.iter().any(|n| other.contains(n)));
        (&self.id, self.file) == (&other.id, other.file) && self.splices.as_deref().is_none_or(is_in)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_meet_in_a_change_of_the_same_file_of_the_same_record() {
        let id = |letter: &str| RecordId::parse(&letter.repeat(16)).expect("an id");
        let of = |splices: Option<&[usize]>| Target {
            id: id("k"),
            file: 0,
            splices: splices.map(<[usize]>::to_vec),
            is_cancelled: false,
            was_gone: false,
        };
        let (all, first, both, last) = (of(None), of(Some(&[0])), of(Some(&[0, 2])), of(Some(&[2])));
        assert!(all.meets(&all) && all.meets(&first) && first.meets(&all) && both.meets(&last) && last.meets(&both));
        assert!(!first.meets(&last));
        assert!(all.covers(&first) && all.covers(&all) && both.covers(&last));
        assert!(!first.covers(&both) && !both.covers(&all) && !all.covers(&Target { file: 1, ..first.clone() }));
        assert!(!all.meets(&Target { file: 1, ..all.clone() }) && !all.meets(&Target { id: id("l"), ..all.clone() }));
    }
}
