//! The model of a record: what one entry of the history says, checked when it is decoded.
//!
//! Owns the types and their stored form. Does not know where records are kept.
//! Invariant: a record that came from disk or from another clone is one that redraft could have written; numbers in it lie
//! where they say, and meet a text only in [`RecordedTexts`].

mod decode;
pub mod file_of_record;
mod meta;
mod observed;
mod pending_git;
mod pieces;
mod readable;
mod splice_list;
mod target;
mod texts;

pub use decode::BadRecord;
pub use file_of_record::{LARGEST_KEPT, Record, RecordFile, TextsKept, VERSION, subject};
pub use meta::{RecordClass, RecordMeta};
pub use observed::{Observed, OtherCall};
pub use pending_git::{LockedIndex, PendingGit, StagedVersion};
pub use splice_list::{BadSplices, Row, SpliceList, SpliceRange};
pub use target::Target;
pub use texts::RecordedTexts;
