//! Two edits in the other order: an edit moved over what is known to have been done after it, and that made without the edit.
//!
//! Owns the exact way: where the log has every step from the record's text to a later one, positions are counted, not
//! searched. Does not prove anything (that is `proof`), and gives up where the two edits meet.
//! Invariant: both orders lead from the same text to the same text.

use super::edit::{Change, Edit};
use super::near_lines::{LinesOf, hunks};
use crate::patch::Origin;
use crate::text::{split_lines, starts_line};
use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// Two edits, each as it would have been made in the place of the other.
pub(super) struct Commuted {
    /// The first one, made on the result of the later one.
    pub(super) first: Edit<'static>,
    /// The later one, made without the first one.
    pub(super) later: Edit<'static>,
}

/// An edit and `later`, which was made on its result, in the other order; none where the two meet.
///
/// They meet where they share a line in any reading, and at one point: which of two insertions stands first is not known.
/// Where they only touch, a line of the one may be a line of the other; and of two blocks that changed places either one may
/// be said to have moved, so that a move beside an edit may be the edit taken back.
pub(super) fn commuted(edit: &Edit<'_>, later: &Edit<'_>) -> Option<Commuted> {
    if edit.after() != later.before() {
        return None;
    }
    let mine = pieces(edit, Side::After);
    let theirs = pieces(later, Side::Before);
    let may_touch = are_strangers([(edit, &mine), (later, &theirs)]);
    let mut made = Made::default();
    let (mut mine, mut theirs) = (mine.iter().peekable(), theirs.iter().peekable());
    loop {
        let is_mine = match (mine.peek(), theirs.peek()) {
            (None, None) => break,
            (Some(_), None) => true,
            (None, Some(_)) => false,
            (Some(mine), Some(theirs)) => match order(&mine.lines, &theirs.lines) {
                Ordering::Equal => return None,
                order => {
                    let (took, put) = (mine.took(edit), theirs.put(later));
                    let pair = if order == Ordering::Less { [took, put] } else { [put, took] };
                    let are_apart =
                        || may_touch && !may_be_at_one_point(pair) && !meet_at_one_point(mine, theirs, order);
                    if touch(&mine.lines, &theirs.lines) && !are_apart() {
                        return None;
                    }
                    order == Ordering::Less
                }
            },
        };
        if is_mine {
            made.put(edit, mine.next()?)?;
        } else {
            made.put_theirs((edit, later), theirs.next()?)?;
        }
    }
    made.keep(edit.after(), edit.after().len())?;
    let later_alone = Edit::made_of(edit.before().to_vec(), made.before.clone(), made.theirs);
    let moved = Edit::made_of(made.before, made.after, made.changes);
    (moved.after() == later.after()).then_some(Commuted { first: moved, later: later_alone })
}

/// Which of an edit's texts is the one that both edits share.
#[derive(Clone, Copy)]
enum Side {
    Before,
    After,
}

/// A hunk in whole lines: its lines in the shared text, and its bytes in both.
struct Piece {
    lines: Range<usize>,
    before: Range<usize>,
    after: Range<usize>,
    which: Vec<usize>,
    origin: Option<Origin>,
    /// Whether something came or went right at its start in the shared text, and right at its end.
    at_ends: [bool; 2],
}

/// The lines of a piece in the text that may have more of them, and in the one that the two edits share.
struct More<'e> {
    more: &'e [u8],
    shared: &'e [u8],
}

impl Piece {
    fn texts<'e>(&self, edit: &'e Edit<'_>) -> [&'e [u8]; 2] {
        let texts = [(edit.before(), &self.before), (edit.after(), &self.after)];
        texts.map(|(text, range)| text.get(range.clone()).unwrap_or_default())
    }

    /// Of the edit that was made first.
    fn took<'e>(&self, edit: &'e Edit<'_>) -> More<'e> {
        let [more, shared] = self.texts(edit);
        More { more, shared }
    }

    /// Of the one that was made on it.
    fn put<'e>(&self, edit: &'e Edit<'_>) -> More<'e> {
        let [shared, more] = self.texts(edit);
        More { more, shared }
    }
}

fn pieces(edit: &Edit<'_>, side: Side) -> Vec<Piece> {
    let piece = |LinesOf { old, new, before, after, which }| {
        let (lines, shared) = match side {
            Side::Before => (old, &before),
            Side::After => (new, &after),
        };
        let points = || {
            let mine = edit.changes().iter().filter(|(n, _)| n.iter().any(|n| which.contains(n)));
            let ranges = mine.map(|(_, change)| match side {
                Side::Before => &change.before,
                Side::After => &change.after,
            });
            ranges.filter(|range| range.is_empty()).map(|range| range.start)
        };
        let at_ends = [shared.start, shared.end].map(|end| points().any(|point| point == end));
        Piece { origin: edit.origins(&which).first().copied(), before, after, lines, which, at_ends }
    };
    hunks(edit).into_iter().map(piece).collect()
}

/// Which of two pieces comes first; equal where they meet.
fn order(mine: &Range<usize>, theirs: &Range<usize>) -> Ordering {
    if mine == theirs {
        Ordering::Equal
    } else if mine.end <= theirs.start {
        Ordering::Less
    } else if theirs.end <= mine.start {
        Ordering::Greater
    } else {
        Ordering::Equal
    }
}

fn touch(mine: &Range<usize>, theirs: &Range<usize>) -> bool {
    mine.end == theirs.start || theirs.end == mine.start
}

/// Whether lines that are gone and lines that came may have been between the same two lines, where equal lines hide it: of two
/// pieces that touch, the upper one may have lost or got some at its end, and the lower one at its start.
fn may_be_at_one_point([upper, lower]: [More<'_>; 2]) -> bool {
    upper.more.starts_with(upper.shared) && lower.more.ends_with(lower.shared)
}

/// Whether lines of both came or went between the same two lines, which only the lower or upper one of them edited, too.
fn meet_at_one_point(mine: &Piece, theirs: &Piece, order: Ordering) -> bool {
    let (upper, lower) = if order == Ordering::Less { (mine, theirs) } else { (theirs, mine) };
    upper.at_ends[1] && lower.at_ends[0]
}

/// Whether no line that one of two edits put or took is one of the other's, and neither of them moved a line past the other.
fn are_strangers(edits: [(&Edit<'_>, &[Piece]); 2]) -> bool {
    let ends = edits.map(|(_, pieces)| {
        let first = pieces.first().map_or(0, |piece| piece.lines.start);
        first..pieces.last().map_or(first, |piece| piece.lines.end)
    });
    let are_beside = ends[0].end <= ends[1].start || ends[1].end <= ends[0].start;
    let mut seen: HashSet<Vec<u8>> = HashSet::new();
    edits.into_iter().all(|(edit, pieces)| {
        let (mut took, mut put) = (HashSet::new(), HashSet::new());
        for piece in pieces {
            for (line, count) in differing(edit, piece) {
                if count < 0 {
                    took.insert(line)
                } else {
                    put.insert(line)
                };
            }
        }
        let is_clear = (are_beside || took.is_disjoint(&put)) && seen.is_disjoint(&took) && seen.is_disjoint(&put);
        seen.extend(took.into_iter().chain(put));
        is_clear
    })
}

/// The lines of a piece that are not blank, and how many more of each there are after it; a widened piece holds others, too.
fn differing(edit: &Edit<'_>, piece: &Piece) -> impl Iterator<Item = (Vec<u8>, isize)> + use<> {
    let mut counts: HashMap<Vec<u8>, isize> = HashMap::new();
    for (text, by) in piece.texts(edit).into_iter().zip([-1, 1]) {
        let lines = split_lines(text).map(<[u8]>::trim_ascii);
        lines.filter(|line| !line.is_empty()).for_each(|line| *counts.entry(line.to_vec()).or_default() += by);
    }
    counts.into_iter().filter(|(_, count)| *count != 0)
}

/// The texts so far.
#[derive(Default)]
struct Made {
    before: Vec<u8>,
    after: Vec<u8>,
    changes: Vec<(Vec<usize>, Change)>,
    /// The changes of the later edit, from the text before both.
    theirs: Vec<(Vec<usize>, Change)>,
    /// How far the text between the two edits is copied.
    at: usize,
    /// How far that is in the text before both.
    at_before: usize,
}

impl Made {
    /// Adds lines to both texts; none where one would be glued to another.
    fn copy(&mut self, bytes: &[u8]) -> Option<()> {
        self.add(bytes, bytes)
    }

    fn add(&mut self, before: &[u8], after: &[u8]) -> Option<()> {
        for (text, bytes) in [(&mut self.before, before), (&mut self.after, after)] {
            if !bytes.is_empty() && !starts_line(text, text.len()) {
                return None;
            }
            text.extend_from_slice(bytes);
        }
        Some(())
    }

    fn keep(&mut self, text: &[u8], until: usize) -> Option<()> {
        let kept = text.get(self.at..until).unwrap_or_default();
        self.copy(kept)?;
        self.at = until;
        self.at_before += kept.len();
        Some(())
    }

    fn put(&mut self, edit: &Edit<'_>, piece: &Piece) -> Option<()> {
        self.keep(edit.after(), piece.after.start)?;
        let start = (self.before.len(), self.after.len());
        self.add(edit.before().get(piece.before.clone())?, edit.after().get(piece.after.clone())?)?;
        self.at = piece.after.end;
        self.at_before = piece.before.end;
        // What stood between two hunks is gone: as one they would forget which of them was where.
        if self.changes.last().is_some_and(|(_, last)| (last.before.end, last.after.end) == start) {
            return None;
        }
        let (before, after) = (start.0..self.before.len(), start.1..self.after.len());
        self.changes.push((piece.which.clone(), Change { before, after, origin: piece.origin? }));
        Some(())
    }

    fn put_theirs(&mut self, (edit, later): (&Edit<'_>, &Edit<'_>), piece: &Piece) -> Option<()> {
        self.keep(edit.after(), piece.before.start)?;
        let start = self.before.len();
        self.copy(later.after().get(piece.after.clone())?)?;
        self.at = piece.before.end;
        let before = self.at_before..self.at_before + piece.before.len();
        self.at_before = before.end;
        let change = Change { before, after: start..self.before.len(), origin: piece.origin? };
        self.theirs.push((piece.which.clone(), change));
        Some(())
    }
}
