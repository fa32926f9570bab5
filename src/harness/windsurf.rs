//! Windsurf's Cascade.
//!
//! Owns its events. It may write raw control characters into strings.

use super::event::{Event, Harness, What};
use super::payload::{Input, Payload};
use super::tools::Tools;

const TOOLS: Tools = Tools { edits: &["write_code"], shells: &["run_command"], readers: &["read_code"] };

pub(super) fn event(payload: &Payload) -> Event {
    let name = payload.text(&["agent_action_name"]).unwrap_or_default();
    let info = payload.object(&["tool_info"]);
    let call = |tool: &str| TOOLS.call(None, tool, &Input::of(payload.fields().value(&["tool_info"])));
    let what = match (name.as_str(), name.split_once('_')) {
        ("pre_user_prompt", _) => What::Prompt,
        (name, _) if name.starts_with("post_cascade_response") => What::TurnEnd,
        (_, Some(("pre", tool))) => What::Before(call(tool)),
        (_, Some(("post", tool))) => What::After(call(tool)),
        _ => What::Other,
    };
    let mut dirs = info.paths(&["cwd", "workspace_path"]);
    dirs.extend(payload.fields().paths(&["cwd", "workspace_path"]));
    Event {
        harness: Harness::Windsurf,
        agent: Harness::Windsurf.name().to_owned(),
        name,
        session: payload.text(&["trajectory_id"]),
        subagent: None,
        turn: payload.text(&["execution_id"]),
        model: payload.text(&["model_name"]),
        dirs,
        what,
    }
}
