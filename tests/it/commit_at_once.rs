//! `record: commit` while other processes move HEAD, or hold its locks.

use crate::support::{Answer, TestRepo};
use serde_json::json;
use std::time::Duration;

const PROCESSES: usize = 8;

fn lines() -> String {
    (0..PROCESSES * 10).map(|n| format!("line {n}\n")).collect()
}

fn commit(repo: &TestRepo, path: &str, n: usize) -> Answer {
    let old = format!("line {n}\n");
    let wish = json!({"path": path, "old_string": old, "new_string": format!("LINE {n}\n"), "record": "commit"});
    repo.redraft(&["apply"], &wish.to_string())
}

/// Runs one edit in each of several processes at once; all must land, each in a commit of its own.
fn all_land(repo: &TestRepo) {
    let before: usize = repo.git(&["rev-list", "--count", "HEAD"]).trim().parse().expect("a number");
    std::thread::scope(|scope| {
        let runs: Vec<_> = (0..PROCESSES)
            .map(|n| {
                let path = if n % 2 == 0 { "a.txt" } else { "b.txt" };
                scope.spawn(move || commit(repo, path, n * 10))
            })
            .collect();
        for run in runs {
            let answer = run.join().expect("it ran");
            assert_eq!(answer.status, 0, "{}{}", answer.out, answer.err);
            let answer = answer.json();
            let id = answer["data"]["record"]["commit"].as_str().expect("a commit").to_owned();
            let stat = repo.git(&["show", "--numstat", "--format=", &id]);
            assert!(stat.starts_with("1\t1\t"), "one line of each: {stat}");
        }
    });
    let after: usize = repo.git(&["rev-list", "--count", "HEAD"]).trim().parse().expect("a number");
    assert_eq!(after - before, PROCESSES);
    assert_eq!(repo.git(&["status", "--porcelain"]), "");
    repo.git(&["fsck", "--no-dangling"]);
}

#[test]
fn commits_of_several_processes_at_once_all_land() {
    let repo = TestRepo::with_files(&[("a.txt", &lines()), ("b.txt", &lines())]);
    all_land(&repo);
    assert_eq!(repo.redraft(&["log", "--json"], "").lines().len(), PROCESSES);
}

#[test]
fn commits_that_git_makes_for_its_hooks_all_land_too() {
    let repo = TestRepo::with_files(&[("a.txt", &lines()), ("b.txt", &lines())]);
    repo.hook("pre-commit", "#!/bin/sh\nexit 0\n");
    all_land(&repo);
}

#[test]
fn a_commit_of_plain_git_meanwhile_is_fitted_to() {
    let repo = TestRepo::with_files(&[("a.txt", &lines()), ("b.txt", &lines())]);
    // Git moves HEAD while the edit is verified, that is after it was fitted.
    let verify = "test -e .git/moved || { touch .git/moved; \
                  git update-ref HEAD $(git commit-tree -p HEAD -m meanwhile 'HEAD^{tree}'); }";
    let wish = json!({"path": "a.txt", "old_string": "line 5\n", "new_string": "LINE 5\n", "record": "commit"});
    let answer = repo.redraft(&["apply", "--verify", verify], &wish.to_string());
    assert_eq!(answer.status, 0, "{}{}", answer.out, answer.err);
    assert_eq!(repo.git(&["log", "-2", "--format=%s", "HEAD~"]), "meanwhile\nfirst\n");
    assert_eq!(repo.git(&["status", "--porcelain"]), "");
    // Where the caller wants one HEAD and no other, it is refused.
    std::fs::remove_file(repo.root().join(".git/moved")).expect("it is there");
    let head = repo.git(&["rev-parse", "HEAD"]).trim().to_owned();
    let wish = json!({"path": "a.txt", "old_string": "line 7\n", "new_string": "LINE 7\n", "record": "commit",
        "expected_head": head});
    assert_eq!(repo.refused(&["apply", "--verify", verify], &wish.to_string()), "head_moved");
    assert_eq!(repo.git(&["status", "--porcelain"]), "");
}

#[test]
fn a_lock_of_a_ref_is_waited_for_and_named() {
    for (lock, hook) in [("HEAD.lock", false), ("refs/heads/main.lock", false), ("HEAD.lock", true)] {
        let repo = TestRepo::with_files(&[("a.txt", &lines()), ("b.txt", &lines())]);
        if hook {
            repo.hook("pre-commit", "#!/bin/sh\nexit 0\n");
        }
        let place = repo.root().join(".git").join(lock);
        std::fs::write(&place, "").expect("a lock");
        let wish = json!({"path": "a.txt", "old_string": "line 5\n", "new_string": "LINE 5\n", "record": "commit"});
        let answer = repo.redraft(&["apply", "--lock-timeout", "0.2"], &wish.to_string());
        let told = answer.json();
        assert_eq!(told["data"]["reason"], json!("lock_timeout"), "{told}");
        assert!(told["error"]["message"].as_str().expect("a message").contains(lock), "{told}");
        assert_eq!(repo.text("a.txt"), lines());
        std::thread::scope(|scope| {
            let run = scope.spawn(|| commit(&repo, "a.txt", 5));
            std::thread::sleep(Duration::from_millis(300));
            std::fs::remove_file(&place).expect("it is there");
            assert_eq!(run.join().expect("it ran").status, 0);
        });
        assert_eq!(repo.git(&["status", "--porcelain"]), "");
    }
}
