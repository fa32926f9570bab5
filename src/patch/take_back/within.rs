//! Edited lines: a hunk found by its tokens, inside of the lines that became of its own.
//!
//! Owns the question whether the lines are the same lines, and the tokens to write in them. Does not look at other lines.
//! Invariant: what is written consists of whole tokens, and none is glued to another.

use super::anchors::Anchors;
use super::hunk::{self, Hunk};
use super::proof::{Level, Proven, prove};
use super::reason::Reason;
use super::units::{Part, Trio};
use super::verdict::Write;
use super::whole::Whole;
use crate::text::{is_name, line_start, next_line, token_ends, tokens};
use memchr::memmem;
use std::collections::HashSet;
use std::ops::Range;

/// What becomes of the lines `now` (of today's text), which became of a hunk's new lines, and what to write
/// in them; `between` are the texts before and after each step meanwhile.
///
/// # Errors
/// What is not proven.
pub(super) fn within_lines(
    trio: &Trio<'_>,
    hunk: &Hunk,
    now: &Range<usize>,
    whole: &Whole<'_, '_>,
    between: &[&[u8]],
) -> Result<(Vec<u8>, Vec<Write>), Reason> {
    are_known_again(trio, (hunk, now), whole, between)?;
    let parts = [(&trio.old, &hunk.old), (&trio.new, &hunk.new), (&trio.today, now)]
        .map(|(text, range)| Part { text: text.bytes(), range: text.span(range) });
    let inner = Trio::new(parts, token_ends);
    let hunks = hunk::of_texts(&inner);
    let anchors = Anchors::new(&inner, &hunks);
    let mut writes: Vec<Write> = Vec::new();
    for piece in &hunks {
        let place = match prove(&inner, &anchors, piece, Level::Tokens)? {
            Proven::InForce(place) => place,
            Proven::TakenBack | Proven::PutIn(_) | Proven::Edited(_) => {
                return Err(Reason::PartlyTakenBack(trio.today.span(now)));
            }
        };
        let range = inner.today.span(&place);
        if writes.last().is_some_and(|last| last.range.end > range.start) {
            return Err(Reason::WordsReordered);
        }
        writes.push(Write { range, replacement: inner.old.text(&piece.old).to_vec() });
    }
    spliced(&inner, &writes).map(|text| (text, writes)).ok_or(Reason::Glued)
}

/// Each edited line keeps a name that stands once in both whole texts, and that the record did not put in. Where a later edit took that name out
/// of the text, or put it in, the line was gone, and what stands there is another one; that it is missing in a text alone may be another branch.
fn are_known_again(
    trio: &Trio<'_>,
    (hunk, now): (&Hunk, &Range<usize>),
    whole: &Whole<'_, '_>,
    between: &[&[u8]],
) -> Result<(), Reason> {
    // Where the record joined or parted lines, the end of which line was edited is not known.
    if now.len() != hunk.new.len() || hunk.old.len() != hunk.new.len() {
        return Err(Reason::LinesBetween);
    }
    let kept: HashSet<&[u8]> = tokens(trio.old.text(&hunk.old)).filter(|token| is_name(token)).collect();
    for (was, is) in hunk.new.clone().zip(now.clone()) {
        if trio.new.id(was) == trio.today.id(is) {
            continue;
        }
        let own: HashSet<&[u8]> = tokens(trio.new.unit(was)).filter(|token| kept.contains(token)).collect();
        let tells = |token: &[u8]| own.contains(token) && whole.is_own(token) && !came_or_went(token, between);
        if !tokens(trio.today.unit(is)).any(tells) {
            return Err(Reason::NotKnownAgain(trio.today.span(&(is..is + 1))));
        }
    }
    Ok(())
}

/// Whether a token stands in only one of the two texts before and after some step.
fn came_or_went(token: &[u8], steps: &[&[u8]]) -> bool {
    let has = |text: &[u8]| {
        // Of a line with many of them its tokens are made once.
        let mut end = 0;
        memmem::find_iter(text, token).any(|at| {
            at >= end && {
                end = next_line(text, at);
                tokens(&text[line_start(text, at)..end]).any(|one| one == token)
            }
        })
    };
    steps.chunks_exact(2).any(|step| has(step[0]) != has(step[1]))
}

/// The lines after the writes; none where they have other tokens than those that were left and those that were written.
fn spliced(inner: &Trio<'_>, writes: &[Write]) -> Option<Vec<u8>> {
    let mut text = Vec::new();
    let mut ends = Vec::new();
    let mut put = |bytes: &[u8]| {
        ends.extend(token_ends(bytes).into_iter().map(|end| text.len() + end));
        text.extend_from_slice(bytes);
    };
    let mut at = inner.today.span(&(0..0)).start;
    for write in writes {
        put(inner.today.bytes_in(&(at..write.range.start)));
        put(&write.replacement);
        at = write.range.end;
    }
    put(inner.today.bytes_in(&(at..inner.today.end())));
    (token_ends(&text) == ends).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::super::units::line_ends;
    use super::*;

    /// What becomes of the one line of `today`, where a record made `new` of `old`.
    fn check(texts: [&str; 3], want: Option<&str>) {
        let trio = Trio::new(texts.map(|text| Part::whole(text.as_bytes())), line_ends);
        let hunks = hunk::of_texts(&trio);
        let found = within_lines(&trio, &hunks[0], &(0..1), &Whole::new(&trio), &[]);
        assert_eq!(found.ok().map(|(text, _)| text).as_deref(), want.map(str::as_bytes), "{texts:?}");
    }

    #[test]
    fn the_lines_afterwards_are_those_of_today_with_the_tokens_of_before() {
        check(["let a = 1;\n", "let a = 2;\n", "let a = 2; // x\n"], Some("let a = 1; // x\n"));
        // Half of a word is none of it.
        check(["let a = x;\n", "let a = xy;\n", "let a = xyz;\n"], None);
    }

    #[test]
    fn a_word_tells_a_line_that_no_step_meanwhile_put_or_took() {
        let texts = ["the end\n", "  the end\n", "  the q\n"];
        let trio = Trio::new(texts.map(|text| Part::whole(text.as_bytes())), line_ends);
        let hunks = hunk::of_texts(&trio);
        let rows: [(&[&[u8]], bool); 6] = [
            (&[], true),
            (&[b"a\nthe z\n", b"the q\n"], true),
            (&[b"the z\n", b"a\n"], false),
            (&[b"a\n", b"b\n", b"a\n", b"the z the\n"], false),
            // Another branch has none.
            (&[b"a\n", b"b\n"], true),
            // In a longer word it does not stand.
            (&[b"there, the z\n", b"there\n"], false),
        ];
        for (between, is_known) in rows {
            let found = within_lines(&trio, &hunks[0], &(0..1), &Whole::new(&trio), between);
            assert_eq!(found.is_ok(), is_known, "{between:?}");
        }
    }

    #[test]
    fn a_line_that_is_not_known_again_is_told() {
        let texts = ["let a = 1;\n", "let a = 2;\n", "call(2);\n"];
        let trio = Trio::new(texts.map(|text| Part::whole(text.as_bytes())), line_ends);
        let hunks = hunk::of_texts(&trio);
        let found = within_lines(&trio, &hunks[0], &(0..1), &Whole::new(&trio), &[]);
        assert_eq!(found.expect_err("another line"), Reason::NotKnownAgain(0..9));
    }
}
