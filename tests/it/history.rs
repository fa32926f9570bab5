//! The history as it is read: log, show, diff; sealed records and those of the journal alike; history.git with plain git.

use crate::support::{Answer, TestRepo};
use serde_json::{Value, json};

const TEXT: &str = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\neleven\ntwelve\n";

fn repo() -> TestRepo {
    TestRepo::with_files(&[("a.txt", TEXT), ("dir/b.txt", TEXT), (".gitignore", "*.secret\n")])
}

/// Seals what the journal has.
fn seal(repo: &TestRepo) {
    repo.redraft(&["backups", "prune", "--keep", "all"], "");
    assert!(repo.root().join(".git/redraft/history.git").is_dir());
}

fn history_git(repo: &TestRepo, args: &[&str]) -> String {
    let mut all = vec!["--git-dir", ".git/redraft/history.git"];
    all.extend(args);
    repo.git(&all)
}

fn ids(repo: &TestRepo, args: &[&str]) -> Vec<String> {
    let answer = repo.redraft(args, "");
    assert_eq!(answer.status, 0, "{}", answer.err);
    answer.lines().iter().map(|line| line["id"].as_str().expect("an id").to_owned()).collect()
}

#[test]
fn a_log_entry_has_all_its_documented_keys() {
    let repo = repo();
    let id = repo.apply(json!({
        "path": "a.txt", "old_string": "two\nthree", "new_string": "2", "message": "why\n\nSigned-off-by: forged",
        "agent": {"name": "tester", "model": "m1", "session": "s1", "call_id": "c1"},
    }));
    let head = repo.git(&["rev-parse", "HEAD"]).trim().to_owned();
    let check = || {
        let line = repo.redraft(&["log", "--json"], "").lines().remove(0);
        let keys: Vec<&str> = line.as_object().expect("an object").keys().map(String::as_str).collect();
        let want = [
            "id",
            "kind",
            "time",
            "agent",
            "observed",
            "session",
            "message",
            "base",
            "branch",
            "files",
            "undone_by",
            "undoes",
            "commit",
            "stash",
            "reviewed",
        ];
        assert_eq!(keys, want);
        assert_eq!(
            (&line["id"], &line["kind"], &line["session"], &line["base"]),
            (&json!(id), &json!("edit"), &json!("s1"), &json!(head))
        );
        let agent = json!({"name": "tester", "model": "m1", "turn": null, "subagent": null, "call_id": "c1"});
        assert_eq!(line["agent"], agent);
        assert!(line["time"].as_str().expect("a time").ends_with('Z'));
        let file = &line["files"][0];
        assert_eq!(
            (&file["path"], &file["from"], &file["change"], &file["state"]),
            (&json!("a.txt"), &Value::Null, &json!("modify"), &json!("clean"))
        );
        assert_eq!(
            (&file["lines_added"], &file["lines_removed"], &file["undone_by"]),
            (&json!(1), &json!(2), &Value::Null)
        );
        assert_eq!(file["after"], json!(repo.git(&["hash-object", "--no-filters", "a.txt"]).trim()));
        let show = repo.redraft(&["show", &id, "--json"], "").json();
        assert_eq!(
            show["files"][0]["splices"],
            json!([{"before": [4, 13], "after": [4, 5], "edit": 0, "strategy": "exact"}])
        );
        assert!(show["files"][0]["diff"].as_str().expect("a diff").contains("\n-two\n-three\n+2\n"));
        (line, show)
    };
    let unsealed = check();
    seal(&repo);
    assert_eq!(check(), unsealed);
    let message = history_git(&repo, &["log", "--all", "--format=%B"]);
    assert!(message.starts_with("edit a.txt\n\nwhy\n\n    Signed-off-by: forged\n\nRedraft-Id: "), "{message}");
    let diff = history_git(&repo, &["log", "--all", "-1", "--format=%(trailers:key=Redraft-Id,valueonly)"]);
    assert_eq!(diff.trim(), id);
}

#[test]
fn the_log_is_filtered_by_path_session_agent_kind_and_words() {
    let repo = repo();
    let edit = |path: &str, old: &str, agent: &str, message: &str| {
        repo.apply(json!({"path": path, "old_string": old, "new_string": "x", "message": message,
            "agent": {"name": agent, "session": format!("of {agent}")}}))
    };
    let one = edit("a.txt", "one", "ann", "first thing");
    let two = edit("dir/b.txt", "two", "bob", "Second thing");
    seal(&repo);
    let three = edit("dir/b.txt", "three", "ann", "third");
    repo.done(&["undo"], "");
    let undo = ids(&repo, &["log", "--json", "-n", "1"]).remove(0);
    let all = [&undo, &three, &two, &one];
    assert_eq!(ids(&repo, &["log", "--json"]).iter().collect::<Vec<_>>(), all);
    assert_eq!(ids(&repo, &["log", "--json", "dir"]), [undo.clone(), three.clone(), two.clone()]);
    assert_eq!(ids(&repo, &["log", "--json", "a.txt"]), std::slice::from_ref(&one));
    assert_eq!(ids(&repo, &["log", "--json", "--agent", "ann"]), [three.clone(), one.clone()]);
    assert_eq!(ids(&repo, &["log", "--json", "--session", "of bob"]), std::slice::from_ref(&two));
    assert_eq!(ids(&repo, &["log", "--json", "--kind", "undo"]), std::slice::from_ref(&undo));
    assert_eq!(ids(&repo, &["log", "--json", "-i", "--grep", "second"]), std::slice::from_ref(&two));
    assert_eq!(ids(&repo, &["log", "--json", "-n", "2"]), [undo.clone(), three.clone()]);
    assert_eq!(ids(&repo, &["log", "--json", "--since", "2 hours ago"]).len(), 4);
    assert!(ids(&repo, &["log", "--json", "--until", "2 hours ago"]).is_empty());
    let line = &repo.redraft(&["log", "--json", "--session", "of ann"], "").lines()[0];
    assert_eq!((&line["id"], &line["undone_by"]), (&json!(three), &json!(undo)));
    let text = repo.redraft(&["log", "--oneline"], "").out;
    assert!(text.contains(&format!("{} (undone by {}) edit dir/b.txt: third", &three[..8], &undo[..8])), "{text}");
}

#[test]
fn records_are_named_by_prefix_and_by_distance() {
    let repo = repo();
    let one = repo.edit("a.txt", "one", "1");
    let two = repo.edit("a.txt", "two", "2");
    for (name, id) in [("@", &two), ("@-", &one), ("@-1", &one), (&two[..5], &two), (&one[..], &one)] {
        assert_eq!(repo.redraft(&["show", name, "--json"], "").json()["id"], json!(id));
    }
    for name in ["@-2", "nosuchid", "@x", "", "HEAD"] {
        let answer = repo.redraft(&["show", "--json", "--", name], "");
        assert_eq!((answer.status, &answer.json()["error"]["reason"]), (1, &json!("no_such_record")), "{name}");
    }
}

#[test]
fn a_diff_of_a_record_is_taken_by_git_apply() {
    let repo = repo();
    let id = repo.edit("a.txt", "two", "2");
    repo.edit("a.txt", "nine", "9");
    repo.apply(json!({"path": "new.txt", "content": "x\n"}));
    let diff = repo.redraft(&["diff", &id], "").out;
    std::fs::write(repo.outside().join("p"), &diff).expect("written");
    repo.git(&["apply", "-R", "../p"]);
    assert_eq!(repo.text("a.txt"), TEXT.replace("nine", "9"));
    let between = repo.redraft(&["diff", &id, "@"], "").out;
    assert!(between.contains("+++ b/new.txt") && !between.contains("a.txt\n@@ -1"), "{between}");
    let between = repo.redraft(&["diff", &id, "@-"], "").out;
    assert!(between.contains("\n-nine\n+9\n") && !between.contains("+2\n"), "{between}");
}

#[test]
fn many_records_are_sealed_by_themselves_and_stay_the_same() {
    let repo = repo();
    let mut want = Vec::new();
    for n in 0..300 {
        let text = repo.text("a.txt");
        let (old, new) = (text.lines().nth(n % 12).expect("a line").to_owned(), format!("line {n:04}"));
        want.push(repo.edit("a.txt", &old, &new));
    }
    want.reverse();
    assert_eq!(ids(&repo, &["log", "--json"]), want);
    let count = history_git(&repo, &["rev-list", "--count", "--all"]);
    assert!(count.trim().parse::<usize>().expect("a number") >= 255, "{count}");
    history_git(&repo, &["fsck", "--strict"]);
    assert_eq!(history_git(&repo, &["count-objects"]).split(' ').next(), Some("0"));
    // The log index may be thrown away.
    std::fs::remove_dir_all(repo.root().join(".git/redraft/history.git/log-index")).expect("removed");
    assert_eq!(ids(&repo, &["log", "--json"]), want);
    assert_eq!(repo.git(&["log", "--all", "--oneline"]).lines().count(), 1);
}

#[test]
fn ignored_files_leave_no_text_in_the_history() {
    let repo = repo();
    repo.write("key.secret", "password one\n");
    let id = repo.edit("key.secret", "one", "two");
    seal(&repo);
    let show = repo.redraft(&["show", &id, "--json"], "").json();
    assert_eq!((&show["files"][0]["state"], &show["files"][0]["kept"]), (&json!("ignored"), &json!("ignored")));
    let args = ["--git-dir", ".git/redraft/history.git", "cat-file", "--batch-all-objects", "--batch"];
    let objects = repo.try_git(&args).stdout;
    assert!(!String::from_utf8_lossy(&objects).contains("password"));
    repo.done(&["undo"], "");
    assert_eq!(repo.text("key.secret"), "password one\n");
}

#[test]
fn linked_worktrees_share_the_history_and_undo_their_own() {
    let repo = repo();
    repo.git(&["worktree", "add", "-q", "../linked"]);
    let linked = repo.outside().join("linked");
    let request = json!({"path": "a.txt", "old_string": "two", "new_string": "2"}).to_string();
    let other = repo.redraft_in(&linked, &["apply"], &request).json()["data"]["record"]["id"]
        .as_str()
        .expect("an id")
        .to_owned();
    repo.redraft_in(&linked, &["backups", "prune", "--keep", "all"], "");
    let own = repo.edit("a.txt", "nine", "9");
    seal(&repo);
    assert_eq!(ids(&repo, &["log", "--json"]), std::slice::from_ref(&own));
    let mut all = ids(&repo, &["log", "--json", "--all"]);
    all.sort();
    let mut want = [own.clone(), other.clone()];
    want.sort();
    assert_eq!(all, want);
    assert_eq!(repo.done(&["undo"], "")["data"]["undone"], json!([own]));
    assert_eq!(repo.refused(&["undo"], ""), "nothing_to_undo");
    let refs = history_git(&repo, &["for-each-ref", "--format=%(refname)"]);
    assert_eq!(refs.lines().count(), 2, "{refs}");
    assert!(refs.contains("/main/") && refs.contains("/linked/"), "{refs}");
}

/// Seen: in a worktree that had undone an edit the log had it in force, once another one had undone it, too, and redone that.
#[test]
fn what_a_worktree_undid_stays_undone_there_whatever_another_one_redoes_of_its_own() {
    let repo = repo();
    let id = repo.edit("a.txt", "two", "2");
    repo.commit_all("edited");
    repo.git(&["worktree", "add", "-q", "../linked"]);
    let linked = repo.outside().join("linked");
    let in_linked = |args: &[&str]| repo.redraft_in(&linked, args, "");
    let is_undone = |told: &Answer| !told.lines()[0]["undone_by"].is_null();
    let asked = ["show", &id, "--json"];
    assert_eq!(in_linked(&["undo", &id]).status, 0);
    repo.done(&["undo", &id], "");
    repo.done(&["redo"], "");
    assert!(is_undone(&in_linked(&asked)) && !is_undone(&repo.redraft(&asked, "")));
    assert_eq!(in_linked(&["redo"]).status, 0);
    assert!(!is_undone(&in_linked(&asked)));
}

#[test]
fn records_of_a_removed_worktree_are_seen_sealed_or_not() {
    let repo = repo();
    repo.git(&["worktree", "add", "-q", "../linked"]);
    let linked = repo.outside().join("linked");
    let edit = |old: &str| {
        let request = json!({"path": "a.txt", "old_string": old, "new_string": "x"}).to_string();
        let answer = repo.redraft_in(&linked, &["apply"], &request).json();
        answer["data"]["record"]["id"].as_str().expect("an id").to_owned()
    };
    let sealed = edit("two");
    repo.redraft_in(&linked, &["backups", "prune", "--keep", "all"], "");
    let unsealed = edit("nine");
    assert!(!repo.root().join(".git/worktrees/linked/redraft").exists());
    let seen = || {
        assert_eq!(ids(&repo, &["log", "--json"]), [] as [String; 0]);
        assert_eq!(ids(&repo, &["log", "--json", "--all"]), [unsealed.clone(), sealed.clone()]);
        for id in [&unsealed, &sealed] {
            let show = repo.redraft(&["show", "--json", &id[..8]], "").json();
            assert!(show["files"][0]["diff"].as_str().expect("a diff").contains("\n+x\n"), "{show}");
        }
        assert_eq!(repo.refused(&["undo"], ""), "nothing_to_undo");
    };
    seen();
    repo.git(&["worktree", "remove", "--force", "../linked"]);
    assert!(!linked.exists());
    seen();
    // Nobody works there any more who would seal what is left: upkeep does, from anywhere.
    let journal = ".git/redraft/worktrees/linked/journal";
    let open = |id: &str| String::from_utf8_lossy(&repo.read(journal)).contains(id);
    assert!(open(&unsealed));
    let gc = repo.redraft(&["gc"], "");
    assert_eq!((gc.status, gc.err.as_str()), (0, ""), "{}", gc.out);
    assert!(!open(&unsealed));
    let log = history_git(&repo, &["log", "--all", "--format=%B"]);
    assert!(log.contains(&unsealed) && log.contains(&sealed), "{log}");
    seen();
    assert_eq!(repo.redraft(&["fsck"], "").status, 0);
}

#[cfg(target_os = "linux")]
#[test]
fn an_edit_that_was_interrupted_in_a_worktree_that_is_gone_is_told_and_keeps_nothing_from_upkeep() {
    let repo = repo();
    repo.git(&["worktree", "add", "-q", "../linked"]);
    let linked = repo.outside().join("linked");
    let kill = "#!/bin/sh\n[ \"$1\" = prepared ] || exit 0\nkill -9 $(cut -d' ' -f4 /proc/$PPID/stat)\nexit 1\n";
    repo.hook("reference-transaction", kill);
    let request = json!({"path": "a.txt", "old_string": "two", "new_string": "x", "record": "commit"}).to_string();
    assert_eq!(repo.redraft_in(&linked, &["apply"], &request).status, -1);
    std::fs::remove_file(repo.root().join(".git/hooks/reference-transaction")).expect("the hook");
    repo.git(&["worktree", "remove", "--force", "../linked"]);
    let own = repo.edit("a.txt", "two", "2");
    let gc = repo.redraft(&["gc"], "");
    assert_eq!(gc.status, 0, "{}{}", gc.out, gc.err);
    assert!(gc.err.contains("worktrees/linked/journal") && gc.err.contains("interrupted"), "{}", gc.err);
    assert!(history_git(&repo, &["log", "--all", "--format=%B"]).contains(&own));
}

#[cfg(target_os = "linux")]
#[test]
fn a_linked_worktree_on_another_file_system_is_edited_and_undone() {
    use std::os::unix::fs::MetadataExt;
    let repo = repo();
    let elsewhere = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
    let device = |path: &std::path::Path| std::fs::metadata(path).expect("it is there").dev();
    if device(elsewhere.path()) == device(&repo.root()) {
        return;
    }
    let linked = elsewhere.path().join("linked");
    repo.git(&["worktree", "add", "-q", linked.to_str().expect("UTF-8")]);
    let request = json!({"path": "a.txt", "old_string": "two", "new_string": "2"}).to_string();
    let done = repo.redraft_in(&linked, &["apply"], &request).json();
    assert_eq!(done["data"]["applied"], json!(true), "{done}");
    assert_eq!(std::fs::read_to_string(linked.join("a.txt")).expect("read"), TEXT.replace("two", "2"));
    assert_eq!(repo.redraft_in(&linked, &["undo"], "").status, 0);
    assert_eq!(std::fs::read_to_string(linked.join("a.txt")).expect("read"), TEXT);
    assert_eq!(
        std::fs::read_dir(repo.root().join(".git/redraft/worktrees/linked/stage")).expect("a folder").count(),
        0
    );
    assert!(repo.git(&["-C", linked.to_str().expect("UTF-8"), "status", "--porcelain"]).is_empty());
}

#[test]
fn readers_write_nothing() {
    let repo = repo();
    for command in [&["log"][..], &["log", "--json"], &["undo", "--dry-run"], &["show"]] {
        repo.redraft(command, "");
    }
    assert!(!repo.root().join(".git/redraft").exists());
}

#[test]
fn recording_in_the_history_leaves_git_itself_untouched() {
    let repo = repo();
    let state = || {
        let refs =
            repo.git(&["for-each-ref"]) + &repo.git(&["reflog", "--all"]) + &repo.git(&["log", "--all", "--format=%H"]);
        (repo.read(".git/index"), refs, repo.git(&["count-objects", "-v"]), repo.read(".git/config"))
    };
    repo.git(&["status"]);
    let before = state();
    for (old, new) in [("two", "2"), ("nine", "9")] {
        repo.edit("a.txt", old, new);
    }
    seal(&repo);
    repo.done(&["undo"], "");
    repo.redraft(&["gc"], "");
    assert_eq!(state(), before);
    let left: Vec<String> = std::fs::read_dir(repo.root().join(".git"))
        .expect("the git directory")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .filter(|name| name.contains("redraft") || name.ends_with(".lock"))
        .collect();
    assert_eq!(left, ["redraft"]);
}

#[test]
fn a_name_that_could_be_several_records_or_is_none_is_refused() {
    let repo = repo();
    let only = repo.edit("a.txt", "one", "1");
    let told = |name: &str| {
        let answer = repo.redraft(&["show", name, "--json"], "");
        assert_eq!(answer.status, 1, "{name}: {}{}", answer.out, answer.err);
        answer.json()["error"]["message"].as_str().unwrap_or_default().to_owned()
    };
    let is_none = |name: &str| assert!(told(name).contains("there is no record"), "{name:?}: {}", told(name));
    let longer = format!("{only}k");
    for name in ["", &longer, "abc", "@x", "@-9"] {
        is_none(name);
    }
    let mut same = vec![only];
    // Of seventeen names two begin with the same of sixteen letters; it need not be the first one's.
    for n in 0..17 {
        same.push(repo.edit("a.txt", &format!("{}", n + 1), &format!("{}", n + 2)));
    }
    let twice = (b'k'..=b'z').find(|letter| same.iter().filter(|id| id.as_bytes()[0] == *letter).count() > 1);
    let twice = char::from(twice.expect("a letter")).to_string();
    assert!(told(&twice).contains("give more letters"), "{}", told(&twice));
    let unused = (b'k'..=b'z').filter(|letter| !same.iter().any(|id| id.as_bytes()[0] == *letter));
    unused.for_each(|letter| is_none(&char::from(letter).to_string()));
}

#[test]
fn a_deleted_file_comes_back_from_the_journal_where_its_backup_is_gone() {
    let repo = repo();
    let text = repo.text("a.txt");
    let id = repo.apply(json!({"path": "a.txt", "delete": true}));
    std::fs::remove_dir_all(repo.root().join(".git/redraft/worktrees/main/backups")).expect("there were some");
    assert_eq!(ids(&repo, &["log", "--json"]), [id]);
    repo.done(&["undo"], "");
    assert_eq!(repo.text("a.txt"), text);
}

#[test]
fn the_records_of_all_worktrees_are_listed_from_the_newest_to_the_oldest() {
    let repo = repo();
    repo.git(&["worktree", "add", "-q", "../linked"]);
    let request = |old: &str, new: &str| json!({"path": "a.txt", "old_string": old, "new_string": new}).to_string();
    let mut want = Vec::new();
    for (old, new) in [("one", "1"), ("two", "2")] {
        want.insert(0, repo.edit("a.txt", old, new));
        let answer = repo.redraft_in(&repo.outside().join("linked"), &["apply"], &request(old, new)).json();
        want.insert(0, answer["data"]["record"]["id"].as_str().expect("an id").to_owned());
    }
    assert_eq!(ids(&repo, &["log", "--json", "--all"]), want);
}

#[test]
fn the_journals_of_other_worktrees_are_counted_by_fsck_and_not_by_status() {
    let repo = repo();
    repo.git(&["worktree", "add", "-q", "../linked"]);
    repo.edit("a.txt", "one", "1");
    let request = json!({"path": "a.txt", "old_string": "one", "new_string": "1"}).to_string();
    for n in 0..2 {
        let request = request.replace("one", if n == 0 { "one" } else { "two" });
        assert_eq!(repo.redraft_in(&repo.outside().join("linked"), &["apply"], &request).status, 0);
    }
    assert_eq!(repo.redraft(&["fsck", "--json"], "").json()["records"], json!(3));
    assert_eq!(repo.redraft(&["status", "--json"], "").json()["journal"]["entries"], json!(1));
}

#[test]
fn sessions_are_told_as_a_whole_and_a_turn_is_taken_back_alone() {
    let repo = TestRepo::with_files(&[("a", "one\ntwo\nthree\n"), ("b", "one\n")]);
    let edit = |path: &str, old: &str, new: &str, agent: Value| {
        repo.apply(json!({"path": path, "old_string": old, "new_string": new, "agent": agent}))
    };
    edit("a", "one", "1", json!({"name": "x", "model": "m1", "session": "s1", "turn": "t1"}));
    edit("b", "one", "1", json!({"name": "x", "model": "m2", "session": "s1", "turn": "t2", "subagent": "sub"}));
    edit("a", "two", "2", json!({"name": "x", "model": "m2", "session": "s1", "turn": "t2"}));
    edit("a", "three", "3\n4", json!({"name": "y"}));
    let run = ["run", "--agent", "x", "--session", "s2", "--turn", "t1", "--", "sh", "-c", "echo more >> b"];
    assert_eq!(repo.redraft(&run, "").status, 0);
    let check = |undone: &str| {
        let told = repo.redraft(&["sessions", "--json"], "").lines();
        let brief: Vec<String> = told
            .iter()
            .map(|s| {
                let counts = ["turns", "records", "observed", "files", "lines_added", "lines_removed"]
                    .map(|key| s[key].to_string());
                format!("{} {} {} {} {}", s["session"], s["agent"], s["models"], counts.join(" "), s["undone"])
            })
            .collect();
        let s1 = format!(r#""s1" "x" ["m1","m2"] 2 3 0 2 3 3 "{undone}""#);
        assert_eq!(brief, [r#""s2" "x" [] 1 1 1 1 1 0 "none""#, r#"null "y" [] 0 1 0 1 2 1 "none""#, &s1]);
    };
    check("none");
    let shown = repo.redraft(&["sessions"], "").out;
    assert!(
        shown.starts_with("s2 x: 1 turn, 1 edit, 1 file, +1 -0, 0 seconds ago\n(no session) y: 1 edit, 1 file, +2 -1"),
        "{shown}"
    );
    let of_turn = |args: &[&str]| repo.redraft(&[&["log", "--json", "--turn", "t2"], args].concat(), "").lines();
    assert_eq!((of_turn(&[]).len(), of_turn(&["--session", "s2"]).len()), (2, 0));
    assert_eq!(
        of_turn(&[])[1]["agent"],
        json!({"name": "x", "model": "m2", "turn": "t2", "subagent": "sub", "call_id": null})
    );
    repo.done(&["undo", "--session", "s1", "--turn", "t2"], "");
    assert_eq!((repo.text("a"), repo.text("b")), ("1\ntwo\n3\n4\n".to_owned(), "one\nmore\n".to_owned()));
    check("some");
    // Sealed, it is the same.
    assert_eq!(repo.redraft(&["gc"], "").status, 0);
    check("some");
    repo.done(&["undo", "--session", "s1"], "");
    check("all");
    assert_eq!(repo.redraft(&["sessions", "--agent", "y", "--json"], "").lines().len(), 1);
    assert_eq!(repo.redraft(&["sessions", "-n", "1", "--json"], "").lines().len(), 1);
    assert_eq!(repo.redraft(&["sessions", "--since", "2100-01-01", "--json"], "").lines().len(), 0);
}

#[cfg(unix)]
#[test]
fn what_is_edited_through_a_symlink_is_found_and_undone_by_that_name() {
    let repo = TestRepo::with_files(&[("sub/s.txt", "one\ntwo\n")]);
    std::os::unix::fs::symlink("sub", repo.root().join("inlink")).expect("a link");
    repo.git(&["add", "."]);
    repo.git(&["commit", "-qm", "a link"]);
    let id = repo.edit("inlink/s.txt", "two", "2");
    assert_eq!(repo.redraft(&["log", "--json", "inlink/s.txt"], "").json()["id"], id.as_str());
    let blamed = |path: &str| repo.redraft(&["blame", path, "--json"], "").out;
    assert_eq!(blamed("inlink/s.txt"), blamed("sub/s.txt"));
    assert!(blamed("inlink/s.txt").contains(&id));
    repo.done(&["undo", "--", "inlink/s.txt"], "");
    assert_eq!(repo.text("sub/s.txt"), "one\ntwo\n");
}
