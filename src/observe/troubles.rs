//! What is known of the hooks of harnesses: what they could not do, which they must not disturb the harness with, and when each last ran.
//!
//! Owns the list in the state folder, in which the oldest goes first, and the marks beside it.

use crate::state_dir::{self, StateDir};
use serde::{Deserialize, Serialize};

/// The name of its file.
pub(super) const NAME: &str = "troubles";

/// Beyond so many bytes the older half goes.
const MOST_BYTES: usize = 64 << 10;

/// So long one is told, in milliseconds: 7 days.
const LONGEST_MS: i64 = 7 * 24 * 60 * 60 * 1000;

/// Something that was not recorded, or not done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trouble {
    /// Milliseconds since 1970-01-01 UTC.
    pub time_ms: i64,
    /// Whose hook it was.
    pub harness: Option<String>,
    /// What could not be done, and why.
    pub what: String,
}

/// Notes one. Where even that cannot be written there is nobody to tell.
pub fn note(place: &StateDir, trouble: &Trouble) {
    let file = place.observations().join(NAME);
    if let Ok(Some(bytes)) = state_dir::read_regular(&file)
        && bytes.len() > MOST_BYTES
    {
        let half = &bytes[bytes.len() / 2..];
        let start = half.iter().position(|&byte| byte == b'\n').map_or(half.len(), |end| end + 1);
        let _ = state_dir::write(&file, &half[start..], state_dir::Durability::Fast);
    }
    if let Ok(line) = serde_json::to_string(trouble)
        && state_dir::make_way(&file).is_ok()
    {
        let _ = state_dir::append_lines(&file, [line + "\n"]);
    }
}

/// A mark says to this precision when a hook ran, in seconds.
const PRECISION: u64 = 600;

/// The mark of a harness.
fn mark_of(place: &StateDir, harness: &str) -> std::path::PathBuf {
    place.observations().join(format!("{FIRED}{harness}"))
}

/// How the names of marks begin.
pub(super) const FIRED: &str = "fired-";

/// Notes that a hook of a harness ran. Nothing comes of it where that cannot be written.
pub fn has_fired(place: &StateDir, harness: &str) {
    let file = mark_of(place, harness);
    let written = std::fs::metadata(&file).and_then(|meta| meta.modified()).ok();
    let is_recent = written.and_then(|time| time.elapsed().ok()).is_some_and(|age| age.as_secs() < PRECISION);
    if !is_recent {
        let _ = state_dir::make_private(&place.observations());
        let _ = state_dir::write(&file, b"", state_dir::Durability::Fast);
    }
}

/// When a hook of a harness last ran, milliseconds since 1970-01-01 UTC, to ten minutes; none where none did.
pub fn fired(place: &StateDir, harness: &str) -> Option<i64> {
    let time = std::fs::metadata(mark_of(place, harness)).ok()?.modified().ok()?;
    i64::try_from(time.duration_since(std::time::UNIX_EPOCH).ok()?.as_millis()).ok()
}

/// Those of the last days, the oldest first.
pub fn troubles(place: &StateDir, now_ms: i64) -> Vec<Trouble> {
    let Ok(Some(bytes)) = state_dir::read_regular(&place.observations().join(NAME)) else { return Vec::new() };
    let lines = bytes.split(|&byte| byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok());
    lines.filter(|trouble: &Trouble| now_ms - trouble.time_ms < LONGEST_MS).collect()
}
