//! Taking back with certainty: each test keeps away a symptom that was seen (text doubled, words glued, order lost, another
//! file edited), all of which ended with exit status 0.

use crate::support::TestRepo;
use serde_json::json;

/// A file's lines that have nothing to do with the edit: enough of them that anchors are found.
const HEAD: &str = "import os\nimport sys\n\ndef first(alpha):\n    return alpha + 1\n\n";
const TAIL: &str = "\ndef last(omega):\n    print(omega)\n    return None\n";

fn around(middle: &str) -> String {
    format!("{HEAD}{middle}{TAIL}")
}

/// What a command did to the file: its new text, or the reason why it refused.
#[derive(Debug, PartialEq, Eq)]
enum Outcome {
    Text(String),
    Refused(String),
}

/// Runs a command about `f.py`; a refusal must leave the file alone.
fn run(repo: &TestRepo, args: &[&str]) -> Outcome {
    let before = repo.read("f.py");
    let answer = repo.redraft(args, "");
    if answer.status == 0 {
        return Outcome::Text(repo.text("f.py"));
    }
    assert_eq!(repo.read("f.py"), before, "a refusal writes nothing");
    Outcome::Refused(answer.json()["data"]["reason"].as_str().unwrap_or_default().to_owned())
}

fn text(text: impl Into<String>) -> Outcome {
    Outcome::Text(text.into())
}

fn refused(reason: &str) -> Outcome {
    Outcome::Refused(reason.to_owned())
}

/// A repository whose `f.py` holds `before`, edited by an agent to `after` with the pairs given.
fn edited(before: &str, edits: &[(&str, &str)]) -> (TestRepo, String) {
    let repo = TestRepo::with_files(&[("f.py", before)]);
    let edits: Vec<_> = edits.iter().map(|(old, new)| json!({"old_string": old, "new_string": new})).collect();
    let id = repo.apply(json!({"path": "f.py", "edits": edits, "agent": {"name": "a", "session": "s"}}));
    (repo, id)
}

/// The user takes the edit back with `git checkout`, then changes another line.
fn check_taken_back_already(before: &str, edit: (&str, &str), elsewhere: (&str, &str)) {
    let (repo, id) = edited(before, &[edit]);
    repo.git(&["checkout", "f.py"]);
    repo.write("f.py", repo.text("f.py").replace(elsewhere.0, elsewhere.1));
    for args in [vec!["undo"], vec!["undo", &id], vec!["undo", "--session", "s"]] {
        assert_eq!(run(&repo, &args), refused("nothing_to_undo"), "{edit:?} {args:?}");
    }
}

const ELSEWHERE: (&str, &str) = ("alpha + 1", "alpha + 2");

#[test]
fn what_git_checkout_took_back_is_not_doubled() {
    let middle = around("def f(y):\n    return y  # n\n");
    check_taken_back_already(&middle, ("return y  # n", "return y"), ELSEWHERE);
    check_taken_back_already(&middle, ("def f(y):", "def f(y, z):"), ELSEWHERE);
    check_taken_back_already(
        &around("    # call(this_thing)\n"),
        ("    # call(this_thing)", "    call(this_thing)"),
        ELSEWHERE,
    );
    check_taken_back_already(&around("value = compute()  \n"), ("compute()  \n", "compute()\n"), ELSEWHERE);
    check_taken_back_already(&around("value = compute();\n"), ("compute();", "compute()"), ELSEWHERE);
}

#[test]
fn a_deleted_first_or_last_line_that_is_back_is_not_doubled() {
    let before = around("middle = 1\n");
    check_taken_back_already(&before, ("import os\n", ""), ("middle = 1", "middle = 2"));
    check_taken_back_already(&before, ("    return None\n", ""), ("middle = 1", "middle = 2"));
}

#[test]
fn another_branch_without_the_edit_is_left_alone() {
    let before = around("fn foo()\n");
    let (repo, id) = edited(&before, &[("fn foo()", "pub fn foo()")]);
    repo.git(&["stash", "-q"]);
    repo.git(&["checkout", "-q", "-b", "other"]);
    let there = before.replace("alpha + 1", "alpha + 3");
    repo.write("f.py", &there);
    repo.commit_all("other");
    assert_eq!(run(&repo, &["undo", &id]), refused("nothing_to_undo"));
    assert_eq!(repo.text("f.py"), there);
}

#[test]
fn a_redo_of_what_the_user_put_there_again_is_not_doubled() {
    for (old, new) in [
        ("    return None\n", "    return None\n# the_end\n"),
        ("import os\n", "# the_start\nimport os\n"),
        ("def f(y):\n", "def f(y):\n    check(y)\n"),
    ] {
        let before = around("def f(y):\n    return y\n");
        let (repo, id) = edited(&before, &[(old, new)]);
        let after = repo.text("f.py");
        repo.done(&["undo", &id], "");
        let mine = after.replace("alpha + 1", "alpha + 2");
        repo.write("f.py", &mine);
        match run(&repo, &["redo", &id]) {
            Outcome::Refused(_) => {}
            Outcome::Text(text) => assert_eq!(text, mine, "{new}"),
        }
    }
}

#[test]
fn half_of_a_word_is_never_put_to_half_of_another() {
    for (old, new, user) in [
        ("x = 24\n", "x = 3\n", "x = 30\n"),
        ("foo()\n", "bar()\n", "barista()\n"),
        ("n = 9\n", "n = 1\n", "n = 10\n"),
        ("v = 2.5\n", "v = 12.5\n", "v = 12.55\n"),
        ("if a = b:\n", "if a <= b:\n", "if a <== b:\n"),
    ] {
        let (repo, id) = edited(&around(old), &[(old, new)]);
        let mine = around(user);
        repo.write("f.py", &mine);
        assert_eq!(run(&repo, &["undo", &id]), refused("undo_conflict"), "{old:?} {new:?} {user:?}");
    }
}

#[test]
fn words_beside_the_users_are_taken_back_whole() {
    let (repo, id) = edited(&around("total = compute_sum(first, 24)\n"), &[("24)", "3)")]);
    repo.write("f.py", around("total = compute_sum(second, 3)\n"));
    assert_eq!(run(&repo, &["undo", &id]), text(around("total = compute_sum(second, 24)\n")));
}

#[test]
fn two_deleted_lines_at_the_end_come_back_in_their_order() {
    let before = "one\ntwo\nthree\nfour\n";
    let (repo, first) = edited(before, &[("three\n", "")]);
    let second = repo.edit("f.py", "four\n", "");
    let one = run(&repo, &["undo", &first]);
    let two = run(&repo, &["undo", &second]);
    match (&one, &two) {
        (_, Outcome::Text(text)) => assert!(text == before || text == "one\ntwo\nfour\n", "{text:?}"),
        (_, Outcome::Refused(reason)) => assert_eq!(reason, "undo_conflict"),
    }
    assert!(!repo.text("f.py").contains("four\nthree"), "{:?}", repo.text("f.py"));
}

#[test]
fn an_edit_below_a_later_one_in_the_same_line_is_refused_with_the_true_reason_or_taken_out() {
    let (repo, first) = edited(&around("foo(x)\n"), &[("foo(x)", "foo(x, 1)")]);
    let second = repo.edit("f.py", "foo(x, 1)", "foo(x, 1, scale=2)");
    match run(&repo, &["undo", &first]) {
        Outcome::Text(now) => assert_eq!(now, around("foo(x, scale=2)\n")),
        Outcome::Refused(reason) => assert_eq!(reason, "undo_conflict"),
    }
    let _ = second;
}

#[test]
fn a_look_alike_of_a_deleted_file_is_not_taken_for_it() {
    let alike = around("value = 1\n");
    let repo = TestRepo::with_files(&[("a.py", &alike), ("f.py", &alike)]);
    let id = repo.apply(
        json!({"path": "f.py", "old_string": "value = 1", "new_string": "value = 2", "agent": {"session": "s"}}),
    );
    let edited = repo.text("f.py");
    std::fs::remove_file(repo.root().join("f.py")).expect("it is there");
    repo.write("a.py", &edited);
    assert_eq!(repo.refused(&["undo", &id], ""), "undo_conflict");
    assert_eq!(repo.text("a.py"), edited, "a tracked file that looks alike is another file");
}

#[test]
fn of_two_swapped_files_the_one_with_the_lines_is_undone() {
    let (one, two) = (around("value = 1\n"), "other\ntext\nof\nanother\nfile\n".to_owned());
    let repo = TestRepo::with_files(&[("f.py", &one), ("b.py", &two)]);
    let id = repo.edit("f.py", "value = 1", "value = 2");
    repo.write("b.py", repo.text("f.py"));
    repo.write("f.py", &two);
    repo.done(&["undo", &id], "");
    assert_eq!((repo.text("f.py"), repo.text("b.py")), (two, one));
}

/// Seen: what was undone in one of them was redone in the other, which an agent had edited under that name since.
#[test]
fn an_edit_of_the_other_file_of_two_that_exchanged_their_names_makes_it_no_other_one() {
    let file = |name: &str| {
        format!("{}def {name}_one():\n    return {name}1\n", "import os\nimport sys\nimport re\n".to_owned())
    };
    let repo = TestRepo::with_files(&[("a.py", &file("a")), ("b.py", &file("b"))]);
    let of_b = repo.edit("b.py", "import sys\n", "import sys\nimport ast\n");
    repo.done(&["undo", &of_b], "");
    repo.write("b.py", file("a"));
    repo.write("a.py", file("b"));
    let of_a = repo.edit("b.py", "return a1", "return a2");
    repo.write("b.py", repo.text("b.py").replace("import os", "import io"));
    let now = repo.text("b.py");
    let answer = repo.redraft(&["redo"], "");
    assert_eq!((repo.text("b.py"), answer.status), (now.clone(), 1), "{}", answer.out);
    repo.done(&["undo", &of_a], "");
    assert_eq!(repo.text("b.py"), now.replace("return a2", "return a1"));
    // Its names exchanged back, it is the file again.
    repo.write("b.py", file("b").replace("import os", "import io"));
    repo.write("a.py", file("a"));
    repo.done(&["redo", &of_b], "");
    assert_eq!(repo.text("b.py"), file("b").replace("import os", "import io").replace("sys\n", "sys\nimport ast\n"));
}

/// Seen: "nothing in the file there tells that it is the one that the record changed".
#[test]
fn names_that_were_exchanged_before_the_record_say_nothing_against_it() {
    let file =
        |name: &str| format!("import os\nimport sys\nimport re\nimport io\n\ndef {name}_one():\n    return {name}1\n");
    let other = "other\ntext\nof\nanother\nfile\n";
    let repo = TestRepo::with_files(&[("a.py", &file("a")), ("b.py", other)]);
    repo.write("b.py", file("a"));
    repo.write("a.py", other);
    repo.edit("b.py", "import sys\n", "import ast\n");
    let id = repo.edit("b.py", "import re\nimport io\n", "import io\nimport re\n");
    // A person takes the first back, and writes another line.
    repo.write("b.py", repo.text("b.py").replace("ast", "sys").replace("import os", "import pwd"));
    repo.done(&["undo", &id], "");
    assert_eq!(repo.text("b.py"), file("a").replace("import os", "import pwd"));
}

/// Seen: "a part of it was taken back already", of a bracket that a later record had written.
#[test]
fn where_a_person_took_the_newest_edit_back_the_log_counts_up_to_the_one_before() {
    let (start, end) = ("first = log\n", "#[test]\n#[test]\nfn a() {}\n");
    let deleted = "assert one\nassert two\n}\n";
    let repo = TestRepo::with_files(&[("f.py", &format!("{start}{deleted}{end}"))]);
    let whole = |text: &str| repo.apply(json!({"path": "f.py", "content": text, "overwrite": true}));
    let id = whole(&format!("{start}{end}"));
    let inserted = end.replacen("#[test]\n", "#[test]\n}\n    push(x)\n", 1);
    whole(&format!("{start}{inserted}"));
    whole(&format!("{start}    #[arg]\n{inserted}"));
    repo.write("f.py", format!("{start}{inserted}"));
    repo.done(&["undo", &id], "");
    assert_eq!(repo.text("f.py"), format!("{start}{deleted}{inserted}"));
}

/// Seen: the year of `a.py` was taken back, which a person had written.
#[test]
fn of_two_files_alike_in_most_lines_whose_names_were_exchanged_the_other_one_is_not_undone_into() {
    let file = |name: &str, year: &str| {
        let head =
            format!("# Copyright Ada\n# All rights reserved\n# year {year}\nimport os\nimport sys\nimport json\n");
        format!("{head}import re\nfrom x import y\n\n\ndef {name}_one():\n    return {name}1\n")
    };
    for (is_edited, name) in [(false, "a.py"), (true, "a.py"), (false, "old.py"), (true, "old.py")] {
        let repo = TestRepo::with_files(&[("a.py", &file("a", "2024")), ("b.py", &file("b", "2024"))]);
        let id = repo.edit("b.py", "# year 2024", "# year 2026");
        let of_b = repo.text("b.py").replace("return b1", if is_edited { "return b2" } else { "return b1" });
        std::fs::remove_file(repo.root().join("a.py")).expect("it is there");
        repo.write("b.py", file("a", "2026"));
        repo.write(name, &of_b);
        let answer = repo.redraft(&["undo", &id], "");
        assert_eq!(repo.text("b.py"), file("a", "2026"), "{}", answer.out);
        assert_ne!(answer.status, 0, "{}", answer.out);
        // What a person changes in a file makes it no other one.
        repo.write("b.py", of_b.replace("import sys", "import ast"));
        repo.write("a.py", file("a", "2025"));
        repo.done(&["undo", &id], "");
        assert_eq!(repo.text("b.py"), of_b.replace("import sys", "import ast").replace("2026", "2024"));
    }
}

/// Seen: `redo` wrote into the other one, as the file was known by a later record under the name that it had got meanwhile.
#[test]
fn of_two_files_alike_the_other_one_is_not_redone_into_where_it_has_the_name_that_the_file_was_given() {
    let file = |name: &str| {
        let head = "# Copyright Ada\n# All rights reserved\n# year 2024\nimport os\nimport sys\nimport json\n";
        format!("{head}import re\nfrom x import y\n\n\ndef {name}_one():\n    return {name}1\n")
    };
    let repo = TestRepo::with_files(&[("a.py", &file("a")), ("b.py", &file("b"))]);
    let id = repo.edit("b.py", "# year 2024", "# year 2026");
    repo.done(&["undo", &id], "");
    repo.done(&["redo", &id], "");
    repo.git(&["mv", "b.py", "moved.py"]);
    repo.edit("moved.py", "return b1", "return b2");
    let (of_a, of_b) = (repo.text("a.py"), repo.text("moved.py"));
    repo.write("a.py", &of_b);
    repo.write("moved.py", &of_a);
    let answer = repo.redraft(&["redo"], "");
    assert_ne!(answer.status, 0, "{}", answer.out);
    assert_eq!([repo.text("a.py"), repo.text("moved.py")], [of_b, of_a]);
}

#[test]
fn a_dropped_final_newline_comes_back_as_one() {
    let (repo, id) = edited("one\ntwo\nthree\n", &[("three\n", "three")]);
    repo.write("f.py", "zero\none\ntwo\nthree");
    match run(&repo, &["undo", &id]) {
        Outcome::Text(now) => assert_eq!(now, "zero\none\ntwo\nthree\n"),
        Outcome::Refused(reason) => assert_eq!(reason, "undo_conflict"),
    }
}

#[test]
fn a_rename_that_was_committed_since_is_known() {
    let (repo, id) = edited(&around("value = 1\n"), &[("value = 1", "value = 2")]);
    repo.git(&["mv", "f.py", "g.py"]);
    repo.commit_all("renamed");
    repo.done(&["undo", &id], "");
    assert_eq!(repo.text("g.py"), around("value = 1\n"));
}

#[test]
fn a_file_that_was_moved_over_another_one_of_the_same_record_is_undone_there() {
    let repo = TestRepo::with_files(&[("f.py", &around("value = 1\n")), ("g.py", "other\n")]);
    let id = repo.apply(json!({"files": [
        {"path": "f.py", "old_string": "value = 1", "new_string": "value = 2"},
        {"path": "new.py", "content": "made\n"},
    ]}));
    repo.git(&["mv", "-f", "f.py", "new.py"]);
    repo.done(&["undo", &id, "--", "f.py"], "");
    assert_eq!(repo.text("new.py"), around("value = 1\n"));
}

#[test]
fn what_is_taken_back_is_said_and_what_stands_again_too() {
    let (repo, id) = edited(&around("value = 1\n"), &[("value = 1", "value = 2")]);
    let after = repo.text("f.py");
    let said = |args: &[&str]| repo.redraft(args, "").json()["text"].as_str().expect("text").to_owned();
    repo.write("f.py", around("value = 1\n").replace("alpha + 1", "alpha + 2"));
    assert!(said(&["undo", &id]).contains("what it did to f.py is taken back already"));
    repo.write("f.py", &after);
    repo.done(&["undo", &id], "");
    repo.write("f.py", after.replace("alpha + 1", "alpha + 2"));
    assert!(said(&["redo", &id]).contains("what was undone in f.py is in place again already"));
}

#[test]
fn markers_stand_around_what_is_not_proven_and_the_rest_is_taken_back() {
    let before = around("first_value = 1\n\ndef between(beta):\n    return beta\n\nsecond_value = 1\n");
    let (repo, id) =
        edited(&before, &[("first_value = 1", "first_value = 2"), ("second_value = 1", "changed_value = 2")]);
    repo.write("f.py", repo.text("f.py").replace("changed_value = 2", "mine"));
    assert_eq!(run(&repo, &["undo", &id]), refused("undo_conflict"));
    let both = format!("<<<<<<< now\nmine\n=======\nsecond_value = 1\n>>>>>>> before {id}\n");
    assert_eq!(run(&repo, &["undo", &id, "--markers"]), text(before.replace("second_value = 1\n", &both)));
}

#[test]
fn a_file_whose_name_is_not_utf8_is_undone_after_its_record_was_sealed() {
    use std::os::unix::ffi::OsStrExt;
    let repo = TestRepo::with_files(&[("f.py", "x\n")]);
    let path = repo.root().join(std::ffi::OsStr::from_bytes(b"caf\xe9.txt"));
    std::fs::write(&path, "one\ntwo\n").expect("a file");
    repo.commit_all("an odd name");
    let id = repo.apply(json!({"path_b64": "Y2Fm6S50eHQ=", "old_string": "two", "new_string": "2"}));
    assert_eq!(repo.redraft(&["gc"], "").status, 0);
    repo.done(&["undo", &id], "");
    assert_eq!(std::fs::read(&path).expect("it is there"), b"one\ntwo\n");
}

/// Seen: the line stood twice, after the undo of an undone edit, of a session that it belonged to, and after a second redo.
#[test]
fn a_line_that_came_back_and_was_moved_and_edited_does_not_come_back_again() {
    let before = "alpha one\nbeta two\nlet total = compute(first, second);\ngamma three\ndelta four\nepsilon five\n";
    for line in ["    let total = compute(first, second);\n", "let total = compute(first, third);\n"] {
        let moved = format!("alpha one\nbeta two\ngamma three\n{line}delta four\nepsilon five\n");
        let repo = TestRepo::with_files(&[("f", before)]);
        let edit = |old: &str, new: &str| {
            let request = json!({"path": "f", "old_string": old, "new_string": new}).to_string();
            let told = repo.done(&["apply", "--session", "s"], &request);
            told["data"]["record"]["id"].as_str().expect("an id").to_owned()
        };
        let deleted = edit("let total = compute(first, second);\n", "");
        repo.done(&["undo", &deleted], "");
        repo.write("f", &moved);
        assert_eq!(repo.refused(&["undo", &deleted], ""), "nothing_to_undo");
        edit("epsilon five\n", "epsilon\n");
        repo.done(&["undo", "--session", "s"], "");
        assert_eq!(repo.text("f"), moved, "the other edit is taken back alone");
        // The user wrote it again, before any undo: indented anew it is the line, with other words it is another one.
        let repo = TestRepo::with_files(&[("f", before)]);
        let deleted = repo.edit("f", "let total = compute(first, second);\n", "");
        repo.write("f", &moved);
        if line.contains("third") {
            repo.done(&["undo", &deleted], "");
            assert_eq!(repo.text("f"), moved.replace("gamma", "let total = compute(first, second);\ngamma"));
        } else {
            assert_eq!(repo.refused(&["undo", &deleted], ""), "undo_conflict");
        }
    }
}

/// Seen: an undo without an id, and that of a session, put a line back that a person had deleted with its neighbours.
#[test]
fn what_a_person_deleted_with_its_neighbours_is_no_discarded_undo() {
    let text: String = (101..=110).map(|n| format!("row {n}\n")).collect();
    for gone in [&["row 103\n", "row 104\n", "row 105\n"][..], &["row 104\n", "row 105\n"]] {
        let repo = TestRepo::with_files(&[("f", &text)]);
        let edit = |old: &str, new: &str| {
            repo.done(
                &["apply", "--session", "s"],
                &json!({"path": "f", "old_string": old, "new_string": new}).to_string(),
            );
        };
        edit("row 104\n", "");
        repo.done(&["undo"], "");
        let mine = gone.iter().fold(text.clone(), |text, line| text.replace(line, ""));
        repo.write("f", &mine);
        assert_eq!(repo.refused(&["undo"], ""), "nothing_to_undo");
        edit("row 109", "row nine");
        repo.done(&["undo", "--session", "s"], "");
        assert_eq!(repo.text("f"), mine);
    }
}

/// Seen: the markers stood at the top of the file, and the lines that were to come back in no place.
#[test]
fn markers_at_the_end_of_a_file_that_lost_its_last_ending_hold_the_lines() {
    let repo = TestRepo::with_files(&[("f", "a\nb\nc\nlost line\n\n")]);
    let id = repo.edit("f", "c\nlost line\n\n", "c\n");
    repo.write("f", "A1\nb\nc");
    let told = repo.redraft(&["undo", &id], "").json();
    assert_eq!(told["data"]["hint"]["conflicts"][0]["start_line"], 3, "{told}");
    repo.redraft(&["undo", &id, "--markers"], "");
    let text = repo.text("f");
    assert!(text.starts_with("A1\nb\n<<<<<<< now\nc\n=======\n") && text.contains("lost line\n"), "{text}");
}

/// Seen: `self.Ok.0.to_path()`, where an undone edit had deleted `0.` and the user renamed it then.
#[test]
fn words_that_came_back_and_were_renamed_do_not_come_back_again() {
    let repo = TestRepo::with_files(&[("f", "fn a() {\n    self.0.to_path()\n}\n")]);
    let id = repo.edit("f", "self.0.to_path()", "self.to_path()");
    repo.done(&["undo", &id], "");
    let mine = "fn a() {\n    self.Ok.to_path()\n}\n";
    repo.write("f", mine);
    assert_eq!(repo.refused(&["undo", &id], ""), "nothing_to_undo");
    assert_eq!(repo.text("f"), mine);
}

/// Seen: a bracket that a later record had deleted came back with the redo of the record that had moved it.
#[test]
fn a_bracket_that_was_moved_and_deleted_since_does_not_come_back() {
    let repo = TestRepo::with_files(&[("f", "one\n    };\nlet two = three();\nfour\n")]);
    let moved = repo.edit("f", "    };\nlet two = three();\n", "let two = three();\n    };\n");
    let undo = repo.done(&["undo", &moved], "");
    repo.edit("f", "    };\n", "");
    let undo = undo["data"]["record"]["id"].as_str().expect("an id");
    assert_ne!(repo.redraft(&["redo", undo], "").status, 0);
    assert_eq!(repo.text("f"), "one\nlet two = three();\nfour\n");
}
