//! What an undo does to which file.
//!
//! Owns the choice of records and the way to patches. Writes nothing.

mod apart;
mod as_before;
mod as_logged;
mod as_read;
mod by_log;
mod by_redo;
mod cancelled;
mod changed_lines;
mod commit_of;
pub mod crossing;
mod differing;
mod discarded;
mod done_by_others;
mod doubt;
pub mod files;
mod found_apart;
mod given_away;
mod known;
mod left;
mod likeness;
mod lineage;
mod log;
mod logged_files;
pub mod markers;
pub mod matching;
mod moved;
mod names;
mod newest_word;
mod note;
mod of_another;
mod on_disk;
pub mod pieces;
mod place;
pub mod plan;
mod redone;
mod remade;
mod renames;
pub mod replay;
pub mod replayed;
pub mod request;
mod revived;
pub mod select;
mod settle;
mod so_far;
mod standing;
mod stays;
mod step;
mod steps;
mod strangers;
mod told;
mod told_apart;
pub mod untouched;
mod whereabouts;

pub use note::UndoNote;
