//! `whitespace-normalized` (opencode): runs of white space are one blank, line breaks too.
//!
//! Accepts a single line or part of one word by word, several lines as a block of whole lines. Goes wrong where white
//! space has a meaning: in string literals, and where depth tells two blocks apart.

use super::candidate::Candidate;
use crate::matcher::source::{Source, hash, places};
use std::ops::Range;

/// Every place whose words are those of `old`.
pub fn find(file: &Source<'_>, old: &Source<'_>) -> Vec<Candidate> {
    let (theirs, ours) = (words(old), words(file));
    let keys = |source: &Source<'_>, words: &[(usize, Range<usize>)]| -> Vec<u64> {
        words.iter().map(|(_, range)| hash(&source.bytes()[range.clone()])).collect()
    };
    let single = old.solid().len() == 1;
    let starts = places(&keys(old, &theirs), &keys(file, &ours));
    let whole = |first: usize, last: usize| {
        let starts_line = first == 0 || ours[first - 1].0 != ours[first].0;
        let ends_line = ours.get(last + 1).is_none_or(|next| next.0 != ours[last].0);
        starts_line && ends_line
    };
    let lines = old.solid().last().map_or(0, |last| last + 1 - old.solid()[0]);
    starts
        .into_iter()
        .map(|start| (start, start + theirs.len() - 1))
        .filter_map(|(first, last)| {
            let block = ours[first].0..ours[last].0 + 1;
            if single && block.len() == 1 {
                Some(Candidate::Bytes(ours[first].1.start..ours[last].1.end))
            } else {
                (!single && whole(first, last) && block.len() <= lines).then_some(Candidate::Block(block))
            }
        })
        .collect()
}

/// The words of a text (runs of anything but white space), each with its line.
fn words(source: &Source<'_>) -> Vec<(usize, Range<usize>)> {
    let mut words = Vec::new();
    for (index, line) in source.lines().iter().enumerate() {
        let mut start = None;
        for at in line.start..=line.end {
            let inside = at < line.end && !source.bytes()[at].is_ascii_whitespace();
            match (inside, start) {
                (true, None) => start = Some(at),
                (false, Some(from)) => {
                    words.push((index, from..at));
                    start = None;
                }
                _ => {}
            }
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use crate::matcher::named::testing::check;
    use crate::strategy::Strategy::WhitespaceNormalized;

    #[test]
    fn runs_of_white_space_are_one_blank() {
        check(WhitespaceNormalized, "x\n  let  a\t= 1; // c\n", "let a = 1;", &[(2, 2)]);
        check(WhitespaceNormalized, "  f(a,\n     b)\n", "f(a,\nb)", &[(1, 2)]);
        check(WhitespaceNormalized, "g f(a,\n b)\n", "f(a,\nb)", &[]);
    }
}
