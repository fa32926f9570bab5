//! Where near paths are looked for, and within which bounds.
//!
//! Owns the bounds, and what makes two names the same. Looks at nothing.

use crate::path::RepoPath;
use crate::worktree::root::Root;
use unicode_normalization::UnicodeNormalization;

/// So many names are looked at.
pub(super) const MOST_ENTRIES: usize = 20_000;
/// So many paths are given.
pub(super) const MOST: usize = 3;

/// Where to look for near paths, and for how long.
pub struct Search<'a> {
    /// The root of the working tree.
    pub root: &'a Root,
    /// Only below this directory, where there is one.
    pub below: Option<&'a RepoPath>,
    /// Whether a path may be named.
    pub may_name: &'a dyn Fn(&RepoPath) -> bool,
    /// Whether there is time left.
    pub go_on: &'a dyn Fn() -> bool,
}

/// A name without its case, its Unicode form, and what stands between its words.
pub(super) fn fold(name: &str) -> String {
    name.nfc().flat_map(char::to_lowercase).map(|c| if matches!(c, '-' | ' ') { '_' } else { c }).collect()
}
