//! The second half of a change, under the lock: what is judged becomes a transaction.
//!
//! Owns what goes into its plan, and what is told of its end. How files change is the transaction's.

use super::diff::edited;
use super::done::to_be_known;
use super::shelved_requests::ShelvedRequest;
use super::{Done, End, Flow, Written, checkpoint_if_due, refuse, replayed_requests};
use crate::change::ChangeKind;
use crate::error::Error;
use crate::git_record::{self, Credits, DoneInGit, GitEdit, GitTarget, PreparedGit};
use crate::id::RecordId;
use crate::path::RepoPath;
use crate::record::{RecordClass, RecordMeta};
use crate::task::{Judged, Report};
use crate::transaction::{Led, Plan, PlannedFile, State, Transaction};
use crate::warning::Warning;

impl Flow<'_> {
    /// Writes the files; `warnings` are of what was done before.
    pub(super) fn write(
        &self,
        transaction: &mut Transaction,
        judged: Vec<Judged>,
        mut warnings: Vec<Warning>,
    ) -> Result<Done, Error> {
        refuse::refuse_unwritable_files(transaction.root(), &judged)?;
        warnings.extend(to_be_known(&judged, &self.git));
        let id = RecordId::from_random(self.env.random().map_err(Error::io("draw", "a random id"))?);
        let time = self.env.clock().now();
        // HEAD as it was looked at last: the one that the change was fitted to.
        let mut meta = RecordMeta { base: self.repo.head_id()?, branch: self.repo.branch()?, ..self.meta.clone() };
        let mut git = self.prepare_git(transaction.state(), &id, &meta, &judged)?;
        if let (Some(git), GitTarget::Shelf) = (&mut git, &self.git) {
            let judged = self.try_out(transaction, judged, &id, &meta)?;
            return self.shelve(transaction, git, Done { files: judged, end: End::Shelved(git.made()), warnings });
        }
        if let Some(git) = &git {
            git.note_in(&mut meta);
        }
        let replaces = judged.iter().any(|file| file.planned.base.is_some());
        let backup = replaces.then(|| transaction.state().backups_path().join(State::backup_name(time, &id)));
        let in_git = git.as_ref().map(PreparedGit::made).unwrap_or_default();
        // The answer to a request that may be sent again is recorded with it, as it will be if all goes well.
        let end = End::Written(Written { id: id.clone(), backup: backup.clone(), in_git });
        let mut done = Done { files: judged, end, warnings };
        meta.answer = self.answer.filter(|_| meta.request_id.is_some()).map(|answer| answer(&done));
        let (files, reports) = planned(std::mem::take(&mut done.files));
        let verify = self.verify.as_ref();
        let mut plan = Plan { id: id.clone(), time, class: self.class, meta, files, verify, follow_up: None };
        let files = match &mut git {
            None => {
                let may_join = |files: &[PlannedFile]| self.may_be_joined(files);
                let led = self.group.map(|group| Led { group, may_join: &may_join });
                transaction.prepare(plan)?.commit_in(led)?
            }
            Some(git) => {
                let mut follow_up = || {
                    let DoneInGit { made, warnings } = git.finish()?;
                    done.end = End::Written(Written { id: id.clone(), backup: backup.clone(), in_git: made });
                    done.warnings.extend(warnings.into_iter().map(Warning::from));
                    Ok(())
                };
                plan.follow_up = Some(&mut follow_up);
                transaction.prepare(plan)?.commit()?
            }
        };
        done.files = judged_again(files, reports);
        if matches!(self.class, RecordClass::Undo | RecordClass::Redo) {
            transaction.remove_empty_dirs(done.files.iter().filter_map(|file| left_place(&file.planned)));
        }
        done.warnings.extend(checkpoint_if_due(transaction, self.repo, self.settings));
        Ok(done)
    }

    /// Has what goes into the stash only be verified in place, as all else is.
    fn try_out(
        &self,
        transaction: &mut Transaction,
        judged: Vec<Judged>,
        id: &RecordId,
        meta: &RecordMeta,
    ) -> Result<Vec<Judged>, Error> {
        let Some(verify) = &self.verify else { return Ok(judged) };
        let (files, reports) = planned(judged);
        let (id, meta, time) = (id.clone(), meta.clone(), self.env.clock().now());
        let plan = Plan { id, time, class: self.class, meta, files, verify: Some(verify), follow_up: None };
        Ok(judged_again(transaction.prepare(plan)?.try_out()?, reports))
    }

    /// Puts an edit into the stash. The answer to a request that may be sent again is noted before, and counts once the
    /// entry is there.
    fn shelve(&self, transaction: &mut Transaction, git: &mut PreparedGit<'_>, mut done: Done) -> Result<Done, Error> {
        if let (Some(request_id), Some(note)) = (&self.meta.request_id, self.shelved(&done)) {
            let (place, durability) = (transaction.state().place(), self.settings.durability);
            replayed_requests::begin_shelved(place, request_id, &note, durability)?;
        }
        let _shared = transaction.shared();
        let DoneInGit { made, warnings } = git.finish()?;
        done.end = End::Shelved(made);
        done.warnings.extend(warnings.into_iter().map(Warning::from));
        Ok(done)
    }

    fn shelved(&self, done: &Done) -> Option<ShelvedRequest> {
        let answer = self.answer?(done);
        ShelvedRequest::new(self.meta.request_hash?, done.in_git()?.stash()?, &answer)
    }

    /// Makes ready what git is to know of the edit.
    fn prepare_git(
        &self,
        state: &State,
        id: &RecordId,
        meta: &RecordMeta,
        judged: &[Judged],
    ) -> Result<Option<PreparedGit<'_>>, Error> {
        let Self { repo, class, lock_timeout, .. } = *self;
        let stage = &state.stage_path();
        let credits = &Credits::by(self.settings.trailer).and(id, meta);
        let edit = GitEdit { repo, stage, id, class, meta, credits, files: &edited(judged), lock_timeout };
        Ok(git_record::prepare(&self.git, &edit)?)
    }
}

/// What the transaction needs of the files, and the rest.
fn planned(judged: Vec<Judged>) -> (Vec<PlannedFile>, Vec<Report>) {
    judged.into_iter().map(|file| (file.planned, file.report)).unzip()
}

/// Where a file was, and none is now.
fn left_place(file: &PlannedFile) -> Option<&RepoPath> {
    match file.change {
        ChangeKind::Delete => Some(&file.place.path),
        ChangeKind::Rename => file.from.as_ref().map(|from| &from.path),
        ChangeKind::Create | ChangeKind::Modify => None,
    }
}

fn judged_again(files: Vec<PlannedFile>, reports: Vec<Report>) -> Vec<Judged> {
    files.into_iter().zip(reports).map(|(planned, report)| Judged { planned, report }).collect()
}
