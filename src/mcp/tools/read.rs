//! `read`: a file as edits see it.

use super::tool::{Call, Effect, Input, Opened, Tool};
use crate::answer::Status;
use crate::mcp::answer::{Refusal, ToolAnswer};
use crate::mcp::arguments::{self, Arguments};
use crate::usecase::read::{ReadRequest, answer};
use bstr::ByteSlice;
use serde::Deserialize;
use serde_json::{Value, json};
use std::ops::Range;

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

/// Bytes that are given at once: a line may be as long as a file.
const MOST_BYTES: usize = 256 << 10;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Read {
    path: String,
    start_line: Option<usize>,
    end_line: Option<usize>,
    start_byte: Option<usize>,
    session: Option<String>,
    encoding: Option<String>,
}

fn input() -> Input {
    let properties = json!({
        "path": {"type": "string"},
        "start_line": {"type": "integer", "minimum": 1},
        "end_line": {"type": "integer"},
        "start_byte": {"type": "integer", "description": "In `start_line`"},
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
    let Some(part) = Part::of(&content, wanted.start_byte.unwrap_or_default()) else {
        let text =
            format!("line {first} has not so many bytes as `start_byte` says; leave it out, or send a smaller one");
        return Err(ToolAnswer::refused(text).with("reason", "bad_type").into());
    };
    let mut answer = ToolAnswer::found(String::from_utf8_lossy(&content[part.range.clone()]).into_owned());
    for key in ["blob", "tag", "total_lines", "encoding"] {
        if let Some(value) = envelope.data.extra.get(key) {
            answer = answer.with(key, value.clone());
        }
    }
    Ok(part.told(answer, (first, last, total)))
}

/// What of some lines is given at once.
struct Part {
    range: Range<usize>,
    end: End,
}

/// Where it ends.
enum End {
    /// With the last line.
    All,
    /// Behind so many lines.
    Lines(usize),
    /// Within the first line, which has so many bytes.
    Within(usize),
}

impl Part {
    /// From a byte of the first line on; none where it has not so many.
    fn of(content: &[u8], start: usize) -> Option<Self> {
        let length = content.find_byte(b'\n').map_or(content.len(), |end| end + 1);
        if start > 0 && start >= length {
            return None;
        }
        let rest = &content[start..];
        if rest.len() <= MOST_BYTES {
            return Some(Self { range: start..content.len(), end: End::All });
        }
        if let Some(end) = rest[..MOST_BYTES].rfind_byte(b'\n') {
            let end = start + end + 1;
            return Some(Self { range: start..end, end: End::Lines(content[..end].find_iter(b"\n").count()) });
        }
        // No letter is cut in two.
        let is_inside = |&at: &usize| content[at] & 0xc0 == 0x80;
        let most = start + MOST_BYTES;
        let end = (most - 3..=most).rev().find(|at| !is_inside(at)).unwrap_or(most);
        Some(Self { range: start..end, end: End::Within(length) })
    }

    /// The answer, with what it does not have and how to read on.
    fn told(self, mut answer: ToolAnswer, (first, last, total): (usize, u64, u64)) -> ToolAnswer {
        match self.end {
            End::All if first == 1 && last == total && self.range.start == 0 => {}
            End::All => {
                answer = answer.with("lines", json!([first, last]));
                answer.note = Some(format!("[lines {first} to {last} of {total}]"));
            }
            End::Lines(count) => {
                let last = first + count - 1;
                answer = answer.with("lines", json!([first, last]));
                answer.note = Some(format!(
                    "[lines {first} to {last} of {total}: so much is given at once; read on with `start_line` {}]",
                    last + 1
                ));
            }
            End::Within(length) => {
                let (start, end) = (self.range.start, self.range.end);
                answer = answer.with("lines", json!([first, first])).with("bytes", json!([start, end]));
                answer.note = Some(format!(
                    "[bytes {start} to {end} of line {first}, which has {length}: so much is given at once; read on with `start_line` {first} and `start_byte` {end}]"
                ));
            }
        }
        answer
    }
}
