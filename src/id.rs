//! Names of contents and of records: git blob ids, record ids.
//!
//! Owns their text forms. Does not compute them: `repo/` hashes, `history/` draws record ids.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::fmt;
use std::str::FromStr;

/// The git blob id (SHA-1) of some bytes, as they are in the working tree.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BlobId([u8; 20]);

impl BlobId {
    /// From the 20 raw bytes of the hash.
    pub const fn from_bytes(bytes: [u8; 20]) -> Self {
        Self(bytes)
    }

    /// The 20 raw bytes of the hash.
    pub fn as_bytes(&self) -> &[u8; 20] {
        &self.0
    }
}

impl fmt::Display for BlobId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for BlobId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The text is not 40 hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a git id is 40 hexadecimal digits")]
pub struct BadId;

impl FromStr for BlobId {
    type Err = BadId;

    fn from_str(text: &str) -> Result<Self, BadId> {
        if text.len() != 40 || !text.is_ascii() {
            return Err(BadId);
        }
        let mut bytes = [0; 20];
        for (byte, pair) in bytes.iter_mut().zip(text.as_bytes().chunks(2)) {
            let pair = std::str::from_utf8(pair).map_err(|_| BadId)?;
            *byte = u8::from_str_radix(pair, 16).map_err(|_| BadId)?;
        }
        Ok(Self(bytes))
    }
}

impl Serialize for BlobId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for BlobId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

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
        assert_eq!(text.parse::<BlobId>().map(|id| id.to_string()).as_deref(), Ok(text));
        assert!("e69d".parse::<BlobId>().is_err());
        assert!("+69de29bb2d1d6434b8b29ae775ad8c2e48c539é".parse::<BlobId>().is_err());
    }

    #[test]
    fn a_record_id_is_sixteen_letters_from_k_to_z() {
        let id = RecordId::from_random([0x0f, 0, 1, 2, 3, 4, 5, 0xff]);
        assert_eq!(id.as_str(), "kzkkklkmknkokpzz");
        assert_eq!(RecordId::parse(id.as_str()), Some(id));
        assert_eq!(RecordId::parse("abc"), None);
    }
}
