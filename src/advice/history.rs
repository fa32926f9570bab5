//! What is told of what the history cannot do.
//!
//! Owns the next steps for [`HistoryError`], and the JSON of conflicts.

use super::{Explanation, excerpt, git, path, transaction, worktree};
use crate::dialect::Words;
use crate::history::{HistoryError, Nothing, Obstacle, UndoConflict};
use serde_json::{Value, json};

/// Of so many conflicts the lines are shown.
const MOST_SHOWN: usize = 4;
/// The least room that lines are worth showing in, in bytes.
const LEAST_SHOWN: usize = 60;

/// What to tell the caller.
pub(super) fn explain(error: &HistoryError, words: &Words) -> Explanation {
    use HistoryError as E;
    let told = |next: &str| Explanation::of(error.reason(), error, next);
    match error {
        E::NoneSelected(_) => told("`redraft sessions` lists the sessions, `redraft log` their records"),
        E::NoSuchRecord(name) if name.contains(['/', '.']) => {
            told("give an id that `redraft log` lists; a path is given behind `--` (or in `paths`)")
        }
        E::NoSuchRecord(_) => told("give one that `redraft log` lists"),
        E::NoSuchEnd(_) => {
            told("give ids that `redraft log` lists, or names that `git log` takes; a path is given behind `--`")
        }
        E::MixedRange { .. } => told("give two ids that `redraft log` lists, or two commits"),
        E::NotInThisWorktree(_) => {
            told("give one that `redraft log` lists; `redraft log --all` has those of others, too")
        }
        E::NothingKept { near, .. } => {
            let meant = if near.is_empty() { String::new() } else { path::meant(near) + " " };
            told(&format!(
                "{meant}give a path that `redraft log` shows, with `:/` before it where you are below the root"
            ))
        }
        E::PurgedAlready { .. } => told("there is nothing to do; `redraft log` lists the records that stay"),
        E::TextNotKept { record, .. } => {
            told(&format!("`redraft backups show {record}` lists what is kept of it outside of the history"))
        }
        E::BackupEmpty { .. } | E::BackupNotWhole { .. } => {
            told(&format!("nothing was written: {}", instead_of_backup(error)))
        }
        E::NoFileThen { record, .. } => told(&format!("`redraft show {record}` tells what became of it")),
        E::AmbiguousRecord { candidates, .. } => told("give more letters").with_hint("candidates", candidates.clone()),
        E::TurnOfSeveral { sessions, .. } => {
            told("name the session, too (--session)").with_hint("candidates", sessions.clone())
        }
        E::NothingToUndo(nothing) | E::NothingToRedo(nothing) | E::NothingToCommit(nothing) => told(&instead(nothing)),
        E::UndoConflict(conflicts) | E::RedoConflict(conflicts) | E::NotTellable(conflicts) => {
            let part = instead_of_all(error, conflicts);
            let told = told(&match conflicts.first().and_then(before_it) {
                Some(before_it) => format!("nothing was written: {before_it} first, or {part}"),
                None => format!("nothing was written: {part}"),
            });
            let below = conflict_lines(conflicts, told.room());
            let told = told.with_hint("conflicts", conflicts_json(conflicts)).with_more(&below);
            conflicts.iter().take(1).fold(told, |told, conflict| told.at_path(&conflict.path))
        }
        E::GitFailed { command, output } => {
            let fact = format!("`git {command}` failed");
            Explanation::of(error.reason(), fact, "put right what it says, then try again").with_output(output)
        }
        E::NotSent(unsent) => told(COPIED).with_more(&unsent.join("\n")),
        E::RefusedChains { refused, rewritten } => told(&instead_of_refused(rewritten)).with_more(&refused.join("\n")),
        E::Damaged(_) => told("`redraft fsck` tells more"),
        E::Io { .. } => told("try again, and look at the disk if it fails again"),
        E::Worktree(error) => worktree::explain(error, words),
        E::Repo(error) => git::explain(error),
        E::Transaction(error) => transaction::explain(error, words),
    }
}

/// What can be done where another copy of the clone sent more.
const COPIED: &str =
    "all else was exchanged, and nothing there was overwritten; if this is the copy, do as the lines below say";

/// What can be done where chains were not taken, of these clones since they were rewritten.
fn instead_of_refused(rewritten: &[String]) -> String {
    const ASK: &str = "ask whoever wrote to the remote, or remove the ref there and let its owner sync again";
    let flags: Vec<String> = rewritten.iter().map(|clone| format!("--take-rewritten {clone}")).collect();
    if flags.is_empty() {
        return format!("all else was exchanged; {ASK}");
    }
    let flags = flags.join(" ");
    format!(
        "all else was exchanged; where its owner rewrote it by `redraft purge` or `redraft gc`, sync with {flags}; else {ASK}"
    )
}

/// What can be done instead where an undo or redo does not fit as a whole.
fn instead_of_all(error: &HistoryError, conflicts: &[UndoConflict]) -> String {
    use HistoryError as E;
    let part = match error {
        // Of a file as a whole no part goes.
        E::UndoConflict(_) | E::RedoConflict(_) if conflicts.iter().all(is_of_file) => {
            "leave that file out where others were changed with it (--skip-conflicts)"
        }
        E::NotTellable(_) => "leave the files out in which that is so (--skip-conflicts)",
        E::RedoConflict(_) => "redo only the files that fit (--skip-conflicts)",
        _ => "undo only a part (--hunk, paths, --skip-conflicts)",
    };
    // Markers stand for a hunk.
    let markers = if conflicts.iter().all(|conflict| conflict.hunk.is_some()) { " or with --markers" } else { "" };
    let by_hand = conflicts.first().filter(|conflict| is_untold(conflict.why)).map(|conflict| {
        format!("edit the file yourself (`redraft show {}` tells what the record did), or ", conflict.record)
    });
    format!("{}{part}{markers}", by_hand.unwrap_or_default())
}

/// Whether the log cannot tell whose lines these are.
fn is_untold(why: Obstacle) -> bool {
    matches!(why, Obstacle::LaterNotKept | Obstacle::ManySince)
}

/// Whether the whole file is in the way.
fn is_of_file(conflict: &UndoConflict) -> bool {
    use Obstacle as O;
    matches!(
        conflict.why,
        O::Gone | O::MayBeMoved | O::ChangedSinceCreated | O::OtherFile | O::Copied | O::Taken | O::OtherKind
    )
}

/// What can be done first, so that an undo or redo fits; none where nothing helps.
fn before_it(conflict: &UndoConflict) -> Option<String> {
    use Obstacle as O;
    match (conflict.why, &conflict.changed_by) {
        (O::OfOther, Some(by)) => Some(format!("put back what record {by} wrote")),
        (O::TakenAway | O::PutByOther | O::PutAnew, Some(by)) => Some(format!("`redraft undo {by}`")),
        (O::Gone | O::MayBeMoved, _) => Some("put the file back".to_owned()),
        (O::ChangedSinceCreated, Some(by)) => Some(format!("`redraft undo {by}`")),
        (O::ChangedSinceCreated, None) => Some("put the file back as it was created".to_owned()),
        (O::OtherFile, _) => Some("give the file its name back".to_owned()),
        (O::Copied, _) => Some("give the file its name back, or move its copies out of the repository".to_owned()),
        (O::OtherKind, _) => Some(
            "take back what was made in its place (`--skip-conflicts`), then do this again for the rest".to_owned(),
        ),
        (O::Taken, _) => Some("move the other file away".to_owned()),
        (
            O::Discarded
            | O::NotKept
            | O::LaterNotKept
            | O::ManySince
            | O::TooLarge
            | O::OfOther
            | O::TakenAway
            | O::PutByOther
            | O::PutAnew
            | O::UnderOther
            | O::Ignored
            | O::OtherInHead,
            _,
        ) => None,
        (
            O::LinesChanged
            | O::NeighboursChanged
            | O::PlaceTaken
            | O::Uncertain
            | O::StandsElsewhere
            | O::PartlyTakenBack
            | O::PartlyInPlace
            | O::MayBeEdited
            | O::WordsReordered
            | O::Glued
            | O::OutOfOrder
            | O::MovedInPart,
            _,
        ) => Some("put these lines back".to_owned()),
    }
}

fn instead(nothing: &Nothing) -> String {
    match nothing {
        Nothing::NoUndoInForce => "`redraft log --kind undo` lists what was undone".to_owned(),
        Nothing::NoneFits => "`redraft log` lists what was done, and what is undone already".to_owned(),
        Nothing::Untouched { near, .. } if near.is_empty() => "`redraft log` lists what was done".to_owned(),
        Nothing::Untouched { near, .. } => format!("{} `redraft log` lists what was done", path::meant(near)),
        Nothing::OnlyShared(ids) => format!("`redraft show {}` tells whose; undo them by their ids", ids[0]),
        Nothing::InHead => "there is nothing to do; `git status` shows what is not committed".to_owned(),
        Nothing::NoUndoFits => "`redraft log --kind undo` lists what was undone".to_owned(),
        Nothing::OnlyUndosOfOthers(ids) => format!("`redraft redo {}` brings all of one back", ids[0]),
        Nothing::NotUndone(id) => {
            format!("`redraft show {id}` shows it; apply it anew, or name a record that is undone")
        }
        Nothing::Undone { by, .. } | Nothing::UndoneAnew { anew: by, .. } => {
            format!("`redraft redo {by}` brings it back, unless it is there again")
        }
        Nothing::Redone { by, .. } => format!("`redraft undo {by}` takes it out again"),
        Nothing::HunkOfUndo(_) => "name a hunk of the edit instead".to_owned(),
        Nothing::NoSuchHunk { id, .. } | Nothing::HunkUndone { id, .. } => format!("`redraft show {id}` numbers them"),
        Nothing::Staged(path) | Nothing::StagedUndone(path) => {
            format!("run `git add {path}` to stage the file as it is, or `git restore --staged {path}` to have HEAD's")
        }
        Nothing::DoneAgain { by, .. } | Nothing::TakenOutAgain { by, .. } => {
            format!("`redraft undo {by}` takes that back, unless its lines were edited since")
        }
        Nothing::RenamedAgain { .. } => "rename it yourself, if it is to have its first name".to_owned(),
        Nothing::InPaths(id) => format!("`redraft show {id}` lists its files"),
        Nothing::SameWithout(path) => {
            format!("`redraft log -- {path}` lists them; name them as well, if they are to go")
        }
        Nothing::AsBefore(_) | Nothing::CancelsOut(_) | Nothing::InPlace(_) | Nothing::AsThen(_) => {
            "there is nothing to do; `redraft log` lists what was done".to_owned()
        }
    }
}

/// What stands where a record cannot be taken back, and what it left there; of the first conflicts, in the room that there is.
fn conflict_lines(conflicts: &[UndoConflict], room: usize) -> String {
    let shown: Vec<&UndoConflict> =
        conflicts.iter().filter(|conflict| conflict.text.is_some()).take(MOST_SHOWN).collect();
    let (mut out, mut left) = (Vec::new(), room);
    for (at, conflict) in shown.iter().enumerate() {
        let share = left / (shown.len() - at);
        let path = excerpt::ends(&conflict.path, 120);
        let lines = conflict.lines.map_or(String::new(), |(first, last)| format!(", {}", excerpt::lines(first, last)));
        let now = conflict.text.as_deref().unwrap_or_default().trim_end_matches('\n');
        let was = conflict.left.as_deref().map(|left| left.trim_end_matches('\n'));
        let head = format!("{path}{lines}, as it is now:");
        let head = if now.is_empty() { format!("{path}{lines}: nothing stands there now") } else { head };
        let by = format!("as record {} left them:", conflict.record);
        let of_heads = head.len() + was.map_or(0, |_| by.len()) + 8;
        let of_text = share.saturating_sub(of_heads) / if was.is_some() { 2 } else { 1 };
        if of_text < LEAST_SHOWN && at > 0 {
            break;
        }
        let mut one = vec![head];
        one.extend((!now.is_empty()).then(|| excerpt::first_lines(now, of_text)));
        one.extend(was.into_iter().flat_map(|was| [by.clone(), excerpt::first_lines(was, of_text)]));
        let one = one.join("\n");
        left = left.saturating_sub(excerpt::json_len(&one) + 2);
        out.push(one);
    }
    out.join("\n")
}

/// What there is to do where a backup is not to be had.
fn instead_of_backup(error: &HistoryError) -> String {
    use HistoryError as E;
    match error {
        E::BackupEmpty { record, is_known: true, .. } => {
            format!("`redraft undo {record}` takes the edit back, and `redraft show {record}` has what it replaced")
        }
        E::BackupNotWhole { record, whole, .. } if !whole.is_empty() => {
            format!("name what is whole, as in `redraft backups restore {record} {}`", whole[0])
        }
        E::BackupEmpty { files, .. } if files.is_empty() => "`redraft backups list` shows the others".to_owned(),
        _ => "put it right by hand, or from another copy of it".to_owned(),
    }
}

/// As `data.conflicts[]` and `hint.conflicts[]` have it.
pub fn conflicts_json(conflicts: &[UndoConflict]) -> Value {
    Value::Array(conflicts.iter().map(conflict).collect())
}

fn conflict(conflict: &UndoConflict) -> Value {
    let UndoConflict { record, path, hunk, why, lines, text, changed_by, changed_in, .. } = conflict;
    let mut out = json!({"record": record, "path": path, "hunk": hunk, "why": why.as_str()});
    if let Some((start, end)) = lines {
        out["start_line"] = json!(start);
        out["end_line"] = json!(end);
    }
    if let Some(text) = text {
        out["text"] = json!(text);
        out["changed_by"] = json!(changed_by);
        out["commit"] = json!(changed_in);
    } else if let Some(by) = changed_by {
        out["changed_by"] = json!(by);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::RecordId;

    #[test]
    fn what_comes_first_is_said_where_something_does() {
        let first = |why, by: Option<u8>| {
            let record = RecordId::from_random([1; 8]);
            let conflict = UndoConflict::of_file(record, "a".to_owned(), why);
            before_it(&UndoConflict { changed_by: by.map(|seed| RecordId::from_random([seed; 8])), ..conflict })
        };
        let by = RecordId::from_random([2; 8]);
        assert_eq!(first(Obstacle::TakenAway, Some(2)), Some(format!("`redraft undo {by}`")));
        assert_eq!(first(Obstacle::OfOther, Some(2)), Some(format!("put back what record {by} wrote")));
        let said = |why| first(why, None).unwrap_or_default();
        assert_eq!(said(Obstacle::Gone), "put the file back");
        assert_eq!(said(Obstacle::ChangedSinceCreated), "put the file back as it was created");
        assert_eq!(said(Obstacle::OtherFile), "give the file its name back");
        assert_eq!(said(Obstacle::Taken), "move the other file away");
        assert_eq!(said(Obstacle::LinesChanged), "put these lines back");
        for why in
            [Obstacle::Discarded, Obstacle::NotKept, Obstacle::TooLarge, Obstacle::TakenAway, Obstacle::UnderOther]
        {
            assert_eq!(first(why, None), None, "{why:?}");
        }
    }
}
