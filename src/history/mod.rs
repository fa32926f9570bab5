//! The history: the log of records; undo, redo, blame; recording as a git commit or a stash entry.
//!
//! Owns history.git and the meaning of records. Writes nothing in the working tree: what is to become of files is handed
//! to the transaction layer as patches.
//! Invariant: the history is only ever appended to (but for `gc` and `purge`, which say so), and records that are not
//! sealed yet are seen as if they were.

mod between;
mod effects;
mod error;
mod hunks;
mod ledger;
mod ledgers;
mod pack;
mod query;
mod reader;
mod record;
mod replay;
mod seal;
mod store;
mod undo;

pub use between::{diff_between, patch_between};
pub use effects::{Effect, Effects, FileEffect};
pub use error::{HistoryError, Obstacle, UndoConflict};
pub use hunks::{Hunk, file_diff, file_hunks, record_hunks};
pub use ledgers::{Sealed, Sieve};
pub use query::{Detail, Query, RecordForm, record_form, utc};
pub use reader::{At, History, Item, Scope};
pub use record::{Kept, Record, RecordFile, SpliceRange, TARGETS, Target};
pub use replay::{Outcome, Slot};
pub use seal::{LARGEST, ToSeal, seal};
pub use store::{Chain, Store, worktree_name};
pub use undo::{Select, UndoPlan, UndoRequest, plan_undo};
