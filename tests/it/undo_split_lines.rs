//! Splices that begin or end within a line, equal lines beside them, and what git discarded: told by the log, or not guessed.

use crate::undo_equal_lines::{holds, inverted, twice, with};

/// The splices begin and end within lines; said of whole lines they are told.
#[test]
fn a_line_goes_where_later_edits_of_parts_of_lines_doubled_it() {
    let repo = with("}K;\n}\n}K;\n");
    let first = repo.edit("f", "}\n", "}\nK;\n");
    repo.edit("f", ";\n}K", "");
    repo.edit("f", "\nK", "\nK;\nK");
    repo.done(&["undo", &first], "");
    holds(&repo, "}K;\n}\nK;\n");
}

#[test]
fn what_git_took_back_is_told_so_by_its_only_hunk_too() {
    let repo = with("end\n");
    repo.edit("f", "d\n", "d\nK;\n");
    let first = repo.edit("f", "K;", "K;\nfoo w");
    repo.git(&["checkout", "-q", "--", "f"]);
    assert_eq!(repo.refused(&["undo", &first, "--hunk", "1"], ""), "nothing_to_undo");
}

#[test]
fn a_doubled_line_is_not_guessed_in_a_moved_file_that_somebody_changed_and_committed() {
    let repo = with("}\nfoo x\n");
    let first = repo.edit("f", "foo x\n", "foo x\nfoo x\n");
    repo.edit("f", "x\nfoo", "x\nfoo w\nfoo");
    repo.edit("f", "o w\nfoo x\n", "o x\nfoo w\n}K;\n");
    std::fs::rename(repo.root().join("f"), repo.root().join("h")).expect("a file");
    repo.write("h", "foo x\nfoo x\nfoo x\nfoo w\n}K;\n");
    repo.commit_all("all");
    repo.edit("h", "o x\nfoo w\n", "o w\n");
    assert_eq!(repo.refused(&["undo", &first], ""), "undo_conflict");
}

#[test]
fn a_last_line_without_an_end_that_another_took_does_not_come_back_by_a_redo() {
    let repo = with("  K;");
    let first = repo.edit("f", "  K;", "  K;K;\n  K;\n");
    repo.done(&["undo", &first], "");
    repo.edit("f", "  K;", "");
    assert_eq!(repo.refused(&["redo", &first], ""), "undo_conflict");
}

#[test]
fn an_undo_that_git_discarded_is_made_again_though_a_later_record_took_the_line_that_is_back() {
    let repo = with("  K;\nend");
    let first = repo.edit("f", "K;\n", "K;\n  K;\n");
    repo.write("f", "  K;\n  K;\nendend");
    let second = inverted(&repo, &["undo", &first]);
    repo.edit("f", "  K;\n", "");
    repo.git(&["checkout", "-q", "--", "f"]);
    repo.done(&["undo", &second], "");
    holds(&repo, "  K;\n  K;\nend");
}

#[test]
fn a_last_line_without_an_end_comes_back_though_a_later_record_took_another_one_like_it() {
    let repo = with("K;\n  K;");
    let first = repo.edit("f", "  K;", "end\n");
    repo.edit("f", "K;\n", "");
    repo.done(&["undo", &first], "");
    holds(&repo, "  K;");
}

#[test]
fn lines_go_in_a_moved_file_together_with_the_record_that_took_the_line_above_them() {
    let repo = with("foo w\n");
    let first = repo.edit("f", "oo", "oo w\n}\nx");
    repo.edit("f", "x w\n", "x w\nx w\n");
    repo.edit("f", "}\nx w", "}\nx w\n}K;");
    repo.git(&["mv", "f", "k"]);
    let second = repo.edit("k", "foo w\n}\n", "");
    repo.done(&["undo", &second, &first], "");
    assert_eq!(repo.text("k"), "foo w\n}K;\nx w\n");
}

#[test]
fn a_line_comes_back_at_the_start_of_a_file_where_a_redo_put_its_like_within_another_line() {
    let repo = with("  K;\nend");
    let first = repo.edit("f", "nd", "nd  K;\nend");
    repo.done(&["undo", &first], "");
    let second = repo.edit("f", "  K;\n", "");
    repo.done(&["redo", &first], "");
    repo.done(&["undo", &second], "");
    holds(&repo, "  K;\nend  K;\nend");
}

#[test]
fn what_git_took_back_in_a_file_that_it_moved_is_told_so_and_nothing_staged_is_missed() {
    let repo = with("}\nfoo x\n");
    let first = repo.edit("f", "}\n", "K;\nK;\n}\n");
    repo.git(&["checkout", "-q", "--", "f"]);
    repo.git(&["mv", "f", "h"]);
    assert!(repo.said(&["undo", &first]).contains("taken back already; there is nothing to do"));
}

#[test]
fn a_redo_is_taken_back_once_with_the_edit_that_it_did_again() {
    let repo = with("K;\nx w\nfoo w\nfoo w\n}K;\n");
    let first = repo.edit("f", "x", "K;\nx");
    let second = inverted(&repo, &["undo", &first]);
    repo.edit("f", "oo w\nfoo w\n", "oo w\nfoo x\n");
    let third = inverted(&repo, &["redo", &second]);
    let fourth = inverted(&repo, &["undo", &third]);
    let fifth = inverted(&repo, &["redo", &fourth]);
    repo.done(&["undo", &fifth, &first], "");
    holds(&repo, "K;\nx w\nfoo w\nfoo x\n}K;\n");
}

#[test]
fn a_last_line_is_not_guessed_where_somebody_wrote_between_two_places_of_a_record() {
    let repo = with("  K;\nend");
    let first = twice(&repo, "f", [["end", ""], ["  K;\n", "\n  K;\n\n"]]);
    repo.write("f", "\nx w\n  K;\n\n");
    let second = repo.edit("f", "\nx ", "  }\n\nx ");
    assert_eq!(repo.refused(&["undo", &first, &second], ""), "undo_conflict");
}

#[test]
fn a_redo_is_not_made_where_somebody_wrote_its_line_elsewhere_after_the_redo_of_another() {
    let repo = with("foo w\nfoo w\n");
    let first = repo.edit("f", "foo w\nfoo w", "foo w\nfoo w\nK;");
    let second = repo.edit("f", "K;\n", "K;\nx w\n\n");
    let third = inverted(&repo, &["undo", &first]);
    let fourth = inverted(&repo, &["undo", &second]);
    repo.done(&["undo", &fourth], "");
    repo.write("f", "foo w\nfoo w\nx w\n\n}K;\nK;\nend\n");
    assert_eq!(repo.refused(&["undo", &third], ""), "undo_conflict");
}

#[test]
fn a_block_without_an_end_is_not_guessed_where_a_later_record_changed_a_line_of_it() {
    let repo = with("foo w\n\nx w\n  }\n  K;\nfoo x\n");
    repo.write("f", "foo w\n\n\n\n  }\n  K;\nfoo x\n  }\nfoo w\nfoo w\n");
    repo.edit("f", "foo x", "}\n\nfoo x");
    let first = repo.edit("f", "foo w\n\n\n", "foo w\n\n\nK;\nK;\nK;");
    repo.edit("f", "K;\nK;\n  }\n", "\nK;\n  }\n");
    assert_eq!(repo.refused(&["undo", &first], ""), "undo_conflict");
}

#[test]
fn a_last_line_without_an_end_is_not_guessed_after_somebody_replaced_the_whole_text() {
    let repo = with("foo x\n}");
    repo.edit("f", "}", "}}");
    let first = repo.edit("f", "}}", "}}}}");
    let second = inverted(&repo, &["undo", &first]);
    let third = inverted(&repo, &["undo", &second]);
    repo.write("f", "foo x\nend\nK;\nend\n");
    twice(&repo, "f", [["K;", "K;\n  K;\nK;\n}K;"], ["foo x\n", "  }\n}K;\n}K;\nfoo x\n"]]);
    assert_eq!(repo.refused(&["undo", &third], ""), "undo_conflict");
}
