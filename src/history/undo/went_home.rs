//! Files that are home again: one that somebody edited under another name and moved home, after what was done there last had been discarded, and one
//! that had exchanged its name with another.
//!
//! Owns these two looks. The first is made where nothing else tells where the file is: a record met, at home, what another one had left earlier; no file
//! beside it is like what was left last. The second is made before what stands at the name is taken for the file.
//! Invariant: of two files that exchanged their names both are told by their texts, one of them to the byte.

use super::left::FoundBy;
use super::likeness::{are_versions, is_closer};
use super::lineage::Lineage;
use super::moved::{Lost, met_as_left_earlier};
use super::step::is_text;
use super::whereabouts::Whereabouts;
use crate::git::blob_id;
use crate::history::error::HistoryError;
use crate::id::BlobId;
use crate::path::RepoPath;

impl Whereabouts<'_> {
    /// Where a file is that went home so.
    ///
    /// # Errors
    /// Where the log cannot be read.
    pub(super) fn went_home(
        &self,
        lost: &Lost<'_>,
        lineage: &Lineage<'_>,
    ) -> Result<Option<(RepoPath, FoundBy)>, HistoryError> {
        let may_be = |path: &RepoPath, text| self.may_be_home(lost, path, text);
        let Some((item, n)) = met_as_left_earlier(self.log(), lost, &may_be)? else { return Ok(None) };
        let is_it = |(path, _): &(RepoPath, FoundBy)| {
            let text = || (self.files().read)(path).ok().flatten();
            let came_from = || text().is_some_and(|text| self.came_from(lost.left, path, &text));
            let has_rival = || lineage.last.is_none_or(|last| self.has_rival(lost.left, last, path));
            self.is_there(path) && (self.was_called(lost.left, path) || came_from()) && !has_rival()
        };
        Ok(self.met(&item, n)?.filter(is_it))
    }

    /// The name of these where a file is again that was found where another one had been, once that is back there and this one here, by their texts, of
    /// which one is told to the byte: somebody took it back that they had exchanged their names.
    pub(super) fn is_home_again(
        &self,
        named: &Lost<'_>,
        lineage: &Lineage<'_>,
        before: &[&RepoPath],
    ) -> Option<RepoPath> {
        let last = lineage.last?;
        before.iter().find(|home| self.have_their_names_again(named, lineage, (home, last))).map(|home| (*home).clone())
    }

    /// Whether another file is at the name where one was found, and this one, which had the text `last`, at this name of its own.
    fn have_their_names_again(
        &self,
        named: &Lost<'_>,
        lineage: &Lineage<'_>,
        (home, last): (&RepoPath, &[u8]),
    ) -> bool {
        let now = |name: &RepoPath| (self.files().read)(name).ok().flatten();
        let had = |name: &RepoPath| (self.files().had)(named.left.record, name);
        let is_gits = |name: &RepoPath, text: &[u8]| {
            (self.files().in_head)(name) == Some(blob_id(text)) || (self.files().staged)(name).as_deref() == Some(text)
        };
        let name = named.name;
        let (Some(other), Some(text)) = (now(name).filter(|_| name != home), now(home)) else { return false };
        if lineage.has(&other) {
            return false;
        }
        // Where a commit has the exchange, git had the other one under this name.
        let was = [had(name), had(home)].into_iter().flatten().filter(|was| !are_versions(was, last));
        let is_so = |was: Vec<u8>| {
            let is_other = other == was || (are_versions(&was, &other) && is_closer(&other, &was, last));
            let is_as_left = lineage.has(&text);
            let is_it = is_as_left
                || had(home).as_ref() == Some(&text) && text != was
                || (are_versions(last, &text) && is_closer(&text, last, &was));
            is_other && is_it && (is_as_left || other == was || is_gits(home, &text) || is_gits(name, &other))
        };
        was.into_iter().any(is_so)
    }

    /// Whether git did not know the name that a record met, and had another text where one of the file was found.
    fn may_be_home(&self, lost: &Lost<'_>, path: &RepoPath, text: BlobId) -> bool {
        let record = lost.left.record;
        let file = &record.files[lost.left.file];
        let met = file.from.as_ref().unwrap_or(&file.path);
        !(self.files().was_tracked)(record, met)
            && !(self.files().had)(record, path).is_some_and(|had| is_text(&had, Some(text)))
    }
}
