//! `status` and `blame` where git has less than everything, or other bytes than the working tree: shallow and partial clones,
//! filter drivers, encodings.

use crate::support::TestRepo;
use serde_json::{Value, json};
use std::path::Path;

const TEXT: &str = "one\ntwo\nthree\nfour\nfive\nsix\n";

/// A clone of a repository with two commits; both have their own line of `a.txt`.
fn clone(how: &[&str]) -> (TestRepo, std::path::PathBuf) {
    let repo = TestRepo::with_files(&[("a.txt", TEXT), ("b.txt", TEXT)]);
    repo.write("a.txt", TEXT.replace("six", "6"));
    repo.commit_all("second");
    repo.git(&["config", "uploadpack.allowFilter", "true"]);
    let url = format!("file://{}", repo.root().display());
    repo.git(&[&["clone", "-q"], how, &[&url, "../clone"]].concat());
    let clone = repo.outside().join("clone");
    for (key, value) in [("user.name", "x"), ("user.email", "x@example.com")] {
        repo.git(&["-C", "../clone", "config", key, value]);
    }
    (repo, clone)
}

fn blame(repo: &TestRepo, dir: &Path, path: &str) -> Vec<(Value, Value)> {
    let answer = repo.redraft_in(dir, &["blame", "--json", path], "");
    assert_eq!((answer.status, answer.err.as_str()), (0, ""), "{}", answer.out);
    answer.lines().iter().map(|line| (line["record"].clone(), line["commit"].clone())).collect()
}

fn edit_in(repo: &TestRepo, dir: &Path, old: &str, new: &str) -> Value {
    let request = json!({"path": "a.txt", "old_string": old, "new_string": new}).to_string();
    repo.redraft_in(dir, &["apply"], &request).json()["data"]["record"]["id"].clone()
}

#[test]
fn blame_works_in_a_shallow_clone() {
    let (repo, clone) = clone(&["--depth", "1"]);
    let id = edit_in(&repo, &clone, "two", "2");
    let head = json!(repo.git(&["rev-parse", "HEAD"]).trim());
    let found = blame(&repo, &clone, "a.txt");
    assert_eq!(found[1], (id, Value::Null));
    assert!(found.iter().enumerate().all(|(n, line)| n == 1 || *line == (Value::Null, head.clone())), "{found:?}");
}

#[test]
fn blame_log_and_status_work_in_partial_clones() {
    for filter in ["--filter=blob:none", "--filter=tree:0"] {
        let (repo, clone) = clone(&[filter]);
        let id = edit_in(&repo, &clone, "two", "2");
        let [first, second] = ["HEAD~", "HEAD"].map(|name| json!(repo.git(&["rev-parse", name]).trim()));
        let found = blame(&repo, &clone, "a.txt");
        assert_eq!(found[1], (id.clone(), Value::Null), "{filter}");
        assert_eq!((&found[0].1, &found[5].1), (&first, &second), "{filter}");
        repo.git(&["-C", "../clone", "commit", "-qam", "the agent's"]);
        let commit = json!(repo.git(&["-C", "../clone", "rev-parse", "HEAD"]).trim());
        let log = repo.redraft_in(&clone, &["log", "--json"], "").lines();
        assert_eq!((&log[0]["id"], &log[0]["commit"]), (&id, &commit), "{filter}");
        let status = repo.redraft_in(&clone, &["status", "--json"], "");
        assert_eq!(status.json()["agent_changes"], json!([]), "{filter}");
    }
}

/// A filter that git runs on the way in and out: what is SECRET in the working tree is HIDDEN in git.
fn with_filter() -> TestRepo {
    let repo = TestRepo::new();
    repo.git(&["config", "filter.hide.clean", "sed s/SECRET/HIDDEN/"]);
    repo.git(&["config", "filter.hide.smudge", "sed s/HIDDEN/SECRET/"]);
    repo.write(".gitattributes", "*.hide filter=hide\n*.latin text working-tree-encoding=ISO-8859-1\n");
    repo.write("f.hide", "one\nSECRET\nthree\nfour\n");
    repo.write("f.latin", b"one\n\xfcber\nthree\nfour\n");
    repo.commit_all("first");
    repo
}

#[test]
fn status_and_blame_see_files_as_git_does_through_filters_and_encodings() {
    let repo = with_filter();
    assert_eq!(repo.git(&["show", "HEAD:f.hide"]), "one\nHIDDEN\nthree\nfour\n");
    let first = json!(repo.git(&["rev-parse", "HEAD"]).trim());
    let (hidden, latin) = (repo.edit("f.hide", "three", "3"), repo.edit("f.latin", "three", "3"));
    for (path, id) in [("f.hide", &hidden), ("f.latin", &latin)] {
        let found = blame(&repo, &repo.root(), path);
        assert_eq!(found.len(), 4);
        for (n, line) in found.iter().enumerate() {
            let want = if n == 2 { (json!(id), Value::Null) } else { (Value::Null, first.clone()) };
            assert_eq!(*line, want, "{path}:{n}");
        }
    }
    let changed = |repo: &TestRepo| -> Vec<String> {
        let status = repo.done(&["status", "--json"], "");
        let changes = status["agent_changes"].as_array().expect("a list").clone();
        changes.iter().map(|change| change["path"].as_str().expect("a path").to_owned()).collect()
    };
    assert_eq!(changed(&repo), ["f.hide", "f.latin"]);
    repo.commit_all("the agent's");
    assert_eq!(changed(&repo), Vec::<String>::new());
    // What somebody changed since is not the agent's.
    repo.write("f.latin", b"one\n\xfcber alles\n3\nfour\n");
    assert_eq!(changed(&repo), Vec::<String>::new());
}

#[test]
fn status_tells_what_an_undo_did_to_what_is_committed() {
    let repo = TestRepo::with_files(&[("a.txt", TEXT)]);
    let id = repo.edit("a.txt", "two", "2");
    repo.commit_all("the agent's");
    assert_eq!(repo.done(&["status", "--json"], "")["agent_changes"], json!([]));
    let answer = repo.done(&["undo", &id], "");
    let undo = &answer["data"]["record"]["id"];
    let status = repo.done(&["status", "--json"], "");
    let records = &status["agent_changes"][0]["records"];
    assert_eq!(records.as_array().map(Vec::len), Some(1), "{status}");
    assert_eq!((&status["agent_changes"][0]["path"], &records[0]["id"]), (&json!("a.txt"), undo));
    repo.commit_all("undone");
    assert_eq!(repo.done(&["status", "--json"], "")["agent_changes"], json!([]));
    // An edit that was taken back before it was committed is as it was: told, and marked.
    let id = repo.edit("a.txt", "three", "3");
    repo.write("a.txt", repo.text("a.txt").replace("six", "6"));
    repo.done(&["undo", &id], "");
    let records = repo.done(&["status", "--json"], "")["agent_changes"][0]["records"].clone();
    assert_eq!(records.as_array().map(Vec::len), Some(1), "{records}");
    assert_eq!(records[0]["id"], json!(id));
    assert!(records[0]["undone_by"].is_string());
}
