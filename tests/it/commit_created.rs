//! `redraft commit --session` of files that the session made, and others added to.

use crate::commit_of_sessions::{edit, in_head, numbers};
use crate::support::TestRepo;
use serde_json::json;

/// Seen: neither of two sessions could commit a file that one made and the other added a line to.
#[test]
fn of_a_file_that_a_session_made_and_others_added_to_its_lines_are_committed_alone() {
    let repo = TestRepo::with_files(&[("a", "a\n")]);
    let agent = json!({"name": "claude", "session": "s1"});
    let made = repo.apply(json!({"path": "new", "content": numbers(6), "agent": agent}));
    let edited = edit(&repo, "s1", "new", ("line 5\n", "line 5\nline 6\n"));
    edit(&repo, "s2", "new", ("line 2\n", "line 2\nof another agent\n"));
    repo.write("new", repo.text("new").replace("line 4\n", "") + "a person's\n");
    edit(&repo, "s2", "a", ("a\n", "A\n"));
    let text = repo.text("new");
    let dry = repo.redraft(&["commit", "--session", "s1", "--dry-run", "--json"], "").json();
    assert_eq!(dry["files"], json!([{"path": "new", "change": "create"}]), "{dry}");
    let done = repo.redraft(&["commit", "--session", "s1", "--json"], "");
    assert_eq!((done.status, done.err.as_str()), (0, ""), "{}", done.out);
    assert_eq!(done.json()["records"], json!([edited, made]));
    assert_eq!(in_head(&repo, "new"), numbers(7).replace("line 4\n", ""));
    assert_eq!(repo.text("new"), text);
    assert_eq!(repo.git(&["status", "--porcelain"]), " M a\n M new\n");
    // Now the other one's fit.
    let other = repo.redraft(&["commit", "--session", "s2", "--json"], "");
    assert_eq!((other.status, other.err.as_str()), (0, ""), "{}", other.out);
    assert_eq!(in_head(&repo, "new") + "a person's\n", text);
    assert_eq!(repo.git(&["status", "--porcelain"]), " M new\n");
    assert_eq!(repo.redraft(&["commit", "--session", "s1", "--json"], "").status, 1, "nothing is taken out again");
    assert_eq!(in_head(&repo, "new") + "a person's\n", text);
}

#[test]
fn of_a_file_that_a_session_made_nothing_is_committed_where_its_lines_cannot_be_told() {
    let agent = json!({"name": "claude", "session": "s1"});
    type World = (&'static str, fn(&TestRepo));
    let worlds: [World; 8] = [
        ("a line of it is another one", |repo| drop(edit(repo, "s2", "new", ("line 2\n", "line two\n")))),
        ("a line of it was moved", |repo| {
            repo.write("new", numbers(6).replace("line 2\n", "") + "line 2\n");
        }),
        ("it was edited behind another one's edit", |repo| {
            edit(repo, "s2", "new", ("line 2\n", "line 2\nof another agent\n"));
            edit(repo, "s1", "new", ("line 5\n", "line 5\nline 6\n"));
            repo.write("new", repo.text("new") + "more\n");
        }),
        ("a person's line came between", |repo| {
            repo.write("new", repo.text("new") + "a person's\n");
            edit(repo, "s1", "new", ("line 1\n", "line 1\nmore\n"));
            repo.write("new", repo.text("new") + "a person's, too\n");
        }),
        ("another one's edit came between, and was undone", |repo| {
            let other = edit(repo, "s2", "new", ("line 2\n", "line 2\nof another agent\n"));
            repo.done(&["undo", &other], "");
            edit(repo, "s1", "new", ("line 5\n", "line 5\nline 6\n"));
            repo.write("new", repo.text("new") + "more\n");
        }),
        ("HEAD has another one", |repo| {
            repo.write("new", repo.text("new").replace("line 4\n", "") + "a person's\n");
            repo.commit_all("by hand");
        }),
        ("nothing is left in it", |repo| repo.write("new", "")),
        ("HEAD has it", |repo| {
            repo.commit_all("by hand");
            edit(repo, "s1", "new", ("line 1\n", "line 1\nmore\n"));
            edit(repo, "s2", "new", ("line 2\n", "line 2\nof another agent\n"));
        }),
    ];
    for (why, change) in worlds {
        let repo = TestRepo::with_files(&[("a", "a\n")]);
        repo.apply(json!({"path": "new", "content": numbers(6), "agent": agent}));
        change(&repo);
        let (text, before) = (repo.text("new"), repo.git(&["show", "--format=", "HEAD:"]));
        let done = repo.redraft(&["commit", "--session", "s1", "--json"], "");
        let is_head = why == "HEAD has it";
        assert_eq!(done.status, i32::from(!is_head), "{why}: {} {}", done.out, done.err);
        if is_head {
            assert_eq!(in_head(&repo, "new"), numbers(6).replace("line 1\n", "line 1\nmore\n"));
        } else {
            assert!(done.out.contains("undo_conflict"), "{why}: {}", done.out);
            assert_eq!(repo.git(&["show", "--format=", "HEAD:"]), before, "{why}");
        }
        assert_eq!(repo.text("new"), text, "{why}");
    }
}

/// There was another one of its name, and the session made and edited others with it.
#[test]
fn a_file_that_a_session_made_is_committed_alone_with_the_others_of_the_session() {
    let repo = TestRepo::with_files(&[("a", "a\n")]);
    let [one, two] = ["s1", "s2"].map(|session| json!({"name": "claude", "session": session}));
    repo.apply(json!({"path": "new", "content": "of old\n", "agent": two}));
    repo.apply(json!({"path": "new", "delete": true, "agent": two}));
    let of_a = json!({"path": "a", "edits": [{"old_string": "a\n", "new_string": "A\n"}]});
    let files = json!([of_a, {"path": "new", "content": numbers(6)}]);
    let made = repo.apply(json!({"files": files, "agent": one}));
    let edited = edit(&repo, "s1", "a", ("A\n", "A\nB\n"));
    repo.write("new", repo.text("new") + "a person's\n");
    let done = repo.redraft(&["commit", "--session", "s1", "--json"], "");
    assert_eq!((done.status, done.err.as_str()), (0, ""), "{}", done.out);
    assert_eq!(done.json()["records"], json!([edited, made]));
    assert_eq!((in_head(&repo, "new"), in_head(&repo, "a")), (numbers(6), "A\nB\n".to_owned()));
    assert_eq!(repo.git(&["status", "--porcelain"]), " M new\n");
}

/// Seen: HEAD had the agent's lines in place of all of a person's file.
#[test]
fn a_made_file_that_exchanged_its_name_with_one_of_git_is_not_committed_in_its_place() {
    let repo = TestRepo::with_files(&[("b", &numbers(10))]);
    let agent = json!({"name": "claude", "session": "s1"});
    repo.apply(json!({"path": "n", "content": "one\ntwo\nthree\n", "agent": agent}));
    repo.shell("mv n t; mv b n; mv t b");
    let told = repo.redraft(&["commit", "--session", "s1", "--json"], "");
    assert_eq!((told.status != 0, told.json()["error"]["reason"].as_str()), (true, Some("does_not_fit_head")));
    assert_eq!(in_head(&repo, "b"), numbers(10));
}

#[test]
fn a_made_file_of_which_a_person_committed_lines_is_committed_with_what_is_left() {
    let repo = TestRepo::with_files(&[("a", "a\n")]);
    let agent = json!({"name": "claude", "session": "s1"});
    repo.apply(json!({"path": "n", "content": "one\ntwo\nthree\n", "agent": agent}));
    repo.shell("cp n t; printf 'one\\ntwo\\n' > n; git add n; mv t n; git commit -qm part");
    edit(&repo, "s1", "n", ("two\n", "2\n"));
    repo.done(&["commit", "--session", "s1", "--json"], "");
    assert_eq!(in_head(&repo, "n"), "one\n2\nthree\n");
}

/// Seen: refused, as if the index had another version of it.
#[test]
fn a_file_that_is_made_in_a_folder_outside_of_a_sparse_index_is_committed() {
    let repo = TestRepo::with_files(&[("in/f", "1\n"), ("out/f", "o\n")]);
    repo.git(&["sparse-checkout", "set", "--cone", "--sparse-index", "in"]);
    let agent = json!({"name": "claude", "session": "s1"});
    repo.apply(json!({"path": "out/z", "content": "z\n", "agent": agent}));
    repo.done(&["commit", "--session", "s1", "--json"], "");
    assert_eq!(in_head(&repo, "out/z"), "z\n");
    assert_eq!(repo.git(&["status", "--porcelain"]), "");
    repo.git(&["fsck", "--strict"]);
}
