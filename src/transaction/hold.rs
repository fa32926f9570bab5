//! What comes with the lock of a working tree.
//!
//! Owns nothing itself: it is shared by the transactions that hold the lock together ([`Group`](super::Group)).

use super::journal::Journal;
use super::lock::Lock;
use super::state::State;
use crate::state_dir::Durability;
use crate::worktree::Dir;
use std::cell::RefCell;
use std::rc::Rc;

/// What a transaction has of the tree while it holds the lock, which those that join have, too.
#[derive(Debug, Clone)]
pub(super) struct Hold {
    pub state: Rc<State>,
    pub stage: Rc<Dir>,
    pub stage_mount: (u64, u64),
    pub journal: Rc<RefCell<Journal>>,
    pub durability: Durability,
    pub lock: Rc<Lock>,
}
