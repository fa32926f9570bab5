//! Random edits of agent and user, undos, redos and kills, against a simple model: words that are all different.
//!
//! After every undo, precisely the record's words are gone, the ones that it had removed are back, and every other word
//! stands where it stood, in order; or the answer is a refusal and nothing changed.
//! `REDRAFT_SEQUENCES=1000` runs as many; the default is small.

use crate::support::{Dice, TestRepo, clean};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::process::{Command, Stdio};

const FILES: [&str; 3] = ["a.txt", "dir/b.txt", "c.txt"];

/// What a record did to one file, in words.
#[derive(Debug, Clone)]
struct Change {
    path: usize,
    removed: Vec<String>,
    inserted: Vec<String>,
}

struct Sequence {
    repo: TestRepo,
    dice: Dice,
    next: usize,
    records: Vec<(String, Change)>,
}

/// The words of a text, in order.
fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(ToOwned::to_owned).collect()
}

impl Sequence {
    fn new(seed: usize) -> Self {
        let mut sequence = Self { repo: TestRepo::new(), dice: Dice(seed as u64), next: 0, records: Vec::new() };
        for path in FILES {
            let text: String = (0..8).map(|_| sequence.line()).collect();
            sequence.repo.write(path, text);
        }
        sequence.repo.commit_all("base");
        sequence
    }

    fn word(&mut self) -> String {
        self.next += 1;
        format!("w{}", self.next)
    }

    fn line(&mut self) -> String {
        let words: Vec<String> = (0..3).map(|_| self.word()).collect();
        format!("{}\n", words.join(" "))
    }

    /// A change of some text: which words go, which come, and the text after.
    fn change(&mut self, text: &str) -> Option<(String, String)> {
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        if lines.is_empty() {
            return None;
        }
        let line = lines[self.dice.roll(lines.len())].to_owned();
        let in_line = words(&line);
        let word = in_line[self.dice.roll(in_line.len())].clone();
        Some(match self.dice.roll(6) {
            0 | 1 => (word, self.word()),
            2 => (line, self.line()),
            3 => (line.clone(), format!("{line}{}", self.line())),
            4 if lines.len() > 3 => (line, String::new()),
            _ => (word.clone(), format!("{word} {}", self.word())),
        })
    }

    /// Whole words only: `w1` must not be found in `w10`.
    fn apply_to(text: &str, old: &str, new: &str) -> Option<String> {
        let is_edge = |c: Option<char>| c.is_none_or(char::is_whitespace);
        let at = text.match_indices(old).map(|(at, _)| at).find(|&at| {
            let after = text[at + old.len()..].chars().next();
            is_edge(text[..at].chars().next_back()) && (old.ends_with('\n') || is_edge(after))
        })?;
        Some(format!("{}{new}{}", &text[..at], &text[at + old.len()..]))
    }

    fn user_edits(&mut self) {
        let path = FILES[self.dice.roll(3)];
        let text = self.repo.text(path);
        if let Some((old, new)) = self.change(&text)
            && let Some(text) = Self::apply_to(&text, &old, &new)
        {
            self.repo.write(path, text);
        }
    }

    fn agent_edits(&mut self, killed: bool) {
        let path = self.dice.roll(3);
        let text = self.repo.text(FILES[path]);
        let Some((old, new)) = self.change(&text) else { return };
        let Some(after) = Self::apply_to(&text, &old, &new) else { return };
        // The whole line is sent, so that the old text is unique.
        let (old, new) = if old.ends_with('\n') {
            (old, new)
        } else {
            let whole = |text: &str, word: &str| {
                text.lines().find(|line| words(line).iter().any(|w| w == word)).map(|line| format!("{line}\n"))
            };
            let first = new.split(' ').next().unwrap_or_default().to_owned();
            match (whole(&text, &old), whole(&after, &first)) {
                (Some(old), Some(new)) => (old, new),
                _ => return,
            }
        };
        let request = json!({"path": FILES[path], "old_string": old, "new_string": new}).to_string();
        let newest = self.newest();
        if killed {
            self.kill(&["apply"], &request);
        } else {
            self.repo.done(&["apply"], &request);
        }
        let now = self.newest();
        let text_now = self.repo.text(FILES[path]);
        if now == newest {
            assert_eq!(text_now, text, "no record, so no edit");
            return;
        }
        assert_eq!(text_now, after);
        let (old, new): (BTreeSet<_>, BTreeSet<_>) =
            (words(&old).into_iter().collect(), words(&new).into_iter().collect());
        let change = Change {
            path,
            removed: words(&text).into_iter().filter(|w| old.contains(w) && !new.contains(w)).collect(),
            inserted: words(&after).into_iter().filter(|w| new.contains(w) && !old.contains(w)).collect(),
        };
        self.records.push((now.expect("a record"), change));
    }

    /// Runs redraft and kills it some microseconds later; then recovers.
    fn kill(&mut self, args: &[&str], input: &str) {
        use std::io::Write;
        let mut command = Command::new(env!("CARGO_BIN_EXE_redraft"));
        clean(command.args(args), &self.repo.root()).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().expect("redraft runs");
        let _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
        let wait = std::time::Duration::from_micros(self.dice.roll(30_000) as u64);
        let start = std::time::Instant::now();
        while start.elapsed() < wait {
            std::hint::spin_loop();
        }
        let _ = child.kill();
        child.wait().expect("it ended");
        self.repo.done(&["recover"], "");
    }

    fn newest(&self) -> Option<String> {
        let line = self.repo.redraft(&["log", "--json", "-n", "1"], "").lines().pop()?;
        Some(line["id"].as_str().expect("an id").to_owned())
    }

    fn texts(&self) -> Vec<String> {
        FILES.iter().map(|path| self.repo.text(path)).collect()
    }

    /// Undoes a record, by name or as the newest, and looks at what became of the words.
    fn undo_or_redo(&mut self, command: &str) -> bool {
        let before = self.texts();
        let named = self.dice.roll(3) > 0 && !self.records.is_empty();
        let mut args = vec![command.to_owned()];
        if named {
            let at = self.dice.roll(self.records.len());
            args.push(self.records[at].0.clone());
        }
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let answer = self.repo.redraft(&args, "");
        let after = self.texts();
        if answer.status != 0 {
            let reason = answer.json()["data"]["reason"].clone();
            assert!(reason == "undo_conflict" || reason == "nothing_to_undo", "{}", answer.out);
            assert_eq!(before, after, "a refusal changes nothing");
            return false;
        }
        let undone: BTreeSet<String> = answer.json()["data"]["undone"]
            .as_array()
            .expect("ids")
            .iter()
            .map(|id| id.as_str().expect("an id").to_owned())
            .collect();
        let change = self.records.iter().find(|(id, _)| undone.contains(id)).map(|(_, change)| change.clone());
        let change = change.expect("what was undone is known");
        for (n, (old, new)) in before.iter().zip(&after).enumerate() {
            if n != change.path {
                assert_eq!(old, new);
                continue;
            }
            let (old, new) = (words(old), words(new));
            let without = |list: &[String], gone: &[String]| -> Vec<String> {
                list.iter().filter(|word| !gone.contains(word)).cloned().collect()
            };
            assert_eq!(without(&old, &change.inserted), without(&new, &change.removed), "{args:?} {change:?}");
            let back: Vec<String> = new.iter().filter(|word| change.removed.contains(word)).cloned().collect();
            assert_eq!(back, change.removed, "{args:?}");
            assert!(!new.iter().any(|word| change.inserted.contains(word)), "{args:?}");
        }
        // What was undone is itself a record, which inverts it.
        let inverse = Change { path: change.path, removed: change.inserted.clone(), inserted: change.removed };
        self.records.push((self.newest().expect("a record"), inverse));
        true
    }
}

#[test]
fn undo_takes_out_precisely_what_the_record_put_in() {
    let count = std::env::var("REDRAFT_SEQUENCES").ok().and_then(|n| n.parse().ok()).unwrap_or(4);
    let mut tally: BTreeMap<&str, usize> = BTreeMap::new();
    for seed in 0..count {
        let mut sequence = Sequence::new(seed);
        for _ in 0..16 {
            let what = match sequence.dice.roll(10) {
                0..3 => {
                    sequence.user_edits();
                    "user"
                }
                3..6 => {
                    sequence.agent_edits(false);
                    "agent"
                }
                6 => {
                    sequence.agent_edits(true);
                    "killed"
                }
                7 | 8 if sequence.undo_or_redo("undo") => "undone",
                7 | 8 => "undo refused",
                _ if sequence.undo_or_redo("redo") => "redone",
                _ => "redo refused",
            };
            *tally.entry(what).or_default() += 1;
        }
    }
    if count > 100 {
        eprintln!("{count} sequences: {tally:?}");
    }
}
