//! Where HEAD was when the history began, in this worktree and in others: what is older than that is of no record.
//!
//! Owns that look. Nothing but the first entry of each chain's index is read.

use super::reader::History;
use super::store::chain::Chain;
use super::store::index_file;
use crate::id::CommitId;
use std::collections::BTreeMap;

impl History<'_> {
    /// What HEAD was when the oldest record of this worktree was made; none where that is not told at once.
    pub(crate) fn base_of_oldest(&self) -> Option<CommitId> {
        let chains = self.store().readable_chains().ok()?.chains.into_keys();
        let oldest = chains.filter(|chain| self.store().is_own(chain)).min_by(|a, b| a.month.cmp(&b.month));
        match oldest {
            Some(chain) => index_file::oldest(self.store().path(), &chain)?.record.meta.base,
            None => self.oldest_unsealed().find(|(is_own, _)| *is_own)?.1.record().meta.base,
        }
    }

    /// The same of each other worktree, and clone; an error of what cannot be read is told by those who read all of it.
    pub(crate) fn bases_of_others(&self) -> Vec<Option<CommitId>> {
        let mut oldest: BTreeMap<(String, String), Chain> = BTreeMap::new();
        let chains = self.store().readable_chains().map(|readable| readable.chains).unwrap_or_default();
        for chain in chains.into_keys().filter(|chain| !self.store().is_own(chain)) {
            let first = oldest.entry((chain.clone.clone(), chain.worktree.clone())).or_insert_with(|| chain.clone());
            if chain.month < first.month {
                *first = chain;
            }
        }
        let sealed = oldest.values().map(|chain| index_file::oldest(self.store().path(), chain));
        let sealed = sealed.map(|entry| entry.and_then(|entry| entry.record.meta.base));
        let open = self.oldest_unsealed().filter(|(is_own, _)| !is_own).map(|(_, intent)| intent.record().meta.base);
        sealed.chain(open).collect()
    }
}
