//! `redraft log`.

use super::context::Context;
use super::date::DateForm;
use super::format::{self, Format};
use super::page::{Page, Paging};
use super::search::SearchArgs;
use super::selection::SelectionArgs;
use super::stat::{self, StatArgs};
use super::waiting::Waiting;
use super::{output, records};
use crate::env::Env;
use crate::error::Error;
use crate::history::{
    Among, Detail, History, Item, LogQuery, Logged, Range, Scope, file_diff, near_paths, record_form,
};
use crate::path::RepoPath;
use crate::usecase::{names, written};
use crate::workspace::Workspace;
use clap::Args;
use std::path::PathBuf;
use std::process::ExitCode;

/// The records of what agents did here, newest first
///
/// With A..B, only those after the record A, up to the record B; where A and B are git commits, those that they hold as git
/// log A..B lists them. What is undone is struck through where there are colours, and said in any case.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  redraft log -5 --stat
  redraft log src/a.rs docs --oneline
  redraft log --agent claude --since yesterday --patch
  redraft log kzlm..                 # all after this one
  redraft log main..HEAD             # those in the commits of this branch
  redraft log -S connect_timeout     # who added this text, or removed it
  redraft log --commit HEAD          # which records are in this commit?
  redraft log --format='%h %an, %ar: %s'
  redraft log --json | jq -r 'select(.undone_by == null) | .id'")]
pub(crate) struct LogArgs {
    /// Only records that touched these files or directories; or a range of records or commits, A..B
    #[arg(value_name = "PATH|A..B", allow_negative_numbers = true)]
    paths: Vec<PathBuf>,
    /// The same, whatever they look like
    #[arg(value_name = "PATH", last = true)]
    behind: Vec<PathBuf>,
    #[command(flatten)]
    selection: SelectionArgs,
    #[command(flatten)]
    search: SearchArgs,
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
    #[command(flatten)]
    stat: StatArgs,
    /// With the diff of each
    #[arg(short, long)]
    patch: bool,
    /// As oneline, as medium, or by git's placeholders: %h %s %an %ar and others
    #[arg(long, value_name = "FORMAT", visible_alias = "pretty", value_parser = Format::parse, conflicts_with = "oneline")]
    format: Option<Format>,
    /// Dates as relative, local, iso, iso-strict, rfc, short, raw, unix, or format:%Y-%m-%d
    #[arg(long, value_name = "FORM", value_parser = DateForm::parse)]
    date: Option<DateForm>,
    /// One JSON object a line
    #[arg(long, conflicts_with_all = ["oneline", "stat", "numstat", "patch", "format", "date"])]
    json: bool,
}

impl LogArgs {
    pub(super) fn run(self, context: &Context) -> ExitCode {
        let mut query = LogQuery::default();
        if let Err(why) = self.search.add_patterns(&mut query) {
            return output::usage(&anyhow::Error::msg(why));
        }
        let json = self.json;
        match self.print(query, context) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => output::error(&error, json.into()),
        }
    }

    fn print(&self, mut query: LogQuery, context: &Context) -> Result<(), Error> {
        let workspace = Workspace::discover(&context.env)?;
        let history = History::open(workspace.repo())?;
        let mut words = Words::read(&self.paths, &context.env);
        words.paths.extend_from_slice(&self.behind);
        let paths = super::paths::parse_in(&words.paths, workspace.repo())?;
        query.scope = if self.all { Scope::All } else { Scope::Own };
        query.paths = names(&workspace, paths.clone());
        query = query.with_earlier_names(&history);
        query.selection = self.selection.selection(&context.env);
        query.limit = words.limit.or(self.limit);
        self.search.add_to(&mut query, (&context.env, workspace.repo()))?;
        match words.range.map(|range| range.among(&history)).transpose()? {
            Some(Among::Records(between)) => query.between = Some(between),
            Some(Among::Commits(mut commits)) => {
                commits.retain(|id| query.commits.as_ref().is_none_or(|wanted| wanted.contains(id)));
                query.commits = Some(commits);
            }
            None => {}
        }
        let waiting = Waiting::for_what("looking through the history", self.json.into());
        let mut found: Box<dyn Iterator<Item = _>> = match query.commits {
            Some(_) if !self.all => Box::new(query.of_commits(&history)?.into_iter().map(Ok)),
            _ => Box::new(query.run(&history)?),
        };
        if self.reverse {
            let mut all: Vec<_> = found.collect();
            all.reverse();
            found = Box::new(all.into_iter());
        }
        // From here on the terminal is the pager's.
        let mut found = found.peekable();
        found.peek();
        drop(waiting);
        let mut page = Page::open(&workspace, Paging::unless(self.json.into()));
        let mut count = 0;
        for logged in found {
            count += 1;
            if !self.put(&history, &logged?, &mut page, count)? {
                break;
            }
        }
        if count == 0 || paths.len() > 1 {
            output::warn(&untouched(&workspace, &history, &query, &paths)?);
        }
        output::warn_of(&history);
        Ok(())
    }

    /// The record that comes as number `count`; whether more is wanted.
    fn put(&self, history: &History<'_>, logged: &Logged, page: &mut Page, count: usize) -> Result<bool, Error> {
        let item = &logged.item;
        if self.json {
            return Ok(page.put_json(&record_form(history, logged, &item.record, Detail::Summary)));
        }
        let is_first = count == 1;
        let mut text = match &self.format {
            Some(Format::Own { parts, is_separated }) => {
                let shown = format::shown(page, logged, parts, self.date.as_ref());
                match (is_separated, is_first) {
                    (false, _) => format!("{shown}\n"),
                    (true, true) => shown,
                    (true, false) => format!("\n{shown}"),
                }
            }
            _ if self.is_oneline() => records::oneline(page, logged, &item.record),
            _ => {
                let gap = if is_first { "" } else { "\n" };
                format!("{gap}{}", records::full(page, logged, &item.record, self.date.as_ref()))
            }
        };
        if self.stat.is_wanted() {
            let gap = if self.is_oneline() { "" } else { "\n" };
            text.push_str(&format!("{gap}{}", self.stat.told(page, &stat::of_record(history, item, &item.record))));
        }
        Ok(page.put(&text) && (!self.patch || self.put_patch(history, item, page)?))
    }

    fn is_oneline(&self) -> bool {
        self.oneline || self.format == Some(Format::Oneline)
    }

    fn put_patch(&self, history: &History<'_>, item: &Item, page: &mut Page) -> Result<bool, Error> {
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

/// What stands among the paths.
#[derive(Default)]
struct Words {
    /// `-5` is no path, but how many records are wanted.
    limit: Option<usize>,
    /// `A..B` neither, unless there is a file of this name.
    range: Option<Range>,
    paths: Vec<PathBuf>,
}

impl Words {
    fn read(words: &[PathBuf], env: &Env) -> Self {
        let mut out = Self::default();
        for word in words {
            let text = word.to_str().unwrap_or_default();
            let limit = text.strip_prefix('-').and_then(|number| number.parse().ok());
            let is_path = || text.split('/').any(|part| part == "..") || env.cwd().join(word).exists();
            let range = Range::read(text).ok().filter(|_| !is_path());
            match (limit, range) {
                (Some(limit), _) => out.limit = Some(limit),
                (None, Some(range)) if out.range.is_none() => out.range = Some(range),
                _ => out.paths.push(word.clone()),
            }
        }
        out
    }
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
        let all = all.with_earlier_names(history);
        if all.run(history)?.next().is_some() {
            continue;
        }
        let written = |path: &RepoPath| written(path, workspace.repo());
        let near: Vec<String> = near_paths(history, query.scope, path)?.iter().map(written).collect();
        let name = path.file_name().to_string();
        let elsewhere = LogQuery { scope: Scope::All, ..all };
        if query.scope == Scope::Own && elsewhere.run(history)?.next().is_some() {
            told.push(format!("no record of this worktree touched {}; --all shows those of others", written(path)));
            continue;
        }
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
