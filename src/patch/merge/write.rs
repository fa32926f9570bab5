//! The three-way merge: what an edit old -> new changes, written onto the file's own lines.
//!
//! Owns turning a place into replacements. Invariants: lines equal in old and new keep the file's bytes; every line written
//! comes from new, indented by the one rule of [`super::indent`], with the line ending of its surroundings; where it is
//! undecidable which bytes are meant, there is none but a [`Why`].

use super::alignment::{Alignment, At};
use super::change::{Hunk, Readings, changes};
use super::indent::Rule;
use super::sides::Sides;
use crate::matcher::elision;
use crate::matcher::fold;
use crate::matcher::found::{Odd, Why};
use crate::patch::Replacement;
use std::ops::Range;

/// What carries old -> new over to the file.
///
/// # Errors
/// [`Why`] the result is not certain.
pub fn write(sides: Sides<'_>) -> Result<Vec<Replacement>, Why> {
    let at = sides.found.lines();
    let rule = sides.rule()?;
    let map = Alignment::new(&sides)?;
    let hunks = changes(&map.old, &map.new).ok_or_else(|| Why::TooLarge(at.clone()))?;
    let hunks = map.at_clear_places(hunks).ok_or_else(|| Why::Blank(at.clone()))?;
    sides.check_frame(&rule, &map, &hunks)?;
    sides.check_slides(&rule, &map, &hunks)?;
    let mut replacements = Vec::new();
    for hunk in &hunks {
        let range = sides.target(&map, hunk)?;
        let lines: Vec<Vec<u8>> = hunk.new.clone().map(|n| sides.moved(&rule, &map, n)).collect::<Result<_, _>>()?;
        replacements.extend(sides.replacement(range, &lines)?);
    }
    if replacements.is_empty() { Err(Why::Same(at)) } else { Ok(replacements) }
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

    /// What puts `lines` in the place of a range of lines of the file; none where they are those lines.
    fn replacement(&self, range: Range<usize>, lines: &[Vec<u8>]) -> Result<Option<Replacement>, Why> {
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
        Ok(Some(Replacement { range, bytes: out }).filter(|replacement| replacement.changes(bytes)))
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
