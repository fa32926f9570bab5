//! What several records did to files as a whole: from before the first to after the last of them, without what others did in between.
//!
//! Owns telling the two apart. Beside the text as it was, the text is kept as it would be without the records: what others did in between
//! is done to that one, too, where it touches no line of theirs.
//! An undo of what is meant is meant, too: what was taken back is no difference.

use super::diff::{FileDiff, patch_between};
use super::hunks::git_mode;
use crate::change::ChangeKind;
use crate::git::blob_id;
use crate::history::error::HistoryError;
use crate::history::in_force::FileEffect;
use crate::history::reader::{History, Item, Scope};
use crate::history::selection::{Selection, Wanted};
use crate::id::RecordId;
use crate::patch::diff::differing_lines;
use crate::patch::{DiffFile, DiffLimits, FilePatch, Origin, Replacement, preview};
use crate::path::RepoPath;
use crate::record::{RecordClass, RecordFile};
use crate::strategy::Strategy;
use crate::text::Encoding;
use std::collections::HashSet;
use std::ops::Range;

/// What records did as a whole.
#[derive(Debug, Default)]
pub struct Together {
    /// The unified diffs of the files.
    pub files: Vec<FileDiff>,
    /// The files in which others changed the same lines in between; what they did there stands in the diff, too.
    pub mixed: Vec<RepoPath>,
    /// The files that are left out, as not all of their texts are kept.
    pub left_out: Vec<RepoPath>,
    /// The records that are left out, as one of several calls made them, of which not all are meant.
    pub shared: Vec<RecordId>,
}

/// One file on its way through the records.
struct Course {
    /// What it was called before the first.
    first_path: RepoPath,
    /// What it is called now.
    path: RepoPath,
    /// As it would be without the records; none where there would be no file.
    without: Option<Vec<u8>>,
    /// None where there is none now.
    now: Option<Vec<u8>>,
    /// Permission bits, before and now.
    modes: (Option<u32>, Option<u32>),
    encoding: Option<Encoding>,
    is_mixed: bool,
    is_whole: bool,
}

/// The diff of the records that are selected, of this worktree.
///
/// # Errors
/// [`HistoryError::NoneSelected`], [`HistoryError::TurnOfSeveral`]; where the log, or one of them, is damaged.
pub fn diff_of_several(history: &History<'_>, selection: &Selection) -> Result<Together, HistoryError> {
    let Meant { items, shared, gone } = Meant::of(history, selection)?;
    if items.is_empty() {
        return Err(HistoryError::NoneSelected(shared));
    }
    let mut courses: Vec<Course> = Vec::new();
    for item in &items {
        let record = history.full(item)?;
        let is_there = |(n, _): &(usize, &RecordFile)| !gone.contains(&(record.id.clone(), *n));
        for (n, file) in record.files.iter().enumerate().filter(is_there) {
            let texts = history.texts(item, &record, n)?;
            let sides = (texts.before().map(<[u8]>::to_vec), texts.after().map(<[u8]>::to_vec));
            let at = course_of(&courses, file).unwrap_or_else(|| {
                courses.push(Course::new(file, sides.0.clone()));
                courses.len() - 1
            });
            let is_whole = sides.0.is_some() == file.before.is_some() && sides.1.is_some() == file.after.is_some();
            courses[at].is_whole &= is_whole;
            courses[at].go_on(file, sides);
        }
    }
    let mut together = Together { shared, ..Together::default() };
    courses.into_iter().for_each(|course| course.add_to(&mut together));
    Ok(together)
}

/// The records that are meant.
struct Meant {
    /// Oldest first, their undos and redos with them.
    items: Vec<Item>,
    /// Those that may be meant.
    shared: Vec<RecordId>,
    /// The files of these that an undo of theirs and of others' records took back, each by its place in the record: with what that did, they are
    /// nothing.
    gone: HashSet<(RecordId, usize)>,
}

impl Meant {
    fn of(history: &History<'_>, selection: &Selection) -> Result<Self, HistoryError> {
        let (mut sure, mut shared, mut undone) = (HashSet::new(), Vec::new(), Vec::new());
        for (item, effect, is_sure) in selection.edits(history)? {
            if !is_sure {
                shared.push(item.record.id);
                continue;
            }
            for (n, file) in effect.files.into_iter().enumerate() {
                if let FileEffect::Undone(by) = file {
                    undone.push(((item.record.id.clone(), n), by));
                }
            }
            sure.insert(item.record.id);
        }
        let mut items: Vec<Item> = Vec::new();
        for one in selection.since(history, Scope::Own, Wanted::Meant)? {
            items.push(one?.0);
        }
        items.reverse();
        items.retain(|item| {
            let record = &item.record;
            let undoes = &record.meta.undoes;
            if is_back(item) && !undoes.is_empty() && undoes.iter().all(|id| sure.contains(id)) {
                sure.insert(record.id.clone());
            }
            sure.contains(&record.id)
        });
        let mut gone: HashSet<(RecordId, usize)> =
            undone.into_iter().filter(|(_, by)| !sure.contains(by)).map(|(file, _)| file).collect();
        // What took such a file back and forth before is nothing, too.
        for item in items.iter().filter(|item| is_back(item)) {
            for n in 0..item.record.files.len() {
                let mut of = item.record.meta.inverted_in(n).map(|target| (target.id.clone(), target.file)).peekable();
                if of.peek().is_some() && of.all(|file| gone.contains(&file)) {
                    gone.insert((item.record.id.clone(), n));
                }
            }
        }
        Ok(Self { items, shared, gone })
    }
}

/// Whether it is an undo or redo.
fn is_back(item: &Item) -> bool {
    matches!(item.record.kind, RecordClass::Undo | RecordClass::Redo)
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
        Self {
            first_path: path.clone(),
            path,
            now: before.clone(),
            without: before,
            modes: (file.mode_before, file.mode_before),
            encoding: None,
            is_mixed: false,
            is_whole: true,
        }
    }

    /// Takes the next record in, which is meant, and what others did before it.
    fn go_on(&mut self, file: &RecordFile, (before, after): (Option<Vec<u8>>, Option<Vec<u8>>)) {
        match (&self.without, &self.now, &before) {
            (_, now, before) if now == before => {}
            (Some(without), Some(now), Some(before)) => {
                let beside = beside(without, now, before);
                self.is_mixed |= beside.is_mixed;
                self.without = Some(beside.text);
            }
            // Lines of a file that the records made.
            (None, Some(_), Some(_)) => self.is_mixed = true,
            // Others removed it, or put one there.
            _ => {
                self.without.clone_from(&before);
                self.first_path = self.path.clone();
            }
        }
        self.now = after;
        self.path = file.path.clone();
        self.modes.1 = file.mode_after.or(self.modes.1);
        self.encoding = file.encoding.or(self.encoding);
    }

    fn add_to(self, together: &mut Together) {
        let without = self.without.clone().unwrap_or_default();
        let now = self.now.as_deref().unwrap_or_default();
        let (is_renamed, has_other_mode) = (self.first_path != self.path, runs(self.modes.0) != runs(self.modes.1));
        let change = match (&self.without, &self.now) {
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
        if self.is_mixed {
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
            mode: git_mode(self.modes.1),
            mode_before: self.modes.0.map(|mode| git_mode(Some(mode))),
            before_id: self.without.as_ref().map(|_| blob_id(&without)),
            after_id: self.now.as_ref().map(|now| blob_id(now)),
            base: from,
            patch: &patch_between(from, to),
        };
        let shown = preview(&[shown], DiffLimits { lines: 0, bytes: 0 });
        let from = (change == ChangeKind::Rename).then_some(self.first_path);
        let lines = Some((shown.lines_added, shown.lines_removed));
        together.files.push(FileDiff { path: self.path, from, shown, lines });
    }
}

/// A text with what others did to another one.
struct Beside {
    text: Vec<u8>,
    /// Whether some of that is left out, as it touches lines in which the two differ.
    is_mixed: bool,
}

/// Does to `without` what others did to `now` when they made `then` of it.
fn beside(without: &[u8], now: &[u8], then: &[u8]) -> Beside {
    let written: Vec<(Range<usize>, Range<usize>)> = differing_lines(without, now);
    let (mut done, mut is_mixed) = (Vec::new(), false);
    for (Range { start, end }, made) in differing_lines(now, then) {
        let touches = |(_, now): &(Range<usize>, Range<usize>)| {
            now.start < end && start < now.end || (start < now.start && now.end < end)
        };
        if written.iter().any(touches) {
            is_mixed = true;
            continue;
        }
        // All that was written before it, what ends just there with it, has its place already.
        let place = |at: usize, is_end: bool| {
            let before = written.iter().rfind(|(_, now)| now.end <= at && !(is_end && now.start == at && start < at));
            before.map_or(at, |(without, now)| without.end + (at - now.end))
        };
        let range = place(start, false)..place(end, true);
        if range.start > range.end {
            is_mixed = true;
            continue;
        }
        let origin = Origin { edit: 0, strategy: Strategy::Exact };
        done.push(Replacement { range, bytes: then[made].to_vec() }.by(origin));
    }
    match FilePatch::new(without.len(), done) {
        Ok(patch) => Beside { text: patch.apply(without), is_mixed },
        Err(_) => Beside { text: without.to_vec(), is_mixed: true },
    }
}

fn runs(mode: Option<u32>) -> Option<bool> {
    mode.map(|mode| mode & 0o111 != 0)
}
