//! Judging one file: its state against HEAD, its task's own conditions, and what its new text may not be.
//!
//! Owns the order in which these are asked: what the caller knows of the file comes first.

use super::look::Attempt;
use super::{Compile, Flow, Task};
use crate::change::ChangeKind;
use crate::error::Error;
use crate::git::RawFile;
use crate::policy::Finding;
use crate::task::{BaseState, Compiled, Found, Ids, Judged, KnownFile, TaskKind};

impl Flow<'_> {
    /// Finds out how a file stands against HEAD, and refuses what its task does not want and what cannot be.
    pub(super) fn judge(&self, task: &Task<'_>, tried: Attempt, ids: Ids) -> Result<Judged, Error> {
        let found = tried.found();
        let base = self.base_state(found, ids)?;
        // That the file changed says more than that the edits do not fit.
        let checked = (task.check)(&KnownFile { found, base });
        let compiled = match tried {
            Attempt::Compiled(compiled) => {
                // That a file can be deleted says nothing.
                let is_edited = task.kind != TaskKind::Delete;
                checked.map_err(|error| if is_edited { error.with_edits_that_fit() } else { error })?;
                compiled
            }
            Attempt::Failed { error, .. } => return Err(checked.err().unwrap_or(error)),
        };
        refuse_new_text(task, &compiled)?;
        Ok(compiled.judged(base, ids.after))
    }

    /// What is known of the file as it is; none where there is none.
    fn base_state(&self, found: &Found, ids: Ids) -> Result<Option<BaseState>, Error> {
        let (Some(base), Some(id)) = (&found.base, ids.before) else { return Ok(None) };
        let file = RawFile { id, bytes: &base.bytes, is_executable: base.meta.mode & 0o111 != 0 };
        let state = self.repo.state(&found.source().path, file)?;
        Ok(Some(BaseState { id, state }))
    }
}

/// A new text holds no NUL, unless it is brought back, and is another one than the old.
fn refuse_new_text(task: &Task<'_>, compiled: &Compiled) -> Result<(), Finding> {
    let Compiled { found, outcome, after, encoding, overruled: _ } = compiled;
    let shown = || found.source().path.to_string_lossy();
    let Some(after) = after else { return Ok(()) };
    let is_brought_back = matches!(task.compile, Compile::Bytes(_));
    if !is_brought_back && encoding.is_none() && memchr::memchr(0, after).is_some() {
        return Err(Finding::NewTextHasNul(shown()));
    }
    let Some(base) = found.base.as_ref().filter(|_| found.change == ChangeKind::Modify) else { return Ok(()) };
    let keeps_mode = outcome.mode.is_none_or(|mode| mode == base.meta.mode);
    if keeps_mode && *after == base.bytes {
        return Err(Finding::SameText(shown()));
    }
    Ok(())
}
