//! Which words of a diff's lines are comments, texts, numbers and words of the file's language.
//!
//! Owns how much is looked at: what is larger is plain. The scanner is `syntax/`.
//! Invariant: what is open where a hunk begins (a comment, a text) is known from the whole file, not guessed from the hunk.

use super::patch::{self, Kind, Line};
use super::syntax::{Token, language_of, states, tokens};
use crate::path::RepoPath;
use crate::usecase::review::{Details, FileShown};
use bstr::ByteSlice;
use std::ops::Range;

/// Longer lines are plain.
const MOST_BYTES: usize = 2_000;

/// What is behind a record, with what is found in it.
pub(super) fn of_record(details: &Details) -> Vec<Line> {
    let mut lines = patch::of_record(details);
    for part in lines.chunk_by_mut(|one, other| one.file == other.file) {
        if let Some(file) = part.first().and_then(|line| details.files.get(line.file)) {
            colour(part, file);
        }
    }
    lines
}

/// Finds them in the lines of one file.
fn colour(lines: &mut [Line], file: &FileShown) {
    let (Some(language), Some((before, after))) = (language_of(file.path.as_bstr().as_bytes()), &file.texts) else {
        return;
    };
    let last = |number: &dyn Fn(&Line) -> Option<usize>| lines.iter().filter_map(number).max().unwrap_or_default();
    let removed = states(language, before, last(&|line| line.before));
    let kept = states(language, after, last(&|line| line.number));
    for line in lines.iter_mut().filter(|line| line.text.len() <= MOST_BYTES) {
        let (states, number) = match line.kind {
            Kind::Removed => (&removed, line.before),
            Kind::Added | Kind::Same => (&kept, line.number),
            _ => continue,
        };
        // Behind the sign.
        let state = number.and_then(|number| states.get(number.checked_sub(1)?));
        let (Some(&state), Some(text)) = (state, line.text.get(1..)) else { continue };
        let found = tokens(language, text, state).into_iter();
        line.tokens = found.map(|(range, token)| (range.start + 1..range.end + 1, token)).collect();
    }
}

/// The lines of a file as it is, with what is found in them; each as it is shown.
pub(super) fn of_file<'t>(path: &RepoPath, lines: impl Iterator<Item = &'t [u8]>) -> Vec<Line> {
    let lines: Vec<Line> = lines.map(|line| Line::note(&String::from_utf8_lossy(line))).collect();
    let Some(language) = language_of(path.as_bstr().as_bytes()) else { return lines };
    let size: usize = lines.iter().map(|line| line.text.len()).sum();
    if size > crate::usecase::review::MOST_COLOURED {
        return lines;
    }
    let all: Vec<&str> = lines.iter().map(|line| line.text.as_str()).collect();
    let states = states(language, &all.join("\n"), all.len());
    let coloured = lines.into_iter().zip(states).map(|(line, state)| match line.text.len() {
        ..=MOST_BYTES => Line { tokens: tokens(language, &line.text, state), ..line },
        _ => line,
    });
    coloured.collect()
}

/// A line cut where something begins or ends: each part, whether it makes the difference, and what it is.
pub(super) fn parts(line: &Line) -> Vec<(Range<usize>, bool, Option<Token>)> {
    let mut cuts: Vec<usize> = vec![0, line.text.len()];
    cuts.extend(line.marks.iter().flat_map(|mark| [mark.start, mark.end]));
    cuts.extend(line.tokens.iter().flat_map(|(range, _)| [range.start, range.end]));
    cuts.sort_unstable();
    cuts.dedup();
    let part = |ends: &[usize]| {
        let range = ends[0]..ends[1];
        let is_in = |other: &Range<usize>| other.start <= range.start && range.end <= other.end;
        let token = line.tokens.iter().find(|(other, _)| is_in(other)).map(|(_, token)| *token);
        (range.clone(), line.marks.iter().any(is_in), token)
    };
    cuts.windows(2).map(part).collect()
}
