//! What agents did, on a terminal: sessions, turns and records on the left, the diff of one on the right, what is known of it below.
//!
//! Owns the state, what keys do to it, and the picture. Has no terminal, and reads and does nothing itself: it asks for that
//! ([`Action`]), and whoever has a terminal and the history hands it on.
//! Invariants: the same state gives the same picture; what others wrote is drawn without what a terminal would obey; nothing is asked to be
//! done without a yes to what was shown.

mod colouring;
mod cursor;
mod diff_pane;
mod draw;
mod key;
mod layout;
mod marking;
mod model;
mod palette;
mod patch;
mod syntax;
#[cfg(test)]
mod tests;
mod told;
mod tree;

pub use draw::Scene;
pub use key::Key;
pub use model::{Action, Model};
pub use palette::Palette;
pub use told::Times;
