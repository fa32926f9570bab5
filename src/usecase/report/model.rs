//! What a report says: the data of the page, and what `redraft report --json` prints (docs/report.md).
//!
//! Owns the types. Names, messages and texts are as they were recorded: who shows them makes them visible.

use crate::change::ChangeKind;
use crate::history::{Effect, FileEffect, ReviewMark};
use crate::id::{CommitId, RecordId};
use crate::path::RepoPath;
use crate::record::{RecordClass, TextsKept};
use crate::text::Encoding;
use serde::Serialize;

/// The form of the data.
pub const FORMAT: u32 = 1;

/// What agents did to a repository.
#[derive(Debug, Clone, Serialize)]
pub struct Report {
    /// [`FORMAT`].
    pub format: u32,
    /// When it was made, milliseconds since 1970-01-01 UTC.
    #[serde(rename = "time", serialize_with = "as_utc")]
    pub time_ms: i64,
    /// Of which repository.
    pub repository: Repository,
    /// Which records were asked for.
    pub selection: Selected,
    /// All of them together.
    pub summary: Totals,
    /// By agent, the one with the most records first.
    pub agents: Vec<AgentTotals>,
    /// By session and agent, the oldest first.
    pub sessions: Vec<SessionTold>,
    /// By file, the one with the most changed lines first.
    pub files: Vec<FileTotals>,
    /// The oldest first.
    pub records: Vec<RecordTold>,
    /// What the report lacks.
    pub left_out: LeftOut,
}

/// The repository.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Repository {
    /// The name of its folder.
    pub name: String,
    /// The branch; none where HEAD is on none.
    pub branch: Option<String>,
    /// HEAD; none where nothing is committed.
    pub head: Option<CommitId>,
    /// The address of its remote, without who logs in there.
    pub remote: Option<String>,
    /// Those of the commits named here that the remote has, as far as it was seen when it was last asked.
    pub on_remote: Vec<CommitId>,
}

/// What was asked for; silence asks for all.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Selected {
    /// By this agent.
    pub agent: Option<String>,
    /// Of this session.
    pub session: Option<String>,
    /// Of this turn.
    pub turn: Option<String>,
    /// From then on, or from this record on.
    pub since: Option<String>,
    /// In this range.
    pub range: Option<String>,
    /// Of all worktrees and clones.
    pub all: bool,
}

/// Counts. Lines and files are those of edits; what undos and redos did is no new work.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Totals {
    /// Edits, undos and redos.
    pub records: usize,
    /// Of them edits.
    pub edits: usize,
    /// Edits that other programs made, and redraft only saw.
    pub observed: usize,
    /// Edits of which nothing is in force.
    pub undone: usize,
    /// Edits of which a part is undone.
    pub partly_undone: usize,
    /// Edits of which git commits hold lines.
    pub committed: usize,
    /// Sessions with edits: each name, and having none, counts once for each agent.
    pub sessions: usize,
    /// Prompts of persons that led to edits, as far as they are told.
    pub turns: usize,
    /// Files, by their names then.
    pub files: usize,
    /// Lines added.
    pub lines_added: usize,
    /// Lines removed.
    pub lines_removed: usize,
}

/// What one agent did.
#[derive(Debug, Clone, Serialize)]
pub struct AgentTotals {
    /// Its name; none for who gave none.
    pub agent: Option<String>,
    /// Its models, in the order of their first records.
    pub models: Vec<String>,
    /// What it did.
    pub totals: Totals,
}

/// One session.
#[derive(Debug, Clone, Serialize)]
pub struct SessionTold {
    /// Its name; none for the records of an agent that named none.
    pub session: Option<String>,
    /// The agent.
    pub agent: Option<String>,
    /// Its turns, in the order of their first records.
    pub turns: Vec<TurnTold>,
    /// What was done in it.
    pub totals: Totals,
}

/// What one prompt of a person led to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TurnTold {
    /// Its name; none where the harness tells none.
    pub turn: Option<String>,
    /// 0-based places in `records`.
    pub records: Vec<usize>,
}

/// What was done to one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FileTotals {
    /// Its name then.
    #[serde(flatten, serialize_with = "as_path")]
    pub path: RepoPath,
    /// So many records touched it.
    pub records: usize,
    /// Lines that edits added.
    pub lines_added: usize,
    /// Lines that edits removed.
    pub lines_removed: usize,
    /// For each agent the lines that it added and removed, the most first.
    pub by: Vec<LinesOf>,
    /// Who wrote today's lines; none where there is no such file any more, it is no text, it cannot be read or is very large, or it is
    /// one of too many.
    pub share: Option<Share>,
}

/// Lines, and whose they are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LinesOf {
    /// The agent; none for who gave no name.
    pub agent: Option<String>,
    /// So many.
    pub lines: usize,
}

/// Who wrote the lines of a file as it is today.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Share {
    /// So many there are.
    pub lines: usize,
    /// Those that agents wrote, the most first; the rest is of people, of other programs, or older than the history.
    pub by: Vec<LinesOf>,
}

/// What of a record is in force.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// All.
    InForce,
    /// Some.
    PartlyUndone,
    /// Nothing.
    Undone,
}

impl Standing {
    /// Of a record.
    pub fn of(effect: &Effect) -> Self {
        match effect.undone_by() {
            Some(_) => Self::Undone,
            None if effect.files.iter().all(|file| *file == FileEffect::InForce) => Self::InForce,
            None => Self::PartlyUndone,
        }
    }

    /// Of one file of it.
    pub fn of_file(effect: &FileEffect) -> Self {
        match effect {
            FileEffect::InForce => Self::InForce,
            FileEffect::Partly(..) => Self::PartlyUndone,
            FileEffect::Undone(_) => Self::Undone,
        }
    }
}

/// One record.
#[derive(Debug, Clone, Serialize)]
pub struct RecordTold {
    /// Its id.
    pub id: RecordId,
    /// What sort of record.
    pub kind: RecordClass,
    /// When, milliseconds since 1970-01-01 UTC.
    #[serde(rename = "time", serialize_with = "as_utc")]
    pub time_ms: i64,
    /// Who.
    pub agent: Option<String>,
    /// With which model.
    pub model: Option<String>,
    /// In which session.
    pub session: Option<String>,
    /// At which prompt.
    pub turn: Option<String>,
    /// Which agent below the one that the person talks to.
    pub subagent: Option<String>,
    /// Why, in the agent's words.
    pub message: Option<String>,
    /// What was done to which file, in a line.
    pub subject: String,
    /// The program that made it, where redraft only saw it: its command line, else its name.
    pub program: Option<String>,
    /// Where one of several calls made it: the agents of all of them.
    pub may_be_by: Vec<String>,
    /// HEAD then.
    pub base: Option<CommitId>,
    /// The git commits that hold lines of it, oldest first.
    pub commits: Vec<CommitId>,
    /// What of it is in force.
    pub standing: Standing,
    /// The undo in force, where nothing of it is.
    pub undone_by: Option<RecordId>,
    /// What it undid.
    pub undoes: Vec<RecordId>,
    /// Where somebody has marked it as reviewed: when, and who.
    pub reviewed: Option<ReviewMark>,
    /// Its files.
    pub files: Vec<FileTold>,
}

/// One file of a record.
#[derive(Debug, Clone, Serialize)]
pub struct FileTold {
    /// Where it is afterwards; of one that was removed, where it was.
    #[serde(flatten, serialize_with = "as_path")]
    pub path: RepoPath,
    /// Where it was, if it was renamed.
    #[serde(flatten, serialize_with = "as_from")]
    pub from: Option<RepoPath>,
    /// What happened.
    pub change: ChangeKind,
    /// None where its texts are not kept, or it is binary.
    pub lines_added: Option<usize>,
    /// The same.
    pub lines_removed: Option<usize>,
    /// What of it is in force.
    pub standing: Standing,
    /// What it is in, where that is known and not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encoding: Option<Encoding>,
    /// What changed.
    pub diff: Diff,
}

/// What changed in a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "form", rename_all = "snake_case")]
pub enum Diff {
    /// The hunks of a unified diff.
    Hunks {
        /// From the first `@@` on.
        text: String,
        /// So many lines at its end are left out.
        lines_left_out: usize,
        /// Whether bytes that are not UTF-8 stand there as U+FFFD.
        lossy: bool,
    },
    /// No line of it: it was renamed, or its mode changed.
    Nothing,
    /// It is no text.
    Binary,
    /// Its texts are not kept.
    NotKept {
        /// Why.
        why: TextsKept,
    },
    /// The history cannot tell it; a warning says why.
    Unreadable,
    /// There is no room for it in the report.
    LeftOut,
}

/// What a report lacks, because there would be too much of it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct LeftOut {
    /// Whether there are older records that fit.
    pub older_records: bool,
    /// So many diffs, those of the oldest records.
    pub diffs: usize,
    /// So many diffs are cut.
    pub cut_diffs: usize,
    /// So many files, those with the fewest changed lines, are without the share of today's lines.
    pub shares: usize,
}

/// A path is one string, and where it is not UTF-8, its bytes stand beside it.
fn as_path<S: serde::Serializer>(path: &RepoPath, serializer: S) -> Result<S::Ok, S::Error> {
    let bytes = path.base64().map(|base64| ("path_b64", base64));
    serializer.collect_map([("path", path.to_string_lossy())].into_iter().chain(bytes))
}

fn as_from<S: serde::Serializer>(path: &Option<RepoPath>, serializer: S) -> Result<S::Ok, S::Error> {
    let bytes = path.as_ref().and_then(RepoPath::base64).map(|base64| ("from_b64", Some(base64)));
    serializer.collect_map([("from", path.as_ref().map(RepoPath::to_string_lossy))].into_iter().chain(bytes))
}

fn as_utc<S: serde::Serializer>(time_ms: &i64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&crate::history::utc(*time_ms))
}
