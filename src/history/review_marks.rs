//! Which records a person has looked at.
//!
//! Owns the format of `reviewed` in redraft's folder, a list of lines that only grows, the last of a record counts: `+ID TIME NAME CRC` (looked
//! at), `-ID TIME NAME CRC` (not any more); of older versions `ID`, `ID TIME NAME` and `-ID TIME NAME`. No request and no tool writes it: who
//! reviews is a person at the command line or at `redraft review`.
//! Invariant: damage never makes a record one that was looked at. A mark that is taken back is blanked out where it stands, so that
//! losing the line that says so brings nothing back; and a damaged line, which may have taken back any mark, cancels all before it.

use crate::history::utc::utc;
use crate::id::RecordId;
use crate::state_dir::{StateDir, append_lines, blank_out, read};
use serde::{Serialize, Serializer};
use std::collections::HashMap;
use std::io;
use std::ops::Range;

/// That a person has looked at a record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ReviewMark {
    /// When, milliseconds since 1970-01-01 UTC; older lists do not say it.
    #[serde(rename = "time", serialize_with = "as_utc")]
    pub time_ms: Option<i64>,
    /// By git's `user.name`, where it was set.
    pub by: Option<String>,
}

fn as_utc<S: Serializer>(time_ms: &Option<i64>, to: S) -> Result<S::Ok, S::Error> {
    time_ms.map(utc).serialize(to)
}

/// What becomes of a record's mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Marking {
    /// A person has looked at it.
    Reviewed,
    /// It is to be looked at.
    Open,
}

/// All marks, read at once.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReviewMarks {
    marks: HashMap<RecordId, ReviewMark>,
    /// Where the last damaged line ends, in bytes; none where all lines are whole.
    damaged: Option<usize>,
}

/// What a line says.
enum Said {
    Nothing,
    Looked(RecordId, ReviewMark),
    NotAnyMore(RecordId),
    /// As an older version wrote it, without a checksum.
    Once(RecordId, ReviewMark),
}

impl ReviewMarks {
    /// Reads the list of a repository; without one nothing was looked at.
    ///
    /// # Errors
    /// Where the list is there and cannot be read.
    pub fn read(place: &StateDir) -> io::Result<Self> {
        Ok(Self::parse(&read(&place.reviewed())?.unwrap_or_default()))
    }

    /// The list that these bytes are.
    pub fn parse(bytes: &[u8]) -> Self {
        let (mut marks, mut damaged) = (HashMap::new(), None);
        let mut is_behind_damage = false;
        for (range, line) in lines(bytes) {
            // In front of all others there is nothing to cancel.
            if range.end == 0 {
                is_behind_damage = true;
                continue;
            }
            let said = said(line);
            // What a lost line break cuts off may look like a line of an older version.
            let is_whole = said.is_some() && !(is_behind_damage && matches!(said, Some(Said::Once(..))));
            is_behind_damage = !is_whole;
            match said.filter(|_| is_whole) {
                Some(Said::Nothing) => {}
                Some(Said::Looked(id, mark) | Said::Once(id, mark)) => drop(marks.insert(id, mark)),
                Some(Said::NotAnyMore(id)) => drop(marks.remove(&id)),
                None => {
                    marks.clear();
                    damaged = Some(range.end);
                }
            }
        }
        Self { marks, damaged }
    }

    /// That of a record.
    pub fn of(&self, record: &RecordId) -> Option<&ReviewMark> {
        self.marks.get(record)
    }

    /// Whether a line is damaged, and the marks before it are cancelled.
    pub fn is_damaged(&self) -> bool {
        self.damaged.is_some()
    }

    /// How long the list is: where it is not longer than it was, nobody marked anything.
    #[cfg(feature = "review")]
    pub(crate) fn len_of(place: &StateDir) -> u64 {
        std::fs::metadata(place.reviewed()).map_or(0, |file| file.len())
    }

    /// Notes what becomes of the marks of records, at the time and by the person of `mark`; by how much the list grew. A damaged list is
    /// copied aside before, and what the damage cancelled is gone for good.
    ///
    /// # Errors
    /// Where the list cannot be written.
    pub fn note(place: &StateDir, records: &[RecordId], marking: Marking, mark: &ReviewMark) -> io::Result<u64> {
        let (sign, by) = (if marking == Marking::Open { '-' } else { '+' }, mark.by.iter().flat_map(|by| by.chars()));
        let by: String = by.filter(|c| !c.is_control()).collect();
        let time = mark.time_ms.unwrap_or_default();
        let bytes = read(&place.reviewed())?.unwrap_or_default();
        if let Some(end) = Self::parse(&bytes).damaged {
            std::fs::copy(place.reviewed(), place.reviewed_aside(time))?;
            // One line of spaces.
            blank_out(&place.reviewed(), std::slice::from_ref(&(0..end)))?;
        }
        if marking == Marking::Open {
            let is_taken_back = |line| match said(line) {
                Some(Said::Looked(id, _) | Said::Once(id, _)) => records.contains(&id),
                _ => false,
            };
            let marks: Vec<_> = lines(&bytes).filter(|(_, line)| is_taken_back(line)).map(|(range, _)| range).collect();
            blank_out(&place.reviewed(), &marks)?;
        }
        // A last line without its end is not to take this one with it.
        let cut = if bytes.last().is_some_and(|last| *last != b'\n') { "\n" } else { "" };
        let lines = records.iter().map(|id| checked(&format!("{sign}{id} {time} {by}")));
        let lines: String = std::iter::once(cut.to_owned()).chain(lines).collect();
        let grown = lines.len() as u64;
        append_lines(&place.reviewed(), [lines])?;
        Ok(grown)
    }
}

/// The lines with where they stand, without their ends.
fn lines(bytes: &[u8]) -> impl Iterator<Item = (Range<usize>, &[u8])> {
    let mut at = 0;
    bytes.split_inclusive(|&byte| byte == b'\n').map(move |whole| {
        let line = whole.strip_suffix(b"\n").unwrap_or(whole);
        let range = at..at + line.len();
        at += whole.len();
        (range, line)
    })
}

fn said(line: &[u8]) -> Option<Said> {
    if !line.is_empty() && line.iter().all(|&byte| byte == b' ') {
        return Some(Said::Nothing);
    }
    let line = std::str::from_utf8(line).ok()?;
    let (body, crc) = line.rsplit_once(' ').unwrap_or((line, ""));
    let is_checked = format!("{:08x}", crc32fast::hash(body.as_bytes())) == crc;
    let looks_checked = crc.len() == 8 && crc.bytes().all(|byte| byte.is_ascii_hexdigit());
    let mut words = (if is_checked { body } else { line }).splitn(3, ' ');
    let (id, time, by) = (words.next()?, words.next(), words.next());
    let by = by.filter(|by| !by.is_empty()).map(str::to_owned);
    let mark = ReviewMark { time_ms: time.and_then(|time| time.parse().ok()), by };
    match (id.strip_prefix('+'), id.strip_prefix('-')) {
        (Some(id), _) if is_checked => Some(Said::Looked(RecordId::parse(id)?, mark)),
        (None, Some(id)) if is_checked || !looks_checked => Some(Said::NotAnyMore(RecordId::parse(id)?)),
        (None, None) if !looks_checked => Some(Said::Once(RecordId::parse(id)?, mark)),
        _ => None,
    }
}

fn checked(body: &str) -> String {
    format!("{body} {:08x}\n", crc32fast::hash(body.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids() -> [RecordId; 3] {
        [1, 2, 3].map(|n| RecordId::from_random([n; 8]))
    }

    #[test]
    fn the_last_line_of_a_record_counts_and_those_of_older_versions_are_read() {
        let dir = tempfile::tempdir().expect("a directory");
        let place = StateDir::new(dir.path(), "main");
        let [a, b, c] = ids();
        assert_eq!(ReviewMarks::read(&place).expect("nothing"), ReviewMarks::default());
        // As older versions wrote it.
        append_lines(&place.reviewed(), [format!("{a}\n{b} 3 Ann\n{c} 3 Ann\n-{c} 4 Ann\n{b} 4")]).expect("written");
        let mark = ReviewMark { time_ms: Some(5), by: Some("Ann\n-Other".into()) };
        ReviewMarks::note(&place, &[b.clone(), c.clone()], Marking::Reviewed, &mark).expect("written");
        ReviewMarks::note(&place, std::slice::from_ref(&c), Marking::Open, &mark).expect("written");
        let marks = ReviewMarks::read(&place).expect("read");
        assert_eq!(marks.of(&a), Some(&ReviewMark { time_ms: None, by: None }));
        assert_eq!(marks.of(&b), Some(&ReviewMark { time_ms: Some(5), by: Some("Ann-Other".into()) }));
        assert_eq!((marks.of(&c), marks.is_damaged()), (None, false));
        ReviewMarks::note(&place, std::slice::from_ref(&c), Marking::Reviewed, &mark).expect("written");
        assert!(ReviewMarks::read(&place).expect("read").of(&c).is_some());
    }

    #[test]
    fn no_damage_of_one_byte_or_of_the_end_brings_a_mark_back_that_was_taken_back() {
        let dir = tempfile::tempdir().expect("a directory");
        let place = StateDir::new(dir.path(), "main");
        let [a, b, _] = ids();
        let mark = ReviewMark { time_ms: Some(5), by: Some("Ann".into()) };
        append_lines(&place.reviewed(), [format!("{a} 3 Ann\n")]).expect("written");
        for (id, marking) in [(&b, Marking::Reviewed), (&a, Marking::Open), (&b, Marking::Open)] {
            ReviewMarks::note(&place, std::slice::from_ref(id), marking, &mark).expect("written");
        }
        let whole = std::fs::read(place.reviewed()).expect("read");
        for at in 0..whole.len() {
            let kept = ReviewMarks::parse(&whole[..at]);
            assert!(kept.of(&a).is_none() && kept.of(&b).is_none(), "cut at {at}");
            let zeroed = [&whole[..at], &vec![0; whole.len() - at]].concat();
            assert!(ReviewMarks::parse(&zeroed).marks.is_empty(), "zeros from {at}");
            for byte in 0..=255 {
                let mut bytes = whole.clone();
                bytes[at] = byte;
                let marks = ReviewMarks::parse(&bytes);
                assert!(marks.of(&a).is_none() && marks.of(&b).is_none(), "{byte} at {at}");
            }
        }
    }

    #[test]
    fn a_damaged_line_cancels_the_marks_before_it_until_the_list_is_written_next() {
        let dir = tempfile::tempdir().expect("a directory");
        let place = StateDir::new(dir.path(), "main");
        let [a, b, c] = ids();
        let mark = ReviewMark { time_ms: Some(5), by: None };
        for damage in [
            "\n",
            "x\n",
            "\u{fffd}\n",
            &format!("x{c}\n{c} 1 x\n"),
            &format!(" {c}\n"),
            &format!("{c}x\n"),
            &format!("+{c} 1 x\n"),
        ] {
            let _ = std::fs::remove_file(place.reviewed());
            ReviewMarks::note(&place, std::slice::from_ref(&a), Marking::Reviewed, &mark).expect("written");
            append_lines(&place.reviewed(), [damage.to_owned()]).expect("written");
            let marks = ReviewMarks::read(&place).expect("read");
            assert!(marks.is_damaged() && marks.marks.is_empty(), "{damage:?}");
            ReviewMarks::note(&place, std::slice::from_ref(&b), Marking::Reviewed, &mark).expect("written");
            let marks = ReviewMarks::read(&place).expect("read");
            assert!(!marks.is_damaged() && marks.of(&a).is_none() && marks.of(&b).is_some(), "{damage:?}");
            assert!(std::fs::read(place.reviewed_aside(5)).expect("kept").ends_with(damage.as_bytes()));
        }
    }
}
