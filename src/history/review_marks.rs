//! Which records a person has looked at.
//!
//! Owns the format of `reviewed` in redraft's folder, an append-only list of lines, the last of a record counts: `ID`, `ID TIME NAME` (looked
//! at), `-ID TIME NAME` (not any more). No request and no tool writes it: who reviews is a person at the command line or at `redraft review`.
//! Invariant: a line that cannot be read says nothing, so that damage never makes a record one that was looked at.

use crate::history::utc::utc;
use crate::id::RecordId;
use crate::state_dir::{StateDir, append_lines, read};
use serde::{Serialize, Serializer};
use std::collections::HashMap;
use std::io;

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
pub struct ReviewMarks(HashMap<RecordId, ReviewMark>);

impl ReviewMarks {
    /// Reads the list of a repository; without one nothing was looked at.
    ///
    /// # Errors
    /// Where the list is there and cannot be read.
    pub fn read(place: &StateDir) -> io::Result<Self> {
        Ok(Self::parse(&read(&place.reviewed())?.unwrap_or_default()))
    }

    /// The list that these bytes are; lines that are none of it are left out.
    pub fn parse(bytes: &[u8]) -> Self {
        let mut marks = HashMap::new();
        for line in bytes.split(|&byte| byte == b'\n').filter_map(|line| std::str::from_utf8(line).ok()) {
            let mut words = line.splitn(3, ' ');
            let (id, time, by) = (words.next().unwrap_or_default(), words.next(), words.next());
            match id.strip_prefix('-') {
                Some(id) => {
                    RecordId::parse(id).map(|id| marks.remove(&id));
                }
                None => {
                    let by = by.filter(|by| !by.is_empty()).map(str::to_owned);
                    let mark = ReviewMark { time_ms: time.and_then(|time| time.parse().ok()), by };
                    RecordId::parse(id).map(|id| marks.insert(id, mark));
                }
            }
        }
        Self(marks)
    }

    /// That of a record.
    pub fn of(&self, record: &RecordId) -> Option<&ReviewMark> {
        self.0.get(record)
    }

    /// How long the list is: where it is not longer than it was, nobody marked anything.
    #[cfg(feature = "review")]
    pub(crate) fn len_of(place: &StateDir) -> u64 {
        std::fs::metadata(place.reviewed()).map_or(0, |file| file.len())
    }

    /// Notes what becomes of the marks of records, at the time and by the person of `mark`; by how much the list grew.
    ///
    /// # Errors
    /// Where the list cannot be written.
    pub fn note(place: &StateDir, records: &[RecordId], marking: Marking, mark: &ReviewMark) -> io::Result<u64> {
        let sign = if marking == Marking::Open { "-" } else { "" };
        let by: String = mark.by.iter().flat_map(|by| by.chars()).filter(|c| !c.is_control()).collect();
        let time = mark.time_ms.unwrap_or_default();
        let lines: String = records.iter().map(|id| format!("{sign}{id} {time} {by}\n")).collect();
        let grown = lines.len() as u64;
        append_lines(&place.reviewed(), [lines])?;
        Ok(grown)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_of_a_record_counts_and_damage_marks_nothing() {
        let dir = tempfile::tempdir().expect("a directory");
        let place = StateDir::new(dir.path(), "main");
        let [a, b, c] = [1, 2, 3].map(|n| RecordId::from_random([n; 8]));
        assert_eq!(ReviewMarks::read(&place).expect("nothing"), ReviewMarks::default());
        // As older versions wrote it.
        append_lines(&place.reviewed(), [format!("{a}\n")]).expect("written");
        let mark = ReviewMark { time_ms: Some(5), by: Some("Ann\n-Other".into()) };
        ReviewMarks::note(&place, &[b.clone(), c.clone()], Marking::Reviewed, &mark).expect("written");
        ReviewMarks::note(&place, std::slice::from_ref(&c), Marking::Open, &mark).expect("written");
        let marks = ReviewMarks::read(&place).expect("read");
        assert_eq!(marks.of(&a), Some(&ReviewMark { time_ms: None, by: None }));
        assert_eq!(marks.of(&b), Some(&ReviewMark { time_ms: Some(5), by: Some("Ann-Other".into()) }));
        assert_eq!(marks.of(&c), None);
        let damaged = format!("x{b}\n{}\n\u{fffd}{a} 1 x\n {a}\n{a}x\n", &a.as_str()[1..]);
        assert_eq!(ReviewMarks::parse(damaged.as_bytes()), ReviewMarks::default());
        let mut bytes = vec![0xff, b'\n'];
        bytes.extend(format!("{a}").bytes());
        assert!(ReviewMarks::parse(&bytes).of(&a).is_some());
    }
}
