//! Who wrote a line of a text that no record left: of two branches that were merged, of commits that hold a part of an edit.

use crate::support::TestRepo;
use serde_json::{Value, json};

fn repo() -> TestRepo {
    let text: String = (1..=30).map(|n| format!("line {n}\n")).collect();
    TestRepo::with_files(&[("a.txt", &text)])
}

fn edit(repo: &TestRepo, path: &str, old: &str, new: &str, agent: &str) -> String {
    repo.apply(json!({"path": path, "old_string": old, "new_string": new, "agent": {"name": agent}}))
}

/// The agent of each line that is none of the first text's, with its text.
fn writers(repo: &TestRepo, path: &str) -> Vec<String> {
    let answer = repo.redraft(&["blame", path, "--json"], "");
    assert_eq!(answer.status, 0, "{}", answer.err);
    let text = |line: &Value| line["text"].as_str().expect("text").to_owned();
    let who = |line: &Value| line["agent"].as_str().unwrap_or("-").to_owned();
    let lines = answer.lines();
    lines.iter().filter(|line| !text(line).starts_with("line ")).map(|l| format!("{}:{}", who(l), text(l))).collect()
}

/// Two agents and a person, each on one of two branches.
fn two_branches() -> TestRepo {
    let repo = repo();
    repo.git(&["checkout", "-q", "-b", "side"]);
    edit(&repo, "a.txt", "line 3\n", "ann's\n}\n", "ann");
    repo.commit_all("side");
    repo.write("a.txt", repo.text("a.txt").replace("line 28\n", "person's\n}\n"));
    repo.commit_all("side, a person's");
    repo.git(&["checkout", "-q", "-"]);
    edit(&repo, "a.txt", "line 20\n", "bob's\n", "bob");
    repo.commit_all("main");
    repo
}

const EACH: [&str; 5] = ["ann:ann's", "ann:}", "bob:bob's", "-:person's", "-:}"];

#[test]
fn lines_of_two_branches_that_were_merged_are_their_writers() {
    let repo = two_branches();
    repo.git(&["merge", "-q", "-m", "both", "side"]);
    assert_eq!(writers(&repo, "a.txt"), EACH);
    // Also in the next text, which nobody left either.
    repo.write("a.txt", repo.text("a.txt").replace("line 10\n", "later\n"));
    repo.commit_all("later");
    assert_eq!(writers(&repo, "a.txt"), ["ann:ann's", "ann:}", "-:later", "bob:bob's", "-:person's", "-:}"]);
}

#[test]
fn lines_of_branches_are_their_writers_beside_other_files_of_the_commit_and_with_other_ends_since() {
    let repo = repo();
    let attributes = |ends: &str| {
        repo.write(".git/info/attributes", format!("* text eol={ends}\n"));
        std::fs::remove_file(repo.root().join("a.txt")).expect("a file");
        repo.git(&["checkout", "-q", "a.txt"]);
    };
    attributes("crlf");
    repo.git(&["checkout", "-q", "-b", "side"]);
    repo.write("0.txt", (1..=30).map(|n| format!("other {n}\n")).collect::<String>());
    edit(&repo, "a.txt", "line 3\n", "ann's\n}\n", "ann");
    repo.commit_all("side");
    repo.git(&["checkout", "-q", "-"]);
    edit(&repo, "a.txt", "line 20\n", "bob's\n", "bob");
    repo.commit_all("main");
    repo.git(&["merge", "-q", "-m", "both", "side"]);
    for ends in ["crlf", "lf"] {
        attributes(ends);
        let found: Vec<String> = writers(&repo, "a.txt").iter().map(|line| line.replace('\r', "")).collect();
        assert_eq!(found, ["ann:ann's", "ann:}", "bob:bob's"], "{ends}");
    }
}

#[test]
fn lines_of_a_branch_that_was_rebased_are_their_writers() {
    let repo = two_branches();
    let main = repo.git(&["branch", "--show-current"]);
    repo.git(&["checkout", "-q", "side"]);
    repo.git(&["rebase", "-q", main.trim()]);
    assert_eq!(writers(&repo, "a.txt"), EACH);
}

#[test]
fn a_line_of_a_committed_part_is_its_writers_once_the_rest_is_discarded() {
    let repo = repo();
    edit(&repo, "a.txt", "line 3\n", "ann's\n", "ann");
    repo.commit_all("one");
    repo.write("a.txt", repo.text("a.txt").replace("ann's\n", "person's\n"));
    edit(&repo, "a.txt", "line 20\n", "bob's\n", "bob");
    let text = repo.text("a.txt");
    repo.write("a.txt", text.replace("person's\n", "ann's\n"));
    repo.git(&["add", "a.txt"]);
    repo.write("a.txt", text);
    repo.git(&["commit", "-q", "-m", "two"]);
    repo.git(&["checkout", "-q", "."]);
    assert_eq!(writers(&repo, "a.txt"), ["ann:ann's", "bob:bob's"]);
}

#[test]
fn a_line_of_a_file_that_was_renamed_is_its_writers_whatever_has_the_old_name_now() {
    for name in ["b.txt", "n\u{e9}w \"name\".txt"] {
        let repo = repo();
        edit(&repo, "a.txt", "line 3\n", "ann's\n", "ann");
        repo.commit_all("one");
        repo.git(&["mv", "a.txt", name]);
        repo.git(&["commit", "-q", "-m", "renamed"]);
        repo.write("a.txt", "another\n");
        assert_eq!(writers(&repo, name), ["ann:ann's"]);
        repo.write(name, repo.text(name).replace("line 9\n", "person's\n"));
        assert_eq!(writers(&repo, name), ["ann:ann's", "-:person's"]);
    }
}

/// Seen: nobody's, as of the records made since none had a line of the commit, and what was behind them was not asked.
#[test]
fn a_staged_line_that_came_back_from_the_index_is_its_writers_behind_discarded_edits() {
    let repo = repo();
    let ann = edit(&repo, "a.txt", "line 3\n", "ann's\n", "ann");
    repo.git(&["add", "a.txt"]);
    repo.done(&["undo", &ann], "");
    for (line, word) in [(20, "bob's"), (22, "bob's, too"), (24, "bob's, as well")] {
        edit(&repo, "a.txt", &format!("line {line}\n"), &format!("{word}\n"), "bob");
    }
    repo.git(&["restore", "a.txt"]);
    repo.write("a.txt", repo.text("a.txt").replace("line 28\n", "person's\n"));
    repo.commit_all("ann's and a person's");
    edit(&repo, "a.txt", "line 12\n", "cid's\n", "cid");
    assert_eq!(writers(&repo, "a.txt"), ["ann:ann's", "cid:cid's", "-:person's"]);
}

/// Seen: "not committed, by nobody known", and no changes of agents in `status`.
#[test]
fn a_stashed_line_that_is_popped_behind_another_edit_is_its_writers() {
    let repo = repo();
    let id = edit(&repo, "a.txt", "line 3\n", "ann's\n", "ann");
    repo.git(&["stash", "-q"]);
    edit(&repo, "a.txt", "line 20\n", "bob's\n", "bob");
    repo.commit_all("main");
    repo.git(&["stash", "pop", "-q"]);
    repo.write("a.txt", repo.text("a.txt").replace("line 28\n", "person's\n"));
    assert_eq!(writers(&repo, "a.txt"), ["ann:ann's", "bob:bob's", "-:person's"]);
    assert_eq!(repo.redraft(&["status", "--porcelain"], "").out, format!("ME {id} a.txt\n"));
    repo.commit_all("popped");
    assert_eq!(writers(&repo, "a.txt"), ["ann:ann's", "bob:bob's", "-:person's"]);
    assert_eq!(repo.redraft(&["status", "--porcelain"], "").out, "");
}

#[test]
fn a_line_that_a_person_writes_where_an_agents_was_taken_out_of_a_commit_is_the_persons() {
    let repo = repo();
    edit(&repo, "a.txt", "line 3\n", "ann's\n", "ann");
    repo.commit_all("ann's");
    repo.write("a.txt", repo.text("a.txt").replace("ann's\n", "line 3\n"));
    repo.commit_all("taken out");
    edit(&repo, "a.txt", "line 20\n", "bob's\n", "bob");
    repo.write("a.txt", repo.text("a.txt").replace("line 3\n", "ann's\n"));
    assert_eq!(writers(&repo, "a.txt"), ["-:ann's", "bob:bob's"]);
}

#[test]
fn a_persons_line_that_is_equal_to_an_agents_stays_the_persons() {
    let repo = repo();
    edit(&repo, "a.txt", "line 3\n", "line 3\n  }\n", "ann");
    repo.commit_all("ann's");
    repo.write("a.txt", repo.text("a.txt").replace("line 3\n  }\n", "line 3\n"));
    repo.commit_all("taken out");
    repo.write("a.txt", repo.text("a.txt").replace("line 20\n", "line 20\n  }\n"));
    repo.commit_all("a person's");
    assert_eq!(writers(&repo, "a.txt"), ["-:  }"]);
}

/// The branch on which the first record was made is gone, with all that it had.
#[test]
fn lines_are_told_where_the_commit_of_the_first_record_is_not_there_any_more() {
    let repo = repo();
    repo.git(&["checkout", "-q", "-b", "gone"]);
    repo.commit_all("on the way");
    edit(&repo, "a.txt", "line 9\n", "tried\n", "ann");
    repo.git(&["checkout", "-qf", "main"]);
    repo.git(&["branch", "-qD", "gone"]);
    repo.git(&["reflog", "expire", "--expire=all", "--all"]);
    repo.git(&["gc", "-q", "--prune=now"]);
    repo.git(&["checkout", "-q", "-b", "side"]);
    edit(&repo, "a.txt", "line 3\n", "ann's\n", "ann");
    repo.commit_all("side");
    repo.git(&["checkout", "-q", "main"]);
    edit(&repo, "a.txt", "line 20\n", "bob's\n", "bob");
    repo.commit_all("main");
    repo.git(&["merge", "-q", "-m", "both", "side"]);
    assert_eq!(writers(&repo, "a.txt"), ["ann:ann's", "bob:bob's"]);
}
