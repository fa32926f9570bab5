//! What a caller wants of git, and what that comes to.
//!
//! Owns which options make no sense together. Does nothing in git.

use super::error::{Contradiction, GitRecordError as Error};
use super::staged_edit::Staged;
use crate::git::Author;
use crate::request::RecordKind;

/// What a caller wants of git, beside where its edit is recorded.
#[derive(Debug, Clone, Default)]
pub struct GitOptions {
    /// `--no-verify`: the hooks that may refuse a commit are skipped.
    pub no_verify: bool,
    /// `--author`: another author than the user.
    pub author: Option<String>,
    /// `--shelve`: the edit goes into the stash only.
    pub shelve: bool,
    /// `--index`: the staged version is edited, too.
    pub index: bool,
}

/// What is to become of an edit in the user's git.
pub enum GitTarget<'a> {
    /// Nothing: git sees it in the working tree only.
    Nothing,
    /// A commit on HEAD.
    Commit(CommitOptions),
    /// An entry of the stash, beside the working tree.
    Stash,
    /// An entry of the stash, and nothing else: the working tree stays as it is.
    Shelf,
    /// The staged versions, which the patches of the tasks were made with.
    Staged(&'a Staged<'a>),
}

/// How a git commit is to be made.
#[derive(Debug, Clone, Default)]
pub struct CommitOptions {
    /// Whether the hooks that may refuse it are skipped.
    pub no_verify: bool,
    /// Who wrote it; none for the user.
    pub author: Option<Author>,
}

impl GitOptions {
    /// Refuses options that make no sense together.
    ///
    /// # Errors
    /// [`Error::Contradictory`].
    pub fn check(&self, kind: RecordKind) -> Result<(), Error> {
        if self.shelve && kind != RecordKind::Stash {
            return Err(Contradiction::ShelveElsewhere.into());
        }
        if self.author.is_some() && kind != RecordKind::Commit {
            return Err(Contradiction::AuthorWithoutCommit.into());
        }
        if self.index && matches!(kind, RecordKind::Commit | RecordKind::Stash) {
            return Err(Contradiction::IndexAndCommit.into());
        }
        Ok(())
    }

    /// What is to become of an edit that is recorded as `kind`; `staged` is the index, where that is edited, too.
    ///
    /// # Errors
    /// As [`Self::check`], and [`Error::BadAuthor`].
    pub fn target<'a>(&self, kind: RecordKind, staged: Option<&'a Staged<'a>>) -> Result<GitTarget<'a>, Error> {
        self.check(kind)?;
        Ok(match (kind, staged) {
            (RecordKind::Commit, _) => {
                let author = self.author.as_deref().map(author).transpose()?;
                GitTarget::Commit(CommitOptions { no_verify: self.no_verify, author })
            }
            (RecordKind::Stash, _) if self.shelve => GitTarget::Shelf,
            (RecordKind::Stash, _) => GitTarget::Stash,
            (RecordKind::History | RecordKind::None, Some(staged)) => GitTarget::Staged(staged),
            (RecordKind::History | RecordKind::None, None) => GitTarget::Nothing,
        })
    }
}

/// `Name <address>`, taken apart.
fn author(text: &str) -> Result<Author, Error> {
    let bad = || Error::BadAuthor(text.to_owned());
    let (name, rest) = text.split_once('<').ok_or_else(bad)?;
    let email = rest.trim_end().strip_suffix('>').ok_or_else(bad)?;
    let (name, email) = (name.trim(), email.trim());
    if name.is_empty() || email.contains(['<', '>', '\n']) || name.contains(['\n', '>']) {
        return Err(bad());
    }
    Ok(Author { name: name.to_owned(), email: email.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_author_has_a_name_and_an_address() {
        let found = author("A B <a@b.c> ").expect("an author");
        assert_eq!((found.name.as_str(), found.email.as_str()), ("A B", "a@b.c"));
        for bad in ["", "A B", "<a@b.c>", "A <a@b.c", "A <a<b>", "A\nB <a@b.c>", "A> <a@b.c>"] {
            assert!(author(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn what_contradicts_itself_is_refused_before_anything_is_made_of_it() {
        let shelve = GitOptions { shelve: true, ..GitOptions::default() };
        assert!(matches!(shelve.target(RecordKind::Stash, None), Ok(GitTarget::Shelf)));
        assert!(shelve.target(RecordKind::Commit, None).is_err());
        let author = GitOptions { author: Some("A <a@b.c>".to_owned()), ..GitOptions::default() };
        assert!(matches!(author.target(RecordKind::Commit, None), Ok(GitTarget::Commit(_))));
        assert!(author.target(RecordKind::History, None).is_err());
    }
}
