//! The second half of a change, under the lock: what is judged becomes a transaction.
//!
//! Owns what goes into its plan, and what is told of its end. How files change is the transaction's.

use super::diff::edited;
use super::{Done, End, Flow, Written, checkpoint, refuse};
use crate::error::Error;
use crate::git_record::{self, Recording};
use crate::id::RecordId;
use crate::record::RecordMeta;
use crate::task::{Judged, Report};
use crate::transaction::{Plan, PlannedFile, State, Transaction};

impl Flow<'_> {
    /// Writes the files.
    pub(super) fn write(&self, transaction: &mut Transaction, judged: Vec<Judged>) -> Result<Done, Error> {
        let mut warnings = transaction.recovered().left.clone();
        warnings.extend(transaction.take_notes());
        warnings.extend(refuse::writable(transaction.root(), &judged)?);
        let id = RecordId::from_random(self.env.random().map_err(Error::io("draw", "a random id"))?);
        let time = self.env.clock().now();
        let mut meta = self.meta.clone();
        let mut git = self.prepare_git(transaction.state(), &id, &mut meta, &judged)?;
        let in_git = git.as_ref().map(|git| git.in_git.clone()).unwrap_or_default();
        if self.git.shelve
            && let Some(mut git) = git
        {
            warnings.extend(git.land()?);
            return Ok(Done { files: judged, end: End::Shelved(in_git), warnings });
        }
        let replaces = judged.iter().any(|file| file.planned.base.is_some());
        let backup = replaces.then(|| transaction.state().backups_path().join(State::backup_name(time, &id)));
        // The answer to a request that may be sent again is recorded with it, as it will be if all goes well.
        let end = End::Written(Written { id: id.clone(), backup: backup.clone(), in_git });
        let mut done = Done { files: judged, end, warnings };
        meta.answer = self.answer.filter(|_| meta.request_id.is_some()).map(|answer| answer(&done));
        let (files, reports) = planned(std::mem::take(&mut done.files));
        let verify = self.verify.is_some() || git.is_some();
        let prepared = transaction.prepare(Plan { id: id.clone(), time, class: self.class, meta, files, verify })?;
        let committed = match &mut git {
            Some(git) => prepared.commit_and_land(self.verify.as_ref(), Some(&mut || git.land()))?,
            None => prepared.commit(self.verify.as_ref())?,
        };
        done.files = judged_again(committed.files, reports);
        done.warnings.extend(committed.warnings);
        if let Some(git) = git {
            done.end = End::Written(Written { id, backup, in_git: git.in_git.clone() });
        }
        self.checkpoint_if_due(transaction, &mut done.warnings);
        Ok(done)
    }

    /// Makes ready what git is to know of the edit, and notes it in the record.
    fn prepare_git(
        &self,
        state: &State,
        id: &RecordId,
        meta: &mut RecordMeta,
        judged: &[Judged],
    ) -> Result<Option<Recording<'_>>, Error> {
        let folder = state.path();
        Ok(match self.staged.filter(|staged| !staged.is_empty()) {
            Some(staged) => Some(git_record::prepare_staged(self.repo, folder, staged, (id, meta), self.lock_timeout)?),
            None => git_record::prepare(self.repo, folder, &self.git, &edited(judged), (id, meta), self.lock_timeout)?,
        })
    }

    /// Seals the records once in a while. What goes wrong here takes nothing back.
    fn checkpoint_if_due(&self, transaction: &mut Transaction, warnings: &mut Vec<String>) {
        if transaction.is_checkpoint_due()
            && let Err(error) = checkpoint(transaction, self.repo, self.settings)
        {
            warnings.push(format!("the edit is written, but the history could not be sealed: {error}"));
        }
        warnings.extend(transaction.take_notes());
    }
}

/// What the transaction needs of the files, and the rest.
fn planned(judged: Vec<Judged>) -> (Vec<PlannedFile>, Vec<Report>) {
    judged.into_iter().map(|file| (file.planned, file.report)).unzip()
}

fn judged_again(files: Vec<PlannedFile>, reports: Vec<Report>) -> Vec<Judged> {
    files.into_iter().zip(reports).map(|(planned, report)| Judged { planned, report }).collect()
}
