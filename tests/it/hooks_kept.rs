//! Hooks that a person had before `redraft hooks install`: they run as they did, and come back as they were.

use crate::support::{TestRepo, clean};
use serde_json::json;
use std::path::Path;
use std::process::{Command, Output};

fn hooks(repo: &TestRepo, what: &str) -> serde_json::Value {
    repo.done(&["hooks", what, "--json"], "")["hooks"].clone()
}

/// Runs git as somebody who has redraft in PATH.
fn commit(repo: &TestRepo) -> Output {
    let bin = Path::new(env!("CARGO_BIN_EXE_redraft")).parent().expect("a folder");
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").expect("PATH"));
    let args = ["commit", "-q", "--allow-empty", "-m", "x"];
    clean(Command::new("git").args(args), &repo.root()).env("PATH", path).output().expect("git runs")
}

fn link(target: &str, place: &Path) {
    std::os::unix::fs::symlink(target, place).expect("a link");
}

/// A hook that does something under its own name only, with what lies beside it and above it.
const DISPATCHER: &str = "#!/bin/sh\nset -e\ncase \"$(basename \"$0\")\" in\n\
                          pre-commit) . \"$(dirname \"$0\")/lib.sh\"; cat \"$(dirname \"$0\")/../../a.txt\" >/dev/null; refuse;;\n\
                          esac\n";

/// Seen: it ran as `pre-commit.before-redraft` and did nothing (overcommit, husky 4, a script for all hooks behind links), so that what it
/// refused was committed.
#[test]
fn a_hook_that_looks_at_its_own_name_still_refuses_a_commit() {
    for is_link in [false, true] {
        for folder in [".git/hooks", "tools/hooks", "tools/hooks/"] {
            let repo = TestRepo::with_files(&[("a.txt", "one\n")]);
            repo.git(&["config", "core.hooksPath", folder]);
            let folder = folder.trim_end_matches('/');
            let place = |name: &str| format!("{folder}/{name}");
            repo.write(&place("lib.sh"), "refuse() { echo refused >&2; exit 1; }\n");
            let script = place(if is_link { "dispatch" } else { "pre-commit" });
            repo.write(&script, DISPATCHER);
            repo.chmod(&script, 0o755);
            if is_link {
                link("dispatch", &repo.root().join(place("pre-commit")));
                link("../../nowhere", &repo.root().join(place("commit-msg")));
            }
            let before = crate::support::tree_of(&repo.root().join(folder));
            assert_eq!(hooks(&repo, "install")["pre-commit"], json!("chained"));
            hooks(&repo, "install");
            let output = commit(&repo);
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(!output.status.success() && said.contains("refused"), "{is_link} {folder}: {said}");
            hooks(&repo, "uninstall");
            assert_eq!(crate::support::tree_of(&repo.root().join(folder)), before);
            assert!(!repo.has(&format!("{folder}.before-redraft")));
        }
    }
}

/// What a version made that kept hooks as `NAME.before-redraft` in git's folder.
#[test]
fn a_hook_that_an_older_redraft_kept_runs_and_comes_back_with_another_install_and_without() {
    for is_installed_anew in [false, true] {
        let repo = TestRepo::with_files(&[("a.txt", "one\n")]);
        repo.hook("pre-commit", "#!/bin/sh\nexit 1\n");
        let before = crate::support::tree_of(&repo.root().join(".git/hooks"));
        repo.hook("pre-commit.before-redraft", "#!/bin/sh\nexit 1\n");
        repo.hook(
            "pre-commit",
            "#!/bin/sh\n# redraft hook: of old\nif [ -x \"$0.before-redraft\" ]; then\n\"$0.before-redraft\" || exit\nfi\n",
        );
        assert_eq!(hooks(&repo, "status")["pre-commit"], json!("changed"));
        if is_installed_anew {
            assert_eq!(hooks(&repo, "install")["pre-commit"], json!("chained"));
            assert!(!repo.has(".git/hooks/pre-commit.before-redraft"));
        }
        assert!(!commit(&repo).status.success(), "{is_installed_anew}");
        hooks(&repo, "uninstall");
        assert_eq!(crate::support::tree_of(&repo.root().join(".git/hooks")), before);
        assert!(!repo.has(".git/hooks.before-redraft"));
    }
}

#[test]
fn a_hook_in_a_folder_that_is_a_link_runs_and_comes_back() {
    let repo = TestRepo::with_files(&[("a.txt", "one\n")]);
    let folder = repo.root().join(".git/hooks");
    if folder.exists() {
        std::fs::remove_dir_all(&folder).expect("removed");
    }
    repo.write("tools/hooks/pre-commit", "#!/bin/sh\nexit 1\n");
    repo.chmod("tools/hooks/pre-commit", 0o755);
    link("../tools/hooks", &folder);
    let before = crate::support::tree_of(&repo.root().join("tools"));
    assert_eq!(hooks(&repo, "install")["pre-commit"], json!("chained"));
    assert!(!commit(&repo).status.success());
    hooks(&repo, "uninstall");
    assert_eq!(crate::support::tree_of(&repo.root().join("tools")), before);
}

/// A hook manager writes its hook over redraft's again and again.
#[test]
fn hooks_that_were_written_over_redraft_s_are_all_kept_and_what_else_is_in_their_folder_stays() {
    let repo = TestRepo::with_files(&[("a.txt", "one\n")]);
    let kept = |name: &str| format!(".git/hooks.before-redraft/{name}");
    for text in ["#!/bin/sh\n# one\n", "#!/bin/sh\n# two\n", "#!/bin/sh\n# two\n", "#!/bin/sh\n# three\n"] {
        repo.hook("pre-commit", text);
        hooks(&repo, "install");
        assert_eq!(repo.text(&kept("pre-commit")), text);
    }
    assert_eq!(repo.text(&kept("pre-commit.1")), "#!/bin/sh\n# one\n");
    assert_eq!(repo.text(&kept("pre-commit.2")), "#!/bin/sh\n# two\n");
    assert!(!repo.has(&kept("pre-commit.3")));
    // A person's own link, beside redraft's, which are taken away with it.
    repo.hook("lib.sh", "true\n");
    link("../../a.txt", &repo.root().join(kept("mine")));
    hooks(&repo, "install");
    assert_eq!(repo.text(&kept("lib.sh")), "true\n");
    hooks(&repo, "uninstall");
    assert_eq!(repo.text(".git/hooks/pre-commit"), "#!/bin/sh\n# three\n");
    assert!(!repo.has(&kept("lib.sh")) && repo.has(&kept("mine")));
}

/// Seen: `uninstall` threw away a line that a person had added to redraft's script, and said nothing.
#[test]
fn what_somebody_added_to_redrafts_script_is_put_aside_and_told() {
    for command in ["uninstall", "install"] {
        let repo = TestRepo::with_files(&[("a.txt", "one\n")]);
        hooks(&repo, "install");
        let place = ".git/hooks/pre-commit";
        repo.write(place, repo.text(place).replacen('\n', "\n./my-check || exit 1\n", 1));
        let said = repo.redraft(&["hooks", command], "").out;
        assert!(said.contains("pre-commit.redraft-changed"), "{said}");
        assert!(repo.text(".git/hooks/pre-commit.redraft-changed").contains("./my-check || exit 1\n"));
        assert_eq!(repo.has(place), command == "install");
    }
}

/// Seen: exit 0, and all hooks were still where git had looked for them before `core.hooksPath` was set.
#[test]
fn hooks_go_too_where_git_looked_before_another_folder_was_set() {
    let repo = TestRepo::with_files(&[("a.txt", "one\n")]);
    repo.hook("pre-commit", "#!/bin/sh\nexit 1\n");
    let before = crate::support::tree_of(&repo.root().join(".git/hooks"));
    hooks(&repo, "install");
    repo.git(&["config", "core.hooksPath", "elsewhere"]);
    hooks(&repo, "uninstall");
    assert_eq!(crate::support::tree_of(&repo.root().join(".git/hooks")), before);
}

/// Seen: an error of the system's, and advice to look at the disk.
#[test]
fn where_hooks_are_switched_off_it_is_said_what_to_do() {
    let repo = TestRepo::with_files(&[("a.txt", "one\n")]);
    repo.git(&["config", "core.hooksPath", "/dev/null"]);
    let said = repo.redraft(&["hooks", "install"], "");
    assert!(said.status != 0 && said.err.contains("core.hooksPath") && !said.err.contains("disk"), "{}", said.err);
}
