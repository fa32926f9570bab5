//! Anthropic's text editor tool, in every version.
//!
//! Owns its commands: `create`, `str_replace` and `insert` are edits; `view` reads, and `undo_edit` takes the newest edit of
//! the file back.

use super::document::Json;
use super::fault::{At, Fault};
use super::fields::{Checked, Fields, Member, absolute_or_relative, edit};
use super::format::Format;
use super::unknown::Shape;
use crate::answer::{Envelope, Status};
use crate::code::Reason;
use crate::dialect::native::{NativeAnswer, NativeContext, ToolDefinition};
use crate::dialect::words::Words;
use crate::request::{Dialect, Edit, Expectation, FileChange, FileRequest, Request, Wish};
use crate::strategy::Level;
use serde_json::{Value, json};

const REQUEST: &[&str] =
    &["command", "path", "file_text", "old_str", "new_str", "insert_line", "insert_text", "view_range"];
const COMMANDS: [&str; 5] = ["view", "create", "str_replace", "insert", "undo_edit"];

const SHAPE: Shape = Shape { keys: REQUEST, path: Some("path"), inner: &[] };

/// This dialect, for the table.
pub(crate) const FORMAT: Format =
    Format { level: Level::Fuzzy, words: &WORDS, shape: &SHAPE, fits: Some(fits), parse, text: None, answer, tools };

/// What its callers call things.
const WORDS: Words = Words { create: Some("`create`, with all of its text"), ..Words::of_pair("old_str", "new_str") };

fn fits(json: &Json<'_>) -> bool {
    matches!(json.get("command"), Some(Json::String(command)) if COMMANDS.contains(&command.as_ref()))
}

/// Reads a request.
fn parse(json: Json<'_>) -> Checked<Request> {
    let mut fields = Fields::new(json, &At::Top)?;
    let known = |name: &str| COMMANDS.into_iter().find(|command| *command == name);
    let command = fields.word("command", || format!("one of {}", COMMANDS.join(", ")), known)?;
    let command = command.ok_or_else(|| Fault::missing(At::Top.key("command"), ""))?;
    let raw = fields.need_text("path")?.into_owned();
    let path = absolute_or_relative(At::Top.key("path"), &raw)?;
    let (change, wish) = change(&mut fields, command).map_err(|fault| fault.in_file(raw))?;
    let file = FileRequest { path, change, expected: Expectation::default(), encoding: None, executable: None };
    let mut request = Request::new(Dialect::TextEditor, vec![file]);
    request.wish = wish;
    Ok(request)
}

fn change(fields: &mut Fields<'_, '_>, command: &str) -> Checked<(FileChange, Wish)> {
    let nothing = FileChange::Modify(Vec::new());
    Ok(match command {
        "view" => {
            let range = fields.list("view_range", |json, at, i| match &json {
                Json::Number(number)
                    if number.as_i64().is_some_and(|number| number >= 1 || (i == 1 && number == -1)) =>
                {
                    Ok(number.as_i64().unwrap_or_default())
                }
                _ => Err(Fault::bad_type(*at, "a line number, or -1 for the last line", json.describe())),
            })?;
            let lines = match range.as_deref() {
                None => None,
                Some([first, last]) => {
                    let number = |line: &i64| usize::try_from(*line).unwrap_or(usize::MAX);
                    Some((number(first), number(last)))
                }
                Some(_) => {
                    return Err(Fault::bad_type(
                        At::Top.key("view_range"),
                        "the first and the last line",
                        "another list",
                    ));
                }
            };
            (nothing, Wish::View(lines))
        }
        "undo_edit" => (nothing, Wish::Undo),
        "create" => {
            let content = fields.need_text("file_text")?.into_owned().into_bytes();
            (FileChange::Create { content, overwrite: false, edits: Vec::new() }, Wish::Change)
        }
        "insert" => {
            let line = fields.integer("insert_line", 0)?;
            let line = line.ok_or_else(|| {
                Fault::missing(
                    At::Top.key("insert_line"),
                    "give the line behind which the text goes; 0 is the top of the file",
                )
            })?;
            let line = usize::try_from(line).unwrap_or_default();
            // Older versions call the text as they call that of a replacement.
            let text = fields.text("insert_text")?.map_or_else(|| fields.need_text("new_str"), Ok)?.into_owned();
            let text = if text.ends_with('\n') { text } else { text + "\n" };
            (FileChange::Modify(vec![Edit::at_lines(line + 1, line, text.into_bytes())]), Wish::Change)
        }
        _ => {
            let old = fields.need_text("old_str")?;
            let new = fields.text_or_null("new_str")?.unwrap_or_default();
            let edit =
                edit(fields.at(), Member { key: "old_str", text: old }, Member { key: "new_str", text: new }, "")?;
            (FileChange::Modify(vec![edit]), Wish::Change)
        }
    })
}

/// The editor's own words, and what was found behind them.
fn answer(envelope: &Envelope, context: &NativeContext) -> NativeAnswer {
    let data = &envelope.data;
    if envelope.status == Status::Error {
        let own = match data.reason {
            Some(Reason::NoMatch) => "Error: No match found for replacement. Please check your text and try again.\n",
            Some(Reason::Ambiguous) => {
                "Error: Multiple matches found for replacement text. Please provide more context to make a unique match.\n"
            }
            Some(Reason::NoSuchFile) => "Error: File not found\n",
            _ => "Error: ",
        };
        return NativeAnswer::Text(format!("{own}{}", envelope.text));
    }
    if let Some(content) = data.extra.get("content").and_then(Value::as_str) {
        return NativeAnswer::Text(content.to_owned());
    }
    if !data.applied || data.undone.is_some() {
        return NativeAnswer::Text(envelope.text.clone());
    }
    let path = data.files.first().map_or(context.path.as_str(), |file| file.path.as_str());
    let mut text = match data.files.first().map(|file| file.change) {
        Some(crate::change::ChangeKind::Create) => format!("File created successfully at: {path}"),
        _ => format!("The file {path} has been edited."),
    };
    if !data.diff_preview.is_empty() {
        text.push_str(&format!("\n{}", data.diff_preview));
    }
    for warning in &data.warnings {
        text.push_str(&format!("\nwarning: {warning}"));
    }
    NativeAnswer::Text(text)
}

const TEXT: &str = "\
View, create and edit files. view shows a file, or the lines of view_range; create makes a new file; str_replace replaces
old_str, which must occur once, by new_str; insert puts insert_text behind line insert_line (0 is the top); undo_edit takes the
newest edit of the file back, and keeps what came later.";

/// The one tool.
fn tools() -> Vec<ToolDefinition> {
    let text = || json!({"type": "string"});
    let schema = json!({
        "type": "object",
        "properties": {
            "command": {"type": "string", "enum": COMMANDS},
            "path": text(),
            "file_text": text(),
            "old_str": text(),
            "new_str": text(),
            "insert_line": {"type": "integer", "minimum": 0},
            "insert_text": text(),
            "view_range": {"type": "array", "items": {"type": "integer"}, "minItems": 2, "maxItems": 2}
        },
        "required": ["command", "path"],
        "additionalProperties": false
    });
    vec![ToolDefinition::new(Dialect::TextEditor, "str_replace_based_edit_tool", TEXT, schema)]
}
