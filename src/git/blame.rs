//! Which git commits the lines of HEAD's version of a file come from.
//!
//! Owns the question. Does not know records.

use super::{ObjectId, Repo, RepoError};
use crate::id::CommitId;
use crate::path::RepoPath;
use std::ops::Range;

impl Repo {
    /// 0-based line ranges of HEAD's version, each with the git commit that it comes from; nothing where HEAD is unborn.
    ///
    /// # Errors
    /// Where HEAD does not have the file, or its history cannot be read.
    pub fn blame_head(&self, path: &RepoPath) -> Result<Vec<(Range<usize>, CommitId)>, RepoError> {
        let Some((head, _)) = self.head_tip()? else { return Ok(Vec::new()) };
        let options = gix::repository::blame_file::Options::default();
        let failed = RepoError::git("blame the file with git");
        let outcome = self.git.blame_file(path.as_bstr(), head.to_gix(), options).map_err(failed)?;
        let lines = |start: u32, length: u32| start as usize..start as usize + length as usize;
        let entries = outcome.entries.iter();
        Ok(entries.map(|e| (lines(e.start_in_blamed_file, e.len.get()), CommitId::from_gix(&e.commit_id))).collect())
    }
}
