//! redraft turns an agent's edit request into a *patch*, proves that it fits HEAD and the working tree, applies it as a
//! *transaction*, and keeps a *record* of it, so that any edit can be audited and undone.
//!
//! ```text
//! request bytes -> dialect -> Request -> matcher -> Match -> patch -> Patch -> check -> transaction -> history -> Envelope
//! ```
//!
//! The modules stand in reading order: each uses only those above it. docs/architecture.md has the invariants, and
//! `tests/it/tidy.rs` holds them.

pub mod apply;
pub mod check;
pub mod cli;
pub mod code;
pub mod config;
pub mod dialect;
pub mod envelope;
pub mod error;
pub mod history;
pub mod id;
pub mod matcher;
pub mod patch;
pub mod path;
pub mod repo;
pub mod request;
pub mod session;
pub mod strategy;
pub mod text;
pub mod transaction;
