//! What the hook of any harness can say.
//!
//! Owns the types.

use std::path::PathBuf;

/// A program that lets a model edit files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Harness {
    /// Anthropic's Claude Code.
    ClaudeCode,
    /// OpenAI's codex.
    Codex,
    /// Google's gemini-cli.
    Gemini,
    /// opencode, through redraft's plugin.
    OpenCode,
    /// Cursor.
    Cursor,
    /// GitHub Copilot: its CLI, and the agent in VS Code.
    Copilot,
    /// Windsurf, or Devin Desktop.
    Windsurf,
    /// Cline.
    Cline,
    /// Factory's droid.
    Droid,
    /// Amp, through redraft's plugin.
    Amp,
    /// Any other, in redraft's own small form.
    Generic,
}

/// All of them, by name.
const NAMES: [(&str, Harness); 11] = [
    ("claude-code", Harness::ClaudeCode),
    ("codex", Harness::Codex),
    ("gemini", Harness::Gemini),
    ("opencode", Harness::OpenCode),
    ("cursor", Harness::Cursor),
    ("copilot", Harness::Copilot),
    ("windsurf", Harness::Windsurf),
    ("cline", Harness::Cline),
    ("droid", Harness::Droid),
    ("amp", Harness::Amp),
    ("generic", Harness::Generic),
];

impl Harness {
    /// By its name; `claude` is Claude Code.
    pub fn from_name(name: &str) -> Option<Self> {
        let name = if name == "claude" { "claude-code" } else { name };
        NAMES.iter().find(|(other, _)| *other == name).map(|(_, harness)| *harness)
    }

    /// All names.
    pub fn names() -> impl Iterator<Item = &'static str> {
        NAMES.iter().map(|(name, _)| *name)
    }

    /// As records have it.
    pub fn name(self) -> &'static str {
        NAMES.iter().find(|(_, harness)| *harness == self).map_or("", |(name, _)| name)
    }

    /// Whether calls of one agent that may write come one after the other, so that the next one says that the last is over.
    pub fn is_sequential(self) -> bool {
        matches!(self, Self::ClaudeCode | Self::Droid)
    }
}

/// What a tool may write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reach {
    /// Nothing, or it is recorded by other means.
    Nothing,
    /// These files; relative ones are below the event's directory.
    Paths(Vec<PathBuf>),
    /// Anything.
    Tree,
}

/// A call of a tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolCall {
    /// The harness's name for it; none where it has none.
    pub id: Option<String>,
    /// What stands for the name where there is none: the tool and its arguments.
    pub stands_for_id: String,
    /// The tool.
    pub tool: String,
    /// What it may write.
    pub reach: Reach,
    /// Files that it surely writes, where it may write anything.
    pub names: Vec<PathBuf>,
    /// The command line, of a shell.
    pub command: Option<String>,
    /// Whether it goes on after the harness said that it is over.
    pub is_background: bool,
    /// Whether the next call says that it is over, though the harness itself may not.
    pub is_silent: bool,
    /// The agent below that it lets work, where the harness says nothing of that in that agent's own events.
    pub delegate: Option<String>,
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum What {
    /// A tool is to be run.
    Before(ToolCall),
    /// It was run, whatever came of it.
    After(ToolCall),
    /// A person said something: a turn begins.
    Prompt,
    /// All calls that were asked for at once are over.
    BatchEnd,
    /// The agent has done what it was told.
    TurnEnd,
    /// A session begins that is below another one, by the name of that.
    Below(String),
    /// The session is over.
    SessionEnd,
    /// Something else.
    Other,
}

/// One payload.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// Whose it is.
    pub harness: Harness,
    /// The agent's name, as records have it.
    pub agent: String,
    /// The harness's own name of what happened, for its answer.
    pub name: String,
    /// Which session.
    pub session: Option<String>,
    /// Which agent below the one that the person talks to.
    pub subagent: Option<String>,
    /// Which prompt of a person.
    pub turn: Option<String>,
    /// Which language model.
    pub model: Option<String>,
    /// Where it happened; the first is the directory that relative paths are below.
    pub dirs: Vec<PathBuf>,
    /// What happened.
    pub what: What,
}
