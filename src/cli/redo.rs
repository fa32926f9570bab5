//! `redraft redo`.

use super::context::Context;
#[cfg(target_os = "linux")]
use super::output::AnswerForm;
use super::selection::{self, SelectionArgs};
use super::undo::{UndoCommon, Wanted, misfits};
#[cfg(target_os = "linux")]
use crate::answer::Envelope;
use crate::env::Env;
use crate::history::{Misfits, Select, UndoRequest};
#[cfg(target_os = "linux")]
use crate::serve::Turn;
use clap::Args;
use serde_json::{Map, Value, json};
use std::process::ExitCode;

/// Take an undo back
///
/// Without an id: the newest undo in force. An id is that of the undo, or of the record that it undid. An agent, a session
/// and a turn are those of what was undone, and a time is when: all such undos are taken back. Later changes stay, as with
/// `redraft undo`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  redraft redo
  redraft redo kzlm
  redraft redo --session s1          # all that was undone of it
  redraft redo --dry-run")]
pub(crate) struct RedoArgs {
    /// Undos, or records that were undone
    #[arg(value_name = "ID", conflicts_with = "selection")]
    ids: Vec<String>,
    #[command(flatten)]
    selection: SelectionArgs,
    /// Where something does not fit, put both versions between conflict markers instead of refusing
    #[arg(long)]
    markers: bool,
    /// Where something does not fit, leave that file as it is and do the rest; the answer lists what was left
    #[arg(long, conflicts_with = "markers")]
    skip_conflicts: bool,
    #[command(flatten)]
    common: UndoCommon,
}

impl RedoArgs {
    pub(super) fn run(self, context: &Context) -> ExitCode {
        self.wanted(&context.env).run(context)
    }

    /// Redoes for somebody else.
    #[cfg(target_os = "linux")]
    pub(super) fn served(self, turn: &mut Turn<'_>, env: &Env) -> (Envelope, AnswerForm) {
        self.wanted(env).served(turn, env)
    }

    fn wanted(self, env: &Env) -> Wanted {
        let mut params = Map::new();
        if !self.ids.is_empty() {
            params.insert("ids".into(), json!(self.ids));
        }
        if self.skip_conflicts {
            params.insert("skip_conflicts".into(), json!(true));
        }
        if self.markers {
            params.insert("markers".into(), json!(true));
        }
        let selection = self.selection.selection(env);
        selection::add_params(&selection, &mut params);
        self.common.add_params(&mut params);
        let select = if !self.ids.is_empty() {
            Select::UndosOf(self.ids)
        } else if selection.is_all() {
            Select::NewestUndo
        } else {
            Select::UndosMatching(selection)
        };
        let misfits = misfits(self.markers.then_some(Misfits::Marked), self.skip_conflicts.then_some(Misfits::Skipped));
        let request = UndoRequest { select, paths: Vec::new(), except: Vec::new(), hunk: None, misfits };
        Wanted { request, common: self.common, params: Value::Object(params) }
    }
}
