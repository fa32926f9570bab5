//! `redraft diff`.

use super::context::Context;
use super::page::{Page, Paging};
use super::paint::Paint;
use super::selection::SelectionArgs;
use super::stat::{self, StatArgs};
use super::{output, records};
use crate::error::Error;
use crate::history::{
    Between, FileDiff, History, Item, Selection, Together, as_text, diff_between, diff_of_several, file_diff,
    lines_between,
};
use crate::id::RecordId;
use crate::text::quoted_path;
use crate::workspace::Workspace;
use clap::Args;
use std::io::IsTerminal;
use std::process::ExitCode;

/// What a record changed, or what lies between two
///
/// With one record: from before it to after it. With two, or A..B: from after the first to after the second, in the files that
/// either of them touched. With an agent, a session, a turn or a time: what all these records did together, without what
/// others did to the files in between; what was undone of it is no difference.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  redraft diff kzlm | git apply -R
  redraft diff @-3 @
  redraft diff kzlm..                  # from after kzlm to the newest
  redraft diff --stat --session s1     # which files, and how many lines
  redraft diff --session s1            # what it did as a whole
  redraft diff --session s1 --turn t3
  redraft diff --since kzlm            # from before this record on")]
pub(crate) struct DiffArgs {
    /// A record: an id, the unique beginning of one, @ (the newest), @-, @-N; or two of them as A..B
    #[arg(value_name = "ID", conflicts_with = "selection", required_unless_present = "selection")]
    first: Option<String>,
    /// A second one
    #[arg(value_name = "ID")]
    second: Option<String>,
    #[command(flatten)]
    selection: SelectionArgs,
    #[command(flatten)]
    stat: StatArgs,
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
        let files = match &self.first {
            Some(first) => self.between(&history, first)?,
            None => together(&history, &self.selection.selection(&context.env))?,
        };
        let mut page = Page::open(&workspace, Paging::OnTerminal);
        if self.stat.is_wanted() {
            let told = self.stat.told(&page, &stat::of_diff(&files));
            page.put(&told);
            output::warn_of(&history);
            return Ok(());
        }
        let lossy = files.iter().filter(|file| file.shown.lossy).map(|file| lossy_of(&quoted_path(&file.path)));
        output::warn(&lossy.collect::<Vec<_>>());
        let text = as_text(&files);
        // A program (git apply) is given the text itself.
        let is_for_people = page.paint == Paint::Colour || std::io::stdout().is_terminal();
        let shown = if is_for_people { records::diff(&page, &text, None) } else { text };
        page.put(&shown);
        output::warn_of(&history);
        Ok(())
    }

    fn between(&self, history: &History<'_>, first: &str) -> Result<Vec<FileDiff>, Error> {
        let ends = match (&self.second, Between::read(first)) {
            (Some(second), _) => Some((first.to_owned(), second.clone())),
            // A side that is left out is the newest record, as it is HEAD in git.
            (None, Some(Between { after, up_to })) => {
                let newest = || "@".to_owned();
                Some((after.unwrap_or_else(newest), up_to.unwrap_or_else(newest)))
            }
            (None, None) => None,
        };
        match ends {
            Some((first, second)) => Ok(diff_between(history, &history.find(&first)?, &history.find(&second)?)?),
            None => of_one(history, &history.find(first)?),
        }
    }
}

fn of_one(history: &History<'_>, item: &Item) -> Result<Vec<FileDiff>, Error> {
    let record = history.full(item)?;
    let mut files = Vec::new();
    for (n, file) in record.files.iter().enumerate() {
        let texts = history.texts(item, &record, n)?;
        let shown = file_diff(file, &texts);
        let lines = file.lines.or_else(|| lines_between(file, &texts));
        files.push(FileDiff { path: file.path.clone(), from: file.from.clone(), shown, lines });
    }
    Ok(files)
}

/// That `git apply` would not take it.
fn lossy_of(path: &str) -> String {
    format!(
        "{path} has bytes that are no UTF-8, which are shown as U+FFFD: this is no patch of it; give its encoding with the edit, or use `redraft undo`"
    )
}

fn together(history: &History<'_>, selection: &Selection) -> Result<Vec<FileDiff>, Error> {
    let Together { files, mixed, left_out, shared } = diff_of_several(history, selection)?;
    let mixed = mixed
        .iter()
        .map(|path| format!("others changed the same lines of {path} in between; what they did there is shown, too"));
    let left_out = left_out.iter().map(|path| format!("{path} is left out: not all of its texts are kept"));
    let shared = (!shared.is_empty()).then(|| {
        format!(
            "left out, as somebody else may have made it: {}; `redraft show` tells whose it may be",
            RecordId::listed(&shared)
        )
    });
    output::warn(&mixed.chain(left_out).chain(shared).collect::<Vec<_>>());
    Ok(files)
}
