//! `read`: a file as edits see it.

use super::tool::{Call, Effect, Input, Opened, Tool};
use crate::answer::Status;
use crate::mcp::answer::{Refusal, ToolAnswer};
use crate::mcp::arguments::{self, Arguments};
use crate::usecase::read::{ReadRequest, answer};
use serde::Deserialize;
use serde_json::{Value, json};

pub const TOOL: Tool = Tool {
    name: "read",
    title: "Read a file",
    description: || "Read a file, or lines of it, as edits match it: without line numbers.".to_owned(),
    effect: Effect::Reads,
    input,
    run,
};

/// Lines that are given where nothing is said.
const MOST_LINES: usize = 2_000;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Read {
    path: String,
    start_line: Option<usize>,
    end_line: Option<usize>,
    session: Option<String>,
    encoding: Option<String>,
}

fn input() -> Input {
    let properties = json!({
        "path": {"type": "string"},
        "start_line": {"type": "integer", "minimum": 1},
        "end_line": {"type": "integer"},
        "session": {"type": "string"},
        "encoding": {"type": "string"}
    });
    Input { properties, required: &["path"] }
}

fn run(call: &Call<'_>, opened: &Opened<'_>, arguments: Arguments) -> Result<ToolAnswer, Refusal> {
    let wanted: Read = arguments::read(arguments)?;
    let first = wanted.start_line.unwrap_or(1);
    let last = wanted.end_line.unwrap_or_else(|| first.saturating_add(MOST_LINES - 1));
    if first == 0 || last < first {
        let text = "`start_line` is at least 1, and `end_line` at least as much; correct them and call again";
        return Err(ToolAnswer::refused(text).with("reason", "bad_type").into());
    }
    let mut request = ReadRequest::new(opened.served.relative(&opened.base, &wanted.path)?);
    request.lines = Some((first, last));
    request.session = call.caller.session.clone().or(wanted.session);
    request.root = opened.root();
    request.encoding = match wanted.encoding {
        None => None,
        Some(name) => Some(crate::text::Encoding::named(&name).ok_or_else(|| {
            ToolAnswer::refused(format!("`encoding`: {name:?} is no name of an encoding, such as shift_jis"))
        })?),
    };
    let done = answer(Ok(opened.workspace), call.env.clock().instant(), &request, call.env);
    let envelope = &done.envelope;
    let (Some(content), true) = (done.content, envelope.status != Status::Error) else {
        return Ok(ToolAnswer::of_envelope(envelope));
    };
    let total = envelope.data.extra.get("total_lines").and_then(Value::as_u64).unwrap_or_default();
    if first as u64 > total.max(1) {
        let text = format!("the file has {total} lines, and `start_line` is {first}; read lines that it has");
        return Err(ToolAnswer::refused(text).with("reason", "bad_type").with("total_lines", total).into());
    }
    let last = (last as u64).min(total);
    let mut answer = ToolAnswer::found(String::from_utf8_lossy(&content).into_owned());
    for key in ["blob", "tag", "total_lines", "encoding"] {
        if let Some(value) = envelope.data.extra.get(key) {
            answer = answer.with(key, value.clone());
        }
    }
    if first > 1 || last < total {
        answer = answer.with("lines", json!([first, last]));
        answer.note = Some(format!("[lines {first} to {last} of {total}]"));
    }
    Ok(answer)
}
