//! An edit in the user's git: as a commit, as a stash entry, or as a staged version.
//!
//! Owns whether an edit fits HEAD and the index, the message of its commit, the order of effects in git, and how recovery
//! finds out what became of them. Does not write in the working tree.

mod contained;
mod error;
mod fit;
mod landing_ref;
mod message;
mod recording;
mod recovery;
mod staged_edit;

pub use contained::*;
pub use error::*;
pub use fit::*;
pub use landing_ref::has_landed;
pub use message::{assisted_by, message, trailers};
pub use recording::*;
pub use recovery::*;
pub use staged_edit::*;
