//! Puts records into history.git: many at once, as one pack.
//!
//! Owns the shape of a record's commit: `meta.json`, `before/<path>` and `after/<path>`, nothing else, so that its cost is
//! that of the edit, and `git diff ID:before ID:after` is the edit. Does not decide when.
//! Invariant: a record is reachable only when all its objects are written, and sealing it again changes nothing.

use crate::answer::Envelope;
use crate::git::{GitForm, GitForms, Ignores, Repo, blob_id};
use crate::history::error::HistoryError;
use crate::history::store::chain::Chain;
use crate::history::store::chain_reader::Appended;
use crate::history::store::pack::{DeltaStep, PackWriter};
use crate::history::store::repository::Store;
use crate::history::store::{chain_reader, log_index};
use crate::id::{BlobId, CommitId, RecordId, TreeId};
use crate::patch::{DiffFile, DiffLimits, preview};
use crate::path::RepoPath;
use crate::record::{LARGEST_KEPT, Record, RecordFile, RecordedTexts, TextsKept};
use crate::state_dir::Durability;
use crate::transaction::Intent;
use bstr::BString;
use std::collections::{BTreeMap, HashSet};

/// A record on its way into the history: what the journal has of it, and a way to its texts.
pub struct ToSeal<'a> {
    /// As the journal has it.
    pub intent: &'a Intent,
    /// Old and new text of one of its files, by index.
    pub texts: &'a dyn Fn(&RecordFile, usize) -> Result<RecordedTexts, HistoryError>,
}

/// What git's rules say of files, each looked up once for all records.
struct Rules<'r> {
    ignores: Ignores<'r>,
    forms: GitForms<'r>,
}

/// What was not as it should be when records were sealed.
#[derive(Debug, Default)]
pub struct Mended {
    /// The chains whose log index was damaged or out of date, and is written anew.
    pub indexes: Vec<Chain>,
    /// The files of records whose old text is lost: their backups were damaged or gone.
    pub lost: Vec<(RecordId, RepoPath)>,
    /// What else of history.git was damaged or missing, a sentence each.
    pub store: Vec<String>,
}

/// Seals records of one worktree, oldest first; those that are sealed already are left out.
///
/// # Errors
/// Where history.git cannot be made, read or written; then nothing is reachable that was not before.
pub fn seal(
    repo: &Repo,
    worktree: &str,
    records: &[ToSeal<'_>],
    durability: Durability,
) -> Result<Mended, HistoryError> {
    let store = Store::create(repo, durability)?.of_worktree(worktree);
    let mut mended = Mended { store: store.mended().to_vec(), ..Mended::default() };
    // Not while another worktree takes objects away.
    let _lock = store.lock()?;
    let known = newest_ids(&store, records.len())?;
    let fresh: Vec<&ToSeal<'_>> = records.iter().filter(|r| !known.contains(&r.intent.id)).collect();
    if fresh.is_empty() {
        return Ok(mended);
    }
    let mut pack = PackWriter::new();
    let mut rules = Rules { ignores: Ignores::new(repo), forms: GitForms::new(repo) };
    // 1. Blobs and trees, newest first: the newer text is the base of the older one's delta.
    let mut sealed: Vec<(Record, TreeId)> = Vec::with_capacity(fresh.len());
    for item in fresh.iter().rev() {
        let mut record = item.intent.record();
        for n in 0..record.files.len() {
            add_texts(&mut rules, &store, &mut pack, &mut record.files[n], |file| (item.texts)(file, n))?;
            if record.files[n].kept == TextsKept::Lost {
                mended.lost.push((record.id.clone(), record.files[n].path.clone()));
            }
        }
        if record.files.iter().any(|file| file.kept != TextsKept::Stored) {
            record.meta.answer = record.meta.answer.take().and_then(|answer| without_diff(&answer));
        }
        let tree = add_tree(&mut pack, &record);
        sealed.push((record, tree));
    }
    sealed.reverse();
    // 2. Commits, oldest first, each month on its own chain.
    let mut chains = store.chains()?;
    let before = chains.clone();
    let mut grown: BTreeMap<Chain, Vec<u8>> = BTreeMap::new();
    for (record, tree) in &sealed {
        let chain = chain_for(&store, &chains, record.time_ms)?;
        let parent = chains.get(&chain).copied();
        let commit = pack.add(&commit_bytes(record, *tree, parent));
        grown.entry(chain.clone()).or_default().extend(log_index::encode(commit, parent, record));
        chains.insert(chain, commit);
    }
    // 3. The pack, then the refs, then what is derived from them.
    pack.finish(&store.path().join("objects/pack"), durability)?;
    for (chain, entries) in grown {
        store.set_chain(&chain, chains[&chain], durability)?;
        match chain_reader::append(&store, &chain, before.get(&chain).copied(), &entries) {
            Appended::Rebuilt => mended.indexes.push(chain),
            Appended::AtItsEnd => {}
        }
    }
    Ok(mended)
}

/// An answer shows lines of its files; those of a file whose texts are not kept are not kept either.
fn without_diff(answer: &str) -> Option<String> {
    let envelope: Envelope = serde_json::from_str(answer).ok()?;
    if envelope.data.diff_preview.is_empty() {
        return Some(answer.to_owned());
    }
    serde_json::to_string(&envelope.without_diff()).ok()
}

/// The ids of the newest records of this worktree: those of a checkpoint that was interrupted are among as many as it had.
fn newest_ids(store: &Store, count: usize) -> Result<HashSet<RecordId>, HistoryError> {
    const MORE: usize = 64;
    let mut ids = HashSet::new();
    // A damaged record is none of those that are to be sealed, or it is sealed again.
    ids.extend(chain_reader::own(store)?.take(count + MORE).flatten().map(|sealed| sealed.record.id));
    Ok(ids)
}

/// The chain that a record belongs to: that of its month, or the newest one where the clock went back.
fn chain_for(store: &Store, chains: &BTreeMap<Chain, CommitId>, time_ms: i64) -> Result<Chain, HistoryError> {
    let month = month_of(time_ms);
    let newest = chains.keys().filter(|chain| store.is_own(chain)).map(|chain| chain.month.clone()).max();
    let month = newest.filter(|newest| *newest > month).unwrap_or(month);
    store.chain(&month).ok_or_else(|| HistoryError::Damaged("history.git has no name".to_owned()))
}

/// `yyyy-mm`, in UTC.
pub(crate) fn month_of(time_ms: i64) -> String {
    let time = jiff::Timestamp::from_millisecond(time_ms).unwrap_or_default();
    time.strftime("%Y-%m").to_string()
}

fn add_texts(
    rules: &mut Rules<'_>,
    store: &Store,
    pack: &mut PackWriter,
    file: &mut RecordFile,
    texts: impl FnOnce(&RecordFile) -> Result<RecordedTexts, HistoryError>,
) -> Result<(), HistoryError> {
    if let Some(kept) = kept_when_sealed(&mut rules.ignores, file)? {
        file.kept = kept;
        return Ok(());
    }
    let texts = texts(file)?;
    let Some((before, after)) = texts.both(file) else {
        file.kept = TextsKept::Lost;
        return Ok(());
    };
    // The texts are those of the ids: each was compared with its own.
    if let Some(id) = file.after {
        file.git_after = git_id(&mut rules.forms, &file.path, (id, after));
        if !pack.has(id) && !store.has(id)? {
            pack.add::<BlobId>(after);
        }
    }
    if let Some(id) = file.before {
        let old_path = file.from.as_ref().unwrap_or(&file.path);
        file.git_before = git_id(&mut rules.forms, old_path, (id, before));
        if !store.has(id)? {
            let steps = delta(file, before, after.len());
            let made = file.after.is_some_and(|base| pack.add_delta(id, before.len(), base, after.len(), &steps));
            if !made {
                pack.add::<BlobId>(before);
            }
        }
    }
    file.lines = Some(count_lines(file, &texts));
    Ok(())
}

/// Why the texts of a file are not for the history; none where they are.
pub(crate) fn kept_when_sealed(
    ignores: &mut Ignores<'_>,
    file: &RecordFile,
) -> Result<Option<TextsKept>, HistoryError> {
    let is_ignored = file.state == Some(crate::change::PathState::Ignored)
        || ignores.is_ignored(&file.path)?
        || file.from.as_ref().map(|from| ignores.is_ignored(from)).transpose()?.unwrap_or(false);
    if is_ignored {
        return Ok(Some(TextsKept::Ignored));
    }
    let is_large = file.splices.before_len().max(file.splices.after_len()) > LARGEST_KEPT;
    Ok(is_large.then_some(TextsKept::Large))
}

/// The text before, from the text after: what the splices left is copied, what they removed is put in.
fn delta<'a>(file: &RecordFile, before: &'a [u8], after_len: usize) -> Vec<DeltaStep<'a>> {
    let mut steps = Vec::new();
    let mut at = 0;
    for splice in file.splices.ranges() {
        steps.push(DeltaStep::Copy(at, splice.after.start - at));
        steps.push(DeltaStep::Insert(&before[splice.before.clone()]));
        at = splice.after.end;
    }
    steps.push(DeltaStep::Copy(at, after_len - at));
    steps
}

/// The id that git has for a text with an id of its own.
fn git_id(forms: &mut GitForms<'_>, path: &RepoPath, (id, raw): (BlobId, &[u8])) -> Option<BlobId> {
    match forms.of(path, raw) {
        Ok(GitForm::Same) => Some(id),
        Ok(GitForm::Converted(bytes)) => Some(blob_id(&bytes)),
        // A conversion that fails tells nothing about the edit, which is done.
        Ok(GitForm::Filtered) | Err(_) => None,
    }
}

/// Lines added and removed, as the diff shows them.
fn count_lines(file: &RecordFile, texts: &RecordedTexts) -> (usize, usize) {
    let read = file.readable(texts);
    let (file, texts) = read.as_ref().map_or((file, texts), |(file, texts)| (file, texts));
    let Some(patch) = file.patch(texts) else { return (0, 0) };
    let shown = DiffFile {
        path: &file.path,
        from: file.from.as_ref(),
        change: file.change,
        mode: 0o100_644,
        mode_before: None,
        before_id: file.before,
        after_id: file.after,
        base: texts.before().unwrap_or_default(),
        patch: &patch,
    };
    let preview = preview(&[shown], DiffLimits { lines: 0, bytes: 0 });
    (preview.lines_added, preview.lines_removed)
}

/// A folder of a tree in the making.
#[derive(Default)]
struct Folder {
    files: BTreeMap<BString, (u32, BlobId)>,
    folders: BTreeMap<BString, Self>,
}

impl Folder {
    fn insert(&mut self, path: &RepoPath, mode: u32, id: BlobId) {
        let mut at = self;
        let mut components = path.components().peekable();
        while let Some(name) = components.next() {
            if components.peek().is_none() {
                at.files.insert(name.to_owned(), (mode, id));
                return;
            }
            at = at.folders.entry(name.to_owned()).or_default();
        }
    }

    fn add(&self, pack: &mut PackWriter) -> TreeId {
        // Git sorts folders as if their names ended in a slash.
        let mut rows: Vec<(Vec<u8>, Vec<u8>)> = Vec::new();
        for (name, (mode, id)) in &self.files {
            rows.push((name.to_vec(), row(*mode, name, id.as_bytes())));
        }
        for (name, folder) in &self.folders {
            let id = folder.add(pack);
            rows.push(([&name[..], b"/"].concat(), row(0o40000, name, id.as_bytes())));
        }
        rows.sort();
        let bytes: Vec<u8> = rows.into_iter().flat_map(|(_, row)| row).collect();
        pack.add(&bytes)
    }
}

fn row(mode: u32, name: &[u8], id: &[u8; 20]) -> Vec<u8> {
    let mut out = format!("{mode:o} ").into_bytes();
    out.extend_from_slice(name);
    out.push(0);
    out.extend_from_slice(id);
    out
}

fn add_tree(pack: &mut PackWriter, record: &Record) -> TreeId {
    let meta = pack.add(&record.encode());
    let (mut before, mut after) = (Folder::default(), Folder::default());
    for file in record.files.iter().filter(|file| file.kept == TextsKept::Stored) {
        let mode = |bits: Option<u32>| if bits.is_some_and(|bits| bits & 0o111 != 0) { 0o100_755 } else { 0o100_644 };
        if let Some(id) = file.before {
            before.insert(file.from.as_ref().unwrap_or(&file.path), mode(file.mode_before), id);
        }
        if let Some(id) = file.after {
            after.insert(&file.path, mode(file.mode_after), id);
        }
    }
    let mut root = Folder::default();
    root.files.insert("meta.json".into(), (0o100_644, meta));
    root.folders.insert("before".into(), before);
    root.folders.insert("after".into(), after);
    root.add(pack)
}

/// Adds tree and commit of a record whose texts are in the store already.
pub(crate) fn add_record(pack: &mut PackWriter, record: &Record, parent: Option<CommitId>) -> CommitId {
    let tree = add_tree(pack, record);
    pack.add(&commit_bytes(record, tree, parent))
}

fn commit_bytes(record: &Record, tree: TreeId, parent: Option<CommitId>) -> Vec<u8> {
    let who: String =
        record.meta.agent.as_deref().unwrap_or("redraft").chars().filter(|c| !"<>\n\0".contains(*c)).collect();
    let who = if who.trim().is_empty() { "redraft" } else { who.trim() };
    let signature = format!("{who} <redraft@localhost> {} +0000", record.time_ms.div_euclid(1000));
    let mut out = format!("tree {tree}\n");
    if let Some(parent) = parent {
        out.push_str(&format!("parent {parent}\n"));
    }
    out.push_str(&format!("author {signature}\ncommitter {signature}\n\n{}", message(record)));
    out.into_bytes()
}

/// Subject, the request's own message, and redraft's trailers: the last block counts, and nothing above it looks like it.
fn message(record: &Record) -> String {
    let meta = &record.meta;
    let mut out = format!("{}\n\n", record.subject());
    if let Some(message) = meta.message.as_deref().filter(|message| !message.trim().is_empty()) {
        for line in message.trim_end().lines() {
            let indent = if looks_like_trailer(line) { "    " } else { "" };
            out.push_str(&format!("{indent}{}\n", line.replace('\0', "\u{fffd}")));
        }
        out.push('\n');
    }
    let kind = serde_json::to_value(record.kind).ok().and_then(|kind| kind.as_str().map(ToOwned::to_owned));
    let undoes = record.meta.undoes.iter().map(|id| ("Redraft-Undoes", Some(id.to_string())));
    let text = |id: Option<CommitId>| id.map(|id| id.to_string());
    let rows = [
        ("Redraft-Id", Some(record.id.to_string())),
        ("Redraft-Kind", kind),
        ("Redraft-Agent", meta.agent.clone()),
        ("Redraft-Model", meta.model.clone()),
        ("Redraft-Session", meta.session.clone()),
        ("Redraft-Turn", meta.turn.clone()),
        ("Redraft-Subagent", meta.subagent.clone()),
        ("Redraft-Call", meta.call_id.clone()),
        ("Redraft-Base", text(meta.base)),
        ("Redraft-Commit", text(meta.commit)),
        ("Redraft-Stash", text(meta.stash)),
    ];
    for (key, value) in rows.into_iter().chain(undoes) {
        if let Some(value) = value {
            let value: String = value.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
            out.push_str(&format!("{key}: {value}\n"));
        }
    }
    out
}

/// Whether git could take the line for a trailer.
pub(crate) fn looks_like_trailer(line: &str) -> bool {
    let Some((key, _)) = line.split_once(':') else { return line.starts_with("(cherry picked from commit ") };
    let key = key.trim_end();
    !key.is_empty() && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
}
