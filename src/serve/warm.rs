//! A working tree that is kept open between the calls for it.
//!
//! Owns how long: as long as nothing that it was made from has changed, and the calls come from the same surroundings. What that
//! is says `git/freshness.rs`.

use crate::env::Env;
use crate::git::{Fingerprint, RepoError};
use crate::workspace::Workspace;

/// What one thread keeps of its tree.
#[derive(Default)]
pub struct Warm(Option<Kept>);

struct Kept {
    workspace: Workspace,
    /// None where it cannot be told whether it is stale.
    fingerprint: Option<Fingerprint>,
}

impl Warm {
    /// The working tree that holds the directory of `env`, as it is now.
    ///
    /// # Errors
    /// As [`Workspace::discover`].
    pub fn workspace(&mut self, env: &Env) -> Result<&Workspace, RepoError> {
        let kept = self.0.take().filter(|kept| {
            kept.workspace.env().is_like(env) && kept.fingerprint.as_ref().is_some_and(Fingerprint::holds)
        });
        let kept = match kept {
            Some(mut kept) => {
                kept.workspace.refresh();
                kept.workspace.set_env(env);
                kept
            }
            None => {
                let opened_ns = env.clock().now().as_nanosecond();
                let workspace = Workspace::discover(env)?;
                let fingerprint = workspace.repo().fingerprint(opened_ns);
                Kept { workspace, fingerprint }
            }
        };
        Ok(&self.0.insert(kept).workspace)
    }
}
