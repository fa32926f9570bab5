//! By which rule the lines of each change are indented.
//!
//! Owns the proof of a rule: that it explains every matched line, or those around the change, and that new was written at
//! the depth of old. Does not write. Invariant: where another indentation could be meant as well, there is a [`Why`].

use super::alignment::{Alignment, At};
use super::change::Hunk;
use super::indent::Rule;
use super::opens::{self, Line};
use super::sides::Sides;
use crate::matcher::fold;
use crate::matcher::found::Why;
use crate::text::is_of_word;

/// The rules of the changes of one edit.
#[derive(Debug)]
pub(super) struct Rules<'m, 's> {
    sides: Sides<'s>,
    map: &'m Alignment<'s>,
    hunks: &'m [Hunk],
    /// The one that explains every matched line.
    whole: Result<Rule, Why>,
}

/// The indentation of a line of old, and of its line of the file.
type Pair<'s> = (&'s [u8], &'s [u8]);

impl<'m, 's> Rules<'m, 's> {
    pub(super) fn new(sides: Sides<'s>, map: &'m Alignment<'s>, hunks: &'m [Hunk]) -> Self {
        let mut rules = Self { sides, map, hunks, whole: Ok(Rule::Same) };
        rules.whole = rules.of_all();
        rules
    }

    /// The rule for the lines of a change.
    ///
    /// # Errors
    /// [`Why`] there is none that is certain.
    pub(super) fn of(&self, hunk: &Hunk) -> Result<Rule, Why> {
        let rule = match &self.whole {
            Ok(rule) => rule.clone(),
            Err(Why::Indentation(_)) if self.sides.certain => self.of_piece(hunk)?,
            Err(why) => return Err(why.clone()),
        };
        self.check_frame(&rule, hunk)?;
        self.check_slides(&rule, hunk)?;
        Ok(rule)
    }

    /// The one rule that explains the indentation of every matched line.
    fn of_all(&self) -> Result<Rule, Why> {
        let Sides { file, old, found, certain, old_only, .. } = self.sides;
        let odd = found.odd.as_ref().map(|odd| odd.0);
        let matched = |i: usize, (theirs, ours): (usize, usize)| match certain {
            true => Some(i) != odd,
            false => old.key(theirs) == file.key(ours),
        };
        let pairs: Vec<Pair<'_>> = found
            .pairs
            .iter()
            .enumerate()
            .filter(|&(i, &pair)| matched(i, pair))
            .map(|(_, &(theirs, ours))| (fold::indent(old.text(theirs)), fold::indent(file.text(ours))))
            .collect();
        let rule = Rule::of(&pairs).ok_or_else(|| Why::Indentation(found.lines()))?;
        if !certain || !rule.moves() {
            return if old_only && certain && rule != Rule::Same { Err(Why::Frame(found.lines())) } else { Ok(rule) };
        }
        if old_only {
            return Err(Why::Frame(found.lines()));
        }
        let telling = |&&(line, _): &&(usize, usize)| fold::word_chars(old.text(line)) > 0;
        let are_few = pairs.len() <= 2 || found.pairs.iter().filter(telling).count() <= 1;
        if are_few && !self.is_written_at_the_depth_of_old() {
            return Err(Why::Depth(found.lines()));
        }
        if self.may_be_scaled(&pairs) {
            return Err(Why::Indentation(found.lines()));
        }
        Ok(rule)
    }

    /// The rule of a text that is shifted in two ways, where the lines that stay on both sides of a change, and those that
    /// go, are all shifted alike.
    fn of_piece(&self, hunk: &Hunk) -> Result<Rule, Why> {
        let unclear = || Why::Indentation(self.sides.found.lines());
        let stays = |line: &usize| !self.hunks.iter().any(|hunk| hunk.old.contains(line));
        let pair = |line: usize| self.pair(line);
        let above = (0..hunk.old.start).rev().filter(stays).find_map(pair).ok_or_else(unclear)?;
        let below = (hunk.old.end..self.map.old.len()).filter(stays).find_map(pair).ok_or_else(unclear)?;
        let mut pairs: Vec<Pair<'_>> = hunk.old.clone().filter_map(pair).collect();
        pairs.extend([above, below]);
        let shifts: Vec<Rule> = (0..self.map.old.len()).filter_map(pair).filter_map(|pair| Rule::of(&[pair])).collect();
        let mut kinds: Vec<&Rule> = Vec::new();
        for shift in &shifts {
            if !kinds.contains(&shift) {
                kinds.push(shift);
            }
        }
        match Rule::of(&pairs) {
            Some(rule) if kinds.len() <= 2 && !self.sides.old_only && !self.may_be_scaled(&pairs) => Ok(rule),
            _ => Err(unclear()),
        }
    }

    /// The indentations of a line of old that stands in the file for certain.
    fn pair(&self, line: usize) -> Option<Pair<'s>> {
        let Sides { file, found, .. } = self.sides;
        let odd = found.odd.as_ref().map(|odd| found.pairs[odd.0].1);
        match self.map.at[line] {
            At::Line(at) if Some(at) != odd && !fold::trim(self.map.old[line]).is_empty() => {
                Some((fold::indent(self.map.old[line]), fold::indent(file.text(at))))
            }
            At::Line(_) | At::Mark | At::Unclear => None,
        }
    }

    /// Whether new shows that it was written at the depth of old: a line of both stays, or both start at the same depth.
    fn is_written_at_the_depth_of_old(&self) -> bool {
        let Sides { old, new, .. } = self.sides;
        let stays = |line: usize| !self.hunks.iter().any(|hunk| hunk.old.contains(&line));
        let is_context = (0..self.map.old.len()).any(|line| self.pair(line).is_some() && stays(line));
        let first = |lines: &[usize]| lines.first().copied();
        let starts_alike = match (first(old.solid()), first(new.solid())) {
            (Some(theirs), Some(line)) => fold::indent(old.text(theirs)) == fold::indent(new.text(line)),
            (None, _) | (_, None) => false,
        };
        is_context || starts_alike
    }

    /// Whether the matched lines are all at one depth, which is not the outermost in either text, and new has lines at
    /// another: a prefix and another width of indentation then explain the same lines, but not the new ones. A tab has no
    /// other width.
    fn may_be_scaled(&self, pairs: &[Pair<'_>]) -> bool {
        let &(theirs, ours) = &pairs[0];
        let has_blanks = theirs.contains(&b' ') || ours.contains(&b' ');
        let one_depth = !theirs.is_empty() && !ours.is_empty() && pairs.iter().all(|pair| pair.0 == theirs);
        let new = self.sides.new;
        has_blanks && one_depth && new.solid().iter().any(|&line| fold::indent(new.text(line)) != theirs)
    }

    /// Refuses where old and new may be indented by different rules: the added lines are not at home among the request's own
    /// lines, or could as well be at home among the file's as they stand. Whether new is to be shifted with the rest is then
    /// undecidable.
    fn check_frame(&self, rule: &Rule, hunk: &Hunk) -> Result<(), Why> {
        let is_blank = self.map.new[hunk.new.clone()].iter().all(|line| fold::trim(line).is_empty());
        if *rule == Rule::Same || !self.sides.certain || is_blank {
            return Ok(());
        }
        if self.is_written_in_other_blanks(rule, hunk) || self.is_moved_in_its_place(hunk) {
            return Err(Why::Frame(self.sides.found.lines()));
        }
        let back = usize::from(self.comes_back_at_its_depth(rule, hunk));
        let is_shifted = if rule.moves() {
            let shifted = |line: &[u8]| rule.turn(fold::indent(line)).map_or(0, |indent| indent.len());
            let as_sent = |line: &[u8]| fold::indent(line).len();
            let (sent, true_depth) = (self.home(hunk, as_sent), self.home(hunk, shifted));
            sent.is_some_and(|sent| true_depth.is_none_or(|true_depth| sent > true_depth + back))
        } else {
            back == 0
        };
        if is_shifted { Ok(()) } else { Err(Why::Frame(self.sides.found.lines())) }
    }

    /// Whether the text is shifted by tabs, and an added line is indented by blanks, as no line of old is: how wide a tab
    /// is then, nothing tells.
    fn is_written_in_other_blanks(&self, rule: &Rule, hunk: &Hunk) -> bool {
        let by_tabs = matches!(rule, Rule::Add(by) | Rule::Cut(by) if by.contains(&b'\t'));
        let has_blank = |line: &&[u8]| fold::indent(line).contains(&b' ') && !fold::trim(line).is_empty();
        let is_explained = |line: usize| {
            self.pair(line)
                .is_some_and(|(theirs, ours)| theirs.contains(&b' ') && rule.turn(theirs).as_deref() == Some(ours))
        };
        by_tabs && self.map.new[hunk.new.clone()].iter().any(has_blank) && !(0..self.map.old.len()).any(is_explained)
    }

    /// Whether, line for line, a new one starts with the same word as the one that it replaces, and was sent at another depth.
    fn is_moved_in_its_place(&self, hunk: &Hunk) -> bool {
        let word = |line: &'s [u8]| fold::trim(line).split(|&byte| !is_of_word(byte)).next().unwrap_or_default();
        let pairs = self.map.old[hunk.old.clone()].iter().zip(&self.map.new[hunk.new.clone()]);
        let is_moved = |(old, new): (&&'s [u8], &&'s [u8])| {
            !word(old).is_empty()
                && word(old) == word(new)
                && fold::trim(old) != fold::trim(new)
                && fold::indent(old) != fold::indent(new)
        };
        hunk.old.len() == hunk.new.len() && pairs.into_iter().any(is_moved)
    }

    /// Whether a line that goes comes back in new at the depth which it has in the file, and has not in old.
    fn comes_back_at_its_depth(&self, rule: &Rule, hunk: &Hunk) -> bool {
        self.map.old[hunk.old.clone()].iter().any(|theirs| {
            let (indent, key) = (fold::indent(theirs), fold::trim(theirs));
            let Some(ours) = rule.turn(indent).filter(|ours| ours != indent && !key.is_empty()) else { return false };
            self.map.new[hunk.new.clone()].iter().any(|new| fold::trim(new) == key && fold::indent(new) == ours)
        })
    }

    /// How many signs there are that the lines which a change adds, as deep as they were sent, belong among the others,
    /// which stand so deep; `None` where one of them cannot.
    fn home(&self, hunk: &Hunk, depth: impl Fn(&[u8]) -> usize) -> Option<usize> {
        let map = self.map;
        let is_solid = |line: &&[u8]| !fold::trim(line).is_empty();
        let is_new = |at: usize, line: &[u8]| hunk.new.contains(&at) && !map.old.contains(&line);
        let numbered = map.new.iter().enumerate().filter(|(_, line)| is_solid(line));
        let lines: Vec<Line<'_>> = numbered
            .map(|(at, line)| match is_new(at, line) {
                true => Line { text: line, depth: fold::indent(line).len(), is_added: true },
                false => Line { text: line, depth: depth(line), is_added: false },
            })
            .collect();
        let line_at = |text: &'s [u8], depth: usize| Line { text, depth, is_added: false };
        let solid = |lines: &[&'s [u8]]| lines.iter().copied().filter(is_solid).collect::<Vec<&'s [u8]>>();
        let (before, after) = (solid(&map.new[..hunk.new.start]), solid(&map.new[hunk.new.end..]));
        let (added, removed) = (solid(&map.new[hunk.new.clone()]), solid(&map.old[hunk.old.clone()]));
        let known = |line: Option<&&'s [u8]>| line.map(|line| line_at(line, depth(line)));
        let (above, below, was) = (known(before.last()), known(after.first()), known(removed.first()));
        let least = [above, below, was].into_iter().flatten().map(|line| line.depth).min().unwrap_or(0);
        let own = |line: &&'s [u8]| line_at(line, fold::indent(line).len());
        let is_out = |line: Line<'_>| line.depth < least || below.is_some_and(|below| opens::leaves(&line, &below));
        let is_out = opens::is_balanced(&added) && added.iter().map(own).any(is_out);
        if is_out || !opens::are_in_line(&lines) {
            return None;
        }
        let (Some(first), Some(last)) = (added.first().map(own), added.last().map(own)) else { return Some(0) };
        let signs = [
            above.is_some_and(|above| opens::follows(&above, &first)),
            below.is_some_and(|below| opens::follows(&last, &below)),
            was.is_some_and(|was| was.depth == first.depth),
            above.is_some_and(|above| above.depth == last.depth),
            below.is_some_and(|below| below.depth == first.depth),
        ];
        Some(signs.into_iter().filter(|sign| *sign).count())
    }

    /// Refuses where a change could as well be read one line further up or down, and the file would not be the same: the
    /// lines that it would pass over are equal in the request, but not in the file.
    fn check_slides(&self, rule: &Rule, Hunk { old, new }: &Hunk) -> Result<(), Why> {
        let (map, file) = (self.map, self.sides.file);
        let mut pairs = Vec::new();
        if old.is_empty() {
            let (at, lines) = (old.start, &map.new[new.clone()]);
            let up = (0..at).rev().zip(lines.iter().rev().cycle()).take_while(|&(o, n)| map.old[o] == *n);
            let down = (at..map.old.len()).zip(lines.iter().cycle()).take_while(|&(o, n)| map.old[o] == *n);
            for (line, text) in up.chain(down) {
                pairs.push((map.ours(file, line), Some(self.sides.line(rule, text)?)));
            }
        } else if new.is_empty() {
            let len = old.len();
            let up = (0..old.start).rev().map(|o| (o, o + len)).take_while(|&(a, b)| map.old[a] == map.old[b]);
            let down = (old.end..map.old.len()).map(|o| (o - len, o)).take_while(|&(a, b)| map.old[a] == map.old[b]);
            pairs.extend(up.chain(down).map(|(a, b)| (map.ours(file, a), map.ours(file, b))));
        }
        if pairs.iter().any(|(a, b)| a != b) { Err(Why::Slide(self.sides.found.lines())) } else { Ok(()) }
    }
}
