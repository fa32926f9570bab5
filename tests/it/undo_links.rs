//! Files of records, or their folders, that a person replaced by symbolic links: what these lead to are other files.
#![cfg(unix)]

use crate::support::TestRepo;
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::symlink;

const OTHER: &str = "# other\nv: 2\nname: x\n";

/// Each file's text, with the links as they are.
fn all(repo: &TestRepo) -> Vec<(String, String)> {
    let listed = repo.git(&["ls-files", "-co"]);
    let text = |path: &str| fs::read_to_string(repo.root().join(path)).unwrap_or_default();
    listed.lines().map(|path| (path.to_owned(), text(path))).collect()
}

#[track_caller]
fn refused(repo: &TestRepo, args: &[&str]) -> Value {
    let before = (all(repo), repo.git(&["rev-parse", "HEAD"]));
    let answer = repo.redraft(args, "");
    assert_ne!(answer.status, 0, "{}", answer.out);
    assert_eq!((all(repo), repo.git(&["rev-parse", "HEAD"])), before, "{}", answer.out);
    answer.json()
}

/// Seen: the other file was changed, and with `--record commit` committed.
#[test]
fn a_file_that_became_a_link_to_another_one_is_not_undone_redone_or_restored_there() {
    let repo = TestRepo::with_files(&[("a", "v: 1\nname: x\n"), ("other", OTHER)]);
    let id = repo.edit("a", "v: 1", "v: 2");
    let edited = repo.text("a");
    fs::remove_file(repo.root().join("a")).expect("it is there");
    symlink("other", repo.root().join("a")).expect("a link");
    for args in [vec!["undo"], vec!["undo", "--record", "commit"], vec!["undo", "--markers"]] {
        assert_eq!(refused(&repo, &args)["data"]["reason"], "undo_conflict");
    }
    assert_ne!(repo.redraft(&["commit", "--session", "s1", "-m", "x"], "").status, 0);
    refused(&repo, &["restore", "--at", &id]);
    fs::remove_file(repo.root().join("a")).expect("it is there");
    repo.write("a", edited);
    repo.done(&["undo"], "");
    repo.write("other", OTHER.replace("v: 2", "v: 1"));
    fs::remove_file(repo.root().join("a")).expect("it is there");
    symlink("other", repo.root().join("a")).expect("a link");
    refused(&repo, &["redo"]);
}

/// Seen: a tracked file was changed, removed, or moved away.
#[test]
fn a_folder_that_became_a_link_to_another_one_has_other_files() {
    let made = json!({"path": "d/n", "content": "one\ntwo\n"});
    let renamed = json!({"path": "n", "rename_to": "d/n"});
    let edited = json!({"path": "d/n", "old_string": "two", "new_string": "2"});
    let deleted = json!({"path": "d/n", "delete": true});
    for (request, has_own) in [(made, false), (renamed, false), (edited, true), (deleted, true)] {
        for has_other in [true, false] {
            let repo = TestRepo::with_files(&[("n", "one\ntwo\n"), ("e/m", "m\n"), ("d/m", "m\n")]);
            if has_own {
                repo.write("d/n", "one\ntwo\n");
            }
            if has_other {
                repo.write("e/n", "one\n2\ntwo\n");
            }
            repo.commit_all("first");
            let id = repo.apply(request.clone());
            fs::remove_dir_all(repo.root().join("d")).expect("it is there");
            symlink("e", repo.root().join("d")).expect("a link");
            refused(&repo, &["undo", &id]);
        }
    }
}

#[test]
fn a_folder_that_was_moved_and_left_a_link_has_its_files() {
    let repo = TestRepo::with_files(&[("d/a", "v: 1\nname: x\n")]);
    repo.edit("d/a", "v: 1", "v: 2");
    fs::rename(repo.root().join("d"), repo.root().join("lib")).expect("moved");
    symlink("lib", repo.root().join("d")).expect("a link");
    repo.done(&["undo"], "");
    assert_eq!(repo.text("lib/a"), "v: 1\nname: x\n");
}
