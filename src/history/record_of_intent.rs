//! The record of a transaction, as far as its intent tells.
//!
//! Owns the way from the journal's entry to a record. Does not know the texts.

use crate::record::{Kept, Record, RecordFile, SpliceRange, VERSION};
use crate::transaction::{Intent, IntentFile};

/// The record that a transaction leaves.
pub fn record_of(intent: &Intent) -> Record {
    Record {
        version: VERSION,
        id: intent.id.clone(),
        kind: intent.class,
        time_ms: intent.time_ms,
        meta: intent.meta.clone(),
        files: intent.files.iter().map(file_of).collect(),
    }
}

fn file_of(file: &IntentFile) -> RecordFile {
    let growth: isize = file.splices.iter().map(|s| s.new.len() as isize - s.old.len() as isize).sum();
    let after_len = file.before_len.checked_add_signed(growth).unwrap_or(0);
    RecordFile {
        path: file.path.clone(),
        from: file.from.clone(),
        change: file.change,
        before: file.before,
        after: file.after,
        before_len: file.before_len,
        after_len: if file.after.is_some() { after_len } else { 0 },
        mode_before: file.mode_before,
        mode_after: file.mode_after,
        state: file.state,
        git_before: None,
        git_after: None,
        kept: Kept::Stored,
        backup: file.backup.clone(),
        lines: None,
        splice_count: file.splices.len(),
        splices: file
            .splices
            .iter()
            .map(|s| SpliceRange {
                before: s.before.clone(),
                after: s.after.clone(),
                edit: s.edit,
                strategy: s.strategy,
            })
            .collect(),
    }
}
