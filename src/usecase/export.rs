//! What records did in git commits, handed to others in their formats.
//!
//! Owns which records count: those of an agent with a name. Who wrote a line that no such record has is not said. Of the user's repository
//! nothing is written but the notes.

use super::Noted;
use crate::env::Env;
use crate::error::Error;
use crate::export::agent_trace::{self, TraceRecord};
use crate::export::{Conversation, ExportedCommit, LinesOf, Written, git_ai, ranges};
use crate::git::CommitFacts;
use crate::git_record::{Contradiction, GitRecordError};
use crate::history::{History, WrittenLines, lines_of_commit};
use crate::id::{CommitId, RecordId};
use crate::record::RecordMeta;
use crate::warning::Warning;
use crate::workspace::Workspace;
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};

/// The ref that git-ai reads.
pub const NOTES: &str = "refs/notes/ai";

/// What became of the note of a commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum NoteStatus {
    /// It was written, or would be.
    Written,
    /// It is there already.
    Unchanged,
    /// Another tool's is there, or one that names records that are not known here; it is left.
    Left,
    /// The commit has no lines of agents any more: redraft's was taken away, or would be.
    Removed,
    /// The commit has no lines of agents, so that it gets none.
    None,
}

/// One commit, exported.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NotedCommit {
    /// The commit.
    pub commit: CommitId,
    /// What became of its note.
    pub status: NoteStatus,
    /// So many of its lines agents wrote.
    pub lines: usize,
    /// The note as it is to be; none where it is to have none.
    pub note: Option<String>,
}

/// How notes are made.
#[derive(Debug, Clone)]
pub struct NoteOptions {
    /// Below which ref.
    pub notes_ref: String,
    /// Write nothing.
    pub dry_run: bool,
}

/// Puts git-ai's notes on commits (by default HEAD).
///
/// # Errors
/// Where there is no such commit, a merge or the like is in progress, or git fails.
pub fn to_git_ai(env: &Env, names: &[String], options: &NoteOptions) -> Result<Noted<Vec<NotedCommit>>, Error> {
    let workspace = Workspace::discover(env)?;
    let repo = workspace.repo();
    if let Some(operation) = repo.operation().filter(|_| !options.dry_run) {
        return Err(GitRecordError::InOperation(operation.as_str()).into());
    }
    // As git reads it.
    let name = options.notes_ref.trim_start_matches("refs/").trim_start_matches("notes/");
    if name == "commits" {
        return Err(GitRecordError::Contradictory(Contradiction::NotesOfPeople).into());
    }
    let there = repo.notes(&options.notes_ref)?;
    let history = History::open(repo)?;
    // What another clone knows is not to be lost for what is not known here.
    let is_ours = |note: &[u8]| {
        git_ai::records_of_own(note).is_some_and(|records| records.iter().all(|id| history.find(id.as_str()).is_ok()))
    };
    let Noted { done: commits, notes } = commits(&workspace, names)?;
    let mut done = Vec::with_capacity(commits.len());
    for (facts, commit) in commits {
        let has_any = |commit: &&ExportedCommit| commit.files.iter().any(|file| git_ai::shown(&file.path).is_some());
        let note = commit.as_ref().filter(has_any).map(git_ai::note);
        let old = there.get(&facts.id);
        let status = match (&note, old) {
            (None, None) => NoteStatus::None,
            (_, Some(old)) if !is_ours(old) => NoteStatus::Left,
            (Some(note), Some(old)) if old == note.as_bytes() => NoteStatus::Unchanged,
            (Some(_), _) => NoteStatus::Written,
            (None, Some(_)) => NoteStatus::Removed,
        };
        match (status, &note) {
            _ if options.dry_run => {}
            (NoteStatus::Written, Some(note)) => repo.put_note(&options.notes_ref, facts.id, note.as_bytes())?,
            (NoteStatus::Removed, _) => repo.remove_note(&options.notes_ref, facts.id)?,
            _ => {}
        }
        let files = commit.iter().flat_map(|commit| &commit.files).flat_map(|file| &file.by);
        let lines = files.flat_map(|of| &of.lines).map(|(first, last)| last - first + 1).sum();
        done.push(NotedCommit { commit: facts.id, status, lines, note });
    }
    Ok(Noted { done, notes })
}

/// The trace records of commits (by default HEAD); a commit without lines of agents has none.
///
/// # Errors
/// Where there is no such commit, or git fails.
pub fn to_agent_trace(env: &Env, names: &[String]) -> Result<Noted<Vec<TraceRecord>>, Error> {
    let workspace = Workspace::discover(env)?;
    let Noted { done, notes } = commits(&workspace, names)?;
    let done = done.into_iter().filter_map(|(_, commit)| commit).map(|commit| agent_trace::record(&commit)).collect();
    Ok(Noted { done, notes })
}

/// Commits, each with its lines of agents; none where it has none.
type Found = Vec<(CommitFacts, Option<ExportedCommit>)>;

fn commits(workspace: &Workspace, names: &[String]) -> Result<Noted<Found>, Error> {
    let repo = workspace.repo();
    let head = ["HEAD".to_owned()];
    let named = repo.commits_named(if names.is_empty() { &head } else { names })?;
    let history = History::open(repo)?;
    let mut known: HashMap<RecordId, Option<Conversation>> = HashMap::new();
    let mut found = Vec::with_capacity(named.len());
    let mut changes = repo.changes_of_commits(named.iter().map(|facts| facts.id))?;
    for facts in named {
        let files = match changes.iter().position(|commit| commit.id == facts.id) {
            Some(at) => lines_of_commit(&history, &changes.swap_remove(at))?,
            None => Vec::new(),
        };
        let mut written = Vec::new();
        for WrittenLines { path, lines } in files {
            let mut by: BTreeMap<RecordId, Vec<usize>> = BTreeMap::new();
            lines.into_iter().for_each(|(line, record)| by.entry(record).or_default().push(line));
            let mut told = Vec::new();
            for (record, lines) in by {
                if !known.contains_key(&record) {
                    let meta = history.find(record.as_str())?.record.meta;
                    known.insert(record.clone(), conversation(&record, &meta));
                }
                if let Some(Some(conversation)) = known.get(&record) {
                    told.push(LinesOf { record, conversation: conversation.clone(), lines: ranges(lines) });
                }
            }
            if !told.is_empty() {
                written.push(Written { path, by: told });
            }
        }
        let CommitFacts { id, author, time } = facts.clone();
        let commit = ExportedCommit { id, author, time_ms: time * 1000, files: written };
        found.push((facts, Some(commit).filter(|commit| !commit.files.is_empty())));
    }
    let notes = history.take_warnings().into_iter().map(Warning::History).collect();
    Ok(Noted { done: found, notes })
}

/// Whose a record is; none where no agent is named, so that a person may have made it.
fn conversation(id: &RecordId, meta: &RecordMeta) -> Option<Conversation> {
    let session = meta.session.clone().unwrap_or_else(|| format!("redraft-{id}"));
    Some(Conversation { tool: meta.agent.clone()?, id: session, model: meta.model.clone() })
}
