//! The references that git keeps in one file (git-pack-refs(1)), read as text.
//!
//! Owns how a line of it looks. A file that is large is gix's, which searches it without reading it.

use super::Repo;
use crate::id::CommitId;
use bstr::ByteSlice;
use std::fs::File;
use std::io::{ErrorKind, Read};

/// The largest that is read; about 15,000 references.
const LARGEST: u64 = 1 << 20;

/// The packed references of a repository.
pub(super) struct PackedRefs(Vec<u8>);

impl PackedRefs {
    /// As they are; none where the file cannot be read here.
    pub(super) fn read(repo: &Repo) -> Option<Self> {
        let mut text = Vec::with_capacity(8 << 10);
        match File::open(repo.common_dir().join("packed-refs")) {
            Ok(file) => file.take(LARGEST + 1).read_to_end(&mut text).ok()?,
            Err(error) if error.kind() == ErrorKind::NotFound => 0,
            Err(_) => return None,
        };
        (text.len() as u64 <= LARGEST).then_some(Self(text))
    }

    /// The commit that a branch is at, by its full name; none where it is not here.
    pub(super) fn commit(&self, name: &[u8]) -> Option<CommitId> {
        self.0.lines().find_map(|line| {
            let (id, own) = line.split_once_str(" ")?;
            (own == name).then(|| id.to_str().ok()?.parse().ok()).flatten()
        })
    }

    /// Whether a reference may have a name that begins so.
    pub(super) fn may_have_below(&self, prefix: &str) -> bool {
        self.0.contains_str(format!(" {prefix}"))
    }
}
