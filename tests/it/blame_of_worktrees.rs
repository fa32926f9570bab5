//! Who wrote a line that git brought here from another worktree, whatever became of its file there.

use crate::support::TestRepo;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// A repository, and a linked worktree of it on the branch `there`.
fn two_worktrees() -> (TestRepo, PathBuf) {
    let text: String = (1..=20).map(|n| format!("line {n}\n")).collect();
    let repo = TestRepo::with_files(&[("a.txt", &text)]);
    let there = repo.outside().join("there");
    repo.git(&["worktree", "add", "-q", "-b", "there", there.to_str().expect("UTF-8")]);
    (repo, there)
}

fn git_in(repo: &TestRepo, dir: &Path, args: &[&str]) {
    repo.git(&[&["-C", dir.to_str().expect("UTF-8")], args].concat());
}

fn edit_in(repo: &TestRepo, dir: &Path, old: &str, new: &str) -> Value {
    let request = json!({"path": "a.txt", "old_string": old, "new_string": new, "agent": {"name": "robo"}}).to_string();
    let told = repo.redraft_in(dir, &["apply", "--answer", "brief"], &request).json();
    assert_eq!(told["status"], "success", "{told}");
    told["data"]["record"]["id"].clone()
}

/// The records of the lines that the agent wrote, in order.
fn records(repo: &TestRepo, path: &str) -> Vec<Value> {
    let blamed = repo.redraft(&["blame", path, "--json"], "").lines();
    let is_robos = |line: &&Value| line["text"].as_str().is_some_and(|text| text.starts_with("robo's"));
    blamed.iter().filter(is_robos).map(|line| line["record"].clone()).collect()
}

/// Seen: the person's, from his own commit on.
#[test]
fn a_line_stays_its_writers_when_it_is_deleted_there_and_the_file_is_edited_again() {
    let (repo, there) = two_worktrees();
    let id = edit_in(&repo, &there, "line 8\n", "robo's 8\nrobo's 8 and a half\n");
    git_in(&repo, &there, &["commit", "-qam", "there"]);
    repo.git(&["merge", "-q", "there"]);
    let text = std::fs::read_to_string(there.join("a.txt")).expect("a text");
    std::fs::write(there.join("a.txt"), text.replace("robo's 8 and a half\n", "")).expect("written");
    git_in(&repo, &there, &["commit", "-qam", "without one"]);
    edit_in(&repo, &there, "line 2\n", "two\n");
    git_in(&repo, &there, &["commit", "-qam", "again"]);
    repo.write("a.txt", format!("of a person\n{}", repo.text("a.txt")));
    assert_eq!(records(&repo, "a.txt"), [id.clone(), id.clone()]);
    repo.commit_all("of a person");
    assert_eq!(records(&repo, "a.txt"), [id.clone(), id]);
}

/// Seen: the committer's.
#[test]
fn a_line_is_its_writers_when_its_file_was_renamed_there() {
    for renamed_with_it in [true, false] {
        let (repo, there) = two_worktrees();
        let id = edit_in(&repo, &there, "line 8\n", "robo's 8\n");
        if !renamed_with_it {
            git_in(&repo, &there, &["commit", "-qam", "there"]);
        }
        git_in(&repo, &there, &["mv", "a.txt", "b.txt"]);
        git_in(&repo, &there, &["commit", "-qam", "moved"]);
        repo.git(&["merge", "-q", "there"]);
        assert_eq!(records(&repo, "b.txt"), [id]);
    }
}
