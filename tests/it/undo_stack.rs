//! Records that only redraft takes back and does again, the newest first: each time the file is to the byte as it was then, and nothing is refused.
//!
//! `REDRAFT_STACKS` says how many, `REDRAFT_STACKS_FROM` from which seed; the default is small.

use crate::support::{Dice, TestRepo};
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

fn joined(lines: &[String]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

fn number(name: &str, default: usize) -> usize {
    std::env::var(name).ok().map_or(default, |text| text.parse().expect("a number"))
}

/// A file of which an agent writes the upper half and a person, perhaps, the lower one, with lines between that stay as they are.
struct Halves {
    upper: String,
    lower: String,
    persons: usize,
}

impl Halves {
    fn text(&self, upper: &str) -> String {
        let between: String = (0..8).map(|n| format!("kept {n} between them\n")).collect();
        format!("{upper}{between}{}", self.lower)
    }

    /// A person changes, adds or removes a line of the lower half.
    fn change_lower(&mut self, dice: &mut Dice) {
        let mut lines: Vec<String> = self.lower.lines().map(str::to_owned).collect();
        let at = dice.roll(lines.len() + 1);
        self.persons += 1;
        let new = format!("of a person {}", self.persons);
        match dice.roll(3) {
            0 if at < lines.len() => drop(lines.remove(at)),
            1 if at < lines.len() => lines[at] = new,
            _ => lines.insert(at, new),
        }
        self.lower = joined(&lines);
    }
}

/// A record, and the upper half before and after it.
type Made = (String, [String; 2]);

fn play(seed: usize, has_person: bool) {
    let mut dice = Dice(seed as u64 + 1);
    let mut lines: Vec<String> = (0..dice.roll(6) + 3).map(|_| line(&mut dice)).collect();
    let repo = TestRepo::in_memory();
    let mut file = Halves { upper: joined(&lines), lower: "of a person 0\n".to_owned(), persons: 0 };
    repo.write("f", file.text(&file.upper));
    repo.commit_all("base");
    // What is in force, oldest first, and what was undone, the last one last.
    let (mut done, mut undone): (Vec<Made>, Vec<Made>) = (Vec::new(), Vec::new());
    let mut told = vec![format!("{lines:?}")];
    for _ in 0..12 {
        if has_person && dice.roll(3) == 0 {
            file.change_lower(&mut dice);
            repo.write("f", file.text(&file.upper));
            told.push(format!("person: {:?}", file.lower));
        }
        let (what, wanted) = match dice.roll(5) {
            0 | 1 if !done.is_empty() => ("undo", done.pop()),
            2 if !undone.is_empty() => ("redo", undone.pop()),
            _ => ("edit", None),
        };
        let Some((id, texts)) = wanted else {
            let before = file.upper.clone();
            lines = before.lines().map(str::to_owned).collect();
            changed(&mut dice, &mut lines);
            let after = joined(&lines);
            if before != after {
                told.push(format!("edit {lines:?}"));
                let edit = json!({"path": "f", "old_string": file.text(&before), "new_string": file.text(&after)});
                done.push((repo.apply(edit), [before, after.clone()]));
                undone.clear();
                file.upper = after;
            }
            continue;
        };
        let ran = repo.redraft(&[what, &id], "");
        told.push(format!("{what} of {texts:?}: {:?}", ran.json()["text"]));
        file.upper.clone_from(&texts[usize::from(what == "redo")]);
        assert_eq!((ran.status, repo.text("f")), (0, file.text(&file.upper)), "seed {seed}: {told:#?}");
        if what == "undo" { undone.push((id, texts)) } else { done.push((id, texts)) }
    }
}

fn seeds() -> std::ops::Range<usize> {
    let (from, count) = (number("REDRAFT_STACKS_FROM", 0), number("REDRAFT_STACKS", 15));
    from..from + count
}

#[test]
fn what_is_undone_and_redone_the_newest_first_is_each_time_just_as_it_was() {
    seeds().for_each(|seed| play(seed, false));
}

#[test]
fn so_it_is_where_a_person_writes_below_it_all_the_time() {
    seeds().for_each(|seed| play(seed, true));
}
