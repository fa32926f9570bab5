//! The policy on edits that nobody reviewed, and trailers, where the edited file got other names before its commit.

use crate::support::{TestRepo, try_git};
use serde_json::{Value, json};

fn text(what: &str) -> String {
    (1..=20).map(|n| format!("{what} line {n}\n")).collect()
}

fn repo() -> TestRepo {
    let repo = TestRepo::with_files(&[("a.txt", &text("a")), ("b.txt", &text("b"))]);
    repo.done(&["hooks", "install", "--json"], "");
    repo.git(&["config", "redraft.hookPolicy", "unreviewed"]);
    repo
}

fn apply(repo: &TestRepo, mut request: Value) -> String {
    request["agent"] = json!({"name": "robo"});
    repo.apply(request)
}

fn edit(repo: &TestRepo, path: &str, line: usize) -> String {
    let old = repo.text(path).lines().nth(line - 1).expect("a line").to_owned() + "\n";
    apply(repo, json!({"path": path, "old_string": old, "new_string": format!("robo's {line} of {path}\n")}))
}

fn renamed(repo: &TestRepo, from: &str, to: &str) -> String {
    apply(repo, json!({"path": from, "rename_to": to}))
}

fn moved(repo: &TestRepo, from: &str, to: &str) {
    std::fs::rename(repo.root().join(from), repo.root().join(to)).expect("a move");
}

/// The commit of everything is refused until each of these is reviewed, and then names them; so does the log.
fn is_asked_of(repo: &TestRepo, ids: &[&String], what: &str) {
    repo.git(&["add", "-A"]);
    for id in ids {
        let output = try_git(repo, &["commit", "-qm", "x"]);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && said.contains(*id), "{what}: {id} is not asked for: {said}");
        repo.done(&["hooks", "review", "--json", id], "");
    }
    let output = try_git(repo, &["commit", "-qm", "x"]);
    assert!(output.status.success(), "{what}: {}", String::from_utf8_lossy(&output.stderr));
    let trailers = repo.git(&["log", "-1", "--format=%(trailers:key=Redraft-Id,valueonly)"]);
    let told = repo.redraft(&["log", "--commit", "HEAD", "--json"], "").lines();
    for id in ids {
        assert!(trailers.contains(*id), "{what}: {id} has no trailer: {trailers}");
        assert!(told.iter().any(|record| record["id"] == json!(id)), "{what}: {id} is not in the log: {told:?}");
        let commit = &repo.redraft(&["show", id, "--json"], "").json()["commit"];
        assert_eq!(*commit, json!(repo.git(&["rev-parse", "HEAD"]).trim()), "{what}: {id}");
    }
}

#[test]
fn an_edit_is_asked_for_whoever_renamed_its_file_since() {
    let repo_1 = repo();
    let id = edit(&repo_1, "a.txt", 3);
    let rename = renamed(&repo_1, "a.txt", "c.txt");
    is_asked_of(&repo_1, &[&id, &rename], "the agent");

    let repo_2 = repo();
    let both = apply(
        &repo_2,
        json!({"path": "a.txt", "rename_to": "c.txt", "old_string": "a line 3\n", "new_string": "robo's\n"}),
    );
    renamed(&repo_2, "c.txt", "d.txt");
    repo_2.done(&["hooks", "review", "--json", "@"], "");
    is_asked_of(&repo_2, &[&both], "the agent, who had renamed it when it was edited");

    let repo_3 = repo();
    renamed(&repo_3, "a.txt", "c.txt");
    repo_3.done(&["hooks", "review", "--json", "@"], "");
    let id = edit(&repo_3, "c.txt", 3);
    moved(&repo_3, "c.txt", "d.txt");
    is_asked_of(&repo_3, &[&id], "the agent before, a person after it");
}

#[test]
fn an_edit_is_asked_for_whose_file_is_back_under_its_first_name() {
    let repo = repo();
    let rename = renamed(&repo, "a.txt", "sub/c.txt");
    let id = edit(&repo, "sub/c.txt", 3);
    repo.done(&["undo", &rename], "");
    is_asked_of(&repo, &[&id], "an undone rename");
}

#[test]
fn an_edit_is_asked_for_whose_file_a_commit_renamed_before_it_was_committed() {
    let repo = repo();
    let id = edit(&repo, "a.txt", 3);
    repo.git(&["mv", "a.txt", "c.txt"]);
    let output = try_git(&repo, &["commit", "-qm", "renamed"]);
    assert!(output.status.success(), "the rename alone: {}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(repo.git(&["log", "-1", "--format=%(trailers)"]).trim(), "");
    is_asked_of(&repo, &[&id], "a rename in a commit of its own");
}

#[test]
fn a_file_that_an_agent_made_is_asked_for_under_its_later_name() {
    let repo_1 = repo();
    let made = apply(&repo_1, json!({"path": "n.txt", "content": text("n")}));
    renamed(&repo_1, "n.txt", "m.txt");
    repo_1.done(&["hooks", "review", "--json", "@"], "");
    is_asked_of(&repo_1, &[&made], "the agent");

    let repo_2 = repo();
    let made = [("p.txt", "p"), ("q.py", "other")]
        .map(|(path, what)| apply(&repo_2, json!({"path": path, "content": text(what)})));
    std::fs::create_dir(repo_2.root().join("sub")).expect("a folder");
    moved(&repo_2, "p.txt", "sub/p.txt");
    moved(&repo_2, "q.py", "sub/q.py");
    // Beside a file that was there before, and is where it was.
    repo_2.write("b.txt", text("b") + "mine\n");
    is_asked_of(&repo_2, &[&made[0], &made[1]], "a person, of two");
}

#[test]
fn an_edit_is_asked_for_and_blamed_whose_file_was_moved_edited_and_moved_again() {
    for is_committed in [false, true] {
        let repo = repo();
        let first = edit(&repo, "a.txt", 3);
        if is_committed {
            repo.done(&["hooks", "review", "--json", "@"], "");
            for (what, name) in [("one", "a.txt"), ("two", "m.txt")] {
                if name != "a.txt" {
                    repo.git(&["mv", "a.txt", name]);
                }
                assert!(try_git(&repo, &["commit", "-qam", what]).status.success());
            }
        } else {
            moved(&repo, "a.txt", "m.txt");
        }
        let second = edit(&repo, "m.txt", 9);
        moved(&repo, "m.txt", "n.txt");
        let blamed = repo.redraft(&["blame", "n.txt", "--json"], "").lines();
        assert_eq!([&blamed[2]["record"], &blamed[8]["record"]], [&json!(first), &json!(second)], "{is_committed}");
        let listed = repo.redraft(&["log", "n.txt", "--json"], "").lines();
        let listed: Vec<&Value> = listed.iter().map(|record| &record["id"]).collect();
        assert_eq!(listed, [&json!(second), &json!(first)]);
        let asked: &[&String] = if is_committed { &[&second] } else { &[&first, &second] };
        is_asked_of(&repo, asked, "twice moved");
        let blamed = repo.redraft(&["blame", "n.txt", "--json"], "").lines();
        assert_eq!([&blamed[2]["record"], &blamed[8]["record"]], [&json!(first), &json!(second)], "{is_committed}");
    }
}

/// The records that `log` has of a path, the oldest first.
fn listed(repo: &TestRepo, path: &str) -> Vec<String> {
    let listed = repo.redraft(&["log", path, "--json"], "").lines();
    listed.iter().rev().map(|record| record["id"].as_str().expect("an id").to_owned()).collect()
}

#[test]
fn an_edit_is_asked_for_and_listed_through_any_number_of_names() {
    let chain = repo();
    let mut records = vec![edit(&chain, "a.txt", 3)];
    for (from, to) in [("a.txt", "c.txt"), ("c.txt", "d.txt"), ("d.txt", "e.txt")] {
        records.push(renamed(&chain, from, to));
    }
    assert_eq!(listed(&chain, "e.txt"), records);
    chain.done(&["hooks", "review", "--json", &records[3]], "");
    chain.done(&["hooks", "review", "--json", &records[2]], "");
    is_asked_of(&chain, &[&records[0], &records[1]], "an agent, three times");

    let mixed = repo();
    let records = [edit(&mixed, "a.txt", 3), renamed(&mixed, "a.txt", "c.txt")];
    moved(&mixed, "c.txt", "d.txt");
    assert_eq!(listed(&mixed, "d.txt"), records);
    is_asked_of(&mixed, &[&records[0], &records[1]], "an agent, and then a person");
}

/// What another file of the earlier name holds is nothing of the one that left it.
#[test]
fn an_edit_of_a_new_file_of_an_old_name_is_not_asked_for_with_the_renamed_one() {
    let repo = repo();
    renamed(&repo, "a.txt", "c.txt");
    let other = apply(&repo, json!({"path": "a.txt", "content": text("new")}));
    repo.done(&["hooks", "review", "--json", "@-"], "");
    repo.git(&["add", "c.txt"]);
    repo.git(&["rm", "-q", "--cached", "a.txt"]);
    let output = try_git(&repo, &["commit", "-qm", "x"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    is_asked_of(&repo, &[&other], "the new file");
}

/// The commit of everything is refused for this one alone, and passes once it is reviewed.
fn is_refused_for(repo: &TestRepo, id: &str, what: &str) {
    repo.git(&["add", "-A"]);
    let output = try_git(repo, &["commit", "-qm", "x"]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success() && said.contains(id), "{what}: not asked for: {said}");
    repo.done(&["hooks", "review", "--json", id], "");
    let output = try_git(repo, &["commit", "-qm", "x"]);
    assert!(output.status.success(), "{what}: {}", String::from_utf8_lossy(&output.stderr));
}

/// Seen: the policy passed, and the very line was in the commit.
#[test]
fn an_agents_line_that_a_person_took_to_another_place_is_asked_for() {
    let repo_1 = repo();
    let id = edit(&repo_1, "a.txt", 15);
    let text = repo_1.text("a.txt");
    let line = "robo's 15 of a.txt\n";
    repo_1.write("a.txt", line.to_owned() + &text.replace(line, ""));
    is_refused_for(&repo_1, &id, "within its file");

    let repo_2 = repo();
    let id = edit(&repo_2, "a.txt", 3);
    moved(&repo_2, "a.txt", "z.txt");
    let other = |n: usize| (5..=20).contains(&n);
    let text = repo_2.text("z.txt");
    let lines = text.lines().enumerate().map(|(n, line)| format!("{line}{}\n", if other(n) { " of Ada" } else { "" }));
    repo_2.write("z.txt", lines.collect::<String>());
    is_refused_for(&repo_2, &id, "into another file, of other lines");

    let repo_3 = repo();
    edit(&repo_3, "b.txt", 3);
    repo_3.done(&["hooks", "review", "--json", "@"], "");
    let id = edit(&repo_3, "a.txt", 9);
    moved(&repo_3, "a.txt", "b.txt");
    is_refused_for(&repo_3, &id, "over another file");
}

#[test]
fn files_that_were_exchanged_are_asked_for() {
    let repo = repo();
    let ids = [edit(&repo, "a.txt", 3), edit(&repo, "b.txt", 15)];
    moved(&repo, "a.txt", "t");
    moved(&repo, "b.txt", "a.txt");
    moved(&repo, "t", "b.txt");
    repo.git(&["add", "-A"]);
    for id in &ids {
        let output = try_git(&repo, &["commit", "-qm", "x"]);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && said.contains(id), "{id}: {said}");
        repo.done(&["hooks", "review", "--json", id], "");
    }
    assert!(try_git(&repo, &["commit", "-qm", "x"]).status.success());
}

/// Seen: two renames of one file passed, where one is asked for.
#[test]
fn a_file_that_an_agent_renamed_twice_is_asked_for_both() {
    let repo = repo();
    let ids = [renamed(&repo, "a.txt", "d/a.txt"), renamed(&repo, "d/a.txt", "e/a.txt")];
    is_asked_of(&repo, &[&ids[0], &ids[1]], "renamed twice");
    // The next rename is a person's.
    repo.git(&["mv", "e/a.txt", "f.txt"]);
    assert!(try_git(&repo, &["commit", "-qm", "f"]).status.success());
    assert_eq!(repo.git(&["log", "-1", "--format=%(trailers)"]).trim(), "");
    assert!(repo.redraft(&["log", "--commit", "HEAD", "--json"], "").lines().is_empty());
}

/// A person's commit without a line of the agent's.
#[test]
fn a_persons_lines_in_another_file_or_beside_are_not_asked_for() {
    let repo = repo();
    edit(&repo, "a.txt", 3);
    // The same line, by a person, in another file.
    repo.write("b.txt", repo.text("b.txt").replace("b line 9\n", "robo's 3 of a.txt\n"));
    repo.git(&["add", "b.txt"]);
    let output = try_git(&repo, &["commit", "-qm", "b"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    // A person's line of the agent's file alone.
    let text = repo.text("a.txt");
    repo.git(&["checkout", "-q", "a.txt"]);
    repo.write("a.txt", repo.text("a.txt").replace("a line 18\n", "a person's\n"));
    repo.git(&["add", "a.txt"]);
    repo.write("a.txt", text.replace("a line 18\n", "a person's\n"));
    let output = try_git(&repo, &["commit", "-qm", "a"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Seen: where the agent had made the file, it passed; git has nothing of a file that it never had.
#[test]
fn a_new_file_that_was_moved_over_another_is_asked_for() {
    for (what, staged) in [("moved", false), ("git mv -f", true)] {
        let repo = repo();
        let made = apply(&repo, json!({"path": "n.txt", "content": text("n")}));
        if staged {
            repo.git(&["add", "n.txt"]);
            repo.git(&["mv", "-f", "n.txt", "b.txt"]);
        } else {
            moved(&repo, "n.txt", "b.txt");
        }
        is_asked_of(&repo, &[&made], what);
    }
    let repo_1 = repo();
    let made = apply(&repo_1, json!({"path": "n.txt", "content": text("n")}));
    let rename = renamed(&repo_1, "n.txt", "m.txt");
    moved(&repo_1, "m.txt", "b.txt");
    repo_1.write("b.txt", repo_1.text("b.txt").replace("n line 9\\n", "a person's\\n"));
    repo_1.done(&["hooks", "review", "--json", &rename], "");
    is_asked_of(&repo_1, &[&made], "renamed by the agent, moved and edited by a person");

    // The agent's file is deleted, and a person writes another one anew.
    let repo_2 = repo();
    apply(&repo_2, json!({"path": "n.txt", "content": text("n")}));
    std::fs::remove_file(repo_2.root().join("n.txt")).expect("gone");
    repo_2.write("b.txt", text("a person's"));
    let output = try_git(&repo_2, &["commit", "-qam", "b"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_committed_file_of_an_agent_that_is_moved_over_another_is_not_asked_for_again() {
    let repo = repo();
    let made = apply(&repo, json!({"path": "n.txt", "content": text("n")}));
    is_asked_of(&repo, &[&made], "made");
    moved(&repo, "n.txt", "b.txt");
    repo.git(&["add", "-A"]);
    // What is open is looked for in the commit.
    edit(&repo, "a.txt", 3);
    assert!(try_git(&repo, &["commit", "-qm", "moved"]).status.success());
    assert_eq!(repo.git(&["log", "-1", "--format=%(trailers:key=Redraft-Id,valueonly)"]).trim(), "");
}

/// Seen: it passed, as the restored file hid the edit.
#[test]
fn an_edit_that_was_discarded_and_restored_is_asked_for() {
    let repo = repo();
    let id = edit(&repo, "a.txt", 3);
    repo.git(&["checkout", "-q", "a.txt"]);
    repo.done(&["restore", "--at", &id], "");
    assert!(repo.text("a.txt").contains("robo's 3"));
    is_asked_of(&repo, &[&id], "restored");
}

/// Seen: it passed, without a trailer, where a person had written in the file under its new name as well.
#[test]
fn an_edit_is_asked_for_whose_file_was_moved_and_written_in_when_its_old_name_was_committed_away() {
    for from_the_index in [&["rm", "-q", "--cached", "a.txt"][..], &[]] {
        let repo = repo();
        let id = edit(&repo, "a.txt", 3);
        if from_the_index.is_empty() {
            moved(&repo, "a.txt", "c.txt");
            repo.git(&["commit", "-qam", "without a.txt"]);
        } else {
            repo.git(from_the_index);
            repo.git(&["commit", "-qm", "without a.txt"]);
            moved(&repo, "a.txt", "c.txt");
        }
        repo.write("c.txt", repo.text("c.txt").replace("line 9\n", "nine of a person\n"));
        is_asked_of(&repo, &[&id], "moved");
    }
}
