//! Splices to changes of whole lines.
//!
//! Invariant: changes are in order and disjoint; both sides are whole lines, the last of a text perhaps without ending.

use super::changed_lines::changed_lines;
use crate::patch::{FilePatch, Splice};
use memchr::{memchr, memrchr};
use std::collections::VecDeque;
use std::ops::Range;

/// Lines of the base and what they become.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct LineChange {
    /// In bytes of the base.
    pub(super) old: Range<usize>,
    pub(super) new: Vec<u8>,
}

/// The changes of a patch, one after the other; those not asked for are not worked out.
pub(super) struct Changes<'a> {
    base: &'a [u8],
    splices: std::iter::Peekable<std::slice::Iter<'a, Splice>>,
    ready: VecDeque<LineChange>,
}

impl<'a> Changes<'a> {
    pub(super) fn new(base: &'a [u8], patch: &'a FilePatch) -> Self {
        Self { base, splices: patch.splices().iter().peekable(), ready: VecDeque::new() }
    }

    /// The lines that the next splice touches, with all splices that touch them, too.
    fn next_block(&mut self) -> Option<LineChange> {
        let first = self.splices.next()?;
        let start = line_start(self.base, first.range.start);
        let mut new = self.base[start..first.range.start].to_vec();
        new.extend_from_slice(&first.replacement);
        let mut end = first.range.end;
        // Where the line of `end` ends, as far as that is known: a long line of many splices is searched once.
        let mut known = 0;
        loop {
            let whole = starts_line(self.base, end) && (new.is_empty() || new.ends_with(b"\n"));
            if !whole && known <= end {
                known = line_end(self.base, end);
            }
            let line_end = if whole { end } else { known };
            match self.splices.next_if(|next| next.range.start < line_end) {
                Some(next) => {
                    new.extend_from_slice(&self.base[end..next.range.start]);
                    new.extend_from_slice(&next.replacement);
                    end = next.range.end;
                }
                None if !whole && line_end == self.base.len() && self.splices.peek().is_some() => {
                    // At the end of the text: what is inserted there goes on with this line, unless it has ended.
                    let next = self.splices.next().expect("it was just looked at");
                    new.extend_from_slice(&self.base[end..next.range.start]);
                    new.extend_from_slice(&next.replacement);
                    end = next.range.end;
                }
                None => {
                    new.extend_from_slice(&self.base[end..line_end]);
                    return Some(LineChange { old: start..line_end, new });
                }
            }
        }
    }

    /// Leaves out lines that both sides share.
    fn refine(&mut self, block: LineChange) {
        if block.old.is_empty() || block.new.is_empty() {
            if block.old != (block.old.start..block.old.start) || !block.new.is_empty() {
                self.ready.push_back(block);
            }
            return;
        }
        let old: Vec<&[u8]> = self.base[block.old.clone()].split_inclusive(|&byte| byte == b'\n').collect();
        let new: Vec<&[u8]> = block.new.split_inclusive(|&byte| byte == b'\n').collect();
        let head = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
        let (old_rest, new_rest) = (&old[head..], &new[head..]);
        let tail = old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(|(old, new)| old == new).count();
        let (old_middle, new_middle) = (&old_rest[..old_rest.len() - tail], &new_rest[..new_rest.len() - tail]);
        let mut at = block.old.start + old[..head].iter().map(|line| line.len()).sum::<usize>();
        let mut done = 0;
        for (old, new) in changed_lines(old_middle, new_middle) {
            if old.is_empty() && new.is_empty() {
                continue;
            }
            let start = at + old_middle[done..old.start].iter().map(|line| line.len()).sum::<usize>();
            at = start + old_middle[old.clone()].iter().map(|line| line.len()).sum::<usize>();
            done = old.end;
            self.ready.push_back(LineChange { old: start..at, new: new_middle[new].concat() });
        }
    }
}

impl Iterator for Changes<'_> {
    type Item = LineChange;

    fn next(&mut self) -> Option<LineChange> {
        while self.ready.is_empty() {
            let block = self.next_block()?;
            self.refine(block);
        }
        self.ready.pop_front()
    }
}

/// Where the line starts that holds the byte at `at`.
pub(super) fn line_start(text: &[u8], at: usize) -> usize {
    memrchr(b'\n', &text[..at]).map_or(0, |newline| newline + 1)
}

/// Where the line ends that holds the byte at `at`, its ending included.
pub(super) fn line_end(text: &[u8], at: usize) -> usize {
    memchr(b'\n', &text[at..]).map_or(text.len(), |newline| at + newline + 1)
}

fn starts_line(text: &[u8], at: usize) -> bool {
    at == 0 || text[at - 1] == b'\n'
}
