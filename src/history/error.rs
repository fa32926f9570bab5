//! Why the history cannot do what was asked.
//!
//! Owns the causes. Does not know what to do about them: that is told in `advice/`.

use super::old_file::Condition;
use crate::code::Reason;
use crate::git::RepoError;
use crate::id::{CommitId, RecordId};
use crate::patch::take_back;
use crate::transaction::TransactionError;
use crate::worktree::WorktreeError;
use std::path::{Path, PathBuf};

/// One place where a record cannot be undone.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct UndoConflict {
    /// The record.
    pub record: RecordId,
    /// The file, as it is called now.
    pub path: String,
    /// 1-based, as `show` numbers the hunks of the record; none where the whole file is in the way.
    pub hunk: Option<usize>,
    /// What stands in the way.
    pub why: Obstacle,
    /// 1-based lines of the file as it is now.
    pub lines: Option<(usize, usize)>,
    /// These lines; none where the whole file is in the way.
    pub text: Option<String>,
    /// What the record left there, to be put back; none where that is nothing, or not known.
    pub left: Option<String>,
    /// The record that changed them, where the log knows it.
    pub changed_by: Option<RecordId>,
    /// The git commit that changed them, where no record did and git tells.
    pub changed_in: Option<CommitId>,
}

/// What stands in the way of an undo.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Obstacle {
    /// Its lines are others now.
    LinesChanged,
    /// Some of its lines were taken out since, and stand there again.
    PutAnew,
    /// The lines beside it are others now, and its own do not tell it.
    NeighboursChanged,
    /// There are lines where it deleted some.
    PlaceTaken,
    /// It may be at several places.
    Uncertain,
    /// A line that it is about stands somewhere else.
    StandsElsewhere,
    /// A part of it is taken back already, or looks so.
    PartlyTakenBack,
    /// The same, where it is an undo that is to be taken back.
    PartlyInPlace,
    /// A line may be one of its own, changed.
    MayBeEdited,
    /// The words inside of its lines are in another order.
    WordsReordered,
    /// A line would stand behind one without its ending.
    Glued,
    /// It and another hunk overlap, or changed their order.
    OutOfOrder,
    /// Lines of another record would come back, which was taken back since.
    OfOther,
    /// Lines would come back that another record took away, which is in force.
    TakenAway,
    /// What would go was put there by another record, which is in force.
    PutByOther,
    /// Lines would come back that were never committed, and what was not committed beside them was discarded.
    Discarded,
    /// There are too many places to look at.
    TooLarge,
    /// A moved line would be there twice, or not at all.
    MovedInPart,
    /// The file is gone.
    Gone,
    /// The file is gone, and lines of it stand in another.
    MayBeMoved,
    /// Nothing tells that the file is the one that the record changed.
    OtherFile,
    /// Several files have lines of it, and none is known to be the copy.
    Copied,
    /// The file was changed, so it is not removed.
    ChangedSinceCreated,
    /// Something is where the file would come back.
    Taken,
    /// A folder is where the file would come back, or a file where a folder on its way would.
    OtherKind,
    /// The old text is not kept (ignored or large files have only their backup, and that was pruned).
    NotKept,
    /// What is to go or to come back may be a later record's doing, and a text from between is not kept.
    LaterNotKept,
    /// The same, and so many records did some of it since that they are not followed.
    ManySince,
    /// Another record's edit of the file comes first, and does not fit.
    UnderOther,
    /// Git ignores the file, so that it goes into no commit.
    Ignored,
    /// HEAD has other lines where it would be committed.
    OtherInHead,
}

impl Obstacle {
    /// In words, after "because".
    pub fn as_str(self) -> &'static str {
        match self {
            Self::LinesChanged => "these lines were changed since",
            Self::PutAnew => "some of these lines were taken out since, and put there again",
            Self::NeighboursChanged => "the lines around its place were changed since",
            Self::PlaceTaken => "other text was put in its place",
            Self::Uncertain => "equal lines leave open which place it is",
            Self::StandsElsewhere => "one of its lines stands elsewhere in the file",
            Self::PartlyTakenBack => "a part of it may be taken back already",
            Self::PartlyInPlace => "a part of it may be in place again already",
            Self::MayBeEdited => "a line here may be one of its own, changed since",
            Self::WordsReordered => "the words in these lines changed their order",
            Self::Glued => "it would stand behind a line without its ending",
            Self::OutOfOrder => "its place and that of another change overlap or changed their order",
            Self::OfOther => "lines would come back that another record wrote, and that one was taken back since",
            Self::TakenAway => "lines would come back that another record took away since",
            Self::PutByOther => "what would go there was put by another record since",
            Self::Discarded => {
                "lines would come back that were never committed, and the changes beside them were discarded"
            }
            Self::TooLarge => "too many equal lines leave open which place it is",
            Self::MovedInPart => "a line that it moved could go back at one of its places only",
            Self::Gone => "the file is no longer there",
            Self::MayBeMoved => "it may be the file that was created, moved and changed since",
            Self::OtherFile => "nothing in the file there tells that it is the one that the record changed",
            Self::Copied => {
                "its lines stand in several files, and nothing tells which is the one that the record changed"
            }
            Self::ChangedSinceCreated => "the file was changed since it was created",
            Self::Taken => "another file has its name",
            Self::OtherKind => "a folder has its name now, or a file has that of a folder on its way",
            Self::NotKept => "its old text is not kept",
            Self::LaterNotKept => {
                "it may have been taken back and done again by a record since, and a text from between is not kept"
            }
            Self::ManySince => {
                "it may have been taken back and done again since, and too many records did some of the same"
            }
            Self::UnderOther => "what another record did to the file comes first, and does not fit",
            Self::Ignored => "git ignores it",
            Self::OtherInHead => "it does not fit HEAD by itself",
        }
    }
}

impl From<&take_back::Reason> for Obstacle {
    fn from(reason: &take_back::Reason) -> Self {
        use take_back::Reason as R;
        match reason {
            R::LinesChanged | R::LinesBetween | R::NotKnownAgain(_) => Self::LinesChanged,
            R::PutAnew => Self::PutAnew,
            R::NeighboursChanged => Self::NeighboursChanged,
            R::PlaceTaken => Self::PlaceTaken,
            R::TwoReadings => Self::Uncertain,
            R::StandsElsewhere(_) | R::EndStandsElsewhere => Self::StandsElsewhere,
            R::PartlyTakenBack(_) => Self::PartlyTakenBack,
            R::MayBeEdited(_) => Self::MayBeEdited,
            R::WordsReordered => Self::WordsReordered,
            R::Glued => Self::Glued,
            R::OutOfOrder => Self::OutOfOrder,
            R::TooLarge => Self::TooLarge,
            R::MovedInPart => Self::MovedInPart,
        }
    }
}

impl UndoConflict {
    /// The whole file is in the way.
    pub(crate) fn of_file(record: RecordId, path: String, why: Obstacle) -> Self {
        Self { record, path, hunk: None, why, lines: None, text: None, left: None, changed_by: None, changed_in: None }
    }

    fn told(&self) -> String {
        let place = match (self.hunk, self.lines) {
            (Some(hunk), Some((start, end))) if start == end => format!(" hunk {hunk} (now line {start})"),
            (Some(hunk), Some((start, end))) => format!(" hunk {hunk} (now lines {start} to {end})"),
            (Some(hunk), None) => format!(" hunk {hunk}"),
            (None, _) => String::new(),
        };
        let by = match (&self.changed_by, &self.changed_in) {
            (Some(by), _) if matches!(self.why, Obstacle::OfOther | Obstacle::TakenAway) => format!(" (record {by})"),
            (Some(by), _) => format!(" (record {by} changed lines there)"),
            (None, Some(commit)) => format!(" (git commit {commit:.10} changed lines there)"),
            (None, None) => String::new(),
        };
        format!("{}{place}: {}{by}", self.path, self.why.as_str())
    }
}

/// Why there is nothing that could be undone or redone.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Nothing {
    /// No undo has an effect.
    #[error("no undo is in force")]
    NoUndoInForce,
    /// No record is as was asked.
    #[error("no record in force fits")]
    NoneFits,
    /// A path was named that is in no record.
    #[error("no record touched {path}")]
    Untouched {
        /// The path, as its caller writes it.
        path: String,
        /// Those that may be meant, in the same way.
        near: Vec<String>,
    },
    /// One of several calls made each of these records, and not all of those calls are meant.
    #[error("what fits may be somebody else's: {}", RecordId::listed(.0))]
    OnlyShared(Vec<RecordId>),
    /// Git commits have all of it.
    #[error("HEAD has all of it that is in the files")]
    InHead,
    /// No undo of what is meant is in force.
    #[error("no undo in force fits")]
    NoUndoFits,
    /// These undos took back edits that are not meant, too.
    #[error("the undos that fit took back other edits, too: {}", RecordId::listed(.0))]
    OnlyUndosOfOthers(Vec<RecordId>),
    /// To be redone, but not undone.
    #[error("no undo of record {0} is in force, so there is nothing to redo")]
    NotUndone(RecordId),
    /// To be undone, but undone.
    #[error("record {id} is undone already, by {by}")]
    Undone {
        /// The record.
        id: RecordId,
        /// The undo that did it.
        by: RecordId,
    },
    /// An undo to be taken back, which was.
    #[error("undo {id} was taken back already, by {by}")]
    Redone {
        /// The undo.
        id: RecordId,
        /// The redo that did it.
        by: RecordId,
    },
    /// The same, and what it had undone was undone anew.
    #[error("undo {id} was taken back already, by {by}; what it undid is undone anew, by {anew}")]
    UndoneAnew {
        /// The undo.
        id: RecordId,
        /// The redo that took it back.
        by: RecordId,
        /// The undo that is in force.
        anew: RecordId,
    },
    /// Hunks are those of an edit.
    #[error("{0} is itself an undo or redo")]
    HunkOfUndo(RecordId),
    /// The number is too large, or 0.
    #[error("record {id} has {hunks} hunks")]
    NoSuchHunk {
        /// The record.
        id: RecordId,
        /// So many it has.
        hunks: usize,
    },
    /// One hunk is undone, but not all of the record.
    #[error("hunk {hunk} of record {id} is undone already")]
    HunkUndone {
        /// 1-based.
        hunk: usize,
        /// The record.
        id: RecordId,
    },
    /// All that the record did there is undone.
    #[error("record {0} has nothing in force in these paths")]
    InPaths(RecordId),
    /// The files are without it.
    #[error("what it did{} is taken back already", to_files(.0))]
    AsBefore(Vec<String>),
    /// What some did, others of them took back: the files are as they were before all of them.
    #[error("what these records did{} cancels out", to_files(.0))]
    CancelsOut(Vec<String>),
    /// The file would be as it is: other records did the same, or took back what it did.
    #[error("{0} would be as it is: what it did there other records did as well, or took back")]
    SameWithout(String),
    /// The file is without it, what is staged of it is not.
    #[error("what it did to {0} is taken back in the file, but not in what is staged of it")]
    Staged(String),
    /// The file has it again, what is staged of it has not.
    #[error("what was undone in {0} is in place again in the file, but not in what is staged of it")]
    StagedUndone(String),
    /// It was taken back, and another record did the same.
    #[error("what it did to {path} was taken back, and record {by} did it again")]
    DoneAgain {
        /// The file.
        path: String,
        /// The record.
        by: RecordId,
    },
    /// It was brought back, and another record took it out again.
    #[error("what was undone in {path} was brought back, and record {by} took it out again")]
    TakenOutAgain {
        /// The file.
        path: String,
        /// The record.
        by: RecordId,
    },
    /// The name that is to go is another one already.
    #[error("{was} was renamed again since, to {now}, which it keeps")]
    RenamedAgain {
        /// The name that the record gave it.
        was: String,
        /// Today's.
        now: String,
    },
    /// The files are as they were right after this record.
    #[error("the files are as they were right after record {0}")]
    AsThen(RecordId),
    /// The files have it, so it cannot be redone.
    #[error("what was undone in {} is in place again already", .0.join(", "))]
    InPlace(Vec<String>),
}

/// To which files; nothing where they have no place any more.
fn to_files(paths: &[String]) -> String {
    if paths.is_empty() { String::new() } else { format!(" to {}", paths.join(", ")) }
}

/// Why the history cannot do what was asked.
#[derive(Debug, thiserror::Error)]
pub enum HistoryError {
    /// No record has this name.
    #[error("there is no record {0}")]
    NoSuchRecord(String),
    /// An end of a range is neither a record nor what git knows.
    #[error("{0:?} is neither a record nor a git commit")]
    NoSuchEnd(String),
    /// One end of a range is a record, the other a git commit.
    #[error("{record:?} is a record, {commit:?} a git commit, and both ends of a range must be of one kind")]
    MixedRange {
        /// As it was named.
        record: String,
        /// As it was named.
        commit: String,
    },
    /// A record is one of another worktree, or clone.
    #[error("record {0} was not made in this worktree")]
    NotInThisWorktree(RecordId),
    /// Nothing that is kept is about it.
    #[error("no record and no backup is about {what}")]
    NothingKept {
        /// The paths and ids, as they were named.
        what: String,
        /// The recorded paths that may be meant, as its caller writes them.
        near: Vec<String>,
    },
    /// Only tombstones are about it.
    #[error("nothing is left to be purged of {what}: it was purged already, and its records are tombstones")]
    PurgedAlready {
        /// The paths and ids, as they were named.
        what: String,
    },
    /// The record says that a file had a text, and the text is not kept.
    #[error("the text of {path} of record {record} is not kept (git ignores it, it is large, or it was purged)")]
    TextNotKept {
        /// The file.
        path: String,
        /// The record.
        record: RecordId,
    },
    /// Of the files that a backup should have, none is there.
    #[error("nothing is left of the backup of {record}{}", gone_files(.files))]
    BackupEmpty {
        /// Of the edit.
        record: RecordId,
        /// Those that it should have, as their caller writes them; none where nothing tells it.
        files: Vec<String>,
        /// Whether all their texts are known all the same.
        is_known: bool,
    },
    /// Files of a backup are not the old ones, and the history does not have their texts.
    #[error("the backup of {record} is not whole, and the history does not have the old text: {}", lost_files(.lost))]
    BackupNotWhole {
        /// Of the edit.
        record: RecordId,
        /// The others, in the same way, and how each is.
        lost: Vec<(String, Condition)>,
        /// Those that are to be had, as their caller writes them.
        whole: Vec<String>,
    },
    /// No record is as was asked, but perhaps these.
    #[error("no record fits{}", if .0.is_empty() { String::new() } else { format!(" for certain; these may be somebody else's: {}", RecordId::listed(.0)) })]
    NoneSelected(Vec<RecordId>),
    /// There was no such file then.
    #[error("there was no {path} then, by record {record}")]
    NoFileThen {
        /// The file.
        path: String,
        /// The record that tells it.
        record: RecordId,
    },
    /// Several records have ids that begin so.
    #[error("{prefix} is the beginning of several ids: {}", .candidates.join(", "))]
    AmbiguousRecord {
        /// As given.
        prefix: String,
        /// The first few.
        candidates: Vec<String>,
    },
    /// Several sessions have a turn of this name.
    #[error("{turn:?} is a turn of several sessions: {}", .sessions.join(", "))]
    TurnOfSeveral {
        /// As given.
        turn: String,
        /// By their names.
        sessions: Vec<String>,
    },
    /// Nothing that could be undone or redone was found.
    #[error("nothing to undo: {0}")]
    NothingToUndo(Nothing),
    /// The same of a redo.
    #[error("nothing to redo: {0}")]
    NothingToRedo(Nothing),
    /// Nothing of what was asked for is there to be committed.
    #[error("nothing to commit: {0}")]
    NothingToCommit(Nothing),
    /// What is to be committed cannot be told from what came later.
    #[error("cannot tell apart {}", told(.0))]
    NotTellable(Vec<UndoConflict>),
    /// What was found cannot be undone without losing what came later.
    #[error("cannot undo {}", told(.0))]
    UndoConflict(Vec<UndoConflict>),
    /// What was found cannot be redone without losing what came later.
    #[error("cannot redo {}", told(.0))]
    RedoConflict(Vec<UndoConflict>),
    /// Git itself is needed and failed.
    #[error("`git {command}` failed: {output}")]
    GitFailed {
        /// The subcommand.
        command: String,
        /// What it said.
        output: String,
    },
    /// Chains of other clones that a remote has were not taken.
    #[error("not taken from the remote: {}", .refused.join("; "))]
    RefusedChains {
        /// A sentence each.
        refused: Vec<String>,
        /// The clones whose chains were rewritten, so that a person has to say whether they are taken.
        rewritten: Vec<String>,
    },
    /// The remote has chains of this clone that another copy of it sent, and they stay as they are.
    #[error("not sent to the remote: {}", .0.join("; "))]
    NotSent(
        /// A sentence each, then those on what was not taken.
        Vec<String>,
    ),
    /// The history's own files are damaged.
    #[error("the history is damaged: {0}")]
    Damaged(String),
    /// The system refused something.
    #[error("cannot {verb} {path:?}: {source}")]
    Io {
        /// Such as `write`.
        verb: &'static str,
        /// Of what.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A file is there and cannot be read.
    #[error(transparent)]
    Worktree(#[from] WorktreeError),
    /// The repository cannot be read.
    #[error(transparent)]
    Repo(#[from] RepoError),
    /// The transaction layer failed.
    #[error(transparent)]
    Transaction(#[from] TransactionError),
}

/// What is in the way of an undo, as it is to be told of a redo: there it is an undo that is taken back.
pub(crate) fn of_redo(mut conflicts: Vec<UndoConflict>) -> Vec<UndoConflict> {
    for conflict in conflicts.iter_mut().filter(|conflict| conflict.why == Obstacle::PartlyTakenBack) {
        conflict.why = Obstacle::PartlyInPlace;
    }
    conflicts
}

fn lost_files(files: &[(String, Condition)]) -> String {
    let one = |(path, condition): &(String, Condition)| match condition {
        Condition::Gone => format!("{path} is gone"),
        _ => format!("{path} has another text than was replaced"),
    };
    files.iter().map(one).collect::<Vec<_>>().join(", ")
}

fn gone_files(files: &[String]) -> String {
    match files {
        [] => String::new(),
        [file] => format!(": {file} is gone"),
        files => format!(": {} are gone", files.join(", ")),
    }
}

fn told(conflicts: &[UndoConflict]) -> String {
    let mut parts: Vec<String> = conflicts.iter().take(3).map(UndoConflict::told).collect();
    if conflicts.len() > 3 {
        parts.push(format!("and {} more", conflicts.len() - 3));
    }
    parts.join("; ")
}

impl HistoryError {
    /// Wraps an error of the system.
    pub(crate) fn io(verb: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io { verb, path, source }
    }

    /// The same where a redo was asked for.
    pub(crate) fn of_redo(self) -> Self {
        match self {
            Self::NothingToUndo(nothing) => Self::NothingToRedo(nothing),
            Self::UndoConflict(conflicts) => Self::RedoConflict(of_redo(conflicts)),
            other => other,
        }
    }

    /// The finer cause.
    pub fn reason(&self) -> Reason {
        match self {
            Self::NoSuchRecord(_)
            | Self::NoSuchEnd(_)
            | Self::MixedRange { .. }
            | Self::NotInThisWorktree(_)
            | Self::NothingKept { .. }
            | Self::TextNotKept { .. }
            | Self::BackupEmpty { .. }
            | Self::BackupNotWhole { .. }
            | Self::NoFileThen { .. }
            | Self::NoneSelected(_)
            | Self::AmbiguousRecord { .. }
            | Self::TurnOfSeveral { .. } => Reason::NoSuchRecord,
            Self::NothingToUndo(_) | Self::NothingToRedo(_) | Self::NothingToCommit(_) | Self::PurgedAlready { .. } => {
                Reason::NothingToUndo
            }
            Self::UndoConflict(_) | Self::RedoConflict(_) | Self::NotTellable(_) => Reason::UndoConflict,
            Self::GitFailed { .. } | Self::RefusedChains { .. } | Self::NotSent(_) | Self::Damaged(_) => Reason::Io,
            Self::Io { source, .. } if source.kind() == std::io::ErrorKind::StorageFull => Reason::NoSpace,
            Self::Io { .. } => Reason::Io,
            Self::Worktree(error) => error.reason(),
            Self::Repo(error) => error.reason(),
            Self::Transaction(error) => error.reason(),
        }
    }
}
