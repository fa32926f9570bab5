//! Which commits a command found or fetched, and which were made while it ran: so whose the lines are that git put into files meanwhile,
//! whichever way (a merge, a rebase, a pick, a squash, a stash entry), and whatever became of the branches since.
//!
//! Owns that distinction. Whose a line is, by them, `whose_lines` decides. Reads only.
//! Invariant: a commit counts as made meanwhile only if the log of HEAD says so, or, where that may, its own date does, no file of it is older, and
//! its maker is one of those whom that log has; what it has of an older commit, as a copy does, is that one's. What somebody committed meanwhile in
//! another clone, or in a worktree that was there before, is not the command's.

use super::snapshot::{MOST_STASHED, MOST_TIPS, Snapshot};
use super::whose_lines::{Known, Step, Whose, Written, without_edits};
use crate::git::{ChangedFile, Filters, GitCommit, GitForm, Made, Repo, RepoError, Which, blob_id};
use crate::id::{BlobId, CommitId};
use crate::path::RepoPath;
use std::cell::OnceCell;
use std::collections::{BTreeSet, HashMap, HashSet};

/// So many branches, the youngest, are looked into.
const MOST_ASKED: usize = 64;

/// So many commits are looked into at once, and so many of one file.
const MOST_COMMITS: usize = 1000;

/// The commits beside what HEAD was when a command began.
pub(super) struct Others<'r> {
    repo: &'r Repo,
    start: Option<CommitId>,
    began_ns: i128,
    /// How many bytes the log of HEAD had.
    log: u64,
    /// Where branches were, and entries of the stash, the newest first.
    tips: Vec<CommitId>,
    stashed: Vec<CommitId>,
    /// Whether git wrote its index since, as it does whenever it writes files.
    has_moved: bool,
    /// Whether something tells that git brought anything: that a command types what a branch has is the likelier else, but for a whole file.
    has_brought: bool,
    found: OnceCell<Option<Found>>,
}

/// All of them that could be looked into at once, with who made commits meanwhile; none where there are more.
struct Found {
    tips: Vec<CommitId>,
    commits: Option<Vec<GitCommit>>,
    makers: BTreeSet<Vec<u8>>,
    /// Those that HEAD's log has as made of what was in the tree.
    made: BTreeSet<CommitId>,
    /// Those that it has as perhaps made here; none where there is no log.
    created: Option<BTreeSet<CommitId>>,
    /// How many of all commits somebody wrote at a time: a copy has the same as what it was made of.
    written: OnceCell<HashMap<(i64, Vec<u8>), usize>>,
}

/// What commits did to one file.
struct OfFile {
    git: Written,
    command: Written,
    /// Its texts in commits of the first kind, and of the other.
    texts: [HashSet<BlobId>; 2],
}

/// When a commit was made.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Age {
    /// It was there before, or was fetched.
    Found,
    /// While the command ran.
    Made,
    /// It was made then, as a copy of one that nobody knows.
    Copied,
}

impl<'r> Others<'r> {
    /// Those beside what HEAD was at a look.
    ///
    /// # Errors
    /// Where HEAD cannot be read.
    pub(super) fn since(repo: &'r Repo, snapshot: &Snapshot) -> Result<Self, RepoError> {
        let (tips, stashed) = (snapshot.tips.clone(), snapshot.stashed.clone());
        let (start, began_ns, log) = (snapshot.head.id, snapshot.began_ns, snapshot.head.log);
        let has_moved = repo.has_written_index_since(began_ns) || repo.head_id()? != start;
        let is_plain = repo.has_only_commits_behind(log) && (log > 0 || repo.head_id()? == start);
        let has_brought = !is_plain || repo.has_trace_since(began_ns) || repo.stashed(MOST_STASHED) != stashed;
        Ok(Self { repo, start, began_ns, log, tips, stashed, has_moved, has_brought, found: OnceCell::new() })
    }

    /// What a file was before the command edited it, as far as other commits tell; none where they tell nothing.
    pub(super) fn without_edits(
        &self,
        path: &RepoPath,
        (before, after): (&[u8], &[u8]),
        asked: Asked,
    ) -> Option<Vec<u8>> {
        if !self.has_moved || before == after {
            return None;
        }
        let of_file = self.of_file(path).ok()??;
        if asked == Asked::OfTheCommand && of_file.command.is_empty() {
            return None;
        }
        let text = |commit: Option<CommitId>| match commit {
            Some(commit) => {
                let entry = self.repo.entry_in(commit, path)?;
                entry.map_or(Ok(Vec::new()), |entry| self.repo.checked_out(path, entry.id, Filters::Run))
            }
            None => Ok(Vec::new()),
        };
        let heads = [text(self.start).ok()?, text(self.repo.head_id().ok()?).ok()?];
        if of_file.git.is_empty() && heads[0] == heads[1] {
            return None;
        }
        let rest = if asked == Asked::OfTheCommand { Whose::Git } else { Whose::Command };
        let known = Known { git: &of_file.git, command: &of_file.command, heads: [&heads[0], &heads[1]], rest };
        let found = without_edits(before, after, &known);
        // Of a new file there is all of one that a commit has, or nothing.
        let [git, command] = of_file.texts.map(|texts| texts.contains(&blob_id(&found)));
        let is_one = !before.is_empty() || git;
        // What git had of it, and nobody committed, git put there.
        let is_brought = self.has_brought || found == after || (!command && self.has_stored(path, &found));
        (is_one && is_brought).then_some(found)
    }

    fn has_stored(&self, path: &RepoPath, text: &[u8]) -> bool {
        match self.repo.git_form(path, text) {
            Ok(GitForm::Same) => self.repo.has_blob(blob_id(text)),
            Ok(GitForm::Converted(form)) => self.repo.has_blob(blob_id(&form)),
            Ok(GitForm::Filtered) | Err(_) => false,
        }
    }

    /// What commits did to a file; none where there are too many.
    fn of_file(&self, path: &RepoPath) -> Result<Option<OfFile>, RepoError> {
        let Some(found) = self.found.get_or_init(|| self.find().ok()) else { return Ok(None) };
        let own;
        let commits = match &found.commits {
            Some(commits) => commits,
            None => {
                own = self.repo.commits_beside(&found.tips, (self.start, Which::Of(path)), MOST_COMMITS)?;
                &own
            }
        };
        let is_of = |file: &ChangedFile| file.path == *path || file.from.as_ref() == Some(path);
        let touching: Vec<&GitCommit> = commits.iter().filter(|commit| commit.files.iter().any(is_of)).collect();
        if touching.len() >= MOST_COMMITS || (found.commits.is_none() && commits.len() >= MOST_COMMITS) {
            return Ok(None);
        }
        let made: Vec<Option<Made>> = touching.iter().map(|commit| self.repo.made_by(commit.id)).collect();
        let (mut git, mut command) = (Vec::new(), Vec::new());
        for (n, commit) in touching.iter().enumerate() {
            let age = self.age(commit.id, made[n].as_ref(), found);
            for file in commit.files.iter().filter(|file| is_of(file)) {
                let step = self.step(path, file)?;
                match age {
                    Age::Found | Age::Copied => git.push(step),
                    Age::Made => command.push(step),
                }
            }
        }
        for entry in &self.stashed {
            git.extend(self.stashed_step(path, *entry)?);
        }
        let texts = [&git, &command].map(|steps| steps.iter().map(|step| blob_id(&step.new)).collect());
        Ok(Some(OfFile { git: Written::by(&git), command: Written::by(&command), texts }))
    }

    fn find(&self) -> Result<Found, RepoError> {
        let repo = self.repo;
        let mut all: Vec<CommitId> = self.tips.iter().copied().chain(repo.tips(MOST_TIPS)).collect();
        all.sort_unstable();
        all.dedup();
        let mut tips = repo.youngest(&all, MOST_ASKED)?;
        tips.extend(repo.put_aside().into_iter().filter(|id| repo.has_commit(*id)));
        tips.extend(repo.head_id()?);
        let mut commits = repo.commits_beside(&tips, (self.start, Which::All), MOST_COMMITS)?;
        // What HEAD has left, a rebase may be about to bring again.
        let head = repo.head_id()?;
        if let Some(start) = self.start.filter(|_| head != self.start) {
            commits.extend(repo.commits_beside(
                &[start],
                (head, Which::All),
                MOST_COMMITS - commits.len().min(MOST_COMMITS),
            )?);
        }
        let commits = (commits.len() < MOST_COMMITS).then_some(commits);
        let (makers, made) = (repo.makers_behind(self.log), repo.made_behind(self.log));
        let created = repo.created_behind(self.log, self.began_ns);
        Ok(Found { tips, commits, makers, made, created, written: OnceCell::new() })
    }

    fn age(&self, id: CommitId, made: Option<&Made>, found: &Found) -> Age {
        if found.made.contains(&id) {
            return Age::Made;
        }
        if found.created.as_ref().is_some_and(|created| !created.contains(&id)) {
            return Age::Found;
        }
        let Some(own) = made else { return Age::Found };
        let began_s = self.began_s();
        let is_theirs = found.makers.is_empty() || found.makers.contains(&own.by);
        if own.time_s < began_s || !is_theirs || self.repo.has_older_file(id, self.began_ns) {
            return Age::Found;
        }
        if own.written_s >= began_s {
            return Age::Made;
        }
        // Who wrote it first: a commit that it was made of, perhaps one that HEAD had.
        let written = found.written.get_or_init(|| {
            let mut written = HashMap::new();
            let all = found.commits.iter().flatten().filter_map(|commit| self.repo.made_by(commit.id));
            all.for_each(|made| *written.entry((made.written_s, made.written_by)).or_default() += 1);
            written
        });
        let is_here = written.get(&(own.written_s, own.written_by.clone())).is_some_and(|count| *count > 1);
        let had = || self.start.is_some_and(|start| self.repo.has_written(start, own));
        if is_here || had() { Age::Made } else { Age::Copied }
    }

    fn began_s(&self) -> i64 {
        i64::try_from(self.began_ns / 1_000_000_000).unwrap_or(i64::MAX)
    }

    fn step(&self, path: &RepoPath, file: &ChangedFile) -> Result<Step, RepoError> {
        let text = |id: Option<BlobId>| match id {
            Some(id) => self.repo.checked_out(path, id, Filters::Run),
            None => Ok(Vec::new()),
        };
        let old = file.old.iter().map(|old| text(*old)).collect::<Result<_, _>>()?;
        // Where it got another name, it is gone here.
        let new = if file.path == *path { text(file.new)? } else { Vec::new() };
        Ok(Step { old, new })
    }

    /// What an entry of the stash did to a file: against HEAD as it was then, or as one that git did not track.
    fn stashed_step(&self, path: &RepoPath, entry: CommitId) -> Result<Option<Step>, RepoError> {
        let text = |commit: CommitId| match self.repo.entry_in(commit, path)? {
            Some(entry) => self.repo.checked_out(path, entry.id, Filters::Run).map(Some),
            None => Ok(None),
        };
        let parents = self.repo.parents(entry);
        let untracked = parents.get(2).map(|untracked| text(*untracked)).transpose()?.flatten();
        let old = parents.first().map(|base| text(*base)).transpose()?.flatten();
        let new = text(entry)?.or(untracked);
        let is_other = old != new;
        Ok(is_other.then(|| Step { old: vec![old.unwrap_or_default()], new: new.unwrap_or_default() }))
    }
}

/// What is asked of the commits beside.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Asked {
    /// What git brought into a file that was edited.
    OfGit,
    /// What of a file that git brought is an edit, as a commit has it that was made meanwhile.
    OfTheCommand,
}
