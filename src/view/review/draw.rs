//! The screen, drawn from the state.
//!
//! Owns what stands where. Changes nothing.
//! Invariant: only texts without control characters are drawn; they come from `told.rs` and `patch.rs`.

use super::colouring::parts;
use super::diff_pane::DiffPane;
use super::key::help;
use super::layout::{Layout, Side};
use super::model::{Mode, Model};
use super::palette::{Look, Palette};
use super::patch::{Kind, Line};
use super::told::{self, Times};
use super::tree::{Node, Row};
use crate::text::one_line;
use crate::usecase::report::Standing;
use crate::usecase::review::Verb;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line as Text, Span};

/// How it is drawn.
pub struct Scene<'a> {
    /// With colours or without.
    pub palette: Palette,
    /// How times are told.
    pub times: Times<'a>,
    /// The name of the repository.
    pub repository: &'a str,
}

impl Scene<'_> {
    /// Draws it all.
    pub fn draw(&self, model: &Model, frame: &mut Frame<'_>) {
        let layout = model.layout();
        if layout.body.is_empty() {
            return self.put(frame, layout.head, "too small", Look::Plain);
        }
        self.head(model, frame, layout.head);
        match &model.mode {
            Mode::Asking { lines, top, .. } | Mode::Telling { lines, top, .. } => {
                self.page(frame, layout.body, lines, *top);
            }
            Mode::Help { top } => self.help(frame, layout.body, *top),
            Mode::Blame { .. } => self.blame(model, frame, layout.body),
            Mode::Browse | Mode::Typing { .. } | Mode::Choosing(_) => self.sides(model, frame, &layout),
        }
        self.foot(model, frame, layout.foot);
    }

    fn put(&self, frame: &mut Frame<'_>, area: Rect, text: &str, look: Look) {
        frame.render_widget(Span::styled(text.to_owned(), self.palette.style(look)), area);
    }

    fn head(&self, model: &Model, frame: &mut Frame<'_>, area: Rect) {
        let title = match &model.mode {
            Mode::Asking { change, .. } => told::change(change),
            Mode::Telling { title, .. } => title.clone(),
            Mode::Help { .. } => "Keys".to_owned(),
            Mode::Blame { path, .. } => format!("Who wrote {}", told::path(path)),
            Mode::Browse | Mode::Typing { .. } | Mode::Choosing(_) => {
                let count = told::counted(model.entries.len(), "record");
                let filter = match model.filter.as_str() {
                    "" => String::new(),
                    filter => {
                        let fits = model.rows.iter().filter(|row| row.depth == 0).map(|row| row.records.len());
                        format!(", {} with /{}", fits.sum::<usize>(), one_line(filter))
                    }
                };
                let reviewed = match model.entries.iter().filter(|entry| entry.mark.is_some()).count() {
                    0 => String::new(),
                    reviewed => format!(", {reviewed} reviewed"),
                };
                format!("{}: {count}{reviewed}{filter}", one_line(self.repository))
            }
        };
        self.put(frame, area, &title, Look::Head);
    }

    fn sides(&self, model: &Model, frame: &mut Frame<'_>, layout: &Layout) {
        self.tree(model, frame, layout.tree);
        if !layout.tree.is_empty() && !layout.diff.is_empty() {
            for y in layout.diff.top()..layout.diff.bottom() {
                self.put(frame, Rect::new(layout.diff.x - 1, y, 1, 1), "│", Look::Number);
            }
        }
        self.diff(model, frame, layout.diff);
        self.facts(model, frame, layout.facts);
    }

    fn tree(&self, model: &Model, frame: &mut Frame<'_>, area: Rect) {
        if model.rows.is_empty() && !area.is_empty() {
            let text = match model.filter.as_str() {
                "" => "no record yet",
                _ => "no record has these words",
            };
            return self.put(frame, area, text, Look::Plain);
        }
        let seen = model.rows.iter().enumerate().skip(model.tree.top).zip(area.rows());
        for ((at, row), line) in seen {
            let mut text = self.row(model, row);
            if at == model.tree.at {
                let style = if model.side == Side::Tree { Palette::chosen } else { Palette::kept };
                frame.buffer_mut().set_style(line, style(Style::new()));
                text = text.style(style(Style::new()));
            }
            frame.render_widget(text, line);
        }
    }

    fn row(&self, model: &Model, row: &Row) -> Text<'static> {
        let text = told::row(row, &model.entries);
        let indent = "  ".repeat(row.depth);
        let style = |look| self.palette.style(look);
        let entry = row.records.first().and_then(|&n| model.entries.get(n));
        match (&row.node, entry) {
            (Node::Record(_), Some(entry)) => {
                let (id, message) = text.split_once(' ').unwrap_or((&text, ""));
                let is_undone = Standing::of(&entry.effect) == Standing::Undone;
                let look = if is_undone { Look::Undone } else { Look::Plain };
                Text::from(vec![
                    Span::raw(format!("{indent}{}{} ", told::sign(entry), told::mark(entry))),
                    Span::styled(id.to_owned(), style(Look::Id)),
                    Span::raw(" "),
                    Span::styled(message.to_owned(), style(look)),
                ])
            }
            (node, _) => {
                let sign = if model.is_folded(node) { "▸" } else { "▾" };
                Text::from(Span::styled(format!("{indent}{sign} {text}"), style(Look::Branch)))
            }
        }
    }

    fn diff(&self, model: &Model, frame: &mut Frame<'_>, area: Rect) {
        let Some(entry) = model.entry() else {
            let lines = model.row().map_or_else(Vec::new, |row| told::summary(row, &model.entries, &self.times));
            for (line, area) in lines.iter().zip(area.rows()) {
                self.put(frame, area, line, Look::Plain);
            }
            return;
        };
        if model.details().is_none() && !area.is_empty() {
            return self.put(frame, area, &format!("reading {} …", told::short(&entry.item.record.id)), Look::Plain);
        }
        let pane = &model.diff;
        for ((at, line), area) in pane.seen(usize::from(area.height)).zip(area.rows()) {
            let is_here = at == pane.cursor.at && model.side == Side::Diff;
            self.line(frame, area, line, &View { column: pane.column, sign: sign(pane, line) });
            if is_here {
                frame.buffer_mut().set_style(area, Palette::chosen(Style::new()));
            }
        }
    }

    /// A line of a diff.
    fn line(&self, frame: &mut Frame<'_>, area: Rect, line: &Line, view: &View) {
        let look = match line.kind {
            Kind::File => Look::Head,
            Kind::Hunk => Look::Hunk,
            Kind::Added => Look::Added,
            Kind::Removed => Look::Removed,
            Kind::Same | Kind::Note => Look::Plain,
        };
        let style = self.palette.style(look);
        let mut spans = vec![Span::styled(view.sign.to_owned(), style)];
        spans.extend(self.parts(line, style));
        if let (Kind::Hunk, Some(hunk)) = (line.kind, line.hunk) {
            spans.push(Span::styled(format!(" hunk {hunk}"), style));
        }
        frame.render_widget(Text::from(shifted(spans, view.column)), area);
    }

    /// A line with what makes the difference and what is of the language.
    fn parts(&self, line: &Line, style: Style) -> impl Iterator<Item = Span<'static>> {
        let parts = parts(line).into_iter().map(move |(range, is_marked, token)| {
            let style = token.map_or(style, |token| self.palette.token(style, token));
            let style = if is_marked { Palette::marked(style) } else { style };
            Span::styled(line.text[range].to_owned(), style)
        });
        parts.collect::<Vec<_>>().into_iter()
    }

    fn facts(&self, model: &Model, frame: &mut Frame<'_>, area: Rect) {
        if area.is_empty() {
            return;
        }
        self.put(frame, Rect { height: 1, ..area }, &"─".repeat(usize::from(area.width)), Look::Number);
        let lines = model.entry().map_or_else(Vec::new, |entry| told::facts(entry, model.details(), &self.times));
        for (line, area) in lines.iter().zip(area.rows().skip(1)) {
            self.put(frame, area, line, Look::Plain);
        }
    }

    fn page(&self, frame: &mut Frame<'_>, area: Rect, lines: &[Line], top: usize) {
        for (line, area) in lines.iter().skip(top).zip(area.rows()) {
            self.line(frame, area, line, &View { column: 0, sign: "" });
        }
    }

    fn help(&self, frame: &mut Frame<'_>, area: Rect, top: usize) {
        for (line, area) in help(area.width).iter().skip(top).zip(area.rows()) {
            self.put(frame, area, line, Look::Plain);
        }
    }

    fn blame(&self, model: &Model, frame: &mut Frame<'_>, area: Rect) {
        let Mode::Blame { lines, shown, cursor, .. } = &model.mode else { return };
        let seen = lines.iter().zip(shown).enumerate().skip(cursor.top).zip(area.rows());
        for ((at, (line, shown)), area) in seen {
            let mut told = vec![
                Span::styled(told::author(line, &self.times), self.palette.style(Look::Id)),
                Span::styled(format!(" {:>4} ", at + 1), self.palette.style(Look::Number)),
            ];
            told.extend(self.parts(shown, Style::new()));
            frame.render_widget(Text::from(told), area);
            if at == cursor.at {
                frame.buffer_mut().set_style(area, Palette::chosen(Style::new()));
            }
        }
    }

    fn foot(&self, model: &Model, frame: &mut Frame<'_>, area: Rect) {
        if let Some(said) = &model.said {
            return self.put(frame, area, &one_line(said), Look::Question);
        }
        let (text, look) = match &model.mode {
            Mode::Browse if model.side == Side::Tree => (
                "? keys  q quit  Enter diff  / filter  m mark  u undo  r redo  c commit  b blame".to_owned(),
                Look::Plain,
            ),
            Mode::Browse => {
                ("? keys  Tab records  ] hunk  / find  m mark  u undo  o edit  b blame  y id".to_owned(), Look::Plain)
            }
            Mode::Typing { text, .. } => (format!("/{}_", one_line(text)), Look::Question),
            Mode::Choosing(Verb::Undo) => ("undo: h hunk, f file, r record; Esc nothing".to_owned(), Look::Question),
            Mode::Choosing(_) => ("commit: f file, r record; Esc nothing".to_owned(), Look::Question),
            Mode::Asking { change, .. } => (format!("{}? y/n", told::change(change)), Look::Question),
            Mode::Telling { .. } => ("any key goes back".to_owned(), Look::Trouble),
            Mode::Help { .. } => ("any key goes back".to_owned(), Look::Plain),
            Mode::Blame { .. } => ("Enter to the record  o edit  q back".to_owned(), Look::Plain),
        };
        self.put(frame, area, &text, look);
    }
}

/// How a line of a diff is seen.
struct View {
    /// So many columns are left of it.
    column: usize,
    /// What stands before it.
    sign: &'static str,
}

fn sign(pane: &DiffPane, line: &Line) -> &'static str {
    match line.kind {
        Kind::File if pane.is_folded(line.file) => "▸ ",
        Kind::File => "▾ ",
        _ => "",
    }
}

/// Without its first characters.
fn shifted(spans: Vec<Span<'static>>, mut columns: usize) -> Vec<Span<'static>> {
    let shift = |span: Span<'static>| {
        let text: String = span.content.chars().skip(columns).collect();
        columns = columns.saturating_sub(span.content.chars().count());
        Span::styled(text, span.style)
    };
    spans.into_iter().map(shift).collect()
}
