//! Exchanging records with other clones through a git remote.
//!
//! Owns which chains are taken: what a remote has is fetched beside the history first, looked into, and then taken or refused,
//! chain by chain. Invariant: a chain of another clone only ever grows here, unless somebody here names that clone; no record comes in
//! twice, and this clone's own chains are never written from outside.

use super::own_chains::OwnChains;
use crate::git::{Remote, Repo};
use crate::history::error::HistoryError;
use crate::history::reader::{History, Scope};
use crate::history::store::chain::{Chain, REFS};
use crate::history::store::chain_reader::{self, Sealed};
use crate::history::store::index_file::Filter;
use crate::history::store::repository::Store;
use crate::history::warning::HistoryWarning;
use crate::id::{CommitId, RecordId};
use bstr::ByteSlice;
use std::collections::{BTreeSet, HashSet};

/// Where what was fetched waits, below this the name of the worktree that fetched it.
const INCOMING: &str = "refs/incoming/";

/// What an exchange did.
#[derive(Debug, Default)]
pub struct Synced {
    /// What was taken and sent, a line each.
    pub done: Vec<String>,
    /// What of it cannot be read; the other records of its chain are fine.
    pub warnings: Vec<HistoryWarning>,
    /// What was not taken, a sentence each.
    pub refused: Vec<String>,
    /// What was not sent, as another copy of this clone sent more, a sentence each.
    pub unsent: Vec<String>,
    /// The clones of which something was not taken since it was rewritten.
    pub rewritten: BTreeSet<String>,
}

/// Fetches the chains of other clones, and pushes this clone's own. Those of the clones that are named in `rewritten` are taken also where
/// they were written anew: who dropped or purged records there wants that to be so here.
///
/// # Errors
/// Where git fails, or the history cannot be read.
pub fn sync(repo: &Repo, store: &Store, remote: &Remote, rewritten: &[String]) -> Result<Synced, HistoryError> {
    let clone = store.clone_name().unwrap_or_default();
    let waiting = format!("{INCOMING}{}/", repo.worktree_name());
    drop_refs(store, &waiting)?;
    let (all, not_own) = (format!("+{REFS}*:{waiting}*"), format!("^{REFS}{clone}/*"));
    let fetch = ["fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-auto-maintenance"];
    store.git_with(&[&fetch[..], &["--", remote.address(), &all, &not_own]].concat(), remote.settings(), b"")?;
    let mut synced = Synced::default();
    let taken = take(repo, store, &waiting, rewritten, &mut synced);
    drop_refs(store, &waiting)?;
    if taken? == Taken::Anew {
        // What was purged there is to be gone from the disk here, too.
        store.again().repack("--prune=now")?;
    }
    send(store, remote, clone, &mut synced)?;
    Ok(synced)
}

/// Sends this clone's own chains, but for those of which the remote has what another copy of it sent.
fn send(store: &Store, remote: &Remote, clone: &str, synced: &mut Synced) -> Result<(), HistoryError> {
    let own = OwnChains::beside(store, remote, clone)?;
    synced.unsent.extend(own.of_copies.iter().map(|chain| {
        let (name, history) = (chain.ref_name(), store.path().display());
        format!(
            "{name} is not sent: the remote has records in it that were not sent from here, so this repository was copied, or restored from \
             a backup; to go on beside them, move {history} aside and sync again (records that only this copy has stay in what was moved)"
        )
    }));
    if own.to_send.is_empty() {
        if own.of_copies.is_empty() {
            synced.done.push("this clone has no record to send yet".to_owned());
        }
        return Ok(());
    }
    // Its owner alone writes a chain, so that also what `purge` and `gc` took out of it goes; who else wrote it meanwhile is not overwritten.
    let mut push: Vec<String> = ["push", "--porcelain", "--no-verify"].map(str::to_owned).to_vec();
    for (chain, _, there) in &own.to_send {
        let there = there.map_or_else(String::new, |there| there.to_string());
        push.push(format!("--force-with-lease={}:{there}", chain.ref_name()));
    }
    push.extend(["--".to_owned(), remote.address().to_owned()]);
    push.extend(own.to_send.iter().map(|(chain, tip, _)| format!("{tip}:{}", chain.ref_name())));
    let said = store.git_with(&push.iter().map(String::as_str).collect::<Vec<_>>(), remote.settings(), b"")?;
    synced.done.extend(said.to_str_lossy().lines().map(str::to_owned));
    own.note(store, remote)
}

/// What became of the chains that were here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Taken {
    /// They are as they were, or longer.
    Longer,
    /// One was replaced.
    Anew,
}

/// Takes the chains that wait, or says why not.
fn take(
    repo: &Repo,
    store: &Store,
    waiting: &str,
    rewritten: &[String],
    synced: &mut Synced,
) -> Result<Taken, HistoryError> {
    // What was fetched is in packs that this process has not looked for.
    let store = store.again();
    let here = store.readable_chains()?.chains;
    let mut known: Option<HashSet<RecordId>> = None;
    let mut taken = Taken::Longer;
    let mut unmet: BTreeSet<&String> = rewritten.iter().collect();
    for (name, tip) in refs_below(&store, waiting)? {
        let name = format!("{REFS}{}", name.strip_prefix(waiting).unwrap_or(&name));
        let Some(chain) = Chain::parse(&name) else {
            synced.refused.push(format!("{name} is no name of a chain of records"));
            continue;
        };
        unmet.remove(&chain.clone);
        let old = here.get(&chain).copied();
        if old == Some(tip) {
            continue;
        }
        let known = match &mut known {
            Some(known) => known,
            None => known.insert(record_ids(repo)?),
        };
        let mut looked = look_into(&store, &chain, (old, tip), known);
        if let (Err(Unfit::Rewritten), Some(old), true) = (&looked, old, rewritten.contains(&chain.clone)) {
            looked = look_anew(&store, &chain, (old, tip), known);
        }
        match looked {
            Ok(found) => {
                let none = CommitId::NONE.to_string();
                let was = old.map_or(none, |old| old.to_string());
                store.git(&["update-ref", &name, &tip.to_string(), &was])?;
                synced.done.push(found.told(&name));
                if let Some(gone) = &found.gone {
                    taken = Taken::Anew;
                    known.retain(|id| !gone.contains(id));
                }
                let of_chain = |error| HistoryWarning::UnreadableInFetched { chain: chain.clone(), error };
                synced.warnings.extend(found.unreadable.into_iter().map(of_chain));
                known.extend(found.ids);
            }
            Err(Unfit::Because(why)) => synced.refused.push(format!("{name} {why}")),
            Err(Unfit::Rewritten) => {
                let why = "is no fast-forward of what was fetched before: it was rewritten; the old one is kept";
                synced.refused.push(format!("{name} {why}"));
                synced.rewritten.insert(chain.clone);
            }
        }
    }
    let unmet = unmet.into_iter().map(|name| format!("the remote has no records of another clone {name:?}"));
    synced.refused.extend(unmet);
    Ok(taken)
}

/// Why a chain is not taken.
enum Unfit {
    /// It does not go on from what was fetched before.
    Rewritten,
    /// As a sentence goes on after its name.
    Because(String),
}

/// What is new in a chain.
#[derive(Default)]
struct New {
    ids: HashSet<RecordId>,
    /// Why some records cannot be read.
    unreadable: Vec<HistoryError>,
    /// Of a chain that replaces the one that is here: the records that only this has.
    gone: Option<HashSet<RecordId>>,
}

impl New {
    fn told(&self, name: &str) -> String {
        let there = self.ids.len();
        match &self.gone {
            None => format!("took {name} ({there} new)"),
            Some(gone) => format!("took {name} anew ({there} records, {} that were here are gone)", gone.len()),
        }
    }
}

/// As [`look_into`], of all of a chain, which takes the place of the one that is here.
fn look_anew(
    store: &Store,
    chain: &Chain,
    (old, tip): (CommitId, CommitId),
    known: &HashSet<RecordId>,
) -> Result<New, Unfit> {
    let here = chain_reader::of_commits(store, chain, old).filter_map(|sealed| Some(sealed.ok()?.record.id));
    let here: HashSet<RecordId> = here.collect();
    let of_others = known.difference(&here).cloned().collect();
    let mut new = look_into(store, chain, (None, tip), &of_others)?;
    new.gone = Some(here.difference(&new.ids).cloned().collect());
    Ok(new)
}

/// Reads what is new in a chain, each record as it is read from the history; or says why the chain cannot be taken.
fn look_into(
    store: &Store,
    chain: &Chain,
    (old, tip): (Option<CommitId>, CommitId),
    known: &HashSet<RecordId>,
) -> Result<New, Unfit> {
    let mut new = New::default();
    let (mut met, mut twice) = (old.is_none(), None);
    for sealed in chain_reader::of_commits(store, chain, tip) {
        match sealed {
            Ok(Sealed { commit, .. }) if Some(commit) == old => {
                met = true;
                break;
            }
            Ok(Sealed { record, .. }) => {
                let is_known = known.contains(&record.id);
                if !new.ids.insert(record.id.clone()) || is_known {
                    twice = twice.or(Some(record.id));
                }
            }
            Err(error) => new.unreadable.push(error),
        }
    }
    if !met {
        return Err(Unfit::Rewritten);
    }
    if let Some(id) = twice {
        return Err(Unfit::Because(format!("has record {id}, which is here already")));
    }
    if new.ids.is_empty() {
        let why = new.unreadable.first().map_or("it is empty".to_owned(), ToString::to_string);
        return Err(Unfit::Because(format!("holds no record: {why}")));
    }
    Ok(new)
}

/// Of all records that are here.
fn record_ids(repo: &Repo) -> Result<HashSet<RecordId>, HistoryError> {
    let history = History::open(repo)?;
    let items = history.items(Scope::All, Filter::default())?;
    items.map(|item| item.map(|item| item.record.id)).collect()
}

fn refs_below(store: &Store, prefix: &str) -> Result<Vec<(String, CommitId)>, HistoryError> {
    let out = store.git(&["for-each-ref", "--format=%(objectname) %(refname)", prefix])?;
    let lines = out.lines().filter_map(|line| {
        let (id, name) = line.to_str().ok()?.split_once(' ')?;
        Some((name.to_owned(), id.parse().ok()?))
    });
    Ok(lines.collect())
}

fn drop_refs(store: &Store, prefix: &str) -> Result<(), HistoryError> {
    let names = refs_below(store, prefix)?;
    let input: String = names.iter().map(|(name, _)| format!("delete {name}\n")).collect();
    if names.is_empty() { Ok(()) } else { store.git_with(&["update-ref", "--stdin"], &[], input.as_bytes()).map(drop) }
}
