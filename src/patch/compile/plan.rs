//! Located edits, and the splices that they come to.
//!
//! Owns the order of splices and what becomes one. Does not find places.
//! Invariants: a [`Plan`] has a place; a place's replacements lie in it, in order and apart. What is kept of a place is a
//! few words, and of splices no more than a small share of the text, however many places there are.

use super::outcome::EditOutcome;
use crate::patch::merge::Uncertain;
use crate::patch::{Origin, Replacement, Splice, algebra};
use crate::strategy::Strategy;
use std::borrow::Cow;
use std::ops::Range;
use std::rc::Rc;

/// An edit that was located.
pub(super) struct Plan {
    pub(super) strategy: Strategy,
    /// In the order of the text that the edit sees; not empty.
    pub(super) places: Vec<Place>,
    pub(super) uncertain: Option<Uncertain>,
}

/// One place of an edit, in bytes of the text that the edit sees.
///
/// There may be one for every second byte of a long file, so that it is as small as a range, and takes the place of one.
pub(super) struct Place {
    start: usize,
    shape: Rc<Shape>,
}

/// What places of one length have in common that are written alike.
#[derive(PartialEq, Eq)]
struct Shape {
    len: usize,
    /// What changes, in order; ranges are from the start of the place.
    written: Vec<Replacement>,
}

impl Place {
    /// Where it is.
    pub(super) fn range(&self) -> Range<usize> {
        self.start..self.start + self.shape.len
    }

    /// What changes within it, in order; ranges are those of the text.
    pub(super) fn replacements(&self) -> impl Iterator<Item = (Range<usize>, &[u8])> {
        let moved = |range: &Range<usize>| self.start + range.start..self.start + range.end;
        self.shape.written.iter().map(move |one| (moved(&one.range), &one.bytes[..]))
    }
}

/// Makes places, and has those share what is written that are written alike.
#[derive(Default)]
pub(super) struct Placing {
    last: Option<Rc<Shape>>,
}

impl Placing {
    /// A place where `replacements` (of the text, within `range`) are made.
    pub(super) fn place(&mut self, range: Range<usize>, mut written: Vec<Replacement>) -> Place {
        for replacement in &mut written {
            replacement.range = replacement.range.start - range.start..replacement.range.end - range.start;
        }
        let shape = Shape { len: range.len(), written };
        let shape = match &self.last {
            Some(last) if **last == shape => Rc::clone(last),
            _ => Rc::clone(self.last.insert(Rc::new(shape))),
        };
        Place { start: range.start, shape }
    }
}

impl Plan {
    /// What is told of the edit with this index.
    pub(super) fn outcome(&self, index: usize) -> EditOutcome {
        let (first, last) = (self.places[0].range(), self.places[self.places.len() - 1].range());
        EditOutcome { index, strategy: self.strategy, range: first.start..last.end, replacements: self.places.len() }
    }
}

/// So many splices a patch may always have.
const APART: usize = 1 << 14;

/// More only where the text has so many bytes for each: a splice takes about as many on its way into the history.
const BYTES_FOR_EACH: usize = 1 << 10;

/// What plans (with their edits' indexes) write in a text of `len` bytes, in its order; `text` gives it, if it is needed.
///
/// Places are disjoint, so their order is that of the splices, also where two insert at the point where they touch.
/// Those of one edit that touch become one; where there are very many, so do neighbours with what stands between them.
pub(super) fn splices<'t>(plans: &[(usize, Plan)], len: usize, text: impl Fn() -> Cow<'t, [u8]>) -> Vec<Splice> {
    let origin = |(edit, plan): &(usize, Plan)| Origin { edit: *edit, strategy: plan.strategy };
    let all = plans.iter().flat_map(|plan| plan.1.places.iter().map(move |place| (origin(plan), place)));
    let count: usize = plans.iter().flat_map(|(_, plan)| &plan.places).map(|place| place.shape.written.len()).sum();
    let together = count.div_ceil(APART.max(len / BYTES_FOR_EACH)).max(1);
    let mut out = Splices { splices: Vec::with_capacity(count / together + 1), together, in_last: 0 };
    let between = if together > 1 { text() } else { Cow::Borrowed(&[][..]) };
    if plans.len() == 1 {
        all.for_each(|(origin, place)| out.put(origin, place, &between));
    } else {
        let mut places: Vec<_> = all.collect();
        // What is put in where another place begins comes before it, whichever was asked for first.
        places.sort_by_key(|(_, place)| (place.start, place.range().end));
        places.into_iter().for_each(|(origin, place)| out.put(origin, place, &between));
    }
    if let [.., gone, behind] = &mut out.splices[..] {
        let parts = behind.range == (len..len) && behind.replacement.starts_with(b"\n");
        let is_gone = gone.range.end == len && gone.replacement.is_empty() && !gone.range.is_empty();
        // Lines behind a last one without a newline begin with one. Where that line goes, there is nothing to part them from.
        if parts && is_gone && text()[..gone.range.start].last().is_none_or(|&byte| byte == b'\n') {
            behind.replacement.remove(0);
        }
    }
    algebra::joined(out.splices)
}

struct Splices {
    splices: Vec<Splice>,
    /// How many replacements become one splice.
    together: usize,
    in_last: usize,
}

impl Splices {
    /// Adds what a place writes; `text` is there where several become one.
    fn put(&mut self, origin: Origin, place: &Place, text: &[u8]) {
        for (range, bytes) in place.replacements() {
            match self.splices.last_mut() {
                // A replace_all of every character is one splice, not a million that nothing tells apart.
                Some(last) if last.range.end == range.start && last.origin[..] == [origin] => {
                    last.range.end = range.end;
                    last.replacement.extend_from_slice(bytes);
                }
                Some(last) if self.in_last < self.together && self.together > 1 => {
                    last.replacement.extend_from_slice(&text[last.range.end..range.start]);
                    last.replacement.extend_from_slice(bytes);
                    last.range.end = range.end;
                    algebra::add_origins(&mut last.origin, &[origin]);
                }
                _ => {
                    self.splices.push(Replacement { range, bytes: bytes.to_vec() }.by(origin));
                    self.in_last = 0;
                }
            }
            self.in_last += 1;
        }
    }
}
