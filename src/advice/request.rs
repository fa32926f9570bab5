//! What is told of bytes that are no request.
//!
//! Owns the next steps for [`DialectError`]. The fields are named as the request names them, so that no words are needed.

use super::Explanation;
use super::path::next as path_next;
use crate::dialect::{Cause, DialectError, JsonError};
use crate::request::EditError;

/// What to tell the caller.
pub fn explain(error: &DialectError) -> Explanation {
    let mut told = cause(&error.fault.cause);
    told.failed_index = error.fault.edit;
    told.failed_path = error.path();
    told
}

/// What to tell of bytes that are no JSON.
pub fn json(error: &JsonError) -> Explanation {
    let told = |next: &str| Explanation::of(error.reason(), error, next);
    match error {
        JsonError::TooLarge { limit } => told("split it into several requests").with_hint("limit_bytes", *limit),
        JsonError::Empty => told("send one JSON object"),
        JsonError::Bad { line, column, advice, .. } => {
            told(advice).with_hint("line", *line).with_hint("column", *column)
        }
    }
}

/// What to send in place of a value of another type or range, which the fact names already.
fn correct(expected: &str) -> String {
    if expected.starts_with("one of ") { "send one of these".to_owned() } else { format!("send {expected}") }
}

fn cause(cause: &Cause) -> Explanation {
    let told = |next: &str| Explanation::of(cause.reason(), cause, next);
    let of_field = |field: &str, next: &str| told(next).with_hint("field", field);
    match cause {
        Cause::Json(error) => json(error),
        Cause::Missing { field, advice } if advice.is_empty() => of_field(field, "give it"),
        Cause::Missing { field, advice } => of_field(field, advice),
        Cause::Unknown { field, nearest, known } => {
            let guess = nearest.map_or(String::new(), |nearest| format!("did you mean `{nearest}`? "));
            let told = of_field(field, &format!("{guess}leave it out or use one of: {}", known.join(", ")));
            let told = told.with_hint("known_fields", known.to_vec());
            nearest.iter().fold(told, |told, nearest| told.with_hint("did_you_mean", *nearest))
        }
        Cause::BadType { field, expected, found } => of_field(field, &correct(expected))
            .with_hint("expected", expected.as_str())
            .with_hint("found", found.as_str()),
        Cause::Contradictory { field, other } => {
            told("send only one of them").with_hint("fields", vec![field.as_str(), other.as_str()])
        }
        Cause::EmptyList { field } => of_field(field, "put at least one entry in it"),
        Cause::SameFileTwice { first, second } => told("put all that is to happen to a file into one entry")
            .with_hint("fields", vec![first.as_str(), second.as_str()]),
        Cause::Edit { old, error: EditError::SameText, .. } => of_field(old, "send the text that it should become"),
        Cause::Edit { old, advice, error: EditError::EmptyOldString, .. } => {
            of_field(old, &format!("give the text to replace, with enough lines around it to be unique{advice}"))
        }
        Cause::Path { field, error } => of_field(field, path_next(error)),
        Cause::NotAbsolute { field } => of_field(field, "give the whole path of the file, from `/` on"),
        Cause::Notebook { field } => of_field(field, "use NotebookEdit for it").with_hint("tool", "NotebookEdit"),
    }
}
