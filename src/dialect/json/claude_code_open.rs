//! claude-code-open's `MultiEdit`.
//!
//! Owns its keys, and its answer with statistics and phases. Its shape is claude-code's, so it is only taken by name.
//! Original mode; each old text exactly once; no edit's new text may contain another's old text; nothing is created.

use super::document::Json;
use super::fault::{At, Fault};
use super::fields::{Checked, Fields, Member, absolute_or_relative, edit};
use super::format::Format;
use super::unknown::Shape;
use crate::answer::{Envelope, Status};
use crate::code::Reason;
use crate::dialect::native::{NativeAnswer, NativeContext, ToolDefinition, further_lines};
use crate::dialect::words::Words;
use crate::request::{Dialect, Edit, Expectation, FileChange, FileRequest, Request};
use crate::strategy::Level;
use serde_json::{Value, json};

const REQUEST: &[&str] = &["file_path", "edits"];
const EDIT: &[&str] = &["old_string", "new_string"];

/// Of a request and of one edit.
const SHAPE: Shape = Shape { keys: REQUEST, path: Some("file_path"), inner: &[("edits", &EDIT_SHAPE)] };
const EDIT_SHAPE: Shape = Shape { keys: EDIT, path: None, inner: &[] };

/// This dialect, for the table.
pub(crate) const FORMAT: Format =
    Format { level: Level::Exact, words: &WORDS, shape: &SHAPE, fits: None, parse, text: None, answer, tools };

/// What its callers call things.
const WORDS: Words = Words::of_pair("old_string", "new_string");

/// Reads a request.
fn parse(json: Json<'_>) -> Checked<Request> {
    let mut fields = Fields::new(json, &At::Top)?;
    let raw = fields.need_text("file_path")?;
    let path = absolute_or_relative(At::Top.key("file_path"), &raw)?;
    let edits = fields.list("edits", |json, at, i| {
        let read = || one_edit(&mut Fields::new(json, at)?);
        read().map_err(|fault| fault.in_edit(i))
    });
    let edits = edits
        .and_then(|edits| edits.ok_or_else(|| Fault::missing(At::Top.key("edits"), "give the list of edits")))
        .map_err(|fault| fault.in_file(raw.into_owned()))?;
    let file = FileRequest {
        path,
        change: FileChange::Modify(edits),
        expected: Expectation::default(),
        encoding: None,
        executable: None,
    };
    let mut request = Request::new(Dialect::ClaudeCodeOpen, vec![file]);
    request.refuse_nested = true;
    Ok(request)
}

fn one_edit(fields: &mut Fields<'_, '_>) -> Checked<Edit> {
    let old = fields.need_text("old_string")?;
    let new = fields.need_text("new_string")?;
    edit(fields.at(), Member { key: "old_string", text: old }, Member { key: "new_string", text: new }, "")
}

/// The harness's eight phases, in its order.
const PHASES: [&str; 8] = [
    "Input validation",
    "Backup creation",
    "Conflict detection",
    "Sequential validation",
    "Sequential execution",
    "File write",
    "Backup cleanup",
    "Automatic rollback",
];

/// `{success, message, statistics, phases}`.
fn answer(envelope: &Envelope, context: &NativeContext) -> NativeAnswer {
    let success = envelope.status != Status::Error;
    let message = match &envelope.error {
        Some(error) => format!("{}{}", error.message, further_lines(envelope)),
        None => envelope.text.clone(),
    };
    let phases: Vec<Value> = PHASES
        .iter()
        .zip(phase_statuses(envelope))
        .enumerate()
        .map(|(i, (name, status))| json!({"phase": i + 1, "name": name, "status": status}))
        .collect();
    NativeAnswer::Json(json!({
        "success": success,
        "message": message,
        "statistics": {
            "totalEdits": context.edits,
            "applied": if envelope.data.applied { context.edits } else { 0 },
            "linesAdded": envelope.stats.lines_added,
            "linesRemoved": envelope.stats.lines_removed
        },
        "phases": phases
    }))
}

/// What became of each phase; redraft backs up after it has validated, and keeps the backup for people.
fn phase_statuses(envelope: &Envelope) -> [&'static str; 8] {
    const DONE: &str = "completed";
    const FAIL: &str = "failed";
    const SKIP: &str = "skipped";
    let backup = if envelope.data.backup.is_some() { DONE } else { SKIP };
    let Some(error) = &envelope.error else {
        let written = if envelope.data.applied { DONE } else { SKIP };
        return [DONE, backup, DONE, DONE, DONE, written, SKIP, SKIP];
    };
    use Reason as R;
    match envelope.data.reason {
        Some(R::Overlap | R::NestedConflict) => [DONE, SKIP, FAIL, SKIP, SKIP, SKIP, SKIP, SKIP],
        Some(R::NoMatch | R::Ambiguous | R::AlreadyApplied | R::OmissionPlaceholder | R::CountMismatch) => {
            [DONE, SKIP, SKIP, FAIL, SKIP, SKIP, SKIP, SKIP]
        }
        Some(R::VerifyFailed | R::VerifyTimeout | R::HookFailed) => [DONE, DONE, DONE, DONE, DONE, FAIL, SKIP, DONE],
        Some(R::RecoveryNeeded) => [DONE, backup, SKIP, SKIP, SKIP, FAIL, SKIP, FAIL],
        Some(R::Unwritable) => [DONE, backup, DONE, DONE, DONE, FAIL, SKIP, backup],
        _ if error.code.exit_status() > 1 => [DONE, backup, DONE, DONE, DONE, FAIL, SKIP, backup],
        _ => [FAIL, SKIP, SKIP, SKIP, SKIP, SKIP, SKIP, SKIP],
    }
}

const TEXT: &str = "\
Perform several exact string replacements in a single file, as one transaction.

- All edits succeed together or fail together; on any failure the file stays as it was.
- All edits are matched against the file as it is before any of them.
- Edits may not overlap, and no edit's new_string may contain another edit's old_string.
- On an error the answer says which edit failed and why.

Rules:
- Read the file before editing it.
- Each old_string must be unique in the file, and may not be empty.
- Keep the exact indentation of the file.
- old_string and new_string must be different.

Example:
{\"file_path\": \"/path/to/file.ts\", \"edits\": [
  {\"old_string\": \"const x = 1\", \"new_string\": \"const x = 2\"},
  {\"old_string\": \"function foo()\", \"new_string\": \"function bar()\"}]}";

/// The one tool.
fn tools() -> Vec<ToolDefinition> {
    let schema = json!({
        "type": "object",
        "properties": {
            "file_path": {"type": "string", "description": "The absolute path to the file to modify"},
            "edits": {
                "type": "array",
                "minItems": 1,
                "description": "The edits to perform",
                "items": {
                    "type": "object",
                    "properties": {
                        "old_string": {"type": "string", "minLength": 1, "description": "The text to replace"},
                        "new_string": {"type": "string", "description": "The text to replace it with"}
                    },
                    "required": ["old_string", "new_string"],
                    "additionalProperties": false
                }
            }
        },
        "required": ["file_path", "edits"],
        "additionalProperties": false
    });
    vec![ToolDefinition::new(Dialect::ClaudeCodeOpen, "MultiEdit", TEXT, schema)]
}
