//! An undo in a file that git moved and that was changed much since: its text at the move tells it.

use crate::support::TestRepo;
use crate::undo_copies;
use serde_json::{Value, json};
use std::fs;

const LEFT: &str = "aaa\nAAA\nbbb\nccc\n";
const GROWN: &str = "aaa\nAAA\nbbb\nccc\n1\n2\n3\n4\n5\n6\n";

/// A file with one edit in it, and the id of that.
fn edited(others: &[(&str, &str)]) -> (TestRepo, String) {
    let files: Vec<(&str, &str)> = [("a", "aaa\nbbb\nccc\n")].iter().chain(others).copied().collect();
    let repo = TestRepo::with_files(&files);
    let id = repo.apply(json!({"path": "a", "old_string": "aaa\n", "new_string": "aaa\nAAA\n"}));
    (repo, id)
}

#[track_caller]
fn undone(repo: &TestRepo, id: &str, path: &str) {
    let before = repo.text(path);
    repo.done(&["undo", id], "");
    assert_eq!(repo.text(path), before.replace("AAA\n", ""));
    repo.done(&["redo"], "");
    assert_eq!(repo.text(path), before);
}

#[track_caller]
fn refused(repo: &TestRepo, id: &str) -> Value {
    let told = repo.redraft(&["undo", id], "").json();
    assert_eq!(told["data"]["reason"], "undo_conflict", "{told}");
    told
}

/// Seen: "the file is no longer there".
#[test]
fn a_file_that_git_moved_is_the_file_however_much_was_added_since() {
    for commit in [true, false] {
        let (repo, id) = edited(&[]);
        repo.commit_all("edit");
        repo.git(&["mv", "a", "z"]);
        if commit {
            repo.commit_all("move");
        }
        repo.write("z", GROWN);
        undone(&repo, &id, "z");
    }
}

#[test]
fn a_move_is_followed_over_commits_that_came_since() {
    let (repo, id) = edited(&[]);
    repo.commit_all("edit");
    repo.git(&["mv", "a", "z"]);
    repo.commit_all("move");
    repo.write("z", GROWN);
    repo.commit_all("grow");
    undone(&repo, &id, "z");
    std::fs::create_dir(repo.root().join("dir")).expect("a directory");
    repo.git(&["mv", "z", "dir/y"]);
    repo.commit_all("move again");
    repo.write("dir/y", format!("{GROWN}7\n8\n9\n10\n11\n12\n13\n14\n15\n16\n17\n18\n"));
    undone(&repo, &id, "dir/y");
    repo.git(&["mv", "dir/y", "x"]);
    undone(&repo, &id, "x");
}

#[test]
fn a_file_that_was_moved_with_an_edit_that_is_not_committed_is_the_file() {
    let (repo, id) = edited(&[]);
    repo.git(&["mv", "a", "z"]);
    assert_eq!(repo.text("z"), LEFT);
    repo.write("z", GROWN);
    undone(&repo, &id, "z");
}

/// The log itself met the moved file with the exact text that it had left under the old name.
#[test]
fn a_file_that_was_moved_and_an_agent_edited_since_is_the_file() {
    for git in [true, false] {
        let (repo, id) = edited(&[]);
        if git {
            repo.commit_all("edit");
            repo.git(&["mv", "a", "z"]);
        } else {
            std::fs::rename(repo.root().join("a"), repo.root().join("z")).expect("a new name");
        }
        repo.apply(json!({"path": "z", "old_string": "ccc\n", "new_string": "ccc\n1\n2\n3\n4\n5\n6\n"}));
        undone(&repo, &id, "z");
        repo.apply(json!({"path": "z", "rename_to": "y"}));
        undone(&repo, &id, "y");
    }
}

#[test]
fn a_copy_beside_is_not_taken_for_the_file_that_git_moved() {
    let (repo, id) = edited(&[]);
    repo.commit_all("edit");
    repo.write("copy", LEFT);
    repo.git(&["mv", "a", "z"]);
    repo.write("z", GROWN);
    undone(&repo, &id, "z");
    assert_eq!(repo.text("copy"), LEFT);
}

#[test]
fn with_other_line_endings_in_git_a_moved_file_is_the_file() {
    let repo = TestRepo::with_files(&[(".gitattributes", "* text eol=crlf\n"), ("a", "aaa\r\nbbb\r\nccc\r\n")]);
    let id = repo.apply(json!({"path": "a", "old_string": "aaa\n", "new_string": "aaa\nAAA\n"}));
    assert_eq!(repo.text("a"), "aaa\r\nAAA\r\nbbb\r\nccc\r\n");
    repo.commit_all("edit");
    repo.git(&["mv", "a", "z"]);
    let grown = GROWN.replace('\n', "\r\n");
    repo.write("z", &grown);
    repo.done(&["undo", &id], "");
    assert_eq!(repo.text("z"), grown.replace("AAA\r\n", ""));
}

#[test]
fn of_like_files_that_git_moved_at_once_none_is_taken() {
    let (repo, id) = edited(&[("b", LEFT)]);
    repo.commit_all("edit");
    repo.git(&["mv", "a", "y"]);
    repo.git(&["mv", "b", "z"]);
    repo.commit_all("move");
    for path in ["y", "z"] {
        repo.write(path, GROWN);
    }
    refused(&repo, &id);
    assert_eq!((repo.text("y"), repo.text("z")), (GROWN.to_owned(), GROWN.to_owned()));
}

/// Seen: git calls the one a rename that had no other text before, and the undo went into that, a copy.
#[test]
fn of_a_file_that_was_moved_over_another_and_its_copy_neither_is_taken() {
    for file_is_first in [true, false] {
        let (repo, id) = edited(&[("b", "another\nfile\n")]);
        repo.shell(if file_is_first { "mv a b; cp b z" } else { "mv a z; cp z b" });
        repo.commit_all("move and copy");
        repo.shell("git mv z y");
        refused(&repo, &id);
        assert_eq!((repo.text("b"), repo.text("y")), (LEFT.to_owned(), LEFT.to_owned()));
    }
}

#[test]
fn another_file_that_git_gave_a_name_is_not_the_file() {
    // Its text at the move is none that the log has.
    let (repo, id) = edited(&[]);
    repo.commit_all("edit");
    repo.write("a", "other\ntext\naltogether\n");
    repo.commit_all("replaced");
    repo.git(&["mv", "a", "z"]);
    repo.write("z", GROWN);
    refused(&repo, &id);
    assert_eq!(repo.text("z"), GROWN);
    // It was deleted after it was moved, and another one came.
    let (repo, id) = edited(&[]);
    repo.commit_all("edit");
    repo.git(&["mv", "a", "z"]);
    repo.commit_all("move");
    repo.git(&["rm", "-q", "z"]);
    repo.commit_all("delete");
    repo.write("z", GROWN);
    repo.commit_all("new");
    refused(&repo, &id);
    assert_eq!(repo.text("z"), GROWN);
}

#[test]
fn who_did_the_lines_of_a_renamed_file_again_under_its_new_name_did_not_give_it_that() {
    let repo = TestRepo::with_files(&[("old", "one\ntwo\nthree\n")]);
    let edits = [json!({"old_string": "two", "new_string": "2"})];
    let id = repo.apply(json!({"path": "old", "rename_to": "new", "edits": edits}));
    repo.write("new", "one\ntwo\nthree\n");
    repo.edit("new", "two", "2");
    repo.done(&["undo", &id], "");
    assert!(!repo.has("new"));
    assert_eq!(repo.text("old"), "one\n2\nthree\n");
}

#[test]
fn who_did_the_lines_of_a_renamed_file_again_gave_it_the_name_only_if_he_renamed_that_file() {
    let text = "one\ntwo\nthree\n";
    let edits = [json!({"old_string": "two", "new_string": "2"})];
    let renamed = || {
        let repo = TestRepo::with_files(&[("old", text), ("other", "other\n")]);
        let id = repo.apply(json!({"path": "old", "rename_to": "new", "edits": edits}));
        (repo, id)
    };
    let (repo, id) = renamed();
    repo.write("new", text);
    repo.apply(json!({"files": [{"path": "new", "edits": edits}, {"path": "other", "rename_to": "another"}]}));
    repo.done(&["undo", &id], "");
    assert_eq!((repo.text("old").as_str(), repo.has("new")), ("one\n2\nthree\n", false));
    // With another file beside it.
    let (repo, id) = renamed();
    repo.apply(json!({"path": "new", "rename_to": "old"}));
    repo.write("old", text);
    let by = repo.apply(json!({"files": [
        {"path": "old", "rename_to": "new", "edits": edits},
        {"path": "other", "edits": [{"old_string": "other", "new_string": "others"}]},
    ]}));
    assert!(repo.said(&["undo", &id]).contains(&format!("record {by} did it again")));
    assert_eq!(repo.text("new"), "one\n2\nthree\n");
}

#[test]
fn what_was_done_again_in_a_new_file_of_the_old_name_was_not_done_in_the_moved_one() {
    let (repo, id) = edited(&[]);
    repo.commit_all("one");
    repo.git(&["mv", "a", "b"]);
    repo.commit_all("two");
    repo.write("a", "aaa\nbbb\nccc\n");
    repo.commit_all("three");
    repo.edit("a", "aaa\n", "aaa\nAAA\n");
    undone(&repo, &id, "b");
    assert_eq!(repo.text("a"), LEFT);
}

/// Seen: "it was taken back, and another record did it again", which was undone in turn and did not help: that one had edited a file of the
/// same text, whose name this one has got since.
#[test]
fn what_was_done_to_a_like_file_is_not_this_ones_that_git_gave_its_name() {
    for is_first in [true, false] {
        let (repo, id) = edited(&[("b", "aaa\nbbb\nccc\n")]);
        let other = repo.apply(json!({"path": "b", "old_string": "aaa\n", "new_string": "aaa\nAAA\n"}));
        repo.git(&["mv", "b", "z"]);
        repo.commit_all("one");
        repo.git(&["mv", "a", "b"]);
        repo.commit_all("two");
        let [first, second] = if is_first { [(&id, "b"), (&other, "z")] } else { [(&other, "z"), (&id, "b")] };
        undone(&repo, first.0, first.1);
        undone(&repo, second.0, second.1);
        // By its new name it is edited as itself.
        let own = repo.apply(json!({"path": "b", "old_string": "ccc\n", "new_string": "CCC\n"}));
        repo.done(&["undo", &own], "");
        assert_eq!((repo.text("b"), repo.text("z")), (LEFT.to_owned(), LEFT.to_owned()));
    }
}

const ROWS: &str = "l1 x\nl2 x\nl3 x\nl4 x\nl5 x\nl6 x\nl7 x\nl8 x\n";
const GROW: &str = "for n in 1 2 3 4 5 6 7 8 9 10 11 12; do echo more $n >> z; done";

/// Two committed files, a committed edit of one, and its id.
fn beside(other: &str) -> (TestRepo, String) {
    let repo = TestRepo::with_files(&[("a", ROWS), ("b", other)]);
    let id = repo.edit("a", "l4 x\n", "l4 x\nAAA\n");
    repo.commit_all("edit");
    (repo, id)
}

#[test]
fn a_file_that_was_edited_when_git_moved_it_is_the_file_whatever_else_came_with_it() {
    let (repo, id) = beside("b\n");
    repo.shell("git mv a z; sed -i 's/l8 x/l8 u/' z; echo one > new");
    repo.commit_all("move");
    repo.shell(GROW);
    undone(&repo, &id, "z");
    // One that is more like it now, and of which git knows that it was another one.
    let (repo, id) = beside("b1 x\nb2 x\nl3 x\nl4 x\nl5 x\nl6 x\nl7 x\nl8 x\nb9 x\nb10 x\n");
    repo.shell("git mv a z; sed -i 's/l8 x/l8 u/' z; git mv b y; sed -i 's/^b/l/' y");
    repo.commit_all("move both");
    repo.shell(GROW);
    undone(&repo, &id, "z");
}

/// What git moved was an older version of it.
#[test]
fn of_a_moved_file_and_one_with_lines_that_only_its_older_version_had_neither_is_taken() {
    let (repo, id) = beside("b\n");
    repo.edit("a", "l1 x\nl2 x\nl3 x\nl4 x\n", "q1\nq2\nq3\nq4\n");
    repo.shell("git checkout -q a; git mv a z; sed -i 's/l7 x/l7 u/' z; head -n 3 z > new");
    repo.commit_all("move");
    let before = repo.text("z");
    refused(&repo, &id);
    assert_eq!(repo.text("z"), before);
}

/// Seen: "what it did is taken back already", of a file that had gone to another name before a second one got its own.
#[test]
fn a_file_whose_name_another_one_got_is_where_git_moved_it() {
    for other_is_first in [true, false] {
        let (repo, id) = edited(&[("b", "aaa\nbbb\nccc\n")]);
        let other = repo.apply(json!({"path": "b", "old_string": "ccc\n", "new_string": "ccc\nAAA\n"}));
        repo.commit_all("edits");
        for [from, to] in [["a", "c"], ["b", "a"]] {
            repo.git(&["mv", from, to]);
            repo.commit_all(to);
        }
        let mut order = [(&other, "a"), (&id, "c")];
        if !other_is_first {
            order.reverse();
        }
        for (id, path) in order {
            undone(&repo, id, path);
        }
    }
}

/// Seen: of a file that was moved by hand, edited by hand and by an agent, and moved back, no record could be undone.
#[test]
fn a_file_that_was_moved_edited_and_moved_back_is_the_file_of_all_its_records() {
    let moved = || {
        let repo = undo_copies::rows();
        let first = repo.edit("a.txt", "l6 x\n", "l6 x\nS S\n");
        repo.shell("mv a.txt b.txt; sed -i 's/l1 x/own/' b.txt");
        let second = repo.edit("b.txt", "l3 x\n", "l3 y\n");
        repo.shell("mv b.txt a.txt");
        (repo, first, second)
    };
    let by_hand = undo_copies::ROWS.replace("l1 x", "own");
    for newest_first in [true, false] {
        let (repo, first, second) = moved();
        let order = if newest_first { [&second, &first] } else { [&first, &second] };
        for id in order {
            repo.done(&["undo", id], "");
        }
        assert_eq!(repo.text("a.txt"), by_hand, "newest first: {newest_first}");
    }
    let (repo, ..) = moved();
    repo.done(&["undo"], "");
    repo.done(&["undo"], "");
    repo.done(&["redo"], "");
    assert_eq!(repo.text("a.txt"), by_hand.replace("l6 x\n", "l6 x\nS S\n"));
    // Its twin, edited alike, is not the file.
    let repo = undo_copies::rows();
    repo.shell("cp a.txt b.txt");
    let id = repo.edit("b.txt", "l3 x\n", "l3 y\n");
    repo.edit("a.txt", "l3 x\n", "l3 y\n");
    repo.shell("rm b.txt");
    undo_copies::writes_nothing(&repo, &["undo", &id]);
    // Nor is one that was so before.
    let repo = undo_copies::rows();
    repo.edit("a.txt", "l3 x\n", "l3 y\n");
    repo.shell("git show HEAD:a.txt > b.txt");
    let id = repo.edit("b.txt", "l3 x\n", "l3 y\n");
    repo.shell("rm b.txt");
    undo_copies::writes_nothing(&repo, &["undo", &id]);
}

/// Git had never seen it under the name in between.
#[test]
fn a_file_that_was_moved_edited_and_committed_under_its_own_name_again_is_the_record_s() {
    for commits in ["", "git add -A; git commit -qm c"] {
        let rows: String = (1..=8).map(|n| format!("row {n}\n")).collect();
        let repo = TestRepo::with_files(&[("p", &rows)]);
        repo.shell("mv p q");
        repo.edit("q", "row 5\n", "");
        let id = repo.edit("q", "row 3\n", "");
        repo.shell(&format!("git rm -q --cached p; mv q p; {commits}"));
        repo.done(&["undo", &id], "");
        assert_eq!(repo.text("p"), rows.replace("row 5\n", ""), "{commits}");
    }
}

/// A file of which git has another text, with the one that a record put there.
fn put_by_a_record() -> (TestRepo, String) {
    let rows = |name: &str| (1..=8).map(|n| format!("{name} {n}\n")).collect::<String>();
    let repo = TestRepo::with_files(&[("p", &rows("old"))]);
    repo.apply(json!({"path": "p", "content": rows("row"), "overwrite": true}));
    (repo, rows("row"))
}

/// Git has another text under the name; an older record had put the file there.
#[test]
fn a_file_that_was_moved_edited_and_moved_back_to_where_a_record_had_put_it_is_the_record_s() {
    let (repo, put) = put_by_a_record();
    repo.shell("mv p q; sed -i 's/row 7/own 7/' q");
    let id = repo.edit("q", "row 3\n", "");
    repo.shell("mv q p");
    repo.done(&["undo", &id], "");
    assert_eq!(repo.text("p"), put.replace("row 7", "own 7"));
}

#[test]
fn of_a_file_that_was_moved_back_to_where_a_record_had_put_it_and_its_copy_neither_is_taken() {
    let (repo, _) = put_by_a_record();
    repo.shell("mv p q");
    let id = repo.edit("q", "row 3\n", "");
    repo.shell("mv q p; cp p k");
    let left = repo.text("p");
    assert_eq!(repo.refused(&["undo", &id], ""), "undo_conflict");
    assert_eq!([repo.text("p"), repo.text("k")], [left.clone(), left]);
}

/// Seen: "nothing in the file there tells that it is the one that the record changed", of a file that git had moved, and into which somebody put by
/// hand what a record had done under its old name, before a checkout discarded it.
#[test]
fn a_file_is_the_one_that_git_moved_though_a_discarded_edit_of_its_old_name_was_put_again_by_hand() {
    let text = "one\ntwo\nthree\nfour\n";
    let repo = TestRepo::with_files(&[("f", text)]);
    repo.edit("f", "one\ntwo\n", "eins\nzwei\nund\nmehr\n");
    repo.git(&["checkout", "-q", "f"]);
    repo.git(&["mv", "f", "g"]);
    let id = repo.edit("g", "four\n", "");
    repo.write("g", "eins\nzwei\nund\nmehr\nthree\n");
    repo.done(&["undo", &id], "");
    assert_eq!(repo.text("g"), "eins\nzwei\nund\nmehr\nthree\nfour\n");
}

/// Seen: an undo into a copy. Git had the edited file under its new name, and called it a new one, as most of its text was the edit; the edit had been
/// taken out there, and stood in a copy of it.
#[test]
fn a_copy_is_not_taken_for_a_short_file_that_git_has_under_a_new_name_and_calls_a_new_one() {
    for is_committed in [false, true] {
        let repo = TestRepo::with_files(&[("f", "    first_of_all();\n}\n}\n"), ("o", "o\n")]);
        let id = repo.edit("f", "first_of_all", "12");
        repo.git(&["add", "f"]);
        repo.git(&["mv", "f", "g"]);
        if is_committed {
            repo.git(&["commit", "-qm", "moved"]);
        }
        repo.write("copy", "    12();\n}\n}\n\n");
        repo.write("g", "}\n}\n");
        assert_eq!(repo.refused(&["undo", &id], ""), "undo_conflict");
        assert_eq!((repo.text("copy"), repo.text("g")), ("    12();\n}\n}\n\n".to_owned(), "}\n}\n".to_owned()));
    }
}

/// A file at its own name is it, whatever git was told of one that has its text.
#[test]
fn an_ignored_file_is_none_that_git_has_with_an_older_text_of_it() {
    for (is_committed, then) in [(false, ""), (true, ""), (true, "mine = 1\n")] {
        let repo = TestRepo::with_files(&[("config", "host = one\nport = 1\n")]);
        let id = repo.edit("config", "port = 1\n", "port = 2\nname = other\n");
        repo.commit_all("edited");
        repo.git(&["rm", "-q", "--cached", "config"]);
        for (name, text) in [("config.example", "host = one\nport = 1\n"), (".gitignore", "config\n")] {
            repo.write(name, text);
            repo.git(&["add", name]);
        }
        if is_committed {
            repo.git(&["commit", "-qm", "an example"]);
        }
        repo.write("config", repo.text("config") + then);
        repo.done(&["undo", &id], "");
        assert_eq!(repo.text("config"), format!("host = one\nport = 1\n{then}"));
        assert_eq!(repo.text("config.example"), "host = one\nport = 1\n");
    }
}

/// Neither one of two that got its text is it, nor one that another record made, nor one that came when it had been another one for long.
#[test]
fn a_file_that_git_calls_new_is_not_taken_for_one_that_went() {
    let repo = TestRepo::with_files(&[("f", "x = 1\n"), ("o", "o\n")]);
    let id = repo.edit("f", "x = 1", "y = 2");
    repo.apply(json!({"path": "g", "content": "y = 2\n"}));
    repo.git(&["rm", "-qf", "f"]);
    repo.commit_all("gone");
    assert_eq!(repo.refused(&["undo", &id], ""), "undo_conflict");
    assert_eq!(repo.text("g"), "y = 2\n");
    for is_edited in [false, true] {
        let repo = TestRepo::with_files(&[("f", "x = 1\n"), ("o", "o\n")]);
        let id = repo.edit("f", "x = 1", "y = 2");
        repo.write("g", "y = 2\n");
        std::fs::rename(repo.root().join("f"), repo.root().join("h")).expect("a file");
        if is_edited {
            repo.edit("h", "y = 2\n", "y = 2\nz = 3\n");
        }
        let now = repo.text("h");
        repo.git(&["add", "g"]);
        repo.git(&["rm", "-q", "--cached", "f"]);
        repo.git(&["commit", "-qm", "a copy"]);
        assert_eq!(repo.refused(&["undo", &id], ""), "undo_conflict");
        assert_eq!((repo.text("g"), repo.text("h")), ("y = 2\n".to_owned(), now));
    }
    let repo = TestRepo::with_files(&[("f", "    first_of_all();\n}\n}\n"), ("x", "other\nthing\n")]);
    let id = repo.edit("f", "first_of_all", "12");
    repo.write("copy", repo.text("f"));
    std::fs::rename(repo.root().join("f"), repo.root().join("x")).expect("a file");
    repo.git(&["add", "-A"]);
    assert_eq!(repo.refused(&["undo", &id], ""), "undo_conflict");
    let repo = TestRepo::with_files(&[("mod.rs", "mod a;\n")]);
    let id = repo.edit("mod.rs", "mod a;\n", "mod a;\nmod b;\n");
    repo.write("mod.rs", "mod a;\nmod b;\nmod c;\nmod d;\nmod e;\nmod f;\nmod g;\nmod h;\n");
    repo.commit_all("others");
    repo.git(&["rm", "-q", "mod.rs"]);
    repo.write("dir/mod.rs", "mod a;\n");
    repo.commit_all("moved");
    let now = "mod a;\nmod b;\nmod p;\nmod q;\nmod r;\nmod s;\nmod t;\nmod u;\n";
    repo.write("dir/mod.rs", now);
    assert_eq!(repo.refused(&["undo", &id], ""), "undo_conflict");
    assert_eq!(repo.text("dir/mod.rs"), now);
}

/// Seen: another record's line went, where a file had been copied, both were edited, and the one was moved over the other.
#[test]
fn a_file_that_a_later_record_found_at_a_name_is_none_that_had_been_moved_away_from_there() {
    let text = "zero\none\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\n";
    let repo = TestRepo::with_files(&[("a", text)]);
    repo.write("new", text);
    let id = repo.edit("new", "one\n", "eins\n");
    repo.write("a", text.replace("ten", "TEN"));
    repo.edit("a", "one\n", "eins\n");
    std::fs::rename(repo.root().join("a"), repo.root().join("new")).expect("a file");
    let now = repo.text("new");
    assert_eq!(repo.refused(&["undo", &id], ""), "undo_conflict");
    assert_eq!(repo.text("new"), now);
}

#[test]
fn lines_moved_out_of_brackets_do_not_come_back_behind_them_where_a_person_joined_what_was_around_them() {
    let repo = TestRepo::with_files(&[("f", "x = (\n    a,\n    b,\n    c,\n)\n\ny = (\n    d,\n)\nz = 1\n")]);
    let edits = json!([
        {"old_string": "    b,\n    c,\n", "new_string": ""},
        {"old_string": "    d,\n", "new_string": "    d,\n    b,\n    c,\n"},
    ]);
    let moved = repo.apply(json!({"path": "f", "edits": edits}));
    repo.write("f", "x = (\n    a, )\n\ny = (\n    d,\n    b,\n    c,\n)\nz = 1\n");
    assert_eq!(repo.refused(&["undo", &moved], ""), "undo_conflict");
}

#[test]
fn a_file_that_a_person_moved_and_an_agent_gave_its_name_again_is_the_one_that_was_edited() {
    let rename = |repo: &TestRepo| repo.apply(json!({"path": "c", "rename_to": "a"}));
    let (repo, edit) = edited(&[]);
    fs::rename(repo.root().join("a"), repo.root().join("c")).expect("it is moved");
    rename(&repo);
    repo.done(&["undo", &edit], "");
    assert_eq!(repo.text("a"), "aaa\nbbb\nccc\n");
    // The same again for the redo, beside a copy.
    fs::rename(repo.root().join("a"), repo.root().join("c")).expect("it is moved");
    repo.write("copy", repo.text("c"));
    rename(&repo);
    repo.done(&["redo", &edit], "");
    assert_eq!([repo.text("a"), repo.text("copy")], ["aaa\nAAA\nbbb\nccc\n", "aaa\nbbb\nccc\n"]);
}

#[test]
fn a_copy_that_an_agent_made_and_moved_over_the_name_of_the_edited_file_is_another_one() {
    let (repo, edit) = edited(&[]);
    repo.apply(json!({"path": "c", "content": repo.text("a")}));
    fs::remove_file(repo.root().join("a")).expect("it is there");
    repo.apply(json!({"path": "c", "rename_to": "a"}));
    assert_eq!(repo.refused(&["undo", &edit], ""), "undo_conflict");
}
