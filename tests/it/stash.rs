//! `record: stash` and `--shelve`: entries that plain git lists, shows, applies, pops and drops.

use crate::support::{TestRepo, tree_of};
use serde_json::{Value, json};

const TEXT: &str = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\n";

fn repo() -> TestRepo {
    TestRepo::with_files(&[("a.txt", TEXT), ("b.txt", TEXT)])
}

fn request() -> Value {
    json!({"message": "try twos", "record": "stash", "files": [
        {"path": "a.txt", "old_string": "two", "new_string": "2"},
        {"path": "new/c.txt", "content": "see\n"},
    ]})
}

#[test]
fn an_entry_is_shown_applied_popped_and_dropped_by_plain_git() {
    let repo = repo();
    repo.write("a.txt", TEXT.replace("nine", "user nine"));
    repo.write("b.txt", TEXT.replace("one", "staged one"));
    repo.git(&["add", "b.txt"]);
    let index = repo.git(&["ls-files", "-s"]);
    let answer = repo.done(&["apply"], &request().to_string());
    let stash = repo.git(&["rev-parse", "refs/stash"]);
    assert_eq!(answer["data"]["record"]["stash"], json!(stash.trim()));
    assert_eq!(answer["data"]["applied"], json!(true));
    assert_eq!(repo.text("a.txt"), TEXT.replace("nine", "user nine").replace("two", "2"));
    assert_eq!(repo.git(&["ls-files", "-s"]), index);
    assert_eq!(repo.git(&["stash", "list"]), "stash@{0}: On main: try twos\n");
    let shown = repo.git(&["stash", "show", "-p"]);
    let changed: Vec<&str> = shown.lines().filter(|l| l.starts_with(['+', '-'])).collect();
    assert_eq!(changed, ["--- a/a.txt", "+++ b/a.txt", "-two", "+2", "--- /dev/null", "+++ b/new/c.txt", "+see"]);

    repo.git(&["reset", "-q", "--hard"]);
    repo.git(&["clean", "-qfd"]);
    repo.git(&["stash", "apply", "-q"]);
    assert_eq!((repo.text("a.txt"), repo.text("new/c.txt")), (TEXT.replace("two", "2"), "see\n".to_owned()));
    repo.git(&["reset", "-q", "--hard"]);
    repo.git(&["stash", "pop", "-q", "--index"]);
    assert_eq!(repo.text("a.txt"), TEXT.replace("two", "2"));
    assert_eq!(repo.git(&["diff", "--cached", "--name-only", "--", "a.txt"]), "");
    assert_eq!(repo.git(&["stash", "list"]), "");

    repo.git(&["reset", "-q", "--hard"]);
    repo.done(&["apply"], &request().to_string());
    repo.git(&["stash", "drop", "-q"]);
    assert_eq!(repo.git(&["stash", "list"]), "");
    repo.git(&["fsck", "--strict"]);
}

#[test]
fn a_shelved_edit_is_in_the_stash_only() {
    let repo = repo();
    repo.write("a.txt", TEXT.replace("nine", "user nine"));
    repo.git(&["stash", "-q"]);
    repo.write("a.txt", TEXT.replace("four", "user four"));
    let status = repo.git(&["status", "--porcelain"]);
    let answer = repo.done(&["apply", "--shelve"], &request().to_string());
    assert_eq!(answer["data"]["applied"], json!(false));
    assert_eq!(answer["data"]["record"]["id"], json!(null));
    assert_eq!(answer["data"]["backup"], json!(null));
    assert_eq!(answer["stats"]["bytes_written"], json!(0));
    assert!(answer["data"]["record"]["stash"].is_string());
    assert_eq!(repo.text("a.txt"), TEXT.replace("four", "user four"));
    assert_eq!(repo.git(&["status", "--porcelain"]), status);
    assert_eq!(repo.git(&["stash", "list"]).lines().count(), 2);
    repo.git(&["commit", "-qam", "four"]);
    repo.git(&["stash", "pop", "-q"]);
    assert_eq!(repo.text("a.txt"), TEXT.replace("four", "user four").replace("two", "2"));
    // Without a word on recording, shelving means the stash; with another one it is a contradiction.
    let mut wish = request();
    wish["record"] = json!("commit");
    assert_eq!(repo.refused(&["apply", "--shelve"], &wish.to_string()), "contradictory_fields");
}

#[test]
fn what_does_not_fit_head_is_not_stashed_and_a_dry_run_writes_nothing() {
    let repo = repo();
    let all = tree_of(&repo.root());
    for args in [&["check"][..], &["check", "--shelve"]] {
        repo.done(args, &request().to_string());
    }
    assert_eq!(tree_of(&repo.root()), all);
    repo.write("a.txt", TEXT.replace("two", "user two"));
    let wish = json!({"path": "a.txt", "old_string": "user two", "new_string": "2", "record": "stash"});
    let all = tree_of(&repo.root());
    assert_eq!(repo.refused(&["apply"], &wish.to_string()), "does_not_fit_head");
    assert_eq!(repo.refused(&["apply", "--shelve"], &wish.to_string()), "does_not_fit_head");
    assert_eq!(tree_of(&repo.root()), all);
    let unborn = TestRepo::new();
    let wish = json!({"path": "a.txt", "content": "x\n", "record": "stash"});
    assert_eq!(unborn.refused(&["apply"], &wish.to_string()), "does_not_fit_head");
}

/// Seen: "`git stash` failed", at once.
#[test]
fn the_lock_of_the_stash_is_waited_for_and_named() {
    let repo = repo();
    let lock = repo.root().join(".git/refs/stash.lock");
    std::fs::write(&lock, "").expect("a lock");
    let mut wish = request();
    wish["record"] = json!("stash");
    let told = repo.redraft(&["apply", "--lock-timeout", "0.2"], &wish.to_string()).json();
    assert_eq!(told["data"]["reason"], "lock_timeout", "{told}");
    assert!(told["text"].as_str().is_some_and(|text| text.contains("stash.lock")), "{told}");
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(std::time::Duration::from_millis(300));
            std::fs::remove_file(&lock).expect("it is there");
        });
        repo.done(&["apply", "--lock-timeout", "20"], &wish.to_string());
    });
}
