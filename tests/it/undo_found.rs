//! Which file an undo is about where files were moved, removed or exchanged, what of it is another record's, and what becomes
//! of permission bits.

use crate::support::TestRepo;
use serde_json::{Value, json};

const ONE: &str = "use std::io;\n\nfn one() {\n    first();\n    second();\n}\n";
const TWO: &str = "use std::io;\n\nfn two() {\n    third();\n    fourth();\n}\n";
/// No line of it stands once: nothing but all of it tells a version of it.
const ALIKE: &str = "same\nsame\n";

fn texts<const N: usize>(repo: &TestRepo, paths: [&str; N]) -> [Option<String>; N] {
    paths.map(|path| std::fs::read_to_string(repo.root().join(path)).ok())
}

fn some(text: impl Into<String>) -> Option<String> {
    Some(text.into())
}

fn remove(repo: &TestRepo, path: &str) {
    std::fs::remove_file(repo.root().join(path)).expect("it is there");
}

fn rename(repo: &TestRepo, from: &str, to: &str) {
    std::fs::rename(repo.root().join(from), repo.root().join(to)).expect("moves");
}

fn session(repo: &TestRepo, requests: &[Value]) {
    for request in requests {
        let mut request = request.clone();
        request["agent"] = json!({"name": "a", "session": "s"});
        repo.apply(request);
    }
}

fn edit(path: &str, old: &str, new: &str) -> Value {
    json!({"path": path, "old_string": old, "new_string": new})
}

fn warnings(told: &Value) -> Vec<&str> {
    told["data"]["warnings"].as_array().expect("a list").iter().flat_map(Value::as_str).collect()
}

#[test]
fn a_file_that_was_undone_and_put_back_is_undone_again_whatever_happened_to_others() {
    let repo = TestRepo::with_files(&[("z", "z\n")]);
    let made = repo.apply(json!({"path": "n.rs", "content": ONE}));
    repo.done(&["undo", &made], "");
    repo.write("n.rs", ONE);
    repo.edit("z", "z", "Z");
    repo.done(&["undo", &made], "");
    assert!(!repo.has("n.rs"));
    // What another record made is that one's.
    repo.apply(json!({"path": "n.rs", "content": ONE}));
    assert_eq!(repo.refused(&["undo", &made], ""), "nothing_to_undo");
    assert!(repo.has("n.rs"));
}

#[test]
fn files_that_were_edited_deleted_and_whose_names_others_took_come_back_as_they_were() {
    let repo = TestRepo::with_files(&[("a", ONE), ("b", TWO), ("c", "ccc\nddd\neee\n"), ("d", "fff\nggg\nhhh\n")]);
    let before = texts(&repo, ["a", "b", "c", "d"]);
    session(
        &repo,
        &[
            edit("a", "first()", "first(1)"),
            json!({"path": "a", "delete": true}),
            json!({"path": "b", "rename_to": "a"}),
            edit("c", "ddd", "DDD"),
            json!({"path": "c", "delete": true}),
            json!({"path": "d", "rename_to": "c"}),
        ],
    );
    repo.done(&["undo", "--session", "s"], "");
    assert_eq!(texts(&repo, ["a", "b", "c", "d"]), before);
}

#[test]
fn a_file_that_is_gone_is_no_other_file_of_the_session() {
    for (is_tracked, text) in [(true, TWO), (true, ONE), (false, TWO)] {
        let repo = TestRepo::with_files(&[("f.rs", ONE), ("z", "z\n")]);
        if is_tracked {
            repo.write("z.rs", text);
            repo.commit_all("another");
        }
        session(&repo, &[edit("f.rs", "use std::io;", "use std::fs;")]);
        remove(&repo, "f.rs");
        repo.write("z.rs", text);
        session(&repo, &[edit("z.rs", "use std::io;", "use std::fmt;")]);
        let told = repo.redraft(&["undo", "--session", "s", "--skip-conflicts"], "").json();
        assert_eq!(told["status"], "partial", "{told}");
        let skipped = told["data"]["skipped"].as_array().expect("a list");
        assert_eq!((skipped.len(), &skipped[0]["path"]), (1, &json!("f.rs")), "{told}");
        assert_eq!(texts(&repo, ["f.rs", "z.rs"]), [None, some(text)]);
    }
}

#[test]
fn a_renamed_and_rewritten_file_that_git_brought_back_is_taken_back_already() {
    let repo = TestRepo::with_files(&[("f", "alpha\n")]);
    let id = repo.apply(json!({"path": "f", "rename_to": "g", "old_string": "alpha", "new_string": "beta"}));
    remove(&repo, "g");
    repo.git(&["checkout", "f"]);
    let told = repo.redraft(&["undo", &id], "").json();
    assert_eq!(told["data"]["reason"], "nothing_to_undo", "{told}");
}

#[test]
fn a_file_that_another_record_rewrote_before_it_was_moved_is_found_by_that_text() {
    let tail: String = (0..12).map(|n| format!("    old_call_{n}();\n")).collect();
    let rewritten: String = (0..20).map(|n| format!("    new_call_{n}(n);\n")).collect();
    let repo = TestRepo::with_files(&[("f.rs", &format!("{ONE}{tail}"))]);
    let id = repo.edit("f.rs", "first()", "first(1)");
    repo.edit("f.rs", &tail, &rewritten);
    rename(&repo, "f.rs", "g.rs");
    repo.done(&["undo", &id], "");
    assert_eq!(texts(&repo, ["f.rs", "g.rs"]), [None, some(format!("{ONE}{rewritten}"))]);
}

#[test]
fn a_path_names_the_moved_file_of_a_call_that_edited_very_many() {
    let names: Vec<String> = (0..20).map(|n| format!("z{n}.rs")).collect();
    let mut files: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), TWO)).collect();
    files.push(("zz.rs", ONE));
    let repo = TestRepo::with_files(&files);
    let mut edits: Vec<Value> = names.iter().map(|name| edit(name, "third()", "third(3)")).collect();
    edits.push(edit("zz.rs", "first()", "first(1)"));
    let id = repo.apply(json!({"files": edits}));
    rename(&repo, "zz.rs", "moved.rs");
    for args in [&["undo", &id, "--", "moved.rs"][..], &["undo", "--", "moved.rs"]] {
        repo.done(args, "");
        assert_eq!(texts(&repo, ["zz.rs", "moved.rs"]), [None, some(ONE)]);
        assert_eq!(repo.text("z3.rs"), TWO.replace("third()", "third(3)"));
        repo.done(&["redo"], "");
    }
}

#[test]
fn a_deleted_file_of_equal_lines_that_came_back_and_was_moved_does_not_come_back_twice() {
    let repo = TestRepo::with_files(&[("f", ALIKE), ("z", "z\n")]);
    let id = repo.apply(json!({"path": "f", "delete": true}));
    repo.done(&["undo", &id], "");
    rename(&repo, "f", "g");
    assert_eq!(repo.refused(&["undo", &id], ""), "nothing_to_undo");
    assert_eq!(texts(&repo, ["f", "g"]), [None, some(ALIKE)]);
}

#[test]
fn an_empty_file_is_no_other_empty_file() {
    let repo = TestRepo::with_files(&[("f", "x\n"), ("e", ""), ("z", "z\n")]);
    let emptied = repo.edit("f", "x\n", "");
    remove(&repo, "f");
    repo.write("mine", "");
    assert_eq!(repo.refused(&["undo", &emptied], ""), "undo_conflict");
    assert_eq!(texts(&repo, ["f", "mine"]), [None, some("")]);
    // One that was deleted and undone, and is gone, comes back though there are others.
    let deleted = repo.apply(json!({"path": "e", "delete": true}));
    repo.done(&["undo", &deleted], "");
    remove(&repo, "e");
    repo.done(&["undo", &deleted], "");
    assert_eq!(texts(&repo, ["e", "mine"]), [some(""), some("")]);
}

#[test]
fn a_moved_and_edited_file_is_found_beside_a_tracked_one_that_is_like_it() {
    let repo = TestRepo::with_files(&[("f.rs", ONE), ("like.rs", &format!("{ONE}// like\n"))]);
    let id = repo.edit("f.rs", "first()", "first(1)");
    rename(&repo, "f.rs", "g.rs");
    repo.write("g.rs", repo.text("g.rs") + "// mine\n");
    repo.done(&["undo", &id], "");
    assert_eq!(texts(&repo, ["g.rs", "like.rs"]), [some(format!("{ONE}// mine\n")), some(format!("{ONE}// like\n"))]);
}

#[test]
fn a_rename_is_taken_back_where_the_log_has_the_file_rewritten_whole_since() {
    let repo = TestRepo::with_files(&[("f", ALIKE)]);
    let id = repo.apply(json!({"path": "f", "rename_to": "g"}));
    repo.edit("g", ALIKE, ONE);
    let mine = format!("{ONE}// mine\n");
    repo.write("g", &mine);
    repo.done(&["undo", &id], "");
    assert_eq!(texts(&repo, ["f", "g"]), [some(mine), None]);
}

#[test]
fn a_new_name_is_told_where_it_stays_and_only_there() {
    let repo = TestRepo::with_files(&[("f.rs", ONE)]);
    let id = repo.edit("f.rs", "first()", "first(1)");
    assert_eq!(warnings(&repo.done(&["undo", &id], "")), [""; 0]);
    repo.done(&["redo"], "");
    rename(&repo, "f.rs", "g.rs");
    let told = repo.done(&["undo", &id], "");
    assert_eq!(warnings(&told), ["g.rs was renamed since and keeps its name; move it where that is not meant"]);
    // One that is removed keeps no name.
    let made = repo.apply(json!({"path": "n.rs", "content": TWO}));
    rename(&repo, "n.rs", "m.rs");
    assert_eq!(warnings(&repo.done(&["undo", &made], "")), [""; 0]);
    assert!(!repo.has("m.rs"));
    // Nor is it told twice of one that a record had renamed before.
    let moved =
        repo.apply(json!({"path": "g.rs", "rename_to": "h.rs", "old_string": "second()", "new_string": "second(2)"}));
    rename(&repo, "h.rs", "i.rs");
    let told = repo.done(&["undo", &moved], "");
    assert_eq!(warnings(&told), ["i.rs was renamed since and keeps its name; move it where that is not meant"]);
    assert_eq!(texts(&repo, ["g.rs", "h.rs", "i.rs"]), [None, None, some(ONE)]);
}

/// `f.rs` after an agent's edit, that edit, and what it is when somebody takes it back.
fn edited() -> (TestRepo, String, String) {
    let repo = TestRepo::with_files(&[("f.rs", ONE)]);
    let id = repo.edit("f.rs", "first()", "first(1)");
    let after = repo.text("f.rs");
    (repo, id, after)
}

fn is_said_of(repo: &TestRepo, id: &str, by: &str) {
    let before = repo.text("f.rs");
    let told = repo.redraft(&["undo", id], "").json();
    assert_eq!(told["data"]["reason"], "nothing_to_undo", "{told}");
    let words = told["text"].as_str().expect("text");
    assert!(words.contains(&format!("record {by} did it again")), "{words}");
    assert_eq!(repo.text("f.rs"), before);
}

#[test]
fn what_two_others_did_again_is_the_last_one_s() {
    let (repo, first, _) = edited();
    repo.write("f.rs", ONE);
    repo.edit("f.rs", "first()", "first(1)");
    repo.write("f.rs", ONE);
    let third = repo.edit("f.rs", "first()", "first(1)");
    is_said_of(&repo, &first, &third);
}

#[test]
fn what_the_undo_of_an_older_record_did_again_is_that_undo_s() {
    let repo = TestRepo::with_files(&[("f.rs", ONE)]);
    let there = repo.edit("f.rs", "second()", "second(2)");
    let there_text = repo.text("f.rs");
    let back = repo.edit("f.rs", "second(2)", "second()");
    repo.write("f.rs", &there_text);
    let undo = repo.done(&["undo", &there], "")["data"]["record"]["id"].as_str().expect("an id").to_owned();
    is_said_of(&repo, &back, &undo);
}

#[test]
fn what_a_record_did_again_that_is_undone_is_the_first_one_s() {
    let (repo, first, after) = edited();
    repo.write("f.rs", ONE);
    let second = repo.edit("f.rs", "first()", "first(1)");
    repo.done(&["undo", &second], "");
    repo.write("f.rs", &after);
    repo.done(&["undo", &first], "");
    assert_eq!(repo.text("f.rs"), ONE);
    // Redone, it is that one's again.
    let (repo, first, _) = edited();
    repo.write("f.rs", ONE);
    let second = repo.edit("f.rs", "first()", "first(1)");
    repo.done(&["undo", &second], "");
    repo.done(&["redo", &second], "");
    is_said_of(&repo, &first, &second);
}

#[test]
fn what_came_back_before_another_record_is_the_first_one_s() {
    let (repo, first, after) = edited();
    repo.done(&["undo", &first], "");
    repo.write("f.rs", &after);
    repo.edit("f.rs", "second()", "second(2)");
    repo.done(&["undo", &first], "");
    assert_eq!(repo.text("f.rs"), ONE.replace("second()", "second(2)"));
}

#[test]
fn what_another_record_did_again_of_three_edits_stays_and_the_other_two_go() {
    let lines = |changed: &[usize]| -> String {
        (0..30).map(|n| format!("{} {n}\n", if changed.contains(&n) { "changed" } else { "line" })).collect()
    };
    let change = |n: usize| json!({"old_string": format!("line {n}\n"), "new_string": format!("changed {n}\n")});
    let repo = TestRepo::with_files(&[("f", &lines(&[]))]);
    let first = repo.apply(json!({"path": "f", "edits": [change(3), change(13), change(23)]}));
    repo.write("f", lines(&[3, 23]));
    repo.edit("f", "line 13\n", "changed 13\n");
    repo.done(&["undo", &first], "");
    assert_eq!(repo.text("f"), lines(&[13]));
}

#[test]
fn a_part_of_a_renamed_file_is_undone_under_its_new_name() {
    let middle: String = (0..20).map(|n| format!("    call_{n}();\n")).collect();
    let text = format!("fn one() {{\n{middle}}}\n");
    let repo = TestRepo::with_files(&[("f.rs", &text)]);
    let id = repo.apply(json!({"path": "f.rs", "rename_to": "g.rs", "edits": [
        {"old_string": "call_0()", "new_string": "call_0(0)"}, {"old_string": "call_19()", "new_string": "call_19(19)"}]}));
    repo.done(&["undo", &id, "--hunk", "1"], "");
    assert_eq!(texts(&repo, ["f.rs", "g.rs"]), [None, some(text.replace("call_19()", "call_19(19)"))]);
}

#[test]
fn a_renamed_and_edited_file_is_known_by_the_edit_where_most_of_its_lines_are_others() {
    let rest = |name: &str| -> String { (0..20).map(|n| format!("fn {name}_{n}() {{}}\n")).collect() };
    let repo = TestRepo::with_files(&[("f.rs", &format!("{ONE}{}", rest("old")))]);
    let id =
        repo.apply(json!({"path": "f.rs", "rename_to": "g.rs", "old_string": "first()", "new_string": "first(1)"}));
    repo.write("g.rs", repo.text("g.rs").replace(&rest("old"), &rest("new")));
    repo.done(&["undo", &id], "");
    assert_eq!(texts(&repo, ["f.rs", "g.rs"]), [some(format!("{ONE}{}", rest("new"))), None]);
}

#[test]
fn an_old_name_names_the_records_of_a_file_that_redraft_renamed_since() {
    let repo = TestRepo::with_files(&[("f.rs", ONE)]);
    let id = repo.edit("f.rs", "first()", "first(1)");
    repo.apply(json!({"path": "f.rs", "rename_to": "g.rs"}));
    repo.done(&["undo", &id, "--", "f.rs"], "");
    assert_eq!(texts(&repo, ["f.rs", "g.rs"]), [None, some(ONE)]);
}

#[test]
fn undo_of_a_path_steps_over_what_is_taken_back_there_whatever_stands_elsewhere() {
    let repo = TestRepo::with_files(&[("f.rs", ONE), ("z", "z\n")]);
    repo.edit("z", "z", "Z");
    repo.apply(json!({"files": [edit("f.rs", "first()", "first(1)"), edit("z", "Z", "ZZ")]}));
    repo.write("z", "Z\n");
    repo.done(&["undo", "--", "z"], "");
    assert_eq!(texts(&repo, ["f.rs", "z"]), [some(ONE.replace("first()", "first(1)")), some("z\n")]);
}

#[test]
fn a_file_that_was_emptied_and_is_gone_is_no_new_empty_one() {
    let repo = TestRepo::with_files(&[("f", "x\n"), ("z", "z\n")]);
    let emptied = repo.edit("f", "x\n", "");
    remove(&repo, "f");
    repo.write("mine", "");
    assert_eq!(repo.refused(&["undo", &emptied], ""), "undo_conflict");
    assert_eq!(texts(&repo, ["f", "mine"]), [None, some("")]);
}

#[test]
fn an_ignored_file_is_undone_from_its_backup_or_known_to_be_as_it_was() {
    let repo = TestRepo::with_files(&[(".gitignore", "*.env\n"), ("z", "z\n")]);
    repo.write("key.env", ONE);
    let id = repo.edit("key.env", "first()", "first(1)");
    assert_eq!(repo.redraft(&["gc"], "").status, 0);
    repo.done(&["undo", &id], "");
    assert_eq!(repo.text("key.env"), ONE);
    // Where there is no backup any more, at least that is seen.
    let id = repo.edit("key.env", "first()", "first(1)");
    assert_eq!(repo.redraft(&["backups", "prune", "--keep", "count=0"], "").status, 0);
    assert_eq!(repo.refused(&["undo", &id], ""), "undo_conflict");
    repo.write("key.env", ONE);
    assert_eq!(repo.refused(&["undo", &id], ""), "nothing_to_undo");
}

/// `a`, which may be run, and `b` exchanged their names and `c` was edited, and all of that was undone: the undo.
fn names_exchanged_back() -> (TestRepo, String) {
    let repo = TestRepo::with_files(&[("a", ONE), ("b", TWO), ("c", ONE)]);
    repo.chmod("a", 0o755);
    let rename = |from: &str, to: &str| json!({"path": from, "rename_to": to});
    session(&repo, &[rename("a", "t"), rename("b", "a"), rename("t", "b"), edit("c", "first()", "first(1)")]);
    let told = repo.done(&["undo", "--session", "s"], "");
    assert_eq!((texts(&repo, ["a", "b", "c"]), modes(&repo)), ([some(ONE), some(TWO), some(ONE)], [0o755, 0o644]));
    (repo, told["data"]["record"]["id"].as_str().expect("an id").to_owned())
}

fn modes(repo: &TestRepo) -> [u32; 2] {
    ["a", "b"].map(|path| {
        let meta = std::fs::metadata(repo.root().join(path)).expect("it is there");
        std::os::unix::fs::PermissionsExt::mode(&meta.permissions()) & 0o777
    })
}

/// What the working tree is after the exchange, without permission bits.
fn exchange_by_hand(repo: &TestRepo) {
    repo.write("a", TWO);
    repo.write("b", ONE);
    repo.write("c", ONE.replace("first()", "first(1)"));
}

#[test]
fn permission_bits_that_were_set_since_stay() {
    let (repo, _) = names_exchanged_back();
    repo.chmod("a", 0o700);
    repo.done(&["redo"], "");
    assert_eq!((texts(&repo, ["a", "b"]), modes(&repo)), ([some(TWO), some(ONE)], [0o700, 0o755]));
}

#[test]
fn permission_bits_go_back_where_the_texts_are_back_already() {
    let (repo, _) = names_exchanged_back();
    exchange_by_hand(&repo);
    repo.done(&["redo"], "");
    assert_eq!((texts(&repo, ["a", "b"]), modes(&repo)), ([some(TWO), some(ONE)], [0o644, 0o755]));
}

#[test]
fn permission_bits_alone_do_not_tell_that_an_undo_is_in_force_again() {
    let (repo, undo) = names_exchanged_back();
    repo.done(&["redo"], "");
    repo.chmod("a", 0o755);
    repo.chmod("b", 0o644);
    assert_eq!(repo.refused(&["redo", &undo], ""), "nothing_to_undo");
    assert_eq!(modes(&repo), [0o755, 0o644]);
    // With the texts they do.
    repo.write("a", ONE);
    repo.write("b", TWO);
    repo.done(&["redo", &undo], "");
    assert_eq!((texts(&repo, ["a", "b"]), modes(&repo)), ([some(TWO), some(ONE)], [0o644, 0o755]));
}
#[test]
fn a_file_that_is_back_at_the_first_of_its_names_is_found_there() {
    let repo = TestRepo::with_files(&[("f.rs", ONE)]);
    let id = repo.edit("f.rs", "first()", "first(1)");
    repo.apply(json!({"path": "f.rs", "rename_to": "g.rs"}));
    repo.apply(json!({"path": "g.rs", "rename_to": "h.rs"}));
    rename(&repo, "h.rs", "f.rs");
    repo.done(&["undo", &id], "");
    assert_eq!(texts(&repo, ["f.rs", "g.rs", "h.rs"]), [some(ONE), None, None]);
}

/// Seen: "its lines were changed since" of the last line, as an editor had ended it.
#[test]
fn an_edit_of_a_last_line_that_an_editor_ended_since_is_undone() {
    let repo = TestRepo::with_files(&[("f", "one\ntwo\nthree")]);
    let id = repo.edit("f", "three", "drei");
    repo.write("f", "one\ntwo\ndrei\n");
    repo.done(&["undo", &id], "");
    assert_eq!(repo.text("f"), "one\ntwo\nthree\n");
    repo.done(&["redo", &id], "");
    assert_eq!(repo.text("f"), "one\ntwo\ndrei\n");
}

#[test]
fn a_rename_that_was_undone_and_done_again_by_hand_is_undone_again_whatever_happened_to_others() {
    let repo = TestRepo::with_files(&[("a", ONE), ("z", "z\n")]);
    let id = repo.apply(json!({"path": "a", "rename_to": "b"}));
    repo.done(&["undo", &id], "");
    repo.git(&["mv", "a", "b"]);
    repo.edit("z", "z", "Z");
    repo.done(&["undo", &id], "");
    assert_eq!(texts(&repo, ["a", "b"]), [some(ONE), None]);
}

/// The person edited it, too, and the later record left little of what the older one had met.
#[test]
fn a_file_that_was_moved_between_two_records_is_one_file_however_much_the_later_one_changed() {
    let rows = "l1 x\nl2 x\nl3 x\nl4 x\nl5 x\nl6 x\nl7 x\nl8 x\n";
    let repo = TestRepo::with_files(&[("a", rows)]);
    let older = repo.edit("a", "l2 x\n", "l2 N\n");
    repo.shell("sed 's/l8 x/l8 u/' a > b; rm a");
    let later = repo.edit("b", "l1 x\nl2 N\nl3 x\nl4 x\nl5 x\n", "q1\nl2 N\nq3\nq4\nq5\nq6\n");
    repo.done(&["undo", &older, &later], "");
    assert_eq!(texts(&repo, ["a", "b"]), [None, some(rows.replace("l8 x", "l8 u"))]);
}

fn numbered(name: &str, lines: std::ops::RangeInclusive<usize>) -> String {
    lines.map(|n| format!("{name} {n}\n")).collect()
}

/// What only takes a line out leaves no line by which its file is known.
#[test]
fn a_moved_file_is_taken_for_the_record_s_where_no_file_of_git_got_as_many_of_its_lines() {
    let (other, had) = (numbered("o", 1..=6), format!("o 1\n{}", numbered("line", 4..=8)));
    let cases = [
        (&other, "head -n 7 g >> o", false),
        (&other, "echo x >> o", true),
        // It had them before.
        (&had, "sed -i 's/o 1/o 2/' o", true),
        // Git itself takes the one that is most like it.
        (&other, "head -n 7 g >> o; git add -A; git commit -qm c", false),
        (&other, "echo x >> o; git add -A; git commit -qm c", true),
    ];
    for (in_git, script, is_taken) in cases {
        let repo = TestRepo::with_files(&[("f", &numbered("line", 1..=12)), ("o", in_git)]);
        let id = repo.edit("f", "line 3\n", "");
        repo.shell(&format!("mv f g; sed -i 's/line 9$/neun/' g; {script}"));
        let [moved, other] = ["g", "o"].map(|name| repo.text(name));
        let told = repo.redraft(&["undo", &id], "");
        assert_eq!(told.status == 0, is_taken, "{script}: {}", told.out);
        let back = moved.replace("line 4\n", "line 3\nline 4\n");
        assert_eq!([repo.text("g"), repo.text("o")], [if is_taken { back } else { moved }, other], "{script}");
    }
}

/// The file was moved once more, or is gone, and another one got the name under which a record had met it.
#[test]
fn a_file_at_the_name_under_which_a_later_record_met_the_moved_one_is_another() {
    for script in ["rm g; mv o g", "mv g h; mv o g"] {
        let alike = numbered("o", 1..=3) + &numbered("line", 1..=9);
        let repo = TestRepo::with_files(&[("f", &numbered("line", 1..=12)), ("o", &alike)]);
        let id = repo.edit("f", "line 6\n", "");
        rename(&repo, "f", "g");
        repo.edit("g", "line 11\n", "");
        repo.shell(script);
        assert_eq!(repo.refused(&["undo", &id], ""), "undo_conflict", "{script}");
        assert_eq!(repo.text("g"), alike, "{script}");
    }
}

#[test]
fn a_session_is_undone_in_a_file_that_was_moved_and_edited_before_the_session_replaced_all_of_it() {
    let repo = TestRepo::with_files(&[("f", &numbered("line", 1..=12))]);
    session(&repo, &[edit("f", "line 3\n", "")]);
    repo.shell("mv f g; sed -i 's/line 9$/neun/' g");
    session(&repo, &[json!({"path": "g", "content": numbered("other", 1..=9), "overwrite": true})]);
    repo.done(&["undo", "--session", "s"], "");
    assert_eq!(texts(&repo, ["f", "g"]), [None, some(numbered("line", 1..=12).replace("line 9", "neun"))]);
}

/// Another session made the one that the session removed, with the text of the one that it had made itself.
#[test]
fn a_file_that_another_session_made_comes_back_and_is_not_the_one_of_its_text_that_is_elsewhere() {
    for script in ["rm f", "mv f z"] {
        let text = numbered("t", 1..=5);
        let repo = TestRepo::with_files(&[("o", "o\n")]);
        session(&repo, &[json!({"path": "f", "content": text})]);
        repo.shell(script);
        repo.apply(json!({"path": "g", "content": text, "agent": {"session": "t"}}));
        session(&repo, &[json!({"path": "g", "delete": true})]);
        repo.done(&["undo", "--session", "s"], "");
        assert_eq!(texts(&repo, ["f", "g", "z"]), [None, some(&text), None], "{script}");
    }
}

#[test]
fn a_file_that_two_commits_removed_and_added_again_under_another_name_is_the_record_s() {
    let repo = TestRepo::with_files(&[("f", &numbered("line", 1..=8))]);
    let id = repo.edit("f", "line 3\n", "");
    repo.shell("mv f g; git rm -q --cached f; git commit -qm gone; git add g; git commit -qm come");
    repo.done(&["undo", &id], "");
    assert_eq!(repo.text("g"), numbered("line", 1..=8));
}

/// What an older record left in the other one is there, edited or not; what the copy became is its own.
#[test]
fn a_file_over_which_another_one_was_copied_before_the_record_is_the_record_s() {
    for script in ["true", "sed -i 1d o"] {
        let repo = TestRepo::with_files(&[("f", &numbered("line", 1..=12)), ("o", &numbered("o", 1..=6))]);
        repo.edit("o", "o 2\n", "zwei\n");
        repo.shell("cp o f");
        let copied = repo.text("f");
        let id = repo.edit("f", "o 4\n", "vier\n");
        repo.shell(&format!("sed -i 's/o 6/sechs/' f; {script}"));
        repo.done(&["undo", &id], "");
        assert_eq!(repo.text("f"), copied.replace("o 6", "sechs"), "{script}");
    }
}
