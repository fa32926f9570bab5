//! Whose each of several equal lines is: as many are a record's as it put, and none of one that is undone, unless somebody brought it back to where it stood.

use crate::support::TestRepo;
use serde_json::json;

/// Each line with who wrote it, if an agent did.
fn blamed(repo: &TestRepo) -> Vec<String> {
    let lines = repo.redraft(&["blame", "f", "--json"], "").lines();
    let by = |line: &serde_json::Value| line["agent"].as_str().map(|agent| format!("{agent}:")).unwrap_or_default();
    lines.iter().map(|line| by(line) + line["text"].as_str().expect("text")).collect()
}

fn with(lines: &str) -> TestRepo {
    TestRepo::with_files(&[("f", &text(lines))])
}

fn text(lines: &str) -> String {
    lines.split(' ').map(|line| format!("{line}\n")).collect()
}

/// Doubles the `xx` that is in a line.
fn double(repo: &TestRepo, agent: &str, line: usize) -> String {
    let edit = json!({"old_string": "xx", "new_string": "xx\nxx", "line": line});
    repo.apply(json!({"path": "f", "edits": [edit], "agent": {"name": agent}}))
}

/// Seen: a line that HEAD has was the agent's, whose one record had moved its neighbour and was undone.
#[test]
fn of_a_file_that_is_as_it_was_before_a_record_no_line_is_the_record_s() {
    let repo = with("head alpha xx beta tail");
    let text = text("head alpha beta xx tail");
    let id = repo.apply(json!({"path": "f", "content": text, "overwrite": true, "agent": {"name": "B"}}));
    repo.done(&["undo", &id], "");
    assert_eq!(blamed(&repo), ["head", "alpha", "xx", "beta", "tail"]);
    repo.done(&["redo", &id], "");
    assert_eq!(blamed(&repo).concat().matches("B:").count(), 1);
}

/// Seen: no line was of a record that was done again, as another one of the equal lines was said to have come back.
#[test]
fn a_doubled_line_is_its_record_s_after_undo_and_redo_beside_another_record_s() {
    let repo = with("alpha xx beta yy xx gamma");
    let id = double(&repo, "B", 2);
    repo.done(&["undo", &id], "");
    double(&repo, "C", 5);
    repo.done(&["redo", &id], "");
    let lines = blamed(&repo);
    assert_eq!(lines[..4].concat().matches("B:xx").count(), 1, "{lines:?}");
    assert_eq!(lines[4..].concat().matches("C:xx").count(), 1, "{lines:?}");
    assert_eq!(lines.concat().matches(':').count(), 2, "{lines:?}");
}

/// Seen: two lines were of the record that had put one.
#[test]
fn no_more_of_equal_lines_are_a_record_s_than_it_put() {
    let repo = with("head alpha xx xx beta tail");
    repo.write("f", text("head alpha xx xx xx beta tail"));
    double(&repo, "C", 5);
    double(&repo, "D", 3);
    let all = blamed(&repo).concat();
    assert_eq!((all.matches("C:").count(), all.matches("D:").count()), (1, 1), "{all}");
}

/// Seen: the moved one was of the agent whose double had been there and was undone.
#[test]
fn a_line_that_a_person_moved_to_where_one_was_undone_is_not_who_had_put_that_one() {
    let repo = with("k1 k2 } k3 k4 } k5");
    let id =
        repo.apply(json!({"path": "f", "old_string": "k4\n}\n", "new_string": "k4\n}\n}\n", "agent": {"name": "B"}}));
    repo.done(&["undo", &id], "");
    repo.write("f", text("k1 k2 k3 k4 } } k5"));
    assert_eq!(blamed(&repo).concat().matches("B:").count(), 0);
    // Where one more stands there it may be that one.
    repo.write("f", text("k1 k2 } k3 k4 } } k5"));
    assert_eq!(blamed(&repo).concat().matches("B:").count(), 1);
}

/// Seen: a bracket and a blank line that a person wrote were of an agent whose record was undone, or discarded, and so they were exported.
#[test]
fn the_brackets_of_a_person_are_not_an_agent_s_whose_block_is_gone() {
    for how in ["redraft undo", "git checkout -q -- f"] {
        let repo = with("k1 k2 k3");
        let edit =
            json!({"path": "f", "old_string": "k2\n", "new_string": "one {\ntwo\n}\n\nk2\n", "agent": {"name": "B"}});
        repo.apply(edit);
        match how.strip_prefix("redraft ") {
            Some(command) => drop(repo.done(&[command], "")),
            None => drop(repo.git(&["checkout", "-q", "--", "f"])),
        }
        repo.write("f", "k1\nmine {\nalso mine\n}\n\nk2\nk3\n");
        assert_eq!(blamed(&repo).concat(), "k1mine {also mine}k2k3", "{how}");
        repo.commit_all("mine");
        assert_eq!(blamed(&repo).concat(), "k1mine {also mine}k2k3", "{how}");
    }
}

/// Seen: a line was an agent's whose like had stood above another one, and was undone.
#[test]
fn a_line_of_a_person_elsewhere_is_not_an_agent_s_that_is_undone() {
    let repo = with("k1 k2 k3");
    repo.apply(json!({"path": "f", "old_string": "k1\n", "new_string": "one\nreturn;\nk1\n", "agent": {"name": "B"}}));
    repo.done(&["undo"], "");
    repo.write("f", text("k1 return; k2 k3"));
    assert_eq!(blamed(&repo).concat(), "k1return;k2k3");
    // Where it had stood it is back.
    repo.write("f", text("return; k1 k2 k3"));
    assert_eq!(blamed(&repo).concat(), "B:return;k1k2k3");
}

/// Seen: a bracket was nobody's after an edit far below it, as another agent had written the words above it anew.
#[test]
fn a_bracket_stays_its_agent_s_where_a_person_writes_elsewhere() {
    let repo = with("k1 k2 k3");
    repo.apply(json!({"path": "f", "old_string": "k1\n", "new_string": "k1\nfoo(\nbar\n}\n", "agent": {"name": "B"}}));
    let words = json!([{"old_string": "foo(", "new_string": "baz("}, {"old_string": "bar", "new_string": "qux"}]);
    repo.apply(json!({"path": "f", "edits": words, "agent": {"name": "C"}}));
    assert_eq!(blamed(&repo).concat(), "k1C:baz(C:quxB:}k2k3");
    repo.write("f", repo.text("f") + "k4\n");
    assert_eq!(blamed(&repo).concat(), "k1C:baz(C:quxB:}k2k3k4");
}

/// Seen: after the undo of the first of two that had doubled a line, the one that stood was the first one's, or nobody's.
#[test]
fn of_a_line_that_two_doubled_the_second_one_s_is_left_where_the_first_is_undone() {
    let repo = with("a xx b");
    let id = repo.apply(json!({"path": "f", "content": text("a xx xx b"), "overwrite": true, "agent": {"name": "B"}}));
    repo.apply(json!({"path": "f", "content": text("a xx xx xx b"), "overwrite": true, "agent": {"name": "C"}}));
    repo.done(&["undo", &id], "");
    let all = blamed(&repo).concat();
    assert_eq!((all.matches("B:").count(), all.matches("C:xx").count()), (0, 1), "{all}");
}

/// Seen: a line was an agent's whose like had been undone before other edits.
#[test]
fn a_line_that_a_person_writes_is_not_an_agent_s_that_was_undone_before_others_came() {
    let repo = with("a b c");
    let id = repo.apply(json!({"path": "f", "old_string": "a\n", "new_string": "a\nfoo\n", "agent": {"name": "B"}}));
    repo.done(&["undo", &id], "");
    repo.apply(json!({"path": "f", "old_string": "c\n", "new_string": "c\nd\n", "agent": {"name": "C"}}));
    repo.write("f", text("a foo b c d e"));
    assert_eq!(blamed(&repo).concat(), "afoobcC:de");
}

#[test]
fn an_agents_line_with_words_stays_its_own_where_a_person_put_lines_above_it_and_moved_a_blank_one() {
    let repo = TestRepo::with_files(&[("f", "one\ntwo\n")]);
    repo.apply(
        json!({"path": "f", "old_string": "one\n", "new_string": "one\nfirst\nsecond\n\n", "agent": {"name": "x"}}),
    );
    repo.write("f", "one\nfirst\nown one\nown two\n\nsecond\ntwo\n");
    assert_eq!(blamed(&repo), ["one", "x:first", "own one", "own two", "", "x:second", "two"]);
}

#[test]
fn a_bracket_of_a_block_that_an_agent_took_is_a_persons_who_wrote_it_alone() {
    let repo = TestRepo::with_files(&[("f", "one\ntwo\n")]);
    let by = |agent: &str, old: &str, new: &str| {
        repo.apply(json!({"path": "f", "old_string": old, "new_string": new, "agent": {"name": agent}}))
    };
    by("x", "one\n", "one\nfn block {\n    word\n}\n");
    by("y", "one\nfn block {\n    word\n}\n", "one\n");
    repo.write("f", "one\n}\ntwo\n");
    assert_eq!(blamed(&repo), ["one", "}", "two"]);
    repo.write("f", "one\nfn block {\n    word\n}\ntwo\n");
    assert_eq!(blamed(&repo), ["one", "x:fn block {", "x:    word", "x:}", "two"]);
}

/// Seen: the bracket of a person's own block was the agent's, whose committed block had stood there.
#[test]
fn a_bracket_is_a_persons_whose_block_stands_where_a_committed_one_of_an_agent_went() {
    let block = "agent head {\n    agent body\n}\n";
    for step in ["undo", "checkout", "by hand"] {
        let repo = TestRepo::with_files(&[("f", "one\ntwo\n")]);
        repo.apply(
            json!({"path": "f", "old_string": "one\n", "new_string": format!("one\n{block}"), "agent": {"name": "x"}}),
        );
        repo.commit_all("the agent's");
        match step {
            "undo" => _ = repo.done(&["undo"], ""),
            "checkout" => _ = repo.git(&["checkout", "-q", "HEAD~1", "--", "f"]),
            _ => {}
        }
        repo.write("f", "one\nown head {\n    own body\n}\ntwo\n");
        let lines = ["one", "own head {", "    own body", "}", "two"];
        assert_eq!(blamed(&repo), lines, "{step}");
        repo.commit_all("the person's");
        assert_eq!(blamed(&repo), lines, "{step}, committed");
        // With a line of words of its own it is the agent's still.
        repo.write("f", "one\nown head {\n    agent body\n}\ntwo\n");
        repo.git(&["reset", "-q", "--soft", "HEAD~1"]);
        assert_eq!(blamed(&repo), ["one", "own head {", "x:    agent body", "x:}", "two"], "{step}");
    }
}

/// Seen: both, as one was in a commit and one was not.
#[test]
fn of_a_committed_line_and_a_persons_copy_of_it_one_is_the_agents() {
    let repo = TestRepo::with_files(&[("f", "one\n")]);
    repo.apply(json!({"path": "f", "old_string": "one\n", "new_string": "head {\n}\n", "agent": {"name": "x"}}));
    repo.commit_all("the agent's");
    repo.write("f", "head {\n    }\n}\n");
    repo.commit_all("a person's");
    repo.write("f", "head {\n    }\nhead {\n    }\n}\n");
    let lines = blamed(&repo);
    assert_eq!(lines.iter().filter(|line| *line == "x:head {").count(), 1, "{lines:?}");
}
