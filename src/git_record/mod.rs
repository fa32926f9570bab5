//! An edit in the user's git: as a commit, as a stash entry, or as a staged version.
//!
//! Owns whether an edit fits HEAD and the index, the message of its commit, the order of effects in git, and how recovery
//! finds out what became of them. Does not write in the working tree.

mod carried;
mod commit;
mod commit_by_git;
mod commit_by_ref;
mod edit;
mod error;
mod fit;
mod message;
mod options;
mod order;
mod prepared;
mod recovery;
mod staged_edit;
mod stash;
mod stored_form;
mod waiting_index;
mod warning;

pub use commit_by_git::RECORDING;
pub use edit::{DoneInGit, GitEdit, GitResult};
pub use error::{Contradiction, GitRecordError, UserLines};
pub use fit::EditedFile;
pub use message::Credits;
pub use options::{GitOptions, GitTarget};
pub use order::Made;
pub use prepared::{Look, PreparedGit, check, check_message, prepare};
pub use recovery::Recovery;
pub use staged_edit::Staged;
pub use warning::GitWarning;
