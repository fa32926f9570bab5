//! `status`: what agents changed since HEAD.

use super::log::short;
use super::tool::{Call, Effect, Input, Opened, Tool};
use crate::error::Error;
use crate::history::{AgentChange, History, Status, status};
use crate::mcp::answer::{Refusal, ToolAnswer};
use crate::mcp::arguments::{self, Arguments};
use crate::text::one_line;
use crate::usecase::read::file_of;
use serde::Deserialize;
use serde_json::json;

pub const TOOL: Tool = Tool {
    name: "status",
    title: "Files that agents changed",
    description: || "Files that agents changed since HEAD, with their records, and what is unfinished.".to_owned(),
    effect: Effect::Reads,
    input: || Input { properties: json!({}), required: &[] },
    run,
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Nothing {}

/// Files that are told.
const MOST: usize = 100;

fn run(_call: &Call<'_>, opened: &Opened<'_>, arguments: Arguments) -> Result<ToolAnswer, Refusal> {
    let Nothing {} = arguments::read(arguments)?;
    let looked = || -> Result<Status, Error> {
        let history = History::open(opened.workspace.repo())?;
        Ok(status(&history, &|path| file_of(opened.workspace, path))?)
    };
    let found = looked().map_err(|error| opened.refusal(&error))?;
    let mut text = String::new();
    let within = opened.within.as_ref().map(|within| format!("{within}/")).unwrap_or_default();
    for flight in &found.in_flight {
        let paths: Vec<&str> =
            flight.paths.iter().map(String::as_str).filter(|path| path.starts_with(&within)).collect();
        text.push_str(&format!("unfinished: {} ({})\n", flight.id, one_line(&paths.join(", "))));
    }
    let changes: Vec<&AgentChange> =
        found.agent_changes.iter().filter(|change| change.path.starts_with(&within)).collect();
    for change in changes.iter().take(MOST) {
        text.push_str(&line(change));
    }
    if changes.is_empty() {
        text.push_str("no changes of agents since HEAD\n");
    } else if let more @ 1.. = changes.len().saturating_sub(MOST) {
        text.push_str(&format!("and {more} more files\n"));
    }
    Ok(ToolAnswer::found(text))
}

fn line(change: &AgentChange) -> String {
    let state = change.state.map_or("deleted".to_owned(), |state| format!("{state:?}").to_lowercase());
    let records: Vec<String> = change
        .records
        .iter()
        .map(|record| {
            let undone = record.undone_by.as_ref().map_or(String::new(), |by| format!(" (undone by {})", short(by)));
            format!("{} {}{undone}", short(&record.id), record.agent.as_deref().unwrap_or("an agent"))
        })
        .collect();
    one_line(&format!("{state} {}: {}", change.path, records.join(", "))).into_owned() + "\n"
}
