//! The exchange of all files, and what has to be there for it.
//!
//! Owns in which order files are exchanged, and how far that came. How one file is exchanged is in `swap.rs`.

use super::error::TransactionError as Error;
use super::prepare::Prepared;
use super::step::Step;
use super::swap::Refused;
use crate::worktree::WorktreeError;
use std::collections::BTreeSet;
use std::rc::Rc;

/// Why the exchanges stopped, and how many files are new.
pub(super) struct Stopped {
    pub done: usize,
    pub error: Error,
    pub cause: Cause,
}

/// What stopped the exchanges.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cause {
    /// The system failed.
    System,
    /// Somebody else's edit.
    Foreign,
}

impl Stopped {
    fn by_system(done: usize, error: Error) -> Self {
        Self { done, error, cause: Cause::System }
    }

    fn foreign(done: usize, path: String, what: String) -> Self {
        Self { done, error: WorktreeError::ChangedWhileEditing { path, what }.into(), cause: Cause::Foreign }
    }
}

impl Prepared<'_> {
    /// Exchanges all files, and looks whether they are still where their paths say.
    pub(super) fn exchange_all(&mut self) -> Result<(), Stopped> {
        self.make_dirs().map_err(|error| Stopped::by_system(0, error))?;
        let watch = Rc::clone(&self.staged.transaction.watch);
        let swaps = self.staged.swaps();
        for (n, swap) in swaps.iter().enumerate() {
            watch.before(Step::Exchange(n)).map_err(|error| Stopped::by_system(n, error))?;
            swap.forward().map_err(|refused| match refused {
                Refused::Foreign(what) => Stopped::foreign(n, swap.shown.clone(), what),
                Refused::Failed(error) => Stopped::by_system(n, error),
                Refused::Stuck(error) => Stopped::by_system(n + 1, error),
            })?;
        }
        drop(swaps);
        self.refuse_moved_dirs()
    }

    /// A directory that was moved away took the new file with it, perhaps out of the root.
    fn refuse_moved_dirs(&self) -> Result<(), Stopped> {
        let all = self.staged.plan.files.len();
        let places = self.staged.plan.files.iter().flat_map(|file| [Some(&file.place), file.from.as_ref()]);
        let mut seen = BTreeSet::new();
        for place in places.flatten().filter(|place| seen.insert(place.path.parent())) {
            let shown = place.path.to_string_lossy();
            let still = self.staged.transaction.root.is_still_there(place);
            match still.map_err(Error::io("look at the directory of", shown.clone())) {
                Ok(true) => {}
                Ok(false) => return Err(Stopped::foreign(all, shown, "its directory was moved away".to_owned())),
                Err(error) => return Err(Stopped::by_system(all, error)),
            }
        }
        Ok(())
    }

    /// Makes the directories of new files and finds the places in them.
    fn make_dirs(&mut self) -> Result<(), Error> {
        if self.intent.made_dirs.is_empty() {
            return Ok(());
        }
        let root = &self.staged.transaction.root;
        for dir in &self.intent.made_dirs {
            let parent = root.dir().beneath(dir.parent().as_ref());
            let made = parent.and_then(|parent| parent.mkdir(dir.file_name(), 0o777));
            made.map_err(Error::io("make the directory", dir.to_string_lossy()))?;
        }
        root.look_again();
        for file in &mut self.staged.plan.files {
            if file.place.dir().is_none() {
                file.place = root.place(&file.place.path)?;
            }
        }
        Ok(())
    }
}
