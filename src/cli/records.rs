//! Records for people: as `log`, `show` and `diff` print them.

use super::page::Page;
use super::when;
use crate::history::{At, Effect, FileEffect, Item, RecordHunk};
use crate::record::Record;
use crate::record::RecordClass;
use crate::request::RecordKind;
use anstyle::{AnsiColor, Style};

/// The letters of an id that are shown: enough to be unique among billions.
pub(super) const SHORT: usize = 8;

/// The beginning of an id.
pub(super) fn short(id: &crate::id::RecordId) -> &str {
    &id.as_str()[..SHORT]
}

/// Text in a colour, where colours are wanted.
pub(super) fn paint(page: &Page, text: &str, colour: AnsiColor) -> String {
    if page.colour {
        let style = Style::new().fg_color(Some(colour.into()));
        format!("{style}{text}{style:#}")
    } else {
        text.to_owned()
    }
}

/// The name of a sort of record, as on the wire.
pub(super) fn kind_name(kind: RecordClass) -> &'static str {
    match kind {
        RecordClass::Edit => "edit",
        RecordClass::Undo => "undo",
        RecordClass::Redo => "redo",
        RecordClass::External => "external",
    }
}

/// The sort with this name.
pub(super) fn kind_of(name: &str) -> Result<RecordClass, String> {
    [RecordClass::Edit, RecordClass::Undo, RecordClass::Redo, RecordClass::External]
        .into_iter()
        .find(|kind| kind_name(*kind) == name)
        .ok_or_else(|| "edit, undo, redo or external".to_owned())
}

/// What is to be said beside a record: whether it is undone, and where it is.
fn marks(record: &Record, effect: &Effect, item: &Item) -> Vec<String> {
    let mut out = Vec::new();
    if let Some(by) = effect.undone_by() {
        out.push(format!("undone by {}", short(by)));
    } else if effect.files.iter().any(|file| !matches!(file, FileEffect::InForce)) {
        out.push("partly undone".to_owned());
    }
    if let Some(commit) = record.meta.commit {
        out.push(format!("git commit {commit:.10}"));
    }
    if let Some(stash) = record.meta.stash {
        out.push(format!("git stash {stash:.10}"));
    }
    if !item.is_own {
        out.push("another worktree".to_owned());
    }
    if matches!(item.at, At::Journal { .. }) && record.meta.record == RecordKind::None {
        out.push("not recorded".to_owned());
    }
    out
}

/// One line.
pub(super) fn oneline(page: &Page, item: &Item, record: &Record, effect: &Effect) -> String {
    let mut line = paint(page, short(&record.id), AnsiColor::Yellow);
    let marks = marks(record, effect, item);
    if !marks.is_empty() {
        line.push(' ');
        line.push_str(&paint(page, &format!("({})", marks.join(", ")), AnsiColor::Cyan));
    }
    line.push(' ');
    line.push_str(&record.subject());
    if let Some(message) = record.meta.message.as_ref().and_then(|message| message.lines().next()) {
        line.push_str(&format!(": {}", plain(message)));
    }
    line.push('\n');
    line
}

/// Several lines, as `git log` has them.
pub(super) fn full(page: &Page, item: &Item, record: &Record, effect: &Effect) -> String {
    let mut out = paint(page, &format!("record {}", record.id), AnsiColor::Yellow);
    let marks = marks(record, effect, item);
    if !marks.is_empty() {
        out.push(' ');
        out.push_str(&paint(page, &format!("({})", marks.join(", ")), AnsiColor::Cyan));
    }
    out.push('\n');
    let meta = &record.meta;
    if let Some(agent) = &meta.agent {
        let model = meta.model.as_ref().map_or(String::new(), |model| format!(" ({model})"));
        out.push_str(&format!("Agent:   {}{}\n", plain(agent), plain(&model)));
    }
    if let Some(session) = &meta.session {
        out.push_str(&format!("Session: {}\n", plain(session)));
    }
    out.push_str(&format!("Date:    {} ({})\n", when::local(record.time_ms), when::relative(record.time_ms)));
    if !meta.undoes.is_empty() {
        let ids: Vec<&str> = meta.undoes.iter().map(short).collect();
        out.push_str(&format!("Undoes:  {}\n", ids.join(" ")));
    }
    out.push_str(&format!("\n    {}\n", record.subject()));
    if let Some(message) = meta.message.as_ref().filter(|message| !message.trim().is_empty()) {
        out.push('\n');
        for line in message.trim_end().lines() {
            out.push_str(format!("    {}", plain(line)).trim_end());
            out.push('\n');
        }
    }
    out
}

/// What people typed may hold anything; a terminal must not obey it.
fn plain(text: &str) -> String {
    text.chars().map(|c| if c.is_control() && c != '\t' { '?' } else { c }).collect()
}

/// A unified diff in git's colours; with `first_hunk`, every hunk's head tells its number.
pub(super) fn diff(page: &Page, text: &str, first_hunk: Option<usize>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut number = first_hunk;
    for line in text.lines() {
        let mut shown = line.to_owned();
        let colour = match line.as_bytes().first() {
            Some(b'@') => {
                if let Some(n) = number {
                    shown.push_str(&format!(" hunk {n}"));
                    number = Some(n + 1);
                }
                Some(AnsiColor::Cyan)
            }
            Some(b'+') => Some(AnsiColor::Green),
            Some(b'-') => Some(AnsiColor::Red),
            _ => None,
        };
        match colour {
            Some(colour) => out.push_str(&paint(page, &shown, colour)),
            None => out.push_str(&shown),
        }
        out.push('\n');
    }
    out
}

/// The number of hunks of a file.
pub(super) fn count(hunks: &[RecordHunk]) -> usize {
    hunks.len()
}
