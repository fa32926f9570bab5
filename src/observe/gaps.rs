//! What of a change no record has: the log knows redraft's own edits, and what another observer recorded.
//!
//! Owns walking from the text of the snapshot through the records since to the text as it is. Where two do not follow each other,
//! something else changed the file in between.
//! Invariant: what a record has is told by none here; together they lead from the snapshot to what is there.

use super::changes::{Change, Unrecorded};
use super::checkouts::Checkouts;
use super::snapshot::Snapshot;
use crate::git::{Repo, RepoError};
use crate::history::{Filter, History, HistoryError, Scope};
use crate::id::BlobId;
use crate::path::RepoPath;
use crate::transaction::Version;
use std::collections::{BTreeMap, BTreeSet};

/// The version of a file that a record met or left; none where there was no file.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Recorded {
    Absent,
    Version(Version),
    /// Its text is not kept.
    Only(BlobId),
}

impl Recorded {
    fn of(id: Option<BlobId>, text: Option<&[u8]>, mode: Option<u32>) -> Self {
        let Some(id) = id else { return Self::Absent };
        text.map_or(Self::Only(id), |bytes| {
            Self::Version(Version { bytes: bytes.to_vec(), id, mode: mode.unwrap_or(0o644) })
        })
    }

    fn id(&self) -> Option<BlobId> {
        match self {
            Self::Absent => None,
            Self::Version(version) => Some(version.id),
            Self::Only(id) => Some(*id),
        }
    }

    /// Whether it may be run; none where that is not known.
    fn runs(&self) -> Option<bool> {
        match self {
            Self::Version(version) => Some(version.mode & 0o111 != 0),
            Self::Absent | Self::Only(_) => None,
        }
    }

    /// Whether something changed between the two, as far as that is known.
    fn is_other_than(&self, other: &Self) -> bool {
        self.id() != other.id() || self.runs().zip(other.runs()).is_some_and(|(one, other)| one != other)
    }

    /// The version; the error stands for a text that is not kept.
    fn version(&self) -> Result<Option<Version>, ()> {
        match self {
            Self::Absent => Ok(None),
            Self::Version(version) => Ok(Some(version.clone())),
            Self::Only(_) => Err(()),
        }
    }
}

/// Whether the snapshot tells how a file was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Start {
    Known,
    Unknown,
}

/// Whose record it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum By {
    /// Redraft's own edit: it was done when it was recorded.
    Redraft,
    /// Another observer's: it may have been done, in part, before the snapshot was taken.
    Observer,
}

/// What one record did at a path.
struct Step {
    by: By,
    /// Which record, counted from the snapshot on.
    record: usize,
    before: Recorded,
    after: Recorded,
}

/// What the records since a snapshot did, by path, oldest first.
#[derive(Default)]
pub struct SinceSnapshot(BTreeMap<RepoPath, Vec<Step>>);

impl SinceSnapshot {
    /// Reads them.
    ///
    /// # Errors
    /// Where the log, or one of them, cannot be read.
    pub fn read(history: &History<'_>, snapshot: &Snapshot) -> Result<Self, HistoryError> {
        let is_since = |item: &Result<crate::history::Item, HistoryError>| {
            item.as_ref().map_or(true, |item| !snapshot.is_newest(&item.record.id))
        };
        let items = history.items(Scope::Own, Filter::default())?.take_while(is_since);
        let mut items = items.collect::<Result<Vec<_>, _>>()?;
        items.reverse();
        let mut steps: BTreeMap<RepoPath, Vec<Step>> = BTreeMap::new();
        for (number, item) in items.iter().enumerate() {
            let record = history.full(item)?;
            let by = if record.meta.observed.is_some() { By::Observer } else { By::Redraft };
            for (n, file) in record.files.iter().enumerate() {
                let texts = history.texts(item, &record, n)?;
                let before = Recorded::of(file.before, texts.before(), file.mode_before);
                let after = Recorded::of(file.after, texts.after(), file.mode_after);
                let mut add = |path: &RepoPath, before, after| {
                    steps.entry(path.clone()).or_default().push(Step { by, record: number, before, after });
                };
                match &file.from {
                    Some(from) => {
                        add(from, before, Recorded::Absent);
                        add(&file.path, Recorded::Absent, after);
                    }
                    None => add(&file.path, before, after),
                }
            }
        }
        Ok(Self(steps))
    }

    /// The paths that they touched.
    pub fn paths(&self) -> BTreeSet<RepoPath> {
        self.0.keys().cloned().collect()
    }
}

/// What no record has of these changes, group by group in the order in which they came: all of one group lie between the same two
/// records, the last ones after all of them.
///
/// # Errors
/// Where the ignore rules or HEAD cannot be read.
pub fn gaps(
    repo: &Repo,
    snapshot: &Snapshot,
    since: &SinceSnapshot,
    changes: Vec<Change>,
) -> Result<(Vec<Vec<Change>>, Vec<Unrecorded>), RepoError> {
    let mut groups: BTreeMap<usize, Vec<Change>> = BTreeMap::new();
    let mut unrecorded = Vec::new();
    let checkouts = Checkouts::since(repo, snapshot)?;
    for change in changes {
        let path = &change.path;
        let steps = since.0.get(path).map(Vec::as_slice).unwrap_or_default();
        // What git ignores is in no snapshot: the first record knows how it was.
        let is_known = snapshot.knows(path) || steps.is_empty() || !repo.is_ignored(path)?;
        match gaps_at(&change, steps, if is_known { Start::Known } else { Start::Unknown }) {
            Ok(found) => {
                for (at, mut gap) in found {
                    let ends = (gap.before.as_ref(), gap.after.as_ref());
                    if !checkouts.made_all(&gap.path, ends) {
                        gap.before = checkouts.without_edits(&gap.path, ends).or(gap.before);
                        groups.entry(at).or_default().extend((gap.before != gap.after).then_some(gap));
                    }
                }
            }
            Err(()) => {
                let why = "was changed between edits whose texts are not kept".to_owned();
                unrecorded.push(Unrecorded { path: change.path, why });
            }
        }
    }
    Ok((groups.into_values().collect(), unrecorded))
}

/// The gaps at one path, each with the number of the record behind it; the error stands for a text that is not kept.
fn gaps_at(change: &Change, steps: &[Step], start: Start) -> Result<Vec<(usize, Change)>, ()> {
    let mut gaps = Vec::new();
    let mut gap = |at, before: &Recorded, after: &Recorded| -> Result<(), ()> {
        let change = Change { path: change.path.clone(), before: before.version()?, after: after.version()? };
        gaps.push((at, change));
        Ok(())
    };
    let of = |version: &Option<Version>| version.clone().map_or(Recorded::Absent, Recorded::Version);
    let (mut at, end) = (of(&change.before), of(&change.after));
    let mut is_known = start == Start::Known;
    for step in steps {
        if is_known && step.by == By::Redraft && step.before.is_other_than(&at) {
            gap(step.record, &at, &step.before)?;
        }
        at = step.after.clone();
        is_known = true;
    }
    // Records say of modes only whether a file may be run.
    let is_other = if steps.is_empty() { change.before != change.after } else { end.is_other_than(&at) };
    if is_known && is_other {
        gap(usize::MAX, &at, &end)?;
    }
    Ok(gaps)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::blob_id;

    fn version(text: &str) -> Recorded {
        if text.is_empty() {
            return Recorded::Absent;
        }
        Recorded::of(Some(blob_id(text.as_bytes())), Some(text.as_bytes()), Some(0o644))
    }

    /// The gaps of a file that went from the first to the second text, where records did these; nothing is no file.
    fn gaps_of((from, to): (&str, &str), records: &[(&str, &str)], start: Start) -> Vec<(usize, String, String)> {
        let of = |text: &str| version(text).version().expect("kept");
        let path = RepoPath::new(b"f").expect("a path");
        let change = Change { path, before: of(from), after: of(to) };
        let step = |(record, (before, after)): (usize, &(&str, &str))| Step {
            by: By::Redraft,
            record,
            before: version(before),
            after: version(after),
        };
        let steps: Vec<Step> = records.iter().enumerate().map(step).collect();
        let text =
            |version: Option<Version>| version.map_or(String::new(), |v| String::from_utf8(v.bytes).expect("text"));
        let found = gaps_at(&change, &steps, start).expect("all texts are kept");
        found.into_iter().map(|(at, gap)| (at, text(gap.before), text(gap.after))).collect()
    }

    fn gap(at: usize, from: &str, to: &str) -> (usize, String, String) {
        (at, from.to_owned(), to.to_owned())
    }

    #[test]
    fn gaps_are_what_no_record_has() {
        const END: usize = usize::MAX;
        assert_eq!(gaps_of(("a", "b"), &[], Start::Known), [gap(END, "a", "b")]);
        assert_eq!(gaps_of(("", "b"), &[], Start::Known), [gap(END, "", "b")]);
        assert_eq!(gaps_of(("a", ""), &[], Start::Known), [gap(END, "a", "")]);
        assert_eq!(gaps_of(("a", "b"), &[("a", "b")], Start::Known), []);
        assert_eq!(gaps_of(("a", "d"), &[("b", "c")], Start::Known), [gap(0, "a", "b"), gap(END, "c", "d")]);
        assert_eq!(gaps_of(("a", "d"), &[("a", "b"), ("c", "d")], Start::Known), [gap(1, "b", "c")]);
        // What a record did was taken back.
        assert_eq!(gaps_of(("a", "a"), &[("a", "b")], Start::Known), [gap(END, "b", "a")]);
        // Where it is not known how the file was, the first record tells.
        assert_eq!(gaps_of(("", "c"), &[("b", "c")], Start::Unknown), []);
        assert_eq!(gaps_of(("", "d"), &[("b", "c")], Start::Unknown), [gap(END, "c", "d")]);
    }

    /// Seen: a look that began while another one ended made records of changes that never were.
    #[test]
    fn what_another_observer_recorded_later_may_have_been_there_before() {
        let path = RepoPath::new(b"f").expect("a path");
        let of = |text: &str| version(text).version().expect("kept");
        let change = |from, to| Change { path: path.clone(), before: of(from), after: of(to) };
        let step =
            |before, after| [Step { by: By::Observer, record: 0, before: version(before), after: version(after) }];
        let gaps = |change, steps: [Step; 1]| gaps_at(&change, &steps, Start::Known).expect("kept").len();
        assert_eq!(gaps(change("b", "b"), step("a", "b")), 0);
        assert_eq!(gaps(change("a and a half", "b"), step("a", "b")), 0);
        assert_eq!(gaps(change("b", "c"), step("a", "b")), 1);
    }

    #[test]
    fn a_gap_beside_a_text_that_is_not_kept_is_no_guess() {
        let path = RepoPath::new(b"f").expect("a path");
        let change = Change {
            path,
            before: version("a").version().expect("kept"),
            after: version("c").version().expect("kept"),
        };
        let only = |text: &str| Recorded::Only(blob_id(text.as_bytes()));
        let at = |before, after| gaps_at(&change, &[Step { by: By::Redraft, record: 0, before, after }], Start::Known);
        assert_eq!(at(only("a"), only("c")), Ok(Vec::new()));
        assert_eq!(at(only("a"), only("b")), Err(()));
        assert_eq!(at(only("b"), only("c")), Err(()));
    }
}
