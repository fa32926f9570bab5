//! Random edits of two sessions and a person in one file, of which one session's are committed: HEAD gets its lines and loses those that it
//! took, no other, and they stand in the order that the texts had them in.
//!
//! `REDRAFT_COMMITS=1000` runs as many, `REDRAFT_COMMITS_FROM` from another seed; the default is small.

use crate::support::{Dice, TestRepo, joined};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};

const WRITERS: [&str; 3] = ["s1", "s2", "person"];

/// The file as its writers have it, each line of it another one, and what they had of it before.
struct World {
    repo: TestRepo,
    dice: Dice,
    /// Each text, the oldest first.
    texts: Vec<Vec<String>>,
    /// Who put a line in, and who took one out.
    put: BTreeMap<String, &'static str>,
    took: BTreeMap<String, &'static str>,
    steps: Vec<String>,
}

impl World {
    fn new(seed: usize) -> Self {
        let lines: Vec<String> = (1..=6).map(|n| format!("base {n}")).collect();
        let repo = TestRepo::with_files(&[("f", &joined(&lines))]);
        let (put, took) = (BTreeMap::new(), BTreeMap::new());
        Self { repo, dice: Dice(seed as u64 * 0x9E37_79B9 + 5), texts: vec![lines], put, took, steps: Vec::new() }
    }

    fn now(&self) -> &[String] {
        self.texts.last().expect("there is one")
    }

    /// Somebody puts up to three lines in, takes some out, or puts others in their place.
    fn step(&mut self) {
        let who = WRITERS[[0, 0, 0, 1, 2, 2, 2][self.dice.roll(7)]];
        let mut lines = self.now().to_vec();
        for n in 0..=self.dice.roll(3) {
            let (at, how) = (self.dice.roll(lines.len()), self.dice.roll(3));
            if how > 0 && lines.len() > 1 {
                self.took.insert(lines.remove(at), who);
            }
            if how < 2 {
                let new = format!("{who} {}.{n}", self.texts.len());
                lines.insert(at, new.clone());
                self.put.insert(new, who);
            }
        }
        if who == "person" {
            self.repo.write("f", joined(&lines));
        } else {
            let content = joined(&lines);
            let request = json!({"path": "f", "content": content, "overwrite": true, "agent": {"session": who}});
            self.repo.redraft(&["apply"], &request.to_string());
        }
        assert_eq!(self.repo.text("f"), joined(&lines));
        self.steps.push(format!("{who}: {lines:?}"));
        self.texts.push(lines);
    }

    fn in_head(&self) -> Vec<String> {
        self.repo.git(&["show", "HEAD:f"]).lines().map(str::to_owned).collect()
    }

    /// Commits the session; whether that was done.
    fn commit(&mut self) -> bool {
        let before = self.in_head();
        let done = self.repo.redraft(&["commit", "--session", "s1", "--json"], "");
        let after = self.in_head();
        let told = format!("{:#?}\n{before:?}\n{after:?}\n{}", self.steps, done.out);
        assert_eq!(self.repo.text("f"), joined(self.now()), "{told}");
        self.steps.push(format!("commit: {}", done.status));
        if done.status != 0 {
            assert_eq!(before, after, "{told}");
            return false;
        }
        let stays = |line: &&String| self.took.get(*line) != Some(&"s1");
        let comes = |line: &&String| self.put.get(*line) == Some(&"s1");
        let want: BTreeSet<&String> = before.iter().filter(stays).chain(self.now().iter().filter(comes)).collect();
        assert_eq!(after.iter().collect::<BTreeSet<_>>(), want, "{told}");
        assert_eq!(after.len(), want.len(), "{told}");
        for (n, one) in after.iter().enumerate() {
            after[n + 1..].iter().for_each(|other| assert!(self.is_before(one, other), "{one}, {other}: {told}"));
        }
        self.repo.git(&["diff", "--cached", "--exit-code"]);
        self.texts.insert(0, after);
        true
    }

    /// Whether the newest text that has two lines has them in this order; one that no text has together with the other may stand anywhere.
    fn is_before(&self, one: &str, other: &str) -> bool {
        let place = |lines: &[String], line: &str| lines.iter().position(|other| other == line);
        let both = self.texts.iter().rev().find_map(|lines| Some((place(lines, one)?, place(lines, other)?)));
        both.is_none_or(|(one, other)| one < other)
    }
}

/// What became of the commits of one world.
fn run(seed: usize) -> Vec<bool> {
    let mut world = World::new(seed);
    let rounds = world.dice.roll(2) + 1;
    let mut done = Vec::new();
    for _ in 0..rounds {
        for _ in 0..=world.dice.roll(5) {
            world.step();
        }
        if world.put.values().chain(world.took.values()).any(|who| *who == "s1") {
            done.push(world.commit());
        }
    }
    done
}

#[test]
fn a_session_is_committed_as_its_lines_and_no_others_in_the_order_that_they_had() {
    let number = |name, or| std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(or);
    let (count, from): (usize, usize) = (number("REDRAFT_COMMITS", 40), number("REDRAFT_COMMITS_FROM", 1));
    let done: Vec<bool> = (from..from + count).flat_map(run).collect();
    let committed = done.iter().filter(|done| **done).count();
    eprintln!("{} commits, {committed} made", done.len());
    assert!(4 * committed > done.len(), "{committed} of {}", done.len());
}
