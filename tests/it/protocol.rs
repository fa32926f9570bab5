//! The protocol where a folder of files cannot show it: surroundings, locks, terminals, sizes, odd names.

use crate::support::answer::check_envelope;
use crate::support::run::{REDRAFT, Ran, command, finish, redraft};
use crate::support::tree::{assert_same, snapshot};
use crate::support::{TestRepo, clean};
use fs2::FileExt;
use redraft::{EditOptions, Env, Workspace};
use serde_json::{Value, json};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::Command;

fn apply(repo: &TestRepo, request: &Value, args: &[&str]) -> Ran {
    let args: Vec<&str> = std::iter::once("apply").chain(args.iter().copied()).collect();
    redraft(&repo.root(), &args, request.to_string().as_bytes())
}

/// The answer of a run that must end with `exit`.
fn answer(ran: &Ran, exit: i32) -> Value {
    let answer = ran.json();
    check_envelope(&answer);
    assert_eq!((ran.exit, ran.stderr.as_str()), (Some(exit), ""), "{answer:#}");
    answer
}

fn reason(ran: &Ran, exit: i32) -> String {
    answer(ran, exit)["data"]["reason"].as_str().expect("an error").to_owned()
}

fn edit(path: &str, old: &str, new: &str) -> Value {
    json!({"path": path, "old_string": old, "new_string": new})
}

#[test]
fn outside_of_repositories_the_answer_says_so() {
    let repo = TestRepo::with_files(&[("a.txt", "x\n")]);
    let request = edit("a.txt", "x", "y").to_string();
    let ran = redraft(&repo.outside(), &["apply"], request.as_bytes());
    assert_eq!(reason(&ran, 1), "not_a_repository");
    repo.git(&["init", "-q", "--bare", "../bare.git"]);
    let ran = redraft(&repo.outside(), &["-C", "bare.git", "apply"], request.as_bytes());
    assert_eq!(reason(&ran, 1), "bare_repository");
}

#[test]
fn a_repository_format_that_is_not_known_is_refused_by_its_name() {
    let repo = TestRepo::with_files(&[("a.txt", "x\n")]);
    repo.git(&["config", "core.repositoryFormatVersion", "1"]);
    repo.git(&["config", "extensions.fancy", "true"]);
    let ran = apply(&repo, &edit("a.txt", "x", "y"), &[]);
    assert_eq!(reason(&ran, 1), "unsupported_repository");
    assert!(ran.text().contains("extensions.fancy"), "{ran:?}");
}

#[test]
fn a_usage_error_leaves_standard_output_empty() {
    let repo = TestRepo::with_files(&[("a.txt", "x\n")]);
    for args in [
        &["apply", "--no-such-flag"][..],
        &["apply", "--mode", "random"],
        &["apply", "--lock-timeout", "soon"],
        &["apply", "no-such-request.json"],
        &["no-such-command"],
        &[],
        &["-C", "no-such-folder", "apply"],
        &["read"],
        &["read", "a.txt", "--lines", "2:1"],
    ] {
        let ran = redraft(&repo.root(), args, b"{}");
        assert_eq!((ran.exit, ran.stdout.len()), (Some(2), 0), "{args:?}: {ran:?}");
        assert!(!ran.stderr.trim().is_empty(), "{args:?}");
    }
}

#[test]
fn an_answer_is_one_line_on_standard_output() {
    let repo = TestRepo::with_files(&[("a.txt", "x\n")]);
    for (request, exit) in [(edit("a.txt", "x", "y"), 0), (edit("a.txt", "nowhere", "y"), 1)] {
        let ran = apply(&repo, &request, &[]);
        answer(&ran, exit);
        assert_eq!(ran.text().matches('\n').count(), 1);
        assert!(ran.text().ends_with("}\n"));
    }
}

#[test]
fn a_request_may_come_from_a_file() {
    let repo = TestRepo::with_files(&[("a.txt", "x\n"), ("d/b.txt", "x\n")]);
    repo.write("request.json", edit("a.txt", "x", "y").to_string());
    answer(&redraft(&repo.root(), &["apply", "request.json"], b""), 0);
    assert_eq!(repo.read("a.txt"), b"y\n");
    // The request's name is relative to the directory of the run, its paths to the root.
    answer(&redraft(&repo.root(), &["-C", "d", "check", "../request.json"], b""), 1);
    answer(&redraft(&repo.root(), &["apply", "-"], edit("d/b.txt", "x", "y").to_string().as_bytes()), 0);
}

#[test]
fn the_text_for_people_shows_the_diff_or_the_places() {
    let repo = TestRepo::with_files(&[("a.txt", "one\ntwo\none\n")]);
    let ran = apply(&repo, &edit("a.txt", "two", "2"), &["--answer", "text"]);
    assert!(ran.text().contains("-two") && ran.text().contains("+2") && ran.text().contains("edited a.txt"));
    let ran = apply(&repo, &edit("a.txt", "one", "1"), &["--answer", "text"]);
    assert_eq!(ran.exit, Some(1));
    assert!(ran.text().starts_with("error: ") && ran.text().contains("\n2\none\n"), "{}", ran.text());
}

#[test]
fn a_held_lock_is_waited_for_and_its_holder_named() {
    let repo = TestRepo::with_files(&[("a.txt", "x\n"), ("b.txt", "x\n")]);
    answer(&apply(&repo, &edit("b.txt", "x", "y"), &[]), 0);
    let lock = std::fs::File::open(repo.root().join(".git/redraft/worktrees/main/lock")).expect("the lock file");
    lock.lock_exclusive().expect("a lock");
    let before = snapshot(&repo.outside(), &[]);
    for timeout in ["0", "0.05"] {
        let ran = apply(&repo, &edit("a.txt", "x", "y"), &["--lock-timeout", timeout]);
        assert_eq!(reason(&ran, 4), "lock_timeout");
        assert!(ran.json()["data"]["hint"]["waited_ms"].is_number());
    }
    // What fails for other reasons does not wait, and a dry run needs no lock.
    assert_eq!(reason(&apply(&repo, &edit("a.txt", "nowhere", "y"), &[]), 1), "no_match");
    answer(&apply(&repo, &edit("a.txt", "x", "y"), &["--dry-run"]), 0);
    assert_same(&snapshot(&repo.outside(), &[]), &before, "nothing was to change");
    FileExt::unlock(&lock).expect("unlocked");
    answer(&apply(&repo, &edit("a.txt", "x", "y"), &["--lock-timeout", "0"]), 0);
}

#[test]
fn a_name_that_is_not_utf8_is_edited_by_its_bytes() {
    let repo = TestRepo::new();
    let name = OsStr::from_bytes(b"caf\xe9.txt");
    std::fs::write(repo.root().join(name), "x\n").expect("a written file");
    repo.commit_all("first");
    let request = json!({"path_b64": "Y2Fm6S50eHQ=", "old_string": "x", "new_string": "y"});
    let told = answer(&apply(&repo, &request, &[]), 0);
    assert_eq!(std::fs::read(repo.root().join(name)).expect("it is there"), b"y\n");
    assert_eq!(told["data"]["files"][0]["path"], "\"caf\\351.txt\"");
    assert_eq!(told["data"]["files"][0]["path_b64"], request["path_b64"]);
    let path = Path::new(name);
    let ran = finish(command(&repo.root(), &[OsStr::new("read")]).arg(path), b"");
    assert_eq!(ran.json()["data"]["content"], "y\n");
}

#[test]
fn a_large_request_is_not_repeated_in_the_answer() {
    let repo = TestRepo::with_files(&[("a.txt", "x\n")]);
    let request = json!({"path": "b.txt", "content": "0123456789abcde\n".repeat(70_000)});
    let size = request.to_string().len();
    let told = answer(&apply(&repo, &request, &[]), 0);
    assert_eq!(told["context"]["params_input"], json!({"omitted_bytes": size}));
    assert_eq!(told["data"]["diff_truncated"], true);
    assert!(told["data"]["diff_preview"].as_str().expect("a text").lines().count() <= 100);
}

#[test]
fn the_preview_never_passes_its_limits() {
    let repo = TestRepo::with_files(&[("a.txt", "x\n")]);
    let request = json!({"path": "b.txt", "content": "a line of some length\n".repeat(300)});
    for (flag, limit) in [("--diff-lines", 7), ("--diff-lines", 1), ("--diff-bytes", 500), ("--diff-bytes", 1)] {
        let told = answer(&apply(&repo, &request, &["--dry-run", flag, &limit.to_string()]), 0);
        let preview = told["data"]["diff_preview"].as_str().expect("a text");
        let size = if flag == "--diff-lines" { preview.lines().count() } else { preview.len() };
        assert!(size <= limit, "{flag} {limit}: {size}");
        assert!(preview.is_empty() || preview.ends_with('\n'), "cut at a line");
        assert_eq!(told["stats"]["lines_added"], 300, "a new file is counted as a whole");
    }
}

#[test]
fn lines_of_a_cut_preview_are_counted_as_shown_but_for_new_files() {
    let repo = TestRepo::with_files(&[("a.txt", &"old line\n".repeat(200))]);
    let many = "new line\n".repeat(200);
    let change = json!({"path": "a.txt", "content": many, "overwrite": true});
    let create = json!({"path": "b.txt", "content": many});
    let told = answer(&apply(&repo, &json!({"files": [create, change]}), &["--dry-run"]), 0);
    assert_eq!((&told["stats"]["lines_added"], &told["stats"]["lines_removed"]), (&json!(200), &json!(0)));
    let told = answer(&apply(&repo, &json!({"files": [change, create]}), &["--dry-run"]), 0);
    let preview = told["data"]["diff_preview"].as_str().expect("a text");
    let shown = |mark: &str| preview.lines().filter(|line| line.starts_with(mark)).count() - 1;
    assert_eq!(told["stats"]["lines_added"], shown("+") + 200);
    assert_eq!(told["stats"]["lines_removed"], shown("-"));
}

#[test]
fn ten_thousand_edits_are_one_request() {
    let text: String = (0..10_000).map(|n| format!("line number {n};\n")).collect();
    let repo = TestRepo::with_files(&[("a.txt", &text)]);
    let edits: Vec<Value> = (0..10_000)
        .map(|n| json!({"old_string": format!("number {n};"), "new_string": format!("NUMBER {n};")}))
        .collect();
    let told = answer(&apply(&repo, &json!({"path": "a.txt", "edits": edits}), &[]), 0);
    assert_eq!(told["data"]["replacements"], 10_000);
    assert_eq!(repo.read("a.txt"), text.replace("number", "NUMBER").into_bytes());
}

/// Asks on a terminal that `script` makes, and answers `typed`.
fn on_a_terminal(repo: &TestRepo, typed: &str) -> Option<i32> {
    std::fs::write(repo.outside().join("request"), edit("a.txt", "x", "y").to_string()).expect("a request");
    let line = format!("{REDRAFT} apply --confirm ../request > ../answer");
    let mut script = Command::new("script");
    clean(script.args(["-qec", &line, "/dev/null"]), &repo.root());
    finish(&mut script, typed.as_bytes()).exit
}

#[test]
fn a_yes_on_the_terminal_writes_and_anything_else_does_not() {
    if Command::new("script").arg("--version").output().is_err() {
        return;
    }
    for (typed, exit, after) in [("y\n", 0, "y\n"), ("YES\n", 0, "y\n"), ("n\n", 1, "x\n"), ("\n", 1, "x\n")] {
        let repo = TestRepo::with_files(&[("a.txt", "x\n")]);
        assert_eq!(on_a_terminal(&repo, typed), Some(exit), "{typed:?}");
        assert_eq!(repo.read("a.txt"), after.as_bytes());
        let told = std::fs::read_to_string(repo.outside().join("answer")).expect("an answer");
        let told: Value = serde_json::from_str(&told).expect("the question stands elsewhere");
        check_envelope(&told);
        assert_eq!(told["data"]["applied"], exit == 0);
    }
}

#[test]
fn a_yes_is_for_what_was_shown() {
    let repo = TestRepo::with_files(&[("a.txt", "x\n")]);
    let workspace = Workspace::open(&Env::in_dir(repo.root()).expect("absolute")).expect("a working tree");
    let ask = |diff: &str| {
        assert!(diff.contains("-x\n+y\n"), "{diff}");
        repo.write("a.txt", "more\nx\n");
        true
    };
    let mut options = EditOptions::default();
    options.confirm = true;
    options.ask = Some(&ask);
    let request = edit("a.txt", "x", "y").to_string();
    let answer = workspace.answer(request.as_bytes(), &options);
    assert_eq!(answer.envelope().data.reason.expect("an error").as_str(), "changed_while_editing");
    assert_eq!(repo.read("a.txt"), b"more\nx\n");
    options.ask = Some(&|_| true);
    let answer = workspace.answer(request.as_bytes(), &options);
    assert!(answer.envelope().data.applied);
}

#[test]
fn what_git_config_gives_on_the_command_line_counts() {
    let repo = TestRepo::with_files(&[("a.txt", "x\n")]);
    let mut denied = command(&repo.root(), &["apply"]);
    denied.env("GIT_CONFIG_COUNT", "1").env("GIT_CONFIG_KEY_0", "redraft.deny").env("GIT_CONFIG_VALUE_0", "a.txt");
    assert_eq!(reason(&finish(&mut denied, edit("a.txt", "x", "y").to_string().as_bytes()), 1), "policy");
}

#[test]
fn nothing_that_the_repository_names_is_run() {
    let repo = TestRepo::with_files(&[("a.txt", "x\n"), (".gitattributes", "*.txt filter=f diff=f\n")]);
    let touch = format!("touch {}; cat", repo.outside().join("ran").display());
    for key in ["filter.f.clean", "filter.f.smudge", "diff.f.textconv", "diff.external", "core.fsmonitor", "core.pager"]
    {
        repo.git(&["config", key, &touch]);
    }
    repo.write(".git/hooks/pre-commit", format!("#!/bin/sh\n{touch}\n"));
    repo.write("a.txt", "x \n");
    answer(&apply(&repo, &edit("a.txt", "x ", "y"), &[]), 0);
    assert!(!repo.outside().join("ran").exists());
}
