//! What several records did to files as a whole: from before the first to after the last of them, without what others did in between.
//!
//! Owns telling the two apart. All changes of a file, those of others between the records too, are composed into one patch of the text
//! before the first; what only others wrote belongs to both sides of the diff.
//! An undo of what is meant is meant, too: what was taken back is no difference.

use super::diff::patch_between;
use crate::change::ChangeKind;
use crate::git::blob_id;
use crate::history::error::HistoryError;
use crate::history::reader::{History, Item, Scope};
use crate::history::selection::{Selection, Shared};
use crate::history::store::index_file::Filter;
use crate::id::RecordId;
use crate::patch::algebra::compose;
use crate::patch::{DiffFile, DiffLimits, FilePatch, Origin, Splice, preview};
use crate::path::RepoPath;
use crate::record::{RecordClass, RecordFile};
use crate::strategy::Strategy;
use crate::text::Encoding;
use std::collections::HashSet;

/// What records did as a whole.
#[derive(Debug, Default)]
pub struct Together {
    /// A unified diff.
    pub text: String,
    /// The files in which others changed the same lines in between; what they did there stands in the diff, too.
    pub mixed: Vec<RepoPath>,
    /// The files that are left out, as not all of their texts are kept.
    pub left_out: Vec<RepoPath>,
}

/// One file on its way through the records.
struct Course {
    /// What it was called before the first.
    first_path: RepoPath,
    /// What it is called now.
    path: RepoPath,
    /// None where there was no file.
    before: Option<Vec<u8>>,
    /// None where there is none now.
    now: Option<Vec<u8>>,
    /// From the one to the other, also where one is none.
    patch: FilePatch,
    /// Whether it may be run, before and now.
    modes: (Option<u32>, Option<u32>),
    encoding: Option<Encoding>,
    is_whole: bool,
}

/// What is tagged as written by the records that are meant, and by others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum By {
    Meant,
    Others,
}

/// The same patch, of this origin alone.
fn tagged(patch: &FilePatch, by: By) -> FilePatch {
    let origin = vec![Origin { edit: usize::from(by == By::Meant), strategy: Strategy::Exact }];
    let splices = patch.splices().iter().map(|splice| Splice { origin: origin.clone(), ..splice.clone() });
    FilePatch::new(patch.base_len(), splices.collect()).expect("only the origins are others")
}

fn is_of(splice: &Splice, by: By) -> bool {
    splice.origin.iter().any(|origin| origin.edit == usize::from(by == By::Meant))
}

/// The diff of the records that are selected, of this worktree.
///
/// # Errors
/// [`HistoryError::NothingToUndo`] where there are none, [`HistoryError::TurnOfSeveral`]; where the log, or one of them, is damaged.
pub fn diff_of_several(history: &History<'_>, selection: &Selection) -> Result<Together, HistoryError> {
    let mut items: Vec<Item> = Vec::new();
    for one in selection.since(history, Scope::Own, Filter::default())? {
        items.push(one?.0);
    }
    items.reverse();
    let mut meant: HashSet<RecordId> = HashSet::new();
    let mut is_meant = |item: &Item| {
        let record = &item.record;
        let is_back = matches!(record.kind, RecordClass::Undo | RecordClass::Redo);
        let is_meant = if is_back {
            !record.meta.undoes.is_empty() && record.meta.undoes.iter().all(|id| meant.contains(id))
        } else {
            selection.is_by(&record.meta, Shared::Left)
        };
        is_meant && meant.insert(record.id.clone())
    };
    items.retain(|item| is_meant(item));
    selection.refuse_turns_of_several(items.iter().filter(|item| is_edit(item)).map(|item| &item.record.meta))?;
    if items.is_empty() {
        return Err(HistoryError::NoneSelected);
    }
    let mut courses: Vec<Course> = Vec::new();
    for item in &items {
        let record = history.full(item)?;
        for (n, file) in record.files.iter().enumerate() {
            let texts = history.texts(item, &record, n)?;
            let patch = file.patch(&texts);
            let sides = (texts.before().map(<[u8]>::to_vec), texts.after().map(<[u8]>::to_vec));
            let at = course_of(&courses, file).unwrap_or_else(|| {
                courses.push(Course::new(file, sides.0.clone()));
                courses.len() - 1
            });
            let is_whole = sides.0.is_some() == file.before.is_some() && sides.1.is_some() == file.after.is_some();
            courses[at].is_whole &= is_whole;
            courses[at].go_on(file, sides, patch);
        }
    }
    let mut together = Together::default();
    courses.into_iter().for_each(|course| course.add_to(&mut together));
    Ok(together)
}

fn is_edit(item: &Item) -> bool {
    matches!(item.record.kind, RecordClass::Edit | RecordClass::External)
}

/// The file's course so far; of several that had its name the one that is there.
fn course_of(courses: &[Course], file: &RecordFile) -> Option<usize> {
    let path = file.from.as_ref().unwrap_or(&file.path);
    let of_path =
        |is_there: bool| courses.iter().rposition(|course| course.path == *path && course.now.is_some() == is_there);
    of_path(true).or_else(|| of_path(false))
}

impl Course {
    fn new(file: &RecordFile, before: Option<Vec<u8>>) -> Self {
        let path = file.from.as_ref().unwrap_or(&file.path).clone();
        let patch = FilePatch::unchanged(before.as_ref().map_or(0, Vec::len));
        Self {
            first_path: path.clone(),
            path,
            now: before.clone(),
            before,
            patch,
            modes: (file.mode_before, file.mode_before),
            encoding: None,
            is_whole: true,
        }
    }

    /// Takes the next record in, which is meant, and what others did before it.
    fn go_on(
        &mut self,
        file: &RecordFile,
        (before, after): (Option<Vec<u8>>, Option<Vec<u8>>),
        patch: Option<FilePatch>,
    ) {
        if self.now != before {
            match (&self.now, &before) {
                (Some(now), Some(before)) => {
                    self.patch = compose(&self.patch, &tagged(&patch_between(now, before), By::Others));
                }
                // Others removed it, or put one there.
                _ => self.restart(before.clone()),
            }
        }
        let patch = match (&before, &after) {
            (Some(_), Some(_)) => patch,
            (Some(before), None) => Some(FilePatch::whole(before.len(), Vec::new())),
            (None, after) => {
                let kept = self.without();
                self.before = self.before.is_some().then(|| kept.clone());
                self.patch = FilePatch::unchanged(kept.len());
                Some(patch_between(&kept, after.as_deref().unwrap_or_default()))
            }
        };
        match patch {
            Some(patch) => self.patch = compose(&self.patch, &tagged(&patch, By::Meant)),
            None => self.is_whole = false,
        }
        self.now = after;
        self.path = file.path.clone();
        self.modes.1 = file.mode_after.or(self.modes.1);
        self.encoding = file.encoding.or(self.encoding);
    }

    fn restart(&mut self, before: Option<Vec<u8>>) {
        self.patch = FilePatch::unchanged(before.as_ref().map_or(0, Vec::len));
        self.before = before;
        self.first_path = self.path.clone();
    }

    /// The text before, with what others did to it since.
    fn without(&self) -> Vec<u8> {
        let before = self.before.as_deref().unwrap_or_default();
        let others = self.patch.splices().iter().filter(|splice| !is_of(splice, By::Meant)).cloned();
        FilePatch::new(before.len(), others.collect()).map_or_else(|_| before.to_vec(), |others| others.apply(before))
    }

    fn add_to(self, together: &mut Together) {
        let without = self.without();
        let now = self.now.as_deref().unwrap_or_default();
        let (is_renamed, has_other_mode) = (self.first_path != self.path, runs(self.modes.0) != runs(self.modes.1));
        let change = match (&self.before, &self.now) {
            (None, None) => return,
            (None, Some(_)) => ChangeKind::Create,
            (Some(_), None) => ChangeKind::Delete,
            (Some(_), Some(_)) if is_renamed => ChangeKind::Rename,
            (Some(_), Some(_)) if without == now && !has_other_mode => return,
            (Some(_), Some(_)) => ChangeKind::Modify,
        };
        if !self.is_whole {
            together.left_out.push(self.path);
            return;
        }
        if self.patch.splices().iter().any(|splice| is_of(splice, By::Meant) && is_of(splice, By::Others)) {
            together.mixed.push(self.path.clone());
        }
        let read = self.encoding.and_then(|encoding| {
            let read = |text| Some(encoding.decode_marked(text)?.into_bytes());
            Some((read(&without)?, read(now)?))
        });
        let (from, to) = read.as_ref().map_or((&without[..], now), |(from, to)| (from, to));
        let shown = DiffFile {
            path: &self.path,
            from: Some(&self.first_path).filter(|_| change == ChangeKind::Rename),
            change,
            mode: if runs(self.modes.1) == Some(true) { 0o100_755 } else { 0o100_644 },
            before_id: self.before.as_ref().map(|_| blob_id(&without)),
            after_id: self.now.as_ref().map(|now| blob_id(now)),
            base: from,
            patch: &patch_between(from, to),
        };
        together.text.push_str(&preview(&[shown], DiffLimits { lines: 0, bytes: 0 }).text);
    }
}

fn runs(mode: Option<u32>) -> Option<bool> {
    mode.map(|mode| mode & 0o111 != 0)
}
