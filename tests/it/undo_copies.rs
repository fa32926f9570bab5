//! A copy of a record's file, or one that is like it, is not the file: not where a later record edited it, where an agent made
//! it, or where another file of the record is meant.

use crate::support::TestRepo;
use serde_json::json;

pub const ROWS: &str = "l1 x\nl2 x\nl3 x\nl4 x\nl5 x\nl6 x\nl7 x\nl8 x\n";

/// One committed file.
pub fn rows() -> TestRepo {
    TestRepo::with_files(&[("a.txt", ROWS)])
}

/// Two committed files, the second of them a version of the first one without some of its lines, or with some more.
fn two(other: &str) -> TestRepo {
    TestRepo::with_files(&[("a.txt", ROWS), ("b.txt", other)])
}

#[track_caller]
pub fn writes_nothing(repo: &TestRepo, args: &[&str]) {
    let state = || {
        let names = repo.git(&["ls-files", "-co", "--exclude-standard"]);
        let text = |name: &str| (name.to_owned(), repo.has(name).then(|| repo.text(name)));
        names.lines().map(text).collect::<Vec<_>>()
    };
    let before = state();
    let answer = repo.redraft(args, "");
    assert_ne!(answer.status, 0, "{}", answer.out);
    assert_eq!(state(), before, "{}", answer.out);
}

/// Seen: the edit was undone in the copy, as a later record had edited that, while git knew where the file had gone.
#[test]
fn a_copy_that_a_later_record_edited_is_not_the_file_that_git_moved() {
    for moves in ["git mv a.txt m.txt", "git mv a.txt m.txt; git commit -qam moved"] {
        let repo = rows();
        let id = repo.edit("a.txt", "l1 x\n", "l1 x\nS S\n");
        repo.shell("cp a.txt copy.txt");
        repo.edit("copy.txt", "l5 x\n", "l5 n\n");
        repo.shell(moves);
        let copy = repo.text("copy.txt");
        repo.done(&["undo", &id], "");
        assert_eq!((repo.text("m.txt"), repo.text("copy.txt")), (ROWS.to_owned(), copy.clone()), "{moves}");
        repo.done(&["redo"], "");
        assert!(repo.text("m.txt").contains("S S\n") && repo.text("copy.txt") == copy);
    }
    // Nobody knows which one was moved.
    let repo = rows();
    let id = repo.edit("a.txt", "l1 x\n", "l1 x\nS S\n");
    repo.shell("cp a.txt copy.txt");
    repo.edit("copy.txt", "l5 x\n", "l5 n\n");
    repo.shell("mv a.txt m.txt");
    writes_nothing(&repo, &["undo", &id]);
}

/// Seen: the copy was edited, though one record knows both files.
#[test]
fn a_copy_that_a_record_edited_beside_the_file_is_not_the_file() {
    let repo = rows();
    let id = repo.edit("a.txt", "l1 x\n", "l1 x\nS S\n");
    repo.shell("cp a.txt copy.txt");
    repo.write("a.txt", ROWS);
    let edit = json!({"path": "copy.txt", "old_string": "l5 x\n", "new_string": "l5 n\n"});
    repo.apply(json!({"files": [edit, {"path": "a.txt", "delete": true}]}));
    repo.done(&["undo"], "");
    repo.shell("mkdir d; mv a.txt d/");
    writes_nothing(&repo, &["undo", &id]);
}

/// Seen: the edit of a file that git removed was undone in the copy that an agent had made of it.
#[test]
fn a_copy_that_an_agent_made_is_not_the_file() {
    let repo = rows();
    let id = repo.edit("a.txt", "l6 x\n", "N N\n");
    repo.apply(json!({"path": "b.txt", "content": repo.text("a.txt")}));
    repo.shell("git rm -qf a.txt; git commit -qm removed");
    writes_nothing(&repo, &["undo", &id]);
}

/// Seen: a file that a record had renamed was removed, as the agent had made another one from its text.
#[test]
fn the_file_that_was_copied_is_not_removed_for_its_copy() {
    let repo = rows();
    repo.apply(json!({"path": "a.txt", "rename_to": "src/a.rs", "old_string": "l4 x\n", "new_string": ""}));
    let id = repo.apply(json!({"path": "new.txt", "content": repo.text("src/a.rs")}));
    repo.shell("sed -i 's/l2 x/l2 user/' new.txt; mv new.txt c.txt");
    writes_nothing(&repo, &["undo", &id]);
}

/// Seen: a copy of a committed file was removed, as the agent's file with its text had been stashed.
#[test]
fn a_copy_of_a_committed_file_is_not_removed_for_one_that_an_agent_made_alike() {
    let repo = rows();
    let id = repo.apply(json!({"path": "new.txt", "content": ROWS}));
    repo.shell("git stash -qu; cp a.txt copy.txt");
    writes_nothing(&repo, &["undo", &id]);
}

/// Seen: the agent's line was taken out of the file that has had it all along, and stands in the place of the edited one.
#[test]
fn a_file_that_has_the_agents_line_of_its_own_was_moved_over() {
    let other = ROWS.replace("l6 x\n", "l6 x\nNEW n\n").replace("l2 x\n", "l2 x\nBB b\n");
    for moves in [
        "mv b.txt a.txt",
        "mv b.txt a.txt; sed -i 's/l8 x/l8 u/' a.txt",
        "git add -A; git mv -f b.txt a.txt; git commit -qm moved",
    ] {
        let repo = two(&other);
        let id = repo.edit("a.txt", "l6 x\n", "l6 x\nNEW n\n");
        repo.shell(moves);
        writes_nothing(&repo, &["undo", &id]);
    }
}

/// Seen: a line of the edited file came back in the other one, which had got its name and was edited since.
#[test]
fn files_that_exchanged_their_names_and_were_edited_since() {
    let other = ROWS.replace("l4 x\n", "").replace("l6 x\n", "");
    let exchange = "mv a.txt t.t; mv b.txt a.txt; mv t.t b.txt";
    let repo = two(&other);
    let id = repo.edit("a.txt", "l6 x\n", "");
    repo.shell(exchange);
    repo.shell("sed -i 's/l8 x/l8 u/' a.txt");
    writes_nothing(&repo, &["undo", &id]);
    let repo = two(&other);
    let id = repo.edit("a.txt", "l6 x\n", "");
    repo.commit_all("edited");
    repo.shell(exchange);
    repo.shell("echo u >> b.txt; git commit -qam exchanged; echo v >> a.txt");
    writes_nothing(&repo, &["undo", &id]);
    // By the log alone: of both git has the same.
    let repo = two(ROWS);
    repo.edit("b.txt", "l2 x\n", "l2 x\nBB b\n");
    let id = repo.edit("a.txt", "l6 x\n", "l6 x\nNEW n\n");
    repo.edit("b.txt", "l6 x\n", "l6 x\nNEW n\n");
    repo.shell(exchange);
    writes_nothing(&repo, &["undo", &id]);
}

/// Seen: a line came back in a file of which the user had typed one line, and the agent had written the rest.
#[test]
fn a_new_file_of_an_agent_was_moved_over_and_edited() {
    for new in ["l8 x\nn 1\nn 2\nn 3\nn 4\n", "l1 x\nl2 x\nl3 x\nl5 x\nl6 b\nl7 b\nl8 b\n"] {
        let repo = rows();
        let id = repo.edit("a.txt", "l4 x\n", "");
        repo.apply(json!({"path": "new.txt", "content": new}));
        repo.shell("mv new.txt a.txt; echo 'user 1' >> a.txt");
        writes_nothing(&repo, &["undo", &id]);
    }
}

/// Seen: a line came back in the file that was made under the name after a commit had moved the edited one.
#[test]
fn a_file_that_was_committed_under_another_name_is_not_the_new_one_of_its_name() {
    let repo = rows();
    let id = repo.edit("a.txt", "l6 x\n", "");
    repo.shell(
        "git mv a.txt c.txt; git commit -qam moved; sed 's/l2 x/l2 z/' c.txt > a.txt; git add .; git commit -qm new",
    );
    let new = repo.text("a.txt");
    repo.done(&["undo", &id], "");
    assert_eq!((repo.text("c.txt"), repo.text("a.txt")), (ROWS.to_owned(), new.clone()));
    // Where it has its name back, it is itself.
    let repo = rows();
    let id = repo.edit("a.txt", "l6 x\n", "");
    repo.shell(
        "git mv a.txt c.txt; git commit -qam there; git mv c.txt a.txt; git commit -qm back; echo user >> a.txt",
    );
    repo.done(&["undo", &id], "");
    assert_eq!(repo.text("a.txt"), format!("{ROWS}user\n"));
}

/// Seen: "undid : ...; nothing was left of ID to be taken back" of what it did take back, as another file of the record, which
/// nobody could find, was taken for the one that is like it.
#[test]
fn two_files_of_one_record_are_not_taken_for_one() {
    let repo = rows();
    repo.apply(json!({"path": "new.txt", "content": format!("{ROWS}n 1\n")}));
    let edit = |path: &str, old: &str| json!({"path": path, "old_string": format!("{old} x\n"), "new_string": format!("{old} new\n")});
    let id = repo.apply(json!({"files": [edit("new.txt", "l2"), edit("a.txt", "l6")]}));
    repo.shell("sed -i 's/l2 new/l2 x/' new.txt; cp new.txt m1.txt; mv new.txt m2.txt; git mv a.txt b.txt");
    writes_nothing(&repo, &["undo", &id]);
    repo.done(&["undo", &id, "--", "b.txt"], "");
    assert_eq!(repo.text("b.txt"), ROWS);
}

/// Seen: "the file is no longer there", where an undo had found it under another name, and it went on.
#[test]
fn a_file_that_an_undo_found_is_found_again_by_its_redo() {
    let repo = rows();
    let id = repo.edit("a.txt", "l6 x\n", "");
    repo.shell("mv a.txt c.txt");
    repo.done(&["undo", &id], "");
    repo.shell("mv c.txt b.txt; git add -A; git commit -qm moved; mv b.txt m.txt");
    repo.edit("m.txt", "l2 x\n", "l2 y\n");
    repo.done(&["redo", &id], "");
    assert_eq!(repo.text("m.txt"), ROWS.replace("l6 x\n", "").replace("l2 x", "l2 y"));
}

/// Seen: "nothing in the file there tells that it is the one" of a file that is as git has it, beside one that an agent edited.
#[test]
fn a_file_that_is_as_git_had_it_is_itself() {
    let repo = two(&ROWS.replace("l2 x\n", "l2 b\n"));
    let id = repo.edit("a.txt", "l8 x\n", "l8 x\nl9 x\n");
    repo.edit("b.txt", "l8 x\n", "");
    repo.done(&["undo", &id], "");
    repo.edit("a.txt", "l3 x\n", "l3 y\n");
    repo.shell("git checkout -q -f HEAD");
    repo.done(&["redo", &id], "");
    assert_eq!(repo.text("a.txt"), format!("{ROWS}l9 x\n"));
}

/// Seen: the user's own older file was removed, and a copy was edited, though the log has it that the agent's file is gone.
#[test]
fn what_a_record_removed_is_in_no_copy() {
    let repo = rows();
    repo.write("notes.txt", "mine 1\nmine 2\nmine 3\n");
    let id = repo.apply(json!({"path": "new.txt", "content": repo.text("notes.txt")}));
    repo.apply(json!({"path": "new.txt", "delete": true}));
    assert!(repo.said(&["undo", &id]).contains("taken back already"));
    assert!(repo.has("notes.txt"));
    let id = repo.edit("a.txt", "l7 x\n", "SEVEN\n");
    repo.shell("cp a.txt b.txt");
    repo.apply(json!({"path": "a.txt", "delete": true}));
    writes_nothing(&repo, &["undo", &id]);
    // Undone, the deletion speaks no more.
    repo.done(&["undo"], "");
    repo.shell("mv a.txt c.txt; rm b.txt");
    repo.done(&["undo", &id], "");
    assert_eq!(repo.text("c.txt"), ROWS);
}

/// Seen: the copy was removed, or edited, though HEAD or one commit has both files.
#[test]
fn a_copy_that_git_had_beside_the_file_is_not_the_file() {
    let repo = rows();
    let id = repo.apply(json!({"path": "b.txt", "content": "n 1\nn 2\nn 3\n"}));
    repo.shell("cp b.txt c.txt; git add .; git commit -qm both; git rm -q b.txt; git commit -qm one");
    writes_nothing(&repo, &["undo", &id]);
    for moves in ["mv a.txt c.txt; sed -i 's/l3 x/three/' c.txt", "git rm -qf a.txt", "rm a.txt"] {
        let repo = rows();
        let id = repo.edit("a.txt", "l7 x\n", "SEVEN\n");
        repo.shell(&format!("cp a.txt b.txt; git add .; git commit -qm both; {moves}"));
        writes_nothing(&repo, &["undo", &id]);
    }
    let repo = rows();
    repo.apply(json!({"path": "a.txt", "delete": true}));
    repo.done(&["undo"], "");
    repo.shell("cp a.txt c.txt; git add .; git commit -qm both; git rm -q a.txt; git commit -qm one");
    writes_nothing(&repo, &["redo"]);
}

/// Seen: the new file was edited, or renamed, in the place of the one that had been moved away; or it "was changed since it was created".
#[test]
fn a_file_that_an_agent_made_at_the_name_of_a_moved_one_is_another() {
    const NEW: &str = "n 1\nn 2\nn 3\nn 4\nn 5\nn 6\nn 7\n";
    let make = |repo: &TestRepo, text: &str| repo.apply(json!({"path": "b.txt", "content": text}));
    let repo = rows();
    make(&repo, NEW);
    let id = repo.edit("b.txt", "n 3\n", "three\n");
    repo.shell("mv b.txt c.txt");
    let new = repo.text("c.txt").replace("n 5", "five");
    make(&repo, &new);
    repo.done(&["undo", &id], "");
    assert_eq!((repo.text("c.txt"), repo.text("b.txt")), (NEW.to_owned(), new));
    let repo = rows();
    let id = repo.apply(json!({"path": "a.txt", "rename_to": "b.txt"}));
    repo.shell("mv b.txt c.txt");
    make(&repo, &ROWS.replace("l5", "five"));
    writes_nothing(&repo, &["undo", &id]);
    let repo = rows();
    let id = make(&repo, NEW);
    repo.shell("mv b.txt c.txt");
    make(&repo, "other 1\nother 2\n");
    repo.done(&["undo", &id], "");
    assert!(!repo.has("c.txt") && repo.text("b.txt") == "other 1\nother 2\n");
    // The same text once more is the later record's.
    let repo = rows();
    let id = make(&repo, NEW);
    repo.shell("rm b.txt");
    let again = make(&repo, NEW);
    assert!(repo.said(&["undo", &id]).contains("what it did is taken back already"));
    assert_eq!(repo.text("b.txt"), NEW);
    repo.done(&["undo", &again], "");
    assert!(!repo.has("b.txt"));
}

/// Seen: the new file at the name was edited, while git has it that the one before was moved.
#[test]
fn a_file_of_which_a_move_is_staged_is_there_though_another_has_its_name() {
    for (moves, to) in [
        ("git mv a.txt b.txt; sed 's/l5/five/' b.txt > a.txt", "b.txt"),
        ("mkdir p; git mv a.txt p/a.txt; echo 'include p/a.txt' > a.txt", "p/a.txt"),
    ] {
        let repo = rows();
        let id = repo.edit("a.txt", "l7 x\n", "SEVEN\n");
        repo.shell(moves);
        let new = repo.text("a.txt");
        repo.done(&["undo", &id], "");
        assert_eq!((repo.text(to), repo.text("a.txt")), (ROWS.to_owned(), new));
    }
}

/// Seen: "the file is no longer there", where it was moved, edited there, taken back, and moved again.
#[test]
fn a_file_that_was_met_under_a_name_that_it_has_no_more_is_found_by_its_text() {
    let repo = rows();
    let id = repo.edit("a.txt", "l7 x\n", "SEVEN\n");
    repo.shell("mv a.txt m.txt");
    let other = repo.edit("m.txt", "l8 x\n", "EIGHT\n");
    repo.done(&["undo", &other], "");
    repo.shell("mv m.txt c.txt");
    repo.done(&["undo", &id], "");
    assert_eq!(repo.text("c.txt"), ROWS);
}

/// Seen: "a is back", and the agent's new file with the same text stayed.
#[test]
fn a_file_that_an_agent_made_of_one_that_it_removed_is_found() {
    let repo = rows();
    let id = repo.apply(json!({"files": [{"path": "a.txt", "delete": true}, {"path": "b.txt", "content": ROWS}]}));
    repo.shell("mv b.txt c.txt");
    repo.done(&["undo", &id], "");
    assert!(repo.text("a.txt") == ROWS && !repo.has("c.txt"));
}

/// Seen: "the file is no longer there" of an edit that was made while a file had another name, which it gave back.
#[test]
fn a_file_that_was_renamed_when_it_was_edited_and_has_its_name_again() {
    for there in ["git mv a.txt b.txt", "mv a.txt b.txt"] {
        let repo = rows();
        repo.shell(there);
        let id = repo.edit("b.txt", "l7 x\n", "SEVEN\n");
        repo.shell("mv b.txt a.txt; git add -A");
        repo.done(&["undo", &id], "");
        assert_eq!(repo.text("a.txt"), ROWS);
    }
}

/// Seen: a file with secrets that git ignores was edited, as it had the text of one that was removed.
#[test]
fn an_ignored_copy_is_not_the_file() {
    let repo = TestRepo::with_files(&[("a.txt", ROWS), (".gitignore", "*.env\n")]);
    let id = repo.edit("a.txt", "l7 x\n", "SEVEN\n");
    repo.shell("cp a.txt l.env; git rm -qf a.txt");
    let before = repo.text("l.env");
    assert_eq!(repo.refused(&["undo", &id], ""), "undo_conflict");
    assert_eq!(repo.text("l.env"), before);
}

/// Seen: "path is a directory", of a record of which nothing could be undone any more.
#[test]
fn a_file_that_went_into_a_folder_of_its_name() {
    let repo = two("b 1\nb 2\nb 3\n");
    let edit = |path: &str, old: &str| json!({"path": path, "old_string": format!("{old}\n"), "new_string": "NEW\n"});
    let id = repo.apply(json!({"files": [edit("a.txt", "l7 x"), edit("b.txt", "b 2")]}));
    repo.shell("git mv a.txt t; mkdir a.txt; git mv t a.txt/mod");
    repo.done(&["undo", &id], "");
    assert_eq!((repo.text("a.txt/mod"), repo.text("b.txt")), (ROWS.to_owned(), "b 1\nb 2\nb 3\n".to_owned()));
}

/// Seen: undone in the copy, as the file had been found twice under its new name, and was said to have lost it to another.
#[test]
fn a_file_that_undos_found_twice_has_the_name_that_they_found() {
    let repo = rows();
    let id = repo.edit("a.txt", "l7 x\n", "SEVEN\n");
    repo.shell("(cat a.txt; echo of a person) > copy.txt; git add -A; git mv a.txt m.txt");
    for args in [["undo", &id], ["redo", &id], ["undo", &id]] {
        repo.done(&args, "");
    }
    repo.shell("sed -i 's/l2 x/l2 user/; s/l3 x/l3 user/; s/l4 x/l4 user/; s/l5 x/l5 user/' m.txt");
    assert!(repo.said(&["undo", &id]).contains("is undone already"));
    assert!(repo.text("copy.txt").contains("SEVEN\n"));
}

/// Seen: redone in a copy, as the undo had found the file under a new name, and the old one counted for nothing.
#[test]
fn a_file_that_an_undo_found_under_a_new_name_and_that_has_its_old_one_again() {
    let renamed_and_back = |copy: &str| {
        let repo = rows();
        let id = repo.edit("a.txt", "l7 x\n", "SEVEN\n");
        repo.shell("mv a.txt m.txt");
        repo.done(&["undo", &id], "");
        repo.shell("mv m.txt a.txt");
        repo.shell(copy);
        repo.shell("sed -i 's/l2 x/l2 user/' a.txt");
        repo
    };
    let repo = renamed_and_back("(cat a.txt; echo of a person) > copy.txt");
    repo.done(&["redo"], "");
    assert_eq!(repo.text("copy.txt"), format!("{ROWS}of a person\n"));
    assert!(repo.text("a.txt").contains("l2 user\n") && repo.text("a.txt").contains("SEVEN\n"));
    repo.done(&["undo"], "");
    assert_eq!(repo.text("a.txt"), ROWS.replace("l2 x", "l2 user"));

    // Nobody knows which one it is.
    let repo = renamed_and_back("cp a.txt copy.txt");
    writes_nothing(&repo, &["redo"]);

    // Made there by an agent since, it is another one.
    let repo = rows();
    let id = repo.edit("a.txt", "l7 x\n", "SEVEN\n");
    repo.shell("mv a.txt m.txt");
    repo.done(&["undo", &id], "");
    repo.shell("rm m.txt");
    repo.apply(json!({"path": "a.txt", "content": format!("{ROWS}of an agent\n"), "overwrite": true}));
    writes_nothing(&repo, &["redo", &id]);
}

/// Seen: renamed and edited as the file that an agent had made, which was gone: "it has a line of that one, so the tracked file that was
/// moved there had been that one when the record was made".
#[test]
fn a_tracked_file_moved_to_the_name_of_one_that_an_agent_made_is_not_that_one() {
    let repo = two(&ROWS.replace("l1 x", "b1 x"));
    repo.apply(json!({"path": "new.txt", "content": format!("{}end x\n", ROWS.replace("l5 x\n", ""))}));
    let edit = json!({"old_string": "l6 x\n", "new_string": "SIX\n"});
    let id = repo.apply(json!({"path": "new.txt", "edits": [edit], "rename_to": "c.txt"}));
    repo.shell("rm c.txt; mv b.txt c.txt; cp a.txt c.txt");
    writes_nothing(&repo, &["undo", &id]);
}

/// Of what a commit moved and edited, git takes the one that is most like it: with a copy beside it that may be the copy.
#[test]
fn of_a_moved_and_edited_file_and_a_copy_that_came_with_it_neither_is_taken() {
    let moved = |beside: &str| {
        let repo = two(&ROWS.replace("l1 x", "b1 x").replace("l2 x", "b2 x"));
        let id = repo.edit("a.txt", "l7 x\n", "SEVEN\n");
        repo.shell("git commit -qam edited; git mv a.txt m.txt; sed -i 's/l2 x/l2 user/' m.txt");
        repo.shell(beside);
        repo.shell("git add -A; git commit -qm moved");
        (repo, id)
    };
    // Nothing that came or was changed with it is like it, or was made so.
    for beside in ["true", "echo of a person > copy.txt", "sed -i 's/l8 x/eight/' b.txt", "git rm -q b.txt"] {
        let (repo, id) = moved(beside);
        repo.done(&["undo", &id], "");
        assert_eq!(repo.text("m.txt"), ROWS.replace("l2 x", "l2 user"), "{beside}");
    }
    let edited = "git show HEAD:a.txt | sed 's/l3 x/l3 user/; s/l4 x/l4 user/'";
    let (repo, id) = moved(&format!("{edited} > copy.txt"));
    writes_nothing(&repo, &["undo", &id]);
}

/// A record met it as git had the one that was moved there: so it is that one, also where a person took the edit back.
#[test]
fn a_moved_file_that_was_edited_under_its_new_name_is_itself_when_that_was_taken_back() {
    let repo = rows();
    repo.shell("mv a.txt n.txt");
    let id = repo.edit("n.txt", "l7 x\n", "SEVEN\n");
    repo.write("n.txt", ROWS.replace("l2 x", "l2 user"));
    assert!(repo.said(&["undo", &id]).contains("is taken back already"));
}

/// That an agent removed another file meanwhile tells nothing.
#[test]
fn a_file_that_an_agent_made_at_the_name_of_one_that_is_gone_is_not_that_one() {
    let repo = two("b 1\nb 2\n");
    let id = repo.edit("a.txt", "l7 x\n", "SEVEN\n");
    repo.shell("rm a.txt");
    repo.apply(json!({"path": "b.txt", "delete": true}));
    repo.apply(json!({"path": "a.txt", "content": ROWS.replace("l7 x", "SEVEN"), "overwrite": true}));
    writes_nothing(&repo, &["undo", &id]);
}

/// As above, where a person had edited it, too, before the record met it.
#[test]
fn a_moved_and_edited_file_is_itself_when_the_edit_was_taken_back() {
    let repo = rows();
    repo.shell("mv a.txt n.txt; echo of a person >> n.txt");
    let id = repo.edit("n.txt", "l7 x\n", "SEVEN\n");
    repo.write("n.txt", format!("{}of a person\n", ROWS.replace("l2 x", "l2 user")));
    assert!(repo.said(&["undo", &id]).contains("is taken back already"));
}

#[test]
fn a_file_is_itself_when_one_like_it_or_any_other_one_was_removed() {
    for other in [ROWS.replace("l1 x", "b1 x"), "b 1\nb 2\n".to_owned()] {
        let repo = two(&other);
        let id = repo.edit("a.txt", "l7 x\n", "SEVEN\n");
        repo.shell("rm b.txt; sed -i 's/l2 x/l2 user/' a.txt");
        repo.done(&["undo", &id], "");
        assert_eq!(repo.text("a.txt"), ROWS.replace("l2 x", "l2 user"), "{other}");
    }
}

/// Git has it as it is, or it is not more like the moved one than it was.
#[test]
fn a_committed_file_that_has_lines_of_a_moved_one_is_in_no_undos_way() {
    let other = "l1 x\nl2 x\nl3 x\nown 1\nown 2\nown 3\nown 4\n";
    let repo = two(other);
    let id = repo.edit("a.txt", "l6 x\n", "N N\n");
    repo.shell("mv a.txt m.txt; echo u >> m.txt; sed -i 's/own 2/own two/' b.txt");
    repo.done(&["undo", &id], "");
    assert_eq!(repo.text("m.txt"), format!("{ROWS}u\n"));
    let repo = two(&format!("{ROWS}N N\n"));
    let id = repo.edit("a.txt", "l8 x\n", "l8 x\nN N\n");
    repo.shell("mv a.txt m.txt");
    repo.edit("m.txt", "l2 x", "M M");
    repo.done(&["undo", &id], "");
    assert_eq!(repo.text("m.txt"), ROWS.replace("l2 x", "M M"));
}

/// The edited file is gone, and the copy lacks lines.
#[test]
fn a_shortened_copy_of_a_file_that_is_like_the_edited_one_is_not_that_one() {
    let repo = two(&format!("{}NEW\n", ROWS.replace("l4 x\n", "")));
    let id = repo.edit("a.txt", "l8 x\n", "l8 x\nNEW\n");
    repo.shell("rm a.txt; grep -v 'l[23]' b.txt > m.txt; echo u >> m.txt");
    writes_nothing(&repo, &["undo", &id]);
}

/// Git does not know it: it may be a copy.
#[test]
fn an_edit_that_is_undone_is_not_undone_again_in_an_untracked_file_that_has_it() {
    let repo = TestRepo::with_files(&[("z.txt", "z\n")]);
    repo.write("n.txt", ROWS);
    let id = repo.edit("n.txt", "l2 x\n", "N N\n");
    repo.done(&["undo", &id], "");
    repo.shell("sed 's/l2 x/N N/' n.txt > m.txt; rm n.txt");
    writes_nothing(&repo, &["undo", &id]);
}

/// Seen: the copy was edited, as the file, at its first name again, had the same text: of the two that copy alone was new to git.
#[test]
fn a_copy_of_a_file_that_a_person_moved_home_is_not_the_file() {
    for before in ["", r#"{"path": "a.txt", "old_string": "l2 x\n", "new_string": "l2 y\n"}"#] {
        for then in ["mv q.txt a.txt; cp a.txt k.txt", "cp q.txt k.txt; mv q.txt a.txt"] {
            let repo = rows();
            if !before.is_empty() {
                repo.apply(serde_json::from_str(before).expect("JSON"));
            }
            assert!(repo.shell("mv a.txt q.txt; sed -i 's/l7 x/l7 xx/' q.txt").success());
            let id = repo.edit("q.txt", "l3 x\n", "");
            assert!(repo.shell(then).success());
            writes_nothing(&repo, &["undo", &id]);
        }
    }
}

/// Seen: a redo went into the copy of a file that had been renamed, then edited and undone there, and that had its old name again, edited by
/// somebody: the copy was the one that was most like what the undo had left.
#[test]
fn a_copy_of_a_file_that_has_its_old_name_again_and_was_edited_there_is_not_the_file() {
    for is_edited_by_agent in [false, true] {
        let repo = rows();
        repo.git(&["mv", "a.txt", "m.txt"]);
        let id = repo.edit("m.txt", "l1 x\n", "");
        repo.done(&["undo", &id], "");
        repo.git(&["reset", "-q", "--hard"]);
        repo.write("copy.txt", ROWS.to_owned() + "of a person\n");
        repo.write("a.txt", ROWS.to_owned() + "of\nanother\nperson\n");
        if is_edited_by_agent {
            repo.edit("a.txt", "l5 x\n", "l5 y\n");
        }
        writes_nothing(&repo, &["redo", &id]);
    }
}

/// Where a line had gone before it was renamed, what git has is not what the undo left.
#[test]
fn a_copy_of_a_file_that_has_its_old_name_again_and_lacks_a_line_is_not_the_file() {
    for is_rewritten in [false, true] {
        let repo = rows();
        let short = ROWS.replace("l2 x\n", "");
        repo.write("a.txt", &short);
        repo.shell("mv a.txt m.txt");
        let id = repo.edit("m.txt", "l1 x\n", "");
        repo.done(&["undo", &id], "");
        repo.shell("mv m.txt a.txt");
        repo.write("copy.txt", short.clone() + "of a person\n");
        repo.write(
            "a.txt",
            if is_rewritten { "l8 x\nall\nthe\nrest\nis\nnew\n".into() } else { short + "of\nanother\nperson\n" },
        );
        writes_nothing(&repo, &["redo", &id]);
    }
}

/// Nothing was moved, or it has the name under which it was edited.
#[test]
fn an_edit_is_done_again_in_its_own_file_whatever_git_has_of_one_like_it() {
    let repo = TestRepo::with_files(&[("a.txt", ROWS), ("b.txt", ROWS)]);
    let ids = ["a.txt", "b.txt"].map(|name| repo.edit(name, "l1 x\n", "l1 y\n"));
    repo.done(&["undo", &ids[0]], "");
    repo.write("a.txt", ROWS.to_owned() + "of a person\n");
    repo.done(&["redo", &ids[0]], "");
    assert_eq!(repo.text("a.txt"), ROWS.replace("l1 x", "l1 y") + "of a person\n");

    let repo = rows();
    repo.shell("mv a.txt m.txt");
    let id = repo.edit("m.txt", "l1 x\n", "");
    repo.done(&["undo", &id], "");
    repo.write("a.txt", "l1 x\nl2 x\nsee m.txt\n");
    repo.write("m.txt", ROWS.to_owned() + "of a person\n");
    repo.done(&["redo", &id], "");
    assert_eq!(repo.text("m.txt"), ROWS.replace("l1 x\n", "") + "of a person\n");
}

/// One that nobody else's text stands for is followed.
#[test]
fn a_renamed_file_whose_edit_was_undone_is_found_under_a_third_name_where_its_first_one_is_gone() {
    let repo = rows();
    repo.git(&["mv", "a.txt", "m.txt"]);
    let id = repo.edit("m.txt", "l1 x\n", "");
    repo.done(&["undo", &id], "");
    repo.shell("mv m.txt k.txt; echo of a person >> k.txt");
    repo.done(&["redo", &id], "");
    assert_eq!(repo.text("k.txt"), ROWS.replace("l1 x\n", "") + "of a person\n");
}
