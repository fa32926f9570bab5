//! Several processes that undo, redo and edit at once: each finds what the others left, and says what is so.

use crate::support::TestRepo;
use serde_json::{Value, json};

const EDITS: usize = 6;

/// A file of which each line was edited by a record of its own, and their ids.
fn edited() -> (TestRepo, Vec<String>) {
    let base: String = (0..EDITS).map(|n| format!("line {n}\n")).collect();
    let repo = TestRepo::with_files(&[("a", &base)]);
    let edit = |n| json!({"path": "a", "old_string": format!("line {n}\n"), "new_string": format!("edited {n}\n")});
    let ids = (0..EDITS).map(|n| {
        let told = repo.done(&["apply", "--session", "s"], &edit(n).to_string());
        told["data"]["record"]["id"].as_str().expect("an id").to_owned()
    });
    let ids = ids.collect();
    (repo, ids)
}

/// The answers of these commands, run at once.
fn at_once(repo: &TestRepo, commands: &[(&[&str], String)]) -> Vec<Value> {
    std::thread::scope(|scope| {
        let runs: Vec<_> =
            commands.iter().map(|(args, input)| scope.spawn(move || repo.redraft(args, input).json())).collect();
        runs.into_iter().map(|run| run.join().expect("it ends")).collect()
    })
}

fn times(n: usize, args: &'static [&'static str]) -> Vec<(&'static [&'static str], String)> {
    vec![(args, String::new()); n]
}

/// How many of these did something; of the others each says that there was nothing left.
fn done(answers: &[Value], verb: &str) -> usize {
    let is_done = |told: &Value| {
        let text = told["text"].as_str().expect("text");
        assert!(text.starts_with(verb) || told["data"]["reason"] == "nothing_to_undo", "{told}");
        text.starts_with(verb)
    };
    answers.iter().filter(|told| is_done(told)).count()
}

/// How many lines the file has that start so.
fn lines(repo: &TestRepo, start: &str) -> usize {
    repo.text("a").lines().filter(|line| line.starts_with(start)).count()
}

/// Seen: "the edits leave a exactly as it is, so there is nothing to change": the plan was made before the lock was had.
#[test]
fn several_plain_undos_at_once_each_take_one_record_back() {
    let (repo, _) = edited();
    let told = at_once(&repo, &times(EDITS, &["undo"]));
    assert_eq!((done(&told, "undid "), lines(&repo, "line ")), (EDITS, EDITS), "{told:?}");
    // As many redos take them back again.
    let told = at_once(&repo, &times(EDITS + 2, &["redo"]));
    assert_eq!((done(&told, "redid "), lines(&repo, "edited ")), (EDITS, EDITS), "{told:?}");
}

#[test]
fn one_record_that_several_undo_at_once_is_undone_by_one_of_them_and_the_others_are_told_so() {
    let (repo, ids) = edited();
    let undo = ["undo", ids[2].as_str()];
    let told = at_once(&repo, &vec![(&undo[..], String::new()); 4]);
    assert_eq!((done(&told, "undid "), lines(&repo, "line ")), (1, 1), "{told:?}");
    let lost = told.iter().filter(|told| told["status"] == "error");
    assert!(lost.clone().all(|told| told["text"].as_str().is_some_and(|text| text.contains("is undone already, by"))));
    let told = at_once(&repo, &times(4, &["undo", "--session", "s"]));
    assert_eq!((done(&told, "undid "), lines(&repo, "line ")), (1, EDITS), "{told:?}");
}

#[test]
fn undos_beside_edits_lose_nothing() {
    let (repo, _) = edited();
    let edit = |n| json!({"path": "a", "old_string": format!("edited {n}\n"), "new_string": format!("again {n}\n")});
    let mut commands = times(2, &["undo"]);
    commands.extend((0..3).map(|n| (&["apply"][..], edit(n).to_string())));
    let told = at_once(&repo, &commands);
    let (undone, applied) = told.split_at(2);
    assert_eq!(done(undone, "undid "), 2, "{told:?}");
    let applied = applied.iter().filter(|told| told["data"]["applied"] == true).count();
    assert_eq!(lines(&repo, ""), EDITS);
    // What was undone of the edits that came in between is one of them less, and their line is as it was before.
    assert!(lines(&repo, "again ") <= applied && lines(&repo, "again ") + 2 >= applied, "{told:?}");
    assert_eq!(repo.redraft(&["log", "--json", "--kind", "undo"], "").lines().len(), 2);
}
