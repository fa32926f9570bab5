//! Paths inside the root: normalised, POSIX, relative, bytes.
//!
//! Owns what a path may look like. Does not look at the disk: symlinks, nested repositories and kinds of files are
//! the business of `worktree/`.
//! Invariant of [`RepoPath`]: not empty, no NUL, no empty, `.` or `..` component, none that git would take for `.git`.

use crate::code::Reason;
use bstr::{BStr, BString, ByteSlice};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::fmt;

/// A path relative to the root of the working tree.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RepoPath(BString);

/// Why bytes are not a [`RepoPath`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PathError {
    /// Nothing was given, or only `.`.
    #[error("the path is empty")]
    Empty,
    /// The path is the root itself, where a part of the tree is wanted.
    #[error("the path is the root of the working tree")]
    Root,
    /// The path starts at the root of the file system.
    #[error("path {0:?} is absolute")]
    Absolute(BString),
    /// The path goes up by `..`.
    #[error("path {0:?} goes up by \"..\", which may lead outside the root")]
    Outside(BString),
    /// The path has a NUL byte.
    #[error("path {0:?} contains a NUL byte, which no file name has")]
    Nul(BString),
    /// The path ends in a slash.
    #[error("path {0:?} ends in a slash")]
    Directory(BString),
    /// A component that git or a file system takes for `.git`.
    #[error("path {0:?} reaches into git's own files by its component {1:?}, which redraft never edits")]
    GitInternals(BString, BString),
}

impl PathError {
    /// The finer cause.
    pub fn reason(&self) -> Reason {
        match self {
            Self::Empty | Self::Root | Self::Nul(_) => Reason::BadPath,
            Self::Absolute(_) => Reason::AbsolutePath,
            Self::Outside(_) => Reason::OutsideRoot,
            Self::Directory(_) => Reason::Directory,
            Self::GitInternals(..) => Reason::GitInternals,
        }
    }

    /// The path as it was given; none where there was none.
    pub fn path(&self) -> Option<&BStr> {
        match self {
            Self::Empty | Self::Root => None,
            Self::Absolute(path)
            | Self::Outside(path)
            | Self::Nul(path)
            | Self::Directory(path)
            | Self::GitInternals(path, _) => Some(path.as_bstr()),
        }
    }
}

impl RepoPath {
    /// Normalises `raw`: drops `.` components and doubled slashes; `..` is refused wherever it stands.
    ///
    /// # Errors
    /// Where the result would not be a file below the root; see [`PathError`].
    pub fn new(raw: &[u8]) -> Result<Self, PathError> {
        let shown = || BString::from(raw);
        if raw.contains(&0) {
            return Err(PathError::Nul(shown()));
        }
        if raw.first() == Some(&b'/') {
            return Err(PathError::Absolute(shown()));
        }
        let mut parts: Vec<&[u8]> = Vec::new();
        for part in raw.split_str("/") {
            match part {
                b"" | b"." => {}
                b".." => {
                    return Err(PathError::Outside(shown()));
                }
                _ => {
                    if is_git_internal(part) {
                        return Err(PathError::GitInternals(shown(), part.into()));
                    }
                    parts.push(part);
                }
            }
        }
        if parts.is_empty() {
            return Err(PathError::Empty);
        }
        if raw.ends_with(b"/") || raw.ends_with(b"/.") {
            return Err(PathError::Directory(shown()));
        }
        Ok(Self(bstr::join("/", parts).into()))
    }

    /// The bytes of the path.
    pub fn as_bstr(&self) -> &BStr {
        self.0.as_bstr()
    }

    /// For a person or JSON: bytes that are not UTF-8 become U+FFFD.
    pub fn to_string_lossy(&self) -> String {
        self.0.to_str_lossy().into_owned()
    }

    /// For the operating system.
    ///
    /// # Panics
    /// Never on Unix; on Windows only for bytes that are not UTF-8, which cannot have come from there.
    pub fn to_path(&self) -> std::path::PathBuf {
        self.0.to_path_lossy().into_owned()
    }

    /// The components, outermost first.
    pub fn components(&self) -> impl Iterator<Item = &BStr> {
        self.0.split_str("/").map(ByteSlice::as_bstr)
    }

    /// The last component.
    pub fn file_name(&self) -> &BStr {
        self.0.rsplit_once_str("/").map_or(self.0.as_bstr(), |(_, name)| name.as_bstr())
    }

    /// The path of the directory, or `None` where it is the root itself.
    pub fn parent(&self) -> Option<Self> {
        self.0.rsplit_once_str("/").map(|(parent, _)| Self(parent.into()))
    }

    /// Whether this path lies below the directory `prefix`, at any depth.
    pub fn is_below(&self, prefix: &Self) -> bool {
        self.0.strip_prefix(&prefix.0[..]).is_some_and(|rest| rest.starts_with(b"/"))
    }

    /// This path below the directory `prefix`.
    #[must_use]
    pub fn below(&self, prefix: Option<&Self>) -> Self {
        match prefix {
            Some(prefix) => Self(bstr::join("/", [&prefix.0[..], &self.0[..]]).into()),
            None => self.clone(),
        }
    }
}

impl fmt::Debug for RepoPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

impl fmt::Display for RepoPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

/// A string where the path is UTF-8, an array of bytes where it is not: for redraft's own files, not for answers.
impl Serialize for RepoPath {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.to_str() {
            Ok(text) => serializer.serialize_str(text),
            Err(_) => serializer.collect_seq(self.0.iter()),
        }
    }
}

impl<'de> Deserialize<'de> for RepoPath {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Form {
            Text(String),
            Bytes(Vec<u8>),
        }
        let bytes = match Form::deserialize(deserializer)? {
            Form::Text(text) => text.into_bytes(),
            Form::Bytes(bytes) => bytes,
        };
        Self::new(&bytes).map_err(de::Error::custom)
    }
}

/// Whether git, on any of the file systems it knows, takes this name for `.git`.
///
/// The rules are git's own (`is_ntfs_dotgit`, `is_hfs_dotgit` in its `path.c` and `utf8.c`), as gix-validate has them; a
/// backslash parts names as well, as in git's `verify_path` with `core.protectNTFS`.
fn is_git_internal(name: &[u8]) -> bool {
    let options =
        gix_validate::path::component::Options { protect_windows: false, protect_hfs: true, protect_ntfs: true };
    let is_git = |part: &[u8]| {
        !matches!(part, b"" | b"." | b"..") && gix_validate::path::component(part.as_bstr(), None, options).is_err()
    };
    name.split_str("\\").any(is_git)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(raw: &str, want: &str) {
        assert_eq!(RepoPath::new(raw.as_bytes()).map(|p| p.to_string()).as_deref(), Ok(want));
    }

    #[test]
    fn paths_are_normalised() {
        check("a", "a");
        check("./a//b/./c.rs", "a/b/c.rs");
        check(".gitignore", ".gitignore");
        check(".github/x", ".github/x");
        check("a\\b", "a\\b");
    }

    #[test]
    fn a_path_is_shown_on_one_line_where_that_is_asked_for() {
        assert_eq!(format!("{:?}", RepoPath::new(b"a/b\nc\xff").expect("a path")), r#""a/b\nc\xff""#);
    }

    #[test]
    fn git_is_recognised_in_every_disguise() {
        for name in [
            ".git",
            ".GIT",
            ".git.",
            ".git ",
            "git~1",
            "GIT~1",
            ".git::$INDEX_ALLOCATION",
            ".g\u{200c}it",
            ".git/config",
            "x/.Git/y",
            ".git\\hooks\\x",
            "git~1\\x",
            "sub\\.git",
            "sub\\.GIT .\\x",
        ] {
            assert!(matches!(RepoPath::new(name.as_bytes()), Err(PathError::GitInternals(..))), "{name}");
        }
    }

    #[test]
    fn what_is_no_file_below_the_root_is_refused() {
        let reason = |raw: &str| RepoPath::new(raw.as_bytes()).expect_err(raw).reason();
        assert_eq!(reason(""), Reason::BadPath);
        assert_eq!(reason("."), Reason::BadPath);
        assert_eq!(reason("/etc/passwd"), Reason::AbsolutePath);
        assert_eq!(reason("../x"), Reason::OutsideRoot);
        assert_eq!(reason("a/../b"), Reason::OutsideRoot);
        assert_eq!(reason("a/"), Reason::Directory);
        assert_eq!(reason("a\0b"), Reason::BadPath);
    }
}
