//! Keeping the history in order: checking it, dropping what is old, removing what should not be there.
//!
//! Owns what of the history goes. Does not decide when.

/// Whether anything is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Extent {
    /// Only found out.
    DryRun,
    /// Done.
    #[default]
    Whole,
}

impl From<bool> for Extent {
    /// As a `--dry-run` flag says it.
    fn from(dry_run: bool) -> Self {
        if dry_run { Self::DryRun } else { Self::Whole }
    }
}

pub mod fsck;
pub mod gc;
mod lives;
mod own_chains;
pub mod pins;
pub mod purge;
pub mod sync;
