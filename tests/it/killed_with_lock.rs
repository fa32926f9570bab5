//! A run that is killed while it holds git's index lock, before the journal knows of it: the lock goes, anybody else's stays.

use crate::support::TestRepo;
use serde_json::json;

const TEXT: &str = "one\ntwo\nthree\n";
const LOCK: &str = ".git/index.lock";

/// Where in its step in git a run is killed.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Killed {
    /// The lock is taken, the new index is being written.
    BeforeItsIndex,
    /// The new index waits as the lock file.
    BehindItsIndex,
}

/// A program that git runs: it kills git's parent, which is redraft.
const KILL: &str = "#!/bin/sh\nkill -9 $(cut -d' ' -f4 /proc/$PPID/stat)\nexit 1\n";

/// A repository in which a run with these arguments was killed.
fn killed(args: &[&str], at: Killed) -> TestRepo {
    let repo = TestRepo::with_files(&[("a.txt", TEXT)]);
    let hook = ".git/hooks/post-index-change";
    match at {
        Killed::BeforeItsIndex => repo.hook("post-index-change", KILL),
        Killed::BehindItsIndex => {
            repo.script("sign", KILL);
            repo.git(&["config", "commit.gpgSign", "true"]);
            repo.git(&["config", "gpg.program", &repo.outside().join("sign").to_string_lossy()]);
        }
    }
    assert_eq!(repo.redraft(args, &wish()).status, -1, "{args:?} {at:?}");
    match at {
        Killed::BeforeItsIndex => std::fs::remove_file(repo.root().join(hook)).expect("the hook"),
        Killed::BehindItsIndex => drop(repo.git(&["config", "commit.gpgSign", "false"])),
    }
    assert!(repo.has(LOCK), "{args:?} {at:?}: the kill came too early or too late");
    assert_eq!(repo.text("a.txt"), TEXT);
    repo
}

fn wish() -> String {
    json!({"path": "a.txt", "old_string": "two", "new_string": "2"}).to_string()
}

const COMMIT: &[&str] = &["apply", "--record", "commit"];
const INDEX: &[&str] = &["apply", "--index"];
const CASES: [(&[&str], Killed); 3] =
    [(COMMIT, Killed::BeforeItsIndex), (COMMIT, Killed::BehindItsIndex), (INDEX, Killed::BeforeItsIndex)];

/// Nothing is left of a killed run where runs stage.
fn check_nothing_is_staged(repo: &TestRepo) {
    let stage = std::fs::read_dir(repo.root().join(".git/redraft/worktrees/main/stage")).expect("a folder");
    let left: Vec<_> = stage.map(|entry| entry.expect("an entry").file_name()).collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
#[cfg(target_os = "linux")]
fn the_index_is_free_again_after_recovery() {
    for (args, at) in CASES {
        let repo = killed(args, at);
        let index = repo.read(".git/index");
        repo.done(&["recover"], "");
        assert!(!repo.has(LOCK), "{args:?} {at:?}");
        assert_eq!(repo.read(".git/index"), index);
        check_nothing_is_staged(&repo);
        assert_eq!(repo.git(&["status", "--porcelain"]), "");
        repo.git(&["commit", "-q", "--allow-empty", "-m", "goes on"]);
    }
}

#[test]
#[cfg(target_os = "linux")]
fn the_next_run_is_not_kept_from_the_index() {
    for (args, at) in CASES {
        let repo = killed(args, at);
        repo.done(&[args, &["--lock-timeout", "0.05"]].concat(), &wish());
        assert!(!repo.has(LOCK), "{args:?} {at:?}");
        assert_eq!(repo.text("a.txt"), TEXT.replace("two", "2"));
        assert_eq!(repo.git(&["show", ":a.txt"]), TEXT.replace("two", "2"));
        check_nothing_is_staged(&repo);
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_lock_that_somebody_else_took_since_stays() {
    for (args, at) in CASES {
        let repo = killed(args, at);
        // A person removes the lock, and starts another program; even one that writes the same bytes.
        let bytes = repo.read(LOCK);
        std::fs::remove_file(repo.root().join(LOCK)).expect("a lock");
        repo.write(LOCK, &bytes);
        repo.done(&["recover"], "");
        assert!(repo.has(LOCK), "{args:?} {at:?}");
        assert_eq!(repo.read(LOCK), bytes);
        let told = repo.redraft(&[args, &["--lock-timeout", "0.05"]].concat(), &wish());
        assert_eq!(told.json()["data"]["reason"], json!("index_lock_timeout"));
        assert!(repo.has(LOCK));
        check_nothing_is_staged(&repo);
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_note_that_a_power_cut_emptied_is_no_hindrance() {
    for (args, at) in CASES {
        let repo = killed(args, at);
        let stage = repo.root().join(".git/redraft/worktrees/main/stage");
        let note = std::fs::read_dir(stage).expect("a folder").map(|entry| entry.expect("an entry").path());
        let note = note.into_iter().find(|path| path.to_string_lossy().ends_with(".held")).expect("a note");
        assert_eq!(std::fs::read(&note).expect("a note"), b"index.lock", "relative to the git directory");
        std::fs::write(&note, "").expect("emptied");
        repo.done(&["recover"], "");
        assert!(!repo.has(LOCK), "{args:?} {at:?}");
    }
}

/// Kills git and redraft while git moves the ref, before it is moved.
fn killed_at_the_ref(repo: &TestRepo, wish: &str) {
    repo.hook("reference-transaction", &KILL.replace("kill", "[ \"$1\" = prepared ] || exit 0\nkill"));
    assert_eq!(repo.redraft(COMMIT, wish).status, -1);
    std::fs::remove_file(repo.root().join(".git/hooks/reference-transaction")).expect("the hook");
}

#[test]
#[cfg(target_os = "linux")]
fn a_ref_whose_log_was_written_and_that_did_not_move_is_not_taken_for_moved() {
    let repo = TestRepo::with_files(&[("a.txt", TEXT)]);
    killed_at_the_ref(&repo, &wish());
    assert_eq!(repo.text("a.txt"), TEXT.replace("two", "2"), "the kill came after the exchange");
    // Git writes the logs before it moves the ref; a git that is killed between them leaves this.
    let head = repo.git(&["rev-parse", "HEAD"]).trim().to_owned();
    let all = repo.git(&["cat-file", "--batch-all-objects", "--batch-check=%(objecttype) %(objectname)"]);
    let made = all.lines().filter_map(|line| line.strip_prefix("commit ")).find(|id| *id != head).expect("a commit");
    for log in [".git/logs/HEAD".to_owned(), format!(".git/logs/{}", repo.git(&["symbolic-ref", "HEAD"]).trim())] {
        repo.write(&log, format!("{}{head} {made} A <a@b> 1700000000 +0000\tcommit: x\n", repo.text(&log)));
    }
    let told = repo.done(&["recover"], "");
    assert_eq!(told["data"]["recovered"]["back"].as_array().map(Vec::len), Some(1), "{told}");
    assert_eq!(repo.text("a.txt"), TEXT);
    assert!(!repo.has(LOCK));
    assert_eq!(repo.git(&["status", "--porcelain"]), "");
}

#[test]
#[cfg(target_os = "linux")]
fn a_first_commit_that_was_killed_is_taken_back() {
    let repo = TestRepo::with_files(&[("a.txt", TEXT)]);
    repo.git(&["update-ref", "-d", "HEAD"]);
    killed_at_the_ref(&repo, &json!({"path": "n.txt", "content": "new\n"}).to_string());
    assert!(repo.has("n.txt"), "the kill came after the exchange");
    let told = repo.done(&["recover"], "");
    assert_eq!(told["data"]["recovered"]["back"].as_array().map(Vec::len), Some(1), "{told}");
    assert!(!repo.has("n.txt"));
    assert!(!repo.has(LOCK));
}

/// A hook that kills redraft while git is about to move a ref, which it does half a second later, as nobody's child.
const KILL_AND_GO_ON: &str = "#!/bin/sh
[ \"$1\" = prepared ] || exit 0
rm \"$0\"
kill -9 $(cut -d' ' -f4 /proc/$PPID/stat)
sleep 0.5
";

#[test]
#[cfg(target_os = "linux")]
fn a_request_sent_again_while_git_still_works_for_a_killed_run_waits_for_it() {
    for args in [&["apply", "--record", "commit"][..], &["apply", "--record", "stash", "--shelve"]] {
        let repo = TestRepo::with_files(&[("a.txt", TEXT)]);
        repo.hook("reference-transaction", KILL_AND_GO_ON);
        let request = json!({"path": "a.txt", "old_string": "two", "new_string": "2", "request_id": "r1"}).to_string();
        assert_eq!(repo.redraft(args, &request).status, -1, "{args:?}");
        let again = repo.done(args, &request);
        assert_eq!(again["data"]["replayed"], true, "{args:?} {again}");
        assert_eq!(repo.git(&["status", "--porcelain"]), "", "{args:?}");
        if args.contains(&"stash") {
            assert_eq!(repo.git(&["stash", "list"]).lines().count(), 1);
        } else {
            assert_eq!(
                (repo.git(&["show", "HEAD:a.txt"]), repo.text("a.txt")),
                ("one\n2\nthree\n".into(), "one\n2\nthree\n".into())
            );
            assert_eq!(repo.redraft(&["log", "--json"], "").out.lines().count(), 1);
        }
        check_nothing_is_staged(&repo);
    }
}
