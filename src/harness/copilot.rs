//! GitHub Copilot: its CLI, which has a form of its own, and the agent in VS Code, which has Claude Code's.
//!
//! Owns both. The CLI's own form has no name of the event: what is in it tells. `toolArgs` is JSON in a string.

use super::claude_code;
use super::event::{Event, Harness, What};
use super::payload::{Input, Payload};
use super::tools::Tools;

const TOOLS: Tools = Tools {
    edits: &[
        "Edit",
        "MultiEdit",
        "NotebookEdit",
        "Write",
        "apply_patch",
        "create",
        "edit",
        "git_apply_patch",
        "str_replace",
        "str_replace_editor",
        "create_file",
        "replace_string_in_file",
        "multi_replace_string_in_file",
        "insert_edit_into_file",
        "edit_notebook_file",
    ],
    shells: &["bash", "powershell", "Bash", "PowerShell", "run_in_terminal"],
    readers: &[
        "view",
        "Read",
        "Grep",
        "Glob",
        "grep",
        "glob",
        "report_intent",
        "web_fetch",
        "read_file",
        "list_dir",
        "file_search",
        "grep_search",
        "semantic_search",
        "fetch_webpage",
        "manage_todo_list",
        "read_bash",
        "stop_bash",
        "task",
    ],
};

pub(super) fn event(payload: &Payload) -> Event {
    if payload.has("hook_event_name") || payload.has("hookEventName") {
        return claude_code::event_of(payload, Harness::Copilot, &TOOLS);
    }
    let call = || {
        let tool = payload.text(&["toolName"]).unwrap_or_default();
        let input = Input::of(payload.fields().value(&["toolArgs"]));
        TOOLS.call(payload.text(&["toolCallId", "toolUseId"]), &tool, &input)
    };
    let (what, name) = if payload.has("toolResult") {
        (What::After(call()), "postToolUse")
    } else if payload.has("toolName") {
        (What::Before(call()), "preToolUse")
    } else if payload.has("prompt") {
        (What::Prompt, "userPromptSubmitted")
    } else if payload.has("reason") {
        (What::SessionEnd, "sessionEnd")
    } else {
        (What::Other, "")
    };
    Event {
        harness: Harness::Copilot,
        agent: Harness::Copilot.name().to_owned(),
        name: name.to_owned(),
        session: payload.text(&["sessionId"]),
        subagent: None,
        turn: None,
        model: payload.text(&["model"]),
        dirs: payload.fields().paths(&["cwd"]),
        what,
    }
}
