//! What a report lacks, in sentences: for the page, and for who made it.

use super::html::counted;
use crate::usecase::report::Report;

/// What may be too much for a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lack {
    /// Records, the oldest.
    Records,
    /// Diffs, those of the oldest records.
    Diffs,
    /// Parts of diffs.
    CutDiffs,
    /// Whose today's lines are.
    Shares,
}

/// What the report lacks, in sentences.
pub fn left_out(report: &Report) -> Vec<(Lack, String)> {
    let left = &report.left_out;
    let mut told = Vec::new();
    if left.older_records {
        told.push((
            Lack::Records,
            format!("older records are left out: these are the newest {}", report.records.len()),
        ));
    }
    if left.diffs > 0 {
        let said = format!("there is no room for {}, those of the oldest records", counted(left.diffs, "diff"));
        told.push((Lack::Diffs, said));
    }
    if left.cut_diffs > 0 {
        told.push((Lack::CutDiffs, format!("{} cut, as their records say", counted_are(left.cut_diffs, "long diff"))));
    }
    if left.shares > 0 {
        let said =
            format!("whose today's lines are is not told of {} with few changed lines", counted(left.shares, "file"));
        told.push((Lack::Shares, said));
    }
    told
}

fn counted_are(n: usize, what: &str) -> String {
    format!("{} {}", counted(n, what), if n == 1 { "is" } else { "are" })
}
