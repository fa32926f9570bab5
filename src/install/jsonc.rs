//! Files of JSON with or without comments, changed in place.
//!
//! Owns reading them and writing them back: every byte that is not an entry of redraft's stays.

use bstr::ByteSlice;
use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstInputValue, CstNewlineKind, CstRootNode};
use serde_json::Value;

/// Why a file cannot be changed, as a sentence goes on after its name.
pub(super) type Refusal = String;

/// A file, read.
pub(super) struct File<'t> {
    mark: &'t str,
    body: &'t str,
    /// Its tree, to be changed.
    pub(super) root: CstRootNode,
}

impl<'t> File<'t> {
    /// Reads it; an empty one is an empty object.
    pub(super) fn read(text: &'t [u8]) -> Result<Self, Refusal> {
        let text = text.to_str().map_err(|_| "is not UTF-8".to_owned())?;
        let (mark, body) = text.strip_prefix('\u{feff}').map_or(("", text), |body| ("\u{feff}", body));
        let whole = if body.trim().is_empty() { "{}" } else { body };
        let root =
            CstRootNode::parse(whole, &ParseOptions::default()).map_err(|error| format!("is no JSON: {error}"))?;
        Ok(Self { mark, body, root })
    }

    /// Whether there was nothing in it.
    pub(super) fn is_new(&self) -> bool {
        self.body.trim().is_empty()
    }

    /// As it was.
    pub(super) fn unchanged(&self) -> String {
        format!("{}{}", self.mark, self.body)
    }

    /// As it is now; the line endings that it had stay.
    pub(super) fn changed(&self) -> String {
        let mut text = self.root.to_string();
        if self.is_new() {
            text.push('\n');
        }
        if self.root.newline_kind() == CstNewlineKind::CarriageReturnLineFeed {
            text = text.replace("\r\n", "\n").replace('\n', "\r\n");
        }
        format!("{}{text}", self.mark)
    }
}

/// A value, to be put in.
pub(super) fn input(value: &Value) -> CstInputValue {
    match value {
        Value::Null => CstInputValue::Null,
        Value::Bool(value) => CstInputValue::Bool(*value),
        Value::Number(number) => CstInputValue::Number(number.to_string()),
        Value::String(text) => CstInputValue::String(text.clone()),
        Value::Array(items) => CstInputValue::Array(items.iter().map(input).collect()),
        Value::Object(fields) => {
            CstInputValue::Object(fields.iter().map(|(key, value)| (key.clone(), input(value))).collect())
        }
    }
}
