//! What other programs change, recorded: the tree is looked at before and after, and what differs becomes records.
//!
//! Owns the order: look, compare with the look before, under the lock look again at what changed, record. What differs is found in
//! `observe/`, and whose it is.
//! Invariant: nothing in the working tree is written; what redraft's own edits did meanwhile is recorded once, by them.

use super::Noted;
use crate::env::Env;
use crate::error::Error;
use crate::flow::{Flow, Observer, begin, checkpoint_if_due, say_caller};
use crate::git::Repo;
use crate::history::{Filter, History, LogEnd, Scope as Worktrees};
use crate::id::RecordId;
use crate::observe::{
    Call, Ending, Ledger, Looked, Owner, Reach, Scope, SinceSnapshot, Snapshot, Standing, Trouble, Unrecorded, changes,
    gaps, meta_of, note as note_trouble,
};
use crate::path::RepoPath;
use crate::policy::Settings;
use crate::record::{Observed, RecordMeta};
use crate::state_dir::StateDir;
use crate::transaction::State;
use crate::warning::Warning;
use crate::workspace::Workspace;
use std::collections::BTreeSet;
use std::time::Duration;

/// So long is waited for others who look at the same tree.
const LEDGER_TIMEOUT: Duration = Duration::from_secs(10);

/// A record of what another program did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ObservedRecord {
    /// Its id.
    pub id: RecordId,
    /// As `log` has it.
    pub subject: String,
    /// The files, where they are now; of a deletion, where it was.
    pub paths: Vec<RepoPath>,
}

/// What was found.
#[derive(Debug, Default)]
pub struct Observations {
    /// The records, oldest first; none where nothing changed.
    pub records: Vec<ObservedRecord>,
    /// What changed and could not be recorded.
    pub unrecorded: Vec<Unrecorded>,
}

/// A command that is on its way. As long as this lives, redraft's own edits know of it.
pub struct Before {
    env: Env,
    workspace: Workspace,
    call: Call,
    /// The newest record when it began.
    newest: Option<RecordId>,
    _owner: Owner,
}

/// Looks at the tree before a command; `meta` says who is to change it, `within` the command that this one is started by.
///
/// # Errors
/// Where there is no repository, its index, HEAD or history cannot be read, git fails, or the git directory cannot be written.
pub fn before(env: &Env, meta: RecordMeta, within: Vec<RecordId>) -> Result<Before, Error> {
    begin_call(env, (meta, Reach::Tree), within)
}

/// Looks at the tree, and claims what changes from now on and nobody else does.
///
/// # Errors
/// As [`before`].
pub fn watch(env: &Env) -> Result<Before, Error> {
    let meta = RecordMeta { observed: Some(Observed::by_tool(UNATTRIBUTED)), ..RecordMeta::default() };
    begin_call(env, (meta, Reach::Rest), Vec::new())
}

/// What is said in place of the program that made a change where nobody knows it.
const UNATTRIBUTED: &str = "unattributed";

fn begin_call(env: &Env, (meta, reach): (RecordMeta, Reach), within: Vec<RecordId>) -> Result<Before, Error> {
    let workspace = Workspace::discover(env)?;
    // The command may remove the directory that it runs in.
    workspace.repo().open_now()?;
    let id = RecordId::from_random(env.random().map_err(Error::io("draw", "a random id"))?);
    let mut meta = meta;
    if reach == Reach::Tree {
        say_caller(workspace.repo(), &mut meta);
    }
    let mut ledger = open(workspace.repo(), LEDGER_TIMEOUT)?;
    let observing = Observing { repo: workspace.repo(), settings: workspace.settings()? };
    let callers = env.callers();
    let outer = ledger.calls().iter().filter(|call| call.is_made_by(&callers)).map(|call| call.id.clone());
    let (lifetime, owner) = ledger.claim(&id).map_err(failed(workspace.repo()))?;
    let call = Call {
        id,
        thread: None,
        name: String::new(),
        reach,
        standing: Standing::Open,
        is_silent: false,
        is_background: false,
        meta,
        lifetime,
        process: None,
        within: within.into_iter().chain(outer).collect(),
        began_ms: env.now_ms(),
    };
    let scope = Scope { has_tree: true, paths: ledger.scope().paths };
    let seen = observing.look(&ledger, scope, &Ending::default())?;
    tell_damage(env, observing.repo, &ledger);
    ledger.calls_mut().push(call.clone());
    let newest = observing.keep(ledger, Some(seen.now))?;
    Ok(Before { env: env.clone(), call, newest, _owner: owner, workspace })
}

fn failed(repo: &Repo) -> impl FnOnce(std::io::Error) -> Error {
    let shown = StateDir::of(repo).observations().to_string_lossy().into_owned();
    move |error| Error::io("write", shown)(error)
}

/// Opens the ledger, without what cannot go on any more.
///
/// # Errors
/// Where its folder cannot be written, or others have it for so long.
pub(super) fn open(repo: &Repo, timeout: Duration) -> Result<Ledger, Error> {
    let mut ledger = Ledger::open(&StateDir::of(repo), timeout).map_err(failed(repo))?;
    ledger.forget_the_dead(repo.env().now_ms());
    Ok(ledger)
}

/// What is said where the ledger, or the look that it names, cannot be read.
pub(super) const LOST: &str = "what calls on their way had changed is not known: the list of them was damaged";

/// Has `redraft status` tell what was lost with a damaged ledger, which is written anew.
fn tell_damage(env: &Env, repo: &Repo, ledger: &Ledger) {
    if ledger.is_damaged() {
        let trouble = Trouble { time_ms: env.now_ms(), harness: None, what: LOST.to_owned() };
        note_trouble(&StateDir::of(repo), &trouble);
    }
}

impl Before {
    /// The id of the command among those that are looked at.
    pub fn id(&self) -> &RecordId {
        &self.call.id
    }

    /// Looks again, and records what differs and no record has.
    ///
    /// # Errors
    /// As [`before`]; where the lock is not free, or the journal cannot be written. Then it is not recorded.
    pub fn record(&self) -> Result<Noted<Observations>, Error> {
        // HEAD, the index and the configuration may be other ones now.
        // But the command may have removed the directory that it ran in, and nothing is found from there.
        let anew = if self.env.cwd().is_dir() { Some(Workspace::discover(&self.env)?) } else { None };
        let workspace = anew.as_ref().unwrap_or(&self.workspace);
        workspace.refresh();
        let observing = Observing { repo: workspace.repo(), settings: workspace.settings()? };
        let mut ledger = open(observing.repo, LEDGER_TIMEOUT)?;
        let scope = ledger.scope();
        let ending = Ending { calls: vec![self.call.id.clone()], said: Some(self.call.id.clone()), is_late: false };
        let seen = observing.look(&ledger, scope, &ending)?;
        tell_damage(&self.env, observing.repo, &ledger);
        ledger.calls_mut().retain(|call| call.id != self.call.id);
        observing.keep(ledger, Some(seen.now))?;
        let records = self.records(observing.repo)?;
        Ok(Noted { done: Observations { records, unrecorded: seen.unrecorded }, notes: seen.notes })
    }

    /// Looks again, and records what differs, and goes on.
    ///
    /// # Errors
    /// As [`Self::record`].
    pub fn look_again(&mut self) -> Result<Noted<Observations>, Error> {
        let workspace = Workspace::discover(&self.env)?;
        let observing = Observing { repo: workspace.repo(), settings: workspace.settings()? };
        let mut ledger = open(observing.repo, LEDGER_TIMEOUT)?;
        let scope = Scope { has_tree: true, paths: ledger.scope().paths };
        let seen = observing.look(&ledger, scope, &Ending::default())?;
        tell_damage(&self.env, observing.repo, &ledger);
        // Somebody may have lost the list.
        if !ledger.calls().iter().any(|call| call.id == self.call.id) {
            ledger.calls_mut().push(self.call.clone());
        }
        let newest = observing.keep(ledger, Some(seen.now))?;
        let records = self.records(observing.repo)?;
        self.newest = newest;
        Ok(Noted { done: Observations { records, unrecorded: seen.unrecorded }, notes: seen.notes })
    }

    /// The repository.
    pub fn repo(&self) -> &Repo {
        self.workspace.repo()
    }

    /// All records of what was looked at, oldest first: edits of redraft's own may have had some made before them.
    fn records(&self, repo: &Repo) -> Result<Vec<ObservedRecord>, Error> {
        let history = History::open(repo)?;
        let mut records = Vec::new();
        for item in history.items(Worktrees::Own, Filter::default())? {
            let record = item?.record;
            if self.newest.as_ref() == Some(&record.id) {
                break;
            }
            let RecordMeta { observed, agent, session, turn, .. } = &record.meta;
            let own = &self.call.meta;
            // A purge meanwhile took away what the command line said.
            let purged = own.observed.clone().map(|mut observed| {
                observed.forget_commands();
                observed
            });
            let is_shared =
                self.call.reach == Reach::Tree && observed.as_ref().is_some_and(|observed| !observed.shared.is_empty());
            let is_own = (*observed == own.observed || *observed == purged)
                && (agent, session, turn) == (&own.agent, &own.session, &own.turn);
            if is_shared || is_own {
                let paths = record.files.iter().map(|file| file.path.clone()).collect();
                records.push(ObservedRecord { subject: record.subject(), id: record.id, paths });
            }
        }
        records.reverse();
        Ok(records)
    }
}

/// One look at a tree, and what it led to.
pub(super) struct Seen {
    /// How it was found.
    pub now: Snapshot,
    /// What changed and could not be recorded.
    pub unrecorded: Vec<Unrecorded>,
    /// What else is to be known.
    pub notes: Vec<Warning>,
}

impl Seen {
    fn nothing(now: Snapshot) -> Self {
        Self { now, unrecorded: Vec::new(), notes: Vec::new() }
    }
}

/// Looking at a tree and recording what changed.
pub(super) struct Observing<'a> {
    pub repo: &'a Repo,
    pub settings: &'a Settings,
}

/// What is known of the log.
struct Log<'h> {
    history: History<'h>,
    end: LogEnd,
    newest: Option<RecordId>,
}

impl Log<'_> {
    fn read(repo: &Repo) -> Result<Log<'_>, Error> {
        let history = History::open(repo)?;
        let end = history.end()?;
        let newest = history.items(Worktrees::Own, Filter::default())?.next().transpose()?;
        Ok(Log { newest: newest.map(|item| item.record.id), history, end })
    }
}

impl Observing<'_> {
    /// Looks at `scope`, and records what changed there since the ledger's snapshot; `ending` are just over.
    ///
    /// # Errors
    /// Where the index, HEAD or history cannot be read, git fails, the lock is not free or the journal cannot be written. Then nothing
    /// is lost: it is found again by the next look.
    pub fn look(&self, ledger: &Ledger, scope: Scope, ending: &Ending) -> Result<Seen, Error> {
        let began = ledger.next_tick().map_err(failed(self.repo))?;
        let mut seen = self.seen(ledger, scope, ending)?;
        seen.now.began_at(began);
        Ok(seen)
    }

    fn seen(&self, ledger: &Ledger, scope: Scope, ending: &Ending) -> Result<Seen, Error> {
        let Some(old) = ledger.snapshot() else { return self.first(ledger, scope).map(Seen::nothing) };
        // Where all of the tree was looked at, who names files of it has seen to it that they are known.
        if old.scope().holds(&scope) || (old.scope().has_tree && !scope.has_tree) {
            return self.compare(ledger, old, (scope, ending));
        }
        let mut seen = self.compare(ledger, old, (old.scope().clone(), ending))?;
        for _ in 1..MOST_LOOKS {
            let wider = self.first(ledger, scope.clone())?;
            if wider.newest() == seen.now.newest() {
                return Ok(Seen { now: wider.but_for(seen.now), ..seen });
            }
            // Something was recorded between the two looks.
            seen = self.compare(ledger, old, (old.scope().clone(), ending))?;
        }
        let wider = self.first(ledger, scope)?;
        Ok(Seen { now: wider.but_for(seen.now), ..seen })
    }

    /// Compares with an earlier look, which knows all of `scope`, and records what changed.
    fn compare(&self, ledger: &Ledger, old: &Snapshot, (scope, ending): (Scope, &Ending)) -> Result<Seen, Error> {
        let root = Flow::open_root_of(self.repo, self.settings)?;
        let log = Log::read(self.repo)?;
        let since = SinceSnapshot::read(&log.history, old)?;
        let is_wanted = |path: &RepoPath| scope.has_tree || scope.paths.contains(path);
        let also: BTreeSet<RepoPath> = since.paths().into_iter().filter(|path| is_wanted(path)).collect();
        let Looked { changes: changed, unrecorded, mut now } = changes(self.repo, &root, old, (scope.clone(), &also))?;
        now.keep_at_most(self.settings.snapshot_limit);
        now.newest_is(log.newest.clone());
        let paths: BTreeSet<RepoPath> = changed.iter().map(|change| change.path.clone()).collect();
        let (groups, more) = gaps(self.repo, old, &since, changed)?;
        let is_at_rest = !log.end.is_in_flight() && History::open(self.repo)?.end()? == log.end;
        // Without the lock so far: mostly nothing changed, and nobody is to wait for that.
        if groups.is_empty() && is_at_rest {
            let unrecorded = unrecorded.into_iter().chain(more).collect();
            return Ok(Seen { unrecorded, ..Seen::nothing(now) });
        }
        self.look_again(ledger, (old, now), (paths, ending)).map(|seen| Seen {
            unrecorded: told_once(unrecorded.into_iter().chain(more).chain(seen.unrecorded)),
            ..seen
        })
    }

    /// Under the lock: looks again at what changed, and at what redraft itself changed meanwhile, and records it.
    fn look_again(
        &self,
        ledger: &Ledger,
        (old, mut now): (&Snapshot, Snapshot),
        (mut paths, ending): (BTreeSet<RepoPath>, &Ending),
    ) -> Result<Seen, Error> {
        let (repo, settings) = (self.repo, self.settings);
        let state = State::open(&StateDir::of(repo))?;
        let root = Flow::open_root_of(repo, settings)?;
        let mut transaction = begin(repo, settings, root, state, settings.lock_timeout)?;
        repo.refresh();
        let log = Log::read(repo)?;
        let since = SinceSnapshot::read(&log.history, old)?;
        let scope = now.scope().clone();
        let also: BTreeSet<RepoPath> =
            since.paths().into_iter().filter(|path| scope.has_tree || scope.paths.contains(path)).collect();
        paths.extend(also.iter().cloned());
        let looked = changes(repo, transaction.root(), old, (Scope::of(paths), &also))?;
        let (groups, more) = gaps(repo, old, &since, looked.changes)?;
        let newest = log.newest;
        let whose = |path: &RepoPath| meta_of(ledger.calls(), path, ending);
        let observer = Observer { repo, settings, head: old.head() };
        let records = observer.record_all(&mut transaction, groups, whose)?;
        now.replace(looked.now);
        now.newest_is(records.last().cloned().or(newest));
        now.keep_at_most(settings.snapshot_limit);
        let notes = checkpoint_if_due(&mut transaction, repo, settings);
        let unrecorded = looked.unrecorded.into_iter().chain(more).collect();
        Ok(Seen { now, unrecorded, notes })
    }

    /// The first look, with which later ones are compared.
    fn first(&self, ledger: &Ledger, scope: Scope) -> Result<Snapshot, Error> {
        let root = Flow::open_root_of(self.repo, self.settings)?;
        let mut looks = 0;
        loop {
            let log = Log::read(self.repo)?;
            let earlier = ledger.earlier().filter(|_| scope.has_tree).cloned();
            let known = (self.settings.snapshot_limit, earlier);
            let mut snapshot = Snapshot::take(self.repo, &root, scope.clone(), known)?;
            snapshot.newest_is(log.newest);
            looks += 1;
            let is_at_rest = !log.end.is_in_flight() && History::open(self.repo)?.end()? == log.end;
            if is_at_rest || looks == MOST_LOOKS {
                return Ok(snapshot);
            }
        }
    }

    /// Saves the ledger with how the tree is now, or as it has it, and waits until what is changed from now on can be told from it. Gives the newest
    /// record that it knows.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn keep(&self, ledger: Ledger, now: Option<Snapshot>) -> Result<Option<RecordId>, Error> {
        let newest = now.as_ref().and_then(|now| now.newest().cloned());
        if now.is_some() && !ledger.calls().is_empty() {
            ledger.next_tick().map_err(failed(self.repo))?;
        }
        ledger.save(now.as_ref()).map_err(failed(self.repo))?;
        Ok(newest)
    }
}

/// So often the tree is looked at anew where redraft itself is at work in it meanwhile.
const MOST_LOOKS: usize = 3;

/// Each file once.
fn told_once(all: impl Iterator<Item = Unrecorded>) -> Vec<Unrecorded> {
    let mut told = BTreeSet::new();
    all.filter(|file| told.insert(file.path.clone())).collect()
}
