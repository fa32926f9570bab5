//! What differs between a snapshot and the working tree as it is.
//!
//! Owns the comparison. Reads only.

use super::checkouts::Checkouts;
use super::snapshot::{Scope, Seen, Snapshot, Text, text_of};
use super::tree::{Tree, looks};
use crate::git::{GitCall, GitForm, Remembered, Repo, RepoError, WorkingFiles, blob_id};
use crate::id::{BlobId, CommitId};
use crate::path::RepoPath;
use crate::record::LARGEST_KEPT;
use crate::transaction::Version;
use crate::worktree::{Kind, Meta, Root};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::rc::Rc;

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

/// Which files are told of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Told {
    Changed,
    Any,
}

/// What was found in a tree, and how it is now.
#[derive(Debug)]
pub struct Looked {
    /// The files that changed, by path; those that were asked for with the others, changed or not.
    pub changes: Vec<Change>,
    /// What changed and cannot be recorded.
    pub unrecorded: Vec<Unrecorded>,
    /// How the files are that were looked at; which record was the newest then is for the caller to say.
    pub now: Snapshot,
}

/// The files of a scope that changed since a snapshot, by path; those of `also` with the others, changed or not.
///
/// # Errors
/// Where the index or HEAD cannot be read, or git fails.
pub fn changes(
    repo: &Repo,
    root: &Root,
    snapshot: &Snapshot,
    (scope, also): (Scope, &BTreeSet<RepoPath>),
) -> Result<Looked, RepoError> {
    let mut files = scope.files(repo)?;
    let old = snapshot.files.keys().filter(|_| scope.has_tree);
    for path in old.chain(also) {
        files.entry(path.clone()).or_insert(None);
    }
    Looking::new(repo, snapshot)?.compare(root, (scope, files), also)
}

struct Looking<'a> {
    repo: &'a Repo,
    snapshot: &'a Snapshot,
    /// Device and inode of each file of the snapshot.
    identities: HashSet<(u64, u64)>,
    checkouts: Checkouts<'a>,
    head: Option<CommitId>,
}

/// One file, compared.
struct Compared {
    now: Option<Seen>,
    /// The error says why it cannot be told.
    change: Result<Option<Change>, Untold>,
}

impl<'a> Looking<'a> {
    fn new(repo: &'a Repo, snapshot: &'a Snapshot) -> Result<Self, RepoError> {
        let checkouts = Checkouts::since(repo, snapshot)?;
        Ok(Self { repo, snapshot, identities: snapshot.identities(), checkouts, head: repo.head_id()? })
    }

    fn compare(
        &self,
        root: &Root,
        (scope, paths): (Scope, WorkingFiles),
        also: &BTreeSet<RepoPath>,
    ) -> Result<Looked, RepoError> {
        let (mut changes, mut unrecorded, mut unhidden) = (Vec::new(), Vec::new(), Vec::new());
        let (mut tree, mut files) = (Tree::new(root), BTreeMap::new());
        let mut have_rules_changed = false;
        let looked = looks(root, &paths.keys().collect::<Vec<_>>());
        for ((path, remembered), looked) in paths.into_iter().zip(looked) {
            let told = if also.contains(&path) { Told::Any } else { Told::Changed };
            let Compared { now, change } = self.file(&mut tree, (&path, remembered), (looked, told));
            have_rules_changed |= !matches!(change, Ok(None)) && path.file_name() == RULES;
            let tell = |why: String| Unrecorded { path: path.clone(), why };
            match change {
                Ok(change) => changes.extend(change),
                Err(Untold::Untouched) => unhidden.push(tell(WAS_ELSEWHERE.to_owned())),
                Err(Untold::Because(why)) => unrecorded.push(tell(why)),
            }
            now.and_then(|now| files.insert(path, now));
        }
        // Where other rules hide files than before, nobody did anything to those that are seen now.
        if !have_rules_changed {
            unrecorded.extend(unhidden);
        }
        let now = Snapshot { scope, files, head: self.head, newest: None, began_ns: i128::MAX };
        Ok(Looked { changes, unrecorded, now })
    }

    /// What became of a file.
    fn file(
        &self,
        tree: &mut Tree<'_>,
        (path, remembered): (&RepoPath, Option<Remembered>),
        (looked, told): (std::io::Result<Option<Meta>>, Told),
    ) -> Compared {
        let seen = self.snapshot.files.get(path);
        let untold = |tree: &mut Tree<'_>, now: Option<Meta>, why: Untold| {
            let mut room = u64::MAX;
            let seen = |meta| Seen { meta, text: text_of(tree, path, (&meta, remembered), &mut room) };
            Compared { now: now.map(seen), change: Err(why) }
        };
        let unreadable = |error: std::io::Error| Untold::Because(format!("cannot be read: {error}"));
        let now = match looked {
            Ok(now) => now,
            Err(error) => return untold(tree, None, unreadable(error)),
        };
        let is_same = match (seen, &now) {
            (None, None) => true,
            (Some(seen), Some(now)) => seen.meta.looks_like(now),
            (None, Some(_)) | (Some(_), None) => false,
        };
        if is_same && told == Told::Changed {
            return Compared { now: seen.cloned(), change: Ok(None) };
        }
        if let Some(why) = self.untellable(tree, path, (seen, now.as_ref())) {
            return untold(tree, now, why);
        }
        let after = match tree.read(path) {
            Ok(after) => after,
            Err(error) => return untold(tree, now, unreadable(error)),
        };
        let meta = after.as_ref().map(|(meta, _)| *meta);
        let after = after.map(version);
        let is_as_in_index = |after: &Version| remembered.is_some_and(|remembered| remembered.id == after.id);
        let now = match (is_same, meta.zip(after.as_ref())) {
            (true, _) => seen.cloned(),
            (false, Some((meta, after))) if is_as_in_index(after) => Some(Seen { meta, text: Text::InGit(after.id) }),
            (false, Some((meta, after))) => Some(Seen { meta, text: Text::Kept(Rc::new(after.bytes.clone())) }),
            (false, None) => None,
        };
        let before = if is_same { Ok(after.clone()) } else { seen.map(|seen| self.text_of(path, seen)).transpose() };
        let change = before.map_err(Untold::Because).map(|before| {
            let change = Change { path: path.clone(), before, after };
            let ends = (change.before.as_ref(), change.after.as_ref());
            let is_nothing = || change.before == change.after || self.checkouts.made(path, ends);
            (told == Told::Any || !is_nothing()).then_some(change)
        });
        Compared { now, change }
    }

    /// Why the change of a file cannot be told, as far as its looks say.
    fn untellable(
        &self,
        tree: &mut Tree<'_>,
        path: &RepoPath,
        (seen, now): (Option<&Seen>, Option<&Meta>),
    ) -> Option<Untold> {
        let is_link = |meta: &Meta| meta.kind == Kind::Symlink;
        let is_same = seen.zip(now).is_some_and(|(seen, now)| seen.meta.looks_like(now));
        if !is_same && (now.is_some_and(is_link) || seen.is_some_and(|seen| is_link(&seen.meta))) {
            return Some(Untold::Because("is or was a symbolic link".to_owned()));
        }
        if let (None, Some(now)) = (seen, now)
            && !self.snapshot.knows(path)
            && self.was_elsewhere(tree, path, now)
        {
            let is_untouched = now.ctime_ns > 0 && now.ctime_ns < self.snapshot.began_ns;
            return Some(if is_untouched { Untold::Untouched } else { Untold::Because(WAS_ELSEWHERE.to_owned()) });
        }
        let is_large = now.is_some_and(|now| now.size > LARGEST_KEPT as u64);
        is_large.then(|| Untold::Because(format!("is larger than {LARGEST_KEPT} bytes")))
    }

    /// Whether a file that is not in the snapshot was there all the same: then nobody made it now.
    fn was_elsewhere(&self, tree: &mut Tree<'_>, path: &RepoPath, now: &Meta) -> bool {
        // It had another name, which the snapshot has.
        if self.identities.contains(&now.identity) {
            return false;
        }
        let changed = now.ctime_ns.max(now.mtime_ns);
        tree.born(path).unwrap_or(changed) < self.snapshot.began_ns
    }

    fn text_of(&self, path: &RepoPath, seen: &Seen) -> Result<Version, String> {
        let bytes = match &seen.text {
            Text::Kept(bytes) => bytes.to_vec(),
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
