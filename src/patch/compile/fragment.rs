//! The part of an old text that occurs once as it was sent, and holds all that the edit changes.
//!
//! Owns how much of the text stays around the change. Places nothing: a smaller edit is offered where the nearest text is too
//! long to be shown, or where none is near.
//! Invariant: what is given occurs once in the file, and is less than the old text.

use crate::matcher::exact::find_once;
use crate::matcher::fold;
use crate::matcher::hint::Region;
use crate::text::to_lf;
use std::ops::Range;

/// So many bytes are kept on each side of a change, in turn.
const STEPS: [usize; 8] = [0, 8, 16, 32, 64, 128, 256, 400];
/// The longest part that is offered, in bytes.
const LONGEST: usize = 900;
/// A word is not cut in two, unless it is longer than this.
const WORD: usize = 24;
/// Where no text is near, so many bytes on each side of the change speak for a place.
const LEAST_BESIDE: usize = 16;
/// Where no text is near, only a file of at most so many bytes is looked through.
const LARGEST: usize = 4 << 20;

/// The smallest part, inside `region` if there is one, in the text `lf`; all with LF endings.
pub(super) fn fragment(lf: &[u8], (old, new): (&[u8], &[u8]), region: Option<&Region>) -> Option<Region> {
    let old = std::str::from_utf8(old).ok()?;
    let (within, least) = match region {
        Some(region) => (find_once(lf, &to_lf(region.text.as_bytes()))?, 0),
        None => ((lf.len() <= LARGEST).then_some(0..lf.len())?, LEAST_BESIDE),
    };
    let changed = changed(old, new);
    let mut sides: Vec<(usize, usize)> = STEPS.iter().flat_map(|&l| STEPS.map(|r| (l, r))).collect();
    sides.sort_by_key(|&(left, right)| left.max(right) * 2 + left + right);
    let mut tried: Vec<Range<usize>> = Vec::new();
    for (left, right) in sides {
        let around = changed.start.saturating_sub(left)..(changed.end + right).min(old.len());
        let part = in_words(old, around, &changed);
        let beside = (changed.start - part.start).min(part.end - changed.end);
        // An insertion stands between two texts.
        let least = if changed.is_empty() { least.max(1) } else { least };
        if beside < least || part.len() > LONGEST || part.len() == old.len() || tried.contains(&part) {
            continue;
        }
        tried.push(part.clone());
        let text = &old[part];
        if fold::word_chars(text.as_bytes()) < 2 || find_once(&lf[within.clone()], text.as_bytes()).is_none() {
            continue;
        }
        if let Some(at) = find_once(lf, text.as_bytes()) {
            return Some(offered(lf, text, at));
        }
    }
    None
}

fn offered(lf: &[u8], text: &str, at: Range<usize>) -> Region {
    let line = |at: usize| 1 + memchr::memchr_iter(b'\n', &lf[..at]).count();
    let (start_line, end_line) = (line(at.start), line(at.end.max(at.start + 1) - 1));
    Region { text: text.to_owned(), start_line, end_line, similarity: 1.0, strategy: None }
}

/// What of the old text the new one does not have at its start or end, at bounds of characters.
fn changed(old: &str, new: &[u8]) -> Range<usize> {
    let bytes = old.as_bytes();
    let head = bytes.iter().zip(new).take_while(|(a, b)| a == b).count();
    let tail = bytes[head..].iter().rev().zip(new[head..].iter().rev()).take_while(|(a, b)| a == b).count();
    let start = (0..=head).rev().find(|&at| old.is_char_boundary(at)).unwrap_or(0);
    let end = (old.len() - tail..=old.len()).find(|&at| old.is_char_boundary(at)).unwrap_or(old.len());
    start..end
}

/// A part of a text that begins and ends with words, and holds `changed`.
fn in_words(text: &str, part: Range<usize>, changed: &Range<usize>) -> Range<usize> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut start = (0..=part.start).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
    let mut end = (part.end..=text.len()).find(|&at| text.is_char_boundary(at)).unwrap_or(text.len());
    let before: usize = text[..start].chars().rev().take_while(|&c| is_word(c)).map(char::len_utf8).sum();
    let behind: usize = text[end..].chars().take_while(|&c| is_word(c)).map(char::len_utf8).sum();
    if before <= WORD && text[start..].starts_with(is_word) {
        start -= before;
    }
    if behind <= WORD && text[..end].ends_with(is_word) {
        end += behind;
    }
    // A blank at an end is easily lost.
    let (head, tail) = (&text[start..changed.start], &text[changed.end..end]);
    start + head.len() - head.trim_start().len()..end - (tail.len() - tail.trim_end().len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line() -> String {
        (0..1_000).map(|n| format!("word{n} ")).collect()
    }

    fn check(old: &str, new: &str, want: Option<&str>) {
        let file = format!("first\n{}\nlast\n", line());
        let region = Region { text: line() + "\n", start_line: 2, end_line: 2, similarity: 0.9, strategy: None };
        let got = fragment(file.as_bytes(), (old.as_bytes(), new.as_bytes()), Some(&region));
        assert_eq!(got.as_ref().map(|part| part.text.as_str()), want);
        assert!(got.is_none_or(|part| (part.start_line, part.end_line) == (2, 2)));
    }

    #[test]
    fn a_change_far_from_what_differs_is_offered_alone() {
        let old = line().replace("word700 ", "word7OO ");
        check(&old, &old.replace("word20 ", "X "), Some("word20 word21"));
        check(&old, &old.replace("word20 ", "word20 and "), Some("word20 word21 word22"));
        check(&old, &old.replace("word699 ", "X "), Some("word699"));
    }

    #[test]
    fn a_change_of_what_differs_has_no_part() {
        let old = line().replace("word700 ", "word7OO ");
        check(&old, &old.replace("word7OO ", "X "), None);
        check(&old, "X", None);
    }

    #[test]
    fn where_nothing_is_near_only_what_stands_in_its_surroundings_is_offered() {
        let file = format!("{}\n", line());
        let part = |old: &str, new: &str| {
            fragment(file.as_bytes(), (old.as_bytes(), new.as_bytes()), None).map(|part| part.text)
        };
        let old = "werd12 word13 word14 word15 word16 word17 word18 word19";
        assert_eq!(
            part(old, &old.replace("word16", "X")).as_deref(),
            Some("word13 word14 word15 word16 word17 word18 word19")
        );
        assert_eq!(part("werd12 word13 word14", "werd12 X word14"), None);
    }
}
