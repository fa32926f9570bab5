//! Which git commits a record is in: by what they hold, with redraft's hooks and without them, whatever messages say.

use crate::support::{TestRepo, clean};
use serde_json::{Value, json};
use std::path::Path;
use std::process::Command;

const TEXT: &str = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\n";

fn repo() -> TestRepo {
    TestRepo::with_files(&[("a.txt", TEXT), ("b.txt", TEXT)])
}

fn with_hooks() -> TestRepo {
    let repo = repo();
    repo.done(&["hooks", "install", "--json"], "");
    repo
}

/// Runs git as somebody who has redraft in PATH.
fn git(repo: &TestRepo, args: &[&str]) -> String {
    let bin = Path::new(env!("CARGO_BIN_EXE_redraft")).parent().expect("a folder");
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").expect("PATH"));
    let output = clean(Command::new("git").args(args), &repo.root()).env("PATH", path).output().expect("git runs");
    assert!(output.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

fn commit_id(repo: &TestRepo, name: &str) -> String {
    git(repo, &["rev-parse", name]).trim().to_owned()
}

fn shown(repo: &TestRepo, id: &str) -> Value {
    let shown = repo.done(&["show", id, "--json"], "");
    let logged = repo.redraft(&["log", "--json"], "").lines();
    let logged = logged.iter().find(|record| record["id"] == id).expect("it is in the log");
    assert_eq!((&logged["commit"], &logged["commits"]), (&shown["commit"], &shown["commits"]));
    shown
}

#[track_caller]
fn assert_in(repo: &TestRepo, id: &str, commits: &[&str]) {
    let commits: Vec<String> = commits.iter().map(|name| commit_id(repo, name)).collect();
    let shown = shown(repo, id);
    assert_eq!(shown["commit"], json!(commits.last()), "{}", git(repo, &["log", "--oneline"]));
    let several = if commits.len() > 1 { json!(commits) } else { Value::Null };
    assert_eq!(shown["commits"], several);
}

#[test]
fn a_trailer_in_anybodys_message_moves_no_record() {
    for repo in [repo(), with_hooks()] {
        let (id, open) = (repo.edit("a.txt", "two", "2"), repo.edit("b.txt", "two", "2"));
        git(&repo, &["commit", "-q", "-m", "it", "a.txt"]);
        assert_in(&repo, &id, &["HEAD"]);
        let forged = format!("nothing\n\nRedraft-Id: {id}\nRedraft-Id: {open}\n");
        git(&repo, &["commit", "-q", "--allow-empty", "-m", &forged]);
        assert_in(&repo, &id, &["HEAD~"]);
        assert_in(&repo, &open, &[]);
        repo.write("a.txt", repo.text("a.txt").replace("nine", "9"));
        git(&repo, &["commit", "-q", "-m", &forged, "a.txt"]);
        assert_in(&repo, &id, &["HEAD~2"]);
        assert_in(&repo, &open, &[]);
    }
}

#[test]
fn without_hooks_log_show_and_blame_find_the_commit_by_what_it_holds() {
    let repo = repo();
    let id = repo.edit("a.txt", "two\n", "2\nand a half\n");
    let gone = repo.edit("a.txt", "seven\n", "");
    let new = repo.apply(json!({"path": "new.txt", "content": "a new file\nof two lines\n"}));
    repo.commit_all("all");
    repo.write("a.txt", repo.text("a.txt").replace("ten", "TEN"));
    repo.commit_all("the user's");
    for id in [&id, &gone, &new] {
        assert_in(&repo, id, &["HEAD~"]);
    }
    let lines = repo.redraft(&["blame", "--json", "a.txt"], "").lines();
    let at = |line: usize| (lines[line]["record"].clone(), lines[line]["commit"].clone());
    assert_eq!(at(1), (json!(id), json!(commit_id(&repo, "HEAD~"))));
    assert_eq!(at(0), (Value::Null, json!(commit_id(&repo, "HEAD~2"))));
    assert_eq!(at(9), (Value::Null, json!(commit_id(&repo, "HEAD"))), "{lines:?}");
    let text = repo.redraft(&["log"], "").out;
    assert_eq!(text.matches(&format!("git commit {}", &commit_id(&repo, "HEAD~")[..10])).count(), 3, "{text}");
}

#[test]
fn a_record_that_was_committed_in_halves_names_every_commit() {
    for repo in [repo(), with_hooks()] {
        let both = json!({"path": "a.txt", "edits": [
            {"old_string": "two\n", "new_string": "2\n"}, {"old_string": "nine\n", "new_string": "9\n"}]});
        let id = repo.apply(both);
        let whole = repo.text("a.txt");
        repo.write("a.txt", TEXT.replace("two\n", "2\n"));
        git(&repo, &["add", "a.txt"]);
        repo.write("a.txt", &whole);
        git(&repo, &["commit", "-qm", "first half"]);
        assert_in(&repo, &id, &["HEAD"]);
        git(&repo, &["commit", "-qam", "second half"]);
        assert_in(&repo, &id, &["HEAD~", "HEAD"]);
    }
}

#[test]
fn an_amend_with_a_new_message_and_a_rebase_are_followed_with_hooks_and_without() {
    for repo in [repo(), with_hooks()] {
        let id = repo.edit("a.txt", "two", "2");
        git(&repo, &["commit", "-qam", "first"]);
        git(&repo, &["commit", "-q", "--amend", "-m", "no trailers here"]);
        assert_in(&repo, &id, &["HEAD"]);
        git(&repo, &["checkout", "-q", "-b", "other", "HEAD~"]);
        assert_in(&repo, &id, &["main"]);
        repo.write("b.txt", "other\n");
        git(&repo, &["commit", "-qam", "other"]);
        git(&repo, &["rebase", "-q", "other", "main"]);
        assert_in(&repo, &id, &["HEAD"]);
        // What was amended away is not in the commit any more.
        repo.write("a.txt", TEXT);
        git(&repo, &["commit", "-qa", "--amend", "--allow-empty", "-m", "without it"]);
        assert_in(&repo, &id, &[]);
    }
}

#[test]
fn a_commit_that_was_reset_away_is_not_named() {
    for repo in [repo(), with_hooks()] {
        let id = repo.edit("a.txt", "two", "2");
        git(&repo, &["commit", "-qam", "it"]);
        git(&repo, &["reset", "-q", "--soft", "HEAD~"]);
        assert_in(&repo, &id, &[]);
        git(&repo, &["commit", "-qm", "again"]);
        assert_in(&repo, &id, &["HEAD"]);
    }
}

#[test]
fn lines_are_found_at_the_path_to_which_the_user_moved_the_file() {
    for repo in [repo(), with_hooks()] {
        repo.write("b.txt", TEXT.replace('e', "E"));
        git(&repo, &["commit", "-qam", "another text"]);
        let (id, later) = (repo.edit("a.txt", "two", "2"), repo.edit("b.txt", "two", "2"));
        git(&repo, &["mv", "a.txt", "moved.txt"]);
        git(&repo, &["mv", "b.txt", "other.txt"]);
        git(&repo, &["add", "moved.txt"]);
        git(&repo, &["commit", "-qm", "moved, one of them with its edit"]);
        assert_in(&repo, &id, &["HEAD"]);
        assert_in(&repo, &later, &[]);
        git(&repo, &["commit", "-qam", "the other edit"]);
        assert_in(&repo, &id, &["HEAD~"]);
        assert_in(&repo, &later, &["HEAD"]);
    }
}

#[test]
fn a_commit_that_only_renames_holds_nothing_of_the_lines_of_a_record_that_renamed_too() {
    for repo in [repo(), with_hooks()] {
        let edits = [json!({"old_string": "two", "new_string": "2"})];
        let id = repo.apply(json!({"path": "a.txt", "rename_to": "c.txt", "edits": edits}));
        repo.write("c.txt", TEXT);
        git(&repo, &["add", "-A"]);
        repo.write("c.txt", TEXT.replace("two", "2"));
        git(&repo, &["commit", "-qm", "the name alone"]);
        assert_in(&repo, &id, &[]);
        git(&repo, &["commit", "-qam", "the line"]);
        assert_in(&repo, &id, &["HEAD"]);
    }
}

#[test]
fn a_rename_is_in_the_commit_that_renames_and_in_no_later_one_of_the_file() {
    for repo in [repo(), with_hooks()] {
        let id = repo.apply(json!({"path": "a.txt", "rename_to": "c.txt"}));
        git(&repo, &["add", "-A"]);
        git(&repo, &["commit", "-qm", "renamed"]);
        repo.write("c.txt", TEXT.replace("nine", "9"));
        git(&repo, &["commit", "-qam", "went on"]);
        assert_in(&repo, &id, &["HEAD~"]);
    }
}

#[test]
fn a_commit_of_somebody_elses_lines_beside_is_not_named() {
    let repo = repo();
    let id = repo.edit("a.txt", "two\n", "2\n");
    let whole = repo.text("a.txt");
    repo.write("a.txt", TEXT.replace("nine\n", "9\n"));
    repo.commit_all("the user's own line");
    repo.write("a.txt", whole.replace("nine\n", "9\n"));
    assert_in(&repo, &id, &[]);
    repo.commit_all("the agent's");
    assert_in(&repo, &id, &["HEAD"]);
    repo.done(&["undo", &id], "");
    repo.commit_all("undone");
    assert_in(&repo, &id, &["HEAD~"]);
}

#[test]
fn a_merge_that_holds_what_no_parent_has_is_named_and_others_are_not() {
    let repo = repo();
    git(&repo, &["checkout", "-q", "-b", "side"]);
    let id = repo.edit("a.txt", "two", "2");
    repo.commit_all("on the side");
    git(&repo, &["checkout", "-q", "main"]);
    repo.write("b.txt", "main\n");
    repo.commit_all("on main");
    git(&repo, &["merge", "-q", "--no-commit", "side"]);
    let in_merge = repo.edit("a.txt", "nine", "9");
    git(&repo, &["commit", "-qam", "merge"]);
    assert_in(&repo, &id, &["side"]);
    assert_in(&repo, &in_merge, &["HEAD"]);
}

#[test]
fn line_endings_and_encodings_that_git_converts_hide_no_commit() {
    let repo = repo();
    repo.write(".gitattributes", "*.crlf text eol=crlf\n*.u16 text working-tree-encoding=UTF-16LE\n");
    repo.write("t.crlf", TEXT.replace('\n', "\r\n"));
    let wide = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    repo.write("t.u16", wide(TEXT));
    repo.commit_all("converted");
    let id = repo.edit("t.crlf", "two\r\n", "2\r\n");
    let other = repo.edit("t.crlf", "nine\r\n", "9\r\n");
    let text = repo.text("t.crlf");
    repo.write("t.crlf", text.replace("9\r\n", "nine\r\n"));
    repo.commit_all("one of two");
    repo.write("t.crlf", text);
    assert_in(&repo, &id, &["HEAD"]);
    assert_in(&repo, &other, &[]);
    repo.commit_all("the other");
    assert_in(&repo, &id, &["HEAD~"]);
    assert_in(&repo, &other, &["HEAD"]);
}

/// Seen: no commit was named, and no trailer written: a block was looked for as a whole.
#[test]
fn a_block_of_which_somebody_changed_a_line_is_in_the_commit_that_has_the_others() {
    let block = "two\nblock 1\nblock 2\nblock 3\nblock 4\n";
    let touches = [("block 2", "mine"), ("block 2\n", ""), ("block 2", "block 1b\nblock 2"), ("block 2", "  block 2")];
    for (repo, (old, new)) in [repo, with_hooks].into_iter().flat_map(|repo| touches.map(|touch| (repo(), touch))) {
        let id = repo.edit("a.txt", "two\n", block);
        repo.write("a.txt", repo.text("a.txt").replace(old, new));
        git(&repo, &["commit", "-qam", "it"]);
        assert_in(&repo, &id, &["HEAD"]);
        let at = repo.redraft(&["log", "--json", "--commit", "HEAD"], "").lines();
        assert_eq!(at.len(), 1, "{at:?}");
        // Another edit of it, or beside it, is not it.
        repo.write("a.txt", repo.text("a.txt").replace("block 3", "mine, too").replace("nine", "9"));
        git(&repo, &["commit", "-qam", "mine"]);
        assert_in(&repo, &id, &["HEAD~"]);
    }
}

#[test]
fn a_block_that_is_committed_a_line_at_a_time_is_in_each_of_the_commits() {
    for repo in [repo(), with_hooks()] {
        let id = repo.edit("a.txt", "two\n", "two\nblock 1\nblock 2\n");
        let whole = repo.text("a.txt");
        repo.write("a.txt", whole.replace("block 2\n", ""));
        git(&repo, &["commit", "-qam", "a line"]);
        assert_in(&repo, &id, &["HEAD"]);
        repo.write("a.txt", &whole);
        git(&repo, &["commit", "-qam", "the other"]);
        assert_in(&repo, &id, &["HEAD~", "HEAD"]);
    }
}

/// Seen: HEAD had no record, and the log named the commit of the other branch.
#[test]
fn what_redraft_committed_is_in_head_s_commit_where_head_has_it_in_one_of_its_own() {
    let repo = repo();
    let edit = json!({"path": "a.txt", "old_string": "two", "new_string": "TWO"});
    let made = repo.done(&["apply", "--record", "commit"], &edit.to_string());
    let id = made["data"]["record"]["id"].as_str().expect("a record").to_owned();
    let main = commit_id(&repo, "HEAD");
    git(&repo, &["checkout", "-q", "-b", "topic"]);
    assert_in(&repo, &id, &["HEAD"]);
    git(&repo, &["commit", "-q", "--amend", "-m", "better"]);
    assert_in(&repo, &id, &["HEAD"]);
    assert_eq!(repo.redraft(&["log", "--commit", "HEAD", "--json"], "").lines().len(), 1);
    // Where HEAD has it not, the other branch has.
    git(&repo, &["reset", "-q", "--hard", "HEAD^"]);
    assert_in(&repo, &id, &[&main]);
}
