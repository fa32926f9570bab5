//! Files below the root, looked at and read one after the other.
//!
//! Owns one open directory at a time: a tree has more of them than a process may hold. Follows no symlink.

use crate::path::RepoPath;
use crate::worktree::{Dir, Kind, Meta, Root};
use bstr::{BStr, ByteSlice};
use std::io::{self, Read};

/// A walk over paths that are sorted, so that those of one directory come together.
pub(super) struct Tree<'r> {
    root: &'r Dir,
    open: Option<(Option<RepoPath>, Option<Dir>)>,
}

impl<'r> Tree<'r> {
    /// Nothing is opened yet.
    pub(super) fn new(root: &'r Root) -> Self {
        Self::below(root.dir())
    }

    fn below(root: &'r Dir) -> Self {
        Self { root, open: None }
    }

    /// What the regular file or symlink at a path looks like; none where there is neither.
    ///
    /// # Errors
    /// Where it may not be looked at.
    pub(super) fn look(&mut self, path: &[u8]) -> io::Result<Option<Meta>> {
        let Some(dir) = self.dir_of(path)? else { return Ok(None) };
        Ok(dir.look(parts(path).1)?.filter(|meta| matches!(meta.kind, Kind::File | Kind::Symlink)))
    }

    /// When the regular file at a path was made, in nanoseconds since 1970-01-01 UTC; none where the system does not tell.
    pub(super) fn born(&mut self, path: &RepoPath) -> Option<i128> {
        let file = self.dir_of(path.as_bstr()).ok()??.read(path.file_name()).ok()?;
        let born = file.metadata().ok()?.created().ok()?;
        Some(born.duration_since(std::time::UNIX_EPOCH).ok()?.as_nanos() as i128)
    }

    /// The regular file at a path, with what it looks like behind the same handle; none where there is none.
    ///
    /// # Errors
    /// Where it may not be read.
    pub(super) fn read(&mut self, path: &RepoPath) -> io::Result<Option<(Meta, Vec<u8>)>> {
        // Opening a device can have effects.
        if self.look(path.as_bstr())?.is_none_or(|meta| meta.kind != Kind::File) {
            return Ok(None);
        }
        let Some(dir) = self.dir_of(path.as_bstr())? else { return Ok(None) };
        let mut file = match dir.read(path.file_name()) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            opened => opened?,
        };
        let meta = Dir::meta_of(&file)?;
        let mut bytes = Vec::with_capacity(usize::try_from(meta.size).unwrap_or_default());
        file.read_to_end(&mut bytes)?;
        Ok((meta.kind == Kind::File).then_some((meta, bytes)))
    }

    fn dir_of(&mut self, path: &[u8]) -> io::Result<Option<&Dir>> {
        let (parent, _) = parts(path);
        let is_open = |(open, _): &(Option<RepoPath>, Option<Dir>)| open.as_ref().map(RepoPath::as_bstr) == parent;
        if !self.open.as_ref().is_some_and(is_open) {
            // What redraft never touches is not there.
            let Ok(parent) = parent.map(|parent| RepoPath::new(parent)).transpose() else { return Ok(None) };
            let dir = match self.root.beneath(parent.as_ref()) {
                Ok(dir) => Some(dir),
                Err(error) if is_no_directory(&error) => None,
                Err(error) => return Err(error),
            };
            self.open = Some((parent, dir));
        }
        Ok(self.open.as_ref().and_then(|(_, dir)| dir.as_ref()))
    }
}

/// The directory, none for the root, and the name in it.
fn parts(path: &[u8]) -> (Option<&BStr>, &BStr) {
    path.rsplit_once_str("/").map_or((None, path.as_bstr()), |(parent, name)| (Some(parent.as_bstr()), name.as_bstr()))
}

/// Fewer files are looked at by one thread: to begin another one takes as long.
const LEAST_EACH: usize = 2_000;

/// So many threads look at most.
const MOST_THREADS: usize = 8;

/// What each of these files looks like, which are sorted: as [`Tree::look`], by several threads.
pub(super) fn looks(root: &Root, paths: &[&[u8]]) -> Vec<io::Result<Option<Meta>>> {
    each_of(root, paths.len(), |tree, at| Some(tree.look(paths[at])))
}

/// What is found at each of so many places, which are sorted by path, by several threads.
pub(super) fn each_of<T: Send>(
    root: &Root,
    count: usize,
    find: impl Fn(&mut Tree<'_>, usize) -> Option<T> + Sync,
) -> Vec<T> {
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get).min(MOST_THREADS);
    let each = count.div_ceil(threads).max(LEAST_EACH);
    let root: &Dir = root.dir();
    let part = |from: usize| {
        let mut tree = Tree::below(root);
        (from..count.min(from + each)).filter_map(|at| find(&mut tree, at)).collect::<Vec<_>>()
    };
    let part = &part;
    std::thread::scope(|scope| {
        let spawn = |from| (from, std::thread::Builder::new().spawn_scoped(scope, move || part(from)));
        let others: Vec<_> = (each..count).step_by(each).map(spawn).collect();
        let mut found = part(0);
        for (from, thread) in others {
            // Where there is no other thread to be had, or it failed, this one looks.
            let other = thread.ok().and_then(|thread| thread.join().ok());
            found.extend(other.unwrap_or_else(|| part(from)));
        }
        found
    })
}

/// Whether a directory is gone, or something else is in its place.
fn is_no_directory(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) || Dir::is_symlink_error(error)
}
