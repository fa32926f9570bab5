//! What the callers of a dialect call the things that they may send.
//!
//! Owns the list of those things. How each dialect spells them stands in its own file, and sentences with them in
//! `advice/`.

/// The keys of a dialect, for sentences; none where the dialect has no such key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Words {
    /// The text to be replaced.
    pub old: &'static str,
    /// What takes its place.
    pub new: &'static str,
    /// Replaces every occurrence.
    pub replace_all: Option<&'static str>,
    /// How many replacements are expected.
    pub expected_replacements: Option<&'static str>,
    /// What a caller sends to make a file that is not there.
    pub create: Option<&'static str>,
    /// What a caller sends to write all of a file anew.
    pub overwrite: Option<&'static str>,
    /// Where the edit is recorded.
    pub record: Option<&'static str>,
    /// Refuses files that differ from HEAD.
    pub require_clean: Option<&'static str>,
    /// Shows what would be done.
    pub dry_run: Option<&'static str>,
    /// Names the session.
    pub session: Option<&'static str>,
    /// Makes sending the request again harmless.
    pub request_id: Option<&'static str>,
    /// Names the encoding of a file.
    pub encoding: Option<&'static str>,
}

impl Words {
    /// The words of a format that can say no more than which text becomes which.
    pub(crate) const fn of_pair(old: &'static str, new: &'static str) -> Self {
        Self {
            old,
            new,
            replace_all: None,
            expected_replacements: None,
            create: None,
            overwrite: None,
            record: None,
            require_clean: None,
            dry_run: None,
            session: None,
            request_id: None,
            encoding: None,
        }
    }

    /// For a person at the command line, who sends no request.
    pub const COMMAND_LINE: Self = Self::of_pair("the old text", "the new text");
}
