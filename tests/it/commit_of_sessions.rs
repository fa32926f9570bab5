//! `redraft commit --session`: a git commit of exactly the lines of a session that are still there.

use crate::support::TestRepo;
use serde_json::json;

pub fn edit(repo: &TestRepo, session: &str, path: &str, (old, new): (&str, &str)) -> String {
    let agent = json!({"name": "claude", "model": "m1", "session": session, "turn": "t"});
    repo.apply(json!({"path": path, "edits": [{"old_string": old, "new_string": new}], "agent": agent}))
}

pub fn numbers(count: usize) -> String {
    (0..count).map(|n| format!("line {n}\n")).collect()
}

/// What git has of a file in HEAD.
pub fn in_head(repo: &TestRepo, path: &str) -> String {
    repo.git(&["show", &format!("HEAD:{path}")])
}

#[test]
fn only_its_lines_are_committed_and_all_else_stays() {
    let repo = TestRepo::with_files(&[("a", &numbers(12)), ("b", "b\n"), ("c", "c\n")]);
    edit(&repo, "s1", "a", ("line 1\n", "ONE\n"));
    edit(&repo, "s2", "a", ("line 6\n", "other agent\n"));
    let undone = edit(&repo, "s1", "a", ("line 9\n", "NINE\n"));
    repo.done(&["undo", &undone], "");
    let agent = json!({"name": "claude", "session": "s1"});
    repo.apply(json!({"path": "new", "content": "new\n", "agent": agent}));
    repo.apply(json!({"path": "c", "rename_to": "d", "agent": agent}));
    repo.apply(json!({"path": "b", "delete": true, "agent": agent}));
    repo.write("a", repo.text("a").replace("line 11\n", "the user's\n"));
    repo.write("staged", "staged\n");
    repo.git(&["add", "staged"]);
    let (text, status) = (repo.text("a"), repo.git(&["status", "--porcelain", "staged"]));
    let dry = repo.redraft(&["commit", "--session", "s1", "--dry-run", "--json"], "");
    assert_eq!((dry.status, dry.json()["commit"].is_null()), (0, true), "{}", dry.out);
    assert_eq!(repo.git(&["rev-list", "--count", "HEAD"]), "1\n");
    let done = repo.redraft(&["commit", "--session", "s1", "-m", "The session", "--json"], "");
    assert_eq!((done.status, done.err.as_str()), (0, ""), "{}", done.out);
    assert_eq!(done.json()["files"], dry.json()["files"]);
    assert_eq!(in_head(&repo, "a"), numbers(12).replace("line 1\n", "ONE\n"));
    assert_eq!(repo.git(&["show", "--name-status", "--format=", "-M", "HEAD"]), "M\ta\nD\tb\nR100\tc\td\nA\tnew\n");
    assert_eq!(repo.text("a"), text);
    assert_eq!(repo.git(&["status", "--porcelain", "staged"]), status);
    assert_eq!(repo.git(&["diff", "--cached", "--name-only"]), "staged\n");
    let message = repo.git(&["log", "-1", "--format=%B"]);
    assert!(
        message.starts_with("The session\n\nRedraft-Id: ") && message.contains("Assisted-by: claude:m1"),
        "{message}"
    );
    assert!(!message.contains(&undone), "{message}");
    // The log knows it, and nothing is recorded twice.
    let log = repo.redraft(&["log", "--session", "s1", "--json"], "").lines();
    let commit = done.json()["commit"].clone();
    let in_it = log.iter().filter(|record| record["commit"] == commit).count();
    assert_eq!((log.len(), in_it), (5, 4), "one is undone: {log:#?}");
    let again = repo.redraft(&["commit", "--session", "s1", "--json"], "");
    assert_eq!(again.status, 1, "{}", again.out);
    assert!(again.err.contains("HEAD has all of it"), "{}", again.err);
    assert_eq!(repo.redraft(&["fsck"], "").status, 0);
    // What is committed can be undone like anything else.
    repo.done(&["undo", "--session", "s1"], "");
    assert_eq!(repo.text("a"), text.replace("ONE\n", "line 1\n"));
}

/// Seen: one file that git ignores, of a hundred, and nothing of the session could be committed.
#[test]
fn what_git_ignores_is_left_out_and_told_and_the_rest_is_committed() {
    let repo = TestRepo::with_files(&[(".gitignore", "build/\n"), ("a", &numbers(9)), ("moved", &numbers(5))]);
    let agent = json!({"name": "claude", "session": "s1"});
    edit(&repo, "s1", "a", ("line 1\n", "ONE\n"));
    let made = repo.apply(json!({"path": "build/out", "content": "out\n", "agent": agent}));
    edit(&repo, "s1", "build/out", ("out\n", "out 2\n"));
    // What was ignored under its first name only is a file like others.
    repo.apply(json!({"path": "build/kept", "content": "kept\n", "agent": agent}));
    repo.apply(json!({"path": "build/kept", "rename_to": "kept", "agent": agent}));
    // What somebody else did to an ignored file is in nobody's way.
    repo.write("build/out", "of somebody else\n");
    let dry = repo.redraft(&["commit", "--session", "s1", "--dry-run", "--json"], "");
    assert_eq!(dry.status, 0, "{}{}", dry.out, dry.err);
    let left = dry.json()["left"].clone();
    assert_eq!((left[0]["path"].as_str(), left[0]["why"].as_str()), (Some("build/out"), Some("git ignores it")));
    assert_eq!(left.as_array().map(Vec::len), Some(1), "{left}");
    let done = repo.redraft(&["commit", "--session", "s1"], "");
    assert!(done.status == 0 && done.out.contains("left out: build/out (git ignores it)"), "{}{}", done.out, done.err);
    assert_eq!(repo.git(&["show", "--name-status", "--format=", "HEAD"]), "M\ta\nA\tkept\n");
    assert!(!repo.git(&["log", "-1", "--format=%B"]).contains(&made));
    // Where nothing else is left it is refused.
    for args in [&["commit", "--session", "s1"][..], &["commit", &made], &["commit", &made, "--skip-conflicts"]] {
        let again = repo.redraft(args, "");
        assert!(again.status == 1 && again.err.contains("git ignores it"), "{args:?}: {}{}", again.out, again.err);
    }
    assert_eq!(repo.git(&["rev-list", "--count", "HEAD"]), "2\n");
}

#[test]
fn what_somebody_committed_already_is_not_in_the_way_of_the_rest() {
    let repo = TestRepo::with_files(&[("a", &numbers(9)), ("b", "b\n"), ("c", "c\n")]);
    let agent = json!({"name": "claude", "session": "s1"});
    edit(&repo, "s1", "a", ("line 1\n", "ONE\n"));
    repo.apply(json!({"path": "new", "content": "new\n", "agent": agent}));
    repo.apply(json!({"path": "newer", "content": "newer\n", "agent": agent}));
    repo.apply(json!({"path": "b", "delete": true, "agent": agent}));
    repo.apply(json!({"path": "c", "rename_to": "d", "agent": agent}));
    repo.commit_all("by hand");
    edit(&repo, "s1", "a", ("line 7\n", "SEVEN\n"));
    edit(&repo, "s1", "new", ("new\n", "new\nmore\n"));
    edit(&repo, "s1", "d", ("c\n", "c\nd\n"));
    let done = repo.redraft(&["commit", "--session", "s1"], "");
    assert_eq!((done.status, done.err.as_str()), (0, ""), "{}", done.out);
    assert_eq!(repo.git(&["show", "--name-status", "--format=", "HEAD"]), "M\ta\nM\td\nM\tnew\n");
    assert_eq!(repo.git(&["status", "--porcelain"]), "");
    let again = repo.redraft(&["commit", "--session", "s1", "--json"], "");
    assert_eq!((again.status, again.out.contains("HEAD has all of it")), (1, true), "{}", again.out);
}

#[test]
fn lines_that_were_changed_since_are_refused_or_left_out() {
    let repo = TestRepo::with_files(&[("a", &numbers(6)), ("b", &numbers(6))]);
    edit(&repo, "s1", "a", ("line 1\n", "ONE\n"));
    edit(&repo, "s1", "b", ("line 1\n", "ONE\n"));
    repo.write("a", numbers(6).replace("line 1\n", "something else\n").replace("line 2\n", ""));
    let refused = repo.redraft(&["commit", "--session", "s1", "--json"], "");
    assert_eq!((refused.status, repo.git(&["rev-list", "--count", "HEAD"])), (1, "1\n".to_owned()), "{}", refused.out);
    assert!(refused.out.contains("undo_conflict") && refused.err.contains("--skip-conflicts"), "{}", refused.err);
    let done = repo.redraft(&["commit", "--session", "s1", "--skip-conflicts", "--json"], "");
    assert_eq!((done.status, done.json()["left"][0]["path"].clone()), (0, json!("a")), "{} {}", done.out, done.err);
    assert_eq!(repo.git(&["show", "--name-only", "--format=", "HEAD"]), "b\n");
    assert_eq!(in_head(&repo, "a"), numbers(6));
}

#[test]
fn what_is_undone_altogether_is_nothing_to_commit() {
    let repo = TestRepo::with_files(&[("a", "1\n")]);
    let one = edit(&repo, "s1", "a", ("1", "2"));
    repo.done(&["undo", &one], "");
    for args in [&["commit", "--session", "s1"][..], &["commit", &one], &["commit", "--session", "nobody"]] {
        let refused = repo.redraft(args, "");
        assert_eq!((refused.status, refused.err.contains("nothing to commit")), (1, true), "{}", refused.err);
    }
    assert_eq!(repo.redraft(&["commit"], "").status, 2);
}

#[test]
fn hooks_may_refuse_it_and_the_policy_too() {
    let repo = TestRepo::with_files(&[("a", "1\n2\n")]);
    edit(&repo, "s1", "a", ("1", "one"));
    repo.hook("pre-commit", "#!/bin/sh\necho no >&2\nexit 1\n");
    let refused = repo.redraft(&["commit", "--session", "s1", "--json"], "");
    assert!(refused.status != 0 && refused.out.contains("hook_failed"), "{}", refused.err);
    assert_eq!((repo.git(&["rev-list", "--count", "HEAD"]), repo.text("a")), ("1\n".to_owned(), "one\n2\n".to_owned()));
    assert_eq!(repo.git(&["status", "--porcelain"]), " M a\n");
    repo.hook("pre-commit", "#!/bin/sh\nexit 0\n");
    repo.hook("commit-msg", "#!/bin/sh\necho >> \"$1\"; echo 'Reviewed: yes' >> \"$1\"\n");
    repo.git(&["config", "redraft.hookPolicy", "unreviewed"]);
    let refused = repo.redraft(&["commit", "--session", "s1", "--json"], "");
    assert!(refused.status == 1 && refused.out.contains("policy"), "{}", refused.err);
    repo.git(&["config", "--unset", "redraft.hookPolicy"]);
    assert_eq!(repo.redraft(&["commit", "--session", "s1"], "").status, 0);
    assert!(repo.git(&["log", "-1", "--format=%B"]).contains("Reviewed: yes"));
    assert_eq!(repo.git(&["status", "--porcelain"]), "");
}

/// Seen: the index had the reverse of it, so that the next commit deleted the file that the hook had made; and nothing was told of a line of a person
/// that the hook added with its whole file.
#[test]
fn what_a_hook_adds_to_the_commit_is_told_and_not_staged_the_other_way_round() {
    let repo = TestRepo::with_files(&[("a", "1\n2\n3\n4\n"), ("b", "1\n"), ("gone", "1\n"), ("staged", "1\n")]);
    repo.hook("pre-commit", "#!/bin/sh\nwc -l < a > count\ngit add a count staged\ngit rm -qf --ignore-unmatch gone\n");
    repo.write("staged", "a person's\n");
    repo.git(&["add", "staged"]);
    repo.write("staged", "1\nand more\n");
    edit(&repo, "s1", "a", ("1", "one"));
    repo.write("a", repo.text("a").replace('4', "four"));
    let answer = repo.redraft(&["commit", "--session", "s1"], "");
    assert_eq!(answer.status, 0, "{}", answer.err);
    let told = format!("{}{}", answer.out, answer.err);
    assert!(told.contains("a git hook added changes of its own to the commit: a, count, gone, staged"), "{told}");
    assert_eq!(repo.git(&["show", "HEAD:a"]), "one\n2\n3\nfour\n");
    // What a person had staged of another file stays staged.
    assert_eq!(repo.git(&["status", "--porcelain"]), "MM staged\n");
    assert_eq!(repo.git(&["show", ":staged"]), "a person's\n");
    repo.write("b", "2\n");
    repo.git(&["-c", "core.hooksPath=/dev/null", "commit", "-qm", "b", "b"]);
    assert_eq!(repo.git(&["show", "--format=", "--name-only"]), "b\n");
}

/// Seen: it was refused, and "what others did there" was to be committed first, where nobody else had done anything.
#[test]
fn a_file_of_which_an_earlier_state_is_staged_is_committed_where_all_of_it_is_the_sessions() {
    for (old, new) in [("line 5\n", "FIVE\n"), ("FOUR\n", "4\n"), ("FOUR\n", "FOUR\nand more\n")] {
        let repo = TestRepo::with_files(&[("a", &numbers(12))]);
        edit(&repo, "s1", "a", ("line 4\n", "FOUR\n"));
        repo.apply(json!({"path": "new", "content": "one\ntwo\n", "agent": {"name": "claude", "session": "s1"}}));
        repo.git(&["add", "."]);
        edit(&repo, "s1", "a", (old, new));
        edit(&repo, "s1", "new", ("two", "2"));
        let answer = repo.redraft(&["commit", "--session", "s1"], "");
        assert_eq!(answer.status, 0, "{}", answer.err);
        assert_eq!(repo.git(&["status", "--porcelain"]), "");
    }
    // A line of somebody else that is staged stays so, and is in no commit of theirs.
    let repo = TestRepo::with_files(&[("a", &numbers(12))]);
    edit(&repo, "s1", "a", ("line 4\n", "FOUR\n"));
    repo.write("a", repo.text("a").replace("line 5\n", "mine\n"));
    repo.git(&["add", "."]);
    repo.write("a", repo.text("a").replace("mine\n", "line 5\n"));
    edit(&repo, "s1", "a", ("line 5\n", "FIVE\n"));
    let staged = repo.git(&["ls-files", "-s"]);
    assert_eq!(repo.redraft(&["commit", "--session", "s1"], "").status, 1);
    assert_eq!(repo.git(&["ls-files", "-s"]), staged);
    let repo = TestRepo::with_files(&[("a", "1\n")]);
    repo.apply(json!({"path": "new", "content": "one\ntwo\n", "agent": {"name": "claude", "session": "s1"}}));
    repo.write("new", "one\ntwo\nmine\n");
    repo.git(&["add", "."]);
    repo.write("new", "one\ntwo\n");
    edit(&repo, "s1", "new", ("two", "2"));
    repo.redraft(&["commit", "--session", "s1"], "");
    assert_eq!(repo.git(&["show", ":new"]), "one\ntwo\nmine\n");
}

#[test]
fn a_subset_of_paths_and_records_is_committed_alone() {
    let repo = TestRepo::with_files(&[("a", &numbers(9)), ("d/b", &numbers(3))]);
    let one = edit(&repo, "s1", "a", ("line 1\n", "ONE\n"));
    let two = edit(&repo, "s1", "a", ("line 7\n", "SEVEN\n"));
    edit(&repo, "s1", "d/b", ("line 1\n", "ONE\n"));
    assert_eq!(repo.redraft(&["commit", &two], "").status, 0);
    assert_eq!(in_head(&repo, "a"), numbers(9).replace("line 7\n", "SEVEN\n"));
    assert_eq!(repo.redraft(&["commit", "--session", "s1", "--", "d"], "").status, 0);
    assert_eq!(repo.git(&["show", "--name-only", "--format=", "HEAD"]), "d/b\n");
    // What is in HEAD already is not in the way of what is not.
    assert_eq!(repo.redraft(&["commit", "--since", &one], "").status, 0);
    assert_eq!(repo.git(&["status", "--porcelain"]), "");
}

#[test]
fn modes_line_endings_and_encodings_are_as_in_the_working_tree() {
    let repo = TestRepo::with_files(&[("a", "1\n2\n")]);
    repo.write("latin", b"caf\xe9\r\nx\r\n");
    repo.write(".gitattributes", "crlf text eol=crlf\n");
    repo.write("crlf", "one\r\ntwo\r\n");
    repo.commit_all("more");
    let agent = json!({"name": "claude", "session": "s1"});
    repo.apply(json!({"path": "latin", "encoding": "latin1", "edits": [{"old_string": "x", "new_string": "\u{e8}"}], "agent": agent}));
    repo.apply(json!({"path": "crlf", "edits": [{"old_string": "one", "new_string": "uno"}], "agent": agent}));
    let script =
        json!({"redraft": 1, "event": "before", "session": "s1", "call": "c", "tool": "sh", "cwd": repo.root()});
    repo.redraft(&["hook"], &script.to_string());
    repo.write("run.sh", "#!/bin/sh\n");
    repo.chmod("run.sh", 0o755);
    repo.chmod("a", 0o755);
    let script =
        json!({"redraft": 1, "event": "after", "session": "s1", "call": "c", "tool": "sh", "cwd": repo.root()});
    repo.redraft(&["hook"], &script.to_string());
    let done = repo.redraft(&["commit", "--session", "s1"], "");
    assert_eq!((done.status, done.err.as_str()), (0, ""), "{}", done.out);
    assert_eq!(repo.git(&["status", "--porcelain"]), "");
    let raw = repo.try_git(&["show", "HEAD:latin"]).stdout;
    assert_eq!(raw, b"caf\xe9\r\n\xe8\r\n");
    assert_eq!(in_head(&repo, "crlf"), "uno\ntwo\n");
    assert!(repo.git(&["ls-tree", "HEAD", "run.sh", "a"]).lines().all(|line| line.starts_with("100755")));
}

/// Seen: refused, as lines that the edit needs were other ones in HEAD, though it needs none.
#[test]
fn a_rename_is_committed_and_staged_beside_a_persons_lines() {
    let mine = |repo: &TestRepo| repo.write("new", repo.text("new").replace("line 5\n", "mine\n"));
    let rename = |repo: &TestRepo| {
        let agent = json!({"name": "claude", "session": "s1"});
        repo.apply(json!({"path": "a", "rename_to": "new", "agent": agent}));
    };
    let repo = TestRepo::with_files(&[("a", &numbers(9))]);
    rename(&repo);
    mine(&repo);
    let done = repo.redraft(&["commit", "--session", "s1"], "");
    assert_eq!((done.status, done.err.as_str()), (0, ""), "{}", done.out);
    assert_eq!(repo.git(&["show", "--name-status", "--format=", "HEAD"]), "R100\ta\tnew\n");
    assert_eq!(repo.git(&["status", "--porcelain"]), " M new\n");
    let repo = TestRepo::with_files(&[("a", &numbers(9))]);
    repo.write("a", repo.text("a").replace("line 5\n", "mine\n"));
    let done = repo.redraft(&["apply", "--index"], &json!({"path": "a", "rename_to": "new"}).to_string());
    assert_eq!(done.status, 0, "{}{}", done.out, done.err);
    assert_eq!(repo.git(&["status", "--porcelain"]), "RM a -> new\n");
    assert_eq!(repo.text("new"), numbers(9).replace("line 5\n", "mine\n"));
}

/// Seen: a file that an agent made was committed with the bit that a person gave it.
#[test]
fn a_chmod_by_a_person_is_not_committed_with_a_file_that_an_agent_made() {
    for others in ["", "two\n"] {
        let repo = TestRepo::with_files(&[("a", "1\n")]);
        repo.apply(json!({"path": "run", "content": "one\n", "agent": {"name": "claude", "session": "s1"}}));
        repo.write("run", format!("one\n{others}"));
        repo.chmod("run", 0o755);
        let done = repo.redraft(&["commit", "--session", "s1"], "");
        assert_eq!(done.status, 0, "{}{}", done.out, done.err);
        assert!(repo.git(&["ls-tree", "HEAD", "run"]).starts_with("100644"), "{others}");
        assert_eq!(repo.git(&["show", "HEAD:run"]), "one\n", "{others}");
    }
}

/// Commits session s1, and kills redraft while git's ref moves, when that is in `state`.
fn kill_when(repo: &TestRepo, state: &str) {
    let exit = i32::from(state == "prepared");
    let hook =
        format!("#!/bin/sh\n[ \"$1\" = {state} ] || exit 0\nkill -9 $(cut -d' ' -f4 /proc/$PPID/stat)\nexit {exit}\n");
    repo.hook("reference-transaction", &hook);
    let killed = repo.redraft(&["commit", "--session", "s1"], "");
    assert_eq!(killed.status, -1, "{}", killed.err);
    std::fs::remove_file(repo.root().join(".git/hooks/reference-transaction")).expect("it was there");
}

#[test]
fn a_run_that_is_killed_commits_all_or_nothing_and_leaves_no_lock() {
    for (state, commits) in [("prepared", "1\n"), ("committed", "2\n")] {
        let repo = TestRepo::with_files(&[("a", &numbers(9)), ("b", "b\n")]);
        edit(&repo, "s1", "a", ("line 1\n", "ONE\n"));
        repo.write("b", "staged\n");
        repo.git(&["add", "b"]);
        repo.write("a", repo.text("a").replace("line 8\n", "mine\n"));
        let text = repo.text("a");
        kill_when(&repo, state);
        assert_eq!(repo.redraft(&["recover"], "").status, 0, "{state}");
        assert_eq!(
            (repo.git(&["rev-list", "--count", "HEAD"]).as_str(), repo.text("a")),
            (commits, text.clone()),
            "{state}"
        );
        assert_eq!(repo.git(&["diff", "--cached", "--name-only"]), "b\n", "{state}");
        assert!(!repo.has(".git/index.lock"), "{state}");
        assert_eq!(repo.redraft(&["fsck"], "").status, 0, "{state}");
        let again = repo.redraft(&["commit", "--session", "s1"], "");
        assert_eq!(again.status, i32::from(state == "committed"), "{state}: {}", again.err);
        assert_eq!(in_head(&repo, "a"), numbers(9).replace("line 1\n", "ONE\n"));
        assert_eq!((repo.text("a"), repo.git(&["diff", "--cached", "--name-only"])), (text, "b\n".to_owned()));
    }
}

#[test]
fn the_trailer_is_as_the_configuration_says() {
    for (value, line) in [
        ("co-authored-by", "Co-authored-by: Claude (m1) <noreply@anthropic.com>"),
        ("assisted-by", "Assisted-by: claude:m1"),
        ("none", ""),
    ] {
        let repo = TestRepo::with_files(&[("a", &numbers(6)), ("b", "b\n")]);
        repo.git(&["config", "redraft.trailer", value]);
        edit(&repo, "s1", "a", ("line 1\n", "ONE\n"));
        let agent = json!({"name": "claude", "model": "m1"});
        let own =
            json!({"path": "b", "edits": [{"old_string": "b", "new_string": "c"}], "agent": agent, "record": "commit"});
        assert_eq!(repo.redraft(&["apply"], &own.to_string()).status, 0);
        assert_eq!(repo.redraft(&["commit", "--session", "s1"], "").status, 0);
        for back in ["HEAD", "HEAD~1"] {
            let trailers = repo.git(&["log", "-1", "--format=%(trailers:only)", back]);
            let others: Vec<&str> =
                trailers.lines().filter(|line| !line.starts_with("Redraft-Id: ") && !line.is_empty()).collect();
            assert_eq!(others.join("|"), line, "{value}: {trailers}");
        }
    }
}

#[test]
fn a_session_is_committed_again_beside_and_in_its_first_commit() {
    for (old, new) in [
        ("ONE\n", "UNO\n"),
        ("line 2\n", "TWO\n"),
        ("ONE\n", "ONE\nONE and a half\n"),
        ("ONE\n", ""),
        ("ONE\nline 2\n", ""),
    ] {
        for by_hand in [false, true] {
            let repo = TestRepo::with_files(&[("a", &numbers(6))]);
            edit(&repo, "s1", "a", ("line 1\n", "ONE\n"));
            match by_hand {
                true => drop(repo.git(&["commit", "-q", "-a", "-m", "by hand"])),
                false => assert_eq!(repo.redraft(&["commit", "--session", "s1"], "").status, 0),
            }
            edit(&repo, "s1", "a", (old, new));
            let done = repo.redraft(&["commit", "--session", "s1"], "");
            assert_eq!((done.status, done.err.as_str()), (0, ""), "{old:?} {new:?}: {}", done.out);
            assert_eq!(repo.git(&["status", "--porcelain"]), "", "{old:?} {new:?}");
            assert_eq!(in_head(&repo, "a"), numbers(6).replace("line 1\n", "ONE\n").replace(old, new));
            let again = repo.redraft(&["commit", "--session", "s1"], "");
            assert!(again.status == 1 && again.err.contains("nothing to commit"), "{}", again.err);
        }
    }
}

/// Seen: a panic, where one record inserted beside what another one had.
#[test]
fn insertions_side_by_side_are_committed() {
    let repo = TestRepo::with_files(&[("a", &numbers(6))]);
    edit(&repo, "s1", "a", ("line 3\n", "line 3\nA\n"));
    edit(&repo, "s1", "a", ("line 3\nA\n", "line 3\nB\nA\n"));
    let done = repo.redraft(&["commit", "--session", "s1"], "");
    assert_eq!((done.status, done.err.as_str()), (0, ""), "{}", done.out);
    assert_eq!(repo.git(&["status", "--porcelain"]), "");
}

#[test]
fn what_was_staged_already_is_committed_too() {
    let agent = json!({"name": "claude", "session": "s1"});
    for args in [&["add", "n"][..], &["add", "-N", "n"]] {
        let repo = TestRepo::with_files(&[("a", "1\n")]);
        repo.apply(json!({"path": "n", "content": "n\n", "agent": agent}));
        repo.git(args);
        let done = repo.redraft(&["commit", "--session", "s1"], "");
        assert_eq!((done.status, done.err.as_str()), (0, ""), "{args:?}");
        assert_eq!(repo.git(&["status", "--porcelain"]), "", "{args:?}");
    }
    for script in ["git mv a b", "git mv a b; git add -A"] {
        let repo = TestRepo::with_files(&[("a", &numbers(9))]);
        assert!(
            crate::support::run::redraft(
                &repo.root(),
                &["run", "-q", "--session", "s1", "--", "sh", "-c", script],
                b""
            )
            .exit
                == Some(0)
        );
        let done = repo.redraft(&["commit", "--session", "s1"], "");
        assert_eq!((done.status, done.err.as_str()), (0, ""), "{script}");
        assert_eq!(repo.git(&["status", "--porcelain"]), "", "{script}");
    }
}

/// Kills redraft in a git hook that goes on for a while, and recovers at once or when git is done.
#[test]
fn a_run_that_is_killed_in_a_hook_waits_for_git_and_says_what_became_of_it() {
    use crate::support::run::command;
    for (args, waits) in
        [(&["commit", "--session", "s1"][..], 0), (&["commit", "--session", "s1"], 1500), (&["apply"], 0)]
    {
        let repo = TestRepo::with_files(&[("a", &numbers(9)), ("b", "b\n"), ("c", "c\n")]);
        // Killed before git has the message, there is no commit: not what is asked here.
        repo.hook("pre-commit", "#!/bin/sh\nsleep 0.3\ntouch hook-runs\nsleep 1\n");
        let request =
            json!({"path": "a", "edits": [{"old_string": "line 1\n", "new_string": "ONE\n"}], "record": "commit"});
        if args[0] == "commit" {
            edit(&repo, "s1", "a", ("line 1\n", "ONE\n"));
        }
        std::fs::write(repo.outside().join("request"), request.to_string()).expect("written");
        let input = std::fs::File::open(repo.outside().join("request")).expect("there");
        let mut child = command(&repo.root(), args)
            .stdin(input)
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .spawn()
            .expect("runs");
        while !repo.has("hook-runs") {
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        child.kill().expect("killed");
        child.wait().expect("ends");
        std::thread::sleep(std::time::Duration::from_millis(waits));
        assert_eq!(repo.redraft(&["recover"], "").status, 0, "{args:?}");
        assert_eq!(in_head(&repo, "a"), numbers(9).replace("line 1\n", "ONE\n"), "{args:?} {waits}");
        assert_eq!(repo.git(&["status", "--porcelain"]), "?? hook-runs\n", "{args:?} {waits}");
        assert!(!repo.has(".git/index.lock"));
        assert_eq!(repo.redraft(&["fsck"], "").status, 0);
    }
}

#[test]
fn what_was_committed_undone_committed_and_redone_is_committed_again() {
    let repo = TestRepo::with_files(&[("a", &numbers(9))]);
    edit(&repo, "s1", "a", ("line 1\n", "ONE\n"));
    assert_eq!(repo.redraft(&["commit", "--session", "s1"], "").status, 0);
    repo.done(&["undo", "--session", "s1"], "");
    repo.git(&["commit", "-q", "-a", "-m", "without"]);
    repo.done(&["redo", "--session", "s1"], "");
    assert_eq!(repo.git(&["status", "--porcelain"]), " M a\n");
    let done = repo.redraft(&["commit", "--session", "s1"], "");
    assert_eq!((done.status, done.err.as_str()), (0, ""), "{}", done.out);
    assert_eq!(
        (repo.git(&["status", "--porcelain"]).as_str(), in_head(&repo, "a")),
        ("", numbers(9).replace("line 1\n", "ONE\n"))
    );
}

#[test]
fn as_long_as_git_goes_on_nothing_is_recovered_and_that_is_said() {
    use crate::support::run::command;
    let repo = TestRepo::with_files(&[("a", &numbers(9)), ("b", "b\n")]);
    repo.hook("pre-commit", "#!/bin/sh\ntouch hook-runs\nwhile [ -e hook-runs ]; do sleep 0.05; done\n");
    edit(&repo, "s1", "a", ("line 1\n", "ONE\n"));
    let mut child = command(&repo.root(), &["commit", "--session", "s1"]);
    let null = std::process::Stdio::null;
    let mut child = child.stdin(null()).stdout(null()).stderr(null()).spawn().expect("runs");
    while !repo.has("hook-runs") {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    child.kill().expect("killed");
    child.wait().expect("ends");
    repo.git(&["config", "redraft.lockTimeout", "1"]);
    let refused = repo.redraft(&["recover"], "");
    assert!(
        refused.status != 0 && refused.out.contains("a git that it started may still be at work"),
        "{}",
        refused.out
    );
    assert!(refused.out.contains("try again"), "{}", refused.out);
    std::fs::remove_file(repo.root().join("hook-runs")).expect("there");
    assert_eq!(repo.redraft(&["recover"], "").status, 0);
    assert_eq!(in_head(&repo, "a"), numbers(9).replace("line 1\n", "ONE\n"));
    assert_eq!((repo.git(&["status", "--porcelain"]), in_head(&repo, "b")), (String::new(), "b\n".to_owned()));
}

/// Seen: message, trailers and the answer named records of which nothing was there any more: discarded, stashed, or on another branch.
#[test]
fn records_of_which_nothing_is_in_the_commit_are_not_named() {
    let ways: [&[&[&str]]; 3] = [
        &[&["checkout", "-q", "a"]],
        &[&["stash", "-q"]],
        &[&["checkout", "-qb", "o"], &["commit", "-qam", "x"], &["checkout", "-q", "main"]],
    ];
    for way in ways {
        let repo = TestRepo::with_files(&[("a", &numbers(9)), ("b", &numbers(9))]);
        let gone = edit(&repo, "s1", "a", ("line 4\n", "gone\n"));
        way.iter().for_each(|args| drop(repo.git(args)));
        let there = edit(&repo, "s1", "b", ("line 4\n", "there\n"));
        let done = repo.redraft(&["commit", "--session", "s1", "--json"], "");
        assert_eq!(done.status, 0, "{}", done.err);
        assert_eq!(done.json()["records"], json!([there]), "{way:?}");
        let message = repo.git(&["log", "-1", "--format=%B"]);
        assert!(message.contains(&there) && !message.contains(&gone), "{way:?}: {message}");
        assert_eq!(repo.git(&["show", "--name-only", "--format=", "HEAD"]), "b\n");
    }
}

/// Seen: refused, with "files exchanged their names", and "commit or undo what others did there first", where nobody else was there.
#[test]
fn a_file_that_a_session_deleted_and_made_anew_is_committed() {
    let repo = TestRepo::with_files(&[("a", &numbers(9))]);
    let agent = json!({"name": "claude", "session": "s1"});
    repo.apply(json!({"path": "a", "delete": true, "agent": agent}));
    repo.apply(json!({"path": "a", "content": "all\nnew\n", "agent": agent}));
    let done = repo.redraft(&["commit", "--session", "s1", "--json"], "");
    assert_eq!(done.status, 0, "{}", done.err);
    assert_eq!(done.json()["records"].as_array().map(Vec::len), Some(2), "{}", done.out);
    assert_eq!(in_head(&repo, "a"), "all\nnew\n");
    assert_eq!(repo.git(&["status", "--porcelain"]), "");
}

/// Seen: the same refusal, as no look at the texts tells what a filter driver made of them.
#[test]
fn what_redraft_committed_itself_is_not_committed_again_where_a_filter_converts_the_file() {
    let repo = TestRepo::with_files(&[("a", &numbers(9)), (".gitattributes", "a filter=f\n")]);
    repo.git(&["config", "filter.f.clean", "cat"]);
    repo.git(&["config", "filter.f.smudge", "cat"]);
    let agent = json!({"name": "claude", "session": "s1"});
    repo.apply(
        json!({"path": "a", "old_string": "line 4\n", "new_string": "four\n", "record": "commit", "agent": agent}),
    );
    edit(&repo, "s1", "a", ("line 5\n", "five\n"));
    let done = repo.redraft(&["commit", "--session", "s1", "--json"], "");
    assert_eq!(done.status, 0, "{}", done.err);
    assert_eq!(done.json()["records"].as_array().map(Vec::len), Some(1), "{}", done.out);
    assert_eq!(in_head(&repo, "a"), repo.text("a"));
}

/// Seen: HEAD was left with an order of lines that no text ever had: the line that was put before one which somebody deleted stood behind it.
#[test]
fn a_line_that_was_put_before_one_that_somebody_deleted_is_committed_before_it() {
    let base = "w1\nw2\nw3\nw4\nw5\nw6\n";
    let cases = [
        (&["w1\nnew7\nw2\nnew6\nw6\n"][..], "w2\n", "w1\nnew7\nw2\nnew6\nw6\n"),
        (&["w1\nnew7\nw2\nw3\nw4\nw5\nw6\n", "w1\nnew7\nw2\nnew6\nw6\n"], "w2\n", "w1\nnew7\nw2\nnew6\nw6\n"),
        (&["w1\nw2\nm\nw3\nw5\nw6\n"], "w3\n", "w1\nw2\nm\nw3\nw5\nw6\n"),
        (&["n\nw1\nm\nw3\nw4\nw5\nw6\n"], "w1\n", "n\nw1\nm\nw3\nw4\nw5\nw6\n"),
        (&["w1\nX\nw3\nY\nw4\nw5\nw6\n"], "w3\n", "w1\nX\nw3\nY\nw4\nw5\nw6\n"),
        (&["w1\nw2\nw3\nY\nw4\nw5\nw6\n"], "w3\n", "w1\nw2\nw3\nY\nw4\nw5\nw6\n"),
        // The newest record with both of them tells.
        (&["w1\nX\nw2\nw3\nw4\nw5\nw6\n", "w1\nw2\nw3\nX\nw4\nw5\nw6\n"], "w2\n", "w1\nw2\nw3\nX\nw4\nw5\nw6\n"),
    ];
    for (edits, deleted, want) in cases {
        for is_other_agent in [false, true] {
            let repo = TestRepo::with_files(&[("f", base)]);
            for text in edits {
                let whole = json!({"path": "f", "content": text, "overwrite": true, "agent": {"session": "s1"}});
                repo.apply(whole);
            }
            if is_other_agent {
                repo.apply(json!({"path": "f", "old_string": deleted, "new_string": "", "agent": {"session": "s2"}}));
            } else {
                repo.write("f", repo.text("f").replace(deleted, ""));
            }
            let tree = repo.text("f");
            repo.done(&["commit", "--session", "s1", "--json"], "");
            assert_eq!(repo.git(&["show", "HEAD:f"]), want, "{edits:?}");
            assert_eq!(repo.text("f"), tree, "{edits:?}");
        }
    }
}

/// When both stood in a text, the agent's line was behind the deleted one; since then it was put before lines that are before that one.
#[test]
fn a_line_that_may_go_on_either_side_of_a_deleted_one_is_not_committed() {
    let repo = TestRepo::with_files(&[("f", "w1\nw2\nw3\nw4\nw5\n")]);
    let write = |text: &str| {
        repo.apply(json!({"path": "f", "content": text, "overwrite": true, "agent": {"session": "s1"}}));
    };
    write("w1\nw2\nw3\nw4\nnew\nother\n");
    repo.write("f", "w1\nw2\nw3\nnew\nother\n");
    write("w1\nw2\nnew\nw3\nother\n");
    let head = repo.git(&["rev-parse", "HEAD"]);
    let told = repo.redraft(&["commit", "--session", "s1", "--json"], "");
    assert_eq!(told.status, 1);
    assert!(
        told.err.contains("lines at its place that were deleted since, and nothing tells on which side"),
        "{}",
        told.err
    );
    assert_eq!(repo.git(&["rev-parse", "HEAD"]), head);
}

/// Seen: nothing was committed where one file did not fit HEAD, though what does not fit was to be left out.
#[test]
fn a_file_that_does_not_fit_head_is_left_out_where_that_is_asked_for() {
    let repo = TestRepo::with_files(&[("f", "1\n2\n3\n"), ("g", "1\n2\n3\n")]);
    repo.write("f", "1\nmine\n3\n");
    let edit = |path: &str, old: &str| json!({"path": path, "old_string": old, "new_string": "agent\n"});
    repo.apply(json!({"files": [edit("f", "mine\n"), edit("g", "2\n")], "agent": {"session": "s1"}}));
    let id = repo.apply(json!({"path": "new", "content": "n\n", "agent": {"session": "s1"}}));
    let commit = ["commit", "--session", "s1", "--json"];
    assert!(repo.redraft(&commit, "").err.contains("does not fit HEAD"));
    let done = repo.redraft(&[&commit[..], &["--skip-conflicts"]].concat(), "");
    assert_eq!(done.status, 0, "{}", done.err);
    let told = done.json();
    assert_eq!(
        (&told["left"][0]["path"], &told["left"][0]["why"]),
        (&json!("f"), &json!("it does not fit HEAD by itself"))
    );
    assert_eq!(in_head(&repo, "g"), "1\nagent\n3\n");
    assert_eq!((in_head(&repo, "f"), in_head(&repo, "new")), ("1\n2\n3\n".to_owned(), "n\n".to_owned()));
    // Nothing else is left, and who refuses the rest is told.
    let again = repo.redraft(&[&commit[..], &["--skip-conflicts"]].concat(), "");
    assert!(again.err.contains("does not fit HEAD"), "{}", again.err);
    repo.apply(json!({"path": "new", "old_string": "n\n", "new_string": "nn\n", "agent": {"session": "s1"}}));
    repo.hook("pre-commit", "#!/bin/sh\necho refused by me; exit 1\n");
    assert!(repo.redraft(&[&commit[..], &["--skip-conflicts"]].concat(), "").err.contains("refused by me"));
    assert_eq!(repo.redraft(&["show", &id, "--json"], "").status, 0);
}

/// Seen: refused, as git did not take the file: what is staged was read as if it were the file.
#[test]
fn a_file_that_git_has_in_another_encoding_is_committed() {
    for encoding in ["UTF-16LE", "UTF-16BE"] {
        let wide = |text: &str| -> Vec<u8> {
            let units = text.encode_utf16();
            units
                .flat_map(|unit| if encoding == "UTF-16LE" { unit.to_le_bytes() } else { unit.to_be_bytes() })
                .collect()
        };
        let repo =
            TestRepo::with_files(&[(".gitattributes", &format!("*.txt text working-tree-encoding={encoding}\n"))]);
        repo.write("f.txt", wide("1\n2\n3\n"));
        repo.commit_all("wide");
        repo.apply(json!({"path": "f.txt", "old_string": "2\n", "new_string": "two\n", "agent": {"session": "s1"}}));
        repo.write("f.txt", [repo.read("f.txt"), wide("mine\n")].concat());
        repo.done(&["commit", "--session", "s1", "--json"], "");
        assert_eq!(in_head(&repo, "f.txt"), "1\ntwo\n3\n", "{encoding}");
    }
}

/// Seen: "HEAD has all of it", where a commit had given the file another name after the undo was committed.
#[test]
fn a_redone_edit_is_committed_again_under_the_name_that_the_file_has_in_head() {
    let repo = TestRepo::with_files(&[("f", &numbers(6))]);
    edit(&repo, "s1", "f", ("line 2\n", "line 2\nof robo\n"));
    repo.done(&["commit", "--session", "s1", "--json"], "");
    repo.done(&["undo"], "");
    repo.git(&["mv", "f", "g"]);
    repo.git(&["commit", "-qam", "without it"]);
    repo.done(&["redo"], "");
    repo.done(&["commit", "--session", "s1", "--json"], "");
    assert_eq!(in_head(&repo, "g"), numbers(6).replace("line 2\n", "line 2\nof robo\n"));
}

/// Seen: "HEAD has another file there, which the user removed".
#[test]
fn an_undo_of_a_deletion_that_was_not_committed_is_there_in_head_already() {
    let repo = TestRepo::with_files(&[("f", &numbers(6))]);
    repo.apply(json!({"path": "f", "delete": true}));
    let before = repo.git(&["rev-parse", "HEAD"]);
    assert_eq!(repo.refused(&["undo", "--record", "commit"], ""), "already_applied");
    assert_eq!((repo.git(&["rev-parse", "HEAD"]), repo.git(&["status", "--porcelain"])), (before, " D f\n".to_owned()));
}
