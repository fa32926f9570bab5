//! A range as it is written, `A..B`: what came after A, up to B.
//!
//! Owns its form, what its ends are (records, else git commits), and where records stand to them.

use crate::git::{Repo, RepoError};
use crate::history::error::HistoryError;
use crate::history::reader::{History, Scope};
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
    /// [`HistoryError::NoSuchEnd`], [`HistoryError::MixedRange`]; where the history or git cannot be read.
    pub fn among(&self, history: &History<'_>) -> Result<Among, HistoryError> {
        let (mut record, mut other) = (None, None);
        for name in self.names() {
            match history.find(name) {
                Ok(_) => record = Some(name),
                Err(HistoryError::NoSuchRecord(_)) => other = Some(name),
                Err(error) => return Err(error),
            }
        }
        match (record, other) {
            (_, None) => Ok(Among::Records(Between { after: self.after.clone(), up_to: self.upto.clone() })),
            (None, Some(_)) => self.commits(history.repo()).map(Among::Commits),
            (Some(record), Some(other)) if is_commit(history.repo(), other)? => {
                Err(HistoryError::MixedRange { record: record.clone(), commit: other.clone() })
            }
            (Some(_), Some(other)) => Err(HistoryError::NoSuchEnd(other.clone())),
        }
    }

    fn commits(&self, repo: &Repo) -> Result<HashSet<CommitId>, HistoryError> {
        for name in self.names() {
            if !is_commit(repo, name)? {
                return Err(HistoryError::NoSuchEnd(name.clone()));
            }
        }
        Ok(repo.commits_named(&[self.written()])?.into_iter().map(|facts| facts.id).collect())
    }
}

/// Whether git knows a commit of this name.
fn is_commit(repo: &Repo, name: &str) -> Result<bool, HistoryError> {
    match repo.commits_named(&[name.to_owned()]) {
        Ok(_) => Ok(true),
        Err(RepoError::Program { .. }) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// The records after one, up to another, which is one of them: `A..B`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Between {
    /// By name; none for the beginning.
    pub after: Option<String>,
    /// By name; none for the newest.
    pub up_to: Option<String>,
}

impl Between {
    /// `A..B`, `A..`, `..B`, with names of records.
    pub fn read(text: &str) -> Option<Self> {
        let (after, up_to) = text.split_once("..")?;
        let name = |name: &str| match name {
            "" => Some(None),
            name if is_name(name) => Some(Some(name.to_owned())),
            _ => None,
        };
        let found = Self { after: name(after)?, up_to: name(up_to)? };
        (found.after.is_some() || found.up_to.is_some()).then_some(found)
    }

    /// The records that it names.
    ///
    /// # Errors
    /// Where one of them is none of the scope's.
    pub(crate) fn ends(&self, history: &History<'_>, scope: Scope) -> Result<Ends, HistoryError> {
        let id = |name: &Option<String>| {
            let Some(name) = name else { return Ok(None) };
            let item = history.find(name)?;
            if item.is_own || scope == Scope::All {
                return Ok(Some(item.record.id));
            }
            Err(HistoryError::NotInThisWorktree(item.record.id))
        };
        let (after, up_to) = (id(&self.after)?, id(&self.up_to)?);
        let place = if up_to.is_none() { Place::Within } else { Place::Newer };
        Ok(Ends { after, up_to, place })
    }
}

/// Whether a word may name a record: letters k to z, or counted from the newest.
fn is_name(word: &str) -> bool {
    match word.strip_prefix('@') {
        Some(steps) => {
            steps.is_empty()
                || steps.strip_prefix('-').is_some_and(|count| count.bytes().all(|byte| byte.is_ascii_digit()))
        }
        None => {
            !word.is_empty() && word.len() <= RecordId::LEN && word.bytes().all(|byte| (b'k'..=b'z').contains(&byte))
        }
    }
}

/// Where a record stands to a range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// It came after the range.
    Newer,
    /// It is in the range.
    Within,
    /// It came before the range, as all do that are older.
    Older,
}

/// The ends of a range, on the way through all records, newest first.
pub(crate) struct Ends {
    after: Option<RecordId>,
    up_to: Option<RecordId>,
    /// Of the record that was met last.
    place: Place,
}

impl Ends {
    /// Where the next record stands.
    pub(crate) fn meet(&mut self, id: &RecordId) -> Place {
        if self.after.as_ref() == Some(id) {
            self.place = Place::Older;
        } else if self.place == Place::Newer && self.up_to.as_ref() == Some(id) {
            self.place = Place::Within;
        }
        self.place
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

    #[test]
    fn between_are_names_of_records_on_both_sides_or_on_one() {
        let read = |text: &str| Between::read(text).map(|found| (found.after, found.up_to));
        let name = |name: &str| Some(name.to_owned());
        assert_eq!(read("kk..@-2"), Some((name("kk"), name("@-2"))));
        assert_eq!(read("@-.."), Some((name("@-"), None)));
        assert_eq!(read("..@"), Some((None, name("@"))));
        for path in ["..", "../k", "a..k", "k...k", "@x..", "kkkkkkkkkkkkkkkkk.."] {
            assert_eq!(read(path), None, "{path}");
        }
    }

    #[test]
    fn a_record_is_newer_than_a_range_within_it_or_older() {
        let id = |seed: u8| RecordId::from_random([seed; 8]);
        let check = |(after, up_to): (Option<u8>, Option<u8>), want: [Place; 4]| {
            let place = if up_to.is_none() { Place::Within } else { Place::Newer };
            let mut ends = Ends { after: after.map(id), up_to: up_to.map(id), place };
            assert_eq!([4, 3, 2, 1].map(|seed| ends.meet(&id(seed))), want, "{after:?}..{up_to:?}");
        };
        use Place::{Newer, Older, Within};
        check((Some(1), Some(3)), [Newer, Within, Within, Older]);
        check((Some(2), None), [Within, Within, Older, Older]);
        check((None, Some(2)), [Newer, Newer, Within, Within]);
        check((Some(3), Some(3)), [Newer, Older, Older, Older]);
        check((Some(3), Some(1)), [Newer, Older, Older, Older]);
    }
}
