//! Paths on the command line, from whatever directory; and what `log` says of those that nothing touched.

use crate::support::TestRepo;
use crate::support::run::redraft;
use serde_json::json;

fn repo() -> TestRepo {
    let repo = TestRepo::with_files(&[("a.txt", "one\n"), ("sub/deep/a.txt", "one\n"), ("sub/b.txt", "one\ntwo\n")]);
    for path in ["a.txt", "sub/deep/a.txt", "sub/b.txt"] {
        repo.apply(json!({"path": path, "old_string": "one", "new_string": "1\nI", "message": path}));
    }
    repo
}

/// The files that `log` finds, from a directory, oldest last.
fn logged(repo: &TestRepo, dir: &str, paths: &[&str]) -> Vec<String> {
    let answer = repo.redraft_in(&repo.root().join(dir), &[&["log", "--json"], paths].concat(), "");
    assert_eq!((answer.status, answer.err.as_str()), (0, ""), "{dir} {paths:?}");
    answer.lines().iter().map(|record| record["message"].as_str().expect("a message").to_owned()).collect()
}

/// What a command says on standard error, and how it ends.
fn told(repo: &TestRepo, dir: &str, args: &[&str]) -> (i32, String) {
    let answer = repo.redraft_in(&repo.root().join(dir), args, "");
    (answer.status, answer.err)
}

#[test]
fn a_path_begins_where_the_caller_is_as_in_git() {
    let repo = repo();
    let absolute = repo.root().join("sub/b.txt");
    let absolute = absolute.to_str().expect("UTF-8");
    for (dir, path, found) in [
        ("", "a.txt", &["a.txt"][..]),
        ("", "./a.txt", &["a.txt"]),
        ("sub", "b.txt", &["sub/b.txt"]),
        ("sub", "deep", &["sub/deep/a.txt"]),
        ("sub", "deep/", &["sub/deep/a.txt"]),
        ("sub", ".", &["sub/b.txt", "sub/deep/a.txt"]),
        ("sub/deep", "../b.txt", &["sub/b.txt"]),
        ("sub/deep", "../../a.txt", &["a.txt"]),
        ("sub/deep", ":/a.txt", &["a.txt"]),
        ("sub/deep", ":(top)a.txt", &["a.txt"]),
        ("sub/deep", "../..", &["sub/b.txt", "sub/deep/a.txt", "a.txt"]),
        ("sub/deep", ":/", &["sub/b.txt", "sub/deep/a.txt", "a.txt"]),
        ("", ".", &["sub/b.txt", "sub/deep/a.txt", "a.txt"]),
        ("sub/deep", absolute, &["sub/b.txt"]),
    ] {
        assert_eq!(logged(&repo, dir, &[path]), found, "{dir} {path}");
    }
    assert_eq!(logged(&repo, "sub", &["deep", "../a.txt"]), ["sub/deep/a.txt", "a.txt"]);
    for path in ["../../../a.txt", "/etc/passwd"] {
        assert_eq!(told(&repo, "sub", &["log", path]).0, 1, "{path}");
    }
}

#[test]
fn every_command_takes_paths_from_where_the_caller_is() {
    let repo = repo();
    let sub = repo.root().join("sub");
    let blamed = repo.redraft_in(&sub, &["blame", "--json", "b.txt"], "");
    assert_eq!(blamed.lines()[0]["text"], "1", "{}", blamed.err);
    let shown = repo.redraft_in(&sub, &["show", "@:./b.txt"], "");
    assert_eq!(shown.out, "1\nI\ntwo\n", "{}", shown.err);
    let shown = repo.redraft_in(&sub, &["show", "@:sub/b.txt"], "");
    assert_eq!(shown.out, "1\nI\ntwo\n", "{}", shown.err);
    let purged = repo.redraft_in(&sub, &["purge", "--dry-run", "--json", "--path", "b.txt"], "");
    assert_eq!(purged.json()["records"], 1, "{} {}", purged.out, purged.err);
    let (status, error) = told(&repo, "", &["purge", "--path", "."]);
    assert!(
        status == 1 && error.contains("the path is the root of the working tree"),
        "everything is not purged by a slip: {error}"
    );
    let committed = repo.redraft_in(&sub, &["commit", "--agent", "nobody", "-m", "x", "--dry-run", "--", "b.txt"], "");
    assert_ne!(committed.status, 0);
    let undone = repo.redraft_in(&sub, &["undo", "@", "--", "b.txt"], "");
    assert_eq!(undone.status, 0, "{}", undone.out);
    assert_eq!((repo.text("sub/b.txt").as_str(), repo.text("a.txt").as_str()), ("one\ntwo\n", "1\nI\n"));
    let redone = repo.redraft_in(&sub, &["restore", "--at", "@-", "--", "b.txt"], "");
    assert_eq!(redone.status, 0, "{}", redone.out);
    assert_eq!(repo.text("sub/b.txt"), "1\nI\ntwo\n");
}

#[test]
fn a_path_that_nothing_touched_is_said_with_those_that_may_be_meant() {
    let repo = repo();
    let said = |dir: &str, path: &str| {
        let (status, error) = told(&repo, dir, &["log", path]);
        assert_eq!(status, 0);
        error
    };
    assert_eq!(
        said("", "sub/a.txt"),
        "redraft: warning: no record touched sub/a.txt; did you mean sub/deep/a.txt or a.txt or sub/b.txt?\n"
    );
    assert!(said("sub", "sub/b.txt").contains("no record touched sub/b.txt; did you mean b.txt"));
    assert!(said("", "sub/c.txt").contains("did you mean sub/b.txt"));
    let other = said("", "quite/another");
    assert!(other.contains("no record touched quite/another") && !other.contains("did you mean"), "{other}");
    let id = repo.redraft(&["log", "-1", "--json"], "").json()["id"].as_str().expect("an id")[..8].to_owned();
    assert!(said("", &id).contains(&format!("{id} is a record, which `redraft show {id}` shows")));
    // Where the path is known, and something else lets nothing through, that is no matter of the path.
    assert_eq!(told(&repo, "", &["log", "--agent", "nobody", "a.txt"]), (0, String::new()));
    assert_eq!(told(&repo, "", &["log", "--agent", "nobody"]), (0, String::new()));
}

#[test]
fn a_path_that_has_nothing_in_a_commit_is_said() {
    let repo = repo();
    let (status, error) = told(&repo, "", &["commit", "--since", "1 hour ago", "-m", "x", "--", "a.txt", "no/such"]);
    assert_eq!(status, 0, "{error}");
    assert!(error.contains("no edit of no/such is among those that are committed"), "{error}");
    assert!(!error.contains("a.txt"), "{error}");
    assert_eq!(repo.git(&["show", "--format=", "--name-only", "HEAD"]), "a.txt\n");
}

#[test]
fn log_takes_a_number_for_how_many_and_counts_lines() {
    let repo = repo();
    let messages = |args: &[&str]| {
        let answer = repo.redraft(&[&["log", "--json"], args].concat(), "");
        answer.lines().iter().map(|record| record["message"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(messages(&["-2"]), ["sub/b.txt", "sub/deep/a.txt"]);
    assert_eq!(messages(&["-1", "a.txt"]), ["a.txt"]);
    assert_eq!(messages(&["-2", "--reverse"]), ["sub/deep/a.txt", "sub/b.txt"]);
    assert_eq!(repo.redraft(&["log", "--json", "-0"], "").out, "");
    for is_sealed in [false, true] {
        if is_sealed {
            repo.redraft(&["gc"], "");
        }
        let shown = repo.redraft(&["log", "-1", "--stat"], "").out;
        assert!(
            shown.ends_with("\n sub/b.txt |   3 ++-\n 1 file changed, 2 insertions(+), 1 deletion(-)\n"),
            "{shown}"
        );
        let shown = repo.redraft(&["log", "--stat", "--oneline"], "").out;
        assert_eq!(shown.matches(" | ").count(), 3, "{shown}");
    }
    let long: String = (0..1000).map(|n| format!("{n}\n")).collect();
    repo.apply(json!({"files": [
        {"path": "long", "content": long},
        {"path": "a.txt", "edits": [{"old_string": "I", "new_string": "II"}]},
    ]}));
    let shown = redraft(&repo.root(), &["log", "-1", "--stat", "--oneline"], b"").text().to_owned();
    let graph = format!(" long  | 1000 {}\n", "+".repeat(40));
    assert!(shown.contains(&graph) && shown.contains(" a.txt |    2 +-\n"), "something is never nothing: {shown}");
    assert!(shown.ends_with(" 2 files changed, 1001 insertions(+), 1 deletion(-)\n"), "{shown}");
}

#[test]
fn the_root_is_no_part_of_the_tree_and_what_is_advised_from_below_it_works() {
    let repo = repo();
    for (dir, path) in [("", "."), ("sub", ":/"), ("sub", "..")] {
        let (status, error) = told(&repo, dir, &["purge", "--dry-run", "--path", path]);
        assert_eq!(status, 1, "{error}");
        assert!(error.contains("the path is the root of the working tree"), "{error}");
    }
    let (status, error) = told(&repo, "sub/deep", &["purge", "--dry-run", "--path", "sub/b.txt"]);
    assert_eq!(status, 1, "{error}");
    assert!(error.contains("with `:/` before it where you are below the root"), "{error}");
    assert_eq!(told(&repo, "sub/deep", &["purge", "--dry-run", "--path", ":/sub/b.txt"]).0, 0);
}

#[test]
fn undo_and_commit_of_a_path_that_nothing_touched_name_it_and_what_may_be_meant() {
    let repo = repo();
    let id = repo.redraft(&["log", "-1", "--json"], "").json()["id"].as_str().expect("an id").to_owned();
    for args in
        [&["undo", "--", "sub/c.txt"][..], &["undo", &id, "--", "sub/c.txt"], &["commit", &id, "--", "sub/c.txt"]]
    {
        let answer = repo.redraft(args, "");
        assert_ne!(answer.status, 0);
        let told = format!("{}{}", answer.out, answer.err);
        assert!(told.contains("no record touched sub/c.txt; did you mean sub/b.txt"), "{args:?}: {told}");
    }
    let below = repo.root().join("sub/deep");
    for args in [&["undo", "--", "../c.txt"][..], &["commit", &id, "--", "../c.txt"], &["purge", "--path", "../c.txt"]]
    {
        let answer = repo.redraft_in(&below, args, "");
        let told = format!("{}{}", answer.out, answer.err);
        assert!(told.contains("../c.txt") && told.contains("did you mean ../b.txt"), "{args:?}: {told}");
    }
    let answer = repo.redraft(&["undo", "--agent", "nobody", "--", "a.txt"], "");
    assert!(answer.out.contains("no record in force fits"), "{}", answer.out);
}

#[test]
fn a_path_in_the_place_of_an_id_is_told_where_paths_stand() {
    let repo = repo();
    for command in [&["undo"][..], &["commit"], &["redo"]] {
        let answer = repo.redraft(&[command, &["sub/b.txt"]].concat(), "");
        assert_ne!(answer.status, 0);
        assert!(
            format!("{}{}", answer.out, answer.err).contains("a path is given behind `--`"),
            "{command:?}: {}",
            answer.out
        );
    }
}

#[test]
fn what_stands_behind_two_dashes_is_a_path_and_each_that_nothing_touched_is_said() {
    let repo = repo();
    repo.apply(json!({"path": "-5", "content": "five\n", "message": "five"}));
    let messages = |args: &[&str]| {
        let answer = repo.redraft(&[&["log", "--json"], args].concat(), "");
        answer.lines().iter().map(|record| record["message"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(messages(&["--", "-5"]), ["five"]);
    assert_eq!(messages(&["-1", "--", "-5", "a.txt"]), ["five"]);
    assert_eq!(messages(&["-5"]).len(), 4);
    let (status, error) = told(&repo, "", &["log", "--oneline", "a.txt", "no/such"]);
    assert_eq!((status, error.as_str()), (0, "redraft: warning: no record touched no/such\n"));
    repo.git(&["worktree", "add", "-q", "../linked"]);
    let linked = repo.outside().join("linked");
    let answer = repo.redraft_in(&linked, &["log", "a.txt"], "");
    assert_eq!(answer.err, "redraft: warning: no record of this worktree touched a.txt; --all shows those of others\n");
}
