//! The diff of a change, before it is made and after.
//!
//! Owns which texts it is of. How it is printed is `patch/diff/`'s.

use crate::git_record::EditedFile;
use crate::patch::{DiffFile, DiffLimits, Preview, preview};
use crate::task::{Judged, Readable};

/// The diff of files, for a person or a model: of what they read as.
pub fn diff(files: &[Judged], limits: DiffLimits) -> Preview {
    let readable: Vec<Option<Readable>> = files.iter().map(|file| file.planned.readable(&[])).collect();
    let diffs: Vec<DiffFile<'_>> =
        files.iter().zip(&readable).map(|(file, readable)| diff_file(file, readable.as_ref())).collect();
    preview(&diffs, limits)
}

fn diff_file<'f>(file: &'f Judged, readable: Option<&'f Readable>) -> DiffFile<'f> {
    let file = &file.planned;
    DiffFile {
        path: &file.place.path,
        from: file.from.as_ref().map(|from| &from.path),
        change: file.change,
        mode: if file.new_mode().unwrap_or(0o644) & 0o111 == 0 { 0o100_644 } else { 0o100_755 },
        before_id: file.before_id(),
        after_id: file.after_id(),
        base: readable.map_or(file.base_bytes(), |readable| &readable.before),
        patch: readable.map_or(&file.patch, |readable| &readable.patch),
    }
}

/// The files as `git_record/` wants them.
pub(super) fn edited(files: &[Judged]) -> Vec<EditedFile<'_>> {
    files.iter().map(edited_file).collect()
}

fn edited_file(file: &Judged) -> EditedFile<'_> {
    let edits = &file.report.edits;
    let file = &file.planned;
    EditedFile {
        path: &file.place.path,
        from: file.from.as_ref().map(|from| &from.path),
        change: file.change,
        before: file.base_bytes(),
        after: file.after_bytes(),
        patch: &file.patch,
        edits,
        mode: file.mode,
    }
}
