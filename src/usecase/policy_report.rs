//! The rules in force: each value of `redraft.*`, where it stands, and what it comes to in this working tree.
//!
//! Owns what is told of them. Changes nothing, and decides nothing: what a rule means stands in `policy/`.

use crate::error::Error;
use crate::flow::Flow;
use crate::git::{ConfigEntry, DeadPattern, Index, Patterns, Reach, Repo};
use crate::path::RepoPath;
use crate::policy::{KEYS, Key, Settings, Values};
use crate::workspace::Workspace;
use crate::worktree::{WorktreeError, place_of};
use bstr::ByteSlice;
use serde::Serialize;
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// Everything that `redraft status --policy` says.
#[derive(Debug, Serialize)]
pub struct PolicyReport {
    /// Every value, and every default where there is none; in the order of keys, and of one key the one that counts last.
    pub rules: Vec<Rule>,
    /// What decides here and lies in the working tree, where an agent may edit it.
    pub in_tree: Vec<InTree>,
    /// How many files of the working tree the patterns were tried on.
    pub files: usize,
    /// Whether these are all.
    pub all_files: bool,
}

/// One value of one key.
#[derive(Debug, Serialize)]
pub struct Rule {
    /// As docs/configuration.md spells it; as it is written where there is no such key.
    pub key: String,
    /// None where there is neither a value nor a default.
    pub value: Option<String>,
    /// `system`, `global`, `local`, `worktree`, `command`, as `git config --show-scope` has them; or `default`.
    pub scope: &'static str,
    /// None for a default, and for what comes from the command line or the environment.
    pub file: Option<String>,
    /// Whether it holds.
    pub standing: Standing,
    /// Of a pattern: the files that it matches.
    pub matches: Option<usize>,
    /// Of a pattern: those where no later pattern of the key matches, too.
    pub decides: Option<usize>,
    /// Of a pattern that no path can match.
    pub why: Option<String>,
}

/// Whether a value holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// It does.
    InForce,
    /// A later one of the same key counts.
    Overruled,
    /// No path can match it.
    Dead,
    /// Nothing reads it.
    UnknownKey,
}

/// Something that decides, and that an agent may edit unless a rule forbids it.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct InTree {
    /// The key that names it; `include` for a file of configuration, `hook` for a hook that leads into the tree.
    pub named_by: String,
    /// From the root of the working tree.
    pub path: String,
    /// Whether an agent may edit it, as far as it is a file that `redraft.deny` and `redraft.allow` decide on, and none that
    /// the git directory leads to.
    pub editable: bool,
}

/// More files than these the patterns are not tried on.
const MOST_FILES: usize = 200_000;

/// Reads the configuration, and looks at the working tree.
///
/// # Errors
/// Where the configuration cannot be read, or the index.
pub fn policy_report(workspace: &Workspace) -> Result<PolicyReport, Error> {
    let (repo, settings) = (workspace.repo(), workspace.settings()?);
    let entries = repo.config_entries();
    let index = repo.read_index(&repo.index_path())?;
    let (files, all_files) = files_of(repo, &index);
    let rules = KEYS.iter().flat_map(|key| of_key(key, &entries, (settings, &files)));
    let unknown = entries
        .iter()
        .filter(|entry| is_unknown(&entry.key))
        .map(|entry| Rule { key: entry.key.clone(), ..Rule::of(entry, Standing::UnknownKey) });
    let rules = rules.chain(unknown).collect();
    Ok(PolicyReport { rules, in_tree: in_tree(repo, settings, &entries)?, files: files.len(), all_files })
}

impl Rule {
    fn of(entry: &ConfigEntry, standing: Standing) -> Self {
        Self {
            key: entry.key.clone(),
            value: Some(entry.value.to_str_lossy().into_owned()),
            scope: entry.scope,
            file: entry.file.as_ref().map(|file| real(file).to_string_lossy().into_owned()),
            standing,
            matches: None,
            decides: None,
            why: None,
        }
    }
}

fn is_unknown(key: &str) -> bool {
    let in_section = key.get(..8).is_some_and(|section| section.eq_ignore_ascii_case("redraft."));
    in_section && !KEYS.iter().any(|known| known.name.eq_ignore_ascii_case(key))
}

/// The values of one key, or its default.
fn of_key(key: &Key, entries: &[ConfigEntry], (settings, files): (&Settings, &BTreeSet<RepoPath>)) -> Vec<Rule> {
    let entries: Vec<_> = entries.iter().filter(|entry| entry.key.eq_ignore_ascii_case(key.name)).collect();
    let Some((last, before)) = entries.split_last() else {
        let value = key.default.map(str::to_owned);
        let name = key.name.to_owned();
        let (scope, standing) = ("default", Standing::InForce);
        return vec![Rule { key: name, value, scope, file: None, standing, matches: None, decides: None, why: None }];
    };
    let named = |rule: Rule| Rule { key: key.name.to_owned(), ..rule };
    if key.values == Values::Patterns {
        let patterns = settings.patterns(key);
        return of_patterns(&entries, patterns, files).into_iter().map(named).collect();
    }
    let earlier = if key.values == Values::Last { Standing::Overruled } else { Standing::InForce };
    let rules = before.iter().map(|entry| Rule::of(entry, earlier));
    rules.chain([Rule::of(last, Standing::InForce)]).map(named).collect()
}

fn of_patterns(entries: &[&ConfigEntry], patterns: &Patterns, files: &BTreeSet<RepoPath>) -> Vec<Rule> {
    let mut reach = patterns.texts().zip(patterns.reach(files.iter())).peekable();
    let rule = |entry: &&ConfigEntry| {
        // What is no pattern at all has no place among them.
        let found = reach.next_if(|(text, _)| *text == entry.value).map_or(Reach::default(), |(_, reach)| reach);
        let dead = DeadPattern::of(&entry.value);
        let standing = if dead.is_some() { Standing::Dead } else { Standing::InForce };
        Rule {
            matches: Some(found.matches),
            decides: Some(found.decides),
            why: dead.map(|why| why.to_string()),
            ..Rule::of(entry, standing)
        }
    };
    entries.iter().map(rule).collect()
}

/// The files below the root and those of the index; other repositories are not looked into.
fn files_of(repo: &Repo, index: &Index) -> (BTreeSet<RepoPath>, bool) {
    let mut files: BTreeSet<RepoPath> = index.paths().take(MOST_FILES).collect();
    let mut folders = vec![repo.root().to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().filter_map(Result::ok) {
            let path = entry.path();
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                let is_other = path.join(".git").exists() || path == repo.git_dir() || path == repo.common_dir();
                if entry.file_name() != ".git" && !is_other {
                    folders.push(path);
                }
                continue;
            }
            files.extend(below(repo.root(), &path));
            if files.len() >= MOST_FILES {
                return (files, false);
            }
        }
    }
    (files, true)
}

/// A path from the root; none where it does not lie below it, or is git's own.
fn below(root: &Path, path: &Path) -> Option<RepoPath> {
    RepoPath::new(<[u8]>::from_path(path.strip_prefix(root).ok()?)?).ok()
}

/// What decides and lies in the tree: hooks, configuration that is included, programs that the configuration names.
fn in_tree(repo: &Repo, settings: &Settings, entries: &[ConfigEntry]) -> Result<Vec<InTree>, Error> {
    let mut found: BTreeSet<(String, RepoPath)> = BTreeSet::new();
    let mut put = |named_by: &str, path: &Path| {
        let path = real(path);
        let is_git = path.starts_with(repo.git_dir()) || path.starts_with(repo.common_dir());
        found.extend(below(repo.root(), &path).filter(|_| !is_git).map(|path| (named_by.to_owned(), path)));
    };
    let hooks = repo.hooks()?;
    let (folder, by_key) = (hooks.folder(), repo.config_path("core.hooksPath")?.is_some());
    put(if by_key { "core.hooksPath" } else { "hook" }, folder);
    for hook in std::fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok) {
        if hook.file_type().is_ok_and(|kind| kind.is_symlink()) {
            put("hook", &hook.path());
        }
    }
    repo.outer_config_files().iter().for_each(|file| put("include", file));
    let home = repo.env().variable("HOME");
    for entry in entries {
        entry.file.iter().for_each(|file| put("include", &repo.root().join(file)));
        // Also what is not there yet: who makes it decides.
        included((repo.root(), home), entry).iter().for_each(|file| put("include", file));
        if names_a_program(&entry.key) {
            programs(repo.root(), &entry.value).iter().for_each(|path| put(spelled(&entry.key), path));
        }
    }
    let root = Flow::open_root_of(repo, settings)?;
    // What a symlink in the git directory leads to is git's, and no rule opens it.
    let is_editable = |path: &RepoPath| {
        let is_git = matches!(root.place(path), Err(WorktreeError::GitInternals(_)));
        !is_git && crate::policy::check::policy(settings, path).is_ok()
    };
    let told = |(named_by, path): (String, RepoPath)| InTree {
        named_by,
        editable: is_editable(&path),
        path: path.to_string_lossy(),
    };
    Ok(found.into_iter().map(told).collect())
}

/// Without symlinks and detours, also where nothing is there yet.
fn real(path: &Path) -> PathBuf {
    place_of(path).unwrap_or_else(|| path.to_owned())
}

/// The file that a setting includes, as git finds it: from the folder of the file that says so.
fn included((root, home): (&Path, Option<&OsStr>), entry: &ConfigEntry) -> Option<PathBuf> {
    let key = entry.key.to_ascii_lowercase();
    let includes = key == "include.path" || (key.starts_with("includeif.") && key.ends_with(".path"));
    if !includes || entry.value.is_empty() {
        return None;
    }
    if let Some(named) = entry.value.strip_prefix(b"~/") {
        return Some(Path::new(home?).join(named.to_path_lossy()));
    }
    // Whose home that is, is not looked up.
    if entry.value.starts_with(b"~") {
        return None;
    }
    Some(root.join(entry.file.as_ref()?).parent()?.join(entry.value.to_path_lossy()))
}

/// A key as docs/configuration.md has it; another one as it is written.
fn spelled(key: &str) -> &str {
    KEYS.iter().find(|known| known.name.eq_ignore_ascii_case(key)).map_or(key, |known| known.name)
}

/// Whether git or redraft runs what a key says.
fn names_a_program(key: &str) -> bool {
    let key = key.to_ascii_lowercase();
    let (section, name) = (key.split('.').next().unwrap_or_default(), key.rsplit('.').next().unwrap_or_default());
    match section {
        "redraft" => name == "verify",
        "core" => matches!(name, "fsmonitor" | "sshcommand" | "editor" | "pager" | "askpass" | "attributesfile"),
        "sequence" => name == "editor",
        "gpg" => name == "program",
        "filter" => matches!(name, "clean" | "smudge" | "process"),
        "diff" => matches!(name, "command" | "textconv" | "external"),
        "merge" => name == "driver",
        "credential" => name == "helper",
        "alias" => true,
        _ => false,
    }
}

/// The words of a command that are files below the root.
fn programs(root: &Path, command: &[u8]) -> Vec<PathBuf> {
    let is_between =
        |c: char| c.is_whitespace() || matches!(c, '\'' | '"' | ';' | '&' | '|' | '(' | ')' | '!' | '<' | '>');
    let command = command.to_str_lossy();
    let words = command.split(is_between).filter(|word| !word.is_empty() && !word.starts_with('-'));
    words.map(|word| root.join(word)).filter(|path| path.is_file()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_included_by_the_two_keys_of_git_and_from_the_folder_of_the_file_that_says_so() {
        let of = |key: &str, value: &str, file: Option<&str>| {
            let file = file.map(PathBuf::from);
            included(
                (Path::new("/tree"), Some(OsStr::new("/home"))),
                &ConfigEntry { key: key.into(), value: value.into(), scope: "local", file },
            )
        };
        let config = Some(".git/config");
        for key in ["include.path", "Include.Path", "includeIf.gitdir:/x/.path", "includeif.onbranch:a.b.path"] {
            assert_eq!(of(key, "../more", config), Some(PathBuf::from("/tree/.git/../more")), "{key}");
        }
        for key in ["core.path", "include.paths", "includeif.gitdir:/x/.other", "core.editor", "xinclude.path"] {
            assert_eq!(of(key, "../more", config), None, "{key}");
        }
        assert_eq!(of("include.path", "/other/more", config), Some(PathBuf::from("/other/more")));
        assert_eq!(of("include.path", "~/more", config), Some(PathBuf::from("/home/more")));
        assert_eq!(of("include.path", "~other/more", config), None);
        assert_eq!(of("include.path", "", config), None);
        assert_eq!(of("include.path", "more", None), None);
    }
}
