//! Which file an undo is about where files were moved, removed or exchanged, what of it is another record's, and what becomes
//! of permission bits.

use crate::support::TestRepo;
use serde_json::{Value, json};

const ONE: &str = "use std::io;\n\nfn one() {\n    first();\n    second();\n}\n";
const TWO: &str = "use std::io;\n\nfn two() {\n    third();\n    fourth();\n}\n";
/// No line of it stands once: nothing but all of it tells a version of it.
const ALIKE: &str = "same\nsame\n";

fn texts<const N: usize>(repo: &TestRepo, paths: [&str; N]) -> [Option<String>; N] {
    paths.map(|path| std::fs::read_to_string(repo.root().join(path)).ok())
}

fn some(text: impl Into<String>) -> Option<String> {
    Some(text.into())
}

fn remove(repo: &TestRepo, path: &str) {
    std::fs::remove_file(repo.root().join(path)).expect("it is there");
}

fn rename(repo: &TestRepo, from: &str, to: &str) {
    std::fs::rename(repo.root().join(from), repo.root().join(to)).expect("moves");
}

fn session(repo: &TestRepo, requests: &[Value]) {
    for request in requests {
        let mut request = request.clone();
        request["agent"] = json!({"name": "a", "session": "s"});
        repo.apply(request);
    }
}

fn edit(path: &str, old: &str, new: &str) -> Value {
    json!({"path": path, "old_string": old, "new_string": new})
}

fn warnings(told: &Value) -> Vec<&str> {
    told["data"]["warnings"].as_array().expect("a list").iter().flat_map(Value::as_str).collect()
}

#[test]
fn a_file_that_was_undone_and_put_back_is_undone_again_whatever_happened_to_others() {
    let repo = TestRepo::with_files(&[("z", "z\n")]);
    let made = repo.apply(json!({"path": "n.rs", "content": ONE}));
    repo.done(&["undo", &made], "");
    repo.write("n.rs", ONE);
    repo.edit("z", "z", "Z");
    repo.done(&["undo", &made], "");
    assert!(!repo.has("n.rs"));
    // What another record made is that one's.
    repo.apply(json!({"path": "n.rs", "content": ONE}));
    assert_eq!(repo.refused(&["undo", &made], ""), "nothing_to_undo");
    assert!(repo.has("n.rs"));
}

#[test]
fn files_that_were_edited_deleted_and_whose_names_others_took_come_back_as_they_were() {
    let repo = TestRepo::with_files(&[("a", ONE), ("b", TWO), ("c", "ccc\nddd\neee\n"), ("d", "fff\nggg\nhhh\n")]);
    let before = texts(&repo, ["a", "b", "c", "d"]);
    session(
        &repo,
        &[
            edit("a", "first()", "first(1)"),
            json!({"path": "a", "delete": true}),
            json!({"path": "b", "rename_to": "a"}),
            edit("c", "ddd", "DDD"),
            json!({"path": "c", "delete": true}),
            json!({"path": "d", "rename_to": "c"}),
        ],
    );
    repo.done(&["undo", "--session", "s"], "");
    assert_eq!(texts(&repo, ["a", "b", "c", "d"]), before);
}

#[test]
fn a_file_that_is_gone_is_no_other_file_of_the_session() {
    for (is_tracked, text) in [(true, TWO), (true, ONE), (false, TWO)] {
        let repo = TestRepo::with_files(&[("f.rs", ONE), ("z", "z\n")]);
        if is_tracked {
            repo.write("z.rs", text);
            repo.commit_all("another");
        }
        session(&repo, &[edit("f.rs", "use std::io;", "use std::fs;")]);
        remove(&repo, "f.rs");
        repo.write("z.rs", text);
        session(&repo, &[edit("z.rs", "use std::io;", "use std::fmt;")]);
        let told = repo.redraft(&["undo", "--session", "s", "--skip-conflicts"], "").json();
        assert_eq!(told["status"], "partial", "{told}");
        let skipped = told["data"]["skipped"].as_array().expect("a list");
        assert_eq!((skipped.len(), &skipped[0]["path"]), (1, &json!("f.rs")), "{told}");
        assert_eq!(texts(&repo, ["f.rs", "z.rs"]), [None, some(text)]);
    }
}

#[test]
fn a_file_that_is_back_at_the_first_of_its_names_is_found_there() {
    let repo = TestRepo::with_files(&[("f.rs", ONE)]);
    let id = repo.edit("f.rs", "first()", "first(1)");
    repo.apply(json!({"path": "f.rs", "rename_to": "g.rs"}));
    repo.apply(json!({"path": "g.rs", "rename_to": "h.rs"}));
    rename(&repo, "h.rs", "f.rs");
    repo.done(&["undo", &id], "");
    assert_eq!(texts(&repo, ["f.rs", "g.rs", "h.rs"]), [some(ONE), None, None]);
}

#[test]
fn a_renamed_and_rewritten_file_that_git_brought_back_is_taken_back_already() {
    let repo = TestRepo::with_files(&[("f", "alpha\n")]);
    let id = repo.apply(json!({"path": "f", "rename_to": "g", "old_string": "alpha", "new_string": "beta"}));
    remove(&repo, "g");
    repo.git(&["checkout", "f"]);
    let told = repo.redraft(&["undo", &id], "").json();
    assert_eq!(told["data"]["reason"], "nothing_to_undo", "{told}");
}

#[test]
fn a_file_that_another_record_rewrote_before_it_was_moved_is_found_by_that_text() {
    let tail: String = (0..12).map(|n| format!("    old_call_{n}();\n")).collect();
    let rewritten: String = (0..20).map(|n| format!("    new_call_{n}(n);\n")).collect();
    let repo = TestRepo::with_files(&[("f.rs", &format!("{ONE}{tail}"))]);
    let id = repo.edit("f.rs", "first()", "first(1)");
    repo.edit("f.rs", &tail, &rewritten);
    rename(&repo, "f.rs", "g.rs");
    repo.done(&["undo", &id], "");
    assert_eq!(texts(&repo, ["f.rs", "g.rs"]), [None, some(format!("{ONE}{rewritten}"))]);
}

#[test]
fn a_path_names_the_moved_file_of_a_call_that_edited_very_many() {
    let names: Vec<String> = (0..20).map(|n| format!("z{n}.rs")).collect();
    let mut files: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), TWO)).collect();
    files.push(("zz.rs", ONE));
    let repo = TestRepo::with_files(&files);
    let mut edits: Vec<Value> = names.iter().map(|name| edit(name, "third()", "third(3)")).collect();
    edits.push(edit("zz.rs", "first()", "first(1)"));
    let id = repo.apply(json!({"files": edits}));
    rename(&repo, "zz.rs", "moved.rs");
    for args in [&["undo", &id, "--", "moved.rs"][..], &["undo", "--", "moved.rs"]] {
        repo.done(args, "");
        assert_eq!(texts(&repo, ["zz.rs", "moved.rs"]), [None, some(ONE)]);
        assert_eq!(repo.text("z3.rs"), TWO.replace("third()", "third(3)"));
        repo.done(&["redo"], "");
    }
}

#[test]
fn a_deleted_file_of_equal_lines_that_came_back_and_was_moved_does_not_come_back_twice() {
    let repo = TestRepo::with_files(&[("f", ALIKE), ("z", "z\n")]);
    let id = repo.apply(json!({"path": "f", "delete": true}));
    repo.done(&["undo", &id], "");
    rename(&repo, "f", "g");
    assert_eq!(repo.refused(&["undo", &id], ""), "nothing_to_undo");
    assert_eq!(texts(&repo, ["f", "g"]), [None, some(ALIKE)]);
}

#[test]
fn an_empty_file_is_no_other_empty_file() {
    let repo = TestRepo::with_files(&[("f", "x\n"), ("e", ""), ("z", "z\n")]);
    let emptied = repo.edit("f", "x\n", "");
    remove(&repo, "f");
    repo.write("mine", "");
    assert_eq!(repo.refused(&["undo", &emptied], ""), "undo_conflict");
    assert_eq!(texts(&repo, ["f", "mine"]), [None, some("")]);
    // One that was deleted and undone, and is gone, comes back though there are others.
    let deleted = repo.apply(json!({"path": "e", "delete": true}));
    repo.done(&["undo", &deleted], "");
    remove(&repo, "e");
    repo.done(&["undo", &deleted], "");
    assert_eq!(texts(&repo, ["e", "mine"]), [some(""), some("")]);
}

#[test]
fn a_moved_and_edited_file_is_found_beside_a_tracked_one_that_is_like_it() {
    let repo = TestRepo::with_files(&[("f.rs", ONE), ("like.rs", &format!("{ONE}// like\n"))]);
    let id = repo.edit("f.rs", "first()", "first(1)");
    rename(&repo, "f.rs", "g.rs");
    repo.write("g.rs", repo.text("g.rs") + "// mine\n");
    repo.done(&["undo", &id], "");
    assert_eq!(texts(&repo, ["g.rs", "like.rs"]), [some(format!("{ONE}// mine\n")), some(format!("{ONE}// like\n"))]);
}

#[test]
fn a_rename_is_taken_back_where_the_log_has_the_file_rewritten_whole_since() {
    let repo = TestRepo::with_files(&[("f", ALIKE)]);
    let id = repo.apply(json!({"path": "f", "rename_to": "g"}));
    repo.edit("g", ALIKE, ONE);
    let mine = format!("{ONE}// mine\n");
    repo.write("g", &mine);
    repo.done(&["undo", &id], "");
    assert_eq!(texts(&repo, ["f", "g"]), [some(mine), None]);
}

#[test]
fn a_new_name_is_told_where_it_stays_and_only_there() {
    let repo = TestRepo::with_files(&[("f.rs", ONE)]);
    let id = repo.edit("f.rs", "first()", "first(1)");
    assert_eq!(warnings(&repo.done(&["undo", &id], "")), [""; 0]);
    repo.done(&["redo"], "");
    rename(&repo, "f.rs", "g.rs");
    let told = repo.done(&["undo", &id], "");
    assert_eq!(warnings(&told), ["g.rs was renamed since and keeps its name; move it where that is not meant"]);
    // One that is removed keeps no name.
    let made = repo.apply(json!({"path": "n.rs", "content": TWO}));
    rename(&repo, "n.rs", "m.rs");
    assert_eq!(warnings(&repo.done(&["undo", &made], "")), [""; 0]);
    assert!(!repo.has("m.rs"));
    // Nor is it told twice of one that a record had renamed before.
    let moved =
        repo.apply(json!({"path": "g.rs", "rename_to": "h.rs", "old_string": "second()", "new_string": "second(2)"}));
    rename(&repo, "h.rs", "i.rs");
    let told = repo.done(&["undo", &moved], "");
    assert_eq!(warnings(&told), ["i.rs was renamed since and keeps its name; move it where that is not meant"]);
    assert_eq!(texts(&repo, ["g.rs", "h.rs", "i.rs"]), [None, None, some(ONE)]);
}

/// `f.rs` after an agent's edit, that edit, and what it is when somebody takes it back.
fn edited() -> (TestRepo, String, String) {
    let repo = TestRepo::with_files(&[("f.rs", ONE)]);
    let id = repo.edit("f.rs", "first()", "first(1)");
    let after = repo.text("f.rs");
    (repo, id, after)
}

fn is_said_of(repo: &TestRepo, id: &str, by: &str) {
    let before = repo.text("f.rs");
    let told = repo.redraft(&["undo", id], "").json();
    assert_eq!(told["data"]["reason"], "nothing_to_undo", "{told}");
    let words = told["text"].as_str().expect("text");
    assert!(words.contains(&format!("record {by} did it again")), "{words}");
    assert_eq!(repo.text("f.rs"), before);
}

#[test]
fn what_two_others_did_again_is_the_last_one_s() {
    let (repo, first, _) = edited();
    repo.write("f.rs", ONE);
    repo.edit("f.rs", "first()", "first(1)");
    repo.write("f.rs", ONE);
    let third = repo.edit("f.rs", "first()", "first(1)");
    is_said_of(&repo, &first, &third);
}

#[test]
fn what_the_undo_of_an_older_record_did_again_is_that_undo_s() {
    let repo = TestRepo::with_files(&[("f.rs", ONE)]);
    let there = repo.edit("f.rs", "second()", "second(2)");
    let there_text = repo.text("f.rs");
    let back = repo.edit("f.rs", "second(2)", "second()");
    repo.write("f.rs", &there_text);
    let undo = repo.done(&["undo", &there], "")["data"]["record"]["id"].as_str().expect("an id").to_owned();
    is_said_of(&repo, &back, &undo);
}

#[test]
fn what_a_record_did_again_that_is_undone_is_the_first_one_s() {
    let (repo, first, after) = edited();
    repo.write("f.rs", ONE);
    let second = repo.edit("f.rs", "first()", "first(1)");
    repo.done(&["undo", &second], "");
    repo.write("f.rs", &after);
    repo.done(&["undo", &first], "");
    assert_eq!(repo.text("f.rs"), ONE);
    // Redone, it is that one's again.
    let (repo, first, _) = edited();
    repo.write("f.rs", ONE);
    let second = repo.edit("f.rs", "first()", "first(1)");
    repo.done(&["undo", &second], "");
    repo.done(&["redo", &second], "");
    is_said_of(&repo, &first, &second);
}
