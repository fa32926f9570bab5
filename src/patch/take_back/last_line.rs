//! The ending of a last line that had none: who put it there meanwhile wrote nothing of the line.
//!
//! Owns the texts of an edit as they would be, had the file ended in a line ending all along. Proves nothing.
//! Invariant: only where the edit itself left the end of the file without one, before and after.

use super::edit::Edit;

const ENDINGS: [&[u8]; 2] = [b"\r\n", b"\n"];

/// The edit, made where the last line has the ending that today's text gave it; none where that is not what differs.
pub(super) fn with_its_ending(edit: &Edit<'_>, today: &[u8]) -> Option<Edit<'static>> {
    let is_open = |text: &[u8]| !text.is_empty() && !text.ends_with(b"\n");
    if !is_open(edit.before()) || !is_open(edit.after()) {
        return None;
    }
    // Today's last line may be another one: each line of a file has the same ending.
    let first_line = today.split_inclusive(|&byte| byte == b'\n').next()?;
    let ending = ENDINGS.into_iter().find(|ending| first_line.ends_with(ending))?;
    let ended = |text: &[u8]| [text, ending].concat();
    Some(Edit::made_of(ended(edit.before()), ended(edit.after()), edit.changes().to_vec()))
}
