//! Lines that go somewhere else in their file and stay the same lines: what others did to them goes with them.
//!
//! Owns where the tokens of a move are and where they go back to. Does not choose what is moved.
//! Between tokens stand marks that never live: one where the lines stood, and one where they went.

use super::weave::{Killer, Token, Weave};
use std::collections::HashSet;

/// Lines that an edit moved.
#[derive(Debug, Clone)]
pub struct Moved {
    pub tokens: Vec<usize>,
    home: usize,
    there: usize,
    /// Whether the lines are where they were moved to.
    pub is_there: bool,
}

impl Moved {
    /// Whether a token is one of it, or one of its marks.
    pub fn holds(&self, id: usize) -> bool {
        id == self.home || id == self.there || self.tokens.contains(&id)
    }
}

impl Weave {
    /// Moves lines to before the token `next`, or to the end.
    pub fn move_before(&mut self, file: usize, tokens: Vec<usize>, next: Option<usize>) -> Moved {
        let at = self.place(file, tokens[0]);
        let home = self.mark(file, at);
        let at = next.map_or(self.files[file].len(), |next| self.place(file, next));
        let there = self.mark(file, at);
        tokens.iter().for_each(|&id| self.tokens[id].at = self.now);
        let moved = Moved { tokens, home, there, is_there: true };
        self.go(file, &moved, there);
        moved
    }

    fn mark(&mut self, file: usize, at: usize) -> usize {
        let id = self.tokens.len();
        self.tokens.push(Token { text: String::new(), by: None, at: self.now, killer: Some(Killer::User) });
        self.files[file].insert(at, id);
        id
    }

    /// All between the first and the last of the tokens goes behind a mark.
    fn go(&mut self, file: usize, moved: &Moved, mark: usize) -> bool {
        let all = &mut self.files[file];
        let place = |all: &[usize], id: usize| all.iter().position(|&other| other == id).expect("it is in the file");
        let (first, last) = (place(all, moved.tokens[0]), place(all, moved.tokens[moved.tokens.len() - 1]));
        // Whole lines, whatever was put at their ends since.
        let tokens = &self.tokens;
        let ends = |id: usize| tokens[id].text.is_empty() || (tokens[id].text == "\n" && tokens[id].killer.is_none());
        let first = (0..first).rev().find(|&at| ends(all[at])).map_or(0, |at| at + 1);
        // Of lines that went since, the next line is none.
        let is_there = tokens[all[last]].killer.is_none();
        let last = (last..all.len()).find(|&at| is_there && ends(all[at])).unwrap_or(last);
        let to = place(all, mark);
        if first > last || (first..=last).contains(&to) {
            return false;
        }
        let run: Vec<usize> = all.drain(first..=last).collect();
        let to = place(all, mark) + 1;
        all.splice(to..to, run);
        true
    }

    /// Puts the lines of a move back, or there again; gives those that went, if they did.
    pub fn put_moved(&mut self, edit: usize, is_there: bool) -> Vec<usize> {
        let file = self.edits[edit].file;
        let Some(moved) = self.edits[edit].moved.clone().filter(|moved| moved.is_there != is_there) else {
            return Vec::new();
        };
        let mark = if is_there { moved.there } else { moved.home };
        self.other_order = self.with_the_others_moved(file, &moved, mark);
        if !self.go(file, &moved, mark) {
            return Vec::new();
        }
        self.edits[edit].moved = Some(Moved { is_there, ..moved.clone() });
        moved.tokens
    }

    /// What a person moved by hand is where it is since now.
    pub fn note_moved_by_hand(&mut self, edit: usize) {
        self.now += 1;
        let tokens = self.edits[edit].moved.as_ref().map(|moved| moved.tokens.clone()).unwrap_or_default();
        tokens.into_iter().for_each(|id| self.tokens[id].at = self.now);
    }

    /// Of two blocks that change places either one may be said to move: the order where those that the lines go past go the
    /// other way, and not the lines.
    fn with_the_others_moved(&self, file: usize, moved: &Moved, mark: usize) -> Vec<usize> {
        let all = &self.files[file];
        let since = self.tokens[moved.tokens[0]].at;
        let [first, last] = [moved.tokens[0], moved.tokens[moved.tokens.len() - 1]].map(|id| self.place(file, id));
        let to = self.place(file, mark);
        // It is there, or its lines have changed their order: there are no others to say it of.
        if first > last || (first..=last).contains(&to) {
            return all.clone();
        }
        let is_old = |id: &usize| self.tokens[*id].at < since;
        if to < first {
            let (passed, rest): (Vec<usize>, Vec<usize>) = all[to..first].iter().copied().partition(is_old);
            [&all[..to], &rest, &all[first..=last], &passed, &all[last + 1..]].concat()
        } else {
            let (passed, rest): (Vec<usize>, Vec<usize>) = all[last + 1..to].iter().copied().partition(is_old);
            [&all[..first], &passed, &all[first..=last], &rest, &all[to..]].concat()
        }
    }

    /// Puts all back that was moved since.
    pub fn put_back_what_moved(&mut self, file: usize) {
        for n in (0..self.edits.len()).rev().filter(|&n| self.edits[n].file == file).collect::<Vec<_>>() {
            self.put_moved(n, false);
        }
    }

    /// The tokens of a file in an order that they had, those that came since behind what they came after.
    pub fn reorder(&mut self, file: usize, wanted: &[usize]) {
        let known: HashSet<usize> = wanted.iter().copied().collect();
        let mut order = wanted.to_vec();
        let mut last = None;
        for &id in &self.files[file] {
            if !known.contains(&id) {
                let at = last.map_or(0, |last| order.iter().position(|&other| other == last).expect("it came") + 1);
                order.insert(at, id);
            }
            last = Some(id);
        }
        self.files[file] = order;
    }
}
