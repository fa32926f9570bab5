//! The symptoms that were seen, each as a test.

use super::*;
use crate::patch::Origin;
use crate::strategy::Strategy;
use std::ops::Range;

const ORIGIN: Origin = Origin { edit: 0, strategy: Strategy::Exact };

/// What becomes of an edit.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Seen {
    Text(String),
    Done,
    Refused,
}

fn text(text: &str) -> Seen {
    Seen::Text(text.to_owned())
}

/// The one change between two texts: of as few bytes as can be, of whole lines, or of all.
fn changes(before: &[u8], after: &[u8]) -> [Vec<Change>; 3] {
    let shorter = before.len().min(after.len());
    let head = before.iter().zip(after).take_while(|(a, b)| a == b).count();
    let tail = before.iter().rev().zip(after.iter().rev()).take(shorter - head).take_while(|(a, b)| a == b).count();
    let line_head = memchr::memrchr(b'\n', &before[..head]).map_or(0, |at| at + 1);
    let behind = &before[before.len() - tail..];
    let line_tail = memchr::memchr(b'\n', behind).map_or(0, |at| tail - at - 1);
    let change = |head: usize, tail: usize| {
        vec![Change { before: head..before.len() - tail, after: head..after.len() - tail, origin: ORIGIN }]
    };
    [change(head, tail), change(line_head, line_tail), change(0, 0)]
}

fn judge(before: &[u8], after: &[u8], direction: Direction, today: &[u8]) -> Vec<Answer> {
    let edits = changes(before, after).map(|changes| Edit::new(before, after, changes).expect("an edit"));
    edits.map(|edit| answer(edit, Wanted::All, direction, &[], today)).to_vec()
}

fn seen(answer: &Answer, today: &[u8]) -> Seen {
    match answer.outcome() {
        Outcome::Write(patch) => text(std::str::from_utf8(&patch.apply(today)).expect("UTF-8")),
        Outcome::AlreadyDone => Seen::Done,
        Outcome::Refused(_) => Seen::Refused,
    }
}

#[track_caller]
fn check(direction: Direction, [before, after, today]: [&str; 3], want: &Seen) {
    for answer in judge(before.as_bytes(), after.as_bytes(), direction, today.as_bytes()) {
        assert_eq!(seen(&answer, today.as_bytes()), *want, "{answer:#?}");
    }
}

#[track_caller]
fn undo(before: &str, after: &str, today: &str, want: &Seen) {
    check(Direction::TakeBack, [before, after, today], want);
}

#[track_caller]
fn redo(before: &str, after: &str, today: &str, want: &Seen) {
    check(Direction::PutAgain, [before, after, today], want);
    check(Direction::CarryTo, [before, after, today], want);
}

mod farther_off;
mod few_lines;
mod few_lines_since;
mod last_line;
mod objections;
mod overruled;
mod properties;

mod another_version {
    use super::*;

    fn carry(before: &str, after: &str, other: &str, want: &Seen) {
        check(Direction::CarryTo, [before, after, other], want);
    }

    #[test]
    fn only_the_agents_lines_go_there() {
        carry("a\nu\nb\n", "a\nu\nB\n", "a\nb\n", &text("a\nB\n"));
        carry("a\nu\nb\n", "a\nu\nn\nb\n", "a\nb\n", &text("a\nn\nb\n"));
        carry("a user\nb\n", "a agent\nb\n", "a\nb\n", &Seen::Refused);
    }

    #[test]
    fn a_line_that_others_edited_stays_as_it_is() {
        carry("x\na user b\ny\n", "x\na user B\ny\n", "x\na b\ny\n", &Seen::Refused);
    }

    /// As [`carry`], where the request named this range of the text before.
    fn carry_named(before: &str, named: Range<usize>, after: &str, other: &str, want: &Seen) {
        let end = named.end + after.len() - before.len();
        let changes = vec![Change { before: named.clone(), after: named.start..end, origin: ORIGIN }];
        let edit = Edit::new(before.as_bytes(), after.as_bytes(), changes).expect("an edit");
        let answer = answer(edit, Wanted::All, Direction::CarryTo, &[], other.as_bytes());
        assert_eq!(seen(&answer, other.as_bytes()), *want, "{answer:#?}");
    }

    #[test]
    fn what_is_inserted_stays_with_the_one_line_that_was_named_where_others_were_deleted() {
        let carry = |named, other, want: &Seen| carry_named("a\nb\n", named, "a\nn\nb\n", other, want);
        carry(0..2, "a\nu\nb\n", &text("a\nn\nu\nb\n"));
        carry(2..4, "a\nu\nb\n", &text("a\nu\nn\nb\n"));
        carry(2..3, "a\nu\nb\n", &text("a\nu\nn\nb\n"));
        for neither in [2..2, 0..4] {
            carry(neither, "a\nu\nb\n", &Seen::Refused);
        }
        carry_named("a\nb\n", 0..2, "a\nn\nm\nb\n", "a\nu\nn\nb\n", &Seen::Refused);
    }

    #[test]
    fn a_line_that_another_edit_of_the_request_named_is_not_the_one_that_was_named_with_what_is_inserted() {
        let carry = |own: Range<usize>, want: &Seen| {
            let change = |before: Range<usize>, after| Change { before, after, origin: ORIGIN };
            let changes = vec![change(0..6, 0..6), change(own.clone(), own.start..own.end + 2)];
            let (before, after, other) = ("z\nc\na\nb\n", "Z\nc\na\nn\nb\n", "z\nc\na\nu\nb\n");
            let edit = Edit::new(before.as_bytes(), after.as_bytes(), changes).expect("an edit");
            let answer = answer(edit, Wanted::All, Direction::CarryTo, &[], other.as_bytes());
            assert_eq!(seen(&answer, other.as_bytes()), *want, "{answer:#?}");
        };
        carry(6..8, &text("Z\nc\na\nu\nn\nb\n"));
        carry(6..6, &Seen::Refused);
    }

    #[test]
    fn a_line_beside_which_it_goes_is_not_any_of_two() {
        let (before, after) = ("f() {\n}\nb\n", "f() {\n}\nn\nb\n");
        carry_named(before, 6..8, after, "f() {\n}\ng() {\n}\nb\n", &Seen::Refused);
        carry_named(before, 8..10, after, "f() {\n}\nb\ng\nb\n", &Seen::Refused);
    }

    #[test]
    fn a_line_that_stands_in_both_is_no_edited_form_of_one_that_the_user_deleted() {
        carry(
            "line 3 of the file\n",
            "agent\n",
            "line 2 of the file\nline 3 of the file\n",
            &text("line 2 of the file\nagent\n"),
        );
    }
}

mod lines_beside_that_are_cut_off_from_what_stands {
    use super::*;

    const BEFORE: &str = "use a;\n    json,\n    },\n}\n\n#[d]\nstruct J {\n    field,\n}\nlast\n";

    #[test]
    fn a_doubled_line_goes_where_another_line_was_doubled_above() {
        let after = BEFORE.replace("#[d]\n", "#[d]\n#[d]\n");
        let user = |text: &str| text.replace("    json,\n", "    json,\n    json,\n");
        undo(BEFORE, &after, &user(&after), &text(&user(BEFORE)));
        undo(BEFORE, &after, &user(BEFORE), &Seen::Done);
        redo(BEFORE, &after, &user(BEFORE), &text(&user(&after)));
        let below = |text: &str| text.replace("    field,\n}\n", "    field,\n    field,\n}\n");
        undo(BEFORE, &after, &below(&after), &text(&below(BEFORE)));
    }

    #[test]
    fn deleted_lines_come_back_where_a_line_was_put_above() {
        let before = "f()\n    }\n\n    /// doc\n    ///\n    /// # Errors\nfn g()\n";
        let after = before.replace("    /// doc\n    ///\n", "");
        let user = |text: &str| text.replace("f()\n", "f()\n#[test]\n");
        undo(before, &after, &user(&after), &text(&user(before)));
        undo(before, &after, &user(before), &Seen::Done);
    }

    #[test]
    fn what_stands_directly_beside_is_not_said_to_be_cut_off() {
        let after = BEFORE.replace("#[d]\n", "#[d]\n#[d]\n");
        let user = |text: &str| text.replace("\n\n#[d]", "\n\n#[d]\nmine\n#[d]");
        undo(BEFORE, &after, &user(BEFORE), &Seen::Refused);
    }
}

mod taken_back_already_is_never_doubled {
    use super::*;

    #[test]
    fn a_comment_behind_a_line_that_a_checkout_brought_back() {
        undo(
            "def f(y):\n    return y  # n\nx = 1\n",
            "def f(y):\n    return y\nx = 1\n",
            "def f(y):\n    return y  # n\nx = 2\n",
            &Seen::Done,
        );
    }

    #[test]
    fn a_word_before_a_line_that_another_branch_has() {
        undo("use a;\npub fn foo() {}\n", "use a;\nfn foo() {}\n", "use b;\npub fn foo() {}\n", &Seen::Done);
        redo("use a;\nfn foo() {}\n", "use a;\npub fn foo() {}\n", "use b;\npub fn foo() {}\n", &Seen::Done);
    }

    #[test]
    fn the_last_word_of_a_line() {
        undo("one two three\nnext line\n", "one two\nnext line\n", "one two three\nnext lines\n", &Seen::Done);
    }

    #[test]
    fn the_first_line_of_a_file() {
        undo("first\nsecond\nthird\n", "second\nthird\n", "first\nsecond\n3rd\n", &Seen::Done);
    }

    #[test]
    fn the_last_line_of_a_file() {
        undo("first\nsecond\nthird\n", "first\nsecond\n", "1st\nsecond\nthird\n", &Seen::Done);
    }

    #[test]
    fn a_line_that_was_uncommented() {
        undo("a = 1\n# run(a)\nb = 2\n", "a = 1\nrun(a)\nb = 2\n", "a = 1\n# run(a)\nb = 3\n", &Seen::Done);
    }

    #[test]
    fn trailing_spaces_and_one_trailing_character() {
        undo("let a = 1;  \nlet b = 2;\n", "let a = 1;\nlet b = 2;\n", "let a = 1;  \nlet b = 3;\n", &Seen::Done);
        undo("let a = 1;\nlet b = 2;\n", "let a = 1\nlet b = 2;\n", "let a = 1;\nlet b = 3;\n", &Seen::Done);
    }

    #[test]
    fn a_redone_line_at_an_end_of_the_file() {
        redo("one\ntwo\n", "one\ntwo\nlast\n", "uno\ntwo\nlast\n", &Seen::Done);
        redo("one\ntwo\n", "first\none\ntwo\n", "first\none\ndue\n", &Seen::Done);
    }

    #[test]
    fn a_line_at_the_end_that_head_or_the_index_has() {
        check(Direction::CarryTo, ["one\n", "one\nlast\n", "zero\none\nlast\n"], &Seen::Done);
    }

    #[test]
    fn lines_in_the_middle_that_the_user_deleted_and_the_agent_added_again() {
        check(Direction::CarryTo, ["a\nd\ne\n", "a\nb\nc\nd\ne\n", "a\nb\nc\nd\nf\n"], &Seen::Done);
    }

    #[test]
    fn one_of_two_hunks() {
        let (before, after) = ("a = 1\nkeep(me)\nb = 2\n", "a = 10\nkeep(me)\nb = 20\n");
        undo(before, after, "a = 1\nkeep(me)\nb = 20\n", &text(before));
        undo(before, after, "a = 10\nkeep(me)\nb = 2\n", &text(before));
    }

    #[test]
    fn a_part_of_a_hunk_of_which_a_blank_line_is_left_is_not_said_to_be_done() {
        undo("old(1)\nmid(2)\nend(3)\n", "\nnew(1)\nmid(2)\nend(3)\n", "\nold(1)\nmid(2)\nend(3)\n", &Seen::Refused);
    }

    #[test]
    fn one_of_two_copies_of_a_line() {
        undo("x\nline\nline\ny\n", "x\nline\ny\n", "x\nline\nline\nz\n", &Seen::Refused);
        undo("x\nline\nline\ny\n", "x\nline\ny\n", "u\nx\nline\nline\ny\n", &Seen::Done);
        // Seen: "these lines were changed", where somebody had put lines behind them.
        undo("line\ny\n", "line\nline\ny\n", "line\nline\nu\ny\n", &text("line\nu\ny\n"));
        undo("x\nline\ny\n", "x\nline\nline\ny\n", "x\nu\nline\nline\nv\ny\n", &text("x\nu\nline\nv\ny\n"));
        undo("x\nline\ny\n", "x\nline\nline\ny\n", "x\nline\nu\nline\ny\n", &Seen::Refused);
        undo("x\nline\ny\n", "x\nline\nline\ny\n", "x\nline\nu\ny\n", &Seen::Refused);
    }
}

mod half_of_a_word_is_never_put_to_half_of_another {
    use super::*;

    #[test]
    fn numbers() {
        undo("size = 24\n", "size = 3\n", "size = 30\n", &Seen::Refused);
        undo("size = 9\n", "size = 1\n", "size = 10\n", &Seen::Refused);
        undo("size = 0.5\n", "size = 2.5\n", "size = 12.5\n", &Seen::Refused);
        redo("size = 3\n", "size = 24\n", "size = 30\n", &Seen::Refused);
    }

    #[test]
    fn names() {
        undo("call foo\n", "call bar\n", "call barista\n", &Seen::Refused);
        redo("call bar\n", "call foo\n", "call barista\n", &Seen::Refused);
    }

    #[test]
    fn operators() {
        undo("a < b\n", "a = b\n", "a <= b\n", &Seen::Refused);
        undo("a = b\n", "a < b\n", "a <= b\n", &Seen::Refused);
    }

    #[test]
    fn another_number_elsewhere_in_the_line_stays() {
        undo(
            "size = 24, depth = 1\n",
            "size = 3, depth = 1\n",
            "size = 3, depth = 30\n",
            &text("size = 24, depth = 30\n"),
        );
    }
}

mod order_is_kept {
    use super::*;

    #[test]
    fn two_records_that_deleted_the_last_lines() {
        // Line three is back; whether four stood before or behind it, these texts do not tell.
        undo("one\ntwo\nfour\n", "one\ntwo\n", "one\ntwo\nthree\n", &Seen::Refused);
        undo("one\ntwo\nthree\nfour\n", "one\ntwo\nfour\n", "one\ntwo\n", &text("one\ntwo\nthree\n"));
    }

    #[test]
    fn a_deleted_line_does_not_come_back_before_a_line_that_stood_before_it() {
        undo("w1\nw10\nw100\n", "w1\nw100\n", "w100\nw1\n", &Seen::Refused);
        undo("w1\nw10\nw100\n", "w1\nw100\n", "w12\nw100\n", &Seen::Refused);
    }

    #[test]
    fn hunks_that_changed_places_are_refused() {
        let (before, after) = ("a = 1\nkeep(me)\nb = 2\n", "a = 10\nkeep(me)\nb = 20\n");
        undo(before, after, "b = 20\nkeep(me)\na = 10\n", &Seen::Refused);
    }

    #[test]
    fn a_moved_line_goes_back_at_both_places_or_none() {
        let (before, after) = ("mv(me)\na()\nb()\nc()\n", "a()\nb()\nc()\nmv(me)\n");
        undo(before, after, "mv(me)\na()\nb()\nc()\nmv(me)\n", &Seen::Refused);
        undo(before, after, "a()\nb(0)\nc()\nmv(me)\n", &text("mv(me)\na()\nb(0)\nc()\n"));
    }
}

mod nothing_is_glued {
    use super::*;

    #[test]
    fn undo_of_a_dropped_final_newline_adds_no_empty_line() {
        undo("a\nb\n", "a\nb", "a\nb\nc\n", &Seen::Done);
        undo("a\nb\n", "a\nb", "aa\nb", &text("aa\nb\n"));
    }

    #[test]
    fn redo_at_the_ends_of_a_file_swaps_no_lines() {
        // Another version's last line may be one that the user deleted: there it stays below.
        check(Direction::PutAgain, ["a\nb\n", "z\na\nb\nc\n", "a\nb\nnew\n"], &Seen::Refused);
        redo("a\nb\n", "a\nb\nc", "a\nb\nnew\n", &Seen::Refused);
    }

    #[test]
    fn a_last_line_without_its_ending_is_written_only_at_the_end() {
        undo("a\nb", "a\nb\nc\n", "a\nb\nc\nd\n", &Seen::Refused);
        undo("import(a)\nb", "import(a)\nc\n", "import(a)\nc\nmore\n", &Seen::Refused);
    }

    #[test]
    fn words_between_which_there_was_one() {
        undo("return False if x\n", "return if x\n", "returnif x\n", &Seen::Refused);
        undo("a platform_SHA b\n", "a b\n", "a platform_CTX b\n", &Seen::Refused);
    }
}

mod what_was_done_beside_it_stays {
    use super::*;

    #[test]
    fn an_argument_that_a_later_edit_followed_with_another() {
        let (one, two, three) = ("foo(x)\n", "foo(x, 1)\n", "foo(x, 1, scale=2)\n");
        undo(two, three, three, &text(two));
        undo(one, two, three, &text("foo(x, scale=2)\n"));
        undo(two, three, "foo(x, scale=2)\n", &text(one));
    }

    #[test]
    fn edited_neighbours_that_are_known_again_are_neighbours() {
        undo(
            "alpha(1)\ngone()\nbeta(2)\n",
            "alpha(1)\nbeta(2)\n",
            "alpha(7)\nbeta(8)\n",
            &text("alpha(7)\ngone()\nbeta(8)\n"),
        );
        undo("alpha(1)\nbeta(2)\n", "alpha(1)\n}\nbeta(2)\n", "alpha(7)\n}\nbeta(8)\n", &text("alpha(7)\nbeta(8)\n"));
    }

    #[test]
    fn lines_that_a_formatter_indented() {
        undo(
            "if a:\n  one(1)\n  two(2)\n",
            "if a:\n  one(9)\n  two(2)\n",
            "if a:\n    one(9)\n    two(2)\n",
            &text("if a:\n    one(1)\n    two(2)\n"),
        );
    }

    #[test]
    fn other_words_of_the_line() {
        undo(
            "let total = sum(a);\r\nend\r\n",
            "let total = sum(b);\r\nend\r\n",
            "let total = sum(b) + rest;\r\nend\r\n",
            &text("let total = sum(a) + rest;\r\nend\r\n"),
        );
    }

    #[test]
    fn lines_elsewhere() {
        undo("a\nb\nc\n", "a\nB\nc\n", "0\na\nB\nc\n4\n", &text("0\na\nb\nc\n4\n"));
    }

    #[test]
    fn a_line_that_was_moved_and_edited_is_not_said_to_be_gone() {
        undo("a()\nb()\nc()\n", "a()\nnew(line, one)\nb()\nc()\n", "a()\nb()\nnew(line, two)\nc()\n", &Seen::Refused);
    }

    #[test]
    fn what_was_deleted_with_its_neighbours_is_no_nothing() {
        undo("a\nb\nc\nd\n", "a\nb\nnew\nc\nd\n", "a\nd\n", &Seen::Refused);
    }
}

#[test]
fn the_newest_is_taken_back_to_the_byte() {
    undo("a\n\n\nb", "a\n\n\n\nb", "a\n\n\n\nb", &text("a\n\n\nb"));
    undo("}\n}\n", "}\n}\n}\n", "}\n}\n}\n", &text("}\n}\n"));
    redo("", "x", "", &text("x"));
}

#[test]
fn an_undo_that_changes_no_byte_is_done_already() {
    undo("mv(f)\na(1)\nb(2)\nc(3)\n\n", "a(1)\nb(2)\nc(3)\nmv(f)\n\n", "mv(f)\n\n", &Seen::Done);
}

#[test]
fn where_the_record_joined_lines_what_was_put_behind_them_is_not_guessed() {
    undo("one = 1;\ntwo = 2;\n", "one = 3;\n", "one = 3; \n", &Seen::Refused);
}

#[test]
fn what_fits_holds_no_half_of_a_move() {
    let (before, after) = ("mv(me)\na()\nb()\nc()\nd()\n", "a()\nb()\nc()\nmv(me)\nd()\n");
    for answer in
        judge(before.as_bytes(), after.as_bytes(), Direction::TakeBack, b"new()\nelse()\nb()\nc()\nmv(me)\nd()\n")
    {
        assert!(answer.patch_of_what_fits().is_empty(), "{answer:#?}");
    }
}

#[test]
fn a_refusal_names_the_lines_and_where_else_they_stand() {
    let today = b"top()\nx = 3\n}\n}\nend()\n";
    let (before, after) = (b"top()\nold()\nend()\n", b"top()\n}\nend()\n");
    let answer = judge(before, after, Direction::TakeBack, today).swap_remove(0);
    let Outcome::Refused(refused) = answer.outcome() else { panic!("{answer:?}") };
    let (judged, refusal) = refused[0];
    assert_eq!(judged.changes, [0]);
    assert_eq!(&today[refusal.place.clone()], b"x = 3\n}\n}\n");
    assert_eq!(refusal.candidates.iter().map(|at| &today[at.clone()]).collect::<Vec<_>>(), [b"}\n", b"}\n"]);
}

/// Two changes, lines 1 and 3, both replaced.
fn two_changes() -> Edit<'static> {
    let change = |at: usize| Change { before: at..at + 3, after: at..at + 3, origin: ORIGIN };
    Edit::new(b"a=1\nkeep\nb=2\n", b"a=7\nkeep\nb=8\n", vec![change(0), change(9)]).expect("an edit")
}

#[test]
fn one_of_two_changes_is_taken_back_put_again_and_carried() {
    let check = |direction, which: &[usize], today: &str, want: &Seen| {
        let answer = answer(two_changes(), Wanted::Only(which), direction, &[], today.as_bytes());
        assert_eq!(seen(&answer, today.as_bytes()), *want, "{answer:?}");
    };
    check(Direction::TakeBack, &[1], "a=7\nkeep\nb=8\n", &text("a=7\nkeep\nb=2\n"));
    check(Direction::TakeBack, &[1], "new\na=7\nkeep\nb=8\n", &text("new\na=7\nkeep\nb=2\n"));
    check(Direction::TakeBack, &[1], "a=7\nkeep\nb=2\n", &Seen::Done);
    check(Direction::PutAgain, &[0], "a=1\nkeep\nb=8\n", &text("a=7\nkeep\nb=8\n"));
    check(Direction::CarryTo, &[0], "a=1\nkeep\nb=2\nmore\n", &text("a=7\nkeep\nb=2\nmore\n"));
}

mod what_the_log_knows {
    use super::*;

    #[track_caller]
    fn check(steps: &[&str], undone: usize, want: &Seen) {
        let edit = |n: usize| {
            let (before, after) = (steps[n].as_bytes(), steps[n + 1].as_bytes());
            let [least, ..] = changes(before, after);
            Edit::new(before, after, least).expect("an edit")
        };
        let later: Vec<_> = (undone + 1..steps.len() - 1).map(edit).collect();
        let today = steps[steps.len() - 1].as_bytes();
        let answer = answer(edit(undone), Wanted::All, Direction::TakeBack, &later, today);
        assert_eq!(seen(&answer, today), *want, "{answer:?}");
    }

    #[test]
    fn equal_lines_are_told_apart_by_counting() {
        let steps = ["}\n}\n", "}\n\n}\n", "\n}\n\n}\n"];
        check(&steps, 0, &text("\n}\n}\n"));
    }

    #[test]
    fn a_line_that_a_later_record_wrote_again_elsewhere() {
        check(&["a\nmove(me)\nb\nc\n", "a\nb\nc\n", "a\nb\nmove(me)\nc\n"], 0, &text("a\nmove(me)\nb\nmove(me)\nc\n"));
    }

    #[test]
    fn a_later_edit_of_the_same_line_is_proven_not_counted() {
        check(&["foo(x)\n", "foo(x, 1)\n", "foo(x, 1, scale=2)\n"], 0, &text("foo(x, scale=2)\n"));
        check(&["size = 24\n", "size = 3\n", "size = 30\n"], 0, &Seen::Refused);
    }

    #[test]
    fn the_order_of_two_deletions_at_one_point_is_not_guessed() {
        let steps = ["1\n2\n3\n4\n", "1\n2\n4\n", "1\n2\n", "1\n2\n3\n"];
        check(&steps, 1, &Seen::Refused);
        check(&steps[..3], 0, &text("1\n2\n3\n"));
    }

    /// Seen: the bracket came back before the lines, though it had stood behind them.
    #[test]
    fn what_came_back_to_the_point_of_a_deletion_beside_its_like_is_not_counted_past() {
        let steps = ["s\n}\n\nt\nk\n}\n", "s\n}\n\nt\nk\n", "s\n}\n\n", "s\n}\n", "s\n}\nt\nk\n"];
        check(&steps, 0, &text("s\n}\nt\nk\n}\n"));
        let turned = |text: &str| text.lines().rev().map(|line| format!("{line}\n")).collect::<String>();
        let turned_steps = steps.map(turned);
        check(&turned_steps.each_ref().map(String::as_str), 0, &text("}\nk\nt\n}\ns\n"));
    }

    /// An edit and its undo around another one: that is counted as if they had not been.
    #[test]
    fn what_was_taken_back_is_left_out_of_what_was_done() {
        let edit = |before: &str, after: &str| {
            let [least, ..] = changes(before.as_bytes(), after.as_bytes());
            Edit::new(before.as_bytes(), after.as_bytes(), least).expect("an edit").into_owned()
        };
        let chain = [edit("1\n2\n3\n4\n", "1\n3\n4\n"), edit("1\n3\n4\n", "1\n4\n"), edit("1\n4\n", "1\n2\n4\n")];
        let left = without(&chain, &[0], 2).expect("they commute");
        let texts: Vec<_> = left.iter().map(|edit| [edit.before(), edit.after()]).collect();
        assert_eq!(texts, [[&b"1\n2\n3\n4\n"[..], b"1\n2\n4\n"]]);
        // Of several that went together, the newest first: adjacent ones meet else.
        let both = [
            edit("1\n2\n3\n4\n", "1\n3\n4\n"),
            edit("1\n3\n4\n", "1\n4\n"),
            edit("1\n4\n", "1\n4\n5\n"),
            edit("1\n4\n5\n", "1\n2\n3\n4\n5\n"),
        ];
        let left = without(&both, &[0, 1], 3).expect("they commute");
        let texts: Vec<_> = left.iter().map(|edit| [edit.before(), edit.after()]).collect();
        assert_eq!(texts, [[&b"1\n2\n3\n4\n"[..], b"1\n2\n3\n4\n5\n"]]);
        // What brought back something else took nothing back.
        let other = [chain[0].clone(), chain[1].clone(), edit("1\n4\n", "1\nx\n4\n")];
        assert!(without(&other, &[0], 2).is_none());
    }

    #[test]
    fn what_a_later_record_took_back_already_is_not_doubled() {
        check(&["a\nb\nc\nd\n", "a\nd\n", "a\nb\nc\nd\n", "a\nb\nx\nc\nd\n"], 0, &Seen::Refused);
        check(&["a\n\nb\nc\n", "a\nb\nc\n", "a\n\nb\nc\n", "a\n\nb\nd\n"], 0, &Seen::Done);
    }

    #[test]
    fn a_last_line_without_its_ending_is_not_counted_into_the_middle() {
        check(&["a\nb", "a\n", "a\nc\n"], 0, &Seen::Refused);
    }
}

#[test]
fn a_wordless_block_at_the_end_of_many_equal_lines_is_found_quickly() {
    let (before, after) = ("}\n".repeat(20_000), "}\n".repeat(20_001));
    let today = format!("{after}end\n");
    assert_eq!(judge(before.as_bytes(), after.as_bytes(), Direction::TakeBack, today.as_bytes()).len(), 3);
}

mod long_lines {
    use super::*;

    /// One line of very many words, from this number on.
    fn line(from: usize) -> String {
        let words: Vec<String> = (from..from + 60_000).map(|n| format!("w{n}")).collect();
        format!("{}\n", words.join(" "))
    }

    #[test]
    fn a_line_beside_that_has_other_words_is_told_apart_without_comparing_all_with_all() {
        let texts = |beside: usize, value: &str| format!("first\n{}value = {value}\nlast\n", line(beside));
        let (before, after, today) = (texts(0, "1"), texts(0, "2"), texts(100_000, "2"));
        let edit =
            Edit::new(before.as_bytes(), after.as_bytes(), changes(before.as_bytes(), after.as_bytes())[1].clone());
        let answer = answer(edit.expect("an edit"), Wanted::All, Direction::TakeBack, &[], today.as_bytes());
        assert_eq!(seen(&answer, today.as_bytes()), text(&texts(100_000, "1")));
    }

    #[test]
    fn a_line_that_shares_a_third_of_its_words_is_compared_once() {
        let (before, after) = ("first\nlast\n".to_owned(), format!("first\n{}last\n", line(0)));
        let today = format!("first\nlast\nmore\n{}", line(40_000));
        let edit =
            Edit::new(before.as_bytes(), after.as_bytes(), changes(before.as_bytes(), after.as_bytes())[1].clone());
        let answer = answer(edit.expect("an edit"), Wanted::All, Direction::TakeBack, &[], today.as_bytes());
        assert_eq!(seen(&answer, today.as_bytes()), Seen::Done);
    }
}
