//! What the history answers: lists, differences, who wrote a line, what is in force.
//!
//! Owns the questions. Writes nothing.

mod ages;
mod ancestry;
pub mod as_of;
mod asked;
pub mod blame;
mod blobs;
pub mod commits;
mod conflicts_resolved;
pub mod diff;
pub mod diff_of_several;
mod earlier_names;
pub mod held_by_commit;
mod held_of_others;
pub mod hunks;
mod line_maps;
mod lines_back;
mod lines_by_commits;
pub mod lines_by_records;
pub mod lines_of_commit;
mod lines_put_back;
pub mod log;
mod moved_files;
mod moved_over;
mod names_changed;
pub mod near_paths;
mod own_story;
mod perhaps_held;
mod put_elsewhere;
mod recorded;
mod records_of_file;
mod removed_files;
pub mod search;
pub mod sessions;
pub mod status;
mod text_now;
mod touching;
mod under_another_name;
