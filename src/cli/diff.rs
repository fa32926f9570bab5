//! `redraft diff`.

use super::context::Context;
use super::page::{Page, Paging};
use super::paint::Paint;
use super::{output, records};
use crate::error::Error;
use crate::history::{History, diff_between, file_diff};
use crate::workspace::Workspace;
use clap::Args;
use std::io::IsTerminal;
use std::process::ExitCode;

/// What a record changed, or what lies between two
///
/// With one record: from before it to after it. With two: from after the first to after the second, in the files that
/// either of them touched.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  redraft diff kzlm | git apply -R
  redraft diff @-3 @")]
pub(crate) struct DiffArgs {
    /// A record: an id, the unique beginning of one, @ (the newest), @-, @-N
    #[arg(value_name = "ID")]
    first: String,
    /// A second one
    #[arg(value_name = "ID")]
    second: Option<String>,
}

impl DiffArgs {
    pub(super) fn run(self, context: &Context) -> ExitCode {
        match self.print(context) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => output::error(&error, output::Form::Text),
        }
    }

    fn print(&self, context: &Context) -> Result<(), Error> {
        let workspace = Workspace::discover(&context.env)?;
        let history = History::open(workspace.repo())?;
        let item = history.find(&self.first)?;
        let text = match &self.second {
            Some(second) => diff_between(&history, &item, &history.find(second)?)?,
            None => {
                let record = history.full(&item)?;
                let mut text = String::new();
                for (n, file) in record.files.iter().enumerate() {
                    text.push_str(&file_diff(file, &history.texts(&item, &record, n)?).text);
                }
                text
            }
        };
        let mut page = Page::open(&workspace, Paging::OnTerminal);
        // A program (git apply) is given the text itself.
        let is_for_people = page.paint == Paint::Colour || std::io::stdout().is_terminal();
        let shown = if is_for_people { records::diff(&page, &text, None) } else { text };
        page.put(&shown);
        output::warn_of(&history);
        Ok(())
    }
}
