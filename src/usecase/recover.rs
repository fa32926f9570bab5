//! Finishing what was interrupted, when somebody asks for it.
//!
//! Owns how it is answered. What goes forward and what goes back is `transaction/recover/`'s.

use super::Noted;
use super::answer::{Asked, Subject};
use crate::advice;
use crate::answer::{Data, Envelope, Stats, Status};
use crate::dialect::Words;
use crate::env::Env;
use crate::error::Error;
use crate::flow::{Flow, begin, checkpoint_first, notes};
use crate::git::Repo;
use crate::policy::Settings;
use crate::state_dir::StateDir;
use crate::transaction::{Recovered, State};
use crate::workspace::Workspace;
use serde_json::{Map, json};

/// Recovers; the answer is an envelope, whatever happens.
pub fn recover(env: &Env) -> Envelope {
    let start = env.clock().instant();
    let workspace = Workspace::discover(env);
    let repo = workspace.as_ref().ok().map(Workspace::repo);
    let asked = Asked::new(start, env, repo, json!({}), &Words::COMMAND_LINE);
    let done = workspace.map_err(Error::from).and_then(|open| recover_in(open.repo(), open.settings()?));
    let Noted { done: recovered, notes } = match done {
        Ok(noted) => noted,
        Err(error) => return asked.error(&error, &Subject::default()),
    };
    let warnings: Vec<String> = notes.iter().map(|note| advice::warning(note, &Words::COMMAND_LINE)).collect();
    let left: Vec<String> = recovered.left.iter().map(advice::left_alone).collect();
    let remade: Vec<String> = recovered.remade.iter().map(ToString::to_string).collect();
    let text = if recovered.is_empty() && warnings.is_empty() {
        "nothing was interrupted; there is nothing to recover".to_owned()
    } else {
        let ids = |ids: &[crate::id::RecordId]| ids.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        let mut parts = Vec::new();
        if !recovered.forward.is_empty() {
            parts.push(format!("finished {}", ids(&recovered.forward)));
        }
        if !recovered.back.is_empty() {
            parts.push(format!("took back {}", ids(&recovered.back)));
        }
        parts.extend(warnings.iter().cloned());
        if !remade.is_empty() {
            parts.push(format!("made again after a power cut: {}", remade.join(", ")));
        }
        parts.join("; ")
    };
    let mut extra = Map::new();
    extra.insert(
        "recovered".into(),
        json!({"forward": recovered.forward, "back": recovered.back, "remade": remade, "left": left}),
    );
    Envelope {
        status: Status::Success,
        data: Data { extra, warnings, ..Data::default() },
        text,
        stats: Stats { time_ms: asked.time_ms(), ..Stats::default() },
        context: asked.context(&Subject::default()),
        error: None,
    }
}

/// Recovers what is open.
pub fn recover_in(repo: &Repo, settings: &Settings) -> Result<Noted<Recovered>, Error> {
    let Some(state) = State::open_existing(&StateDir::of(repo))? else { return Ok(Noted::default()) };
    let root = Flow::open_root_of(repo, settings)?;
    let mut transaction = begin(repo, settings, root, state, settings.lock_timeout)?;
    let done = transaction.recovered().clone();
    let notes = match transaction.must_checkpoint() {
        true => checkpoint_first(&mut transaction, repo, settings)?,
        false => notes(&mut transaction),
    };
    Ok(Noted { done, notes })
}
