//! Who may have changed a file: the calls of tools that are on their way, and what each may write.
//!
//! Owns the rules by which a change is somebody's. Pure: knows no disk.
//! Invariant: where it cannot be told whose a change is, all who may have made it are named.

use crate::env::Running;
use crate::id::RecordId;
use crate::path::RepoPath;
use crate::record::{Observed, OtherCall, RecordMeta};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// What a call may change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Reach {
    /// Any file of the working tree.
    Tree,
    /// Any file, but it is nobody's call: what no other call may have changed.
    Rest,
    /// These files; none for what only reads, or is recorded by other means.
    Paths(BTreeSet<RepoPath>),
}

impl Reach {
    fn names(&self, path: &RepoPath) -> bool {
        matches!(self, Self::Paths(paths) if paths.contains(path))
    }
}

/// How far a call is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Standing {
    /// It began.
    Open,
    /// It began, and something else of its session came since: it may be over, or may not.
    Doubtful,
    /// It is over, and nothing else of its session came since: what changes its files now is a hook of the harness's.
    Over,
}

/// Which session a call is of, and which of its agents made it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Thread {
    /// The harness and its name for the session.
    pub session: (String, String),
    /// The agent below the one that the person talks to.
    pub subagent: Option<String>,
}

/// What says that a call cannot go on any more.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Lifetime {
    /// A file that its process has a claim on, by this name.
    Claim(String),
    /// The process of the harness.
    Process(Running),
    /// Nothing but time.
    Unknown,
}

/// A call of a tool, or a command, that may be changing files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Call {
    /// Drawn by chance.
    pub id: RecordId,
    /// None for a command that no harness runs.
    pub thread: Option<Thread>,
    /// What the harness calls it, or what stands for that: the tool and its arguments.
    pub name: String,
    /// What it may change.
    pub reach: Reach,
    /// How far it is.
    pub standing: Standing,
    /// Whether the next call says that it is over, though the harness itself may not.
    #[serde(default)]
    pub is_silent: bool,
    /// Whether it may go on when the harness says that it is over.
    #[serde(default)]
    pub is_background: bool,
    /// For its records; says who made the call.
    pub meta: RecordMeta,
    /// What says that it cannot go on.
    pub lifetime: Lifetime,
    /// The process that most likely makes it: what that starts belongs to the call.
    #[serde(default)]
    pub process: Option<Running>,
    /// The calls that it runs inside of: what it changes is its own, not theirs.
    pub within: Vec<RecordId>,
    /// Milliseconds since 1970-01-01 UTC.
    pub began_ms: i64,
}

impl Call {
    /// Takes away what the command line says of a call that may change one of some files; none where it says nothing.
    pub fn forget_command(&mut self, is_about: &dyn Fn(&RepoPath) -> bool) -> Option<()> {
        let may_change = match &self.reach {
            Reach::Tree | Reach::Rest => true,
            Reach::Paths(paths) => paths.iter().any(is_about),
        };
        let observed = self.meta.observed.as_mut().filter(|_| may_change)?;
        observed.forget_commands().then_some(())
    }

    /// Whether one of these processes makes it, for all that is known.
    pub fn is_made_by(&self, processes: &[Running]) -> bool {
        self.process.is_some_and(|process| processes.contains(&process))
    }
}

/// What a hook of the harness's is called where it changed the files of a call behind it.
const HOOK: &str = "hook";

/// The calls that are just over, or may be.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Ending {
    /// All of them.
    pub calls: Vec<RecordId>,
    /// The one of which that was said; of the others nobody said it.
    pub said: Option<RecordId>,
    /// Whether they ended long ago for all that is known, and a person may have gone on with the files.
    pub is_late: bool,
}

/// Whose a change of a file is, where some calls are just over: what its record says. None where nobody may have made it.
pub fn meta_of(calls: &[Call], path: &RepoPath, ending: &Ending) -> Option<RecordMeta> {
    let Some(meta) = claimed(calls, path, ending) else {
        return calls.iter().find(|call| call.reach == Reach::Rest).map(|rest| rest.meta.clone());
    };
    let is_late = ending.is_late && meta.observed.as_ref().is_some_and(|observed| observed.shared.is_empty());
    Some(if is_late { disclaimed(&meta) } else { meta })
}

/// What the record of a change says that a call may have made, or somebody who is not known.
fn disclaimed(meta: &RecordMeta) -> RecordMeta {
    let shared = vec![told_of(meta)];
    let observed = meta.observed.clone().map(|observed| Observed { shared, ..observed });
    RecordMeta { observed, ..RecordMeta::default() }
}

fn claimed(calls: &[Call], path: &RepoPath, ending: &Ending) -> Option<RecordMeta> {
    let naming: Vec<&Call> = calls.iter().filter(|call| call.reach.names(path)).collect();
    let ended = naming.iter().copied().find(|call| ending.said.as_ref() == Some(&call.id));
    let open: Vec<&Call> = naming.iter().copied().filter(|call| call.standing == Standing::Open).collect();
    if let Some(ended) = ended.filter(|call| call.standing != Standing::Over) {
        // Of the calls of one session, the one that ends made it; another session's may have, too.
        let others = open.iter().copied().filter(|call| session(call) != session(ended));
        return Some(joint(&std::iter::once(ended).chain(others).collect::<Vec<_>>()));
    }
    // Nothing was heard of the doubtful for a while; what is over, a hook of the harness's may go on with.
    let doubtful = naming.iter().copied().filter(|call| call.standing == Standing::Doubtful);
    let over = naming.iter().copied().rev().filter(|call| call.standing == Standing::Over && !ending.is_late).take(1);
    let others: Vec<&Call> = open.into_iter().chain(trees(calls, ending)).chain(doubtful).chain(over).collect();
    match others[..] {
        [] => None,
        [call] if call.standing == Standing::Over => {
            Some(RecordMeta { observed: Some(Observed::by_tool(HOOK)), ..call.meta.clone() })
        }
        _ => Some(joint(&others)),
    }
}

/// The calls that may write any file, those first that most likely did; without those that another one runs inside of.
fn trees<'c>(calls: &'c [Call], ending: &Ending) -> Vec<&'c Call> {
    let mut trees: Vec<&Call> =
        calls.iter().filter(|call| call.reach == Reach::Tree && call.standing != Standing::Over).collect();
    let inside: Vec<&RecordId> = trees.iter().flat_map(|call| &call.within).collect();
    trees.retain(|call| !inside.contains(&&call.id));
    trees.sort_by_key(|call| (!ending.calls.contains(&call.id), call.standing == Standing::Doubtful));
    trees
}

fn session(call: &Call) -> Option<&(String, String)> {
    call.thread.as_ref().map(|thread| &thread.session)
}

/// Who lets these processes run, by what a command of redraft's own is started from: fills in what `meta` does not say of it.
pub fn say_who_calls(calls: &[Call], callers: &[Running], meta: &mut RecordMeta) {
    let is_caller =
        |call: &&Call| call.is_made_by(callers) && call.reach == Reach::Tree && call.standing != Standing::Over;
    let calling: Vec<&Call> = calls.iter().filter(is_caller).collect();
    let open: Vec<&Call> = calling.iter().copied().filter(|call| call.standing == Standing::Open).collect();
    let calling = if open.is_empty() { calling } else { open };
    if calling.is_empty() || meta.session.is_some() || meta.turn.is_some() {
        return;
    }
    let one = calling.len() == 1;
    let who = joint(&calling);
    if meta.agent.is_some() && meta.agent != who.agent {
        return;
    }
    meta.agent = who.agent;
    meta.session = who.session;
    meta.turn = who.turn;
    meta.model = meta.model.take().or(who.model);
    meta.subagent = meta.subagent.take().or(who.subagent);
    meta.call_id = meta.call_id.take().or(who.call_id.filter(|_| one));
}

/// What the record of a change says that any of these calls made, the first of them most likely: of what they do not agree in, nothing.
fn joint(calls: &[&Call]) -> RecordMeta {
    let mut meta = calls[0].meta.clone();
    let others: Vec<&RecordMeta> = calls[1..].iter().map(|call| &call.meta).collect();
    if others.is_empty() {
        return meta;
    }
    let shared = calls.iter().map(|call| told_of(&call.meta)).collect();
    let differs = |of: fn(&RecordMeta) -> &Option<String>| others.iter().any(|other| of(other) != of(&calls[0].meta));
    let clear = |field: &mut Option<String>, differs: bool| {
        if differs {
            *field = None;
        }
    };
    let is_session = differs(|meta| &meta.session) || differs(|meta| &meta.agent);
    clear(&mut meta.agent, differs(|meta| &meta.agent));
    clear(&mut meta.model, differs(|meta| &meta.model));
    clear(&mut meta.session, is_session);
    clear(&mut meta.turn, is_session || differs(|meta| &meta.turn));
    clear(&mut meta.subagent, is_session || differs(|meta| &meta.subagent));
    clear(&mut meta.message, differs(|meta| &meta.message));
    if let Some(observed) = &mut meta.observed {
        observed.shared = shared;
    }
    meta
}

fn told_of(meta: &RecordMeta) -> OtherCall {
    let observed = meta.observed.as_ref();
    OtherCall {
        agent: meta.agent.clone(),
        session: meta.session.clone(),
        turn: meta.turn.clone(),
        subagent: meta.subagent.clone(),
        call_id: meta.call_id.clone(),
        tool: observed.map(|observed| observed.tool.clone()),
        command: observed.and_then(|observed| observed.command.clone()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(n: u8, reach: Reach, standing: Standing) -> Call {
        let meta = RecordMeta {
            session: Some(format!("s{}", n / 10)),
            call_id: Some(n.to_string()),
            observed: Some(Observed::by_tool("t")),
            ..RecordMeta::default()
        };
        let id = RecordId::from_random([n; 8]);
        let thread = Some(Thread { session: ("h".to_owned(), format!("s{}", n / 10)), subagent: None });
        Call {
            id,
            thread,
            name: n.to_string(),
            reach,
            standing,
            is_silent: false,
            is_background: false,
            meta,
            lifetime: Lifetime::Unknown,
            process: None,
            within: Vec::new(),
            began_ms: 0,
        }
    }

    fn path(name: &str) -> RepoPath {
        RepoPath::new(name.as_bytes()).expect("a path")
    }

    fn names(name: &str) -> Reach {
        Reach::Paths([path(name)].into())
    }

    /// The call ids that a change of `f` is given to.
    fn whose(calls: &[Call], ending: &[u8]) -> Vec<String> {
        let calls_ending: Vec<RecordId> = ending.iter().map(|&n| RecordId::from_random([n; 8])).collect();
        let said = calls_ending.first().cloned().filter(|_| ending.len() == 1);
        let ending = Ending { calls: calls_ending, said, is_late: false };
        let Some(meta) = meta_of(calls, &path("f"), &ending) else { return Vec::new() };
        let observed = meta.observed.expect("observed");
        if observed.tool == HOOK {
            return vec![format!("hook after {}", meta.call_id.unwrap_or_default())];
        }
        if observed.shared.is_empty() {
            return meta.call_id.into_iter().collect();
        }
        observed.shared.into_iter().filter_map(|other| other.call_id).collect()
    }

    #[test]
    fn a_change_is_given_to_who_names_the_file_else_to_all_who_may_have_made_it() {
        use Standing::{Doubtful, Open, Over};
        let tree = |n, standing| call(n, Reach::Tree, standing);
        let named = |n, standing| call(n, names("f"), standing);
        assert_eq!(whose(&[], &[]), [""; 0]);
        assert_eq!(whose(&[call(1, names("g"), Open)], &[1]), [""; 0]);
        assert_eq!(whose(&[tree(1, Open)], &[]), ["1"]);
        assert_eq!(whose(&[tree(1, Open), named(2, Open)], &[2]), ["2"]);
        assert_eq!(whose(&[tree(1, Open), named(2, Open)], &[1]), ["2", "1"]);
        // Before, before, after, after: the one that ends.
        assert_eq!(whose(&[named(1, Doubtful), named(2, Open)], &[1]), ["1"]);
        assert_eq!(whose(&[named(1, Doubtful), named(2, Open)], &[]), ["2", "1"]);
        // Nobody hears any more of the first, which may have failed.
        assert_eq!(whose(&[named(1, Doubtful), tree(2, Open)], &[2]), ["2", "1"]);
        assert_eq!(whose(&[named(1, Doubtful)], &[]), ["1"]);
        assert_eq!(whose(&[named(1, Over)], &[1]), ["hook after 1"]);
        assert_eq!(whose(&[named(1, Over), tree(2, Open)], &[1]), ["2", "1"]);
        assert_eq!(whose(&[tree(1, Doubtful), tree(2, Open)], &[2]), ["2", "1"]);
        assert_eq!(whose(&[tree(1, Open), tree(2, Open)], &[2]), ["2", "1"]);
        // Another session's: it waits for a yes, or both name the file.
        assert_eq!(whose(&[named(11, Open), tree(22, Open)], &[22]), ["11", "22"]);
        assert_eq!(whose(&[named(11, Open), named(22, Open)], &[22]), ["22", "11"]);
        assert_eq!(whose(&[named(11, Open), tree(22, Open)], &[11]), ["11"]);
        // A turn is over, and of none of them it was said.
        assert_eq!(whose(&[named(1, Open), tree(2, Open)], &[1, 2]), ["1", "2"]);
        assert_eq!(whose(&[named(1, Doubtful), tree(2, Open)], &[1, 2]), ["2", "1"]);
    }

    #[test]
    fn what_nobody_else_may_have_made_is_the_watchs() {
        let watch = call(1, Reach::Rest, Standing::Open);
        assert_eq!(whose(std::slice::from_ref(&watch), &[]), ["1"]);
        for other in [call(12, Reach::Tree, Standing::Open), call(12, names("f"), Standing::Open)] {
            assert_eq!(whose(&[watch.clone(), other], &[]), ["12"]);
        }
        assert_eq!(whose(&[watch, call(12, names("g"), Standing::Open)], &[]), ["1"]);
    }

    #[test]
    fn what_a_person_may_have_done_since_is_nobodys() {
        let calls = [call(11, Reach::Tree, Standing::Open)];
        let ending = Ending { calls: vec![calls[0].id.clone()], said: None, is_late: true };
        let meta = meta_of(&calls, &path("f"), &ending).expect("somebody's");
        assert_eq!((meta.session, meta.observed.map(|observed| observed.shared.len())), (None, Some(1)));
        let calls = [call(11, names("f"), Standing::Over)];
        assert_eq!(meta_of(&calls, &path("f"), &ending), None);
    }

    #[test]
    fn what_is_shared_says_only_what_all_agree_in() {
        let calls = [call(11, Reach::Tree, Standing::Open), call(12, Reach::Tree, Standing::Open)];
        let one = meta_of(&calls, &path("f"), &Ending::default()).expect("somebody's");
        assert_eq!(one.session.as_deref(), Some("s1"));
        let calls = [call(11, Reach::Tree, Standing::Open), call(22, Reach::Tree, Standing::Open)];
        let two = meta_of(&calls, &path("f"), &Ending::default()).expect("somebody's");
        assert_eq!((two.session, two.observed.map(|observed| observed.shared.len())), (None, Some(2)));
    }

    #[test]
    fn a_command_inside_of_another_one_made_what_it_changed() {
        let outer = call(1, Reach::Tree, Standing::Open);
        let mut inner = call(2, Reach::Tree, Standing::Open);
        inner.within = vec![outer.id.clone()];
        assert_eq!(whose(&[outer, inner], &[1]), ["2"]);
    }
}
