//! From the commit point to the answer: the intent is synced, the files are exchanged, the end is marked.
//!
//! Invariant: after an error nothing is applied, or the journal says that it is unfinished and the error says so.

use super::error::TransactionError as Error;
use super::journal::Outcome;
use super::plan::PlannedFile;
use super::prepare::Prepared;
use super::step::Step;
use super::swap::Refused;
use super::verify::Verify;
use crate::id::RecordId;
use std::path::PathBuf;
use std::rc::Rc;

/// A transaction that is done.
#[derive(Debug)]
pub struct Committed {
    /// Of the record.
    pub id: RecordId,
    /// The folder of the old files; none where nothing was replaced.
    pub backup: Option<PathBuf>,
    /// The files of the plan, given back.
    pub files: Vec<PlannedFile>,
}

impl Prepared<'_> {
    /// Commits: all files change, or none does.
    ///
    /// # Errors
    /// [`Error::ChangedWhileEditing`] where a file is not what was matched, [`Error::VerifyFailed`], or the system's.
    pub fn commit(mut self, verify: Option<&Verify>) -> Result<Committed, Error> {
        // 1. The commit point, and the only sync.
        self.transaction.watch.before(Step::CommitIntent)?;
        self.transaction.journal.commit(&self.intent)?;
        self.committed = true;
        // 2. The exchanges.
        let exchanged = self.exchange_all();
        if let Err((done, error)) = exchanged {
            return Err(self.roll_back(done, error));
        }
        // 3. The check that the user asked for.
        if let Some(verify) = verify {
            if let Err(error) = verify.run(self.transaction.root.path()) {
                return Err(self.roll_back(self.plan.files.len(), error));
            }
        }
        // 4. The mark. It is a hint: without it, recovery finds every file new and says the same.
        let marked = self.transaction.watch.before(Step::MarkApplied);
        let marked = marked.and_then(|()| self.transaction.journal.mark(&self.intent, Outcome::Applied));
        if let (Err(error), true) = (marked, self.intent.verify) {
            // But a transaction that is to be verified is undone by recovery as long as the mark is missing.
            return Err(self.roll_back(self.plan.files.len(), error));
        }
        // 5. The old files go; their backups stay.
        let _ = self.transaction.watch.before(Step::CleanUp);
        self.clean_up(true);
        let backup = self.backup.as_ref().map(|backup| self.transaction.state.backups_path().join(backup.name()));
        let files = std::mem::take(&mut self.plan.files);
        Ok(Committed { id: self.intent.id.clone(), backup, files })
    }

    /// The number of files exchanged, with the error that stopped it.
    fn exchange_all(&mut self) -> Result<(), (usize, Error)> {
        self.make_dirs().map_err(|error| (0, error))?;
        let watch = Rc::clone(&self.transaction.watch);
        let swaps = self.swaps();
        for (n, swap) in swaps.iter().enumerate() {
            watch.before(Step::Exchange(n)).map_err(|error| (n, error))?;
            swap.forward().map_err(|refused| {
                let error = match refused {
                    Refused::Foreign(what) => Error::ChangedWhileEditing { path: swap.shown.clone(), what },
                    Refused::Failed(error) => error,
                };
                (n, error)
            })?;
        }
        for file in &self.plan.files {
            for place in [Some(&file.place), file.from.as_ref()].into_iter().flatten() {
                let still = self.transaction.root.is_still_there(place);
                let still = still.map_err(Error::io("look at the directory of", place.path.to_string_lossy()));
                match still {
                    Ok(true) => {}
                    Ok(false) => {
                        let what = "its directory was moved away".to_owned();
                        return Err((
                            swaps.len(),
                            Error::ChangedWhileEditing { path: place.path.to_string_lossy(), what },
                        ));
                    }
                    Err(error) => return Err((swaps.len(), error)),
                }
            }
        }
        Ok(())
    }

    /// Makes the directories of new files and finds the places in them.
    fn make_dirs(&mut self) -> Result<(), Error> {
        if self.intent.made_dirs.is_empty() {
            return Ok(());
        }
        let root = &self.transaction.root;
        for dir in &self.intent.made_dirs {
            let parent = root.dir().beneath(dir.parent().as_ref());
            let made = parent.and_then(|parent| parent.mkdir(dir.file_name(), 0o777));
            made.map_err(Error::io("make the directory", dir.to_string_lossy()))?;
        }
        root.look_again();
        for file in &mut self.plan.files {
            if file.place.dir().is_none() {
                file.place = root.place(&file.place.path)?;
            }
        }
        Ok(())
    }

    /// Undoes the first `done` exchanges and says so in the journal; returns the error to answer with.
    fn roll_back(&mut self, done: usize, error: Error) -> Error {
        let watch = Rc::clone(&self.transaction.watch);
        let mut stuck = None;
        for (n, swap) in self.swaps().iter().enumerate().take(done).rev() {
            let back = watch.before(Step::ExchangeBack(n)).map_err(Refused::Failed).and_then(|()| swap.back());
            if let Err(refused) = back {
                stuck = Some(match refused {
                    Refused::Foreign(what) => what,
                    Refused::Failed(error) => error.to_string(),
                });
            }
        }
        if let Some(what) = stuck {
            // The journal's entry stays open: whoever takes the lock next finishes what could not be finished here.
            return self.unfinished(format!("{error}; and then: {what}"));
        }
        self.remove_made_dirs();
        let marked = watch.before(Step::MarkAborted);
        let marked = marked.and_then(|()| self.transaction.journal.mark(&self.intent, Outcome::Aborted));
        if let Err(mark) = marked {
            return self.unfinished(format!("{error}; and then: {mark}"));
        }
        self.clean_up(false);
        error
    }

    fn remove_made_dirs(&self) {
        for dir in self.intent.made_dirs.iter().rev() {
            if let Ok(parent) = self.transaction.root.dir().beneath(dir.parent().as_ref()) {
                let _ = parent.rmdir(dir.file_name());
            }
        }
    }

    fn unfinished(&self, what: String) -> Error {
        let backups = self.transaction.state.backups_path();
        let folder = self.backup.as_ref().map_or(backups.clone(), |backup| backups.join(backup.name()));
        let versions =
            format!("the old one in {}, the new one in the journal; run `redraft recover`", folder.display());
        Error::RecoveryNeeded { id: self.intent.id.clone(), what, versions }
    }
}
