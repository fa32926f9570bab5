//! The hunks of a record, as `show` numbers them: 1-based, through all files.
//!
//! A hunk is a group of lines in the diff, a splice is what an edit replaced; one splice may show as several hunks, and
//! one hunk may show several splices. Undo knows only splices, so hunks that share one go together.

use crate::change::ChangeKind;
use crate::patch::{DiffFile, DiffLimits, Hunks, Preview, preview, without_mark};
use crate::record::{Record, RecordFile, RecordedTexts};
use crate::text::Lines;
use std::ops::Range;

/// One hunk of a file's diff.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordHunk {
    /// 1-based lines of the text before.
    pub before: Range<usize>,
    /// 1-based lines of the text after.
    pub after: Range<usize>,
    /// The 0-based indexes of the splices that it shows.
    pub splices: Vec<usize>,
}

/// The uncut diff of one file of a record; empty where the texts are not to be had.
pub fn file_diff(file: &RecordFile, texts: &RecordedTexts) -> Preview {
    let read = file.readable(texts);
    let (file, texts) = read.as_ref().map_or((file, texts), |(file, texts)| (file, texts));
    let Some(patch) = file.patch(texts) else { return Preview::default() };
    let base = texts.before().unwrap_or_default();
    let unmarked = read.as_ref().map(|_| without_mark(base, &patch));
    let (base, patch) = unmarked.as_ref().map_or((base, &patch), |(base, patch)| (base, patch));
    let shown = DiffFile {
        path: &file.path,
        from: file.from.as_ref(),
        change: file.change,
        mode: git_mode(file.mode_after.or(file.mode_before)),
        mode_before: file.mode_before.zip(file.mode_after).map(|(before, _)| git_mode(Some(before))),
        before_id: file.before,
        after_id: file.after,
        base,
        patch,
    };
    preview(&[shown], DiffLimits { lines: 0, bytes: 0 })
}

/// A mode as a tree of git's has it; that of most files where it is not known.
pub(super) fn git_mode(mode: Option<u32>) -> u32 {
    if mode.unwrap_or(0o644) & 0o111 == 0 { 0o100_644 } else { 0o100_755 }
}

/// The hunks of one file's diff, with the splices that they show.
pub fn file_hunks(file: &RecordFile, texts: &RecordedTexts) -> Vec<RecordHunk> {
    let read = file.readable(texts);
    let (file, texts) = read.as_ref().map_or((file, texts), |(file, texts)| (file, texts));
    let (Some(patch), Some((before, after))) = (file.patch(texts), texts.both(file)) else { return Vec::new() };
    let mut hunks: Vec<RecordHunk> = Hunks::new(before, &patch)
        .map(|hunk| RecordHunk { before: hunk.before, after: hunk.after, splices: Vec::new() })
        .collect();
    if matches!(file.change, ChangeKind::Create | ChangeKind::Delete) {
        hunks.iter_mut().for_each(|hunk| hunk.splices = (0..file.splices.count()).collect());
        return hunks;
    }
    let (old, new) = (Lines::new(before), Lines::new(after));
    let pieces = file.redo_pieces(texts, None).unwrap_or_default();
    for (n, piece) in pieces {
        let old_lines = lines_of(&old, &piece.range);
        let splice = &file.splices.ranges()[n];
        let start = splice.after.start + (piece.range.start - splice.before.start);
        let new_lines = lines_of(&new, &(start..start + piece.replacement.len()));
        let meets = |a: &Range<usize>, b: &Range<usize>| !a.is_empty() && a.start < b.end && b.start < a.end;
        for hunk in &mut hunks {
            if meets(&old_lines, &hunk.before) || meets(&new_lines, &hunk.after) {
                hunk.splices.push(n);
            }
        }
    }
    hunks
}

/// The 1-based lines that some bytes touch; none for no bytes.
fn lines_of(lines: &Lines, range: &Range<usize>) -> Range<usize> {
    if range.is_empty() {
        return 0..0;
    }
    lines.number_at(range.start)..lines.number_at(range.end - 1) + 1
}

/// For every hunk of a record, in the numbering of `show`: the 0-based file, and the splices.
pub fn record_hunks(record: &Record, mut texts: impl FnMut(usize) -> RecordedTexts) -> Vec<(usize, RecordHunk)> {
    let files = record.files.iter().enumerate();
    files.flat_map(|(n, file)| file_hunks(file, &texts(n)).into_iter().map(move |hunk| (n, hunk))).collect()
}
