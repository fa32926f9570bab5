//! `redraft undo`.

use super::ask;
use super::context::Context;
use super::output::{self, AnswerForm};
use super::selection::{self, SelectionArgs};
use super::when;
use crate::history::{Misfits, Select, Selection, UndoRequest};
use crate::request::RecordKind;
use crate::usecase::undo::{UndoOptions, undo};
use crate::usecase::{Place, Programs};
use clap::Args;
use serde_json::{Map, Value, json};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// Undo edits, and keep everything that came later
///
/// Without an id: the newest edit of this worktree that is in force, so that repeated `undo` steps back. Only what the
/// record itself changed is taken back; later changes of anybody stay, in the same file and in the same line. What does
/// not fit any more is refused, with the hunks named, and nothing is written. An undo is a record of its own, and can be
/// undone (`redraft redo`).
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  redraft undo                       # the newest edit in force
  redraft undo @-2                   # the one two before the newest record
  redraft undo kzlm nopq             # these two
  redraft undo --session s1 --dry-run
  redraft undo --turn t3             # what one prompt led to
  redraft undo kzlm -- src/a.rs      # only in this file
  redraft undo kzlm --hunk 2         # only this hunk, as `redraft show kzlm` numbers them
  redraft undo --since yesterday --agent claude
  redraft undo --since kzlm          # this record, and all that came after it")]
pub(crate) struct UndoArgs {
    /// Records: ids, the unique beginning of one, @ (the newest), @-, @-N
    #[arg(value_name = "ID", conflicts_with = "selection")]
    ids: Vec<String>,
    #[command(flatten)]
    selection: SelectionArgs,
    /// Only in these files or directories, relative to the root
    #[arg(value_name = "PATH", last = true)]
    paths: Vec<PathBuf>,
    /// Only this hunk of the record, counted from 1 through all its files
    #[arg(long, value_name = "N")]
    hunk: Option<usize>,
    /// Where something does not fit, put both versions between conflict markers instead of refusing
    #[arg(long)]
    markers: bool,
    /// Where something does not fit, leave that file as it is and do the rest; the answer lists what was left. Without an
    /// id: step over the records that do not fit, to the newest that does
    #[arg(long, conflicts_with = "markers")]
    skip_conflicts: bool,
    #[command(flatten)]
    common: UndoCommon,
}

/// What undo and redo have in common.
#[derive(Debug, Args)]
pub(super) struct UndoCommon {
    /// Only show what would be done; write nothing at all
    #[arg(long)]
    dry_run: bool,
    /// Where to record: history, commit
    #[arg(long, value_name = "KIND", value_parser = record)]
    record: Option<RecordKind>,
    /// What to say in the record
    #[arg(long, value_name = "TEXT")]
    message: Option<String>,
    /// How long to wait for another redraft, in seconds; 0 is not at all
    #[arg(long, value_name = "SECONDS", value_parser = when::seconds)]
    lock_timeout: Option<Duration>,
    /// Most lines of the diff preview; 0 is no limit
    #[arg(long, value_name = "N")]
    diff_lines: Option<usize>,
    /// Most bytes of the diff preview; 0 is no limit
    #[arg(long, value_name = "N")]
    diff_bytes: Option<usize>,
    /// How to print the answer [default: text on a terminal, envelope elsewhere]
    #[arg(long, value_name = "FORM", value_enum)]
    answer: Option<AnswerForm>,
}

impl UndoArgs {
    pub(super) fn run(self, context: &Context) -> ExitCode {
        let selection = self.selection.selection(context);
        let params = self.params(&selection);
        let paths = match super::paths::parse(&self.paths) {
            Ok(paths) => paths,
            Err(error) => return self.common.refuse(context, &error.into(), params),
        };
        let select = if !self.ids.is_empty() {
            Select::Named(self.ids)
        } else if selection.is_all() {
            Select::Newest
        } else {
            Select::Matching(selection)
        };
        let misfits = misfits(self.markers.then_some(Misfits::Marked), self.skip_conflicts.then_some(Misfits::Skipped));
        let request = UndoRequest { select, paths, hunk: self.hunk, misfits };
        self.common.run(context, &request, params)
    }

    /// The arguments as an object, for `params_input`.
    fn params(&self, selection: &Selection) -> Value {
        let mut out = Map::new();
        if !self.ids.is_empty() {
            out.insert("ids".into(), json!(self.ids));
        }
        if !self.paths.is_empty() {
            let paths: Vec<_> = self.paths.iter().map(|path| path.to_string_lossy()).collect();
            out.insert("paths".into(), json!(paths));
        }
        selection::add_params(selection, &mut out);
        if let Some(hunk) = self.hunk {
            out.insert("hunk".into(), json!(hunk));
        }
        if self.skip_conflicts {
            out.insert("skip_conflicts".into(), json!(true));
        }
        if self.markers {
            out.insert("markers".into(), json!(true));
        }
        self.common.add_params(&mut out);
        Value::Object(out)
    }
}

/// At most one is given.
pub(super) fn misfits(marked: Option<Misfits>, skipped: Option<Misfits>) -> Misfits {
    marked.or(skipped).unwrap_or_default()
}

impl UndoCommon {
    pub(super) fn run(self, context: &Context, request: &UndoRequest, params: Value) -> ExitCode {
        let form = AnswerForm::or_default(self.answer);
        let question = if request.select.is_redo() { "Redo this?" } else { "Undo this?" };
        let options = UndoOptions {
            dry_run: self.dry_run,
            record: self.record,
            message: self.message,
            agent: None,
            session: None,
            lock_timeout: self.lock_timeout,
            diff_lines: self.diff_lines,
            diff_bytes: self.diff_bytes,
            ask: None,
        };
        let place = Place {
            env: &context.env,
            ask: Some(&|diff| ask::on_terminal(diff, question, &context.env)),
            programs: Programs::Run,
            group: None,
        };
        output::envelope(context, &undo(&place, request, &options, params), form)
    }

    pub(super) fn refuse(&self, context: &Context, error: &crate::error::Error, params: Value) -> ExitCode {
        let envelope = crate::usecase::envelope_of_error(error, &context.env, params);
        output::envelope(context, &envelope, AnswerForm::or_default(self.answer))
    }

    pub(super) fn add_params(&self, out: &mut Map<String, Value>) {
        if self.dry_run {
            out.insert("dry_run".into(), json!(true));
        }
        if let Some(record) = self.record {
            out.insert("record".into(), json!(record.as_str()));
        }
        if let Some(message) = &self.message {
            out.insert("message".into(), json!(message));
        }
    }
}

fn record(name: &str) -> Result<RecordKind, String> {
    RecordKind::from_name(name).ok_or_else(|| "history, commit, stash or none".to_owned())
}
