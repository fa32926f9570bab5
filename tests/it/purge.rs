//! Secrets: what is never kept, and what `purge` takes away, wherever a copy of it is.

use crate::support::{Terminal, TestRepo};
use serde_json::{Value, json};
use std::path::Path;

/// Every place below redraft's folder where a text is, in files as they are and in git's objects.
fn copies(repo: &TestRepo, text: &str) -> Vec<String> {
    fn walk(dir: &Path, text: &[u8], found: &mut Vec<String>) {
        for entry in std::fs::read_dir(dir).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                walk(&path, text, found);
            } else if memchr::memmem::find(&std::fs::read(&path).expect("reads"), text).is_some() {
                found.push(path.display().to_string());
            }
        }
    }
    let mut found = Vec::new();
    let state = repo.root().join(".git/redraft");
    walk(&state, text.as_bytes(), &mut found);
    if state.join("history.git").exists() {
        let args = ["--git-dir", ".git/redraft/history.git", "cat-file", "--batch-all-objects", "--batch"];
        let objects = repo.try_git(&args).stdout;
        found.extend(memchr::memmem::find(&objects, text.as_bytes()).map(|_| "an object".to_owned()));
    }
    found
}

fn purge(repo: &TestRepo, args: &[&str]) -> Value {
    let args = [&["purge", "--json"], args].concat();
    let dry = repo.redraft(&[&args[..], &["--dry-run"]].concat(), "");
    assert_eq!(dry.status, 0, "{}{}", dry.out, dry.err);
    let done = repo.redraft(&[&args[..], &["--yes"]].concat(), "");
    assert_eq!(done.status, 0, "{}{}", done.out, done.err);
    assert_eq!(done.json(), dry.json(), "a dry run tells what will be done");
    done.json()
}

#[test]
fn a_request_with_an_id_leaves_nothing_of_ignored_or_large_files_in_the_history() {
    let repo = TestRepo::with_files(&[(".gitignore", "*.env\n"), ("a", "old\n")]);
    let large = format!("{}marker-line\nold\n", "0123456789abcdef\n".repeat(600_000));
    repo.write("large", &large);
    repo.write("key.env", "password = hunter2\nport = 1\n");
    repo.write("moved.env", "password = hunter2\nport = 1\n");
    repo.write("gone.env", "password = hunter2\n");
    let edit = |path: &str, old: &str| json!({"path": path, "old_string": old, "new_string": "port = 22"});
    let requests = [
        edit("key.env", "port = 1"),
        edit("large", "old"),
        json!({"files": [edit("a", "old"), edit("key.env", "port = 22").as_object().map(|edit| {
            let mut edit = edit.clone();
            edit["new_string"] = json!("port = 23");
            Value::Object(edit)
        }).expect("an object")]}),
        json!({"path": "new.env", "content": "password = hunter2\n"}),
        json!({"path": "moved.env", "rename_to": "plain"}),
        json!({"path": "gone.env", "delete": true}),
    ];
    for (n, mut request) in requests.into_iter().enumerate() {
        request["request_id"] = json!(format!("r{n}"));
        let first = repo.done(&["apply"], &request.to_string());
        let again = repo.done(&["apply"], &request.to_string());
        assert_eq!(again["data"]["record"]["id"], first["data"]["record"]["id"]);
    }
    assert_eq!(repo.redraft(&["gc"], "").status, 0);
    for secret in ["hunter2", "marker-line"] {
        let kept = copies(&repo, secret);
        assert!(kept.iter().all(|place| place.contains("/backups/")), "{secret}: {kept:?}");
    }
    // Nor does another clone get it.
    repo.git(&["init", "-q", "--bare", "../remote.git"]);
    assert_eq!(repo.redraft(&["sync", "../remote.git"], "").status, 0);
    let sent = repo.try_git(&["--git-dir", "../remote.git", "cat-file", "--batch-all-objects", "--batch"]).stdout;
    assert!(memchr::memmem::find(&sent, b"Redraft-Id").is_some());
    assert!(memchr::memmem::find(&sent, b"hunter2").is_none() && memchr::memmem::find(&sent, b"marker-line").is_none());
}

#[test]
fn purge_takes_every_copy_of_an_ignored_file_and_says_what_went() {
    let repo = TestRepo::with_files(&[(".gitignore", "*.env\n"), ("a", "old\n")]);
    repo.write("key.env", "password = hunter2\nport = 1\n");
    let request = json!({"path": "key.env", "old_string": "port = 1", "new_string": "port = 2", "request_id": "r1"});
    repo.apply(request);
    assert_eq!(repo.redraft(&["gc"], "").status, 0);
    repo.edit("key.env", "port = 2", "port = 3");
    let done = purge(&repo, &["--path", "key.env"]);
    assert_eq!((&done["records"], &done["backups"], &done["answers"]), (&json!(2), &json!(2), &json!(1)), "{done}");
    assert_eq!(copies(&repo, "hunter2"), Vec::<String>::new());
    // What was purged is known still; there is only nothing left of it.
    is_purged_already(&repo, &["--path", "key.env"]);
    let people = repo.redraft(&["purge", "--path", "a", "--dry-run"], "");
    assert_eq!(people.status, 1, "nothing was ever kept of it: {}", people.out);
}

#[test]
fn purge_fails_on_what_it_knows_nothing_of() {
    let repo = TestRepo::with_files(&[("a", "old\n"), ("dir/b", "old\n")]);
    let unknown = |args: &[&str]| {
        for dry in [&["--dry-run"][..], &[]] {
            let answer = repo.redraft(&[&["purge", "--json"], args, dry].concat(), "");
            assert_eq!(answer.status, 1, "{args:?}: {}", answer.out);
            assert_eq!(answer.json()["error"]["reason"], "no_such_record", "{args:?}: {}", answer.out);
        }
    };
    unknown(&["--path", "a"]);
    repo.edit("a", "old", "new");
    for path in ["b", "dir", "dir/b", "a/b", "A", "aa"] {
        unknown(&["--path", path]);
    }
    unknown(&["zzzzzzzz"]);
    unknown(&["@-7"]);
    assert_eq!(repo.redraft(&["purge"], "").status, 2, "something must be named");
    assert_eq!(purge(&repo, &["--path", "a"])["texts"], 2);
}

#[test]
fn purge_takes_the_texts_of_a_record_with_those_of_its_neighbours_that_are_the_same() {
    let repo = TestRepo::with_files(&[("a", "one\n"), ("b", "one\n")]);
    let first = repo.edit("a", "one", "swordfish");
    repo.edit("a", "swordfish", "three");
    let last = repo.edit("a", "three", "four");
    repo.edit("b", "one", "five");
    let done = purge(&repo, &[&first]);
    assert_eq!((&done["records"], &done["texts"]), (&json!(2), &json!(4)), "{done}");
    assert_eq!(copies(&repo, "swordfish"), Vec::<String>::new());
    // The others are whole.
    repo.done(&["undo", "@"], "");
    repo.done(&["undo", &last], "");
    assert_eq!((repo.text("a"), repo.text("b")), ("three\n".to_owned(), "one\n".to_owned()));
}

#[test]
fn what_a_command_line_said_of_a_purged_text_goes_with_it() {
    let repo = TestRepo::with_files(&[("key.txt", "it is swordfish\n"), ("b", "one\n")]);
    for (file, from, to) in [("key.txt", "swordfish", "marlin"), ("b", "one", "two")] {
        assert_eq!(repo.redraft(&["run", "-q", "--", "sed", "-i", &format!("s/{from}/{to}/"), file], "").status, 0);
    }
    let done = purge(&repo, &["--path", "key.txt"]);
    assert_eq!((&done["records"], &done["texts"]), (&json!(1), &json!(2)), "{done}");
    assert_eq!(copies(&repo, "swordfish"), Vec::<String>::new());
    let log = repo.redraft(&["log", "--json"], "").lines();
    let commands: Vec<&Value> = log.iter().map(|record| &record["observed"]["command"]).collect();
    assert_eq!(commands, [&json!("sed -i s/one/two/ b"), &json!("***")]);
    is_purged_already(&repo, &["--path", "key.txt"]);
}

/// A second purge says that the first was made, in words and by its exit status, whatever way it is asked.
fn is_purged_already(repo: &TestRepo, what: &[&str]) {
    for how in [&["--dry-run"][..], &["--yes"], &[]] {
        let answer = repo.redraft(&[&["purge", "--json"], what, how].concat(), "");
        assert_eq!(answer.status, 1, "{how:?}: {}", answer.out);
        assert_eq!(answer.json()["error"]["reason"], "nothing_to_undo", "{how:?}: {}", answer.out);
        assert!(answer.err.contains("it was purged already") && answer.err.contains("tombstones"), "{}", answer.err);
    }
}

#[test]
fn purge_takes_the_texts_that_a_file_had_under_its_other_names_and_says_so() {
    for sought in ["cfg/s", "cfg/t", "u"] {
        let repo = TestRepo::with_files(&[("cfg/s", "one\ntwo\n"), ("b", "bee\n")]);
        repo.edit("cfg/s", "one", "swordfish");
        repo.apply(json!({"files": [{"path": "cfg/s", "rename_to": "cfg/t"}]}));
        repo.edit("cfg/t", "two", "2");
        repo.apply(
            json!({"files": [{"path": "cfg/t", "rename_to": "u", "edits": [{"old_string": "2", "new_string": "3"}]}]}),
        );
        repo.edit("b", "bee", "wasp");
        let dry = repo.redraft(&["purge", "--dry-run", "--json", "--path", sought], "").json();
        let done = purge(&repo, &["--path", sought]);
        assert_eq!((&done["records"], &done["texts"]), (&json!(4), &json!(8)), "{sought}: {done}");
        assert_eq!(dry["texts"], done["texts"], "{sought}");
        let notes = done["notes"].to_string();
        assert!(
            ["cfg/s", "cfg/t", "u"].iter().all(|name| *name == sought || notes.contains(&format!(" {name} "))),
            "{notes}"
        );
        assert_eq!(copies(&repo, "swordfish"), Vec::<String>::new(), "{sought}");
        repo.done(&["undo", "@"], "");
        assert_eq!(repo.text("b"), "bee\n", "what is of another file stays");
        is_purged_already(&repo, &["--path", sought]);
    }
}

#[test]
fn purge_of_a_name_leaves_another_file_alone_that_had_that_name_later() {
    let repo = TestRepo::with_files(&[("old", "swordfish\none\n")]);
    repo.edit("old", "one", "1");
    repo.apply(json!({"path": "old", "rename_to": "new"}));
    repo.apply(json!({"path": "old", "content": "another\n"}));
    repo.edit("old", "another", "quite another");
    let done = purge(&repo, &["--path", "new"]);
    assert_eq!((&done["records"], &done["texts"]), (&json!(2), &json!(4)), "{done}");
    repo.done(&["undo", "@"], "");
    assert_eq!(repo.text("old"), "another\n");
}

#[test]
fn a_file_that_came_back_by_an_undo_is_the_same_file_under_all_its_names() {
    let repo = TestRepo::with_files(&[("a", "swordfish\n")]);
    repo.apply(json!({"path": "a", "rename_to": "b"}));
    repo.done(&["undo"], "");
    repo.edit("a", "swordfish", "marlin");
    let done = purge(&repo, &["--path", "b"]);
    assert_eq!(done["records"], 3, "{done}");
    assert_eq!(copies(&repo, "swordfish"), Vec::<String>::new());
}

#[test]
fn purge_sees_what_other_worktrees_have_not_sealed_yet() {
    let repo = TestRepo::with_files(&[("a", "old\n"), ("secret", "old\n")]);
    let there = repo.outside().join("linked");
    repo.git(&["worktree", "add", "-q", "../linked", "-b", "side"]);
    repo.git(&["worktree", "add", "-q", "../gone", "-b", "other"]);
    let edit = json!({"path": "secret", "old_string": "old", "new_string": "hunter2", "request_id": "r1"}).to_string();
    for name in ["linked", "gone"] {
        let done = repo.redraft_in(&repo.outside().join(name), &["apply"], &edit);
        assert_eq!(done.status, 0, "{}", done.out);
    }
    let gone = repo.redraft_in(&repo.outside().join("gone"), &["log", "--json"], "").json()["id"].clone();
    repo.git(&["worktree", "remove", "--force", "../gone"]);
    assert!(!copies(&repo, "hunter2").is_empty());
    let done = purge(&repo, &["--path", "secret"]);
    assert_eq!((&done["records"], &done["texts"], &done["answers"]), (&json!(2), &json!(4), &json!(2)), "{done}");
    assert_eq!(copies(&repo, "hunter2"), Vec::<String>::new());
    // The record of each is its own still.
    let own = repo.redraft_in(&there, &["log", "--json"], "").lines();
    assert_eq!((own.len(), &own[0]["files"][0]["path"]), (1, &json!("secret")));
    assert_eq!(repo.redraft(&["log", "--json"], "").out, "", "and of no other worktree");
    let all = repo.redraft(&["log", "--all", "--json"], "").lines();
    assert!(all.iter().any(|line| line["id"] == gone), "{all:?}");
    assert_eq!(repo.redraft(&["fsck"], "").status, 0);
    // And from the other side.
    repo.edit("secret", "old", "swordfish");
    assert_eq!(repo.redraft_in(&there, &["purge", "--yes", "--path", "secret"], "").status, 0);
    assert_eq!(copies(&repo, "swordfish"), Vec::<String>::new());
}

#[test]
fn purge_takes_the_lines_out_of_answers_to_shelved_requests_and_of_no_others() {
    let repo = TestRepo::with_files(&[("a", "swordfish\nold\n"), ("b", "marlin\nold\n"), ("c", "herring\nold\n")]);
    let shelve = |id: &str, mut request: Value| {
        request["request_id"] = json!(id);
        repo.done(&["apply", "--record", "stash", "--shelve"], &request.to_string());
    };
    shelve("r1", json!({"path": "a", "old_string": "old", "new_string": "new"}));
    shelve("r2", json!({"path": "b", "rename_to": "d", "old_string": "old", "new_string": "new"}));
    shelve("r3", json!({"path": "c", "old_string": "old", "new_string": "new"}));
    let done = purge(&repo, &["--path", "a", "--path", "b"]);
    assert_eq!((&done["answers"], &done["records"]), (&json!(2), &json!(0)), "{done}");
    for (text, copies_left) in [("swordfish", 0), ("marlin", 0), ("herring", 1)] {
        assert_eq!(copies(&repo, text).len(), copies_left, "{text}");
    }
    // They have no line more to lose.
    let again = repo.redraft(&["purge", "--yes", "--json", "--path", "a", "--path", "b"], "");
    assert_eq!(again.json()["answers"].as_u64().unwrap_or_default(), 0, "{}", again.out);
}

#[test]
fn purge_says_how_much_would_go_and_asks_on_a_terminal_and_wants_a_yes_elsewhere() {
    let repo = TestRepo::with_files(&[("a", "old\n")]);
    repo.apply(json!({"path": "a", "old_string": "old", "new_string": "secret", "agent": {"session": "s"}}));
    let is_kept = || repo.redraft(&["log", "-p"], "").out.contains("+secret");
    let counts = "2 texts of 1 record, 1 backup (1 file, 1 session, 11 bytes) would be removed for good";
    for args in [&["purge", "--path", "a"][..], &["purge", "@", "--json"]] {
        let ran = repo.redraft(args, "y\n");
        assert_eq!((ran.status, ran.out.as_str(), is_kept()), (2, "", true), "{}", ran.err);
        assert!(ran.err.contains(counts) && ran.err.contains("--yes"), "{}", ran.err);
    }
    assert_eq!(repo.redraft(&["purge", "--path", "a", "--dry-run"], "").status, 0, "nothing is to be asked for");
    for (typed, exit, stays) in
        [("n\n", 1, true), ("\n", 1, true), ("\u{4}", 1, true), ("\u{3}", 130, true), ("y\n", 0, false)]
    {
        let Some(mut terminal) = Terminal::of(&repo, "redraft purge --path a") else { return };
        terminal.wait_for(counts);
        terminal.answer("Go on? (y/n): ", typed);
        let ended = terminal.end();
        assert_eq!((ended.exit, is_kept()), (Some(exit), stays), "{typed:?}: {}", ended.shown);
    }
    // There is nothing left that could be asked for.
    is_purged_already(&repo, &["--path", "a"]);
}
