//! What an undo does to which file.
//!
//! Owns the choice of records and the way to patches. Writes nothing.

mod known;
mod likeness;
pub mod markers;
pub mod plan;
pub mod replay;
pub mod request;
pub mod select;
pub mod standing;
mod told;
