//! The right side: the lines of a diff, which of its files are folded, and where in it one is.
//!
//! Owns moving, folding and finding there.

use super::cursor::Cursor;
use super::key::Key;
use super::patch::{Kind, Line};
use std::collections::HashSet;

/// So far it goes to the side at once.
const STEP: usize = 8;

/// A direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Towards {
    Next,
    Previous,
}

/// The lines of a diff.
#[derive(Debug, Default)]
pub(super) struct DiffPane {
    lines: Vec<Line>,
    folded: HashSet<usize>,
    /// Indexes of the lines that are not folded away.
    seen: Vec<usize>,
    pub(super) cursor: Cursor,
    /// So many columns are left of what is seen.
    pub(super) column: usize,
    /// What is looked for.
    pub(super) sought: String,
}

impl DiffPane {
    /// Of these lines, from the beginning; what was looked for is kept.
    pub(super) fn set(&mut self, lines: Vec<Line>) {
        *self = Self { lines, sought: std::mem::take(&mut self.sought), ..Self::default() };
        self.look();
    }

    /// Other lines of the same: one stays where one is.
    pub(super) fn refresh(&mut self, lines: Vec<Line>, height: usize) {
        if self.lines != lines {
            self.lines = lines;
            self.look();
            self.cursor.keep(self.seen.len(), height);
        }
    }

    /// How many lines are not folded away.
    pub(super) fn count(&self) -> usize {
        self.seen.len()
    }

    /// Those that have room.
    pub(super) fn seen(&self, height: usize) -> impl Iterator<Item = (usize, &Line)> {
        self.seen.iter().enumerate().skip(self.cursor.top).take(height).map(|(at, &n)| (at, &self.lines[n]))
    }

    /// The line that one is on.
    pub(super) fn line(&self) -> Option<&Line> {
        self.lines.get(*self.seen.get(self.cursor.at)?)
    }

    /// The number of the first line that was changed.
    pub(super) fn first_number(&self) -> Option<usize> {
        let is_changed = |line: &&Line| matches!(line.kind, Kind::Added | Kind::Removed);
        self.lines.iter().find(is_changed).and_then(|line| line.number)
    }

    /// Whether a file is folded.
    pub(super) fn is_folded(&self, file: usize) -> bool {
        self.folded.contains(&file)
    }

    /// Moves; whether the key is one for that.
    pub(super) fn moves(&mut self, key: Key, height: usize) -> bool {
        self.cursor.moves(key, self.seen.len(), height)
    }

    /// Folds or unfolds the file that one is in.
    pub(super) fn fold(&mut self, height: usize) {
        let Some(file) = self.line().map(|line| line.file) else { return };
        if !self.folded.remove(&file) {
            self.folded.insert(file);
        }
        self.look();
        let head = self.seen.iter().position(|&n| self.lines[n].kind == Kind::File && self.lines[n].file == file);
        self.cursor.at = head.unwrap_or(self.cursor.at);
        self.cursor.keep(self.seen.len(), height);
    }

    /// To the side.
    pub(super) fn aside(&mut self, towards: Towards) {
        self.column = match towards {
            Towards::Next => self.column + STEP,
            Towards::Previous => self.column.saturating_sub(STEP),
        };
    }

    /// To the next hunk, or the one before.
    pub(super) fn seek_hunk(&mut self, towards: Towards, height: usize) -> bool {
        self.to(towards, height, |line| line.kind == Kind::Hunk)
    }

    /// To what is looked for.
    pub(super) fn seek_text(&mut self, towards: Towards, height: usize) -> bool {
        let sought = self.sought.to_lowercase();
        !sought.is_empty() && self.to(towards, height, |line| line.text.to_lowercase().contains(&sought))
    }

    fn to(&mut self, towards: Towards, height: usize, is_it: impl Fn(&Line) -> bool) -> bool {
        let (here, count) = (self.cursor.at, self.seen.len());
        let is = |&at: &usize| is_it(&self.lines[self.seen[at]]);
        let found = match towards {
            Towards::Next => (here + 1..count).find(is),
            Towards::Previous => (0..here.min(count)).rev().find(is),
        };
        if let Some(at) = found {
            self.cursor.at = at;
            self.cursor.keep(count, height);
        }
        found.is_some()
    }

    fn look(&mut self) {
        let folded = &self.folded;
        let is_seen = |line: &Line| line.kind == Kind::File || !folded.contains(&line.file);
        self.seen = (0..self.lines.len()).filter(|&n| is_seen(&self.lines[n])).collect();
    }
}
