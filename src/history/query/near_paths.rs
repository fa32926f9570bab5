//! Which recorded paths somebody may mean who names one that no record touched.
//!
//! Owns how near is near enough.

use crate::history::error::HistoryError;
use crate::history::reader::{History, Scope};
use crate::history::selection::{Selection, Wanted};
use crate::path::RepoPath;
use rapidfuzz::distance::jaro_winkler;
use std::collections::BTreeSet;

/// So many are named at most.
const MOST: usize = 3;

/// So many records are looked at, the newest.
const LOOKED_AT: usize = 20_000;

/// Paths that are less alike are other ones (Jaro-Winkler, from 0 to 1).
const ALIKE: f64 = 0.88;

/// The recorded paths that are most like `wanted`, or have its file name; the best first.
///
/// # Errors
/// Where the refs of history.git cannot be read.
pub fn near_paths(history: &History<'_>, scope: Scope, wanted: &RepoPath) -> Result<Vec<RepoPath>, HistoryError> {
    let records = Selection::default().since(history, scope, Wanted::All)?.take(LOOKED_AT).flatten();
    let paths: BTreeSet<RepoPath> = records.flat_map(|(item, _)| item.record.files).map(|file| file.path).collect();
    let name = wanted.to_string_lossy();
    let alike = |path: &RepoPath| {
        let alike = jaro_winkler::similarity(path.to_string_lossy().chars(), name.chars());
        let has_name = path.file_name() == wanted.file_name();
        (has_name || alike >= ALIKE).then_some(alike + if has_name { 1.0 } else { 0.0 })
    };
    let mut near: Vec<(f64, RepoPath)> = paths.into_iter().filter_map(|path| Some((alike(&path)?, path))).collect();
    near.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    Ok(near.into_iter().take(MOST).map(|(_, path)| path).collect())
}
