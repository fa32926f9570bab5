//! Last lines without an ending, before, after and today.

use super::*;

#[test]
fn a_last_line_that_got_its_ending_meanwhile_or_lost_it_is_the_same_line() {
    for (end, more) in [("\n", ""), ("\n", "four\n"), ("\n", "four"), ("\r\n", "")] {
        let text = |last: &str, rest: &str| format!("one{end}two{end}use {last}{rest}");
        let [before, after] = ["three", "drei"].map(|last| text(last, ""));
        let [back, today] = ["three", "drei"].map(|last| text(last, &format!("{end}{more}")));
        undo(&before, &after, &today, &super::text(&back));
        undo(&before, &after, &back, &Seen::Done);
        redo(&before, &after, &back, &super::text(&today));
        // It lost the ending.
        if more.is_empty() {
            undo(&back, &today, &after, &super::text(&before));
            undo(&back, &today, &before, &Seen::Done);
        }
        // Lines that were put at the end go without it, too.
        let appended = format!("{before}{end}last");
        undo(&before, &appended, &format!("{appended}{end}{more}"), &super::text(&format!("{before}{end}{more}")));
    }
    // One that others edited as well is proven as any other.
    undo("one\nuse three", "one\nuse drei", "one\nuse vier\n", &Seen::Refused);
}

#[test]
fn last_lines_without_an_ending_come_and_go_with_the_ending_before_them() {
    for end in ["\n", "\r\n"] {
        let text = |lines: &[&str]| lines.join(end);
        let check = |before: &[&str], after: &[&str], today: &[&str], want: &[&str]| {
            undo(&text(before), &text(after), &text(today), &super::text(&text(want)));
            redo(&text(after), &text(before), &text(today), &super::text(&text(want)));
        };
        check(&["one", "two"], &["one", "two", "last"], &["zero", "one", "two", "last"], &["zero", "one", "two"]);
        check(&["one", "two", "last"], &["one", "two"], &["zero", "one", "two"], &["zero", "one", "two", "last"]);
        check(&["one", "old"], &["one", "new word"], &["zero", "one", "new word"], &["zero", "one", "old"]);
    }
}

#[test]
fn lines_do_not_come_behind_one_that_lost_its_ending_nor_go_with_it() {
    for end in ["\n", "\r\n"] {
        let text = |lines: &[&str]| lines.join(end);
        let [one, two] = [text(&["one", "two", ""]), text(&["one", "two", "last", ""])];
        undo(&two, &one, &text(&["zero", "one", "two"]), &Seen::Refused);
        undo(&one, &two, &text(&["zero", "one", "two", "last"]), &Seen::Refused);
    }
}

/// Seen: the first of two equal lines was taken out, where a person had made another one of the last.
#[test]
fn a_last_line_without_an_ending_is_equal_to_one_that_has_it() {
    undo("a b\nX foo", "a b\nX foo\nX foo", "a b\nX foo\nY bar", &Seen::Refused);
    undo("a b\nX foo\n", "a b\nX foo\nX foo\n", "a b\nX foo\nY bar\n", &Seen::Refused);
    undo("a b\nX foo", "a b\nX foo\nX foo", "c\na b\nX foo\nX foo", &text("c\na b\nX foo"));
}

/// Seen: "the lines around its place were changed", and nobody had touched any of them.
#[test]
fn an_edit_far_from_a_last_line_that_lost_its_ending() {
    let rest = "]\n}\n{\n}\n{\n}";
    let [before, after, today] = ["\n", "\n\n", "\n\n"].map(|blank| format!("alpha beta{blank}{rest}"));
    undo(&format!("{before}\n"), &format!("{after}\n"), &today, &text(&before));
}

/// Seen: "has its old lines back", and the blank one had not come.
#[test]
fn a_blank_last_line_does_not_come_back_without_an_ending() {
    for end in ["\n", "\r\n"] {
        let text = |lines: &[&str]| lines.join(end);
        let after = text(&["one", "two", "three", ""]);
        undo(&text(&["one", "", ""]), &after, &text(&["one", "two", "three"]), &Seen::Refused);
        // What is left of the line is.
        let [long, short] = ["one two", "one"].map(|last| text(&["zero", last]));
        undo(&format!("{short}{end}"), &format!("{long}{end}"), &long, &super::text(&short));
    }
}

/// Seen: a panic, where lines were put behind a line of the user's that the other version lacks.
#[test]
fn a_refusal_tells_of_lines_that_the_texts_have() {
    for (before, after, other) in [("a\nc", "a\nc\nd", "a\nb\nz"), ("a\nc", "a\nc\nd", "a\nb\nz\n")] {
        for answer in judge(before.as_bytes(), after.as_bytes(), Direction::CarryTo, other.as_bytes()) {
            let refusals: Vec<&Refusal> = answer.refusals().map(|(_, refusal)| refusal).collect();
            assert!(!refusals.is_empty(), "{answer:?}");
            for refusal in refusals {
                assert!(refusal.own.end <= before.len() && refusal.place.end <= other.len(), "{refusal:?}");
            }
        }
    }
}
