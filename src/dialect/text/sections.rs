//! Parts of a patch, each about one file, as the files of a request.
//!
//! Owns what several parts about one file come to. Does not read any format.

use crate::dialect::json::{Cause, Checked, Fault};
use crate::request::{Anchor, Dialect, Edit, Expectation, FileChange, FileRequest, PathArg, Request};
use std::collections::HashMap;

/// Files of a request, in the order in which they are named first.
#[derive(Debug, Default)]
pub struct Sections {
    files: Vec<FileRequest>,
    by_path: HashMap<PathArg, usize>,
}

impl Sections {
    /// Adds a part. Hunks join those that the file has; a file that goes and comes again is written anew.
    ///
    /// # Errors
    /// Where the file is named already, and the parts are not one change.
    pub fn add(&mut self, file: FileRequest) -> Checked<()> {
        let Some(&at) = self.by_path.get(&file.path) else {
            self.by_path.insert(file.path.clone(), self.files.len());
            self.files.push(file);
            return Ok(());
        };
        let known = &mut self.files[at];
        let path = file.path.to_string_lossy();
        match (&mut known.change, file.change) {
            (FileChange::Modify(edits), FileChange::Modify(more)) => {
                let section = 1 + edits.last().and_then(Edit::anchor).map_or(0, |anchor| anchor.section);
                edits.extend(more.into_iter().map(|edit| in_section(edit, section)));
            }
            (change @ FileChange::Delete, FileChange::Create { content, edits, .. }) => {
                *change = FileChange::Create { content, overwrite: true, edits };
            }
            _ => {
                let second = format!("{path}, a second time");
                return Err(Fault::new(Cause::SameFileTwice { first: path.clone(), second }).in_file(path));
            }
        }
        Ok(())
    }

    /// The request; none where there are no parts.
    pub fn request(self, dialect: Dialect) -> Option<Request> {
        (!self.files.is_empty()).then(|| Request::new(dialect, self.files))
    }
}

fn in_section(edit: Edit, section: usize) -> Edit {
    match edit.anchor() {
        Some(anchor) => {
            let anchor = Anchor { section, ..anchor.clone() };
            Edit::hunk(edit.old().to_vec(), edit.new_text().to_vec(), anchor)
        }
        None => edit,
    }
}

/// A part about one file.
pub fn file(path: PathArg, change: FileChange) -> FileRequest {
    FileRequest { path, change, expected: Expectation::default(), encoding: None, executable: None }
}
