//! Records that only redraft takes back and does again, the newest first: each time the file is to the byte as it was then, and nothing is refused.
//!
//! `REDRAFT_STACKS` says how many, `REDRAFT_STACKS_FROM` from which seed; the default is small.

use crate::support::{Dice, TestRepo, joined, number};
use serde_json::json;

const LINES: [&str; 9] = ["}", "{", "", "x", "end of it", "  x", "let x = 1;", "let x = 2;", "return x"];

fn line(dice: &mut Dice) -> String {
    let n = dice.roll(LINES.len() + 4);
    LINES.get(n).map_or_else(|| format!("line {} of it", dice.roll(30)), |line| (*line).to_owned())
}

/// One or two things that an agent does to the lines.
fn changed(dice: &mut Dice, lines: &mut Vec<String>) {
    for _ in 0..=dice.roll(2) {
        let at = dice.roll(lines.len() + 1);
        let old = at.min(lines.len().saturating_sub(1));
        match dice.roll(6) {
            _ if lines.is_empty() => lines.push(line(dice)),
            0 => lines.insert(at, line(dice)),
            1 => drop(lines.remove(old)),
            2 => lines[old] = line(dice),
            3 => {
                let to = dice.roll(lines.len());
                let moved = lines.remove(old);
                lines.insert(to, moved);
            }
            4 => lines[old] = format!("  {}", lines[old]),
            _ => {
                let until = (old + 1 + dice.roll(3)).min(lines.len());
                let moved: Vec<String> = lines.drain(old..until).collect();
                let to = dice.roll(lines.len() + 1);
                lines.splice(to..to, moved);
            }
        }
    }
}

/// A record, and the text of its half before and after it.
type Made = (String, [String; 2]);

/// One half of a file, what is in force of the records of it, oldest first, and what was undone, the last one last.
struct Half {
    text: String,
    done: Vec<Made>,
    undone: Vec<Made>,
}

/// Who writes the lower half.
#[derive(Clone, Copy, PartialEq)]
enum Below {
    Nobody,
    Person,
    Agent,
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
            let lines: Vec<String> = (0..dice.roll(6) + 3).map(|_| line(&mut dice)).collect();
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
        let between: String = (0..8).map(|n| format!("kept {n} between them\n")).collect();
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

    fn edit(&mut self, n: usize) {
        let (before, was) = (self.halves[n].text.clone(), self.text());
        let mut lines = before.lines().map(str::to_owned).collect();
        changed(&mut self.dice, &mut lines);
        let after = joined(&lines);
        if before != after {
            self.halves[n].text.clone_from(&after);
            self.told.push(format!("edit of {n}: {lines:?}"));
            let edit = json!({"path": "f", "old_string": was, "new_string": self.text()});
            let id = self.repo.apply(edit);
            self.halves[n].done.push((id, [before, after]));
            self.halves[n].undone.clear();
        }
    }

    /// The newest edit in force of a half is undone, the one that was undone last is done again, or there is a new one.
    fn step(&mut self, n: usize) {
        let half = &mut self.halves[n];
        let (what, made) = match self.dice.roll(5) {
            0 | 1 if !half.done.is_empty() => ("undo", half.done.pop()),
            2 if !half.undone.is_empty() => ("redo", half.undone.pop()),
            _ => ("edit", None),
        };
        let Some((id, texts)) = made else { return self.edit(n) };
        let ran = self.repo.redraft(&[what, &id], "");
        self.told.push(format!("{what} of {n} {texts:?}: {:?}", ran.json()["text"]));
        let half = &mut self.halves[n];
        half.text.clone_from(&texts[usize::from(what == "redo")]);
        if what == "undo" {
            half.undone.push((id, texts));
        } else {
            half.done.push((id, texts));
        }
        assert_eq!((ran.status, self.repo.text("f")), (0, self.text()), "{:#?}", self.told);
    }
}

fn play(below: Below) {
    for seed in seeds() {
        let mut world = World::new(seed);
        for _ in 0..12 {
            if below == Below::Person && world.dice.roll(3) == 0 {
                world.by_hand();
            }
            let n = if below == Below::Agent { world.dice.roll(2) } else { 0 };
            world.step(n);
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
