//! What edits come to, in both modes.

use super::*;
use crate::advice::{self, Explanation};
use crate::code::Reason;
use crate::dialect;
use crate::patch::FilePatch;
use crate::request::Dialect;
use crate::strategy::Strategy;
use serde_json::json;

fn edit(old: &str, new: &str) -> Edit {
    Edit::new(old, new).expect("an edit")
}

fn all(old: &str, new: &str) -> Edit {
    with(edit(old, new), |edit| edit.replace_all = true)
}

fn with(mut edit: Edit, change: impl FnOnce(&mut Edit)) -> Edit {
    change(&mut edit);
    edit
}

fn told(error: &CompileError) -> Explanation {
    advice::compile(error, "a.txt", dialect::words(Dialect::Standard))
}

fn run(text: &[u8], edits: &[Edit], mode: Mode) -> Result<(String, Compiled), Box<Explanation>> {
    let text = Text::new(text.to_vec()).expect("no NUL");
    let options = CompileOptions { mode, ..CompileOptions::default() };
    let compiled = compile(&text, edits, &options).map_err(|error| Box::new(told(&error)))?;
    assert_eq!(FilePatch::new(text.bytes().len(), compiled.patch.splices().to_vec()).as_ref(), Ok(&compiled.patch));
    Ok((String::from_utf8_lossy(&compiled.patch.apply(text.bytes())).into_owned(), compiled))
}

fn check_in(mode: Mode, text: &str, edits: &[Edit], want: &str) -> Compiled {
    let (got, compiled) = run(text.as_bytes(), edits, mode).expect("it compiles");
    assert_eq!(got, want);
    compiled
}

fn check(text: &str, edits: &[Edit], want: &str) -> Compiled {
    check_in(Mode::Original, text, edits, want)
}

fn refused(text: &str, edits: &[Edit]) -> Explanation {
    let told = run(text.as_bytes(), edits, Mode::Original).expect_err("it is refused");
    assert!(!told.message.ends_with('.') && !told.message.contains('\n'), "{}", told.message);
    *told
}

#[test]
fn in_original_mode_every_edit_sees_the_original() {
    let compiled = check("a b\n", &[edit("a", "b"), edit("b", "c")], "b c\n");
    assert_eq!(compiled.edits[1], EditOutcome { index: 1, strategy: Strategy::Exact, range: 2..3, replacements: 1 });
    check("", &[], "");
}

#[test]
fn in_sequence_mode_each_edit_sees_the_result_of_the_one_before() {
    let compiled =
        check_in(Mode::Sequence, "a\nz\n", &[edit("a", "b"), edit("b\nz", "c\ny"), edit("y", "x")], "c\nx\n");
    let ranges: Vec<_> = compiled.edits.iter().map(|edit| edit.range.clone()).collect();
    assert_eq!(ranges, [0..1, 0..3, 0..3]);
    assert_eq!(compiled.patch.splices().len(), 1);
    assert_eq!(compiled.patch.splices()[0].origin.iter().map(|origin| origin.edit).collect::<Vec<_>>(), [0, 1, 2]);
}

#[test]
fn in_sequence_mode_edits_apart_keep_their_own_splices() {
    let compiled = check_in(Mode::Sequence, "a\r\nb\r\n", &[edit("b", "B\nC"), edit("a\n", "A\n")], "A\r\nB\r\nC\r\n");
    let edits: Vec<_> = compiled.patch.splices().iter().map(|splice| splice.origin[0].edit).collect();
    assert_eq!(edits, [1, 0]);
}

#[test]
fn in_sequence_mode_the_line_is_that_of_the_text_the_edit_sees() {
    let near = with(edit("x", "y"), |edit| edit.line = Some(3));
    check_in(Mode::Sequence, "a\nx\nx\n", &[edit("a", "a\nb"), near], "a\nb\ny\nx\n");
}

#[test]
fn every_place_is_replaced_by_one_splice() {
    let compiled = check("aXbXc", &[all("X", "--")], "a--b--c");
    assert_eq!(
        (compiled.patch.splices().len(), compiled.edits[0].replacements, compiled.edits[0].range.clone()),
        (2, 2, 1..4)
    );
    check("aaa", &[all("aa", "b")], "ba");
}

#[test]
fn touching_places_of_one_edit_are_one_splice() {
    let compiled = check("aaab aa", &[all("a", "x"), edit("b", "y")], "xxxy xx");
    let ranges: Vec<_> = compiled.patch.splices().iter().map(|splice| splice.range.clone()).collect();
    assert_eq!((ranges, compiled.edits[0].replacements), (vec![0..3, 3..4, 5..7], 5));
}

/// Each looks at its line only once: one that is searched at every place takes minutes here.
#[test]
fn a_hundred_thousand_places_on_one_line_are_no_hundred_thousand_searches_of_it() {
    let line = "a".repeat(100_000);
    for (end, want) in [("", "b"), ("\n", "b"), ("\r\n", "b\r\n")] {
        let text = Text::new(format!("{line}{end}").into_bytes()).expect("no NUL");
        let edits = [all("a", if want == "b" { "b" } else { "b\n" })];
        let compiled = compile(&text, &edits, &CompileOptions::default()).expect("it compiles");
        let after = compiled.patch.apply(text.bytes());
        assert_eq!(after, format!("{}{end}", want.repeat(100_000)).into_bytes());
    }
}

#[test]
fn edits_that_insert_where_their_places_touch_keep_the_order_of_the_places() {
    let compiled = check("A\nB\n", &[edit("B\n", "Y\nB\n"), edit("A\n", "A\nX\n")], "A\nX\nY\nB\n");
    assert_eq!(compiled.patch.splices()[0].origin.iter().map(|origin| origin.edit).collect::<Vec<_>>(), [1, 0]);
    check("A\nB\nA\n", &[edit("B\n", "B\nY\n"), all("A\n", "X\nA\n")], "X\nA\nB\nY\nX\nA\n");
}

#[test]
fn a_line_breaks_a_tie_only_if_it_lies_within_one_place() {
    let near = |line| with(edit("x", "y"), |edit| edit.line = Some(line));
    check("x\nx\n", &[near(2)], "x\ny\n");
    check("x\n\n", &[near(2)], "y\n\n");
    assert_eq!(refused("x\nz\nx\n", &[near(2)]).reason, Reason::Ambiguous);
    assert_eq!(refused("x x\nx\n", &[near(1)]).reason, Reason::Ambiguous);
    assert_eq!(refused("x\nx\n", &[near(9)]).reason, Reason::Ambiguous);
}

#[test]
fn an_ambiguous_text_is_told_with_unique_extensions() {
    let told = refused("a\nx\nb\nx\n", &[edit("x", "y")]);
    assert_eq!((told.reason, told.failed_index), (Reason::Ambiguous, Some(0)));
    assert_eq!(
        serde_json::Value::from(told.hint),
        json!({"count": 2, "places": [
            {"line": 2, "text": "x", "extension": "x\nb"},
            {"line": 4, "text": "x", "extension": "b\nx"},
        ]})
    );
}

#[test]
fn overlap_names_both_edits_and_fails_at_the_later() {
    let told = refused("a\nb\nc\n", &[edit("b\nc", "x"), edit("a\nb", "y")]);
    assert_eq!((told.reason, told.failed_index), (Reason::Overlap, Some(1)));
    assert_eq!(
        serde_json::Value::from(told.hint),
        json!({"edits": [{"index": 0, "start_line": 2, "end_line": 3}, {"index": 1, "start_line": 1, "end_line": 2}]})
    );
    assert_eq!(refused("abc", &[edit("abc", "x"), edit("a", "y"), edit("c", "z")]).hint["also_failed"], json!([2]));
    assert_eq!(refused("abc", &[edit("b", "x"), edit("b", "y")]).reason, Reason::Overlap);
}

#[test]
fn context_that_two_edits_share_is_overlap_too() {
    assert_eq!(refused("a\nb\nc\n", &[edit("a\nb", "A\nb"), edit("b\nc", "b\nC")]).reason, Reason::Overlap);
}

#[test]
fn the_first_failing_edit_is_told_and_the_others_are_named() {
    let told = refused("a\n", &[edit("a", "b"), edit("p", "q"), edit("r", "s")]);
    assert_eq!((told.reason, told.failed_index), (Reason::NoMatch, Some(1)));
    assert_eq!(told.hint["also_failed"], json!([2]));
}

#[test]
fn an_edit_that_was_applied_before_is_told_so() {
    let told = refused("one\n  second = 2\nthree\n", &[edit("second = 1", "second = 2")]);
    assert_eq!((told.reason, told.hint["start_line"].clone()), (Reason::AlreadyApplied, json!(2)));
    assert_eq!(refused("x\nbetter\nbetter\n", &[all("a", "better")]).reason, Reason::AlreadyApplied);
    assert_eq!(refused("p\nabc\ndef\nq\n", &[edit("gone", "abc\ndef")]).reason, Reason::AlreadyApplied);
}

#[test]
fn what_proves_nothing_is_not_called_applied() {
    assert_eq!(refused("b\nb\n", &[edit("a", "b")]).reason, Reason::NoMatch);
    assert_eq!(refused("rebar\n", &[edit("foo", "bar")]).reason, Reason::NoMatch);
    assert_eq!(refused("x\n", &[edit("foo\nx", "x")]).reason, Reason::NoMatch);
    assert_eq!(refused("x\n", &[edit("foo", "")]).reason, Reason::NoMatch);
    assert_eq!(refused("f {\n}\n", &[edit("zz", "}")]).reason, Reason::NoMatch);
    check("a\nb\n", &[edit("a", "a\nb")], "a\nb\nb\n");
}

#[test]
fn an_edit_whose_old_text_is_there_but_for_a_slip_is_not_called_applied() {
    let text = "int one() {\n  return 0;\n}\nint main_entry(void) {\n  return 1;\n}\n";
    let told = refused(text, &[edit("int main_entry(void)  {\n  return 1;\n}", "  return 0;")]);
    assert_eq!((told.reason, told.hint["nearest"][0]["start_line"].clone()), (Reason::NoMatch, json!(4)));
}

#[test]
fn a_lone_carriage_return_that_the_file_lacks_is_shown() {
    let told = refused("a\r\nb\r\n", &[edit("a\r", "x")]);
    assert_eq!((told.reason, told.hint["difference"].clone()), (Reason::NoMatch, json!("-a\u{240d}\n+1    a")));
}

#[test]
fn the_number_of_replacements_may_be_expected() {
    let expect = |edit: Edit, n| with(edit, |edit| edit.expected_replacements = Some(n));
    check("aa", &[expect(all("a", "b"), 2)], "bb");
    assert_eq!(refused("aa", &[expect(all("a", "b"), 3)]).reason, Reason::CountMismatch);
    assert_eq!(refused("a", &[expect(edit("a", "b"), 2)]).reason, Reason::CountMismatch);
}

#[test]
fn omission_placeholders_and_nul_bytes_are_not_written() {
    assert_eq!(refused("a\n", &[edit("a", "b\n// ... existing code ...")]).reason, Reason::OmissionPlaceholder);
    assert_eq!(refused("a\n", &[edit("a", "b\0")]).reason, Reason::NulByte);
}

#[test]
fn a_file_that_is_not_utf8_takes_ascii_only() {
    let latin1 = b"caf\xe9\nx\n";
    let told = run(latin1, &[edit("x", "\u{e9}")], Mode::Original).expect_err("refused");
    assert_eq!(told.reason, Reason::UnsupportedEncoding);
    let text = Text::new(latin1.to_vec()).expect("no NUL");
    let compiled = compile(&text, &[edit("x", "y")], &CompileOptions::default()).expect("ASCII");
    assert_eq!(compiled.patch.apply(latin1), b"caf\xe9\ny\n");
}

#[test]
fn nested_texts_are_refused_where_that_is_asked_for() {
    let text = Text::new(b"a\nb\n".to_vec()).expect("no NUL");
    let options = CompileOptions { refuse_nested: true, ..CompileOptions::default() };
    let told = compile(&text, &[edit("a", "b2"), edit("b", "c")], &options).expect_err("nested");
    let told = self::told(&told);
    assert_eq!((told.reason, told.failed_index), (Reason::NestedConflict, Some(1)));
    assert_eq!(told.hint["edits"][0], json!({"index": 0, "start_line": 1, "end_line": 1}));
    assert!(compile(&text, &[edit("a", "aa"), edit("b", "c")], &options).is_ok());
}

#[test]
fn the_bom_stays_unless_the_old_text_names_it_and_the_new_one_does_not() {
    check("\u{feff}a\n", &[edit("a", "b")], "\u{feff}b\n");
    check("\u{feff}a\n", &[edit("\u{feff}a", "\u{feff}b")], "\u{feff}b\n");
    check("\u{feff}a\r\nb", &[edit("\u{feff}a\nb", "\u{feff}a\nc")], "\u{feff}a\r\nc");
    check("\u{feff}a\u{feff}a", &[all("\u{feff}a", "\u{feff}b")], "\u{feff}b\u{feff}b");
    check("\u{feff}a\n", &[edit("\u{feff}a", "a")], "a\n");
    check("\u{feff}a\n", &[edit("\u{feff}a", "b")], "b\n");
    check("\u{feff}a\r\nb\r\n", &[edit("\u{feff}a\nb\n", "a\nb\n")], "a\r\nb\r\n");
    check("x\u{feff}a\n", &[edit("\u{feff}a", "b")], "xb\n");
    let both = [edit("\u{feff}a", "\u{feff}b"), edit("\u{feff}b", "c")];
    check_in(Mode::Sequence, "\u{feff}a\n", &both, "c\n");
}

#[test]
fn an_old_text_of_the_bom_alone_takes_it_away() {
    check("\u{feff}a\n", &[edit("\u{feff}", "")], "a\n");
}

#[test]
fn many_edits_are_compiled_as_few_are() {
    let text: String = (0..200).map(|n| format!("line {n} end\r\n")).collect();
    let edits: Vec<Edit> = (0..200).map(|n| edit(&format!("line {n} end"), &format!("LINE {n}\nmore"))).collect();
    let want: String = (0..200).map(|n| format!("LINE {n}\r\nmore\r\n")).collect();
    check(&text, &edits, &want);
    check_in(Mode::Sequence, &text, &edits, &want);
}

/// So many splices that a patch would take many times the memory of its text are put together.
#[test]
fn very_many_places_are_few_splices_and_the_same_text() {
    let count = 40_000;
    for (line, old, new) in [
        ("let value = foo(bar)\n", "foo", "quux"),
        ("let value = foo(bar)\r\n", "foo", "quux"),
        ("a foo\nb foo\r\n", "foo\n", "x\ny\n"),
        ("foo foo ", "foo", ""),
        ("foo", "foo", "x"),
    ] {
        let text = line.repeat(count) + "end\n";
        let crlf =
            |new: &str, after: &str| if after.starts_with('\r') { new.replace('\n', "\r\n") } else { new.to_owned() };
        let mut want = String::new();
        let mut rest = text.as_str();
        let plain = old.trim_end_matches('\n');
        while let Some(at) = rest.find(plain) {
            want.push_str(&rest[..at]);
            rest = &rest[at + plain.len()..];
            want.push_str(&crlf(new.strip_suffix('\n').unwrap_or(new), rest));
        }
        want.push_str(rest);
        for mode in [Mode::Original, Mode::Sequence] {
            let compiled = check_in(mode, &text, &[all(old, new)], &want);
            assert_eq!(compiled.edits[0].replacements, text.matches(plain).count());
            assert!(compiled.patch.splices().len() <= 1 << 14, "{}", compiled.patch.splices().len());
        }
    }
}

#[test]
fn places_of_several_edits_lie_between_each_other_however_many_there_are() {
    let text = "let value = foo(bar)\n".repeat(20_000);
    let edits = [all("foo", "quux"), all("let", "var"), all("bar", "")];
    let want = "var value = quux()\n".repeat(20_000);
    for mode in [Mode::Original, Mode::Sequence] {
        let compiled = check_in(mode, &text, &edits, &want);
        assert!(compiled.edits.iter().all(|edit| edit.replacements == 20_000));
        assert!(compiled.patch.splices().len() <= 3 << 14, "{}", compiled.patch.splices().len());
    }
    // As many as a patch may have, each by itself.
    let text = "let value = foo(bar)\n".repeat(1 << 14);
    assert_eq!(check(&text, &[all("foo", "x")], &text.replace("foo", "x")).patch.splices().len(), 1 << 14);
}

#[test]
fn many_edits_in_sequence_that_each_change_many_places_take_no_time_of_their_square() {
    let text = "let value = foo(bar)\n".repeat(50_000);
    let edits = [all("foo", "quux"), all("quux", "longer_name"), all("let", "const"), all("longer_name", "y")];
    check_in(Mode::Sequence, &text, &edits, &"const value = y(bar)\n".repeat(50_000));
}
