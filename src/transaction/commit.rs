//! From the commit point to the answer: the intent is synced, the files are exchanged, the end is marked.
//!
//! Owns the order, numbered as in docs/transaction.md; how files are exchanged and taken back again is in `exchange.rs` and
//! `take_back.rs`.
//! Invariant: after an error nothing is applied, or the journal says that it is unfinished and the error says so.

use super::error::TransactionError as Error;
use super::exchange::{Cause, Stopped};
use super::group::Led;
use super::journal_bytes::Outcome;
use super::note::Note;
use super::plan::{FollowUp, PlannedFile};
use super::prepare::Prepared;
use super::staging::Backups;
use super::step::Step;
use super::take_back::RolledBack;
use super::verify::Verify;
use std::rc::Rc;

impl Prepared<'_> {
    /// Commits: all files change, or none does. Gives the files of the plan back.
    ///
    /// # Errors
    /// [`ChangedWhileEditing`](crate::worktree::WorktreeError::ChangedWhileEditing) where a file is not what was matched,
    /// [`Error::VerifyFailed`], those of the follow-up; where the journal cannot be written or a file not be exchanged. Then
    /// everything is taken back, or the error is [`Error::RecoveryNeeded`].
    pub fn commit(self) -> Result<Vec<PlannedFile>, Error> {
        self.commit_in(None)
    }

    /// As [`Self::commit`]; those of the group that wait come to their commit points first, and share the sync.
    ///
    /// # Errors
    /// As [`Self::commit`].
    pub fn commit_in(mut self, led: Option<Led<'_>>) -> Result<Vec<PlannedFile>, Error> {
        // 6. The commit point, and the only sync.
        self.write_intent(led)?;
        // 7. The exchanges.
        if let Err(stopped) = self.exchange_all() {
            return self.stopped(stopped);
        }
        // 8. The check that the user asked for.
        let run = |verify: &Verify| verify.run(self.staged.transaction.root.path(), &self.staged.transaction.env);
        if let Some(Err(error)) = self.staged.plan.verify.map(run) {
            return Err(self.take_back(error));
        }
        // 9. What has to follow elsewhere. Once it is done nothing is taken back.
        let is_final = match self.staged.plan.follow_up.take() {
            None => false,
            Some(follow_up) => match self.follow_up(follow_up) {
                Ok(()) => true,
                Err(error) => return Err(self.take_back(error)),
            },
        };
        // 10. The mark. It is a hint: without it, recovery finds every file new and says the same.
        if let Err(error) = self.mark_applied()
            && self.intent.verify
            && !is_final
        {
            // But a transaction that is to be verified is undone by recovery as long as the mark is missing.
            return Err(self.take_back(error));
        }
        // The old files go; their backups stay.
        let _ = self.staged.transaction.watch.before(Step::CleanUp);
        self.staged.clean_up(Backups::Keep);
        Ok(self.files())
    }

    /// Only tries: the files are put in place, verified, and taken back, whatever comes of it.
    ///
    /// # Errors
    /// As [`Self::commit`].
    pub fn try_out(mut self) -> Result<Vec<PlannedFile>, Error> {
        self.write_intent(None)?;
        if let Err(Stopped { done, error, .. }) = self.exchange_all() {
            return Err(self.roll_back(done, error).into_error());
        }
        let run = |verify: &Verify| verify.run(self.staged.transaction.root.path(), &self.staged.transaction.env);
        if let Some(Err(error)) = self.staged.plan.verify.map(run) {
            return Err(self.take_back(error));
        }
        self.end_trial()?;
        Ok(std::mem::take(&mut self.staged.plan.files))
    }

    fn write_intent(&mut self, led: Option<Led<'_>>) -> Result<(), Error> {
        self.staged.transaction.watch.before(Step::CommitIntent)?;
        let hold = self.staged.transaction.hold.clone();
        let written = hold.journal.borrow_mut().write_intent(&self.intent)?;
        if let Some(led) = led {
            let journal = Rc::clone(&hold.journal);
            led.gather(hold.clone(), &self.staged.plan, &|| journal.borrow().is_synced(&written));
        }
        let synced = hold.journal.borrow_mut().sync_intent(&written);
        // What can neither be synced nor taken back is done by recovery, with what is staged for it.
        self.staged.is_committed = matches!(synced, Ok(()) | Err(Error::RecoveryNeeded { .. }));
        synced
    }

    fn follow_up(&self, follow_up: FollowUp<'_>) -> Result<(), Error> {
        self.staged.transaction.watch.before(Step::FollowUp)?;
        let _shared = self.staged.transaction.shared();
        follow_up()
    }

    fn mark_applied(&mut self) -> Result<(), Error> {
        self.staged.transaction.watch.before(Step::MarkApplied)?;
        self.staged.transaction.hold.journal.borrow_mut().mark(&self.intent, Outcome::Applied)
    }

    /// Takes back what was exchanged before the exchanges stopped.
    fn stopped(mut self, Stopped { done, error, cause }: Stopped) -> Result<Vec<PlannedFile>, Error> {
        let all = self.staged.plan.files.len();
        match self.roll_back(done, error) {
            // Nothing could be taken back, so everything is applied: the journal says so, and so must the answer.
            // The old files stay staged, and recovery looks at them again.
            RolledBack::Nothing(error) if cause == Cause::System && done == all => {
                self.staged.transaction.notes.push(Note::NotLookedAt(error));
                Ok(self.files())
            }
            rolled => Err(rolled.into_error()),
        }
    }

    fn files(&mut self) -> Vec<PlannedFile> {
        std::mem::take(&mut self.staged.plan.files)
    }
}
