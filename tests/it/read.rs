//! `redraft read`: what it prints, sent back, matches; and what it remembers.

use crate::support::TestRepo;
use crate::support::answer::check_envelope;
use crate::support::run::{Ran, redraft};
use crate::support::tree::{assert_same, snapshot};
use serde_json::{Value, json};

fn read(repo: &TestRepo, args: &[&str]) -> Ran {
    let args: Vec<&str> = std::iter::once("read").chain(args.iter().copied()).collect();
    redraft(&repo.root(), &args, b"")
}

fn answer(ran: &Ran, exit: i32) -> Value {
    let answer = ran.json();
    check_envelope(&answer);
    assert_eq!(ran.exit, Some(exit), "{answer:#}");
    answer
}

fn apply(repo: &TestRepo, request: &Value, args: &[&str]) -> Ran {
    let args: Vec<&str> = std::iter::once("apply").chain(args.iter().copied()).collect();
    redraft(&repo.root(), &args, request.to_string().as_bytes())
}

#[test]
fn a_file_is_told_with_its_size_time_and_blob() {
    let repo = TestRepo::with_files(&[("a.txt", "one\ntwo\n")]);
    let told = answer(&read(&repo, &["a.txt"]), 0);
    assert_eq!(told["data"]["content"], "one\ntwo\n");
    assert_eq!(told["data"]["total_lines"], 2);
    assert_eq!(told["data"]["blob"], repo.git(&["rev-parse", "HEAD:a.txt"]).trim());
    assert_eq!(told["stats"]["file_size_bytes"], 8);
    assert_eq!(told["context"]["path_resolved"], "a.txt");
    assert_eq!(told["data"]["content_b64"], Value::Null);
    let request = json!({
        "path": "a.txt", "old_string": told["data"]["content"], "new_string": "x\n",
        "expected_mtime_ms": told["stats"]["file_mtime_ms"], "expected_size_bytes": told["stats"]["file_size_bytes"],
        "expected_blob": told["data"]["blob"],
    });
    answer(&apply(&repo, &request, &[]), 0);
}

#[test]
fn lines_are_counted_from_one_and_both_ends_are_included() {
    let repo = TestRepo::with_files(&[("a.txt", "1\n2\n3\n4\n5")]);
    for (lines, want) in
        [("2:3", "2\n3\n"), (":2", "1\n2\n"), ("4:", "4\n5"), ("5:5", "5"), ("3:99", "3\n4\n5"), ("9:10", "")]
    {
        let told = answer(&read(&repo, &["a.txt", "--lines", lines]), 0);
        assert_eq!(told["data"]["content"], want, "{lines}");
        assert_eq!(told["data"]["total_lines"], 5);
    }
}

#[test]
fn what_it_prints_matches_when_it_is_sent_back() {
    let text = "\u{feff}one\r\ntwo\nthree\r\n\r\n  four\t\r\nfive";
    let repo = TestRepo::with_files(&[("a.txt", text)]);
    for lines in ["1:1", "1:2", "2:3", "3:5", "5:6", "6:6", "1:6"] {
        let told = answer(&read(&repo, &["a.txt", "--lines", lines]), 0);
        let request = json!({"path": "a.txt", "old_string": told["data"]["content"], "new_string": "new"});
        answer(&apply(&repo, &request, &["--dry-run"]), 0);
    }
}

#[test]
fn for_people_it_prints_the_bytes_as_they_are() {
    let repo = TestRepo::new();
    repo.write("a.txt", b"caf\xe9\r\n");
    let ran = read(&repo, &["a.txt", "--answer", "text"]);
    assert_eq!((ran.exit, &ran.stdout[..]), (Some(0), &b"caf\xe9\r\n"[..]));
    let told = answer(&read(&repo, &["a.txt"]), 0);
    assert_eq!(
        (&told["data"]["content"], &told["data"]["content_b64"]),
        (&"caf\u{fffd}\r\n".into(), &"Y2Fm6Q0K".into())
    );
}

#[test]
fn what_cannot_be_read_is_told_with_its_reason() {
    let repo = TestRepo::with_files(&[("d/a.txt", "x\n"), ("bin", "a\0b")]);
    for (args, want) in [
        (&["gone.txt"][..], "no_such_file"),
        (&["d"], "directory"),
        (&["bin"], "nul_byte"),
        (&["../x"], "outside_root"),
        (&["/etc/hosts"], "outside_root"),
        (&[".git/config"], "git_internals"),
        (&["../bin", "--root", "d"], "outside_root"),
        (&["."], "bad_path"),
    ] {
        let told = answer(&read(&repo, args), 1);
        assert_eq!(told["data"]["reason"], want, "{args:?}");
    }
    let absolute = repo.root().join("d/a.txt").to_string_lossy().into_owned();
    assert_eq!(answer(&read(&repo, &[&absolute]), 0)["context"]["path_resolved"], "d/a.txt");
    assert_eq!(answer(&read(&repo, &["a.txt", "--root", "d"]), 0)["context"]["path_resolved"], "d/a.txt");
}

#[test]
fn without_a_session_reading_writes_nothing() {
    let repo = TestRepo::with_files(&[("a.txt", "x\n")]);
    let before = snapshot(&repo.outside(), &[]);
    answer(&read(&repo, &["a.txt"]), 0);
    assert_same(&snapshot(&repo.outside(), &[]), &before, "a read wrote something");
    answer(&read(&repo, &["a.txt", "--session", "s"]), 0);
    assert_same(&snapshot(&repo.outside(), &["repo/.git/redraft"]), &before, "a receipt lies elsewhere");
    assert!(repo.root().join(".git/redraft/worktrees/main/sessions/s").is_dir());
}

#[test]
fn a_sessions_name_is_no_path() {
    let repo = TestRepo::with_files(&[("a.txt", "x\n")]);
    let before = snapshot(&repo.outside(), &["repo/.git/redraft"]);
    for session in ["../../../escape", "/tmp/escape", "", "..", "a/b", "\u{1f600}"] {
        answer(&read(&repo, &["a.txt", "--session", session]), 0);
        let request = json!({"path": "a.txt", "old_string": "x", "new_string": "y"});
        answer(&apply(&repo, &request, &["--dry-run", "--require-read", "--session", session]), 0);
    }
    assert_same(&snapshot(&repo.outside(), &["repo/.git/redraft"]), &before, "a receipt lies elsewhere");
}

#[test]
fn a_receipt_is_for_the_file_that_a_symlink_leads_to() {
    let repo = TestRepo::with_files(&[("a.txt", "x\n")]);
    std::os::unix::fs::symlink("a.txt", repo.root().join("link")).expect("a symlink");
    answer(&read(&repo, &["link", "--session", "s"]), 0);
    let request = json!({"path": "a.txt", "old_string": "x", "new_string": "y"});
    answer(&apply(&repo, &request, &["--require-read", "--session", "s"]), 0);
}
