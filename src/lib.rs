//! redraft turns an agent's edit request into a *patch*, proves that it fits HEAD and the working tree, applies it as a
//! *transaction*, and keeps a *record* of it, so that any edit can be audited and undone.
//!
//! A [`Workspace`] is the door. It does what the command line does, without reading the environment, printing, or changing
//! the process: several may be open at once, on several threads.
//!
//! ```
#![doc = include_str!("library/example_repository.txt")]
//! use redraft::{Edit, Env, Request, UndoRequest, Workspace};
//!
//! let workspace = Workspace::open(&Env::in_dir(&root)?)?; // `root` is a git repository
//! let mut request = Request::edit("greeting.txt", [Edit::new("world", "moon")?])?;
//! request.agent.name = Some("claude".to_owned());
//! let edited = workspace.edit(&request, &Default::default())?;
//! assert!(edited.preview.contains("-world\n+moon\n"));
//!
//! assert_eq!(workspace.log(&Default::default())?[0].agent.as_deref(), Some("claude"));
//! assert!(workspace.blame("greeting.txt")?[1].record.is_some());
//!
//! workspace.undo(&UndoRequest::newest(), &Default::default())?;
//! assert_eq!(std::fs::read_to_string(root.join("greeting.txt"))?, "hello\nworld\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Requests that come as bytes, in the formats of agents, go through [`Workspace::answer`], or through [`dialect`]. Without
//! the feature `cli` (on by default) there is no command line, and no crate for it.
//!
//! ```text
//! bytes -> dialect -> Request -> matcher -> patch -> check -> transaction -> record -> history -> answer -> bytes
//! ```
//!
//! The modules stand in reading order: each uses only those above it. docs/architecture.md has the invariants, and
//! `tests/it/tidy.rs` holds them.

// Only the command line uses all of it, so that dead code shows in the default build.
#![cfg_attr(not(feature = "cli"), allow(dead_code, unused_imports))]

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
pub mod library;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;

pub use answer::{EditData, Envelope, RecordData};
pub use change::{ChangeKind, PathState};
pub use code::{Code, Reason};
pub use env::{
    Clock, Env, FixedClock, Interrupt, Listening, Randomness, SeededRandomness, SystemClock, SystemRandomness,
};
pub use history::{
    AgentChange, BlamedLine, BlamedRecord, ChangeRecord, InFlight, JournalStatus, LogQuery, Obstacle, Scope, Select,
    Status, UndoConflict, UndoRequest,
};
pub use id::{BlobId, RecordId};
pub use library::{Answer, EditOptions, Edited, EditedFile, Entry, EntryFile, Error, Form, Shown, Undone};
pub use path::{PathError, RepoPath};
pub use record::RecordClass;
pub use request::{
    Agent, Dialect, Edit, EditError, Expectation, FileChange, FileRequest, Mode, PathArg, RecordKind, Request,
};
pub use strategy::{Level, Strategy};
pub use transaction::Recovered;
pub use usecase::read::{Read, ReadRequest};
pub use usecase::undo::UndoOptions;
pub use workspace::Workspace;

#[cfg(test)]
mod tests;
