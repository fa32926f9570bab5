//! What agents did, as somebody goes through it at a terminal: the list at once, what is behind a record when it is looked at.
//!
//! Owns what is read for that, and what an undo, a redo or a commit of something that is shown would do. Does not draw it, and knows no
//! keys: that is `view/`.
//! Invariant: nothing is locked between two calls, however long somebody thinks; what is done is what was shown, or nothing.

use super::commit::{self, CommitRequest};
use super::marks;
use super::report::Diff;
use super::report::diff::shown;
use super::undo::{UndoOptions, answer_of};
use super::{Noted, Place, Programs};
use crate::answer::Envelope;
use crate::change::ChangeKind;
use crate::error::Error;
use crate::flow::Reply;
use crate::git::Authorship;
use crate::git_record::GitOptions;
use crate::history::{
    BlamedLine, Effect, FileEffect, History, Item, LogEnd, LogQuery, Marking, Misfits, ReviewMark, ReviewMarks, Select,
    Selection, UndoRequest, blame, commits_of, file_hunks,
};
use crate::id::{CommitId, RecordId};
use crate::path::RepoPath;
use crate::record::{RecordFile, RecordedTexts};
use crate::state_dir::StateDir;
use crate::warning::Warning;
use crate::workspace::Workspace;
use serde_json::Value;
use std::collections::HashMap;

/// Which records are shown; silence wants all of this worktree.
#[derive(Debug, Clone, Default)]
pub struct ReviewRequest {
    /// By whom, and from when on.
    pub selection: Selection,
    /// Those that touched one of these files, or something below one of these directories.
    pub paths: Vec<RepoPath>,
}

/// A record in the list.
#[derive(Debug, Clone)]
pub struct Entry {
    /// The record.
    pub item: Item,
    /// What of it is in force.
    pub effect: Effect,
    /// Whether a person has looked at it.
    pub mark: Option<ReviewMark>,
}

/// What is behind a record.
#[derive(Debug, Clone, Default)]
pub struct Details {
    /// The git commits that hold lines of it, oldest first.
    pub commits: Vec<CommitId>,
    /// In the order of the record's files.
    pub files: Vec<FileShown>,
}

/// Of larger texts it is not looked what is in a line.
pub const MOST_COLOURED: usize = 512 << 10;

/// One file of a record.
#[derive(Debug, Clone)]
pub struct FileShown {
    /// Where it is afterwards.
    pub path: RepoPath,
    /// Where it was, for a rename.
    pub from: Option<RepoPath>,
    /// What happened to it.
    pub change: ChangeKind,
    /// What of that is in force.
    pub effect: FileEffect,
    /// Its hunks.
    pub diff: Diff,
    /// The number of the first of them, counted from 1 through all files.
    pub first_hunk: usize,
    /// What it was before and is afterwards; none where that is no text, or larger than [`MOST_COLOURED`].
    pub texts: Option<(String, String)>,
}

/// A line of a file, and who wrote it.
#[derive(Debug, Clone)]
pub struct LineShown {
    /// The line, with the record or the commit that wrote it.
    pub line: BlamedLine,
    /// Who made the commit, where no record wrote the line.
    pub author: Option<Authorship>,
}

/// What is to be done with records that are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verb {
    /// Take them back.
    Undo,
    /// Take their undos back.
    Redo,
    /// Put what is left of them into a git commit.
    Commit,
}

/// Something that is to be done, and with which part of what is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// What.
    pub verb: Verb,
    /// With these records.
    pub ids: Vec<RecordId>,
    /// Only in this file; not for a redo.
    pub path: Option<RepoPath>,
    /// Only this hunk of the one record; only for an undo.
    pub hunk: Option<usize>,
}

/// What a change would do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// In words.
    pub text: String,
    /// As a unified diff, uncut; none for a commit, which changes no file.
    pub diff: String,
}

/// What became of a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Carried {
    /// It is done.
    Done(String),
    /// Something else would be done by now than what was shown; nothing was.
    Differs(Outcome),
    /// It was refused, and nothing was done; why, and what to do.
    Refused(String),
}

/// The history as it was when it was read.
pub struct Reviewed<'w> {
    workspace: &'w Workspace,
    history: History<'w>,
    end: LogEnd,
    /// How long the list of marks was.
    marks: u64,
}

impl<'w> Reviewed<'w> {
    /// Reads the list, newest first.
    ///
    /// # Errors
    /// Where the history cannot be read, or the record from which on records are wanted is none.
    pub fn read(workspace: &'w Workspace, request: &ReviewRequest) -> Result<(Self, Vec<Entry>), Error> {
        workspace.refresh();
        let history = History::open(workspace.repo())?;
        let (end, marks) = (history.end()?, ReviewMarks::len_of(&StateDir::of(workspace.repo())));
        let query = LogQuery {
            selection: request.selection.clone(),
            paths: super::names(workspace, request.paths.clone()),
            ..LogQuery::default()
        };
        let query = query.with_earlier_names(&history);
        let found = query.found(&history)?.map(|one| one.map(|(item, effect)| entry(&history, item, effect)));
        let entries = found.collect::<Result<Vec<_>, _>>()?;
        Ok((Self { workspace, history, end, marks }, entries))
    }

    /// Whether nothing was done here since.
    ///
    /// # Errors
    /// Where the history cannot be read.
    pub fn is_current(&self) -> Result<bool, Error> {
        let marks = ReviewMarks::len_of(&StateDir::of(self.workspace.repo()));
        let git_dir = self.workspace.repo().common_dir();
        // Without it there would be no record, as in a repository that is new.
        std::fs::metadata(git_dir).map_err(Error::io("read", git_dir.display().to_string()))?;
        Ok(marks == self.marks && History::open(self.workspace.repo())?.end()? == self.end)
    }

    /// Notes what becomes of the marks of records; the mark that they have then.
    ///
    /// # Errors
    /// Where the list of marks cannot be written.
    pub fn mark(&mut self, ids: &[RecordId], marking: Marking) -> Result<Option<ReviewMark>, Error> {
        let before = ReviewMarks::len_of(&StateDir::of(self.workspace.repo()));
        let (mark, grown) = marks::note(self.workspace, ids, marking)?;
        // What is known of it need not be read again; what others marked meanwhile is.
        self.marks += if before == self.marks { grown } else { 0 };
        Ok(mark)
    }

    /// What is behind a record; what cannot be read is left out, and noted.
    pub fn details(&self, entry: &Entry) -> Details {
        let Entry { item, effect, .. } = entry;
        let commits = commits_of(&self.history, [item]).pop().unwrap_or_default();
        let full = self.history.full_if_whole(item);
        let record = full.as_ref().unwrap_or(&item.record);
        let (mut files, mut first_hunk) = (Vec::with_capacity(record.files.len()), 1);
        for (n, (file, effect)) in record.files.iter().zip(&effect.files).enumerate() {
            let texts = self.history.texts_if_whole(item, record, n);
            files.push(FileShown {
                path: file.path.clone(),
                from: file.from.clone(),
                change: file.change,
                effect: effect.clone(),
                // Where a record cannot be read, the list has it without its hunks.
                diff: if full.is_some() { shown(file, &texts).diff } else { Diff::Unreadable },
                first_hunk,
                texts: small_texts(file, &texts),
            });
            first_hunk += file_hunks(file, &texts).len();
        }
        Details { commits, files }
    }

    /// Who wrote each line of a file as it is now.
    ///
    /// # Errors
    /// Where there is no such file, or the history or git cannot be read.
    pub fn blame(&self, path: &RepoPath) -> Result<Vec<LineShown>, Error> {
        let path = super::real(self.workspace, path.clone());
        let text = super::read::text_of(self.workspace, &path)?;
        let mut authors: HashMap<CommitId, Option<Authorship>> = HashMap::new();
        let lines = blame(&self.history, &path, &text)?.into_iter().map(|line| {
            let commit = line.commit.filter(|_| line.record.is_none());
            let author = commit.and_then(|commit| {
                authors.entry(commit).or_insert_with(|| self.workspace.repo().authorship(commit)).clone()
            });
            LineShown { line, author }
        });
        Ok(lines.collect())
    }

    /// What could not be read, since this was last asked.
    pub fn take_warnings(&self) -> Vec<Warning> {
        self.history.take_warnings().into_iter().map(Warning::History).collect()
    }
}

fn small_texts(file: &RecordFile, texts: &RecordedTexts) -> Option<(String, String)> {
    let readable = file.readable(texts);
    let texts = readable.as_ref().map_or(texts, |(_, texts)| texts);
    let text = |text: Option<&[u8]>| -> Option<String> {
        let text = text.unwrap_or_default();
        (text.len() <= MOST_COLOURED).then(|| String::from_utf8_lossy(text).into_owned())
    };
    Some((text(texts.before())?, text(texts.after())?))
}

fn entry(history: &History<'_>, item: Item, effect: Effect) -> Entry {
    let mark = history.mark_of(&item.record.id);
    Entry { item, effect, mark }
}

/// What a change would do; nothing is written.
///
/// # Errors
/// Where it would be refused: why, and what to do.
pub fn preview(workspace: &Workspace, change: &Change) -> Result<Outcome, String> {
    match change.verb {
        Verb::Undo | Verb::Redo => {
            let envelope = undone(workspace, change, None);
            told(&envelope)?;
            Ok(Outcome { text: envelope.text, diff: envelope.data.diff_preview })
        }
        Verb::Commit => committed(workspace, change, Wanted::Preview),
    }
}

/// Does a change, if it still does what was shown.
pub fn carry_out(workspace: &Workspace, change: &Change, seen: &Outcome) -> Carried {
    match preview(workspace, change) {
        Ok(now) if now.diff != seen.diff || (change.verb == Verb::Commit && now != *seen) => {
            return Carried::Differs(now);
        }
        Ok(_) => {}
        Err(why) => return Carried::Refused(why),
    }
    let done = match change.verb {
        Verb::Undo | Verb::Redo => {
            let envelope = undone(workspace, change, Some(seen));
            told(&envelope).map(|()| envelope.text)
        }
        Verb::Commit => committed(workspace, change, Wanted::Done).map(|outcome| outcome.text),
    };
    done.map_or_else(Carried::Refused, Carried::Done)
}

/// Whether it was, or would be, done; else what the answer says.
fn told(envelope: &Envelope) -> Result<(), String> {
    match &envelope.error {
        None => Ok(()),
        Some(_) => Err(envelope.text.clone()),
    }
}

/// Undoes or redoes what somebody has `seen` the result of; where nobody has, it is a dry run.
fn undone(workspace: &Workspace, change: &Change, seen: Option<&Outcome>) -> Envelope {
    let names = change.ids.iter().map(ToString::to_string).collect();
    let request = UndoRequest {
        select: if change.verb == Verb::Redo { Select::UndosOf(names) } else { Select::Named(names) },
        paths: change.path.iter().cloned().collect(),
        except: Vec::new(),
        hunk: change.hunk,
        misfits: Misfits::Refused,
    };
    let options =
        UndoOptions { dry_run: seen.is_none(), diff_lines: Some(0), diff_bytes: Some(0), ..UndoOptions::default() };
    // Where the configuration wants a yes, that to the diff that was shown is one.
    let ask = |diff: &str| Reply::from(seen.is_none_or(|seen| seen.diff == diff));
    let place = Place { env: workspace.env(), ask: Some(&ask), programs: Programs::Run, group: None };
    answer_of(Ok(workspace), &place, (&request, &options), Value::Null)
}

/// Whether something is to be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wanted {
    Preview,
    Done,
}

fn committed(workspace: &Workspace, change: &Change, wanted: Wanted) -> Result<Outcome, String> {
    let request = CommitRequest {
        select: Select::Named(change.ids.iter().map(ToString::to_string).collect()),
        paths: change.path.iter().cloned().collect(),
        misfits: Misfits::Refused,
        dry_run: wanted == Wanted::Preview,
        message: None,
        git: GitOptions::default(),
        lock_timeout: None,
    };
    let Noted { done, .. } = commit::commit(workspace.env(), &request).map_err(|error| {
        let told = crate::advice::explain(&error, &crate::dialect::Words::COMMAND_LINE);
        [told.message, told.more].join("\n").trim_end().to_owned()
    })?;
    let files: Vec<String> = done.files.iter().map(|(path, change)| file_told(path, *change)).collect();
    let head = match done.commit {
        Some(commit) => format!("committed as {commit:.10}"),
        None => "in the commit, as far as it is still there:".to_owned(),
    };
    Ok(Outcome { text: [&[head], &files[..]].concat().join("\n"), diff: String::new() })
}

fn file_told(path: &RepoPath, change: ChangeKind) -> String {
    let verb = match change {
        ChangeKind::Create => "create",
        ChangeKind::Modify => "modify",
        ChangeKind::Delete => "delete",
        ChangeKind::Rename => "rename",
    };
    format!("  {verb} {}", crate::text::quoted_path(path))
}
