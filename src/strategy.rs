//! The names of the ways to find an old_string, and the levels that combine them.
//!
//! Owns the names only; `matcher/` has the ways themselves, one file each.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::fmt;

macro_rules! strategies {
    ($($(#[doc = $doc:literal])+ $variant:ident $name:literal),+ $(,)?) => {
        /// A way of finding an old_string in a file.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Strategy { $($(#[doc = $doc])+ $variant),+ }

        impl Strategy {
            /// Every strategy: exact, the certain tiers, then the named ones of opencode's list.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The name on the wire and on the command line.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $name),+ }
            }
        }
    };
}

strategies! {
    /// The same bytes, CRLF and LF alike.
    Exact "exact",
    /// Certain tier: lines equal but for outer white space, typography and Unicode form.
    Folded "folded",
    /// Certain tier: as `folded`, inner white space folded too.
    FoldedInner "folded-inner",
    /// Certain tier: one line of four or more differs in a way that cannot mean another place.
    OneLineOff "one-line-off",
    /// Certain tier: the lines that an omission mark stands for are kept.
    Elision "elision",
    /// opencode and seed 002: the text as it is.
    Simple "simple",
    /// opencode and seed 002: lines equal but for outer white space.
    LineTrimmed "line-trimmed",
    /// opencode and seed 002: first and last line equal, the lines between similar.
    BlockAnchor "block-anchor",
    /// opencode: runs of white space are one blank.
    WhitespaceNormalized "whitespace-normalized",
    /// opencode: the common indentation is taken off.
    IndentationFlexible "indentation-flexible",
    /// opencode: escape sequences are read.
    EscapeNormalized "escape-normalized",
    /// opencode: the text trimmed at both ends.
    TrimmedBoundary "trimmed-boundary",
    /// opencode: first and last line equal, half of the lines between equal.
    ContextAware "context-aware",
    /// opencode: every exact occurrence.
    MultiOccurrence "multi-occurrence",
}

impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for Strategy {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for Strategy {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        Self::ALL.iter().copied().find(|s| s.as_str() == name).ok_or_else(|| de::Error::custom("no such strategy"))
    }
}

/// How loosely old texts are matched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Level {
    /// Bytes, CRLF and LF alike.
    #[default]
    Exact,
    /// Exact, then the certain tiers.
    Fuzzy,
    /// Fuzzy, then seed 002's block anchor.
    Loose,
    /// One strategy alone, by its name.
    Only(Strategy),
}

impl Level {
    /// The name on the wire and on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Fuzzy => "fuzzy",
            Self::Loose => "loose",
            Self::Only(strategy) => strategy.as_str(),
        }
    }

    /// The level with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "exact" => Some(Self::Exact),
            "fuzzy" => Some(Self::Fuzzy),
            "loose" => Some(Self::Loose),
            _ => Strategy::ALL.iter().find(|s| s.as_str() == name).map(|&s| Self::Only(s)),
        }
    }
}
