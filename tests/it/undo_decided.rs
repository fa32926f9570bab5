//! What tells whether an undo is made, and in which file: more short stories, each with a thing in it that is easily passed over and that
//! decides.

use crate::support::TestRepo;
use serde_json::{Value, json};

/// Lines that tell whose they are.
fn numbered(of: &str, n: usize) -> String {
    (0..n).map(|i| format!("line {i} of {of}\n")).collect()
}

/// As [`numbered`], in other words.
fn own(of: &str, n: usize) -> String {
    (0..n).map(|i| format!("{of} own {i}\n")).collect()
}

/// Eight lines that keep what is above them apart from what is below.
fn eight(what: &str) -> String {
    (1..=8).map(|n| format!("{what}{n}\n")).collect()
}

/// Moves a file, over another one if there is one.
fn moved(repo: &TestRepo, from: &str, to: &str) {
    std::fs::rename(repo.root().join(from), repo.root().join(to)).expect("a file");
}

fn copied(repo: &TestRepo, from: &str, to: &str) {
    repo.write(to, repo.read(from));
}

fn removed(repo: &TestRepo, path: &str) {
    std::fs::remove_file(repo.root().join(path)).expect("a file");
}

fn exchanged(repo: &TestRepo, one: &str, other: &str) {
    moved(repo, one, "aside");
    moved(repo, other, one);
    moved(repo, "aside", other);
}

/// A person changes a file.
fn by_hand(repo: &TestRepo, path: &str, old: &str, new: &str) {
    repo.write(path, repo.text(path).replacen(old, new, 1));
}

/// An edit in several places.
fn several(path: &str, edits: &[(&str, &str)]) -> Value {
    let edits: Vec<Value> = edits.iter().map(|(old, new)| json!({"old_string": old, "new_string": new})).collect();
    json!({"path": path, "edits": edits})
}

/// Undoes a record; gives the id of the record of that.
fn undone(repo: &TestRepo, id: &str) -> String {
    repo.done(&["undo", id], "")["data"]["record"]["id"].as_str().expect("a record").to_owned()
}

fn texts<const N: usize>(repo: &TestRepo, paths: [&str; N]) -> [String; N] {
    paths.map(|path| repo.text(path))
}

/// All files in the root, which have no folders here, with their texts.
fn files(repo: &TestRepo) -> Vec<(String, String)> {
    let entries = std::fs::read_dir(repo.root()).expect("a directory").map(|entry| entry.expect("an entry"));
    let names = entries.filter(|entry| entry.path().is_file()).map(|entry| entry.file_name());
    let names = names.map(|name| name.into_string().expect("UTF-8"));
    let mut all: Vec<(String, String)> = names.map(|name| (name.clone(), repo.text(&name))).collect();
    all.sort();
    all
}

/// It is refused for this reason, and no file is changed.
fn refused(repo: &TestRepo, args: &[&str], reason: &str) {
    let before = files(repo);
    assert_eq!(repo.refused(args, ""), reason);
    assert_eq!(files(repo), before);
}

/// The other one had been written by a record that is undone since: what is asked for is the one that was there before.
#[test]
fn one_of_two_equal_lines_that_a_record_took_comes_back_though_who_wrote_the_other_one_is_undone() {
    let f = format!("one\nx();\ntwo\n{}end\n", eight("kept "));
    let repo = TestRepo::with_files(&[("f", &f)]);
    let wrote = repo.edit("f", "kept 8\n", "kept 8\nx();\n");
    let took = repo.apply(several("f", &[("one\nx();\n", "one\n"), ("kept 8\nx();\n", "kept 8\n")]));
    repo.done(&["undo", &took, "--hunk", "2"], "");
    repo.done(&["undo", &wrote], "");
    by_hand(&repo, "f", "kept 2", "kept 2 by hand");
    repo.done(&["undo", &took, "--hunk", "1"], "");
    assert_eq!(repo.text("f"), f.replace("kept 2", "kept 2 by hand"));
}

#[test]
fn equal_lines_below_one_that_ends_like_them_come_back_where_two_records_took_one_each() {
    let f = "q\nab\nb\nb\nb\nc\nd\n";
    let repo = TestRepo::with_files(&[("f", f)]);
    let first = repo.edit("f", "ab\nb\nb\nb\n", "ab\nb\nb\n");
    let second = repo.edit("f", "ab\nb\nb\n", "ab\nb\n");
    repo.done(&["undo", &first], "");
    repo.done(&["undo", &second], "");
    assert_eq!(repo.text("f"), f);
}

/// A bracket is among them.
#[test]
fn a_line_comes_back_where_lines_were_discarded_that_stood_elsewhere() {
    let repo = TestRepo::with_files(&[("f", "one\ntwo\nthree\nfour\nfive\nsix\n")]);
    repo.write("f", "one\ntwo\nbar\nthree\nfour\nfive\nmine\n}\nsix\n");
    let id = repo.edit("f", "bar\n", "");
    repo.git(&["checkout", "-q", "f"]);
    repo.done(&["undo", &id], "");
    assert_eq!(repo.text("f"), "one\ntwo\nbar\nthree\nfour\nfive\nsix\n");
}

/// A file with two lines that git does not have, the second of which a record takes. Gives the id.
fn with_uncommitted() -> (TestRepo, String) {
    let repo = TestRepo::with_files(&[("f", "top();\none();\nlast();\nend();\n")]);
    repo.write("f", "top();\none();\nmine();\nbar();\nlast();\nend();\n");
    let id = repo.edit("f", "bar();\n", "");
    (repo, id)
}

/// The later edit met the file as git has it, and took what stood beside them.
#[test]
fn a_line_among_uncommitted_ones_that_were_discarded_does_not_come_back_though_a_later_edit_took_what_was_beside() {
    let (repo, id) = with_uncommitted();
    repo.git(&["checkout", "-q", "f"]);
    repo.edit("f", "one();\n", "");
    refused(&repo, &["undo", &id], "undo_conflict");
    let said = repo.said(&["undo", &id]);
    assert!(said.contains("never committed"), "{said}");
}

/// Nothing was discarded then.
#[test]
fn an_uncommitted_line_comes_back_where_another_record_took_the_uncommitted_one_beside_it() {
    let (repo, id) = with_uncommitted();
    repo.edit("f", "mine();\n", "");
    repo.done(&["undo", &id], "");
    assert_eq!(repo.text("f"), "top();\none();\nbar();\nlast();\nend();\n");
}

#[test]
fn a_file_without_a_word_is_not_taken_for_one_that_was_renamed_and_edited_by_hand() {
    let f = numbered("f", 8);
    let repo = TestRepo::with_files(&[("f", &f)]);
    let id = repo.edit("f", "line 3 of f\n", "");
    moved(&repo, "f", "g");
    by_hand(&repo, "g", "line 6 of f", "line 6 by hand");
    repo.write("x", "}\n{\n");
    repo.done(&["undo", &id], "");
    assert_eq!(texts(&repo, ["g", "x"]), [&f.replace("line 6 of f", "line 6 by hand")[..], "}\n{\n"]);
}

/// That line is the first one.
#[test]
fn a_file_that_was_rewritten_but_for_the_line_of_the_edit_is_the_one_though_there_is_a_copy_of_it() {
    let repo = TestRepo::with_files(&[("f", &numbered("f", 6))]);
    let id = repo.edit("f", "line 0 of f", "changed by r");
    let other: String = (0..6).map(|n| format!("other {n}\n")).collect();
    repo.write("f", format!("changed by r\n{other}"));
    copied(&repo, "f", "g");
    repo.done(&["undo", &id], "");
    assert_eq!(texts(&repo, ["f", "g"]), [format!("line 0 of f\n{other}"), format!("changed by r\n{other}")]);
}

/// A record met the other one under its name, and a later one met the file there again.
#[test]
fn a_file_that_has_its_name_again_is_not_the_one_that_had_it_for_a_while_though_it_got_lines_of_that() {
    let x = numbered("x", 20);
    let repo = TestRepo::with_files(&[("f", &numbered("f", 8)), ("x", &x)]);
    let id = repo.edit("f", "line 2 of f", "changed by r");
    moved(&repo, "f", "aside");
    moved(&repo, "x", "f");
    repo.edit("f", "line 10 of x", "changed by q");
    moved(&repo, "f", "x2");
    moved(&repo, "aside", "f");
    repo.edit("f", "line 6 of f", "changed by p");
    let lines = numbered("x", 6);
    repo.write("f", format!("line 1 of f\nchanged by r\nline 3 of f\nline 4 of f\n{lines}"));
    repo.done(&["undo", &id], "");
    assert_eq!(repo.text("f"), format!("line 1 of f\nline 2 of f\nline 3 of f\nline 4 of f\n{lines}"));
    assert_eq!(repo.text("x2"), x.replace("line 10 of x", "changed by q"));
}

#[test]
fn a_copy_that_was_there_before_the_last_edit_is_not_the_file_that_is_gone() {
    // Longer than the times of files are apart at least, so that these tell what came first.
    let wait = || std::thread::sleep(std::time::Duration::from_millis(100));
    let repo = TestRepo::with_files(&[("f", &numbered("f", 6))]);
    let id = repo.edit("f", "line 1 of f\n", "");
    copied(&repo, "f", "g");
    wait();
    repo.edit("f", "line 4 of f", "changed by q");
    wait();
    removed(&repo, "f");
    refused(&repo, &["undo", &id], "undo_conflict");
}

#[test]
fn of_a_renamed_file_and_its_edited_copy_the_one_with_just_the_text_of_a_later_record_is_taken() {
    let f = numbered("f", 8);
    let repo = TestRepo::with_files(&[("f", &f)]);
    let id = repo.edit("f", "line 1 of f\n", "");
    repo.edit("f", "line 4 of f\n", "");
    moved(&repo, "f", "h");
    copied(&repo, "h", "k");
    by_hand(&repo, "k", "line 6 of f", "line 6 by hand");
    let copy = repo.text("k");
    repo.done(&["undo", &id], "");
    assert_eq!(texts(&repo, ["h", "k"]), [f.replace("line 4 of f\n", ""), copy]);
}

/// The other file had once been made with just what the edit met, and now has what it left.
#[test]
fn a_file_that_was_copied_over_another_one_with_its_older_text_was_not_exchanged_with_that() {
    let repo = TestRepo::with_files(&[("f", &numbered("f", 8))]);
    repo.edit("f", "line 6 of f", "changed by p");
    let older = repo.text("f");
    repo.apply(json!({"path": "g", "content": older}));
    let id = repo.edit("f", "line 2 of f", "changed by r");
    copied(&repo, "f", "g");
    by_hand(&repo, "f", "line 4 of f", "line 4 by hand");
    repo.done(&["undo", &id], "");
    let now = [older.replace("line 4 of f", "line 4 by hand"), older.replace("line 2 of f", "changed by r")];
    assert_eq!(texts(&repo, ["f", "g"]), now);
}

/// Nearly as git had it, under another name.
#[test]
fn an_edit_of_a_renamed_file_is_taken_back_where_a_person_put_its_first_text_there() {
    let o = numbered("o", 8);
    let repo = TestRepo::with_files(&[("o", &o)]);
    moved(&repo, "o", "n");
    repo.apply(several("n", &[("line 1 of o", "changed by p"), ("line 6 of o", "also by p")]));
    let id = repo.edit("n", "line 3 of o", "changed by r");
    repo.write("n", o.replace("line 4 of o", "line 4 by hand"));
    refused(&repo, &["undo", &id], "nothing_to_undo");
}

#[test]
fn a_file_is_followed_to_the_name_of_another_one_that_was_beside_it_only_before_the_edit() {
    let f = numbered("f", 8);
    let repo = TestRepo::with_files(&[("f", &f), ("g", &numbered("g", 8))]);
    removed(&repo, "g");
    repo.commit_all("remove the other one");
    let id = repo.edit("f", "line 2 of f\n", "");
    let edited = repo.text("f");
    removed(&repo, "f");
    repo.commit_all("remove it");
    repo.write("g", edited);
    repo.commit_all("add it there");
    repo.done(&["undo", &id], "");
    assert_eq!(repo.text("g"), f);
    assert!(!repo.has("f"));
}

/// No record left that text there; one only edited it.
#[test]
fn what_was_checked_out_and_edited_at_the_old_name_of_a_renamed_file_that_is_gone_is_not_that_file() {
    let repo = TestRepo::with_files(&[("p", &numbered("p", 8))]);
    moved(&repo, "p", "n");
    let id = repo.edit("n", "line 2 of p", "changed by r");
    removed(&repo, "n");
    repo.git(&["checkout", "-q", "p"]);
    by_hand(&repo, "p", "line 6 of p", "line 6 by hand");
    repo.edit("p", "line 4 of p", "quite other");
    refused(&repo, &["undo", &id], "undo_conflict");
    let said = repo.said(&["undo", &id]);
    assert!(said.contains("cannot undo n:"), "{said}");
}

/// The file is under a third name.
#[test]
fn an_edit_is_not_called_taken_back_where_another_file_has_the_name_that_reads_the_same_but_is_formatted() {
    let f: String = (0..8).map(|n| format!("key{n} = value{n}\n")).collect();
    let f = f.replace("value5", "five");
    let repo = TestRepo::with_files(&[("f", &f), ("g", &f.replace('\n', ";\n"))]);
    let older = repo.edit("f", "five", "5");
    repo.done(&["undo", &older], "");
    exchanged(&repo, "f", "g");
    by_hand(&repo, "f", "key2 = value2;", "key2 = by_hand;");
    let id = repo.edit("f", "key6 = value6;\n", "");
    moved(&repo, "f", "c");
    moved(&repo, "g", "f");
    refused(&repo, &["undo", &id], "undo_conflict");
}

#[test]
fn a_line_is_not_removed_where_one_that_may_be_it_changed_stands_between_its_neighbour_and_the_double_of_that() {
    let repo = TestRepo::with_files(&[("f", "top\nleft side\nright side\nend\n")]);
    let (line, like) = ("let fresh = alpha(beta);\n", "let fresh = alpha(beta, gamma);\n");
    let id = repo.edit("f", "left side\n", &format!("left side\n{line}"));
    repo.write("f", format!("top\nleft side\n{line}right side\n{like}right side\nend\n"));
    refused(&repo, &["undo", &id], "undo_conflict");
}

/// Two of them had stood together, but before all that was undone since.
#[test]
fn a_redo_does_not_double_a_line_that_the_undo_of_an_older_record_brought_back() {
    let f = format!("q\na\nb\nb\nc\nd\n{}e\ny\ny\ny\ng\nh\n", eight("k"));
    let repo = TestRepo::with_files(&[("f", &f)]);
    repo.edit("f", "a\nb\nb\n", "a\nb\n");
    let unrelated = repo.edit("f", "k4", "K4");
    let took = repo.edit("f", "a\nb\n", "a\n");
    let put = repo.apply(several("f", &[("a\n", "a\nb\n"), ("e\ny\ny\ny\n", "e\ny\ny\n")]));
    let undo = undone(&repo, &put);
    repo.done(&["undo", &took], "");
    repo.edit("f", "e\ny\ny\ny\n", "e\ny\ny\ny\ny\n");
    repo.done(&["undo", &unrelated], "");
    refused(&repo, &["redo", &undo], "undo_conflict");
    assert!(repo.text("f").starts_with("q\na\nb\nc\nd\nk1\n"), "{}", repo.text("f"));
}

/// The file has its first name again.
#[test]
fn one_of_several_equal_lines_comes_back_where_records_took_them_under_two_names_of_the_file() {
    let repo = TestRepo::with_files(&[("f", &format!("q\na\nb\nb\nb\nc\nd\n{}", eight("k")))]);
    let first = repo.edit("f", "k8", "K8");
    moved(&repo, "f", "g");
    let second = repo.edit("g", "a\nb\nb\nb\n", "a\nb\nb\n");
    moved(&repo, "g", "f");
    repo.edit("f", "a\nb\nb\n", "a\nb\n");
    repo.done(&["undo", &first, &second], "");
    assert_eq!(repo.text("f"), format!("q\na\nb\nb\nc\nd\n{}", eight("k")));
}

/// What another record met under its name, meanwhile, was the other one.
#[test]
fn an_edit_is_undone_in_a_file_that_was_exchanged_with_another_one_and_back_where_both_were_edited_in_between() {
    let repo = TestRepo::with_files(&[("a", &own("a", 4)), ("b", &own("b", 5))]);
    let id = repo.edit("a", "a own 1\n", "");
    exchanged(&repo, "a", "b");
    repo.edit("a", "b own 4\n", "changed 4\n");
    repo.edit("b", "a own 3\n", "");
    exchanged(&repo, "a", "b");
    repo.edit("a", "a own 2\n", "a own 2\nnew 6\n");
    repo.done(&["undo", &id], "");
    let now = ["a own 0\na own 1\na own 2\nnew 6\n", "b own 0\nb own 1\nb own 2\nb own 3\nchanged 4\n"];
    assert_eq!(texts(&repo, ["a", "b"]), now);
}

/// It could be told: the refusal is not needed, but safe.
#[test]
fn an_edit_is_not_undone_in_a_file_that_is_back_where_only_newer_records_tell_that_it_was_elsewhere() {
    let a = "a own 0\ncommon 0\na own 1\na own 2\ncommon 2\na own 3\na own 4\ncommon 4\n";
    let repo = TestRepo::with_files(&[("a", a), ("b", &a.replace("a own", "b own"))]);
    let older = repo.edit("b", "b own 0\n", "changed 1\n");
    let id = repo.edit("b", "common 4\n", "");
    moved(&repo, "a", "b");
    repo.write("a", "changed 1\ncommon 0\nb own 1\nhand 62\nb own 2\ncommon 2\nb own 3\nb own 4\n");
    repo.edit("b", "a own 1\n", "");
    repo.done(&["undo", &older], "");
    exchanged(&repo, "a", "b");
    repo.edit("b", "b own 3\n", "b own 3\nnew 5\n");
    refused(&repo, &["undo", &id], "undo_conflict");
    let now = "b own 0\ncommon 0\nb own 1\nhand 62\nb own 2\ncommon 2\nb own 3\nnew 5\nb own 4\n";
    assert_eq!(texts(&repo, ["a", "b"]), [&a.replace("a own 1\n", "")[..], now]);
}

/// They have their first lines in common, where the edit was, and the other one was edited by hand.
#[test]
fn what_an_edit_took_does_not_come_back_in_a_file_of_an_agent_s_that_got_the_name() {
    let f = format!("// licence\n// all rights\n// of f\n// reserved\n// by us\n{}", numbered("f", 8));
    let g = format!("// licence\n// all rights\n// reserved\n// by us\n{}", numbered("g", 8));
    let repo = TestRepo::with_files(&[("f", &f)]);
    repo.apply(json!({"path": "g", "content": g}));
    let id = repo.edit("f", "// of f\n", "");
    exchanged(&repo, "f", "g");
    by_hand(&repo, "f", "line 6 of g", "line 6 by hand");
    refused(&repo, &["undo", &id], "undo_conflict");
}

/// The move was committed between the records, and what is at the old name is what git had there.
#[test]
fn two_records_of_different_commits_are_not_undone_where_the_file_of_the_older_one_was_moved_over_another() {
    let [f, s, k] = ["f", "s", "k"].map(|name| numbered(name, 6));
    let repo = TestRepo::with_files(&[("f", &f), ("s", &s), ("k", &k)]);
    let older = repo.edit("f", "line 2 of f", "changed by r");
    moved(&repo, "f", "s");
    repo.write("f", &f);
    repo.commit_all("move");
    let newer = repo.edit("k", "line 2 of k", "changed by q");
    repo.write("k", &k);
    refused(&repo, &["undo", &older, &newer], "undo_conflict");
}

#[test]
fn an_undo_is_undone_in_the_renamed_file_that_is_as_it_left_it_though_a_checkout_put_the_like_at_the_old_name() {
    let a = "a own 0\ncommon 0\na own 1\na own 2\ncommon 2\na own 3\na own 4\ncommon 4\na own 5\n";
    let repo = TestRepo::with_files(&[("a", a)]);
    let id = repo.edit("a", "common 4\n", "common 4\nnew 1\n");
    moved(&repo, "a", "zz");
    let undo = undone(&repo, &id);
    repo.git(&["checkout", "-q", "HEAD", "--", "a"]);
    repo.done(&["undo", &undo], "");
    assert_eq!(texts(&repo, ["a", "zz"]), [a, &a.replace("common 4\n", "common 4\nnew 1\n")[..]]);
}

/// Git has no commit yet, and the other one was moved on to where it had been first.
#[test]
fn edits_of_a_file_that_got_the_name_of_another_one_are_undone_where_it_was_renamed_after_them() {
    let repo = TestRepo::new();
    repo.write("a", "line 0 of a\nline 1 of a\n}\n}\n");
    repo.git(&["add", "-A"]);
    let (b, c) = (numbered("b", 6) + "}\n", numbered("c6", 6));
    repo.apply(json!({"path": "b", "content": b, "overwrite": true}));
    repo.apply(json!({"path": "c", "content": c}));
    exchanged(&repo, "b", "c");
    repo.edit("a", "line 0 of a\nline 1 of a\n", "");
    let shorter = c.replace("line 4 of c6\n", "");
    let first = repo.apply(json!({"path": "b", "content": shorter, "overwrite": true}));
    let second = repo.apply(several(
        "b",
        &[("line 1 of c6\n", "line 1 of c6\nfn n10() {\n  x\n}\n"), ("line 3 of c6\n", "line 3 of c6\nline 3 of c6\n")],
    ));
    moved(&repo, "a", "zz");
    moved(&repo, "c", "a");
    moved(&repo, "b", "n2");
    repo.git(&["mv", "-k", "a", "b"]);
    repo.done(&["undo", &first, &second], "");
    assert_eq!(texts(&repo, ["b", "n2", "zz"]), [&b[..], &c[..], "}\n}\n"]);
}

/// It is back at its name, and staged.
#[test]
fn an_edit_and_an_undo_are_undone_in_a_file_that_was_exchanged_with_one_that_was_edited_by_hand() {
    let repo = TestRepo::with_files(&[("a", &own("a", 5)), ("b", &own("b", 5))]);
    let first = repo.edit("a", "a own 3\n", "changed 1\n");
    let second = repo.edit("a", "a own 4\n", "a own 4\nnew 2\n");
    moved(&repo, "a", "b");
    let undo = undone(&repo, &first);
    let other = "hand 95\nb own 1\nb own 2\nhand 78\nb own 4\n";
    repo.write("a", other);
    moved(&repo, "a", "b");
    repo.write("a", "a own 0\na own 1\na own 1\na own 2\nb own 0\na own 3\nhand 72\nnew 2\n");
    repo.git(&["add", "-A"]);
    repo.done(&["undo", &second, &undo, "--skip-conflicts"], "");
    let now = "a own 0\na own 1\na own 1\na own 2\nb own 0\nchanged 1\nhand 72\n";
    assert_eq!(texts(&repo, ["a", "b"]), [now, other]);
}

/// Git never had it, and the other one has its own name again.
#[test]
fn an_undo_is_not_undone_in_a_text_with_half_of_the_lines_of_a_file_that_was_exchanged_with_another_one() {
    let repo = TestRepo::with_files(&[("b", &own("b", 6)), ("c", &own("c", 5))]);
    repo.write("a", own("a", 6));
    let id = repo.edit("a", "a own 1\n", "changed 1\n");
    exchanged(&repo, "a", "b");
    let undo = undone(&repo, &id);
    repo.edit("c", "c own 4\n", "");
    moved(&repo, "a", "b");
    repo.write("a", "a own 0\na own 1\nhand 20\na own 3\n");
    refused(&repo, &["undo", &undo], "undo_conflict");
}

/// Both have what git has at the one name, and the edit is nowhere.
#[test]
fn an_edit_is_not_undone_where_the_other_one_of_two_exchanged_files_was_copied_over_its_own() {
    let [a, b] = ["a", "b"].map(|name| format!("// one\n// two\n// three\n{}", numbered(name, 8)));
    let repo = TestRepo::with_files(&[("a", &b), ("b", &a)]);
    exchanged(&repo, "a", "b");
    let id = repo.edit("a", "// two\n", "// two\nadded by r\n");
    exchanged(&repo, "a", "b");
    let undo = undone(&repo, &id);
    repo.done(&["redo", &undo], "");
    copied(&repo, "a", "b");
    refused(&repo, &["undo", &id], "undo_conflict");
    assert_eq!(texts(&repo, ["a", "b"]), [&b[..], &b[..]]);
}

/// A commit has it beside what git had at its first name.
#[test]
fn an_edit_under_a_new_name_is_undone_where_the_file_was_moved_back_over_what_git_has_at_the_first_one() {
    let a = numbered("a", 8);
    let repo = TestRepo::with_files(&[("a", &a)]);
    moved(&repo, "a", "n");
    by_hand(&repo, "n", "line 1 of a", "line 1 by hand");
    let id = repo.edit("n", "line 4 of a\n", "");
    repo.git(&["add", "n"]);
    repo.git(&["commit", "-qm", "under its new name"]);
    moved(&repo, "n", "a");
    repo.done(&["undo", &id], "");
    assert_eq!(repo.text("a"), a.replace("line 1 of a", "line 1 by hand"));
    assert!(!repo.has("n"));
}

#[test]
fn a_file_that_an_agent_made_and_that_is_gone_is_not_looked_for_in_a_new_one_with_none_of_its_lines() {
    let repo = TestRepo::with_files(&[("z", "z\n")]);
    let id = repo.apply(json!({"path": "f", "content": "one\ntwo\nthree\nfour\n"}));
    removed(&repo, "f");
    repo.write("x", "red\ngreen\nblue\n");
    refused(&repo, &["undo", &id], "nothing_to_undo");
}
