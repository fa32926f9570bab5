//! `redraft log`.

use super::context::Context;
use super::page::{Page, Paging};
use super::selection::SelectionArgs;
use super::when::{self, When};
use super::{output, records, stat};
use crate::error::Error;
use crate::history::{Detail, History, Item, LogQuery, Logged, Scope, file_diff, line_counts, near_paths, record_form};
use crate::path::RepoPath;
use crate::record::{RecordClass, RecordFile};
use crate::text::quoted_path;
use crate::usecase::names;
use crate::workspace::Workspace;
use clap::Args;
use std::path::PathBuf;
use std::process::ExitCode;

/// The records of what agents did here, newest first
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  redraft log -5 --stat
  redraft log src/a.rs docs --oneline
  redraft log --agent claude --since yesterday --patch
  redraft log --json | jq -r 'select(.undone_by == null) | .id'")]
pub(crate) struct LogArgs {
    /// Only records that touched these files or directories
    #[arg(value_name = "PATH", allow_negative_numbers = true)]
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
    /// At most so many; -N for short
    #[arg(short = 'n', long = "max-count", value_name = "N")]
    limit: Option<usize>,
    /// Those of all worktrees and clones
    #[arg(long)]
    all: bool,
    /// The oldest first
    #[arg(long)]
    reverse: bool,
    /// One line a record
    #[arg(long)]
    oneline: bool,
    /// With the files of each, and how many lines of them changed
    #[arg(long)]
    stat: bool,
    /// With the diff of each
    #[arg(short, long)]
    patch: bool,
    /// One JSON object a line
    #[arg(long, conflicts_with_all = ["oneline", "stat", "patch"])]
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
        let (limit, paths) = limit_and_paths(&self.paths);
        let paths = super::paths::parse_in(&paths, workspace.repo())?;
        let query = LogQuery {
            scope: if self.all { Scope::All } else { Scope::Own },
            paths: names(&workspace, paths.clone()),
            selection: self.selection.selection(&context.env),
            until_ms: self.until.map(|when| when.in_ms(&context.env)),
            grep: self.grep.clone(),
            kinds: self.kind.clone(),
            limit: limit.or(self.limit),
            ..LogQuery::default()
        };
        let mut page = Page::open(&workspace, Paging::unless(self.json.into()));
        let mut found: Box<dyn Iterator<Item = _>> = Box::new(query.run(&history)?);
        if self.reverse {
            let mut all: Vec<_> = found.collect();
            all.reverse();
            found = Box::new(all.into_iter());
        }
        let mut count = 0;
        for logged in found {
            count += 1;
            if !self.put(&history, &logged?, &mut page, count)? {
                break;
            }
        }
        if count == 0 {
            output::warn(&untouched(&workspace, &history, &query, &paths)?);
        }
        output::warn_of(&history);
        Ok(())
    }

    /// The record that comes as number `count`; whether more is wanted.
    fn put(&self, history: &History<'_>, logged: &Logged, page: &mut Page, count: usize) -> Result<bool, Error> {
        let Logged { item, effect, commits } = logged;
        if self.json {
            return Ok(page.put_json(&record_form(history, logged, &item.record, Detail::Summary)));
        }
        let mut text = if self.oneline {
            records::oneline(page, (item, &item.record), effect, commits)
        } else {
            let gap = if count == 1 { "" } else { "\n" };
            format!("{gap}{}", records::full(page, (item, &item.record), effect, commits))
        };
        if self.stat {
            let gap = if self.oneline { "" } else { "\n" };
            text.push_str(&format!("{gap}{}", stat::stat(page, &rows(history, item))));
        }
        Ok(page.put(&text) && (!self.patch || self.put_patch(history, item, page)?))
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

/// `-5` is no path, but how many records are wanted.
fn limit_and_paths(words: &[PathBuf]) -> (Option<usize>, Vec<PathBuf>) {
    let limit = |word: &PathBuf| word.to_str()?.strip_prefix('-')?.parse().ok();
    let paths = words.iter().filter(|word| limit(word).is_none()).cloned().collect();
    (words.iter().rev().find_map(limit), paths)
}

fn rows(history: &History<'_>, item: &Item) -> Vec<stat::Row> {
    let record = &item.record;
    let name = |file: &RecordFile| match &file.from {
        Some(from) => format!("{} => {}", from.to_string_lossy(), file.path.to_string_lossy()),
        None => file.path.to_string_lossy(),
    };
    let files = record.files.iter().enumerate();
    files.map(|(n, file)| (name(file), line_counts(history, item, record, n))).collect()
}

/// What is to be said where nothing was found: which of the paths nothing touched, and which may be meant.
fn untouched(
    workspace: &Workspace,
    history: &History<'_>,
    query: &LogQuery,
    paths: &[RepoPath],
) -> Result<Vec<String>, Error> {
    let mut told = Vec::new();
    for path in paths {
        let all = LogQuery {
            scope: query.scope,
            paths: names(workspace, vec![path.clone()]),
            limit: Some(1),
            ..LogQuery::default()
        };
        if all.run(history)?.next().is_some() {
            continue;
        }
        let written = |path: &RepoPath| quoted_path(&super::paths::written(path, workspace.repo())).into_owned();
        let near: Vec<String> = near_paths(history, query.scope, path)?.iter().map(written).collect();
        let name = path.file_name().to_string();
        let next = match near.is_empty() {
            false => format!("; did you mean {}?", near.join(" or ")),
            true if path.parent().is_none() && history.find(&name).is_ok() => {
                format!("; {name} is a record, which `redraft show {name}` shows")
            }
            true => String::new(),
        };
        told.push(format!("no record touched {}{next}", written(path)));
    }
    Ok(told)
}
