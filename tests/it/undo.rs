//! Undo and redo, through the command line.

use crate::support::TestRepo;
use serde_json::json;

const TEXT: &str = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\neleven\ntwelve\n";

fn repo() -> TestRepo {
    TestRepo::with_files(&[("a.txt", TEXT), ("b.txt", TEXT)])
}

#[test]
fn the_newest_edit_is_undone_and_then_the_one_before() {
    let repo = repo();
    let first = repo.edit("a.txt", "two", "2");
    let second = repo.edit("a.txt", "nine", "9");
    let answer = repo.done(&["undo"], "");
    assert_eq!(answer["data"]["undone"], json!([second]));
    assert_eq!(answer["data"]["applied"], json!(true));
    assert_eq!(repo.text("a.txt"), TEXT.replace("two", "2"));
    let answer = repo.done(&["undo"], "");
    assert_eq!(answer["data"]["undone"], json!([first]));
    assert_eq!(repo.text("a.txt"), TEXT);
    assert_eq!(repo.refused(&["undo"], ""), "nothing_to_undo");
    assert_eq!(repo.git(&["status", "--porcelain"]), "");
}

#[test]
fn any_edit_is_undone_and_later_ones_stay() {
    let repo = repo();
    let id = repo.edit("a.txt", "two", "2");
    repo.edit("a.txt", "three", "3");
    let user = repo.text("a.txt").replace("one\n", "user line\none\n");
    repo.write("a.txt", &user);
    let answer = repo.done(&["undo", &id[..6]], "");
    assert_eq!(repo.text("a.txt"), user.replace("2\n", "two\n"));
    assert!(answer["text"].as_str().expect("text").contains("later changes in it stay"), "{}", answer["text"]);
}

#[test]
fn a_redo_brings_it_back_and_an_undone_record_is_not_undone_twice() {
    let repo = repo();
    let id = repo.edit("a.txt", "two", "2");
    assert_eq!(repo.refused(&["redo"], ""), "nothing_to_undo");
    let undo = repo.done(&["undo"], "")["data"]["record"]["id"].as_str().expect("an id").to_owned();
    assert_eq!(repo.refused(&["undo", &id], ""), "nothing_to_undo");
    let answer = repo.done(&["redo"], "");
    assert_eq!(answer["data"]["undone"], json!([undo]));
    assert_eq!(repo.text("a.txt"), TEXT.replace("two", "2"));
    repo.done(&["undo"], "");
    assert_eq!(repo.text("a.txt"), TEXT);
    repo.done(&["redo", &id], "");
    assert_eq!(repo.text("a.txt"), TEXT.replace("two", "2"));
    assert_eq!(repo.refused(&["redo", &id], ""), "nothing_to_undo");
}

#[test]
fn a_changed_place_is_a_conflict_and_nothing_is_written() {
    let repo = repo();
    let request = json!({"files": [
        {"path": "a.txt", "old_string": "two", "new_string": "2"},
        {"path": "b.txt", "edits": [{"old_string": "one", "new_string": "1"}, {"old_string": "eleven", "new_string": "11"}]},
    ]});
    let id = repo.apply(request);
    let user = repo.text("b.txt").replace("11\n", "12\n");
    repo.write("b.txt", &user);
    let answer = repo.redraft(&["undo"], "");
    assert_eq!(answer.status, 1);
    let answer = answer.json();
    assert_eq!(answer["data"]["reason"], "undo_conflict");
    let conflict = &answer["data"]["hint"]["conflicts"][0];
    assert_eq!(conflict["path"], "b.txt");
    assert_eq!(conflict["hunk"], 3, "{answer}");
    assert_eq!(conflict["start_line"], 11);
    assert_eq!((repo.text("a.txt"), repo.text("b.txt")), (TEXT.replace("two", "2"), user.clone()));

    let answer = repo.done(&["undo", &id, "--markers"], "");
    assert_eq!(
        (answer["status"].as_str(), answer["data"]["conflicts"][0]["hunk"].as_u64()),
        (Some("partial"), Some(3))
    );
    let want = TEXT.replace("eleven\n", &format!("<<<<<<< now\n12\n=======\neleven\n>>>>>>> before {id}\n"));
    assert_eq!((repo.text("a.txt"), repo.text("b.txt")), (TEXT.to_owned(), want));
}

#[test]
fn single_hunks_and_paths_are_undone_and_the_rest_later() {
    let repo = repo();
    let request = json!({"files": [
        {"path": "a.txt", "edits": [{"old_string": "one", "new_string": "1"}, {"old_string": "eleven", "new_string": "11"}]},
        {"path": "b.txt", "old_string": "two", "new_string": "2"},
    ]});
    let id = repo.apply(request);
    repo.done(&["undo", &id, "--hunk", "2"], "");
    assert_eq!(repo.text("a.txt"), TEXT.replace("one\n", "1\n"));
    assert_eq!(repo.refused(&["undo", &id, "--hunk", "2"], ""), "nothing_to_undo");
    assert_eq!(repo.refused(&["undo", &id, "--hunk", "9"], ""), "nothing_to_undo");
    repo.done(&["undo", &id, "--", "b.txt"], "");
    assert_eq!(repo.text("b.txt"), TEXT);
    repo.done(&["undo", &id], "");
    assert_eq!(repo.text("a.txt"), TEXT);
    assert_eq!(repo.refused(&["undo", &id], ""), "nothing_to_undo");
}

#[test]
fn created_deleted_and_renamed_files_go_and_come_back() {
    let repo = repo();
    let made = repo.apply(json!({"path": "dir/new.txt", "content": "x\n"}));
    let gone = repo.apply(json!({"path": "a.txt", "delete": true}));
    let moved =
        repo.apply(json!({"path": "b.txt", "rename_to": "c.txt", "edits": [{"old_string": "one", "new_string": "1"}]}));
    repo.write("c.txt", repo.text("c.txt").replace("ten", "10"));
    repo.done(&["undo", &moved], "");
    assert_eq!((repo.has("c.txt"), repo.text("b.txt")), (false, TEXT.replace("ten", "10")));
    repo.done(&["undo", &gone], "");
    assert_eq!(repo.text("a.txt"), TEXT);
    repo.done(&["undo", &made], "");
    assert!(!repo.has("dir/new.txt"));
    repo.done(&["redo", &gone], "");
    assert!(!repo.has("a.txt"));
    repo.write("a.txt", "taken\n");
    assert_eq!(repo.refused(&["undo", "@"], ""), "undo_conflict");
}

#[test]
fn a_created_file_that_was_changed_is_not_removed() {
    let repo = repo();
    let made = repo.apply(json!({"path": "new.txt", "content": "x\n"}));
    repo.write("new.txt", "x\nuser\n");
    assert_eq!(repo.refused(&["undo", &made], ""), "undo_conflict");
    assert_eq!(repo.text("new.txt"), "x\nuser\n");
}

#[test]
fn a_session_is_undone_as_one_over_files_made_edited_and_renamed() {
    let repo = repo();
    let of = |session: &str, mut request: serde_json::Value| {
        request["agent"] = json!({"name": "tester", "session": session});
        repo.apply(request)
    };
    let one = of("s", json!({"path": "n.txt", "content": "x\ny\n"}));
    let two = of("s", json!({"path": "n.txt", "old_string": "x", "new_string": "X"}));
    let three = of("s", json!({"path": "a.txt", "rename_to": "m.txt"}));
    of("t", json!({"path": "m.txt", "old_string": "one", "new_string": "1"}));
    let four = of("s", json!({"path": "m.txt", "old_string": "ten", "new_string": "10"}));
    let answer = repo.done(&["undo", "--session", "s"], "");
    assert_eq!(answer["data"]["undone"], json!([four, three, two, one]));
    assert!(!repo.has("n.txt") && !repo.has("m.txt"));
    assert_eq!(repo.text("a.txt"), TEXT.replace("one", "1"));
    repo.done(&["redo"], "");
    assert_eq!(repo.text("n.txt"), "X\ny\n");
    assert_eq!(repo.text("m.txt"), TEXT.replace("one", "1").replace("ten", "10"));
    assert_eq!(repo.refused(&["undo", "--agent", "nobody"], ""), "nothing_to_undo");
}

#[test]
fn a_dry_run_writes_nothing_at_all() {
    let repo = repo();
    repo.edit("a.txt", "two", "2");
    let before = tree(&repo);
    let answer = repo.done(&["undo", "--dry-run"], "");
    assert_eq!((answer["status"].as_str(), answer["data"]["applied"].as_bool()), (Some("partial"), Some(false)));
    assert_eq!(tree(&repo), before);
}

/// Every file below the root with its contents, git's own too.
fn tree(repo: &TestRepo) -> Vec<(String, Vec<u8>)> {
    fn walk(dir: &std::path::Path, out: &mut Vec<(String, Vec<u8>)>) {
        for entry in std::fs::read_dir(dir).expect("a directory") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                walk(&path, out);
            } else {
                out.push((path.display().to_string(), std::fs::read(&path).expect("a file")));
            }
        }
    }
    let mut out = Vec::new();
    walk(&repo.root(), &mut out);
    out.sort();
    out
}

#[test]
fn what_the_user_reverted_by_hand_is_nothing_to_undo() {
    let repo = repo();
    repo.edit("a.txt", "two", "2");
    repo.git(&["checkout", "--", "a.txt"]);
    assert_eq!(repo.refused(&["undo"], ""), "nothing_to_undo");
}

#[test]
fn undo_is_the_same_for_sealed_records() {
    let repo = repo();
    let id = repo.edit("a.txt", "two", "2");
    let gone = repo.apply(json!({"path": "b.txt", "delete": true}));
    // Pruning makes a checkpoint.
    repo.redraft(&["backups", "prune", "--keep", "count=0"], "");
    assert!(repo.root().join(".git/redraft/history.git").is_dir());
    repo.write("a.txt", repo.text("a.txt").replace("one", "1"));
    repo.done(&["undo", &id], "");
    assert_eq!(repo.text("a.txt"), TEXT.replace("one", "1"));
    repo.done(&["undo", &gone], "");
    assert_eq!(repo.text("b.txt"), TEXT);
    let fsck = std::process::Command::new("git")
        .args(["--git-dir", ".git/redraft/history.git", "fsck", "--strict"])
        .current_dir(repo.root())
        .output()
        .expect("git runs");
    assert!(fsck.status.success(), "{}", String::from_utf8_lossy(&fsck.stderr));
}

#[cfg(unix)]
#[test]
fn a_later_chmod_stays() {
    use std::os::unix::fs::PermissionsExt;
    let repo = repo();
    repo.edit("a.txt", "two", "2");
    std::fs::set_permissions(repo.root().join("a.txt"), PermissionsExt::from_mode(0o755)).expect("a mode");
    repo.done(&["undo"], "");
    assert_eq!(repo.text("a.txt"), TEXT);
    let mode = std::fs::metadata(repo.root().join("a.txt")).expect("a file").permissions().mode();
    assert_eq!(mode & 0o777, 0o755);
}

#[test]
fn what_a_record_put_into_the_index_goes_back_with_it() {
    let repo = repo();
    let commit = |old: &str, new: &str| {
        let request = json!({"path": "a.txt", "old_string": old, "new_string": new, "record": "commit"}).to_string();
        repo.done(&["apply"], &request);
    };
    commit("two", "2");
    repo.done(&["undo"], "");
    assert_eq!(repo.text("a.txt"), TEXT);
    assert_eq!(repo.git(&["status", "--porcelain"]), "M  a.txt\n");
    assert_eq!(repo.git(&["log", "--oneline"]).lines().count(), 2);
    repo.done(&["redo"], "");
    assert_eq!(repo.git(&["status", "--porcelain"]), "");
    repo.done(&["undo", "--record", "commit"], "");
    assert_eq!(repo.git(&["diff", "HEAD~2", "HEAD"]), "");
    assert_eq!(repo.git(&["status", "--porcelain"]), "");

    repo.write("b.txt", TEXT.replace("nine", "unstaged"));
    let request = json!({"path": "b.txt", "old_string": "two", "new_string": "2"}).to_string();
    repo.done(&["apply", "--index"], &request);
    repo.done(&["undo"], "");
    assert_eq!(repo.git(&["diff", "--cached"]), "");
    assert_eq!(repo.text("b.txt"), TEXT.replace("nine", "unstaged"));
    let made = json!({"path": "new.txt", "content": "x\n"}).to_string();
    repo.done(&["apply", "--index"], &made);
    repo.done(&["undo"], "");
    assert_eq!(repo.git(&["status", "--porcelain"]), " M b.txt\n");
    repo.done(&["redo"], "");
    assert_eq!(repo.git(&["status", "--porcelain"]), " M b.txt\nA  new.txt\n");
}

#[test]
fn what_a_record_put_into_the_index_goes_back_with_another_one_of_the_file_that_put_nothing_there() {
    let repo = repo();
    let request = json!({"path": "a.txt", "old_string": "two", "new_string": "2"}).to_string();
    let told = repo.done(&["apply", "--index"], &request);
    let first = told["data"]["record"]["id"].as_str().expect("a record");
    let second = repo.edit("a.txt", "nine", "9");
    repo.done(&["undo", first, &second], "");
    assert_eq!((repo.text("a.txt").as_str(), repo.git(&["status", "--porcelain"]).as_str()), (TEXT, ""));
}

#[test]
fn a_later_rename_by_the_user_stays() {
    let repo = repo();
    let id = repo.edit("a.txt", "two", "2");
    std::fs::create_dir(repo.root().join("sub")).expect("made");
    std::fs::rename(repo.root().join("a.txt"), repo.root().join("sub/moved.txt")).expect("renamed");
    repo.done(&["undo", &id], "");
    assert!(!repo.has("a.txt"));
    assert_eq!(repo.text("sub/moved.txt"), TEXT);
    let moved =
        repo.apply(json!({"path": "b.txt", "rename_to": "c.txt", "edits": [{"old_string": "one", "new_string": "1"}]}));
    std::fs::rename(repo.root().join("c.txt"), repo.root().join("d.txt")).expect("renamed");
    repo.done(&["undo", &moved], "");
    assert_eq!((repo.has("b.txt"), repo.has("c.txt"), repo.text("d.txt")), (false, false, TEXT.to_owned()));
    let gone = repo.edit("d.txt", "two", "2");
    std::fs::remove_file(repo.root().join("d.txt")).expect("removed");
    assert_eq!(repo.refused(&["undo", &gone], ""), "undo_conflict");
}

#[test]
fn an_edit_goes_and_comes_again_where_other_records_changed_the_lines_on_both_sides() {
    const TEXT: &str = "fn a() {\n    one();\n}\n\nfn bar(x: u32) {\n    two();\n}\n\nfn last() {\n    two();\n}\n";
    for (old, new) in [
        // Put between them.
        ("fn bar(", "fn foo() {\n    two();\n}\n\nfn bar("),
        // Instead of another line.
        ("\n\nfn bar(", "\n// four\nfn bar("),
        // Nothing but what was there.
        ("}\n\nfn bar(", "}\nfn bar("),
    ] {
        let repo = TestRepo::with_files(&[("f.rs", TEXT)]);
        let others =
            |text: &str| text.replace("one();", "one(1);\n    more();").replace("bar(x: u32)", "other(y: u64)");
        let id = repo.edit("f.rs", old, new);
        repo.edit("f.rs", "bar(x: u32)", "other(y: u64)");
        repo.edit("f.rs", "one();", "one(1);\n    more();");
        repo.done(&["undo", &id], "");
        assert_eq!(repo.text("f.rs"), others(TEXT), "{new}");
        repo.done(&["redo", &id], "");
        assert_eq!(repo.text("f.rs"), others(&TEXT.replace(old, new)), "{new}");
    }
}

/// All orders of the first `n` numbers.
fn orders(n: usize) -> Vec<Vec<usize>> {
    let Some(last) = n.checked_sub(1) else { return vec![Vec::new()] };
    let with_last = |order: &Vec<usize>, at: usize| {
        let mut order = order.clone();
        order.insert(at, last);
        order
    };
    orders(last).iter().flat_map(|order| (0..n).map(move |at| with_last(order, at))).collect()
}

/// Seen: "other text was put in its place", where the other text was what the first undo had brought back.
#[test]
fn adjacent_lines_that_several_edits_deleted_come_back_in_any_order() {
    const LINES: &str = "1\n2\n3\n4\n5\n6\n7\n";
    const CODE: &str = "a {\n    x();\n}\n\nb {\n    y();\n}\n\nc {\n    z();\n}\n";
    for (base, edits) in [
        (LINES, &[("3\n4\n", "4\n"), ("4\n", ""), ("5\n6", "6")][..]),
        (LINES, &[("4\n", ""), ("3\n", ""), ("5\n6", "6")]),
        (LINES, &[("6\n7\n", "7\n"), ("7\n", "")]),
        (LINES, &[("7\n", ""), ("6\n", "")]),
        (CODE, &[("}\n\nb", "}\nb"), ("a {\n    x();\n}\n", "")]),
    ] {
        for order in orders(edits.len()) {
            let repo = TestRepo::with_files(&[("a", base)]);
            let ids: Vec<String> = edits.iter().map(|(old, new)| repo.edit("a", old, new)).collect();
            let left = repo.text("a");
            order.iter().for_each(|n| drop(repo.done(&["undo", &ids[*n]], "")));
            assert_eq!(repo.text("a"), base, "{edits:?} {order:?}");
            order.iter().rev().for_each(|n| drop(repo.done(&["redo", &ids[*n]], "")));
            assert_eq!(repo.text("a"), left, "{edits:?} {order:?}");
        }
    }
}

#[test]
fn what_another_record_put_back_beside_an_edit_is_not_put_back_again() {
    const TEXT: &str = "one\ntwo\nthree\nfour\nfive\nsix\n";
    let repo = TestRepo::with_files(&[("f", TEXT)]);
    let id = repo.edit("f", "three\n", "3\n");
    repo.edit("f", "four\n", "three\nfour\n");
    assert_eq!(repo.refused(&["undo", &id], ""), "undo_conflict");
    // Which of two that were put at one place stands first is not known.
    let repo = TestRepo::with_files(&[("f", TEXT)]);
    let gone = repo.edit("f", "three\n", "");
    repo.edit("f", "four\n", "new\nfour\n");
    assert_eq!(repo.refused(&["undo", &gone], ""), "undo_conflict");
    // A last line without its ending is not glued to what came behind it.
    let repo = TestRepo::with_files(&[("f", "one\ntwo\nthree")]);
    let last = repo.edit("f", "three", "3\n");
    repo.write("f", "one\ntwo\n3\nfour\n");
    assert_eq!(repo.refused(&["undo", &last], ""), "undo_conflict");
    let repo = TestRepo::with_files(&[("f", "one\ntwo\nthree")]);
    let last = repo.edit("f", "three", "3\n");
    repo.edit("f", "3\n", "3\nfour\n");
    assert_eq!(repo.refused(&["undo", &last], ""), "undo_conflict");
}

/// Seen: "taken back already".
#[test]
fn a_move_that_was_undone_and_redone_is_undone_after_another_edit() {
    const TEXT: &str =
        "start one\n    remove(seen)\n\n    let answer = commit()\n    check(answer)\n    abort\n    last\n";
    let moved = TEXT.replace("    remove(seen)\n\n", "").replace("    abort", "    remove(seen)\n\n    abort");
    let repo = TestRepo::with_files(&[("f", TEXT)]);
    let id = repo.edit("f", TEXT, &moved);
    repo.done(&["undo"], "");
    repo.edit("f", "    last", "other");
    repo.done(&["redo"], "");
    assert_eq!(repo.text("f"), moved.replace("    last", "other"));
    repo.done(&["undo", &id], "");
    assert_eq!(repo.text("f"), TEXT.replace("    last", "other"));
}

/// Seen: "record ... did it again" of the undo of another record, or half of it was left; a part of a splice had been deleted.
#[test]
fn a_splice_of_which_a_part_is_gone_is_not_done_again_by_the_undo_of_another_record() {
    let text = "l1\nl2\nl3\nl4\nl5\n";
    for with_more in [false, true] {
        let repo = TestRepo::with_files(&[("a", text)]);
        let older = repo.edit("a", "l2\n", "a1\nl2\n");
        let own = json!({"old_string": "l3\nl4\nl5\n", "new_string": "l3\nb2\nl4\nb3\nb4\n"});
        let more = json!({"old_string": "l1\n", "new_string": "b1\nl1\n"});
        let edits = if with_more { json!([more, own]) } else { json!([own]) };
        let id = repo.apply(json!({"path": "a", "edits": edits}));
        repo.edit("a", "b2\n", "");
        repo.done(&["undo", &older], "");
        repo.done(&["undo", &id], "");
        assert_eq!(repo.text("a"), text);
    }
}

/// Seen: the line came back where another one of the record had been, before the lines that it stood behind.
#[test]
fn a_line_comes_back_behind_the_one_it_stood_behind_where_that_was_gone_for_a_while() {
    for (head, tail) in [("", ""), ("p1\np2\n", "q1\nq2\n")] {
        let repo = TestRepo::with_files(&[("a", &format!("{head}aa\nbb\n{tail}"))]);
        let edits = json!([{"old_string": "aa\n", "new_string": ""}, {"old_string": "bb\n", "new_string": "bb\nxx\n"}]);
        let id = repo.apply(json!({"path": "a", "edits": edits}));
        repo.done(&["undo", &id], "");
        repo.edit("a", "bb\n", "mm\nbb\n");
        let gone = repo.edit("a", "mm\nbb\n", "");
        repo.done(&["undo", &gone], "");
        repo.done(&["redo", &id], "");
        assert_eq!(repo.text("a"), format!("{head}mm\nbb\nxx\n{tail}"));
    }
}
