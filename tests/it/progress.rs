//! What takes long says so: on a terminal, and nowhere else, and nothing of it stays there.

use crate::support::{Terminal, TestRepo};
use serde_json::json;

/// A repository in which git takes its time to pack.
fn slow() -> TestRepo {
    let repo = TestRepo::with_files(&[("a", "one\n")]);
    repo.apply(json!({"path": "a", "old_string": "one", "new_string": "two"}));
    let script = "#!/bin/sh\nPATH=${PATH#*:}\ncase \"$*\" in *\" gc \"*) sleep 3;; esac\nexec git \"$@\"\n";
    repo.write("../bin/git", script);
    let path = repo.outside().join("bin/git");
    std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o755)).expect("it is ours");
    repo
}

#[test]
fn what_takes_over_a_second_says_so_on_a_terminal_and_leaves_the_line_empty() {
    let repo = slow();
    let line = "PATH=$PWD/../bin:$PATH redraft gc 2>&1";
    let Some(mut terminal) = Terminal::of(&repo, line) else { return };
    terminal.wait_for("redraft: packing the history, 1 s");
    let ended = terminal.end();
    assert_eq!(ended.exit, Some(0), "{}", ended.shown);
    let last = ended.shown.trim_end().lines().last().unwrap_or_default().to_owned();
    let (erased, answer) = last.rsplit_once('\r').expect("the line is written over");
    assert!(answer.starts_with("1 record kept"), "{:?}", ended.shown);
    let blank = erased.rsplit('\r').next().unwrap_or_default();
    assert!(blank.len() >= "redraft: packing the history, 1 s".len() && blank.trim().is_empty(), "{:?}", ended.shown);
}

#[test]
fn nobody_is_told_where_there_is_no_terminal_or_a_program_reads() {
    let repo = slow();
    for (line, out) in [
        ("PATH=$PWD/../bin:$PATH redraft gc 2>../err", "record kept"),
        ("PATH=$PWD/../bin:$PATH redraft gc --json 2>&1", "\"kept\":1"),
    ] {
        let Some(terminal) = Terminal::of(&repo, line) else { return };
        let ended = terminal.end();
        assert!(ended.shown.contains(out) && !ended.shown.contains("packing"), "{line}: {:?}", ended.shown);
    }
    assert_eq!(std::fs::read_to_string(repo.outside().join("err")).expect("reads"), "");
}
