//! Which line of the file each line of old is, and where a change of old goes in it.
//!
//! Owns blank lines: those between matched lines, those at the two ends, and changes beside them. Invariant: a line that
//! is aligned is the file's for certain; where old and file have not the same blank lines, nothing is.

use super::change::{Hunk, Readings};
use super::sides::Sides;
use crate::matcher::fold;
use crate::matcher::found::{Found, Why};
use crate::matcher::source::Source;
use std::cell::OnceCell;

/// The lines of old and new that are compared, and where those of old are in the file.
#[derive(Debug)]
pub struct Alignment<'s> {
    /// Of old, from the first matched one to the last, and the blank ones at its ends that are part of the change.
    pub old: Vec<&'s [u8]>,
    /// Of new, likewise.
    pub new: Vec<&'s [u8]>,
    /// For each line of `old`: its line of the file.
    pub at: Vec<At>,
    /// Made where they are needed.
    pub readings: OnceCell<Option<Readings>>,
}

/// Where a line of the old text is in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum At {
    /// This one.
    Line(usize),
    /// An omission mark.
    Mark,
    /// A blank line where the file has more or fewer of them.
    Unclear,
}

impl<'s> Alignment<'s> {
    /// Aligns old and new with the file.
    ///
    /// # Errors
    /// [`Why::Blank`] where it is not clear which of the blank lines at the ends belong to the change.
    pub fn new(sides: &Sides<'s>) -> Result<Self, Why> {
        let Sides { file, old, new, found, .. } = *sides;
        let unclear = || Why::Blank(found.lines());
        let (&(first, file_first), &(last, file_last)) =
            (found.pairs.first().ok_or(Why::Nowhere)?, found.pairs.last().ok_or(Why::Nowhere)?);
        let mut map = Self {
            old: (first..=last).map(|line| old.text(line)).collect(),
            new: Vec::new(),
            at: vec![At::Unclear; last - first + 1],
            readings: OnceCell::new(),
        };
        map.align(file, found, first);
        let after_old = count(old) - 1 - last;
        let before = Edge { old: first, file: blanks(file, (0..file_first).rev()) };
        let after = Edge { old: after_old, file: blanks(file, file_last + 1..file.lines().len()) };
        let (Some(&new_first), Some(&new_last)) = (new.solid().first(), new.solid().last()) else {
            // Nothing but blank lines is left. A line ending of old that the file has not as a blank line is that of its
            // last line, which new is then without.
            let own_ending = after.old == 1 && after.file == 0;
            if before.old > before.file || (after.old > after.file && !own_ending) {
                return Err(unclear());
            }
            map.new = (0..count(new) - usize::from(own_ending)).map(|line| text(new, line)).collect();
            let (head, tail) = (1..=before.old, 1..=after.old.min(after.file));
            map.put_edges(
                &head.map(Kept::Old).collect::<Vec<_>>(),
                &tail.map(Kept::Old).collect::<Vec<_>>(),
                file_first,
                file_last,
            );
            return Ok(map);
        };
        let new_after = count(new) - 1 - new_last;
        // White space on the blank lines at the ends, where it is not the same, leaves open which of them are meant.
        let ends = |source: &Source<'s>, first: usize, last: usize| -> Vec<&'s [u8]> {
            (0..first).chain(last + 1..count(source)).map(|line| text(source, line)).collect()
        };
        let (theirs, others) = (ends(old, first, last), ends(new, new_first, new_last));
        if theirs != others && theirs.iter().chain(&others).any(|line| !line.is_empty()) {
            return Err(unclear());
        }
        // At the end of the file, one line ending less is either the file's last one or a slip.
        let at_end = file_last + 1 == file.lines().len() && file.is_terminated();
        if at_end && after.old == 1 && new_after == 0 {
            return Err(unclear());
        }
        let head = before.kept(new_first).ok_or_else(unclear)?;
        let tail = after.kept(new_after).ok_or_else(unclear)?;
        map.new = (new_first..=new_last).map(|line| text(new, line)).collect();
        map.put_edges(&head, &tail, file_first, file_last);
        Ok(map)
    }

    /// Aligns the lines between two matched ones: where old and file have as many blank lines there, and beside an omission
    /// mark as many as both have.
    fn align(&mut self, file: &Source<'_>, found: &Found, first: usize) {
        for &(line, at) in &found.pairs {
            self.at[line - first] = At::Line(at);
        }
        for &mark in &found.marks {
            if let Some(at) = mark.checked_sub(first).and_then(|line| self.at.get_mut(line)) {
                *at = At::Mark;
            }
        }
        for pair in found.pairs.windows(2) {
            let ((a, file_a), (b, file_b)) = (pair[0], pair[1]);
            let marked = self.at[a - first..b - first].contains(&At::Mark);
            let is_blank = |line: usize| file.key(line).is_empty();
            for k in 1..b - a {
                let slot = &mut self.at[a + k - first];
                if *slot != At::Unclear {
                    break;
                }
                if b - a == file_b - file_a || (marked && is_blank(file_a + k)) {
                    *slot = At::Line(file_a + k);
                }
            }
            for k in 1..if marked { b - a } else { 1 } {
                let slot = &mut self.at[b - k - first];
                if *slot != At::Unclear {
                    break;
                }
                if is_blank(file_b - k) {
                    *slot = At::Line(file_b - k);
                }
            }
        }
    }

    /// Puts the blank lines around the text that only one of old and new has to where they belong.
    fn put_edges(&mut self, head: &[Kept], tail: &[Kept], file_first: usize, file_last: usize) {
        for kept in head {
            match kept {
                Kept::New => self.new.insert(0, b""),
                Kept::Old(distance) => {
                    self.old.insert(0, b"");
                    self.at.insert(0, At::Line(file_first - distance));
                }
            }
        }
        for kept in tail {
            match kept {
                Kept::New => self.new.push(b""),
                Kept::Old(distance) => {
                    self.old.push(b"");
                    self.at.push(At::Line(file_last + distance));
                }
            }
        }
    }
}

/// The blank lines at one end of the old text, and beside its place in the file.
struct Edge {
    old: usize,
    file: usize,
}

/// A blank line at an end that is part of the change: old has it, at this distance, or new has it.
enum Kept {
    Old(usize),
    New,
}

impl Edge {
    /// What is left of the blank lines at this end once those that old and new share are taken as context, and those of
    /// old that neither the file nor new has as noise. `None` where it is not clear which of them are meant.
    fn kept(&self, new: usize) -> Option<Vec<Kept>> {
        let more = new.saturating_sub(self.old);
        let fewer = self.old.saturating_sub(new);
        match (more, fewer) {
            (0, 0) => Some(Vec::new()),
            (_, 0) => (self.file >= self.old).then(|| (0..more).map(|_| Kept::New).collect()),
            _ if self.file == 0 => (new == 0).then(Vec::new),
            _ => (self.file >= self.old).then(|| (1..=fewer).map(Kept::Old).collect()),
        }
    }
}

/// The text of a line, and of the one that [`count`] counts behind the last.
fn text<'s>(source: &Source<'s>, line: usize) -> &'s [u8] {
    if line < source.lines().len() { source.text(line) } else { b"" }
}

/// How many lines a text has if what follows its last line ending counts as one, as it does in an exact edit.
fn count(text: &Source<'_>) -> usize {
    text.lines().len() + usize::from(text.is_terminated() || text.bytes().is_empty())
}

/// How many of `lines`, from the first on, are blank.
fn blanks(file: &Source<'_>, lines: impl Iterator<Item = usize>) -> usize {
    lines.take_while(|&line| file.key(line).is_empty()).count()
}

impl Alignment<'_> {
    /// The changes, each read at the line where its place is clear.
    ///
    /// An insertion may be read a line further up or down where that comes to the same text. If one such reading is beside
    /// blank lines that the request does not have, another one counts only where the inserted lines bring a blank line of
    /// their own at that side: the file's would be a second one. Otherwise, and for deletions, it is undecidable to which
    /// side the file's blank lines belong. `None` then.
    pub fn at_clear_places(&self, hunks: Vec<Hunk>) -> Option<Vec<Hunk>> {
        let mut out: Vec<Hunk> = Vec::with_capacity(hunks.len());
        for (i, hunk) in hunks.iter().enumerate() {
            let floor = out.last().map_or(0, |last| last.old.end + 1);
            let ceiling = hunks.get(i + 1).map_or(self.old.len(), |next| next.old.start.saturating_sub(1));
            let up =
                std::iter::successors(self.slid_up(hunk), |h| self.slid_up(h)).take_while(|h| h.old.start >= floor);
            let down =
                std::iter::successors(self.slid_down(hunk), |h| self.slid_down(h)).take_while(|h| h.old.end <= ceiling);
            let all: Vec<Hunk> = std::iter::once(hunk.clone()).chain(up).chain(down).collect();
            let clear = |h: &&Hunk| self.boundary(h.old.start).is_some() && self.boundary(h.old.end).is_some();
            let unclear: Vec<&Hunk> = all.iter().filter(|h| !clear(h)).collect();
            let place = match unclear[..] {
                [] => Some(hunk),
                [one] if hunk.old.is_empty() => {
                    all.iter().filter(clear).find(|h| self.brings_a_blank(h, one.old.start))
                }
                _ => None,
            };
            out.push(place?.clone());
        }
        Some(out)
    }

    /// Whether an insertion that is read some lines away from the unclear place before line `gap` of old has a blank line
    /// where it would touch that place if it were read there.
    fn brings_a_blank(&self, Hunk { old, new }: &Hunk, gap: usize) -> bool {
        let (near, distance) = match old.start.cmp(&gap) {
            std::cmp::Ordering::Less => (Some(new.start + (gap - old.start)), gap - old.start),
            std::cmp::Ordering::Greater => (new.end.checked_sub(old.start - gap + 1), old.start - gap),
            std::cmp::Ordering::Equal => return false,
        };
        let passed = if old.start < gap { old.start..gap } else { gap..old.start };
        let lines_known = self.at[passed].iter().all(|at| matches!(at, At::Line(_)));
        let is_blank = |line: usize| self.new.get(line).is_some_and(|line| fold::trim(line).is_empty());
        lines_known && new.len() > distance && near.is_some_and(is_blank)
    }

    /// The same insertion or deletion read one line further up.
    fn slid_up(&self, Hunk { old, new }: &Hunk) -> Option<Hunk> {
        let (o, n) = (old.start.checked_sub(1)?, new.start.checked_sub(1)?);
        let same = match (old.is_empty(), new.is_empty()) {
            (true, false) => self.new[n] == self.new[new.end - 1],
            (false, true) => self.old[o] == self.old[old.end - 1],
            _ => false,
        };
        (same && self.old[o] == self.new[n]).then(|| Hunk { old: o..old.end - 1, new: n..new.end - 1 })
    }

    /// The same insertion or deletion read one line further down.
    fn slid_down(&self, Hunk { old, new }: &Hunk) -> Option<Hunk> {
        let (o, n) = (self.old.get(old.end)?, self.new.get(new.end)?);
        let same = match (old.is_empty(), new.is_empty()) {
            (true, false) => n == &self.new[new.start],
            (false, true) => o == &self.old[old.start],
            _ => false,
        };
        (same && o == n).then(|| Hunk { old: old.start + 1..old.end + 1, new: new.start + 1..new.end + 1 })
    }

    /// The file's bytes for a line of old; `None` where it is unclear which they are.
    pub fn ours(&self, file: &Source<'_>, line: usize) -> Option<Vec<u8>> {
        match self.at[line] {
            At::Line(at) => Some(file.text(at).to_vec()),
            At::Mark | At::Unclear => None,
        }
    }

    /// The line of the file before which something goes that goes before this line of old; `None` where the file has more
    /// or fewer blank lines there.
    pub fn boundary(&self, line: usize) -> Option<usize> {
        let before = line.checked_sub(1).map(|line| self.at[line]);
        match (before, self.at.get(line)) {
            (Some(At::Line(a)), Some(At::Line(b))) => (a + 1 == *b).then_some(*b),
            (None | Some(At::Mark), Some(At::Line(b))) => Some(*b),
            (Some(At::Line(a)), None | Some(At::Mark)) => Some(a + 1),
            _ => None,
        }
    }
}
