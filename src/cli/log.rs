//! `redraft log`.

use super::context::Context;
use super::page::{Page, Paging};
use super::selection::SelectionArgs;
use super::when::{self, When};
use super::{output, records};
use crate::error::Error;
use crate::history::{Detail, History, LogQuery, Logged, Scope, file_diff, record_form};
use crate::record::RecordClass;
use crate::usecase::names;
use crate::workspace::Workspace;
use clap::Args;
use std::path::PathBuf;
use std::process::ExitCode;

/// The records of what agents did here, newest first
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  redraft log -n 5
  redraft log src/a.rs docs --oneline
  redraft log --agent claude --since yesterday --patch
  redraft log --json | jq -r 'select(.undone_by == null) | .id'")]
pub(crate) struct LogArgs {
    /// Only records that touched these files or directories, relative to the root
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    selection: SelectionArgs,
    /// Only until then
    #[arg(long, value_name = "TIME", value_parser = when::parse)]
    until: Option<When>,
    /// Only those whose message has this text
    #[arg(long, value_name = "TEXT")]
    grep: Option<String>,
    /// Only of this sort: edit, undo, redo, external
    #[arg(long, value_name = "KIND", value_parser = records::kind_of)]
    kind: Vec<RecordClass>,
    /// At most so many
    #[arg(short = 'n', long = "max-count", value_name = "N")]
    limit: Option<usize>,
    /// Those of all worktrees and clones
    #[arg(long)]
    all: bool,
    /// One line a record
    #[arg(long)]
    oneline: bool,
    /// With the diff of each
    #[arg(short, long)]
    patch: bool,
    /// One JSON object a line
    #[arg(long, conflicts_with_all = ["oneline", "patch"])]
    json: bool,
}

impl LogArgs {
    pub(super) fn run(self, context: &Context) -> ExitCode {
        let json = self.json;
        match self.print(context) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => output::error(&error, json.into()),
        }
    }

    fn print(self, context: &Context) -> Result<(), Error> {
        let workspace = Workspace::discover(&context.env)?;
        let history = History::open(workspace.repo())?;
        let query = LogQuery {
            scope: if self.all { Scope::All } else { Scope::Own },
            paths: names(&workspace, super::paths::parse(&self.paths)?),
            selection: self.selection.selection(&context.env),
            until_ms: self.until.map(|when| when.in_ms(&context.env)),
            grep: self.grep.clone(),
            kinds: self.kind.clone(),
            limit: self.limit,
        };
        let mut page = Page::open(&workspace, Paging::unless(self.json.into()));
        let mut first = true;
        for one in query.run(&history)? {
            let logged = one?;
            let Logged { item, effect, commits } = &logged;
            let goes_on = if self.json {
                page.put_json(&record_form(&history, &logged, &item.record, Detail::Summary))
            } else if self.oneline {
                let line = records::oneline(&page, (item, &item.record), effect, commits);
                page.put(&line)
            } else {
                let text = records::full(&page, (item, &item.record), effect, commits);
                let gap = if first { "" } else { "\n" };
                page.put(&format!("{gap}{text}"))
            };
            first = false;
            if !goes_on || (self.patch && !self.put_patch(&history, item, &mut page)?) {
                break;
            }
        }
        output::warn_of(&history);
        Ok(())
    }

    fn put_patch(&self, history: &History<'_>, item: &crate::history::Item, page: &mut Page) -> Result<bool, Error> {
        let Some(record) = history.full_if_whole(item) else { return Ok(true) };
        page.put("\n");
        for (n, file) in record.files.iter().enumerate() {
            let diff = file_diff(file, &history.texts_if_whole(item, &record, n));
            let text = records::diff(page, &diff.text, None);
            if !page.put(&text) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
