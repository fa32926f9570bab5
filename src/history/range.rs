//! A range of records as it is written, `A..B`: what came after A, up to B.
//!
//! Owns its form, and what its ends are: records, else git commits.

use crate::git::Repo;
use crate::history::error::HistoryError;
use crate::history::query::search::Between;
use crate::history::reader::History;
use crate::id::CommitId;
use std::collections::HashSet;

/// `A..B` as it was written: of records, or of git commits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Range {
    /// Not itself in it; none from the first on.
    after: Option<String>,
    /// In it; none up to the newest.
    upto: Option<String>,
}

/// What a range stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Among {
    /// Records.
    Records(Between),
    /// The records of which one of these git commits holds lines.
    Commits(HashSet<CommitId>),
}

impl Range {
    /// Reads `A..B`, `A..` or `..B`.
    ///
    /// # Errors
    /// Where it is none of them; in words.
    pub fn read(text: &str) -> Result<Self, String> {
        let (after, upto) = text.split_once("..").ok_or("a range A..B, A.. or ..B of records or git commits")?;
        if upto.starts_with('.') {
            return Err("A...B has no meaning for records; give A..B".to_owned());
        }
        let end = |name: &str| (!name.is_empty()).then(|| name.to_owned());
        let range = Self { after: end(after), upto: end(upto) };
        if range.names().next().is_none() { Err("a range with at least one end".to_owned()) } else { Ok(range) }
    }

    fn names(&self) -> impl Iterator<Item = &String> {
        self.after.iter().chain(&self.upto)
    }

    /// As it was written.
    pub fn written(&self) -> String {
        let end = |name: &Option<String>| name.clone().unwrap_or_default();
        format!("{}..{}", end(&self.after), end(&self.upto))
    }

    /// What it stands for: where its ends name records, records, else git commits.
    ///
    /// # Errors
    /// Where an end is neither a record nor what git knows.
    pub fn among(&self, history: &History<'_>) -> Result<Among, HistoryError> {
        match self.names().try_for_each(|name| history.find(name).map(drop)) {
            Ok(()) => Ok(Among::Records(Between { after: self.after.clone(), up_to: self.upto.clone() })),
            Err(HistoryError::NoSuchRecord(name)) => self
                .commits(history.repo())
                .ok_or(HistoryError::NoSuchRecord(format!("{name}, and no such git commit"))),
            Err(error) => Err(error),
        }
    }

    fn commits(&self, repo: &Repo) -> Option<Among> {
        let commits = repo.commits_named(&[self.written()]).ok()?;
        Some(Among::Commits(commits.into_iter().map(|facts| facts.id).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_has_two_dots_and_an_end() {
        let check = |text: &str, want: Option<&str>| {
            assert_eq!(Range::read(text).ok().map(|range| range.written()).as_deref(), want, "{text}");
        };
        check("kzlm..@-2", Some("kzlm..@-2"));
        check("main..", Some("main.."));
        check("..@", Some("..@"));
        check("..", None);
        check("main...topic", None);
        check("kzlm", None);
        check("", None);
    }
}
