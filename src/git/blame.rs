//! Which git commits the lines of a file come from, as it is in the working tree.
//!
//! Owns the question; git itself answers it, for it knows shallow and partial clones, filter drivers and encodings. Does not
//! know records.

use super::{GitCall, Repo, RepoError};
use crate::id::CommitId;
use crate::path::RepoPath;
use bstr::ByteSlice;

impl Repo {
    /// For each line of the file at `path` the git commit that it comes from; none for one that is not committed. Lines are
    /// those of git's own form of the file.
    ///
    /// # Errors
    /// Where HEAD does not have the file, or git fails, as in a partial clone whose remote is not to be reached.
    pub fn blame_file(&self, path: &RepoPath) -> Result<Vec<Option<CommitId>>, RepoError> {
        self.blamed(call().arg("--").arg(path.to_path()))
    }

    /// The same of a file that HEAD has under another name, from which somebody moved it.
    ///
    /// # Errors
    /// As [`Self::blame_file`].
    pub fn blame_moved(&self, path: &RepoPath, from: &RepoPath) -> Result<Vec<Option<CommitId>>, RepoError> {
        self.blamed(call().arg("--contents").arg(path.to_path()).arg("--").arg(from.to_path()))
    }

    fn blamed(&self, call: GitCall) -> Result<Vec<Option<CommitId>>, RepoError> {
        let out = self.run_git(call)?;
        let mut lines = Vec::new();
        for (commit, start, count) in out.lines().filter_map(entry) {
            let end = start.saturating_add(count);
            if lines.len() < end {
                lines.resize(end, None);
            }
            lines[start..end].fill((commit != CommitId::NONE).then_some(commit));
        }
        Ok(lines)
    }
}

fn call() -> GitCall {
    GitCall::new(["-c", "blame.ignoreRevsFile=", "blame", "--incremental", "--no-textconv"])
}

/// `COMMIT LINE_THERE LINE COUNT`: the commit, the line here from 0, the number of lines. None for what is said of them.
fn entry(line: &[u8]) -> Option<(CommitId, usize, usize)> {
    let mut words = line.to_str().ok()?.split(' ');
    let commit = words.next()?.parse().ok()?;
    let _there = words.next()?;
    let start: usize = words.next()?.parse().ok()?;
    let count = words.next()?.parse().ok()?;
    words.next().is_none().then_some((commit, start.checked_sub(1)?, count))
}
