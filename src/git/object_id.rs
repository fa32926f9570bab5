//! Which type of id names which kind of git object; gix's ids as ours, and ours as gix's.
//!
//! Owns the hash of an object. Reads and writes none. Invariant: an id is of the kind that its type says, for whoever makes
//! one knows what it is of.

use crate::id::{BlobId, CommitId, TreeId};
use gix::objs::Kind;
use sha1::{Digest, Sha1};

/// The id of an object of one kind.
pub(crate) trait ObjectId: Copy + Eq + std::fmt::Display {
    /// What it names.
    const KIND: Kind;

    /// From the 20 raw bytes of the hash.
    fn from_bytes(bytes: [u8; 20]) -> Self;

    /// The 20 raw bytes of the hash.
    fn as_bytes(&self) -> &[u8; 20];

    /// gix's id of such an object.
    fn from_gix(id: &gix::oid) -> Self {
        Self::from_bytes(id.as_bytes().try_into().expect("only SHA-1 repositories are opened"))
    }

    /// As gix takes it.
    fn to_gix(self) -> gix::ObjectId {
        gix::ObjectId::Sha1(*self.as_bytes())
    }

    /// The id under which git would store exactly these bytes.
    ///
    /// Plain SHA-1 with the processor's own instructions, several times faster than git's collision-detecting variant. Both
    /// agree on everything but the known attacks, and git itself writes every object that goes into a repository.
    fn of(bytes: &[u8]) -> Self {
        let mut hash = Sha1::new();
        hash.update(Self::KIND.as_bytes());
        hash.update(format!(" {}\0", bytes.len()));
        hash.update(bytes);
        Self::from_bytes(hash.finalize().into())
    }
}

macro_rules! object_id {
    ($name:ident, $kind:ident) => {
        impl ObjectId for $name {
            const KIND: Kind = Kind::$kind;

            fn from_bytes(bytes: [u8; 20]) -> Self {
                Self::from_bytes(bytes)
            }

            fn as_bytes(&self) -> &[u8; 20] {
                self.as_bytes()
            }
        }
    };
}

object_id!(BlobId, Blob);
object_id!(TreeId, Tree);
object_id!(CommitId, Commit);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_gits() {
        assert_eq!(BlobId::of(b"").to_string(), "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391");
        assert_eq!(TreeId::of(b"").to_string(), "4b825dc642cb6eb9a060e54bf8d69288fbee4904");
    }
}
