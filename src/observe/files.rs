//! The files of a look: most of them as a table has them, and beside it what differs.
//!
//! Owns that what is said beside a table counts, and that a file that is gone stays gone though there is a row for it.

use super::seen::Seen;
use super::table::Table;
use crate::git::{IndexStamp, Remembered};
use crate::path::RepoPath;
use std::collections::{BTreeMap, HashSet};
use std::io;
use std::rc::Rc;

/// The files of an index that were looked at, apart from those that a table has.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Tracked {
    /// The index; none where it cannot be told from the next one.
    pub(super) index: Option<IndexStamp>,
    /// Its files that have no row, with what it remembers of each.
    pub(super) apart: BTreeMap<RepoPath, Option<Remembered>>,
}

/// Files, by path.
#[derive(Debug, Clone, Default)]
pub(super) struct Files {
    pub(super) table: Option<Rc<Table>>,
    /// What counts before the table; none is a file that is not there.
    pub(super) beside: BTreeMap<RepoPath, Option<Seen>>,
}

impl Files {
    /// Those of a table, as it has them.
    pub(super) fn of(table: Option<Rc<Table>>) -> Self {
        Self { table, beside: BTreeMap::new() }
    }

    /// How a file was; none where it is not among them.
    ///
    /// # Errors
    /// Where the table cannot be read.
    pub(super) fn get(&self, path: &RepoPath) -> io::Result<Option<Seen>> {
        match (self.beside.get(path), &self.table) {
            (Some(beside), _) => Ok(beside.clone()),
            (None, Some(table)) => table.get(path),
            (None, None) => Ok(None),
        }
    }

    /// Says how a file was, or that it was not there.
    pub(super) fn set(&mut self, path: RepoPath, seen: Option<Seen>) {
        let row = self.table.as_ref().map(|table| table.get(&path));
        match row {
            // What cannot be read may be there, and must not count.
            Some(row) if row.as_ref().ok() != Some(&seen) => drop(self.beside.insert(path, seen)),
            None if seen.is_some() => drop(self.beside.insert(path, seen)),
            _ => drop(self.beside.remove(&path)),
        }
    }

    /// Those of these files, sorted by path, that the table has no row for.
    ///
    /// # Errors
    /// Where the table cannot be read.
    pub(super) fn apart_of<'p>(
        &self,
        files: impl Iterator<Item = (&'p [u8], Option<Remembered>)>,
    ) -> io::Result<BTreeMap<RepoPath, Option<Remembered>>> {
        let rows = self.table.as_ref().map(|table| table.rows()).transpose()?;
        let mut rows = rows.into_iter().flatten().map(|row| row.path).peekable();
        let mut apart = BTreeMap::new();
        for (path, remembered) in files {
            while rows.next_if(|row| *row < path).is_some() {}
            if rows.next_if_eq(&path).is_none()
                && let Ok(path) = RepoPath::new(path)
            {
                apart.insert(path, remembered);
            }
        }
        Ok(apart)
    }

    /// The files, by device and inode.
    ///
    /// # Errors
    /// Where the table cannot be read.
    pub(super) fn identities(&self) -> io::Result<HashSet<(u64, u64)>> {
        let mut found: HashSet<_> = self.beside.values().flatten().map(|seen| seen.meta.identity).collect();
        if let Some(table) = &self.table {
            let beside: HashSet<&[u8]> = self.beside.keys().map(|path| &**path.as_bstr()).collect();
            found.extend(table.rows()?.filter(|row| !beside.contains(row.path)).map(|row| row.meta().identity));
        }
        Ok(found)
    }
}
