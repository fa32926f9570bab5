//! Where every line of a file comes from: a record, a git commit, or nobody that is known.
//!
//! Owns following lines back through the records, by their diffs; git's own blame tells in which commit each line
//! is that HEAD has. Takes the file as it is, uncommitted lines too.
//! Invariant: a line is given to a record only if the record's own diff adds it as it stands.
//!
//! Lines are followed from the newest record to the oldest. Through a record they go by its diff, between two records
//! (where somebody else may have changed the file) by alignment. What an undo brought back was written by somebody
//! before: such a line goes on behind the record that was undone.

use crate::git::HeadLookup;
use crate::history::error::HistoryError;
use crate::history::reader::{History, Item, Scope};
use crate::history::store::index_file::Filter;
use crate::history::warning::HistoryWarning;
use crate::id::{CommitId, RecordId};
use crate::patch::align::Alignment;
use crate::patch::diff::{differing_lines, lines_changed};
use crate::path::RepoPath;
use crate::record::RecordClass;
use crate::record::{Record, RecordFile, RecordedTexts};
use bstr::ByteSlice;
use std::collections::HashSet;

/// Where one line comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct BlamedLine {
    /// The record that wrote it.
    pub record: Option<BlamedRecord>,
    /// The git commit that it is in; without a record, the one that wrote it.
    pub commit: Option<CommitId>,
    /// With its ending.
    pub text: Vec<u8>,
}

/// The record that wrote a line.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct BlamedRecord {
    /// Its id.
    pub id: RecordId,
    /// Who made it.
    pub agent: Option<String>,
    /// When, milliseconds since 1970-01-01 UTC.
    pub time_ms: i64,
}

/// A record of the file, and its part in it.
struct Link {
    record: Record,
    file: usize,
    texts: RecordedTexts,
}

/// One line of the file on its way back.
#[derive(Clone, Copy)]
struct Walker {
    /// In the blamed text.
    line: usize,
    /// The record whose text after it is in, by its number from the newest.
    link: usize,
    /// Its line there, 0-based.
    at: usize,
}

/// Blames the text of a file as it is now.
///
/// # Errors
/// Where the history or git's objects cannot be read.
pub fn blame(history: &History<'_>, path: &RepoPath, text: &[u8]) -> Result<Vec<BlamedLine>, HistoryError> {
    let lines: Vec<&[u8]> = text.split_inclusive(|&b| b == b'\n').collect();
    let mut found: Vec<Option<BlamedRecord>> = vec![None; lines.len()];
    let mut commits: Vec<Option<CommitId>> = vec![None; lines.len()];
    by_records(history, (path, text), Newest::default(), &mut found)?;
    by_git(history, path, &mut commits)?;
    let parts = lines.into_iter().zip(found).zip(commits);
    Ok(parts.map(|((line, record), commit)| BlamedLine { record, commit, text: line.to_vec() }).collect())
}

/// For each line of a file as it is now the record that wrote it as it stands; git is not asked.
///
/// # Errors
/// Where the history cannot be read.
pub fn records_of_lines(
    history: &History<'_>,
    path: &RepoPath,
    text: &[u8],
) -> Result<Vec<Option<BlamedRecord>>, HistoryError> {
    let mut found = vec![None; text.split_inclusive(|&b| b == b'\n').count()];
    by_records(history, (path, text), Newest::default(), &mut found)?;
    Ok(found)
}

/// With which record it is begun.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Newest<'c> {
    /// One that was made where HEAD was one of these commits is left out.
    pub(super) but_on: Option<&'c HashSet<CommitId>>,
    /// So many of the file's are left out.
    pub(super) skip: usize,
}

/// Gives each line the record that wrote it as it stands.
pub(super) fn by_records(
    history: &History<'_>,
    (path, text): (&RepoPath, &[u8]),
    newest: Newest<'_>,
    found: &mut [Option<BlamedRecord>],
) -> Result<(), HistoryError> {
    let mut links: Vec<Link> = Vec::new();
    let mut walkers: Vec<Walker> = (0..found.len()).map(|line| Walker { line, link: 0, at: line }).collect();
    let mut now = text.to_vec();
    let is_old = |one: &Result<(Item, usize), HistoryError>| {
        let base = one.as_ref().ok().and_then(|(item, _)| item.record.meta.base);
        !base.zip(newest.but_on).is_some_and(|(base, later)| later.contains(&base))
    };
    for one in following(history, path)?.filter(is_old).skip(newest.skip) {
        if walkers.is_empty() {
            break;
        }
        let (item, n) = one?;
        let Some(mut record) = history.full_if_whole(&item) else { break };
        let mut texts = history.texts_if_whole(&item, &record, n);
        if let Some((file, read)) = record.files[n].readable(&texts) {
            (record.files[n], texts) = (file, read);
        }
        let Some(after) = texts.after().map(<[u8]>::to_vec) else { break };
        let link = links.len();
        // 1. Between the records: who changed the file there, git may know.
        let back = |texts: &RecordedTexts| lines_back(&now, &record.files[n], texts);
        let back = if now == after { Vec::new() } else { back(&texts) };
        step_over(&mut walkers, link, (&now, &after), &back);
        links.push(Link { record, file: n, texts });
        // 2. Through the record.
        step_through(history, &links, &mut walkers, found);
        let Some(before) = links[link].texts.before() else { break };
        now = before.to_vec();
    }
    Ok(())
}

/// The records that left a text at a path, newest first, each with its file; renames are followed to the older name.
fn following<'h>(
    history: &'h History<'_>,
    path: &RepoPath,
) -> Result<impl Iterator<Item = Result<(Item, usize), HistoryError>> + 'h, HistoryError> {
    let of = |name: &RepoPath| history.items(Scope::Own, Filter::of([name.as_bstr().as_bytes()]));
    let mut name = path.clone();
    let mut items = of(&name)?;
    Ok(std::iter::from_fn(move || {
        loop {
            let item = match items.next()? {
                Ok(item) => item,
                Err(error) => return Some(Err(error)),
            };
            let files = &item.record.files;
            let Some(n) = files.iter().position(|file| file.path == name && file.after.is_some()) else { continue };
            if let Some(from) = &files[n].from {
                name = from.clone();
                items = match of(&name) {
                    Ok(items) => items,
                    Err(error) => return Some(Err(error)),
                };
                // On behind the rename, which has both names.
                let id = item.record.id.clone();
                items.by_ref().find(|one| one.as_ref().map_or(true, |one| one.record.id == id));
            }
            return Some(Ok((item, n)));
        }
    }))
}

/// From the text that a newer record found to the one that the record `link` left, or, of the lines that are `back`, to the one that it
/// found: somebody discarded what it did to them.
fn step_over(walkers: &mut Vec<Walker>, link: usize, (now, after): (&[u8], &[u8]), back: &[Option<usize>]) {
    if now == after {
        return;
    }
    let map = line_map(now, after);
    let of = |lines: &[Option<usize>], at: usize| lines.get(at).copied().flatten();
    walkers.retain_mut(|walker| {
        if walker.link != link {
            return true;
        }
        let stays = of(&map, walker.at).map(|at| (link, at));
        let Some(place) = stays.or_else(|| of(back, walker.at).map(|at| (link + 1, at))) else { return false };
        (walker.link, walker.at) = place;
        true
    });
}

/// For every line of a text the line before a record that took it out of the file, if it is back in its place.
fn lines_back(now: &[u8], file: &RecordFile, texts: &RecordedTexts) -> Vec<Option<usize>> {
    let Some(before) = texts.before() else { return Vec::new() };
    let stayed: HashSet<usize> = lines_through(file, texts).into_iter().flatten().collect();
    line_map(now, before).into_iter().map(|line| line.filter(|line| !stayed.contains(line))).collect()
}

/// From the text after the newest of `links` to the one before it; lines that it wrote are given to it.
fn step_through(history: &History<'_>, links: &[Link], walkers: &mut Vec<Walker>, found: &mut [Option<BlamedRecord>]) {
    let number = links.len() - 1;
    let link = &links[number];
    let file = &link.record.files[link.file];
    let through = lines_through(file, &link.texts);
    let is_inverse = matches!(link.record.kind, RecordClass::Undo | RecordClass::Redo);
    let sources = if is_inverse { sources(history, link) } else { Vec::new() };
    let mut left = Vec::with_capacity(walkers.len());
    for walker in walkers.drain(..) {
        if walker.link != number {
            left.push(walker);
        } else if let Some(at) = through.get(walker.at).copied().flatten() {
            left.push(Walker { link: number + 1, at, ..walker });
        } else if is_inverse {
            let source =
                sources.iter().find_map(|source| Some((source.map.get(walker.at).copied().flatten()?, source.between)));
            left.extend(source.map(|(at, between)| Walker { link: number + 1 + between, at, ..walker }));
        } else {
            let meta = &link.record.meta;
            found[walker.line] = Some(BlamedRecord {
                id: link.record.id.clone(),
                agent: meta.agent.clone(),
                time_ms: link.record.time_ms,
            });
        }
    }
    *walkers = left;
}

/// Where lines that an undo brought back were before: in the text before a record that was undone.
struct Source {
    /// For every line after the undo its line there.
    map: Vec<Option<usize>>,
    /// The number of records of the file between the undo and that record, it counted.
    between: usize,
}

fn sources(history: &History<'_>, link: &Link) -> Vec<Source> {
    let Some(after) = link.texts.after() else { return Vec::new() };
    let source = |target: &crate::record::Target| {
        let item = history.find(target.id.as_str()).ok()?;
        let record = history.full(&item).ok()?;
        let texts = history.texts(&item, &record, target.file).ok()?;
        let texts = record.files.get(target.file)?.readable(&texts).map_or(texts, |(_, texts)| texts);
        let before = texts.into_before()?;
        let between = records_between(history, link, &record.id)?;
        Some(Source { map: line_map(after, &before), between })
    };
    link.record.meta.inverted_in(link.file).filter_map(source).collect()
}

fn records_between(history: &History<'_>, link: &Link, target: &RecordId) -> Option<usize> {
    let path = &link.record.files[link.file].path;
    let ids = following(history, path).ok()?.map_while(Result::ok).map(|(item, _)| item.record.id);
    let mut ids = ids.skip_while(|id| *id != link.record.id).skip(1);
    ids.position(|id| id == *target).map(|n| n + 1)
}

/// For every line after a record its line before; none where the record wrote it.
///
/// What the record's diff shows as added is written by it: an edit is told with lines around it that it does not change.
fn lines_through(file: &RecordFile, texts: &RecordedTexts) -> Vec<Option<usize>> {
    let (before, after) = (texts.before().unwrap_or_default(), texts.after().unwrap_or_default());
    let patch = file.patch(texts).filter(|patch| patch.result_len() == after.len());
    let changes = patch.map_or_else(|| differing_lines(before, after), |patch| lines_changed(before, &patch));
    let starts_before = line_starts(before);
    let mut shift = 0_isize;
    let mut next = changes.iter().peekable();
    let mut at = 0;
    let mut out = Vec::new();
    for line in after.split_inclusive(|&b| b == b'\n') {
        let range = at..at + line.len();
        at = range.end;
        while let Some((old, new)) = next.next_if(|(_, new)| new.end <= range.start) {
            shift += old.len() as isize - new.len() as isize;
        }
        let is_written = next.peek().is_some_and(|(_, new)| new.start < range.end && !new.is_empty());
        let start = range.start.checked_add_signed(shift).filter(|_| !is_written);
        out.push(start.and_then(|start| starts_before.binary_search(&start).ok()));
    }
    out
}

fn line_starts(text: &[u8]) -> Vec<usize> {
    let mut starts: Vec<usize> = std::iter::once(0).chain(memchr::memchr_iter(b'\n', text).map(|n| n + 1)).collect();
    if starts.last() == Some(&text.len()) {
        starts.pop();
    }
    starts
}

/// For every line of one text the line of the other that is the same one, whole.
fn line_map(from: &[u8], to: &[u8]) -> Vec<Option<usize>> {
    let starts = line_starts(to);
    let alignment = Alignment::new(from, to);
    let mut at = 0;
    from.split_inclusive(|&b| b == b'\n')
        .map(|line| {
            let range = at..at + line.len();
            at = range.end;
            let image = alignment.range(&range)?;
            let number = starts.binary_search(&image.start).ok()?;
            let end = starts.get(number + 1).copied().unwrap_or(to.len());
            (end == image.end).then_some(number)
        })
        .collect()
}

/// The commits of the lines that HEAD has, whoever wrote them.
fn by_git(history: &History<'_>, path: &RepoPath, commits: &mut [Option<CommitId>]) -> Result<(), HistoryError> {
    let HeadLookup::File(_) = history.repo().head_lookup(path)? else { return Ok(()) };
    match history.repo().blame_file(path) {
        // Where a filter changes the number of lines, nobody knows which is which; an encoding may seem to add one here.
        Ok(found) if found.len() <= commits.len() && commits.len() <= found.len() + 1 => {
            commits.iter_mut().zip(found).for_each(|(line, commit)| *line = commit);
        }
        Ok(_) => history.warn(HistoryWarning::OtherLinesInGit(path.clone())),
        Err(error) => history.warn(HistoryWarning::NoLineCommits { path: path.clone(), error }),
    }
    Ok(())
}
