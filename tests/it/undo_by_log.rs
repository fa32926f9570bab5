//! What only the log tells, where equal lines leave a look at the texts in doubt: it has all that was done to the file.

use crate::support::TestRepo;
use serde_json::json;

pub fn with(text: &str) -> TestRepo {
    TestRepo::with_files(&[("f", text)])
}

#[track_caller]
pub fn holds(repo: &TestRepo, text: &str) {
    assert_eq!(repo.text("f"), text);
}

/// Changes the file as another program does, which `redraft run` watches.
pub fn run(repo: &TestRepo, text: &str) -> String {
    repo.write(".git/new", text);
    repo.redraft(&["run", "--", "cp", ".git/new", "f"], "");
    repo.redraft(&["log", "-n", "1", "--json"], "").lines()[0]["id"].as_str().expect("a record").to_owned()
}

/// Seen: "nothing to undo: what it did is taken back already", of a line that another record had doubled and that stood there.
#[test]
fn a_doubled_line_is_there_when_the_block_beside_it_was_undone() {
    for (base, old, block) in
        [("a\nb\n", "b\n", "fn x\n}\n"), ("b\n", "b\n", "fn x\n}\n"), ("a\np\nb\n", "a\n", "x\np\n")]
    {
        let repo = with(base);
        let new = if old == "a\n" { format!("a\n{block}") } else { format!("{block}{old}") };
        let first = repo.edit("f", old, &new);
        let last = block.split_inclusive('\n').next_back().expect("a line");
        let second = repo.edit("f", block, &format!("{block}{last}"));
        repo.done(&["undo", &first], "");
        repo.done(&["undo", &second], "");
        holds(&repo, base);
        repo.done(&["redo", &second], "");
        repo.done(&["undo", &second], "");
        holds(&repo, base);
    }
    // The next line begins as the one that is doubled.
    let repo = with("a\n  w2\n");
    let first = repo.edit("f", "a\n", "a\n  w1\n");
    let second = repo.edit("f", "  w1\n", "  w1\n  w1\n");
    repo.done(&["undo", &first], "");
    repo.done(&["undo", &second], "");
    holds(&repo, "a\n  w2\n");
    // Doubled by another program.
    let repo = with("a\nb\n");
    let first = repo.edit("f", "b\n", "fn x\n}\nb\n");
    let second = run(&repo, "a\nfn x\n}\n}\nb\n");
    repo.done(&["undo", &first], "");
    repo.done(&["undo", &second], "");
    holds(&repo, "a\nb\n");
    // Somebody took it out by hand.
    let repo = with("a\nb\n");
    let first = repo.edit("f", "b\n", "fn x\n}\nb\n");
    let second = repo.edit("f", "fn x\n}\n", "fn x\n}\n}\n");
    repo.done(&["undo", &first], "");
    repo.write("f", "a\nb\n");
    assert!(repo.said(&["undo", &second]).contains("taken back already"));
    // An agent did: which of the two that was is not known.
    let repo = with("a\nb\n");
    repo.edit("f", "b\n", "fn x\n}\nb\n");
    let second = repo.edit("f", "fn x\n}\n", "fn x\n}\n}\n");
    repo.edit("f", "fn x\n}\n}\n", "fn x\n}\n");
    assert!(repo.said(&["undo", &second]).contains("taken back already"));
    // Also where something else was changed since: then the text before is no proof that it is as it was before.
    let repo = with("a\nb\nc\n");
    repo.edit("f", "b\n", "fn x\n}\nb\n");
    let second = repo.edit("f", "fn x\n}\n", "fn x\n}\n}\n");
    repo.edit("f", "fn x\n}\n}\n", "fn x\n}\n");
    repo.edit("f", "c\n", "d\n");
    assert!(repo.said(&["undo", &second]).contains("taken back already"));
    holds(&repo, "a\nfn x\n}\nb\nd\n");
}

/// What the log tells is told of a record as a whole.
#[test]
fn of_a_record_of_which_one_hunk_is_asked_for_no_other_hunk_goes() {
    let far: String = (0..12).map(|n| format!("line {n}\n")).collect();
    let repo = with(&format!("a\nb\n{far}c\n"));
    let first = repo.edit("f", "b\n", "fn x\n}\nb\n");
    let both = serde_json::json!([
        {"old_string": "fn x\n}\n", "new_string": "fn x\n}\n}\n"},
        {"old_string": "c\n", "new_string": "c\nnew\n"},
    ]);
    let second = repo.apply(serde_json::json!({"path": "f", "edits": both}));
    repo.done(&["undo", &first], "");
    repo.done(&["undo", &second, "--hunk", "2"], "");
    holds(&repo, &format!("a\n}}\nb\n{far}c\n"));
    repo.done(&["redo"], "");
    // Seen: "taken back already", though the same without `--hunk` took it.
    repo.done(&["undo", &second, "--hunk", "1"], "");
    holds(&repo, &format!("a\nb\n{far}c\nnew\n"));
    // Of a record that has no other hunk.
    let repo = with("a\nb\n");
    let first = repo.edit("f", "b\n", "fn x\n}\nb\n");
    let second = repo.edit("f", "fn x\n}\n", "fn x\n}\n}\n");
    repo.done(&["undo", &first], "");
    repo.done(&["undo", &second, "--hunk", "1"], "");
    holds(&repo, "a\nb\n");
}

/// Seen: another record's line went, where the record's own had been deleted by a later one.
#[test]
fn a_line_that_a_later_record_deleted_is_not_the_one_that_another_wrote_again() {
    let repo = with("x\nbar\nfoo w\n}\n");
    let first = repo.edit("f", "x\n", "x\nfoo w\n");
    let deleted = repo.edit("f", "foo w\nbar\n", "bar\n");
    let other = repo.edit("f", "bar\n", "");
    let doubled = repo.edit("f", "foo w\n", "foo w\nfoo w\n");
    assert!(repo.said(&["undo", &first]).contains("taken back already"));
    holds(&repo, "x\nfoo w\nfoo w\n}\n");
    for id in [&doubled, &other, &deleted, &first] {
        repo.done(&["undo", id], "");
    }
    holds(&repo, "x\nbar\nfoo w\n}\n");
}

/// Seen: a record that was undone was undone once more, and a committed line went, as a newer one had been asked for after an older one.
#[test]
fn where_all_is_undone_there_is_nothing_left() {
    let repo = with(")\nbar baz\n");
    let first = run(&repo, "bar baz\n)\n");
    let second = repo.edit("f", ")\n", ")\nbar baz\n");
    let third = run(&repo, "bar baz\n)\nbar baz\nbar baz\n");
    let fourth = run(&repo, "bar baz\nbar baz\nbar baz\n");
    let fifth = repo.edit("f", "bar baz\nbar baz\nbar baz\n", "bar baz\nw3\nbar baz\nbar baz\n");
    repo.done(&["undo", &fifth, &third, &second], "");
    repo.done(&["undo"], "");
    repo.done(&["redo"], "");
    repo.done(&["undo", &fourth, &first], "");
    holds(&repo, ")\nbar baz\n");
    assert_eq!(repo.refused(&["undo"], ""), "nothing_to_undo");
    holds(&repo, ")\nbar baz\n");
}

/// Seen: "lines would come back that another record wrote, and that one was taken back since", of a line of a record that is in force, and
/// of a file that is as it was before.
#[test]
fn lines_come_back_that_nobody_took_back() {
    let repo = with("let a = x0;\nsep\nlet b = x0;\nsep\n");
    repo.edit("f", "let b = x0;", "let b = x4;");
    let second = repo.edit("f", "let b = x4;", "let b = x5;");
    repo.done(&["undo", &second], "");
    let third = repo.edit("f", "let a = x0;", "let a = x4;");
    let fourth = repo.edit("f", "let b = x4;", "let b = x5;");
    repo.done(&["undo", &third], "");
    repo.done(&["undo", &fourth], "");
    holds(&repo, "let a = x0;\nsep\nlet b = x4;\nsep\n");

    let repo = with("a\np\nb\nc\n");
    let first = repo.edit("f", "a\n", "a\nx\np\n");
    let second = repo.edit("f", "b\n", "b\np\n");
    repo.done(&["undo", &first], "");
    repo.done(&["undo", &second], "");
    repo.done(&["redo", &first], "");
    holds(&repo, "a\nx\np\np\nb\nc\n");
}

/// Seen: "taken back already" of a line that stood there, as another one like it had been deleted far away.
#[test]
fn a_line_is_not_taken_back_by_who_deletes_its_like_elsewhere() {
    let repo = with("b\nq\nx\nv\n");
    let first = repo.edit("f", "b\n", "x\nb\n");
    let second = repo.edit("f", "x\nb\n", "x\nx\nb\n");
    repo.done(&["undo", &first], "");
    let last = repo.edit("f", "x\nv\n", "");
    repo.done(&["undo", &second], "");
    holds(&repo, "b\nq\n");
    repo.done(&["undo", &last], "");
    holds(&repo, "b\nq\nx\nv\n");
    // Beside it: which of the two that was is not known.
    let repo = with("b\nx\n");
    let second = repo.edit("f", "b\n", "x\nb\n");
    repo.edit("f", "x\nb\nx\n", "b\nx\n");
    assert!(repo.said(&["undo", &second]).contains("taken back already"));
}

/// Seen: "lines would come back that another record took away since", of a file that was to the byte as the record left it: the other
/// one had taken a line like it, which was written since, elsewhere.
#[test]
fn a_deleted_line_comes_back_though_its_like_was_written_and_deleted_elsewhere() {
    let base = "use a;\nlet x = 1;\n    log(x);\nlet y = 2;\nlet z = 3;\n";
    let repo = with(base);
    let first = repo.edit("f", "    log(x);\n", "");
    repo.edit("f", "let z = 3;\n", "let z = 3;\n    log(x);\n");
    repo.edit("f", "    log(x);\n", "");
    repo.done(&["undo", &first], "");
    holds(&repo, base);
}

/// Seen: "a part of it was taken back already", of a bracket that another record had written elsewhere.
#[test]
fn a_deleted_bracket_comes_back_though_another_record_wrote_one_elsewhere() {
    let repo = with("a\n\n}\n");
    let first = repo.edit("f", "\n}\n", "\n");
    repo.edit("f", "a\n", "a\n{\n}\n");
    repo.edit("f", "a\n", "a\n\na\n");
    repo.done(&["undo", &first], "");
    holds(&repo, "a\n\na\n{\n}\n\n}\n");
    // Where it was: then that one may be meant to be it.
    let repo = with("a\n}\nb\n");
    let first = repo.edit("f", "}\n", "");
    repo.edit("f", "b\n", "}\nb\n");
    repo.redraft(&["undo", &first], "");
    holds(&repo, "a\n}\nb\n");
}

/// Seen: "nothing in the file there tells that it is the one that the record changed", of a file that was to the byte as the log has it.
#[test]
fn a_rename_is_undone_where_no_line_is_left_but_the_log_has_every_step() {
    let repo = with("note one\n}\n");
    let renamed = repo.apply(serde_json::json!({ "path": "f", "rename_to": "g" }));
    repo.edit("g", "note one\n", "}\n");
    repo.done(&["undo", &renamed], "");
    holds(&repo, "}\n}\n");
    assert!(!repo.root().join("g").exists());
}

/// Seen: the doubled line stayed, where the same record had changed another place, too.
#[test]
fn a_doubled_line_goes_with_the_other_change_of_its_record() {
    for between in ["", "l0\nl1\nl2\nl3\nl4\nl5\n"] {
        let base = format!("a\nb\n{between}c\n");
        let repo = with(&base);
        let first = repo.edit("f", "b\n", "fn x\n}\nb\n");
        let edits = [("fn x\n}\n", "fn x\n}\n}\n"), ("c\n", "c\nnew\n")];
        let edits = edits.map(|(old, new)| serde_json::json!({ "old_string": old, "new_string": new }));
        let second = repo.apply(serde_json::json!({ "path": "f", "edits": edits }));
        repo.done(&["undo", &first], "");
        repo.done(&["undo", &second], "");
        holds(&repo, &base);
    }
}

/// Seen: "taken back already" of a line that stood there, where a person had changed another place of the file by hand.
#[test]
fn what_nobody_wrote_down_does_not_speak_against_lines_that_it_did_not_touch() {
    let repo = with("a\nb\nc\nd\ne\n");
    let first = repo.edit("f", "b\n", "fn x\n}\nb\n");
    let second = repo.edit("f", "fn x\n}\n", "fn x\n}\n}\n");
    repo.done(&["undo", &first], "");
    repo.write("f", "a\n}\nb\nc\nd, by hand\ne\n");
    repo.done(&["undo", &second], "");
    holds(&repo, "a\nb\nc\nd, by hand\ne\n");
    // In between, and by a checkout of all of it.
    let repo = with("a\nb\nc\nd\ne\n");
    let first = repo.edit("f", "b\n", "fn x\n}\nb\n");
    repo.write("f", "top\na\nfn x\n}\nb\nc\nd\ne\n");
    let second = repo.edit("f", "fn x\n}\n", "fn x\n}\n}\n");
    repo.done(&["undo", &first], "");
    repo.git(&["checkout", "-q", "f"]);
    assert!(repo.said(&["undo", &second]).contains("taken back already"));
    holds(&repo, "a\nb\nc\nd\ne\n");
    // One like it was taken by hand, beyond lines that tell which of them that was.
    let repo = with("a\nb\nc\n}\ne\n");
    let first = repo.edit("f", "b\n", "fn x\n}\nb\n");
    let second = repo.edit("f", "fn x\n}\n", "fn x\n}\n}\n");
    repo.done(&["undo", &first], "");
    repo.write("f", "a\n}\nb\nc\ne\n");
    repo.done(&["undo", &second], "");
    holds(&repo, "a\nb\nc\ne\n");
}

/// A record that was undone, redone, and undone anew by the undo of its redo does not get the line of a person.
#[test]
fn what_was_undone_anew_is_not_in_force_by_the_log_though_an_equal_line_stands() {
    let repo = with("b\nc\nd\n");
    let first = repo.edit("f", "d\n", "d\nx\n");
    let inverse = |args: &[&str]| repo.done(args, "")["data"]["record"]["id"].as_str().expect("an id").to_owned();
    let undo = inverse(&["undo", &first]);
    let redo = inverse(&["undo", &undo]);
    repo.write("f", "x\nb\nc\nd\nx\n");
    repo.done(&["undo", &redo], "");
    repo.edit("f", "b\n", "b\nbb\n");
    repo.write("f", "x\nb\nby hand\nbb\nc\nd\n");
    assert!(["undo_conflict", "nothing_to_undo"].contains(&&*repo.refused(&["undo", &first], "")));
    holds(&repo, "x\nb\nby hand\nbb\nc\nd\n");
}

/// Seen: an undone record was undone anew, by a line of a person that stood beside it, as somebody had changed another place since.
#[test]
fn an_undone_record_stays_undone_though_a_line_like_its_own_stands_there() {
    let repo = with("a\nend\nb\nend\nc\nd\n");
    let first = repo.edit("f", "a\nend\n", "a\nend\nend\n");
    let second = repo.edit("f", "a\nend\nend\n", "a\nend\nend\nend\n");
    repo.done(&["undo", &first], "");
    // Another one like it goes, far away.
    repo.write("f", "a\nend\nend\nb\nby hand\nc\nd\n");
    assert!(repo.said(&["undo"]).contains(&second));
    holds(&repo, "a\nend\nb\nby hand\nc\nd\n");
    assert!(repo.said(&["undo", &first]).contains("undone already"));
}

/// Seen: "lines would come back that another record took away since", where a checkout had brought them, and the record back before.
#[test]
fn who_deleted_a_line_that_a_later_record_met_again_does_not_speak_against_it() {
    let repo = with("a\nlet s = repo.done();\nb\n");
    let first = repo.edit("f", "repo.done", "other.done");
    repo.done(&["undo", &first], "");
    repo.edit("f", "let s = repo.done();\n", "");
    repo.git(&["checkout", "-q", "f"]);
    repo.done(&["redo"], "");
    holds(&repo, "a\nlet s = other.done();\nb\n");
    repo.done(&["undo", &first], "");
    holds(&repo, "a\nlet s = repo.done();\nb\n");
}

/// Seen: the undo of an undone record took another agent's line, as one that a person had put beside it might have been the first one, edited.
#[test]
fn an_equal_line_of_a_later_record_is_not_undone_by_the_name_of_an_undone_one() {
    let repo = with("    val4\n    item2\n");
    let id = repo.edit("f", "    val4\n", "    end\n    val4\n");
    repo.write("f", "    end\n\n    val4\n    item2\n");
    repo.done(&["undo", &id], "");
    repo.write("f", "  end\n\n    val4\n    item2\n");
    let later = repo.edit("f", "  end\n\n", "  end\n    end\n\n");
    assert!(repo.said(&["undo", &id]).contains("is undone already"));
    holds(&repo, "  end\n    end\n\n    val4\n    item2\n");
    repo.done(&["undo", &later], "");
    holds(&repo, "  end\n\n    val4\n    item2\n");
}

#[test]
fn a_line_whose_deletion_was_undone_is_not_gone() {
    let repo = with("a\nb\nc\nd\ne\nf\n");
    let wrote = repo.edit("f", "b\n", "b\nnew\n");
    let deleted = repo.edit("f", "new\n", "");
    repo.edit("f", "e\n", "E\n");
    repo.done(&["undo", &deleted], "");
    repo.done(&["undo", &wrote], "");
    holds(&repo, "a\nb\nc\nd\nE\nf\n");
}

/// Seen: an undo that was done already took another record's line, as a person had put one between the two before it.
#[test]
fn an_undone_record_is_not_undone_again_where_nothing_was_done_since() {
    let repo = with("x\n<p>\n<li>\n");
    let id = repo.edit("f", "<p>\n", "<p>\nK;\n");
    let other = repo.edit("f", "<li>\n", "K;\n<li>\n");
    repo.write("f", "x\n<p>\nK;\nmm\nK;\n<li>\n");
    repo.done(&["undo", &id], "");
    assert!(repo.said(&["undo", &id]).contains("is undone already"));
    holds(&repo, "x\n<p>\nmm\nK;\n<li>\n");
    repo.done(&["undo", &other], "");
    holds(&repo, "x\n<p>\nmm\n<li>\n");
}

/// Seen: the second one stayed, and the undo said that it was done.
#[test]
fn a_doubled_line_goes_with_a_changed_word_where_the_first_one_was_undone() {
    let repo = with("s\nq\nval2\na\nb\n");
    let first = repo.edit("f", "b\n", "b\nval3\n");
    let both = serde_json::json!([
        {"old_string": "q\n", "new_string": "val4\n"},
        {"old_string": "val3\n", "new_string": "val3\nval3\n"},
    ]);
    let second = repo.apply(serde_json::json!({"path": "f", "edits": both}));
    repo.done(&["undo", &first], "");
    repo.done(&["undo", &second], "");
    holds(&repo, "s\nq\nval2\na\nb\n");
    repo.done(&["redo"], "");
    holds(&repo, "s\nval4\nval2\na\nb\nval3\n");
}

/// Seen: another record's line went, and that one's undo said "taken back already".
#[test]
fn which_of_two_equal_lines_a_later_record_put_is_not_guessed() {
    let repo = with("s\nK\nx\np\np\nz\n");
    let first = repo.edit("f", "x\np\np\n", "x\nK\np\n");
    repo.edit("f", "K\nx\n", "x\n");
    repo.write("f", "s\nx\nK\np\np\nz\n");
    let second = repo.edit("f", "K\np\np\n", "K\nK\np\n");
    repo.edit("f", "x\n", "");
    assert_eq!(repo.refused(&["undo", &first], ""), "undo_conflict");
    repo.done(&["undo", &second], "");
    holds(&repo, "s\nK\np\np\nz\n");
}

/// Seen: "taken back already", as a later record had deleted them: somebody had brought them back by hand.
#[test]
fn lines_that_were_deleted_and_brought_back_by_hand_are_there() {
    let repo = with("a\nb\n}\nc\n");
    let id = repo.edit("f", "b\n", "b\nnew\n");
    repo.edit("f", "new\n}\n", "");
    repo.write("f", "a\nb\nnew\n}\nc d\n");
    repo.done(&["undo", &id], "");
    holds(&repo, "a\nb\n}\nc d\n");
}

/// Seen: "taken back already" of the second deletion, once the first one was undone: a line stayed gone.
#[test]
fn equal_lines_that_two_records_deleted_come_back_in_any_order() {
    let rest = |many: usize| format!("q\na\n{}c\nd\n", "b\n".repeat(many));
    for first_goes_first in [true, false] {
        let repo = with(&rest(3));
        let mut ids = [repo.edit("f", "b\nb\nb\n", "b\nb\n"), repo.edit("f", "b\nb\n", "b\n")];
        if !first_goes_first {
            ids.reverse();
        }
        for (n, id) in ids.iter().enumerate() {
            repo.done(&["undo", id], "");
            holds(&repo, &rest(n + 2));
        }
    }
    // Of a record that changed another line as well.
    let repo = with(&rest(3));
    let first = repo.edit("f", "b\nb\nb\n", "b\nb\n");
    let both = serde_json::json!([
        {"old_string": "q\n", "new_string": "Q\n"},
        {"old_string": "b\nb\n", "new_string": "b\n"},
    ]);
    let second = repo.apply(serde_json::json!({"path": "f", "edits": both}));
    repo.done(&["undo", &first], "");
    repo.done(&["undo", &second], "");
    holds(&repo, &rest(3));
}

/// Seen: a line went that was there before, as one of the lines that the record had put was said to be there.
#[test]
fn a_record_that_another_one_took_back_in_two_places_is_not_in_force_in_one() {
    let text = "s\nK;\nK;\nK;\nt\nm\nK;\nn\n";
    for tail in ["", "z\n"] {
        let repo = with(&format!("{text}{tail}"));
        let two = |one: [&str; 2], other: [&str; 2]| {
            let edit = |[old, new]: [&str; 2]| serde_json::json!({"old_string": old, "new_string": new});
            serde_json::json!({"path": "f", "edits": [edit(one), edit(other)]})
        };
        let (three, four) = ("s\nK;\nK;\nK;\n", "s\nK;\nK;\nK;\nK;\n");
        let id = repo.apply(two([three, four], ["m\nK;\n", "m\n"]));
        repo.apply(two([four, three], ["m\n", "m\nK;\n"]));
        if !tail.is_empty() {
            repo.edit("f", "z\n", "y\n");
        }
        assert_eq!(repo.refused(&["undo", &id], ""), "nothing_to_undo");
    }
}

/// Seen: the second one of a record that touches two files took another record's line in one of them.
#[test]
fn a_record_that_was_undone_file_by_file_is_not_undone_again() {
    let repo = TestRepo::with_files(&[("f", "a\nb\nc\n"), ("g", "a\nb\nc\n")]);
    let both = ["f", "g"].map(|path| serde_json::json!({"path": path, "old_string": "b\n", "new_string": "b\nK;\n"}));
    let id = repo.apply(serde_json::json!({"files": both}));
    repo.edit("g", "K;\n", "K;\nK;\n");
    repo.done(&["undo", &id, "--", "g"], "");
    repo.done(&["undo", &id], "");
    assert!(repo.said(&["undo", &id]).contains("is undone already"));
    assert_eq!((repo.text("f"), repo.text("g")), ("a\nb\nc\n".to_owned(), "a\nb\nK;\nc\n".to_owned()));
}

/// Seen: "these lines were changed since", or "is undone already", once git had brought the file back as it was before the undo.
#[test]
fn an_undo_beside_an_equal_line_that_git_discarded_can_be_made_again() {
    for (base, edits, undone) in [
        ("a\nb\nc\n", [("b\n", "b\nK;\n"), ("K;\n", "K;\nK;\n")], "a\nb\nK;\nc\n"),
        ("a\nb\nm\nn\nc\n", [("b\nm\n", "b\n"), ("b\nn\n", "b\n")], "a\nb\nm\nc\n"),
    ] {
        let repo = with(base);
        let id = edits.map(|(old, new)| repo.edit("f", old, new)).into_iter().next().expect("two");
        repo.commit_all("both");
        for _ in 0..2 {
            repo.done(&["undo", &id], "");
            holds(&repo, undone);
            repo.git(&["checkout", "-q", "f"]);
        }
    }
}

/// Seen: "is undone already", as an agent's later edit found an equal line elsewhere.
#[test]
fn a_deletion_that_somebody_made_again_by_hand_is_there_whatever_equal_line_stands_elsewhere() {
    let repo = with("a\nprint\nb\nc\nprint\nd\n");
    let id = repo.edit("f", "a\nprint\n", "a\n");
    repo.done(&["undo", &id], "");
    repo.write("f", "a\nb\nc\nprint\nd\n");
    repo.edit("f", "d\n", "e\n");
    repo.done(&["undo", &id], "");
    holds(&repo, "a\nprint\nb\nc\nprint\ne\n");
}

/// Its like, which an earlier record put elsewhere and somebody took, is another one.
#[test]
fn a_deleted_line_comes_back_though_somebody_took_its_like_of_an_earlier_record() {
    for is_undone in [false, true] {
        let repo = with("a\nK;\nb\nc\nx\n");
        let first = repo.edit("f", "b\n", "b\nK;\nM;\n");
        repo.edit("f", "x\n", "xx\n");
        let second = repo.edit("f", "a\nK;\n", "a\n");
        if is_undone {
            repo.done(&["undo", &first], "");
        }
        repo.write("f", "a\nb\nc\nxx\nd\n");
        repo.done(&["undo", &second], "");
        holds(&repo, "a\nK;\nb\nc\nxx\nd\n");
    }
}

/// Seen: put back behind the bracket that ends the function, which somebody had indented as the one before them was.
#[test]
fn lines_do_not_come_back_beside_a_bracket_that_somebody_indented_as_another_one_was() {
    let text = |body: &str| format!("fn a() {{\n    x();\n    for b in c {{\n        d();\n{body}fn e() {{}}\n");
    let repo = with(&text("    }\n    f\n}\n\n"));
    let id = repo.edit("f", "    }\n    f\n", "    }\n#[test]\n    .g();\n    f\n");
    repo.done(&["undo", &id], "");
    repo.edit("f", "    x();\n", "    x(1);\n");
    let indented = repo.text("f").replace("    }\n    f\n}\n\nfn e", "        }\n        f\n    }\n\n    fn e");
    repo.write("f", &indented);
    assert_eq!(repo.refused(&["redo", &id], ""), "undo_conflict");
    holds(&repo, &indented);
}

/// The same of a bracket that an agent wrote: which of two it is, their indentation does not tell.
#[test]
fn a_bracket_does_not_go_for_another_one_that_somebody_indented_like_it() {
    let text = |body: &str| format!("fn a() {{\n    for b in c {{\n        d();\n{body}fn e() {{\n    x();\n}}\n");
    let repo = with(&text("    f\n}\n\n"));
    let id = repo.edit("f", "    f\n", "    }\n    f\n");
    repo.edit("f", "    x();\n", "    x(1);\n");
    let indented = repo.text("f").replace("    }\n    f\n}\n\nfn e", "        }\n        f\n    }\n\n    fn e");
    repo.write("f", &indented);
    assert_eq!(repo.refused(&["undo", &id], ""), "undo_conflict");
    holds(&repo, &indented);
}

/// Seen: "a\r\nb\r\nlast\n", where the log has every step and nobody came to the line: which kind of ending it is to have now, it does not tell.
#[test]
fn a_line_does_not_come_back_with_other_endings_than_the_file_has_now_whatever_the_log_has() {
    for (text, gone, now) in [("a\nb\nlast\n", "last\n", "a\r\nb\r\n"), ("first\na\nb\n", "first\n", "a\r\nB\r\n")] {
        let repo = TestRepo::with_files(&[("f", text)]);
        let record = repo.edit("f", gone, "");
        repo.apply(json!({"path": "f", "content": now, "overwrite": true}));
        assert_eq!(repo.refused(&["undo", &record], ""), "undo_conflict");
        assert_eq!(repo.text("f"), now);
    }
}

/// The same of what is in another encoding now.
#[test]
fn a_word_does_not_come_back_in_another_encoding_than_the_file_has_now() {
    let repo = TestRepo::with_files(&[("f", "gr\u{fc}n\nkept\nblau\n")]);
    let record = repo.edit("f", "gr\u{fc}n\n", "rot\n");
    let convert = "printf 'rot\\nkept\\nbl\\344u\\n' > f";
    assert_eq!(repo.redraft(&["run", "--", "sh", "-c", convert], "").status, 0);
    assert_eq!(repo.refused(&["undo", &record], ""), "undo_conflict");
    assert_eq!(std::fs::read(repo.root().join("f")).expect("it is there"), b"rot\nkept\nbl\xe4u\n");
}

/// The same of what was no text as the record left it.
#[test]
fn of_what_was_no_text_nothing_comes_back_into_what_is_one_now() {
    let repo = with("a\0\nb\nc\n");
    for text in ["a\\000\\nb\\nC\\n", "a\\nb\\nC\\n"] {
        assert_eq!(repo.redraft(&["run", "--", "sh", "-c", &format!("printf '{text}' > f")], "").status, 0);
    }
    let log = repo.redraft(&["log", "--json"], "").lines();
    let record = log[1]["id"].as_str().expect("an id");
    assert_eq!(repo.refused(&["undo", record], ""), "undo_conflict");
    holds(&repo, "a\nb\nC\n");
}

/// Seen: both were taken back, where another record's undo had made them one.
#[test]
fn one_of_two_hunks_goes_alone_or_not_at_all_where_nothing_tells_them_apart_without_an_undone_edit() {
    let between = "}\n\n".repeat(4);
    let before = format!("e0\nk1\nk2\nt\np1\n{between}p2\nu\nk3\nq\nk4\n");
    for is_undone in [false, true] {
        let repo = TestRepo::with_files(&[("f", &before)]);
        let other = repo.edit("f", "e0\n", "E0\nq\n");
        let edits = ["p1\n", "p2\n"].map(|old| json!({"old_string": old, "new_string": "q\n"}));
        let record = repo.apply(json!({"path": "f", "edits": edits}));
        if is_undone {
            repo.done(&["undo", &other], "");
        }
        let was = repo.text("f");
        let answer = repo.redraft(&["undo", &record, "--hunk", "1"], "");
        let alone = was.replacen(&format!("t\nq\n{between}"), &format!("t\np1\n{between}"), 1);
        assert_eq!(repo.text("f"), if answer.status == 0 { alone } else { was });
        assert!(is_undone || answer.status == 0, "{}", answer.out);
    }
}
