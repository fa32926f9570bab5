//! Which git commits the lines of a file come from, as it is in the working tree.
//!
//! Owns the question; git itself answers it, for it knows shallow and partial clones, filter drivers and encodings. Does not
//! know records.

use super::{GitCall, Repo, RepoError};
use crate::id::CommitId;
use crate::path::{RepoPath, c_unquoted};
use bstr::ByteSlice;
use std::rc::Rc;

/// Where a line comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommittedLine {
    /// The commit that has it first.
    pub commit: CommitId,
    /// What the file was called there; none where that is no path that redraft would touch.
    pub path: Option<Rc<RepoPath>>,
    /// The line there, from 0.
    pub line: usize,
}

impl Repo {
    /// For each line of the file at `path` where git has it from; none for one that is not committed. Lines are
    /// those of git's own form of the file.
    ///
    /// # Errors
    /// Where HEAD does not have the file, or git fails, as in a partial clone whose remote is not to be reached.
    pub fn blame_file(&self, path: &RepoPath) -> Result<Vec<Option<CommittedLine>>, RepoError> {
        self.blamed(call().arg("--").arg(path.to_path()))
    }

    /// The same of a file that HEAD has under another name, from which somebody moved it.
    ///
    /// # Errors
    /// As [`Self::blame_file`].
    pub fn blame_moved(&self, path: &RepoPath, from: &RepoPath) -> Result<Vec<Option<CommittedLine>>, RepoError> {
        self.blamed(call().arg("--contents").arg(path.to_path()).arg("--").arg(from.to_path()))
    }

    fn blamed(&self, call: GitCall) -> Result<Vec<Option<CommittedLine>>, RepoError> {
        let out = self.run_git(call)?;
        let mut lines = Vec::new();
        let mut open = None;
        for said in out.lines() {
            if let Some(name) = said.strip_prefix(b"filename ") {
                let Some(Entry { commit, there, here, count }) = open.take() else { continue };
                let path = name_of(name).map(Rc::new);
                if lines.len() < here + count {
                    lines.resize(here + count, None);
                }
                for n in (0..count).filter(|_| commit != CommitId::NONE) {
                    lines[here + n] = Some(CommittedLine { commit, path: path.clone(), line: there + n });
                }
            } else if open.is_none() {
                open = Entry::read(said);
            }
        }
        Ok(lines)
    }
}

/// The user may have told git to look past some commits, and who wrote the lines as they stand is asked: the empty name of an option comes behind all
/// names of the configuration, and takes them back.
fn call() -> GitCall {
    GitCall::new(["blame", "--ignore-revs-file", "", "--incremental", "--no-textconv"])
}

fn name_of(said: &[u8]) -> Option<RepoPath> {
    let quoted = if said.starts_with(b"\"") { Some(c_unquoted(said)?) } else { None };
    RepoPath::new(quoted.as_ref().map_or(said, |name| name.as_slice())).ok()
}

/// Lines that come from one place; what else is told of them stands behind it, the name at last.
struct Entry {
    commit: CommitId,
    there: usize,
    here: usize,
    count: usize,
}

impl Entry {
    /// `COMMIT LINE_THERE LINE COUNT`, lines from 1.
    fn read(said: &[u8]) -> Option<Self> {
        let mut words = said.to_str().ok()?.split(' ');
        let commit = words.next()?.parse().ok()?;
        let mut number = || words.next()?.parse::<usize>().ok();
        let (there, here, count) = (number()?.checked_sub(1)?, number()?.checked_sub(1)?, number()?);
        words.next().is_none().then_some(Self { commit, there, here, count })
    }
}
