//! Where the splices of a record are today by the log alone: each record since found the file as the one before had left it,
//! and it is as the newest left it.
//!
//! Owns that way, splice by splice through whole lines. It is asked where the lines themselves do not prove it.
//! Invariant: nobody but those records changed the text, and none of them touched a line of the splice, or its point.

use super::log::Known;
use super::told::Today;
use crate::patch::{FilePatch, Splice};
use crate::text::{has_word, split_lines, whole_lines};
use std::collections::HashSet;
use std::ops::Range;

/// A splice that takes out what a record put in, with the lines that it touches.
struct Piece {
    splice: Splice,
    lines: Range<usize>,
}

/// What takes these splices of a record (all where `which` is none) out of today's text; none where the log does not tell.
pub(super) fn by_log(today: &Today<'_>, which: Option<&[usize]>) -> Option<FilePatch> {
    let (before, after) = today.texts.both(today.file)?;
    let splices = today.file.undo_pieces(today.texts, which)?;
    let touched = |splice: Splice| Piece { lines: whole_lines(after, &splice.range), splice };
    let mut pieces: Vec<Piece> = splices.into_iter().map(|(_, splice)| touched(splice)).collect();
    let mut text = after;
    for known in today.later {
        let (found, left) = known.texts.both(&known.file)?;
        if found != text {
            return None;
        }
        carry(&mut pieces, known, left)?;
        text = left;
    }
    if text != today.current || today.later.is_empty() || pieces.is_empty() {
        return None;
    }
    let is_free = |piece: &Piece| comes_back_alone(piece, text) && ends_its_lines(piece, text);
    let is_clear = pieces.iter().all(is_free) && !stand_elsewhere(before, after, text);
    let splices = pieces.into_iter().map(|piece| piece.splice).collect();
    FilePatch::new(text.len(), splices).ok().filter(|_| is_clear)
}

/// Moves the pieces on over what a record did; none where it did something to their lines.
fn carry(pieces: &mut [Piece], known: &Known, left: &[u8]) -> Option<()> {
    let done = known.file.redo_pieces(&known.texts, None)?;
    for piece in pieces {
        let lines = piece.lines.clone();
        let mut moved = lines.start;
        for (_, Splice { range, replacement, .. }) in &done {
            // Of lines that are beside a point none says on which side of it they are.
            let (is_above, is_below) = if lines.is_empty() {
                (range.end < lines.start, range.start > lines.end)
            } else {
                (range.end <= lines.start, range.start >= lines.end)
            };
            if is_above {
                moved = (moved + replacement.len()).checked_sub(range.len())?;
            } else if !is_below {
                return None;
            }
        }
        let own = &mut piece.splice.range;
        *own = own.start - lines.start + moved..own.end - lines.start + moved;
        piece.lines = moved..moved + lines.len();
        are_whole(&piece.lines, left).then_some(())?;
    }
    Some(())
}

/// Whether a range begins and ends with lines.
fn are_whole(lines: &Range<usize>, text: &[u8]) -> bool {
    let is_edge = |at: usize| at == 0 || text.get(at - 1) == Some(&b'\n');
    is_edge(lines.start) && (lines.end == text.len() || is_edge(lines.end))
}

/// Whether what is put in holds whole lines where it goes between lines.
fn comes_back_alone(Piece { splice, lines }: &Piece, text: &[u8]) -> bool {
    !lines.is_empty() || splice.replacement.ends_with(b"\n") || lines.end == text.len()
}

/// Whether the lines of a piece have an ending afterwards, if something stands behind them.
fn ends_its_lines(Piece { splice, lines }: &Piece, text: &[u8]) -> bool {
    let tail = text.get(splice.range.end..lines.end).unwrap_or_default();
    let head = text.get(lines.start..splice.range.start).unwrap_or_default();
    let last = [tail, &splice.replacement, head].into_iter().find(|part| !part.is_empty());
    lines.end == text.len() || last.is_none_or(|part| part.ends_with(b"\n"))
}

/// Whether a line with a word that a record took out stands in the text: somebody put it there again, or moved it.
fn stand_elsewhere(before: &[u8], after: &[u8], text: &[u8]) -> bool {
    let is_line = |line: &&[u8]| has_word(line);
    let kept: HashSet<&[u8]> = split_lines(after).map(<[u8]>::trim_ascii).collect();
    let gone: HashSet<&[u8]> = split_lines(before).map(<[u8]>::trim_ascii).filter(is_line).collect();
    split_lines(text).map(<[u8]>::trim_ascii).any(|line| gone.contains(line) && !kept.contains(line))
}
