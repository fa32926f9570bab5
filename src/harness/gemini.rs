//! gemini-cli.
//!
//! Owns its events and tools (docs/hooks/reference.md of its repository). It names neither calls nor turns, and agents below only by the
//! call that lets them work.

use super::event::{Event, Harness, What};
use super::payload::{Input, Payload};
use super::tools::Tools;

/// Events that only it has.
pub(super) const EVENTS: [&str; 8] = [
    "BeforeTool",
    "AfterTool",
    "BeforeAgent",
    "AfterAgent",
    "BeforeModel",
    "AfterModel",
    "BeforeToolSelection",
    "PreCompress",
];

const TOOLS: Tools = Tools {
    edits: &["replace", "write_file", "edit", "WriteFile"],
    shells: &["run_shell_command", "shell"],
    readers: &[
        "ask_user",
        "cli_help",
        "codebase_investigator",
        "complete_task",
        "enter_plan_mode",
        "exit_plan_mode",
        "get_internal_docs",
        "glob",
        "google_web_search",
        "grep_search",
        "invoke_agent",
        "list_directory",
        "read_file",
        "read_many_files",
        "search_file_content",
        "update_topic",
        "web_fetch",
        "write_todos",
    ],
};

pub(super) fn event(payload: &Payload) -> Event {
    let name = payload.text(&["hook_event_name"]).unwrap_or_default();
    let call = || {
        let tool = payload.text(&["tool_name"]).unwrap_or_default();
        let input = Input::of(payload.fields().value(&["tool_input"]));
        let mut call = TOOLS.call(payload.text(&["tool_use_id"]), &tool, &input);
        if tool == "invoke_agent" {
            call.delegate = Some(input.fields().text(&["agent_name"]).unwrap_or(tool));
        }
        call
    };
    let what = match name.as_str() {
        "BeforeTool" => What::Before(call()),
        "AfterTool" => What::After(call()),
        "BeforeAgent" => What::Prompt,
        "AfterAgent" => What::TurnEnd,
        "SessionEnd" => What::SessionEnd,
        _ => What::Other,
    };
    Event {
        harness: Harness::Gemini,
        agent: Harness::Gemini.name().to_owned(),
        name,
        session: payload.text(&["session_id"]),
        subagent: None,
        turn: None,
        model: payload.text(&["model"]),
        dirs: payload.fields().paths(&["cwd"]),
        what,
    }
}
