//! The flow of every change of files: look, lock, look again, prepare, commit, checkpoint.
//!
//! Owns the order. What is to be changed comes as [`Task`]s: from a request, or from records to undo.
//! Invariant: nothing is written before every file of the change is known to fit.

mod ask;
mod base_text;
mod checkpoint;
mod commit_in_place;
mod commit_rules;
mod diff;
mod done;
mod file_format;
mod joining;
mod judge;
mod lock;
mod look;
mod observed;
mod overtaken;
mod paths;
mod refuse;
pub mod replayed_requests;
mod shelved_requests;
mod task;
mod tenancy;
mod write;

pub use ask::{Ask, Reply};
pub use checkpoint::{checkpoint, checkpoint_first, checkpoint_if_due, notes};
pub use commit_in_place::{Committed, InPlace};
pub use diff::diff;
pub use done::{Done, End, Written};
pub use file_format::{FileFormats, Told, Writes};
pub use observed::{Observer, say_caller};
pub use overtaken::{Held, Ran, StillSo};
pub use paths::{resolve, sandbox};
pub use task::{Compile, Task};

use crate::env::Env;
use crate::error::Error;
use crate::git::Repo;
use crate::git_record::{self, GitRecordError, GitTarget, Look};
use crate::id::CommitId;
use crate::path::{MOST_BYTES, RepoPath};
use crate::policy::{Finding, Settings, check};
use crate::record::{RecordClass, RecordMeta};
use crate::state_dir::StateDir;
use crate::task::Judged;
use crate::transaction::{Group, Options, State, Transaction, Verify, is_settled};
use crate::warning::Warning;
use crate::worktree::{Guarded, Root, place_of};
use diff::edited;
use overtaken::{Locked, MadeFrom};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// In bytes: the name of a folder of backups, a time and an id, with what parts it from the others, and room.
const LONGEST_FOLDER: usize = 48;

/// What holds for the whole change.
pub struct Flow<'a> {
    /// Clock and random numbers.
    pub env: &'a Env,
    /// The repository.
    pub repo: &'a Repo,
    /// The configuration.
    pub settings: &'a Settings,
    /// A smaller root, if one was asked for: no place may lie outside it.
    pub sandbox: Option<&'a RepoPath>,
    /// Write nothing.
    pub dry_run: bool,
    /// How long to wait for the lock.
    pub lock_timeout: Duration,
    /// Approves the result.
    pub verify: Option<Verify>,
    /// What HEAD must be, also where it moves meanwhile.
    pub expected_head: Option<CommitId>,
    /// What sort of record.
    pub class: RecordClass,
    /// For the record.
    pub meta: RecordMeta,
    /// Ask before writing, whatever the path.
    pub confirm: bool,
    /// Shown the uncut diff, says whether to go on; none where there is nobody to ask.
    pub ask: Option<Ask<'a>>,
    /// What git is to know of the change; as `meta.record` says.
    pub git: GitTarget<'a>,
    /// Makes the answer that a request with an id is given when it is sent again.
    pub answer: Option<&'a dyn Fn(&Done) -> String>,
    /// The edits of the same tree that share a sync; none where there are no others in this process.
    pub group: Option<&'a Group>,
}

impl Flow<'_> {
    /// Does the tasks, all or none. Where another process moves HEAD at the same time, the change is fitted to the new one,
    /// for as long as it may wait for the lock.
    ///
    /// # Errors
    /// The first that any layer has; nothing is written then.
    pub fn run(&self, tasks: &[Task<'_>]) -> Result<Done, Error> {
        match self.change(tasks, None).inspect_err(|error| self.postpone_after(error))? {
            Ran::Done(done) => Ok(*done),
            Ran::Overtaken(_) => unreachable!("only tasks that were made from something are overtaken"),
        }
    }

    /// As [`Self::run`], for tasks that were made from something that others may change until the lock is held.
    ///
    /// # Errors
    /// As [`Self::run`].
    pub fn run_while(&self, tasks: &[Task<'_>], held: Option<Box<Held>>, still_so: StillSo<'_>) -> Result<Ran, Error> {
        self.change(tasks, Some(MadeFrom { held, still_so }))
    }

    fn change(&self, tasks: &[Task<'_>], mut made_from: Option<MadeFrom<'_>>) -> Result<Ran, Error> {
        let start = self.env.clock().instant();
        loop {
            match self.run_once(tasks, made_from.as_mut()) {
                Err(Error::GitRecord(GitRecordError::HeadMoved))
                    if self.env.clock().instant().duration_since(start) < self.lock_timeout =>
                {
                    self.look_at_head_again()?;
                }
                Ok(Ran::Done(mut done)) => {
                    // A rule that is written wrong holds for nothing, and this edit may be what it was meant for.
                    done.warnings.extend(self.settings.warnings.iter().cloned().map(Warning::Config));
                    return Ok(Ran::Done(done));
                }
                ran => return ran,
            }
        }
    }

    /// As [`Self::change`], for HEAD as it is. The steps are those of docs/transaction.md.
    fn run_once(&self, tasks: &[Task<'_>], made_from: Option<&mut MadeFrom<'_>>) -> Result<Ran, Error> {
        git_record::check_message(&self.git, self.meta.message.as_deref())?;
        // 1. Look and make the patches, without the lock: most refusals cost nothing.
        let root = self.open_root()?;
        let mut warnings = Vec::new();
        let mut judged = match self.first_look(&root, tasks, &mut warnings) {
            Err(_) if self.is_overtaken(made_from.as_deref())? => return self.overtaken(root),
            judged => judged?,
        };
        let look = if self.dry_run { Look::Index } else { Look::Head };
        self.refuse_commit(&judged)?;
        git_record::check(self.repo, &self.git, &edited(&judged), look)?;
        if self.dry_run {
            self.refuse_to_look_within()?;
            refuse::refuse_unwritable_in_dry_run(self.repo, &root, &mut judged)?;
            warnings.extend(done::to_be_known(&judged, &self.git));
            return Ok(Ran::Done(Box::new(Done { files: judged, end: End::DryRun, warnings })));
        }
        let shown = self.ask(tasks, &judged)?;
        // 2. Lock, and recover what was interrupted.
        let Held { mut transaction, warnings: found } = match self.lock(root, made_from)? {
            Locked::Held(held) => held,
            // Nobody is asked while the lock is held.
            Locked::Overtaken(held) => return Ok(Ran::Overtaken(Some(Box::new(held)).filter(|_| shown.is_none()))),
        };
        warnings.extend(found);
        // To part from the backups takes a look at all of them: not for one that is done again behind the others.
        self.refuse_touched(&judged)?;
        transaction.part_from_backups(refuse::linked(transaction.root(), &judged).iter())?;
        // 3. Look again; make again only what changed.
        let judged = if self.has_head_moved()? {
            self.look_all(transaction.root(), tasks)?
        } else {
            self.look_again(transaction.root(), tasks, judged)?
        };
        if let Some(shown) = shown {
            shown.refuse_unseen(&judged)?;
        }
        self.refuse_touched(&judged)?;
        replayed_requests::refuse_answered(self.repo, &transaction, &self.meta)?;
        if self.env.interrupt().is_raised() {
            let path = judged.first().map(|file| file.planned.place.path.to_string_lossy()).unwrap_or_default();
            return Err(Finding::Declined(path).into());
        }
        warnings.extend(self.observe_first(&mut transaction, &judged));
        // 4. to 10. Stage, back up, commit, exchange, verify, record in git, mark; 11. once in a while a checkpoint.
        self.write(&mut transaction, judged, warnings).map(|done| Ran::Done(Box::new(done)))
    }

    /// Looks at all files; where they may be half-way, after what was interrupted is finished.
    fn first_look(&self, root: &Root, tasks: &[Task<'_>], warnings: &mut Vec<Warning>) -> Result<Vec<Judged>, Error> {
        match self.look_all(root, tasks) {
            Err(error) if error.may_be_half_way() => match self.finish_interrupted()? {
                Some(found) => {
                    warnings.extend(found);
                    self.look_all(root, tasks)
                }
                None => Err(error),
            },
            judged => judged,
        }
    }

    /// Whether HEAD is another one than was looked at; asked only where git is to know of the change.
    fn has_head_moved(&self) -> Result<bool, Error> {
        if matches!(self.git, GitTarget::Nothing) {
            return Ok(false);
        }
        let old = self.repo.head_id()?;
        self.look_at_head_again()?;
        Ok(self.repo.head_id()? != old)
    }

    fn look_at_head_again(&self) -> Result<(), Error> {
        self.repo.refresh();
        if let Some(head) = self.expected_head {
            check::head(self.repo.head_id()?, head)?;
        }
        Ok(())
    }

    /// Takes the lock, and finishes what was interrupted; gives what is to be known of that.
    fn begin(&self, root: Root, state: State) -> Result<(Transaction, Vec<Warning>), Error> {
        let mut transaction = begin(self.repo, self.settings, root, state, self.lock_timeout)?;
        let mut warnings = match transaction.must_checkpoint() {
            true => checkpoint_first(&mut transaction, self.repo, self.settings)?,
            false => notes(&mut transaction),
        };
        warnings.extend(tenancy::begin(&mut transaction, self.repo, self.settings)?);
        Ok((transaction, warnings))
    }

    /// Finishes a transaction that was interrupted, if there is one: its half-way state may be why a request did not fit.
    /// Gives what is to be known of it; none where there is none.
    fn finish_interrupted(&self) -> Result<Option<Vec<Warning>>, Error> {
        let Some(state) = State::open_existing(&StateDir::of(self.repo))? else { return Ok(None) };
        if self.dry_run || self.is_within_another() || is_settled(&state)? {
            return Ok(None);
        }
        let (_, warnings) = self.begin(self.open_root()?, state)?;
        Ok(Some(warnings))
    }

    /// The root of a working tree, opened, with the limits of the configuration.
    ///
    /// # Errors
    /// Where the root is gone, or cannot be opened.
    pub fn open_root_of(repo: &Repo, settings: &Settings) -> Result<Root, Error> {
        let mut root = Root::open(repo.root())?;
        root.max_file_size = settings.max_file_size;
        root.unusual = settings.unusual.clone();
        // A backup has the whole path of its file below a folder of its own, and is opened by that.
        let place = StateDir::of(repo).backups();
        root.longest_path = MOST_BYTES.saturating_sub(place.as_os_str().len() + LONGEST_FOLDER);
        let (git, common) = (repo.git_dir(), repo.common_dir());
        let mut folders = vec![common.to_owned(), common.join("hooks"), common.join("info")];
        folders.extend(StateDir::of(repo).folders().map(Path::to_owned));
        if git != common {
            folders.push(git.to_owned());
        }
        // A `.git` that leads to a file in the tree: who edits that moves the repository.
        let dot_git = repo.root().join(".git");
        let led_to = if git == dot_git { None } else { place_of(&dot_git) };
        // Of dotfiles the tree is the home directory, where git's own configuration lies, or what leads to it.
        let outer = repo.outer_config_files();
        let places: Vec<PathBuf> = outer.iter().filter_map(|file| place_of(file)).chain(led_to).collect();
        let own = outer.iter().chain(&places).map(PathBuf::as_path);
        root.guarded = Guarded::of(repo.root(), &[git, common].into_iter().chain(own).collect::<Vec<_>>(), &folders)?;
        Ok(root)
    }

    fn open_root(&self) -> Result<Root, Error> {
        Self::open_root_of(self.repo, self.settings)
    }
}

/// Takes the lock, and finishes what was interrupted; where that was before a reboot, a checkpoint must come next.
///
/// # Errors
/// Where the lock is not free, or what was interrupted cannot be finished without a person.
pub fn begin(
    repo: &Repo,
    settings: &Settings,
    root: Root,
    state: State,
    lock_timeout: Duration,
) -> Result<Transaction, Error> {
    let settle = &git_record::Recovery::of(repo.git_dir());
    let options = Options { lock_timeout, durability: settings.durability, settle, env: repo.env() };
    Ok(Transaction::begin(root, state, options)?)
}
