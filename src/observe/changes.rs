//! What differs between a snapshot and the working tree as it is.
//!
//! Owns the comparison, and what is git's own doing: a file that was as HEAD had it and is as another HEAD has it was checked out, not
//! edited. Reads only.

use super::snapshot::{Seen, Snapshot, Text};
use super::tree::Tree;
use crate::git::{GitCall, GitForm, HeadMove, Repo, RepoError, blob_id};
use crate::id::{BlobId, CommitId};
use crate::path::RepoPath;
use crate::record::LARGEST_KEPT;
use crate::transaction::Version;
use crate::worktree::{Kind, Meta, Root};
use std::collections::{BTreeSet, HashSet};

/// A file that is another one than it was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// Where it is, or was.
    pub path: RepoPath,
    /// None where there was no file.
    pub before: Option<Version>,
    /// None where there is none.
    pub after: Option<Version>,
}

/// A file that changed, and whose change cannot be recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unrecorded {
    /// Where it is, or was.
    pub path: RepoPath,
    /// As a sentence goes on after its name.
    pub why: String,
}

/// What was found of files.
pub type Compared = (Vec<Change>, Vec<Unrecorded>);

/// Where git's rules on what it ignores are.
const RULES: &str = ".gitignore";

/// Why a file that is new to the snapshot is not taken for made since.
const WAS_ELSEWHERE: &str =
    "was there before, where redraft does not look: ignored by git, in another repository, or outside";

/// Why a change is not told.
enum Untold {
    /// It was there before, where nobody looked, and nothing was done to it.
    Untouched,
    /// As a sentence goes on after the name of the file.
    Because(String),
}

impl From<String> for Untold {
    fn from(why: String) -> Self {
        Self::Because(why)
    }
}

/// Which files are told of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Told {
    Changed,
    Any,
}

/// The files that changed since a snapshot, by path; those of `also` with the others, changed or not. And what cannot be recorded.
///
/// # Errors
/// Where the index or HEAD cannot be read, or git fails.
pub fn changes(
    repo: &Repo,
    root: &Root,
    snapshot: &Snapshot,
    also: &BTreeSet<RepoPath>,
) -> Result<Compared, RepoError> {
    let mut paths: BTreeSet<RepoPath> = repo.working_files()?.into_keys().collect();
    paths.extend(snapshot.files.keys().chain(also).cloned());
    let told = |path: &RepoPath| if also.contains(path) { Told::Any } else { Told::Changed };
    Ok(Looking::new(repo, snapshot)?.compare(root, paths.iter().map(|path| (path, told(path)))))
}

/// As [`changes`], of these paths alone, changed or not.
///
/// # Errors
/// As there.
pub fn changes_at(
    repo: &Repo,
    root: &Root,
    snapshot: &Snapshot,
    paths: &BTreeSet<RepoPath>,
) -> Result<Compared, RepoError> {
    Ok(Looking::new(repo, snapshot)?.compare(root, paths.iter().map(|path| (path, Told::Any))))
}

struct Looking<'a> {
    repo: &'a Repo,
    snapshot: &'a Snapshot,
    /// Device and inode of each file of the snapshot.
    identities: HashSet<(u64, u64)>,
    /// How HEAD moved, where it did and a log tells.
    moves: Vec<HeadMove>,
}

impl<'a> Looking<'a> {
    fn new(repo: &'a Repo, snapshot: &'a Snapshot) -> Result<Self, RepoError> {
        let has_moved = repo.head_id()? != snapshot.head;
        let moves = if has_moved { repo.head_moves_since(snapshot.head) } else { None };
        Ok(Self { repo, snapshot, identities: snapshot.identities(), moves: moves.unwrap_or_default() })
    }

    fn compare<'p>(&self, root: &Root, paths: impl Iterator<Item = (&'p RepoPath, Told)>) -> Compared {
        let (mut changes, mut unrecorded, mut unhidden) = (Vec::new(), Vec::new(), Vec::new());
        let mut tree = Tree::new(root);
        let mut have_rules_changed = false;
        for (path, told) in paths {
            let found = self.change(&mut tree, path, told);
            let is_unchanged = matches!(found, Ok(None));
            have_rules_changed |= !is_unchanged && path.file_name() == RULES;
            let tell = |why: String| Unrecorded { path: path.clone(), why };
            match found {
                Ok(change) => changes.extend(change),
                Err(Untold::Untouched) => unhidden.push(tell(WAS_ELSEWHERE.to_owned())),
                Err(Untold::Because(why)) => unrecorded.push(tell(why)),
            }
        }
        // Where other rules hide files than before, nobody did anything to those that are seen now.
        if !have_rules_changed {
            unrecorded.extend(unhidden);
        }
        (changes, unrecorded)
    }

    /// What became of a file; none where nothing did. The error says why it cannot be told.
    fn change(&self, tree: &mut Tree<'_>, path: &RepoPath, told: Told) -> Result<Option<Change>, Untold> {
        let unreadable = |error: std::io::Error| format!("cannot be read: {error}");
        let seen = self.snapshot.files.get(path);
        let now = tree.look(path).map_err(unreadable)?;
        let is_same = match (seen, &now) {
            (None, None) => true,
            (Some(seen), Some(now)) => seen.meta.looks_like(now),
            (None, Some(_)) | (Some(_), None) => false,
        };
        if is_same && told == Told::Changed {
            return Ok(None);
        }
        let is_link = |meta: &Meta| meta.kind == Kind::Symlink;
        let were_links = now.as_ref().is_some_and(is_link) || seen.is_some_and(|seen| is_link(&seen.meta));
        if !is_same && were_links {
            return Err("is or was a symbolic link".to_owned().into());
        }
        if let (None, Some(now)) = (seen, &now)
            && self.was_elsewhere(tree, path, now)
        {
            let is_untouched = now.ctime_ns > 0 && now.ctime_ns < self.snapshot.ready_ns;
            return Err(if is_untouched { Untold::Untouched } else { WAS_ELSEWHERE.to_owned().into() });
        }
        if now.is_some_and(|now| now.size > LARGEST_KEPT as u64) {
            return Err(format!("is larger than {LARGEST_KEPT} bytes").into());
        }
        let after = tree.read(path).map_err(unreadable)?.map(version);
        let before = if is_same { after.clone() } else { seen.map(|seen| self.text_of(path, seen)).transpose()? };
        let change = Change { path: path.clone(), before, after };
        let is_nothing = change.before == change.after || self.is_gits(&change);
        Ok((told == Told::Any || !is_nothing).then_some(change))
    }

    /// Whether a file that is not in the snapshot was there all the same: then nobody made it now.
    fn was_elsewhere(&self, tree: &mut Tree<'_>, path: &RepoPath, now: &Meta) -> bool {
        // It had another name, which the snapshot has.
        if self.identities.contains(&now.identity) {
            return false;
        }
        let changed = now.ctime_ns.max(now.mtime_ns);
        tree.born(path).unwrap_or(changed) < self.snapshot.ready_ns
    }

    /// Whether git made the change, by moving HEAD: a file that was as HEAD had it and is as another HEAD has it, and in none of the
    /// commits between which were made of what was in the tree.
    fn is_gits(&self, change: &Change) -> bool {
        if self.moves.is_empty() {
            return false;
        }
        let entry = |head: Option<CommitId>| match head {
            Some(commit) => self.repo.entry_in(commit, &change.path).ok().map(|entry| entry.map(|entry| entry.id)),
            None => Some(None),
        };
        let is_its = |version: &Option<Version>, id: Option<BlobId>| match (version, id) {
            (None, None) => true,
            (Some(version), Some(id)) => version.id == id || self.is_form(&change.path, &version.bytes, id),
            _ => false,
        };
        let is_committed = |step: &HeadMove| step.is_commit && entry(step.from) != entry(Some(step.to));
        let end = self.moves.last().and_then(|step| entry(Some(step.to)));
        entry(self.snapshot.head).is_some_and(|was| is_its(&change.before, was))
            && end.is_some_and(|is| is_its(&change.after, is))
            && !self.moves.iter().any(is_committed)
    }

    /// Whether git would store these bytes as this blob.
    fn is_form(&self, path: &RepoPath, bytes: &[u8], id: BlobId) -> bool {
        matches!(self.repo.git_form(path, bytes), Ok(GitForm::Converted(form)) if blob_id(&form) == id)
    }

    fn text_of(&self, path: &RepoPath, seen: &Seen) -> Result<Version, String> {
        let bytes = match &seen.text {
            Text::Kept(bytes) => bytes.clone(),
            Text::InGit(id) => {
                let found = self.checked_out(path, (*id, seen.meta.size));
                found.ok_or("had a text that git does not give back")?
            }
            Text::NotKept | Text::Link => return Err("was too large to be kept, or could not be read".to_owned()),
        };
        Ok(version((seen.meta, bytes)))
    }

    /// The bytes that git would check out for a blob, if they are so many. A conversion that git makes by itself changes how many.
    fn checked_out(&self, path: &RepoPath, (id, size): (BlobId, u64)) -> Option<Vec<u8>> {
        let bytes = self.repo.blob(&id).ok()?;
        let is_as_stored = || matches!(self.repo.git_form(path, &bytes), Ok(GitForm::Same));
        if bytes.len() as u64 == size && is_as_stored() {
            return Some(bytes);
        }
        let mut option = std::ffi::OsString::from("--path=");
        option.push(path.to_path());
        let call = GitCall::new(["cat-file", "--filters"]).arg(option).arg(id.to_string());
        self.repo.run_git(call).ok().filter(|bytes| bytes.len() as u64 == size)
    }
}

fn version((meta, bytes): (Meta, Vec<u8>)) -> Version {
    Version { id: blob_id(&bytes), bytes, mode: meta.mode }
}
