//! What a refused edit is told: the regions of the file that are nearest to its old text.
//!
//! Owns finding and ranking them. Places nothing, and has no sentences: those are `advice/`'s. Invariants: every text that is offered is UTF-8 and occurs
//! exactly once in the file; the work is bounded whatever the input.

use super::exact::find_once;
use super::fold;
use super::found::{Found, Why};
use super::ladder;
use super::likely::{Evidence, Likely};
use super::reading::readings;
use super::similarity::Budget;
use super::source::Source;
use super::within_line::within_line;
use crate::strategy::Strategy;
use crate::text::{Text, to_lf};
use std::collections::HashMap;
use std::ops::Range;

/// How many regions are offered.
const OFFERED: usize = 3;
/// What the vote of a line counts that stands once in the file.
const VOTE: u64 = 1_000_000;
/// The most occurrences in the file of a line that votes for windows.
const MOST_VOTES: usize = 64;
/// A region that is less like the old text than this may well be another.
const LIKE: f64 = 0.5;
/// A line that stands so often at most says where a text ends, also some lines away.
const RARE: usize = 3;
/// So many lines away any line does.
const SLACK: usize = 4;
/// The largest text that is offered, in bytes: more is no help.
const LARGEST: usize = 64 * 1024;

/// A region of the file that may be meant.
#[derive(Debug, Clone, PartialEq)]
struct Near {
    lines: Range<usize>,
    similarity: f64,
    strategy: Option<Strategy>,
}

impl Near {
    /// As it is offered: `shown` is the text of `lines`, which may be more than are meant.
    fn offer(&self, shown: &str, lines: &Range<usize>) -> Region {
        Region {
            text: shown.to_owned(),
            start_line: lines.start + 1,
            end_line: lines.end,
            similarity: (self.similarity * 1000.0).round() / 1000.0,
            strategy: self.strategy,
        }
    }
}

/// A text of the file that may be meant; sent back, it matches once.
#[derive(Debug, Clone, PartialEq)]
pub struct Region {
    /// Of whole lines, unless it is a part of a line.
    pub text: String,
    /// 1-based.
    pub start_line: usize,
    /// 1-based, inclusive.
    pub end_line: usize,
    /// From 0 to 1, in thousandths.
    pub similarity: f64,
    /// The tier that finds it; none where it is only similar.
    pub strategy: Option<Strategy>,
}

/// A line in which the text that was sent and the file differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Differing {
    /// As it was sent.
    Sent(Vec<u8>),
    /// The line of the file with this 1-based number.
    InFile(usize, Vec<u8>),
}

/// Why an exact match takes no place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoPlace {
    /// No tier is certain of one.
    Tier(Why),
    /// Lines are left out of the text.
    LinesLeftOut,
    /// The place is certain, but white space or typography differs.
    Typography,
    /// The place is certain, but its indentation differs.
    Indentation,
}

impl NoPlace {
    /// Whether several places are as near as the first.
    pub fn is_of_several(&self) -> bool {
        matches!(self, Self::Tier(Why::Several(_) | Why::OneLineOfSeveral(_)))
    }

    /// In a few words.
    pub fn words(&self) -> &'static str {
        match self {
            Self::Tier(why) => why.words(),
            Self::LinesLeftOut => "lines are left out",
            Self::Typography => "white space or typography differs",
            Self::Indentation => "indentation differs",
        }
    }
}

/// What is nearest to a text that has no place.
#[derive(Debug, Clone, PartialEq)]
pub struct Nearest {
    /// Best first; a few.
    pub regions: Vec<Region>,
    /// Where the first region and the text differ; the first lines of it.
    pub difference: Vec<Differing>,
    /// Whether more lines differ.
    pub is_cut: bool,
    /// Why none of them was taken.
    pub why: NoPlace,
}

/// One place of a text that has several.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlaceHint {
    /// 1-based.
    pub line: usize,
    /// What stands there, without the last line's ending; `None` where it is not UTF-8, or too long to show.
    pub text: Option<String>,
    /// Where in it the place starts, in bytes.
    pub at: usize,
    /// The shortest extension of the text by whole lines that occurs once.
    pub extension: Option<String>,
    /// Where that is long or there is none, a short one that need not end at the ends of lines.
    pub part: Option<String>,
}

/// The places between which an edit cannot choose.
#[derive(Debug, Clone, PartialEq)]
pub struct Several {
    /// How many there are.
    pub count: usize,
    /// The first of them.
    pub places: Vec<PlaceHint>,
    /// The first of them, as they are offered.
    pub regions: Vec<Region>,
}

/// The regions of `text` that are nearest to `old`, and what differs.
pub fn nearest(text: &Text, old: &[u8], evidence: Evidence<'_>) -> Nearest {
    nearest_in(&Source::new(text.bytes(), text.body_start()), old, Tiers::Unknown, evidence)
}

/// Whether it is known that no tier finds a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tiers {
    /// They have not been asked.
    Unknown,
    /// None of them does.
    FindNothing,
}

/// As [`nearest`], for a file whose lines are known.
pub fn nearest_in(file: &Source<'_>, old: &[u8], tiers: Tiers, evidence: Evidence<'_>) -> Nearest {
    let (whole, why) = search(file, old, tiers);
    let whole = likeliest_first(file, whole, evidence);
    // Exact matching takes CRLF and LF alike, so a text must be unique in that sense.
    let plain = to_lf(file.bytes());
    let mut regions: Vec<Region> = Vec::new();
    let mut best = None;
    for near in &whole {
        let Some(lines) = unique(file, &plain, near.lines.clone()) else {
            continue;
        };
        let Ok(shown) = std::str::from_utf8(&file.bytes()[file.span(lines.clone())]) else {
            continue;
        };
        best.get_or_insert_with(|| near.lines.clone());
        regions.push(near.offer(shown, &lines));
        if regions.len() == OFFERED {
            break;
        }
    }
    if regions.first().is_none_or(|region| region.similarity < LIKE)
        && let Some(part) = within_line(&plain, &to_lf(old))
    {
        return part_of_line(&plain, old, part, (regions, why));
    }
    let (difference, is_cut) = best.map_or((Vec::new(), false), |lines| difference(file, lines, old));
    Nearest { regions, difference, is_cut, why }
}

/// The nearest text is a part of a line, before the regions that were found.
fn part_of_line(plain: &[u8], old: &[u8], part: Range<usize>, (regions, why): (Vec<Region>, NoPlace)) -> Nearest {
    let line = 1 + memchr::memchr_iter(b'\n', &plain[..part.start]).count();
    let (sent, found) = (old.trim_ascii(), &plain[part]);
    let similarity = Budget::of(200_000).similarity(sent, found, 0.0);
    let Ok(text) = std::str::from_utf8(found) else {
        return Nearest { regions, difference: Vec::new(), is_cut: false, why };
    };
    let near = Near { lines: line - 1..line, similarity, strategy: None };
    let first = near.offer(text, &near.lines);
    let difference = vec![Differing::Sent(sent.to_vec()), Differing::InFile(line, found.to_vec())];
    let regions = [vec![first], regions].concat().into_iter().take(OFFERED).collect();
    Nearest { regions, difference, is_cut: false, why }
}

/// The places between which an edit cannot choose, with the text that is unique to each.
pub fn several(file: &Source<'_>, places: &[Range<usize>], evidence: Evidence<'_>) -> Several {
    let (count, likely) = (places.len(), Likely::new(file.bytes(), evidence));
    let order = likely.order(places.iter().map(|lines| (lines.start + 1, lines.end)));
    let places: Vec<Range<usize>> = order.into_iter().take(5).map(|at| places[at].clone()).collect();
    let plain = to_lf(file.bytes());
    let text = |lines: &Range<usize>| {
        let shown = &file.bytes()[file.span(lines.clone())];
        (shown.len() <= LARGEST).then(|| std::str::from_utf8(shown).ok()).flatten().map(str::to_owned)
    };
    let listed = places.iter().take(5).map(|lines| {
        let extension = unique(file, &plain, lines.clone()).as_ref().and_then(text);
        PlaceHint { line: lines.start + 1, text: text(lines), at: 0, extension, part: None }
    });
    let asked = Source::new(evidence.old, 0);
    let regions = places.iter().take(OFFERED).filter_map(|lines| {
        let near = near(file, &asked, lines.clone(), None);
        let lines = unique(file, &plain, near.lines.clone())?;
        Some(near.offer(&text(&lines)?, &lines))
    });
    Several { count, places: listed.collect(), regions: regions.collect() }
}

/// The nearest regions, best first, and why none of them was taken.
fn search(file: &Source<'_>, old: &[u8], tiers: Tiers) -> (Vec<Near>, NoPlace) {
    let readings = readings(old, b"");
    for reading in readings.iter().filter(|_| tiers == Tiers::Unknown) {
        let asked = Source::new(&reading.old, 0);
        match ladder::find_any(file, &asked) {
            Ok(found) => return (vec![of_found(file, &asked, &found)], difference_of(&asked, file, &found)),
            Err(Why::Several(places) | Why::OneLineOfSeveral(places)) => {
                let nears = places.into_iter().take(64).map(|lines| near(file, &asked, lines, None));
                return (best_first(nears.collect()), NoPlace::Tier(Why::Several(Vec::new())));
            }
            Err(other) if !other.places().is_empty() => {
                let nears =
                    other.places().iter().map(|lines| near(file, &asked, lines.clone(), Some(Strategy::OneLineOff)));
                let nears = nears.collect();
                return (nears, NoPlace::Tier(other));
            }
            Err(_) => {}
        }
    }
    // The last reading is the one that takes most off.
    let asked = Source::new(readings.last().map_or(old, |reading| &reading.old), 0);
    let nears = by_votes(file, &asked);
    (if nears.is_empty() { by_likeness(file, &asked) } else { nears }, NoPlace::Tier(Why::Nowhere))
}

/// Why an exact match does not take a place that a tier finds.
fn difference_of(asked: &Source<'_>, file: &Source<'_>, found: &Found) -> NoPlace {
    let indents = |&(old, at): &(usize, usize)| fold::indent(asked.text(old)) == fold::indent(file.text(at));
    match found.strategy {
        Strategy::Elision => NoPlace::LinesLeftOut,
        Strategy::OneLineOff => NoPlace::Tier(Why::OneLine(found.lines())),
        _ if found.pairs.iter().all(indents) => NoPlace::Typography,
        _ => NoPlace::Indentation,
    }
}

fn of_found(file: &Source<'_>, asked: &Source<'_>, found: &Found) -> Near {
    near(file, asked, found.lines(), Some(found.strategy))
}

/// A region with the blank lines beside it that the old text has too.
fn near(file: &Source<'_>, asked: &Source<'_>, lines: Range<usize>, strategy: Option<Strategy>) -> Near {
    let lines =
        if strategy.is_none_or(|found| found == Strategy::OneLineOff) { stretched(file, asked, lines) } else { lines };
    let similarity = likeness(file, &lines, asked);
    let (first, last) = (asked.solid().first().copied().unwrap_or(0), asked.solid().last().copied().unwrap_or(0));
    let is_blank = |line: &usize| file.key(*line).is_empty();
    let before = (0..lines.start).rev().take(first).take_while(is_blank).count();
    // An old text that ends with a line ending takes the blank line that may follow, as it would in an exact edit.
    let behind = (asked.lines().len() + usize::from(asked.is_terminated())).saturating_sub(last + 1);
    let after = (lines.end..file.lines().len()).take(behind).take_while(is_blank).count();
    Near { lines: lines.start - before..lines.end + after, similarity, strategy }
}

/// The lines up to where the first and the last line of the old text stand, if that is not far: the file may have lines
/// more between.
fn stretched(file: &Source<'_>, asked: &Source<'_>, lines: Range<usize>) -> Range<usize> {
    let (Some(&first), Some(&last)) = (asked.keys().first(), asked.keys().last()) else { return lines };
    let solid = |line: usize| file.solid().partition_point(|&at| at < line);
    let (start, end) = (solid(lines.start), solid(lines.end));
    let keys = file.keys();
    if start >= end || asked.keys().len() < 2 {
        return lines;
    }
    let is_rare = |key: u64| keys.iter().filter(|&&other| other == key).take(RARE + 1).count() <= RARE;
    let reach = |key: u64| if is_rare(key) { SLACK + asked.keys().len() / 2 } else { SLACK };
    let is_there = |key: u64| keys[start..end].contains(&key);
    let mut out = lines;
    if !is_there(first)
        && let Some(at) = (start.saturating_sub(reach(first))..start).rev().find(|&at| keys[at] == first)
    {
        out.start = file.solid()[at];
    }
    if !is_there(last)
        && let Some(at) = (end..(end + reach(last)).min(keys.len())).find(|&at| keys[at] == last)
    {
        out.end = file.solid()[at] + 1;
    }
    out
}

/// The share of the old text's lines that the region has, an unequal line counting as far as it is alike.
fn likeness(file: &Source<'_>, lines: &Range<usize>, asked: &Source<'_>) -> f64 {
    let mut budget = Budget::of(200_000);
    let ours: Vec<_> = lines.clone().map(|line| file.key(line)).filter(|key| !key.is_empty()).take(400).collect();
    let theirs: Vec<_> = asked.solid().iter().map(|&line| asked.key(line)).take(400).collect();
    if ours.is_empty() || theirs.is_empty() {
        return 0.0;
    }
    let mut sum = 0.0;
    let mut at = 0;
    for line in &theirs {
        let window = at..ours.len().min(at + 12);
        let best = window
            .map(|i| (i, budget.similarity(line, &ours[i], 0.4)))
            .max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)));
        if let Some((i, similarity)) = best
            && similarity > 0.0
        {
            sum += similarity;
            at = i + 1;
        }
    }
    sum / theirs.len().max(ours.len()) as f64
}

/// The same, those that are as like the old text as another ordered by what else is known of the edit.
fn likeliest_first(file: &Source<'_>, nears: Vec<Near>, evidence: Evidence<'_>) -> Vec<Near> {
    if nears.len() < 2 {
        return nears;
    }
    let likely = Likely::new(file.bytes(), evidence);
    let mut order = likely.order(nears.iter().map(|near| (near.lines.start + 1, near.lines.end)));
    order.sort_by(|&a, &b| nears[b].similarity.total_cmp(&nears[a].similarity));
    order.into_iter().map(|at| nears[at].clone()).collect()
}

fn best_first(mut nears: Vec<Near>) -> Vec<Near> {
    nears.sort_by(|a, b| b.similarity.total_cmp(&a.similarity).then(a.lines.start.cmp(&b.lines.start)));
    nears
}

/// The windows that most of the old text's lines vote for, each line by its places in the file.
fn by_votes(file: &Source<'_>, asked: &Source<'_>) -> Vec<Near> {
    let mut places: HashMap<u64, Vec<usize>> = asked.keys().iter().map(|&key| (key, Vec::new())).collect();
    for (at, key) in file.keys().iter().enumerate() {
        if let Some(list) = places.get_mut(key)
            && list.len() <= MOST_VOTES
        {
            list.push(at);
        }
    }
    let mut votes: HashMap<isize, u64> = HashMap::new();
    for (i, key) in asked.keys().iter().enumerate().take(4_000) {
        let list = &places[key];
        if list.len() <= MOST_VOTES {
            for &at in list {
                // A window that is a few lines longer or shorter in the file is still one window.
                // The rarer a line, the more it says.
                *votes.entry(at as isize - i as isize).or_insert(0) += VOTE / list.len() as u64;
            }
        }
    }
    let mut starts: Vec<(u64, isize)> = votes.into_iter().map(|(start, count)| (count, start)).collect();
    starts.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
    let mut nears: Vec<Near> = Vec::new();
    for (_, start) in starts.into_iter().take(24) {
        let Some(lines) = window_around(file, asked, start) else {
            continue;
        };
        if nears.iter().all(|other| other.lines.end <= lines.start || lines.end <= other.lines.start) {
            nears.push(near(file, asked, lines, None));
        }
    }
    best_first(nears)
}

/// The lines of the file for a window that starts at this non-blank line, stretched to where its first and last line are
/// if the file has a few lines more or less between them.
fn window_around(file: &Source<'_>, asked: &Source<'_>, start: isize) -> Option<Range<usize>> {
    let (count, total) = (asked.keys().len() as isize, file.keys().len() as isize);
    let slack = 3 + count / 8;
    let find = |line: isize, expected: isize| {
        let key = asked.keys()[line as usize];
        (0..=slack)
            .flat_map(|d| [expected + d, expected - d])
            .find(|&at| (0..total).contains(&at) && file.keys()[at as usize] == key)
    };
    let first = find(0, start).unwrap_or(start).clamp(0, total - 1);
    let last = find(count - 1, start + count - 1).unwrap_or(start + count - 1).clamp(0, total - 1);
    (first <= last).then(|| file.solid()[first as usize]..file.solid()[last as usize] + 1)
}

/// Where no line of the old text is in the file: the windows around the lines that are most alike its longest line.
fn by_likeness(file: &Source<'_>, asked: &Source<'_>) -> Vec<Near> {
    let Some((index, line)) = asked
        .solid()
        .iter()
        .enumerate()
        .map(|(i, &line)| (i, asked.key(line)))
        .max_by_key(|(i, key)| (key.len(), usize::MAX - i))
    else {
        return Vec::new();
    };
    let mut budget = Budget::of(3_000_000);
    let mut best: Vec<(f64, usize)> = Vec::new();
    for at in 0..file.solid().len() {
        let ours = file.text(file.solid()[at]);
        let trimmed = fold::trim(ours);
        if trimmed.len() * 3 < line.len() || line.len() * 3 < trimmed.len() {
            continue;
        }
        let least = best.get(OFFERED - 1).map_or(0.5, |&(similarity, _)| similarity);
        let similarity = budget.similarity(&line, &file.key(file.solid()[at]), least);
        if similarity > least || (similarity >= least && best.len() < OFFERED) {
            best.push((similarity, at));
            best.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
            best.truncate(OFFERED);
        }
    }
    let windows = best.into_iter().filter_map(|(_, at)| window_around(file, asked, at as isize - index as isize));
    best_first(windows.map(|lines| near(file, asked, lines, None)).collect())
}

/// The lines, extended by as many lines before and after as make their text occur once in the file.
fn unique(file: &Source<'_>, plain: &[u8], lines: Range<usize>) -> Option<Range<usize>> {
    for more in [0, 1, 2, 3, 4, 6, 8, 12, 16, 24] {
        let lines = lines.start.saturating_sub(more)..(lines.end + more).min(file.lines().len());
        let span = file.span(lines.clone());
        if span.len() > LARGEST {
            return None;
        }
        if find_once(plain, &to_lf(&file.bytes()[span])).is_some() {
            return Some(lines);
        }
    }
    None
}

/// What differs, line by line, and whether there is more of it.
fn difference(file: &Source<'_>, lines: Range<usize>, old: &[u8]) -> (Vec<Differing>, bool) {
    const SHOWN: usize = 12;
    let asked = Source::new(old, 0);
    // CRLF and LF are matched alike; a carriage return that is no part of a line ending is not.
    let theirs: Vec<&[u8]> = (0..asked.lines().len()).map(|line| asked.text(line)).collect();
    let ours: Vec<&[u8]> = lines.clone().map(|line| file.text(line)).collect();
    let (mut out, mut shown) = (Vec::new(), 0);
    let head = theirs.iter().zip(&ours).take_while(|(a, b)| a == b).count();
    let tail = theirs[head..].iter().rev().zip(ours[head..].iter().rev()).take_while(|(a, b)| a == b).count();
    let (theirs, ours) = (&theirs[head..theirs.len() - tail], &ours[head..ours.len() - tail]);
    for i in 0..theirs.len().max(ours.len()) {
        let (a, b) = (theirs.get(i), ours.get(i));
        if theirs.len() == ours.len() && a == b {
            continue;
        }
        if shown == SHOWN {
            return (out, true);
        }
        shown += 1;
        out.extend(a.map(|line| Differing::Sent(line.to_vec())));
        out.extend(b.map(|line| Differing::InFile(lines.start + head + i + 1, line.to_vec())));
    }
    (out, false)
}
