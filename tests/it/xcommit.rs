//! `record: commit`: exactly the agent's lines, whatever else stands in the file and in the index.

use crate::support::TestRepo;
use serde_json::{Value, json};

fn lines(range: std::ops::Range<usize>) -> String {
    range.map(|n| format!("line {n}\n")).collect()
}

fn repo() -> TestRepo {
    TestRepo::with_files(&[("a.txt", &lines(0..30)), ("b.txt", &lines(0..30))])
}

fn commit(repo: &TestRepo, mut request: Value) -> Value {
    request["record"] = json!("commit");
    repo.done(&["apply"], &request.to_string())
}

fn refuse(repo: &TestRepo, mut request: Value) -> String {
    request["record"] = json!("commit");
    let before = state(repo);
    let reason = repo.refused(&["apply"], &request.to_string());
    assert_eq!(state(repo), before);
    assert!(!repo.has(".git/index.lock"));
    reason
}

/// HEAD, index and working tree.
fn state(repo: &TestRepo) -> [String; 4] {
    let head = String::from_utf8(repo.try_git(&["rev-parse", "-q", "--verify", "HEAD"]).stdout).expect("UTF-8");
    let tree = repo.git(&["ls-files", "-s"]);
    [head, tree, repo.git(&["diff"]), repo.git(&["status", "--porcelain", "-uall"])]
}

fn edit(path: &str, old: &str, new: &str) -> Value {
    json!({"path": path, "old_string": old, "new_string": new})
}

#[test]
fn a_clean_file_is_committed_with_trailers_and_everything_is_clean() {
    let repo = repo();
    let mut request = edit("a.txt", "line 3\n", "LINE 3\n");
    request["message"] = json!("Raise line 3\n\nBecause.");
    request["agent"] = json!({"name": "claude", "model": "opus"});
    let answer = commit(&repo, request);
    let id = answer["data"]["record"]["id"].as_str().expect("an id");
    let head = repo.git(&["rev-parse", "HEAD"]).trim().to_owned();
    assert_eq!(answer["data"]["record"], json!({"id": id, "kind": "commit", "commit": head, "stash": null}));
    let message = repo.git(&["log", "-1", "--format=%an <%ae>%n%B"]);
    let want = format!(
        "Test User <user@example.com>\nRaise line 3\n\nBecause.\n\nRedraft-Id: {id}\nAssisted-by: claude:opus\n"
    );
    assert_eq!(message.trim_end(), want.trim_end());
    assert_eq!(repo.git(&["status", "--porcelain"]), "");
    assert_eq!(repo.git(&["diff", "HEAD~", "--numstat"]), "1\t1\ta.txt\n");
    assert!(repo.git(&["reflog", "-1"]).contains("commit: Raise line 3"));
    repo.git(&["fsck", "--strict"]);
    let line = repo.redraft(&["log", "--json"], "").lines().remove(0);
    assert_eq!(line["commit"], json!(head));
}

#[test]
fn only_the_agents_lines_are_committed_and_the_users_stay_staged_or_not() {
    let repo = repo();
    let user = |text: &str, n: usize, new: &str| text.replace(&format!("line {n}\n"), new);
    let staged = user(&user(&lines(0..30), 4, "staged 4\n"), 6, "");
    repo.write("a.txt", &staged);
    repo.git(&["add", "a.txt"]);
    let working = user(&user(&staged, 2, "line 2\nunstaged\n"), 8, "unstaged 8\n");
    repo.write("a.txt", &working);
    repo.write("b.txt", "all other\n");
    commit(
        &repo,
        json!({"path": "a.txt", "edits": [
            {"old_string": "line 3\n", "new_string": "agent 3\n"},
            {"old_string": "line 5\n", "new_string": "line 5\nagent 5\n"},
            {"old_string": "line 7\n", "new_string": ""},
        ]}),
    );
    let agent = |text: &str| user(&user(&user(text, 3, "agent 3\n"), 5, "line 5\nagent 5\n"), 7, "");
    assert_eq!(repo.git(&["show", "HEAD:a.txt"]), agent(&lines(0..30)));
    assert_eq!(repo.git(&["show", ":a.txt"]), agent(&staged));
    assert_eq!(repo.text("a.txt"), agent(&working));
    assert_eq!(repo.git(&["diff", "--name-only", "HEAD~", "HEAD"]), "a.txt\n");
    assert_eq!(repo.text("b.txt"), "all other\n");
}

#[test]
fn an_edit_of_the_users_own_line_is_refused_and_nothing_is_written() {
    let repo = repo();
    repo.write("a.txt", lines(0..30).replace("line 3\n", "line 3 of the user\n"));
    for (old, new) in [("line 3 of the user", "agent"), ("line 3 of", "LINE 3 of")] {
        assert_eq!(refuse(&repo, edit("a.txt", old, new)), "does_not_fit_head");
    }
    repo.git(&["add", "a.txt"]);
    assert_eq!(refuse(&repo, edit("a.txt", "of the user", "agent")), "does_not_fit_head");
    repo.write("new.txt", "x\n");
    assert_eq!(refuse(&repo, edit("new.txt", "x", "y")), "does_not_fit_head");
    assert_eq!(refuse(&repo, json!({"path": "a.txt", "delete": true})), "does_not_fit_head");
    let answer = repo.redraft(&["check", "--record", "commit"], &edit("new.txt", "x", "y").to_string());
    assert_eq!(answer.json()["data"]["reason"], "does_not_fit_head");
}

#[test]
fn files_are_created_deleted_and_renamed_in_the_commit() {
    let repo = repo();
    commit(&repo, json!({"path": "dir/new.txt", "content": "x\n"}));
    commit(&repo, json!({"path": "b.txt", "delete": true}));
    commit(
        &repo,
        json!({"path": "a.txt", "rename_to": "dir/c.txt", "edits": [{"old_string": "line 3\n", "new_string": "3\n"}]}),
    );
    assert_eq!(repo.git(&["ls-tree", "-r", "--name-only", "HEAD"]), "dir/c.txt\ndir/new.txt\n");
    assert_eq!(repo.git(&["status", "--porcelain"]), "");
    assert_eq!(repo.git(&["show", "HEAD:dir/c.txt"]), lines(0..30).replace("line 3\n", "3\n"));
}

#[test]
fn an_unborn_and_a_detached_head_work_and_operations_in_progress_are_refused() {
    let repo = TestRepo::new();
    commit(&repo, json!({"path": "a.txt", "content": "x\n"}));
    assert_eq!(repo.git(&["log", "--oneline", "main"]).lines().count(), 1);
    repo.git(&["checkout", "-q", "--detach"]);
    commit(&repo, edit("a.txt", "x", "y"));
    assert_eq!(repo.git(&["log", "--oneline", "main"]).lines().count(), 1);
    assert_eq!(repo.git(&["log", "--oneline", "HEAD"]).lines().count(), 2);

    let repo = repo_with_conflict();
    assert_eq!(refuse(&repo, edit("b.txt", "line 3\n", "x\n")), "operation_in_progress");
    std::fs::remove_file(repo.root().join(".git/MERGE_HEAD")).expect("removed");
    assert_eq!(refuse(&repo, edit("a.txt", "line 20\n", "x\n")), "unmerged");
    commit(&repo, edit("b.txt", "line 3\n", "x\n"));
    assert!(repo.git(&["ls-files", "-u"]).contains("a.txt"));
}

fn repo_with_conflict() -> TestRepo {
    let repo = repo();
    repo.git(&["checkout", "-q", "-b", "other"]);
    repo.write("a.txt", lines(0..30).replace("line 3\n", "theirs\n"));
    repo.commit_all("theirs");
    repo.git(&["checkout", "-q", "main"]);
    repo.write("a.txt", lines(0..30).replace("line 3\n", "ours\n"));
    repo.commit_all("ours");
    assert!(!repo.try_git(&["merge", "other"]).status.success());
    repo
}

#[cfg(unix)]
fn hook(repo: &TestRepo, name: &str, text: &str) {
    use std::os::unix::fs::PermissionsExt;
    let path = format!(".git/hooks/{name}");
    repo.write(&path, format!("#!/bin/sh\n{text}\n"));
    std::fs::set_permissions(repo.root().join(path), PermissionsExt::from_mode(0o755)).expect("a mode");
}

#[cfg(unix)]
#[test]
fn hooks_see_the_commit_and_their_failure_takes_everything_back() {
    let repo = repo();
    repo.write("a.txt", lines(0..30).replace("line 20\n", "unstaged\n"));
    repo.write("b.txt", "staged\n");
    repo.git(&["add", "b.txt"]);
    hook(&repo, "pre-commit", "git diff --cached --name-only > .git/seen; echo no way; exit 1");
    let request = edit("a.txt", "line 3\n", "agent\n");
    assert_eq!(refuse(&repo, request.clone()), "hook_failed");
    assert_eq!(repo.text(".git/seen"), "a.txt\n");
    let answer = repo.redraft(&["apply", "--record", "commit"], &request.to_string());
    assert_eq!(answer.status, 3);
    assert!(answer.json()["data"]["hint"]["output"].as_str().expect("output").contains("no way"));

    hook(&repo, "commit-msg", "echo 'Reviewed-by: nobody' >> \"$1\"");
    repo.done(&["apply", "--record", "commit", "--no-verify"], &request.to_string());
    assert_eq!(repo.git(&["diff", "--name-only", "HEAD~", "HEAD"]), "a.txt\n");
    assert!(!repo.git(&["log", "-1", "--format=%B"]).contains("Reviewed-by"));
    assert_eq!(repo.git(&["status", "--porcelain"]), " M a.txt\nM  b.txt\n");

    hook(&repo, "pre-commit", "exit 0");
    let answer = commit(&repo, edit("a.txt", "line 5\n", "agent 5\n"));
    assert!(repo.git(&["log", "-1", "--format=%B"]).contains("Reviewed-by: nobody"));
    assert_eq!(answer["data"]["record"]["commit"], json!(repo.git(&["rev-parse", "HEAD"]).trim()));
    assert_eq!(repo.git(&["status", "--porcelain"]), " M a.txt\nM  b.txt\n");
    assert_eq!(
        repo.redraft(&["log", "--json", "-n1"], "").lines()[0]["commit"],
        json!(repo.git(&["rev-parse", "HEAD"]).trim())
    );
    assert_eq!(
        repo.git(&["show", "HEAD:a.txt"]),
        lines(0..30).replace("line 3\n", "agent\n").replace("line 5\n", "agent 5\n")
    );
}

#[cfg(unix)]
#[test]
fn what_a_hook_changes_in_the_commit_is_followed() {
    let repo = repo();
    hook(&repo, "pre-commit", "sed -i s/agent/AGENT/ a.txt; git add a.txt");
    let answer = commit(&repo, edit("a.txt", "line 3\n", "agent\n"));
    assert_eq!(repo.git(&["status", "--porcelain"]), "");
    assert!(repo.git(&["show", "HEAD:a.txt"]).contains("AGENT"));
    assert!(answer["data"]["warnings"][0].as_str().expect("a warning").contains("hook changed a.txt"));
}

#[cfg(unix)]
#[test]
fn a_signature_that_fails_takes_everything_back() {
    let repo = repo();
    repo.git(&["config", "commit.gpgSign", "true"]);
    repo.git(&["config", "gpg.program", "false"]);
    assert_eq!(refuse(&repo, edit("a.txt", "line 3\n", "agent\n")), "signing_failed");
}

#[test]
fn line_endings_and_filters_are_git_s_own_in_the_commit() {
    let attributes = "*.crlf text eol=crlf\n*.up filter=up\n*.id ident\n";
    let repo = TestRepo::with_files(&[(".gitattributes", attributes)]);
    repo.git(&["config", "filter.up.clean", "tr a-z A-Z"]);
    repo.git(&["config", "filter.up.smudge", "tr A-Z a-z"]);
    repo.write("a.crlf", "one\r\ntwo\r\nthree\r\n");
    repo.write("a.up", "one\ntwo\nthree\n");
    repo.write("a.id", "$Id$\none\ntwo\n");
    repo.commit_all("files");
    commit(&repo, edit("a.crlf", "two", "2"));
    assert_eq!(repo.read("a.crlf"), b"one\r\n2\r\nthree\r\n");
    assert_eq!(repo.git(&["show", "HEAD:a.crlf"]), "one\n2\nthree\n");
    repo.write("a.up", "one user\ntwo\nthree\n");
    commit(&repo, edit("a.up", "three", "drei"));
    assert_eq!(repo.read("a.up"), b"one user\ntwo\ndrei\n");
    assert_eq!(repo.git(&["show", "HEAD:a.up"]), "ONE\nTWO\nDREI\n");
    commit(&repo, edit("a.id", "two", "2"));
    assert_eq!(repo.git(&["show", "HEAD:a.id"]), "$Id$\none\n2\n");
    assert_eq!(repo.git(&["status", "--porcelain"]), " M a.up\n");
}

#[test]
fn the_index_keeps_its_version_and_extensions() {
    let repo = repo();
    repo.git(&["update-index", "--index-version", "4", "--force-untracked-cache"]);
    repo.git(&["status"]);
    commit(&repo, edit("a.txt", "line 3\n", "agent\n"));
    let index = repo.read(".git/index");
    assert_eq!(&index[..8], b"DIRC\0\0\0\x04");
    assert!(index.windows(4).any(|w| w == b"UNTR") && index.windows(4).any(|w| w == b"TREE"));
    assert_eq!(repo.git(&["status", "--porcelain"]), "");
}

#[test]
fn a_locked_index_is_waited_for_and_then_told() {
    let repo = repo();
    repo.write(".git/index.lock", "");
    let request = edit("a.txt", "line 3\n", "agent\n").to_string();
    let answer = repo.redraft(&["apply", "--record", "commit", "--lock-timeout", "0.1"], &request);
    assert_eq!((answer.status, &answer.json()["data"]["reason"]), (4, &json!("index_lock_timeout")));
    assert_eq!(repo.text("a.txt"), lines(0..30));
    assert!(repo.has(".git/index.lock"));
}

#[test]
fn an_undo_makes_a_reverting_commit_or_puts_the_index_back() {
    let repo = repo();
    commit(&repo, edit("a.txt", "line 3\n", "agent\n"));
    repo.done(&["undo", "--record", "commit"], "");
    assert_eq!(repo.git(&["diff", "HEAD~2", "HEAD"]), "");
    assert_eq!(repo.git(&["status", "--porcelain"]), "");
    assert!(repo.git(&["log", "-1", "--format=%s"]).starts_with("undo a.txt"));
    commit(&repo, edit("a.txt", "line 5\n", "agent 5\n"));
    repo.done(&["undo"], "");
    assert_eq!(repo.git(&["log", "--oneline"]).lines().count(), 4);
    assert_eq!(repo.text("a.txt"), lines(0..30));
    assert_eq!(repo.git(&["status", "--porcelain"]), "M  a.txt\n");
}

/// A small generator of random numbers; every run is the same.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % below
    }
}

/// Lines that know who last wrote them: the file as HEAD, the index and the working tree have it.
#[test]
fn random_mixtures_of_staged_unstaged_and_agents_lines_come_apart_again() {
    let cases = std::env::var("REDRAFT_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(25);
    let repo = TestRepo::new();
    let mut dice = Dice(7);
    for case in 0..cases {
        let head: Vec<String> = (0..24).map(|n| format!("case {case} line {n}\n")).collect();
        repo.write("f.txt", head.concat());
        repo.commit_all("base");
        // Every line is changed by at most one; what is next to what is left to chance.
        let (mut staged, mut working, mut final_head) = (head.clone(), head.clone(), head.clone());
        let (mut final_staged, mut final_working) = (head.clone(), head.clone());
        let mut edits = Vec::new();
        for n in 0..head.len() {
            let change = |who: &str, dice: &mut Dice| match dice.roll(3) {
                0 => format!("{who} {case} {n}\n"),
                1 => format!("{}{who} {case} added {n}\n", head[n]),
                _ => String::new(),
            };
            match dice.roll(5) {
                0 => {
                    let new = change("staged", &mut dice);
                    for list in [&mut staged, &mut working, &mut final_staged, &mut final_working] {
                        list[n].clone_from(&new);
                    }
                }
                1 => {
                    let new = change("unstaged", &mut dice);
                    for list in [&mut working, &mut final_working] {
                        list[n].clone_from(&new);
                    }
                }
                2 => {
                    let new = change("agent", &mut dice);
                    edits.push(json!({"old_string": head[n], "new_string": new}));
                    for list in [&mut final_head, &mut final_staged, &mut final_working] {
                        list[n].clone_from(&new);
                    }
                }
                _ => {}
            }
        }
        if edits.is_empty() {
            continue;
        }
        repo.write("f.txt", staged.concat());
        repo.git(&["add", "f.txt"]);
        repo.write("f.txt", working.concat());
        commit(&repo, json!({"path": "f.txt", "edits": edits}));
        let set = |text: String| {
            let mut lines: Vec<String> = text.lines().map(ToOwned::to_owned).collect();
            lines.sort();
            lines
        };
        assert_eq!(repo.text("f.txt"), final_working.concat(), "case {case}");
        assert_eq!(set(repo.git(&["show", "HEAD:f.txt"])), set(final_head.concat()), "case {case}");
        assert_eq!(set(repo.git(&["show", ":f.txt"])), set(final_staged.concat()), "case {case}");
        repo.git(&["checkout", "-q", "-f", "HEAD"]);
    }
    repo.git(&["fsck", "--strict"]);
}
