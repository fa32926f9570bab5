//! Whether a text that is to be today's without an edit has as many of the edit's lines as that must have.
//!
//! Owns that count, which sees what places cannot: that half of a moved pair of brackets was taken for the edit's, or nothing.
//! Invariant: lines of a change to which somebody came since tell nothing.

use super::cancelled::Around;
use super::changed_lines::ChangedLines;
use super::differing::{line_counts, more};
use super::log::Known;
use super::newest_word::{in_turn, is_undone_in_part};
use super::steps::Steps;
use crate::patch::take_back::{Change, Edit};
use crate::record::{RecordClass, Target};
use crate::text::{PieceMap, split_lines};
use std::collections::HashSet;
use std::sync::Arc;

/// Lines, without the white space around them.
type Lines = HashSet<Vec<u8>>;

/// Whether a text has another number of lines than today's without an edit must have: of those that the edit put and that nobody took since, or took
/// and nobody put.
pub(super) fn is_out_of_balance(
    (edit, class): (&Edit<'_>, RecordClass),
    (steps, around): (&Steps<'_>, Around<'_>),
    [current, result]: [&[u8]; 2],
) -> bool {
    let others = OfOthers::since(steps, (class, around));
    let there: HashSet<&[u8]> = split_lines(current).map(<[u8]>::trim_ascii).collect();
    let by_lines = |(_, change): &(Vec<usize>, Change)| {
        let [before, after] = edit.lines_of(change);
        Edit::by_lines(before, after)
    };
    let Some(changes) = edit.changes().iter().map(by_lines).collect::<Option<Vec<Edit<'_>>>>() else { return false };
    let lines: Vec<ChangedLines<'_>> = changes.iter().map(ChangedLines::of).collect();
    let put: HashSet<&[u8]> = lines.iter().flat_map(|lines| lines.put.iter().copied()).collect();
    let moved: HashSet<&[u8]> =
        lines.iter().flat_map(|lines| lines.took.iter().copied()).filter(|line| put.contains(line)).collect();
    // Of a line that stands nowhere somebody made another one, whatever became of who did.
    let is_touched =
        |lines: &&ChangedLines<'_>| others.came_to(lines, &moved) || lines.put.iter().any(|line| !there.contains(line));
    let (touched, own): (Vec<_>, Vec<_>) = lines.iter().partition(is_touched);
    let all = |lines: Vec<&ChangedLines<'_>>| -> HashSet<Vec<u8>> {
        lines.into_iter().flat_map(|lines| lines.put.iter().chain(&lines.took)).map(|line| line.to_vec()).collect()
    };
    let (touched, own) = (all(touched), all(own));
    let counts = [(edit.after(), edit.before()), (current, result)].map(|(than, text)| line_counts(than, text));
    own.difference(&touched).any(|line| {
        let [wanted, found] = counts.each_ref().map(|counts| counts.get(&line[..]).copied().unwrap_or_default());
        wanted != found
    })
}

/// The lines that others took since an edit, and that they put.
#[derive(Default)]
struct OfOthers {
    took: Lines,
    put: Lines,
    /// What older edits had put went with these.
    took_theirs: Lines,
}

impl OfOthers {
    /// Those of all but what was undone, and what undid that, or older edits that were there then. What came back with these may be what an edit took:
    /// who put it again had found it gone. And what they took may be what an undo had brought back, which was theirs.
    fn since(steps: &Steps<'_>, (class, around): (RecordClass, Around<'_>)) -> Self {
        let mut found = Self::default();
        let mut by_older: PieceMap<'_, isize> = PieceMap::default();
        for (step, by) in steps.edits.iter().zip(&steps.by) {
            if !by.is_some_and(|by| cancels_out(by, around)) {
                found.add(step);
            } else if by.is_some_and(|by| is_of_older(by, around)) {
                let counts = line_counts(step.before(), step.after());
                counts.into_iter().for_each(|(line, count)| *by_older.entry(line).or_default() += count);
            }
        }
        let is_theirs = |count: isize| count < 0 && class != RecordClass::Edit;
        found.put.extend(by_older.iter().filter(|(_, count)| **count > 0).map(|(line, _)| line.to_vec()));
        found
            .took_theirs
            .extend(by_older.iter().filter(|(_, count)| is_theirs(**count)).map(|(line, _)| line.to_vec()));
        found
    }

    /// A line that was only moved was neither taken nor put; one that went with others, or came with others, was, and so was what it was not moved to.
    fn add(&mut self, step: &Edit<'_>) {
        let (took, put) = (more(step.after(), step.before()), more(step.before(), step.after()));
        let Some(by_lines) = Edit::by_lines(step.before(), step.after()) else { return };
        let of_change = by_lines.changes().iter().map(|(_, change)| ChangedLines::of_change(&by_lines, change));
        let has_other = |lines: &ChangedLines<'_>| {
            lines.took.iter().any(|line| took.contains(line)) || lines.put.iter().any(|line| put.contains(line))
        };
        let (with_others, alone): (Vec<_>, Vec<_>) = of_change.partition(has_other);
        // One blank line is like another: beside other work it is not moved.
        let is_with = |line: &&[u8]| {
            (line.is_empty() && !with_others.is_empty())
                || with_others.iter().any(|lines| lines.put.contains(line) || lines.took.contains(line))
        };
        for lines in &with_others {
            self.took.extend(lines.took.iter().map(|line| line.to_vec()));
            self.put.extend(lines.put.iter().map(|line| line.to_vec()));
        }
        for lines in &alone {
            self.took.extend(lines.took.iter().filter(|line| is_with(line)).map(|line| line.to_vec()));
            self.put.extend(lines.put.iter().filter(|line| is_with(line)).map(|line| line.to_vec()));
        }
    }

    /// Whether they came to lines of a change of an edit that moved some: one that is not there to be moved is not put elsewhere, either. Where another
    /// one was put, the moved one is as many as before.
    fn came_to(&self, lines: &ChangedLines<'_>, moved: &HashSet<&[u8]>) -> bool {
        let is_taken =
            |line: &[u8]| self.took.contains(line) || (self.took_theirs.contains(line) && !moved.contains(line));
        let is_put = |line: &&[u8]| self.put.contains(*line) && !moved.contains(line);
        lines.put.iter().any(|line| is_taken(line)) || lines.took.iter().any(is_put)
    }
}

fn is_among(target: &Target, known: &[Arc<Known>]) -> bool {
    known.iter().any(|known| known.id == target.id)
}

/// Whether a record undid, or did again, what is of no edit since.
fn is_of_older(by: &Known, around: Around<'_>) -> bool {
    let all = around.earlier.iter().chain(around.later).map(Arc::as_ref);
    let is_later =
        |target: &Target| around.later.iter().any(|known| known.id == target.id && known.class == RecordClass::Edit);
    !by.targets.is_empty() && !in_turn(&by.targets, all).into_iter().any(is_later)
}

/// Whether a record was undone since, or undid, or did again, what is none of an edit before or after which the others are known.
fn cancels_out(by: &Known, around: Around<'_>) -> bool {
    let all = || around.earlier.iter().chain(around.later).map(Arc::as_ref);
    let is_known = |target: &&Target| is_among(target, around.earlier) || is_among(target, around.later);
    if by.targets.is_empty() {
        let mut splices = 0..by.file.splices.count();
        return !splices.is_empty() && splices.all(|n| is_undone_in_part(&by.id, around.later, |one| one == n));
    }
    // What an older undo had taken back was not there then.
    let was_there = by.class == RecordClass::Undo || by.targets.iter().all(|target| is_among(target, around.later));
    was_there && in_turn(&by.targets, all()).iter().all(is_known)
}
