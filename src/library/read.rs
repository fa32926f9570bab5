//! Reading a file the way edits see it.

use super::Error;
use crate::usecase::read::{Read, ReadRequest, read_in};
use crate::workspace::Workspace;

impl Workspace {
    /// Reads a file the way edits see it; with a session, leaves a receipt of it.
    ///
    /// # Errors
    /// Where there is no such file, it is binary, or it lies outside the root.
    ///
    /// ```
    #[doc = include_str!("example_repository.txt")]
    /// # let workspace = redraft::Workspace::open(&redraft::Env::in_dir(&root)?)?;
    /// let read = workspace.read(&redraft::ReadRequest::new("greeting.txt"))?;
    /// assert_eq!((read.content.as_slice(), read.total_lines), (&b"hello\nworld\n"[..], 2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn read(&self, request: &ReadRequest) -> Result<Read, Error> {
        self.refresh();
        read_in(self, request).map_err(Error::of)
    }
}
