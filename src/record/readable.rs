//! A file of a record as it reads: both texts in UTF-8, with the splices of these.
//!
//! Owns the way there. Its blob ids stay those of the bytes, by which the texts were checked.
//! Invariant: the splices lead from the one text to the other, as those of the bytes do.

use super::{RecordFile, RecordedTexts, Row, SpliceList, SpliceRange};
use crate::text::{Decoded, Encoding};

impl RecordFile {
    /// What it reads as; none where the bytes are the text, or not of the encoding that they should be.
    pub fn readable(&self, texts: &RecordedTexts) -> Option<(Self, RecordedTexts)> {
        let marked = [texts.before(), texts.after()].into_iter().flatten().find_map(Encoding::of_mark);
        let encoding = self.encoding.or(marked).filter(|encoding| !encoding.is_utf8())?;
        self.readable_in(texts, encoding)
    }

    /// As [`Self::readable`], of texts in this encoding where nothing else tells it.
    pub fn readable_in(&self, texts: &RecordedTexts, encoding: Encoding) -> Option<(Self, RecordedTexts)> {
        let encoding = self.encoding.unwrap_or(encoding);
        let (before, after) = texts.both(self)?;
        let (before, after) = (encoding.decode_marked(before)?, encoding.decode_marked(after)?);
        let splices = self.splices_of(&before, &after)?;
        let file = Self { splices, encoding: None, ..self.clone() };
        let kept = |is_there: bool, text: Decoded| is_there.then(|| text.into_bytes());
        let texts = RecordedTexts::unchecked(kept(self.before.is_some(), before), kept(self.after.is_some(), after));
        Some((file, texts))
    }

    fn splices_of(&self, before: &Decoded, after: &Decoded) -> Option<SpliceList> {
        let (before_len, after_len) = (before.as_bytes().len(), after.as_bytes().len());
        if self.splices.ranges().is_empty() {
            return SpliceList::unlisted(before_len, after_len, self.splices.count()).ok();
        }
        let row = |splice: &SpliceRange| -> Row {
            let (old, new) = (before.range_of_raw(&splice.before), after.range_of_raw(&splice.after));
            (old.start, old.len(), new.len(), splice.edit, splice.strategy)
        };
        let rows: Vec<Row> = self.splices.ranges().iter().map(row).collect();
        let list = SpliceList::new(before_len, &rows).ok()?;
        (list.after_len() == after_len).then_some(list)
    }
}
