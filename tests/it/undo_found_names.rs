//! Undo of edits that were made in two files under each other's names: what an undo found under a new name is one file, what others did under
//! that name before or since is another one's.

use crate::support::TestRepo;
use serde_json::json;

const F: &str = "f one\nf two\nf three\nf four\nf five\nf six\n";
const G: &str = "g one\ng two\ng three\ng four\ng five\ng six\n";

/// Two files, as git has them.
fn two() -> TestRepo {
    TestRepo::with_files(&[("f", F), ("g", G)])
}

fn exchanged(repo: &TestRepo) {
    for (from, to) in [("f", "aside"), ("g", "f"), ("aside", "g")] {
        std::fs::rename(repo.root().join(from), repo.root().join(to)).expect("a file");
    }
}

/// An edit of a session.
fn of_session(repo: &TestRepo, path: &str, [old, new]: [&str; 2]) -> String {
    repo.apply(json!({"path": path, "old_string": old, "new_string": new, "agent": {"session": "s"}}))
}

fn texts(repo: &TestRepo) -> [String; 2] {
    ["f", "g"].map(|path| repo.text(path))
}

/// Seen: the undo of the session looked for the edit of a line without a word in the file that another undo had found meanwhile.
#[test]
fn what_was_edited_at_a_name_that_another_file_had_left_is_undone_there_though_an_undo_found_that_one() {
    let (f, g) = (format!("{F}f seven\nf eight\n"), format!("    ));\n{G}"));
    let repo = TestRepo::with_files(&[("f", &f), ("g", &g)]);
    let undone = of_session(&repo, "g", ["g one\n", "g 1\n"]);
    repo.done(&["undo", &undone], "");
    let id = of_session(&repo, "f", ["f two\n", "f two;\n"]);
    exchanged(&repo);
    of_session(&repo, "f", ["    ));\n", "#    ));\n"]);
    repo.done(&["undo", &id], "");
    assert_eq!(repo.text("g"), f);
    repo.done(&["undo", "--session", "s"], "");
    assert_eq!(texts(&repo), [g, f]);
}

/// The same where nothing but the other file's text tells when the names were exchanged: as it was met there under the new one.
#[test]
fn what_was_met_at_its_new_name_as_it_was_left_is_undone_there_though_a_later_undo_found_it() {
    let repo = two();
    let id = of_session(&repo, "f", ["f two\n", "f two\nadded\n"]);
    exchanged(&repo);
    of_session(&repo, "g", ["f five\n", "f 5\n"]);
    repo.edit("f", "g three\n", "g 3\n");
    repo.done(&["undo", &id], "");
    repo.write("copy", repo.text("g") + "by hand\n");
    repo.done(&["undo", "--session", "s"], "");
    assert_eq!(texts(&repo), [G.replace("three", "3"), F.to_owned()]);
}

/// Seen: "other text was put in its place", of the file that an undo had found under its own name.
#[test]
fn an_edit_of_before_the_exchange_is_undone_at_its_name_though_an_undo_found_another_file_that_had_it() {
    for by_hand in [false, true] {
        let repo = two();
        let id = repo.edit("f", "f two\n", "");
        exchanged(&repo);
        let other = repo.edit("f", "g three\n", "g 3\n");
        if by_hand {
            repo.write("g", repo.text("g") + "by hand\n");
        }
        exchanged(&repo);
        repo.done(&["undo", &other], "");
        repo.done(&["undo", &id], "");
        let more = if by_hand { "by hand\n" } else { "" };
        assert_eq!(texts(&repo), [format!("{F}{more}"), G.to_owned()]);
    }
}

/// Seen: "nothing in the file there tells that it is the one", for what others did under its name was taken for its own.
#[test]
fn a_deletion_is_undone_in_a_file_that_was_edited_away_from_home_while_another_one_was_edited_there() {
    for by_hand in ["", "by hand\n"] {
        let repo = two();
        let id = repo.edit("f", "f two\n", "");
        exchanged(&repo);
        repo.git(&["commit", "-qam", "exchange"]);
        let away = repo.edit("g", "f five\n", "");
        let other = repo.edit("f", "g three\n", "g 3\n");
        repo.write("g", repo.text("g") + by_hand);
        exchanged(&repo);
        repo.done(&["undo", &id], "");
        assert_eq!(texts(&repo), [F.replace("f five\n", "") + by_hand, G.replace("three", "3")]);
        repo.done(&["undo", &other], "");
        repo.done(&["undo", &away], "");
        assert_eq!(texts(&repo), [format!("{F}{by_hand}"), G.to_owned()]);
    }
}

/// The same where the other one was edited at home before, and met as it was left there.
#[test]
fn a_deletion_is_undone_at_home_though_a_file_that_an_agent_had_edited_was_edited_there_meanwhile() {
    let repo = two();
    let id = repo.edit("f", "f two\n", "");
    repo.edit("g", "g two\n", "g 2\n");
    exchanged(&repo);
    repo.git(&["commit", "-qam", "exchange"]);
    repo.edit("f", "g three\n", "g 3\n");
    repo.edit("g", "f five\n", "f 5\n");
    exchanged(&repo);
    repo.done(&["undo", &id], "");
    assert_eq!(texts(&repo), [F.replace("five", "5"), G.replace("two", "2").replace("three", "3")]);
}

/// Seen: "nothing in the file there tells that it is the one", for a record had met it under the other's name, edited by hand.
#[test]
fn an_edit_is_undone_at_home_in_a_file_that_was_edited_by_hand_and_by_an_agent_under_another_s_name() {
    let repo = two();
    let id = repo.edit("f", "f two\n", "f 2\n");
    repo.write("f", repo.text("f").replace("f six", "by hand"));
    exchanged(&repo);
    repo.edit("g", "f four\n", "f 4\n");
    exchanged(&repo);
    repo.done(&["undo", &id], "");
    assert_eq!(texts(&repo), [F.replace("six", "").replace("f \n", "by hand\n").replace("four", "4"), G.to_owned()]);
}
