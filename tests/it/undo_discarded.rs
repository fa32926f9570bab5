//! Undo and redo where the files say something else than the log: a checkout, or a person, has taken an edit or an undo
//! back. No message sends anybody in a circle.

use crate::support::TestRepo;
use serde_json::{Value, json};

const TEXT: &str =
    "import os\n\ndef first(alpha):\n    return alpha + 1\n\nvalue = 1\n\ndef last(omega):\n    return omega\n";

fn after() -> String {
    TEXT.replace("value = 1", "value = 2")
}

/// A repository whose HEAD has an agent's edit.
fn committed() -> (TestRepo, String) {
    let repo = TestRepo::with_files(&[("f.py", TEXT)]);
    let id = repo.apply(json!({"path": "f.py", "old_string": "value = 1", "new_string": "value = 2",
        "agent": {"name": "a", "session": "s"}}));
    repo.git(&["commit", "-qam", "with the edit"]);
    (repo, id)
}

#[test]
fn an_undo_that_git_checkout_discarded_can_be_undone_again() {
    for again in [&["undo"][..], &["undo", "ID"], &["undo", "--session", "s"], &["undo", "ID", "--", "f.py"]] {
        let (repo, id) = committed();
        let again: Vec<&str> = again.iter().map(|arg| if *arg == "ID" { &id } else { *arg }).collect();
        for _ in 0..3 {
            repo.done(&again, "");
            assert_eq!(repo.text("f.py"), TEXT, "{again:?}");
            assert_eq!(repo.refused(&again, ""), "nothing_to_undo");
            repo.git(&["checkout", "-q", "f.py"]);
        }
        // What is in place cannot be redone; after a redo the record is in force, whatever older undos the log has.
        assert_eq!(repo.refused(&["redo", &id], ""), "nothing_to_undo");
        repo.done(&["undo", &id], "");
        repo.done(&["redo", &id], "");
        assert_eq!(repo.text("f.py"), after());
        let log = repo.redraft(&["log", "--json", "--kind", "edit"], "").lines();
        assert_eq!(log[0]["undone_by"], Value::Null);
    }
}

/// All of its hunks are there again.
#[test]
fn an_undo_of_several_hunks_that_git_checkout_discarded_is_made_again_by_a_plain_one() {
    let repo = TestRepo::with_files(&[("f.py", TEXT)]);
    let edits = json!([{"old_string": "value = 1", "new_string": "value = 2"}, {"old_string": "import os", "new_string": "import sys"}]);
    repo.apply(json!({"path": "f.py", "edits": edits}));
    repo.commit_all("with the edits");
    repo.done(&["undo"], "");
    repo.git(&["checkout", "-q", "f.py"]);
    repo.done(&["undo"], "");
    assert_eq!(repo.text("f.py"), TEXT);
}

#[test]
fn a_redo_that_git_checkout_discarded_can_be_redone() {
    for again in [&["redo"][..], &["redo", "ID"]] {
        let repo = TestRepo::with_files(&[("f.py", TEXT)]);
        let id = repo.edit("f.py", "value = 1", "value = 2");
        repo.done(&["undo", &id], "");
        repo.done(&["redo", &id], "");
        repo.git(&["checkout", "-q", "f.py"]);
        let again: Vec<&str> = again.iter().map(|arg| if *arg == "ID" { &id } else { *arg }).collect();
        repo.done(&again, "");
        assert_eq!(repo.text("f.py"), after(), "{again:?}");
        repo.done(&["undo"], "");
        assert_eq!(repo.text("f.py"), TEXT);
    }
}

#[test]
fn undo_steps_back_over_what_a_checkout_took_back() {
    let repo = TestRepo::with_files(&[("f.py", TEXT), ("g.py", TEXT)]);
    repo.edit("g.py", "value = 1", "value = 2");
    repo.edit("f.py", "value = 1", "value = 2");
    repo.git(&["checkout", "-q", "f.py"]);
    let told = repo.said(&["undo"]);
    assert!(told.contains("what was done to f.py since is taken back already"), "{told}");
    assert_eq!(repo.text("g.py"), TEXT);
    let told = repo.said(&["undo"]);
    assert!(told.contains("what it did to f.py is taken back already"), "{told}");
}

#[test]
fn one_of_two_files_that_a_checkout_brought_back_is_undone_again() {
    let repo = TestRepo::with_files(&[("f.py", TEXT), ("g.py", TEXT)]);
    let id = repo.apply(json!({"files": [
        {"path": "f.py", "old_string": "value = 1", "new_string": "value = 2"},
        {"path": "g.py", "old_string": "value = 1", "new_string": "value = 2"},
    ]}));
    repo.git(&["commit", "-qam", "with the edit"]);
    repo.done(&["undo", &id], "");
    repo.git(&["checkout", "-q", "g.py"]);
    repo.done(&["undo", &id], "");
    assert_eq!((repo.text("f.py"), repo.text("g.py")), (TEXT.to_owned(), TEXT.to_owned()));
}

#[test]
fn a_created_file_that_was_deleted_by_hand_is_taken_back_already() {
    let repo = TestRepo::with_files(&[("f.py", TEXT)]);
    let id = repo.apply(json!({"path": "new.py", "content": "made = 1\n", "agent": {"session": "s"}}));
    repo.apply(json!({"path": "new.py", "old_string": "1", "new_string": "2", "agent": {"session": "s"}}));
    std::fs::remove_file(repo.root().join("new.py")).expect("it is there");
    for args in [&["undo", "--session", "s"][..], &["undo", &id]] {
        let answer = repo.redraft(args, "").json();
        assert_eq!(answer["data"]["reason"], json!("nothing_to_undo"), "{answer}");
        assert!(answer["text"].as_str().expect("text").contains("what it did to new.py is taken back already"));
    }
}

#[test]
fn a_deleted_file_that_was_put_back_by_hand_is_taken_back_already() {
    let repo = TestRepo::with_files(&[("f.py", TEXT), ("g.py", TEXT)]);
    let id = repo.apply(json!({"path": "f.py", "delete": true}));
    repo.git(&["checkout", "-q", "f.py"]);
    assert!(repo.said(&["undo", &id]).contains("what it did to f.py is taken back already"));
    // Another file in its place is in the way.
    repo.write("f.py", "another\n");
    assert_eq!(repo.refused(&["undo", &id], ""), "undo_conflict");
}

#[test]
fn a_rename_that_was_taken_back_by_hand_is_known_and_its_edits_go_back() {
    let edits = json!([{"old_string": "value = 1", "new_string": "value = 2"}]);
    for wish in
        [json!({"path": "f.py", "rename_to": "g.py"}), json!({"path": "f.py", "rename_to": "g.py", "edits": edits})]
    {
        let repo = TestRepo::with_files(&[("f.py", TEXT)]);
        let id = repo.apply(wish);
        repo.git(&["add", "-A"]);
        repo.git(&["mv", "g.py", "f.py"]);
        if repo.text("f.py") == TEXT {
            assert!(repo.said(&["undo", &id]).contains("taken back already"));
        } else {
            repo.done(&["undo", &id], "");
        }
        assert_eq!(repo.text("f.py"), TEXT);
        assert!(!repo.has("g.py"));
    }
}

#[test]
fn a_file_that_cannot_be_read_is_not_said_to_be_gone() {
    let repo = TestRepo::with_files(&[("f.py", TEXT)]);
    let id = repo.edit("f.py", "value = 1", "value = 2");
    std::fs::remove_file(repo.root().join("f.py")).expect("it is there");
    std::fs::create_dir(repo.root().join("f.py")).expect("a folder");
    let answer = repo.redraft(&["undo", &id], "");
    assert_ne!(answer.status, 0);
    assert!(!answer.out.contains("no longer there"), "{}", answer.out);
    std::fs::remove_dir(repo.root().join("f.py")).expect("it is there");
    assert!(repo.said(&["undo", &id]).contains("no longer there"));
}

#[test]
fn two_edits_of_one_call_are_undone_in_any_order_or_refused_with_a_true_reason() {
    let call = |call: &str| TEXT.replace("value = 1", call);
    let repo = TestRepo::with_files(&[("f.py", &call("foo(x)"))]);
    let first = repo.edit("f.py", "foo(x)", "foo(x, 1)");
    let second = repo.edit("f.py", "foo(x, 1)", "foo(x, 1, scale=2)");
    repo.done(&["undo", &first], "");
    assert_eq!(repo.text("f.py"), call("foo(x, scale=2)"));
    repo.done(&["undo", &second], "");
    assert_eq!(repo.text("f.py"), call("foo(x)"));
    repo.done(&["redo"], "");
    assert_eq!(repo.text("f.py"), call("foo(x, scale=2)"));
}

#[test]
fn what_does_not_fit_is_left_and_listed_where_it_is_to_be_skipped() {
    let repo = TestRepo::with_files(&[("f.py", TEXT), ("g.py", TEXT)]);
    let agent = json!({"name": "a", "session": "s"});
    let both = repo.apply(json!({"agent": agent, "files": [
        {"path": "f.py", "old_string": "value = 1", "new_string": "value = 2"},
        {"path": "g.py", "old_string": "value = 1", "new_string": "value = 2"},
    ]}));
    let other =
        repo.apply(json!({"agent": agent, "path": "f.py", "old_string": "alpha + 1", "new_string": "alpha + 9"}));
    repo.write("f.py", repo.text("f.py").replace("value = 2", "mine = 3"));
    assert_eq!(repo.refused(&["undo", "--session", "s"], ""), "undo_conflict");
    let answer = repo.redraft(&["undo", "--session", "s", "--skip-conflicts"], "");
    let told = answer.json();
    assert_eq!((answer.status, &told["status"]), (0, &json!("partial")), "{told}");
    assert_eq!(told["data"]["undone"], json!([other, both]));
    assert_eq!(told["data"]["skipped"][0]["path"], json!("f.py"));
    assert_eq!(told["data"]["skipped"][0]["record"], json!(both));
    assert_eq!((repo.text("f.py"), repo.text("g.py")), (TEXT.replace("value = 1", "mine = 3"), TEXT.to_owned()));
    // Nothing else is left to undo but what was skipped.
    assert_eq!(repo.refused(&["undo", "--session", "s", "--skip-conflicts"], ""), "undo_conflict");
    let log = repo.redraft(&["log", "--json", "--kind", "edit"], "").lines();
    let first = log.iter().find(|record| record["id"] == json!(both)).expect("it is listed");
    assert_eq!((&first["undone_by"], &first["files"][0]["undone_by"]), (&Value::Null, &Value::Null));
    assert_ne!(first["files"][1]["undone_by"], Value::Null);
}

#[test]
fn a_refusal_names_the_lines_as_they_are_and_the_record_that_changed_them() {
    let repo = TestRepo::with_files(&[("f.py", TEXT)]);
    let first = repo.edit("f.py", "value = 1", "value = 2");
    let second = repo.edit("f.py", "value = 2", "other = compute(3)");
    let conflict = |repo: &TestRepo| {
        let told = repo.redraft(&["undo", &first], "").json();
        assert_eq!(told["data"]["reason"], json!("undo_conflict"), "{told}");
        (told["data"]["hint"]["conflicts"][0].clone(), told["text"].as_str().expect("text").to_owned())
    };
    let (told, words) = conflict(&repo);
    assert_eq!((&told["hunk"], &told["start_line"], &told["end_line"]), (&json!(1), &json!(6), &json!(6)));
    assert_eq!((&told["text"], &told["changed_by"]), (&json!("other = compute(3)\n"), &json!(second)));
    assert!(words.contains(&format!("(record {second} changed lines there)")), "{words}");
    // Of lines that no record wrote nothing is said.
    repo.done(&["undo", &second], "");
    repo.write("f.py", TEXT.replace("value = 1", "mine = 9"));
    let (told, _) = conflict(&repo);
    assert_eq!((&told["text"], &told["changed_by"]), (&json!("mine = 9\n"), &Value::Null));
}

#[test]
fn a_record_that_is_undone_is_not_undone_again_where_another_did_the_same() {
    let repo = TestRepo::with_files(&[("f.py", TEXT)]);
    let first = repo.edit("f.py", "value = 1", "value = 2");
    repo.done(&["undo", &first], "");
    let second = repo.edit("f.py", "value = 1", "value = 2");
    assert_eq!(repo.refused(&["undo", &first], ""), "nothing_to_undo");
    assert_eq!(repo.text("f.py"), after());
    repo.done(&["undo", &second], "");
    assert_eq!(repo.text("f.py"), TEXT);
}

/// One file as it is; none where there is no file.
fn texts(repo: &TestRepo, paths: &[&str]) -> Vec<Option<String>> {
    paths.iter().map(|path| std::fs::read_to_string(repo.root().join(path)).ok()).collect()
}

#[test]
fn repeated_undo_of_files_made_removed_and_renamed_ends_where_it_began_and_redo_where_it_was() {
    let stacks = [
        vec![
            json!({"path": "b", "old_string": "bbb", "new_string": "BBB"}),
            json!({"path": "c", "content": "c\n"}),
            json!({"path": "c", "delete": true}),
        ],
        vec![
            json!({"path": "b", "rename_to": "c"}),
            json!({"path": "c", "rename_to": "d"}),
            json!({"path": "d", "rename_to": "b"}),
        ],
        vec![
            json!({"path": "d", "content": "n1\n"}),
            json!({"path": "d", "rename_to": "c"}),
            json!({"path": "d", "content": "a0\n"}),
        ],
        vec![
            json!({"path": "b", "rename_to": "t"}),
            json!({"path": "g", "rename_to": "b"}),
            json!({"path": "t", "rename_to": "g"}),
        ],
        vec![json!({"path": "b", "delete": true}), json!({"path": "b", "content": "bbb\n"})],
        vec![
            json!({"path": "b", "delete": true}),
            json!({"path": "c", "content": "ccc\n"}),
            json!({"path": "c", "rename_to": "b"}),
        ],
    ];
    for stack in stacks {
        let repo = TestRepo::with_files(&[("b", "bbb\n"), ("g", "ggg\n")]);
        let look = || texts(&repo, &["b", "c", "d", "g", "t"]);
        let mut states = vec![look()];
        for request in &stack {
            repo.apply(request.clone());
            states.push(look());
        }
        for want in states.iter().rev().skip(1) {
            repo.done(&["undo"], "");
            assert_eq!(look(), *want, "{stack:?}");
        }
        assert_eq!(repo.refused(&["undo"], ""), "nothing_to_undo", "{stack:?}");
        for want in &states[1..] {
            repo.done(&["redo"], "");
            assert_eq!(look(), *want, "{stack:?}");
        }
    }
}

#[test]
fn a_file_that_merely_has_the_new_name_is_not_renamed_back() {
    let repo = TestRepo::with_files(&[("c", "ccc\n")]);
    repo.apply(json!({"path": "c", "rename_to": "a"}));
    repo.write("a", "user 1\nuser 2\n");
    assert_eq!(repo.refused(&["undo"], ""), "undo_conflict");
    assert_eq!(texts(&repo, &["a", "c"]), [Some("user 1\nuser 2\n".to_owned()), None]);
    // The renamed file, edited since, is.
    repo.write("a", "ccc\nmine\n");
    repo.done(&["undo"], "");
    assert_eq!(texts(&repo, &["a", "c"]), [None, Some("ccc\nmine\n".to_owned())]);
}

#[test]
fn a_created_file_that_was_moved_is_not_said_to_be_taken_back() {
    let repo = TestRepo::with_files(&[("z", "a\n")]);
    repo.apply(json!({"path": "n", "content": "n1\nn2\nn3\n"}));
    std::fs::rename(repo.root().join("n"), repo.root().join("q")).expect("moves");
    repo.done(&["undo"], "");
    assert_eq!(texts(&repo, &["n", "q"]), [None, None]);
}

#[test]
fn undo_does_not_bring_back_lines_of_a_record_that_was_discarded_since() {
    for (three, two) in
        [("alpha = 10\nbeta = 20\ngamma = 30\n", "beta = 20\ngamma = 30\n"), ("alpha = [\n]\n}\nbeta = 20\n", "]\n}\n")]
    {
        lines_of_a_discarded_record(three, two, |text| text.as_bytes().to_vec());
        lines_of_a_discarded_record(three, two, wide);
        // Letters of which a byte is that of a line's end, and others that share bytes with it.
        let in_gurmukhi =
            |text: &str| text.replace("alpha", "ਅਬਲ").replace("beta", "ਇਕ ੴ").replace("gamma", "ਗ\u{0d0a}");
        lines_of_a_discarded_record(&in_gurmukhi(three), &in_gurmukhi(two), |text| wide(&text.replace('\n', "\r\n")));
    }
}

/// A text in UTF-16 with its mark.
fn wide(text: &str) -> Vec<u8> {
    "\u{feff}".encode_utf16().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect()
}

fn lines_of_a_discarded_record(three: &str, two: &str, raw: impl Fn(&str) -> Vec<u8>) {
    let with_three = TEXT.replace("def last", &format!("{three}def last"));
    for discard in ["checkout", "undo"] {
        let repo = TestRepo::new();
        repo.write("f.py", raw(TEXT));
        repo.commit_all("one");
        let first = repo.edit("f.py", "def last(omega)", &format!("{three}def last(omega)"));
        let second = repo.edit("f.py", two, "");
        repo.edit("f.py", "value = 1", "value = 2");
        if discard == "checkout" {
            repo.git(&["checkout", "-q", "f.py"]);
        } else {
            repo.write("f.py", raw(TEXT));
        }
        // What the second deleted was the first one's.
        let answer = repo.redraft(&["undo", &second], "").json();
        assert_eq!(repo.read("f.py"), raw(TEXT), "{answer}");
        assert!(answer["text"].as_str().expect("text").contains(&first), "{answer}");
        // Where the first is in force, the second is taken back; and both together.
        repo.write("f.py", raw(&with_three.replace(two, "")));
        repo.done(&["undo", &second], "");
        assert_eq!(repo.read("f.py"), raw(&with_three));
        repo.write("f.py", raw(&with_three.replace(two, "")));
        repo.done(&["undo", &first, &second], "");
        assert_eq!(repo.read("f.py"), raw(TEXT));
    }
}

#[test]
fn what_was_undone_redone_and_undone_again_is_in_force_where_git_brought_it_back() {
    let (repo, id) = committed();
    for (command, text) in [("undo", TEXT.to_owned()), ("redo", after()), ("undo", TEXT.to_owned())] {
        repo.done(&[command], "");
        assert_eq!(repo.text("f.py"), text);
    }
    repo.write("f.py", after().replace("omega\n", "omega + 1\n"));
    repo.done(&["undo", &id], "");
    assert_eq!(repo.text("f.py"), TEXT.replace("omega\n", "omega + 1\n"));
}

#[test]
fn a_redo_of_another_record_that_did_the_same_is_not_taken_back_by_the_name_of_this_one() {
    let repo = TestRepo::with_files(&[("f.py", TEXT)]);
    let first = repo.edit("f.py", "value = 1", "value = 2");
    repo.done(&["undo", &first], "");
    let second = repo.edit("f.py", "value = 1", "value = 2");
    repo.done(&["undo", &second], "");
    repo.done(&["redo", &first], "");
    assert_eq!(repo.refused(&["undo", &second], ""), "nothing_to_undo");
    assert_eq!(repo.text("f.py"), after());
    repo.done(&["undo", &first], "");
    assert_eq!(repo.text("f.py"), TEXT);
}

/// Seen: the line that the second edit had replaced stood beside what it had been replaced by.
#[test]
fn a_redo_does_not_bring_back_what_a_later_edit_took_away() {
    let (repo, id) = committed();
    repo.done(&["undo", &id], "");
    repo.commit_all("undone");
    for command in ["redo", "undo", "redo"] {
        repo.done(&[command, &id], "");
    }
    let other = repo.edit("f.py", "value = 2\n", "size = 24\n");
    let both = after().replace("value = 2\n", "value = 1\nsize = 24\n");
    repo.write("f.py", &both);
    let told = repo.said(&["redo", &id]);
    assert!(told.contains(&format!("took away since (record {other})")), "{told}");
    assert!(told.contains(&format!("nothing was written: `redraft undo {other}` first, or")), "{told}");
    assert_eq!(repo.text("f.py"), both);
    // Where the later one is gone, it is redone.
    repo.write("f.py", TEXT);
    repo.done(&["redo", &id], "");
    assert_eq!(repo.text("f.py"), after());
}

/// Seen: "is undone already", though all of it stands there.
#[test]
fn equal_lines_that_stand_again_are_not_said_to_be_undone_where_one_of_their_places_is_not_proven() {
    let part = |name: &str| format!("fn {name}() {{\n    {name}_();\n    ///\n    /// # Errors\n    end\n}}\n\n");
    let base = ["one", "two", "three"].map(part).concat();
    let repo = TestRepo::with_files(&[("f", &base)]);
    let id = repo.edit("f", &base, &base.replace("Errors", "String"));
    repo.done(&["undo", &id], "");
    repo.write("f", base.replace("Errors", "String"));
    repo.edit("f", "two_();\n    ///\n", "two_();\n    ///\n    Bug,\n    /// more\n");
    assert_eq!(repo.refused(&["undo", &id], ""), "undo_conflict");
}

/// Seen: a line that a later edit had deleted came back with those beside it, which were deleted by hand.
#[test]
fn an_undo_does_not_bring_back_a_line_that_a_later_edit_deleted() {
    let repo = TestRepo::with_files(&[("f", "top\none\ntwo\nthree\nfour\nend\n")]);
    let id = repo.edit("f", "one\ntwo\n", "");
    repo.done(&["undo", &id], "");
    let other = repo.edit("f", "two\nthree\n", "");
    let left = "top\nfour\nend\n";
    repo.write("f", left);
    repo.refused(&["undo", &id], "");
    assert_eq!(repo.text("f"), left);
    // It is the later edit's.
    repo.done(&["undo", &other], "");
    assert_eq!(repo.text("f"), "top\ntwo\nthree\nfour\nend\n");
}

#[test]
fn an_undo_of_a_redo_brings_back_what_the_first_undo_had_brought_back() {
    let repo = TestRepo::with_files(&[("f.py", TEXT)]);
    let id = repo.edit("f.py", "def first(alpha):\n    return alpha + 1\n\n", "");
    let without = repo.text("f.py");
    repo.done(&["undo", &id], "");
    repo.write("f.py", &without);
    repo.done(&["undo", &id], "");
    repo.done(&["redo", &id], "");
    repo.write("f.py", without.replace("\nvalue = 1\n\n", ""));
    let answer = repo.redraft(&["undo"], "").json();
    assert!(!answer["text"].as_str().expect("text").contains("another record"), "{answer}");
}

#[test]
fn what_was_undone_and_put_back_by_hand_beside_other_changes_is_undone_again() {
    for (old, new) in [
        ("value = 1\n", "value = 1\nother = 7\n"),
        ("value = 1\n", ""),
        ("value = 1", "value = 1  # noqa"),
        ("alpha + 1", "alpha"),
        ("import os\n\ndef first(alpha):\n", "def first(alpha):\n\nimport os\n"),
    ] {
        let repo = TestRepo::with_files(&[("f.py", TEXT)]);
        let id = repo.edit("f.py", old, new);
        repo.done(&["undo", &id], "");
        let by_hand = |text: &str| text.replace("return omega", "return [omega]");
        // Other changes alone do not bring it back.
        repo.write("f.py", by_hand(TEXT));
        assert_eq!(repo.refused(&["undo"], ""), "nothing_to_undo", "{new}");
        repo.write("f.py", by_hand(&TEXT.replace(old, new)));
        repo.done(&["undo"], "");
        assert_eq!(repo.text("f.py"), by_hand(TEXT), "{new}");
    }
}

#[test]
fn what_was_undone_under_another_name_and_put_back_there_is_undone_again() {
    let after = after();
    let repo = TestRepo::with_files(&[("f.py", TEXT)]);
    let id = repo.edit("f.py", "value = 1", "value = 2");
    repo.git(&["mv", "f.py", "g.py"]);
    repo.done(&["undo", &id], "");
    assert_eq!(repo.text("g.py"), TEXT);
    repo.write("g.py", &after);
    repo.done(&["undo", &id], "");
    assert_eq!(repo.text("g.py"), TEXT);
}

#[test]
fn where_an_undo_found_a_file_it_is_found_again_however_it_was_changed_there() {
    let repo = TestRepo::with_files(&[("f.py", TEXT), ("other.py", "def other():\n    pass\n")]);
    let first = repo.edit("f.py", "value = 1", "value = 2");
    repo.done(&["undo", &first], "");
    let second = repo.edit("f.py", "alpha + 1", "alpha + 2");
    repo.git(&["mv", "f.py", "g.py"]);
    repo.done(&["undo", &second], "");
    // Most of its lines are others now, and the first edit is there again.
    let more: String = (0..20).map(|n| format!("def more_{n}(arg_{n}):\n    return arg_{n}\n")).collect();
    repo.write("g.py", format!("{more}{}", after()));
    repo.done(&["undo", &first], "");
    assert_eq!(repo.text("g.py"), format!("{more}{TEXT}"));
}

/// An undo that was taken back itself is in force no more.
#[test]
fn adjacent_lines_that_were_deleted_and_brought_back_in_turns_come_back() {
    let text = "five\n}\nsix\nseven\n}\nelse:\neight\n";
    let repo = TestRepo::with_files(&[("f", text)]);
    let lower = repo.edit("f", "else:\neight\n", "eight\n");
    let turn = |id: &str| ["undo", "redo"].map(|command| drop(repo.done(&[command, id], "")));
    turn(&lower);
    let upper = repo.edit("f", "six\nseven\n}\neight\n", "six\neight\n");
    turn(&upper);
    repo.done(&["undo", &lower], "");
    assert_eq!(repo.text("f"), "five\n}\nsix\nelse:\neight\n");
    repo.done(&["undo", &upper], "");
    assert_eq!(repo.text("f"), text);
}

/// A line that a later edit took elsewhere is another one.
#[test]
fn the_like_of_a_line_that_a_later_edit_took_comes_back() {
    let text = "one\nreturn None\ntwo\nthree\nreturn None\nfour\n";
    let repo = TestRepo::with_files(&[("f", text)]);
    let id = repo.edit("f", "one\nreturn None\n", "one\n");
    repo.edit("f", "three\nreturn None\n", "three\n");
    repo.done(&["undo", &id], "");
    assert_eq!(repo.text("f"), "one\nreturn None\ntwo\nthree\nfour\n");

    let repo = TestRepo::with_files(&[("f", "one\n}\ntwo\nthree\n")]);
    let id = repo.edit("f", "}\ntwo\n", "two\n");
    repo.edit("f", "three\n", "three\n}\n");
    repo.edit("f", "three\n}\n", "three\n");
    repo.done(&["undo", &id], "");
    assert_eq!(repo.text("f"), "one\n}\ntwo\nthree\n");
}

/// Seen: the other file was undone alone, without a word of this one.
#[test]
fn where_an_undo_was_discarded_a_file_that_was_edited_since_is_told() {
    let repo = TestRepo::with_files(&[("a", "a1\na2\na3\n"), ("b", "b1\nb2\nb3\n")]);
    let edit =
        |path: &str, old: &str, new: &str| json!({"path": path, "edits": [{"old_string": old, "new_string": new}]});
    let id = repo.apply(json!({"files": [edit("a", "a2\n", "A2\n"), edit("b", "b2\n", "made(1)\n")]}));
    repo.git(&["commit", "-qam", "with the edit"]);
    repo.done(&["undo", &id], "");
    repo.git(&["checkout", "-q", "."]);
    repo.write("b", "b1\nmade(2)\nb3\n");
    for args in [&["undo", &id][..], &["undo"]] {
        assert_eq!(repo.refused(args, ""), "undo_conflict", "{args:?}");
        assert_eq!((repo.text("a").as_str(), repo.text("b").as_str()), ("a1\nA2\na3\n", "b1\nmade(2)\nb3\n"));
    }
    repo.done(&["undo", &id, "--skip-conflicts"], "");
    assert_eq!((repo.text("a").as_str(), repo.text("b").as_str()), ("a1\na2\na3\n", "b1\nmade(2)\nb3\n"));
}

/// Seen: "record R did it again; `redraft undo R` takes that back", which was refused.
#[test]
fn what_another_record_did_again_and_was_discarded_too_is_not_told_of() {
    let repo = TestRepo::with_files(&[("f", "one\ntwo\n")]);
    for _ in 0..2 {
        repo.edit("f", "two\n", "");
        repo.git(&["checkout", "-q", "f"]);
    }
    assert!(repo.said(&["undo"]).contains("what it did to f is taken back already"), "{}", repo.said(&["undo"]));
    repo.edit("f", "one", "eins");
    repo.git(&["checkout", "-q", "f"]);
    assert!(repo.said(&["undo"]).contains("what it did to f is taken back already"), "{}", repo.said(&["undo"]));
}

/// The same, of two records of one session.
#[test]
fn where_the_undo_of_a_session_was_discarded_a_file_that_was_edited_since_is_told() {
    for (first, second) in [("a", "b"), ("b", "a")] {
        let repo = TestRepo::with_files(&[("a", "a1\na2\na3\n"), ("b", "b1\nb2\nb3\n")]);
        for path in [first, second] {
            let (old, new) = (format!("{path}2"), format!("made(1) {path}"));
            repo.apply(json!({"path": path, "old_string": old, "new_string": new, "agent": {"session": "s"}}));
        }
        repo.git(&["commit", "-qam", "with the edits"]);
        repo.done(&["undo", "--session", "s"], "");
        repo.git(&["checkout", "-q", "."]);
        repo.write("b", "b1\nmade(2) b\nb3\n");
        let done = repo.redraft(&["undo", "--session", "s"], "");
        assert_eq!((done.status, repo.text("a").as_str()), (1, "a1\nmade(1) a\na3\n"), "{}", done.out);
        repo.done(&["undo", "--session", "s", "--skip-conflicts"], "");
        assert_eq!((repo.text("a").as_str(), repo.text("b").as_str()), ("a1\na2\na3\n", "b1\nmade(2) b\nb3\n"));
    }
}

/// Seen: "lines would come back that another record wrote, and that one was taken back since", where a checkout had put the file back
/// as the record left it, the other one's word with it.
#[test]
fn an_edit_of_a_line_whose_word_another_record_wrote_after_a_checkout_that_brought_both_back() {
    let line = "    check((text(\"a\"), git(&[\"ls-files\", \"-s\"])), before);\n";
    let text = format!("one of some\ntwo of these\nthree of them\n{line}four\nfive\n");
    let repo = TestRepo::with_files(&[("f", &text)]);
    // Its neighbours are others meanwhile.
    let moved = repo.edit("f", "two of these\nthree of them\n", "three of them\ntwo of these\n");
    let first = repo.edit("f", "ls-files", "ls-matches");
    repo.done(&["undo", &moved], "");
    let met = repo.text("f");
    let second = repo.edit("f", "git(&[", "git[");
    repo.commit_all("both");
    repo.done(&["undo", &second], "");
    repo.done(&["undo", &first], "");
    repo.git(&["checkout", "-q", "f"]);
    repo.done(&["undo", &second], "");
    assert_eq!(repo.text("f"), met);
}

/// A file that is as an undo left it tells nothing of an older edit that had left it so as well.
#[test]
fn a_line_whose_writer_was_undone_does_not_come_back_as_a_checkout_leads_to_the_text_without_it() {
    let repo = TestRepo::with_files(&[("f", "one\ntwo\nthree\nfour\n")]);
    let first = repo.edit("f", "two\n", "two\nmine\n");
    let second = repo.edit("f", "two\nmine\n", "two\n");
    repo.done(&["undo", &second], "");
    repo.done(&["undo", &first], "");
    repo.edit("f", "four\n", "4\n");
    repo.git(&["checkout", "-q", "f"]);
    repo.refused(&["undo", &second], "");
    assert_eq!(repo.text("f"), "one\ntwo\nthree\nfour\n");
}

/// Seen: the record that is undone was undone once more, and the person's line went, where its lines were one change.
#[test]
fn an_edit_of_which_somebody_does_a_part_again_by_hand_stays_undone() {
    let text: String = (1..=12).map(|n| format!("line {n}\n")).collect();
    let both = json!({"path": "f", "old_string": "line 4\nline 5\nline 6\n", "new_string": "four\nline 5\nsix\n"});
    let whole = text.replace("line 4\n", "four\n").replace("line 9\n", "nine\n");
    let whole = json!({"path": "f", "content": whole, "overwrite": true});
    for mut request in [both, whole] {
        request["agent"] = json!({"session": "s"});
        let repo = TestRepo::with_files(&[("f", &text)]);
        repo.edit("f", "line 11\n", "eleven\n");
        repo.apply(request.clone());
        repo.done(&["undo"], "");
        let by_hand = repo.text("f").replace("line 4\n", "four\n");
        repo.write("f", &by_hand);
        assert_eq!(repo.refused(&["undo", "--session", "s"], ""), "nothing_to_undo", "{request}");
        assert_eq!(repo.text("f"), by_hand, "{request}");
        repo.done(&["undo"], "");
        assert_eq!(repo.text("f"), by_hand.replace("eleven\n", "line 11\n"), "{request}: the one in force goes");
        // The same of a redo, of which somebody took a part back by hand.
        let repo = TestRepo::with_files(&[("f", &text)]);
        repo.apply(request.clone());
        repo.done(&["undo"], "");
        repo.done(&["redo"], "");
        let by_hand = repo.text("f").replace("four\n", "line 4\n");
        repo.write("f", &by_hand);
        assert_eq!(repo.refused(&["redo"], ""), "nothing_to_undo", "{request}");
        assert_eq!(repo.text("f"), by_hand, "{request}");
    }
}

/// Seen: `undo` said that it was undone, and `redo` that it was in place.
#[test]
fn an_undone_edit_that_a_restore_brought_back_is_undone_again() {
    for again in [&["undo", "ID"][..], &["undo", "--session", "s"]] {
        let (repo, id) = committed();
        let again: Vec<&str> = again.iter().map(|arg| if *arg == "ID" { &id } else { *arg }).collect();
        for _ in 0..2 {
            repo.done(&again, "");
            assert_eq!(repo.text("f.py"), TEXT, "{again:?}");
            assert_eq!(repo.refused(&again, ""), "nothing_to_undo");
            repo.done(&["restore", "--at", &id], "");
            assert_eq!(repo.text("f.py"), after());
            assert_eq!(repo.refused(&["redo"], ""), "nothing_to_undo");
        }
        // Also where the file was gone.
        std::fs::remove_file(repo.root().join("f.py")).expect("it is there");
        repo.done(&["restore", "--at", &id], "");
        repo.done(&again, "");
        repo.done(&["restore", "--at", &id], "");
        // The restore is what was done last.
        repo.done(&["undo"], "");
        assert_eq!(repo.text("f.py"), TEXT);
    }
}

/// Seen: "equal lines leave open which place it is", of a line that stood once, between two that stood once.
#[test]
fn a_redo_is_undone_after_a_checkout_took_the_block_back_that_had_been_moved_with_its_line() {
    let [block, rest] = ["use one;\nuse two;\nuse three;\n", "use io;\nuse path;\nuse process;\n\n/// Print\n"];
    let all = |first: &str, second: &str| format!("\nuse zero;\n{first}{second}/// end\n");
    let repo = TestRepo::with_files(&[("f", &all(block, rest))]);
    let id = repo.edit("f", "use path;\n", "pub use path;\n");
    repo.git(&["commit", "-qam", "public"]);
    repo.done(&["undo"], "");
    repo.edit("f", &format!("{block}{rest}"), &format!("{rest}{block}"));
    repo.done(&["redo", &id], "");
    repo.git(&["checkout", "--", "f"]);
    repo.done(&["undo"], "");
    assert_eq!(repo.text("f"), all(block, rest));
}

/// Seen: "is undone already", though the file was to the byte as the undo had met it.
#[test]
fn an_undo_that_was_discarded_is_made_again_where_a_person_had_changed_the_file_before_it() {
    let repo = TestRepo::with_files(&[("f", "fn z(x) {\n    beta\n    return x;\n}\n\n")]);
    let id = repo.edit("f", "    return x;\n}\n", "");
    repo.write("f", "\nfn z(x) {\n    beta\n");
    repo.commit_all("moved");
    for _ in 0..2 {
        repo.git(&["checkout", "--", "f"]);
        repo.done(&["undo", &id], "");
        assert_eq!(repo.text("f"), "\nfn z(x) {\n    beta\n    return x;\n}\n");
    }
}

#[test]
fn heads_own_last_line_ending_stays_where_a_stash_took_the_edit_that_had_given_one() {
    let head = "one\ntwo\nthree\n#define SIZE 1\n";
    let repo = TestRepo::with_files(&[("f", head)]);
    repo.edit("f", "#define", "\t#define");
    repo.write("f", repo.text("f").trim_end());
    let edits = json!([
        {"old_string": "two\n", "new_string": "two\nnew line\n"},
        {"old_string": "\t#define SIZE 1", "new_string": "\t#define SIZE 1\n"},
    ]);
    let ended = repo.apply(json!({"path": "f", "edits": edits}));
    repo.git(&["stash"]);
    let today = head.replace("one", "one  ");
    repo.write("f", &today);
    assert_eq!(repo.refused(&["undo", &ended], ""), "undo_conflict");
    assert_eq!(repo.text("f"), today);
}
