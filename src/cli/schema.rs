//! `redraft schema`.

use super::output;
use crate::answer::answer_schema;
use crate::dialect::{ToolDefinition, tools};
use crate::request::Dialect;
use clap::{Args, ValueEnum};
use serde_json::{Value, json};
use std::process::ExitCode;

/// Print tool definitions for language models: names, descriptions, JSON schemas
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  redraft schema                       # of every dialect
  redraft schema claude-code
  redraft schema native --form openai
  redraft schema --answer              # of what is answered")]
pub(crate) struct SchemaArgs {
    /// Only of this dialect: native, standard, claude-code, claude-code-open, opencode,
    /// apply-patch, unified-diff, search-replace, text-editor, gemini, lines
    #[arg(value_name = "DIALECT", value_parser = dialect)]
    dialect: Option<Dialect>,
    /// How a tool is written
    #[arg(long, value_name = "FORM", value_enum, default_value_t)]
    form: ToolForm,
    /// The schema of the answer instead
    #[arg(long, conflicts_with_all = ["dialect", "form"])]
    answer: bool,
}

/// How a provider of models wants its tools written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum ToolForm {
    /// Of Anthropic's messages: name, description, input_schema
    #[default]
    Anthropic,
    /// Of OpenAI's chat completions: a function with parameters
    #[value(name = "openai")]
    OpenAi,
    /// Of OpenAI's responses: the same, flat
    #[value(name = "openai-responses")]
    OpenAiResponses,
}

impl SchemaArgs {
    pub(super) fn run(self) -> ExitCode {
        let shown = if self.answer {
            answer_schema()
        } else {
            tools(self.dialect).into_iter().map(|tool| self.form.write(tool)).collect()
        };
        let mut text = serde_json::to_string_pretty(&shown).expect("schemas are plain JSON");
        text.push('\n');
        output::print(text.as_bytes());
        ExitCode::SUCCESS
    }
}

impl ToolForm {
    fn write(self, tool: ToolDefinition) -> Value {
        let ToolDefinition { name, description, input_schema, .. } = tool;
        match self {
            Self::Anthropic => json!({"name": name, "description": description, "input_schema": input_schema}),
            Self::OpenAi => json!({
                "type": "function",
                "function": {"name": name, "description": description, "parameters": input_schema}
            }),
            Self::OpenAiResponses => {
                json!({"type": "function", "name": name, "description": description, "parameters": input_schema})
            }
        }
    }
}

fn dialect(name: &str) -> Result<Dialect, String> {
    Dialect::from_name(name).ok_or_else(|| format!("native, {}", Dialect::ALL.map(Dialect::as_str).join(", ")))
}
