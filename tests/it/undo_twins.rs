//! Files that are alike, of which one is gone: a record's edit goes into none that may be the other one, and into the one that is the record's.

use crate::support::TestRepo;
use serde_json::json;

fn text() -> String {
    (1..=10).map(|n| format!("line {n} of it\n")).collect()
}

fn x_only() -> TestRepo {
    TestRepo::with_files(&[("x.txt", "x\n")])
}

fn make(repo: &TestRepo, path: &str, text: &str) -> String {
    repo.apply(json!({"path": path, "content": text}))
}

/// The agent's edit of a file with that text.
fn edit(repo: &TestRepo, path: &str) -> String {
    repo.edit(path, "line 4 of it\n", "line 4 of agent\n")
}

/// An edit that was undone at once.
fn undone(repo: &TestRepo, path: &str) -> String {
    let id = edit(repo, path);
    repo.done(&["undo", &id], "");
    id
}

/// The redo is done in this file.
#[track_caller]
fn goes_into(repo: &TestRepo, id: &str, path: &str) {
    repo.done(&["redo", id], "");
    assert_eq!(repo.text(path), text().replace("4 of it", "4 of agent"));
}

/// The redo is refused, and the files stay as they are.
#[track_caller]
fn goes_nowhere(repo: &TestRepo, id: &str) {
    let tree = || crate::support::tree_of(&repo.root());
    let before = tree();
    assert_eq!(repo.refused(&["redo", id], ""), "undo_conflict");
    assert_eq!(tree(), before);
}

/// Seen: "what was done to d/a.txt is taken back already", exit 0, where the file stood in another folder beside its twin.
#[test]
fn one_of_two_made_files_that_were_moved_together_is_not_said_to_be_taken_back() {
    let repo = x_only();
    let ids = [make(&repo, "d/a.txt", &text()), make(&repo, "d/b.txt", &text())];
    repo.shell("mv d e");
    for id in &ids {
        assert_eq!(repo.refused(&["undo", id], ""), "undo_conflict");
    }
    let edited = repo.edit("x.txt", "x\n", "y\n");
    assert_eq!(repo.refused(&["undo", &ids[0], &ids[1], &edited], ""), "undo_conflict");
    repo.shell("echo more >> e/b.txt");
    let told = repo.redraft(&["undo", &ids[0]], "").json();
    assert_ne!(told["data"]["reason"], "nothing_to_undo", "{told}");
    // One that git has is gone with it.
    let repo = TestRepo::with_files(&[("d/b.txt", &text())]);
    let id = make(&repo, "d/a.txt", &text());
    repo.shell("mv d e");
    assert_eq!(repo.refused(&["undo", &id], ""), "undo_conflict");
}

/// It had the other name for a while, and its own one again.
#[test]
fn a_file_that_had_another_name_between_two_records_is_no_twin_of_its_own() {
    let repo = TestRepo::with_files(&[("a.txt", &text())]);
    repo.shell("mv a.txt b.txt");
    undone(&repo, "b.txt");
    repo.shell("mv b.txt a.txt");
    let id = undone(&repo, "a.txt");
    repo.shell("mv a.txt c.txt");
    goes_into(&repo, &id, "c.txt");
}

/// Seen: the redo went into the twin, as a record had left that with the same text before git got both.
#[test]
fn a_made_file_of_which_git_got_a_copy_with_it_is_not_that_copy() {
    for is_edited in [false, true] {
        let repo = x_only();
        if is_edited {
            repo.write("b.txt", text().replace("line 9 of it", "its own"));
            repo.edit("b.txt", "its own\n", "line 9 of it\n");
        } else {
            make(&repo, "b.txt", &text());
        }
        repo.shell("cp b.txt a.txt");
        repo.commit_all("both");
        let id = undone(&repo, "a.txt");
        repo.shell("rm a.txt; mv b.txt c.txt");
        goes_nowhere(&repo, &id);
    }
    // Git got both after the record.
    let repo = x_only();
    make(&repo, "b.txt", &text());
    repo.shell("cp b.txt a.txt");
    let id = undone(&repo, "a.txt");
    repo.commit_all("both");
    repo.shell("rm a.txt; mv b.txt c.txt");
    goes_nowhere(&repo, &id);
}

/// Seen: of two alike that went with one commit git takes any for the one that got a new name, and the redo went there.
#[test]
fn of_two_like_files_that_went_with_one_commit_none_is_told_to_be_the_third() {
    let repo = TestRepo::with_files(&[("a.txt", &text())]);
    let id = undone(&repo, "a.txt");
    repo.write("b.txt", text());
    repo.commit_all("a twin");
    repo.shell("git rm -q a.txt; git mv b.txt c.txt; git commit -qm moved");
    goes_nowhere(&repo, &id);
}

/// What had a name before tells nothing of what was moved there.
#[test]
fn a_file_that_git_moved_to_a_name_that_another_one_had_is_itself() {
    let repo = TestRepo::with_files(&[("a.txt", &text())]);
    let id = undone(&repo, "a.txt");
    repo.write("c.txt", "another\nfile\n");
    repo.commit_all("another one");
    repo.shell("git rm -q c.txt; git commit -qm gone; git mv a.txt c.txt; git commit -qm moved; mv c.txt e.txt");
    goes_into(&repo, &id, "e.txt");
}

/// Git tells where what a record made went: it is not gone by hand beside the one that was moved.
#[test]
fn a_made_file_that_commits_or_other_branches_have_is_no_twin_that_is_gone() {
    // It got the record's name, with a line by hand that the agent took out again.
    let repo = x_only();
    make(&repo, "b.txt", &text());
    repo.commit_all("b");
    repo.shell("git mv b.txt a.txt; echo by hand >> a.txt; git commit -qam moved");
    let id = repo.edit("a.txt", "by hand\n", "");
    repo.shell("mv a.txt c.txt");
    repo.done(&["undo", &id], "");
    assert_eq!(repo.text("c.txt"), text() + "by hand\n");
    // It was removed by a commit before.
    let repo = x_only();
    make(&repo, "b.txt", &text());
    repo.commit_all("b");
    repo.shell("git rm -q b.txt; git commit -qm gone");
    repo.write("a.txt", text());
    repo.commit_all("a");
    let id = undone(&repo, "a.txt");
    repo.shell("mv a.txt c.txt");
    goes_into(&repo, &id, "c.txt");
    // It is on another branch.
    let repo = TestRepo::with_files(&[("a.txt", &text())]);
    repo.shell("git checkout -qb feature");
    make(&repo, "b.txt", &text());
    repo.commit_all("b");
    repo.shell("git checkout -q -");
    let id = undone(&repo, "a.txt");
    repo.shell("mv a.txt c.txt");
    goes_into(&repo, &id, "c.txt");
}

/// Seen: from about the fifth one on it was not asked any more whether git has a twin, and the redo went there.
#[test]
fn of_many_files_whose_twins_were_moved_none_is_done_again_in_a_twin() {
    let repo = x_only();
    let of = |n: usize| text().replace("of it", &format!("of {n}"));
    for n in 0..9 {
        repo.write(&format!("a{n}.txt"), of(n));
    }
    repo.commit_all("some");
    let mut ids = Vec::new();
    for n in 0..9 {
        let id = repo.edit(&format!("a{n}.txt"), &format!("line 4 of {n}\n"), "line 4 of agent\n");
        repo.done(&["undo", &id], "");
        repo.write(&format!("b{n}.txt"), of(n).replace("line 9", "its"));
        ids.push(id);
    }
    repo.commit_all("twins");
    repo.shell("for n in 0 1 2 3 4 5 6 7 8; do git rm -q a$n.txt; git mv b$n.txt c$n.txt; done; git commit -qm moved");
    let args: Vec<&str> = ["redo", "--skip-conflicts"].into_iter().chain(ids.iter().map(String::as_str)).collect();
    repo.redraft(&args, "");
    for n in 0..9 {
        assert_eq!(repo.text(&format!("c{n}.txt")), of(n).replace("line 9", "its"), "{n}");
    }
}

/// Seen: the newest record's undo removed the user's file, as `git mv` had brought that from where the record made one, and left the one that was made.
#[test]
fn a_file_that_was_made_where_git_had_another_one_is_the_one_that_goes() {
    let repo = TestRepo::with_files(&[("a.txt", &text())]);
    repo.git(&["mv", "a.txt", "c.txt"]);
    let id = repo.apply(json!({"path": "a.txt", "content": text(), "overwrite": true}));
    repo.done(&["undo", &id], "");
    assert!(!repo.has("a.txt") && repo.text("c.txt") == text());
    // The same, of one that an undo brought back.
    let repo = TestRepo::with_files(&[("a.txt", &text())]);
    repo.shell("git mv a.txt c.txt; cp c.txt a.txt");
    let id = repo.apply(json!({"path": "a.txt", "delete": true}));
    repo.done(&["undo", &id], "");
    repo.done(&["redo", &id], "");
    assert!(!repo.has("a.txt") && repo.text("c.txt") == text());
}

/// Seen: a second undo of the creation removed a file that the user had moved to its name.
#[test]
fn a_file_that_git_moved_to_the_name_of_one_that_a_record_made_stays() {
    for is_committed in [false, true] {
        let repo = TestRepo::with_files(&[("a.txt", &text())]);
        let id = make(&repo, "f.txt", &text());
        if is_committed {
            repo.apply(json!({"path": "f.txt", "delete": true}));
        } else {
            repo.done(&["undo", &id], "");
        }
        repo.git(&["mv", "a.txt", "f.txt"]);
        if is_committed {
            repo.git(&["commit", "-qm", "moved"]);
        }
        assert_ne!(repo.redraft(&["undo", &id], "").status, 0);
        assert_eq!(repo.text("f.txt"), text());
    }
}

/// Seen: git calls an agent's copy the renamed file, and the undo of an edit, or of the creation, was done there.
#[test]
fn what_a_record_made_alike_is_not_the_renamed_file_for_what_a_commit_looks_like() {
    for (old, new) in [("line 4 of it\n", "line 4 of agent\n"), ("line 4 of it\n", "")] {
        let repo = TestRepo::with_files(&[("a.txt", &text())]);
        let id = repo.edit("a.txt", old, new);
        make(&repo, "f.txt", &text().replace(old, new));
        repo.shell("git rm -qf a.txt; git add -A; git commit -qm 'as if renamed'");
        assert_eq!(repo.refused(&["undo", &id], ""), "undo_conflict");
        assert_eq!(repo.text("f.txt"), text().replace(old, new));
    }
    let repo = x_only();
    let id = make(&repo, "a.txt", &text());
    repo.commit_all("a");
    make(&repo, "b.txt", &text());
    repo.shell("git rm -qf a.txt; git add -A; git commit -qm 'as if renamed'");
    repo.redraft(&["undo", &id], "");
    assert_eq!(repo.text("b.txt"), text());
    // No commit at all, and the copy was changed.
    let repo = TestRepo::with_files(&[("a.txt", &text())]);
    let id = edit(&repo, "a.txt");
    make(&repo, "f.txt", &repo.text("a.txt"));
    repo.shell("rm a.txt; sed -i 's/line 9/by hand/' f.txt");
    assert_eq!(repo.refused(&["undo", &id], ""), "undo_conflict");
}

/// Seen: "what it did to f.txt is taken back already", of a copy with the old text, where the edited file had a third name.
#[test]
fn an_edit_is_not_taken_back_in_a_copy_of_before_it_that_git_takes_for_the_renamed_file() {
    for is_first in [true, false] {
        let repo = TestRepo::with_files(&[("a.txt", &text())]);
        let of_before = || make(&repo, "f.txt", &text());
        if is_first {
            of_before();
        }
        let id = repo.edit("a.txt", "line 4 of it\n", "");
        if !is_first {
            of_before();
        }
        repo.shell("mv a.txt d.txt; git add -A; git commit -qm moved");
        let answer = repo.redraft(&["undo", &id], "").json();
        assert_ne!(answer["data"]["reason"], "nothing_to_undo", "{answer}");
        assert_eq!(repo.text("f.txt"), text());
    }
}

/// Seen: the undo of an edit of the one was done in the other one, to whose name commits had brought that, or which they had brought elsewhere.
#[test]
fn of_two_files_alike_the_one_that_commits_brought_to_a_name_is_not_the_one_that_went() {
    for moves in [
        "git rm -qf b.txt; git commit -qm gone; git mv a.txt b.txt; git commit -qm moved",
        "git mv b.txt f.txt; git commit -qm 1; git mv a.txt b.txt; git commit -qm 2; git mv f.txt a.txt; git commit -qm 3",
        "git rm -qf b.txt; git commit -qm gone; git mv a.txt e.txt; git commit -qm moved",
    ] {
        let repo = TestRepo::with_files(&[("a.txt", &text()), ("b.txt", &text())]);
        let ids = ["a.txt", "b.txt"].map(|path| edit(&repo, path));
        repo.commit_all("edited");
        repo.shell(moves);
        assert_eq!(repo.refused(&["undo", &ids[1]], ""), "undo_conflict", "{moves}");
    }
    // A copy that git got, and that is moved on, after the file went.
    let repo = TestRepo::with_files(&[("a.txt", &text())]);
    let id = edit(&repo, "a.txt");
    repo.shell("git commit -qam 1; cp a.txt f.txt; git add -A; git commit -qm 2; git rm -q a.txt; git commit -qm 3; git mv f.txt e.txt");
    assert_eq!(repo.refused(&["undo", &id], ""), "undo_conflict");
}

/// Seen: refused, as what another file has, which nobody touched, is as near to the edited one as what the undo left.
#[test]
fn a_redo_is_done_beside_a_file_alike_that_nobody_touched() {
    for copy in ["cp a.txt b.txt; git add -A; git commit -qm b", "cp a.txt b.txt"] {
        let repo = TestRepo::with_files(&[("a.txt", &text())]);
        repo.shell(copy);
        let id = undone(&repo, "a.txt");
        repo.write("a.txt", text().replace("line 9 of it", "by hand"));
        repo.done(&["redo", &id], "");
        assert_eq!(repo.text("a.txt"), text().replace("line 9 of it", "by hand").replace("4 of it", "4 of agent"));
        assert_eq!(repo.text("b.txt"), text());
    }
}

/// Seen: "the file is no longer there", of the only file that there is.
#[test]
fn a_file_that_was_moved_before_an_edit_and_after_its_undo_is_found() {
    let repo = TestRepo::with_files(&[("a.txt", &text())]);
    repo.shell("mv a.txt d.txt");
    let id = undone(&repo, "d.txt");
    repo.shell("mv d.txt c.txt");
    goes_into(&repo, &id, "c.txt");
}

/// Seen: "its lines stand in several files", of the newest record, whose file is as that left it.
#[test]
fn an_edit_of_a_copy_under_the_name_from_which_git_moved_the_file_is_undone() {
    let repo = TestRepo::with_files(&[("a.txt", &text())]);
    repo.shell("git mv a.txt c.txt; cp c.txt a.txt");
    let id = edit(&repo, "a.txt");
    repo.done(&["undo", &id], "");
    assert_eq!([repo.text("a.txt"), repo.text("c.txt")], [text(), text()]);
}
