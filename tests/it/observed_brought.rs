//! What git brings in a command that is watched is no edit, and what is done to it in the same command is one, and no more: with whatever
//! git does to the file.

use crate::support::TestRepo;
use std::os::unix::fs::PermissionsExt;

fn numbers(changed: &[(&str, &str)]) -> String {
    let text: String = (1..=20).map(|n| format!("line {n}\n")).collect();
    changed.iter().fold(text, |text, (line, other)| text.replace(&format!("{line}\n"), &format!("{other}\n")))
}

/// What a person did on a branch of hers, and what was done beside it since.
fn with_a_branch(there: &str, here: &str) -> TestRepo {
    let repo = TestRepo::with_files(&[("a", &numbers(&[])), ("b", &numbers(&[]))]);
    repo.git(&["checkout", "-qb", "other"]);
    assert!(repo.shell(there).success(), "{there}");
    repo.commit_all("Ada's");
    repo.git(&["checkout", "-q", "main"]);
    assert!(repo.shell(here).success(), "{here}");
    repo
}

fn run(repo: &TestRepo, script: &str) {
    let answer = repo.redraft(&["run", "--agent", "ann", "--", "sh", "-c", script], "");
    assert!(!answer.err.contains("error"), "{script}: {}", answer.err);
}

/// The text of a file, and whether it may be run.
fn state(repo: &TestRepo, file: &str) -> (String, bool) {
    let mode = std::fs::metadata(repo.root().join(file)).expect("a file").permissions().mode();
    (repo.text(file), mode & 0o100 != 0)
}

fn records(repo: &TestRepo) -> usize {
    repo.redraft(&["log", "--json"], "").lines().len()
}

#[track_caller]
fn check_brought(there: &str, here: &str, bring: &str, file: &str) {
    let repo = with_a_branch(there, here);
    run(&repo, bring);
    assert_eq!(records(&repo), 0, "{bring}");
    let brought = state(&repo, file);
    let repo = with_a_branch(there, here);
    run(&repo, &format!("{bring}; echo agent >> {file}"));
    assert_eq!(records(&repo), 1, "{bring}");
    assert_ne!(state(&repo, file), brought);
    repo.done(&["undo"], "");
    assert_eq!(state(&repo, file), brought, "{bring}");
}

const EDIT: &str = "sed -i 's/^line 9$/Ada/' a";
const BESIDE: &str = "sed -i 's/^line 15$/mine/' a; git commit -qam mine";

#[test]
fn bits_that_git_brings_are_no_edit() {
    check_brought(&format!("{EDIT}; chmod +x a"), "true", "git checkout -q other", "a");
    check_brought("chmod +x a", "true", "git checkout -q other", "a");
    let was_executable = "chmod +x a; git commit -qam bit; git branch -qf main; chmod -x a";
    check_brought(&format!("{was_executable}; {EDIT}"), "true", "git checkout -q other", "a");
}

#[test]
fn a_bit_that_the_command_sets_is_its_edit_though_git_brings_the_text() {
    let repo = with_a_branch(EDIT, "true");
    run(&repo, "git checkout -q other; chmod +x a");
    assert_eq!(records(&repo), 1);
    repo.done(&["undo"], "");
    assert_eq!(state(&repo, "a"), (numbers(&[("line 9", "Ada")]), false));
}

#[test]
fn lines_that_git_ends_otherwise_are_brought_by_it() {
    let there = format!(
        "printf '* text eol=crlf\\n' > .gitattributes; git add .; git commit -qm ends; git branch -qf main; {EDIT}"
    );
    check_brought(&there, "git rm -q --cached -r .; git reset -q --hard", "git checkout -q other", "a");
}

#[test]
fn new_files_that_git_brings_are_no_edit() {
    for bring in ["git checkout -q other", "git merge -q --no-commit --no-ff other", "git merge -q --squash other"] {
        check_brought("echo Ada > c", "true", bring, "c");
    }
    check_brought(&format!("git rm -q b; {EDIT}"), "true", "git checkout -q other", "a");
}

#[test]
fn what_a_merge_makes_of_both_sides_is_no_edit() {
    for bring in ["git merge -q -m merged other", "git merge -q --no-commit other"] {
        check_brought(EDIT, BESIDE, bring, "a");
    }
    let conflict = "sed -i 's/^line 9$/mine/' a; git commit -qam mine";
    check_brought(EDIT, conflict, "git merge -q other >/dev/null || true", "a");
}

#[test]
fn what_a_merge_brings_is_no_edit_behind_other_moves_of_head() {
    let third = "sed -i 's/^line 15$/mine/' b; git commit -qam mine; git checkout -qb third; sed -i 's/^line 2$/third/' b; git commit -qam third; git checkout -q main";
    let bring = "git merge -q -m merged other; git checkout -q third; git merge -q -m again main";
    check_brought(EDIT, third, bring, "a");
}
