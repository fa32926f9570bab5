//! The files that a plan changes on disk, also where files exchange their names: no name is free then at any time.
//!
//! Owns the way from slots, each a file with the name it has and the one it gets, to one change for each name. Where the file
//! that has a name leaves it to another, its text is replaced by that of the other, and the transaction needs no order.
//! Invariant: each name is changed once, and each slot's targets are told once.

use super::replay::Slot;
use super::replayed::Replayed;
use super::request::Misfits;
use crate::path::RepoPath;
use crate::record::Target;

/// What becomes of one name.
#[derive(Debug, Clone, Copy)]
pub enum NameChange<'p> {
    /// The file itself is changed, renamed, removed or put back.
    Own(&'p Slot),
    /// The name goes from one file to another.
    Taken {
        /// The one that gets it.
        by: &'p Slot,
        /// The one that had it.
        from: &'p Slot,
    },
    /// The file goes; it gets a name that another one had.
    Left(&'p Slot),
    /// The file comes; its old name got another one.
    Got(&'p Slot),
}

/// One change for each name of these files that something becomes of.
pub(super) fn changes(slots: &[Slot]) -> Vec<NameChange<'_>> {
    all_changes(slots).into_iter().filter(|change| !change.is_nothing()).collect()
}

/// What of records each of these changes inverts. Where a name goes to a file that is just as the one that had it, what was
/// done to that is told with the name that it left.
pub(super) fn targets(slots: &[Slot]) -> Vec<Vec<Target>> {
    let (unchanged, changed): (Vec<_>, Vec<_>) = all_changes(slots).into_iter().partition(NameChange::is_nothing);
    let mut targets: Vec<Vec<Target>> = changed.iter().map(NameChange::targets).collect();
    for one in unchanged {
        let left = one.slot().disk.as_ref();
        let with = changed.iter().position(|change| change.path() == left).unwrap_or_default();
        if let Some(targets) = targets.get_mut(with) {
            targets.extend(one.targets());
        }
    }
    targets
}

/// The names that go to another file which is just as the one that had it.
pub(super) fn unchanged(slots: &[Slot]) -> Vec<RepoPath> {
    let unchanged = all_changes(slots).into_iter().filter(NameChange::is_nothing);
    unchanged.filter_map(|change| change.path().cloned()).collect()
}

fn all_changes(slots: &[Slot]) -> Vec<NameChange<'_>> {
    let had_by = |name: Option<&RepoPath>| name.and_then(|name| slots.iter().find(|slot| slot.leaves(name)));
    let taken_by = |slot: &Slot| slots.iter().find(|other| other.now != other.disk && other.now == slot.disk);
    let mut changes = Vec::new();
    for slot in slots {
        let is_moved = slot.now != slot.disk;
        let from = had_by(slot.now.as_ref()).filter(|_| is_moved);
        let by = taken_by(slot).filter(|_| is_moved && slot.disk.is_some());
        changes.extend(match (from, by) {
            (Some(from), _) => Some(NameChange::Taken { by: slot, from }),
            (None, None) => Some(NameChange::Own(slot)),
            (None, Some(_)) => slot.now.is_some().then_some(NameChange::Got(slot)),
        });
        if from.is_some() && by.is_none() && slot.disk.is_some() {
            changes.push(NameChange::Left(slot));
        }
    }
    changes
}

impl<'p> NameChange<'p> {
    /// The name; none where a plan has a file without any.
    pub fn path(&self) -> Option<&'p RepoPath> {
        match self {
            Self::Own(slot) => slot.now.as_ref().or(slot.disk.as_ref()),
            Self::Taken { by, .. } => by.now.as_ref(),
            Self::Left(slot) => slot.disk.as_ref(),
            Self::Got(slot) => slot.now.as_ref(),
        }
    }

    /// The file whose text is there afterwards; for one that goes, the file itself.
    pub fn slot(&self) -> &'p Slot {
        match self {
            Self::Own(slot) | Self::Taken { by: slot, .. } | Self::Left(slot) | Self::Got(slot) => slot,
        }
    }

    /// What of records it inverts.
    pub(super) fn targets(&self) -> Vec<Target> {
        match self {
            Self::Own(slot) | Self::Got(slot) => slot.inverted(),
            // One that goes for good leaves no other trace.
            Self::Taken { by, from } if from.now.is_none() => [by.inverted(), from.inverted()].concat(),
            Self::Taken { by, .. } => by.inverted(),
            Self::Left(_) => Vec::new(),
        }
    }

    /// What becomes of the text that is found under the name (none where there is none); none where it does not fit any more.
    pub fn replayed(&self, found: Option<&[u8]>, misfits: Misfits) -> Option<Replayed> {
        match self {
            Self::Own(slot) => slot.replay(found, misfits).ok(),
            Self::Taken { by: slot, .. } | Self::Got(slot) => slot.replay(slot.seen.as_deref(), misfits).ok(),
            Self::Left(_) => None,
        }
    }

    /// Whether the file that is taken for another has its very text and permission bits.
    fn is_nothing(&self) -> bool {
        let Self::Taken { by, from } = self else { return false };
        by.mode(by.seen_mode).or(by.seen_mode) == from.seen_mode
            && self.replayed(None, Misfits::Marked).is_some_and(|outcome| outcome.text == from.seen)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::RecordId;

    fn path(name: &str) -> RepoPath {
        RepoPath::new(name.as_bytes()).expect("a path")
    }

    /// A file of which a record is inverted: the name that it has, the one that it gets, and its text.
    fn slot(disk: Option<&str>, now: Option<&str>, text: &str, record: u8) -> Slot {
        let mut slot = Slot::absent(None);
        slot.seen = disk.map(|_| text.as_bytes().to_vec());
        (slot.disk, slot.now) = (disk.map(path), now.map(path));
        slot.targets.push(Target {
            id: RecordId::from_random([record; 8]),
            file: 0,
            splices: None,
            is_cancelled: false,
            was_gone: false,
        });
        slot
    }

    /// Each change: its sort, its name, and the seeds of the records that it is told for.
    fn told(slots: &[Slot]) -> Vec<String> {
        let sort = |change: &NameChange<'_>| match change {
            NameChange::Own(_) => "own",
            NameChange::Taken { .. } => "taken",
            NameChange::Left(_) => "left",
            NameChange::Got(_) => "got",
        };
        let told = |change: &NameChange<'_>| {
            let seeds =
                (0..9_u8).filter(|n| change.targets().iter().any(|target| target.id == RecordId::from_random([*n; 8])));
            let seeds: Vec<String> = seeds.map(|n| n.to_string()).collect();
            let name = change.path().map(RepoPath::to_string_lossy).unwrap_or_default();
            format!("{} {name} {}", sort(change), seeds.join("+"))
        };
        changes(slots).iter().map(told).collect()
    }

    #[test]
    fn each_name_is_changed_once_and_each_record_is_told_once() {
        // Two that exchange their names.
        let both = [slot(Some("a"), Some("b"), "x\n", 1), slot(Some("b"), Some("a"), "y\n", 2)];
        assert_eq!(told(&both), ["taken b 1", "taken a 2"]);
        // One takes the name of another that goes for good.
        let gone = [slot(Some("t"), Some("a"), "x\n", 1), slot(Some("a"), None, "y\n", 2)];
        assert_eq!(told(&gone), ["taken a 1+2", "left t "]);
        // One takes the name of another that gets one that is free.
        let on = [slot(Some("a"), Some("b"), "x\n", 1), slot(Some("b"), Some("c"), "y\n", 2)];
        assert_eq!(told(&on), ["taken b 1", "left a ", "got c 2"]);
        // One comes and another goes: they have nothing to do with each other.
        let apart =
            [slot(None, Some("a"), "x\n", 1), slot(Some("b"), None, "y\n", 2), slot(Some("c"), Some("c"), "z\n", 3)];
        assert_eq!(told(&apart), ["own a 1", "own b 2", "own c 3"]);
    }

    #[test]
    fn a_file_with_the_very_text_of_the_one_whose_name_it_takes_changes_nothing_there() {
        let both = || [slot(Some("t"), Some("a"), "x\n", 1), slot(Some("a"), None, "x\n", 2)];
        let mut same = both();
        assert_eq!(told(&same), ["left t "]);
        // What was done is told with the name that is left, wherever that comes in the row.
        let seeds = |slots: &[Slot]| -> Vec<usize> { targets(slots).iter().map(Vec::len).collect() };
        assert_eq!((seeds(&same), unchanged(&same)), (vec![2], vec![path("a")]));
        let [taken, gone] = both();
        let behind = [slot(Some("z"), Some("z"), "z\n", 3), taken, gone];
        assert_eq!((told(&behind), seeds(&behind)), (vec!["own z 3".to_owned(), "left t ".into()], vec![1, 2]));
        (same[0].seen_mode, same[1].seen_mode) = (Some(0o755), Some(0o644));
        assert_eq!((told(&same), unchanged(&same)), (vec!["taken a 1+2".to_owned(), "left t ".into()], vec![]));
    }
}
