//! What is wanted, free of any dialect.
//!
//! Owns the meaning of a request. Does not know the keys of any format (that is `dialect/`) nor the disk.
//! Invariants: a [`Request`] names at least one file, and no file twice; an [`Edit`] changes something.

use crate::code::Reason;
use crate::id::{BlobId, CommitId};
use crate::path::{PathError, RepoPath};
use crate::strategy::Level;
use crate::text::Encoding;
use bstr::BString;

/// A request format that some agent harness speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Dialect {
    /// redraft's own, a superset of the standard `Edit` and `MultiEdit`.
    Standard,
    /// Claude Code's `MultiEdit` and `Edit`.
    ClaudeCode,
    /// claude-code-open's `MultiEdit`.
    ClaudeCodeOpen,
    /// opencode's `edit`.
    OpenCode,
    /// codex's `apply_patch`.
    ApplyPatch,
    /// A unified diff, with numbers or without.
    UnifiedDiff,
    /// SEARCH/REPLACE blocks, as aider, Cline and Roo have them.
    SearchReplace,
    /// Anthropic's text editor tool.
    TextEditor,
    /// gemini-cli's `replace` and `write_file`.
    Gemini,
    /// Line numbers of a text that a fingerprint names.
    Lines,
}

impl Dialect {
    /// Every dialect, in the order of the protocol's table.
    pub const ALL: [Self; 10] = [
        Self::Standard,
        Self::ClaudeCode,
        Self::ClaudeCodeOpen,
        Self::OpenCode,
        Self::ApplyPatch,
        Self::UnifiedDiff,
        Self::SearchReplace,
        Self::TextEditor,
        Self::Gemini,
        Self::Lines,
    ];

    /// The name that `--dialect` takes.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Standard => "standard",
            Self::ClaudeCode => "claude-code",
            Self::ClaudeCodeOpen => "claude-code-open",
            Self::OpenCode => "opencode",
            Self::ApplyPatch => "apply-patch",
            Self::UnifiedDiff => "unified-diff",
            Self::SearchReplace => "search-replace",
            Self::TextEditor => "text-editor",
            Self::Gemini => "gemini",
            Self::Lines => "lines",
        }
    }
}

/// How the edits of one file see each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Mode {
    /// Every edit matches the original text.
    #[default]
    Original,
    /// Each edit sees the result of the one before.
    Sequence,
}

/// Where the edit is recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum RecordKind {
    /// In redraft's own history.
    #[default]
    History,
    /// In the history, and as a git commit.
    Commit,
    /// In the history, and as a git stash entry.
    Stash,
    /// Nowhere.
    None,
}

impl RecordKind {
    /// The name on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::History => "history",
            Self::Commit => "commit",
            Self::Stash => "stash",
            Self::None => "none",
        }
    }

    /// The kind with this name on the wire.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::History, Self::Commit, Self::Stash, Self::None].into_iter().find(|kind| kind.as_str() == name)
    }
}

/// Who asks.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Agent {
    /// Of the harness or tool.
    pub name: Option<String>,
    /// Of the language model.
    pub model: Option<String>,
    /// One conversation or run; receipts of reads belong to it.
    pub session: Option<String>,
    /// One prompt of a person in that session.
    pub turn: Option<String>,
    /// Which agent below the one that the person talks to; none for that one.
    pub subagent: Option<String>,
    /// The tool call.
    pub call_id: Option<String>,
}

impl Agent {
    /// The same, with what is known otherwise where it is silent.
    #[must_use]
    pub fn or(&self, known: &Self) -> Self {
        let pick = |own: &Option<String>, known: &Option<String>| own.clone().or_else(|| known.clone());
        Self {
            name: pick(&self.name, &known.name),
            model: pick(&self.model, &known.model),
            session: pick(&self.session, &known.session),
            turn: pick(&self.turn, &known.turn),
            subagent: pick(&self.subagent, &known.subagent),
            call_id: pick(&self.call_id, &known.call_id),
        }
    }
}

/// A path as the caller gave it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum PathArg {
    /// Relative to the root.
    Relative(RepoPath),
    /// Absolute, where the dialect takes that; it must turn out to lie inside the root.
    Absolute(BString),
}

impl PathArg {
    /// As the caller gave it; bytes that are not UTF-8 become U+FFFD.
    pub fn to_string_lossy(&self) -> String {
        match self {
            Self::Relative(path) => path.to_string_lossy(),
            Self::Absolute(path) => path.to_string(),
        }
    }

    /// This path relative to `root` (absolute, normalised, without a slash at its end).
    ///
    /// # Errors
    /// Where it lies outside, or is no path of a file inside; see [`PathError`].
    pub fn resolve(&self, roots: &[BString]) -> Result<RepoPath, PathError> {
        match self {
            Self::Relative(path) => Ok(path.clone()),
            Self::Absolute(raw) => roots
                .iter()
                .find_map(|root| raw.strip_prefix(&root[..])?.strip_prefix(b"/"))
                .map_or_else(|| Err(PathError::Outside(raw.clone())), RepoPath::new),
        }
    }
}

/// What a hunk of a patch says of its place; its old text is whole lines.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub struct Anchor {
    /// Lines that stand before it, each behind the one before it, without their endings.
    pub behind: Vec<Vec<u8>>,
    /// Whether those lines must be there, and the hunk behind them; else they choose among places.
    pub must_be_behind: bool,
    /// The 1-based number of its first line, where the hunks before it are applied; chooses among exact places.
    pub line: Option<usize>,
    /// First and last of the lines that it takes the place of, whatever they hold, 1-based; none of them where the last is
    /// before the first.
    pub lines: Option<(usize, usize)>,
    /// Whether it stands at the beginning of the file.
    pub is_first: bool,
    /// Whether it stands at the end of the file.
    pub last: Last,
    /// Whether it stands behind the hunks of its section before it, where that decides between places.
    pub in_order: bool,
    /// Whether its last newline is one that the file has, and its new text is written as it was sent.
    pub ends_exactly: bool,
    /// Hunks with the same number stand in one section of the patch.
    pub section: usize,
}

/// Whether a hunk stands at the end of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Last {
    /// It may stand anywhere.
    #[default]
    Anywhere,
    /// It stands there, if it fits there.
    Preferred,
    /// It stands there, or exactly at its number.
    UnlessNumbered,
    /// The same, but where it would fit at both nobody knows which is meant.
    UnlessNumberedAlone,
}

impl Anchor {
    /// Of a hunk behind those before it.
    pub(crate) fn in_order() -> Self {
        Self { in_order: true, ..Self::default() }
    }
}

/// One old/new pair.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    old: Vec<u8>,
    new: Vec<u8>,
    /// What is known of its place; none where the old text alone decides.
    anchor: Option<Box<Anchor>>,
    /// Replace every occurrence instead of the one.
    pub replace_all: bool,
    /// 1-based; breaks a tie among exact places only.
    pub line: Option<usize>,
    /// How many replacements the caller expects of this edit.
    pub expected_replacements: Option<usize>,
}

/// Why a pair is no edit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EditError {
    /// Old and new text are the same.
    #[error("the old and the new text are the same, so there is nothing to change")]
    SameText,
    /// The old text is empty.
    #[error("the old text is empty")]
    EmptyOldString,
}

impl EditError {
    /// The finer cause.
    pub fn reason(self) -> Reason {
        match self {
            Self::SameText => Reason::SameText,
            Self::EmptyOldString => Reason::EmptyOldString,
        }
    }
}

impl Edit {
    /// A single replacement of `old` by `new`.
    ///
    /// # Errors
    /// Where `old` is empty, or the same as `new` (CRLF and LF alike, as matching ignores their difference).
    pub fn new(old: impl Into<Vec<u8>>, new: impl Into<Vec<u8>>) -> Result<Self, EditError> {
        let (old, new) = (old.into(), new.into());
        if old.is_empty() {
            return Err(EditError::EmptyOldString);
        }
        if crate::text::to_lf(&old) == crate::text::to_lf(&new) {
            return Err(EditError::SameText);
        }
        Ok(Self { old, new, anchor: None, replace_all: false, line: None, expected_replacements: None })
    }

    /// A hunk of a patch: whole lines, which may be none (it only adds), or stay as they are (it only looks).
    pub(crate) fn hunk(old: Vec<u8>, new: Vec<u8>, anchor: Anchor) -> Self {
        let anchor = Some(Box::new(anchor));
        Self { old, new, anchor, replace_all: false, line: None, expected_replacements: None }
    }

    /// These lines, whatever they hold; an end before the start inserts before it.
    pub(crate) fn at_lines(first: usize, last: usize, new: Vec<u8>) -> Self {
        Self::hunk(Vec::new(), new, Anchor { lines: Some((first, last)), ..Anchor::default() })
    }

    /// What a hunk of a patch says of its place; none of a plain edit.
    pub(crate) fn anchor(&self) -> Option<&Anchor> {
        self.anchor.as_deref()
    }

    /// The same, of every occurrence instead of the one.
    #[must_use]
    pub fn everywhere(mut self) -> Self {
        self.replace_all = true;
        self
    }

    /// The same, of a file in this encoding: a character that it has as another one is that one.
    #[must_use]
    pub fn as_read_in(&self, encoding: Encoding) -> Self {
        let read = |text: &[u8]| match std::str::from_utf8(text) {
            Ok(text) => encoding.canonical(text).into_bytes(),
            Err(_) => text.to_vec(),
        };
        let (old, new) = (read(&self.old), read(&self.new));
        if old == new { self.clone() } else { Self { old, new, ..self.clone() } }
    }

    /// The text to replace; not empty, unless it is a hunk's.
    pub fn old(&self) -> &[u8] {
        &self.old
    }

    /// What it becomes.
    pub fn new_text(&self) -> &[u8] {
        &self.new
    }
}

/// What is to happen to one file.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum FileChange {
    /// Replace texts in a file that exists.
    Modify(Vec<Edit>),
    /// Make a file, then apply the edits to its contents (claude-code's way; empty elsewhere).
    Create {
        /// Before the edits.
        content: Vec<u8>,
        /// Whether a file that exists is replaced.
        overwrite: bool,
        /// Applied to the contents in sequence.
        edits: Vec<Edit>,
    },
    /// Remove the file.
    Delete,
    /// Move the file, perhaps with edits (matched against its text before).
    Rename {
        /// The new path; nothing may be there.
        to: PathArg,
        /// May be empty.
        edits: Vec<Edit>,
    },
}

/// What the caller believes of a file; each part holds by itself.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Expectation {
    /// Modification time, milliseconds since 1970-01-01 UTC, rounded down.
    pub mtime_ms: Option<i64>,
    /// Size in bytes.
    pub size_bytes: Option<u64>,
    /// The git blob id of the raw bytes.
    pub blob: Option<BlobId>,
    /// All of the text, CRLF and LF alike.
    pub text: Option<Vec<u8>>,
    /// The tag of four digits of the text that `redraft read --fingerprint` tells.
    pub tag: Option<String>,
}

/// One file of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct FileRequest {
    /// Which file.
    pub path: PathArg,
    /// What is to happen to it.
    pub change: FileChange,
    /// Checked before anything is written.
    pub expected: Expectation,
    /// What the file is in, where nothing in it and nothing of git's tells it.
    pub encoding: Option<Encoding>,
    /// Whether it is to be executable; where nothing is said, it stays as it is.
    pub executable: Option<bool>,
}

impl FileRequest {
    /// The edits, whatever the kind of change.
    pub fn edits(&self) -> &[Edit] {
        match &self.change {
            FileChange::Modify(edits) | FileChange::Create { edits, .. } | FileChange::Rename { edits, .. } => edits,
            FileChange::Delete => &[],
        }
    }
}

/// What is to be done with the files that a request names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Wish {
    /// What each of them says.
    #[default]
    Change,
    /// The newest edit of the file is to be undone.
    Undo,
    /// The file is to be shown: these lines of it, 1-based, both included; all of it where there are none.
    View(Option<(usize, usize)>),
}

/// What the caller wants.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Request {
    /// The format it came in.
    pub dialect: Dialect,
    /// At least one; in the caller's order.
    pub files: Vec<FileRequest>,
    /// What is to be done with them.
    pub wish: Wish,
    /// How edits of one file see each other.
    pub mode: Mode,
    /// How loosely old texts are matched; `None` where the request is silent.
    pub level: Option<Level>,
    /// Compute and show, write nothing.
    pub dry_run: bool,
    /// Refuse paths that differ from HEAD.
    pub require_clean: bool,
    /// Refuse edits of what this session has not read; `None` where the request is silent.
    pub require_read: Option<bool>,
    /// Refuse edits whose new text contains another edit's old text (claude-code-open).
    pub refuse_nested: bool,
    /// The git commit that HEAD must be.
    pub expected_head: Option<CommitId>,
    /// Where to record; `None` where the request is silent.
    pub record: Option<RecordKind>,
    /// For the record.
    pub message: Option<String>,
    /// For the record.
    pub agent: Agent,
    /// Makes sending the request again harmless.
    pub request_id: Option<String>,
}

impl Request {
    /// A request in which everything but the files is as silence means it.
    pub fn new(dialect: Dialect, files: Vec<FileRequest>) -> Self {
        Self {
            dialect,
            files,
            wish: Wish::default(),
            mode: Mode::default(),
            level: None,
            dry_run: false,
            require_clean: false,
            require_read: None,
            refuse_nested: false,
            expected_head: None,
            record: None,
            message: None,
            agent: Agent::default(),
            request_id: None,
        }
    }

    /// The number of edits, over all files.
    pub fn edit_count(&self) -> usize {
        self.files.iter().map(|file| file.edits().len()).sum()
    }
    /// Edits of one file that exists.
    ///
    /// # Errors
    /// Where `path` is none of a file below the root.
    pub fn edit(path: impl AsRef<[u8]>, edits: impl IntoIterator<Item = Edit>) -> Result<Self, PathError> {
        Self::of_file(path, FileChange::Modify(edits.into_iter().collect()))
    }

    /// A new file.
    ///
    /// # Errors
    /// Where `path` is none of a file below the root.
    pub fn create(path: impl AsRef<[u8]>, content: impl Into<Vec<u8>>) -> Result<Self, PathError> {
        Self::of_file(path, FileChange::Create { content: content.into(), overwrite: false, edits: Vec::new() })
    }

    /// A file that goes.
    ///
    /// # Errors
    /// Where `path` is none of a file below the root.
    pub fn delete(path: impl AsRef<[u8]>) -> Result<Self, PathError> {
        Self::of_file(path, FileChange::Delete)
    }

    /// A file that moves, with edits of its text before, or none.
    ///
    /// # Errors
    /// Where a path is none of a file below the root.
    pub fn rename(
        from: impl AsRef<[u8]>,
        to: impl AsRef<[u8]>,
        edits: impl IntoIterator<Item = Edit>,
    ) -> Result<Self, PathError> {
        let to = PathArg::Relative(RepoPath::new(to.as_ref())?);
        Self::of_file(from, FileChange::Rename { to, edits: edits.into_iter().collect() })
    }

    /// The files of another request, too: all or none. What else that one says does not count.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        self.files.extend(other.files);
        self
    }

    fn of_file(path: impl AsRef<[u8]>, change: FileChange) -> Result<Self, PathError> {
        let path = PathArg::Relative(RepoPath::new(path.as_ref())?);
        Ok(Self::new(
            Dialect::Standard,
            vec![FileRequest { path, change, expected: Expectation::default(), encoding: None, executable: None }],
        ))
    }
}
