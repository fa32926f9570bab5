//! The configuration as git itself lists it, for what git and gix read differently.
//!
//! Owns which configurations those are: names of sections or keys of an `include` in another case, conditions on the git
//! directory in a linked worktree or under another spelling of the current directory, and `core` keys without a value. There
//! git is asked once (git-config(1), `--list`), and what it says is all that counts.

use super::RepoError;
use crate::env::Env;
use bstr::{BStr, BString, ByteSlice};
use gix::config::file::Metadata;
use gix::config::{File, KeyRef, Source};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Whether git may read this configuration otherwise than gix.
pub(super) fn may_differ(env: &Env, git: &gix::Repository) -> bool {
    let is_condition_differing = || git.git_dir() != git.common_dir() || is_spelled_otherwise(env);
    let config = git.config_snapshot();
    let differs = |section: gix::config::file::SectionRef<'_>| {
        let name = section.header().name().to_str_lossy().into_owned();
        let is_lower = || section.value_names().all(|key| key == "path");
        match name.to_ascii_lowercase().as_str() {
            "include" => name != "include" || !is_lower(),
            "includeif" => name != "includeIf" || !is_lower() || is_condition_differing(),
            _ => false,
        }
    };
    has_core_without_value(config.plumbing()) || config.plumbing().sections().any(differs)
}

/// Whether a key of `core` stands there without a value, which is a yes to git, and sometimes nothing to gix.
pub(super) fn has_core_without_value(config: &File) -> bool {
    let mut sections = config.sections_by_name("core").into_iter().flatten();
    sections.any(|section| section.value_names().any(|key| section.value_implicit(&key) == Some(None)))
}

/// Git matches conditions with the current directory as the shell spells it, too.
fn is_spelled_otherwise(env: &Env) -> bool {
    let shell = env.variable("PWD").map(Path::new);
    shell.is_some_and(|shell| shell != env.cwd())
        || std::fs::canonicalize(env.cwd()).ok().is_none_or(|real| real != env.cwd())
}

/// Every setting, in git's order: the most specific last.
pub(super) struct Listed {
    /// What git printed.
    text: Vec<u8>,
    /// What names of files are relative to.
    root: PathBuf,
}

/// One of them.
struct Setting<'a> {
    /// As `--show-scope` says it.
    scope: &'a BStr,
    /// As `--show-origin` says it.
    origin: &'a BStr,
    key: &'a BStr,
    value: &'a BStr,
}

impl Listed {
    /// Asks git, from the directory of `env`, about the repository that gix found there.
    ///
    /// # Errors
    /// Where git cannot be run, or cannot read its configuration.
    pub(super) fn read(env: &Env, git: &gix::Repository) -> Result<Self, RepoError> {
        let mut command = Command::new("git");
        command.args(["config", "--list", "-z", "--show-scope", "--show-origin"]).current_dir(env.cwd());
        env.lay_on(&mut command);
        let failed = |source| RepoError::Io { verb: "run", path: "git".into(), source };
        let listed = command.output().map_err(failed)?;
        if listed.status.success() {
            return Ok(Self { text: listed.stdout, root: git.workdir().unwrap_or(env.cwd()).to_owned() });
        }
        let output = listed.stderr.to_str_lossy().trim_end().to_owned();
        Err(RepoError::Program { command: "config".to_owned(), output })
    }

    fn settings(&self) -> impl Iterator<Item = Setting<'_>> {
        let mut words = self.text.split(|&byte| byte == 0);
        std::iter::from_fn(move || {
            let (scope, origin, entry) = (words.next()?, words.next()?, words.next()?);
            // A key without a value is a yes.
            let (key, value) = entry.split_once_str("\n").unwrap_or((entry, b"true"));
            let [scope, origin, key, value] = [scope, origin, key, value].map(BStr::new);
            Some(Setting { scope, origin, key, value })
        })
    }

    /// As gix takes settings from its caller, but for keys that it could not take apart, and for includes, which git has followed.
    pub(super) fn overrides(&self) -> Vec<BString> {
        let is_include = |key: &BStr| key.starts_with(b"include.") || key.starts_with(b"includeif.");
        let taken = self.settings().filter(|setting| !setting.key.contains(&b'=') && !is_include(setting.key));
        taken.map(|setting| [setting.key.as_bytes(), b"=", setting.value.as_bytes()].concat().into()).collect()
    }

    /// As a configuration that knows where each setting stands; with the includes, so that it is known to depend on other files.
    ///
    /// # Errors
    /// Where gix cannot take one.
    pub(super) fn config(&self) -> Result<File, RepoError> {
        let failed = || RepoError::git("read the configuration");
        let mut config = File::default();
        for setting in self.settings() {
            let Some(key) = KeyRef::parse_unvalidated(setting.key) else { continue };
            let mut part = File::new(self.meta(&setting));
            part.section_mut_or_create_new(key.section_name, key.subsection_name)
                .and_then(|mut section| section.push(key.value_name, Some(setting.value)).map(drop))
                .map_err(failed())?;
            config.append(part).map_err(failed())?;
        }
        Ok(config)
    }

    fn meta(&self, setting: &Setting<'_>) -> Metadata {
        let source = match setting.scope.as_bytes() {
            b"system" => Source::System,
            b"global" => Source::User,
            b"local" => Source::Local,
            b"worktree" => Source::Worktree,
            _ => Source::Cli,
        };
        let meta = Metadata::from(source);
        match setting.origin.strip_prefix(b"file:").and_then(|path| path.to_path().ok()) {
            Some(path) => meta.at(self.root.join(path)),
            None => meta,
        }
    }
}
