//! Undo of a part: one hunk, some paths, what fits; and the numbers that hunks have in what is told.

use crate::support::TestRepo;
use serde_json::{Value, json};

const ONE: &str = "use std::io;\n\nfn one() {\n    first();\n    second();\n}\n";

/// Lines 1 to 30, some of them changed.
fn lines(changed: &[usize]) -> String {
    (1..=30).map(|n| format!("{} {n}\n", if changed.contains(&n) { "changed" } else { "line" })).collect()
}

/// Five hunks in two files: the first two of `a.txt` show one edit, the third another; those of `b.txt` one each.
fn five_hunks() -> (TestRepo, String) {
    let repo = TestRepo::with_files(&[("a.txt", &lines(&[])), ("b.txt", &lines(&[]))]);
    let block = |changed: &[usize]| lines(changed).lines().skip(1).take(13).collect::<Vec<_>>().join("\n");
    let edit = |n: usize| json!({"old_string": format!("line {n}\n"), "new_string": format!("changed {n}\n")});
    let id = repo.apply(json!({"files": [
        {"path": "a.txt", "edits": [{"old_string": block(&[]), "new_string": block(&[2, 14])}, edit(28)]},
        {"path": "b.txt", "edits": [edit(5), edit(25)]},
    ]}));
    assert_eq!((repo.text("a.txt"), repo.text("b.txt")), (lines(&[2, 14, 28]), lines(&[5, 25])));
    (repo, id)
}

#[test]
fn hunks_that_show_one_edit_go_together_and_no_other_does() {
    for (hunk, note, a, b) in [
        (1, Some("hunk 2 shows the same edit as hunk 1"), &[28][..], &[5, 25][..]),
        (2, Some("hunk 1 shows the same edit as hunk 2"), &[28], &[5, 25]),
        (3, None, &[2, 14], &[5, 25]),
        (4, None, &[2, 14, 28], &[25]),
        (5, None, &[2, 14, 28], &[5]),
    ] {
        let (repo, id) = five_hunks();
        let told = repo.done(&["undo", &id, "--hunk", &hunk.to_string()], "");
        assert_eq!((repo.text("a.txt"), repo.text("b.txt")), (lines(a), lines(b)), "{hunk}");
        let notes: Vec<&str> =
            told["data"]["warnings"].as_array().expect("a list").iter().flat_map(Value::as_str).collect();
        assert_eq!(notes.len(), usize::from(note.is_some()), "{hunk}: {notes:?}");
        assert!(note.is_none_or(|note| notes[0].starts_with(note)), "{hunk}: {notes:?}");
    }
}

#[test]
fn of_an_undo_or_redo_no_hunk_is_taken_back_but_that_of_the_edit() {
    let (repo, id) = five_hunks();
    let newest = |told: Value| told["data"]["record"]["id"].as_str().expect("a record").to_owned();
    let refused = |of: &str| {
        let told = repo.said(&["undo", of, "--hunk", "1"]);
        assert!(told.contains(&format!("{of} is itself an undo or redo")), "{told}");
    };
    let undo = newest(repo.done(&["undo", &id, "--hunk", "4"], ""));
    assert!(repo.said(&["undo", &id, "--hunk", "4"]).contains(&format!("hunk 4 of record {id} is undone already")));
    refused(&undo);
    refused(&newest(repo.done(&["redo", &undo], "")));
    assert_eq!(repo.text("b.txt"), lines(&[5, 25]));
}

/// What is to be kept could only be kept by naming all the rest.
#[test]
fn a_file_that_is_excepted_keeps_its_part_of_what_is_undone() {
    for (args, a, b) in [
        (&["--except", "a.txt"][..], &[2, 14, 28][..], &[][..]),
        (&["--except", ":/b.txt"], &[], &[5, 25]),
        (&["--except", "a.txt", "--", "a.txt", "b.txt"], &[2, 14, 28], &[]),
        (&["--except", "other"], &[], &[]),
    ] {
        let (repo, id) = five_hunks();
        repo.write("other", "of nobody's concern\n");
        repo.done(&[&["undo", &id], args].concat(), "");
        assert_eq!((repo.text("a.txt"), repo.text("b.txt")), (lines(a), lines(b)), "{args:?}");
    }
    let (repo, id) = five_hunks();
    assert_eq!(repo.refused(&["undo", &id, "--except", "a.txt", "--except", "b.txt"], ""), "nothing_to_undo");
    assert_eq!(repo.refused(&["undo", &id, "--except", "."], ""), "bad_path");
    // Seen: what was to be kept was taken back with the rest, as its name was not written right.
    let told = repo.redraft(&["undo", &id, "--except", "a.tx"], "");
    assert!(
        told.status == 1 && told.out.contains("no record touched a.tx") && told.out.contains("a.txt"),
        "{}",
        told.out
    );
    assert_eq!((repo.text("a.txt"), repo.text("b.txt")), (lines(&[2, 14, 28]), lines(&[5, 25])));
}

#[test]
fn an_excepted_file_is_known_by_its_later_name_and_a_directory_by_what_is_below_it() {
    let repo = TestRepo::with_files(&[("src/a.txt", "1\n"), ("b.txt", "1\n")]);
    let both = json!([{"path": "src/a.txt", "old_string": "1", "new_string": "2"}, {"path": "b.txt", "old_string": "1", "new_string": "2"}]);
    let id = repo.apply(json!({"files": both}));
    repo.apply(json!({"path": "src/a.txt", "rename_to": "src/c.txt"}));
    repo.done(&["undo", &id, "--except", "src/c.txt"], "");
    assert_eq!((repo.text("src/c.txt"), repo.text("b.txt")), ("2\n".to_owned(), "1\n".to_owned()));
    repo.done(&["redo"], "");
    repo.done(&["undo", &id, "--except", "src"], "");
    assert_eq!((repo.text("src/c.txt"), repo.text("b.txt")), ("2\n".to_owned(), "1\n".to_owned()));
}

#[test]
fn the_hunk_of_a_file_that_was_made_is_all_of_the_file_and_its_redo_puts_all_of_it_in_force() {
    let repo = TestRepo::with_files(&[("z", "z\n")]);
    let made = repo.apply(json!({"path": "n.rs", "content": ONE}));
    repo.done(&["undo", &made], "");
    repo.write("n.rs", ONE);
    repo.done(&["undo", &made, "--hunk", "1"], "");
    assert!(!repo.has("n.rs"));
    repo.done(&["redo"], "");
    assert_eq!(repo.text("n.rs"), ONE);
    let log = repo.redraft(&["log", "--json"], "").lines();
    let record = log.iter().find(|record| record["id"] == json!(made)).expect("it is listed");
    assert_eq!(record["undone_by"], Value::Null, "{record}");
}

/// Seen: somebody deleted one of the lines again that an undone record had deleted, and the next undo brought it back.
#[test]
fn one_of_two_hunks_that_somebody_did_again_is_not_a_discarded_undo() {
    for args in [&["undo"][..], &["undo", "--session", "s"]] {
        let repo = TestRepo::with_files(&[("a.txt", &lines(&[])), ("b.txt", "one\n")]);
        let older = json!({"path": "b.txt", "old_string": "one", "new_string": "two", "agent": {"session": "s"}});
        repo.apply(older);
        let id = repo.apply(json!({"path": "a.txt", "agent": {"session": "s"}, "edits": [
            {"old_string": "line 5\n", "new_string": ""}, {"old_string": "line 20\n", "new_string": "line 20\nnew\n"},
        ]}));
        repo.done(&["undo", &id], "");
        let by_hand = lines(&[]).replace("line 5\n", "");
        repo.write("a.txt", &by_hand);
        repo.done(args, "");
        assert_eq!((repo.text("a.txt"), repo.text("b.txt")), (by_hand, "one\n".to_owned()), "{args:?}");
        // Asked for by its name, it is taken back as far as it is there.
        repo.done(&["undo", &id], "");
        assert_eq!(repo.text("a.txt"), lines(&[]));
    }
}

/// One call edits two files, and the user changes what it wrote in the second, which has another name by then.
fn moved_and_changed() -> (TestRepo, String) {
    let repo = TestRepo::with_files(&[("a.txt", &lines(&[])), ("f.rs", ONE)]);
    let id = repo.apply(json!({"files": [
        {"path": "a.txt", "edits": [
            {"old_string": "line 2\n", "new_string": "changed 2\n"}, {"old_string": "line 25", "new_string": "changed 25"}]},
        {"path": "f.rs", "old_string": "first()", "new_string": "first(1)"},
    ]}));
    repo.git(&["mv", "f.rs", "g.rs"]);
    repo.write("g.rs", ONE.replace("first()", "mine(2)"));
    (repo, id)
}

#[test]
fn a_conflict_has_the_number_that_show_gives_the_hunk_also_in_a_renamed_file() {
    let (repo, id) = moved_and_changed();
    let told = repo.redraft(&["undo", &id], "").json();
    let conflict = &told["data"]["hint"]["conflicts"][0];
    assert_eq!((&conflict["path"], &conflict["hunk"]), (&json!("g.rs"), &json!(3)), "{told}");
}

#[test]
fn what_is_skipped_has_the_number_that_show_gives_the_hunk() {
    let (repo, id) = moved_and_changed();
    repo.git(&["mv", "g.rs", "f.rs"]);
    let told = repo.redraft(&["undo", &id, "--skip-conflicts"], "").json();
    assert_eq!(told["status"], "partial", "{told}");
    let skipped = &told["data"]["skipped"][0];
    assert_eq!((&skipped["path"], &skipped["hunk"]), (&json!("f.rs"), &json!(3)), "{told}");
    assert_eq!(repo.text("a.txt"), lines(&[]));
}

/// Does a request in the session `s`.
fn of_session(repo: &TestRepo, mut request: Value) -> String {
    request["agent"] = json!({"name": "a", "session": "s"});
    repo.apply(request)
}

#[test]
fn a_rename_whose_old_name_is_taken_is_skipped_and_the_rest_is_undone() {
    let repo = TestRepo::with_files(&[("f.rs", ONE)]);
    let renamed = of_session(&repo, json!({"path": "f.rs", "rename_to": "g.rs"}));
    repo.apply(json!({"path": "f.rs", "content": lines(&[])}));
    let edited = of_session(&repo, json!({"path": "f.rs", "old_string": "line 2\n", "new_string": "changed 2\n"}));
    let told = repo.redraft(&["undo", "--session", "s"], "").json();
    assert_eq!(told["data"]["reason"], "undo_conflict", "{told}");
    assert_eq!((repo.text("f.rs"), repo.text("g.rs")), (lines(&[2]), ONE.to_owned()));
    let told = repo.redraft(&["undo", "--session", "s", "--skip-conflicts"], "").json();
    assert_eq!((&told["status"], &told["data"]["undone"]), (&json!("partial"), &json!([edited])), "{told}");
    assert_eq!(told["data"]["skipped"][0]["record"], json!(renamed), "{told}");
    assert_eq!((repo.text("f.rs"), repo.text("g.rs")), (lines(&[]), ONE.to_owned()));
}

#[test]
fn a_rename_stays_where_an_edit_of_the_same_file_is_skipped() {
    let repo = TestRepo::with_files(&[("f.rs", ONE), ("z", "z\n")]);
    of_session(&repo, json!({"path": "z", "old_string": "z", "new_string": "Z"}));
    of_session(&repo, json!({"path": "f.rs", "old_string": "first()", "new_string": "first(1)"}));
    of_session(&repo, json!({"path": "f.rs", "rename_to": "g.rs"}));
    let mine = ONE.replace("first()", "mine(2)");
    repo.write("g.rs", &mine);
    let told = repo.redraft(&["undo", "--session", "s", "--skip-conflicts"], "").json();
    assert_eq!(told["status"], "partial", "{told}");
    assert_eq!((repo.text("z"), repo.has("f.rs"), repo.text("g.rs")), ("z\n".to_owned(), false, mine));
}

#[test]
fn records_are_undone_from_a_time_on() {
    let repo = TestRepo::with_files(&[("f.rs", ONE)]);
    repo.edit("f.rs", "first()", "first(1)");
    assert_eq!(repo.refused(&["undo", "--since", "2199-01-01"], ""), "nothing_to_undo");
    repo.done(&["undo", "--since", "2 hours ago"], "");
    assert_eq!(repo.text("f.rs"), ONE);
}

#[test]
fn a_redo_of_records_that_one_undo_took_back_minds_no_undo_of_another_part() {
    let repo = TestRepo::with_files(&[("f.rs", ONE), ("z", "z\n")]);
    let both = of_session(
        &repo,
        json!({"files": [
        {"path": "f.rs", "old_string": "first()", "new_string": "first(1)"}, {"path": "z", "old_string": "z", "new_string": "Z"}]}),
    );
    let second = of_session(&repo, json!({"path": "f.rs", "old_string": "second()", "new_string": "second(2)"}));
    let after = repo.text("f.rs");
    repo.done(&["undo", "--session", "s", "--", "f.rs"], "");
    repo.done(&["undo", &both, "--", "z"], "");
    repo.done(&["redo"], "");
    assert_eq!((repo.text("f.rs"), repo.text("z")), (ONE.to_owned(), "Z\n".to_owned()));
    repo.done(&["redo", &second, &both], "");
    assert_eq!((repo.text("f.rs"), repo.text("z")), (after, "Z\n".to_owned()));
}

#[test]
fn a_record_that_is_undone_is_said_to_be_by_which_undo() {
    let repo = TestRepo::with_files(&[("f.rs", ONE)]);
    let id = repo.edit("f.rs", "first()", "first(1)");
    let undo = repo.done(&["undo", &id], "")["data"]["record"]["id"].as_str().expect("an id").to_owned();
    let told = repo.redraft(&["undo", &id], "").json();
    let words = told["text"].as_str().expect("text");
    assert!(words.contains(&format!("record {id} is undone already, by {undo}")), "{words}");
}

/// Seen: the records that cancelled out stayed in force in the log, and a plain undo brought back what the session had removed.
#[test]
fn records_of_a_session_that_cancel_out_are_undone_with_it() {
    let cancelling: [&[Value]; 3] = [
        &[
            json!({"path": "a", "old_string": "two\n", "new_string": "two\nmore\n"}),
            json!({"path": "a", "old_string": "more\n", "new_string": ""}),
        ],
        &[json!({"path": "new", "content": "new\n"}), json!({"path": "new", "delete": true})],
        &[json!({"path": "a", "rename_to": "z"}), json!({"path": "z", "rename_to": "a"})],
    ];
    for edits in cancelling {
        let repo = TestRepo::with_files(&[("a", "one\ntwo\nthree\n"), ("b", "eins\n")]);
        let apply = |request: &Value| repo.done(&["apply", "--session", "s"], &request.to_string());
        edits.iter().for_each(|edit| drop(apply(edit)));
        apply(&json!({"path": "b", "old_string": "eins", "new_string": "uno"}));
        let is_undone = || -> Vec<bool> {
            let log = repo.redraft(&["log", "--json", "--kind", "edit"], "").lines();
            log.iter().map(|record| record["undone_by"] != Value::Null).collect()
        };
        let told = repo.done(&["undo", "--session", "s"], "");
        assert_eq!(told["data"]["undone"].as_array().map(Vec::len), Some(3), "{told}");
        assert_eq!(is_undone(), [true; 3], "{told}");
        assert_eq!((repo.text("a"), repo.text("b")), ("one\ntwo\nthree\n".to_owned(), "eins\n".to_owned()));
        assert_eq!(repo.refused(&["undo"], ""), "nothing_to_undo");
        repo.done(&["redo"], "");
        assert_eq!((is_undone(), repo.text("b")), (vec![false; 3], "uno\n".to_owned()));
    }
}

/// Seen: what cancelled out in another file was looked for in the first one, and the edit beside it was "other text in its place".
#[test]
fn what_cancelled_out_in_another_file_leaves_the_first_file_alone() {
    let repo = TestRepo::with_files(&[("a", "one\ntwo\nthree\nfour\nfive\n"), ("b", "eins\n")]);
    let in_session = |request: Value| repo.done(&["apply", "--session", "s"], &request.to_string());
    let a = json!({"path": "a", "old_string": "three\n", "new_string": ""});
    in_session(json!({"files": [a, {"path": "b", "old_string": "eins", "new_string": "uno"}]}));
    in_session(json!({"path": "b", "old_string": "uno", "new_string": "eins"}));
    let beside = repo.edit("a", "four\n", "");
    repo.done(&["undo", "--session", "s"], "");
    assert_eq!(repo.text("a"), "one\ntwo\nthree\nfive\n");
    repo.done(&["undo", &beside], "");
    assert_eq!(repo.text("a"), "one\ntwo\nthree\nfour\nfive\n");
}

#[test]
fn a_hunk_that_was_undone_is_left_out_beside_the_others_of_its_record() {
    let lines: String = (1..=20).map(|n| format!("line {n}\n")).collect();
    let repo = TestRepo::with_files(&[("f", &lines)]);
    let edits = json!([
        {"old_string": "line 3\n", "new_string": ""},
        {"old_string": "line 18", "new_string": "line eighteen"},
    ]);
    let id = repo.apply(json!({"path": "f", "edits": edits}));
    let beside = repo.edit("f", "line 4\n", "");
    repo.done(&["undo", &id, "--hunk", "1"], "");
    let changed = |text: &str| text.replace("line 18", "line eighteen");
    assert_eq!(repo.text("f"), changed(&lines.replace("line 4\n", "")));
    repo.done(&["undo", &beside], "");
    assert_eq!(repo.text("f"), changed(&lines));
    repo.done(&["undo", &id], "");
    assert_eq!(repo.text("f"), lines);
}

#[test]
fn a_name_that_was_given_and_taken_back_in_a_session_is_no_name_of_its_other_file() {
    let repo = TestRepo::with_files(&[("a", "one\ntwo\n"), ("b", "eins\nzwei\n")]);
    let older = repo.edit("b", "eins", "uno");
    let in_session = |request: Value| repo.done(&["apply", "--session", "s"], &request.to_string());
    let a = json!({"path": "a", "old_string": "two", "new_string": "2"});
    in_session(json!({"files": [a, {"path": "b", "rename_to": "c"}]}));
    in_session(json!({"path": "c", "rename_to": "b"}));
    repo.done(&["undo", "--session", "s"], "");
    repo.done(&["undo", &older], "");
    assert_eq!((repo.text("a"), repo.text("b")), ("one\ntwo\n".to_owned(), "eins\nzwei\n".to_owned()));
    repo.done(&["redo", &older], "");
    assert_eq!(repo.text("b"), "uno\nzwei\n");
}

/// Seen: "undone already", and the file kept its new name for good.
#[test]
fn a_renamed_file_of_which_hunks_were_undone_gets_its_name_back_with_the_rest() {
    let lines: String = (1..=40).map(|n| format!("line {n}\n")).collect();
    let edits = json!([
        {"old_string": "line 2\n", "new_string": "line two\n"},
        {"old_string": "line 30", "new_string": "line thirty"},
    ]);
    for hunks in [&["1"][..], &["2"], &["1", "2"]] {
        let repo = TestRepo::with_files(&[("a", &lines)]);
        let id = repo.apply(json!({"path": "a", "rename_to": "b", "edits": edits}));
        for hunk in hunks {
            repo.done(&["undo", &id, "--hunk", hunk], "");
        }
        let left = repo.text("b");
        let log = repo.redraft(&["log", "--oneline"], "").out;
        assert!(log.contains("(partly undone)"), "{hunks:?}: {log}");
        repo.done(&["undo", &id], "");
        assert_eq!(repo.text("a"), lines, "{hunks:?}");
        assert_eq!(repo.git(&["status", "--porcelain"]), "");
        assert_eq!(repo.refused(&["undo", &id], ""), "nothing_to_undo");
        repo.done(&["redo"], "");
        assert_eq!(repo.text("b"), left, "{hunks:?}");
    }
}

/// Seen: "undone already", where a redo had brought one hunk back behind the undo of the rest.
#[test]
fn a_hunk_of_a_renamed_file_that_a_redo_brought_back_is_undone_again() {
    let lines: String = (1..=40).map(|n| format!("line {n}\n")).collect();
    let edits = json!([
        {"old_string": "line 2\n", "new_string": "line two\n"},
        {"old_string": "line 30", "new_string": "line thirty"},
    ]);
    for last in [&["--hunk", "2"][..], &[]] {
        let repo = TestRepo::with_files(&[("a", &lines)]);
        let id = repo.apply(json!({"path": "a", "rename_to": "b", "edits": edits}));
        let part = repo.done(&["undo", &id, "--hunk", "2"], "")["data"]["record"]["id"].clone();
        repo.done(&["undo", &id], "");
        repo.done(&["redo", part.as_str().expect("an id")], "");
        assert_eq!(repo.text("a"), lines.replace("line 30", "line thirty"));
        repo.done(&[&["undo", &id][..], last].concat(), "");
        assert_eq!(repo.text("a"), lines, "{last:?}");
        assert_eq!(repo.git(&["status", "--porcelain"]), "");
    }
}

/// Seen: "lines would come back that another record wrote, and that one was taken back since": of a line that was in force.
#[test]
fn a_line_comes_back_though_another_hunk_of_the_record_that_wrote_it_was_undone() {
    let lines: String = (1..=40).map(|n| format!("line {n}\n")).collect();
    let repo = TestRepo::with_files(&[("f", &lines)]);
    let edits = json!([
        {"old_string": "line 2\n", "new_string": "line two\n"},
        {"old_string": "line 30", "new_string": "line thirty"},
    ]);
    let first = repo.apply(json!({"path": "f", "edits": edits}));
    let second = repo.edit("f", "line two", "line zwei");
    repo.done(&["undo", &first, "--hunk", "2"], "");
    repo.done(&["undo", &second], "");
    assert_eq!(repo.text("f"), lines.replace("line 2\n", "line two\n"));
    // The hunk that wrote the line is undone: it does not come back.
    repo.done(&["redo"], "");
    repo.write("f", repo.text("f").replace("line zwei", "line 2"));
    assert_eq!(repo.refused(&["undo", &second], ""), "nothing_to_undo");
}

/// Seen: "lines would come back that another record wrote, and that one was taken back since": of an equal line of another hunk.
#[test]
fn a_line_comes_back_though_an_equal_one_of_another_hunk_was_undone_before_and_since() {
    let between: String = (1..=9).map(|n| format!("line {n}\n")).collect();
    let text = |upper: &str, lower: &str| format!("{upper}{between}{lower}");
    let repo = TestRepo::with_files(&[("f", &text("top\nx\nlow\n", "x\nx\nend\nlast\n"))]);
    let edits = json!([
        {"old_string": "top\nx\nlow\n", "new_string": "top\nlow\nx\n"},
        {"old_string": "end\n", "new_string": "x\n"},
    ]);
    let first = repo.apply(json!({"path": "f", "edits": edits}));
    repo.done(&["undo", &first, "--hunk", "2"], "");
    let second = repo.edit("f", "x\nx\nend\n", "x\nend\n");
    repo.done(&["undo", &first, "--hunk", "1"], "");
    repo.done(&["undo", &second], "");
    assert_eq!(repo.text("f"), text("top\nx\nlow\n", "x\nx\nend\nlast\n"));
}

/// Seen: "lines would come back that another record wrote, and that one was taken back since": its hunk that was undone had moved an equal line.
#[test]
fn a_line_comes_back_though_a_hunk_that_had_moved_an_equal_one_was_undone() {
    let repo = TestRepo::with_files(&[("f", &lines(&[]).replace("line 3\n", "return x\nline 3\n"))]);
    let edits = [("return x\nline 3\n", "line 3\nreturn x\n"), ("line 25\n", "line 25\nreturn x\n")];
    let edits = edits.map(|(old, new)| json!({"old_string": old, "new_string": new}));
    let first = repo.apply(json!({"path": "f", "edits": edits}));
    let second = repo.edit("f", "line 25\nreturn x\n", "line 25\n");
    repo.done(&["undo", &first, "--hunk", "1"], "");
    repo.done(&["undo", &second], "");
    let want = lines(&[]).replace("line 3\n", "return x\nline 3\n").replace("line 25\n", "line 25\nreturn x\n");
    assert_eq!(repo.text("f"), want);
}

/// Seen: "`redraft undo D` takes it out again", which found nothing to do.
#[test]
fn of_an_undo_of_a_hunk_that_was_made_anew_the_new_one_is_named() {
    let repo = TestRepo::with_files(&[("f", &lines(&[]))]);
    let edits = [2, 25].map(|n| json!({"old_string": format!("line {n}\n"), "new_string": format!("new {n}\n")}));
    let id = repo.apply(json!({"path": "f", "edits": edits}));
    let record = |args: &[&str]| repo.done(args, "")["data"]["record"]["id"].as_str().expect("a record").to_owned();
    let undo = record(&["undo", &id, "--hunk", "1"]);
    record(&["undo", &undo]);
    let anew = record(&["undo", &id, "--hunk", "1"]);
    let told = repo.redraft(&["redo", &undo], "").json()["text"].to_string();
    assert!(told.contains(&format!("what it undid is undone anew, by {anew}")), "{told}");
    // One that undid another hunk is not it.
    let of_other = record(&["undo", &id, "--hunk", "2"]);
    let told = repo.redraft(&["redo", &undo], "").json()["text"].to_string();
    assert!(!told.contains(&of_other), "{told}");
    repo.done(&["redo", &anew], "");
    assert!(repo.text("f").contains("new 2\n"));
}

/// A record undone in part may have taken a line twice: once its writer's, and, after that was undone, another time.
#[test]
fn a_line_does_not_come_back_that_came_back_once_and_whose_writer_was_undone_since() {
    let repo = TestRepo::with_files(&[("f", &lines(&[]))]);
    let edits = json!([
        {"old_string": "line 2\n", "new_string": "line 2\nword x\n"},
        {"old_string": "line 25\n", "new_string": "LINE 25\n"},
    ]);
    let wrote = repo.apply(json!({"path": "f", "edits": edits}));
    let took = repo.edit("f", "word x\n", "");
    repo.done(&["undo", &took], "");
    let again = repo.edit("f", "word x\n", "");
    repo.done(&["undo", &wrote], "");
    assert_eq!(repo.refused(&["undo", &again], ""), "nothing_to_undo", "nobody else came to the file");
    let by_hand = lines(&[]) + "by hand\n";
    repo.write("f", &by_hand);
    assert_eq!(repo.refused(&["undo", &again], ""), "undo_conflict");
    assert_eq!(repo.text("f"), by_hand);
}

/// Seen: "what would go there was put by another record since", which was undone there, and in force elsewhere in the file.
#[test]
fn a_line_that_a_record_indented_once_more_is_the_earlier_one_s_where_that_hunk_was_undone() {
    let between: String = (1..=9).map(|n| format!("line {n}\n")).collect();
    let text = |upper: &str, lower: &str| format!("{upper}{between}{lower}");
    let repo = TestRepo::with_files(&[("f", &text("top\nx\n", "x\nend\n"))]);
    let first = repo.edit("f", "x\nend\n", "  x\nEND\n");
    let edits = json!([
        {"old_string": "top\nx\n", "new_string": "top\n  x\n  x\n"},
        {"old_string": "  x\nEND\n", "new_string": "    x\nEND\n"},
    ]);
    let second = repo.apply(json!({"path": "f", "edits": edits}));
    repo.done(&["undo", &second, "--hunk", "2"], "");
    repo.done(&["undo", &first], "");
    assert_eq!(repo.text("f"), text("top\n  x\n  x\n", "x\nend\n"));
}

#[test]
fn one_of_three_hunks_that_somebody_did_again_is_not_a_discarded_undo() {
    let repo = TestRepo::with_files(&[("f", &lines(&[]))]);
    let edits =
        [2, 14, 28].map(|n| json!({"old_string": format!("line {n}\n"), "new_string": format!("changed {n}\n")}));
    repo.apply(json!({"path": "f", "edits": edits}));
    repo.done(&["undo"], "");
    repo.write("f", lines(&[14]));
    assert_eq!(repo.refused(&["undo"], ""), "nothing_to_undo");
    assert_eq!(repo.text("f"), lines(&[14]));
}

/// Another record did a part of it again, and a person the rest.
#[test]
fn what_was_undone_and_another_record_did_again_is_that_one_s_though_a_person_did_some_of_it() {
    let repo = TestRepo::with_files(&[("f", &lines(&[]))]);
    let id = repo.edit("f", "line 2\n", "new 1\nnew 2\n");
    repo.done(&["undo", &id], "");
    repo.edit("f", "line 2\n", "new 1\nother\n");
    repo.write("f", repo.text("f").replace("other", "new 2"));
    assert_eq!(repo.refused(&["undo", &id], ""), "nothing_to_undo");
    // Of two hunks one.
    let repo = TestRepo::with_files(&[("f", &lines(&[]))]);
    let edits = [2, 14].map(|n| json!({"old_string": format!("line {n}\n"), "new_string": format!("changed {n}\n")}));
    let id = repo.apply(json!({"path": "f", "edits": edits}));
    repo.done(&["undo", &id], "");
    repo.edit("f", "line 2\n", "changed 2\n");
    repo.write("f", lines(&[2, 14]));
    assert_eq!(repo.refused(&["undo", &id], ""), "nothing_to_undo");
}

/// Another record did some of it again before it was undone: that says nothing of what is there since.
#[test]
fn what_was_undone_and_is_there_again_is_undone_again_whoever_did_some_of_it_before() {
    let repo = TestRepo::with_files(&[("f", &lines(&[]))]);
    let new = lines(&[]).replace("line 2\n", "new 1\nnew 2\n");
    let id = repo.edit("f", "line 2\n", "new 1\nnew 2\n");
    repo.write("f", lines(&[]));
    repo.edit("f", "line 2\n", "new 1\nother\n");
    repo.write("f", &new);
    repo.done(&["undo", &id], "");
    repo.write("f", &new);
    repo.done(&["undo", &id], "");
    assert_eq!(repo.text("f"), lines(&[]));
}

#[test]
fn a_line_does_not_come_back_when_the_hunk_that_wrote_it_was_undone_and_another_one_before() {
    let repo = TestRepo::with_files(&[("f", &lines(&[]))]);
    let edits =
        [2, 25].map(|n| json!({"old_string": format!("line {n}\n"), "new_string": format!("line {n}\nnew {n}\n")}));
    let first = repo.apply(json!({"path": "f", "edits": edits}));
    let second = repo.edit("f", "line 2\nnew 2\n", "two\n");
    repo.done(&["undo", &first, "--hunk", "2"], "");
    // What a person typed is nobody's.
    let taken = repo.text("f");
    repo.write("f", taken.replace("two\n", "two\nnew 2\n"));
    assert_eq!(repo.refused(&["undo", &first, "--hunk", "1"], ""), "nothing_to_undo");
    repo.write("f", taken.replace("two\n", "line 2\nnew 2\n"));
    repo.done(&["undo", &first, "--hunk", "1"], "");
    repo.write("f", taken);
    assert_eq!(repo.refused(&["undo", &second], ""), "undo_conflict");
}

/// A person discarded the record that wrote both, and typed one of them again.
#[test]
fn a_line_comes_back_where_another_one_of_the_record_that_wrote_it_is_there() {
    let repo = TestRepo::with_files(&[("f", &lines(&[]))]);
    let edits =
        [2, 25].map(|n| json!({"old_string": format!("line {n}\n"), "new_string": format!("line {n}\nnew {n}\n")}));
    repo.apply(json!({"path": "f", "edits": edits}));
    let second = repo.edit("f", "new 2\n", "");
    repo.write("f", lines(&[]));
    repo.edit("f", "line 14\n", "changed 14\n");
    let back = lines(&[14]).replace("line 25\n", "line 25\nnew 25\n");
    repo.write("f", &back);
    repo.done(&["undo", &second], "");
    assert_eq!(repo.text("f"), back.replace("line 2\n", "line 2\nnew 2\n"));
}

/// Seen: "taken back already", of a line that another record had taken in a part that was undone: an equal line had stayed in its other part, which was undone
/// and redone.
#[test]
fn a_line_is_there_that_a_part_took_which_was_undone_though_its_like_stayed_in_another_part() {
    let kept: String = (1..=8).map(|n| format!("kept {n}\n")).collect();
    let top = "one\ntwo\nx\nthree\nfour\n";
    let repo = TestRepo::with_files(&[("f", &format!("{top}{kept}{{\nx\nend\n"))]);
    let first = repo.edit("f", "kept 8\n", "kept 8\nx\n");
    let changed = "one\nnew\ntwo\nx\nthree\n";
    let second = repo.apply(json!({"path": "f", "edits": [
        {"old_string": format!("{top}kept 1"), "new_string": format!("{changed}kept 1")},
        {"old_string": "kept 8\nx\n", "new_string": "kept 8\n"},
    ]}));
    repo.done(&["undo", &second, "--hunk", "2"], "");
    let rest = repo.done(&["undo", &second], "")["data"]["record"]["id"].as_str().expect("an id").to_owned();
    repo.done(&["redo", &rest], "");
    repo.done(&["undo", &first], "");
    assert_eq!(repo.text("f"), format!("{changed}{kept}{{\nx\nend\n"));
}

/// Seen: "taken back already", for another record had taken a line like one that the hunk took, which had been undone meanwhile.
#[test]
fn a_hunk_that_is_in_force_by_its_redo_is_undone_though_another_record_took_a_line_of_another_hunk() {
    let kept: String = (0..8).map(|n| format!("kept {n}\n")).collect();
    let [above, below] = ["end\n}\nlet x\nreturn\nlast\n", "top\n{\n}\n"];
    for hunk in [Some("2"), None] {
        let repo = TestRepo::with_files(&[("f", &format!("{above}{kept}{below}"))]);
        let id = repo.apply(json!({"path": "f", "edits": [
            {"old_string": "end\n}\nlet x\nreturn\n", "new_string": "end\nlast\nlet x\n"},
            {"old_string": "top\n{\n}\n", "new_string": "top\n  }\n{\n"},
        ]}));
        repo.done(&["undo", &id, "--hunk", "1"], "");
        let undo = repo.done(&["undo", &id, "--hunk", "2"], "");
        repo.edit("f", "end\n}\n", "end\n");
        repo.done(&["redo", undo["data"]["record"]["id"].as_str().expect("an id")], "");
        repo.edit("f", "end\nlet x\nreturn\nlast\n", "let x\nreturn\nlast\nend\n");
        let (args, all) = (hunk.map_or(vec![], |hunk| vec!["--hunk", hunk]), ["undo", &id]);
        repo.done(&[&all[..], &args[..]].concat(), "");
        assert_eq!(repo.text("f"), format!("let x\nreturn\nlast\nend\n{kept}{below}"));
    }
}

/// Seen in a first version: "taken back already", also of the hunk that was changed by hand.
#[test]
fn a_hunk_that_was_changed_since_is_told_though_other_records_did_the_rest_of_it_again() {
    let text = "one\ngone 1\ngone 2\ntwo\nkept 1\nkept 2\nkept 3\nlast\nend\n";
    let repo = TestRepo::with_files(&[("f", text), ("g", "other\n")]);
    let id = repo.apply(json!({"path": "f", "edits": [
        {"old_string": "gone 1\ngone 2\n", "new_string": ""},
        {"old_string": "last\n", "new_string": "LAST\n"},
    ]}));
    repo.write("f", text.replace("last", "LAST"));
    let other = repo.edit("g", "other\n", "changed\n");
    repo.edit("f", "gone 1\n", "");
    repo.edit("f", "gone 2\n", "");
    repo.write("f", repo.text("f").replace("LAST", "something else"));
    let left = repo.text("f");
    assert_eq!(repo.refused(&["undo", &id], ""), "undo_conflict");
    assert_eq!(repo.refused(&["undo", &id, &other], ""), "undo_conflict");
    assert_eq!([repo.text("f"), repo.text("g")], [left, "changed\n".to_owned()]);
}
