//! Reviews: a person has looked at records, and no commit has lines of others where the policy says so.
//!
//! Owns who is asked before a commit with agents' lines is made, and the one way a mark is set. No request and no tool comes here: an agent's
//! edit is no place for a word on whether somebody looked at it.

use crate::env::Env;
use crate::error::Error;
use crate::git::Repo;
use crate::history::{History, HistoryWarning, Marking, ReviewMark, ReviewMarks, edits_perhaps_held};
use crate::id::RecordId;
use crate::policy::CommitRefusal;
use crate::record::Record;
use crate::state_dir::StateDir;
use crate::workspace::Workspace;

/// Notes what becomes of the marks of records: the named ones, else all that the staged changes hold, or may hold; which these are.
///
/// # Errors
/// Where a record is not found, nothing is staged, or the list cannot be written.
pub fn review(env: &Env, names: &[String], marking: Marking) -> Result<Vec<RecordId>, Error> {
    let workspace = Workspace::discover(env)?;
    let repo = workspace.repo();
    let history = History::open(repo)?;
    let ids: Vec<RecordId> = if names.is_empty() {
        edits_perhaps_held(&history, &repo.changes_to_commit()?, &|_| false)?
            .into_iter()
            .map(|record| record.id)
            .collect()
    } else {
        names.iter().map(|name| Ok(history.find(name)?.record.id)).collect::<Result<_, Error>>()?
    };
    if ids.is_empty() {
        return Err(CommitRefusal::NothingStaged.into());
    }
    note(&workspace, &ids, marking)?;
    Ok(ids)
}

/// Notes what becomes of the marks of these records; the mark that they have then, and by how much the list of marks grew.
///
/// # Errors
/// Where the list cannot be written.
pub fn note(workspace: &Workspace, ids: &[RecordId], marking: Marking) -> Result<(Option<ReviewMark>, u64), Error> {
    let repo = workspace.repo();
    let by = repo.config_string("user.name").map(|name| name.to_string());
    let mark = ReviewMark { time_ms: Some(workspace.env().now_ms()), by };
    let place = StateDir::of(repo);
    let grown = ReviewMarks::note(&place, ids, marking, &mark)
        .map_err(Error::io("write", place.reviewed().display().to_string()))?;
    Ok(((marking == Marking::Reviewed).then_some(mark), grown))
}

/// Refuses a commit that holds lines of records that nobody has looked at.
///
/// # Errors
/// The refusal, or where the marks cannot be read.
pub fn refuse_unreviewed<'r>(repo: &Repo, records: impl IntoIterator<Item = &'r Record>) -> Result<(), Error> {
    let place = StateDir::of(repo);
    let marks = ReviewMarks::read(&place).map_err(Error::io("read", place.reviewed().display().to_string()))?;
    if marks.is_damaged() {
        let warning = HistoryWarning::MarksCancelled(place.reviewed());
        repo.env().untold().leave(format!("{warning:?}"), warning);
    }
    let open = records.into_iter().filter(|record| marks.of(&record.id).is_none());
    let open: Vec<String> = open.map(|record| format!("{} ({})", record.id, record.subject())).collect();
    if open.is_empty() { Ok(()) } else { Err(CommitRefusal::Unreviewed(open).into()) }
}
