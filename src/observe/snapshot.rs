//! The working tree at one time: what each file looked like, and where its text is.
//!
//! Owns taking it. The text of a file that is as the index has it is not read; that of every other one is kept, as nobody else has it.

use super::files::{Files, Tracked};
use super::seen::{Seen, Text};
use super::table::{Rows, Table};
use super::tree::{Tree, looks};
use crate::git::{OtherFiles, Remembered, Repo, RepoError, blob_id};
use crate::id::{CommitId, RecordId};
use crate::path::RepoPath;
use crate::record::LARGEST_KEPT;
use crate::worktree::{Kind, Meta, Root};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::rc::Rc;

/// So many entries of the stash are noted, the newest.
pub(super) const MOST_STASHED: usize = 16;

/// So many branches.
pub(super) const MOST_TIPS: usize = 1024;

/// What is looked at.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Scope {
    /// All files that git knows of or would add.
    pub has_tree: bool,
    /// These, whatever git thinks of them.
    pub paths: BTreeSet<RepoPath>,
}

impl Scope {
    /// These files alone.
    pub fn of(paths: BTreeSet<RepoPath>) -> Self {
        Self { has_tree: false, paths }
    }

    /// Whether everything in `other` is in it.
    pub fn holds(&self, other: &Self) -> bool {
        (self.has_tree || !other.has_tree) && other.paths.is_subset(&self.paths)
    }
}

/// HEAD at one time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeadThen {
    /// None where it was unborn.
    pub id: Option<CommitId>,
    /// How many bytes its log had.
    pub log: u64,
}

impl HeadThen {
    /// As it is.
    ///
    /// # Errors
    /// Where HEAD cannot be read.
    pub(super) fn now(repo: &Repo) -> Result<Self, RepoError> {
        Ok(Self { id: repo.head_id()?, log: repo.head_log_len() })
    }
}

/// The working tree at one time, or some files of it.
#[derive(Debug, Clone)]
pub struct Snapshot {
    pub(super) scope: Scope,
    pub(super) files: Files,
    /// Which files of the index are among them, where all of them are.
    pub(super) tracked: Option<Rc<Tracked>>,
    /// HEAD then.
    pub(super) head: HeadThen,
    /// The entries of the stash then.
    pub(super) stashed: Vec<CommitId>,
    /// Where branches were then, also those of remotes.
    pub(super) tips: Vec<CommitId>,
    /// The newest record of this worktree then; none where there was none.
    pub(super) newest: Option<RecordId>,
    /// By the clock of the file system: what was made from then on was made after the look began. Nanoseconds since 1970-01-01 UTC.
    pub(super) began_ns: i128,
}

impl Snapshot {
    /// Whether a record was the newest then.
    pub fn is_newest(&self, id: &RecordId) -> bool {
        self.newest.as_ref() == Some(id)
    }

    /// Says which record was the newest then.
    pub fn newest_is(&mut self, newest: Option<RecordId>) {
        self.newest = newest;
    }

    /// The newest record then.
    pub fn newest(&self) -> Option<&RecordId> {
        self.newest.as_ref()
    }

    /// Takes another look at some of the files in.
    pub fn replace(&mut self, other: Self) {
        other.scope.paths.iter().for_each(|path| self.files.set(path.clone(), None));
        other.files.beside.into_iter().for_each(|(path, seen)| self.files.set(path, seen));
    }

    /// The same, but for what another look knows.
    #[must_use]
    pub fn but_for(mut self, other: Self) -> Self {
        if !other.scope.has_tree {
            self.replace(other);
            return self;
        }
        let (scope, wider) = (std::mem::take(&mut self.scope), std::mem::take(&mut self.files));
        let (mut files, tracked) = (other.files, other.tracked);
        for path in scope.paths.difference(&other.scope.paths) {
            if let (Ok(None), Ok(Some(seen))) = (files.get(path), wider.get(path)) {
                files.set(path.clone(), Some(seen));
            }
        }
        Self { scope, files, tracked, ..self }
    }

    /// What was looked at.
    pub fn scope(&self) -> &Scope {
        &self.scope
    }

    /// What HEAD was then.
    pub fn head(&self) -> HeadThen {
        self.head
    }

    /// Whether it says how a file was, or that it was not there.
    pub fn knows(&self, path: &RepoPath) -> bool {
        self.scope.paths.contains(path) || matches!(self.files.get(path), Ok(Some(_)))
    }

    /// Looks at the files of a scope. Up to `most_kept` bytes of texts that git does not have are kept; what is as an earlier look at all
    /// of the tree has it is not looked into. Whoever changes the tree is to wait until the clock of the file system has moved on.
    ///
    /// # Errors
    /// Where the index cannot be read, git fails, or HEAD cannot be read. A file that may not be looked at is none.
    pub fn take(
        repo: &Repo,
        root: &Root,
        scope: Scope,
        (most_kept, earlier): (u64, Option<Earlier>),
    ) -> Result<Self, RepoError> {
        let head = HeadThen::now(repo)?;
        let mut looking = Looking { repo, root, tree: Tree::new(root), room: most_kept };
        let (mut files, mut tracked) = (Files::default(), None);
        if scope.has_tree {
            let (found, known) = looking.all_of_the_tree(earlier)?;
            (files, tracked) = (found, Some(known));
        }
        let named = scope.paths.iter().filter(|path| !files.beside.contains_key(*path));
        let named = named.filter(|path| !matches!(files.get(path), Ok(Some(_)))).map(|path| (path.clone(), None));
        let named = looking.files(named.collect());
        named.into_iter().for_each(|(path, seen)| files.set(path, seen));
        let (stashed, tips) = (repo.stashed(MOST_STASHED), repo.tips(MOST_TIPS));
        Ok(Self { scope, files, tracked, head, stashed, tips, newest: None, began_ns: i128::MAX })
    }

    /// Says when the look began, by the clock of the file system.
    pub fn began_at(&mut self, time_ns: i128) {
        self.began_ns = time_ns;
    }

    /// Gives up the texts of some files; says of how many.
    pub(super) fn forget_texts(&mut self, is_about: impl Fn(&RepoPath) -> bool) -> usize {
        let mut count = 0;
        for (path, seen) in &mut self.files.beside {
            let Some(seen) = seen else { continue };
            if matches!(seen.text, Text::Kept(_)) && is_about(path) {
                seen.text = Text::NotKept;
                count += 1;
            }
        }
        count
    }

    /// Gives up texts that git does not have beyond so many bytes.
    pub fn keep_at_most(&mut self, most_kept: u64) {
        let mut room = most_kept;
        for seen in self.files.beside.values_mut().flatten() {
            let Text::Kept(bytes) = &seen.text else { continue };
            match room.checked_sub(bytes.len() as u64) {
                Some(left) => room = left,
                None => seen.text = Text::NotKept,
            }
        }
    }
}

/// An earlier look at all of the tree, by which a new one is spared most of its work.
#[derive(Debug, Clone)]
pub struct Earlier {
    pub(super) table: Rc<Table>,
    pub(super) tracked: Rc<Tracked>,
    pub(super) began_ns: i128,
}

/// A look on its way.
struct Looking<'r> {
    repo: &'r Repo,
    root: &'r Root,
    tree: Tree<'r>,
    /// So many bytes may still be kept.
    room: u64,
}

type Wanted = BTreeMap<RepoPath, Option<Remembered>>;

impl Looking<'_> {
    fn all_of_the_tree(&mut self, earlier: Option<Earlier>) -> Result<(Files, Rc<Tracked>), RepoError> {
        let others = self.repo.start_other_files()?;
        match earlier.map(|earlier| self.is_still_known(&earlier).map(|is_known| is_known.then_some(earlier))) {
            Some(Ok(Some(earlier))) => self.again(earlier, others),
            _ => self.anew(others),
        }
    }

    /// Whether the index is the same, and no rule converts files now: what an earlier look said of texts holds.
    fn is_still_known(&self, Earlier { table, tracked, began_ns }: &Earlier) -> io::Result<bool> {
        let is_same = |index| Some(index) == self.repo.index_stamp().as_ref();
        let is_index = tracked.index.as_ref().is_some_and(|index| index.is_from_before(*began_ns) && is_same(index));
        Ok(is_index && !self.repo.may_convert(table.rows()?.map(|row| row.path)))
    }

    /// What an earlier look had no doubt about and looks as it did is as it was.
    fn again(&mut self, earlier: Earlier, others: OtherFiles) -> Result<(Files, Rc<Tracked>), RepoError> {
        let Earlier { table, tracked, began_ns } = earlier;
        let Ok(differing) = table.differing(self.root, began_ns) else { return self.anew(others) };
        let mut wanted = tracked.apart.clone();
        wanted.extend(differing.into_iter().map(|(path, seen)| (path, seen.text.remembered())));
        wanted.extend(others.done()?.into_iter().map(|path| (path, None)));
        let mut files = Files::of(Some(table));
        self.files(wanted).into_iter().for_each(|(path, seen)| files.set(path, seen));
        Ok((files, tracked))
    }

    fn anew(&mut self, others: OtherFiles) -> Result<(Files, Rc<Tracked>), RepoError> {
        let index = self.repo.index_stamp();
        let in_index = self.repo.tracked_files()?;
        let entries: Vec<(&[u8], Option<Remembered>)> = in_index.iter().collect();
        let paths: Vec<&[u8]> = entries.iter().map(|(path, _)| *path).collect();
        let is_converted = match self.repo.may_convert(paths.iter().copied()) {
            true => self.repo.converted(paths.iter().copied())?,
            false => BTreeSet::new(),
        };
        let (mut rows, mut files) =
            (Rows::with_capacity(paths.len(), paths.iter().map(|path| path.len()).sum()), Files::default());
        let mut apart = BTreeMap::new();
        for ((path, remembered), looked) in entries.into_iter().zip(looks(self.root, &paths)) {
            let meta = looked.ok().flatten();
            let is_row = |seen: &Seen, rows: &mut Rows| rows.push(path, seen);
            let is_plain = is_converted.is_empty();
            if let (Some(meta), Some(remembered), true) = (meta, remembered, is_plain)
                && is_certainly(&remembered, &meta)
                && is_row(&Seen { meta, text: Text::InGit(remembered.id) }, &mut rows)
            {
                continue;
            }
            let Ok(known) = RepoPath::new(path) else { continue };
            let remembered = remembered.filter(|_| is_plain || !is_converted.contains(&known));
            let seen = meta.map(|meta| Seen { meta, text: self.text_of(&known, (&meta, remembered)) });
            if !seen.as_ref().is_some_and(|seen| is_row(seen, &mut rows)) {
                files.set(known.clone(), seen);
                apart.insert(known, remembered);
            }
        }
        // The table comes last: beside it nothing is that it has a row for.
        files.table = Some(Rc::new(rows.done()));
        let others = others.done()?.into_iter().map(|path| (path, None)).collect();
        self.files(others).into_iter().for_each(|(path, seen)| files.set(path, seen));
        Ok((files, Rc::new(Tracked { index, apart })))
    }

    /// What each of these files is like.
    fn files(&mut self, wanted: Wanted) -> Vec<(RepoPath, Option<Seen>)> {
        let looked = looks(self.root, &wanted.keys().map(|path| &**path.as_bstr()).collect::<Vec<_>>());
        let seen = wanted.into_iter().zip(looked).map(|((path, remembered), looked)| {
            let meta = looked.ok().flatten();
            let seen = meta.map(|meta| Seen { meta, text: self.text_of(&path, (&meta, remembered)) });
            (path, seen)
        });
        seen.collect()
    }

    fn text_of(&mut self, path: &RepoPath, known: (&Meta, Option<Remembered>)) -> Text {
        text_of(&mut self.tree, path, known, &mut self.room)
    }
}

/// Whether a file surely has the text that the index remembers.
fn is_certainly(remembered: &Remembered, meta: &Meta) -> bool {
    meta.kind == Kind::File && remembered.is_certainly((meta.size, meta.mtime_ns, meta.ctime_ns))
}

pub(super) fn text_of(
    tree: &mut Tree<'_>,
    path: &RepoPath,
    (meta, remembered): (&Meta, Option<Remembered>),
    room: &mut u64,
) -> Text {
    if meta.kind == Kind::Symlink {
        return Text::Link;
    }
    if let Some(remembered) = remembered.filter(|remembered| is_certainly(remembered, meta)) {
        return Text::InGit(remembered.id);
    }
    if meta.size > LARGEST_KEPT as u64 {
        return Text::NotKept;
    }
    let Ok(Some((_, bytes))) = tree.read(path) else { return Text::NotKept };
    if let Some(id) = remembered.map(|remembered| remembered.id).filter(|id| *id == blob_id(&bytes)) {
        return Text::InGit(id);
    }
    match room.checked_sub(bytes.len() as u64) {
        Some(left) => {
            *room = left;
            Text::Kept(Rc::new(bytes))
        }
        None => Text::NotKept,
    }
}
