//! What a report lacks, in sentences: for the page, and for who made it.

use super::html::counted;
use crate::usecase::report::Report;

/// What the report lacks, in sentences.
pub fn left_out(report: &Report) -> Vec<String> {
    let left = &report.left_out;
    let told = [
        (left.older_records, format!("older records are left out: these are the newest {}", report.records.len())),
        (left.diffs > 0, format!("there is no room for {}, those of the oldest records", counted(left.diffs, "diff"))),
        (left.cut_diffs > 0, format!("{} cut, as their records say", counted_are(left.cut_diffs, "long diff"))),
        (
            left.shares > 0,
            format!("whose today's lines are is not told of {} with few changed lines", counted(left.shares, "file")),
        ),
    ];
    told.into_iter().filter(|(is_so, _)| *is_so).map(|(_, told)| told).collect()
}

fn counted_are(n: usize, what: &str) -> String {
    format!("{} {}", counted(n, what), if n == 1 { "is" } else { "are" })
}
