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
//! | to | call | with | and get |
//! |---|---|---|---|
//! | open a working tree | [`Workspace::open`] | [`Env`]: the directory, the clock, whose configuration counts | the door |
//! | edit files, all or none | [`Workspace::edit`] | [`Request`], [`EditOptions`] | [`Edited`] |
//! | know what an edit would do | [`Workspace::check`] | the same | the same, and nothing is written |
//! | answer an agent's bytes | [`Workspace::answer`] | the request in its own format | [`Answer`], in the same format |
//! | read a file as edits see it | [`Workspace::read`] | [`ReadRequest`] | [`Read`] |
//! | take edits back, or in again | [`Workspace::undo`], [`Workspace::redo`] | [`UndoRequest`], [`UndoOptions`] | [`Undone`] |
//! | see what was done | [`Workspace::log`], [`Workspace::show`] | [`LogQuery`]; a record's name | [`Entry`], [`Shown`] |
//! | see who wrote a line | [`Workspace::blame`] | a path | [`BlamedLine`] |
//! | see what is open | [`Workspace::status`] | | [`Status`] |
//! | finish what a crash left | [`Workspace::recover`] | | [`Recovered`] |
//!
//! What is refused is an [`Error`] with a [`Code`] and a [`Reason`]; where nothing else is said, nothing was written.
//! [`dialect`] has the formats of agents by themselves, [`envelope`] the standard answer. Without the feature `cli` (on by
//! default) there is no command line, and no crate for it.
//!
//! ```text
//! bytes -> dialect -> Request -> matcher -> patch -> check -> transaction -> record -> history -> answer -> bytes
//! ```
//!
//! The modules stand in reading order: each uses only those above it. docs/architecture.md has the invariants, and
//! `tests/it/tidy.rs` holds them.

// Only the command line uses all of it, so that dead code shows in the default build.
#![cfg_attr(not(feature = "cli"), allow(dead_code, unused_imports))]

mod code;
mod id;
mod path;
mod text;
mod strategy;
mod change;
mod request;
mod answer;
pub mod dialect;
mod harness;
mod install;
mod matcher;
mod patch;
mod env;
mod git;
mod worktree;
mod state_dir;
mod record;
mod transaction;
mod history;
mod policy;
mod workspace;
mod task;
mod git_record;
mod observe;
mod export;
mod error;
mod warning;
mod flow;
mod advice;
mod usecase;
#[cfg(feature = "cli")]
mod view;
mod library;
#[cfg(feature = "cli")]
mod serve;
#[cfg(feature = "mcp")]
mod mcp;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;

/// The standard answer, field by field: what [`Answer::envelope`] gives.
pub mod envelope {
    pub use crate::answer::{Context, Data, Envelope, ErrorBody, FileData, Stats, Status};
}

/// What the benchmarks measure, behind the feature `bench`; no part of the library.
#[cfg(feature = "bench")]
#[doc(hidden)]
pub mod bench {
    pub use crate::matcher::exact::{Needle, Want, find};
    pub use crate::patch::algebra::compose;
    pub use crate::patch::diff::{DiffFile, DiffLimits, preview};
    pub use crate::patch::{CompileOptions, FilePatch, compile};
    pub use crate::text::{LfText, Text};
}

/// Repositories for the tests inside of `src/`, the same as for those in `tests/it`.
#[cfg(test)]
#[allow(dead_code, reason = "it is shared with tests/it, and each side uses a part of it")]
#[path = "../tests/it/support/repo.rs"]
mod testing;

pub use answer::{EditData, RecordData};
pub use change::{ChangeKind, PathState};
pub use code::{Code, Reason};
pub use env::{
    Clock, Env, FixedClock, Interrupt, Listening, Randomness, SeededRandomness, SystemClock, SystemRandomness,
};
pub use history::{
    AgentChange, BlamedLine, BlamedRecord, ChangeRecord, InFlight, JournalStatus, LogQuery, Misfits, Obstacle, Scope,
    Select, Selection, Since, Status, UndoConflict, UndoRequest,
};
pub use id::{BadId, BlobId, CommitId, RecordId};
pub use library::{Answer, EditOptions, Edited, EditedFile, Entry, EntryFile, Error, Form, Recovered, Shown, Undone};
pub use path::{PathError, RepoPath};
pub use record::RecordClass;
pub use request::{
    Agent, Dialect, Edit, EditError, Expectation, FileChange, FileRequest, Mode, PathArg, RecordKind, Request,
};
pub use strategy::{Level, Strategy};
pub use text::Encoding;
pub use transaction::LeftAlone;
pub use usecase::read::{Read, ReadRequest};
pub use usecase::undo::UndoOptions;
pub use workspace::Workspace;

#[cfg(test)]
mod tests;
