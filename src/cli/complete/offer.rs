//! What may stand in the place of a word.

/// What may stand there.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) enum Offer {
    /// Nothing that is known.
    #[default]
    Nothing,
    /// These.
    Values(Vec<Candidate>),
    /// Any file; the shell knows them.
    Files,
    /// Any directory.
    Dirs,
}

/// One value, with what it is.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Candidate {
    pub value: String,
    pub told: String,
}

impl Candidate {
    pub(super) fn new(value: impl Into<String>, told: impl Into<String>) -> Self {
        Self { value: value.into(), told: told.into() }
    }
}
