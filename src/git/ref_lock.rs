//! The lock files by which git moves refs: whether one is held, and waiting for it.
//!
//! Owns where they lie. Takes none itself: git does, when it moves a ref.

use super::{Repo, RepoError};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// How often is looked whether a lock is free again.
const PAUSE: Duration = Duration::from_millis(10);

/// Waiting for locks of refs, for a limited time.
#[derive(Debug, Clone, Copy)]
pub struct RefPatience {
    start: Instant,
    timeout: Duration,
}

impl RefPatience {
    /// From now on.
    pub fn new(repo: &Repo, timeout: Duration) -> Self {
        Self { start: repo.env.clock().instant(), timeout }
    }

    /// Waits until nobody moves HEAD, nor the branch that it is on.
    ///
    /// # Errors
    /// [`RepoError::RefLocked`] where that takes too long.
    pub fn wait_for_head(&self, repo: &Repo) -> Result<(), RepoError> {
        self.wait(repo, &|| repo.head_locks())
    }

    /// Waits until nobody moves a ref that all worktrees have in common.
    ///
    /// # Errors
    /// As [`Self::wait_for_head`].
    pub fn wait_for_ref(&self, repo: &Repo, name: &str) -> Result<(), RepoError> {
        let lock = repo.common_dir.join(format!("{name}.lock"));
        self.wait(repo, &|| Ok(lock.exists().then(|| lock.clone()).into_iter().collect()))
    }

    fn wait(&self, repo: &Repo, held: &dyn Fn() -> Result<Vec<PathBuf>, RepoError>) -> Result<(), RepoError> {
        loop {
            let locks = held()?;
            if locks.is_empty() {
                return Ok(());
            }
            let waited = repo.env.clock().instant().duration_since(self.start);
            if waited >= self.timeout {
                let waited_ms = u64::try_from(waited.as_millis()).unwrap_or(u64::MAX);
                return Err(RepoError::RefLocked { locks, waited_ms });
            }
            std::thread::sleep(PAUSE.min(self.timeout - waited));
        }
    }

    /// Whether the time is over.
    pub fn is_over(&self, repo: &Repo) -> bool {
        repo.env.clock().instant().duration_since(self.start) >= self.timeout
    }
}

impl Repo {
    /// The lock files that keep HEAD from moving; none where it may.
    ///
    /// # Errors
    /// Where HEAD cannot be read.
    fn head_locks(&self) -> Result<Vec<PathBuf>, RepoError> {
        let head = self.git_dir.join("HEAD.lock");
        let branch = self.head_name()?.map(|name| self.common_dir.join(format!("{name}.lock")));
        Ok(std::iter::once(head).chain(branch).filter(|lock| lock.exists()).collect())
    }
}
