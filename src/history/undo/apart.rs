//! Which of several files that somebody moved about is the one of a record, told by the lines that only it can have.
//!
//! Owns that story, over all files at once: what git had of each, what each record met and left, and what is there now. Reads nothing.
//! Invariant: a file is told only where it alone has lines that came into the record's one with the record, or later; where it is more like
//! that one than like any other; and where every other file that is like it is more like one that is known. Whatever reads as a copy, or as
//! lines that somebody carried to another file, tells nothing.

use super::likeness::{LinesOnce, are_partly_one, are_versions};
use super::moved::only_one;
use crate::path::RepoPath;
use crate::text::{has_word, split_lines};
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// What a record did to one file.
pub(super) struct Deed<'t> {
    /// The name under which it met it, and the one that it left it with.
    pub(super) names: [&'t RepoPath; 2],
    pub(super) before: Option<&'t [u8]>,
    pub(super) after: Option<&'t [u8]>,
    /// Which of the older deeds it took back, or did again.
    pub(super) inverts: Vec<usize>,
}

/// A file that there is.
pub(super) struct Present {
    pub(super) path: RepoPath,
    pub(super) text: Vec<u8>,
}

/// All that is known of files.
pub(super) struct Scene<'t> {
    /// What git had of the files that are otherwise now.
    pub(super) had: Vec<(&'t RepoPath, &'t [u8])>,
    /// What records did, oldest first.
    pub(super) deeds: Vec<Deed<'t>>,
    /// Which of these is the one that is asked of.
    pub(super) own: usize,
    /// The files that are there, and not just as git had them.
    pub(super) present: Vec<Present>,
    /// The name that the log has for the file.
    pub(super) name: &'t RepoPath,
}

/// What is told of the files that are there, each by its index.
#[derive(Default)]
pub(super) struct Told {
    /// The record's own.
    pub(super) own: Option<usize>,
    /// What records did to that, from the one that is asked of on.
    pub(super) deeds: Vec<usize>,
    /// Those that have lines which came into it with the record, or since, and are no older versions of it: of several all but one are
    /// copies, or have some of its lines.
    pub(super) marked: Vec<usize>,
    /// Whether the one is at a name of git's, and what git had there is nowhere.
    pub(super) is_over: bool,
    /// Those that are others for certain.
    pub(super) others: Vec<usize>,
}

/// A file with all that was ever seen of it.
#[derive(Default)]
struct Identity<'t> {
    texts: Vec<&'t [u8]>,
    /// The names that git and records had it under, the newest last.
    names: Vec<&'t RepoPath>,
    deeds: Vec<usize>,
    /// Whether it may be the record's own.
    is_in_doubt: bool,
}

/// The files, as far as their story is told.
struct Story<'t> {
    known: Vec<Identity<'t>>,
    /// The record's own file, once it is met, and how many of its texts are older than what the record left.
    own: Option<(usize, usize)>,
    marks: Marks<'t>,
    lines: LinesOfAll,
}

/// The lines of each text that was looked at: all are compared with all. The texts of a scene stay where they are.
#[derive(Default)]
struct LinesOfAll(RefCell<HashMap<*const [u8], Rc<LinesOnce>>>);

impl LinesOfAll {
    fn of(&self, text: &[u8]) -> Rc<LinesOnce> {
        let mut known = self.0.borrow_mut();
        Rc::clone(known.entry(text).or_insert_with(|| Rc::new(LinesOnce::of(text))))
    }

    fn distance(&self, one: &[u8], other: &[u8]) -> usize {
        self.of(one).distance(&self.of(other))
    }
}

/// The lines that came into the record's own file with the record, or since, and that no other file had, nor that one before.
#[derive(Default)]
struct Marks<'t> {
    own: HashSet<&'t [u8]>,
    others: HashSet<&'t [u8]>,
}

impl Marks<'_> {
    fn are_in(&self, text: &[u8]) -> bool {
        lines(text).any(|line| self.own.contains(line) && !self.others.contains(line))
    }
}

/// What the files that there are tell of a record's own; none where it is in doubt what became of it in the log.
pub(super) fn tell(scene: &Scene<'_>) -> Option<Told> {
    let mut story = Story { known: Vec::new(), own: None, marks: Marks::default(), lines: LinesOfAll::default() };
    for (name, text) in &scene.had {
        story.known.push(Identity { texts: vec![text], names: vec![name], ..Identity::default() });
        story.marks.others.extend(lines(text));
    }
    for n in 0..scene.deeds.len() {
        story.go_on(scene, n)?;
    }
    let (own, _) = story.own?;
    let all = || scene.present.iter().enumerate();
    let marked: Vec<usize> = all().filter(|(_, there)| story.marks.are_in(&there.text)).map(|(n, _)| n).collect();
    let is_left = scene.present.iter().any(|there| story.known[own].texts.last() == Some(&&there.text[..]));
    let is_other = |text: &[u8]| story.is_just_another(own, text) || (is_left && !story.is_version(own, text));
    let others = all().filter(|(_, there)| is_other(&there.text)).map(|(n, _)| n).collect();
    let deeds = story.known[own].deeds.iter().copied().filter(|n| *n >= scene.own).collect();
    let found = only_one(marked.clone());
    let found = found.filter(|at| story.is_told(scene, own, *at));
    // One that was like the record's own, and is where it was, may have been edited just so.
    let found = found.filter(|at| !(story.is_over(scene, *at) && story.was_like(scene, own, *at)));
    // Another one may be it as well, that nobody could tell from it when a record met it.
    // So may one that is as near to that as to it, but for the name of its own that the found one has.
    let is_home = |at: usize| story.known[own].names.contains(&&scene.present[at].path);
    let is_doubtful = |at: usize, there: &Present| match story.nearest(&there.text) {
        Some(one) => story.known[one].is_in_doubt,
        None => !is_home(at) && story.is_in_doubt(&there.text),
    };
    let found = found.filter(|at| all().all(|(n, there)| n == *at || !is_doubtful(*at, there)));
    let is_over = found.is_some_and(|at| story.is_over(scene, at));
    let marked = marked.into_iter().filter(|n| !story.is_older(&scene.present[*n].text)).collect();
    Some(Told { own: found, deeds, marked, is_over, others })
}

impl<'t> Story<'t> {
    /// Whether the one file that has marks is the record's own, as every other one is known for another.
    fn is_told(&self, scene: &Scene<'_>, own: usize, at: usize) -> bool {
        let only = self.own_lines(own);
        let is_home = self.known[own].names.contains(&&scene.present[at].path);
        let accounts = scene.present.iter().map(|there| self.accounts_for(&there.text)).collect::<Vec<_>>();
        // Where another one is still at a name of its own, or came to two, somebody may have copied that one over the record's.
        let is_copied_over = |of: usize| {
            let is_of = |(_, other): &(&Present, &Option<usize>)| **other == Some(of);
            let mut all = scene.present.iter().zip(&accounts).filter(is_of);
            let names = &self.known[of].names;
            match names.contains(&scene.name) {
                true => all.count() > 1,
                false => all.any(|(one, _)| names.contains(&&one.path)),
            }
        };
        let is_known = |(n, there): (usize, &Present)| match accounts[n] {
            _ if n == at => true,
            Some(of) => there.path != *scene.name || is_home || !is_copied_over(of),
            None => there.path != *scene.name && !self.is_kin((own, &only), &there.text),
        };
        self.nearest(&scene.present[at].text) == Some(own) && scene.present.iter().enumerate().all(is_known)
    }

    /// Whether a file is where git had another one, which is nowhere now.
    fn is_over(&self, scene: &Scene<'_>, at: usize) -> bool {
        let had = scene.had.iter().position(|(path, _)| **path == scene.present[at].path);
        had.is_some_and(|had| scene.present.iter().all(|there| self.nearest(&there.text) != Some(had)))
    }

    /// Whether git had a file like the record's own where one is.
    fn was_like(&self, scene: &Scene<'_>, own: usize, at: usize) -> bool {
        scene.had.iter().any(|(path, text)| **path == scene.present[at].path && self.is_version(own, text))
    }

    /// Whether a text is to the byte one that was seen of another file, and never of the record's own.
    fn is_just_another(&self, own: usize, text: &[u8]) -> bool {
        let has_it = |one: &Identity<'_>| one.texts.contains(&text);
        let is_another = |one: &Identity<'_>| has_it(one) && !one.is_in_doubt;
        !text.is_empty() && !has_it(&self.known[own]) && self.known.iter().any(is_another)
    }

    /// What the next record did; none where it leaves in doubt which file is the record's own.
    fn go_on(&mut self, scene: &Scene<'t>, n: usize) -> Option<()> {
        let deed = &scene.deeds[n];
        let who = match deed.before {
            Some(met) => self.who(deed, met)?,
            None => deed.inverts.iter().find_map(|inverted| self.did(*inverted)).or_else(|| self.made(deed)),
        };
        let who = who.unwrap_or_else(|| {
            // One that nobody knows may be the record's own, of which somebody changed most: it has lines that only that had.
            let may_be = |(own, _), met| self.is_version(own, met) || self.is_kin((own, &self.own_lines(own)), met);
            let is_in_doubt = deed.before.is_some_and(|met| self.own.is_some_and(|own| may_be(own, met)));
            self.known.push(Identity { is_in_doubt, ..Identity::default() });
            self.known.len() - 1
        });
        let identity = &mut self.known[who];
        identity.texts.extend(deed.before.filter(|met| identity.texts.last() != Some(met)));
        let is_later = self.own.is_some_and(|(own, _)| own == who);
        let marks = &mut self.marks;
        let met = if is_later { &mut marks.own } else { &mut marks.others };
        met.extend(deed.before.into_iter().flat_map(lines));
        if n == scene.own {
            self.own = Some((who, identity.texts.len()));
        }
        let left = if is_later || n == scene.own { &mut marks.own } else { &mut marks.others };
        left.extend(deed.after.into_iter().flat_map(lines));
        identity.texts.extend(deed.after);
        identity.names.extend(deed.names);
        identity.deeds.push(n);
        Some(())
    }

    /// Which file had a deed done to it.
    fn did(&self, deed: usize) -> Option<usize> {
        self.known.iter().position(|one| one.deeds.contains(&deed))
    }

    /// Which file a record made that git has had under its name since.
    fn made(&self, deed: &Deed<'t>) -> Option<usize> {
        let after = deed.after.filter(|_| self.own.is_none())?;
        let is_it = |one: &Identity<'_>| one.deeds.is_empty() && one.names == [deed.names[1]];
        let one = self.known.iter().position(is_it)?;
        self.is_version(one, after).then_some(one)
    }

    /// Which file a record met, if it is one of those that are known; none at all where that is in doubt of the record's own.
    fn who(&mut self, deed: &Deed<'t>, met: &[u8]) -> Option<Option<usize>> {
        // Who took others back knew which file it was.
        let as_left = self.as_left(deed, met);
        if let Some(one) = deed.inverts.iter().find_map(|inverted| self.did(*inverted)) {
            as_left.into_iter().for_each(|other| self.are_one(one, other));
            return self.is_version(one, met).then_some(Some(one));
        }
        let found = as_left.or_else(|| self.nearest(met));
        let Some((own, _)) = self.own else {
            // What is like nothing that is known is the file that had the name, edited.
            let at_name = || self.known.iter().position(|one| one.names.last() == Some(&deed.names[0]));
            return Some(found.or_else(at_name));
        };
        let is_marked = self.marks.are_in(met);
        let is_at_name = self.known[own].names.last() == Some(&deed.names[0]);
        match found {
            // A version of before what was left last is a copy, or was one.
            Some(one) if one == own && (is_at_name || is_marked) => (!self.is_older(met)).then_some(found),
            // At a name of old there is what the own one was copied from, or came back.
            Some(one) if one == own && self.known[own].names.contains(&deed.names[0]) => None,
            // Without a mark it may be the one of which the own one was a copy.
            Some(one) if one == own => Some(None),
            Some(_) | None => (!is_marked).then_some(found),
        }
    }

    /// Two that were taken for two are one file. The lines of the other one stay without worth as marks.
    fn are_one(&mut self, one: usize, other: usize) {
        if one == other || self.own.is_some_and(|(own, _)| own == other) {
            return;
        }
        let Identity { texts, names, deeds, .. } = std::mem::take(&mut self.known[other]);
        let known = &mut self.known[one];
        let older = if self.own.is_some_and(|(own, _)| own == one) { texts.len() } else { 0 };
        known.texts.splice(..0, texts);
        known.names.splice(..0, names);
        known.deeds.extend(deeds);
        known.deeds.sort_unstable();
        self.own = self.own.map(|(own, since)| (own, since + older));
    }

    /// The file that was left just so, at the name where it was met, or anywhere else.
    fn as_left(&self, deed: &Deed<'t>, met: &[u8]) -> Option<usize> {
        let is_as_left = |one: &Identity<'_>| one.texts.last() == Some(&met);
        let is_there = |one: &Identity<'_>| one.names.last() == Some(&deed.names[0]) && is_as_left(one);
        let all = || (0..self.known.len()).filter(|n| is_as_left(&self.known[*n]));
        let mut there = all().filter(|n| is_there(&self.known[*n]));
        match (there.next(), there.next()) {
            (Some(one), None) if all().count() == 1 => Some(one),
            _ => None,
        }
    }

    /// Whether an older text of the own file is nearer to one than the text that was left last.
    fn is_older(&self, met: &[u8]) -> bool {
        let Some((own, since)) = self.own else { return false };
        let Some((last, older)) = self.known[own].texts.split_last() else { return false };
        let to_last = self.lines.distance(met, last);
        older.iter().skip(since).any(|text| self.lines.distance(met, text) < to_last)
    }

    /// How far a text is from what was seen of a file.
    fn distance(&self, one: usize, text: &[u8]) -> Option<usize> {
        self.known[one].texts.iter().map(|seen| self.lines.distance(text, seen)).min()
    }

    /// The file of which a text is a version, and to which it is nearer than to any other.
    fn nearest(&self, text: &[u8]) -> Option<usize> {
        let mut all: Vec<_> = (0..self.known.len()).filter_map(|n| Some((self.distance(n, text)?, n))).collect();
        all.sort_unstable();
        let (least, one) = *all.first()?;
        let is_alone = all.get(1).is_none_or(|(next, _)| *next > least);
        (is_alone && self.is_version(one, text)).then_some(one)
    }

    /// Whether a text is as near to one that may be the record's own file as to any that is known.
    fn is_in_doubt(&self, text: &[u8]) -> bool {
        let least = (0..self.known.len()).filter_map(|n| self.distance(n, text)).min();
        let is_it = |n: &usize| self.known[*n].is_in_doubt && self.distance(*n, text) == least;
        (0..self.known.len()).filter(is_it).any(|n| self.is_version(n, text))
    }

    fn is_version(&self, one: usize, text: &[u8]) -> bool {
        self.known[one].texts.iter().any(|seen| *seen == text || are_versions(seen, text))
    }

    /// The other file that a text is, as far as it can be told from the record's own.
    fn accounts_for(&self, text: &[u8]) -> Option<usize> {
        let (own, _) = self.own?;
        self.nearest(text).filter(|one| *one != own && !self.known[*one].is_in_doubt)
    }

    /// The lines that only the record's own file ever had.
    fn own_lines(&self, own: usize) -> HashSet<&'t [u8]> {
        let of = |is_own: bool| {
            let known = self.known.iter().enumerate().filter(move |(n, _)| (*n == own) == is_own);
            known.flat_map(|(_, one)| &one.texts).flat_map(|text| lines(text))
        };
        let mut own: HashSet<_> = of(true).collect();
        of(false).for_each(|line| {
            own.remove(line);
        });
        own
    }

    /// Whether a text may have to do with the record's own file, which alone has these lines.
    fn is_kin(&self, (own, only): (usize, &HashSet<&[u8]>), text: &[u8]) -> bool {
        lines(text).any(|line| only.contains(line))
            && self.known[own].texts.iter().any(|seen| are_partly_one(seen, text))
    }
}

/// The lines of a text that hold a word, without the white space around them.
fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    split_lines(text).map(<[u8]>::trim_ascii).filter(|line| has_word(line))
}

#[cfg(test)]
mod tests;
