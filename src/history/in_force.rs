//! What of a record is still in force: undone by which undo, file by file and splice by splice.
//!
//! Records are visited from the newest to the oldest, because an undo is always newer than what it undoes, and may itself
//! be undone only by something newer still. So one pass is enough, and it may stop anywhere.
//! What was undone again had been in force again, whatever had discarded the undo before: the newest word on a record counts, and
//! an undo or redo that is undone or redone itself speaks with that one's. What an undo found undone stays so when that is taken back,
//! and what another worktree took back of its own undo is undone in this one still.

use crate::change::ChangeKind;
use crate::id::RecordId;
use crate::record::{Record, RecordClass, RecordFile, Target};
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
    /// Whether an undo of it was made since, whatever became of that.
    pub was_undone: bool,
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

/// An undo, as it bears on one record.
#[derive(Debug)]
struct Cover {
    by: RecordId,
    /// None for all files.
    file: Option<usize>,
    /// None for all splices.
    splices: Option<Vec<usize>>,
    standing: Standing,
    /// The place of the newest record that decided on this, counted from the newest.
    word: usize,
    whose: Whose,
    /// Whether nothing of the record was left when it was undone.
    was_gone: bool,
}

/// In which worktree a record was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Whose {
    /// The one that is asked about.
    #[default]
    Own,
    /// Another one, or another clone's.
    Others,
}

/// Whether an undo is in force itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Standing {
    InForce,
    /// It was undone: what it covered is in force, also where an older undo had covered it before.
    Undone,
}

impl Cover {
    /// Whether an older one has no say beside it where they are about the same: what was undone before this undo stays so when this is taken
    /// back, and what another worktree took back of an undo of its own leaves this one's as it is.
    fn outdoes(&self, older: &Self) -> bool {
        self.standing == Standing::InForce
            || (!self.was_gone && (self.whose == Whose::Own || older.whose == Whose::Others))
    }
}

/// The undos seen so far, newest first.
#[derive(Debug, Default)]
pub struct Effects {
    covers: HashMap<RecordId, Vec<Cover>>,
    seen: usize,
}

impl Effects {
    /// What of `record` is in force, given all that is newer.
    pub fn visit(&mut self, record: &Record, whose: Whose) -> Effect {
        let mut covers = self.covers.remove(&record.id).unwrap_or_default();
        covers.sort_by_key(|cover| cover.word);
        let of_files = by_file(&covers, record.files.len());
        let found = record.files.iter().zip(of_files).map(|(file, of_file)| file_effect(&of_file, file));
        let (files, words): (Vec<FileEffect>, Vec<Option<usize>>) = found.unzip();
        let effect = Effect { files, was_undone: !covers.is_empty() };
        if matches!(record.kind, RecordClass::Undo | RecordClass::Redo) {
            self.add((record, whose), &effect, &words);
        }
        self.seen += 1;
        effect
    }

    fn add(&mut self, (record, whose): (&Record, Whose), effect: &Effect, words: &[Option<usize>]) {
        let standing = |is_undone| if is_undone { Standing::Undone } else { Standing::InForce };
        let own = self.seen;
        let mut put = |id: &RecordId, cover: Cover| self.covers.entry(id.clone()).or_default().push(cover);
        let targets = &record.meta.targets;
        if targets.is_empty() {
            let standing = standing(!effect.is_in_force());
            let word = words.iter().flatten().copied().min().unwrap_or(own);
            for id in &record.meta.undoes {
                put(
                    id,
                    Cover { by: record.id.clone(), file: None, splices: None, standing, word, whose, was_gone: false },
                );
            }
        }
        for ((of_file, effect), word) in targets.iter().zip(&effect.files).zip(words) {
            let standing = standing(matches!(effect, FileEffect::Undone(_)));
            for Target { id, file, splices, was_gone, .. } in of_file {
                let by = record.id.clone();
                let splices = splices.clone();
                let word = word.unwrap_or(own);
                put(id, Cover { by, file: Some(*file), splices, standing, word, whose, was_gone: *was_gone });
            }
        }
    }
}

/// The undo that has something undone, if any has, of covers of which those of the newest words come first. One that was taken back silences
/// the older ones that it outdoes.
fn undone_by<'c>(covers: &[&'c Cover], is_about_it: impl Fn(&Cover) -> bool) -> Option<&'c Cover> {
    let mut taken_back: Vec<&Cover> = Vec::new();
    for &cover in covers.iter().filter(|cover| is_about_it(cover)) {
        if taken_back.iter().any(|newer| newer.outdoes(cover)) {
            continue;
        }
        match cover.standing {
            Standing::InForce => return Some(cover),
            Standing::Undone => taken_back.push(cover),
        }
    }
    None
}

/// The covers of each of so many files, in their order: a record, and so its undo, may have very many files.
fn by_file(covers: &[Cover], count: usize) -> Vec<Vec<&Cover>> {
    let mut of_files = vec![Vec::new(); count];
    for cover in covers {
        match cover.file {
            Some(n) => of_files.get_mut(n).into_iter().for_each(|of_file| of_file.push(cover)),
            None => of_files.iter_mut().for_each(|of_file| of_file.push(cover)),
        }
    }
    of_files
}

/// What is in force of a file by its covers, those of the newest words first, and whose word that is.
fn file_effect(of_file: &[&Cover], file: &RecordFile) -> (FileEffect, Option<usize>) {
    let splice_count = file.splices.count();
    let word = of_file.first().map(|cover| cover.word);
    let is_about = |cover: &Cover, n: usize| cover.splices.as_ref().is_none_or(|splices| splices.contains(&n));
    let by: Vec<Option<&Cover>> = (0..splice_count).map(|n| undone_by(of_file, |cover| is_about(cover, n))).collect();
    let undone: BTreeSet<usize> = by.iter().enumerate().filter_map(|(n, by)| by.map(|_| n)).collect();
    let whole = undone_by(of_file, |cover| cover.splices.is_none());
    let decides = |cover: &&Cover| by.iter().copied().chain([whole]).flatten().any(|one| std::ptr::eq(one, *cover));
    let newest = of_file.iter().copied().find(decides).map(|cover| &cover.by);
    // The name is no splice: it is in force until the file is taken back as a whole.
    let is_whole = undone.len() == splice_count && (whole.is_some() || file.change != ChangeKind::Rename);
    let effect = match newest {
        None => FileEffect::InForce,
        Some(_) if undone.is_empty() && splice_count > 0 && file.change != ChangeKind::Rename => FileEffect::InForce,
        Some(by) if is_whole => FileEffect::Undone(whole.map_or(by, |cover| &cover.by).clone()),
        Some(by) => FileEffect::Partly(undone, by.clone()),
    };
    (effect, word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::SpliceList;
    use crate::record::file_of_record::tests::record;

    fn id(seed: u8) -> RecordId {
        RecordId::from_random([seed; 8])
    }

    fn undo(seed: u8, kind: RecordClass, of: u8, splices: Option<Vec<usize>>) -> Record {
        let mut undo = record(seed, "a");
        undo.kind = kind;
        undo.meta.undoes = vec![id(of)];
        let targets = vec![vec![Target { id: id(of), file: 0, splices, is_cancelled: false, was_gone: false }]];
        undo.meta.targets = targets;
        undo
    }

    /// Effects from the newest record to the oldest.
    fn effects(records: &[Record]) -> Vec<FileEffect> {
        let mut effects = Effects::default();
        records.iter().rev().map(|record| effects.visit(record, Whose::Own).files.remove(0)).collect()
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
    fn what_was_undone_again_is_undone_by_the_newest_undo_alone() {
        let edit = record(1, "a");
        let first = undo(2, RecordClass::Undo, 1, None);
        // A checkout discarded the first undo, so it was undone again, and that redone.
        let second = undo(3, RecordClass::Undo, 1, None);
        let third = undo(4, RecordClass::Redo, 3, None);
        assert_eq!(effects(&[edit.clone(), first.clone(), second.clone()])[2], FileEffect::Undone(id(3)));
        assert_eq!(effects(&[edit, first, second, third])[3], FileEffect::InForce);
    }

    /// Seen: "undone already", though the last redo had brought it back: of the undo of an older redo.
    #[test]
    fn the_newest_word_counts_whatever_it_was_about() {
        let edit = record(1, "a");
        let of = |seed, kind, of| undo(seed, kind, of, None);
        let (undo, redo) = (RecordClass::Undo, RecordClass::Redo);
        let twice = [edit, of(2, undo, 1), of(3, redo, 2), of(4, undo, 3), of(5, redo, 2), of(6, undo, 5)];
        assert_eq!(effects(&twice)[5], FileEffect::Undone(id(2)));
        let again = [&twice[..], &[of(7, redo, 4)]].concat();
        assert_eq!(effects(&again)[6], FileEffect::InForce);
        let once_more = [&again[..], &[of(8, undo, 7)]].concat();
        assert_eq!(effects(&once_more)[7], FileEffect::Undone(id(2)));
    }

    /// Seen: an edit that this worktree had undone was in force by the log, once another one had undone it, too, and redone it.
    #[test]
    fn what_another_worktree_redoes_of_its_own_undos_stays_undone_in_this_one() {
        let told = |records: &[(Record, Whose)], n: usize| {
            let mut effects = Effects::default();
            let all: Vec<FileEffect> =
                records.iter().rev().map(|(record, whose)| effects.visit(record, *whose).files.remove(0)).collect();
            all[n].clone()
        };
        let edit = |whose| {
            let mut edit = record(1, "a");
            edit.files[0].splices = SpliceList::unlisted(10, 10, 3).expect("a list");
            (edit, whose)
        };
        let step = |seed, kind, of, splices, whose| (undo(seed, kind, of, splices), whose);
        let (back, again) = (RecordClass::Undo, RecordClass::Redo);
        for of in [Whose::Own, Whose::Others] {
            let mut all = vec![
                edit(of),
                step(2, back, 1, None, Whose::Own),
                step(3, back, 1, None, Whose::Others),
                step(4, again, 3, None, Whose::Others),
            ];
            assert_eq!(told(&all, 3), FileEffect::Undone(id(2)));
            // Whoever redoes the own one.
            all.push(step(5, again, 2, None, Whose::Own));
            assert_eq!(told(&all, 4), FileEffect::InForce);
        }
        // Seen from the other one, or without an undo of this one's, it is in force.
        let theirs = |own| {
            [
                edit(Whose::Own),
                step(2, back, 1, None, own),
                step(3, back, 1, None, Whose::Others),
                step(4, again, 3, None, Whose::Others),
            ]
        };
        assert_eq!(told(&theirs(Whose::Others), 3), FileEffect::InForce);
        // Of parts each by itself.
        let parts = [
            edit(Whose::Own),
            step(2, back, 1, Some(vec![0, 1]), Whose::Own),
            step(3, back, 1, Some(vec![1, 2]), Whose::Others),
            step(4, again, 3, None, Whose::Others),
        ];
        assert_eq!(told(&parts, 3), FileEffect::Partly(BTreeSet::from([0, 1]), id(2)));
        // What this one redid of its own is in force, whatever they did beside it.
        let both = [
            edit(Whose::Own),
            step(2, back, 1, Some(vec![0]), Whose::Own),
            step(3, back, 1, None, Whose::Own),
            step(4, again, 2, None, Whose::Own),
            step(5, back, 1, Some(vec![1]), Whose::Others),
            step(6, again, 5, None, Whose::Others),
        ];
        assert_eq!(told(&both, 5), FileEffect::Partly(BTreeSet::from([1, 2]), id(3)));
    }

    /// Seen: the redo of a session's undo had an edit in force which was undone before it, and of which that had found nothing.
    #[test]
    fn what_was_gone_when_it_was_undone_does_not_come_back_with_a_redo() {
        let mut second = undo(3, RecordClass::Undo, 1, None);
        second.meta.targets[0][0].was_gone = true;
        let all = [record(1, "a"), undo(2, RecordClass::Undo, 1, None), second, undo(4, RecordClass::Redo, 3, None)];
        assert_eq!(effects(&all)[3], FileEffect::Undone(id(2)));
        assert_eq!(effects(&all[..3])[2], FileEffect::Undone(id(3)));
        let [edit, _, second, redo] = all;
        assert_eq!(effects(&[edit, second, redo])[2], FileEffect::InForce, "it was not undone before");
    }

    #[test]
    fn an_undo_that_names_no_files_is_about_all_files_of_its_record() {
        let whole = |seed, kind, of| {
            let mut undo = undo(seed, kind, of, None);
            undo.meta.targets = Vec::new();
            undo
        };
        let edit = record(1, "a");
        let first = whole(2, RecordClass::Undo, 1);
        let second = whole(3, RecordClass::Redo, 2);
        assert_eq!(effects(&[edit.clone(), first.clone()]), [FileEffect::InForce, FileEffect::Undone(id(2))]);
        let all = effects(&[edit, first, second]);
        assert_eq!(all, [FileEffect::InForce, FileEffect::Undone(id(3)), FileEffect::InForce]);
    }

    #[test]
    fn a_record_is_undone_by_the_newest_undo_where_none_of_its_files_is_left() {
        let (undone, partly) = (FileEffect::Undone(id(2)), FileEffect::Partly([0].into(), id(3)));
        let by = |files: &[&FileEffect]| {
            let effect = Effect { files: files.iter().copied().cloned().collect(), was_undone: false };
            (effect.undone_by().cloned(), effect.is_in_force())
        };
        assert_eq!(by(&[&undone, &FileEffect::Undone(id(4))]), (Some(id(2)), false));
        for left in [&FileEffect::InForce, &partly] {
            assert_eq!(by(&[&undone, left]), (None, true));
            assert_eq!(by(&[left, &undone]), (None, true));
        }
    }

    /// Seen: "undone already", where a redo of one splice had come behind the undo of all.
    #[test]
    fn of_each_splice_the_newest_word_counts() {
        let edit = record(1, "a");
        let part = undo(2, RecordClass::Undo, 1, Some(vec![0]));
        let all = undo(3, RecordClass::Undo, 1, None);
        let redo = undo(4, RecordClass::Redo, 2, None);
        let found = effects(&[edit.clone(), part.clone(), all.clone(), redo.clone()]);
        assert_eq!(found[3], FileEffect::Partly([1].into(), id(3)));
        let rest = undo(5, RecordClass::Undo, 1, None);
        assert_eq!(effects(&[edit, part, all, redo, rest])[4], FileEffect::Undone(id(5)));
    }

    /// A file that is made or removed has no splices: only who spoke last of all of it tells.
    #[test]
    fn of_a_file_without_splices_the_newest_word_counts_too() {
        let whole = |mut record: Record| {
            let file = &mut record.files[0];
            (file.change, file.splices) = (ChangeKind::Create, SpliceList::default());
            record
        };
        let of = |seed, kind, of| whole(undo(seed, kind, of, None));
        let first = [whole(record(1, "a")), of(2, RecordClass::Undo, 1)];
        assert_eq!(effects(&first)[1], FileEffect::Undone(id(2)));
        // It came back, was undone anew, and that was redone.
        let anew = [&first[..], &[of(3, RecordClass::Undo, 1)]].concat();
        assert_eq!(effects(&anew)[2], FileEffect::Undone(id(3)));
        let redone = [&anew[..], &[of(4, RecordClass::Redo, 3)]].concat();
        assert_eq!(effects(&redone)[3], FileEffect::InForce);
    }

    #[test]
    fn splices_undone_one_by_one_add_up() {
        let edit = record(1, "a");
        let first = undo(2, RecordClass::Undo, 1, Some(vec![0]));
        let second = undo(3, RecordClass::Undo, 1, Some(vec![1]));
        assert_eq!(effects(&[edit.clone(), first.clone()])[1], FileEffect::Partly([0].into(), id(2)));
        assert_eq!(effects(&[edit.clone(), first, second])[2], FileEffect::Undone(id(3)));
        // A splice that the record has not is none of it.
        let foreign = undo(2, RecordClass::Undo, 1, Some(vec![0, 2]));
        assert_eq!(effects(&[edit, foreign])[1], FileEffect::Partly([0].into(), id(2)));
    }
}
