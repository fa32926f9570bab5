//! Trailers in the messages that people write in their editors, and in those of merges.

use crate::support::{TestRepo, clean};
use serde_json::json;
use std::path::Path;
use std::process::{Command, Output};

const TEXT: &str = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\n";

fn repo() -> TestRepo {
    let repo = TestRepo::with_files(&[("a.txt", TEXT), ("b.txt", TEXT)]);
    repo.done(&["hooks", "install", "--json"], "");
    repo
}

fn edit(repo: &TestRepo, old: &str, new: &str) -> String {
    repo.apply(json!({"path": "a.txt", "old_string": old, "new_string": new, "agent": {"name": "robo", "model": "m"}}))
}

/// An editor that leaves the message as it is.
const LEAVE: &str = "true";
/// One that writes a message above the comments.
const WRITE: &str = "f() { { printf 'said\\n'; cat \"$1\"; } > \"$1.new\"; mv \"$1.new\" \"$1\"; }; f";
/// One that takes the message out, but for comments and our trailers, as a person does who does not want to commit.
const TAKE_OUT: &str =
    "f() { grep -e '^#' -e '^Redraft-Id' -e '^Assisted-by' \"$1\" > \"$1.new\"; mv \"$1.new\" \"$1\"; }; f";
/// One that takes the trailers out.
const WITHOUT: &str =
    "f() { grep -v -e '^Redraft-Id' -e '^Assisted-by' \"$1\" > \"$1.new\"; mv \"$1.new\" \"$1\"; }; f";

/// Runs git as somebody who has redraft in PATH, and this editor.
fn git(repo: &TestRepo, editor: &str, args: &[&str]) -> Output {
    let bin = Path::new(env!("CARGO_BIN_EXE_redraft")).parent().expect("a folder");
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").expect("PATH"));
    let mut command = Command::new("git");
    clean(command.args(args), &repo.root()).env("PATH", path).env("GIT_EDITOR", editor).output().expect("git runs")
}

fn message(repo: &TestRepo) -> String {
    repo.git(&["log", "-1", "--format=%B"]).trim().to_owned()
}

/// Seen: leaving the editor without a message made a commit with the subject "Redraft-Id: ...".
#[test]
fn a_person_who_leaves_the_message_empty_makes_no_commit() {
    let ways: [(&str, &[&str]); 9] = [
        (LEAVE, &["commit", "-qa"]),
        (":", &["commit", "-qa"]),
        (LEAVE, &["commit", "-qas"]),
        (LEAVE, &["commit", "-qav"]),
        (LEAVE, &["commit", "-qa", "--cleanup=scissors"]),
        (LEAVE, &["commit", "-qa", "-t", "template"]),
        (LEAVE, &["commit", "-qam", ""]),
        (TAKE_OUT, &["commit", "-qa", "-e", "-m", "said before"]),
        (TAKE_OUT, &["commit", "-qa", "--amend"]),
    ];
    for (editor, args) in ways {
        for template in ["# only a comment\n", "Why:\n"] {
            let repo = repo();
            repo.write("template", template);
            edit(&repo, "two", "2");
            let before = message(&repo);
            let output = git(&repo, editor, args);
            assert!(!output.status.success(), "{editor} {args:?}: {}", message(&repo));
            assert_eq!(message(&repo), before, "{editor} {args:?}");
            // What was to be added to it does not come into another one.
            git(&repo, LEAVE, &["commit", "-q", "--allow-empty", "-m", "another", "b.txt"]);
            assert_eq!(message(&repo), "another", "{editor} {args:?}");
        }
    }
}

#[test]
fn a_message_that_is_written_in_the_editor_has_its_trailers() {
    let ways: [(&str, &[&str]); 12] = [
        (WRITE, &["commit", "-qa"]),
        (WRITE, &["commit", "-qav"]),
        (WRITE, &["commit", "-qa", "--cleanup=scissors"]),
        (WRITE, &["commit", "-qav", "--cleanup=scissors"]),
        (WRITE, &["commit", "-qa", "--cleanup=whitespace"]),
        (WRITE, &["commit", "-qa", "-t", "template"]),
        (WRITE, &["commit", "-qa", "-e", "-m", "more"]),
        (WRITE, &["commit", "-qa", "--amend"]),
        (LEAVE, &["commit", "-qa", "-m", "said"]),
        (LEAVE, &["commit", "-qa", "-F", "file"]),
        (LEAVE, &["commit", "-qa", "--cleanup=verbatim", "-m", "said"]),
        (LEAVE, &["commit", "-qa", "-m", "#12 said"]),
    ];
    for (editor, args) in ways {
        let repo = repo();
        repo.write("template", "Why:\n");
        repo.write("file", "said\n");
        let id = edit(&repo, "two", "2");
        let output = git(&repo, editor, args);
        assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
        let trailers = repo.git(&["log", "-1", "--format=%(trailers:only)"]);
        assert_eq!(trailers.trim(), format!("Redraft-Id: {id}\nAssisted-by: robo:m"), "{args:?}: {}", message(&repo));
        assert!(repo.git(&["log", "-1", "--format=%s"]).contains("said"), "{args:?}");
        assert_eq!(message(&repo).matches("Redraft-Id").count(), 1, "{args:?}");
        assert!(!message(&repo).contains("diff --git"), "{args:?}");
    }
}

#[test]
fn trailers_that_a_person_takes_out_in_the_editor_stay_out() {
    let repo = repo();
    edit(&repo, "two", "2");
    assert!(git(&repo, WITHOUT, &["commit", "-qae", "-m", "said"]).status.success());
    assert_eq!(message(&repo), "said");
}

/// Seen: a merge had the trailers of all that the other branch had brought, which `log --commit` does not name.
#[test]
fn a_merge_names_the_edits_that_it_holds_itself_and_no_others() {
    let repo = repo();
    repo.git(&["checkout", "-q", "-b", "other"]);
    edit(&repo, "two", "2");
    assert!(git(&repo, LEAVE, &["commit", "-qam", "theirs"]).status.success());
    repo.git(&["checkout", "-q", "main"]);
    repo.write("b.txt", format!("{TEXT}mine\n"));
    assert!(git(&repo, LEAVE, &["commit", "-qam", "mine"]).status.success());
    assert!(git(&repo, LEAVE, &["merge", "-q", "--no-ff", "--no-edit", "other"]).status.success());
    assert!(!message(&repo).contains("Redraft-Id"), "{}", message(&repo));
    assert_eq!(repo.redraft(&["log", "--oneline", "--commit", "HEAD"], "").out, "");
    // One that an agent works in.
    repo.git(&["reset", "-q", "--hard", "HEAD~"]);
    assert!(git(&repo, LEAVE, &["merge", "-q", "--no-ff", "--no-commit", "other"]).status.success());
    let id = edit(&repo, "nine", "9");
    repo.git(&["add", "a.txt"]);
    assert!(git(&repo, LEAVE, &["commit", "-q", "--no-edit"]).status.success());
    let trailers = repo.git(&["log", "-1", "--format=%(trailers:key=Redraft-Id,valueonly)"]);
    assert_eq!(trailers.trim(), id);
    assert!(repo.redraft(&["log", "--oneline", "--commit", "HEAD"], "").out.starts_with(&id[..8]));
}
