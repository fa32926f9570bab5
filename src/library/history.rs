//! What was done: the log, one record, who wrote a line, what is in flight.

use super::Error;
use crate::change::ChangeKind;
use crate::history::{
    BlamedLine, Effect, FileEffect, History, HistoryError, Item, LogQuery, Logged, Status, blame, commits_of,
    file_diff, status,
};
use crate::id::{BlobId, CommitId, RecordId};
use crate::path::RepoPath;
use crate::record::{Record, RecordClass};
use crate::usecase::read::{file_of, text_of};
use crate::workspace::Workspace;

/// A record of the history.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Entry {
    /// 16 letters.
    pub id: RecordId,
    /// Milliseconds since 1970-01-01 UTC.
    pub time_ms: i64,
    /// What sort of entry.
    pub kind: RecordClass,
    /// The agent's name.
    pub agent: Option<String>,
    /// Its language model.
    pub model: Option<String>,
    /// Its session.
    pub session: Option<String>,
    /// The prompt of a person in that session.
    pub turn: Option<String>,
    /// Which agent below the one that the person talks to.
    pub subagent: Option<String>,
    /// The tool call.
    pub call_id: Option<String>,
    /// Of the request.
    pub message: Option<String>,
    /// The git commits that hold lines of it now, oldest first.
    pub commits: Vec<CommitId>,
    /// The records that it inverts.
    pub undoes: Vec<RecordId>,
    /// The newest undo in force, where nothing of it is left.
    pub undone_by: Option<RecordId>,
    /// At least one.
    pub files: Vec<EntryFile>,
    /// Whether it was made in this working tree, not in another one or in another clone.
    pub is_own: bool,
}

/// One file of a record.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct EntryFile {
    /// Where it is afterwards (for a deletion: where it was).
    pub path: RepoPath,
    /// Where it was, for a rename.
    pub from: Option<RepoPath>,
    /// What happened.
    pub change: ChangeKind,
    /// Git blob id of the raw bytes before; none where there was no file.
    pub before: Option<BlobId>,
    /// Git blob id of the raw bytes after; none where there is no file.
    pub after: Option<BlobId>,
    /// Whether all of the change is still in force.
    pub is_in_force: bool,
}

/// A record with its diffs.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Shown {
    /// The record.
    pub entry: Entry,
    /// The unified diff of each of its files; empty where the texts are not kept.
    pub diffs: Vec<String>,
}

impl Entry {
    fn of((item, record): (&Item, &Record), effect: &Effect, commits: Vec<CommitId>) -> Self {
        let meta = &record.meta;
        let files = record.files.iter().zip(&effect.files).map(|(file, effect)| EntryFile {
            path: file.path.clone(),
            from: file.from.clone(),
            change: file.change,
            before: file.before,
            after: file.after,
            is_in_force: *effect == FileEffect::InForce,
        });
        Self {
            id: record.id.clone(),
            time_ms: record.time_ms,
            kind: record.kind,
            agent: meta.agent.clone(),
            model: meta.model.clone(),
            session: meta.session.clone(),
            turn: meta.turn.clone(),
            subagent: meta.subagent.clone(),
            call_id: meta.call_id.clone(),
            message: meta.message.clone(),
            commits,
            undoes: meta.undoes.clone(),
            undone_by: effect.undone_by().cloned(),
            files: files.collect(),
            is_own: item.is_own,
        }
    }
}

impl Workspace {
    /// The records that fit, newest first.
    ///
    /// # Errors
    /// Where the history cannot be read.
    ///
    /// ```
    #[doc = include_str!("example_repository.txt")]
    /// # let workspace = redraft::Workspace::open(&redraft::Env::in_dir(&root)?)?;
    /// # use redraft::{Edit, Request};
    /// # let mut request = Request::edit("greeting.txt", [Edit::new("world", "moon")?])?;
    /// request.agent.name = Some("claude".to_owned());
    /// workspace.edit(&request, &Default::default())?;
    /// let mut query = redraft::LogQuery::default();
    /// query.selection.agent = Some("claude".to_owned());
    /// let log = workspace.log(&query)?;
    /// assert_eq!(log[0].files[0].path.to_string_lossy(), "greeting.txt");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn log(&self, query: &LogQuery) -> Result<Vec<Entry>, Error> {
        self.refresh();
        self.entries(query).map_err(Error::of)
    }

    /// One record with its diffs, by its id, the unique beginning of that, or `@` (the newest), `@-`, `@-2`.
    ///
    /// # Errors
    /// Where the name is of no record, or of several.
    ///
    /// ```
    #[doc = include_str!("example_repository.txt")]
    /// # let workspace = redraft::Workspace::open(&redraft::Env::in_dir(&root)?)?;
    /// # use redraft::{Edit, Request};
    /// # let request = Request::edit("greeting.txt", [Edit::new("world", "moon")?])?;
    /// # workspace.edit(&request, &Default::default())?;
    /// assert!(workspace.show("@")?.diffs[0].contains("-world\n+moon\n"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn show(&self, name: &str) -> Result<Shown, Error> {
        self.refresh();
        self.shown(name).map_err(Error::of)
    }

    /// Who wrote each line of a file of the working tree: a record, a git commit, or nobody known.
    ///
    /// # Errors
    /// Where there is no such file, or the history cannot be read.
    ///
    /// ```
    #[doc = include_str!("example_repository.txt")]
    /// # let workspace = redraft::Workspace::open(&redraft::Env::in_dir(&root)?)?;
    /// # use redraft::{Edit, Request};
    /// # let request = Request::edit("greeting.txt", [Edit::new("world", "moon")?])?;
    /// # workspace.edit(&request, &Default::default())?;
    /// let lines = workspace.blame("greeting.txt")?;
    /// assert!(lines[0].record.is_none() && lines[1].record.is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn blame(&self, path: &str) -> Result<Vec<BlamedLine>, Error> {
        self.refresh();
        self.blamed(path).map_err(Error::of)
    }

    /// What is in flight, and what agents changed since HEAD, undone or not.
    ///
    /// # Errors
    /// Where the history cannot be read.
    ///
    /// ```
    #[doc = include_str!("example_repository.txt")]
    /// # let workspace = redraft::Workspace::open(&redraft::Env::in_dir(&root)?)?;
    /// # use redraft::{Edit, Request};
    /// # let request = Request::edit("greeting.txt", [Edit::new("world", "moon")?])?;
    /// # workspace.edit(&request, &Default::default())?;
    /// assert_eq!(workspace.status()?.agent_changes[0].path, "greeting.txt");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn status(&self) -> Result<Status, Error> {
        self.refresh();
        let history = History::open(self.repo()).map_err(Error::of)?;
        status(&history, &|path| file_of(self, path)).map_err(Error::of)
    }

    fn entries(&self, query: &LogQuery) -> Result<Vec<Entry>, HistoryError> {
        let history = History::open(self.repo())?;
        let entry = |one: Logged| Entry::of((&one.item, &one.item.record), &one.effect, one.commits);
        query.run(&history)?.map(|one| one.map(entry)).collect()
    }

    fn shown(&self, name: &str) -> Result<Shown, HistoryError> {
        let history = History::open(self.repo())?;
        let (item, effect) = history.find_with_effect(name)?;
        let record = history.full(&item)?;
        let commits = commits_of(&history, [&item]).pop().unwrap_or_default();
        let entry = Entry::of((&item, &record), &effect, commits);
        let mut diffs = Vec::with_capacity(record.files.len());
        for (n, file) in record.files.iter().enumerate() {
            diffs.push(file_diff(file, &history.texts(&item, &record, n)?).text);
        }
        Ok(Shown { entry, diffs })
    }

    fn blamed(&self, path: &str) -> Result<Vec<BlamedLine>, crate::error::Error> {
        let path = RepoPath::new(path.as_bytes())?;
        let text = text_of(self, &path)?;
        Ok(blame(&History::open(self.repo())?, &path, &text)?)
    }
}
