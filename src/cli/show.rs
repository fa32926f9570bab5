//! `redraft show`.

use super::context::Context;
use super::output::{self, Form};
use super::page::{Page, Paging};
use super::selection::SelectionArgs;
use super::stat::{self, StatArgs};
use super::{paths, records};
use crate::error::Error;
use crate::history::{
    Between, Detail, History, HistoryError, LogQuery, Logged, as_of, commits_of, file_diff, file_hunks, record_form,
};
use crate::path::RepoPath;
use crate::record::TextsKept;
use crate::text::quoted_path;
use crate::workspace::Workspace;
use bstr::ByteSlice;
use clap::Args;
use std::ffi::OsString;
use std::process::ExitCode;

/// One record: who, when, why, and its diff with numbered hunks
///
/// With A..B, all records after A up to B, newest first. With ID:PATH, the bytes of that file as it was right after the record. With an agent, a session, a turn or a time, all
/// records that fit, newest first.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  redraft show               # the newest
  redraft show kzlm
  redraft show kzlm:src/a.rs # the file as it was right after it
  redraft show --stat kzlm   # only which files, and how many lines
  redraft show kzlm..@       # all after kzlm, newest first
  redraft show --session s1 --turn t3
  redraft show @-2 --json")]
pub(crate) struct ShowArgs {
    /// Records: ids, the unique beginning of one, @ (the newest), @-, @-N; by default @. With :PATH, from the root on (or
    /// with ./ from here on), that file
    #[arg(value_name = "ID[:PATH]", conflicts_with = "selection")]
    ids: Vec<OsString>,
    #[command(flatten)]
    selection: SelectionArgs,
    #[command(flatten)]
    stat: StatArgs,
    /// One JSON object a line
    #[arg(long, conflicts_with_all = ["stat", "numstat"])]
    json: bool,
}

impl ShowArgs {
    pub(super) fn run(self, context: &Context) -> ExitCode {
        match self.print(context) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => output::error(&error, self.json.into()),
        }
    }

    fn print(&self, context: &Context) -> Result<(), Error> {
        let workspace = Workspace::discover(&context.env)?;
        let history = History::open(workspace.repo())?;
        if self.ids.iter().any(|id| id.as_encoded_bytes().contains(&b':')) {
            return self.print_files(&workspace, &history);
        }
        let selection = self.selection.selection(&context.env);
        let mut page = Page::open(&workspace, Paging::unless(self.json.into()));
        if selection.is_all() {
            let newest = [OsString::from("@")];
            for id in if self.ids.is_empty() { &newest[..] } else { &self.ids } {
                let name = id.to_string_lossy();
                if let Some(between) = Between::read(&name) {
                    self.put_all(&history, &LogQuery { between: Some(between), ..LogQuery::default() }, &mut page)?;
                    continue;
                }
                let (item, effect) = history.find_with_effect(&name)?;
                let commits = commits_of(&history, [&item]).pop().unwrap_or_default();
                let mark = history.mark_of(&item.record.id);
                self.put(&history, &Logged { item, effect, commits, mark }, &mut page)?;
            }
        } else {
            self.put_all(&history, &LogQuery { selection, ..LogQuery::default() }, &mut page)?;
        }
        output::warn_of(&history);
        Ok(())
    }

    fn put_all(&self, history: &History<'_>, query: &LogQuery, page: &mut Page) -> Result<(), Error> {
        for logged in query.run(history)? {
            if !self.put(history, &logged?, page)? {
                break;
            }
        }
        Ok(())
    }

    /// Whether more is wanted.
    fn put(&self, history: &History<'_>, logged: &Logged, page: &mut Page) -> Result<bool, Error> {
        let item = &logged.item;
        let record = history.full(item)?;
        if self.json {
            return Ok(page.put_json(&record_form(history, logged, &record, Detail::Full)));
        }
        let mut text = records::full(page, logged, &record, None);
        text.push('\n');
        if self.stat.is_wanted() {
            text.push_str(&self.stat.told(page, &stat::of_record(history, item, &record)));
            return Ok(page.put(&text));
        }
        let mut next = 1;
        for (n, file) in record.files.iter().enumerate() {
            let texts = history.texts(item, &record, n)?;
            if file.kept != TextsKept::Stored && texts.after().is_none() {
                let why = match file.kept {
                    TextsKept::Ignored => "git ignores it",
                    TextsKept::Large => "it is large",
                    TextsKept::Lost => "they were gone when the record was sealed",
                    TextsKept::Purged | TextsKept::Stored => "they were purged",
                };
                let path = quoted_path(&file.path).into_owned();
                text.push_str(&format!("{path}: its texts are not kept ({why})\n"));
                continue;
            }
            text.push_str(&records::diff(page, &file_diff(file, &texts).text, Some(next)));
            next += records::count(&file_hunks(file, &texts));
        }
        Ok(page.put(&text))
    }

    /// The files of `ID:PATH`, one behind the other, as `git show` has them.
    fn print_files(&self, workspace: &Workspace, history: &History<'_>) -> Result<(), Error> {
        let mut page = Page::open(workspace, Paging::unless(Form::Json));
        for name in &self.ids {
            let name = <[u8]>::from_os_str(name).unwrap_or_default();
            let (id, path) = name.split_once_str(":").unwrap_or((name, b""));
            // As `git show` has it: from the root on, unless it begins with a dot.
            let path = match path.starts_with(b"./") || path.starts_with(b"../") {
                true => paths::one(&path.to_path_lossy(), workspace.repo())?,
                false => RepoPath::new(path)?,
            };
            let id = if id.is_empty() { "@".into() } else { id.to_str_lossy() };
            let found = as_of(history, &history.find(&id)?, &path)?;
            if let Some(last) = &found.differs_from {
                output::warn(&[format!(
                    "something else changed {path} between {last} and {}; shown as the second found it",
                    found.told_by
                )]);
            }
            let absent = || HistoryError::NoFileThen { path: path.to_string_lossy(), record: found.told_by.clone() };
            let file = found.file.as_ref().ok_or_else(absent)?;
            if self.json {
                let told = serde_json::json!({
                    "told_by": found.told_by, "differs_from": found.differs_from, "mode": file.mode,
                    "size_bytes": file.bytes.len(), "text": String::from_utf8(file.bytes.clone()).ok(),
                });
                page.put_json(&paths::json(&path, told));
            } else {
                output::print_content(&file.bytes);
            }
        }
        Ok(())
    }
}
