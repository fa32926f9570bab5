//! redraft turns an agent's edit request into a *patch*, proves that it fits HEAD and the working tree, applies it as a
//! *transaction*, and keeps a *record* of it, so that any edit can be audited and undone.
//!
//! ```text
//! request bytes -> dialect -> Request -> matcher -> Match -> patch -> Patch -> check -> transaction -> history -> Envelope
//! ```
//!
//! The modules stand in reading order: each uses only those above it. docs/architecture.md has the invariants, and
//! `tests/it/tidy.rs` holds them.

pub mod code;
pub mod id;
pub mod path;
pub mod text;
pub mod strategy;
pub mod change;
pub mod request;
pub mod answer;
pub mod dialect;
pub mod matcher;
pub mod patch;
pub mod env;
pub mod git;
pub mod worktree;
pub mod state_dir;
pub mod record;
pub mod transaction;
pub mod history;
pub mod policy;
pub mod workspace;
pub mod task;
pub mod git_record;
pub mod error;
pub mod advice;
pub mod flow;
pub mod usecase;
pub mod cli;

#[cfg(test)]
mod tests;
