//! The protocol where files alone do not show it.
