//! A git commit that a request asks for, against the rules that hold for commits.
//!
//! Owns that a request is no way round `redraft.hookPolicy`, whether hooks are installed or not. The rules are `policy/`'s.

use super::Flow;
use crate::change::ChangeKind;
use crate::git_record::GitTarget;
use crate::policy::{CommitRefusal, CommitRule, refuse_leftovers};
use crate::record::RecordClass;
use crate::task::Judged;

impl Flow<'_> {
    /// Refuses a git commit that `redraft.hookPolicy` would refuse to a person. What takes agents' edits back may be committed.
    pub(super) fn refuse_commit(&self, judged: &[Judged]) -> Result<(), CommitRefusal> {
        if !matches!(self.git, GitTarget::Commit(_)) {
            return Ok(());
        }
        let rules = &self.settings.commit_rules;
        if rules.contains(&CommitRule::Unreviewed) && self.class != RecordClass::Undo {
            return Err(CommitRefusal::Unreviewable);
        }
        let kept = judged.iter().map(|file| &file.planned).filter(|file| file.change != ChangeKind::Delete);
        kept.filter(|_| rules.contains(&CommitRule::Leftovers))
            .try_for_each(|file| refuse_leftovers(&file.place.path, file.base_bytes(), file.after_bytes()))
    }
}
