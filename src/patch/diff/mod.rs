//! The unified diff preview, from splices and the lines around them.
//!
//! Owns what a person or a model is shown of a patch: hunks as data, and their print. Never compares whole files: only the
//! lines that a splice touches are refined.
//! Invariant: uncut and not lossy, `git apply` takes the text on the files before and makes the files after of them.

mod blocks;
mod by_hand;
mod changed_lines;
mod file;
mod header;
mod hunks;
mod line_ranges;
mod out;
mod print;

pub use by_hand::{NotThisDiff, by_hand, to_edit};
pub(crate) use changed_lines::{between_same_lines, changed_lines, lines_that_may_differ};
pub use file::DiffFile;
pub use header::hunk_sides;
pub use hunks::Hunks;
pub use line_ranges::differing_lines;
pub(crate) use line_ranges::lines_changed;
pub use out::{DiffLimits, Preview};
pub use print::preview;
