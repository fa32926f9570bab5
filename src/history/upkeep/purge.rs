//! Removes texts that should never have been kept.
//!
//! Owns which copies of a text there are. Does not drop records: they stay, as tombstones.

use super::Extent;
use super::lives::{self, Life, texts_of};
use crate::git::Ignores;
use crate::history::error::HistoryError;
use crate::history::reader::{History, Item, Scope};
use crate::history::store::chain::Chain;
use crate::history::store::chain_reader;
use crate::history::store::index_file::Filter;
use crate::history::store::repository::Store;
use crate::history::store::rewrite_chain::write_chain;
use crate::history::store::seal::kept_when_sealed;
use crate::id::{BlobId, RecordId};
use crate::path::RepoPath;
use crate::record::{Observed, Record, RecordFile, TextsKept};
use crate::state_dir::StateDir;
use crate::text::quoted_path;
use crate::transaction::backup_id;
use bstr::ByteSlice;
use serde::Serialize;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// What a `purge` did, or would do.
#[derive(Debug, Default, Clone, PartialEq, Eq, Serialize)]
pub struct Purged {
    /// Records that lost something.
    pub records: usize,
    /// Texts that are removed from them.
    pub texts: usize,
    /// Recorded answers that are removed, since they show a diff.
    pub answers: usize,
    /// Backups that are removed, in files.
    pub backups: usize,
    /// Damaged journals that had been put aside.
    pub journals: usize,
    /// Records of other clones that have such texts too: only there they can be purged.
    pub foreign: usize,
    /// Whether anything at all, a tombstone too, is about what was sought.
    #[serde(skip)]
    pub is_known: bool,
    /// The backups of the files that lost their texts, relative to a worktree's folder of backups.
    #[serde(skip)]
    its_backups: BTreeSet<RepoPath>,
    /// The files whose texts go.
    #[serde(skip)]
    files: BTreeSet<RepoPath>,
    /// The sessions of the records that lose something.
    #[serde(skip)]
    sessions: BTreeSet<String>,
    /// The length of the texts.
    #[serde(skip)]
    bytes: usize,
    /// What may hold such a text and stays, a sentence each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

impl Purged {
    /// How many files lose their texts.
    pub fn files(&self) -> usize {
        self.files.len()
    }

    /// How many sessions the records are of that lose something.
    pub fn sessions(&self) -> usize {
        self.sessions.len()
    }

    /// How long the texts are that go, in bytes.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Whether nothing is left to be removed.
    pub fn is_nothing(&self) -> bool {
        [self.records, self.texts, self.answers, self.backups, self.journals] == [0; 5]
    }

    /// Says under which other names the files were: what is recorded there goes, too.
    pub fn note_other_names(&mut self, sought: &Sought) {
        self.notes.extend(sought.other_names.iter().map(|name| {
            let name = quoted_path(name);
            format!("one of the files was {name} for a while; its texts under that name are among those that go")
        }));
    }

    /// Counts answers that no record has.
    pub fn add_answers(&mut self, count: usize) {
        self.answers += count;
        self.is_known |= count > 0;
    }
}

/// Whose texts are to go.
#[derive(Debug, Default, Clone)]
pub struct Sought {
    /// Files, or directories with all below them.
    paths: Vec<RepoPath>,
    /// Records.
    ids: BTreeSet<RecordId>,
    /// The texts of those records, which the records beside them have too; and those of the files under their other names.
    texts: BTreeSet<(RepoPath, BlobId)>,
    /// The names that the files had, and that were not given.
    other_names: BTreeSet<RepoPath>,
}

impl Sought {
    /// The texts of these paths, under whatever name the files were meanwhile, and of these records.
    ///
    /// # Errors
    /// Where a record cannot be read.
    pub fn new(history: &History<'_>, paths: Vec<RepoPath>, records: &[Item]) -> Result<Self, HistoryError> {
        let mut sought = Self { paths, ..Self::default() };
        for item in records {
            let record = history.full(item)?;
            sought.texts.extend(record.files.iter().flat_map(texts_of));
            sought.ids.insert(record.id);
        }
        if !sought.paths.is_empty() {
            let mut items = history.items(Scope::All, Filter::default())?.collect::<Result<Vec<_>, _>>()?;
            items.reverse();
            let Life { texts, names } = lives::of_names(items.into_iter(), |name| sought.is_named(name));
            sought.other_names = names.into_iter().filter(|name| !sought.is_named(name)).collect();
            let of_others = texts.into_iter().filter(|(name, _)| sought.other_names.contains(name));
            sought.texts.extend(of_others.collect::<Vec<_>>());
        }
        Ok(sought)
    }

    /// Whether a path is sought.
    pub fn is_about(&self, path: &RepoPath) -> bool {
        self.is_named(path) || self.texts.iter().any(|(own, _)| own == path)
    }

    /// Whether it is one of the paths that were given, or below one.
    fn is_named(&self, path: &RepoPath) -> bool {
        self.paths.iter().any(|own| path == own || path.is_below(own))
    }

    fn hits(&self, id: &RecordId, file: &RecordFile) -> bool {
        self.ids.contains(id)
            || self.paths.iter().any(|path| file.is_at(path))
            || (!self.texts.is_empty() && texts_of(file).any(|text| self.texts.contains(&text)))
    }

    /// Takes what is sought out of a record; says whether there was any.
    fn take(&self, record: &mut Record, purged: &mut Purged) -> bool {
        let (mut is_about, mut is_touched) = (false, false);
        for file in record.files.iter_mut().filter(|file| self.hits(&record.id, file)) {
            is_about = true;
            if file.kept == TextsKept::Stored {
                purged.texts += usize::from(file.before.is_some()) + usize::from(file.after.is_some());
                purged.bytes += file.splices.before_len() + file.splices.after_len();
            }
            if file.kept != TextsKept::Purged {
                is_touched = true;
                file.kept = TextsKept::Purged;
                purged.files.insert(file.path.clone());
                purged.its_backups.extend(file.backup.take());
            }
        }
        // What was done to a text may quote it.
        if is_about && record.meta.observed.as_mut().is_some_and(Observed::forget_commands) {
            is_touched = true;
        }
        // An answer carries a diff.
        if is_about && record.meta.answer.take().is_some() {
            purged.answers += 1;
            is_touched = true;
        }
        purged.is_known |= is_about;
        purged.records += usize::from(is_touched);
        purged.sessions.extend(record.meta.session.clone().filter(|_| is_touched));
        is_touched
    }
}

/// Removes what is sought from the history of this clone; the records stay, as tombstones.
///
/// # Errors
/// [`HistoryError::Damaged`], where a record cannot be read that may hold it; where a chain cannot be written, or git fails
/// to pack.
pub fn purge(store: &Store, sought: &Sought, extent: Extent, purged: &mut Purged) -> Result<(), HistoryError> {
    let mut is_written = false;
    for (chain, tip) in store.chains()? {
        let is_own = store.clone_name() == Some(&chain.clone);
        let mut records = Vec::new();
        let mut touched = false;
        for sealed in chain_reader::of_chain(store, &chain, tip, Filter::default()) {
            let whole = sealed.and_then(|sealed| chain_reader::read_commit(store, sealed.commit));
            let mut record = whole.map_err(|error| unsure(&chain, &error))?.0;
            if is_own {
                touched |= sought.take(&mut record, purged);
                records.push(record);
            } else if record.files.iter().any(|file| file.kept == TextsKept::Stored && sought.hits(&record.id, file)) {
                purged.foreign += 1;
                purged.is_known = true;
            }
        }
        if touched && extent == Extent::Whole {
            records.reverse();
            write_chain(store, &chain, records)?;
            is_written = true;
        }
    }
    if is_written {
        store.repack("--prune=now")?;
    }
    Ok(())
}

/// What of the records that are not sealed yet would go.
///
/// # Errors
/// Where git's rules of what it ignores cannot be read.
pub fn purge_unsealed(history: &History<'_>, sought: &Sought, purged: &mut Purged) -> Result<(), HistoryError> {
    let mut ignores = Ignores::new(history.repo());
    for mut record in history.unsealed_records() {
        for file in record.files.iter_mut().filter(|file| sought.hits(&record.id, file)) {
            file.kept = kept_when_sealed(&mut ignores, file)?.unwrap_or(file.kept);
        }
        sought.take(&mut record, purged);
    }
    Ok(())
}

/// What a record holds that cannot be read is not known, so nothing is removed beside it.
fn unsure(chain: &Chain, error: &HistoryError) -> HistoryError {
    let what =
        format!("{error}; nothing of {} was removed, since it may hold the path in that record", chain.ref_name());
    HistoryError::Damaged(what)
}

/// Removes what a worktree's state has of what is sought: backups, and damaged journals that name it.
///
/// # Errors
/// Where something cannot be listed or removed.
pub fn purge_state(place: &StateDir, sought: &Sought, extent: Extent, purged: &mut Purged) -> Result<(), HistoryError> {
    let mut gone = BTreeSet::new();
    for folder in entries(&place.backups())? {
        if backup_id(&folder).is_some_and(|id| sought.ids.contains(&id)) {
            files_at(&folder, &mut gone)?;
        }
        for path in &sought.paths {
            files_at(&folder.join(path.to_path()), &mut gone)?;
        }
    }
    for backup in &purged.its_backups {
        files_at(&place.backups().join(backup.to_path()), &mut gone)?;
    }
    purged.backups += gone.len();
    for aside in place.journals_aside() {
        let bytes = fs::read(&aside).map_err(HistoryError::io("read", &aside))?;
        if sought.is_named_in(&bytes) {
            purged.journals += 1;
            gone.insert(aside);
        } else {
            let what = "is a damaged journal that was put aside, and may hold such a text too: look, and remove it";
            purged.notes.push(format!("{} {what}", aside.display()));
        }
    }
    purged.is_known |= !gone.is_empty();
    for file in gone.iter().filter(|_| extent == Extent::Whole) {
        fs::remove_file(file).map_err(HistoryError::io("remove", file))?;
        // Folders that are empty now tell nothing.
        let above = file.ancestors().skip(1).take_while(|above| above.starts_with(place.backups()));
        above
            .filter(|above| **above != place.backups())
            .take_while(|above| fs::remove_dir(above).is_ok())
            .for_each(drop);
    }
    Ok(())
}

impl Sought {
    /// Whether the bytes of a journal name it: paths stand there as they are, or as JSON has them.
    fn is_named_in(&self, bytes: &[u8]) -> bool {
        let has = |part: &[u8]| memchr::memmem::find(bytes, part).is_some();
        let is_named = |path: &RepoPath| {
            let json = serde_json::to_vec(path).unwrap_or_default();
            has(path.as_bstr()) || has(json.trim_with(|c| matches!(c, '"' | '[' | ']')))
        };
        self.paths.iter().chain(self.texts.iter().map(|(path, _)| path)).any(is_named)
            || self.ids.iter().any(|id| has(id.as_str().as_bytes()))
    }
}

/// Adds a file, or all in a folder; nothing where nothing is.
fn files_at(path: &Path, found: &mut BTreeSet<PathBuf>) -> Result<(), HistoryError> {
    let meta = match fs::symlink_metadata(path) {
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => return Ok(()),
        meta => meta.map_err(HistoryError::io("look at", path))?,
    };
    if meta.is_dir() {
        return entries(path)?.iter().try_for_each(|inner| files_at(inner, found));
    }
    found.insert(path.to_owned());
    Ok(())
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, HistoryError> {
    match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(HistoryError::io("list", folder)(error)),
        Ok(entries) => Ok(entries.filter_map(Result::ok).map(|entry| entry.path()).collect()),
    }
}
