//! `redraft run`: what another program changes is recorded, once, and can be undone; the program itself notices nothing.

use crate::support::{Answer, Dice, TestRepo};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Runs a shell script below `redraft run`.
fn run(repo: &TestRepo, script: &str) -> Answer {
    repo.redraft(&["run", "--agent", "me", "--session", "s", "--", "sh", "-c", script], "")
}

/// The ids of the records that `redraft run` told of.
fn recorded(answer: &Answer) -> Vec<String> {
    let lines = answer.err.lines().filter_map(|line| line.strip_prefix("redraft: recorded "));
    lines.map(|line| line.split(' ').next().expect("an id").to_owned()).collect()
}

fn log(repo: &TestRepo) -> Vec<Value> {
    repo.redraft(&["log", "--json"], "").lines()
}

/// The files of the working tree, with their bytes and whether they may be run.
fn files(repo: &TestRepo) -> BTreeMap<String, (Vec<u8>, bool)> {
    let listed = repo.git(&["ls-files", "-z", "--cached", "--others", "--exclude-standard"]);
    let mut files = BTreeMap::new();
    for path in listed.split('\0').filter(|path| !path.is_empty() && repo.has(path)) {
        let mode = std::fs::metadata(repo.root().join(path)).expect("it is there").permissions();
        let runs = std::os::unix::fs::PermissionsExt::mode(&mode) & 0o111 != 0;
        files.insert(path.to_owned(), (repo.read(path), runs));
    }
    files
}

fn numbers(from: usize, to: usize) -> String {
    (from..=to).map(|n| format!("{n}\n")).collect()
}

#[test]
fn whatever_a_program_does_to_files_is_one_record_and_goes_back_exactly() {
    let repo = TestRepo::with_files(&[("a", &numbers(1, 20)), ("dir/b", "one\ntwo\n"), (".gitignore", "*.log\n")]);
    repo.write("bin", "x\0y");
    repo.commit_all("binary");
    repo.write("untracked", "mine\n");
    repo.write("x.log", "ignored\n");
    repo.write("a", numbers(1, 20).replace("3\n", "mine\n"));
    let before = files(&repo);
    let script = "sed -i s/^5$/five/ a; mv dir/b dir/c; mkdir new; echo made > new/file; rm untracked; printf 'x\\0z' > bin; \
        echo more > x.log; chmod +x a; printf 'said'; echo told >&2; exit 3";
    let answer = run(&repo, script);
    assert_eq!((answer.status, answer.out.as_str()), (3, "said"));
    let ids = recorded(&answer);
    assert_eq!((ids.len(), answer.err.starts_with("told")), (1, true), "{}", answer.err);
    let after = files(&repo);
    assert_eq!(repo.text("x.log"), "more\n");
    let record = &log(&repo)[0];
    assert_eq!((&record["id"], &record["kind"]), (&json!(ids[0]), &json!("edit")));
    assert_eq!((&record["agent"]["name"], &record["session"]), (&json!("me"), &json!("s")));
    assert_eq!(record["observed"]["tool"], json!("sh"));
    let did = |file: &Value| {
        format!("{} {}", file["change"].as_str().expect("a word"), file["path"].as_str().expect("a path"))
    };
    let files_of: Vec<String> = record["files"].as_array().expect("a list").iter().map(did).collect();
    assert_eq!(files_of, ["modify a", "modify bin", "rename dir/c", "create new/file", "delete untracked"]);
    repo.done(&["undo"], "");
    assert_eq!(files(&repo), before);
    assert!(!repo.has("new"));
    repo.done(&["redo"], "");
    assert_eq!(files(&repo), after);
    // Sealed, it is the same.
    assert_eq!(repo.redraft(&["gc"], "").status, 0);
    assert_eq!(log(&repo).last().expect("a record")["observed"], record["observed"]);
    repo.done(&["undo", &ids[0]], "");
    assert_eq!(files(&repo), before);
    assert_eq!(repo.redraft(&["fsck"], "").status, 0);
}

#[test]
fn what_redraft_itself_does_meanwhile_is_recorded_once_and_the_rest_beside_it() {
    let repo = TestRepo::with_files(&[("a", &numbers(1, 9)), ("b", "one\n"), ("c", "one\n")]);
    let before = files(&repo);
    let apply = |path: &str, old: &str, new: &str| {
        let request = json!({"path": path, "old_string": old, "new_string": new});
        format!("echo '{request}' | {} apply >/dev/null; ", env!("CARGO_BIN_EXE_redraft"))
    };
    let script = format!(
        "sed -i s/^1$/one/ a; {}sed -i s/^9$/nine/ a; {}{}sed -i s/two/three/ c",
        apply("a", "5", "five"),
        apply("b", "one", "two"),
        apply("c", "one", "two"),
    );
    let answer = run(&repo, &script);
    // What came before redraft's own edit, and what came after.
    assert_eq!(recorded(&answer).len(), 2, "{}", answer.err);
    let told = log(&repo);
    assert_eq!(told.len(), 5);
    let of = |n: usize| told[n]["files"].as_array().expect("a list").len();
    assert_eq!((of(0), of(1)), (2, 1));
    for record in told {
        repo.done(&["undo", record["id"].as_str().expect("an id")], "");
    }
    assert_eq!(files(&repo), before);
}

#[test]
fn two_observers_of_one_change_record_it_once() {
    let repo = TestRepo::with_files(&[("a", "one\n")]);
    let inner = format!("{} run -- sed -i s/one/two/ a", env!("CARGO_BIN_EXE_redraft"));
    let answer = run(&repo, &inner);
    assert_eq!(recorded(&answer).len(), 1, "{}", answer.err);
    assert_eq!(log(&repo).len(), 1);
}

#[test]
fn a_switch_of_branches_is_no_edit_and_what_a_checkout_discards_is_one() {
    let repo = TestRepo::with_files(&[("a", "one\n"), ("b", "one\n")]);
    repo.git(&["checkout", "-q", "-b", "other"]);
    repo.write("a", "two\n");
    repo.git(&["rm", "-q", "b"]);
    repo.commit_all("other");
    for script in [
        "git checkout -q -",
        "git checkout -q -",
        "git merge -q other || true",
        "git commit -q --allow-empty -m x",
        "touch a",
    ] {
        let answer = run(&repo, script);
        assert_eq!((answer.status, answer.err.as_str()), (0, ""), "{script}");
    }
    assert!(log(&repo).is_empty());
    // A change that is not committed goes with the switch, and is not git's.
    repo.write("a", "mine\n");
    for (script, now) in [("git checkout -q a", "two\n"), ("git stash -q", "two\n"), ("git reset -q --hard", "two\n")] {
        let answer = run(&repo, script);
        assert_eq!((recorded(&answer).len(), repo.text("a").as_str()), (1, now), "{script}: {}", answer.err);
        repo.done(&["undo"], "");
        assert_eq!(repo.text("a"), "mine\n", "{script}");
    }
}

#[test]
fn a_clean_file_is_known_as_it_was_in_the_tree_whatever_git_stores() {
    let lines = "one\r\ntwo\r\nthree\r\n";
    for config in [("core.autocrlf", "true"), ("filter.swap.clean", "tr ab ba")] {
        let repo = TestRepo::with_files(&[("other", "x\n")]);
        repo.git(&["config", config.0, config.1]);
        repo.git(&["config", "filter.swap.smudge", "tr ab ba"]);
        if config.0.starts_with("filter") {
            repo.write(".gitattributes", "a filter=swap\n");
        }
        repo.write("a", lines.replace("one", "aabb"));
        repo.commit_all("a");
        // So that the index is younger than the file, and tells that it is clean.
        repo.git(&["rm", "-q", "--cached", "a"]);
        std::thread::sleep(std::time::Duration::from_millis(30));
        repo.git(&["add", "a"]);
        let before = repo.read("a");
        let answer = run(&repo, "sed -i s/two/zwei/ a");
        assert_eq!(recorded(&answer).len(), 1, "{config:?} {}", answer.err);
        repo.done(&["undo"], "");
        assert_eq!(repo.read("a"), before, "{config:?}");
    }
}

#[test]
fn what_cannot_be_recorded_is_told_and_the_rest_is_recorded() {
    let repo = TestRepo::with_files(&[("a", "one\n")]);
    repo.git(&["config", "redraft.snapshotLimit", "10"]);
    repo.write("kept", "123456\n");
    repo.write("too much", "123456789\n");
    let answer = run(&repo, "echo x >> kept; echo x >> 'too much'; echo x >> a; head -c 9000000 /dev/zero > huge");
    assert_eq!(recorded(&answer).len(), 1);
    let told: Vec<&str> = answer.err.lines().filter(|line| line.contains("not recorded: ")).collect();
    assert_eq!(told.len(), 2, "{}", answer.err);
    assert!(
        told[0].contains("huge is larger than 8388608 bytes") && told[1].contains("too much was too large to be kept")
    );
    let paths: Vec<Value> =
        log(&repo)[0]["files"].as_array().expect("a list").iter().map(|f| f["path"].clone()).collect();
    assert_eq!(paths, [json!("a"), json!("kept")]);
}

#[test]
fn the_command_runs_and_ends_as_it_would_alone() {
    let repo = TestRepo::with_files(&[("a", "one\n")]);
    let status = |args: &[&str]| repo.redraft(&[&["run", "--"], args].concat(), "").status;
    assert_eq!(
        (status(&["true"]), status(&["sh", "-c", "exit 42"]), status(&["sh", "-c", "kill -9 $$"])),
        (0, 42, 137)
    );
    assert_eq!((status(&["no-such-program"]), status(&["./a"])), (127, 126));
    assert_eq!(repo.redraft(&["run", "--", "cat"], "given").out, "given");
    assert_eq!(repo.redraft(&["run"], "").status, 2);
    assert!(log(&repo).is_empty());
    let observed = repo.root().join(".git/redraft/worktrees/main/observed");
    let left = std::fs::read_dir(observed).expect("a folder").filter_map(Result::ok);
    assert_eq!(left.map(|entry| entry.file_name()).collect::<Vec<_>>(), ["lock"], "nothing is left of it");
    // Without a repository it runs as well.
    let elsewhere = tempfile::tempdir().expect("a folder");
    let answer = repo.redraft_in(elsewhere.path(), &["run", "--", "sh", "-c", "echo hi; exit 5"], "");
    assert_eq!((answer.status, answer.out.as_str()), (5, "hi\n"));
    assert!(answer.err.contains("nothing was recorded: "), "{}", answer.err);
    let quiet = repo.redraft(&["run", "-q", "--", "sed", "-i", "s/one/two/", "a"], "");
    assert_eq!((quiet.out.as_str(), quiet.err.as_str()), ("", ""));
    let told = repo.redraft(&["run", "--json", "--", "touch", "new"], "");
    let told: Value = serde_json::from_str(&told.err).expect("JSON");
    assert_eq!((&told["records"][0]["paths"], &told["error"]), (&json!(["new"]), &Value::Null));
}

#[test]
fn a_secret_in_the_command_is_not_kept() {
    let repo = TestRepo::with_files(&[("a", "one\n")]);
    repo.redraft(&["run", "--", "sh", "-c", "echo two > a", "API_TOKEN=hunter2", "--password", "hunter2"], "");
    assert_eq!(repo.redraft(&["gc"], "").status, 0);
    let told = repo.redraft(&["log"], "").out;
    assert!(told.contains("Command: sh -c 'echo two > a' API_TOKEN=*** --password ***"), "{told}");
    assert!(!repo.git(&["--git-dir", ".git/redraft/history.git", "log", "-p", "--all"]).contains("hunter2"));
}

#[test]
fn undo_takes_no_part_of_a_binary_file_back() {
    let repo = TestRepo::with_files(&[("a", "one\n")]);
    repo.write("bin", "one\n\0\n");
    run(&repo, "printf 'two\\n\\0\\n' > bin");
    repo.write("bin", "two\n\0\nmore\n");
    assert_eq!(repo.refused(&["undo"], ""), "undo_conflict");
    assert_eq!(repo.refused(&["undo", "--markers"], ""), "undo_conflict");
    assert_eq!(repo.text("bin"), "two\n\0\nmore\n");
}

/// Scripts that change files, redraft's own edits among them; `REDRAFT_RUNS=2000` tries so many.
#[test]
fn all_records_undone_give_the_tree_before_the_first_of_them() {
    let count = std::env::var("REDRAFT_RUNS").ok().and_then(|n| n.parse().ok()).unwrap_or(12);
    for seed in 0..count {
        let mut dice = Dice(seed);
        let texts = [numbers(1, 12), numbers(20, 26), "x\n".to_owned()];
        let repo = TestRepo::with_files(&[("a", &texts[0]), ("d/b", &texts[1]), ("d/c", &texts[2])]);
        repo.write("u", "un\ntracked\n");
        if dice.roll(2) == 0 {
            repo.write("a", numbers(1, 12).replace("7\n", "seven\n"));
        }
        let before = files(&repo);
        let mut scripts = Vec::new();
        for _ in 0..1 + dice.roll(3) {
            let script: String = (0..1 + dice.roll(5)).map(|_| step(&mut dice)).collect();
            run(&repo, &script);
            scripts.push(script);
        }
        for record in log(&repo) {
            let told = repo.redraft(&["undo", record["id"].as_str().expect("an id")], "");
            assert_eq!(told.status, 0, "seed {seed}: {scripts:#?} {}{}", told.out, record);
        }
        assert_eq!(files(&repo), before, "seed {seed}: {scripts:#?} {}", repo.redraft(&["log"], "").out);
    }
}

fn step(dice: &mut Dice) -> String {
    let path = ["a", "d/b", "d/c", "u", "n"][dice.roll(5)];
    let other = ["m", "d/n", "e/f"][dice.roll(3)];
    let n = 1 + dice.roll(9);
    let redraft = env!("CARGO_BIN_EXE_redraft");
    let tag = dice.roll(100_000);
    match dice.roll(9) {
        0 => format!("[ -f {path} ] && sed -i '{n}s/^/w{tag} /' {path}; "),
        1 => format!("[ -f {path} ] && sed -i '{n}d' {path}; "),
        2 => format!("echo line{tag} >> {path}; "),
        3 => format!("rm -f {path}; "),
        4 => format!("mkdir -p $(dirname {other}); [ -f {path} ] && [ ! -e {other} ] && mv {path} {other}; "),
        5 => format!("[ -f {path} ] && chmod {} {path}; ", ["755", "644"][dice.roll(2)]),
        6 => {
            let request = json!({"path": path, "content": format!("whole{tag}\nfile{tag}\n"), "overwrite": true});
            format!("echo '{request}' | {redraft} apply >/dev/null; ")
        }
        7 => {
            let line = 1 + dice.roll(26);
            let request =
                json!({"path": path, "old_string": format!("{line}\n"), "new_string": format!("{line} by{tag}\n")});
            format!("echo '{request}' | {redraft} apply >/dev/null; ")
        }
        _ => format!("echo '{}' | {redraft} apply >/dev/null; ", json!({"path": path, "rename_to": other})),
    }
}

/// Runs a script and undoes its newest record; gives what was told.
fn run_and_undo(repo: &TestRepo, script: &str) -> String {
    let answer = run(repo, script);
    assert_eq!(recorded(&answer).len(), 1, "{script}: {}", answer.err);
    repo.done(&["undo"], "");
    answer.err
}

/// Seen: files of a directory that is renamed do not change themselves, and were taken for old ones.
#[test]
fn a_directory_that_is_moved_comes_back_with_its_files() {
    let repo = TestRepo::with_files(&[("d/a", "one\n"), ("d/e/b", "two\n")]);
    let before = files(&repo);
    run_and_undo(&repo, "mv d dd");
    assert_eq!(files(&repo), before);
    let answer = run(&repo, "mv d dd; ln -s dd d");
    assert!(answer.err.contains("not recorded: d is or was a symbolic link"), "{}", answer.err);
    assert_eq!(repo.refused(&["undo"], ""), "undo_conflict");
    assert_eq!(repo.text("dd/e/b"), "two\n");
}

/// Seen: an undo of what was taken for a creation removed a person's only copy.
#[test]
fn what_git_ignored_before_is_not_made_by_the_command() {
    let scripts =
        ["mv k.log k.txt", "echo > .gitignore", "echo > .gitignore; chmod 600 k.log", "rm -rf n/.git; echo t >> n/s"];
    for script in scripts {
        let repo = TestRepo::with_files(&[(".gitignore", "*.log\n"), ("a", "one\n")]);
        repo.write("n/s", "s\n");
        repo.git(&["init", "-q", "n"]);
        // At the last moment before the command: file times come from a slow clock.
        repo.write("k.log", "mine\n");
        let answer = run(&repo, &format!("{script}; echo two > a"));
        let told = answer.err.contains("was there before, where redraft does not look");
        assert_eq!(told, script != "echo > .gitignore", "{script}: {}", answer.err);
        repo.done(&["undo"], "");
        assert_eq!(repo.text("a"), "one\n");
        let kept = if repo.has("k.log") { repo.text("k.log") } else { repo.text("k.txt") };
        assert_eq!((kept.as_str(), repo.has("n/s")), ("mine\n", true), "{script}");
    }
}

/// Seen: what a command changes and commits itself was taken for git's doing.
#[test]
fn an_edit_that_the_command_commits_is_one() {
    for then in [
        "git commit -qm m",
        "git commit -qm m; git checkout -q -b other",
        "git commit -qm m; git commit -q --amend -m n",
    ] {
        let repo = TestRepo::with_files(&[("a", "one\n")]);
        let before = files(&repo);
        run_and_undo(&repo, &format!("echo two >> a; echo new > new; git add -A; {then}"));
        assert_eq!(files(&repo), before, "{then}");
    }
    // What comes from another commit is git's, also beside one that is not.
    let repo = TestRepo::with_files(&[("a", "one\n"), ("b", "one\n")]);
    repo.git(&["checkout", "-q", "-b", "other"]);
    repo.write("a", "two\n");
    repo.commit_all("two");
    repo.git(&["checkout", "-q", "-"]);
    for script in [
        "echo two > b; git commit -qam b; git merge -q --no-edit other",
        "git cherry-pick other >/dev/null; echo three > b",
    ] {
        let answer = run(&repo, script);
        assert_eq!(recorded(&answer).len(), 1, "{}", answer.err);
        assert_eq!(log(&repo)[0]["files"].as_array().map(Vec::len), Some(1), "{script}: {}", log(&repo)[0]);
        repo.git(&["reset", "-q", "--hard", "other~"]);
    }
}

/// Seen: all that a merge with a conflict had brought was the agent's edit, and so in blame, and a person's older commit held its record.
#[test]
fn what_a_merge_brings_is_no_edit_and_what_is_done_to_its_conflict_is_one() {
    for then in ["true", "sed -i '/^[<=>]/d' a; git commit -qam merged"] {
        let repo = TestRepo::with_files(&[("a", "one\n"), ("b", "one\n"), ("gone", "one\n"), ("own", "one\n")]);
        repo.git(&["checkout", "-q", "-b", "other"]);
        repo.write("a", "theirs\n");
        repo.write("b", "two\n");
        repo.write("new", "new\n");
        repo.git(&["rm", "-q", "gone"]);
        repo.commit_all("theirs");
        repo.git(&["checkout", "-q", "-"]);
        repo.write("a", "mine\n");
        repo.write("own", "mine\n");
        repo.commit_all("mine");
        let answer = run(&repo, &format!("git merge -q other; {then}"));
        // A conflict as git left it is git's, too.
        let count = usize::from(then != "true");
        assert_eq!(recorded(&answer).len(), count, "{}", answer.err);
        for record in log(&repo) {
            assert_eq!(record["files"][0]["path"], json!("a"), "{then}");
            assert_eq!(record["files"].as_array().map(Vec::len), Some(1), "{then}: {record}");
        }
        assert!(repo.text("a").contains("theirs\n"));
        let blamed = repo.redraft(&["blame", "--json", "a"], "").lines();
        assert!(blamed.iter().all(|line| line["record"].is_null()), "{then}: {blamed:?}");
        // What the other side only left as it was, git did not bring.
        let answer = run(&repo, "git checkout other -- own");
        assert_eq!(recorded(&answer).len(), 1, "{}", answer.err);
    }
}

/// A file with lines of which a person has changed some on another branch.
fn with_a_branch() -> TestRepo {
    let repo = TestRepo::with_files(&[("a", &numbers(1, 20))]);
    repo.git(&["checkout", "-q", "-b", "other"]);
    repo.write("a", numbers(1, 20).replace("9\n", "Ada's 9\n"));
    repo.commit_all("theirs");
    repo.git(&["checkout", "-q", "-"]);
    repo
}

/// Seen: a person's lines were the agent's, who had merged, squashed or picked them, or brought them back from a stash.
#[test]
fn what_git_puts_together_without_a_commit_is_no_edit() {
    let mine = "echo mine >> b; git add b; git commit -qm b";
    for script in [
        "git merge -q --squash other",
        "git merge -q --no-commit other",
        "git cherry-pick -n other",
        "git stash pop -q",
        "git stash apply -q",
    ] {
        for first in ["true", mine] {
            let repo = with_a_branch();
            repo.shell(first);
            repo.write("a", repo.text("a").replace("15\n", "Ada's 15\n"));
            repo.git(&["stash", "-q"]);
            let answer = run(&repo, script);
            assert_eq!(recorded(&answer).len(), 0, "{script}: {}", answer.err);
            assert!(repo.text("a").contains("Ada's"), "{script}");
            // What is done to it in the same command is an edit, and nothing else of the file.
            let repo = with_a_branch();
            repo.shell(first);
            repo.write("a", repo.text("a").replace("15\n", "Ada's 15\n"));
            repo.git(&["stash", "-q"]);
            let answer = run(&repo, &format!("{script}; echo agent >> a"));
            assert_eq!(recorded(&answer).len(), 1, "{script}: {}", answer.err);
            let lines = repo.redraft(&["blame", "--json", "a"], "").lines();
            let of_agent: Vec<&Value> =
                lines.iter().filter(|line| !line["record"].is_null()).map(|line| &line["text"]).collect();
            assert_eq!(of_agent, [&json!("agent")], "{script} after {first}");
        }
    }
}

/// Seen: a squash was told by what git keeps until it is committed.
#[test]
fn what_git_puts_together_and_commits_or_stashes_is_no_edit() {
    let mine = "sed -i 's/^15$/mine/' a; git commit -qam a";
    for script in [
        "git merge -q --squash other; git commit -qm squashed",
        "git cherry-pick -n other; git commit -qm picked",
        "git merge -q --squash other; git reset -q",
        "git merge -q --squash other; git stash -q; git stash pop -q",
        "git checkout -q other -- a",
    ] {
        for first in ["true", mine] {
            if first == mine && script.contains("checkout") {
                continue;
            }
            let repo = with_a_branch();
            repo.shell(first);
            let answer = run(&repo, script);
            assert_eq!(recorded(&answer).len(), 0, "{script} after {first}: {}{}", answer.out, answer.err);
            assert_ne!(repo.text("a"), numbers(1, 20), "{script}");
        }
    }
}

/// Seen: the line of a person, who had stashed it, was the command's, and its undo took it away for good.
#[test]
fn what_a_person_stashed_is_no_edit_where_git_brings_it_back_behind_something_else() {
    for script in [
        "git merge -q other; git stash pop -q",
        "git checkout -q other; git stash pop -q",
        "git pull -q . other; git stash pop -q",
        "git stash apply -q; git commit -qam popped",
        "git stash pop -q; git stash pop -q",
    ] {
        let repo = with_a_branch();
        repo.write("b", "b\n");
        repo.commit_all("b");
        repo.write("a", repo.text("a").replace("15\n", "Ada's 15\n"));
        repo.git(&["stash", "-q"]);
        if script.starts_with("git stash pop") {
            repo.write("b", "b\nmore\n");
            repo.git(&["stash", "-q"]);
        }
        let answer = run(&repo, script);
        assert_eq!(recorded(&answer).len(), 0, "{script}: {}{}", answer.out, answer.err);
        assert!(repo.text("a").contains("Ada's 15"), "{script}");
    }
}

#[test]
fn what_a_command_stashes_or_commits_itself_and_brings_back_is_its_edit() {
    for script in [
        "sed -i s/^9$/nine/ a; git stash -q; git stash pop -q",
        "git checkout -q -b new; sed -i s/^9$/nine/ a; git commit -qam n; git checkout -q -; git cherry-pick -n new",
        "git checkout -q -b new; sed -i s/^9$/nine/ a; git commit -qam n; git checkout -q -; git merge -q --squash new",
        "git checkout -q -b new; sed -i s/^9$/nine/ a; git commit -qam n; git checkout -q -; git merge -q --squash new; git commit -qm s",
        // Seen: recorded nowhere.
        "git checkout -q -b new; sed -i s/^9$/nine/ a; git commit -qam n; git checkout -q -; git merge -q new",
        "git checkout -q -b new; sed -i s/^9$/nine/ a; git commit -qam n; git checkout -q -; git merge -q --no-ff --no-edit new",
        "git checkout -q -b new; sed -i s/^9$/nine/ a; git commit -qam n; git checkout -q -; git cherry-pick new",
        "git checkout -q -b new; sed -i s/^9$/nine/ a; git commit -qam n; git checkout -q -; git reset -q --hard new",
        "git checkout -q -b new; sed -i s/^9$/nine/ a; git commit -qam n; git checkout -q -; git checkout -q new",
    ] {
        let repo = with_a_branch();
        let answer = run(&repo, script);
        assert_eq!(recorded(&answer).len(), 1, "{script}: {}", answer.err);
        let lines = repo.redraft(&["blame", "--json", "a"], "").lines();
        assert_eq!(lines[8]["record"], json!(recorded(&answer)[0]), "{script}");
    }
}

/// Seen: all lines of a file that the agent had git bring back were the agent's.
#[test]
fn a_file_that_is_brought_back_as_head_has_it_is_blamed_as_git_does() {
    let repo = TestRepo::with_files(&[("a", &numbers(1, 20))]);
    let agent = repo.edit("a", "8\n9\n10\n", "8\nnine\n10\n");
    repo.commit_all("the agent's");
    let want = repo.redraft(&["blame", "--json", "a"], "").out;
    for spoil in ["rm a", "sed -i s/^1/x/ a", "echo mine > a"] {
        repo.shell(spoil);
        let answer = run(&repo, "git checkout -- a");
        assert_eq!(recorded(&answer).len(), 1, "{}", answer.err);
        assert_eq!(repo.redraft(&["blame", "--json", "a"], "").out, want, "{spoil}");
    }
    assert_eq!(repo.redraft(&["blame", "--json", "a"], "").lines()[8]["record"], json!(agent));
}

/// Seen: the record was of a deletion and of a new file, and all lines were the agent's.
#[test]
fn a_file_that_a_command_moves_and_edits_is_a_renamed_one() {
    for script in ["git mv a z; sed -i s/^9$/nine/ z", "mv a z; sed -i s/^9$/nine/ z", "sed s/^9$/nine/ a > z; rm a"] {
        let repo = TestRepo::with_files(&[("a", &numbers(1, 20)), ("b", "other\n")]);
        let answer = run(&repo, &format!("{script}; echo new > n; rm b"));
        let ids = recorded(&answer);
        let record = log(&repo)[0].clone();
        let file =
            record["files"].as_array().expect("files").iter().find(|file| file["path"] == "z").expect("it is there");
        assert_eq!((&file["change"], &file["from"]), (&json!("rename"), &json!("a")), "{record}");
        assert_eq!((&file["lines_added"], &file["lines_removed"]), (&json!(1), &json!(1)));
        let lines_of_agent = || {
            let lines = repo.redraft(&["blame", "--json", "z"], "").lines();
            lines.iter().filter(|line| !line["record"].is_null()).count()
        };
        assert_eq!(lines_of_agent(), 1, "{script}");
        repo.commit_all("moved");
        assert_eq!(lines_of_agent(), 1, "{script}");
        repo.done(&["undo", &ids[0]], "");
        assert_eq!((repo.text("a"), repo.has("z"), repo.has("n")), (numbers(1, 20), false, false));
    }
    // Of two that are alike neither is the one.
    let repo = TestRepo::with_files(&[("a", &numbers(1, 20))]);
    run(&repo, "sed s/^9$/nine/ a > y; sed s/^8$/eight/ a > z; rm a");
    let changes: Vec<String> =
        log(&repo)[0]["files"].as_array().expect("files").iter().map(|file| file["change"].to_string()).collect();
    assert_eq!(changes, ["\"delete\"", "\"create\"", "\"create\""]);
}

/// Seen: `status` said that there was nothing, and no commit was found.
#[test]
fn a_mode_alone_is_told_by_status_and_found_in_its_commit() {
    let repo = TestRepo::with_files(&[("a", "one\n"), ("b", "one\n")]);
    let answer = run(&repo, "chmod +x a");
    let id = recorded(&answer).remove(0);
    assert_eq!(repo.redraft(&["status", "--porcelain"], "").out, format!("ME {id} a\n"));
    repo.write("b", "two\n");
    repo.git(&["commit", "-qm", "another file", "b"]);
    assert_eq!(log(&repo)[0]["commit"], Value::Null);
    repo.git(&["commit", "-qam", "the mode"]);
    assert_eq!(log(&repo)[0]["commit"], json!(repo.git(&["rev-parse", "HEAD"]).trim()));
    assert_eq!(repo.redraft(&["status", "--porcelain"], "").out, "");
    run(&repo, "chmod -x a");
    assert_eq!(repo.redraft(&["status", "--porcelain"], "").out.get(..2), Some("ME"));
    repo.chmod("a", 0o755);
    assert_eq!(repo.redraft(&["status", "--porcelain"], "").out, "");
}

/// Seen: git gave other bytes of the same length.
#[test]
fn bytes_that_git_converts_are_kept_as_they_were() {
    let files = [
        ("f.up", &b"Mixed Case\n"[..]),
        ("f.id", b"$Id: 1111111111111111111111111111111111111111 $\n"),
        ("f.w", b"\xfe\xff\0h\0i\0\n"),
    ];
    for (path, bytes) in files {
        let repo = TestRepo::with_files(&[("a", "one\n")]);
        repo.git(&["config", "filter.up.clean", "tr a-z A-Z"]);
        repo.git(&["config", "filter.up.smudge", "tr A-Z a-z"]);
        repo.write(".gitattributes", "*.up filter=up\n*.id ident\n*.w working-tree-encoding=UTF-16\n");
        repo.write(path, bytes);
        std::thread::sleep(std::time::Duration::from_millis(30));
        repo.commit_all("converted");
        run_and_undo(&repo, &format!("rm {path}"));
        assert_eq!(repo.read(path), bytes, "{path}");
    }
}

#[test]
fn a_command_that_removes_the_directory_it_runs_in_is_recorded() {
    let repo = TestRepo::with_files(&[("d/a", "one\n")]);
    let answer = repo.redraft_in(&repo.root().join("d"), &["run", "--", "rm", "-rf", "../d"], "");
    assert_eq!((answer.status, recorded(&answer).len()), (0, 1), "{}", answer.err);
    repo.done(&["undo"], "");
    assert_eq!(repo.text("d/a"), "one\n");
}

/// Seen: a look that began or ended beside another one made records of changes that never were, or in the wrong order.
#[test]
fn looks_beside_each_other_record_each_change_once_and_in_order() {
    let redraft = env!("CARGO_BIN_EXE_redraft");
    let repo = TestRepo::with_files(&[("a", "one\n"), ("b", "one\n")]);
    let before = files(&repo);
    run(&repo, &format!("echo two > a; echo z > z; {redraft} run -q -- sh -c 'echo three > a; rm z'; echo two > b"));
    let told = log(&repo);
    assert_eq!(told.len(), 3);
    for record in &told {
        repo.done(&["undo", record["id"].as_str().expect("an id")], "");
    }
    assert_eq!(files(&repo), before);
    // One begins when the other has changed something, and ends after it.
    let repo = TestRepo::with_files(&[("a", "one\n")]);
    let script = format!(
        "{redraft} run -q --session A -- sh -c 'echo two > a; touch .git/go; while [ ! -e .git/on ]; do sleep 0.01; done; echo three > a' & \
         while [ ! -e .git/go ]; do sleep 0.01; done; \
         {redraft} run -q --session B -- sh -c 'touch .git/on; while [ -e .git/wait ]; do sleep 0.01; done' & \
         wait; true"
    );
    repo.write(".git/wait", "");
    let waiting = std::thread::scope(|scope| {
        let other = scope.spawn(|| repo.shell(&script));
        let is_done = || log(&repo).len() == 2;
        for _ in 0..500 {
            if is_done() {
                break;
            }
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        std::fs::remove_file(repo.root().join(".git/wait")).expect("it is there");
        other.join().expect("it ends")
    });
    assert!(waiting.success());
    // What came before the second began is the first one's; what came later may be either's.
    let told = log(&repo);
    let sessions: Vec<&Value> = told.iter().map(|record| &record["session"]).collect();
    assert_eq!(sessions, [&Value::Null, &json!("A")]);
    let shared = |n: usize| &told[0]["observed"]["shared"][n]["session"];
    assert_eq!((shared(0), shared(1)), (&json!("A"), &json!("B")));
    repo.done(&["undo"], "");
    assert_eq!(repo.text("a"), "two\n");
    repo.done(&["undo", "--session", "A"], "");
    assert_eq!(repo.text("a"), "one\n");
}

/// Seen: under `nohup` the command was killed by a signal that it survives alone.
#[test]
fn a_signal_that_is_ignored_stays_so_for_the_command() {
    let repo = TestRepo::with_files(&[("a", "one\n")]);
    let script = format!(
        "trap '' HUP INT; exec {} run -- sh -c 'kill -HUP $$; kill -INT $$; exit 7'",
        env!("CARGO_BIN_EXE_redraft")
    );
    assert_eq!(repo.shell(&script).code(), Some(7));
}

/// Seen: the bit that a file may be run stayed after the undo of everything.
#[test]
fn a_change_of_mode_beside_an_edit_of_redraft_is_recorded() {
    let redraft = env!("CARGO_BIN_EXE_redraft");
    let repo = TestRepo::with_files(&[("a", "one\n"), ("b", "one\n")]);
    let before = files(&repo);
    let edit = |path: &str| {
        format!(
            "echo '{}' | {redraft} apply >/dev/null",
            json!({"path": path, "old_string": "one", "new_string": "two"})
        )
    };
    let create = format!("echo '{}' | {redraft} apply >/dev/null", json!({"path": "n", "content": "new\n"}));
    run(&repo, &format!("{}; chmod +x a; chmod +x b; {}; {create}; chmod +x n", edit("a"), edit("b")));
    for record in log(&repo) {
        let id = record["id"].as_str().expect("an id");
        assert_eq!(repo.redraft(&["undo", id], "").status, 0, "{record}");
    }
    assert_eq!(files(&repo), before);
}

#[test]
fn what_comes_from_outside_is_told() {
    let repo = TestRepo::with_files(&[("a", "one\n")]);
    let outside = tempfile::tempdir().expect("a folder");
    std::fs::create_dir(outside.path().join("d")).expect("made");
    (0..30).for_each(|n| std::fs::write(outside.path().join(format!("d/{n:02}")), "x").expect("written"));
    let answer = run(&repo, &format!("mv {}/d in", outside.path().display()));
    let told: Vec<&str> = answer.err.lines().collect();
    assert_eq!((told.len(), recorded(&answer).len()), (21, 0), "{}", answer.err);
    assert!(
        told[0].contains("not recorded: in/00 was there before")
            && told[20].ends_with("10 more files (--json lists them)")
    );
}

/// Seen: a secret that git ignored, replaced by a command that also changed the rules, was taken for a new file: it went into the history,
/// and undo removed it.
#[test]
fn what_the_rules_ignored_that_a_command_changes_is_neither_recorded_nor_removed() {
    const TOKEN: &str = "KEY=SECRETTOKEN";
    let scripts = [
        "sed -i s/A=1/A=2/ .env; : > .gitignore",
        "git rm -q .gitignore; cp .env x; mv x .env",
        "git checkout -q other; sed -i s/A=1/A=2/ .env",
    ];
    for script in scripts {
        let repo = TestRepo::with_files(&[(".gitignore", ".env\n"), ("a", "one\n")]);
        repo.shell("git checkout -q -b other; git rm -q .gitignore; git commit -qm none; git checkout -q -");
        repo.write(".env", format!("{TOKEN}\nA=1\n"));
        let answer = run(&repo, &format!("{script}; echo two > a; echo new > new"));
        assert!(answer.err.contains(".env was ignored by git until"), "{script}: {}", answer.err);
        assert!(answer.err.contains("look at it, and let git ignore it again"), "{script}: {}", answer.err);
        let told = log(&repo)[0]["files"].to_string();
        assert!(told.contains("\"new\"") && told.contains("\"a\"") && !told.contains(".env"), "{script}: {told}");
        repo.redraft(&["gc"], "");
        let look = "git --git-dir .git/redraft/history.git cat-file --batch-all-objects --batch | grep -aq SECRETTOKEN";
        assert!(!repo.shell(look).success(), "{script}");
        repo.done(&["undo"], "");
        assert!(repo.text(".env").starts_with(TOKEN) && repo.text("a") == "one\n" && !repo.has("new"), "{script}");
    }
    // What comes with new rules is made all the same.
    let repo = TestRepo::with_files(&[(".gitignore", "out/\n"), ("a", "one\n")]);
    let answer = run(&repo, "echo dist/ >> .gitignore; echo new > new");
    assert!(!answer.err.contains("not recorded") && log(&repo)[0]["files"].to_string().contains("\"new\""));
}

/// Seen: `log` named no git commit of an edit that the command itself had committed, and its export was empty.
#[test]
fn an_edit_that_the_command_commits_is_in_that_commit() {
    let repo = TestRepo::with_files(&[("a", "one\n")]);
    let base = repo.git(&["rev-parse", "HEAD"]).trim().to_owned();
    run(&repo, "echo two >> a; git commit -qam x");
    let head = repo.git(&["rev-parse", "HEAD"]).trim().to_owned();
    let record = &log(&repo)[0];
    assert_eq!((&record["base"], &record["commit"]), (&json!(base), &json!(head)));
    assert_eq!(repo.redraft(&["log", "--commit", "HEAD", "--json"], "").lines().len(), 1);
    assert!(repo.redraft(&["export", "agent-trace"], "").out.contains(&head));
    // What is edited behind a commit of something else is based on that.
    run(&repo, "git commit -q --allow-empty -m y; echo three >> a");
    assert_eq!(log(&repo)[0]["base"], json!(repo.git(&["rev-parse", "HEAD"]).trim()));
}

/// Seen: an undo brought lines of the branch that the command had left into the one that it went to.
#[test]
fn an_edit_behind_a_checkout_is_one_of_what_was_checked_out() {
    let repo = TestRepo::with_files(&[("a", "one\ntwo\n"), ("b", "b\n")]);
    repo.shell(
        "git checkout -q -b other; echo other >> a; git rm -q b; echo new > n; git add n; git commit -qam other",
    );
    run(&repo, "git checkout -q -; sed -i s/one/ONE/ a; echo more >> b");
    let record = &log(&repo)[0];
    let changes: Vec<_> =
        record["files"].as_array().expect("a list").iter().map(|file| file["change"].clone()).collect();
    assert_eq!(changes, ["modify", "modify"], "{record}");
    repo.done(&["undo"], "");
    assert_eq!((repo.text("a"), repo.text("b"), repo.has("n")), ("one\ntwo\n".to_owned(), "b\n".to_owned(), false));
    assert_eq!(repo.git(&["status", "--porcelain"]), "");
}

/// Seen: a person's line that a reset left in the file was recorded as the agent's, and undo took it out.
#[test]
fn an_edit_behind_a_reset_that_leaves_the_files_holds_nothing_of_what_stood_there() {
    for (reset, is_left) in [("--soft", true), ("--mixed", true), ("--hard", false), ("--keep", false)] {
        let repo = TestRepo::with_files(&[("a", &numbers(1, 20))]);
        repo.write("a", numbers(1, 20).replace("\n3\n", "\nmine\n"));
        repo.write("b", "new\nof mine\n");
        repo.commit_all("a person's");
        let script = format!("git reset -q {reset} HEAD~; sed -i s/^9$/nine/ a; echo more >> b");
        run(&repo, &script);
        let mine = if is_left { "\nmine\n" } else { "\n3\n" };
        assert_eq!(repo.text("a"), numbers(1, 20).replace("\n9\n", "\nnine\n").replace("\n3\n", mine), "{reset}");
        repo.done(&["undo"], "");
        assert_eq!(repo.text("a"), numbers(1, 20).replace("\n3\n", mine), "{reset}");
        assert_eq!(is_left.then(|| repo.text("b")), is_left.then(|| "new\nof mine\n".to_owned()), "{reset}");
        assert!(is_left || !repo.has("b"), "{reset}");
    }
}

/// Seen: what a pull brought into a file with changes of a person's was the agent's edit; undo took it out of HEAD's text.
#[test]
fn what_a_pull_puts_under_changes_that_are_not_committed_is_no_edit() {
    let repo = TestRepo::with_files(&[("a", &numbers(1, 20))]);
    repo.git(&["clone", "-q", ".", "../upstream"]);
    std::fs::write(repo.outside().join("upstream/a"), numbers(1, 20).replace("\n3\n", "\ntheirs\n")).expect("a file");
    let commit =
        ["-C", "../upstream", "-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-qam", "theirs"];
    repo.git(&commit);
    repo.write("a", numbers(1, 20).replace("15\n", "mine\n"));
    let pull = "git pull -q --rebase --autostash ../upstream HEAD";
    let answer = run(&repo, pull);
    let pulled = numbers(1, 20).replace("15\n", "mine\n").replace("\n3\n", "\ntheirs\n");
    assert_eq!((repo.text("a"), recorded(&answer).len()), (pulled.clone(), 0), "{}", answer.err);
    repo.git(&["reset", "-q", "--hard", "HEAD~"]);
    repo.write("a", numbers(1, 20).replace("15\n", "mine\n"));
    run(&repo, &format!("{pull}; sed -i s/^9$/nine/ a"));
    repo.done(&["undo"], "");
    assert_eq!(repo.text("a"), pulled);
}

/// Seen: the files of a repository that a command made were recorded, a token in its configuration too, and the undo was refused for all files.
#[test]
fn the_files_of_a_repository_without_a_working_tree_are_not_recorded() {
    let repo = TestRepo::with_files(&[("a.txt", "a\n")]);
    let made =
        "git init -q --bare sub/own.git; git --git-dir=sub/own.git config remote.o.url https://me:TOKEN@example.com/x";
    let answer = run(&repo, &format!("{made}; echo b >> a.txt; echo c > sub/c; echo h > sub/HEAD"));
    assert_eq!(answer.status, 0, "{}", answer.err);
    let record = log(&repo).remove(0);
    let paths: Vec<&str> =
        record["files"].as_array().expect("files").iter().filter_map(|file| file["path"].as_str()).collect();
    assert_eq!(paths, ["a.txt", "sub/HEAD", "sub/c"]);
    repo.done(&["undo"], "");
    assert_eq!(repo.text("a.txt"), "a\n");
    assert!(repo.has("sub/own.git/config") && !repo.has("sub/c"));
}
