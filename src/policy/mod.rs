//! What may be touched, on what condition, and with what severity.
//!
//! Owns the settings, the checks of a file against them, and the receipts of reads. Changes nothing.

pub mod check;
mod agent_trailer;
mod commit_refusal;
mod config_warning;
mod encodings;
mod key;
mod read_receipts;
mod settings;
#[cfg(test)]
mod tests;

pub use agent_trailer::AgentTrailer;
pub use check::*;
pub use commit_refusal::{CommitRefusal, refuse_leftovers};
pub use config_warning::ConfigWarning;
pub use key::{KEYS, Key, Values};
pub use read_receipts::{Receipt, Session};
pub use settings::*;
