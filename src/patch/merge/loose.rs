//! Edits placed by a strategy that is not certain, asked for by name or by level `loose`.
//!
//! Owns writing at what the named strategies propose, and the mark that goes with it. Invariants: of several proposals
//! none is taken; what the merge can carry over is merged, and only what it cannot is written as it was sent.

use super::by_block;
use super::by_neighbours;
use super::certain::attempt;
use super::located::{Located, Uncertain, Written};
use super::sides::Sides;
use super::unseen::{Vanishing, vanishing};
use super::write;
use crate::matcher::exact::Want;
use crate::matcher::found::{Found, Why};
use crate::matcher::named::{self, Candidate};
use crate::matcher::reading::{Mark, Reading};
use crate::matcher::source::Source;
use crate::patch::Replacement;
use crate::request::Edit;
use crate::strategy::Strategy;
use crate::text::{Eol, EolCount, to_lf};
use std::ops::Range;

/// Seed 002's second and third level, after the certain tiers refused with `why`.
pub fn any(file: &Source<'_>, edit: &Edit, why: Why) -> Result<Located, Why> {
    for strategy in [Strategy::LineTrimmed, Strategy::BlockAnchor] {
        match named(file, edit, strategy) {
            Err(Why::Nowhere) => {}
            Ok(located) if located.uncertain.as_ref().is_some_and(|taken| !taken.is_seen) => {
                return Err(Why::Unseen(lines_of(file, &located.place)));
            }
            outcome => return outcome,
        }
    }
    Err(why)
}

fn lines_of(file: &Source<'_>, place: &Range<usize>) -> Range<usize> {
    file.line_at(place.start)..file.line_at(place.end.max(1) - 1) + 1
}

/// The one strategy that was asked for.
pub fn named(file: &Source<'_>, edit: &Edit, strategy: Strategy) -> Result<Located, Why> {
    let (old, new) = (to_lf(edit.old()).into_owned(), to_lf(edit.new_text()).into_owned());
    if matches!(strategy, Strategy::Folded | Strategy::FoldedInner | Strategy::OneLineOff | Strategy::Elision) {
        let located = attempt(file, &Reading { old, new, mark: Mark::None, old_only: false })?;
        return if located.strategy == strategy { Ok(located) } else { Err(Why::Nowhere) };
    }
    let old = Source::new(&old, 0);
    let mut candidates = named::find(strategy, file, &old, if edit.replace_all { Want::All } else { Want::One })?;
    if edit.replace_all && matches!(strategy, Strategy::Exact | Strategy::Simple | Strategy::MultiOccurrence) {
        return everywhere(file, &new, strategy, &candidates);
    }
    match candidates.len() {
        0 => Err(Why::Nowhere),
        1 => write(file, &old, &new, strategy, candidates.swap_remove(0)),
        _ => Err(Why::Several(candidates.iter().take(64).map(|candidate| candidate.lines(file)).collect())),
    }
}

/// Every occurrence, from the left, without overlap.
fn everywhere(file: &Source<'_>, new: &[u8], strategy: Strategy, all: &[Candidate]) -> Result<Located, Why> {
    let mut replacements: Vec<Replacement> = Vec::new();
    for candidate in all {
        if let Candidate::Bytes(range) = candidate
            && replacements.last().is_none_or(|last| last.range.end <= range.start)
        {
            replacements.push(inserted_at(file, range, new));
        }
    }
    let (Some(first), Some(last)) = (replacements.first(), replacements.last()) else {
        return Err(Why::Nowhere);
    };
    let place = first.range.start..last.range.end;
    Ok(Located { place, strategy, replacements, uncertain: None })
}

fn write(
    file: &Source<'_>,
    old: &Source<'_>,
    new: &[u8],
    strategy: Strategy,
    candidate: Candidate,
) -> Result<Located, Why> {
    let lines = candidate.lines(file);
    let (mut located, written) = match candidate {
        Candidate::Bytes(range) => {
            let text = inserted(old, new, strategy);
            (Located::at(strategy, inserted_at(file, &range, &text)), Written::AsSent)
        }
        Candidate::Lines(found) => match merged(file, old, new, &found) {
            Ok(replacements) => (Located::around(file, found.lines(), strategy, replacements), Written::Merged),
            Err(why) if why.is_final() => return Err(why),
            Err(_) => {
                let lines = window_of(&found, old);
                let sides =
                    Sides { file, old, new: &Source::new(new, 0), found: &found, old_only: false, certain: false };
                match by_neighbours::write(sides, lines.start) {
                    Ok(replacements) => (Located::around(file, lines, strategy, replacements), Written::Merged),
                    Err(_) => (whole(file, old, new, strategy, lines), Written::AsSent),
                }
            }
        },
        Candidate::Block(lines) => (whole(file, old, new, strategy, lines), Written::Block),
    };
    if !located.replacements.iter().any(|replacement| replacement.changes(file.bytes())) {
        return Err(Why::Same(lines));
    }
    if !matches!(strategy, Strategy::Exact | Strategy::Simple | Strategy::MultiOccurrence) {
        let Vanishing { count, are_seen } = vanishing(file, old, &Source::new(new, 0), &located);
        let lines = (lines.start + 1, lines.end);
        located.uncertain =
            Some(Uncertain { strategy, lines, written, overwritten: count, is_seen: are_seen, misquoted: None });
    }
    Ok(located)
}

fn merged(file: &Source<'_>, old: &Source<'_>, new: &[u8], found: &Found) -> Result<Vec<Replacement>, Why> {
    let new = Source::new(new, 0);
    write::write(Sides { file, old, new: &new, found, old_only: false, certain: false })
}

/// All lines of a window, the blank ones at its ends too.
fn window_of(found: &Found, old: &Source<'_>) -> Range<usize> {
    let (first_old, first) = found.pairs[0];
    first - first_old..first - first_old + old.lines().len()
}

/// Whole lines replaced by new.
fn whole(file: &Source<'_>, old: &Source<'_>, new: &[u8], strategy: Strategy, lines: Range<usize>) -> Located {
    let text = by_block::lines(file, old, new, lines.clone()).join(&b'\n');
    Located::at(strategy, inserted_at(file, &file.span(lines), &text))
}

/// What a strategy that takes something off the old text inserts.
fn inserted(old: &Source<'_>, new: &[u8], strategy: Strategy) -> Vec<u8> {
    match strategy {
        Strategy::EscapeNormalized => named::unescape(new),
        Strategy::TrimmedBoundary => {
            let bytes = old.bytes();
            let (head, tail) =
                (&bytes[..bytes.len() - bytes.trim_ascii_start().len()], &bytes[bytes.trim_ascii_end().len()..]);
            let new = new.strip_prefix(head).unwrap_or(new);
            new.strip_suffix(tail).unwrap_or(new).to_vec()
        }
        Strategy::WhitespaceNormalized => new.trim_ascii().to_vec(),
        _ => new.to_vec(),
    }
}

/// `text` (with LF endings) in the place of a range, with the line endings of the region, or else of the file.
fn inserted_at(file: &Source<'_>, range: &Range<usize>, text: &[u8]) -> Replacement {
    let region = EolCount::of(&file.bytes()[range.clone()]);
    let count = if region == EolCount::default() { EolCount::of(file.bytes()) } else { region };
    let bytes = match count.dominant() {
        Eol::Lf => text.to_vec(),
        Eol::CrLf => text.split(|&b| b == b'\n').collect::<Vec<_>>().join(&b"\r\n"[..]),
    };
    Replacement { range: range.clone(), bytes }
}
