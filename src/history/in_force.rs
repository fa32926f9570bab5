//! What of a record is still in force: undone by which undo, file by file and splice by splice.
//!
//! Records are visited from the newest to the oldest, because an undo is always newer than what it undoes, and may itself
//! be undone only by something newer still. So one pass is enough, and it may stop anywhere.

use crate::id::RecordId;
use crate::record::Record;
use crate::record::RecordClass;
use std::collections::{BTreeSet, HashMap};

/// What of one file of a record is still in force.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileEffect {
    /// All of it.
    InForce,
    /// Without these splices, which were undone one by one, and by whom.
    Partly(BTreeSet<usize>, RecordId),
    /// Nothing; undone by this record.
    Undone(RecordId),
}

/// What of a record is still in force.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Effect {
    /// In the order of the record's files.
    pub files: Vec<FileEffect>,
}

impl Effect {
    /// The newest undo in force, where nothing of the record is left.
    pub fn undone_by(&self) -> Option<&RecordId> {
        let mut by = None;
        for file in &self.files {
            match file {
                FileEffect::Undone(id) => by = by.or(Some(id)),
                FileEffect::InForce | FileEffect::Partly(..) => return None,
            }
        }
        by
    }

    /// Whether anything of the record is left.
    pub fn is_in_force(&self) -> bool {
        self.undone_by().is_none()
    }
}

/// An undo that is in force, as it bears on one record.
#[derive(Debug)]
struct Cover {
    by: RecordId,
    /// None for all files.
    file: Option<usize>,
    /// None for all splices.
    splices: Option<Vec<usize>>,
}

/// The undos seen so far that are in force.
#[derive(Debug, Default)]
pub struct Effects {
    covers: HashMap<RecordId, Vec<Cover>>,
}

impl Effects {
    /// What of `record` is in force, given all that is newer.
    pub fn visit(&mut self, record: &Record) -> Effect {
        let covers = self.covers.remove(&record.id).unwrap_or_default();
        let files =
            record.files.iter().enumerate().map(|(n, file)| file_effect(&covers, n, file.splices.count())).collect();
        let effect = Effect { files };
        if matches!(record.kind, RecordClass::Undo | RecordClass::Redo) {
            self.add(record, &effect);
        }
        effect
    }

    fn add(&mut self, record: &Record, effect: &Effect) {
        let targets = &record.meta.targets;
        if targets.is_empty() && effect.is_in_force() {
            for id in &record.meta.undoes {
                self.covers.entry(id.clone()).or_default().push(Cover {
                    by: record.id.clone(),
                    file: None,
                    splices: None,
                });
            }
        }
        for (of_file, effect) in targets.iter().zip(&effect.files) {
            if matches!(effect, FileEffect::Undone(_)) {
                continue;
            }
            for target in of_file {
                let cover = Cover { by: record.id.clone(), file: Some(target.file), splices: target.splices.clone() };
                self.covers.entry(target.id.clone()).or_default().push(cover);
            }
        }
    }
}

fn file_effect(covers: &[Cover], file: usize, splice_count: usize) -> FileEffect {
    let mut undone = BTreeSet::new();
    let mut newest = None;
    for cover in covers.iter().filter(|cover| cover.file.is_none_or(|n| n == file)) {
        newest = newest.or(Some(&cover.by));
        match &cover.splices {
            None => return FileEffect::Undone(cover.by.clone()),
            Some(splices) => undone.extend(splices.iter().copied().filter(|&n| n < splice_count)),
        }
    }
    match newest {
        None => FileEffect::InForce,
        Some(by) if undone.len() == splice_count => FileEffect::Undone(by.clone()),
        Some(by) => FileEffect::Partly(undone, by.clone()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Target;
    use crate::record::file_of_record::tests::record;

    fn id(seed: u8) -> RecordId {
        RecordId::from_random([seed; 8])
    }

    fn undo(seed: u8, kind: RecordClass, of: u8, splices: Option<Vec<usize>>) -> Record {
        let mut undo = record(seed, "a");
        undo.kind = kind;
        undo.meta.undoes = vec![id(of)];
        let targets = vec![vec![Target { id: id(of), file: 0, splices }]];
        undo.meta.targets = targets;
        undo
    }

    /// Effects from the newest record to the oldest.
    fn effects(records: &[Record]) -> Vec<FileEffect> {
        let mut effects = Effects::default();
        records.iter().rev().map(|record| effects.visit(record).files.remove(0)).collect()
    }

    #[test]
    fn an_undo_covers_its_record_and_a_redo_uncovers_it() {
        let edit = record(1, "a");
        let first = undo(2, RecordClass::Undo, 1, None);
        let second = undo(3, RecordClass::Redo, 2, None);
        let third = undo(4, RecordClass::Undo, 3, None);
        assert_eq!(effects(&[edit.clone(), first.clone()])[1], FileEffect::Undone(id(2)));
        assert_eq!(effects(&[edit.clone(), first.clone(), second.clone()])[2], FileEffect::InForce);
        let all = effects(&[edit, first, second, third]);
        assert_eq!(all[1..], [FileEffect::Undone(id(4)), FileEffect::InForce, FileEffect::Undone(id(2))]);
    }

    #[test]
    fn splices_undone_one_by_one_add_up() {
        let edit = record(1, "a");
        let first = undo(2, RecordClass::Undo, 1, Some(vec![0]));
        let second = undo(3, RecordClass::Undo, 1, Some(vec![1]));
        assert_eq!(effects(&[edit.clone(), first.clone()])[1], FileEffect::Partly([0].into(), id(2)));
        assert_eq!(effects(&[edit, first, second])[2], FileEffect::Undone(id(3)));
    }
}
