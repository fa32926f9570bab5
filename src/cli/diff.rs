//! `redraft diff`.

use super::context::Context;
use super::page::{Page, Paging};
use super::paint::Paint;
use super::selection::SelectionArgs;
use super::{output, records};
use crate::error::Error;
use crate::history::{History, Item, Selection, Together, diff_between, diff_of_several, file_diff};
use crate::id::RecordId;
use crate::workspace::Workspace;
use clap::Args;
use std::io::IsTerminal;
use std::process::ExitCode;

/// What a record changed, or what lies between two
///
/// With one record: from before it to after it. With two: from after the first to after the second, in the files that
/// either of them touched. With an agent, a session, a turn or a time: what all these records did together, without what
/// others did to the files in between; what was undone of it is no difference.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  redraft diff kzlm | git apply -R
  redraft diff @-3 @
  redraft diff --session s1            # what it did as a whole
  redraft diff --session s1 --turn t3
  redraft diff --since kzlm            # from before this record on")]
pub(crate) struct DiffArgs {
    /// A record: an id, the unique beginning of one, @ (the newest), @-, @-N
    #[arg(value_name = "ID", conflicts_with = "selection", required_unless_present = "selection")]
    first: Option<String>,
    /// A second one
    #[arg(value_name = "ID")]
    second: Option<String>,
    #[command(flatten)]
    selection: SelectionArgs,
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
        let text = match &self.first {
            Some(first) => self.between(&history, &history.find(first)?)?,
            None => together(&history, &self.selection.selection(&context.env))?,
        };
        let mut page = Page::open(&workspace, Paging::OnTerminal);
        // A program (git apply) is given the text itself.
        let is_for_people = page.paint == Paint::Colour || std::io::stdout().is_terminal();
        let shown = if is_for_people { records::diff(&page, &text, None) } else { text };
        page.put(&shown);
        output::warn_of(&history);
        Ok(())
    }
    fn between(&self, history: &History<'_>, item: &Item) -> Result<String, Error> {
        if let Some(second) = &self.second {
            return Ok(diff_between(history, item, &history.find(second)?)?);
        }
        let record = history.full(item)?;
        let mut text = String::new();
        for (n, file) in record.files.iter().enumerate() {
            let shown = file_diff(file, &history.texts(item, &record, n)?);
            if shown.lossy {
                output::warn(&[lossy_of(&file.path.to_string_lossy())]);
            }
            text.push_str(&shown.text);
        }
        Ok(text)
    }
}

/// That `git apply` would not take it.
fn lossy_of(path: &str) -> String {
    format!(
        "{path} has bytes that are no UTF-8, which are shown as U+FFFD: this is no patch of it; give its encoding with the edit, or use `redraft undo`"
    )
}

fn together(history: &History<'_>, selection: &Selection) -> Result<String, Error> {
    let Together { text, mixed, left_out, lossy, shared } = diff_of_several(history, selection)?;
    let mixed = mixed
        .iter()
        .map(|path| format!("others changed the same lines of {path} in between; what they did there is shown, too"));
    let left_out = left_out.iter().map(|path| format!("{path} is left out: not all of its texts are kept"));
    let lossy = lossy.iter().map(|path| lossy_of(&path.to_string_lossy()));
    let shared = (!shared.is_empty()).then(|| {
        format!(
            "left out, as somebody else may have made it: {}; `redraft show` tells whose it may be",
            RecordId::listed(&shared)
        )
    });
    output::warn(&mixed.chain(left_out).chain(lossy).chain(shared).collect::<Vec<_>>());
    Ok(text)
}
