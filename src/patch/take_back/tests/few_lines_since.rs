//! Texts of few lines, of which the log has what records did since, or in which only one thing speaks for or against a place.
//!
//! Each is the smallest one in which a condition of `commute`, `settled`, `judge`, `guard` or `within` matters: without it another text would
//! come out, or none.

use super::objections::undone_after;
use super::*;

const AGAIN: Direction = Direction::PutAgain;

/// Undoes the first of the steps between texts, of which the log has all but the last one, to today's.
#[track_caller]
fn since(texts: &[&str], want: &Seen) {
    let [before, after, .., today] = texts else { panic!("too few texts") };
    let [least, ..] = changes(before.as_bytes(), after.as_bytes());
    let edit = Edit::new(before.as_bytes(), after.as_bytes(), least).expect("an edit");
    seen_since(edit, texts, today, want);
}

/// The same for an edit that is told by its lines.
#[track_caller]
fn by_lines_since(texts: &[&str], want: &Seen) {
    let [before, after, .., today] = texts else { panic!("too few texts") };
    seen_since(Edit::by_lines(before.as_bytes(), after.as_bytes()).expect("an edit"), texts, today, want);
}

#[track_caller]
fn seen_since(edit: Edit<'_>, texts: &[&str], today: &str, want: &Seen) {
    let later: Vec<[&str; 2]> = texts[1..texts.len() - 1].windows(2).map(|pair| [pair[0], pair[1]]).collect();
    let answer = undone_after(edit, &later, today);
    assert_eq!(seen(&answer, today.as_bytes()), *want, "{answer:#?}");
}

#[test]
fn a_line_comes_back_beside_one_that_a_later_record_changed() {
    since(&["m(b)\nm(c)\nb()\n", "m(b)\nb()\n", "ym(b)\nb()\n", "ym(b)\nb()\n"], &text("ym(b)\nm(c)\nb()\n"));
    since(&["}\n\n", "}\n", "}x\n", "}x\n"], &text("}x\n\n"));
    since(&["}\nb\n", "}\n", "a\n", "xa\n", "xa\n"], &text("xa\nb\n"));
    since(&["b\nb\n}\n", "b\n", "\nb\nb\n", "b\nb\n"], &text("b\nb\nb\n}\n"));
    let lines = ["x, y\nuse b;\nuse b;\nx = a\n", "x, y\nuse b;\nx = a\n", "use b;\n", "use b;\nx = a\n", "use b;\n"];
    since(&lines, &text("use b;\nuse b;\n"));
    since(&["a\n\n", "\na\n", "\n}\n", "\n}\n"], &text("}\n\n"));
    by_lines_since(&["  l(b)\n\n", "\nl(c)\n", "\nl(c)\nend()\n", "\nl(c)\nend()\n"], &text("  l(b)\n\nend()\n"));
    let lines = ["use d;\n\nuse b;\n", "\nend()\nuse b;\n", "\nend()\nuse by;\n", "\nend()\nuse by;\n"];
    by_lines_since(&lines, &text("use d;\n\nuse by;\n"));
}

#[test]
fn a_line_goes_beside_what_a_later_record_put_or_took() {
    since(&["\nb\n", "\nb\n\n", "b\n\n1\n", "\n1\n"], &text("1\n"));
    since(&["}\n", "m()\n", "  b()\nm()\nn(2)\n", "m()\nn(2)\n"], &text("}\nn(2)\n"));
    since(&["\n", "c()\n", "c()\n\n", "c()\n\n"], &text("\n\n"));
    since(&["end()\n}\n", "}\n}\n", "}\n    }\n", "}\n"], &text("end()\n"));
    since(&["m(b)\nc()\n", "c()\n", "n(2)", "n(2)\n"], &text("m(b)\nn(2)\n"));
    since(&["k()\n", "{\nk()\n{\n", "{\n\n{\n", "{\n\n{\n"], &text("\n"));
    since(&["a\n", "  b\na\na\n", "a\n  b\na\na\n", "a\n  b\na\na\n\n"], &text("a\na\n\n"));
    since(&["", "\nl()\n", "\n\nl()\n", "use c;\n\nl()\n", "use c;\n\nl()\n"], &text("use c;\n"));
    since(&["b", "b\nb\na\na", "a\na\nb\nb\na\na\n", "a\na\nb\nb\na\na\na\n"], &text("a\na\nb\na\n"));
    let lines = ["    }\n  b()\nend()\na()\n", "  b()\na()\n", "  b()\n  a()\n", "  a()\n}\n"];
    since(&lines, &text("    }\nend()\n  a()\n}\n"));
    let lines = ["\na()\n", "a()\n    }\n", "m()\n    }\n", "m()\n    }\nend()\n", "    }\nend()\n"];
    since(&lines, &text("\nend()\n"));
}

/// What was moved, and is gone since, does not come back at its old place.
#[test]
fn of_a_move_the_line_that_is_gone_since_stays_away() {
    since(
        &["m(b)\nn(1)\n", "n(1)\nn(1)\nm(b)\n", "m(c)\nn(1)\nn(1)\nm(b)\n", "m(c)\nn(1)\nn(1)\n"],
        &text("m(c)\nn(1)\n"),
    );
    since(&["n(2)\nk()\n", "k()\nn(2)\nn(2)\n", "k()\nn(2)\nn(2)\n}\n", "n(2)\nn(2)\n}\n"], &text("n(2)\n}\n"));
}

#[test]
fn a_line_that_is_gone_is_known_to_be_beside_a_later_record_s_lines() {
    since(&["", "}\n", "{\n}\n", "{\n"], &Seen::Done);
    since(&["", "}\n", "}\nb()\n", "b()\n"], &Seen::Done);
    since(&["", "\n", "\nl(c)\n", "l(c)\n"], &Seen::Done);
}

#[test]
fn where_a_later_record_wrote_at_the_same_place_nothing_is_guessed() {
    by_lines_since(
        &["a()\nend()\n", "end()\nend()\nn(1)\n", "}\nend()\nend()\nn(1)\n", "}\nend()\nend()\nn(1)\n"],
        &Seen::Refused,
    );
    for texts in [
        ["", "a\n", "a\na", "a\na\n"],
        ["new()\n}\n", "{\nnew()\n", "{\nnew()\nnew()\n", "{\nnew()\nnew()\n"],
        ["\n\n", "\ny(\n", "y(\n}\ny(\n", "}\ny(\n"],
        ["a\nb\n}\n", "b\nb\n}\n", "b\n", "b\n"],
        ["k()\n", "n(2)\nk()\n", "k()\nn(2)\n", "k()\nn(2)\n"],
        ["", "}\n", "  }\n}\n}\n", "}\n}\n"],
        ["}\n    }\n", "    }\n", "a()\n", "a()\n"],
        ["b\n", "b\nax\n", "ax\nb\nb\n", "b\nb\n"],
        ["x = a + b", "top()\nx = a + b\n", "top()\nx = a + b\n  l(c)\n", "top()\nx = a + b\n  l(c)\n"],
        ["}\n\nc()\nk()\n", "}\nc()\n", "}\n", "    }\n"],
        ["end()\nc()\n", "c()\nend()\na()\n", "c()\na()\n", "c()\n"],
        ["b()\n", "}\nb()\n\n", "}\n", ""],
    ] {
        since(&texts, &Seen::Refused);
    }
}

#[test]
fn words_go_out_of_a_line_that_was_indented_anew_and_keeps_its_names() {
    undo("l(a, b, d);\nx = a\n", "l(a, b,d);\nl(a, c);\n", "  l(a, b,d);\nl(a, c);\n", &text("  l(a, b, d);\nx = a\n"));
    // The line keeps no name that is its own.
    undo("a()\n", ", da()\n", ", da(),\n", &Seen::Refused);
    undo("x, y\nuse a::{b, c};\n", "x, y\nl(a, b, c);\n", "  l(a, b, c);\nx, y\nl(a b c);\n", &Seen::Refused);
}

#[test]
fn a_line_comes_back_or_goes_though_it_is_all_that_is_left_of_what_stood_beside_it() {
    undo("\nm()\n", "\n", "", &text("m()\n"));
    undo("}\na\n", "a\n}\na\n", "a\n}\n", &text("}\n"));
    undo("a()\nc()\n", "c()\n  b()\n", "a()\n  b()\n", &text("a()\n"));
    undo("n(1)\n", "\nnew()\nn(1)\n{\n", "\nnew()\nnew()\nn(1)\n", &text("new()\nn(1)\n"));
    undo("x = a\n\nend()\n", "x = a\n\n", "\nx = a\n", &text("\nx = a\nend()\n"));
    undo("\na\n", "}b\n", "}b\n\n", &text("\na\n\n"));
    undo("", "\n\na\na\n", "\n\n\na\na\n", &text("\n"));
    undo("\nend()\n", "end()\n", "end()\n\n", &text("\nend()\n\n"));
    undo("\na\na\n", "\n\na\n\n(a\n", "\n\na\n\n(a\n  }\n", &text("\na\na\n  }\n"));
    undo("x, y\n  l();\n", "  l();\nuse b;\n", "  l();\nuse b;", &text("x, y\n  l();"));
    undo("new()\nk()", "new()\n", "", &text("k()"));
    check(AGAIN, ["}\nn(2)\n}\n", "n(2)\n", "n(2)\n}\n"], &text("n(2)\n"));
    check(AGAIN, ["new()\n", "new()\nm(a)\n", "b()\nnew()\n"], &text("b()\nnew()\nm(a)\n"));
    check(AGAIN, ["a\nb\na\nb\n", "a\nb\nb\n", "a\na\nb\na\nb\n"], &text("a\na\nb\nb\n"));
    check(Direction::CarryTo, ["n(1)\n\n", "end()\nn(1)\n", "{\nn(1)\n"], &text("{\nend()\nn(1)\n"));
}

/// The log has a step over which nothing can be followed: the texts are looked at.
#[test]
fn lines_that_stand_once_are_found_though_the_file_was_emptied_in_between() {
    let found = |texts: [&str; 4], want: &str| since(&texts, &text(want));
    found(["l(d);\nuse b;\nend()\n", "l(d);\nend()\n", "", "end()\n"], "use b;\nend()\n");
    found(["new()\nn(1)\nc()\n{\n", "new()\nc()\n{\n", "", "new()\n"], "new()\nn(1)\n");
}

#[test]
fn a_bracket_or_an_equal_line_is_not_put_or_taken_where_another_one_may_be_it() {
    undo("a\na\n", "a\nb\n", "b\na\nb\n", &Seen::Refused);
    undo("c()\n}\n", "}\nc()\n", "}\nc()\n}\n", &Seen::Refused);
    undo("\n", "}\n", "", &Seen::Refused);
    undo("new()\n}\n", "new()\n", "new()\nnew()\n", &Seen::Refused);
    undo("}\nc()", "}\n}\nc()\n", "1}\n}\nc()\n", &Seen::Refused);
    undo("m()\n", "m()\nm()\n{\n", "{\nm()\n{\n", &Seen::Refused);
    undo("b\n", "b\nb\n}\n", "bb\nb\n}\n", &Seen::Refused);
    undo("}\n},\n", "}\n}\n", "\n}\n}\n},\n", &Seen::Refused);
    check(AGAIN, ["m(c)\n}\na()\nc()\n", "m(c)\na()\n", "}\na()\n"], &Seen::Refused);
    // Half of a line is not glued to another.
    check(AGAIN, ["  l(a, b, c);\n", "  l(a, b, c);\ntop()", "  l(a, b, cx);"], &Seen::Refused);
}

#[test]
fn a_text_that_is_as_the_record_left_it_goes_back_to_what_was_before_it_whatever_the_log_has() {
    since(&["b\n\nb\n", "b\n\n", "b\n", "b\n\n"], &text("b\n\nb\n"));
}

#[test]
fn a_line_does_not_come_back_between_lines_of_which_one_was_moved_and_all_are_gone() {
    let (before, after) = ("new()\nend()\n}\n  b()\nnew()\n", "new()\nend()\n}\nnew()\n");
    since(&[before, after, "new()\nnew()\nend()\n", "n(1), d\n", "n(1), d\n"], &Seen::Refused);
}

#[test]
fn a_last_line_without_its_end_is_undone_where_somebody_gave_it_one() {
    let (before, after) = ("use c;\nl(d);\nend()\nend()", "x, y\nuse c;\nl(d);\nend()\nexnd()");
    let (later, today) = ("x, y\nuse c;\nend()\nend()\nexnd()", "x, y\nend()\nend()\nexnd()\n");
    since(&[before, after, later, today], &text("end()\nend()\nend()\n"));
}
