//! How far back records are asked of a commit: which of its files' stories are not told to their end.
//!
//! Owns that, for records that are met from the newest to the oldest. What of a record a commit holds is not its affair.
//! Invariant: what is older than the record that left a file as the commit found it is not new in the commit, unless what the newest one left is not
//! what the commit has.

use crate::git::ChangedFile;
use crate::history::reader::Item;
use crate::history::store::index_file::Filter;
use crate::id::{BlobId, RecordId};
use crate::path::RepoPath;
use crate::record::{RecordClass, RecordFile};
use bstr::ByteSlice;
use std::collections::{HashMap, HashSet};

/// What is still asked of older records.
pub(super) struct Asked {
    /// The paths whose story is not told to its end, with what the commit found there.
    open: HashMap<RepoPath, Vec<Option<BlobId>>>,
    /// Records that an undo or redo names: they may be in force again, however old they are.
    named: HashSet<RecordId>,
    /// What the commit makes of the paths that no record was met of yet.
    new: HashMap<RepoPath, Option<BlobId>>,
    /// The names that the commit gives to files that it found under others, and those others.
    renamed: HashSet<RepoPath>,
    left: HashSet<RepoPath>,
    /// The paths of which the newest record left something else than the commit has.
    untold: HashSet<RepoPath>,
}

impl Asked {
    pub(super) fn about(changes: &[ChangedFile]) -> Self {
        let names = |file: &ChangedFile| std::iter::once(file.path.clone()).chain(file.from.clone());
        let open = changes.iter().flat_map(|file| names(file).map(|name| (name, file.old.clone()))).collect();
        let new = changes.iter().map(|file| (file.path.clone(), file.new)).collect();
        let renamed = changes.iter().filter(|file| file.from.is_some()).map(|file| file.path.clone()).collect();
        let left = changes.iter().filter_map(|file| file.from.clone()).collect();
        Self { open, named: HashSet::new(), new, renamed, left, untold: HashSet::new() }
    }

    /// Whether the commit may give a file another name by way of this change of it: the whole way, or a part.
    fn renames(&self, from: &RepoPath, to: &RepoPath) -> bool {
        self.renamed.contains(to) || self.left.contains(from)
    }

    /// The records that may be asked.
    pub(super) fn filter(&self) -> Filter {
        Filter::of(self.open.keys().map(|path| path.as_bstr().as_bytes()))
    }

    pub(super) fn is_done(&self) -> bool {
        self.open.is_empty() && self.named.is_empty()
    }

    /// Whether what is committed is what the newest records left.
    pub(super) fn is_told(&self) -> bool {
        self.untold.is_empty()
    }

    /// Whether a record touched a path of which the newest one left something else: it may have been staged before that.
    pub(super) fn is_untold(&self, item: &Item) -> bool {
        item.record.files.iter().any(|file| self.untold.contains(&file.path))
    }

    /// Whether a record, older than all before, may be in the commit.
    pub(super) fn wants(&mut self, item: &Item) -> bool {
        let record = &item.record;
        let is_named = self.named.remove(&record.id);
        let is_open = |file: &RecordFile| self.open.contains_key(&file.path);
        let touches = record.files.iter().any(is_open);
        if matches!(record.kind, RecordClass::Undo | RecordClass::Redo) && (touches || is_named) {
            self.named.extend(record.meta.undoes.iter().cloned());
        }
        // Behind what gave a file an older text again, or is undone itself, older ones may be in force again.
        let brings_back = record.kind != RecordClass::Edit || is_named;
        for file in &record.files {
            let new = self.new.remove(&file.path);
            if new.is_some_and(|new| new != file.git_after.or(file.after)) {
                self.untold.insert(file.path.clone());
            }
        }
        let mut wants = is_named;
        for file in &record.files {
            let Some(old) = self.open.get(&file.path) else { continue };
            let found = |id: Option<BlobId>, git: Option<BlobId>| old.contains(&git.or(id));
            let (had, left) = (found(file.before, file.git_before), found(file.after, file.git_after));
            // The commit found what this record left: neither it nor what is older is new, but for the name.
            let is_renamed = file.from.as_ref().is_some_and(|from| self.renames(from, &file.path));
            wants |= !left || file.bit_alone().is_some() || is_renamed;
            if (had || left) && !brings_back {
                self.open.remove(&file.path);
            }
        }
        wants
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::reader::At;
    use crate::id::CommitId;
    use crate::record::file_of_record::tests::record;

    fn path(name: &str) -> RepoPath {
        RepoPath::new(name.as_bytes()).expect("a path")
    }

    fn text(n: u8) -> BlobId {
        BlobId::from_bytes([n; 20])
    }

    fn id(n: u8) -> RecordId {
        RecordId::from_random([n; 8])
    }

    /// What a commit makes of a file that it found with one text.
    fn changed(name: &str, from: Option<&str>, (old, new): (u8, u8)) -> ChangedFile {
        let (path, from) = (path(name), from.map(path));
        ChangedFile { path, from, old: vec![Some(text(old))], new: Some(text(new)), sets_bit: None }
    }

    /// Record `n`, that led files each from one text to another.
    fn done(n: u8, files: &[(&str, u8, u8)]) -> Item {
        let mut record = record(n, "f");
        let of = |(name, before, after): &(&str, u8, u8)| RecordFile {
            path: path(name),
            before: Some(text(*before)),
            after: Some(text(*after)),
            ..record.files[0].clone()
        };
        record.files = files.iter().map(of).collect();
        Item { record, at: At::Commit(CommitId::NONE), is_own: true, worktree: None }
    }

    fn inverse(n: u8, kind: RecordClass, of: &[u8], files: &[(&str, u8, u8)]) -> Item {
        let mut item = done(n, files);
        item.record.kind = kind;
        item.record.meta.undoes = of.iter().map(|n| id(*n)).collect();
        item
    }

    #[test]
    fn records_are_asked_back_to_the_one_that_found_or_left_a_file_as_the_commit_found_it() {
        let about = || Asked::about(&[changed("f", None, (1, 4))]);
        let mut found = about();
        assert!(!found.wants(&done(9, &[("g", 1, 1)])), "another file's");
        assert!(found.wants(&done(3, &[("f", 3, 4)])) && !found.is_done());
        assert!(found.wants(&done(2, &[("f", 2, 3)])) && !found.is_done());
        assert!(found.wants(&done(1, &[("f", 1, 2)])) && found.is_done());
        assert!(!found.wants(&done(0, &[("f", 7, 1)])));
        let mut left = about();
        assert!(!left.wants(&done(1, &[("f", 7, 1)])) && left.is_done());
        let mut of_git = about();
        let mut item = done(1, &[("f", 8, 9)]);
        item.record.files[0].git_after = Some(text(1));
        assert!(!of_git.wants(&item) && of_git.is_done());
        // A bit that was set alone is in the commit, though the text was there.
        let mut item = done(2, &[("f", 1, 1)]);
        item.record.files[0].mode_after = Some(0o755);
        assert!(about().wants(&item));
    }

    #[test]
    fn behind_an_undo_older_records_are_asked_as_they_may_be_in_force_again() {
        let mut asked = Asked::about(&[changed("f", None, (1, 4))]);
        asked.wants(&inverse(8, RecordClass::Undo, &[5, 2], &[("g", 2, 1), ("f", 2, 1)]));
        assert!(!asked.is_done());
        // What is named is asked whatever file it is of, and so is what is behind it.
        assert!(asked.wants(&done(5, &[("f", 1, 2)])) && !asked.is_done());
        assert!(!asked.wants(&done(4, &[("f", 6, 1)])) && !asked.is_done());
        assert!(!asked.wants(&done(3, &[("g", 1, 2)])));
        assert!(asked.wants(&done(2, &[("g", 1, 2)])) && asked.is_done());
    }

    #[test]
    fn what_the_undo_of_a_redo_names_is_asked_and_what_one_of_another_file_names_is_not() {
        let mut asked = Asked::about(&[changed("f", None, (1, 4))]);
        asked.wants(&inverse(9, RecordClass::Undo, &[4], &[("g", 2, 1)]));
        assert!(!asked.wants(&done(4, &[("g", 1, 2)])));
        asked.wants(&inverse(8, RecordClass::Redo, &[7], &[("f", 1, 2), ("g", 1, 2)]));
        asked.wants(&inverse(7, RecordClass::Undo, &[3], &[("g", 2, 1)]));
        assert!(asked.wants(&done(3, &[("g", 1, 2)])));
    }

    #[test]
    fn a_rename_of_the_commit_s_file_is_asked_for_the_name_alone_and_no_other_rename() {
        let renamed = |from: &str, to: &str| {
            let mut item = done(1, &[(to, 1, 1)]);
            item.record.files[0].from = Some(path(from));
            item
        };
        let wants = |file: ChangedFile, item: &Item| Asked::about(&[file]).wants(item);
        assert!(wants(changed("c", Some("a"), (1, 1)), &renamed("a", "c")));
        assert!(wants(changed("c", Some("a"), (1, 1)), &renamed("m", "c")));
        assert!(!wants(changed("c", None, (1, 4)), &renamed("a", "c")));
    }

    #[test]
    fn a_commit_is_told_by_records_where_the_newest_of_each_file_left_what_it_has() {
        let is_told = |items: &[Item]| {
            let mut asked = Asked::about(&[changed("f", None, (1, 4))]);
            items.iter().for_each(|item| _ = asked.wants(item));
            asked.is_told()
        };
        assert!(is_told(&[done(2, &[("f", 2, 4)]), done(1, &[("f", 1, 2)])]));
        assert!(is_told(&[done(2, &[("g", 2, 3), ("f", 2, 4)])]), "another file is not the commit's");
        assert!(!is_told(&[done(2, &[("f", 2, 3)]), done(1, &[("f", 1, 4)])]));
        let mut item = done(2, &[("f", 2, 9)]);
        item.record.files[0].git_after = Some(text(4));
        assert!(is_told(&[item]), "git stores it otherwise");
    }
}
