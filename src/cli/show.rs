//! `redraft show`.

use super::context::Context;
use super::page::{Page, Paging};
use super::{output, records};
use crate::error::Error;
use crate::history::{Detail, Effect, History, Item, Logged, commits_of, file_diff, file_hunks, record_form};
use crate::record::TextsKept;
use crate::text::quoted_path;
use crate::workspace::Workspace;
use clap::Args;
use std::process::ExitCode;

/// One record: who, when, why, and its diff with numbered hunks
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  redraft show               # the newest
  redraft show kzlm
  redraft show @-2 --json")]
pub(crate) struct ShowArgs {
    /// Records: ids, the unique beginning of one, @ (the newest), @-, @-N; by default @
    #[arg(value_name = "ID")]
    ids: Vec<String>,
    /// One JSON object a line
    #[arg(long)]
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
        let newest = ["@".to_owned()];
        let ids = if self.ids.is_empty() { &newest[..] } else { &self.ids };
        let found: Vec<(Item, Effect)> = ids.iter().map(|id| history.find_with_effect(id)).collect::<Result<_, _>>()?;
        let mut page = Page::open(&workspace, Paging::unless(self.json.into()));
        for (item, effect) in found {
            let record = history.full(&item)?;
            let commits = commits_of(&history, [&item]).pop().unwrap_or_default();
            let logged = Logged { item, effect, commits };
            if self.json {
                page.put_json(&record_form(&history, &logged, &record, Detail::Full));
                continue;
            }
            let Logged { item, effect, commits } = &logged;
            let mut text = records::full(&page, (item, &record), effect, commits);
            text.push('\n');
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
                    text.push_str(&format!(
                        "{}: its texts are not kept ({why})\n",
                        quoted_path(&file.path.to_string_lossy())
                    ));
                    continue;
                }
                text.push_str(&records::diff(&page, &file_diff(file, &texts).text, Some(next)));
                next += records::count(&file_hunks(file, &texts));
            }
            page.put(&text);
        }
        output::warn_of(&history);
        Ok(())
    }
}
