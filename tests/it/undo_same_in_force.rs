//! Nobody but redraft comes to the file: it is as it was when the same edits were in force, whatever lines look like.

use crate::support::TestRepo;
use crate::support::dice::{Dice, any_line, changed, joined, number};
use serde_json::json;
use std::collections::{BTreeSet, HashMap};

/// A file, and the records that led it through these texts.
fn led(texts: &[&str]) -> (TestRepo, Vec<String>) {
    let repo = TestRepo::with_files(&[("f", texts[0])]);
    let ids = texts[1..].iter().map(|text| put(&repo, text)).collect();
    (repo, ids)
}

fn put(repo: &TestRepo, text: &str) -> String {
    repo.apply(json!({"path": "f", "content": text, "overwrite": true}))
}

/// Seen: a bracket too many, or too few, exit 0, each half of it said to have its old lines back.
#[test]
fn without_all_of_its_records_a_file_is_as_before_them() {
    for texts in [
        // Both move an equal bracket.
        ["k {\n}\nfn {\n}\n", "k {\n}\n}\nfn {\n", "}\nk {\n}\nfn {\n"],
        // A blank line and a bracket go, and the bracket comes back.
        ["a\n\n}\nb\n", "a\nb\n", "a\n}\nb\n"],
        // Two lines are moved, and one of them goes.
        ["x\nif it {\ny\nz\n", "if it {\ny\nx\nz\n", "y\nx\nz\n"],
        // Equal lines come side by side.
        ["a\nb\n", "a\n\nb\n", "top\na\n\n\nb\n"],
        // What was doubled is moved.
        ["fn {\n    }\n", "{\nfn {\n    }\n    }\n", "{\nfn {\n    }\n"],
    ] {
        for order in [[0, 1], [1, 0]] {
            let (repo, ids) = led(&texts);
            let refused = |n: usize| repo.redraft(&["undo", &ids[n]], "").json()["data"]["reason"] == "undo_conflict";
            if !order.map(refused).contains(&true) {
                assert_eq!(repo.text("f"), texts[0], "{texts:?} {order:?}");
            }
        }
    }
}

/// Seen: a redo of a bracket that was moved put one more, where the one to move was not there; and an undo right after it took another line.
#[test]
fn an_undo_right_after_a_redo_leaves_the_file_as_the_redo_found_it_and_a_line_that_is_not_there_is_not_moved() {
    let lines = "    if bad {\n    }\n    let n;\n    let b;\n    copy();\n    return x;\n}\n";
    let doubled = lines.replace("    }\n", "    }\n    }\n");
    let (repo, ids) = led(&[lines, &doubled, &lines.replace("    copy();\n", "    copy();\n    }\n")]);
    repo.done(&["undo", &ids[1]], "");
    repo.done(&["undo", &ids[0]], "");
    assert_eq!(repo.refused(&["redo", &ids[1]], ""), "undo_conflict");
    assert_eq!(repo.text("f"), lines);
    repo.done(&["redo", &ids[0]], "");
    repo.done(&["redo", &ids[1]], "");
    repo.done(&["undo", &ids[1]], "");
    assert_eq!(repo.text("f"), doubled);
}

/// Seen: "in place again already", with the bracket that the record takes in the file: what is older than the undo was not put in order.
#[test]
fn a_redo_after_others_in_another_order_gives_the_text_that_all_of_them_gave() {
    let one = "    return x;\n    }\n";
    let (repo, ids) = led(&[&format!("    }}\n{one}"), one, &format!("{one}    }}\n"), one]);
    for n in [0, 2, 1] {
        repo.done(&["undo", &ids[n]], "");
    }
    for n in [0, 1, 2] {
        repo.done(&["redo", &ids[n]], "");
    }
    assert_eq!(repo.text("f"), one);
}

/// A part of a record that was undone and is done again counts by itself.
#[test]
fn a_hunk_that_is_done_again_is_in_force_alone() {
    let before: String = (1..=40).map(|n| format!("line {n}\n")).collect();
    let edits = json!([{"old_string": "line 2\n", "new_string": "two\n"}, {"old_string": "line 30\n", "new_string": "thirty\n"}]);
    let repo = TestRepo::with_files(&[("f", &before)]);
    let id = repo.apply(json!({"path": "f", "edits": edits}));
    let part = repo.done(&["undo", &id, "--hunk", "2"], "")["data"]["record"]["id"].clone();
    repo.done(&["undo", &id], "");
    assert_eq!(repo.text("f"), before);
    repo.done(&["redo", part.as_str().expect("an id")], "");
    assert_eq!(repo.text("f"), before.replace("line 30", "thirty"));
    repo.done(&["undo", &id], "");
    assert_eq!(repo.text("f"), before);
}

/// Seen: a line of the record came back, and the markers were gone, with the undo of another one.
#[test]
fn markers_of_an_undo_stay_where_another_record_is_undone() {
    let (repo, ids) = led(&[
        "fn alpha\nbase zero\nfn beta\nbase one\nfn gamma\nfn end\n",
        "fn alpha\nbase zero\nfn beta\nword one new\nfn gamma\nword two new\nfn end\n",
        "fn alpha\nbase zero\nfn beta\nword one new\nfn gamma\nother thing\nfn end\n",
        "fn alpha\nfn beta\nword one new\nfn gamma\nother thing\nfn end\n",
    ]);
    repo.done(&["undo", &ids[0], "--markers"], "");
    let marked = repo.text("f");
    repo.done(&["undo", &ids[2]], "");
    assert_eq!(repo.text("f"), marked.replace("fn alpha\n", "fn alpha\nbase zero\n"));
}

/// Seen: "what it did to f is taken back already", where the deleted line was away still, with the record that had put it.
#[test]
fn a_file_that_is_as_it_is_without_a_record_as_well_is_not_said_to_have_it_taken_back() {
    let (repo, ids) = led(&["one\ntwo\nthree\n", "uno\ntwo\nline of it\nthree\n", "uno\ntwo\nthree\n"]);
    repo.done(&["undo", &ids[0]], "");
    let told = repo.said(&["undo", &ids[1]]);
    assert!(told.contains("f would be as it is") && told.contains("`redraft log -- f` lists them"), "{told}");
    assert_eq!(repo.refused(&["undo", &ids[1]], ""), "nothing_to_undo");
}

/// What a person did since is not taken out with it.
#[test]
fn a_text_from_before_does_not_come_back_over_what_a_person_wrote() {
    let (repo, ids) = led(&["a\nb\nc\n", "a\nB\nc\n", "a\nB\nC\n"]);
    repo.write("f", "by hand\na\nB\nC\n");
    repo.done(&["undo", &ids[0]], "");
    repo.done(&["undo", &ids[1]], "");
    assert_eq!(repo.text("f"), "by hand\na\nb\nc\n");
}

/// Whatever is undone and done again, in any order: each set of edits in force has one text.
#[test]
fn random_undos_and_redos_of_records_alone_lead_to_the_same_texts() {
    let from = number("REDRAFT_ALONE_FROM", 1);
    // Two that were wrong once.
    for seed in [20_201, 20_347].into_iter().chain(from..from + number("REDRAFT_ALONE", 12)) {
        let mut dice = Dice(seed as u64);
        let mut lines: Vec<String> = (0..dice.roll(6) + 4).map(|_| any_line(&mut dice)).collect();
        let repo = TestRepo::with_files(&[("f", &joined(&lines))]);
        let mut texts = HashMap::from([(BTreeSet::new(), joined(&lines))]);
        let (mut ids, mut in_force) = (Vec::new(), BTreeSet::new());
        for n in 0..dice.roll(3) + 2 {
            let had = lines.clone();
            changed(&mut dice, &mut lines);
            if lines == had {
                lines.push("last".to_owned());
            }
            ids.push(put(&repo, &joined(&lines)));
            in_force.insert(n);
            texts.insert(in_force.clone(), joined(&lines));
        }
        for _ in 0..dice.roll(6) + 3 {
            let n = dice.roll(ids.len());
            let is_undo = in_force.contains(&n);
            let (had, ran) = (repo.text("f"), repo.redraft(&[if is_undo { "undo" } else { "redo" }, &ids[n]], ""));
            let reason = ran.json()["data"]["reason"].clone();
            if ran.status != 0 {
                assert_eq!(repo.text("f"), had, "seed {seed}");
                if reason != "nothing_to_undo" {
                    continue;
                }
                // Nothing of it is left, and the log has it as it was.
                let mut wanted = in_force.clone();
                if is_undo {
                    wanted.remove(&n)
                } else {
                    wanted.insert(n)
                };
                assert!(texts.get(&wanted).is_none_or(|text| *text == had), "seed {seed}: {}", ran.out);
                continue;
            }
            if is_undo {
                in_force.remove(&n)
            } else {
                in_force.insert(n)
            };
            let text = repo.text("f");
            assert_eq!(*texts.entry(in_force.clone()).or_insert_with(|| text.clone()), text, "seed {seed}");
        }
    }
}
