//! A new repository.
//!
//! Owns its making, by git itself. Does not open it.

use super::RepoError;
use crate::env::Env;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Makes the directory of `env` a repository with a branch `main`, and nothing of anybody's templates in it.
///
/// # Errors
/// Where git cannot be run, or fails.
pub fn init(env: &Env) -> Result<(), RepoError> {
    let mut command = Command::new("git");
    env.lay_on(&mut command);
    command.args(["-c", "init.defaultBranch=main", "init", "--quiet", "--template="]).arg(env.cwd());
    command.current_dir(env.cwd()).stdin(Stdio::null());
    let run = command.output();
    let output = run.map_err(|source| RepoError::Io { verb: "run", path: PathBuf::from("git"), source })?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr).trim_end().to_owned();
    Err(RepoError::Program { command: "init".to_owned(), output: said })
}
