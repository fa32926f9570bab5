//! What happened in one working tree since it was last looked at, and what is to be looked at from now on.
//!
//! Owns what has to be looked at for an event: all of the tree only where a call may write all of it.

use super::turns::{self, Meaning};
use crate::error::Error;
use crate::harness::{self, Event, ToolCall, What};
use crate::id::RecordId;
use crate::observe::{Call, Ledger, Reach, Scope, Standing, Unrecorded, is_used};
use crate::path::RepoPath;
use crate::policy::Settings;
use crate::state_dir::StateDir;
use crate::usecase::observe::{LOST, Observing, open};
use crate::workspace::Workspace;
use std::collections::BTreeSet;
use std::time::Duration;

/// So long is waited for others: a harness waits for its hooks.
const LONGEST_WAIT: Duration = Duration::from_secs(5);

/// So many files that are not recorded are told by their names.
const MOST_TOLD: usize = 5;

/// Records what happened, and takes the event in; `paths` are the files that a call names here, none where it must not be made. Gives what
/// could not be recorded.
///
/// # Errors
/// Where something cannot be read or written, or others are at work for too long: then nothing is recorded, and the next event finds it.
pub(super) fn watched(
    workspace: &Workspace,
    event: &Event,
    paths: Option<&BTreeSet<RepoPath>>,
) -> Result<Option<String>, Error> {
    let env = workspace.env();
    let reach = paths.and_then(|paths| reach(workspace, event, paths));
    // Most events of most sessions are about nothing that is looked at.
    if reach.is_none() && !turns::may_be_remembered(event) && !is_used(&StateDir::of(workspace.repo())) {
        return Ok(None);
    }
    let settings = workspace.settings()?;
    let settings = Settings { lock_timeout: settings.lock_timeout.min(LONGEST_WAIT), ..settings.clone() };
    let observing = Observing { repo: workspace.repo(), settings: &settings };
    let mut ledger = open(observing.repo, LONGEST_WAIT)?;
    let callers = env.callers();
    let is_new = turns::remember(event, ledger.sessions_mut(), (&callers, env.now_ms()));
    let is_new = turns::forget_hooks(event, ledger.calls_mut()) || is_new;
    let meaning = turns::meaning(event, ledger.calls());
    let is_new = is_new || matches!(event.what, What::SessionEnd);
    let call = match (&event.what, reach) {
        (What::Before(tool), Some(reach)) => Some(begun(workspace, event, tool, (reach, &mut ledger))?),
        _ => None,
    };
    if meaning.is_nothing() && call.is_none() {
        // The event may be of a call that the list had.
        let is_damaged = ledger.is_damaged();
        if is_new || is_damaged {
            forget_earlier(event, &mut ledger);
            observing.keep(ledger, None)?;
        }
        return Ok(is_damaged.then(|| LOST.to_owned()));
    }
    let looking = looking(&ledger, workspace, (&meaning, call.as_ref()));
    let seen = observing.look(&ledger, looking.clone(), &meaning.ending)?;
    let is_damaged = ledger.is_damaged();
    meaning.carry_out(ledger.calls_mut());
    ledger.calls_mut().extend(call);
    forget_earlier(event, &mut ledger);
    let is_all = looking.holds(&ledger.scope());
    observing.keep(ledger, Some(seen.now).filter(|_| is_all))?;
    Ok(told(event, &seen.unrecorded).or_else(|| is_damaged.then(|| LOST.to_owned())))
}

/// Nobody comes back soon, for all that is known.
fn forget_earlier(event: &Event, ledger: &mut Ledger) {
    if matches!(event.what, What::SessionEnd) {
        ledger.forget_earlier();
    }
}

/// What a call may write here; none for what is no beginning of one, or writes nothing here.
fn reach(workspace: &Workspace, event: &Event, paths: &BTreeSet<RepoPath>) -> Option<Reach> {
    let What::Before(call) = &event.what else { return None };
    let has_folder = || paths.iter().any(|path| workspace.repo().root().join(path.to_path()).is_dir());
    match &call.reach {
        harness::Reach::Tree => Some(Reach::Tree),
        // What is below a folder is not known.
        harness::Reach::Paths(_) if has_folder() => Some(Reach::Tree),
        harness::Reach::Paths(_) if !paths.is_empty() => Some(Reach::Paths(paths.clone())),
        harness::Reach::Paths(_) | harness::Reach::Nothing => None,
    }
}

fn begun(
    workspace: &Workspace,
    event: &Event,
    tool: &ToolCall,
    (reach, ledger): (Reach, &mut Ledger),
) -> Result<Call, Error> {
    let env = workspace.env();
    Ok(Call {
        id: RecordId::from_random(env.random().map_err(Error::io("draw", "a random id"))?),
        thread: Some(turns::thread_of(event)),
        name: turns::name_of(tool),
        reach,
        standing: Standing::Open,
        is_silent: tool.is_silent,
        is_background: tool.is_background,
        meta: turns::meta_of(event, tool, ledger.sessions_mut()),
        lifetime: turns::lifetime_of(event, ledger.sessions_mut()),
        process: env.calling_program(),
        within: Vec::new(),
        began_ms: env.now_ms(),
    })
}

/// What has to be looked at now.
fn looking(ledger: &Ledger, workspace: &Workspace, (meaning, call): (&Meaning, Option<&Call>)) -> Scope {
    let ending = |id: &RecordId| meaning.ending.calls.contains(id) || meaning.doubtful.contains(id);
    let touched: Vec<&Reach> =
        ledger.calls().iter().filter(|other| ending(&other.id)).chain(call).map(|call| &call.reach).collect();
    let all = ledger.scope();
    let named = touched.iter().filter_map(|reach| match reach {
        Reach::Paths(paths) => Some(paths),
        Reach::Tree | Reach::Rest => None,
    });
    let named: BTreeSet<RepoPath> = named.flatten().cloned().collect();
    let paths: BTreeSet<RepoPath> = all.paths.union(&named).cloned().collect();
    let is_tree = touched.contains(&&Reach::Tree);
    if !all.has_tree || is_tree {
        return Scope { has_tree: all.has_tree || is_tree, paths };
    }
    // Somebody else's call may write all of the tree: how these files were is known, or has to be.
    let is_there = |path: &&RepoPath| workspace.repo().root().join(path.to_path()).symlink_metadata().is_ok();
    let is_known =
        ledger.snapshot().is_some_and(|snapshot| named.iter().filter(is_there).all(|path| snapshot.knows(path)));
    if is_known { Scope::of(named) } else { Scope { has_tree: true, paths } }
}

fn told(event: &Event, unrecorded: &[Unrecorded]) -> Option<String> {
    if unrecorded.is_empty() {
        return None;
    }
    let tool = match &event.what {
        What::Before(call) | What::After(call) => call.tool.as_str(),
        _ => event.name.as_str(),
    };
    let files: Vec<String> =
        unrecorded.iter().take(MOST_TOLD).map(|file| format!("{} {}", file.path.to_string_lossy(), file.why)).collect();
    let more = match unrecorded.len().saturating_sub(MOST_TOLD) {
        0 => String::new(),
        more => format!("; and {more} more"),
    };
    Some(format!("not recorded, found at {tool}: {}{more}", files.join("; ")))
}
