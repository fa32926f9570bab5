//! history.git: where records are kept.
//!
//! Owns the chains, their objects and the log index beside them. Does not know what a record means.

pub mod chain;
pub mod chain_reader;
pub(crate) mod files;
pub mod index_file;
pub mod log_index;
pub mod pack;
pub mod repository;
pub mod rewrite_chain;
pub mod seal;
mod skeleton;
