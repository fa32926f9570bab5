//! A place that a tier found, and the ways in which tiers find none.
//!
//! Owns the shapes that tiers, ladder and merge hand on. Invariant of [`Found`]: `pairs` rises in both numbers.

use crate::strategy::Strategy;
use std::ops::Range;

/// Which line of the file each line of the old text is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The tier.
    pub strategy: Strategy,
    /// Line of the old text, line of the file; the non-blank ones only.
    pub pairs: Vec<(usize, usize)>,
    /// The index in `pairs` of the one that is not the same text.
    pub odd: Option<(usize, Odd)>,
    /// The lines of the old text that stand for lines left out.
    pub marks: Vec<usize>,
}

/// In what way the one line is off.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Odd {
    /// An identifier with one slip of letters: the agent's spelling.
    Typo(Vec<u8>),
    /// The line was cut off; it may only be context.
    Cut,
    /// A comment in other words.
    Comment,
    /// Another text, in a window that no other comes near. It may only be context, far from any change.
    Misquoted,
}

impl Found {
    /// The lines of the file from the first matched one to the last.
    pub fn lines(&self) -> Range<usize> {
        match (self.pairs.first(), self.pairs.last()) {
            (Some(first), Some(last)) => first.1..last.1 + 1,
            _ => 0..0,
        }
    }
}

/// Why a reading has no certain place, or no certain result. Lines are those of the file, 0-based.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Why {
    /// No window of the file is near enough.
    Nowhere,
    /// Too few characters of words to match on.
    TooLittle,
    /// Several windows match alike.
    Several(Vec<Range<usize>>),
    /// Several windows match but for one line.
    OneLineOfSeveral(Vec<Range<usize>>),
    /// One window matches but for one line, which may be what tells two siblings apart.
    OneLine(Range<usize>),
    /// One or two lines at another depth.
    Depth(Range<usize>),
    /// No one rule explains the indentation of all matched lines.
    Indentation(Range<usize>),
    /// The new text sits at the file's depth while the old one does not.
    Frame(Range<usize>),
    /// More or fewer blank lines beside the change.
    Blank(Range<usize>),
    /// The change could as well be read a line further up or down, with another result.
    Slide(Range<usize>),
    /// Mixed line endings in the target of a changed line.
    MixedEndings(Range<usize>),
    /// Typographic characters in the new text where the file has ASCII.
    Typography(Range<usize>),
    /// An escape outside quotes in the new text, where the file has none.
    Escapes(Range<usize>),
    /// The changed line is the one that was cut off, or the new text repeats a slip of letters.
    OddChanged(Range<usize>),
    /// The new text has an omission mark where lines are written.
    Placeholder(Range<usize>),
    /// The new text is there already.
    Applied(Range<usize>),
    /// The edit leaves the file as it is.
    Same(Range<usize>),
    /// Two readings lead to different results.
    Readings(Vec<Range<usize>>),
    /// The change is too large to be merged within the work budget.
    TooLarge(Range<usize>),
    /// Lines of the file that neither text has would vanish.
    Unseen(Range<usize>),
}

impl Why {
    /// The places that it speaks of.
    pub fn places(&self) -> &[Range<usize>] {
        match self {
            Self::Nowhere | Self::TooLittle => &[],
            Self::Several(places) | Self::OneLineOfSeveral(places) | Self::Readings(places) => places,
            Self::OneLine(place)
            | Self::Depth(place)
            | Self::Indentation(place)
            | Self::Frame(place)
            | Self::Blank(place)
            | Self::Slide(place)
            | Self::MixedEndings(place)
            | Self::Typography(place)
            | Self::Escapes(place)
            | Self::OddChanged(place)
            | Self::Placeholder(place)
            | Self::Applied(place)
            | Self::Same(place)
            | Self::TooLarge(place)
            | Self::Unseen(place) => std::slice::from_ref(place),
        }
    }

    /// Whether no looser strategy may be tried after this: the text is there twice, is there already, or must not be written.
    /// Where it is there but for a line, looser strategies say which of the places is nearest.
    pub fn is_final(&self) -> bool {
        matches!(self, Self::Several(_) | Self::Readings(_) | Self::Applied(_) | Self::Same(_) | Self::Placeholder(_))
    }

    /// In a few words, for `hint.why`.
    pub fn words(&self) -> &'static str {
        match self {
            Self::Nowhere => "no place is near enough",
            Self::TooLittle => "too few characters to match on",
            Self::Several(_) | Self::OneLineOfSeveral(_) => "two places",
            Self::OneLine(_) => "one line differs",
            Self::Depth(_) => "one or two lines at another depth",
            Self::Indentation(_) => "indentation rule unclear",
            Self::Frame(_) => "the old and the new text are indented by different rules",
            Self::Blank(_) => "blank lines differ beside the change",
            Self::Slide(_) => "equal lines in the request that differ in the file",
            Self::MixedEndings(_) => "mixed line endings",
            Self::Typography(_) => "typographic characters in the new text where the file has ASCII",
            Self::Escapes(_) => "escapes in the new text that the old one has not",
            Self::OddChanged(_) => "the line that differs is the one to change",
            Self::Placeholder(_) => "omission mark in the new text",
            Self::Applied(_) => "already applied",
            Self::Same(_) => "the file already reads so",
            Self::Readings(_) => "two readings",
            Self::TooLarge(_) => "the change is too large to merge with certainty",
            Self::Unseen(_) => "lines there that neither text has would vanish",
        }
    }
}
