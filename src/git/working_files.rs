//! The files of the working tree that git knows of or would add: the index's, with what it remembers of each, and the others that it
//! does not ignore.
//!
//! Owns the lists. Reads the whole index, and git itself walks the tree: for looking at all of it, not for edits.

use super::{GitCall, Index, ObjectId, Repo, RepoError, program::StartedGit};
use crate::id::BlobId;
use crate::path::RepoPath;
use bstr::ByteSlice;
use gix::index::entry::{Flags, Mode, Stage};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// What the index remembers of a file: that one which looks so still has the entry's text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
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
    /// Only the text: no file has it by its looks alone.
    pub fn text(id: BlobId) -> Self {
        Self { id, mtime: (0, 0), ctime: (0, 0), size: 0, index: (0, 0) }
    }

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

/// What tells one state of the index from the next: git puts another file in its place whenever it changes it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct IndexStamp {
    path: PathBuf,
    identity: (u64, u64),
    size: u64,
    /// Nanoseconds since 1970-01-01 UTC.
    modified: i128,
    changed: i128,
}

impl IndexStamp {
    /// Whether the index was so before a moment, by the clock of the file system: one that is younger may have been replaced since by
    /// one that looks the same.
    pub fn is_from_before(&self, time_ns: i128) -> bool {
        self.modified.max(self.changed) < time_ns
    }
}

/// The files of an index.
pub struct TrackedFiles {
    index: Index,
    /// When it was written.
    written: (u32, u32),
}

impl TrackedFiles {
    /// By path, each once, with what the index remembers of it: nothing of one that is in conflict, or only noted. Submodules are left
    /// out. Some paths may be ones that redraft never touches.
    pub fn iter(&self) -> impl Iterator<Item = (&[u8], Option<Remembered>)> {
        let state = self.index.state();
        let files = state.entries().iter().filter(|entry| is_file(entry.mode));
        let mut files = files.map(|entry| (entry.path(state).as_bytes(), self.remembered_in(entry))).peekable();
        std::iter::from_fn(move || {
            let first = files.next()?;
            // A conflict has up to three entries.
            while files.next_if(|(path, _)| *path == first.0).is_some() {}
            Some(first)
        })
    }

    /// What the index remembers of a file, if it does.
    pub fn remembered(&self, path: &RepoPath) -> Option<Remembered> {
        let entry = self.index.state().entry_by_path_and_stage(path.as_bstr(), Stage::Unconflicted)?;
        self.remembered_in(entry).filter(|_| is_file(entry.mode))
    }

    fn remembered_in(&self, entry: &gix::index::Entry) -> Option<Remembered> {
        let is_plain = entry.stage() == Stage::Unconflicted && !entry.flags.contains(Flags::INTENT_TO_ADD);
        let stat = &entry.stat;
        is_plain.then(|| Remembered {
            id: BlobId::from_gix(&entry.id),
            mtime: (stat.mtime.secs, stat.mtime.nsecs),
            ctime: (stat.ctime.secs, stat.ctime.nsecs),
            size: stat.size,
            index: self.written,
        })
    }
}

fn is_file(mode: Mode) -> bool {
    matches!(mode, Mode::FILE | Mode::FILE_EXECUTABLE | Mode::SYMLINK)
}

/// The files that git does not know and would add, while it looks for them.
#[must_use]
pub struct OtherFiles {
    run: StartedGit,
    root: PathBuf,
}

impl OtherFiles {
    /// All of them, but for those of other repositories below.
    ///
    /// # Errors
    /// Where git fails.
    pub fn done(self) -> Result<Vec<RepoPath>, RepoError> {
        let told = self.run.done()?;
        // Another repository below ends in a slash; of one without a working tree git tells every file.
        let files = told.split(|&byte| byte == 0).filter(|path| !path.is_empty() && !path.ends_with(b"/"));
        let mut files: Vec<RepoPath> = files.filter_map(|path| RepoPath::new(path).ok()).collect();
        let heads = files.iter().filter(|path| path.file_name() == "HEAD").filter_map(RepoPath::parent);
        let bare: Vec<RepoPath> = heads.filter(|dir| is_git_directory(&self.root.join(dir.to_path()))).collect();
        files.retain(|path| !bare.iter().any(|dir| path.is_below(dir)));
        Ok(files)
    }
}

/// Whether git takes a directory that has a `HEAD` for a repository (`is_git_directory` in its setup.c).
fn is_git_directory(dir: &Path) -> bool {
    let has = |name: &str| dir.join(name).symlink_metadata().is_ok();
    (has("objects") && has("refs")) || has("commondir")
}

/// What makes git store other bytes than a file has, in a way that cannot be turned round from what it stores.
const CONVERSIONS: [&str; 3] = ["filter", "ident", "working-tree-encoding"];

impl Repo {
    /// Lets git walk the tree, and goes on.
    ///
    /// # Errors
    /// Where git cannot be run.
    pub fn start_other_files(&self) -> Result<OtherFiles, RepoError> {
        self.start_git(GitCall::new(["ls-files", "-z", "--others", "--exclude-standard"]))
            .map(|run| OtherFiles { run, root: self.root().to_owned() })
    }

    /// The index as it is; none where there is none, or files have no numbers.
    pub fn index_stamp(&self) -> Option<IndexStamp> {
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            let path = self.index_path();
            let meta = std::fs::metadata(&path).ok()?;
            let ns = |seconds: i64, rest: i64| i128::from(seconds) * 1_000_000_000 + i128::from(rest);
            Some(IndexStamp {
                path,
                identity: (meta.dev(), meta.ino()),
                size: meta.size(),
                modified: ns(meta.mtime(), meta.mtime_nsec()),
                changed: ns(meta.ctime(), meta.ctime_nsec()),
            })
        }
        #[cfg(not(unix))]
        None
    }

    /// The files of the index, also those that are not there any more.
    ///
    /// # Errors
    /// Where the index cannot be read.
    pub fn tracked_files(&self) -> Result<TrackedFiles, RepoError> {
        let path = self.index_path();
        let written = std::fs::metadata(&path).and_then(|meta| meta.modified());
        let since = written.ok().and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
        let written = since.map_or((0, 0), |since| (since.as_secs() as u32, since.subsec_nanos()));
        Ok(TrackedFiles { index: self.read_index_unchecked(&path)?, written })
    }

    /// Whether some rule may convert files like these, sorted by path, on their way into git.
    pub fn may_convert<'p>(&self, paths: impl Iterator<Item = &'p [u8]>) -> bool {
        let (mut folders, mut last) = (BTreeSet::<&[u8]>::new(), None);
        for path in paths {
            let mut folder = path.rfind_byte(b'/').map(|end| &path[..end]);
            if folder == last {
                continue;
            }
            last = folder;
            while let Some(one) = folder.filter(|one| folders.insert(one)) {
                folder = one.rfind_byte(b'/').map(|end| &one[..end]);
            }
        }
        let folders: Vec<RepoPath> = folders.into_iter().filter_map(|folder| RepoPath::new(folder).ok()).collect();
        self.some_attributes_have(folders.iter().map(Some).chain([None]), &CONVERSIONS)
    }

    /// Those of these files whose bytes git converts on their way in.
    ///
    /// # Errors
    /// Where git fails.
    pub fn converted<'p>(&self, paths: impl Iterator<Item = &'p [u8]>) -> Result<BTreeSet<RepoPath>, RepoError> {
        let input: Vec<u8> = paths.flat_map(|path| [path, b"\0"].concat()).collect();
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
}
