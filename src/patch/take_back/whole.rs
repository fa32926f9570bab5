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
