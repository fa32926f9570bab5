//! Factory's droid: Claude Code's form with other tools.

use super::claude_code;
use super::event::{Event, Harness};
use super::payload::Payload;
use super::tools::Tools;

const TOOLS: Tools = Tools {
    edits: &["ApplyPatch", "Edit", "MultiEdit", "Write", "Create"],
    shells: &["Bash", "Execute"],
    readers: &["Read", "LS", "Glob", "Grep", "TodoWrite", "WebSearch", "FetchUrl", "ExitSpecMode", "Task"],
};

pub(super) fn event(payload: &Payload) -> Event {
    claude_code::event_of(payload, Harness::Droid, &TOOLS)
}
