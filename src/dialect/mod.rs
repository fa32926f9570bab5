//! Request bytes to [`Request`](crate::request::Request), and the envelope to the answer that a dialect expects.
//!
//! Owns the keys of every format, one file each. Pure.
