//! A git commit of changes that are in the working tree already, and of nothing else there.
//!
//! Owns the order: lock, find out what is to be committed, refuse, make the commit. No file of the working tree is written, and there is no
//! record of it: the records of the changes are there.

use super::{Flow, notes};
use crate::change::ChangeKind;
use crate::error::Error;
use crate::git_record::{self, Credits, DoneInGit, EditedFile, GitEdit, GitRecordError, Look, Made};
use crate::id::{BlobId, CommitId, RecordId};
use crate::patch::FilePatch;
use crate::path::RepoPath;
use crate::policy::{CommitRefusal, CommitRule, refuse_leftovers};
use crate::record::RecordMeta;
use crate::request::RecordKind;
use crate::state_dir::StateDir;
use crate::text::Encoding;
use crate::transaction::{Plan, State};
use crate::warning::Warning;

/// A change of one file that is in the working tree.
#[derive(Debug, Clone)]
pub struct InPlace {
    /// Where it is (for a deletion: where it was).
    pub path: RepoPath,
    /// Where it was, for a rename.
    pub from: Option<RepoPath>,
    /// What happened to it.
    pub change: ChangeKind,
    /// The raw bytes without the change; empty for a creation.
    pub before: Vec<u8>,
    /// The raw bytes as they are; empty for a deletion.
    pub after: Vec<u8>,
    /// From the one to the other.
    pub patch: FilePatch,
    /// What is staged of it, where that is nothing but HEAD's and of the change.
    pub own_staged: Option<BlobId>,
    /// Permission bits that the change set; none where it left them.
    pub mode: Option<u32>,
    /// What the texts are in, where that is known and not UTF-8.
    pub encoding: Option<Encoding>,
    /// What the records made of it, the oldest first.
    pub made: Vec<Made>,
}

impl InPlace {
    fn edited(&self) -> EditedFile<'_> {
        EditedFile {
            path: &self.path,
            from: self.from.as_ref(),
            change: self.change,
            before: &self.before,
            after: &self.after,
            patch: &self.patch,
            edits: &[],
            made: &self.made,
            inverts: &[],
            own_staged: self.own_staged,
            mode: self.mode,
            encoding: self.encoding,
        }
    }
}

/// What came of it.
#[derive(Debug, Default)]
pub struct Committed {
    /// None in a dry run.
    pub commit: Option<CommitId>,
    /// What is in it.
    pub files: Vec<InPlace>,
    /// What went wrong after the commit was made.
    pub warnings: Vec<Warning>,
}

impl Flow<'_> {
    /// Commits what `found` finds, which is asked under the lock (but in a dry run). `self.git` says how; of the tasks and the rest of the
    /// record nothing is needed.
    ///
    /// # Errors
    /// Where `found` has one, the change does not fit HEAD or the index, the configuration refuses it, or git does. Nothing is written then.
    pub fn commit_in_place(
        &self,
        found: &dyn Fn() -> Result<(Vec<InPlace>, Credits), Error>,
    ) -> Result<Committed, Error> {
        let start = self.env.clock().instant();
        loop {
            match self.commit_once(found) {
                Err(Error::GitRecord(GitRecordError::HeadMoved))
                    if self.env.clock().instant().duration_since(start) < self.lock_timeout =>
                {
                    self.look_at_head_again()?;
                }
                done => return done,
            }
        }
    }

    fn commit_once(&self, found: &dyn Fn() -> Result<(Vec<InPlace>, Credits), Error>) -> Result<Committed, Error> {
        if self.dry_run {
            let (files, _) = found()?;
            self.refuse_in_place(&files)?;
            let edited: Vec<EditedFile<'_>> = files.iter().map(InPlace::edited).collect();
            git_record::check(self.repo, &self.git, &edited, Look::Index)?;
            return Ok(Committed { files, ..Committed::default() });
        }
        let (mut transaction, mut warnings) = self.begin(self.open_root()?, State::open(&StateDir::of(self.repo))?)?;
        self.look_at_head_again()?;
        let (files, credits) = found()?;
        self.refuse_in_place(&files)?;
        let edited: Vec<EditedFile<'_>> = files.iter().map(InPlace::edited).collect();
        let id = RecordId::from_random(self.env.random().map_err(Error::io("draw", "a random id"))?);
        let mut meta = RecordMeta {
            base: self.repo.head_id()?,
            branch: self.repo.branch()?,
            record: RecordKind::None,
            ..self.meta.clone()
        };
        let stage = transaction.state().stage_path();
        let edit = GitEdit {
            repo: self.repo,
            stage: &stage,
            id: &id,
            class: self.class,
            meta: &meta,
            credits: &credits,
            files: &edited,
            lock_timeout: self.lock_timeout,
        };
        let Some(mut git) = git_record::prepare(&self.git, &edit)? else { return Ok(Committed::default()) };
        git.note_in(&mut meta);
        let mut commit = None;
        let mut follow_up = || {
            let DoneInGit { made, warnings: met } = git.finish()?;
            commit = made.commit();
            warnings.extend(met.into_iter().map(Warning::from));
            Ok(())
        };
        let time = self.env.clock().now();
        let mut plan = Plan { id, time, class: self.class, meta, files: Vec::new(), verify: None, follow_up: None };
        plan.follow_up = Some(&mut follow_up);
        transaction.prepare(plan)?.commit()?;
        warnings.extend(notes(&mut transaction));
        Ok(Committed { commit, files, warnings })
    }

    /// Refuses what `redraft.hookPolicy` would refuse to a person; of which records, and whether somebody looked at them, `found` knows.
    fn refuse_in_place(&self, files: &[InPlace]) -> Result<(), CommitRefusal> {
        let rules = &self.settings.commit_rules;
        let kept = files.iter().filter(|file| file.change != ChangeKind::Delete);
        kept.filter(|_| rules.contains(&CommitRule::Leftovers))
            .try_for_each(|file| refuse_leftovers(&file.path, &file.before, &file.after))
    }
}
