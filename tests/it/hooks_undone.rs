//! The policy on edits that nobody reviewed, where they were undone, or left no line of their own: in a conflict, and by deleting.

use crate::support::{TestRepo, try_git};
use serde_json::json;

fn with_policy(files: &[(&str, &str)]) -> TestRepo {
    let repo = TestRepo::with_files(files);
    repo.done(&["hooks", "install", "--json"], "");
    repo.git(&["config", "redraft.hookPolicy", "unreviewed"]);
    repo
}

/// Whether what is staged is committed.
fn commits(repo: &TestRepo, message: &str) -> bool {
    try_git(repo, &["commit", "-qm", message]).status.success()
}

/// Seen: it went through, as the edit was undone: an edit that only takes lines away brings none.
#[test]
fn a_deletion_that_was_staged_and_then_undone_in_the_tree_is_asked_for() {
    let repo = with_policy(&[("f", "1\n2\n3\n4\n"), ("g", "1\n")]);
    repo.apply(json!({"path": "f", "old_string": "2\n3\n", "new_string": ""}));
    repo.git(&["add", "f"]);
    repo.done(&["undo"], "");
    assert!(!commits(&repo, "of an agent"));
    repo.git(&["reset", "-q"]);
    // A person does the same, and no more is there.
    repo.write("f", "1\n4\n");
    repo.git(&["add", "f"]);
    assert!(commits(&repo, "of a person"));
    repo.apply(json!({"path": "g", "delete": true}));
    repo.git(&["add", "-A"]);
    repo.done(&["undo"], "");
    assert!(!commits(&repo, "of an agent"));
}

/// Seen: it was held back, for the edit that he had taken back before.
#[test]
fn a_line_like_that_of_an_undone_edit_is_its_writers() {
    for undo in [&["undo"][..], &["undo", "--session", "s1"]] {
        let repo = with_policy(&[("f", "fn f(total, rate)\n    return total\nend\n")]);
        let request = json!({"path": "f", "old_string": "return total\n", "new_string": "return total * rate\n",
            "agent": {"session": "s1"}});
        repo.apply(request.clone());
        repo.done(undo, "");
        repo.write("f", repo.text("f").replace("return total", "return total + rate"));
        repo.git(&["add", "f"]);
        assert!(commits(&repo, "a person's"));
        // Not where it is in force, or was staged before.
        repo.apply(json!({"path": "f", "old_string": "end\n", "new_string": "end of(total, rate)\n"}));
        repo.write("f", repo.text("f").replace("of(total, rate)", "for(total, rate)"));
        repo.git(&["add", "f"]);
        assert!(!commits(&repo, "an agent's, edited"));
    }
}

/// Seen: the merge went through where it had been resolved without a line of the agent's own.
#[test]
fn a_conflict_that_an_agent_resolved_is_asked_for_whatever_it_kept() {
    let both = "mine\ntheirs\n";
    for (kept, is_merge) in [(both, true), ("mine\n", true), ("theirs\n", true), (both, false)] {
        let repo = with_policy(&[("f", "1\n2\n3\n")]);
        repo.git(&["checkout", "-q", "-b", "other"]);
        repo.write("f", "1\ntheirs\n3\n");
        repo.git(&["commit", "-qnam", "theirs"]);
        repo.git(&["checkout", "-q", "main"]);
        repo.write("f", "1\nmine\n3\n");
        repo.git(&["commit", "-qnam", "mine"]);
        let how = if is_merge { &["merge", "-q", "other"][..] } else { &["cherry-pick", "other"] };
        assert!(!repo.try_git(how).status.success());
        let conflict = repo.text("f");
        let middle = &conflict[2..conflict.len() - 2];
        repo.apply(json!({"path": "f", "old_string": middle, "new_string": kept}));
        repo.git(&["add", "f"]);
        assert!(!commits(&repo, "resolved"), "{kept}");
        // Who looks at it, or resolves it himself, commits it.
        repo.done(&["undo"], "");
        assert_eq!(repo.text("f"), conflict);
        repo.write("f", format!("1\n{kept}3\n"));
        repo.git(&["add", "f"]);
        assert!(kept == "mine\n" || commits(&repo, "resolved"), "{kept}");
    }
}
