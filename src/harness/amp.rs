//! Amp, through the plugin in `hooks/agents/amp`.
//!
//! Owns its tools; the plugin's envelope is redraft's: `{"amp": EVENT, "session", "cwd", "call", "tool", "input"}`.

use super::event::{Event, Harness, What};
use super::payload::{Input, Payload};
use super::tools::Tools;

const TOOLS: Tools = Tools {
    edits: &["Write", "Edit", "create_file", "edit_file", "apply_patch", "undo_edit"],
    shells: &["Bash", "shell_command"],
    readers: &[
        "Read",
        "Grep",
        "glob",
        "finder",
        "oracle",
        "librarian",
        "read_web_page",
        "web_search",
        "Task",
        "todo_write",
    ],
};

pub(super) fn event(payload: &Payload) -> Event {
    let name = payload.text(&["amp"]).unwrap_or_default();
    let call = || {
        let tool = payload.text(&["tool"]).unwrap_or_default();
        TOOLS.call(payload.text(&["call"]), &tool, &Input::of(payload.fields().value(&["input"])))
    };
    let what = match name.as_str() {
        "tool.call" => What::Before(call()),
        "tool.result" => What::After(call()),
        "agent.start" => What::Prompt,
        "agent.end" => What::TurnEnd,
        _ => What::Other,
    };
    Event {
        harness: Harness::Amp,
        agent: Harness::Amp.name().to_owned(),
        name,
        session: payload.text(&["session"]),
        subagent: None,
        turn: payload.text(&["turn"]),
        model: payload.text(&["model"]),
        dirs: payload.fields().paths(&["cwd"]),
        what,
    }
}
