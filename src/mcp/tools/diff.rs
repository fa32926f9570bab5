//! `diff`: what records changed.

use super::tool::{Call, Effect, Input, Opened, Tool, take_which, with_which};
use crate::error::Error;
use crate::history::{History, Together, as_text, diff_between, diff_of_several, file_diff};
use crate::id::RecordId;
use crate::mcp::answer::{Refusal, ToolAnswer};
use crate::mcp::arguments::{self, Arguments};
use crate::path::RepoPath;
use serde::Deserialize;
use serde_json::json;

pub const TOOL: Tool = Tool {
    name: "diff",
    title: "Show what edits changed",
    description: || "Unified diff of a record, between two records, or of all a session or turn did.".to_owned(),
    effect: Effect::Reads,
    input,
    run,
};

/// Bytes of a diff that are given; the rest is a resource, or `git diff`'s.
const MOST_BYTES: usize = 100_000;

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct Wanted {
    id: Option<String>,
    to: Option<String>,
}

fn input() -> Input {
    let properties = json!({
        "id": {"type": "string", "description": "Record; @ is the newest"},
        "to": {"type": "string", "description": "Second record"}
    });
    Input { properties: with_which(properties), required: &[] }
}

fn run(call: &Call<'_>, opened: &Opened<'_>, mut arguments: Arguments) -> Result<ToolAnswer, Refusal> {
    let which = take_which(&mut arguments)?;
    let wanted: Wanted = arguments::read(arguments)?;
    let selection = which.selection(call.env)?;
    if (wanted.id.is_some() || wanted.to.is_some()) && !selection.is_all() {
        let text = "`id` and `session`, `turn`, `since` or `agent` exclude each other; send one of them";
        return Err(ToolAnswer::refused(text).with("reason", "contradictory_fields").into());
    }
    let refused = |error: Error| opened.refusal(&error);
    let history = History::open(opened.workspace.repo()).map_err(|error| refused(error.into()))?;
    let mut notes = Vec::new();
    let text = if selection.is_all() {
        of_records(&history, opened, (wanted.id.as_deref().unwrap_or("@"), wanted.to.as_deref())).map_err(refused)?
    } else {
        let found = diff_of_several(&history, &selection).map_err(|error| refused(error.into()))?;
        let Together { files, mixed, left_out, shared, .. } = served(opened, found);
        notes.extend(mixed.iter().map(|path| format!("others changed the same lines of {path}, which is shown, too")));
        notes.extend(left_out.iter().map(|path| format!("{path} is left out: not all of its texts are kept")));
        if !shared.is_empty() {
            notes.push(format!("left out, as somebody else may have made it: {}", RecordId::listed(&shared)));
        }
        as_text(&files)
    };
    let cut = text.floor_char_boundary(MOST_BYTES.min(text.len()));
    if cut < text.len() {
        notes.push(format!("the first {cut} of {} bytes", text.len()));
    }
    let mut answer =
        ToolAnswer::found(if text.is_empty() { "no difference\n".to_owned() } else { text[..cut].to_owned() });
    if !notes.is_empty() {
        answer = answer.with("notes", notes.clone());
        answer.note = Some(notes.join("\n"));
    }
    Ok(answer)
}

/// Without texts and names of files that are not served.
fn served(opened: &Opened<'_>, mut found: Together) -> Together {
    let is_served = |path: &RepoPath| opened.within.as_ref().is_none_or(|within| path.is_below(within));
    found.files.retain(|file| is_served(&file.path) && file.from.as_ref().is_none_or(is_served));
    found.mixed.retain(is_served);
    found.left_out.retain(is_served);
    found
}

fn of_records(history: &History<'_>, opened: &Opened<'_>, (id, to): (&str, Option<&str>)) -> Result<String, Error> {
    let item = opened.served_record(history, id)?;
    if let Some(to) = to {
        return Ok(as_text(&diff_between(history, &item, &opened.served_record(history, to)?)?));
    }
    let record = history.full(&item)?;
    let mut text = String::new();
    for (n, file) in record.files.iter().enumerate() {
        text.push_str(&file_diff(file, &history.texts(&item, &record, n)?).text);
    }
    Ok(text)
}
