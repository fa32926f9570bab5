//! Marks of what a person has reviewed: set at the command line only, kept, told, and asked for by `redraft.hookPolicy`.

use crate::support::run::{command, finish};
use crate::support::{TestRepo, try_git};
use serde_json::{Value, json};

/// With redraft's hooks, and the policy.
fn repo() -> TestRepo {
    let repo = TestRepo::with_files(&[("a", "1\n2\n3\n4\n5\n6\n7\n8\n9\n"), ("b", "b\n")]);
    repo.done(&["hooks", "install", "--json"], "");
    repo.git(&["config", "redraft.hookPolicy", "unreviewed"]);
    repo
}

#[track_caller]
fn refused(repo: &TestRepo, args: &[&str], id: &str) {
    let output = try_git(repo, args);
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success() && told.contains(id) && told.contains("redraft review"), "{told}");
}

/// The mark of a record, as `show` has it.
fn mark(repo: &TestRepo, id: &str) -> Value {
    repo.redraft(&["show", id, "--json"], "").json()["reviewed"].clone()
}

#[test]
fn a_commit_passes_once_its_records_are_reviewed_and_not_when_the_mark_is_taken_away() {
    let repo = repo();
    let one = repo.edit("a", "1", "ONE");
    let two = repo.edit("a", "9", "NINE");
    repo.git(&["add", "a"]);
    repo.done(&["hooks", "review", &one, "--json"], "");
    refused(&repo, &["commit", "-qm", "x"], &two);
    repo.done(&["hooks", "review", &two, "--json"], "");
    assert_eq!(repo.done(&["hooks", "review", "--unmark", &one, "--json"], ""), json!({"unmarked": [one]}));
    refused(&repo, &["commit", "-qm", "x"], &one);
    assert_eq!(repo.redraft(&["hooks", "review", &one], "").out, format!("reviewed {one}\n"));
    assert!(try_git(&repo, &["commit", "-qm", "x"]).status.success());
    // A person's own lines need no review, also in the same file.
    repo.write("a", repo.text("a").replace('5', "FIVE"));
    assert!(try_git(&repo, &["commit", "-qam", "y"]).status.success());
}

#[test]
fn a_commit_of_records_asks_for_their_marks_alone() {
    let repo = repo();
    let one = repo.edit("a", "1", "ONE");
    repo.edit("a", "9", "NINE");
    let answer = repo.redraft(&["commit", &one, "--json"], "");
    assert!(answer.status == 1 && answer.out.contains("\"policy\"") && answer.out.contains(&one), "{}", answer.out);
    let dry = repo.redraft(&["commit", &one, "--dry-run", "--json"], "");
    assert!(dry.status == 1 && dry.out.contains(&one), "{}", dry.out);
    repo.done(&["hooks", "review", &one, "--json"], "");
    assert_eq!(repo.redraft(&["commit", &one], "").status, 0);
    let diff = repo.git(&["show", "--format=", "HEAD"]);
    assert!(diff.contains("+ONE") && !diff.contains("NINE"), "{diff}");
}

#[test]
fn a_mark_is_told_and_outlives_sealing_gc_and_the_worktree() {
    let repo = repo();
    repo.git(&["worktree", "add", "-q", "../linked"]);
    let linked = repo.outside().join("linked");
    let request = json!({"path": "b", "old_string": "b", "new_string": "B"}).to_string();
    let answer = repo.redraft_in(&linked, &["apply"], &request).json();
    let elsewhere = answer["data"]["record"]["id"].as_str().expect("an id").to_owned();
    assert_eq!(repo.redraft_in(&linked, &["hooks", "review", &elsewhere], "").status, 0);
    let id = repo.edit("a", "1", "ONE");
    let other = repo.edit("a", "9", "NINE");
    repo.git(&["config", "user.name", "Ann \u{1b}[2JX"]);
    repo.done(&["hooks", "review", &id, "--json"], "");
    let told = mark(&repo, &id);
    assert!(told["time"].as_str().is_some_and(|time| time.ends_with('Z')), "{told}");
    repo.git(&["worktree", "remove", "--force", "../linked"]);
    for _ in ["in the journal", "sealed"] {
        assert_eq!(mark(&repo, &id), told);
        assert_eq!(mark(&repo, &other), Value::Null);
        assert_ne!(mark(&repo, &elsewhere), Value::Null, "all worktrees have one list");
        let log = repo.redraft(&["log"], "").out;
        assert!(log.contains(&format!("record {id} (reviewed)")) && log.contains("Reviewed: by Ann"), "{log}");
        assert!(!log.contains('\u{1b}'), "{log}");
        assert!(repo.redraft(&["log", "--oneline"], "").out.contains("(reviewed)"));
        assert!(repo.redraft(&["show", &id], "").out.contains("Reviewed: by Ann"));
        let long = repo.redraft(&["status", "--long"], "").out;
        assert_eq!(long.matches(", reviewed\n").count(), 1, "{long}");
        let status = repo.redraft(&["status", "--json"], "").json();
        let records = &status["agent_changes"][0]["records"];
        assert_eq!((&records[0]["reviewed"], &records[1]["reviewed"]), (&Value::Null, &told), "{status}");
        repo.done(&["gc", "--json"], "");
    }
}

/// Agents send requests and call tools; whether somebody looked at what they did is not theirs to say.
#[test]
fn nothing_that_an_agent_sends_marks_a_record() {
    let repo = repo();
    let id = repo.edit("a", "1", "ONE");
    let list = |text: &str| json!({"path": ".git/redraft/reviewed", "content": text}).to_string();
    assert_ne!(repo.redraft(&["apply"], &list(&format!("{id}\n"))).status, 0);
    for extra in ["reviewed", "mark", "review"] {
        let mut request = json!({"path": "a", "old_string": "9", "new_string": "9!"});
        request[extra] = json!(true);
        repo.redraft(&["apply"], &request.to_string());
    }
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {}
    });
    let ask = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": meta}});
    let ran = finish(&mut command(&repo.root(), &["mcp"]), format!("{ask}\n").as_bytes());
    let tools = ran.text();
    assert!(tools.contains("\"undo\"") && !tools.contains("eview"), "{tools}");
    assert!(!repo.has(".git/redraft/reviewed"));
    repo.git(&["add", "a"]);
    refused(&repo, &["commit", "-qm", "x"], &id);
}

/// A list that cannot be read marks nothing, and a commit says so.
#[test]
fn a_damaged_list_of_marks_lets_nothing_pass() {
    let repo = repo();
    let id = repo.edit("a", "1", "ONE");
    repo.git(&["add", "a"]);
    repo.write(".git/redraft/reviewed", [b"\xff\xfe ", id.as_bytes(), b"\n", &id.as_bytes()[1..], b" 1 x\n"].concat());
    refused(&repo, &["commit", "-qm", "x"], &id);
    assert_eq!(mark(&repo, &id), Value::Null);
    std::fs::remove_file(repo.root().join(".git/redraft/reviewed")).expect("it is there");
    std::fs::create_dir(repo.root().join(".git/redraft/reviewed")).expect("made");
    assert!(!try_git(&repo, &["commit", "-qm", "x"]).status.success());
    let shown = repo.redraft(&["show", &id], "");
    assert!(shown.status == 0 && shown.err.contains("reviewed"), "{}", shown.err);
}

#[test]
fn a_mark_that_was_taken_back_stays_so_where_the_line_that_says_it_is_damaged_or_lost() {
    let repo = repo();
    let (id, other) = (repo.edit("a", "1", "ONE"), repo.edit("a", "9", "NINE"));
    repo.git(&["add", "a"]);
    repo.done(&["hooks", "review", &id, "--json"], "");
    repo.done(&["hooks", "review", &other, "--json"], "");
    repo.done(&["hooks", "review", "--unmark", &id, "--json"], "");
    let list = repo.root().join(".git/redraft/reviewed");
    let bytes = std::fs::read(&list).expect("read");
    let last = bytes[..bytes.len() - 1].iter().rposition(|byte| *byte == b'\n').expect("a line before") + 1;
    let with = |at: usize, byte: u8| [&bytes[..at], &[byte], &bytes[at + 1..]].concat();
    // A letter of the id, which is random.
    let other_letter = if bytes[last + 3] == b'q' { b'r' } else { b'q' };
    let lost = bytes[..last].to_vec();
    let zeroed = [&bytes[..last], &vec![0; bytes.len() - last]].concat();
    for damaged in
        [with(last, b'\n'), with(last, b'-' ^ 0x20), with(last, b' '), with(last + 3, other_letter), zeroed, lost]
    {
        std::fs::write(&list, &damaged).expect("written");
        refused(&repo, &["commit", "-qm", "x"], &id);
        assert_eq!(mark(&repo, &id), Value::Null);
        let is_damaged = damaged.len() == bytes.len();
        let (shown, fsck) = (repo.redraft(&["log"], ""), repo.redraft(&["fsck"], ""));
        assert_eq!(shown.err.contains("damaged line"), is_damaged, "{}", shown.err);
        assert_eq!((fsck.status == 3, fsck.err.contains("damaged line")), (is_damaged, is_damaged), "{}", fsck.err);
        let told = try_git(&repo, &["commit", "-qm", "x"]).stderr;
        assert_eq!(String::from_utf8_lossy(&told).contains("damaged line"), is_damaged);
    }
    std::fs::write(&list, with(last, b'\n')).expect("written");
    // Who reviews again has marks that count, and nothing is told any more.
    let done = repo.redraft(&["hooks", "review"], "");
    assert!(done.status == 0 && done.out.contains(&id) && done.out.contains(&other), "{}{}", done.out, done.err);
    assert_eq!(repo.redraft(&["log"], "").err, "");
    assert!(try_git(&repo, &["commit", "-qm", "x"]).status.success());
}

/// What is staged is committed only once `hooks review` was said.
#[track_caller]
fn passes_once_reviewed(repo: &TestRepo, id: &str) {
    refused(repo, &["commit", "-qm", "x"], id);
    repo.done(&["hooks", "review", "--json"], "");
    let output = try_git(repo, &["commit", "-qm", "x"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Seen: an agent's line passed that it had put in beside padding of 8 MiB, which it took out again: of neither edit is a text kept.
#[test]
fn an_edit_of_which_no_text_is_kept_is_asked_for_its_mark() {
    let repo = repo();
    let padding = "#".repeat(8_500_000);
    let padded = repo.edit("a", "1\n", &format!("evil\n{padding}\n"));
    repo.edit("a", &format!("{padding}\n"), "");
    repo.git(&["add", "a"]);
    passes_once_reviewed(&repo, &padded);
    let large = repo.apply(json!({"path": "large", "content": padding}));
    repo.git(&["add", "large"]);
    passes_once_reviewed(&repo, &large);
}

/// Seen: an agent's edit of a file passed that a filter driver converts, or of which it only set the mode.
#[test]
fn an_edit_of_which_git_has_another_text_or_only_the_mode_is_asked_for_its_mark() {
    let repo = repo();
    repo.git(&["config", "filter.same.clean", "cat"]);
    repo.write(".gitattributes", "a filter=same\n");
    let id = repo.edit("a", "1", "evil");
    repo.git(&["add", "a"]);
    passes_once_reviewed(&repo, &id);
    let patch = "diff --git a/b b/b\nold mode 100644\nnew mode 100755\n";
    let id = repo.redraft(&["apply"], patch).json()["data"]["record"]["id"].as_str().expect("an id").to_owned();
    repo.git(&["add", "b"]);
    passes_once_reviewed(&repo, &id);
    // That somebody else set one, or edits such a file, is not theirs.
    repo.chmod("b", 0o644);
    repo.write("a", repo.text("a").replace('9', "NINE"));
    repo.git(&["add", "a", "b"]);
    assert!(try_git(&repo, &["commit", "-qm", "y"]).status.success());
}

/// Seen: a staged edit of an agent passed that it had undone, behind three dozen edits to and fro.
#[test]
fn a_staged_edit_is_asked_for_its_mark_behind_however_many_newer_ones() {
    let repo = repo();
    let id = repo.edit("a", "1\n", "evil\n");
    repo.git(&["add", "a"]);
    repo.done(&["undo", &id], "");
    for _ in 0..18 {
        repo.edit("a", "2\n", "two\n");
        repo.edit("a", "two\n", "2\n");
    }
    passes_once_reviewed(&repo, &id);
}

#[test]
fn a_large_file_of_which_an_edit_was_committed_without_the_hook_is_a_person_s_to_edit() {
    let repo = repo();
    repo.apply(json!({"path": "large", "content": "#\n".repeat(4_500_000)}));
    repo.git(&["add", "large"]);
    assert!(try_git(&repo, &["commit", "-qnm", "x"]).status.success());
    for text in ["one", "two"] {
        repo.write("large", repo.text("large") + text);
        let output = try_git(&repo, &["commit", "-qam", text]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
}
