//! gemini-cli's `replace` and `write_file`.
//!
//! Owns its keys. An empty old text makes a file; `write_file` writes all of one.

use super::document::Json;
use super::fault::At;
use super::fields::{Checked, Fields, Member, absolute_or_relative, edit};
use super::format::Format;
use super::unknown::Shape;
use crate::answer::{Envelope, Status};
use crate::dialect::native::{NativeAnswer, NativeContext, ToolDefinition};
use crate::dialect::words::Words;
use crate::request::{Dialect, Expectation, FileChange, FileRequest, Request};
use crate::strategy::Level;
use serde_json::json;

const REQUEST: &[&str] =
    &["file_path", "instruction", "old_string", "new_string", "allow_multiple", "expected_replacements", "content"];

const SHAPE: Shape = Shape { keys: REQUEST, path: Some("file_path"), inner: &[] };

/// This dialect, for the table.
pub(crate) const FORMAT: Format =
    Format { level: Level::Fuzzy, words: &WORDS, shape: &SHAPE, fits: Some(fits), parse, text: None, answer, tools };

/// What its callers call things.
const WORDS: Words = Words {
    replace_all: Some("allow_multiple"),
    expected_replacements: Some("expected_replacements"),
    create: Some("an empty `old_string`, and all of the text as `new_string`"),
    overwrite: Some("`write_file` with all of the text as `content`"),
    ..Words::of_pair("old_string", "new_string")
};

/// Whether the request has one of this dialect's own keys beside the path.
fn fits(json: &Json<'_>) -> bool {
    let own = ["instruction", "allow_multiple", "expected_replacements", "content"];
    json.get("file_path").is_some() && json.get("edits").is_none() && own.iter().any(|key| json.get(key).is_some())
}

/// Reads a request.
fn parse(json: Json<'_>) -> Checked<Request> {
    let mut fields = Fields::new(json, &At::Top)?;
    let raw = fields.need_text("file_path")?.into_owned();
    let path = absolute_or_relative(At::Top.key("file_path"), &raw)?;
    let message = fields.text("instruction")?.map(|text| text.into_owned());
    let change = change(&mut fields).map_err(|fault| fault.in_file(raw))?;
    let file = FileRequest { path, change, expected: Expectation::default(), encoding: None, executable: None };
    let mut request = Request::new(Dialect::Gemini, vec![file]);
    request.message = message.filter(|text| !text.is_empty());
    Ok(request)
}

fn change(fields: &mut Fields<'_, '_>) -> Checked<FileChange> {
    if fields.has("content") {
        fields.refuse_beside("content", &["old_string", "new_string", "allow_multiple", "expected_replacements"])?;
        let content = fields.need_text("content")?.into_owned().into_bytes();
        return Ok(FileChange::Create { content, overwrite: true, edits: Vec::new() });
    }
    let old = fields.need_text("old_string")?;
    let new = fields.need_text("new_string")?;
    let many = fields.flag("allow_multiple")?;
    let expected = fields.integer("expected_replacements", 1)?.and_then(|count| usize::try_from(count).ok());
    if old.is_empty() {
        return Ok(FileChange::Create { content: new.into_owned().into_bytes(), overwrite: false, edits: Vec::new() });
    }
    let mut edit =
        edit(fields.at(), Member { key: "old_string", text: old }, Member { key: "new_string", text: new }, "")?;
    edit.replace_all = many || expected.is_some_and(|count| count > 1);
    edit.expected_replacements = expected;
    Ok(FileChange::Modify(vec![edit]))
}

/// What the model is told.
fn answer(envelope: &Envelope, context: &NativeContext) -> NativeAnswer {
    if envelope.status == Status::Error || !envelope.data.applied {
        return NativeAnswer::Text(envelope.text.clone());
    }
    let data = &envelope.data;
    let path = data.files.first().map_or(context.path.as_str(), |file| file.path.as_str());
    let mut text = match data.files.first().map(|file| file.change) {
        Some(crate::change::ChangeKind::Create) => format!("Created new file: {path}."),
        _ => format!("Successfully modified file: {path} ({} replacements).", data.replacements),
    };
    for warning in &data.warnings {
        text.push_str(&format!("\nwarning: {warning}"));
    }
    NativeAnswer::Text(text)
}

const REPLACE: &str = "\
Replace a text in a file. old_string must occur once, with its white space and lines around it, unless allow_multiple is
true. An empty old_string creates the file.";
const WRITE: &str = "Write all of a file.";

/// Both tools.
fn tools() -> Vec<ToolDefinition> {
    let path = json!({"type": "string", "description": "The path of the file"});
    let replace = json!({
        "type": "object",
        "properties": {
            "file_path": path.clone(),
            "instruction": {"type": "string", "description": "What the change is for"},
            "old_string": {"type": "string", "description": "The text to replace, exactly as it stands in the file"},
            "new_string": {"type": "string", "description": "The text that takes its place"},
            "allow_multiple": {"type": "boolean", "default": false, "description": "Replace every occurrence"},
            "expected_replacements": {"type": "integer", "minimum": 1, "description": "How many there are"}
        },
        "required": ["file_path", "old_string", "new_string"],
        "additionalProperties": false
    });
    let write = json!({
        "type": "object",
        "properties": {"file_path": path, "content": {"type": "string", "description": "All of the text"}},
        "required": ["file_path", "content"],
        "additionalProperties": false
    });
    vec![
        ToolDefinition::new(Dialect::Gemini, "replace", REPLACE, replace),
        ToolDefinition::new(Dialect::Gemini, "write_file", WRITE, write),
    ]
}
