//! Files that the records of a git commit made, and that somebody else changed since: what of them is theirs.
//!
//! Owns when that can be told: the records made the file and all of it up to a text that the log has, and since then others only put whole
//! lines in or took whole lines out. What they put in stays out of the commit, what they took out is not there any more. Reads only.

use super::undo_files;
use crate::change::ChangeKind;
use crate::error::Error;
use crate::flow::{Flow, InPlace};
use crate::git::Repo;
use crate::history::{History, HistoryError, Item, LogQuery, Obstacle, UndoConflict};
use crate::id::RecordId;
use crate::patch::FilePatch;
use crate::patch::diff::differing_lines;
use crate::path::RepoPath;
use crate::policy::Settings;
use crate::record::Record;
use std::collections::{BTreeMap, BTreeSet};

/// Such files, and the records that made them, newest first.
#[derive(Default)]
pub(super) struct Created {
    pub files: Vec<InPlace>,
    pub records: Vec<Record>,
}

impl Created {
    /// Of the files that an undo would not remove, those of which it can be told what is of the records `items`.
    ///
    /// # Errors
    /// Where a file, HEAD or the log cannot be read.
    pub fn of(
        (repo, settings): (&Repo, &Settings),
        history: &History<'_>,
        items: &[&Item],
        conflicts: &[UndoConflict],
    ) -> Result<Self, Error> {
        let mut found = Self::default();
        let mut records: BTreeMap<usize, Record> = BTreeMap::new();
        let changed = conflicts.iter().filter(|conflict| conflict.why == Obstacle::ChangedSinceCreated);
        let names: BTreeSet<&str> = changed.map(|conflict| conflict.path.as_str()).collect();
        for name in names {
            let touches = |item: &Item| item.record.files.iter().any(|file| file.path.to_string_lossy() == name);
            let own: Vec<usize> = (0..items.len()).filter(|&n| touches(items[n])).collect();
            let Some(left) = left_by(history, name, (&own, items))? else { continue };
            if let Some(file) = in_place((repo, settings), left)? {
                found.files.push(file);
                for n in own {
                    records.insert(n, history.full(items[n])?);
                }
            }
        }
        found.records = records.into_values().collect();
        Ok(found)
    }
}

/// What records made of a file from nothing.
struct Left {
    path: RepoPath,
    text: Vec<u8>,
    /// The permission bits that they gave it last.
    mode: Option<u32>,
}

/// What these records, newest first, made of the path of that name; none where others had a hand in it, or it is not kept.
fn left_by(
    history: &History<'_>,
    name: &str,
    (own, items): (&[usize], &[&Item]),
) -> Result<Option<Left>, HistoryError> {
    let ids: Vec<&RecordId> = own.iter().map(|&n| &items[n].record.id).collect();
    let (Some(newest), Some(oldest)) = (own.first(), ids.last()) else { return Ok(None) };
    let (mut path, mut before, mut mode) = (None, None, None);
    for (at, &n) in own.iter().enumerate() {
        let record = history.full(items[n])?;
        let of_it: Vec<_> = record.files.iter().filter(|file| file.path.to_string_lossy() == name).collect();
        let [file] = of_it[..] else { return Ok(None) };
        let is_last = at + 1 == own.len();
        let is_step = file.from.is_none() && file.encoding.is_none() && (file.change == ChangeKind::Create) == is_last;
        // What came between two of them, and is in no record, would be taken for theirs.
        let leads_on = before.is_none_or(|before| file.after == Some(before));
        if !is_step || !leads_on || file.after.is_none() || file.change == ChangeKind::Delete {
            return Ok(None);
        }
        before = file.before;
        mode = mode.or(file.mode_after.filter(|_| file.mode_before != file.mode_after));
        path = Some(file.path.clone());
    }
    let Some(path) = path else { return Ok(None) };
    let query = LogQuery { paths: vec![path.clone()], ..LogQuery::default() };
    let mut all = Vec::new();
    for logged in query.run(history)? {
        let id = logged?.item.record.id;
        all.push(id.clone());
        if id == **oldest {
            break;
        }
    }
    // Others came behind all of them.
    let is_behind = all.len() >= ids.len() && all[all.len() - ids.len()..].iter().eq(ids.iter().copied());
    if !is_behind {
        return Ok(None);
    }
    let record = history.full(items[*newest])?;
    let Some(n) = record.files.iter().position(|file| file.path == path) else { return Ok(None) };
    let text = history.texts_if_whole(items[*newest], &record, n).after().map(<[u8]>::to_vec);
    Ok(text.map(|text| Left { path, text, mode }))
}

/// The file as it is of the records; none where that cannot be told, or HEAD has such a file.
fn in_place((repo, settings): (&Repo, &Settings), Left { path, text, mode }: Left) -> Result<Option<InPlace>, Error> {
    let root = Flow::open_root_of(repo, settings)?;
    if repo.head_entry(&path)?.is_some() {
        return Ok(None);
    }
    let Some(now) = undo_files::read(&root, &path)? else { return Ok(None) };
    let Some(after) = without_lines_of_others(&text, &now).filter(|after| !after.is_empty()) else { return Ok(None) };
    let patch = FilePatch::whole(0, after.clone());
    let (change, before) = (ChangeKind::Create, Vec::new());
    Ok(Some(InPlace {
        path,
        from: None,
        change,
        before,
        after,
        patch,
        mode,
        encoding: None,
        own_staged: None,
        made: Vec::new(),
    }))
}

/// What is left of a text, without the lines that were put in since; none where lines were put in place of its own, or moved.
fn without_lines_of_others(left: &[u8], now: &[u8]) -> Option<Vec<u8>> {
    let (mut kept, mut at) = (Vec::new(), 0);
    let (mut taken, mut put): (BTreeSet<&[u8]>, BTreeSet<&[u8]>) = Default::default();
    for (gone, new) in differing_lines(left, now) {
        if !gone.is_empty() && !new.is_empty() {
            return None;
        }
        kept.extend_from_slice(&left[at..gone.start]);
        at = gone.end;
        taken.extend(left[gone].split_inclusive(|&byte| byte == b'\n'));
        put.extend(now[new].split_inclusive(|&byte| byte == b'\n'));
    }
    kept.extend_from_slice(&left[at..]);
    taken.is_disjoint(&put).then_some(kept)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_were_put_in_are_left_out_and_what_was_changed_or_moved_is_not_told() {
        let of = |left: &str, now: &str| {
            without_lines_of_others(left.as_bytes(), now.as_bytes()).map(|text| String::from_utf8(text).expect("text"))
        };
        let text = "a\nb\nc\nd\n";
        assert_eq!(of(text, "x\na\nb\ny\nc\nd\nz\n").as_deref(), Some(text));
        assert_eq!(of(text, "a\nc\ny\nd\n").as_deref(), Some("a\nc\nd\n"));
        assert_eq!(of(text, text).as_deref(), Some(text));
        for now in ["a\nB\nc\nd\n", "b\nc\nd\na\n", "a\nb\nc\nd", "a\nb\nc\nd\ne", "a\nb2\nb\nC\nd\n"] {
            let told = of(text, now);
            assert!(told.is_none() || now == "a\nb\nc\nd\ne" && told.as_deref() == Some(text), "{now:?}: {told:?}");
        }
    }
}
