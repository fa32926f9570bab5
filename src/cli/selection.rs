//! Which records a command is about, by who made them and when: the same arguments everywhere.

use super::when;
use crate::env::Env;
use crate::history::{Beginning, Selection, Since};
use clap::Args;
use serde_json::{Map, Value, json};

/// Records by who made them and when.
#[derive(Debug, Args)]
#[group(id = "selection")]
pub(super) struct SelectionArgs {
    /// By this agent
    #[arg(long, value_name = "NAME")]
    agent: Option<String>,
    /// Of this session
    #[arg(long, value_name = "NAME")]
    session: Option<String>,
    /// Of this turn, one prompt of a person
    #[arg(long, value_name = "NAME")]
    turn: Option<String>,
    /// From then on: RFC 3339, YYYY-MM-DD, or as git says it ("2 hours ago"); or from a record on, itself included
    #[arg(long, value_name = "TIME|ID", value_parser = Beginning::read)]
    since: Option<Beginning>,
}

impl SelectionArgs {
    pub(super) fn selection(&self, env: &Env) -> Selection {
        let mut selection = Selection::default();
        selection.agent.clone_from(&self.agent);
        selection.session.clone_from(&self.session);
        selection.turn.clone_from(&self.turn);
        selection.since = self.since.as_ref().map(|since| since.since(env));
        selection
    }
}

/// Adds a selection to the parameters that an answer repeats.
pub(super) fn add_params(selection: &Selection, out: &mut Map<String, Value>) {
    let named = [("session", &selection.session), ("turn", &selection.turn), ("agent", &selection.agent)];
    for (key, value) in named {
        value.as_ref().map(|value| out.insert(key.into(), json!(value)));
    }
    match &selection.since {
        Some(Since::Time(time_ms)) => out.insert("since".into(), json!(when::utc(*time_ms))),
        Some(Since::Record(name)) => out.insert("since".into(), json!(name)),
        None => None,
    };
}
