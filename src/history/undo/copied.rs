//! Copies: whether a file that is like the one of a record may have come of another one, and which files of git's are others by now.
//!
//! Owns these looks at texts, and their bounds: of so many files of like size, and of so many that changed, the others are not looked at. Where the
//! record's file is, is `whereabouts`' affair.
//! Invariant: a text that git, or the tree, has of another file speaks for a copy only where that file is there.

use super::left::Left;
use super::likeness::{are_versions, explains, is_nearer};
use super::strays::Stray;
use super::whereabouts::{MOST_READ, Whereabouts};
use crate::path::RepoPath;
use crate::record::Record;
use std::rc::Rc;

impl Whereabouts<'_> {
    /// Whether a file that is like a text is at least as much like another file that there is: then it may be a copy of that one.
    pub(super) fn is_copied(&self, alike: &RepoPath, last: &[u8]) -> bool {
        let Some(now) = self.text_of(alike) else { return false };
        self.any_of_size(&now, alike, |other| are_versions(other, &now) && !is_nearer(&now, last, other))
    }

    /// The same, but for others that have to the byte what was left last: a copy of such a one would be as the file itself.
    pub(super) fn is_copied_from_another(&self, alike: &RepoPath, last: &[u8]) -> bool {
        let Some(now) = self.text_of(alike) else { return false };
        let is_source = |other: &[u8]| other != last && are_versions(other, &now) && !is_nearer(&now, last, other);
        self.any_of_size(&now, alike, is_source)
    }

    /// Whether a file that is like what was left last, of one that git did not have under the name of the record, may as well be a copy of one of
    /// git's that is there and was a version of that: nothing tells that it came of the text that was left, and not of what git had there, or of what
    /// that became.
    pub(super) fn may_be_copy_of_gits(&self, left: &Left<'_>, alike: &RepoPath, last: &[u8]) -> bool {
        let file = &left.record.files[left.file];
        let had = |path: &RepoPath| (self.files().had)(left.record, path);
        let Some(now) = self.text_of(alike).filter(|_| had(file.from.as_ref().unwrap_or(&file.path)).is_none()) else {
            return false;
        };
        let older = left.texts.before().unwrap_or_default();
        let is_source = |text: &[u8]| are_versions(text, &now) && explains(text, (&now, last), older);
        let may_be = |(path, _): &(RepoPath, Vec<u8>)| {
            let texts = had(path).zip(self.text_of(path).filter(|_| path != alike));
            texts.is_some_and(|(had, there)| are_versions(&had, last) && (is_source(&had) || is_source(&there)))
        };
        self.changed_since(left.record).iter().any(may_be)
    }

    /// Whether a file but the one of this name has a version of a text.
    pub(super) fn has_version(&self, text: &[u8], name: &RepoPath) -> bool {
        self.any_of_size(text, name, |other| are_versions(other, text))
    }

    /// The files that git had with other texts when a record was made, of which these are no versions: somebody moved others there, or wrote them anew.
    pub(super) fn strays_since(&self, record: &Record) -> Rc<Vec<Stray>> {
        let stray = |(path, _): &(RepoPath, Vec<u8>)| {
            let there = self.text_of(path)?;
            let had = (self.files().had)(record, path)?;
            (had != there && !are_versions(&had, &there)).then(|| Stray { path: path.clone(), had, there })
        };
        self.strays().since(record.meta.base, || self.changed_since(record).iter().filter_map(stray).collect())
    }

    fn text_of(&self, path: &RepoPath) -> Option<Vec<u8>> {
        (self.files().read)(path).ok().flatten()
    }

    /// Whether the text of a file but one passes, of those of which the size is like that of a text's versions.
    fn any_of_size(&self, text: &[u8], but: &RepoPath, is_it: impl Fn(&[u8]) -> bool) -> bool {
        // A version has more than half of the lines.
        let is_of_size = |size: u64| 4 * size >= text.len() as u64 && size <= 4 * text.len() as u64;
        let others = self.listed().iter().filter(|(path, size)| path != but && is_of_size(*size)).take(MOST_READ);
        others.map(|(path, _)| self.text_of(path)).any(|other| other.is_some_and(|other| is_it(&other)))
    }
}
