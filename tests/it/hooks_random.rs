//! Which agent edits a commit names, and whose line `blame` says each is, against a model that knows who brought it: whatever was staged before, undone, done
//! again, taken back by git or by a person, and edited on; the file is given other names, and the records are sealed, in between.

use crate::support::{Dice, TestRepo, clean};
use serde_json::json;
use std::collections::{BTreeSet, HashMap};
use std::path::Path;
use std::process::Command;

const LINES: usize = 6;

/// An agent's edit of one line.
struct Edit {
    id: String,
    line: usize,
    old: String,
    new: String,
}

struct World<'r> {
    repo: &'r TestRepo,
    work: Vec<String>,
    index: Vec<String>,
    head: Vec<String>,
    edits: Vec<Edit>,
    count: usize,
    path: String,
    told: Vec<String>,
}

/// The lines that change, and others between them that git knows the file by, whatever its name.
fn text(lines: &[String]) -> String {
    lines.iter().enumerate().map(|(n, line)| format!("{line}\nkept {n} as it is\nkept {n}, too\n")).collect()
}

impl World<'_> {
    fn word(&mut self, who: &str) -> String {
        self.count += 1;
        format!("{who}{}{}", self.count, ["x", "y", "z"][self.count % 3].repeat(4))
    }

    fn git(&self, args: &[&str]) -> String {
        let bin = Path::new(env!("CARGO_BIN_EXE_redraft")).parent().expect("a folder");
        let path = format!("{}:{}", bin.display(), std::env::var("PATH").expect("PATH"));
        let output = clean(Command::new("git").args(args), &self.repo.root()).env("PATH", path).output().expect("runs");
        assert!(output.status.success(), "git {args:?}: {output:?}, after {:#?}", self.told);
        String::from_utf8(output.stdout).expect("UTF-8")
    }

    fn edit(&mut self, line: usize) {
        let (old, new) = (self.work[line].clone(), self.word("agent"));
        let agent = json!({"name": "robo"});
        let id = self.repo.apply(json!({"path": self.path, "old_string": old, "new_string": new, "agent": agent}));
        self.told.push(format!("{id}: line {line} {old} -> {new}"));
        self.work[line].clone_from(&new);
        self.edits.push(Edit { id, line, old, new });
    }

    /// Takes back an edit that nobody committed, by redraft, or does one again; nothing where its line went on.
    fn step_back_or_forth(&mut self, n: usize) {
        let Some(Edit { id, line, old, new }) = self.edits.get(n) else { return };
        let is_committed = [old, new].into_iter().any(|word| self.head[*line] == *word && word.starts_with("agent"));
        let (how, to) = match &self.work[*line] {
            _ if is_committed => return,
            word if word == new => ("undo", old),
            word if word == old => ("redo", new),
            _ => return,
        };
        let output = self.repo.redraft(&[how, id], "");
        self.told.push(format!("{how} {id}: {}", output.out.lines().next().unwrap_or_default()));
        if self.repo.text(&self.path) != text(&self.work) {
            self.work[*line] = to.clone();
        }
        assert_eq!(self.repo.text(&self.path), text(&self.work), "{:#?}", self.told);
    }

    fn step(&mut self, dice: &mut Dice) {
        let line = dice.roll(LINES);
        match dice.roll(12) {
            0..=3 => self.edit(line),
            4..=5 => {
                let n = dice.roll(self.edits.len().max(1));
                self.step_back_or_forth(n);
            }
            6 => {
                self.work[line] = self.word("person");
                self.repo.write(&self.path, text(&self.work));
                self.told.push(format!("person: line {line}"));
            }
            7 => {
                self.git(&["restore", &self.path]);
                self.work.clone_from(&self.index);
                self.told.push("git restore".to_owned());
            }
            8 => {
                self.git(&["add", &self.path]);
                self.index.clone_from(&self.work);
                self.told.push("git add".to_owned());
            }
            9 => {
                self.repo.redraft(&["gc"], "");
                self.told.push("gc".to_owned());
            }
            10 => {
                let to = format!("{}.txt", ["a", "b"][dice.roll(2)]);
                // What is staged alone goes with the file, and no record of the new name knows of it.
                if to != self.path && self.index == self.work {
                    self.git(&["mv", &self.path, &to]);
                    self.told.push(format!("git mv {} {to}", self.path));
                    self.path = to;
                }
            }
            _ => self.commit(),
        }
    }

    /// Each line that stands there is of the edit that wrote it, and of no other.
    fn blame(&self) {
        let lines = self.repo.redraft(&["blame", "--json", &self.path], "").lines();
        // Two of three lines are kept as they are.
        assert_eq!(lines.len(), 3 * LINES);
        for (line, word) in lines.iter().step_by(3).zip(&self.work) {
            let by = self.edits.iter().find(|edit| edit.new == *word).map(|edit| edit.id.as_str());
            assert_eq!(line["record"].as_str(), by, "{word}: {line}, after {:#?}", self.told);
        }
    }

    fn commit(&mut self) {
        if self.index == self.head {
            return;
        }
        self.git(&["commit", "-qm", "x"]);
        let by_word: HashMap<&str, &str> =
            self.edits.iter().map(|edit| (edit.new.as_str(), edit.id.as_str())).collect();
        let brought = self.index.iter().zip(&self.head).filter(|(new, old)| new != old).map(|(new, _)| new.as_str());
        let want: BTreeSet<&str> = brought.filter_map(|word| by_word.get(word).copied()).collect();
        let message = self.git(&["log", "-1", "--format=%(trailers:key=Redraft-Id,valueonly)"]);
        let named: BTreeSet<&str> = message.split_whitespace().collect();
        assert_eq!(named, want, "{:?} -> {:?}, after {:#?}", self.head, self.index, self.told);
        self.head.clone_from(&self.index);
        self.told.push("git commit".to_owned());
    }
}

/// `REDRAFT_RUNS` says how many worlds, `REDRAFT_FROM` the first.
#[test]
fn a_commit_names_exactly_the_edits_whose_lines_it_brings() {
    let number = |name: &str, or: u64| std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(or);
    let from = number("REDRAFT_FROM", 1);
    for seed in from..from + number("REDRAFT_RUNS", 10) {
        let lines: Vec<String> = (0..LINES).map(|n| format!("line {n}")).collect();
        let repo = TestRepo::with_files(&[("a.txt", &text(&lines))]);
        repo.done(&["hooks", "install", "--json"], "");
        let (work, index, head) = (lines.clone(), lines.clone(), lines);
        let told = vec![format!("seed {seed}")];
        let path = "a.txt".to_owned();
        let mut world = World { repo: &repo, work, index, head, edits: Vec::new(), count: 0, path, told };
        let mut dice = Dice(seed);
        for _ in 0..30 {
            world.step(&mut dice);
        }
        world.blame();
    }
}
