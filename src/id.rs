//! Names of git's objects and of records: ids of blobs, trees and commits, record ids.
//!
//! Owns their text forms. Does not compute them: `git/` hashes, a request draws its record's id from `Env`.
//! Invariant: an id is parsed once, where it comes in (what git printed, a request, a stored file), and typed from there on.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::fmt;
use std::str::FromStr;

/// Makes the type of the ids of one kind of git object: a commit's id where a blob's is meant does not compile.
macro_rules! git_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name([u8; 20]);

        impl $name {
            /// From the 20 raw bytes of the hash.
            pub const fn from_bytes(bytes: [u8; 20]) -> Self {
                Self(bytes)
            }

            /// The 20 raw bytes of the hash.
            pub const fn as_bytes(&self) -> &[u8; 20] {
                &self.0
            }
        }

        impl fmt::Display for $name {
            /// 40 hexadecimal digits; with a precision (`{:.10}`) the first ones.
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write_digits(&self.0, f)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write_digits(&self.0, f)
            }
        }

        impl FromStr for $name {
            type Err = BadId;

            /// Takes all 40 digits, in either case.
            fn from_str(text: &str) -> Result<Self, BadId> {
                read_digits(text).map(Self)
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
            }
        }
    };
}

git_id! {
    /// The git id (SHA-1) of a blob: of some bytes, as they are in the working tree.
    BlobId
}

git_id! {
    /// The git id (SHA-1) of a tree: of all that a commit holds, or of one directory of it.
    TreeId
}

git_id! {
    /// The git id (SHA-1) of a commit: one of the user's repository (HEAD, what an edit was recorded as, an entry of the
    /// stash), or one of redraft's own history.
    CommitId
}

impl BlobId {
    /// All zeros, which git writes and reads where there is no blob, or its id is not known.
    pub(crate) const NONE: Self = Self([0; 20]);
}

impl CommitId {
    /// All zeros, which stand for no commit where git wants an id.
    pub(crate) const NONE: Self = Self([0; 20]);
}

fn write_digits(bytes: &[u8; 20], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let mut text = [0; 40];
    for (pair, byte) in text.chunks_exact_mut(2).zip(bytes) {
        pair.copy_from_slice(&[DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 15)]]);
    }
    f.pad(std::str::from_utf8(&text).expect("digits are ASCII"))
}

fn read_digits(text: &str) -> Result<[u8; 20], BadId> {
    let bad = || BadId(text.chars().take(80).collect());
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok()).ok_or_else(bad);
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    if pairs.len() != 20 || !rest.is_empty() {
        return Err(bad());
    }
    let mut bytes = [0; 20];
    for (byte, [high, low]) in bytes.iter_mut().zip(pairs) {
        *byte = digit(*high)? << 4 | digit(*low)?;
    }
    Ok(bytes)
}

/// A text that is no git id; it holds the beginning of it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no git id, which has 40 hexadecimal digits")]
pub struct BadId(String);

/// The id of a record: 16 letters from k to z, random, so that it never looks like a git id.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub struct RecordId(String);

impl<'de> Deserialize<'de> for RecordId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).ok_or_else(|| de::Error::custom("a record id is 16 letters from k to z"))
    }
}

impl RecordId {
    /// The number of letters.
    pub const LEN: usize = 16;

    /// The first few of several, in words.
    pub(crate) fn listed(ids: &[Self]) -> String {
        const MOST: usize = 5;
        let shown: Vec<&str> = ids.iter().take(MOST).map(Self::as_str).collect();
        let more = ids.len().saturating_sub(MOST);
        let more = if more == 0 { String::new() } else { format!(" and {more} more") };
        format!("{}{more}", shown.join(", "))
    }

    /// Turns 8 random bytes into letters, four bits each.
    pub fn from_random(random: [u8; 8]) -> Self {
        Self(random.iter().flat_map(|byte| [byte >> 4, byte & 15]).map(|nibble| char::from(b'k' + nibble)).collect())
    }

    /// Takes a whole id.
    pub fn parse(text: &str) -> Option<Self> {
        (text.len() == Self::LEN && text.bytes().all(|b| b.is_ascii_lowercase() && b >= b'k'))
            .then(|| Self(text.to_owned()))
    }

    /// The letters.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for RecordId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_blob_id_goes_to_text_and_back() {
        let text = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391";
        assert_eq!(text.parse::<BlobId>().map(|id| id.to_string()), Ok(text.to_owned()));
        assert!("e69d".parse::<BlobId>().is_err());
        assert!("+69de29bb2d1d6434b8b29ae775ad8c2e48c539é".parse::<BlobId>().is_err());
    }

    #[test]
    fn a_sign_is_no_digit_of_an_id() {
        let bad = "+69de29bb2d1d6434b8b29ae775ad8c2e48c5391".parse::<CommitId>().expect_err("a sign");
        assert!(bad.to_string().contains("+69de29"), "{bad}");
    }

    #[test]
    fn an_id_is_cut_to_its_first_digits() {
        let id: CommitId = "E69DE29BB2D1D6434B8B29AE775AD8C2E48C5391".parse().expect("an id");
        assert_eq!(format!("{id:.10}"), "e69de29bb2");
    }

    #[test]
    fn a_record_id_is_sixteen_letters_from_k_to_z() {
        let id = RecordId::from_random([0x0f, 0, 1, 2, 3, 4, 5, 0xff]);
        assert_eq!(id.as_str(), "kzkkklkmknkokpzz");
        assert_eq!(RecordId::parse(id.as_str()), Some(id));
        assert_eq!(RecordId::parse("abc"), None);
    }
}
