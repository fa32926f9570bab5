//! Looking through directories for a name that is like another.
//!
//! Owns the order, nearest directories first and those of dependencies and builds last, and what counts as like.

use super::search::{MOST, MOST_ENTRIES, Search, fold};
use crate::path::RepoPath;
use bstr::ByteSlice;
use rapidfuzz::distance::{jaro_winkler, osa};
use std::cell::Cell;
use std::collections::VecDeque;
use std::fs::{self, FileType};

/// Directories with many files that nobody edits.
const LAST: &[&str] = &["node_modules", "target", "dist", "build", "vendor", "venv", ".venv", "__pycache__"];
/// So many letters may be wrong in a name of eight and more; half as many in a shorter one.
const MOST_SLIPS: usize = 2;

/// The entries of one directory: those that have a name in UTF-8, without git's own.
fn entries(search: &Search<'_>, dir: Option<&RepoPath>, left: &Cell<usize>) -> Vec<(String, FileType)> {
    let path = dir.map_or_else(|| search.root.path().to_owned(), |dir| search.root.path().join(dir.to_path()));
    let mut out = Vec::new();
    for entry in fs::read_dir(path).into_iter().flatten().flatten() {
        let Some(now) = left.get().checked_sub(1).filter(|now| now % 64 != 0 || (search.go_on)()) else { return out };
        left.set(now);
        let (Ok(name), Ok(kind)) = (entry.file_name().into_string(), entry.file_type()) else { continue };
        if name == ".git" {
            // Another repository begins here, unless it is the root.
            if dir.is_some() {
                return Vec::new();
            }
            continue;
        }
        out.push((name, kind));
    }
    out.sort_unstable_by(|a, b| a.0.cmp(&b.0));
    out
}

fn child(dir: Option<&RepoPath>, name: &str) -> Option<RepoPath> {
    RepoPath::new(name.as_bytes()).ok().map(|name| name.below(dir))
}

/// The path whose components are those of `path` but for case, Unicode form, and what stands between words.
pub(super) fn folded(search: &Search<'_>, path: &RepoPath) -> Option<RepoPath> {
    let left = Cell::new(MOST_ENTRIES);
    let mut at: Option<RepoPath> = None;
    for part in path.components() {
        let (name, want) = (part.to_str().ok()?, fold(part.to_str().ok()?));
        let all = entries(search, at.as_ref(), &left);
        let same =
            all.iter().find(|(other, _)| other == name).or_else(|| all.iter().find(|(other, _)| fold(other) == want));
        at = Some(child(at.as_ref(), &same?.0)?);
    }
    at
}

/// The files that are most like a path, in the directories around it and then in all.
pub(super) fn ranked(search: &Search<'_>, path: &RepoPath) -> Vec<RepoPath> {
    let Ok(want) = path.as_bstr().to_str() else { return Vec::new() };
    let left = Cell::new(MOST_ENTRIES);
    let mut best: Vec<(f64, RepoPath)> = Vec::new();
    let mut queue: VecDeque<Option<RepoPath>> = VecDeque::from([search.below.cloned()]);
    while let Some(dir) = queue.pop_front() {
        if left.get() == 0 || !(search.go_on)() {
            break;
        }
        for (name, kind) in entries(search, dir.as_ref(), &left) {
            let Some(found) = child(dir.as_ref(), &name) else { continue };
            if kind.is_dir() {
                let is_on_the_way = path.is_below(&found);
                match LAST.contains(&name.as_str()) && !is_on_the_way {
                    true => queue.push_back(Some(found)),
                    false if is_on_the_way => queue.push_front(Some(found)),
                    false => queue.insert(first_of_the_last(&queue), Some(found)),
                }
            } else if let Some(score) = likeness(want, &found) {
                best.push((score, found));
                if best.len() > 4 * MOST {
                    keep_best(&mut best);
                }
            }
        }
    }
    keep_best(&mut best);
    best.into_iter().map(|(_, path)| path).collect()
}

/// Where the directories begin that come last.
fn first_of_the_last(queue: &VecDeque<Option<RepoPath>>) -> usize {
    let is_last = |dir: &Option<RepoPath>| {
        dir.as_ref().is_some_and(|dir| dir.components().any(|part| LAST.iter().any(|last| part == *last)))
    };
    queue.partition_point(|dir| !is_last(dir))
}

fn keep_best(best: &mut Vec<(f64, RepoPath)>) {
    best.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    best.truncate(2 * MOST);
}

/// How like a file's path is to another, where its name is like at all.
fn likeness(want: &str, found: &RepoPath) -> Option<f64> {
    let found = found.as_bstr().to_str().ok()?;
    let name = |path: &str| path.rsplit('/').next().unwrap_or_default().to_owned();
    let (ours, theirs) = (fold(&name(want)), fold(&name(found)));
    let of_name = if ours == theirs { 1.0 } else { like_names(&ours, &theirs)? };
    let parts = |path: &str| path.rsplit('/').map(fold).collect::<Vec<_>>();
    let same = parts(want).iter().zip(&parts(found)).take_while(|(a, b)| a == b).count();
    let whole = jaro_winkler::similarity(fold(want).chars(), fold(found).chars());
    #[allow(clippy::cast_precision_loss, reason = "a path has few components")]
    let of_end = same as f64 * 0.2;
    Some(of_name + of_end + 0.5 * whole)
}

/// How like two names are that are not the same: a few slips of letters, or another ending of the same name.
fn like_names(ours: &str, theirs: &str) -> Option<f64> {
    let stem = |name: &str| name.rsplit_once('.').map_or(name, |(stem, _)| stem).to_owned();
    if stem(ours) == stem(theirs) && !stem(ours).is_empty() {
        return Some(0.8);
    }
    let (long, most) = (ours.chars().count().max(theirs.chars().count()), MOST_SLIPS);
    let most = if long < 8 { most / 2 } else { most };
    let slips = osa::distance(ours.chars(), theirs.chars());
    #[allow(clippy::cast_precision_loss, reason = "a name has few letters")]
    (slips <= most && long > 3).then_some(0.9 - 0.1 * slips as f64)
}
