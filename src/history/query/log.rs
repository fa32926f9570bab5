//! What `log` asks for, and a record as it is told: one JSON object, documented in docs/history.md.
//!
//! Owns the filters and the wire form of a record.

use crate::change::{ChangeKind, PathState};
use crate::history::error::HistoryError;
use crate::history::in_force::{Effect, FileEffect};
use crate::history::query::commits::{Look, brings_lines_of_its_own, commits_and_look};
use crate::history::query::earlier_names::{earlier_names_of, names_until_commits};
use crate::history::query::hunks::file_diff;
use crate::history::query::moved_files::{is_as_ever, moved_files};
use crate::history::query::search::{Change, Pattern};
use crate::history::range::{Between, Place};
use crate::history::reader::{History, Item, Scope};
use crate::history::review_marks::ReviewMark;
use crate::history::selection::{Selection, Shared, Wanted};
use crate::history::store::index_file::Filter;
use crate::history::utc::utc;
use crate::history::warning::HistoryWarning;
use crate::id::{BlobId, CommitId, RecordId};
use crate::path::RepoPath;
use crate::record::{Observed, RecordClass};
use crate::record::{Record, RecordFile, RecordedTexts, SpliceList, SpliceRange, TextsKept};
use crate::strategy::Strategy;
use crate::text::Encoding;
use bstr::ByteSlice;
use serde::Serialize;
use std::collections::{HashSet, VecDeque};

/// So many records are looked at together at first, so that the first page comes soon. Then ever more, where each look asks git for all
/// commits since the oldest of them; where it does not, few need less memory.
const AT_FIRST: usize = 64;
const AT_ONCE: usize = 1 << 14;

/// Which records are wanted; silence wants all of this worktree.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct LogQuery {
    /// Those of all worktrees and clones.
    pub scope: Scope,
    /// Those that touched one of these files, or something below one of these directories.
    pub paths: Vec<RepoPath>,
    /// By whom, and from when on; with them those of which another call may be the author.
    pub selection: Selection,
    /// Not newer, milliseconds since 1970-01-01 UTC.
    pub until_ms: Option<i64>,
    /// Whose message or subject has one of these; all where empty.
    pub patterns: Vec<Pattern>,
    /// Whose changes of files at these paths have all of these.
    pub changes: Vec<Change>,
    /// Of which one of these git commits holds lines.
    pub commits: Option<HashSet<CommitId>>,
    /// Only between these two.
    pub between: Option<Between>,
    /// Of one of these sorts; all where empty.
    pub kinds: Vec<RecordClass>,
    /// At most so many.
    pub limit: Option<usize>,
    /// What its files were called before, in records; or until a git commit, whatever is there now. Changes are searched at its paths alone.
    pub(crate) earlier: Vec<(RepoPath, Option<CommitId>)>,
}

/// A record as the log has it.
#[derive(Debug)]
pub struct Logged {
    /// The record.
    pub item: Item,
    /// What of it is in force.
    pub effect: Effect,
    /// The git commits that hold lines of it, oldest first.
    pub commits: Vec<CommitId>,
    /// Whether a person has looked at it.
    pub mark: Option<ReviewMark>,
}

impl LogQuery {
    /// Takes in what the files at its paths were called, when they were recorded, where somebody moved them without redraft since.
    pub fn with_earlier_names(mut self, history: &History<'_>) -> Self {
        let by_records = earlier_names_of(history, &self.paths).unwrap_or_else(|error| {
            history.warn(HistoryWarning::Unreadable(error));
            Vec::new()
        });
        // Into a folder one may have been moved at any time.
        if !self.paths.iter().all(|path| is_as_ever(history, path)) {
            let is_meant = |today: &RepoPath| self.paths.iter().any(|path| today == path || today.is_below(path));
            let moved = moved_files(history).iter().filter(|(_, moved)| is_meant(&moved.today));
            let earlier: Vec<RepoPath> = moved.map(|(name, _)| name.clone()).collect();
            let by_commits = names_until_commits(history, &self.paths);
            self.earlier.extend(by_commits.into_iter().map(|(name, commit)| (name, Some(commit))));
            self.paths.extend(earlier);
        }
        self.earlier.extend(by_records.into_iter().map(|name| (name, None)));
        self
    }

    /// Which records have to be met.
    fn met(&self) -> Wanted {
        if self.between.is_some() {
            Wanted::All
        } else if self.paths.is_empty() {
            Wanted::Meant
        } else {
            let paths = self.paths.iter().chain(self.earlier.iter().map(|(name, _)| name));
            Wanted::Passing(Filter::of(paths.map(|path| path.as_bstr().as_bytes())))
        }
    }

    /// Whether a record did something to one of its files.
    fn is_of_its_files(&self, history: &History<'_>, record: &Record) -> bool {
        let has = |path: &RepoPath| record.files.iter().any(|file| file.is_at(path));
        let is_behind = |commit: &CommitId| {
            record
                .meta
                .base
                .is_some_and(|base| base != *commit && history.repo().merge_base(base, *commit) == Some(base))
        };
        self.paths.is_empty()
            || self.paths.iter().any(has)
            || self.earlier.iter().any(|(name, commit)| has(name) && commit.as_ref().is_none_or(is_behind))
    }

    fn wants(&self, history: &History<'_>, record: &Record) -> bool {
        let meta = &record.meta;
        (self.kinds.is_empty() || self.kinds.contains(&record.kind))
            && self.selection.is_by(meta, Shared::Counts)
            && self.until_ms.is_none_or(|until| record.time_ms <= until)
            && self.is_of_its_files(history, record)
            && (self.patterns.is_empty()
                || self.patterns.iter().any(|pattern| {
                    meta.message.as_ref().is_some_and(|message| pattern.is_in(message))
                        || pattern.is_in(&record.subject())
                }))
    }

    /// The records that fit, newest first, each with what of it is in force; in which commits they are is not asked.
    ///
    /// # Errors
    /// Where the refs of history.git cannot be read; a damaged record is left out and noted.
    pub(crate) fn found<'h>(
        &'h self,
        history: &'h History<'_>,
    ) -> Result<impl Iterator<Item = Result<(Item, Effect), HistoryError>> + 'h, HistoryError> {
        let found = self.selection.since(history, self.scope, self.met())?;
        let mut ends = self.between.as_ref().map(|between| between.ends(history, self.scope)).transpose()?;
        let met = found.map_while(move |one| match (&one, &mut ends) {
            (Ok((item, _)), Some(ends)) => match ends.meet(&item.record.id) {
                Place::Older => None,
                place => Some((place, one)),
            },
            _ => Some((Place::Within, one)),
        });
        let found = met.filter_map(|(place, one)| (place == Place::Within).then_some(one));
        let is_changed = |item: &Item| self.changes.iter().all(|change| change.is_in(history, item, &self.paths));
        Ok(found.filter(move |one| match one {
            Ok((item, _)) => self.wants(history, &item.record) && is_changed(item),
            Err(_) => true,
        }))
    }

    /// As [`Self::found`], with the git commits that hold them.
    ///
    /// # Errors
    /// As [`Self::found`].
    pub(crate) fn run<'h>(
        &'h self,
        history: &'h History<'_>,
    ) -> Result<impl Iterator<Item = Result<Logged, HistoryError>> + 'h, HistoryError> {
        let wanted = self.found(history)?;
        let limit = self.limit.unwrap_or(usize::MAX);
        // Which are in a commit is known only behind the look at their commits.
        let mut wanted = wanted.take(if self.commits.is_some() { usize::MAX } else { limit }).fuse();
        let (mut ready, mut at_once) = (VecDeque::new(), AT_FIRST);
        let logged = std::iter::from_fn(move || {
            if ready.is_empty() {
                let some: Vec<_> = wanted.by_ref().take(at_once).collect();
                let (commits, look) = commits_and_look(history, some.iter().flatten().map(|(item, _)| item));
                at_once = if look == Look::AtAllSince { (at_once * 4).min(AT_ONCE) } else { AT_FIRST };
                let mut commits = commits.into_iter();
                ready.extend(some.into_iter().map(|one| {
                    one.map(|(item, effect)| {
                        let mark = history.mark_of(&item.record.id);
                        Logged { item, effect, commits: commits.next().unwrap_or_default(), mark }
                    })
                }));
            }
            ready.pop_front()
        });
        let is_in = |logged: &Logged| {
            self.commits.as_ref().is_none_or(|commits| logged.commits.iter().any(|commit| commits.contains(commit)))
        };
        Ok(logged.filter(move |one| one.as_ref().map_or(true, is_in)).take(limit))
    }
}

impl LogQuery {
    /// The records of the wanted commits: those of this worktree, and those of others of which git brought lines into them that none of
    /// this one wrote there.
    ///
    /// # Errors
    /// As [`Self::found`].
    pub(crate) fn of_commits(&self, history: &History<'_>) -> Result<Vec<Logged>, HistoryError> {
        let all = Self { scope: Scope::All, limit: None, ..self.clone() };
        let found = all.run(history)?.collect::<Result<Vec<_>, _>>()?;
        let mut is_meant = Vec::with_capacity(found.len());
        for one in &found {
            let is_beside = |own: &&Logged| own.item.is_own && own.commits.iter().any(|id| one.commits.contains(id));
            let own = found.iter().filter(is_beside).map(|own| &own.item);
            is_meant.push(one.item.is_own || brings_lines_of_its_own(history, &one.item, own)?);
        }
        let meant = found.into_iter().zip(is_meant).filter_map(|(one, is_meant)| is_meant.then_some(one));
        Ok(meant.take(self.limit.unwrap_or(usize::MAX)).collect())
    }
}

/// Who made a record, on the wire.
#[derive(Debug, Serialize)]
pub struct AgentForm<'a> {
    name: Option<&'a str>,
    model: Option<&'a str>,
    turn: Option<&'a str>,
    subagent: Option<&'a str>,
    call_id: Option<&'a str>,
}

/// One file of a record, on the wire.
#[derive(Debug, Serialize)]
pub struct FileForm<'a> {
    path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    path_b64: Option<String>,
    from: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    from_b64: Option<String>,
    change: ChangeKind,
    before: Option<BlobId>,
    after: Option<BlobId>,
    state: Option<PathState>,
    lines_added: Option<usize>,
    lines_removed: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    encoding: Option<Encoding>,
    undone_by: Option<&'a RecordId>,
    #[serde(skip_serializing_if = "is_stored")]
    kept: TextsKept,
    #[serde(skip_serializing_if = "Option::is_none")]
    splices: Option<Vec<SpliceForm>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    diff: Option<String>,
}

fn is_one(commits: &&[CommitId]) -> bool {
    commits.len() < 2
}

fn is_stored(kept: &TextsKept) -> bool {
    *kept == TextsKept::Stored
}

/// One splice, on the wire: byte offsets, half-open.
#[derive(Debug, Serialize)]
pub struct SpliceForm {
    before: [usize; 2],
    after: [usize; 2],
    edit: usize,
    strategy: Strategy,
}

impl SpliceForm {
    fn of(splice: &SpliceRange) -> Self {
        Self {
            before: [splice.before.start, splice.before.end],
            after: [splice.after.start, splice.after.end],
            edit: splice.edit,
            strategy: splice.strategy,
        }
    }
}

/// A record, on the wire.
#[derive(Debug, Serialize)]
pub struct RecordForm<'a> {
    id: &'a RecordId,
    kind: RecordClass,
    time: String,
    agent: AgentForm<'a>,
    observed: Option<&'a Observed>,
    session: Option<&'a str>,
    message: Option<&'a str>,
    base: Option<CommitId>,
    branch: Option<&'a str>,
    files: Vec<FileForm<'a>>,
    undone_by: Option<&'a RecordId>,
    undoes: &'a [RecordId],
    commit: Option<CommitId>,
    /// All of them, where there are several.
    #[serde(skip_serializing_if = "is_one")]
    commits: &'a [CommitId],
    stash: Option<CommitId>,
    reviewed: Option<&'a ReviewMark>,
}

/// How much of a record is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Detail {
    /// As `log --json` has it.
    Summary,
    /// As `show --json` has it: splices and diffs too.
    Full,
}

/// A record as the wire has it; texts that are needed and cannot be read are left out, and noted in the history.
pub fn record_form<'a>(
    history: &History<'_>,
    logged: &'a Logged,
    record: &'a Record,
    detail: Detail,
) -> RecordForm<'a> {
    let Logged { item, effect, commits, mark } = logged;
    let files = record.files.iter().zip(&effect.files).enumerate();
    let files =
        files.map(|(n, (file, effect))| file_form(file, effect, detail, || history.texts_if_whole(item, record, n)));
    let files = files.collect();
    let meta = &record.meta;
    RecordForm {
        id: &record.id,
        kind: record.kind,
        time: utc(record.time_ms),
        agent: AgentForm {
            name: meta.agent.as_deref(),
            model: meta.model.as_deref(),
            turn: meta.turn.as_deref(),
            subagent: meta.subagent.as_deref(),
            call_id: meta.call_id.as_deref(),
        },
        observed: meta.observed.as_ref(),
        session: meta.session.as_deref(),
        message: meta.message.as_deref(),
        base: meta.base,
        branch: meta.branch.as_deref(),
        files,
        undone_by: effect.undone_by(),
        undoes: &meta.undoes,
        commit: commits.last().copied(),
        commits,
        stash: meta.stash,
        reviewed: mark.as_ref(),
    }
}

/// `texts` are asked for only where they are needed.
fn file_form<'a>(
    file: &RecordFile,
    effect: &'a FileEffect,
    detail: Detail,
    texts: impl FnOnce() -> RecordedTexts,
) -> FileForm<'a> {
    let mut lines = file.lines;
    let (mut splices, mut diff) = (None, None);
    if detail == Detail::Full || lines.is_none() {
        let texts = texts();
        lines = lines.or_else(|| lines_between(file, &texts));
        if detail == Detail::Full {
            diff = Some(file_diff(file, &texts).text);
            splices = Some(file.splices.ranges().iter().map(SpliceForm::of).collect());
        }
    }
    FileForm {
        path: file.path.to_string_lossy(),
        path_b64: file.path.base64(),
        from: file.from.as_ref().map(RepoPath::to_string_lossy),
        from_b64: file.from.as_ref().and_then(RepoPath::base64),
        change: file.change,
        before: file.before,
        after: file.after,
        state: file.state,
        lines_added: lines.map(|lines| lines.0),
        lines_removed: lines.map(|lines| lines.1),
        encoding: file.encoding,
        undone_by: match effect {
            FileEffect::Undone(by) => Some(by),
            FileEffect::InForce | FileEffect::Partly(..) => None,
        },
        kept: file.kept,
        splices,
        diff,
    }
}

/// How many lines of a file of a record came and went; none where its texts are not kept.
pub fn line_counts(history: &History<'_>, item: &Item, record: &Record, n: usize) -> Option<(usize, usize)> {
    let file = &record.files[n];
    file.lines.or_else(|| lines_between(file, &history.texts_if_whole(item, record, n)))
}

/// How many lines of a file came and went between these texts; none where one of them is not to be had.
pub fn lines_between(file: &RecordFile, texts: &RecordedTexts) -> Option<(usize, usize)> {
    let (before, after) = texts.both(file)?;
    // Neither the log index nor the entry of a large file that was removed lists splices, and all of it went.
    let all = [(0, before.len(), after.len(), 0, Strategy::Exact)];
    let is_unlisted = file.splices.ranges().is_empty() && before != after;
    let whole = is_unlisted.then(|| SpliceList::new(before.len(), &all).ok()).flatten();
    let whole = whole.map(|splices| RecordFile { splices, ..file.clone() });
    let shown = file_diff(whole.as_ref().unwrap_or(file), texts);
    Some((shown.lines_added, shown.lines_removed))
}
