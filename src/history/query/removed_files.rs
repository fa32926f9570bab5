//! Where a file is that a git commit took away, and gave no other name: under one that the commit made, or one before it.
//!
//! Owns that look, at the texts of files that the commit made, and, where what the record left was never in git under its name, at those that git has now.
//! Invariant: one file alone is named, and none that git had when the record was made.

use super::line_maps::line_map;
use super::text_now::text_now;
use crate::git::{ChangedFile, GitCommit, Index, IndexLookup, blob_id};
use crate::history::error::HistoryError;
use crate::history::reader::{History, Item};
use crate::id::BlobId;
use crate::path::RepoPath;
use crate::record::RecordFile;
use bstr::ByteSlice;
use std::collections::HashSet;

/// So many files that a commit made are read.
const MOST_READ: usize = 64;

/// The name that a commit which removed file `n` of a record under the name `name` leaves its text.
///
/// # Errors
/// Where git's objects or the index cannot be read.
pub(super) fn name_of_removed(
    history: &History<'_>,
    (item, n): (&Item, usize),
    name: &RepoPath,
    commit: &GitCommit,
) -> Result<Option<RepoPath>, HistoryError> {
    let (repo, file, base) = (history.repo(), &item.record.files[n], item.record.meta.base);
    let is_new = |path: &RepoPath| base.is_none_or(|base| repo.entry_in(base, path).is_ok_and(|entry| entry.is_none()));
    let is_removed = |changed: &&ChangedFile| changed.path == *name && changed.new.is_none();
    let was_left = |id: BlobId| [file.after, file.git_after].contains(&Some(id));
    let is_made = |changed: &&ChangedFile| changed.from.is_none() && changed.old.iter().all(Option::is_none);
    let made: Vec<&ChangedFile> = commit.files.iter().filter(is_made).filter(|made| is_new(&made.path)).collect();
    if made.len() <= MOST_READ && !made.is_empty() {
        return Ok(one(versions_of(history, (item, n), &made)?));
    }
    // What the record did was in git under no name that was removed: then it may be under another, whole.
    let found = |id: &Option<BlobId>| id.is_some() && [file.before, file.git_before].contains(id);
    if !commit.files.iter().find(is_removed).is_some_and(|removed| removed.old.iter().any(found)) || is_empty(file) {
        return Ok(None);
    }
    let index = repo.read_index(&repo.index_path())?;
    let whole: Vec<RepoPath> = index.paths_of(&was_left).filter(is_new).collect();
    if !whole.is_empty() {
        return Ok(one(whole));
    }
    if let Some(moved) = left_untracked(history, file, &is_new)? {
        return Ok(Some(moved));
    }
    // Somebody may have written in it since.
    let Some(base) = base.filter(|base| repo.has_commit(*base)) else { return Ok(None) };
    let is_it = |changed: &ChangedFile| changed.from.as_ref() == Some(name) || is_made(&changed);
    let came = repo.changed_since(base)?.into_iter().filter(|changed| is_it(changed) && is_new(&changed.path));
    let came: Vec<ChangedFile> = came.filter_map(|changed| as_staged(&index, changed)).take(MOST_READ + 1).collect();
    let came: Vec<&ChangedFile> = came.iter().collect();
    if came.len() > MOST_READ { Ok(None) } else { Ok(one(versions_of(history, (item, n), &came)?)) }
}

/// The one file that git does not know with just what a record left, and that is new: somebody moved it there, and committed only that it went.
fn left_untracked(
    history: &History<'_>,
    file: &RecordFile,
    is_new: &dyn Fn(&RepoPath) -> bool,
) -> Result<Option<RepoPath>, HistoryError> {
    let repo = history.repo();
    let length = file.splices.after_len() as u64;
    let is_as_long = |path: &RepoPath| {
        let found = repo.root().join(path.to_path()).symlink_metadata();
        found.is_ok_and(|found| found.is_file() && found.len() == length)
    };
    let is_left = |path: &RepoPath| text_now(history, path).is_some_and(|text| file.after == Some(blob_id(&text)));
    let others = repo.start_other_files()?.done()?;
    Ok(one(others.into_iter().filter(|path| is_as_long(path) && is_new(path) && is_left(path)).collect()))
}

/// A file as the index has it; none where that has none.
fn as_staged(index: &Index, changed: ChangedFile) -> Option<ChangedFile> {
    match index.lookup(&changed.path) {
        IndexLookup::Entry(entry) => Some(ChangedFile { new: Some(entry.id), ..changed }),
        IndexLookup::Missing | IndexLookup::Unmerged | IndexLookup::AsInHead => None,
    }
}

/// Those of these files of which most lines were left by a record, and one was written.
fn versions_of(
    history: &History<'_>,
    (item, n): (&Item, usize),
    made: &[&ChangedFile],
) -> Result<Vec<RepoPath>, HistoryError> {
    let Some(record) = history.full_if_whole(item) else { return Ok(Vec::new()) };
    let texts = history.texts_if_whole(item, &record, n);
    let Some(left) = texts.after() else { return Ok(Vec::new()) };
    let mut found = Vec::new();
    for changed in made {
        let Some(new) = changed.new else { continue };
        // A submodule, or what a partial clone does not have.
        let Ok(text) = history.repo().blob(&new) else { continue };
        if is_version(texts.before().unwrap_or_default(), left, &text) {
            found.push(changed.path.clone());
        }
    }
    Ok(found)
}

fn is_empty(file: &RecordFile) -> bool {
    file.after.is_none_or(|after| after == blob_id(b""))
}

/// The one that there is; none of several.
pub(super) fn one(found: Vec<RepoPath>) -> Option<RepoPath> {
    <[RepoPath; 1]>::try_from(found).ok().map(|[one]| one)
}

/// Whether most lines of the longer of two texts stand in both, and among them one that the record wrote.
pub(super) fn is_version(before: &[u8], left: &[u8], text: &[u8]) -> bool {
    let lines: Vec<&[u8]> = text.lines_with_terminator().collect();
    let old: HashSet<&[u8]> = before.lines_with_terminator().collect();
    let has_word = |line: &[u8]| line.iter().any(u8::is_ascii_alphanumeric);
    let map = line_map(text, left);
    let stays: Vec<&[u8]> = map.iter().zip(&lines).filter_map(|(at, line)| at.map(|_| *line)).collect();
    let is_most = 2 * stays.len() > lines.len().max(left.lines_with_terminator().count());
    is_most && stays.iter().any(|line| has_word(line) && !old.contains(line))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is(before: &str, left: &str, text: &str) -> bool {
        is_version(before.as_bytes(), left.as_bytes(), text.as_bytes())
    }

    #[test]
    fn a_text_is_a_version_of_another_with_most_lines_of_the_longer_one() {
        let left = "a\nb\nc\nnew\n";
        assert!(is("a\nb\nc\n", left, left) && is("", left, "a\nb\nother\nnew\n"));
        assert!(!is("", left, "a\nnew\nother\nlines\n"), "half of them");
        assert!(!is("", "a\nnew\n", "a\nnew\n1\n2\n3\n") && !is("", "a\nnew\n1\n2\n3\n", "a\nnew\n"));
    }

    #[test]
    fn a_text_without_a_line_of_words_that_was_written_is_no_version() {
        assert!(!is("a\nb\n", "a\nb\nnew\n", "a\nb\n"));
        assert!(!is("a\nb\n", "a\nb\n}\n", "a\nb\n}\n"));
        assert!(is("a\nb\n", "a\nb\n} else\n", "a\nb\n} else\n"));
    }
}
