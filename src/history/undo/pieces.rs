//! What of records can be undone by itself: hunks as `show` has them, and files that have none.
//!
//! Owns how what is asked for comes apart. Whether a piece still fits is for a plan to tell.
//! Invariant: two pieces share no splice, and all pieces of a file together are all that is in force of it.

use super::files::Files;
use super::request::{Part, UndoRequest};
use super::select::choose;
use super::whereabouts::Whereabouts;
use crate::change::ChangeKind;
use crate::history::error::HistoryError;
use crate::history::in_force::FileEffect;
use crate::history::query::hunks::{RecordHunk, file_hunks};
use crate::history::reader::History;
use crate::id::RecordId;
use crate::path::RepoPath;
use crate::record::{Record, RecordClass, RecordFile};
use std::collections::{BTreeSet, HashMap};

/// What can be undone by itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// The record.
    pub id: RecordId,
    /// What the record is called.
    pub subject: String,
    /// What of it.
    pub part: Part,
    /// The file, as the record left it, or where it was.
    pub path: RepoPath,
    /// Which of all files it is in: the same number for the same file, also where records call it differently.
    pub row: usize,
    /// What it is.
    pub sort: PieceSort,
}

/// What a piece is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PieceSort {
    /// One hunk, or some that show the same edit.
    Hunk,
    /// The file was made.
    Creation,
    /// The file was removed.
    Deletion,
    /// The new name, with what else is left of the file.
    Rename,
    /// All that was done to a file whose hunks are not told apart.
    File,
}

/// The pieces of what is asked for: file by file, in each the newest record first.
///
/// # Errors
/// As a plan of it, where nothing can be chosen.
pub fn pieces(history: &History<'_>, request: &UndoRequest, files: &Files<'_>) -> Result<Vec<Piece>, HistoryError> {
    let whereabouts = Whereabouts::new(history, files);
    let chosen = choose(request, &whereabouts)?;
    let mut rows: Vec<Vec<Piece>> = Vec::new();
    let mut names: HashMap<RepoPath, usize> = HashMap::new();
    for (item, effect) in &chosen.records {
        let record = history.full(item)?;
        for (n, (file, effect)) in record.files.iter().zip(&effect.files).enumerate() {
            if !whereabouts.is_meant(request, item, n)? {
                continue;
            }
            let row = names.get(&file.path).copied().unwrap_or(rows.len());
            names.extend([Some(&file.path), file.from.as_ref()].into_iter().flatten().map(|name| (name.clone(), row)));
            let left: BTreeSet<usize> = match effect {
                FileEffect::Undone(_) => continue,
                FileEffect::InForce => (0..file.splices.count()).collect(),
                FileEffect::Partly(undone, _) => (0..file.splices.count()).filter(|i| !undone.contains(i)).collect(),
            };
            rows.resize_with(rows.len().max(row + 1), Vec::new);
            let hunks = file_hunks(file, &history.texts(item, &record, n).unwrap_or_default());
            rows[row].extend(of_file((&record, n), row, &hunks, &left));
        }
    }
    Ok(rows.into_iter().flatten().collect())
}

/// The pieces of one file of a record.
fn of_file((record, n): (&Record, usize), row: usize, hunks: &[RecordHunk], left: &BTreeSet<usize>) -> Vec<Piece> {
    let file = &record.files[n];
    let piece = |splices: Option<BTreeSet<usize>>, sort: PieceSort| Piece {
        id: record.id.clone(),
        subject: record.subject(),
        part: Part { file: n, splices },
        path: file.path.clone(),
        row,
        sort,
    };
    let Some(groups) = groups(hunks, left).filter(|_| comes_apart(record, file)) else {
        return vec![piece(None, sort_of_whole(file))];
    };
    let mut found: Vec<Piece> = groups.into_iter().map(|group| piece(Some(group), PieceSort::Hunk)).collect();
    if file.change == ChangeKind::Rename {
        found.push(piece(None, PieceSort::Rename));
    }
    found
}

/// An undo has no hunks of its own.
fn comes_apart(record: &Record, file: &RecordFile) -> bool {
    matches!(record.kind, RecordClass::Edit | RecordClass::External)
        && matches!(file.change, ChangeKind::Modify | ChangeKind::Rename)
}

fn sort_of_whole(file: &RecordFile) -> PieceSort {
    match file.change {
        ChangeKind::Create => PieceSort::Creation,
        ChangeKind::Delete => PieceSort::Deletion,
        ChangeKind::Rename => PieceSort::Rename,
        ChangeKind::Modify => PieceSort::File,
    }
}

/// The splices that go together because a hunk shows them, of those that are left; none where some are in no hunk, or a hunk has
/// none.
fn groups(hunks: &[RecordHunk], left: &BTreeSet<usize>) -> Option<Vec<BTreeSet<usize>>> {
    let mut groups: Vec<BTreeSet<usize>> = Vec::new();
    for hunk in hunks {
        let splices: BTreeSet<usize> = hunk.splices.iter().copied().collect();
        match groups.iter_mut().find(|group| !group.is_disjoint(&splices)) {
            _ if splices.is_empty() => return None,
            Some(group) => group.extend(splices),
            None => groups.push(splices),
        }
    }
    let shown: BTreeSet<usize> = groups.iter().flatten().copied().collect();
    groups.iter_mut().for_each(|group| group.retain(|splice| left.contains(splice)));
    groups.retain(|group| !group.is_empty());
    (!groups.is_empty() && left.is_subset(&shown)).then_some(groups)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(hunks: &[&[usize]], left: &[usize], want: Option<&[&[usize]]>) {
        let hunks: Vec<RecordHunk> =
            hunks.iter().map(|splices| RecordHunk { before: 1..2, after: 1..2, splices: splices.to_vec() }).collect();
        let want = want.map(|groups| groups.iter().map(|group| group.iter().copied().collect()).collect::<Vec<_>>());
        assert_eq!(groups(&hunks, &left.iter().copied().collect()), want, "{hunks:?} {left:?}");
    }

    #[test]
    fn hunks_that_share_a_splice_are_one_piece() {
        check(&[&[0], &[1]], &[0, 1], Some(&[&[0], &[1]]));
        check(&[&[0], &[0, 1], &[2]], &[0, 1, 2], Some(&[&[0, 1], &[2]]));
        check(&[&[0, 1], &[2]], &[1, 2], Some(&[&[1], &[2]]));
        check(&[&[0, 1], &[2]], &[2], Some(&[&[2]]));
    }

    #[test]
    fn what_no_hunk_shows_does_not_come_apart() {
        check(&[], &[], None);
        check(&[&[0], &[]], &[0], None);
        check(&[&[0]], &[0, 1], None);
    }
}
