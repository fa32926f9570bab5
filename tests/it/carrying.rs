//! `record: commit` and `--index` beside the user's uncommitted lines: each test keeps away a symptom that was seen (lines
//! twice in the commit, lines of the user in it), all of which ended with exit status 0.

use crate::support::{TestRepo, tree_of};
use serde_json::{Value, json};

const HEAD: &str = "import os\n\ndef first(alpha):\n    return alpha\n\ndef last(omega):\n    return omega\n";

/// A repository whose HEAD, index and working tree have these versions of `f.py`.
fn versions(head: &str, staged: &str, now: &str) -> TestRepo {
    let repo = TestRepo::with_files(&[("f.py", head)]);
    repo.write("f.py", staged);
    repo.git(&["add", "f.py"]);
    repo.write("f.py", now);
    repo
}

fn request(old: &str, new: &str) -> Value {
    json!({"path": "f.py", "old_string": old, "new_string": new})
}

fn commit(old: &str, new: &str) -> String {
    let mut request = request(old, new);
    request["record"] = json!("commit");
    request.to_string()
}

/// What HEAD, the index and the working tree have.
fn all(repo: &TestRepo) -> [String; 3] {
    [repo.git(&["show", "HEAD:f.py"]), repo.git(&["show", ":f.py"]), repo.text("f.py")]
}

/// The request is refused for `reason`, and nothing has changed.
#[track_caller]
fn refused(repo: &TestRepo, args: &[&str], request: &str, reason: &str) -> Value {
    let look = || {
        let mut all = tree_of(&repo.root());
        all.retain(|file| !file.contains("/.git/redraft"));
        all
    };
    let before = look();
    let told = repo.redraft(args, request).json();
    assert_eq!(told["data"]["reason"], json!(reason), "{told}");
    assert_eq!(look(), before);
    told
}

#[test]
fn a_last_line_that_head_has_is_not_committed_twice() {
    let (head, now) = (format!("{HEAD}last\n"), HEAD);
    let repo = versions(&head, &head, now);
    refused(&repo, &["apply"], &commit("    return omega\n", "    return omega\nlast\n"), "already_applied");
    refused(&repo, &["check"], &commit("    return omega\n", "    return omega\nlast\n"), "already_applied");
}

#[test]
fn lines_that_the_user_deleted_and_the_agent_writes_again_are_not_committed_twice() {
    let block = "def middle(beta):\n    return beta\n\n";
    let head = HEAD.replace("def last", &format!("{block}def last"));
    let repo = versions(&head, &head, HEAD);
    refused(&repo, &["apply"], &commit("def last", &format!("{block}def last")), "already_applied");
    // One line of them more: HEAD has the others.
    let more = "def middle(beta):\n    check(beta)\n    return beta\n\n";
    let told = refused(&repo, &["apply"], &commit("def last", &format!("{more}def last")), "does_not_fit_head");
    assert!(told["data"]["hint"]["lines"][0]["in_git"].as_str().expect("lines").contains("def middle"), "{told}");
}

#[test]
fn an_edit_that_the_index_has_is_not_staged_twice() {
    let staged = format!("{HEAD}last\n");
    let repo = versions(HEAD, &staged, HEAD);
    repo.done(&["apply"], &commit("    return omega\n", "    return omega\nlast\n"));
    assert_eq!(all(&repo), [staged.clone(), staged.clone(), staged]);
    assert_eq!(repo.git(&["status", "--porcelain"]), "");
}

#[test]
fn an_edit_of_the_index_that_the_working_tree_has_is_not_made_twice_there() {
    let now = format!("{HEAD}last\n");
    let repo = versions(HEAD, HEAD, &now);
    let wish = request("    return omega\n", "    return omega\nlast\n").to_string();
    refused(&repo, &["apply", "--index"], &wish, "already_applied");
}

#[test]
fn a_line_that_the_working_tree_has_beside_others_is_not_doubled_by_an_edit_of_the_index() {
    let now = HEAD.replace("import os\n", "import os\nimport sys\nimport re\n");
    let repo = versions(HEAD, HEAD, &now);
    let wish = request("import os\n", "import os\nimport re\n").to_string();
    refused(&repo, &["apply", "--index"], &wish, "already_applied");
}

#[test]
fn a_line_that_the_user_edited_is_not_published_with_the_agents_word_in_it() {
    let now = HEAD.replace("return alpha", "return alpha  # mine");
    let repo = versions(HEAD, HEAD, &now);
    let told =
        refused(&repo, &["apply"], &commit("return alpha  # mine", "return 2 * alpha  # mine"), "does_not_fit_head");
    let lines = &told["data"]["hint"]["lines"][0];
    assert_eq!(lines["text"], json!("    return alpha  # mine\n"));
    assert_eq!(lines["in_git"], json!("    return alpha\n"));
    refused(&repo, &["apply"], &commit("    return alpha  # mine\n", ""), "does_not_fit_head");
}

#[test]
fn lines_go_below_the_line_that_stands_where_the_user_deleted_others_there() {
    let head = HEAD.replace("import os\n", "import os\nimport gone\n");
    let repo = versions(&head, &head, HEAD);
    repo.done(&["apply"], &commit("import os\n", "import os\nimport re\n"));
    let want = head.replace("import os\n", "import os\nimport re\n");
    assert_eq!(all(&repo), [want.clone(), want, HEAD.replace("import os\n", "import os\nimport re\n")]);
}

#[test]
fn lines_stay_with_the_line_that_they_were_written_for_where_the_user_deleted_others_between() {
    let head = HEAD.replace("def last", "@cached\ndef last");
    let repo = versions(&head, &head, HEAD);
    repo.done(&["apply"], &commit("def last(omega):\n", "# the last one\ndef last(omega):\n"));
    let want = head.replace("def last", "# the last one\ndef last");
    assert_eq!(all(&repo), [want.clone(), want, HEAD.replace("def last", "# the last one\ndef last")]);
}

#[test]
fn lines_that_were_written_between_two_named_ones_are_not_put_on_either_side_of_what_stands_there_in_git() {
    let head = HEAD.replace("def last", "@cached\ndef last");
    let repo = versions(&head, &head, HEAD);
    refused(&repo, &["apply"], &commit("\ndef last", "\n# the last one\ndef last"), "does_not_fit_head");
}

#[test]
fn of_several_files_those_that_head_has_are_left_out_of_the_commit() {
    let repo = TestRepo::with_files(&[("f.py", &format!("{HEAD}last\n")), ("g.py", "one\ntwo\n")]);
    repo.write("f.py", HEAD);
    let wish = json!({"record": "commit", "files": [
        {"path": "f.py", "old_string": "    return omega\n", "new_string": "    return omega\nlast\n"},
        {"path": "g.py", "old_string": "two", "new_string": "2"},
    ]});
    repo.done(&["apply"], &wish.to_string());
    assert_eq!(repo.git(&["show", "--format=", "--name-only", "HEAD"]), "g.py\n");
    assert_eq!(repo.git(&["status", "--porcelain"]), "");
    assert_eq!(repo.text("f.py"), format!("{HEAD}last\n"));
}

/// The letters that `git ls-files -v` shows for hidden files.
fn flags(repo: &TestRepo) -> String {
    repo.git(&["ls-files", "-v"])
}

#[test]
fn what_the_user_told_git_to_overlook_stays_overlooked() {
    for (option, letter) in [("--skip-worktree", "S"), ("--assume-unchanged", "h")] {
        for hooked in [false, true] {
            let repo = TestRepo::with_files(&[("f.py", HEAD)]);
            if hooked {
                repo.hook("pre-commit", "#!/bin/sh\nexit 0\n");
            }
            let now = HEAD.replace("return omega", "return secret");
            repo.write("f.py", &now);
            repo.git(&["update-index", option, "f.py"]);
            repo.done(&["apply"], &commit("import os\n", "import os\nimport re\n"));
            assert_eq!(flags(&repo), format!("{letter} f.py\n"), "{option} {hooked}");
            repo.done(&["apply", "--index"], &request("alpha):", "alpha, beta):").to_string());
            assert_eq!(flags(&repo), format!("{letter} f.py\n"), "{option} --index");
            repo.done(&["undo"], "");
            assert_eq!(flags(&repo), format!("{letter} f.py\n"), "{option} undo");
            repo.try_git(&["commit", "-qam", "mine"]);
            assert!(!repo.git(&["show", "HEAD:f.py"]).contains("secret"), "{option} {hooked}");
        }
    }
}

#[test]
fn an_undo_of_a_staged_edit_beside_the_users_lines_leaves_nothing_staged() {
    let now = HEAD.replace("    return alpha\n", "    check(alpha)\n    return alpha\n");
    let repo = versions(HEAD, HEAD, &now);
    repo.done(&["apply", "--index"], &request("    return alpha\n", "    return 2 * alpha\n").to_string());
    repo.done(&["undo"], "");
    assert_eq!(all(&repo), [HEAD.to_owned(), HEAD.to_owned(), now]);
}

#[test]
fn an_undo_of_a_staged_edit_goes_through_gits_line_endings() {
    for (name, value) in [("core.autocrlf", "true"), ("core.autocrlf", "input")] {
        let repo = TestRepo::with_files(&[("f.py", HEAD)]);
        repo.git(&["config", name, value]);
        let raw = if value == "true" { HEAD.replace('\n', "\r\n") } else { HEAD.to_owned() };
        let now = raw.replace("return omega", "return omega  # mine");
        repo.write("f.py", &now);
        repo.done(&["apply", "--index"], &request("return alpha", "return 2 * alpha").to_string());
        assert_eq!(repo.git(&["diff", "--cached", "--shortstat"]), " 1 file changed, 1 insertion(+), 1 deletion(-)\n");
        repo.done(&["undo"], "");
        assert_eq!(repo.git(&["diff", "--cached"]), "", "{name} {value}");
        assert_eq!(repo.text("f.py"), now);
    }
}

#[test]
fn what_an_undo_leaves_staged_is_said() {
    let repo = versions(HEAD, HEAD, HEAD);
    repo.done(&["apply", "--index"], &request("return alpha", "return 2 * alpha").to_string());
    let staged = HEAD.replace("    return alpha\n", "    print(alpha)\n");
    let now = repo.text("f.py");
    repo.write("f.py", &staged);
    repo.git(&["add", "f.py"]);
    repo.write("f.py", &now);
    let answer = repo.done(&["undo"], "");
    assert_eq!(all(&repo), [HEAD.to_owned(), staged, HEAD.to_owned()]);
    assert!(answer["text"].as_str().expect("text").contains("what is staged of f.py stays"), "{answer}");
}

/// Seen: a panic, and no answer at all, where the agent wrote behind a last line of the user's that HEAD lacks.
#[test]
fn lines_behind_a_last_line_without_an_ending_that_head_lacks_are_refused() {
    let repo = TestRepo::with_files(&[("f", "a\nb\nz")]);
    repo.write("f", "a\nc");
    let edit = json!({"path": "f", "old_string": "c", "new_string": "c\nd"}).to_string();
    for args in [&["apply", "--record", "commit"][..], &["apply", "--record", "stash"]] {
        assert_eq!(repo.refused(args, &edit), "does_not_fit_head", "{args:?}");
    }
    assert_ne!(repo.redraft(&["apply", "--index"], &edit).status, 0);
    assert_eq!(repo.text("f"), "a\nc");
    repo.done(&["apply", "--session", "s"], &edit);
    let refused = repo.redraft(&["commit", "--session", "s", "-m", "x"], "");
    assert!(refused.status == 1 && refused.err.contains("does not fit HEAD"), "{}", refused.err);
    assert_eq!(repo.text("f"), "a\nc\nd");
}
