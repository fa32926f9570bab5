//! A file at whose name there is one: whether that is it, or another one has the name now.
//!
//! Owns that question, and the look at the names that the file had before. What is asked where nothing is there is `whereabouts`' affair.
//! Invariant: a text that the log has of the file, at its name, is the file, unless git moved that on.

use super::given_away::was_given_away;
use super::left::FoundBy;
use super::likeness::{are_versions, has_own_line, is_mostly_in};
use super::lineage::Lineage;
use super::log::Known;
use super::moved::{Lost, MovedOn, met_elsewhere, only_one};
use super::renames::Trail;
use super::step::is_text;
use super::whereabouts::Whereabouts;
use crate::git::blob_id;
use crate::history::error::HistoryError;
use crate::path::RepoPath;
use crate::record::RecordClass;
use std::sync::Arc;

impl Whereabouts<'_> {
    /// Where a file is of which the name is there: if another one has that, it may have one again that it had before.
    pub(super) fn at_its_name_or_before(
        &self,
        named: &Lost<'_>,
        lineage: &Lineage<'_>,
        trail: &Trail,
    ) -> Result<(RepoPath, FoundBy), HistoryError> {
        let called = self.called_as_met(named.left)?;
        let before: Vec<&RepoPath> = trail.before.iter().chain(&called).collect();
        // The undo of several may have exchanged their names itself.
        let record = named.left.record;
        let is_of_one = record.kind == RecordClass::Edit || (record.files.len() == 1 && record.meta.undoes.len() == 1);
        if let Some(home) = is_of_one.then(|| self.is_home_again(named, lineage, &before)).flatten() {
            return Ok((home, FoundBy::Certain));
        }
        let found = self.at_its_name(named, lineage);
        if found.1 != FoundBy::NameOnly {
            return Ok(found);
        }
        let is_as_left = |name: &&RepoPath| {
            let text = (self.files().read)(name).ok().flatten();
            lineage.last.is_some() && text.as_deref() == lineage.last
        };
        // Of two that have it, and of which no record gave this one its name, one is a copy.
        let is_only = |name: &&RepoPath| {
            let last = lineage.last.unwrap_or_default();
            called.as_ref() != Some(*name) || self.with_text(&[(blob_id(last), last.len())], &|_| true).len() == 1
        };
        let again = before.into_iter().find(is_as_left).filter(is_only);
        Ok(again.map_or(found, |name| (name.clone(), FoundBy::Certain)))
    }

    /// Where a file is of which the name is there: it may be another one's now.
    fn at_its_name(&self, named: &Lost<'_>, lineage: &Lineage<'_>) -> (RepoPath, FoundBy) {
        let Lost { left, name, .. } = named;
        let is_found = |text: &[u8]| is_text(text, left.record.files[left.file].before);
        let text = (self.files().read)(name).ok().flatten();
        let unknown = text.as_ref().filter(|text| !is_found(text) && !lineage.has(text));
        let asked = if unknown.is_some() { &self.asked } else { &self.asked_of_known };
        match text.as_ref().and_then(|_| self.moved_on(named, asked)) {
            Some(MovedOn::To(path)) if !self.is_as_met(named, lineage, &path) => return (path, FoundBy::Git),
            Some(MovedOn::To(_)) => return ((*name).clone(), FoundBy::Apart),
            Some(MovedOn::ForAnother) => return ((*name).clone(), FoundBy::NameOnly),
            None => {}
        }
        let is_given_away = |text: &[u8]| {
            let repo = self.history().repo();
            let is_behind = repo.head_id().ok().flatten() != left.record.meta.base;
            is_behind && self.ask().is_some() && was_given_away(repo, named, blob_id(text))
        };
        let is_back = |text: &[u8]| {
            let is_its = |known: &&Arc<Known>| lineage.versions.iter().any(|(id, _)| known.file.after == Some(*id));
            let known: Vec<Arc<Known>> = named.known.iter().filter(is_its).cloned().collect();
            self.is_left_elsewhere(&Lost { known: &known, ..*named }, text).unwrap_or(false)
        };
        let is_another = unknown.is_some_and(|text| {
            let is_it = lineage.is_another(text) || is_given_away(text) || self.is_copied_over(named, lineage, text);
            is_it && !is_back(text)
        });
        ((*name).clone(), if is_another { FoundBy::NameOnly } else { FoundBy::Certain })
    }

    /// Whether a file to which only what is staged moved one is to the byte as a record met that, and at its name is what was left last: then the record
    /// met it there, after it had been moved.
    fn is_as_met(&self, Lost { left, name, .. }: &Lost<'_>, lineage: &Lineage<'_>, path: &RepoPath) -> bool {
        let text = |path: &RepoPath| (self.files().read)(path).ok().flatten();
        let is_behind = self.history().repo().head_id().ok().flatten() != left.record.meta.base;
        let is_met = |text: &[u8]| left.texts.before() == Some(text) && !lineage.has(text);
        !is_behind && text(path).is_some_and(|text| is_met(&text)) && text(name).as_deref() == lineage.last
    }

    /// Whether a text is no version of anything that records met or left of a file, nor of what git had at its name, and has no line of the record's
    /// own, but is a version of another file beside it: somebody put that, or its copy, there.
    fn is_copied_over(&self, named: &Lost<'_>, lineage: &Lineage<'_>, text: &[u8]) -> bool {
        let left = named.left;
        let [before, after] = [left.texts.before(), left.texts.after()].map(Option::unwrap_or_default);
        let had = (self.files().had)(left.record, named.name);
        let known = [before, after, lineage.last.unwrap_or_default(), had.as_deref().unwrap_or_default()];
        // It may have grown.
        let is_of = |known: &[u8]| are_versions(known, text) || is_mostly_in(known, text);
        let is_its = known.into_iter().any(is_of) || has_own_line(before, after, text);
        !is_its && self.has_version(text, named.name)
    }

    /// Whether a text is what later records made of a file where they met it under another name, and there is no copy: it has its own again.
    fn is_left_elsewhere(&self, lost: &Lost<'_>, text: &[u8]) -> Result<bool, HistoryError> {
        let Some((item, n, _)) = only_one(met_elsewhere(self.log(), lost)?) else { return Ok(false) };
        let file = &item.record.files[n];
        let today = self.trail(&item, &file.path)?.today;
        let later = today.map_or(Ok(Vec::new()), |today| self.known_since(&item.record.id, &today))?;
        let is_so = is_text(text, file.after) || later.iter().any(|known| is_text(text, known.file.after));
        Ok(is_so && self.with_text(&[(blob_id(text), text.len())], &|_| true).len() == 1)
    }
}
