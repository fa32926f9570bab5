//! Places of many old_strings in one text, CRLF and LF alike.
//!
//! Owns level `exact`: where the bytes are, and how often. Does not decide what several places mean.
//! Invariant: the count is that of all places, overlapping ones too, however few of them are kept.
//!
//! Few needles are searched one by one (memmem), many in one pass: by `grams`, or where that goes badly by an
//! overlapping Aho-Corasick automaton. The automaton holds a short piece of each needle only, the rest is compared where
//! the piece was found: building it costs as little for 10,000 needles as searching a few megabytes.

mod grams;

use crate::text::{BOM, LfText};
use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};
use std::cell::Cell;
use std::collections::HashMap;
use std::ops::Range;

/// How many places are kept of a needle that should have one.
pub const KEPT: usize = 5;

/// Up to so many needles, each has a search of its own.
const FEW: usize = 16;

/// Below so many bytes times needles, too: the automaton would cost more than the searches.
const SMALL: usize = 1 << 22;

/// So many places of all needles that want all of theirs are kept, or one for each four bytes of a long text: as many as take
/// no more memory than the text four times over. No edit that somebody means has more.
pub const MOST_OF_ALL: usize = 1 << 22;

/// The same of a text with so many bytes.
pub fn most_of_all(len: usize) -> usize {
    MOST_OF_ALL.max(len / 4)
}

/// What is wanted of a needle's places.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Want {
    /// The one place there should be.
    One,
    /// The one place there should be; among several, those that share a byte with this range (a line) of the text.
    OnLine(Range<usize>),
    /// All places, from left to right without overlap.
    All,
}

/// A text to look for.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Needle<'a> {
    /// With LF only, as [`crate::text::to_lf`] gives it; not empty.
    pub text: &'a [u8],
    /// What is wanted.
    pub want: Want,
}

/// The places of one needle, in the order of the text. Ranges are of the LF text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Places {
    /// How many there are: overlapping ones too, but for [`Want::All`].
    pub count: usize,
    /// The first [`KEPT`]; for [`Want::All`] all of them, or fewer than there are where those of all needles are too many.
    pub first: Vec<Range<usize>>,
    /// For [`Want::OnLine`]: those on the line, at most [`KEPT`].
    pub on_line: Vec<Range<usize>>,
}

/// Finds every needle in `text`; the answer has one entry per needle, in their order.
pub fn find(text: &LfText<'_>, needles: &[Needle<'_>]) -> Vec<Places> {
    let hay = text.bytes();
    let room = Cell::new(most_of_all(hay.len()));
    if needles.len() <= FEW || needles.len().saturating_mul(hay.len()) <= SMALL {
        return needles.iter().map(|needle| find_one(hay, needle, &room)).collect();
    }
    let mut distinct: Vec<&Needle<'_>> = Vec::with_capacity(needles.len());
    let mut slots = HashMap::with_capacity(needles.len());
    let slot_of: Vec<usize> = needles
        .iter()
        .map(|needle| {
            *slots.entry(needle).or_insert_with(|| {
                distinct.push(needle);
                distinct.len() - 1
            })
        })
        .collect();
    let found = find_many(hay, &distinct, &room);
    let mut is_given = vec![false; distinct.len()];
    let places_of = |slot: usize| {
        let places = &found[slot];
        // What needles have in common is kept again for each of them.
        let again = if std::mem::replace(&mut is_given[slot], true) { places.first.len() } else { 0 };
        if again > KEPT && again > room.get() {
            return Places { count: places.count, ..Places::default() };
        }
        room.set(room.get().saturating_sub(again));
        places.clone()
    };
    slot_of.into_iter().map(places_of).collect()
}

/// The starts of all places of `needle`, overlapping ones too, up to `limit`; `None` where there are more.
pub fn all_starts(text: &LfText<'_>, needle: &[u8], limit: usize) -> Option<Vec<usize>> {
    let mut starts = Vec::new();
    each_place(text.bytes(), needle, |start| {
        starts.push(start);
        starts.len() <= limit
    });
    (starts.len() <= limit).then_some(starts)
}

/// Tells the start of every place of `needle` to `tell`, overlapping ones too, until it answers `false`.
pub fn each_start(text: &LfText<'_>, needle: &[u8], tell: impl FnMut(usize) -> bool) {
    each_place(text.bytes(), needle, tell);
}

/// The first text of `texts` (by index) that holds a needle of another index, and that needle's.
pub fn first_within<T: AsRef<[u8]>>(texts: &[T], needles: &[T]) -> Option<(usize, usize)> {
    let ac = AhoCorasick::builder().match_kind(MatchKind::Standard).build(needles).ok()?;
    texts.iter().enumerate().find_map(|(at, text)| {
        ac.find_overlapping_iter(text.as_ref())
            .map(|found| found.pattern().as_usize())
            .find(|&n| n != at)
            .map(|n| (at, n))
    })
}

/// What was found of one needle so far.
struct Collector<'n> {
    needle: &'n Needle<'n>,
    places: Places,
    /// For [`Want::All`]: where the last place ended.
    taken: usize,
    /// Before this, all places were told.
    told: usize,
    /// How many places may still be kept of all needles that want all of theirs.
    room: &'n Cell<usize>,
}

impl<'n> Collector<'n> {
    fn new(needle: &'n Needle<'n>, room: &'n Cell<usize>) -> Self {
        Self { needle, places: Places::default(), taken: 0, told: 0, room }
    }

    /// Takes a place, if a match may start there and it is not told again.
    fn add_at(&mut self, hay: &[u8], start: usize) {
        if start >= self.told && may_start_at(hay, self.needle.text, start) {
            self.told = start + 1;
            self.add(start);
        }
    }

    /// Takes a place; they come in the order of the text.
    fn add(&mut self, start: usize) {
        let place = start..start + self.needle.text.len();
        let all = self.needle.want == Want::All;
        if all && place.start < self.taken {
            return;
        }
        self.taken = place.end;
        self.places.count += 1;
        if let Want::OnLine(line) = &self.needle.want
            && place.start < line.end
            && line.start < place.end
            && self.places.on_line.len() < KEPT
        {
            self.places.on_line.push(place.clone());
        }
        if all && self.room.get() > 0 {
            self.room.set(self.room.get() - 1);
            self.places.first.push(place);
        } else if !all && self.places.first.len() < KEPT {
            self.places.first.push(place);
        }
    }
}

fn find_one(hay: &[u8], needle: &Needle<'_>, room: &Cell<usize>) -> Places {
    let mut found = Collector::new(needle, room);
    each_place(hay, needle.text, |start| {
        found.add(start);
        true
    });
    found.places
}

/// A match never starts within the BOM, nor at it unless the needle has one.
fn may_start_at(hay: &[u8], needle: &[u8], start: usize) -> bool {
    start >= BOM.len() || !hay.starts_with(BOM) || (start == 0 && needle.starts_with(BOM))
}

/// Tells every place of `needle` to `tell`, overlapping ones too, until it answers `false`.
fn each_place(hay: &[u8], needle: &[u8], mut tell: impl FnMut(usize) -> bool) {
    let finder = memchr::memmem::Finder::new(needle);
    let mut from = 0;
    // A long needle that overlaps itself everywhere would be compared in full at every step.
    let mut budget = hay.len().saturating_mul(2).saturating_add(1 << 16);
    while let Some(at) = finder.find(&hay[from..]) {
        let start = from + at;
        if may_start_at(hay, needle, start) && !tell(start) {
            return;
        }
        from = start + 1;
        if at + 1 < needle.len() {
            if budget < needle.len() {
                return each_overlapping(hay, needle, from, tell);
            }
            budget -= needle.len();
        }
    }
}

/// Knuth, Morris and Pratt: linear, whatever the needle.
fn each_overlapping(hay: &[u8], needle: &[u8], from: usize, mut tell: impl FnMut(usize) -> bool) {
    let mut border = vec![0; needle.len()];
    let mut len = 0;
    for at in 1..needle.len() {
        while len > 0 && needle[at] != needle[len] {
            len = border[len - 1];
        }
        len += usize::from(needle[at] == needle[len]);
        border[at] = len;
    }
    let mut matched = 0;
    for (at, &byte) in hay.iter().enumerate().skip(from) {
        while matched > 0 && (matched == needle.len() || needle[matched] != byte) {
            matched = border[matched - 1];
        }
        matched += usize::from(needle[matched] == byte);
        if matched == needle.len() && may_start_at(hay, needle, at + 1 - matched) && !tell(at + 1 - matched) {
            return;
        }
    }
}

/// Many needles at once.
fn find_many(hay: &[u8], needles: &[&Needle<'_>], room: &Cell<usize>) -> Vec<Places> {
    let mut found: Vec<Collector<'_>> = needles.iter().map(|needle| Collector::new(needle, room)).collect();
    let texts: Vec<&[u8]> = needles.iter().map(|needle| needle.text).collect();
    each_of_many(hay, &texts, |index, start| found[index].add_at(hay, start));
    found.into_iter().map(|collector| collector.places).collect()
}

/// Tells every place of every needle, overlapping ones too, as the needle's index and the start: those of one needle in
/// the order of the text, but perhaps twice, the second time from the first on.
///
/// By an index of grams where the needles are long enough and it goes well, else by an automaton.
pub fn each_of_many(hay: &[u8], needles: &[&[u8]], mut tell: impl FnMut(usize, usize)) {
    let (long, mut rest): (Vec<usize>, Vec<usize>) =
        (0..needles.len()).partition(|&index| needles[index].len() >= grams::SHORTEST);
    let texts: Vec<&[u8]> = long.iter().map(|&index| needles[index]).collect();
    if !grams::each_place(hay, &texts, |at, start| tell(long[at], start)) {
        rest.extend(long);
    }
    if rest.len() <= FEW || !find_by_automaton(hay, needles, &rest, &mut tell) {
        for index in rest {
            each_place(hay, needles[index], |start| {
                tell(index, start);
                true
            });
        }
    }
}

/// The piece of a needle that the automaton looks for, and the needles that have it there.
struct Piece<'n> {
    text: &'n [u8],
    /// Index and offset of the piece within it.
    needles: Vec<(usize, usize)>,
}

/// One overlapping pass for the needles with these indexes. Tells whether there could be an automaton of that size.
fn find_by_automaton(hay: &[u8], needles: &[&[u8]], which: &[usize], mut tell: impl FnMut(usize, usize)) -> bool {
    let pieces = pieces_of(needles, which);
    let bytes: usize = pieces.iter().map(|piece| piece.text.len()).sum();
    let kind = if bytes <= 1 << 15 { AhoCorasickKind::DFA } else { AhoCorasickKind::ContiguousNFA };
    let built = AhoCorasick::builder()
        .match_kind(MatchKind::Standard)
        .kind(Some(kind))
        .build(pieces.iter().map(|piece| piece.text));
    let Ok(automaton) = built else { return false };
    for hit in automaton.find_overlapping_iter(hay) {
        for &(index, offset) in &pieces[hit.pattern().as_usize()].needles {
            let Some(start) = hit.start().checked_sub(offset) else { continue };
            if hay[start..].starts_with(needles[index]) {
                tell(index, start);
            }
        }
    }
    true
}

/// Picks a piece of every needle: short, so that the automaton is small, and longer where many needles share it.
fn pieces_of<'n>(needles: &[&'n [u8]], which: &[usize]) -> Vec<Piece<'n>> {
    const SHARED: usize = 4;
    let mut pieces = Vec::new();
    let mut rest = which.to_vec();
    for size in [16, 48, usize::MAX] {
        let mut groups: HashMap<&[u8], Vec<(usize, usize)>> = HashMap::new();
        for &index in &rest {
            let text: &'n [u8] = needles[index];
            let blank = text.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
            let start = if size == usize::MAX { 0 } else { blank.min(text.len().saturating_sub(size)) };
            let end = start.saturating_add(size).min(text.len());
            groups.entry(&text[start..end]).or_default().push((index, start));
        }
        rest.clear();
        for (text, needles) in groups {
            if size == usize::MAX || needles.len() <= SHARED {
                pieces.push(Piece { text, needles });
            } else {
                rest.extend(needles.iter().map(|&(index, _)| index));
            }
        }
        rest.sort_unstable();
    }
    pieces
}

/// Where `part` stands, if it does once, also where it would overlap itself.
pub fn find_once(text: &[u8], part: &[u8]) -> Option<Range<usize>> {
    let finder = memchr::memmem::Finder::new(part);
    let first = finder.find(text)?;
    finder.find(&text[first + 1..]).is_none().then_some(first..first + part.len())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::single_range_in_vec_init, reason = "the one place is the answer")]
    use super::*;

    fn one(text: &[u8]) -> Needle<'_> {
        Needle { text, want: Want::One }
    }

    fn check(hay: &str, needle: &str, want: &[Range<usize>]) {
        let lf = LfText::new(hay.as_bytes());
        let places = find(&lf, &[one(needle.as_bytes())]);
        let got: Vec<_> = places[0].first.iter().map(|place| lf.original_range(place)).collect();
        assert_eq!((got.as_slice(), places[0].count), (want, want.len()), "{needle:?} in {hay:?}");
    }

    #[test]
    fn overlapping_places_all_count() {
        check("aaa", "aa", &[0..2, 1..3]);
        check("abab", "ab", &[0..2, 2..4]);
        check("abc", "x", &[]);
    }

    #[test]
    fn crlf_and_lf_match_alike_in_original_offsets() {
        check("x\r\na\r\nb\r\n", "a\nb", &[3..7]);
        check("x\r\na\r\nb\r\n", "\na", &[1..4]);
        check("x\r\na\r\nb\r\n", "a\n", &[3..6]);
        check("a\nb\r\na\r\nb", "a\nb", &[0..3, 5..9]);
        check("a\r\r\nb", "a\r\nb", &[0..5]);
    }

    #[test]
    fn a_match_starts_within_the_bom_only_if_it_starts_with_one() {
        check("\u{feff}a", "\u{feff}a", &[0..4]);
        check("\u{feff}a\u{feff}", "\u{feff}", &[0..3, 4..7]);
        check("\u{feff}a", "a", &[3..4]);
    }

    #[test]
    fn replacing_all_goes_left_to_right_without_overlap() {
        let lf = LfText::new(b"aaaaa");
        let places = find(&lf, &[Needle { text: b"aa", want: Want::All }]);
        assert_eq!((places[0].count, &places[0].first[..]), (2, &[0..2, 2..4][..]));
    }

    #[test]
    fn the_count_is_right_beyond_the_places_kept() {
        let hay = "ab ".repeat(1000);
        let places = find(&LfText::new(hay.as_bytes()), &[Needle { text: b"ab", want: Want::OnLine(2000..2010) }]);
        assert_eq!((places[0].count, places[0].first.len(), places[0].on_line.len()), (1000, KEPT, 3));
    }

    #[test]
    fn a_long_needle_that_overlaps_itself_is_counted_in_linear_time() {
        let hay = "a".repeat(400_000);
        let places = find(&LfText::new(hay.as_bytes()), &[one(&hay.as_bytes()[..100_000])]);
        assert_eq!(places[0].count, 300_001);
    }

    #[test]
    fn many_needles_in_one_pass_are_found_as_each_alone() {
        let hay: String = (0..3000).map(|i| format!("    row {} of {}\r\n", i % 1500, i * 7919 % 1009)).collect();
        let lf = LfText::new(hay.as_bytes());
        let mut texts: Vec<String> = (0..800).map(|i| format!("    row {i} of ")).collect();
        texts.extend((0..300).map(|i| format!("of {}\n    row", i * 5)));
        texts.extend(["row", " ", "    row 1", "of 1\n    row 2", "nowhere", "\n"].map(str::to_owned));
        let wants = [Want::One, Want::All, Want::OnLine(400..420)];
        let needles: Vec<Needle<'_>> = texts
            .iter()
            .enumerate()
            .map(|(i, text)| Needle { text: text.as_bytes(), want: wants[i % 3].clone() })
            .collect();
        let alone: Vec<Places> =
            needles.iter().map(|needle| find_one(lf.bytes(), needle, &Cell::new(MOST_OF_ALL))).collect();
        assert!(find(&lf, &needles) == alone);
    }

    #[test]
    fn needles_that_are_everywhere_are_left_to_the_automaton() {
        let hay = "0,0,0,0,0,0,0,0\n".repeat(20_000);
        let lf = LfText::new(hay.as_bytes());
        let texts: Vec<String> = (0..40).map(|n| format!("{}\n", "0,".repeat(10 + n))).collect();
        let mut needles: Vec<Needle<'_>> = texts.iter().map(|text| one(text.as_bytes())).collect();
        needles.push(one(b"0,0,0,0,0,0"));
        let refs: Vec<&[u8]> = needles.iter().map(|needle| needle.text).collect();
        assert!(!grams::each_place(hay.as_bytes(), &refs, |_, _| ()));
        let alone: Vec<Places> =
            needles.iter().map(|needle| find_one(lf.bytes(), needle, &Cell::new(MOST_OF_ALL))).collect();
        assert!(find(&lf, &needles) == alone);
    }

    #[test]
    fn a_needle_that_overlaps_itself_is_found_in_order_by_its_grams() {
        let hay = format!("{}{}", "x".repeat(5), "ab".repeat(40));
        let mut starts = Vec::new();
        assert!(grams::each_place(hay.as_bytes(), &[b"abababababab"], |_, start| starts.push(start)));
        assert_eq!(starts, (0..35).map(|n| 5 + 2 * n).collect::<Vec<_>>());
    }

    #[test]
    fn a_text_that_holds_anothers_needle_is_found() {
        assert_eq!(first_within(&["xay", "zz"], &["a", "q"]), None);
        assert_eq!(first_within(&["xqy", "zz"], &["a", "q"]), Some((0, 1)));
        assert_eq!(first_within(&["x", "za"], &["a", "q"]), Some((1, 0)));
    }

    proptest::proptest! {
        #![proptest_config(proptest::test_runner::Config { cases: 300, failure_persistence: None, ..Default::default() })]

        #[test]
        fn one_pass_for_many_finds_what_a_search_for_each_does(
            hay in "(\u{feff})?[ab\n]{0,400}",
            cuts in proptest::collection::vec((0..400usize, 1..40usize, 0..3usize), 1..40),
        ) {
            let hay = hay.as_bytes();
            let needles: Vec<Needle<'_>> = cuts
                .iter()
                .map(|&(at, len, want)| {
                    let at = at.min(hay.len().saturating_sub(1));
                    let text = &hay[at..(at + len).min(hay.len())];
                    let text = if text.is_empty() { &b"x"[..] } else { text };
                    Needle { text, want: [Want::One, Want::All, Want::OnLine(10..30)][want].clone() }
                })
                .collect();
            let refs: Vec<&Needle<'_>> = needles.iter().collect();
            let room = Cell::new(MOST_OF_ALL);
            let alone: Vec<Places> = needles.iter().map(|needle| find_one(hay, needle, &Cell::new(MOST_OF_ALL))).collect();
            proptest::prop_assert_eq!(&find_many(hay, &refs, &room), &alone);
            let all: Vec<usize> = (0..refs.len()).collect();
            let mut found: Vec<Collector<'_>> = refs.iter().map(|needle| Collector::new(needle, &room)).collect();
            let texts: Vec<&[u8]> = refs.iter().map(|needle| needle.text).collect();
            let done = find_by_automaton(hay, &texts, &all, |index, start| found[index].add_at(hay, start));
            proptest::prop_assert!(done);
            proptest::prop_assert!(found.iter().zip(&alone).all(|(found, alone)| &found.places == alone));
        }
    }
}
