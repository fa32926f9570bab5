//! Why a hunk of a patch has no place though its lines may stand in the file.
//!
//! Owns the causes that only hunks have: what they say of their place is not so.

use std::fmt;

/// Why a hunk has no place. Numbers of lines are 1-based.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UnplacedHunk {
    /// It has no lines of the file, and nothing that says where its new lines go in a file of so many lines.
    NoLines {
        /// Of the file.
        total: usize,
    },
    /// The line that it names as standing before it is nowhere.
    NoHead {
        /// As it was named.
        head: String,
        /// The line that is most like it.
        like: Option<(usize, String)>,
    },
    /// Several lines read as the one that it names, and it has no others.
    Heads {
        /// As it was named.
        head: String,
        /// The first of them.
        lines: Vec<usize>,
    },
    /// Its lines stand only before the line that it names.
    BeforeHead {
        /// As it was named.
        head: String,
        /// Where that stands.
        line: usize,
        /// Where the hunk's lines do.
        found: usize,
    },
    /// Its lines stand where its number, or the end of the file that it asks for by having no lines behind its change, is not.
    Elsewhere {
        /// The first places.
        found: Vec<usize>,
        /// Its number.
        wanted: Option<usize>,
    },
}

impl fmt::Display for UnplacedHunk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoLines { total } => {
                write!(f, "there is no one place for the new lines in a file of {total} lines")
            }
            Self::NoHead { head, .. } => write!(f, "no line of the file reads {head:?}"),
            Self::Heads { head, lines } => write!(f, "{} lines of the file read {head:?}", lines.len()),
            Self::BeforeHead { head, line, found } => {
                write!(f, "the lines stand at line {found}, which is before {head:?} at line {line}")
            }
            Self::Elsewhere { found, .. } => {
                write!(f, "the lines stand at lines {found:?}, which is not where they go")
            }
        }
    }
}
