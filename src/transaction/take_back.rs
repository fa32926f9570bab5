//! Taking a transaction back after its commit point: the old files come in again, and the journal says so.
//!
//! Owns what is told where that cannot be done. Invariants: what somebody else wrote meanwhile is never lost; nor is the old file, which is in its
//! place before its backup goes, or the journal's entry stays open and keeps the backup.

use super::error::TransactionError as Error;
use super::journal_bytes::Outcome;
use super::prepare::Prepared;
use super::staging::Backups;
use super::step::Step;
use super::swap::Refused;
use std::rc::Rc;

/// How far a transaction was taken back.
pub(super) enum RolledBack {
    Everything(Error),
    Partly(Error),
    Nothing(Error),
}

impl RolledBack {
    pub fn into_error(self) -> Error {
        match self {
            Self::Everything(error) | Self::Partly(error) | Self::Nothing(error) => error,
        }
    }
}

impl Prepared<'_> {
    /// Takes everything back after the exchange. A check may have run long, and itself have changed the files (a formatter):
    /// the old versions come back all the same, and what is in their way is kept aside and told.
    pub(super) fn take_back(&mut self, mut error: Error) -> Error {
        let told = |what: &dyn std::fmt::Display| format!("{error}; and then: {what}");
        let is_journal_gone = match self.staged.make_folders_again() {
            Ok(is_gone) => is_gone,
            Err(what) => return self.unfinished(told(&what)),
        };
        if let Err(what) = self.staged.make_emptied_folders_again() {
            return self.unfinished(told(&what));
        }
        let displaced = match self.put_back() {
            Ok(displaced) => displaced,
            Err(what) => return self.unfinished(told(&what)),
        };
        if let (true, Error::VerifyFailed { how, .. }) = (is_journal_gone, &mut error) {
            how.push_str(" and redraft's folder in the git directory was removed meanwhile, with the backups and the records that were only there");
        }
        if let (false, Some(backup), Error::VerifyFailed { how, .. }) =
            (displaced.is_empty(), &self.staged.backup, &mut error)
        {
            let folder = self.staged.transaction.hold.state.backups_path().join(backup.name());
            let which = displaced.join(", ");
            how.push_str(&format!(
                " and files were changed meanwhile, which are kept in {} ({which})",
                folder.display()
            ));
        }
        self.close(error).into_error()
    }

    /// Ends a transaction that was only tried: its files were seen in place, and are as before.
    ///
    /// # Errors
    /// [`Error::RecoveryNeeded`], where that cannot be done.
    pub(super) fn end_trial(&mut self) -> Result<(), Error> {
        let told = |what: &dyn std::fmt::Display| format!("the edit was only tried; and then: {what}");
        self.staged.make_folders_again().map_err(|what| self.unfinished(told(&what)))?;
        self.staged.make_emptied_folders_again().map_err(|what| self.unfinished(told(&what)))?;
        self.put_back().map_err(|what| self.unfinished(told(&what)))?;
        self.end().map_err(|mark| self.unfinished(told(&mark)))
    }

    /// Brings the old versions back, and says what was in their way and where it is kept.
    fn put_back(&mut self) -> Result<Vec<String>, String> {
        let files = 0..self.staged.plan.files.len();
        let aside: Vec<_> =
            files.map(|n| self.staged.aside(n)).collect::<Result<_, _>>().map_err(|error| error.to_string())?;
        let watch = Rc::clone(&self.staged.transaction.watch);
        let mut displaced = Vec::new();
        let mut stuck = None;
        for (n, swap) in self.staged.swaps().iter().enumerate().rev() {
            let back = watch.before(Step::ExchangeBack(n)).and_then(|()| self.staged.keep_old(n));
            match back.map_err(Refused::Failed).and_then(|()| swap.back_displacing(&aside[n])) {
                Ok(false) => {}
                Ok(true) => displaced.push(format!("{} as changed-{n}", swap.shown)),
                Err(Refused::Foreign(what)) => stuck = Some(what),
                Err(Refused::Failed(error) | Refused::Stuck(error)) => stuck = Some(error.to_string()),
            }
        }
        stuck.map_or(Ok(displaced), Err)
    }

    /// Undoes the first `done` exchanges and says so in the journal.
    pub(super) fn roll_back(&mut self, done: usize, error: Error) -> RolledBack {
        let watch = Rc::clone(&self.staged.transaction.watch);
        let mut stuck = None;
        let mut is_new = true;
        for (n, swap) in self.staged.swaps().iter().enumerate().take(done).rev() {
            let back = watch.before(Step::ExchangeBack(n)).and_then(|()| self.staged.make_old_again(n));
            match back.map_err(Refused::Failed).and_then(|()| swap.back()) {
                Ok(()) => is_new = false,
                Err(Refused::Foreign(what)) => (stuck, is_new) = (Some(what), false),
                Err(Refused::Failed(error) | Refused::Stuck(error)) => stuck = Some(error.to_string()),
            }
        }
        if let Some(what) = stuck {
            // The journal's entry stays open: whoever takes the lock next finishes what could not be finished here.
            let error = self.unfinished(format!("{error}; and then: {what}"));
            return if is_new { RolledBack::Nothing(error) } else { RolledBack::Partly(error) };
        }
        self.close(error)
    }

    /// Ends a transaction that was taken back.
    fn close(&mut self, error: Error) -> RolledBack {
        match self.end() {
            Ok(()) => RolledBack::Everything(error),
            Err(mark) => RolledBack::Partly(self.unfinished(format!("{error}; and then: {mark}"))),
        }
    }

    fn end(&mut self) -> Result<(), Error> {
        self.remove_made_dirs();
        self.staged.transaction.watch.before(Step::MarkAborted)?;
        self.staged.transaction.hold.journal.borrow_mut().mark(&self.intent, Outcome::Aborted)?;
        self.staged.clean_up(Backups::Remove);
        Ok(())
    }

    fn remove_made_dirs(&self) {
        for dir in self.intent.made_dirs.iter().rev() {
            if let Ok(parent) = self.staged.transaction.root.dir().beneath(dir.parent().as_ref()) {
                let _ = parent.rmdir(dir.file_name());
            }
        }
    }

    fn unfinished(&self, what: String) -> Error {
        let backups = self.staged.transaction.hold.state.backups_path();
        let folder = self.staged.backup.as_ref().map_or(backups.clone(), |backup| backups.join(backup.name()));
        let versions =
            format!("the old one in {}, the new one in the journal; run `redraft recover`", folder.display());
        Error::RecoveryNeeded { id: self.intent.id.clone(), what, versions }
    }
}
