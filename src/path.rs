//! Paths inside the root: normalised, POSIX, relative, bytes.
//!
//! Owns what a path may look like. Does not look at the disk: symlinks, nested repositories and kinds of files are
//! the business of `worktree/`.
//! Invariant of [`RepoPath`]: not empty, no NUL, no empty, `.` or `..` component, none that git would take for `.git`.

use crate::code::Reason;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bstr::{BStr, BString, ByteSlice};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::fmt;

/// A path relative to the root of the working tree.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RepoPath(BString);

/// In bytes: what Linux takes for a path, without the zero at its end.
pub const MOST_BYTES: usize = 4095;

/// In bytes: what file systems take for one name.
const MOST_OF_A_NAME: usize = 255;

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
    /// The path goes up by `..`, or is an absolute one that leads elsewhere.
    #[error("path {0:?} {why}", why = why_outside(.0))]
    Outside(BString),
    /// The path has a NUL byte.
    #[error("path {0:?} contains a NUL byte, which no file name has")]
    Nul(BString),
    /// The path ends in a slash.
    #[error("path {0:?} ends in a slash")]
    Directory(BString),
    /// No file system has a path or a name of this length.
    #[error(
        "path {start:?}... of {bytes} bytes is longer than that of any file ({MOST_BYTES} bytes, {MOST_OF_A_NAME} of them for one name)"
    )]
    TooLong {
        /// How it begins.
        start: BString,
        /// The length of all of it.
        bytes: usize,
    },
    /// A component that git or a file system takes for `.git`.
    #[error("path {0:?} reaches into git's own files by its component {1:?}, which redraft never edits")]
    GitInternals(BString, BString),
}

fn why_outside(path: &[u8]) -> &'static str {
    match path.split_str("/").any(|part| part == b"..") {
        true => "goes up by \"..\", which may lead outside the root",
        false => "is outside the root",
    }
}

impl PathError {
    /// The finer cause.
    pub fn reason(&self) -> Reason {
        match self {
            Self::Empty | Self::Root | Self::Nul(_) | Self::TooLong { .. } => Reason::BadPath,
            Self::Absolute(_) => Reason::AbsolutePath,
            Self::Outside(_) => Reason::OutsideRoot,
            Self::Directory(_) => Reason::Directory,
            Self::GitInternals(..) => Reason::GitInternals,
        }
    }

    /// The path as it was given, of one that is too long its start; none where there was none.
    pub fn path(&self) -> Option<&BStr> {
        match self {
            Self::Empty | Self::Root => None,
            Self::TooLong { start, .. } => Some(start.as_bstr()),
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
        refuse_too_long(raw)?;
        Self::of_any_length(raw)
    }

    fn of_any_length(raw: &[u8]) -> Result<Self, PathError> {
        let shown = || BString::from(raw);
        if raw.contains(&0) {
            return Err(PathError::Nul(shown()));
        }
        if raw.first() == Some(&b'/') {
            return Err(PathError::Absolute(shown()));
        }
        let is_dropped = |part: &[u8]| matches!(part, b"" | b".");
        let (mut is_empty, mut is_normal) = (true, true);
        for part in parts_of(raw) {
            match part {
                part if is_dropped(part) => is_normal = false,
                b".." => return Err(PathError::Outside(shown())),
                part if is_git_internal(part) => return Err(PathError::GitInternals(shown(), part.into())),
                _ => is_empty = false,
            }
        }
        if is_empty {
            return Err(PathError::Empty);
        }
        if raw.ends_with(b"/") || raw.ends_with(b"/.") {
            return Err(PathError::Directory(shown()));
        }
        // What was recorded is normal, and there may be very much of it.
        if is_normal {
            return Ok(Self(raw.into()));
        }
        Ok(Self(bstr::join("/", parts_of(raw).filter(|part| !is_dropped(part))).into()))
    }

    /// The bytes of the path.
    pub fn as_bstr(&self) -> &BStr {
        self.0.as_bstr()
    }

    /// For a person or JSON: the path itself where it is UTF-8, and else as git quotes it (`"gr\374n"`), so that no two paths
    /// look the same. A program is told the bytes by [`Self::base64`] beside it.
    pub fn to_string_lossy(&self) -> String {
        match self.0.to_str() {
            Ok(text) => text.to_owned(),
            Err(_) => c_quoted(&self.0, |c| c.is_control() || matches!(c, '"' | '\\')),
        }
    }

    /// The bytes in base64, where the path is not UTF-8 and JSON has no other way to tell it; as requests take it in `path_b64`.
    pub fn base64(&self) -> Option<String> {
        self.0.to_str().is_err().then(|| STANDARD.encode(&self.0))
    }

    /// The same of several, in their order, where one of them is not UTF-8.
    pub fn base64_of_all(paths: &[Self]) -> Option<Vec<Option<String>>> {
        let all: Vec<_> = paths.iter().map(Self::base64).collect();
        all.iter().any(Option::is_some).then_some(all)
    }

    /// The path that [`Self::to_string_lossy`] and [`Self::base64`] tell together; none where they tell none.
    pub fn told(text: &str, base64: Option<&str>) -> Option<Self> {
        let bytes = match base64 {
            Some(base64) => STANDARD.decode(base64).ok()?,
            None => text.as_bytes().to_vec(),
        };
        Self::new(&bytes).ok()
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

    /// This path as it is from the directory `prefix` on; none where it is not below it.
    pub fn from_below(&self, prefix: &Self) -> Option<Self> {
        let rest = self.0.strip_prefix(&prefix.0[..])?.strip_prefix(b"/")?;
        Some(Self(rest.into()))
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

/// As [`RepoPath::to_string_lossy`].
impl fmt::Display for RepoPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_string_lossy())
    }
}

impl AsRef<[u8]> for RepoPath {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

/// Refuses a path of which no file can have the length, before anything is made of it: each folder on its way has a path of its
/// own, so that what is done with very many of them takes the square of the length.
///
/// # Errors
/// [`PathError::TooLong`].
pub fn refuse_too_long(raw: &[u8]) -> Result<(), PathError> {
    refuse_longer_than(MOST_BYTES, raw)
}

fn refuse_longer_than(most: usize, raw: &[u8]) -> Result<(), PathError> {
    const SHOWN: usize = 60;
    if raw.len() <= most && (raw.len() <= MOST_OF_A_NAME || parts_of(raw).all(|name| name.len() <= MOST_OF_A_NAME)) {
        return Ok(());
    }
    Err(PathError::TooLong { start: raw[..raw.len().min(SHOWN)].into(), bytes: raw.len() })
}

fn parts_of(raw: &[u8]) -> impl Iterator<Item = &[u8]> {
    raw.split(|&byte| byte == b'/')
}

/// Bytes in quotes, as git has them with `core.quotePath` off (`quote_c_style` in its `quote.c`): what is special, and what is
/// no UTF-8, stands there as an escape.
pub fn c_quoted(bytes: &[u8], is_special: impl Fn(char) -> bool) -> String {
    let mut out = "\"".to_owned();
    let octal = |out: &mut String, bytes: &[u8]| out.extend(bytes.iter().map(|byte| format!("\\{byte:03o}")));
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '\u{7}' => out.push_str("\\a"),
                '\u{8}' => out.push_str("\\b"),
                '\t' => out.push_str("\\t"),
                '\n' => out.push_str("\\n"),
                '\u{b}' => out.push_str("\\v"),
                '\u{c}' => out.push_str("\\f"),
                '\r' => out.push_str("\\r"),
                '"' | '\\' => out.extend(['\\', c]),
                c if is_special(c) => octal(&mut out, c.encode_utf8(&mut [0; 4]).as_bytes()),
                c => out.push(c),
            }
        }
        octal(&mut out, chunk.invalid());
    }
    out + "\""
}

/// The bytes of which [`c_quoted`] made what a text begins with; what stands behind the closing quote is passed by. None where no such thing
/// is there (`unquote_c_style` in git's `quote.c`).
pub fn c_unquoted(text: &[u8]) -> Option<BString> {
    let mut out = BString::default();
    let mut bytes = text.strip_prefix(b"\"")?.iter().copied();
    loop {
        match bytes.next()? {
            b'"' => return Some(out),
            b'\\' => out.push(match bytes.next()? {
                b'n' => b'\n',
                b't' => b'\t',
                b'r' => b'\r',
                b'a' => 7,
                b'b' => 8,
                b'v' => 11,
                b'f' => 12,
                digit @ b'0'..=b'3' => {
                    let mut value = digit - b'0';
                    for _ in 0..2 {
                        let next = bytes.next().filter(|byte| (b'0'..=b'7').contains(byte))?;
                        value = value.checked_mul(8)?.checked_add(next - b'0')?;
                    }
                    value
                }
                other @ (b'"' | b'\\') => other,
                _ => return None,
            }),
            byte => out.push(byte),
        }
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
        // A backup has its file's path below a folder of its own.
        refuse_longer_than(MOST_BYTES + MOST_OF_A_NAME, &bytes)
            .and_then(|()| Self::of_any_length(&bytes))
            .map_err(de::Error::custom)
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
    name.split(|&byte| byte == b'\\').any(is_git)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(raw: &str, want: &str) {
        assert_eq!(RepoPath::new(raw.as_bytes()).map(|p| p.to_string()).as_deref(), Ok(want));
    }

    #[test]
    fn what_was_quoted_is_read_back_and_half_of_it_is_nothing() {
        let all: Vec<u8> = (0..=255).collect();
        for bytes in [&b""[..], b"plain", b"two words \"and\" \\", "n\u{e9}w\n\t".as_bytes(), &all] {
            for is_special in [char::is_control, |c: char| !c.is_ascii_alphanumeric()] {
                let quoted = c_quoted(bytes, is_special);
                assert_eq!(c_unquoted(quoted.as_bytes()).as_ref().map(|read| read.as_slice()), Some(bytes), "{quoted}");
                assert_eq!(
                    c_unquoted(format!("{quoted} b").as_bytes()).as_ref().map(|read| read.as_slice()),
                    Some(bytes)
                );
                assert_eq!(c_unquoted(&quoted.as_bytes()[..quoted.len() - 1]), None, "{quoted}");
            }
        }
        for wrong in ["", "plain", "\"\\q\"", "\"\\18\"", "\"\\400\""] {
            assert_eq!(c_unquoted(wrong.as_bytes()), None, "{wrong}");
        }
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
    fn a_path_that_is_not_utf_8_is_told_as_git_quotes_it_and_its_bytes_in_base64() {
        let path = RepoPath::new(b"d\xff/gr\xfc \xc3\xa4\n\".txt").expect("a path");
        let (text, base64) = (path.to_string_lossy(), path.base64());
        assert_eq!(text, r#""d\377/gr\374 ä\n\".txt""#);
        assert_eq!(format!("{path}"), text);
        assert_eq!(RepoPath::told(&text, base64.as_deref()), Some(path));
        let plain = RepoPath::new("ä\n\"".as_bytes()).expect("a path");
        assert_eq!((plain.to_string_lossy().as_str(), plain.base64()), ("ä\n\"", None));
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
        let name = |length: usize| "x".repeat(length);
        assert_eq!(reason(&format!("a/{}/b", name(256))), Reason::BadPath);
        check(&format!("a/{}/b", name(255)), &format!("a/{}/b", name(255)));
        let longest = "ab/".repeat(1364) + "abc";
        check(&longest, &longest);
        assert_eq!(reason(&format!("{longest}d")), Reason::BadPath);
    }
}
