//! redraft's own request: a superset of the standard `Edit` and `MultiEdit`.
//!
//! Owns the keys of that format. Original mode and exact matching unless it says otherwise; paths are relative to the
//! root of the working tree. One file at the top, or several under `files`, in one transaction.

use super::document::Json;
use super::fault::{At, Cause, Fault};
use super::fields::{Checked, Fields, Member, edit, relative};
use super::format::Format;
use super::unknown::Shape;
use crate::answer::Envelope;
use crate::dialect::native::{NativeAnswer, NativeContext, ToolDefinition};
use crate::dialect::words::Words;
use crate::request::{Agent, Dialect, Edit, Expectation, FileChange, FileRequest, Mode, PathArg, RecordKind, Request};
use crate::strategy::{Level, Strategy};
use crate::text::Encoding;
use base64::Engine as _;
use serde_json::{Value, json};
use std::borrow::Cow;
use std::collections::HashMap;
use std::str::FromStr;

/// Of one edit.
const EDIT: &[&str] = &["old_string", "new_string", "replace_all", "line", "expected_replacements"];
/// Of one file, beside those of its only edit.
const FILE_ALONE: &[&str] = &[
    "path",
    "path_b64",
    "edits",
    "content",
    "overwrite",
    "delete",
    "rename_to",
    "expected_mtime_ms",
    "expected_size_bytes",
    "expected_blob",
    "encoding",
];
/// Of one file.
const FILE: &[&str] = &joined::<{ FILE_ALONE.len() + EDIT.len() }>(FILE_ALONE, EDIT);
/// Of a request, beside those of its only file.
const REQUEST_ALONE: &[&str] = &[
    "files",
    "mode",
    "match",
    "dry_run",
    "require_clean",
    "expected_head",
    "record",
    "message",
    "agent",
    "request_id",
];
/// Of a request.
const REQUEST: &[&str] = &joined::<{ FILE.len() + REQUEST_ALONE.len() }>(FILE, REQUEST_ALONE);
/// Of an agent.
const AGENT: &[&str] = &["name", "model", "session", "turn", "subagent", "call_id"];

/// The keys of one list, then those of the other; `N` is how many.
const fn joined<const N: usize>(one: &[&'static str], other: &[&'static str]) -> [&'static str; N] {
    let mut keys = [""; N];
    let mut n = 0;
    while n < N {
        keys[n] = if n < one.len() { one[n] } else { other[n - one.len()] };
        n += 1;
    }
    keys
}

const SHAPE: Shape = Shape {
    keys: REQUEST,
    path: Some("path"),
    inner: &[("edits", &EDIT_SHAPE), ("files", &FILE_SHAPE), ("agent", &AGENT_SHAPE)],
};
const FILE_SHAPE: Shape = Shape { keys: FILE, path: Some("path"), inner: &[("edits", &EDIT_SHAPE)] };
const EDIT_SHAPE: Shape = Shape { keys: EDIT, path: None, inner: &[] };
const AGENT_SHAPE: Shape = Shape { keys: AGENT, path: None, inner: &[] };

/// This dialect, for the table.
pub(crate) const FORMAT: Format =
    Format { level: Level::Exact, words: &WORDS, shape: &SHAPE, fits: Some(fits), parse, text: None, answer, tools };

/// What its callers call things.
const WORDS: Words = Words {
    replace_all: Some("replace_all"),
    expected_replacements: Some("expected_replacements"),
    line: Some("line"),
    sequence: Some("`mode: \"sequence\"`"),
    create: Some("`content`, with all of its text"),
    overwrite: Some("`content` with all of its text, and `overwrite: true`"),
    record: Some("record"),
    require_clean: Some("require_clean"),
    dry_run: Some("dry_run"),
    session: Some("agent.session"),
    request_id: Some("request_id"),
    encoding: Some("encoding"),
    ..Words::of_pair("old_string", "new_string")
};

/// Whether the request has this dialect's keys for what is to be edited.
fn fits(json: &Json<'_>) -> bool {
    ["files", "path", "path_b64"].iter().any(|key| json.get(key).is_some())
}

/// Reads a request.
fn parse(json: Json<'_>) -> Checked<Request> {
    let mut fields = Fields::new(json, &At::Top)?;
    let several = fields.has("files");
    let files = if several {
        fields.refuse_beside("files", FILE)?;
        fields.list("files", |json, at, _| file(&mut Fields::new(json, at)?))?.unwrap_or_default()
    } else {
        vec![file(&mut fields)?]
    };
    each_once(&files, &|index, key| if several { format!("files[{index}].{key}") } else { key.to_owned() })?;
    let mut request = Request::new(Dialect::Standard, files);
    request.mode = fields.word("mode", || "\"original\" or \"sequence\"".to_owned(), mode)?.unwrap_or_default();
    request.level = fields.word("match", || one_of(&levels()), Level::from_name)?;
    request.dry_run = fields.flag("dry_run")?;
    request.require_clean = fields.flag("require_clean")?;
    request.expected_head = git_id(&mut fields, "expected_head")?;
    request.record = fields.word("record", || one_of(&RECORDS), RecordKind::from_name)?;
    request.message = owned(fields.text("message")?);
    if let Some(json) = fields.take("agent") {
        request.agent = agent(json)?;
    }
    request.request_id = fields.word("request_id", || "a string that is not empty".to_owned(), not_empty)?;
    Ok(request)
}

const RECORDS: [&str; 4] = ["history", "commit", "stash", "none"];

fn mode(name: &str) -> Option<Mode> {
    match name {
        "original" => Some(Mode::Original),
        "sequence" => Some(Mode::Sequence),
        _ => None,
    }
}

fn levels() -> Vec<&'static str> {
    ["exact", "fuzzy", "loose"]
        .into_iter()
        .chain(Strategy::ALL.iter().map(|s| s.as_str()).filter(|&s| s != "exact"))
        .collect()
}

fn one_of(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("{name:?}")).collect();
    format!("one of {}", quoted.join(", "))
}

fn not_empty(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}

fn owned(text: Option<Cow<'_, str>>) -> Option<String> {
    text.map(Cow::into_owned)
}

fn git_id<I: FromStr>(fields: &mut Fields<'_, '_>, key: &str) -> Checked<Option<I>> {
    fields.word(key, || "a git id of 40 hexadecimal digits".to_owned(), |text| text.parse().ok())
}

fn agent(json: Json<'_>) -> Checked<Agent> {
    let at = At::Top.key("agent");
    let mut fields = Fields::new(json, &at)?;
    Ok(Agent {
        name: owned(fields.text("name")?),
        model: owned(fields.text("model")?),
        session: owned(fields.text("session")?),
        turn: owned(fields.text("turn")?),
        subagent: owned(fields.text("subagent")?),
        call_id: owned(fields.text("call_id")?),
    })
}

/// Takes all keys of one file.
fn file(fields: &mut Fields<'_, '_>) -> Checked<FileRequest> {
    let path = path(fields)?;
    let rest = |fields: &mut Fields<'_, '_>| {
        Ok((
            change(fields)?,
            fields.word("encoding", || "the name of an encoding, such as \"shift_jis\"".to_owned(), Encoding::named)?,
            Expectation {
                mtime_ms: fields.integer_or_null("expected_mtime_ms", i64::MIN)?,
                size_bytes: fields.integer_or_null("expected_size_bytes", 0)?.map(i64::unsigned_abs),
                blob: git_id(fields, "expected_blob")?,
                ..Expectation::default()
            },
        ))
    };
    match rest(fields) {
        Ok((change, encoding, expected)) => Ok(FileRequest { path, change, expected, encoding, executable: None }),
        Err(fault) => Err(Fault::in_file(fault, path.to_string_lossy())),
    }
}

fn path(fields: &mut Fields<'_, '_>) -> Checked<PathArg> {
    if fields.has("path") {
        fields.refuse_beside("path", &["path_b64"])?;
    }
    if let Some(raw) = fields.text("path")? {
        return relative(fields.at().key("path"), raw.as_bytes());
    }
    let decode = |text: &str| base64::engine::general_purpose::STANDARD.decode(text).ok();
    match fields.word("path_b64", || "a path in base64, with its padding".to_owned(), decode)? {
        Some(raw) => relative(fields.at().key("path_b64"), &raw),
        None => Err(Fault::missing(
            fields.at().key("path"),
            "name the file, relative to the root of the working tree (or several under `files`)",
        )),
    }
}

fn change(fields: &mut Fields<'_, '_>) -> Checked<FileChange> {
    if fields.flag("delete")? {
        fields.refuse_beside("delete", EDIT)?;
        fields.refuse_beside("delete", &["edits", "content", "overwrite", "rename_to"])?;
        return Ok(FileChange::Delete);
    }
    if fields.has("content") {
        fields.refuse_beside("content", EDIT)?;
        fields.refuse_beside("content", &["edits", "rename_to"])?;
        let overwrite = fields.flag("overwrite")?;
        let content = fields.need_text("content")?.into_owned().into_bytes();
        return Ok(FileChange::Create { content, overwrite, edits: Vec::new() });
    }
    if fields.flag("overwrite")? {
        fields.refuse_beside("overwrite", &["edits", "old_string", "new_string", "rename_to"])?;
        return Err(Fault::missing(
            fields.at().key("content"),
            "give the new contents of the file there, which `overwrite` needs",
        ));
    }
    let edits = edits(fields)?;
    match (fields.text("rename_to")?, edits) {
        (Some(raw), edits) => {
            let to = relative(fields.at().key("rename_to"), raw.as_bytes())?;
            Ok(FileChange::Rename { to, edits: edits.unwrap_or_default() })
        }
        (None, Some(edits)) => Ok(FileChange::Modify(edits)),
        (None, None) => Err(Fault::missing(
            fields.at().key("edits"),
            "say what is to happen to the file: `edits`, or `old_string` and `new_string`, or `content`, `delete` or `rename_to`",
        )),
    }
}

/// The edits under `edits`, or the one that stands directly in the object.
fn edits(fields: &mut Fields<'_, '_>) -> Checked<Option<Vec<Edit>>> {
    if fields.has("edits") {
        fields.refuse_beside("edits", EDIT)?;
        return fields.list("edits", |json, at, i| {
            let read = || one_edit(&mut Fields::new(json, at)?);
            read().map_err(|fault| fault.in_edit(i))
        });
    }
    if EDIT.iter().any(|key| fields.has(key)) {
        return one_edit(fields).map(|edit| Some(vec![edit])).map_err(|fault| fault.in_edit(0));
    }
    Ok(None)
}

fn one_edit(fields: &mut Fields<'_, '_>) -> Checked<Edit> {
    let old = fields.need_text("old_string")?;
    let new = fields.need_text("new_string")?;
    let replace_all = fields.flag("replace_all")?;
    let line = positive(fields, "line")?;
    let expected_replacements = positive(fields, "expected_replacements")?;
    let advice = ", or make a new file with `content`";
    let mut edit =
        edit(fields.at(), Member { key: "old_string", text: old }, Member { key: "new_string", text: new }, advice)?;
    edit.replace_all = replace_all;
    edit.line = line;
    edit.expected_replacements = expected_replacements;
    Ok(edit)
}

fn positive(fields: &mut Fields<'_, '_>, key: &str) -> Checked<Option<usize>> {
    Ok(fields.integer(key, 1)?.and_then(|number| usize::try_from(number).ok()))
}

/// No two entries may name one file, not even as the end of a rename; `field` says where an entry's key stands.
fn each_once(files: &[FileRequest], field: &dyn Fn(usize, &str) -> String) -> Checked<()> {
    let mut seen = HashMap::new();
    for (index, file) in files.iter().enumerate() {
        let to = match &file.change {
            FileChange::Rename { to, .. } => Some((to, "rename_to")),
            _ => None,
        };
        for (path, key) in std::iter::once((&file.path, "path")).chain(to) {
            if let Some((first, first_key)) = seen.insert(path, (index, key)) {
                let cause = Cause::SameFileTwice { first: field(first, first_key), second: field(index, key) };
                return Err(Fault::new(cause).in_file(path.to_string_lossy()));
            }
        }
    }
    Ok(())
}

/// The envelope itself.
fn answer(envelope: &Envelope, _: &NativeContext) -> NativeAnswer {
    NativeAnswer::Json(serde_json::to_value(envelope).expect("an envelope has only string keys and finite numbers"))
}

const EDIT_TEXT: &str = "\
Replace a single unique text segment in an existing file.

Rules:
- You MUST read the file immediately before editing.
- old_string must be an EXACT copy from Read output (no line numbers, no escaped \\n).
- old_string must be unique; include 2-5 lines of surrounding context.
- Framework auto-injects expected_mtime_ms and expected_size_bytes after Read.
- If you get CONFLICT, re-read the file and re-apply changes.";

const MULTI_EDIT_TEXT: &str = "\
Apply multiple independent edits to ONE file atomically. All edits are matched against the original file content.

Rules:
- All old_string anchors must match the ORIGINAL file content from Read.
- Do not assume previous edits have been applied.
- If edits overlap, the tool will fail with INVALID_PARAM.
- Use MultiEdit instead of calling Edit multiple times on the same file.";

const NATIVE_TEXT: &str = "\
Edit, create, delete and rename files of a git working tree in one transaction: all of it is done, or nothing.

One file: `path` and what is to happen to it. Several files: `files`, each with its `path`.
- `edits` (or one `old_string` and `new_string`): each old_string must be an exact copy from the file and occur once, \
unless replace_all is set; include 2-5 lines of surrounding context. All edits match the ORIGINAL file; \
with mode \"sequence\" each edit sees the result of the one before.
- `content` creates the file (with its folders); an existing file is replaced only with overwrite.
- `delete` removes it, `rename_to` moves it, perhaps with edits.
- Write all of the new text: comments such as \"... rest of the code\" are refused.
- On an error nothing was written: data.reason and data.hint say what to send next.";

/// The tools of the two seeds, and the whole of this dialect.
fn tools() -> Vec<ToolDefinition> {
    let tool = |name: &str, text: &str, schema: Value| ToolDefinition::new(Dialect::Standard, name, text, schema);
    vec![
        tool("Edit", EDIT_TEXT, edit_schema()),
        tool("MultiEdit", MULTI_EDIT_TEXT, multi_edit_schema()),
        tool("redraft", NATIVE_TEXT, native_schema()),
    ]
}

fn path_schema() -> Value {
    json!({"type": "string", "description": "Path to the file (relative to project root, POSIX style). Required."})
}

fn optimistic(what: &str, key: &str) -> Value {
    let description = format!("File {what} from Read (stats.{key}). Framework auto-injects when available.");
    json!({"type": "integer", "description": description, "default": null})
}

fn dry_run_schema() -> Value {
    json!({"type": "boolean", "description": "If true, compute diff but do not write to disk.", "default": false})
}

fn edit_schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "path": path_schema(),
            "old_string": {"type": "string", "description": "Exact text snippet to replace. MUST be unique. Include 2-5 lines of surrounding context. Do NOT include line numbers or escape newlines."},
            "new_string": {"type": "string", "description": "Replacement text. Ensure it fits syntactically in context."},
            "expected_mtime_ms": optimistic("mtime in ms", "file_mtime_ms"),
            "expected_size_bytes": optimistic("size in bytes", "file_size_bytes"),
            "dry_run": dry_run_schema()
        },
        "required": ["path", "old_string", "new_string"],
        "additionalProperties": false
    })
}

fn multi_edit_schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "path": path_schema(),
            "edits": {
                "type": "array",
                "description": "List of edits to apply. Each old_string must be unique in the ORIGINAL file content.",
                "minItems": 1,
                "items": {
                    "type": "object",
                    "properties": {
                        "old_string": {"type": "string", "description": "Exact text snippet to replace. Must be unique in the original file."},
                        "new_string": {"type": "string", "description": "Replacement text."}
                    },
                    "required": ["old_string", "new_string"],
                    "additionalProperties": false
                }
            },
            "expected_mtime_ms": optimistic("mtime in ms", "file_mtime_ms"),
            "expected_size_bytes": optimistic("size in bytes", "file_size_bytes"),
            "dry_run": dry_run_schema()
        },
        "required": ["path", "edits"],
        "additionalProperties": false
    })
}

/// One edit, as a schema's `properties`.
fn edit_properties() -> Value {
    json!({
        "old_string": {"type": "string", "minLength": 1, "description": "Exact text to replace; unique in the file unless replace_all is set."},
        "new_string": {"type": "string", "description": "What it becomes; other than old_string."},
        "replace_all": {"type": "boolean", "default": false, "description": "Replace every occurrence."},
        "line": {"type": "integer", "minimum": 1, "description": "1-based line inside the place meant; chooses among exact places only."},
        "expected_replacements": {"type": "integer", "minimum": 1, "description": "Refuse if another number of places would be replaced."}
    })
}

/// One file, as a schema's `properties`.
fn file_properties() -> Value {
    let mut properties = json!({
        "path": {"type": "string", "description": "POSIX path relative to the root of the working tree."},
        "path_b64": {"type": "string", "description": "In place of path, in base64, for a name that is not UTF-8."},
        "edits": {
            "type": "array",
            "minItems": 1,
            "items": {"type": "object", "properties": edit_properties(), "required": ["old_string", "new_string"], "additionalProperties": false}
        },
        "content": {"type": "string", "description": "Create the file with these contents."},
        "overwrite": {"type": "boolean", "default": false, "description": "With content: replace the file if it exists."},
        "delete": {"type": "boolean", "default": false, "description": "Delete the file."},
        "rename_to": {"type": "string", "description": "Move the file to this path, where nothing may be."},
        "expected_mtime_ms": optimistic("mtime in ms", "file_mtime_ms"),
        "expected_size_bytes": optimistic("size in bytes", "file_size_bytes"),
        "expected_blob": {"type": "string", "pattern": "^[0-9a-fA-F]{40}$", "description": "Git blob id that `read` gave; refuse if the file has other bytes now."},
        "encoding": {"type": "string", "examples": ["shift_jis", "windows-1252", "utf-16le"], "description": "What the file is in, where it is not UTF-8 and nothing else tells it."}
    });
    merge(&mut properties, edit_properties());
    properties
}

fn native_schema() -> Value {
    let file = json!({"type": "object", "properties": file_properties(), "additionalProperties": false});
    let mut properties = file_properties();
    merge(
        &mut properties,
        json!({
            "files": {"type": "array", "minItems": 1, "items": file, "description": "Several files, one transaction; in place of path."},
            "mode": {"type": "string", "enum": ["original", "sequence"], "default": "original", "description": "Whether edits of a file match the original text or each the result of the one before."},
            "match": {"type": "string", "enum": levels(), "default": "exact", "description": "How strictly old_string is matched."},
            "dry_run": dry_run_schema(),
            "require_clean": {"type": "boolean", "default": false, "description": "Refuse files that differ from HEAD."},
            "expected_head": {"type": "string", "pattern": "^[0-9a-fA-F]{40}$", "description": "Refuse if HEAD is another commit."},
            "record": {"type": "string", "enum": RECORDS, "default": "history", "description": "Where the edit is recorded."},
            "message": {"type": "string", "description": "Why; for the record."},
            "agent": {
                "type": "object",
                "properties": AGENT.iter().map(|key| ((*key).to_owned(), json!({"type": "string"}))).collect::<serde_json::Map<_, _>>(),
                "additionalProperties": false
            },
            "request_id": {"type": "string", "minLength": 1, "description": "Sent again with the same body, nothing is applied twice."}
        }),
    );
    json!({"type": "object", "properties": properties, "additionalProperties": false})
}

fn merge(into: &mut Value, from: Value) {
    if let (Value::Object(into), Value::Object(from)) = (into, from) {
        into.extend(from);
    }
}
