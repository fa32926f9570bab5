//! The three-way merge: what an edit old -> new changes, written onto the file's own lines.
//!
//! Owns turning a place into replacements. Invariants: lines equal in old and new keep the file's bytes; every line written
//! comes from new, indented by the rule of [`super::rules`] or as the line it replaces, in the file's own typography where it
//! keeps the old text, with the line ending of its surroundings; where it is undecidable which bytes are meant, there is none
//! but a [`Why`].

use super::alignment::{Alignment, At};
use super::change::{Hunk, Readings, changes};
use super::indent::Rule;
use super::rules::Rules;
use super::sides::Sides;
use super::typography;
use crate::matcher::elision;
use crate::matcher::fold;
use crate::matcher::found::{Odd, Why};
use crate::matcher::reading;
use crate::patch::Replacement;
use std::ops::Range;

/// How many of a hundred characters of a line another has at its ends that may have become of it.
const ALIKE: usize = 50;

/// What carries old -> new over to the file.
///
/// # Errors
/// [`Why`] the result is not certain.
pub fn write(sides: Sides<'_>) -> Result<Vec<Replacement>, Why> {
    let at = sides.found.lines();
    let map = Alignment::new(&sides)?;
    let hunks = changes(&map.old, &map.new).ok_or_else(|| Why::TooLarge(at.clone()))?;
    let hunks = map.at_clear_places(hunks).ok_or_else(|| Why::Blank(at.clone()))?;
    if sides.is_misquoted_near(&map, &hunks) {
        return Err(Why::OneLine(at));
    }
    let rules = Rules::new(sides, &map, &hunks);
    let mut replacements = Vec::new();
    for hunk in &hunks {
        let range = sides.target(&map, hunk)?;
        let lines = match rules.of(hunk) {
            Ok(rule) => sides.by_rule(&rule, &map, hunk),
            Err(why) => sides.line_for_line(&map, hunk)?.ok_or(why),
        }?;
        replacements.extend(sides.replacement(range, &lines)?);
    }
    if replacements.is_empty() { Err(Why::Same(at)) } else { Ok(replacements) }
}

impl<'s> Sides<'s> {
    /// Whether a line that was misquoted goes, or stands beside what changes: it may then be another place, or another text.
    fn is_misquoted_near(&self, map: &Alignment<'_>, hunks: &[Hunk]) -> bool {
        let Some(&(odd, Odd::Misquoted)) = self.found.odd.as_ref() else { return false };
        let line = At::Line(self.found.pairs[odd].1);
        let Some(at) = map.at.iter().position(|at| *at == line) else { return true };
        hunks.iter().any(|hunk| hunk.old.start < at + 2 && at < hunk.old.end + 1)
    }

    /// The lines of a change, indented by a rule.
    fn by_rule(&self, rule: &Rule, map: &Alignment<'_>, hunk: &Hunk) -> Result<Vec<Vec<u8>>, Why> {
        hunk.new
            .clone()
            .map(|n| {
                let Some(kept) = self.kept(map, hunk, n)? else { return self.moved(rule, map, n) };
                let indent = rule.turn(fold::indent(map.new[n])).ok_or_else(|| Why::Indentation(self.found.lines()))?;
                let end = &map.new[n][fold::trim_end(map.new[n]).len()..];
                Ok([&indent, &kept[..], end].concat())
            })
            .collect()
    }

    /// The text of a line of new in the characters of the file, where its line of old was folded to be found.
    fn kept(&self, map: &Alignment<'_>, hunk: &Hunk, n: usize) -> Result<Option<Vec<u8>>, Why> {
        let unclear = || Why::Typography(self.found.lines());
        let ours = |o: usize| match map.at[o] {
            At::Line(line) => Some(self.file.text(line)),
            At::Mark | At::Unclear => None,
        };
        let is_folded = |o: &usize| ours(*o).is_some_and(|ours| fold::is_folded(map.old[*o], ours));
        if !self.certain || !hunk.old.clone().any(|o| is_folded(&o)) {
            return Ok(None);
        }
        let likeness = |o: &usize| typography::likeness(map.old[*o], map.new[n]);
        let own = hunk.old.start + (n - hunk.new.start);
        let of = if hunk.old.len() == hunk.new.len() { own..own + 1 } else { hunk.old.clone() };
        // A line that was written anew keeps nothing.
        let Some(o) = of.filter(|o| likeness(o) >= ALIKE).max_by_key(likeness) else { return Ok(None) };
        let Some(ours) = ours(o).filter(|_| is_folded(&o)) else { return Ok(None) };
        typography::kept(map.old[o], map.new[n], ours).map_err(|_| unclear())
    }

    /// The lines of a change of as many lines as before, where each new one was sent with the indentation of its old one:
    /// it gets the indentation of the line of the file that it replaces, whatever explains the others. `None` where that
    /// is not so, or a line may be another one of old that has moved.
    fn line_for_line(&self, map: &Alignment<'_>, hunk: &Hunk) -> Result<Option<Vec<Vec<u8>>>, Why> {
        let odd = self.found.odd.as_ref().map(|odd| self.found.pairs[odd.0].1);
        let mut lines = Vec::with_capacity(hunk.new.len());
        for (o, n) in hunk.old.clone().zip(hunk.new.clone()) {
            let (theirs, new) = (map.old[o], map.new[n]);
            let ours = match map.at[o] {
                At::Line(line) if Some(line) != odd => self.file.text(line),
                At::Line(_) | At::Mark | At::Unclear => return Ok(None),
            };
            let is_its_line = hunk.old.len() == hunk.new.len()
                && !fold::trim(new).is_empty()
                && fold::indent(theirs) == fold::indent(new)
                && !map.old.iter().any(|old| fold::trim(old) == fold::trim(new));
            if !is_its_line {
                return Ok(None);
            }
            self.check_text(new)?;
            lines.push([fold::indent(ours), &new[fold::indent(new).len()..]].concat());
        }
        Ok((!lines.is_empty()).then_some(lines))
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
        // Blank lines that only the file has, between two lines that are written anew: nobody says between which new ones.
        let is_parted = |pair: &[At]| matches!(pair, [At::Line(one), At::Line(next)] if *next > one + 1);
        if !hunk.new.is_empty() && map.at[hunk.old.clone()].windows(2).any(is_parted) {
            return Err(unclear());
        }
        let start = map.boundary(hunk.old.start).ok_or_else(unclear)?;
        let end = map.boundary(hunk.old.end).ok_or_else(unclear)?;
        Ok(start..end)
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
    pub(super) fn line(&self, rule: &Rule, line: &[u8]) -> Result<Vec<u8>, Why> {
        let at = || self.found.lines();
        if fold::trim(line).is_empty() {
            // Whether white space alone was indented with the rest is not to be told.
            let clear = *rule == Rule::Same && !self.agent_adds_line_ends();
            let certain = clear || line.is_empty() || !self.certain;
            return if certain { Ok(line.to_vec()) } else { Err(Why::Indentation(at())) };
        }
        self.check_text(line)?;
        let indent = fold::indent(line);
        let turned = rule.turn(indent).ok_or_else(|| Why::Indentation(at()))?;
        Ok([&turned, &line[indent.len()..]].concat())
    }

    /// Refuses a line of new whose text cannot be meant as it was sent.
    fn check_text(&self, line: &[u8]) -> Result<(), Why> {
        let at = || self.found.lines();
        if elision::is_mark(line) {
            return Err(Why::Placeholder(at()));
        }
        if let Some((_, Odd::Typo(word))) = &self.found.odd
            && memchr::memmem::find(line, word).is_some()
        {
            return Err(Why::OddChanged(at()));
        }
        if self.certain && self.is_escaped(line) {
            return Err(Why::Escapes(at()));
        }
        if fold::has_typography(line) && self.agent_is_smart() {
            return Err(Why::Typography(at()));
        }
        if self.certain && fold::trim_end(line).len() < line.len() && self.agent_adds_line_ends() {
            return Err(Why::Typography(at()));
        }
        Ok(())
    }

    /// Whether a line of new is escaped where the place is not: it starts with an escaped tab, or is all of new and has
    /// escapes outside quotes. Of several lines, one may lie in a string that starts further up.
    fn is_escaped(&self, line: &[u8]) -> bool {
        let text = fold::trim(line);
        let starts = text.starts_with(br"\t") || text.starts_with(br"\n");
        let is_all = self.new.lines().len() == 1 && reading::has_bare_escape(line);
        let is_known = |line: usize| reading::has_bare_escape(self.file.text(line));
        (starts || is_all) && !self.found.lines().any(is_known)
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
    pub(super) fn replacement(&self, range: Range<usize>, lines: &[Vec<u8>]) -> Result<Option<Replacement>, Why> {
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
