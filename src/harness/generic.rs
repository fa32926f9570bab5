//! Any other harness, in a small form of redraft's own; docs/agents.md has it.
//!
//! Owns that form: `{"redraft": 1, "event": "before", "session": "s", "call": "c", "tool": "t", "cwd": "/repo", "paths": ["a"]}`.

use super::event::{Event, Harness, Reach, ToolCall, What};
use super::payload::Payload;

pub(super) fn event(payload: &Payload) -> Event {
    let fields = payload.fields();
    let name = payload.text(&["event"]).unwrap_or_default();
    let what = match name.as_str() {
        "before" => What::Before(call(payload)),
        "after" => What::After(call(payload)),
        "prompt" => What::Prompt,
        "turn-end" => What::TurnEnd,
        "session-end" => What::SessionEnd,
        _ => What::Other,
    };
    Event {
        harness: Harness::Generic,
        agent: payload.text(&["agent"]).unwrap_or_else(|| Harness::Generic.name().to_owned()),
        name,
        session: payload.text(&["session"]),
        subagent: payload.text(&["subagent"]),
        turn: payload.text(&["turn"]),
        model: payload.text(&["model"]),
        dirs: fields.paths(&["cwd"]),
        what,
    }
}

fn call(payload: &Payload) -> ToolCall {
    let fields = payload.fields();
    let tool = payload.text(&["tool"]).unwrap_or_else(|| "tool".to_owned());
    let (paths, command) = (fields.paths(&["path", "paths"]), payload.text(&["command"]));
    ToolCall {
        id: payload.text(&["call"]),
        stands_for_id: format!("{tool} {paths:?} {command:?}"),
        reach: match fields.value(&["paths", "path"]) {
            Some(_) if paths.is_empty() => Reach::Nothing,
            Some(_) => Reach::Paths(paths),
            None => Reach::Tree,
        },
        tool,
        command,
        is_background: fields.flag(&["background"]),
        names: Vec::new(),
        is_silent: false,
        delegate: None,
    }
}
