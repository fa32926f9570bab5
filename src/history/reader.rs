//! Reads the history: sealed records and those of the journal as one list, newest first.
//!
//! Owns what readers see. Takes no lock and writes nothing.
//! Invariant: the journal is read before the chains, so that a record sealed meanwhile is seen, and seen once.

use crate::git::{Repo, blob_id};
use crate::history::commits_of_records::CommitsOfRecords;
use crate::history::error::HistoryError;
use crate::history::in_force::{Effect, Effects, Whose};
use crate::history::review_marks::{ReviewMark, ReviewMarks};
use crate::history::store::chain::Chain;
use crate::history::store::chain_reader::{self, Sealed};
use crate::history::store::index_file::Filter;
use crate::history::store::repository::{Readable, Store};
use crate::history::warning::HistoryWarning;
use crate::id::{BlobId, CommitId, RecordId};
use crate::path::RepoPath;
use crate::record::{Record, RecordFile, RecordedTexts, TextsKept};
use crate::state_dir::{StateDir, read_regular};
use crate::transaction::{Contents, Intent, JournalDamage, Outcome, State, Texts, is_cut_off, may_lack_records, peek};
use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, HashSet};
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

/// Whose records are looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Scope {
    /// Those of this worktree.
    #[default]
    Own,
    /// Those of all worktrees and clones.
    All,
}

/// Where a record is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum At {
    /// In a journal.
    Journal {
        /// Which, among those of all worktrees.
        journal: usize,
        /// Its index among the records there.
        entry: usize,
    },
    /// In history.git: its commit.
    Commit(CommitId),
}

/// A record as a reader meets it.
#[derive(Debug, Clone)]
pub struct Item {
    /// Perhaps without splices; [`History::full`] gives all of it.
    pub record: Record,
    /// Where it is.
    pub at: At,
    /// Whether it is of this worktree.
    pub is_own: bool,
    /// The worktree of this clone that it is of; none where it is of another clone.
    pub worktree: Option<Arc<str>>,
}

impl Item {
    /// In which worktree it was made.
    pub(crate) fn whose(&self) -> Whose {
        if self.is_own { Whose::Own } else { Whose::Others }
    }
}

/// A file that somebody moved without redraft.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Moved {
    /// Where it is.
    pub today: RepoPath,
    /// Where the commits that moved it have it; its recorded name, where none did.
    pub committed: RepoPath,
    /// How many names of it newer records have.
    pub age: usize,
}

impl Drop for History<'_> {
    fn drop(&mut self) {
        for (name, warning) in self.warnings.take() {
            self.repo.env().untold().leave(name, warning);
        }
    }
}

/// What the journal of one worktree says.
struct JournalOf {
    worktree: Arc<str>,
    is_own: bool,
    /// What was done, oldest first.
    done: Vec<Intent>,
    /// What was begun.
    in_flight: Vec<Intent>,
    /// What left no record, or did not happen.
    unrecorded: Vec<(Intent, Outcome)>,
    entries: usize,
    /// Of all entries.
    ids: Vec<RecordId>,
    /// The number of bytes that are no whole entry, at its end.
    torn: u64,
    /// Whether these were whole once.
    is_cut_off: bool,
    damage: Option<JournalDamage>,
    /// Damaged ones that were put aside, and may have had records that are nowhere else.
    aside: Vec<PathBuf>,
}

/// A journal that seems to be cut off is looked at again so often, and so long after: somebody may be writing that entry.
const LOOKS: usize = 2;
const BETWEEN_LOOKS: Duration = Duration::from_millis(15);

/// What the journal says, and whether it is cut off.
fn look(state: &State) -> Result<(Contents, bool), HistoryError> {
    let mut contents = peek(state.dir())?;
    for _ in 0..LOOKS {
        if !is_cut_off(state, &contents)? {
            return Ok((contents, false));
        }
        std::thread::sleep(BETWEEN_LOOKS);
        let (end, torn) = (contents.end, contents.torn);
        contents = peek(state.dir())?;
        if (contents.end, contents.torn) != (end, torn) {
            return Ok((contents, false));
        }
    }
    Ok((contents, true))
}

impl JournalOf {
    /// The journal that lies in `place`; `own` is the one of the worktree that reads.
    fn read(place: &StateDir, own: &StateDir) -> Result<Option<Self>, HistoryError> {
        let Some(state) = State::open_existing(place)? else { return Ok(None) };
        let (Contents { entries, damage, torn, .. }, is_cut_off) = look(&state)?;
        let mut journal = Self {
            worktree: place.worktree().into(),
            is_own: place == own,
            done: Vec::new(),
            in_flight: Vec::new(),
            unrecorded: Vec::new(),
            entries: entries.len(),
            ids: entries.iter().map(|entry| entry.intent.id.clone()).collect(),
            torn,
            is_cut_off,
            damage: JournalDamage::of(&damage),
            aside: place.journals_aside(),
        };
        journal.aside.retain(|file| read_regular(file).ok().flatten().is_none_or(|bytes| may_lack_records(&bytes)));
        for entry in entries {
            match entry.outcome {
                Outcome::Applied if !entry.intent.is_unrecorded() => journal.done.push(entry.intent),
                Outcome::Open => journal.in_flight.push(entry.intent),
                outcome => journal.unrecorded.push((entry.intent, outcome)),
            }
        }
        Ok(Some(journal))
    }
}

/// How far the log of a worktree has come; where two are equal, nothing was done there in between.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogEnd {
    newest: Option<RecordId>,
    /// In the journal, also what was taken back.
    entries: usize,
    in_flight: usize,
}

impl LogEnd {
    /// Whether something was begun and not finished.
    pub fn is_in_flight(&self) -> bool {
        self.in_flight > 0
    }
}

/// The history of a repository, open for reading.
pub struct History<'a> {
    repo: &'a Repo,
    store: Store,
    place: StateDir,
    /// This worktree's first.
    journals: Vec<JournalOf>,
    /// What was noted of the commits of records; read when first asked for.
    noted: OnceCell<CommitsOfRecords>,
    /// Which records were looked at; read when first asked for.
    marks: OnceCell<ReviewMarks>,
    /// Where files are that somebody moved without redraft, by their recorded names; looked for when first asked for.
    moved: OnceCell<BTreeMap<RepoPath, Moved>>,
    /// The one that was read last and is asked for with each of its files.
    pub(super) last_full: RefCell<Option<Rc<Record>>>,
    /// What cannot be read, as far as it was met, each once: by its debug form, for an error has no order.
    warnings: RefCell<BTreeMap<String, HistoryWarning>>,
}

impl<'a> History<'a> {
    /// Opens the history, of which nothing may exist yet.
    ///
    /// # Errors
    /// Where a journal or history.git is there and cannot be read.
    pub fn open(repo: &'a Repo) -> Result<Self, HistoryError> {
        let place = StateDir::of(repo);
        let mut journals: Vec<JournalOf> = JournalOf::read(&place, &place)?.into_iter().collect();
        let all = place.all().map_err(HistoryError::io("list", place.path()))?;
        for other in all.iter().filter(|other| **other != place) {
            journals.extend(JournalOf::read(other, &place)?);
        }
        let store = Store::open(repo)?;
        let history = Self {
            repo,
            store,
            place,
            journals,
            noted: OnceCell::new(),
            marks: OnceCell::new(),
            moved: OnceCell::new(),
            last_full: RefCell::default(),
            warnings: RefCell::default(),
        };
        for journal in &history.journals {
            if journal.is_cut_off {
                history.warn(HistoryWarning::JournalCutOff(history.place.of_worktree(&journal.worktree).journal()));
            }
            if let Some(damage) = journal.damage.clone() {
                let journal = history.place.of_worktree(&journal.worktree).journal();
                history.warn(HistoryWarning::JournalDamaged { damage, journal });
            }
            journal.aside.iter().for_each(|aside| history.warn(HistoryWarning::JournalAside(aside.clone())));
        }
        Ok(history)
    }

    /// The repository whose history it is.
    pub fn repo(&self) -> &'a Repo {
        self.repo
    }

    /// history.git.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// What of the history cannot be read, as far as it was met since this was last asked; all else is as it should be.
    ///
    /// Whoever asks tells it. What nobody asked for is left to be told at the end ([`crate::env::Untold`]).
    pub fn take_warnings(&self) -> Vec<HistoryWarning> {
        let warnings = self.warnings.take();
        warnings.keys().for_each(|name| self.repo.env().untold().is_told(name));
        warnings.into_values().collect()
    }

    /// Remembers what cannot be read; the caller goes on without it.
    pub(crate) fn warn(&self, warning: HistoryWarning) {
        self.warnings.borrow_mut().insert(format!("{warning:?}"), warning);
    }

    /// Where something cannot be read, it may hold what a policy asks for ([`HistoryWarning::MayBeUnreviewed`]).
    pub fn warn_of_unreviewed(&self) {
        if self.warnings.borrow().values().any(HistoryWarning::is_loss) {
            self.warn(HistoryWarning::MayBeUnreviewed);
        }
    }

    pub(super) fn warn_of(&self, error: HistoryError) {
        self.warn(HistoryWarning::Unreadable(error));
    }

    /// Transactions that were begun and not finished.
    pub fn in_flight(&self, scope: Scope) -> impl Iterator<Item = &Intent> {
        self.journals_in(scope).flat_map(|journal| &journal.in_flight)
    }

    /// The records that are not sealed yet, and those that are being made, of all worktrees.
    pub(crate) fn unsealed_records(&self) -> impl Iterator<Item = Record> + '_ {
        self.journals.iter().flat_map(|journal| journal.done.iter().chain(&journal.in_flight)).map(Intent::record)
    }

    /// What this worktree's journal has of a transaction that has no record, or none yet.
    pub(crate) fn own_entry(&self, id: &RecordId) -> Option<(&Intent, Outcome)> {
        let mut entries = self.journals_in(Scope::Own).flat_map(|journal| {
            let open = journal.in_flight.iter().map(|intent| (intent, Outcome::Open));
            open.chain(journal.unrecorded.iter().map(|(intent, outcome)| (intent, *outcome)))
        });
        entries.find(|(intent, _)| intent.id == *id)
    }

    /// The number of records that are not sealed yet.
    pub fn journal_records(&self, scope: Scope) -> usize {
        self.journals_in(scope).map(|journal| journal.done.len()).sum()
    }

    /// The state of every worktree that has some: where it lies, the ids in its journal, and the number of bytes at the
    /// journal's end that are no whole entry, where they were none before.
    pub(crate) fn states(&self) -> impl Iterator<Item = (StateDir, &[RecordId], u64)> + '_ {
        let torn = |one: &JournalOf| if one.is_cut_off { 0 } else { one.torn };
        self.journals.iter().map(move |one| (self.place.of_worktree(&one.worktree), &one.ids[..], torn(one)))
    }

    /// The number of entries in this worktree's journal.
    pub fn journal_len(&self) -> usize {
        self.journals_in(Scope::Own).map(|journal| journal.entries).sum()
    }

    /// How far the log of this worktree has come.
    ///
    /// # Errors
    /// As [`Self::items`].
    pub fn end(&self) -> Result<LogEnd, HistoryError> {
        let newest = self.items(Scope::Own, Filter::default())?.next().transpose()?.map(|item| item.record.id);
        Ok(LogEnd { newest, entries: self.journal_len(), in_flight: self.in_flight(Scope::Own).count() })
    }

    fn journals_in(&self, scope: Scope) -> impl Iterator<Item = &JournalOf> {
        self.journals.iter().filter(move |journal| scope == Scope::All || journal.is_own)
    }

    /// Records from the newest to the oldest; sealed ones only if they pass the filter.
    ///
    /// # Errors
    /// Where the refs of history.git cannot be read; a damaged record is left out and noted.
    pub fn items(
        &self,
        scope: Scope,
        filter: Filter,
    ) -> Result<Box<dyn Iterator<Item = Result<Item, HistoryError>> + '_>, HistoryError> {
        let unsealed = self.journals.iter().enumerate().flat_map(|(at, journal)| self.unsealed(at, journal));
        let unsealed = unsealed.filter(move |item| scope == Scope::All || item.is_own).map(Ok);
        let seen: HashSet<&RecordId> =
            self.journals.iter().flat_map(|journal| &journal.done).map(|intent| &intent.id).collect();
        let Readable { chains, damage } = self.store.readable_chains()?;
        damage.into_iter().for_each(|damage| self.warn_of(HistoryError::Damaged(damage)));
        let is_meant = |(chain, _): &(Chain, CommitId)| scope == Scope::All || self.store.is_own(chain);
        let mut chains: Vec<(Chain, CommitId)> = chains.into_iter().filter(is_meant).collect();
        chains.sort_by(|a, b| b.0.month.cmp(&a.0.month));
        let is_other = |(chain, _): &(Chain, CommitId)| !self.store.is_own(chain);
        let has_others = self.journals.iter().any(|journal| !journal.is_own) || chains.iter().any(is_other);
        let sealed = chains.into_iter().flat_map(move |(chain, tip)| {
            let is_own = self.store.is_own(&chain);
            let is_here = self.store.clone_name() == Some(chain.clone.as_str());
            let worktree: Option<Arc<str>> = is_here.then(|| chain.worktree.as_str().into());
            let sealed = chain_reader::of_chain(&self.store, &chain, tip, filter.clone());
            // One that cannot be read is told, and takes no other with it.
            let sealed = sealed.filter_map(|sealed| sealed.map_err(|error| self.warn_of(error)).ok());
            sealed.map(move |Sealed { commit, record }| {
                Ok(Item { record, at: At::Commit(commit), is_own, worktree: worktree.clone() })
            })
        });
        let sealed = sealed.filter(move |item| !matches!(item, Ok(item) if seen.contains(&item.record.id)));
        let all = unsealed.chain(sealed);
        if scope == Scope::Own || !has_others {
            return Ok(Box::new(all));
        }
        let mut all = all.collect::<Result<Vec<_>, _>>()?;
        all.sort_by_key(|item| std::cmp::Reverse(item.record.time_ms));
        Ok(Box::new(all.into_iter().map(Ok)))
    }

    /// Whether other worktrees of this clone have records, also such as are gone.
    ///
    /// # Errors
    /// Where the refs of history.git cannot be read.
    pub(crate) fn has_other_worktrees(&self) -> Result<bool, HistoryError> {
        let is_here = |chain: &Chain| self.store.clone_name() == Some(chain.clone.as_str());
        let is_sealed = |chain: &Chain| is_here(chain) && !self.store.is_own(chain);
        let is_open = self.journals.iter().any(|journal| !journal.is_own && !journal.done.is_empty());
        Ok(is_open || self.store.readable_chains()?.chains.keys().any(is_sealed))
    }

    /// The oldest record of each journal that is not sealed yet, and whether it is of this worktree.
    pub(super) fn oldest_unsealed(&self) -> impl Iterator<Item = (bool, &Intent)> {
        self.journals.iter().filter_map(|journal| Some((journal.is_own, journal.done.first()?)))
    }

    /// The records of one journal, newest first.
    fn unsealed<'s>(&'s self, at: usize, journal: &'s JournalOf) -> impl Iterator<Item = Item> + 's {
        journal.done.iter().enumerate().rev().map(move |(entry, intent)| Item {
            record: intent.record(),
            at: At::Journal { journal: at, entry },
            is_own: journal.is_own,
            worktree: Some(Arc::clone(&journal.worktree)),
        })
    }

    /// The journal's entry of a record, where it is not sealed yet.
    fn intent(&self, at: At) -> Option<&Intent> {
        match at {
            At::Journal { journal, entry } => self.journals.get(journal)?.done.get(entry),
            At::Commit(_) => None,
        }
    }

    /// As [`Self::items`], each with what of it is in force.
    ///
    /// # Errors
    /// As [`Self::items`].
    pub fn effects(
        &self,
        scope: Scope,
        filter: Filter,
    ) -> Result<impl Iterator<Item = Result<(Item, Effect), HistoryError>> + '_, HistoryError> {
        let mut effects = Effects::default();
        Ok(self.items(scope, filter)?.map(move |item| {
            item.map(|item| {
                let effect = effects.visit(&item.record, item.whose());
                (item, effect)
            })
        }))
    }

    /// What was noted of the records' commits when they were made.
    pub(crate) fn noted_commits(&self) -> &CommitsOfRecords {
        // Where it cannot be read, the commits are looked for.
        self.noted.get_or_init(|| CommitsOfRecords::read(&self.place).unwrap_or_default())
    }

    /// Whether a person has looked at a record. Where that cannot be read nobody has.
    pub(crate) fn mark_of(&self, record: &RecordId) -> Option<ReviewMark> {
        self.read_marks().of(record).cloned()
    }

    /// Which records were looked at; where that cannot be read, or not all of it, it is noted.
    pub(crate) fn read_marks(&self) -> &ReviewMarks {
        self.marks.get_or_init(|| {
            let marks = ReviewMarks::read(&self.place).unwrap_or_else(|error| {
                self.warn(HistoryWarning::Unreadable(HistoryError::io("read", &self.place.reviewed())(error)));
                ReviewMarks::default()
            });
            if marks.is_damaged() {
                self.warn(HistoryWarning::MarksCancelled(self.place.reviewed()));
            }
            marks
        })
    }

    /// Where files are that somebody moved without redraft, by the names that records have; found once.
    pub(crate) fn moved_files(&self, find: impl FnOnce() -> BTreeMap<RepoPath, Moved>) -> &BTreeMap<RepoPath, Moved> {
        self.moved.get_or_init(find)
    }

    /// The state of this worktree.
    pub(crate) fn place(&self) -> &StateDir {
        &self.place
    }

    /// All of a record, its splices too.
    ///
    /// # Errors
    /// Where the commit cannot be read.
    pub fn full(&self, item: &Item) -> Result<Record, HistoryError> {
        match item.at {
            At::Journal { .. } => Ok(item.record.clone()),
            At::Commit(commit) => Ok(chain_reader::read_commit(&self.store, commit)?.0),
        }
    }

    /// As [`Self::texts`]; what cannot be read is no text, and noted.
    pub fn texts_if_whole(&self, item: &Item, record: &Record, n: usize) -> RecordedTexts {
        self.texts(item, record, n).map_err(|error| self.warn_of(error)).unwrap_or_default()
    }

    /// The texts of file `n` of a record (as [`Self::full`] gives it); none where they are not to be had.
    ///
    /// # Errors
    /// [`HistoryError::Damaged`], where a text of history.git is missing or is not the recorded one.
    pub fn texts(&self, item: &Item, record: &Record, n: usize) -> Result<RecordedTexts, HistoryError> {
        let Some(file) = record.files.get(n) else {
            return Err(HistoryError::Damaged(format!("record {} has no file {n}", record.id)));
        };
        let (before, after) = match self.intent(item.at).and_then(|intent| intent.files.get(n)) {
            Some(intent) => {
                let before = file.before.and_then(|_| self.before_unsealed(item, n));
                if before.is_none() && file.before.is_some() {
                    let (record, path) = (record.id.clone(), file.path.clone());
                    self.warn(HistoryWarning::OldTextLost { record, path });
                }
                let base = if file.before.is_none() { Some(&[][..]) } else { before.as_deref() };
                let after = file.after.and_then(|_| base.and_then(|base| intent.apply(base)));
                (before, after)
            }
            None if file.kept != TextsKept::Stored => (self.backup(item, file), None),
            None => {
                let read = |id: Option<BlobId>| id.map(|id| self.store.text(id)).transpose();
                (read(file.before)?, read(file.after)?)
            }
        };
        let told = |bad| HistoryError::Damaged(format!("record {}: {}: {bad}", record.id, file.path));
        RecordedTexts::new(file, before, after).map_err(told)
    }

    /// The text before file `n` of a record that is not sealed yet: its backup, else made from what came later.
    fn before_unsealed(&self, item: &Item, n: usize) -> Option<Vec<u8>> {
        let At::Journal { journal, entry } = item.at else { return None };
        let journal = self.journals.get(journal)?;
        let backups = self.place.of_worktree(&journal.worktree).backups();
        let texts = Texts {
            backup: &|file| std::fs::read(backups.join(file.backup.as_ref()?.to_path())).ok(),
            today: &|path| {
                let root = self.repo.root_of_worktree(&journal.worktree)?;
                std::fs::read(root.join(path.to_path())).ok()
            },
        };
        texts.before(journal.done.get(entry..)?.iter(), n)
    }

    /// Whether the backup of file `n` of a record that is not sealed yet is there, and whole.
    pub(crate) fn has_whole_backup(&self, item: &Item, n: usize) -> bool {
        let backup = self.intent(item.at).and_then(|intent| intent.files.get(n)).and_then(|file| file.backup.as_ref());
        backup.is_none() || item.record.files.get(n).is_some_and(|file| self.backup(item, file).is_some())
    }

    /// The backup of a file, if it is in this clone, still there, and what it should be.
    fn backup(&self, item: &Item, file: &RecordFile) -> Option<Vec<u8>> {
        let backups = self.place.of_worktree(item.worktree.as_deref()?).backups();
        let bytes = std::fs::read(backups.join(file.backup.as_ref()?.to_path())).ok()?;
        (Some(blob_id(&bytes)) == file.before).then_some(bytes)
    }

    /// The text before file `n` of a record, made from the text after by what the journal has of it; none once it is sealed.
    pub(crate) fn inverted(&self, record: &RecordId, n: usize, after: &[u8]) -> Option<Vec<u8>> {
        let done = self.journals.iter().flat_map(|journal| &journal.done);
        done.rev().find(|intent| intent.id == *record)?.files.get(n)?.invert(after)
    }

    /// The record that a name stands for: an id, the unique beginning of one, `@`, `@-`, `@-N`.
    ///
    /// # Errors
    /// [`HistoryError::NoSuchRecord`], [`HistoryError::AmbiguousRecord`].
    pub fn find(&self, name: &str) -> Result<Item, HistoryError> {
        let missing = || HistoryError::NoSuchRecord(format!("{name:?}"));
        if let Some(steps) = name.strip_prefix('@') {
            let back = match steps.strip_prefix('-') {
                None if steps.is_empty() => 0,
                Some("") => 1,
                Some(number) => number.parse().map_err(|_| missing())?,
                None => return Err(missing()),
            };
            return self.items(Scope::Own, Filter::default())?.nth(back).unwrap_or_else(|| Err(missing()));
        }
        if name.is_empty() || name.len() > RecordId::LEN || !name.bytes().all(|b| (b'k'..=b'z').contains(&b)) {
            return Err(missing());
        }
        let filter = Filter::of([name.as_bytes()]);
        let mut found: Vec<Item> = Vec::new();
        for item in self.items(Scope::All, filter)? {
            let item = item?;
            if !item.record.id.as_str().starts_with(name) {
                continue;
            }
            if item.is_own && name.len() == RecordId::LEN {
                return Ok(item);
            }
            // Where a ref got another name a record may be here twice: it is one, and this worktree's own.
            match found.iter_mut().find(|known| known.record.id == item.record.id) {
                Some(known) if item.is_own => *known = item,
                Some(_) => {}
                None => found.push(item),
            }
        }
        if found.len() > 1 {
            let candidates = found.iter().take(5).map(|item| item.record.id.to_string()).collect();
            return Err(HistoryError::AmbiguousRecord { prefix: name.to_owned(), candidates });
        }
        found.pop().ok_or_else(missing)
    }

    /// The record that a name stands for, with what of it is in force.
    ///
    /// # Errors
    /// As [`Self::find`].
    pub fn find_with_effect(&self, name: &str) -> Result<(Item, Effect), HistoryError> {
        let wanted = self.find(name)?;
        for one in self.effects(Scope::All, Filter::of([wanted.record.id.as_str().as_bytes()]))? {
            let (item, effect) = one?;
            if item.record.id == wanted.record.id {
                return Ok((wanted, effect));
            }
        }
        Err(HistoryError::NoSuchRecord(name.to_owned()))
    }

    /// What a request with this id was answered, and the hash of the request.
    ///
    /// # Errors
    /// Where the record that has the answer is damaged.
    pub fn answered(&self, request_id: &str) -> Result<Option<Record>, HistoryError> {
        let filter = Filter::of([request_id.as_bytes()]);
        for item in self.items(Scope::Own, filter)? {
            let item = item?;
            if item.record.meta.request_id.as_deref() == Some(request_id) {
                return self.full(&item).map(Some);
            }
        }
        Ok(None)
    }
}
