//! How many of today's lines of a file are whose.
//!
//! Owns the counting. Whose a line is, blame tells.

use super::model::{LinesOf, Share};
use crate::error::Error;
use crate::history::{History, HistoryWarning, records_of_lines};
use crate::path::RepoPath;
use crate::usecase::read::text_if_there;
use crate::workspace::Workspace;
use crate::worktree::WorktreeError;
use std::collections::BTreeMap;

/// Of a file as it is now; none where there is none, it is no text, or so large that it is not read; and, with a warning, where it cannot
/// be read.
///
/// # Errors
/// Where the history cannot be read, or git's configuration is wrong.
pub(super) fn share(workspace: &Workspace, history: &History<'_>, path: &RepoPath) -> Result<Option<Share>, Error> {
    let text = match text_if_there(workspace, path) {
        Ok(Some(text)) => text,
        Ok(None) => return Ok(None),
        Err(Error::Worktree(error)) => {
            if is_failure(&error) {
                history.warn(HistoryWarning::Unreadable(error.into()));
            }
            return Ok(None);
        }
        Err(Error::Repo(error)) => {
            history.warn(HistoryWarning::Unreadable(error.into()));
            return Ok(None);
        }
        Err(Error::Finding(_)) => return Ok(None),
        Err(error) => return Err(error),
    };
    let lines = records_of_lines(history, path, &text)?;
    let mut by: BTreeMap<Option<String>, usize> = BTreeMap::new();
    for record in lines.iter().flatten() {
        *by.entry(record.agent.clone()).or_default() += 1;
    }
    Ok(Some(Share { lines: lines.len(), by: most_first(by) }))
}

/// Whether a file may be there all the same.
fn is_failure(error: &WorktreeError) -> bool {
    matches!(error, WorktreeError::Unreadable { .. } | WorktreeError::Io { .. })
}

/// In the order of their numbers, then of their names.
pub(super) fn most_first(by: BTreeMap<Option<String>, usize>) -> Vec<LinesOf> {
    let mut by: Vec<LinesOf> = by.into_iter().map(|(agent, lines)| LinesOf { agent, lines }).collect();
    by.sort_by_key(|of| std::cmp::Reverse(of.lines));
    by
}
