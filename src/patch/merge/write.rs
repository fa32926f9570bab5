//! The three-way merge: what an edit old -> new changes, written onto the file's own lines.
//!
//! Owns turning a place into splices. Invariants: lines equal in old and new keep the file's bytes; every line written
//! comes from new, indented by the one rule of [`super::indent`], with the line ending of its surroundings; where it is
//! undecidable which bytes are meant, there is no splice but a [`Why`].

use super::change::{Hunk, Readings, changes};
use super::indent::Rule;
use crate::matcher::elision;
use crate::matcher::fold;
use crate::matcher::found::{Found, Odd, Why};
use crate::matcher::source::Source;
use std::cell::OnceCell;
use std::ops::Range;

/// A splice: the bytes of the file that go, and what takes their place.
pub type Piece = (Range<usize>, Vec<u8>);

/// The three texts, and where the old one is.
#[derive(Debug, Clone, Copy)]
pub struct Sides<'s> {
    /// The file.
    pub file: &'s Source<'s>,
    /// The old text, as read.
    pub old: &'s Source<'s>,
    /// The new text, as read.
    pub new: &'s Source<'s>,
    /// Where the old text is.
    pub found: &'s Found,
    /// Whether only the old text was read otherwise than it was sent.
    pub old_only: bool,
    /// Whether the result must be certain, or the caller took the risk.
    pub certain: bool,
}

/// The splices that carry old -> new over to the file.
///
/// # Errors
/// [`Why`] the result is not certain.
pub fn write(sides: Sides<'_>) -> Result<Vec<Piece>, Why> {
    let at = sides.found.lines();
    let rule = sides.rule()?;
    let map = Alignment::new(&sides)?;
    let hunks = changes(&map.old, &map.new).ok_or_else(|| Why::TooLarge(at.clone()))?;
    let hunks = map.at_clear_places(hunks).ok_or_else(|| Why::Blank(at.clone()))?;
    sides.check_frame(&rule, &map, &hunks)?;
    sides.check_slides(&rule, &map, &hunks)?;
    let mut pieces = Vec::new();
    for hunk in &hunks {
        let range = sides.target(&map, hunk)?;
        let lines: Vec<Vec<u8>> = hunk.new.clone().map(|n| sides.moved(&rule, &map, n)).collect::<Result<_, _>>()?;
        pieces.extend(sides.piece(range, &lines)?);
    }
    if pieces.is_empty() { Err(Why::Same(at)) } else { Ok(pieces) }
}

/// The lines of old and new that are compared, and where those of old are in the file.
#[derive(Debug)]
struct Alignment<'s> {
    old: Vec<&'s [u8]>,
    new: Vec<&'s [u8]>,
    /// For each line of `old`: its line of the file.
    at: Vec<At>,
    /// Made where they are needed.
    readings: OnceCell<Option<Readings>>,
}

/// Where a line of the old text is in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum At {
    Line(usize),
    /// An omission mark.
    Mark,
    /// A blank line where the file has more or fewer of them.
    Unclear,
}

impl<'s> Alignment<'s> {
    fn new(sides: &Sides<'s>) -> Result<Self, Why> {
        let Sides { file, old, new, found, .. } = *sides;
        let unclear = || Why::Blank(found.lines());
        let (&(first, file_first), &(last, file_last)) =
            (found.pairs.first().ok_or(Why::Nowhere)?, found.pairs.last().ok_or(Why::Nowhere)?);
        let mut map = Self {
            old: (first..=last).map(|line| old.text(line)).collect(),
            new: Vec::new(),
            at: vec![At::Unclear; last - first + 1],
            readings: OnceCell::new(),
        };
        map.align(file, found, first);
        let (mut head, mut tail) = (Vec::new(), Vec::new());
        let before = Edge { old: first, file: blanks(file, (0..file_first).rev()) };
        let behind = blanks(file, file_last + 1..file.lines().len());
        let after = Edge { old: count(old) - 1 - last, file: behind };
        let new_lines = count(new);
        let text = |line: usize| if line < new.lines().len() { new.text(line) } else { &b""[..] };
        let body = match (new.solid().first(), new.solid().last()) {
            (Some(&new_first), Some(&new_last)) => {
                head = before.kept(new_first).ok_or_else(unclear)?;
                let new_after = new_lines - 1 - new_last;
                // At the end of the file, one line ending less is either the file's last one or a slip.
                let at_end = file_last + 1 == file.lines().len() && file.is_terminated();
                if at_end && after.old == 1 && new_after == 0 {
                    return Err(unclear());
                }
                tail = after.kept(new_after).ok_or_else(unclear)?;
                new_first..new_last + 1
            }
            _ if before.old > before.file || after.old > after.file.max(1) => return Err(unclear()),
            _ => 0..new_lines.saturating_sub(before.old + after.old),
        };
        map.new = body.map(|line| text(line)).collect();
        map.put_edges(&head, &tail, file_first, file_last);
        Ok(map)
    }

    /// Aligns the lines between two matched ones: where old and file have as many blank lines there, and beside an omission
    /// mark as many as both have.
    fn align(&mut self, file: &Source<'_>, found: &Found, first: usize) {
        for &(line, at) in &found.pairs {
            self.at[line - first] = At::Line(at);
        }
        for &mark in &found.marks {
            if let Some(at) = mark.checked_sub(first).and_then(|line| self.at.get_mut(line)) {
                *at = At::Mark;
            }
        }
        for pair in found.pairs.windows(2) {
            let ((a, file_a), (b, file_b)) = (pair[0], pair[1]);
            let marked = self.at[a - first..b - first].contains(&At::Mark);
            let is_blank = |line: usize| file.key(line).is_empty();
            for k in 1..b - a {
                let slot = &mut self.at[a + k - first];
                if *slot != At::Unclear {
                    break;
                }
                if b - a == file_b - file_a || (marked && is_blank(file_a + k)) {
                    *slot = At::Line(file_a + k);
                }
            }
            for k in 1..if marked { b - a } else { 1 } {
                let slot = &mut self.at[b - k - first];
                if *slot != At::Unclear {
                    break;
                }
                if is_blank(file_b - k) {
                    *slot = At::Line(file_b - k);
                }
            }
        }
    }

    /// Puts the blank lines around the text that only one of old and new has to where they belong.
    fn put_edges(&mut self, head: &[Kept], tail: &[Kept], file_first: usize, file_last: usize) {
        for kept in head {
            match kept {
                Kept::New => self.new.insert(0, b""),
                Kept::Old(distance) => {
                    self.old.insert(0, b"");
                    self.at.insert(0, At::Line(file_first - distance));
                }
            }
        }
        for kept in tail {
            match kept {
                Kept::New => self.new.push(b""),
                Kept::Old(distance) => {
                    self.old.push(b"");
                    self.at.push(At::Line(file_last + distance));
                }
            }
        }
    }
}

/// The blank lines at one end of the old text, and beside its place in the file.
struct Edge {
    old: usize,
    file: usize,
}

/// A blank line at an end that is part of the change: old has it, at this distance, or new has it.
enum Kept {
    Old(usize),
    New,
}

impl Edge {
    /// What is left of the blank lines at this end once those that old and new share are taken as context, and those of
    /// old that neither the file nor new has as noise. `None` where it is not clear which of them are meant.
    fn kept(&self, new: usize) -> Option<Vec<Kept>> {
        let more = new.saturating_sub(self.old);
        let fewer = self.old.saturating_sub(new);
        match (more, fewer) {
            (0, 0) => Some(Vec::new()),
            (_, 0) => (self.file >= self.old).then(|| (0..more).map(|_| Kept::New).collect()),
            _ if self.file == 0 => (new == 0).then(Vec::new),
            _ => (self.file >= self.old).then(|| (1..=fewer).map(Kept::Old).collect()),
        }
    }
}

/// How many lines a text has if what follows its last line ending counts as one, as it does in an exact edit.
fn count(text: &Source<'_>) -> usize {
    text.lines().len() + usize::from(text.is_terminated() || text.bytes().is_empty())
}

/// How many of `lines`, from the first on, are blank.
fn blanks(file: &Source<'_>, lines: impl Iterator<Item = usize>) -> usize {
    lines.take_while(|&line| file.key(line).is_empty()).count()
}

impl<'s> Sides<'s> {
    /// The one rule that explains the indentation of every matched line.
    fn rule(&self) -> Result<Rule, Why> {
        let odd = self.found.odd.as_ref().map(|odd| odd.0);
        let matched = |i: usize, (old, file): (usize, usize)| match self.certain {
            true => Some(i) != odd,
            false => self.old.key(old) == self.file.key(file),
        };
        let pairs: Vec<_> = self
            .found
            .pairs
            .iter()
            .enumerate()
            .filter(|&(i, &pair)| matched(i, pair))
            .map(|(_, &(old, file))| (fold::indent(self.old.text(old)), fold::indent(self.file.text(file))))
            .collect();
        let rule = Rule::of(&pairs).ok_or_else(|| Why::Indentation(self.found.lines()))?;
        if !self.certain {
            return Ok(rule);
        }
        let telling = |&&(old, _): &&(usize, usize)| fold::word_chars(self.old.text(old)) > 0;
        if rule.moves() && (pairs.len() <= 2 || self.found.pairs.iter().filter(telling).count() <= 1) {
            return Err(Why::Depth(self.found.lines()));
        }
        if rule.moves() && self.may_be_scaled(&pairs) {
            return Err(Why::Indentation(self.found.lines()));
        }
        if self.old_only && rule != Rule::Same {
            return Err(Why::Frame(self.found.lines()));
        }
        Ok(rule)
    }

    /// Whether the matched lines are all at one depth, which is not the outermost in either text, and new has lines at
    /// another: a prefix and another width of indentation then explain the same lines, but not the new ones.
    fn may_be_scaled(&self, pairs: &[(&[u8], &[u8])]) -> bool {
        let &(theirs, ours) = &pairs[0];
        let one_depth = !theirs.is_empty() && !ours.is_empty() && pairs.iter().all(|pair| pair.0 == theirs);
        one_depth && self.new.solid().iter().any(|&line| fold::indent(self.new.text(line)) != theirs)
    }

    /// Refuses where old and new are indented by different rules: a line of old comes back in new at the file's depth,
    /// which is not the depth it has in old. Whether new is meant as it stands is then undecidable.
    fn check_frame(&self, rule: &Rule, map: &Alignment<'_>, hunks: &[Hunk]) -> Result<(), Why> {
        if *rule == Rule::Same || !self.certain {
            return Ok(());
        }
        for hunk in hunks {
            for old in hunk.old.clone() {
                let theirs = map.old[old];
                let (indent, key) = (fold::indent(theirs), fold::trim(theirs));
                let Some(ours) = rule.turn(indent).filter(|_| !key.is_empty()) else {
                    continue;
                };
                let back =
                    hunk.new.clone().any(|new| fold::trim(map.new[new]) == key && fold::indent(map.new[new]) == ours);
                if ours != indent && back {
                    return Err(Why::Frame(self.found.lines()));
                }
            }
        }
        Ok(())
    }

    /// Which lines of the file a change replaces.
    fn target(&self, map: &Alignment<'_>, hunk: &Hunk) -> Result<Range<usize>, Why> {
        let unclear = || Why::Blank(self.found.lines());
        if map.at[hunk.old.clone()].contains(&At::Mark) {
            return Err(Why::Placeholder(self.found.lines()));
        }
        let cut =
            self.found.odd.as_ref().filter(|(_, kind)| *kind == Odd::Cut).map(|&(odd, _)| self.found.pairs[odd].1);
        if cut.is_some_and(|line| map.at[hunk.old.clone()].contains(&At::Line(line))) {
            return Err(Why::OddChanged(self.found.lines()));
        }
        let start = map.boundary(hunk.old.start).ok_or_else(unclear)?;
        let end = map.boundary(hunk.old.end).ok_or_else(unclear)?;
        Ok(start..end)
    }

    /// Refuses where a change could as well be read one line further up or down, and the file would not be the same: the
    /// lines that it would pass over are equal in the request, but not in the file.
    fn check_slides(&self, rule: &Rule, map: &Alignment<'_>, hunks: &[Hunk]) -> Result<(), Why> {
        for Hunk { old, new } in hunks {
            let mut pairs = Vec::new();
            if old.is_empty() {
                let (at, lines) = (old.start, &map.new[new.clone()]);
                let up = (0..at).rev().zip(lines.iter().rev().cycle()).take_while(|&(o, n)| map.old[o] == *n);
                let down = (at..map.old.len()).zip(lines.iter().cycle()).take_while(|&(o, n)| map.old[o] == *n);
                for (line, text) in up.chain(down) {
                    pairs.push((map.ours(self.file, line), Some(self.line(rule, text)?)));
                }
            } else if new.is_empty() {
                let len = old.len();
                let up = (0..old.start).rev().map(|o| (o, o + len)).take_while(|&(a, b)| map.old[a] == map.old[b]);
                let down =
                    (old.end..map.old.len()).map(|o| (o - len, o)).take_while(|&(a, b)| map.old[a] == map.old[b]);
                pairs.extend(up.chain(down).map(|(a, b)| (map.ours(self.file, a), map.ours(self.file, b))));
            }
            if pairs.iter().any(|(a, b)| a != b) {
                return Err(Why::Slide(self.found.lines()));
            }
        }
        Ok(())
    }

    /// A line of new as the file gets it: with the file's own bytes if it is a line of old that has only moved.
    ///
    /// Refused where the file's bytes differ, and it could as well be the line of old that stays.
    fn moved(&self, rule: &Rule, map: &Alignment<'_>, index: usize) -> Result<Vec<u8>, Why> {
        let line = map.new[index];
        let written = self.line(rule, line)?;
        if fold::trim(line).is_empty() {
            return Ok(written);
        }
        let same: Vec<usize> = (0..map.old.len()).filter(|&o| map.old[o] == line).collect();
        let other = |o: usize| map.ours(self.file, o).as_ref() != Some(&written);
        if !same.iter().any(|&o| other(o)) {
            return Ok(written);
        }
        if let ([only], 1) = (&same[..], map.new.iter().filter(|&&n| n == line).count()) {
            return map.ours(self.file, *only).ok_or_else(|| Why::Slide(self.found.lines()));
        }
        let readings = map.readings.get_or_init(|| Readings::new(&map.old, &map.new));
        let may_stay = |o: usize| readings.as_ref().is_none_or(|readings| readings.may_stay(o, index));
        if same.iter().any(|&o| other(o) && may_stay(o)) {
            return Err(Why::Slide(self.found.lines()));
        }
        Ok(written)
    }

    /// A line of new as the file gets it.
    fn line(&self, rule: &Rule, line: &[u8]) -> Result<Vec<u8>, Why> {
        let at = || self.found.lines();
        if fold::trim(line).is_empty() {
            // Whether white space alone was indented with the rest is not to be told.
            let clear = *rule == Rule::Same && !self.agent_adds_line_ends();
            let certain = clear || line.is_empty() || !self.certain;
            return if certain { Ok(line.to_vec()) } else { Err(Why::Indentation(at())) };
        }
        if elision::is_mark(line) {
            return Err(Why::Placeholder(at()));
        }
        if let Some((_, Odd::Typo(word))) = &self.found.odd
            && memchr::memmem::find(line, word).is_some()
        {
            return Err(Why::OddChanged(at()));
        }
        if fold::has_typography(line) && self.agent_is_smart() {
            return Err(Why::Typography(at()));
        }
        if self.certain && fold::trim_end(line).len() < line.len() && self.agent_adds_line_ends() {
            return Err(Why::Typography(at()));
        }
        let indent = fold::indent(line);
        let turned = rule.turn(indent).ok_or_else(|| Why::Indentation(at()))?;
        Ok([&turned, &line[indent.len()..]].concat())
    }

    /// Whether the agent writes typographic characters where the file has ASCII.
    fn agent_is_smart(&self) -> bool {
        self.found
            .pairs
            .iter()
            .any(|&(old, file)| fold::has_typography(self.old.text(old)) && !fold::has_typography(self.file.text(file)))
    }

    /// Whether the agent has white space at the ends of lines that end without it in the file.
    fn agent_adds_line_ends(&self) -> bool {
        let ends = |line: &[u8]| line.len() > fold::trim_end(line).len();
        self.found.pairs.iter().any(|&(old, file)| ends(self.old.text(old)) && !ends(self.file.text(file)))
    }

    /// The splice that puts `lines` in the place of a range of lines of the file; none where they are those lines.
    fn piece(&self, range: Range<usize>, lines: &[Vec<u8>]) -> Result<Option<Piece>, Why> {
        let (file, bytes) = (self.file.lines(), self.file.bytes());
        let ending = self.ending(&range)?;
        let at_end = range.end == file.len() && !self.file.is_terminated();
        let start = file.get(range.start).map_or(bytes.len(), |line| line.start);
        let end = range.clone().last().map_or(start, |line| file[line].next);
        let mut out = lines.iter().flat_map(|line| [line, ending]).collect::<Vec<_>>().concat();
        let mut range = start..end;
        if at_end {
            // The last line of the file has no ending: neither gets the new last line.
            if start == bytes.len() {
                out.splice(0..0, ending.iter().copied());
            }
            if lines.is_empty() && start > 0 {
                range.start = self.before(start);
            } else {
                out.truncate(out.len() - ending.len());
            }
        }
        Ok((bytes[range.clone()] != out[..]).then_some((range, out)))
    }

    /// Where the text of the line before the one that starts at `start` ends.
    fn before(&self, start: usize) -> usize {
        let line = self.file.lines().partition_point(|line| line.start < start);
        line.checked_sub(1).map_or(start, |line| self.file.lines()[line].end)
    }

    /// The line ending of the lines that are replaced, or of those beside an insertion.
    fn ending(&self, range: &Range<usize>) -> Result<&'s [u8], Why> {
        let lines = self.file.lines();
        let around = if range.is_empty() {
            range.start.saturating_sub(1)..(range.end + 1).min(lines.len())
        } else {
            range.clone()
        };
        let endings = |range: Range<usize>| {
            let mut kinds: Vec<&'s [u8]> = range
                .map(|line| &self.file.bytes()[lines[line].end..lines[line].next])
                .filter(|e| !e.is_empty())
                .collect();
            kinds.sort_unstable();
            kinds.dedup();
            kinds
        };
        match endings(around)[..] {
            [one] => Ok(one),
            [] => {
                let all = endings(range.start.saturating_sub(1)..lines.len().min(range.end + 1));
                Ok(all.first().copied().unwrap_or(b"\n"))
            }
            _ => Err(Why::MixedEndings(self.found.lines())),
        }
    }
}

impl Alignment<'_> {
    /// The changes, each read at the line where its place is clear.
    ///
    /// An insertion may be read a line further up or down where that comes to the same text. If one such reading is beside
    /// blank lines that the request does not have, another one counts only where the inserted lines bring a blank line of
    /// their own at that side: the file's would be a second one. Otherwise, and for deletions, it is undecidable to which
    /// side the file's blank lines belong. `None` then.
    fn at_clear_places(&self, hunks: Vec<Hunk>) -> Option<Vec<Hunk>> {
        let mut out: Vec<Hunk> = Vec::with_capacity(hunks.len());
        for (i, hunk) in hunks.iter().enumerate() {
            let floor = out.last().map_or(0, |last| last.old.end + 1);
            let ceiling = hunks.get(i + 1).map_or(self.old.len(), |next| next.old.start.saturating_sub(1));
            let up =
                std::iter::successors(self.slid_up(hunk), |h| self.slid_up(h)).take_while(|h| h.old.start >= floor);
            let down =
                std::iter::successors(self.slid_down(hunk), |h| self.slid_down(h)).take_while(|h| h.old.end <= ceiling);
            let all: Vec<Hunk> = std::iter::once(hunk.clone()).chain(up).chain(down).collect();
            let clear = |h: &&Hunk| self.boundary(h.old.start).is_some() && self.boundary(h.old.end).is_some();
            let unclear: Vec<&Hunk> = all.iter().filter(|h| !clear(h)).collect();
            let place = match unclear[..] {
                [] => Some(hunk),
                [one] if hunk.old.is_empty() => {
                    all.iter().filter(clear).find(|h| self.brings_a_blank(h, one.old.start))
                }
                _ => None,
            };
            out.push(place?.clone());
        }
        Some(out)
    }

    /// Whether an insertion that is read some lines away from the unclear place before line `gap` of old has a blank line
    /// where it would touch that place if it were read there.
    fn brings_a_blank(&self, Hunk { old, new }: &Hunk, gap: usize) -> bool {
        let (near, distance) = match old.start.cmp(&gap) {
            std::cmp::Ordering::Less => (Some(new.start + (gap - old.start)), gap - old.start),
            std::cmp::Ordering::Greater => (new.end.checked_sub(old.start - gap + 1), old.start - gap),
            std::cmp::Ordering::Equal => return false,
        };
        let passed = if old.start < gap { old.start..gap } else { gap..old.start };
        let lines_known = self.at[passed].iter().all(|at| matches!(at, At::Line(_)));
        let is_blank = |line: usize| self.new.get(line).is_some_and(|line| fold::trim(line).is_empty());
        lines_known && new.len() > distance && near.is_some_and(is_blank)
    }

    /// The same insertion or deletion read one line further up.
    fn slid_up(&self, Hunk { old, new }: &Hunk) -> Option<Hunk> {
        let (o, n) = (old.start.checked_sub(1)?, new.start.checked_sub(1)?);
        let same = match (old.is_empty(), new.is_empty()) {
            (true, false) => self.new[n] == self.new[new.end - 1],
            (false, true) => self.old[o] == self.old[old.end - 1],
            _ => false,
        };
        (same && self.old[o] == self.new[n]).then(|| Hunk { old: o..old.end - 1, new: n..new.end - 1 })
    }

    /// The same insertion or deletion read one line further down.
    fn slid_down(&self, Hunk { old, new }: &Hunk) -> Option<Hunk> {
        let (o, n) = (self.old.get(old.end)?, self.new.get(new.end)?);
        let same = match (old.is_empty(), new.is_empty()) {
            (true, false) => n == &self.new[new.start],
            (false, true) => o == &self.old[old.start],
            _ => false,
        };
        (same && o == n).then(|| Hunk { old: old.start + 1..old.end + 1, new: new.start + 1..new.end + 1 })
    }

    /// The file's bytes for a line of old; `None` where it is unclear which they are.
    fn ours(&self, file: &Source<'_>, line: usize) -> Option<Vec<u8>> {
        match self.at[line] {
            At::Line(at) => Some(file.text(at).to_vec()),
            At::Mark | At::Unclear => None,
        }
    }

    /// The line of the file before which something goes that goes before this line of old; `None` where the file has more
    /// or fewer blank lines there.
    fn boundary(&self, line: usize) -> Option<usize> {
        let before = line.checked_sub(1).map(|line| self.at[line]);
        match (before, self.at.get(line)) {
            (Some(At::Line(a)), Some(At::Line(b))) => (a + 1 == *b).then_some(*b),
            (None | Some(At::Mark), Some(At::Line(b))) => Some(*b),
            (Some(At::Line(a)), None | Some(At::Mark)) => Some(a + 1),
            _ => None,
        }
    }
}
