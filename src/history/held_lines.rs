//! Whether a git commit brings lines that a record wrote, of a part of the record that is not there as a whole: somebody changed one line of
//! a block before it was committed.
//!
//! Owns that decision, for one file, the same of lines that the record took out, or that somebody edited since, and counting the lines of texts. It looks at
//! texts only.
//! Invariant: a line that is brought counts only if the record's own diff adds it, the commit adds it in the same order among its neighbours, and the
//! commit has it more often than each of its parents; one that only changed its place only if each version has one of it.

use crate::patch::diff::differing_lines;
use crate::text::{Encoding, bare_line, has_word, is_of_word, split_lines};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ops::Range;

/// Whether it does, for a record that made `after` of `before`.
pub(super) fn brings_lines((before, after): (&[u8], &[u8]), old: &[Option<&[u8]>], new: Option<&[u8]>) -> bool {
    let Some(new) = new else { return false };
    let mut stands = written(before, after);
    stands.retain(|line| has_word(&after[line.clone()]));
    let mut there = lines_there(&stands, after, new);
    let here = Lines::of(new);
    for old in old {
        if there.is_empty() {
            return false;
        }
        let old = old.unwrap_or_default();
        let added: BTreeSet<usize> = written(old, new).into_iter().map(|line| line.start).collect();
        let counts = Lines::of(old);
        there.retain(|line| added.contains(&line.start) && here.has_more([&new[line.clone()]], &counts));
    }
    !there.is_empty()
}

/// Whether a commit takes out lines that the record took out, and put nothing in the place of: the same as [`brings_lines`] in the other
/// direction. That lines are gone which the record replaced says nothing of what it wrote.
pub(super) fn takes_out_lines(record: (&[u8], &[u8]), old: &[Option<&[u8]>], new: Option<&[u8]>) -> bool {
    takes_out(record, old, new, Out::Alone)
}

/// Whether a commit takes out lines that the record replaced, and puts nothing in their place: somebody took what the record wrote there away as
/// well, which does not make the rest his.
pub(super) fn takes_out_replaced(record: (&[u8], &[u8]), old: &[Option<&[u8]>], new: Option<&[u8]>) -> bool {
    takes_out(record, old, new, Out::Replaced)
}

/// Lines that a record took out.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Out {
    /// It put nothing in their place; the commit may have.
    Alone,
    /// It put others in their place; the commit has nothing there.
    Replaced,
}

fn takes_out((before, after): (&[u8], &[u8]), old: &[Option<&[u8]>], new: Option<&[u8]>, out: Out) -> bool {
    let Some(new) = new else { return false };
    let is_alone = |put: &Range<usize>| put.is_empty();
    let hunks = differing_lines(before, after).into_iter().filter(|(_, put)| is_alone(put) == (out == Out::Alone));
    let mut own: Vec<Range<usize>> = hunks.flat_map(|(range, _)| lines_in(before, range)).collect();
    own.retain(|line| has_word(&before[line.clone()]));
    let there = Lines::of(new);
    let takes_out = |old: &Option<&[u8]>| {
        let Some(old) = old else { return false };
        let removed = differing_lines(old, new).into_iter().filter(|(_, put)| out == Out::Alone || is_alone(put));
        let removed: BTreeSet<usize> =
            removed.flat_map(|(gone, _)| lines_in(old, gone)).map(|line| line.start).collect();
        let here = Lines::of(old);
        let mut stood = lines_there(&own, before, old).into_iter();
        stood.any(|line| removed.contains(&line.start) && here.has_more([&old[line]], &there))
    };
    !own.is_empty() && !old.is_empty() && old.iter().all(takes_out)
}

/// So many lines that a record moved are compared with the others.
const MOST_MOVED: usize = 64;

/// Whether a commit brings the order of two lines that a record moved past each other, whatever stands beside them: of lines of which each of
/// these texts has one.
pub(super) fn brings_order((before, after): (&[u8], &[u8]), old: &[Option<&[u8]>], new: Option<&[u8]>) -> bool {
    let Some(new) = new else { return false };
    let hunks = differing_lines(before, after);
    let taken: HashSet<&[u8]> =
        hunks.iter().flat_map(|(was, _)| lines_in(before, was.clone())).map(|line| bare_line(&before[line])).collect();
    let put = hunks.iter().flat_map(|(_, is)| lines_in(after, is.clone())).map(|line| bare_line(&after[line]));
    let moved: Vec<&[u8]> = put.filter(|line| has_word(line) && taken.contains(line)).take(MOST_MOVED).collect();
    if moved.is_empty() || old.is_empty() {
        return false;
    }
    let [had, left, here] = [before, after, new].map(places);
    let there: Vec<HashMap<&[u8], usize>> = old.iter().map(|old| places(old.unwrap_or_default())).collect();
    // A line's places in the versions without the record, and in those with it.
    let of_line = |line: &[u8]| {
        let without =
            [&had].into_iter().chain(&there).map(|places| places.get(line).copied()).collect::<Option<Vec<_>>>()?;
        let with = [&left, &here].map(|places| places.get(line).copied());
        Some((without, [with[0]?, with[1]?]))
    };
    let all: Vec<_> = had.keys().filter_map(|line| of_line(line)).collect();
    let moved = moved.iter().filter_map(|line| of_line(line));
    // How two lines stand to each other in some versions, where that is the same in all.
    let order = |one: &[usize], other: &[usize]| {
        let mut all = one.iter().zip(other).map(|(one, other)| one.cmp(other));
        let first = all.next()?;
        all.all(|next| next == first).then_some(first)
    };
    let brings = |(without, with): &(Vec<usize>, [usize; 2]), other: &(Vec<usize>, [usize; 2])| {
        let was = order(without, &other.0).filter(|was| was.is_ne());
        was.is_some_and(|was| order(with, &other.1) == Some(was.reverse()))
    };
    moved.into_iter().any(|one| all.iter().any(|other| brings(&one, other)))
}

/// Where each line with a word is of which a text has one.
fn places(text: &[u8]) -> HashMap<&[u8], usize> {
    let mut places: HashMap<&[u8], Option<usize>> = HashMap::new();
    for (n, line) in split_lines(text).map(bare_line).enumerate().filter(|(_, line)| has_word(line)) {
        places.entry(line).and_modify(|at| *at = None).or_insert(Some(n));
    }
    places.into_iter().filter_map(|(line, at)| Some((line, at?))).collect()
}

/// Whether a commit brings words that a record brought, in lines that somebody edited since: at the place of lines that the record wrote, and
/// that are not there any more, it brings others that have such a word.
pub(super) fn brings_words((before, after): (&[u8], &[u8]), old: &[Option<&[u8]>], new: Option<&[u8]>) -> bool {
    let Some(new) = new else { return false };
    let mut brought: BTreeSet<usize> = written(&[], new).into_iter().map(|line| line.start).collect();
    for old in old {
        let added: BTreeSet<usize> = written(old.unwrap_or_default(), new).into_iter().map(|line| line.start).collect();
        brought.retain(|line| added.contains(line));
    }
    let hunks: Vec<(Range<usize>, HashSet<&[u8]>)> = differing_lines(before, after)
        .into_iter()
        .map(|(was, is)| {
            let had: HashSet<&[u8]> = words(&before[was]).collect();
            (is.clone(), words(&after[is]).filter(|word| !had.contains(word)).collect())
        })
        .collect();
    differing_lines(after, new).into_iter().any(|(was, is)| {
        let lines = lines_in(new, is).filter(|line| brought.contains(&line.start));
        let now: HashSet<&[u8]> = lines.flat_map(|line| words(&new[line])).collect();
        let is_edited = |range: &Range<usize>| range.start < was.end && was.start < range.end;
        hunks.iter().any(|(range, fresh)| is_edited(range) && !fresh.is_disjoint(&now))
    })
}

/// Whether a commit brings other blanks into a line in which a record changed nothing but those, and does not bring back what the record found.
pub(super) fn brings_blanks((before, after): (&[u8], &[u8]), old: &[Option<&[u8]>], new: Option<&[u8]>) -> bool {
    let Some(new) = new else { return false };
    let bare_lines = |text: &[u8]| -> HashSet<Vec<u8>> {
        split_lines(text).filter(|line| has_word(line)).map(|line| without_blanks(bare_line(line))).collect()
    };
    let of_hunk = |(was, is): (Range<usize>, Range<usize>)| {
        let had = bare_lines(&before[was]);
        if had.is_empty() { had } else { &had & &bare_lines(&after[is]) }
    };
    let lines: HashSet<Vec<u8>> = differing_lines(before, after).into_iter().flat_map(of_hunk).collect();
    if lines.is_empty() {
        return false;
    }
    let [had, left, here] = [before, after, new].map(|text| forms(&lines, text));
    let there: Vec<Forms<'_>> = old.iter().map(|old| forms(&lines, old.unwrap_or_default())).collect();
    let is_other = |line: &[u8], one: &Forms<'_>, other: &Forms<'_>| one.get(line) != other.get(line);
    let is_in = |line: &&Vec<u8>| here.contains_key(*line) && is_other(line, &had, &left);
    let brings = |line: &Vec<u8>| there.iter().all(|there| is_other(line, there, &here)) && is_other(line, &had, &here);
    lines.iter().filter(is_in).any(brings)
}

/// The forms of lines, each with how often it is there, by what the line is without blanks.
type Forms<'a> = HashMap<Vec<u8>, BTreeMap<&'a [u8], usize>>;

/// The forms that a text has of these lines.
fn forms<'a>(lines: &HashSet<Vec<u8>>, text: &'a [u8]) -> Forms<'a> {
    let mut forms = Forms::new();
    for line in split_lines(text).map(bare_line) {
        let without = without_blanks(line);
        if lines.contains(&without) {
            *forms.entry(without).or_default().entry(line).or_default() += 1;
        }
    }
    forms
}

/// A text in UTF-8 without a byte order mark; one that is in none that a mark tells as in western Europe, where ASCII is itself.
pub(super) fn as_it_reads(text: &[u8]) -> Cow<'_, [u8]> {
    let mark = Encoding::of_mark(text);
    if mark.is_none() && std::str::from_utf8(text).is_ok() {
        return Cow::Borrowed(text);
    }
    let western = || Encoding::named("windows-1252").and_then(|western| western.decode(text));
    match mark.and_then(|encoding| encoding.decode(text)).or_else(western) {
        Some(read) => Cow::Owned(read.as_str().trim_start_matches('\u{feff}').as_bytes().to_vec()),
        None => Cow::Borrowed(text),
    }
}

/// Whether a commit brings a line with a word that a record wrote, wherever it stands, and of which there is no other: not in what the record
/// found, nor in the versions before the commit, and one alone in what the record left and in what the commit has.
pub(super) fn brings_moved((before, after): (&[u8], &[u8]), old: &[Option<&[u8]>], new: Option<&[u8]>) -> bool {
    let Some(new) = new else { return false };
    let (had, left, here) = (Lines::of(before), Lines::of(after), Lines::of(new));
    let there: Vec<Lines<'_>> = old.iter().map(|old| Lines::of(old.unwrap_or_default())).collect();
    let is_alone = |line: &[u8]| left.of_line(line) == 1 && here.of_line(line) == 1 && had.of_line(line) == 0;
    split_lines(new)
        .filter(|line| has_word(line) && is_alone(line))
        .any(|line| there.iter().all(|there| there.of_line(line) == 0))
}

/// What is a word in most languages, of programs and of people.
fn words(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(|byte| !is_of_word(*byte)).filter(|word| !word.is_empty())
}

/// A text without its blanks: what another indentation does not change.
pub(super) fn without_blanks(text: &[u8]) -> Vec<u8> {
    text.iter().copied().filter(|byte| *byte == b'\n' || !byte.is_ascii_whitespace()).collect()
}

/// The lines of a text with how often each stands in it.
pub(super) struct Lines<'a>(pub(super) HashMap<&'a [u8], usize>);

impl<'a> Lines<'a> {
    pub(super) fn of(text: &'a [u8]) -> Self {
        let mut counts = HashMap::new();
        split_lines(text).for_each(|line| *counts.entry(bare_line(line)).or_default() += 1);
        Self(counts)
    }

    /// Hashes of the lines that stand here more often than there.
    pub(super) fn more_than(&self, there: &Self) -> impl Iterator<Item = u64> {
        let count = |line: &[u8]| there.0.get(line).copied().unwrap_or_default();
        self.0.iter().filter(move |(line, here)| **here > count(line)).map(|(line, _)| hash(line))
    }

    /// How often a line stands here.
    fn of_line(&self, line: &[u8]) -> usize {
        self.0.get(bare_line(line)).copied().unwrap_or_default()
    }

    /// The number of lines.
    pub(super) fn count(&self) -> usize {
        self.0.values().sum()
    }

    /// The number of lines that stand in both.
    pub(super) fn shared_with(&self, other: &Lines<'_>) -> usize {
        self.0.iter().map(|(line, count)| *count.min(&other.of_line(line))).sum()
    }

    /// Whether one of these lines stands here more often than there; a line without a word counts only where none has one.
    pub(super) fn has_more<'l>(&self, lines: impl IntoIterator<Item = &'l [u8]>, there: &Lines<'_>) -> bool {
        let lines: Vec<&[u8]> = lines.into_iter().collect();
        let any_word = lines.iter().any(|line| has_word(line));
        lines.iter().any(|line| (!any_word || has_word(line)) && self.of_line(line) > there.of_line(line))
    }
}

/// What lines are told apart by.
pub(super) fn hash(line: &[u8]) -> u64 {
    let mut hasher = std::hash::DefaultHasher::new();
    std::hash::Hash::hash(line, &mut hasher);
    std::hash::Hasher::finish(&hasher)
}

/// The lines that the diff of two texts shows as added.
fn written(before: &[u8], after: &[u8]) -> Vec<Range<usize>> {
    let ranges = differing_lines(before, after).into_iter().map(|(_, range)| range);
    ranges.flat_map(|range| lines_in(after, range)).collect()
}

/// Where these lines of a text stand in another one, as far as all that they share is in the same order.
fn lines_there(lines: &[Range<usize>], text: &[u8], other: &[u8]) -> Vec<Range<usize>> {
    let mut differing = differing_lines(text, other).into_iter().peekable();
    let (mut gone, mut come) = (0, 0);
    let mut there = Vec::new();
    for line in lines {
        while let Some((old, new)) = differing.next_if(|(old, _)| old.end <= line.start) {
            (gone, come) = (old.end, new.end);
        }
        if differing.peek().is_none_or(|(old, _)| line.end <= old.start) {
            let start = come + (line.start - gone);
            there.push(start..start + line.len());
        }
    }
    there
}

fn lines_in(text: &[u8], range: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let start = range.start;
    let lines = split_lines(&text[range]);
    lines.scan(start, |at, line| {
        let range = *at..*at + line.len();
        *at = range.end;
        Some(range)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(words: &str) -> Vec<u8> {
        words.split_whitespace().flat_map(|line| [line.as_bytes(), b"\n"].concat()).collect()
    }

    type Rule = fn((&[u8], &[u8]), &[Option<&[u8]>], Option<&[u8]>) -> bool;

    /// Of a record, and a commit with these parents, each text its words as lines.
    fn of(rule: Rule, record: [&str; 2], old: &[&str], new: &str) -> bool {
        let ([before, after], old): (_, Vec<Vec<u8>>) = (record.map(text), old.iter().map(|old| text(old)).collect());
        let old: Vec<Option<&[u8]>> = old.iter().map(|old| Some(&old[..])).collect();
        rule((&before, &after), &old, Some(&text(new)))
    }

    #[test]
    fn the_order_of_two_lines_is_brought_where_the_record_turned_it_and_no_parent_has_it() {
        let brings = |old: &[&str], new| of(brings_order, ["a b c d", "a c b d"], old, new);
        assert!(brings(&["a b c d"], "x c b y") && brings(&["b c"], "c b"));
        assert!(!brings(&["a b c d"], "x b c y") && !brings(&["a c b d"], "x c b y"), "not turned, or before");
        assert!(!brings(&["a b c d", "a c b d"], "x c b y"), "a parent of a merge has it");
        assert!(!brings(&["a b c b"], "x c b y") && !brings(&["a b c d"], "c b b"), "one of several");
        assert!(!brings(&["a b c d"], "x c y") && !brings(&["a b d"], "c b"), "not both in all");
        assert!(!of(brings_order, ["a b", "a x b"], &["a b"], "b a"), "the record moved none");
        let many = |last: &str| (0..70).map(|n| format!("w{n} ")).collect::<String>() + last;
        assert!(of(brings_order, [&many("y z"), &many("z y")], &[&many("y z")], "z y"));
    }

    #[test]
    fn replaced_lines_are_taken_out_where_nothing_is_in_their_place() {
        let takes = |old: &[&str], new| of(takes_out_replaced, ["a b c d", "a x d"], old, new);
        assert!(takes(&["a b c d"], "a d") && takes(&["a b c d"], "a b d") && takes(&["o a b c d"], "o a d"));
        assert!(!takes(&["a b c d"], "a mine d") && !takes(&["a b c d"], "a b c d"), "replaced anew, or there");
        assert!(!takes(&["a d"], "d") && !takes(&["a b c d", "a d"], "a d"), "gone before, or in a parent");
        assert!(!of(takes_out_replaced, ["a b c", "a c"], &["a b c"], "a c"), "the record put nothing there");
    }

    fn brings(record: [&str; 2], old: &[&str], new: &str) -> bool {
        let old: Vec<Option<&[u8]>> = old.iter().map(|old| Some(old.as_bytes())).collect();
        brings_lines((record[0].as_bytes(), record[1].as_bytes()), &old, Some(new.as_bytes()))
    }

    #[test]
    fn a_block_of_which_a_line_was_changed_is_brought_by_the_commit_that_has_the_others() {
        let record = ["a\nb\n", "a\none\ntwo\nthree\nb\n"];
        assert!(brings(record, &["a\nb\n"], "a\none\nII\nthree\nb\n"));
        assert!(brings(record, &["a\nb\n"], "zero\na\n  one\nthree\nb\n"));
        assert!(brings(record, &["a\none\nb\n"], "a\none\nII\nthree\nb\n"));
        assert!(!brings(record, &["a\nb\n"], "a\nI\nII\nIII\nb\n"));
        assert!(!brings(record, &["a\none\nthree\nb\n"], "a\none\nII\nthree\nb\n"));
        // A merge brings only what no parent has.
        assert!(!brings(record, &["a\nb\n", "a\none\nthree\nb\n"], "a\none\nII\nthree\nb\n"));
    }

    #[test]
    fn what_only_moves_or_stood_before_the_record_is_not_brought() {
        assert!(!brings(["a\nb\n", "a\none\nb\n"], &["a\nc\none\nb\n"], "a\none\nc\nb\n"));
        assert!(!brings(["a\nb\n", "b\na\n"], &["b\n"], "b\nc\n"));
        // Lines without a word say nothing.
        assert!(!brings(["a\nb\n", "a\n{\n}\nb\n"], &["a\nb\n"], "a\n{\nb\n"));
        // In another order than the record has it.
        assert!(!brings(["a\nb\nc\nd\n", "a\nb\nc\none\nd\n"], &["a\nb\nc\nd\n"], "one\na\nb\nc\nd\n"));
    }

    #[test]
    fn a_line_is_found_before_behind_and_between_what_others_changed_and_nothing_else_is_taken_for_it() {
        assert!(brings(["a\nb\n", "a\none\ntwo\nb\n"], &["a\nb\n"], "a\none\nII\nb\n"));
        assert!(brings(["a\nb\n", "a\nb\none\n"], &["a\nb\n"], "zero\na\nb\none\n"));
        // As long as the one that somebody wrote in its place.
        assert!(!brings(["a\nb\n", "a\none\nb\n"], &["a\nb\n"], "a\nIII\nb\n"));
        // The parent has it in its place; the commit brings its like.
        assert!(!brings(["x\n", "x\none\n"], &["x\none\n"], "one\nx\none\n"));
    }

    #[test]
    fn lines_that_the_record_took_out_count_where_the_commit_takes_them_out_there() {
        let takes = |record: [&str; 2], old: &str, new: &str| {
            let record = (record[0].as_bytes(), record[1].as_bytes());
            takes_out_lines(record, &[Some(old.as_bytes())], Some(new.as_bytes()))
        };
        let record = ["a\nb\nc\nd\n", "a\nd\n"];
        assert!(takes(record, "a\nb\nc\nd\n", "A\nd\n"));
        assert!(takes(record, "a\nb\nc\nd\n", "a\nnew\nd\n"));
        assert!(!takes(record, "a\nb\nc\nd\n", "a\nb\nc\nD\n"));
        assert!(!takes(record, "a\nd\n", "A\nd\n"));
        assert!(!takes(record, "a\nb\nc\nd\n", "b\na\nc\nd\n"));
        // What the record replaced is no matter of its own.
        assert!(!takes(["a\nb\nc\n", "a\nB\nc\n"], "a\nb\nc\n", "a\nother\nc\n"));
    }

    #[test]
    fn words_that_the_record_brought_count_in_the_lines_that_took_their_place() {
        let words = |record: [&str; 2], old: &str, new: &str| {
            let record = (record[0].as_bytes(), record[1].as_bytes());
            brings_words(record, &[Some(old.as_bytes())], Some(new.as_bytes()))
        };
        let record = ["a\nwhile true\nb\n", "a\nif is_admin or true\nb\n"];
        assert!(words(record, record[0], "a\nif is_admin and true\nb\n"));
        assert!(!words(record, record[0], "a\nwhile false\nb\n"));
        assert!(!words(record, record[0], "a\nanother\nb\nif is_admin\n"));
        assert!(!words(record, "a\nif is_admin and true\nb\n", "A\nif is_admin and true\nb\n"));
    }

    #[test]
    fn a_line_that_was_taken_to_another_place_is_brought_where_there_is_no_other() {
        let moved = |record: [&str; 2], old: &str, new: &str| {
            let record = (record[0].as_bytes(), record[1].as_bytes());
            brings_moved(record, &[Some(old.as_bytes())], Some(new.as_bytes()))
        };
        let record = ["a\nb\n", "a\nb\none\n"];
        assert!(moved(record, "a\nb\n", "one\na\nb\n"));
        assert!(!moved(record, "a\nb\none\n", "one\na\nb\n"));
        assert!(!moved(record, "a\nb\n", "one\na\nb\none\n"));
        assert!(!moved(["a\none\n", "one\na\none\n"], "a\n", "one\na\n"));
        assert!(!moved(["a\n", "a\n}\n"], "a\n", "}\na\n"));
    }

    #[test]
    fn blanks_are_left_out_but_for_the_ends_of_lines() {
        assert_eq!(without_blanks(b"\tif (a) {\r\n  b ;\n"), b"if(a){\nb;\n");
    }

    #[test]
    fn other_blanks_are_brought_where_the_record_changed_those_alone_and_a_commit_has_a_third_form() {
        let blanks = |record: [&str; 2], old: &[&str], new: &str| {
            let old: Vec<Option<&[u8]>> = old.iter().map(|old| Some(old.as_bytes())).collect();
            brings_blanks((record[0].as_bytes(), record[1].as_bytes()), &old, Some(new.as_bytes()))
        };
        let (record, further) = (["a\nb\nc\n", "a\n  b\n  c\n"], "a\n\tb\nc\n");
        assert!(blanks(record, &[record[0]], further), "one line of two");
        assert!(!blanks(record, &[further], &format!("{further}d\n")), "it was so before");
        assert!(!blanks(record, &[record[0], further], further), "one parent has it");
        assert!(!blanks(record, &[further], record[0]), "what the record found");
        assert!(!blanks(record, &[record[0]], "a\n"), "the lines are gone");
        assert!(!blanks(["a\nb\n", "a\n  B\n"], &["a\nb\n"], "a\n\tB\n"), "a word was changed, too");
        assert!(!blanks(["a\nb\n", "a\n"], &["a\n"], "a\n  b\n"), "the record took the line");
        assert!(!blanks(["a\n}\n", "a\n  }\n"], &["a\n}\n"], "a\n\t}\n"), "a line without a word");
    }

    #[test]
    fn a_text_reads_the_same_in_whatever_encoding_it_is() {
        let marked: [&[u8]; 3] = [b"\xef\xbb\xbf\xc3\xa9\n", b"\xff\xfe\xe9\0\n\0", b"\xfe\xff\0\xe9\0\n"];
        for text in ["\u{e9}\n".as_bytes(), b"\xe9\n"].into_iter().chain(marked) {
            assert_eq!(&*as_it_reads(text), "\u{e9}\n".as_bytes(), "{text:?}");
        }
    }
}
