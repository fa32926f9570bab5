//! Taking the lock, and whether tasks were overtaken until it was had.
//!
//! Owns when it is taken and kept. What is done under it is the flow's.

use super::Flow;
use super::overtaken::{Held, Locked, MadeFrom, Ran};
use crate::error::Error;
use crate::state_dir::StateDir;
use crate::transaction::State;
use crate::worktree::Root;

impl Flow<'_> {
    /// Takes the lock, unless it is held.
    pub(super) fn lock(&self, root: Root, made_from: Option<&mut MadeFrom<'_>>) -> Result<Locked, Error> {
        let Some(made_from) = made_from else { return self.take(root).map(Locked::Held) };
        if let Some(held) = made_from.held.take() {
            return Ok(Locked::Held(*held));
        }
        let held = self.take(root)?;
        Ok(if (made_from.still_so)()? { Locked::Held(held) } else { Locked::Overtaken(held) })
    }

    fn take(&self, root: Root) -> Result<Held, Error> {
        if self.is_within_another() {
            let transaction = self.join(root)?;
            return Ok(Held { transaction, warnings: Vec::new() });
        }
        let (transaction, warnings) = self.begin(root, State::open(&StateDir::of(self.repo))?)?;
        Ok(Held { transaction, warnings })
    }

    /// Whether that tasks do not fit may be because what they were made from is not so any more.
    pub(super) fn is_overtaken(&self, made_from: Option<&MadeFrom<'_>>) -> Result<bool, Error> {
        let unlocked = made_from.filter(|made_from| made_from.held.is_none());
        unlocked.map_or(Ok(false), |made_from| Ok(!(made_from.still_so)()?))
    }

    /// What comes of tasks that are overtaken.
    pub(super) fn overtaken(&self, root: Root) -> Result<Ran, Error> {
        let held = if self.dry_run { None } else { Some(Box::new(self.take(root)?)) };
        Ok(Ran::Overtaken(held))
    }
}
