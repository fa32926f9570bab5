//! Objects out of packs that are kept for those which are stored as what differs from them.
//!
//! Owns how many. Versions of one file that are read one after the other, the newest first, are a step each then; else each of
//! them is all the steps from the newest.

/// In bytes, of one repository.
const MOST_KEPT: usize = 24 << 20;

/// Has them kept.
pub fn keep<S>(objects: &mut gix::odb::Cache<S>) {
    objects.set_pack_cache(|| Box::new(gix::odb::pack::cache::lru::MemoryCappedHashmap::new(MOST_KEPT)));
}
