//! Handles and places below the root of a working tree.
//!
//! Owns how a path becomes an open directory and a name in it, and what kind of file is there. Writes nothing of its own
//! accord: whoever holds a [`Dir`] may, and that is `transaction/`.

pub mod dir;
mod editorconfig;
mod error;
mod guarded;
mod led_to;
mod near;
pub mod root;
mod symlink;
#[cfg(all(test, unix))]
mod tests;
mod unusual;

pub use dir::{Dir, Kind, Meta};
pub use editorconfig::Editorconfig;
pub use error::{WorktreeError, io_reason};
pub use guarded::Guarded;
pub use led_to::place_of;
pub use near::Search;
pub use root::{Place, ReadFile, Root};
pub use unusual::Unusual;
