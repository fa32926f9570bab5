//! What is told of a place below the root that cannot be used.
//!
//! Owns the next steps for [`WorktreeError`], and for what the operating system refuses.

use super::Explanation;
use crate::code::Reason;
use crate::dialect::Words;
use crate::worktree::{WorktreeError, io_reason};
use std::io;

/// What to tell the caller.
pub(super) fn explain(error: &WorktreeError, words: &Words) -> Explanation {
    use WorktreeError as E;
    let told = |path: &str, next: &str| Explanation::of(error.reason(), error, next).at_path(path);
    match error {
        E::DanglingLink(path) => told(path, "name the file itself"),
        E::NoSuchFile(path) => match words.create {
            Some(how) => told(path, &format!("check the path, or send {how} to create it")),
            None => told(path, "check the path"),
        },
        E::NotADirectory(path, _) => told(path, "check the path"),
        E::BadName(path, _) => told(path, "give a shorter one"),
        E::Directory(path) => told(path, "name a file in it"),
        E::SpecialFile(path, _) => told(path, "name a regular file, redraft edits nothing else"),
        E::SymlinkEscape(path) => told(path, "edit the target where it is"),
        E::GitInternals(path) => told(path, "use git itself to change them"),
        E::Submodule(path, _) => told(path, "run redraft there"),
        E::MakesRepository(path, _) => told(path, "make a repository with `git init`, or give the file another name"),
        E::Unreadable { path, source } if error.reason() == Reason::Io => system(error, path, source),
        E::Unreadable { path, .. } => told(path, "check its permissions"),
        E::Unwritable { path, unusual: Some(unusual), .. } => {
            let next = format!(
                "change that first, if the edit is wanted, or ask whether to allow it: git config --add \
                 redraft.unusualFiles {}",
                unusual.as_str()
            );
            told(path, &next)
        }
        E::Unwritable { path, unusual: None, .. } => told(path, "change that first, if the edit is wanted"),
        E::UnsupportedFile { path, unusual, .. } => {
            let allow = format!("git config --add redraft.unusualFiles {}", unusual.as_str());
            told(path, &format!("ask before you allow it: {allow}"))
        }
        E::TooLarge { path, size, limit } => told(path, "split the file, or raise git config redraft.maxFileSize")
            .with_hint("size_bytes", *size)
            .with_hint("limit_bytes", *limit),
        E::ResultTooLarge { path, size, limit } => told(path, "write less, or raise git config redraft.maxFileSize")
            .with_hint("size_bytes", *size)
            .with_hint("limit_bytes", *limit),
        E::Exists(path) => match (words.overwrite, words.create) {
            (Some(how), _) => told(path, &format!("edit it, or send {how}")),
            (None, Some(_)) => told(path, &format!("edit it: send text that stands in it as `{}`", words.old)),
            (None, None) => told(path, "move it away first, or give another path"),
        },
        E::NoReport(path) => told(path, "move it away first, or give another name"),
        E::NotEmpty { path, .. } => told(path, "name a folder that is empty, or not there yet; nothing was changed"),
        E::OthersFolder(path) => told(path, "name a folder of your own; nothing was left in this one"),
        E::ChangedWhileEditing { path, .. } => told(path, "nothing was written: read it again and send the edit again"),
        E::Io { path, source, .. } => system(error, path, source),
    }
}

/// What the operating system refused, whatever was being done.
pub(super) fn system(fact: &dyn std::error::Error, path: &str, source: &io::Error) -> Explanation {
    let reason = io_reason(source);
    let next = match reason {
        Reason::NoSpace => "make room on the disk, then send the request again",
        Reason::Unwritable => "give this user the right to write there, then send the request again",
        _ => "nothing was changed; send the request again, and look at the disk if it fails again",
    };
    Explanation::of(reason, fact, next).with_hint("path", path)
}
