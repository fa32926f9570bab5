//! Hooks that were there before redraft's: where they are kept, so that they run as if they were in their place.
//!
//! Owns the folder `<hooks>.before-redraft` beside git's folder of hooks. In it a hook has its own name, for one that looks at `$0` (overcommit,
//! a script for all hooks behind links) does nothing under another; what lies beside it is found by links; and it is as deep in the
//! tree, so that links and paths to what is above lead where they did. Older versions kept it as `NAME.before-redraft` in git's folder: it
//! runs from there too, and so it is kept where the folder is itself a link. The scripts in `hooks/git` know both places.
//! Invariant: a hook is moved there and back by one rename, whatever it is.

use super::hook_scripts::HOOKS;
use crate::error::Error;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// What the folder's name, or in old times the hook's, ends with.
const BEFORE: &str = ".before-redraft";

/// The places for hooks that were there before.
#[derive(Debug)]
pub(super) struct KeptHooks<'a> {
    hooks: &'a Path,
    folder: Option<PathBuf>,
}

impl<'a> KeptHooks<'a> {
    /// Those of a folder of hooks.
    pub fn of(hooks: &'a Path) -> Self {
        let folder = folder_beside(hooks);
        Self { hooks, folder }
    }

    /// The one of this name; none where there was none.
    pub fn get(&self, name: &str) -> Option<PathBuf> {
        let places = self.folder.iter().map(|folder| folder.join(name)).chain([self.in_old_times(name)]);
        places.into_iter().find(|place| is_there(place))
    }

    /// Keeps the hook that is in the place of redraft's; what was kept before goes aside, unless it is the same.
    pub fn keep(&self, name: &str) -> Result<(), Error> {
        let place = self.hooks.join(name);
        let new = self.new_place(name)?;
        if let Some(kept) = self.get(name) {
            keep_aside(&kept, &place)?;
            if kept != new && is_there(&kept) {
                fs::remove_file(&kept).map_err(io_error("remove", &kept))?;
            }
        }
        move_to(&new, &place)
    }

    /// Moves what an older version kept to where it runs under its own name, and links what lies beside it.
    pub fn settle(&self) -> Result<(), Error> {
        for (name, _) in HOOKS {
            let (old, new) = (self.in_old_times(name), self.new_place_for(name));
            if is_there(&old) && !is_there(&new) {
                move_to(&self.new_place(name)?, &old)?;
            }
        }
        match &self.folder {
            Some(folder) if HOOKS.iter().any(|(name, _)| is_there(&folder.join(name))) => self.link_to(folder),
            _ => Ok(()),
        }
    }

    /// Takes the links away again, and the folder if nothing is in it.
    pub fn clear(&self) -> Result<(), Error> {
        let Some(folder) = self.folder.as_ref().filter(|folder| folder.is_dir()) else { return Ok(()) };
        for entry in list(folder)? {
            let place = folder.join(&entry);
            if fs::read_link(&place).is_ok_and(|target| target == self.link(&entry)) {
                fs::remove_file(&place).map_err(io_error("remove", &place))?;
            }
        }
        match fs::remove_dir(folder) {
            Err(error) if error.kind() != io::ErrorKind::DirectoryNotEmpty => Err(io_error("remove", folder)(error)),
            _ => Ok(()),
        }
    }

    fn in_old_times(&self, name: &str) -> PathBuf {
        self.hooks.join(format!("{name}{BEFORE}"))
    }

    fn new_place_for(&self, name: &str) -> PathBuf {
        self.folder.as_ref().map_or_else(|| self.in_old_times(name), |folder| folder.join(name))
    }

    /// A place that can be moved to.
    fn new_place(&self, name: &str) -> Result<PathBuf, Error> {
        if let Some(folder) = &self.folder {
            fs::create_dir_all(folder).map_err(io_error("make", folder))?;
        }
        Ok(self.new_place_for(name))
    }

    /// Links to what lies beside the hooks: libraries of theirs, the script that a link leads to.
    fn link_to(&self, folder: &Path) -> Result<(), Error> {
        for entry in list(self.hooks)? {
            let name = entry.to_string_lossy();
            let is_ours = HOOKS.iter().any(|(hook, _)| name == *hook) || name.contains(BEFORE);
            let place = folder.join(&entry);
            if is_ours || name.ends_with(".sample") || name.ends_with(".redraft-new") || is_there(&place) {
                continue;
            }
            #[cfg(unix)]
            std::os::unix::fs::symlink(self.link(&entry), &place).map_err(io_error("link", &place))?;
        }
        Ok(())
    }

    fn link(&self, entry: &OsStr) -> PathBuf {
        Path::new("..").join(self.hooks.file_name().unwrap_or_default()).join(entry)
    }
}

fn move_to(new: &Path, old: &Path) -> Result<(), Error> {
    fs::rename(old, new).map_err(io_error("keep", old))
}

/// The folder beside one of hooks; none where a script could not find it by its own name.
pub(super) fn folder_beside(hooks: &Path) -> Option<PathBuf> {
    let (above, name) = hooks.parent().zip(hooks.file_name())?;
    let is_link = fs::symlink_metadata(above.join(name)).is_ok_and(|meta| meta.is_symlink());
    let is_plain = !hooks.as_os_str().as_encoded_bytes().ends_with(b".");
    (is_plain && !is_link).then(|| above.join(with_ending(name, BEFORE)))
}

/// What was kept before our hook was overwritten goes aside, unless it came back by that.
fn keep_aside(kept: &Path, place: &Path) -> Result<(), Error> {
    let same = fs::read(kept).map_err(io_error("read", kept))? == fs::read(place).map_err(io_error("read", place))?;
    if same {
        return Ok(());
    }
    let aside = |n: usize| kept.with_file_name(with_ending(kept.file_name().unwrap_or_default(), &format!(".{n}")));
    let free = (1..).map(aside).find(|path| !is_there(path)).expect("numbers do not end");
    fs::rename(kept, &free).map_err(io_error("keep aside", kept))
}

fn with_ending(name: &OsStr, ending: &str) -> OsString {
    let mut name = name.to_owned();
    name.push(ending);
    name
}

/// A link to nothing is somebody's, too.
fn is_there(place: &Path) -> bool {
    fs::symlink_metadata(place).is_ok()
}

fn list(folder: &Path) -> Result<Vec<OsString>, Error> {
    let entries = fs::read_dir(folder).and_then(Iterator::collect::<io::Result<Vec<_>>>);
    Ok(entries.map_err(io_error("list", folder))?.into_iter().map(|entry| entry.file_name()).collect())
}

fn io_error(verb: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Error {
    Error::io(verb, path.display().to_string())
}
