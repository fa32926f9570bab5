//! The flow of every change of files: look, make the patch, lock, look again, prepare, commit, checkpoint.
//!
//! Owns the order. What is to be changed comes as [`Task`]s: from a request, or from records to undo.
//! Invariant: nothing is written before every file of the change is known to fit.

mod checkpoint;
mod paths;
mod refuse;
pub mod replayed_requests;
mod task;

pub use checkpoint::checkpoint;
pub use paths::{resolve, sandbox};
pub use task::{Check, Make, Task};

use crate::change::ChangeKind;
use crate::error::Error;
use crate::git::{HeadLookup, Repo, blob_ids};
use crate::git_record::Staged;
use crate::git_record::{self, GitWishes, InGit, Look, Recording};
use crate::id::RecordId;
use crate::patch::{DiffFile, DiffLimits, EditOutcome, Preview, preview};
use crate::path::RepoPath;
use crate::policy::Settings;
use crate::policy::{Finding, check};
use crate::record::{RecordClass, RecordMeta};
use crate::state_dir::StateDir;
use crate::task::{Ids, Looked, Made, TaskKind};
use crate::text::Text;
use crate::transaction::{self, Options, Plan, PlannedFile, State, Transaction, Verify, is_settled};
use crate::worktree::WorktreeError;
use crate::worktree::{Place, Root};
use refuse::{refuse_link, refuse_same_file, refuse_unseen, refuse_unwritable, writable};
use std::path::PathBuf;
use std::time::Duration;

/// A file on its way to be judged: its ids are missing, and whether its edits fit is not asked yet.
struct Seen {
    looked: Looked,
    made: Result<Made, Error>,
}

/// What holds for the whole change.
pub struct Flow<'a> {
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
    /// What sort of record.
    pub class: RecordClass,
    /// For the record.
    pub meta: RecordMeta,
    /// Ask before writing, whatever the path.
    pub confirm: bool,
    /// Shown the uncut diff, says whether to go on; none where there is nobody to ask.
    pub ask: Option<&'a dyn Fn(&str) -> bool>,
    /// What is wanted of git, beside `meta.record`.
    pub git: GitWishes,
    /// The index, where the staged version is edited, too; the tasks' patches were made with it.
    pub staged: Option<&'a Staged<'a>>,
    /// Makes the answer that a request with an id is given when it is sent again.
    pub answer: Option<&'a dyn Fn(&Done) -> String>,
}

/// A change that is done, or in a dry run would be.
#[derive(Debug)]
pub struct Done {
    /// In the order of the tasks.
    pub files: Vec<Looked>,
    /// Of the record; none in a dry run.
    pub id: Option<RecordId>,
    /// The folder of the old files.
    pub backup: Option<PathBuf>,
    /// What was made in git.
    pub in_git: InGit,
    /// Whether the files were written: not in a dry run, nor where the edit was only shelved.
    pub applied: bool,
    /// What went wrong after the commit point, and what the tasks had to say.
    pub warnings: Vec<String>,
}

impl Flow<'_> {
    /// Does the tasks, all or none.
    ///
    /// # Errors
    /// The first that any layer has; nothing is written then.
    pub fn run(&self, tasks: &[Task<'_>]) -> Result<Done, Error> {
        // 1. Look and make the patches, without the lock: most refusals cost nothing.
        let root = self.open_root()?;
        let looked = match self.look_all(&root, tasks) {
            Err(error) if error.may_be_half_way() && self.finish_interrupted()? => self.look_all(&root, tasks)?,
            looked => looked?,
        };
        let look = if self.dry_run { Look::Index } else { Look::Head };
        git_record::check(self.repo, self.meta.record, &self.git, &edited(&looked), look)?;
        if self.dry_run {
            self.refuse_unwritable_in_dry_run(&root, &looked)?;
            let warnings = looked.iter().flat_map(|file| file.made.warnings.clone()).collect();
            let in_git = InGit::default();
            return Ok(Done { files: looked, id: None, backup: None, in_git, applied: false, warnings });
        }
        let shown = self.ask(tasks, &looked)?;
        // 2. Lock, and recover what was interrupted.
        let state = State::open(&StateDir::of(self.repo))?;
        let options = Options {
            lock_timeout: self.lock_timeout,
            durability: self.settings.durability,
            settle: &git_record::Recovery::of(self.repo.git_dir()),
        };
        let mut transaction = Transaction::begin(root, state, options)?;
        if transaction.must_checkpoint() {
            checkpoint::checkpoint(&mut transaction, self.repo, self.settings)?;
        }
        // 3. Look again; make again only what changed.
        let looked = self.look_again(transaction.root(), tasks, looked)?;
        refuse_unseen(shown.as_deref(), &looked)?;
        replayed_requests::refuse_answered(&transaction, &self.meta)?;
        self.write(&mut transaction, looked)
    }

    /// The second half of a change, under the lock.
    fn write(&self, transaction: &mut Transaction, looked: Vec<Looked>) -> Result<Done, Error> {
        let mut warnings = transaction.recovered().left.clone();
        warnings.extend(writable(transaction.root(), &looked)?);
        // 4. Stage, back up, commit, exchange.
        let id = RecordId::from_random(random()?);
        let time = jiff::Timestamp::now();
        let backup = looked
            .iter()
            .any(|file| file.base.is_some())
            .then(|| transaction.state().backups_path().join(State::backup_name(time, &id)));
        let mut meta = self.meta.clone();
        let folder = transaction.state().path().to_owned();
        let mut git = match self.staged.filter(|staged| !staged.is_empty()) {
            Some(staged) => {
                Some(git_record::prepare_staged(self.repo, &folder, staged, (&id, &mut meta), self.lock_timeout)?)
            }
            None => git_record::prepare(
                self.repo,
                &folder,
                &self.git,
                &edited(&looked),
                (&id, &mut meta),
                self.lock_timeout,
            )?,
        };
        let in_git = git.as_ref().map(|git| git.in_git.clone()).unwrap_or_default();
        let mut done = Done { files: looked, id: Some(id.clone()), backup, in_git, applied: true, warnings };
        if self.git.shelve
            && let Some(git) = git
        {
            return Self::shelve(done, git);
        }
        meta.answer = self.answer.filter(|_| meta.request_id.is_some()).map(|answer| answer(&done));
        let (files, kept) = planned(std::mem::take(&mut done.files));
        let verify = self.verify.is_some() || git.is_some();
        let plan = Plan { id, time, class: self.class, meta, files, verify };
        let prepared = transaction.prepare(plan)?;
        let committed = match &mut git {
            Some(git) => prepared.commit_and_land(self.verify.as_ref(), Some(&mut || git.land()))?,
            None => prepared.commit(self.verify.as_ref())?,
        };
        if let Some(git) = git {
            done.in_git = git.in_git.clone();
        }
        done.warnings.extend(committed.warnings);
        done.files = kept.into_iter().zip(committed.files).map(|(kept, file)| kept.with(file)).collect();
        // 5. Once in a while, seal the records. What goes wrong here takes nothing back.
        if transaction.is_checkpoint_due()
            && let Err(error) = checkpoint::checkpoint(transaction, self.repo, self.settings)
        {
            done.warnings.push(format!("the edit is written, but the history could not be sealed: {error}"));
        }
        Ok(done)
    }

    /// A dry run does not hold the lock: what looks hard-linked may be the backup of a transaction that is under way or was
    /// killed, and is none for the transaction that comes next.
    fn refuse_unwritable_in_dry_run(&self, root: &Root, looked: &[Looked]) -> Result<(), Error> {
        let refused = looked.iter().try_for_each(|file| refuse_unwritable(root, file));
        let Err(Error::Worktree(WorktreeError::UnsupportedFile { .. })) = refused else { return refused };
        let is_linked = |file: &Looked| file.base.as_ref().is_some_and(|base| base.meta.links > 1);
        if looked.iter().any(is_linked)
            && transaction::is_backed_up_now(
                &StateDir::of(self.repo),
                looked.iter().filter_map(|file| Some(file.base.as_ref()?.meta)),
            )?
        {
            return Ok(());
        }
        refused
    }

    /// Puts an edit into the stash and nowhere else.
    fn shelve(mut done: Done, mut git: Recording<'_>) -> Result<Done, Error> {
        done.warnings.extend(git.land()?);
        Ok(Done { id: None, backup: None, applied: false, ..done })
    }

    /// The root of a working tree, opened, with the limits of the configuration.
    ///
    /// # Errors
    /// The system's.
    pub fn open_root_of(repo: &Repo, settings: &Settings) -> Result<Root, Error> {
        let mut root = Root::open(repo.root())?;
        root.max_file_size = settings.max_file_size;
        root.unusual = settings.unusual.clone();
        Ok(root)
    }

    fn open_root(&self) -> Result<Root, Error> {
        Self::open_root_of(self.repo, self.settings)
    }

    /// The uncut diff of files, for a person.
    pub fn diff(files: &[Looked], limits: DiffLimits) -> Preview {
        let diffs: Vec<DiffFile<'_>> = files.iter().map(diff_file).collect();
        preview(&diffs, limits)
    }

    fn look_all(&self, root: &Root, tasks: &[Task<'_>]) -> Result<Vec<Looked>, Error> {
        let mut failed = None;
        let seen = tasks.iter().map_while(|task| self.see(root, task).map_err(|error| failed = Some(error)).ok());
        let mut seen: Vec<Seen> = seen.collect();
        // All texts are hashed at once, which several processors share.
        hash(&mut seen);
        let judged = tasks.iter().zip(seen).map(|(task, seen)| self.judge(task, seen));
        let looked = judged.collect::<Result<Vec<Looked>, Error>>()?;
        // What is wrong with an earlier file comes first.
        failed.map_or(Ok(()), Err)?;
        refuse_same_file(root, &looked)?;
        Ok(looked)
    }

    fn look(&self, root: &Root, task: &Task<'_>) -> Result<Looked, Error> {
        let mut seen = [self.see(root, task)?];
        hash(&mut seen);
        let [seen] = seen;
        self.judge(task, seen)
    }

    /// Reads a file and makes its patch; ids and state are still missing.
    fn see(&self, root: &Root, task: &Task<'_>) -> Result<Seen, Error> {
        let place = self.place(root, &task.path)?;
        let from = task.from.as_ref().map(|from| self.place(root, from)).transpose()?;
        let source = from.as_ref().unwrap_or(&place);
        let shown = source.path.to_string_lossy();
        for place in [Some(&place), from.as_ref()].into_iter().flatten() {
            self.refuse_submodule(place)?;
        }
        if matches!(task.kind, TaskKind::Delete | TaskKind::Rename) {
            refuse_link(self.repo, task.from.as_ref().unwrap_or(&task.path), source)?;
        }
        let mut base = root.read(source)?;
        if from.is_some() && root.is_taken(&place)? {
            return Err(WorktreeError::Exists(place.path.to_string_lossy()).into());
        }
        let change = match (task.kind, &base) {
            (TaskKind::Create { overwrite: false }, Some(_)) => return Err(WorktreeError::Exists(shown).into()),
            (TaskKind::Create { .. }, None) => ChangeKind::Create,
            (_, None) => return Err(WorktreeError::NoSuchFile(shown).into()),
            (TaskKind::Create { .. } | TaskKind::Modify, Some(_)) => ChangeKind::Modify,
            (TaskKind::Delete, Some(_)) => ChangeKind::Delete,
            (TaskKind::Rename, Some(_)) => ChangeKind::Rename,
        };
        let bytes = base.as_mut().map(|found| std::mem::take(&mut found.bytes)).unwrap_or_default();
        let text = Text::new(bytes).map_err(|nul| Finding::Binary { path: shown.clone(), offset: nul.offset })?;
        let made = (task.make)(&text);
        let is_kept = change != ChangeKind::Delete;
        let after = made.as_ref().ok().filter(|_| is_kept).map(|made| made.patch.apply(text.bytes()));
        if let Some(base) = &mut base {
            base.bytes = text.into_bytes();
        }
        let looked = Looked { place, from, change, base, made: Made::default(), after, ids: (None, None), state: None };
        Ok(Seen { looked, made })
    }

    /// Finds out how a file stands against HEAD, and refuses what the task does not want and what cannot be.
    fn judge(&self, task: &Task<'_>, seen: Seen) -> Result<Looked, Error> {
        let Seen { mut looked, made } = seen;
        if let (Some(base), Some(id)) = (&looked.base, looked.ids.0) {
            let executable = base.meta.mode & 0o111 != 0;
            looked.state = Some(self.repo.state(&looked.source().path, &id, &base.bytes, executable)?);
        }
        // What the caller knows of the file comes first: that it changed says more than that the edits do not fit.
        (task.check)(&looked).map_err(|error| error.still_applies(made.is_ok()))?;
        looked.made = made?;
        let shown = || looked.source().path.to_string_lossy();
        if looked.after.as_ref().is_some_and(|after| memchr::memchr(0, after).is_some()) {
            return Err(Finding::NewTextHasNul(shown()).into());
        }
        let mode = looked.made.mode;
        let keeps_mode = mode.is_none() || mode == looked.base.as_ref().map(|base| base.meta.mode);
        let keeps_text = looked.after.as_deref() == Some(looked.base_bytes());
        if looked.change == ChangeKind::Modify && keeps_mode && keeps_text {
            return Err(Finding::SameText(shown()).into());
        }
        Ok(looked)
    }

    /// The place of a path, inside the sandbox and where the policy allows it, by its name and by what it leads to.
    fn place(&self, root: &Root, path: &RepoPath) -> Result<Place, Error> {
        check::policy(self.settings, path)?;
        let place = root.place(path)?;
        if place.path != *path {
            check::policy(self.settings, &place.path)?;
        }
        if let Some(sandbox) = self.sandbox
            && !place.path.is_below(sandbox)
        {
            return Err(Finding::OutsideRoot(place.path.to_string_lossy(), sandbox.to_string_lossy()).into());
        }
        Ok(place)
    }

    /// A submodule that is not checked out is an empty directory, or none: only HEAD knows of it.
    fn refuse_submodule(&self, place: &Place) -> Result<(), Error> {
        match self.repo.head_lookup(&place.path)? {
            HeadLookup::Submodule(above) => {
                Err(WorktreeError::Submodule(place.path.to_string_lossy(), above.to_string_lossy()).into())
            }
            HeadLookup::File(_) | HeadLookup::Missing => Ok(()),
        }
    }

    /// Looks at everything again under the lock. A file that looks the same keeps its patch, with the new handle.
    fn look_again(&self, root: &Root, tasks: &[Task<'_>], looked: Vec<Looked>) -> Result<Vec<Looked>, Error> {
        let mut again = Vec::with_capacity(looked.len());
        for (task, mut old) in tasks.iter().zip(looked) {
            let place = self.place(root, &task.path)?;
            let from = task.from.as_ref().map(|from| self.place(root, from)).transpose()?;
            let now = from.as_ref().unwrap_or(&place).seen();
            let is_same = match (&old.base, &now) {
                (Some(base), Some(now)) => base.meta.looks_like(now),
                (None, None) => true,
                _ => false,
            };
            let target_is_free = from.is_none() || !root.is_taken(&place)?;
            if is_same && target_is_free && place.path == old.place.path {
                old.place = place;
                old.from = from;
                // The number of its links is as it is now, not as a killed run's backup made it look.
                if let (Some(base), Some(now)) = (&mut old.base, now) {
                    base.meta = now;
                }
                again.push(old);
            } else {
                again.push(self.look(root, task)?);
            }
        }
        refuse_same_file(root, &again)?;
        Ok(again)
    }

    /// Asks where that is wanted, and gives what the yes was for; a path counts by each of its names.
    fn ask(&self, tasks: &[Task<'_>], looked: &[Looked]) -> Result<Option<Vec<Ids>>, Error> {
        let needs_yes = tasks.iter().zip(looked).find_map(|(task, file)| {
            let names = [
                Some(&task.path),
                task.from.as_ref(),
                Some(&file.place.path),
                file.from.as_ref().map(|from| &from.path),
            ];
            let is_named = names.into_iter().flatten().any(|path| self.settings.confirm.matching(path).is_some());
            is_named.then_some(file)
        });
        if !self.confirm && needs_yes.is_none() {
            return Ok(None);
        }
        let diff = Self::diff(looked, DiffLimits { lines: 0, bytes: 0 });
        if self.ask.is_some_and(|ask| ask(&diff.text)) {
            return Ok(Some(looked.iter().map(|file| file.ids).collect()));
        }
        let path = needs_yes.or(looked.first()).map(|file| file.place.path.to_string_lossy()).unwrap_or_default();
        Err(Finding::Declined(path).into())
    }

    /// Finishes a transaction that was interrupted, if there is one: its half-way state may be why a request did not fit.
    fn finish_interrupted(&self) -> Result<bool, Error> {
        let Some(state) = State::open_existing(&StateDir::of(self.repo))? else { return Ok(false) };
        if self.dry_run || is_settled(&state)? {
            return Ok(false);
        }
        let options = Options {
            lock_timeout: self.lock_timeout,
            durability: self.settings.durability,
            settle: &git_record::Recovery::of(self.repo.git_dir()),
        };
        let mut transaction = Transaction::begin(self.open_root()?, state, options)?;
        if transaction.must_checkpoint() {
            checkpoint::checkpoint(&mut transaction, self.repo, self.settings)?;
        }
        Ok(true)
    }
}

/// Sets the ids of the texts before and after.
fn hash(seen: &mut [Seen]) {
    let files = seen.iter().map(|seen| &seen.looked);
    let texts = files.flat_map(|file| [file.base.as_ref().map(|base| &base.bytes), file.after.as_ref()]);
    let ids = blob_ids(&texts.flatten().map(Vec::as_slice).collect::<Vec<_>>());
    let mut ids = ids.into_iter();
    for Seen { looked: file, .. } in seen {
        file.ids.0 = file.base.as_ref().and_then(|_| ids.next());
        file.ids.1 = file.after.as_ref().and_then(|_| ids.next());
    }
}

/// What the transaction needs of the files, and the rest.
fn planned(looked: Vec<Looked>) -> (Vec<PlannedFile>, Vec<Kept>) {
    let mut kept = Vec::with_capacity(looked.len());
    let mut files = Vec::with_capacity(looked.len());
    for file in looked {
        let Looked { place, from, change, base, made, after, ids, state } = file;
        let Made { patch, edits, warnings, mode } = made;
        kept.push(Kept { edits, warnings, mode });
        files.push(PlannedFile { change, place, from, base, patch, after, ids, mode, state });
    }
    (files, kept)
}

/// What a plan does not need of a looked-at file.
struct Kept {
    edits: Vec<EditOutcome>,
    warnings: Vec<String>,
    mode: Option<u32>,
}

impl Kept {
    fn with(self, file: PlannedFile) -> Looked {
        let PlannedFile { change, place, from, base, patch, after, ids, state, .. } = file;
        let made = Made { patch, edits: self.edits, warnings: self.warnings, mode: self.mode };
        Looked { place, from, change, base, made, after, ids, state }
    }
}

fn diff_file(file: &Looked) -> DiffFile<'_> {
    let mode = file.made.mode.or(file.base.as_ref().map(|base| base.meta.mode)).unwrap_or(0o644);
    DiffFile {
        path: &file.place.path,
        from: file.from.as_ref().map(|from| &from.path),
        change: file.change,
        mode: if mode & 0o111 == 0 { 0o100_644 } else { 0o100_755 },
        before_id: file.ids.0,
        after_id: file.ids.1,
        base: file.base_bytes(),
        patch: &file.made.patch,
    }
}

fn random() -> Result<[u8; 8], Error> {
    let mut bytes = [0; 8];
    let failed = |error: getrandom::Error| Error::io("draw", "a random id")(std::io::Error::other(error.to_string()));
    getrandom::fill(&mut bytes).map_err(failed)?;
    Ok(bytes)
}

/// The files as `git_record/` wants them.
fn edited(files: &[Looked]) -> Vec<git_record::EditedFile<'_>> {
    files.iter().map(edited_file).collect()
}

fn edited_file(file: &Looked) -> git_record::EditedFile<'_> {
    git_record::EditedFile {
        path: &file.place.path,
        from: file.from.as_ref().map(|from| &from.path),
        change: file.change,
        before: file.base_bytes(),
        after: file.after.as_deref().unwrap_or_default(),
        patch: &file.made.patch,
        mode: file.made.mode,
    }
}
