//! Cline: the extension, whose arguments are texts, and its CLI.
//!
//! Owns its events and tools. A task is its session.

use super::event::{Event, Harness, What};
use super::payload::{Input, Payload};
use super::tools::Tools;

const TOOLS: Tools = Tools {
    edits: &["replace_in_file", "write_to_file", "new_rule", "apply_patch", "editor", "edit", "write"],
    shells: &["execute_command", "bash", "shell", "run_commands", "run_command"],
    readers: &[
        "read_file",
        "search_files",
        "list_files",
        "list_code_definition_names",
        "ask_followup_question",
        "plan_mode_respond",
        "attempt_completion",
        "web_fetch",
        "web_search",
        "new_task",
        "focus_chain",
    ],
};

pub(super) fn event(payload: &Payload) -> Event {
    let name = payload.text(&["hookName"]).unwrap_or_default();
    let inner = payload.object(&["preToolUse", "postToolUse", "tool_call", "tool_result"]);
    let call = || {
        let tool = inner.text(&["toolName", "name"]).unwrap_or_default();
        TOOLS.call(inner.text(&["id", "toolUseId"]), &tool, &Input::of(inner.value(&["parameters", "input"])))
    };
    let what = match name.as_str() {
        "PreToolUse" | "tool_call" => What::Before(call()),
        "PostToolUse" | "tool_result" => What::After(call()),
        "UserPromptSubmit" | "TaskStart" | "TaskResume" => What::Prompt,
        "TaskComplete" | "TaskCancel" => What::TurnEnd,
        _ => What::Other,
    };
    let model = payload.object(&["model"]).text(&["slug"]).or(payload.text(&["model"]));
    Event {
        harness: Harness::Cline,
        agent: Harness::Cline.name().to_owned(),
        name,
        session: payload.text(&["taskId"]),
        subagent: None,
        turn: None,
        model,
        dirs: payload.fields().paths(&["cwd", "workspaceRoots"]),
        what,
    }
}
