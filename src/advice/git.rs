//! What is told of a repository that cannot be used.
//!
//! Owns the next steps for [`RepoError`]. Does not know what was to be done there.

use super::Explanation;
use crate::git::RepoError;

/// What to tell the caller.
pub(super) fn explain(error: &RepoError) -> Explanation {
    let told = |next: &str| Explanation::of(error.reason(), error, next);
    match error {
        RepoError::NotARepository(_) => told("run `git init` there, or name another directory with -C"),
        RepoError::BrokenGitFile(_) => told(
            "run `git worktree repair` or `git submodule update --init` in the repository that it belongs to, or remove it",
        ),
        RepoError::BadRemote(_) => told("give the name of a remote (`git remote`), a path (./name), or an address"),
        RepoError::Bare(_) => told("run redraft in a working tree (`git worktree add`)"),
        RepoError::InsideGitDir(_) => told("run redraft in the working tree"),
        RepoError::UnsafeOwner(path) => {
            told(&format!("if you do, run: git config --global --add safe.directory {path:?}"))
        }
        RepoError::Unsupported { .. } => told("use git itself there, redraft reads SHA-1 objects and ref files only"),
        RepoError::Config { .. } => told("correct it with `git config`"),
        RepoError::NotInTreeEncoding { .. } => told("convert it, or have the attribute corrected"),
        RepoError::Io { .. } => told("check that it is there and may be read"),
        RepoError::BadRules { .. } => told("remove it, or put a small file in its place"),
        RepoError::Program { command, output } => {
            let fact = format!("`git {command}` failed");
            Explanation::of(error.reason(), fact, "put right what it says, then send the request again")
                .with_output(output)
        }
        RepoError::IndexLocked { .. } | RepoError::RefLocked { .. } => told(
            "wait for it; if no git runs here any more (`ps` shows them), one that was killed left that: remove it, then \
             send the edit again",
        ),
        RepoError::InTheWay(_) => told("give the file another path, or remove the one in its way from git"),
        RepoError::Git { .. } => told("run `git fsck`, which may tell more"),
    }
}
