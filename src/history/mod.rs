//! The history: the log of records, what can be asked of it, and what an undo does.
//!
//! Owns history.git and the meaning of records. Writes nothing in the working tree: what is to become of files is handed
//! to the transaction layer as patches.
//! Invariant: the history is only ever appended to (but for `gc` and `purge`, which say so), and records that are not
//! sealed yet are seen as if they were.

pub mod backed_up;
mod beginnings;
pub mod commits_of_records;
pub mod error;
pub(crate) mod held;
mod held_lines;
pub mod in_force;
pub mod old_file;
mod plainly_brought;
pub mod query;
pub mod range;
pub mod reader;
pub mod review_marks;
pub mod selection;
pub mod store;
pub mod undo;
pub mod upkeep;
pub mod utc;
mod versions;
pub mod warning;
mod whole_records;

pub use backed_up::BackedUp;
pub use commits_of_records::{CommitsOfRecords, Share};
pub(crate) use error::of_redo;
pub use error::{HistoryError, Nothing, Obstacle, UndoConflict};
pub use in_force::{Effect, FileEffect};
pub use old_file::{BackupNote, Condition, OldFile};
pub use query::as_of::{FileThen, RestoreNote, Then, all_as_of, as_of};
pub use query::blame::{BlamedLine, blame, records_of_lines};
pub use query::commits::{commits_of, wholly_in_head};
pub use query::diff::{FileDiff, as_text, diff_between, patch_between};
pub use query::diff_of_several::{Together, diff_of_several};
pub use query::held_by_commit::{edits_held, edits_perhaps_held, note_rewritten};
pub use query::hunks::{RecordHunk, file_diff, file_hunks};
pub use query::lines_by_records::BlamedRecord;
pub use query::lines_of_commit::{WrittenLines, lines_of_commit};
pub use query::log::{Detail, LogQuery, Logged, line_counts, lines_between, record_form};
pub use query::near_paths::near_paths;
pub use query::search::{Case, Change, Pattern};
pub use query::sessions::{SessionSummary, SessionsQuery, UndoneShare};
pub use query::status::{AgentChange, ChangeRecord, InFlight, JournalStatus, Status, status};
pub use range::{Among, Between, Range};
pub use reader::{At, History, Item, LogEnd, Scope};
pub use review_marks::{Marking, ReviewMark, ReviewMarks};
pub use selection::{Beginning, Selection, Since};
pub use store::chain::Chain;
pub use store::chain_reader::refresh as refresh_indexes;
pub use store::index_file::Filter;
pub use store::repository::Store;
pub use store::seal::{Mended, ToSeal, seal};
pub use undo::UndoNote;
pub use undo::crossing::NameChange;
pub use undo::files::{Files, Listed};
pub use undo::pieces::{Piece, PieceSort, pieces};
pub use undo::plan::{UndoPlan, plan_undo};
pub use undo::replay::Slot;
pub use undo::request::{Misfits, Part, Select, UndoRequest};
pub use upkeep::fsck::{Checked, fsck};
pub use upkeep::gc::{Collected, Retention, collect};
pub use upkeep::pins::pin;
pub use upkeep::purge::{Purged, Sought, purge, purge_state, purge_unsealed};
pub use upkeep::sync::{Synced, sync};
pub use utc::utc;
pub use warning::HistoryWarning;
