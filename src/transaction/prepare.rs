//! Makes everything ready: staged files, backups, the intent. Nothing of the user's changes here.
//!
//! Owns the order, and what the intent says. Invariant of [`Prepared`]: dropping it takes everything back.

use super::Transaction;
use super::error::TransactionError as Error;
use super::intent::{Intent, IntentFile, intent_splices};
use super::plan::{Plan, PlannedFile};
use super::staging::{Slots, Staged};
use crate::change::ChangeKind;
use crate::path::RepoPath;
use crate::record::LARGEST_KEPT;
use crate::worktree::root::{Place, Root};

/// A transaction whose new files are staged and whose old files are backed up; nothing is exchanged.
#[must_use = "dropping it takes everything back"]
pub struct Prepared<'t> {
    pub(super) staged: Staged<'t>,
    pub(super) intent: Intent,
}

impl Transaction {
    /// Stages the new files and backs up the old ones.
    ///
    /// # Errors
    /// Where a staged file or a backup cannot be written, as on a full disk; everything made so far is taken back.
    pub fn prepare<'t>(&'t mut self, plan: Plan<'t>) -> Result<Prepared<'t>, Error> {
        let files = plan.files.len();
        let mut staged = Staged::new(self, plan);
        // 4.
        for n in 0..files {
            staged.stage(n)?;
        }
        // 5.
        for n in 0..files {
            staged.back_up(n)?;
        }
        let intent = staged.intent();
        Ok(Prepared { staged, intent })
    }
}

impl Staged<'_> {
    /// What the journal is to say; the plan's metadata goes there.
    fn intent(&mut self) -> Intent {
        let mut files = Vec::with_capacity(self.plan.files.len());
        let mut made_dirs = Vec::new();
        for (file, slots) in self.plan.files.iter().zip(&self.slots) {
            files.push(self.intent_file(file, slots));
            made_dirs.extend(missing_dirs(&file.place, &made_dirs, &self.transaction.root));
        }
        // The time comes last: no staged file is younger, which recovery after a power cut relies on.
        let time_ms = self.transaction.env.now_ms();
        let meta = std::mem::take(&mut self.plan.meta);
        let verify = self.plan.is_provisional();
        Intent { id: self.plan.id.clone(), time_ms, class: self.plan.class, meta, files, made_dirs, verify }
    }

    fn intent_file(&self, file: &PlannedFile, slots: &Slots) -> IntentFile {
        let base = file.base_bytes();
        let too_much = file.change == ChangeKind::Delete && base.len() > LARGEST_KEPT;
        let backup = self.backup.as_ref().filter(|_| file.base.is_some());
        IntentFile {
            path: file.place.path.clone(),
            from: file.from.as_ref().map(|from| from.path.clone()),
            change: file.change,
            before: file.before_id(),
            after: file.after_id(),
            before_len: base.len(),
            mode_before: file.base_meta().map(|meta| meta.mode),
            mode_after: file.after.as_ref().and(file.new_mode()),
            state: file.base.as_ref().map(|base| base.state),
            encoding: file.encoding,
            splices: if too_much { Vec::new() } else { intent_splices(&file.patch, base) },
            backup: backup.map(|backup| backup.path_of(&file.source().path)),
            stage: self.is_in_stage(slots).then(|| slots.stage.name.to_string()),
        }
    }
}

/// The directories that must be made for a place, outermost first, but for those that are listed already.
fn missing_dirs(place: &Place, listed: &[RepoPath], root: &Root) -> Vec<RepoPath> {
    let mut missing = Vec::new();
    if place.dir().is_some() {
        return missing;
    }
    let mut at = place.path.parent();
    while let Some(dir) = at {
        if listed.contains(&dir) || root.dir().beneath(Some(&dir)).is_ok() {
            break;
        }
        at = dir.parent();
        missing.push(dir);
    }
    missing.reverse();
    missing
}
