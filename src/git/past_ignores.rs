//! Which files rules of git's ignored that are other ones now: a file that was there, and that nobody saw, is not made by who changes them.
//!
//! Owns matching texts of `.gitignore` files that stand nowhere any more. Says nothing of what is tracked, or of rules that are as they were.
//! Invariant: what one of the texts ignores is ignored, whatever another one says of it: in doubt it was there.

use crate::path::RepoPath;
use gix::glob::pattern::Case;
use gix::ignore::Search;
use gix::ignore::search::Ignore;
use std::path::{Path, PathBuf};

/// Below this, as an absolute path, the patterns are matched.
const ROOT: &str = "/";

/// What `.gitignore` files said.
#[derive(Default)]
pub struct PastIgnores(Vec<Search>);

impl PastIgnores {
    /// Adds what a file said; one that cannot be taken says nothing.
    pub fn add(&mut self, file: &RepoPath, text: &[u8]) {
        let mut rules = Search::default();
        let source: PathBuf = Path::new(ROOT).join(file.to_path());
        if rules.add_patterns_buffer(text, source, Some(Path::new(ROOT)), Ignore::default()).is_ok() {
            self.0.push(rules);
        }
    }

    /// Whether one of them ignored a file, or a folder that it is in.
    pub fn ignored(&self, path: &RepoPath) -> bool {
        let ignores = |rules: &Search, path: &RepoPath, is_folder: bool| {
            let found = rules.pattern_matching_relative_path(path.as_bstr(), Some(is_folder), Case::Sensitive);
            found.is_some_and(|found| !found.pattern.is_negative())
        };
        self.0.iter().any(|rules| {
            let folders = std::iter::successors(path.parent(), RepoPath::parent);
            ignores(rules, path, false) || folders.into_iter().any(|folder| ignores(rules, &folder, true))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(name: &str) -> RepoPath {
        RepoPath::new(name.as_bytes()).expect("a path")
    }

    #[test]
    fn what_a_text_ignored_was_ignored_below_its_folder_alone() {
        let mut past = PastIgnores::default();
        assert!(!past.ignored(&path(".env")));
        past.add(&path(".gitignore"), b"# secrets\n.env\n/out/\n*.log\n!keep.log\n");
        past.add(&path("sub/.gitignore"), b"/own\n");
        for ignored in [".env", "a/.env", "out/x/y", "a/b.log", "sub/own", "sub/own/x"] {
            assert!(past.ignored(&path(ignored)), "{ignored}");
        }
        for seen in ["env", "a/out/x", "out", "keep.log", "own", "sub/a/own", "# secrets"] {
            assert!(!past.ignored(&path(seen)), "{seen}");
        }
    }
}
