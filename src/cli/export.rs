//! `redraft export`.

use super::context::Context;
use super::output::{self, Form};
use crate::usecase::Noted;
use crate::usecase::export::{NOTES, NoteOptions, NoteStatus, NotedCommit, to_agent_trace, to_git_ai};
use clap::{Args, Subcommand};
use std::process::ExitCode;

/// Tell other tools which lines of git commits agents wrote
///
/// By the records, for agents that are named; nothing is said of other lines.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  redraft export git-ai                      # a note on HEAD, which git-ai reads
  redraft export git-ai main..HEAD --dry-run
  git notes --ref=ai show HEAD
  redraft export agent-trace v1.0..HEAD >> traces.jsonl")]
pub(crate) struct ExportArgs {
    #[command(subcommand)]
    format: Format,
}

#[derive(Debug, Subcommand)]
enum Format {
    /// As git notes below refs/notes/ai: git-ai's authorship log 3.0.0; notes of other tools are left as they are
    #[command(name = "git-ai")]
    GitAi {
        /// Commits, or ranges of them (A..B) [default: HEAD]
        #[arg(value_name = "COMMIT")]
        commits: Vec<String>,
        /// Below another ref
        #[arg(long = "ref", value_name = "REF", default_value = NOTES)]
        notes_ref: String,
        /// Print the notes, and write nothing
        #[arg(long)]
        dry_run: bool,
        /// One JSON object a line
        #[arg(long)]
        json: bool,
    },
    /// As JSON lines on standard output: agent-trace 0.1.0, one record for each commit that has lines of agents
    #[command(name = "agent-trace")]
    AgentTrace {
        /// Commits, or ranges of them (A..B) [default: HEAD]
        #[arg(value_name = "COMMIT")]
        commits: Vec<String>,
    },
}

impl ExportArgs {
    pub(super) fn run(self, context: &Context) -> ExitCode {
        match self.format {
            Format::GitAi { commits, notes_ref, dry_run, json } => {
                let options = NoteOptions { notes_ref, dry_run };
                match to_git_ai(&context.env, &commits, &options) {
                    Ok(Noted { done, notes }) => {
                        output::warn(&output::sentences(&notes));
                        let form = Form::from(json);
                        let text: String = done.iter().map(|commit| told(commit, form, &options)).collect();
                        output::print(text.as_bytes());
                        ExitCode::SUCCESS
                    }
                    Err(error) => output::error(&error, json.into()),
                }
            }
            Format::AgentTrace { commits } => match to_agent_trace(&context.env, &commits) {
                Ok(Noted { done, notes }) => {
                    output::warn(&output::sentences(&notes));
                    let text: String = done.iter().map(output::json).collect();
                    output::print(text.as_bytes());
                    ExitCode::SUCCESS
                }
                Err(error) => output::error(&error, Form::Text),
            },
        }
    }
}

fn told(commit: &NotedCommit, form: Form, options: &NoteOptions) -> String {
    if form == Form::Json {
        return output::json(commit);
    }
    let NotedCommit { commit, status, lines, note } = commit;
    let would = if options.dry_run { "would be " } else { "" };
    let lines = format!("{lines} line{} of agents", if *lines == 1 { "" } else { "s" });
    match status {
        NoteStatus::Written if options.dry_run => {
            format!("{commit:.10} {lines}, this would be its note:\n{}", note.as_deref().unwrap_or_default())
        }
        NoteStatus::Written => format!("{commit:.10} {lines}, noted\n"),
        NoteStatus::Unchanged => format!("{commit:.10} {lines}, noted already\n"),
        NoteStatus::Left => format!("{commit:.10} {lines}; it has a note that was not made here, which is left\n"),
        NoteStatus::Removed => format!("{commit:.10} no lines of agents any more, its note {would}taken away\n"),
        NoteStatus::None => format!("{commit:.10} no lines of agents, no note\n"),
    }
}
