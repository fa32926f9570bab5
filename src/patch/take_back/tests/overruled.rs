//! What the log has against an answer, and whether it tells that nobody came to an edit, in texts of few lines.
//!
//! In each of them only one thing speaks for or against: without a condition of `overruled` something else would be said.

use super::*;

/// How the change between two texts is told.
#[derive(Debug, Clone, Copy)]
enum How {
    Least,
    Lines,
    All,
    ByLines,
}

/// How it is told, the texts from before the edit to today's, and what is known of each step since: `r` where a record in force did it,
/// `m` where it may be the edit's.
type Row<'t> = (How, &'t [&'t str], &'t str);

fn edit_of<'t>(how: How, before: &'t str, after: &'t str) -> Edit<'t> {
    let (before, after) = (before.as_bytes(), after.as_bytes());
    let [least, lines, all] = changes(before, after);
    let changes = match how {
        How::Least => least,
        How::Lines => lines,
        How::All => all,
        How::ByLines => return Edit::by_lines(before, after).expect("an edit"),
    };
    Edit::new(before, after, changes).expect("an edit")
}

fn steps_of<'t>(how: How, texts: &[&'t str]) -> Vec<Edit<'t>> {
    let how = if matches!(how, How::ByLines) { how } else { How::Least };
    texts[1..].windows(2).map(|pair| edit_of(how, pair[0], pair[1])).collect()
}

fn against((how, texts, by): Row<'_>) -> Option<Answer> {
    let edit = edit_of(how, texts[0], texts[1]);
    let steps = steps_of(how, texts);
    let text = texts.last().expect("today's text").as_bytes();
    let first = answer(edit.clone(), Wanted::All, Direction::TakeBack, &steps, text);
    let since = Since { steps: &steps, is_of_others: &|_| false, told: &|_| Told::Exactly };
    overruled(&edit, &first, Today { since, is_in_force: &|n| by.as_bytes()[n] == b'r', text })
}

#[track_caller]
fn check_against(row: Row<'_>, want: Option<&Seen>) {
    let today = row.1.last().expect("today's text").as_bytes();
    let answer = against(row);
    assert_eq!(answer.as_ref().map(|answer| seen(answer, today)).as_ref(), want, "{row:?}: {answer:#?}");
}

fn is_passed_by((how, texts, by): Row<'_>) -> bool {
    let edit = edit_of(how, texts[0], texts[1]);
    let steps = steps_of(how, texts);
    let since = Since { steps: &steps, is_of_others: &|_| false, told: &|_| Told::Exactly };
    pass_by(&edit, since, &|n| by.as_bytes()[n] == b'm', texts.last().expect("today's text").as_bytes())
}

#[test]
fn lines_that_a_record_took_are_not_said_to_be_taken_back() {
    let rows: &[Row<'_>] = &[
        (How::Lines, &["}\na\n", "a\n", "b\n}\n", "}\na\nb\n"], "rr"),
        (How::Lines, &["b\na\na\n", "b\nb\na\na\n", "b\nb\n", "b\n"], "r-"),
        (How::Least, &["end()\n", "end()z + \n", "end()z + \nx = a + b\n", "", "end()\n"], "-rr"),
        (
            How::Least,
            &["new(x, y)\n", "m(a, b)\nnew(x, y)\nn(1)\n", "m(a, b)\nnew(x, y)\nn(2)\n", "new(x, y)\nn(2)\n}\n"],
            "r-",
        ),
    ];
    for &row in rows {
        check_against(row, Some(&Seen::Refused));
    }
}

#[test]
fn lines_that_a_record_took_are_gone_though_equal_ones_were_written_since() {
    for (row, want) in [
        ((How::All, &["b\nb\n", "b\n", "", "b\n"][..], "r-"), Seen::Refused),
        ((How::Least, &["\n", "x = a - b\n", "", "x = a - b\n"][..], "r-"), Seen::Done),
        ((How::Least, &["", "b\na\n", "a\n", "b\na\n"][..], "r-"), Seen::Refused),
    ] {
        check_against(row, Some(&want));
    }
}

#[test]
fn lines_that_a_record_changed_with_those_that_it_took_are_of_who_wrote_these_anew() {
    let edit = Edit::by_lines(b"e\nk 2\nf\nz\n", b"m\nn\ne\nk 7\nf\nz\n").expect("few lines");
    let verdicts = |since: &[&'static str]| {
        let texts: Vec<&[u8]> = [edit.after()].into_iter().chain(since.iter().map(|text| text.as_bytes())).collect();
        let today = texts[since.len()];
        let steps: Vec<Edit<'_>> =
            texts.windows(2).map(|pair| Edit::by_lines(pair[0], pair[1]).expect("few lines")).collect();
        let first = answer(edit.clone(), Wanted::All, Direction::TakeBack, &steps, today);
        let since = Since { steps: &steps, is_of_others: &|_| false, told: &|_| Told::Exactly };
        let told = overruled(&edit, &first, Today { since, is_in_force: &|n| n == 0, text: today });
        told.map(|told| told.hunks().iter().map(|hunk| hunk.verdict.clone()).collect::<Vec<_>>())
    };
    let told = verdicts(&["p\ne\nk 2\nf\nz\n", "p\nm\nn\ne\nk 7\nf\nz\n"]).expect("it has something against that");
    let [Verdict::AlreadyDone, Verdict::Refused(refusal)] = &told[..] else { panic!("{told:?}") };
    assert_eq!(refusal.place, 8..12);
    // The record did not come to them, or another one did.
    for since in [
        &["p\ne\nk 7\nf\nz\n", "p\nm\nn\ne\nk 7\nf\nz\n"][..],
        &["p\ne\nk 7\nf\nz\n", "p\ne\nk 2\nf\nz\n", "p\nm\nn\ne\nk 7\nf\nz\n"],
    ] {
        let told = verdicts(since).expect("it has something against that");
        assert!(matches!(&told[..], [Verdict::AlreadyDone, Verdict::Write(_)]), "{told:?}");
    }
}

#[test]
fn the_log_has_nothing_against_what_it_does_not_know_for_sure() {
    let rows: &[Row<'_>] = &[
        (How::Least, &["a\n}\n", "b\n}\n", "", "a\n"], "r-"),
        (How::Least, &["a\n", "(\n", "b\n", "a\n"], "rr"),
        (How::ByLines, &["", "a\nb\n", "b\na\n", "a\nb\n"], "r-"),
        (How::Least, &["b\n", "a\n", "b\n"], "r"),
        (How::All, &["n(2)\n", "n(2)\n}\n", "n(2)\n"], "r"),
        (How::Least, &["", "b\nb\n", "b\n", "b\nb\n"], "r-"),
        (How::Lines, &["b()\nc()\n", "c()\n", ""], "r"),
        (How::All, &["  b()\n{\n", "  b()\n", "{\n"], "r"),
        (How::ByLines, &["a()\nk(x)\n", "  {\na()\n", ""], "r"),
        (How::Least, &["}\n", "}\n\n", "", "}\n"], "r-"),
        (How::Least, &["", "a\n", "b\na", "b\na\n"], "r-"),
        (How::Least, &["b\nb\n", "a\nb\n", "", "b\nb\n"], "-r"),
        (How::Least, &["", "  a\n", "  a\n  a\n", "b\n  a\n"], "-r"),
        (How::ByLines, &["n(2)\na()\n", "n(2)\n  a()\n", "n(2)\nn(2)\n    }\nn(1)\n", "n(2)\na()\n    }\n"], "r-"),
    ];
    for &row in rows {
        check_against(row, None);
    }
}

#[test]
fn an_edit_is_passed_by_where_no_step_comes_to_its_lines_or_beside_them_where_it_may_be_one_of_it() {
    for (row, want) in [
        ((How::Least, &["b\n", "b\n\n", "a\n\n"][..], "m"), true),
        ((How::ByLines, &["a\n", "a\nb\n", "b\na\nb\na\n"][..], "m"), false),
        ((How::Least, &["", "\n", "b\n"][..], "-"), false),
        ((How::Least, &["", "\n", "}\n\n"][..], "-"), true),
        ((How::ByLines, &["x, y\ntop()\n", "end()\nx, y\n", "end()\n"][..], "-"), false),
        ((How::Least, &["", "  \n", "b\n  \n"][..], "m"), false),
        ((How::Least, &["top()\n}\nx = a\n", "}\n}\nx = a\n", "}\n}\n"][..], "m"), true),
    ] {
        assert_eq!(is_passed_by(row), want, "{row:?}");
    }
}

#[test]
fn a_refusal_shows_the_line_that_stands_there_instead_where_it_is_the_only_one() {
    let shown = |texts: &[&str], by| {
        let answer = against((How::Lines, texts, by)).expect("an answer");
        let place = answer.refusals().next().expect("a refusal").1.place.clone();
        texts.last().expect("today's text")[place].to_owned()
    };
    assert_eq!(shown(&["m\na\nk\n", "m\nb\nk\n", "m\nc\nk\n", "m\nc\na\nk\n"], "rr"), "c\n");
    assert_eq!(shown(&["m\na\nk\n", "m\nb\nk\n", "m\nc\nk\n", "m\nc\na\nk\nc\n"], "rr"), "");
}
