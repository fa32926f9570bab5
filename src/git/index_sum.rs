//! The sum of all bytes before it with which a file of git's index ends; with `index.skipHash` it ends with zeros.
//!
//! Owns how an index is known to be whole, and by what it is known again. Does not know what is in it.
//! An index is tens of megabytes where a repository is large, so it is gone through as seldom as can be.

use super::object_id::ObjectId;
use crate::id::BlobId;
use sha1::{Digest, Sha1};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

/// The length of a sum.
const LEN: usize = 20;

/// So many bytes are read at a time.
const PART: u64 = 1 << 18;

/// The sum of all bytes of an index file before its own.
///
/// Plain SHA-1: whoever can write an index needs no collision.
///
/// # Errors
/// Where it cannot be read, or is too short to have one.
pub(super) fn sum_of(path: &Path) -> io::Result<[u8; LEN]> {
    let mut file = File::open(path)?;
    let mut rest = file.metadata()?.len().checked_sub(LEN as u64).ok_or(io::ErrorKind::UnexpectedEof)?;
    let (mut hash, mut part) = (Sha1::new(), Vec::new());
    while rest > 0 {
        part.clear();
        let read = file.by_ref().take(rest.min(PART)).read_to_end(&mut part)?;
        if read == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        hash.update(&part);
        rest -= read as u64;
    }
    Ok(hash.finalize().into())
}

/// By what an index file is known again that git just wrote: its own sum, or else the id of all its bytes.
///
/// # Errors
/// Where it cannot be read.
pub(super) fn index_id(path: &Path) -> io::Result<BlobId> {
    let mut file = File::open(path)?;
    let mut sum = [0; LEN];
    if file.metadata()?.len() > LEN as u64 {
        file.seek(SeekFrom::End(-(LEN as i64)))?;
        file.read_exact(&mut sum)?;
    }
    if sum != [0; LEN] {
        return Ok(BlobId::from_bytes(sum));
    }
    file.rewind()?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok(BlobId::of(&bytes))
}

/// Whether these are all the bytes of the index that an [`index_id`] names.
pub fn is_index(bytes: &[u8], id: BlobId) -> bool {
    let by_sum = || {
        let (rest, sum) = bytes.split_last_chunk::<LEN>()?;
        Some(sum == id.as_bytes() && Sha1::digest(rest)[..] == sum[..])
    };
    by_sum() == Some(true) || BlobId::of(bytes) == id
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_sum(rest: &[u8]) -> Vec<u8> {
        [rest, &Sha1::digest(rest)[..]].concat()
    }

    #[test]
    fn an_index_is_known_by_its_sum_and_one_that_has_none_by_all_its_bytes() {
        let folder = tempfile::tempdir().expect("a folder");
        let place = folder.path().join("index");
        let long = vec![7; 3 * usize::try_from(PART).expect("a size") + 5];
        for (bytes, has_sum) in [
            (with_sum(b"DIRC and more"), true),
            (with_sum(&long), true),
            (with_sum(b""), false),
            ([&long[..], &[0; LEN]].concat(), false),
        ] {
            std::fs::write(&place, &bytes).expect("a file");
            let id = index_id(&place).expect("an id");
            assert_eq!(id == BlobId::of(&bytes), !has_sum, "{}", bytes.len());
            assert!(is_index(&bytes, id) && !is_index(&with_sum(b"another"), id));
            for at in [0, bytes.len() / 2, bytes.len() - 1] {
                let mut other = bytes.clone();
                other[at] ^= 1;
                assert!(!is_index(&other, id), "{at} of {}", bytes.len());
                assert!(!is_index(&bytes[..at], id), "{at} of {}", bytes.len());
            }
            let said = bytes.last_chunk::<LEN>().expect("a sum");
            assert_eq!(sum_of(&place).expect("a sum") == *said, bytes.ends_with(&with_sum(b"")) || has_sum);
        }
        std::fs::write(&place, b"short").expect("a file");
        assert!(sum_of(&place).is_err());
        assert_eq!(index_id(&place).expect("an id"), BlobId::of(b"short"));
    }
}
