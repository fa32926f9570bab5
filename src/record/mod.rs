//! The model of a record: what one entry of the history says.
//!
//! Owns the types and their form in JSON. Does not know where records are kept.

pub mod file_of_record;
mod meta;
mod pending_git;
mod target;

pub use file_of_record::{Kept, Record, RecordFile, SpliceRange, VERSION};
pub use meta::{RecordClass, RecordMeta};
pub use pending_git::{LockedIndex, PendingGit};
pub use target::Target;
