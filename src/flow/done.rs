//! What a change came to.
//!
//! Owns how far it can go. How that is answered is `usecase/`'s.

use crate::git_record::{GitResult, GitTarget, GitWarning};
use crate::id::RecordId;
use crate::task::Judged;
use crate::warning::Warning;
use std::path::{Path, PathBuf};

/// A change that is done, or in a dry run would be.
#[derive(Debug)]
pub struct Done {
    /// In the order of the tasks.
    pub files: Vec<Judged>,
    /// How far it went.
    pub end: End,
    /// What went wrong after the commit point, and what the tasks had to say.
    pub warnings: Vec<Warning>,
}

/// How far a change went.
#[derive(Debug)]
pub enum End {
    /// Nothing was to be written.
    DryRun,
    /// The edit is in the stash only; the working tree is as it was.
    Shelved(GitResult),
    /// The files are written.
    Written(Written),
}

/// A change whose files are written.
#[derive(Debug, Clone)]
pub struct Written {
    /// Of the record.
    pub id: RecordId,
    /// The folder of the old files; none where nothing was replaced.
    pub backup: Option<PathBuf>,
    /// What was made in git.
    pub in_git: GitResult,
}

/// What is to be known of all files and the places of their edits.
pub(super) fn to_be_known(judged: &[Judged], git: &GitTarget<'_>) -> Vec<Warning> {
    let ignored = if let GitTarget::Staged(staged) = git { staged.ignored() } else { Vec::new() };
    let ignored = ignored.into_iter().map(|path| GitWarning::IgnoredNotStaged(path).into());
    let of_files = judged.iter().flat_map(|Judged { report, .. }| {
        let uncertain = report.uncertain.iter();
        let uncertain =
            uncertain.map(|(edit, uncertain)| Warning::Uncertain { edit: *edit, uncertain: uncertain.clone() });
        uncertain.chain(report.overruled.clone().map(Warning::EncodingOverruled))
    });
    of_files.chain(ignored).collect()
}

impl Done {
    /// Whether nothing was to be written.
    pub fn is_dry_run(&self) -> bool {
        matches!(self.end, End::DryRun)
    }

    /// Whether the files are written.
    pub fn is_applied(&self) -> bool {
        self.written().is_some()
    }

    /// The id of the record; none where nothing was written.
    pub fn id(&self) -> Option<&RecordId> {
        self.written().map(|written| &written.id)
    }

    /// The folder of the old files; none where nothing was replaced.
    pub fn backup(&self) -> Option<&Path> {
        self.written()?.backup.as_deref()
    }

    /// What was made in git; none in a dry run.
    pub fn in_git(&self) -> Option<GitResult> {
        match &self.end {
            End::DryRun => None,
            End::Shelved(in_git) => Some(*in_git),
            End::Written(written) => Some(written.in_git),
        }
    }

    fn written(&self) -> Option<&Written> {
        match &self.end {
            End::Written(written) => Some(written),
            End::DryRun | End::Shelved(_) => None,
        }
    }
}
