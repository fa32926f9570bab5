//! `redraft.encoding`: in which encoding files are that nothing else tells of.
//!
//! Owns the form of its values: the name of an encoding, or a pattern, `=` and a name. The last that fits counts.

use crate::git::{Letters, Patterns};
use crate::path::RepoPath;
use crate::text::Encoding;
use bstr::{BStr, BString, ByteSlice};

/// The encodings that the configuration names.
#[derive(Debug, Clone, Default)]
pub struct Encodings(Vec<(Option<Patterns>, Encoding)>);

impl Encodings {
    /// Reads values, the most specific last.
    ///
    /// # Errors
    /// The first that names no encoding.
    pub(super) fn new(values: Vec<BString>, case: Letters) -> Result<Self, BString> {
        let read = |value: BString| {
            let (pattern, name) = parts(value.as_bstr());
            let encoding = name.to_str().ok().and_then(|name| Encoding::named(name.trim()));
            let patterns = pattern.map(|pattern| Patterns::new(vec![pattern.to_owned()], case));
            encoding.map(|encoding| (patterns, encoding)).ok_or_else(|| value.clone())
        };
        values.into_iter().map(read).collect::<Result<_, _>>().map(Self)
    }

    /// That of the file at a path; none where they say nothing of it.
    pub fn of_path(&self, path: &RepoPath) -> Option<Encoding> {
        let fits = |patterns: &Option<Patterns>| patterns.as_ref().is_none_or(|one| one.matching(path).is_some());
        self.0.iter().rev().find(|(patterns, _)| fits(patterns)).map(|(_, encoding)| *encoding)
    }
}

/// The pattern of a value, if it has one, and the name.
fn parts(value: &BStr) -> (Option<&BStr>, &BStr) {
    match value.rsplit_once_str("=") {
        Some((pattern, name)) => (Some(pattern.as_bstr()), name.as_bstr()),
        None => (None, value),
    }
}
