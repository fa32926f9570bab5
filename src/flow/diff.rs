//! The diff of a change, before it is made and after.
//!
//! Owns which texts it is of. How it is printed is `patch/diff/`'s.

use crate::git_record::EditedFile;
use crate::patch::{DiffFile, DiffLimits, FilePatch, Preview, Readable, preview, without_mark};
use crate::task::{Judged, Report};

/// The diff of files, for a person or a model: of what they read as.
pub fn diff(files: &[Judged], limits: DiffLimits) -> Preview {
    let read = |file: &Judged| {
        let Readable { before, patch, .. } = file.planned.readable(&[])?;
        Some(without_mark(before.as_bytes(), &patch))
    };
    let read: Vec<Option<(Vec<u8>, FilePatch)>> = files.iter().map(read).collect();
    let diffs: Vec<DiffFile<'_>> = files.iter().zip(&read).map(|(file, read)| diff_file(file, read.as_ref())).collect();
    preview(&diffs, limits)
}

fn diff_file<'f>(file: &'f Judged, read: Option<&'f (Vec<u8>, FilePatch)>) -> DiffFile<'f> {
    let file = &file.planned;
    DiffFile {
        path: &file.place.path,
        from: file.from.as_ref().map(|from| &from.path),
        change: file.change,
        mode: if file.new_mode().unwrap_or(0o644) & 0o111 == 0 { 0o100_644 } else { 0o100_755 },
        mode_before: None,
        before_id: file.before_id(),
        after_id: file.after_id(),
        base: read.map_or(file.base_bytes(), |(before, _)| before),
        patch: read.map_or(&file.patch, |(_, patch)| patch),
    }
}

/// The files as `git_record/` wants them.
pub(super) fn edited(files: &[Judged]) -> Vec<EditedFile<'_>> {
    files.iter().map(edited_file).collect()
}

fn edited_file(file: &Judged) -> EditedFile<'_> {
    let Report { edits, inverts, .. } = &file.report;
    let file = &file.planned;
    EditedFile {
        path: &file.place.path,
        from: file.from.as_ref().map(|from| &from.path),
        change: file.change,
        before: file.base_bytes(),
        after: file.after_bytes(),
        patch: &file.patch,
        edits,
        inverts,
        own_staged: None,
        mode: file.mode,
        encoding: file.encoding,
        made: &[],
    }
}
