//! The backups of a working tree: listed, pruned, and brought back as edits of their own.

use super::{Noted, Place, undo_files, written};
use crate::env::Env;
use crate::error::Error;
use crate::flow::{Compile, Flow, Task, Told, begin, checkpoint};
use crate::git_record::GitTarget;
use crate::history::{BackedUp, BackupNote, Condition, History, HistoryError, OldFile};
use crate::id::RecordId;
use crate::patch::FilePatch;
use crate::path::RepoPath;
use crate::record::{RecordClass, RecordMeta};
use crate::request::RecordKind;
use crate::state_dir::StateDir;
use crate::task::{PatchOutcome, TaskKind};
use crate::transaction::{self, Backup, BackupRetention, JournalDamage, Note, State, TransactionError};
use crate::warning::Warning;
use crate::workspace::Workspace;
use crate::worktree::WorktreeError;

/// What was brought back.
#[derive(Debug, Clone, Default)]
pub struct Restored {
    /// The record of it.
    pub id: Option<RecordId>,
    /// In order.
    pub paths: Vec<RepoPath>,
}

/// The backups of a record: by its id, the beginning of that, or `@` and what may stand behind it.
///
/// # Errors
/// Where there is none, or as [`list`].
pub fn of_record(env: &Env, name: &str) -> Result<Vec<Backup>, Error> {
    let id = if name.starts_with('@') {
        History::open(Workspace::discover(env)?.repo())?.find(name)?.record.id.to_string()
    } else {
        name.to_owned()
    };
    let mut found = list(env)?;
    found.retain(|backup| backup.id.as_str().starts_with(&id));
    if found.is_empty() { Err(no_such(name)) } else { Ok(found) }
}

/// The backups of a record, as [`of_record`] finds them, each held against what is recorded of it.
///
/// # Errors
/// As [`of_record`], and where the history cannot be read.
pub fn looked_at(env: &Env, name: &str) -> Result<Noted<Vec<BackedUp>>, Error> {
    let workspace = Workspace::discover(env)?;
    let found = of_record(env, name)?;
    let history = History::open(workspace.repo())?;
    let done = found.into_iter().map(|backup| BackedUp::look(&history, backup)).collect::<Result<Vec<_>, _>>()?;
    let notes = done.iter().flat_map(|one| one.notes(&history)).map(Warning::Backup).collect();
    Ok(Noted { done, notes })
}

fn no_such(name: &str) -> Error {
    TransactionError::NoSuchBackup(name.to_owned()).into()
}

/// The backups, newest first.
///
/// # Errors
/// Where there is no repository, or a folder of backups cannot be listed.
pub fn list(env: &Env) -> Result<Vec<Backup>, Error> {
    let workspace = Workspace::discover(env)?;
    // Backups are what is left of records that are lost to damage, which is told.
    drop(History::open(workspace.repo())?);
    match State::open_existing(&StateDir::of(workspace.repo()))? {
        Some(state) => Ok(transaction::backups(&state)?),
        None => Ok(Vec::new()),
    }
}

/// The backups that [`prune`] would remove: those beyond `keep` (or the configured retention), but for those of records that
/// are not sealed yet.
///
/// # Errors
/// Where the backups or the journal cannot be read.
pub fn surplus(env: &Env, keep: Option<BackupRetention>) -> Result<Noted<Vec<Backup>>, Error> {
    let workspace = Workspace::discover(env)?;
    let Some(state) = State::open_existing(&StateDir::of(workspace.repo()))? else { return Ok(Noted::default()) };
    let retention = keep.unwrap_or(workspace.settings()?.backup_retention);
    let journal = transaction::peek(state.dir())?;
    let is_unsealed = |id: &RecordId| journal.entries.iter().any(|entry| entry.intent.id == *id);
    let damaged = JournalDamage::of(&journal.damage).map(|damage| Note::JournalDamaged { damage, kept: None });
    let notes = damaged.into_iter().map(Warning::from).collect();
    Ok(Noted { done: transaction::surplus(&state, retention, env.clock().now(), &is_unsealed)?, notes })
}

/// Seals all records, and removes backups beyond `keep` (or the configured retention); returns what was removed.
///
/// # Errors
/// Where the lock is not free, something interrupted cannot be finished, or a backup cannot be removed.
pub fn prune(env: &Env, keep: Option<BackupRetention>) -> Result<Noted<Vec<Backup>>, Error> {
    let workspace = Workspace::discover(env)?;
    let (repo, settings) = (workspace.repo(), workspace.settings()?);
    let Some(state) = State::open_existing(&StateDir::of(repo))? else { return Ok(Noted::default()) };
    let retention = keep.unwrap_or(settings.backup_retention);
    let root = Flow::open_root_of(repo, settings)?;
    let mut transaction = begin(repo, settings, root, state, settings.lock_timeout)?;
    let notes = checkpoint(&mut transaction, repo, settings)?;
    let done = transaction::prune(transaction.state(), retention, env.clock().now())?;
    Ok(Noted { done, notes })
}

/// Brings files of one backup back, as a transaction and a record of its own.
///
/// # Errors
/// Where there is no such backup, or the flow refuses.
pub fn restore(place: &Place<'_>, id: &str, wanted: &[RepoPath]) -> Result<Noted<Restored>, Error> {
    let env = place.env;
    let workspace = Workspace::discover(env)?;
    let (repo, settings) = (workspace.repo(), workspace.settings()?);
    let found = of_record(env, id)?;
    let [backup] = <[Backup; 1]>::try_from(found).map_err(|_| no_such(id))?;
    let OldTexts { record, texts, notes } = old_texts(&workspace, backup, wanted)?;
    let root = Flow::open_root_of(repo, settings)?;
    let mut tasks = Vec::new();
    let mut restored = Vec::new();
    for Old { path, text, mode, backup } in texts {
        undo_files::refuse_link(&root, &path)?;
        // One that is there keeps its own, as somebody may have set them since.
        let mode = mode.filter(|_| repo.root().join(path.to_path()).symlink_metadata().is_err());
        let compile = move |now: &[u8]| {
            let patch = FilePatch::whole(now.len(), text.clone());
            Ok(PatchOutcome { mode, heir_of: backup.clone(), ..patch.into() })
        };
        tasks.push(Task {
            executable: None,
            path: path.clone(),
            from: None,
            kind: TaskKind::Create { overwrite: true },
            compile: Compile::Bytes(Box::new(compile)),
            made: Box::new(|_| Ok(())),
            told: Told::default(),
            check: Box::new(|_| Ok(())),
        });
        restored.push(path);
    }
    let meta = RecordMeta {
        message: Some(format!("restore the backup of {record}")),
        base: repo.head_id()?,
        record: RecordKind::History,
        ..RecordMeta::default()
    };
    let flow = Flow {
        env,
        repo,
        settings,
        sandbox: None,
        dry_run: false,
        lock_timeout: settings.lock_timeout,
        verify: settings.checks(None, None),
        expected_head: None,
        class: RecordClass::External,
        meta,
        confirm: false,
        ask: place.ask,
        git: GitTarget::Nothing,
        answer: None,
        group: None,
    };
    let done = flow.run(&tasks)?;
    let id = done.id().cloned();
    let notes = notes.into_iter().map(Warning::Backup).chain(done.warnings).collect();
    Ok(Noted { done: Restored { id, paths: restored }, notes })
}

/// What is to be brought back.
struct OldTexts {
    /// Of the edit.
    record: RecordId,
    /// In order.
    texts: Vec<Old>,
    notes: Vec<BackupNote>,
}

/// A file as it was.
struct Old {
    path: RepoPath,
    text: Vec<u8>,
    /// Its permission bits, where they are known.
    mode: Option<u32>,
    /// Its backup, below the folder of backups.
    backup: Option<RepoPath>,
}

/// The old texts of the files that are wanted: all of them, or none.
fn old_texts(workspace: &Workspace, backup: Backup, wanted: &[RepoPath]) -> Result<OldTexts, Error> {
    let repo = workspace.repo();
    let history = History::open(repo)?;
    let record = backup.id.clone();
    let backed_up = BackedUp::look(&history, backup)?;
    let own: Vec<&OldFile> = backed_up.files().iter().filter(|file| file.condition != Condition::Foreign).collect();
    if let Some(missing) = wanted.iter().find(|path| !own.iter().any(|file| file.path == **path)) {
        return Err(WorktreeError::NoSuchFile(missing.to_string_lossy()).into());
    }
    let is_left = own.iter().any(|file| file.condition != Condition::Gone);
    let (mut texts, mut notes, mut lost) = (Vec::new(), Vec::new(), Vec::new());
    for file in own.into_iter().filter(|file| wanted.is_empty() || wanted.contains(&file.path)) {
        let (path, condition) = (file.path.clone(), file.condition);
        match backed_up.text(&history, &path)? {
            Some(text) => {
                let (mode, backup) = (backed_up.mode(&path), backed_up.place(&path));
                texts.push(Old { path: path.clone(), text, mode, backup });
            }
            None => lost.push((written(&path, repo), condition)),
        }
        match condition {
            Condition::Damaged | Condition::Gone => notes.push(BackupNote::FromHistory { path, condition }),
            Condition::Unproven if notes.is_empty() => notes.push(BackupNote::Unproven(record.clone())),
            Condition::Whole | Condition::Unproven | Condition::Foreign => {}
        }
    }
    let names = |paths: &mut dyn Iterator<Item = &RepoPath>| paths.map(|path| written(path, repo)).collect();
    if !is_left {
        let gone = backed_up.files().iter().filter(|file| file.condition == Condition::Gone);
        let files = names(&mut gone.map(|file| &file.path));
        let is_known = lost.is_empty() && !texts.is_empty();
        return Err(HistoryError::BackupEmpty { record, files, is_known }.into());
    }
    if !lost.is_empty() {
        let whole = names(&mut texts.iter().map(|old| &old.path));
        return Err(HistoryError::BackupNotWhole { record, lost, whole }.into());
    }
    Ok(OldTexts { record, texts, notes })
}
