//! The difference between the files as two records left them.

use super::hunks::git_mode;
use crate::change::ChangeKind;
use crate::git::blob_id;
use crate::history::error::HistoryError;
use crate::history::reader::{History, Item, Scope};
use crate::history::store::index_file::Filter;
use crate::id::BlobId;
use crate::patch::align::Alignment;
use crate::patch::{DiffFile, DiffLimits, FilePatch, Origin, Preview, Replacement, preview};
use crate::path::RepoPath;
use crate::record::Record;
use crate::strategy::Strategy;
use bstr::ByteSlice;
use std::collections::BTreeSet;

/// The patch that turns one text into another, by their alignment.
pub fn patch_between(from: &[u8], to: &[u8]) -> FilePatch {
    let alignment = Alignment::new(from, to);
    let origin = Origin { edit: 0, strategy: Strategy::Exact };
    let mut splices = Vec::new();
    let (mut at_from, mut at_to) = (0, 0);
    for (a, b) in alignment.runs().chain([(from.len()..from.len(), to.len()..to.len())]) {
        if a.start > at_from || b.start > at_to {
            splices.push(Replacement { range: at_from..a.start, bytes: to[at_to..b.start].to_vec() }.by(origin));
        }
        (at_from, at_to) = (a.end, b.end);
    }
    FilePatch::new(from.len(), splices).expect("the gaps of an alignment are sorted and disjoint")
}

/// The diff of one file.
#[derive(Debug)]
pub struct FileDiff {
    /// Where it is, or was where it is gone.
    pub path: RepoPath,
    /// Where it was, for a rename.
    pub from: Option<RepoPath>,
    /// Not cut.
    pub shown: Preview,
    /// How many lines came and went; none where that is not known, as the texts are not kept.
    pub lines: Option<(usize, usize)>,
}

/// The diffs of several files as one.
pub fn as_text(files: &[FileDiff]) -> String {
    files.iter().map(|file| file.shown.text.as_str()).collect()
}

/// The unified diffs from after record `a` to after record `b`, of the files that either touched.
///
/// # Errors
/// Where a record or one of its texts is damaged or missing.
pub fn diff_between(history: &History<'_>, a: &Item, b: &Item) -> Result<Vec<FileDiff>, HistoryError> {
    let mut paths: BTreeSet<RepoPath> = BTreeSet::new();
    for item in [a, b] {
        for file in &item.record.files {
            paths.insert(file.path.clone());
            paths.extend(file.from.clone());
        }
    }
    let mut out = Vec::new();
    for path in paths {
        let (old, new) = (text_after(history, a, &path)?, text_after(history, b, &path)?);
        let change = match (&old, &new) {
            (None, None) => continue,
            (None, Some(_)) => ChangeKind::Create,
            (Some(_), None) => ChangeKind::Delete,
            (Some(old), Some(new)) if (old.id, old.mode) == (new.id, new.mode) => continue,
            (Some(_), Some(_)) => ChangeKind::Modify,
        };
        let text = |left: &'_ Option<Left>| left.as_ref().map_or(&[][..], |left| &left.text).to_vec();
        let (from, to) = (text(&old), text(&new));
        let (from, to) = (&from[..], &to[..]);
        let patch = patch_between(from, to);
        let shown = DiffFile {
            path: &path,
            from: None,
            change,
            mode: new.as_ref().or(old.as_ref()).map_or(0o100_644, |left| left.mode),
            mode_before: old.as_ref().map(|left| left.mode),
            before_id: old.as_ref().map(|left| left.id),
            after_id: new.as_ref().map(|left| left.id),
            base: from,
            patch: &patch,
        };
        let shown = preview(&[shown], DiffLimits { lines: 0, bytes: 0 });
        let lines = Some((shown.lines_added, shown.lines_removed));
        out.push(FileDiff { path, from: None, shown, lines });
    }
    Ok(out)
}

/// A text of a file, as it reads, the id of its bytes, and git's mode.
struct Left {
    id: BlobId,
    mode: u32,
    text: Vec<u8>,
}

/// The text of a file right after a record, as far as records tell: what the newest one up to it left there, else what the
/// oldest one after it found there.
fn text_after(history: &History<'_>, at: &Item, path: &RepoPath) -> Result<Option<Left>, HistoryError> {
    let filter = Filter::of([path.as_bstr().as_bytes()]);
    let mut later: Option<(Item, usize)> = None;
    let mut reached = false;
    for item in history.items(Scope::All, filter)? {
        let item = item?;
        reached |= item.record.id == at.record.id || item.record.time_ms < at.record.time_ms;
        let touched = item.record.files.iter().position(|f| f.path == *path || f.from.as_ref() == Some(path));
        let Some(n) = touched else { continue };
        if !reached {
            later = Some((item, n));
            continue;
        }
        let record = history.full(&item)?;
        let file = &record.files[n];
        let is_gone = file.path != *path || file.after.is_none();
        if is_gone {
            return Ok(None);
        }
        let texts = history.texts(&item, &record, n)?;
        let Some(id) = texts.after().map(blob_id) else { return Ok(None) };
        let texts = file.readable(&texts).map_or(texts, |(_, texts)| texts);
        let mode = git_mode(file.mode_after.or(file.mode_before));
        return Ok(texts.into_after().map(|text| Left { id, mode, text }));
    }
    let Some((item, n)) = later else { return Ok(None) };
    let record: Record = history.full(&item)?;
    let file = &record.files[n];
    let was_there = file.before.is_some() && file.from.as_ref().unwrap_or(&file.path) == path;
    if !was_there {
        return Ok(None);
    }
    let texts = history.texts(&item, &record, n)?;
    let Some(id) = texts.before().map(blob_id) else { return Ok(None) };
    let texts = file.readable(&texts).map_or(texts, |(_, texts)| texts);
    let mode = git_mode(file.mode_before);
    Ok(texts.into_before().map(|text| Left { id, mode, text }))
}
