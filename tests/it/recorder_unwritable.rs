//! Where redraft's own folder cannot be written: the harness goes on undisturbed, and `redraft status` says so.

use crate::support::TestRepo;
use crate::support::run::{command, finish};
use serde_json::json;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::Path;

/// The user that is nobody, as whom a superuser's tests run redraft: the modes of files mean nothing to the superuser.
const NOBODY: u32 = 65_534;

/// Runs redraft as somebody to whom modes mean something; exit status, and what was printed.
fn redraft(repo: &TestRepo, args: &[&str], input: &str) -> (Option<i32>, String) {
    let mut command = command(&repo.root(), args);
    if rustix::process::geteuid().is_root() {
        command.uid(NOBODY).gid(NOBODY);
    }
    let ran = finish(&mut command, input.as_bytes());
    (ran.exit, String::from_utf8_lossy(&ran.stdout).into_owned())
}

fn chmod(path: &Path, mode: u32) {
    std::fs::set_permissions(path, PermissionsExt::from_mode(mode)).expect("chmod");
}

fn give_away(dir: &Path) {
    for entry in std::fs::read_dir(dir).expect("a folder").map(|entry| entry.expect("an entry").path()) {
        if entry.is_dir() && !entry.is_symlink() {
            give_away(&entry);
        } else {
            std::os::unix::fs::lchown(&entry, Some(NOBODY), Some(NOBODY)).expect("chown");
        }
    }
    std::os::unix::fs::chown(dir, Some(NOBODY), Some(NOBODY)).expect("chown");
}

/// What a tool of Claude Code writes; the hook's answers before and after it.
fn edit(repo: &TestRepo, text: &str) -> [(Option<i32>, String); 2] {
    let told = |event: &str| {
        let input = json!({"file_path": repo.root().join("a"), "content": text});
        json!({"session_id": "s", "cwd": repo.root(), "hook_event_name": event, "tool_name": "Write", "tool_input": input,
            "tool_use_id": "c"})
        .to_string()
    };
    let before = redraft(repo, &["hook", "claude-code"], &told("PreToolUse"));
    repo.write("a", text);
    [before, redraft(repo, &["hook", "claude-code"], &told("PostToolUse"))]
}

fn status(repo: &TestRepo) -> (serde_json::Value, String) {
    let (exit, json) = redraft(repo, &["status", "--json"], "");
    assert_eq!(exit, Some(0), "{json}");
    let told: serde_json::Value = serde_json::from_str(&json).expect("one JSON object");
    (told["unwritable"].clone(), redraft(repo, &["status"], "").1)
}

#[test]
fn a_git_directory_that_cannot_be_written_disturbs_no_harness_and_is_told_by_status() {
    let repo = TestRepo::with_files(&[("a", "one\n")]);
    if rustix::process::geteuid().is_root() {
        give_away(&repo.outside());
    }
    let git = repo.root().join(".git");
    chmod(&git, 0o555);
    for answer in edit(&repo, "two\n") {
        assert_eq!(answer, (Some(0), "{}\n".to_owned()));
    }
    let (unwritable, text) = status(&repo);
    chmod(&git, 0o755);
    let why = unwritable.as_str().expect("something is in the way");
    assert!(why.contains(".git (") && why.contains("denied"), "{why}");
    assert!(text.starts_with(why), "{text}");
    // It is over.
    edit(&repo, "three\n");
    let (unwritable, text) = status(&repo);
    assert!(unwritable.is_null() && text.contains(" a  "), "{unwritable} {text}");
}

#[test]
fn a_file_in_the_place_of_its_folder_disturbs_no_harness_and_is_told_by_status() {
    let repo = TestRepo::with_files(&[("a", "one\n")]);
    if rustix::process::geteuid().is_root() {
        give_away(&repo.outside());
    }
    let place = repo.root().join(".git/redraft");
    std::fs::write(&place, "mine\n").expect("writes");
    for answer in edit(&repo, "two\n") {
        assert_eq!(answer, (Some(0), "{}\n".to_owned()));
    }
    let (exit, told) = redraft(&repo, &["status", "--json"], "");
    assert!(exit == Some(3) && told.contains(".git/redraft") && told.contains("Not a directory"), "{exit:?} {told}");
    assert_eq!(std::fs::read(&place).expect("is there"), b"mine\n");
}
