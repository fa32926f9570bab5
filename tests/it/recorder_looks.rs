//! What a look at the tree may take for unchanged, and must not: each of these is something that a comparison with an earlier look, or
//! with git's index, could fall for.

use crate::support::TestRepo;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Tells the hook of a shell call, which may write any file.
fn tell(repo: &TestRepo, event: &str, call: &str) {
    let payload = json!({"redraft": 1, "event": event, "session": "s", "turn": "t", "call": call, "tool": "sh", "cwd": repo.root()});
    assert_eq!(repo.redraft(&["hook"], &payload.to_string()).out, "{}\n");
}

/// A call from its beginning to its end; gives what `log` has of it: the files of its records.
fn call(repo: &TestRepo, name: &str, script: &str) -> Vec<String> {
    tell(repo, "before", name);
    assert!(repo.shell(script).success(), "{script}");
    tell(repo, "after", name);
    files_of(repo, name)
}

fn records_of(repo: &TestRepo, name: &str) -> Vec<Value> {
    let all = repo.redraft(&["log", "--json"], "").lines();
    all.into_iter().filter(|record| record["agent"]["call_id"] == json!(name)).collect()
}

fn files_of(repo: &TestRepo, name: &str) -> Vec<String> {
    let records = records_of(repo, name);
    let files = records.iter().flat_map(|record| record["files"].as_array().expect("a list"));
    files.map(|file| file["path"].as_str().expect("a path").to_owned()).collect()
}

/// The lines that the records of a call took away and brought.
fn lines_of(repo: &TestRepo, name: &str) -> String {
    let mut lines = String::new();
    for record in records_of(repo, name) {
        let shown = repo.redraft(&["show", record["id"].as_str().expect("an id"), "--json"], "").json();
        for file in shown["files"].as_array().expect("a list") {
            let diff = file["diff"].as_str().expect("a diff").lines().skip_while(|line| !line.starts_with("@@"));
            lines.extend(diff.filter(|line| line.starts_with(['-', '+'])).map(|line| format!("{line} ")));
        }
    }
    lines.trim_end().to_owned()
}

/// The diff of the one file of a call's one record.
fn shown(repo: &TestRepo, name: &str) -> String {
    let record = &records_of(repo, name)[0];
    let shown = repo.redraft(&["show", record["id"].as_str().expect("an id"), "--json"], "").json();
    shown["files"][0]["diff"].as_str().expect("a diff").to_owned()
}

fn undo(repo: &TestRepo, name: &str) {
    for record in records_of(repo, name) {
        repo.done(&["undo", record["id"].as_str().expect("an id")], "");
    }
}

const PATHS: [&str; 5] = ["a", "b", "d/c", "u", "new"];

fn tree(repo: &TestRepo) -> BTreeMap<&'static str, Vec<u8>> {
    PATHS.iter().filter(|path| repo.has(path)).map(|path| (*path, repo.read(path))).collect()
}

fn repo() -> TestRepo {
    let repo = TestRepo::with_files(&[("a", "1\n2\n3\n"), ("b", "one\n"), ("d/c", "x\n"), ("d/e", "e\n")]);
    repo.write("u", "untracked\n");
    repo
}

#[test]
fn texts_of_one_length_that_follow_each_other_at_once_are_all_told_apart() {
    let repo = repo();
    for n in 100..130 {
        let name = format!("c{n}");
        // A person's, just before the look, and the agent's, just behind it.
        repo.write("a", format!("person {n}\n"));
        tell(&repo, "before", &name);
        repo.write("a", format!("agent  {n}\n"));
        tell(&repo, "after", &name);
        assert_eq!(lines_of(&repo, &name), format!("-person {n} +agent  {n}"));
    }
}

/// What makes a file another one and lets it look much as before; each writes `two` where `one` was.
const DISGUISES: [&str; 5] = [
    "cp -p b keep; echo two > b; touch -r keep b; rm keep",
    "echo two > t; touch -r b t; mv t b",
    "echo two > t; touch -r b t; cat t > b; touch -r t b; rm t",
    "echo two > t; touch -r b t; ln -f t b; rm t",
    "ln b l; echo two > l; touch -d 2001-01-01 l; rm l",
];

#[test]
fn a_file_that_was_replaced_by_one_of_the_same_size_and_time_is_changed() {
    for disguise in DISGUISES {
        let repo = repo();
        repo.shell("touch -d 2001-01-01 a b d/c; git update-index -q --refresh");
        assert_eq!(call(&repo, "c0", "echo more >> a"), ["a"]);
        assert_eq!(call(&repo, "c1", disguise), ["b"], "{disguise}");
        assert_eq!(lines_of(&repo, "c1"), "-one +two", "{disguise}");
        undo(&repo, "c1");
        assert_eq!(repo.text("b"), "one\n");
        // Between two calls it is a person's; the next call meets it.
        assert!(repo.shell(disguise).success());
        assert_eq!(call(&repo, "c2", "echo end > b"), ["b"]);
        assert_eq!(lines_of(&repo, "c2"), "-two +end", "{disguise}");
    }
}

#[test]
fn what_only_touches_files_is_no_change() {
    let repo = repo();
    assert_eq!(call(&repo, "c0", "echo more >> a"), ["a"]);
    for script in [
        "touch a b d/c u",
        "cp -p b t; mv t b",
        "git update-index -q --refresh || true",
        "git add a",
        "git commit -qam x",
        "git reset -q --hard",
        "git status",
        "git gc -q",
        ":",
    ] {
        assert_eq!(call(&repo, script, script), [""; 0], "{script}");
    }
}

#[test]
fn a_bit_that_a_call_changed_is_a_change_and_goes_back() {
    let repo = repo();
    let runs = |path: &str| {
        let meta = std::fs::metadata(repo.root().join(path)).expect("there");
        std::os::unix::fs::PermissionsExt::mode(&meta.permissions()) & 0o111 != 0
    };
    assert_eq!(call(&repo, "c0", "chmod +x a"), ["a"]);
    // Seen: `show` said nothing of what changed.
    assert_eq!(shown(&repo, "c0"), "diff --git a/a b/a\nold mode 100644\nnew mode 100755\n");
    assert!(repo.shell("chmod +x b").success());
    assert_eq!(call(&repo, "c1", "echo two > b"), ["b"]);
    assert_eq!(call(&repo, "c2", "chmod -x b"), ["b"]);
    undo(&repo, "c2");
    undo(&repo, "c1");
    assert_eq!((runs("a"), runs("b"), repo.text("b").as_str()), (true, true, "one\n"));
}

/// What makes of git's index another one; nothing of it is an edit.
const INDEXES: [&str; 16] = [
    "git update-index -q --refresh || true",
    "git update-index --really-refresh || true",
    "git update-index --assume-unchanged a",
    "git update-index --skip-worktree a d/c",
    "git update-index --split-index",
    "git update-index --split-index; git add u; git reset -q",
    "git update-index --index-version 4",
    "git update-index --untracked-cache; git status",
    "git config index.skipHash true; git add a; git reset -q",
    "git add -A",
    "git add -N u",
    "git rm -q -f --cached a d/c",
    "git commit -q -a -m x",
    "git commit -q --allow-empty -m x; git reset -q --soft HEAD~1",
    "rm .git/index",
    "cp .git/index i; rm .git/index; mv i .git/index",
];

/// Edits, makes and removes files that git knows and that it does not.
const EDITS: &str = "echo 4 >> a; rm d/c; echo more >> u; echo made > new";

#[test]
fn what_a_call_did_is_found_whatever_became_of_the_index_before_it() {
    for index in INDEXES {
        let repo = repo();
        assert_eq!(call(&repo, "c0", "echo 0 >> a"), ["a"]);
        assert!(repo.shell(index).success(), "{index}");
        let before = tree(&repo);
        let mut found = call(&repo, "c1", EDITS);
        found.sort();
        assert_eq!(found, ["a", "d/c", "new", "u"], "{index}");
        undo(&repo, "c1");
        assert_eq!(tree(&repo), before, "{index}");
        assert_eq!(call(&repo, "c2", ":"), [""; 0], "{index}");
    }
}

#[test]
fn what_a_call_did_is_found_whatever_it_did_to_the_index() {
    for index in INDEXES {
        for script in [format!("{index}; {EDITS}"), format!("{EDITS}; {index}")] {
            let repo = repo();
            assert_eq!(call(&repo, "c0", "echo 0 >> a"), ["a"]);
            let before = tree(&repo);
            let mut found = call(&repo, "c1", &script);
            found.sort();
            assert_eq!(found, ["a", "d/c", "new", "u"], "{script}");
            undo(&repo, "c1");
            assert_eq!(tree(&repo), before, "{script}");
            assert_eq!(call(&repo, "c2", "echo 5 >> a; echo 5 >> b"), ["a", "b"], "{script}");
        }
    }
}

#[test]
fn a_file_that_git_knows_and_that_was_not_there_is_seen_when_it_comes() {
    let repo = repo();
    std::fs::remove_file(repo.root().join("b")).expect("removed");
    for (name, script) in [("c0", "echo made > b"), ("c1", "rm b"), ("c2", "echo again > b"), ("c3", "rm b d/c")] {
        call(&repo, name, script);
    }
    let all: Vec<_> = ["c0", "c1", "c2", "c3"].iter().map(|name| files_of(&repo, name).join(" ")).collect();
    assert_eq!(all, ["b", "b", "b", "b d/c"]);
    assert_eq!(call(&repo, "c4", "mkdir -p d; echo back > d/c"), ["d/c"]);
    assert_eq!(lines_of(&repo, "c4"), "+back");
}

#[test]
fn a_file_keeps_the_text_that_it_had_where_a_filter_is_set_on_it_later() {
    let repo = TestRepo::with_files(&[("q.x", "abc\n"), ("other", "1\n")]);
    repo.shell("git config filter.rot.clean 'tr a-z n-za-m'; git config filter.rot.smudge 'tr a-z n-za-m'");
    assert_eq!(call(&repo, "c0", "echo 2 >> other"), ["other"]);
    repo.write(".gitattributes", "*.x filter=rot\n");
    assert_eq!(call(&repo, "c1", "echo xyz > q.x"), ["q.x"]);
    assert_eq!(lines_of(&repo, "c1"), "-abc +xyz");
    std::fs::remove_file(repo.root().join(".gitattributes")).expect("removed");
    assert_eq!(call(&repo, "c2", "echo end > q.x"), ["q.x"]);
    assert_eq!(lines_of(&repo, "c2"), "-xyz +end");
}

#[test]
fn a_sparse_checkout_hides_nothing_that_is_there() {
    let repo = repo();
    assert_eq!(call(&repo, "c0", "echo 0 >> d/c"), ["d/c"]);
    assert!(repo.shell("git add -A; git commit -qm x; git sparse-checkout set --cone --sparse-index d").success());
    assert_eq!(call(&repo, "c1", "echo 1 >> d/c; echo made > d/new"), ["d/c", "d/new"]);
    assert_eq!(call(&repo, "c2", "echo 1 >> b"), ["b"]);
}

/// The end of a call that another session's call goes on beside names its file: only that one is looked up.
#[test]
fn a_call_that_names_a_file_finds_it_beside_the_shell_of_another_session() {
    let repo = repo();
    tell(&repo, "before", "shell");
    for (n, path) in ["a", "b", "u", "new", "d/c", "new"].iter().enumerate() {
        let (name, text) = (format!("c{n}"), format!("text {n}\n"));
        let told = |event: &str| {
            let payload = json!({"redraft": 1, "event": event, "session": "other", "turn": "t", "call": name, "tool": "edit", "paths": [path], "cwd": repo.root()});
            repo.redraft(&["hook"], &payload.to_string());
        };
        told("before");
        repo.write(path, text);
        told("after");
        assert_eq!(files_of(&repo, &name), [*path]);
    }
    tell(&repo, "after", "shell");
    assert_eq!(files_of(&repo, "shell"), [""; 0]);
    assert_eq!(repo.redraft(&["log", "--json"], "").lines().len(), 6);
}

#[test]
fn a_look_that_was_cut_off_on_disk_is_told_and_the_next_one_is_whole() {
    let repo = repo();
    tell(&repo, "before", "c1");
    let observed = repo.root().join(".git/redraft/worktrees/main/observed");
    let all = std::fs::read_dir(&observed).expect("a folder").filter_map(Result::ok).map(|entry| entry.path());
    let tables: Vec<_> = all.filter(|path| path.extension().is_some_and(|end| end == "table")).collect();
    assert_eq!(tables.len(), 1);
    let whole = std::fs::read(&tables[0]).expect("read");
    std::fs::write(&tables[0], &whole[..whole.len() - 1]).expect("written");
    repo.write("a", "lost\n");
    tell(&repo, "after", "c1");
    let told = repo.redraft(&["status", "--long"], "").out;
    assert!(told.contains("the list of them was damaged"), "{told}");
    assert_eq!(call(&repo, "c2", "echo found > a"), ["a"]);
    assert_eq!(lines_of(&repo, "c2"), "-lost +found");
    // Cut off while no call is on its way, it is made anew.
    let all = std::fs::read_dir(&observed).expect("a folder").filter_map(Result::ok).map(|entry| entry.path());
    all.filter(|path| path.extension().is_some_and(|end| end == "table"))
        .for_each(|path| std::fs::write(path, "x").expect("written"));
    assert_eq!(call(&repo, "c3", EDITS), ["a", "d/c", "new", "u"]);
}

/// Seen: a hook waited for ever for somebody to write to a pipe, and wrote to where a symlink led.
#[test]
fn what_somebody_planted_among_redrafts_own_files_is_neither_waited_for_nor_followed() {
    for plant in ["mkfifo", "ln -s ../../../../../victim"] {
        for name in ["ledger", "lock", "troubles", "fired-generic", "1.tree", "1.texts", "1.table", "x.owner"] {
            let repo = repo();
            repo.write("victim", "mine\n");
            let observed = ".git/redraft/worktrees/main/observed";
            // With calls that nobody knows of any more: the ledger names what is planted.
            tell(&repo, "before", "c0");
            assert!(repo.shell(&format!("cd {observed}; rm -f {name}; {plant} {name}")).success());
            let payload =
                json!({"redraft": 1, "event": "after", "session": "s", "call": "c0", "tool": "sh", "cwd": repo.root()});
            repo.write("payload", payload.to_string());
            let redraft = env!("CARGO_BIN_EXE_redraft");
            let script = format!(
                "timeout 20 {redraft} hook < payload && timeout 20 {redraft} status && timeout 20 {redraft} hook nonsense < a"
            );
            assert!(repo.shell(&format!("({script}) >/dev/null")).success(), "{plant} {name}");
            std::fs::remove_file(repo.root().join("payload")).expect("removed");
            assert_eq!(call(&repo, "c1", "echo 4 >> a"), ["a"], "{plant} {name}");
            assert_eq!(repo.text("victim"), "mine\n", "{plant} {name}");
        }
    }
}

/// Seen: a call that was on its way in a worktree that was removed took what a person did in the next one of that name.
#[test]
fn a_call_of_a_removed_worktree_is_none_of_the_next_one_of_its_name() {
    let repo = repo();
    let tree = repo.outside().join("w");
    let tell = |event: &str, session: &str| {
        let payload = json!({"redraft": 1, "event": event, "session": session, "agent": session, "call": "1", "tool": "sh", "cwd": tree});
        assert_eq!(repo.redraft_in(&tree, &["hook"], &payload.to_string()).out, "{}\n");
    };
    repo.git(&["worktree", "add", "-q", "-b", "w1", "../w"]);
    std::fs::write(tree.join("untracked"), "u\n").expect("written");
    tell("before", "old");
    repo.git(&["worktree", "remove", "--force", "../w"]);
    repo.git(&["worktree", "add", "-q", "-b", "w2", "../w"]);
    std::fs::write(tree.join("mine"), "a person's\n").expect("written");
    tell("before", "new");
    std::fs::write(tree.join("made"), "made\n").expect("written");
    tell("after", "new");
    tell("session-end", "old");
    let log = repo.redraft_in(&tree, &["log", "--json"], "").lines();
    let found: Vec<_> = log.iter().map(|record| (&record["session"], record["files"].to_string())).collect();
    assert!(
        matches!(&found[..], [(session, files)] if **session == json!("new") && files.contains("made")),
        "{found:?}"
    );
}

/// Seen: a flipped bit in the table made renames that never were, one in the list lost a call without a word.
#[test]
fn a_flipped_bit_in_what_is_kept_of_a_look_is_told_and_makes_no_record() {
    let repo = TestRepo::with_files(&[("a", "one\n"), ("b", "b\n"), ("d/q", "q\n")]);
    tell(&repo, "before", "c1");
    repo.write("a", "ONE\n");
    let observed = repo.root().join(".git/redraft/worktrees/main/observed");
    let all = std::fs::read_dir(&observed).expect("a folder").filter_map(Result::ok).map(|entry| entry.path());
    let is_meant =
        |path: &std::path::PathBuf| path.ends_with("ledger") || path.extension().is_some_and(|end| end == "table");
    let meant: Vec<_> = all.filter(is_meant).collect();
    assert_eq!(meant.len(), 2);
    let kept = repo.outside().join("kept");
    crate::support::tree::copy(&repo.root().join(".git/redraft"), &kept);
    for file in meant {
        let whole = std::fs::read(&file).expect("read");
        for at in (0..whole.len()).step_by(whole.len() / 23 + 1) {
            let what = format!("{}, byte {at}", file.display());
            std::fs::remove_dir_all(repo.root().join(".git/redraft")).expect("removed");
            crate::support::tree::copy(&kept, &repo.root().join(".git/redraft"));
            let mut flipped = whole.clone();
            flipped[at] ^= 1 << (at % 8);
            std::fs::write(&file, flipped).expect("written");
            tell(&repo, "after", "c1");
            assert!(repo.redraft(&["log", "--json"], "").lines().is_empty(), "{what}");
            let told = repo.redraft(&["status", "--long"], "").out;
            assert!(told.contains("the list of them was damaged"), "{what}: {told}");
            // Once, and what comes next is recorded again.
            tell(&repo, "before", "c2");
            repo.write("b", format!("{at}\n"));
            tell(&repo, "after", "c2");
            assert_eq!(files_of(&repo, "c2"), ["b"], "{what}");
            assert_eq!(repo.redraft(&["status", "--long"], "").out.matches("was damaged").count(), 1, "{what}");
        }
    }
}
