//! Gitignore-style patterns of the configuration, as git matches them.

use crate::path::RepoPath;
use bstr::{BStr, BString, ByteSlice};
use gix::glob::pattern::Case;
use gix::glob::{Pattern, wildmatch};

/// A list of patterns; the last one that matches decides, and `!` takes back.
#[derive(Debug, Clone, Default)]
pub struct Patterns(Vec<(BString, Pattern)>);

impl Patterns {
    /// Reads patterns, the most specific last; what is no pattern (empty, a comment) says nothing.
    pub fn new(values: Vec<BString>) -> Self {
        let read = |value: BString| Pattern::from_bytes(&value).map(|pattern| (value, pattern));
        Self(values.into_iter().filter_map(read).collect())
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The pattern that matches `path` or a directory above it; `None` where none does, or a later `!` takes it back.
    pub fn matching(&self, path: &RepoPath) -> Option<&BStr> {
        let above: Vec<RepoPath> = std::iter::successors(path.parent(), RepoPath::parent).collect();
        let is_match = |pattern: &Pattern| {
            matches(pattern, path, Kind::File) || above.iter().any(|dir| matches(pattern, dir, Kind::Directory))
        };
        let (text, pattern) = self.0.iter().rev().find(|(_, pattern)| is_match(pattern))?;
        (!pattern.is_negative()).then_some(text.as_bstr())
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    File,
    Directory,
}

fn matches(pattern: &Pattern, path: &RepoPath, kind: Kind) -> bool {
    let path = path.as_bstr();
    let name_at = path.rfind_byte(b'/').map(|at| at + 1);
    let mode = wildmatch::Mode::NO_MATCH_SLASH_LITERAL;
    pattern.matches_repo_relative_path(path, name_at, Some(kind == Kind::Directory), Case::Sensitive, mode)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(patterns: &[&str], path: &str, want: Option<&str>) {
        let patterns = Patterns::new(patterns.iter().map(|&p| p.into()).collect());
        let path = RepoPath::new(path.as_bytes()).expect("a path");
        assert_eq!(patterns.matching(&path).map(ToString::to_string).as_deref(), want, "{path}");
    }

    #[test]
    fn patterns_match_as_in_gitignore() {
        check(&["*.pem"], "a/b.pem", Some("*.pem"));
        check(&["/top"], "a/top", None);
        check(&["secrets/"], "x/secrets/y", Some("secrets/"));
        check(&["secrets/"], "x/secrets", None);
        check(&["a/**/z"], "a/b/c/z", Some("a/**/z"));
        check(&["*", "!*.md"], "a.md", None);
        check(&["*", "!*.md"], "a.rs", Some("*"));
    }
}
