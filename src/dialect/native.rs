//! What a dialect's own harness is told: its answers and its tools.
//!
//! Owns their shapes. What is in them stands in the file of each dialect.

use crate::answer::Envelope;
use crate::request::{Dialect, Request};
use serde::Serialize;
use serde_json::Value;

/// What native answers say of the request.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NativeContext {
    /// The (first) file, as the caller named it.
    pub path: String,
    /// How many edits the request had, the one that made a file included.
    pub edits: usize,
}

impl NativeContext {
    /// What native answers say of this request.
    pub fn of(request: &Request) -> Self {
        use crate::request::FileChange;
        let made = request.files.iter().filter(|file| matches!(file.change, FileChange::Create { .. })).count();
        Self {
            path: request.files.first().map(|file| file.path.to_string_lossy()).unwrap_or_default(),
            edits: request.edit_count() + made,
        }
    }
}

/// The answer that a dialect's harness expects.
#[derive(Debug, Clone, PartialEq)]
pub enum NativeAnswer {
    /// A JSON document.
    Json(Value),
    /// A plain text.
    Text(String),
}

/// A tool as a language model is told of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ToolDefinition {
    /// The dialect that its calls are in.
    #[serde(skip)]
    pub dialect: Dialect,
    /// As the dialect's harness calls it.
    pub name: String,
    /// For the model.
    pub description: String,
    /// A JSON schema.
    pub input_schema: Value,
}

impl ToolDefinition {
    pub(super) fn new(dialect: Dialect, name: &str, description: &str, input_schema: Value) -> Self {
        Self { dialect, name: name.to_owned(), description: description.to_owned(), input_schema }
    }
}

/// The error's message, for a sentence that goes on.
pub(super) fn error_sentence(envelope: &Envelope) -> &str {
    envelope.error.as_ref().map_or(envelope.text.as_str(), |error| error.message.as_str()).trim_end_matches('.')
}

/// The line of an envelope's text that says what every harness says of an error in words of its own.
pub(crate) const NOTHING_WRITTEN: &str = "nothing was written";

/// What the envelope's text says beyond its first line, for an answer that shows the caller nothing else; begins with a line
/// break, where there is any.
pub(super) fn further_lines(envelope: &Envelope) -> &str {
    let further = envelope.text.find('\n').map_or("", |at| &envelope.text[at..]);
    let rest = further.strip_prefix('\n').and_then(|lines| lines.strip_prefix(NOTHING_WRITTEN));
    rest.filter(|rest| rest.is_empty() || rest.starts_with('\n')).unwrap_or(further)
}
