//! Objects for the user's repository: blobs, trees, commits. Nothing refers to them until a ref moves.

use super::{GitCall, ObjectId, Repo, RepoError};
use crate::id::{BadId, BlobId, CommitId, TreeId};
use crate::path::RepoPath;
use bstr::{BString, ByteSlice};
use gix::objs::tree::{Entry, EntryKind};
use std::collections::BTreeMap;

/// A file in a tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TreeEntry {
    /// Of its contents, in git's form.
    pub id: BlobId,
    /// `0o100644`, `0o100755` or `0o120000`.
    pub mode: u32,
}

/// What a path becomes in a tree: an entry, or none.
pub type TreeChange = (RepoPath, Option<TreeEntry>);

/// A commit that is to be made.
#[derive(Debug, Clone, Copy)]
pub struct CommitObject<'a> {
    /// What it holds.
    pub tree: TreeId,
    /// What it stands on; none for the first commit.
    pub parents: &'a [CommitId],
    /// As it stands in the commit.
    pub message: &'a str,
    /// None for the user.
    pub author: Option<&'a Author>,
    /// Whether it is signed.
    pub signing: Signing,
}

/// Whether a commit is signed with the user's key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Signing {
    Signed,
    Unsigned,
}

/// Who wrote a commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Author {
    /// In full.
    pub name: String,
    /// The address of the mail.
    pub email: String,
}

impl std::fmt::Display for Author {
    /// As git takes it: `Name <address>`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} <{}>", self.name, self.email)
    }
}

/// Changes below one directory, by its next component.
#[derive(Default)]
struct Level<'a> {
    files: BTreeMap<BString, Option<&'a TreeEntry>>,
    dirs: BTreeMap<BString, Self>,
}

impl Repo {
    /// The contents of a blob.
    ///
    /// # Errors
    /// Where it is missing or damaged.
    pub fn blob(&self, id: &BlobId) -> Result<Vec<u8>, RepoError> {
        match self.gix()?.find_blob(id.to_gix()) {
            Ok(blob) => Ok(blob.detach().data),
            // Git itself fetches what a partial clone lacks.
            Err(_) if self.is_partial() => self.run_git(GitCall::new(["cat-file", "blob"]).arg(id.to_string())),
            Err(error) => Err(RepoError::git("read a blob")(error)),
        }
    }

    /// Writes a blob.
    ///
    /// # Errors
    /// Where the folder of objects cannot be written: a full disk, a git directory that is read-only.
    pub fn write_blob(&self, bytes: &[u8]) -> Result<BlobId, RepoError> {
        let id = self.gix()?.write_blob(bytes).map_err(RepoError::git("write a blob"))?;
        Ok(BlobId::from_gix(&id))
    }

    /// The id of HEAD's tree; that of the empty tree where HEAD is unborn. Read anew.
    ///
    /// # Errors
    /// Where HEAD cannot be read.
    pub fn head_tree(&self) -> Result<TreeId, RepoError> {
        let tree = self.head_tip()?.map(|(_, tree)| tree);
        Ok(tree.unwrap_or_else(empty_tree))
    }

    /// Writes the tree that `base` becomes by some changes.
    ///
    /// # Errors
    /// [`RepoError::InTheWay`]; where a tree of `base` is missing, or one cannot be written.
    pub fn write_tree(&self, base: TreeId, changes: &[TreeChange]) -> Result<TreeId, RepoError> {
        let mut top = Level::default();
        for (path, entry) in changes {
            let mut level = &mut top;
            if let Some(parent) = path.parent() {
                for name in parent.components() {
                    level = level.dirs.entry(name.to_owned()).or_default();
                }
            }
            level.files.insert(path.file_name().to_owned(), entry.as_ref());
        }
        let written = self.write_level(Some(base), &top, "")?;
        Ok(match written {
            Some(id) => id,
            None => self.write_tree_object(gix::objs::Tree::empty())?,
        })
    }

    /// Writes one directory; none where it becomes empty.
    fn write_level(&self, base: Option<TreeId>, level: &Level<'_>, at: &str) -> Result<Option<TreeId>, RepoError> {
        let mut entries = base.map_or_else(|| Ok(Vec::new()), |base| self.tree_entries(base))?;
        for (name, dir) in &level.dirs {
            let below = format!("{at}{name}/");
            let old = entries.iter().position(|entry| entry.filename == *name);
            let old_tree = match old.map(|n| &entries[n]) {
                Some(entry) if entry.mode.is_tree() => Some(TreeId::from_gix(&entry.oid)),
                Some(_) if dir.adds() => return Err(RepoError::InTheWay(below)),
                Some(_) => continue,
                None => None,
            };
            let new = self.write_level(old_tree, dir, &below)?;
            if let Some(n) = old {
                entries.remove(n);
            }
            entries.extend(new.map(|id| Entry {
                mode: EntryKind::Tree.into(),
                filename: name.clone(),
                oid: id.to_gix(),
            }));
        }
        for (name, file) in &level.files {
            let old = entries.iter().position(|entry| entry.filename == *name);
            match (old, file) {
                (Some(n), _) if entries[n].mode.is_tree() => {
                    return Err(RepoError::InTheWay(format!("{at}{name}")));
                }
                (Some(n), _) => drop(entries.remove(n)),
                (None, _) => {}
            }
            if let Some(file) = file {
                let mode = match file.mode {
                    0o100_755 => EntryKind::BlobExecutable,
                    0o120_000 => EntryKind::Link,
                    _ => EntryKind::Blob,
                };
                entries.push(Entry { mode: mode.into(), filename: name.clone(), oid: file.id.to_gix() });
            }
        }
        if entries.is_empty() {
            return Ok(None);
        }
        entries.sort();
        self.write_tree_object(gix::objs::Tree { entries }).map(Some)
    }

    fn tree_entries(&self, id: TreeId) -> Result<Vec<Entry>, RepoError> {
        if id == empty_tree() {
            return Ok(Vec::new());
        }
        let tree = self.gix()?.find_tree(id.to_gix()).map_err(RepoError::git("read a tree"))?;
        let owned = tree.iter().map(|entry| {
            entry.map(|entry| Entry {
                mode: entry.inner.mode,
                filename: entry.inner.filename.to_owned(),
                oid: entry.inner.oid.to_owned(),
            })
        });
        let entries = owned.collect::<Result<_, _>>();
        entries.map_err(|error| RepoError::Git { verb: "read a tree", cause: error.to_string() })
    }

    fn write_tree_object(&self, tree: gix::objs::Tree) -> Result<TreeId, RepoError> {
        let id = self.gix()?.write_object(tree).map_err(RepoError::git("write a tree"))?;
        Ok(TreeId::from_gix(&id))
    }

    /// Makes a commit object with `git commit-tree`, which knows the user's identity, encoding and key.
    ///
    /// # Errors
    /// [`RepoError::Program`] with git's words, where it fails or gives no id.
    pub fn commit_tree(&self, commit: &CommitObject<'_>) -> Result<CommitId, RepoError> {
        let mut call = GitCall::new(["commit-tree"]).arg(commit.tree.to_string());
        for parent in commit.parents {
            call = call.arg("-p").arg(parent.to_string());
        }
        if commit.signing == Signing::Signed {
            call = call.arg("-S");
        }
        if let Some(Author { name, email }) = commit.author {
            call = call.env("GIT_AUTHOR_NAME", name).env("GIT_AUTHOR_EMAIL", email);
        }
        let out = self.run_git(call.arg("-F").arg("-").input(commit.message))?;
        out.trim()
            .to_str_lossy()
            .parse()
            .map_err(|bad: BadId| RepoError::Program { command: "commit-tree".to_owned(), output: bad.to_string() })
    }
}

fn empty_tree() -> TreeId {
    TreeId::from_gix(gix::ObjectId::empty_tree(gix::hash::Kind::Sha1).as_ref())
}

impl Level<'_> {
    fn adds(&self) -> bool {
        self.files.values().any(Option::is_some) || self.dirs.values().any(Level::adds)
    }
}
