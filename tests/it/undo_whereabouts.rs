//! Which file a record's is, and whether it is undone there, after moves by people, by git and by records.

use crate::support::TestRepo;
use serde_json::json;

/// Edits of one file, as one record; gives its id.
fn several<const N: usize>(repo: &TestRepo, path: &str, edits: [[&str; 2]; N]) -> String {
    let edits = edits.map(|[old, new]| json!({"old_string": old, "new_string": new}));
    repo.apply(json!({"path": path, "edits": edits.as_slice()}))
}

/// An undo or redo; gives the id of its record.
fn inverted(repo: &TestRepo, args: &[&str]) -> String {
    repo.done(args, "")["data"]["record"]["id"].as_str().expect("a record").to_owned()
}

/// Moves a file, over another one if there is one.
fn moved(repo: &TestRepo, from: &str, to: &str) {
    std::fs::rename(repo.root().join(from), repo.root().join(to)).expect("a file");
}

#[test]
fn an_undo_is_in_force_where_somebody_took_an_equal_line_of_another_record() {
    let repo = TestRepo::with_files(&[("f", "p q\nf line 1\nf line 2\np q\n"), ("g", "a\nb\nx w\n")]);
    let first = repo.edit("f", "f line 2\np q\n", "f line 2\np q\np q\n}\nend\n");
    several(&repo, "f", [["f line 1\n", "f line 1\np q\nf line 1\n"], ["end\n", "end\nfoo w\nend\np q\n"]]);
    repo.done(&["undo", &first], "");
    repo.write("f", "\np q\nf line 1\np q\nf line 1\nf line 2\np q\nfoo w\nend\np q\n");
    assert_eq!(repo.refused(&["undo", &first], ""), "nothing_to_undo");
}

#[test]
fn a_record_undone_twice_over_is_told_as_taken_back_under_its_new_name() {
    let repo = TestRepo::with_files(&[
        ("f", "f line 0\nf line 1\nf line 2\n"),
        ("g", "g line 0\n\nend\ng line 3\ng line 4\n"),
    ]);
    let first = several(&repo, "f", [["f line 1\n", ""], ["f line 0\n", "b\n"]]);
    let second = inverted(&repo, &["undo", &first]);
    let third = inverted(&repo, &["redo", &second]);
    repo.done(&["undo", &third], "");
    moved(&repo, "f", "h");
    assert!(repo.said(&["undo", &first]).contains("what it did to h is taken back already"));
}

#[test]
fn a_rename_is_not_done_again_over_a_file_that_got_the_name_after_names_were_exchanged() {
    let repo = TestRepo::with_files(&[
        ("f", "f line 0\nf line 1\na\nf line 3\nx w\nx w\n"),
        ("g", "g line 0\ng line 1\n}\nb\ng line 4\nx w\n"),
    ]);
    let first = repo.apply(json!({"path": "f", "rename_to": "h"}));
    repo.done(&["undo", &first], "");
    moved(&repo, "g", "k");
    moved(&repo, "f", "g");
    moved(&repo, "k", "f");
    repo.git(&["mv", "f", "h"]);
    several(
        &repo,
        "g",
        [["f line 1\n", ""], ["f line 0\n", "}\nf line 0\n"], ["f line 3\nx w\n", "f line 3\nx w\n\nb\nend\n"]],
    );
    assert!(repo.said(&["redo", &first]).contains("another file has its name"));
}

#[test]
fn what_a_record_removed_is_nowhere_though_names_had_been_exchanged() {
    let repo = TestRepo::with_files(&[
        ("f", "f line 0\n  r\nf line 2\n  r\nf line 4\nf line 5\n"),
        ("g", "foo w\ng line 1\np q\nfoo w\nb\np q\n"),
    ]);
    let first = repo.edit("g", "g line 1\n", "g line 1\n  r\n");
    moved(&repo, "g", "k");
    moved(&repo, "f", "g");
    moved(&repo, "k", "f");
    repo.apply(json!({"path": "g", "delete": true}));
    repo.apply(json!({"path": "f", "rename_to": "h"}));
    assert_eq!(repo.refused(&["undo", &first], ""), "undo_conflict");
}

#[test]
fn an_undo_is_known_under_a_name_that_somebody_gave_the_file_between_two_records() {
    let repo = TestRepo::with_files(&[
        ("f", "a\nf line 1\n\nf line 3\nf line 4\nfoo w\nf line 6\n"),
        ("g", "foo w\n}\ng line 2\ng line 3\ng line 4\ng line 5\n}\n"),
    ]);
    let first = repo.edit("g", "g line 3\n", "}\n  r\ng line 3\n");
    moved(&repo, "g", "k");
    let second = repo.edit("k", "g line 5\n}\n", "g line 5\n}\na\nb\n");
    repo.write("k", "foo w\n}\ng line 2\n}\n  r\ng line 3\ng line 4\ng line 5\n}\na\nb\na\n");
    repo.done(&["undo", &first], "");
    repo.done(&["undo", &second], "");
    assert_eq!(repo.refused(&["undo", &second], ""), "nothing_to_undo");
}

#[test]
fn a_file_that_came_back_goes_by_a_redo_whatever_name_the_one_it_was_copied_from_got() {
    let repo = TestRepo::with_files(&[
        ("f", "  r\nend\nf line 2\nfoo w\nf line 4\nf line 5\n"),
        ("g", "g line 0\na\ng line 2\nx w\ng line 4\n"),
    ]);
    repo.write("k", repo.text("g"));
    let first = repo.apply(json!({"path": "k", "delete": true}));
    repo.commit_all("all");
    let second = inverted(&repo, &["undo", &first]);
    repo.apply(json!({"path": "g", "rename_to": "h"}));
    repo.done(&["redo", &second], "");
    assert!(!repo.has("k"));
}

#[test]
fn a_record_undone_before_others_wrote_above_it_is_told_as_undone_under_a_new_name() {
    let repo = TestRepo::with_files(&[("f", "f line 0\na\n  r\np q\n"), ("g", "  r\nfoo w\ng line 2\n")]);
    let first = repo.edit("f", "p q\n", "p q\n  r\np q\n");
    repo.done(&["undo", &first], "");
    repo.edit("f", "  r\n", "end\na\n  r\n");
    moved(&repo, "f", "h");
    assert!(repo.said(&["undo", &first]).contains("is undone already, by"));
}

#[test]
fn a_file_over_which_another_one_was_moved_twice_is_not_the_record_s() {
    let repo = TestRepo::with_files(&[("f", "  r\nf line 1\nf line 2\n"), ("g", "foo w\ng line 1\ng line 2\n")]);
    let first = repo.edit("f", "  r\n", "  r\na\n");
    moved(&repo, "g", "k");
    moved(&repo, "k", "f");
    repo.write("k", repo.text("f"));
    moved(&repo, "k", "g");
    moved(&repo, "g", "f");
    repo.edit("f", "g line 2\n", "g line 2\ng line 1\ng line 2\n");
    assert!(repo.said(&["undo", &first]).contains("nothing in the file there tells"));
}

#[test]
fn of_two_files_that_exchanged_names_the_other_one_is_not_the_record_s() {
    let repo = TestRepo::with_files(&[("f", "}\nf line 1\nf line 2\nend\n"), ("g", "g line 0\nb\ng line 2\n")]);
    repo.edit("g", "b\n", "b\ng line 0\nb\n");
    let first = repo.edit("f", "f line 1\n", "f line 1\nx w\np q\n");
    moved(&repo, "g", "h");
    moved(&repo, "f", "g");
    moved(&repo, "h", "f");
    several(&repo, "g", [["end\n", "f line 2\nend\n"], ["x w\n", ""]]);
    assert!(repo.said(&["undo", &first]).contains("cannot undo g hunk 1 (now lines 3 to 4): these lines were changed"));
}

#[test]
fn a_file_that_git_moved_and_a_record_removed_is_told_by_its_first_name() {
    let repo = TestRepo::with_files(&[("f", "}\nf line 1\nf line 2\nend\n"), ("g", "g line 0\nb\ng line 2\n")]);
    let first = repo.edit("f", "}\n", "}\n  r\np q\nb\n");
    repo.git(&["mv", "f", "h"]);
    repo.apply(json!({"path": "h", "delete": true}));
    assert!(repo.said(&["undo", &first]).contains("cannot undo f: the file is no longer there"));
}

#[test]
fn a_file_is_found_that_git_moved_and_that_was_edited_before_the_commit() {
    let repo = TestRepo::with_files(&[
        ("f", "f line 0\nf line 1\na\nf line 3\nx w\nx w\n"),
        ("g", "g line 0\ng line 1\n}\nb\ng line 4\nx w\n"),
    ]);
    let first = repo.edit("g", "x w\n", "x w\nend\n");
    repo.git(&["mv", "g", "h"]);
    repo.edit("h", "end\n", "a\n  r\nb\nend\n");
    repo.commit_all("all");
    repo.done(&["undo", &first], "");
    assert_eq!(repo.text("h"), "g line 0\ng line 1\n}\nb\ng line 4\nx w\na\n  r\nb\n");
}

#[test]
fn a_file_that_was_moved_over_a_renamed_one_is_not_the_record_s() {
    let repo = TestRepo::with_files(&[("f", "f line 0\na\n  r\np q\n"), ("g", "  r\nfoo w\ng line 2\n")]);
    let first = repo.edit("g", "g line 2\n", "");
    repo.done(&["undo", &first], "");
    repo.edit("f", "p q\n", "a\n  r\np q\n");
    repo.done(&["redo", &first], "");
    repo.apply(json!({"path": "g", "rename_to": "h"}));
    moved(&repo, "f", "g");
    moved(&repo, "g", "h");
    assert!(repo.said(&["undo", &first]).contains("nothing in the file there tells"));
}

#[test]
fn a_file_that_has_its_name_back_from_a_record_s_rename_is_told_with_who_changed_it() {
    let repo = TestRepo::with_files(&[
        ("f", "\na\nf line 2\na\nend\n}\nf line 6\n"),
        ("g", "foo w\ng line 1\ng line 2\ng line 3\n"),
    ]);
    let first = repo.edit("g", "foo w\ng line 1\n", "p q\n}\n");
    repo.done(&["undo", &first], "");
    repo.edit("g", "foo w\n", "foo w\nend\nb\n");
    repo.apply(json!({"path": "g", "rename_to": "k"}));
    moved(&repo, "k", "g");
    assert!(repo.said(&["redo", &first]).contains("these lines were changed since (record "));
}

#[test]
fn a_copy_at_the_name_of_a_file_that_another_record_renamed_is_the_record_s() {
    let repo = TestRepo::with_files(&[
        ("f", "b\np q\nf line 2\n}\nfoo w\n"),
        ("g", "g line 0\ng line 1\ng line 2\ng line 3\n}\ng line 5\n"),
    ]);
    let first = repo.edit("g", "g line 5\n", "g line 5\nx w\n  r\n  r\n");
    moved(&repo, "f", "h");
    moved(&repo, "g", "f");
    moved(&repo, "h", "g");
    repo.git(&["mv", "g", "h"]);
    repo.apply(json!({"path": "f", "rename_to": "k"}));
    moved(&repo, "h", "f");
    repo.write("g", repo.text("k"));
    repo.done(&["undo", &first], "");
    assert_eq!(repo.text("g"), "g line 0\ng line 1\ng line 2\ng line 3\n}\ng line 5\n");
}

#[test]
fn lines_come_back_by_a_redo_in_a_moved_file_where_a_later_record_took_a_bracket() {
    let repo = TestRepo::with_files(&[("f", "}\nf line 1\n}\nf line 3\n"), ("g", "end\nend\n}\ng line 3\n")]);
    let first = repo.edit("f", "f line 3\n", "foo w\np q\n}\n");
    repo.git(&["mv", "f", "k"]);
    repo.done(&["undo", &first], "");
    repo.edit("k", "}\nf line 1\n", "x w\nf line 1\n");
    repo.edit("k", "f line 1\n", "}\nf line 1\n");
    repo.done(&["redo", &first], "");
    assert_eq!(repo.text("k"), "x w\n}\nf line 1\n}\nfoo w\np q\n}\n");
}

fn numbered(what: &str) -> String {
    (1..=12).map(|n| format!("{what} {n}\n")).collect()
}

#[test]
fn an_edit_goes_back_in_a_file_that_is_staged_under_another_name_and_not_in_a_new_one_at_its_own() {
    for since in [|_: &mut String| (), |text: &mut String| *text = text.replace("line 9\n", "nine\n")] {
        let repo = TestRepo::with_files(&[("f", &numbered("line")), ("g", &numbered("g"))]);
        repo.edit("f", "line 3\n", "three\n");
        repo.git(&["mv", "f", "h"]);
        repo.write("f", numbered("other"));
        let mut text = repo.text("h");
        since(&mut text);
        repo.write("h", &text);
        repo.done(&["undo"], "");
        assert_eq!((repo.text("h"), repo.text("f")), (text.replace("three\n", "line 3\n"), numbered("other")));
    }
}

#[test]
fn an_edit_of_a_file_that_only_another_branch_has_is_not_told_as_taken_back_in_one_like_it() {
    let repo = TestRepo::with_files(&[("f", &numbered("line"))]);
    repo.git(&["checkout", "-q", "-b", "other"]);
    repo.git(&["mv", "f", "h"]);
    repo.commit_all("moved");
    repo.edit("h", "line 3\n", "three\n");
    repo.commit_all("edited");
    repo.git(&["checkout", "-q", "main"]);
    assert_eq!(repo.refused(&["undo"], ""), "undo_conflict");
    assert_eq!(repo.text("f"), numbered("line"));
}

#[test]
fn a_file_that_was_renamed_and_edited_before_an_edit_is_found_under_its_first_name_again() {
    let found = numbered("line").replace("line 7\n", "seven\n");
    let left = found.replace("line 3\n", "three\n");
    let repo = || {
        let repo = TestRepo::with_files(&[("f", &numbered("line")), ("g", &found)]);
        moved(&repo, "f", "h");
        repo.write("h", &found);
        repo.edit("h", "line 3\n", "three\n");
        repo
    };
    // Git has another file with just what the edit found.
    let repo_1 = repo();
    moved(&repo_1, "h", "f");
    repo_1.done(&["undo"], "");
    assert_eq!((repo_1.text("f"), repo_1.text("g")), (found.clone(), found.clone()));
    // Somebody made one that is like it.
    let repo_2 = repo();
    moved(&repo_2, "h", "f");
    repo_2.write("k", left.replace("line 10\n", "ten\n"));
    repo_2.done(&["undo"], "");
    assert_eq!((repo_2.text("f"), repo_2.text("k")), (found.clone(), left.replace("line 10\n", "ten\n")));
    // A copy may as well be it.
    let repo_3 = repo();
    moved(&repo_3, "h", "f");
    repo_3.write("k", &left);
    assert_eq!(repo_3.refused(&["undo"], ""), "undo_conflict");
    // What was undone under one name is done again under the other.
    let repo_4 = TestRepo::with_files(&[("f", &numbered("line"))]);
    moved(&repo_4, "f", "h");
    repo_4.write("h", &found);
    repo_4.edit("h", "line 3\n", "three\n");
    repo_4.done(&["undo"], "");
    moved(&repo_4, "h", "f");
    repo_4.done(&["redo"], "");
    assert_eq!(repo_4.text("f"), left);
}

#[test]
fn two_files_of_one_record_are_never_found_as_one() {
    // Both had the same text, and one is left under another name: it may be either.
    let repo = TestRepo::with_files(&[("f", &numbered("line")), ("g", &numbered("line"))]);
    let edits = ["f", "g"].map(|path| json!({"path": path, "old_string": "line 3\n", "new_string": "three\n"}));
    repo.apply(json!({"files": edits}));
    moved(&repo, "f", "h");
    std::fs::remove_file(repo.root().join("g")).expect("a file");
    let stood = repo.text("h");
    assert_eq!(repo.refused(&["undo"], ""), "undo_conflict");
    assert_eq!(repo.text("h"), stood);
    // One that was made has the name of another now.
    let repo = TestRepo::with_files(&[("o", "o\n")]);
    let made = [("f", numbered("line")), ("g", numbered("line") + "more\n")];
    repo.apply(json!({"files": made.map(|(path, text)| json!({"path": path, "content": text}))}));
    moved(&repo, "f", "h");
    moved(&repo, "g", "f");
    assert_eq!(repo.refused(&["undo"], ""), "undo_conflict");
    assert_eq!((repo.text("h"), repo.text("f")), (numbered("line"), numbered("line") + "more\n"));
}

#[test]
fn a_made_file_that_is_gone_is_told_by_its_name_as_taken_back() {
    let repo = TestRepo::with_files(&[("o", "o\n")]);
    let made = ["f", "g"].map(|path| json!({"path": path, "content": numbered(path)}));
    repo.apply(json!({"files": made}));
    std::fs::remove_file(repo.root().join("f")).expect("a file");
    assert!(repo.said(&["undo"]).contains("what was done to f is taken back already"));
    assert!(!repo.has("g"));
    // Somebody put its lines into another one.
    let repo = TestRepo::with_files(&[("o", "o\n")]);
    repo.apply(json!({"path": "f", "content": numbered("line")}));
    repo.write("o", "o\n".to_owned() + &numbered("line"));
    std::fs::remove_file(repo.root().join("f")).expect("a file");
    let told = repo.redraft(&["undo"], "");
    assert!(told.out.contains("what it did to f is taken back already"), "{}", told.out);
}

#[test]
fn who_made_another_file_of_the_name_is_not_told_to_have_changed_the_first_one() {
    let repo = TestRepo::with_files(&[("o", "o\n")]);
    let first = repo.apply(json!({"path": "f", "content": numbered("line")}));
    repo.apply(json!({"path": "f", "delete": true}));
    let other = repo.apply(json!({"path": "f", "content": numbered("other")}));
    let told = repo.redraft(&["undo", &first], "");
    assert!(told.out.contains("undo_conflict") && !told.out.contains(&other), "{}", told.out);
}

#[test]
fn a_copy_that_git_ignores_does_not_hide_the_file_that_was_moved() {
    let repo = TestRepo::with_files(&[("f", &numbered("line"))]);
    repo.edit("f", "line 3\n", "three\n");
    moved(&repo, "f", "h");
    repo.write(".gitignore", "*.tmp\n");
    repo.write("h.tmp", repo.text("h"));
    let copied = repo.text("h");
    repo.done(&["undo"], "");
    assert_eq!((repo.text("h"), repo.text("h.tmp")), (numbered("line"), copied));
}

/// Seen: "nothing in force in these paths", of the seventeenth and later of many files that were renamed by hand.
#[test]
fn the_last_of_many_renamed_files_is_undone_by_its_new_name() {
    let names: Vec<String> = (10..34).map(|n| format!("k{n}")).collect();
    let texts: Vec<String> =
        names.iter().map(|name| (0..6).map(|n| format!("line {n} of {name}\n")).collect()).collect();
    let files: Vec<(&str, &str)> = names.iter().zip(&texts).map(|(name, text)| (&name[..], &text[..])).collect();
    let repo = TestRepo::with_files(&files);
    let edit =
        |name: &String| json!({"path": name, "old_string": format!("line 2 of {name}"), "new_string": "changed"});
    let id = repo.apply(json!({"files": names.iter().map(edit).collect::<Vec<_>>()}));
    names.iter().for_each(|name| assert!(repo.shell(&format!("mv {name} m{name}")).success()));
    repo.done(&["undo", &id, "--", "mk33"], "");
    assert_eq!(repo.text("mk33"), texts[23]);
    assert!(repo.text("mk32").contains("changed"));
}
