//! The files below the root, as they are: found without ever leaving it, read with what is needed to know them again.
//!
//! Owns the way from a path to a handle and a name, and what kinds of files may be edited. Does not write.
//! Invariant of [`Place`]: no component of its path is a symlink, `.git`, a directory of the repository's own under whatever
//! name, or inside another repository.

use super::dir::{Dir, Kind, Meta};
use super::error::WorktreeError as Error;
use super::guarded::Guarded;
use super::symlink::{self, Led};
use super::unusual::Unusual;
use crate::path::RepoPath;
use bstr::{BStr, ByteSlice};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// The root of the working tree, held open.
#[derive(Debug)]
pub struct Root {
    dir: Rc<Dir>,
    path: PathBuf,
    /// In bytes; larger files are refused.
    pub max_file_size: u64,
    /// In bytes, from the root: files of longer paths are read, and not written.
    pub longest_path: usize,
    /// What is allowed beside ordinary files.
    pub unusual: BTreeSet<Unusual>,
    /// What nobody may reach, beside what `.git` names.
    pub guarded: Guarded,
    /// Directories opened already: many files of a request share one, and handles are few.
    open: RefCell<BTreeMap<Option<RepoPath>, Rc<Dir>>>,
}

/// Where a file is, or would be: an open directory and a name in it.
#[derive(Debug)]
pub struct Place {
    /// The path without symlinks.
    pub path: RepoPath,
    dir: Option<Rc<Dir>>,
    seen: Option<Meta>,
}

/// A file as it was found.
#[derive(Debug)]
pub struct ReadFile {
    /// All of it.
    pub bytes: Vec<u8>,
    /// At the time of reading.
    pub meta: Meta,
    /// Whether there are extended attributes or ACLs, at the time of reading.
    pub has_attributes: bool,
}

impl Place {
    /// The directory, or `None` where it does not exist yet.
    pub fn dir(&self) -> Option<&Rc<Dir>> {
        self.dir.as_ref()
    }

    /// What was at the place when it was found, not followed; `None` where there was nothing.
    pub fn seen(&self) -> Option<Meta> {
        self.seen
    }

    /// The name in the directory.
    pub fn name(&self) -> &BStr {
        self.path.file_name()
    }
}

impl Root {
    /// Opens the root.
    ///
    /// # Errors
    /// Where it is gone, no directory, or may not be entered.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let dir = Rc::new(Dir::open(path).map_err(Error::io("open", path.to_string_lossy()))?);
        Ok(Self {
            dir,
            path: path.to_owned(),
            max_file_size: 1 << 30,
            longest_path: usize::MAX,
            unusual: BTreeSet::new(),
            guarded: Guarded::default(),
            open: RefCell::default(),
        })
    }

    /// The root's own directory.
    pub fn dir(&self) -> &Rc<Dir> {
        &self.dir
    }

    /// The root's path, for files whose place is already known and for people.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Forgets the directories opened so far: what is found from now on is found anew.
    pub fn look_again(&self) {
        self.open.borrow_mut().clear();
    }

    /// Makes the directories above a path that are missing.
    ///
    /// # Errors
    /// Where one cannot be made, or something else has its name.
    pub fn make_directories_of(&self, path: &RepoPath) -> io::Result<()> {
        let mut above: Vec<RepoPath> = std::iter::successors(path.parent(), RepoPath::parent).collect();
        above.reverse();
        for dir in above {
            self.dir.beneath(dir.parent().as_ref())?.mkdir(dir.file_name(), 0o777)?;
        }
        self.look_again();
        Ok(())
    }

    /// Finds the place of a path; symlinks are followed as far as they stay inside the root.
    ///
    /// # Errors
    /// Where the path leads outside, into git's own files or another repository, or through something that is no directory.
    pub fn place(&self, path: &RepoPath) -> Result<Place, Error> {
        match self.direct(path)? {
            Ok(place) => Ok(place),
            Err(_symlink) => {
                let real = match symlink::resolve(&self.dir, path)? {
                    Led::To(real) => real,
                    Led::ToNothing(at) => {
                        // Whose place it would be says more than that nothing is there.
                        self.guarded.refuse(&self.dir, &at)?;
                        self.refuse_other_repositories(&at)?;
                        return Err(Error::DanglingLink(path.to_string_lossy()));
                    }
                };
                match self.direct(&real)? {
                    Ok(place) => Ok(place),
                    Err(again) => Err(Error::ChangedWhileEditing {
                        path: path.to_string_lossy(),
                        what: format!("{again} became a symbolic link"),
                    }),
                }
            }
        }
    }

    /// The place of a path without symlinks; the inner error is the path where one stands.
    fn direct(&self, path: &RepoPath) -> Result<Result<Place, RepoPath>, Error> {
        let shown = || path.to_string_lossy();
        self.guarded.refuse(&self.dir, path)?;
        let parent = path.parent();
        let known = self.open.borrow().get(&parent).cloned();
        let is_known = known.is_some();
        let opened = known.map_or_else(|| self.dir.beneath(parent.as_ref()).map(Rc::new), Ok);
        let dir = match opened {
            Ok(dir) => Some(dir),
            Err(error) if Dir::is_symlink_error(&error) => return Ok(Err(path.clone())),
            Err(error) => match error.kind() {
                io::ErrorKind::NotADirectory => return self.not_a_directory(path),
                io::ErrorKind::NotFound => None,
                io::ErrorKind::PermissionDenied | io::ErrorKind::InvalidFilename => {
                    return Err(unreadable(shown(), error));
                }
                _ => return Err(Error::io("open the directory of", shown())(error)),
            },
        };
        if !is_known {
            self.refuse_other_repositories(path)?;
        }
        let mut seen = None;
        if let Some(dir) = &dir {
            if !is_known {
                self.open.borrow_mut().insert(parent, Rc::clone(dir));
            }
            seen = dir.look(path.file_name()).map_err(|source| unreadable(shown(), source))?;
            if seen.is_some_and(|meta| meta.kind == Kind::Symlink) {
                return Ok(Err(path.clone()));
            }
        }
        Ok(Ok(Place { path: path.clone(), dir, seen }))
    }

    /// A component that is no directory may be a symlink, where the system does not say so (`NotADirectory` comes first).
    fn not_a_directory(&self, path: &RepoPath) -> Result<Result<Place, RepoPath>, Error> {
        let mut at = self.dir.beneath(None).map_err(Error::io("open", "the root"))?;
        for name in path.components() {
            match at.look(name).map_err(Error::io("look at", path.to_string_lossy()))? {
                Some(meta) if meta.kind == Kind::Symlink => return Ok(Err(path.clone())),
                Some(meta) if meta.kind == Kind::Directory => {
                    at = at.child(name).map_err(Error::io("open the directory of", path.to_string_lossy()))?;
                }
                _ => return Err(Error::NotADirectory(path.to_string_lossy(), name.to_string())),
            }
        }
        Err(Error::NotADirectory(path.to_string_lossy(), path.to_string_lossy()))
    }

    /// A directory below the root with a `.git` of its own is another repository (or a submodule), and so is one that has
    /// what git knows a bare repository by.
    fn refuse_other_repositories(&self, path: &RepoPath) -> Result<(), Error> {
        let mut above: Vec<RepoPath> = std::iter::successors(path.parent(), RepoPath::parent).collect();
        above.reverse();
        for dir in above {
            let has = |name: &str| self.has(Some(&dir), name);
            if has(".git")? || is_git_directory(has)? {
                return Err(Error::Submodule(path.to_string_lossy(), dir.to_string_lossy()));
            }
        }
        Ok(())
    }

    /// Whether anything has this name in a directory, which need not be there; the root for none.
    fn has(&self, dir: Option<&RepoPath>, name: &str) -> Result<bool, Error> {
        let path = match dir {
            Some(dir) => [dir.as_bstr().as_bytes(), b"/", name.as_bytes()].concat(),
            None => name.as_bytes().to_vec(),
        };
        match self.dir.look(path.as_bstr()) {
            Ok(found) => Ok(found.is_some()),
            Err(error) if error.kind() == io::ErrorKind::NotADirectory => Ok(false),
            Err(source) => Err(Error::Unreadable { path: path.to_str_lossy().into_owned(), source }),
        }
    }

    /// Refuses new files that would make a bare repository of a directory, which git would then obey: its configuration
    /// names programs. Only names that such a repository needs are looked at.
    ///
    /// # Errors
    /// [`Error::MakesRepository`], and where a directory cannot be looked at.
    pub fn refuse_new_repository<'p>(&self, new: impl Iterator<Item = &'p RepoPath> + Clone) -> Result<(), Error> {
        for path in new.clone() {
            let mut above = Some(path.clone());
            while let Some(at) = above {
                above = at.parent();
                if !OF_A_GIT_DIRECTORY.iter().any(|name| at.file_name().eq_ignore_ascii_case(name.as_bytes())) {
                    continue;
                }
                let is_new = |name: &str| {
                    let named =
                        |at: &RepoPath| at.parent() == above && at.file_name().eq_ignore_ascii_case(name.as_bytes());
                    new.clone().any(|path| {
                        named(path) || std::iter::successors(path.parent(), RepoPath::parent).any(|at| named(&at))
                    })
                };
                if is_git_directory(|name| Ok(is_new(name) || self.has(above.as_ref(), name)?))? {
                    let dir = above.as_ref().map_or_else(|| ".".to_owned(), RepoPath::to_string_lossy);
                    return Err(Error::MakesRepository(path.to_string_lossy(), dir));
                }
            }
        }
        Ok(())
    }

    /// What is at a place, not read and not followed; `None` where there is nothing.
    ///
    /// # Errors
    /// Where its directory is gone, or may not be looked into.
    pub fn look(&self, place: &Place) -> Result<Option<Meta>, Error> {
        let Some(dir) = place.dir() else { return Ok(None) };
        dir.look(place.name()).map_err(|source| Error::Unreadable { path: place.path.to_string_lossy(), source })
    }

    /// Whether anything at all is at a place.
    ///
    /// # Errors
    /// Where its directory is gone, or may not be looked into.
    pub fn is_taken(&self, place: &Place) -> Result<bool, Error> {
        self.look(place).map(|found| found.is_some())
    }

    /// Reads the file at a place that was just found; `None` where there is none.
    ///
    /// # Errors
    /// Where it is no regular file, may not be read, or is too large.
    pub fn read(&self, place: &Place) -> Result<Option<ReadFile>, Error> {
        let shown = || place.path.to_string_lossy();
        let Some(dir) = place.dir() else { return Ok(None) };
        let unreadable = |source| Error::Unreadable { path: shown(), source };
        let Some(seen) = place.seen else { return Ok(None) };
        // Opening a device can have effects, so the kind is looked at first, and once more behind the handle.
        self.refuse_kind(&place.path, &seen)?;
        let file = match dir.read(place.name()) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(source) => return Err(unreadable(source)),
        };
        let meta = Dir::meta_of(&file).map_err(unreadable)?;
        self.refuse_kind(&place.path, &meta)?;
        let bytes = read_all(&file, &meta).map_err(Error::io("read", shown()))?;
        Ok(Some(ReadFile { bytes, meta, has_attributes: Dir::has_attributes(&file) }))
    }

    fn refuse_kind(&self, path: &RepoPath, meta: &Meta) -> Result<(), Error> {
        let shown = path.to_string_lossy();
        match meta.kind {
            Kind::File if meta.size > self.max_file_size => {
                Err(Error::TooLarge { path: shown, size: meta.size, limit: self.max_file_size })
            }
            Kind::File => Ok(()),
            Kind::Directory => Err(Error::Directory(shown)),
            Kind::Special(what) => Err(Error::SpecialFile(shown, what)),
            Kind::Symlink => {
                Err(Error::ChangedWhileEditing { path: shown, what: "it became a symbolic link".to_owned() })
            }
        }
    }

    /// Refuses files that may not be replaced, or that replacing would change in more than their text.
    ///
    /// # Errors
    /// [`Error::Unwritable`], [`Error::UnsupportedFile`], and [`Error::BadName`] where the path is too long for what is kept of it.
    pub fn refuse_unwritable(&self, place: &Place, meta: Option<&Meta>) -> Result<(), Error> {
        let path = place.path.to_string_lossy();
        if place.path.as_bstr().len() > self.longest_path {
            return Err(Error::BadName(path, io::ErrorKind::InvalidFilename.into()));
        }
        if let Some(meta) = meta {
            self.refuse_unusual(&path, meta)?;
        }
        if let Some(dir) = place.dir()
            && !dir.is_writable().map_err(Error::io("look at the directory of", path.as_str()))?
        {
            return Err(Error::Unwritable { path, why: "its directory does not allow making files", unusual: None });
        }
        Ok(())
    }

    fn refuse_unusual(&self, path: &str, meta: &Meta) -> Result<(), Error> {
        let refused = |kind| !self.unusual.contains(&kind);
        let unwritable = |why, kind| Err(Error::Unwritable { path: path.to_owned(), why, unusual: Some(kind) });
        let unsupported = |why, unusual| Err(Error::UnsupportedFile { path: path.to_owned(), why, unusual });
        if meta.owner.0 != Dir::user() && refused(Unusual::OtherOwner) {
            return unwritable("it belongs to another user", Unusual::OtherOwner);
        }
        if meta.mode & 0o200 == 0 && refused(Unusual::ReadOnly) {
            return unwritable("it is read-only", Unusual::ReadOnly);
        }
        if meta.mode & 0o6000 != 0 && refused(Unusual::SetId) {
            return unsupported("it has a set-id bit, which would then run other code", Unusual::SetId);
        }
        if meta.links > 1 && refused(Unusual::HardLink) {
            return unsupported("it is hard-linked, and its other names would keep the old text", Unusual::HardLink);
        }
        Ok(())
    }

    /// Whether the directory of a place is still where its path says.
    ///
    /// # Errors
    /// Where a directory on the way may not be looked into; one that was moved or is gone is an answer.
    pub fn is_still_there(&self, place: &Place) -> io::Result<bool> {
        let Some(dir) = place.dir() else { return Ok(true) };
        match self.dir.beneath(place.path.parent().as_ref()) {
            Ok(now) => Ok(now.meta()?.identity == dir.meta()?.identity),
            Err(error) if Dir::is_symlink_error(&error) => Ok(false),
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => Ok(false),
            Err(error) => Err(error),
        }
    }
}

fn unreadable(path: String, source: io::Error) -> Error {
    match source.kind() {
        io::ErrorKind::InvalidFilename => Error::BadName(path, source),
        _ => Error::Unreadable { path, source },
    }
}

/// The names that git knows a git directory by.
const OF_A_GIT_DIRECTORY: [&str; 4] = ["HEAD", "objects", "refs", "commondir"];

/// Whether git takes a directory that has these names for a git directory (`is_git_directory` in its setup.c); the first of
/// them is missing nearly everywhere, so that one look is enough.
fn is_git_directory(has: impl Fn(&str) -> Result<bool, Error>) -> Result<bool, Error> {
    let [head, objects, refs, common] = OF_A_GIT_DIRECTORY;
    Ok(has(head)? && ((has(objects)? && has(refs)?) || has(common)?))
}

/// Reads a whole file of about the size that was seen.
pub(crate) fn read_all(file: &File, meta: &Meta) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(usize::try_from(meta.size).unwrap_or(0).saturating_add(1));
    // The size is known: `take` keeps the standard library from asking for it again.
    file.take(u64::MAX).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;

    #[test]
    fn where_the_system_tells_a_symlink_from_a_file_late_the_names_are_looked_at_one_by_one() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::create_dir(folder.path().join("d")).expect("a folder");
        std::fs::write(folder.path().join("d/file"), "text").expect("a file");
        std::os::unix::fs::symlink("file", folder.path().join("d/link")).expect("a link");
        let root = Root::open(folder.path()).expect("the root");
        let told = |path: &str| match root.not_a_directory(&RepoPath::new(path.as_bytes()).expect("a path")) {
            Ok(Err(path)) => format!("a link in {path}"),
            Err(Error::NotADirectory(_, name)) => format!("{name} is no directory"),
            other => panic!("{path}: {other:?}"),
        };
        assert_eq!(told("d/link/x"), "a link in d/link/x");
        assert_eq!(told("d/file/x"), "file is no directory");
        assert_eq!(told("d/new/x"), "new is no directory");
    }
}
