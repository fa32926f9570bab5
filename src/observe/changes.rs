//! What differs between a snapshot and the working tree as it is.
//!
//! Owns the comparison. Reads only.

use super::checkouts::Checkouts;
use super::files::{Files, Tracked};
use super::seen::{Seen, Text};
use super::snapshot::{HeadThen, MOST_STASHED, MOST_TIPS, Scope, Snapshot, text_of};
use super::tree::{Tree, looks};
use crate::git::{Filters, GitForm, PastIgnores, Remembered, Repo, RepoError, TrackedFiles, blob_id};
use crate::id::BlobId;
use crate::path::RepoPath;
use crate::record::LARGEST_KEPT;
use crate::transaction::Version;
use crate::worktree::{Kind, Meta, Root};
use std::cell::OnceCell;
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

/// Why a file is not told of that rules hid which the same command changed: what it had before nobody knows, and may be a secret.
const WAS_IGNORED: &str = "was ignored by git until the rules on that changed, too: what it had before may be a secret and is not kept, so no undo brings it back; \
     look at it, and let git ignore it again if it is one; what is changed in it from now on is recorded";

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
    let (mut wanted, tracked) =
        if scope.has_tree { all_of_the_tree(repo, root, snapshot)? } else { Default::default() };
    for path in scope.paths.iter().chain(also) {
        wanted.entry(path.clone()).or_insert(None);
    }
    let Looked { changes, unrecorded, mut now } = Looking::new(repo, snapshot)?.compare(root, (scope, wanted), also)?;
    now.tracked = tracked;
    Ok(Looked { changes, unrecorded, now })
}

/// The files that are to be compared one by one, each with what the index remembers of it.
type Wanted = BTreeMap<RepoPath, Option<Remembered>>;

/// The files of the tree that may be other than they were, and which files of the index there are beside those of the table.
fn all_of_the_tree(repo: &Repo, root: &Root, snapshot: &Snapshot) -> Result<(Wanted, Option<Rc<Tracked>>), RepoError> {
    // Git walks the tree meanwhile.
    let others = repo.start_other_files()?;
    let unreadable = |error: std::io::Error| RepoError::Git { verb: "read the look before", cause: error.to_string() };
    let (index, files) = (repo.index_stamp(), &snapshot.files);
    let is_same = |tracked: &Rc<Tracked>| {
        let known = tracked.index.as_ref().filter(|known| known.is_from_before(snapshot.began_ns));
        known.is_some() && known == index.as_ref()
    };
    let (tracked, in_index) = match snapshot.tracked.clone().filter(is_same) {
        Some(tracked) => (tracked, None),
        None => {
            let in_index = repo.tracked_files()?;
            let apart = files.apart_of(in_index.iter()).map_err(unreadable)?;
            (Rc::new(Tracked { index, apart }), Some(in_index))
        }
    };
    let remembered = |path: &RepoPath, seen: Option<&Seen>| match &in_index {
        Some(in_index) => TrackedFiles::remembered(in_index, path),
        None => seen.and_then(|seen| seen.text.remembered()),
    };
    let mut wanted = Wanted::new();
    if let Some(table) = &files.table {
        let differing = table.differing(root, i128::MAX).map_err(unreadable)?;
        wanted.extend(differing.into_iter().map(|(path, seen)| {
            let remembered = remembered(&path, Some(&seen));
            (path, remembered)
        }));
    }
    wanted.extend(files.beside.iter().map(|(path, seen)| (path.clone(), remembered(path, seen.as_ref()))));
    wanted.extend(tracked.apart.iter().map(|(path, remembered)| (path.clone(), *remembered)));
    for path in others.done()? {
        wanted.entry(path).or_insert(None);
    }
    let rows = files.table.iter().map(|table| table.rows()).collect::<Result<Vec<_>, _>>().map_err(unreadable)?;
    let paths = || wanted.keys().map(|path| &**path.as_bstr());
    if repo.may_convert(rows.into_iter().flatten().map(|row| row.path).chain(paths())) {
        for path in repo.converted(paths())? {
            wanted.insert(path, None);
        }
    }
    Ok((wanted, Some(tracked)))
}

struct Looking<'a> {
    repo: &'a Repo,
    snapshot: &'a Snapshot,
    /// Device and inode of each file of the snapshot, where that is asked for.
    identities: OnceCell<HashSet<(u64, u64)>>,
    checkouts: Checkouts<'a>,
    head: HeadThen,
    /// What rules said that changed since.
    past: PastIgnores,
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
        let (identities, past) = (OnceCell::new(), PastIgnores::default());
        Ok(Self { repo, snapshot, identities, checkouts, head: HeadThen::now(repo)?, past })
    }

    /// Notes what rules said that changed since.
    fn learn_past_rules(&mut self, wanted: &Wanted, looked: &[std::io::Result<Option<Meta>>]) {
        for (path, looked) in wanted.keys().zip(looked).filter(|(path, _)| path.file_name() == RULES) {
            let Ok(Some(seen)) = self.snapshot.files.get(path) else { continue };
            let is_same = matches!(looked, Ok(Some(now)) if seen.meta.looks_like(now));
            if let Some(Ok(before)) = (!is_same).then(|| self.text_of(path, &seen)) {
                self.past.add(path, &before.bytes);
            }
        }
    }

    fn compare(
        mut self,
        root: &Root,
        (scope, wanted): (Scope, Wanted),
        also: &BTreeSet<RepoPath>,
    ) -> Result<Looked, RepoError> {
        let (mut changes, mut unrecorded, mut unhidden) = (Vec::new(), Vec::new(), Vec::new());
        let (mut tree, mut have_rules_changed) = (Tree::new(root), false);
        // Every file of the tree that is not compared is as it was.
        let mut files = if scope.has_tree { Files::of(self.snapshot.files.table.clone()) } else { Files::default() };
        let looked = looks(root, &wanted.keys().map(|path| &**path.as_bstr()).collect::<Vec<_>>());
        self.learn_past_rules(&wanted, &looked);
        for ((path, remembered), looked) in wanted.into_iter().zip(looked) {
            let told = if also.contains(&path) { Told::Any } else { Told::Changed };
            let Compared { now, change } = self.file(&mut tree, (&path, remembered), (looked, told));
            have_rules_changed |= !matches!(change, Ok(None)) && path.file_name() == RULES;
            let tell = |why: String| Unrecorded { path: path.clone(), why };
            match change {
                Ok(change) => changes.extend(change),
                Err(Untold::Untouched) => unhidden.push(tell(WAS_ELSEWHERE.to_owned())),
                Err(Untold::Because(why)) => unrecorded.push(tell(why)),
            }
            files.set(path, now);
        }
        // Where other rules hide files than before, nobody did anything to those that are seen now.
        if !have_rules_changed {
            unrecorded.extend(unhidden);
        }
        let now = Snapshot {
            scope,
            files,
            tracked: None,
            head: self.head,
            stashed: self.repo.stashed(MOST_STASHED),
            tips: self.repo.tips(MOST_TIPS),
            newest: None,
            began_ns: i128::MAX,
        };
        Ok(Looked { changes, unrecorded, now })
    }

    /// What became of a file.
    fn file(
        &self,
        tree: &mut Tree<'_>,
        (path, remembered): (&RepoPath, Option<Remembered>),
        (looked, told): (std::io::Result<Option<Meta>>, Told),
    ) -> Compared {
        let before = self.snapshot.files.get(path);
        let seen = before.as_ref().ok().and_then(Option::as_ref);
        let untold = |tree: &mut Tree<'_>, now: Option<Meta>, why: Untold| {
            let mut room = u64::MAX;
            let seen = |meta| Seen { meta, text: text_of(tree, path, (&meta, remembered), &mut room) };
            Compared { now: now.map(seen), change: Err(why) }
        };
        let unreadable = |error: std::io::Error| Untold::Because(format!("cannot be read: {error}"));
        if let Err(error) = &before {
            return untold(tree, looked.ok().flatten(), unreadable(error.kind().into()));
        }
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
        let why = self.untellable(tree, path, (seen, now.as_ref()));
        if let Some(why) = why.or_else(|| self.hidden(path, (seen, now.as_ref()), remembered)) {
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
            // What was edited behind a checkout was what that brought.
            let before = self.checkouts.before_edit(path, before, after.as_ref());
            let change = Change { path: path.clone(), before, after };
            let ends = (change.before.as_ref(), change.after.as_ref());
            let is_nothing = || change.before == change.after || self.checkouts.made_all(path, ends);
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

    /// Why a file is not told of that rules ignored which changed since. What was ignored, and is tracked now, git may have checked out.
    fn hidden(
        &self,
        path: &RepoPath,
        (seen, now): (Option<&Seen>, Option<&Meta>),
        remembered: Option<Remembered>,
    ) -> Option<Untold> {
        let was_tracked = seen.is_some_and(|seen| matches!(seen.text, Text::InGit(_)));
        let may_be = now.is_some() && remembered.is_none() && !was_tracked;
        (may_be && self.past.ignored(path)).then(|| Untold::Because(WAS_IGNORED.to_owned()))
    }

    /// Whether a file that is not in the snapshot was there all the same: then nobody made it now.
    fn was_elsewhere(&self, tree: &mut Tree<'_>, path: &RepoPath, now: &Meta) -> bool {
        let changed = now.ctime_ns.max(now.mtime_ns);
        let is_old = tree.born(path).unwrap_or(changed) < self.snapshot.began_ns;
        // Or it had another name, which the snapshot has.
        is_old && !self.identities().contains(&now.identity)
    }

    fn identities(&self) -> &HashSet<(u64, u64)> {
        self.identities.get_or_init(|| self.snapshot.files.identities().unwrap_or_default())
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
        self.repo.checked_out(path, id, Filters::Run).ok().filter(|bytes| bytes.len() as u64 == size)
    }
}

fn version((meta, bytes): (Meta, Vec<u8>)) -> Version {
    Version { id: blob_id(&bytes), bytes, mode: meta.mode }
}
