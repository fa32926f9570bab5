//! Every decoder of stored bytes, fed with damaged ones: it refuses them or gives a value that holds what its type promises,
//! and never panics.
//!
//! The mutations are the same in every run. `REDRAFT_FUZZ_SECONDS=N` goes on for N seconds with each decoder.

use crate::change::{ChangeKind, PathState};
use crate::git::blob_id;
use crate::history::store::log_index;
use crate::history::{CommitsOfRecords, ReviewMarks};
use crate::id::{BlobId, CommitId, RecordId};
use crate::patch::{FilePatch, Origin, Splice};
use crate::path::RepoPath;
use crate::policy::Receipt;
use crate::record::{Record, RecordClass, RecordMeta, RecordedTexts, Target};
use crate::request::RecordKind;
use crate::strategy::Strategy;
use crate::transaction::{Intent, IntentFile, intent_splices, parse};
use std::time::{Duration, Instant};

/// Of each decoder, where no time is given.
const ROUNDS: usize = 4_000;

/// Pseudo-random numbers, the same in every run (xorshift).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }
}

/// Numbers at which arithmetic goes wrong.
const NUMBERS: [&str; 9] = [
    "0",
    "1",
    "-1",
    "4294967295",
    "9223372036854775807",
    "9223372036854775808",
    "18446744073709551615",
    "1e400",
    "99999999999999999999999999",
];

/// Bytes with a few things wrong.
fn mutated(random: &mut Random, corpus: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = corpus[random.below(corpus.len())].clone();
    for _ in 0..=random.below(3) {
        let at = random.below(bytes.len());
        let end = (at + random.below(24)).min(bytes.len());
        match random.below(9) {
            0 | 1 if !bytes.is_empty() => bytes[at] ^= 1 << random.below(8),
            2 if !bytes.is_empty() => bytes[at] = random.next() as u8,
            3 => bytes.truncate(at),
            4 => drop(bytes.drain(at..end)),
            5 => {
                let part = bytes[at..end].to_vec();
                bytes.splice(at..at, part);
            }
            6 => {
                let other = &corpus[random.below(corpus.len())];
                let from = random.below(other.len());
                let to = (from + random.below(40)).min(other.len());
                bytes.splice(at..end, other[from..to].iter().copied());
            }
            7 if at + 4 <= bytes.len() => {
                let number = [0, 1, 15, 0x7fff_ffff, u32::MAX, u32::MAX - 8][random.below(6)];
                bytes[at..at + 4].copy_from_slice(&u32::to_le_bytes(number));
            }
            _ => {
                // A number of the text becomes another one.
                let is_digit = |byte: &u8| byte.is_ascii_digit();
                if let Some(start) = bytes[at..].iter().position(is_digit).map(|n| at + n) {
                    let length = bytes[start..].iter().take_while(|byte| is_digit(byte)).count();
                    bytes.splice(start..start + length, NUMBERS[random.below(NUMBERS.len())].bytes());
                }
            }
        }
    }
    bytes
}

/// Runs `check` on mutations of a corpus; it says whether the bytes were taken. Both must happen.
fn fuzz(corpus: &[Vec<u8>], check: impl Fn(&[u8]) -> bool) {
    assert!(corpus.iter().all(|bytes| check(bytes)), "what was written is read");
    let seconds = std::env::var("REDRAFT_FUZZ_SECONDS").ok().and_then(|text| text.parse().ok());
    let end = seconds.map(|seconds| Instant::now() + Duration::from_secs(seconds));
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let (mut rounds, mut taken) = (0_usize, 0_usize);
    while end.map_or(rounds < ROUNDS, |end| Instant::now() < end) {
        taken += usize::from(check(&mutated(&mut random, corpus)));
        rounds += 1;
    }
    assert!(taken > 0 && taken < rounds, "{taken} of {rounds} were taken");
    if seconds.is_some() {
        eprintln!("{rounds} rounds, {taken} taken");
    }
}

fn path(name: &str) -> RepoPath {
    RepoPath::new(name.as_bytes()).expect("a path")
}

/// One file of a transaction, with the two texts.
fn file(change: ChangeKind, before: &[u8], rows: &[(usize, usize, &str)]) -> IntentFile {
    let splice = |(n, &(at, length, new)): (usize, &(usize, usize, &str))| Splice {
        range: at..at + length,
        replacement: new.into(),
        origin: vec![Origin { edit: n, strategy: Strategy::ALL[n % Strategy::ALL.len()] }],
    };
    let patch = FilePatch::new(before.len(), rows.iter().enumerate().map(splice).collect()).expect("disjoint");
    let (was, is) = (change != ChangeKind::Create, change != ChangeKind::Delete);
    IntentFile {
        path: path("dir/\u{e4} b.rs"),
        from: (change == ChangeKind::Rename).then(|| path("old name")),
        change,
        before: was.then(|| blob_id(before)),
        after: is.then(|| blob_id(&patch.apply(before))),
        before_len: before.len(),
        mode_before: was.then_some(0o644),
        mode_after: is.then_some(0o755),
        state: was.then_some(PathState::Modified),
        encoding: None,
        splices: intent_splices(&patch, before),
        backup: was.then(|| RepoPath::new(b"20261121T040141.123Z-kkkkkkkkkkkkkkkk/dir/x").expect("a path")),
        stage: Some("kkkkkkkkkkkkkkkk-0".to_owned()),
    }
}

fn intents() -> Vec<Intent> {
    let id = |n: u8| RecordId::from_random([n; 8]);
    let intent = |n: u8, class, files: Vec<IntentFile>| Intent {
        id: id(n),
        time_ms: 1_700_000_000_000 + i64::from(n),
        class,
        meta: RecordMeta {
            message: Some("why\nRedraft-Id: forged".into()),
            agent: Some("tester".into()),
            session: Some("s 1".into()),
            base: Some(CommitId::from_bytes([0xaa; 20])),
            record: RecordKind::History,
            request_id: Some("r1".into()),
            request_hash: Some(BlobId::from_bytes([n; 20])),
            answer: Some("{}".into()),
            ..RecordMeta::default()
        },
        files,
        made_dirs: vec![path("dir")],
        verify: n.is_multiple_of(2),
    };
    let text = b"one\ntwo\nthree\nfour\n";
    let modify = || file(ChangeKind::Modify, text, &[(0, 3, "1"), (4, 0, "new\n"), (8, 6, "")]);
    let mut undo = intent(3, RecordClass::Undo, vec![modify()]);
    undo.meta.undoes = vec![id(1)];
    undo.meta.targets =
        vec![vec![Target { id: id(1), file: 0, splices: Some(vec![0, 2]), is_cancelled: false, was_gone: false }]];
    vec![
        intent(1, RecordClass::Edit, vec![modify(), file(ChangeKind::Create, b"", &[(0, 0, "x\n")])]),
        intent(2, RecordClass::External, vec![file(ChangeKind::Delete, text, &[(0, 19, "")])]),
        undo,
        intent(4, RecordClass::Redo, vec![file(ChangeKind::Rename, text, &[])]),
    ]
}

/// What every record promises: its numbers are in order and inside the texts, and looking at it cannot fail.
fn assert_valid(record: &Record) {
    record.check().expect("it was just checked");
    assert!(RecordId::parse(record.id.as_str()).is_some());
    assert!(!record.subject().is_empty() && !crate::history::utc(record.time_ms).is_empty());
    for file in &record.files {
        let list = &file.splices;
        let (mut before, mut after, mut grown) = (0, 0, 0_i128);
        for range in list.ranges() {
            assert!(before <= range.before.start && range.before.start <= range.before.end);
            assert!(after <= range.after.start && range.after.start <= range.after.end);
            grown += range.after.len() as i128 - range.before.len() as i128;
            (before, after) = (range.before.end, range.after.end);
        }
        assert!(before <= list.before_len() && after <= list.after_len());
        if !list.ranges().is_empty() {
            assert_eq!(list.ranges().len(), list.count());
            assert_eq!(list.before_len() as i128 + grown, list.after_len() as i128);
        }
        assert_eq!(file.patch(&RecordedTexts::default()), None, "no text fits without being compared");
    }
}

#[test]
fn a_damaged_intent_is_refused_or_valid() {
    let corpus: Vec<Vec<u8>> = intents().iter().map(Intent::encode).collect();
    fuzz(&corpus, |bytes| {
        let Ok(intent) = Intent::decode(bytes) else { return false };
        assert_valid(&intent.record());
        for file in &intent.files {
            for text in [&b""[..], b"one\ntwo\nthree\nfour\n", b"1\nnew\ntwo\nfour\n"] {
                let _ = (file.apply(text), file.invert(text), file.patch());
            }
        }
        assert_eq!(Intent::decode(&intent.encode()).expect("what was read is written"), intent);
        true
    });
}

#[test]
fn a_damaged_record_is_refused_or_valid() {
    let corpus: Vec<Vec<u8>> = intents().iter().map(|intent| intent.record().encode()).collect();
    fuzz(&corpus, |bytes| {
        let Ok(record) = Record::decode(bytes) else { return false };
        assert_valid(&record);
        assert_eq!(Record::decode(&record.encode()).expect("what was read is written"), record);
        true
    });
}

#[test]
fn of_a_damaged_journal_every_entry_is_valid() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = crate::state_dir::StateDir::new(folder.path(), "main");
    let state = crate::transaction::State::open(&place).expect("opens");
    let mut journal = crate::transaction::Journal::open(&state, crate::state_dir::Durability::Fast).expect("opens");
    for intent in intents() {
        journal.commit(&intent).expect("written");
        journal.mark(&intent, crate::transaction::Outcome::Applied).expect("written");
    }
    let whole = std::fs::read(place.journal()).expect("read");
    fuzz(std::slice::from_ref(&whole), |bytes| {
        let contents = parse(bytes);
        assert!(contents.end <= bytes.len() as u64);
        contents.entries.iter().for_each(|entry| assert_valid(&entry.intent.record()));
        for damage in &contents.damage {
            assert!(damage.bytes.start <= damage.bytes.end && damage.bytes.end <= bytes.len(), "{damage}");
        }
        contents.damage.is_empty()
    });
}

/// An index of one entry, whose checksum is right whatever it says.
fn index_of(payload: &[u8]) -> Vec<u8> {
    let length = (payload.len() as u32).to_le_bytes();
    [log_index::HEAD, &length[..], &crc32fast::hash(payload).to_le_bytes(), payload, &length].concat()
}

#[test]
fn of_a_damaged_log_index_every_entry_is_valid() {
    let entry = |intent: &Intent| {
        let parent = CommitId::from_bytes([2; 20]);
        log_index::encode(CommitId::from_bytes([1; 20]), Some(parent), &intent.record())
    };
    let entries: Vec<Vec<u8>> = intents().iter().map(entry).collect();
    let look = |bytes: &[u8]| {
        assert!(log_index::good_length(bytes) <= bytes.len());
        let mut found = false;
        for raw in log_index::backwards(bytes) {
            let _ = (raw.commit(), raw.parent(), raw.class(), raw.may_have(&memchr::memmem::Finder::new("dir")));
            if let Some(entry) = raw.decode() {
                assert_valid(&entry.record);
                found = true;
            }
        }
        found
    };
    fuzz(&[[&log_index::HEAD[..], &entries.concat()].concat()], look);
    let payloads: Vec<Vec<u8>> = entries.iter().map(|entry| entry[8..entry.len() - 4].to_vec()).collect();
    fuzz(&payloads, |payload| look(&index_of(payload)));
}

#[test]
fn damaged_lists_and_receipts_say_nothing_wrong() {
    let (a, b) = ("a".repeat(40), "b".repeat(40));
    let id = RecordId::from_random([1; 8]);
    let list = format!("all {id} {a}\npart {id} {b}\n");
    fuzz(&[list.into_bytes()], |bytes| {
        let commits = CommitsOfRecords::parse(bytes);
        let found = commits.of(&id);
        !found.is_empty()
    });
    let receipt = Receipt {
        path: path("a/b"),
        blob: BlobId::from_bytes([1; 20]),
        mtime_ms: 5,
        size_bytes: 6,
        lines: Some((2, 9)),
    };
    fuzz(&[serde_json::to_vec(&receipt).expect("JSON")], |bytes| Receipt::parse(bytes).is_some());
    let mark = format!("+{id} 5 Ann");
    let mark = format!("{mark} {:08x}\n", crc32fast::hash(mark.as_bytes()));
    fuzz(&[mark.into_bytes(), format!("{id} 5 Ann\n").into_bytes(), format!("{id}\n").into_bytes()], |bytes| {
        ReviewMarks::parse(bytes).of(&id).is_some()
    });
    fuzz(&[format!("{id}\n").into_bytes()], |bytes| crate::flow::replayed_requests::parse(bytes).is_some());
}
