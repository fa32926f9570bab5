//! The policy on edits that nobody reviewed, where a commit has a part of what an agent did to names, or has a file of an agent under another
//! file's name, or lines that it took out, or moved, beside those of a person.

use crate::support::{TestRepo, try_git};
use serde_json::Value;

fn lines(what: &str) -> String {
    (0..10).map(|n| format!("{what} {n} words\n")).collect()
}

fn repo() -> TestRepo {
    let repo = TestRepo::with_files(&[("a", &lines("alpha")), ("b", &lines("beta")), ("k", "1\n")]);
    repo.git(&["config", "redraft.hookPolicy", "unreviewed"]);
    repo.done(&["hooks", "install", "--json"], "");
    repo
}

/// What an agent did (a request) and a person (a command), the last of which commits.
type Steps = &'static [&'static str];

/// Whether the commit at the end passes, what git said, and the records of the agent.
fn commits(repo: &TestRepo, steps: Steps) -> (bool, String, Vec<String>) {
    let (commit, before) = steps.split_last().expect("a commit");
    let mut records = Vec::new();
    for step in before {
        match serde_json::from_str::<Value>(step) {
            Ok(mut request) => {
                request["agent"] = serde_json::json!({"name": "robo", "session": "s"});
                records.push(repo.apply(request));
            }
            Err(_) => assert!(repo.shell(step).success(), "{step}"),
        }
    }
    let done = try_git(repo, &commit.split_whitespace().collect::<Vec<_>>());
    (done.status.success(), String::from_utf8_lossy(&done.stderr).into_owned(), records)
}

/// The commit is refused, and the agent's first record is named; it passes where all are reviewed.
#[track_caller]
fn are_refused(rows: &[Steps]) {
    rows.iter().for_each(|steps| is_refused_for(steps, 0));
}

/// The same of one, and its record of this number.
#[track_caller]
fn is_refused_for(steps: Steps, n: usize) {
    let repo = repo();
    let (passes, said, records) = commits(&repo, steps);
    assert!(!passes && said.contains("nobody has reviewed") && said.contains(&records[n]), "{steps:?}: {said}");
    for id in records {
        repo.done(&["hooks", "review", "--json", &id], "");
    }
    let (passes, said, _) = commits(&repo, &steps[steps.len() - 1..]);
    assert!(passes, "{steps:?}: {said}");
}

const RENAME: &str = r#"{"path": "a", "rename_to": "g"}"#;
const RENAME_WITHOUT_A_LINE: &str =
    r#"{"path": "a", "rename_to": "g", "edits": [{"old_string": "alpha 5 words\n", "new_string": ""}]}"#;
const DELETE: &str = r#"{"path": "a", "delete": true}"#;
const EDIT: &str = r#"{"path": "a", "old_string": "alpha 2 words", "new_string": "robo compute(42)"}"#;
const FOUR_BY_ONE: &str = r#"{"path": "a", "new_string": "robo one line\n",
    "old_string": "alpha 2 words\nalpha 3 words\nalpha 4 words\nalpha 5 words\n"}"#;

/// Seen: the old name was committed away, or the new one came, and nobody was asked.
#[test]
fn a_half_of_an_agents_rename_is_asked_for() {
    are_refused(&[
        &[RENAME, "echo 2 > k", "commit -qam x"],
        &[RENAME_WITHOUT_A_LINE, "git add g", "commit -qm x"],
        &[RENAME, "git add g", "commit -qm x"],
        &[RENAME, r#"{"path": "g", "delete": true}"#, "commit -qam x"],
        &[RENAME_WITHOUT_A_LINE, "git rm -q --cached a", "commit -qm x"],
    ]);
}

/// Seen: once the records were sealed, what removed the file was not met, as the commit has another name.
#[test]
fn a_rename_is_asked_for_of_a_file_that_the_agent_removed_then_when_the_records_are_sealed() {
    let repo = TestRepo::with_files(&[("uno", &lines("alpha"))]);
    repo.git(&["config", "redraft.hookPolicy", "unreviewed"]);
    repo.done(&["hooks", "install", "--json"], "");
    let (_, _, records) =
        commits(&repo, &[r#"{"path": "uno", "rename_to": "due"}"#, r#"{"path": "due", "delete": true}"#, "status"]);
    repo.redraft(&["gc"], "");
    let (passes, said, _) = commits(&repo, &["commit -qam x"]);
    assert!(!passes && said.contains(&records[0]), "{said}");
}

/// Seen: git told the file to have moved to a copy that a person had made of it.
#[test]
fn a_deletion_is_asked_for_where_git_tells_a_move_to_a_copy() {
    are_refused(&[&["cp a n; git add n", DELETE, "commit -qam x"]]);
}

/// Seen: the line was in a part that git does not take for the file.
#[test]
fn an_agents_line_in_a_part_of_a_file_that_was_split_is_asked_for() {
    are_refused(&[
        &[EDIT, "head -4 a > f1; tail -n +5 a > f2; rm a; git add -A", "commit -qm x"],
        &[EDIT, "git show HEAD:a > m; mv a c; git add -A", "commit -qm x"],
    ]);
}

/// Seen: the file at the agent's name was another one, or none, and the one in the commit had another name then.
#[test]
fn an_agents_file_is_asked_for_under_the_name_of_one_that_git_has() {
    const EDIT_X: &str = r#"{"path": "x", "old_string": "beta 5 words", "new_string": "robo five"}"#;
    const COPY: &str = r#"{"path": "n", "content": "beta 0 words\nbeta 1 words\nbeta 2 words\nbeta 3 words\nbeta 4 words\nrobo five\nbeta 6 words\nbeta 7 words\nbeta 8 words\nbeta 9 words\n"}"#;
    const MADE: &str = r#"{"path": "n", "content": "robo one line\nrobo two line\nrobo three line\n"}"#;
    // The rename was taken back.
    is_refused_for(&[r#"{"path": "b", "rename_to": "x"}"#, EDIT_X, "mv x b", "commit -qam x"], 1);
    are_refused(&[
        &[COPY, "mv n b", "commit -qam x"],
        &["mv b x", EDIT_X, "mv x b", "commit -qam x"],
        &[EDIT, "mv a t; mv b a; mv t b; git add b", "commit -qm x"],
        &[
            "mv a t; mv b a; mv t b",
            r#"{"path": "a", "old_string": "beta 2 words", "new_string": "robo two"}"#,
            "mv a t; mv b a; mv t b",
            "commit -qam x",
        ],
        &[MADE, "mv n t; mv b n; mv t b", "commit -qam x"],
    ]);
}

/// Seen: once another new file was staged, the file was taken for one that is gone.
#[test]
fn a_staged_file_of_an_agent_that_it_edited_and_deleted_since_is_asked_for() {
    are_refused(&[&[
        "cp a r; git add r",
        r#"{"path": "n", "content": "robo one\nrobo two\nrobo three\n"}"#,
        "git add n; printf 'mine\\n' >> n",
        r#"{"path": "n", "old_string": "robo one", "new_string": "robo 1"}"#,
        r#"{"path": "n", "delete": true}"#,
        "commit -qm x",
    ]]);
}

/// Seen: four lines were gone that only the agent had taken out.
#[test]
fn lines_that_an_agent_replaced_are_asked_for_where_nothing_is_in_their_place() {
    are_refused(&[
        &[FOUR_BY_ONE, r#"{"path": "a", "old_string": "robo one line\n", "new_string": ""}"#, "commit -qam x"],
        &[FOUR_BY_ONE, "sed -i '/robo one/d' a", "commit -qam x"],
        &[FOUR_BY_ONE, "sed -i 's/robo one line/alpha 2 words\\nalpha 3 words/' a", "commit -qam x"],
    ]);
}

/// Seen: the lines beside them were a person's, so that no place was proven.
#[test]
fn lines_that_an_agent_moved_are_asked_for_whatever_is_beside_them() {
    const MOVE: &str = r#"{"path": "a", "old_string": "alpha 5 words\nalpha 6 words\n",
        "new_string": "alpha 6 words\nalpha 5 words\n"}"#;
    are_refused(&[&[MOVE, "sed -i 's/alpha 4 words/four/; s/alpha 7 words/seven/' a", "commit -qam x"]]);
}

#[test]
fn what_a_person_did_beside_all_that_is_not_asked_for() {
    const MOVE: &str = r#"{"path": "a", "old_string": "alpha 5 words\nalpha 6 words\n",
        "new_string": "alpha 6 words\nalpha 5 words\n"}"#;
    const COMMIT: &str = "git -c core.hooksPath=/dev/null commit -qam x";
    let rows: [Steps; 13] = [
        &[RENAME, "echo 2 > k", "commit -qm x k"],
        // At another's name, and without the agent's line.
        &[EDIT, "mv a t; mv b a; mv t b; sed -i 's/robo compute(42)/two/' b", "commit -qam x"],
        &[DELETE, "cp b n; git add n", "commit -qm x"],
        &[EDIT, "git mv b c; echo 2 > k; git add k", "commit -qm x"],
        &[EDIT, "head -4 b > f1; tail -n +5 b > f2; git rm -q b; git add f1 f2", "commit -qm x"],
        &[EDIT, "mv k t; mv b k; mv t b; git add k b", "commit -qm x"],
        &[FOUR_BY_ONE, "sed -i 's/robo one line/all mine/' a", "commit -qam x"],
        &[EDIT, "git checkout -q a; git mv a c", "commit -qm x"],
        // Taken back with git, and something else done later.
        &[RENAME, "git checkout -q a; rm g; git rm -q a", "commit -qm x"],
        &[MOVE, "git checkout -q a; sed -i 's/alpha 4 words/four/' a", "commit -qam x"],
        // In HEAD already, whoever looked at it.
        &[EDIT, COMMIT, "git mv a y", COMMIT, "sed -i 's/alpha 7 words/}\\n\\n/' y", "commit -qam x"],
        &[RENAME, "git add g", COMMIT, "sed -i 's/alpha 7 words/seven/' g", "commit -qam x"],
        &[MOVE, COMMIT, "sed -i 's/alpha 4 words/four/' a", "commit -qam x"],
    ];
    for steps in rows {
        let (passes, said, _) = commits(&repo(), steps);
        assert!(passes, "{steps:?}: {said}");
    }
}

/// Where git stores other line endings, a file at its name is no other one.
#[test]
fn an_agents_file_with_other_line_endings_is_at_its_name() {
    let repo = repo();
    repo.write(".gitattributes", "* text eol=crlf\n");
    repo.git(&["add", "-A"]);
    repo.git(&["commit", "-qm", "crlf"]);
    repo.shell("rm a b; git checkout -q a b");
    let mut edit: Value = serde_json::from_str(EDIT).expect("JSON");
    edit["agent"] = serde_json::json!({"name": "robo"});
    repo.apply(edit);
    // A person's own, and a line that the agent took out of the other file.
    repo.shell("git show HEAD:a | sed 's/alpha 2 words/two/; s/$/\\r/' > b; git add b");
    let (passes, said, _) = commits(&repo, &["commit -qm x"]);
    assert!(passes, "{said}");
}
