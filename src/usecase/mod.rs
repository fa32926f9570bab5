//! The use cases: one file each, typed in, typed out.
//!
//! Owns what each of them means for the flow. Does not print and does not read arguments.

mod answer;
pub mod codex_trust;
pub mod commit;
mod commit_created;
pub mod commit_message;
pub mod edit;
pub mod export;
pub mod git_hooks;
pub mod hook;
pub mod hook_files;
pub mod hook_managers;
pub mod hook_scripts;
pub mod install;
mod kept_hooks;
pub mod marks;
mod may_be_gone;
mod meaning;
mod names;
mod near_paths;
pub mod observe;
mod options;
pub mod policy_report;
pub mod purge;
pub mod read;
mod recover;
pub mod report;
pub mod restore;
pub mod restore_at;
#[cfg(feature = "review")]
pub mod review;
pub mod tour;
pub mod undo;
mod undo_files;
pub mod undo_pieces;
mod untouched;
pub mod upkeep;
mod wish;
mod written;

pub use crate::flow::{Ask, Reply};
pub use answer::envelope_of_error;
pub use edit::apply;
pub use names::{names, real};
pub use options::{Answer, Noted, Overrides, Place, Programs};
pub use recover::{recover, recover_in};
pub use written::{from_here, here, written};
