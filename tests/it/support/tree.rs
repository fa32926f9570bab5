//! The whole of a directory tree, to compare it with: kinds, modes, bytes.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileTypeExt, PermissionsExt};
use std::path::Path;

/// What stands at a path. Debug output is short, so that a failing comparison can be read.
#[derive(Clone, PartialEq, Eq)]
pub enum Entry {
    /// A regular file: permission bits and bytes.
    File(u32, Vec<u8>),
    /// A directory and its permission bits.
    Dir(u32),
    /// A symlink and its target.
    Symlink(Vec<u8>),
    /// A FIFO, socket or device.
    Special,
}

impl std::fmt::Debug for Entry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::File(mode, bytes) if bytes.len() > 2000 => write!(f, "file {mode:o} of {} bytes", bytes.len()),
            Self::File(mode, bytes) => write!(f, "file {mode:o} {:?}", bstr::BStr::new(bytes)),
            Self::Dir(mode) => write!(f, "dir {mode:o}"),
            Self::Symlink(target) => write!(f, "symlink to {:?}", bstr::BStr::new(target)),
            Self::Special => write!(f, "special file"),
        }
    }
}

/// Every path below a directory, relative to it, with what stands there.
pub type Tree = BTreeMap<Vec<u8>, Entry>;

/// Looks at all below `root`, but for what `leave_out` names (by its path relative to `root`).
pub fn snapshot(root: &Path, leave_out: &[&str]) -> Tree {
    let mut tree = Tree::new();
    collect(root, root, leave_out, &mut tree);
    tree
}

fn collect(root: &Path, dir: &Path, leave_out: &[&str], tree: &mut Tree) {
    for entry in fs::read_dir(dir).expect("a readable directory") {
        let path = entry.expect("an entry").path();
        let name = path.strip_prefix(root).expect("below the root").as_os_str().as_bytes().to_vec();
        if leave_out.iter().any(|out| out.as_bytes() == name) {
            continue;
        }
        let meta = fs::symlink_metadata(&path).expect("it is there");
        let (kind, mode) = (meta.file_type(), meta.permissions().mode() & 0o7777);
        let found = if kind.is_symlink() {
            Entry::Symlink(fs::read_link(&path).expect("a symlink").as_os_str().as_bytes().to_vec())
        } else if kind.is_dir() {
            collect(root, &path, leave_out, tree);
            Entry::Dir(mode)
        } else if kind.is_fifo() || kind.is_socket() || kind.is_char_device() || kind.is_block_device() {
            Entry::Special
        } else {
            Entry::File(mode, fs::read(&path).unwrap_or_default())
        };
        tree.insert(name, found);
    }
}

/// Copies all files, directories and symlinks below `from` into the directory `to`.
pub fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a directory");
    for entry in fs::read_dir(from).expect("a readable directory") {
        let path = entry.expect("an entry").path();
        let target = to.join(path.file_name().expect("a name"));
        let kind = fs::symlink_metadata(&path).expect("it is there").file_type();
        if kind.is_symlink() {
            std::os::unix::fs::symlink(fs::read_link(&path).expect("a target"), target).expect("a symlink");
        } else if kind.is_dir() {
            copy(&path, &target);
        } else if kind.is_file() {
            fs::copy(&path, &target).expect("a copy");
        }
    }
}

/// As [`copy`], without git's own directory.
pub fn copy_files(from: &Path, to: &Path) {
    copy(from, to);
    let git = to.join(".git");
    if git.exists() {
        fs::remove_dir_all(git).expect("it can be removed");
    }
}

/// Asserts that two trees are the same, and shows only what differs.
#[track_caller]
pub fn assert_same(got: &Tree, want: &Tree, what: &str) {
    let mut told = String::new();
    for path in got.keys().chain(want.keys()).collect::<std::collections::BTreeSet<_>>() {
        if got.get(path) != want.get(path) {
            let shown = |tree: &Tree| tree.get(path).map_or("nothing".to_owned(), |entry| format!("{entry:?}"));
            told.push_str(&format!("  {}\n    got  {}\n    want {}\n", bstr::BStr::new(path), shown(got), shown(want)));
        }
    }
    assert!(told.is_empty(), "{what}:\n{told}");
}
