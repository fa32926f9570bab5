//! An undo where there is more to look at than it looks at: it says no, or believes the log.

use crate::support::{TestRepo, run};
use serde_json::json;

const ROWS: &str = "l1 x\nl2 x\nl3 x\nl4 x\nl5 x\nl6 x\nl7 x\nl8 x\n";
/// So many files that hold nothing but a number, in one folder.
const MANY: &str = "mkdir many; cd many; for n in $(seq 520); do echo $n > $n; done";

#[test]
fn a_moved_and_edited_file_is_not_looked_for_among_too_many_new_ones() {
    let repo = TestRepo::with_files(&[("a", ROWS)]);
    let id = repo.edit("a", "l2 x\n", "N 2\n");
    repo.shell(&format!("mv a m; echo u >> m; {MANY}"));
    let before = repo.text("m");
    repo.refused(&["undo", &id], "");
    assert_eq!(repo.text("m"), before);
    repo.shell("rm -r many");
    repo.done(&["undo", &id], "");
    assert_eq!(repo.text("m"), format!("{ROWS}u\n"));
}

#[test]
fn a_copy_of_another_file_is_told_from_the_moved_one_beside_however_many_small_ones() {
    let repo = TestRepo::with_files(&[("a", ROWS), ("z", &format!("{}NEW\n", ROWS.replace("l4 x\n", "")))]);
    repo.shell(MANY);
    repo.commit_all("many");
    let id = repo.edit("a", "l8 x\n", "l8 x\nNEW\n");
    repo.shell("rm a; cp z m; echo u >> m");
    let before = repo.text("m");
    repo.refused(&["undo", &id], "");
    assert_eq!(repo.text("m"), before);
}

#[test]
fn of_more_files_than_are_looked_at_the_word_of_the_log_counts() {
    let name = |n: usize| format!("f{n:02}");
    let names: Vec<String> = (0..66).map(name).collect();
    let files: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), ROWS)).collect();
    let repo = TestRepo::with_files(&files);
    let all = |old: &str, new: &str| {
        let edit = |name| json!({"path": name, "old_string": old, "new_string": new});
        json!({"files": names.iter().map(edit).collect::<Vec<_>>()})
    };
    let id = repo.apply(all("l4 x\n", "NEW 1\nNEW 2\n"));
    repo.done(&["undo", &id], "");
    repo.shell("sed -i 's/^l4 x/NEW 1\\nNEW 2/' f*");
    repo.apply(all("NEW 2\n", "other\n"));
    // Three are told one by one.
    let told = repo.said(&["undo", &id]);
    assert!(told.contains("and 61 more"), "{told}");
}

/// Seen: git was run once for each of them.
#[test]
fn git_is_not_asked_for_each_file_like_one_that_an_agent_made_and_that_is_gone() {
    let repo = TestRepo::with_files(&[("z", "z\n")]);
    repo.apply(json!({"path": "made", "content": ROWS}));
    repo.commit_all("made");
    repo.shell("for n in $(seq 40); do (cat made; echo more $n) > like$n; done; rm made");
    repo.write(".gitignore", "like*\n");
    let calls = repo.root().join(".git/calls");
    let told = run::finish(run::command(&repo.root(), &["undo"]).env("GIT_TRACE2_EVENT", &calls), b"");
    assert_ne!(told.exit, Some(0), "{told:?}");
    let calls = std::fs::read_to_string(calls).expect("git was run");
    let runs = calls.matches("\"event\":\"start\"").count();
    assert!(runs < 20, "{runs} times");
}
