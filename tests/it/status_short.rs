//! `status`: one line a file, and the form for scripts.

use crate::support::TestRepo;
use serde_json::json;

#[test]
fn each_file_has_a_line_with_what_became_of_the_edits_of_it() {
    let repo =
        TestRepo::with_files(&[("edited", "one\n"), ("partly", "one\n"), ("undone", "one\n"), ("gone", "one\n")]);
    assert_eq!(repo.redraft(&["status"], "").out, "no changes of agents since HEAD\n");
    assert_eq!(repo.redraft(&["status", "--porcelain"], "").out, "");
    let edited = repo.edit("edited", "one", "two");
    let first = repo.edit("partly", "one", "two\nthree");
    let second = repo.edit("partly", "three", "four");
    let undone = repo.edit("undone", "one", "two");
    let gone = repo.apply(json!({"path": "gone", "delete": true}));
    let odd = repo.apply(json!({"path": "odd \"name\"", "content": "x\n"}));
    repo.done(&["undo", &second], "");
    repo.done(&["undo", &undone], "");
    repo.write("undone", "mine\n");
    let want = [
        format!("ME {edited} edited"),
        format!("DE {gone} gone"),
        format!("?E {odd} \"odd \\\"name\\\"\""),
        format!("MP {second},{first} partly"),
        format!("MU {undone} undone"),
    ];
    let told = repo.redraft(&["status", "--porcelain"], "").out;
    assert_eq!(told.lines().collect::<Vec<_>>(), want);
    let told = repo.redraft(&["status", "--porcelain", "-z"], "").out;
    assert_eq!(told.replace('\0', "\n"), want.join("\n").replace("\"odd \\\"name\\\"\"", "odd \"name\"") + "\n");
    let short = repo.redraft(&["status"], "").out;
    let lines: Vec<&str> = short.lines().collect();
    assert_eq!(lines.len(), 5, "{short}");
    assert!(
        lines[0].starts_with("ME edited ") && lines[0].contains(&format!("{} an agent, ", &edited[..8])),
        "{short}"
    );
    assert!(lines[3].contains(", undone by ") && lines[3].ends_with("(+1)"), "{short}");
    let long = repo.redraft(&["status", "--long"], "").out;
    assert!(long.starts_with("Changes of agents since HEAD:") && long.contains(&first[..8]), "{long}");
    assert_eq!(repo.redraft(&["status", "-z"], "").status, 2);
}

/// Once, an edit of which a hunk was undone was one in force.
#[test]
fn an_edit_of_which_a_part_is_undone_is_partly_undone() {
    let repo = TestRepo::with_files(&[("a", "one\n2\n3\n4\n5\n6\n7\n8\nnine\n")]);
    let edits = json!([{"old_string": "one", "new_string": "1"}, {"old_string": "nine", "new_string": "9"}]);
    let id = repo.apply(json!({"path": "a", "edits": edits}));
    repo.done(&["undo", &id, "--hunk", "2"], "");
    assert_eq!(repo.redraft(&["status", "--porcelain"], "").out, format!("MP {id} a\n"));
    for args in [&["status"][..], &["status", "--long"]] {
        let told = repo.redraft(args, "").out;
        assert!(told.contains("partly undone by "), "{told}");
    }
    let json = repo.redraft(&["status", "--json"], "").json();
    assert_eq!(json["agent_changes"][0]["records"][0]["undone_by"], json!(null));
}

#[test]
fn an_undo_of_what_head_has_is_shown_as_an_undo() {
    let repo = TestRepo::with_files(&[("a", "one\n")]);
    let id = repo.edit("a", "one", "two");
    repo.commit_all("with it");
    repo.done(&["undo", &id], "");
    let told = repo.redraft(&["status", "--porcelain"], "").out;
    assert!(told.starts_with("MR ") && told.ends_with(" a\n"), "{told}");
    assert!(repo.redraft(&["status"], "").out.contains(", an undo"));
    let json = repo.redraft(&["status", "--json"], "").json();
    assert!(json["agent_changes"][0]["records"][0].get("kind").is_none(), "JSON is as it was: {json}");
}

/// Seen: "no changes of agents since HEAD", where HEAD's text had been there between the undo and the redo.
#[test]
fn what_is_in_force_again_is_told_whatever_was_undone_between() {
    let repo = TestRepo::with_files(&[("f", "1\n2\n3\n4\n5\n6\n7\n8\n9\na\nb\nc\nd\ne\n")]);
    let edits = [("2", "two"), ("d", "delta")].map(|(old, new)| json!({"old_string": old, "new_string": new}));
    let both = repo.apply(json!({"path": "f", "edits": edits}));
    for args in [&["undo", &both, "--hunk", "1"][..], &["undo", &both, "--hunk", "2"], &["redo"], &["redo"]] {
        repo.done(args, "");
    }
    assert_eq!(repo.redraft(&["status", "--porcelain"], "").out, format!("ME {both} f\n"));
    // Of two agents, the second edit of whom was made between.
    let repo = TestRepo::with_files(&[("f", "1\n2\n3\n4\n5\n")]);
    let first = repo.edit("f", "5", "5\nA1");
    let undo = repo.done(&["undo"], "");
    let second = repo.edit("f", "2", "two");
    repo.done(&["redo", undo["data"]["record"]["id"].as_str().expect("an id")], "");
    assert_eq!(repo.redraft(&["status", "--porcelain"], "").out, format!("ME {second},{first} f\n"));
    repo.done(&["undo", &second], "");
    assert_eq!(repo.redraft(&["status", "--porcelain"], "").out, format!("MP {second},{first} f\n"));
    assert!(repo.git(&["diff"]).contains("+A1"));
}

/// Seen: no line at all, where an undo and its redo had been discarded, and the redo was made again.
#[test]
fn what_was_redone_after_it_was_discarded_is_told() {
    let repo = TestRepo::with_files(&[("f", "a1\na2\na3\n")]);
    let id = repo.edit("f", "a2", "b2");
    let undo = repo.done(&["undo"], "")["data"]["record"]["id"].as_str().expect("an id").to_owned();
    repo.done(&["redo"], "");
    repo.git(&["checkout", "-q", "f"]);
    assert_eq!(repo.redraft(&["status", "--porcelain"], "").out, "");
    repo.done(&["undo", &undo], "");
    assert_eq!(repo.redraft(&["status", "--porcelain"], "").out, format!("ME {id} f\n"));
}
