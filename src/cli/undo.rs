//! `redraft undo`.

use super::ask;
use super::context::Context;
use super::output::{self, AnswerForm};
use super::paths::as_given;
use super::pick::{Picked, picked};
use super::selection::{self, SelectionArgs};
use super::when;
use crate::answer::Envelope;
use crate::env::Env;
use crate::history::{Misfits, Select, Selection, UndoRequest};
#[cfg(target_os = "linux")]
use crate::policy::Finding;
use crate::request::RecordKind;
#[cfg(target_os = "linux")]
use crate::serve::Turn;
#[cfg(target_os = "linux")]
use crate::usecase::undo::answer_of;
use crate::usecase::undo::{UndoOptions, undo};
use crate::usecase::{Place, Programs, envelope_of_error};
use clap::{Args, ValueHint};
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
  redraft undo --turn t3 --except src/a.rs   # all of it but in this file
  redraft undo -i                    # hunk by hunk, as git add -p asks
  redraft undo -i --session s1 -- src
  redraft undo kzlm --hunk 2         # only this hunk, as `redraft show kzlm` numbers them
  redraft undo --since yesterday --agent claude
  redraft undo --since kzlm          # this record, and all that came after it")]
pub(crate) struct UndoArgs {
    /// Records: ids, the unique beginning of one, @ (the newest), @-, @-N
    #[arg(value_name = "ID", conflicts_with = "selection")]
    ids: Vec<String>,
    #[command(flatten)]
    selection: SelectionArgs,
    /// Only in these files or directories
    #[arg(value_name = "PATH", last = true)]
    paths: Vec<PathBuf>,
    /// But not in this file or directory; may be given several times
    #[arg(long, value_name = "PATH", value_hint = ValueHint::AnyPath)]
    except: Vec<PathBuf>,
    /// Only this hunk of the record, counted from 1 through all its files
    #[arg(long, value_name = "N")]
    hunk: Option<usize>,
    /// Ask for each hunk on the terminal whether to undo it, as `git add -p` does; what does not fit is told and not asked for
    #[arg(short, long, conflicts_with_all = ["hunk", "markers"])]
    interactive: bool,
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
    pub(super) answer: Option<AnswerForm>,
}

impl UndoArgs {
    pub(super) fn run(self, context: &Context) -> ExitCode {
        let is_interactive = self.interactive;
        match self.wanted(&context.env) {
            Ok(wanted) if is_interactive => wanted.run_picked(context),
            Ok(wanted) => wanted.run(context),
            Err(refused) => output::envelope(context, &refused.0, AnswerForm::or_default(refused.1)),
        }
    }

    /// What is wanted, or the answer that refuses it.
    fn wanted(self, env: &Env) -> Result<Wanted, Box<(Envelope, Option<AnswerForm>)>> {
        let selection = self.selection.selection(env);
        let params = self.params(&selection);
        let parsed = super::paths::parse(&self.paths, env);
        let parsed = parsed.and_then(|paths| Ok((paths, super::paths::parts_of(&self.except, env)?)));
        let (paths, except) = match parsed {
            Ok(parsed) => parsed,
            Err(error) => {
                let envelope = envelope_of_error(&error, env, params);
                return Err(Box::new((envelope, self.common.answer)));
            }
        };
        let select = if !self.ids.is_empty() {
            Select::Named(self.ids)
        } else if selection.is_all() {
            Select::Newest
        } else {
            Select::Matching(selection)
        };
        let misfits = misfits(self.markers.then_some(Misfits::Marked), self.skip_conflicts.then_some(Misfits::Skipped));
        let request = UndoRequest { select, paths, except, hunk: self.hunk, misfits };
        Ok(Wanted { request, common: self.common, params })
    }

    /// Undoes for somebody else.
    #[cfg(target_os = "linux")]
    pub(super) fn served(self, turn: &mut Turn<'_>, env: &Env) -> (Envelope, AnswerForm) {
        let is_interactive = self.interactive;
        match self.wanted(env) {
            Ok(wanted) if is_interactive => {
                let refused = Finding::NotServed("a question").into();
                let form = wanted.common.answer.unwrap_or(AnswerForm::Envelope);
                (envelope_of_error(&refused, env, wanted.params), form)
            }
            Ok(wanted) => wanted.served(turn, env),
            Err(refused) => (refused.0, refused.1.unwrap_or(AnswerForm::Envelope)),
        }
    }

    /// The arguments as an object, for `params_input`.
    fn params(&self, selection: &Selection) -> Value {
        let mut out = Map::new();
        if !self.ids.is_empty() {
            out.insert("ids".into(), json!(self.ids));
        }
        if !self.paths.is_empty() {
            let paths: Vec<_> = self.paths.iter().map(|path| as_given(path)).collect();
            out.insert("paths".into(), json!(paths));
        }
        if !self.except.is_empty() {
            let except: Vec<_> = self.except.iter().map(|path| path.to_string_lossy()).collect();
            out.insert("except".into(), json!(except));
        }
        selection::add_params(selection, &mut out);
        if let Some(hunk) = self.hunk {
            out.insert("hunk".into(), json!(hunk));
        }
        if self.interactive {
            out.insert("interactive".into(), json!(true));
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

/// An undo or a redo, as its arguments say it.
pub(super) struct Wanted {
    pub request: UndoRequest,
    pub common: UndoCommon,
    /// The arguments as an object.
    pub params: Value,
}

impl Wanted {
    pub(super) fn run(self, context: &Context) -> ExitCode {
        let form = AnswerForm::or_default(self.common.answer);
        let question = if self.request.select.is_redo() { "Redo this?" } else { "Undo this?" };
        let place = Place {
            env: &context.env,
            ask: Some(&|diff| ask::on_terminal(diff, question, &context.env)),
            programs: Programs::Run,
            group: None,
        };
        let options = self.common.options();
        output::envelope(context, &undo(&place, &self.request, &options, self.params), form)
    }

    /// Does what of it somebody picks.
    fn run_picked(self, context: &Context) -> ExitCode {
        match picked(&context.env, &self.request, &self.common.options()) {
            Ok(Picked::Some(request)) => Self { request, ..self }.run(context),
            Ok(Picked::Nothing(status)) => status,
            Err(error) => {
                let answer = envelope_of_error(&error, &context.env, self.params);
                output::envelope(context, &answer, AnswerForm::or_default(self.common.answer))
            }
        }
    }

    /// Does it for somebody else.
    #[cfg(target_os = "linux")]
    pub(super) fn served(self, turn: &mut Turn<'_>, env: &Env) -> (Envelope, AnswerForm) {
        let form = self.common.answer.unwrap_or(AnswerForm::Envelope);
        let place = Place { env, ask: None, programs: Programs::Refused, group: Some(turn.group) };
        let options = self.common.options();
        (answer_of(turn.warm.workspace(env), &place, (&self.request, &options), self.params), form)
    }
}

impl UndoCommon {
    pub(super) fn options(&self) -> UndoOptions<'static> {
        UndoOptions {
            within: None,
            dry_run: self.dry_run,
            record: self.record,
            message: self.message.clone(),
            agent: None,
            session: None,
            lock_timeout: self.lock_timeout,
            diff_lines: self.diff_lines,
            diff_bytes: self.diff_bytes,
            ask: None,
        }
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
