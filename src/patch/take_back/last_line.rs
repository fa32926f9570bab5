//! Texts whose last line has no ending: an edit is looked for as if all of them had one.
//!
//! Owns these texts, and the way back from them to today's. Proves nothing. Whether a last line is ended is none of an edit that left
//! it as it was: an editor adds an ending when it saves, and of two equal lines the last one is still equal to the other.
//! Invariant: today's text ends afterwards as it ended before.

use super::edit::Edit;
use super::reason::{Reason, Refusal};
use super::verdict::{Judged, Verdict, Write};
use std::ops::Range;

/// An edit and today's text, all with an ending behind the last line.
pub(super) struct Ended<'t> {
    pub(super) edit: Edit<'static>,
    pub(super) today: Vec<u8>,
    /// As it is, where that is without the ending.
    open: Option<&'t [u8]>,
    ending: &'static [u8],
    since: Since,
    /// How long the edit's own text is as it is.
    own: usize,
}

/// Whether today's last line lacks the ending since before the edit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Since {
    /// The edit met it so.
    Before,
    /// Somebody took it away.
    Later,
}

impl<'t> Ended<'t> {
    /// None where there is no last line without its ending, or the edit itself gave it one or took it.
    pub(super) fn new(edit: &Edit<'_>, today: &'t [u8]) -> Option<Self> {
        let texts = [edit.before(), edit.after(), today];
        let [before, after, now] = texts.map(is_open);
        if before != after || !(before || now) || texts.iter().any(|text| text.is_empty()) {
            return None;
        }
        let ending = texts.iter().find_map(|text| ending_of(text)).unwrap_or(b"\n");
        let ended = |text: &[u8]| if is_open(text) { [text, ending].concat() } else { text.to_vec() };
        let changes = edit.changes().to_vec();
        let own = edit.after().len();
        let edit = Edit::made_of(ended(edit.before()), ended(edit.after()), changes);
        let since = if before { Since::Before } else { Since::Later };
        Some(Self { edit, today: ended(today), open: now.then_some(today), ending, since, own })
    }

    /// What was judged of them, for today's text as it is.
    pub(super) fn as_it_is(&self, mut hunks: Vec<Judged>) -> Vec<Judged> {
        for hunk in &mut hunks {
            let own = match (&mut hunk.verdict, self.open) {
                (Verdict::AlreadyDone, _) | (Verdict::Write(_), None) => continue,
                (Verdict::Refused(refusal), open) => {
                    within(refusal, self.own, open.unwrap_or(&self.today).len());
                    continue;
                }
                (Verdict::Write(writes), Some(today)) => {
                    let all = writes.iter().map(|write| self.without_ending(write, today));
                    all.collect::<Option<Vec<_>>>().filter(|writes| stays_open(writes, today))
                }
            };
            hunk.verdict = match own {
                Some(writes) => Verdict::Write(writes),
                None => Verdict::Refused(self.glued(hunk, self.open.unwrap_or(&self.today).len())),
            };
        }
        hunks
    }

    /// What cannot be written as the text ends: where it would go, and what.
    fn glued(&self, hunk: &Judged, most: usize) -> Refusal {
        let writes = match &hunk.verdict {
            Verdict::Write(writes) => &writes[..],
            Verdict::AlreadyDone | Verdict::Refused(_) => &[],
        };
        let start = writes.iter().map(|write| write.range.start).min().unwrap_or(most).min(most);
        let end = writes.iter().map(|write| write.range.end).max().unwrap_or(most).min(most);
        let own = self.edit.changes().iter().filter(|(which, _)| which.iter().any(|n| hunk.changes.contains(n)));
        let own = own.map(|(_, change)| change.after.clone()).reduce(|one, next| one.start..next.end).unwrap_or(0..0);
        Refusal {
            reason: Reason::Glued,
            own: own.start.min(self.own)..own.end.min(self.own),
            place: start..end,
            candidates: Vec::new(),
            wanted: writes.iter().flat_map(|write| write.replacement.clone()).collect(),
        }
    }

    /// A write in the text that has no ending; none where that would leave none to the line before, where the last line would be a blank one, and where lines come behind
    /// one that lost its ending, or go with it: whether the line before is to end the file so is not known.
    fn without_ending(&self, write: &Write, today: &[u8]) -> Option<Write> {
        let Write { range, replacement } = write;
        if range.end <= today.len() {
            return Some(write.clone());
        }
        let cut = replacement.strip_suffix(self.ending);
        let put = |range: Range<usize>, replacement: Vec<u8>| Some(Write { range, replacement });
        if self.since == Since::Later && (range.start > today.len() || cut.is_none()) {
            return None;
        }
        if range.start > today.len() {
            // Behind the last line: its ending goes before what comes, instead of behind it.
            return put(today.len()..today.len(), [self.ending, cut?].concat());
        }
        match cut {
            Some(cut) => put(range.start..today.len(), cut.to_vec()),
            // The last lines go, and the one before them is the last one.
            None if replacement.is_empty() => {
                let above = today.get(..range.start)?;
                let start = if above.is_empty() { 0 } else { above.strip_suffix(self.ending)?.len() };
                put(start..today.len(), Vec::new())
            }
            None => None,
        }
    }
}

/// Whether the last line is still one without an ending. A blank one is nothing but its ending: it would not come at all.
fn stays_open(writes: &[Write], today: &[u8]) -> bool {
    let mut end = today.len();
    for Write { range, replacement } in writes.iter().rev().take_while(|write| write.range.end == today.len()) {
        match replacement.last() {
            Some(last) => return *last != b'\n',
            None => end = range.start,
        }
    }
    today.get(..end).is_none_or(is_open)
}

fn is_open(text: &[u8]) -> bool {
    !text.ends_with(b"\n")
}

/// How the last line is ended that is.
fn ending_of(text: &[u8]) -> Option<&'static [u8]> {
    let at = memchr::memrchr(b'\n', text)?;
    Some(if text.get(..at)?.ends_with(b"\r") { b"\r\n" } else { b"\n" })
}

/// The ranges as they are in the texts without an added ending: `own` and `today` are their lengths.
fn within(refusal: &mut Refusal, own: usize, today: usize) {
    refusal.own = refusal.own.start.min(own)..refusal.own.end.min(own);
    let clip = |range: &mut Range<usize>| *range = range.start.min(today)..range.end.min(today);
    clip(&mut refusal.place);
    refusal.candidates.iter_mut().for_each(clip);
    match &mut refusal.reason {
        Reason::StandsElsewhere(range)
        | Reason::PartlyTakenBack(range)
        | Reason::MayBeEdited(range)
        | Reason::NotKnownAgain(range) => clip(range),
        Reason::LinesChanged
        | Reason::PutAnew
        | Reason::NeighboursChanged
        | Reason::PlaceTaken
        | Reason::TwoReadings
        | Reason::EndStandsElsewhere
        | Reason::LinesBetween
        | Reason::WordsReordered
        | Reason::Glued
        | Reason::OutOfOrder
        | Reason::TooLarge
        | Reason::MovedInPart => {}
    }
}

#[cfg(test)]
mod tests {
    use super::super::edit::Change;
    use super::*;
    use crate::patch::Origin;
    use crate::strategy::Strategy;

    /// Somebody took the last ending away, so that the second change cannot go back; the first one is elsewhere.
    #[test]
    fn what_would_be_glued_to_the_last_line_is_told_with_its_own_place() {
        let origin = Origin { edit: 0, strategy: Strategy::Exact };
        let changes = [(0..2, 0..2), (4..6, 4..4)].map(|(before, after)| Change { before, after, origin });
        let edit = Edit::new(b"a\nb\nc\n", b"A\nb\n", changes.to_vec()).expect("an edit");
        let ended = Ended::new(&edit, b"A\nb").expect("today's text has no last ending");
        let judged = |n: usize, range: Range<usize>, line: &[u8]| Judged {
            changes: vec![n],
            verdict: Verdict::Write(vec![Write { range, replacement: line.to_vec() }]),
        };
        let told = ended.as_it_is(vec![judged(0, 0..2, b"a\n"), judged(1, 4..4, b"c\n")]);
        assert_eq!(told[0], judged(0, 0..2, b"a\n"));
        let Verdict::Refused(refusal) = &told[1].verdict else { panic!("{told:?}") };
        assert_eq!((&refusal.reason, refusal.own.clone(), refusal.place.clone()), (&Reason::Glued, 4..4, 3..3));
        assert_eq!(refusal.wanted, b"c\n");
    }
}
