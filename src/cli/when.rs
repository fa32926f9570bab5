//! Points in time and lengths of it, as arguments and as they are shown.
//!
//! Owns lengths of time as arguments; points in time are [`crate::env`]'s.

use crate::policy::parse_seconds;
use std::time::Duration;

pub(super) use crate::env::when::{When, formed, is_form, local, parse, relative};
pub(super) use crate::history::utc;

/// Reads a length of time, in seconds.
///
/// # Errors
/// Where it is none; in words.
pub(super) fn seconds(text: &str) -> Result<Duration, String> {
    parse_seconds(text).ok_or_else(|| "a number of seconds, such as 0.5".to_owned())
}
