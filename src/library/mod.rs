//! The library's door: what a [`Workspace`] does for a program, typed requests in, typed results out.
//!
//! Owns the methods and the types that they give. Has no logic of its own: it hands over to the use cases and to the history.
//! Invariant: nothing here reads the environment, prints, or changes the process; a workspace may be handed to another thread.

mod edit;
mod error;
mod history;
mod read;
mod recover;
mod undo;

pub use edit::{Answer, EditOptions, Edited, EditedFile, Form};
pub use error::Error;
pub use history::{Entry, EntryFile, Shown};
pub use recover::Recovered;
pub use undo::Undone;

use crate::env::Env;
use crate::usecase;
use crate::workspace::Workspace;

impl Workspace {
    /// Opens the working tree of the git repository that holds the directory of `env`.
    ///
    /// What git's configuration says of redraft is read once; open again where it may have changed. HEAD and the files are
    /// looked at anew by every method.
    ///
    /// # Errors
    /// Where there is no repository with a working tree (today redraft needs one), or git would refuse it, too.
    ///
    /// ```
    #[doc = include_str!("example_repository.txt")]
    /// let workspace = redraft::Workspace::open(&redraft::Env::in_dir(&root)?)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn open(env: &Env) -> Result<Self, Error> {
        Self::discover(env).map_err(Error::of)
    }

    /// Finishes, or takes back, what was interrupted by a crash. Every edit does that by itself; this is for programs that
    /// want to know.
    ///
    /// # Errors
    /// Where another redraft holds the lock for too long, or what was interrupted cannot be decided.
    ///
    /// ```
    #[doc = include_str!("example_repository.txt")]
    /// # let workspace = redraft::Workspace::open(&redraft::Env::in_dir(&root)?)?;
    /// assert!(workspace.recover()?.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn recover(&self) -> Result<Recovered, Error> {
        self.refresh();
        let settings = self.settings().map_err(Error::of)?;
        usecase::recover_in(self.repo(), settings).map(Recovered::of).map_err(Error::of)
    }
}
