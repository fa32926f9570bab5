//! What people see: nothing that an agent named, or wrote into a file, is obeyed by a terminal.

use crate::support::{Terminal, TestRepo};
use serde_json::json;
use std::process::Command;

const EVIL: &str = "\u{1b}]0;owned\u{7}\u{1b}[2J\u{1b}[35mred\r over \u{202e}desrever\u{2066} \u{9b}1A\u{8}";

/// Whether a terminal would obey any of it; the newline, the tab and colours are redraft's own to use.
#[track_caller]
fn is_tame(out: &str, what: &str) {
    let mut rest = out;
    while let Some(at) = rest.find(|c: char| {
        (c.is_control() && !matches!(c, '\n' | '\t'))
            || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}' | '\u{2028}')
    }) {
        rest = &rest[at..];
        let colour = rest.strip_prefix("\u{1b}[").and_then(|code| code.split_once('m'));
        match colour.filter(|(code, _)| code.bytes().all(|b| b.is_ascii_digit() || b == b';')) {
            Some((code, after)) if code != "35" => rest = after,
            _ => panic!("{what}: {:?} in {out:?}", rest.chars().next()),
        }
    }
    assert!(!out.contains("\nforged"), "{what}: a name that breaks a line: {out:?}");
}

fn evil_repo() -> (TestRepo, String, String) {
    let repo = TestRepo::with_files(&[("a", "one\n")]);
    let path = format!("odd\nforged: {EVIL}.txt");
    let agent = json!({"name": format!("n{EVIL}\nforged"), "model": format!("m{EVIL}\nforged"), "session": format!("s{EVIL}\nforged")});
    let content = format!("first {EVIL}\nsecond\n");
    let request =
        json!({"path": path, "content": content, "agent": agent, "message": format!("why {EVIL}\n\nbody {EVIL}")});
    let id = repo.apply(request);
    (repo, path, id)
}

#[test]
fn no_listing_hands_escapes_newlines_of_names_or_bidirectional_controls_on() {
    let (repo, path, id) = evil_repo();
    let edit = json!({"path": path, "old_string": "second", "new_string": format!("third {EVIL}")}).to_string();
    let listings: &[&[&str]] = &[
        &["status"],
        &["blame", &path],
        &["show", &id],
        &["show"],
        &["log"],
        &["log", "--oneline"],
        &["log", "-p"],
        &["backups"],
        &["backups", "show", &id],
        &["fsck"],
        &["-c", "x"],
        &["show", "\u{1b}[2J"],
        &["blame", "no\u{1b}[2J\nforged"],
        &["undo", "--answer", "text", "--dry-run"],
        &["purge", "--path", "no\u{1b}[2J\nforged"],
    ];
    for colour in ["never", "always"] {
        repo.git(&["config", "color.ui", colour]);
        for args in listings {
            let ran = repo.redraft(args, "");
            is_tame(&ran.out, &format!("{args:?}"));
            is_tame(&ran.err, &format!("{args:?}"));
        }
        let ran = repo.redraft(&["apply", "--answer", "text", "--dry-run"], &edit);
        is_tame(&ran.out, "apply");
        // What is coloured is for people, what is not may be for git.
        let diff = repo.redraft(&["diff", &id], "");
        if colour == "always" {
            is_tame(&diff.out, "diff");
        } else {
            assert!(diff.out.contains("first \u{1b}]0;owned"), "{:?}", diff.out);
        }
    }
    assert!(repo.redraft(&["status"], "").out.contains("\"odd\\nforged: \\033]0;owned\\a"), "quoted as git does");
    // Programs get what there is.
    let shown = repo.redraft(&["show", &id, "--json"], "").json();
    assert_eq!(shown["files"][0]["path"], path);
}

#[test]
fn nor_does_a_real_terminal_get_any() {
    let (repo, path, id) = evil_repo();
    let edit = json!({"path": path, "old_string": "second", "new_string": format!("third {EVIL}")}).to_string();
    std::fs::write(repo.outside().join("edit.json"), edit).expect("writes");
    if Command::new("script").arg("--version").output().is_err() {
        eprintln!("notice: there is no script(1) here; a terminal is not tried");
        return;
    }
    let binary = env!("CARGO_BIN_EXE_redraft");
    for line in [
        format!("{binary} diff {id}"),
        format!("{binary} log -p"),
        format!("{binary} read \"$ODD\""),
        format!("{binary} show \"{id}:$ODD\""),
        format!("echo n | {binary} apply --confirm ../edit.json"),
        format!("{binary} apply --dry-run ../edit.json"),
        // JSON that a person looks at is a program's text on a terminal.
        format!("{binary} log --json"),
        format!("{binary} show {id} --json"),
        format!("{binary} status --json"),
        format!("{binary} blame --json \"$ODD\""),
        format!("{binary} apply --dry-run --answer envelope ../edit.json"),
    ] {
        let mut command = Command::new("script");
        crate::support::clean(command.args(["-qec", &line, "/dev/null"]), &repo.root());
        command.env("GIT_PAGER", "cat").env("TERM", "xterm").env("ODD", &path).stdin(std::process::Stdio::null());
        let out = String::from_utf8_lossy(&command.output().expect("script runs").stdout).into_owned();
        // The terminal itself ends its lines so.
        is_tame(&out.replace("\r\n", "\n"), &line);
    }
}

#[test]
fn nor_does_wrong_usage_hand_an_argument_on_as_it_is() {
    let repo = TestRepo::with_files(&[("a", "one\n")]);
    let evil = format!("x{EVIL}\nforged");
    let flag = format!("--x{EVIL}\nforged");
    let value = format!("--verify-timeout={evil}");
    let usages: &[&[&str]] = &[
        &[&evil],
        &[&flag],
        &["status", &evil],
        &["apply", &value],
        &["apply", "--match", &evil],
        &["apply", "--answer", &evil],
        &["log", "--since", &evil],
        &["log", "-n", &evil],
        &["undo", &flag],
        &["hooks", &evil],
        &["-C", &evil, "status"],
        &["apply", &evil],
        &["schema", &evil],
        &["completions", &evil],
    ];
    for args in usages {
        let ran = repo.redraft(args, "");
        assert_eq!((ran.status, ran.out.as_str()), (2, ""), "{args:?}: {}", ran.err);
        is_tame(&ran.err, &format!("{args:?}"));
        assert!(ran.err.contains("owned"), "it is shown what was wrong: {:?}", ran.err);
    }
    // What has nothing to tame is told as ever.
    assert!(repo.redraft(&["statsu"], "").err.contains("'status'"));
    assert_eq!(repo.redraft(&["--help"], "").status, 0);
}

#[test]
fn ctrl_c_in_the_pager_is_the_pagers_and_no_shell_reads_beside_it() {
    let repo = TestRepo::with_files(&[("a", "one\n")]);
    repo.edit("a", "one", "two");
    let pager = "#!/bin/sh\ntrap 'echo caught' INT\nwhile IFS= read -r line; do :; done\necho READY\n\
                 until read -r key < /dev/tty; do :; done\necho \"key $key\"\n";
    repo.script("pager", pager);
    let Some(mut terminal) = Terminal::of(&repo, "exec env GIT_PAGER=../pager redraft log -p") else { return };
    terminal.answer("READY", "\u{3}");
    terminal.answer("caught", "q\n");
    let ended = terminal.end();
    assert!(ended.shown.ends_with("key q\n") && ended.exit == Some(0), "{ended:?}");
}

#[test]
fn a_setting_that_means_nothing_stops_status_before_it_says_anything() {
    let repo = TestRepo::with_files(&[("a", "one\n")]);
    repo.git(&["config", "redraft.hookPolicy", "bad"]);
    let answer = repo.redraft(&["status"], "");
    assert_eq!((answer.status, answer.out.as_str()), (1, ""), "{}", answer.err);
    assert!(answer.err.contains("redraft.hookPolicy is \"bad\""), "{}", answer.err);
}
