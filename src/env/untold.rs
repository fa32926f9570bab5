//! What was met on the way that whoever asked should know, and that nobody has told yet.
//!
//! Owns that nothing of it gets lost where a command ends early, and that it is told once. Does not know what it is.

use std::any::Any;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

#[derive(Default)]
struct Met {
    told: BTreeSet<String>,
    untold: BTreeMap<String, Box<dyn Any + Send>>,
}

/// A place for it, which all clones share.
#[derive(Clone, Default)]
pub struct Untold(Arc<Mutex<Met>>);

impl Untold {
    /// Leaves something to be told, unless its like was told.
    pub fn leave(&self, name: String, what: impl Any + Send) {
        let mut met = self.met();
        if !met.told.contains(&name) {
            met.untold.insert(name, Box::new(what));
        }
    }

    /// Somebody tells it: nobody else need.
    pub fn is_told(&self, name: &str) {
        let mut met = self.met();
        met.untold.remove(name);
        met.told.insert(name.to_owned());
    }

    /// Everything of this kind that nobody has told, to be told now. What comes later is told anew.
    pub fn take<T: Any>(&self) -> Vec<T> {
        let Met { untold, .. } = std::mem::take(&mut *self.met());
        untold.into_values().filter_map(|what| what.downcast().ok()).map(|what| *what).collect()
    }

    fn met(&self) -> MutexGuard<'_, Met> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Untold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.met().untold.keys()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_is_told_once_by_somebody() {
        let untold = Untold::default();
        untold.leave("a".into(), 1);
        untold.clone().leave("b".into(), 2);
        untold.leave("a".into(), 3);
        untold.is_told("b");
        untold.leave("b".into(), 4);
        assert_eq!(untold.take::<i32>(), [3]);
        assert!(untold.take::<i32>().is_empty());
        untold.leave("b".into(), 5);
        assert_eq!(untold.take::<i32>(), [5]);
    }
}
