//! The policy on edits that nobody reviewed, and trailers, where git brought an agent's lines from another worktree.

use crate::support::{TestRepo, try_git};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

fn text() -> String {
    (1..=20).map(|n| format!("line {n}\n")).collect()
}

/// A repository, and a linked worktree of it on the branch `there`; no record was made in the first one.
fn two_worktrees() -> (TestRepo, PathBuf) {
    let repo = TestRepo::with_files(&[("a.txt", &text())]);
    repo.done(&["hooks", "install", "--json"], "");
    repo.git(&["config", "redraft.hookPolicy", "unreviewed"]);
    let there = repo.outside().join("there");
    repo.git(&["worktree", "add", "-q", "-b", "there", there.to_str().expect("UTF-8")]);
    (repo, there)
}

fn edit_in(repo: &TestRepo, dir: &Path, old: &str, new: &str) -> String {
    let agent = json!({"name": "robo"});
    let request = json!({"path": "a.txt", "old_string": old, "new_string": new, "agent": agent}).to_string();
    let answer = repo.redraft_in(dir, &["apply", "--answer", "brief"], &request);
    answer.json()["data"]["record"]["id"].as_str().expect("an id").to_owned()
}

fn commit(repo: &TestRepo) -> Result<(), String> {
    let output = try_git(repo, &["commit", "-qm", "brought"]);
    if output.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&output.stderr).into_owned()) }
}

fn trailers(repo: &TestRepo) -> String {
    repo.git(&["log", "-1", "--format=%(trailers:key=Redraft-Id,valueonly)"]).trim().to_owned()
}

/// The commit is refused until somebody has looked at the edit, and then names it.
#[track_caller]
fn is_asked_for(repo: &TestRepo, id: &str, how: &[&str]) {
    let refused = commit(repo).expect_err("nobody looked at it");
    assert!(refused.contains(id), "{how:?}: {refused}");
    repo.done(&["hooks", "review", "--json", id], "");
    commit(repo).expect("somebody looked at it");
    assert_eq!(trailers(repo), id, "{how:?}");
}

/// Seen: the policy passed, no trailers, and an empty `log --commit`.
#[test]
fn an_edit_is_asked_for_that_git_brought_from_another_worktree() {
    for how in
        [&["merge", "-q", "--squash", "there"][..], &["cherry-pick", "-n", "there"], &["checkout", "there", "--", "."]]
    {
        let (repo, there) = two_worktrees();
        let id = edit_in(&repo, &there, "line 3\n", "robo's 3\n");
        repo.git(&["-C", there.to_str().expect("UTF-8"), "commit", "-qnam", "there"]);
        assert!(try_git(&repo, how).status.success(), "{how:?}");
        is_asked_for(&repo, &id, how);
        let told = repo.redraft(&["log", "--commit", "HEAD", "--json"], "").lines();
        assert_eq!(told.iter().map(|record| &record["id"]).collect::<Vec<_>>(), [&json!(id)], "{how:?}");
        let blamed = repo.redraft(&["blame", "a.txt", "--json"], "").lines();
        assert_eq!(blamed[2]["record"], json!(id), "{how:?}");
        assert_eq!(blamed[3]["record"], Value::Null, "{how:?}");
    }
}

/// Seen: the policy passed where another agent had edited the file here, as the edit was known to be committed, on the branch.
#[test]
fn an_edit_is_asked_for_that_is_committed_on_another_branch_only() {
    for how in [&["merge", "-q", "--squash", "there"][..], &["cherry-pick", "-n", "there"]] {
        let repo = TestRepo::with_files(&[("a.txt", &text())]);
        repo.done(&["hooks", "install", "--json"], "");
        repo.git(&["checkout", "-q", "-b", "there"]);
        let id = edit_in(&repo, &repo.root(), "line 3\n", "robo's 3\n");
        commit_all(&repo);
        repo.git(&["checkout", "-q", "-"]);
        edit_in(&repo, &repo.root(), "line 15\n", "another's 15\n");
        commit_all(&repo);
        repo.git(&["config", "redraft.hookPolicy", "unreviewed"]);
        assert!(try_git(&repo, how).status.success(), "{how:?}");
        is_asked_for(&repo, &id, how);
    }
}

fn commit_all(repo: &TestRepo) {
    let output = try_git(repo, &["commit", "-qam", "edit"]);
    assert!(output.status.success(), "{output:?}");
}

/// All edits of a branch, also those that the newest one does not lead to at once.
#[test]
fn all_edits_of_another_worktree_are_asked_for_where_this_one_went_on_meanwhile() {
    let (repo, there) = two_worktrees();
    let ids = [3, 9, 15].map(|n| edit_in(&repo, &there, &format!("line {n}\n"), &format!("robo's {n}\n")));
    repo.git(&["-C", there.to_str().expect("UTF-8"), "commit", "-qnam", "there"]);
    repo.write("a.txt", repo.text("a.txt") + "a person's\n");
    repo.git(&["commit", "-qam", "here"]);
    assert!(try_git(&repo, &["merge", "-q", "--squash", "there"]).status.success());
    let refused = commit(&repo).expect_err("nobody looked at them");
    assert!(ids.iter().all(|id| refused.contains(id)), "{refused}");
}

#[test]
fn what_another_worktree_did_holds_up_no_commit_without_its_lines() {
    let (repo, there) = two_worktrees();
    edit_in(&repo, &there, "line 3\n", "robo's 3\n");
    edit_in(&repo, &there, "line 9\n", "both's 9\n");
    // A person's lines, beside those of the other worktree.
    repo.write("a.txt", repo.text("a.txt").replace("line 3\n", "a person's 3\n").replace("line 4\n", ""));
    repo.git(&["add", "-A"]);
    commit(&repo).expect("a person's lines");
    assert_eq!(trailers(&repo), "");
    // The very same line, of an agent here: that one's, and no other.
    let own = edit_in(&repo, &repo.root(), "line 9\n", "both's 9\n");
    repo.done(&["hooks", "review", "--json", &own], "");
    repo.git(&["add", "-A"]);
    commit(&repo).expect("the one of this worktree was looked at");
    assert_eq!(trailers(&repo), own);
}

/// Seen: one line that an edit of this worktree puts in as well, and nothing of the other's was asked for.
#[test]
fn an_edit_of_another_worktree_is_asked_for_though_one_of_its_lines_is_an_own_ones_too() {
    for how in [&["cherry-pick", "-n", "there"][..], &["checkout", "there", "--", "."]] {
        let (repo, there) = two_worktrees();
        let own = edit_in(&repo, &repo.root(), "line 1\n", "import os\nline 1\n");
        repo.done(&["hooks", "review", "--json", &own], "");
        edit_in(&repo, &there, "line 1\n", "import os\nline 1\n");
        let agent = json!({"name": "robo"});
        let edits = json!([{"old_string": "import os\n", "new_string": "import os\nimport re\n"}, {"old_string": "line 15\n", "new_string": "robo's 15\n"}]);
        let request = json!({"path": "a.txt", "edits": edits, "agent": agent}).to_string();
        let answer = repo.redraft_in(&there, &["apply", "--answer", "brief"], &request).json();
        let id = answer["data"]["record"]["id"].as_str().expect("an id").to_owned();
        repo.git(&["-C", there.to_str().expect("UTF-8"), "commit", "-qnam", "there"]);
        if how[0] == "cherry-pick" {
            repo.git(&["checkout", "-q", "a.txt"]);
        }
        assert!(try_git(&repo, how).status.success(), "{how:?}");
        let refused = commit(&repo).expect_err("nobody looked at it");
        assert!(refused.contains(&id), "{how:?}: {refused}");
    }
}

/// Seen: the policy passed, and no trailer told of it.
#[test]
fn an_edit_of_another_worktree_is_asked_for_where_the_file_has_another_name_here() {
    for how in [&["merge", "-q", "--squash", "there"][..], &["cherry-pick", "-n", "there"]] {
        let (repo, there) = two_worktrees();
        repo.git(&["mv", "a.txt", "b.txt"]);
        repo.git(&["commit", "-qm", "moved"]);
        let id = edit_in(&repo, &there, "line 3\n", "robo's 3\n");
        repo.git(&["-C", there.to_str().expect("UTF-8"), "commit", "-qnam", "there"]);
        assert!(try_git(&repo, how).status.success(), "{how:?}");
        is_asked_for(&repo, &id, how);
    }
    // A person's own commits are not held up by it.
    let (repo, there) = two_worktrees();
    repo.git(&["mv", "a.txt", "b.txt"]);
    repo.git(&["commit", "-qm", "moved"]);
    edit_in(&repo, &there, "line 3\n", "robo's 3\n");
    repo.write("b.txt", text().replace("line 9\n", "a person's\n"));
    repo.git(&["add", "-A"]);
    commit(&repo).expect("it has nothing of an agent's");
}

#[test]
fn an_edit_of_another_worktree_is_asked_for_that_came_under_the_name_which_the_file_got_there() {
    let (repo, there) = two_worktrees();
    let in_there = |args: &[&str]| repo.git(&[&["-C", there.to_str().expect("UTF-8")], args].concat());
    let id = edit_in(&repo, &there, "line 3\n", "robo's 3\n");
    in_there(&["commit", "-qnam", "there"]);
    in_there(&["mv", "a.txt", "b.txt"]);
    in_there(&["commit", "-qnm", "moved"]);
    let how = ["checkout", "-q", "there", "--", "b.txt"];
    repo.git(&how);
    is_asked_for(&repo, &id, &how);
}

#[test]
fn an_edit_of_another_worktree_is_asked_for_through_any_number_of_names() {
    let (repo, there) = two_worktrees();
    for (from, to) in [("a.txt", "b.txt"), ("b.txt", "c.txt")] {
        repo.git(&["mv", from, to]);
        repo.git(&["commit", "-qnm", "moved"]);
    }
    let id = edit_in(&repo, &there, "line 3\n", "robo's 3\n");
    repo.git(&["-C", there.to_str().expect("UTF-8"), "commit", "-qnam", "there"]);
    let how = ["cherry-pick", "-n", "there"];
    repo.git(&how);
    is_asked_for(&repo, &id, &how);

    let (repo, there) = two_worktrees();
    let in_there = |args: &[&str]| repo.git(&[&["-C", there.to_str().expect("UTF-8")], args].concat());
    let id = edit_in(&repo, &there, "line 3\n", "robo's 3\n");
    in_there(&["commit", "-qnam", "there"]);
    for (from, to) in [("a.txt", "b.txt"), ("b.txt", "c.txt")] {
        in_there(&["mv", from, to]);
        in_there(&["commit", "-qnm", "moved"]);
    }
    let how = ["checkout", "-q", "there", "--", "c.txt"];
    repo.git(&how);
    is_asked_for(&repo, &id, &how);
}

#[test]
fn an_edit_of_another_worktree_is_not_asked_for_where_an_own_one_has_its_lines_beside_a_persons() {
    let (repo, there) = two_worktrees();
    edit_in(&repo, &there, "line 9\n", "both's 9\n");
    repo.git(&["-C", there.to_str().expect("UTF-8"), "commit", "-qnam", "there"]);
    let own = edit_in(&repo, &repo.root(), "line 9\n", "both's 9\n");
    repo.done(&["hooks", "review", "--json", &own], "");
    repo.write("a.txt", repo.text("a.txt").replace("line 15\n", "a person's 15\n"));
    repo.git(&["add", "-A"]);
    commit(&repo).expect("the one of this worktree was looked at");
    assert_eq!(trailers(&repo), own);
}

#[test]
fn an_edit_of_another_worktree_is_not_asked_for_where_its_file_is_gone_here_and_another_has_the_line() {
    let repo = TestRepo::with_files(&[("a.txt", &text()), ("y.txt", &text().replace("line", "row"))]);
    repo.done(&["hooks", "install", "--json"], "");
    repo.git(&["config", "redraft.hookPolicy", "unreviewed"]);
    let there = repo.outside().join("there");
    repo.git(&["worktree", "add", "-q", "-b", "there", there.to_str().expect("UTF-8")]);
    for (from, to) in [("a.txt", "b.txt"), ("y.txt", "z.txt")] {
        repo.git(&["mv", from, to]);
    }
    repo.git(&["commit", "-qnm", "moved"]);
    let request =
        json!({"path": "y.txt", "old_string": "row 4\n", "new_string": "a line\n", "agent": {"name": "robo"}});
    repo.redraft_in(&there, &["apply", "--answer", "brief"], &request.to_string());
    repo.git(&["-C", there.to_str().expect("UTF-8"), "commit", "-qnam", "there"]);
    repo.write("b.txt", text().replace("line 3\n", "a line\n"));
    repo.git(&["rm", "-q", "z.txt"]);
    repo.git(&["add", "-A"]);
    commit(&repo).expect("it has nothing of an agent's");
    assert_eq!(trailers(&repo), "");
}

#[test]
fn an_undo_of_another_worktree_is_not_asked_for_where_git_brings_the_lines_that_it_put_back() {
    let (repo, there) = two_worktrees();
    let in_there = |args: &[&str]| repo.git(&[&["-C", there.to_str().expect("UTF-8")], args].concat());
    let id = edit_in(&repo, &there, "line 9\n", "");
    in_there(&["commit", "-qnam", "without"]);
    repo.git(&["merge", "-q", "there"]);
    repo.redraft_in(&there, &["undo", &id], "");
    in_there(&["commit", "-qnam", "with"]);
    repo.git(&["merge", "-q", "--squash", "there"]);
    commit(&repo).expect("it has nothing of an edit");
    assert_eq!((repo.text("a.txt"), trailers(&repo)), (text(), String::new()));
}

/// Of lines that an agent of this worktree wrote, too, nobody else's record is told; of those that git brought beside them it is.
#[test]
fn a_commit_has_of_another_worktree_s_records_those_alone_of_which_git_brought_lines_that_none_here_wrote() {
    for is_more_brought in [false, true] {
        let (repo, there) = two_worktrees();
        repo.git(&["config", "--unset", "redraft.hookPolicy"]);
        let theirs = edit_in(&repo, &there, "line 3\n", "robo's 3\n");
        let more = edit_in(&repo, &there, "line 15\n", "robo's 15\n");
        repo.git(&["-C", there.to_str().expect("UTF-8"), "commit", "-qnam", "there"]);
        let own = edit_in(&repo, &repo.root(), "line 3\n", "robo's 3\n");
        if is_more_brought {
            assert!(repo.shell("git show there:a.txt > a.txt").success());
        }
        repo.git(&["commit", "-qnam", "here"]);
        let told = repo.redraft(&["log", "--commit", "HEAD", "--json"], "").lines();
        let told: Vec<&str> = told.iter().filter_map(|record| record["id"].as_str()).collect();
        let want = if is_more_brought { vec![own.as_str(), more.as_str()] } else { vec![own.as_str()] };
        assert_eq!(told, want, "{theirs} is not told");
    }
}
