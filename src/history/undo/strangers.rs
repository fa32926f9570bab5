//! Whether a text that stands at the name of a record's file, or where that file may have got, is another file.
//!
//! Owns that question, asked of what git had of other files when the record was made, and of what the log left in others.
//! Invariant: against what is at the file's own name, or was, only one speaks that is not at its own name any more, or where this one, or its text,
//! was met since; a copy beside it tells nothing. What the file was already when the record was made, it is.

use super::files::{Files, Had};
use super::left::Left;
use super::likeness::{are_partly_one, are_versions, bytes_apart, is_closer, is_nearer, share_a_change};
use super::log::{Known, Log};
use super::logged_files::{LoggedFile, LoggedFiles, MOST_LOOKED_BACK};
use super::names::met_in_turn;
use super::renames::Renames;
use super::step::is_text;
use crate::git::blob_id;
use crate::history::reader::Item;
use crate::id::BlobId;
use crate::path::RepoPath;
use crate::record::RecordFile;
use std::cell::OnceCell;
use std::cmp::Reverse;
use std::rc::Rc;

/// So many files that git had are looked at.
const MOST_LOOKED_AT: usize = 512;

/// So many texts are read that the log left in others, the newest first.
const MOST_READ: usize = 64;

/// What is so of a file of the log at a name.
type IsLogged<'a> = Box<dyn Fn(&RepoPath, &LoggedFile) -> bool + 'a>;

/// The working tree, git and the log.
pub(super) struct World<'a, 'l> {
    pub(super) files: &'a Files<'a>,
    pub(super) log: &'a Log<'l>,
    pub(super) renames: &'a Renames,
    /// The files that are otherwise now than git had them when the record was made, with what it had.
    pub(super) changed: Box<dyn Fn() -> Rc<Had> + 'a>,
    /// The files that HEAD got after the record and that are gone, with what HEAD has.
    pub(super) lost: Box<dyn Fn() -> Rc<Had> + 'a>,
    /// The names that the log has for the record's file.
    pub(super) names: Box<dyn Fn() -> Vec<RepoPath> + 'a>,
    /// Whether git knows a file beside the record's, in HEAD or in a commit since.
    pub(super) is_beside: Box<dyn Fn(&RepoPath) -> bool + 'a>,
    /// Whether a commit since took what the log has at a name from there, or another branch has it.
    pub(super) is_with_git: IsLogged<'a>,
    /// The one file that has exactly a text of this id and length.
    pub(super) with_text: Box<dyn Fn(BlobId, usize) -> Option<RepoPath> + 'a>,
}

/// The last that the log has of a record's file.
#[derive(Clone, Copy)]
pub(super) struct Last<'t> {
    /// What the last record met.
    pub(super) met: Option<&'t [u8]>,
    /// What it left.
    pub(super) left: &'t [u8],
}

/// A file in which the log left another text than the one that is at its name now, if any is.
struct Otherwise {
    left: Vec<u8>,
    now: Option<Vec<u8>>,
}

/// The files beside the one of a record.
pub(super) struct Strangers<'a, 'l> {
    world: World<'a, 'l>,
    left: &'a Left<'a>,
    own: OnceCell<Vec<RepoPath>>,
    own_had: OnceCell<Option<Vec<u8>>>,
    logged: OnceCell<LoggedFiles>,
    /// What the log left in files that are otherwise now, or gone.
    otherwise: OnceCell<Vec<Otherwise>>,
}

impl<'a, 'l> Strangers<'a, 'l> {
    /// Those beside a record's file.
    pub(super) fn beside(left: &'a Left<'a>, world: World<'a, 'l>) -> Self {
        Self {
            world,
            left,
            own: OnceCell::new(),
            own_had: OnceCell::new(),
            logged: OnceCell::new(),
            otherwise: OnceCell::new(),
        }
    }

    /// Whether the text that is at the file's name is one of them.
    pub(super) fn have(&self, now: &[u8], last: Last<'_>) -> bool {
        // What git had of the file itself was not brought from elsewhere.
        let is_as_git_had = || self.own_had().is_some_and(|had| had == now);
        self.was_exchanged(now)
            || self.was_exchanged_by_log(last.left)
            || (!is_as_git_had() && (self.came_over(now, last) || self.is_left_elsewhere(now, last.left)))
    }

    /// Whether what a record met at the file's name was one of them, just as git had it or an older record left it elsewhere. That one is not at
    /// its own name today, or a record met the file there.
    pub(super) fn was_met(&self, known: &Known, last: Last<'_>) -> bool {
        let Some(met) = known.texts.before().filter(|met| !met.is_empty()) else { return false };
        if are_partly_one(last.left, met) || self.own_had().is_some_and(|own| own == met) {
            return false;
        }
        let is_away = |path: &RepoPath, had: &[u8]| {
            let now = self.read(path);
            let is_gone = |now: Vec<u8>| !are_versions(had, &now) || is_closer(&now, last.left, had);
            now.is_none_or(is_gone) || self.was_found_at(path, last)
        };
        let changed = (self.world.changed)();
        let is_it = |(path, had): &(RepoPath, Vec<u8>)| had == met && self.is_other(path) && is_away(path, had);
        changed.iter().any(is_it) || self.left_elsewhere(known, met).iter().any(|path| is_away(path, met))
    }

    /// Whether a newer record met, under another name, just what was left last of the file.
    fn was_found_at(&self, path: &RepoPath, last: Last<'_>) -> bool {
        let id = blob_id(last.left);
        let is_it = |file: &RecordFile| file.path == *path && file.before == Some(id);
        let own = &self.left.record.id;
        let mut newer = self.items().take_while(|item| item.record.id != *own);
        !last.left.is_empty() && newer.any(|item| item.record.files.iter().any(is_it))
    }

    /// The names under which records left a text before one met it, where none of them is the file's.
    fn left_elsewhere(&self, known: &Known, met: &[u8]) -> Vec<RepoPath> {
        let id = blob_id(met);
        let mut names = Vec::new();
        for item in self.items().skip_while(|item| item.record.id != known.id).skip(1) {
            let left = item.record.files.iter().filter(|file| file.after == Some(id));
            names.extend(left.map(|file| file.path.clone()));
        }
        if names.iter().any(|name| self.own().contains(name)) { Vec::new() } else { names }
    }

    fn items(&self) -> impl Iterator<Item = Rc<Item>> {
        self.world.log.items().map_while(Result::ok).take(MOST_LOOKED_BACK)
    }

    /// Whether git had one of them with just this text when the record was made, or got it since, or a record left it so, which is not at its name any
    /// more.
    pub(super) fn was_gone(&self, text: &[u8]) -> bool {
        let id = blob_id(text);
        let left_so = || self.logged().all().filter(|(_, file)| file.left.last() == Some(&id));
        self.is_one_gone(&|_, had| had == text) || left_so().any(|(path, file)| self.is_logged_gone(path, file))
    }

    /// Whether a text may as well be of another file that git or a record had and that is gone as a version of `last`.
    ///
    /// Where git did not have the record's name, that one may be the file itself; and where HEAD still has the record's file, of git's only it and what
    /// HEAD has, too, got lost since.
    pub(super) fn may_be_one_gone(&self, now: &[u8], last: &[u8]) -> bool {
        let is_as_near = |had: &[u8]| are_versions(had, now) && bytes_apart(now, had) <= bytes_apart(now, last);
        let is_in_head = |path: &RepoPath| (self.world.files.in_head)(path).is_some();
        self.own_had().is_some()
            && (self.is_one_gone(&|path, had| (!self.is_in_head() || is_in_head(path)) && is_as_near(had))
                || self.newest_logged().any(|(path, file)| {
                    self.left_in(file).is_some_and(|left| is_as_near(&left)) && self.is_logged_gone(path, file)
                }))
    }

    /// Whether one of them that git had passes, with what git had of it, and is not at its name any more. What git got after the record is another file
    /// where git has it beside the record's.
    fn is_one_gone(&self, is_it: &dyn Fn(&RepoPath, &[u8]) -> bool) -> bool {
        let is_gone =
            |(path, had): &(RepoPath, Vec<u8>)| is_it(path, had) && self.is_other(path) && self.read(path).is_none();
        let is_gits_other = |path: &RepoPath| self.is_in_head() || (self.world.is_beside)(path);
        (self.world.changed)().iter().any(is_gone)
            || (self.world.lost)().iter().any(|lost| is_gone(lost) && is_gits_other(&lost.0))
    }

    /// Those of the log that are others, the newest first.
    fn newest_logged(&self) -> impl Iterator<Item = (&RepoPath, &LoggedFile)> {
        let mut others: Vec<_> = self.logged().all().filter(|(_, file)| file.is_another).collect();
        others.sort_by_key(|(_, file)| Reverse(file.age));
        others.into_iter().take(MOST_READ)
    }

    /// Whether a file of the log is another one, and not at its name any more, though no commit took it from there and no other branch has it.
    fn is_logged_gone(&self, path: &RepoPath, file: &LoggedFile) -> bool {
        file.is_another && self.read(path).is_none() && self.is_others(file) && !(self.world.is_with_git)(path, file)
    }

    /// Whether HEAD has the record's file under its name.
    fn is_in_head(&self) -> bool {
        (self.world.files.in_head)(&self.left.record.files[self.left.file].path).is_some()
    }

    /// Whether the log knows a file as another one, by its name and its text, than the one with the text `last`.
    pub(super) fn is_logged(&self, path: &RepoPath, now: &[u8], last: &[u8]) -> bool {
        let logged = self.logged().other(path).filter(|file| file.is_another);
        let left = logged.and_then(|logged| self.left_in(logged));
        // What both were left with tells nothing, and its name does.
        let is_as_near = |left: &[u8]| is_closer(now, left, last) || (left == last && are_versions(left, now));
        left.is_some_and(|left| now == left || is_as_near(&left))
    }

    fn read(&self, path: &RepoPath) -> Option<Vec<u8>> {
        (self.world.files.read)(path).ok().flatten()
    }

    /// What git had under the name that the record met.
    fn own_had(&self) -> Option<&[u8]> {
        let file = &self.left.record.files[self.left.file];
        let had = || (self.world.files.had)(self.left.record, file.from.as_ref().unwrap_or(&file.path));
        self.own_had.get_or_init(had).as_deref()
    }

    fn own(&self) -> &[RepoPath] {
        self.own.get_or_init(|| (self.world.names)())
    }

    fn is_other(&self, path: &RepoPath) -> bool {
        !self.own().contains(path) && !self.logged().is_gone(path) && !self.was_its_name(path)
    }

    /// Whether the record, or what it inverts, met, under a name that git did not have, just what git had at this one, where there is nothing any more,
    /// and no later record found anything.
    fn was_its_name(&self, path: &RepoPath) -> bool {
        let was_found_since = || self.logged().other(path).is_some_and(|file| file.first.is_some());
        let had = || (self.world.files.had)(self.left.record, path);
        let as_git_had = || {
            let met = met_in_turn(self.world.log, self.left);
            had().is_some_and(|had| met.iter().any(|id| is_text(&had, Some(*id))))
        };
        self.own_had().is_none() && !was_found_since() && self.read(path).is_none() && as_git_had()
    }

    fn logged(&self) -> &LoggedFiles {
        self.logged.get_or_init(|| {
            let had = || {
                let changed = (self.world.changed)();
                let is_own = |text: &[u8]| self.own_had() == Some(text) || self.left.texts.before() == Some(text);
                let others = changed.iter().filter(|(path, had)| !self.own().contains(path) && !is_own(had));
                others.take(MOST_LOOKED_AT).map(|(_, had)| blob_id(had)).collect()
            };
            LoggedFiles::but(self.own(), &self.left.record.id, self.world.log, &had)
        })
    }

    /// Whether somebody gave one of them the name of the file: it must have more in common with it than with what the log left.
    fn came_over(&self, now: &[u8], last: Last<'_>) -> bool {
        let is_it = |had: &[u8]| now == had || (are_versions(had, now) && is_closer(now, had, last.left));
        let changed = (self.world.changed)();
        let others = || changed.iter().filter(|(path, _)| self.is_other(path)).take(MOST_LOOKED_AT);
        // It may have been that one when the record was made. Where git did not have its name, it was renamed before: then it is
        // the one that it is most like, as long as something tells it from that one.
        let was_it = |had: &[u8]| match self.own_had() {
            Some(own) => is_closer(last.met.unwrap_or(last.left), had, own),
            None if self.left.texts.before().is_none() || self.logged().is_made() => false,
            // A record met it as git had that one, or it shares what was done since.
            None => {
                self.logged().was_own(blob_id(had))
                    || (share_a_change(had, last.left, now)
                        && !others().any(|(_, other)| is_closer(last.left, other, had)))
            }
        };
        let is_another = |had: &[u8], there: Option<&[u8]>| {
            let has_last = |there: &[u8]| {
                there == last.left || is_closer(there, last.left, had) || is_nearer(there, last.left, had)
            };
            let is_gone = there.is_none_or(|there| has_last(there) || !are_versions(had, there));
            // Both look like the other one.
            let is_exchanged =
                || there.is_some_and(has_last) && are_versions(had, now) && is_nearer(now, had, last.left);
            is_gone && (is_it(had) || is_exchanged())
        };
        others().any(|(path, had)| is_another(had, self.read(path).as_deref()) && !was_it(had))
            || self.otherwise().iter().any(|other| is_another(&other.left, other.now.as_deref()))
    }

    /// What the log left in others that are otherwise now, but for what the record may have met under this name.
    fn otherwise(&self) -> &[Otherwise] {
        self.otherwise.get_or_init(|| {
            let met = self.left.record.files[self.left.file].before;
            let mut others: Vec<_> = self.logged().others().collect();
            others.retain(|(_, file)| met.is_none_or(|met| !file.left.contains(&met)));
            others.sort_by_key(|(_, file)| Reverse(file.age));
            let otherwise = others.into_iter().take(MOST_READ).filter_map(|(path, file)| {
                let now = self.read(path);
                let is_as_left = now.as_ref().is_some_and(|now| is_text(now, file.left.last().copied()));
                let left = self.left_in(file).filter(|left| !is_as_left && !left.is_empty() && self.is_others(file))?;
                Some(Otherwise { left, now })
            });
            otherwise.collect()
        })
    }

    /// What a record left last in a file of the log.
    fn left_in(&self, LoggedFile { newest: (item, n), .. }: &LoggedFile) -> Option<Vec<u8>> {
        self.world.log.known(item, *n).and_then(|known| known.texts.after().map(<[u8]>::to_vec))
    }

    /// Whether the log calls a file by another name than this one's, and it did not come of this one.
    fn is_others(&self, file: &LoggedFile) -> bool {
        let (item, n) = &file.newest;
        let trail = self.world.renames.trail(self.world.log, item, &item.record.files[*n].path);
        trail.is_ok_and(|trail| trail.today.is_none_or(|today| self.is_other(&today))) && !self.came_of_it(file)
    }

    /// Whether a file was, when a record met it first, what the record had made of this one, with another name, where git had none or another
    /// one, and edited.
    fn came_of_it(&self, LoggedFile { first, is_another, .. }: &LoggedFile) -> bool {
        let texts = self.left.texts;
        let (Some((item, n)), Some(left)) = (first.as_ref().filter(|_| !is_another), texts.after()) else {
            return false;
        };
        let file = &item.record.files[*n];
        let had = (self.world.files.had)(&item.record, file.from.as_ref().unwrap_or(&file.path));
        let is_new = |met: &[u8]| had.as_ref().is_none_or(|had| !are_partly_one(had, met));
        let known = self.world.log.known(item, *n);
        known.is_some_and(|known| {
            let met = known.texts.before();
            met.is_some_and(|met| {
                is_new(met) && are_versions(left, met) && share_a_change(texts.before().unwrap_or_default(), left, met)
            })
        })
    }

    /// Whether two files had each other's names when the record was made, and have their own again: the text at the file's name now is the
    /// one that git had there, and what the record met is where git had that.
    fn was_exchanged(&self, now: &[u8]) -> bool {
        let Some(met) = self.left.texts.before() else { return false };
        let Some(had) = self.own_had() else { return false };
        // What is left of it may be the file as git had it.
        if !is_closer(now, had, met) || !are_versions(had, now) || !is_closer(met, met, had) {
            return false;
        }
        let is_it = |path: &RepoPath, git_had: &[u8]| {
            are_versions(git_had, met)
                && is_closer(met, git_had, had)
                && self.read(path).is_some_and(|there| are_versions(&there, met) && is_closer(&there, met, now))
        };
        let changed = (self.world.changed)();
        let mut others = changed.iter().filter(|(path, _)| self.is_other(path)).take(MOST_LOOKED_AT);
        // One that is as git had it is none of those that changed.
        let is_as_it_was = || {
            let before = self.left.record.files[self.left.file].before;
            let same = before.and_then(|id| (self.world.with_text)(id, met.len()));
            same.and_then(|same| (self.world.files.had)(self.left.record, &same)).is_some_and(|had| had == met)
        };
        others.any(|(path, git_had)| is_it(path, git_had)) || is_as_it_was()
    }

    /// The same, by the log: the record met what an older one had left in another file, and what the last one left is there.
    fn was_exchanged_by_log(&self, last: &[u8]) -> bool {
        let Some(met) = self.left.record.files[self.left.file].before else { return false };
        let is_there = |path: &RepoPath| self.read(path).is_some_and(|there| there == last);
        !self.logged().is_as_left() && self.logged().others_with(met).any(is_there)
    }

    /// Whether the log left a text in one of them, which is not at its name any more, or has that of the file.
    fn is_left_elsewhere(&self, text: &[u8], last: &[u8]) -> bool {
        let mut others = self.logged().with(blob_id(text)).filter(|_| !text.is_empty());
        let is_last = |there: &[u8]| there == last || is_closer(there, last, text);
        others.any(|(path, file)| self.read(path).is_none_or(|there| is_last(&there)) && self.is_others(file))
    }
}
