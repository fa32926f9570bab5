//! A patch of a decoded text as one of the bytes that the text was decoded from, and the other way.
//!
//! Owns which bytes a splice is. Does not decode files and does not look for places.
//! Invariant: a character outside of the splices keeps its own bytes, and so does one within a splice that stands there
//! before and after.

use super::{EditOutcome, FilePatch, Origin, Splice};
use crate::text::{BOM, Decoded, Encoding, Side};
use std::ops::Range;

/// A character of a new text that the encoding of the file does not have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lacking {
    /// Which.
    pub character: char,
    /// The 0-based edit that wrote it, within its file.
    pub edit: usize,
}

/// Splices of a text that go together, as wide as whole characters.
struct Group<'p> {
    splices: Vec<&'p Splice>,
    range: Range<usize>,
}

impl Group<'_> {
    /// What takes the place of the range in `source`.
    fn new_bytes(&self, source: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        let mut from = self.range.start;
        for splice in &self.splices {
            out.extend_from_slice(&source[from..splice.range.start]);
            out.extend_from_slice(&splice.replacement);
            from = splice.range.end;
        }
        out.extend_from_slice(&source[from..self.range.end]);
        out
    }

    fn origin(&self) -> Vec<Origin> {
        let mut origin: Vec<Origin> = Vec::new();
        for one in self.splices.iter().flat_map(|splice| &splice.origin) {
            if !origin.contains(one) {
                origin.push(*one);
            }
        }
        origin
    }
}

/// The splices of a patch, those together that share a character.
fn groups(patch: &FilePatch, bound: impl Fn(usize, Side) -> usize) -> Vec<Group<'_>> {
    let mut groups: Vec<Group<'_>> = Vec::with_capacity(patch.splices().len());
    for splice in patch.splices() {
        let range = bound(splice.range.start, Side::Before)..bound(splice.range.end, Side::Behind);
        match groups.last_mut() {
            Some(last) if range.start < last.range.end => {
                last.range.end = last.range.end.max(range.end);
                last.splices.push(splice);
            }
            _ => groups.push(Group { splices: vec![splice], range }),
        }
    }
    groups
}

/// A patch of a decoded text as one of the bytes `raw` that it was decoded from.
///
/// # Errors
/// [`Lacking`]: the first character that cannot be written.
pub fn encoded(patch: &FilePatch, text: &Decoded, raw: &[u8], encoding: Encoding) -> Result<FilePatch, Lacking> {
    let splices = groups(patch, |at, side| text.bound(at, side)).into_iter().map(|group| {
        let origin = group.origin();
        let new = String::from_utf8_lossy(&group.new_bytes(text.as_bytes())).into_owned();
        let old = &text.as_str()[group.range.clone()];
        // Of two codes for one character the file keeps the one that it has.
        let head = agreeing(old.chars(), new.chars(), old.len().min(new.len()));
        let head = text.bound(group.range.start + head, Side::Before) - group.range.start;
        let room = (old.len() - head).min(new.len() - head);
        let tail = agreeing(old.chars().rev(), new.chars().rev(), room);
        let tail = group.range.end - text.bound(group.range.end - tail, Side::Behind);
        let middle = &new[head..new.len() - tail];
        let edit = origin.first().map_or(0, |origin| origin.edit);
        let middle = encoding.encode(middle).map_err(|character| Lacking { character, edit })?;
        let bytes = |range: Range<usize>| &raw[text.raw_range(&range)];
        let Range { start, end } = group.range;
        let replacement = [bytes(start..start + head), &middle, bytes(end - tail..end)].concat();
        Ok(Splice { range: text.raw_range(&group.range), replacement, origin })
    });
    let splices = splices.collect::<Result<Vec<_>, Lacking>>()?;
    Ok(FilePatch::from_sorted(raw.len(), splices))
}

/// How many bytes two texts agree in, character by character, at most `room`.
fn agreeing(old: impl Iterator<Item = char>, new: impl Iterator<Item = char>, room: usize) -> usize {
    let same = old.zip(new).take_while(|(old, new)| old == new);
    let ends = same.scan(0, |end, (c, _)| {
        *end += c.len_utf8();
        Some(*end)
    });
    ends.take_while(|end| *end <= room).last().unwrap_or(0)
}

/// A patch of bytes as one of the text that is decoded from them; none where the text after it is not of that encoding.
pub fn decoded(patch: &FilePatch, raw: &[u8], text: &Decoded, encoding: Encoding) -> Option<FilePatch> {
    let bound = |at: usize, side| text.to_raw(text.of_raw(at, side), side);
    let splices = groups(patch, bound).into_iter().map(|group| {
        let replacement = encoding.decode(&group.new_bytes(raw))?.into_bytes();
        Some(Splice { range: text.range_of_raw(&group.range), replacement, origin: group.origin() })
    });
    let len = text.as_bytes().len();
    match splices.collect::<Option<Vec<_>>>() {
        Some(splices) => Some(FilePatch::from_sorted(len, splices)),
        // What is new is whole only together with what stands around it.
        None => Some(FilePatch::whole(len, encoding.decode(&patch.apply(raw))?.into_bytes())),
    }
}

/// A change of a file as it reads: in UTF-8.
#[derive(Debug)]
pub struct Readable {
    /// The text before.
    pub before: Decoded,
    /// What is done to it.
    pub patch: FilePatch,
    /// What the edits do, in its bytes.
    pub edits: Vec<EditOutcome>,
}

impl Readable {
    /// A patch of the bytes of a file, and the edits that asked for it; none where the bytes are not of that encoding.
    pub fn new(raw: &[u8], patch: &FilePatch, edits: &[EditOutcome], encoding: Encoding) -> Option<Self> {
        let encoding = Encoding::of_mark(raw).unwrap_or(encoding);
        let before = encoding.decode(raw)?;
        let patch = decoded(patch, raw, &before, encoding)?;
        let of_text = |edit: &EditOutcome| EditOutcome { range: before.range_of_raw(&edit.range), ..edit.clone() };
        let edits = edits.iter().map(of_text).collect();
        Some(Self { before, patch, edits })
    }
}

/// A text and its patch without the byte order mark of the file, which is none in what git has of it.
pub fn without_mark(text: &[u8], patch: &FilePatch) -> (Vec<u8>, FilePatch) {
    let body = text.strip_prefix(BOM).unwrap_or(text);
    let mark = text.len() - body.len();
    let splices = patch.splices().iter().map(|splice| {
        let range = splice.range.start.saturating_sub(mark)..splice.range.end.saturating_sub(mark);
        let is_first = splice.range.start == 0;
        let replacement = splice.replacement.strip_prefix(BOM).filter(|_| is_first).unwrap_or(&splice.replacement);
        Splice { range, replacement: replacement.to_vec(), origin: splice.origin.clone() }
    });
    let changes = |splice: &Splice| !splice.range.is_empty() || !splice.replacement.is_empty();
    let splices = splices.filter(changes).collect();
    let patch = FilePatch::new(body.len(), splices).unwrap_or_else(|_| FilePatch::unchanged(body.len()));
    (body.to_vec(), patch)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::patch::Replacement;
    use crate::strategy::Strategy;

    fn splice(range: Range<usize>, bytes: &[u8]) -> Splice {
        Replacement { range, bytes: bytes.to_vec() }.by(Origin { edit: 3, strategy: Strategy::Exact })
    }

    fn check(name: &str, raw: &[u8], splices: &[(Range<usize>, &str)], after: &[u8]) {
        let encoding = Encoding::named(name).expect("an encoding");
        let text = encoding.decode(raw).expect("decoded");
        let splices: Vec<Splice> = splices.iter().map(|(range, new)| splice(range.clone(), new.as_bytes())).collect();
        let patch = FilePatch::new(text.as_bytes().len(), splices).expect("disjoint");
        let made = encoded(&patch, &text, raw, encoding).expect("all can be written");
        assert_eq!(made.apply(raw), after, "{name} {made:?}");
        let back = decoded(&made, raw, &text, encoding).expect("all can be read");
        assert_eq!(back.apply(text.as_bytes()), patch.apply(text.as_bytes()), "{name} {back:?}");
    }

    #[test]
    fn a_splice_of_the_text_is_one_of_its_bytes() {
        check("shift_jis", b"a\x95\x5cb\n", &[(1..4, "漢字")], b"a\x8a\xbf\x8e\x9ab\n");
        check("utf-16le", b"\xff\xfea\0b\0", &[(4..5, "x\u{1f600}")], b"\xff\xfea\0x\0\x3d\xd8\0\xde");
        check("latin1", b"\xe9\xe8", &[(2..2, "ê"), (4..4, "!")], b"\xe9\xea\xe8!");
    }

    #[test]
    fn a_part_of_a_character_is_changed_with_all_of_it() {
        // U+8868 is E8 A1 A8, U+8869 E8 A1 A9.
        let encoding = Encoding::named("gb18030").expect("an encoding");
        let raw = encoding.encode("a表b").expect("encoded");
        let text = encoding.decode(&raw).expect("decoded");
        let patch = FilePatch::new(5, vec![splice(3..4, b"\xa9")]).expect("one");
        let made = encoded(&patch, &text, &raw, encoding).expect("written");
        assert_eq!(made.apply(&raw), encoding.encode("a\u{8869}b").expect("encoded"));
    }

    #[test]
    fn a_character_that_stays_keeps_its_code_though_it_has_a_better_one() {
        // 0xeee0 and 0xfbfc are both U+9AD9 in Windows' Shift_JIS.
        check("cp932", b"\xee\xe0\x96\xd8\xee\xe0", &[(0..9, "髙橋髙")], b"\xee\xe0\x8b\xb4\xee\xe0");
        check("cp932", b"\xee\xe0", &[(0..3, "橋髙")], b"\x8b\xb4\xee\xe0");
    }

    #[test]
    fn a_character_that_cannot_be_written_is_told_with_its_edit() {
        let encoding = Encoding::named("latin1").expect("an encoding");
        let text = encoding.decode(b"\xe9").expect("decoded");
        let patch = FilePatch::new(2, vec![splice(2..2, "a€".as_bytes())]).expect("one");
        assert_eq!(encoded(&patch, &text, b"\xe9", encoding), Err(Lacking { character: '€', edit: 3 }));
    }
}
