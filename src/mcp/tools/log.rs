//! `log`: what was done.

use super::tool::{Call, Effect, Input, Opened, Tool, take_which, with_which};
use crate::error::Error;
use crate::history::{Case, FileEffect, History, LogQuery, Logged, Pattern, utc};
use crate::id::RecordId;
use crate::mcp::answer::{Refusal, ToolAnswer};
use crate::mcp::arguments::{self, Arguments};
use crate::text::one_line;
use crate::usecase::names;
use serde::Deserialize;
use serde_json::json;

pub const TOOL: Tool = Tool {
    name: "log",
    title: "List recorded edits",
    description: || "History of recorded edits, newest first: id, time, agent, what.".to_owned(),
    effect: Effect::Reads,
    input,
    run,
};

/// Records that are given where nothing is said.
pub const MOST: usize = 20;

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct Wanted {
    paths: Vec<String>,
    limit: Option<usize>,
    grep: Option<String>,
}

fn input() -> Input {
    let properties = json!({
        "paths": {"type": "array", "items": {"type": "string"}},
        "agent": {"type": "string"},
        "grep": {"type": "string"},
        "limit": {"type": "integer", "default": MOST}
    });
    Input { properties: with_which(properties), required: &[] }
}

fn run(call: &Call<'_>, opened: &Opened<'_>, mut arguments: Arguments) -> Result<ToolAnswer, Refusal> {
    let which = take_which(&mut arguments)?;
    let wanted: Wanted = arguments::read(arguments)?;
    let query = LogQuery {
        paths: names(opened.workspace, opened.paths(&wanted.paths)?),
        selection: which.selection(call.env)?,
        patterns: wanted.grep.iter().map(|text| Pattern::plain(text, Case::Ignored)).collect(),
        limit: Some(wanted.limit.unwrap_or(MOST)),
        ..LogQuery::default()
    };
    let history = History::open(opened.workspace.repo()).map_err(|error| opened.refusal(&error.into()))?;
    let text = told(opened, &history, &query.with_earlier_names(&history)).map_err(|error| opened.refusal(&error))?;
    Ok(ToolAnswer::found(if text.is_empty() { "no such record\n".to_owned() } else { text }))
}

/// The newest records of what is served.
pub fn newest(opened: &Opened<'_>, history: &History<'_>, limit: usize) -> Result<String, Error> {
    let paths = opened.within.iter().cloned().collect();
    told(opened, history, &LogQuery { paths, limit: Some(limit), ..LogQuery::default() })
}

fn told(opened: &Opened<'_>, history: &History<'_>, query: &LogQuery) -> Result<String, Error> {
    let mut text = String::new();
    for logged in query.run(history)? {
        text.push_str(&line(opened, &logged?));
    }
    Ok(text)
}

fn line(opened: &Opened<'_>, Logged { item, effect, commits, .. }: &Logged) -> String {
    let (record, meta) = (&item.record, &item.record.meta);
    // Where a part of the tree is served, no name of the rest is told.
    let what = opened.within.as_ref().map_or_else(|| record.subject(), |within| record.subject_within(within));
    let who: Vec<&str> = [&meta.agent, &meta.session, &meta.turn].into_iter().flatten().map(String::as_str).collect();
    let who = if who.is_empty() { String::new() } else { format!("[{}] ", who.join(" ")) };
    let mut marks: Vec<String> = Vec::new();
    if let Some(by) = effect.undone_by() {
        marks.push(format!("undone by {}", short(by)));
    } else if effect.files.iter().any(|file| !matches!(file, FileEffect::InForce)) {
        marks.push("partly undone".to_owned());
    }
    marks.extend(commits.iter().map(|commit| format!("git commit {commit:.10}")));
    let marks = if marks.is_empty() { String::new() } else { format!(" ({})", marks.join(", ")) };
    let message =
        meta.message.as_ref().and_then(|message| message.lines().next()).map(|message| format!(": {message}"));
    let said = format!(
        "{} {} {who}{}{}{marks}",
        short(&record.id),
        &utc(record.time_ms)[..19],
        what,
        message.unwrap_or_default()
    );
    one_line(&said).into_owned() + "\n"
}

/// The beginning of an id: enough to be unique among billions.
pub fn short(id: &RecordId) -> &str {
    &id.as_str()[..8]
}
