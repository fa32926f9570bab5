//! What is on the screen and what a key changes about it.
//!
//! Owns the state, and what is asked of who holds the history: an [`Action`]. Reads and draws nothing.
//! Invariant: nothing is asked to be done that was not shown and said yes to, with the key `y`.

use super::colouring;
use super::cursor::{Cursor, scrolls};
use super::diff_pane::{DiffPane, Towards};
use super::key::{Key, help};
use super::layout::{Layout, Side};
use super::patch::{self, Line};
use super::told;
use super::tree::{self, Node, Row};
use crate::history::Marking;
use crate::id::RecordId;
use crate::path::RepoPath;
use crate::record::RecordClass;
use crate::usecase::review::{Change, Details, Entry, LineShown, Outcome, Verb};
use std::collections::HashSet;

/// What is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// Nothing.
    Nothing,
    /// The end.
    Quit,
    /// To stop until the shell goes on with it.
    Suspend,
    /// To show what a change would do: [`Model::ask`], or [`Model::tell`].
    Preview(Change),
    /// To do it, if it still does what was shown.
    Do(Change, Outcome),
    /// To open a file at a line in an editor.
    Open(RepoPath, usize),
    /// To show who wrote the lines of a file, from a line on: [`Model::show_blame`].
    Blame(RepoPath, usize),
    /// To note that records were reviewed, or are not any more: [`Model::mark`].
    Mark(Vec<RecordId>, Marking),
    /// To copy an id.
    Copy(RecordId),
}

/// What the keys are for at the moment.
#[derive(Debug)]
pub(super) enum Mode {
    /// The two sides.
    Browse,
    /// Typing what is filtered by on the left, or looked for on the right; what it was before.
    Typing { text: String, before: String },
    /// Which part is to be undone or committed.
    Choosing(Verb),
    /// A question, and what it is about.
    Asking { change: Change, outcome: Outcome, lines: Vec<Line>, top: usize },
    /// Something to be read.
    Telling { title: String, text: String, lines: Vec<Line>, top: usize },
    /// The keys.
    Help { top: usize },
    /// Who wrote the lines of a file.
    Blame { path: RepoPath, lines: Vec<LineShown>, shown: Vec<Line>, cursor: Cursor },
}

/// Whether details are those of the list as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Age {
    Current,
    /// The list was read again since; they are shown until they are, too.
    Old,
}

/// The state.
#[derive(Debug)]
pub struct Model {
    pub(super) entries: Vec<Entry>,
    pub(super) rows: Vec<Row>,
    folded: HashSet<Node>,
    pub(super) tree: Cursor,
    pub(super) filter: String,
    pub(super) side: Side,
    /// Of the record that one is on, or was.
    details: Option<(RecordId, Details)>,
    /// How old they are.
    age: Age,
    pub(super) diff: DiffPane,
    pub(super) mode: Mode,
    pub(super) said: Option<String>,
    pub(super) size: (u16, u16),
}

impl Model {
    /// Of these records, the newest first.
    pub fn new(entries: Vec<Entry>) -> Self {
        let mut model = Self {
            entries,
            rows: Vec::new(),
            folded: HashSet::new(),
            tree: Cursor::default(),
            filter: String::new(),
            side: Side::Tree,
            details: None,
            age: Age::Current,
            diff: DiffPane::default(),
            mode: Mode::Browse,
            said: None,
            size: (80, 24),
        };
        model.look();
        model.tree.at = model.rows.iter().position(|row| matches!(row.node, Node::Record(_))).unwrap_or_default();
        model
    }

    /// The screen has this size, width first.
    pub fn resize(&mut self, size: (u16, u16)) {
        let is_as_wide = self.size.0 == size.0;
        self.size = size;
        if !is_as_wide {
            // What was cut to the old width is cut anew.
            match std::mem::replace(&mut self.mode, Mode::Browse) {
                Mode::Asking { change, outcome, .. } => self.ask(change, outcome),
                Mode::Telling { title, text, .. } => self.tell(title, &text),
                mode => self.mode = mode,
            }
        }
        self.keep();
    }

    /// The list as it is now; one stays on what one is on.
    pub fn replace(&mut self, entries: Vec<Entry>) {
        let here = self.row().map(|row| row.node.clone());
        self.entries = entries;
        self.look();
        if let Some(at) = self.rows.iter().position(|row| Some(&row.node) == here.as_ref()) {
            self.tree.at = at;
        }
        self.age = Age::Old;
        self.keep();
    }

    /// The record whose details are not known yet, and have to be for what is seen.
    pub fn lacking(&self) -> Option<&Entry> {
        let entry = self.entry()?;
        let is_there = self.details.as_ref().is_some_and(|(id, _)| *id == entry.item.record.id);
        (!is_there || self.age == Age::Old).then_some(entry)
    }

    /// Takes the details of the record that [`Self::lacking`] gave.
    pub fn give(&mut self, details: Details) {
        let Some(id) = self.entry().map(|entry| entry.item.record.id.clone()) else { return };
        let lines = colouring::of_record(&details);
        self.diff.refresh(lines, usize::from(self.layout().diff.height));
        (self.details, self.age) = (Some((id, details)), Age::Current);
    }

    /// Says something at the bottom, until the next key.
    pub fn say(&mut self, text: String) {
        self.said = Some(text);
    }

    /// Says nothing any more.
    pub fn unsay(&mut self) {
        self.said = None;
    }

    /// Asks whether to go on, now that it is shown what would be done.
    pub fn ask(&mut self, change: Change, outcome: Outcome) {
        let mut lines = self.notes(&outcome.text);
        lines.push(Line::note(""));
        // They are the hunks of what would be done, not those of a record.
        lines.extend(patch::parsed(&outcome.diff, 1).into_iter().map(|line| Line { hunk: None, ..line }));
        self.mode = Mode::Asking { change, outcome, lines, top: 0 };
        // Nothing hides the question.
        self.said = None;
    }

    /// Shows a text that needs more than a line.
    pub fn tell(&mut self, title: String, text: &str) {
        self.mode = Mode::Telling { title, text: text.to_owned(), lines: self.notes(text), top: 0 };
    }

    /// A text in lines that have room.
    fn notes(&self, text: &str) -> Vec<Line> {
        text.lines().flat_map(|line| Line::note(line).wrapped(usize::from(self.size.0))).collect()
    }

    /// Shows who wrote the lines of a file.
    pub fn show_blame(&mut self, path: RepoPath, lines: Vec<LineShown>, line: usize) {
        let mut cursor = Cursor::at(line.saturating_sub(1));
        cursor.keep(lines.len(), self.height_of_body());
        let shown = colouring::of_file(&path, lines.iter().map(|line| line.line.text.as_slice()));
        self.mode = Mode::Blame { path, lines, shown, cursor };
    }

    /// Takes a key.
    pub fn key(&mut self, key: Key) -> Action {
        self.said = None;
        match key {
            Key::Ctrl('c') => return Action::Quit,
            Key::Ctrl('z') => return Action::Suspend,
            _ => {}
        }
        let action = match self.mode {
            Mode::Browse => self.browse(key),
            Mode::Typing { .. } => self.typed(key),
            Mode::Choosing(verb) => self.chosen(verb, key),
            Mode::Asking { .. } => self.answered(key),
            Mode::Telling { .. } | Mode::Help { .. } => self.read(key),
            Mode::Blame { .. } => self.blamed(key),
        };
        self.keep();
        action
    }

    pub(super) fn layout(&self) -> Layout {
        Layout::of(self.size, self.side)
    }

    pub(super) fn row(&self) -> Option<&Row> {
        self.rows.get(self.tree.at)
    }

    /// The record that one is on.
    pub(super) fn entry(&self) -> Option<&Entry> {
        let row = self.row().filter(|row| matches!(row.node, Node::Record(_)))?;
        self.entries.get(*row.records.first()?)
    }

    /// Its details, where they are there.
    pub(super) fn details(&self) -> Option<&Details> {
        let id = &self.entry()?.item.record.id;
        self.details.as_ref().filter(|(of, _)| of == id).map(|(_, details)| details)
    }

    pub(super) fn is_folded(&self, node: &Node) -> bool {
        self.folded.contains(node)
    }

    fn height(&self, side: Side) -> usize {
        let layout = self.layout();
        usize::from(if side == Side::Tree { layout.tree.height } else { layout.diff.height })
    }

    pub(super) fn height_of_body(&self) -> usize {
        usize::from(self.layout().body.height)
    }

    /// Makes the rows anew.
    fn look(&mut self) {
        self.rows = tree::rows(&self.entries, &self.filter, &self.folded);
    }

    /// Keeps what one is on in sight; another record has its own diff.
    fn keep(&mut self) {
        let height = self.height(Side::Tree);
        self.tree.keep(self.rows.len(), height);
        let height = self.height(Side::Diff);
        self.diff.cursor.keep(self.diff.count(), height);
        if let Mode::Help { top } = &mut self.mode {
            *top = (*top).min(help(self.size.0).len().saturating_sub(usize::from(self.size.1).saturating_sub(2)));
        }
        let here = self.entry().map(|entry| entry.item.record.id.clone());
        let is_other = self.details.as_ref().is_some_and(|(id, _)| Some(id) != here.as_ref());
        if is_other {
            self.details = None;
            self.diff.set(Vec::new());
        }
    }

    fn browse(&mut self, key: Key) -> Action {
        let height = self.height(self.side);
        let has_moved = match self.side {
            Side::Tree => self.tree.moves(key, self.rows.len(), height),
            Side::Diff => self.diff.moves(key, height),
        };
        if has_moved {
            return Action::Nothing;
        }
        match key {
            Key::Char('q') => return Action::Quit,
            Key::Char('?') => self.mode = Mode::Help { top: 0 },
            Key::Tab => self.turn(),
            Key::Char('/') => {
                let before = if self.side == Side::Tree { &self.filter } else { &self.diff.sought }.clone();
                self.mode = Mode::Typing { text: before.clone(), before };
            }
            Key::Escape if self.side == Side::Tree && !self.filter.is_empty() => self.set_filter(String::new()),
            Key::Escape if self.side == Side::Diff => self.side = Side::Tree,
            Key::Char('-') => self.fold_all(tree::all_sessions(&self.entries)),
            Key::Char('=') => self.fold_all(HashSet::new()),
            Key::Char(']') => drop(self.diff.seek_hunk(Towards::Next, self.height(Side::Diff))),
            Key::Char('[') => drop(self.diff.seek_hunk(Towards::Previous, self.height(Side::Diff))),
            Key::Char('n') => self.next(Towards::Next),
            Key::Char('N') => self.next(Towards::Previous),
            Key::Char('u') => return self.wish(Verb::Undo),
            Key::Char('r') => return self.wish(Verb::Redo),
            Key::Char('c') => return self.wish(Verb::Commit),
            Key::Char('m') => return self.toggled(),
            Key::Char('M') => self.go_to_open(),
            Key::Char('b') => return self.at_file(Action::Blame),
            Key::Char('o') => return self.at_file(Action::Open),
            Key::Char('y') => match self.entry() {
                Some(entry) => return Action::Copy(entry.item.record.id.clone()),
                None => self.say("go to a record: it has an id to copy".to_owned()),
            },
            key if self.side == Side::Tree => self.fold_tree(key),
            key => self.fold_diff(key),
        }
        Action::Nothing
    }

    /// To the other side.
    fn turn(&mut self) {
        self.side = if self.side == Side::Tree && self.entry().is_some() { Side::Diff } else { Side::Tree };
    }

    fn fold_tree(&mut self, key: Key) {
        let Some(Row { node, depth, .. }) = self.row().cloned() else { return };
        let (is_record, is_folded) = (matches!(node, Node::Record(_)), self.folded.contains(&node));
        match key {
            Key::Enter | Key::Char(' ' | 'l') | Key::Right if is_record => self.side = Side::Diff,
            Key::Enter | Key::Char(' ' | 'l') | Key::Right if is_folded => drop(self.folded.remove(&node)),
            Key::Left | Key::Char('h') if is_record || is_folded => {
                let above = self.rows[..self.tree.at].iter().rposition(|row| row.depth < depth);
                self.tree.at = above.unwrap_or(self.tree.at);
            }
            Key::Enter | Key::Left | Key::Char(' ' | 'h') => drop(self.folded.insert(node)),
            _ => return,
        }
        self.look();
    }

    fn fold_diff(&mut self, key: Key) {
        match key {
            Key::Enter | Key::Char(' ') => self.diff.fold(self.height(Side::Diff)),
            Key::Right | Key::Char('l') => self.diff.aside(Towards::Next),
            Key::Left | Key::Char('h') if self.diff.column == 0 => self.side = Side::Tree,
            Key::Left | Key::Char('h') => self.diff.aside(Towards::Previous),
            _ => {}
        }
    }

    fn fold_all(&mut self, folded: HashSet<Node>) {
        let here = self.row().and_then(|row| row.records.first()).and_then(|&n| self.entries.get(n)).map(tree::above);
        let here = here.unwrap_or_default();
        let node = self.row().map(|row| row.node.clone());
        self.folded = folded;
        self.look();
        let is_here = |row: &Row| Some(&row.node) == node.as_ref();
        let at =
            self.rows.iter().position(is_here).or_else(|| self.rows.iter().position(|row| here.contains(&row.node)));
        self.tree.at = at.unwrap_or_default();
    }

    /// The next record, or what is looked for.
    fn next(&mut self, towards: Towards) {
        if self.side == Side::Diff {
            if !self.diff.seek_text(towards, self.height(Side::Diff)) {
                self.say("not found; / looks for something else".to_owned());
            }
            return;
        }
        let is_record = |&at: &usize| matches!(self.rows[at].node, Node::Record(_));
        let here = self.tree.at;
        let found = match towards {
            Towards::Next => (here + 1..self.rows.len()).find(is_record),
            Towards::Previous => (0..here).rev().find(is_record),
        };
        self.tree.at = found.unwrap_or(here);
    }

    fn set_filter(&mut self, filter: String) {
        let node = self.row().map(|row| row.node.clone());
        self.filter = filter;
        self.look();
        let same = self.rows.iter().position(|row| Some(&row.node) == node.as_ref());
        let first = || self.rows.iter().position(|row| matches!(row.node, Node::Record(_)));
        self.tree.at = same.or_else(first).unwrap_or_default();
    }

    fn typed(&mut self, key: Key) -> Action {
        let Mode::Typing { text, before } = &mut self.mode else { return Action::Nothing };
        match key {
            Key::Char(c) => text.push(c),
            Key::Backspace => drop(text.pop()),
            Key::Ctrl('u') => text.clear(),
            Key::Escape => text.clone_from(before),
            _ => {}
        }
        let text = text.clone();
        match self.side {
            Side::Tree => self.set_filter(text),
            Side::Diff => self.diff.sought = text,
        }
        if matches!(key, Key::Enter | Key::Escape) {
            self.mode = Mode::Browse;
            let is_sought = self.side == Side::Diff && key == Key::Enter;
            if is_sought && !self.diff.seek_text(Towards::Next, self.height(Side::Diff)) {
                // Perhaps above.
                self.next(Towards::Previous);
            }
        }
        Action::Nothing
    }

    /// What is wished for what one is on; in the diff it is asked first which part is meant.
    fn wish(&mut self, verb: Verb) -> Action {
        if self.side == Side::Diff && verb != Verb::Redo {
            self.mode = Mode::Choosing(verb);
            return Action::Nothing;
        }
        let ids: Vec<RecordId> = match self.entry() {
            Some(entry) => vec![entry.item.record.id.clone()],
            None => self.meant(verb).map(|entry| entry.item.record.id.clone()).collect(),
        };
        if ids.is_empty() {
            self.say("there is no record here for that".to_owned());
            return Action::Nothing;
        }
        Action::Preview(Change { verb, ids, path: None, hunk: None })
    }

    /// Those below a session or a turn that it makes sense for.
    fn meant(&self, verb: Verb) -> impl Iterator<Item = &Entry> {
        let below = self.row().into_iter().flat_map(|row| &row.records).filter_map(|&n| self.entries.get(n));
        below.filter(move |entry| {
            let is_edit = matches!(entry.item.record.kind, RecordClass::Edit | RecordClass::External);
            is_edit && entry.effect.is_in_force() != (verb == Verb::Redo)
        })
    }

    fn chosen(&mut self, verb: Verb, key: Key) -> Action {
        self.mode = Mode::Browse;
        let (Some(entry), Some(line)) = (self.entry(), self.diff.line()) else { return Action::Nothing };
        let path = || self.details().and_then(|details| details.files.get(line.file)).map(|file| file.path.clone());
        let whole = Change { verb, ids: vec![entry.item.record.id.clone()], path: None, hunk: None };
        match key {
            Key::Char('h') if verb == Verb::Undo => match line.hunk {
                Some(hunk) => Action::Preview(Change { hunk: Some(hunk), ..whole }),
                None => {
                    self.say("go to a line of the hunk first".to_owned());
                    Action::Nothing
                }
            },
            Key::Char('f') => Action::Preview(Change { path: path(), ..whole }),
            Key::Char('r') => Action::Preview(whole),
            _ => Action::Nothing,
        }
    }

    fn answered(&mut self, key: Key) -> Action {
        let height = self.height_of_body().saturating_sub(1);
        let Mode::Asking { change, outcome, lines, top } = &mut self.mode else { return Action::Nothing };
        match key {
            Key::Char('y' | 'Y') => {
                let action = Action::Do(change.clone(), outcome.clone());
                self.mode = Mode::Browse;
                action
            }
            Key::Char('n' | 'N' | 'q') | Key::Escape => {
                self.mode = Mode::Browse;
                self.say("nothing was done".to_owned());
                Action::Nothing
            }
            key => {
                scrolls(top, key, lines.len(), height);
                Action::Nothing
            }
        }
    }

    fn read(&mut self, key: Key) -> Action {
        let (width, height) = (self.size.0, self.height_of_body().saturating_sub(1));
        let (top, count) = match &mut self.mode {
            Mode::Telling { lines, top, .. } => (top, lines.len()),
            Mode::Help { top } => (top, help(width).len()),
            _ => return Action::Nothing,
        };
        if !scrolls(top, key, count, height) {
            self.mode = Mode::Browse;
        }
        Action::Nothing
    }

    fn blamed(&mut self, key: Key) -> Action {
        let height = self.height_of_body();
        let Mode::Blame { path, lines, cursor, .. } = &mut self.mode else { return Action::Nothing };
        if cursor.moves(key, lines.len(), height.saturating_sub(1)) {
            return Action::Nothing;
        }
        let at = cursor.at;
        match key {
            Key::Char('o') => return Action::Open(path.clone(), at + 1),
            Key::Char('q') | Key::Escape => self.mode = Mode::Browse,
            Key::Enter => {
                match lines.get(at).and_then(|line| line.line.record.as_ref()).map(|record| record.id.clone()) {
                    Some(id) => self.go_to(&id),
                    None => self.say("no record wrote this line".to_owned()),
                }
            }
            _ => {}
        }
        Action::Nothing
    }

    /// To a record, whatever hides it.
    fn go_to(&mut self, id: &RecordId) {
        if !self.entries.iter().any(|entry| entry.item.record.id == *id) {
            self.say(format!("{} is not among the records that are shown", told::short(id)));
            return;
        }
        self.filter.clear();
        self.show(id);
        (self.mode, self.side) = (Mode::Browse, Side::Tree);
    }

    /// To a record that fits the filter, whatever it is folded into.
    pub(super) fn show(&mut self, id: &RecordId) {
        let entry = self.entries.iter().find(|entry| entry.item.record.id == *id);
        for node in entry.map(tree::above).unwrap_or_default() {
            self.folded.remove(&node);
        }
        self.look();
        self.tree.at = self.rows.iter().position(|row| row.node == Node::Record(id.clone())).unwrap_or_default();
    }

    /// What is to be done at the file and the line that one is on; on the left, at the first of the record.
    fn at_file(&mut self, action: impl Fn(RepoPath, usize) -> Action) -> Action {
        let here = match self.side {
            Side::Diff => self.diff.line().map(|line| (line.file, line.number)),
            Side::Tree => self.entry().map(|_| (0, self.diff.first_number())),
        };
        let file = here.and_then(|(file, number)| {
            Some((self.entry()?.item.record.files.get(file)?.path.clone(), number.unwrap_or(1).max(1)))
        });
        match file {
            Some((path, line)) => action(path, line),
            None => {
                self.say("go to a record: it has files".to_owned());
                Action::Nothing
            }
        }
    }
}
