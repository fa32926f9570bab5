//! What a refused undo tells: the lines that are in its way, why, and whose they are.

use crate::support::TestRepo;
use serde_json::{Value, json};

const ONE: &str = "use std::io;\n\nfn one() {\n    first();\n    second();\n    third();\n}\n";
const TWO: &str = "use std::fs;\n\nfn two() {\n    fourth();\n    fifth();\n}\n";

/// The first conflict of an undo that is refused.
fn conflict(repo: &TestRepo, id: &str) -> Value {
    let told = repo.redraft(&["undo", id], "").json();
    assert_eq!(told["data"]["reason"], json!("undo_conflict"), "{told}");
    told["data"]["hint"]["conflicts"][0].clone()
}

fn named(conflict: &Value) -> (&Value, &Value) {
    (&conflict["changed_by"], &conflict["commit"])
}

fn head(repo: &TestRepo) -> Value {
    json!(repo.git(&["rev-parse", "HEAD"]).trim())
}

/// An agent edits two files in one call; that is committed.
fn two_files_edited() -> (TestRepo, String) {
    let repo = TestRepo::with_files(&[("e.rs", TWO), ("f.rs", ONE)]);
    let id = repo.apply(json!({"files": [
        {"path": "e.rs", "old_string": "fourth()", "new_string": "fourth(4)"},
        {"path": "f.rs", "old_string": "first()", "new_string": "alpha(1)"},
    ]}));
    repo.commit_all("edited");
    (repo, id)
}

const DELETED: &str = "    alpha(1);\n";

#[test]
fn the_commit_that_deleted_the_line_is_named_and_not_one_after_it() {
    let (repo, id) = two_files_edited();
    repo.write("f.rs", repo.text("f.rs").replace(DELETED, ""));
    repo.commit_all("deleted");
    let deleted = head(&repo);
    repo.write("f.rs", repo.text("f.rs").replace("use std::io;", "use std::fmt;"));
    repo.commit_all("elsewhere in the file");
    assert_eq!(named(&conflict(&repo, &id)), (&Value::Null, &deleted));
}

#[test]
fn the_record_that_deleted_the_line_is_named_and_not_one_after_it_and_no_commit() {
    let (repo, id) = two_files_edited();
    let deleted = repo.edit("f.rs", DELETED, "");
    repo.edit("f.rs", "use std::io;", "use std::fmt;");
    repo.commit_all("all of it");
    assert_eq!(named(&conflict(&repo, &id)), (&json!(deleted), &Value::Null));
}

#[test]
fn the_commit_that_changed_the_line_is_named_where_the_file_was_renamed() {
    let repo = TestRepo::with_files(&[("f.rs", ONE)]);
    let id = repo.edit("f.rs", "first()", "alpha(1)");
    repo.commit_all("edited");
    repo.git(&["mv", "f.rs", "g.rs"]);
    repo.commit_all("renamed");
    repo.write("g.rs", repo.text("g.rs").replace("alpha(1)", "mine(2)"));
    repo.commit_all("changed");
    let told = conflict(&repo, &id);
    assert_eq!((told["path"].as_str(), named(&told)), (Some("g.rs"), (&Value::Null, &head(&repo))));
}

#[test]
fn who_wrote_in_the_place_of_deleted_lines_is_named() {
    // By a record.
    let repo = TestRepo::with_files(&[("f.rs", ONE)]);
    let id = repo.edit("f.rs", "    second();\n", "");
    let other = repo.edit("f.rs", "    first();\n    third();\n", "    first();\n    other();\n    third();\n");
    let told = conflict(&repo, &id);
    assert_eq!(named(&told), (&json!(other), &Value::Null), "{told}");
    assert_eq!(told["why"], "other text was put in its place");
    // By a commit, which no later one hides.
    let repo = TestRepo::with_files(&[("f.rs", ONE)]);
    let id = repo.edit("f.rs", "    second();\n", "");
    repo.commit_all("edited");
    repo.write("f.rs", repo.text("f.rs").replace("    third();\n", "    other();\n    third();\n"));
    repo.commit_all("other");
    let other = head(&repo);
    repo.write("f.rs", repo.text("f.rs").replace("use std::io;", "use std::fmt;"));
    repo.commit_all("elsewhere in the file");
    assert_eq!(named(&conflict(&repo, &id)), (&Value::Null, &other));
}

#[test]
fn a_place_without_lines_of_its_own_is_told_by_the_line_it_is_before() {
    let repo = TestRepo::with_files(&[("f.rs", ONE)]);
    let id = repo.edit("f.rs", "    second();\n", "    second();\n    added();\n");
    repo.write("f.rs", repo.text("f.rs").replace("    second();\n    added();\n    third();\n", ""));
    let told = conflict(&repo, &id);
    assert_eq!(told["start_line"], told["end_line"], "{told}");
}

/// What `redraft redo ARGS` says where it is refused.
fn redo_refused(repo: &TestRepo, args: &[&str]) -> String {
    let args: Vec<&str> = ["redo"].into_iter().chain(args.iter().copied()).collect();
    let told = repo.redraft(&args, "").json();
    assert_eq!(told["status"], "error", "{told}");
    told["text"].as_str().expect("text").to_owned()
}

/// Seen: "record U is undone already, by V; `redraft redo V` brings it back", which did not, and "taken back already" of what a redo
/// brings back.
#[test]
fn a_redo_that_is_refused_is_told_in_words_of_a_redo() {
    let repo = TestRepo::with_files(&[("f.rs", ONE)]);
    let id = |told: &Value| told["data"]["record"]["id"].as_str().expect("an id").to_owned();
    let edit = repo.edit("f.rs", "    first();\n    second();\n", "    alpha();\n    beta();\n");
    let undo = id(&repo.done(&["undo"], ""));
    let redo = id(&repo.done(&["redo"], ""));
    for args in [&["redo", &undo][..], &["undo", &undo]] {
        let told = repo.redraft(args, "").json();
        let text = told["text"].as_str().expect("text");
        let want = format!("undo {undo} was taken back already, by {redo}; `redraft undo {redo}` takes it out again");
        assert!(text.contains(&want), "{text}");
    }
    let told = redo_refused(&repo, &[&edit]);
    assert!(told.starts_with(&format!("nothing to redo: no undo of record {edit} is in force")), "{told}");
    repo.done(&["undo", &redo], "");
    // Somebody put all of it back by hand, and a part of it.
    let undone = repo.text("f.rs");
    repo.write("f.rs", undone.replace("first", "alpha").replace("second", "beta"));
    let told = redo_refused(&repo, &[&edit]);
    assert!(told.starts_with("nothing to redo: what was undone in f.rs is in place again already"), "{told}");
    let repo = TestRepo::with_files(&[("f.rs", ONE)]);
    repo.edit("f.rs", "    second();\n", "    second();\n    alpha();\n    beta();\n    gamma();\n");
    repo.done(&["undo"], "");
    repo.write("f.rs", repo.text("f.rs").replace("    second();\n", "    second();\n    alpha();\n"));
    let told = redo_refused(&repo, &[]);
    assert!(
        told.starts_with("cannot redo f.rs") && !told.contains("taken back") && !told.contains("undo only"),
        "{told}"
    );
}

#[test]
fn a_path_that_no_record_touched_is_told_with_those_that_may_be_meant_also_beside_others() {
    let repo = TestRepo::with_files(&[("src/a.rs", "one\n"), ("other", "x\n")]);
    repo.edit("src/a.rs", "one", "two");
    let warnings = |paths: &[&str]| {
        let told = repo.done(&[&["undo", "--dry-run", "--"], paths].concat(), "");
        told["data"]["warnings"].as_array().expect("a list").clone()
    };
    let near = "no record touched src/b.rs; did you mean src/a.rs? name that, or leave the path out";
    assert_eq!(warnings(&["src/a.rs", "src/b.rs"]), [near]);
    assert_eq!(warnings(&["src", "src/a.rs"]).len(), 0);
    assert!(warnings(&["src", "other"])[0].as_str().is_some_and(|told| told.starts_with("no record touched other; ")));
    let said = |args: &[&str]| {
        let ran = repo.redraft(args, "");
        assert_eq!(ran.status, 1, "{args:?}: {}{}", ran.out, ran.err);
        format!("{}{}", ran.out, ran.err)
    };
    for args in [
        &["undo", "--", "src/b.rs"][..],
        &["purge", "--path", "src/b.rs", "--dry-run"],
        &["restore", "--at", "@", "--", "src/b.rs"],
        &["restore", "--at", "@", "--", "src/a.rs", "src/b.rs"],
        &["blame", "src/b.rs"],
    ] {
        assert!(said(args).contains("src/a.rs"), "{args:?}: {}", said(args));
    }
}

/// Seen: "`redraft undo D` takes it out again", and D was "undone already".
#[test]
fn an_undo_that_was_redone_and_whose_edit_was_undone_anew_leads_to_the_undo_in_force() {
    let repo = TestRepo::with_files(&[("f", "one\ntwo\nthree\n")]);
    let edit = repo.edit("f", "two", "zwei");
    let done = |args: &[&str]| repo.done(args, "")["data"]["record"]["id"].as_str().expect("an id").to_owned();
    let undo = done(&["undo", &edit]);
    done(&["redo", &undo]);
    let anew = done(&["undo", &edit]);
    for command in ["undo", "redo"] {
        let told = repo.said(&[command, &undo]);
        assert!(told.contains(&format!("`redraft redo {anew}` brings it back")), "{command}: {told}");
    }
    repo.done(&["redo", &anew], "");
    assert_eq!(repo.text("f"), "one\nzwei\nthree\n");
}

/// Seen: "now line 5", of a text from which the newer record was already taken away.
#[test]
fn of_a_session_that_does_not_fit_the_lines_of_the_file_are_told() {
    let repo = TestRepo::with_files(&[("f", "alpha\nbeta\ngamma\ndelta\nepsilon\nzeta\n")]);
    let edit = |old: &str, new: &str| {
        let request = json!({"path": "f", "old_string": old, "new_string": new}).to_string();
        repo.done(&["apply", "--session", "s"], &request);
    };
    edit("epsilon\n", "one word here\n");
    edit("alpha\n", "top\nof\nit\nalpha\n");
    repo.write("f", repo.text("f").replace("one word here", "quite another thing"));
    let told = repo.redraft(&["undo", "--session", "s"], "").json();
    let conflict = &told["data"]["hint"]["conflicts"][0];
    assert_eq!((&conflict["start_line"], &conflict["end_line"]), (&json!(8), &json!(8)), "{told}");
    assert_eq!(conflict["text"], "quite another thing\n");
}

/// Seen: a refusal that recommended four ways, each of which gave the same refusal.
#[test]
fn of_a_file_as_a_whole_no_part_is_recommended_and_who_changed_it_is_named() {
    let repo = TestRepo::with_files(&[("q", "q\n")]);
    let made = repo.apply(json!({"path": "n", "content": "one\ntwo\n"}));
    let later = repo.edit("n", "two", "2");
    let refused = |args: &[&str]| {
        let told = repo.redraft(args, "").json();
        assert_eq!(told["data"]["reason"], "undo_conflict", "{told}");
        told["text"].as_str().expect("a text").to_owned()
    };
    let told = refused(&["undo", &made]);
    assert!(told.contains(&format!("`redraft undo {later}` first")), "{told}");
    assert!(!told.contains("--markers") && !told.contains("--hunk"), "{told}");
    repo.done(&["undo", &later], "");
    repo.done(&["undo", &made], "");
    let gone = repo.apply(json!({"path": "q", "delete": true}));
    repo.write("q", "another\n");
    let told = refused(&["undo", &gone]);
    assert!(told.contains("move the other file away first") && !told.contains("--markers"), "{told}");
}

#[test]
fn of_what_is_undone_together_it_is_told_which_record_was_taken_back_before() {
    let repo = TestRepo::with_files(&[("a", "a1\na2\n"), ("b", "b1\nb2\n"), ("c", "c1\nc2\n")]);
    let before = repo.edit("a", "a1", "A");
    repo.write("a", "a1\na2\n");
    // These two took each other back.
    let there = repo.edit("b", "b1", "B");
    let back = repo.edit("b", "B", "b1");
    let other = repo.edit("c", "c1", "C");
    let told = repo.done(&["undo", &before, &there, &back, &other], "");
    let text = told["text"].as_str().expect("text");
    assert!(text.contains(&format!("nothing was left of {before} to be taken back")), "{text}");
}

/// Of one that was undone before, and that somebody put there again under another name, something is left.
#[test]
fn of_what_is_undone_together_it_is_told_which_record_was_undone_before() {
    let repo = TestRepo::with_files(&[("a", "a1\na2\na3\n"), ("b", "b1\nb2\nb3\n"), ("c", "c1\nc2\n")]);
    let before = repo.edit("a", "a2", "A");
    repo.done(&["undo", &before], "");
    repo.shell("mv a aside; mv b a; mv aside b; sed -i s/a2/A/ b");
    let other = repo.edit("c", "c1", "C");
    let told = repo.done(&["undo", &before, &other], "");
    let text = told["text"].as_str().expect("text");
    assert!(text.contains(&format!("; {before} undone already")) && !text.contains("nothing was left"), "{text}");
    assert_eq!(told["data"]["already"], json!([before]), "{told}");
}

/// A record had met it again, after somebody discarded the undo, and somebody took it back once more.
#[test]
fn what_is_not_there_is_told_to_be_undone_though_a_later_record_had_met_it_again() {
    let repo = TestRepo::with_files(&[("a", ONE)]);
    let id = repo.edit("a", "first()", "first(1)");
    repo.done(&["undo", &id], "");
    repo.write("a", ONE.replace("first()", "first(1)"));
    repo.edit("a", "third()", "third(3)");
    repo.write("a", ONE.replace("third()", "third(3)"));
    let told = repo.said(&["undo", &id]);
    assert!(told.contains("is undone already, by"), "{told}");
}

#[test]
fn a_created_file_that_is_gone_is_not_told_to_be_in_one_that_git_had_under_another_name() {
    let repo = TestRepo::with_files(&[("f", &format!("{ONE}own();\n"))]);
    let id = repo.apply(json!({"path": "n", "content": format!("{ONE}new();\n")}));
    repo.shell("rm n; mv f x");
    assert_eq!(repo.refused(&["undo", &id], ""), "nothing_to_undo");
}

/// Seen: nothing at all was undone, also with `--skip-conflicts`, because of one that was undone already.
#[test]
fn of_several_that_are_named_one_that_is_undone_already_is_told_and_the_others_are_undone() {
    let repo = TestRepo::with_files(&[("f", "one\ntwo\n"), ("g", "one\ntwo\n")]);
    let (first, second) = (repo.edit("f", "two", "2"), repo.edit("g", "two", "2"));
    repo.done(&["undo", &second], "");
    let told = repo.done(&["undo", &first, &second], "");
    assert_eq!((repo.text("f").as_str(), repo.text("g").as_str()), ("one\ntwo\n", "one\ntwo\n"));
    assert_eq!((&told["data"]["undone"], &told["data"]["already"]), (&json!([first]), &json!([second])));
    let why = format!("record {second} is undone already");
    assert!(told["text"].as_str().is_some_and(|text| text.contains(&why)), "{told}");
    assert_eq!(repo.refused(&["undo", &first, &second], ""), "nothing_to_undo");
}

#[test]
fn of_several_one_that_is_left_as_it_does_not_fit_is_not_told_as_undone() {
    let text = "one\ntwo\nthree\nfour\n";
    let repo = TestRepo::with_files(&[("f", text), ("g", text)]);
    let first = repo.edit("f", "two", "2");
    let second = repo.edit("g", "three", "3");
    let third = repo.edit("f", "four", "4");
    repo.write("g", text.replace("three", "by hand"));
    let told = repo.done(&["undo", &first, &second, &third, "--skip-conflicts"], "");
    assert_eq!((repo.text("f").as_str(), &told["data"]["undone"]), (text, &json!([third, first])));
    let log = repo.redraft(&["log", "-n", "1", "--json"], "").lines();
    assert_eq!(log[0]["undoes"], json!([third, first]));
}

#[test]
fn a_redo_names_who_took_out_again_what_was_brought_back() {
    let repo = TestRepo::with_files(&[("f", "one\ntwo\n")]);
    let id = repo.edit("f", "two", "2");
    repo.done(&["undo", &id], "");
    repo.write("f", "one\n2\n");
    let by = repo.edit("f", "2", "two");
    for redo in [&["redo"][..], &["redo", &id]] {
        let told = repo.said(redo);
        let why = format!("what was undone in f was brought back, and record {by} took it out again");
        assert!(told.contains(&why), "{told}");
    }
}

#[test]
fn a_redo_tells_that_only_what_is_staged_lacks_what_was_undone() {
    let repo = TestRepo::with_files(&[("f", "one\ntwo\n")]);
    repo.edit("f", "two", "2");
    repo.commit_all("edited");
    repo.done(&["undo"], "");
    repo.git(&["add", "f"]);
    repo.write("f", "one\n2\n");
    let told = repo.said(&["redo"]);
    assert!(
        told.contains("what was undone in f is in place again in the file, but not in what is staged of it"),
        "{told}"
    );
}

/// The undo of the other file is another one's, and nobody discarded it.
#[test]
fn of_two_files_undone_one_by_one_the_one_that_was_brought_back_is_undone_again_whatever_the_other_has() {
    let text = "one\ntwo\nthree\nfour\n";
    let repo = TestRepo::with_files(&[("f", text), ("g", text)]);
    let id = repo.apply(json!({"files": [
        {"path": "f", "old_string": "two", "new_string": "2"},
        {"path": "g", "old_string": "three", "new_string": "3"},
    ]}));
    repo.commit_all("edited");
    repo.done(&["undo", &id, "--", "f"], "");
    repo.done(&["undo", &id, "--", "g"], "");
    repo.git(&["checkout", "-q", "f"]);
    repo.write("g", text.replace("three", "by hand"));
    repo.done(&["undo", &id], "");
    assert_eq!((repo.text("f"), repo.text("g")), (text.to_owned(), text.replace("three", "by hand")));
}

/// Neither a record nor a commit is named that was only beside what somebody changed.
#[test]
fn who_was_elsewhere_in_the_file_did_not_change_the_line() {
    let (repo, id) = two_files_edited();
    repo.write("f.rs", repo.text("f.rs").replace("use std::io;", "use std::fmt;"));
    repo.commit_all("elsewhere in the file");
    repo.write("f.rs", repo.text("f.rs").replace(DELETED, ""));
    assert_eq!(named(&conflict(&repo, &id)), (&Value::Null, &Value::Null));
    repo.edit("f.rs", "use std::fmt;", "use std::mem;");
    assert_eq!(named(&conflict(&repo, &id)), (&Value::Null, &Value::Null));

    let (repo, id) = two_files_edited();
    repo.edit("f.rs", "use std::io;", "use std::fmt;");
    repo.write("f.rs", repo.text("f.rs").replace(DELETED, ""));
    repo.edit("f.rs", "use std::fmt;", "use std::mem;");
    assert_eq!(named(&conflict(&repo, &id)), (&Value::Null, &Value::Null));

    // In another file of the commit.
    let (repo, id) = two_files_edited();
    repo.write("f.rs", repo.text("f.rs").replace("use std::io;", "use std::fmt;"));
    repo.write("e.rs", repo.text("e.rs").replace("fifth()", "by_hand()"));
    repo.commit_all("elsewhere");
    repo.write("f.rs", repo.text("f.rs").replace("alpha(1)", "by_hand()"));
    assert_eq!(named(&conflict(&repo, &id)), (&Value::Null, &Value::Null));
}

#[test]
fn the_commit_of_the_edit_itself_is_not_named() {
    let repo = TestRepo::with_files(&[("f.rs", ONE)]);
    let id = repo.edit("f.rs", "    first();\n    second();\n", "    alpha(1);\n    beta(2);\n");
    repo.commit_all("with the edit");
    repo.write("f.rs", repo.text("f.rs").replace("beta(2)", "by_hand()"));
    let told = conflict(&repo, &id);
    assert_eq!(
        (named(&told), &told["text"]),
        ((&Value::Null, &Value::Null), &json!("    alpha(1);\n    by_hand();\n"))
    );
}

#[test]
fn a_redo_of_a_session_tells_which_undos_it_leaves_as_they_took_back_others_edits() {
    let repo = TestRepo::with_files(&[("f", "one\n"), ("g", "one\n"), ("h", "one\n")]);
    let edit = |path: &str, session: &str| {
        let agent = json!({"name": "a", "session": session});
        repo.apply(json!({"path": path, "old_string": "one", "new_string": "1", "agent": agent}))
    };
    let (first, other, second) = (edit("f", "s1"), edit("g", "s2"), edit("h", "s1"));
    let both = repo.done(&["undo", &first, &other], "")["data"]["record"]["id"].as_str().expect("a record").to_owned();
    let redo = ["redo", "--session", "s1"];
    assert!(
        repo.said(&redo)
            .starts_with(&format!("nothing to redo: the undos that fit took back other edits, too: {both};"))
    );
    repo.done(&["undo", &second], "");
    let told = repo.done(&redo, "");
    assert_eq!((repo.text("f").as_str(), repo.text("h").as_str()), ("one\n", "1\n"));
    let note =
        format!("left, as it took other edits back, too: {both}; `redraft redo` by its id brings all of it back");
    assert_eq!(told["data"]["warnings"], json!([note]));
    assert!(repo.said(&["redo", "--session", "s3"]).starts_with("nothing to redo: no undo in force fits;"));
    // Where nothing is left, nothing is told.
    repo.done(&["undo", &second], "");
    repo.done(&["redo", &both], "");
    assert_eq!(repo.done(&redo, "")["data"]["warnings"], json!([]));
}

/// Seen: the log said that it was undone, though both versions of what did not fit stood between markers, or the person kept his; and once that
/// undo was redone, an undo without `--markers` brought the markers.
#[test]
fn what_an_undo_leaves_between_markers_is_not_undone() {
    let base: String = (1..=9).map(|n| format!("{n}\n")).collect();
    for edits in
        [&[("2\n", "two\n")][..], &[("2\n", "two\n"), ("8\n", "eight\n")], &[("2\n", "two\n"), ("3\n", "three\n")]]
    {
        let repo = TestRepo::with_files(&[("f", &base)]);
        let edits: Vec<Value> = edits.iter().map(|(old, new)| json!({"old_string": old, "new_string": new})).collect();
        let id = repo.apply(json!({"path": "f", "edits": edits, "agent": {"session": "s"}}));
        repo.write("f", repo.text("f").replace("two", "two, as Ada has it"));
        let before = repo.text("f");
        assert_eq!(repo.refused(&["undo", &id], ""), "undo_conflict");
        assert_eq!(repo.redraft(&["undo", &id, "--markers"], "").json()["status"], "partial");
        assert!(!repo.text("f").contains("eight"), "what fits is");
        assert!(repo.redraft(&["show", &id, "--json"], "").lines()[0]["undone_by"].is_null());
        repo.done(&["redo"], "");
        assert_eq!(repo.text("f"), before);
        for again in [&["undo", &id][..], &["undo", "--session", "s"]] {
            assert_eq!(repo.refused(again, ""), "undo_conflict");
            assert_eq!(repo.text("f"), before);
        }
    }
}

/// Seen: "`redraft undo V` takes it out again", of the redo, of which nothing was left, either.
#[test]
fn a_redone_undo_whose_last_edit_was_undone_by_its_own_name_leads_to_the_undo_in_force() {
    let repo = TestRepo::with_files(&[("f", "a\nb\nc\n")]);
    let edit = |old: &str, new: &str| {
        repo.apply(json!({"path": "f", "old_string": old, "new_string": new, "agent": {"session": "s"}}))
    };
    edit("a", "A");
    repo.git(&["checkout", "-q", "f"]);
    let second = edit("b", "B");
    let id = |ran: Value| ran["data"]["record"]["id"].as_str().expect("a record").to_owned();
    let undo = id(repo.done(&["undo", "--session", "s"], ""));
    repo.done(&["redo"], "");
    let anew = id(repo.done(&["undo", &second], ""));
    let said = repo.said(&["redo", &undo]);
    assert!(said.contains(&format!("is undone anew, by {anew}; `redraft redo {anew}` brings it back")), "{said}");
    repo.done(&["redo", &anew], "");
    assert_eq!(repo.text("f"), "a\nB\nc\n");
}
