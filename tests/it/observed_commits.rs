//! A command that has git bring something, edits it and commits: what git brought is not its edit.

use crate::support::TestRepo;
use serde_json::json;

fn numbers() -> String {
    (1..=30).map(|n| format!("line {n}\n")).collect()
}

/// A branch on which a person changed a line of the file that is edited.
fn with_a_branch() -> TestRepo {
    let repo = TestRepo::with_files(&[("a", &numbers()), ("b", &numbers())]);
    repo.git(&["checkout", "-q", "-b", "other"]);
    repo.write("b", numbers().replace("line 9\n", "Ada's\n"));
    repo.commit_all("Ada's");
    repo.git(&["checkout", "-q", "-"]);
    repo
}

/// Seen: a person's lines, which a merge, pull or cherry-pick had brought, were the agent's where it committed its edit of them at once, and its undo took them out.
#[test]
fn what_git_brought_is_no_edit_of_the_command_that_edits_and_commits_it() {
    for (bring, is_diverged) in [
        ("git merge -q -m merged other", true),
        ("git merge -q other", false),
        ("git pull -q --rebase . other", true),
        ("git rebase -q other", true),
        ("git checkout -q other", true),
        ("git cherry-pick other >/dev/null", true),
        ("git merge -q --no-ff --no-commit other", true),
    ] {
        for commit in [
            "true",
            "git commit -qam edited",
            "git commit -qam edited; echo more >> a; git commit -qam more",
            "git commit -qam edited; git checkout -q -b new",
        ] {
            let repo = with_a_branch();
            if is_diverged {
                repo.write("a", numbers().replace("line 5\n", "mine\n"));
                repo.commit_all("mine");
            }
            let script = format!("{bring}; sed -i 's/^line 3$/agent/' b; {commit}");
            let answer = repo.redraft(&["run", "--agent", "ann", "--", "sh", "-c", &script], "");
            assert_eq!(answer.status, 0, "{script}: {}", answer.err);
            let what = format!("{bring}; {commit}");
            let blamed = repo.redraft(&["blame", "--json", "b"], "").lines();
            let of = |text: &str| blamed.iter().find(|line| line["text"] == json!(text)).expect("a line");
            assert_eq!((&of("Ada's")["record"], of("agent")["agent"].as_str()), (&json!(null), Some("ann")), "{what}");
            repo.done(&["undo"], "");
            let undone = numbers().replace("line 9\n", "Ada's\n");
            assert_eq!(repo.text("b"), undone, "{what}");
        }
    }
}

/// What the command itself committed before git brought something is its edit all the same.
#[test]
fn what_the_command_committed_before_git_brought_something_is_its_edit() {
    let repo = with_a_branch();
    let script = "sed -i 's/^line 3$/agent/' b; git commit -qam edited; git merge -q -m merged other";
    assert_eq!(repo.redraft(&["run", "--agent", "ann", "--", "sh", "-c", script], "").status, 0);
    let blamed = repo.redraft(&["blame", "--json", "b"], "").lines();
    assert_eq!(blamed[2]["agent"], json!("ann"));
}
