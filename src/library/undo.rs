//! Taking records back, and taking that back.

use super::{Edited, Error};
use crate::history::{Select, UndoConflict, UndoRequest};
use crate::id::RecordId;
use crate::usecase::undo::{UndoOptions, undo_in};
use crate::workspace::Workspace;

/// What an undo or redo did, or in a dry run would do.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Undone {
    /// What became of the files.
    pub edited: Edited,
    /// The records that were inverted.
    pub records: Vec<RecordId>,
    /// What did not fit, where it was asked to be skipped, or to be put between conflict markers.
    pub conflicts: Vec<UndoConflict>,
}

impl Workspace {
    /// Takes records back, and leaves in place what was written later.
    ///
    /// # Errors
    /// Where there is nothing to undo, a name is of no record, or later changes are in the way.
    ///
    /// ```
    #[doc = include_str!("example_repository.txt")]
    /// # let workspace = redraft::Workspace::open(&redraft::Env::in_dir(&root)?)?;
    /// # use redraft::{Edit, Request};
    /// # let request = Request::edit("greeting.txt", [Edit::new("world", "moon")?])?;
    /// let edited = workspace.edit(&request, &Default::default())?;
    /// let undone = workspace.undo(&redraft::UndoRequest::newest(), &Default::default())?;
    /// assert_eq!(undone.records, [edited.record.and_then(|record| record.id).expect("it is recorded")]);
    /// assert_eq!(std::fs::read_to_string(root.join("greeting.txt"))?, "hello\nworld\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn undo(&self, request: &UndoRequest, options: &UndoOptions<'_>) -> Result<Undone, Error> {
        self.refresh();
        let (envelope, conflicts) = undo_in(self, request, options).map_err(Error::of)?;
        let mut data = envelope.data;
        let records = data.undone.take().unwrap_or_default();
        Ok(Undone { edited: Edited::of(data)?, records, conflicts })
    }

    /// Takes undos back: those of the named records, or those undos; the newest one where none is named.
    ///
    /// # Errors
    /// As [`Self::undo`].
    ///
    /// ```
    #[doc = include_str!("example_repository.txt")]
    /// # let workspace = redraft::Workspace::open(&redraft::Env::in_dir(&root)?)?;
    /// # use redraft::{Edit, Request};
    /// # let request = Request::edit("greeting.txt", [Edit::new("world", "moon")?])?;
    /// # workspace.edit(&request, &Default::default())?;
    /// # workspace.undo(&redraft::UndoRequest::newest(), &Default::default())?;
    /// workspace.redo(&[], &Default::default())?;
    /// assert_eq!(std::fs::read_to_string(root.join("greeting.txt"))?, "hello\nmoon\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn redo(&self, names: &[&str], options: &UndoOptions<'_>) -> Result<Undone, Error> {
        let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
        let select = if names.is_empty() { Select::NewestUndo } else { Select::UndosOf(names) };
        self.undo(&UndoRequest { select, ..UndoRequest::newest() }, options)
    }
}
