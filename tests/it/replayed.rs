//! Requests with an id, sent again: the answer of the first time where they mean the same, else a refusal; never a second edit,
//! and never an answer about what another caller may not see.

use crate::support::TestRepo;
use serde_json::{Value, json};

fn repo() -> TestRepo {
    TestRepo::with_files(&[("a", "one\ntwo\nthree\n"), ("sub/a", "one\ntwo\nthree\n"), ("other/a", "x\n")])
}

fn edit() -> Value {
    json!({"path": "a", "old_string": "two", "new_string": "2", "request_id": "r1", "agent": {"name": "n", "session": "s"}})
}

#[track_caller]
fn is_replayed(repo: &TestRepo, args: &[&str], input: &str, id: &Value) {
    let before = repo.git(&["status", "--porcelain"]);
    let answer = repo.done(&[&["apply"], args].concat(), input);
    assert_eq!((&answer["data"]["record"]["id"], &answer["data"]["replayed"]), (id, &json!(true)), "{args:?} {answer}");
    let text = answer["text"].as_str().expect("a text");
    assert!(text.ends_with("\nthis request was done before; it was not done again"), "{text}");
    assert_eq!(repo.git(&["status", "--porcelain"]), before);
}

#[test]
fn the_same_meaning_is_the_same_request_however_it_is_written() {
    let repo = repo();
    let first = repo.done(&["apply"], &edit().to_string());
    assert_eq!(first["data"].get("replayed"), None, "the first time it is done: {first}");
    let id = &first["data"]["record"]["id"];
    for again in [0, 1] {
        is_replayed(&repo, &[], &edit().to_string(), id);
        is_replayed(&repo, &[], &serde_json::to_string_pretty(&edit()).expect("JSON"), id);
        let reordered = r#" {"request_id":"r1", "new_string":"2", "agent":{"session":"s","name":"n"}, "old_string":"t\u0077o",
            "path":"./a"}"#;
        is_replayed(&repo, &[], reordered, id);
        // What only says how long to wait and how much to show changes no meaning.
        is_replayed(&repo, &["--diff-lines", "1", "--lock-timeout", "1"], &edit().to_string(), id);
        let mut without = edit();
        without["agent"] = json!({});
        is_replayed(&repo, &["--agent", "n", "--session", "s"], &without.to_string(), id);
        if again == 0 {
            assert_eq!(repo.redraft(&["gc"], "").status, 0);
        }
    }
}

#[test]
fn a_request_that_was_done_and_undone_since_says_so() {
    let repo = repo();
    let first = repo.done(&["apply"], &edit().to_string());
    let undo = repo.done(&["undo"], "");
    for _ in 0..2 {
        let again = repo.done(&["apply"], &edit().to_string());
        let by = &undo["data"]["record"]["id"];
        assert_eq!((&again["data"]["replayed"], &again["data"]["undone_by"]), (&json!(true), by), "{again}");
        assert_eq!(again["data"]["record"]["id"], first["data"]["record"]["id"]);
        let said = format!("done before, and undone since by {}; it was not done again", by.as_str().expect("an id"));
        assert!(again["text"].as_str().is_some_and(|text| text.ends_with(&said)), "{again}");
        assert_eq!(repo.redraft(&["gc"], "").status, 0);
    }
    repo.done(&["redo"], "");
    assert_eq!(repo.done(&["apply"], &edit().to_string())["data"].get("undone_by"), None);
}

#[test]
fn another_meaning_is_refused_and_nothing_is_shown_of_the_first() {
    let repo = repo();
    repo.done(&["apply"], &edit().to_string());
    let refused = |args: &[&str], input: &Value| {
        let answer = repo.redraft(&[&["apply"], args].concat(), &input.to_string()).json();
        assert_eq!(answer["data"]["reason"], "request_id_reused", "{args:?} {input}: {answer}");
        assert_eq!((&answer["data"]["applied"], &answer["data"]["diff_preview"]), (&json!(false), &json!("")));
    };
    let with = |key: &str, value: Value| {
        let mut request = edit();
        request[key] = value;
        request
    };
    for round in [0, 1] {
        for flags in [
            &["--root", "sub"][..],
            &["--root", "other"],
            &["--session", "another"],
            &["--agent", "another"],
            &["--record", "stash"],
            &["--record", "commit"],
            &["--record", "stash", "--shelve"],
            &["--index"],
            &["--mode", "sequence"],
            &["--match", "loose"],
            &["--message", "m"],
            &["--require-clean"],
            &["--verify", "true"],
        ] {
            refused(flags, &edit());
        }
        refused(&[], &with("new_string", json!("3")));
        refused(&[], &with("path", json!("sub/a")));
        refused(&[], &with("message", json!("m")));
        refused(&[], &with("agent", json!({"name": "n", "session": "t"})));
        refused(&[], &with("agent", json!({"name": "n"})));
        refused(&[], &with("record", json!("commit")));
        refused(&[], &with("replace_all", json!(true)));
        refused(&[], &with("expected_size_bytes", json!(14)));
        if round == 0 {
            assert_eq!(repo.redraft(&["gc"], "").status, 0);
        }
    }
    assert_eq!(repo.text("sub/a"), "one\ntwo\nthree\n");
    // An agent in a smaller root asks for its own file of that name.
    let mut own = edit();
    own["request_id"] = json!("r2");
    repo.done(&["apply", "--root", "sub"], &own.to_string());
    assert_eq!(repo.text("sub/a"), "one\n2\nthree\n");
}

#[test]
fn a_shelved_request_sent_again_makes_no_second_entry() {
    let repo = repo();
    let shelve = &["--record", "stash", "--shelve"];
    let first = repo.done(&[&["apply"], &shelve[..]].concat(), &edit().to_string());
    assert_eq!((&first["data"]["applied"], &first["data"]["record"]["kind"]), (&json!(false), &json!("stash")));
    let again = repo.done(&[&["apply"], &shelve[..]].concat(), &edit().to_string());
    assert_eq!((&again["data"]["replayed"], &again["data"]["applied"]), (&json!(true), &json!(false)), "{again}");
    assert_eq!(again["data"]["record"]["stash"], first["data"]["record"]["stash"]);
    assert_eq!(again["data"]["diff_preview"], first["data"]["diff_preview"]);
    assert_eq!(repo.git(&["stash", "list"]).lines().count(), 1);
    assert_eq!(
        repo.refused(&["apply"], &edit().to_string()),
        "request_id_reused",
        "without --shelve it is another one"
    );
    let mut other = edit();
    other["new_string"] = json!("3");
    assert_eq!(repo.refused(&[&["apply"], &shelve[..]].concat(), &other.to_string()), "request_id_reused");
    // It is known as long as its entry is there.
    assert_eq!(repo.redraft(&["gc"], "").status, 0);
    repo.done(&[&["apply"], &shelve[..]].concat(), &edit().to_string());
    assert_eq!(repo.git(&["stash", "list"]).lines().count(), 1);
    // No longer: an answer must not tell of an entry that is gone. That holds with and without upkeep in between.
    for upkeep in [&["gc"][..], &["status"]] {
        repo.git(&["stash", "drop", "-q"]);
        assert_eq!(repo.redraft(upkeep, "").status, 0);
        let done = repo.done(&[&["apply"], &shelve[..]].concat(), &edit().to_string());
        assert_eq!(done["data"]["replayed"], json!(null), "{upkeep:?}: {done}");
        let stash = done["data"]["record"]["stash"].as_str().expect("an entry").to_owned();
        assert_eq!(repo.git(&["rev-parse", "refs/stash"]).trim(), stash);
        assert_eq!(repo.git(&["stash", "list"]).lines().count(), 1);
    }
    // Other entries above it do not hide it; applied to the working tree, it is a request that has nothing to change.
    repo.write("a", "one\ntwo\nthree\nfour\n");
    repo.git(&["stash", "push", "-q"]);
    let again = repo.done(&[&["apply"], &shelve[..]].concat(), &edit().to_string());
    assert_eq!(again["data"]["replayed"], true, "{again}");
    repo.git(&["stash", "pop", "-q", "stash@{1}"]);
    assert_ne!(repo.redraft(&[&["apply"], &shelve[..]].concat(), &edit().to_string()).status, 0);
    assert_eq!(repo.git(&["stash", "list"]).lines().count(), 1);
}

#[test]
fn errors_and_dry_runs_use_no_id_up() {
    let repo = repo();
    let shelve = &["apply", "--record", "stash", "--shelve"];
    let mut wrong = edit();
    wrong["old_string"] = json!("nowhere");
    for args in [&["apply"][..], shelve] {
        assert_eq!(repo.refused(args, &wrong.to_string()), "no_match");
        repo.done(&[args, &["--dry-run"]].concat(), &edit().to_string());
        assert_eq!(repo.refused(&[args, &["--verify", "false"]].concat(), &edit().to_string()), "verify_failed");
    }
    repo.git(&["config", "redraft.verify", "true"]);
    repo.done(&["apply"], &edit().to_string());
    assert_eq!(repo.text("a"), "one\n2\nthree\n");
}

#[test]
fn a_request_that_is_sent_several_times_at_once_is_done_once() {
    let repo = repo();
    // Done twice it would be seen.
    let request =
        json!({"path": "a", "old_string": "two\n", "new_string": "two\ntwo and a half\n", "request_id": "r1"})
            .to_string();
    let ids: std::collections::BTreeSet<String> = std::thread::scope(|scope| {
        let runs: Vec<_> = (0..8).map(|_| scope.spawn(|| repo.done(&["apply"], &request))).collect();
        let answers = runs.into_iter().map(|run| run.join().expect("it ran"));
        answers.map(|answer| answer["data"]["record"]["id"].as_str().expect("an id").to_owned()).collect()
    });
    assert_eq!((ids.len(), repo.text("a")), (1, "one\ntwo\ntwo and a half\nthree\n".to_owned()));
    assert_eq!(repo.redraft(&["log", "--json"], "").lines().len(), 1);
}

/// The state that a kill between the commit point and the exchange of the files leaves: the last mark of the journal is missing.
#[test]
fn a_request_killed_before_its_file_was_exchanged_is_answered_as_done_only_when_it_is() {
    let repo = repo();
    let first = repo.done(&["apply"], &edit().to_string());
    let after = repo.text("a");
    let journal = repo.root().join(".git/redraft/worktrees/main/journal");
    let bytes = std::fs::read(&journal).expect("a journal");
    let mark = bytes.windows(4).rposition(|bytes| bytes == b"rdj1").expect("a mark");
    let unmarked = &bytes[..mark];
    let before = repo.git(&["show", "HEAD:a"]);
    // Nobody wrote since: it goes forward, and the next request finds what the answer says.
    std::fs::write(&journal, unmarked).expect("written");
    repo.write("a", &before);
    let again = repo.done(&["apply"], &edit().to_string());
    assert_eq!((&again["data"]["record"], &again["data"]["replayed"]), (&first["data"]["record"], &json!(true)));
    assert_eq!(repo.text("a"), after);
    // Somebody did: nothing comes of it, so it is a new request.
    std::fs::write(&journal, unmarked).expect("written");
    repo.write("a", b"ONE\ntwo\nthree\n");
    let again = repo.done(&["apply"], &edit().to_string());
    assert!(again["data"]["replayed"].is_null() && again["data"]["record"]["id"] != first["data"]["record"]["id"]);
    assert_eq!(repo.text("a"), "ONE\n2\nthree\n");
}

#[test]
fn a_request_that_was_done_after_its_id_was_looked_for_is_answered_as_done() {
    let requests = |n: usize| {
        [
            json!({"path": "a", "old_string": "two", "new_string": "2", "request_id": format!("e{n}")}),
            json!({"path": format!("new{n}"), "content": "x\n", "request_id": format!("c{n}")}),
        ]
    };
    for n in 0..15 {
        let repo = repo();
        for request in requests(n) {
            let request = request.to_string();
            let ids: Vec<Value> = std::thread::scope(|scope| {
                let later = scope.spawn(|| {
                    std::thread::sleep(std::time::Duration::from_micros(n as u64 * 400));
                    repo.done(&["apply"], &request)
                });
                let answers = [repo.done(&["apply"], &request), later.join().expect("it ran")];
                answers.iter().map(|answer| answer["data"]["record"]["id"].clone()).collect()
            });
            assert_eq!(ids[0], ids[1], "{request}");
        }
    }
}

#[test]
fn a_request_whose_note_names_another_record_is_known_all_the_same() {
    let repo = repo();
    let first = repo.done(&["apply"], &edit().to_string());
    let second = json!({"path": "a", "old_string": "three", "new_string": "3", "request_id": "r2"}).to_string();
    let second = repo.done(&["apply"], &second)["data"]["record"]["id"].as_str().expect("an id").to_owned();
    assert_eq!(repo.redraft(&["gc"], "").status, 0);
    let folder = repo.root().join(".git/redraft/worktrees/main/requests");
    for note in std::fs::read_dir(folder).expect("a folder") {
        std::fs::write(note.expect("an entry").path(), format!("{second}\n")).expect("written");
    }
    is_replayed(&repo, &[], &edit().to_string(), &first["data"]["record"]["id"]);
}

#[test]
fn answered_requests_that_cannot_be_listed_are_told_and_not_taken_for_none() {
    let repo = repo();
    repo.done(&["apply"], &edit().to_string());
    assert_eq!(repo.redraft(&["gc"], "").status, 0);
    let folder = repo.root().join(".git/redraft/worktrees/main/requests");
    std::fs::remove_dir_all(&folder).expect("removed");
    std::fs::write(&folder, "").expect("a file in its place");
    for (args, what) in [
        (&["gc"][..], "the answered requests"),
        (&["purge", "--path", "a"], "the answered requests"),
        (&["gc", "--keep-records", "0", "--yes"], "the requests of dropped records"),
    ] {
        let answer = repo.redraft(args, "");
        assert_ne!(answer.status, 0, "{args:?}: {}{}", answer.out, answer.err);
        assert!(answer.err.contains(what), "{args:?}: {}", answer.err);
    }
}

#[test]
fn what_is_noted_of_a_request_goes_with_its_record() {
    let repo = repo();
    repo.done(&["apply"], &edit().to_string());
    repo.edit("a", "three", "3");
    assert_eq!(repo.redraft(&["gc"], "").status, 0);
    let notes =
        || std::fs::read_dir(repo.root().join(".git/redraft/worktrees/main/requests")).expect("a folder").count();
    assert_eq!(notes(), 1);
    assert_eq!(repo.redraft(&["gc", "--keep-records", "1", "--yes"], "").status, 0);
    assert_eq!(notes(), 0);
}

#[test]
fn a_new_worktree_is_not_answered_for_a_removed_one_that_had_its_name() {
    let repo = repo();
    let (main, linked) = (repo.root(), repo.outside().join("linked"));
    let add = |branch: &str| repo.git(&["worktree", "add", "-q", "-b", branch, linked.to_str().expect("UTF-8")]);
    let ask = |input: &Value| {
        let answer = repo.redraft_in(&linked, &["apply"], &input.to_string()).json();
        assert_eq!(answer["data"]["applied"], json!(true), "{answer}");
        let text = std::fs::read_to_string(linked.join("a")).expect("a text");
        (answer["data"]["replayed"] == json!(true), text)
    };
    let done = "one\n2\nthree\n".to_owned();
    // What the earlier one did is in its journal, or sealed by itself, or by a gc elsewhere when it was gone.
    for (n, upkeep) in [None, Some(&linked), Some(&main)].into_iter().enumerate() {
        add(&format!("first-{n}"));
        assert_eq!(ask(&edit()), (false, done.clone()), "{n}: it is done");
        assert_eq!(ask(&edit()), (true, done.clone()), "{n}: once");
        if upkeep == Some(&linked) {
            assert_eq!(repo.redraft_in(&linked, &["gc"], "").status, 0);
        }
        repo.git(&["worktree", "remove", "--force", linked.to_str().expect("UTF-8")]);
        if upkeep == Some(&main) {
            assert_eq!(repo.redraft_in(&main, &["gc"], "").status, 0);
        }
        add(&format!("second-{n}"));
        assert_eq!(ask(&edit()), (false, done.clone()), "{n}: in the new one it is done too");
        assert_eq!(ask(&edit()), (true, done.clone()), "{n}: and once");
        assert_eq!(repo.redraft_in(&linked, &["gc"], "").status, 0);
        assert_eq!(ask(&edit()), (true, done.clone()), "{n}: sealed it is known");
        repo.git(&["worktree", "remove", "--force", linked.to_str().expect("UTF-8")]);
    }
}
