//! Looking at files: where they are, what they hold, what their edits make of it.
//!
//! Owns the way from a task to a judged file, without the lock and again under it. What is refused, and why, is in
//! `judge.rs` and `refuse.rs`. Reads only.

use super::base_text::BaseText;
use super::file_format::FileFormats;
use super::refuse::{refuse_link, refuse_same_file};
use super::{Flow, Task};
use crate::change::ChangeKind;
use crate::error::Error;
use crate::git::{HeadLookup, blob_ids};
use crate::path::RepoPath;
use crate::policy::{Finding, check};
use crate::task::{Compiled, Found, Ids, Judged, PatchOutcome, TaskKind};
use crate::worktree::{Place, ReadFile, Root, WorktreeError};

/// A file that was found, and whose edits fit or do not. That they do not is told only after what the caller knows of the
/// file: that it changed says more.
pub(super) enum Attempt {
    Compiled(Compiled),
    Failed { found: Found, error: Error },
}

impl Attempt {
    pub(super) fn found(&self) -> &Found {
        match self {
            Self::Compiled(compiled) => &compiled.found,
            Self::Failed { found, .. } => found,
        }
    }

    /// The texts that the file has an id for.
    fn texts(&self) -> Texts<'_> {
        let after = match self {
            Self::Compiled(compiled) => compiled.after.as_deref(),
            Self::Failed { .. } => None,
        };
        Texts { before: self.found().base.as_ref().map(|base| &base.bytes[..]), after }
    }
}

struct Texts<'a> {
    before: Option<&'a [u8]>,
    after: Option<&'a [u8]>,
}

impl Flow<'_> {
    /// Looks at the files of all tasks.
    pub(super) fn look_all(&self, root: &Root, tasks: &[Task<'_>]) -> Result<Vec<Judged>, Error> {
        let mut failed = None;
        let tried = tasks.iter().map_while(|task| self.attempt(root, task).map_err(|error| failed = Some(error)).ok());
        let tried: Vec<Attempt> = tried.collect();
        // All texts are hashed at once, which several processors share.
        let ids = ids(&tried);
        let judged = tasks.iter().zip(tried).zip(ids).map(|((task, tried), ids)| self.judge(task, tried, ids));
        let judged = judged.collect::<Result<Vec<Judged>, Error>>()?;
        // What is wrong with an earlier file comes first.
        failed.map_or(Ok(()), Err)?;
        refuse_same_file(root, &judged)?;
        Ok(judged)
    }

    /// Looks at everything again under the lock. A file that looks the same keeps its patch, with the new handle.
    pub(super) fn look_again(
        &self,
        root: &Root,
        tasks: &[Task<'_>],
        judged: Vec<Judged>,
    ) -> Result<Vec<Judged>, Error> {
        let mut again = Vec::with_capacity(judged.len());
        for (task, mut old) in tasks.iter().zip(judged) {
            let Places { place, from } = self.places(root, task)?;
            let now = from.as_ref().unwrap_or(&place).seen();
            let is_same = match (old.planned.base_meta(), &now) {
                (Some(base), Some(now)) => base.looks_like(now),
                (None, None) => true,
                _ => false,
            };
            let target_is_free = from.is_none() || !root.is_taken(&place)?;
            if is_same && target_is_free && place.path == old.planned.place.path {
                old.planned.place = place;
                old.planned.from = from;
                // The number of its links is as it is now, not as a killed run's backup made it look.
                if let (Some(base), Some(now)) = (&mut old.planned.base, now) {
                    base.file.meta = now;
                }
                again.push(old);
            } else {
                again.push(self.look(root, task)?);
            }
        }
        refuse_same_file(root, &again)?;
        Ok(again)
    }

    fn look(&self, root: &Root, task: &Task<'_>) -> Result<Judged, Error> {
        let tried = self.attempt(root, task)?;
        let Texts { before, after } = tried.texts();
        let ids = Ids { before: before.map(crate::git::blob_id), after: after.map(crate::git::blob_id) };
        self.judge(task, tried, ids)
    }

    /// Finds a file and compiles its edits.
    fn attempt(&self, root: &Root, task: &Task<'_>) -> Result<Attempt, Error> {
        let mut found = self.find(root, task)?;
        // The text is lent to the compiler and given back, never copied.
        let bytes = found.base.as_mut().map(|base| std::mem::take(&mut base.bytes)).unwrap_or_default();
        let formats = FileFormats { repo: self.repo, settings: self.settings, root, group: self.group };
        let text = match &found.base {
            Some(_) => BaseText::new(bytes, &found.source().path, formats, task)?,
            None => BaseText::empty(),
        };
        let compiled = text.compile(task, &found, formats);
        let is_kept = found.change != ChangeKind::Delete;
        let applied = |(outcome, encoding): (PatchOutcome, _)| -> Result<_, Error> {
            if !is_kept {
                return Ok((None, outcome, encoding));
            }
            // What was written can be read again, and taken back.
            let (size, limit) = (outcome.patch.result_len() as u64, root.max_file_size);
            if size > limit {
                let path = found.source().path.to_string_lossy();
                return Err(WorktreeError::ResultTooLarge { path, size, limit }.into());
            }
            Ok((Some(outcome.patch.apply(text.raw())), outcome, encoding))
        };
        let compiled = compiled.and_then(applied);
        if let Some(base) = &mut found.base {
            base.bytes = text.into_raw();
        }
        Ok(match compiled {
            Ok((after, mut outcome, encoding)) => {
                outcome.mode = outcome.mode.or_else(|| task.mode(&found));
                let overruled = task.overruled(&found, after.as_deref(), encoding);
                Attempt::Compiled(Compiled { found, outcome, after, encoding, overruled })
            }
            Err(error) => Attempt::Failed { found, error },
        })
    }

    /// Reads a file, and refuses what is not as its task wants it.
    fn find(&self, root: &Root, task: &Task<'_>) -> Result<Found, Error> {
        let Places { place, from } = self.places(root, task)?;
        let source = from.as_ref().unwrap_or(&place);
        for place in [Some(&place), from.as_ref()].into_iter().flatten() {
            self.refuse_submodule(place)?;
        }
        if matches!(task.kind, TaskKind::Delete | TaskKind::Rename) {
            refuse_link(self.repo, task.from.as_ref().unwrap_or(&task.path), source)?;
        }
        let base = root.read(source)?;
        if from.is_some() && root.is_taken(&place)? {
            return Err(WorktreeError::Exists(place.path.to_string_lossy()).into());
        }
        let change = change(task.kind, base.as_ref(), source)?;
        Ok(Found { place, from, change, base })
    }

    fn places(&self, root: &Root, task: &Task<'_>) -> Result<Places, Error> {
        let place = self.place(root, &task.path)?;
        let from = task.from.as_ref().map(|from| self.place(root, from)).transpose()?;
        Ok(Places { place, from })
    }

    /// The place of a path, inside the sandbox and where the policy allows it, by its name and by what it leads to.
    fn place(&self, root: &Root, path: &RepoPath) -> Result<Place, Error> {
        check::policy(self.settings, path)?;
        let place = root.place(path)?;
        if place.path != *path {
            check::policy(self.settings, &place.path)?;
        }
        if let Some(sandbox) = self.sandbox
            && !place.path.is_below(sandbox)
        {
            return Err(Finding::OutsideRoot(place.path.to_string_lossy(), sandbox.to_string_lossy()).into());
        }
        Ok(place)
    }

    /// A submodule that is not checked out is an empty directory, or none: only HEAD knows of it.
    fn refuse_submodule(&self, place: &Place) -> Result<(), Error> {
        match self.repo.head_lookup(&place.path)? {
            HeadLookup::Submodule(above) => {
                Err(WorktreeError::Submodule(place.path.to_string_lossy(), above.to_string_lossy()).into())
            }
            HeadLookup::File(_) | HeadLookup::Missing => Ok(()),
        }
    }
}

/// The places of a task's paths.
struct Places {
    place: Place,
    from: Option<Place>,
}

/// What really happens to a file.
fn change(kind: TaskKind, base: Option<&ReadFile>, source: &Place) -> Result<ChangeKind, WorktreeError> {
    let shown = || source.path.to_string_lossy();
    match (kind, base) {
        (TaskKind::Create { overwrite: false }, Some(_)) => Err(WorktreeError::Exists(shown())),
        (TaskKind::Create { .. }, None) => Ok(ChangeKind::Create),
        (_, None) => Err(WorktreeError::NoSuchFile(shown())),
        (TaskKind::Create { .. } | TaskKind::Modify, Some(_)) => Ok(ChangeKind::Modify),
        (TaskKind::Delete, Some(_)) => Ok(ChangeKind::Delete),
        (TaskKind::Rename, Some(_)) => Ok(ChangeKind::Rename),
    }
}

/// The ids of all texts, file by file.
fn ids(tried: &[Attempt]) -> Vec<Ids> {
    let texts: Vec<Texts<'_>> = tried.iter().map(Attempt::texts).collect();
    let flat: Vec<&[u8]> = texts.iter().flat_map(|texts| [texts.before, texts.after]).flatten().collect();
    let mut ids = blob_ids(&flat).into_iter();
    let of_file = |texts: &Texts<'_>| Ids {
        before: texts.before.and_then(|_| ids.next()),
        after: texts.after.and_then(|_| ids.next()),
    };
    texts.iter().map(of_file).collect()
}
