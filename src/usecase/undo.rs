//! Undo and redo: the history's plan goes through the same flow as every other change of files.
//!
//! Owns what an undo means for the flow. Which records, and what of them, is the history's; the words are `advice/`'s.

use super::answer::{Answering, Asked, Subject};
use super::options::{Place, Programs};
use super::undo_files::{self, mode_of};
use super::untouched;
use crate::advice::{self, FileBack, UndoSummary};
use crate::answer::{Envelope, Status};
use crate::change::ChangeKind;
use crate::dialect::Words;
use crate::error::Error;
use crate::flow::{Ask, Done, Flow, Held, Ran, Reply, say_caller};
use crate::flow::{Compile, Task, Told, Writes};
use crate::git::{Repo, RepoError};
use crate::git_record::{GitOptions, GitWarning, Staged};
use crate::history::{
    History, HistoryError, LogEnd, Misfits, NameChange, UndoConflict, UndoPlan, UndoRequest, of_redo, plan_undo,
};
use crate::id::RecordId;
use crate::patch::{DiffLimits, FilePatch};
use crate::path::RepoPath;
use crate::policy::Settings;
use crate::record::RecordMeta;
use crate::request::RecordKind;
use crate::state_dir::StateDir;
use crate::task::{Ids, Judged, PatchOutcome, Paths, TaskKind};
use crate::transaction::{State, is_settled};
use crate::warning::Warning;
use crate::workspace::Workspace;
use crate::worktree::WorktreeError;
use serde_json::Value;
use std::cell::Cell;
use std::time::Duration;

/// What the command line adds to an undo.
#[derive(Clone, Default)]
#[non_exhaustive]
pub struct UndoOptions<'a> {
    /// Write nothing.
    pub dry_run: bool,
    /// Where to record.
    pub record: Option<RecordKind>,
    /// For the record.
    pub message: Option<String>,
    /// For the record.
    pub agent: Option<String>,
    /// For the record.
    pub session: Option<String>,
    /// A smaller sandbox: nothing outside of this directory is written.
    pub within: Option<RepoPath>,
    /// How long to wait for the lock.
    pub lock_timeout: Option<Duration>,
    /// Most lines of the preview.
    pub diff_lines: Option<usize>,
    /// Most bytes of the preview.
    pub diff_bytes: Option<usize>,
    /// Where the configuration wants a yes: shown the uncut diff, says whether to go on; where there is none, the answer is
    /// no.
    pub ask: Option<&'a dyn Fn(&str) -> bool>,
}

/// Undoes or redoes; the answer is an envelope, whatever happens.
pub fn undo(place: &Place<'_>, request: &UndoRequest, options: &UndoOptions<'_>, params_input: Value) -> Envelope {
    match Workspace::discover(place.env) {
        Ok(workspace) => answer_of(Ok(&workspace), place, (request, options), params_input),
        Err(error) => answer_of(Err(error), place, (request, options), params_input),
    }
}

/// As [`undo`], in what was opened, if it could be.
pub fn answer_of(
    workspace: Result<&Workspace, RepoError>,
    place: &Place<'_>,
    (request, options): (&UndoRequest, &UndoOptions<'_>),
    params_input: Value,
) -> Envelope {
    let env = place.env;
    let repo = workspace.as_ref().ok().map(|workspace| workspace.repo());
    let asked = Asked::new(env.clock().instant(), env, repo, params_input, &Words::COMMAND_LINE);
    let unplanned = |error: Error| asked.error(&error, &Subject::default());
    let workspace = match workspace {
        Ok(workspace) => workspace,
        Err(error) => return unplanned(error.into()),
    };
    let request = &named(workspace, request);
    let undone = Undo::new(workspace, request, options)
        .map(|undo| Undo { programs: place.programs, ..undo })
        .map_err(Box::from)
        .and_then(|undo| undo.carry_out(&asked, place.ask));
    undone.map_or_else(
        |refused| asked.error(&untouched::blamed(refused.error, workspace, &request.paths), &refused.subject),
        |(envelope, _)| envelope,
    )
}

/// Undoes or redoes; gives what did not fit, too, where that is put between markers.
pub fn undo_in(
    workspace: &Workspace,
    request: &UndoRequest,
    options: &UndoOptions<'_>,
) -> Result<(Envelope, Vec<UndoConflict>), Error> {
    let env = workspace.env();
    let asked = Asked::new(env.clock().instant(), env, Some(workspace.repo()), Value::Null, &Words::COMMAND_LINE);
    let ask = options.ask.map(|ask| |diff: &str| Reply::from(ask(diff)));
    let ask = ask.as_ref().map(|ask| ask as Ask<'_>);
    let request = &named(workspace, request);
    Undo::new(workspace, request, options)?
        .carry_out(&asked, ask)
        .map_err(|refused| untouched::blamed(refused.error, workspace, &request.paths))
}

/// Finishes what was interrupted, where the undo may write.
pub(super) fn prepare(workspace: &Workspace, request: &UndoRequest, options: &UndoOptions<'_>) -> Result<(), Error> {
    Undo::new(workspace, request, options).map(drop)
}

/// What an undo would do.
pub(super) fn plan_of(
    workspace: &Workspace,
    request: &UndoRequest,
    options: &UndoOptions<'_>,
) -> Result<UndoPlan, Error> {
    Ok(Undo::new(workspace, request, options)?.plan()?.plan)
}

/// The same, also by the paths that symlinks in its paths lead to.
pub(super) fn named(workspace: &Workspace, request: &UndoRequest) -> UndoRequest {
    UndoRequest {
        paths: super::names(workspace, request.paths.clone()),
        except: super::names(workspace, request.except.clone()),
        ..request.clone()
    }
}

/// What is answered, and what stands between markers or was left.
type Answered = (Envelope, Vec<UndoConflict>);

/// Why nothing was undone, and of which files, where that is known.
struct Refused {
    error: Error,
    subject: Subject,
}

impl From<Error> for Box<Refused> {
    fn from(error: Error) -> Self {
        Self::new(Refused { error, subject: Subject::default() })
    }
}

/// An undo that is wanted.
struct Undo<'a> {
    workspace: &'a Workspace,
    settings: &'a Settings,
    request: &'a UndoRequest,
    options: &'a UndoOptions<'a>,
    record: RecordKind,
    programs: Programs,
    /// What was found out while an interrupted transaction was finished.
    notes: Cell<Vec<Warning>>,
}

/// What it comes to, with the log as it was read.
struct Planned<'a> {
    history: History<'a>,
    /// How far the log had come before it was read.
    log: LogEnd,
    plan: UndoPlan,
}

/// What came of a plan.
enum Attempt {
    Answered(Box<Answered>),
    Overtaken(Option<Box<Held>>),
}

impl<'a> Undo<'a> {
    fn new(workspace: &'a Workspace, request: &'a UndoRequest, options: &'a UndoOptions<'a>) -> Result<Self, Error> {
        let settings = workspace.settings()?;
        let record = settings.record_kind(options.record)?;
        untouched::refuse_unknown(workspace, &request.except)?;
        let (programs, notes) = (Programs::Run, Cell::default());
        let undo = Self { workspace, settings, request, options, record, programs, notes };
        undo.notes.set(undo.finish_interrupted()?);
        Ok(undo)
    }

    /// Plans it and does it. What others do to the log meanwhile makes a plan untrue: then it is planned again, under the
    /// lock, so that of many undos at once each finds what the others left.
    fn carry_out(self, asked: &Asked, ask: Option<Ask<'_>>) -> Result<Answered, Box<Refused>> {
        let mut held = None;
        loop {
            let planned = self.plan()?;
            let answering = self.answering(asked, &planned.plan);
            let tried = self.run(&planned, &answering, ask, held);
            match tried.map_err(|error| Box::new(Refused { error, subject: answering.subject.clone() }))? {
                Attempt::Answered(answered) => return Ok(*answered),
                Attempt::Overtaken(lock) => held = lock,
            }
        }
    }

    /// What was interrupted may be a record, or none; only recovery knows.
    fn finish_interrupted(&self) -> Result<Vec<Warning>, Error> {
        let state = State::open_existing(&StateDir::of(self.workspace.repo()))?.filter(|_| !self.options.dry_run);
        match state {
            Some(state) if !is_settled(&state)? => {
                Ok(super::recover::recover_in(self.workspace.repo(), self.settings)?.notes)
            }
            _ => Ok(Vec::new()),
        }
    }

    /// Plans it. A refusal counts only where nothing was done while it was planned, which may have been met half-way.
    fn plan(&self) -> Result<Planned<'a>, Error> {
        let repo = self.workspace.repo();
        let clock = self.workspace.env().clock();
        let start = clock.instant();
        loop {
            let history = History::open(repo)?;
            let log = history.end()?;
            let planned = undo_files::looked_at(repo, self.settings, |files| plan_undo(&history, self.request, files))?;
            let error = match planned {
                Ok(plan) => return Ok(Planned { history, log, plan }),
                Err(error) => error,
            };
            let is_late = clock.instant().duration_since(start) >= self.lock_timeout();
            if is_late || !(self.has_finished(&log)? || has_moved(repo, &log)?) {
                return Err(error.into());
            }
        }
    }

    /// Waits for what was being done while the log was read, or finishes it; whether there was such a thing.
    fn has_finished(&self, log: &LogEnd) -> Result<bool, Error> {
        let was_in_flight = log.is_in_flight() && !self.options.dry_run;
        if was_in_flight {
            self.notes.set([self.notes.take(), self.finish_interrupted()?].into_iter().flatten().collect());
        }
        Ok(was_in_flight)
    }

    fn lock_timeout(&self) -> Duration {
        self.options.lock_timeout.unwrap_or(self.settings.lock_timeout)
    }

    fn answering<'q>(&self, asked: &'q Asked, plan: &UndoPlan) -> Answering<'q> {
        let (options, settings) = (self.options, self.settings);
        Answering {
            asked,
            subject: Subject {
                path_resolved: first_path(plan).map(|path| path.to_string_lossy()),
                several: plan.changes().len() > 1,
            },
            limits: DiffLimits {
                lines: options.diff_lines.unwrap_or(settings.diff_lines),
                bytes: options.diff_bytes.unwrap_or(settings.diff_bytes),
            },
            record: self.record,
        }
    }

    fn run(
        &self,
        planned: &Planned<'_>,
        answering: &Answering<'_>,
        ask: Option<Ask<'_>>,
        held: Option<Box<Held>>,
    ) -> Result<Attempt, Error> {
        let Self { workspace, settings, request, options, record, .. } = *self;
        let Planned { history, log, plan } = planned;
        let repo = workspace.repo();
        let goes_back = record == RecordKind::History && plan.is_in_index();
        let staged = goes_back.then(|| Staged::open(repo)).transpose()?;
        let changes = plan.changes();
        let mut tasks: Vec<Task<'_>> = Vec::with_capacity(changes.len());
        for change in &changes {
            let inverts = inverts(repo, plan, *change)?;
            let staged = staged.as_ref().filter(|_| plan.is_file_in_index(change.slot()));
            tasks.push(task(*change, (repo, request), staged, inverts));
        }
        let verify = settings.checks(None, None);
        self.programs.refuse(record, verify.is_some().then_some("a verification"))?;
        self.programs.refuse(record, staged.is_some().then_some("an edit of the index"))?;
        let flow = Flow {
            env: workspace.env(),
            repo,
            settings,
            sandbox: options.within.as_ref(),
            dry_run: options.dry_run,
            lock_timeout: self.lock_timeout(),
            verify,
            expected_head: None,
            class: plan.class,
            meta: meta(repo, plan, options, record)?,
            confirm: false,
            ask,
            git: GitOptions::default().target(record, staged.as_ref())?,
            answer: None,
            group: None,
        };
        let still_so = || has_moved(repo, log).map(|has_moved| !has_moved);
        let ran = flow.run_while(&tasks, held, &still_so).map_err(|error| numbered(error, planned, request))?;
        let mut done = match ran {
            Ran::Done(done) => done,
            Ran::Overtaken(held) => return Ok(Attempt::Overtaken(held)),
        };
        drop(tasks);
        let left = match &staged {
            Some(staged) => staged.left(),
            None if record == RecordKind::History => undo_files::still_staged(repo, plan),
            None => Vec::new(),
        };
        let left = left.into_iter().map(|path| GitWarning::StagedStays(path).into());
        done.warnings.extend(plan.notes.iter().cloned().map(Warning::Undo).chain(left).chain(self.notes.take()));
        // It is done: what cannot be told of it any more is no error.
        done.warnings.extend(untouched::noted(workspace, &request.paths).unwrap_or_default());
        done.warnings.extend(history.take_warnings().into_iter().map(Warning::History));
        Ok(Attempt::Answered(Box::new(answer(answering, history, plan, &done, request))))
    }
}

/// The same; the hunks of conflicts have their numbers.
fn numbered(error: Error, planned: &Planned<'_>, request: &UndoRequest) -> Error {
    let Error::History(HistoryError::UndoConflict(mut conflicts)) = error else { return error };
    planned.plan.number(&planned.history, &mut conflicts);
    let error = HistoryError::UndoConflict(conflicts);
    if request.select.is_redo() { error.of_redo().into() } else { error.into() }
}

/// Whether something was done to the log of this worktree since.
fn has_moved(repo: &Repo, log: &LogEnd) -> Result<bool, Error> {
    Ok(History::open(repo)?.end()? != *log)
}

fn first_path(plan: &UndoPlan) -> Option<&RepoPath> {
    plan.changes().first().and_then(NameChange::path)
}

/// What the git commits of these records made of a file, or what they staged of it, the newest first; empty where one has
/// neither, or only a part of one is undone.
fn inverts(repo: &Repo, plan: &UndoPlan, change: NameChange<'_>) -> Result<Vec<Ids>, Error> {
    let NameChange::Own(slot) = change else { return Ok(Vec::new()) };
    let mut found = Vec::with_capacity(slot.targets.len());
    for target in &slot.targets {
        let record = plan.undone.iter().find(|record| record.id == target.id).filter(|_| target.splices.is_none());
        let file =
            record.and_then(|record| record.files.get(target.file)).filter(|file| file.change == ChangeKind::Modify);
        let (Some(record), Some(file)) = (record, file) else { return Ok(Vec::new()) };
        let staged = record.meta.git.iter().flat_map(|git| &git.staged).find(|staged| staged.path == file.path);
        found.push(match (staged, record.meta.commit.zip(record.meta.base)) {
            (Some(staged), _) => Ids { before: staged.before, after: staged.after },
            (None, Some((commit, base))) => {
                let id = |commit| Ok::<_, Error>(repo.entry_in(commit, &file.path)?.map(|entry| entry.id));
                Ids { before: id(base)?, after: id(commit)? }
            }
            (None, None) => return Ok(Vec::new()),
        });
    }
    Ok(found)
}

fn task<'a>(
    change: NameChange<'a>,
    (repo, request): (&'a Repo, &UndoRequest),
    staged: Option<&'a Staged<'a>>,
    inverts: Vec<Ids>,
) -> Task<'a> {
    let slot = match change {
        NameChange::Own(slot) => slot,
        crossing => return crossing_task(crossing, repo, request, staged),
    };
    let (path, from, kind) = match (&slot.disk, &slot.now) {
        (Some(disk), Some(now)) if disk == now => (now, None, TaskKind::Modify),
        (Some(disk), Some(now)) => (now, Some(disk.clone()), TaskKind::Rename),
        (Some(disk), None) => (disk, None, TaskKind::Delete),
        (None, Some(now)) => (now, None, TaskKind::Create { overwrite: false }),
        (None, None) => unreachable!("such slots are left out of a plan"),
    };
    let misfits = request.misfits;
    let compile = move |text: &[u8]| {
        let current = slot.disk.as_ref().map(|_| text);
        let outcome = slot.replay(current, misfits).map_err(HistoryError::UndoConflict)?;
        if let Some(staged) = staged {
            let target = slot.now.as_ref().or(slot.disk.as_ref()).expect("a task has a path");
            let from = slot.disk.as_ref().filter(|disk| *disk != target);
            let replay = |text: Option<&[u8]>| slot.replay(text, Misfits::Refused).ok().map(|outcome| outcome.text);
            staged.undo(Paths { path: target, from }, text, &replay, &inverts)?;
        }
        let mode = slot.mode(slot.disk.as_ref().and_then(|path| mode_of(repo, path)));
        Ok(PatchOutcome { mode, heir_of: slot.backup().cloned(), inverts: inverts.clone(), ..outcome.patch.into() })
    };
    let compile = Compile::Bytes(Box::new(compile));
    Task {
        executable: None,
        path: path.clone(),
        from,
        kind,
        compile,
        made: Box::new(|_| Ok(())),
        told: told(slot),
        check: Box::new(|_| Ok(())),
    }
}

/// One name of files that exchange names: their texts are those that were seen when it was planned, or nothing is written.
fn crossing_task<'a>(
    change: NameChange<'a>,
    repo: &'a Repo,
    request: &UndoRequest,
    staged: Option<&'a Staged<'a>>,
) -> Task<'a> {
    let path = change.path().expect("only a file that has or gets a name is in a plan");
    let (there, kind) = match change {
        NameChange::Own(slot) | NameChange::Left(slot) => (Some(slot), TaskKind::Delete),
        NameChange::Taken { from, .. } => (Some(from), TaskKind::Modify),
        NameChange::Got(_) => (None, TaskKind::Create { overwrite: false }),
    };
    let misfits = request.misfits;
    let compile = move |text: &[u8]| {
        if there.is_some_and(|there| there.seen.as_deref() != Some(text)) {
            let what = "its text changed".to_owned();
            return Err(WorktreeError::ChangedWhileEditing { path: path.to_string_lossy(), what }.into());
        }
        if let Some(staged) = staged {
            staged.leave(path);
        }
        if kind == TaskKind::Delete {
            return Ok(FilePatch::whole(text.len(), Vec::new()).into());
        }
        let slot = change.slot();
        let outcome = slot.replay(slot.seen.as_deref(), misfits).map_err(HistoryError::UndoConflict)?;
        let now = slot.disk.as_ref().and_then(|path| mode_of(repo, path));
        let patch = FilePatch::whole(text.len(), outcome.text.unwrap_or_default());
        Ok(PatchOutcome { mode: slot.mode(now).or(now), ..patch.into() })
    };
    let (compile, told) = (Compile::Bytes(Box::new(compile)), told(change.slot()));
    Task {
        executable: None,
        path: path.clone(),
        from: None,
        kind,
        compile,
        made: Box::new(|_| Ok(())),
        told,
        check: Box::new(|_| Ok(())),
    }
}

/// The encoding that the records have the file in.
fn told(slot: &crate::history::Slot) -> Told {
    let encoding = slot.encoding();
    Told { encoding, writes: if encoding.is_some() { Writes::Beyond } else { Writes::Nothing } }
}

fn meta(repo: &Repo, plan: &UndoPlan, options: &UndoOptions<'_>, record: RecordKind) -> Result<RecordMeta, Error> {
    let mut meta = RecordMeta {
        message: options.message.clone(),
        agent: options.agent.clone(),
        session: options.session.clone(),
        base: repo.head_id()?,
        record,
        undoes: plan.ids(),
        ..RecordMeta::default()
    };
    meta.targets = plan.targets();
    say_caller(repo, &mut meta);
    Ok(meta)
}

/// The envelope of the change, with what was undone, and that in words.
fn answer(
    answering: &Answering<'_>,
    history: &History<'_>,
    plan: &UndoPlan,
    done: &Done,
    request: &UndoRequest,
) -> (Envelope, Vec<UndoConflict>) {
    let mut envelope = answering.done(done);
    let (mut files, mut conflicts) = (Vec::new(), Vec::new());
    for (change, file) in plan.changes().into_iter().zip(&done.files) {
        let outcome = change.replayed(text_before(file), request.misfits);
        let keeps_later = outcome.as_ref().is_some_and(|outcome| outcome.kept_later);
        files.push(FileBack { change, file: &file.planned, keeps_later });
        conflicts.extend(outcome.into_iter().flat_map(|outcome| outcome.conflicts));
    }
    plan.number(history, &mut conflicts);
    if request.select.is_redo() {
        conflicts = of_redo(conflicts);
    }
    let (already, undone) = plan.ids().into_iter().partition(|id| plan.already.contains(id));
    envelope.data.undone = Some(undone);
    let mut already: Vec<RecordId> = already;
    already.extend(plan.already.iter().filter(|id| plan.undone.iter().all(|record| record.id != **id)).cloned());
    if !already.is_empty() {
        envelope.data.extra.insert("already".to_owned(), serde_json::json!(already));
    }
    envelope.text =
        advice::undone(&UndoSummary { plan, done, files: &files, marked: &conflicts, record: answering.record });
    for (key, found) in [("conflicts", &conflicts), ("skipped", &plan.skipped)] {
        if !found.is_empty() {
            envelope.status = Status::Partial;
            envelope.data.extra.insert(key.to_owned(), advice::conflicts_json(found));
        }
    }
    conflicts.extend(plan.skipped.iter().cloned());
    (envelope, conflicts)
}

/// None where there was no file.
fn text_before(file: &Judged) -> Option<&[u8]> {
    file.planned.base.as_ref().map(|base| &base.file.bytes[..])
}
