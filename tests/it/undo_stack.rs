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

#[test]
fn what_is_undone_and_redone_the_newest_first_is_each_time_just_as_it_was() {
    let (from, count) = (number("REDRAFT_STACKS_FROM", 0), number("REDRAFT_STACKS", 20));
    for seed in from..from + count {
        let mut dice = Dice(seed as u64 + 1);
        let mut lines: Vec<String> = (0..dice.roll(6) + 3).map(|_| line(&mut dice)).collect();
        let repo = TestRepo::in_memory();
        repo.write("f", joined(&lines));
        repo.commit_all("base");
        // What is in force, oldest first, with the text before and after it; and what was undone, the last one last.
        let (mut done, mut undone): (Vec<(String, [String; 2])>, Vec<(String, [String; 2])>) = (Vec::new(), Vec::new());
        let mut told = vec![format!("{lines:?}")];
        for _ in 0..12 {
            let (what, wanted) = match dice.roll(5) {
                0 | 1 if !done.is_empty() => ("undo", done.pop()),
                2 if !undone.is_empty() => ("redo", undone.pop()),
                _ => ("edit", None),
            };
            let Some((id, texts)) = wanted else {
                lines = repo.text("f").lines().map(str::to_owned).collect();
                let before = joined(&lines);
                changed(&mut dice, &mut lines);
                let after = joined(&lines);
                if before != after && !after.is_empty() && !before.is_empty() {
                    told.push(format!("edit {lines:?}"));
                    let id = repo.apply(json!({"path": "f", "old_string": before, "new_string": after}));
                    done.push((id, [before, after]));
                    undone.clear();
                }
                continue;
            };
            let ran = repo.redraft(&[what, &id], "");
            told.push(format!("{what} of {:?}: {:?}", texts, ran.json()["text"]));
            let want = &texts[usize::from(what == "redo")];
            assert_eq!((ran.status, &repo.text("f")), (0, want), "seed {seed}: {told:#?}");
            if what == "undo" { undone.push((id, texts)) } else { done.push((id, texts)) }
        }
    }
}
