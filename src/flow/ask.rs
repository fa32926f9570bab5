//! Asking a person before anything is written.
//!
//! Owns when that is wanted, and what a yes is for. Who is asked, and how, is the caller's.

use super::{Flow, Task, diff};
use crate::error::Error;
use crate::patch::DiffLimits;
use crate::policy::Finding;
use crate::task::{Ids, Judged};
use crate::worktree::WorktreeError;

/// The texts that a person said yes to.
#[must_use = "a yes is for what was shown, not for what comes later"]
pub(super) struct Shown(Vec<Ids>);

impl Flow<'_> {
    /// Asks where that is wanted, and gives what the yes was for; a path counts by each of its names.
    pub(super) fn ask(&self, tasks: &[Task<'_>], judged: &[Judged]) -> Result<Option<Shown>, Error> {
        let needs_yes = tasks.iter().zip(judged).find(|(task, file)| self.is_named(task, file)).map(|(_, file)| file);
        if !self.confirm && needs_yes.is_none() {
            return Ok(None);
        }
        let diff = diff(judged, DiffLimits { lines: 0, bytes: 0 });
        if self.ask.is_some_and(|ask| ask(&diff.text)) {
            return Ok(Some(Shown(judged.iter().map(Judged::ids).collect())));
        }
        let file = needs_yes.or(judged.first());
        let path = file.map(|file| file.planned.place.path.to_string_lossy()).unwrap_or_default();
        Err(Finding::Declined(path).into())
    }

    /// Whether the configuration names a file as one to ask for.
    fn is_named(&self, task: &Task<'_>, file: &Judged) -> bool {
        let from = file.planned.from.as_ref().map(|from| &from.path);
        let names = [Some(&task.path), task.from.as_ref(), Some(&file.planned.place.path), from];
        names.into_iter().flatten().any(|path| self.settings.confirm.matching(path).is_some())
    }
}

impl Shown {
    /// Refuses files that changed since they were shown.
    pub(super) fn refuse_unseen(&self, judged: &[Judged]) -> Result<(), WorktreeError> {
        match judged.iter().zip(&self.0).find(|(file, ids)| file.ids() != **ids) {
            Some((file, _)) => {
                let what = "it is not what was shown".to_owned();
                Err(WorktreeError::ChangedWhileEditing { path: file.planned.place.path.to_string_lossy(), what })
            }
            None => Ok(()),
        }
    }
}
