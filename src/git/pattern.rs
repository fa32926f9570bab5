//! Gitignore-style patterns of the configuration, as git matches them.

use crate::path::RepoPath;
use bstr::{BStr, BString, ByteSlice};
use gix::glob::pattern::Case;
use gix::glob::{Pattern, wildmatch};

/// A list of patterns; the last one that matches decides, and `!` takes back.
#[derive(Debug, Clone, Default)]
pub struct Patterns {
    patterns: Vec<(BString, Pattern)>,
    case: Letters,
}

/// Whether `a` and `A` are one name: git's `core.ignoreCase`, which it sets where the file system takes them for one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Letters {
    /// Two names.
    #[default]
    Differ,
    /// One name.
    Same,
}

impl Patterns {
    /// Reads patterns, the most specific last; what is no pattern (empty, a comment) says nothing.
    pub fn new(values: Vec<BString>, case: Letters) -> Self {
        let read = |value: BString| Pattern::from_bytes(untrailed(&value)).map(|pattern| (value, pattern));
        Self { patterns: values.into_iter().filter_map(read).collect(), case }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.patterns.is_empty()
    }

    /// The pattern that matches `path` or a directory above it; `None` where none does, or a later `!` takes it back.
    pub fn matching(&self, path: &RepoPath) -> Option<&BStr> {
        let above: Vec<RepoPath> = std::iter::successors(path.parent(), RepoPath::parent).collect();
        let mut patterns = self.patterns.iter().rev();
        let (text, pattern) = patterns.find(|(_, pattern)| self.is_match(pattern, path, &above))?;
        (!pattern.is_negative()).then_some(text.as_bstr())
    }
}

/// What a pattern comes to among some paths.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Reach {
    /// Those that it matches, by themselves or by a directory above them.
    pub matches: usize,
    /// Those of them where it is the last that does, so that it decides.
    pub decides: usize,
}

impl Patterns {
    /// What each pattern comes to among `paths`, in order.
    pub fn reach<'p>(&self, paths: impl Iterator<Item = &'p RepoPath>) -> Vec<Reach> {
        let mut reach = vec![Reach::default(); self.patterns.len()];
        for path in paths {
            let above: Vec<RepoPath> = std::iter::successors(path.parent(), RepoPath::parent).collect();
            let mut is_decided = false;
            for ((_, pattern), reach) in self.patterns.iter().zip(&mut reach).rev() {
                if self.is_match(pattern, path, &above) {
                    reach.matches += 1;
                    reach.decides += usize::from(!is_decided);
                    is_decided = true;
                }
            }
        }
        reach
    }

    /// As they are written, in order.
    pub fn texts(&self) -> impl Iterator<Item = &BStr> {
        self.patterns.iter().map(|(text, _)| text.as_bstr())
    }

    /// `above` are the directories that `path` lies in.
    fn is_match(&self, pattern: &Pattern, path: &RepoPath, above: &[RepoPath]) -> bool {
        matches(pattern, path, Kind::File, self.case)
            || above.iter().any(|dir| matches(pattern, dir, Kind::Directory, self.case))
    }
}

/// Why no path can match a pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum DeadPattern {
    /// It is empty.
    #[error("it is empty")]
    Empty,
    /// A part of it is `.`, `..` or nothing.
    #[error("paths from the root of the working tree have no `.`, `..` or `//` in them")]
    Part,
    /// `[` without `]`.
    #[error("its `[` has no `]`")]
    Bracket,
    /// `{a,b}`.
    #[error("patterns of gitignore have no braces: give one pattern for each")]
    Braces,
    /// A backslash at the end.
    #[error("it ends in a backslash")]
    Backslash,
}

impl DeadPattern {
    /// Why no path can match `pattern`; none where one may.
    pub fn of(pattern: &[u8]) -> Option<Self> {
        let pattern = untrailed(pattern);
        if Pattern::from_bytes(pattern).is_none() {
            return Some(Self::Empty);
        }
        let body = pattern.strip_prefix(b"!").unwrap_or(pattern);
        let body = body.strip_prefix(b"/").unwrap_or(body);
        let body = body.strip_suffix(b"/").unwrap_or(body);
        if body.split_str("/").any(|part| matches!(part, b"" | b"." | b"..")) {
            return Some(Self::Part);
        }
        let mut at = 0;
        while let Some(&byte) = body.get(at) {
            at += match byte {
                b'\\' if at + 1 == body.len() => return Some(Self::Backslash),
                b'\\' => 2,
                b'[' => match class_len(&body[at..]) {
                    Some(length) => length,
                    None => return Some(Self::Bracket),
                },
                b'{' => {
                    let inner = body[at..].split_once_str("}").map(|(inner, _)| inner);
                    if inner.is_some_and(|inner| inner.contains(&b',')) {
                        return Some(Self::Braces);
                    }
                    1
                }
                _ => 1,
            };
        }
        None
    }
}

/// The length of a class such as `[!a-z]`, as git's wildmatch.c reads it; none where it has no end.
fn class_len(pattern: &[u8]) -> Option<usize> {
    let mut at = if matches!(pattern.get(1), Some(b'!' | b'^')) { 2 } else { 1 };
    let first = at;
    loop {
        at += match pattern.get(at)? {
            b']' if at > first => return Some(at + 1),
            b'\\' => 2,
            b'[' if pattern.get(at + 1) == Some(&b':') => pattern[at..].find(b":]")? + 2,
            _ => 1,
        };
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    File,
    Directory,
}

/// A pattern without the spaces at its end, which git leaves out unless a backslash stands before them.
fn untrailed(pattern: &[u8]) -> &[u8] {
    let mut end = 0;
    let mut at = 0;
    while at < pattern.len() {
        let length = if pattern[at] == b'\\' { 2 } else { 1 };
        if pattern[at] != b' ' {
            end = (at + length).min(pattern.len());
        }
        at += length;
    }
    &pattern[..end]
}

fn matches(pattern: &Pattern, path: &RepoPath, kind: Kind, case: Letters) -> bool {
    let path = path.as_bstr();
    let name_at = path.rfind_byte(b'/').map(|at| at + 1);
    let mode = wildmatch::Mode::NO_MATCH_SLASH_LITERAL;
    let case = match case {
        Letters::Differ => Case::Sensitive,
        Letters::Same => Case::Fold,
    };
    pattern.matches_repo_relative_path(path, name_at, Some(kind == Kind::Directory), case, mode)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(patterns: &[&str], path: &str, want: Option<&str>) {
        let patterns = Patterns::new(patterns.iter().map(|&p| p.into()).collect(), Letters::Differ);
        let path = RepoPath::new(path.as_bytes()).expect("a path");
        assert_eq!(patterns.matching(&path).map(ToString::to_string).as_deref(), want, "{path}");
    }

    #[test]
    fn a_pattern_that_nothing_can_match_is_known() {
        use DeadPattern as D;
        for (pattern, why) in [
            ("", D::Empty),
            ("./secret", D::Part),
            ("../secret", D::Part),
            ("a/./b", D::Part),
            ("a//b", D::Part),
            ("/", D::Part),
            ("sec[", D::Bracket),
            ("sec[ret", D::Bracket),
            ("x[]", D::Bracket),
            ("x[[:alpha:]", D::Bracket),
            ("{a,b}", D::Braces),
            ("*.{pem,key}", D::Braces),
            ("!./x", D::Part),
            ("dir\\", D::Backslash),
        ] {
            assert_eq!(DeadPattern::of(pattern.as_bytes()), Some(why), "{pattern}");
        }
        for pattern in [
            "*.pem",
            "/top",
            "secrets/",
            "a/**/z",
            "[a-z]x",
            "[]x]",
            "[!a]",
            "[[:alpha:]]",
            "\\#x",
            "x\\[",
            ".env",
            "{one}",
        ] {
            assert_eq!(DeadPattern::of(pattern.as_bytes()), None, "{pattern}");
        }
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

    #[test]
    fn the_last_pattern_that_matches_decides() {
        let patterns = ["vendor/", "!vendor/a", "*.pem", "none"];
        let patterns = Patterns::new(patterns.iter().map(|&p| p.into()).collect(), Letters::Differ);
        let paths =
            ["vendor/a", "vendor/b", "vendor/c.pem", "d"].map(|path| RepoPath::new(path.as_bytes()).expect("a path"));
        let reach: Vec<_> = patterns.reach(paths.iter()).iter().map(|reach| (reach.matches, reach.decides)).collect();
        assert_eq!(reach, [(3, 1), (1, 1), (1, 1), (0, 0)]);
    }
}
