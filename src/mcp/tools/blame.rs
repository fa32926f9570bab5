//! `blame`: who wrote which line.

use super::log::short;
use super::tool::{Call, Effect, Input, Opened, Tool};
use crate::error::Error;
use crate::history::{BlamedLine, History, blame, utc};
use crate::mcp::answer::{Refusal, ToolAnswer};
use crate::mcp::arguments::{self, Arguments};
use crate::text::one_line;
use crate::usecase::read::text_of;
use crate::usecase::real;
use serde::Deserialize;
use serde_json::json;

pub const TOOL: Tool = Tool {
    name: "blame",
    title: "Who wrote each line",
    description: || "Which record of an agent, or git commit, wrote each line of a file.".to_owned(),
    effect: Effect::Reads,
    input,
    run,
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Wanted {
    path: String,
    start_line: Option<usize>,
    end_line: Option<usize>,
}

fn input() -> Input {
    let properties = json!({
        "path": {"type": "string"},
        "start_line": {"type": "integer"},
        "end_line": {"type": "integer"}
    });
    Input { properties, required: &["path"] }
}

fn run(_call: &Call<'_>, opened: &Opened<'_>, arguments: Arguments) -> Result<ToolAnswer, Refusal> {
    let wanted: Wanted = arguments::read(arguments)?;
    let path = real(opened.workspace, opened.path(&wanted.path)?);
    let blamed = || -> Result<Vec<BlamedLine>, Error> {
        let text = text_of(opened.workspace, &path)?;
        let history = History::open(opened.workspace.repo())?;
        Ok(blame(&history, &path, &text)?)
    };
    let lines = blamed().map_err(|error| opened.refusal(&error))?;
    let (first, last) = (wanted.start_line.unwrap_or(1).max(1), wanted.end_line.unwrap_or(usize::MAX).min(lines.len()));
    let mut text = String::new();
    let mut n = first;
    while n <= last {
        let who = who(&lines[n - 1]);
        let end = (n..last).take_while(|&next| self::who(&lines[next]) == who).last().map_or(n, |next| next + 1);
        let range = if n == end { n.to_string() } else { format!("{n}-{end}") };
        text.push_str(&format!("{range}: {}\n", one_line(&who)));
        n = end + 1;
    }
    Ok(ToolAnswer::found(if text.is_empty() { "the file has no such line\n".to_owned() } else { text }))
}

fn who(line: &BlamedLine) -> String {
    match (&line.record, &line.commit) {
        (Some(record), _) => {
            let agent = record.agent.as_deref().unwrap_or("an agent");
            format!("{} {agent} {}", short(&record.id), &utc(record.time_ms)[..19])
        }
        (None, Some(commit)) => format!("git commit {commit:.10}"),
        (None, None) => "not committed, by nobody known".to_owned(),
    }
}
