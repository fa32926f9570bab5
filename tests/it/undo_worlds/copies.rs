//! Copies that a person makes of the files of a world, and edits: whatever is undone, it is not undone in one of these. (One that is not
//! edited may be the file, where that was moved and edited: nobody can tell these two stories apart.)
//!
//! Throws dice of its own, so that a world is the same one without them.

use crate::support::{Dice, TestRepo};
use std::collections::{BTreeMap, BTreeSet};

/// The copies of a world.
pub struct Copies {
    dice: Dice,
    /// The names of all that were made; a branch may lack some.
    names: BTreeSet<String>,
    /// The texts of those that are there.
    texts: BTreeMap<String, String>,
}

impl Copies {
    /// None yet.
    pub fn new(seed: usize) -> Self {
        Self { dice: Dice(seed as u64 * 0xC2B2_AE35 + 5), names: BTreeSet::new(), texts: BTreeMap::new() }
    }

    /// Makes one now and then, of one of two files; tells which.
    pub fn make(&mut self, repo: &TestRepo, paths: &[String; 2]) -> Option<String> {
        if self.dice.roll(8) > 0 {
            return None;
        }
        let path = &paths[self.dice.roll(2)];
        let name = format!("{}copy{}.txt", ["", "dir/"][self.dice.roll(2)], self.names.len());
        repo.write(&name, repo.text(path) + ["of a person\n", "another\nof a person\n"][self.dice.roll(2)]);
        self.names.insert(name.clone());
        Some(format!("cp {path} {name}, and edited"))
    }

    /// Takes those that are there as they are.
    pub fn look(&mut self, repo: &TestRepo) {
        self.texts =
            self.names.iter().filter(|name| repo.has(name)).map(|name| (name.clone(), repo.text(name))).collect();
    }

    /// The one that is otherwise now, or gone.
    pub fn changed(&self, repo: &TestRepo) -> Option<&str> {
        let mut changed = self.texts.iter().filter(|(name, text)| !repo.has(name) || repo.text(name) != **text);
        changed.next().map(|(name, _)| name.as_str())
    }
}
