//! Claude Code, and those that took its form over.
//!
//! Owns its events, keys and tools (<https://docs.anthropic.com/en/docs/claude-code/hooks>). A failing edit is told of by no event of its
//! own; a command in the background goes on after `PostToolUse`.

use super::event::{Event, Harness, ToolCall, What};
use super::payload::{Fields, Input, Payload};
use super::tools::Tools;

const TOOLS: Tools = Tools {
    edits: &["Edit", "Write", "MultiEdit", "NotebookEdit"],
    shells: &["Bash"],
    readers: &[
        "Agent",
        "AskUserQuestion",
        "BashOutput",
        "CronList",
        "EnterPlanMode",
        "ExitPlanMode",
        "Glob",
        "Grep",
        "KillShell",
        "LS",
        "LSP",
        "ListMcpResourcesTool",
        "NotebookRead",
        "Read",
        "ReadMcpResourceTool",
        "Skill",
        "SlashCommand",
        "Task",
        "TaskCreate",
        "TaskGet",
        "TaskList",
        "TaskOutput",
        "TaskStop",
        "TaskUpdate",
        "TodoRead",
        "TodoWrite",
        "ToolSearch",
        "WebFetch",
        "WebSearch",
    ],
};

pub(super) fn event(payload: &Payload) -> Event {
    event_of(payload, Harness::ClaudeCode, &TOOLS)
}

/// An event in Claude Code's form, of a harness with tools of its own.
pub(super) fn event_of(payload: &Payload, harness: Harness, tools: &Tools) -> Event {
    let name = payload.text(&["hook_event_name", "hookEventName"]).unwrap_or_default();
    let what = match name.as_str() {
        "PreToolUse" => What::Before(call(payload.fields(), tools)),
        "PostToolUse" | "PostToolUseFailure" => What::After(call(payload.fields(), tools)),
        "UserPromptSubmit" => What::Prompt,
        "Stop" | "StopFailure" | "SubagentStop" | "Interrupt" => What::TurnEnd,
        "PostToolBatch" => What::BatchEnd,
        "SessionEnd" => What::SessionEnd,
        _ => What::Other,
    };
    Event {
        harness,
        agent: harness.name().to_owned(),
        name,
        session: payload.text(&["session_id", "sessionId"]),
        subagent: payload.text(&["agent_id"]),
        turn: payload.text(&["prompt_id", "turn_id"]),
        model: payload.text(&["model"]),
        dirs: payload.fields().paths(&["cwd"]),
        what,
    }
}

fn call(fields: Fields<'_>, tools: &Tools) -> ToolCall {
    let tool = fields.text(&["tool_name", "toolName"]).unwrap_or_default();
    let input = Input::of(fields.value(&["tool_input", "toolInput"]));
    let mut call = tools.call(fields.text(&["tool_use_id", "toolUseId"]), &tool, &input);
    let response = fields.object(&["tool_response"]);
    call.is_background |= call.command.is_some() && response.value(&["backgroundTaskId"]).is_some();
    call
}
