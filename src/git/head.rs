//! HEAD: the git commit, and the entries of its tree.
//!
//! Read once and kept until [`Repo::refresh`], so that one transaction sees one HEAD.

use super::object_id::ObjectId;
use super::packed_refs::PackedRefs;
use super::{Repo, RepoError, head_file};
use crate::id::{BlobId, CommitId, TreeId};
use crate::path::RepoPath;
use bstr::{BStr, ByteSlice};
use std::sync::Arc;

/// A file in HEAD's tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HeadEntry {
    /// Of its contents, in git's form.
    pub id: BlobId,
    /// `0o100644`, `0o100755` or `0o120000` (symlink).
    pub mode: u32,
}

/// What HEAD's tree has at a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HeadLookup {
    /// Nothing, or a directory.
    Missing,
    /// A file.
    File(HeadEntry),
    /// The path, or a directory above it, is a submodule.
    Submodule(RepoPath),
}

impl Repo {
    /// The git commit of HEAD; `None` where HEAD is unborn.
    ///
    /// # Errors
    /// Where HEAD or its commit cannot be read.
    pub fn head_id(&self) -> Result<Option<CommitId>, RepoError> {
        Ok(self.head_tip()?.map(|(commit, _)| commit))
    }

    /// The full name of the branch, such as `refs/heads/main`; `None` where HEAD is detached.
    ///
    /// # Errors
    /// Where HEAD cannot be read.
    pub fn head_name(&self) -> Result<Option<String>, RepoError> {
        if let Some(name) = head_file::branch_name(self) {
            return Ok(name);
        }
        let name = self.gix()?.head_name().map_err(RepoError::git("read HEAD"))?;
        Ok(name.map(|name| name.as_bstr().to_str_lossy().into_owned()))
    }

    /// The branch as people call it; `None` where HEAD is detached.
    ///
    /// # Errors
    /// Where HEAD cannot be read.
    pub fn branch(&self) -> Result<Option<String>, RepoError> {
        let name = self.head_name()?;
        Ok(name.map(|name| name.strip_prefix("refs/heads/").map_or(name.clone(), str::to_owned)))
    }

    /// The file that HEAD has at `path`.
    ///
    /// # Errors
    /// Where a tree cannot be read.
    pub fn head_entry(&self, path: &RepoPath) -> Result<Option<HeadEntry>, RepoError> {
        Ok(match self.head_lookup(path)? {
            HeadLookup::File(entry) => Some(entry),
            HeadLookup::Missing | HeadLookup::Submodule(_) => None,
        })
    }

    /// What HEAD has at `path`, by one walk down its tree.
    ///
    /// # Errors
    /// Where a tree cannot be read.
    pub fn head_lookup(&self, path: &RepoPath) -> Result<HeadLookup, RepoError> {
        match self.head_tip()? {
            Some((_, tree)) => self.lookup_below(tree, path),
            None => Ok(HeadLookup::Missing),
        }
    }

    /// The file that a commit has at `path`.
    ///
    /// # Errors
    /// Where the commit or a tree cannot be read.
    pub fn entry_in(&self, commit: CommitId, path: &RepoPath) -> Result<Option<HeadEntry>, RepoError> {
        let read = "read a commit";
        let found = self.gix()?.find_commit(commit.to_gix()).map_err(RepoError::git(read))?;
        let tree = found.tree_id().map_err(RepoError::git(read))?;
        Ok(match self.lookup_below(TreeId::from_gix(&tree), path)? {
            HeadLookup::File(entry) => Some(entry),
            HeadLookup::Missing | HeadLookup::Submodule(_) => None,
        })
    }

    pub(super) fn lookup_below(&self, mut tree: TreeId, path: &RepoPath) -> Result<HeadLookup, RepoError> {
        let mut components = path.components().peekable();
        let mut depth = 0;
        while let Some(name) = components.next() {
            depth += 1;
            let data = self.tree_data(tree)?;
            let Some(entry) = entry_of(&data, name) else {
                return Ok(HeadLookup::Missing);
            };
            let is_last = components.peek().is_none();
            match entry.mode.kind() {
                gix::objs::tree::EntryKind::Commit => {
                    let above: Vec<_> = path.components().take(depth).collect();
                    let above = RepoPath::new(&bstr::join("/", above)).expect("the start of a path is a path");
                    return Ok(HeadLookup::Submodule(above));
                }
                gix::objs::tree::EntryKind::Tree if !is_last => tree = TreeId::from_gix(entry.oid),
                gix::objs::tree::EntryKind::Tree => return Ok(HeadLookup::Missing),
                _ if !is_last => return Ok(HeadLookup::Missing),
                kind => {
                    return Ok(HeadLookup::File(HeadEntry { id: BlobId::from_gix(entry.oid), mode: kind as u32 }));
                }
            }
        }
        Ok(HeadLookup::Missing)
    }

    /// Forgets HEAD as it was read; a server calls this before every request.
    pub fn refresh(&self) {
        self.head.borrow_mut().tip = None;
        self.replaces.set(None);
        // Trees are named by their contents, so they stay true; only their number is kept in bounds.
        if self.head.borrow().trees.len() > 4096 {
            self.head.borrow_mut().trees.clear();
        }
    }

    /// HEAD's commit and tree.
    pub(crate) fn head_tip(&self) -> Result<Option<(CommitId, TreeId)>, RepoError> {
        if let Some(tip) = self.head.borrow().tip {
            return Ok(tip);
        }
        let tip = match self.read_tip() {
            Some(tip) => Some(tip),
            None => self.peel_tip()?,
        };
        self.head.borrow_mut().tip = Some(tip);
        Ok(tip)
    }

    /// The short way: HEAD names a commit, or a branch that does, and nothing is replaced. `None` where it is not so.
    fn read_tip(&self) -> Option<(CommitId, TreeId)> {
        let id = match head_file::commit(self) {
            Some(id) => id,
            None => match self.gix().ok()?.head().ok()?.kind {
                gix::head::Kind::Symbolic(branch) => CommitId::from_gix(branch.target.try_id()?),
                gix::head::Kind::Detached { target, .. } => CommitId::from_gix(&target),
                gix::head::Kind::Unborn(_) => return None,
            },
        };
        let known = self.head.borrow().known.filter(|(known, _)| *known == id);
        if known.is_some() && !self.has_replacements() {
            return known;
        }
        let commit = self.object(id)?;
        let tree = gix::objs::CommitRefIter::from_bytes(&commit, gix::hash::Kind::Sha1).tree_id().ok()?;
        let tip = (id, TreeId::from_gix(&tree));
        self.head.borrow_mut().known = Some(tip);
        Some(tip)
    }

    /// As git does it, with tags, chains of names, and replaced objects.
    fn peel_tip(&self) -> Result<Option<(CommitId, TreeId)>, RepoError> {
        let failed = || RepoError::git("read HEAD");
        let id = self.gix()?.head().map_err(failed())?.try_into_peeled_id().map_err(failed())?;
        let Some(id) = id else { return Ok(None) };
        let commit = self.gix()?.find_commit(id.detach()).map_err(failed())?;
        let tree = commit.tree_id().map_err(|err| RepoError::Git { verb: "read HEAD", cause: err.to_string() })?;
        Ok(Some((CommitId::from_gix(&commit.id), TreeId::from_gix(&tree))))
    }

    fn tree_data(&self, id: TreeId) -> Result<Arc<Vec<u8>>, RepoError> {
        if let Some(data) = self.head.borrow().trees.get(&id) {
            return Ok(Arc::clone(data));
        }
        let data = match self.object(id) {
            Some(data) => data,
            None => self.gix()?.find_tree(id.to_gix()).map_err(RepoError::git("read a tree of HEAD"))?.detach().data,
        };
        let data = Arc::new(data);
        self.head.borrow_mut().trees.insert(id, Arc::clone(&data));
        Ok(data)
    }

    /// An object found without gix; `None` where gix is to be asked, as where `git replace` was used.
    fn object(&self, id: impl ObjectId) -> Option<Vec<u8>> {
        if self.has_replacements() { None } else { self.lookup.find(id) }
    }

    /// Whether any object may be replaced by another (git-replace(1)).
    fn has_replacements(&self) -> bool {
        let replaces = self.replaces.get().unwrap_or_else(|| self.looks_for_replacements());
        self.replaces.set(Some(replaces));
        replaces
    }

    fn looks_for_replacements(&self) -> bool {
        const PLACE: &str = "refs/replace/";
        let is_elsewhere = self.env.variable("GIT_REPLACE_REF_BASE").is_some();
        let has_loose = || match std::fs::read_dir(self.common_dir.join(PLACE)) {
            Ok(mut entries) => entries.next().is_some(),
            Err(error) => error.kind() != std::io::ErrorKind::NotFound,
        };
        is_elsewhere || has_loose() || PackedRefs::read(self).is_none_or(|packed| packed.may_have_below(PLACE))
    }
}

/// The entry of a tree with this name. Reads the other entries no further than to their ends.
fn entry_of<'a>(tree: &'a [u8], name: &BStr) -> Option<gix::objs::tree::EntryRef<'a>> {
    let mut rest = tree;
    while let Some(space) = memchr::memchr(b' ', rest) {
        let end = memchr::memchr(0, rest.get(space..)?)? + space;
        if rest[space + 1..end] == **name {
            return gix::objs::TreeRefIter::from_bytes(rest, gix::hash::Kind::Sha1).next()?.ok();
        }
        rest = rest.get(end + 21..)?;
    }
    None
}
