//! Lines of other records that are like a record's own: the log tells whose they are.

use crate::support::TestRepo;
use crate::undo_by_log::{holds, run, with};
use serde_json::json;

fn newest(repo: &TestRepo) -> String {
    repo.redraft(&["log", "-n", "1", "--json"], "").lines()[0]["id"].as_str().expect("a record").to_owned()
}

const CHANGED: &str = "these lines were changed since";

/// It is refused for that reason, as the lines were changed by a record.
#[track_caller]
fn changed_by(repo: &TestRepo, args: &[&str], (why, by): (&str, &str)) {
    let (text, told) = (repo.text("f"), repo.redraft(args, "").json());
    let conflict = &told["data"]["hint"]["conflicts"][0];
    assert_eq!(conflict["why"], json!(why), "{told}");
    assert_eq!(conflict["changed_by"], json!(by), "{told}");
    holds(repo, &text);
}

/// Seen: the redo of a record that had emptied the file took out a line that a later record had put, as one that still another one had
/// replaced had been equal to it.
#[test]
fn a_redo_does_not_take_a_later_records_equal_line() {
    for replaced in ["w1 w2\n", "c4\nc5\n"] {
        let repo = with("a1\na2\nc3\n");
        run(&repo, "");
        repo.done(&["undo"], "");
        let undo = newest(&repo);
        repo.edit("f", "c3\n", replaced);
        let second = repo.edit("f", "a2\n", "a2\nc3\n");
        changed_by(&repo, &["redo", &undo], ("some of these lines were taken out since, and put there again", &second));
    }
    // Deleted, and put again.
    let repo = with("a1\nb2\n");
    let first = repo.edit("f", "a1\n", "a1\nx1\nx2\nx3\n");
    repo.edit("f", "x1\nx2\n", "x1\n");
    let third = repo.edit("f", "x1\n", "x1\nx2\n");
    repo.edit("f", "b2\n", "b2\nb3\n");
    assert_eq!(repo.refused(&["undo", &first], ""), "undo_conflict");
    holds(&repo, "a1\nx1\nx2\nx3\nb2\nb3\n");
    // Seen: "nothing stands there now", once somebody had changed another line by hand.
    repo.write("f", "a1\nx1\nx2\nx3\nb2\nb3, changed\n");
    let told = repo.said(&["undo", &first]);
    assert!(
        told.contains("hunk 1 (now lines 2 to 4): some of these lines were taken out since, and put there again"),
        "{told}"
    );
    assert!(told.contains(&format!("nothing was written: `redraft undo {third}` first")), "{told}");
    repo.write("f", "a1\nx1\nx2\nx3\nb2\nb3\n");
    // In turn each goes.
    repo.done(&["undo", &third], "");
    holds(&repo, "a1\nx1\nx3\nb2\nb3\n");
    // A line that was changed, and changed back by hand, is the record's.
    let repo = with("a1\nb2\n");
    let first = repo.edit("f", "a1\n", "a1\nx1\nx2\n");
    repo.edit("f", "x2\n", "x3\n");
    repo.write("f", "z0\na1\nx1\nx2\nb2\n");
    repo.done(&["undo", &first], "");
    holds(&repo, "z0\na1\nb2\n");
}

/// Seen: "what it did to f is taken back already", of a line that a later record had deleted with all others, or had edited, and another
/// one had put an equal one to what had been there before.
#[test]
fn a_replaced_line_is_not_said_to_be_back_where_another_record_put_its_like() {
    let repo = with("a1\nx = 1;\na2\nelse\na3\n");
    let first = repo.edit("f", "else\n", "t1 t2\n");
    let second = run(&repo, "");
    repo.apply(json!({"path": "f", "content": "b1\nelse\n\nb2\n", "overwrite": true}));
    changed_by(&repo, &["undo", &first], (CHANGED, &second));

    let repo = with("a1\nb1 b2 b3\nc1\nd1\n");
    let first = run(&repo, "a1\np1 q1\nc1\nd1\n");
    run(&repo, "}\nr1\nb1 b2 b3\np1 q1\nc1\nd1\n");
    let third = repo.edit("f", "p1 q1", "p1 s1");
    changed_by(&repo, &["undo", &first], (CHANGED, &third));
    // Where a record put it back where it had been, it is back.
    let repo = with("a1\nb1\nc1\n");
    let first = repo.edit("f", "b1\n", "p1\n");
    repo.edit("f", "p1\n", "b1\n");
    repo.edit("f", "c1\n", "c1\nd1\n");
    assert!(repo.said(&["undo", &first]).contains("taken back already"));
    // So it is where a person did.
    let repo = with("a1\nb1\nc1\n");
    let first = repo.edit("f", "b1\n", "p1\n");
    repo.edit("f", "p1\nc1\n", "q1\n");
    repo.write("f", "a1\nb1\nq1\n");
    assert!(repo.said(&["undo", &first]).contains("taken back already"));
}

/// Seen: refused as another record had taken away the line since that would come back: that was a third one's, elsewhere.
#[test]
fn a_replaced_line_comes_back_though_its_like_elsewhere_went() {
    let repo = with("one\ntwo\nthree\nfour\nfive\n");
    let first = repo.edit("f", "two\n", "second\n");
    repo.edit("f", "five\n", "five\ntwo\n");
    repo.edit("f", "two\n", "deux\n");
    repo.done(&["undo", &first], "");
    holds(&repo, "one\ntwo\nthree\nfour\nfive\ndeux\n");
}

/// Seen: "lines would come back that another record wrote, and that one was taken back since", of one that is in force.
#[test]
fn a_record_of_which_an_edit_took_a_line_is_not_said_to_be_taken_back() {
    let repo = with("a\nK;\n");
    let first = repo.edit("f", "a\n", "a\nK;\n");
    repo.edit("f", "a\nK;\nK;\n", "a\nK;\nK;\nK;\nz\n");
    repo.done(&["undo", &first], "");
    repo.edit("f", "z\n", "");
    repo.done(&["redo", &first], "");
    holds(&repo, "a\nK;\nK;\nK;\n");
}

/// The same of one that was undone, with all lines that it had put.
#[test]
fn lines_of_a_record_that_was_undone_whole_are_not_those_that_went_before() {
    let repo = with("a\nK;\n");
    let first = repo.edit("f", "K;\n", "K;\nK;\n");
    let second = repo.edit("f", "K;\nK;\n", "K;\nK;\n}\n\nK;\n");
    repo.edit("f", "a\nK;\nK;\n", "a\nK;\nK;\nK;\nK;\n");
    repo.done(&["undo", &first], "");
    repo.done(&["undo", &second], "");
    repo.done(&["redo", &first], "");
    holds(&repo, "a\nK;\nK;\nK;\nK;\n");
    // Whether a record lies between, or not.
    for between in [false, true] {
        let repo = with("a\nK;\nb\nc\nx\n");
        let first = repo.edit("f", "b\n", "b\nK;\nM;\n");
        if between {
            repo.edit("f", "x\n", "xx\n");
        }
        let second = repo.edit("f", "a\nK;\n", "a\n");
        repo.done(&["undo", &first], "");
        let text = repo.text("f");
        repo.write("f", text.clone() + "d\n");
        repo.done(&["undo", &second], "");
        holds(&repo, &(text.replace("a\n", "a\nK;\n") + "d\n"));
    }
}

/// Seen: a conflict, of a record that is undone: somebody had made the file as the undo left it, and added an equal line before that.
#[test]
fn a_record_that_is_undone_is_said_to_be_where_the_file_is_as_the_undo_left_it() {
    let repo = with("  r\nb\n  r\n}\nx w\nb\n");
    let first = repo.edit("f", "x w\nb\n", "x w\nb\nb\n");
    repo.done(&["undo", &first], "");
    repo.done(&["redo"], "");
    let redo = newest(&repo);
    repo.write("f", "  r\nb\n  r\nb\n}\nx w\nb\nb\n");
    repo.done(&["undo", &redo], "");
    assert!(repo.said(&["undo", &first]).contains("is undone already"));
}

/// Seen: "what it did to f is taken back already", of two that are in force and cancel out.
#[test]
fn of_records_that_cancel_out_it_is_said_that_they_do() {
    let repo = with("}\np q\n");
    let first = repo.edit("f", "p q\n", "p q\nx w\n");
    let second = repo.edit("f", "x w\n", "");
    repo.edit("f", "p q\n", "}\np q\n");
    assert!(repo.said(&["undo", &second, &first]).contains("what these records did to f cancels out"));
    repo.done(&["undo", &second], "");
    repo.done(&["undo", &first], "");
    holds(&repo, "}\n}\np q\n");
}

/// Seen: only the deletion of the other file was done again, and nothing said of this one, whose lines a later record had taken as well.
#[test]
fn a_redo_after_a_reset_does_both_files_again() {
    let repo = TestRepo::with_files(&[("f", "a1\na2\n"), ("g", "x\n")]);
    let request = json!({"files": [
        {"path": "f", "old_string": "a2\n", "new_string": "a2\nb3\n"},
        {"path": "g", "delete": true},
    ]});
    repo.apply(request);
    repo.done(&["undo"], "");
    repo.done(&["redo"], "");
    let edits =
        [json!({"old_string": "a1\n", "new_string": "c0\na1\n"}), json!({"old_string": "b3\n", "new_string": ""})];
    repo.apply(json!({"path": "f", "edits": edits}));
    repo.git(&["reset", "-q", "--hard"]);
    repo.done(&["redo"], "");
    holds(&repo, "a1\na2\nb3\n");
    assert!(!repo.root().join("g").exists());
}

/// Seen: "record X did it again", of the undo X; `redraft undo X`, as it says, had nothing to do.
#[test]
fn the_redo_that_did_it_again_is_named_and_not_the_undo_that_it_took_back() {
    let repo = with("a1\na2\n");
    repo.edit("f", "a2", "a2\nb2");
    repo.done(&["undo"], "");
    let undo = newest(&repo);
    repo.done(&["undo", &undo], "");
    let first = newest(&repo);
    repo.git(&["checkout", "-q", "f"]);
    repo.done(&["undo", &undo], "");
    let second = newest(&repo);
    assert!(repo.said(&["undo", &first]).contains(&format!("`redraft undo {second}` takes that back")));
    repo.done(&["undo", &second], "");
    holds(&repo, "a1\na2\n");
}

/// Seen: "the lines around its place were changed since", of a doubled bracket, as a line farther off had become two.
#[test]
fn a_doubled_bracket_beside_what_stands_is_there_whatever_was_put_farther_off() {
    let text =
        "use a;\n\nfn one() {\n    if a {\n        first()\n    }\n}\n\n#[cfg(unix)]\nimpl b {\n}\n#[cfg(unix)]\n";
    let repo = with(text);
    let first = repo.edit("f", "first()\n    }\n", "first()\n    }\n    }\n");
    let put = |text: &str| text.replace("#[cfg(unix)]\nimpl", "| key | what |\nOf each:\nimpl");
    repo.write("f", put(&repo.text("f")));
    repo.done(&["undo", &first], "");
    holds(&repo, &put(text));
}
