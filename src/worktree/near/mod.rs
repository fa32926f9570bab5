//! What a path may mean that names no file: the nearest paths that there are.
//!
//! Owns finding and ranking them. Says nothing of them: that is `advice/`'s. Reads names only, never what files hold.
//! Invariants: what is given is a regular file that may be named; the work is bounded by a number of entries and by whoever asks,
//! however large the tree is.

mod search;
mod spelling;
mod walk;

pub use search::Search;

use super::dir::Kind;
use crate::path::RepoPath;
use bstr::ByteSlice;
use search::MOST;

impl Search<'_> {
    /// Other ways to read a path, whether or not there is anything; the likeliest first.
    pub fn spellings(&self, raw: &[u8]) -> Vec<RepoPath> {
        let all = spelling::spellings(&raw.to_str_lossy(), self.root.path());
        // A path of a smaller root is relative to that.
        let inside = |path: RepoPath| match self.below {
            Some(below) if !path.is_below(below) => path.below(Some(below)),
            _ => path,
        };
        all.into_iter().map(inside).collect()
    }

    /// Those of the spellings that are files.
    pub fn existing(&self, spelled: &[RepoPath]) -> Vec<RepoPath> {
        self.files(spelled.iter().cloned())
    }

    /// The files whose path is like one of the spellings, nearest first.
    pub fn alike(&self, spelled: &[RepoPath]) -> Vec<RepoPath> {
        let folded = self.files(spelled.iter().filter_map(|path| walk::folded(self, path)));
        if !folded.is_empty() {
            return folded;
        }
        self.files(spelled.first().map(|path| walk::ranked(self, path)).unwrap_or_default().into_iter())
    }

    /// The first of these that are files, each once.
    fn files(&self, paths: impl Iterator<Item = RepoPath>) -> Vec<RepoPath> {
        let mut files: Vec<RepoPath> = Vec::new();
        for path in paths {
            if files.len() < MOST && !files.contains(&path) && self.is_file(&path) {
                files.push(path);
            }
        }
        files
    }

    fn is_file(&self, path: &RepoPath) -> bool {
        let place = || self.root.place(path).ok();
        let is_inside = self.below.is_none_or(|below| path.is_below(below));
        is_inside
            && (self.may_name)(path)
            && place().and_then(|place| place.seen()).is_some_and(|meta| meta.kind == Kind::File)
    }
}
