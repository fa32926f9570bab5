//! Two files as lists of tokens that are never removed, only dead: who put each one there, and who took it away.
//!
//! Owns the changes of a world, and what an undo must leave. Knows nothing of redraft.

use super::moves::Moved;
use crate::support::Dice;
use std::collections::HashSet;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// So many ways for several runs of lines to stand are tried.
const MOST_CHOICES: usize = 20_000;

/// Who took a token away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Killer {
    /// Somebody, for good.
    User,
    /// An agent's edit.
    Edit(usize),
    /// Whoever took an agent's edit back.
    TakenBack(usize),
}

/// Who changes something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Actor {
    User,
    Agent(usize),
}

#[derive(Debug, Clone)]
pub struct Token {
    pub text: String,
    /// The edit that put it there.
    pub by: Option<usize>,
    /// When.
    pub at: usize,
    pub killer: Option<Killer>,
}

/// An agent's edit.
#[derive(Debug, Clone)]
pub struct Edit {
    pub file: usize,
    births: Vec<usize>,
    kills: Vec<usize>,
    at: usize,
    /// The lines that it left, and one on either side; none stands for an end of the file.
    near: Vec<Option<usize>>,
    /// How often each of these lines stood in the file.
    copies: Vec<usize>,
    /// What it moved.
    pub moved: Option<Moved>,
    /// Tokens that lived again by it, and who had taken them away.
    woken: Vec<(usize, Option<Killer>)>,
    /// Whether it was taken back last, not made.
    pub is_back: bool,
}

impl Edit {
    pub fn new(file: usize) -> Self {
        Self {
            file,
            births: Vec::new(),
            kills: Vec::new(),
            at: 0,
            near: Vec::new(),
            copies: Vec::new(),
            moved: None,
            woken: Vec::new(),
            is_back: false,
        }
    }
}

/// The tokens of both files in order, and the living ones.
#[derive(Debug, Clone)]
pub struct Snapshot {
    all: [Vec<usize>; 2],
    alive: [Vec<usize>; 2],
    killers: Vec<Option<Killer>>,
    /// For each edit whether its lines are where it moved them.
    are_there: Vec<bool>,
}

#[derive(Debug, Clone)]
pub struct Weave {
    pub tokens: Vec<Token>,
    pub files: [Vec<usize>; 2],
    pub edits: Vec<Edit>,
    /// Lines that an agent wrote or took away: nobody else writes such a line, for whose it is would be an opinion.
    agents: HashSet<String>,
    pub now: usize,
    /// The edits that a person put again by hand.
    pub by_hand: HashSet<usize>,
    /// The order that is as good as the one after the last lines that went back.
    pub other_order: Vec<usize>,
}

/// The lines of real source files: pieces of some of this repository's own as they once were, so that a seed stays the same
/// world, or the files below the directory that `REDRAFT_WORLDS_LINES` names.
pub fn pool() -> &'static [Vec<String>] {
    static POOL: OnceLock<Vec<Vec<String>>> = OnceLock::new();
    POOL.get_or_init(|| {
        let texts = match std::env::var_os("REDRAFT_WORLDS_LINES") {
            None => include_str!("lines.txt").split("\x0c\n").map(str::to_owned).collect(),
            Some(dir) => texts_below(dir.as_ref()),
        };
        let lines = |text: String| text.split_inclusive('\n').map(str::to_owned).collect::<Vec<_>>();
        texts
            .into_iter()
            .filter(|text| !text.contains('\r') && text.ends_with('\n'))
            .map(lines)
            .filter(|all| all.len() > 8)
            .collect()
    })
}

fn texts_below(dir: &Path) -> Vec<String> {
    let mut paths: Vec<_> =
        std::fs::read_dir(dir).expect("a directory").filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    let text = |path: &PathBuf| std::fs::read_to_string(path).ok().into_iter().collect();
    paths.iter().flat_map(|path| if path.is_dir() { texts_below(path) } else { text(path) }).collect()
}

/// Words, runs of blanks, ends of lines, and every other character by itself.
fn tokens(text: &str) -> Vec<&str> {
    let class = |c: char| match c {
        '\n' => 0,
        ' ' | '\t' => 1,
        c if c.is_alphanumeric() || c == '_' || !c.is_ascii() => 2,
        _ => 3,
    };
    let mut out = Vec::new();
    let mut start = 0;
    let mut last = None;
    for (at, c) in text.char_indices() {
        if at > 0 && (last != Some(class(c)) || matches!(class(c), 0 | 3)) {
            out.push(&text[start..at]);
            start = at;
        }
        last = Some(class(c));
    }
    out.extend(text.get(start..).filter(|rest| !rest.is_empty()));
    out
}

fn is_word(text: &str) -> bool {
    text.chars().next().is_some_and(|c| c.is_alphanumeric() || c == '_')
}

/// The lines of both texts that are not the same, without those at both ends that are.
pub fn changed_lines(before: &str, after: &str) -> (String, String) {
    let (old, new): (Vec<&str>, Vec<&str>) =
        (before.split_inclusive('\n').collect(), after.split_inclusive('\n').collect());
    let shorter = old.len().min(new.len());
    let head = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let tail = old.iter().rev().zip(new.iter().rev()).take(shorter - head).take_while(|(a, b)| a == b).count();
    (old[head..old.len() - tail].concat(), new[head..new.len() - tail].concat())
}

impl Weave {
    pub fn new(texts: &[String; 2]) -> Self {
        let mut weave = Self {
            tokens: Vec::new(),
            files: [Vec::new(), Vec::new()],
            edits: Vec::new(),
            agents: HashSet::new(),
            now: 0,
            by_hand: HashSet::new(),
            other_order: Vec::new(),
        };
        for (file, text) in texts.iter().enumerate() {
            weave.insert(file, 0, text, Actor::User);
        }
        weave
    }

    fn is_alive(&self, id: usize) -> bool {
        self.tokens[id].killer.is_none()
    }

    fn alive(&self, file: usize) -> Vec<usize> {
        self.files[file].iter().copied().filter(|&id| self.is_alive(id)).collect()
    }

    fn joined(&self, ids: &[usize]) -> String {
        ids.iter().map(|&id| self.tokens[id].text.as_str()).collect()
    }

    pub fn text(&self, file: usize) -> String {
        self.joined(&self.alive(file))
    }

    fn lines(&self, file: usize) -> Vec<Vec<usize>> {
        let alive = self.alive(file);
        alive.split_inclusive(|&id| self.tokens[id].text == "\n").map(<[usize]>::to_vec).collect()
    }

    /// No word of the world's own is glued to another.
    pub fn is_sound(&self, file: usize) -> bool {
        let alive = self.alive(file);
        let text = self.joined(&alive);
        !text.is_empty() && tokens(&text).into_iter().eq(alive.iter().map(|&id| self.tokens[id].text.as_str()))
    }

    /// Whether a line that is not as in `saved` is one that an agent wrote or took away.
    pub fn writes_what_an_agent_did(&self, saved: &Self, file: usize) -> bool {
        let (_, new) = changed_lines(&saved.text(file), &self.text(file));
        new.lines().any(|line| self.agents.contains(line.trim()))
    }

    /// Whether text was changed that an agent moved, or that it moved past: of two blocks that changed places, which one
    /// moved is an opinion.
    pub fn changes_what_moved(&self, saved: &Self, file: usize) -> bool {
        let region = |weave: &Self, edit: &Edit| -> String {
            let all = &weave.files[file];
            let is_its = |id: &&usize| edit.moved.as_ref().is_some_and(|moved| moved.holds(**id));
            let ends = (all.iter().position(|id| is_its(&id)), all.iter().rposition(|id| is_its(&id)));
            let (Some(first), Some(last)) = ends else { return String::new() };
            weave.joined(&all[first..=last].iter().copied().filter(|&id| weave.is_alive(id)).collect::<Vec<_>>())
        };
        let moves = self.edits.iter().filter(|edit| edit.moved.is_some() && edit.file == file);
        moves.into_iter().any(|edit| region(self, edit) != region(saved, edit))
    }

    /// Whether one of several equal lines went, and an agent wrote such a line: which of them went is an opinion.
    pub fn takes_one_of_equal_lines(&self, saved: &Self, file: usize) -> bool {
        let (now, text) = (self.text(file), saved.text(file));
        let (old, _) = changed_lines(&text, &now);
        let mut gone = old.lines().map(str::trim).filter(|line| self.agents.contains(*line));
        gone.any(|line| text.lines().filter(|other| other.trim() == line).count() > 1)
    }

    /// Whether something went that a person had put again by hand: whether that was still the edit's is an opinion.
    pub fn takes_what_was_put_by_hand(&self, saved: &Self) -> bool {
        let is_by_hand = |id: &usize| self.tokens[*id].by.is_some_and(|edit| self.by_hand.contains(&edit));
        (0..saved.tokens.len()).filter(is_by_hand).any(|id| saved.is_alive(id) && !self.is_alive(id))
    }

    pub fn snapshot(&self) -> Snapshot {
        Snapshot {
            all: self.files.clone(),
            alive: [self.alive(0), self.alive(1)],
            killers: self.tokens.iter().map(|token| token.killer).collect(),
            are_there: self.edits.iter().map(|edit| edit.moved.as_ref().is_some_and(|moved| moved.is_there)).collect(),
        }
    }

    pub fn restore(&mut self, snapshot: &Snapshot, file: usize) {
        let wanted = &snapshot.alive[file];
        // Git writes nothing, and whose each character is stays as it was.
        if self.joined(wanted) == self.text(file) {
            return;
        }
        // Of what others had taken away before, git takes nothing.
        let was_there: HashSet<usize> = self.alive(file).into_iter().collect();
        for id in self.files[file].clone() {
            match snapshot.killers.get(id) {
                Some(killer) => self.tokens[id].killer = *killer,
                None if self.is_alive(id) => {
                    let by = self.tokens[id].by.map_or(Killer::User, Killer::TakenBack);
                    self.kill(id, by);
                }
                None => {}
            }
        }
        // An edit of which nothing is left is taken back as it was made, whatever was done to its text meanwhile.
        let is_younger = |edit: &Edit| {
            edit.births.iter().all(|&id| id >= snapshot.killers.len())
                && edit.births.iter().any(|id| was_there.contains(id))
        };
        let younger = self.edits.iter().enumerate().filter(|(_, edit)| edit.file == file && is_younger(edit));
        for (n, edit) in younger {
            if edit.births.iter().all(|&id| self.tokens[id].killer.is_some()) {
                edit.births.iter().for_each(|&id| self.tokens[id].killer = Some(Killer::TakenBack(n)));
            }
        }
        self.put_back_what_moved(file);
        self.reorder(file, &snapshot.all[file]);
        for (n, edit) in self.edits.iter_mut().enumerate().filter(|(_, edit)| edit.file == file) {
            // Whether a newline is still the one that an edit put back where another had dropped it, is an opinion.
            if !edit.woken.is_empty() {
                edit.near.clear();
            }
            if let Some(moved) = &mut edit.moved {
                moved.is_there = snapshot.are_there.get(n) == Some(&true);
            }
        }
    }

    fn edit_that_killed(&self, id: usize) -> Option<Killer> {
        self.edits.iter().rposition(|edit| edit.kills.contains(&id)).map(Killer::Edit)
    }

    fn kill(&mut self, id: usize, killer: Killer) {
        self.tokens[id].killer = Some(killer);
    }

    fn delete(&mut self, ids: &[usize], actor: Actor) {
        for &id in ids {
            let killer = match actor {
                Actor::Agent(edit) => {
                    self.edits[edit].kills.push(id);
                    Killer::Edit(edit)
                }
                Actor::User => self.edit_that_killed(id).unwrap_or(Killer::User),
            };
            self.kill(id, killer);
        }
        // What an edit had taken away whole, and others changed meanwhile, is gone as it was when the edit was made.
        for n in 0..self.edits.len() {
            let kills = &self.edits[n].kills;
            if actor == Actor::User
                && kills.iter().any(|id| ids.contains(id))
                && kills.iter().all(|&id| !self.is_alive(id))
            {
                self.edits[n].kills.clone().into_iter().for_each(|id| self.kill(id, Killer::Edit(n)));
            }
        }
    }

    /// Some lines go by an edit.
    pub fn delete_lines(&mut self, file: usize, lines: Range<usize>, edit: usize) {
        let gone = self.lines(file)[lines].concat();
        self.delete(&gone, Actor::Agent(edit));
    }

    /// Puts a text before the token at `at` in the list of all.
    fn insert(&mut self, file: usize, at: usize, text: &str, actor: Actor) {
        let by = match actor {
            Actor::Agent(edit) => Some(edit),
            Actor::User => None,
        };
        let start = self.tokens.len();
        self.tokens.extend(tokens(text).into_iter().map(|text| Token {
            text: text.to_owned(),
            by,
            at: self.now,
            killer: None,
        }));
        let new: Vec<usize> = (start..self.tokens.len()).collect();
        if let Some(edit) = by {
            self.edits[edit].births.extend(&new);
        }
        self.files[file].splice(at..at, new);
    }

    pub fn place(&self, file: usize, id: usize) -> usize {
        self.files[file].iter().position(|&other| other == id).expect("it is in the file")
    }

    fn insert_before(&mut self, file: usize, next: Option<usize>, text: &str, actor: Actor) {
        let at = next.map_or(self.files[file].len(), |id| self.place(file, id));
        self.insert(file, at, text, actor);
    }

    fn replace(&mut self, file: usize, ids: &[usize], text: &str, actor: Actor) {
        let at = self.place(file, ids[ids.len() - 1]) + 1;
        self.delete(ids, actor);
        self.insert(file, at, text, actor);
    }

    /// Notes what an agent's edit is about.
    pub fn made(&mut self, edit: usize, before: &str, after: &str) {
        let (old, new) = changed_lines(before, after);
        self.agents
            .extend(old.lines().chain(new.lines()).map(|line| line.trim().to_owned()).filter(|line| !line.is_empty()));
        let file = self.edits[edit].file;
        let lines = self.lines(file);
        let head = after.split_inclusive('\n').zip(before.split_inclusive('\n')).take_while(|(a, b)| a == b).count();
        let from = head.saturating_sub(2);
        let to = (head + new.split_inclusive('\n').count() + 2).min(lines.len());
        let tokens = lines[from.min(to)..to].concat().into_iter().map(Some);
        let ends = [from == 0, to == lines.len()].map(|is_end| is_end.then_some(None));
        self.edits[edit].near = ends[0].into_iter().chain(tokens).chain(ends[1]).collect();
        self.edits[edit].copies = self.copies(file, &self.edits[edit].near);
        self.edits[edit].at = self.now;
        self.now += 1;
    }

    /// Whether nothing shows that an edit was ever made.
    fn is_gone(&self, edit: &Edit) -> bool {
        edit.births.iter().all(|&id| !self.is_alive(id))
            && edit.kills.iter().all(|&id| self.is_alive(id))
            && edit.moved.as_ref().is_none_or(|moved| !moved.is_there)
    }

    /// What somebody deleted since `saved` until an edit was as if it had never been is taken back.
    /// (One that a later edit wrote over was gone before, and is not; nor is what such an edit deleted of it.)
    pub fn note_taken_back(&mut self, saved: &Self) {
        for (n, edit) in self.edits.iter().enumerate() {
            let is_gone_now = self.is_gone(edit) && !saved.is_gone(edit);
            for &id in edit.births.iter().filter(|_| is_gone_now) {
                let killer = &mut self.tokens[id].killer;
                if !matches!(killer, Some(Killer::Edit(_))) {
                    *killer = Some(Killer::TakenBack(n));
                }
            }
        }
    }

    /// How often each line that holds a word stands in a file.
    fn copies(&self, file: usize, of: &[Option<usize>]) -> Vec<usize> {
        let text = self.text(file);
        let near: Vec<usize> = of.iter().copied().flatten().collect();
        let near = self.joined(&near);
        let lines = near.lines().filter(|line| line.chars().any(char::is_alphanumeric));
        lines.map(|line| text.lines().filter(|other| *other == line).count()).collect()
    }

    /// Whether another edit of the same file put in and took away the same: of two that are alike, which one a person took
    /// back is an opinion.
    pub fn has_a_twin(&self, edit: usize) -> bool {
        let moved = |edit: &Edit| edit.moved.as_ref().map(|moved| self.joined(&moved.tokens));
        let did = |edit: &Edit| (edit.file, self.joined(&edit.births), self.joined(&edit.kills), moved(edit));
        let own = did(&self.edits[edit]);
        self.edits.iter().enumerate().any(|(n, other)| n != edit && did(other) == own)
    }

    /// Whether an edit shows: it wrote something, it is in force, and the file would be another without it.
    pub fn shows(&self, edit: usize) -> bool {
        let mut without = self.clone();
        without.take_back(edit);
        let Edit { file, births, near, copies, .. } = &self.edits[edit];
        // Of equal lines it is an opinion which of them went, and blank ones tell nothing.
        let is_alone = self.copies(*file, near) == *copies;
        births.iter().any(|&id| is_word(&self.tokens[id].text))
            && is_alone
            && self.is_in_force(edit)
            && without.text(*file) != self.text(*file)
    }

    /// Whether somebody wrote within what an edit wrote: who takes that away by hand takes theirs away, too.
    pub fn holds_what_others_wrote(&self, edit: usize) -> bool {
        let Edit { file, births, .. } = &self.edits[edit];
        let is_own = |id: &usize| births.contains(id);
        let alive = self.alive(*file);
        let runs: Vec<&[usize]> = alive.chunk_by(|a, b| is_own(a) == is_own(b)).collect();
        runs.windows(3).any(|runs| {
            let line = self.joined(runs[1]);
            is_own(&runs[0][0]) && !line.contains('\n') && runs[1].iter().any(|id| *id > births[births.len() - 1])
        })
    }

    /// Whether a person can see what they would take back, or put again: of what replaced something, something must be there.
    pub fn can_be_seen(&self, edit: usize) -> bool {
        let Edit { births, kills, .. } = &self.edits[edit];
        births.is_empty() || kills.is_empty() || births.iter().chain(kills).any(|&id| self.is_alive(id))
    }

    /// Whether all that an edit took away stands: nobody sees of a line that goes what it was without another edit.
    pub fn can_be_taken_anew(&self, edit: usize) -> bool {
        self.edits[edit].kills.iter().all(|&id| self.is_alive(id))
    }

    /// Whether all that an edit wrote stands, and all that it took away is gone by it.
    fn is_in_force(&self, edit: usize) -> bool {
        let Edit { births, kills, moved, woken, is_back, .. } = &self.edits[edit];
        // A newline that it put again may live by the undo of the edit that dropped it.
        (woken.is_empty() || !is_back)
            && births.iter().all(|&id| self.is_alive(id))
            && moved.as_ref().is_none_or(|moved| moved.is_there)
            && kills.iter().all(|&id| self.tokens[id].killer == Some(Killer::Edit(edit)))
    }

    /// Whether the lines that an edit left, and those beside it, stand as they were, and nobody made copies of them.
    pub fn is_untouched(&self, edit: usize) -> bool {
        let Edit { file, near, copies, .. } = &self.edits[edit];
        let alive = self.alive(*file).into_iter().map(Some);
        let alive: Vec<Option<usize>> = std::iter::once(None).chain(alive).chain([None]).collect();
        let is_alone = self.copies(*file, near) == *copies;
        // What it took of another one's that was undone since does not come back, as docs/history.md has it.
        let is_undone = |id: &usize| self.tokens[*id].by.is_some_and(|by| self.edits[by].is_back);
        let would_come_back = self.edits[edit].kills.iter().any(is_undone);
        self.is_in_force(edit)
            && is_alone
            && !would_come_back
            && !near.is_empty()
            && alive.windows(near.len()).any(|window| window == near)
    }

    /// Whether a newer edit took some of what an edit took.
    pub fn took_the_same_since(&self, edit: usize) -> bool {
        let kills = &self.edits[edit].kills;
        self.edits[edit + 1..].iter().any(|newer| newer.kills.iter().any(|id| kills.contains(id)))
    }

    /// Whether an edit took just what another one had put: who does so again by hand may as well mean to take that one back.
    pub fn took_all_of_another(&self, edit: usize) -> bool {
        let Edit { births, kills, .. } = &self.edits[edit];
        let is_one = |older: &Edit| !older.births.is_empty() && older.births == *kills;
        births.is_empty() && self.edits[..edit].iter().any(is_one)
    }

    /// Whether every line that an edit wrote stands in its file, whoever wrote it there.
    pub fn has_its_like(&self, edit: usize) -> bool {
        let Edit { file, births, .. } = &self.edits[edit];
        let text = self.text(*file);
        let written = self.joined(births);
        !written.is_empty() && written.lines().all(|line| text.lines().any(|other| other == line))
    }

    /// Takes an edit back; gives the tokens that live again.
    pub fn take_back(&mut self, edit: usize) -> Vec<usize> {
        self.edits[edit].is_back = true;
        let Edit { births, kills, woken, .. } = self.edits[edit].clone();
        for id in births.into_iter().filter(|&id| self.is_alive(id)).collect::<Vec<_>>() {
            self.kill(id, Killer::TakenBack(edit));
        }
        for &(id, killer) in
            woken.iter().filter(|(id, _)| self.tokens[*id].killer == Some(Killer::TakenBack(edit))).collect::<Vec<_>>()
        {
            self.tokens[id].killer = killer;
        }
        let back: Vec<usize> =
            kills.into_iter().filter(|&id| self.tokens[id].killer == Some(Killer::Edit(edit))).collect();
        back.iter().for_each(|&id| self.tokens[id].killer = None);
        let went = self.put_moved(edit, false);
        back.into_iter().chain(went).collect()
    }

    /// Makes it again; gives the tokens that live again.
    pub fn put_again(&mut self, edit: usize) -> Vec<usize> {
        self.edits[edit].is_back = false;
        let Edit { births, kills, woken, .. } = self.edits[edit].clone();
        for id in kills.into_iter().filter(|&id| self.is_alive(id)).collect::<Vec<_>>() {
            self.kill(id, Killer::Edit(edit));
        }
        let is_asleep =
            |id: usize| woken.iter().any(|&(other, killer)| other == id && self.tokens[id].killer == killer);
        let back: Vec<usize> = births
            .into_iter()
            .filter(|&id| self.tokens[id].killer == Some(Killer::TakenBack(edit)) || is_asleep(id))
            .collect();
        back.iter().for_each(|&id| self.tokens[id].killer = None);
        let went = self.put_moved(edit, true);
        back.into_iter().chain(went).collect()
    }

    /// Whether `text` is what must be there, in either order of blocks that changed places. Where somebody dropped the ending of
    /// the last line since, the line that is the last one now may lack its own.
    pub fn settle(&mut self, file: usize, revived: &[usize], (before, text): (&str, &str)) -> bool {
        if self.settle_in_either_order(file, revived, text) {
            return true;
        }
        let ending =
            self.alive(file).last().copied().filter(|id| revived.contains(id) && self.tokens[*id].text == "\n");
        let Some(ending) = ending.filter(|_| !before.ends_with('\n') && !text.ends_with('\n')) else { return false };
        let dropped = self.files[file].iter().rev().map(|&id| &self.tokens[id]).find(|token| token.text == "\n");
        let by = dropped.and_then(|token| token.killer).filter(|killer| matches!(killer, Killer::Edit(_)));
        self.tokens[ending].killer = Some(by.unwrap_or(Killer::User));
        if self.settle_in_either_order(file, revived, text) {
            return true;
        }
        // The line that lacked its own stands before others again, and has one there.
        let is_dropped =
            |id: &usize| self.tokens[*id].text == "\n" && self.tokens[*id].killer.is_some() && *id != ending;
        let lacking: Vec<usize> = self.files[file].iter().copied().filter(is_dropped).collect();
        for id in lacking {
            let killer = self.tokens[id].killer.take();
            if self.settle_in_either_order(file, revived, text) {
                return true;
            }
            self.tokens[id].killer = killer;
        }
        self.tokens[ending].killer = None;
        false
    }

    fn settle_in_either_order(&mut self, file: usize, revived: &[usize], text: &str) -> bool {
        if self.settle_in_order(file, revived, text) {
            return true;
        }
        let other = std::mem::take(&mut self.other_order);
        if other.len() != self.files[file].len() || !other.iter().all(|id| self.files[file].contains(id)) {
            return false;
        }
        let saved = std::mem::replace(&mut self.files[file], other);
        let is_settled = self.settle_in_order(file, revived, text);
        if !is_settled {
            self.files[file] = saved;
        }
        is_settled
    }

    /// Whether `text` is what must be there. What came back may stand on either side of what was put there since, between two
    /// lines of that, and before the white space that begins a line as well as behind it.
    fn settle_in_order(&mut self, file: usize, revived: &[usize], text: &str) -> bool {
        if self.text(file) == text {
            return true;
        }
        let revived: HashSet<usize> = revived.iter().copied().collect();
        let alive = self.alive(file);
        let starts =
            (0..alive.len()).filter(|&n| revived.contains(&alive[n]) && (n == 0 || !revived.contains(&alive[n - 1])));
        let runs: Vec<(usize, usize)> =
            starts.map(|n| (n, alive[n..].iter().take_while(|id| revived.contains(id)).count())).collect();
        let places: Vec<Vec<Option<(usize, usize)>>> =
            runs.iter().map(|&run| self.places(&alive, run, &revived)).collect();
        let choices = places.iter().map(Vec::len).product::<usize>().min(MOST_CHOICES);
        for mut choice in 1..choices {
            let mut order = self.files[file].clone();
            for ((start, size), places) in runs.iter().zip(&places) {
                let place = places[choice % places.len()];
                choice /= places.len();
                let Some((target, behind)) = place else { continue };
                let run = &alive[*start..start + size];
                order.retain(|id| !run.contains(id));
                let at = order.iter().position(|&id| id == target).expect("it lives") + behind;
                order.splice(at..at, run.iter().copied());
            }
            let saved = std::mem::replace(&mut self.files[file], order);
            if self.text(file) == text {
                return true;
            }
            self.files[file] = saved;
        }
        false
    }

    /// Where a run of tokens that came back may stand: where it is (none), or before (0) or behind (1) another token.
    fn places(
        &self,
        alive: &[usize],
        (start, size): (usize, usize),
        revived: &HashSet<usize>,
    ) -> Vec<Option<(usize, usize)>> {
        let run = &alive[start..start + size];
        let oldest = revived.iter().map(|&id| self.tokens[id].at).min().unwrap_or(0);
        let text = |id: usize| self.tokens[id].text.as_str();
        // Also what came back with it, from another place.
        let is_younger = |id: &usize| self.tokens[*id].at > oldest;
        // What only went to another place is not new.
        let is_new = |id: &usize| run.iter().all(|own| own < id);
        let before = || alive[..start].iter().rev();
        let behind = || alive[start + size..].iter();
        let mut places = vec![None];
        for beside in [before().take_while(|id| is_younger(id)).last(), before().take_while(|id| is_new(id)).last()] {
            places.extend(beside.map(|&id| Some((id, 0))));
        }
        for beside in [behind().take_while(|id| is_younger(id)).last(), behind().take_while(|id| is_new(id)).last()] {
            places.extend(beside.map(|&id| Some((id, 1))));
        }
        let is_line = |n: usize| n == 0 || text(alive[n - 1]) == "\n";
        let blank = start.checked_sub(1).filter(|&n| text(alive[n]).trim().is_empty() && is_line(n));
        places.extend(blank.map(|n| Some((alive[n], 0))));
        if run.last().is_some_and(|&id| text(id) == "\n") && is_line(start) {
            let ends = |id: &&usize| text(**id) == "\n";
            let younger = before().take_while(|id| is_younger(id)).chain(behind().take_while(|id| is_younger(id)));
            places.extend(younger.filter(ends).map(|&id| Some((id, 1))));
        }
        places.extend(self.replaced_by(run).map(|id| Some((id, 0))));
        places.dedup();
        places
    }

    /// The first token that an edit took away where it wrote these, if it took all away at one place: they may have moved since.
    fn replaced_by(&self, run: &[usize]) -> Option<usize> {
        let edit = self.tokens[*run.first()?].by?;
        let file = &self.files[self.edits[edit].file];
        let is_gone = |id: &usize| self.tokens[*id].killer == Some(Killer::Edit(edit));
        let first = file.iter().position(is_gone)?;
        let is_its = |id: &&usize| is_gone(id) || self.tokens[**id].by == Some(edit);
        let together = file[first..].iter().take_while(is_its).filter(|id| is_gone(id)).count();
        (together == file.iter().filter(|id| is_gone(id)).count()).then_some(file[first])
    }

    fn pick(&self, dice: &mut Dice, lines: &[Vec<usize>], actor: Actor) -> usize {
        let agents: Vec<usize> =
            (0..lines.len()).filter(|&n| lines[n].iter().any(|&id| self.tokens[id].by.is_some())).collect();
        if actor == Actor::User && !agents.is_empty() && dice.roll(2) == 0 {
            return (agents[dice.roll(agents.len())] + dice.roll(3)).saturating_sub(1).min(lines.len() - 1);
        }
        dice.roll(lines.len())
    }

    fn word(&self, dice: &mut Dice) -> String {
        let lines = &pool()[dice.roll(pool().len())];
        let words: Vec<&str> =
            tokens(&lines[dice.roll(lines.len())]).into_iter().filter(|token| is_word(token)).collect();
        match (dice.roll(4), words.is_empty()) {
            (0, _) | (_, true) => dice.roll(60).to_string(),
            _ => words[dice.roll(words.len())].to_owned(),
        }
    }

    fn new_lines(&self, dice: &mut Dice) -> String {
        let lines = &pool()[dice.roll(pool().len())];
        (0..1 + dice.roll(3)).map(|_| lines[dice.roll(lines.len())].clone()).collect()
    }

    /// Changes something in a file; says what.
    pub fn change(&mut self, dice: &mut Dice, file: usize, actor: Actor) -> &'static str {
        let lines = self.lines(file);
        if lines.is_empty() {
            return "nothing";
        }
        self.now += 1;
        let n = self.pick(dice, &lines, actor);
        let line = lines[n].clone();
        let next = lines.get(n + 1).map(|line| line[0]);
        let ends = line.last().is_some_and(|&id| self.tokens[id].text == "\n");
        let words: Vec<usize> = line.iter().copied().filter(|&id| is_word(&self.tokens[id].text)).collect();
        match dice.roll(16) {
            0..3 if !words.is_empty() => {
                let (id, word) = (words[dice.roll(words.len())], self.word(dice));
                self.replace(file, &[id], &word, actor);
                "word"
            }
            3 => {
                let text = [format!(" // {}", self.word(dice)), ";".to_owned(), " ".to_owned()][dice.roll(3)].clone();
                let before = if ends { line.last().copied() } else { None };
                self.insert_before(file, before, &text, actor);
                "append to a line"
            }
            4 => {
                let text = ["// ", "pub ", "    ", "#"][dice.roll(4)];
                self.insert_before(file, Some(line[0]), text, actor);
                "prepend to a line"
            }
            5 if line.len() > 2 => {
                let at = dice.roll(line.len() - 1);
                let size = (1 + dice.roll(3)).min(line.len() - 1 - at);
                self.delete(&line[at..at + size], actor);
                "delete tokens"
            }
            6 | 7 if lines.len() > 2 => {
                let size = (1 + dice.roll(3)).min(lines.len() - n);
                self.delete(&lines[n..n + size].concat(), actor);
                "delete lines"
            }
            8 | 9 => {
                let text = self.new_lines(dice);
                self.insert_before(file, Some(line[0]), &text, actor);
                "insert lines"
            }
            10 if ends => {
                let (old, text) = (self.joined(&line), self.new_lines(dice));
                // With the same line in it, it is an insertion above or below.
                if text.lines().any(|new| new.trim() == old.trim()) {
                    return "nothing";
                }
                self.replace(file, &line, &text, actor);
                "rewrite a line"
            }
            11 if ends => {
                let text = self.joined(&line);
                self.insert_before(file, next, &text, actor);
                "double a line"
            }
            12 => self.at_the_end(dice, file, actor),
            13 if !words.is_empty() => {
                let (old, new) = (self.tokens[words[dice.roll(words.len())]].text.clone(), self.word(dice));
                for id in self.alive(file).into_iter().filter(|&id| self.tokens[id].text == old).collect::<Vec<_>>() {
                    self.replace(file, &[id], &new, actor);
                }
                "rename a word"
            }
            14 | 15 if ends && lines.len() > 3 => self.move_lines(dice, file, n, actor),
            _ => "nothing",
        }
    }

    /// Some lines from `n` on go somewhere else.
    fn move_lines(&mut self, dice: &mut Dice, file: usize, n: usize, actor: Actor) -> &'static str {
        let lines = self.lines(file);
        let size = (1 + dice.roll(3)).min(lines.len() - n);
        let moved = lines[n..n + size].concat();
        let far = 1 + dice.roll(6);
        let to =
            if dice.roll(2) == 0 { n.checked_sub(far) } else { Some(n + size + far).filter(|&to| to < lines.len()) };
        let text = self.joined(&moved);
        let Some(to) = to.filter(|_| text.ends_with('\n')) else { return "nothing" };
        let passed = if to < n { lines[to..n].concat() } else { lines[n + size..to].concat() };
        // Of blank lines nobody knows where they went.
        if self.joined(&passed).trim().is_empty() || text.trim().is_empty() {
            return "nothing";
        }
        let between: HashSet<usize> = passed.iter().chain(&moved).copied().collect();
        let moved = self.move_before(file, moved, Some(lines[to][0]));
        match actor {
            Actor::Agent(edit) => self.edits[edit].moved = Some(moved),
            // A place that lines went past may itself be said to have moved.
            Actor::User => {
                let is_between = |id: &Option<usize>| id.is_some_and(|id| between.contains(&id));
                self.edits
                    .iter_mut()
                    .filter(|edit| edit.near.iter().any(is_between))
                    .for_each(|edit| edit.near.clear());
            }
        }
        "move lines"
    }

    fn at_the_end(&mut self, dice: &mut Dice, file: usize, actor: Actor) -> &'static str {
        let last = self.alive(file).last().copied();
        let ended = last.filter(|&id| self.tokens[id].text == "\n");
        match (dice.roll(3), ended) {
            (0, Some(newline)) => {
                self.delete(&[newline], actor);
                "drop the final newline"
            }
            (_, None) => {
                self.end_the_last_line(file, actor);
                "end the last line"
            }
            (_, Some(_)) => {
                let text = self.new_lines(dice);
                self.insert_before(file, None, &text, actor);
                "append lines"
            }
        }
    }

    /// One newline is like another: that which was dropped there lives again.
    fn end_the_last_line(&mut self, file: usize, actor: Actor) {
        let dead = self.files[file].iter().rev().copied().take_while(|&id| !self.is_alive(id));
        let Some(newline) = dead.filter(|&id| self.tokens[id].text == "\n").last() else {
            return self.insert_before(file, None, "\n", actor);
        };
        let killer = self.tokens[newline].killer.take();
        if let Actor::Agent(edit) = actor {
            self.edits[edit].births.push(newline);
            self.edits[edit].woken.push((newline, killer));
        }
    }

    /// What a formatter does: indents anew, drops blanks at the ends of lines, and blank lines.
    pub fn format(&mut self, dice: &mut Dice, file: usize) {
        self.now += 1;
        let lines = self.lines(file);
        let is_blank = |weave: &Self, id: usize| weave.tokens[id].text.starts_with([' ', '\t']);
        let kind = dice.roll(3);
        let (from, size) = (dice.roll(lines.len().max(1)), 1 + dice.roll(30));
        for (n, line) in lines.iter().enumerate().skip(from).take(size) {
            let content: Vec<usize> = line.iter().copied().filter(|&id| self.tokens[id].text != "\n").collect();
            match kind {
                0 => match content.first() {
                    Some(&first) if is_blank(self, first) => {
                        let text = format!("{}    ", self.tokens[first].text);
                        self.replace(file, &[first], &text, Actor::User);
                    }
                    Some(&first) => self.insert_before(file, Some(first), "    ", Actor::User),
                    None => {}
                },
                1 => {
                    if let Some(&last) = content.last().filter(|&&id| is_blank(self, id)) {
                        self.delete(&[last], Actor::User);
                    }
                }
                _ => {
                    if content.is_empty() && n > 0 && lines[n - 1].len() == 1 && line.len() == 1 {
                        self.delete(line, Actor::User);
                    }
                }
            }
        }
    }
}
