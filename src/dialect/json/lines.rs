//! Edits by line numbers of a file as it was read.
//!
//! Owns the keys of the JSON form; the other one, and the choice between them, are `dialect/text/hashline.rs`'s. The fingerprint says which text
//! the numbers are of: the blob id that `read` gives, or the tag of four digits.

use super::document::Json;
use super::fault::{At, Cause, Fault};
use super::fields::{Checked, Fields, absolute_or_relative};
use super::unknown::Shape;
use crate::answer::Envelope;
use crate::dialect::native::{NativeAnswer, NativeContext, ToolDefinition};
use crate::dialect::words::Words;
use crate::request::{Dialect, Edit, Expectation, FileChange, FileRequest, Request};
use serde_json::json;

const REQUEST: &[&str] = &["path", "fingerprint", "ops", "input", "patch"];
const OP: &[&str] = &["replace", "insert_after", "delete", "text"];

pub(crate) const SHAPE: Shape = Shape { keys: REQUEST, path: Some("path"), inner: &[("ops", &OP_SHAPE)] };
const OP_SHAPE: Shape = Shape { keys: OP, path: None, inner: &[] };

/// What its callers call things.
pub(crate) const WORDS: Words = Words::of_pair("the line numbers", "`text`");

/// Whether a request has this form.
pub(crate) fn has_operations(json: &Json<'_>) -> bool {
    json.get("ops").is_some()
}

/// Reads a request.
pub(crate) fn parse(json: Json<'_>) -> Checked<Request> {
    let mut fields = Fields::new(json, &At::Top)?;
    let raw = fields.need_text("path")?.into_owned();
    let path = absolute_or_relative(At::Top.key("path"), &raw)?;
    let mut expected = Expectation::default();
    let fingerprint = fields.word(
        "fingerprint",
        || "the blob id or the tag that `read` gave".to_owned(),
        |text| {
            let is_tag = text.len() == 4 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
            let blob = text.parse().ok();
            (is_tag || blob.is_some()).then(|| (text.to_owned(), blob))
        },
    );
    let fingerprint = fingerprint.map_err(|fault| fault.in_file(raw.clone()))?;
    match fingerprint {
        Some((_, Some(blob))) => expected.blob = Some(blob),
        Some((tag, None)) => expected.tag = Some(tag.to_uppercase()),
        None => {
            return Err(Fault::missing(
                At::Top.key("fingerprint"),
                "numbers without it may be of another text; read the file",
            )
            .in_file(raw));
        }
    }
    let ops = fields.list("ops", |json, at, i| one(&mut Fields::new(json, at)?).map_err(|fault| fault.in_edit(i)));
    let ops = ops
        .and_then(|ops| ops.ok_or_else(|| Fault::missing(At::Top.key("ops"), "give the list of what is to be done")));
    let edits = ops.map_err(|fault| fault.in_file(raw))?;
    let file = FileRequest { path, change: FileChange::Modify(edits), expected, encoding: None, executable: None };
    Ok(Request::new(Dialect::Lines, vec![file]))
}

fn one(fields: &mut Fields<'_, '_>) -> Checked<Edit> {
    let given: Vec<&str> = ["replace", "insert_after", "delete"].into_iter().filter(|key| fields.has(key)).collect();
    let key = match given[..] {
        [key] => key,
        [] => return Err(Fault::missing(fields.at().key("replace"), "or give `insert_after`, or `delete`")),
        [one, other, ..] => {
            let (field, other) = (fields.at().key(one).to_string(), fields.at().key(other).to_string());
            return Err(Fault::new(Cause::Contradictory { field, other }));
        }
    };
    if key == "delete" {
        fields.refuse_beside("delete", &["text"])?;
    }
    let text = if key == "delete" { String::new() } else { fields.need_text("text")?.into_owned() };
    let text = if text.is_empty() || text.ends_with('\n') { text } else { text + "\n" };
    if key == "insert_after" {
        let line = fields.integer(key, 0)?.unwrap_or_default();
        let line = usize::try_from(line).unwrap_or_default();
        return Ok(Edit::at_lines(line + 1, line, text.into_bytes()));
    }
    let at = fields.at().key(key);
    let numbers = fields.list(key, |json, at, _| match &json {
        Json::Number(number) => number
            .as_u64()
            .filter(|number| *number > 0)
            .and_then(|number| usize::try_from(number).ok())
            .ok_or_else(|| Fault::bad_type(*at, "a line number of at least 1", json.describe())),
        _ => Err(Fault::bad_type(*at, "a line number of at least 1", json.describe())),
    })?;
    match numbers.as_deref() {
        Some([first, last]) if first <= last => Ok(Edit::at_lines(*first, *last, text.into_bytes())),
        _ => Err(Fault::bad_type(at, "the first and the last line, as [5, 9]", "another list")),
    }
}

/// What was done, or what was found.
pub(crate) fn answer(envelope: &Envelope, _context: &NativeContext) -> NativeAnswer {
    NativeAnswer::Text(envelope.text.clone())
}

const TEXT: &str = "\
Edit a file by the numbers of its lines, as `read` gave them with the fingerprint. All numbers are of the file as it was read,
also behind other operations. A file that changed since is refused.";

/// The one tool.
pub(crate) fn tools() -> Vec<ToolDefinition> {
    let range = json!({"type": "array", "items": {"type": "integer", "minimum": 1}, "minItems": 2, "maxItems": 2, "description": "First and last line"});
    let op = json!({
        "type": "object",
        "properties": {
            "replace": range.clone(),
            "insert_after": {"type": "integer", "minimum": 0, "description": "0 is the top of the file"},
            "delete": range,
            "text": {"type": "string", "description": "The new lines"}
        },
        "additionalProperties": false
    });
    let schema = json!({
        "type": "object",
        "properties": {
            "path": {"type": "string"},
            "fingerprint": {"type": "string", "description": "From `read`"},
            "ops": {"type": "array", "items": op, "minItems": 1}
        },
        "required": ["path", "fingerprint", "ops"],
        "additionalProperties": false
    });
    vec![ToolDefinition::new(Dialect::Lines, "edit_lines", TEXT, schema)]
}
