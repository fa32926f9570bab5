//! Where the symbolic links of the git directory lead: what git finds there is git's, wherever it lies.
//!
//! Owns which links there are and the place at the end of each, whether or not anything is there yet. Does not judge the places.
//! Invariant: nothing is followed but links of the folders that were given, so that a tree has no say in it.

use super::dir::Dir;
use super::error::WorktreeError as Error;
use bstr::{BStr, ByteSlice};
use std::io;
use std::path::{Component, Path, PathBuf};

/// As many as Linux follows before it takes them for a loop.
const MOST_LINKS: usize = 40;

/// The places that symlinks in `folders` lead to, and the folders themselves that are reached by one, absolute; of a
/// folder that is not there, none. Four system calls for each folder, as long as there are no links.
///
/// # Errors
/// Where a folder may not be listed.
pub(super) fn led_to(folders: &[PathBuf]) -> Result<Vec<PathBuf>, Error> {
    let mut places = Vec::new();
    for folder in folders {
        let failed = |error| Error::io("list", folder.to_string_lossy())(error);
        let dir = match Dir::open(folder) {
            Ok(dir) => dir,
            Err(error) if is_nothing(&error) => continue,
            Err(error) => return Err(failed(error)),
        };
        for name in dir.symlinks().map_err(failed)? {
            places.extend(place_of(&folder.join(path_of(name.as_bstr()))));
        }
    }
    Ok(places)
}

fn is_nothing(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

fn path_of(name: &BStr) -> PathBuf {
    name.to_path_lossy().into_owned()
}

/// The place that an absolute path means, without symlinks and detours, also where nothing is there yet. None where links
/// lead in a circle.
pub fn place_of(path: &Path) -> Option<PathBuf> {
    end_of(path, MOST_LINKS)
}

/// The place that `path` means, without symlinks, also where nothing is there yet: what is made there is what git then
/// finds. None where links lead in a circle.
fn end_of(path: &Path, links: usize) -> Option<PathBuf> {
    if let Ok(there) = path.canonicalize() {
        return Some(there);
    }
    let above = path.parent()?;
    match path.components().next_back()? {
        Component::Normal(name) => {
            let here = end_of(above, links)?.join(name);
            match here.read_link() {
                Ok(target) => end_of(&here.parent()?.join(target), links.checked_sub(1)?),
                Err(_) => Some(here),
            }
        }
        Component::ParentDir => Some(end_of(above, links)?.parent()?.to_owned()),
        _ => None,
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    fn check(links: &[(&str, &str)], expected: &[&str]) {
        let folder = tempfile::tempdir().expect("a folder");
        let top = folder.path().canonicalize().expect("a folder");
        for dir in ["git", "tree/there"] {
            std::fs::create_dir_all(top.join(dir)).expect("folders");
        }
        for (name, target) in links {
            symlink(target, top.join(name)).expect("links");
        }
        let mut found = led_to(&[top.join("git"), top.join("git/none")]).expect("lists");
        found.sort();
        let expected: Vec<_> = expected.iter().map(|path| top.join(path)).collect();
        assert_eq!(found, expected, "{links:?}");
    }

    #[test]
    fn links_are_followed_to_what_is_there_and_to_what_is_not_yet() {
        check(&[], &[]);
        check(&[("git/a", "../tree/there"), ("git/b", "../tree/new")], &["tree/new", "tree/there"]);
        check(&[("git/a", "../tree/no/such/folder")], &["tree/no/such/folder"]);
        check(&[("git/a", "../tree/no/../other")], &["tree/other"]);
        check(&[("git/a", "../tree/one"), ("tree/one", "there/two"), ("tree/there/two", "../new")], &["tree/new"]);
        check(&[("git/a", "a"), ("git/b", "c"), ("git/c", "b")], &[]);
    }

    #[test]
    fn a_folder_that_cannot_be_listed_is_told_and_not_taken_for_one_without_links() {
        let folder = tempfile::tempdir().expect("a folder");
        let top = folder.path().canonicalize().expect("a folder");
        symlink("round", top.join("round")).expect("links");
        for name in ["round".to_owned(), "long".repeat(100)] {
            assert!(led_to(&[top.join(&name)]).is_err(), "{name}");
        }
        std::fs::write(top.join("file"), "x").expect("written");
        for name in ["none", "file", "file/none"] {
            assert_eq!(led_to(&[top.join(name)]).expect("there is nothing"), Vec::<PathBuf>::new(), "{name}");
        }
    }
}
