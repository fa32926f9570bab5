//! A payload: an object of JSON, as harnesses write it.
//!
//! Owns reading it leniently: raw control characters in strings, text in place of an object, other spellings of a key.

use serde_json::{Map, Value};
use std::path::PathBuf;

/// A longer payload is not read, in bytes.
pub const LARGEST_PAYLOAD: usize = 64 << 20;

/// An object whose values are asked for by any of their names.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fields<'a>(&'a Map<String, Value>);

/// A payload.
#[derive(Debug)]
pub(super) struct Payload(Map<String, Value>);

/// What stands where nothing is.
static NOTHING: std::sync::LazyLock<Map<String, Value>> = std::sync::LazyLock::new(Map::new);

impl Payload {
    /// Reads one.
    pub(super) fn read(bytes: &[u8]) -> Result<Self, String> {
        if bytes.len() > LARGEST_PAYLOAD {
            return Err(format!("the payload is larger than {LARGEST_PAYLOAD} bytes"));
        }
        if bytes.trim_ascii().is_empty() {
            return Err("there is no payload on standard input".to_owned());
        }
        let text = String::from_utf8_lossy(bytes);
        let text = text.trim_start_matches('\u{feff}');
        let value = serde_json::from_str(text).or_else(|error| {
            let cleaned = without_lone_surrogates(&without_raw_controls(text));
            serde_json::from_str(&cleaned).map_err(|_| format!("the payload is no JSON: {error}"))
        })?;
        match value {
            Value::Object(map) => Ok(Self(map)),
            _ => Err("the payload is no JSON object".to_owned()),
        }
    }

    pub(super) fn fields(&self) -> Fields<'_> {
        Fields(&self.0)
    }

    pub(super) fn has(&self, key: &str) -> bool {
        self.0.contains_key(key)
    }

    pub(super) fn text(&self, keys: &[&str]) -> Option<String> {
        self.fields().text(keys)
    }

    pub(super) fn number(&self, keys: &[&str]) -> Option<f64> {
        keys.iter().find_map(|key| self.0.get(*key)?.as_f64())
    }

    pub(super) fn object(&self, keys: &[&str]) -> Fields<'_> {
        self.fields().object(keys)
    }
}

impl<'a> Fields<'a> {
    /// A value of that name.
    pub(super) fn value(self, keys: &[&str]) -> Option<&'a Value> {
        keys.iter().find_map(|key| self.0.get(*key)).filter(|value| !value.is_null())
    }

    /// A text that is not empty; a number is one, too.
    pub(super) fn text(self, keys: &[&str]) -> Option<String> {
        let text = match self.value(keys)? {
            Value::String(text) => text.clone(),
            Value::Number(number) => number.to_string(),
            _ => return None,
        };
        (!text.is_empty()).then_some(text)
    }

    pub(super) fn flag(self, keys: &[&str]) -> bool {
        self.value(keys).is_some_and(|value| value == &Value::Bool(true) || value == "true")
    }

    /// The object of that name; one without anything where there is none.
    pub(super) fn object(self, keys: &[&str]) -> Self {
        Self(self.value(keys).and_then(Value::as_object).unwrap_or(&NOTHING))
    }

    pub(super) fn paths(self, keys: &[&str]) -> Vec<PathBuf> {
        keys.iter().filter_map(|key| self.0.get(*key)).flat_map(texts).filter_map(|text| path(&text)).collect()
    }
}

/// The arguments of a tool: an object, one as text, or text alone.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Input {
    Object(Map<String, Value>),
    Text(String),
    Nothing,
}

impl Input {
    pub(super) fn of(value: Option<&Value>) -> Self {
        match value {
            Some(Value::Object(map)) => Self::Object(map.clone()),
            Some(Value::String(text)) => match serde_json::from_str(text) {
                Ok(Value::Object(map)) => Self::Object(map),
                _ => Self::Text(text.clone()),
            },
            _ => Self::Nothing,
        }
    }

    pub(super) fn fields(&self) -> Fields<'_> {
        match self {
            Self::Object(map) => Fields(map),
            Self::Text(_) | Self::Nothing => Fields(&NOTHING),
        }
    }

    /// As text, for telling one call from another.
    pub(super) fn spelled(&self) -> String {
        match self {
            Self::Object(map) => serde_json::to_string(map).unwrap_or_default(),
            Self::Text(text) => text.clone(),
            Self::Nothing => String::new(),
        }
    }
}

/// The texts of a value: itself, those of a list, or of a list that is written as text.
fn texts(value: &Value) -> Vec<String> {
    match value {
        Value::String(text) => match serde_json::from_str(text) {
            Ok(Value::Array(items)) => items.iter().flat_map(texts).collect(),
            _ => vec![text.clone()],
        },
        Value::Array(items) => items.iter().flat_map(texts).collect(),
        Value::Object(map) => Fields(map).text(&["path", "file_path", "filePath"]).into_iter().collect(),
        _ => Vec::new(),
    }
}

/// A path as harnesses write it: perhaps as a URI, perhaps with a slash before a drive.
pub(super) fn path(text: &str) -> Option<PathBuf> {
    let text = text.trim_end_matches(['\r', '\n']);
    let decoded = text.strip_prefix("file://").map(without_percents);
    let text = decoded.as_deref().unwrap_or(text);
    let bytes = text.as_bytes();
    let has_drive = bytes.len() > 3 && bytes[0] == b'/' && bytes[1].is_ascii_alphabetic() && bytes[2] == b':';
    let text = if has_drive && matches!(bytes[3], b'/' | b'\\') && cfg!(windows) { &text[1..] } else { text };
    (!text.is_empty() && !text.contains('\0')).then(|| PathBuf::from(text))
}

/// A URI's path with its escapes as characters.
fn without_percents(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, more)) = rest.split_first() {
        let digits = more.get(..2).and_then(|two| std::str::from_utf8(two).ok());
        let code = digits.filter(|_| first == b'%').and_then(|two| u8::from_str_radix(two, 16).ok());
        bytes.push(code.unwrap_or(first));
        rest = if code.is_some() { &more[2..] } else { more };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Halves of characters, as a text that was cut has them, are written as what stands for what cannot be read.
fn without_lone_surrogates(text: &str) -> String {
    let unit = |at: usize| {
        let four = text.get(at..at + 6)?.strip_prefix("\\u")?;
        u16::from_str_radix(four, 16).ok()
    };
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while let Some(next) = text[at..].find('\\') {
        out.push_str(&text[at..at + next]);
        at += next;
        let length = match (unit(at), unit(at + 6)) {
            (Some(0xD800..=0xDBFF), Some(0xDC00..=0xDFFF)) => 12,
            (Some(0xD800..=0xDFFF), _) => {
                out.push_str("\\ufffd");
                at += 6;
                continue;
            }
            // An escaped backslash is no beginning of an escape.
            _ => 1 + text[at + 1..].chars().next().map_or(0, char::len_utf8),
        };
        out.push_str(&text[at..at + length]);
        at += length;
    }
    out.push_str(&text[at..]);
    out
}

/// Control characters in strings are written out as JSON wants them.
fn without_raw_controls(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    let (mut is_in_string, mut is_escaped) = (false, false);
    for c in text.chars() {
        if is_in_string && c < ' ' {
            out.push_str(&format!("\\u{:04x}", u32::from(c)));
            is_escaped = false;
            continue;
        }
        if c == '"' && !is_escaped {
            is_in_string = !is_in_string;
        }
        is_escaped = is_in_string && c == '\\' && !is_escaped;
        out.push(c);
    }
    out
}
