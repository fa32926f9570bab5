//! The files of the working tree, and what git has of them, as an undo looks at them.
//!
//! Owns how they are read. What they mean for an undo is the history's affair.

use crate::error::Error;
use crate::flow::Flow;
use crate::git::{ChangedFile, Filters, GitForm, IndexLookup, Repo};
use crate::history::{Files, Listed, Misfits, Slot, UndoPlan};
use crate::id::BlobId;
use crate::path::RepoPath;
use crate::policy::Settings;
use crate::record::{Record, RecordClass};
use crate::worktree::{Root, WorktreeError};
use bstr::ByteSlice;
use std::collections::BTreeSet;
use std::time::UNIX_EPOCH;

/// Lets the history look at the files of the working tree.
///
/// # Errors
/// Where the root cannot be opened.
pub(super) fn looked_at<T>(repo: &Repo, settings: &Settings, then: impl FnOnce(&Files<'_>) -> T) -> Result<T, Error> {
    let root = Flow::open_root_of(repo, settings)?;
    let files = Files {
        read: &|path| or_none(read(&root, path)),
        is_of_other_kind: &|path| read(&root, path).is_err_and(|error| is_of_other_kind(&error)),
        leads_elsewhere: &|path| leads_elsewhere(&root, path),
        mode: &|path| mode_of(repo, path),
        changed_at: &|path| changed_at(repo, path),
        list: &|| list(repo),
        was_tracked: &|record, path| was_tracked(repo, record, path),
        had: &|record, path| had(repo, record, path),
        changed_since: &|record| changed_since(repo, record),
        lost_since: &|record| lost_since(repo, record),
        in_head: &|path| Some(repo.head_entry(path).ok()??.id),
        is_tracked: &|path| repo.is_in_index(path).unwrap_or(false),
        is_ignored: &|path| repo.is_ignored(path).unwrap_or(false),
        staged: &|path| staged_alone(repo, path),
    };
    Ok(then(&files))
}

/// The text of a file; none where there is none. What a symbolic link leads to, at its path or on the way, is another file:
/// records have the paths of files without links.
pub(super) fn read(root: &Root, path: &RepoPath) -> Result<Option<Vec<u8>>, WorktreeError> {
    let place = root.place(path)?;
    if place.path != *path {
        return Ok(None);
    }
    Ok(root.read(&place)?.map(|found| found.bytes))
}

/// Whether that a file cannot be read is because a folder stands at its path, or a file on the way to it.
fn is_of_other_kind(error: &WorktreeError) -> bool {
    matches!(error, WorktreeError::Directory(_) | WorktreeError::NotADirectory(..))
}

/// No file, where another kind of thing is in its place.
fn or_none(found: Result<Option<Vec<u8>>, WorktreeError>) -> Result<Option<Vec<u8>>, WorktreeError> {
    found.or_else(|error| if is_of_other_kind(&error) { Ok(None) } else { Err(error) })
}

/// Whether a symbolic link stands at a path, or on the way to it.
pub(super) fn leads_elsewhere(root: &Root, path: &RepoPath) -> bool {
    root.place(path).is_ok_and(|place| place.path != *path)
}

/// Refuses a path at which a symbolic link stands, or on the way to it: what is written there is another file.
///
/// # Errors
/// [`WorktreeError::Unwritable`].
pub(super) fn refuse_link(root: &Root, path: &RepoPath) -> Result<(), WorktreeError> {
    let why = "a symbolic link stands there, or on the way, which leads to another file";
    let refusal = || WorktreeError::Unwritable { path: path.to_string_lossy(), why, unusual: None };
    if leads_elsewhere(root, path) { Err(refusal()) } else { Ok(()) }
}

/// The regular files below the root; none where there are too many to look at. Other repositories are not looked into.
fn list(repo: &Repo) -> Listed {
    const MOST: usize = 50_000;
    let mut folders = vec![repo.root().to_owned()];
    let (mut found, mut seen) = (Vec::new(), 0);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).ok()?.filter_map(Result::ok) {
            seen += 1;
            let Ok(meta) = entry.metadata() else { continue };
            let path = entry.path();
            if seen > MOST {
                return None;
            } else if meta.is_dir() && entry.file_name() != ".git" && !path.join(".git").exists() {
                folders.push(path);
            } else if meta.is_file() {
                let below = path.strip_prefix(repo.root()).ok().and_then(<[u8]>::from_path);
                found.extend(below.and_then(|below| Some((RepoPath::new(below).ok()?, meta.len()))));
            }
        }
    }
    found.sort();
    Some(found)
}

/// Where the commit that a record was made on is gone, or what it had cannot be told, HEAD says it.
fn was_tracked(repo: &Repo, record: &Record, path: &RepoPath) -> bool {
    let Some(base) = record.meta.base else { return false };
    let found = repo.entry_in(base, path).or_else(|_| repo.head_entry(path));
    found.map_or(true, |entry| entry.is_some())
}

/// What git had of a file when a record was made.
fn had(repo: &Repo, record: &Record, path: &RepoPath) -> Option<Vec<u8>> {
    let had = repo.entry_in(record.meta.base?, path).ok()??;
    repo.checked_out(path, had.id, Filters::Skip).ok()
}

/// So many files are read that are otherwise than when a record was made.
const MOST_CHANGED: usize = 512;

/// The files that git had when a record was made and that are otherwise now, or gone, with what it had.
fn changed_since(repo: &Repo, record: &Record) -> Vec<(RepoPath, Vec<u8>)> {
    let changed = record.meta.base.and_then(|base| repo.changed_since(base).ok()).unwrap_or_default();
    texts_of(repo, changed.into_iter())
}

/// The files that HEAD has, that git did not have when a record was made, and that are gone, with what HEAD has.
fn lost_since(repo: &Repo, record: &Record) -> Vec<(RepoPath, Vec<u8>)> {
    let head = repo.head_id().ok().flatten().filter(|head| record.meta.base.is_some_and(|base| base != *head));
    let changed = head.and_then(|head| repo.changed_since(head).ok()).unwrap_or_default();
    let is_lost = |file: &ChangedFile| {
        let path = file.from.as_ref().unwrap_or(&file.path);
        (file.from.is_some() || file.new.is_none()) && !was_tracked(repo, record, path)
    };
    texts_of(repo, changed.into_iter().filter(is_lost))
}

/// So many of some files, with what git has of them.
fn texts_of(repo: &Repo, files: impl Iterator<Item = ChangedFile>) -> Vec<(RepoPath, Vec<u8>)> {
    let had = files.take(MOST_CHANGED).flat_map(|file| {
        let path = file.from.unwrap_or(file.path);
        // Where something is staged, git tells of the index as well.
        let old: BTreeSet<BlobId> = file.old.into_iter().flatten().collect();
        old.into_iter().filter_map(move |old| Some((path.clone(), repo.checked_out(&path, old, Filters::Skip).ok()?)))
    });
    had.collect()
}

/// What is staged of a file, as git checks it out without a filter's program, if HEAD has something else.
fn staged_alone(repo: &Repo, path: &RepoPath) -> Option<Vec<u8>> {
    let IndexLookup::Entry(entry) = repo.read_index(&repo.index_path()).ok()?.lookup(path) else { return None };
    let is_in_head = repo.head_entry(path).ok()?.is_some_and(|head| head.id == entry.id);
    if is_in_head || entry.intent_to_add {
        return None;
    }
    let text = repo.checked_out(path, entry.id, Filters::Skip).ok()?;
    (!matches!(repo.git_form(path, &text), Ok(GitForm::Filtered))).then_some(text)
}

/// So many files are looked for in the index.
const MOST_STAGED: usize = 64;

/// The files of which what an undo took back is staged still: the next commit would bring it. The index, which may be large, is
/// read only where it was written since the records were.
pub(super) fn still_staged(repo: &Repo, plan: &UndoPlan) -> Vec<RepoPath> {
    let written = std::fs::metadata(repo.index_path()).and_then(|meta| meta.modified());
    let written = written.ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok()).map_or(0, |time| time.as_millis());
    let since = plan.undone.iter().map(|record| record.time_ms).min();
    if plan.class != RecordClass::Undo || since.is_none_or(|since| i128::from(since) > written as i128) {
        return Vec::new();
    }
    let of_slot = |slot: &Slot| {
        let now = slot.now.as_ref().filter(|now| slot.disk.as_ref() != Some(now) && is_staged_to_go(repo, now));
        now.or_else(|| slot.disk.as_ref().filter(|path| stands_in_index_alone(repo, slot, path))).cloned()
    };
    plan.slots.iter().take(MOST_STAGED).filter_map(of_slot).collect()
}

/// Whether HEAD has a file that the index has not.
fn is_staged_to_go(repo: &Repo, path: &RepoPath) -> bool {
    let is_in_head = repo.head_entry(path).is_ok_and(|head| head.is_some());
    is_in_head
        && repo.read_index(&repo.index_path()).is_ok_and(|index| matches!(index.lookup(path), IndexLookup::Missing))
}

/// Whether what is taken back of a file stands in what is staged of it and not in HEAD: a commit that has it is told elsewhere.
fn stands_in_index_alone(repo: &Repo, slot: &Slot, path: &RepoPath) -> bool {
    let stands_in = |text: &Vec<u8>| {
        slot.replay(Some(text), Misfits::Refused).is_ok_and(|outcome| outcome.text.as_ref() != Some(text))
    };
    let head = || repo.checked_out(path, repo.head_entry(path).ok()??.id, Filters::Skip).ok();
    staged_alone(repo, path).is_some_and(|staged| stands_in(&staged) && !head().is_some_and(|head| stands_in(&head)))
}

/// The Unix permission bits of a file.
#[cfg(unix)]
pub(super) fn mode_of(repo: &Repo, path: &RepoPath) -> Option<u32> {
    use std::os::unix::fs::PermissionsExt;
    let meta = std::fs::metadata(repo.root().join(path.to_path())).ok()?;
    Some(meta.permissions().mode() & 0o7777)
}

/// When the status of a file changed last, or earlier where its text is older: that of a file that redraft wrote is hardly older than the
/// record, however long that took. A file system that counts in whole seconds, or in pairs of them, rounds down.
#[cfg(unix)]
fn changed_at(repo: &Repo, path: &RepoPath) -> Option<i64> {
    use std::os::unix::fs::MetadataExt;
    const COARSE_MS: i64 = 2_000;
    const MOST_WRITTEN_BEFORE_MS: i64 = 30_000;
    let meta = std::fs::symlink_metadata(repo.root().join(path.to_path())).ok()?;
    let in_ms = |seconds: i64, nanoseconds: i64| {
        let rounded = if nanoseconds == 0 { COARSE_MS } else { 0 };
        seconds.checked_mul(1_000)?.checked_add(nanoseconds / 1_000_000 + 1 + rounded)
    };
    let changed = in_ms(meta.ctime(), meta.ctime_nsec())?;
    let written = in_ms(meta.mtime(), meta.mtime_nsec())?;
    Some(changed.min(written.checked_add(MOST_WRITTEN_BEFORE_MS)?))
}

#[cfg(not(unix))]
fn changed_at(_: &Repo, _: &RepoPath) -> Option<i64> {
    None
}

#[cfg(not(unix))]
pub(super) fn mode_of(_: &Repo, _: &RepoPath) -> Option<u32> {
    None
}
