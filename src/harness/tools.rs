//! Which tools write files, run commands, or only read; and what a call may write.
//!
//! Owns the rule: what a tool that is known to write names, everything for a command, nothing for what only reads, everything for a tool
//! that nobody knows.

use super::event::{Reach, ToolCall};
use super::patch_paths;
use super::payload::{Input, path};
use std::path::PathBuf;

/// The tools of a harness, by name.
pub(super) struct Tools {
    /// They write the files that their arguments name.
    pub edits: &'static [&'static str],
    /// They run a command.
    pub shells: &'static [&'static str],
    /// They change no file of the working tree.
    pub readers: &'static [&'static str],
}

/// Where a tool's arguments have a file.
const PATHS: [&str; 16] = [
    "file_path",
    "filepath",
    "filePath",
    "path",
    "fsPath",
    "notebook_path",
    "relative_path",
    "target_file",
    "absolute_path",
    "file",
    "uri",
    "file_paths",
    "filepaths",
    "files",
    "paths",
    "replacements",
];

/// Where a tool's arguments have a patch.
const PATCHES: [&str; 5] = ["command", "patchText", "patch", "input", "diff"];

/// Where a tool's arguments have a command line.
const COMMANDS: [&str; 6] = ["command", "cmd", "command_line", "CommandLine", "commands", "script"];

impl Tools {
    /// A call of a tool, by its name and arguments.
    pub(super) fn call(&self, id: Option<String>, tool: &str, input: &Input) -> ToolCall {
        let tool = tool.strip_prefix("functions.").unwrap_or(tool);
        let is_shell = self.shells.contains(&tool);
        let command = if is_shell { command(input) } else { None };
        ToolCall {
            id,
            stands_for_id: format!("{tool} {}", input.spelled()),
            tool: tool.to_owned(),
            reach: self.reach(tool, input),
            names: Vec::new(),
            is_silent: false,
            is_background: is_shell && input.fields().flag(&["run_in_background", "is_background", "isBackground"]),
            command,
            delegate: None,
        }
    }

    fn reach(&self, tool: &str, input: &Input) -> Reach {
        if self.readers.contains(&tool) || is_redraft(tool) {
            Reach::Nothing
        } else if self.edits.contains(&tool) {
            let paths = paths(input);
            if paths.is_empty() { Reach::Tree } else { Reach::Paths(paths) }
        } else {
            Reach::Tree
        }
    }
}

/// Whether it is a tool of redraft's own server, which records what it does.
fn is_redraft(tool: &str) -> bool {
    ["mcp__redraft__", "mcp_redraft_", "redraft_", "redraft__", "redraft/"].iter().any(|start| tool.starts_with(start))
}

fn command(input: &Input) -> Option<String> {
    if let Input::Text(text) = input {
        return Some(text.clone());
    }
    let fields = input.fields();
    fields.text(&COMMANDS).or_else(|| {
        let words = fields.value(&COMMANDS)?.as_array()?;
        Some(words.iter().filter_map(|word| word.as_str()).collect::<Vec<_>>().join(" "))
    })
}

/// The files that the arguments of an editing tool name, also those in a patch.
fn paths(input: &Input) -> Vec<PathBuf> {
    let fields = input.fields();
    let mut found = fields.paths(&PATHS);
    let patches = PATCHES.iter().filter_map(|key| fields.text(&[key]));
    let text = if let Input::Text(text) = input { Some(text.clone()) } else { None };
    let named = patches.chain(text).flat_map(|patch| patch_paths::of(&patch)).filter_map(|name| path(&name));
    found.extend(named);
    found.sort();
    found.dedup();
    found
}
