//! opencode's `edit`.
//!
//! Owns its keys and its answers, the errors in the very words that its harness knows. Absolute or relative paths; the
//! level is `loose` unless the caller or the configuration says otherwise.

use super::document::Json;
use super::fault::At;
use super::fields::{Checked, Fields, Member, absolute_or_relative, edit};
use super::format::Format;
use super::unknown::Shape;
use crate::answer::{Envelope, Status};
use crate::code::Reason;
use crate::dialect::native::{NativeAnswer, NativeContext, ToolDefinition, error_sentence, further_lines};
use crate::dialect::words::Words;
use crate::request::{Dialect, Edit, Expectation, FileChange, FileRequest, Request};
use crate::strategy::Level;
use serde_json::json;

const REQUEST: &[&str] = &["filePath", "oldString", "newString", "replaceAll"];

const SHAPE: Shape = Shape { keys: REQUEST, path: Some("filePath"), inner: &[] };

/// This dialect, for the table.
pub(crate) const FORMAT: Format =
    Format { level: Level::Loose, words: &WORDS, shape: &SHAPE, fits: Some(fits), parse, text: None, answer, tools };

/// What its callers call things.
const WORDS: Words = Words { replace_all: Some("replaceAll"), ..Words::of_pair("oldString", "newString") };

/// Whether the request has one of this dialect's keys.
fn fits(json: &Json<'_>) -> bool {
    REQUEST.iter().any(|key| json.get(key).is_some())
}

/// Reads a request.
fn parse(json: Json<'_>) -> Checked<Request> {
    let mut fields = Fields::new(json, &At::Top)?;
    let raw = fields.need_text("filePath")?;
    let path = absolute_or_relative(At::Top.key("filePath"), &raw)?;
    let edit = one_edit(&mut fields).map_err(|fault| fault.in_edit(0).in_file(raw.into_owned()))?;
    let file = FileRequest {
        path,
        change: FileChange::Modify(vec![edit]),
        expected: Expectation::default(),
        encoding: None,
        executable: None,
    };
    Ok(Request::new(Dialect::OpenCode, vec![file]))
}

fn one_edit(fields: &mut Fields<'_, '_>) -> Checked<Edit> {
    let old = fields.need_text("oldString")?;
    let new = fields.need_text("newString")?;
    let replace_all = fields.flag("replaceAll")?;
    let mut edit =
        edit(fields.at(), Member { key: "oldString", text: old }, Member { key: "newString", text: new }, "")?;
    edit.replace_all = replace_all;
    Ok(edit)
}

/// `{title, output, metadata}`, or the text of the exception that the harness would raise.
fn answer(envelope: &Envelope, context: &NativeContext) -> NativeAnswer {
    if envelope.status == Status::Error {
        return NativeAnswer::Text(error_text(envelope, &context.path));
    }
    let data = &envelope.data;
    let title = data.files.first().map(|file| &file.path).or(envelope.context.path_resolved.as_ref());
    let output = if data.applied { "Edit applied successfully." } else { &envelope.text };
    let mut metadata = json!({"replacements": data.replacements, "diff": data.diff_preview});
    if !data.warnings.is_empty() {
        metadata["warnings"] = json!(data.warnings);
    }
    NativeAnswer::Json(json!({"title": title.unwrap_or(&context.path), "output": output, "metadata": metadata}))
}

fn error_text(envelope: &Envelope, path: &str) -> String {
    match envelope.data.reason {
        Some(Reason::SameText) => "No changes to apply: oldString and newString are identical.".to_owned(),
        Some(Reason::NoSuchFile) if knows_more(envelope) => format!("File not found: {path}\n{}", in_full(envelope)),
        Some(Reason::NoSuchFile) => format!("File not found: {path}"),
        Some(Reason::Directory) => format!("Path is a directory, not a file: {path}"),
        Some(Reason::NulByte) => format!("Cannot edit binary file: {path}"),
        Some(Reason::NoMatch) => format!("Could not find oldString in the file...\n{}", in_full(envelope)),
        Some(Reason::Ambiguous) => format!("Found multiple matches for oldString...\n{}", in_full(envelope)),
        Some(Reason::Declined) => "Edit cancelled by user".to_owned(),
        _ => in_full(envelope),
    }
}

/// Whether there are other paths that may be meant.
fn knows_more(envelope: &Envelope) -> bool {
    envelope.data.hint.as_ref().is_some_and(|hint| !hint.is_empty())
}

/// The message, and what was found: the harness shows the model nothing else.
fn in_full(envelope: &Envelope) -> String {
    format!("{}{}", error_sentence(envelope), further_lines(envelope))
}

const TEXT: &str = "\
Replace a text in a file; prefer this to writing the whole file.

- Read the file first, and copy oldString from it: without line numbers, with its indentation.
- oldString must occur once in the file: give more context, or set replaceAll to replace every occurrence.
- newString must be different from oldString.";

/// The one tool.
fn tools() -> Vec<ToolDefinition> {
    let schema = json!({
        "type": "object",
        "properties": {
            "filePath": {"type": "string", "description": "The absolute path to the file to modify"},
            "oldString": {"type": "string", "minLength": 1, "description": "The text to replace"},
            "newString": {"type": "string", "description": "The text to replace it with (must be different from oldString)"},
            "replaceAll": {"type": "boolean", "default": false, "description": "Replace all occurrences of oldString (default false)"}
        },
        "required": ["filePath", "oldString", "newString"],
        "additionalProperties": false
    });
    vec![ToolDefinition::new(Dialect::OpenCode, "edit", TEXT, schema)]
}
