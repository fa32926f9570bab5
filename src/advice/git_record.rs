//! What is told of an edit that cannot be recorded in git.
//!
//! Owns the next steps for [`GitRecordError`], and how lines of the user that are in the way are shown.

use super::{Explanation, git, policy, worktree};
use crate::dialect::Words;
use crate::git_record::{Contradiction, GitRecordError, UserLines};
use crate::request::RecordKind;
use serde_json::{Value, json};

/// So many lines in the way are shown.
const SHOWN: usize = 5;

/// What to tell the caller.
pub(super) fn explain(error: &GitRecordError, words: &Words) -> Explanation {
    use GitRecordError as E;
    let told = |next: &str| Explanation::of(error.reason(), error, next);
    let instead = format!("send the edit with {}", record(words, RecordKind::History));
    match error {
        E::DoesNotFit { path, lines, .. } => {
            let next = format!("nothing was written: commit or undo those changes first, or {instead}");
            with_lines(told(&next).at_path(path), lines)
        }
        E::NotCommittable { path, .. } => {
            told("nothing was written: commit or undo what others did there first, or leave the file out (`-- PATH`)")
                .at_path(path)
        }
        E::AlreadyThere { paths } => {
            let path = paths.first().map_or("", String::as_str);
            let next = "nothing was written, and there is nothing to commit: take it over with `git checkout HEAD -- PATH` \
                        where no other change would be lost";
            told(&format!("{next}, or {instead}")).at_path(path)
        }
        E::AlreadyUnstaged(path) => {
            told("nothing was written: `git add -p` stages it, or edit without --index").at_path(path)
        }
        E::UnstagedOverlap { path, lines, .. } => {
            with_lines(told("nothing was written: stage them, or edit without --index").at_path(path), lines)
        }
        E::Unmerged(path) => told(&format!("resolve them and `git add` it, or {instead}")).at_path(path),
        E::Operation(name) => {
            told(&format!("finish it (or `git {name} --abort`), or {instead}")).with_hint("operation", *name)
        }
        E::InOperation(name) => {
            told(&format!("nothing was written: finish it (or `git {name} --abort`)")).with_hint("operation", *name)
        }
        E::HeadMoved => told("nothing was written: send it again"),
        E::Unborn => told(&format!("make one first, or {instead}")),
        E::Hook(output) => told("do what it asks for, or pass --no-verify").with_output(output),
        E::RefNotMoved(output) => {
            told(&format!("look at the disk and at who may write to the git directory, or {instead}"))
                .with_output(output)
        }
        E::Signing(output) => {
            told(&format!("put signing right and send the edit again, or {instead}")).with_output(output)
        }
        E::BadAuthor(_) => told("give it so with --author"),
        E::BadMessage => told("leave it out of `message`"),
        E::Contradictory(contradiction) => told(&contradictory(*contradiction, words)),
        E::Filtered(path) => told("edit the file and `git add` it").at_path(path),
        E::Program(_) => told("check which git runs here, then send the edit again"),
        E::Repo(error) => git::explain(error),
        E::Finding(error) => policy::explain(error, words),
        E::Worktree(error) => worktree::explain(error, words),
        E::Io { .. } => told("send the request again, and look at the disk if it fails again"),
    }
}

/// How a caller says where an edit is to be recorded.
fn record(words: &Words, kind: RecordKind) -> String {
    match words.record {
        Some(key) => format!("{key}: {}", kind.as_str()),
        None => format!("--record {}", kind.as_str()),
    }
}

fn contradictory(what: Contradiction, words: &Words) -> String {
    match what {
        Contradiction::ShelveElsewhere => {
            format!("leave --shelve out, or ask for {}", record(words, RecordKind::Stash))
        }
        Contradiction::AuthorWithoutCommit => {
            format!("leave --author out, or ask for {}", record(words, RecordKind::Commit))
        }
        Contradiction::NotesOfPeople => "leave --ref out, or give another ref".to_owned(),
        Contradiction::IndexAndCommit => {
            format!("leave --index out, or ask for {}", record(words, RecordKind::History))
        }
    }
}

fn with_lines(told: Explanation, lines: &[UserLines]) -> Explanation {
    let shown = lines.iter().take(SHOWN).map(|l| {
        json!({"edit": l.edit, "start_line": l.start_line, "end_line": l.end_line, "text": l.text, "in_git": l.committed})
    });
    let told = told.with_hint("lines", Value::Array(shown.collect()));
    let Some(first) = lines.first() else { return told };
    let in_words = lines.iter().take(SHOWN).map(|l| {
        let [text, committed] = as_told(&l.text, &l.committed);
        format!("line {} in the working tree:\n{text}\nin git:\n{committed}", l.start_line)
    });
    told.at_edit(first.edit).with_more(&in_words.collect::<Vec<_>>().join("\n"))
}

/// Two versions of lines, without white space behind them; where that is all that differs, it is named.
fn as_told(text: &str, committed: &str) -> [String; 2] {
    let differ_in_ends = text != committed && text.trim_end() == committed.trim_end();
    [text, committed].map(|lines| {
        let bare = lines.trim_end();
        if !differ_in_ends {
            return bare.to_owned();
        }
        let end = match &lines[bare.len()..] {
            "" => "no line ending".to_owned(),
            end => format!("{end:?} at its end"),
        };
        format!("{bare} ({end})")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_differ_at_their_end_alone_are_told_with_it() {
        assert_eq!(as_told("z\n", "y\n"), ["z", "y"]);
        assert_eq!(as_told("z\n", "z"), ["z (\"\\n\" at its end)", "z (no line ending)"]);
        assert_eq!(as_told("z\r\n", "z\n"), ["z (\"\\r\\n\" at its end)", "z (\"\\n\" at its end)"]);
        assert_eq!(as_told("", ""), ["", ""]);
    }
}
