//! What records did, in the formats of others: pure forms, from typed facts to text.
//!
//! Owns the formats; one file each. Knows no disk and no git.

pub mod agent_trace;
pub mod git_ai;

use crate::id::{CommitId, RecordId};
use crate::path::RepoPath;

/// A part of an agent's session, as others name it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Conversation {
    /// The agent, by the name of its program.
    pub tool: String,
    /// The session; where none is known, what stands for it.
    pub id: String,
    /// The language model.
    pub model: Option<String>,
}

/// Lines of a file, and whose they are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// Of the file.
    pub path: RepoPath,
    /// Of each record.
    pub by: Vec<LinesOf>,
}

/// The lines of a record in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinesOf {
    /// The record.
    pub record: RecordId,
    /// Whose it is.
    pub conversation: Conversation,
    /// 1-based, first and last, in order.
    pub lines: Vec<(usize, usize)>,
}

/// A git commit with lines of agents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExportedCommit {
    /// Its id.
    pub id: CommitId,
    /// Who wrote it, as git says it: `Name <address>`.
    pub author: String,
    /// When it was made, milliseconds since 1970-01-01 UTC.
    pub time_ms: i64,
    /// Its files, by path; at least one.
    pub files: Vec<Written>,
}

/// Consecutive numbers as ranges.
pub fn ranges(lines: impl IntoIterator<Item = usize>) -> Vec<(usize, usize)> {
    let mut ranges: Vec<(usize, usize)> = Vec::new();
    for line in lines {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == line => *last = line,
            _ => ranges.push((line, line)),
        }
    }
    ranges
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn consecutive_lines_are_one_range() {
        assert_eq!(ranges([]), []);
        assert_eq!(ranges([1, 2, 3, 7, 9, 10]), [(1, 3), (7, 7), (9, 10)]);
    }
}
