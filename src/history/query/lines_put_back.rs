//! Which records wrote lines that are in no commit, and to which the way back from the file as it is does not lead: somebody put the edit away
//! (`git stash`), another one was made meanwhile, and both are in the file now.
//!
//! Owns that question. Who wrote the lines of commits `lines_by_commits` finds.
//! Invariant: a line is given to a record only if the log has it in force, no commit holds it, and it is one that the record's own diff adds, in its place.

use super::commits::commits_of;
use super::line_maps::lines_written;
use super::lines_by_records::{BlamedRecord, Newest, Of, by_records};
use crate::history::error::HistoryError;
use crate::history::in_force::{FileEffect, Whose};
use crate::history::reader::{History, Item, Scope};
use crate::history::store::index_file::Filter;
use crate::id::RecordId;
use crate::path::RepoPath;
use crate::record::{RecordClass, RecordedTexts};
use crate::text::has_word;
use bstr::ByteSlice;
use std::collections::{HashMap, HashSet};

/// So many records of a file are asked, the newest first.
const MOST_RECORDS: usize = 64;

/// Gives lines that have neither a record nor a commit to records of this worktree that are in force; `committed` says which have a commit.
///
/// # Errors
/// Where the history cannot be read.
pub(super) fn put_back(
    history: &History<'_>,
    (path, text): (&RepoPath, &[u8]),
    committed: &[bool],
    found: &mut [Option<BlamedRecord>],
) -> Result<(), HistoryError> {
    let lines: Vec<&[u8]> = text.split_inclusive(|&byte| byte == b'\n').collect();
    let is_open = |found: &[Option<BlamedRecord>], n: usize| found[n].is_none() && !committed[n] && has_word(lines[n]);
    let mut open: HashSet<&[u8]> = (0..lines.len()).filter(|&n| is_open(found, n)).map(|n| lines[n]).collect();
    let filter = Filter::of([path.as_bstr().as_bytes()]);
    let mut newer: HashSet<RecordId> = HashSet::new();
    for one in history.effects(Scope::Own, filter)?.take(MOST_RECORDS) {
        if open.is_empty() {
            break;
        }
        let (item, effect) = one?;
        let at = item.record.files.iter().position(|file| file.path == *path);
        let in_force = at.filter(|&n| effect.files[n] == FileEffect::InForce && item.record.kind == RecordClass::Edit);
        let mut left = in_force.map(|n| written(history, &item, n, &open)).unwrap_or_default();
        for (line, _) in
            lines.iter().zip(&*found).filter(|(_, by)| by.as_ref().is_some_and(|by| by.id == item.record.id))
        {
            take(&mut left, line);
        }
        // What was committed, and taken out again, a person writes anew.
        let is_uncommitted = || commits_of(history, [&item]).iter().all(Vec::is_empty);
        if !newer.is_empty() && !left.is_empty() && is_uncommitted() {
            let is_newer = |item: &Item| newer.contains(&item.record.id);
            let newest = Newest { of: Of::Commit, but: Some(&is_newer), skip: 0, whose: Whose::Own };
            let mut more = vec![None; found.len()];
            by_records(history, (path, text), newest, &mut more)?;
            for (n, more) in more.into_iter().enumerate() {
                let is_its = |more: &BlamedRecord| more.id == item.record.id && is_open(found, n);
                if let Some(more) = more.filter(|more| is_its(more) && take(&mut left, lines[n])) {
                    found[n] = Some(more);
                    open.remove(lines[n]);
                }
            }
        }
        newer.insert(item.record.id);
    }
    Ok(())
}

/// Of some lines those that a record's own diff of a file adds, each so many times.
fn written<'t>(history: &History<'_>, item: &Item, n: usize, open: &HashSet<&'t [u8]>) -> HashMap<&'t [u8], usize> {
    let mut written = HashMap::new();
    let Some(record) = history.full_if_whole(item) else { return written };
    let texts: RecordedTexts = history.texts_if_whole(item, &record, n);
    for line in lines_written(&record.files[n], &texts).filter_map(|line| open.get(line)) {
        *written.entry(*line).or_default() += 1;
    }
    written
}

/// Whether there was one left of a line.
fn take(left: &mut HashMap<&[u8], usize>, line: &[u8]) -> bool {
    let Some(count) = left.get_mut(line) else { return false };
    *count -= 1;
    if *count == 0 {
        left.remove(line);
    }
    true
}
