//! What other programs change, recorded: the tree is looked at before and after, and what differs becomes records.
//!
//! Owns the order: look, wait for the other program, look again under the lock, record. What differs is found in `observe/`.
//! Invariant: nothing in the working tree is written; what redraft's own edits did meanwhile is recorded once, by them.

use super::Noted;
use crate::env::Env;
use crate::error::Error;
use crate::flow::{Flow, Observer, begin, checkpoint_if_due};
use crate::git::Repo;
use crate::history::{Filter, History, Scope};
use crate::id::RecordId;
use crate::observe::{Change, Look, Open, SinceSnapshot, Snapshot, Unrecorded, changes, gaps, open_looks};
use crate::path::RepoPath;
use crate::policy::Settings;
use crate::record::RecordMeta;
use crate::state_dir::StateDir;
use crate::transaction::State;
use crate::workspace::Workspace;
use crate::worktree::Root;

/// The tree as it was, and who is looked at. As long as this lives, redraft's own edits know of it.
pub struct Before {
    env: Env,
    workspace: Workspace,
    snapshot: Snapshot,
    meta: RecordMeta,
    _open: Open,
}

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

/// So often the tree is looked at anew where redraft itself is at work in it meanwhile.
const MOST_LOOKS: usize = 3;

/// Looks at the tree; `meta` says who is to change it.
///
/// # Errors
/// Where there is no repository, its index, HEAD or history cannot be read, git fails, or the git directory cannot be written.
pub fn before(env: &Env, meta: RecordMeta) -> Result<Before, Error> {
    let workspace = Workspace::discover(env)?;
    let (repo, settings) = (workspace.repo(), workspace.settings()?);
    let id = RecordId::from_random(env.random().map_err(Error::io("draw", "a random id"))?);
    let place = StateDir::of(repo);
    let shown = place.observations().to_string_lossy().into_owned();
    let failed = || Error::io("write", shown.clone());
    let others = open_looks(&place);
    if !others.is_empty() {
        record_so_far(repo, settings, others)?;
    }
    let open = Open::begin(&place, &id).map_err(failed())?;
    let mut snapshot = snapshot(repo, settings)?;
    open.keep(&mut snapshot, &meta).map_err(failed())?;
    Ok(Before { env: env.clone(), snapshot, meta, _open: open, workspace })
}

/// Records what was done so far under the looks of others, which is not what is looked at now.
fn record_so_far(repo: &Repo, settings: &Settings, others: Vec<Look>) -> Result<(), Error> {
    let state = State::open(&StateDir::of(repo))?;
    let mut transaction = begin(repo, settings, Flow::open_root_of(repo, settings)?, state, settings.lock_timeout)?;
    for Look { meta, snapshot } in others {
        let Found { groups, .. } = look(repo, transaction.root(), &snapshot)?;
        let observer = Observer { repo, settings };
        groups.into_iter().try_for_each(|group| observer.record(&mut transaction, group, &meta))?;
    }
    Ok(())
}

fn snapshot(repo: &Repo, settings: &Settings) -> Result<Snapshot, Error> {
    let root = Flow::open_root_of(repo, settings)?;
    let mut looks = 0;
    loop {
        let history = History::open(repo)?;
        let start = history.end()?;
        let newest = history.items(Scope::Own, Filter::default())?.next().transpose()?;
        let newest = newest.map(|item| item.record.id);
        let snapshot = Snapshot::take(repo, &root, newest, settings.snapshot_limit)?;
        looks += 1;
        let is_at_rest = !start.is_in_flight() && History::open(repo)?.end()? == start;
        if is_at_rest || looks == MOST_LOOKS {
            return Ok(snapshot);
        }
    }
}

impl Before {
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
        let (repo, settings) = (workspace.repo(), workspace.settings()?);
        // Without the lock first: mostly nothing changed, and nobody is to wait for that.
        let Found { groups, unrecorded } = look(repo, &Flow::open_root_of(repo, settings)?, &self.snapshot)?;
        if groups.is_empty() {
            let records = self.records(repo)?;
            return Ok(Noted { done: Observations { records, unrecorded }, notes: Vec::new() });
        }
        let state = State::open(&StateDir::of(repo))?;
        let root = Flow::open_root_of(repo, settings)?;
        let mut transaction = begin(repo, settings, root, state, settings.lock_timeout)?;
        repo.refresh();
        let Found { groups, unrecorded } = look(repo, transaction.root(), &self.snapshot)?;
        let observer = Observer { repo, settings };
        groups.into_iter().try_for_each(|group| observer.record(&mut transaction, group, &self.meta))?;
        let records = self.records(repo)?;
        let notes = checkpoint_if_due(&mut transaction, repo, settings);
        Ok(Noted { done: Observations { records, unrecorded }, notes })
    }

    /// All records of what was looked at, oldest first: edits of redraft's own may have had some made before them.
    fn records(&self, repo: &Repo) -> Result<Vec<ObservedRecord>, Error> {
        let history = History::open(repo)?;
        let mut records = Vec::new();
        for item in history.items(Scope::Own, Filter::default())? {
            let record = item?.record;
            if self.snapshot.is_newest(&record.id) {
                break;
            }
            let RecordMeta { observed, agent, session, turn, .. } = &record.meta;
            let own = &self.meta;
            if (observed, agent, session, turn) == (&own.observed, &own.agent, &own.session, &own.turn) {
                let paths = record.files.iter().map(|file| file.path.clone()).collect();
                records.push(ObservedRecord { subject: record.subject(), id: record.id, paths });
            }
        }
        records.reverse();
        Ok(records)
    }
}

fn look(repo: &Repo, root: &Root, snapshot: &Snapshot) -> Result<Found, Error> {
    let history = History::open(repo)?;
    let since = SinceSnapshot::read(&history, snapshot)?;
    let (changes, mut unrecorded) = changes(repo, root, snapshot, &since.paths())?;
    let (groups, more) = gaps(repo, snapshot, &since, changes)?;
    unrecorded.extend(more);
    Ok(Found { groups, unrecorded })
}

struct Found {
    groups: Vec<Vec<Change>>,
    unrecorded: Vec<Unrecorded>,
}
