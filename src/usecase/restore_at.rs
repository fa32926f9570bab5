//! Files brought back as they were right after a record, whatever came later: a transaction and a record of its own.
//!
//! Owns which files, and what is to be known of what goes with it. How they were is the history's.

use super::answer::{Answering, Asked, Subject};
use super::options::Place;
use super::undo_files::{self, mode_of};
use super::untouched;
use crate::advice;
use crate::answer::Envelope;
use crate::dialect::Words;
use crate::error::Error;
use crate::flow::{Compile, Flow, Task, Told, say_caller};
use crate::git_record::GitTarget;
use crate::history::{FileThen, History, HistoryError, Nothing, RestoreNote, Then, all_as_of, as_of, patch_between};
use crate::id::RecordId;
use crate::patch::{DiffLimits, FilePatch};
use crate::path::RepoPath;
use crate::policy::Settings;
use crate::record::{RecordClass, RecordMeta};
use crate::request::RecordKind;
use crate::task::{PatchOutcome, TaskKind};
use crate::warning::Warning;
use crate::workspace::Workspace;
use serde_json::Value;
use std::collections::BTreeMap;
use std::time::Duration;

/// What is to come back, and how.
#[derive(Debug, Clone, Default)]
pub struct RestoreRequest {
    /// The record: an id, the unique beginning of one, `@` (the newest), `@-`, `@-2`.
    pub at: String,
    /// These files, or what is below these directories; where empty, all that it or a later record touched.
    pub paths: Vec<RepoPath>,
    /// Write nothing.
    pub dry_run: bool,
    /// For the record.
    pub message: Option<String>,
    /// How long to wait for the lock.
    pub lock_timeout: Option<Duration>,
    /// Most lines of the preview.
    pub diff_lines: Option<usize>,
    /// Most bytes of the preview.
    pub diff_bytes: Option<usize>,
}

/// Brings files back; the answer is an envelope, whatever happens.
pub fn restore_at(place: &Place<'_>, request: &RestoreRequest, params_input: Value) -> Envelope {
    let env = place.env;
    let start = env.clock().instant();
    let workspace = Workspace::discover(env);
    let repo = workspace.as_ref().ok().map(Workspace::repo);
    let asked = Asked::new(start, env, repo, params_input, &Words::COMMAND_LINE);
    let workspace = match workspace {
        Ok(workspace) => workspace,
        Err(error) => return asked.error(&error.into(), &Subject::default()),
    };
    let done = Restore { workspace: &workspace, place, request }.carry_out(&asked);
    done.unwrap_or_else(|error| asked.error(&untouched::blamed(error, &workspace, &request.paths), &Subject::default()))
}

struct Restore<'a> {
    workspace: &'a Workspace,
    place: &'a Place<'a>,
    request: &'a RestoreRequest,
}

/// What is to be done.
struct Planned {
    id: RecordId,
    /// The files that are to be other ones than they are.
    files: BTreeMap<RepoPath, Option<FileThen>>,
    notes: Vec<RestoreNote>,
}

impl Restore<'_> {
    fn carry_out(&self, asked: &Asked) -> Result<Envelope, Error> {
        let (repo, settings) = (self.workspace.repo(), self.workspace.settings()?);
        let Planned { id, files, notes } = self.plan(settings)?;
        if files.is_empty() {
            return Err(HistoryError::NothingToUndo(Nothing::AsThen(id)).into());
        }
        let tasks: Vec<Task<'_>> = files.iter().map(|(path, then)| self.task(path, then.as_ref())).collect();
        let message = format!("restore the files as they were right after {id}");
        let mut meta = RecordMeta {
            message: Some(self.request.message.clone().unwrap_or(message)),
            base: repo.head_id()?,
            record: RecordKind::History,
            ..RecordMeta::default()
        };
        say_caller(repo, &mut meta);
        let flow = Flow {
            env: self.workspace.env(),
            repo,
            settings,
            sandbox: None,
            dry_run: self.request.dry_run,
            lock_timeout: self.request.lock_timeout.unwrap_or(settings.lock_timeout),
            verify: settings.checks(None, None),
            expected_head: None,
            class: RecordClass::External,
            meta,
            confirm: false,
            ask: self.place.ask,
            git: GitTarget::Nothing,
            answer: None,
            group: None,
        };
        let mut done = flow.run(&tasks)?;
        done.warnings.extend(notes.into_iter().map(Warning::Restore));
        let limits = DiffLimits {
            lines: self.request.diff_lines.unwrap_or(settings.diff_lines),
            bytes: self.request.diff_bytes.unwrap_or(settings.diff_bytes),
        };
        let subject =
            Subject { path_resolved: files.keys().next().map(RepoPath::to_string_lossy), several: files.len() > 1 };
        let mut envelope = Answering { asked, subject, limits, record: RecordKind::History }.done(&done);
        envelope.text = advice::restored(&id, &envelope.text);
        Ok(envelope)
    }

    /// The files that are not as they were then.
    fn plan(&self, settings: &Settings) -> Result<Planned, Error> {
        let repo = self.workspace.repo();
        let history = History::open(repo)?;
        let at = history.find(&self.request.at)?;
        let mut found = all_as_of(&history, &at)?;
        let wanted = &self.request.paths;
        found.retain(|path, _| wanted.is_empty() || wanted.iter().any(|wanted| is_in(path, wanted)));
        for path in wanted.iter().filter(|wanted| !found.keys().any(|path| is_in(path, wanted))).collect::<Vec<_>>() {
            let then = as_of(&history, &at, path)?;
            found.insert(path.clone(), Then { newest: then.file.as_ref().map(FileThen::id), as_of: then });
        }
        let root = Flow::open_root_of(repo, settings)?;
        let (mut files, mut notes) = (BTreeMap::new(), Vec::new());
        for (path, Then { as_of, newest }) in found {
            let now = undo_files::read(&root, &path)?.map(|bytes| FileThen { bytes, mode: mode_of(repo, &path) });
            if is_same(now.as_ref(), as_of.file.as_ref()) {
                continue;
            }
            undo_files::refuse_link(&root, &path)?;
            if now.as_ref().is_some_and(|now| Some(now.id()) != newest) {
                notes.push(RestoreNote::Unrecorded(path.clone()));
            }
            if let Some(last) = as_of.differs_from {
                notes.push(RestoreNote::Between { path: path.clone(), last, next: as_of.told_by });
            }
            files.insert(path, as_of.file);
        }
        Ok(Planned { id: at.record.id, files, notes })
    }

    fn task<'t>(&self, path: &RepoPath, then: Option<&'t FileThen>) -> Task<'t> {
        let is_there = self.workspace.repo().root().join(path.to_path()).symlink_metadata().is_ok();
        let kind = match (is_there, then) {
            (_, None) => TaskKind::Delete,
            (true, Some(_)) => TaskKind::Modify,
            (false, Some(_)) => TaskKind::Create { overwrite: false },
        };
        let compile = move |text: &[u8]| {
            Ok(match then {
                None => FilePatch::whole(text.len(), Vec::new()).into(),
                Some(then) => PatchOutcome { mode: then.mode, ..patch_between(text, &then.bytes).into() },
            })
        };
        Task {
            executable: None,
            path: path.clone(),
            from: None,
            kind,
            compile: Compile::Bytes(Box::new(compile)),
            made: Box::new(|_| Ok(())),
            told: Told::default(),
            check: Box::new(|_| Ok(())),
        }
    }
}

fn is_in(path: &RepoPath, wanted: &RepoPath) -> bool {
    path == wanted || path.is_below(wanted)
}

/// Whether a file is as it was; of permission bits only that which git knows counts.
fn is_same(now: Option<&FileThen>, then: Option<&FileThen>) -> bool {
    let runs = |file: &FileThen| file.mode.map(|mode| mode & 0o111 != 0);
    match (now, then) {
        (None, None) => true,
        (Some(now), Some(then)) => {
            now.bytes == then.bytes && runs(now).zip(runs(then)).is_none_or(|(now, then)| now == then)
        }
        _ => false,
    }
}
