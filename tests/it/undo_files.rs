//! Undo and redo where files were moved, replaced, removed or made anew since: which file is the record's, and what is said
//! where there is none.

use crate::support::TestRepo;
use serde_json::json;

/// One file as it is; none where there is no file.
fn texts<const N: usize>(repo: &TestRepo, paths: [&str; N]) -> [Option<String>; N] {
    paths.map(|path| std::fs::read_to_string(repo.root().join(path)).ok())
}

fn some(text: impl Into<String>) -> Option<String> {
    Some(text.into())
}

fn said(repo: &TestRepo, args: &[&str]) -> String {
    repo.redraft(args, "").json()["text"].as_str().expect("text").to_owned()
}

fn remove(repo: &TestRepo, path: &str) {
    std::fs::remove_file(repo.root().join(path)).expect("it is there");
}

const ONE: &str = "use std::io;\n\nfn one() {\n    first();\n    second();\n}\n";
const TWO: &str = "use std::io;\n\nfn two() {\n    third();\n    fourth();\n}\n";

#[test]
fn a_file_that_shares_a_use_line_with_the_renamed_one_is_not_renamed_back() {
    let repo = TestRepo::with_files(&[("f.rs", ONE)]);
    let id = repo.apply(json!({"path": "f.rs", "rename_to": "g.rs"}));
    repo.write("g.rs", TWO);
    assert_eq!(repo.refused(&["undo", &id], ""), "undo_conflict");
    assert_eq!(texts(&repo, ["f.rs", "g.rs"]), [None, some(TWO)]);
    // Also where the log has an edit of it, before it was replaced.
    repo.write("g.rs", ONE);
    repo.edit("g.rs", "first()", "first(1)");
    repo.write("g.rs", TWO);
    assert_eq!(repo.refused(&["undo", &id], ""), "undo_conflict");
    assert_eq!(texts(&repo, ["f.rs", "g.rs"]), [None, some(TWO)]);
    // An edited version of it is.
    repo.write("g.rs", ONE.replace("first()", "first(1)").replace("second()", "second(2)"));
    repo.done(&["undo", &id], "");
}

#[test]
fn a_renamed_file_is_known_by_what_the_log_has_of_it_since() {
    let repo = TestRepo::with_files(&[("f.rs", ONE)]);
    let id = repo.apply(json!({"path": "f.rs", "rename_to": "g.rs"}));
    repo.apply(json!({"path": "g.rs", "old_string": "    first();\n    second();\n",
        "new_string": "    a();\n    b();\n    c();\n    d();\n    e();\n"}));
    let now = repo.text("g.rs").replace("a();", "a(1);");
    repo.write("g.rs", &now);
    repo.done(&["undo", &id], "");
    assert_eq!(texts(&repo, ["f.rs", "g.rs"]), [some(now), None]);
}

#[test]
fn a_file_with_the_old_name_that_shares_a_use_line_is_no_rename_taken_back() {
    let repo = TestRepo::with_files(&[("f.rs", ONE)]);
    let id = repo.apply(json!({"path": "f.rs", "rename_to": "g.rs"}));
    remove(&repo, "g.rs");
    repo.write("f.rs", TWO);
    assert_eq!(repo.refused(&["undo", &id], ""), "undo_conflict");
    repo.write("f.rs", ONE.replace("first", "FIRST"));
    assert!(said(&repo, &["undo", &id]).contains("taken back already"));
}
