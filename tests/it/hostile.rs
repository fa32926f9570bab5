//! Paths and files that are not what they seem: each is refused with its code and reason, none hangs, nothing changes.

use crate::support::run::{REDRAFT, Ran, finish};
use crate::support::tree::{assert_same, snapshot};
use crate::support::{TestRepo, clean};
use serde_json::{Value, json};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;

fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

fn run(program: &str, args: &[&str], at: &Path) -> bool {
    Command::new(program).args(args).current_dir(at).output().is_ok_and(|done| done.status.success())
}

fn edit(path: &str) -> Value {
    json!({"path": path, "old_string": "old", "new_string": "new"})
}

/// The request is refused for this reason, and nothing in the working tree changes.
fn refuse(repo: &TestRepo, request: &Value, reason: &str) {
    let before = snapshot(&repo.root(), &[".git"]);
    let answer = repo.redraft(&["apply"], &request.to_string());
    let envelope = answer.json();
    assert_eq!(envelope["data"]["reason"], reason, "{request}: {envelope}");
    assert!(envelope["error"]["message"].as_str().is_some_and(|text| text.len() > 20), "{envelope}");
    assert_same(&snapshot(&repo.root(), &[".git"]), &before, &request.to_string());
}

#[test]
fn git_in_every_disguise_is_refused() {
    let repo = TestRepo::with_files(&[("a", "old\n")]);
    let names = [
        ".git/config",
        ".GIT/config",
        ".Git/hooks/pre-commit",
        ".git./config",
        ".git /config",
        "git~1/config",
        "GIT~1/x",
        ".git::$INDEX_ALLOCATION/config",
        ".git:x/config",
        ".g\u{200c}it/config",
        ".\u{feff}git/config",
        "sub/.git/config",
        "./.git/config",
        ".git//config",
        ".git",
    ];
    for name in names {
        refuse(&repo, &edit(name), "git_internals");
        refuse(&repo, &json!({"path": name, "content": "x"}), "git_internals");
        refuse(&repo, &json!({"path": "a", "rename_to": name}), "git_internals");
    }
}

#[test]
fn symlinks_are_followed_inside_the_root_only() {
    let repo = TestRepo::with_files(&[("real/a", "old\n"), ("b", "old\n")]);
    let root = repo.root();
    let outside = repo.outside().join("outside");
    std::fs::create_dir(&outside).expect("a folder");
    std::fs::write(outside.join("a"), "old\n").expect("writes");
    symlink("real/a", root.join("file_in")).expect("links");
    symlink("real", root.join("dir_in")).expect("links");
    symlink(outside.join("a"), root.join("file_out")).expect("links");
    symlink(&outside, root.join("dir_out")).expect("links");
    symlink("../outside/a", root.join("file_out_relative")).expect("links");
    symlink(".git/config", root.join("file_git")).expect("links");
    symlink(".git", root.join("dir_git")).expect("links");
    symlink("loop", root.join("loop")).expect("links");
    symlink("nothing", root.join("dangling")).expect("links");
    refuse(&repo, &edit("file_out"), "symlink_escape");
    refuse(&repo, &edit("dir_out/a"), "symlink_escape");
    refuse(&repo, &edit("file_out_relative"), "symlink_escape");
    refuse(&repo, &json!({"path": "dir_out/new", "content": "x"}), "symlink_escape");
    refuse(&repo, &json!({"path": "b", "rename_to": "dir_out/new"}), "symlink_escape");
    refuse(&repo, &edit("file_git"), "git_internals");
    refuse(&repo, &edit("dir_git/config"), "git_internals");
    refuse(&repo, &edit("loop"), "special_file");
    refuse(&repo, &edit("dangling"), "no_such_file");
    assert_eq!(std::fs::read(outside.join("a")).expect("reads"), b"old\n");
    repo.edit("file_in", "old", "new");
    assert_eq!(repo.text("real/a"), "new\n");
    assert!(root.join("file_in").symlink_metadata().expect("is there").is_symlink(), "a symlink stays a symlink");
    repo.edit("dir_in/a", "new", "newer");
    assert_eq!(repo.text("real/a"), "newer\n");
    // Two names of one file are one file.
    let twice = json!({"files": [
        {"path": "real/a", "old_string": "newer", "new_string": "x"},
        {"path": "dir_in/a", "old_string": "newer", "new_string": "y"},
    ]});
    refuse(&repo, &twice, "same_file_twice");
}

#[test]
fn what_is_no_regular_file_is_refused_and_does_not_hang() {
    let repo = TestRepo::with_files(&[("dir/a", "old\n")]);
    let root = repo.root();
    assert!(run("mkfifo", &["fifo"], &root));
    let _socket = std::os::unix::net::UnixListener::bind(root.join("socket")).expect("binds");
    refuse(&repo, &edit("fifo"), "special_file");
    refuse(&repo, &edit("socket"), "special_file");
    refuse(&repo, &edit("dir"), "directory");
    refuse(&repo, &edit("dir/"), "directory");
    refuse(&repo, &edit("dir/a/b"), "bad_path");
    if run("mknod", &["device", "c", "1", "5"], &root) {
        refuse(&repo, &edit("device"), "special_file");
    } else {
        eprintln!("notice: no device can be made here");
    }
}

/// Runs redraft for a while: what hangs ends with 124.
fn within_a_minute(repo: &TestRepo, args: &[&str], input: &str) -> Ran {
    let mut command = Command::new("timeout");
    command.args(["60", REDRAFT]).args(args);
    finish(clean(&mut command, &repo.root()), input.as_bytes())
}

/// Whether the texts of the newest edit are in the history; null where they are.
fn kept(repo: &TestRepo) -> Value {
    repo.done(&["gc", "--json"], "");
    repo.redraft(&["log", "--json", "-n", "1"], "").json()["files"][0]["kept"].clone()
}

/// Seen: `.gitattributes -> /proc/self/pagemap` in somebody's repository was read without end by each edit that made a file.
#[test]
fn rules_that_are_a_symlink_a_pipe_or_too_large_are_no_rules_and_do_not_hang() {
    for name in [".gitattributes", ".gitignore"] {
        for target in ["/proc/self/pagemap", "/dev/zero"] {
            let repo = TestRepo::with_files(&[("a", "old\n"), ("dir/a", "old\n")]);
            symlink(target, repo.root().join("dir").join(name)).expect("links");
            for request in [json!({"path": "dir/new", "content": "x\n"}), edit("dir/a")] {
                let ran = within_a_minute(&repo, &["apply"], &request.to_string());
                assert_eq!(ran.exit, Some(0), "{name} -> {target}: {ran:?}");
            }
            let ran = within_a_minute(&repo, &["run", "--", "true"], "");
            assert_eq!(ran.exit, Some(0), "{name} -> {target}: {ran:?}");
        }
    }
    // A symlink to a regular file counts as little, as with git.
    let repo = TestRepo::with_files(&[("rules", "secret\n"), ("a", "old\n")]);
    symlink("rules", repo.root().join(".gitignore")).expect("links");
    repo.apply(json!({"path": "secret", "content": "x\n"}));
    assert_eq!(kept(&repo), Value::Null);
    // What git finds too large it leaves out, and goes on with the others.
    let repo = TestRepo::with_files(&[(".gitignore", "*.log\n"), ("dir/a", "old\n")]);
    for name in [".gitattributes", ".gitignore"] {
        let file = std::fs::File::create(repo.root().join("dir").join(name)).expect("writes");
        file.set_len(3_000_000_000).expect("a file with a hole");
    }
    for (path, is_kept) in [("dir/new", Value::Null), ("dir/new.log", json!("ignored"))] {
        let ran = within_a_minute(&repo, &["apply"], &json!({"path": path, "content": "x\n"}).to_string());
        assert_eq!((ran.exit, kept(&repo)), (Some(0), is_kept), "{ran:?}");
    }
    // Git waits for a pipe.
    let repo = TestRepo::with_files(&[("dir/a", "old\n")]);
    assert!(run("mkfifo", &["dir/.gitignore", "dir/.gitattributes"], &repo.root()));
    let ran = within_a_minute(&repo, &["apply"], &edit("dir/a").to_string());
    assert_eq!(ran.exit, Some(0), "{ran:?}");
    let ran = within_a_minute(&repo, &["apply"], &json!({"path": "dir/new", "content": "x\n"}).to_string());
    assert_eq!(ran.exit, Some(0), "{ran:?}");
    // Whether its text may be kept is asked when it is sealed: nobody can say, so it is not.
    let ran = within_a_minute(&repo, &["gc"], "");
    let told = ran.text().to_owned() + &ran.stderr;
    assert!(told.contains("no regular file") && told.contains(".gitignore"), "{told}");
}

#[test]
fn other_repositories_inside_are_left_alone() {
    let repo = TestRepo::with_files(&[("a", "old\n")]);
    let root = repo.root();
    std::fs::create_dir_all(root.join("nested/deep")).expect("folders");
    assert!(run("git", &["init", "-q", "nested"], &root));
    std::fs::write(root.join("nested/deep/a"), "old\n").expect("writes");
    refuse(&repo, &edit("nested/deep/a"), "submodule");
    refuse(&repo, &json!({"path": "nested/new", "content": "x"}), "submodule");
    // A submodule has a file .git.
    std::fs::create_dir(root.join("module")).expect("a folder");
    std::fs::write(root.join("module/.git"), "gitdir: ../.git/modules/module\n").expect("writes");
    std::fs::write(root.join("module/a"), "old\n").expect("writes");
    refuse(&repo, &edit("module/a"), "submodule");
}

#[test]
fn files_that_replacing_would_change_are_refused_unless_allowed() {
    let repo =
        TestRepo::with_files(&[("read-only", "old\n"), ("set-id", "old\n"), ("linked", "old\n"), ("dir/a", "old\n")]);
    let root = repo.root();
    let chmod = |path: &str, mode| {
        std::fs::set_permissions(root.join(path), PermissionsExt::from_mode(mode)).expect("chmod");
    };
    chmod("read-only", 0o444);
    chmod("set-id", 0o4755);
    std::fs::hard_link(root.join("linked"), root.join("other-name")).expect("links");
    refuse(&repo, &edit("read-only"), "unwritable");
    refuse(&repo, &edit("set-id"), "unsupported_file");
    refuse(&repo, &edit("linked"), "unsupported_file");
    chmod("dir", 0o555);
    refuse(&repo, &edit("dir/a"), "unwritable");
    refuse(&repo, &json!({"path": "dir/new", "content": "x"}), "unwritable");
    chmod("dir", 0o755);
    for kind in ["read-only", "set-id", "hard-link"] {
        repo.git(&["config", "--add", "redraft.unusualFiles", kind]);
    }
    repo.edit("read-only", "old", "new");
    repo.edit("set-id", "old", "new");
    repo.edit("linked", "old", "new");
    assert_eq!(repo.text("other-name"), "old\n", "the other name keeps the old text");
    assert_eq!(std::fs::metadata(root.join("set-id")).expect("is there").permissions().mode() & 0o7777, 0o4755);
}

#[test]
fn a_file_of_another_user_is_refused() {
    let repo = TestRepo::with_files(&[("a", "old\n")]);
    if !is_root() {
        eprintln!("notice: only the superuser can give files away; another owner is not tried");
        return;
    }
    std::os::unix::fs::chown(repo.root().join("a"), Some(65534), None).expect("chown");
    refuse(&repo, &edit("a"), "unwritable");
    repo.git(&["config", "redraft.unusualFiles", "other-owner"]);
    repo.edit("a", "old", "new");
    let owner = std::os::unix::fs::MetadataExt::uid(&std::fs::metadata(repo.root().join("a")).expect("is there"));
    assert_eq!(owner, 65534, "its owner stays");
}

#[test]
fn strange_names_work() {
    let long = "n".repeat(255);
    let repo = TestRepo::with_files(&[(&long, "old\n"), ("with space\nand newline\t\"", "old\n"), ("-rf", "old\n")]);
    repo.edit(&long, "old", "new");
    assert_eq!(repo.text(&long), "new\n");
    repo.edit("with space\nand newline\t\"", "old", "new");
    repo.edit("-rf", "old", "new");
    use std::os::unix::ffi::OsStrExt;
    let name = std::ffi::OsStr::from_bytes(b"caf\xe9 \xff");
    std::fs::write(repo.root().join(name), "old\n").expect("writes");
    let request = json!({"path_b64": "Y2Fm6SD/", "old_string": "old", "new_string": "new"});
    let answer = repo.redraft(&["apply"], &request.to_string()).json();
    assert_eq!(answer["data"]["applied"], true, "{answer}");
    assert_eq!(std::fs::read(repo.root().join(name)).expect("reads"), b"new\n");
}

#[test]
fn a_huge_file_is_refused_before_it_is_read() {
    let repo = TestRepo::with_files(&[("a", "old\n")]);
    let file = std::fs::File::create(repo.root().join("huge")).expect("creates");
    file.set_len((1 << 30) + 1).expect("a hole");
    let answer = repo.redraft(&["apply"], &edit("huge").to_string()).json();
    assert_eq!(answer["data"]["reason"], "too_large", "{answer}");
    assert!(answer["data"]["hint"]["limit_bytes"] == 1 << 30, "{answer}");
}

#[test]
fn paths_that_lead_out_are_refused() {
    let repo = TestRepo::with_files(&[("dir/a", "old\n")]);
    for (path, reason) in [
        ("../a", "outside_root"),
        ("dir/../../a", "outside_root"),
        ("dir/../dir/a", "outside_root"),
        ("/etc/passwd", "absolute_path"),
        ("", "bad_path"),
        (".", "bad_path"),
        ("a\u{0}b", "bad_path"),
    ] {
        refuse(&repo, &edit(path), reason);
    }
}

/// Seen: a path of 40,000 folders (80 KB) took 1.6 GB, one of 300,000 ended the process, and with it the MCP server.
#[test]
fn a_path_longer_than_any_file_has_is_refused_before_anything_is_made_of_it() {
    let repo = TestRepo::with_files(&[("a", "old\n")]);
    let deep = format!("{}b", "a/".repeat(300_000));
    let whole = repo.root().join(&deep);
    let whole = whole.to_str().expect("UTF-8");
    let limited = |args: &str, input: &str| {
        let mut shell = std::process::Command::new("sh");
        let run = format!("ulimit -v 400000; exec {} {args}", env!("CARGO_BIN_EXE_redraft"));
        crate::support::clean(shell.args(["-c", &run]), &repo.root());
        crate::support::run::finish(&mut shell, input.as_bytes())
    };
    let requests = [
        json!({"path": deep, "content": "x\n"}).to_string(),
        json!({"path": format!("{}/b", "a".repeat(256)), "content": "x\n"}).to_string(),
        json!({"path": "a", "rename_to": deep}).to_string(),
        json!({"files": [{"path": deep, "delete": true}]}).to_string(),
        json!({"file_path": whole, "old_string": "old", "new_string": "new"}).to_string(),
        json!({"filePath": whole, "oldString": "old", "newString": "new"}).to_string(),
        json!({"command": "create", "path": whole, "file_text": "x\n"}).to_string(),
        json!({"command": "view", "path": whole}).to_string(),
        format!("*** Begin Patch\n*** Add File: {deep}\n+x\n*** End Patch\n"),
        format!("*** Begin Patch\n*** Update File: a\n*** Move to: {deep}\n-old\n+new\n*** End Patch\n"),
        format!("--- a/{deep}\n+++ b/{deep}\n@@ -1 +1 @@\n-old\n+new\n"),
        format!("{}/b\n<<<<<<< SEARCH\nold\n=======\nnew\n>>>>>>> REPLACE\n", "a".repeat(256)),
    ];
    for request in &requests {
        for command in ["apply", "check"] {
            let answer = limited(command, request).json();
            assert_eq!(answer["data"]["reason"], "bad_path", "{command} {:.80}: {:.600}", request, answer.to_string());
        }
    }
    let call = |id: u32, name: &str, arguments: Value| json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": name, "arguments": arguments}});
    let start =
        json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}});
    let calls = [
        json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": start}),
        call(2, "edit", json!({"path": deep, "content": "x\n"})),
        call(3, "blame", json!({"path": deep})),
        call(4, "edit", json!({"path": "a", "old_string": "old", "new_string": "new"})),
    ];
    let calls = calls.map(|call| call.to_string() + "\n").concat();
    let told = limited("mcp", &calls);
    let answers: Vec<Value> = told.text().lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let found = |id: u32| {
        answers.iter().find(|answer| answer["id"] == id).map(|answer| answer["result"].to_string()).unwrap_or_default()
    };
    for id in [2, 3] {
        assert!(found(id).contains("bad_path"), "{id}: {:.600} {}", found(id), told.stderr);
    }
    assert_eq!(repo.text("a"), "new\n", "{:.600}", found(4));
}

/// Seen: "invalid UTF-8 was detected in one or more arguments" (exit 2): such a file could be edited and read, but its records could
/// not be asked for, undone or purged by its path.
#[cfg(unix)]
#[test]
fn a_path_that_is_not_utf8_can_be_named_wherever_a_path_can() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let repo = TestRepo::with_files(&[("b", "b\n")]);
    let folder = OsStr::from_bytes(b"d\xfe");
    let name = std::path::Path::new(folder).join(OsStr::from_bytes(b"n\xff.txt"));
    std::fs::create_dir(repo.root().join(folder)).expect("a directory");
    std::fs::write(repo.root().join(&name), "one\n").expect("a file");
    repo.commit_all("more");
    let run = |args: &[&str], path: &OsStr| {
        let args: Vec<&OsStr> = args.iter().map(OsStr::new).chain([path]).collect();
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_redraft"));
        let ran = crate::support::clean(command.args(&args), &repo.root()).output().expect("it runs");
        assert!(ran.status.success(), "{args:?}: {}", String::from_utf8_lossy(&ran.stderr));
        String::from_utf8_lossy(&ran.stdout).into_owned()
    };
    let text = || std::fs::read_to_string(repo.root().join(&name)).expect("a file");
    let edited = repo
        .done(&["apply"], &json!({"path_b64": "ZP4vbv8udHh0", "old_string": "one", "new_string": "uno"}).to_string());
    let id = edited["data"]["record"]["id"].as_str().expect("an id");
    repo.apply(json!({"path": "b", "old_string": "b", "new_string": "c"}));
    let by_folder = std::ffi::OsString::from_iter([folder, OsStr::new("/")]);
    for path in [name.as_os_str(), &by_folder] {
        assert_eq!(run(&["log", "--json", "--kind", "edit"], path).lines().count(), 1);
        run(&["purge", "--dry-run", "--path"], path);
        run(&["undo", "--"], path);
        assert_eq!(text(), "one\n");
        repo.done(&["redo"], "");
        assert_eq!(text(), "uno\n");
    }
    assert!(run(&["blame"], name.as_os_str()).contains("uno"));
    assert!(run(&["read"], name.as_os_str()).contains("uno"));
    run(&["undo", id, "--"], name.as_os_str());
    let backups = repo.redraft(&["backups", "--json", "list"], "").lines();
    run(&["backups", "restore", backups[0]["id"].as_str().expect("an id")], name.as_os_str());
    assert_eq!(text(), "uno\n");
    run(&["purge", "--yes", "--path"], name.as_os_str());
}

/// Seen: `applied: true` with an id, and no record of it, nor of the other file: the name of the backup was too long to be read back.
#[test]
fn an_edit_under_a_path_as_long_as_one_can_be_is_recorded_and_undone_or_refused() {
    let repo = TestRepo::with_files(&[("a.txt", "one\n")]);
    let folders = vec!["d".repeat(199); 19].join("/");
    // The backup has a longer path than its file.
    let state = repo.root().join(".git/redraft/worktrees/main/backups").as_os_str().len();
    let longest = 4095 - folders.len() - 1 - state - 48;
    for last in [1, longest - 1, longest, longest + 1, 250] {
        let path = format!("{folders}/{}", "f".repeat(last));
        let made = json!({"path": path, "content": "one\n"});
        if last > longest {
            assert_eq!(repo.refused(&["apply"], &made.to_string()), "bad_path", "{last}");
            assert_eq!(repo.refused(&["check"], &made.to_string()), "bad_path", "{last}");
            continue;
        }
        repo.apply(made);
        let id = repo.apply(json!({"files": [
            {"path": path, "old_string": "one", "new_string": "two"},
            {"path": "a.txt", "old_string": "one", "new_string": "two"},
        ]}));
        assert_eq!(repo.redraft(&["log", "--json"], "").lines()[0]["id"], json!(id), "{last}");
        assert_eq!(repo.redraft(&["fsck"], "").status, 0, "{last}");
        repo.done(&["undo", &id], "");
        assert_eq!(repo.text("a.txt"), "one\n", "{last}");
    }
}
