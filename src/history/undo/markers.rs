//! Conflict markers: what is taken back where it is proven, and both versions where it is not.
//!
//! Owns which lines stand between markers. Decides nothing about what is proven.
//! Invariant: lines outside of the markers are those that an undo of the rest alone would leave.

use crate::id::RecordId;
use crate::patch::take_back::{Answer, Judged, Refusal, Verdict, Write};
use crate::patch::{FilePatch, Origin, Replacement, Splice};
use crate::strategy::Strategy;
use crate::text::{BOM, Eol, EolCount, whole_lines};
use std::ops::Range;

/// Lines of today's text, and what stood there before the record.
struct Region {
    now: Range<usize>,
    before: Vec<u8>,
}

/// What fits is taken back; where something does not, both versions stand between markers: the patch, and which of the edit's changes these
/// are of.
pub fn marked(answer: &Answer, today: &[u8], id: &RecordId) -> (FilePatch, Vec<usize>) {
    let is_refused = |hunk: &&Judged| matches!(hunk.verdict, Verdict::Refused(_));
    let (mut stuck, mut free): (Vec<&Judged>, Vec<&Judged>) = answer.hunks().iter().partition(is_refused);
    let regions = loop {
        let regions = regions(&stuck, today);
        let meets = |write: &Write| {
            regions.iter().any(|region| write.range.start <= region.now.end && region.now.start <= write.range.end)
        };
        let (more, rest): (Vec<&Judged>, Vec<&Judged>) = free.iter().partition(|hunk| writes(hunk).iter().any(meets));
        if more.is_empty() {
            break regions;
        }
        stuck.extend(more);
        free = rest;
    };
    let is_free = |splice: &&Splice| free.iter().any(|hunk| writes(hunk).iter().any(|w| w.range == splice.range));
    let mut splices: Vec<Splice> = answer.patch_of_what_fits().splices().iter().filter(is_free).cloned().collect();
    let origin = Origin { edit: 0, strategy: Strategy::Exact };
    splices.extend(regions.into_iter().map(|Region { now, before }| {
        // A byte order mark stays the first of the file.
        let mark = if now.start == 0 && today.starts_with(BOM) { BOM.len() } else { 0 };
        let now = now.start + mark..now.end.max(mark);
        let before = before.strip_prefix(BOM).filter(|_| mark > 0).unwrap_or(&before);
        let bytes = between_markers((&today[now.clone()], EolCount::of(today).dominant()), before, id);
        Replacement { range: now, bytes }.by(origin)
    }));
    let patch = FilePatch::new(today.len(), splices).expect("regions are whole lines that no other splice meets");
    (patch, stuck.iter().flat_map(|hunk| &hunk.changes).copied().collect())
}

/// Where a refused hunk would be: where nothing tells it, what looks like it does.
pub fn place(refusal: &Refusal) -> &Range<usize> {
    refusal.candidates.first().filter(|_| refusal.place == (0..0)).unwrap_or(&refusal.place)
}

fn writes(hunk: &Judged) -> &[Write] {
    match &hunk.verdict {
        Verdict::Write(writes) => writes,
        Verdict::AlreadyDone | Verdict::Refused(_) => &[],
    }
}

/// Regions of whole lines, disjoint and in order.
fn regions(stuck: &[&Judged], today: &[u8]) -> Vec<Region> {
    let mut sorted: Vec<Region> = stuck.iter().filter_map(|hunk| region(hunk, today)).collect();
    sorted.sort_by_key(|region| (region.now.start, region.now.end));
    let mut out: Vec<Region> = Vec::new();
    for region in sorted {
        match out.last_mut() {
            Some(last) if region.now.start <= last.now.end => {
                last.now.end = last.now.end.max(region.now.end);
                last.before.extend(region.before);
            }
            _ => out.push(region),
        }
    }
    out
}

fn region(hunk: &Judged, today: &[u8]) -> Option<Region> {
    match &hunk.verdict {
        Verdict::Refused(refusal) => {
            Some(Region { now: whole_lines(today, place(refusal)), before: refusal.wanted.clone() })
        }
        Verdict::Write(writes) => {
            let (first, last) = (writes.first()?, writes.last()?);
            let now = whole_lines(today, &(first.range.start..last.range.end));
            let (mut before, mut at) = (Vec::new(), now.start);
            for Write { range, replacement } in writes {
                before.extend_from_slice(&today[at..range.start]);
                before.extend_from_slice(replacement);
                at = range.end;
            }
            before.extend_from_slice(&today[at..now.end]);
            Some(Region { now, before })
        }
        Verdict::AlreadyDone => None,
    }
}

fn between_markers((now, eol): (&[u8], Eol), old: &[u8], id: &RecordId) -> Vec<u8> {
    let mut out = Vec::new();
    let put = |text: &[u8], out: &mut Vec<u8>| {
        out.extend_from_slice(text);
        if !text.is_empty() && !text.ends_with(b"\n") {
            out.extend_from_slice(eol.as_bytes());
        }
    };
    put(b"<<<<<<< now", &mut out);
    put(now, &mut out);
    put(b"=======", &mut out);
    put(old, &mut out);
    put(format!(">>>>>>> before {id}").as_bytes(), &mut out);
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::patch::take_back::{Change, Direction, Edit, Reason, Wanted, answer};

    const ID: &str = "kkkkkkkkkkkkkkkk";

    #[test]
    fn a_refused_hunk_is_where_its_lines_stand_only_if_nothing_tells_its_place() {
        let refusal = |place: Range<usize>, candidates: &[Range<usize>]| Refusal {
            reason: Reason::PlaceTaken,
            own: 0..1,
            place,
            candidates: candidates.to_vec(),
            wanted: Vec::new(),
        };
        assert_eq!(place(&refusal(0..0, &[3..5, 7..9])), &(3..5));
        assert_eq!(place(&refusal(2..4, &[3..5, 7..9])), &(2..4));
        assert_eq!(place(&refusal(0..0, &[])), &(0..0));
    }

    /// `today`, where the words of `edits` (old and new) were changed in `before`, and that is taken back with markers.
    fn marked_in(before: &str, edits: &[(&str, &str)], today: &str) -> String {
        let (mut after, mut changes) = (before.to_owned(), Vec::new());
        for (old, new) in edits {
            let (at, now) = (before.find(old).expect("it is there"), after.find(old).expect("it is there"));
            after.replace_range(now..now + old.len(), new);
            let origin = Origin { edit: 0, strategy: Strategy::Exact };
            changes.push(Change { before: at..at + old.len(), after: now..now + new.len(), origin });
        }
        let edit = Edit::new(before.as_bytes(), after.as_bytes(), changes).expect("an edit");
        let answer = answer(edit, Wanted::All, Direction::TakeBack, &[], today.as_bytes());
        let (patch, _) = marked(&answer, today.as_bytes(), &RecordId::parse(ID).expect("an id"));
        String::from_utf8(patch.apply(today.as_bytes())).expect("UTF-8")
    }

    fn marked_as(now: &str, before: &str) -> String {
        format!("<<<<<<< now\n{now}=======\n{before}>>>>>>> before {ID}\n")
    }

    #[test]
    fn a_last_line_without_an_ending_gets_one_between_markers() {
        let told = marked_in("one\ntwo\nthree", &[("three", "third")], "one\ntwo\nIII");
        assert_eq!(told, format!("one\ntwo\n{}", marked_as("III\n", "three\n")));
    }

    #[test]
    fn markers_end_as_the_lines_of_the_file_do() {
        let told = marked_in("one\r\ntwo\r\nthree", &[("three", "third")], "one\r\ntwo\r\nIII");
        assert_eq!(told, format!("one\r\ntwo\r\n{}", marked_as("III\n", "three\n").replace('\n', "\r\n")));
    }

    #[test]
    fn what_is_proven_is_taken_back_beside_the_markers() {
        let before = "one\ntwo\nthree\nfour\nfive\nsix\nseven\n";
        let told = marked_in(before, &[("two", "2"), ("six", "6")], "one\nII\nthree\nfour\nfive\n6\nseven\n");
        assert_eq!(told, format!("one\n{}three\nfour\nfive\nsix\nseven\n", marked_as("II\n", "two\n")));
    }

    #[test]
    fn what_touches_stands_between_the_same_markers() {
        let before = "one\ntwo\nthree\nfour\nfive\nsix\nseven\n";
        let marked = |today: &str| marked_in(before, &[("two", "2"), ("four", "4")], today);
        for (now, today) in
            [("II\nIV\n", "one\nII\nIV\nfive\nsix\nseven\n"), ("II\n4\n", "one\nII\n4\nfive\nsix\nseven\n")]
        {
            assert_eq!(marked(today), format!("one\n{}five\nsix\nseven\n", marked_as(now, "two\nfour\n")));
        }
        let apart =
            format!("one\n{}three\n{}five\nsix\nseven\n", marked_as("II\n", "two\n"), marked_as("IV\n", "four\n"));
        assert_eq!(marked("one\nII\nthree\nIV\nfive\nsix\nseven\n"), apart);
        let free = format!("one\ntwo\nthree\n{}five\nsix\nseven\n", marked_as("IV\n", "four\n"));
        assert_eq!(marked("one\n2\nthree\nIV\nfive\nsix\nseven\n"), free);
    }

    #[test]
    fn a_byte_order_mark_stays_the_first_of_the_file() {
        let (bom, before) = ("\u{feff}", "one\ntwo\nthree\n");
        // The first line is put between markers as it is beside one that does not fit.
        let told = marked_in(&format!("{bom}{before}"), &[("one", "1"), ("two", "2")], &format!("{bom}1\nII\nthree\n"));
        assert_eq!(told, format!("{bom}{}three\n", marked_as("1\nII\n", "one\ntwo\n")));
        let told = marked_in(&format!("{bom}{before}"), &[("one", "1")], &format!("{bom}I\ntwo\nthree\n"));
        assert_eq!(told, format!("{bom}{}two\nthree\n", marked_as("I\n", "one\n")));
        // Where it is gone, it is a part of what stood there before.
        let told = marked_in(&format!("{bom}{before}"), &[("one", "1")], "I\ntwo\nthree\n");
        assert_eq!(told, format!("{}two\nthree\n", marked_as("I\n", &format!("{bom}one\n"))));
    }
}
