//! Random worlds on real source files: agents and users edit, files are checked out, renamed and formatted, branches are
//! switched, and everything is undone and redone in any order.
//!
//! The judge is a model of its own: every token knows who put it there and who took it away, so that after each undo it is
//! known which tokens must stand, and between which. Wrong is a token that is doubled, lost, glued to another or put
//! elsewhere. A refusal changes nothing; where nobody touched the lines of a record since, it must not be refused.
//! `REDRAFT_WORLDS=10000` makes so many (from the seed `REDRAFT_WORLDS_FROM` on) and prints the tally; the default is small.
//! With `REDRAFT_WORLDS_CASES=FILE` each undo of one edit in its file is written there as a line, the seed and JSON, for another judge:
//! the texts `before` and `after` the edit, `now`, and `then`, or why it was `refused`, and all `steps`.

mod copies;
mod moves;
mod orders;
mod weave;

use crate::support::{Answer, Dice, TestRepo};
use copies::Copies;
use orders::{
    come_beside, doubles_in_place, each_in_order, each_in_place, leaves_the_filled_one, moved_lines, pairs_go_back,
};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::Write as _;
use weave::{Actor, Edit, Snapshot, Weave, changed_lines, pool};

/// The first text, some of its lines those of the second; none where that leaves too little to tell one from the other.
fn look_alike([one, other]: &[String; 2], dice: &mut Dice) -> Option<String> {
    let others: Vec<&str> = other.split_inclusive('\n').collect();
    let mut own = BTreeSet::new();
    let lines = one.split_inclusive('\n').map(|line| {
        let new = if dice.roll(4) == 0 { others[dice.roll(others.len())] } else { line };
        own.extend((!one.contains(new) && new.chars().any(char::is_alphanumeric)).then_some(new));
        new
    });
    let text = lines.collect();
    (own.len() >= 4).then_some(text)
}

/// What became of a world that ends because its weave reads a text in another way.
const LINE_FOR_LINE: &str = "the file is line for line as it was";

/// The steps of one world.
const STEPS: usize = 14;
const SESSIONS: [&str; 2] = ["s1", "s2"];
const NAMES: [&str; 2] = ["one.txt", "dir/two.txt"];

/// A record: the edit that it is about, and whether it makes it or takes it back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sense {
    Makes,
    TakesBack,
}

struct World {
    repo: TestRepo,
    copies: Copies,
    dice: Dice,
    weave: Weave,
    paths: [String; 2],
    /// By id.
    records: BTreeMap<String, Vec<(usize, Sense)>>,
    /// The ids of the edits.
    ids: Vec<String>,
    /// The newest undo or redo: its id, the texts that it left, and what it met.
    last: Option<(String, [String; 2], Weave)>,
    /// For each edit the newest record that is about it.
    newest: BTreeMap<usize, String>,
    /// The paths of the edits.
    edited: Vec<String>,
    /// The texts before and after the edits.
    texts: Vec<[String; 2]>,
    cases: Vec<Value>,
    commits: Vec<(String, [String; 2], Snapshot)>,
    steps: Vec<String>,
}

/// What became of a command.
struct Judged {
    kind: String,
    wrong: Option<String>,
}

impl World {
    fn new(seed: usize) -> Self {
        let mut dice = Dice(seed as u64 * 0x9E37_79B9 + 11);
        let pool = pool();
        let mut texts: [String; 2] = std::array::from_fn(|_| {
            let lines = &pool[dice.roll(pool.len())];
            let size = [4, 8, 15, 30, 60][dice.roll(5)].min(lines.len());
            let at = dice.roll(lines.len() - size + 1);
            lines[at..at + size].concat()
        });
        if dice.roll(4) == 0 {
            texts[1] = look_alike(&texts, &mut dice).unwrap_or_else(|| texts[1].clone());
        }
        let repo = TestRepo::in_memory();
        for (name, text) in NAMES.iter().zip(&texts) {
            repo.write(name, text);
        }
        let mut world = Self {
            weave: Weave::new(&texts),
            copies: Copies::new(seed),
            repo,
            dice,
            paths: NAMES.map(str::to_owned),
            records: BTreeMap::new(),
            ids: Vec::new(),
            last: None,
            newest: BTreeMap::new(),
            edited: Vec::new(),
            texts: Vec::new(),
            cases: Vec::new(),
            commits: Vec::new(),
            steps: Vec::new(),
        };
        world.commit();
        world
    }

    fn commit(&mut self) {
        self.repo.git(&["add", "-A"]);
        self.repo.git(&["commit", "-q", "--allow-empty", "-m", "step"]);
        let head = self.repo.git(&["rev-parse", "HEAD"]).trim().to_owned();
        self.commits.push((head, self.paths.clone(), self.weave.snapshot()));
    }

    fn write(&self, file: usize) {
        self.repo.write(&self.paths[file], self.weave.text(file));
    }

    /// The model and the files are the same.
    fn check(&self) {
        for (file, path) in self.paths.iter().enumerate() {
            assert_eq!(self.repo.text(path), self.weave.text(file), "{:#?}", self.steps);
        }
    }

    fn agent(&mut self) -> &'static str {
        let file = self.dice.roll(2);
        let (saved, number) = (self.weave.clone(), self.weave.edits.len());
        let before = self.weave.text(file);
        self.weave.edits.push(Edit::new(file));
        let name = self.weave.change(&mut self.dice, file, Actor::Agent(number));
        let after = self.weave.text(file);
        self.delete_as_asked(&saved, number);
        let is_clear = self.weave.is_sound(file) && !self.weave.takes_one_of_equal_lines(&saved, file);
        let wish = request(&before, &after, &self.paths[file]).filter(|_| is_clear);
        let Some(wish) = wish else {
            self.weave = saved;
            return "agent: nothing";
        };
        let session = SESSIONS[self.dice.roll(2)];
        let answer = self.repo.redraft(&["apply", "--session", session], &wish.to_string());
        if answer.status != 0 {
            self.weave = saved;
            return "agent: refused";
        }
        self.steps.push(format!("agent of {session} {name} {wish}"));
        let told = answer.json();
        let id = told["data"]["record"]["id"].as_str().expect("an id").to_owned();
        self.weave.made(number, &before, &after);
        self.records.insert(id.clone(), vec![(number, Sense::Makes)]);
        self.newest.insert(number, id.clone());
        self.ids.push(id);
        self.edited.push(self.paths[file].clone());
        self.texts.push([before, after]);
        "agent"
    }

    /// Of a deletion with equal lines at its ends the request says which of them goes: the lower one.
    fn delete_as_asked(&mut self, saved: &Weave, number: usize) {
        let file = self.weave.edits[number].file;
        let (before, after) = (saved.text(file), self.weave.text(file));
        let (old, new) = changed_lines(&before, &after);
        let head = before.split_inclusive('\n').zip(after.split_inclusive('\n')).take_while(|(a, b)| a == b).count();
        let is_of_lines = old.ends_with('\n') && before.ends_with('\n') && new.is_empty();
        if is_of_lines && self.weave.edits[number].moved.is_none() {
            let now = self.weave.now;
            self.weave = saved.clone();
            self.weave.now = now;
            self.weave.edits.push(Edit::new(file));
            self.weave.delete_lines(file, head..head + old.lines().count(), number);
        }
    }

    fn user(&mut self) -> &'static str {
        let file = self.dice.roll(2);
        let saved = self.weave.clone();
        let before = self.weave.text(file);
        let name = self.weave.change(&mut self.dice, file, Actor::User);
        if !self.weave.is_sound(file)
            || self.weave.writes_what_an_agent_did(&saved, file)
            || self.weave.changes_what_moved(&saved, file)
            || self.weave.takes_one_of_equal_lines(&saved, file)
            || self.weave.takes_what_was_put_by_hand(&saved)
            || self.weave.text(file) == before
        {
            self.weave = saved;
            return "user: nothing";
        }
        self.weave.note_taken_back(&saved);
        self.steps.push(format!("user {name} {:?}", changed_lines(&before, &self.weave.text(file))));
        self.write(file);
        "user"
    }

    fn formatter(&mut self) -> &'static str {
        let file = self.dice.roll(2);
        let saved = self.weave.clone();
        self.weave.format(&mut self.dice, file);
        if !self.weave.is_sound(file)
            || self.weave.writes_what_an_agent_did(&saved, file)
            || self.weave.changes_what_moved(&saved, file)
            || self.weave.takes_what_was_put_by_hand(&saved)
        {
            self.weave.clone_from(&saved);
        }
        self.weave.note_taken_back(&saved);
        self.steps.push(format!("formatter {file}"));
        self.write(file);
        "formatter"
    }

    /// A person takes an edit back by hand.
    fn by_hand(&mut self) -> &'static str {
        if self.ids.is_empty() {
            return "by hand: nothing";
        }
        let edit = self.dice.roll(self.ids.len());
        if self.weave.has_a_twin(edit) || !self.weave.can_be_seen(edit) || self.weave.holds_what_others_wrote(edit) {
            return "by hand: nothing";
        }
        let saved = self.weave.clone();
        let file = self.weave.edits[edit].file;
        if self.dice.roll(3) > 0 {
            self.weave.take_back(edit)
        } else if self.weave.can_be_taken_anew(edit) && !self.doubles(edit) {
            // Of equal lines nobody knows which one it is that a person puts again.
            self.weave.by_hand.insert(edit);
            self.weave.put_again(edit)
        } else {
            return "by hand: nothing";
        };
        self.weave.note_moved_by_hand(edit);
        if self.weave.text(file) == saved.text(file) {
            // What cannot be seen was not done.
            self.weave = saved;
            return "by hand: nothing";
        }
        let [before, after] = &self.texts[edit];
        let (gone, put) = changed_lines(after, &self.weave.text(file));
        let (gone, own) = (format!("\n{gone}"), format!("\n{}", changed_lines(before, after).1));
        if put.is_empty() && !gone.contains(&own) {
            // Other lines went than it put, as far as anybody can see.
            self.weave = saved;
            return "by hand: nothing";
        }
        if !self.weave.is_sound(file) {
            self.weave = saved;
        }
        self.steps.push(format!("by hand {edit}"));
        self.write(file);
        "by hand"
    }

    /// Whether every line that an edit wrote stood in its file, or stands there.
    fn doubles(&self, edit: usize) -> bool {
        let [before, after] = &self.texts[edit];
        let (_, new) = changed_lines(before, after);
        let stood = !new.is_empty() && new.lines().all(|line| before.lines().any(|other| other == line));
        stood || self.weave.has_its_like(edit)
    }

    fn git(&mut self) -> &'static str {
        match self.dice.roll(5) {
            0 => {
                self.commit();
                self.steps.push("commit".to_owned());
                "commit"
            }
            1 | 2 => {
                let file = self.dice.roll(2);
                let (_, paths, snapshot) = self.commits.last().expect("one").clone();
                if paths[file] != self.paths[file] {
                    return "checkout: nothing";
                }
                self.repo.git(&["checkout", "-q", "HEAD", "--", &self.paths[file]]);
                self.weave.restore(&snapshot, file);
                self.steps.push(format!("checkout {file}"));
                "checkout"
            }
            3 => {
                let at = self.dice.roll(self.commits.len());
                let chosen = self.commits.remove(at);
                self.repo.git(&["add", "-A"]);
                self.repo.git(&["checkout", "-q", "-f", &chosen.0]);
                self.paths.clone_from(&chosen.1);
                (0..2).for_each(|file| self.weave.restore(&chosen.2, file));
                self.commits.push(chosen);
                self.steps.push("switch".to_owned());
                "switch"
            }
            _ if self.dice.roll(3) == 0 => {
                self.paths.swap(0, 1);
                (0..2).for_each(|file| self.write(file));
                self.steps.push("exchange names".to_owned());
                "exchange names"
            }
            _ => {
                let file = self.dice.roll(2);
                let to = format!("moved{}.txt", self.steps.len());
                self.repo.git(&["add", "-A"]);
                self.repo.git(&["mv", &self.paths[file], &to]);
                self.paths[file] = to;
                self.steps.push(format!("rename {file}"));
                "rename"
            }
        }
    }

    /// Undoes or redoes something, and judges what came of it.
    fn undo(&mut self) -> Judged {
        let command = ["undo", "undo", "redo"][self.dice.roll(3)];
        let mut args = vec![command.to_owned()];
        let named = (self.dice.roll(4) > 0 && !self.ids.is_empty()).then(|| self.dice.roll(self.ids.len()));
        match named {
            Some(edit) => args.push(self.ids[edit].clone()),
            None if command == "undo" && self.dice.roll(2) == 0 => {
                args.extend(["--session".to_owned(), SESSIONS[self.dice.roll(2)].to_owned()]);
            }
            None => {}
        }
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let texts: [String; 2] = std::array::from_fn(|file| self.weave.text(file));
        let answer = self.repo.redraft(&args, "");
        self.cases.extend(named.filter(|_| command == "undo").map(|edit| self.case(edit, &texts, &answer)));
        self.steps.push(format!("{args:?} (edit {named:?})"));
        let told = answer.json();
        let command = if args.contains(&"--session") { "undo --session" } else { command };
        if answer.status != 0 {
            let wrong = self.wrong_refusal(named.filter(|_| command == "undo"), &told);
            self.check();
            return Judged { kind: format!("{command} {}", refusal(&told)), wrong };
        }
        let of_records = self.undone_by(&told);
        for (edit, sense) in self.edits_of(told["data"]["already"].as_array().map_or(&[], Vec::as_slice)) {
            self.weave.edits[edit].is_back = sense == Sense::Makes;
        }
        let wrong = self.wrong_result(&told);
        // Of several edits each one as the next one found it.
        let turned = |(edit, sense): &(usize, Sense)| {
            let [before, after] = self.texts[*edit].each_ref().map(String::as_str);
            if *sense == Sense::Makes { [after, before] } else { [before, after] }
        };
        let are_in_turn = || {
            (0..2).all(|file| {
                let of_file = of_records.iter().filter(|(edit, _)| self.weave.edits[*edit].file == file);
                each_in_place(&texts[file], of_file.map(turned))
                    .is_some_and(|text| text == self.repo.text(&self.paths[file]))
            })
        };
        // And where one of them moved lines: the others in their place, and what that one moved in order.
        let are_in_order_in_turn = || {
            (0..2).all(|file| {
                let of_file = of_records.iter().filter(|(edit, _)| self.weave.edits[*edit].file == file);
                let of_file: Vec<(usize, [&str; 2])> = of_file.map(|record| (record.0, turned(record))).collect();
                let now = self.repo.text(&self.paths[file]);
                each_in_order(&texts[file], &of_file, &now, &self.moved_in(file))
            })
        };
        if wrong.is_some() && of_records.len() > 1 && (are_in_turn() || are_in_order_in_turn()) {
            return Judged { kind: format!("{command} done: {LINE_FOR_LINE}"), wrong: None };
        }
        if let Some(copy) = self.copies.changed(&self.repo) {
            return Judged {
                kind: format!("{command} in a copy"),
                wrong: Some(format!("{copy} is another file: {told}")),
            };
        }
        let file =
            named.or_else(|| self.only_edit_of(&told)).map(|edit| (&self.texts[edit], self.weave.edits[edit].file));
        // Whatever happened since, a file that is just as an edit left it, but for its indentation, is as it met it without it.
        let is_exact = |([before, after], file): (&[String; 2], usize)| {
            let now = self.repo.text(&self.paths[file]);
            let lines = |text: &str| text.lines().map(|line| line.trim().to_owned()).collect::<Vec<_>>();
            let [now, was, before, after] = [&now, &texts[file], before, after].map(|text| lines(text));
            (was == after && now == before) || (was == before && now == after)
        };
        // Of lines that it moved, and others moved among them: each two stand as they did before it, unless somebody else turned
        // them round.
        let is_in_order = |([before, after], file): (&[String; 2], usize)| {
            let others = self
                .texts
                .iter()
                .zip(&self.weave.edits)
                .filter(|(texts, edit)| edit.file == file && texts[0] != *before);
            let moved = others.flat_map(|([before, after], _)| moved_lines(before, after)).collect();
            let now = self.repo.text(&self.paths[file]);
            let [without, with] = if command.starts_with("redo") { [after, before] } else { [before, after] };
            pairs_go_back([without, with, &texts[file], &now].map(|text| text.as_str()), &moved)
        };
        // Lines that it put and that stand once are where those that it took come back, whatever was moved around them.
        let is_in_place = |([before, after], file): (&[String; 2], usize)| {
            let (old, new) = changed_lines(before, after);
            let [gone, back] = if command.starts_with("redo") { [&old, &new] } else { [&new, &old] };
            let is_one = gone.chars().any(char::is_alphanumeric) && texts[file].matches(gone.as_str()).count() == 1;
            is_one && texts[file].replacen(gone.as_str(), back, 1) == self.repo.text(&self.paths[file])
        };
        // Lines that come beside the one that they stood beside, whatever became of the line on the other side of them.
        let is_beside = |([before, after], file): (&[String; 2], usize)| {
            let texts_of = if command.starts_with("redo") { [before, after] } else { [after, before] };
            let (texts_of, now) = (texts_of.map(String::as_str), self.repo.text(&self.paths[file]));
            let [from, to] = texts_of;
            come_beside(texts_of, &texts[file], &now)
                || doubles_in_place(texts_of, &texts[file], &now)
                || leaves_the_filled_one([to, from], &texts[file], &now)
        };
        let is_right =
            |of_edit| is_exact(of_edit) || is_in_order(of_edit) || is_in_place(of_edit) || is_beside(of_edit);
        if wrong.is_some() && file.is_some_and(is_right) {
            return Judged { kind: format!("{command} done: {LINE_FOR_LINE}"), wrong: None };
        }
        Judged { kind: format!("{command} done"), wrong }
    }

    /// The lines that edits of a file moved, with the number of each.
    fn moved_in(&self, file: usize) -> Vec<(usize, Vec<String>)> {
        let of_file = self.texts.iter().zip(&self.weave.edits).enumerate().filter(|(_, (_, edit))| edit.file == file);
        of_file.map(|(n, ([before, after], _))| (n, moved_lines(before, after))).collect()
    }

    /// The edit that an undo or redo is about, if it is only one.
    fn only_edit_of(&self, told: &Value) -> Option<usize> {
        let [id] = &told["data"]["undone"].as_array()?[..] else { return None };
        match &self.records.get(id.as_str()?)?[..] {
            [(edit, _)] => Some(*edit),
            _ => None,
        }
    }

    /// The undo of one edit, as another judge may look at it.
    fn case(&self, edit: usize, texts: &[String; 2], answer: &Answer) -> Value {
        let file = self.weave.edits[edit].file;
        let [before, after] = &self.texts[edit];
        let (then, why) = match answer.status {
            0 => (Some(self.repo.text(&self.paths[file])), None),
            _ => (None, Some(refusal(&answer.json()))),
        };
        json!({"before": before, "after": after, "now": texts[file], "then": then, "refused": why, "steps": self.steps})
    }

    /// Why a refusal is wrong, if it is.
    fn wrong_refusal(&self, named: Option<usize>, told: &Value) -> Option<String> {
        if !["undo_conflict", "nothing_to_undo"].contains(&told["data"]["reason"].as_str().unwrap_or_default()) {
            return Some(format!("no reason to refuse an undo: {told}"));
        }
        let is_exchanged = |edit: usize| self.paths[1 - self.weave.edits[edit].file] == self.edited[edit];
        // What a person did again, in a file that has not the edit's name, or where another one had taken what it took, is that person's; and where
        // it took just what another one put, nobody knows which of the two was meant.
        let is_theirs = |edit: usize| {
            let is_renamed = self.paths[self.weave.edits[edit].file] != self.edited[edit];
            self.weave.by_hand.contains(&edit)
                && (is_renamed || self.weave.took_the_same_since(edit) || self.weave.took_all_of_another(edit))
        };
        let is_shown = |edit: usize| self.weave.shows(edit) && !is_exchanged(edit) && !is_theirs(edit);
        if named.is_some_and(|edit| refusal(told).contains("nothing_to_undo") && is_shown(edit)) {
            return Some(format!("it is in force, and there is said to be nothing of it: {told}"));
        }
        let refused = told["data"]["hint"]["conflicts"][0]["record"].as_str().and_then(|id| self.records.get(id));
        // All that a record did must be as it left it.
        let of_record: Vec<&(usize, Sense)> = refused.into_iter().flatten().collect();
        let is_untouched = |edit: usize| self.is_untouched(edit) && !is_theirs(edit);
        let stands = |(edit, sense): &&(usize, Sense)| *sense == Sense::Makes && is_untouched(*edit);
        let is_untouched = named.is_some_and(is_untouched) || (!of_record.is_empty() && of_record.iter().all(stands));
        is_untouched.then(|| format!("nobody touched its lines, and it is refused: {told}"))
    }

    /// The edits that were taken back, or made again, in their order.
    fn undone_by(&self, told: &Value) -> Vec<(usize, Sense)> {
        self.edits_of(told["data"]["undone"].as_array().expect("ids"))
    }

    /// The edits that records are about.
    fn edits_of(&self, ids: &[Value]) -> Vec<(usize, Sense)> {
        ids.iter().filter_map(|id| self.records.get(id.as_str()?)).flatten().copied().collect()
    }

    /// What is wrong with the files after an undo.
    fn wrong_result(&mut self, told: &Value) -> Option<String> {
        let before = self.weave.clone();
        let undone = self.undone_by(told);
        let named: Vec<&str> =
            told["data"]["undone"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let id = told["data"]["record"]["id"].as_str().expect("an id").to_owned();
        let mut revived = [Vec::new(), Vec::new()];
        for &(edit, sense) in &undone {
            let file = self.weave.edits[edit].file;
            let text = self.weave.text(file);
            // Of several files of a record one that has another name now may not be known any more.
            let is_renamed = self.paths[file] != self.edited[edit];
            let is_left = self.repo.text(&self.paths[file]) == text;
            // So may one where another record wrote the same.
            let is_like = sense == Sense::TakesBack && self.weave.has_its_like(edit);
            // And what another record did to it since is that one's.
            let is_others = !self.newest.get(&edit).is_some_and(|newest| named.contains(&newest.as_str()));
            if undone.len() > 1 && (is_renamed || is_like || is_others) && is_left {
                continue;
            }
            let (senses, tokens) = match sense {
                Sense::Makes => (Sense::TakesBack, self.weave.take_back(edit)),
                Sense::TakesBack => (Sense::Makes, self.weave.put_again(edit)),
            };
            // Taken back again it goes the other way, the oldest first, and only what was done.
            if self.weave.text(file) != text {
                self.records.entry(id.clone()).or_default().insert(0, (edit, senses));
                self.newest.insert(edit, id.clone());
            }
            revived[file].extend(tokens);
        }
        let now: [String; 2] = std::array::from_fn(|file| self.repo.text(&self.paths[file]));
        let mut wrong = None;
        for (file, revived) in revived.iter().enumerate() {
            let now = &now[file];
            if wrong.is_none() && !self.weave.settle(file, revived, (&before.text(file), now)) {
                let (was, should) = (before.text(file), self.weave.text(file));
                wrong = Some(format!(
                    "edits {undone:?}\n--- before\n{was}\n--- now\n{now}\n--- should be\n{should}\n{}",
                    told["text"]
                ));
            }
        }
        // Taken back at once, an undo leaves what it met, wherever else moved lines might have gone.
        let last = self.last.take().filter(|(last, left, met)| {
            named == [last] && (0..2).all(|file| left[file] == before.text(file) && now[file] == met.text(file))
        });
        if let Some((.., met)) = last.filter(|_| wrong.is_some()) {
            self.weave = met;
            wrong = None;
        }
        self.last = Some((id, now, before));
        wrong
    }

    /// Whether a record's lines stand where it left them, in the file that it left.
    fn is_untouched(&self, edit: usize) -> bool {
        self.paths[self.weave.edits[edit].file] == self.edited[edit] && self.weave.is_untouched(edit)
    }

    fn step(&mut self) -> Judged {
        let kind = match self.dice.roll(20) {
            0..6 => self.agent(),
            6..9 => self.user(),
            9 => self.formatter(),
            10 => self.by_hand(),
            11..14 => {
                let kind = self.git();
                self.steps.extend(self.copies.make(&self.repo, &self.paths));
                self.copies.look(&self.repo);
                kind
            }
            _ => return self.undo(),
        };
        Judged { kind: kind.to_owned(), wrong: None }
    }
}

fn refusal(told: &Value) -> String {
    let reason = told["data"]["reason"].as_str().unwrap_or("?");
    let why = told["data"]["hint"]["conflicts"][0]["why"].as_str().unwrap_or_default();
    format!("refused: {reason} {why}")
}

/// The edit of a text as an agent would ask for it: changed lines, with as many around them as make them unique.
fn request(before: &str, after: &str, path: &str) -> Option<Value> {
    let (old, new): (Vec<&str>, Vec<&str>) =
        (before.split_inclusive('\n').collect(), after.split_inclusive('\n').collect());
    let shorter = old.len().min(new.len());
    let mut head = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let mut tail = old.iter().rev().zip(new.iter().rev()).take(shorter - head).take_while(|(a, b)| a == b).count();
    if before == after {
        return None;
    }
    loop {
        let quoted = old[head..old.len() - tail].concat();
        if !quoted.is_empty() && before.matches(&quoted).count() == 1 && quoted.trim() != "" {
            let new = new[head..new.len() - tail].concat();
            return Some(json!({"path": path, "old_string": quoted, "new_string": new}));
        }
        if head == 0 && tail == 0 {
            return None;
        }
        (head, tail) = (head.saturating_sub(1), tail.saturating_sub(1));
    }
}

#[test]
fn an_undo_takes_out_the_records_tokens_and_no_others_whatever_happened_since() {
    let number = |name: &str| std::env::var(name).ok().and_then(|n| n.parse::<usize>().ok());
    let count = number("REDRAFT_WORLDS").unwrap_or(12);
    let from = number("REDRAFT_WORLDS_FROM").unwrap_or(0);
    let mut tally: BTreeMap<String, usize> = BTreeMap::new();
    let mut wrong = Vec::new();
    let cases = std::env::var_os("REDRAFT_WORLDS_CASES");
    let mut cases = cases.map(|path| File::create(path).expect("a file for cases"));
    for seed in from..from + count {
        let mut world = World::new(seed);
        for _ in 0..STEPS {
            let judged = world.step();
            let is_over = judged.kind.ends_with(LINE_FOR_LINE);
            *tally.entry(judged.kind).or_default() += 1;
            if is_over {
                // The weave has another reading of it.
                break;
            }
            if let Some(what) = judged.wrong {
                let texts = world.weave.text(0) + "=======\n" + &world.weave.text(1);
                let what = format!("seed {seed}: {:#?}\n{what}\n======= files\n{texts}", world.steps);
                eprintln!("{what}\n");
                wrong.push(seed);
                break;
            }
            world.check();
        }
        if let Some(cases) = &mut cases {
            world.cases.iter().for_each(|case| writeln!(cases, "{seed} {case}").expect("a line"));
        }
    }
    if count > 100 || !wrong.is_empty() {
        let lines: Vec<String> = tally.iter().map(|(kind, n)| format!("{n:8}  {kind}")).collect();
        eprintln!("{count} worlds, {} wrong\n{}", wrong.len(), lines.join("\n"));
    }
    assert!(wrong.is_empty(), "seeds {wrong:?}");
}
