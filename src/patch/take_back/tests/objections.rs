//! What speaks against a place, each with the smallest texts that show it: without the objection the wrong text would come out.

use super::*;

const NONE: &Seen = &Seen::Refused;

/// Why the first hunk that is not proven is refused, with the lines of today that the reason names.
fn why(before: &str, after: &str, today: &str) -> (Reason, String) {
    let answer = judge(before.as_bytes(), after.as_bytes(), Direction::TakeBack, today.as_bytes()).swap_remove(1);
    let Outcome::Refused(refused) = answer.outcome() else { panic!("{answer:?}") };
    let reason = refused[0].1.reason.clone();
    let named = match &reason {
        Reason::StandsElsewhere(at) | Reason::PartlyTakenBack(at) | Reason::MayBeEdited(at) => {
            today[at.clone()].to_owned()
        }
        _ => String::new(),
    };
    (reason, named)
}

#[test]
fn a_deleted_line_that_stands_elsewhere_is_not_doubled() {
    let (before, after, today) = ("a()\nb()\nc()\n", "a()\nc()\n", "a()\nc()\nb()\n");
    undo(before, after, today, NONE);
    assert!(matches!(why(before, after, today), (Reason::StandsElsewhere(_), line) if line == "b()\n"));
}

#[test]
fn a_deleted_line_that_stands_elsewhere_indented_anew_is_named() {
    let (before, after, today) = ("a()\nb(x)\nc()\n", "a()\nc()\n", "a()\nc()\n    b(x)\nd()\n");
    undo(before, after, today, NONE);
    let (reason, line) = why(before, after, today);
    assert!(matches!(reason, Reason::StandsElsewhere(_)) && line == "    b(x)\n", "{reason:?} {line:?}");
}

#[test]
fn a_deleted_line_of_which_the_edit_left_another_one_comes_back_though_that_is_indented_anew() {
    let (before, after) = ("a()\nk()\nb()\nk()\nc()\n", "a()\nb()\nk()\nc()\n");
    undo(before, after, "a()\nb()\n  k()\nc()\n", &text("a()\nk()\nb()\n  k()\nc()\n"));
}

#[test]
fn a_replaced_line_comes_back_though_it_stands_elsewhere_indented_anew() {
    undo("a()\nb(x)\nc()\n", "a()\nn()\nc()\n", "a()\nn()\nc()\n  b(x)\n", &text("a()\nb(x)\nc()\n  b(x)\n"));
}

#[test]
fn a_bracket_or_a_blank_line_in_two_hunks_makes_them_no_move() {
    for (line, rest) in [("}\n", "m()\n}\n"), ("\n", "m()\n")] {
        let before = format!("a()\none()\n{line}b()\nc()\nd()\n{rest}");
        let after = format!("a()\nb()\nc()\ntwo()\n{line}d()\n{rest}");
        let moved = 6 + line.len();
        let changes = vec![
            Change { before: 4..4 + moved, after: 4..4, origin: ORIGIN },
            Change { before: 12 + moved..12 + moved, after: 12..12 + moved, origin: ORIGIN },
        ];
        let edit = Edit::new(before.as_bytes(), after.as_bytes(), changes).expect("an edit");
        // The first was taken back by hand.
        let today = format!("a()\none()\n{line}b()\nc()\ntwo()\n{line}d()\n{rest}");
        let answer = answer(edit, Wanted::All, Direction::TakeBack, &[], today.as_bytes());
        assert_eq!(seen(&answer, today.as_bytes()), text(&before), "{answer:#?}");
    }
}

#[test]
fn an_added_line_that_was_moved_is_not_said_to_be_gone() {
    let (before, after) = ("one()\ntwo()\n", "new()\none()\ntwo()\n");
    undo(before, after, "one()\ntwo()\nnew()\n", NONE);
    undo(before, after, before, &Seen::Done);
}

#[test]
fn a_line_that_both_texts_have_as_often_does_not_speak_against_what_was_taken_back() {
    let (before, after) = ("a()\nk()\nm()\nz()\nk()\n", "a()\nn()\nk()\nz()\nk()\n");
    undo(before, after, &format!("{before}k()\n"), &Seen::Done);
}

#[test]
fn of_two_lines_that_could_end_what_was_added_neither_is_taken() {
    let added = |lines: &str| format!("top()\n{lines}end()\n");
    let undone = |new: &str, today: &str, want: &Seen| undo(&added(""), &added(new), &added(today), want);
    undone("a()\nb()\n", "a()\nb()\nu()\nb()\n", NONE);
    undone("b()\na()\n", "b()\nu()\nb()\na()\n", NONE);
    let today = added("a()\nb()\nu()\nb()\n");
    check(Direction::CarryTo, [&added("a()\nb()\n"), &added(""), &today], NONE);
    // The end that stands beside its neighbour is told by that.
    undone("}\na()\n", "}\na()\nu()\n}\n", &text(&added("u()\n}\n")));
    undone("a()\n}\n", "}\nu()\na()\n}\n", &text(&added("}\nu()\n")));
}

/// Seen: refused as "one of its lines stands elsewhere", where another record had doubled the blank line at the end of the file.
#[test]
fn a_block_goes_whose_last_line_was_doubled_beside_it() {
    let (before, after) = ("a()\n\nmatch\n", "a()\n\nmatch\ntaken()\nheld()\n\n");
    undo(before, after, "a()\n\nmatch\ntaken()\nheld()\n\n\n", &text("a()\n\nmatch\n\n"));
    // At the first line of one, and of a line with words.
    let (before, after) = ("match\nz()\n", "match\nheld()\ntaken()\nz()\n");
    undo(before, after, "match\nheld()\nheld()\ntaken()\nz()\n", &text("match\nheld()\nz()\n"));
    // One more of them is elsewhere: that may be the record's own.
    undo(before, after, "held()\nmatch\nheld()\nheld()\ntaken()\nz()\n", NONE);
    let (before, after) = ("a()\nmatch\n", "a()\nmatch\ntaken()\nheld()\n\n");
    undo(before, after, "a()\nmatch\ntaken()\nheld()\n\n\nnew()\n", &text("a()\nmatch\n\nnew()\n"));
    // Whoever wrote a paragraph behind it put the blank line behind that.
    undo(before, after, "a()\nmatch\ntaken()\nheld()\n\nnew()\n\n", &text("a()\nmatch\nnew()\n\n"));
}

#[test]
fn a_bracket_does_not_come_back_behind_what_was_put_before_it() {
    let around = |lines: &str| format!("top()\n{lines}end()\n");
    undo(&around("}\nx()\n"), &around("new()\n"), &around("mine()\nnew()\n"), NONE);
    undo(&around("x()\n}\n"), &around("new()\n"), &around("new()\nmine()\n"), NONE);
}

#[test]
fn a_place_is_not_told_by_a_line_that_was_moved_away() {
    undo("top()\none()\ngone()\ntwo()\nend()\n", "top()\none()\ntwo()\nend()\n", "top()\ntwo()\nend()\none()\n", NONE);
}

#[test]
fn lines_of_which_one_is_back_are_not_put_beside_it_again() {
    let (before, after, today) = ("top()\nx()\nx()\nend()\n", "top()\nnew()\nend()\n", "top()\nnew()\nx()\nend()\n");
    undo(before, after, today, NONE);
    assert!(matches!(why(before, after, today), (Reason::PartlyTakenBack(_), line) if line == "x()\n"));
}

#[test]
fn of_a_line_and_its_edited_copy_neither_is_taken() {
    let (before, after) = ("top()\nend()\n", "top()\nnew(line, one)\nend()\n");
    let today = "top()\nnew(line, one)\nnew(line, two)\nend()\n";
    undo(before, after, today, NONE);
    assert!(matches!(why(before, after, today), (Reason::MayBeEdited(_), line) if line == "new(line, two)\n"));
    // Nor where the copy is the first line of the file.
    let (before, after, today) = ("", "new(line, one)\n", "new(line, two)\nnew(line, one)\n");
    undo(before, after, today, NONE);
}

#[test]
fn what_stands_between_lines_that_changed_sides_is_not_replaced() {
    let with = |line: &str| format!("top()\nl()\n{line}r()\nend()\n");
    undo(&with("old()\n"), &with("new()\n"), "top()\nr()\nnew()\nl()\nend()\n", NONE);
}

#[test]
fn a_place_is_not_told_by_a_line_that_may_be_the_one_that_is_gone() {
    let (before, after) =
        ("a()\nkeep(one, two)\ngone()\nkeep(one, three)\nz()\n", "a()\nkeep(one, two)\nkeep(one, three)\nz()\n");
    let today = "a()\nkeep(one, three)\nz()\n";
    undo(before, after, today, NONE);
    assert!(matches!(why(before, after, today), (Reason::MayBeEdited(_), line) if line == "keep(one, three)\n"));
    let first = "keep(one, three)\nz()\n";
    undo(&before[4..], &after[4..], first, NONE);
}

#[test]
fn nothing_to_take_back_is_done_already() {
    for today in ["", "d", "d\n"] {
        let answer = answer(
            Edit::new(b"", b"", Vec::new()).expect("an edit"),
            Wanted::All,
            Direction::TakeBack,
            &[],
            today.as_bytes(),
        );
        assert_eq!(
            (seen(&answer, today.as_bytes()), answer.patch_of_what_fits().apply(today.as_bytes())),
            (Seen::Done, today.into())
        );
        let change = Change { before: 0..0, after: 0..0, origin: ORIGIN };
        let edit = Edit::new(b"", b"", vec![change]).expect("an edit");
        assert_eq!(
            seen(&super::answer(edit, Wanted::All, Direction::TakeBack, &[], today.as_bytes()), today.as_bytes()),
            Seen::Done
        );
    }
}

#[test]
fn a_line_that_grew_by_the_words_of_a_deleted_one_is_no_neighbour_of_it() {
    undo("a(1)\nmoved(x)\nb(2)\n", "a(1)\nb(2)\n", "a(1) moved(x)\nb(2)\n", NONE);
    // White space and an ending are no growth.
    check(Direction::CarryTo, ["a", "b\na", "a\n"], &text("b\na\n"));
    check(Direction::CarryTo, ["d\n", "d\nd", "d"], NONE);
}

#[test]
fn a_first_line_comes_back_before_the_first_of_two_that_were_doubled() {
    undo("b()\ne()\n", "e()\n", "e()\ne()\nc()\n", &text("b()\ne()\ne()\nc()\n"));
}

#[test]
fn an_added_line_that_stands_before_its_neighbour_is_not_taken_out() {
    undo("c()\n", "c()\ne()\n", "e()\nc()\nd()\n", NONE);
}

#[test]
fn words_are_not_changed_in_a_line_whose_neighbours_are_gone() {
    undo("l()\nold(a, b)\nr()\n", "l()\nold(a, c)\nr()\n", "x()\nold(z, c)\ny()\n", NONE);
}

#[test]
fn a_last_line_without_its_ending_hides_no_line_above_it() {
    let around = |line: &str| format!("x = 1\n{line}x = 1\nx = 2\na");
    let carried = |line: &str| format!("x = 1\n{line}x = 1\n  x = 2\na\n");
    let texts = [&around("let x = a - c;\n")[..], &around("call(it);\n"), &carried("let x = a - c;\n")];
    check(Direction::CarryTo, texts, &text(&carried("call(it);\n")));
}

#[test]
fn lines_between_which_nothing_is_left_come_back_at_one_place_for_both_edits() {
    let (before, after, today) = ("a()\nx()\nk()\ny()\nb()\n", "a()\nk()\nb()\n", "a()\nb()\n");
    let change = |before: Range<usize>, at: usize, edit| Change {
        before,
        after: at..at,
        origin: Origin { edit, strategy: Strategy::Exact },
    };
    let edit = Edit::new(before.as_bytes(), after.as_bytes(), vec![change(4..8, 4, 0), change(12..16, 8, 1)]);
    let answer = answer(edit.expect("an edit"), Wanted::All, Direction::TakeBack, &[], today.as_bytes());
    assert_eq!(seen(&answer, today.as_bytes()), text("a()\nx()\ny()\nb()\n"), "{answer:?}");
    let edits: Vec<Vec<usize>> = answer
        .patch_of_what_fits()
        .splices()
        .iter()
        .map(|splice| splice.origin.iter().map(|origin| origin.edit).collect())
        .collect();
    assert_eq!(edits, [[0, 1]]);
}

/// What becomes of an edit after which the log has these texts, each made of the one before it by a record.
pub(super) fn undone_after<'t>(edit: Edit<'t>, later: &[[&'t str; 2]], today: &str) -> Answer {
    let later: Vec<Edit<'_>> = later
        .iter()
        .map(|[before, after]| {
            let [least, ..] = changes(before.as_bytes(), after.as_bytes());
            Edit::new(before.as_bytes(), after.as_bytes(), least).expect("an edit")
        })
        .collect();
    answer(edit, Wanted::All, Direction::TakeBack, &later, today.as_bytes())
}

#[test]
fn what_was_taken_back_beside_a_later_record_s_line_is_known_to_be() {
    let [least, ..] = changes(b"", b"b()\n");
    let edit = Edit::new(b"", b"b()\n", least).expect("an edit");
    let answer = undone_after(edit, &[["b()\n", "e()\nb()\n"]], "e()\n");
    assert_eq!(seen(&answer, b"e()\n"), Seen::Done, "{answer:?}");
}

#[test]
fn each_hunk_is_of_its_own_change_also_where_the_log_has_a_gap() {
    let change = |at: usize| Change { before: at..at + 2, after: at..at + 2, origin: ORIGIN };
    let edit = Edit::new(b"a\nk\nb\n", b"A\nk\nB\n", vec![change(0), change(4)]).expect("an edit");
    let today = "A\nk\nB\nu\nv\n";
    let answer = undone_after(edit, &[["A\nk\nB\nu\n", today]], today);
    assert_eq!(seen(&answer, today.as_bytes()), text("a\nk\nb\nu\nv\n"));
    assert_eq!(answer.hunks().iter().map(|hunk| hunk.changes.clone()).collect::<Vec<_>>(), [[0], [1]]);
}

/// Seen: "a line here may be one of its own, changed since", of a line that was there already and like another one that went.
#[test]
fn deleted_lines_between_two_that_stand_together_though_one_has_a_like_that_went() {
    let before = "#[test]\nfn one() {\n    check(1);\n}\n\n#[test]\nfn two() {\n    let a = 1;\n    let b = 2;\n}\n";
    let after = before.replace("fn one() {\n    check(1);\n", "");
    let today = "#[test]\n}\n\n    let a = 1;\n    let b = 2;\n#[test]\nfn two() {\n}\n";
    let want = today.replacen("#[test]\n", "#[test]\nfn one() {\n    check(1);\n", 1);
    undo(before, &after, today, &text(&want));
    // Two such places, then or now: either may be meant.
    let twice = |text: &str| text.replace("    let b = 2;\n", "    let b = 2;\n#[test]\n}\n");
    undo(&twice(before), &twice(&after), today, &Seen::Refused);
    undo(before, &after, &twice(today), &Seen::Refused);
}
