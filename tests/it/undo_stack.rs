//! Records that only redraft takes back and does again, the newest first: each time the file is to the byte as it was then, and nothing is refused.
//!
//! `REDRAFT_STACKS` says how many, `REDRAFT_STACKS_FROM` from which seed; the default is small.

use crate::support::{Dice, TestRepo, any_line, changed, joined, number};
use serde_json::{Value, json};

/// What a record did to a half.
#[derive(Clone)]
struct Made {
    id: String,
    /// The text of the half before and after it.
    texts: [String; 2],
    /// The numbers of its hunks there, where it has others in the other half.
    hunks: Vec<usize>,
    /// What took it back, oldest first.
    undos: Vec<String>,
}

/// One half of a file, what is in force of the records of it, oldest first, and what was undone, the last one last.
struct Half {
    text: String,
    done: Vec<Made>,
    undone: Vec<Made>,
}

/// A line between the halves.
fn kept(n: usize) -> String {
    format!("kept {n} between them\n")
}

/// Who writes the lower half.
#[derive(Clone, Copy, PartialEq)]
enum Below {
    Nobody,
    Person,
    Agent,
    /// The agent of the upper half, in the same records.
    Same,
}

/// A file of which an agent writes the upper half, with lines between the two that stay as they are.
struct World {
    repo: TestRepo,
    dice: Dice,
    halves: [Half; 2],
    persons: usize,
    told: Vec<String>,
}

impl World {
    fn new(seed: usize) -> Self {
        let mut dice = Dice(seed as u64 + 1);
        let mut half = || {
            let lines: Vec<String> = (0..dice.roll(6) + 3).map(|_| any_line(&mut dice)).collect();
            Half { text: joined(&lines), done: Vec::new(), undone: Vec::new() }
        };
        let halves = [half(), half()];
        let repo = TestRepo::in_memory();
        let mut world = Self { repo, told: Vec::new(), dice, halves, persons: 0 };
        world.told.push(format!("seed {seed}: {}", world.text()));
        world.repo.write("f", world.text());
        world.repo.commit_all("base");
        world
    }

    fn text(&self) -> String {
        let between: String = (0..8).map(kept).collect();
        format!("{}{between}{}", self.halves[0].text, self.halves[1].text)
    }

    /// A person changes, adds or removes a line of the lower half.
    fn by_hand(&mut self) {
        let mut lines: Vec<String> = self.halves[1].text.lines().map(str::to_owned).collect();
        let at = self.dice.roll(lines.len() + 1);
        self.persons += 1;
        let new = format!("of a person {}", self.persons);
        match self.dice.roll(3) {
            0 if at < lines.len() => drop(lines.remove(at)),
            1 if at < lines.len() => lines[at] = new,
            _ => lines.insert(at, new),
        }
        self.halves[1].text = joined(&lines);
        self.repo.write("f", self.text());
        self.told.push(format!("person: {lines:?}"));
    }

    /// An edit of some halves.
    fn edit(&mut self, halves: &[usize]) {
        let before = [0, 1].map(|n| self.halves[n].text.clone());
        for &n in halves {
            let mut lines = before[n].lines().map(str::to_owned).collect();
            changed(&mut self.dice, &mut lines);
            self.halves[n].text = joined(&lines);
        }
        let changed: Vec<usize> = halves.iter().copied().filter(|&n| self.halves[n].text != before[n]).collect();
        if changed.is_empty() {
            return;
        }
        self.told.push(format!("edit: {:?}", [0, 1].map(|n| self.halves[n].text.clone())));
        // One change for each half, with the line beside it, of which there is no other.
        let beside =
            |n: usize, half: &str| if n == 0 { format!("{half}{}", kept(0)) } else { format!("{}{half}", kept(7)) };
        let edit =
            |&n: &usize| json!({"old_string": beside(n, &before[n]), "new_string": beside(n, &self.halves[n].text)});
        let edits: Vec<Value> = changed.iter().map(edit).collect();
        let id = self.repo.apply(json!({"path": "f", "edits": edits}));
        let hunks = if changed.len() > 1 { self.hunks(&id, before[0].lines().count()) } else { Default::default() };
        for n in changed {
            let half = &mut self.halves[n];
            let texts = [before[n].clone(), half.text.clone()];
            half.done.push(Made { id: id.clone(), texts, hunks: hunks[n].clone(), undos: Vec::new() });
            half.undone.clear();
        }
    }

    /// The numbers of the hunks of a record in each half, of which the upper one had so many lines.
    fn hunks(&self, id: &str, upper: usize) -> [Vec<usize>; 2] {
        let shown = self.repo.redraft(&["show", id], "").out;
        let starts = shown.lines().filter_map(|line| line.split_once("@@ -")?.1.split([',', ' ']).next()?.parse().ok());
        let (mut hunks, starts): ([Vec<usize>; 2], Vec<usize>) = (Default::default(), starts.collect());
        for (n, start) in (1..).zip(starts) {
            hunks[usize::from(start > upper + 4)].push(n);
        }
        assert!(hunks.iter().all(|of_half| !of_half.is_empty()), "{shown}");
        hunks
    }

    /// The newest edit in force of a half is undone, the one that was undone last is done again, or there is a new one.
    fn step(&mut self, n: usize, below: Below) {
        let half = &mut self.halves[n];
        match self.dice.roll(5) {
            0 | 1 if !half.done.is_empty() => self.undo(n),
            2 if !half.undone.is_empty() => self.redo(n),
            _ if below == Below::Same && self.dice.roll(3) > 0 => self.edit(&[0, 1]),
            _ => self.edit(&[n]),
        }
    }

    fn undo(&mut self, n: usize) {
        let Some(made) = self.halves[n].done.pop() else { return };
        let is_rest = self.halves[1 - n].done.iter().all(|other| other.id != made.id);
        let mut ways: Vec<Vec<String>> =
            made.hunks.iter().rev().map(|hunk| vec!["--hunk".to_owned(), hunk.to_string()]).collect();
        if ways.is_empty() || is_rest && self.dice.roll(2) == 0 {
            ways = vec![Vec::new()];
        }
        let mut undos = Vec::new();
        for way in &ways {
            let args: Vec<&str> = ["undo", &made.id].into_iter().chain(way.iter().map(String::as_str)).collect();
            let told = self.run(&args);
            // Hunks that show one edit go together.
            if told["data"]["applied"] == true {
                undos.extend(told["data"]["record"]["id"].as_str().map(str::to_owned));
            } else {
                assert!(
                    told["text"].as_str().is_some_and(|text| text.contains("is undone already")),
                    "{:#?}",
                    self.told
                );
            }
        }
        self.halves[n].text.clone_from(&made.texts[0]);
        self.is_exact();
        self.halves[n].undone.push(Made { undos, ..made });
    }

    fn redo(&mut self, n: usize) {
        let Some(made) = self.halves[n].undone.pop() else { return };
        let names = if made.hunks.is_empty() { vec![made.id.clone()] } else { made.undos.clone() };
        for name in names.iter().rev() {
            let told = self.run(&["redo", name]);
            assert_eq!(told["data"]["applied"], true, "{:#?}", self.told);
        }
        self.halves[n].text.clone_from(&made.texts[1]);
        self.is_exact();
        self.halves[n].done.push(made);
    }

    fn run(&mut self, args: &[&str]) -> Value {
        let told = self.repo.redraft(args, "").json();
        self.told.push(format!("{args:?}: {:?}: {:?}", told["text"], self.repo.text("f")));
        told
    }

    fn is_exact(&self) {
        assert_eq!(self.repo.text("f"), self.text(), "{:#?}", self.told);
    }
}

fn play(below: Below) {
    for seed in seeds() {
        let mut world = World::new(seed);
        for _ in 0..12 {
            if below == Below::Person && world.dice.roll(3) == 0 {
                world.by_hand();
            }
            let is_of_two = matches!(below, Below::Agent | Below::Same);
            let n = if is_of_two { world.dice.roll(2) } else { 0 };
            world.step(n, below);
        }
    }
}

fn seeds() -> std::ops::Range<usize> {
    let (from, count) = (number("REDRAFT_STACKS_FROM", 0), number("REDRAFT_STACKS", 15));
    from..from + count
}

#[test]
fn what_is_undone_and_redone_the_newest_first_is_each_time_just_as_it_was() {
    play(Below::Nobody);
}

#[test]
fn so_it_is_where_a_person_writes_below_it_all_the_time() {
    play(Below::Person);
}

#[test]
fn so_it_is_of_two_agents_each_in_a_half_of_its_own() {
    play(Below::Agent);
}

#[test]
fn so_it_is_of_one_agent_whose_records_are_taken_back_hunk_by_hunk() {
    play(Below::Same);
}
