//! Why edits are no patch.
//!
//! Owns the causes, which carry what was found. Does not find anything, and does not know what to do about it: that is
//! told in `advice/`.

use super::unplaced_hunk::UnplacedHunk;
use crate::code::Reason;
use crate::matcher::hint::{Nearest, PlaceHint, Region};
use crate::patch::merge::Refusal;
use crate::text::named;
use std::fmt;

/// Why edits are no patch: the first edit that fails, and which others do.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("edit {index}: {refusal}")]
pub struct CompileError {
    /// The 0-based edit that failed; of two clashing edits the later one.
    pub index: usize,
    /// Why.
    pub refusal: Box<EditRefusal>,
    /// Other edits that fail, by index; the first twenty. Empty in sequence mode, which ends at the first.
    pub also_failed: Vec<usize>,
    /// Smaller edits that would do the same, where it is known which; the best first.
    pub parts: Vec<Part>,
    /// Whether the old text has a place once the edits before have been made.
    pub order: Order,
}

/// Whether the order of the edits has to do with the failure of one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Order {
    /// As far as that is known, it has not.
    #[default]
    Unrelated,
    /// The edit would have its place in what the edits before it make of the file.
    AfterEarlier,
    /// In sequence: this edit before it changed the text that it is about.
    TakenBy(usize),
    /// In sequence: this edit before it wrote its old text once more.
    RepeatedBy(usize),
}

/// Less than the nearest region, and all that an edit changes.
#[derive(Debug, Clone, PartialEq)]
pub enum Part {
    /// Lines of the region.
    Lines(Region),
    /// A part of what was sent, which occurs once as it is.
    AsSent(Region),
}

/// Where one of two clashing edits goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EditLines {
    /// 0-based.
    pub index: usize,
    /// 1-based.
    pub start_line: usize,
    /// 1-based, inclusive.
    pub end_line: usize,
}

/// Why one edit is refused.
#[derive(Debug, Clone, PartialEq)]
pub enum EditRefusal {
    /// The old text does not occur.
    NoMatch(Nearest),
    /// A looser level refused.
    Unplaced(Refusal),
    /// A hunk's lines are there, or it has none, and what it says of its place is not so.
    Hunk(UnplacedHunk),
    /// The old text occurs several times.
    Ambiguous {
        /// How often.
        count: usize,
        /// The first of them.
        places: Vec<PlaceHint>,
    },
    /// Another number of replacements was expected.
    CountMismatch {
        /// By the caller.
        expected: usize,
        /// In the text.
        found: usize,
    },
    /// The result would be too large, as far as the edits up to this one tell.
    TooLarge {
        /// In bytes.
        size: u64,
        /// In bytes.
        limit: u64,
    },
    /// More places would be replaced than one request may replace.
    TooManyPlaces {
        /// How many there are.
        count: usize,
        /// How many may be, of all edits together.
        limit: usize,
    },
    /// The file would stay as it is.
    SameText,
    /// The old text is gone, the new text is there.
    AlreadyApplied {
        /// 1-based lines where the new text starts and ends.
        lines: (usize, usize),
    },
    /// This line of the new text stands for code that is not there.
    OmissionPlaceholder(String),
    /// The new text is not ASCII, the file is not UTF-8, and nothing says what it is.
    UnknownEncoding {
        /// Encodings that the file may be in.
        possible: Vec<&'static str>,
    },
    /// The bytes of the old text stand where they may be other characters: the file is not UTF-8, nothing says what it is, and
    /// they are beyond ASCII themselves, or begin right behind a byte that is, and may be half of a character.
    OtherCharacters {
        /// 1-based.
        line: usize,
        /// Encodings that the file may be in.
        possible: Vec<&'static str>,
    },
    /// The new text has a character that the file's encoding lacks.
    NotInEncoding {
        /// Which.
        character: char,
        /// By its name.
        encoding: &'static str,
    },
    /// The new text would make the file binary.
    NulByte,
    /// Two edits change the same bytes.
    Overlap([EditLines; 2]),
    /// The new text of one edit holds the old text of the other.
    NestedConflict([EditLines; 2]),
}

impl EditRefusal {
    /// The finer cause.
    pub fn reason(&self) -> Reason {
        match self {
            Self::NoMatch(_) | Self::Hunk(_) => Reason::NoMatch,
            Self::Unplaced(refusal) => refusal.reason(),
            Self::Ambiguous { .. } => Reason::Ambiguous,
            Self::CountMismatch { .. } => Reason::CountMismatch,
            Self::TooLarge { .. } | Self::TooManyPlaces { .. } => Reason::TooLarge,
            Self::SameText => Reason::SameText,
            Self::AlreadyApplied { .. } => Reason::AlreadyApplied,
            Self::OmissionPlaceholder(_) => Reason::OmissionPlaceholder,
            Self::UnknownEncoding { .. } | Self::OtherCharacters { .. } | Self::NotInEncoding { .. } => {
                Reason::UnsupportedEncoding
            }
            Self::NulByte => Reason::NulByte,
            Self::Overlap(_) => Reason::Overlap,
            Self::NestedConflict(_) => Reason::NestedConflict,
        }
    }
}

impl EditRefusal {
    /// Whether places are told among which the edit may be meant.
    pub fn has_places(&self) -> bool {
        matches!(self, Self::NoMatch(_) | Self::Unplaced(_) | Self::Ambiguous { .. })
    }
}

impl CompileError {
    /// An edit that fails alone.
    pub fn new(index: usize, refusal: EditRefusal) -> Self {
        Self { index, refusal: Box::new(refusal), also_failed: Vec::new(), parts: Vec::new(), order: Order::default() }
    }

    /// The finer cause.
    pub fn reason(&self) -> Reason {
        self.refusal.reason()
    }

    /// The same, where so many edits of the request stand before the first of these.
    #[must_use]
    pub fn behind(mut self, edits: usize) -> Self {
        self.index += edits;
        self.also_failed.iter_mut().for_each(|index| *index += edits);
        if let Order::TakenBy(index) | Order::RepeatedBy(index) = &mut self.order {
            *index += edits;
        }
        self
    }
}

impl fmt::Display for EditRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoMatch(nearest) => write!(f, "the old text does not occur ({})", nearest.why.words()),
            Self::Hunk(unplaced) => unplaced.fmt(f),
            Self::Unplaced(refusal) => write!(f, "the old text has no certain place ({})", refusal.why.words()),
            Self::Ambiguous { count, .. } => write!(f, "the old text occurs {count} times"),
            Self::CountMismatch { expected, found } => {
                write!(f, "{expected} replacements were expected, and there are {found}")
            }
            Self::TooLarge { size, limit } => write!(f, "the file would have {size} bytes, and the limit is {limit}"),
            Self::TooManyPlaces { count, limit } => {
                write!(f, "{count} places would be replaced, and the limit is {limit} for all edits")
            }
            Self::SameText => f.write_str("the file already reads so at this place"),
            Self::AlreadyApplied { lines: (start, end) } => write!(f, "the new text stands at lines {start}-{end}"),
            Self::OmissionPlaceholder(line) => write!(f, "a line of the new text stands for omitted code ({line:?})"),
            Self::UnknownEncoding { .. } => f.write_str("the new text is not ASCII, and the file is not UTF-8"),
            Self::OtherCharacters { line, .. } => {
                write!(
                    f,
                    "the old text may begin in the middle of a character at line {line}, and the file is not UTF-8"
                )
            }
            Self::NotInEncoding { character, encoding } => {
                write!(f, "the new text has {}, and the file is {encoding}, which lacks it", named(*character))
            }
            Self::NulByte => f.write_str("the new text holds a NUL byte"),
            Self::Overlap([first, second]) => write!(
                f,
                "edits {} (lines {}) and {} (lines {}) change the same text",
                first.index,
                first.shown(),
                second.index,
                second.shown()
            ),
            Self::NestedConflict([first, second]) => write!(
                f,
                "the new text of one of edits {} (lines {}) and {} (lines {}) holds the other's old text",
                first.index,
                first.shown(),
                second.index,
                second.shown()
            ),
        }
    }
}

impl EditLines {
    /// First and last line, as people write them.
    pub fn shown(&self) -> String {
        format!("{}-{}", self.start_line, self.end_line)
    }
}
