//! What is said of sessions, turns, records and files, in lines without anything that a terminal would obey.
//!
//! Owns the words. Invariant: whatever others wrote goes through [`one_line`] or [`quoted_path`].

use super::tree::{Node, Row};
use crate::change::ChangeKind;
use crate::history::{At, FileEffect};
use crate::id::RecordId;
use crate::record::{RecordClass, TextsKept};
use crate::text::{one_line, quoted_path};
use crate::usecase::report::{Diff, Standing};
use crate::usecase::review::{Change, Details, Entry, FileShown, LineShown, Verb};
use std::collections::BTreeSet;

/// How times are told, milliseconds since 1970-01-01 UTC.
pub struct Times<'a> {
    /// As how long ago.
    pub relative: &'a dyn Fn(i64) -> String,
    /// As the date and the time of day here.
    pub local: &'a dyn Fn(i64) -> String,
}

/// The letters of an id that are shown.
const SHORT: usize = 8;

/// The beginning of an id.
pub(super) fn short(id: &RecordId) -> &str {
    &id.as_str()[..SHORT]
}

/// `1 record`, `2 records`.
pub(super) fn counted(n: usize, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}

/// A name that others gave, or what is said where there is none.
pub(super) fn name(name: Option<&str>, none: &str) -> String {
    name.map_or_else(|| none.to_owned(), |name| one_line(name).into_owned())
}

/// A path.
pub(super) fn path(path: &crate::path::RepoPath) -> String {
    quoted_path(path).into_owned()
}

/// What a row says behind its sign.
pub(super) fn row(row: &Row, entries: &[Entry]) -> String {
    match &row.node {
        Node::Session((session, agent)) => {
            let agent = name(agent.as_deref(), "no agent");
            format!(
                "{} ({agent}) {}{}",
                name(session.as_deref(), "no session"),
                row.records.len(),
                all_marked(row, entries)
            )
        }
        Node::Turn(_, turn) => format!("{} {}{}", one_line(turn), row.records.len(), all_marked(row, entries)),
        Node::Record(id) => {
            let Some(entry) = row.records.first().and_then(|&n| entries.get(n)) else { return String::new() };
            format!("{} {}", short(id), message(entry))
        }
    }
}

/// A sign behind a session or a turn of which all was looked at.
fn all_marked(row: &Row, entries: &[Entry]) -> &'static str {
    let is_marked = |&n: &usize| entries.get(n).is_some_and(|entry| entry.mark.is_some());
    if row.records.iter().all(is_marked) { " ✓" } else { "" }
}

/// What a record is about, on one line: what was done to which file, or why, where that is told.
fn message(entry: &Entry) -> String {
    let record = &entry.item.record;
    let first = record.meta.message.as_ref().and_then(|message| message.lines().find(|line| !line.trim().is_empty()));
    one_line(first.unwrap_or(&record.subject())).into_owned()
}

/// A sign for what was looked at.
pub(super) fn mark(entry: &Entry) -> char {
    if entry.mark.is_some() { '✓' } else { ' ' }
}

/// A letter for what of a record is in force: `-` for nothing, `~` for a part.
pub(super) fn sign(entry: &Entry) -> char {
    match Standing::of(&entry.effect) {
        Standing::InForce => ' ',
        Standing::PartlyUndone => '~',
        Standing::Undone => '-',
    }
}

fn standing(entry: &Entry) -> String {
    match entry.effect.undone_by() {
        Some(by) => format!("undone by {}", short(by)),
        None if Standing::of(&entry.effect) == Standing::PartlyUndone => "partly undone".to_owned(),
        None => "in force".to_owned(),
    }
}

/// What is known of a record: a line each for what it is, why, by whom, how and where.
pub(super) fn facts(entry: &Entry, details: Option<&Details>, times: &Times<'_>) -> Vec<String> {
    let record = &entry.item.record;
    let meta = &record.meta;
    let kind = match record.kind {
        RecordClass::Edit => "edit",
        RecordClass::Undo => "undo",
        RecordClass::Redo => "redo",
        RecordClass::External => "external",
    };
    let (relative, local) = ((times.relative)(record.time_ms), (times.local)(record.time_ms));
    let mut first = format!("{}  {kind}, {}, {relative} ({local})", record.id, standing(entry));
    if !meta.undoes.is_empty() {
        let ids: Vec<&str> = meta.undoes.iter().map(short).collect();
        first.push_str(&format!(", of {}", ids.join(" ")));
    }
    let message = meta.message.as_deref().map(|message| one_line(message.trim()).replace('\u{2424}', "  "));
    let by = [
        meta.agent.as_deref().map(|agent| format!("by {}", one_line(agent))),
        meta.model.as_deref().map(|model| format!("({})", one_line(model))),
        meta.session.as_deref().map(|session| format!("session {}", one_line(session))),
        meta.turn.as_deref().map(|turn| format!("turn {}", one_line(turn))),
        meta.subagent.as_deref().map(|subagent| format!("subagent {}", one_line(subagent))),
    ];
    let by: Vec<String> = by.into_iter().flatten().collect();
    let command = meta.observed.as_ref().map(|observed| {
        let others = if observed.shared.is_empty() { "" } else { ", or another call" };
        format!("$ {}{others}", one_line(observed.command.as_ref().unwrap_or(&observed.tool)))
    });
    let place = [
        meta.branch.as_deref().map(|branch| format!("on {}", one_line(branch))),
        meta.base.map(|base| format!("at {base:.10}")),
        reviewed(entry, times),
        Some(committed(details)),
        meta.stash.map(|stash| format!("git stash {stash:.10}")),
        matches!(entry.item.at, At::Journal { .. }).then(|| "not sealed yet".to_owned()),
    ];
    let place: Vec<String> = place.into_iter().flatten().filter(|part| !part.is_empty()).collect();
    let lines = [
        Some(first),
        Some(message.unwrap_or_else(|| record.subject())).map(|line| one_line(&line).into_owned()),
        Some(by.join(" ")).filter(|by| !by.is_empty()),
        command,
        Some(place.join(", ")),
    ];
    lines.into_iter().flatten().collect()
}

fn reviewed(entry: &Entry, times: &Times<'_>) -> Option<String> {
    let mark = entry.mark.as_ref()?;
    let at = mark.time_ms.map_or_else(String::new, |time_ms| format!(" {}", (times.relative)(time_ms)));
    let by = mark.by.as_deref().map_or_else(String::new, |by| format!(" by {}", one_line(by)));
    Some(format!("reviewed{by}{at}"))
}

fn committed(details: Option<&Details>) -> String {
    let commits = details.map_or(&[][..], |details| &details.commits);
    match commits {
        [] if details.is_none() => String::new(),
        [] => "in no git commit".to_owned(),
        commits => {
            let named: Vec<String> = commits.iter().map(|commit| format!("{commit:.10}")).collect();
            format!("git commit {}", named.join(" "))
        }
    }
}

/// What stands on the right of a session or a turn.
pub(super) fn summary(row: &Row, entries: &[Entry], times: &Times<'_>) -> Vec<String> {
    let of: Vec<&Entry> = row.records.iter().filter_map(|&n| entries.get(n)).collect();
    let undone = of.iter().filter(|entry| !entry.effect.is_in_force()).count();
    let what = match &row.node {
        Node::Session((session, _)) => format!("session {}", name(session.as_deref(), "without a name")),
        Node::Turn(_, turn) => format!("turn {}", one_line(turn)),
        Node::Record(id) => format!("record {}", short(id)),
    };
    let reviewed = of.iter().filter(|entry| entry.mark.is_some()).count();
    let mut lines = vec![what, format!("{}, {undone} undone, {reviewed} reviewed", counted(of.len(), "record"))];
    if let (Some(newest), Some(oldest)) = (of.first(), of.last()) {
        lines.push(format!("from {}", (times.local)(oldest.item.record.time_ms)));
        lines.push(format!("to   {}", (times.local)(newest.item.record.time_ms)));
    }
    let files: BTreeSet<String> =
        of.iter().flat_map(|entry| &entry.item.record.files).map(|file| path(&file.path)).collect();
    lines.push(String::new());
    lines.push(counted(files.len(), "file"));
    lines.extend(files.into_iter().map(|file| format!("  {file}")));
    lines
}

/// The head of a file.
pub(super) fn file(file: &FileShown) -> String {
    let verb = match file.change {
        ChangeKind::Create => "create",
        ChangeKind::Modify => "edit",
        ChangeKind::Delete => "delete",
        ChangeKind::Rename => "rename",
    };
    let from = file.from.as_ref().map_or(String::new(), |from| format!("{} to ", path(from)));
    let standing = match &file.effect {
        FileEffect::InForce => String::new(),
        FileEffect::Partly(_, by) => format!(" (partly undone by {})", short(by)),
        FileEffect::Undone(by) => format!(" (undone by {})", short(by)),
    };
    format!("{verb} {from}{}{standing}", path(&file.path))
}

/// Why a file has no hunks.
pub(super) fn no_diff(diff: &Diff) -> &'static str {
    match diff {
        Diff::Hunks { .. } | Diff::LeftOut => "(the diff is left out)",
        Diff::Nothing => "(no line of it changed)",
        Diff::Binary => "(it is no text)",
        Diff::Unreadable => "(the history cannot tell it: `redraft fsck`)",
        Diff::NotKept { why } => match why {
            TextsKept::Ignored => "(its texts are not kept: git ignores it)",
            TextsKept::Large => "(its texts are not kept: it is large)",
            TextsKept::Lost => "(its texts were gone when the record was sealed)",
            TextsKept::Purged | TextsKept::Stored => "(its texts were purged)",
        },
    }
}

/// What is about to be done.
pub(super) fn change(change: &Change) -> String {
    let verb = match change.verb {
        Verb::Undo => "Undo",
        Verb::Redo => "Redo",
        Verb::Commit => "Commit",
    };
    let of = match change.ids.as_slice() {
        [one] => format!("record {}", short(one)),
        several => counted(several.len(), "record"),
    };
    match (change.hunk, &change.path) {
        (Some(hunk), _) => format!("{verb} hunk {hunk} of {of}"),
        (None, Some(in_file)) => format!("{verb} {of} in {}", path(in_file)),
        (None, None) => format!("{verb} {of}"),
    }
}

/// Who wrote a line of a file, and when.
pub(super) fn author(line: &LineShown, times: &Times<'_>) -> String {
    match (&line.line.record, &line.line.commit) {
        (Some(record), _) => {
            format!(
                "{} {:<10.10} {:<14.14}",
                short(&record.id),
                name(record.agent.as_deref(), "an agent"),
                (times.relative)(record.time_ms)
            )
        }
        (None, Some(commit)) => {
            let (who, at) = line.author.as_ref().map_or_else(Default::default, |author| {
                (one_line(&author.name).into_owned(), (times.relative)(author.time_ms))
            });
            format!("{:<8} {who:<10.10} {at:<14.14}", format!("{commit:.8}"))
        }
        (None, None) => format!("{:<8} {:<10} {:<14}", "-", "nobody", ""),
    }
}
