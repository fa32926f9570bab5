//! Whether lines that an edit puts into another version of its text stand there in the order that they had, beside those that the user deleted and
//! did not commit.
//!
//! Owns that question, and what is done where it is another order: the records' edits are made there one by one. Reads and writes nothing.
//! Invariant: no line that is alone in a text of a record changes places with one that the edit puts in.

use super::carried::{Carried, Carry};
use crate::patch::Origin;
use crate::patch::diff::differing_lines;
use crate::patch::take_back::Change;
use crate::strategy::Strategy;
use crate::text::{bare_line, split_lines};
use std::collections::HashMap;

/// What a record made of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Made {
    /// The text that it found.
    pub before: Vec<u8>,
    /// The text that it left.
    pub after: Vec<u8>,
}

/// Whether an edit came to a text in `other` in which its lines are in the order that these records (the oldest first) left them in; `whole` is
/// the edit of the user's text.
pub(super) fn is_in_order(made: &[Made], whole: &Made, other: &[u8], text: &[u8]) -> bool {
    order_is_kept(made, [other, &whole.after], text)
}

/// The same edit in another version of the text as the records made it, one by one; none where that is not what it is as a whole, or does not fit
/// there.
pub(super) fn one_by_one(made: &[Made], whole: &Made, other: &[u8]) -> Option<Vec<u8>> {
    let mut apart = other.to_vec();
    for made in made {
        match of_texts(made).to(&apart).ok()? {
            Carried::Fits(patch) => apart = patch.apply(&apart),
            Carried::AlreadyThere => {}
        }
    }
    let is_it = both(&apart, &whole.before) == both(other, &whole.after);
    (is_it && order_is_kept(made, [other, &whole.after], &apart)).then_some(apart)
}

fn of_texts(Made { before, after }: &Made) -> Carry {
    let origin = Origin { edit: 0, strategy: Strategy::Exact };
    let changes = differing_lines(before, after).into_iter().map(|(before, after)| Change { before, after, origin });
    Carry::of_changes(before, after, changes.collect())
}

/// Whether no line that the edit put into a text stands on another side of one that only `other` has than the newest record of those that had
/// both left it.
fn order_is_kept(made: &[Made], [other, left]: [&[u8]; 2], text: &[u8]) -> bool {
    let (there, stay, here) = (counts(other), counts(left), counts(text));
    let is_alone = |line: &[u8]| here.get(line) == Some(&1);
    let kinds = split_lines(text).map(bare_line).filter(|line| is_alone(line));
    let lines: Vec<(&[u8], Kind)> = kinds
        .filter_map(|line| match (there.contains_key(line), stay.contains_key(line)) {
            (false, _) => Some((line, Kind::PutIn)),
            (true, false) => Some((line, Kind::Hidden)),
            (true, true) => None,
        })
        .collect();
    let of_records: Vec<_> = made.iter().rev().map(|made| places(&made.after)).collect();
    // Where the lines of a kind are here, and in what each record left, the newest first.
    let placed = |kind: Kind| {
        let of_kind = lines.iter().enumerate().filter(move |(_, (_, of))| *of == kind);
        let place_in = |line: &[u8]| of_records.iter().map(|places| places.get(line).copied()?).collect::<Vec<_>>();
        of_kind.map(|(n, (line, _))| (n, place_in(line))).collect::<Vec<(usize, Vec<Option<usize>>)>>()
    };
    let hidden = placed(Kind::Hidden);
    // Of most edits the user deleted nothing.
    if hidden.is_empty() {
        return true;
    }
    let is_kept = |one: &(usize, Vec<Option<usize>>), other: &(usize, Vec<Option<usize>>)| {
        let newest = one.1.iter().zip(&other.1).find_map(|(one, other)| Some(((*one)?, (*other)?)));
        newest.is_none_or(|(was, other_was)| (was < other_was) == (one.0 < other.0))
    };
    placed(Kind::PutIn).iter().all(|one| hidden.iter().all(|other| is_kept(one, other)))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    PutIn,
    /// The user deleted it, and did not commit that.
    Hidden,
}

/// The places of lines; none of one that is not alone.
fn places(text: &[u8]) -> HashMap<&[u8], Option<usize>> {
    let mut places = HashMap::new();
    for (n, line) in split_lines(text).map(bare_line).enumerate() {
        places.entry(line).and_modify(|place| *place = None).or_insert(Some(n));
    }
    places
}

fn counts(text: &[u8]) -> HashMap<&[u8], usize> {
    let mut counts = HashMap::new();
    split_lines(text).for_each(|line| *counts.entry(bare_line(line)).or_default() += 1);
    counts
}

/// The lines of two texts together.
fn both<'a>(one: &'a [u8], other: &'a [u8]) -> HashMap<&'a [u8], usize> {
    let mut all = counts(one);
    counts(other).into_iter().for_each(|(line, count)| *all.entry(line).or_default() += count);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(lines: &str) -> Vec<u8> {
        lines.split(' ').map(|line| format!("{line}\n")).collect::<String>().into_bytes()
    }

    /// What an edit comes to beside a line `w2` of HEAD that the user deleted.
    #[track_caller]
    fn check(made: &[[&str; 2]], [other, before, left, found]: [&str; 4], want: Option<&str>) {
        let made = made.iter().map(|[before, after]| Made { before: text(before), after: text(after) });
        let (made, whole, found) =
            (made.collect::<Vec<_>>(), Made { before: text(before), after: text(left) }, text(found));
        let is_kept = is_in_order(&made, &whole, &text(other), &found);
        let in_order = if is_kept { Some(found) } else { one_by_one(&made, &whole, &text(other)) };
        let shown = in_order.map(|text| String::from_utf8_lossy(&text).trim_end().replace('\n', " "));
        assert_eq!(shown.as_deref(), want, "{other}");
    }

    #[test]
    fn a_line_that_was_put_before_one_that_the_user_deleted_stays_before_it() {
        let made = ["w1 w2 w3 w4", "w1 new w2 other w4"];
        let texts = |found| ["w1 w2 w3 w4", "w1 w3 w4", "w1 new other w4", found];
        check(&[made], texts("w1 w2 new other w4"), Some("w1 new w2 other w4"));
        check(&[made], texts("w1 new w2 other w4"), Some("w1 new w2 other w4"));
        let two = [["w1 w2 w3 w4", "w1 new w2 w3 w4"], ["w1 new w2 w3 w4", "w1 new w2 other w4"]];
        check(&two, texts("w1 w2 new other w4"), Some("w1 new w2 other w4"));
    }

    #[test]
    fn the_order_is_that_of_the_record_which_found_the_line_that_was_deleted_before_the_next_one() {
        let made = [["w1 w2 w3", "w1 new w2 w3"], ["w1 new w3", "w1 new W3"]];
        check(&made, ["w1 w2 w3", "w1 w3", "w1 new W3", "w1 w2 new W3"], Some("w1 new w2 W3"));
    }

    #[test]
    fn a_line_that_was_put_elsewhere_since_stays_where_the_newest_record_put_it() {
        let moved = [["w1 w2 w3", "w1 new w2 w3"], ["w1 new w2 w3", "w1 w2 new w3"]];
        let texts = |found| ["w1 w2 w3", "w1 w3", "w1 new w3", found];
        check(&moved, texts("w1 w2 new w3"), Some("w1 w2 new w3"));
        check(&moved, texts("w1 new w2 w3"), Some("w1 w2 new w3"));
    }

    #[test]
    fn what_no_record_tells_stays_as_it_was_found() {
        // The user had deleted the line before.
        check(&[["w1 w3", "w1 new w3"]], ["w1 w2 w3", "w1 w3", "w1 new w3", "w1 new w2 w3"], Some("w1 new w2 w3"));
        // There are several of it.
        let found = ["} w1 } w3", "} w3", "} new w3", "} new w1 } w3"];
        check(&[["} } w3", "} } new w3"]], found, Some("} new w1 } w3"));
        // HEAD has another one of it.
        let found = ["x w1 w3 x", "w1 w3", "w1 new w3", "x w1 new w3 x"];
        check(&[["x w1 w3", "x w1 new w3"]], found, Some("x w1 new w3 x"));
    }

    #[test]
    fn another_order_that_cannot_be_mended_is_none() {
        // The record's edit does not fit there.
        let made = ["a w2 b c", "a w2 new d c"];
        check(&[made], ["x w2 y z", "x y z", "x new d z", "x new d w2 z"], None);
        // It would bring more than is to go there.
        let made = ["w1 w2 w3 w4", "w1 w2 new w3 W4"];
        check(&[made], ["w1 w2 w3 w4", "w1 w3 w4", "w1 new w3 w4", "w1 new w2 w3 w4"], None);
    }
}
