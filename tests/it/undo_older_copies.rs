//! A file that was there before the record, or has an older version of the record's file, is not that one.

use crate::support::TestRepo;
use crate::undo_copies::{ROWS, rows, writes_nothing};
use serde_json::json;

/// As long as the clock of a file system takes to tick, and more: nothing tells that it has, but its files.
fn let_the_clock_tick() {
    std::thread::sleep(std::time::Duration::from_millis(60));
}

/// Seen: a redo went into an edited copy that was there before the record, where the file itself was gone.
#[test]
fn a_copy_that_was_there_before_the_record_is_not_the_file() {
    let copied = |text: &str| {
        let repo = rows();
        repo.write("copy.txt", text);
        let_the_clock_tick();
        let id = repo.edit("a.txt", "l6 x\n", "l6 x\nS S\n");
        (repo, id)
    };
    let alike = ROWS.replace("l2 x\n", "own\n");
    let (repo, _) = copied(&alike);
    repo.done(&["undo"], "");
    repo.shell("rm a.txt");
    writes_nothing(&repo, &["redo"]);
    // It has the record's lines as well.
    let (repo, id) = copied(&alike.replace("l6 x\n", "l6 x\nS S\n"));
    repo.shell("mv a.txt gone; git rm -q --cached a.txt; rm gone");
    writes_nothing(&repo, &["undo", &id]);
    // One of that text that came since is the file.
    let (repo, id) = copied("other\n");
    repo.shell("mv a.txt m.txt; sed -i 's/l2 x/own/' m.txt");
    repo.done(&["undo", &id], "");
    assert_eq!(repo.text("m.txt"), alike);
    // A folder that was renamed leaves its files as they were.
    let repo = TestRepo::with_files(&[("d/a.txt", ROWS)]);
    repo.edit("d/a.txt", "l1 x\n", "l1 y\n");
    let id = repo.edit("d/a.txt", "l6 x\n", "l6 x\nS S\n");
    repo.shell("mv d e");
    repo.done(&["undo", &id], "");
    assert_eq!(repo.text("e/a.txt"), ROWS.replace("l1 x", "l1 y"));
}

/// Seen: the undo of a new file removed an older one of its name and text in another folder.
#[test]
fn a_file_that_was_there_before_is_not_removed_for_a_new_one_that_is_gone() {
    let made = |prepare: &str| {
        let repo = TestRepo::with_files(&[("x/l", "l\n"), ("t/k", "k\n")]);
        repo.shell(prepare);
        let_the_clock_tick();
        let id = repo.apply(json!({"path": "t/mod.rs", "content": "pub mod a;\n"}));
        (repo, id)
    };
    let (repo, id) = made("echo 'pub mod a;' > x/mod.rs");
    repo.shell("rm t/mod.rs; touch x/new");
    writes_nothing(&repo, &["undo", &id]);
    // Its mode was changed since.
    let (repo, id) = made("echo 'pub mod a;' > x/mod.rs; touch -d '2 minutes ago' x/mod.rs");
    repo.shell("rm t/mod.rs; chmod 600 x/mod.rs");
    writes_nothing(&repo, &["undo", &id]);
    // It went with its folder.
    let (repo, id) = made("true");
    repo.shell("mv t u");
    repo.done(&["undo", &id], "");
    assert!(!repo.has("u/mod.rs") && repo.has("u/k"));
    // A copy of the folder is older than what was written last.
    let repo = TestRepo::with_files(&[("s/a.txt", ROWS)]);
    repo.edit("s/a.txt", "l6 x\n", "l6 x\nS S\n");
    repo.shell("cp -r s u");
    let_the_clock_tick();
    repo.done(&["undo"], "");
    repo.done(&["redo"], "");
    repo.shell("rm -r s");
    writes_nothing(&repo, &["undo"]);
}

/// Seen: the edit was taken out of a copy of an older version, and not of the moved and edited file.
#[test]
fn of_a_moved_file_and_a_copy_of_an_older_version_neither_is_taken() {
    let repo = rows();
    let id = repo.edit("a.txt", "l2 x\n", "N 2\n");
    let older = repo.text("a.txt");
    repo.edit("a.txt", "l7 x", "M 7");
    repo.write("x.txt", &older);
    repo.shell("mv a.txt m.txt; echo u >> m.txt");
    writes_nothing(&repo, &["undo", &id]);
    // It has the name again that git has for it, and what was done last was taken out.
    let repo = rows();
    repo.shell("mv a.txt b.txt");
    let id = repo.edit("b.txt", "l2 x\n", "N 2\n");
    repo.edit("b.txt", "l7 x", "M 7");
    repo.shell("sed -i 's/M 7/l7 x/' b.txt; cp b.txt c.txt; mv b.txt a.txt");
    writes_nothing(&repo, &["undo", &id]);
    repo.shell("rm c.txt");
    repo.done(&["undo", &id], "");
    assert_eq!(repo.text("a.txt"), ROWS);
}

#[test]
fn two_copies_of_an_older_version_are_in_no_way_of_the_moved_file() {
    let repo = rows();
    let id = repo.edit("a.txt", "l2 x\n", "N 2\n");
    let older = repo.text("a.txt");
    repo.edit("a.txt", &older, "q 1\nN 2\nq 3\nq 4\nq 5\nq 6\n");
    repo.write("x.txt", &older);
    repo.write("y.txt", &older);
    repo.shell("mv a.txt m.txt; echo u >> m.txt");
    repo.done(&["undo", &id], "");
    assert_eq!(repo.text("m.txt"), "q 1\nl2 x\nq 3\nq 4\nq 5\nq 6\nu\n");
}

/// Seen: the edit was taken out of the copy, which a record had met while a later one met the file under its own name.
#[test]
fn a_copy_that_the_log_knows_beside_the_file_is_not_the_file() {
    let copied = || {
        let repo = rows();
        let id = repo.edit("a.txt", "l2 x\n", "N 2\n");
        repo.shell("cp a.txt b.txt");
        let other = repo.edit("b.txt", "l7 x\n", "M 7\n");
        repo.edit("a.txt", "l4 x\n", "O 4\n");
        (repo, id, other)
    };
    let (repo, id, other) = copied();
    repo.done(&["undo", &other], "");
    repo.shell("rm a.txt");
    writes_nothing(&repo, &["undo", &id]);
    let (repo, id, _) = copied();
    repo.shell("sed -i 's/l8 x/own/' b.txt; rm a.txt");
    writes_nothing(&repo, &["undo", &id]);
    // Git has another name for the file, with a line of somebody else.
    let repo = rows();
    let id = repo.edit("a.txt", "l2 x\n", "N 2\n");
    repo.shell("cp a.txt b.txt; sed -i 's/l8 x/own/' a.txt; git mv a.txt c.txt; git commit -qam moved");
    repo.edit("b.txt", "l5 x\n", "M 5\n");
    writes_nothing(&repo, &["undo", &id]);
}

/// What only takes a line out leaves no line by which its file is known.
#[test]
fn an_older_version_that_stands_elsewhere_is_the_file_only_where_no_other_one_is_like_the_last() {
    // What the file became, whether it is gone, and whether the older version is taken for it.
    let other: String = (1..=6).map(|n| format!("other {n}\n")).collect();
    let cases =
        [(ROWS.replace("l9 x\n", "N 9\n"), "rm a.txt", true), (other, "mv a.txt m.txt; echo u >> m.txt", false)];
    for (last, script, is_taken) in cases {
        let repo = rows();
        let id = repo.edit("a.txt", "l3 x\n", "");
        repo.shell("cp a.txt k.txt");
        repo.apply(json!({"path": "a.txt", "content": last, "overwrite": true}));
        let_the_clock_tick();
        repo.shell(&format!("mv k.txt x.txt; {script}"));
        if is_taken {
            repo.done(&["undo", &id], "");
            assert_eq!(repo.text("x.txt"), ROWS);
        } else {
            writes_nothing(&repo, &["undo", &id]);
        }
    }
}
