//! The transaction: checks, locks, backups, full disks, and the files that it does not touch.

use crate::support::TestRepo;
use redraft::{Edit, EditOptions, Env, Request, Workspace};
use serde_json::json;
use std::time::Duration;

fn names_below(scratch: &TestRepo, folder: &str) -> Vec<String> {
    let entries = std::fs::read_dir(scratch.root().join(".git/redraft/worktrees/main").join(folder)).expect("a folder");
    entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect()
}

#[test]
fn mode_and_extended_attributes_stay() {
    use std::os::unix::fs::PermissionsExt;
    let scratch = TestRepo::with_files(&[("run.sh", "echo a\n")]);
    let path = scratch.root().join("run.sh");
    std::fs::set_permissions(&path, PermissionsExt::from_mode(0o751)).expect("chmod");
    let has_xattrs = rustix::fs::setxattr(&path, "user.note", b"kept", rustix::fs::XattrFlags::empty()).is_ok();
    scratch.edit("run.sh", "echo a", "echo b");
    assert_eq!(std::fs::metadata(&path).expect("is there").permissions().mode() & 0o7777, 0o751);
    if has_xattrs {
        let mut value = [0_u8; 8];
        let length = rustix::fs::getxattr(&path, "user.note", &mut value[..]).expect("the attribute stayed");
        assert_eq!(&value[..length], b"kept");
    }
}

/// An ACL tells what the group may not do; the mode of such a file has the mask where others have the group's bits.
#[test]
fn a_deleted_file_comes_back_with_its_acl_and_its_extended_attributes() {
    let repo = TestRepo::with_files(&[("a", "secret\n")]);
    let path = repo.root().join("a");
    let everyone = u32::MAX;
    let entries = [(1, 6, everyone), (2, 4, 1000), (4, 0, everyone), (0x10, 4, everyone), (0x20, 0, everyone)];
    let mut acl = 2_u32.to_le_bytes().to_vec();
    for (tag, rights, id) in entries {
        acl.extend(u16::to_le_bytes(tag).into_iter().chain(u16::to_le_bytes(rights)).chain(u32::to_le_bytes(id)));
    }
    let set = |name: &str, value: &[u8]| rustix::fs::setxattr(&path, name, value, rustix::fs::XattrFlags::empty());
    if set("user.note", b"kept").is_err() || set("system.posix_acl_access", &acl).is_err() {
        return;
    }
    let has_all = || {
        let mut value = [0_u8; 64];
        let length = rustix::fs::getxattr(&path, "system.posix_acl_access", &mut value[..]).unwrap_or(0);
        let is_acl = value[..length] == acl[..];
        let length = rustix::fs::getxattr(&path, "user.note", &mut value[..]).unwrap_or(0);
        is_acl && &value[..length] == b"kept"
    };
    assert!(has_all());
    let delete = || repo.apply(json!({"path": "a", "delete": true}));
    delete();
    repo.done(&["undo"], "");
    assert!(has_all(), "by undo");
    let deleted = delete();
    assert_eq!(repo.redraft(&["backups", "restore", &deleted], "").status, 0);
    assert!(has_all(), "by backups restore");
    // Where the backup is gone, it comes back all the same.
    delete();
    std::fs::remove_dir_all(repo.root().join(".git/redraft/worktrees/main/backups")).expect("they are there");
    repo.done(&["undo"], "");
    assert!(!has_all() && repo.text("a") == "secret\n");
}

/// A new file is as one that is made by hand in the same folder: mode, group, ACL.
#[test]
#[cfg(target_os = "linux")]
fn a_new_file_inherits_the_default_acl_and_the_group_of_its_folder() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    let entry =
        |tag: u16, bits: u16, id: u32| [&tag.to_le_bytes()[..], &bits.to_le_bytes(), &id.to_le_bytes()].concat();
    let none = u32::MAX;
    let entries = [(1, 7, none), (2, 7, 65_534), (4, 5, none), (8, 6, 65_534), (16, 7, none), (32, 0, none)];
    let default =
        [2_u32.to_le_bytes().to_vec(), entries.iter().flat_map(|&(t, b, i)| entry(t, b, i)).collect()].concat();
    let look = |path: &std::path::Path| {
        let mut acl = [0_u8; 256];
        let length = rustix::fs::getxattr(path, "system.posix_acl_access", &mut acl[..]).unwrap_or(0);
        let meta = std::fs::metadata(path).expect("is there");
        (acl[..length].to_vec(), meta.mode() & 0o7777, meta.gid())
    };
    let scratch = TestRepo::with_files(&[("dir/a", "a\n"), ("plain/a", "a\n")]);
    let dir = scratch.root().join("dir");
    if rustix::fs::setxattr(&dir, "system.posix_acl_default", &default, rustix::fs::XattrFlags::empty()).is_err() {
        eprintln!("notice: no ACLs on this file system");
        return;
    }
    let group = rustix::fs::Gid::from_raw(65_534);
    if rustix::process::geteuid().is_root() {
        rustix::fs::chown(&dir, None, Some(group)).expect("chown");
        std::fs::set_permissions(&dir, PermissionsExt::from_mode(0o2775)).expect("chmod");
    }
    for (by_redraft, by_hand) in [("dir/new", "dir/hand"), ("dir/x/y/new", "dir/x/y/hand"), ("plain/new", "plain/hand")]
    {
        scratch.apply(serde_json::json!({"path": by_redraft, "content": "new\n"}));
        scratch.write(by_hand, "new\n");
        assert_eq!(look(&scratch.root().join(by_redraft)), look(&scratch.root().join(by_hand)), "{by_redraft}");
    }
    assert!(!look(&dir.join("new")).0.is_empty(), "an ACL was inherited");
}

#[test]
fn acls_stay() {
    let scratch = TestRepo::with_files(&[("a", "a\n")]);
    let set = std::process::Command::new("setfacl").args(["-m", "u:65534:r"]).arg(scratch.root().join("a")).status();
    if !set.is_ok_and(|status| status.success()) {
        eprintln!("notice: no setfacl here, or no ACLs on this file system");
        return;
    }
    let acl = || {
        let shown = std::process::Command::new("getfacl").arg("-p").arg(scratch.root().join("a")).output();
        String::from_utf8(shown.expect("getfacl runs").stdout).expect("UTF-8")
    };
    let before = acl();
    scratch.edit("a", "a", "b");
    assert_eq!(acl(), before);
}

#[test]
fn a_failing_check_undoes_the_edit_and_its_output_is_told() {
    let scratch = TestRepo::with_files(&[("a", "old\n")]);
    let request = r#"{"path": "a", "old_string": "old", "new_string": "new"}"#;
    let answer = scratch.redraft(&["apply", "--verify", "cat a; echo no >&2; exit 3"], request);
    let envelope = answer.json();
    assert_eq!(envelope["data"]["reason"], "verify_failed", "{envelope}");
    let output = envelope["data"]["hint"]["output"].as_str().expect("the output").to_owned();
    assert!(output.contains("new") && output.contains("no"), "the check saw the new text: {output:?}");
    assert_eq!(scratch.text("a"), "old\n");
    assert_eq!(names_below(&scratch, "backups"), Vec::<String>::new());
    let late = scratch.redraft(&["apply", "--verify", "sleep 60", "--verify-timeout", "0.2"], request).json();
    assert_eq!(late["data"]["reason"], "verify_timeout", "{late}");
    assert_eq!(scratch.text("a"), "old\n");
    let good = scratch.redraft(&["apply", "--verify", "grep -q new a"], request).json();
    assert_eq!(good["data"]["applied"], true, "{good}");
}

/// Runs a request whose check never ends, and kills it there: its files are exchanged.
fn killed_in_its_check(scratch: &TestRepo, request: &str) {
    let pid_file = scratch.root().join(".git/pid");
    // The check tells its parent, the redraft, and waits for the end.
    let check = format!("echo $PPID > {}; sleep 60", pid_file.display());
    let mut child = crate::support::run::command(&scratch.root(), &["apply", "--verify", &check, "-"])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::null())
        .spawn()
        .expect("starts");
    std::io::Write::write_all(&mut child.stdin.take().expect("piped"), request.as_bytes()).expect("reads its request");
    let end = std::time::Instant::now() + Duration::from_secs(20);
    while std::fs::read_to_string(&pid_file).map_or(true, |text| !text.ends_with('\n')) {
        assert!(std::time::Instant::now() < end, "the check was started");
        std::thread::yield_now();
    }
    child.kill().expect("is killed");
    child.wait().expect("has ended");
}

#[test]
fn a_run_killed_while_its_check_runs_is_undone_by_recovery() {
    let scratch = TestRepo::with_files(&[("a", "old\n")]);
    killed_in_its_check(&scratch, r#"{"path": "a", "old_string": "old", "new_string": "new"}"#);
    assert_eq!(scratch.text("a"), "new\n", "the file was exchanged before the check");
    let answer = scratch.done(&["recover"], "");
    assert_eq!(answer["data"]["recovered"]["back"].as_array().map(Vec::len), Some(1), "{answer}");
    assert_eq!(scratch.text("a"), "old\n");
}

#[test]
fn an_edit_that_fits_only_after_recovery_tells_which_file_that_left_alone() {
    let scratch = TestRepo::with_files(&[("a", "a old\n"), ("b", "b old\n")]);
    let file = |path: &str| serde_json::json!({"path": path, "old_string": format!("{path} old"), "new_string": "new"});
    killed_in_its_check(&scratch, &serde_json::json!({"files": [file("a"), file("b")]}).to_string());
    scratch.write("a", "new, and somebody's own words\n");
    let answer = scratch.done(&["apply"], &file("b").to_string());
    assert_eq!((scratch.text("a").as_str(), scratch.text("b").as_str()), ("new, and somebody's own words\n", "new\n"));
    let warnings = answer["data"]["warnings"].to_string();
    assert!(warnings.contains("a was changed after the edit") && warnings.contains("old version is"), "{answer}");
}

#[test]
fn bringing_a_backup_back_tells_which_file_recovery_left_alone() {
    let scratch = TestRepo::with_files(&[("a", "a old\n"), ("b", "b\n")]);
    let id = scratch.edit("b", "b", "c");
    killed_in_its_check(&scratch, r#"{"path": "a", "old_string": "a old", "new_string": "new"}"#);
    scratch.write("a", "new, and somebody's own words\n");
    let restored = scratch.redraft(&["backups", "restore", &id], "");
    assert_eq!((restored.status, scratch.text("b").as_str()), (0, "b\n"), "{}", restored.err);
    assert!(restored.err.contains("a was changed after the edit"), "{}", restored.err);
}

#[test]
fn who_waits_too_long_for_the_lock_is_told_who_holds_it() {
    let scratch = TestRepo::with_files(&[("a", "old\n")]);
    scratch.edit("a", "old", "older");
    let lock = std::fs::File::open(scratch.root().join(".git/redraft/worktrees/main/lock")).expect("it is made");
    lock.lock().expect("nobody holds it");
    let request = r#"{"path": "a", "old_string": "older", "new_string": "new"}"#;
    let answer = scratch.redraft(&["apply", "--lock-timeout", "0.1"], request);
    let envelope = answer.json();
    assert_eq!(envelope["error"]["code"], "TIMEOUT", "{envelope}");
    let holder = envelope["data"]["hint"]["holder"].as_str().expect("a holder");
    assert!(holder.starts_with("process ") && holder.contains(" since "), "{holder}");
    drop(lock);
    scratch.edit("a", "older", "new");
}

#[test]
fn backups_are_listed_restored_and_pruned() {
    let scratch = TestRepo::with_files(&[("a", "one\n")]);
    let id = scratch.edit("a", "one", "two");
    scratch.edit("a", "two", "three");
    let listed = scratch.redraft(&["backups", "list", "--json"], "").lines();
    assert_eq!(listed.len(), 2);
    assert_eq!(listed[1]["id"], id.as_str());
    let shown = scratch.redraft(&["backups", "show", "@-"], "");
    assert!(shown.status == 0 && shown.out.contains(&id), "{} {}", shown.out, shown.err);
    scratch.redraft(&["backups", "restore", "@-", "a"], "");
    assert_eq!(scratch.text("a"), "one\n");
    scratch.write("a", "another\n");
    scratch.redraft(&["backups", "restore", &id[..6], "a"], "");
    assert_eq!(scratch.text("a"), "one\n");
    let would = scratch.redraft(&["backups", "prune", "--keep", "count=1", "--dry-run", "--json"], "").lines();
    assert_eq!(would.len(), 0, "backups of records that are not sealed stay");
    let gone = scratch.redraft(&["backups", "prune", "--keep", "count=1", "--json"], "").lines();
    assert_eq!(gone.len(), 3);
    assert_eq!(scratch.redraft(&["backups", "--json"], "").lines().len(), 1);
}

#[test]
fn a_full_disk_is_told_loses_nothing_and_works_again_after_space_is_made() {
    let scratch = TestRepo::new();
    let disk = scratch.outside().join("disk");
    std::fs::create_dir_all(&disk).expect("a folder");
    let mount = |args: &[&str]| std::process::Command::new("mount").args(args).arg(&disk).status();
    if !mount(&["-t", "tmpfs", "-o", "size=1m", "tmpfs"]).is_ok_and(|status| status.success()) {
        eprintln!("notice: no file system can be mounted here; the full disk is not tried");
        return;
    }
    let done = std::panic::catch_unwind(|| full_disk(&scratch));
    let unmounted = std::process::Command::new("umount").arg(&disk).status();
    assert!(unmounted.is_ok_and(|status| status.success()), "the disk is let go");
    done.expect("the full disk was handled");
}

fn full_disk(scratch: &TestRepo) {
    let root = scratch.outside().join("disk");
    let git = |args: &[&str]| {
        let mut command = std::process::Command::new("git");
        assert!(crate::support::clean(&mut command, &root).args(args).status().expect("git runs").success());
    };
    git(&["init", "-q", "."]);
    git(&["config", "user.name", "Test User"]);
    git(&["config", "user.email", "user@example.com"]);
    std::fs::write(root.join("a"), "old\n".repeat(1000)).expect("room for it");
    std::fs::write(root.join("b"), "b old\n").expect("room for it");
    git(&["add", "."]);
    git(&["commit", "-q", "-m", "base"]);
    let mut filler = Vec::new();
    // Twice: a file system may count what other processors gave back late.
    let (mut size, mut again) = (1 << 20, true);
    while size > 256 || std::mem::take(&mut again) {
        size = if size > 256 { size } else { 1 << 20 };
        let path = root.join(".git").join(format!("filler{size}.{}", filler.len()));
        if std::fs::write(&path, vec![b'x'; size]).is_err() {
            let _ = std::fs::remove_file(&path);
            size /= 2;
        } else {
            filler.push(path);
        }
    }
    let big = "new\n".repeat(40_000);
    let request = serde_json::json!({"files": [
        {"path": "b", "old_string": "b old", "new_string": "b new"},
        {"path": "a", "edits": [{"old_string": "old\n".repeat(1000), "new_string": big}]},
    ]});
    let before = std::fs::read(root.join("a")).expect("reads");
    let answer = scratch.redraft_in(&root, &["apply"], &request.to_string()).json();
    assert_eq!(answer["data"]["reason"], "no_space", "{answer}");
    assert_eq!(std::fs::read(root.join("a")).expect("reads"), before);
    assert_eq!(std::fs::read(root.join("b")).expect("reads"), b"b old\n");
    for path in filler {
        std::fs::remove_file(path).expect("removes");
    }
    let answer = scratch.redraft_in(&root, &["apply"], &request.to_string()).json();
    assert_eq!(answer["data"]["applied"], true, "{answer}");
    assert_eq!(std::fs::read(root.join("b")).expect("reads"), b"b new\n");
}

#[test]
fn a_dry_run_writes_nothing_not_even_below_the_git_directory() {
    let scratch = TestRepo::with_files(&[("a", "old\n")]);
    let root = scratch.root();
    let before = crate::support::tree::snapshot(&root, &[]);
    let workspace = Workspace::open(&Env::in_dir(&root).expect("absolute")).expect("a working tree");
    let request = Request::edit("a", [Edit::new("old", "new").expect("an edit")]).expect("a path");
    assert!(!workspace.check(&request, &EditOptions::default()).expect("fits").applied);
    crate::support::tree::assert_same(&crate::support::tree::snapshot(&root, &[]), &before, "a dry run");
}

#[test]
fn a_check_that_changed_an_edited_file_loses_nothing() {
    let repo = TestRepo::with_files(&[("a", "old a\n"), ("b", "old b\n")]);
    let request = serde_json::json!({"files": [
        {"path": "a", "old_string": "old", "new_string": "new"},
        {"path": "b", "old_string": "old", "new_string": "new"},
        {"path": "c", "content": "made\n"},
    ]})
    .to_string();
    let answer = repo.redraft(&["apply", "--verify", "echo formatted >> a; echo more >> c; false"], &request).json();
    assert_eq!(answer["data"]["reason"], "verify_failed", "{answer}");
    assert_eq!([repo.text("a"), repo.text("b")], ["old a\n", "old b\n"], "all is old again");
    assert!(!repo.has("c"));
    let message = answer["error"]["message"].as_str().expect("a message");
    assert!(
        message.contains("changed-0") && message.contains("changed-2"),
        "both changed versions are named: {message}"
    );
    let folder = names_below(&repo, "backups");
    assert_eq!(folder.len(), 1, "they are kept: {folder:?}");
    let kept =
        std::fs::read(repo.root().join(".git/redraft/worktrees/main/backups").join(&folder[0]).join("changed-0"));
    assert_eq!(kept.expect("is kept"), b"new a\nformatted\n");
    repo.edit("a", "old", "newer");
    let gone = r#"{"path": "b", "old_string": "old", "new_string": "new"}"#;
    repo.redraft(&["apply", "--verify", "rm b; false"], gone);
    assert_eq!(repo.text("b"), "old b\n", "a file that the check removed comes back");
    let deleted = r#"{"path": "b", "delete": true}"#;
    repo.redraft(&["apply", "--verify", "echo squatter > b; false"], deleted);
    assert_eq!(repo.text("b"), "old b\n", "a deleted file comes back where the check put another one");
}

#[test]
fn what_a_check_leaves_running_is_not_waited_for() {
    let repo = TestRepo::with_files(&[("a", "old\n")]);
    let request = r#"{"path": "a", "old_string": "old", "new_string": "new"}"#;
    let start = std::time::Instant::now();
    let answer = repo.redraft(&["apply", "--verify", "sleep 30 & exit 0", "--verify-timeout", "20"], request).json();
    assert_eq!(answer["data"]["applied"], true, "{answer}");
    assert!(start.elapsed() < Duration::from_secs(15), "the background process holds the pipes, not the edit");
}

#[test]
fn a_request_that_is_told_to_stop_while_its_check_runs_undoes_its_edit() {
    let repo = TestRepo::with_files(&[("a", "old\n")]);
    let request = r#"{"path": "a", "old_string": "old", "new_string": "new"}"#;
    let answer = repo.redraft(&["apply", "--verify", "kill -TERM $PPID; sleep 30"], request).json();
    assert_eq!(answer["data"]["reason"], "verify_failed", "{answer}");
    assert_eq!(repo.text("a"), "old\n");
}

#[test]
fn a_dry_run_beside_a_killed_run_does_not_take_its_backup_for_a_hard_link() {
    let repo = TestRepo::with_files(&[("a", "old\n")]);
    let backups = repo.root().join(".git/redraft/worktrees/main/backups/20261121T000000.000Z-zzzzzzzzzzzzzzzz");
    std::fs::create_dir_all(repo.root().join(".git/redraft/worktrees/main/stage")).expect("a folder");
    std::fs::create_dir_all(&backups).expect("a folder");
    std::fs::hard_link(repo.root().join("a"), backups.join("a")).expect("links");
    let answer = repo.redraft(&["check"], r#"{"path": "a", "old_string": "old", "new_string": "new"}"#).json();
    assert_eq!(answer["status"], "partial", "{answer}");
    std::fs::hard_link(repo.root().join("a"), repo.root().join("b")).expect("links");
    std::fs::remove_file(backups.join("a")).expect("removes");
    let answer = repo.redraft(&["check"], r#"{"path": "a", "old_string": "old", "new_string": "new"}"#).json();
    assert_eq!(answer["data"]["reason"], "unsupported_file", "{answer}");
}

#[test]
fn a_backup_whose_transaction_a_power_cut_took_away_does_not_make_the_file_hard_linked() {
    let repo = TestRepo::with_files(&[("a", "one\n")]);
    repo.edit("a", "one", "two");
    // Nothing of the transaction is left but the name, and the journal is empty.
    repo.redraft(&["gc"], "");
    let backups = repo.root().join(".git/redraft/worktrees/main/backups/29990101T000000.000Z-kkkkkkkkkkkkkkkk");
    std::fs::create_dir(&backups).expect("a folder");
    std::fs::hard_link(repo.root().join("a"), backups.join("a")).expect("links");
    repo.edit("a", "two", "three");
    assert_eq!(repo.text("a"), "three\n");
    // Another name that is the user's is none of that.
    std::fs::hard_link(repo.root().join("a"), repo.root().join("b")).expect("links");
    let request = r#"{"path": "a", "old_string": "three", "new_string": "four"}"#;
    assert_eq!(repo.refused(&["apply"], request), "unsupported_file");
}

/// A path below the only folder of backups.
fn in_only_backup(repo: &TestRepo, path: &str) -> std::path::PathBuf {
    let folders = names_below(repo, "backups");
    assert_eq!(folders.len(), 1, "{folders:?}");
    repo.root().join(".git/redraft/worktrees/main/backups").join(&folders[0]).join(path)
}

#[test]
fn a_hard_link_that_somebody_made_to_a_backup_does_not_cost_the_record_its_old_text() {
    for is_sealed in [false, true] {
        // Of an ignored file the history keeps no text: the backup is all there is.
        let repo = TestRepo::with_files(&[("a", "a\n"), (".gitignore", "*.env\n")]);
        let old = "port = 1\nhost = \u{fc}\n";
        repo.write("key.env", old);
        repo.edit("key.env", "port = 1", "port = 22");
        if is_sealed {
            assert_eq!(repo.redraft(&["gc"], "").status, 0);
        }
        let backup = in_only_backup(&repo, "key.env");
        std::fs::hard_link(&backup, repo.root().join("copy.env")).expect("links");
        let request = r#"{"path": "copy.env", "old_string": "port = 1", "new_string": "port = 3"}"#;
        assert_eq!(repo.done(&["check"], request)["status"], "partial");
        repo.done(&["apply"], request);
        assert_eq!(std::fs::read(&backup).expect("it stays"), old.as_bytes(), "sealed: {is_sealed}");
        repo.done(&["undo", "@-"], "");
        assert_eq!(repo.text("key.env"), old, "sealed: {is_sealed}");
        assert_eq!(repo.text("copy.env"), old.replace("port = 1", "port = 3"));
        assert_eq!(names_below(&repo, "stage"), Vec::<String>::new());
    }
}

#[test]
fn a_file_with_a_name_of_the_users_beside_that_of_a_lost_transaction_is_hard_linked() {
    let repo = TestRepo::with_files(&[("a", "old\n")]);
    repo.edit("a", "old", "one");
    let backups = repo.root().join(".git/redraft/worktrees/main/backups/29990101T000000.000Z-kkkkkkkkkkkkkkkk");
    std::fs::create_dir(&backups).expect("a folder");
    std::fs::hard_link(repo.root().join("a"), backups.join("a")).expect("links");
    std::fs::hard_link(repo.root().join("a"), repo.root().join("b")).expect("links");
    let request = r#"{"path": "a", "old_string": "one", "new_string": "two"}"#;
    assert_eq!(repo.refused(&["check"], request), "unsupported_file");
    assert_eq!(repo.refused(&["apply"], request), "unsupported_file");
    std::fs::remove_file(repo.root().join("b")).expect("removes");
    assert_eq!(repo.done(&["check"], request)["status"], "partial");
    repo.done(&["apply"], request);
    assert_eq!(repo.text("a"), "two\n");
}

#[test]
fn a_backup_of_a_lost_transaction_is_found_however_many_came_after_it() {
    let repo = TestRepo::with_files(&[("a", "old\n"), ("b", "0\n")]);
    repo.edit("b", "0", "1");
    let backups = repo.root().join(".git/redraft/worktrees/main/backups/20000101T000000.000Z-kkkkkkkkkkkkkkkk");
    std::fs::create_dir(&backups).expect("a folder");
    std::fs::hard_link(repo.root().join("a"), backups.join("a")).expect("links");
    for n in 1..70 {
        repo.edit("b", &n.to_string(), &(n + 1).to_string());
    }
    repo.edit("a", "old", "new");
    assert_eq!(repo.text("a"), "new\n");
}

#[test]
fn what_is_written_through_another_name_of_an_edited_file_does_not_reach_its_backup() {
    let repo = TestRepo::with_files(&[(".gitignore", "*.env\n")]);
    repo.git(&["config", "redraft.unusualFiles", "hard-link"]);
    repo.write("a.env", "old\nmore\n");
    std::fs::hard_link(repo.root().join("a.env"), repo.root().join("b.env")).expect("links");
    repo.edit("a.env", "old", "new");
    let backup = in_only_backup(&repo, "a.env");
    // In place, as an editor writes that keeps hard links.
    repo.write("b.env", "somebody's\n");
    assert_eq!(std::fs::read(&backup).expect("it stays"), b"old\nmore\n");
    repo.write("a.env", "new\nmore, and mine\n");
    repo.done(&["undo"], "");
    assert_eq!([repo.text("a.env"), repo.text("b.env")], ["old\nmore, and mine\n", "somebody's\n"]);
}

#[test]
fn a_checkpoint_leaves_the_newest_backups_that_the_configuration_wants() {
    for size in ["", " size=1g", " size=1"] {
        let repo = crate::support::TestRepo::with_files(&[("a", "v0\n")]);
        repo.git(&["config", "redraft.backupRetention", &format!("count=3{size}")]);
        let ids: Vec<String> = (0..7).map(|n| repo.edit("a", &format!("v{n}\n"), &format!("v{}\n", n + 1))).collect();
        assert_eq!(repo.redraft(&["gc"], "").status, 0);
        let kept = repo.redraft(&["backups", "list", "--json"], "").out;
        for (n, id) in ids.iter().enumerate() {
            assert_eq!(kept.contains(id), n >= 4 && size != " size=1", "{size:?} {n}: {kept}");
        }
    }
}

#[test]
fn a_check_that_removes_what_waits_for_it_loses_no_old_text() {
    let setup = || TestRepo::with_files(&[("a", "one\ntwo\n"), ("b", "old b\n"), ("c", "old c\n")]);
    let request = json!({"files": [
        {"path": "a", "edits": [{"old_string": "one", "new_string": "ONE"}]},
        {"path": "b", "delete": true},
        {"path": "c", "rename_to": "d", "edits": [{"old_string": "old", "new_string": "new"}]},
        {"path": "e", "content": "new e\n"},
    ]});
    let stage = "rm -f .git/redraft/worktrees/main/stage/*";
    let backups = "find .git/redraft/worktrees/main/backups -type f -delete";
    let replaced = "for f in .git/redraft/worktrees/main/stage/*; do rm $f; echo other > $f; done";
    for check in [stage.to_owned(), format!("{stage}; {backups}"), replaced.to_owned()] {
        let repo = setup();
        repo.chmod("a", 0o755);
        let answer = repo.redraft(&["apply", "--verify", &format!("{check}; false")], &request.to_string()).json();
        assert_eq!(answer["data"]["reason"], "verify_failed", "{check}: {answer}");
        assert_eq!(
            (repo.text("a"), repo.text("b"), repo.text("c")),
            ("one\ntwo\n".into(), "old b\n".into(), "old c\n".into())
        );
        assert!(!repo.has("d") && !repo.has("e"), "{check}");
        let mode = std::os::unix::fs::PermissionsExt::mode(
            &std::fs::metadata(repo.root().join("a")).expect("there").permissions(),
        );
        assert_eq!(mode & 0o777, 0o755, "{check}");
        assert_eq!(repo.redraft(&["fsck"], "").status, 0, "{check}");
        assert!(repo.redraft(&["log", "--json"], "").lines().is_empty());
    }
}

/// Seen: the folder of a deleted file was not made again; every later edit was refused, and without redraft's folder the old text was nowhere.
#[test]
fn a_check_that_removes_an_emptied_folder_loses_no_old_text() {
    for change in [json!({"delete": true}), json!({"rename_to": "k"})] {
        for check in ["rmdir d/e d", "rm -rf .git/redraft; rmdir d/e d", "rmdir d/e; kill -9 $PPID"] {
            let repo = TestRepo::with_files(&[("a", "one\ntwo\n"), ("d/e/b", "old b\n")]);
            repo.write("d/e/b", "old b\nnever committed\n");
            let mut file = change.clone();
            file["path"] = json!("d/e/b");
            let request = json!({"files": [{"path": "a", "old_string": "two", "new_string": "TWO"}, file]});
            repo.redraft(&["apply", "--verify", &format!("{check}; false")], &request.to_string());
            repo.redraft(&["recover"], "");
            assert_eq!(repo.text("d/e/b"), "old b\nnever committed\n", "{change} {check}");
            assert!(!repo.has("k"), "{change} {check}");
            repo.edit("a", "two", "2");
            assert_eq!(
                (repo.text("a").as_str(), repo.redraft(&["fsck"], "").status),
                ("one\n2\n", 0),
                "{change} {check}"
            );
        }
    }
}

#[test]
fn a_check_that_removes_the_folders_too_loses_no_old_text() {
    let request = json!({"files": [
        {"path": "a", "edits": [{"old_string": "two", "new_string": "TWO"}]},
        {"path": "sub/b", "delete": true},
        {"path": "c", "rename_to": "d", "edits": [{"old_string": "old", "new_string": "new"}]},
        {"path": "e", "content": "new e\n"},
    ]});
    for gone in ["worktrees/main/stage", "worktrees/main/backups", "worktrees/main", ""] {
        for (asked, first) in [("--record=history", "never committed"), ("--shelve", "one")] {
            let repo = TestRepo::with_files(&[("a", "one\ntwo\n"), ("sub/b", "old b\n"), ("c", "old c\n")]);
            let old_a = format!("{first}\ntwo\n");
            repo.write("a", &old_a);
            let check = format!("rm -rf .git/redraft/{gone}; false");
            let answer = repo.redraft(&["apply", asked, "--verify", &check], &request.to_string()).json();
            assert_eq!(answer["data"]["reason"], "verify_failed", "{gone} {asked}: {answer}");
            let text = answer["text"].as_str().expect("a text");
            let is_told = text.contains("redraft's folder in the git directory was removed");
            assert_eq!(is_told, matches!(gone, "" | "worktrees/main"), "{text}");
            assert_eq!(
                ["a", "sub/b", "c"].map(|path| repo.text(path)),
                [&old_a, "old b\n", "old c\n"],
                "{gone} {asked}"
            );
            assert!(!repo.has("d") && !repo.has("e"), "{gone} {asked}");
            assert_eq!(repo.redraft(&["fsck"], "").status, 0, "{gone} {asked}");
            repo.edit("a", "two", "2");
            assert_eq!(repo.redraft(&["undo"], "").status, 0, "{gone} {asked}");
            assert_eq!(repo.text("a"), old_a, "{gone} {asked}");
        }
    }
}
