//! A working tree, opened: its repository, its settings, and what surrounds it.
//!
//! Owns opening; nobody else does it. Does not change anything: that is `flow/` and `usecase/`.
//! Invariant: what a workspace knows is its own, so that several live in one process, each on any thread.

use crate::env::Env;
use crate::git::{Repo, RepoError};
use crate::policy::{ConfigError, Settings};
use std::cell::OnceCell;

/// A working tree, opened: everything that redraft does starts here.
///
/// Several may be open in one process, also of one repository: edits wait for each other. One is used by one thread at a time.
pub struct Workspace {
    env: Env,
    repo: Repo,
    settings: OnceCell<Settings>,
}

impl Workspace {
    /// Opens the working tree of the git repository that holds the directory of `env`.
    ///
    /// # Errors
    /// Where there is none, or it cannot be read.
    pub(crate) fn discover(env: &Env) -> Result<Self, RepoError> {
        Ok(Self { env: env.clone(), repo: Repo::discover(env)?, settings: OnceCell::new() })
    }

    /// Forgets what was read of HEAD, before something new is asked.
    pub(crate) fn refresh(&self) {
        self.repo.refresh();
    }

    /// What surrounds it from now on, which is [like](Env::is_like) what it was.
    pub(crate) fn set_env(&mut self, env: &Env) {
        self.repo.set_env(env);
        self.env = env.clone();
    }

    /// What surrounds it.
    pub(crate) fn env(&self) -> &Env {
        &self.env
    }

    /// The git repository.
    pub(crate) fn repo(&self) -> &Repo {
        &self.repo
    }

    /// What git's configuration says of redraft; read once, when first asked for.
    ///
    /// # Errors
    /// [`ConfigError`], naming the key.
    pub(crate) fn settings(&self) -> Result<&Settings, ConfigError> {
        if let Some(settings) = self.settings.get() {
            return Ok(settings);
        }
        let settings = Settings::of(&self.repo)?;
        Ok(self.settings.get_or_init(|| settings))
    }
}
