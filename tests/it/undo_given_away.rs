//! The name of a record's file was given to another one since, or the file has an older name again.

use crate::support::TestRepo;
use serde_json::json;

const ROWS: &str = "l1 x\nl2 x\nl3 x\nl4 x\nl5 x\nl6 x\nl7 x\nl8 x\nl9 x\n";

/// Exchanges the names of two files.
fn exchanged(one: &str, other: &str) -> String {
    format!("mv {one} x_; mv {other} {one}; mv x_ {other};")
}

const COMMIT: &str = "git add -A; git commit -qm c;";
/// A look-alike of what is in a file.
const ALIKE: &str = "sed 's/l7 x/o7 x/; s/l8 x/o8 x/' a.txt > l.txt;";

/// The texts of the files in the root.
fn texts(repo: &TestRepo) -> Vec<String> {
    let names = std::fs::read_dir(repo.root()).expect("a root").map(|entry| entry.expect("an entry").file_name());
    let mut texts: Vec<String> = names
        .map(|name| name.to_string_lossy().into_owned())
        .filter(|name| name.ends_with(".txt"))
        .map(|name| format!("{name}: {}", repo.text(&name)))
        .collect();
    texts.sort();
    texts
}

fn rows() -> TestRepo {
    TestRepo::with_files(&[("a.txt", ROWS)])
}

#[track_caller]
fn is_another(repo: &TestRepo, args: &[&str]) {
    let before = texts(repo);
    let said = repo.said(args);
    assert!(said.contains("nothing in the file there tells that it is the one"), "{said}");
    assert_eq!(texts(repo), before);
}

/// Seen: the edit was taken out of the look-alike, which git had got after the record.
#[test]
fn a_look_alike_that_git_got_after_the_record_is_not_the_file() {
    let swap = exchanged("a.txt", "l.txt");
    let over = "mv a.txt n.txt; mv l.txt a.txt;";
    let over_in_git = format!("git mv a.txt n.txt; git mv l.txt a.txt; {COMMIT}");
    for moves in [swap.as_str(), over, &over_in_git] {
        let repo = rows();
        let id = repo.edit("a.txt", "l3 x\n", "THREE\n");
        repo.shell(&format!("{COMMIT} {ALIKE} {COMMIT} {moves}"));
        is_another(&repo, &["undo", &id]);

        let repo = rows();
        let id = repo.edit("a.txt", "l3 x\n", "THREE\n");
        repo.done(&["undo", &id], "");
        repo.shell(&format!("{ALIKE} {COMMIT} {moves}"));
        is_another(&repo, &["redo", &id]);
    }
    // With other files that changed in the same commit, before and behind the two by their names.
    let repo = TestRepo::with_files(&[("A.txt", "u 1\n"), ("a.txt", ROWS), ("z.txt", "z 1\n")]);
    let id = repo.edit("a.txt", "l3 x\n", "THREE\n");
    repo.shell(&format!("{COMMIT} {ALIKE} {COMMIT} {swap} echo u 2 >> A.txt; echo z 2 >> z.txt; {COMMIT}"));
    is_another(&repo, &["undo", &id]);
    // What the agent gave the name.
    let repo = rows();
    let id = repo.apply(json!({"path": "a.txt", "rename_to": "b.txt"}));
    repo.shell(&format!(
        "{COMMIT} sed 's/l7 x/o7 x/; s/l8 x/o8 x/' b.txt > l.txt; {COMMIT} {}",
        exchanged("b.txt", "l.txt")
    ));
    is_another(&repo, &["undo", &id]);
    // Exchanged and given back, it is the file.
    let repo = rows();
    let id = repo.edit("a.txt", "l3 x\n", "THREE\n");
    repo.shell(&format!("{COMMIT} {ALIKE} {COMMIT} {swap} {COMMIT} {swap} {COMMIT} sed -i 's/l1 x/l1 user/' a.txt"));
    repo.done(&["undo", &id], "");
    assert_eq!(repo.text("a.txt"), ROWS.replace("l1 x", "l1 user"));
    // A person gave a file a text that no other one lost.
    let repo = rows();
    let id = repo.edit("a.txt", "l3 x\n", "THREE\n");
    repo.shell(&format!("{COMMIT} {ALIKE} {COMMIT} cp l.txt a.txt"));
    repo.done(&["undo", &id], "");
    assert!(repo.text("a.txt").contains("l3 x\n") && repo.text("l.txt").contains("THREE\n"));
}

/// Seen: the copy at the old name was edited, or removed, or "taken back already", while the file was where commits, or what is
/// staged, have it.
#[test]
fn a_file_that_git_moved_on_is_there_whatever_is_at_its_old_name() {
    let moved = format!("git mv a.txt b.txt; {COMMIT}");
    let copied = ["cp b.txt a.txt;", "sed 's/THREE/l3 x/' b.txt > a.txt;"];
    // A commit of both, the move and the copy, tells nothing.
    for (moves, then) in [(moved.as_str(), ""), (&moved, COMMIT), ("git mv a.txt b.txt;", "")] {
        for copy in copied {
            let repo = rows();
            let id = repo.edit("a.txt", "l3 x\n", "THREE\n");
            repo.shell(&format!("{moves} {copy} {then}"));
            let copy = repo.text("a.txt");
            repo.done(&["undo", &id], "");
            assert_eq!((repo.text("b.txt"), repo.text("a.txt")), (ROWS.to_owned(), copy));
        }
    }
    // It was moved back.
    let repo = rows();
    let id = repo.edit("a.txt", "l3 x\n", "THREE\n");
    repo.shell(&format!("{moved} git mv b.txt a.txt; {COMMIT}"));
    repo.done(&["undo", &id], "");
    assert_eq!(repo.text("a.txt"), ROWS);
    // Of an agent's rename.
    let repo = rows();
    let id = repo.apply(json!({"path": "a.txt", "rename_to": "b.txt"}));
    repo.shell(&format!("{COMMIT} git mv b.txt c.txt; {COMMIT} cp c.txt a.txt"));
    assert!(repo.said(&["undo", &id]).contains("was renamed again since, to c.txt"));
    // A file that the agent made.
    let repo = rows();
    let id = repo.apply(json!({"path": "n.txt", "content": "n 1\nn 2\nn 3\n"}));
    repo.shell(&format!("{COMMIT} git mv n.txt m.txt; {COMMIT} cp m.txt n.txt"));
    repo.done(&["undo", &id], "");
    assert!(repo.has("n.txt") && !repo.has("m.txt"));
}

/// Seen: "was taken back, and record .. did it again" of the undo, which sent to the redo, and so on in a circle.
#[test]
fn what_was_undone_under_a_new_name_and_redone_under_the_old_one_can_be_undone() {
    let repo = rows();
    let id = repo.edit("a.txt", "l3 x\n", "THREE\n");
    repo.shell("mv a.txt b.txt");
    repo.done(&["undo"], "");
    repo.shell("mv b.txt a.txt");
    repo.done(&["redo"], "");
    repo.done(&["undo", &id], "");
    assert_eq!(repo.text("a.txt"), ROWS);
}

/// Seen: "the file is no longer there".
#[test]
fn a_file_that_has_the_name_again_under_which_an_older_record_left_it() {
    let renamed_and_back = || {
        let repo = rows();
        let first = repo.edit("a.txt", "l3 x\n", "THREE\n");
        repo.shell("mv a.txt b.txt");
        let second = repo.edit("b.txt", "l6 x\n", "SIX\n");
        repo.shell("mv b.txt a.txt");
        (repo, first, second)
    };
    let (repo, first, _) = renamed_and_back();
    repo.done(&["undo"], "");
    repo.done(&["undo", &first], "");
    assert_eq!(repo.text("a.txt"), ROWS);
    let (repo, first, second) = renamed_and_back();
    let third = repo.edit("a.txt", "l9 x\n", "NINE\n");
    for id in [&second, &third, &first] {
        repo.done(&["undo", id], "");
    }
    assert_eq!(repo.text("a.txt"), ROWS);
    // Another one is at the name that the record knows.
    let repo = TestRepo::with_files(&[("a.txt", ROWS), ("c.txt", "c 1\nc 2\n")]);
    repo.edit("a.txt", "l3 x\n", "THREE\n");
    repo.shell("mv a.txt d.txt");
    repo.done(&["undo"], "");
    repo.shell("mv d.txt a.txt; mv c.txt d.txt");
    repo.done(&["redo"], "");
    assert!(repo.text("a.txt").contains("THREE\n"));
    repo.shell("mv a.txt t; mv d.txt c.txt; mv t a.txt");
    repo.done(&["undo"], "");
    assert_eq!(repo.text("a.txt"), ROWS);
}

/// Seen: "taken back already", as what another file had was taken for what this one had had.
#[test]
fn files_that_exchanged_their_names_and_of_which_git_has_one_or_none() {
    let alike = ROWS.replace("l7 x", "o7 x").replace("l8 x", "o8 x");
    let repo = TestRepo::with_files(&[("k", "k\n")]);
    repo.apply(json!({"path": "a.txt", "content": ROWS}));
    repo.apply(json!({"path": "c.txt", "content": alike}));
    repo.shell(&exchanged("a.txt", "c.txt"));
    let id = repo.edit("a.txt", "l3 x\n", "THREE\n");
    repo.shell(&exchanged("a.txt", "c.txt"));
    repo.done(&["undo", &id], "");
    assert_eq!((repo.text("a.txt"), repo.text("c.txt")), (ROWS.to_owned(), alike.clone()));

    let repo = rows();
    repo.write("b.txt", &alike);
    let id = repo.edit("b.txt", "l3 x\n", "THREE\n");
    repo.shell(&exchanged("a.txt", "b.txt"));
    is_another(&repo, &["undo", &id]);
    repo.edit("b.txt", "l6 x\n", "SIX\n");
    is_another(&repo, &["undo", &id]);
}

/// Seen: "taken back already", of one of two files with exit code 0.
#[test]
fn a_file_that_an_agent_made_and_that_was_moved_over_another_one_is_not_gone() {
    let repo = rows();
    let made = |path: &str, text: &str| json!({"path": path, "content": text});
    repo.apply(json!({"files": [made("n.txt", "n 1\nn 2\nn 3\n"), made("m.txt", "m 1\nm 2\nm 3\n")]}));
    repo.shell("mv n.txt a.txt");
    assert!(repo.said(&["undo"]).contains("it may be the file that was created, moved"));
    assert!(repo.has("m.txt") && repo.text("a.txt") == "n 1\nn 2\nn 3\n");

    // Another one with its text was made at its name.
    let repo = rows();
    let first = repo.apply(made("n.txt", "n 1\nn 2\nn 3\n"));
    repo.shell("mv n.txt m.txt");
    repo.apply(made("n.txt", "n 1\nn 2\nn 3\n"));
    assert!(repo.said(&["undo", &first]).contains("it may be the file that was created, moved"));
    repo.done(&["undo"], "");
    repo.done(&["undo", &first], "");
    assert!(!repo.has("n.txt") && !repo.has("m.txt"));
}

/// A file that is still where it was, edited or not, was not given the name of another one.
#[test]
fn a_file_that_got_lines_of_one_beside_it_is_itself() {
    let alike = ROWS.replace("l1 x", "b1 x").replace("l2 x", "b2 x");
    let repo = TestRepo::with_files(&[("a.txt", ROWS), ("b.txt", &alike)]);
    let id = repo.edit("a.txt", "l7 x\n", "SEVEN\n");
    repo.shell("sed -i 's/l9 x/nine/' b.txt; sed -i 's/l1 x/b1 x/; s/l2 x/b2 x/' a.txt");
    repo.done(&["undo", &id], "");
    assert_eq!(repo.text("a.txt"), alike);
}

/// What an agent's older record left in another file that is gone, and that a person brought back here, is that file.
#[test]
fn an_older_text_of_a_file_that_is_gone_is_not_this_file() {
    let older = ROWS.replace("l2 x", "two").replace("l9 x", "NINE");
    let repo = rows();
    repo.apply(json!({"path": "b.txt", "content": older}));
    repo.edit("b.txt", "l3 x\nl4 x\nl5 x\n", "b3\nb4\nb5\n");
    let id = repo.edit("a.txt", "l9 x\n", "NINE\n");
    repo.shell("rm b.txt");
    repo.write("a.txt", &older);
    is_another(&repo, &["undo", &id]);
}

/// A file that was found under another name, and edited there by a person and an agent: its older texts are its own.
#[test]
fn what_a_file_was_under_the_name_before_it_was_found_is_its_own() {
    let repo = TestRepo::with_files(&[("x.txt", ROWS)]);
    repo.edit("x.txt", "l7 x\n", "SEVEN\n");
    repo.shell("mv x.txt a.txt");
    repo.done(&["undo"], "");
    repo.shell("sed -i 's/l1 x/l1 user/' a.txt");
    let id = repo.edit("a.txt", "l3 x\n", "THREE\n");
    repo.shell("sed -i 's/THREE/l3 x/; s/l7 x/SEVEN/' a.txt");
    assert!(repo.said(&["undo", &id]).contains("is taken back already"));
}

/// Seen: redone in the copy, as the file had the name of another one, which git had.
#[test]
fn an_edited_copy_of_a_file_that_got_the_name_of_another_one_is_not_the_file() {
    let repo = TestRepo::with_files(&[("a.txt", ROWS), ("b.txt", "b 1\nb 2\nb 3\n")]);
    repo.edit("a.txt", "l3 x\n", "THREE\n");
    repo.done(&["undo"], "");
    repo.shell(&format!(
        "{} echo mine >> b.txt; mv a.txt c.txt; cp b.txt copy.txt; echo more >> copy.txt",
        exchanged("a.txt", "b.txt")
    ));
    let before = texts(&repo);
    assert_ne!(repo.redraft(&["redo"], "").status, 0);
    assert_eq!(texts(&repo), before);
}

/// Seen: undone in the copy, which is more like what the record left than the file, which was edited more.
#[test]
fn of_a_file_and_its_copy_that_were_both_edited_neither_is_taken() {
    for (moves, add) in [("mv a.txt m.txt", "true"), ("git mv a.txt m.txt", "git add copy.txt")] {
        let repo = rows();
        let id = repo.edit("a.txt", "l3 x\n", "");
        repo.shell(&format!("git commit -qam c; (echo mine; cat a.txt) > copy.txt; {moves}; {add}"));
        repo.shell("sed -i 's/l[1456] x/user &/' m.txt; git add -u");
        let before = texts(&repo);
        assert_ne!(repo.redraft(&["undo", &id], "").status, 0, "{moves}");
        assert_eq!(texts(&repo), before);
    }
}

/// A person put the text of the file into another one, which an agent had made or which had had the same text: that is a copy.
#[test]
fn a_file_whose_text_was_put_into_another_one_of_the_log_is_itself() {
    let then = "cp a.txt b.txt; sed -i 's/l1 x/l1 user/' a.txt";
    let repo = rows();
    repo.apply(json!({"path": "b.txt", "content": "b 1\nb 2\n"}));
    let id = repo.edit("a.txt", "l6 x\n", "SIX\n");
    repo.shell(then);
    repo.done(&["undo", &id], "");
    assert_eq!(repo.text("a.txt"), ROWS.replace("l1 x", "l1 user"));
    // Both had the same text once, and the file had it by a record of its own.
    let repo = rows();
    let three = ROWS.replace("l3 x", "THREE");
    repo.apply(json!({"path": "b.txt", "content": three}));
    repo.edit("a.txt", "l3 x\n", "THREE\n");
    let id = repo.edit("a.txt", "l6 x\n", "SIX\n");
    repo.shell(then);
    repo.done(&["undo", &id], "");
    assert_eq!(repo.text("a.txt"), three.replace("l1 x", "l1 user"));
}

/// A person had taken a line out of it when the record was made, as another file of git's lacks it, and put it back since.
#[test]
fn a_file_that_lacked_a_line_as_another_one_does_and_has_it_again_is_itself() {
    let short = ROWS.replace("l9 x\n", "");
    let repo = TestRepo::with_files(&[("a.txt", ROWS), ("o.txt", &short)]);
    repo.write("a.txt", &short);
    let id = repo.edit("a.txt", "l3 x\n", "THREE\n");
    repo.write("a.txt", ROWS.replace("l3 x", "THREE"));
    repo.done(&["undo", &id], "");
    assert_eq!((repo.text("a.txt"), repo.text("o.txt")), (ROWS.to_owned(), short));
}

/// Seen: redone in an edited copy of a file that was renamed when the record was made, and has its old name, and HEAD's text, again.
#[test]
fn an_edited_copy_of_a_file_that_there_is_is_not_one_that_is_gone() {
    let repo = rows();
    repo.shell("git mv a.txt m.txt; sed -i 's/l1 x/l1 x\\nof a person/' m.txt");
    let id = repo.edit("m.txt", "l3 x\n", "THREE\n");
    repo.done(&["undo", &id], "");
    repo.shell("git add -A; git checkout -qf HEAD; git reset -q --hard; (cat a.txt; echo copied) > c.txt");
    let before = texts(&repo);
    repo.refused(&["redo"], "");
    assert_eq!(texts(&repo), before);
    // Of one that is like another one that git has.
    let repo = TestRepo::with_files(&[("a.txt", ROWS), ("b.txt", &ROWS.replace("l9 x", "b9 x"))]);
    let id = repo.edit("a.txt", "l3 x\n", "THREE\n");
    repo.shell("rm a.txt; (cat b.txt; echo copied) > c.txt");
    let before = texts(&repo);
    repo.refused(&["undo", &id], "");
    assert_eq!(texts(&repo), before);
    // Moved and edited, it is more like what it was.
    let repo = TestRepo::with_files(&[("a.txt", ROWS), ("b.txt", &ROWS.replace("l9 x", "b9 x"))]);
    let id = repo.edit("a.txt", "l3 x\n", "THREE\n");
    repo.shell("mv a.txt c.txt; echo of a person >> c.txt");
    repo.done(&["undo", &id], "");
    assert_eq!(repo.text("c.txt"), format!("{ROWS}of a person\n"));
}

/// Another file has its new name, and what is at the old one is not just what the last record left.
#[test]
fn an_edited_file_that_has_an_older_name_again_is_told_by_its_lines_where_another_one_has_the_name() {
    let repo = TestRepo::with_files(&[("a.txt", ROWS), ("c.txt", &ROWS.replace('l', "c"))]);
    let id = repo.edit("a.txt", "l2 x\n", "l2 N\n");
    repo.apply(json!({"path": "a.txt", "rename_to": "b.txt"}));
    repo.shell("sed 's/l7 x/l7 u/' b.txt > a.txt; mv c.txt b.txt");
    repo.done(&["undo", &id], "");
    assert_eq!((repo.text("a.txt"), repo.text("b.txt")), (ROWS.replace("l7 x", "l7 u"), ROWS.replace('l', "c")));
}

/// It was edited when it was moved: that may be a copy.
#[test]
fn a_file_that_git_brought_back_to_its_name_is_there_though_git_had_moved_it() {
    let repo = rows();
    let id = repo.edit("a.txt", "l2 x\n", "l2 N\n");
    repo.commit_all("edit");
    repo.shell(
        "git mv a.txt m.txt; sed -i 's/l7 x/l7 u/' m.txt; git commit -qam moved; git checkout -q HEAD~1 -- a.txt",
    );
    repo.done(&["undo", &id], "");
    assert_eq!(repo.text("a.txt"), ROWS);
    assert!(repo.text("m.txt").contains("l2 N\n"));
}

/// Its very text stands at the name that it had before, and in a copy.
#[test]
fn a_file_that_has_its_old_name_again_is_there_where_another_one_has_the_name_that_a_record_gave_it() {
    for new in ["", "N 3\n"] {
        let other = "o1 x\no2 x\no3 x\no4 x\no5 x\n";
        let repo = TestRepo::with_files(&[("a.txt", ROWS), ("o.txt", other)]);
        let id = repo.edit("a.txt", "l3 x\n", new);
        repo.apply(json!({"path": "a.txt", "rename_to": "b.txt"}));
        let left = repo.text("b.txt");
        repo.shell("mv b.txt a.txt; mv o.txt b.txt; cp a.txt k.txt");
        repo.done(&["undo", &id], "");
        assert_eq!([repo.text("a.txt"), repo.text("b.txt"), repo.text("k.txt")], [ROWS, other, &left]);
    }
}
