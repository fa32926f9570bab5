//! opencode, through the plugin in `hooks/agents/opencode`, which forwards what opencode hands it.
//!
//! Owns its events and tools. Calls of one answer overlap; a failing edit is not told of at the end; an agent below has a session of
//! its own.

use super::event::{Event, Harness, What};
use super::payload::{Input, Payload};
use super::tools::Tools;

/// Events that only it has.
pub(super) const EVENTS: [&str; 4] = ["tool.execute.before", "tool.execute.after", "chat.message", "event"];

const TOOLS: Tools = Tools {
    edits: &["edit", "write", "multiedit", "apply_patch", "patch"],
    shells: &["bash", "shell"],
    readers: &[
        "codesearch",
        "glob",
        "grep",
        "list",
        "lsp",
        "plan_enter",
        "plan_exit",
        "question",
        "read",
        "skill",
        "task",
        "todoread",
        "todowrite",
        "webfetch",
        "websearch",
    ],
};

pub(super) fn event(payload: &Payload) -> Event {
    let name = payload.text(&["hook_event_name"]).unwrap_or_default();
    let (input, output) = (payload.object(&["input"]), payload.object(&["output"]));
    let bus = payload.object(&["event"]);
    let properties = bus.object(&["properties"]);
    let kind = bus.text(&["type"]).unwrap_or_default();
    let part = properties.object(&["part"]);
    let message = output.object(&["message"]);
    let call = || {
        let tool = input.text(&["tool"]).unwrap_or_default();
        let args = Input::of(output.value(&["args"]).or(input.value(&["args"])));
        TOOLS.call(input.text(&["callID"]), &tool, &args)
    };
    let parent = properties.object(&["info"]).text(&["parentID"]);
    let what = match (name.as_str(), kind.as_str(), parent) {
        ("tool.execute.before", ..) => What::Before(call()),
        ("tool.execute.after", ..) => What::After(call()),
        ("chat.message", ..) => What::Prompt,
        ("event", "session.created", Some(parent)) => What::Below(parent),
        ("event", "session.idle", _) => What::TurnEnd,
        ("event", "message.part.updated", _) if part.text(&["type"]).is_some_and(|kind| kind == "step-finish") => {
            What::BatchEnd
        }
        ("event", "session.deleted", _) => What::SessionEnd,
        _ => What::Other,
    };
    let session = input.text(&["sessionID"]).or(properties.text(&["sessionID"])).or(part.text(&["sessionID"]));
    Event {
        harness: Harness::OpenCode,
        agent: Harness::OpenCode.name().to_owned(),
        name,
        session: session.or(message.text(&["sessionID"])),
        subagent: None,
        turn: message.text(&["id"]),
        model: message.object(&["model"]).text(&["modelID"]),
        dirs: payload.fields().paths(&["directory", "worktree"]),
        what,
    }
}
