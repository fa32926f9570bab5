//! Damage that costs a record is told by whatever meets it: by commands that fail for it, by the MCP server, by git's hooks.

use crate::support::run::{command, finish};
use crate::support::{TestRepo, clean};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const TEXT: &str = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\n";

/// What is said of a lost record.
const LOST: &str = "journal is damaged";

fn journal(repo: &TestRepo) -> PathBuf {
    repo.root().join(".git/redraft/worktrees/main/journal")
}

/// Where frames begin.
fn frames(bytes: &[u8]) -> Vec<usize> {
    bytes.windows(4).enumerate().filter(|(_, bytes)| bytes == b"rdj1").map(|(at, _)| at).collect()
}

/// Three records, the second of which is lost to a flipped bit; its id.
fn repo() -> (TestRepo, String) {
    let repo = TestRepo::with_files(&[("a.txt", TEXT)]);
    let [_, lost, _] = [("two", "2"), ("five", "5"), ("nine", "9")].map(|(old, new)| repo.edit("a.txt", old, new));
    let mut bytes = fs::read(journal(&repo)).expect("read");
    let at = frames(&bytes)[2] + 60;
    bytes[at] ^= 4;
    fs::write(journal(&repo), bytes).expect("written");
    (repo, lost)
}

#[test]
fn a_command_that_fails_for_a_record_that_is_lost_to_damage_says_why() {
    let (repo, lost) = repo();
    let file = format!("{lost}:a.txt");
    for args in [
        &["show", &lost][..],
        &["show", &file],
        &["diff", &lost],
        &["undo", &lost],
        &["redo", &lost],
        &["restore", "--at", &lost],
        &["commit", &lost],
        &["hooks", "review", &lost],
        &["backups", "show", "@-7"],
    ] {
        let answer = repo.redraft(args, "");
        assert!(answer.status == 1 && answer.err.matches(LOST).count() == 1, "{args:?}: {}{}", answer.out, answer.err);
    }
    for args in [&["backups", "list"][..], &["gc", "--dry-run"], &["log"], &["sessions"], &["blame", "a.txt"]] {
        let answer = repo.redraft(args, "");
        assert!(answer.status == 0 && answer.err.matches(LOST).count() == 1, "{args:?}: {}{}", answer.out, answer.err);
    }
}

/// Seen: done twice, without a word.
#[test]
fn a_request_that_may_be_the_lost_one_is_told_so() {
    let repo = TestRepo::with_files(&[("a.txt", TEXT)]);
    let request = |id: &str, old: &str| {
        json!({"path": "a.txt", "old_string": old, "new_string": format!("{old}\nnew"), "request_id": id}).to_string()
    };
    let send = |id, old| repo.redraft(&["apply"], &request(id, old)).json();
    send("lost", "two");
    send("kept", "five");
    let mut bytes = fs::read(journal(&repo)).expect("read");
    let at = frames(&bytes)[0] + 60;
    bytes[at] ^= 4;
    fs::write(journal(&repo), bytes).expect("written");
    let told = |answer: &Value| answer["data"]["warnings"].to_string().contains(LOST);
    let again = send("kept", "five");
    assert!(again["data"]["replayed"] == json!(true) && !told(&again), "{again}");
    let answer = send("lost", "two");
    assert!(answer["data"]["applied"] == json!(true) && told(&answer), "{answer}");
    // What came behind the damage is known again.
    let again = send("lost", "two");
    assert_eq!(again["data"]["replayed"], true, "{again}");
    let plain = json!({"path": "a.txt", "old_string": "nine", "new_string": "9"}).to_string();
    assert!(!told(&repo.redraft(&["apply"], &plain).json()), "it asks for no earlier one");
}

/// What tools of the MCP server answer, in order.
fn call(repo: &TestRepo, calls: &[(&str, Value)]) -> Vec<Value> {
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {}
    });
    let ask = |(n, (tool, arguments)): (usize, &(&str, Value))| {
        let params = json!({"name": tool, "arguments": arguments, "_meta": meta});
        format!("{}\n", json!({"jsonrpc": "2.0", "id": n, "method": "tools/call", "params": params}))
    };
    let asked: String = calls.iter().enumerate().map(ask).collect();
    let ran = finish(&mut command(&repo.root(), &["mcp"]), asked.as_bytes());
    let mut answers: Vec<Value> = ran.text().lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    answers.sort_by_key(|answer| answer["id"].as_u64());
    answers.into_iter().map(|answer| answer["result"].clone()).collect()
}

#[test]
fn the_mcp_server_tells_damage_to_the_model_and_to_programs_with_every_answer_that_meets_it() {
    let (repo, lost) = repo();
    let calls = [
        ("log", json!({})),
        ("blame", json!({"path": "a.txt"})),
        ("status", json!({})),
        ("diff", json!({"id": lost})),
        ("undo", json!({"ids": [lost]})),
        ("log", json!({})),
    ];
    let answers = call(&repo, &calls);
    assert_eq!(answers.len(), calls.len());
    for ((tool, _), answer) in calls.iter().zip(answers) {
        let texts = answer["content"].to_string();
        assert_eq!(texts.matches(LOST).count(), 1, "{tool}: {answer}");
        assert!(answer["structuredContent"].to_string().contains(LOST), "{tool}: {answer}");
    }
}

/// As somebody who has redraft in PATH.
fn commit(repo: &TestRepo) -> (bool, String) {
    let bin = Path::new(env!("CARGO_BIN_EXE_redraft")).parent().expect("a folder");
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").expect("PATH"));
    let output = clean(Command::new("git").args(["commit", "-qam", "x"]), &repo.root()).env("PATH", path).output();
    let output = output.expect("git runs");
    (output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn a_policy_of_reviewed_edits_is_never_passed_in_silence_by_an_edit_that_is_lost_to_damage() {
    for policy in [None, Some("unreviewed")] {
        let (repo, _) = repo();
        repo.done(&["hooks", "install", "--json"], "");
        policy.map(|policy| repo.git(&["config", "redraft.hookPolicy", policy]));
        // Only the line of the edit that is lost.
        repo.write("a.txt", TEXT.replace("five", "5"));
        let (_, told) = commit(&repo);
        assert_eq!(told.matches(LOST).count(), 1, "{told}");
        assert_eq!(told.contains("nobody can have reviewed"), policy.is_some(), "{told}");
    }
    // Where nothing is damaged nothing is said.
    let repo = TestRepo::with_files(&[("a.txt", TEXT)]);
    repo.edit("a.txt", "two", "2");
    repo.done(&["hooks", "install", "--json"], "");
    assert_eq!(commit(&repo), (true, String::new()));
}

/// The backups, oldest first.
fn backups(repo: &TestRepo) -> Vec<PathBuf> {
    let folders = fs::read_dir(repo.root().join(".git/redraft/worktrees/main/backups")).expect("listed");
    let mut files: Vec<_> = folders.map(|folder| folder.expect("an entry").path().join("a.txt")).collect();
    files.sort();
    files
}

#[test]
fn a_lost_backup_costs_no_hunk_where_a_later_edit_or_the_file_itself_has_the_text() {
    for (lost, damage) in [(&[1][..], "gone"), (&[1, 2], "gone"), (&[0, 1, 2], "gone"), (&[2], "a bit")] {
        let repo = TestRepo::with_files(&[("a.txt", TEXT)]);
        [("two", "2"), ("five", "5"), ("nine", "9")].iter().for_each(|(old, new)| drop(repo.edit("a.txt", old, new)));
        // A date that does not say how long ago it was: that changes while the test runs.
        let all: [&[&str]; 3] = [&["log", "-p", "--date", "iso"], &["blame", "a.txt", "--json"], &["diff", "@-"]];
        let want = all.map(|args| repo.redraft(args, "").out);
        for n in lost {
            let backup = &backups(&repo)[*n];
            match damage {
                "gone" => fs::remove_file(backup).expect("removed"),
                _ => fs::write(backup, TEXT.replace("ten", "xen")).expect("written"),
            }
        }
        let fsck = repo.redraft(&["fsck", "--json"], "");
        assert_eq!((fsck.status, fsck.out.matches("is damaged or gone").count()), (0, lost.len()), "{}", fsck.out);
        let check = |told: &str| {
            for (args, want) in all.iter().zip(&want) {
                let answer = repo.redraft(args, "");
                assert_eq!((&answer.out, answer.err.as_str()), (want, ""), "{told}: {lost:?}: {args:?}");
            }
        };
        check("not sealed");
        assert_eq!(repo.redraft(&["gc"], "").err, "");
        check("sealed");
        assert!(repo.redraft(&["fsck"], "").out.contains(" 0 files without kept texts: no damage"));
    }
}

#[test]
fn a_backup_whose_text_nothing_has_is_told_by_what_asks_for_it_and_by_who_seals_the_record() {
    let repo = TestRepo::with_files(&[("a.txt", TEXT)]);
    let id = repo.edit("a.txt", "two", "2");
    repo.write("a.txt", TEXT.replace("ten", "and mine"));
    fs::remove_file(&backups(&repo)[0]).expect("removed");
    let told = format!("the text that a.txt had before record {id} is lost");
    for args in
        [&["log", "-p"][..], &["diff", "@"], &["blame", "a.txt"], &["show"], &["log", "--stat"], &["fsck"], &["gc"]]
    {
        let answer = repo.redraft(args, "");
        assert_eq!(answer.err.matches(&told).count(), 1, "{args:?}: {}", answer.err);
        assert_eq!(answer.status, if args == ["fsck"] { 3 } else { 0 }, "{args:?}");
    }
    let fsck = repo.redraft(&["fsck"], "");
    assert!(fsck.status == 0 && fsck.out.contains("were lost when it was sealed"), "{}", fsck.out);
}

#[test]
fn a_record_that_a_renamed_ref_shows_twice_is_found_by_its_id_as_one() {
    for rename in
        [|refs: &str| refs.replace("/main/2", "/main/1"), |refs: &str| refs.replace("refs/redraft/", "refs/redraft/a")]
    {
        let repo = TestRepo::with_files(&[("a.txt", TEXT)]);
        let id = repo.edit("a.txt", "two", "2");
        repo.done(&["gc", "--json"], "");
        let packed = repo.root().join(".git/redraft/history.git/packed-refs");
        fs::write(&packed, rename(&fs::read_to_string(&packed).expect("read"))).expect("written");
        for name in [&id, &id[..4]] {
            let shown = repo.redraft(&["show", name], "");
            assert!(
                shown.status == 0 && shown.out.contains(&id) && !shown.err.is_empty(),
                "{}{}",
                shown.out,
                shown.err
            );
        }
        assert_eq!(repo.redraft(&["undo", &id], "").status, 0);
        assert_eq!(repo.text("a.txt"), TEXT);
    }
}

/// Three records, the last two of which are cut off in this way.
fn cut(way: impl Fn(&mut Vec<u8>, usize)) -> (TestRepo, [String; 3]) {
    let repo = TestRepo::with_files(&[("a.txt", TEXT)]);
    let ids = [("two", "2"), ("five", "5"), ("nine", "9")].map(|(old, new)| repo.edit("a.txt", old, new));
    let mut bytes = fs::read(journal(&repo)).expect("read");
    let second = frames(&bytes)[2];
    way(&mut bytes, second);
    fs::write(journal(&repo), bytes).expect("written");
    (repo, ids)
}

#[test]
fn a_journal_that_was_cut_or_shifted_in_an_entry_is_told_by_readers_as_by_the_next_edit() {
    let ways: [fn(&mut Vec<u8>, usize); 3] = [
        |bytes, at| bytes.truncate(at + 100),
        |bytes, at| drop(bytes.splice(at + 100..at + 100, *b"\0XYZ").collect::<Vec<_>>()),
        |bytes, at| drop(bytes.drain(at + 100..at + 104)),
    ];
    for way in ways {
        let (repo, ids) = cut(way);
        let readers: [&[&str]; 7] = [
            &["log"],
            &["status"],
            &["show", &ids[2]],
            &["undo", "--dry-run", "--answer", "text"],
            &["blame", "a.txt"],
            &["sessions"],
            &["fsck"],
        ];
        for args in readers {
            let answer = repo.redraft(args, "");
            let told = answer.out + &answer.err;
            assert_eq!(told.matches("it was cut off in the middle of an entry").count(), 1, "{args:?}: {told}");
        }
        let edit = json!({"path": "a.txt", "old_string": "ten", "new_string": "10"}).to_string();
        assert!(repo.redraft(&["apply"], &edit).out.contains("the journal was cut off in the middle of an entry"));
        kept_aside_is_told_until_it_is_removed(&repo, &ids[2]);
    }
}

/// What was lost with a journal that was put aside is told by readers, also by who asks for it, until somebody takes the file away.
fn kept_aside_is_told_until_it_is_removed(repo: &TestRepo, lost: &str) {
    const ASIDE: &str = "a damaged journal was put aside, and records that were in it may be missing";
    let aside = || {
        let names = fs::read_dir(repo.root().join(".git/redraft/worktrees/main")).expect("listed");
        let mut paths = names.map(|name| name.expect("an entry").path());
        paths.find(|path| path.to_string_lossy().contains("journal.damaged-"))
    };
    let kept = aside().expect("it is kept");
    for (args, status) in [(&["log"][..], 0), (&["show", lost], 1), (&["status"], 0), (&["fsck"], 3)] {
        let answer = repo.redraft(args, "");
        assert_eq!(answer.status, status, "{args:?}: {}{}", answer.out, answer.err);
        assert_eq!(answer.err.matches(ASIDE).count(), 1, "{args:?}: {}{}", answer.out, answer.err);
        assert!(answer.err.contains(&*kept.to_string_lossy()), "{args:?}: {}", answer.err);
    }
    let fsck = repo.redraft(&["fsck"], "").out;
    assert!(!fsck.contains("no damage") && fsck.contains("remove it when nobody needs it"), "{fsck}");
    assert!(repo.redraft(&["log"], "").err.contains("it is told no longer"));
    fs::remove_file(kept).expect("removed");
    assert_eq!((repo.redraft(&["log"], "").err.as_str(), aside()), ("", None));
    assert!(!repo.redraft(&["fsck"], "").err.contains(ASIDE));
}

/// Seen: a record was lost to a flipped bit, and after the next `gc` no command knew that there had been one.
#[test]
fn a_record_that_was_lost_with_a_damaged_journal_is_told_of_after_gc_too() {
    let (repo, lost) = repo();
    assert!(repo.redraft(&["gc"], "").err.contains(LOST));
    kept_aside_is_told_until_it_is_removed(&repo, &lost);
}

#[test]
fn records_that_a_journal_lost_without_a_trace_in_it_are_missed_by_fsck() {
    let ways: [fn(&mut Vec<u8>, usize); 3] =
        [|bytes, at| bytes.truncate(at), |bytes, at| bytes[at..].fill(0), |bytes, _| bytes.clear()];
    for way in ways {
        let (repo, ids) = cut(way);
        for _ in ["before the next edit", "after it"] {
            let fsck = repo.redraft(&["fsck"], "");
            assert!(fsck.status == 3 && fsck.err.contains("records are missing"), "{}{}", fsck.out, fsck.err);
            assert!(fsck.err.contains(&ids[1]) && fsck.err.contains(&ids[2]), "{}", fsck.err);
            repo.edit("a.txt", "ten", "10");
            repo.write("a.txt", TEXT);
            repo.done(&["gc", "--json"], "");
        }
    }
}

#[test]
fn what_has_no_record_because_that_was_wanted_is_not_missed_by_fsck() {
    let repo = TestRepo::with_files(&[("a.txt", TEXT)]);
    for (old, new) in [("two", "2"), ("three", "3"), ("four", "4")] {
        repo.edit("a.txt", old, new);
    }
    let without = json!({"path": "a.txt", "old_string": "five", "new_string": "5"}).to_string();
    repo.git(&["config", "redraft.record", "none"]);
    assert_eq!(repo.redraft(&["apply"], &without).status, 0);
    // One that does not happen.
    assert_ne!(repo.redraft(&["apply", "--verify", "false"], &without.replace("five", "six")).status, 0);
    let check = |told: &str| {
        let fsck = repo.redraft(&["fsck"], "");
        assert!(fsck.status == 0 && !fsck.out.contains("backup"), "{told}: {}{}", fsck.out, fsck.err);
    };
    check("in the journal");
    repo.done(&["gc", "--json"], "");
    check("sealed");
    repo.done(&["gc", "--keep-records", "1", "--yes", "--json"], "");
    assert_eq!(repo.redraft(&["log", "--json"], "").lines().len(), 1);
    check("dropped");
    assert!(backups(&repo).len() == 4, "all have a backup");
}
