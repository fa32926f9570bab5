//! Files of the working tree that say which rules hold for others: `.gitignore` and `.gitattributes`.
//!
//! Owns which of them count, which is as git has it: a regular file under its own name. A symlink in the tree is not followed, as it may lead
//! to what never ends, and neither is a file read that git finds too large. Does not know what is in them.

use super::{GitCall, Repo, RepoError};
use crate::path::RepoPath;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

/// Git leaves a larger one out, with a warning (`PATTERN_MAX_FILE_SIZE` in its dir.h, `ATTR_MAX_FILE_SIZE` in attr.h).
const LARGEST: u64 = 100 << 20;

/// Whose a file of rules is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Owner {
    /// Whoever wrote the tree: a symlink does not count.
    Tree,
    /// The user, who may well have a symlink there.
    User,
}

/// What gix would make of the files of rules on the way to a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Rules {
    /// What git makes of them.
    AsGit,
    /// This one is larger than git reads, and gix reads it all the same.
    TooLarge(PathBuf),
}

/// What a file of rules has; none where it does not count.
pub(super) fn read(file: &Path, owner: Owner) -> Option<Vec<u8>> {
    let meta = match owner {
        Owner::Tree => fs::symlink_metadata(file),
        Owner::User => fs::metadata(file),
    };
    // Nothing but a file is opened: a pipe would wait for somebody to write.
    meta.ok().filter(|meta| meta.is_file() && meta.len() <= LARGEST)?;
    let mut text = Vec::new();
    // Some files of the system say that they are empty, and do not end.
    File::open(file).ok()?.take(LARGEST + 1).read_to_end(&mut text).ok()?;
    Some(text).filter(|text| text.len() as u64 <= LARGEST)
}

impl Repo {
    /// Looks at the files of this name that gix reads for a path, before it does.
    ///
    /// # Errors
    /// Where one is a pipe or a device, for which gix would wait, as git does.
    pub(super) fn rules_on_the_way(&self, path: &RepoPath, name: &str) -> Result<Rules, RepoError> {
        let mut rules = Rules::AsGit;
        let folders = std::iter::successors(path.parent(), RepoPath::parent).map(|folder| folder.to_path());
        for folder in folders.chain([PathBuf::new()]) {
            let file = self.root.join(folder).join(name);
            let Ok(meta) = fs::symlink_metadata(&file) else { continue };
            if meta.is_file() && meta.len() > LARGEST {
                rules = Rules::TooLarge(file.clone());
            }
            if !(meta.is_file() || meta.is_symlink() || meta.is_dir()) {
                return Err(RepoError::BadRules { file, why: "it is no regular file, and git would wait for it" });
            }
        }
        Ok(rules)
    }

    /// As [`Self::rules_on_the_way`], of files of attributes.
    ///
    /// # Errors
    /// As there, and where one is too large.
    pub(super) fn refuse_unreadable_attributes(&self, path: &RepoPath) -> Result<(), RepoError> {
        match self.rules_on_the_way(path, ".gitattributes")? {
            Rules::AsGit => Ok(()),
            Rules::TooLarge(file) => {
                Err(RepoError::BadRules { file, why: "it has more than 100 MB, and git leaves such a file out" })
            }
        }
    }

    /// Whether a rule ignores a path, as git itself says.
    pub(super) fn is_ignored_by_git(&self, path: &RepoPath) -> Result<bool, RepoError> {
        let call = GitCall::new(["check-ignore", "--quiet", "--no-index", "--"]).arg(path.to_path());
        Ok(self.try_git(call)?.ok)
    }
}
