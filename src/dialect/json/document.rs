//! A strict reader of one JSON document.
//!
//! Owns what counts as JSON: UTF-8 (a byte order mark before it is fine), one document, each key of an object once, no
//! lone surrogates, at most so deep, at most so large. Does not know what a request is.
//! Invariant: reading is linear in the bytes; strings without escapes are borrowed from them.

use super::slip::{Slip, TOO_DEEP, slip};
use crate::code::Reason;
use crate::text::BOM;
use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Number, Value};
use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;

/// Objects with more keys than this are checked for duplicates by hashing.
const FEW_KEYS: usize = 16;

/// How large and how deep a request may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Of the whole request, in bytes.
    pub request_bytes: usize,
    /// Of arrays and objects within each other.
    pub depth: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { request_bytes: 64 << 20, depth: 64 }
    }
}

/// One JSON value; strings are borrowed from the request where they have no escapes.
#[derive(Debug, Clone, PartialEq)]
pub enum Json<'j> {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number.
    Number(Number),
    /// A string.
    String(Cow<'j, str>),
    /// An array.
    Array(Vec<Self>),
    /// An object: its members in their order, each key once.
    Object(Vec<(Cow<'j, str>, Self)>),
}

impl Json<'_> {
    /// The value under `key`, where this is an object that has it.
    pub fn get(&self, key: &str) -> Option<&Self> {
        match self {
            Self::Object(members) => members.iter().find(|(name, _)| name == key).map(|(_, value)| value),
            _ => None,
        }
    }

    /// The same value as serde_json has it; copies all strings.
    pub fn to_value(&self) -> Value {
        match self {
            Self::Null => Value::Null,
            Self::Bool(flag) => Value::Bool(*flag),
            Self::Number(number) => Value::Number(number.clone()),
            Self::String(text) => Value::String(text.as_ref().to_owned()),
            Self::Array(items) => Value::Array(items.iter().map(Self::to_value).collect()),
            Self::Object(members) => {
                Value::Object(members.iter().map(|(key, value)| (key.as_ref().to_owned(), value.to_value())).collect())
            }
        }
    }

    /// What kind of value this is, for an error message.
    pub fn describe(&self) -> String {
        match self {
            Self::Null => "null".to_owned(),
            Self::Bool(flag) => flag.to_string(),
            Self::Number(number) => format!("the number {number}"),
            Self::String(text) => format!("the string {}", shown(text)),
            Self::Array(_) => "an array".to_owned(),
            Self::Object(_) => "an object".to_owned(),
        }
    }
}

/// A text in quotes, cut where it is long.
pub(crate) fn shown(text: &str) -> String {
    const MOST: usize = 60;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{:?}...", &text[..end]),
        None => format!("{text:?}"),
    }
}

/// Why bytes are not one strict JSON document.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum JsonError {
    /// The document is larger than the limit.
    #[error("the request is larger than the limit of {limit} bytes")]
    TooLarge {
        /// In bytes.
        limit: usize,
    },
    /// There is nothing but white space.
    #[error("the request is empty")]
    Empty,
    /// The bytes are no JSON.
    #[error("the request is not valid JSON: {found} at line {line}, column {column}")]
    Bad {
        /// 1-based.
        line: usize,
        /// 1-based, in bytes.
        column: usize,
        /// What was found there.
        found: String,
        /// The mistake by its usual name.
        slip: Slip,
    },
}

impl JsonError {
    /// The finer cause.
    pub fn reason(&self) -> Reason {
        match self {
            Self::TooLarge { .. } => Reason::TooLarge,
            Self::Empty | Self::Bad { .. } => Reason::BadJson,
        }
    }

    fn from_serde(error: &serde_json::Error, text: &str) -> Self {
        // serde_json counts a line break itself as column 0 of the line behind it.
        let (line, column) = (error.line(), error.column().max(1));
        let whole = error.to_string();
        let found = whole.rsplit_once(" at line ").map_or(whole.as_str(), |(found, _)| found).to_owned();
        let start = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum::<usize>();
        let slip = slip(text, start + column - 1, &found);
        Self::Bad { line, column, found, slip }
    }

    fn not_utf8(bytes: &[u8], offset: usize) -> Self {
        let before = &bytes[..offset];
        let line_start = memchr::memrchr(b'\n', before).map_or(0, |at| at + 1);
        Self::Bad {
            line: memchr::memchr_iter(b'\n', before).count() + 1,
            column: offset - line_start + 1,
            found: format!("the byte 0x{:02x} is not UTF-8", bytes[offset]),
            slip: Slip::NotUtf8,
        }
    }
}

/// Reads `bytes` as one document.
///
/// # Errors
/// Where they are not one, or one beyond `limits`; see [`JsonError`].
pub fn read(bytes: &[u8], limits: Limits) -> Result<Json<'_>, JsonError> {
    if bytes.len() > limits.request_bytes {
        return Err(JsonError::TooLarge { limit: limits.request_bytes });
    }
    let bytes = bytes.strip_prefix(BOM).unwrap_or(bytes);
    let text = std::str::from_utf8(bytes).map_err(|error| JsonError::not_utf8(bytes, error.valid_up_to()))?;
    if text.bytes().all(|byte| byte.is_ascii_whitespace()) {
        return Err(JsonError::Empty);
    }
    let mut reader = serde_json::Deserializer::from_str(text);
    // serde_json has a limit of 128 of its own, so the stack stays small whatever ours is.
    let json = Reader { room: limits.depth, depth: limits.depth }
        .deserialize(&mut reader)
        .map_err(|error| JsonError::from_serde(&error, text))?;
    reader.end().map_err(|error| JsonError::from_serde(&error, text))?;
    Ok(json)
}

/// Reads one value that may hold `room` more levels of arrays and objects.
#[derive(Clone, Copy)]
struct Reader {
    room: usize,
    depth: usize,
}

impl Reader {
    fn inner<E: de::Error>(self) -> Result<Self, E> {
        match self.room.checked_sub(1) {
            Some(room) => Ok(Self { room, ..self }),
            None => Err(E::custom(format_args!("{TOO_DEEP} (the limit is {})", self.depth))),
        }
    }
}

impl<'de> DeserializeSeed<'de> for Reader {
    type Value = Json<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Json<'de>, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Reader {
    type Value = Json<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Json<'de>, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E>(self, flag: bool) -> Result<Json<'de>, E> {
        Ok(Json::Bool(flag))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Json<'de>, E> {
        Ok(Json::Number(number.into()))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Json<'de>, E> {
        Ok(Json::Number(number.into()))
    }

    fn visit_f64<E: de::Error>(self, number: f64) -> Result<Json<'de>, E> {
        Number::from_f64(number).map(Json::Number).ok_or_else(|| E::custom("number out of range"))
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Json<'de>, E> {
        Ok(Json::String(Cow::Borrowed(text)))
    }

    fn visit_str<E>(self, text: &str) -> Result<Json<'de>, E> {
        Ok(Json::String(Cow::Owned(text.to_owned())))
    }

    fn visit_string<E>(self, text: String) -> Result<Json<'de>, E> {
        Ok(Json::String(Cow::Owned(text)))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Json<'de>, A::Error> {
        let inner = self.inner()?;
        let mut array = Vec::new();
        while let Some(item) = items.next_element_seed(inner)? {
            array.push(item);
        }
        Ok(Json::Array(array))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Json<'de>, A::Error> {
        let inner = self.inner()?;
        let mut members: Vec<(Cow<'de, str>, Json<'de>)> = Vec::new();
        let mut many: HashSet<Cow<'de, str>> = HashSet::new();
        while let Some(key) = entries.next_key_seed(Key)? {
            if members.len() == FEW_KEYS {
                many.extend(members.iter().map(|(name, _)| name.clone()));
            }
            let twice = if members.len() < FEW_KEYS {
                members.iter().any(|(name, _)| *name == key)
            } else {
                !many.insert(key.clone())
            };
            if twice {
                return Err(de::Error::custom(format_args!("duplicate key {}", shown(&key))));
            }
            members.push((key, entries.next_value_seed(inner)?));
        }
        Ok(Json::Object(members))
    }
}

/// Reads a key of an object, borrowed where it can be.
struct Key;

impl<'de> DeserializeSeed<'de> for Key {
    type Value = Cow<'de, str>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'de> Visitor<'de> for Key {
    type Value = Cow<'de, str>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Cow::Borrowed(text))
    }

    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Cow::Owned(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_bad(raw: &[u8], line: usize, column: usize, part: &str) {
        let error = read(raw, Limits::default()).expect_err(&String::from_utf8_lossy(raw));
        let told = crate::advice::json(&error);
        assert_eq!(told.reason, Reason::BadJson);
        assert!(told.message.contains(part), "{}", told.message);
        assert_eq!((&told.hint["line"], &told.hint["column"]), (&line.into(), &column.into()), "{}", told.message);
    }

    #[test]
    fn values_are_what_serde_json_reads() {
        let raw = r#" {"a":[1,-2,2.5,true,null],"b":{"c":"x\ny\u00e9\ud83d\ude00"}} "#;
        let json = read(raw.as_bytes(), Limits::default()).expect("valid");
        assert_eq!(json.to_value(), serde_json::from_str::<Value>(raw).expect("valid"));
    }

    #[test]
    fn a_string_without_escapes_is_borrowed() {
        assert!(matches!(read(br#""abc""#, Limits::default()), Ok(Json::String(Cow::Borrowed("abc")))));
    }

    #[test]
    fn a_byte_order_mark_before_the_document_is_fine() {
        assert_eq!(read(b"\xef\xbb\xbf{}", Limits::default()), Ok(Json::Object(Vec::new())));
    }

    #[test]
    fn a_key_given_twice_is_refused() {
        check_bad(br#"{"a":1,"a":2}"#, 1, 10, "duplicate key \"a\"");
        check_bad(b"{\"x\":\n{\"a\":1,\"\\u0061\":2}}", 2, 15, "duplicate key \"a\"");
    }

    #[test]
    fn a_key_given_twice_among_many_is_refused() {
        for twice in [0, FEW_KEYS - 1, FEW_KEYS, 3 * FEW_KEYS] {
            let keys: Vec<String> = (0..=3 * FEW_KEYS).map(|i| format!("\"k{i}\":0")).collect();
            let good = format!("{{{}}}", keys.join(","));
            assert!(read(good.as_bytes(), Limits::default()).is_ok());
            let bad = format!("{{{},\"k{twice}\":1}}", keys.join(","));
            let error = read(bad.as_bytes(), Limits::default()).expect_err("twice");
            assert!(error.to_string().contains(&format!("\"k{twice}\"")));
        }
    }

    #[test]
    fn a_lone_surrogate_is_refused() {
        check_bad(br#"["\ud800"]"#, 1, 9, "surrogate pair");
        check_bad(br#"["\udc00"]"#, 1, 8, "surrogate pair");
        check_bad(br#"["\ud800\u0041"]"#, 1, 14, "surrogate pair");
    }

    #[test]
    fn anything_after_the_document_is_refused() {
        check_bad(b"{}{}", 1, 3, "trailing characters");
        check_bad(b"{}\nx", 2, 1, "trailing characters");
    }

    #[test]
    fn bytes_that_are_not_utf8_are_refused_where_they_stand() {
        check_bad(b"{\n \"a\": \"\xff\"}", 2, 8, "0xff is not UTF-8");
    }

    #[test]
    fn a_document_that_was_cut_off_says_so() {
        check_bad(br#"{"a": "b"#, 1, 8, "ends too early");
    }

    #[test]
    fn a_raw_line_break_in_a_string_says_how_to_write_it() {
        check_bad(b"[\"a\nb\"]", 2, 1, "line break as \\n");
    }

    #[test]
    fn an_empty_request_is_refused() {
        for raw in [&b""[..], b" \n", b"\xef\xbb\xbf"] {
            assert_eq!(read(raw, Limits::default()), Err(JsonError::Empty));
        }
    }

    #[test]
    fn depth_counts_arrays_and_objects_and_has_a_limit() {
        let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert!(read(nested(64).as_bytes(), Limits::default()).is_ok());
        let error = read(nested(65).as_bytes(), Limits::default()).expect_err("too deep");
        assert!(error.to_string().contains("limit is 64"), "{error:?}");
        assert!(read(nested(100_000).as_bytes(), Limits { depth: usize::MAX, ..Limits::default() }).is_err());
    }

    #[test]
    fn a_request_beyond_the_limit_is_too_large() {
        let limits = Limits { request_bytes: 4, ..Limits::default() };
        assert!(read(b"[12]", limits).is_ok());
        assert_eq!(read(b"[123]", limits).expect_err("5 bytes").reason(), Reason::TooLarge);
    }

    #[test]
    fn a_long_text_is_cut_in_messages_at_a_character() {
        assert_eq!(shown(&"é".repeat(61)), format!("\"{}\"...", "é".repeat(60)));
    }
}
