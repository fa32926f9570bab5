//! What was read of HEAD.
//!
//! Owns the memory of one look: whoever must see HEAD anew forgets it. Reads nothing.

use crate::id::{CommitId, TreeId};
use std::collections::HashMap;
use std::sync::Arc;

/// HEAD as it was read, and the trees that were needed.
#[derive(Debug, Default)]
pub(super) struct HeadCache {
    /// The commit and its tree; the outer `None` where HEAD was not read yet, the inner where it is unborn.
    pub(super) tip: Option<Option<(CommitId, TreeId)>>,
    /// A commit and its tree, which stay what they are whatever HEAD is.
    pub(super) known: Option<(CommitId, TreeId)>,
    pub(super) trees: HashMap<TreeId, Arc<Vec<u8>>>,
}
