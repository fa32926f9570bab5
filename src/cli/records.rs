//! Records for people: as `log`, `show` and `diff` print them.

use super::date::DateForm;
use super::page::Page;
use super::when;
use crate::history::{At, Effect, FileEffect, Logged, RecordHunk};
use crate::record::Record;
use crate::record::RecordClass;
use crate::request::RecordKind;
use crate::text::{one_line, visible};
use anstyle::{AnsiColor, Style};

/// The letters of an id that are shown: enough to be unique among billions.
pub(super) const SHORT: usize = 8;

/// The beginning of an id.
pub(super) fn short(id: &crate::id::RecordId) -> &str {
    &id.as_str()[..SHORT]
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
pub(super) fn marks(logged: &Logged, record: &Record) -> Vec<String> {
    let Logged { item, effect, commits, mark } = logged;
    let mut out = Vec::new();
    if let Some(by) = effect.undone_by() {
        out.push(format!("undone by {}", short(by)));
    } else if effect.files.iter().any(|file| !matches!(file, FileEffect::InForce)) {
        out.push("partly undone".to_owned());
    }
    out.extend(mark.iter().map(|_| "reviewed".to_owned()));
    out.extend(commits.iter().map(|commit| format!("git commit {commit:.10}")));
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
pub(super) fn oneline(page: &Page, logged: &Logged, record: &Record) -> String {
    let mut line = page.paint.colour(short(&record.id), AnsiColor::Yellow);
    let marks = marks(logged, record);
    if !marks.is_empty() {
        line.push(' ');
        line.push_str(&page.paint.colour(&format!("({})", marks.join(", ")), AnsiColor::Cyan));
    }
    let mut told = one_line(&record.subject()).into_owned();
    if let Some(message) = record.meta.message.as_ref().and_then(|message| message.lines().next()) {
        told.push_str(&format!(": {}", one_line(message)));
    }
    line.push_str(&format!(" {}\n", of_effect(page, &told, &logged.effect)));
    line
}

/// Struck through where the record is undone, which is said beside it, too.
fn of_effect(page: &Page, text: &str, effect: &Effect) -> String {
    match effect.undone_by() {
        Some(_) => page.paint.with(text, Style::new().dimmed().strikethrough()),
        None => text.to_owned(),
    }
}

/// Several lines, as `git log` has them; the date in a form, or as a time and how long ago.
pub(super) fn full(page: &Page, logged: &Logged, record: &Record, date: Option<&DateForm>) -> String {
    let mut out = page.paint.colour(&format!("record {}", record.id), AnsiColor::Yellow);
    let marks = marks(logged, record);
    if !marks.is_empty() {
        out.push(' ');
        out.push_str(&page.paint.colour(&format!("({})", marks.join(", ")), AnsiColor::Cyan));
    }
    out.push('\n');
    let meta = &record.meta;
    if let Some(agent) = &meta.agent {
        let model = meta.model.as_ref().map_or(String::new(), |model| format!(" ({model})"));
        out.push_str(&format!("Agent:   {}{}\n", one_line(agent), one_line(&model)));
    }
    if let Some(session) = &meta.session {
        out.push_str(&format!("Session: {}\n", one_line(session)));
    }
    if let Some(turn) = &meta.turn {
        out.push_str(&format!("Turn:    {}\n", one_line(turn)));
    }
    if let Some(observed) = &meta.observed {
        let by = observed.command.as_ref().unwrap_or(&observed.tool);
        out.push_str(&format!("Command: {}\n", one_line(by)));
    }
    let date = date.map_or_else(
        || format!("{} ({})", when::local(&page.env, record.time_ms), when::relative(&page.env, record.time_ms)),
        |date| date.shown(&page.env, record.time_ms),
    );
    out.push_str(&format!("Date:    {date}\n"));
    if let Some(mark) = &logged.mark {
        let by = mark.by.as_deref().unwrap_or("somebody");
        let at = mark.time_ms.map_or_else(String::new, |time_ms| format!(", {}", when::local(&page.env, time_ms)));
        out.push_str(&format!("Reviewed: by {}{at}\n", one_line(by)));
    }
    if let Some(branch) = &meta.branch {
        out.push_str(&format!("Branch:  {}\n", one_line(branch)));
    }
    if let Some(base) = &meta.base {
        out.push_str(&format!("Base:    {base:.10}\n"));
    }
    if !meta.undoes.is_empty() {
        let ids: Vec<&str> = meta.undoes.iter().map(short).collect();
        out.push_str(&format!("Undoes:  {}\n", ids.join(" ")));
    }
    out.push_str(&format!("\n    {}\n", of_effect(page, &one_line(&record.subject()), &logged.effect)));
    if let Some(message) = meta.message.as_ref().filter(|message| !message.trim().is_empty()) {
        out.push('\n');
        for line in message.trim_end().lines() {
            out.push_str(format!("    {}", one_line(line)).trim_end());
            out.push('\n');
        }
    }
    out
}

/// A unified diff in git's colours; with `first_hunk`, every hunk's head tells its number.
pub(super) fn diff(page: &Page, text: &str, first_hunk: Option<usize>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut number = first_hunk;
    for line in visible(text).lines() {
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
            Some(colour) => out.push_str(&page.paint.colour(&shown, colour)),
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
