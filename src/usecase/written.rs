//! Paths as a caller writes them: from its directory on.
//!
//! Owns that form, which every command takes back. Does not look at files.

use crate::git::Repo;
use crate::path::RepoPath;
use crate::text::quoted_path;
use bstr::{BStr, BString, ByteSlice};
use std::path::Path;

/// How a path below the root is named from the current directory, in quotes where it needs them.
pub fn written(path: &RepoPath, repo: &Repo) -> String {
    quoted_path(&from_here(path, &here(repo))[..]).into_owned()
}

/// The same, with all its bytes, from a directory below the root on.
pub fn from_here(path: &RepoPath, here: &BString) -> BString {
    relative(path.as_bstr(), here.as_bstr())
}

/// The current directory below the root; nothing at the root, and outside of it.
pub fn here(repo: &Repo) -> BString {
    let cwd = repo.env().cwd();
    let real = std::fs::canonicalize(cwd).ok();
    let below = |cwd: &Path| {
        let roots = [Some(repo.root()), repo.root_given()];
        let below = roots.into_iter().flatten().find_map(|root| cwd.strip_prefix(root).ok())?;
        <[u8]>::from_path(below).map(BString::from)
    };
    below(cwd).or_else(|| below(&real?)).unwrap_or_default()
}

fn relative(path: &BStr, here: &BStr) -> BString {
    let parts: Vec<&[u8]> = path.split_str("/").collect();
    let dirs: Vec<&[u8]> = here.split_str("/").filter(|dir| !dir.is_empty()).collect();
    // The last part is the file itself, or the directory that is meant.
    let shared = parts[..parts.len() - 1].iter().zip(&dirs).take_while(|(part, dir)| part == dir).count();
    let up = std::iter::repeat_n(&b".."[..], dirs.len() - shared);
    bstr::join("/", up.chain(parts[shared..].iter().copied())).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_named_from_where_the_caller_is() {
        for (path, here, want) in [
            ("a/b.txt", "", "a/b.txt"),
            ("a/b.txt", "a", "b.txt"),
            ("a/b.txt", "a/c", "../b.txt"),
            ("b.txt", "a/c", "../../b.txt"),
            ("a/c", "a/c", "../c"),
            ("ab/x", "a", "../ab/x"),
        ] {
            assert_eq!(relative(path.into(), here.into()), want, "{path} from {here}");
        }
    }
}
