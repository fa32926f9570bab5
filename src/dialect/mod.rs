//! Request bytes to [`Request`], and the envelope to the answer that a dialect expects.
//!
//! Owns the keys of every format, one file each: no key of a dialect is spelled elsewhere. Does not look for old texts
//! and does not touch files.
//! Invariant: whatever the bytes are, there is a request, or an error that says which field is wrong and what to send.

mod json;
mod native;
#[cfg(test)]
mod tests;
mod text;
mod words;

pub use json::Limits;
#[cfg(feature = "mcp")]
pub(crate) use json::short::{in_own_words, names_a_change, paths_mut, short_tool};
pub(crate) use json::{Cause, Fault, Json, JsonError, Meant, Slip, UnknownField};
pub(crate) use native::NOTHING_WRITTEN;
pub use native::{NativeAnswer, NativeContext, ToolDefinition};
pub(crate) use words::Words;

use crate::answer::Envelope;
use crate::code::Reason;
use crate::request::{Dialect, Request};
use crate::strategy::Level;
use json::format::{Format, TextFormat};
use serde_json::Value;

/// Requests above this size are not shown in the answer.
const SHOWN_REQUEST: usize = 1 << 20;

/// A request, and the same as it came.
#[derive(Debug, Clone, PartialEq)]
pub struct Parsed {
    /// What is wanted.
    pub request: Request,
    /// For `context.params_input`: the request as received; above 1 MiB `{"omitted_bytes": n}`.
    pub params_input: Value,
}

/// Why bytes are no request.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{}", fault.cause)]
pub struct DialectError {
    /// The dialect they were read in; none where they could not be read at all.
    pub dialect: Option<Dialect>,
    /// For `context.params_input`; null where the bytes could not be read at all.
    pub params_input: Value,
    /// What is wrong.
    pub(crate) fault: Box<Fault>,
}

impl DialectError {
    /// The finer cause.
    pub fn reason(&self) -> Reason {
        self.fault.cause.reason()
    }

    /// The file at fault, as the caller named it.
    pub fn path(&self) -> Option<String> {
        let inner = match &self.fault.cause {
            Cause::Path { error, .. } => error.path().map(ToString::to_string),
            _ => None,
        };
        self.fault.path.clone().or(inner)
    }
}

impl Dialect {
    /// The dialect with this name on the command line; `native` is another name of `standard`.
    pub fn from_name(name: &str) -> Option<Self> {
        if name == "native" {
            return Some(Self::Standard);
        }
        Self::ALL.into_iter().find(|dialect| dialect.as_str() == name)
    }
}

/// Reads a request, in the dialect `forced` or the one that its shape shows.
///
/// # Errors
/// Where the bytes are no JSON within the limits and no text of a known format, or no request of that dialect.
pub fn parse(bytes: &[u8], forced: Option<Dialect>, limits: Limits) -> Result<Parsed, DialectError> {
    if let Some((dialect, format)) = text_format(bytes, forced) {
        return parse_text(bytes, dialect, format, limits);
    }
    let json = json::document::read(bytes, limits).map_err(|error| DialectError {
        dialect: forced,
        params_input: Value::Null,
        fault: Fault::new(Cause::Json(error)),
    })?;
    let params_input =
        if bytes.len() > SHOWN_REQUEST { serde_json::json!({"omitted_bytes": bytes.len()}) } else { json.to_value() };
    let dialect = forced.unwrap_or_else(|| sniff(&json));
    let Format { shape, parse, .. } = format(dialect);
    match json::unknown::refuse(&json, shape).and_then(|()| parse(json)) {
        Ok(request) => Ok(Parsed { request, params_input }),
        Err(fault) => Err(DialectError { dialect: Some(dialect), params_input, fault }),
    }
}

/// Why a JSON document, of whatever meaning, is none for redraft though other readers take it: a key given twice.
pub(crate) fn other_than_json(bytes: &[u8]) -> Option<String> {
    let limits = Limits { request_bytes: usize::MAX, ..Limits::default() };
    json::document::read(bytes, limits).err().map(|error| error.to_string())
}

/// The `id` of a JSON object that may be damaged elsewhere.
pub(crate) fn id_of(bytes: &[u8]) -> Option<Value> {
    #[derive(serde::Deserialize)]
    struct Known {
        id: Value,
    }
    // What is not asked for is not looked at closely.
    serde_json::from_slice(bytes).ok().map(|known: Known| known.id)
}

fn parse_text(bytes: &[u8], dialect: Dialect, format: &TextFormat, limits: Limits) -> Result<Parsed, DialectError> {
    let shown = || serde_json::json!(String::from_utf8_lossy(bytes));
    let params_input =
        if bytes.len() > SHOWN_REQUEST { serde_json::json!({"omitted_bytes": bytes.len()}) } else { shown() };
    let read = if bytes.len() > limits.request_bytes {
        Err(Fault::new(Cause::Json(JsonError::TooLarge { limit: limits.request_bytes })))
    } else {
        (format.parse)(bytes, None)
    };
    match read {
        Ok(request) => Ok(Parsed { request, params_input }),
        Err(fault) => Err(DialectError { dialect: Some(dialect), params_input, fault }),
    }
}

/// The text format that bytes are in, if they are no JSON: the forced one, or the first that they look like.
fn text_format(bytes: &[u8], forced: Option<Dialect>) -> Option<(Dialect, &'static TextFormat)> {
    let is_json = matches!(bytes.trim_ascii_start().first(), Some(b'{' | b'"'));
    let of = |dialect: Dialect| Some((dialect, format(dialect).text?));
    match forced {
        Some(dialect) if is_json || json_list(bytes) => of(dialect).filter(|(_, format)| (format.fits)(bytes)),
        Some(dialect) => of(dialect),
        None if is_json => None,
        None => TEXTS.into_iter().filter_map(of).find(|(_, format)| (format.fits)(bytes)),
    }
}

/// The format that a text is in, which is no JSON; none where it looks like none that is known.
#[cfg(feature = "mcp")]
pub(crate) fn of_text(text: &[u8]) -> Option<Dialect> {
    let fits = |dialect: &Dialect| format(*dialect).text.is_some_and(|format| (format.fits)(text));
    TEXTS.into_iter().find(fits)
}

/// Whether bytes begin as a list in JSON does.
fn json_list(bytes: &[u8]) -> bool {
    let inside = bytes.trim_ascii_start().strip_prefix(b"[").map(<[u8]>::trim_ascii_start);
    inside.is_some_and(|inside| matches!(inside.first(), Some(b'"' | b'{' | b'[')))
}

/// Those with a form that is no JSON, the most distinct first.
const TEXTS: [Dialect; 4] = [Dialect::ApplyPatch, Dialect::Lines, Dialect::SearchReplace, Dialect::UnifiedDiff];

/// In this order a request is looked at for what only one dialect has.
const DISTINCT: [Dialect; 6] = [
    Dialect::ApplyPatch,
    Dialect::SearchReplace,
    Dialect::UnifiedDiff,
    Dialect::TextEditor,
    Dialect::Lines,
    Dialect::Gemini,
];

/// The table of dialects: the one place that knows them all.
fn format(dialect: Dialect) -> &'static json::format::Format {
    match dialect {
        Dialect::Standard => &json::standard::FORMAT,
        Dialect::ClaudeCode => &json::claude_code::FORMAT,
        Dialect::ClaudeCodeOpen => &json::claude_code_open::FORMAT,
        Dialect::OpenCode => &json::opencode::FORMAT,
        Dialect::ApplyPatch => &text::apply_patch::FORMAT,
        Dialect::UnifiedDiff => &text::unified_diff::FORMAT,
        Dialect::SearchReplace => &text::search_replace::FORMAT,
        Dialect::TextEditor => &json::text_editor::FORMAT,
        Dialect::Gemini => &json::gemini::FORMAT,
        Dialect::Lines => &text::hashline::FORMAT,
    }
}

/// The dialect that a request looks like: the first that it fits has it.
///
/// What only one dialect has decides first: a patch, blocks or a diff under a key, a command of the text editor, operations on
/// lines, what only gemini's tools have. Then how the request names its file, whatever else it has: `path`, `path_b64` or `files` is standard, then
/// `file_path` is claude-code; then any key of opencode is opencode. All else is standard, whose errors then say what is
/// missing.
pub(crate) fn sniff(json: &Json<'_>) -> Dialect {
    let fits = |dialect: &Dialect| format(*dialect).fits.is_some_and(|fits| fits(json));
    DISTINCT.into_iter().chain(Dialect::ALL).find(fits).unwrap_or(Dialect::Standard)
}

/// How loosely a dialect matches where the request, the command line and the configuration are silent.
pub(crate) fn default_level(dialect: Dialect) -> Level {
    format(dialect).level
}

/// What the callers of a dialect call things.
pub(crate) fn words(dialect: Dialect) -> &'static Words {
    format(dialect).words
}

impl NativeContext {
    /// What native answers say of a request that could not be read; the path may be missing.
    pub fn of_error(error: &DialectError) -> Self {
        Self { path: error.path().unwrap_or_default(), edits: 0 }
    }
}

/// Says what the envelope says, the way the dialect's harness would.
pub fn answer(dialect: Dialect, envelope: &Envelope, context: &NativeContext) -> NativeAnswer {
    (format(dialect).answer)(envelope, context)
}

/// The tools of one dialect, or of all.
///
/// Among all, a name that an earlier dialect has already taken gets the dialect's name behind it
/// (`MultiEdit_claude_code`), so that every name is there once.
pub fn tools(dialect: Option<Dialect>) -> Vec<ToolDefinition> {
    let of = |dialect| (format(dialect).tools)();
    let Some(dialect) = dialect else {
        let mut all: Vec<ToolDefinition> = Vec::new();
        for mut tool in Dialect::ALL.into_iter().flat_map(of) {
            if all.iter().any(|other| other.name == tool.name) {
                tool.name = format!("{}_{}", tool.name, tool.dialect.as_str().replace('-', "_"));
            }
            all.push(tool);
        }
        return all;
    };
    of(dialect)
}
