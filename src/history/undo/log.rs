//! This worktree's log as one undo looks at it: each record and each text is read once.
//!
//! Owns what is kept of it meanwhile, and the bound of that. What it means for a file is `known`'s affair.
//! Invariant: what cannot be read is none, and stays so while the undo is planned.

use crate::history::Filter;
use crate::history::error::HistoryError;
use crate::history::reader::{History, Item, Scope};
use crate::id::{BlobId, RecordId};
use crate::path::RepoPath;
use crate::record::{Record, RecordClass, RecordFile, RecordedTexts, Target};
use bstr::ByteSlice;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

/// So many bytes of texts are kept; more are read again.
const MOST_KEPT: usize = 64 << 20;

/// The records of the log, as a reader meets them.
type Items<'a> = Box<dyn Iterator<Item = Result<Item, HistoryError>> + 'a>;

/// What a record did to a file, where its texts are kept.
#[derive(Debug)]
pub(crate) struct Known {
    /// The record.
    pub(crate) id: RecordId,
    /// What sort of record.
    pub(crate) class: RecordClass,
    /// What it inverts in this file.
    pub(crate) targets: Vec<Target>,
    /// What it inverts in its other files, and what cancelled out: where files exchanged their names, this one may be among them.
    pub(crate) elsewhere: Vec<(RecordId, usize)>,
    /// When it began to write its files, in ms since 1970; none where it did not, or another clone made it, by another clock.
    pub(crate) written_at: Option<i64>,
    /// The file as it has it.
    pub(crate) file: RecordFile,
    /// Its texts.
    pub(crate) texts: RecordedTexts,
}

impl Known {
    /// What a record did to its file `n`; none where that cannot be read.
    pub(super) fn read(history: &History<'_>, item: &Item, n: usize) -> Option<Self> {
        let record = history.full_shared(item).ok()?;
        let texts = history.texts(item, &record, n).ok()?;
        let file = record.files.get(n).cloned()?;
        let meta = &record.meta;
        let targets: Vec<Target> = meta.inverted_in(n).cloned().collect();
        let of_files = meta.targets.iter().enumerate();
        let others =
            of_files.flat_map(|(of, targets)| targets.iter().filter(move |target| of != n || target.is_cancelled));
        let elsewhere = others.map(|target| (target.id.clone(), target.file)).collect();
        let written_at = written_at(item, &record);
        Some(Self { id: record.id.clone(), class: record.kind, targets, elsewhere, written_at, file, texts })
    }

    /// The records that it inverts in this file.
    pub(super) fn inverts(&self) -> impl Iterator<Item = &RecordId> {
        self.targets.iter().map(|target| &target.id)
    }

    /// Whether the texts that it met and left are there, as far as there were any.
    pub(super) fn is_whole(&self) -> bool {
        let is_there = |id: Option<BlobId>, text: Option<&[u8]>| id.is_some() == text.is_some();
        is_there(self.file.before, self.texts.before()) && is_there(self.file.after, self.texts.after())
    }

    /// How many bytes its texts hold.
    pub(super) fn size(&self) -> usize {
        [self.texts.before(), self.texts.after()].into_iter().flatten().map(<[u8]>::len).sum()
    }
}

/// When a record began to write its files, in ms since 1970: none where another program did, or the clock is another clone's.
pub(super) fn written_at(item: &Item, record: &Record) -> Option<i64> {
    let is_own = item.worktree.is_some() && record.meta.observed.is_none() && record.kind != RecordClass::External;
    is_own.then_some(record.time_ms)
}

/// What records did to their files, each by its index; none where that cannot be read.
type OfFiles = HashMap<(RecordId, usize), Option<Arc<Known>>>;

/// The records of this worktree, newest first, read as far back as is asked.
pub(super) struct Log<'a> {
    history: &'a History<'a>,
    /// None before the first look.
    unread: RefCell<Option<Items<'a>>>,
    items: RefCell<Vec<Rc<Item>>>,
    files: RefCell<OfFiles>,
    room: Cell<usize>,
}

impl<'a> Log<'a> {
    /// Nothing is read yet.
    pub(super) fn new(history: &'a History<'a>) -> Self {
        let room = Cell::new(MOST_KEPT);
        Self { history, unread: RefCell::default(), items: RefCell::default(), files: RefCell::default(), room }
    }

    pub(super) fn history(&self) -> &'a History<'a> {
        self.history
    }

    /// The records, newest first.
    pub(super) fn items(&self) -> impl Iterator<Item = Result<Rc<Item>, HistoryError>> + '_ {
        (0..).map_while(|n| self.nth(n).transpose())
    }

    /// The records before one that may be about a file of this name, newest first; the others are passed by without being
    /// decoded, so that nothing is kept of them.
    ///
    /// # Errors
    /// Where the log cannot be read.
    pub(super) fn earlier(&self, record: &RecordId, name: &RepoPath) -> Result<Items<'a>, HistoryError> {
        let filter = Filter::of([record.as_str().as_bytes(), name.as_bstr().as_bytes()]);
        let record = record.clone();
        let is_later =
            move |item: &Result<Item, HistoryError>| item.as_ref().is_ok_and(|item| item.record.id != record);
        Ok(Box::new(self.history.items(Scope::Own, filter)?.skip_while(is_later).skip(1)))
    }

    /// The record that is so many steps back; none where there is none.
    ///
    /// # Errors
    /// Where the log cannot be read.
    pub(super) fn nth(&self, n: usize) -> Result<Option<Rc<Item>>, HistoryError> {
        let mut items = self.items.borrow_mut();
        if items.len() <= n {
            let mut unread = self.unread.borrow_mut();
            let unread = match &mut *unread {
                Some(unread) => unread,
                None => unread.insert(self.history.items(Scope::Own, Filter::default())?),
            };
            while items.len() <= n {
                let Some(item) = unread.next().transpose()? else { return Ok(None) };
                items.push(Rc::new(item));
            }
        }
        Ok(items.get(n).cloned())
    }

    /// A record, as far as was read.
    pub(super) fn find(&self, record: &RecordId) -> Option<Rc<Item>> {
        self.items.borrow().iter().find(|item| item.record.id == *record).cloned()
    }

    /// Whether a record is newer than another one, as far as was read.
    pub(super) fn is_newer(&self, one: &RecordId, other: &RecordId) -> bool {
        let items = self.items.borrow();
        let at = |id: &RecordId| items.iter().position(|item| item.record.id == *id);
        at(one).is_some_and(|one| at(other).is_none_or(|other| one < other))
    }

    /// What a record did to its file `n`; none where that cannot be read.
    pub(super) fn known(&self, item: &Item, n: usize) -> Option<Arc<Known>> {
        let key = (item.record.id.clone(), n);
        if let Some(known) = self.files.borrow().get(&key) {
            return known.clone();
        }
        let known = Known::read(self.history, item, n).map(Arc::new);
        let size = known.as_ref().map_or(0, |known| known.size());
        if let Some(room) = self.room.get().checked_sub(size) {
            self.room.set(room);
            self.files.borrow_mut().insert(key, known.clone());
        }
        known
    }
}
