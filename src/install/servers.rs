//! Where harnesses have their MCP servers, and the lists by which they leave out their own editors.
//!
//! Owns the table; where a harness changes its configuration, it changes here.

use super::json_entry::{Entry, Items, Whose};
use super::places::{Content, Place, Reach};
use super::toml_entry::TomlServer;
use crate::harness::Harness;
use serde_json::{Value, json};
use std::path::Path;

const NAME: &str = "redraft";
const ARGS: &[&str] = &["mcp"];

/// The file of a harness that names its servers, with redraft's; none where that reach has no such file.
pub fn server(harness: Harness, reach: Reach, base: &Path) -> Option<Place> {
    let plain = || json!({"command": NAME, "args": ARGS});
    let typed = |kind: &str| json!({"type": kind, "command": NAME, "args": ARGS});
    let under = |path: &'static [&'static str], value: Value| {
        Content::Entry(Entry { path, key: NAME, value, whose: Whose::Own })
    };
    const SERVERS: &[&str] = &["mcpServers"];
    let (file, content) = match (harness, reach) {
        (Harness::ClaudeCode, Reach::User) => (".claude.json", under(SERVERS, typed("stdio"))),
        (Harness::ClaudeCode, Reach::Project) => (".mcp.json", under(SERVERS, typed("stdio"))),
        (Harness::Codex, _) => {
            let server = TomlServer { name: NAME, command: NAME, args: ARGS };
            (".codex/config.toml", Content::TomlServer(server))
        }
        (Harness::Gemini, _) => (".gemini/settings.json", under(SERVERS, plain())),
        (Harness::OpenCode, _) => {
            let entry = json!({"type": "local", "command": [NAME, "mcp"], "enabled": true});
            let file = if reach == Reach::User { ".config/opencode/opencode.json" } else { "opencode.json" };
            (file, under(&["mcp"], entry))
        }
        (Harness::Cursor, _) => (".cursor/mcp.json", under(SERVERS, plain())),
        (Harness::Copilot, Reach::User) => {
            let entry = json!({"type": "local", "command": NAME, "args": ARGS, "tools": ["*"]});
            (".copilot/mcp-config.json", under(SERVERS, entry))
        }
        // VS Code's agent reads this one.
        (Harness::Copilot, Reach::Project) => (".vscode/mcp.json", under(&["servers"], typed("stdio"))),
        (Harness::Windsurf, Reach::User) => (".codeium/windsurf/mcp_config.json", under(SERVERS, plain())),
        (Harness::Cline, Reach::User) => (".cline/data/settings/cline_mcp_settings.json", under(SERVERS, plain())),
        (Harness::Droid, _) => (".factory/mcp.json", under(SERVERS, typed("stdio"))),
        (Harness::Amp, Reach::User) => (".config/amp/settings.json", under(&["amp.mcpServers"], plain())),
        (Harness::Amp, Reach::Project) => (".amp/settings.json", under(&["amp.mcpServers"], plain())),
        (Harness::Windsurf | Harness::Cline, Reach::Project) | (Harness::Generic, _) => return None,
    };
    Some(Place { file: base.join(file), content })
}

/// What takes a harness's own editors away, so that only redraft edits; none where it has no such list.
pub fn without_editors(harness: Harness, reach: Reach, base: &Path) -> Option<Place> {
    let list = |path, key, items: &[&'static str]| Content::Items(Items { path, key, items: items.to_vec() });
    let (file, content) = match harness {
        Harness::ClaudeCode => {
            let editors = ["Edit", "Write", "MultiEdit", "NotebookEdit"];
            (".claude/settings.json", list(&["permissions"], "deny", &editors))
        }
        Harness::Gemini => (".gemini/settings.json", list(&["tools"], "exclude", &["replace", "write_file"])),
        Harness::OpenCode => {
            let file = if reach == Reach::User { ".config/opencode/opencode.json" } else { "opencode.json" };
            let value = json!("deny");
            (file, Content::Entry(Entry { path: &["permission"], key: "edit", value, whose: Whose::Harness }))
        }
        _ => return None,
    };
    Some(Place { file: base.join(file), content })
}
