//! Undos whose place only the order of what was recorded tells: between lines that came, went, moved or came back since.

use crate::support::TestRepo;
use serde_json::json;

fn in_session(repo: &TestRepo, old: &str, new: &str) -> String {
    let request = json!({"path": "f", "old_string": old, "new_string": new}).to_string();
    let told = repo.done(&["apply", "--session", "s"], &request);
    told["data"]["record"]["id"].as_str().expect("an id").to_owned()
}

#[track_caller]
fn refused(repo: &TestRepo, args: &[&str], why: &str) {
    let before = repo.text("f");
    let told = repo.redraft(args, "").json();
    assert!(told["text"].as_str().is_some_and(|text| text.contains(why)), "{told}");
    assert_eq!(repo.text("f"), before);
}

/// Seen: a line came back below one that had stood below it, as an undo had brought that one back in between.
#[test]
fn a_deleted_line_and_one_that_came_back_to_its_very_place_since() {
    let repo = TestRepo::with_files(&[("f", "head one\nupper\nmiddle\nlower\nend\n")]);
    let edits = [("head one", "head two"), ("lower\n", "")];
    let edits = edits.map(|(old, new)| json!({"old_string": old, "new_string": new}));
    let lower = repo.apply(json!({"path": "f", "edits": edits}));
    let middle = repo.edit("f", "middle\n", "");
    repo.edit("f", "upper\n", "");
    repo.done(&["undo", &lower], "");
    assert_eq!(repo.text("f"), "head one\nlower\nend\n");
    refused(&repo, &["undo", &middle], "other text was put in its place");
}

/// Seen: a deleted line followed the one of its neighbours that had moved, when the other one was gone.
#[test]
fn a_deleted_line_whose_neighbours_changed_sides_before_one_of_them_went() {
    let repo = TestRepo::with_files(&[("f", "one\nleft\nmine\nright\nfive\nsix\n")]);
    let mine = repo.edit("f", "mine\n", "");
    let edits = [("one\nleft\n", "one\nright\nleft\n"), ("right\nfive\n", "five\n")];
    let edits = edits.map(|(old, new)| json!({"old_string": old, "new_string": new}));
    repo.apply(json!({"path": "f", "edits": edits}));
    repo.edit("f", "left\nfive\n", "");
    refused(&repo, &["undo", &mine], "the lines around its place were changed since");
    // Where the other one is not gone, both tell.
    let repo = TestRepo::with_files(&[("f", "one\nleft\nmine\nright\nfive\n")]);
    let mine = repo.edit("f", "mine\n", "");
    repo.edit("f", "left\n", "");
    repo.done(&["undo", &mine], "");
    assert_eq!(repo.text("f"), "one\nmine\nright\nfive\n");
}

/// Seen: after a checkout that brought a session back, its undo took the newest edit back only, and said that all was done.
#[test]
fn a_session_that_a_checkout_brought_back_is_undone_as_a_whole_again() {
    let repo = TestRepo::with_files(&[("f", "one\ntwo\n")]);
    let older = in_session(&repo, "one\ntwo\n", "uno\n{\n");
    let newer = in_session(&repo, "{\n", "{\ndue\ntre\n");
    repo.commit_all("of an agent");
    for _ in 0..2 {
        let told = repo.done(&["undo", "--session", "s"], "");
        let text = told["text"].as_str().unwrap_or_default();
        assert!(text.contains(&older) && text.contains(&newer), "{text}");
        assert_eq!(repo.text("f"), "one\ntwo\n");
        let again = repo.redraft(&["undo", "--session", "s"], "").json();
        assert!(again["text"].as_str().is_some_and(|text| text.contains("no record in force fits")), "{again}");
        repo.git(&["checkout", "-q", "f"]);
    }
}

/// Seen: a line that an edit wrote and the next one deleted came back with the undo of that one, though a checkout had
/// discarded the edit, of which only another line could tell.
#[test]
fn a_line_of_a_record_that_a_checkout_discarded_as_its_other_lines_tell() {
    let repo = TestRepo::with_files(&[("f", "head\none a\ntwo\nthree a\nend\n")]);
    let edits = [("one a", "one b"), ("three a", "three b")];
    let edits = edits.map(|(old, new)| json!({"old_string": old, "new_string": new}));
    repo.apply(json!({"path": "f", "edits": edits}));
    let id = repo.edit("f", "one b\n", "");
    repo.git(&["checkout", "-q", "f"]);
    repo.write("f", "head\ntwo\nthree a\nend\n");
    refused(&repo, &["undo", &id], "lines would come back that another record wrote");
    // The same of a record of one splice.
    let repo = TestRepo::with_files(&[("f", "head\none a\ntwo\nthree a\nend\n")]);
    repo.edit("f", "one a\ntwo\nthree a", "one b\ntwo\nthree b");
    let id = repo.edit("f", "one b\n", "");
    repo.git(&["checkout", "-q", "f"]);
    repo.write("f", "head\ntwo\nthree a\nend\n");
    refused(&repo, &["undo", &id], "lines would come back that another record wrote");
    // A bracket may be of any.
    let repo = TestRepo::with_files(&[("f", "one\n\nthree\n")]);
    let first = repo.edit("f", "three", "}");
    repo.edit("f", "one", "}");
    let undo = repo.done(&["undo", &first], "");
    repo.git(&["checkout", "-q", "f"]);
    let undo = undo["data"]["record"]["id"].as_str().expect("an id");
    repo.done(&["undo", undo], "");
    assert_eq!(repo.text("f"), "one\n\n}\n");
}

/// Seen: the line of a discarded record came back alone, where somebody had then deleted the line that it had replaced.
#[test]
fn a_line_of_a_record_that_was_discarded_before_another_record() {
    let repo = TestRepo::with_files(&[("f", "first\nmine\n")]);
    repo.edit("f", "mine\n", "of the agent\n");
    let id = repo.edit("f", "of the agent\n", "");
    repo.git(&["checkout", "-q", "f"]);
    repo.edit("f", "mine\n", "");
    refused(&repo, &["undo", &id], "lines would come back that another record wrote");
}

/// Seen: a line of an undone record came back with the record that had deleted it.
#[test]
fn a_line_of_an_undone_record_that_another_record_had_deleted_before() {
    let repo = TestRepo::with_files(&[("f", "one\ntwo\nthree\n")]);
    let wrote = repo.edit("f", "one\ntwo\nthree\n", "uno\ntwo\nline\nthree\ntre\n");
    let took = repo.edit("f", "line\n", "");
    repo.done(&["undo", &wrote], "");
    assert_eq!(repo.text("f"), "one\ntwo\nthree\n");
    assert_eq!(repo.refused(&["undo", &took], ""), "nothing_to_undo", "nobody else came to the file");
    repo.write("f", "one\ntwo\nthree\nby hand\n");
    refused(&repo, &["undo", &took], "lines would come back that another record wrote");
}

/// Seen: the same, where git had renamed the file in between.
#[test]
fn a_line_of_an_undone_record_of_a_file_that_git_renamed_since() {
    let repo = TestRepo::with_files(&[("old", "one\ntwo\nthree\nfour\n")]);
    let edits = [("one", "uno"), ("four\n", "four\nline of it\n")];
    let edits = edits.map(|(old, new)| json!({"old_string": old, "new_string": new}));
    let wrote = repo.apply(json!({"path": "old", "edits": edits}));
    repo.git(&["mv", "old", "f"]);
    let took = repo.edit("f", "line of it\n", "");
    repo.done(&["undo", &wrote], "");
    assert_eq!(repo.text("f"), "one\ntwo\nthree\nfour\n");
    assert_eq!(repo.refused(&["undo", &took], ""), "nothing_to_undo", "nobody else came to the file");
    repo.write("f", "by hand\none\ntwo\nthree\nfour\n");
    refused(&repo, &["undo", &took], "lines would come back that another record wrote");
}

/// Seen: "other text was put in its place", of the half of a move that was taken back by its number.
#[test]
fn the_rest_of_a_record_of_which_one_half_of_a_move_was_taken_back() {
    let repo = TestRepo::with_files(&[("f", "one\nabove\nmoved\nfour\nfive\nsix\nseven\neight\nnine\nten\neleven\n")]);
    let edits = [("moved\n", ""), ("eleven\n", "eleven\nmoved\n")];
    let edits = edits.map(|(old, new)| json!({"old_string": old, "new_string": new}));
    let id = repo.apply(json!({"path": "f", "edits": edits}));
    repo.done(&["undo", &id, "--hunk", "1"], "");
    repo.write("f", repo.text("f").replace("above", "ABOVE"));
    repo.done(&["undo", &id], "");
    assert_eq!(repo.text("f"), "one\nABOVE\nmoved\nfour\nfive\nsix\nseven\neight\nnine\nten\neleven\n");
}

/// Seen: "lines would come back that were never committed", of lines that the agent had put.
#[test]
fn a_redo_after_a_checkout_that_discarded_what_a_person_had_put() {
    let repo = TestRepo::with_files(&[("f", "one\ntwo\n")]);
    let id = repo.edit("f", "two\n", "due\n");
    repo.write("f", "of a person\none\ndue\n");
    repo.done(&["undo", &id], "");
    repo.git(&["checkout", "-q", "f"]);
    repo.done(&["redo"], "");
    assert_eq!(repo.text("f"), "one\ndue\n");
}

/// What only stands no more, somebody else may have edited: that does not show that the undo of it was discarded.
#[test]
fn a_session_that_was_undone_stays_so_where_its_file_was_written_anew() {
    let repo = TestRepo::with_files(&[("f", "one\ntwo\nthree\n")]);
    in_session(&repo, "two\n", "due\n");
    in_session(&repo, "three\n", "three\ntre\n");
    repo.done(&["undo", "--session", "s"], "");
    repo.write("f", "all\nnew\n");
    let again = repo.redraft(&["undo", "--session", "s"], "").json();
    assert!(again["text"].as_str().is_some_and(|text| text.contains("no record in force fits")), "{again}");
}

/// A person who takes one line of a record back has not discarded the record.
#[test]
fn a_line_of_a_record_of_which_something_is_in_force() {
    let repo = TestRepo::with_files(&[("f", "head\none a\ntwo\nthree a\nfour\nfive a\nend\n")]);
    let edits = [("one a", "one b"), ("three a", "three b"), ("five a", "five b")];
    let edits = edits.map(|(old, new)| json!({"old_string": old, "new_string": new}));
    repo.apply(json!({"path": "f", "edits": edits}));
    let id = repo.edit("f", "one b\n", "");
    repo.write("f", "head\ntwo\nthree a\nfour\nfive b\nend\n");
    repo.done(&["undo", &id], "");
    assert_eq!(repo.text("f"), "head\none b\ntwo\nthree a\nfour\nfive b\nend\n");
}

/// Seen: "the lines around its place were changed since", of edits on each other's lines that `git checkout` had discarded.
#[test]
fn a_session_of_edits_on_each_other_that_a_checkout_discarded_is_taken_back_already() {
    let before = "one\ntwo\nthree\n";
    let session = |repo: &TestRepo| {
        let edits = [("one\ntwo\n", "uno\n{\n"), ("{\n", "{\ndue\ntre\n"), ("due\n", "quattro\n")];
        edits.map(|(old, new)| in_session(repo, old, new))
    };
    let is_nothing = |repo: &TestRepo, args: &[&str]| {
        let told = repo.redraft(args, "").json();
        assert_eq!(told["data"]["reason"], "nothing_to_undo", "{args:?}: {told}");
    };
    for goes_on in [false, true] {
        let repo = TestRepo::with_files(&[("f", before)]);
        let [_, second, third] = &session(&repo);
        repo.git(&["checkout", "-q", "f"]);
        if goes_on {
            // From there another agent goes on.
            repo.edit("f", "one\n", "eins\n");
            repo.edit("f", "two\n", "zwei\n");
        } else {
            is_nothing(&repo, &["undo"]);
        }
        is_nothing(&repo, &["undo", "--session", "s"]);
        is_nothing(&repo, &["undo", second]);
        is_nothing(&repo, &["undo", third]);
    }
    // Not where somebody beside the log went on, too.
    let repo = TestRepo::with_files(&[("f", before)]);
    let [_, _, third] = &session(&repo);
    repo.git(&["checkout", "-q", "f"]);
    repo.edit("f", "one\n", "eins\n");
    repo.write("f", "eins\nzwei\nother\n");
    assert_eq!(repo.refused(&["undo", third], ""), "undo_conflict");
    // Nor where the text of before and after is the same: a line that came and went.
    let repo = TestRepo::with_files(&[("f", before)]);
    repo.edit("f", "two\n", "two\nmine\n");
    let gone = repo.edit("f", "mine\n", "");
    repo.edit("f", "two\nthree\n", "due\ntre\n");
    assert_eq!(repo.refused(&["undo", &gone], ""), "undo_conflict");
}

/// Seen: a line came back that another agent had deleted since, as the deletion that a checkout had discarded fitted there.
#[test]
fn what_a_checkout_discarded_is_not_undone_in_place_of_what_another_agent_did_since() {
    let before = "one\nline\nthree\nfour\n";
    let repo = TestRepo::with_files(&[("f", before)]);
    let id = repo.edit("f", "line\n", "");
    repo.git(&["checkout", "-q", "f"]);
    repo.edit("f", "line\n", "other line\n");
    let other = repo.edit("f", "other line\nthree\n", "");
    assert_eq!(repo.refused(&["undo", &id], ""), "nothing_to_undo");
    repo.done(&["undo", &other], "");
    assert_eq!(repo.text("f"), "one\nother line\nthree\nfour\n");
    // A redo puts it in force, whatever the file was before that.
    let repo = TestRepo::with_files(&[("f", before)]);
    let id = repo.edit("f", "line\n", "");
    repo.done(&["undo"], "");
    repo.done(&["redo"], "");
    repo.edit("f", "four", "vier");
    repo.done(&["undo", &id], "");
    assert_eq!(repo.text("f"), "one\nline\nthree\nvier\n");
}

/// Seen: a line of a discarded record came back, as the other half of its one splice was still taken for in force.
#[test]
fn a_line_of_a_discarded_record_beside_a_line_that_its_splice_kept() {
    let repo = TestRepo::with_files(&[("f", "one\ntwo\nthree\nfour\n")]);
    repo.edit("f", "two\nthree\n", "three\nline\n");
    let id = repo.edit("f", "line\n", "");
    repo.git(&["checkout", "-q", "f"]);
    refused(&repo, &["undo", &id], "lines would come back that another record wrote");
}

/// Seen: a redo was undone whose edit had been undone anew by the session, and the line of an undone record came back.
#[test]
fn a_redo_whose_edit_was_undone_anew_is_in_force_no_more() {
    let repo = TestRepo::with_files(&[("f", "1\nold\n2\n3\n")]);
    in_session(&repo, "old\n", "old\nnew\nmore\n");
    let id = in_session(&repo, "more\n", "");
    repo.done(&["undo", &id], "");
    let redo = repo.done(&["redo"], "");
    let redo = redo["data"]["record"]["id"].as_str().expect("an id");
    repo.done(&["undo", "--session", "s"], "");
    assert_eq!(repo.refused(&["undo", redo], ""), "nothing_to_undo");
    assert_eq!(repo.refused(&["undo"], ""), "nothing_to_undo");
    assert_eq!(repo.text("f"), "1\nold\n2\n3\n");
}

/// Seen: "is undone already", of what a later record had met in force.
#[test]
fn what_a_later_record_met_in_force_is_not_said_to_be_undone() {
    let repo = TestRepo::with_files(&[("f", "a\nb\n")]);
    in_session(&repo, "b\n", "b\nt\ns\n");
    repo.commit_all("of an agent");
    repo.done(&["undo", "--session", "s"], "");
    repo.git(&["checkout", "-q", "HEAD", "--", "f"]);
    in_session(&repo, "t\n", "n\n");
    repo.done(&["undo", "--session", "s"], "");
    assert_eq!(repo.text("f"), "a\nb\n");
    // It may not fit any more.
    let repo = TestRepo::with_files(&[("f", "a\nb\nc\nd\n")]);
    let id = repo.edit("f", "d\n", "");
    repo.commit_all("of an agent");
    repo.done(&["undo"], "");
    repo.git(&["checkout", "-q", "f"]);
    repo.edit("f", "b\nc\n", "n\n");
    refused(&repo, &["undo", &id], "other text was put in its place");
}

/// Seen: "is undone already", of a file that stood there as it had been created, after another branch had another one.
#[test]
fn a_file_that_a_branch_brought_back_is_not_one_that_another_branch_created() {
    let repo = TestRepo::with_files(&[("a", "a\n")]);
    let id = repo.apply(json!({"path": "f", "content": "one\ntwo\n"}));
    repo.commit_all("of an agent");
    repo.git(&["checkout", "-q", "-b", "other"]);
    repo.done(&["undo", &id], "");
    repo.apply(json!({"path": "f", "content": "uno\n"}));
    repo.commit_all("on a branch");
    repo.git(&["checkout", "-q", "-"]);
    assert_eq!(repo.text("f"), "one\ntwo\n");
    repo.done(&["undo", &id], "");
    assert!(!repo.has("f"));
}

/// Seen: what was left with a change that did not fit was in no list.
#[test]
fn what_is_left_with_another_record_of_the_file_is_named() {
    let repo = TestRepo::with_files(&[("a", "one\n")]);
    let apply = |request: serde_json::Value| {
        let told = repo.done(&["apply", "--session", "s"], &request.to_string());
        told["data"]["record"]["id"].as_str().expect("an id").to_owned()
    };
    let created = apply(json!({"path": "f", "content": "l1\nl2\nl3\n"}));
    let edits = [("a", "one\n", "uno\n"), ("f", "l1\n", "n1\n")];
    let files = edits.map(|(path, old, new)| json!({"path": path, "edits": [{"old_string": old, "new_string": new}]}));
    let edited = apply(json!({"files": files}));
    repo.edit("f", "n1\n", "");
    let told = repo.done(&["undo", "--session", "s", "--skip-conflicts"], "");
    let skipped: Vec<_> =
        told["data"]["skipped"].as_array().expect("a list").iter().map(|one| &one["record"]).collect();
    assert_eq!(skipped, [&json!(edited), &json!(created)]);
    assert_eq!((repo.text("a"), repo.text("f")), ("one\n".into(), "l2\nl3\n".into()));
}

/// Seen: "nothing in the file there tells that it is the one that was renamed", of edits that were to be undone with it.
#[test]
fn a_session_that_renamed_a_file_and_rewrote_most_of_it() {
    let before = "d1\nd2\nd3\nd4\nd5\n";
    let repo = TestRepo::with_files(&[("f", before), ("b", "p\n")]);
    let first = in_session(&repo, "d1\n", "D1\n");
    let apply = |request: serde_json::Value| repo.done(&["apply", "--session", "s"], &request.to_string());
    apply(json!({"path": "f", "rename_to": "y"}));
    let edits =
        [("d2\n", "D2\n"), ("d3\nd4\nd5\n", "")].map(|(old, new)| json!({"old_string": old, "new_string": new}));
    apply(json!({"path": "y", "edits": edits}));
    repo.done(&["undo", &first], "");
    apply(json!({"path": "b", "old_string": "p\n", "new_string": "m\n"}));
    repo.done(&["undo", "--session", "s"], "");
    assert_eq!((repo.text("f"), repo.text("b")), (before.into(), "p\n".into()));
    assert!(!repo.has("y"));
}

/// Seen: the indentation of a person's line went, which shared one word with a line that the record had indented and that two had deleted since.
#[test]
fn a_line_is_not_known_again_by_a_word_that_was_gone_meanwhile() {
    let repo = TestRepo::with_files(&[("f", "one\ntwo\nthe end\n")]);
    let id = repo.edit("f", "the end\n", "  the end\n");
    repo.write("f", "one\ntwo\n");
    repo.edit("f", "two\n", "two\n  the end\n");
    repo.edit("f", "two\n  the end\n", "two\n");
    repo.write("f", "one\ntwo\n  the q\n");
    refused(&repo, &["undo", &id], "these lines were changed since");
    // A line that was edited where it stood is still the record's.
    let repo = TestRepo::with_files(&[("f", "one\ntwo\nthe end\n")]);
    let id = repo.edit("f", "the end\n", "  the end\n");
    repo.edit("f", "one\n", "uno\n");
    repo.write("f", "uno\ntwo\n  the q\n");
    repo.done(&["undo", &id], "");
    assert_eq!(repo.text("f"), "uno\ntwo\nthe q\n");
}

/// Seen: "lines would come back that another record wrote, and that one was taken back since", of one that a branch had brought back.
#[test]
fn a_line_of_a_record_that_stands_there_again_comes_back() {
    let repo = TestRepo::with_files(&[("f", "one\ntwo\nthree\nfour\nfive\n")]);
    let first = repo.edit("f", "two\n", "two\npush(1);\nlet colour = 2;\n\n");
    let second = repo.edit("f", "push(1);\n", "push(21);\n");
    repo.done(&["undo", &second, &first], "");
    repo.write("f", "one\ntwo\npush(21);\nlet colour = 2;\n\nthree\nfour\nFIVE\n");
    repo.done(&["undo", &second], "");
    assert_eq!(repo.text("f"), "one\ntwo\npush(1);\nlet colour = 2;\n\nthree\nfour\nFIVE\n");
}

/// Seen: a person's line was replaced, as another change of the record, which the person had written elsewhere, made that whole.
#[test]
fn a_line_of_an_undone_record_does_not_come_back_for_a_line_of_another_change_of_it() {
    let repo = TestRepo::with_files(&[("f", "one\ntwo\nthree\nfour\nfive\nsix\nseven\n")]);
    let edits = [("two\n", "two\nuse a;\n"), ("six\n", "six\nreturn None;\n")];
    let edits = edits.map(|(old, new)| json!({"old_string": old, "new_string": new}));
    let first = repo.apply(json!({"path": "f", "edits": edits}));
    let second = repo.edit("f", "use a;", "use b;");
    repo.done(&["undo", &second, &first], "");
    repo.write("f", "one\nreturn None;\ntwo\nuse b;\nthree\nfour\nfive\nsix\nseven\n");
    refused(&repo, &["undo", &second], "lines would come back that another record wrote");
}

/// Seen: a blank line of somebody else's went, beside a line that a person had moved there.
#[test]
fn a_doubled_blank_line_is_not_one_beside_a_line_that_was_moved() {
    let repo = TestRepo::with_files(&[("f", "fn b\n  q1\n}\n\nlow\nz\nfn c\n  q2\n}\n\n\nend\n")]);
    let id = repo.edit("f", "}\n\nlow\n", "}\n\n\nlow\n");
    for blank in ["\n", ""] {
        repo.write("f", format!("fn b\n  q1\n}}\n\n{blank}hi\nz\nfn c\n  q2\n}}\n\n\nlow\nend\n"));
        refused(&repo, &["undo", &id], "the lines around its place were changed since");
    }
}

/// Seen: "these lines were changed since", of a line that a person had edited, as another branch, on which an agent worked, had none of its words.
#[test]
fn an_edited_line_is_known_again_though_another_branch_has_no_such_word() {
    let repo = TestRepo::with_files(&[("f", "top 0\nalpha 1\nlet total = 5;\nomega 2\nend 3\n")]);
    let id = repo.edit("f", "total = 5;", "total = 6;");
    repo.commit_all("of an agent");
    repo.git(&["checkout", "-q", "-b", "other", "HEAD~"]);
    repo.write("f", "top 0\nalpha 1\nomega 2\nend 3\n");
    repo.edit("f", "omega 2", "omega 22");
    repo.commit_all("on a branch");
    repo.git(&["checkout", "-q", "-"]);
    repo.write("f", "top 0\nalpha 1\nlet total = 6; // why\nomega 2\nend 3\n");
    repo.done(&["undo", &id], "");
    assert_eq!(repo.text("f"), "top 0\nalpha 1\nlet total = 5; // why\nomega 2\nend 3\n");
}

/// Seen: "the lines around its place were changed since", of a doubled blank line beside a bracket that a formatter had indented, or below lines that
/// somebody had rewritten.
#[test]
fn a_doubled_blank_line_beside_what_was_edited() {
    let repo = TestRepo::with_files(&[("f", "a();\nb();\n}\n\n#[test]\nfn t() {}\n")]);
    let id = repo.edit("f", "\n#[test]\n", "\n\n#[test]\n");
    for text in ["  a();\n  b();\n  }\n", "one\n\ntwo\n}\n"] {
        repo.write("f", format!("{text}\n\n#[test]\nfn t() {{}}\n"));
        repo.done(&["undo", &id], "");
        assert_eq!(repo.text("f"), format!("{text}\n#[test]\nfn t() {{}}\n"));
        repo.done(&["redo", &id], "");
    }
}
