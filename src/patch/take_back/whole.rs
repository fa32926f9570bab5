//! What is known of the whole texts: how often a word stands in them, and the lines that only today's has.
//!
//! Owns these two, found out when they are first asked for. Decides nothing.
//! Invariant: the words of equal lines are counted as often as the lines stand.

use super::guard::Strangers;
use super::units::Trio;
use crate::text::Words;
use std::cell::OnceCell;
use std::collections::HashMap;

/// How often a word stands in the text before, in the text after, and in today's.
#[derive(Debug, Clone, Copy, Default)]
struct Counts {
    old: usize,
    new: usize,
    today: usize,
}

/// The three texts, and what is known of them as wholes.
pub(super) struct Whole<'t, 'a> {
    trio: &'t Trio<'a>,
    words: OnceCell<HashMap<&'a [u8], Counts>>,
    strangers: OnceCell<Strangers<'a>>,
}

impl<'t, 'a> Whole<'t, 'a> {
    /// Nothing is counted yet.
    pub(super) fn new(trio: &'t Trio<'a>) -> Self {
        Self { trio, words: OnceCell::new(), strangers: OnceCell::new() }
    }

    /// Whether a word stands once in the record's text after.
    pub(super) fn is_own_of_record(&self, word: &[u8]) -> bool {
        self.counts(word).new == 1
    }

    /// Whether a word stood once in the record's text before, and no more in the one after.
    pub(super) fn is_deleted(&self, word: &[u8]) -> bool {
        let counts = self.counts(word);
        (counts.old, counts.new) == (1, 0)
    }

    /// Whether it stands once in today's as well.
    pub(super) fn is_own(&self, word: &[u8]) -> bool {
        let counts = self.counts(word);
        (counts.new, counts.today) == (1, 1)
    }

    /// Whether it stands once in the record's text before as well: then it is none that a hunk brings or takes.
    pub(super) fn is_own_of_all(&self, word: &[u8]) -> bool {
        self.is_own(word) && self.counts(word).old == 1
    }

    /// The lines of today's text that neither text of the record has.
    pub(super) fn strangers(&self) -> &Strangers<'a> {
        self.strangers.get_or_init(|| Strangers::of_all(self.trio))
    }

    fn counts(&self, word: &[u8]) -> Counts {
        self.words.get_or_init(|| count(self.trio)).get(word).copied().unwrap_or_default()
    }
}

fn count<'a>(trio: &Trio<'a>) -> HashMap<&'a [u8], Counts> {
    let mut all: HashMap<&[u8], Counts> = HashMap::new();
    for (id, line) in trio.units() {
        let lines = [&trio.old, &trio.new, &trio.today].map(|text| text.count(id) as usize);
        for (word, count) in Words::of(line).iter() {
            let counts = all.entry(word).or_default();
            counts.old += lines[0] * count;
            counts.new += lines[1] * count;
            counts.today += lines[2] * count;
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::super::units::{Part, line_ends};
    use super::*;

    #[test]
    fn a_word_is_counted_in_each_text_as_often_as_it_stands_there() {
        // Of each word how often it stands in the text before, the one after, and today's.
        let old = b"once\nboth\nboth\npair pair\npair pair\n";
        let new = b"once\nboth\ntwin twin\ntwin twin\npair\nfresh\n";
        let today = b"once\nboth\npair\nfresh\nmore more\nmore more\ngone\n";
        let trio = Trio::new([Part::whole(old), Part::whole(new), Part::whole(today)], line_ends);
        let whole = Whole::new(&trio);
        for (word, is_own) in [
            ("once", [true, true, true]),    // 1, 1, 1
            ("both", [true, true, false]),   // 2, 1, 1
            ("pair", [true, true, false]),   // 4, 1, 1
            ("fresh", [true, true, false]),  // 0, 1, 1
            ("twin", [false, false, false]), // 0, 4, 0
            ("more", [false, false, false]), // 0, 0, 4
            ("gone", [false, false, false]), // 0, 0, 1
            ("other", [false, false, false]),
        ] {
            let word = word.as_bytes();
            let got = [whole.is_own_of_record(word), whole.is_own(word), whole.is_own_of_all(word)];
            assert_eq!(got, is_own, "{}", word.escape_ascii());
        }
    }

    #[test]
    fn a_word_that_the_record_has_once_may_stand_more_often_today() {
        let texts: [&[u8]; 3] = [b"a\n", b"a\n", b"a a\na\n"];
        let trio = Trio::new(texts.map(Part::whole), line_ends);
        let whole = Whole::new(&trio);
        assert!(whole.is_own_of_record(b"a") && !whole.is_own(b"a") && !whole.is_own_of_all(b"a"));
    }

    #[test]
    fn a_word_is_deleted_that_stood_once_before_and_not_after_whatever_is_there_today() {
        let texts: [&[u8]; 3] = [b"kept gone\ntwice twice\nthere\n", b"kept\nfresh\n", b"gone gone\nthere\nmine\n"];
        let trio = Trio::new(texts.map(Part::whole), line_ends);
        let whole = Whole::new(&trio);
        let words = ["kept", "gone", "twice", "there", "fresh", "mine", "other"];
        let deleted: Vec<&str> = words.into_iter().filter(|word| whole.is_deleted(word.as_bytes())).collect();
        assert_eq!(deleted, ["gone", "there"]);
    }
}
