//! A range of records as it is written, `A..B`: what came after A, up to B.
//!
//! Owns its form, and which records lie in it. Of records the order of the log counts, not their times.

use crate::git::Repo;
use crate::history::error::HistoryError;
use crate::history::reader::{History, Scope};
use crate::history::store::index_file::Filter;
use crate::id::{CommitId, RecordId};
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
    /// These records.
    Records(HashSet<RecordId>),
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
    pub fn among(&self, history: &History<'_>, scope: Scope) -> Result<Among, HistoryError> {
        let found: Result<Vec<_>, _> = self.names().map(|name| history.find(name).map(|item| item.record.id)).collect();
        match found {
            Ok(ends) => self.records(history, scope, ends),
            Err(error @ HistoryError::AmbiguousRecord { .. }) => Err(error),
            Err(HistoryError::NoSuchRecord(name)) => self
                .commits(history.repo())
                .ok_or(HistoryError::NoSuchRecord(format!("{name}, and no such git commit"))),
            Err(error) => Err(error),
        }
    }

    fn records(&self, history: &History<'_>, scope: Scope, ends: Vec<RecordId>) -> Result<Among, HistoryError> {
        let mut ends = ends.into_iter();
        let after = self.after.as_ref().and_then(|_| ends.next());
        let upto = self.upto.as_ref().and_then(|_| ends.next());
        let (mut inside, mut is_begun) = (HashSet::new(), upto.is_none());
        for item in history.items(scope, Filter::default())? {
            let id = item?.record.id;
            if after.as_ref() == Some(&id) {
                break;
            }
            is_begun |= upto.as_ref() == Some(&id);
            if is_begun {
                inside.insert(id);
            }
        }
        Ok(Among::Records(inside))
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
