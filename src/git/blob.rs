//! Git blob ids, computed fast: every edit hashes whole files, twice.

use super::object_id::ObjectId;
use crate::id::BlobId;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The id under which git would store exactly these bytes.
pub fn blob_id(bytes: &[u8]) -> BlobId {
    BlobId::of(bytes)
}

/// The ids of several texts, in their order; where there is much to hash, all processors share in it.
pub fn blob_ids(texts: &[&[u8]]) -> Vec<BlobId> {
    // Below this many bytes threads cost more than they save.
    const MUCH: usize = 1 << 20;
    let is_much = texts.len() > 1 && texts.iter().map(|text| text.len()).sum::<usize>() >= MUCH;
    let workers = if is_much { std::thread::available_parallelism().map_or(1, |n| n.get().min(8)) } else { 1 };
    if workers == 1 {
        return texts.iter().map(|text| blob_id(text)).collect();
    }
    let next = AtomicUsize::new(0);
    let work = || -> Vec<(usize, BlobId)> {
        let numbers = std::iter::repeat_with(|| next.fetch_add(1, Ordering::Relaxed));
        numbers.map_while(|n| Some((n, blob_id(texts.get(n)?)))).collect()
    };
    let mut ids = std::thread::scope(|scope| {
        // Where no thread is to be had, the others do its work.
        let spawn = |_| std::thread::Builder::new().spawn_scoped(scope, work).ok();
        let others: Vec<_> = (1..workers.min(texts.len())).filter_map(spawn).collect();
        let mut ids = work();
        ids.extend(others.into_iter().flat_map(|other| other.join().expect("hashing does not panic")));
        ids
    });
    ids.sort_unstable_by_key(|&(n, _)| n);
    ids.into_iter().map(|(_, id)| id).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_of_many_texts_come_in_their_order() {
        let texts: Vec<Vec<u8>> = (0..40).map(|n| vec![n; 40_000 * usize::from(n % 3)]).collect();
        let texts: Vec<&[u8]> = texts.iter().map(Vec::as_slice).collect();
        assert_eq!(blob_ids(&texts), texts.iter().map(|text| blob_id(text)).collect::<Vec<_>>());
    }

    #[test]
    fn ids_are_those_of_git_hash_object() {
        assert_eq!(blob_id(b"").to_string(), "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391");
        assert_eq!(blob_id(b"hello\n").to_string(), "ce013625030ba8dba906f756967f9e9ca394464a");
    }
}
