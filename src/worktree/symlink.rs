//! Where symbolic links lead, as long as that is below the root.
//!
//! Owns the walk. Does not open the file at its end, and does not say whether it may be edited.
//! Invariant: every step is a handle and one name in it, not followed; `..` never goes above the root, and a link with an
//! absolute target leads outside, wherever that is.

use super::dir::{Dir, Kind};
use super::error::WorktreeError as Error;
use crate::path::{PathError, RepoPath};
use bstr::{BString, ByteSlice, ByteVec};
use std::io;

/// As many as Linux follows before it takes them for a loop.
const MOST_LINKS: usize = 40;

/// Where a path with symlinks leads to, as a path without any.
#[derive(Debug)]
pub(super) enum Led {
    /// A place; its last name may be free, if no link gave it.
    To(RepoPath),
    /// Nothing is there.
    ToNothing(RepoPath),
}

/// Follows `path`.
///
/// # Errors
/// Where it leads outside the root or into git's own files, in a circle, or through what is no directory.
pub(super) fn resolve(root: &Dir, path: &RepoPath) -> Result<Led, Error> {
    let refused = |error| match error {
        PathError::GitInternals(..) => Error::GitInternals(path.to_string_lossy()),
        PathError::Empty => Error::Directory(path.to_string_lossy()),
        _ => Error::SymlinkEscape(path.to_string_lossy()),
    };
    match Walk::new(path).through(root)? {
        End::At(real) => Ok(Led::To(RepoPath::new(&real).map_err(refused)?)),
        End::Missing(real) => match RepoPath::new(&real) {
            Ok(real) => Ok(Led::ToNothing(real)),
            Err(error @ PathError::GitInternals(..)) => Err(refused(error)),
            Err(_) => Err(Error::DanglingLink(path.to_string_lossy())),
        },
    }
}

/// Where a walk ended.
enum End {
    At(Vec<u8>),
    Missing(Vec<u8>),
}

/// How far the way has been gone, and what is left of it.
struct Walk<'p> {
    path: &'p RepoPath,
    /// The directories walked into, below the root.
    inside: Vec<(BString, Dir)>,
    /// The names still to come, the next one last.
    ahead: Vec<BString>,
    links: usize,
}

impl<'p> Walk<'p> {
    fn new(path: &'p RepoPath) -> Self {
        let mut ahead: Vec<BString> = path.components().map(Into::into).collect();
        ahead.reverse();
        Self { path, inside: Vec::new(), ahead, links: 0 }
    }

    fn through(mut self, root: &Dir) -> Result<End, Error> {
        // A name that a link gave must exist; the last one of the request may be that of a file still to be made.
        let mut may_be_free = true;
        while let Some(name) = self.ahead.pop() {
            match &**name {
                b"" | b"." => continue,
                b".." if self.inside.pop().is_none() => return Err(Error::SymlinkEscape(self.shown())),
                b".." => continue,
                _ => {}
            }
            let at = self.inside.last().map_or(root, |(_, dir)| dir);
            match at.look(name.as_bstr()).map_err(|error| self.failed(error))?.map(|meta| meta.kind) {
                None if self.ahead.is_empty() && may_be_free => return Ok(End::At(self.ended_by(&name))),
                None => return Ok(End::Missing(self.would_end(&name))),
                Some(Kind::Directory) => {
                    let dir = at.child(name.as_bstr()).map_err(|error| self.failed(error))?;
                    self.inside.push((name, dir));
                }
                Some(Kind::Symlink) => {
                    let target = at.read_link(name.as_bstr()).map_err(|error| self.failed(error))?;
                    may_be_free &= !self.ahead.is_empty();
                    self.follow(target)?;
                }
                Some(_) if self.ahead.is_empty() => return Ok(End::At(self.ended_by(&name))),
                Some(_) => return Err(Error::NotADirectory(self.shown(), name.to_string())),
            }
        }
        Ok(End::At(bstr::join("/", self.inside.iter().map(|(name, _)| name))))
    }

    fn follow(&mut self, target: Option<Vec<BString>>) -> Result<(), Error> {
        self.links += 1;
        if self.links > MOST_LINKS {
            return Err(Error::SpecialFile(self.shown(), "symbolic link that leads to itself"));
        }
        let target = target.ok_or_else(|| Error::SymlinkEscape(self.shown()))?;
        self.ahead.extend(target.into_iter().rev());
        Ok(())
    }

    fn ended_by(&self, name: &BString) -> Vec<u8> {
        let mut real = bstr::join("/", self.inside.iter().map(|(name, _)| name));
        if !real.is_empty() {
            real.push_byte(b'/');
        }
        real.push_str(name);
        real
    }

    /// The path that is meant where `name` is missing, with all that was still to come.
    fn would_end(&self, name: &BString) -> Vec<u8> {
        let ahead = self.ahead.iter().rev().map(|name| &**name);
        bstr::join("/", std::iter::once(&*self.ended_by(name)).chain(ahead.map(|name| &**name)))
    }

    fn failed(&self, error: io::Error) -> Error {
        match error.kind() {
            io::ErrorKind::InvalidFilename => Error::BadName(self.shown(), error),
            io::ErrorKind::PermissionDenied => Error::Unreadable { path: self.shown(), source: error },
            // What was a directory, or a link, a moment ago.
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory | io::ErrorKind::InvalidInput => {
                Error::ChangedWhileEditing { path: self.shown(), what: "a part of its path was replaced".to_owned() }
            }
            _ if Dir::is_symlink_error(&error) => {
                Error::ChangedWhileEditing { path: self.shown(), what: "a part of its path was replaced".to_owned() }
            }
            _ => Error::io("resolve", self.shown())(error),
        }
    }

    fn shown(&self) -> String {
        self.path.to_string_lossy()
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    /// `shape` makes the tree in a folder `root`, which has a sibling `outside`; the answer is a path or an error's text.
    fn check(shape: impl Fn(&std::path::Path), path: &str, expected: Result<&str, &str>) {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().join("root");
        std::fs::create_dir_all(root.join("real/deep")).expect("folders");
        std::fs::create_dir(folder.path().join("outside")).expect("a folder");
        std::fs::write(root.join("real/a"), "a").expect("a file");
        std::fs::write(folder.path().join("outside/a"), "a").expect("a file");
        shape(&root);
        let path = RepoPath::new(path.as_bytes()).expect("a path");
        match (resolve(&Dir::open(&root).expect("the root"), &path), expected) {
            (Ok(Led::To(real)), Ok(expected)) => assert_eq!(real.to_string_lossy(), expected),
            (Ok(Led::ToNothing(real)), Err(expected)) => assert_eq!(format!("nothing at {real}"), expected),
            (Err(error), Err(expected)) => {
                let told = error.to_string();
                assert!(told.contains(expected) && told.contains(&path.to_string_lossy()), "{told}");
            }
            (found, expected) => panic!("{path:?}: {found:?}, not {expected:?}"),
        }
    }

    fn link(target: &'static str, name: &'static str) -> impl Fn(&std::path::Path) {
        move |root| symlink(target, root.join(name)).expect("a link")
    }

    #[test]
    fn links_inside_the_root_are_followed() {
        check(link("real/a", "link"), "link", Ok("real/a"));
        check(link("real", "link"), "link/a", Ok("real/a"));
        check(link("../real/deep/..", "real/link"), "real/link/a", Ok("real/a"));
        check(link("./real//deep/", "link"), "link/new", Ok("real/deep/new"));
        check(
            |root| {
                symlink("two", root.join("one")).expect("a link");
                symlink("real", root.join("two")).expect("a link");
            },
            "one/a",
            Ok("real/a"),
        );
    }

    #[test]
    fn parents_are_those_of_where_a_link_led_not_of_its_name() {
        check(
            |root| {
                symlink("real/deep", root.join("short")).expect("a link");
                symlink("short/../a", root.join("link")).expect("a link");
            },
            "link",
            Ok("real/a"),
        );
    }

    #[test]
    fn a_link_never_leads_outside() {
        for target in ["../outside", "real/../../outside", "/", "..", "real/deep/../../.."] {
            check(move |root| symlink(target, root.join("link")).expect("a link"), "link/a", Err("outside the root"));
        }
        // Out and in again is out: what the name of the root is, is none of the tree's business.
        check(link("../root/real", "link"), "link/a", Err("outside the root"));
        check(|root| symlink(root.join("real/a"), root.join("link")).expect("a link"), "link", Err("outside the root"));
    }

    #[test]
    fn a_link_to_git_files_the_root_or_itself_is_refused() {
        check(link(".git", "link"), "link/config", Err("git's own files"));
        check(
            |root| {
                std::fs::create_dir(root.join(".git")).expect("a folder");
                symlink(".git", root.join("link")).expect("a link");
            },
            "link/config",
            Err("git's own files"),
        );
        check(link(".", "link"), "link", Err("is a directory"));
        check(link("link", "link"), "link", Err("leads to itself"));
        check(link("real/a/", "link"), "link", Err("is not a directory"));
    }

    #[test]
    fn as_many_links_as_linux_follows_are_followed() {
        for (count, expected) in [(40, Ok("real/a")), (41, Err("leads to itself"))] {
            let chain = |root: &std::path::Path| {
                symlink("real/a", root.join("link1")).expect("a link");
                for n in 2..=count {
                    symlink(format!("link{}", n - 1), root.join(format!("link{n}"))).expect("a link");
                }
            };
            check(chain, &format!("link{count}"), expected);
        }
    }

    #[test]
    fn a_link_to_a_name_that_no_file_can_have_is_told_so() {
        let long = "x".repeat(300);
        check(move |root| symlink(&long, root.join("link")).expect("a link"), "link", Err("does not take"));
    }

    #[test]
    fn only_the_last_name_may_be_free_and_only_if_the_request_gave_it() {
        check(link("real", "link"), "link/new", Ok("real/new"));
        check(link("real", "link"), "link/new/file", Err("nothing at real/new/file"));
        check(link("real/new", "link"), "link", Err("nothing at real/new"));
        check(link("real/new/../a", "link"), "link", Err("leads to nothing"));
        // The same word, but the link's.
        check(link("real/link", "link"), "link", Err("nothing at real/link"));
    }
}
