//! Texts of few lines, in which what stood around a change was put once more, edited, or taken away.
//!
//! Each is the smallest one in which a condition of `hunk`, `proof` or `answer` matters: without it another text would come out.

use super::objections::undone_after;
use super::*;

const AGAIN: Direction = Direction::PutAgain;

#[track_caller]
fn after_one_record([before, after]: [&str; 2], later: &str, today: &str, want: &Seen) {
    let [least, ..] = changes(before.as_bytes(), after.as_bytes());
    let edit = Edit::new(before.as_bytes(), after.as_bytes(), least).expect("an edit");
    let answer = undone_after(edit, &[[after, later]], today);
    assert_eq!(seen(&answer, today.as_bytes()), *want, "{answer:#?}");
}

#[test]
fn of_a_bracket_and_a_blank_line_that_were_put_around_a_line_the_one_that_is_left_goes() {
    undo("m()\n", "    }\nm()\n\n", "m()\n\n", &text("m()\n"));
    undo("\na\n", "  a\n\na\nb1\n", "  a\na\n", &text("a\n"));
}

#[test]
fn what_is_back_is_known_to_be_beside_a_line_that_somebody_put() {
    undo("{\nn(1)\n", "n(1)\nn(1)\n  b()\n", "\n{\nn(1)\n", &Seen::Done);
    undo("{\n  b()\n", "{\n", "{\n{\n  b()\n", &Seen::Done);
    undo("k(x)\n", "m(a)\nk(x)\n", "k(x)\nk(x)\nold(x)\n", &Seen::Done);
    undo("a\n\na\na\n", "a\na\n\na\na\n", "a\n\n", &Seen::Done);
}

#[test]
fn a_line_that_was_replaced_by_the_like_of_the_one_above_it_comes_back() {
    undo("b()\nnew()\n", "b()\nb()\n", "{\nb()\nb()\n", &text("{\nb()\nnew()\n"));
    undo("\na\na\n", "\na\n", "}\na\n", &text("}\na\na\n"));
}

#[test]
fn a_line_goes_between_two_of_which_one_was_doubled() {
    check(AGAIN, ["n(2)\n{\n", "n(2)\n", "n(2)\nn(2)\n{\n"], &text("n(2)\nn(2)\n"));
    check(AGAIN, ["  }\nb()\n", "b()\n", "  }\nb()\nb()\n"], &text("b()\nb()\n"));
    undo("", "top()\nend()\n", "top()\nend()\nend()\n", &text("end()\n"));
    // Where both were, it may stand in a copy.
    undo("m()\n  b()\n", "m()\n\n  b()\n", "m()\nm()\n\n  b()\n  b()\n", &Seen::Refused);
}

#[test]
fn a_blank_line_goes_or_comes_back_where_its_only_neighbour_is_gone_or_edited() {
    undo("x = a\n\n", "x = a\n", "x = ax\n", &text("x = ax\n\n"));
    undo("x, y, z\n", "x, y, z\n\n", "\n", &text(""));
    check(AGAIN, ["\nnew()\n", "new()\n", "\n"], &text(""));
    undo("use one;\n\n  l()\n", "\n  l()\n", "\n", &text("use one;\n\n"));
}

#[test]
fn a_line_is_put_again_beside_a_bracket_that_was_indented_anew_or_a_blank_line_that_stayed() {
    check(AGAIN, ["}\n", "}\nb\n", "  }\n"], &text("  }\nb\n"));
    check(AGAIN, ["    }\n\n", "    }\n\nn(2)\n", "c()\n\n"], &text("c()\n\nn(2)\n"));
    check(AGAIN, ["k()\nb()\nm(c)\nb()\n", "m(b)\nk()\nb()\nb()\n", "b()\nb()\n"], &text("m(b)\nb()\nb()\n"));
}

#[test]
fn a_line_comes_back_beside_one_that_stands_though_the_other_one_was_edited_or_went() {
    undo("x, y\n\nuse a::{b};\n", "use a::{b};\nx, y\n", "use a::{b, c};\nx, y\n", &text("x, y\n\nuse a::{b, c};\n"));
    undo("end()\nb()\nnew()\n", "end()\nb()\n", "{\nb()\nb()\n", &text("{\nb()\nb()\nnew()\n"));
    undo("x, y, z\nx = a\nl(d);\n", "x, y, z\nl(d);\n", "l(d);\nx, y\n", &text("x = a\nl(d);\nx, y\n"));
}

#[test]
fn nothing_is_taken_for_done_where_what_stood_beside_it_is_gone() {
    undo("\n", ", db\n\n", "b\n", &Seen::Refused);
    undo("l(d);\nuse a;\nl(d);\n", "use a;\nl(d);\nl(d);\n", "l(d);\nl(d);\n", &Seen::Refused);
    check(AGAIN, ["new()\n    }\n", "    }\n", "}\n"], &Seen::Refused);
}

#[test]
fn a_file_is_not_emptied_of_lines_that_may_be_others() {
    undo("b\na\n", "b\na\na\nb\n", "a\nb\n", &Seen::Refused);
    undo("a\n}\n", "b\na\na\n}\n", "b\na\n", &Seen::Refused);
    undo("\nx, y\n", "x, y\n\nx, y\n", "x, y\n\n}\n", &Seen::Refused);
    check(AGAIN, ["c()\nb()\nm(a)\n", "c()\n", "b()\nm(a)\nb()\n"], &Seen::Refused);
}

#[test]
fn a_line_is_not_put_where_the_ones_around_its_place_are_gone() {
    check(AGAIN, ["x = a\nl(c);\n\n", "l(c);\n\nl(c);\n", "x = a\n\n\n"], &Seen::Refused);
    check(AGAIN, ["old()\n}\n", "old()\n}\nold()\n", ""], &Seen::Refused);
    check(Direction::CarryTo, ["}\n}1\n", "}\n}\n", "}1\n"], &Seen::Refused);
    check(Direction::CarryTo, ["m(a)\nb()\n", "}\nb()\n", "m(a)\n"], &Seen::Refused);
}

#[test]
fn which_of_equal_lines_is_meant_is_not_guessed_beside_what_others_put() {
    undo("b()\nnew()\nb()\n", "b()\nb()\nnew()\n", "b()\nb()\n{\nnew()\n", &Seen::Refused);
    undo("z()\nl(c);\n}\n", "z()\nl(c);\nl(c);\nl(b);\n", "  z()\nl(c);\nend()\nl(c);\nl(b);\n", &Seen::Refused);
    undo("  b()\nend()\n", "b()\nend()\n", "end()\nb()\n", &Seen::Refused);
    check(Direction::CarryTo, ["b\nb\n", "b\n", "b\nb\n}\n"], &Seen::Refused);
    undo("\na\n\n", "\nb\n\na\n", "\nb\n\na\n\n", &Seen::Refused);
}

#[test]
fn lines_are_not_deleted_again_where_what_was_put_for_them_is_missing() {
    let (before, after) = ("}\nl(c);\nx = a\ntop()\n\n\n}\n", "top()\n}\n\n}\n");
    let today = "}\nl(c);\nx = a\n\n";
    let edit = Edit::by_lines(before.as_bytes(), after.as_bytes()).expect("an edit");
    let answer = answer(edit, Wanted::All, AGAIN, &[], today.as_bytes());
    assert_eq!(seen(&answer, today.as_bytes()), Seen::Refused, "{answer:#?}");
}

#[test]
fn the_log_tells_what_became_of_a_line_beside_which_a_later_record_wrote() {
    let (last, lines) = ("use a;\nx - b\nx + b", "use a;\nx - b\nx - b\n");
    let edit = ["x - b\nuse a;\nx + b", last];
    after_one_record(edit, lines, lines, &text("x - b\nuse a;\nx - b\n"));
    after_one_record(["", "    }\n"], "  b()\n    }\n", "m(a, b)\n", &Seen::Done);
    // It was moved since, which the log does not tell.
    after_one_record(["", "use a;\n"], "}\nuse a;\n", "use a;\n}\n", &text("}\n"));
}

#[test]
fn changes_that_cancel_each_other_out_are_done_already() {
    let change = |before: Range<usize>, after: Range<usize>| Change { before, after, origin: ORIGIN };
    let same = "x\na\ny\n";
    let made = vec![change(2..2, 2..4), change(2..4, 4..4)];
    let edit = Edit::new(same.as_bytes(), same.as_bytes(), made).expect("an edit");
    let answer = answer(edit, Wanted::All, Direction::TakeBack, &[], same.as_bytes());
    assert_eq!(seen(&answer, same.as_bytes()), Seen::Done, "{answer:#?}");
}

/// Above it stand as many lines as before, of which others were edited; its blank line alone would tell nothing.
#[test]
fn a_block_with_a_blank_line_goes_beside_a_bracket_though_there_is_one_bracket_more_above() {
    let (before, after) = ("first();\ntext\n}\nlast();\n", "first();\ntext\n}\n\nnew();\nlast();\n");
    undo(before, after, "}\nother\n}\n\nnew();\nlast();\n", &text("}\nother\n}\nlast();\n"));
}

#[test]
fn a_deleted_line_comes_back_above_the_line_that_stands_where_others_were_put_farther_above() {
    let (before, after) = ("impl x\n\n}\n}\nam\nrebase\n", "impl x\n\n}\n}\nrebase\n");
    undo(before, after, "\ntaken\n\n}\n}\nrebase\n", &text("\ntaken\n\n}\n}\nam\nrebase\n"));
}

#[test]
fn words_are_not_changed_in_a_line_to_which_others_were_put_beside_them() {
    undo("x = a - b\n", "l(a, c);\n", "l(a, c);, d\n", &Seen::Refused);
    undo("x = a - b\n", "l(a, c);\n", "d, l(a, c);\n", &Seen::Refused);
    undo("f(a)\n", "f(a, b)\n", "f(a, b + c)\n", &Seen::Refused);
    let (before, after) = ("m(a, b)\na()\nm(a, c)\n", "  m(a, b)\nk(x)\nn(1)\n");
    undo(before, after, "  m(,a, b)\nk(x)\nn(1)\n", &text("m(,a, b)\na()\nm(a, c)\n"));
    let turned = ["x = a + b\nend()\nx = a + b\n", "x = a + b\nx = a + b\nend()\n", "x = a + b\n  end()\nx = a + b\n"];
    check(AGAIN, turned, &Seen::Refused);
}

#[test]
fn a_line_goes_beside_a_blank_one_that_stands_in_its_own_lines_too() {
    undo("use a::{b, c};\n\n", "  \n\n", "  \n", &text("use a::{b, c};\n"));
    undo("}\nb()\n", "  \n}\n}\nb()\n", "  \n}\n}\nm(a, c)\n", &text("}\nm(a, c)\n"));
    undo("a\n}\na\n", "a\na\na\n\n", "a\n}\na\na\n\n", &Seen::Refused);
}

#[test]
fn a_deleted_line_comes_back_beside_the_one_that_stands_and_not_where_others_were_moved() {
    let (before, after) = ("end()\n}\nx, y\nuse a::{b, c};\n", "end()\n}\nuse a::{b, c};\n");
    let (today, want) = ("  l(a, b, c);\nuse a::{b};\n}\n", "x, y\nuse a::{b, c};\n");
    undo(before, after, &format!("{today}use a::{{b, c}};\n"), &text(&format!("{today}{want}")));
    undo("}\nold(x, y)\n  b()\n  b()\n", "}\n  b()\n  b()\n", "  b()\n}\n  b()\n", &Seen::Refused);
    let (before, after) = ("x, y\nuse a;\n}\n  l(c);\n", "use a;\nx, y\nuse a;\n  l(c);\n");
    undo(before, after, "use a;\nuse a;\n", &Seen::Refused);
}
