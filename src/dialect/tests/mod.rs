//! Requests of every dialect, good and bad, and the answers in its words: a file for each dialect, and for what holds for
//! all.
//!
//! Owns how a request is read here, well or badly.

mod answers;
mod any_bytes;
mod claude_code;
mod claude_code_open;
mod opencode;
mod received;
mod schemas;
mod shape;
mod standard_requests;
mod texts;

use super::*;
use crate::advice;
use crate::answer::{Context, Data, ErrorBody, FileData, Stats, Status};
use crate::request::{FileChange, Mode, PathArg, RecordKind};
use proptest::prelude::*;
use serde_json::json;

fn parsed(raw: &str, forced: Option<Dialect>) -> Request {
    match parse(raw.as_bytes(), forced, Limits::default()) {
        Ok(parsed) => parsed.request,
        Err(error) => panic!("{raw}: {}", advice::request(&error).message),
    }
}

fn error(raw: &str, forced: Option<Dialect>) -> DialectError {
    parse(raw.as_bytes(), forced, Limits::default()).expect_err(raw)
}

/// The request is refused for this reason, and the message names the field.
fn check_bad(raw: &str, forced: Option<Dialect>, reason: Reason, part: &str) {
    let told = advice::request(&error(raw, forced));
    assert_eq!(told.reason, reason, "{raw}: {}", told.message);
    assert!(told.message.contains(part), "{raw}: {}", told.message);
    assert!(!told.message.ends_with('.') && !told.message.starts_with(char::is_uppercase), "{}", told.message);
}

fn standard(raw: &str) -> Request {
    parsed(raw, Some(Dialect::Standard))
}

fn bad_standard(raw: &str, reason: Reason, part: &str) {
    check_bad(raw, Some(Dialect::Standard), reason, part);
}

fn modify(request: &Request) -> Vec<(&[u8], &[u8], bool)> {
    match &request.files[0].change {
        FileChange::Modify(edits) => edits.iter().map(|e| (e.old(), e.new_text(), e.replace_all)).collect(),
        other => panic!("{other:?}"),
    }
}
