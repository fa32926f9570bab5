//! The history: the log of records; undo, redo, blame; recording as a git commit or a stash entry.
//!
//! Owns history.git and the meaning of records. Writes nothing in the working tree: what is to become of files is handed
//! to the transaction layer as patches.
//! Invariant: the history is only ever appended to (but for `gc` and `purge`, which say so), and records that are not
//! sealed yet are seen as if they were.

mod between;
mod blame;
mod commit;
mod contained;
mod effects;
mod error;
mod fsck;
mod git_error;
mod hunks;
mod landed;
mod ledger;
mod ledgers;
mod pack;
mod query;
mod reader;
mod record;
mod replay;
mod rewrite;
mod seal;
mod status;
mod store;
mod undo;

pub use between::{diff_between, patch_between};
pub use blame::{BlamedLine, BlamedRecord, blame};
pub use commit::{EditedFile, GitChanges, Objects, carry_lines, fit_to_git, offsets, user_lines};
pub use contained::{contained, staged_paths};
pub use effects::{Effect, Effects, FileEffect};
pub use error::{HistoryError, Obstacle, UndoConflict};
pub use fsck::{Checked, fsck};
pub use git_error::{GitRecordError, UserLines};
pub use hunks::{Hunk, file_diff, file_hunks, record_hunks};
pub use landed::Landed;
pub use ledgers::{Sealed, Sieve};
pub use query::{Detail, Query, RecordForm, record_form, utc};
pub use reader::{At, History, Item, Scope};
pub use record::{Kept, Record, RecordFile, SpliceRange, TARGETS, Target};
pub use replay::{Outcome, Slot};
pub use rewrite::{Collected, Purged, Retention, collect, pin, pins, purge, purge_state};
pub use seal::{LARGEST, ToSeal, seal};
pub use status::{AgentChange, ChangeRecord, InFlight, JournalStatus, Status, status};
pub use store::{Chain, Store, worktree_name};
pub use undo::{Files, Select, UndoPlan, UndoRequest, plan_undo};
