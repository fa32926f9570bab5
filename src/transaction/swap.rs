//! The exchange of one file: put the new one in, look at what came out, put it back if it is not what was matched.
//!
//! Owns the order of calls for each kind of change, forwards and backwards. Does not know the journal.
//! Invariants: other programs see the old file or the new one, never none (but for a deletion) and never a part; what came
//! out and is not the base goes back.

use super::error::TransactionError as Error;
use crate::change::ChangeKind;
use crate::id::BlobId;
use crate::worktree::dir::{Dir, Kind, Meta};
use crate::worktree::root::read_all;
use bstr::{BStr, BString, ByteSlice};
use std::fs::File;
use std::io::{self, Read};
use std::rc::Rc;

/// A name in a directory that is held open.
#[derive(Debug, Clone)]
pub(super) struct Slot {
    pub dir: Rc<Dir>,
    pub name: BString,
}

impl Slot {
    pub fn new(dir: Rc<Dir>, name: &BStr) -> Self {
        Self { dir, name: name.to_owned() }
    }

    fn name(&self) -> &BStr {
        self.name.as_bstr()
    }

    /// Why the file here is not what is meant; `None` where it is.
    pub fn is_not(&self, wanted: Option<Content<'_>>, names: Names) -> io::Result<Option<&'static str>> {
        let Some((file, now)) = self.open()? else { return Ok(Some("it is no regular file any more")) };
        let is_like = match wanted {
            Some(Content::Exactly(bytes, meta)) => {
                let is_like = now.mode == meta.mode && now.owner == meta.owner && now.size == bytes.len() as u64;
                is_like && holds(&file, bytes)?
            }
            Some(Content::Id(id)) => crate::git::blob_id(&read_all(&file, &now)?) == id,
            None => false,
        };
        if !is_like {
            return Ok(Some("its text, mode or owner changed"));
        }
        Ok(names.is_exceeded_by(&now).then_some("it was hard-linked"))
    }

    /// The regular file here, opened; `None` where there is none, or something else.
    fn open(&self) -> io::Result<Option<(File, Meta)>> {
        match self.dir.look(self.name())? {
            Some(meta) if meta.kind == Kind::File => {}
            _ => return Ok(None),
        }
        let file = match self.dir.read(self.name()) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            opened => opened?,
        };
        let meta = Dir::meta_of(&file)?;
        Ok((meta.kind == Kind::File).then_some((file, meta)))
    }

    /// Meta and bytes of the regular file here; `None` where there is none, or something else.
    pub fn read(&self) -> io::Result<Option<(Meta, Vec<u8>)>> {
        let Some((file, meta)) = self.open()? else { return Ok(None) };
        Ok(Some((meta, read_all(&file, &meta)?)))
    }
}

/// What a file must hold to be the one that is meant.
#[derive(Debug, Clone, Copy)]
pub(super) enum Content<'a> {
    /// These bytes, with this mode and owner.
    Exactly(&'a [u8], &'a Meta),
    /// Bytes with this git blob id.
    Id(BlobId),
}

/// How many names the old file may have when it comes out. One that somebody gave it meanwhile would keep the old text, and
/// what is written through it would change the backup.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Names {
    /// Its own and that of its backup.
    WithBackup,
    /// Any number: its backup is a copy.
    Any,
}

impl Names {
    /// Whether a file has more of them.
    pub fn is_exceeded_by(self, meta: &Meta) -> bool {
        self == Self::WithBackup && meta.links > 2
    }
}

/// Why an exchange did not happen. The file is as somebody else left it.
#[derive(Debug)]
pub(super) enum Refused {
    /// What is there is not what was matched.
    Foreign(String),
    /// The system failed.
    Failed(Error),
    /// The system failed, and the new file could not be taken out again.
    Stuck(Error),
}

/// One file's part of a transaction.
#[derive(Debug)]
pub(super) struct Swap<'a> {
    /// For messages.
    pub shown: String,
    pub change: ChangeKind,
    /// Where the new file goes (for a deletion: where the old one is).
    pub target: Slot,
    /// Where the old file is, for a rename.
    pub source: Option<Slot>,
    /// Where the new file waits, and where the old one is afterwards.
    pub stage: Slot,
    /// Where the old file of a deletion or a rename goes.
    pub hold: Slot,
    /// What must come out.
    pub before: Option<Content<'a>>,
    /// How many names it may have then.
    pub names: Names,
    /// What was put in.
    pub after: Option<BlobId>,
}

impl Swap<'_> {
    /// Puts the new file in. On refusal everything of this file is as it was.
    pub fn forward(&self) -> Result<(), Refused> {
        match self.change {
            ChangeKind::Modify => self.exchange_in(),
            ChangeKind::Create => self.put_in(),
            ChangeKind::Delete => self.take_out(&self.target),
            ChangeKind::Rename => {
                self.put_in()?;
                let source = self.source.as_ref().unwrap_or(&self.target);
                self.take_out(source).inspect_err(|_| {
                    // Nobody was told of the new name yet.
                    let _ = self.target.dir.rename_new(self.target.name(), &self.stage.dir, self.stage.name());
                })
            }
        }
    }

    /// The second half of a rename whose first half was done: the old file goes.
    pub fn finish_rename(&self) -> Result<(), Refused> {
        self.take_out(self.source.as_ref().unwrap_or(&self.target))
    }

    /// Takes the new file out again and puts the old one back. What somebody else put there, or removed, meanwhile stays so: then the old one
    /// has no place, and is still to be kept ([`Refused::Foreign`]).
    pub fn back(&self) -> Result<(), Refused> {
        match self.change {
            ChangeKind::Modify => self.exchange_back(),
            ChangeKind::Create => self.take_back_out(),
            ChangeKind::Delete => self.put_back(&self.target),
            ChangeKind::Rename => {
                let put = self.put_back(self.source.as_ref().unwrap_or(&self.target));
                self.take_back_out().and(put)
            }
        }
    }

    /// Puts the old version back whatever is there now; what is there and is not the new version goes to `aside`, for which
    /// the answer is whether that was so. For a transaction that was exchanged and then refused by its check.
    pub fn back_displacing(&self, aside: &Slot) -> Result<bool, Refused> {
        let keep = |slot: &Slot| {
            let kept = slot.dir.rename(slot.name(), &aside.dir, aside.name());
            kept.map(|()| true).map_err(self.failed("keep the changed version of"))
        };
        let is_mine = |slot: &Slot| match slot.read() {
            Ok(Some(found)) => self.after.is_none_or(|id| crate::git::blob_id(&found.1) == id),
            _ => false,
        };
        match self.change {
            ChangeKind::Modify => {
                if self.target.dir.look(self.target.name()).map_err(self.failed("look at"))?.is_none() {
                    return self.put_old(&self.stage, &self.target).map(|()| false);
                }
                if is_mine(&self.target) {
                    return self.exchange_back().map(|()| false);
                }
                let exchanged = self.stage.dir.exchange(self.stage.name(), &self.target.dir, self.target.name());
                exchanged.map_err(self.failed("exchange back"))?;
                keep(&self.stage)
            }
            ChangeKind::Create => self.take_aside(&is_mine, &keep),
            ChangeKind::Delete => self.put_back_displacing(&self.target, &keep),
            ChangeKind::Rename => {
                let source = self.source.as_ref().unwrap_or(&self.target);
                let one = self.put_back_displacing(source, &keep)?;
                Ok(self.take_aside(&is_mine, &keep)? || one)
            }
        }
    }

    fn put_old(&self, from: &Slot, to: &Slot) -> Result<(), Refused> {
        from.dir.rename_new(from.name(), &to.dir, to.name()).map_err(self.failed("put back"))
    }

    fn take_aside(
        &self,
        is_mine: &dyn Fn(&Slot) -> bool,
        keep: &dyn Fn(&Slot) -> Result<bool, Refused>,
    ) -> Result<bool, Refused> {
        match self.target.dir.rename_new(self.target.name(), &self.stage.dir, self.stage.name()) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
            done => done.map_err(self.failed("take back"))?,
        }
        if is_mine(&self.stage) { Ok(false) } else { keep(&self.stage) }
    }

    fn put_back_displacing(&self, to: &Slot, keep: &dyn Fn(&Slot) -> Result<bool, Refused>) -> Result<bool, Refused> {
        match self.hold.dir.rename_new(self.hold.name(), &to.dir, to.name()) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                let exchanged = self.hold.dir.exchange(self.hold.name(), &to.dir, to.name());
                exchanged.map_err(self.failed("put back"))?;
                keep(&self.hold)
            }
            done => done.map(|()| false).map_err(self.failed("put back")),
        }
    }

    /// Removes what the exchange left behind; a failure is cleaned up by the next transaction.
    pub fn clean_up(&self) {
        let _ = self.stage.dir.unlink(self.stage.name());
        if matches!(self.change, ChangeKind::Delete | ChangeKind::Rename) {
            let _ = self.hold.dir.unlink(self.hold.name());
        }
    }

    fn failed(&self, verb: &'static str) -> impl FnOnce(io::Error) -> Refused {
        let io = Error::io(verb, self.shown.clone());
        move |error| Refused::Failed(io(error))
    }

    fn exchange_in(&self) -> Result<(), Refused> {
        match self.stage.dir.exchange(self.stage.name(), &self.target.dir, self.target.name()) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(Refused::Foreign("it was removed".to_owned()));
            }
            Err(error) if error.kind() == io::ErrorKind::Unsupported => return self.rename_in(),
            Err(error) => return Err(self.failed("exchange")(error)),
        }
        let wrong = match self.stage.is_not(self.before, self.names) {
            Ok(None) => return Ok(()),
            Ok(Some(what)) => Refused::Foreign(what.to_owned()),
            Err(error) => self.failed("look at")(error),
        };
        match self.exchange_back() {
            Ok(()) => Err(wrong),
            Err(Refused::Failed(error)) => Err(Refused::Stuck(error)),
            Err(other) => Err(other),
        }
    }

    /// Exchanges back. If what comes out is not the new file, a foreign edit came between the two exchanges: it is the
    /// later one, so it goes in again.
    fn exchange_back(&self) -> Result<(), Refused> {
        let exchange = || self.stage.dir.exchange(self.stage.name(), &self.target.dir, self.target.name());
        match exchange() {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::Unsupported => return self.rename_back(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(Refused::Foreign(format!("{} was removed", self.shown)));
            }
            Err(error) => return Err(self.failed("exchange back")(error)),
        }
        let mine = |found: &(Meta, Vec<u8>)| self.after.is_none_or(|id| crate::git::blob_id(&found.1) == id);
        match self.stage.read() {
            Ok(Some(found)) if mine(&found) => Ok(()),
            Ok(_) => exchange().map_err(self.failed("exchange back")),
            // The old file is in its place, which is what was wanted; what came out cannot be told.
            Err(_) => Ok(()),
        }
    }

    /// Stands in for the exchange where the system has none: look, then rename. Weaker: an edit between the two is lost
    /// from the tree (its file is not, where a hard link holds it).
    fn rename_in(&self) -> Result<(), Refused> {
        if let Some(what) = self.target.is_not(self.before, self.names).map_err(self.failed("look at"))? {
            return Err(Refused::Foreign(what.to_owned()));
        }
        let _ = self.hold.dir.unlink(self.hold.name());
        if self.target.dir.link(self.target.name(), &self.hold.dir, self.hold.name()).is_err() {
            copy(&self.target, &self.hold).map_err(self.failed("keep the old version of"))?;
        }
        self.stage
            .dir
            .rename(self.stage.name(), &self.target.dir, self.target.name())
            .map_err(self.failed("replace"))?;
        // From here on the old file is where an exchange would have put it.
        self.hold.dir.rename(self.hold.name(), &self.stage.dir, self.stage.name()).map_err(self.failed("keep"))
    }

    fn rename_back(&self) -> Result<(), Refused> {
        self.stage.dir.rename(self.stage.name(), &self.target.dir, self.target.name()).map_err(self.failed("put back"))
    }

    fn put_in(&self) -> Result<(), Refused> {
        match self.stage.dir.rename_new(self.stage.name(), &self.target.dir, self.target.name()) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                Err(Refused::Foreign("something was made there".to_owned()))
            }
            done => done.map_err(self.failed("make")),
        }
    }

    fn take_out(&self, from: &Slot) -> Result<(), Refused> {
        match from.dir.rename_new(from.name(), &self.hold.dir, self.hold.name()) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(Refused::Foreign("it was removed".to_owned()));
            }
            done => done.map_err(self.failed("remove"))?,
        }
        let wrong = match self.hold.is_not(self.before, self.names) {
            Ok(None) => return Ok(()),
            Ok(Some(what)) => Refused::Foreign(what.to_owned()),
            Err(error) => self.failed("look at")(error),
        };
        match self.put_back(from) {
            // A file that is there in its place is the later edit.
            Ok(()) | Err(Refused::Foreign(_)) => Err(wrong),
            Err(stuck) => Err(stuck),
        }
    }

    fn put_back(&self, to: &Slot) -> Result<(), Refused> {
        match self.hold.dir.rename_new(self.hold.name(), &to.dir, to.name()) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                Err(Refused::Foreign(format!("something was made where {} was", self.shown)))
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                // Recovery comes here where the old file never left its place.
                let is_there = to.dir.look(to.name()).map_err(self.failed("look at"))?.is_some();
                let gone = || Refused::Foreign(format!("the directory of {} was removed", self.shown));
                if is_there { Ok(()) } else { Err(gone()) }
            }
            done => done.map_err(self.failed("put back")),
        }
    }

    fn take_back_out(&self) -> Result<(), Refused> {
        match self.target.dir.rename_new(self.target.name(), &self.stage.dir, self.stage.name()) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            done => done.map_err(self.failed("take back"))?,
        }
        match self.stage.read() {
            Ok(Some(found)) if self.after.is_none_or(|id| crate::git::blob_id(&found.1) == id) => Ok(()),
            _ => {
                // Somebody wrote it after it was made: theirs stays.
                let back = self.stage.dir.rename_new(self.stage.name(), &self.target.dir, self.target.name());
                back.map_err(self.failed("put back"))
            }
        }
    }
}

/// Whether a file holds exactly these bytes; no more of it is in memory than a part.
fn holds(mut file: &File, mut bytes: &[u8]) -> io::Result<bool> {
    let mut part = [0; 32 << 10];
    loop {
        match file.read(&mut part) {
            Ok(0) => return Ok(bytes.is_empty()),
            Ok(n) => match bytes.strip_prefix(&part[..n]) {
                Some(rest) => bytes = rest,
                None => return Ok(false),
            },
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// Copies a file with its metadata, where it cannot or must not be linked; gives the copy, which is not synced.
pub(super) fn copy(from: &Slot, to: &Slot) -> io::Result<File> {
    let source = from.dir.read(from.name())?;
    let meta = Dir::meta_of(&source)?;
    let target = to.dir.create_new(to.name(), meta.mode & 0o777)?;
    io::copy(&mut &source, &mut &target)?;
    Dir::copy_metadata(Some(&source), &meta, &target)?;
    Ok(target)
}
