//! Which git commits are behind which.
//!
//! Owns that question, asked of very many pairs: what came later is told by a number, and only else are ancestors gathered.
//! Knows no git: parents are handed in, as far back as anybody asks.

use crate::id::CommitId;
use std::collections::{HashMap, HashSet};

/// Which commits are behind which, as far as parents are known.
pub(super) struct Ancestry {
    parents: HashMap<CommitId, Vec<CommitId>>,
    /// One more than that of the parent that has the most: what has no less is not behind.
    generations: HashMap<CommitId, usize>,
    behind: HashMap<Option<CommitId>, HashSet<CommitId>>,
}

impl Ancestry {
    /// Of commits with their parents.
    pub(super) fn of(parents: HashMap<CommitId, Vec<CommitId>>) -> Self {
        let mut generations = HashMap::new();
        let mut next: Vec<CommitId> = parents.keys().copied().collect();
        while let Some(commit) = next.last().copied() {
            let known = parents.get(&commit).into_iter().flatten().filter(|parent| parents.contains_key(*parent));
            let unseen: Vec<CommitId> = known.clone().filter(|id| !generations.contains_key(*id)).copied().collect();
            if unseen.is_empty() {
                let most = known.filter_map(|id| generations.get(id)).max().copied().unwrap_or_default();
                generations.insert(commit, most + 1);
                next.pop();
            }
            next.extend(unseen);
        }
        Self { parents, generations, behind: HashMap::new() }
    }

    /// Whether a commit is `base`, or behind it.
    pub(super) fn has(&mut self, base: Option<CommitId>, commit: &CommitId) -> bool {
        let Some(of) = base else { return false };
        let generation = |id: &CommitId| self.generations.get(id);
        if of != *commit && generation(&of).zip(generation(commit)).is_some_and(|(of, one)| one >= of) {
            return false;
        }
        let parents = &self.parents;
        self.behind.entry(base).or_insert_with(|| ancestors(base, parents)).contains(commit)
    }
}

/// A commit and all that are behind it, as far as parents are known.
fn ancestors(of: Option<CommitId>, parents: &HashMap<CommitId, Vec<CommitId>>) -> HashSet<CommitId> {
    let mut found = HashSet::new();
    let mut next: Vec<CommitId> = of.into_iter().collect();
    while let Some(commit) = next.pop() {
        if found.insert(commit) {
            next.extend(parents.get(&commit).into_iter().flatten());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn id(n: usize) -> CommitId {
        format!("{n:040x}").parse().expect("an id")
    }

    proptest! {
        #[test]
        fn a_commit_is_behind_another_where_a_way_leads_there(links in prop::collection::vec((0..12_usize, 0..12_usize), 0..20)) {
            // Of parents that are not known nothing is known but that they are parents.
            let mut parents: HashMap<CommitId, Vec<CommitId>> = HashMap::new();
            for (one, other) in links.iter().filter(|(one, other)| one != other) {
                parents.entry(id(*one.max(other))).or_default().push(id(*one.min(other)));
            }
            let mut leads = [[false; 12]; 12];
            (0..12).for_each(|n| leads[n][n] = true);
            links.iter().for_each(|(one, other)| leads[*one.max(other)][*one.min(other)] = true);
            for (by, of, to) in (0..12).flat_map(|by| (0..12).flat_map(move |of| (0..12).map(move |to| (by, of, to)))) {
                leads[of][to] |= leads[of][by] && leads[by][to];
            }
            let mut ancestry = Ancestry::of(parents);
            for (of, to) in (0..12).flat_map(|of| (0..12).map(move |to| (of, to))) {
                prop_assert_eq!(ancestry.has(Some(id(of)), &id(to)), leads[of][to], "{} {}", of, to);
            }
            prop_assert!(!ancestry.has(None, &id(0)));
        }
    }
}
