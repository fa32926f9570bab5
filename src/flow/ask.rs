//! Asking a person before anything is written.
//!
//! Owns when that is wanted, and what a yes is for. Who is asked, and how, is the caller's.

use super::{Flow, Task, diff};
use crate::error::Error;
use crate::patch::DiffLimits;
use crate::policy::Finding;
use crate::task::{Ids, Judged};
use crate::worktree::WorktreeError;

/// What came of a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reply {
    /// Go on.
    Yes,
    /// Do not.
    No,
    /// There is nobody to ask.
    Nobody,
}

impl From<bool> for Reply {
    /// As a program says it that has somebody to ask.
    fn from(yes: bool) -> Self {
        if yes { Self::Yes } else { Self::No }
    }
}

/// Shown the uncut diff; says whether to go on.
pub type Ask<'a> = &'a dyn Fn(&str) -> Reply;

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
        let file = needs_yes.or(judged.first());
        let path = file.map(|file| file.planned.place.path.to_string_lossy()).unwrap_or_default();
        match self.ask.map_or(Reply::Nobody, |ask| ask(&diff.text)) {
            Reply::Yes => Ok(Some(Shown(judged.iter().map(Judged::ids).collect()))),
            Reply::No => Err(Finding::Declined(path).into()),
            Reply::Nobody => {
                let rule = if needs_yes.is_some() { Some("redraft.confirm") } else { None };
                Err(Finding::NobodyToAsk { path, rule }.into())
            }
        }
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
