//! Redraft's git hooks, as real commits, amends and rebases run them.

use crate::support::{TestRepo, try_git};
use serde_json::json;

const TEXT: &str = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\n";

fn repo() -> TestRepo {
    let repo = TestRepo::with_files(&[("a.txt", TEXT), ("b.txt", TEXT)]);
    hooks(&repo, "install");
    repo
}

fn hooks(repo: &TestRepo, what: &str) -> serde_json::Value {
    repo.done(&["hooks", what, "--json"], "")
}

fn git(repo: &TestRepo, args: &[&str]) -> String {
    let output = try_git(repo, args);
    assert!(output.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

fn edit(repo: &TestRepo, path: &str, old: &str, new: &str, agent: &str) -> String {
    let agent = json!({"name": agent, "model": "m"});
    repo.apply(json!({"path": path, "old_string": old, "new_string": new, "agent": agent}))
}

fn trailers(repo: &TestRepo, commit: &str) -> String {
    git(repo, &["log", "-1", "--format=%(trailers:only)", commit]).trim().to_owned()
}

fn landed_in(repo: &TestRepo, id: &str) -> Option<String> {
    let shown = repo.redraft(&["show", id, "--json"], "").json();
    shown["commit"].as_str().map(str::to_owned)
}

#[test]
fn existing_hooks_are_kept_run_first_and_come_back_byte_for_byte() {
    let repo = TestRepo::with_files(&[("a.txt", TEXT)]);
    let script = "#!/bin/sh\n# \u{fc}ber\nread line; echo \"$1 $line\" > .git/ran; exit $(cat .git/status)\n";
    repo.hook("post-rewrite", script);
    repo.hook("pre-commit", "#!/bin/sh\nexit $(cat .git/status)");
    repo.write(".git/hooks/post-commit", "not executable");
    repo.write(".git/status", "0");
    let before = crate::support::tree_of(&repo.root().join(".git/hooks"));
    let report = hooks(&repo, "install");
    let want = json!({"pre-commit": "chained", "prepare-commit-msg": "installed", "commit-msg": "installed", "post-commit": "chained", "post-rewrite": "chained"});
    assert_eq!(report["hooks"], want);
    assert_eq!(hooks(&repo, "install")["hooks"], want);
    repo.write("a.txt", "x\n");
    git(&repo, &["commit", "-qam", "x"]);
    git(&repo, &["commit", "-q", "--amend", "-m", "y"]);
    assert!(repo.text(".git/ran").starts_with("amend "));
    repo.write(".git/status", "1");
    assert!(!try_git(&repo, &["commit", "-q", "--allow-empty", "-m", "z"]).status.success());
    hooks(&repo, "uninstall");
    assert_eq!(crate::support::tree_of(&repo.root().join(".git/hooks")), before);
    assert_eq!(hooks(&repo, "status")["hooks"]["pre-commit"], json!("other"));
}

#[test]
fn the_configured_folder_is_respected() {
    let repo = TestRepo::with_files(&[("a.txt", TEXT)]);
    repo.git(&["config", "core.hooksPath", "tools/hooks"]);
    hooks(&repo, "install");
    assert!(repo.has("tools/hooks/pre-commit") && !repo.has(".git/hooks/pre-commit"));
    hooks(&repo, "uninstall");
    assert!(!repo.has("tools/hooks/pre-commit"));
}

#[test]
fn a_commit_names_the_agent_edits_that_it_holds_and_no_others() {
    let repo = repo();
    let first = edit(&repo, "a.txt", "two", "2", "robo");
    repo.git(&["add", "a.txt"]);
    let later = edit(&repo, "a.txt", "nine", "9", "other");
    let undone = edit(&repo, "a.txt", "five", "5", "third");
    repo.done(&["undo", &undone], "");
    edit(&repo, "b.txt", "one", "1", "fourth");
    git(&repo, &["commit", "-q", "-m", "subject\n\nbody"]);
    assert_eq!(trailers(&repo, "HEAD"), format!("Redraft-Id: {first}\nAssisted-by: robo:m"));
    let head = git(&repo, &["rev-parse", "HEAD"]).trim().to_owned();
    assert_eq!(landed_in(&repo, &first), Some(head));
    assert_eq!(landed_in(&repo, &later), None);
    git(&repo, &["commit", "-q", "-m", "next", "--", "a.txt"]);
    assert_eq!(trailers(&repo, "HEAD"), format!("Redraft-Id: {later}\nAssisted-by: other:m"));
    repo.write("b.txt", format!("{TEXT}user\n"));
    git(&repo, &["commit", "-q", "-am", "the user's own"]);
    assert_eq!(trailers(&repo, "HEAD"), "");
}

#[test]
fn records_are_followed_over_amends_and_rebases() {
    let repo = repo();
    let id = edit(&repo, "a.txt", "two", "2", "robo");
    git(&repo, &["commit", "-qam", "first"]);
    let more = edit(&repo, "a.txt", "five", "5", "robo");
    git(&repo, &["commit", "-qa", "--amend", "--no-edit"]);
    let head = git(&repo, &["rev-parse", "HEAD"]).trim().to_owned();
    assert_eq!((landed_in(&repo, &id), landed_in(&repo, &more)), (Some(head.clone()), Some(head)));
    assert_eq!(trailers(&repo, "HEAD"), format!("Redraft-Id: {id}\nAssisted-by: robo:m\nRedraft-Id: {more}"));
    let wish = json!({"path": "a.txt", "old_string": "nine", "new_string": "9", "record": "commit"});
    let committed = repo.apply(wish);
    git(&repo, &["checkout", "-q", "-b", "other", "HEAD~2"]);
    repo.write("b.txt", "other\n");
    git(&repo, &["commit", "-qam", "other"]);
    git(&repo, &["rebase", "-q", "other", "main"]);
    assert_eq!(landed_in(&repo, &id), Some(git(&repo, &["rev-parse", "HEAD~"]).trim().to_owned()));
    assert_eq!(landed_in(&repo, &committed), Some(git(&repo, &["rev-parse", "HEAD"]).trim().to_owned()));
}

#[test]
#[cfg(target_os = "linux")]
fn an_amend_with_another_message_names_what_the_commit_still_holds() {
    let repo = repo();
    let id = edit(&repo, "a.txt", "two", "2", "robo");
    git(&repo, &["commit", "-qam", "first"]);
    let own = format!("Redraft-Id: {id}\nAssisted-by: robo:m");
    for how in [&["--amend", "-m", "better"][..], &["-q", "--amen", "-m", "worse"], &["-qm", "again", "--amend"]] {
        git(&repo, &[&["commit"], how].concat());
        assert_eq!(trailers(&repo, "HEAD"), own, "{how:?}");
        assert_eq!(landed_in(&repo, &id), Some(git(&repo, &["rev-parse", "HEAD"]).trim().to_owned()));
    }
    repo.git(&["config", "alias.fix", "commit --amend"]);
    let more = edit(&repo, "b.txt", "five", "5", "robo");
    git(&repo, &["fix", "-qam", "with more"]);
    assert_eq!(trailers(&repo, "HEAD"), format!("Redraft-Id: {id}\nRedraft-Id: {more}\nAssisted-by: robo:m"));
    // What a later edit is taken out of, it does not name.
    git(&repo, &["checkout", "-q", "HEAD~", "--", "b.txt"]);
    git(&repo, &["commit", "-q", "--amend", "-m", "less"]);
    assert_eq!(trailers(&repo, "HEAD"), own);
    // A commit that only speaks of it is none.
    for how in [&["-m", "--amend"][..], &["-qm", "--amend"], &["--message", "--amend"], &["-m", "x", "--", "--amend"]] {
        repo.write("b.txt", format!("{TEXT}{how:?}\n"));
        repo.write("--amend", format!("{how:?}\n"));
        git(&repo, &["add", "."]);
        git(&repo, &[&["commit"], how].concat());
        assert_eq!(trailers(&repo, "HEAD"), "", "{how:?}");
        assert_ne!(git(&repo, &["show", "--format=", "--name-only", "HEAD"]), "", "{how:?}");
    }
    // The first commit of all.
    let first = TestRepo::new();
    hooks(&first, "install");
    let id = first.apply(json!({"path": "new.txt", "content": TEXT}));
    git(&first, &["add", "."]);
    git(&first, &["commit", "-qm", "first of all"]);
    git(&first, &["commit", "-q", "--amend", "-m", "said better"]);
    assert_eq!(trailers(&first, "HEAD"), format!("Redraft-Id: {id}"));
}

/// Seen: the trailers were gone, though the commit holds the record.
#[test]
#[cfg(target_os = "linux")]
fn an_amend_names_an_edit_of_which_an_undo_was_discarded_behind_another_edit() {
    let repo = repo();
    let id = edit(&repo, "a.txt", "two\n", "2\n", "robo");
    git(&repo, &["commit", "-qam", "one"]);
    assert!(trailers(&repo, "HEAD").contains(&id));
    repo.done(&["undo"], "");
    edit(&repo, "a.txt", "nine\n", "9\n", "robo");
    git(&repo, &["checkout", "-q", "HEAD", "--", "a.txt"]);
    git(&repo, &["commit", "-q", "--amend", "-m", "again"]);
    assert!(trailers(&repo, "HEAD").contains(&id), "{}", trailers(&repo, "HEAD"));
    git(&repo, &["commit", "-q", "--amend", "-m", "and again"]);
    assert!(trailers(&repo, "HEAD").contains(&id), "{}", trailers(&repo, "HEAD"));
}

/// Seen: no trailers, of a commit that was split there for good.
#[test]
fn commits_that_a_person_makes_where_a_rebase_stops_have_their_trailers() {
    for how in ["1s/pick/edit/", "1s/$/\\nbreak/"] {
        let repo = repo();
        let ids = ["a.txt", "b.txt"].map(|path| edit(&repo, path, "two\n", "2\n", "robo"));
        git(&repo, &["commit", "-qam", "both"]);
        assert!(repo.shell(&format!("GIT_SEQUENCE_EDITOR=\"sed -i '{how}'\" git rebase -q -i HEAD~1")).success());
        git(&repo, &["reset", "-q", "HEAD~1"]);
        git(&repo, &["commit", "-qm", "half", "a.txt"]);
        git(&repo, &["commit", "-qm", "other half", "b.txt"]);
        let new = edit(&repo, "b.txt", "nine\n", "9\n", "robo");
        git(&repo, &["commit", "-qam", "new"]);
        assert!(repo.shell("GIT_EDITOR=true git rebase --continue").success());
        for (commit, id) in [("HEAD~2", &ids[0]), ("HEAD~1", &ids[1]), ("HEAD", &new)] {
            assert!(trailers(&repo, commit).contains(id), "{how} {commit}: {}", trailers(&repo, commit));
        }
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_commit_is_refused_while_an_edit_is_unfinished() {
    let repo = repo();
    repo.hook(
        "reference-transaction",
        "#!/bin/sh\n[ \"$1\" = prepared ] || exit 0\nkill -9 $(cut -d' ' -f4 /proc/$PPID/stat)\nexit 1\n",
    );
    hooks(&repo, "uninstall");
    let wish = json!({"path": "a.txt", "old_string": "two", "new_string": "2", "record": "commit"});
    assert_eq!(repo.redraft(&["apply"], &wish.to_string()).status, -1);
    hooks(&repo, "install");
    std::fs::remove_file(repo.root().join(".git/hooks/reference-transaction")).expect("the hook");
    // The dead run's lock of the index would stop git by itself.
    std::fs::remove_file(repo.root().join(".git/index.lock")).expect("a lock");
    let output = try_git(&repo, &["commit", "-qam", "half"]);
    assert!(!output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("redraft recover"), "{output:?}");
    repo.done(&["recover"], "");
    assert_eq!(repo.git(&["status", "--porcelain"]), "");
}

#[test]
fn policies_refuse_what_nobody_reviewed_and_what_was_left_over() {
    let repo = repo();
    repo.git(&["config", "redraft.hookPolicy", "unreviewed"]);
    repo.git(&["config", "--add", "redraft.hookPolicy", "leftovers"]);
    let id = edit(&repo, "a.txt", "two", "2", "robo");
    repo.git(&["add", "."]);
    let output = try_git(&repo, &["commit", "-qm", "x"]);
    assert!(String::from_utf8_lossy(&output.stderr).contains(&id), "{output:?}");
    assert_eq!(repo.done(&["hooks", "review", "--json"], "")["reviewed"], json!([id]));
    git(&repo, &["commit", "-qm", "x"]);

    edit(&repo, "b.txt", "two", "2", "robo");
    repo.write("b.txt", repo.text("b.txt").replace("five", "<<<<<<< ours\nfive"));
    repo.git(&["add", "."]);
    repo.done(&["hooks", "review", "--json"], "");
    let output = try_git(&repo, &["commit", "-qm", "y"]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("conflict marker"), "{output:?}");
    repo.git(&["config", "redraft.hookPolicy", "leftover", "leftovers"]);
    assert!(!try_git(&repo, &["commit", "-qm", "y"]).status.success());
}

/// Seen: the commit went through, with no trailer, as the log had the edit for undone: what was staged of it was not asked.
#[test]
fn what_was_staged_before_its_undo_is_refused_as_any_edit_that_nobody_reviewed() {
    for is_checked_out in [false, true] {
        let repo = repo();
        repo.git(&["config", "redraft.hookPolicy", "unreviewed"]);
        let id = edit(&repo, "a.txt", "two", "2", "robo");
        repo.git(&["add", "a.txt"]);
        let told = repo.done(&["undo"], "");
        assert!(told["text"].as_str().is_some_and(|text| text.contains("what is staged of a.txt stays")), "{told}");
        if is_checked_out {
            repo.git(&["checkout", "-q", "a.txt"]);
            let status = repo.redraft(&["status", "--porcelain"], "").out;
            assert_eq!(status, format!("ME {id} a.txt\n"), "its line is in the file again");
        }
        let output = try_git(&repo, &["commit", "-qm", "x"]);
        assert!(!output.status.success() && String::from_utf8_lossy(&output.stderr).contains(&id), "{output:?}");
        repo.done(&["hooks", "review", "--json", &id], "");
        git(&repo, &["commit", "-qm", "x"]);
        assert!(trailers(&repo, "HEAD").contains(&format!("Redraft-Id: {id}")));
    }
}

/// Seen: it went through with no trailer, and `log` knew of no commit: only lines were asked, and it changes none.
#[test]
fn a_rename_without_an_edit_is_refused_as_any_edit_that_nobody_reviewed() {
    let repo = repo();
    repo.git(&["config", "redraft.hookPolicy", "unreviewed"]);
    let id = repo.apply(json!({"path": "a.txt", "rename_to": "z.txt", "agent": {"name": "robo"}}));
    repo.git(&["add", "-A"]);
    let output = try_git(&repo, &["commit", "-qm", "x"]);
    assert!(!output.status.success() && String::from_utf8_lossy(&output.stderr).contains(&id), "{output:?}");
    repo.done(&["hooks", "review", "--json", &id], "");
    git(&repo, &["commit", "-qm", "x"]);
    assert!(trailers(&repo, "HEAD").contains(&format!("Redraft-Id: {id}")));
    let told = repo.redraft(&["log", "--json"], "").lines();
    assert_eq!(told[0]["commit"], json!(repo.git(&["rev-parse", "HEAD"]).trim()), "{told:?}");
    // The next rename is a person's, and what the log has of it before is another commit's.
    repo.git(&["mv", "z.txt", "y.txt"]);
    git(&repo, &["commit", "-qm", "y"]);
    assert_eq!(trailers(&repo, "HEAD"), "");
}

#[test]
fn a_deletion_or_rename_that_is_staged_when_it_is_undone_is_told() {
    for request in [json!({"path": "a.txt", "delete": true}), json!({"path": "a.txt", "rename_to": "z.txt"})] {
        for (is_staged, add) in [(true, "-A"), (false, "b.txt")] {
            let repo = repo();
            repo.apply(request.clone());
            // Something else that is staged is nothing of it.
            repo.write("b.txt", "other\n");
            repo.git(&["add", add]);
            let told = repo.done(&["undo"], "");
            let text = told["text"].as_str().expect("a text");
            assert_eq!(text.contains("what is staged of a.txt stays"), is_staged, "{told}");
        }
    }
}

#[test]
fn what_was_staged_in_the_very_millisecond_of_the_edit_is_told_too() {
    let repo = repo();
    edit(&repo, "a.txt", "two", "2", "robo");
    repo.git(&["add", "a.txt"]);
    let log = repo.redraft(&["log", "--json"], "").lines();
    let time: jiff::Timestamp = log[0]["time"].as_str().and_then(|time| time.parse().ok()).expect("a time");
    let index = std::fs::File::options().write(true).open(repo.root().join(".git/index")).expect("opens");
    index.set_modified(time.into()).expect("set");
    let told = repo.done(&["undo"], "");
    assert!(told["text"].as_str().expect("a text").contains("what is staged of a.txt stays"), "{told}");
}

#[test]
fn a_redo_does_not_say_that_what_it_brings_back_is_staged_without_it() {
    let repo = repo();
    repo.write("new.txt", "one\ntwo\n");
    repo.git(&["add", "new.txt"]);
    edit(&repo, "new.txt", "two", "2", "robo");
    repo.done(&["undo"], "");
    // The index is younger than the records.
    repo.write("b.txt", "other\n");
    repo.git(&["add", "b.txt"]);
    let told = repo.done(&["redo"], "");
    assert_eq!(repo.text("new.txt"), "one\n2\n");
    assert!(!told["text"].as_str().expect("a text").contains("staged"), "{told}");
}

/// Seen: the note came where HEAD has the edit, and a line of the person was staged.
#[test]
fn what_is_committed_of_an_undone_edit_is_not_called_staged() {
    let repo = repo();
    edit(&repo, "a.txt", "two", "2", "robo");
    repo.commit_all("edited");
    repo.write("a.txt", repo.text("a.txt").replace("five", "mine"));
    repo.git(&["add", "a.txt"]);
    let told = repo.done(&["undo"], "");
    assert!(!told["text"].as_str().expect("a text").contains("staged"), "{told}");
}

#[test]
fn an_undone_edit_is_part_of_the_commit_where_its_lines_are_and_no_other_edit_brings_them() {
    for is_made_again in [true, false] {
        let repo = repo();
        let first = edit(&repo, "a.txt", "two", "2", "robo");
        let other = edit(&repo, "a.txt", "five", "5", "robo");
        git(&repo, &["add", "a.txt"]);
        repo.done(&["undo", &first], "");
        let mut held = vec![other];
        if is_made_again {
            held.push(edit(&repo, "a.txt", "two", "2", "other"));
        } else {
            held.push(first.clone());
        }
        git(&repo, &["commit", "-qm", "x"]);
        let trailers = trailers(&repo, "HEAD");
        assert!(held.iter().all(|id| trailers.contains(id)), "{is_made_again}: {trailers}");
        assert_eq!(trailers.contains(&first), !is_made_again, "{trailers}");
    }
}

#[test]
fn of_two_undone_edits_that_brought_the_same_line_the_newer_one_is_held() {
    let repo = repo();
    let first = edit(&repo, "a.txt", "two", "2", "robo");
    repo.done(&["undo", &first], "");
    let second = edit(&repo, "a.txt", "two", "2", "other");
    git(&repo, &["add", "a.txt"]);
    repo.done(&["undo", &second], "");
    git(&repo, &["commit", "-qm", "x"]);
    let trailers = trailers(&repo, "HEAD");
    assert!(trailers.contains(&second) && !trailers.contains(&first), "{trailers}");
}

#[test]
fn a_commit_of_an_undo_names_no_edit() {
    let repo = repo();
    let id = edit(&repo, "a.txt", "two", "2", "robo");
    git(&repo, &["commit", "-qam", "x"]);
    repo.done(&["undo", &id], "");
    git(&repo, &["commit", "-qam", "y"]);
    assert_eq!(trailers(&repo, "HEAD"), "");
}

#[test]
fn a_line_that_a_person_writes_again_is_no_edit_of_a_commit_long_ago() {
    let repo = repo();
    let old = edit(&repo, "a.txt", "two", "2", "robo");
    git(&repo, &["commit", "-qam", "x"]);
    let text = repo.text("a.txt");
    repo.write("a.txt", text.replace("2", "two"));
    git(&repo, &["commit", "-qam", "y"]);
    let new = edit(&repo, "a.txt", "five", "5", "robo");
    let text = repo.text("a.txt");
    repo.write("a.txt", text.replace("two", "2"));
    git(&repo, &["commit", "-qam", "z"]);
    let trailers = trailers(&repo, "HEAD");
    assert!(trailers.contains(&new) && !trailers.contains(&old), "{trailers}");
}

/// Seen: the commit went through, as a later edit of the same file had met what HEAD has.
#[test]
fn what_was_staged_is_refused_whatever_agents_did_to_the_file_since() {
    for is_undone_by_redraft in [true, false] {
        let repo = repo();
        repo.git(&["config", "redraft.hookPolicy", "unreviewed"]);
        let id = edit(&repo, "a.txt", "two", "2", "robo");
        repo.git(&["add", "a.txt"]);
        if is_undone_by_redraft {
            repo.done(&["undo"], "");
        } else {
            repo.git(&["restore", "--source=HEAD", "--worktree", "a.txt"]);
        }
        let later = edit(&repo, "a.txt", "five", "5", "other");
        repo.done(&["hooks", "review", "--json", &later], "");
        let output = try_git(&repo, &["commit", "-qm", "x"]);
        assert!(!output.status.success() && String::from_utf8_lossy(&output.stderr).contains(&id), "{output:?}");
    }
}

/// Seen: the person's commit was refused, and credited to the agent.
#[test]
fn lines_that_a_person_deleted_are_no_undone_edits_doing() {
    let repo = repo();
    repo.git(&["config", "redraft.hookPolicy", "unreviewed"]);
    edit(&repo, "a.txt", "two\n", "", "robo");
    repo.done(&["undo"], "");
    let text = repo.text("a.txt");
    let lines: Vec<&str> = text.lines().collect();
    let at = lines.iter().position(|line| *line == "two").expect("it is back");
    let mine: String =
        lines.iter().enumerate().filter(|(n, _)| n.abs_diff(at) > 1).map(|(_, line)| format!("{line}\n")).collect();
    repo.write("a.txt", &mine);
    assert!(!repo.redraft(&["status", "--porcelain"], "").out.starts_with("ME"));
    git(&repo, &["commit", "-qam", "mine"]);
    assert_eq!(trailers(&repo, "HEAD"), "");
}

#[test]
fn redrafts_own_commit_runs_the_hooks_and_says_everything_once() {
    let repo = repo();
    repo.git(&["config", "redraft.hookPolicy", "leftovers"]);
    let agent = json!({"name": "robo", "model": "m"});
    let id = repo
        .apply(json!({"path": "a.txt", "old_string": "two", "new_string": "2", "record": "commit", "agent": agent}));
    assert_eq!(trailers(&repo, "HEAD"), format!("Redraft-Id: {id}\nAssisted-by: robo:m"));
    assert_eq!(landed_in(&repo, &id), Some(git(&repo, &["rev-parse", "HEAD"]).trim().to_owned()));
    assert_eq!(repo.git(&["status", "--porcelain"]), "");
}

/// Seen: the commit went through, with no trailer: a block was asked as a whole, and a person had changed one of its lines, or a formatter
/// all of them.
#[test]
fn a_block_that_was_touched_up_before_its_commit_is_refused_as_any_edit_that_nobody_reviewed() {
    let block = "if (first) {\n  second();\n  third();\n}\n";
    let touches: [&dyn Fn(&str) -> String; 4] = [
        &|text| text.replace("second", "2nd"),
        &|text| text.replace("  second();\n", ""),
        &|text| text.replace("  third", "  also();\n  third"),
        &|text| text.replace(block, "    if(first){\n      second();\n      third();\n    }\n"),
    ];
    for touch in touches {
        let repo = repo();
        repo.git(&["config", "redraft.hookPolicy", "unreviewed"]);
        let id = edit(&repo, "a.txt", "two\n", &format!("two\n{block}"), "robo");
        repo.write("a.txt", touch(&repo.text("a.txt")));
        let output = try_git(&repo, &["commit", "-qam", "x"]);
        assert!(!output.status.success() && String::from_utf8_lossy(&output.stderr).contains(&id), "{output:?}");
        // A commit of what else is there is nobody's affair.
        repo.write("b.txt", repo.text("b.txt") + "mine\n");
        git(&repo, &["commit", "-qm", "mine", "b.txt"]);
        repo.done(&["hooks", "review", "--json", &id], "");
        git(&repo, &["commit", "-qam", "x"]);
    }
}

/// Seen: lines that an agent deleted, or one that it wrote, went through as soon as a person changed something in them or beside them.
#[test]
fn a_deletion_and_a_single_line_that_were_touched_up_are_refused_too() {
    let line = "if (user.is_admin or true) {\n";
    type Touch = fn(&str) -> String;
    let touches: [(&str, Touch); 7] = [
        ("", |text| text.replace("two\n", "Ada's two\n")),
        ("", |text| text.replace("two\n", "two\nAda's new\n")),
        ("", |text| text.replace("two\n", "Ada\n").replace('\n', "\n  ")),
        (line, |text| text.replace("admin or", "admin  or")),
        (line, |text| text.replace("admin or", "admin and maybe or")),
        (line, |text| text.replace(" {", " { // really")),
        (line, |text| text.replace("true", "false")),
    ];
    for (n, (new, touch)) in touches.into_iter().enumerate() {
        let repo = repo();
        let text: String = ["one", "two", "three", "four", "five", "six"].map(|word| format!("{word}\n")).concat();
        repo.write("a.txt", &text);
        repo.git(&["commit", "-qam", "more lines"]);
        repo.git(&["config", "redraft.hookPolicy", "unreviewed"]);
        let id = edit(&repo, "a.txt", "three\nfour\n", new, "robo");
        repo.write("a.txt", touch(&repo.text("a.txt")));
        let output = try_git(&repo, &["commit", "-qam", "x"]);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && said.contains(&id), "{n}: {output:?}");
        // What was discarded is nobody's affair.
        repo.write("a.txt", text.replace("six", "Ada's six"));
        git(&repo, &["commit", "-qam", "x"]);
    }
}

/// Seen: no git commit in `log`, and no trailer, and a policy that let the commit pass.
#[test]
fn a_commit_holds_a_record_whose_file_was_moved_before_git_had_it() {
    let repo = repo();
    let id = repo.apply(json!({"path": "n.txt", "content": "agent one\nagent two\nagent three\n"}));
    repo.git(&["config", "redraft.hookPolicy", "unreviewed"]);
    repo.shell("mv n.txt z.txt && git add .");
    assert!(!try_git(&repo, &["commit", "-qm", "refused"]).status.success());
    repo.git(&["config", "--unset", "redraft.hookPolicy"]);
    git(&repo, &["commit", "-qm", "all"]);
    assert!(repo.git(&["log", "-1", "--format=%(trailers)"]).contains(&id));
    std::fs::remove_file(repo.root().join(".git/redraft/commits")).expect("it was noted");
    let commit = repo.git(&["rev-parse", "HEAD"]);
    let logged = &repo.redraft(&["log", "--json"], "").lines()[0];
    assert_eq!((&logged["id"], &logged["commit"]), (&json!(id), &json!(commit.trim())));
}
