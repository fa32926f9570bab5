//! What can be wrong with a request.
//!
//! Owns the causes: each names the field, and what was found there. What to send instead is told in `advice/`.

use super::document::{JsonError, shown};
use crate::code::Reason;
use crate::path::PathError;
use crate::request::EditError;
use std::fmt;

/// What is wrong, and in which edit of which file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// What is wrong.
    pub cause: Cause,
    /// The 0-based edit within its file.
    pub edit: Option<usize>,
    /// The file as the caller named it.
    pub path: Option<String>,
}

/// What is wrong.
///
/// Fields are named by their way from the top, such as `files[1].edits[0].old_string`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cause {
    /// The bytes are no JSON document.
    Json(JsonError),
    /// A text in a format that is no JSON has a line that should not be there.
    Syntax {
        /// 1-based; none where the text ends too early.
        line: Option<usize>,
        /// What stands there.
        found: String,
        /// What the format has there.
        expected: String,
    },
    /// Something that the format has, and redraft does not do.
    Unsupported {
        /// 1-based.
        line: usize,
        /// What it is.
        what: &'static str,
        /// What to do.
        instead: &'static str,
    },
    /// A field that must be there is not.
    Missing {
        /// The field.
        field: String,
        /// What else would do in its place, or why it is needed; may be empty.
        advice: String,
    },
    /// Fields that the dialect does not have.
    Unknown {
        /// All of them, at least one; many of the same name count as one.
        fields: Vec<UnknownField>,
    },
    /// A field with a value of another type or range.
    BadType {
        /// The field; empty for the whole request.
        field: String,
        /// What it must be.
        expected: String,
        /// What it is.
        found: String,
    },
    /// Two fields that exclude each other.
    Contradictory {
        /// The first.
        field: String,
        /// The other.
        other: String,
    },
    /// A list that must have something in it.
    EmptyList {
        /// The list.
        field: String,
    },
    /// Two parts of the request name one file.
    SameFileTwice {
        /// The first that names it.
        first: String,
        /// The other.
        second: String,
    },
    /// A pair that is no edit.
    Edit {
        /// The field with the old text.
        old: String,
        /// The field with the new text.
        new: String,
        /// What else the dialect offers; may be empty.
        advice: &'static str,
        /// Why.
        error: EditError,
    },
    /// A path that cannot be one.
    Path {
        /// The field.
        field: String,
        /// Why.
        error: PathError,
    },
    /// A relative path where the dialect wants an absolute one.
    NotAbsolute {
        /// The field.
        field: String,
    },
    /// A Jupyter notebook, which text edits would break.
    Notebook {
        /// The field.
        field: String,
    },
}

/// A field that is not known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownField {
    /// Its way from the top, where it stands first.
    pub field: String,
    /// Its name.
    pub key: String,
    /// In how many objects of the same kind it stands.
    pub count: usize,
    /// What is meant by it, as far as that is known.
    pub meant: Option<Meant>,
    /// The fields that there are there.
    pub known: &'static [&'static str],
}

/// What a caller means by a field that is not known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meant {
    /// This field of the same object.
    Field(&'static str),
    /// This field of the object that holds it.
    Outer(&'static str),
    /// The request itself stands in it.
    Request,
    /// It stands under this name in it.
    RequestIn(&'static str),
    /// A line beside which something is to be inserted.
    Insertion,
}

impl Fault {
    /// A fault of the request as a whole.
    pub(crate) fn new(cause: Cause) -> Box<Self> {
        Box::new(Self { cause, edit: None, path: None })
    }

    pub(crate) fn missing(field: At<'_>, advice: impl Into<String>) -> Box<Self> {
        Self::new(Cause::Missing { field: field.to_string(), advice: advice.into() })
    }

    pub(crate) fn bad_type(field: At<'_>, expected: impl Into<String>, found: impl Into<String>) -> Box<Self> {
        Self::new(Cause::BadType { field: field.to_string(), expected: expected.into(), found: found.into() })
    }

    /// Names the edit, unless that is already done.
    pub(crate) fn in_edit(mut self: Box<Self>, index: usize) -> Box<Self> {
        self.edit.get_or_insert(index);
        self
    }

    /// Names the file, unless that is already done.
    pub(crate) fn in_file(mut self: Box<Self>, path: String) -> Box<Self> {
        self.path.get_or_insert(path);
        self
    }
}

impl Cause {
    /// The finer cause.
    pub fn reason(&self) -> Reason {
        match self {
            Self::Json(error) => error.reason(),
            Self::Syntax { .. } => Reason::BadSyntax,
            Self::Unsupported { .. } => Reason::UnsupportedFile,
            Self::Missing { .. } => Reason::MissingField,
            Self::Unknown { .. } => Reason::UnknownField,
            Self::BadType { .. } => Reason::BadType,
            Self::Contradictory { .. } => Reason::ContradictoryFields,
            Self::EmptyList { .. } => Reason::EmptyEdits,
            Self::SameFileTwice { .. } => Reason::SameFileTwice,
            Self::Edit { error, .. } => error.reason(),
            Self::Path { error, .. } => error.reason(),
            Self::NotAbsolute { .. } => Reason::BadPath,
            Self::Notebook { .. } => Reason::UnsupportedFile,
        }
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Json(error) => error.fmt(f),
            Self::Syntax { line: None, .. } => f.write_str("the text ends too early"),
            Self::Syntax { line: Some(line), found, .. } => {
                write!(f, "line {line} should not be there: {}", shown(found))
            }
            Self::Unsupported { line, what, .. } => write!(f, "line {line} is part of {what}"),
            Self::Missing { field, .. } => write!(f, "`{field}` is missing"),
            Self::Unknown { fields } => write_unknown(f, fields),
            Self::BadType { field, expected, found } if field.is_empty() => {
                write!(f, "the request must be {expected}, and it is {found}")
            }
            Self::BadType { field, expected, found } => write!(f, "`{field}` must be {expected}, and it is {found}"),
            Self::Contradictory { field, other } => write!(f, "`{field}` and `{other}` exclude each other"),
            Self::EmptyList { field } => write!(f, "`{field}` is empty"),
            Self::SameFileTwice { first, second } => write!(f, "`{second}` names the same file as `{first}`"),
            Self::Edit { old, new, error: EditError::SameText, .. } => {
                write!(f, "`{old}` and `{new}` are the same, so there is nothing to change")
            }
            Self::Edit { old, error: EditError::EmptyOldString, .. } => write!(f, "`{old}` is empty"),
            Self::Path { field, error } => write!(f, "`{field}`: {error}"),
            Self::NotAbsolute { field } => write!(f, "`{field}` is not an absolute path"),
            Self::Notebook { field } => {
                write!(f, "`{field}` is a Jupyter notebook, which text edits would break")
            }
        }
    }
}

fn write_unknown(f: &mut fmt::Formatter<'_>, fields: &[UnknownField]) -> fmt::Result {
    for (at, UnknownField { field, count, .. }) in fields.iter().enumerate() {
        let separator = match at {
            0 => "",
            _ if at + 1 == fields.len() => " and ",
            _ => ", ",
        };
        write!(f, "{separator}`{field}`")?;
        if *count > 1 {
            write!(f, " (and in {} more)", count - 1)?;
        }
    }
    let are =
        if fields.len() == 1 { "is not a field that there is here" } else { "are not fields that there are here" };
    write!(f, " {are}")
}

/// Where in the request something stands; written out only when it is wrong.
#[derive(Debug, Clone, Copy)]
pub(crate) enum At<'a> {
    /// The request itself.
    Top,
    /// A member of an object.
    Key(&'a Self, &'a str),
    /// An item of an array.
    Item(&'a Self, usize),
}

impl<'a> At<'a> {
    pub(crate) fn key(&'a self, key: &'a str) -> Self {
        Self::Key(self, key)
    }

    pub(crate) fn item(&'a self, index: usize) -> Self {
        Self::Item(self, index)
    }
}

impl fmt::Display for At<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Top => Ok(()),
            Self::Key(Self::Top, key) => write_key(f, key),
            Self::Key(parent, key) => {
                write!(f, "{parent}.")?;
                write_key(f, key)
            }
            Self::Item(parent, index) => write!(f, "{parent}[{index}]"),
        }
    }
}

/// Keys come from outside: what does not look like a name is quoted, and cut.
fn write_key(f: &mut fmt::Formatter<'_>, key: &str) -> fmt::Result {
    let plain =
        !key.is_empty() && key.len() <= 60 && key.bytes().all(|b| b.is_ascii_alphanumeric() || b"_-.$".contains(&b));
    if plain { f.write_str(key) } else { f.write_str(&shown(key)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_written_as_a_way_from_the_top() {
        let top = At::Top;
        let files = top.key("files");
        let file = files.item(1);
        let edits = file.key("edits");
        let edit = edits.item(0);
        assert_eq!(edit.key("old_string").to_string(), "files[1].edits[0].old_string");
        assert_eq!(edit.key("a b").to_string(), "files[1].edits[0].\"a b\"");
    }

    #[test]
    fn an_inner_edit_is_not_renamed_by_an_outer_one() {
        let fault = Fault::missing(At::Top.key("x"), "").in_edit(3).in_edit(5).in_file("a".into());
        assert_eq!((fault.edit, fault.path.as_deref()), (Some(3), Some("a")));
        assert_eq!(fault.cause.to_string(), "`x` is missing");
    }
}
