//! Equal lines that more than one record put, took, or left: which of them a record's are, as the log tells it.

use crate::support::TestRepo;
use serde_json::{Value, json};

/// A repository with one file, `f`.
pub fn with(text: &str) -> TestRepo {
    TestRepo::with_files(&[("f", text)])
}

/// The file must have this text.
#[track_caller]
pub fn holds(repo: &TestRepo, text: &str) {
    assert_eq!(repo.text("f"), text);
}

/// Two replacements in one edit; gives the id of the record.
pub fn twice(repo: &TestRepo, path: &str, edits: [[&str; 2]; 2]) -> String {
    let edits = edits.map(|[old, new]| json!({"old_string": old, "new_string": new}));
    repo.apply(json!({"path": path, "edits": edits}))
}

/// An undo or redo; gives the id of its record.
pub fn inverted(repo: &TestRepo, args: &[&str]) -> String {
    repo.done(args, "")["data"]["record"]["id"].as_str().expect("a record").to_owned()
}

/// Somebody changed the file between an undo of another record and its redo.
#[test]
fn a_record_that_was_undone_is_undone_though_its_neighbour_went_with_a_later_record() {
    let repo = with("x w\np q\na\n}\n");
    let first = repo.edit("f", "}\n", "}\nb\n}\n");
    repo.done(&["undo", &first], "");
    let second = repo.edit("f", "}\n", "end\n\n}\n");
    let third = inverted(&repo, &["undo", &second]);
    repo.write("f", "x w\np q\nfoo w\nfoo w\na\n}\n");
    repo.done(&["redo", &third], "");
    repo.edit("f", "end\n", "b\na\n");
    assert_eq!(repo.refused(&["undo", &first], ""), "nothing_to_undo");
}

#[test]
fn of_two_equal_blocks_the_one_goes_that_nobody_wrote_into() {
    let repo = with("\nx w\nb\n");
    let first = repo.edit("f", "x w\n", "x w\n\nx w\n");
    twice(&repo, "f", [["x w\n\nx w\n", "x w\n\np q\nb\nx w\n"], ["b\n", "b\nb\n"]]);
    repo.done(&["undo", &first], "");
    holds(&repo, "\np q\nb\nx w\nb\nb\n");
}

/// The log tells that it is that record's.
#[test]
fn a_redo_goes_where_it_was_though_a_later_record_wrote_one_of_its_lines_elsewhere() {
    let repo = with("x w\np q\na\n}\n");
    let first = repo.edit("f", "}\n", "}\nb\n}\n");
    repo.done(&["undo", &first], "");
    let second = repo.edit("f", "}\n", "end\n\n}\n");
    let third = inverted(&repo, &["undo", &second]);
    repo.done(&["redo", &third], "");
    let fourth = repo.edit("f", "end\n", "b\na\n");
    repo.done(&["redo", &first], "");
    holds(&repo, "x w\np q\na\nb\na\n\n}\nb\n}\n");
    repo.done(&["undo", &fourth], "");
    holds(&repo, "x w\np q\na\nend\n\n}\nb\n}\n");
}

#[test]
fn what_was_replaced_is_not_guessed_where_a_later_record_put_its_like() {
    let repo = with("x w\n\nfoo w\n}\n");
    let first = repo.edit("f", "foo w\n", "}\nb\n");
    repo.edit("f", "b\n", "\n}\nb\n");
    assert_eq!(repo.refused(&["undo", &first], ""), "undo_conflict");
}

#[test]
fn a_line_is_not_guessed_where_somebody_wrote_equal_ones_on_both_sides_of_it() {
    let repo = with("x w\nend\n  r\nfoo w\n");
    let first = repo.edit("f", "  r\n", "end\n  r\n");
    repo.write("f", "x w\nend\nend\n\nfoo w\nend\n  r\nfoo w\n");
    let second = repo.edit("f", "  r\n", "end\n  r\n");
    assert_eq!(repo.refused(&["undo", &first, &second], ""), "undo_conflict");
}

#[test]
fn an_undo_is_made_where_the_log_has_a_gap_before_the_record() {
    let repo = with("x w\np q\na\n}\n");
    let first = repo.edit("f", "a\n}\n", "}\n");
    repo.write("f", "p q\n}\n");
    repo.edit("f", "p q\n", "x w\np q\n");
    let second = repo.edit("f", "}\n", "");
    repo.done(&["undo", &first], "");
    repo.done(&["undo", &second], "");
    holds(&repo, "x w\np q\na\n}\n");
}

#[test]
fn a_record_that_was_undone_is_undone_where_somebody_doubled_only_lines_that_it_did_not_touch() {
    let repo = with("  r\nb\n  r\n}\nx w\nb\n");
    let first = twice(&repo, "f", [["x w\nb\n", "x w\n"], ["  r\n}\n", "  r\np q\n}\n"]]);
    repo.done(&["undo", &first], "");
    let second = repo.edit("f", "b\n  r\n", "p q\nend\n");
    repo.edit("f", "b\n", "b\np q\na\n  r\n");
    repo.done(&["undo", &second], "");
    repo.write("f", "  r\nb\n  r\n}\nx w\nb\np q\na\n  r\n  r\n}\n}\n");
    assert_eq!(repo.refused(&["undo", &second], ""), "nothing_to_undo");
}

#[test]
fn a_line_that_a_later_record_took_is_gone_though_somebody_took_another_record_s_out() {
    let repo = with("b\n");
    let first = repo.edit("f", "b\n", "b\nend\n");
    twice(&repo, "f", [["b\n", "a\n}\nb\n"], ["end\n", "end\nend\nfoo w\n}\n"]]);
    twice(&repo, "f", [["foo w\n}\n", "foo w\n}\n}\n"], ["b\nend\n", "b\n"]]);
    repo.write("f", "}\nb\nend\np q\nfoo w\n}\n}\n");
    let second = repo.edit("f", "}\n}\n", "}\n}\n}\n");
    repo.done(&["undo", &second, &first], "");
    holds(&repo, "}\nb\nend\np q\nfoo w\n}\n}\n");
}

#[test]
fn a_block_goes_where_a_later_record_doubled_the_line_above_it() {
    let repo = with("b\na\nb\nfoo w\np q\n");
    let first = repo.edit("f", "b\na\n", "a\np q\nb\na\n");
    repo.edit("f", "a\np q\n", "a\na\np q\n");
    repo.done(&["undo", &first], "");
    holds(&repo, "a\nb\na\nb\nfoo w\np q\n");
}

#[test]
fn a_line_comes_back_by_a_redo_beside_equal_ones_that_two_others_put() {
    let repo = with("b\n");
    let first = repo.edit("f", "b\n", "}\nb\n");
    repo.edit("f", "b\n", "}\nb\n");
    repo.done(&["undo", &first], "");
    repo.edit("f", "b\n", "b\n}\n");
    repo.edit("f", "}\nb\n", "b\n}\nb\n");
    repo.done(&["redo", &first], "");
    holds(&repo, "b\n}\n}\nb\n}\n");
}

#[test]
fn of_equal_blank_lines_one_comes_back_after_a_redo_put_another_one() {
    let repo = with("end\n  r\n\n");
    let first = repo.edit("f", "  r\n\n", "  r\n\n\n");
    repo.done(&["undo", &first], "");
    let second = repo.edit("f", "  r\n\n", "  r\n");
    repo.done(&["redo", &first], "");
    repo.done(&["undo", &second], "");
    holds(&repo, "end\n  r\n\n\n");
}

#[test]
fn a_block_goes_of_which_a_later_record_put_its_like_beside_it() {
    let repo = with("b\n");
    let first = repo.edit("f", "b\n", "b\n}\nb\nend\n");
    twice(&repo, "f", [["b\nend\n", "b\n}\nb\nend\n"], ["b\n}\n", "  r\n"]]);
    let second = twice(&repo, "f", [["end\n", ""], ["}\n", "foo w\n}\n"]]);
    repo.done(&["undo", &second, &first], "");
    holds(&repo, "  r\nb\n");
}

#[test]
fn lines_are_not_doubled_by_a_redo_where_a_later_record_changed_the_place_among_their_like() {
    let repo = with("}\nfoo w\nend\n}\n}\nfoo w\n");
    let first = repo.edit("f", "}\n}\n", "}\n}\n}\n}\n");
    repo.done(&["undo", &first], "");
    repo.edit("f", "}\n}\nfoo w\n", "}\n}\nx w\n}\n\n");
    assert_eq!(repo.refused(&["redo", &first], ""), "undo_conflict");
}

#[test]
fn a_doubled_line_goes_where_a_later_record_put_and_another_took_something_beside_it() {
    let repo = with("x w\n}\nend\n");
    let first = repo.edit("f", "end\n", "end\nend\n");
    repo.edit("f", "}\nend\n", "}\nend\nb\n");
    repo.edit("f", "end\nb\n", "  r\nend\n");
    repo.done(&["undo", &first], "");
    holds(&repo, "x w\n}\n  r\nend\n");
}

#[test]
fn a_redo_of_a_deletion_is_done_already_where_its_line_was_replaced_since() {
    let repo = with("  r\np q\na\n");
    let first = repo.edit("f", "a\n", "");
    repo.done(&["undo", &first], "");
    repo.edit("f", "a\n", "a\na\n");
    repo.edit("f", "a\na\n", "foo w\nb\nend\na\n");
    assert_eq!(repo.refused(&["redo", &first], ""), "nothing_to_undo");
}

#[test]
fn a_line_comes_back_at_the_end_of_a_file_of_which_the_rest_was_replaced() {
    let repo = with("end\n  r\nb\n");
    let first = repo.edit("f", "b\n", "");
    repo.edit("f", "end\n  r\n", "x w\n");
    repo.done(&["undo", &first], "");
    holds(&repo, "x w\nb\n");
}

#[test]
fn a_redo_of_what_is_in_force_by_another_redo_has_nothing_to_do() {
    let repo = with("x w\n}\n  r\nx w\n");
    let first = repo.edit("f", "  r\nx w\n", "  r\n}\nb\nx w\n");
    let second = inverted(&repo, &["undo", &first]);
    let third = inverted(&repo, &["redo", &second]);
    repo.done(&["undo", &third], "");
    repo.done(&["undo", &second], "");
    assert_eq!(repo.refused(&["redo", &third], ""), "nothing_to_undo");
}

#[test]
fn lines_that_replaced_others_go_where_the_last_one_was_doubled_below_them() {
    let repo = with("x w\np q\na\n}\n");
    let first = repo.edit("f", "x w\np q\n", "}\nend\n");
    repo.edit("f", "end\n", "end\nend\n");
    repo.done(&["undo", &first], "");
    holds(&repo, "x w\np q\nend\na\n}\n");
}

#[test]
fn a_line_is_not_guessed_where_a_later_record_took_its_like_right_above_it() {
    let repo = with("x w\nx w\n}\n}\nx w\n");
    let first = repo.edit("f", "}\nx w\n", "}\nx w\n}\n");
    repo.edit("f", "}\nx w\n", "p q\n");
    assert_eq!(repo.refused(&["undo", &first], ""), "undo_conflict");
}

#[test]
fn a_redo_after_somebody_wrote_one_line_of_several_again_puts_all_of_them() {
    let repo = with("b\na\nb\nfoo w\np q\n");
    let first = repo.edit("f", "p q\n", "a\n\nb\np q\n");
    let second = inverted(&repo, &["undo", &first]);
    repo.done(&["undo", &second], "");
    repo.write("f", "b\na\nb\nfoo w\np q\nb\np q\n");
    repo.done(&["redo", &second], "");
    holds(&repo, "b\na\nb\nfoo w\na\n\nb\np q\nb\np q\n");
}

#[test]
fn a_line_does_not_come_back_where_a_later_record_put_its_like_one_line_below() {
    let repo = with("}\n}\nx w\np q\n");
    let first = repo.edit("f", "}\n}\n", "}\n");
    let second = inverted(&repo, &["undo", &first]);
    repo.done(&["undo", &second], "");
    repo.edit("f", "x w\n", "x w\n}\nx w\n");
    assert_eq!(repo.refused(&["undo", &first], ""), "undo_conflict");
}

#[test]
fn lines_of_two_places_go_where_a_later_record_put_a_like_one_above_them() {
    let repo = with("\nx w\nb\n");
    let first = twice(&repo, "f", [["b\n", ""], ["x w\n", "x w\n  r\n}\n}\n"]]);
    repo.edit("f", "  r\n", "}\n  r\n");
    repo.done(&["undo", &first], "");
    holds(&repo, "\nx w\n}\nb\n");
}

#[test]
fn a_line_does_not_come_back_where_a_later_record_put_its_like_below_an_empty_one() {
    let repo = with("\n}\n");
    repo.edit("f", "}\n", "}\n}\n");
    let first = repo.edit("f", "}\n}\n", "}\n");
    repo.edit("f", "}\n", "}\n\n}\n");
    assert_eq!(repo.refused(&["undo", &first], ""), "undo_conflict");
}

#[test]
fn which_of_two_equal_lines_a_redo_takes_is_not_guessed_after_one_was_moved_by_records() {
    let repo = with("\nx w\nb\n");
    repo.edit("f", "b\n", "b\nb\n");
    let first = repo.edit("f", "b\nb\n", "b\n");
    repo.done(&["undo", &first], "");
    repo.edit("f", "x w\nb\n", "x w\nb\na\nend\na\n");
    repo.edit("f", "x w\nb\n", "x w\n");
    assert_eq!(repo.refused(&["redo", &first], ""), "undo_conflict");
}

#[test]
fn a_record_of_two_places_is_not_said_to_be_undone_where_somebody_wrote_the_lines_of_one_again() {
    let repo = with("  r\nb\n  r\n}\nx w\nb\n");
    let first = twice(&repo, "f", [["x w\nb\n", "x w\n"], ["  r\n}\n", "  r\np q\n}\n"]]);
    repo.done(&["undo", &first], "");
    let second = repo.edit("f", "b\n  r\n", "p q\nend\n");
    repo.done(&["undo", &second], "");
    repo.write("f", "  r\nb\n  r\n}\nx w\nb\np q\na\n  r\n  r\n}\n}\n");
    assert_eq!(repo.refused(&["undo", &first], ""), "undo_conflict");
}

#[test]
fn a_record_is_not_said_to_be_undone_where_somebody_wrote_one_of_its_lines_again() {
    let repo = with("}\na\n");
    repo.edit("f", "}\n", "}\n  r\np q\na\n");
    repo.edit("f", "a\na\n", "a\n");
    let first = twice(&repo, "f", [["p q\n", "  r\np q\n"], ["a\n", "b\n}\n"]]);
    repo.done(&["undo", &first], "");
    repo.write("f", "}\n  r\na\nb\nx w\na\n");
    assert_eq!(repo.refused(&["undo", &first], ""), "undo_conflict");
}

#[test]
fn an_edit_that_was_undone_under_a_new_name_is_no_other_one_whose_lines_could_be_meant() {
    let repo = with("p q\na\n}\n}\nb\np q\n");
    let first = repo.edit("f", "b\np q\n", "b\np q\np q\n");
    repo.edit("f", "p q\np q\n", "p q\n");
    let second = repo.edit("f", "b\np q\n", "b\np q\np q\n");
    repo.git(&["mv", "f", "k"]);
    repo.edit("k", "p q\na\n", "a\n");
    repo.edit("k", "b\np q\n", "b\np q\np q\n");
    repo.done(&["undo", &second], "");
    repo.done(&["undo", &first], "");
    assert_eq!(repo.text("k"), "a\n}\n}\nb\np q\n");
}

/// Seen: the redo of an undo doubled a line that another redo of it had brought back: of two undos of one edit the older one was taken back
/// first.
#[test]
fn of_two_undos_of_one_edit_the_second_has_nothing_to_redo() {
    for (old, new) in [("b\n", "b\nK;\n"), ("b\n", "b\n  }\n")] {
        let repo = with("a\nb\nc\n");
        let edit = repo.edit("f", old, new);
        let first = inverted(&repo, &["undo", &edit]);
        let redo = inverted(&repo, &["redo", &first]);
        let second = inverted(&repo, &["undo", &redo]);
        inverted(&repo, &["undo", &first]);
        let left = repo.text("f");
        assert_eq!(repo.refused(&["undo", &second], ""), "nothing_to_undo");
        holds(&repo, &left);
    }
}

/// Seen: "nothing was left" of an edit that was undone together with the removal of its file, and its line stayed.
#[test]
fn an_edit_goes_with_the_removal_of_its_file_as_it_does_behind_it() {
    let both = |is_together: bool| {
        let repo = with("a\nb\n");
        let first = repo.edit("f", "b\n", "fn x\n}\nb\n");
        let second = repo.edit("f", "fn x\n}\n", "fn x\n}\n}\n");
        repo.done(&["undo", &first], "");
        let removal = repo.apply(json!({"path": "f", "delete": true}));
        if is_together {
            repo.done(&["undo", &removal, &second], "");
        } else {
            repo.done(&["undo", &removal], "");
            repo.done(&["undo", &second], "");
        }
        repo.text("f")
    };
    assert_eq!((both(true), both(false)), ("a\nb\n".to_owned(), "a\nb\n".to_owned()));
}

/// Seen: an equal line that nobody had touched went with it.
#[test]
fn what_a_redo_of_an_older_undo_took_is_not_taken_again_from_beside_it() {
    let repo = with("a\nK;\nK;\nc\n");
    let id = repo.edit("f", "a\nK;\n", "a\n");
    for args in [&["undo"][..], &["redo"], &["undo"], &["redo", &id]] {
        repo.done(args, "");
    }
    assert_eq!(repo.refused(&["redo"], ""), "nothing_to_undo");
    holds(&repo, "a\nK;\nc\n");
}

/// Seen: the later record's line went, and the first record "has its old lines back": where somebody changed what stands around the place,
/// no text tells that the first one's was gone.
#[test]
fn a_line_that_was_taken_out_by_hand_and_doubled_again_by_a_later_record_is_that_one_s() {
    let text = "a\n    shown\n}\n\n#[track_caller]\nfn x\n";
    let double = |repo: &TestRepo| repo.edit("f", "    shown\n}\n", "    shown\n    shown\n}\n");
    let by_hand = |repo: &TestRepo, old: &str, new: &str| {
        let text = repo.text("f");
        assert!(text.contains(old), "{text}");
        repo.write("f", text.replacen(old, new, 1));
    };
    let taken_out = ("    shown\n    shown\n", "    shown\n");
    let blank = ("}\n\n", "}\n\n\n");
    let record = ("", "");
    let rows: [&[(&str, &str)]; 5] = [
        &[taken_out, record, blank],
        &[taken_out, blank, record],
        &[taken_out, blank, ("track_caller", "Style")],
        &[("    shown\n    shown\n}\n\n#[track_caller]", "    shown\n}\n\n\n#[Style]")],
        &[taken_out, ("}\n\n#[track_caller]", "}\n\n\n#[Style]"), ("fn x", "fn y")],
    ];
    for steps in rows {
        let repo = with(text);
        let first = double(&repo);
        for &(old, new) in steps {
            if (old, new) == record {
                repo.edit("f", "track_caller", "Style");
            } else {
                by_hand(&repo, old, new);
            }
        }
        let met = repo.text("f");
        let second = double(&repo);
        let left = repo.text("f");
        let said = repo.said(&["undo", &first]);
        assert!(said.contains(&format!("record {second} did it again")), "{steps:?}: {said}");
        holds(&repo, &left);
        repo.done(&["undo", &second], "");
        holds(&repo, &met);
    }
}

/// The same of more that a later record put with it, and of a line that was deleted or replaced.
#[test]
fn what_a_later_record_did_again_with_more_beside_it_is_that_one_s() {
    let (text, other) = ("a\n    shown\n}\n\n#[track_caller]\nfn x\n", "    shown\n}\n\n\n#[Style]\nfn x\n");
    let other = format!("a\n{other}");
    let rows = [
        (["    shown\n}\n", "    shown\n    shown\n}\n"], ["    shown\n}\n", "    shown\n    shown\n    more\n}\n"]),
        (["    shown\n", ""], ["    shown\n", ""]),
        (["    shown\n", "    told\n"], ["    shown\n", "    told\n"]),
    ];
    for (first, second) in rows {
        let repo = with(text);
        let own = repo.edit("f", first[0], first[1]);
        repo.write("f", &other);
        repo.edit("f", second[0], second[1]);
        let left = repo.text("f");
        assert_eq!(repo.refused(&["undo", &own], ""), "nothing_to_undo", "{first:?} {second:?}");
        holds(&repo, &left);
    }
}

/// A line that is still there is not the later record's that put one more.
#[test]
fn a_line_that_nobody_took_out_goes_where_a_later_record_put_its_like() {
    let repo = with("a\n    shown\n}\n\n#[track_caller]\nfn x\n");
    let first = repo.edit("f", "    shown\n}\n", "    shown\n    shown\n}\n");
    repo.write("f", "a\n    shown\n    shown\n}\n\n\n#[Style]\nfn x\n");
    repo.edit("f", "    shown\n}\n", "    shown\n    shown\n}\n");
    repo.done(&["undo", &first], "");
    holds(&repo, "a\n    shown\n    shown\n}\n\n\n#[Style]\nfn x\n");
}

/// Seen: "lines would come back that another record took away since": an equal one, elsewhere, while an edit beside these was undone.
#[test]
fn lines_come_back_beside_an_undone_edit_though_a_record_in_force_took_equal_ones_elsewhere() {
    let kept: String = (0..8).map(|n| format!("kept {n}\n")).collect();
    let before = format!("{{\nlet y;\n{kept}return x\nend\nreturn x\n");
    let repo = TestRepo::with_files(&[("f", &before)]);
    let first = repo.edit("f", "return x\nend\nreturn x\n", "return x\n");
    let second = repo.edit("f", "return x\n", "  return x\n");
    repo.edit("f", "{\n", "{\nreturn x\n");
    repo.edit("f", "{\nreturn x\n", "{\n\n");
    repo.done(&["undo", &second], "");
    repo.done(&["undo", &first], "");
    assert_eq!(repo.text("f"), before.replace("{\n", "{\n\n"));
}

/// Seen: "these lines were changed since (now line 1)": half of an edit that took an equal line in both halves was undone, and the rest, and that half
/// redone.
#[test]
fn a_hunk_is_undone_though_an_equal_line_was_taken_undone_and_taken_again_elsewhere() {
    let kept: String = (0..8).map(|n| format!("kept {n}\n")).collect();
    let repo = TestRepo::with_files(&[("f", &format!("x\nsix\nsix\nend\n\n{kept}four\nten\nend\n"))]);
    let edits = |edits: &[[&str; 2]]| -> Vec<Value> {
        edits.iter().map(|[old, new]| json!({"old_string": old, "new_string": new})).collect()
    };
    let both = [["x\nsix\nsix\n", "six\nx\nsix\n"], ["four\nten\nend\n", "four\nend\nsix\n"]];
    let first = repo.apply(json!({"path": "f", "edits": edits(&both)}));
    repo.done(&["undo", &first, "--hunk", "1"], "");
    let both = [["six\nend\n\n", "six\n\n"], ["four\nend\n", "four\n"]];
    let second = repo.apply(json!({"path": "f", "edits": edits(&both)}));
    let half = repo.done(&["undo", &second, "--hunk", "1"], "");
    repo.done(&["undo", &second, "--hunk", "2"], "");
    repo.done(&["redo", half["data"]["record"]["id"].as_str().expect("an id")], "");
    repo.edit("f", "six\n\nkept", "six\nlast\nkept");
    repo.done(&["undo", &first, "--hunk", "2"], "");
    assert_eq!(repo.text("f"), format!("x\nsix\nsix\nlast\n{kept}four\nten\nend\n"));
}

/// Seen: "the lines around its place were changed since", of lines without a word beside others that stood: somebody had edited a line farther off.
#[test]
fn lines_without_a_word_go_where_only_a_line_farther_off_was_edited() {
    let rows = [
        // Spaces that are left of a line.
        (
            ["call()\n    }\n}\n\n#[cfg(unix)]\nend\n", "call()\n    \n}\n\n#[cfg(unix)]\nend\n"],
            ["#[cfg(unix)]", "other"],
        ),
        // One of two blank lines, below brackets.
        (["    }\n}\n\nimpl One {\nend\n", "    }\n}\n\n\nend\n"], ["    }", "}"]),
        // A blank line beside another one at the end of the file.
        (["top\n```\n\n", "top\n```\n\n\n"], ["```", "    ```"]),
    ];
    for ([before, after], [old, new]) in rows {
        let repo = TestRepo::with_files(&[("f", before)]);
        let id = repo.edit("f", before, after);
        repo.write("f", after.replacen(old, new, 1));
        repo.done(&["undo", &id], "");
        assert_eq!(repo.text("f"), before.replacen(old, new, 1));
        repo.done(&["redo", &id], "");
        assert_eq!(repo.text("f"), after.replacen(old, new, 1));
    }
}

/// Seen: a line went that had been there before, as the block that was deleted and the lines that came in its place were as many.
#[test]
fn a_line_is_not_told_by_how_many_stand_beside_it_where_its_like_may_have_stayed() {
    let rows = [
        (["top of all\n", "top of all\n    return;\n"], "}\n    return;\n}\nend\n"),
        (["top of all\n)\n", "top of all\n]\n"], "}\n)\n}\nend\n"),
    ];
    for ([old, new], rest) in rows {
        let before = format!("{old}{rest}");
        let repo = TestRepo::with_files(&[("f", &before)]);
        let id = repo.edit("f", &before, &format!("{new}{rest}"));
        let like = rest.lines().nth(1).expect("a line");
        let now = format!("top of all\n{like}\n}}\nxx();\nyy();\nend\n");
        repo.write("f", &now);
        assert_eq!(repo.refused(&["undo", &id], ""), "undo_conflict", "{now}");
        assert_eq!(repo.text("f"), now);
    }
}

/// A blank line more among blank lines may have been put anywhere.
#[test]
fn what_was_deleted_among_blank_lines_is_not_guessed_where_one_was_put() {
    for (deleted, blanks) in [("\nd = 2\n\n\n", 3), ("d = 2\n\n\n", 2)] {
        let around = "\n".repeat(blanks);
        let repo = with(&format!("x = 1\n{around}d = 2\n{around}y = 3\n"));
        let id = repo.edit(
            "f",
            &format!("x = 1\n{around}d = 2\n{around}y"),
            &format!("x = 1\n{around}d = 2\n{around}y").replacen(deleted, "", 1),
        );
        repo.write("f", repo.text("f").replace("y = 3", "\ny = 3"));
        let left = repo.text("f");
        assert_eq!(repo.refused(&["undo", &id], ""), "undo_conflict");
        holds(&repo, &left);
    }
}

/// Seen: with exit 0, a bracket above the line that had come back for it and another one: by white space alone they were no part of one change.
#[test]
fn a_doubled_line_does_not_come_back_where_an_indented_one_is_back_for_the_lines_that_it_stood_between() {
    let text = "    one\n    two\n    three\n    four\n";
    let repo = TestRepo::with_files(&[("f", text)]);
    let under = repo.edit("f", "    two\n", "    };\n        before: x,\n");
    let id = repo.edit("f", "    };\n        before: x,\n", "    };\n    };\n        before: x,\n");
    repo.done(&["undo", &id], "");
    repo.done(&["undo", &under], "");
    assert_eq!(repo.refused(&["redo", &id], ""), "undo_conflict");
    assert_eq!(repo.text("f"), text);
}

/// Seen: with exit 0, a bracket too far down: a bracket beside them was taken for the one that had stood there, which somebody had deleted.
#[test]
fn what_was_deleted_among_brackets_alone_does_not_come_back_beside_what_was_put_and_deleted_there() {
    let bracket = |count: usize| "}\n".repeat(count);
    let repo = TestRepo::with_files(&[("f", &format!("x\n{}d\n{}y\n", bracket(4), bracket(4)))]);
    let id = repo.edit("f", "}\n}\nd\n}\n", "");
    let left = format!("x\n{}kk\n{}y\n", bracket(4), bracket(1));
    repo.write("f", &left);
    assert_eq!(repo.refused(&["undo", &id], ""), "undo_conflict");
    assert_eq!(repo.text("f"), left);
}

/// Seen: "these lines were changed since", where somebody had put an item before the attribute that the deleted item had as well.
#[test]
fn what_was_deleted_among_equal_lines_comes_back_where_the_request_named_it_beside_what_was_put_since() {
    let text = "}\n\n#[cfg(unix)]\nstruct One;\n\n#[cfg(unix)]\nimpl Two {\n";
    for (deleted, put, is_told) in [
        ("struct One;\n\n#[cfg(unix)]\n", ("}\n", "}\nfn mine();\n\n"), true),
        ("struct One;\n\n#[cfg(unix)]\n", ("}\n", "}\n\nfn mine();\n"), true),
        ("\n#[cfg(unix)]\nstruct One;\n", ("impl Two", "fn mine();\nimpl Two"), true),
        // Just where it was deleted.
        ("\n#[cfg(unix)]\nstruct One;\n", ("}\n", "}\nfn mine();\n\n"), false),
        ("struct One;\n\n#[cfg(unix)]\n", ("impl Two", "fn mine();\nimpl Two"), false),
        // With some of it.
        ("struct One;\n\n#[cfg(unix)]\n", ("}\n", "}\n#[cfg(unix)]\nfn mine();\n\n"), false),
    ] {
        let repo = TestRepo::with_files(&[("f", text)]);
        let id = repo.edit("f", deleted, "");
        let left = repo.text("f").replacen(put.0, put.1, 1);
        repo.write("f", &left);
        if is_told {
            let undo = repo.done(&["undo", &id], "");
            assert_eq!(repo.text("f"), text.replacen(put.0, put.1, 1), "{deleted:?} {put:?}");
            repo.done(&["redo", undo["data"]["record"]["id"].as_str().expect("an id")], "");
        } else {
            assert_eq!(repo.refused(&["undo", &id], ""), "undo_conflict", "{deleted:?} {put:?}");
        }
        assert_eq!(repo.text("f"), left);
    }
}

/// Seen: no line of its kind was left: the deletion of its double counted as the first half of the move done again.
#[test]
fn a_moved_line_is_where_it_was_or_where_it_went_though_its_double_was_deleted() {
    let before = "fn iota(x) {\n    kap\nfn theta(x) {\ngam\n    return x;\n";
    let repo = TestRepo::with_files(&[("f", before)]);
    let edits = json!([{"old_string": "fn iota(x) {\n    kap\n", "new_string": "fn iota(x) {\n"},
        {"old_string": "    return x;\n", "new_string": "    return x;\n    kap\n"}]);
    let moved = repo.apply(json!({"path": "f", "edits": edits}));
    repo.edit("f", "    return x;\n    kap\n", "    return x;\n    kap\n    kap\n");
    repo.edit("f", "    kap\n    kap\n", "    kap\n");
    repo.done(&["undo", &moved], "");
    assert_eq!(repo.text("f"), before);
}

/// Seen: "was taken back, and record ID did it again", of a record whose white space was in force.
#[test]
fn a_doubled_bracket_that_another_record_put_again_is_not_all_that_a_record_did() {
    let repo = TestRepo::with_files(&[("f", "theta\n}\n\n}\n    return x;\n}\n")]);
    let record = repo.edit("f", "}\n    return x;\n}\n", "}\n}\n  return x;\n}\n");
    repo.edit("f", "}\n}\n", "}\n");
    repo.edit("f", "}\n  return x;\n", "}\n}\n  return x;\n");
    let told = repo.redraft(&["undo", &record], "").json();
    assert_ne!(told["data"]["reason"], "nothing_to_undo", "{told}");
}

/// Seen: "nothing to undo", where the doubled bracket had only been moved.
#[test]
fn a_doubled_bracket_of_which_one_was_moved_is_not_said_to_be_taken_back() {
    let text = "fn a() {\n    one();\n}\n\nfn b() {\n    two();\n}\n\nfn c() {\n    three();\n}\n";
    let moved = [format!("{text}}}\n"), text.replace("    two();\n", "    two();\n}\n")];
    for now in &moved {
        for is_by_hand in [false, true] {
            let repo = TestRepo::with_files(&[("f", text)]);
            let id = repo.edit("f", "    one();\n}\n", "    one();\n}\n}\n");
            if is_by_hand {
                repo.write("f", now);
            } else {
                repo.apply(json!({"path": "f", "content": now, "overwrite": true}));
            }
            assert_eq!(repo.refused(&["undo", &id], ""), "undo_conflict", "{now}");
            assert_eq!(repo.text("f"), *now);
        }
    }
    // It was taken back, and another one moved; or there are no more of them than before.
    let repo = TestRepo::with_files(&[("f", text)]);
    let id = repo.edit("f", "    one();\n}\n", "    one();\n}\n}\n");
    repo.write("f", text);
    repo.apply(json!({"path": "f", "content": moved[1].replace("three();\n}\n", "three();\n"), "overwrite": true}));
    assert_eq!(repo.refused(&["undo", &id], ""), "nothing_to_undo");
    // Another one was put elsewhere by who took it.
    let repo = TestRepo::with_files(&[("f", text)]);
    let id = repo.edit("f", "    one();\n}\n", "    one();\n}\n}\n");
    repo.apply(json!({"path": "f", "content": format!("{text}\nfn d() {{\n    four();\n}}\n"), "overwrite": true}));
    assert_eq!(repo.refused(&["undo", &id], ""), "nothing_to_undo");
}

/// Seen: half of it was taken back, "f has its old lines back", where the other half had been moved by a line.
#[test]
fn of_brackets_around_lines_of_which_one_was_moved_none_goes() {
    let text = "top\none();\ntwo();\nthree();\n}\nlow\n";
    let wrapped = "top\n{\none();\ntwo();\n}\nthree();\n}\nlow\n";
    let moved = "top\n{\none();\n}\ntwo();\nthree();\n}\nlow\n";
    for is_by_hand in [false, true] {
        let repo = TestRepo::with_files(&[("f", text)]);
        let id = repo.apply(json!({"path": "f", "content": wrapped, "overwrite": true}));
        if is_by_hand {
            repo.write("f", moved);
        } else {
            repo.apply(json!({"path": "f", "content": moved, "overwrite": true}));
        }
        assert_eq!(repo.refused(&["undo", &id], ""), "undo_conflict", "{is_by_hand}");
        assert_eq!(repo.text("f"), moved);
    }
}

/// Seen: a bracket that one record moved came back where it had been, and stood as well where another one had moved it on.
#[test]
fn a_bracket_that_was_moved_and_moved_on_does_not_come_back_beside_itself() {
    for texts in [
        ["x;\nfn a {\n}\nfn b {\nx;\n}\n}\n", "x;\nfn a {\nfn b {\nx;\n}\n}\n}\n", "x;\n}\nfn a {\nfn b {\nx;\n}\n}\n"],
        ["}\n\n}\n}\n\n", "}\n}\n}\n\n", "}\n\n}\n}\n"],
    ] {
        let repo = TestRepo::with_files(&[("f", texts[0])]);
        let id = repo.apply(json!({"path": "f", "content": texts[1], "overwrite": true}));
        repo.write("f", texts[2]);
        let told = repo.redraft(&["undo", &id], "").json();
        let lines = |text: &str| {
            let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
            lines.sort();
            lines
        };
        assert!(told["data"]["reason"] == "undo_conflict" || lines(&repo.text("f")) == lines(texts[0]), "{told}");
    }
}

/// Seen: `b` stood there twice: that an unrelated record from before was undone too made older texts count, from before who took one of them for good.
#[test]
fn a_redo_does_not_double_a_line_that_an_undone_record_had_taken_and_this_one_put_again() {
    for is_with_another in [false, true] {
        let repo = TestRepo::with_files(&[("f", "q\na\nb\nb\nc\nd\nk1\nk2\nk3\nk4\n")]);
        let other = is_with_another.then(|| repo.edit("f", "k3", "K3"));
        repo.edit("f", "a\nb\nb\n", "a\nb\n");
        let took = repo.edit("f", "a\nb\n", "a\n");
        let put = repo.edit("f", "a\n", "a\nb\n");
        let undo = repo.done(&["undo", &put], "")["data"]["record"]["id"].as_str().expect("a record").to_owned();
        repo.done(&["undo", &took], "");
        if let Some(other) = other {
            repo.done(&["undo", &other], "");
        }
        let left = repo.text("f");
        assert_eq!(repo.refused(&["redo", &undo], ""), "nothing_to_undo", "{is_with_another}");
        assert_eq!(repo.text("f"), left);
    }
}

#[test]
fn a_bracket_comes_back_beside_no_other_where_a_person_put_back_by_hand_what_another_record_took_between_them() {
    let text = |between: &str| {
        format!("free\n{{\n  fr();\n}}\nflush\n{{\n{between}  ret ins;\n}}\ndelete\n{{\n  ret del;\n}}\n")
    };
    let block = "  fl();\n}\ninsert\n";
    let repo = with(&text(&format!("{block}{{\n")));
    repo.edit("f", &format!("{block}{{\n  ret"), "{\n  ret");
    let bracket = repo.edit("f", "flush\n{\n{\n  ret", "flush\n{\n  ret");
    repo.write("f", text(block));
    assert_eq!(repo.refused(&["undo", &bracket], ""), "undo_conflict");
    // A record of something else tells nothing more of it.
    repo.edit("f", "  fr();", "  free();");
    assert_eq!(repo.refused(&["undo", &bracket], ""), "undo_conflict");
}
