//! The texts of files that commits have, each read once where many records look into the same commit.
//!
//! Owns how many are kept. What of a record is in them is decided by `held.rs`.

use crate::git::Repo;
use crate::history::error::HistoryError;
use crate::history::held::LinesBrought;
use crate::history::versions::Versions;
use crate::id::BlobId;
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// So many blobs are kept at once: neighbouring records look into the same.
const MOST_BLOBS: usize = 64;

/// Blobs of the user's repository, the last ones kept.
pub(super) struct Blobs<'r> {
    repo: &'r Repo,
    kept: RefCell<HashMap<BlobId, Rc<Vec<u8>>>>,
    /// What was brought between some blobs and another: many records ask that of one commit.
    brought: RefCell<HashMap<Change, Rc<LinesBrought>>>,
}

/// The blobs of a file before a commit, and after it.
type Change = (Vec<Option<BlobId>>, Option<BlobId>);

impl<'r> Blobs<'r> {
    /// Of this repository; none is read yet.
    pub(super) fn of(repo: &'r Repo) -> Self {
        Self { repo, kept: RefCell::default(), brought: RefCell::default() }
    }

    /// The lines that came and went between some blobs and another.
    ///
    /// # Errors
    /// Where a blob cannot be read.
    pub(super) fn brought(
        &self,
        old: &[Option<BlobId>],
        new: Option<BlobId>,
    ) -> Result<Rc<LinesBrought>, HistoryError> {
        let key = (old.to_vec(), new);
        if let Some(brought) = self.brought.borrow().get(&key) {
            return Ok(Rc::clone(brought));
        }
        let brought = Rc::new(self.between(old, new, LinesBrought::between)?);
        self.brought.borrow_mut().insert(key, Rc::clone(&brought));
        Ok(brought)
    }

    /// Tells something of the versions that these blobs are.
    ///
    /// # Errors
    /// Where a blob cannot be read.
    pub(super) fn between<T>(
        &self,
        old: &[Option<BlobId>],
        new: Option<BlobId>,
        tell: impl FnOnce(Versions<'_>) -> T,
    ) -> Result<T, HistoryError> {
        let text = |id: &Option<BlobId>| id.map(|id| self.get(id)).transpose();
        let new = text(&new)?;
        let texts: Vec<Option<Rc<Vec<u8>>>> = old.iter().map(text).collect::<Result<_, _>>()?;
        let old: Vec<Option<&[u8]>> = texts.iter().map(|text| text.as_ref().map(|text| &text[..])).collect();
        Ok(tell(Versions { old: &old, new: new.as_ref().map(|new| &new[..]) }))
    }

    fn get(&self, id: BlobId) -> Result<Rc<Vec<u8>>, HistoryError> {
        let mut kept = self.kept.borrow_mut();
        if let Some(blob) = kept.get(&id) {
            return Ok(Rc::clone(blob));
        }
        if kept.len() >= MOST_BLOBS {
            kept.clear();
        }
        let blob = Rc::new(self.repo.blob(&id)?);
        kept.insert(id, Rc::clone(&blob));
        Ok(blob)
    }
}
