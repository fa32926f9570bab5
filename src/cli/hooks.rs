//! `redraft hooks`.

use super::context::Context;
use super::output::{self, Form};
use crate::history::Marking;
use crate::text::quoted_file;
use crate::usecase::hook_files::{self, HookReport};
use crate::usecase::marks;
use clap::{Args, Subcommand};
use serde_json::json;
use std::path::PathBuf;
use std::process::ExitCode;

/// Git hooks: which commit each agent edit is in, trailers for them, no commit of half an edit
///
/// The hooks go where git looks for them (`core.hooksPath`, else the repository's own folder). One that is there already is
/// kept and runs first, under its own name, and its failure counts; uninstall puts it back as it was. Where husky or lefthook owns the hooks,
/// nothing of it is touched: `install` prints the lines to add to its files, or adds them with `--into` (in husky's before a last `exit`, behind which nothing runs); uninstall takes them out again.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  redraft hooks install
  redraft hooks status
  git config redraft.hookPolicy unreviewed   # no commit with agent edits that nobody looked at
  git config --add redraft.hookPolicy leftovers
  redraft hooks review                       # I have looked at what is staged")]
pub(crate) struct HooksArgs {
    #[command(subcommand)]
    command: HooksCommand,
}

#[derive(Debug, Subcommand)]
enum HooksCommand {
    /// Put the hooks in place, or say what to add to the files of the program that owns them
    Install {
        /// Add it to this file of husky's (.husky/NAME) or lefthook's (lefthook.yml); may be given several times
        #[arg(long, value_name = "FILE")]
        into: Vec<PathBuf>,
        #[command(flatten)]
        json: Json,
    },
    /// Take them away, and put back what was there before
    Uninstall(Json),
    /// Say which are in place
    Status(Json),
    /// Note that you have looked at agent edits: the named records, else all that are staged; m in `redraft review` does the same
    Review {
        /// Records: ids, the unique beginning of one, @, @-, @-N
        #[arg(value_name = "ID")]
        ids: Vec<String>,
        /// Take the mark away: they are to be looked at
        #[arg(long)]
        unmark: bool,
        #[command(flatten)]
        json: Json,
    },
}

#[derive(Debug, Args)]
struct Json {
    /// Answer as JSON
    #[arg(long)]
    json: bool,
}

impl HooksArgs {
    pub(super) fn run(self, context: &Context) -> ExitCode {
        let env = &context.env;
        let (done, as_json) = match &self.command {
            HooksCommand::Install { into, json: Json { json } } => {
                (hook_files::install(env, into).map(|r| told(&r, (*json).into())), *json)
            }
            HooksCommand::Uninstall(Json { json }) => {
                (hook_files::uninstall(env).map(|r| told(&r, (*json).into())), *json)
            }
            HooksCommand::Status(Json { json }) => (hook_files::status(env).map(|r| told(&r, (*json).into())), *json),
            HooksCommand::Review { ids, unmark, json: Json { json } } => {
                let (word, marking) =
                    if *unmark { ("unmarked", Marking::Open) } else { ("reviewed", Marking::Reviewed) };
                let text = |ids: Vec<crate::id::RecordId>| match *json {
                    true => output::json(&json!({ word: ids })),
                    false => ids.iter().map(|id| format!("{word} {id}\n")).collect(),
                };
                (marks::review(env, ids, marking).map(text), *json)
            }
        };
        match done {
            Ok(text) => {
                output::print(text.as_bytes());
                ExitCode::SUCCESS
            }
            Err(error) => output::error(&error, as_json.into()),
        }
    }
}

fn told(report: &HookReport, form: Form) -> String {
    if form == Form::Json {
        let hooks: serde_json::Map<_, _> =
            report.hooks.iter().map(|(name, state)| ((*name).to_owned(), json!(state.as_str()))).collect();
        let to_add: Vec<_> = report.to_add.iter().map(|(file, lines)| json!({"file": file, "lines": lines})).collect();
        let mut out = json!({"folder": report.folder.to_string_lossy(), "hooks": hooks});
        if !report.aside.is_empty() {
            out["aside"] = report.aside.iter().map(|file| file.to_string_lossy()).collect();
        }
        if let Some(manager) = report.manager {
            out["manager"] = json!(manager.name());
            out["to_add"] = json!(to_add);
        }
        return output::json(&out);
    }
    let mut text = format!("{}\n", quoted_file(&report.folder));
    if let Some(manager) = report.manager {
        text.push_str(&format!("  the hooks are {}'s\n", manager.name()));
    }
    for (name, state) in &report.hooks {
        text.push_str(&format!("  {name:<20} {}\n", state.as_str()));
    }
    for file in &report.aside {
        let file = quoted_file(file);
        text.push_str(&format!(
            "somebody had added something to redraft's script; it is in {file}: take it from there\n"
        ));
    }
    for (file, lines) in &report.to_add {
        text.push_str(&format!("add to {} (or run `redraft hooks install --into` with it):\n", file.display()));
        lines.lines().for_each(|line| text.push_str(&format!("    {line}\n")));
    }
    text
}
