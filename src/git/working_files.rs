//! The files of the working tree that git knows of or would add: the index's, with what it remembers of each, and the others that it
//! does not ignore.
//!
//! Owns the list. Reads the whole index, and git itself walks the tree: for looking at all of it, not for edits.

use super::{GitCall, ObjectId, Repo, RepoError};
use crate::id::BlobId;
use crate::path::RepoPath;
use bstr::ByteSlice;
use gix::index::entry::{Flags, Mode, Stage};
use std::collections::{BTreeMap, BTreeSet};
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

/// The files, each with what the index remembers of it; none for what is not in the index, is in conflict there, or where the index
/// has other bytes than the file.
pub type WorkingFiles = BTreeMap<RepoPath, Option<Remembered>>;

/// What makes git store other bytes than a file has, in a way that cannot be turned round from what it stores.
const CONVERSIONS: [&str; 3] = ["filter", "ident", "working-tree-encoding"];

impl Repo {
    /// All of them: also those of the index that are not there any more. Submodules are left out.
    ///
    /// # Errors
    /// Where the index cannot be read, or git fails.
    pub fn working_files(&self) -> Result<WorkingFiles, RepoError> {
        // Git walks the tree meanwhile.
        let call = GitCall::new(["ls-files", "-z", "--others", "--exclude-standard"]);
        let others = self.start_git(call)?;
        let mut files = self.tracked_files(&self.index_path())?;
        for path in self.converted(&files)? {
            files.insert(path, None);
        }
        let others = others.done()?;
        // Another repository below ends in a slash.
        let others = others.split(|&byte| byte == 0).filter(|path| !path.is_empty() && !path.ends_with(b"/"));
        files.extend(others.filter_map(|path| Some((RepoPath::new(path).ok()?, None))));
        Ok(files)
    }

    /// The files whose bytes git converts on their way in.
    fn converted(&self, files: &WorkingFiles) -> Result<Vec<RepoPath>, RepoError> {
        let folders: BTreeSet<Option<RepoPath>> = files.keys().map(RepoPath::parent).collect();
        let above =
            folders.iter().flatten().flat_map(|folder| std::iter::successors(folder.parent(), RepoPath::parent));
        let above: BTreeSet<RepoPath> = above.collect();
        let all = folders.iter().map(Option::as_ref).chain(above.iter().map(Some)).chain([None]);
        if !self.some_attributes_have(all, &CONVERSIONS) {
            return Ok(Vec::new());
        }
        let input: Vec<u8> = files.keys().flat_map(|path| [path.as_bstr().as_bytes(), b"\0"].concat()).collect();
        let call = GitCall::new(["check-attr", "-z", "--stdin"].iter().chain(&CONVERSIONS)).input(input);
        let told = self.run_git(call)?;
        let fields: Vec<&[u8]> = told.split(|&byte| byte == 0).collect();
        let (rows, _) = fields.as_chunks::<3>();
        let converts = |value: &[u8]| value != b"unspecified" && value != b"unset";
        Ok(rows
            .iter()
            .filter(|[_, _, value]| converts(value))
            .filter_map(|[path, ..]| RepoPath::new(path).ok())
            .collect())
    }

    fn tracked_files(&self, index: &Path) -> Result<WorkingFiles, RepoError> {
        let written = std::fs::metadata(index).and_then(|meta| meta.modified());
        let since = written.ok().and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
        let written = since.map_or((0, 0), |since| (since.as_secs() as u32, since.subsec_nanos()));
        let index = self.read_index(index)?;
        let mut files = WorkingFiles::new();
        for entry in index.state().entries() {
            let is_file = matches!(entry.mode, Mode::FILE | Mode::FILE_EXECUTABLE | Mode::SYMLINK);
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
