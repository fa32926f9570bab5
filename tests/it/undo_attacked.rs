//! What an undo was seen to do wrong by somebody who only had the binary: files of equal or similar text that exchange their
//! names, and what only the journal still has.

use crate::support::TestRepo;
use serde_json::{Value, json};

/// The records of a session that exchanges the names of `a` and `b`, oldest first.
fn swap(repo: &TestRepo) -> Vec<String> {
    let names = [("a", "t"), ("b", "a"), ("t", "b")];
    names.map(|(path, to)| apply(repo, &json!({"path": path, "rename_to": to}))).into()
}

/// An edit of session `s`.
fn apply(repo: &TestRepo, request: &Value) -> String {
    let told = repo.done(&["apply", "--session", "s"], &request.to_string());
    told["data"]["record"]["id"].as_str().expect("an id").to_owned()
}

/// Of each edit in the log whether it is undone, newest first.
fn are_undone(repo: &TestRepo) -> Vec<bool> {
    let log = repo.redraft(&["log", "--json", "--kind", "edit"], "").lines();
    log.iter().map(|record| record["undone_by"] != Value::Null).collect()
}

#[cfg(unix)]
fn mode(repo: &TestRepo, path: &str) -> u32 {
    use std::os::unix::fs::PermissionsExt;
    std::fs::metadata(repo.root().join(path)).expect("a file").permissions().mode() & 0o777
}

#[cfg(unix)]
#[test]
fn files_of_one_text_and_two_modes_that_exchanged_their_names_get_them_back() {
    let repo = TestRepo::with_files(&[("a", "one\n"), ("b", "one\n")]);
    repo.chmod("a", 0o755);
    repo.commit_all("modes");
    swap(&repo);
    assert_eq!((mode(&repo, "a"), mode(&repo, "b")), (0o644, 0o755));
    repo.done(&["undo", "--session", "s"], "");
    assert_eq!((mode(&repo, "a"), mode(&repo, "b")), (0o755, 0o644));
    assert_eq!(repo.git(&["status", "--short"]), "");
    assert_eq!(are_undone(&repo), [true; 3]);
    repo.done(&["redo"], "");
    assert_eq!((mode(&repo, "a"), mode(&repo, "b")), (0o644, 0o755));
    assert_eq!(are_undone(&repo), [false; 3]);
}

#[test]
fn what_was_done_to_a_name_that_stays_as_it_is_is_undone_too_by_the_log() {
    for edited in ["a", "b"] {
        let repo = TestRepo::with_files(&[("a", "one\ntwo\n"), ("b", "one\ntwo\n")]);
        apply(&repo, &json!({"path": edited, "old_string": "two", "new_string": "zwei"}));
        swap(&repo);
        for _ in 0..2 {
            repo.done(&["undo", "--session", "s"], "");
            assert_eq!((repo.text("a"), repo.text("b")), ("one\ntwo\n".into(), "one\ntwo\n".into()), "{edited}");
            assert_eq!(are_undone(&repo), [true; 4], "{edited}");
            repo.done(&["redo"], "");
            let (a, b) = if edited == "a" { ("two", "zwei") } else { ("zwei", "two") };
            assert_eq!((repo.text("a"), repo.text("b")), (format!("one\n{a}\n"), format!("one\n{b}\n")), "{edited}");
            assert_eq!(are_undone(&repo), [false; 4], "{edited}");
        }
    }
}

#[test]
fn alike_files_that_exchanged_their_names_are_undone_and_redone_again_and_again() {
    let (a, b) = ("one\ntwo\nthree\nfour\nof a\n", "one\ntwo\nthree\nfour\nof b\n");
    let repo = TestRepo::with_files(&[("a", a), ("b", b)]);
    apply(&repo, &json!({"path": "b", "old_string": "two", "new_string": "zwei"}));
    swap(&repo);
    apply(&repo, &json!({"path": "b", "old_string": "three", "new_string": "drei"}));
    let swapped = (repo.text("a"), repo.text("b"));
    for _ in 0..3 {
        repo.done(&["undo", "--session", "s"], "");
        assert_eq!((repo.text("a"), repo.text("b")), (a.to_owned(), b.to_owned()));
        repo.done(&["redo"], "");
        assert_eq!((repo.text("a"), repo.text("b")), swapped);
    }
}

#[test]
fn two_files_of_one_text_and_mode_that_exchanged_their_names_are_named_where_nothing_is_left_to_do() {
    let repo = TestRepo::with_files(&[("a", "one\n"), ("b", "one\n")]);
    swap(&repo);
    let told = repo.redraft(&["undo", "--session", "s"], "").json();
    assert_eq!(told["data"]["reason"], "nothing_to_undo", "{told}");
    let text = told["text"].as_str().expect("text");
    assert!(text.contains("what it did to a, b is"), "{text}");
}

#[test]
fn an_edit_that_is_not_sealed_is_undone_also_without_its_backup() {
    for (old, new) in [("two\n", "zwei\n"), ("two\n", ""), ("two", "two\nmore")] {
        let repo = TestRepo::with_files(&[("a", "one\ntwo\nthree\n")]);
        let id = apply(&repo, &json!({"path": "a", "old_string": old, "new_string": new}));
        std::fs::remove_dir_all(repo.root().join(".git/redraft/worktrees/main/backups")).expect("the backups");
        repo.done(&["undo", &id], "");
        assert_eq!(repo.text("a"), "one\ntwo\nthree\n");
    }
}

const BRACES: &str = "one\n}\ntwo\n}\nthree\nfour\n";

/// A record writes lines around a brace, one deletes the last of them, and a checkout discards both; the ids of the two.
fn written_deleted_and_discarded(between: &[Value]) -> (TestRepo, String, String) {
    let repo = TestRepo::with_files(&[("a", BRACES)]);
    let wrote =
        repo.apply(json!({"path": "a", "old_string": "two\n}\nthree", "new_string": "two\nalpha\n}\nbeta\n}\nthree"}));
    for request in between {
        repo.apply(request.clone());
    }
    let deleted = repo.apply(json!({"path": "a", "old_string": "beta\n}\nthree", "new_string": "three"}));
    repo.git(&["checkout", "-q", "a"]);
    (repo, wrote, deleted)
}

#[test]
fn a_line_that_was_discarded_does_not_come_back_with_the_edit_that_deleted_it() {
    let edit = |old: &str, new: &str| json!({"path": "a", "old_string": old, "new_string": new});
    for between in [
        vec![],
        vec![edit("four", "vier")],
        // Another record writes a brace as well: either may have written the one that would come back.
        vec![edit("four", "four\n}"), edit("one", "eins")],
    ] {
        let (repo, wrote, deleted) = written_deleted_and_discarded(&between);
        let told = repo.redraft(&["undo", &deleted], "").json();
        let conflict = &told["data"]["hint"]["conflicts"][0];
        let want = "lines would come back that another record wrote, and that one was taken back since";
        assert_eq!((&conflict["why"], &conflict["changed_by"]), (&json!(want), &json!(wrote)), "{told}");
        let next = format!("put back what record {wrote} wrote first, or");
        assert!(told["text"].as_str().is_some_and(|text| text.contains(&next)), "{told}");
        assert_eq!(repo.text("a"), BRACES);
    }
}

#[test]
fn a_line_that_was_not_discarded_comes_back_with_the_edit_that_deleted_it() {
    let repo = TestRepo::with_files(&[("a", BRACES)]);
    repo.apply(json!({"path": "a", "old_string": "two\n}\nthree", "new_string": "two\nalpha\n}\nbeta\nthree"}));
    let deleted = repo.apply(json!({"path": "a", "old_string": "beta\n", "new_string": ""}));
    repo.write("a", repo.text("a").replace("four", "vier"));
    repo.done(&["undo", &deleted], "");
    assert_eq!(repo.text("a"), "one\n}\ntwo\nalpha\n}\nbeta\nthree\nvier\n");
}

#[test]
fn a_file_that_was_renamed_twice_and_moved_back_by_hand_is_still_the_file() {
    let repo = TestRepo::with_files(&[("a", "one\ntwo\nthree\n")]);
    let id = repo.apply(json!({"path": "a", "old_string": "two", "new_string": "zwei"}));
    repo.apply(json!({"path": "a", "rename_to": "b"}));
    repo.apply(json!({"path": "b", "rename_to": "c"}));
    std::fs::remove_file(repo.root().join("c")).expect("it is there");
    repo.write("a", "one\nzwei\nthree\nvier\nfunf\nsechs\n");
    repo.done(&["undo", &id], "");
    assert_eq!(repo.text("a"), "one\ntwo\nthree\nvier\nfunf\nsechs\n");
}

#[test]
fn what_another_record_did_again_is_not_undone_by_the_name_of_the_first() {
    let repo = TestRepo::with_files(&[("a", "one\ntwo\nthree\n")]);
    let first = repo.apply(json!({"path": "a", "old_string": "two", "new_string": "zwei"}));
    let undo = repo.done(&["undo", &first], "")["data"]["record"]["id"].as_str().expect("an id").to_owned();
    let again = repo.apply(json!({"path": "a", "old_string": "two", "new_string": "zwei"}));
    repo.write("a", "one\nzwei\nthree\nfour\n");
    let told = repo.redraft(&["undo", &first], "").json();
    let want = format!("nothing to undo: record {first} is undone already, by {undo};");
    assert!(told["text"].as_str().is_some_and(|text| text.starts_with(&want)), "{told}");
    repo.done(&["undo", &again], "");
    assert_eq!(repo.text("a"), "one\ntwo\nthree\nfour\n");
}

#[test]
fn whether_later_changes_stay_is_said() {
    let (as_before, later) = ("a is as it was before", "a has its old lines back, and later changes in it stay");
    for (text, want, not) in [("one\nzwei\n", as_before, later), ("one\nzwei\nthree\n", later, as_before)] {
        let repo = TestRepo::with_files(&[("a", "one\ntwo\n")]);
        repo.apply(json!({"path": "a", "old_string": "two", "new_string": "zwei"}));
        repo.write("a", text);
        let told = repo.done(&["undo"], "");
        let text = told["text"].as_str().expect("text");
        assert!(text.contains(want) && !text.contains(not), "{text}");
    }
}

/// Applies edits of `base` one after the other, and undoes the one at `undone`.
fn undone_of(base: &str, edits: &[(&str, &str)], undone: usize) -> (TestRepo, Value) {
    let repo = TestRepo::with_files(&[("a", base)]);
    let apply = |(old, new): &(&str, &str)| repo.apply(json!({"path": "a", "old_string": old, "new_string": new}));
    let ids: Vec<String> = edits.iter().map(apply).collect();
    let told = repo.redraft(&["undo", &ids[undone]], "").json();
    (repo, told)
}

const LINES: &str = "x\ny\nfoo\nbar\nbaz\n";

#[test]
fn where_only_the_log_tells_the_place_it_does() {
    for (base, edits, want) in [
        // A line that stands twice, and the one above it was changed by another record.
        (LINES, &[("foo\n", "foo\nfoo\n"), ("y", "yy")][..], "x\nyy\nfoo\nbar\nbaz\n"),
        // Lines without a word.
        (LINES, &[("foo\n", "}\nfoo\n"), ("y", "yy")], "x\nyy\nfoo\nbar\nbaz\n"),
        (LINES, &[("foo\n", "\nfoo\n"), ("y", "yy"), ("foo", "fu")], "x\nyy\nfu\nbar\nbaz\n"),
        // A line that is gone, and one beside it was changed.
        (LINES, &[("foo\n", ""), ("y", "yy")], "x\nyy\nfoo\nbar\nbaz\n"),
        (LINES, &[("foo\n", ""), ("bar", "bart")], "x\ny\nfoo\nbart\nbaz\n"),
        (LINES, &[("foo\n", ""), ("bar", "bart"), ("y", "yy"), ("x\n", "")], "yy\nfoo\nbart\nbaz\n"),
        // What stood above was moved up.
        ("x\ny\nfoo\n", &[("foo\n", "foo\nfoo\n"), ("x\ny\n", "y\nx\n")], "y\nx\nfoo\n"),
        // A line that another record put elsewhere is that one's.
        (LINES, &[("foo\n", ""), ("y", "yy"), ("baz", "baz\nfoo")], "x\nyy\nfoo\nbar\nbaz\nfoo\n"),
        // Something was put behind it at the end.
        ("ret\n", &[("ret\n", "ret\n}\n"), ("}\n", "}\n\nnew\n")], "ret\n\nnew\n"),
    ] {
        let (repo, told) = undone_of(base, edits, 0);
        assert_eq!((told["status"].as_str(), repo.text("a").as_str()), (Some("success"), want), "{edits:?} {told}");
    }
}

#[test]
fn the_newest_edit_is_undone_after_an_older_one_was() {
    let repo = TestRepo::with_files(&[("a", LINES)]);
    let older = repo.apply(json!({"path": "a", "old_string": "y", "new_string": "yy"}));
    repo.apply(json!({"path": "a", "old_string": "foo\n", "new_string": "foo\nfoo\n"}));
    repo.done(&["undo", &older], "");
    repo.done(&["undo"], "");
    assert_eq!(repo.text("a"), LINES);
    repo.done(&["redo"], "");
    assert_eq!(repo.text("a"), LINES.replace("foo\n", "foo\nfoo\n"));
}

#[test]
fn the_log_tells_no_place_where_records_meet_or_somebody_else_wrote() {
    for (base, edits) in [
        // Which of two lines came first, no splice says.
        (LINES, &[("foo\n", ""), ("bar", "new\nbar")][..]),
        // The line of the record was changed.
        (LINES, &[("foo", "}"), ("}", "} // end")]),
        // The last line has no ending, and got one.
        ("x\ny", &[("y", "}"), ("}", "}\nmore"), ("x", "xx")]),
    ] {
        let (repo, told) = undone_of(base, edits, 0);
        let after = edits.iter().fold(base.to_owned(), |text, (old, new)| text.replacen(old, new, 1));
        assert_eq!(
            (told["data"]["reason"].as_str(), repo.text("a")),
            (Some("undo_conflict"), after),
            "{edits:?} {told}"
        );
    }
    let repo = TestRepo::with_files(&[("a", LINES)]);
    let id = repo.apply(json!({"path": "a", "old_string": "foo\n", "new_string": "}\nfoo\n"}));
    repo.write("a", repo.text("a").replace("baz", "baz\n}"));
    repo.apply(json!({"path": "a", "old_string": "y\n}\nfoo", "new_string": "yy\n}\nfu"}));
    assert_eq!(repo.redraft(&["undo", &id], "").json()["data"]["reason"], "undo_conflict");
}

#[test]
fn a_line_beside_the_record_that_was_doubled_is_not_in_its_way() {
    for (old, new, later, want) in [
        ("foo\n", "}\n", "x\ny\n}\nbar\nbar\nbaz\n", "x\ny\nfoo\nbar\nbar\nbaz\n"),
        ("foo\n", "}\n", "x\ny\ny\n}\nbar\nbaz\n", "x\ny\ny\nfoo\nbar\nbaz\n"),
        ("foo\n", "foo\nfoo\n", "x\ny\ny\nfoo\nfoo\nbar\nbaz\n", "x\ny\ny\nfoo\nbar\nbaz\n"),
        // A line that stands elsewhere, too.
        ("foo\n", "foo\nx\n", "x\ny\nfoo\nx\nbar\nnew\nbar\nbaz\n", "x\ny\nfoo\nbar\nnew\nbar\nbaz\n"),
        // The first line.
        ("x\n", " \n", " \ny\ny\nfoo\nbar\nbaz\n", "x\ny\ny\nfoo\nbar\nbaz\n"),
    ] {
        let repo = TestRepo::with_files(&[("a", LINES)]);
        repo.apply(json!({"path": "a", "old_string": old, "new_string": new}));
        repo.write("a", later);
        repo.done(&["undo"], "");
        assert_eq!(repo.text("a"), want, "{later:?}");
    }
    // Twice beside a neighbour: nobody knows which is the record's.
    let repo = TestRepo::with_files(&[("a", LINES)]);
    repo.apply(json!({"path": "a", "old_string": "foo\n", "new_string": "}\n"}));
    repo.write("a", "x\ny\n}\nbar\n}\nbar\nbaz\n");
    assert_eq!(repo.redraft(&["undo"], "").json()["data"]["reason"], "undo_conflict");
    assert_eq!(repo.text("a"), "x\ny\n}\nbar\n}\nbar\nbaz\n");
}

/// The file after a line of it was deleted and that committed, with the user's own change beside it, and the change taken back.
fn deleted_and_committed(mine: &str, undo: &[&str]) -> TestRepo {
    let repo = TestRepo::with_files(&[("a", NUMBERS)]);
    repo.write("a", mine);
    let request = json!({"path": "a", "old_string": "4\n", "new_string": ""}).to_string();
    repo.done(&["apply", "--record", "commit", "--message", "m"], &request);
    assert_eq!(repo.git(&["show", "HEAD:a"]), NUMBERS.replace("4\n", ""));
    repo.done(undo, "");
    assert_eq!(repo.text("a"), mine);
    repo
}

const NUMBERS: &str = "1\n2\n3\n4\n5\n6\n7\n";

#[test]
fn what_was_committed_a_moment_ago_is_undone_in_git_whatever_the_user_changed_beside_it() {
    for mine in ["1\n2\nmine\n4\n5\n6\n7\n", "1\n2\n4\n5\n6\n7\n", "1\n2\n3\n4\nmine\n6\n7\n"] {
        let repo = deleted_and_committed(mine, &["undo", "--record", "commit"]);
        assert_eq!((repo.git(&["show", "HEAD:a"]), repo.git(&["show", ":a"])), (NUMBERS.into(), NUMBERS.into()));
        // The commit that took it back is taken back as well.
        repo.done(&["redo", "--record", "commit"], "");
        let without = NUMBERS.replace("4\n", "");
        assert_eq!((repo.git(&["show", "HEAD:a"]), repo.git(&["show", ":a"])), (without.clone(), without));
        // Only the index, where the commit is to stay.
        let repo = deleted_and_committed(mine, &["undo"]);
        assert_eq!(
            (repo.git(&["show", "HEAD:a"]), repo.git(&["show", ":a"])),
            (NUMBERS.replace("4\n", ""), NUMBERS.into())
        );
    }
}

#[test]
fn a_part_of_what_was_committed_is_not_undone_as_if_it_were_all() {
    let long: String = (1..=20).map(|n| format!("line {n}\n")).collect();
    let repo = TestRepo::with_files(&[("a", &long)]);
    let edits =
        json!([{"old_string": "line 2\n", "new_string": "two\n"}, {"old_string": "line 19\n", "new_string": "last\n"}]);
    let request = json!({"path": "a", "edits": edits}).to_string();
    repo.done(&["apply", "--record", "commit", "--message", "m"], &request);
    repo.done(&["undo", "--record", "commit", "--hunk", "1"], "");
    assert_eq!(repo.git(&["show", "HEAD:a"]), long.replace("line 19", "last"));
    // A commit of the user's own since, beside it.
    let repo = TestRepo::with_files(&[("a", &long)]);
    repo.done(&["apply", "--record", "commit", "--message", "m"], &request);
    repo.write("a", repo.text("a").replace("line 9\n", "mine\n"));
    repo.commit_all("mine");
    repo.done(&["undo", "--record", "commit"], "");
    assert_eq!(repo.git(&["show", "HEAD:a"]), long.replace("line 9\n", "mine\n"));
}

/// Seen: exit 0, and the user's own blank line is gone. The first hunk is taken back (a checkout), so nothing tells that the
/// blank line at the end, beside which the neighbour is gone too, is the record's.
#[test]
fn a_line_without_a_word_is_not_the_records_where_its_neighbour_is_gone_and_another_hunk_is_taken_back() {
    let base = "t1\nt2\nt3\nm1\nm2\nsize\nhash\nalloc\n";
    for line in ["", "}"] {
        let repo = TestRepo::with_files(&[("a", base)]);
        let id = repo.apply(json!({"path": "a", "edits": [
            {"old_string": "t2", "new_string": "T2"}, {"old_string": "alloc\n", "new_string": format!("alloc\n{line}\n")}]}));
        repo.git(&["checkout", "-q", "a"]);
        let mine = base.replace("alloc", line);
        repo.write("a", &mine);
        let told = repo.redraft(&["undo", &id], "").json();
        assert_eq!((told["status"].as_str(), repo.text("a")), (Some("error"), mine), "{told}");
    }
}

/// The names were exchanged back by one undo: the log does not say so, and what was done to a file before was looked for in the
/// other one. Seen: "what it did to a is taken back already", or "the lines around its place were changed since".
#[test]
fn an_edit_of_before_a_swap_is_undone_whatever_was_undone_and_redone_of_the_swap() {
    for (a, b) in
        [("one\ntwo\nof a\n", "one\ntwo\nof b\n"), ("one\ntwo\n", "one\ntwo\n"), ("eins\nzwei\n", "one\ntwo\n")]
    {
        for redone in 0..4 {
            let repo = TestRepo::with_files(&[("a", a), ("b", b)]);
            let edit = apply(&repo, &json!({"path": "b", "old_string": "two", "new_string": "new"}));
            let mut names = swap(&repo);
            names.reverse();
            let args: Vec<&str> = ["undo"].into_iter().chain(names.iter().map(String::as_str)).collect();
            repo.done(&args, "");
            let new = b.replace("two", "new");
            assert_eq!((repo.text("a"), repo.text("b")), (a.to_owned(), new.clone()));
            for time in 0..redone {
                repo.done(&[if time % 2 == 0 { "redo" } else { "undo" }], "");
            }
            let is_swapped = redone % 2 == 1;
            let names =
                |of_b: &str| if is_swapped { (of_b.to_owned(), a.to_owned()) } else { (a.to_owned(), of_b.to_owned()) };
            assert_eq!((repo.text("a"), repo.text("b")), names(&new), "{redone}");
            repo.done(&["undo", &edit], "");
            assert_eq!((repo.text("a"), repo.text("b")), names(b), "{redone}");
            repo.done(&["redo", &edit], "");
            assert_eq!((repo.text("a"), repo.text("b")), names(&new), "{redone}");
        }
    }
}

/// Seen: "redid", the file had its new name, and its lines were the old ones.
#[test]
fn a_redo_of_lines_that_are_another_records_does_not_move_the_file_alone() {
    let repo = TestRepo::with_files(&[("f", "one\ntwo\nthree\nfour\n")]);
    let edit = repo.apply(json!({"path": "f", "old_string": "three", "new_string": "alpha", "rename_to": "g"}));
    let taken_back = |args: &[&str]| {
        let told = repo.done(args, "");
        told["data"]["record"]["id"].as_str().expect("an id").to_owned()
    };
    let undo = taken_back(&["undo", &edit]);
    let redo = taken_back(&["redo"]);
    let second = taken_back(&["undo", &redo]);
    taken_back(&["redo", &undo]);
    let last = taken_back(&["undo", &edit]);
    let told = repo.redraft(&["redo", &second], "");
    assert_eq!(told.json()["data"]["reason"], "nothing_to_undo", "{}", told.out);
    let told = told.out;
    assert!(told.contains(&format!("`redraft undo {last}`")), "{told}");
    assert!(repo.has("f") && !repo.has("g"));
    repo.done(&["undo", &last], "");
    assert_eq!((repo.has("f"), repo.text("g")), (false, "one\ntwo\nalpha\nfour\n".into()));
}

/// Seen: the undone line stayed staged, without a word, and the next commit would have had it.
#[test]
fn an_edit_that_a_redo_staged_goes_from_the_index_with_its_undo() {
    for names_the_edit in [true, false] {
        let repo = TestRepo::with_files(&[("f", "one\ntwo\nthree\n")]);
        let edit = repo.edit("f", "two", "zwei");
        repo.commit_all("by hand");
        let undo = repo.done(&["undo", &edit, "--record", "commit"], "");
        let redo = repo.done(&["redo", undo["data"]["record"]["id"].as_str().expect("an id")], "");
        assert_eq!(repo.git(&["status", "--short"]), "M  f\n");
        let redo = redo["data"]["record"]["id"].as_str().expect("an id");
        repo.done(&["undo", if names_the_edit { &edit } else { redo }], "");
        assert_eq!(repo.git(&["status", "--short"]), "", "{names_the_edit}");
        assert_eq!(repo.text("f"), "one\ntwo\nthree\n");
    }
}

/// Seen: a file that nobody had staged was staged by a redo, as another file of its session had been.
#[test]
fn a_redo_of_a_session_stages_no_file_that_was_not_staged() {
    let repo = TestRepo::with_files(&[("f", "one\n"), ("g", "one\n")]);
    for (path, args) in [("f", &["apply", "--session", "s", "--index"][..]), ("g", &["apply", "--session", "s"])] {
        repo.done(args, &json!({"path": path, "old_string": "one", "new_string": "two"}).to_string());
    }
    for _ in 0..2 {
        assert_eq!(repo.git(&["status", "--short"]), "M  f\n M g\n");
        repo.done(&["undo", "--session", "s"], "");
        assert_eq!(repo.git(&["status", "--short"]), "");
        repo.done(&["redo"], "");
    }
}

/// A person had renamed it: it was told under a third name, and no record gave it one.
#[test]
fn a_file_that_several_were_undone_in_under_a_name_of_a_person_does_not_have_the_oldest_name() {
    let rows = "l1 x\nl2 x\nl3 x\nl4 x\nl5 x\nl6 x\nl7 x\nl8 x\n";
    let repo = TestRepo::with_files(&[("a", rows)]);
    let first = repo.edit("a", "l2 x\n", "l2 N\n");
    let renamed = apply(&repo, &json!({"path": "a", "rename_to": "b"}));
    let edited = repo.edit("b", "l6 x\n", "l6 M\n");
    repo.shell("mv b c");
    repo.done(&["undo", &renamed, &edited], "");
    repo.write("a", "some other\nfile here\n");
    repo.done(&["undo", &first], "");
    assert_eq!((repo.text("a"), repo.text("c")), ("some other\nfile here\n".to_owned(), rows.to_owned()));
}

/// Seen: refused, as the lines around its place were changed, though nobody touched a line of what the agent put in.
#[test]
fn a_function_goes_though_a_person_changed_the_head_of_the_next_one_or_the_end_of_the_last() {
    let base = "function a() {\n  return 1;\n}\n\nfunction b() {\n  return 2;\n}\n";
    let new = "function n() {\n  return 9;\n}\n\nfunction b() {\n";
    for (is, becomes) in [
        ("function b()", "function bee(x)"),
        ("function b()", "// the second\nfunction b()"),
        ("return 1", "return 11"),
        ("  return 1;\n", "  return 1;\n  // never\n"),
        ("function b()", "function q() {\n  return 7;\n}\n\nfunction b()"),
    ] {
        let repo = TestRepo::with_files(&[("f", base)]);
        apply(&repo, &json!({"path": "f", "old_string": "function b() {\n", "new_string": new}));
        repo.write("f", repo.text("f").replace(is, becomes));
        repo.done(&["undo"], "");
        assert_eq!(repo.text("f"), base.replace(is, becomes));
        repo.done(&["redo"], "");
        repo.done(&["commit", "--session", "s", "--json"], "");
        let head = repo.git(&["show", "HEAD:f"]);
        assert_eq!(head, base.replace("function b() {\n", new), "{becomes}");
    }
}
