//! A changed line of which the agent and the file write some characters differently: quotes, dashes, blanks, Unicode forms.
//!
//! Owns telling what the agent meant to change from how it types. Does not look for places. Invariant: what old and new have
//! in common at their two ends keeps the file's characters; what stands between is as it was sent, or nothing is written.

use crate::matcher::fold;
use crate::text::common_ends;
use std::ops::Range;

/// The most characters of a line that are compared one by one.
const MOST_CHARS: usize = 2_000;

/// A character that was folded to find the place stands where the change begins or ends, or the line is too long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Unclear;

/// `new`, a line that replaces `old`, in the characters of `ours`, the line of the file that `old` stands for; without the
/// white space at its ends. `None` where both are written alike.
pub(super) fn kept(old: &[u8], new: &[u8], ours: &[u8]) -> Result<Option<Vec<u8>>, Unclear> {
    let [old, new, ours] = [old, new, ours].map(fold::trim);
    if old == ours {
        return Ok(None);
    }
    let [Ok(old), Ok(new), Ok(ours)] = [old, new, ours].map(std::str::from_utf8) else { return Err(Unclear) };
    let (theirs, file) = (Folded::new(old), Folded::new(ours));
    let (before, after): (Vec<char>, Vec<char>) = (old.chars().collect(), new.chars().collect());
    if theirs.chars != file.chars || before.len().max(after.len()) > MOST_CHARS {
        return Err(Unclear);
    }
    let (head, tail) = common_ends(&before, &after);
    let middle = head..before.len() - tail;
    let added = &after[head..after.len() - tail];
    let ends = [0..theirs.starts[head], theirs.starts[middle.end]..theirs.chars.len()];
    let [first, last] = ends.map(|folded| file.bytes(folded).map(|range| &ours[range]));
    let (Some(first), Some(last)) = (first, last) else { return Err(Unclear) };
    let changed = &ours[first.len()..ours.len() - last.len()];
    let sent: String = before[middle].iter().collect();
    let new: String = added.iter().collect();
    // What the agent types otherwise than the file, between two changes, may be meant to stay as the file has it.
    let is_lost =
        changed != sent && added.iter().any(|&c| !c.is_alphanumeric() && sent.contains(c) && !changed.contains(c));
    if is_lost || (fold::has_typography(new.as_bytes()) && !fold::has_typography(ours.as_bytes())) {
        return Err(Unclear);
    }
    Ok(Some([first, &new, last].concat().into_bytes()))
}

/// How many of a hundred bytes two lines have in common at their ends.
pub(super) fn likeness(one: &[u8], other: &[u8]) -> usize {
    let (one, other) = (fold::trim(one), fold::trim(other));
    let (head, tail) = common_ends(one, other);
    (head + tail) * 100 / one.len().max(other.len()).max(1)
}

/// A text with its characters folded, each of which may become none or several.
struct Folded {
    chars: Vec<char>,
    /// Where each character of the text starts among the folded ones, and where the last ends.
    starts: Vec<usize>,
    /// Where each character of the text starts, in bytes, and where the last ends.
    offsets: Vec<usize>,
}

impl Folded {
    fn new(text: &str) -> Self {
        let mut folded = Self { chars: Vec::new(), starts: Vec::new(), offsets: Vec::new() };
        for (at, c) in text.char_indices() {
            folded.starts.push(folded.chars.len());
            folded.offsets.push(at);
            folded.chars.extend(fold::folded(c));
        }
        folded.starts.push(folded.chars.len());
        folded.offsets.push(text.len());
        folded
    }

    /// The bytes of the text that a range of folded characters stands for; `None` where it ends inside one.
    fn bytes(&self, folded: Range<usize>) -> Option<Range<usize>> {
        let start = self.starts.binary_search(&folded.start).ok()?;
        // What folds to nothing goes with what stands before it.
        let end = self.starts.partition_point(|&at| at <= folded.end) - 1;
        (self.starts[end] == folded.end && start <= end).then(|| self.offsets[start]..self.offsets[end])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(old: &str, new: &str, ours: &str, want: Result<Option<&str>, Unclear>) {
        let got = kept(old.as_bytes(), new.as_bytes(), ours.as_bytes());
        assert_eq!(got, want.map(|line| line.map(|line| line.as_bytes().to_vec())), "{old:?} -> {new:?}");
    }

    #[test]
    fn the_files_characters_stay_in_what_the_agent_kept() {
        check(
            "say \"a\" - b",
            "say \"a\" - c",
            "say \u{201c}a\u{201d} \u{2014} b",
            Ok(Some("say \u{201c}a\u{201d} \u{2014} c")),
        );
        check("a...b", "a...c", "a\u{2026}b", Ok(Some("a\u{2026}c")));
        check("a\u{2019}s b", "a\u{2019}s c", "a's b", Ok(Some("a's c")));
        check("caf\u{e9} a", "caf\u{e9} b", "cafe\u{301} a", Ok(Some("cafe\u{301} b")));
    }

    #[test]
    fn what_the_agent_meant_to_change_is_as_it_was_sent() {
        check("say \"a\"", "say \u{201c}a\u{201d}", "say \"a\"", Ok(None));
        check("\"a\" b", "'a' b", "\u{201c}a\u{201d} b", Ok(Some("'a' b")));
    }

    #[test]
    fn a_character_that_ends_inside_another_is_unclear() {
        check("a...", "a..", "a\u{2026}", Err(Unclear));
        check("a's", "a's \u{201c}b\u{201d}", "a\u{a0}s", Err(Unclear));
    }
}
