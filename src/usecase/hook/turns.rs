//! What an event means for the calls of its session, and what is remembered of the session.
//!
//! Owns which calls end with it, and who made a call. Pure but for what it is handed.

use crate::env::Running;
use crate::git::blob_id;
use crate::harness::{Event, ToolCall, What};
use crate::id::RecordId;
use crate::observe::{Call, Ending, Lifetime, Reach, Session, Sessions, Standing, Thread};
use crate::record::{Observed, RecordMeta};

/// What harnesses call the beginning of a session, which may say the model.
const SESSION_START: &str = "SessionStart";

/// So many sessions stand above one another at most.
const DEEPEST: usize = 8;

/// The agent of a session that an event is of.
pub(super) fn thread_of(event: &Event) -> Thread {
    let session = (event.agent.clone(), event.session.clone().unwrap_or_default());
    Thread { session, subagent: event.subagent.clone() }
}

/// Which calls an event ends, and which it leaves in doubt.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Meaning {
    /// They are over; what changed until now may be theirs.
    pub ending: Ending,
    /// Of those, the ones that count no longer; the others may go on, or their harness's hooks may.
    pub leaving: Vec<RecordId>,
    /// They may be over.
    pub doubtful: Vec<RecordId>,
    /// They are over, and a hook of the harness's may change their files.
    pub over: Vec<RecordId>,
}

/// Where a person speaks, or the session is over, no hook of the harness's goes on behind a call: what changed since is a person's. Says
/// whether there was such a call.
pub(super) fn forget_hooks(event: &Event, calls: &mut Vec<Call>) -> bool {
    if !matches!(event.what, What::Prompt | What::SessionEnd) {
        return false;
    }
    let (count, thread) = (calls.len(), thread_of(event));
    let is_of_session = |call: &Call| call.thread.as_ref().is_some_and(|other| other.session == thread.session);
    calls.retain(|call| call.standing != Standing::Over || !is_of_session(call));
    calls.len() != count
}

/// What an event means for the calls that are on their way.
pub(super) fn meaning(event: &Event, calls: &[Call]) -> Meaning {
    let thread = thread_of(event);
    let is_own = |call: &&Call| call.thread.as_ref() == Some(&thread);
    let is_of_session = |call: &&Call| call.thread.as_ref().is_some_and(|other| other.session == thread.session);
    let ids = |calls: Vec<&Call>| calls.into_iter().map(|call| call.id.clone()).collect::<Vec<_>>();
    let past = ids(calls.iter().filter(is_own).filter(|call| call.standing == Standing::Over).collect());
    // After an interrupt nothing comes before the person's next word; what is said in the same turn is the harness's own.
    let is_same_turn = event.turn.is_some() && calls.iter().filter(is_own).all(|call| call.meta.turn == event.turn);
    let is_late = match event.what {
        What::Prompt => !is_same_turn,
        What::SessionEnd => true,
        _ => false,
    };
    let mut meaning =
        Meaning { ending: Ending { calls: past.clone(), said: None, is_late }, leaving: past, ..Meaning::default() };
    let open: Vec<&Call> = calls.iter().filter(is_own).filter(|call| call.standing == Standing::Open).collect();
    let mut end = |ids: Vec<RecordId>| {
        meaning.ending.calls.extend(ids.iter().cloned());
        meaning.leaving.extend(ids);
    };
    match &event.what {
        What::Before(_) if event.harness.is_sequential() => end(ids(open)),
        What::Before(_) => {
            let (silent, others): (Vec<_>, Vec<_>) = open.into_iter().partition(|call| call.is_silent);
            end(ids(silent));
            meaning.doubtful = ids(others);
        }
        What::After(after) => {
            let Some(call) = matching(calls.iter().filter(is_own), after) else { return meaning };
            meaning.ending.calls.push(call.id.clone());
            meaning.ending.said = Some(call.id.clone());
            if after.is_background || call.is_background {
                meaning.doubtful.push(call.id.clone());
            } else if matches!(call.reach, Reach::Paths(_)) {
                meaning.over.push(call.id.clone());
            } else {
                meaning.leaving.push(call.id.clone());
            }
        }
        What::BatchEnd => end(ids(open)),
        What::Prompt | What::TurnEnd => end(ids(calls.iter().filter(is_own).collect())),
        What::SessionEnd => end(ids(calls.iter().filter(is_of_session).collect())),
        What::Below(_) | What::Other => {}
    }
    meaning
}

/// The call that is over: by its name, else the oldest of this tool with these arguments.
fn matching<'c>(calls: impl Iterator<Item = &'c Call>, after: &ToolCall) -> Option<&'c Call> {
    let name = name_of(after);
    calls.filter(|call| call.standing != Standing::Over).find(|call| call.name == name)
}

/// What a call is known by: its name, else what its tool and its arguments come to, which may hold secrets.
pub(super) fn name_of(call: &ToolCall) -> String {
    call.id.clone().unwrap_or_else(|| blob_id(call.stands_for_id.as_bytes()).to_string())
}

impl Meaning {
    /// Whether it means nothing for any call.
    pub(super) fn is_nothing(&self) -> bool {
        [&self.ending.calls, &self.leaving, &self.doubtful, &self.over].iter().all(|ids| ids.is_empty())
    }

    /// Makes the calls what they are behind the event.
    pub(super) fn carry_out(&self, calls: &mut Vec<Call>) {
        calls.retain(|call| !self.leaving.contains(&call.id));
        for call in calls {
            if self.doubtful.contains(&call.id) {
                call.standing = Standing::Doubtful;
            }
            if self.over.contains(&call.id) {
                call.standing = Standing::Over;
            }
        }
    }
}

/// Whether an event of this kind is one to remember.
pub(super) fn may_be_remembered(event: &Event) -> bool {
    match &event.what {
        What::Below(_) | What::Prompt => true,
        What::Other => event.name == SESSION_START,
        What::Before(call) | What::After(call) => call.delegate.is_some(),
        _ => false,
    }
}

/// Remembers what the event says of its session, and by which processes; says whether anything is new.
pub(super) fn remember(event: &Event, sessions: &mut Sessions, (callers, now_ms): (&[Running], i64)) -> bool {
    let Some(session) = &event.session else { return false };
    let agent = &event.agent;
    let is_main = event.subagent.is_none();
    let is_called = sessions.entry(agent, session, now_ms).called_by(callers);
    match &event.what {
        What::Below(parent) => sessions.entry(agent, session, now_ms).parent = Some(parent.clone()),
        What::Other if may_be_remembered(event) && event.model.is_some() => {
            sessions.entry(agent, session, now_ms).model.clone_from(&event.model);
        }
        What::Prompt if is_main => {
            let entry = sessions.entry(agent, session, now_ms);
            entry.prompts += 1;
            entry.turn = Some(event.turn.clone().unwrap_or_else(|| entry.prompts.to_string()));
            entry.within.clear();
            entry.model = event.model.clone().or(entry.model.take());
        }
        What::Before(ToolCall { delegate: Some(delegate), .. }) => {
            sessions.entry(agent, session, now_ms).within.push(delegate.clone());
        }
        What::After(ToolCall { delegate: Some(delegate), .. }) => {
            let within = &mut sessions.entry(agent, session, now_ms).within;
            if let Some(at) = within.iter().rposition(|name| name == delegate) {
                within.remove(at);
            }
        }
        _ => return is_called,
    }
    true
}

/// What says that a call of this session cannot go on.
pub(super) fn lifetime_of(event: &Event, sessions: &Sessions) -> Lifetime {
    let session = event.session.as_ref().and_then(|session| sessions.get(&event.agent, session));
    session.and_then(Session::process).map_or(Lifetime::Unknown, Lifetime::Process)
}

/// Who makes a call, as its records have it.
pub(super) fn meta_of(event: &Event, call: &ToolCall, sessions: &Sessions) -> RecordMeta {
    let agent = &event.agent;
    let known = |session: &Option<String>| session.as_ref().and_then(|session| sessions.get(agent, session));
    let mut session = event.session.clone();
    for _ in 0..DEEPEST {
        let Some(parent) = known(&session).and_then(|session| session.parent.clone()) else { break };
        session = Some(parent);
    }
    let below = event.session.clone().filter(|own| session.as_ref() != Some(own));
    let within = known(&event.session).and_then(|session| session.within.last().cloned());
    let subagent = event.subagent.clone().or(below).or(within);
    let remembered = known(&session).and_then(|session| session.turn.clone());
    let turn = match &subagent {
        // Some harnesses give every agent turns of its own; a person has one.
        Some(_) => remembered.or(event.turn.clone()),
        None => event.turn.clone().or(remembered),
    };
    let mut observed = Observed::by_tool(&call.tool);
    if let Some(command) = &call.command {
        observed = observed.with_command(command);
    }
    let model = event.model.clone().or_else(|| known(&event.session).and_then(|session| session.model.clone()));
    RecordMeta {
        agent: Some(agent.clone()),
        model,
        session,
        turn,
        subagent,
        call_id: call.id.clone(),
        observed: Some(observed),
        ..RecordMeta::default()
    }
}
