//! Keeping the history in order: checking it, dropping what is old, removing what should not be there.
//!
//! Owns what of the history goes. Does not decide when.

pub mod fsck;
pub mod gc;
pub mod pins;
pub mod purge;
