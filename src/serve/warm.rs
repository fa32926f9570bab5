//! Working trees that are kept open between the calls for them.
//!
//! Owns how long: as long as nothing that one was made from has changed, and the calls come from the same surroundings. What that
//! is says `git/freshness.rs`.

use crate::env::Env;
use crate::git::{Fingerprint, RepoError};
use crate::usecase::upkeep::checkpoint_near;
use crate::workspace::Workspace;

/// Calls for one tree come from so many directories of it, at most, without its being opened anew.
const MOST: usize = 4;

/// What one thread keeps of its tree; the one that was used last comes last.
#[derive(Default)]
pub struct Warm(Vec<Kept>);

struct Kept {
    workspace: Workspace,
    /// None where it cannot be told whether it is stale.
    fingerprint: Option<Fingerprint>,
}

impl Kept {
    fn open(env: &Env) -> Result<Self, RepoError> {
        let opened_ns = env.clock().now().as_nanosecond();
        let workspace = Workspace::discover(env)?;
        let fingerprint = workspace.repo().fingerprint(opened_ns);
        Ok(Self { workspace, fingerprint })
    }

    fn is_fresh(&self) -> bool {
        self.fingerprint.as_ref().is_some_and(Fingerprint::holds)
    }
}

impl Warm {
    /// Does for the tree that was used last what its callers would wait for later.
    pub fn look_after(&self) {
        let kept = self.0.last().filter(|kept| kept.is_fresh());
        // What fails now is told by the call that it is due with.
        _ = kept.map(|kept| checkpoint_near(&kept.workspace));
    }

    /// The working tree that holds the directory of `env`, as it is now.
    ///
    /// # Errors
    /// As [`Workspace::discover`].
    pub fn workspace(&mut self, env: &Env) -> Result<&Workspace, RepoError> {
        let known = self.0.iter().position(|kept| kept.workspace.env().is_like(env));
        let known = known.map(|at| self.0.remove(at)).filter(Kept::is_fresh);
        let mut kept = match known {
            Some(kept) => kept,
            None => Kept::open(env)?,
        };
        kept.workspace.refresh();
        kept.workspace.set_env(env);
        if self.0.len() == MOST {
            self.0.remove(0);
        }
        self.0.push(kept);
        Ok(&self.0[self.0.len() - 1].workspace)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::TestRepo;
    use std::time::Duration;

    /// The working tree is opened as its repository was so long ago that its files do not count as just changed.
    fn settled() -> (TestRepo, Env) {
        let repo = TestRepo::with_files(&[("a", "a\n")]);
        let env = Env::in_dir(repo.root()).expect("absolute");
        std::thread::sleep(Duration::from_millis(150));
        (repo, env)
    }

    fn address(warm: &mut Warm, env: &Env) -> bool {
        warm.workspace(env).expect("it opens");
        warm.0.last().expect("kept").is_fresh()
    }

    #[test]
    fn a_tree_is_kept_until_its_configuration_index_or_repository_changes() {
        let (repo, env) = settled();
        let mut warm = Warm::default();
        assert!(address(&mut warm, &env), "nothing changes");
        for change in [
            "git config redraft.deny secret",
            "git config --unset redraft.deny",
            "git pack-refs --all",
            "touch b; git add b",
            "git gc -q",
            "mv .git .git2; git init -q .",
        ] {
            warm.workspace(&env).expect("it opens");
            let mut shell = std::process::Command::new("sh");
            assert!(
                shell.args(["-c", change]).current_dir(repo.root()).status().is_ok_and(|done| done.success()),
                "{change}"
            );
            assert!(!warm.0[0].is_fresh(), "{change}");
            std::thread::sleep(Duration::from_millis(150));
            assert!(address(&mut warm, &env), "opened anew: {change}");
        }
    }

    #[test]
    fn what_the_configuration_says_is_what_it_says_now() {
        let (repo, env) = settled();
        let mut warm = Warm::default();
        for n in 0..20 {
            repo.git(&["config", "redraft.deny", &format!("secret{n}")]);
            let settings = format!("{:?}", warm.workspace(&env).expect("it opens").settings().expect("fits").deny);
            assert!(settings.contains(&format!("secret{n}")), "{n}: {settings}");
        }
    }

    #[test]
    fn configuration_that_includes_other_files_is_read_each_time() {
        let (repo, env) = settled();
        repo.git(&["config", "include.path", "../other"]);
        std::thread::sleep(Duration::from_millis(150));
        let mut warm = Warm::default();
        assert!(!address(&mut warm, &env));
    }
}
