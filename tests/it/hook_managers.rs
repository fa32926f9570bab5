//! Repositories whose hooks belong to husky, lefthook or the pre-commit framework: nothing of theirs is switched off.

use crate::support::{TestRepo, clean};
use serde_json::{Value, json};
use std::path::Path;
use std::process::{Command, Output};

const TEXT: &str = "one\ntwo\nthree\nfour\n";
const HOOKS: [&str; 5] = ["pre-commit", "prepare-commit-msg", "commit-msg", "post-commit", "post-rewrite"];

/// Runs git as somebody who has redraft in PATH.
fn try_git(repo: &TestRepo, args: &[&str]) -> Output {
    let bin = Path::new(env!("CARGO_BIN_EXE_redraft")).parent().expect("a folder");
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").expect("PATH"));
    clean(Command::new("git").args(args), &repo.root()).env("PATH", path).output().expect("git runs")
}

fn hooks(repo: &TestRepo, args: &[&str]) -> Value {
    repo.done(&[&["hooks"], args, &["--json"]].concat(), "")
}

/// husky 9, as `npx husky` leaves it: shims that run the user's hooks by their own names.
fn husky() -> TestRepo {
    let repo = TestRepo::with_files(&[("a.txt", TEXT)]);
    for name in HOOKS {
        repo.write(&format!(".husky/_/{name}"), "#!/usr/bin/env sh\n. \"$(dirname \"$0\")/h\"");
        repo.chmod(&format!(".husky/_/{name}"), 0o755);
    }
    let runner = "#!/usr/bin/env sh\nn=$(basename \"$0\")\ns=$(dirname \"$(dirname \"$0\")\")/$n\n\
                  [ ! -f \"$s\" ] && exit 0\nsh -e \"$s\" \"$@\"\nexit $?\n";
    repo.write(".husky/_/h", runner);
    repo.write(".husky/pre-commit", "echo ran >> .git/ran\n");
    repo.git(&["config", "core.hooksPath", ".husky/_"]);
    repo
}

fn runs(repo: &TestRepo) -> usize {
    if repo.has(".git/ran") { repo.text(".git/ran").lines().count() } else { 0 }
}

#[test]
fn under_husky_nothing_is_switched_off_and_the_lines_to_add_are_told() {
    let repo = husky();
    let before = crate::support::tree_of(&repo.root().join(".husky"));
    let report = hooks(&repo, &["install"]);
    assert_eq!(report["manager"], json!("husky"));
    assert_eq!(crate::support::tree_of(&repo.root().join(".husky")), before);
    assert!(report["to_add"][0]["lines"].as_str().expect("lines").contains("redraft git-hook pre-commit"));
    let told = repo.redraft(&["hooks", "install"], "").out;
    assert!(
        told.contains("husky") && told.contains(".husky/pre-commit") && told.contains("redraft git-hook"),
        "{told}"
    );
    assert!(try_git(&repo, &["commit", "-q", "--allow-empty", "-m", "x"]).status.success());
    assert_eq!(runs(&repo), 1, "the user's own hook runs");

    let into: Vec<String> = HOOKS.iter().map(|name| format!("--into=.husky/{name}")).collect();
    let args: Vec<&str> = std::iter::once("install").chain(into.iter().map(String::as_str)).collect();
    for _ in 0..2 {
        let report = hooks(&repo, &args);
        assert!(HOOKS.iter().all(|name| report["hooks"][name] == "installed"), "{report}");
        assert_eq!(report["to_add"], json!([]));
    }
    let line = "if command -v redraft >/dev/null 2>&1; then redraft git-hook pre-commit \"$@\"; fi";
    assert_eq!(repo.text(".husky/pre-commit"), format!("echo ran >> .git/ran\n{line}\n"));
    let id = repo.edit("a.txt", "two", "2");
    assert!(try_git(&repo, &["commit", "-qam", "with an edit"]).status.success());
    assert_eq!(runs(&repo), 2);
    assert!(repo.git(&["log", "-1", "--format=%B"]).contains(&format!("Redraft-Id: {id}")));
    assert_eq!(repo.redraft(&["hooks", "install", "--into", "a.txt"], "").status, 1);
    assert_eq!(repo.text("a.txt"), TEXT.replace("two", "2"));
}

/// Seen: nothing was taken away, nothing was said, and the exit status was 0; without redraft in PATH every commit failed (127).
#[test]
fn under_husky_uninstall_takes_its_lines_out_again_and_who_has_no_redraft_commits_all_the_same() {
    let repo = husky();
    let before = crate::support::tree_of(&repo.root().join(".husky"));
    let into: Vec<String> = HOOKS.iter().map(|name| format!("--into=.husky/{name}")).collect();
    let args: Vec<&str> = std::iter::once("install").chain(into.iter().map(String::as_str)).collect();
    hooks(&repo, &args);
    repo.git(&["commit", "-q", "--allow-empty", "-m", "without redraft"]);
    assert_eq!(runs(&repo), 1);
    hooks(&repo, &["uninstall"]);
    assert_eq!(crate::support::tree_of(&repo.root().join(".husky")), before);
    // The line of an older version, which had no guard: it is put right, and taken out.
    let old = "echo ran >> .git/ran\nredraft git-hook pre-commit \"$@\"\necho more >> .git/ran\n";
    repo.write(".husky/pre-commit", old);
    hooks(&repo, &["install", "--into=.husky/pre-commit"]);
    assert!(repo.text(".husky/pre-commit").contains("command -v redraft"));
    for text in [repo.text(".husky/pre-commit"), old.to_owned()] {
        repo.write(".husky/pre-commit", text);
        hooks(&repo, &["uninstall"]);
        assert_eq!(repo.text(".husky/pre-commit"), "echo ran >> .git/ran\necho more >> .git/ran\n");
    }
    // What a person made of it is told.
    let own = "echo ran >> .git/ran\n[ -n \"$CI\" ] || redraft git-hook pre-commit\n";
    repo.write(".husky/pre-commit", own);
    let answer = repo.redraft(&["hooks", "uninstall"], "");
    assert_eq!(answer.status, 1, "{}", answer.err);
    assert!(answer.err.contains(".husky/pre-commit:2: [ -n \"$CI\" ] || redraft"), "{}", answer.err);
    assert_eq!(repo.text(".husky/pre-commit"), own);
}

#[test]
fn hooks_that_an_older_redraft_put_over_huskys_are_taken_away_again() {
    let repo = husky();
    let before = crate::support::tree_of(&repo.root().join(".husky"));
    for name in HOOKS {
        let shim = repo.root().join(".husky/_").join(name);
        std::fs::rename(&shim, repo.root().join(format!(".husky/_/{name}.before-redraft"))).expect("kept");
        let script = std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("hooks/git").join(name)).expect("ours");
        repo.write(&format!(".husky/_/{name}"), script);
        repo.chmod(&format!(".husky/_/{name}"), 0o755);
    }
    hooks(&repo, &["install"]);
    assert_eq!(crate::support::tree_of(&repo.root().join(".husky")), before);
}

#[test]
fn under_lefthook_the_lines_to_add_are_told_and_added() {
    let repo = TestRepo::with_files(&[("a.txt", TEXT)]);
    repo.write("lefthook.yml", "pre-push:\n  commands:\n    test:\n      run: true");
    repo.hook("pre-push", "#!/bin/sh\ncall_lefthook() { :; }\ncall_lefthook run pre-push\n");
    let before = crate::support::tree_of(&repo.root().join(".git/hooks"));
    let report = hooks(&repo, &["install"]);
    assert_eq!(report["manager"], json!("lefthook"));
    assert_eq!(report["to_add"].as_array().map(Vec::len), Some(5));
    let report = hooks(&repo, &["install", "--into", "lefthook.yml"]);
    assert!(HOOKS.iter().all(|name| report["hooks"][name] == "installed"), "{report}");
    assert_eq!(crate::support::tree_of(&repo.root().join(".git/hooks")), before);
    let text = repo.text("lefthook.yml");
    assert!(text.starts_with("pre-push:\n  commands:\n    test:\n      run: true\npre-commit:\n"), "{text}");
    assert!(text.contains("then redraft git-hook prepare-commit-msg {0}; fi\n"), "{text}");
    hooks(&repo, &["uninstall"]);
    assert_eq!(repo.text("lefthook.yml"), "pre-push:\n  commands:\n    test:\n      run: true\n");
    // What has commands already is the person's to merge.
    repo.write("lefthook.yml", "pre-commit:\n  commands:\n    test:\n      run: true\n");
    let answer = repo.redraft(&["hooks", "install", "--into", "lefthook.yml"], "");
    assert!(answer.status != 0 && answer.err.contains("add these lines"), "{}", answer.err);
    assert!(!answer.err.contains("\\n") && !answer.err.contains("disk"), "{}", answer.err);
    assert_eq!(repo.text("lefthook.yml"), "pre-commit:\n  commands:\n    test:\n      run: true\n");
}

/// What `pre-commit install` writes, in short: it runs a hook that was there, as NAME.legacy.
const FRAMEWORK: &str = "#!/bin/sh\n# File generated by pre-commit: https://pre-commit.com\necho ran >> .git/ran\n\
                         l=$(dirname \"$0\")/pre-commit.legacy; [ -x \"$l\" ] && { \"$l\" \"$@\" || exit; }; exit 0\n";

#[test]
fn beside_the_pre_commit_framework_hooks_stand_and_are_repaired_where_it_overwrote_them() {
    let repo = TestRepo::with_files(&[("a.txt", TEXT)]);
    repo.hook("pre-commit", FRAMEWORK);
    let report = hooks(&repo, &["install"]);
    assert_eq!((&report["manager"], &report["hooks"]["pre-commit"]), (&json!("pre-commit"), &json!("chained")));
    // It is installed anew, over ours.
    let place = repo.root().join(".git/hooks/pre-commit");
    std::fs::rename(&place, repo.root().join(".git/hooks/pre-commit.legacy")).expect("its way");
    repo.hook("pre-commit", FRAMEWORK);
    assert_eq!(hooks(&repo, &["status"])["hooks"]["pre-commit"], json!("overwritten"));
    assert_eq!(hooks(&repo, &["install"])["hooks"]["pre-commit"], json!("chained"));
    let id = repo.edit("a.txt", "two", "2");
    assert!(try_git(&repo, &["commit", "-qam", "x"]).status.success());
    assert_eq!(runs(&repo), 1, "once");
    assert!(repo.git(&["log", "-1", "--format=%B"]).contains(&id));
    hooks(&repo, &["uninstall"]);
    assert_eq!(repo.text(".git/hooks/pre-commit"), FRAMEWORK);
}

#[test]
fn hooks_that_something_overwrote_are_repaired_and_nothing_is_lost() {
    let repo = TestRepo::with_files(&[("a.txt", TEXT)]);
    repo.hook("pre-commit", "#!/bin/sh\n# mine\nexit 0\n");
    hooks(&repo, &["install"]);
    repo.hook("pre-commit", "#!/bin/sh\n# another\necho ran >> .git/ran\n");
    hooks(&repo, &["install"]);
    assert!(try_git(&repo, &["commit", "-q", "--allow-empty", "-m", "x"]).status.success());
    assert_eq!(runs(&repo), 1);
    assert!(repo.text(".git/hooks.before-redraft/pre-commit.1").contains("# mine"));
    hooks(&repo, &["uninstall"]);
    assert!(repo.text(".git/hooks/pre-commit").contains("# another"));
}

#[test]
fn a_review_works_by_the_words_of_the_refusal_whatever_was_committed() {
    let repo = TestRepo::with_files(&[("a.txt", TEXT)]);
    hooks(&repo, &["install"]);
    repo.git(&["config", "redraft.hookPolicy", "unreviewed"]);
    for how in [&["commit", "-qam", "x"][..], &["commit", "-qm", "x", "a.txt"]] {
        let id = repo.edit("a.txt", "o\n", if how.len() == 3 { "oo\n" } else { "ooo\n" });
        let refused = try_git(&repo, how);
        let said = String::from_utf8_lossy(&refused.stderr).into_owned();
        let command = said.split("`redraft hooks review ").nth(1).and_then(|rest| rest.split('`').next());
        assert_eq!(command, Some(id.as_str()), "{said}");
        let answer = repo.redraft(&["hooks", "review"], "");
        assert!(answer.status == 1 && answer.err.contains("nothing to review"), "{}", answer.err);
        repo.done(&["hooks", "review", &id, "--json"], "");
        assert!(try_git(&repo, how).status.success());
    }
}

/// Seen: "installed", and every commit passed, as the hook ended with `exit 0` before the line was reached.
#[test]
fn under_husky_the_line_stands_before_the_exit_with_which_a_hook_ends() {
    for end in ["exit 0\n", "exec true\n\n# the end\n", "exit 0"] {
        let repo = husky();
        repo.write(".husky/pre-commit", format!("echo mine\n{end}"));
        repo.done(&["hooks", "install", "--into", ".husky/pre-commit", "--json"], "");
        let text = repo.text(".husky/pre-commit");
        let (before, line) = text.strip_suffix(end).and_then(|rest| rest.split_once('\n')).expect("the end is the end");
        assert!(before == "echo mine" && line.contains("redraft git-hook pre-commit"), "{text}");
        repo.done(&["hooks", "uninstall", "--json"], "");
        assert_eq!(repo.text(".husky/pre-commit"), format!("echo mine\n{end}"));
    }
    // What comes between would hide how the command before it ended.
    for end in ["exit $?\n", "exit\n", "exit; # as it went\n"] {
        let repo = husky();
        repo.write(".husky/pre-commit", format!("set +e\nfalse\n{end}"));
        let refused = repo.redraft(&["hooks", "install", "--into", ".husky/pre-commit"], "");
        assert!(refused.status == 1 && refused.err.contains("add these lines to them by hand"), "{}", refused.err);
        assert_eq!(repo.text(".husky/pre-commit"), format!("set +e\nfalse\n{end}"));
    }
    // An older version put the line behind it.
    let repo = husky();
    repo.done(&["hooks", "install", "--into", ".husky/pre-commit", "--json"], "");
    let line = repo.text(".husky/pre-commit").replace("echo ran >> .git/ran\n", "");
    let behind = format!("exec 2>&1\necho mine\nexit 0\n{line}");
    repo.write(".husky/pre-commit", &behind);
    let state = |repo: &TestRepo| {
        let told = repo.redraft(&["hooks", "status", "--json"], "").json();
        told["hooks"]["pre-commit"].as_str().expect("a state").to_owned()
    };
    let cut_off = state(&repo);
    repo.done(&["hooks", "install", "--into", ".husky/pre-commit", "--json"], "");
    assert_eq!(repo.text(".husky/pre-commit"), format!("exec 2>&1\necho mine\n{line}exit 0\n"));
    assert_eq!([cut_off, state(&repo)], ["missing", "installed"]);
    // Where somebody changed it, it stays, and that is said.
    let changed = format!("exit 0\n{}", line.replace("fi\n", "fi # ours\n"));
    repo.write(".husky/pre-commit", &changed);
    let refused = repo.redraft(&["hooks", "install", "--into", ".husky/pre-commit"], "");
    assert!(refused.status == 1 && refused.err.contains("add these lines to them by hand"), "{}", refused.err);
    assert_eq!(repo.text(".husky/pre-commit"), changed);
    // One within is no end.
    let repo = husky();
    repo.write(".husky/pre-commit", "if false; then\n    exit 0\nfi\n");
    repo.done(&["hooks", "install", "--into", ".husky/pre-commit", "--json"], "");
    assert!(repo.text(".husky/pre-commit").starts_with("if false; then\n    exit 0\nfi\nif command -v redraft"));
}
