//! `redraft redo`.

use super::context::Context;
use super::undo::UndoCommon;
use crate::history::{Select, UndoRequest};
use clap::Args;
use serde_json::{Map, Value, json};
use std::process::ExitCode;

/// Take an undo back
///
/// Without an id: the newest undo in force. An id is that of the undo, or of the record that it undid. Later changes stay,
/// as with `redraft undo`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  redraft redo
  redraft redo kzlm
  redraft redo --dry-run")]
pub(crate) struct RedoArgs {
    /// Undos, or records that were undone
    #[arg(value_name = "ID")]
    ids: Vec<String>,
    /// Where something does not fit, put both versions between conflict markers instead of refusing
    #[arg(long)]
    markers: bool,
    #[command(flatten)]
    common: UndoCommon,
}

impl RedoArgs {
    pub(super) fn run(self, context: &Context) -> ExitCode {
        let mut params = Map::new();
        if !self.ids.is_empty() {
            params.insert("ids".into(), json!(self.ids));
        }
        if self.markers {
            params.insert("markers".into(), json!(true));
        }
        self.common.add_params(&mut params);
        let select = if self.ids.is_empty() { Select::NewestUndo } else { Select::UndosOf(self.ids) };
        let request = UndoRequest { select, paths: Vec::new(), hunk: None, markers: self.markers };
        self.common.run(context, &request, Value::Object(params))
    }
}
