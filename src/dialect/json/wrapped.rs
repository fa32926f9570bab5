//! Texts in JSON: under a key, in the arguments of a program, or as the whole document.
//!
//! Owns the forms in which harnesses wrap a text format. Knows no format.

use super::document::Json;
use super::fault::{At, Fault};
use super::fields::{Checked, Fields};
use super::format::TextFormat;
use crate::request::Request;
use std::borrow::Cow;

/// The key of the file, where the wrapper names one.
const PATH: &str = "path";

/// Whether a JSON document is a wrapper of this format.
pub(crate) fn fits(json: &Json<'_>, format: &TextFormat) -> bool {
    let looks = |text: &str| (format.fits)(text.as_bytes());
    match json {
        Json::String(text) => looks(text),
        Json::Object(members) => members.iter().any(|(key, value)| match value {
            Json::String(text) => format.keys.contains(&key.as_ref()) && key != PATH && looks(text),
            Json::Array(_) => key == "command" && last_word(value).is_some_and(looks),
            _ => false,
        }),
        Json::Array(_) => last_word(json).is_some_and(looks),
        _ => false,
    }
}

/// What a patch is handed to by itself, and what runs a script that does so. Of any other program nobody knows what it would do.
const PROGRAMS: [&str; 2] = ["apply_patch", "applypatch"];
const SHELLS: [&str; 3] = ["bash", "sh", "zsh"];
const FLAGS: [&str; 2] = ["-lc", "-c"];

/// The last of the words of a call, which is the script or the text: `["apply_patch", TEXT]`, `["bash", "-lc", SCRIPT]`.
fn last_word<'j>(json: &'j Json<'_>) -> Option<&'j str> {
    let Json::Array(words) = json else { return None };
    let words: Vec<&str> = words
        .iter()
        .map(|word| if let Json::String(word) = word { Some(&**word) } else { None })
        .collect::<Option<_>>()?;
    let name = |program: &'j str| program.rsplit('/').next().unwrap_or_default();
    match words[..] {
        [program, text] if PROGRAMS.contains(&name(program)) => Some(text),
        [shell, flag, script] if SHELLS.contains(&name(shell)) && FLAGS.contains(&flag) => Some(script),
        _ => None,
    }
}

/// Reads the text in a wrapper.
pub(crate) fn parse(json: Json<'_>, format: &TextFormat) -> Checked<Request> {
    let is_call = |json: &Json<'_>| matches!(json, Json::Array(_));
    match json {
        Json::String(text) => (format.parse)(text.as_bytes(), None),
        Json::Array(_) => match last_word(&json) {
            Some(text) => (format.parse)(text.as_bytes(), None),
            None => {
                Err(Fault::bad_type(At::Top, "the words of a call, the last of which is the patch", json.describe()))
            }
        },
        json => {
            let mut fields = Fields::new(json, &At::Top)?;
            let path = if format.keys.contains(&PATH) { fields.text(PATH)?.map(Cow::into_owned) } else { None };
            let keys: Vec<&str> = format.keys.iter().copied().filter(|key| *key != PATH).collect();
            let Some(&key) = keys.iter().find(|key| fields.has(key)) else {
                return Err(Fault::missing(At::Top.key(keys[0]), "give the text there"));
            };
            let others: Vec<&str> = keys.iter().copied().filter(|other| *other != key).collect();
            fields.refuse_beside(key, &others)?;
            match fields.take(key) {
                Some(words) if is_call(&words) => parse(words, format),
                Some(Json::String(text)) => (format.parse)(text.as_bytes(), path.as_deref()),
                Some(other) => Err(Fault::bad_type(At::Top.key(key), "a string", other.describe())),
                None => Err(Fault::missing(At::Top.key(key), "")),
            }
        }
    }
}
