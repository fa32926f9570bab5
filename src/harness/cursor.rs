//! Cursor (<https://cursor.com/docs/agent/hooks>).
//!
//! Owns its events and tools. It has roots of a workspace in place of a directory, and names turns as generations.

use super::event::{Event, Harness, What};
use super::payload::{Input, Payload};
use super::tools::Tools;

const TOOLS: Tools = Tools {
    edits: &["Write", "Delete", "StrReplace", "ApplyPatch", "Edit", "MultiEdit", "NotebookEdit"],
    shells: &["Shell", "Bash"],
    readers: &[
        "Read",
        "Grep",
        "Glob",
        "LS",
        "SemanticSearch",
        "WebSearch",
        "WebFetch",
        "Task",
        "TodoWrite",
        "ReadLints",
    ],
};

pub(super) fn event(payload: &Payload) -> Event {
    let name = payload.text(&["hook_event_name"]).unwrap_or_default();
    let call = || {
        let tool = payload.text(&["tool_name"]).unwrap_or_default();
        let input = Input::of(payload.fields().value(&["tool_input"]));
        TOOLS.call(payload.text(&["tool_use_id"]), &tool, &input)
    };
    let what = match name.as_str() {
        "preToolUse" | "PreToolUse" => What::Before(call()),
        "postToolUse" | "PostToolUse" | "postToolUseFailure" | "PostToolUseFailure" => What::After(call()),
        "beforeSubmitPrompt" | "UserPromptSubmit" => What::Prompt,
        "stop" | "Stop" | "subagentStop" | "SubagentStop" => What::TurnEnd,
        "sessionEnd" | "SessionEnd" => What::SessionEnd,
        _ => What::Other,
    };
    Event {
        harness: Harness::Cursor,
        agent: Harness::Cursor.name().to_owned(),
        name,
        session: payload.text(&["conversation_id", "session_id"]),
        subagent: payload.text(&["subagent_id"]),
        turn: payload.text(&["generation_id"]),
        model: payload.text(&["model"]),
        dirs: payload.fields().paths(&["cwd", "workspace_roots"]),
        what,
    }
}
