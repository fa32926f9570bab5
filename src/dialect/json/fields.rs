//! Typed values out of a JSON object, each error naming its field.
//!
//! Owns the types that fields may have. Does not know which fields there are: a dialect says that.

use super::document::{Json, shown};
use super::fault::{At, Cause, Fault};
use crate::path::{PathError, RepoPath, refuse_too_long};
use crate::request::{Edit, PathArg};
use bstr::{BString, ByteSlice};
use std::borrow::Cow;
use std::fmt::Write as _;

/// Boxed, so that the good case stays small.
pub(crate) type Checked<T> = Result<T, Box<Fault>>;

/// The members of one object that have not been taken yet.
pub(crate) struct Fields<'j, 'a> {
    at: &'a At<'a>,
    members: Vec<(Cow<'j, str>, Json<'j>)>,
}

impl<'j, 'a> Fields<'j, 'a> {
    /// Takes an object; its dialect's shape was looked at before.
    pub(crate) fn new(json: Json<'j>, at: &'a At<'a>) -> Checked<Self> {
        match json {
            Json::Object(members) => Ok(Self { at, members }),
            other => Err(Fault::bad_type(*at, "an object", found_instead(&other))),
        }
    }

    /// Where this object stands.
    pub(crate) fn at(&self) -> &'a At<'a> {
        self.at
    }

    /// Whether `key` is there and was not taken.
    pub(crate) fn has(&self, key: &str) -> bool {
        self.members.iter().any(|(name, _)| name == key)
    }

    /// Takes a value of any type.
    pub(crate) fn take(&mut self, key: &str) -> Option<Json<'j>> {
        let at = self.members.iter().position(|(name, _)| name == key)?;
        Some(self.members.swap_remove(at).1)
    }

    /// Refuses every one of `others`, because `key` is there.
    pub(crate) fn refuse_beside(&self, key: &str, others: &[&str]) -> Checked<()> {
        match others.iter().find(|other| self.has(other)) {
            Some(other) => Err(Fault::new(Cause::Contradictory {
                field: self.at.key(key).to_string(),
                other: self.at.key(other).to_string(),
            })),
            None => Ok(()),
        }
    }

    /// Takes a string.
    pub(crate) fn text(&mut self, key: &str) -> Checked<Option<Cow<'j, str>>> {
        match self.take(key) {
            None => Ok(None),
            Some(Json::String(text)) => Ok(Some(text)),
            Some(other) => Err(self.bad(key, "a string", &other)),
        }
    }

    /// Takes a string, or null, which is the same as absent.
    pub(crate) fn text_or_null(&mut self, key: &str) -> Checked<Option<Cow<'j, str>>> {
        if self.members.iter().any(|(name, value)| name == key && *value == Json::Null) {
            self.take(key);
            return Ok(None);
        }
        self.text(key)
    }

    /// Takes a string that must be there.
    pub(crate) fn need_text(&mut self, key: &str) -> Checked<Cow<'j, str>> {
        self.text(key)?.ok_or_else(|| Fault::missing(self.at.key(key), ""))
    }

    /// Takes a boolean; absent is false.
    pub(crate) fn flag(&mut self, key: &str) -> Checked<bool> {
        match self.take(key) {
            None => Ok(false),
            Some(Json::Bool(flag)) => Ok(flag),
            Some(other) => Err(self.bad(key, "a boolean", &other)),
        }
    }

    /// Takes a whole number of at least `least`; what JSON writes as `2.0` is one too.
    pub(crate) fn integer(&mut self, key: &str, least: i64) -> Checked<Option<i64>> {
        let Some(json) = self.take(key) else { return Ok(None) };
        let whole = match &json {
            Json::Number(number) => number.as_i64().or_else(|| number.as_f64().and_then(exact_integer)),
            _ => None,
        };
        match whole {
            Some(whole) if whole >= least => Ok(Some(whole)),
            _ if least == i64::MIN => Err(self.bad(key, "an integer", &json)),
            _ => Err(self.bad(key, &format!("an integer of at least {least}"), &json)),
        }
    }

    /// Takes a whole number of at least `least`, or null, which is the same as absent.
    pub(crate) fn integer_or_null(&mut self, key: &str, least: i64) -> Checked<Option<i64>> {
        if let Some(at) = self.members.iter().position(|(name, value)| name == key && *value == Json::Null) {
            self.members.swap_remove(at);
            return Ok(None);
        }
        self.integer(key, least)
    }

    /// Takes a string that `read` understands; `expected` says which those are.
    pub(crate) fn word<T>(
        &mut self,
        key: &str,
        expected: impl FnOnce() -> String,
        read: impl FnOnce(&str) -> Option<T>,
    ) -> Checked<Option<T>> {
        let Some(json) = self.take(key) else { return Ok(None) };
        let value = if let Json::String(text) = &json { read(text) } else { None };
        match value {
            Some(value) => Ok(Some(value)),
            None => Err(self.bad(key, &expected(), &json)),
        }
    }

    /// Takes an array with at least one item, each read by `read`, which gets its place and index.
    pub(crate) fn list<T>(
        &mut self,
        key: &str,
        mut read: impl FnMut(Json<'j>, &At<'_>, usize) -> Checked<T>,
    ) -> Checked<Option<Vec<T>>> {
        let items = match self.take(key) {
            None => return Ok(None),
            Some(Json::Array(items)) => items,
            Some(other) => return Err(self.bad(key, "an array", &other)),
        };
        let at = self.at.key(key);
        if items.is_empty() {
            return Err(Fault::new(Cause::EmptyList { field: at.to_string() }));
        }
        items.into_iter().enumerate().map(|(i, item)| read(item, &at.item(i), i)).collect::<Checked<_>>().map(Some)
    }

    fn bad(&self, key: &str, expected: &str, found: &Json<'_>) -> Box<Fault> {
        Fault::bad_type(self.at.key(key), expected, found_instead_of(expected, found))
    }
}

/// A text under a key.
pub(crate) struct Member<'j> {
    pub(crate) key: &'static str,
    pub(crate) text: Cow<'j, str>,
}

/// An old/new pair under the two keys; `advice` is what else the dialect offers in place of an empty old text.
pub(crate) fn edit(at: &At<'_>, old: Member<'_>, new: Member<'_>, advice: &'static str) -> Checked<Edit> {
    Edit::new(old.text.into_owned(), new.text.into_owned()).map_err(|error| {
        Fault::new(Cause::Edit { old: at.key(old.key).to_string(), new: at.key(new.key).to_string(), advice, error })
    })
}

/// A path relative to the root.
pub(crate) fn relative(at: At<'_>, raw: &[u8]) -> Checked<PathArg> {
    RepoPath::new(raw).map(PathArg::Relative).map_err(|error| bad_path(at, error))
}

/// A path from `/` on, without doubled slashes and `.` components; `..` stays, for the root to refuse.
pub(crate) fn absolute(at: At<'_>, raw: &str) -> Checked<PathArg> {
    absolute_bytes(at, raw.as_bytes())
}

fn absolute_bytes(at: At<'_>, raw: &[u8]) -> Checked<PathArg> {
    if !raw.starts_with(b"/") {
        return Err(Fault::new(Cause::NotAbsolute { field: at.to_string() }).in_file(raw.to_str_lossy().into_owned()));
    }
    refuse_too_long(raw).map_err(|error| bad_path(at, error))?;
    if raw.contains(&0) {
        return Err(bad_path(at, PathError::Nul(raw.into())));
    }
    if raw.ends_with(b"/") || raw.ends_with(b"/.") {
        return Err(bad_path(at, PathError::Directory(raw.into())));
    }
    let mut path = BString::default();
    for part in raw.split_str("/").filter(|part| !matches!(*part, b"" | b".")) {
        path.push(b'/');
        path.extend_from_slice(part);
    }
    Ok(PathArg::Absolute(path))
}

/// A path that may be either.
pub(crate) fn absolute_or_relative(at: At<'_>, raw: &str) -> Checked<PathArg> {
    absolute_or_relative_bytes(at, raw.as_bytes())
}

/// The same, of any bytes.
pub(crate) fn absolute_or_relative_bytes(at: At<'_>, raw: &[u8]) -> Checked<PathArg> {
    if raw.starts_with(b"/") { absolute_bytes(at, raw) } else { relative(at, raw) }
}

fn bad_path(at: At<'_>, error: PathError) -> Box<Fault> {
    Fault::new(Cause::Path { field: at.to_string(), error })
}

/// Whether the path names a Jupyter notebook.
pub(crate) fn is_notebook(path: &str) -> bool {
    let bytes = path.as_bytes();
    bytes.len() >= 6 && bytes[bytes.len() - 6..].as_bstr().eq_ignore_ascii_case(b".ipynb")
}

fn exact_integer(number: f64) -> Option<i64> {
    const MOST: f64 = 9_007_199_254_740_992.0;
    #[allow(clippy::cast_possible_truncation, reason = "whole and within 2^53, so it is exact")]
    (number.fract() == 0.0 && number.abs() <= MOST).then_some(number as i64)
}

fn found_instead(json: &Json<'_>) -> String {
    found_instead_of("an object", json)
}

/// Models often send an array or an object as the text of one: then that is worth saying.
fn found_instead_of(expected: &str, json: &Json<'_>) -> String {
    match (expected, json) {
        ("an array" | "an object", Json::String(text)) if text.trim_start().starts_with(['[', '{']) => {
            let mut found = "a string with JSON inside".to_owned();
            write!(found, " ({})", shown(text)).expect("writing to a String does not fail");
            found
        }
        _ => json.describe(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_absolute_path_is_tidied_but_keeps_its_dots() {
        let path = |raw| absolute(At::Top.key("p"), raw).map(|path| path.to_string_lossy());
        assert_eq!(path("/a//b/./c").as_deref(), Ok("/a/b/c"));
        assert_eq!(path("/a/../b").as_deref(), Ok("/a/../b"));
    }

    #[test]
    fn a_whole_float_is_an_integer() {
        assert_eq!(exact_integer(2.0), Some(2));
        assert_eq!(exact_integer(2.5), None);
        assert_eq!(exact_integer(1e300), None);
    }
}
