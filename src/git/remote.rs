//! A remote: its address, and the settings by which git reaches it.
//!
//! Owns what may be given to git as an address. Reaches nothing itself.
//! Invariant of [`Remote`]: its address begins with no `-`, so that git takes it for no option.

use super::{GitCall, Repo, RepoError};
use bstr::ByteSlice;

/// The settings of the repository that decide how, and whether, an address is reached.
const SETTINGS: &str = r"^(protocol|http|https|credential|ssh)\.|^core\.(sshcommand|gitproxy|askpass)$";

/// A remote.
#[derive(Debug, Clone)]
pub struct Remote {
    address: String,
    settings: Vec<(String, String)>,
}

impl Remote {
    /// The remote of this name, or with this address; a relative path is meant from the root of the working tree.
    ///
    /// # Errors
    /// [`RepoError::BadRemote`] where git would take it for an option; where git fails.
    pub fn of(repo: &Repo, name: &str) -> Result<Self, RepoError> {
        refuse_option(name)?;
        // What the address is, git knows: by its name, and by url.<base>.insteadOf.
        let out = repo.run_git(GitCall::new(["ls-remote", "--get-url", "--", name]))?;
        let address = out.trim_end_with(|c| c == '\n').to_str_lossy().into_owned();
        refuse_option(&address)?;
        let here = repo.root().join(&address);
        let is_path = !address.contains("://") && !address.contains("::") && here.exists();
        let address = if is_path { here.to_string_lossy().into_owned() } else { address };
        Ok(Self { address, settings: settings(repo)? })
    }

    /// As git takes it.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Keys and values of the repository's own configuration.
    pub fn settings(&self) -> &[(String, String)] {
        &self.settings
    }
}

fn refuse_option(name: &str) -> Result<(), RepoError> {
    if name.is_empty() || name.starts_with('-') { Err(RepoError::BadRemote(name.to_owned())) } else { Ok(()) }
}

fn settings(repo: &Repo) -> Result<Vec<(String, String)>, RepoError> {
    let run = repo.try_git(GitCall::new(["config", "--local", "-z", "--get-regexp", SETTINGS]))?;
    let entries = run.out.split(|&byte| byte == 0).filter(|entry| !entry.is_empty());
    let pairs = entries.map(|entry| {
        let entry = entry.to_str_lossy();
        let (key, value) = entry.split_once('\n').unwrap_or((&entry, "true"));
        (key.to_owned(), value.to_owned())
    });
    Ok(pairs.collect())
}
