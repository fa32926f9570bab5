//! Edits in sequence that are located all at once, in the base.
//!
//! Owns the proof that no edit sees what another wrote. Does not make the patch.
//! Invariant: with the plans that are given, both modes make the same text. In doubt none are given.

use super::clash::refuse_overlap;
use super::locate::Size;
use super::original::locate_all;
use super::outcome::CompileOptions;
use super::plan::{Place, Plan};
use crate::matcher::exact;
use crate::request::Edit;
use crate::strategy::Level;
use crate::text::{BOM, Text};
use memchr::memchr;

/// One place of the base, and what an edit makes of it.
struct Change<'a> {
    edit: usize,
    place: &'a Place,
    new: Vec<u8>,
}

/// The plans of all edits, against the base, where each would go to the same place if it saw the edits before.
pub(super) fn plans(text: &Text, edits: &[Edit], options: &CompileOptions) -> Option<Vec<Plan>> {
    // The ending of a new line depends on its neighbours only where there are two kinds.
    let no_cr = |bytes: &[u8]| memchr(b'\r', bytes).is_none();
    let no_bom = |bytes: &[u8]| !bytes.starts_with(BOM);
    let is_plain = |edit: &Edit| {
        let has_number = edit.line.is_some() || edit.anchor().is_some_and(|anchor| anchor.line.is_some());
        !has_number && [edit.old(), edit.new_text()].into_iter().all(|bytes| no_cr(bytes) && no_bom(bytes))
    };
    let one_kind = no_cr(text.bytes()) && memchr(b'\n', text.bytes()).is_some();
    if !one_kind || !edits.iter().all(is_plain) {
        return None;
    }
    let plans =
        locate_all(text, edits, &CompileOptions { level: Level::Exact, ..*options }, &Size::new(text, edits, options))
            .ok()?;
    refuse_overlap(text, &plans).ok()?;
    makes_no_place(text.bytes(), edits, &plans).then_some(plans)
}

/// Whether no edit makes a place for a later one. (It takes none away: places do not overlap.)
///
/// A place that touches what edits wrote is made by the last of those. So it is enough to look around every change, at
/// the text as it is after that edit.
fn makes_no_place(base: &[u8], edits: &[Edit], plans: &[Plan]) -> bool {
    let places = plans.iter().enumerate().flat_map(|(edit, plan)| plan.places.iter().map(move |place| (edit, place)));
    let mut changes: Vec<Change<'_>> =
        places.map(|(edit, place)| Change { edit, place, new: written(base, place) }).collect();
    changes.sort_unstable_by_key(|change| change.place.range().start);
    let olds: Vec<&[u8]> = edits.iter().map(Edit::old).collect();
    let reach = olds.iter().map(|old| old.len()).max().unwrap_or(0);
    let mut budget = 4 * base.len() + (1 << 22);
    let mut windows = Vec::new();
    // Of every window: where its new text starts and ends, and whose it is.
    let mut news: Vec<(usize, usize, usize)> = Vec::with_capacity(changes.len());
    for at in 0..changes.len() {
        let cost = 2 * reach + changes[at].new.len();
        let (Some(left), true) = (budget.checked_sub(cost), look_left(base, &changes, at, reach, &mut windows)) else {
            return false;
        };
        budget = left;
        news.push((windows.len(), windows.len() + changes[at].new.len(), changes[at].edit));
        windows.extend_from_slice(&changes[at].new);
        if !look_right(base, &changes, at, reach, &mut windows) {
            return false;
        }
        windows.push(0);
    }
    let mut none = true;
    exact::each_of_many(&windows, &olds, |later, start| {
        // No old text holds a NUL and is found, so a place lies in one window; it can touch that one's new text only.
        let end = start + olds[later].len();
        let next = news.partition_point(|&(_, new_end, _)| new_end <= start);
        let touches =
            |&(new_start, new_end, edit): &(usize, usize, usize)| edit < later && start < new_end && new_start < end;
        none &= !news[next..].first().is_some_and(touches);
    });
    none
}

/// The text that takes a place.
fn written(base: &[u8], place: &Place) -> Vec<u8> {
    let mut out = Vec::new();
    let mut from = place.range().start;
    for (range, bytes) in place.replacements() {
        out.extend_from_slice(&base[from..range.start]);
        out.extend_from_slice(bytes);
        from = range.end;
    }
    out.extend_from_slice(&base[from..place.range().end]);
    out
}

/// So many places beside a change are looked at.
const MOST_BESIDE: usize = 64;

/// What a place holds after the edit with this index.
fn held<'c>(base: &'c [u8], change: &'c Change<'_>, edit: usize) -> &'c [u8] {
    if change.edit <= edit { &change.new } else { &base[change.place.range()] }
}

/// Appends `reach` bytes that stand before a change; `false` where that takes too long.
fn look_left(base: &[u8], changes: &[Change<'_>], at: usize, reach: usize, out: &mut Vec<u8>) -> bool {
    let mut parts: Vec<&[u8]> = Vec::new();
    let (mut missing, mut end) = (reach, changes[at].place.range().start);
    for beside in (0..at).rev().map(Some).chain([None]) {
        let (start, text) = match beside {
            Some(n) => (changes[n].place.range().end, held(base, &changes[n], changes[at].edit)),
            None => (0, &[][..]),
        };
        for part in [&base[start..end], text] {
            let part = &part[part.len().saturating_sub(missing)..];
            missing -= part.len();
            parts.push(part);
        }
        if missing == 0 {
            break;
        }
        if parts.len() > 2 * MOST_BESIDE {
            return false;
        }
        end = beside.map_or(0, |n| changes[n].place.range().start);
    }
    parts.iter().rev().for_each(|part| out.extend_from_slice(part));
    true
}

/// Appends `reach` bytes that stand behind a change; `false` where that takes too long.
fn look_right(base: &[u8], changes: &[Change<'_>], at: usize, reach: usize, out: &mut Vec<u8>) -> bool {
    let (mut missing, mut start) = (reach, changes[at].place.range().end);
    for beside in (at + 1..changes.len()).map(Some).chain([None]) {
        let (end, text) = match beside {
            Some(n) => (changes[n].place.range().start, held(base, &changes[n], changes[at].edit)),
            None => (base.len(), &[][..]),
        };
        for part in [&base[start..end], text] {
            let part = &part[..part.len().min(missing)];
            missing -= part.len();
            out.extend_from_slice(part);
        }
        if missing == 0 {
            break;
        }
        if beside.is_some_and(|n| n > at + MOST_BESIDE) {
            return false;
        }
        start = beside.map_or(base.len(), |n| changes[n].place.range().end);
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::patch::compile::compile;
    use crate::patch::compile::original::compiled;
    use crate::request::Mode;
    use proptest::prelude::*;

    fn edit(old: &str, new: &str) -> Edit {
        Edit::new(old, new).expect("an edit")
    }

    fn is_given(text: &str, edits: &[Edit]) -> bool {
        plans(&Text::new(text.into()).expect("no NUL"), edits, &CompileOptions::default()).is_some()
    }

    #[test]
    fn an_edit_that_sees_what_another_wrote_is_not_located_in_the_base() {
        assert!(is_given("ab cd ef\n", &[edit("ef", "x"), edit("ab", "ab ab"), edit("cd", "y")]));
        assert!(!is_given("ab cd ef\n", &[edit("ef", "cd"), edit("cd", "y")]));
        assert!(is_given("ab cd ef\n", &[edit("cd", "y"), edit("ef", "cd")]));
        // The places are only made together, or only until the next edit.
        assert!(!is_given("a1b2 xyz\n", &[edit("1", "x"), edit("b", "y"), edit("2", "z"), edit("xyz", "-")]));
        assert!(!is_given("a1b ab\n", &[edit("1", ""), edit("ab", "-")]));
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]
        #[test]
        fn what_is_given_makes_the_text_that_one_edit_after_the_other_makes(
            base in "[abcdef]{3,9}\n[abcdef]{0,5}",
            pairs in proptest::collection::vec(("[abcdef\n]{1,3}", "[abcdef\n]{0,3}", any::<bool>()), 1..5),
        ) {
            let text = Text::new(base.clone().into_bytes()).expect("no NUL");
            let edits: Vec<Edit> = pairs.iter().filter_map(|(old, new, all)| {
                let mut edit = Edit::new(old.as_str(), new.as_str()).ok()?;
                edit.replace_all = *all;
                Some(edit)
            }).collect();
            let options = CompileOptions { mode: Mode::Sequence, ..CompileOptions::default() };
            if let Some(plans) = plans(&text, &edits, &options) {
                let at_once = compiled(&text, &edits, &options, plans).expect("no overlap");
                let in_turn = compile(&text, &edits, &options).expect("each has its place");
                prop_assert_eq!(at_once.patch.apply(text.bytes()), in_turn.patch.apply(text.bytes()));
                prop_assert_eq!(at_once.edits, in_turn.edits);
            }
        }
    }
}
