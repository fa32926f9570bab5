//! Claude Code's `MultiEdit` and `Edit`.
//!
//! Owns their keys and their one-line answers. Sequence mode, strict schema, absolute paths. An empty first old text
//! makes the file from the new text; the later edits work on that.

use super::document::Json;
use super::fault::{At, Cause, Fault};
use super::fields::{Checked, Fields, Member, absolute, edit, is_notebook};
use super::format::Format;
use super::unknown::Shape;
use crate::answer::{Envelope, Status};
use crate::dialect::native::{NativeAnswer, NativeContext, ToolDefinition, error_sentence, further_lines};
use crate::dialect::words::Words;
use crate::request::{Dialect, Edit, EditError, Expectation, FileChange, FileRequest, Mode, Request};
use crate::strategy::Level;
use serde_json::{Value, json};

const REQUEST: &[&str] = &["file_path", "edits", "old_string", "new_string", "replace_all"];
const EDIT: &[&str] = &["old_string", "new_string", "replace_all"];

/// Of a request and of one edit.
const SHAPE: Shape = Shape { keys: REQUEST, path: Some("file_path"), inner: &[("edits", &EDIT_SHAPE)] };
const EDIT_SHAPE: Shape = Shape { keys: EDIT, path: None, inner: &[] };

/// This dialect, for the table.
pub(crate) const FORMAT: Format =
    Format { level: Level::Exact, words: &WORDS, shape: &SHAPE, fits: Some(fits), parse, text: None, answer, tools };

/// What its callers call things.
const WORDS: Words = Words {
    replace_all: Some("replace_all"),
    create: Some("a first edit with an empty `old_string`, and all of its text as `new_string`"),
    ..Words::of_pair("old_string", "new_string")
};

/// Whether the request names its file as this dialect does.
fn fits(json: &Json<'_>) -> bool {
    json.get("file_path").is_some()
}

/// What an old/new pair of this dialect may be.
enum Pair {
    Edit(Edit),
    /// The old text is empty: the contents of a new file.
    Content(Vec<u8>),
}

/// Whether a pair comes first: only then may it make the file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Turn {
    First,
    Later,
}

/// Reads a request.
fn parse(json: Json<'_>) -> Checked<Request> {
    let mut fields = Fields::new(json, &At::Top)?;
    let raw = fields.need_text("file_path")?;
    let path = absolute(At::Top.key("file_path"), &raw)?;
    if is_notebook(&raw) {
        return Err(Fault::new(Cause::Notebook { field: "file_path".to_owned() }).in_file(raw.into_owned()));
    }
    let change = change(&mut fields).map_err(|fault| fault.in_file(raw.into_owned()))?;
    let mut request = Request::new(
        Dialect::ClaudeCode,
        vec![FileRequest { path, change, expected: Expectation::default(), encoding: None, executable: None }],
    );
    request.mode = Mode::Sequence;
    Ok(request)
}

fn change(fields: &mut Fields<'_, '_>) -> Checked<FileChange> {
    let pairs = if fields.has("edits") {
        fields.refuse_beside("edits", EDIT)?;
        fields.list("edits", |json, at, i| {
            let read = || pair(&mut Fields::new(json, at)?, if i == 0 { Turn::First } else { Turn::Later });
            read().map_err(|fault| fault.in_edit(i))
        })?
    } else if EDIT.iter().any(|key| fields.has(key)) {
        Some(vec![pair(fields, Turn::First).map_err(|fault| fault.in_edit(0))?])
    } else {
        None
    };
    let Some(pairs) = pairs else {
        let advice = "give the list of edits, or one `old_string` and `new_string`";
        return Err(Fault::missing(At::Top.key("edits"), advice));
    };
    let (mut created, mut edits) = (None, Vec::with_capacity(pairs.len()));
    for pair in pairs {
        match pair {
            Pair::Content(content) => created = Some(content),
            Pair::Edit(edit) => edits.push(edit),
        }
    }
    Ok(match created {
        Some(content) => FileChange::Create { content, overwrite: false, edits },
        None => FileChange::Modify(edits),
    })
}

fn pair(fields: &mut Fields<'_, '_>, turn: Turn) -> Checked<Pair> {
    let old = fields.need_text("old_string")?;
    let new = fields.need_text("new_string")?;
    let replace_all = fields.flag("replace_all")?;
    if old.is_empty() && turn == Turn::First {
        if new.is_empty() {
            let [old, new] = ["old_string", "new_string"].map(|key| fields.at().key(key).to_string());
            return Err(Fault::new(Cause::Edit { old, new, advice: "", error: EditError::SameText }));
        }
        return Ok(Pair::Content(new.into_owned().into_bytes()));
    }
    let advice = "; only the first edit may leave it empty, to create the file";
    let mut edit =
        edit(fields.at(), Member { key: "old_string", text: old }, Member { key: "new_string", text: new }, advice)?;
    edit.replace_all = replace_all;
    Ok(Pair::Edit(edit))
}

/// The harness's one-line texts.
fn answer(envelope: &Envelope, context: &NativeContext) -> NativeAnswer {
    NativeAnswer::Text(match envelope.status {
        Status::Error => format!(
            "MultiEdit failed: {}. No changes were applied.{}",
            error_sentence(envelope),
            further_lines(envelope)
        ),
        _ if envelope.data.applied => format!("Successfully applied {} edits to {}", context.edits, context.path),
        _ => envelope.text.clone(),
    })
}

const MULTI_EDIT_TEXT: &str = "\
Make several edits to a single file in one operation. Prefer this tool over Edit when one file needs more than one edit.

Before using it, read the file, and check that the directory is the right one.

Give:
1. file_path: the absolute path of the file to modify (must be absolute, not relative)
2. edits: the edits to perform, each with
   - old_string: the text to replace (must match the file contents exactly, including all whitespace and indentation)
   - new_string: the text to replace it with (must be different from old_string)
   - replace_all: replace all occurrences of old_string; optional, false by default

IMPORTANT:
- All edits are applied in sequence, in the order they are given; each works on the result of the one before
- The edits are atomic: if any of them fails, none is applied
- Plan them so that an earlier edit does not change the text that a later one is to find
- For Jupyter notebooks (.ipynb files) use NotebookEdit instead

To create a new file: a new file_path, a first edit with an empty old_string and the contents as new_string, \
then, if need be, normal edits of those contents.";

const EDIT_TEXT: &str = "\
Replace one text in a file.

- Read the file first; old_string must match its contents exactly, including all whitespace and indentation.
- The edit fails if old_string is not unique in the file: give more context, or set replace_all.
- file_path must be absolute. An empty old_string creates the file with new_string as its contents.
- For Jupyter notebooks (.ipynb files) use NotebookEdit instead.";

/// The two tools.
fn tools() -> Vec<ToolDefinition> {
    let path = json!({"type": "string", "description": "The absolute path to the file to modify"});
    let mut single = edit_properties();
    single["file_path"] = path.clone();
    let edit = json!({
        "type": "object", "properties": single,
        "required": ["file_path", "old_string", "new_string"], "additionalProperties": false
    });
    let multi = json!({
        "type": "object",
        "properties": {
            "file_path": path,
            "edits": {
                "type": "array",
                "minItems": 1,
                "description": "Array of edit operations to perform sequentially on the file",
                "items": {
                    "type": "object", "properties": edit_properties(),
                    "required": ["old_string", "new_string"], "additionalProperties": false
                }
            }
        },
        "required": ["file_path", "edits"],
        "additionalProperties": false
    });
    vec![
        ToolDefinition::new(Dialect::ClaudeCode, "Edit", EDIT_TEXT, edit),
        ToolDefinition::new(Dialect::ClaudeCode, "MultiEdit", MULTI_EDIT_TEXT, multi),
    ]
}

fn edit_properties() -> Value {
    json!({
        "old_string": {"type": "string", "description": "The text to replace"},
        "new_string": {"type": "string", "description": "The text to replace it with"},
        "replace_all": {"type": "boolean", "default": false, "description": "Replace all occurences of old_string (default false)."}
    })
}
