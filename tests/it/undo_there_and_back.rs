//! Records of several agents, undone and redone there and back, one by one and together.

use crate::support::TestRepo;
use serde_json::{Value, json};

const ROWS: &str = "row 101\nrow 102\nrow 103\nrow 104\nrow 105\nrow 106\n";

fn repo() -> TestRepo {
    TestRepo::with_files(&[("f", ROWS)])
}

/// Two halves of a file that have nothing to do with each other.
fn rows(upper: &str, lower: &str) -> String {
    format!("{upper}{ROWS}{lower}")
}

/// An edit of the whole file, of which an agent sends all of the text.
fn rewrite(repo: &TestRepo, upper: &str, lower: &str) -> String {
    repo.apply(json!({"path": "f", "old_string": repo.text("f"), "new_string": rows(upper, lower)}))
}

fn by(repo: &TestRepo, session: &str, mut request: Value) -> String {
    request["agent"] = json!({"name": "robo", "session": session});
    repo.apply(request)
}

fn edit(repo: &TestRepo, session: &str, old: &str, new: &str) -> String {
    by(repo, session, json!({"path": "f", "old_string": old, "new_string": new}))
}

/// Seen: the line of the first was lost, and "f is as it was before" said; or what the second did was called done again by an undo
/// that was redone.
#[test]
fn two_records_stepped_back_and_forth_are_undone_by_name_as_ever() {
    for has_another_hunk in [true, false] {
        for args in [vec!["undo", "--session", "s2"], vec!["undo", "SECOND"]] {
            let repo = repo();
            edit(&repo, "s1", "row 102\n", "row 102\nmid word\n");
            let want = repo.text("f");
            let mut edits = vec![json!({"old_string": "mid word\n", "new_string": ""})];
            if has_another_hunk {
                edits.push(json!({"old_string": "row 105\n", "new_string": "row 105\nsix\n"}));
            }
            let second = by(&repo, "s2", json!({"path": "f", "edits": edits}));
            for step in ["undo", "undo", "redo", "redo"] {
                repo.done(&[step], "");
            }
            let args: Vec<&str> = args.iter().map(|arg| if *arg == "SECOND" { second.as_str() } else { arg }).collect();
            repo.done(&args, "");
            assert_eq!(repo.text("f"), want, "{args:?}");
        }
    }
}

/// Seen: "lines would come back that another record wrote, and that one was taken back since", which it was not.
#[test]
fn a_session_that_deleted_a_line_and_changed_its_neighbour_is_undone_as_a_whole() {
    let repo = repo();
    edit(&repo, "s1", "row 104\n", "row 104\nnew line\n");
    let want = repo.text("f");
    edit(&repo, "s2", "new line\n", "");
    edit(&repo, "s2", "row 104", "row four");
    repo.done(&["undo", "--session", "s2"], "");
    assert_eq!(repo.text("f"), want);
}

/// Seen: "what it did was taken back, and record X did it again", which was the undo of the session.
#[test]
fn an_edit_is_undone_after_the_undo_of_a_session_that_removed_its_file_and_made_it_anew() {
    let repo = repo();
    edit(&repo, "s1", "row 104", "row four");
    let want = repo.text("f");
    by(&repo, "s2", json!({"path": "f", "delete": true}));
    by(&repo, "s2", json!({"path": "f", "content": ROWS}));
    repo.done(&["undo", "--session", "s2"], "");
    assert_eq!(repo.text("f"), want);
    repo.done(&["undo", "--session", "s1"], "");
    assert_eq!(repo.text("f"), ROWS);
}

/// Seen: a fourth undo undid the third record once more, in the file that had got its name back, and wrote the second one's text.
#[test]
fn what_was_undone_in_a_file_that_is_gone_is_not_undone_in_the_one_whose_name_it_had() {
    let repo = repo();
    by(&repo, "s1", json!({"path": "f", "rename_to": "g"}));
    by(&repo, "s2", json!({"path": "f", "content": ROWS.replace("104", "4")}));
    let third = edit(&repo, "s3", "row 4", "row 104");
    for _ in 0..3 {
        repo.done(&["undo"], "");
    }
    assert_eq!(repo.git(&["status", "--porcelain"]), "");
    for args in [&["undo"][..], &["undo", &third], &["undo", "--session", "s3"]] {
        assert_eq!(repo.refused(args, ""), "nothing_to_undo");
        assert_eq!(repo.text("f"), ROWS);
    }
    for _ in 0..3 {
        repo.done(&["redo"], "");
    }
    assert_eq!((repo.text("f"), repo.text("g")), (ROWS.to_owned(), ROWS.to_owned()));
}

/// Seen: "its old text is not kept", which is made of what the newer record left.
#[test]
fn a_session_in_an_ignored_file_is_undone_after_a_checkpoint() {
    let repo = TestRepo::with_files(&[(".gitignore", "g\n")]);
    repo.write("g", ROWS);
    for (old, new) in [("row 104", "row four"), ("row 102", "row two"), ("row four", "row 4")] {
        by(&repo, "s1", json!({"path": "g", "old_string": old, "new_string": new}));
    }
    let edited = repo.text("g");
    assert_eq!(repo.redraft(&["gc"], "").status, 0);
    repo.done(&["undo", "--session", "s1"], "");
    assert_eq!(repo.text("g"), ROWS);
    repo.done(&["redo"], "");
    assert_eq!(repo.text("g"), edited);
}

/// Somebody brought it back, and a record met it: it is there already, edited or under another name.
#[test]
fn a_deleted_file_that_was_brought_back_and_went_on_does_not_come_back_once_more() {
    let deleted = || {
        let repo = repo();
        let id = repo.apply(json!({"path": "f", "delete": true}));
        (repo, id)
    };
    let (repo, id) = deleted();
    repo.write("f", ROWS.replace("row 102", "row of a person"));
    repo.edit("f", "row 105", "row of an agent");
    assert_eq!(repo.refused(&["undo", &id], ""), "nothing_to_undo");
    let (repo, id) = deleted();
    repo.write("f", ROWS);
    repo.apply(json!({"path": "f", "rename_to": "g"}));
    assert_eq!(repo.refused(&["undo", &id], ""), "nothing_to_undo");
    assert!(!repo.has("f"));
    // Another one had its name meanwhile.
    let (repo, id) = deleted();
    repo.apply(json!({"path": "f", "content": "of another file\n"}));
    repo.apply(json!({"path": "f", "delete": true}));
    repo.write("f", ROWS);
    repo.edit("f", "row 105", "row of an agent");
    assert_eq!(repo.refused(&["undo", &id], ""), "nothing_to_undo");
}

/// Seen: undo took a committed line of a person's out of the text that HEAD has: an agent had rewritten the file without it, then put it in.
#[test]
fn a_line_of_heads_is_not_taken_out_where_an_agent_wrote_its_like_in_edits_that_were_discarded() {
    let text = "a1\na2\nlet total = count(x);\na3\n";
    let rewritten = "b1\n";
    for is_rewritten_by_hand in [false, true] {
        let repo = TestRepo::with_files(&[("f", text)]);
        if is_rewritten_by_hand {
            repo.write("f", rewritten);
        } else {
            repo.edit("f", text, rewritten);
        }
        let id = repo.edit("f", rewritten, "b1\nlet total = count(x);\n");
        repo.git(&["checkout", "-q", "f"]);
        assert_eq!(repo.refused(&["undo"], ""), "nothing_to_undo");
        assert_eq!(repo.refused(&["undo", &id], ""), "nothing_to_undo");
        assert_eq!(repo.text("f"), text);
        // Where it is in the file with what else was there, it is the agent's.
        repo.write("f", "b1\nlet total = count(x);\nof a person\n");
        repo.done(&["undo", &id], "");
        assert_eq!(repo.text("f"), "b1\nof a person\n");
    }
}

#[test]
fn a_session_that_removed_another_file_of_an_old_name_is_undone_in_both() {
    // What another agent made at the name has its own lines, or just the same.
    for other in ["other 1\nother 2\nother 3\n".to_owned(), ROWS.replace("row 102", "row two")] {
        for made_anew in [false, true] {
            let repo = repo();
            edit(&repo, "s1", "row 102", "row two");
            by(&repo, "s2", json!({"path": "f", "rename_to": "g"}));
            by(&repo, "s2", json!({"path": "f", "content": other}));
            by(&repo, "s1", json!({"path": "f", "delete": true}));
            if made_anew {
                by(&repo, "s1", json!({"path": "f", "content": "anew\n"}));
            }
            repo.done(&["undo", "--session", "s1"], "");
            assert_eq!((repo.text("f"), repo.text("g")), (other.clone(), ROWS.to_owned()), "{made_anew}");
        }
    }
}

#[test]
fn a_session_that_renamed_a_file_and_removed_one_that_another_made_at_the_name_is_undone() {
    let repo = repo();
    by(&repo, "s1", json!({"path": "f", "rename_to": "g"}));
    by(&repo, "s2", json!({"path": "g", "rename_to": "f"}));
    by(&repo, "s2", json!({"path": "g", "content": "other\n"}));
    by(&repo, "s1", json!({"path": "g", "delete": true}));
    let told = repo.said(&["undo", "--session", "s1"]);
    assert!(told.contains("what was done to f is taken back already"), "{told}");
    assert_eq!((repo.text("f"), repo.text("g")), (ROWS.to_owned(), "other\n".to_owned()));
}

#[test]
fn a_session_that_replaced_a_file_is_undone_whatever_was_done_to_other_files_meanwhile() {
    let both = json!([
        {"path": "o", "old_string": "o 1\n", "new_string": "o one\n"},
        {"path": "f", "old_string": "row 105", "new_string": "row five"}
    ]);
    for (session, between) in [
        ("s2", json!({"path": "o", "old_string": "o 2\n", "new_string": "o two\n"})),
        ("s2", json!({"path": "n", "content": "new\n"})),
        ("s1", json!({"files": both})),
    ] {
        let repo = TestRepo::with_files(&[("f", ROWS), ("o", "o 1\no 2\n")]);
        edit(&repo, "s1", "row 102", "row two");
        by(&repo, session, between);
        let o = if session == "s2" { repo.text("o") } else { "o 1\no 2\n".to_owned() };
        by(&repo, "s1", json!({"path": "f", "delete": true}));
        by(&repo, "s1", json!({"path": "f", "content": "anew\n"}));
        repo.done(&["undo", "--session", "s1"], "");
        assert_eq!((repo.text("f"), repo.text("o")), (ROWS.to_owned(), o), "{session}");
    }
}

#[test]
fn a_session_that_removed_what_a_person_put_at_the_old_name_of_its_file_is_undone_in_both() {
    // Another file, or a copy of the one that was renamed.
    for is_copy in [false, true] {
        let repo = repo();
        edit(&repo, "s1", "row 102", "row two");
        by(&repo, "s2", json!({"path": "f", "rename_to": "g"}));
        let of_person = if is_copy { repo.text("g") } else { "other 1\nother 2\n".to_owned() };
        repo.write("f", &of_person);
        by(&repo, "s1", json!({"path": "f", "delete": true}));
        repo.done(&["undo", "--session", "s1"], "");
        assert_eq!((repo.text("f"), repo.text("g")), (of_person, ROWS.to_owned()));
    }
}

#[test]
fn a_file_that_was_removed_again_by_a_redo_comes_back_whatever_was_done_to_it_while_it_was_there() {
    let repo = repo();
    let removed = by(&repo, "s1", json!({"path": "f", "delete": true}));
    repo.done(&["undo", &removed], "");
    let edited = edit(&repo, "s1", "row 105", "row five");
    repo.done(&["undo", &edited], "");
    repo.done(&["redo", &removed], "");
    assert!(!repo.has("f"));
    repo.done(&["undo", &removed], "");
    assert_eq!(repo.text("f"), ROWS);
}

#[test]
fn of_two_files_of_a_session_that_would_get_one_name_none_is_touched() {
    let k_is = ["other 1\nother 2\n", "o 1\no 2\n"];
    for (is_renamed, k_is) in [false, true].into_iter().zip(k_is) {
        let repo = TestRepo::with_files(&[("f", ROWS), ("o", k_is)]);
        if is_renamed {
            by(&repo, "s1", json!({"path": "f", "rename_to": "g"}));
            by(&repo, "s2", json!({"path": "o", "rename_to": "f"}));
        } else {
            by(&repo, "s1", json!({"path": "f", "delete": true}));
            by(&repo, "s2", json!({"path": "f", "content": k_is}));
        }
        by(&repo, "s1", json!({"path": "f", "rename_to": "k"}));
        let told = repo.redraft(&["undo", "--session", "s1"], "").json();
        assert_eq!(told["data"]["reason"], "undo_conflict", "{told}");
        assert!(told["text"].as_str().expect("a text").contains("cannot undo f: another file has its name"), "{told}");
        assert_eq!((repo.text("k"), repo.has("f"), repo.has("g")), (k_is.to_owned(), false, is_renamed));
    }
}

#[test]
fn a_rename_that_was_undone_is_not_undone_again_where_a_record_touched_the_file_before_a_person_moved_it() {
    let both = json!([
        {"path": "f", "old_string": "row 103", "new_string": "row three"},
        {"path": "o", "old_string": "o 1", "new_string": "o one"}
    ]);
    for (between, name) in [(json!({"files": both}), "f"), (json!({"path": "f", "rename_to": "m"}), "m")] {
        let repo = TestRepo::with_files(&[("f", ROWS), ("o", "o 1\no 2\n")]);
        let renamed = by(&repo, "s1", json!({"path": "f", "rename_to": "n"}));
        repo.done(&["undo", &renamed], "");
        by(&repo, "s2", between);
        let text = repo.text(name);
        assert!(repo.shell(&format!("mv {name} n")).success());
        assert_eq!(repo.refused(&["undo", &renamed], ""), "nothing_to_undo");
        assert_eq!((repo.text("n"), repo.has("f")), (text, false));
    }
}

#[test]
fn a_deleted_file_does_not_come_back_over_one_that_another_agent_made_like_it() {
    let repo = repo();
    let removed = by(&repo, "s1", json!({"path": "f", "delete": true}));
    by(&repo, "s2", json!({"path": "f", "content": "new\n"}));
    by(&repo, "s2", json!({"path": "f", "content": ROWS.replace("row 102", "row two"), "overwrite": true}));
    edit(&repo, "s2", "row 105", "row five");
    let text = repo.text("f");
    assert_eq!(repo.refused(&["undo", &removed], ""), "undo_conflict");
    assert_eq!(repo.text("f"), text);
}

#[test]
fn a_deleted_file_without_a_word_that_a_person_put_back_and_an_agent_went_on_with_is_there() {
    for text in ["", "}\n"] {
        let repo = TestRepo::with_files(&[("f", text)]);
        let removed = by(&repo, "s1", json!({"path": "f", "delete": true}));
        repo.write("f", text);
        by(&repo, "s2", json!({"path": "f", "content": format!("row\n{text}"), "overwrite": true}));
        assert_eq!(repo.refused(&["undo", &removed], ""), "nothing_to_undo", "{text:?}");
        assert_eq!(repo.text("f"), format!("row\n{text}"));
    }
}

#[test]
fn undo_steps_over_a_record_whose_other_file_is_undone_or_not_meant() {
    for is_undone in [true, false] {
        let repo = TestRepo::with_files(&[("f", ROWS), ("g", "g 1\ng 2\ng 3\ng 4\n")]);
        by(&repo, "s1", json!({"path": "g", "old_string": "g 4\n", "new_string": "four\n"}));
        let both = json!([
            {"path": "f", "old_string": "row 102", "new_string": "row two"},
            {"path": "g", "old_string": "g 1\n", "new_string": "one\n"}
        ]);
        let id = by(&repo, "s1", json!({"files": both}));
        if is_undone {
            repo.done(&["undo", &id, "--", "f"], "");
            repo.write("f", ROWS.replace("row 101\nrow 102\nrow 103\n", "row\n"));
        } else {
            repo.write("f", repo.text("f").replace("row two\n", "row two and more\n"));
        }
        let of_person = repo.text("f");
        repo.write("g", repo.text("g").replace("one\n", "g 1\n"));
        let args: &[&str] = if is_undone { &["undo"] } else { &["undo", "--", "g"] };
        repo.done(args, "");
        assert_eq!((repo.text("f"), repo.text("g")), (of_person, "g 1\ng 2\ng 3\ng 4\n".to_owned()));
    }
}

#[test]
fn a_deleted_file_comes_back_where_another_one_that_a_person_put_there_was_renamed() {
    let repo = repo();
    let removed = by(&repo, "s1", json!({"path": "f", "delete": true}));
    repo.write("f", "other 1\nother 2\n");
    by(&repo, "s2", json!({"path": "f", "rename_to": "h"}));
    repo.done(&["undo", &removed], "");
    assert_eq!((repo.text("f"), repo.text("h")), (ROWS.to_owned(), "other 1\nother 2\n".to_owned()));
}

#[test]
fn a_file_that_is_gone_is_told_by_the_name_that_a_record_gave_it() {
    let repo = repo();
    let edited = edit(&repo, "s1", "row 102", "row two");
    by(&repo, "s2", json!({"path": "f", "rename_to": "g"}));
    assert!(repo.shell("rm g").success());
    let told = repo.said(&["undo", &edited]);
    assert!(told.contains("cannot undo g: the file is no longer there"), "{told}");
}

/// One file of the record is undone, and that was discarded.
#[test]
fn of_a_record_of_two_files_the_one_of_which_the_undo_was_discarded_is_undone_again_with_the_other() {
    let repo = TestRepo::with_files(&[("f", ROWS), ("g", "g 1\ng 2\n")]);
    let both = json!([
        {"path": "f", "old_string": "row 102", "new_string": "row two"},
        {"path": "g", "old_string": "g 1", "new_string": "g one"}
    ]);
    let id = by(&repo, "s1", json!({"files": both}));
    repo.commit_all("both");
    repo.done(&["undo", &id, "--", "g"], "");
    repo.git(&["checkout", "-q", "g"]);
    repo.done(&["undo", &id], "");
    assert_eq!((repo.text("f"), repo.text("g")), (ROWS.to_owned(), "g 1\ng 2\n".to_owned()));
}

#[test]
fn lines_of_a_discarded_record_do_not_come_back_under_a_name_that_the_file_got_since() {
    let repo = repo();
    let wrote = edit(&repo, "s1", "row 105\n", "alpha\nbeta\ngamma\nrow 105\n");
    by(&repo, "s2", json!({"path": "f", "rename_to": "g"}));
    let took = by(&repo, "s2", json!({"path": "g", "old_string": "beta\ngamma\n", "new_string": ""}));
    repo.write("g", ROWS);
    let told = repo.redraft(&["undo", &took], "").json();
    assert_eq!((&told["data"]["reason"], repo.text("g")), (&json!("undo_conflict"), ROWS.to_owned()));
    assert!(told["text"].as_str().expect("a text").contains(&wrote), "{told}");
}

/// What an undo put back is still its first writer's, whose lines somebody discarded.
#[test]
fn lines_of_a_discarded_record_do_not_come_back_though_an_undo_had_put_them_back() {
    for is_redo in [false, true] {
        let repo = repo();
        let wrote = edit(&repo, "s1", "row 105\n", "alpha\nbeta\ngamma\nrow 105\n");
        let took = edit(&repo, "s2", "beta\ngamma\n", "");
        repo.done(&["undo", &took], "");
        let args = if is_redo {
            repo.done(&["redo"], "");
            vec!["undo".to_owned()]
        } else {
            vec!["undo".to_owned(), edit(&repo, "s2", "beta\ngamma\n", "")]
        };
        repo.git(&["checkout", "-q", "f"]);
        let told = repo.redraft(&args.iter().map(String::as_str).collect::<Vec<_>>(), "").json();
        assert_eq!((&told["data"]["reason"], repo.text("f")), (&json!("undo_conflict"), ROWS.to_owned()), "{told}");
        assert!(told["text"].as_str().expect("a text").contains(&wrote), "{told}");
    }
}

/// Seen: `new | last | one | two`, where the redo had found `one | new | last | two`.
#[test]
fn an_edit_that_is_in_force_by_a_redo_is_undone_by_name_to_just_what_the_redo_found() {
    let repo = TestRepo::with_files(&[("f", "one\ntwo\n")]);
    let id = repo.edit("f", "one\ntwo\n", "two\none\n");
    repo.done(&["undo"], "");
    let found = "one\nnew\nlast\ntwo\n";
    repo.write("f", found);
    repo.done(&["redo"], "");
    let left = repo.text("f");
    for _ in 0..2 {
        repo.done(&["undo", &id], "");
        assert_eq!(repo.text("f"), found);
        repo.done(&["redo", &id], "");
        assert_eq!(repo.text("f"), left);
    }
    // A person has done a half of it again: that is not the redo's.
    let (was, turned) = (["one\ntwo\n", "six\nten\n"], ["two\none\n", "ten\nsix\n"]);
    let repo = TestRepo::with_files(&[("f", &rows(was[0], was[1]))]);
    let edits = [0, 1].map(|n| json!({"old_string": was[n], "new_string": turned[n]}));
    let id = by(&repo, "s", json!({"path": "f", "edits": edits}));
    repo.done(&["undo"], "");
    repo.write("f", rows(was[0], turned[1]));
    repo.done(&["redo"], "");
    repo.done(&["undo", &id], "");
    assert_eq!(repo.text("f"), rows(was[0], was[1]));
}

/// Seen: `redo` by the edit's name was refused, as the lines around the place where it was undone first had gone.
#[test]
fn an_edit_whose_redo_was_undone_is_done_again_by_name_as_that_undo_found_it() {
    let repo = TestRepo::with_files(&[("f", "one\nlast\n  \"x\"\nlet x = 2;\n  \"x\"\n")]);
    let id = repo.edit("f", "let x = 2;\n", "");
    repo.done(&["undo"], "");
    repo.edit("f", "one\n", "new\n");
    repo.write("f", "  \"x\"\nlet x = 2;\nnew\nlast\n\"\"\n    \"x\"\n");
    repo.done(&["redo", &id], "");
    let left = repo.text("f");
    assert_eq!(left, "  \"x\"\nnew\nlast\n\"\"\n    \"x\"\n");
    repo.done(&["undo", &id], "");
    repo.done(&["redo", &id], "");
    assert_eq!(repo.text("f"), left);
}

/// Seen: `end of it | x | end of it | last`, as the place was led past the line that went and came back behind it.
#[test]
fn lines_that_were_moved_stand_behind_a_line_again_that_went_and_came_back_since() {
    let repo = TestRepo::with_files(&[("f", &rows("a\n\nend of it\nlast\nx\nend of it\n", "one\ntwo\n"))]);
    let moved = rewrite(&repo, "a\nx\nend of it\n\nend of it\nlast\n", "one\ntwo\n");
    let took = rewrite(&repo, "a\nx\nend of it\n\nend of it\n", "one\ntwo\n");
    repo.write("f", rows("a\nx\nend of it\n\nend of it\n", "two\n"));
    repo.done(&["undo", &took], "");
    repo.done(&["undo", &moved], "");
    assert_eq!(repo.text("f"), rows("a\n\nend of it\nlast\nx\nend of it\n", "two\n"));
}

/// Seen: `NEW` stood there twice: another undo of the edit was redone, and that was not taken for a redo of the first one.
#[test]
fn an_edit_that_was_redone_twice_is_not_done_a_third_time_where_a_person_changed_another_line() {
    let numbered: String = (1..=40).map(|n| format!("line {n} of it\n")).collect();
    let (ten, thirty) = ("line 10 of it\n", "line 30 of it\n");
    let edits = |new: [&str; 2]| json!([{"old_string": ten, "new_string": new[0]}, {"old_string": thirty, "new_string": new[1]}]);
    let by_person = |repo: &TestRepo| repo.write("f", repo.text("f").replace("line 20 of it", "of a person"));
    for new in [["line 10 of it\nNEW\n", "THIRTY\n"], ["", "THIRTY\n"], ["line 10 of it\nNEW\n", ""]] {
        // Its first undo is no longer in force, by whatever name.
        let repo = TestRepo::with_files(&[("f", &numbered)]);
        let id = repo.apply(json!({"path": "f", "edits": edits(new)}));
        let first = repo.done(&["undo"], "")["data"]["record"]["id"].as_str().expect("a record").to_owned();
        repo.done(&["redo"], "");
        repo.done(&["undo"], "");
        repo.done(&["redo"], "");
        by_person(&repo);
        let left = repo.text("f");
        for args in [["redo", &id], ["redo", &first], ["undo", &first]] {
            assert_eq!(repo.refused(&args, ""), "nothing_to_undo", "{args:?}");
        }
        assert_eq!(repo.text("f"), left);
        // The first redo is undone, with it the edit.
        let repo = TestRepo::with_files(&[("f", &numbered)]);
        let id = repo.apply(json!({"path": "f", "edits": edits(new)}));
        repo.done(&["undo"], "");
        let redo = repo.done(&["redo"], "")["data"]["record"]["id"].as_str().expect("a record").to_owned();
        repo.done(&["undo", &id], "");
        repo.done(&["redo"], "");
        repo.done(&["undo", &redo], "");
        assert_eq!(repo.text("f"), numbered);
        by_person(&repo);
        let left = repo.text("f");
        assert_eq!((repo.refused(&["undo"], ""), repo.text("f")), ("nothing_to_undo".to_owned(), left));
    }
}

/// Seen: `new` twice, as the undo of the one was taken for the place of the other one's line.
#[test]
fn of_two_records_that_put_the_same_line_in_turn_the_second_one_finds_it_there() {
    for rows in [1, 2] {
        let repo = TestRepo::with_files(&[("f", ROWS)]);
        let edit = |rows: usize| {
            let edits = [105, 102]
                .map(|n| json!({"old_string": format!("row {n}\n"), "new_string": format!("row {n}\nnew\n")}));
            repo.apply(json!({"path": "f", "edits": edits[..rows]}))
        };
        let one = edit(1);
        repo.done(&["undo"], "");
        edit(rows);
        let undo = repo.done(&["undo"], "")["data"]["record"]["id"].as_str().expect("a record").to_owned();
        repo.done(&["redo", &one], "");
        let told = repo.redraft(&["redo", &undo], "").json();
        assert_eq!(told["data"]["applied"], json!(rows == 2), "{told}");
        assert_eq!(repo.text("f").matches("row 105\nnew\n").count(), 1);
        assert!(!repo.text("f").contains("new\nnew\n"), "{}", repo.text("f"));
    }
    // The other way about: one took the line, and another one put it back.
    let repo = TestRepo::with_files(&[("f", ROWS)]);
    let took = repo.edit("f", "row 105\n", "");
    let put = repo.edit("f", "row 104\n", "row 104\nrow 105\n");
    let undo = repo.done(&["undo", &put], "")["data"]["record"]["id"].as_str().expect("a record").to_owned();
    repo.done(&["undo", &took], "");
    assert_eq!(repo.refused(&["redo", &undo], ""), "nothing_to_undo");
    assert_eq!(repo.text("f"), ROWS);
}

/// Seen: `one | x | x`, as the equal lines below were taken for those of before another record's undo.
#[test]
fn the_last_of_equal_lines_goes_though_another_record_made_more_of_them_meanwhile() {
    let repo = TestRepo::with_files(&[("f", &rows("  x\none\n  x\n", "below\n"))]);
    let first = rewrite(&repo, "new\n  x\none\n  x\n  x\n", "below\n");
    let second = rewrite(&repo, "new\n  x\n  x\n  x\n", "below\n");
    repo.write("f", rows("new\n  x\n  x\n  x\n", "by a person\n"));
    repo.done(&["undo", &second], "");
    repo.write("f", rows("new\n  x\none\n  x\n  x\n", "more\nby a person\n"));
    repo.done(&["undo", &first], "");
    assert_eq!(repo.text("f"), rows("  x\none\n  x\n", "more\nby a person\n"));
}

/// Seen: "what it did to f is taken back already", as there were as many lines again as before it.
#[test]
fn an_edit_whose_redo_is_the_newest_is_undone_though_the_file_is_as_it_was_before_the_edit() {
    let repo = TestRepo::with_files(&[("f", "{\nx\nx\nx\n")]);
    let id = repo.edit("f", "{\nx\nx\nx\n", "{\nx\nx\n");
    for what in ["undo", "redo", "undo"] {
        repo.done(&[what, &id], "");
    }
    let more = "{\nx\nx\nx\nx\n";
    repo.edit("f", "{\nx\nx\nx\n", more);
    repo.done(&["redo", &id], "");
    repo.done(&["undo", &id], "");
    assert_eq!(repo.text("f"), more);
}

/// Seen: "other text was put in its place", of the newest, with nothing done since: the undo that it redid had named another record, of which nothing
/// had been left.
#[test]
fn what_a_redo_did_again_is_undone_by_name_though_its_undo_had_found_nothing_of_another_record() {
    let rest = "three\nz = 3\nend\n";
    let repo = TestRepo::with_files(&[("f", &format!("k1\nz = 3\ntwo\n{rest}"))]);
    let other = repo.edit("f", "k1\n", "if x {\nz = 3\nk1\n");
    repo.write("f", format!("k1\nz = 3\ntwo\n{rest}"));
    repo.edit("f", "k1\nz = 3\n", "] + y\n");
    let record = repo.edit("f", "] + y\ntwo\n", "");
    repo.done(&["undo", &record, &other], "");
    repo.write("f", format!("if q {{\nz = 3\n] + y\ntwo\n{rest}"));
    repo.done(&["redo"], "");
    let typed = format!("print\nif x {{\n\nif q {{\nz = 3\n] + y\ntwo\nreturn\n{rest}");
    repo.write("f", &typed);
    repo.done(&["redo", &record], "");
    assert_eq!(repo.text("f"), typed.replace("] + y\ntwo\n", ""));
    repo.done(&["undo", &record], "");
    assert_eq!(repo.text("f"), typed);
}
