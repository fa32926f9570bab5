//! What is said of a change that was made, or in a dry run would be: a sentence or three.
//!
//! Owns the summaries, that of an edit and that of an undo. Finds nothing out.

use super::{TO_SEE_ALL, after_dry_run, warning};
use crate::change::ChangeKind;
use crate::dialect::Words;
use crate::flow::Done;
use crate::git_record::GitResult;
use crate::history::{HistoryError, NameChange, UndoConflict, UndoPlan};
use crate::id::RecordId;
use crate::patch::Preview;
use crate::path::RepoPath;
use crate::record::{Record, RecordClass};
use crate::request::RecordKind;
use crate::text::{one_line, quoted_path};
use crate::transaction::PlannedFile;

/// So many files are named.
const MOST_FILES: usize = 5;

/// So many records are named.
const MOST_RECORDS: usize = 3;

/// An undo or redo, with what its summary is made of.
#[derive(Debug)]
pub struct UndoSummary<'a> {
    /// What was to be done.
    pub plan: &'a UndoPlan,
    /// How far it went.
    pub done: &'a Done,
    /// In the order of the plan's changes.
    pub files: &'a [FileBack<'a>],
    /// What stands between conflict markers now.
    pub marked: &'a [UndoConflict],
    /// Where it is recorded.
    pub record: RecordKind,
}

/// A file that is as it was, as far as that goes.
#[derive(Debug)]
pub struct FileBack<'a> {
    /// What became of its name.
    pub change: NameChange<'a>,
    /// The file.
    pub file: &'a PlannedFile,
    /// Whether changes stay in it that came after what was undone.
    pub keeps_later: bool,
}

/// What an edit did.
pub fn edited(done: &Done, replacements: usize, preview: &Preview, words: &Words) -> String {
    let mut files: Vec<String> =
        done.files.iter().take(MOST_FILES).map(|file| edited_file(&file.planned, done)).collect();
    if done.files.len() > MOST_FILES {
        files.push(format!("and {} more", done.files.len() - MOST_FILES));
    }
    let has_edits = done.files.iter().any(|file| !file.report.edits.is_empty());
    let count = if has_edits { format!(" ({})", counted(replacements, "replacement")) } else { String::new() };
    let mut text = format!("{}{count}", files.join(", "));
    if done.is_dry_run() {
        text = format!("partial: dry run, nothing was written; {text}; {}", after_dry_run(words));
    } else if preview.truncated {
        text = format!("partial: everything is written, only the diff preview is cut ({TO_SEE_ALL}); {text}");
    }
    if let Some(commit) = done.in_git().and_then(GitResult::commit) {
        text.push_str(&format!("; git commit {commit:.10}"));
    }
    if let Some(stash) = done.in_git().and_then(GitResult::stash) {
        let only = if done.is_applied() { "also" } else { "only there: the working tree is as it was" };
        text.push_str(&format!("; stash entry {stash:.10} ({only})"));
    }
    if let Some(id) = done.id() {
        text.push_str(&format!("; record {id}"));
    }
    for met in &done.warnings {
        text.push_str(&format!("; warning: {}", warning(met, words)));
    }
    text
}

fn edited_file(file: &PlannedFile, done: &Done) -> String {
    let verb = match (file.change, done.is_dry_run()) {
        (ChangeKind::Modify, false) => "edited",
        (ChangeKind::Create, false) => "created",
        (ChangeKind::Delete, false) => "deleted",
        (ChangeKind::Rename, false) => "renamed",
        (ChangeKind::Modify, true) => "would edit",
        (ChangeKind::Create, true) => "would create",
        (ChangeKind::Delete, true) => "would delete",
        (ChangeKind::Rename, true) => "would rename",
    };
    match &file.from {
        Some(from) => format!("{verb} {} to {}", shown(&from.path), shown(&file.place.path)),
        None if file.change == ChangeKind::Create => {
            let lines = file.after_bytes().split_inclusive(|&byte| byte == b'\n').count();
            format!("{verb} {} ({})", shown(&file.place.path), counted(lines, "line"))
        }
        None => format!("{verb} {}", shown(&file.place.path)),
    }
}

/// What bringing files back as they were did; `told` is what is said of it as of an edit.
pub fn restored(at: &RecordId, told: &str) -> String {
    format!("as right after record {at}: {told}; `redraft undo` takes this back")
}

/// A number of things.
fn counted(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

/// What an undo or redo did: what came back and what stayed.
pub fn undone(summary: &UndoSummary<'_>) -> String {
    let UndoSummary { plan, done, files, marked, record: kind } = summary;
    let is_redo = plan.class == RecordClass::Redo;
    let mut text = String::new();
    if done.is_dry_run() {
        text.push_str("partial: dry run, nothing was written; ");
    }
    if !marked.is_empty() {
        text.push_str(&format!("partial: {} places did not fit and stand between conflict markers; ", marked.len()));
    }
    if !plan.skipped.is_empty() {
        let skipped = plan.skipped.clone();
        let skipped = if is_redo { HistoryError::RedoConflict(skipped) } else { HistoryError::UndoConflict(skipped) };
        let left = match plan.skipped.len() {
            1 => "1 place was left as it is".to_owned(),
            count => format!("{count} places were left as they are"),
        };
        text.push_str(&format!("partial: {left} ({skipped}); "));
    }
    let verb = match (is_redo, done.is_dry_run()) {
        (true, false) => "redid",
        (true, true) => "would redo",
        (false, false) => "undid",
        (false, true) => "would undo",
    };
    let undone: Vec<&Record> = plan.undone.iter().filter(|record| !plan.already.contains(&record.id)).collect();
    let records: Vec<String> = undone.iter().take(MOST_RECORDS).map(|undone| record(undone)).collect();
    let more = match undone.len().saturating_sub(MOST_RECORDS) {
        0 => String::new(),
        more => format!(" and {more} more records"),
    };
    text.push_str(&format!("{verb} {}{more}: ", records.join(", ")));
    let named: Vec<String> = files.iter().take(MOST_FILES).map(file_back).collect();
    text.push_str(&named.join("; "));
    if files.len() > MOST_FILES {
        text.push_str(&format!("; and {} more files", files.len() - MOST_FILES));
    }
    let is_committed = undone.iter().any(|record| record.meta.commit.is_some());
    if !is_redo && is_committed && *kind != RecordKind::Commit {
        text.push_str("; the git commit of it stays, the working tree is without it");
    }
    text.push_str(&not_done(plan, if is_redo { ["brought", "redone"] } else { ["taken", "undone"] }));
    if let Some(id) = done.id() {
        let back = if is_redo { "undo" } else { "redo" };
        text.push_str(&format!("; record {id} (`redraft {back} {id}` takes this back)"));
    }
    for met in &done.warnings {
        text.push_str(&format!("; note: {}", warning(met, &Words::COMMAND_LINE)));
    }
    text
}

/// Those of which nothing is done: nothing was left of them, or they were undone before, whatever somebody put there again. The words are those for
/// what would have been done, and for what is.
fn not_done(plan: &UndoPlan, [back, done]: [&str; 2]) -> String {
    let is_left = |id: &&RecordId| plan.undone.iter().any(|record| record.id == **id);
    let (left, before): (Vec<&RecordId>, Vec<&RecordId>) = plan.already.iter().partition(is_left);
    let names = |ids: &[&RecordId]| ids.iter().map(|id| id.as_str()).collect::<Vec<_>>().join(", ");
    let left = (!left.is_empty()).then(|| format!("; nothing was left of {} to be {back} back", names(&left)));
    let before = (!before.is_empty()).then(|| format!("; {} {done} already", names(&before)));
    left.into_iter().chain(before).collect()
}

fn record(record: &Record) -> String {
    let by = record.meta.agent.as_ref().map_or(String::new(), |agent| format!(" of {}", one_line(agent)));
    format!("{} ({}{by})", record.id, record.subject())
}

fn file_back(FileBack { change, file, keeps_later }: &FileBack<'_>) -> String {
    let path = shown(&file.place.path);
    match file.change {
        ChangeKind::Modify if matches!(change, NameChange::Taken { .. }) => match &change.slot().disk {
            Some(was) => format!("{} is called {path} again", shown(was)),
            None => format!("{path} is back"),
        },
        ChangeKind::Create => format!("{path} is back"),
        ChangeKind::Delete => format!("{path} is gone again, as it was created"),
        ChangeKind::Rename => {
            let stay = if *keeps_later { ", with its later changes" } else { "" };
            format!("{} is called {path} again{stay}", shown(&file.source().path))
        }
        ChangeKind::Modify if change.slot().targets.iter().any(|target| target.splices.is_some()) => {
            format!("{path} has its old lines back where that was asked for, and the rest of it stays")
        }
        ChangeKind::Modify if *keeps_later => format!("{path} has its old lines back, and later changes in it stay"),
        ChangeKind::Modify => format!("{path} is as it was before"),
    }
}

fn shown(path: &RepoPath) -> String {
    quoted_path(path).into_owned()
}

/// Says of a recorded answer that it is one, and what became of the edit.
pub fn replayed(text: &mut String, undone_by: Option<&RecordId>) {
    let since = undone_by.map_or_else(String::new, |by| format!(", and undone since by {by}"));
    let end = if text.ends_with('\n') { "" } else { "\n" };
    text.push_str(&format!("{end}this request was done before{since}; it was not done again"));
}
