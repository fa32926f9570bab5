//! The files of the working tree that git knows of or would add: the index's, with what it remembers of each, and the others that it
//! does not ignore.
//!
//! Owns the list. Reads the whole index, and git itself walks the tree: for looking at all of it, not for edits.

use super::{GitCall, ObjectId, Repo, RepoError};
use crate::id::BlobId;
use crate::path::RepoPath;
use gix::index::entry::{Flags, Mode, Stage};
use std::collections::BTreeMap;
use std::path::Path;

/// What the index remembers of a file: that one which looks so still has the entry's text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Remembered {
    /// The text, in git's form.
    pub id: BlobId,
    mtime: (u32, u32),
    ctime: (u32, u32),
    size: u32,
    /// When the index was written: a file that is not older may have been changed since without looking so.
    index: (u32, u32),
}

impl Remembered {
    /// Whether a file surely has the text of the entry, by its looks: its size, and its times in nanoseconds since 1970.
    pub fn is_certainly(&self, (size, mtime_ns, ctime_ns): (u64, i128, i128)) -> bool {
        let seconds_of = |ns: i128| (ns.div_euclid(1_000_000_000) as u32, ns.rem_euclid(1_000_000_000) as u32);
        self.size != 0
            && self.size == size as u32
            && self.mtime == seconds_of(mtime_ns)
            && self.ctime == seconds_of(ctime_ns)
            && self.mtime < self.index
    }
}

/// The files, each with what the index remembers of it; none for what is not in the index, or in conflict there.
pub type WorkingFiles = BTreeMap<RepoPath, Option<Remembered>>;

impl Repo {
    /// All of them: also those of the index that are not there any more. Submodules and symlinks are left out.
    ///
    /// # Errors
    /// Where the index cannot be read, or git fails.
    pub fn working_files(&self) -> Result<WorkingFiles, RepoError> {
        let mut files = self.tracked_files(&self.index_path())?;
        let call = GitCall::new(["ls-files", "-z", "--others", "--exclude-standard"]);
        let others = self.run_git(call)?;
        // Another repository below ends in a slash.
        let others = others.split(|&byte| byte == 0).filter(|path| !path.is_empty() && !path.ends_with(b"/"));
        files.extend(others.filter_map(|path| Some((RepoPath::new(path).ok()?, None))));
        Ok(files)
    }

    fn tracked_files(&self, index: &Path) -> Result<WorkingFiles, RepoError> {
        let written = std::fs::metadata(index).and_then(|meta| meta.modified());
        let since = written.ok().and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
        let written = since.map_or((0, 0), |since| (since.as_secs() as u32, since.subsec_nanos()));
        let index = self.read_index(index)?;
        let mut files = WorkingFiles::new();
        for entry in index.state().entries() {
            let is_file = matches!(entry.mode, Mode::FILE | Mode::FILE_EXECUTABLE);
            let Some(path) = RepoPath::new(entry.path(index.state())).ok().filter(|_| is_file) else { continue };
            let is_plain = entry.stage() == Stage::Unconflicted && !entry.flags.contains(Flags::INTENT_TO_ADD);
            let stat = &entry.stat;
            let remembered = Remembered {
                id: BlobId::from_gix(&entry.id),
                mtime: (stat.mtime.secs, stat.mtime.nsecs),
                ctime: (stat.ctime.secs, stat.ctime.nsecs),
                size: stat.size,
                index: written,
            };
            files.insert(path, is_plain.then_some(remembered));
        }
        Ok(files)
    }
}
