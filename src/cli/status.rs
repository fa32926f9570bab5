//! `redraft status`.

use super::context::Context;
use super::page::{Page, Paging};
use super::{output, records};
use crate::error::Error;
use crate::history::{ChangeRecord, History, Status, status};
use crate::text::{one_line, quoted_path};
use crate::workspace::Workspace;
use anstyle::AnsiColor;
use clap::Args;
use std::process::ExitCode;

/// What is in flight, and what agents changed since HEAD, undone or not
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  redraft status
  redraft status --json | jq '.agent_changes[].path'")]
pub(crate) struct StatusArgs {
    /// One JSON object
    #[arg(long)]
    json: bool,
}

impl StatusArgs {
    pub(super) fn run(self, context: &Context) -> ExitCode {
        match self.print(context) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => output::error(&error, self.json.into()),
        }
    }

    fn print(&self, context: &Context) -> Result<(), Error> {
        let workspace = Workspace::discover(&context.env)?;
        let history = History::open(workspace.repo())?;
        let found = status(&history, &|path| crate::usecase::read::file_of(&workspace, path))?;
        let mut page = Page::open(&workspace, Paging::unless(self.json.into()));
        if self.json {
            page.put_json(&found);
        } else {
            let text = told(&page, &found);
            page.put(&text);
        }
        output::warn(&history.notes());
        output::warn(&workspace.settings()?.warnings.iter().map(ToString::to_string).collect::<Vec<_>>());
        Ok(())
    }
}

fn told(page: &Page, found: &Status) -> String {
    let mut out = String::new();
    for flight in &found.in_flight {
        let paths: Vec<_> = flight.paths.iter().map(|path| quoted_path(path)).collect();
        let line = format!("unfinished: {} ({})\n", flight.id, paths.join(", "));
        out.push_str(&page.paint.colour(&line, AnsiColor::Red));
    }
    if !found.in_flight.is_empty() {
        out.push_str("  (if no redraft is running, `redraft recover` finishes or takes it back)\n\n");
    }
    if found.agent_changes.is_empty() {
        out.push_str("no changes of agents since HEAD\n");
        return out;
    }
    out.push_str("Changes of agents since HEAD:\n  (`redraft show ID` shows one, `redraft undo ID` takes it back)\n");
    for change in &found.agent_changes {
        let state = change.state.map_or("deleted".to_owned(), |state| format!("{state:?}").to_lowercase());
        let path = page.paint.colour(&quoted_path(&change.path), AnsiColor::Green);
        out.push_str(&format!("\n  {state}: {path}\n"));
        for record in &change.records {
            out.push_str(&format!("      {}\n", one(page, record)));
        }
    }
    out
}

fn one(page: &Page, record: &ChangeRecord) -> String {
    let id = page.paint.colour(records::short(&record.id), AnsiColor::Yellow);
    let agent = one_line(record.agent.as_deref().unwrap_or("an agent"));
    let undone = record.undone_by.as_ref().map_or(String::new(), |by| format!(" (undone by {})", records::short(by)));
    format!("{id} {agent}, {}{undone}", record.time)
}
