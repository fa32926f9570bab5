//! What a run has taken back of a file so far, as the log will have it: one step after the other is judged as one undo after the other.
//!
//! Owns the log as a step meets it, and the names of what has none yet. Invariant: such a name never leaves the run.

use super::cancelled::Around;
use super::log::Known;
use super::step::Carry;
use crate::change::ChangeKind;
use crate::git::blob_id;
use crate::history::error::UndoConflict;
use crate::id::RecordId;
use crate::patch::{FilePatch, Splice};
use crate::record::{RecordClass, RecordFile, RecordedTexts, Row, SpliceList, Target};
use crate::strategy::Strategy;
use std::borrow::Cow;
use std::sync::Arc;

/// What the log has of a file, and behind it what the steps so far did.
pub(super) struct SoFar<'k> {
    known: Cow<'k, [Arc<Known>]>,
    earlier: usize,
    logged: usize,
}

impl<'k> SoFar<'k> {
    /// Nothing is done yet; `earlier` of what is known is surely before every step.
    pub(super) fn new(known: &'k [Arc<Known>], earlier: usize) -> Self {
        Self { known: Cow::Borrowed(known), earlier, logged: known.len() }
    }

    /// All of it, oldest first.
    pub(super) fn known(&self) -> &[Arc<Known>] {
        &self.known
    }

    /// What the run did that the log has not, oldest first.
    pub(super) fn done(&self) -> &[Arc<Known>] {
        self.known.get(self.logged..).unwrap_or_default()
    }

    /// What was done to the file before a record and after it.
    pub(super) fn around(&self, record: &RecordId) -> Around<'_> {
        around((&self.known, self.earlier), record)
    }

    /// Notes what a step did to a text; nothing where the log is not known, or has no such step.
    pub(super) fn add(&mut self, carry: &Carry, target: &Target, before: &[u8], patch: &FilePatch) {
        let is_known = self.known.iter().any(|known| known.id == carry.record.id);
        if !is_known || patch.is_empty() {
            return;
        }
        if let Some(done) = self.as_logged(carry, target, before, patch) {
            self.known.to_mut().push(Arc::new(done));
        }
    }

    fn as_logged(&self, carry: &Carry, target: &Target, before: &[u8], patch: &FilePatch) -> Option<Known> {
        let after = patch.apply(before);
        let of = carry.record.files.get(carry.file)?;
        let file = RecordFile {
            from: None,
            change: ChangeKind::Modify,
            before: Some(blob_id(before)),
            after: Some(blob_id(&after)),
            encoding: of.encoding.and(carry.encoding(before)),
            git_before: None,
            git_after: None,
            splices: splices(patch)?,
            ..of.clone()
        };
        let texts = RecordedTexts::new(&file, Some(before.to_vec()), Some(after)).ok()?;
        let class = if carry.record.kind == RecordClass::Undo { RecordClass::Redo } else { RecordClass::Undo };
        let id = RecordId::from_random((u64::MAX - self.known.len() as u64).to_be_bytes());
        Some(Known { id, class, targets: vec![target.clone()], elsewhere: Vec::new(), written_at: None, file, texts })
    }

    /// What does not fit names no record that is not there.
    pub(super) fn without_names(&self, found: Vec<UndoConflict>) -> Vec<UndoConflict> {
        let is_there = |id: &RecordId| self.done().iter().all(|known| known.id != *id);
        let named = |one: UndoConflict| UndoConflict { changed_by: one.changed_by.filter(is_there), ..one };
        found.into_iter().map(named).collect()
    }
}

/// Where a patch changes a text; none where that cannot be told.
fn splices(patch: &FilePatch) -> Option<SpliceList> {
    let row = |(edit, splice): (usize, &Splice)| {
        let strategy = splice.origin.first().map_or(Strategy::Exact, |origin| origin.strategy);
        (splice.range.start, splice.range.len(), splice.replacement.len(), edit, strategy)
    };
    let rows: Vec<Row> = patch.splices().iter().enumerate().map(row).collect();
    SpliceList::new(patch.base_len(), &rows).ok()
}

/// What the log knows to have been done to the file before a record and after it; `earlier` of that is surely before.
pub(super) fn around<'k>((known, earlier): (&'k [Arc<Known>], usize), record: &RecordId) -> Around<'k> {
    let own = known.iter().position(|known| known.id == *record);
    match own.and_then(|own| known.split_at_checked(own)) {
        Some((earlier, [_, later @ ..])) => Around { earlier, later },
        _ => Around { earlier: known.get(..earlier).unwrap_or_default(), later: &[] },
    }
}

#[cfg(test)]
mod tests {
    use super::super::remade::tests::{id, known};
    use super::super::step::tests::edited;
    use super::super::step::{Step, What};
    use super::*;
    use crate::history::error::Obstacle;
    use std::rc::Rc;

    fn log(ids: &[u8]) -> Vec<Arc<Known>> {
        ids.iter().map(|n| known(*n, RecordClass::Edit, &[], ["a\n", "b\n"])).collect()
    }

    fn conflict_by(by: Option<u8>) -> UndoConflict {
        UndoConflict {
            record: id(1),
            path: "f".to_owned(),
            hunk: None,
            why: Obstacle::LinesChanged,
            lines: None,
            text: None,
            left: None,
            changed_by: by.map(id),
            changed_in: None,
        }
    }

    #[test]
    fn what_the_run_itself_did_is_never_named_and_what_the_log_has_is() {
        let so_far = SoFar { known: Cow::Owned(log(&[1, 2, 3, 4])), earlier: 0, logged: 2 };
        let found = [Some(2), None, Some(3), Some(4), Some(9)].map(conflict_by).to_vec();
        let named = so_far.without_names(found).into_iter().map(|one| one.changed_by);
        assert_eq!(named.collect::<Vec<_>>(), [Some(id(2)), None, None, None, Some(id(9))]);
    }

    #[test]
    fn what_is_known_before_and_after_a_record_is_told_and_of_one_that_is_not_known_only_what_is_surely_before() {
        let known = log(&[1, 2, 3, 4]);
        let ids = |known: &[Arc<Known>]| known.iter().map(|known| known.id.clone()).collect::<Vec<_>>();
        let of = |n: u8| {
            let Around { earlier, later } = around((&known, 2), &id(n));
            [ids(earlier), ids(later)]
        };
        assert_eq!(of(3), [vec![id(1), id(2)], vec![id(4)]]);
        assert_eq!(of(1), [vec![], vec![id(2), id(3), id(4)]]);
        assert_eq!(of(9), [vec![id(1), id(2)], vec![]]);
    }

    const TEXTS: [&str; 2] = ["a\n", "b\n"];

    /// What a run has of the file after a step of a record of this kind, behind a log of four, and what the step did.
    fn after_step(n: u8, kind: RecordClass, patch: &FilePatch) -> Vec<Arc<Known>> {
        let Step { what: What::Carry(mut carry), .. } = edited(n, TEXTS, (0o644, 0o644)) else { panic!("an edit") };
        Rc::make_mut(&mut carry.record).kind = kind;
        let log = log(&[1, 2, 3, 4]);
        let mut so_far = SoFar::new(&log, 0);
        let target = Target { id: id(n), file: 0, splices: None, is_cancelled: false, was_gone: false };
        so_far.add(&carry, &target, b"b\n", patch);
        so_far.known()[4..].to_vec()
    }

    #[test]
    fn what_a_step_did_is_known_behind_the_log_as_what_the_log_will_call_it() {
        let back = FilePatch::whole(2, b"a\n".to_vec());
        for (kind, class) in [(RecordClass::Edit, RecordClass::Undo), (RecordClass::Undo, RecordClass::Redo)] {
            let [done] = &after_step(2, kind, &back)[..] else { panic!("one step") };
            assert_eq!((done.class, done.inverts().collect::<Vec<_>>()), (class, vec![&id(2)]));
            assert_eq!((done.texts.before(), done.texts.after()), (Some(&b"b\n"[..]), Some(&b"a\n"[..])));
        }
    }

    #[test]
    fn a_step_that_did_nothing_and_one_of_a_record_that_the_log_has_not_are_not_noted() {
        let back = FilePatch::whole(2, b"a\n".to_vec());
        assert!(after_step(2, RecordClass::Edit, &FilePatch::unchanged(2)).is_empty());
        assert!(after_step(9, RecordClass::Edit, &back).is_empty());
    }
}
