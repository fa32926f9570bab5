//! codex: Claude Code's form, with a patch for an editor.
//!
//! Owns what is its own: a failing call sends no `PostToolUse`, nor does a patch inside of a shell call, which codex runs itself. Only
//! commands run beside each other.

use super::claude_code;
use super::event::{Event, Harness, What};
use super::patch_paths;
use super::payload::Payload;
use super::tools::Tools;

const TOOLS: Tools = Tools {
    edits: &["apply_patch"],
    shells: &["Bash", "exec_command", "shell", "shell_command", "local_shell"],
    readers: &[
        "close_agent",
        "list_agents",
        "list_mcp_resource_templates",
        "list_mcp_resources",
        "read_mcp_resource",
        "request_user_input",
        "resume_agent",
        "send_input",
        "spawn_agent",
        "tool_search",
        "update_plan",
        "view_image",
        "wait",
        "wait_agent",
        "web_search",
    ],
};

pub(super) fn event(payload: &Payload) -> Event {
    let mut event = claude_code::event_of(payload, Harness::Codex, &TOOLS);
    if let What::Before(call) = &mut event.what {
        let patch = call.command.as_deref().filter(|command| patch_paths::is_whole_command(command));
        call.is_silent = call.command.is_none() || patch.is_some();
        call.names = patch.map(patch_paths::of_command).unwrap_or_default();
    }
    event
}
