//! Old files that are brought back from their backups: only what is proven to be the old one, or nothing.

use crate::support::{Answer, TestRepo, tree_of};
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

const TEXT: &str = "1\n2\n3\n";

/// The folders of backups, oldest first.
fn folders(repo: &TestRepo) -> Vec<PathBuf> {
    let folders = fs::read_dir(repo.root().join(".git/redraft/worktrees/main/backups")).expect("listed");
    let mut folders: Vec<_> = folders.map(|folder| folder.expect("an entry").path()).collect();
    folders.sort();
    folders
}

fn backup(repo: &TestRepo, path: &str) -> PathBuf {
    folders(repo)[0].join(path)
}

fn restore(repo: &TestRepo, id: &str, paths: &[&str]) -> Answer {
    repo.redraft(&[&["backups", "restore", id], paths].concat(), "")
}

/// It must refuse with this word, and leave everything as it is; the history is whole then.
#[track_caller]
fn refused(repo: &TestRepo, (id, paths): (&str, &[&str]), word: &str) -> String {
    let before = tree_of(&repo.root());
    let answer = restore(repo, id, paths);
    assert_eq!((answer.status, answer.out.as_str()), (1, ""), "{}", answer.err);
    assert!(answer.err.contains(word) && answer.err.contains("nothing was written"), "{}", answer.err);
    assert!(before == tree_of(&repo.root()), "something was written");
    answer.err
}

#[track_caller]
fn is_sound(repo: &TestRepo) {
    let fsck = repo.redraft(&["fsck"], "");
    assert_eq!(fsck.status, 0, "{}{}", fsck.out, fsck.err);
}

/// 9,000 of them are a text that the history does not keep.
fn line_of_large() -> String {
    format!("{}\n", "large".repeat(200))
}

fn edits(paths: &[&str]) -> Value {
    let files = paths.iter().map(|path| json!({"path": path, "old_string": "2", "new_string": "two"}));
    json!({"files": files.collect::<Vec<_>>()})
}

// Seen: exit 0 without a word, and a record without files, which reads as a damaged journal.
#[test]
fn a_backup_of_which_nothing_is_left_is_refused_and_leaves_no_record() {
    for path in ["f", "d/f"] {
        let repo = TestRepo::with_files(&[(path, TEXT)]);
        let id = repo.apply(edits(&[path]));
        match path {
            "f" => fs::remove_file(backup(&repo, "f")).expect("removed"),
            _ => fs::remove_dir_all(backup(&repo, "d")).expect("removed"),
        }
        for sealed in [false, true] {
            for paths in [&[][..], &[path]] {
                let told = refused(&repo, (&id, paths), "nothing is left of the backup");
                assert!(told.contains(path) && told.contains(&format!("redraft undo {id}")), "{told}");
            }
            is_sound(&repo);
            assert_eq!(repo.redraft(&["log", "--json"], "").lines().len(), 1, "sealed: {sealed}");
            repo.done(&["gc", "--json"], "");
        }
        repo.done(&["undo", &id], "");
        assert_eq!(repo.text(path), TEXT, "what is told to be done helps");
    }
}

#[test]
fn an_empty_backup_that_no_record_tells_of_is_refused() {
    let repo = TestRepo::with_files(&[("f", TEXT)]);
    repo.git(&["config", "redraft.record", "none"]);
    assert_eq!(repo.redraft(&["apply"], &edits(&["f"]).to_string()).status, 0);
    let id = repo.redraft(&["backups", "--json"], "").lines()[0]["id"].as_str().expect("an id").to_owned();
    fs::remove_file(backup(&repo, "f")).expect("removed");
    for _ in ["in the journal", "not there any more"] {
        refused(&repo, (&id, &[]), "nothing is left of the backup");
        repo.done(&["gc", "--json"], "");
    }
    is_sound(&repo);
}

// Seen: "restored g", and no word of f.
#[test]
fn of_two_files_one_that_is_gone_or_damaged_comes_from_the_history_or_both_stay_as_they_are() {
    for (damage, word) in [(None, "is gone"), (Some("1\n2\n4\n"), "does not have the text")] {
        let damaged = |repo: &TestRepo| match damage {
            None => fs::remove_file(backup(repo, "d/f")).expect("removed"),
            Some(text) => fs::write(backup(repo, "d/f"), text).expect("written"),
        };
        for sealed in [false, true] {
            let repo = TestRepo::with_files(&[("d/f", TEXT), ("g", TEXT)]);
            let id = repo.apply(edits(&["d/f", "g"]));
            if sealed {
                repo.done(&["gc", "--json"], "");
            }
            damaged(&repo);
            let answer = restore(&repo, &id, &[]);
            assert_eq!((answer.status, answer.out.as_str()), (0, "restored d/f\nrestored g\n"), "{}", answer.err);
            assert!(answer.err.contains("d/f") && answer.err.contains(word), "{}", answer.err);
            assert_eq!((repo.text("d/f").as_str(), repo.text("g").as_str()), (TEXT, TEXT));
            is_sound(&repo);
        }
        // Here nothing else has the text of f.
        let repo = TestRepo::with_files(&[("d/f", TEXT), ("g", TEXT)]);
        let id = repo.apply(edits(&["d/f", "g"]));
        damaged(&repo);
        repo.write("d/f", "mine\n");
        let told = refused(&repo, (&id, &[]), "d/f");
        assert!(told.contains(&format!("redraft backups restore {id} g")), "{told}");
        refused(&repo, (&id, &["d/f"]), "d/f");
        assert_eq!(restore(&repo, &id, &["g"]).out, "restored g\n");
        assert_eq!((repo.text("d/f").as_str(), repo.text("g").as_str()), ("mine\n", TEXT));
    }
}

// Seen: whatever lay there was written, exit 0.
#[test]
fn a_backup_that_has_another_text_is_not_brought_back_whatever_the_history_keeps() {
    let large = format!("{}2\n", line_of_large().repeat(9_000));
    for (path, text) in [("f", TEXT), ("s.ign", TEXT), ("large", &large)] {
        for (sealed, request) in
            [(false, edits(&[path])), (true, edits(&[path])), (true, json!({"path": path, "delete": true}))]
        {
            let repo = TestRepo::with_files(&[("f", TEXT), (".gitignore", "*.ign\n")]);
            repo.write(path, text);
            let id = repo.apply(request);
            if sealed {
                repo.done(&["gc", "--json"], "");
            }
            let mut bytes = text.as_bytes().to_vec();
            bytes[0] ^= 1;
            fs::write(backup(&repo, path), &bytes).expect("written");
            let shown = repo.redraft(&["backups", "show", &id], "");
            assert!(shown.status == 0 && shown.err.contains("does not have the text"), "{}{}", shown.out, shown.err);
            let shown = repo.redraft(&["backups", "show", &id, "--json"], "").json();
            assert_eq!(shown["files"][0]["condition"], "damaged", "{shown}");
            let is_known = !sealed || path == "f";
            if is_known {
                let answer = restore(&repo, &id, &[]);
                assert!(answer.status == 0 && answer.err.contains("that the history has"), "{path}: {}", answer.err);
                assert!(repo.text(path) == text, "{path}");
            } else {
                refused(&repo, (&id, &[]), path);
            }
            // The old text put back there is brought back.
            fs::write(backup(&repo, path), text).expect("written");
            fs::remove_file(repo.root().join(path)).ok();
            assert_eq!((restore(&repo, &id, &[]).err, repo.text(path) == text), (String::new(), true), "{path}");
            is_sound(&repo);
        }
    }
}

#[test]
fn a_backup_of_an_edit_without_a_record_is_compared_as_long_as_the_journal_has_the_edit() {
    let repo = TestRepo::with_files(&[("f", TEXT)]);
    repo.git(&["config", "redraft.record", "none"]);
    assert_eq!(repo.redraft(&["apply"], &edits(&["f"]).to_string()).status, 0);
    let id = repo.redraft(&["backups", "--json"], "").lines()[0]["id"].as_str().expect("an id").to_owned();
    fs::write(backup(&repo, "f"), "another\n").expect("written");
    refused(&repo, (&id, &[]), "f has another text");
    repo.done(&["gc", "--json"], "");
    let shown = repo.redraft(&["backups", "show", &id, "--json"], "").json();
    assert_eq!(shown["files"][0]["condition"], "unproven", "{shown}");
    let answer = restore(&repo, &id, &[]);
    assert!(answer.status == 0 && answer.err.contains("no record tells"), "{}", answer.err);
    assert_eq!(repo.text("f"), "another\n");
}

#[test]
fn what_lies_beside_the_old_files_in_a_backup_is_not_brought_back() {
    let repo = TestRepo::with_files(&[("f", TEXT)]);
    let id = repo.apply(edits(&["f"]));
    fs::write(backup(&repo, "changed-0"), "what was there when a run was killed\n").expect("written");
    let shown = repo.redraft(&["backups", "show", &id, "--json"], "").json();
    assert_eq!(
        (&shown["files"][0]["condition"], &shown["files"][1]["condition"]),
        (&json!("foreign"), &json!("whole"))
    );
    assert_eq!(restore(&repo, &id, &["changed-0"]).status, 1);
    let answer = restore(&repo, &id, &[]);
    assert_eq!((answer.out.as_str(), answer.err.as_str()), ("restored f\n", ""));
    assert!(!repo.has("changed-0") && repo.text("f") == TEXT);
}

/// Seen: a backup was brought back through a symbolic link that came later, over another file.
#[test]
fn a_backup_is_not_brought_back_through_a_link_over_another_file() {
    let repo = TestRepo::with_files(&[("old/x.txt", TEXT), ("lib/x.txt", "precious\n")]);
    let id = repo.edit("old/x.txt", "2", "two");
    repo.shell("rm -r old; ln -s lib old");
    for paths in [&[][..], &["old/x.txt"]] {
        let answer = restore(&repo, &id, paths);
        assert!(answer.status == 1 && answer.err.contains("symbolic link"), "{}", answer.err);
        assert_eq!(repo.text("lib/x.txt"), "precious\n");
        repo.shell("rm -r old; mkdir old; ln -s ../lib/x.txt old/x.txt");
    }
}

/// Seen: a secret of mode 0600 was readable for everybody, and a script no script any more.
#[test]
fn a_deleted_file_comes_back_with_its_mode() {
    let repo = TestRepo::with_files(&[("secret", TEXT), ("script", TEXT), ("kept", TEXT)]);
    repo.chmod("secret", 0o600);
    repo.chmod("script", 0o755);
    let id = repo.apply(json!({"files": [{"path": "secret", "delete": true}, {"path": "script", "delete": true},
        {"path": "kept", "old_string": "2", "new_string": "two"}]}));
    repo.chmod("kept", 0o640);
    assert_eq!(restore(&repo, &id, &[]).status, 0);
    let mode = |path: &str| fs::metadata(repo.root().join(path)).expect("it is there").permissions().mode() & 0o7777;
    assert_eq!(["secret", "script", "kept"].map(mode), [0o600, 0o755, 0o640]);
    assert_eq!(["secret", "script", "kept"].map(|path| repo.text(path)), [TEXT; 3]);
    // Where the record is gone, the old file itself tells.
    repo.apply(json!({"files": [{"path": "secret", "delete": true}, {"path": "script", "delete": true}]}));
    let id = repo.redraft(&["log", "--json"], "").lines()[0]["id"].as_str().expect("an id").to_owned();
    repo.edit("kept", "2", "two");
    repo.done(&["gc", "--keep-records", "1", "--yes", "--json"], "");
    assert_eq!(repo.redraft(&["show", &id], "").status, 1);
    assert_eq!(restore(&repo, &id, &[]).status, 0);
    assert_eq!(["secret", "script"].map(mode), [0o600, 0o755]);
}
