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
use crate::worktree::WorktreeError;
use std::collections::BTreeSet;
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
    /// What the caller should know although it is done.
    pub warnings: Vec<String>,
}

/// The step in git between the exchange and the mark.
pub type Land<'a> = &'a mut dyn FnMut() -> Result<Vec<String>, Error>;

impl Prepared<'_> {
    /// Commits: all files change, or none does.
    ///
    /// # Errors
    /// [`WorktreeError::ChangedWhileEditing`] where a file is not what was matched, [`Error::VerifyFailed`], or the system's.
    pub fn commit(self, verify: Option<&Verify>) -> Result<Committed, Error> {
        self.commit_and_land(verify, None)
    }

    /// [`Self::commit`], with a step in git between the exchange and the mark: its failure takes everything back.
    ///
    /// The plan must have had a [`Landing`](super::Landing) in its metadata, by which recovery finds out whether the step
    /// was done. `land` may only fail where it has done nothing that lasts; it gives warnings.
    ///
    /// # Errors
    /// As [`Self::commit`], and those of `land`.
    pub fn commit_and_land(mut self, verify: Option<&Verify>, land: Option<Land<'_>>) -> Result<Committed, Error> {
        // 1. The commit point, and the only sync.
        self.transaction.watch.before(Step::CommitIntent)?;
        self.transaction.journal.commit(&self.intent)?;
        self.committed = true;
        // 2. The exchanges.
        let all = self.plan.files.len();
        if let Err(Stopped { done, error, by_system }) = self.exchange_all() {
            return match self.roll_back(done, error) {
                // Nothing could be taken back, so everything is applied: the journal says so, and so must the answer.
                // The old files stay staged, and recovery looks at them again.
                RolledBack::Nothing(error) if by_system && done == all => {
                    Ok(self.finished(vec![format!("the edit is written, but could not be looked at: {error}")]))
                }
                rolled => Err(rolled.into_error()),
            };
        }
        // 3. The check that the user asked for.
        if let Some(Err(error)) = verify.map(|verify| verify.run(self.transaction.root.path(), &self.transaction.env)) {
            return Err(self.take_back(error));
        }
        // 4. What git is to know of it. From here on nothing is taken back: the ref has moved.
        let mut warnings = Vec::new();
        let has_landed = land.is_some();
        if let Some(land) = land {
            let landed = self.transaction.watch.before(Step::Land).and_then(|()| land());
            match landed {
                Ok(said) => warnings = said,
                Err(error) => return Err(self.take_back(error)),
            }
        }
        // 5. The mark. It is a hint: without it, recovery finds every file new and says the same.
        let marked = self.transaction.watch.before(Step::MarkApplied);
        let marked = marked.and_then(|()| self.transaction.journal.mark(&self.intent, Outcome::Applied));
        if let (Err(error), true, false) = (marked, self.intent.verify, has_landed) {
            // But a transaction that is to be verified is undone by recovery as long as the mark is missing.
            return Err(self.take_back(error));
        }
        // 6. The old files go; their backups stay.
        let _ = self.transaction.watch.before(Step::CleanUp);
        self.clean_up(true);
        Ok(self.finished(warnings))
    }

    fn finished(&mut self, warnings: Vec<String>) -> Committed {
        let backups = self.transaction.state.backups_path();
        let backup = self.backup.as_ref().map(|backup| backups.join(backup.name()));
        let files = std::mem::take(&mut self.plan.files);
        Committed { id: self.intent.id.clone(), backup, files, warnings }
    }

    fn exchange_all(&mut self) -> Result<(), Stopped> {
        self.make_dirs().map_err(|error| Stopped::by_system(0, error))?;
        let watch = Rc::clone(&self.transaction.watch);
        let swaps = self.swaps();
        for (n, swap) in swaps.iter().enumerate() {
            watch.before(Step::Exchange(n)).map_err(|error| Stopped::by_system(n, error))?;
            swap.forward().map_err(|refused| match refused {
                Refused::Foreign(what) => Stopped::foreign(n, swap.shown.clone(), what),
                Refused::Failed(error) => Stopped::by_system(n, error),
                Refused::Stuck(error) => Stopped::by_system(n + 1, error),
            })?;
        }
        // A directory that was moved away took the new file with it, perhaps out of the root.
        let places = self.plan.files.iter().flat_map(|file| [Some(&file.place), file.from.as_ref()]);
        let mut seen = BTreeSet::new();
        for place in places.flatten().filter(|place| seen.insert(place.path.parent())) {
            let shown = place.path.to_string_lossy();
            let still = self.transaction.root.is_still_there(place);
            match still.map_err(Error::io("look at the directory of", shown.clone())) {
                Ok(true) => {}
                Ok(false) => {
                    return Err(Stopped::foreign(swaps.len(), shown, "its directory was moved away".to_owned()));
                }
                Err(error) => return Err(Stopped::by_system(swaps.len(), error)),
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

    /// Takes everything back after the exchange. A check may have run long, and itself have changed the files (a formatter):
    /// the old versions come back all the same, and what is in their way is kept aside and told.
    fn take_back(&mut self, mut error: Error) -> Error {
        let mut aside = Vec::with_capacity(self.plan.files.len());
        for n in 0..self.plan.files.len() {
            match self.aside(n) {
                Ok(slot) => aside.push(slot),
                Err(other) => return self.unfinished(format!("{error}; and then: {other}")),
            }
        }
        let watch = Rc::clone(&self.transaction.watch);
        let mut displaced = Vec::new();
        let mut stuck = None;
        for (n, swap) in self.swaps().iter().enumerate().rev() {
            let back = watch.before(Step::ExchangeBack(n)).map_err(Refused::Failed);
            match back.and_then(|()| swap.back_displacing(&aside[n])) {
                Ok(false) => {}
                Ok(true) => displaced.push(format!("{} as changed-{n}", swap.shown)),
                Err(Refused::Foreign(what)) => stuck = Some(what),
                Err(Refused::Failed(error) | Refused::Stuck(error)) => stuck = Some(error.to_string()),
            }
        }
        if let Some(what) = stuck {
            return self.unfinished(format!("{error}; and then: {what}"));
        }
        if let (false, Some(backup), Error::VerifyFailed { how, .. }) = (displaced.is_empty(), &self.backup, &mut error)
        {
            let folder = self.transaction.state.backups_path().join(backup.name());
            let which = displaced.join(", ");
            how.push_str(&format!(
                " and files were changed meanwhile, which are kept in {} ({which})",
                folder.display()
            ));
        }
        match self.close(error) {
            RolledBack::Everything(error) | RolledBack::Partly(error) | RolledBack::Nothing(error) => error,
        }
    }

    /// Undoes the first `done` exchanges and says so in the journal.
    fn roll_back(&mut self, done: usize, error: Error) -> RolledBack {
        let watch = Rc::clone(&self.transaction.watch);
        let mut stuck = None;
        let mut taken_back = 0;
        for (n, swap) in self.swaps().iter().enumerate().take(done).rev() {
            match watch.before(Step::ExchangeBack(n)).map_err(Refused::Failed).and_then(|()| swap.back()) {
                Ok(()) => taken_back += 1,
                Err(Refused::Foreign(what)) => stuck = Some(what),
                Err(Refused::Failed(error) | Refused::Stuck(error)) => stuck = Some(error.to_string()),
            }
        }
        if let Some(what) = stuck {
            // The journal's entry stays open: whoever takes the lock next finishes what could not be finished here.
            let error = self.unfinished(format!("{error}; and then: {what}"));
            return if taken_back == 0 { RolledBack::Nothing(error) } else { RolledBack::Partly(error) };
        }
        self.close(error)
    }

    /// Ends a transaction that was taken back.
    fn close(&mut self, error: Error) -> RolledBack {
        self.remove_made_dirs();
        let marked = self.transaction.watch.before(Step::MarkAborted);
        let marked = marked.and_then(|()| self.transaction.journal.mark(&self.intent, Outcome::Aborted));
        if let Err(mark) = marked {
            return RolledBack::Partly(self.unfinished(format!("{error}; and then: {mark}")));
        }
        self.clean_up(false);
        RolledBack::Everything(error)
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

/// Why the exchanges stopped, and how many files are new.
struct Stopped {
    done: usize,
    error: Error,
    /// Whether the system is at fault, not somebody else's edit.
    by_system: bool,
}

impl Stopped {
    fn by_system(done: usize, error: Error) -> Self {
        Self { done, error, by_system: true }
    }

    fn foreign(done: usize, path: String, what: String) -> Self {
        Self { done, error: WorktreeError::ChangedWhileEditing { path, what }.into(), by_system: false }
    }
}

/// How far a transaction was taken back.
enum RolledBack {
    Everything(Error),
    Partly(Error),
    Nothing(Error),
}

impl RolledBack {
    fn into_error(self) -> Error {
        match self {
            Self::Everything(error) | Self::Partly(error) | Self::Nothing(error) => error,
        }
    }
}
