//! What a caller is told beside success.
//!
//! Owns the sentences for [`Warning`]. Finds nothing.

use super::{patch, path};
use crate::dialect::Words;
use crate::git_record::GitWarning;
use crate::history::{BackupNote, Condition, HistoryError, HistoryWarning, RestoreNote, UndoNote};
use crate::id::RecordId;
use crate::path::RepoPath;
use crate::record::RecordClass;
use crate::task::{Overruled, Stronger};
use crate::transaction::{LeftAlone, Note};
use crate::warning::Warning;

/// What to do with what is kept of a damaged journal.
const REMOVE: &str = "when nobody needs it any more, remove what is kept as";
/// What to do where the index lags behind.
const LOOK: &str = "look at `git status` before the next commit";

/// What to tell the caller.
pub fn warning(warning: &Warning, words: &Words) -> String {
    match warning {
        Warning::Uncertain { edit, uncertain } => patch::uncertain(*edit, uncertain, words),
        Warning::EncodingOverruled(overruled) => encoding_overruled(overruled, words),
        Warning::Transaction(note) => transaction(note),
        Warning::GitRecord(warning) => git_record(warning),
        Warning::IndexRebuilt(chain) => {
            format!(
                "the log index of {} was damaged or out of date and is written anew; there is nothing to do",
                chain.ref_name()
            )
        }
        Warning::NotSealed(error) => {
            format!("records stay in the journal, since they cannot be sealed: {error}; `redraft fsck` tells more")
        }
        Warning::NotObserved(error) => {
            format!(
                "the edit is written, but what a program below `redraft run` did to the same files before is not recorded: {error}; \
                 look at it with `git diff`"
            )
        }
        Warning::CheckpointFailed(error) => {
            format!(
                "the edit is written, but the history could not be sealed: {error}; put that right, then run `redraft gc`"
            )
        }
        Warning::NoReceipt { path, error } => {
            format!("the edit is written, but its receipt is not: {error}; read {path} again")
        }
        Warning::UnfinishedElsewhere(journal) => format!(
            "{} has an edit that was interrupted in a worktree that is gone, so what it has is not sealed; `git worktree add` \
             makes the worktree again, and `redraft recover` there finishes it",
            journal.display()
        ),
        Warning::VerifyTimeoutCapped { asked, limit } => format!(
            "git config redraft.verifyTimeout gives a verification {} seconds at most, so it had not the {} that were asked for",
            limit.as_secs_f64(),
            asked.as_secs_f64()
        ),
        Warning::Config(setting) => format!("{setting}; set it right with `git config`"),
        Warning::History(warning) => history(warning),
        Warning::Undo(note) => undo(note),
        Warning::Restore(note) => restore(note),
        Warning::Backup(note) => backup(note),
    }
}

fn encoding_overruled(overruled: &Overruled, words: &Words) -> String {
    let Overruled { path, named, counts, by } = overruled;
    let by = match by {
        Stronger::Mark => "its byte order mark",
        Stronger::Attribute => "git's attribute working-tree-encoding",
    };
    let name = words.encoding.unwrap_or("--encoding");
    format!("{path} is {} by {by}, which counts more than {name} ({}); leave that out", counts.name(), named.name())
}

fn history(warning: &HistoryWarning) -> String {
    use HistoryWarning as W;
    let next = match warning {
        W::Unreadable(HistoryError::Damaged(_)) => "all else is as it should be, `redraft fsck` tells more",
        W::Unreadable(_) => "all else is as it should be; look at the disk",
        W::UnreadableInFetched { .. } => "all else of it is taken; run `redraft fsck` in the clone that it is of",
        W::JournalDamaged { .. } => "the next checkpoint, or `redraft gc`, keeps it aside",
        W::OldTextLost { .. } => "all else of it is recorded; put it right by hand where the edit is to be taken back",
        W::JournalCutOff(_) => "the next edit, or `redraft recover` there, keeps aside what is left of it",
        W::JournalAside(_) => "remove that file when nobody needs it any more, and it is told no longer",
        W::Mended(_) => "it is mended now, there is nothing to do",
        W::MayBeUnreviewed => "look at `git diff --staged` before you go on",
        W::MarksCancelled(_) => {
            "run `redraft hooks review` for what you have looked at, which keeps the damaged list aside"
        }
        W::NoCommits(_) => "all else is told; put that right, then try again",
        W::OtherLinesInGit(_) | W::NoLineCommits { .. } => "use `git blame` for them",
    };
    format!("{warning}; {next}")
}

fn restore(note: &RestoreNote) -> String {
    match note {
        RestoreNote::Unrecorded(path) => {
            format!(
                "{path} had changes that no record has; they are in the backup, and `redraft undo` brings them back"
            )
        }
        RestoreNote::Between { path, last, next } => {
            format!("something else changed {path} between {last} and {next}; it is as {next} found it")
        }
    }
}

fn backup(note: &BackupNote) -> String {
    match note {
        BackupNote::NotWhole { record, path, condition, is_known } => {
            let next = if *is_known {
                format!(
                    "the history has it, `redraft show {record}` shows it and `redraft undo {record}` takes the edit back"
                )
            } else {
                "the history does not have it either, so look for another copy".to_owned()
            };
            format!("{}; {next}", not_whole(path, *condition))
        }
        BackupNote::FromHistory { path, condition } => {
            let next = if *condition == Condition::Damaged {
                "use `cp` for what lies there"
            } else {
                "there is nothing to do"
            };
            let fact = not_whole(path, *condition);
            format!("{fact}, so the text that the history has was brought back; {next}")
        }
        BackupNote::Unproven(record) => format!(
            "no record tells what the backup of {record} should have, so it was brought back as it lies there; \
             look at it with `git diff`"
        ),
    }
}

fn not_whole(path: &RepoPath, condition: Condition) -> String {
    match condition {
        Condition::Gone => format!("the backup of {path} is gone"),
        _ => format!("the backup of {path} does not have the text that was replaced"),
    }
}

fn undo(note: &UndoNote) -> String {
    const NOTHING: &str = "there is nothing to do";
    const ANOTHER: &str = "name a record where another was meant";
    match note {
        UndoNote::Untouched { path, near } => untouched(path, near),
        UndoNote::Passed { path, class: RecordClass::Redo } => {
            format!("what was undone in {path} since is in place again already; {ANOTHER}")
        }
        UndoNote::Passed { path, .. } => format!("what was done to {path} since is taken back already; {ANOTHER}"),
        UndoNote::AsWanted { path, class: RecordClass::Redo } => {
            format!("what was undone in {path} is in place again already; {NOTHING}")
        }
        UndoNote::AsWanted { path, .. } => {
            format!("what was done to {path} is taken back already; {NOTHING}")
        }
        UndoNote::Staged { path, class } => staged(path, *class),
        UndoNote::DoneAgain { path, by, class: RecordClass::Redo } => {
            format!(
                "what was undone in {path} was brought back, and record {by} took it out again; `redraft undo {by}` takes that back, unless its lines were edited since"
            )
        }
        UndoNote::DoneAgain { path, by, .. } => {
            format!(
                "what was done to {path} was taken back, and record {by} did it again; `redraft undo {by}` takes that back, unless its lines were edited since"
            )
        }
        UndoNote::Renamed(path) => {
            format!("{path} was renamed since and keeps its name; move it where that is not meant")
        }
        UndoNote::RenamedAgain { was, now } => {
            format!("{was} was renamed since, and {now} keeps its name; move it where that is not meant")
        }
        UndoNote::SharedLeft(ids) => {
            format!(
                "left, as somebody else may have made it: {}; `redraft show` tells whose it may be",
                RecordId::listed(ids)
            )
        }
        UndoNote::UndosOfOthersLeft(ids) => {
            format!(
                "left, as it took other edits back, too: {}; `redraft redo` by its id brings all of it back",
                RecordId::listed(ids)
            )
        }
        UndoNote::NotInForce(why) => format!("{why}; leave it out, or see `redraft log`"),
        UndoNote::HunksTogether { hunk, others } => {
            let numbers: Vec<String> = others.iter().map(ToString::to_string).collect();
            let (show, all) = if others.len() == 1 { ("shows", "both") } else { ("show", "all") };
            let plural = if others.len() == 1 { "" } else { "s" };
            format!(
                "hunk{plural} {} {show} the same edit as hunk {hunk}, so {all} go together; name a record for the whole of it",
                numbers.join(", ")
            )
        }
    }
}

fn staged(path: &RepoPath, class: RecordClass) -> String {
    let (what, there) = match class {
        RecordClass::Redo => ("undone in", "in place again"),
        _ => ("done to", "taken back"),
    };
    format!(
        "what was {what} {path} is {there} in the file, but not in what is staged of it; stage the file as it is, or run `git restore --staged`"
    )
}

fn untouched(path: &str, near: &[String]) -> String {
    match near {
        [] => format!("no record touched {path}; leave it out, `redraft log` lists what was done"),
        near => format!("no record touched {path}; {} name that, or leave the path out", path::meant(near)),
    }
}

/// What to tell of a file that recovery left alone.
pub fn left_alone(LeftAlone { path, id, backup }: &LeftAlone) -> String {
    let old = match backup {
        Some(backup) => format!("look at it, its old version is {}", backup.display()),
        None => "look at it".to_owned(),
    };
    format!(
        "{path} was changed after the edit {id} was interrupted, so it is left as it is, while the edit's other files are \
         taken back; {old}"
    )
}

fn transaction(note: &Note) -> String {
    match note {
        Note::LeftAlone(left) => left_alone(left),
        Note::JournalCutOff { kept } => format!(
            "the journal was cut off in the middle of an entry; what was recorded there and behind it is lost; {REMOVE} {}",
            kept.display()
        ),
        Note::JournalDamaged { damage, kept: Some(kept) } => format!("{damage}; {REMOVE} {}", kept.display()),
        Note::JournalDamaged { damage, kept: None } => format!("{damage}; `redraft gc` keeps it aside"),
        Note::NotLookedAt(error) => {
            format!("the edit is written, but could not be looked at: {error}; read the files again")
        }
    }
}

fn git_record(warning: &GitWarning) -> String {
    match warning {
        GitWarning::CommitNotNoted(error) => format!(
            "the commit is made, but `redraft log` will not name it, since that could not be noted: {error}; look at the disk"
        ),
        GitWarning::HookChanges(paths) => {
            let paths: Vec<String> = paths.iter().map(ToString::to_string).collect();
            format!(
                "a git hook added changes of its own to the commit: {}; look at them in `git show`",
                paths.join(", ")
            )
        }
        GitWarning::HookChangesNotStaged(error) => {
            format!("what a hook added to the commit is not in the index: {error}; {LOOK}")
        }
        GitWarning::IndexNotUpdated(error) => {
            format!("the commit is made, but the index is not updated ({error}); run `git reset -q`")
        }
        GitWarning::IgnoredNotStaged(path) => format!(
            "{path} is not staged, since git ignores it, and its text is not kept in the history; run `git add -f` on it, if it is to be committed"
        ),
        GitWarning::StagedStays(path) => format!("what is staged of {path} stays; run `git add` or `git reset` on it"),
        GitWarning::OtherIndexNotUpdated(error) => format!("the edit is not in every index: {error}; {LOOK}"),
    }
}
