//! What some formats ask for beside edits: to see a file, and to take its newest edit back.
//!
//! Owns which use case that is.

use super::answer::{Asked, Subject};
use super::options::{Overrides, Place};
use super::read::{ReadRequest, answer};
use super::undo::{UndoOptions, answer_of};
use crate::answer::Envelope;
use crate::error::Error;
use crate::flow::{resolve, sandbox};
use crate::history::{FileEffect, History, HistoryError, LogQuery, Nothing, UndoRequest};
use crate::path::RepoPath;
use crate::record::RecordClass;
use crate::request::{PathArg, Request, Wish};
use crate::transaction::TransactionError;
use crate::workspace::Workspace;
use bstr::ByteSlice;
use serde_json::Value;

/// Does it; none where the request is for edits.
pub(super) fn fulfil(
    request: &Request,
    workspace: &Workspace,
    overrides: &Overrides,
    place: &Place<'_>,
    asked: &Asked,
) -> Option<Envelope> {
    let path = &request.files.first()?.path;
    if let Some(group) = place.group.filter(|group| request.wish != Wish::Change && group.is_open()) {
        group.postpone();
        return Some(asked.error(&TransactionError::Postponed.into(), &Subject::default()));
    }
    let session = overrides.caller.or(&request.agent).session;
    match request.wish {
        Wish::Change => None,
        Wish::View(lines) => {
            let raw = match path {
                PathArg::Relative(path) => path.as_bstr(),
                PathArg::Absolute(path) => path.as_bstr(),
            };
            let mut wanted = ReadRequest::new(raw.to_path_lossy().into_owned());
            (wanted.lines, wanted.session, wanted.root) = (lines, session, overrides.root.clone());
            Some(answer(Ok(workspace), place.env.clock().instant(), &wanted, place.env).envelope)
        }
        Wish::Undo => {
            let newest = || {
                let within = sandbox(workspace.repo(), overrides.root.as_deref())?;
                newest_of(workspace, &resolve(workspace.repo(), path, within.as_ref())?)
            };
            let wanted = match newest() {
                Ok(wanted) => wanted,
                Err(error) => return Some(asked.error(&error, &Subject::default())),
            };
            let options = UndoOptions {
                dry_run: request.dry_run,
                record: request.record,
                agent: overrides.caller.or(&request.agent).name,
                session,
                ..UndoOptions::default()
            };
            Some(answer_of(Ok(workspace), place, (&wanted, &options), Value::Null))
        }
    }
}

/// The undo of the newest edit of a file that is in force, in that file.
fn newest_of(workspace: &Workspace, path: &RepoPath) -> Result<UndoRequest, Error> {
    let history = History::open(workspace.repo())?;
    let query = LogQuery { paths: vec![path.clone()], kinds: vec![RecordClass::Edit], ..LogQuery::default() };
    for logged in query.run(&history)? {
        let logged = logged?;
        let files = logged.item.record.files.iter().zip(&logged.effect.files);
        if files.into_iter().any(|(file, effect)| file.is_at(path) && matches!(effect, FileEffect::InForce)) {
            let wanted = UndoRequest::records([logged.item.record.id.as_str()]);
            return Ok(UndoRequest { paths: vec![path.clone()], ..wanted });
        }
    }
    Err(HistoryError::NothingToUndo(Nothing::NoneFits).into())
}
