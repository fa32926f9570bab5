//! Lines with a word that stand once in both texts of an edit.
//!
//! Owns the look for single ones, which in large texts is dear for all at once. Does not know what they are wanted for.

use super::edit::Edit;
use crate::text::{PieceMap, has_word, split_lines};
use memchr::memmem;
use std::cell::{OnceCell, RefCell};
use std::collections::{HashMap, HashSet};

/// So many lines are looked for one by one, before all are counted.
const MOST_SOUGHT: usize = 64;

/// The lines with a word that stand once in both texts of an edit.
pub(super) struct StandOnce<'e> {
    texts: [&'e [u8]; 2],
    sought: RefCell<HashMap<Vec<u8>, bool>>,
    all: OnceCell<HashSet<Vec<u8>>>,
}

impl<'e> StandOnce<'e> {
    /// Nothing is looked for yet.
    pub(super) fn of(edit: &'e Edit<'_>) -> Self {
        Self { texts: [edit.before(), edit.after()], sought: RefCell::default(), all: OnceCell::new() }
    }

    /// Whether a line, with its ending, is one of them.
    pub(super) fn has(&self, line: &[u8]) -> bool {
        if let Some(known) = self.sought.borrow().get(line) {
            return *known;
        }
        if self.sought.borrow().len() >= MOST_SOUGHT {
            return self.all.get_or_init(|| all(self.texts)).contains(line);
        }
        let is_one = has_word(line) && self.texts.iter().all(|text| stands_once(text, line));
        self.sought.borrow_mut().insert(line.to_vec(), is_one);
        is_one
    }
}

fn all([before, after]: [&[u8]; 2]) -> HashSet<Vec<u8>> {
    let after = counted(after);
    let is_one = |line: &&[u8]| after.get(line) == Some(&1);
    let before = counted(before).into_iter().filter(|(_, count)| *count == 1).map(|(line, _)| line);
    before.filter(is_one).map(<[u8]>::to_vec).collect()
}

/// How often each line with a word stands in a text.
fn counted(text: &[u8]) -> PieceMap<'_, usize> {
    let mut counts = PieceMap::default();
    split_lines(text).filter(|line| has_word(line)).for_each(|line| *counts.entry(line).or_default() += 1);
    counts
}

/// Whether a line is in a text, and not twice.
fn stands_once(text: &[u8], line: &[u8]) -> bool {
    let is_whole = |at: &usize| {
        let is_end = line.ends_with(b"\n") || at + line.len() == text.len();
        is_end && (*at == 0 || text[at - 1] == b'\n')
    };
    let mut places = memmem::find_iter(text, line).filter(is_whole);
    places.next().is_some() && places.next().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_line_stands_once_in_both_texts_or_not() {
        let (before, after) = (b"a\nb\nb\n}\nxa\na", b"a\nb\nc\n}\nxa\n");
        let edit = Edit::by_lines(before, after).expect("an edit");
        let once = StandOnce::of(&edit);
        let has = |line: &'static str| once.has(line.as_bytes());
        assert!(has("a\n") && has("xa\n"));
        assert!(!has("a") && !has("b\n") && !has("c\n") && !has("d\n"));
        assert!(!has("}\n"), "it has no word");
    }

    proptest! {
        #[test]
        fn lines_that_are_sought_one_by_one_are_those_that_all_lines_tell(
            before in "(a\n|ab\n|b\n|}\n|c [0-9]{2}\n){0,120}(a|ab)?",
            after in "(a\n|ab\n|b\n|}\n|c [0-9]{2}\n){0,120}(a|ab)?",
        ) {
            let edit = Edit::by_lines(before.as_bytes(), after.as_bytes()).expect("an edit");
            let once = StandOnce::of(&edit);
            for line in split_lines(edit.before()).chain(split_lines(edit.after())) {
                let is_one = [&before, &after].iter().all(|text| counted(text.as_bytes()).get(line) == Some(&1));
                prop_assert_eq!(once.has(line), is_one);
            }
        }
    }
}
