//! The files that are others than git had under their names, kept once they were looked for.
//!
//! Owns what is kept of that look, for one commit. Looks at nothing itself (that is `copied`'s).

use crate::id::CommitId;
use crate::path::RepoPath;
use std::cell::RefCell;
use std::rc::Rc;

/// A file that is another one by now.
pub(super) struct Stray {
    pub(super) path: RepoPath,
    /// What git had there.
    pub(super) had: Vec<u8>,
    /// What is there now.
    pub(super) there: Vec<u8>,
}

/// Those since one commit.
type Since = (Option<CommitId>, Rc<Vec<Stray>>);

/// Those of the last look.
#[derive(Default)]
pub(super) struct Strays(RefCell<Option<Since>>);

impl Strays {
    /// Those since a commit, looked for where the last look was at another one.
    pub(super) fn since(&self, base: Option<CommitId>, look: impl FnOnce() -> Vec<Stray>) -> Rc<Vec<Stray>> {
        let mut kept = self.0.borrow_mut();
        match &*kept {
            Some((of, strays)) if *of == base => Rc::clone(strays),
            _ => Rc::clone(&kept.insert((base, Rc::new(look()))).1),
        }
    }
}
