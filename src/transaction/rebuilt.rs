//! The old text of an edit whose backup is damaged or gone.
//!
//! Owns how it is made: what the next edit of the text found, or what stands there today, with the edit taken back. Reads no file itself.
//! Invariant: what is given has the recorded blob id.

use super::intent::{Intent, IntentFile};
use crate::git::blob_id;
use crate::path::RepoPath;

/// Ways to texts.
pub struct Texts<'a> {
    /// The backup of a file, if it is whole.
    pub backup: &'a dyn Fn(&IntentFile) -> Option<Vec<u8>>,
    /// What a file holds today.
    pub today: &'a dyn Fn(&RepoPath) -> Option<Vec<u8>>,
}

impl Texts<'_> {
    /// The text before file `n` of the first of these entries, the others being those that came later.
    pub fn before<'i>(&self, entries: impl Iterator<Item = &'i Intent> + Clone, n: usize) -> Option<Vec<u8>> {
        let mut later = entries;
        let mut file = later.next()?.files.get(n)?;
        let mut taken_back: Vec<&IntentFile> = Vec::new();
        let mut text = loop {
            if let Some(text) = self.own(file) {
                break text;
            }
            taken_back.push(file);
            let found_by = |intent: &'i Intent| intent.files.iter().find(|next| next.before == file.after);
            match later.find_map(found_by) {
                Some(next) => file = next,
                None => break (self.today)(&file.path).filter(|text| Some(blob_id(text)) == file.after)?,
            }
        };
        for file in taken_back.into_iter().rev() {
            text = file.invert(&text).filter(|before| Some(blob_id(before)) == file.before)?;
        }
        Some(text)
    }

    /// What the entry has of it, or its backup.
    fn own(&self, file: &IntentFile) -> Option<Vec<u8>> {
        let deleted = || file.after.is_none().then(|| file.splices.first().map(|s| s.old.clone()).unwrap_or_default());
        let text = (self.backup)(file).or_else(deleted);
        text.filter(|bytes| Some(blob_id(bytes)) == file.before)
    }
}
