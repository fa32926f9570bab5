//! How the bytes read that git has of a file: staged, or in HEAD.
//!
//! Owns the way between the text of the working tree's file and git's bytes of it. With `working-tree-encoding` git has
//! UTF-8, without it what the working tree has.

use super::error::GitRecordError as Error;
use crate::git::{GitForm, Repo, TreeEncoding};
use crate::path::RepoPath;
use crate::policy::Finding;
use crate::text::{Encoding, Text};

/// What git has a file in.
#[derive(Debug, Clone, Copy)]
pub(super) struct StoredIn(Encoding);

/// The encodings of one file, in the working tree and in git.
#[derive(Clone, Copy)]
pub(super) struct StoredForm<'a> {
    repo: &'a Repo,
    in_tree: Encoding,
    /// What git has it in.
    pub(super) stored: StoredIn,
}

impl<'a> StoredForm<'a> {
    /// That of the file at a path, whose text was decoded from this encoding.
    pub(super) fn of(repo: &'a Repo, path: &RepoPath, in_tree: Encoding) -> Result<Self, Error> {
        let is_converted = || Ok::<_, Error>(repo.tree_encoding(path)? != TreeEncoding::None);
        let in_git = if in_tree.is_utf8() || is_converted()? { Encoding::UTF_8 } else { in_tree };
        Ok(Self { repo, in_tree, stored: StoredIn(in_git) })
    }

    /// What git would have of a text of the working tree, as it reads.
    pub(super) fn of_text(&self, path: &RepoPath, text: &[u8]) -> Result<Vec<u8>, Error> {
        let form = git_form(self.repo, path, &encode(self.in_tree, path, text)?)?;
        Ok(self.stored.read(path, form)?.into_bytes())
    }
}

impl StoredIn {
    /// What git's bytes read as.
    pub(super) fn read(&self, path: &RepoPath, bytes: Vec<u8>) -> Result<Text, Error> {
        let bytes = match self.0.is_utf8() {
            true => bytes,
            false => self.0.decode_marked(&bytes).map_or(bytes, |text| text.into_bytes()),
        };
        let binary = |nul: crate::text::NulByte| Finding::Binary { path: path.to_string_lossy(), offset: nul.offset };
        Ok(Text::new(bytes).map_err(binary)?)
    }

    /// A text as git is to have it.
    pub(super) fn store(&self, path: &RepoPath, text: &[u8]) -> Result<Vec<u8>, Error> {
        encode(self.0, path, text)
    }
}

fn encode(encoding: Encoding, path: &RepoPath, text: &[u8]) -> Result<Vec<u8>, Error> {
    let Some(text) = std::str::from_utf8(text).ok().filter(|_| !encoding.is_utf8()) else { return Ok(text.to_vec()) };
    let lacking =
        |character| Finding::NotInEncoding { path: path.to_string_lossy(), character, encoding: encoding.name() };
    Ok(encoding.encode(text).map_err(lacking)?)
}

/// The bytes that git would store for those of the working tree.
pub(super) fn git_form(repo: &Repo, path: &RepoPath, raw: &[u8]) -> Result<Vec<u8>, Error> {
    match repo.git_form(path, raw)? {
        GitForm::Same => Ok(raw.to_vec()),
        GitForm::Converted(bytes) => Ok(bytes),
        GitForm::Filtered => Err(Error::Filtered(path.to_string_lossy())),
    }
}
