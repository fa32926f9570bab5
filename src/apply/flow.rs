//! The flow of every change of files: look, make the patch, lock, look again, prepare, commit, checkpoint.
//!
//! Owns the order. What is to be changed comes as [`Task`]s: from a request, or from records to undo.
//! Invariant: nothing is written before every file of the change is known to fit.

use crate::check::{self, Finding};
use crate::config::Settings;
use crate::envelope::{ChangeKind, PathState};
use crate::error::Error;
use crate::id::{BlobId, RecordId};
use crate::patch::{DiffFile, DiffLimits, EditOutcome, FilePatch, Preview, preview};
use crate::path::RepoPath;
use crate::repo::{HeadLookup, Repo, blob_id};
use crate::text::Text;
use crate::transaction::{
    Found, Options, Place, Plan, PlannedFile, RecordClass, RecordMeta, Root, State, Transaction, TransactionError,
    Verify, is_settled,
};
use std::path::PathBuf;
use std::time::Duration;

/// What is to become of one file.
pub struct Task<'a> {
    /// Where it is afterwards (for a deletion: where it is).
    pub path: RepoPath,
    /// Where it is, for a rename.
    pub from: Option<RepoPath>,
    /// What the base must be.
    pub kind: TaskKind,
    /// The patch, from the text as it is (no text where there is no file).
    pub make: Box<dyn Fn(&Text) -> Result<Made, Error> + 'a>,
    /// Refuses, knowing the file as it is, before it is asked whether the edits fit.
    pub check: Box<dyn Fn(&Looked) -> Result<(), Error> + 'a>,
}

/// What sort of change is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TaskKind {
    /// The file must be there.
    Modify,
    /// The file must not be there, unless it may be overwritten.
    Create {
        /// Whether a file that is there is replaced.
        overwrite: bool,
    },
    /// The file must be there.
    Delete,
    /// The old path must be there, the new one not.
    Rename,
}

/// A patch with what is told of it.
#[derive(Debug, Clone, Default)]
pub struct Made {
    /// Against the text that was given.
    pub patch: FilePatch,
    /// One per edit.
    pub edits: Vec<EditOutcome>,
    /// What the caller should know.
    pub warnings: Vec<String>,
    /// Permission bits to set; none keeps them.
    pub mode: Option<u32>,
}

/// A task against the file as it was found.
#[derive(Debug)]
pub struct Looked {
    /// Where it is afterwards.
    pub place: Place,
    /// Where it is, for a rename.
    pub from: Option<Place>,
    /// What really happens (an overwriting creation modifies).
    pub change: ChangeKind,
    /// As found; none where there is no file.
    pub base: Option<Found>,
    /// The patch and what is told of it.
    pub made: Made,
    /// The whole new text; none for a deletion.
    pub after: Option<Vec<u8>>,
    /// Blob ids before and after.
    pub ids: (Option<BlobId>, Option<BlobId>),
    /// Against HEAD, before; none where there is no file.
    pub state: Option<PathState>,
}

impl Looked {
    /// The text before; empty where there is no file.
    pub fn base_bytes(&self) -> &[u8] {
        self.base.as_ref().map_or(&[], |found| &found.bytes)
    }

    /// The path of the file as it is now.
    pub fn source(&self) -> &Place {
        self.from.as_ref().unwrap_or(&self.place)
    }

    /// As `check/` wants it; none where there is no file.
    pub fn known(&self) -> Option<check::Known<'_>> {
        let base = self.base.as_ref()?;
        Some(check::Known {
            path: &self.source().path,
            blob: self.ids.0?,
            mtime_ms: base.meta.mtime_ms(),
            size_bytes: base.meta.size,
        })
    }
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
        if self.dry_run {
            for file in &looked {
                refuse_unwritable(&root, file)?;
            }
            let warnings = looked.iter().flat_map(|file| file.made.warnings.clone()).collect();
            return Ok(Done { files: looked, id: None, backup: None, warnings });
        }
        self.ask(&looked)?;
        // 2. Lock, and recover what was interrupted.
        let state = State::open(self.repo.git_dir())?;
        let options = Options { lock_timeout: self.lock_timeout, durability: self.settings.durability };
        let mut transaction = Transaction::begin(root, state, options)?;
        let mut warnings = Vec::new();
        if transaction.must_checkpoint() {
            super::checkpoint::checkpoint(&mut transaction, self.repo, self.settings)?;
        }
        // 3. Look again; make again only what changed.
        let looked = self.look_again(transaction.root(), tasks, looked)?;
        for file in &looked {
            refuse_unwritable(transaction.root(), file)?;
            warnings.extend(file.made.warnings.iter().cloned());
        }
        super::requests::refuse_answered(&transaction, &self.meta)?;
        // 4. Stage, back up, commit, exchange.
        let id = RecordId::from_random(random()?);
        let time = jiff::Timestamp::now();
        let backup = looked
            .iter()
            .any(|file| file.base.is_some())
            .then(|| transaction.state().backups_path().join(State::backup_name(time, &id)));
        let mut done = Done { files: looked, id: Some(id.clone()), backup, warnings };
        let mut meta = self.meta.clone();
        meta.answer = self.answer.filter(|_| meta.request_id.is_some()).map(|answer| answer(&done));
        let (files, kept) = planned(std::mem::take(&mut done.files));
        let plan = Plan { id, time, class: self.class, meta, files, verify: self.verify.is_some() };
        let committed = transaction.prepare(plan)?.commit(self.verify.as_ref())?;
        done.warnings.extend(committed.warnings);
        done.files = kept.into_iter().zip(committed.files).map(|(kept, file)| kept.with(file)).collect();
        // 5. Once in a while, seal the records. What goes wrong here takes nothing back.
        if transaction.is_checkpoint_due() {
            if let Err(error) = super::checkpoint::checkpoint(&mut transaction, self.repo, self.settings) {
                done.warnings.push(format!("the edit is written, but the history could not be sealed: {error}"));
            }
        }
        Ok(done)
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
        let looked: Vec<Looked> = tasks.iter().map(|task| self.look(root, task)).collect::<Result<_, _>>()?;
        refuse_same_file(&looked)?;
        Ok(looked)
    }

    fn look(&self, root: &Root, task: &Task<'_>) -> Result<Looked, Error> {
        let place = self.place(root, &task.path)?;
        let from = task.from.as_ref().map(|from| self.place(root, from)).transpose()?;
        let source = from.as_ref().unwrap_or(&place);
        let shown = source.path.to_string_lossy();
        for place in [Some(&place), from.as_ref()].into_iter().flatten() {
            self.refuse_submodule(place)?;
        }
        let base = root.read(source)?;
        if from.is_some() && root.is_taken(&place)? {
            return Err(TransactionError::Exists(place.path.to_string_lossy()).into());
        }
        let (change, text) = match (task.kind, &base) {
            (TaskKind::Create { overwrite: false }, Some(_)) => return Err(TransactionError::Exists(shown).into()),
            (TaskKind::Create { .. }, None) => (ChangeKind::Create, None),
            (_, None) => return Err(TransactionError::NoSuchFile(shown).into()),
            (TaskKind::Create { .. } | TaskKind::Modify, Some(base)) => (ChangeKind::Modify, Some(base)),
            (TaskKind::Delete, Some(base)) => (ChangeKind::Delete, Some(base)),
            (TaskKind::Rename, Some(base)) => (ChangeKind::Rename, Some(base)),
        };
        let bytes = text.map(|found| found.bytes.clone()).unwrap_or_default();
        let text = Text::new(bytes).map_err(|nul| Finding::Binary { path: shown.clone(), offset: nul.offset })?;
        let id = base.as_ref().map(|base| blob_id(&base.bytes));
        let state = match (&base, id) {
            (Some(base), Some(id)) => {
                Some(self.repo.state(&source.path, &id, &base.bytes, base.meta.mode & 0o111 != 0)?)
            }
            _ => None,
        };
        // What the caller knows of the file comes first: that it changed says more than that the edits do not fit.
        let made = (task.make)(&text);
        let mut looked =
            Looked { place, from, change, base, made: Made::default(), after: None, ids: (id, None), state };
        (task.check)(&looked).map_err(|error| error.still_applies(made.is_ok()))?;
        looked.made = made?;
        let after = (change != ChangeKind::Delete).then(|| looked.made.patch.apply(text.bytes()));
        if after.as_ref().is_some_and(|after| memchr::memchr(0, after).is_some()) {
            return Err(Finding::NewTextHasNul(shown).into());
        }
        let mode = looked.made.mode;
        let keeps_mode = mode.is_none() || mode == looked.base.as_ref().map(|base| base.meta.mode);
        if change == ChangeKind::Modify && keeps_mode && after.as_deref() == Some(text.bytes()) {
            return Err(Finding::SameText(shown).into());
        }
        looked.ids.1 = after.as_ref().map(|after| blob_id(after));
        looked.after = after;
        Ok(looked)
    }

    /// The place of a path, inside the sandbox and where the policy allows it, by its name and by what it leads to.
    fn place(&self, root: &Root, path: &RepoPath) -> Result<Place, Error> {
        check::policy(self.settings, path)?;
        let place = root.place(path)?;
        if place.path != *path {
            check::policy(self.settings, &place.path)?;
        }
        if let Some(sandbox) = self.sandbox {
            if !place.path.is_below(sandbox) {
                return Err(Finding::OutsideRoot(place.path.to_string_lossy(), sandbox.to_string_lossy()).into());
            }
        }
        Ok(place)
    }

    /// A submodule that is not checked out is an empty directory, or none: only HEAD knows of it.
    fn refuse_submodule(&self, place: &Place) -> Result<(), Error> {
        match self.repo.head_lookup(&place.path)? {
            HeadLookup::Submodule(above) => {
                Err(TransactionError::Submodule(place.path.to_string_lossy(), above.to_string_lossy()).into())
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
            let now = root.look(from.as_ref().unwrap_or(&place))?;
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
        refuse_same_file(&again)?;
        Ok(again)
    }

    fn ask(&self, looked: &[Looked]) -> Result<(), Error> {
        let needs_yes = looked.iter().find(|file| self.settings.confirm.matching(&file.place.path).is_some());
        if !self.confirm && needs_yes.is_none() {
            return Ok(());
        }
        let diff = Self::diff(looked, DiffLimits { lines: 0, bytes: 0 });
        if self.ask.is_some_and(|ask| ask(&diff.text)) {
            return Ok(());
        }
        let path = needs_yes.or(looked.first()).map(|file| file.place.path.to_string_lossy()).unwrap_or_default();
        Err(Finding::Declined(path).into())
    }

    /// Finishes a transaction that was interrupted, if there is one: its half-way state may be why a request did not fit.
    fn finish_interrupted(&self) -> Result<bool, Error> {
        let Some(state) = State::open_existing(self.repo.git_dir())? else { return Ok(false) };
        if self.dry_run || is_settled(&state)? {
            return Ok(false);
        }
        let options = Options { lock_timeout: self.lock_timeout, durability: self.settings.durability };
        let mut transaction = Transaction::begin(self.open_root()?, state, options)?;
        if transaction.must_checkpoint() {
            super::checkpoint::checkpoint(&mut transaction, self.repo, self.settings)?;
        }
        Ok(true)
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

fn refuse_unwritable(root: &Root, file: &Looked) -> Result<(), Error> {
    root.refuse_unwritable(&file.place, file.base.as_ref().filter(|_| file.from.is_none()).map(|base| &base.meta))?;
    if let Some(from) = &file.from {
        root.refuse_unwritable(from, file.base.as_ref().map(|base| &base.meta))?;
    }
    Ok(())
}

/// Two names may lead to one file: by a symlink, by a hard link, by case.
fn refuse_same_file(looked: &[Looked]) -> Result<(), Error> {
    let mut by_path = std::collections::BTreeMap::new();
    let mut by_identity = std::collections::BTreeMap::new();
    for file in looked {
        for place in [Some(&file.place), file.from.as_ref()].into_iter().flatten() {
            if let Some(other) = by_path.insert(&place.path, place) {
                return Err(Finding::SameFile(other.path.to_string_lossy(), place.path.to_string_lossy()).into());
            }
        }
        let identity = file.base.as_ref().map(|base| base.meta.identity).filter(|identity| *identity != (0, 0));
        if let Some(other) = identity.and_then(|identity| by_identity.insert(identity, file)) {
            let shown = |file: &Looked| file.source().path.to_string_lossy();
            return Err(Finding::SameFile(shown(other), shown(file)).into());
        }
    }
    Ok(())
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
