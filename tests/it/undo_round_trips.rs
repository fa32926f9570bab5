//! What an undo or a redo does to a file is taken back to the byte by the other of the two at once after it, whatever was done before: no answer is
//! as easy to prove, so none of these may be refused.
//!
//! `REDRAFT_TRIPS` says how many stories, `REDRAFT_TRIPS_FROM` from which seed; the default is small.

use crate::support::{Dice, TestRepo, any_line, changed, joined, number};
use serde_json::json;
use similar::{ChangeTag, TextDiff};

struct Edit {
    id: String,
    did: Did,
}

/// The lines that went (`Delete`) and came (`Insert`).
type Did = Vec<(ChangeTag, String)>;

fn did(from: &str, to: &str) -> Did {
    let diff = TextDiff::from_lines(from, to);
    let changes = diff.iter_all_changes().filter(|change| change.tag() != ChangeTag::Equal);
    let mut did: Did = changes.map(|change| (change.tag(), change.value().to_owned())).collect();
    did.sort();
    did
}

struct World {
    repo: TestRepo,
    dice: Dice,
    edits: Vec<Edit>,
    told: Vec<String>,
    trips: usize,
}

impl World {
    fn new(seed: usize) -> Self {
        let mut dice = Dice(seed as u64 + 1);
        let lines: Vec<String> = (0..dice.roll(9) + 3).map(|_| any_line(&mut dice)).collect();
        let repo = TestRepo::in_memory();
        repo.write("f", joined(&lines));
        repo.commit_all("base");
        let told = vec![format!("seed {seed}: {lines:?}")];
        Self { repo, dice, edits: Vec::new(), told, trips: 0 }
    }

    fn lines(&self) -> Vec<String> {
        self.repo.text("f").lines().map(str::to_owned).collect()
    }

    fn edit(&mut self, is_by_agent: bool) {
        let was = self.repo.text("f");
        let mut lines = self.lines();
        changed(&mut self.dice, &mut lines);
        let now = joined(&lines);
        if was == now || was.is_empty() && is_by_agent {
            return;
        }
        self.told.push(format!("{}: {lines:?}", if is_by_agent { "edit" } else { "by hand" }));
        if is_by_agent {
            let id = self.repo.apply(json!({"path": "f", "old_string": was, "new_string": now}));
            self.edits.push(Edit { id, did: did(&was, &now) });
        } else {
            self.repo.write("f", now);
        }
    }

    /// The record that it left, if it was done.
    fn run(&mut self, what: &str, id: &str) -> Option<String> {
        let ran = self.repo.redraft(&[what, id], "");
        let told = ran.json();
        self.told.push(format!("{what} {id}: {:?}: {:?}", told["text"], self.lines()));
        (ran.status == 0).then(|| told["data"]["record"]["id"].as_str().expect("a record").to_owned())
    }

    /// An edit is undone or done again, and there and back.
    fn trip(&mut self) {
        if self.edits.is_empty() {
            return;
        }
        let Edit { id, did: all } = &self.edits[self.dice.roll(self.edits.len())];
        let (id, all) = (id.clone(), all.clone());
        let (there, back) = if self.dice.roll(2) == 0 { ("undo", "redo") } else { ("redo", "undo") };
        let was = self.repo.text("f");
        let Some(mut last) = self.run(there, &id) else {
            assert_eq!(self.repo.text("f"), was, "{:#?}", self.told);
            return;
        };
        self.trips += 1;
        let now = self.repo.text("f");
        // What a person has done of it before is no affair of what did the rest, but it is of the edit.
        let is_all = if there == "redo" { did(&was, &now) == all } else { did(&now, &was) == all };
        let is_by_name = is_all && self.dice.roll(2) == 0;
        for (what, text) in [(back, &was), (there, &now), (back, &was)].iter().take(self.dice.roll(4)) {
            let done = self.run(what, if is_by_name { &id } else { &last });
            assert_eq!((done.is_some(), &self.repo.text("f")), (true, *text), "{:#?}", self.told);
            last = done.expect("it was done");
        }
    }
}

#[test]
fn an_undo_and_a_redo_take_each_other_back_to_the_byte() {
    let (from, count) = (number("REDRAFT_TRIPS_FROM", 0), number("REDRAFT_TRIPS", 30));
    let mut trips = 0;
    for seed in from..from + count {
        let mut world = World::new(seed);
        for _ in 0..12 {
            match world.dice.roll(4) {
                0 => world.edit(false),
                1 => world.edit(true),
                _ => world.trip(),
            }
        }
        trips += world.trips;
    }
    assert!(trips > count);
}
