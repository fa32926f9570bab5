//! The files that each harness reads its hooks from, and what redraft puts there.
//!
//! Owns the table; where a harness changes its configuration, it changes here.

use super::hook_table::Table;
use super::json_entry::{Entry, Items};
use super::toml_entry::TomlServer;
use crate::harness::Harness;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Whose configuration is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// The user's, for all repositories.
    User,
    /// One repository's.
    Project,
}

/// What is put into a file.
#[derive(Debug, Clone, PartialEq)]
pub enum Content {
    /// Entries below `hooks`.
    Table(Table),
    /// A file of redraft's own, with its mode.
    Own(&'static str, u32),
    /// An entry in a file of JSON.
    Entry(Entry),
    /// Items of a list in a file of JSON.
    Items(Items),
    /// A server in a file of TOML.
    TomlServer(TomlServer),
}

/// A file, and what is put into it.
#[derive(Debug, Clone, PartialEq)]
pub struct Place {
    /// Where it is.
    pub file: PathBuf,
    /// What is put into it.
    pub content: Content,
}

const OPENCODE: &str = include_str!("../../hooks/agents/opencode/redraft.js");
const AMP: &str = include_str!("../../hooks/agents/amp/redraft.ts");
const CLINE: &str = include_str!("../../hooks/agents/cline/hook");

/// The events of Cline that are told, each a file.
const CLINE_EVENTS: [&str; 6] =
    ["PreToolUse", "PostToolUse", "UserPromptSubmit", "TaskStart", "TaskResume", "TaskComplete"];

/// Those that can be installed, each with the folder below home by which it is known to be there, and its program.
pub fn harnesses() -> &'static [(Harness, &'static str, &'static str)] {
    &[
        (Harness::ClaudeCode, ".claude", "claude"),
        (Harness::Codex, ".codex", "codex"),
        (Harness::Gemini, ".gemini", "gemini"),
        (Harness::OpenCode, ".config/opencode", "opencode"),
        (Harness::Cursor, ".cursor", "cursor"),
        (Harness::Copilot, ".copilot", "copilot"),
        (Harness::Windsurf, ".codeium/windsurf", "windsurf"),
        (Harness::Cline, ".cline", "cline"),
        (Harness::Droid, ".factory", "droid"),
        (Harness::Amp, ".config/amp", "amp"),
    ]
}

/// What a person has to do besides; none where nothing is.
pub fn note(harness: Harness) -> Option<&'static str> {
    match harness {
        Harness::Codex => Some("codex runs new hooks only once you trust them: start codex and say /hooks"),
        Harness::Gemini => Some("gemini-cli reads a project's settings only in folders that you trust"),
        Harness::Cursor | Harness::Copilot | Harness::Windsurf => Some("restart it, so that it reads its hooks anew"),
        _ => None,
    }
}

/// The files of a harness, below the user's home or the root of a repository.
pub fn places(harness: Harness, reach: Reach, base: &Path) -> Vec<Place> {
    let is_user = reach == Reach::User;
    let pick = |user: &str, project: &str| base.join(if is_user { user } else { project });
    let table = |file: PathBuf, head: &[(&'static str, Value)], hooks: Vec<(&'static str, Value)>| {
        vec![Place { file, content: Content::Table(Table { head: head.to_vec(), hooks }) }]
    };
    let version = [("version", json!(1))];
    match harness {
        Harness::ClaudeCode => table(pick(".claude/settings.json", ".claude/settings.json"), &[], claude_code()),
        Harness::Codex => table(pick(".codex/hooks.json", ".codex/hooks.json"), &[], codex()),
        Harness::Gemini => table(pick(".gemini/settings.json", ".gemini/settings.json"), &[], gemini()),
        Harness::Cursor => table(pick(".cursor/hooks.json", ".cursor/hooks.json"), &version, cursor()),
        Harness::Copilot => {
            table(pick(".copilot/hooks/redraft.json", ".github/hooks/redraft.json"), &version, copilot())
        }
        Harness::Windsurf => table(pick(".codeium/windsurf/hooks.json", ".windsurf/hooks.json"), &[], windsurf()),
        Harness::Droid => table(pick(".factory/settings.json", ".factory/settings.json"), &[], droid()),
        Harness::OpenCode => {
            let file = pick(".config/opencode/plugins/redraft.js", ".opencode/plugins/redraft.js");
            vec![Place { file, content: Content::Own(OPENCODE, 0o644) }]
        }
        Harness::Amp => {
            let file = pick(".config/amp/plugins/redraft.ts", ".amp/plugins/redraft.ts");
            vec![Place { file, content: Content::Own(AMP, 0o644) }]
        }
        Harness::Cline => {
            let folders: &[&str] = if is_user {
                &["Documents/Cline/Hooks", ".cline/hooks"]
            } else {
                &[".clinerules/hooks", ".cline/hooks"]
            };
            let files = folders.iter().flat_map(|folder| CLINE_EVENTS.iter().map(move |event| (folder, event)));
            files
                .map(|(folder, event)| Place {
                    file: base.join(folder).join(event),
                    content: Content::Own(CLINE, 0o755),
                })
                .collect()
        }
        Harness::Generic => Vec::new(),
    }
}

/// A group in Claude Code's form.
fn group(harness: Harness, matcher: Option<&str>) -> Value {
    let hook = json!({"type": "command", "command": format!("redraft hook {}", harness.name()), "timeout": 30});
    match matcher {
        Some(matcher) => json!({"matcher": matcher, "hooks": [hook]}),
        None => json!({"hooks": [hook]}),
    }
}

fn claude_code() -> Vec<(&'static str, Value)> {
    let of = |matcher| group(Harness::ClaudeCode, matcher);
    let tools = Some("Bash|PowerShell|Edit|Write|MultiEdit|NotebookEdit|mcp__.*");
    vec![
        ("SessionStart", of(None)),
        ("UserPromptSubmit", of(None)),
        ("PreToolUse", of(tools)),
        ("PostToolUse", of(tools)),
        ("PostToolUseFailure", of(tools)),
        ("PostToolBatch", of(None)),
        ("SubagentStop", of(None)),
        ("Stop", of(None)),
        ("SessionEnd", of(None)),
    ]
}

fn codex() -> Vec<(&'static str, Value)> {
    let of = || group(Harness::Codex, None);
    ["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "SubagentStop", "Stop", "SessionEnd"]
        .map(|event| (event, of()))
        .into()
}

fn droid() -> Vec<(&'static str, Value)> {
    let of = || group(Harness::Droid, None);
    ["UserPromptSubmit", "PreToolUse", "PostToolUse", "SubagentStop", "Stop", "SessionEnd"]
        .map(|event| (event, of()))
        .into()
}

fn gemini() -> Vec<(&'static str, Value)> {
    let hook = || json!({"name": "redraft", "type": "command", "command": "redraft hook gemini", "timeout": 30000});
    let tools = "write_file|replace|run_shell_command|invoke_agent|mcp_.*";
    vec![
        ("BeforeAgent", json!({"hooks": [hook()]})),
        ("BeforeTool", json!({"matcher": tools, "hooks": [hook()]})),
        ("AfterTool", json!({"matcher": tools, "hooks": [hook()]})),
        ("AfterAgent", json!({"hooks": [hook()]})),
        ("SessionEnd", json!({"hooks": [hook()]})),
    ]
}

fn cursor() -> Vec<(&'static str, Value)> {
    ["beforeSubmitPrompt", "preToolUse", "postToolUse", "postToolUseFailure", "subagentStop", "stop", "sessionEnd"]
        .map(|event| (event, json!({"command": "redraft hook cursor"})))
        .into()
}

fn copilot() -> Vec<(&'static str, Value)> {
    let command = "redraft hook copilot";
    let hook = json!({"type": "command", "bash": command, "powershell": command, "timeoutSec": 30});
    ["userPromptSubmitted", "preToolUse", "postToolUse", "sessionEnd"].map(|event| (event, hook.clone())).into()
}

fn windsurf() -> Vec<(&'static str, Value)> {
    let hook = json!({"command": "redraft hook windsurf", "show_output": false});
    [
        "pre_user_prompt",
        "pre_write_code",
        "post_write_code",
        "pre_run_command",
        "post_run_command",
        "pre_mcp_tool_use",
        "post_mcp_tool_use",
        "post_cascade_response",
    ]
    .map(|event| (event, hook.clone()))
    .into()
}
