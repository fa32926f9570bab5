//! What one file is to become, told of its steps alone, without a history.

use super::*;
use crate::history::undo::remade::tests::{id, known};
use crate::history::undo::step::tests::{edited, made, removed};
use crate::record::RecordClass;

const TEXTS: [&str; 2] = ["a\nb\nc\n", "a\nB\nc\n"];
const KEPT: (u32, u32) = (0o644, 0o644);

fn path(name: &str) -> RepoPath {
    RepoPath::new(name.as_bytes()).expect("a path")
}

fn target(of: &Step) -> Target {
    Target { id: of.record.clone(), file: 0, splices: None, is_cancelled: false, was_gone: false }
}

/// The file `f` with these steps, the newest first.
fn slot(steps: Vec<Step>) -> Slot {
    let mut slot = Slot::at(path("f"), Some(path("f")));
    for step in steps {
        let target = target(&step);
        slot.add(step, Some(path("f")), target);
    }
    slot
}

fn records(conflicts: &[UndoConflict]) -> Vec<RecordId> {
    conflicts.iter().map(|conflict| conflict.record.clone()).collect()
}

#[test]
fn permission_bits_go_back_only_where_the_file_has_those_that_a_record_gave_it() {
    let one = slot(vec![edited(1, TEXTS, (0o644, 0o755))]);
    assert_eq!([0o755, 0o600].map(|now| one.mode(Some(now))), [Some(0o644), None]);
    let two = slot(vec![edited(2, TEXTS, (0o755, 0o700)), edited(1, TEXTS, (0o644, 0o755))]);
    assert_eq!([0o700, 0o755, 0o600].map(|now| two.mode(Some(now))), [Some(0o644), Some(0o644), None]);
    assert_eq!(slot(vec![edited(1, TEXTS, KEPT)]).mode(Some(0o644)), None);
    let restored = slot(vec![removed(1, "a\n", 0o755)]);
    assert_eq!([None, Some(0o755)].map(|now| restored.mode(now)), [Some(0o755), None]);
}

#[test]
fn the_permission_bits_that_were_given_last_are_those_of_the_newest_record_that_changed_them() {
    let kept = || edited(3, TEXTS, KEPT);
    let changed = |n: u8, to: u32| edited(n, TEXTS, (0o644, to));
    assert_eq!(slot(vec![kept(), changed(2, 0o755), changed(1, 0o700)]).mode_given(), Some(0o755));
    assert_eq!(slot(vec![kept()]).mode_given(), None);
    assert!(slot(vec![kept(), changed(2, 0o755)]).changes_mode() && !slot(vec![kept()]).changes_mode());
}

#[test]
fn nothing_but_permission_bits_changes_where_the_text_and_the_name_stay() {
    let only = |texts: [&str; 2], modes: (u32, u32), now: &str| {
        let mut slot = slot(vec![edited(1, texts, modes)]);
        (slot.seen, slot.now) = (Some(texts[1].into()), Some(path(now)));
        slot.changes_only_mode()
    };
    let same = ["a\nb\n"; 2];
    assert!(only(same, (0o644, 0o755), "f"));
    assert!(!only(same, (0o644, 0o755), "g"), "its name changes");
    assert!(!only(same, KEPT, "f"), "nothing changes");
    assert!(!only(same, KEPT, "g"), "only its name changes");
    assert!(!only(TEXTS, (0o644, 0o755), "f"), "its text changes");
}

#[test]
fn a_file_comes_back_by_the_newest_step_and_as_one_text_only_where_that_is_all() {
    let back = || removed(2, "old\n", 0o644);
    let alone = slot(vec![back()]);
    assert_eq!(alone.would_restore(), Some(&b"old\n"[..]));
    assert_eq!(alone.restored(), Some((id(2), b"old\n".to_vec())));
    assert!(alone.is_restored_as(b"old\n") && !alone.is_restored_as(b"other\n"));
    let both = slot(vec![back(), edited(1, TEXTS, KEPT)]);
    assert_eq!((both.would_restore(), both.restored().map(|(id, _)| id)), (None, Some(id(2))));
    let before = slot(vec![edited(3, TEXTS, KEPT), back()]);
    assert_eq!((before.would_restore(), before.restored()), (None, None));
}

#[test]
fn a_file_leaves_a_name_that_it_has_and_will_not_have() {
    let mut slot = slot(vec![edited(1, TEXTS, KEPT)]);
    assert!(!slot.leaves(&path("f")));
    slot.now = Some(path("g"));
    assert_eq!(["f", "g"].map(|name| slot.leaves(&path(name))), [true, false]);
    slot.now = None;
    assert!(slot.leaves(&path("f")));
}

#[test]
fn what_stands_in_the_way_of_the_whole_file_is_told_of_the_newest_record() {
    let slot = slot(vec![edited(2, TEXTS, KEPT), edited(1, TEXTS, KEPT)]);
    assert_eq!(records(&slot.conflict(Obstacle::Gone)), [id(2)]);
}

#[test]
fn a_record_that_is_left_out_leaves_the_other_edits_and_all_where_one_step_needs_another() {
    let edits = || vec![edited(2, TEXTS, KEPT), edited(1, TEXTS, KEPT)];
    let left_of = |slot: &Slot| slot.targets.iter().map(|target| target.id.clone()).collect::<Vec<_>>();
    let mut plain = slot(edits());
    assert_eq!(records(&plain.leave_out(&id(2))), []);
    assert_eq!((left_of(&plain), plain.is_left_out()), (vec![id(1)], false));
    let mut renamed = slot(edits());
    renamed.now = Some(path("g"));
    assert_eq!(records(&renamed.leave_out(&id(2))), [id(1)]);
    assert!(renamed.is_left_out() && renamed.disk.is_none() && renamed.now.is_none());
    let mut removed = slot(vec![removed(2, "old\n", 0o644), edited(1, TEXTS, KEPT)]);
    assert_eq!(records(&removed.leave_out(&id(2))), [id(1)]);
    assert_eq!(left_of(&removed), []);
}

#[test]
fn of_a_file_that_is_to_go_newer_edits_are_taken_back_though_one_of_them_or_the_making_of_it_is_left() {
    let left_of = |slot: &Slot| slot.targets.iter().map(|target| target.id.clone()).collect::<Vec<_>>();
    let made = || {
        let mut slot = slot(vec![edited(3, TEXTS, KEPT), edited(2, TEXTS, KEPT), made(1, Some("old\n"))]);
        slot.now = None;
        slot
    };
    let mut slot = made();
    assert_eq!(records(&slot.leave_out(&id(1))), []);
    assert_eq!((left_of(&slot), slot.disk == Some(path("f")), slot.now == slot.disk), (vec![id(3), id(2)], true, true));
    let mut slot = made();
    assert_eq!(records(&slot.leave_out(&id(3))), [id(1)], "what is left of it stays in the file");
    assert_eq!((left_of(&slot), slot.now == Some(path("f"))), (vec![id(2)], true));
}

#[test]
fn a_file_changes_for_a_record_of_which_something_is_left() {
    let mut slot = slot(vec![edited(2, TEXTS, KEPT), edited(1, TEXTS, KEPT)]);
    slot.already = vec![id(2)];
    assert_eq!([1, 2, 3].map(|n| slot.changes_for(&id(n))), [true, false, false]);
    let cancelled: Vec<RecordId> = slot.cancelled().map(|target| target.id).collect();
    assert_eq!(cancelled, [id(1)]);
}

#[test]
fn a_file_began_as_a_version_of_what_its_oldest_record_met() {
    let long: String = (0..9).map(|n| format!("line {n}\n")).collect();
    let began = |step: Step| slot(vec![edited(2, TEXTS, KEPT), step]).began_as(long.as_bytes());
    assert!(began(edited(1, [&long, "x\n"], KEPT)));
    assert!(!began(edited(1, ["x\n", &long], KEPT)));
    assert!(!began(made(1, Some(&long))));
    let mut unknown = edited(1, [&long, "x\n"], KEPT);
    if let What::Carry(carry) = &mut unknown.what {
        carry.texts = RecordedTexts::default();
    }
    assert!(!began(unknown), "its text is not kept");
}

#[test]
fn a_file_has_traces_of_a_record_that_wrote_a_line_of_it_or_made_most_of_it() {
    let long: String = (0..9).map(|n| format!("line {n}\n")).collect();
    let has = |steps: Vec<Step>, text: &str| slot(steps).has_traces(text.as_bytes());
    assert!(has(vec![edited(1, TEXTS, KEPT)], "B\n") && !has(vec![edited(1, TEXTS, KEPT)], "a\nb\n"));
    assert!(has(vec![edited(2, ["x\n", "y\n"], KEPT), edited(1, TEXTS, KEPT)], "B\n"), "of one of two");
    assert!(has(vec![made(1, Some(&long))], &long.replace("line 3", "other")));
    assert!(!has(vec![made(1, Some(&long))], "a\nb\n") && !has(vec![made(1, None)], &long));
}

#[test]
fn what_the_log_has_before_the_oldest_step_is_put_together_of_two_looks_each_record_once() {
    let log = |ids: &[u8]| ids.iter().map(|n| known(*n, RecordClass::Edit, &[], TEXTS)).collect::<Vec<_>>();
    let put_together = |had: &[u8], earlier: &[u8]| {
        let mut slot = slot(vec![edited(9, TEXTS, KEPT)]);
        (slot.known, slot.earlier) = (log(&[had, &[9]].concat()), had.len());
        slot.learn_earlier(log(earlier));
        assert_eq!(slot.earlier + 1, slot.known.len());
        slot.known.iter().map(|known| known.id.clone()).collect::<Vec<_>>()
    };
    let all = [1, 2, 3, 9].map(id);
    assert_eq!(put_together(&[], &[1, 2, 3]), all);
    assert_eq!(put_together(&[1, 2, 3], &[3]), all);
    assert_eq!(put_together(&[1], &[2, 3]), all, "of the other one first what is not in the longer");
    assert_eq!(put_together(&[2, 3], &[1]), all);
}

#[test]
fn a_step_that_finds_its_file_gone_or_its_place_taken_is_told_under_the_name_of_today() {
    let mut edit = slot(vec![edited(1, TEXTS, KEPT)]);
    edit.disk = Some(path("today"));
    let gone = edit.replay(None, Misfits::Refused).expect_err("there is no file");
    assert_eq!((gone[0].why, gone[0].path.as_str()), (Obstacle::Gone, "today"));
    let taken = slot(vec![removed(1, "old\n", 0o644)]).replay(Some(b"x\n"), Misfits::Refused);
    assert_eq!(taken.expect_err("there is one")[0].why, Obstacle::Taken);
}

#[test]
fn of_records_that_have_nothing_left_to_be_taken_back_a_replay_tells_and_of_what_changed_since() {
    let replay = |steps: Vec<Step>, text: Option<&str>| {
        let replayed = slot(steps).replay(text.map(str::as_bytes), Misfits::Refused).expect("it fits");
        (replayed.text.map(|text| String::from_utf8(text).expect("UTF-8")), replayed.already, replayed.kept_later)
    };
    let [before, after] = TEXTS.map(|text| Some(text.to_owned()));
    let edit = |modes| vec![edited(1, TEXTS, modes)];
    assert_eq!(replay(edit(KEPT), Some(TEXTS[1])), (before.clone(), vec![], false));
    assert_eq!(replay(edit(KEPT), Some(TEXTS[0])), (before.clone(), vec![id(1)], true));
    assert_eq!(replay(edit((0o644, 0o755)), Some(TEXTS[0])), (before, vec![], true), "the bits go back");
    assert_eq!(replay(vec![made(1, after.as_deref())], None), (None, vec![id(1)], false));
    let later = replay(edit(KEPT), Some("0\na\nB\nc\n"));
    assert_eq!(later, (Some("0\na\nb\nc\n".to_owned()), vec![], true));
}

#[test]
fn a_file_that_a_record_made_and_that_is_another_one_now_is_told_of_who_left_it_so() {
    let by = |log: Vec<Arc<Known>>| {
        let mut slot = slot(vec![made(1, Some("made\n"))]);
        slot.known = log;
        let found = slot.replay(Some(b"now\n"), Misfits::Refused).expect_err("it changed");
        assert_eq!(found[0].why, Obstacle::ChangedSinceCreated);
        found[0].changed_by.clone()
    };
    let [made, left, other] =
        [(1, "made\n"), (2, "now\n"), (3, "other\n")].map(|(n, text)| known(n, RecordClass::Edit, &[], ["a\n", text]));
    assert_eq!(by(vec![made.clone(), left]), Some(id(2)));
    assert_eq!(by(vec![made, other]), None);
}

/// What two edits did to one file, of which somebody made something else again.
const BOTH: [[&str; 2]; 2] =
    [["1\n2\n3\na\nB\nc\n", "1\ntwo\n3\na\nB\nc\n"], ["1\n2\n3\na\nb\nc\n", "1\n2\n3\na\nB\nc\n"]];
const OTHERS: &str = "1\nzwei\n3\na\nbe\nc\n";

#[test]
fn the_first_edit_that_does_not_fit_refuses_all_and_where_it_is_skipped_each_is_told() {
    let found = |misfits: Misfits| {
        let slot = slot(vec![edited(2, BOTH[0], KEPT), edited(1, BOTH[1], KEPT)]);
        records(&slot.replay(Some(OTHERS.as_bytes()), misfits).expect_err("neither fits"))
    };
    assert_eq!(found(Misfits::Refused), [id(2)]);
    assert_eq!(found(Misfits::Skipped), [id(2), id(1)]);
}

#[test]
fn where_markers_are_put_each_edit_that_does_not_fit_is_told_with_its_text() {
    let slot = slot(vec![edited(2, BOTH[0], KEPT), edited(1, BOTH[1], KEPT)]);
    let replayed = slot.replay(Some(OTHERS.as_bytes()), Misfits::Marked).expect("markers stand for them");
    assert_eq!(records(&replayed.conflicts), [id(2), id(1)]);
    let text = String::from_utf8(replayed.text.expect("a text")).expect("UTF-8");
    assert_eq!(text.matches("<<<<<<<").count(), 2, "{text}");
}

#[test]
fn what_somebody_else_did_again_is_told_of_him_and_not_as_taken_back_with_others() {
    let [before, after] = TEXTS;
    let log = [(1, TEXTS), (2, [after, before]), (3, TEXTS)];
    let log = log.map(|(n, texts)| known(n, RecordClass::Edit, &[], texts));
    let mut slot = slot(vec![edited(5, ["x\n", "y\n"], KEPT), edited(1, TEXTS, KEPT)]);
    assert_eq!(slot.cancelled().count(), 2);
    slot.learn(log.to_vec(), &|_, _| false, &|_| HashSet::new());
    assert_eq!((slot.remade_by().cloned(), slot.cancelled().count()), (Some(id(3)), 0));
}
