//! Files whose names are not UTF-8: every command takes them as they are, tells them as git quotes them, and gives programs all
//! their bytes.

use crate::support::TestRepo;
use crate::support::run::{Ran, redraft};
use serde_json::{Value, json};
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;

const NAME: &[u8] = b"d\xff/gr\xfc\xc3\xa4.txt";
const TOLD: &str = "\"d\\377/gr\\374ä.txt\"";
const BASE64: &str = "ZP8vZ3L8w6QudHh0";

/// A repository with one edit of such a file.
fn repo() -> TestRepo {
    let repo = TestRepo::with_files(&[("plain.txt", "x\n")]);
    std::fs::create_dir(repo.root().join(OsStr::from_bytes(b"d\xff"))).expect("a folder");
    std::fs::write(repo.root().join(OsStr::from_bytes(NAME)), "one\ntwo\n").expect("a file");
    repo.commit_all("names");
    let answer =
        repo.done(&["apply"], &json!({"path_b64": BASE64, "old_string": "one", "new_string": "1"}).to_string());
    assert_eq!(named(&answer["data"]["files"][0]), (TOLD, BASE64));
    repo
}

/// The words, and the path behind them.
fn with_path(words: &[&str], before: &str) -> Vec<OsString> {
    let mut path = OsString::from(before);
    path.push(OsStr::from_bytes(NAME));
    words.iter().map(OsString::from).chain([path]).collect()
}

fn run(repo: &TestRepo, args: &[impl AsRef<OsStr>]) -> Ran {
    let ran = redraft(&repo.root(), args, b"");
    assert_eq!(ran.exit, Some(0), "{ran:?}");
    assert!(!ran.text().contains('\u{fffd}') && !ran.stderr.contains('\u{fffd}'), "{ran:?}");
    ran
}

fn named(value: &Value) -> (&str, &str) {
    (value["path"].as_str().unwrap_or_default(), value["path_b64"].as_str().unwrap_or_default())
}

#[test]
fn people_are_told_such_a_name_as_git_quotes_it() {
    let repo = repo();
    for args in [
        &["log"][..],
        &["log", "--oneline"],
        &["log", "--stat"],
        &["log", "--numstat"],
        &["show"],
        &["show", "--stat"],
        &["diff", "--stat", "@"],
        &["status"],
        &["status", "--long"],
        &["status", "--porcelain"],
        &["backups"],
        &["commit", "@", "--dry-run"],
        &["undo", "--dry-run", "--answer", "text"],
    ] {
        let ran = run(&repo, args);
        assert!(ran.text().contains(TOLD), "{args:?}: {}", ran.text());
    }
    let listed = redraft(&repo.root(), &["status", "--porcelain", "-z"], b"").stdout;
    assert!(listed.ends_with(&[b" ", NAME, b"\0"].concat()), "{listed:?}");
    let patch = run(&repo, &["diff", "@"]);
    repo.write("../patch", patch.text());
    repo.git(&["apply", "-R", "--check", "../patch"]);
}

#[test]
fn programs_are_given_all_bytes_of_such_a_name() {
    let repo = repo();
    let of = |args: &[&str]| run(&repo, args).json();
    assert_eq!(named(&of(&["log", "--json"])["files"][0]), (TOLD, BASE64));
    assert_eq!(named(&of(&["show", "--json"])["files"][0]), (TOLD, BASE64));
    assert_eq!(named(&of(&["status", "--json"])["agent_changes"][0]), (TOLD, BASE64));
    assert_eq!(named(&of(&["commit", "@", "--dry-run", "--json"])["files"][0]), (TOLD, BASE64));
    assert_eq!(named(&of(&["undo", "--dry-run"])["data"]["files"][0]), (TOLD, BASE64));
    assert_eq!(named(&of(&["backups", "--json"])["files"][0]), (TOLD, BASE64));
    let report = of(&["report", "--json"]);
    assert_eq!(named(&report["files"][0]), (TOLD, BASE64));
    assert_eq!(named(&report["records"][0]["files"][0]), (TOLD, BASE64));
    assert_eq!(report["records"][0]["files"][0]["from"], Value::Null);
    let shown = run(&repo, &with_path(&["show", "--json"], "@:")).json();
    assert_eq!(named(&shown), (TOLD, BASE64));
    // Where a name is UTF-8, nothing stands beside it.
    repo.apply(json!({"path": "plain.txt", "old_string": "x", "new_string": "y"}));
    let log = redraft(&repo.root(), &["log", "--json", "-1"], b"").json();
    assert_eq!(log["files"][0].get("path_b64"), None);
}

#[test]
fn such_a_name_is_an_argument_like_any_other() {
    let repo = repo();
    assert_eq!(run(&repo, &with_path(&["log", "--oneline"], "")).text().lines().count(), 1);
    assert_eq!(run(&repo, &with_path(&["blame", "--json"], "")).text().lines().count(), 2);
    assert_eq!(run(&repo, &with_path(&["show"], "@:")).text(), "1\ntwo\n");
    assert_eq!(run(&repo, &with_path(&["undo", "--dry-run", "--"], "")).json()["data"]["replacements"], 1);
    run(&repo, &with_path(&["undo", "--"], ""));
    assert_eq!(std::fs::read(repo.root().join(OsStr::from_bytes(NAME))).expect("reads"), b"one\ntwo\n");
    run(&repo, &with_path(&["restore", "--at", "@-", "--"], ""));
    assert_eq!(std::fs::read(repo.root().join(OsStr::from_bytes(NAME))).expect("reads"), b"1\ntwo\n");
    run(&repo, &with_path(&["commit", "--since", "1 hour ago", "-m", "it", "--"], ""));
    assert_eq!(repo.git(&["status", "--porcelain"]), "");
    // A name that differs only in a byte that is no letter is another one.
    let other = redraft(&repo.root(), &[OsStr::new("purge"), OsStr::new("--path"), OsStr::from_bytes(b"d\xfe")], b"");
    assert_eq!(other.exit, Some(1), "{other:?}");
    assert!(other.stderr.contains("\"d\\376\""), "{}", other.stderr);
    let gone =
        run(&repo, &[OsStr::new("purge"), OsStr::new("--yes"), OsStr::new("--path"), OsStr::from_bytes(b"d\xff")]);
    assert!(gone.text().contains("removed"), "{gone:?}");
    assert_eq!(redraft(&repo.root(), &with_path(&["show"], "@:"), b"").exit, Some(1));
}

#[test]
fn a_mistaken_name_is_told_as_it_was_given() {
    let repo = repo();
    for words in [&["log"][..], &["undo", "--answer", "text", "--"], &["commit", "@", "--"], &["purge", "--path"]] {
        let ran = redraft(&repo.root(), &with_path(words, "x"), b"");
        let told = format!("{}{}", ran.text(), ran.stderr);
        assert!(told.contains("\"xd\\377/gr\\374ä.txt\"") && told.contains(TOLD), "{words:?}: {told}");
    }
    let ran = redraft(&repo.root(), &with_path(&["blame"], "x"), b"");
    assert!(ran.stderr.contains("\"xd\\377/gr\\374ä.txt\""), "{}", ran.stderr);
}
