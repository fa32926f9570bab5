//! Why a hunk is refused.
//!
//! Owns the reasons as facts; the words for a person are made where they are shown.
//! Invariant: every range is in bytes of today's text.

use std::ops::Range;

/// What is not proven.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// Its lines were changed since, or deleted; the lines beside it stand.
    LinesChanged,
    /// Some of its lines were taken out since, and stand there again.
    PutAnew,
    /// The lines beside it were changed, and it cannot be told by its own lines.
    NeighboursChanged,
    /// Lines were put where it deleted.
    PlaceTaken,
    /// The lines beside it can be read in two ways.
    TwoReadings,
    /// A line that would be written, or that is said to be gone, stands here.
    StandsElsewhere(Range<usize>),
    /// Its first or last line is not the only one of its kind, and the line beside it was changed.
    EndStandsElsewhere,
    /// A part of it was taken back already, here.
    PartlyTakenBack(Range<usize>),
    /// This line may be one of its own, or one beside it, edited.
    MayBeEdited(Range<usize>),
    /// No word of its own tells that this line is the one that was edited.
    NotKnownAgain(Range<usize>),
    /// Lines were put between its lines, or taken from them.
    LinesBetween,
    /// The words inside of its lines changed their order.
    WordsReordered,
    /// Words or lines would be glued together.
    Glued,
    /// Its place and that of another hunk overlap, or changed their order.
    OutOfOrder,
    /// There are too many lines in which it could be.
    TooLarge,
    /// A line that the record moved is taken back at one of its places only.
    MovedInPart,
}

/// What is not proven, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// Why.
    pub reason: Reason,
    /// The lines that were to be found, in bytes of the text that was to be changed by the hunk: what an undo takes out.
    pub own: Range<usize>,
    /// The lines where the hunk would have to be, in bytes of today's text; empty where nothing is between its neighbours.
    pub place: Range<usize>,
    /// Where its lines, or those that they replaced, stand today: at most two places.
    pub candidates: Vec<Range<usize>>,
    /// The lines that it would put there.
    pub wanted: Vec<u8>,
}
