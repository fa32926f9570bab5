//! Edits: a request in, what was done out.

use super::Error;
use crate::answer::{Data, EditData, Envelope, FileData, RecordData, Status};
use crate::change::{ChangeKind, PathState};
use crate::dialect::{self, NativeAnswer};
use crate::git_record::GitOptions;
use crate::id::BlobId;
use crate::path::RepoPath;
use crate::request::{Dialect, Mode, RecordKind, Request};
use crate::strategy::Level;
use crate::usecase::{self, Ask, Overrides, Place, Programs, Reply};
use crate::workspace::Workspace;
use std::path::PathBuf;
use std::time::Duration;

/// What goes before a request's own words and the configuration; silent by default.
#[derive(Clone, Default)]
#[non_exhaustive]
pub struct EditOptions<'a> {
    /// The format of the bytes, where their shape does not tell.
    pub dialect: Option<Dialect>,
    /// Only show what would be done.
    pub dry_run: bool,
    /// Whether every edit matches the original text, or each the result of the one before.
    pub mode: Option<Mode>,
    /// How loosely old texts are matched.
    pub level: Option<Level>,
    /// Where to record.
    pub record: Option<RecordKind>,
    /// Refuse paths that differ from HEAD.
    pub require_clean: bool,
    /// Refuse files that this session has not read.
    pub require_read: bool,
    /// A smaller sandbox: paths are relative to it, and nothing outside it is touched.
    pub root: Option<PathBuf>,
    /// How long to wait for another redraft.
    pub lock_timeout: Option<Duration>,
    /// A command for the shell that must succeed, or everything is undone.
    pub verify: Option<String>,
    /// How long it may run.
    pub verify_timeout: Option<Duration>,
    /// Ask before writing, whatever the path.
    pub confirm: bool,
    /// Shown the uncut diff, says whether to go on; where there is none, the answer is no.
    pub ask: Option<&'a dyn Fn(&str) -> bool>,
    /// Most lines of the preview; 0 is no limit.
    pub diff_lines: Option<usize>,
    /// Most bytes of the preview; 0 is no limit.
    pub diff_bytes: Option<usize>,
    /// The author of the git commit, as `Name <address>`; the user where it is none. Only with [`RecordKind::Commit`].
    pub author: Option<String>,
    /// Skip git's hooks that may refuse a commit, `pre-commit` and `commit-msg`, as `git commit --no-verify` does.
    pub no_verify: bool,
    /// Put the edit into the stash only, and leave the working tree as it is. Only with [`RecordKind::Stash`], or where
    /// nothing says where to record.
    pub shelve: bool,
    /// Edit the staged versions, and carry the edits to the working tree: made for pre-commit hooks. Not with
    /// [`RecordKind::Commit`] and [`RecordKind::Stash`].
    pub index: bool,
}

impl EditOptions<'_> {
    fn overrides(&self) -> Overrides {
        Overrides {
            dialect: self.dialect,
            dry_run: self.dry_run,
            mode: self.mode,
            level: self.level,
            record: self.record,
            require_clean: self.require_clean,
            require_read: self.require_read,
            root: self.root.clone(),
            lock_timeout: self.lock_timeout,
            verify: self.verify.clone(),
            verify_timeout: self.verify_timeout,
            confirm: self.confirm,
            diff_lines: self.diff_lines,
            diff_bytes: self.diff_bytes,
            git: GitOptions {
                no_verify: self.no_verify,
                author: self.author.clone(),
                shelve: self.shelve,
                index: self.index,
            },
            ..Overrides::default()
        }
    }
}

/// An edit that is done, or in a dry run would be.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Edited {
    /// Whether the files are written; not in a dry run.
    pub applied: bool,
    /// In the order of the request.
    pub files: Vec<EditedFile>,
    /// The record of it; none in a dry run.
    pub record: Option<RecordData>,
    /// The folder of the old files; none where nothing was replaced.
    pub backup: Option<PathBuf>,
    /// A unified diff, within the limits of the options or the configuration.
    pub preview: String,
    /// Whether the preview was cut.
    pub preview_is_cut: bool,
    /// Replacements made, over all files.
    pub replacements: usize,
    /// What the caller should know although it worked.
    pub warnings: Vec<String>,
}

/// One file of an edit.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct EditedFile {
    /// Relative to the root of the working tree.
    pub path: RepoPath,
    /// Where it was before a rename.
    pub from: Option<RepoPath>,
    /// What happened to it.
    pub change: ChangeKind,
    /// Git blob id of the raw bytes before; none where there was no file.
    pub before: Option<BlobId>,
    /// Git blob id of the raw bytes after; none where there is no file.
    pub after: Option<BlobId>,
    /// How it stood against HEAD before the edit; none where there was no file.
    pub state: Option<PathState>,
    /// One per edit that changed something, by its first place.
    pub edits: Vec<EditData>,
}

impl Edited {
    pub(super) fn of(data: Data) -> Result<Self, Error> {
        Ok(Self {
            applied: data.applied,
            files: data.files.into_iter().map(EditedFile::of).collect::<Result<_, _>>()?,
            record: data.record,
            backup: data.backup.map(PathBuf::from),
            preview: data.diff_preview,
            preview_is_cut: data.diff_truncated,
            replacements: data.replacements,
            warnings: data.warnings,
        })
    }
}

impl EditedFile {
    fn of(file: FileData) -> Result<Self, Error> {
        Ok(Self {
            path: RepoPath::new(file.path.as_bytes()).map_err(Error::of)?,
            from: file.from.map(|from| RepoPath::new(from.as_bytes())).transpose().map_err(Error::of)?,
            change: file.change,
            before: file.before,
            after: file.after,
            state: file.state,
            edits: file.edits,
        })
    }
}

/// The answer to a request that came as bytes.
#[derive(Debug)]
pub struct Answer(usecase::Answer);

/// How an answer is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Form {
    /// The standard envelope (docs/protocol.md).
    Envelope,
    /// What the harness of the request's dialect expects.
    Native,
}

impl Answer {
    /// Whether the request was refused, or failed.
    pub fn is_error(&self) -> bool {
        self.0.envelope.status == Status::Error
    }

    /// The standard envelope.
    pub fn envelope(&self) -> &Envelope {
        &self.0.envelope
    }

    /// The answer in one of its forms.
    pub fn text(&self, form: Form) -> String {
        match form {
            Form::Envelope => json(&self.0.envelope),
            Form::Native => match dialect::answer(self.0.dialect, &self.0.envelope, &self.0.native) {
                NativeAnswer::Json(value) => json(&value),
                NativeAnswer::Text(text) => text,
            },
        }
    }
}

fn json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).expect("answers have string keys and no failing serializer")
}

impl Workspace {
    /// Applies a request: all of it, or nothing.
    ///
    /// # Errors
    /// Where an old text is not found, or stands in several places; where a check, the configuration or the system refuses.
    ///
    /// ```
    #[doc = include_str!("example_repository.txt")]
    /// # let workspace = redraft::Workspace::open(&redraft::Env::in_dir(&root)?)?;
    /// use redraft::{Edit, Request};
    /// let request = Request::edit("greeting.txt", [Edit::new("world", "moon")?])?
    ///     .and(Request::create("farewell.txt", "bye\n")?);
    /// let edited = workspace.edit(&request, &Default::default())?;
    /// assert!(edited.applied && edited.files.len() == 2);
    /// assert_eq!(std::fs::read_to_string(root.join("greeting.txt"))?, "hello\nmoon\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn edit(&self, request: &Request, options: &EditOptions<'_>) -> Result<Edited, Error> {
        self.refresh();
        let ask = options.ask.map(|ask| |diff: &str| Reply::from(ask(diff)));
        let ask = ask.as_ref().map(|ask| ask as Ask<'_>);
        let done = usecase::edit::edit(self, request, &options.overrides(), ask).map_err(Error::of)?;
        Edited::of(done.data)
    }

    /// Says what [`Self::edit`] would do, and writes nothing at all.
    ///
    /// # Errors
    /// As [`Self::edit`].
    ///
    /// ```
    #[doc = include_str!("example_repository.txt")]
    /// # let workspace = redraft::Workspace::open(&redraft::Env::in_dir(&root)?)?;
    /// use redraft::{Edit, Reason, Request};
    /// let request = Request::edit("greeting.txt", [Edit::new("mars", "moon")?])?;
    /// let refused = workspace.check(&request, &Default::default()).unwrap_err();
    /// assert_eq!((refused.reason(), refused.edit()), (Reason::NoMatch, Some(0)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn check(&self, request: &Request, options: &EditOptions<'_>) -> Result<Edited, Error> {
        self.edit(request, &EditOptions { dry_run: true, ..options.clone() })
    }

    /// Answers a request that comes as bytes in one of the known formats, whatever happens.
    ///
    /// ```
    #[doc = include_str!("example_repository.txt")]
    /// # let workspace = redraft::Workspace::open(&redraft::Env::in_dir(&root)?)?;
    /// let call = br#"{"path": "greeting.txt", "old_string": "world", "new_string": "moon"}"#;
    /// let answer = workspace.answer(call, &Default::default());
    /// assert!(!answer.is_error(), "{}", answer.text(redraft::Form::Envelope));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn answer(&self, request: &[u8], options: &EditOptions<'_>) -> Answer {
        self.refresh();
        let ask = options.ask.map(|ask| |diff: &str| Reply::from(ask(diff)));
        let place = Place {
            env: self.env(),
            ask: ask.as_ref().map(|ask| ask as Ask<'_>),
            programs: Programs::Run,
            group: None,
        };
        Answer(usecase::edit::answer(Ok(self), self.env().clock().instant(), request, &options.overrides(), &place))
    }
}
