//! Which record wrote each line of a text of a file.
//!
//! Owns following lines back through the records, from the newest to the oldest; git is not asked. Through a record they go by its
//! diff, between two records (where somebody else may have changed the file) by alignment; but a text that an older record left, or
//! found, is that one again, whatever was done since: somebody discarded it, or restored the file. What an undo brought back was written by somebody before:
//! such a line goes on behind the record that was undone. Under which names a file has records `records_of_file` tells.
//! Invariant: a line is given to a record only if the record's own diff adds it as it stands; and a bracket or a blank line above which somebody changed
//! the lines, only with a line of words that came with it.

use super::line_maps::{line_map, lines_through};
use super::lines_back::{are_below_the_same, came, in_company, lines_back, lines_of_head};
use super::records_of_file::following;
use crate::change::PathState;
use crate::git::blob_id;
use crate::history::error::HistoryError;
use crate::history::in_force::Whose;
use crate::history::reader::{History, Item};
use crate::id::{BlobId, CommitId, RecordId};
use crate::path::RepoPath;
use crate::record::{Record, RecordClass, RecordFile, RecordedTexts};
use crate::text::{has_word, split_lines};
use std::collections::{HashSet, VecDeque};

/// A text is looked for in so many older records.
const MOST_AHEAD: usize = 256;

/// Lines that were restored among somebody's own are looked for in so many texts, all together.
const MOST_RESTORED: usize = 64;

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

/// Whose text it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Of {
    /// The file as it is now.
    #[default]
    Tree,
    /// A commit's.
    Commit,
}

/// With which record it is begun.
#[derive(Clone, Copy, Default)]
pub(super) struct Newest<'c> {
    /// Whose text it is that is asked about.
    pub(super) of: Of,
    /// Those that are left out, for they cannot have written any of it.
    pub(super) but: Option<&'c dyn Fn(&Item) -> bool>,
    /// So many of the file's are left out.
    pub(super) skip: usize,
    /// Whose they are.
    pub(super) whose: Whose,
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
    /// Whether somebody changed what stands right above it, and no record tells that.
    is_led_past: bool,
}

/// A record that was read, before it is gone through.
struct Step<'a> {
    /// Its number from the newest.
    link: usize,
    /// What the newer one found, and what it left.
    texts: (&'a [u8], &'a [u8]),
    /// Its part in the file.
    of: (&'a RecordFile, &'a RecordedTexts),
    /// What HEAD was when the record was made, where it was that up to the newer text; none where it was not, or that is not known.
    base: Option<Option<CommitId>>,
}

/// Gives each line the record that wrote it as it stands.
pub(super) fn by_records(
    history: &History<'_>,
    (path, text): (&RepoPath, &[u8]),
    newest: Newest<'_>,
    found: &mut [Option<BlamedRecord>],
) -> Result<(), HistoryError> {
    let mut records = Records { rest: meant(history, path, newest)?, read: VecDeque::new() };
    let mut links: Vec<Link> = Vec::new();
    let mut way = Way {
        walkers: (0..found.len()).map(|line| Walker { line, link: 0, at: line, is_led_past: false }).collect(),
        landed: Vec::new(),
        texts_left: MOST_RESTORED,
    };
    let head = || head_text(history, path).filter(|_| newest.of == Of::Tree);
    let mut now = text.to_vec();
    while !way.is_over() {
        let Some((item, n)) = records.next()? else { break };
        let Some(mut record) = history.full_if_whole(&item) else { break };
        let mut texts = history.texts_if_whole(&item, &record, n);
        let is_restored = is_restored(history, (&record, n), &texts);
        if let Some((file, read)) = record.files[n].readable(&texts) {
            (record.files[n], texts) = (file, read);
        }
        let (is_deletion, is_creation) = (record.files[n].after.is_none(), record.files[n].before.is_none());
        let Some(after) = texts.after().or(is_deletion.then_some(&[])).map(<[u8]>::to_vec) else { break };
        let link = links.len();
        // 1. Between the records: who changed the file there, git may know.
        let base = base_since(history, newest.of, links.last()).filter(|base| *base == record.meta.base);
        let step = Step { link, texts: (&now, &after), of: (&record.files[n], &texts), base };
        let lost = way.step_over(&step, &mut records, &head)?;
        way.put_restored(history, lost, &step, &mut records)?;
        let mut is_older_text = || Ok::<_, HistoryError>(records.place_of(&after, &step)?.is_some());
        if is_restored || (record.kind == RecordClass::External && is_older_text()?) {
            way.pass_by(&step, &mut records)?;
        }
        links.push(Link { record, file: n, texts });
        // 2. Through the record.
        let between = |id: &RecordId| records.until(id);
        let sources = sources(history, &links[link], between)?;
        step_through(&links, &sources, &mut way.walkers, found);
        let Some(before) = links[link].texts.before().or(is_creation.then_some(&[])) else { break };
        now = before.to_vec();
    }
    Ok(())
}

/// The records of a file with which such a walk is begun, newest first, each with its file.
pub(super) fn meant<'h>(
    history: &'h History<'_>,
    path: &RepoPath,
    newest: Newest<'h>,
) -> Result<impl Iterator<Item = Result<(Item, usize), HistoryError>> + 'h, HistoryError> {
    let may_be = move |one: &Result<(Item, usize), HistoryError>| {
        let item = one.as_ref().ok().map(|(item, _)| item);
        !item.zip(newest.but).is_some_and(|(item, is_left_out)| is_left_out(item))
    };
    Ok(following(history, path, newest.whose)?.filter(may_be).skip(newest.skip))
}

/// What HEAD was when a newer record met the file, or is, where the file is as it is now; none where that is not known, as of a commit's text.
fn base_since(history: &History<'_>, of: Of, newer: Option<&Link>) -> Option<Option<CommitId>> {
    match newer {
        Some(link) => Some(link.record.meta.base),
        None if of == Of::Tree => history.repo().head_id().ok(),
        None => None,
    }
}

/// Whether a record left a file, which was another one before, just as HEAD had it: with `git checkout`, say.
fn is_restored(history: &History<'_>, (record, n): (&Record, usize), texts: &RecordedTexts) -> bool {
    let (file, is_edit) = (&record.files[n], matches!(record.kind, RecordClass::Edit | RecordClass::External));
    let Some(base) = record.meta.base else { return false };
    if !is_edit || file.from.is_some() || file.before == file.after || file.state == Some(PathState::Clean) {
        return false;
    }
    let Ok(Some(had)) = history.repo().entry_in(base, &file.path) else { return false };
    // What git would store for the text is noted when the record is sealed.
    let stored = || {
        let left = texts.after()?;
        history.repo().git_form(&file.path, left).ok()?.id(left).or(file.after)
    };
    file.git_after.or_else(stored) == Some(had.id)
}

/// The text that HEAD has of a file.
fn head_text(history: &History<'_>, path: &RepoPath) -> Option<Vec<u8>> {
    let entry = history.repo().head_entry(path).ok()??;
    history.repo().blob(&entry.id).ok()
}

/// The records of a file, newest first, some of them read before it is their turn.
struct Records<I> {
    rest: I,
    read: VecDeque<(Item, usize)>,
}

impl<I: Iterator<Item = Result<(Item, usize), HistoryError>>> Records<I> {
    fn next(&mut self) -> Result<Option<(Item, usize)>, HistoryError> {
        self.read.pop_front().map_or_else(|| self.rest.next().transpose(), |one| Ok(Some(one)))
    }

    /// The one that comes after so many others, which all stay.
    fn ahead(&mut self, n: usize) -> Result<Option<&(Item, usize)>, HistoryError> {
        while self.read.len() <= n {
            let Some(one) = self.rest.next().transpose()? else { break };
            self.read.push_back(one);
        }
        Ok(self.read.get(n))
    }

    /// How many there are to a record, it counted, if it is among them.
    fn until(&mut self, id: &RecordId) -> Result<Option<usize>, HistoryError> {
        let mut n = 0;
        while let Some((item, _)) = self.ahead(n)? {
            n += 1;
            if item.record.id == *id {
                return Ok(Some(n));
            }
        }
        Ok(None)
    }

    /// Where a text is that was there before, which the record of this step did not leave: as the record of that number left it, or
    /// found it.
    fn place_of(&mut self, text: &[u8], step: &Step<'_>) -> Result<Option<Place>, HistoryError> {
        let id = blob_id(text);
        let is_it = |ids: [Option<BlobId>; 2]| ids.contains(&Some(id));
        let found = |file: &RecordFile| is_it([file.before, file.git_before]);
        if found(step.of.0) {
            return Ok(Some(Place::Found(step.link)));
        }
        for n in 0..MOST_AHEAD {
            let Some((item, file)) = self.ahead(n)? else { break };
            let (file, link) = (&item.record.files[*file], step.link + 1 + n);
            if is_it([file.after, file.git_after]) {
                return Ok(Some(Place::Left(link)));
            } else if found(file) {
                return Ok(Some(Place::Found(link)));
            }
        }
        Ok(None)
    }
}

/// Which text of the log one is.
#[derive(Clone, Copy)]
enum Place {
    /// The one that the record of this number found.
    Found(usize),
    /// The one that it left.
    Left(usize),
}

/// The lines on their way.
struct Way {
    /// Those before the record whose turn it is, or in the text that an older one's next found.
    walkers: Vec<Walker>,
    /// Those that are in the text that an older record left already.
    landed: Vec<Walker>,
    /// In so many texts restored lines may be looked for still.
    texts_left: usize,
}

impl Way {
    fn is_over(&self) -> bool {
        self.walkers.is_empty() && self.landed.is_empty()
    }

    /// From the text that a newer record found to the one that this one left, or, of the lines that are back, to the one that it found;
    /// or to the one that an older record left or found, if that is the text again, or HEAD's, which has the line. Gives those that are in none.
    fn step_over<I: Iterator<Item = Result<(Item, usize), HistoryError>>>(
        &mut self,
        step: &Step<'_>,
        records: &mut Records<I>,
        head: &dyn Fn() -> Option<Vec<u8>>,
    ) -> Result<Vec<Walker>, HistoryError> {
        let (now, after) = step.texts;
        let mut lost = Vec::new();
        let is_here = |walker: &Walker| walker.link == step.link;
        let (here, others): (Vec<Walker>, Vec<Walker>) = self.walkers.drain(..).partition(is_here);
        self.walkers = others;
        if now == after || here.is_empty() {
            self.walkers.extend(here);
        } else if let Some(place) = records.place_of(now, step)? {
            self.put(here.into_iter().map(|walker| (walker, walker.at)), place);
        } else {
            let (map, back) = (line_map(now, after), lines_back(&came(now, after), now, step.of));
            let of = |lines: &[Option<usize>], at: usize| lines.get(at).copied().flatten();
            let below_the_same = are_below_the_same(now, after, &map);
            // Only the file as it is may be HEAD's with somebody's lines; where it is nearer to that, what was done since was discarded.
            let head = if step.link == 0 { head() } else { None };
            let place = head.as_ref().map(|head| records.place_of(head, step)).transpose()?.flatten();
            let by_head = place.zip(head).map(|(place, head)| (place, lines_of_head(now, &head, after)));
            let count = |lines: &[Option<usize>]| lines.iter().flatten().count();
            let is_heads = by_head.as_ref().is_some_and(|(_, lines)| count(lines) > count(&map));
            for walker in here {
                let is_led_past = walker.is_led_past || !below_the_same.get(walker.at).is_some_and(|is_so| *is_so);
                let stays = of(&map, walker.at).map(|at| Walker { at, is_led_past, ..walker });
                let is_back =
                    || of(&back, walker.at).map(|at| Walker { link: step.link + 1, at, is_led_past: true, ..walker });
                let in_head = by_head.as_ref().and_then(|(place, lines)| Some((of(lines, walker.at)?, *place)));
                match (in_head, stays) {
                    (Some((at, place)), stays) if is_heads || stays.is_none() => {
                        self.put(std::iter::once((walker, at)), place);
                    }
                    (_, stays) => match stays.or_else(is_back) {
                        Some(walker) => self.walkers.push(walker),
                        None => lost.push(walker),
                    },
                }
            }
        }
        let is_landed = |walker: &mut Walker| walker.link == step.link;
        self.walkers.extend(self.landed.extract_if(.., is_landed));
        Ok(lost)
    }

    /// Leads lines on that an older record took out, where somebody brought the file back to before that and changed it as well; only as far
    /// back as the same commit was HEAD, for what was committed and taken out a person writes anew.
    fn put_restored<I: Iterator<Item = Result<(Item, usize), HistoryError>>>(
        &mut self,
        history: &History<'_>,
        mut lost: Vec<Walker>,
        step: &Step<'_>,
        records: &mut Records<I>,
    ) -> Result<(), HistoryError> {
        let Some(base) = step.base.filter(|_| !lost.is_empty()) else { return Ok(()) };
        let (now, after) = step.texts;
        let came = came(now, after);
        let lines: Vec<&[u8]> = split_lines(now).collect();
        let line_of = |walker: &Walker| lines.get(walker.at).copied().unwrap_or_default();
        lost.retain(|walker| has_word(line_of(walker)) && came.contains(line_of(walker)));
        for n in 0.. {
            if lost.is_empty() || self.texts_left == 0 {
                break;
            }
            let Some((item, file)) = records.ahead(n)?.filter(|(item, _)| item.record.meta.base == base) else { break };
            let Some(record) = history.full_if_whole(item) else { break };
            self.texts_left -= 1;
            let texts = history.texts_if_whole(item, &record, *file);
            let had: HashSet<&[u8]> = split_lines(texts.before().unwrap_or_default()).collect();
            if !lost.iter().any(|walker| had.contains(line_of(walker))) {
                continue;
            }
            let back = lines_back(&came, now, (&record.files[*file], &texts));
            let at = |walker: &Walker| back.get(walker.at).copied().flatten();
            let link = step.link + 2 + n;
            let restored = |walker: &Walker| Some(Walker { link, at: at(walker)?, is_led_past: true, ..*walker });
            // What an undo took last a person wrote anew, as far as anybody knows.
            if !matches!(record.kind, RecordClass::Undo | RecordClass::Redo) {
                self.walkers.extend(lost.iter().filter_map(restored));
            }
            lost.retain(|walker| at(walker).is_none());
        }
        Ok(())
    }

    /// Leads the lines past a record which left what HEAD, or an older record, had: it wrote none of them. They go on where an older one left or found that text, else
    /// they are git's.
    fn pass_by<I: Iterator<Item = Result<(Item, usize), HistoryError>>>(
        &mut self,
        step: &Step<'_>,
        records: &mut Records<I>,
    ) -> Result<(), HistoryError> {
        let here: Vec<Walker> = self.walkers.extract_if(.., |walker| walker.link == step.link).collect();
        if let (false, Some(place)) = (here.is_empty(), records.place_of(step.texts.1, step)?) {
            self.put(here.into_iter().map(|walker| (walker, walker.at)), place);
        }
        Ok(())
    }

    /// Puts walkers at lines of a text of the log.
    fn put(&mut self, walkers: impl Iterator<Item = (Walker, usize)>, place: Place) {
        match place {
            Place::Found(link) => {
                self.walkers.extend(walkers.map(|(walker, at)| Walker { link: link + 1, at, ..walker }));
            }
            Place::Left(link) => self.landed.extend(walkers.map(|(walker, at)| Walker { link, at, ..walker })),
        }
    }
}

/// From the text after the newest of `links` to the one before it; lines that it wrote are given to it.
fn step_through(links: &[Link], sources: &[Source], walkers: &mut Vec<Walker>, found: &mut [Option<BlamedRecord>]) {
    let number = links.len() - 1;
    let link = &links[number];
    let file = &link.record.files[link.file];
    let through = lines_through(file, &link.texts);
    let is_inverse = matches!(link.record.kind, RecordClass::Undo | RecordClass::Redo);
    // It left the very text from before: a diff may say of a line that was moved that another one was.
    let is_as_before = sources.iter().find(|source| source.is_all);
    let (mut left, mut own) = (Vec::with_capacity(walkers.len()), Vec::new());
    for walker in walkers.drain(..) {
        if walker.link != number {
            left.push(walker);
        } else if let Some(source) = is_as_before {
            left.push(Walker { link: number + 1 + source.between, ..walker });
        } else if let Some(at) = through.get(walker.at).copied().flatten() {
            left.push(Walker { link: number + 1, at, ..walker });
        } else if is_inverse {
            let source =
                sources.iter().find_map(|source| Some((source.map.get(walker.at).copied().flatten()?, source.between)));
            left.extend(source.map(|(at, between)| Walker { link: number + 1 + between, at, ..walker }));
        } else {
            own.push(walker);
        }
    }
    *walkers = left;
    let company = if own.iter().any(|walker| walker.is_led_past) {
        let there: HashSet<usize> = own.iter().map(|walker| walker.at).collect();
        let lines: Vec<&[u8]> = split_lines(link.texts.after().unwrap_or_default()).collect();
        in_company(&lines, |n| through.get(n).is_some_and(Option::is_none), &there)
    } else {
        Vec::new()
    };
    for walker in own {
        if !walker.is_led_past || company.get(walker.at).is_none_or(|is_in_company| *is_in_company) {
            let (id, agent) = (link.record.id.clone(), link.record.meta.agent.clone());
            found[walker.line] = Some(BlamedRecord { id, agent, time_ms: link.record.time_ms });
        }
    }
}

/// Where lines that an undo brought back were before: in the text before a record that was undone.
struct Source {
    /// For every line after the undo its line there.
    map: Vec<Option<usize>>,
    /// The number of records of the file between the undo and that record, it counted.
    between: usize,
    /// Whether the undo left that very text.
    is_all: bool,
}

/// What an undo or redo inverted; `until` says how many records of the file there are to one, it counted.
fn sources(
    history: &History<'_>,
    link: &Link,
    mut until: impl FnMut(&RecordId) -> Result<Option<usize>, HistoryError>,
) -> Result<Vec<Source>, HistoryError> {
    let is_inverse = matches!(link.record.kind, RecordClass::Undo | RecordClass::Redo);
    let Some(after) = link.texts.after().filter(|_| is_inverse) else { return Ok(Vec::new()) };
    let mut sources = Vec::new();
    for target in link.record.meta.inverted_in(link.file) {
        let before = || {
            let item = history.find(target.id.as_str()).ok()?;
            let record = history.full(&item).ok()?;
            let texts = history.texts(&item, &record, target.file).ok()?;
            let texts = record.files.get(target.file)?.readable(&texts).map_or(texts, |(_, texts)| texts);
            texts.into_before()
        };
        if let Some((before, between)) = before().zip(until(&target.id)?) {
            sources.push(Source { map: line_map(after, &before), between, is_all: after == before });
        }
    }
    Ok(sources)
}
