//! The journal's file, written, damaged, torn, and read again.

use super::*;
use crate::change::ChangeKind;
use crate::id::BlobId;
use crate::id::RecordId;
use crate::path::RepoPath;
use crate::record::{RecordClass, RecordMeta};
use crate::transaction::IntentFile;
use crate::transaction::journal_bytes::{FRAME_HEAD, MARK_FRAME, frame_at};

fn intent(n: u8) -> Intent {
    let file = IntentFile {
        path: RepoPath::new(b"a.txt").expect("a path"),
        from: None,
        change: ChangeKind::Create,
        before: None,
        after: Some(BlobId::from_bytes([1; 20])),
        before_len: 0,
        mode_before: None,
        mode_after: Some(0o644),
        state: None,
        encoding: None,
        splices: Vec::new(),
        backup: None,
        stage: None,
    };
    Intent {
        id: RecordId::from_random([n; 8]),
        time_ms: 0,
        class: RecordClass::Edit,
        meta: RecordMeta::default(),
        files: vec![file],
        made_dirs: Vec::new(),
        verify: false,
    }
}

fn place(folder: &std::path::Path) -> crate::state_dir::StateDir {
    crate::state_dir::StateDir::new(folder, "main")
}

/// The bytes without the room behind them.
fn written(folder: &std::path::Path, journal: &Journal) -> Vec<u8> {
    let mut bytes = std::fs::read(place(folder).journal()).expect("reads");
    assert_eq!(bytes.len() as u64, journal.size().next_multiple_of(ROOM));
    let room = bytes.split_off(journal.size() as usize);
    assert!(room.iter().all(|byte| *byte == 0));
    bytes
}

fn open(folder: &std::path::Path) -> Journal {
    let state = State::open(&place(folder)).expect("opens");
    Journal::open(&state, Durability::Fast).expect("opens")
}

#[test]
fn the_tail_tells_whether_the_last_transaction_is_finished() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut journal = open(folder.path());
    assert_eq!(journal.tail().expect("reads"), Tail::Empty);
    journal.commit(&intent(1)).expect("writes");
    assert_eq!(open(folder.path()).tail().expect("reads"), Tail::Unsettled);
    journal.mark(&intent(1), Outcome::Applied).expect("writes");
    assert_eq!(open(folder.path()).tail().expect("reads"), Tail::Settled(1));
}

#[test]
fn a_journal_cut_anywhere_keeps_the_whole_entries_before_the_cut() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut journal = open(folder.path());
    // Where each entry, and each mark, ends.
    let (mut entries, mut marks) = (Vec::new(), Vec::new());
    let marked = |n| if n == 1 { Outcome::Aborted } else { Outcome::Applied };
    for n in 0..3 {
        journal.commit(&intent(n)).expect("writes");
        entries.push(journal.size() as usize);
        journal.mark(&intent(n), marked(n)).expect("writes");
        marks.push(journal.size() as usize);
    }
    let bytes = written(folder.path(), &journal);
    let outcomes = |contents: &Contents| contents.entries.iter().map(|e| e.outcome).collect::<Vec<_>>();
    assert_eq!(outcomes(&parse(&bytes)), [Outcome::Applied, Outcome::Aborted, Outcome::Applied]);
    for end in 0..bytes.len() {
        let mut torn = bytes[..end].to_vec();
        let cut = parse(&torn);
        torn.resize(bytes.len(), 0);
        let nuls = parse(&torn);
        // A frame that ends in zeros is whole again when zeros stand for its end.
        assert!(outcomes(&cut) == outcomes(&nuls) || torn == bytes || bytes[end] == 0, "{end}");
        let outcome = |n: usize| if marks[n] <= end { marked(n as u8) } else { Outcome::Open };
        let want: Vec<_> = (0..3).filter(|n| entries[*n] <= end).map(outcome).collect();
        assert_eq!(outcomes(&cut), want, "{end}");
    }
}

#[test]
fn a_damaged_entry_does_not_hide_the_ones_behind_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut journal = open(folder.path());
    let mut starts = Vec::new();
    for n in 0..3 {
        starts.push(journal.size() as usize);
        journal.commit(&intent(n)).expect("writes");
        journal.mark(&intent(n), Outcome::Applied).expect("writes");
    }
    let mut bytes = written(folder.path(), &journal);
    bytes[starts[1] + 40] ^= 1;
    let contents = parse(&bytes);
    let ids: Vec<_> = contents.entries.iter().map(|entry| entry.intent.id.clone()).collect();
    assert_eq!(ids, [intent(0).id, intent(2).id]);
    assert_eq!(contents.end, bytes.len() as u64);
    let damage: Vec<_> = contents.damage.iter().map(|damage| damage.record.clone()).collect();
    assert_eq!(damage, [Some(intent(1).id)], "the mark behind it tells whose it was");
}

#[test]
fn a_flipped_bit_costs_one_entry_at_most_and_is_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut journal = open(folder.path());
    for n in 0..3 {
        journal.commit(&intent(n)).expect("writes");
        journal.mark(&intent(n), Outcome::Applied).expect("writes");
    }
    let bytes = written(folder.path(), &journal);
    assert_eq!(parse(&bytes).damage, []);
    for at in 0..bytes.len() {
        for bit in 0..8 {
            let mut flipped = bytes.clone();
            flipped[at] ^= 1 << bit;
            let contents = parse(&flipped);
            assert_eq!(is_whole(&flipped), contents.damage.is_empty(), "{at} {bit}");
            let applied = contents.entries.iter().filter(|entry| entry.outcome == Outcome::Applied).count();
            assert!(applied >= 2, "{at}.{bit}: {:?}", contents.damage);
            // Where the last frame says another length, it looks as if it had never been whole.
            let lengths = bytes.len() - MARK_FRAME + 4..bytes.len() - MARK_FRAME + 8;
            assert!(!contents.damage.is_empty() || lengths.contains(&at), "{at}.{bit}");
        }
    }
}

#[test]
fn a_damaged_journal_is_put_aside_whole_and_a_new_one_begins() {
    let folder = tempfile::tempdir().expect("a folder");
    let state = State::open(&place(folder.path())).expect("opens");
    let mut journal = Journal::open(&state, Durability::Fast).expect("opens");
    journal.commit(&intent(1)).expect("writes");
    let bytes = std::fs::read(place(folder.path()).journal()).expect("reads");
    let name = journal.put_aside(&state, 7).expect("renamed");
    assert_eq!((&name[..], journal.tail().expect("reads")), ("journal.damaged-7", Tail::Empty));
    assert_eq!(std::fs::read(state.path().join(name)).expect("kept"), bytes);
    journal.commit(&intent(2)).expect("writes");
    assert_eq!(journal.contents().expect("reads").entries.len(), 1);
}

#[test]
fn the_tail_counts_since_the_last_checkpoint() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut journal = open(folder.path());
    for n in 1..=2 {
        journal.commit(&intent(n)).expect("writes");
        assert_eq!(journal.tail().expect("reads"), Tail::Unsettled);
        journal.mark(&intent(n), Outcome::Applied).expect("writes");
        assert_eq!(open(folder.path()).tail().expect("reads"), Tail::Settled(n.into()));
    }
    journal.clear().expect("shortened");
    assert_eq!((journal.tail().expect("reads"), journal.size()), (Tail::Empty, FILE_HEAD.len() as u64));
    assert_eq!(std::fs::read(place(folder.path()).journal()).expect("reads"), FILE_HEAD);
    journal.commit(&intent(3)).expect("writes");
    journal.mark(&intent(3), Outcome::Aborted).expect("writes");
    assert_eq!(open(folder.path()).tail().expect("reads"), Tail::Settled(1));
}

#[test]
fn what_another_run_of_the_system_finished_is_looked_at_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut journal = open(folder.path());
    journal.commit(&intent(1)).expect("writes");
    journal.boot = BootId([9; 16]);
    journal.mark(&intent(1), Outcome::Applied).expect("writes");
    assert_eq!(journal.tail().expect("reads"), Tail::Settled(1));
    assert_eq!(open(folder.path()).tail().expect("reads"), Tail::Unsettled);
}

#[test]
fn what_could_not_be_synced_is_as_if_it_had_not_been_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut journal = open(folder.path());
    journal.commit(&intent(1)).expect("writes");
    journal.mark(&intent(1), Outcome::Applied).expect("writes");
    let bytes = written(folder.path(), &journal);
    journal.commit(&intent(2)).expect("writes");
    journal.cut(bytes.len() as u64).expect("cut");
    assert_eq!((journal.tail().expect("reads"), journal.size()), (Tail::Settled(1), bytes.len() as u64));
    assert_eq!(std::fs::read(place(folder.path()).journal()).expect("reads"), bytes);
}

#[test]
#[cfg(target_os = "linux")]
fn what_could_not_be_synced_is_gone_also_where_the_file_cannot_be_cut() {
    use rustix::fs::{MemfdFlags, SealFlags, fcntl_add_seals, memfd_create};
    let folder = tempfile::tempdir().expect("a folder");
    let mut journal = open(folder.path());
    journal.commit(&intent(1)).expect("writes");
    journal.mark(&intent(1), Outcome::Applied).expect("writes");
    let start = journal.size();
    journal.commit(&intent(2)).expect("writes");
    let bytes = std::fs::read(place(folder.path()).journal()).expect("reads");
    // A file that nobody may shorten.
    journal.file = memfd_create("journal", MemfdFlags::ALLOW_SEALING).expect("made").into();
    write_all_at(&journal.file, &bytes, 0).expect("written");
    fcntl_add_seals(&journal.file, SealFlags::SHRINK).expect("sealed");
    journal.cut(start).expect("overwritten");
    assert_eq!((journal.tail().expect("reads"), journal.size()), (Tail::Settled(1), start));
    journal.commit(&intent(3)).expect("writes");
    let ids: Vec<_> = journal.contents().expect("reads").entries.into_iter().map(|entry| entry.intent.id).collect();
    assert_eq!(ids, [intent(1).id, intent(3).id]);
}

#[test]
fn a_torn_tail_is_cut_and_the_next_entry_stands_in_its_place() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut journal = open(folder.path());
    journal.commit(&intent(1)).expect("writes");
    journal.mark(&intent(1), Outcome::Applied).expect("writes");
    let whole = journal.size();
    journal.write(b"rdj1 and half an entry").expect("writes");
    let contents = journal.contents().expect("reads");
    assert_eq!((contents.end, contents.torn), (whole, 22));
    journal.go_on_behind(&contents).expect("shortened");
    assert_eq!((journal.size(), journal.tail().expect("reads")), (whole, Tail::Settled(1)));
    journal.commit(&intent(2)).expect("writes");
    assert_eq!(open(folder.path()).contents().expect("reads").entries.len(), 2);
    let nothing = Contents { torn: 1, ..Contents::default() };
    journal.go_on_behind(&nothing).expect("shortened");
    assert_eq!((journal.size(), journal.tail().expect("reads")), (FILE_HEAD.len() as u64, Tail::Empty));
}

#[test]
fn a_copy_aside_is_the_journal_as_it_is_and_the_journal_stays() {
    let folder = tempfile::tempdir().expect("a folder");
    let state = State::open(&place(folder.path())).expect("opens");
    let mut journal = Journal::open(&state, Durability::Fast).expect("opens");
    journal.commit(&intent(1)).expect("writes");
    let name = journal.copy_aside(&state).expect("written");
    let bytes = written(folder.path(), &journal);
    assert_eq!(name, format!("journal.damaged-{:08x}", crc32fast::hash(&bytes)));
    assert_eq!(std::fs::read(state.path().join(name)).expect("kept"), bytes);
    assert_eq!(journal.contents().expect("reads").entries.len(), 1);
}

#[test]
fn a_reader_sees_what_is_there_and_makes_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let state = State::open(&place(folder.path())).expect("opens");
    assert_eq!(peek(state.dir()).expect("nothing").entries.len(), 0);
    assert!(!place(folder.path()).journal().exists());
    let mut journal = Journal::open(&state, Durability::Fast).expect("opens");
    journal.commit(&intent(1)).expect("writes");
    assert_eq!(peek(state.dir()).expect("reads").entries[0].intent, intent(1));
}

#[test]
fn a_last_entry_that_was_whole_is_told_and_one_that_was_cut_off_is_not() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut journal = open(folder.path());
    journal.commit(&intent(1)).expect("writes");
    journal.mark(&intent(1), Outcome::Applied).expect("writes");
    let start = journal.size() as usize;
    journal.commit(&intent(2)).expect("writes");
    let bytes = written(folder.path(), &journal);
    let told = |bytes: &[u8]| {
        let contents = parse(bytes);
        (contents.damage.iter().map(|damage| (damage.bytes.start, damage.bytes.end)).collect::<Vec<_>>(), contents.torn)
    };
    assert_eq!(told(&bytes), (vec![], 0));
    let mut flipped = bytes.clone();
    flipped[start + FRAME_HEAD + 20] ^= 1;
    assert_eq!(told(&flipped), (vec![(start, bytes.len())], 0), "it is as long as it says");
    for torn in start + 1..bytes.len() - 3 {
        let left = used(&bytes[..torn]) - start;
        assert_eq!(told(&bytes[..torn]), (vec![], left as u64), "{torn}: it ends too early");
        let zeros = [&bytes[..torn], &vec![0; bytes.len() - torn][..]].concat();
        assert!(told(&zeros).0.is_empty(), "{torn}: it ends in zeros");
    }
    let mark = [&bytes[..start], &[0xff; MARK_FRAME]].concat();
    assert_eq!(told(&mark), (vec![(start, mark.len())], 0), "a mark that was overwritten");
    for length in [1, FRAME_HEAD, MARK_FRAME - 1, MARK_FRAME + 1] {
        let other = [&bytes[..start], &vec![0xff; length][..]].concat();
        assert_eq!(told(&other), (vec![], length as u64), "{length}: no entry ever had this length");
    }
    let no_head = [&bytes[..start], &[0; FRAME_HEAD], &[0xff; MARK_PAYLOAD]].concat();
    assert_eq!(told(&no_head), (vec![], MARK_FRAME as u64), "its head was not written");
    let empty = [&bytes[..start], b"rdj1\0\0\0\0\x01\0\0\0sumX"].concat();
    assert_eq!(told(&empty), (vec![], FRAME_HEAD as u64), "no entry is empty");
}

#[test]
fn a_frame_at_another_offset_is_no_frame() {
    let whole = frame(Frame::Applied, 16, &[0; MARK_PAYLOAD]);
    assert!(frame_at(&whole, 16, 0).is_some());
    assert!(frame_at(&whole, 17, 0).is_none());
}

#[test]
fn entries_are_written_over_the_room_behind_the_last_one_whoever_opens_the_journal() {
    let folder = tempfile::tempdir().expect("a folder");
    let length = || std::fs::metadata(place(folder.path()).journal()).expect("there").len();
    let mut lengths = std::collections::BTreeSet::new();
    for n in 0..512_u32 {
        let mut journal = open(folder.path());
        let tail = journal.tail().expect("reads");
        assert_eq!(tail, if n == 0 { Tail::Empty } else { Tail::Settled(n) });
        let mut intent = intent((n % 256) as u8);
        intent.id = RecordId::from_random(u64::from(n).to_le_bytes());
        if n % 64 == 0 {
            // Its mark begins in one part of the file and ends in the next.
            intent.meta.answer = Some(String::new());
            let bare = journal.size() as usize + FRAME_HEAD + 16 + intent.encode().len();
            intent.meta.answer = Some("x".repeat(bare.next_multiple_of(ROOM as usize) - bare + ROOM as usize - 20));
        }
        journal.commit(&intent).expect("writes");
        assert_eq!(n % 64 == 0, journal.size() % ROOM == ROOM - 20);
        journal.mark(&intent, Outcome::Applied).expect("writes");
        lengths.insert(length());
    }
    let mut journal = open(folder.path());
    // The number of the last mark begins and ends in zeros.
    assert_eq!(journal.tail().expect("reads"), Tail::Settled(512));
    let contents = journal.contents().expect("reads");
    assert_eq!((contents.entries.len(), contents.torn, contents.damage.len()), (512, 0, 0));
    assert!(lengths.iter().all(|length| length % ROOM == 0) && lengths.len() > 8, "{lengths:?}");
}

#[test]
fn after_a_recovery_the_count_goes_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut journal = open(folder.path());
    for n in 1..=3 {
        journal.commit(&intent(n)).expect("writes");
        journal.mark(&intent(n), Outcome::Applied).expect("writes");
    }
    journal.commit(&intent(4)).expect("writes");
    let mut journal = open(folder.path());
    assert_eq!(journal.tail().expect("reads"), Tail::Unsettled);
    let contents = journal.contents().expect("reads");
    journal.go_on_behind(&contents).expect("nothing is torn");
    journal.mark(&intent(4), Outcome::Applied).expect("writes");
    assert_eq!(open(folder.path()).tail().expect("reads"), Tail::Settled(4));
}

#[test]
fn a_recovery_of_several_that_is_killed_between_them_goes_on_with_the_next() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut journal = open(folder.path());
    for n in 1..=3 {
        journal.write_intent(&intent(n)).expect("writes");
    }
    for n in 1..=3 {
        let mut journal = open(folder.path());
        assert_eq!(journal.tail().expect("reads"), Tail::Unsettled, "{n}");
        let contents = journal.contents().expect("reads");
        let open = contents.entries.iter().filter(|entry| entry.outcome == Outcome::Open).count();
        assert_eq!(open, 4 - usize::from(n));
        journal.go_on_behind(&contents).expect("nothing is torn");
        journal.mark(&intent(n), Outcome::Applied).expect("writes");
        assert_eq!(journal.is_settled(), n == 3);
    }
    assert_eq!(open(folder.path()).tail().expect("reads"), Tail::Settled(3));
}

#[test]
fn what_is_behind_a_damaged_end_does_not_write_over_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut journal = open(folder.path());
    journal.commit(&intent(1)).expect("writes");
    let mut bytes = std::fs::read(place(folder.path()).journal()).expect("reads");
    bytes[FILE_HEAD.len() + FRAME_HEAD + 20] ^= 1;
    std::fs::write(place(folder.path()).journal(), &bytes).expect("written");
    let mut journal = open(folder.path());
    assert_eq!(journal.tail().expect("reads"), Tail::Unsettled);
    let contents = journal.contents().expect("reads");
    assert_eq!((contents.damage.len(), contents.entries.len()), (1, 0));
    journal.go_on_behind(&contents).expect("nothing to do");
    journal.commit(&intent(2)).expect("writes");
    let now = std::fs::read(place(folder.path()).journal()).expect("reads");
    let used = used(&bytes);
    assert_eq!(now[..used], bytes[..used]);
    let contents = open(folder.path()).contents().expect("reads");
    assert_eq!((contents.entries.len(), contents.damage.len()), (1, 1), "the room between is none: {contents:?}");
}

#[test]
fn an_entry_with_a_part_that_no_power_cut_let_through_was_never_whole() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut journal = open(folder.path());
    let mut long = intent(1);
    long.meta.answer = Some("words ".repeat(500));
    journal.commit(&long).expect("writes");
    let bytes = written(folder.path(), &journal);
    assert!(bytes.len() > 3000);
    for sector in 1..bytes.len() / 512 {
        let mut torn = bytes.clone();
        torn[sector * 512..(sector + 1) * 512].fill(0);
        let contents = parse(&torn);
        assert_eq!((contents.damage.len(), contents.torn > 0), (0, true), "{sector}");
        torn[sector * 512 + 7] = b'x';
        assert_eq!(parse(&torn).damage.len(), 1, "{sector}: it was written, and is damaged");
    }
}

#[test]
fn a_damaged_end_that_ends_in_zeros_is_kept_to_its_last_byte() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut journal = open(folder.path());
    journal.commit(&intent(1)).expect("writes");
    let start = journal.size();
    // The number at the end of a mark is small, so that its last bytes are zeros.
    journal.mark(&intent(1), Outcome::Applied).expect("writes");
    let end = journal.size();
    write_all_at(&journal.file, b"x", start + 20).expect("written");
    let mut journal = open(folder.path());
    assert_eq!(journal.tail().expect("reads"), Tail::Unsettled);
    let contents = parse(&std::fs::read(place(folder.path()).journal()).expect("reads"));
    let damaged: Vec<_> = contents.damage.iter().map(|damage| (damage.bytes.start, damage.bytes.end)).collect();
    assert_eq!(damaged, [(start as usize, end as usize)]);
    journal.go_on_behind(&contents).expect("nothing to do");
    assert_eq!(journal.size(), end);
}

/// The bytes of three intents that were to share a sync, and where the first two end.
fn three_at_once(folder: &std::path::Path) -> (Vec<u8>, [usize; 2]) {
    let mut journal = open(folder);
    let ends = [1, 2, 3].map(|n| {
        let mut long = intent(n);
        long.meta.answer = Some("words ".repeat(500));
        journal.write_intent(&long).expect("writes").end as usize
    });
    (written(folder, &journal), [ends[0], ends[1]])
}

#[test]
fn what_a_power_cut_left_out_in_front_of_what_was_to_be_synced_with_it_is_no_damage() {
    let folder = tempfile::tempdir().expect("a folder");
    let (bytes, ends) = three_at_once(folder.path());
    let ids = |contents: &Contents| contents.entries.iter().map(|entry| entry.intent.id.clone()).collect::<Vec<_>>();
    for (first, last) in [(FILE_HEAD.len(), ends[0]), (ends[0], ends[1])] {
        let sectors = first.div_ceil(512)..last / 512;
        assert!(sectors.len() >= 4);
        for sector in sectors {
            let mut torn = bytes.clone();
            torn[sector * 512..(sector + 1) * 512].fill(0);
            let contents = parse(&torn);
            assert_eq!((ids(&contents).len(), contents.damage.len(), contents.torn), (2, 0, 0), "{sector}");
            // What was made of one of them says that all were synced.
            for (boot, damage) in [(BootId::current(), 1), (BootId([9; 16]), 0)] {
                let mark = [&boot.0[..], intent(3).id.as_str().as_bytes(), &[1, 0, 0, 0]].concat();
                let marked = [&torn[..], &frame(Frame::Applied, torn.len() as u64, &mark)].concat();
                assert_eq!(parse(&marked).damage.len(), damage, "{sector}");
            }
            torn[sector * 512 + 7] = b'x';
            assert_eq!(parse(&torn).damage.len(), 1, "{sector}: it was written, and is damaged");
        }
    }
    // The sector that one shares with the next was written with that.
    let mut torn = bytes.clone();
    torn[ends[0] / 512 * 512..ends[0]].fill(0);
    assert_eq!(parse(&torn).damage.len(), 1);
}

#[test]
#[cfg(target_os = "linux")]
fn a_sync_that_fails_fails_for_all_that_were_to_share_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut journal = open(folder.path());
    let one = journal.write_intent(&intent(1)).expect("writes");
    let two = journal.write_intent(&intent(2)).expect("writes");
    let good = std::mem::replace(&mut journal.file, device("/dev/null"));
    journal.durability = Durability::Full;
    journal.sync_intent(&two).expect_err("nothing can be synced there");
    // A later sync says nothing of what was to be on the disk before.
    journal.file = good;
    let refused = journal.sync_intent(&one).expect_err("nobody knows whether it is on the disk");
    assert!(refused.to_string().contains("an earlier sync failed"), "{refused}");
    assert!(journal.is_settled());
    assert_eq!(open(folder.path()).tail().expect("reads"), Tail::Empty);
    journal.commit(&intent(3)).expect("the next one is synced again");
}

#[test]
#[cfg(target_os = "linux")]
fn what_can_be_neither_synced_nor_taken_back_is_left_to_recovery() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut journal = open(folder.path());
    let one = journal.write_intent(&intent(1)).expect("writes");
    // Nothing can be synced, cut or written there.
    journal.file = device("/dev/full");
    journal.durability = Durability::Full;
    match journal.sync_intent(&one) {
        Err(TransactionError::RecoveryNeeded { id, .. }) => assert_eq!(id, intent(1).id),
        other => panic!("{other:?}"),
    }
    assert!(journal.write_intent(&intent(2)).is_err(), "nothing comes behind it");
}

#[cfg(target_os = "linux")]
fn device(path: &str) -> File {
    File::options().read(true).write(true).open(path).expect("a device")
}
