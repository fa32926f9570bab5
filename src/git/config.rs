//! Git's configuration: system, global, local, worktree, command line, environment; the most specific last.

use super::{Repo, RepoError};
use bstr::{BString, ByteSlice};
use gix::config::Source;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

impl Repo {
    /// Whether any configuration has the section `name`: one look instead of one for every key.
    pub fn has_config_section(&self, name: &str) -> bool {
        self.config.sections_by_name(name).is_some_and(|mut sections| sections.next().is_some())
    }

    /// The last value of `key`, such as `redraft.record`.
    pub fn config_string(&self, key: &str) -> Option<BString> {
        self.config.string(key)
    }

    /// All values of `key` in order, the most specific last.
    pub fn config_strings(&self, key: &str) -> Vec<BString> {
        self.config.strings(key).unwrap_or_default()
    }

    /// The names that the section `name` has in all configuration, as they are written; `sub.name` for one in a subsection.
    pub fn config_names(&self, name: &str) -> Vec<String> {
        let sections = self.config.sections_by_name(name).into_iter().flatten();
        let names = sections.flat_map(|section| {
            let below = section.header().subsection_name().map_or(String::new(), |below| format!("{below}."));
            section.value_names().map(|name| format!("{below}{name}")).collect::<Vec<_>>()
        });
        names.collect()
    }

    /// The last value of `key` as git reads a boolean.
    ///
    /// # Errors
    /// [`RepoError::Config`] where it is none.
    pub fn config_bool(&self, key: &str) -> Result<Option<bool>, RepoError> {
        self.config.boolean(key).map_err(|_| self.bad_value(key, "true or false"))
    }

    /// The last value of `key` as git reads an integer, with its suffixes `k`, `m` and `g`.
    ///
    /// # Errors
    /// [`RepoError::Config`] where it is none.
    pub fn config_integer(&self, key: &str) -> Result<Option<i64>, RepoError> {
        self.config.integer(key).map_err(|_| self.bad_value(key, "a whole number"))
    }

    /// The last value of `key` as git reads a path, `~` and `%(prefix)` resolved.
    ///
    /// # Errors
    /// [`RepoError::Git`] where it is none.
    pub fn config_path(&self, key: &str) -> Result<Option<std::path::PathBuf>, RepoError> {
        if self.config.string(key).is_none() {
            return Ok(None);
        }
        self.gix()?.config_snapshot().trusted_path(key).map_err(RepoError::git("read a path of the configuration"))
    }

    /// Whether it is a clone that lacks objects on purpose (`git clone --filter`).
    pub(super) fn is_partial(&self) -> bool {
        self.config_string("extensions.partialClone").is_some()
    }

    fn bad_value(&self, key: &str, wanted: &'static str) -> RepoError {
        let value = self.config_string(key).unwrap_or_default();
        RepoError::Config { key: key.to_owned(), value: value.to_str_lossy().into_owned(), wanted }
    }
}

/// One value of the configuration, and where it stands.
#[derive(Debug, Clone)]
pub struct ConfigEntry {
    /// As it is written: `section.sub.name`.
    pub key: String,
    /// As it is written; of a name without a value, `true`.
    pub value: BString,
    /// Which of git's files it is, as `git config --show-scope` says it.
    pub scope: &'static str,
    /// None where it is of the environment or the command line.
    pub file: Option<PathBuf>,
}

impl Repo {
    /// All configuration, the most specific last.
    pub fn config_entries(&self) -> Vec<ConfigEntry> {
        let entries = self.config.sections().flat_map(|section| {
            let (header, meta) = (section.header(), section.meta());
            let below = header.subsection_name().map_or(String::new(), |below| format!("{below}."));
            let names: BTreeSet<String> = section.value_names().collect();
            let entries = names.into_iter().flat_map(|name| {
                let key = format!("{}.{below}{name}", header.name());
                let values = section.values(&name);
                // Of several with one name only the last can be told from an empty one.
                let is_alone = values.len() <= 1 && section.value_implicit(&name) == Some(None);
                let values = if is_alone { vec!["true".into()] } else { values };
                let entry = move |value| ConfigEntry {
                    key: key.clone(),
                    value,
                    scope: scope(meta.source),
                    file: meta.path.clone(),
                };
                values.into_iter().map(entry)
            });
            entries.collect::<Vec<_>>()
        });
        entries.collect()
    }

    /// The files of the user and of the machine from which git takes settings, also those that are not there (git-config(1), FILES).
    pub fn outer_config_files(&self) -> Vec<PathBuf> {
        if !self.env.has_user_configuration() {
            return Vec::new();
        }
        let named = |name: &str| self.env.variable(name).map(|path| self.env.cwd().join(path));
        let home = self.env.variable("HOME").filter(|home| !home.is_empty());
        let own = || home.map(|home| Path::new(home).join(".gitconfig")).into_iter().chain(self.user_file("config"));
        let of_user = named("GIT_CONFIG_GLOBAL").map_or_else(|| own().collect(), |path| vec![path]);
        let of_machine = named("GIT_CONFIG_SYSTEM").unwrap_or_else(|| PathBuf::from("/etc/gitconfig"));
        of_user.into_iter().chain([of_machine]).collect()
    }
}

/// In git's words.
fn scope(source: Source) -> &'static str {
    match source {
        Source::GitInstallation | Source::System => "system",
        Source::Git | Source::User => "global",
        Source::Local => "local",
        Source::Worktree => "worktree",
        Source::Env | Source::Cli | Source::Api | Source::EnvOverride => "command",
    }
}

/// The settings that `git -c key=value` hands to the programs it starts, as `key=value` each.
///
/// Git's own quoting (`sq_quote` in its quote.c): words in single quotes, `\'` and `\!` outside of them; either
/// `'key=value'` or `'key'='value'`. Reads what it understands and drops a malformed rest, as nothing else can be done.
pub(super) fn parameters(raw: &[u8]) -> Vec<BString> {
    let mut out = Vec::new();
    let mut word: Option<BString> = None;
    let mut quoted = false;
    let mut bytes = raw.iter().copied();
    while let Some(byte) = bytes.next() {
        match (quoted, byte) {
            (_, b'\'') => {
                quoted = !quoted;
                word.get_or_insert_default();
            }
            (false, b' ') => out.extend(word.take()),
            (false, b'\\') => word.get_or_insert_default().extend(bytes.next()),
            (_, byte) => word.get_or_insert_default().push(byte),
        }
    }
    if !quoted {
        out.extend(word);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_of_the_command_line_are_unquoted_as_git_quoted_them() {
        let got = parameters(br"'core.x=a b' 'core.y'='it'\''s' 'core.flag'");
        assert_eq!(got, ["core.x=a b", "core.y=it's", "core.flag"]);
        assert_eq!(parameters(b""), Vec::<BString>::new());
        assert_eq!(parameters(b"'core.x=1' 'core.y"), ["core.x=1"]);
    }
}
