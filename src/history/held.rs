//! What of a record a git commit holds: lines of the record that are in force in the commit's text, and were not before it.
//!
//! Owns that decision, for one file; who is asked, and of which commits, is not its affair. It looks at texts only: nothing
//! that a commit's message says counts, for anybody can write one.
//! Invariant: a part is held only where taking it back from the commit's text is proven, and the commit brought it.

use super::held_lines::{
    Lines, as_it_reads, brings_blanks, brings_lines, brings_moved, brings_order, brings_words, hash, takes_out_lines,
    takes_out_replaced, without_blanks,
};
use super::plainly_brought::is_plainly_brought;
use super::versions::Versions;
use crate::git::{GitForm, Repo, RepoError};
use crate::patch::Origin;
use crate::patch::diff::differing_lines;
use crate::patch::take_back::{Change, Direction, Edit, Verdict, Wanted, answer};
use crate::record::{RecordFile, RecordedTexts, SpliceRange};
use crate::strategy::Strategy;
use crate::text::{bare_line, has_word, lines_between_ends, split_lines, whole_lines};
use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::Range;

/// A file of a record as git has such files: without what the working tree alone has of line endings and encodings.
pub(crate) struct HeldFile {
    before: Option<Vec<u8>>,
    after: Option<Vec<u8>>,
    changes: Vec<Change>,
    /// The lines that it puts in and takes out; none where it only moves lines.
    lines: Option<LinesBrought>,
    /// Whether it may be run since, where it does nothing else.
    bit: Option<bool>,
}

/// The lines of which a text has more than the one before it, and fewer: hashes of them.
#[derive(Debug, Default)]
pub(crate) struct LinesBrought {
    more: HashSet<u64>,
    fewer: HashSet<u64>,
}

/// The changes that bring a line, or take one out, by the hash of the line; each has a number.
#[derive(Debug, Default)]
pub(crate) struct ByLine {
    more: HashMap<u64, Vec<usize>>,
    fewer: HashMap<u64, Vec<usize>>,
}

impl ByLine {
    /// Enters a change under its lines.
    pub(crate) fn add(&mut self, number: usize, change: &LinesBrought) {
        change.more.iter().for_each(|line| self.more.entry(*line).or_default().push(number));
        change.fewer.iter().for_each(|line| self.fewer.entry(*line).or_default().push(number));
    }
}

/// Whether lines are others with other blanks in them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Blanks {
    Count,
    /// They are as if they were not there.
    Ignored,
}

impl HeldFile {
    /// None where a text is not to be had, or a filter driver decides what git has.
    ///
    /// # Errors
    /// Where git's rules of conversion cannot be read.
    pub(crate) fn of(repo: &Repo, file: &RecordFile, texts: &RecordedTexts) -> Result<Option<Self>, RepoError> {
        let Some((before, after)) = texts.both(file) else { return Ok(None) };
        let form_of = |text: &[u8]| match repo.git_form(&file.path, text) {
            // Git would not take it, so that no commit has it.
            Err(RepoError::NotInTreeEncoding { .. }) => Ok(GitForm::Filtered),
            form => form,
        };
        let (before_form, after_form) = match (form_of(before)?, form_of(after)?) {
            (GitForm::Filtered, _) | (_, GitForm::Filtered) => return Ok(None),
            (GitForm::Same, GitForm::Same) => {
                let changes = file.splices.ranges().iter().map(change_of).collect();
                return Ok(Some(Self::new(file, (before.to_vec(), after.to_vec()), changes)));
            }
            (before_form, after_form) => (before_form.bytes(before), after_form.bytes(after)),
        };
        let ranges = differing_lines(&before_form, &after_form);
        let origin = Origin { edit: 0, strategy: Strategy::Exact };
        let changes = ranges.into_iter().map(|(before, after)| Change { before, after, origin }).collect();
        Ok(Some(Self::new(file, (before_form, after_form), changes)))
    }

    fn new(file: &RecordFile, (before, after): (Vec<u8>, Vec<u8>), changes: Vec<Change>) -> Self {
        let (before, after) = (file.before.map(|_| before), file.after.map(|_| after));
        let mut lines = LinesBrought::default();
        lines.add(before.as_deref().unwrap_or_default(), after.as_deref().unwrap_or_default());
        Self { bit: file.bit_alone(), before, after, changes, lines: (!lines.is_empty()).then_some(lines) }
    }

    /// Whether a commit may hold some of it: a look that costs next to nothing, before the proof.
    ///
    /// One that takes out what the record put in, as the next edit of the line does, holds nothing of it.
    pub(crate) fn may_be_in(&self, commit: &LinesBrought) -> bool {
        self.lines.as_ref().is_none_or(|own| own.shares_with(commit))
    }

    /// Those of many changes that may hold some of it, as [`Self::may_be_in`] says of one; none where any may.
    pub(crate) fn may_be_among(&self, changes: &ByLine) -> Option<BTreeSet<usize>> {
        let own = self.lines.as_ref()?;
        let more = own.more.iter().filter_map(|line| changes.more.get(line));
        let fewer = own.fewer.iter().filter_map(|line| changes.fewer.get(line));
        Some(more.chain(fewer).flatten().copied().collect())
    }

    /// Whether it puts in a line of which a commit brings more.
    pub(crate) fn puts_in_some_of(&self, commit: &LinesBrought) -> bool {
        self.lines.as_ref().is_some_and(|own| !own.more.is_disjoint(&commit.more))
    }

    /// Whether a commit brings more of a line with a word that it puts in, or fewer of one that it takes out.
    pub(crate) fn shares_words_with(&self, commit: &LinesBrought) -> bool {
        let Some(own) = &self.lines else { return false };
        let shares = |text: &Option<Vec<u8>>, own: &HashSet<u64>, theirs: &HashSet<u64>| {
            let both: HashSet<&u64> = own.intersection(theirs).collect();
            let mut lines = split_lines(text.as_deref().unwrap_or_default()).filter(|line| has_word(line));
            !both.is_empty() && lines.any(|line| both.contains(&hash(bare_line(line))))
        };
        shares(&self.after, &own.more, &commit.more) || shares(&self.before, &own.fewer, &commit.fewer)
    }

    /// Whether a commit brings most of the lines with a word that it left.
    pub(crate) fn is_mostly_in(&self, commit: &LinesBrought) -> bool {
        let lines: Vec<&[u8]> =
            split_lines(self.after.as_deref().unwrap_or_default()).filter(|line| has_word(line)).collect();
        2 * lines.iter().filter(|line| commit.more.contains(&hash(bare_line(line)))).count() > lines.len()
    }

    /// Whether it puts in, or takes out, a line that another one does.
    pub(crate) fn brings_some_of(&self, other: &Self) -> bool {
        self.lines.as_ref().zip(other.lines.as_ref()).is_some_and(|(own, other)| own.shares_with(other))
    }

    /// Takes out of lines that are brought those that it brings itself.
    pub(crate) fn leave_out_of(&self, brought: &mut LinesBrought) {
        if let Some(own) = &self.lines {
            brought.more.retain(|line| !own.more.contains(line));
        }
    }

    /// Whether it changes no text: it gives a file another name, or mode.
    pub(crate) fn is_without_lines(&self) -> bool {
        self.changes.is_empty()
    }

    /// Whether it does nothing but say that the file may be run, or may not; then which.
    pub(crate) fn bit_alone(&self) -> Option<bool> {
        self.bit
    }

    /// Whether it puts lines in: that lines are not there proves nothing of who took them away.
    pub(crate) fn puts_in_lines(&self) -> bool {
        self.lines.as_ref().is_some_and(LinesBrought::puts_in_lines)
    }

    /// The number of parts that a commit may hold: of a file that was made its lines with a word, else its splices.
    pub(crate) fn parts(&self) -> usize {
        match (&self.before, &self.after) {
            (None, Some(after)) => split_lines(after).filter(|line| has_word(line)).count().max(1),
            _ => self.changes.len().max(1),
        }
    }

    /// Whether all of it is in force in a text of git's.
    pub(crate) fn is_in_force(&self, text: &[u8]) -> bool {
        let (Some(before), Some(after)) = (&self.before, &self.after) else {
            return self.after.as_deref().is_some_and(|after| after == text || shares_a_line(after, text));
        };
        let edit = Edit::new(before, after, self.changes.clone());
        edit.is_ok_and(|edit| provable(&edit, Direction::TakeBack, text).len() == self.changes.len())
    }

    /// The parts that the commit between these versions holds.
    pub(crate) fn held(&self, versions: Versions<'_>) -> BTreeSet<usize> {
        if versions.old.contains(&versions.new) {
            return BTreeSet::new();
        }
        match (&self.before, &self.after, versions.new) {
            (None, Some(after), Some(new)) => made(after, versions.old, new),
            (Some(before), None, None) => removed(before, versions.old),
            (Some(before), Some(after), Some(new)) => self.changed((before, after), versions.old, new),
            _ => BTreeSet::new(),
        }
    }

    /// Whether the commit between these versions brings lines of it, or takes such out as it did, whatever became of the others: of a part that is
    /// not there as a whole.
    pub(crate) fn brings_lines(&self, versions: Versions<'_>, blanks: Blanks) -> bool {
        let (Some(before), Some(after)) = (&self.before, &self.after) else { return false };
        let brings = |record: (&[u8], &[u8]), old: &[Option<&[u8]>], new: Option<&[u8]>| {
            brings_lines(record, old, new) || takes_out_lines(record, old, new)
        };
        if blanks == Blanks::Count {
            return brings((before, after), versions.old, versions.new);
        }
        let [before, after] = [before, after].map(|text| without_blanks(text));
        let old: Vec<Option<Vec<u8>>> = versions.old.iter().map(|old| old.map(without_blanks)).collect();
        let old: Vec<Option<&[u8]>> = old.iter().map(Option::as_deref).collect();
        let new = versions.new.map(without_blanks);
        brings((&before, &after), &old, new.as_deref())
    }

    /// Whether the commit between these versions may bring lines of it that somebody edited since: other blanks are in them, they have words
    /// that it brought, or the file is in another encoding.
    pub(crate) fn may_bring_edited(&self, versions: Versions<'_>) -> bool {
        // A file that was made had nothing before.
        let (before, Some(after)) = (self.before.as_deref().unwrap_or_default(), &self.after) else { return false };
        self.brings_lines(versions, Blanks::Ignored)
            || brings_words((before, after), versions.old, versions.new)
            || brings_blanks((before, after), versions.old, versions.new)
            || self.may_bring_moved(versions)
            || brings_order((before, after), versions.old, versions.new)
            || takes_out_replaced((before, after), versions.old, versions.new)
            || self.may_bring_converted(versions)
    }

    /// The same of texts in several encodings, each as it reads.
    fn may_bring_converted(&self, Versions { old, new }: Versions<'_>) -> bool {
        let own = [self.before.as_deref(), self.after.as_deref(), new].map(|text| text.map(as_it_reads));
        let old: Vec<Option<Cow<'_, [u8]>>> = old.iter().map(|old| old.map(as_it_reads)).collect();
        if own.iter().chain(&old).flatten().all(|text| matches!(text, Cow::Borrowed(_))) {
            return false;
        }
        let [before, after, new] = own;
        let owned = |text: Option<Cow<'_, [u8]>>| text.map(Cow::into_owned);
        let read = Self { before: owned(before), after: owned(after), changes: Vec::new(), lines: None, bit: None };
        let old: Vec<Option<&[u8]>> = old.iter().map(Option::as_deref).collect();
        read.may_bring_edited(Versions { old: &old, new: new.as_deref() })
    }

    /// Whether the commit between these versions brings a line of it, in whatever place, of which there is no other: not in what the record
    /// found or left, nor in any of the versions.
    pub(crate) fn may_bring_moved(&self, versions: Versions<'_>) -> bool {
        let (before, Some(after)) = (self.before.as_deref().unwrap_or_default(), &self.after) else { return false };
        brings_moved((before, after), versions.old, versions.new)
    }

    /// Whether most lines of the longer one of what it left and a text stand in both.
    pub(crate) fn has_become(&self, text: &[u8]) -> bool {
        let left = Lines::of(self.after.as_deref().unwrap_or_default());
        let text = Lines::of(text);
        2 * left.shared_with(&text) > left.count().max(text.count())
    }

    fn changed(&self, (before, after): (&[u8], &[u8]), old: &[Option<&[u8]>], new: &[u8]) -> BTreeSet<usize> {
        if self.changes.is_empty() {
            // A rename alone: the text is at the new path, and was not.
            let is_new = old.iter().all(Option::is_none);
            return if is_new && (after.is_empty() || shares_a_line(after, new)) {
                [0].into()
            } else {
                BTreeSet::new()
            };
        }
        if new == after && old.iter().all(|old| *old == Some(before)) {
            return (0..self.changes.len()).collect();
        }
        let plain =
            |n: &usize| is_plainly_brought(&self.changes, *n, (before, after), Versions { old, new: Some(new) });
        let plainly: BTreeSet<usize> = (0..self.changes.len()).filter(plain).collect();
        if plainly.len() == self.changes.len() {
            return plainly;
        }
        let Ok(edit) = Edit::new(before, after, self.changes.clone()) else { return BTreeSet::new() };
        let mut held = provable(&edit, Direction::TakeBack, new);
        let here = Lines::of(new);
        for old in old {
            if held.is_empty() {
                break;
            }
            let old = old.unwrap_or_default();
            let stood = provable(&edit, Direction::TakeBack, old);
            let (missed, there) = (provable(&edit, Direction::PutAgain, old), Lines::of(old));
            held.retain(|n| {
                let change = &self.changes[*n];
                // What is not proven of the version before is asked of its lines: the commit must have brought some.
                let brings = || {
                    here.has_more(lines_of(after, &change.after), &there)
                        || there.has_more(lines_of(before, &change.before), &here)
                };
                !stood.contains(n) && (missed.contains(n) || brings())
            });
        }
        held
    }
}

fn change_of(splice: &SpliceRange) -> Change {
    let origin = Origin { edit: splice.edit, strategy: splice.strategy };
    Change { before: splice.before.clone(), after: splice.after.clone(), origin }
}

impl LinesBrought {
    /// What the commit between these versions brings, seen from any of its parents.
    pub(crate) fn between(versions: Versions<'_>) -> Self {
        let mut brought = Self::default();
        for old in versions.old {
            brought.add(old.unwrap_or_default(), versions.new.unwrap_or_default());
        }
        brought
    }

    /// Takes in those of another change.
    pub(crate) fn extend(&mut self, other: &Self) {
        self.more.extend(&other.more);
        self.fewer.extend(&other.fewer);
    }

    /// Whether there is a line of which it has more.
    pub(crate) fn puts_in_lines(&self) -> bool {
        !self.more.is_empty()
    }

    fn add(&mut self, before: &[u8], after: &[u8]) {
        // Most of what a commit leaves as it is.
        let [before, after] = lines_between_ends([before, after]);
        let (before, after) = (Lines::of(before), Lines::of(after));
        self.more.extend(after.more_than(&before));
        self.fewer.extend(before.more_than(&after));
    }

    fn is_empty(&self) -> bool {
        self.more.is_empty() && self.fewer.is_empty()
    }

    fn shares_with(&self, other: &Self) -> bool {
        !self.more.is_disjoint(&other.more) || !self.fewer.is_disjoint(&other.fewer)
    }
}

/// The changes of an edit that can be taken back from a text, or be put again into it: proven to be in force, or not to be.
fn provable(edit: &Edit<'_>, direction: Direction, text: &[u8]) -> BTreeSet<usize> {
    let answer = answer(edit.clone(), Wanted::All, direction, &[], text);
    let provable = answer.hunks().iter().filter(|hunk| matches!(hunk.verdict, Verdict::Write(_)));
    provable.flat_map(|hunk| hunk.changes.iter().copied()).collect()
}

/// Lines of a file that was made which the commit brought, counted among those with a word; of one without any, itself.
fn made(after: &[u8], old: &[Option<&[u8]>], new: &[u8]) -> BTreeSet<usize> {
    let here = Lines::of(new);
    let there: Vec<Lines<'_>> = old.iter().map(|old| Lines::of(old.unwrap_or_default())).collect();
    let mut words = split_lines(after).filter(|line| has_word(line)).enumerate().peekable();
    if words.peek().is_none() {
        return if old.iter().all(Option::is_none) && new == after { [0].into() } else { BTreeSet::new() };
    }
    let brought = |line: &&[u8]| there.iter().all(|there| here.has_more(std::iter::once(*line), there));
    words.filter(|(_, line)| brought(line)).map(|(n, _)| n).collect()
}

/// The commit has the file no more, and its parents had what the record found.
fn removed(before: &[u8], old: &[Option<&[u8]>]) -> BTreeSet<usize> {
    let had = |old: &Option<&[u8]>| old.is_some_and(|old| old == before || shares_a_line(before, old));
    if old.iter().all(had) { [0].into() } else { BTreeSet::new() }
}

fn shares_a_line(one: &[u8], other: &[u8]) -> bool {
    let other = Lines::of(other);
    split_lines(one).any(|line| has_word(line) && other.0.contains_key(bare_line(line)))
}

/// The lines of a text that a range touches.
fn lines_of<'a>(text: &'a [u8], range: &Range<usize>) -> impl Iterator<Item = &'a [u8]> {
    split_lines(text.get(whole_lines(text, range)).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn what_both_begin_and_end_with_changes_no_line_that_is_brought(one in "[ab\n]{0,12}", other in "[ab\n]{0,12}") {
            let (before, after) = (Lines::of(one.as_bytes()), Lines::of(other.as_bytes()));
            let mut brought = LinesBrought::default();
            brought.add(one.as_bytes(), other.as_bytes());
            proptest::prop_assert_eq!(brought.more, after.more_than(&before).collect());
            proptest::prop_assert_eq!(brought.fewer, before.more_than(&after).collect());
        }
    }

    fn edit(before: Option<&str>, after: Option<&str>) -> HeldFile {
        let bytes = |text: Option<&str>| text.map(|text| text.as_bytes().to_vec());
        let (before, after) = (bytes(before), bytes(after));
        let origin = Origin { edit: 0, strategy: Strategy::Exact };
        let ranges = match (&before, &after) {
            (Some(before), Some(after)) => differing_lines(before, after),
            _ => Vec::new(),
        };
        let changes = ranges.into_iter().map(|(before, after)| Change { before, after, origin }).collect();
        HeldFile { before, after, changes, lines: None, bit: None }
    }

    #[track_caller]
    fn check(edit: &HeldFile, old: &[Option<&str>], new: Option<&str>, want: &[usize]) {
        let old: Vec<Option<&[u8]>> = old.iter().map(|old| old.map(str::as_bytes)).collect();
        let held = edit.held(Versions { old: &old, new: new.map(str::as_bytes) });
        assert_eq!(held, want.iter().copied().collect(), "{old:?} {new:?}");
    }

    #[test]
    fn a_commit_holds_what_is_in_force_in_it_and_was_not_before() {
        let text = "one\ntwo\nthree\nfour\nfive\nsix\nseven\n";
        let (first, both) = (text.replace("two", "2"), text.replace("two", "2").replace("six", "6"));
        let edit = edit(Some(text), Some(&both));
        assert_eq!(edit.parts(), 2);
        check(&edit, &[Some(text)], Some(&both), &[0, 1]);
        check(&edit, &[Some(text)], Some(&first), &[0]);
        check(&edit, &[Some(&first)], Some(&both), &[1]);
        check(&edit, &[Some(&both)], Some(&format!("{both}eight\n")), &[]);
        check(&edit, &[Some(text)], Some(&format!("{text}eight\n")), &[]);
        check(&edit, &[None], Some(&both), &[0, 1]);
        check(&edit, &[Some(&both)], Some(text), &[]);
        check(&edit, &[Some(&both)], None, &[]);
        // A merge brings only what no parent has.
        check(&edit, &[Some(&both), Some(text)], Some(&format!("{both}eight\n")), &[]);
        check(&edit, &[Some(text), Some(&first)], Some(&both), &[1]);
        // With lines of the user's beside, that were there before or come with it.
        let user = |text: &str| text.replace("four", "FOUR\nand more");
        check(&edit, &[Some(&user(text))], Some(&user(&both)), &[0, 1]);
        check(&edit, &[Some(text)], Some(&user(&both)), &[0, 1]);
    }

    #[test]
    fn what_was_in_force_is_not_held_by_a_commit_that_brings_another_line_of_it() {
        let text = "one\ntwo\nthree\nfour\nfive\nsix\nseven\n";
        let both = text.replace("two", "2");
        check(&edit(Some(text), Some(&both)), &[Some(&both)], Some(&format!("{both}2\n")), &[]);
    }

    #[test]
    fn a_rename_is_held_by_the_commit_that_brings_the_file_to_its_new_name() {
        let rename = |text: &str| HeldFile {
            before: Some(text.as_bytes().to_vec()),
            after: Some(text.as_bytes().to_vec()),
            changes: Vec::new(),
            lines: None,
            bit: None,
        };
        let text = "one\ntwo\n";
        check(&rename(text), &[None], Some(text), &[0]);
        check(&rename(text), &[None], Some("zero\ntwo\n"), &[0]);
        check(&rename(text), &[None], Some("another\n"), &[]);
        check(&rename(text), &[Some("zero\n")], Some(text), &[]);
        check(&rename(""), &[None], Some(""), &[0]);
    }

    #[test]
    fn an_edit_is_in_force_where_all_of_it_is() {
        let text = "one\ntwo\nthree\nfour\nfive\nsix\nseven\n";
        let (first, both) = (text.replace("two", "2"), text.replace("two", "2").replace("six", "6"));
        let edit = edit(Some(text), Some(&both));
        assert!(edit.is_in_force(both.as_bytes()) && edit.is_in_force(format!("zero\n{both}").as_bytes()));
        assert!(!edit.is_in_force(first.as_bytes()) && !edit.is_in_force(text.as_bytes()));
    }

    #[test]
    fn a_file_that_was_made_is_in_force_where_it_is_or_a_line_of_it() {
        let made = edit(None, Some("one\n{\n"));
        assert!(made.is_in_force(b"one\n{\n") && made.is_in_force(b"zero\none\n") && !made.is_in_force(b"{\n"));
        let wordless = edit(None, Some("{\n"));
        assert!(wordless.is_in_force(b"{\n") && !wordless.is_in_force(b"{\n}\n") && !wordless.is_in_force(b""));
    }

    #[test]
    fn a_commit_is_looked_into_where_it_brings_or_takes_a_line_of_the_edit() {
        let (before, after) = ("one\ntwo\nthree\n", "one\n2\nthree\n");
        let mut lines = LinesBrought::default();
        lines.add(before.as_bytes(), after.as_bytes());
        let edit = HeldFile { lines: Some(lines), ..edit(Some(before), Some(after)) };
        let may_be_in = |old: Option<&str>, new: &str| {
            let versions = Versions { old: &[old.map(str::as_bytes)], new: Some(new.as_bytes()) };
            let brought = LinesBrought::between(versions);
            let mut changes = ByLine::default();
            changes.add(7, &brought);
            let is_among = edit.may_be_among(&changes) == Some([7].into());
            assert_eq!(edit.may_be_in(&brought), is_among);
            is_among
        };
        assert!(may_be_in(Some(before), after) && may_be_in(None, after) && may_be_in(Some(before), "one\nthree\n"));
        assert!(may_be_in(Some("one\nII\nthree\n"), after));
        assert!(!may_be_in(Some(after), "one\n2\nthree\nfour\n") && !may_be_in(Some(after), after));
        // The next edit of the line, and what takes the edit back.
        assert!(!may_be_in(Some(after), "one\nII\nthree\n") && !may_be_in(Some(after), before));
    }

    #[test]
    fn a_file_is_mostly_in_a_commit_that_brings_more_than_half_of_its_lines_with_a_word() {
        let mut brought = LinesBrought::default();
        brought.add(b"", b"one\ntwo\n{\n");
        let is = |left: &str| edit(None, Some(left)).is_mostly_in(&brought);
        assert!(is("one\ntwo\nthree\n") && !is("one\nthree\n") && is("one\n}\n}\n") && !is("three\n{\n{\n"));
    }

    #[test]
    fn lines_are_brought_into_a_file_in_another_encoding() {
        let record = edit(Some("\u{e4}\n"), Some("\u{e4}\nmy\n"));
        let brings = |new| record.may_bring_edited(Versions { old: &[record.before.as_deref()], new: Some(new) });
        assert!(brings(b"\xff\xfe\xe4\0\n\0m\0y\0\n\0") && !brings(b"\xe4\nx\n"));
    }

    #[test]
    fn lines_without_a_word_count_only_among_themselves() {
        let has_more = |lines: &[&str], here: &str, there: &str| {
            Lines::of(here.as_bytes()).has_more(lines.iter().map(|line| line.as_bytes()), &Lines::of(there.as_bytes()))
        };
        assert!(has_more(&["}\n"], "}\n}\n", "}\n") && !has_more(&["}\n"], "}\n", "}\n"));
        assert!(!has_more(&["a\n", "}\n"], "a\n}\n}\n", "a\n}\n") && has_more(&["a\n", "}\n"], "a\na\n", "a\n"));
    }

    #[test]
    fn lines_taken_out_are_held_by_the_commit_that_takes_them_out() {
        let text = "one\ntwo\nthree\nfour\nfive\n";
        let without = text.replace("three\n", "");
        let edit = edit(Some(text), Some(&without));
        check(&edit, &[Some(text)], Some(&without), &[0]);
        check(&edit, &[Some(&format!("zero\n{text}"))], Some(&format!("zero\n{without}")), &[0]);
        check(&edit, &[Some(&without)], Some(&format!("zero\n{without}")), &[]);
    }

    #[test]
    fn files_that_come_and_go_are_held_by_the_commit_that_has_their_lines() {
        let create = edit(None, Some("one\n{\ntwo\n"));
        assert_eq!(create.parts(), 2);
        check(&create, &[None], Some("one\n{\ntwo\n"), &[0, 1]);
        check(&create, &[None], Some("one\nother\n"), &[0]);
        check(&create, &[Some("one\nother\n")], Some("one\nother\ntwo\n"), &[1]);
        check(&create, &[None], Some("somebody else's\n{\n"), &[]);
        let empty = edit(None, Some(""));
        check(&empty, &[None], Some(""), &[0]);
        check(&empty, &[None], Some("somebody else's\n"), &[]);
        check(&empty, &[Some("")], Some(""), &[]);
        let delete = edit(Some("one\ntwo\n"), None);
        check(&delete, &[Some("one\ntwo\n")], None, &[0]);
        check(&delete, &[Some("another\n")], None, &[]);
        check(&delete, &[Some("two\nand more\n")], None, &[0]);
        check(&delete, &[Some("one\ntwo\n")], Some("one\n"), &[]);
    }

    proptest::proptest! {
        #[test]
        fn what_is_plainly_brought_is_proven(
            text in proptest::collection::vec("[a-h]{1,2}", 6..14), put in "[a-h ]{0,3}", user in "[x-z]{0,2}",
            at in 0_usize..14, drop in 0_usize..2, user_at in 0_usize..14,
        ) {
            let lines = |lines: &[String]| lines.iter().map(|line| format!("{line}\n")).collect::<String>();
            let mut after = text.clone();
            let at = at.min(text.len() - 1);
            after.splice(at..at + drop, (!put.is_empty()).then_some(put));
            let touched = |text: &[String]| {
                let mut text = text.to_vec();
                text.insert(user_at.min(text.len()), user.clone());
                text
            };
            let edit = edit(Some(&lines(&text)), Some(&lines(&after)));
            let (old, new) = (lines(&text), lines(&touched(&after)));
            let (before, made) = (edit.before.as_deref().unwrap_or_default(), edit.after.as_deref().unwrap_or_default());
            let Ok(whole) = Edit::new(before, made, edit.changes.clone()) else { return Ok(()) };
            let proven = provable(&whole, Direction::TakeBack, new.as_bytes());
            for n in 0..edit.changes.len() {
                let old = [Some(old.as_bytes())];
                if is_plainly_brought(&edit.changes, n, (before, made), Versions { old: &old, new: Some(new.as_bytes()) }) {
                    proptest::prop_assert!(proven.contains(&n), "{old:?} {new:?}");
                }
            }
        }
    }
}
