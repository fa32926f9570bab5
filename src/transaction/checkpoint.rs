//! Makes everything since the last checkpoint durable, hands the records to the history, and empties the journal.
//!
//! Invariant: all data is synced before any directory is, and the journal is emptied only when both are and the records
//! are sealed. (A directory synced before the data, or before its backups' names, may keep an exchange whose old text is lost.)

use super::error::TransactionError as Error;
use super::intent::{Intent, IntentFile};
use super::journal_bytes::{Contents, Entry, Outcome};
use super::note::{JournalDamage, Note};
use super::rebuilt::Texts;
use super::step::Step;
use super::unrecorded::note_unrecorded;
use super::{Durability, Recovered, Transaction};
use crate::change::PathState;
use crate::id::RecordId;
use crate::path::RepoPath;
use crate::record::{LARGEST_KEPT, RecordFile, RecordedTexts};
use crate::worktree::dir::Dir;
use bstr::BStr;
use std::collections::BTreeSet;
use std::fs::File;

/// So many transactions at most are recovered after a power cut, and read from the journal by `log`.
const MOST_TRANSACTIONS: u32 = 256;
/// In bytes.
const LARGEST_JOURNAL: u64 = 4 << 20;

/// A record on its way into the history.
#[derive(Debug)]
pub struct Sealable<'a> {
    /// The record.
    pub intent: &'a Intent,
    /// It and the entries behind it.
    later: &'a [Entry],
    transaction: &'a Transaction,
}

impl Sealable<'_> {
    /// The texts of file `n` of the record, from its backup and splices.
    ///
    /// # Errors
    /// Where the backup is there and cannot be read.
    pub fn texts(&self, record: &RecordFile, n: usize) -> Result<RecordedTexts, Error> {
        let file = &self.intent.files[n];
        let before = match self.transaction.backup_bytes(file)? {
            None => self.rebuilt(n),
            found => found,
        };
        let base = if file.before.is_none() { Some(&[][..]) } else { before.as_deref() };
        let after = file.after.and(base).and_then(|base| file.apply(base));
        Ok(RecordedTexts::new(record, before, after).unwrap_or_default())
    }

    /// The text before, without its backup.
    fn rebuilt(&self, n: usize) -> Option<Vec<u8>> {
        let texts = Texts {
            backup: &|file| self.transaction.backup_bytes(file).ok().flatten(),
            today: &|path| Some(self.transaction.slot_of(path).ok()?.read().ok()??.1),
        };
        texts.before(self.later.iter().map(|entry| &entry.intent), n)
    }
}

impl Transaction {
    /// Whether it is time for a checkpoint.
    pub fn is_checkpoint_due(&self) -> bool {
        let journal = self.hold.journal.borrow();
        // While others wait for their sync, nothing is settled.
        let is_long = || journal.count() >= MOST_TRANSACTIONS || journal.size() >= LARGEST_JOURNAL;
        journal.is_settled() && (self.must_checkpoint || is_long())
    }

    /// Whether half of the transactions are there that make a checkpoint due: who has nothing else to do may do it now.
    pub fn is_checkpoint_near(&self) -> bool {
        let journal = self.hold.journal.borrow();
        journal.is_settled() && (journal.count() >= MOST_TRANSACTIONS / 2 || journal.size() >= LARGEST_JOURNAL / 2)
    }

    /// Whether a checkpoint must come before the next transaction: earlier ones were recovered after a reboot.
    pub fn must_checkpoint(&self) -> bool {
        self.must_checkpoint
    }

    /// Syncs what the transactions since the last checkpoint touched, has `seal` keep their records, empties the journal.
    ///
    /// `seal` may be called again with the same records, after a crash: it must know them by their ids.
    ///
    /// # Errors
    /// Where a file cannot be synced, and those of `seal`; the journal then stays as it is.
    pub fn checkpoint<E: From<Error>>(&mut self, seal: impl FnOnce(&[Sealable<'_>]) -> Result<(), E>) -> Result<(), E> {
        let contents = self.hold.journal.borrow().contents()?;
        if contents.entries.is_empty() && contents.damage.is_empty() {
            self.must_checkpoint = false;
            return Ok(());
        }
        // 1. The data of all files. 2. Their names.
        if self.hold.durability == Durability::Full {
            self.watch.before(Step::SyncData)?;
            self.sync_data(&contents.entries)?;
            self.watch.before(Step::SyncNames)?;
            self.sync_names(&contents.entries)?;
        }
        // 3. The records.
        self.watch.before(Step::Seal)?;
        let sealable: Vec<Sealable<'_>> = contents
            .entries
            .iter()
            .enumerate()
            .filter(|(_, entry)| entry.outcome == Outcome::Applied || self.is_remade(entry))
            .filter(|(_, entry)| !entry.intent.is_unrecorded())
            .map(|(n, entry)| Sealable { intent: &entry.intent, later: &contents.entries[n..], transaction: self })
            .collect();
        if !sealable.is_empty() {
            seal(&sealable)?;
        }
        // 4. What has no record, and perhaps a backup.
        let sealed: BTreeSet<&RecordId> = sealable.iter().map(|record| &record.intent.id).collect();
        let others = contents.entries.iter().map(|entry| &entry.intent.id).filter(|id| !sealed.contains(id));
        let noted = note_unrecorded(self.hold.state.place(), others, self.hold.durability);
        noted.map_err(Error::io("write", "the list of edits without a record"))?;
        // 5. The journal.
        self.watch.before(Step::ClearJournal)?;
        self.empty_journal(&contents)?;
        self.must_checkpoint = false;
        self.recovered = Recovered::default();
        Ok(())
    }

    /// Begins the journal anew; one that is damaged is put aside, and told.
    fn empty_journal(&mut self, contents: &Contents) -> Result<(), Error> {
        if contents.damage.is_empty() {
            return self.hold.journal.borrow_mut().clear();
        }
        let name =
            self.hold.journal.borrow_mut().put_aside(&self.hold.state, self.env.clock().now().as_millisecond())?;
        let kept = Some(self.hold.state.path().join(name));
        let damage = JournalDamage::of(&contents.damage);
        self.notes.extend(damage.map(|damage| Note::JournalDamaged { damage, kept }));
        Ok(())
    }

    /// An intent that has no mark was committed all the same, if it is from another run of the system, or was just finished.
    fn is_remade(&self, entry: &Entry) -> bool {
        entry.outcome == Outcome::Open && !self.recovered.back.contains(&entry.intent.id)
    }

    fn sync_data(&self, entries: &[Entry]) -> Result<(), Error> {
        let files = || own(entries).flat_map(|entry| &entry.intent.files);
        let paths: BTreeSet<&RepoPath> = files().map(|file| &file.path).collect();
        let mut opened = Vec::new();
        for path in paths {
            // What is gone or became something else meanwhile needs no sync.
            let Ok(place) = self.root.place(path) else { continue };
            let Some(dir) = place.dir() else { continue };
            opened.extend(opened_file(dir, place.name()).map(|file| (file, path.to_string_lossy())));
            sync_if_many(&mut opened)?;
        }
        for backup in files().filter_map(kept_by_backup_only) {
            let Ok(dir) = self.hold.state.backups.beneath(backup.parent().as_ref()) else { continue };
            opened.extend(opened_file(&dir, backup.file_name()).map(|file| (file, "a backup".to_owned())));
            sync_if_many(&mut opened)?;
        }
        sync_all(&opened)
    }

    fn sync_names(&self, entries: &[Entry]) -> Result<(), Error> {
        let mut below_root: BTreeSet<Option<RepoPath>> = BTreeSet::new();
        let mut below_backups: BTreeSet<RepoPath> = BTreeSet::new();
        for entry in own(entries) {
            below_root.extend(entry.intent.made_dirs.iter().map(RepoPath::parent));
            for file in &entry.intent.files {
                below_root.insert(file.path.parent());
                below_root.extend(file.from.iter().map(RepoPath::parent));
                let mut at = kept_by_backup_only(file).and_then(|backup| backup.parent());
                while let Some(dir) = at {
                    at = dir.parent();
                    below_backups.insert(dir);
                }
            }
        }
        let sync = |dir: &Dir, what: &str| dir.sync().map_err(Error::io("sync", what));
        for path in below_backups.iter().rev() {
            if let Ok(dir) = self.hold.state.backups.beneath(Some(path)) {
                sync(&dir, "a folder of backups")?;
            }
        }
        sync(&self.hold.state.backups, "the folder of backups")?;
        sync(&self.hold.stage, "the folder of staged files")?;
        for path in below_root {
            let mut at = path;
            // Of one that is gone the nearest above has the change.
            while let (Err(error), Some(path)) = (self.root.dir().beneath(at.as_ref()), &at)
                && error.kind() == std::io::ErrorKind::NotFound
            {
                at = path.parent();
            }
            if let Ok(dir) = self.root.dir().beneath(at.as_ref()) {
                sync(&dir, "a directory")?;
            }
        }
        sync(&self.hold.state.dir, "redraft's folder")
    }
}

/// The backup of a file whose old text the history does not keep: only such a backup must be durable, the others are for
/// people. (One sync for each of 256 transactions' backups would hold the lock for seconds.)
fn kept_by_backup_only(file: &IntentFile) -> Option<RepoPath> {
    let needed = file.state == Some(PathState::Ignored) || file.before_len > LARGEST_KEPT;
    file.backup.clone().filter(|_| needed)
}

/// The entries of redraft's own edits: what another program wrote is its own to make durable, and what was kept of it is on the disk.
fn own(entries: &[Entry]) -> impl Iterator<Item = &Entry> {
    entries.iter().filter(|entry| !entry.intent.is_observed())
}

/// A file to be synced; none where it is none, or cannot be read.
fn opened_file(dir: &Dir, name: &BStr) -> Option<File> {
    let is_file = matches!(dir.look(name), Ok(Some(meta)) if meta.kind == crate::worktree::Kind::File);
    if is_file { dir.read(name).ok() } else { None }
}

/// So many files are open at once.
const MOST_OPEN: usize = 64;

/// So many are synced at once: a device that has several syncs to do does them in less time than one after the other.
const AT_ONCE: usize = 8;

fn sync_if_many(opened: &mut Vec<(File, String)>) -> Result<(), Error> {
    if opened.len() < MOST_OPEN {
        return Ok(());
    }
    sync_all(&std::mem::take(opened))
}

fn sync_all(opened: &[(File, String)]) -> Result<(), Error> {
    let sync = |files: &[(File, String)]| -> Result<(), Error> {
        files.iter().try_for_each(|(file, shown)| file.sync_all().map_err(Error::io("sync", shown)))
    };
    if opened.len() < 2 * AT_ONCE {
        return sync(opened);
    }
    std::thread::scope(|scope| {
        let parts = opened.chunks(opened.len().div_ceil(AT_ONCE));
        let threads: Vec<_> = parts
            .map(|files| std::thread::Builder::new().spawn_scoped(scope, move || sync(files)).map_err(|_| files))
            .collect();
        // Where there is no other thread to be had, this one does it.
        let done = threads.into_iter().map(|thread| match thread {
            Ok(thread) => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            Err(files) => sync(files),
        });
        // All end, also where one fails.
        done.collect::<Vec<_>>().into_iter().collect()
    })
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn of_many_files_each_is_synced_and_one_that_cannot_be_is_an_error() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = |n: usize| {
            let file = File::create(folder.path().join(n.to_string())).expect("a file");
            (file, format!("file {n}"))
        };
        let mut opened: Vec<(File, String)> = (0..3 * AT_ONCE).map(file).collect();
        assert!(sync_all(&opened).is_ok());
        // Nothing can be synced there.
        opened[2 * AT_ONCE] = (File::open("/dev/null").expect("a device"), "the device".to_owned());
        for few in [&opened[..], &opened[2 * AT_ONCE..]] {
            assert!(sync_all(few).is_err_and(|error| error.to_string().contains("the device")), "{}", few.len());
        }
    }
}
