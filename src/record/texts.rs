//! Old and new text of one file of a record: the one place where stored numbers and texts meet.
//!
//! Owns the proof that a text is the one that the record means. Does not fetch it.
//! Invariant of [`RecordedTexts`]: a text that is there has the length and the blob id that the record says, so that its
//! splices lie inside of it.

use super::RecordFile;
use crate::git::blob_id;
use crate::id::BlobId;

/// Old and new text of one file of a record; none where there is no file, or where its text is not to be had any more.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RecordedTexts {
    before: Option<Vec<u8>>,
    after: Option<Vec<u8>>,
}

/// Which text of a file is not the one that the record means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ForeignText {
    /// The one before.
    #[error("the text before is not the one that was recorded")]
    Before,
    /// The one after.
    #[error("the text after is not the one that was recorded")]
    After,
}

impl RecordedTexts {
    /// Takes the texts of `file`.
    ///
    /// # Errors
    /// [`ForeignText`] where one of them is of another length or has another blob id, or there should be none.
    pub fn new(file: &RecordFile, before: Option<Vec<u8>>, after: Option<Vec<u8>>) -> Result<Self, ForeignText> {
        let is_it = |text: &Option<Vec<u8>>, id: Option<BlobId>, length: usize| match text {
            None => true,
            Some(text) => text.len() == length && id == Some(blob_id(text)),
        };
        if !is_it(&before, file.before, file.splices.before_len()) {
            return Err(ForeignText::Before);
        }
        if !is_it(&after, file.after, file.splices.after_len()) {
            return Err(ForeignText::After);
        }
        Ok(Self { before, after })
    }

    /// Texts that were made of checked ones.
    pub(super) fn unchecked(before: Option<Vec<u8>>, after: Option<Vec<u8>>) -> Self {
        Self { before, after }
    }

    /// Before the edit.
    pub fn before(&self) -> Option<&[u8]> {
        self.before.as_deref()
    }

    /// After it.
    pub fn after(&self) -> Option<&[u8]> {
        self.after.as_deref()
    }

    /// Gives the text before away.
    pub fn into_before(self) -> Option<Vec<u8>> {
        self.before
    }

    /// Gives the text after away.
    pub fn into_after(self) -> Option<Vec<u8>> {
        self.after
    }

    /// Both texts, where all that `file` has are there; a file that is not there has no bytes.
    pub fn both(&self, file: &RecordFile) -> Option<(&[u8], &[u8])> {
        let before = if file.before.is_some() { self.before()? } else { &[] };
        let after = if file.after.is_some() { self.after()? } else { &[] };
        Some((before, after))
    }

    /// As these, with a text where there was none.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn with_before(self, file: &RecordFile, before: Vec<u8>) -> Result<Self, ForeignText> {
        Self::new(file, Some(before), self.after)
    }

    /// As these, with a text where there was none.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn with_after(self, file: &RecordFile, after: Vec<u8>) -> Result<Self, ForeignText> {
        Self::new(file, self.before, Some(after))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::file_of_record::tests::record;

    #[test]
    fn only_the_recorded_texts_are_taken() {
        let mut file = record(1, "a").files.remove(0);
        let (old, new) = (b"0123456789".to_vec(), b"0abc234xy789".to_vec());
        (file.before, file.after) = (Some(blob_id(&old)), Some(blob_id(&new)));
        let texts = RecordedTexts::new(&file, Some(old.clone()), None).expect("the old text");
        assert_eq!(texts.both(&file), None);
        let texts = texts.with_after(&file, new.clone()).expect("the new text");
        assert_eq!(texts.both(&file), Some((&old[..], &new[..])));
        assert_eq!(RecordedTexts::new(&file, Some(new.clone()), None), Err(ForeignText::Before));
        assert_eq!(RecordedTexts::new(&file, None, Some(b"0abc234xy78!".to_vec())), Err(ForeignText::After));
        let texts = RecordedTexts::new(&file, None, Some(new.clone())).expect("the new text");
        assert_eq!(texts.clone().with_before(&file, new.clone()), Err(ForeignText::Before));
        let texts = texts.with_before(&file, old.clone()).expect("the old text");
        assert_eq!((texts.clone().into_before(), texts.into_after()), (Some(old.clone()), Some(new)));
        file.before = None;
        assert_eq!(RecordedTexts::new(&file, Some(old), None), Err(ForeignText::Before), "there was no file");
    }
}
