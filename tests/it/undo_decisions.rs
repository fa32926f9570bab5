//! What decides where an undo goes, and whether it is made: short stories, each of which another answer would be wrong for.

use crate::support::TestRepo;
use serde_json::{Value, json};

const F: &str = "f1|f2|f3|f4|f5|f6";
const G: &str = "g1|g2|g3|g4|g5|g6";

/// A text of short lines; of none where there are none.
fn text(lines: &str) -> String {
    lines.split('|').filter(|line| !line.is_empty()).map(|line| format!("{line}\n")).collect()
}

/// A repository whose first commit has these files.
fn with(files: &[(&str, &str)]) -> TestRepo {
    let files: Vec<(&str, String)> = files.iter().map(|(path, lines)| (*path, text(lines))).collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (*path, &text[..])).collect();
    TestRepo::with_files(&files)
}

fn id_of(answer: &Value) -> String {
    answer["data"]["record"]["id"].as_str().expect("a record").to_owned()
}

/// The request that makes a file so, or makes it.
fn made(repo: &TestRepo, path: &str, lines: &str) -> Value {
    if repo.has(path) {
        json!({"path": path, "old_string": repo.text(path), "new_string": text(lines)})
    } else {
        json!({"path": path, "content": text(lines)})
    }
}

/// What happens, step by step: `put` and `del` by a record, `hand` and `rm` by hand, `undo` of the record of that number, and what git or a
/// shell does. Gives the ids of all records.
fn told(repo: &TestRepo, steps: &[&str]) -> Vec<String> {
    let mut ids: Vec<String> = Vec::new();
    for step in steps {
        let words: Vec<&str> = step.split(' ').collect();
        match words[..] {
            ["put", path, lines] => ids.push(repo.apply(made(repo, path, lines))),
            ["del", path] => ids.push(repo.apply(json!({"path": path, "delete": true}))),
            ["rename", from, to] => ids.push(repo.apply(json!({"path": from, "rename_to": to}))),
            ["undo", n] => {
                let at: usize = n.parse().expect("a number");
                ids.push(id_of(&repo.done(&["undo", &ids[at - 1]], "")));
            }
            ["redo"] => ids.push(id_of(&repo.done(&["redo"], ""))),
            ["hand", path, lines] => repo.write(path, text(lines)),
            ["commit"] => repo.commit_all("step"),
            _ => assert!(repo.shell(step).success(), "{step}"),
        }
    }
    ids
}

/// An undo of a record is refused, which says something, and nothing is changed.
fn refused(repo: &TestRepo, id: &str, says: &str) {
    let seen = || ["f", "g"].map(|path| repo.has(path).then(|| repo.text(path)));
    let before = seen();
    let ran = repo.redraft(&["undo", id], "");
    assert!(ran.status != 0 && ran.out.contains(says), "{says}: {}", ran.out);
    assert_eq!(seen(), before);
}

/// An edit that is several, far from each other.
fn several(path: &str, edits: &[(&str, &str)]) -> Value {
    let edits: Vec<Value> =
        edits.iter().map(|(old, new)| json!({"old_string": text(old), "new_string": text(new)})).collect();
    json!({"path": path, "edits": edits, "agent": {"session": "s"}})
}

#[test]
fn a_removed_file_that_was_put_back_edited_and_removed_by_hand_does_not_come_back() {
    let repo = with(&[("f", F), ("g", G)]);
    let ids = told(&repo, &["del f", &format!("hand f {F}"), &format!("put f {F}|f7"), "put g g1|x", "rm f"]);
    refused(&repo, &ids[0], "what it did to f is taken back already");
}

/// It may have got that text there by hand, once more.
#[test]
fn a_text_that_an_older_record_had_left_at_a_name_is_not_the_file_that_was_moved_from_there() {
    let repo = with(&[("g", G), ("h", "h")]);
    let (once, both) = (G.replace("g2", "zwei"), G.replace("g2", "zwei").replace("g5", "funf"));
    let steps = [&format!("put g {both}"), &format!("put g {once}"), "mv g f", &format!("put f {both}"), "rm f"];
    let ids = told(&repo, &steps);
    repo.write("g", text(&both));
    refused(&repo, &ids[2], "cannot undo f: the file is no longer there");
}

#[test]
fn a_file_that_a_commit_removed_and_another_one_added_is_at_a_name_that_git_had_given_up_before_the_edit() {
    let repo = with(&[("f", F), ("g", G)]);
    let steps = ["git rm -q g", "commit", &format!("put f {F}|f7")];
    let moved = ["git rm -q --cached f", "git commit -qm removed", "mv f g", "commit"];
    let ids = told(&repo, &[&steps[..], &moved].concat());
    repo.done(&["undo", &ids[0]], "");
    assert_eq!(repo.text("g"), text(F));
}

/// Git, and no record, had the one that is there: what the other's line is in there tells nothing.
#[test]
fn lines_of_a_file_are_not_looked_for_in_the_one_that_was_moved_over_it_and_back() {
    let repo = with(&[("f", F), ("g", G)]);
    let (once, both) = (G.replace("g2", "zwei"), G.replace("g2", "zwei").replace("g5", "funf"));
    let steps = [&format!("put g {once}"), "commit", &format!("put f {F}|f7"), "mv g f", &format!("put f {both}")];
    let ids = told(&repo, &[&steps[..], &["commit", "git mv f g", "commit"]].concat());
    refused(&repo, &ids[1], "cannot undo f: the file is no longer there");
}

#[test]
fn a_copy_and_the_file_that_was_copied_are_not_taken_for_each_other_where_they_were_exchanged() {
    let once = G.replace("g2", "zwei");
    let steps = [format!("put g {once}"), "cp g f".to_owned(), format!("put f {}", once.replace("g5", "funf"))];
    for before in [&[][..], &[("f", "x1|x2|x3")]] {
        let repo = with(&[before, &[("g", G)]].concat());
        let ids = told(&repo, &steps.each_ref().map(String::as_str));
        told(&repo, &[&format!("put g {}", once.replace("g6", "sechs")), "mv f aside", "mv g f", "mv aside g"]);
        refused(&repo, &ids[1], "cannot undo f: nothing in the file there tells that it is the one");
    }
}

/// Though that one had just what the file had before the edit.
#[test]
fn a_file_that_a_later_record_made_and_that_was_moved_over_the_one_is_another() {
    let repo = with(&[("f", F)]);
    let edited = F.replace("f2", "zwei");
    let steps = [&format!("put f {edited}"), &format!("put p {F}"), &format!("put p {F}|x"), "mv p f"];
    let ids = told(&repo, &steps);
    refused(&repo, &ids[0], "cannot undo f: nothing in the file there tells that it is the one");
}

/// Seen of neither: the copy has the line of the edit, too.
#[test]
fn a_copy_that_an_agent_made_and_renamed_is_another_file_where_somebody_moved_it_over_the_one() {
    let (edit, copy) = (format!("put f {F}|f7"), format!("put k {F}|f7|f8"));
    for (steps, n) in [([&edit, &copy, "rename k m", "mv m f"], 0), ([&copy, "rename k m", &edit, "mv m f"], 2)] {
        let repo = with(&[("f", F)]);
        let ids = told(&repo, &steps);
        refused(&repo, &ids[n], "cannot undo f: nothing in the file there tells that it is the one");
    }
}

/// Also one that was removed and brought back.
#[test]
fn a_file_of_git_s_that_an_agent_removed_and_that_is_back_is_another_where_somebody_moved_it_over_the_one() {
    let like = format!("{F}|f7|f8");
    for back in ["undo 1", &format!("put k {like}")] {
        let repo = with(&[("f", F), ("k", &like)]);
        let ids = told(&repo, &["del k", back, &format!("put f {F}|f7"), "mv k f"]);
        refused(&repo, &ids[2], "cannot undo f: nothing in the file there tells that it is the one");
    }
}

/// One record knew both, or a later one met the one under its own name again.
#[test]
fn a_copy_that_a_record_knew_beside_the_one_is_another_file_where_somebody_moved_it_over_that() {
    let edited = F.replace("f2", "zwei") + "|f7";
    let copy = format!("{F}|f7|k8");
    let [first, own, more] = [format!("put k {copy}"), format!("put f {edited}"), format!("put k {copy}|k9")];
    // At once; one after the other; and with more of the copy.
    for steps in [&[][..], &[&first, &own], &[&first, &own, &more], &[&first, &more, &own]] {
        let repo = with(&[("f", F)]);
        let mut ids = told(&repo, &[&format!("put f {F}|f7"), "cp f k"]);
        if steps.is_empty() {
            let both = [made(&repo, "f", &edited), made(&repo, "k", &copy)];
            ids.push(repo.apply(json!({"files": both})));
        } else {
            told(&repo, &steps.iter().map(|step| &step[..]).collect::<Vec<_>>());
        }
        repo.shell("mv k f");
        refused(&repo, &ids[0], "cannot undo f: nothing in the file there tells that it is the one");
    }
}

#[test]
fn a_file_that_was_edited_by_hand_and_by_a_record_under_another_name_is_the_one_when_it_is_back() {
    for moved in ["mv f k", "git mv f k"] {
        for hand in [format!("{F}|f7|hand"), format!("{}|f7|hand", F.replace("f1", "eins"))] {
            let repo = with(&[("f", F)]);
            let steps = [&format!("put f {F}|f7"), moved, &format!("hand k {hand}"), &format!("put k {hand}|more")];
            let ids = told(&repo, &[&steps[..], &["mv k f"]].concat());
            repo.done(&["undo", &ids[0]], "");
            assert_eq!(repo.text("f"), text(&format!("{}|more", hand.replace("|f7", ""))));
        }
    }
}

/// A text is purged, so that not all files together can tell it.
#[test]
fn a_file_that_was_edited_at_the_name_of_another_one_of_git_s_and_has_its_own_again_is_told_by_the_log() {
    let edited = G.replace("g2", "zwei");
    let [once, twice] = [edited.replace("g5", "funf"), edited.replace("g5", "funf").replace("g6", "sechs")];
    for more in [&[][..], &[&format!("put g {twice}|g7")[..]]] {
        let repo = with(&[("f", F), ("g", G), ("h", "h")]);
        told(&repo, &["put h x"]);
        repo.done(&["purge", "--yes", "--json", "--path", "h"], "");
        let steps =
            [&format!("put g {edited}"), "mv g f", &format!("put f {once}"), "mv f g", &format!("put g {twice}")];
        let ids = told(&repo, &[&steps[..], more].concat());
        repo.done(&["undo", &ids[1]], "");
        assert!(repo.text("g").starts_with(&text(&twice.replace("funf", "g5"))), "{}", repo.text("g"));
    }
}

/// Another agent had made a file with what this one had then.
#[test]
fn a_file_is_itself_whatever_text_of_it_another_one_has_that_once_read_the_same() {
    let once = F.replace("f2", "zwei");
    let twice = once.replace("f5", "funf");
    for first in [["f", "k"], ["k", "f"]] {
        let repo = with(&[("f", F)]);
        told(&repo, &first.map(|path| format!("put {path} {once}")).each_ref().map(String::as_str));
        let ids = told(&repo, &[&format!("put f {twice}"), "cp f k"]);
        repo.write("f", text(&format!("{twice}|hand")));
        repo.done(&["undo", &ids[0]], "");
        assert_eq!([repo.text("f"), repo.text("k")], [text(&format!("{once}|hand")), text(&twice)]);
    }
}

/// A person then wrote the very line of the edit into it.
#[test]
fn what_a_record_did_to_a_file_that_had_this_name_for_a_while_is_not_undone_in_the_one_that_has_it_again() {
    let (own, other) = (F.replace("f2", "zwei"), F.replace("f2", "zwei") + "|f7");
    let repo = with(&[("f", F)]);
    let exchange = "mv f aside; mv k f; mv aside k";
    let steps = [
        &format!("put f {own}"),
        &format!("put k {other}"),
        exchange,
        &format!("put f {}", other.replace("f5", "funf")),
    ];
    let ids = told(&repo, &[&steps[..], &[exchange]].concat());
    repo.write("f", text(&own.replace("f5", "funf")));
    refused(&repo, &ids[2], "nothing in the file there tells that it is the one");
}

/// That one is gone since, and a person typed its lines into this one.
#[test]
fn a_file_that_had_the_name_of_another_one_for_a_while_is_itself_when_it_is_back() {
    let (common, own) = ("c1|c2|c3|c4|c5|c6", "c1|c2|c3|c4|c5|c6|f7|f8|f9");
    let repo = with(&[("f", own)]);
    let [edit, made] = [format!("put f {own}|t"), format!("hand k {common}|k7|k8|k9")];
    let [other, on] = [format!("put k {common}|k7|k8|k9|k10"), format!("put k {own}|t|u")];
    let ids = told(&repo, &[&edit, &made, &other, "mv f k", &on, "mv k f"]);
    repo.write("f", text(&format!("{common}|k7|k8|k9|k10|t|u")));
    repo.done(&["undo", &ids[0]], "");
    assert_eq!(repo.text("f"), text(&format!("{common}|k7|k8|k9|k10|u")));
}

#[test]
fn a_redo_does_not_go_to_a_file_that_somebody_copied_over_the_one() {
    for more in ["", "|more"] {
        let like = "f1|f2|f3|f4|g5|g6";
        let repo = with(&[("f", F), ("g", like)]);
        told(&repo, &[&format!("put f {}", F.replace("f2", "zwei")), "undo 1"]);
        let now = text(&format!("{like}{more}"));
        repo.write("f", &now);
        assert_eq!(repo.refused(&["redo"], ""), "undo_conflict");
        assert_eq!(repo.text("f"), now);
    }
}

#[test]
fn who_changed_a_file_since_an_agent_made_it_is_named() {
    let repo = with(&[("g", G)]);
    let ids = told(&repo, &[&format!("put f {F}"), &format!("put f {F}|f7")]);
    refused(&repo, &ids[0], &format!("record {} changed lines there", ids[1]));
}

#[test]
fn a_redo_is_undone_in_a_file_that_has_its_first_name_again_after_two_others() {
    let edited = F.replace("f2", "zwei");
    for more in ["", "|f7"] {
        let repo = with(&[("f", F)]);
        let ids = told(&repo, &[&format!("put f {edited}"), "mv f g", "undo 1", "mv g h", "redo", "mv h f"]);
        repo.write("f", text(&format!("{edited}{more}")));
        repo.done(&["undo", &ids[2]], "");
        assert_eq!(repo.text("f"), text(&format!("{F}{more}")));
    }
}

/// Under a name that it had before git moved it, and records of other files came between.
#[test]
fn lines_of_an_undone_record_do_not_come_back_with_a_deletion_under_a_new_name() {
    let repo = with(&[("old", "one|two|three|four"), ("g", G)]);
    let wrote = repo.apply(several("old", &[("one", "uno"), ("four", "four|line")]));
    told(&repo, &[&format!("put g x|{G}"), "git mv old f"]);
    let took = repo.edit("f", "line\n", "");
    repo.done(&["undo", &wrote], "");
    assert_eq!(repo.text("f"), text("one|two|three|four"));
    // Where nobody else comes to the file there is nothing to do; a person does.
    assert_eq!(repo.refused(&["undo", &took], ""), "nothing_to_undo");
    repo.write("f", text("by hand|one|two|three|four"));
    refused(&repo, &took, &format!("taken back since (record {wrote})"));
}

#[test]
fn of_undone_records_whose_lines_would_come_back_the_newest_is_named() {
    let repo = with(&[("old", "one|two|three|four|five|six")]);
    let first = repo.apply(several("old", &[("one", "uno"), ("three", "three|line")]));
    let second = repo.apply(several("old", &[("two", "dos"), ("four", "four|more")]));
    repo.git(&["mv", "old", "f"]);
    let took = repo.apply(several("f", &[("line|four|more", "four")]));
    repo.done(&["undo", &first], "");
    repo.done(&["undo", &second], "");
    assert_eq!(repo.refused(&["undo", &took], ""), "nothing_to_undo");
    repo.write("f", repo.text("f") + "by hand\n");
    refused(&repo, &took, &format!("taken back since (record {second})"));
}

/// Somebody did a part of it again: that did not discard the undo, and the part is his.
#[test]
fn of_an_undone_record_what_a_person_did_again_stays_where_its_session_is_undone() {
    let lines = "l1|l2|l3|l4|l5|l6";
    let repo = with(&[("f", lines)]);
    let id = repo.apply(several("f", &[("l1", "m|l1"), ("l5", "L5")]));
    repo.done(&["undo", &id], "");
    repo.write("f", text(&format!("m|{lines}")));
    let later = repo.apply(several("f", &[("m", "m m")]));
    let answer = repo.done(&["undo", "--session", "s"], "");
    assert_eq!(answer["data"]["undone"], json!([later]), "{answer}");
    assert_eq!(repo.text("f"), text(&format!("m|{lines}")));
}

/// An older record had taken the line, and its undo is what brought it back; a person did the rest.
#[test]
fn what_the_undo_of_an_older_record_brought_back_does_not_go_with_a_newer_one_that_was_undone() {
    let repo = with(&[("f", &twenty())]);
    let older = repo.apply(several("f", &[("<3>", "")]));
    let newer = repo.apply(several("f", &[("<2>", "<2>|<3>"), ("<15>", "<15>|more")]));
    repo.done(&["undo", &newer], "");
    repo.done(&["undo", &older], "");
    assert_eq!(repo.text("f"), text(&twenty()));
    repo.write("f", text(&twenty().replace("<15>", "<15>|more")));
    refused(&repo, &newer, "is undone already");
}

/// A session whose edits do not fit one by one, as its file was checked out in between, after it was undone and redone. Gives the ids.
fn redone(repo: &TestRepo) -> Vec<String> {
    let edit = |old: &str, new: &str| repo.apply(several("f", &[(old, new)]));
    let mut ids = vec![edit("<5>", "five"), edit("five", "cinq")];
    repo.git(&["checkout", "-q", "f"]);
    ids.push(edit("<9>", "nine"));
    ids.push(id_of(&repo.done(&["undo", "--session", "s"], "")));
    ids.push(id_of(&repo.done(&["redo"], "")));
    ids
}

fn twenty() -> String {
    (1..=20).map(|n| format!("<{n}>")).collect::<Vec<_>>().join("|")
}

#[test]
fn a_redo_stands_for_its_records_only_where_the_file_is_to_the_byte_as_it_left_it() {
    let repo = with(&[("f", &twenty())]);
    redone(&repo);
    let now = repo.text("f") + "more\n";
    repo.write("f", &now);
    assert_eq!(repo.refused(&["undo", "--session", "s"], ""), "undo_conflict");
    assert_eq!(repo.text("f"), now);
}

#[test]
fn a_redo_that_stands_for_its_records_is_undone_after_what_the_session_did_later() {
    let repo = with(&[("f", &twenty())]);
    let ids = redone(&repo);
    let renamed = repo.apply(json!({"path": "f", "rename_to": "k", "agent": {"session": "s"}}));
    assert!(repo.shell("mv k f").success());
    let answer = repo.done(&["undo", "--session", "s"], "");
    assert_eq!(answer["data"]["undone"], json!([renamed, ids[4]]), "{answer}");
    assert_eq!(repo.text("f"), text(&twenty()));
}

#[test]
fn an_undo_that_was_made_since_a_record_is_not_taken_back_with_what_came_since() {
    let repo = with(&[("f", F)]);
    let edited = F.replace("f2", "zwei");
    let ids = told(&repo, &[&format!("put f {edited}"), &format!("put f {}", edited.replace("f6", "sechs")), "undo 1"]);
    let answer = repo.done(&["undo", "--since", &ids[1]], "");
    assert_eq!(answer["data"]["undone"], json!([ids[1]]), "{answer}");
    assert_eq!(repo.text("f"), text(F));
}

#[test]
fn a_turn_of_several_sessions_that_were_undone_is_not_redone_without_its_session() {
    let repo = with(&[("f", F), ("g", G)]);
    let turn = |session: &str, path: &str, old: &str| {
        let agent = json!({"session": session, "turn": "t1"});
        repo.apply(json!({"path": path, "old_string": old, "new_string": "new", "agent": agent}))
    };
    let ids = [turn("s1", "f", "f2"), turn("s2", "g", "g2")];
    ids.iter().for_each(|id| drop(repo.done(&["undo", id], "")));
    let answer = repo.redraft(&["redo", "--turn", "t1"], "");
    assert_eq!((answer.status, answer.json()["data"]["hint"]["candidates"].clone()), (1, json!(["s1", "s2"])));
    assert_eq!([repo.text("f"), repo.text("g")], [text(F), text(G)]);
}

/// The redo brought back another edit; this one had been undone long before, and again when a backup had brought it back.
#[test]
fn a_redo_is_not_said_to_be_undone_by_an_undo_that_is_older_than_it() {
    let repo = with(&[("f", &twenty())]);
    let edit = |new: &str| repo.apply(several("f", &[("<4>", new)]));
    let first = edit("four");
    let older = id_of(&repo.done(&["undo"], ""));
    repo.done(&["restore", "--at", &first], "");
    repo.done(&["undo"], "");
    repo.write("f", repo.text("f").replace("<15>", "mine"));
    let second = edit("vier");
    let undo = id_of(&repo.done(&["undo", "--session", "s"], ""));
    let redo = id_of(&repo.done(&["redo"], ""));
    repo.done(&["undo", &second], "");
    for args in [["undo", &redo], ["redo", &undo]] {
        let said = repo.said(&args);
        assert!(said.starts_with("nothing to ") && !said.contains(&older), "{said}");
    }
}

/// Its undo was discarded in another file of the session, and what is there now in this one proves nothing.
#[test]
fn a_commit_of_a_file_does_not_ask_what_became_of_the_undo_in_another_one() {
    let paths = ["f", "g", "h", "k"];
    let files = paths.map(|path| (path, (1..=5).map(|n| format!("{path}{n}")).collect::<Vec<_>>().join("|")));
    let repo = with(&files.each_ref().map(|(path, lines)| (*path, &lines[..])));
    let edit = |path: &str| json!({"path": path, "old_string": format!("{path}2"), "new_string": "two"});
    for both in [["f", "h"], ["g", "k"]] {
        repo.apply(json!({"files": both.map(edit), "agent": {"session": "s"}}));
    }
    repo.done(&["undo", "--session", "s", "--", "f", "g"], "");
    repo.write("g", text("g1|two|g3|g4|g5"));
    repo.write("f", text("f1|other|f3|f4|f5"));
    let ran = repo.redraft(&["commit", "--session", "s", "--", "f"], "");
    assert!(ran.status != 0 && ran.err.contains("nothing to commit"), "{}{}", ran.out, ran.err);
}

/// Seen: "what it did to k is taken back already", and the file was there whole.
#[test]
fn a_made_file_that_was_edited_and_moved_over_one_of_git_s_is_not_said_to_be_gone() {
    let made = "k1|k2|k3|k4|k5|k6";
    for edited in [made, "k1|k2|k3|k4|k5|k6|k7", "k1|zwei|drei|vier|funf|k6|k7"] {
        let repo = with(&[("f", F)]);
        let mut steps = vec![format!("put k {made}")];
        steps.extend((edited != made).then(|| format!("put k {edited}")));
        steps.push("mv k f".to_owned());
        let ids = told(&repo, &steps.iter().map(|step| &step[..]).collect::<Vec<_>>());
        refused(&repo, &ids[0], "it may be the file that was created, moved and changed since");
    }
}

/// Seen: it came back below `f4`, to where a record had moved it that was undone while the line was missing.
#[test]
fn a_line_that_was_moved_and_deleted_does_not_come_back_to_where_an_undone_record_had_moved_it() {
    let [before, moved, without] = ["two|f3|line_of_it|f4|f5|f6", "dos|f3|f4|line_of_it|f5|f6", "dos|f3|f4|f5|f6"];
    for undone in [[0, 1], [1, 0]] {
        let repo = with(&[("f", before)]);
        let ids = told(&repo, &[&format!("put f {moved}"), &format!("put f {without}")]);
        for n in undone {
            repo.done(&["undo", &ids[n]], "");
        }
        assert_eq!(repo.text("f"), text(before));
    }
    // Somebody else was at the file as well.
    let repo = with(&[("f", before)]);
    let ids = told(&repo, &[&format!("put f {moved}"), &format!("put f {without}")]);
    repo.write("f", text(without) + "by hand\n");
    repo.done(&["undo", &ids[0]], "");
    refused(&repo, &ids[1], "lines would come back that another record wrote");
}

/// Seen: `h|b|a|e|t`, of which `a` had come back in place of the line that the first record had put elsewhere.
#[test]
fn a_deleted_line_does_not_come_back_on_the_other_side_of_one_that_an_undone_record_had_deleted() {
    let rows = [
        ["h|a|b|e|t", "h|b|x|e|t", "h|x|t"],
        ["h|b|e|a|t", "h|b|x|e|t", "h|x|t"],
        ["a|b|d|e", "b|x|e", "x"],
        ["h|a|b|d|e|t", "h|b|x|e|t", "h|x|t"],
    ];
    for [before, first, second] in rows {
        let repo = with(&[("f", before)]);
        let ids = told(&repo, &[&format!("put f {first}"), &format!("put f {second}")]);
        // Nobody else came to the file: without both of them it is as it was.
        for id in &ids {
            repo.done(&["undo", id], "");
        }
        assert_eq!(repo.text("f"), text(before));
        // A person was at it as well.
        let repo = with(&[("f", before)]);
        let ids = told(&repo, &[&format!("put f {first}"), &format!("put f {second}")]);
        repo.done(&["undo", &ids[0]], "");
        repo.write("f", repo.text("f") + "by hand\n");
        refused(&repo, &ids[1], "cannot undo f");
    }
}
