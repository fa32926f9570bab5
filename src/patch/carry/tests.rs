//! Where a splice goes in another version of its text, and where it is refused.

use super::*;
use crate::patch::{Origin, Replacement};
use crate::strategy::Strategy;
use proptest::prelude::*;

fn splice(range: Range<usize>, new: &str) -> Splice {
    Replacement { range, bytes: new.into() }.by(Origin { edit: 0, strategy: Strategy::Exact })
}

/// What a splice that makes `new` of all of `old` comes to.
fn trimmed(old: &str, new: &str) -> Vec<Splice> {
    trim(old.as_bytes(), &splice(0..old.len(), new)).into_iter().collect()
}

/// The record turned `before` into `after`, and somebody turned that into `now`: what does undoing the record give?
fn undo(before: &str, after: &str, now: &str) -> Result<String, Vec<Misfit>> {
    go(&trimmed(after, before), after, now, Fit::Bytes)
}

/// The agent turned `before` into `after` in the working tree; HEAD has `head`: what does committing the edit give?
fn commit(before: &str, after: &str, head: &str) -> Result<String, Vec<Misfit>> {
    go(&trimmed(before, after), before, head, Fit::Lines)
}

fn go(splices: &[Splice], from: &str, to: &str, fit: Fit) -> Result<String, Vec<Misfit>> {
    carry(splices, from.as_bytes(), to.as_bytes(), fit)
        .map(|patch| String::from_utf8(patch.apply(to.as_bytes())).expect("UTF-8"))
        .map_err(|conflicts| conflicts.iter().map(|c| c.misfit).collect())
}

fn check_undo(before: &str, after: &str, now: &str, want: &str) {
    assert_eq!(undo(before, after, now).as_deref(), Ok(want));
}

fn refuse_undo(before: &str, after: &str, now: &str, want: Misfit) {
    assert_eq!(undo(before, after, now), Err(vec![want]));
}

#[test]
fn what_was_not_touched_since_is_undone() {
    check_undo("a\nb\nc\n", "a\nB\nc\n", "a\nB\nc\n", "a\nb\nc\n");
    check_undo("a\nb\nc\n", "a\nB\nc\n", "x\na\nB\ny\n", "x\na\nb\ny\n");
}

#[test]
fn other_bytes_of_the_same_line_may_have_changed() {
    check_undo("timeout = 30\n", "timeout = 60\n", "timeout_ms = 60  # more\n", "timeout_ms = 30  # more\n");
    check_undo("alpha beta gamma\n", "alpha BETA gamma\n", "ALPHA BETA gamma\n", "ALPHA beta gamma\n");
    check_undo("count\n", "counts\n", "counts2\n", "count2\n");
}

#[test]
fn half_of_a_word_is_not_put_to_half_of_another() {
    check_undo("w74 w75\n", "w7 w8\n", "x w7 w8\n", "x w74 w75\n");
    refuse_undo("w74 w75\n", "w7 w8\n", "w88 w8\n", Misfit::LineChanged);
    refuse_undo("w74 w75\n", "w7 w8\n", "w71 w8\n", Misfit::LineChanged);
    refuse_undo("a 30 b\n", "a 60 b\n", "a 61 b\n", Misfit::LineChanged);
}

#[test]
fn touched_bytes_are_a_conflict() {
    refuse_undo("a\nb\nc\n", "a\nBBB\nc\n", "a\nBXB\nc\n", Misfit::Changed);
    refuse_undo("a\nc\n", "a\nb1\nb2\nc\n", "a\nb1\nx\nb2\nc\n", Misfit::Changed);
}

#[test]
fn equal_bytes_in_a_rewritten_line_are_chance() {
    refuse_undo("x = 1\n", "x = 2\n", "foo(2, y)\n", Misfit::LineChanged);
}

#[test]
fn a_deleted_line_comes_back_between_its_neighbours_or_beside_the_one_that_is_left() {
    check_undo("a\nb\nc\n", "a\nc\n", "0\na\nc\nd\n", "0\na\nb\nc\nd\n");
    check_undo("aa\nb\nc\n", "aa\nc\n", "c\n", "b\nc\n");
    check_undo("a\nb\ncc\n", "a\ncc\n", "a\n", "a\nb\n");
    check_undo("a\nb\n    c\n", "a\n    c\n", "        c\n", "b\n        c\n");
    check_undo("b\nc\n", "c\n", "0\nc\n", "0\nb\nc\n");
    refuse_undo("a\nb\nc\n", "a\nc\n", "a\nx\nc\n", Misfit::PlaceTaken);
    refuse_undo("a\nb\nc\n", "a\nc\n", "", Misfit::PlaceGone);
}

#[test]
fn words_come_back_in_the_line_that_they_were_taken_from() {
    check_undo("a\npub b\nc\n", "a\nb\nc\n", "a\nnew\nb\nc\n", "a\nnew\npub b\nc\n");
    check_undo("a;\nb\n", "a\nb\n", "a\nnew\nb\n", "a;\nnew\nb\n");
    refuse_undo("a\npub b c d\n", "a\nb c d\n", "a\nq\n", Misfit::PlaceGone);
}

#[test]
fn where_equal_lines_leave_the_place_open_it_is_a_conflict() {
    refuse_undo("a\nx\nb\n", "a\na\nb\n", "a\nb\n", Misfit::Uncertain);
    check_undo("a\nb\n", "a\na\nb\n", "a\na\na\nb\n", "a\na\nb\n");
}

#[test]
fn only_the_agents_lines_are_committed() {
    assert_eq!(commit("a\nu\nb\n", "a\nu\nB\n", "a\nb\n").as_deref(), Ok("a\nB\n"));
    assert_eq!(commit("a\nb\n", "a\nn\nb\n", "a\nu\nb\n").as_deref(), Ok("a\nn\nu\nb\n"));
    assert_eq!(commit("a\nu\nb\n", "a\nu\nn\nb\n", "a\nb\n").as_deref(), Ok("a\nn\nb\n"));
    assert_eq!(commit("a user\nb\n", "a agent\nb\n", "a\nb\n"), Err(vec![Misfit::Changed]));
    assert_eq!(commit("a user b\n", "a user B\n", "a b\n"), Err(vec![Misfit::LineChanged]));
}

#[test]
fn insertions_are_trimmed_to_whole_lines() {
    let old = "fn a() {\n    b();\n}\n";
    let new = "fn a() {\n    bar();\n    b();\n}\n";
    let splice = trimmed(old, new).remove(0);
    assert_eq!((splice.range.clone(), &splice.replacement[..]), (9..9, &b"    bar();\n"[..]));
    let splice = trimmed(new, old).remove(0);
    assert_eq!(splice.range, 9..20);
}

/// A text whose parts know where they come from, so that no two of them are ever taken for each other.
#[derive(Debug, Clone)]
struct Model(Vec<(u32, String)>);

impl Model {
    fn text(&self) -> String {
        self.0.iter().map(|(_, part)| part.as_str()).collect()
    }
}

proptest! {
    #[test]
    fn a_trimmed_splice_does_what_the_splice_does(before in "[ab\n]{0,12}", after in "[ab\n]{0,12}", head in "[ab\n]{0,4}") {
        let (from, to) = (format!("{head}{before}\n"), format!("{head}{after}\n"));
        let range = head.len()..head.len() + before.len();
        let splice = splice(range, &after);
        let trimmed: Vec<Splice> = trim(from.as_bytes(), &splice).into_iter().collect();
        prop_assert_eq!(go(&trimmed, &from, &from, Fit::Bytes).expect("its own text"), to);
    }

    /// Lines of few kinds, so that equal ones stand side by side; the user changes some, the agent one. Undoing the
    /// agent's change leaves precisely the user's, or is refused.
    #[test]
    fn an_undo_is_exact_or_refused(
        lines in prop::collection::vec("[abc]{1,2}", 3..12),
        at in 0usize..12, agent in prop::option::of("[abcx]{1,2}"),
        user in prop::collection::vec((0usize..14, prop::option::of("[yz]{1,2}"), any::<bool>()), 0..4),
    ) {
        let base = Model(lines.iter().enumerate().map(|(i, l)| (i as u32, format!("{l}\n"))).collect());
        let at = at % base.0.len();
        let mut after = base.clone();
        match &agent {
            Some(text) => after.0[at] = (1000, format!("{text}\n")),
            None => { after.0.remove(at); }
        }
        let mut now = after.clone();
        let mut touched = false;
        for (n, (place, text, insert)) in user.iter().enumerate() {
            let place = place % (now.0.len() + 1);
            match text {
                Some(text) if *insert || place == now.0.len() => now.0.insert(place, (2000 + n as u32, format!("{text}\n"))),
                Some(text) => { touched |= now.0[place].0 == 1000; now.0[place] = (2000 + n as u32, format!("{text}\n")); }
                None if place < now.0.len() => { touched |= now.0[place].0 == 1000; now.0.remove(place); }
                None => {}
            }
        }
        let start: usize = base.0[..at].iter().map(|(_, line)| line.len()).sum();
        let new = agent.as_ref().map_or(String::new(), |text| format!("{text}\n"));
        let range = start..start + new.len();
        let splice = splice(range, &base.0[at].1);
        let trimmed: Vec<Splice> = trim(after.text().as_bytes(), &splice).into_iter().collect();
        if let Ok(text) = go(&trimmed, &after.text(), &now.text(), Fit::Bytes)
            && base.text() != after.text()
        {
            // With the user's part of the text known, the outcome must be one that a person would call right: the
            // agent's line is the old one again, and every line of the user stands as it was, in order.
            if let Some(_text) = &agent {
                if !touched {
                    let mut want = now.clone();
                    for part in &mut want.0 {
                        if part.0 == 1000 { *part = base.0[at].clone(); }
                    }
                    prop_assert_eq!(text, want.text());
                }
            } else {
                // The deleted line is back beside a neighbour that is still there.
                let old = base.0[at].1.clone();
                let fits = (0..=now.0.len()).any(|place| {
                    let left = place.checked_sub(1).map(|i| now.0[i].1.clone());
                    let right = now.0.get(place).map(|part| part.1.clone());
                    let beside = (at > 0 && left == Some(base.0[at - 1].1.clone()))
                        || right == base.0.get(at + 1).map(|part| part.1.clone())
                        || now.0.len() < 2;
                    let mut want = now.clone();
                    want.0.insert(place, (0, old.clone()));
                    beside && want.text() == text
                });
                prop_assert!(fits, "{:?} -> {:?}", now.text(), text);
            }
        }
    }
}
