//! Whether two texts are versions of one file, by the lines that they have in common.
//!
//! Owns that question, and the weaker one whether a text may have got into another file. Proves no place of anything (that
//! is `patch/take_back`). A line counts where it holds a word; one that both texts have is evidence, only most are a proof.
//! Invariant: two files that merely begin alike (a licence, some imports) are not versions of each other.

use crate::patch::diff::differing_lines;
use crate::text::{has_word, split_lines};
use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

/// Whether most lines of the larger text stand once in each: then one became the other, as git itself says of a rename.
///
/// Exactly half is enough where nothing of one of them is missing in the other, which then only grew.
pub(crate) fn are_versions(one: &[u8], other: &[u8]) -> bool {
    let (one, other) = (Lines::of(one), Lines::of(other));
    let shared = one.shared_with(&other);
    let (least, most) = (one.len().min(other.len()), one.len().max(other.len()));
    shared > 0 && (2 * shared > most || (2 * shared == most && shared == least))
}

/// Whether a third of the lines of the smaller text stand once in each.
pub(crate) fn are_partly_one(one: &[u8], other: &[u8]) -> bool {
    let (one, other) = (Lines::of(one), Lines::of(other));
    let shared = one.shared_with(&other);
    shared > 0 && 3 * shared >= one.len().min(other.len())
}

/// Whether two texts that both hold a word have no line with one in common.
pub(crate) fn share_nothing(one: &[u8], other: &[u8]) -> bool {
    let (one, other) = (Lines::of(one), Lines::of(other));
    one.len() > 0 && other.len() > 0 && !one.0.keys().any(|line| other.0.contains_key(line))
}

/// Whether a text has more lines in common with one text than with another.
pub(crate) fn is_closer(text: &[u8], to: &[u8], than: &[u8]) -> bool {
    let text = Lines::of(text);
    text.shared_with(&Lines::of(to)) > text.shared_with(&Lines::of(than))
}

/// Whether fewer lines tell a text from one text than from another.
pub(crate) fn is_nearer(text: &[u8], to: &[u8], than: &[u8]) -> bool {
    distance(text, to) < distance(text, than)
}

/// How many bytes of lines a text and another one do not have in common, in their order: white space, brackets and doubled lines count.
pub(crate) fn bytes_apart(one: &[u8], other: &[u8]) -> usize {
    differing_lines(one, other).into_iter().map(|(one, other)| one.len() + other.len()).sum()
}

/// How many lines, each counted once, stand only in one of two texts.
pub(crate) fn distance(one: &[u8], other: &[u8]) -> usize {
    if one == other { 0 } else { LinesOnce::of(one).distance(&LinesOnce::of(other)) }
}

/// The lines of a text, each once, by their hashes: to compare many texts with each other.
pub(crate) struct LinesOnce(Vec<u64>);

impl LinesOnce {
    pub(crate) fn of(text: &[u8]) -> Self {
        let hash = |line: &[u8]| {
            let mut hasher = DefaultHasher::new();
            line.hash(&mut hasher);
            hasher.finish()
        };
        let lines = split_lines(text).map(<[u8]>::trim_ascii).filter(|line| has_word(line));
        let mut hashes: Vec<u64> = lines.map(hash).collect();
        hashes.sort_unstable();
        hashes.dedup();
        Self(hashes)
    }

    /// As [`distance`].
    pub(crate) fn distance(&self, other: &Self) -> usize {
        let (mut one, mut other, mut apart) = (&self.0[..], &other.0[..], 0);
        while let ([first, rest @ ..], [others, others_rest @ ..]) = (one, other) {
            apart += usize::from(first != others);
            (one, other) =
                (if first <= others { rest } else { one }, if others <= first { others_rest } else { other });
        }
        apart + one.len() + other.len()
    }
}

/// Whether half of the lines of a text stand in another, however much else that holds.
pub(crate) fn is_mostly_in(text: &[u8], other: &[u8]) -> bool {
    let (text, other) = (Lines::of(text), Lines::of(other));
    let found = text.0.keys().filter(|line| other.0.contains_key(*line)).count();
    found > 0 && 2 * found >= text.len()
}

/// Whether a line that stands in `after`, and not in `before`, stands in a text.
pub(crate) fn has_own_line(before: &[u8], after: &[u8], text: &[u8]) -> bool {
    let trimmed = |text| split_lines(text).map(<[u8]>::trim_ascii);
    // Of two long texts only a few lines differ: what stands before and behind them is in both.
    let (old, new): (Vec<&[u8]>, Vec<&[u8]>) = (trimmed(before).collect(), trimmed(after).collect());
    let first = old.iter().zip(&new).take_while(|(one, other)| one == other).count();
    let (old, new) = (&old[first..], &new[first..]);
    let last = old.iter().rev().zip(new.iter().rev()).take_while(|(one, other)| one == other).count();
    let mut own: HashSet<&[u8]> = new[..new.len() - last].iter().copied().filter(|line| has_word(line)).collect();
    for line in trimmed(before) {
        if own.is_empty() {
            return false;
        }
        own.remove(line);
    }
    !own.is_empty() && trimmed(text).any(|line| own.contains(line))
}

/// Whether a text has all lines that two others have in common, and none of an older one that both lack: then one of them may have come of it as well
/// as of the other.
pub(crate) fn explains(text: &[u8], (one, other): (&[u8], &[u8]), older: &[u8]) -> bool {
    let [text, one, other, older] = [text, one, other, older].map(Lines::of);
    let has = |lines: &Lines<'_>, line: &&[u8]| lines.0.contains_key(line);
    let mut common = one.0.keys().filter(|line| has(&other, line));
    let is_old = |line: &&&[u8]| has(&older, line) && !has(&one, line) && !has(&other, line);
    common.all(|line| has(&text, line)) && !text.0.keys().any(|line| is_old(&line))
}

/// Whether a line is more often, or less often, in both of two texts than in a third one that they may come from; or two lines stand
/// together more often.
pub(crate) fn share_a_change(from: &[u8], one: &[u8], other: &[u8]) -> bool {
    let texts = [from, one, other].map(|text| {
        let lines: Vec<&[u8]> = split_lines(text).map(<[u8]>::trim_ascii).filter(|line| has_word(line)).collect();
        let mut counts: HashMap<&[&[u8]], usize> = HashMap::new();
        lines.windows(1).chain(lines.windows(2)).for_each(|run| *counts.entry(run).or_default() += 1);
        counts.into_iter().map(|(run, count)| (run.to_vec(), count)).collect::<HashMap<_, _>>()
    });
    let mut runs = texts.iter().flat_map(HashMap::keys);
    runs.any(|run| {
        let [from, one, other] = texts.each_ref().map(|text| text.get(run).copied().unwrap_or_default());
        // That two were parted says little: what was put between them tells more.
        (from < one && from < other) || (run.len() == 1 && from > one && from > other)
    })
}

/// The lines of a text that hold a word, without the white space around them, and how often each stands there.
struct Lines<'a>(HashMap<&'a [u8], usize>);

impl<'a> Lines<'a> {
    fn of(text: &'a [u8]) -> Self {
        let mut counts = HashMap::new();
        for line in split_lines(text).map(<[u8]>::trim_ascii).filter(|line| has_word(line)) {
            *counts.entry(line).or_default() += 1;
        }
        Self(counts)
    }

    /// How many there are, each counted once.
    fn len(&self) -> usize {
        self.0.len()
    }

    /// How many stand exactly once in each of both.
    fn shared_with(&self, other: &Self) -> usize {
        self.0.iter().filter(|(line, count)| **count == 1 && other.0.get(*line) == Some(&1)).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(one: &str, other: &str, want: bool) {
        assert_eq!(are_versions(one.as_bytes(), other.as_bytes()), want);
        assert_eq!(are_versions(other.as_bytes(), one.as_bytes()), want);
    }

    #[test]
    fn a_text_is_nearer_to_the_one_from_which_fewer_lines_tell_it() {
        let nearer = |to: &str, than: &str| is_nearer(b"a\nb\nc\n", to.as_bytes(), than.as_bytes());
        assert!(nearer("a\nb\n", "a\nx\n") && nearer("a\nb\nc\nd\n", "a\nb\nx\n") && nearer(" c\nb\na\n", "a\nb\n"));
        assert!(!nearer("a\nb\n", "b\nc\n") && !nearer("a\nx\n", "a\nb\n") && !nearer("x\n", "y\n"));
    }

    #[test]
    fn texts_are_apart_by_all_that_differs_in_their_lines() {
        let apart = |one: &str, other: &str| bytes_apart(one.as_bytes(), other.as_bytes());
        assert_eq!([apart("a\n", "a\n"), apart("a\n", " a\n"), apart("a\nb\n", "a\n}\nb\n")], [0, 5, 2]);
        assert_eq!([apart("a\nb\n", "a\nb\nb\n"), apart("a\nb\n", "b\na\n")], [2, 4]);
    }

    #[test]
    fn half_of_the_lines_tell_that_a_text_got_into_another() {
        let is_in = |text: &str, other: &str| is_mostly_in(text.as_bytes(), other.as_bytes());
        assert!(is_in("a\nb\n", "x\n  b\ny\nz\n") && is_in("a\n", "a\na\n") && is_in("a\nb\nc\nd\n", "b\nd\n"));
        assert!(!is_in("a\nb\nc\n", "c\n") && !is_in("a\n", "b\n") && !is_in("", "") && !is_in("}\n", "}\n"));
    }

    #[test]
    fn a_line_is_an_edit_s_own_where_only_its_new_text_has_it() {
        let has = |text: &str| has_own_line(b"a\nb\n", b"a\nnew\ntwice\ntwice\n", text.as_bytes());
        assert!(has("x\n  new\n") && has("twice\n"));
        assert!(!has("a\n") && !has("b\n") && !has("other\n") && !has(""));
    }

    #[test]
    fn a_change_is_shared_where_a_line_is_more_often_or_less_often_in_both() {
        let share = |one: &str, other: &str| share_a_change(b"a\nb\n{\n", one.as_bytes(), other.as_bytes());
        assert!(share("a\nb\nc\n{\n", " c\na\nb\n") && share("a\na\nb\n", "a\na\na\n") && share("a\n{\n", "{\n"));
        assert!(!share("a\nb\nc\n", "a\nb\nd\n") && !share("a\nb\n", "a\nb\n") && !share("a\n", "b\n"));
        assert!(!share("a\na\nb\n", "b\n"), "one twice, the other not at all");
        assert!(share("b\na\n", "x\nb\n  a\n"), "turned round in both");
    }

    #[test]
    fn a_text_explains_what_two_have_in_common_and_lack_together() {
        let does = |text: &str, one: &str, other: &str| {
            explains(text.as_bytes(), (one.as_bytes(), other.as_bytes()), b"old\na\nb\n")
        };
        assert!(does("a\nb\nmore\n", "a\nb\nmine\n", "a\nb\n") && does("b\nmore\n", " b\nmine\n", "b\nyours\n"));
        assert!(!does("a\nb\n", "a\nb\nnew\n", "a\nb\nnew\n"), "both have a line that it lacks");
        assert!(!does("old\na\nb\n", "a\nb\nmine\n", "a\nb\n"), "both lack one that it has");
        assert!(does("old\na\nb\n", "old\na\nb\nmine\n", "a\nb\n"), "only one of them lacks it");
        assert!(does("a\nb\nsince\n", "a\nb\nmine\n", "a\nb\n"), "it got one that is not old");
    }

    #[test]
    fn most_lines_tell_a_version_and_one_does_not() {
        check("use io;\nfn one() {}\n", "use io;\nfn two() {}\n", false);
        check("use io;\nuse fs;\nfn one() {}\n", "  use io;\nuse fs;\r\n\nfn two() {}\n", true);
        check("use io;\nuse fs;\na\nb\n", "use io;\nuse fs;\nc\nd\n", false);
        check("ccc\n", "ccc\nmine\n", true);
        check("ccc\n", "ccc\nmine\nmore\n", false);
        check("a\nb\n", "a\nb\nc\nd\n", true);
        check("a\nb\n", "a\nb\nc\nd\ne\n", false);
        check("", "", false);
        check("}\n", "}\n", false);
        check("same\nsame\na\n", "same\nsame\nb\n", false);
    }
}
