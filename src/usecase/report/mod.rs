//! What agents did to a repository, gathered for a report.
//!
//! Owns what is in it and how much of it there may be. Does not draw it: that is `view/`; which records there are, what of them is in
//! force and who wrote a line is the history's.

pub(super) mod diff;
mod model;
mod save;
mod share;
mod totals;

pub use model::{
    AgentTotals, Diff, FileTold, FileTotals, LeftOut, RecordTold, Report, Repository, Selected, SessionTold, Share,
    Standing, Totals, TurnTold,
};
pub use save::{DEFAULT_NAME, save};

use super::Noted;
use crate::error::Error;
use crate::git::{Ignores, Remote, Repo};
use crate::history::store::seal::kept_when_sealed;
use crate::history::{
    Among, At, FileEffect, History, HistoryError, HistoryWarning, Item, LogQuery, Logged, Range, Scope, Selection,
    Since, utc,
};
use crate::id::CommitId;
use crate::record::{Record, RecordFile, TextsKept};
use crate::warning::Warning;
use crate::workspace::Workspace;
use std::collections::HashSet;

/// So many records are in a report where nothing else is asked for: the newest.
pub const MOST_RECORDS: usize = 5_000;
/// So many bytes of diffs.
const MOST_DIFFS: usize = 24 << 20;
/// Of so many files it is told who wrote today's lines.
const MOST_SHARES: usize = 250;
/// The remote whose address is told.
const REMOTE: &str = "origin";

/// Which records are wanted.
#[derive(Debug, Clone, Default)]
pub struct ReportRequest {
    /// Of this worktree, or of all.
    pub scope: Scope,
    /// By whom, and from when on.
    pub selection: Selection,
    /// Between which.
    pub range: Option<Range>,
    /// At most so many, the newest; [`MOST_RECORDS`] where none is given.
    pub limit: Option<usize>,
}

/// What is being done, for who waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// So many records were read.
    Records(usize),
    /// Of so many files it was looked whose lines they have.
    Files(usize),
}

/// Gathers a report; `tell` is told how far it is.
///
/// # Errors
/// [`HistoryError::NoneSelected`] where something is asked for that no record fits; where the history or git cannot be read.
pub fn report(
    workspace: &Workspace,
    request: &ReportRequest,
    tell: &mut dyn FnMut(Progress),
) -> Result<Noted<Report>, Error> {
    let history = History::open(workspace.repo())?;
    let mut gathering = Gathering::of(&history);
    let found = wanted(&history, request, &mut gathering.left_out)?;
    let is_asked = !request.selection.is_all() || request.range.is_some();
    if found.is_empty() && is_asked {
        return Err(HistoryError::NoneSelected(Vec::new()).into());
    }
    let mut records = Vec::with_capacity(found.len());
    for (n, logged) in found.iter().enumerate() {
        tell(Progress::Records(n));
        records.push(gathering.told(logged)?);
    }
    // They were met from the newest on, so that it is the oldest for which there was no room.
    records.reverse();
    let mut files = totals::files(&records);
    let mut left_out = gathering.left_out;
    left_out.shares = files.len().saturating_sub(MOST_SHARES);
    for (n, file) in files.iter_mut().take(MOST_SHARES).enumerate() {
        tell(Progress::Files(n));
        file.share = share::share(workspace, &history, &file.path)?;
    }
    let done = Report {
        format: model::FORMAT,
        time_ms: workspace.env().now_ms(),
        repository: repository(&history, &records)?,
        selection: selected(request),
        summary: totals::summary(&records),
        agents: totals::agents(&records),
        sessions: totals::sessions(&records),
        files,
        records,
        left_out,
    };
    let notes = history.take_warnings().into_iter().map(Warning::History).collect();
    Ok(Noted { done, notes })
}

/// The records that fit, newest first.
fn wanted(history: &History<'_>, request: &ReportRequest, left_out: &mut LeftOut) -> Result<Vec<Logged>, Error> {
    let among = request.range.as_ref().map(|range| range.among(history)).transpose()?;
    let (between, commits) = match among {
        Some(Among::Records(between)) => (Some(between), None),
        Some(Among::Commits(commits)) => (None, Some(commits)),
        None => (None, None),
    };
    let query = LogQuery { scope: request.scope, selection: request.selection.clone(), between, ..LogQuery::default() };
    let most = request.limit.unwrap_or(MOST_RECORDS);
    let is_in = |logged: &Logged| {
        commits.as_ref().is_none_or(|commits: &HashSet<CommitId>| logged.commits.iter().any(|id| commits.contains(id)))
    };
    let mut found = Vec::new();
    for logged in query.run(history)? {
        let logged = logged?;
        if !is_in(&logged) {
            continue;
        }
        if found.len() == most {
            left_out.older_records = true;
            break;
        }
        found.push(logged);
    }
    Ok(found)
}

/// Records on their way into a report.
struct Gathering<'h> {
    history: &'h History<'h>,
    ignores: Ignores<'h>,
    room: Room,
    left_out: LeftOut,
}

impl<'h> Gathering<'h> {
    fn of(history: &'h History<'h>) -> Self {
        Self { history, ignores: Ignores::new(history.repo()), room: Room(MOST_DIFFS), left_out: LeftOut::default() }
    }

    /// One record; its diffs as long as there is room.
    fn told(&mut self, logged: &Logged) -> Result<RecordTold, Error> {
        let Logged { item, effect, .. } = logged;
        let full = self.history.full_if_whole(item);
        let record = full.as_ref().unwrap_or(&item.record);
        let mut files = Vec::with_capacity(record.files.len());
        for (n, (file, effect)) in record.files.iter().zip(&effect.files).enumerate() {
            let diff::Shown { diff, lines } = match self.not_kept(item, file)? {
                Some(why) => diff::Shown { diff: Diff::NotKept { why }, lines: None },
                None => diff::shown(file, &self.history.texts_if_whole(item, record, n)),
            };
            files.push(file_told((file, effect), lines, self.room.fit(diff, &mut self.left_out)));
        }
        Ok(record_told(logged, record, files))
    }

    /// Why the texts of a file are no part of the history, also where the record is not sealed yet, so that they could be read: a report
    /// is handed on.
    fn not_kept(&mut self, item: &Item, file: &RecordFile) -> Result<Option<TextsKept>, Error> {
        Ok(match (file.kept, item.at) {
            (TextsKept::Stored, At::Journal { .. }) => kept_when_sealed(&mut self.ignores, file)?,
            (TextsKept::Stored, At::Commit(_)) => None,
            (why, _) => Some(why),
        })
    }
}

/// So many bytes of diffs may still come.
struct Room(usize);

impl Room {
    /// The diff, where there is room for it; behind the first for which there is none, there is room for none.
    fn fit(&mut self, diff: Diff, left_out: &mut LeftOut) -> Diff {
        let Diff::Hunks { text, lines_left_out, .. } = &diff else { return diff };
        let Some(rest) = self.0.checked_sub(text.len()) else {
            self.0 = 0;
            left_out.diffs += 1;
            return Diff::LeftOut;
        };
        left_out.cut_diffs += usize::from(*lines_left_out > 0);
        self.0 = rest;
        diff
    }
}

fn record_told(logged: &Logged, record: &Record, files: Vec<FileTold>) -> RecordTold {
    let Logged { item, effect, commits, mark } = logged;
    let meta = &record.meta;
    let observed = meta.observed.as_ref();
    let shared = observed.iter().flat_map(|observed| &observed.shared);
    let standing = Standing::of(effect);
    RecordTold {
        id: item.record.id.clone(),
        kind: record.kind,
        time_ms: record.time_ms,
        agent: meta.agent.clone(),
        model: meta.model.clone(),
        session: meta.session.clone(),
        turn: meta.turn.clone(),
        subagent: meta.subagent.clone(),
        message: meta.message.clone().filter(|message| !message.trim().is_empty()),
        subject: record.subject(),
        program: observed.map(|observed| observed.command.clone().unwrap_or_else(|| observed.tool.clone())),
        may_be_by: shared.filter_map(|call| call.agent.clone()).collect(),
        base: meta.base,
        commits: commits.to_vec(),
        standing,
        undone_by: effect.undone_by().cloned(),
        undoes: meta.undoes.clone(),
        reviewed: mark.clone(),
        files,
    }
}

fn file_told((file, effect): (&RecordFile, &FileEffect), lines: Option<(usize, usize)>, diff: Diff) -> FileTold {
    let lines = lines.or(file.lines.filter(|_| diff != Diff::Binary));
    FileTold {
        path: file.path.clone(),
        from: file.from.clone(),
        change: file.change,
        lines_added: lines.map(|lines| lines.0),
        lines_removed: lines.map(|lines| lines.1),
        standing: Standing::of_file(effect),
        encoding: file.encoding,
        diff,
    }
}

fn repository(history: &History<'_>, records: &[RecordTold]) -> Result<Repository, Error> {
    let repo = history.repo();
    let name = repo.root().file_name().map_or(String::new(), |name| name.to_string_lossy().into_owned());
    let branch = repo.branch()?;
    let (head, remote) = (repo.head_id()?, remote(repo));
    let named =
        head.into_iter().chain(records.iter().flat_map(|record| record.base.iter().chain(&record.commits).copied()));
    let named: HashSet<CommitId> = if remote.is_some() { named.collect() } else { HashSet::new() };
    // Links are not worth a report.
    let pushed = repo.pushed_to(REMOTE, named).unwrap_or_else(|error| {
        history.warn(HistoryWarning::Unreadable(error.into()));
        HashSet::new()
    });
    let mut on_remote: Vec<CommitId> = pushed.into_iter().collect();
    on_remote.sort_by_key(ToString::to_string);
    Ok(Repository { name, branch, head, remote, on_remote })
}

/// The remote's address; of one with a password, or a token, without.
fn remote(repo: &Repo) -> Option<String> {
    repo.config_string(&format!("remote.{REMOTE}.url"))?;
    let remote = Remote::of(repo, REMOTE).ok()?;
    Some(without_login(remote.address()))
}

fn without_login(address: &str) -> String {
    let Some((scheme, rest)) = address.split_once("://") else { return address.to_owned() };
    let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
    let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
    format!("{scheme}://{host}/{path}")
}

fn selected(request: &ReportRequest) -> Selected {
    let Selection { agent, session, turn, since, .. } = request.selection.clone();
    Selected {
        agent,
        session,
        turn,
        since: since.map(|since| match since {
            Since::Time(time_ms) => utc(time_ms),
            Since::Record(name) => name,
        }),
        range: request.range.as_ref().map(Range::written),
        all: request.scope == Scope::All,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_logs_in_at_a_remote_is_not_told() {
        let check = |address: &str, want: &str| assert_eq!(without_login(address), want);
        check("https://user:secret@example.com/a/b.git", "https://example.com/a/b.git");
        check("https://token@example.com/a@b", "https://example.com/a@b");
        check("git@example.com:a/b.git", "git@example.com:a/b.git");
        check("/srv/git/a", "/srv/git/a");
    }

    /// A small diff of an old record was shown where a large one of a newer record had no room, though the page says that those of
    /// the oldest are left out.
    #[test]
    fn behind_the_first_diff_that_has_no_room_there_is_none() {
        let (mut room, mut left_out) = (Room(10), LeftOut::default());
        let mut fits = |bytes: usize| {
            let hunks = Diff::Hunks { text: "x".repeat(bytes), lines_left_out: 0, lossy: false };
            room.fit(hunks, &mut left_out) != Diff::LeftOut
        };
        assert_eq!([4, 7, 1, 6].map(&mut fits), [true, false, false, false]);
        assert_eq!(room.fit(Diff::Binary, &mut left_out), Diff::Binary);
        assert_eq!(left_out.diffs, 3);
    }
}
