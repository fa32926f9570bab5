//! `redraft diff --session`: what a session did as a whole, without what others did in between.

use crate::support::{Dice, TestRepo};
use serde_json::json;

fn edit(repo: &TestRepo, who: (&str, &str), path: &str, (old, new): (&str, &str)) -> String {
    let agent = json!({"name": "claude", "session": who.0, "turn": who.1});
    repo.apply(json!({"path": path, "edits": [{"old_string": old, "new_string": new}], "agent": agent}))
}

/// What a command prints, which is done without a word beside.
fn said(repo: &TestRepo, args: &[&str]) -> String {
    let answer = repo.redraft(args, "");
    assert_eq!((answer.status, answer.err.as_str()), (0, ""), "{args:?}");
    answer.out
}

fn numbers(count: usize) -> String {
    (0..count).map(|n| format!("line {n}\n")).collect()
}

/// The lines of a diff that are added or removed.
fn changed(diff: &str) -> Vec<&str> {
    let is_head = |line: &&str| line.starts_with("+++") || line.starts_with("---");
    diff.lines().filter(|line| line.starts_with(['+', '-']) && !is_head(line)).collect()
}

#[test]
fn what_others_did_in_between_is_no_part_of_it() {
    let repo = TestRepo::with_files(&[("a", &numbers(9)), ("b", "b\n")]);
    edit(&repo, ("s1", "t1"), "a", ("line 1\n", "ONE\n"));
    edit(&repo, ("s2", "t1"), "a", ("line 2\n", "other agent\n"));
    repo.write("a", repo.text("a").replace("line 5\n", "the user\n"));
    edit(&repo, ("s1", "t2"), "a", ("line 8\n", "EIGHT\n"));
    repo.write("a", repo.text("a").replace("line 0\n", "the user, later\n"));
    let diff = said(&repo, &["diff", "--session", "s1"]);
    assert_eq!(changed(&diff), ["-line 1", "+ONE", "-line 8", "+EIGHT"], "{diff}");
    assert!(diff.contains(" other agent") && diff.contains(" the user\n") && !diff.contains("later"), "{diff}");
    let diff = said(&repo, &["diff", "--session", "s1", "--turn", "t2"]);
    assert_eq!(changed(&diff), ["-line 8", "+EIGHT"], "{diff}");
    // Git takes it.
    repo.write("a", repo.text("a").replace("the user, later\n", "line 0\n"));
    std::fs::write(repo.outside().join("p"), said(&repo, &["diff", "--session", "s1"])).expect("written");
    repo.git(&["apply", "-R", repo.outside().join("p").to_str().expect("UTF-8")]);
    assert_eq!(repo.text("a"), numbers(9).replace("line 2\n", "other agent\n").replace("line 5\n", "the user\n"));
}

#[test]
fn what_was_made_and_unmade_is_no_difference() {
    let repo = TestRepo::with_files(&[("a", &numbers(9)), ("b", "b\n")]);
    let who = json!({"name": "claude", "session": "s1", "turn": "t"});
    edit(&repo, ("s1", "t"), "a", ("line 1\n", "ONE\n"));
    let undone = edit(&repo, ("s1", "t"), "a", ("line 3\n", "THREE\n"));
    repo.done(&["undo", &undone], "");
    repo.apply(json!({"path": "new", "content": "1\n", "agent": who}));
    repo.apply(json!({"path": "new", "rename_to": "newer", "agent": who}));
    repo.apply(json!({"path": "gone", "content": "1\n", "agent": who}));
    repo.apply(json!({"path": "gone", "delete": true, "agent": who}));
    repo.apply(json!({"path": "b", "rename_to": "c", "agent": who}));
    edit(&repo, ("s1", "t"), "c", ("b\n", "b\nc\n"));
    for is_sealed in [false, true] {
        if is_sealed {
            assert_eq!(repo.redraft(&["gc"], "").status, 0);
        }
        let diff = said(&repo, &["diff", "--session", "s1"]);
        assert_eq!(changed(&diff), ["-line 1", "+ONE", "+1", "+c"], "{diff}");
        assert!(diff.contains("rename from b\nrename to c\n") && diff.contains("new file mode 100644"), "{diff}");
        assert!(!diff.contains("gone") && diff.contains("b/newer"), "{diff}");
    }
    let undone = repo.redraft(&["undo", "--session", "s1"], "");
    assert_eq!((undone.status, said(&repo, &["diff", "--session", "s1"])), (0, String::new()), "{}", undone.out);
}

/// Seen: it was shown as a difference, which the log had as undone, and without a warning.
#[test]
fn what_an_undo_of_several_sessions_took_back_is_no_difference() {
    for how in ["one by one", "ids", "since"] {
        let repo = TestRepo::with_files(&[("a", &numbers(30))]);
        edit(&repo, ("s1", "t"), "a", ("line 28\n", "first\n"));
        let one = edit(&repo, ("s1", "t"), "a", ("line 4\n", "four\n"));
        let two = edit(&repo, ("s2", "t"), "a", ("line 20\n", "twenty\n"));
        match how {
            "one by one" => [&one, &two].iter().for_each(|id| drop(repo.done(&["undo", id], ""))),
            "ids" => drop(repo.done(&["undo", &one, &two], "")),
            _ => drop(repo.done(&["undo", "--since", &one], "")),
        }
        let diff = |session: &str| said(&repo, &["diff", "--session", session]);
        assert_eq!((changed(&diff("s1")), changed(&diff("s2"))), (vec!["-line 28", "+first"], vec![]), "{how}");
        repo.done(&["redo"], "");
        if how != "one by one" {
            let (first, second) = (diff("s1"), diff("s2"));
            assert_eq!(changed(&first), ["-line 4", "+four", "-line 28", "+first"], "{how}");
            assert_eq!(changed(&second), ["-line 20", "+twenty"], "{how}");
            repo.done(&["undo", "@"], "");
            assert_eq!((changed(&diff("s1")), changed(&diff("s2"))), (vec!["-line 28", "+first"], vec![]), "{how}");
        }
    }
}

#[test]
fn lines_that_others_changed_too_are_said() {
    let repo = TestRepo::with_files(&[("a", &numbers(3))]);
    edit(&repo, ("s1", "t"), "a", ("line 1\n", "ONE\n"));
    repo.write("a", repo.text("a").replace("ONE\n", "ONE and a half\n"));
    edit(&repo, ("s1", "t"), "a", ("line 0\n", "ZERO\n"));
    let answer = repo.redraft(&["diff", "--session", "s1"], "");
    assert!(answer.err.contains("others changed the same lines of a in between"), "{}", answer.err);
    assert_eq!(changed(&answer.out), ["-line 0", "-line 1", "+ZERO", "+ONE and a half"], "{}", answer.out);
    let answer = repo.redraft(&["diff", "--session", "nobody"], "");
    assert_eq!((answer.status, answer.err.contains("no record fits")), (1, true), "{}", answer.err);
}

#[test]
fn what_the_session_takes_away_of_others_lines_is_shown() {
    let repo = TestRepo::with_files(&[("a", &numbers(9))]);
    edit(&repo, ("s1", "t"), "a", ("line 3\n", "THREE\n"));
    repo.write("a", repo.text("a").replace("line 7\n", "line 7\nU1\nU2\n"));
    edit(&repo, ("s1", "t"), "a", ("U1\nU2\n", ""));
    let diff = said(&repo, &["diff", "--session", "s1"]);
    assert_eq!(changed(&diff), ["-line 3", "+THREE", "-U1", "-U2"], "{diff}");
    std::fs::write(repo.outside().join("p"), diff).expect("written");
    repo.git(&["apply", "-R", repo.outside().join("p").to_str().expect("UTF-8")]);
    assert_eq!(repo.text("a"), numbers(9).replace("line 7\n", "line 7\nU1\nU2\n"));
}

#[test]
fn what_the_user_deletes_after_an_undo_is_not_the_sessions() {
    let repo = TestRepo::with_files(&[("a", &numbers(9))]);
    let one = edit(&repo, ("s1", "t"), "a", ("line 5\n", ""));
    repo.done(&["undo", &one], "");
    repo.write("a", repo.text("a").replace("line 5\n", ""));
    assert_eq!(said(&repo, &["diff", "--session", "s1"]), "");
    edit(&repo, ("s1", "t"), "a", ("line 1\n", "ONE\n"));
    assert_eq!(changed(&said(&repo, &["diff", "--session", "s1"])), ["-line 1", "+ONE"]);
    // Nor is it committed as its own.
    assert_eq!(repo.redraft(&["commit", "--session", "s1"], "").status, 0);
    assert_eq!(repo.git(&["show", "HEAD:a"]), numbers(9).replace("line 1\n", "ONE\n"));
}

/// Two sessions and a person change lines of their own in turn; the difference is what the first did, in every order.
#[test]
fn random_sessions_are_told_apart() {
    for seed in 0..30 {
        let mut dice = Dice(seed);
        let repo = TestRepo::with_files(&[("a", &numbers(24))]);
        // Of each line, who owns it: nobody changes another one's.
        let (mut all, mut without, mut at_last): (Vec<Vec<String>>, Vec<Vec<String>>, Option<_>) = {
            let lines: Vec<Vec<String>> = (0..24).map(|n| vec![format!("line {n}\n")]).collect();
            (lines.clone(), lines, None)
        };
        for step in 0..14 {
            let who = dice.roll(3);
            let line = dice.roll(8) * 3 + who;
            let now = match dice.roll(3) {
                0 => Vec::new(),
                1 => vec![format!("line {line} by {who} in {step}\n")],
                _ => vec![format!("line {line} by {who} in {step}\n"), format!("more of {line} by {who} in {step}\n")],
            };
            let old: String = all[line].concat();
            if old.is_empty() {
                continue;
            }
            all[line].clone_from(&now);
            if who > 0 {
                without[line].clone_from(&now);
            }
            let (text, new) = (all.concat().concat(), now.concat());
            let agent = json!({"name": "claude", "session": format!("s{who}")});
            match who {
                2 => repo.write("a", &text),
                _ => {
                    let edit = json!({"old_string": old, "new_string": new});
                    repo.apply(json!({"path": "a", "edits": [edit], "agent": agent}));
                }
            }
            if who == 0 {
                at_last = Some((text, without.concat().concat()));
            }
        }
        let Some((text, without)) = at_last else { continue };
        let answer = repo.redraft(&["diff", "--session", "s0"], "");
        repo.write("a", &text);
        let patch = repo.outside().join("p");
        std::fs::write(&patch, &answer.out).expect("written");
        if !answer.out.is_empty() {
            repo.git(&["apply", "-R", "--unidiff-zero", patch.to_str().expect("UTF-8")]);
        }
        assert_eq!(repo.text("a"), without, "seed {seed}: {} {}", answer.out, answer.err);
    }
}

/// Seen: a file that was made executable between two records was no difference, or one of its text alone.
#[test]
fn a_diff_between_two_records_has_the_mode() {
    let repo = TestRepo::with_files(&[("a", "one\n"), ("k", "1\n")]);
    let first = repo.edit("k", "1", "2");
    assert_eq!(repo.redraft(&["run", "--", "chmod", "+x", "a"], "").status, 0);
    assert!(repo.redraft(&["diff", &first, "@"], "").out.contains("old mode 100644\nnew mode 100755\n"));
    assert!(repo.redraft(&["diff", "@", &first], "").out.contains("old mode 100755\nnew mode 100644\n"));
    repo.edit("a", "one", "two");
    let patch = repo.redraft(&["diff", &first, "@"], "").out;
    assert!(patch.starts_with("diff --git a/a b/a\nold mode 100644\nnew mode 100755\nindex "), "{patch}");
    repo.git(&["checkout", "-q", "a"]);
    std::fs::write(repo.outside().join("p"), &patch).expect("written");
    repo.git(&["apply", "../p"]);
    assert_eq!(repo.git(&["diff", "--summary"]), " mode change 100644 => 100755 a\n");
}
