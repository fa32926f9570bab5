//! Changes farther off, beside which a place is found all the same: next to a bracket or a blank line, which tell nothing.

use super::*;

/// Seen: refused as "other text was put in its place", though nobody put any.
#[test]
fn a_deletion_is_taken_back_where_on_one_side_only_lines_farther_off_were_deleted() {
    let before = "impl Id {\n    fn fmt() {\n        write()\n    }\n}\n\n#[cfg(test)]\nmod tests {\n";
    let after = "impl Id {\n    }\n}\n\n#[cfg(test)]\nmod tests {\n";
    let today = "impl Id {\n    }\n}\n\nmod tests {\n";
    let want = "impl Id {\n    fn fmt() {\n        write()\n    }\n}\n\nmod tests {\n";
    undo(before, after, today, &text(want));
    let (before, after) = ("use a;\n}\n\nold();\nlast();\n", "use a;\n}\n\nlast();\n");
    undo(before, after, "}\n\nlast();\n", &text("}\n\nold();\nlast();\n"));
    // A line that others put there may stand for anything.
    undo("a();\n{\nold();\n}\nb();\nc();\n", "a();\n{\n}\nb();\nc();\n", "a();\n{\n{\n}\nc();\n", &Seen::Refused);
}

#[test]
fn lines_that_were_edited_or_indented_anew_farther_off_do_not_hide_a_place_beside_a_bracket() {
    // A word farther off was edited.
    let (before, after) = ("first one\nold two\n```\n\n### redo it\nlast\n", "first one\n```\n\n### redo it\nlast\n");
    undo(before, after, "first one\n```\n\n### 3 it\nlast\n", &text("first one\nold two\n```\n\n### 3 it\nlast\n"));
    // Lines were only indented anew.
    let (before, after) = ("a();\n}\n\n#[test]\nfn b() {\n", "a();\n}\n\nfn b() {\n");
    undo(before, after, "x();\n    }\n\nfn b() {\n", &text("x();\n    }\n\n#[test]\nfn b() {\n"));
    undo(before, after, "    a();\n    }\n\nfn b() {\n", &text("    a();\n    }\n\n#[test]\nfn b() {\n"));
    // A line was put beside the place: that may be meant or not.
    undo(before, after, "a();\n}\n\n/// doc\n\nfn b() {\n", &Seen::Refused);
}

/// Seen: refused as "the lines around its place were changed", though nobody touched the lines beside it.
#[test]
fn white_space_at_a_bracket_is_found_beside_lines_of_which_one_farther_off_was_edited() {
    let (before, after) = ("a();\n    }\n}\n\n#[test]\nfn b() {\n", "a();\n    } \n}\n\n#[test]\nfn b() {\n");
    undo(before, after, "a();\n    } \n}\n\n#[43]\nfn b() {\n", &text("a();\n    }\n}\n\n#[43]\nfn b() {\n"));
    undo(before, after, "a();\n    }\n}\n\n#[43]\nfn b() {\n", &Seen::Done);
    // There is another such line.
    let today = "a();\n    } \n}\n\n#[43]\n    } \nfn b() {\n";
    undo(before, after, today, &Seen::Refused);
}

/// Seen: the same, where a person had put blanks into a blank line.
#[test]
fn a_blank_line_is_the_same_with_blanks_in_it() {
    let (before, after) = ("doc\nfn x\nid()\nid()\n    }\n\nlast()\n", "id()\ndoc\nfn x\nid()\n    }\n\nlast()\n");
    let today = after.replace("\n\n", "\n    \n");
    undo(before, after, &today, &text(&before.replace("\n\n", "\n    \n")));
}

#[test]
fn a_doubled_line_is_taken_back_where_lines_behind_a_bracket_went() {
    let (before, after) = ("first\nanswer\n}\n\nmoved\nlast\n", "first\nanswer\nanswer\n}\n\nmoved\nlast\n");
    undo(before, after, "first\nanswer\nanswer\n}\n\nlast\n", &text("first\nanswer\n}\n\nlast\n"));
    undo(before, after, "first\nanswer\n}\n\nlast\n", &Seen::Done);
    // Whatever was put farther off, or is gone on one side: whichever of the two goes, what is left is the same.
    undo(before, after, "first\nanswer\nanswer\n}\n}\nlast\n", &text("first\nanswer\n}\n}\nlast\n"));
    undo(before, after, "answer\nanswer\n}\n\nmoved\n}\nlast\n", &text("answer\n}\n\nmoved\n}\nlast\n"));
    // Nothing is beside them that was there.
    undo(before, after, "new\nanswer\nanswer\nnew\n}\n\nmoved\nlast\n", &Seen::Refused);
    // One stands elsewhere, or there are three.
    undo(before, after, "first\nanswer\nanswer\n}\n}\nanswer\nlast\n", &Seen::Refused);
    undo(before, after, "first\nanswer\nanswer\nanswer\n}\n}\nlast\n", &Seen::Refused);
}

/// Seen: "other text was put in its place", where that was farther off.
#[test]
fn a_deleted_line_comes_back_between_two_that_stand_together_nowhere_else() {
    let (before, after) = ("rebase\nam\n}\n}\n\nimpl x\n", "rebase\n}\n}\n\nimpl x\n");
    undo(before, after, "rebase\n}\n}\n\ntaken\n\n", &text("rebase\nam\n}\n}\n\ntaken\n\n"));
    // They do once more, or not any more.
    undo(before, after, "rebase\n}\n}\n\ntaken\nrebase\n}\n\n", &Seen::Refused);
    undo(before, after, "rebase\nnew\n}\n}\n\ntaken\n\n", &Seen::Refused);
}

#[test]
fn a_line_that_was_moved_from_farther_off_does_not_hide_a_place_beside_a_bracket() {
    let (before, after) = ("first\nat\nok\n}\n\n/// what\n", "first\nok\nat\n}\n\n/// what\n");
    undo(before, after, "/// what\nfirst\nok\nat\n}\n\n", &text("/// what\nfirst\nat\nok\n}\n\n"));
}

#[test]
fn a_word_that_was_put_into_a_blank_line_is_found_where_a_line_above_the_brackets_was_rewritten() {
    let (before, after) = ("run()\nErr(one)\n    }\n}\n\nlast()\n", "run()\nErr(one)\n    }\n}\npub \nlast()\n");
    undo(before, after, "run()\nrun()\n    }\n}\npub \nlast()\n", &text("run()\nrun()\n    }\n}\n\nlast()\n"));
    // Somebody took the word out: only one line is another one.
    undo(before, after, "run()\nrun()\n    }\n}\n\nlast()\n", &Seen::Done);
    // A line was put above as well: the blank one may be another.
    undo(before, after, "run()\nrun()\n    }\n\n}\npub \nlast()\n", &Seen::Refused);
}

#[test]
fn which_of_two_brackets_farther_off_went_does_not_matter() {
    let (before, after) = ("ok()\nat()\n}\nfor\n}\n\nlast()\n", "ok()\nat()\n}\nfor\n}\n\n}\ntest()\nlast()\n");
    undo(before, after, "ok()\n}\n\n}\ntest()\nlast()\n", &text("ok()\n}\n\nlast()\n"));
    // Here the bracket may be one of them.
    undo(before, after, "ok()\n}\n}\ntest()\nlast()\n", &Seen::Refused);
}

/// Seen: "one of its lines stands at another place too", of the blank line that it begins with: a person had put one farther off.
#[test]
fn lines_that_are_put_farther_off_above_a_bracket_do_not_hide_a_block_with_words() {
    let before = "first();\ntext\n}\n};\nlast();\n";
    let after = "first();\ntext\n}\n};\n\nnew();\nlast();\n";
    let today = |rest: &str| format!("first();\nother\nmore\n\n}}\n}};\n{rest}last();\n");
    undo(before, after, &today("\nnew();\n"), &text(&today("")));
    // Beside another line it may be something else.
    undo(before, after, &today("]\n\nnew();\n"), &Seen::Refused);
    // The block may be there once more.
    undo(before, after, &today("\nnew();\n").replace("more\n", "more\n\nnew();\n"), &Seen::Refused);
}

/// Seen: it came back above the line, which was read as the one below it, edited: both have a name that stands in no other line.
#[test]
fn a_line_that_shares_one_name_of_three_is_another_one() {
    let (before, after) =
        ("push()\n/// where\n#[arg]\nrecord: Option<Kind>,\n\n", "push()\n/// where\nrecord: Option<Kind>,\n\n");
    undo(before, after, "level: Option<Level>,\n\n", &Seen::Refused);
    let today = "new()\nrecord: Option<Level>,\n\n";
    undo(before, after, &format!("push()\n/// where\n{today}"), &Seen::Refused);
    undo(
        before,
        after,
        "push()\n/// where\nrecord: Option<Level>,\n\n",
        &text("push()\n/// where\n#[arg]\nrecord: Option<Level>,\n\n"),
    );
}

/// Seen: "other text was put in its place", of a blank line at the end of a file, where a line above two brackets was rewritten as three.
#[test]
fn a_deleted_line_comes_back_beside_brackets_that_are_no_more_than_before() {
    let (before, after) = ("print()\n    }\n}\n\n", "print()\n    }\n}\n");
    undo(before, after, "one\ntwo\nthree\n    }\n}\n", &text("one\ntwo\nthree\n    }\n}\n\n"));
    undo(before, after, "one\ntwo\n}\n    }\n}\n", &Seen::Refused);
    let (before, after) = ("a {\n{\n}\n}\nold()\nlast()\nb\n", "a {\n{\n}\n}\nlast()\nb\n");
    undo(before, after, "one\ntwo\n}\n}\nlast()\nb\n", &text("one\ntwo\n}\n}\nold()\nlast()\nb\n"));
    // What stands beside it may be it, edited; and one bracket is too little.
    undo(before, after, "one\ntwo\n}\n}\nold(1)\nlast()\nb\n", &Seen::Refused);
    undo(before, after, "one\ntwo\nthree\n}\nold(1)\nlast()\nb\n", &Seen::Refused);
}

/// Seen: refused as "the lines around its place were changed", though nobody touched a line of it.
#[test]
fn a_block_that_ends_as_its_neighbours_do_goes_whatever_line_beside_it_was_changed() {
    let before = "fn a() {\n  1\n}\n\nfn b() {\n  2\n}\n\nfn c() {\n  3\n}\n";
    let after = before.replace("fn b()", "fn n() {\n  9\n}\n\nfn b()");
    for (is, becomes) in [
        ("fn b()", "fn bee(x)"),
        ("fn b()", "// the second\nfn b()"),
        ("  1\n", "  11\n"),
        ("  1\n", "  1\n  // never\n"),
        ("fn b() {\n", ""),
        ("fn b() {\n  2\n}\n", ""),
    ] {
        let today = after.replace(is, becomes);
        undo(before, &after, &today, &text(&before.replace(is, becomes)));
    }
    // Another block beside it: what each ends with is its own.
    for other in ["fn q() {\n  7\n}\n\n", "let q = [\n  7,\n];\n\n", "fn q() {\n}\n\nfn r() {\n}\n\n"] {
        let want = text(&before.replace("fn b()", &format!("{other}fn b()")));
        for beside in ["fn b()", "fn n()"] {
            undo(before, &after, &after.replace(beside, &format!("{other}{beside}")), &want);
        }
    }
    // What somebody put there is no block, or has a line like its own.
    for other in [
        "x();\n}\n\n",
        "}\n\nfn q() {\n  7\n",
        "\nfn q() {\n}\n\n  8\n}\n",
        "fn q() {\n  9\n}\n\n",
        "fn n(x) {\n  7\n}\n\n",
    ] {
        undo(before, &after, &after.replace("fn b()", &format!("{other}fn b()")), &Seen::Refused);
    }
    // Somebody put brackets there: they may be its own.
    undo(before, &after, &after.replace("fn b() {\n", "fn q() {\n}\n\nfn bee() {\n"), &Seen::Refused);
    // A line within it was changed.
    undo(before, &after, &after.replace("  9\n", "  10\n").replace("fn b()", "fn bee(x)"), &Seen::Refused);
}

/// Seen: "other text was put in its place".
#[test]
fn a_last_line_comes_back_below_brackets_of_which_the_farther_one_was_doubled() {
    let (before, after) = ("fn x\nid()\n    }\n};\n}\n\nlast!(x);\n", "fn x\nid()\n    }\n};\n}\n\n");
    undo(before, after, "    }\n};\n};\n}\n\n", &text("    }\n};\n};\n}\n\nlast!(x);\n"));
    undo(before, after, "    }\n};\n};\n}\n\nlast!(x);\n", &Seen::Done);
    // The nearer one may be either of two.
    undo(before, after, "    }\n};\n}\n}\n\n", &Seen::Refused);
    undo(before, after, "    }\n};\n};\n}\n\n}\n\n", &Seen::Refused);
    // They may be those of what somebody put there.
    let (before, after) =
        ("use a;\nrun(() => {\n  if (x) {\n}\n};\n}\nlast(x);\n", "use a;\nrun(() => {\n  if (x) {\n}\n};\n}\n");
    undo(before, after, "use a;\nwalk(y => {\n};\n}\nfn fresh() {\n};\n}\n", &Seen::Refused);
    let (before, after) = ("fn q() {\n  x\n};\n}\nlast\n", "fn q() {\n  x\n};\n}\n");
    undo(before, after, "fn q2() {\nx2\n};\nfn r() {\ny\n};\n}\n", &Seen::Refused);
}

/// Seen: doubled, where somebody had put the lines back and moved the one below them up.
#[test]
fn deleted_lines_that_stand_right_beyond_a_neighbour_do_not_come_back() {
    let (before, after) = ("a\nreturn;\nb\nL\nreturn;\n});\nR\nc\nd\n", "a\nreturn;\nb\nL\nR\nc\nd\n");
    undo(before, after, "a\nreturn;\nb\nL\nR\nreturn;\n});\nc\nd\n", &Seen::Refused);
    undo(before, after, "a\nreturn;\nb\nreturn;\n});\nL\nR\nc\nd\n", &Seen::Refused);
    undo(
        before,
        after,
        "a\nreturn;\nb\nL\nR\nc\nreturn;\n});\nd\n",
        &text("a\nreturn;\nb\nL\nreturn;\n});\nR\nc\nreturn;\n});\nd\n"),
    );
    // They stood there.
    let (before, after) = ("b\nL\nreturn;\nR\nreturn;\nd\n", "b\nL\nR\nreturn;\nd\n");
    undo(before, after, after, &text(before));
}

/// Seen: "equal lines leave open which place it is".
#[test]
fn a_line_is_found_between_two_that_stand_once_wherever_they_were_moved() {
    let (before, after) = ("a\nb\nc\nold x\nd\ne\nf\n", "a\nb\nc\nnew x\nd\ne\nf\n");
    undo(before, after, "e\nf\nc\nnew x\nd\na\nb\n", &text("e\nf\nc\nold x\nd\na\nb\n"));
    undo(before, after, "e\nf\nc\nnew x\nd\na\nb\nold x\n", &Seen::Refused);
    undo(before, after, "e\nf\nc\nnew x\nd\na\nb\nnew x\n", &Seen::Refused);
    // What is not between them may be where they were.
    undo(before, after, "e\nf\nc\nold x\nd\na\nb\n", &Seen::Refused);
    undo(before, "a\nb\nc\nd\ne\nf\n", "e\nf\nc\nd\na\nb\n", &Seen::Refused);
    let (before, after) = ("a\nb\nc\nL\nR\ne\nf\ng\n", "a\nb\nc\nL\nX one\nR\ne\nf\ng\n");
    undo(before, after, "a\nb\nc\nX one\ne\nf\ng\nL\nR\n", &text("a\nb\nc\ne\nf\ng\nL\nR\n"));
    // A bracket may be another one.
    let (before, after) = ("a\nl\nr\nz\ny\nk\n", "a\nl\n}\nr\nz\ny\nk\n");
    undo(before, after, "z\ny\nk\na\n}\nl\nr\n", &Seen::Refused);
    undo(after, before, "z\ny\nk\na\n}\nl\nr\n", &Seen::Refused);
}
