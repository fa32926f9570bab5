//! `--agent`, `--session`, `--turn` and `--since` on every command, `show ID:PATH`, and `restore --at`.

use crate::support::TestRepo;
use crate::support::run::redraft;
use serde_json::{Value, json};

/// An edit in a session and a turn; gives its record.
fn edit(repo: &TestRepo, who: (&str, &str), path: &str, (old, new): (&str, &str)) -> String {
    let agent = json!({"name": "claude", "session": who.0, "turn": who.1});
    repo.apply(json!({"path": path, "edits": [{"old_string": old, "new_string": new}], "agent": agent}))
}

fn repo() -> TestRepo {
    TestRepo::with_files(&[("a", "1\n2\n3\n4\n5\n6\n7\n8\n9\n"), ("b", "one\n\ntwo\n")])
}

/// The ids that a command lists, as lines of JSON.
fn ids(repo: &TestRepo, args: &[&str]) -> Vec<String> {
    let lines = repo.redraft(args, "").lines();
    lines.iter().map(|record| record["id"].as_str().expect("an id").to_owned()).collect()
}

/// Seals the records, so that they are read from history.git.
fn seal(repo: &TestRepo) {
    assert_eq!(repo.redraft(&["gc"], "").status, 0);
}

#[test]
fn records_are_told_by_session_turn_and_from_which_on() {
    let repo = repo();
    let one = edit(&repo, ("s1", "t1"), "a", ("1", "ONE"));
    let two = edit(&repo, ("s1", "t2"), "a", ("9", "NINE"));
    let three = edit(&repo, ("s2", "t1"), "b", ("one", "ONE"));
    for is_sealed in [false, true] {
        if is_sealed {
            seal(&repo);
        }
        for command in ["log", "show"] {
            let listed = |args: &[&str]| ids(&repo, &[&[command, "--json"], args].concat());
            assert_eq!(listed(&["--session", "s1"]), [two.clone(), one.clone()], "{command} {is_sealed}");
            assert_eq!(listed(&["--session", "s1", "--turn", "t2"]), [&*two], "{command} {is_sealed}");
            assert_eq!(listed(&["--since", &two]), [three.clone(), two.clone()], "{command} {is_sealed}");
            assert_eq!(listed(&["--since", "@-", "--session", "s1"]), [&*two], "{command} {is_sealed}");
            assert_eq!(listed(&["--since", "1 hour ago", "--session", "s2"]), [&*three], "{command} {is_sealed}");
        }
    }
    let answer = repo.redraft(&["log", "--since", "xyz"], "");
    assert_eq!((answer.status, answer.err.contains("there is no record \"xyz\"")), (1, true), "{}", answer.err);
    let answer = repo.redraft(&["log", "--since", "nonsense"], "");
    assert_eq!(answer.status, 2, "{}", answer.err);
}

#[test]
fn undo_and_redo_of_a_turn_and_from_a_record_on() {
    let repo = repo();
    edit(&repo, ("s1", "t1"), "a", ("1", "ONE"));
    let two = edit(&repo, ("s1", "t2"), "a", ("5", "FIVE"));
    let three = edit(&repo, ("s1", "t2"), "a", ("9", "NINE"));
    let all = repo.text("a");
    repo.done(&["undo", "--session", "s1", "--turn", "t2"], "");
    assert_eq!(repo.text("a"), "ONE\n2\n3\n4\n5\n6\n7\n8\n9\n");
    repo.done(&["redo", "--session", "s1", "--turn", "t2"], "");
    assert_eq!(repo.text("a"), all);
    repo.done(&["undo", "--since", &two], "");
    assert_eq!(repo.text("a"), "ONE\n2\n3\n4\n5\n6\n7\n8\n9\n");
    // Undone one by one, redone together.
    repo.done(&["redo", "--session", "s1"], "");
    repo.done(&["undo", &three], "");
    repo.done(&["undo", &two], "");
    assert_eq!(repo.text("a"), "ONE\n2\n3\n4\n5\n6\n7\n8\n9\n");
    repo.done(&["redo", "--turn", "t2"], "");
    assert_eq!(repo.text("a"), all);
    let answer = repo.redraft(&["redo", "--turn", "t2"], "");
    assert_eq!(
        (answer.status, answer.json()["data"]["reason"].clone()),
        (1, json!("nothing_to_undo")),
        "{}",
        answer.out
    );
}

#[test]
fn a_turn_that_several_sessions_have_is_refused_without_its_session() {
    let repo = repo();
    edit(&repo, ("s1", "t1"), "a", ("1", "ONE"));
    edit(&repo, ("s2", "t1"), "b", ("one", "ONE"));
    let answer = repo.redraft(&["undo", "--turn", "t1"], "");
    assert_eq!((answer.status, answer.json()["data"]["hint"]["candidates"].clone()), (1, json!(["s1", "s2"])));
    assert_eq!(repo.text("a"), "ONE\n2\n3\n4\n5\n6\n7\n8\n9\n");
    repo.done(&["undo", "--turn", "t1", "--session", "s2"], "");
    assert_eq!(repo.text("b"), "one\n\ntwo\n");
    assert_eq!(repo.redraft(&["redo", "--turn", "t1"], "").status, 0);
}

#[test]
fn an_undo_that_took_more_back_is_not_redone_for_a_session_alone() {
    let repo = repo();
    let one = edit(&repo, ("s1", "t1"), "a", ("1", "ONE"));
    let two = edit(&repo, ("s2", "t1"), "b", ("one", "ONE"));
    repo.done(&["undo", &one, &two], "");
    let answer = repo.redraft(&["redo", "--session", "s1"], "");
    assert_eq!(
        (answer.status, answer.json()["data"]["reason"].clone()),
        (1, json!("nothing_to_undo")),
        "{}",
        answer.out
    );
    assert!(answer.out.contains("took back other edits"), "{}", answer.out);
    assert_eq!(repo.text("b"), "one\n\ntwo\n");
}

/// Two sessions have a shell open, and one of them wrote.
fn shared(repo: &TestRepo) {
    let tell = |event: &str, session: &str| {
        let payload = json!({"redraft": 1, "event": event, "session": session, "turn": "t", "call": "c", "tool": "sh", "cwd": repo.root()});
        assert_eq!(repo.redraft(&["hook"], &payload.to_string()).status, 0);
    };
    tell("before", "s1");
    tell("before", "s2");
    repo.write("b", "both\n");
    tell("after", "s1");
    tell("after", "s2");
}

#[test]
fn what_two_sessions_may_have_made_is_listed_for_both_and_undone_for_none() {
    let repo = repo();
    shared(&repo);
    for is_sealed in [false, true] {
        if is_sealed {
            seal(&repo);
        }
        for session in ["s1", "s2"] {
            assert_eq!(ids(&repo, &["log", "--json", "--session", session]).len(), 1, "{session} {is_sealed}");
            let answer = repo.redraft(&["undo", "--session", session], "");
            assert_eq!(answer.status, 1, "{}", answer.out);
            assert!(answer.out.contains("may be somebody else's"), "{}", answer.out);
        }
        assert_eq!(ids(&repo, &["log", "--json", "--session", "s3"]).len(), 0);
    }
    edit(&repo, ("s1", "t1"), "a", ("1", "ONE"));
    let answer = repo.done(&["undo", "--session", "s1"], "");
    assert!(answer["data"]["warnings"].to_string().contains("somebody else may have made it"), "{answer}");
    assert_eq!(repo.text("b"), "both\n");
}

#[test]
fn a_file_is_shown_as_it_was_right_after_a_record() {
    let repo = repo();
    repo.write("crlf", b"x\r\ny\xff\r\n");
    let one = edit(&repo, ("s", "t"), "a", ("1", "ONE"));
    let two = edit(&repo, ("s", "t"), "b", ("one", "ONE"));
    let three = edit(&repo, ("s", "t"), "a", ("ONE", "UNO"));
    let four = repo.apply(json!({"path": "b", "delete": true}));
    let five =
        repo.apply(json!({"path": "crlf", "encoding": "latin1", "edits": [{"old_string": "x", "new_string": "z"}]}));
    for is_sealed in [false, true] {
        if is_sealed {
            seal(&repo);
        }
        let shown = |id: &str, path: &str| repo.redraft(&["show", &format!("{id}:{path}")], "");
        assert_eq!(shown(&one, "a").out, "ONE\n2\n3\n4\n5\n6\n7\n8\n9\n");
        assert_eq!(shown(&two, "a").out, "ONE\n2\n3\n4\n5\n6\n7\n8\n9\n");
        assert_eq!(shown(&three, "a").out, "UNO\n2\n3\n4\n5\n6\n7\n8\n9\n");
        assert_eq!(shown(&one, "b").out, "one\n\ntwo\n");
        assert_eq!(shown(&three, "b").out, "ONE\n\ntwo\n");
        for (id, path) in [(&four[..], "b"), ("@", "b"), (&one, "nothing")] {
            let answer = shown(id, path);
            assert_eq!((answer.status, answer.out.as_str()), (1, ""), "{id} {path}");
        }
        let raw = redraft(&repo.root(), &["show", &format!("{five}:crlf")], b"");
        assert_eq!(raw.stdout, b"z\r\ny\xff\r\n");
    }
}

#[test]
fn what_something_else_changed_between_two_records_is_said() {
    let repo = repo();
    edit(&repo, ("s", "t"), "a", ("1", "ONE"));
    let between = edit(&repo, ("s", "t"), "b", ("one", "ONE"));
    repo.write("a", "ONE\nmine\n");
    edit(&repo, ("s", "t"), "a", ("ONE", "UNO"));
    let answer = repo.redraft(&["show", &format!("{between}:a")], "");
    assert_eq!((answer.status, answer.out.as_str()), (0, "ONE\nmine\n"));
    assert!(answer.err.contains("something else changed a between"), "{}", answer.err);
}

#[test]
fn files_come_back_as_they_were_right_after_a_record() {
    let repo = repo();
    let one = edit(&repo, ("s", "t"), "a", ("1", "ONE"));
    edit(&repo, ("s", "t"), "a", ("ONE", "UNO"));
    repo.apply(json!({"path": "new", "content": "new\n"}));
    repo.apply(json!({"path": "b", "rename_to": "c"}));
    repo.write("a", "mine\n");
    let before = repo.redraft(&["restore", "--at", &one, "--dry-run"], "").json();
    assert_eq!((before["status"].clone(), repo.text("a").as_str()), (json!("partial"), "mine\n"));
    for is_sealed in [false, true] {
        if is_sealed {
            seal(&repo);
        }
        let answer = repo.done(&["restore", "--at", &one], "");
        assert_eq!(repo.text("a"), "ONE\n2\n3\n4\n5\n6\n7\n8\n9\n");
        assert_eq!((repo.text("b").as_str(), repo.has("c"), repo.has("new")), ("one\n\ntwo\n", false, false));
        let is_told = answer["data"]["warnings"].to_string().contains("a had changes that no record has");
        // The second time, a record has them: the undo.
        assert_eq!(is_told, !is_sealed, "{answer}");
        let again = repo.redraft(&["restore", "--at", &one], "").json();
        assert_eq!(again["data"]["reason"], "nothing_to_undo", "{again}");
        repo.done(&["undo"], "");
        assert_eq!((repo.text("a").as_str(), repo.text("new").as_str()), ("mine\n", "new\n"));
        // Of a file that is gone there are no changes, and nothing of it is in a backup.
        let gone = repo.text("a");
        std::fs::remove_file(repo.root().join("a")).expect("removes");
        let told = repo.redraft(&["restore", "--at", &one, "--dry-run"], "").json();
        assert!(!told["data"]["warnings"].to_string().contains("a had changes"), "{told}");
        repo.write("a", gone);
        assert_eq!((repo.has("b"), repo.text("c").as_str()), (false, "one\n\ntwo\n"));
    }
    // Only one of them.
    repo.done(&["restore", "--at", &one, "new"], "");
    assert_eq!((repo.text("a").as_str(), repo.has("new")), ("mine\n", false));
    let log = repo.redraft(&["log", "-n", "1", "--json"], "").lines();
    assert_eq!(log[0]["kind"], "external", "{}", log[0]);
    assert_eq!(log[0]["files"].as_array().map(Vec::len), Some(1), "{}", Value::from(log));
}

#[test]
fn a_restore_brings_the_executable_bit_back() {
    let repo = repo();
    repo.chmod("a", 0o755);
    let one = edit(&repo, ("s", "t"), "a", ("1", "ONE"));
    edit(&repo, ("s", "t"), "a", ("2", "TWO"));
    repo.chmod("a", 0o644);
    repo.done(&["restore", "--at", &one], "");
    let mode = std::os::unix::fs::PermissionsExt::mode(
        &std::fs::metadata(repo.root().join("a")).expect("there").permissions(),
    );
    assert_eq!((mode & 0o777, repo.text("a").starts_with("ONE\n2\n")), (0o755, true));
}

#[test]
fn what_diff_and_commit_leave_of_a_session_as_it_may_be_anothers_is_said() {
    let repo = repo();
    shared(&repo);
    let answer = repo.redraft(&["diff", "--session", "s1"], "");
    assert!(answer.status == 1 && answer.err.contains("may be somebody else's"), "{}", answer.err);
    let answer = repo.redraft(&["commit", "--session", "s1"], "");
    assert!(answer.status == 1 && answer.err.contains("may be somebody else's"), "{}", answer.err);
    edit(&repo, ("s1", "t1"), "a", ("1", "ONE"));
    for command in ["diff", "commit"] {
        let answer = repo.redraft(&[command, "--session", "s1"], "");
        assert!(
            answer.status == 0 && answer.err.contains("somebody else may have made it"),
            "{command}: {}",
            answer.err
        );
    }
    assert_eq!(repo.git(&["show", "HEAD:b"]), "one\n\ntwo\n");
}

#[test]
fn a_diff_that_is_no_patch_is_said_to_be_none() {
    let repo = repo();
    let script = "printf 'lat\\351\\n' > l1";
    let ran = redraft(&repo.root(), &["run", "-q", "--session", "s1", "--", "sh", "-c", script], b"");
    assert_eq!(ran.exit, Some(0));
    for args in [&["diff", "@"][..], &["diff", "--session", "s1"]] {
        let answer = repo.redraft(args, "");
        assert!(
            answer.status == 0 && answer.err.contains("l1 has bytes that are no UTF-8"),
            "{args:?}: {}",
            answer.err
        );
    }
    assert_eq!(redraft(&repo.root(), &["show", "@:l1"], b"").stdout, b"lat\xe9\n");
}

#[test]
fn a_file_whose_name_is_no_utf_8_is_shown() {
    use std::os::unix::ffi::OsStrExt;
    let repo = repo();
    let ran = redraft(&repo.root(), &["run", "-q", "--", "sh", "-c", "echo text > $(printf '\\377x')"], b"");
    assert_eq!(ran.exit, Some(0));
    let args = ["show", "@:"].map(std::ffi::OsString::from);
    let mut name = args[1].clone();
    name.push(std::ffi::OsStr::from_bytes(b"\xffx"));
    let shown = redraft(&repo.root(), &[&args[0], &name], b"");
    assert_eq!((shown.exit, &shown.stdout[..]), (Some(0), &b"text\n"[..]), "{}", shown.stderr);
}
