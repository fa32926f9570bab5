//! The transaction, stopped in process at every step.

use crate::change::{ChangeKind, PathState};
use crate::env::Env;
use crate::git::blob_id;
use crate::id::RecordId;
use crate::patch::{FilePatch, Origin, Splice};
use crate::path::RepoPath;
use crate::record::{RecordClass, RecordMeta};
use crate::request::RecordKind;
use crate::state_dir::Durability;
use crate::state_dir::StateDir;
use crate::strategy::Strategy;
use crate::testing::TestRepo;
use crate::transaction::Intent;
use crate::transaction::step::Step;
use crate::transaction::{
    Base, NewText, Note, Options, Plan, PlannedFile, Settle, State, Transaction, TransactionError, Unwatched, Watch,
};
use crate::worktree::Root;
use std::cell::Cell;
use std::path::Path;
use std::rc::Rc;
use std::time::Duration;

/// Transactions have nothing to do elsewhere.
struct NothingToSettle;

impl Settle for NothingToSettle {
    fn settle(&self, _: &Intent) -> Result<bool, TransactionError> {
        Ok(false)
    }

    fn release(&self, _: &Path) -> Result<(), TransactionError> {
        Ok(())
    }
}

pub(super) fn stopped(step: Step) -> TransactionError {
    TransactionError::io("reach", format!("{step:?}"))(std::io::Error::other("stopped"))
}

/// Stops at one step: with an error, as a full disk would.
struct StopAt {
    step: Step,
    stopped: Cell<bool>,
}

impl Watch for StopAt {
    fn before(&self, step: Step) -> Result<(), TransactionError> {
        if step == self.step && !self.stopped.replace(true) {
            return Err(stopped(step));
        }
        Ok(())
    }
}

/// Stops before the second exchange, and cannot take the first one back.
struct StopTwice;

impl Watch for StopTwice {
    fn before(&self, step: Step) -> Result<(), TransactionError> {
        match step {
            Step::Exchange(1) | Step::ExchangeBack(_) => Err(stopped(step)),
            _ => Ok(()),
        }
    }
}

fn begin(scratch: &TestRepo, watch: Rc<dyn Watch>) -> Transaction {
    begin_at(&scratch.root(), watch)
}

pub(super) fn begin_at(at: &Path, watch: Rc<dyn Watch>) -> Transaction {
    let root = Root::open(at).expect("the root opens");
    let state = State::open(&StateDir::new(&at.join(".git"), "main")).expect("the state folder opens");
    let env = Env::in_dir(at).expect("absolute");
    let options = Options {
        lock_timeout: Duration::from_secs(5),
        durability: Durability::Fast,
        settle: &NothingToSettle,
        env: &env,
    };
    Transaction::begin_watched(root, state, options, watch).expect("the lock is free")
}

/// Every file gets an exclamation mark behind its text.
pub(super) fn plan<'p>(transaction: &Transaction, paths: &[&str]) -> Plan<'p> {
    let files = paths.iter().map(|path| {
        let place = transaction.root().place(&RepoPath::new(path.as_bytes()).expect("a path")).expect("a place");
        let base = transaction.root().read(&place).expect("reads").expect("is there");
        let end = base.bytes.len();
        let origin = vec![Origin { edit: 0, strategy: Strategy::Exact }];
        let splice = Splice { range: end..end, replacement: b"!".to_vec(), origin };
        let patch = FilePatch::new(end, vec![splice]).expect("one splice");
        let after = patch.apply(&base.bytes);
        let base = Base { id: blob_id(&base.bytes), file: base, state: PathState::Clean };
        let after = NewText { id: blob_id(&after), bytes: after };
        PlannedFile {
            change: ChangeKind::Modify,
            place,
            from: None,
            base: Some(base),
            patch,
            after: Some(after),
            encoding: None,
            mode: None,
            heir_of: None,
        }
    });
    Plan {
        id: RecordId::from_random([9; 8]),
        time: jiff::Timestamp::UNIX_EPOCH,
        class: RecordClass::Edit,
        meta: RecordMeta { record: RecordKind::History, ..RecordMeta::default() },
        files: files.collect(),
        verify: None,
        follow_up: None,
    }
}

fn names_below(scratch: &TestRepo, folder: &str) -> Vec<String> {
    let entries = std::fs::read_dir(scratch.root().join(".git/redraft/worktrees/main").join(folder)).expect("a folder");
    entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect()
}

#[test]
fn an_error_at_any_step_leaves_all_old_or_all_new_and_nothing_else() {
    let steps = [
        Step::Stage(0),
        Step::Stage(1),
        Step::BackUp(0),
        Step::BackUp(1),
        Step::CommitIntent,
        Step::Exchange(0),
        Step::Exchange(1),
        Step::MarkApplied,
        Step::CleanUp,
    ];
    for step in steps {
        let scratch = TestRepo::with_files(&[("a", "a"), ("b/c", "c")]);
        let watch = Rc::new(StopAt { step, stopped: Cell::new(false) });
        let mut transaction = begin(&scratch, Rc::clone(&watch) as Rc<dyn Watch>);
        let plan = plan(&transaction, &["a", "b/c"]);
        let done = transaction.prepare(plan).and_then(|prepared| prepared.commit());
        drop(transaction);
        assert!(watch.stopped.get(), "{step:?} is a step");
        let texts = [scratch.read("a"), scratch.read("b/c")];
        match done {
            Ok(_) => assert_eq!(texts, [b"a!", b"c!"], "{step:?}"),
            Err(_) => {
                assert_eq!(texts, [b"a", b"c"], "{step:?}");
                assert_eq!(names_below(&scratch, "backups"), Vec::<String>::new(), "{step:?}");
            }
        }
        assert_eq!(names_below(&scratch, "stage"), Vec::<String>::new(), "{step:?}");
        // The next transaction finds nothing to recover that would change anything.
        drop(begin(&scratch, Rc::new(Unwatched)));
        assert_eq!([scratch.read("a"), scratch.read("b/c")], texts, "{step:?}");
    }
}

#[test]
fn an_error_while_taking_back_is_finished_by_the_next_transaction() {
    struct Twice(Cell<u8>);
    impl Watch for Twice {
        fn before(&self, step: Step) -> Result<(), TransactionError> {
            if matches!(step, Step::Exchange(1) | Step::ExchangeBack(0)) {
                self.0.set(self.0.get() + 1);
                return Err(stopped(step));
            }
            Ok(())
        }
    }
    let scratch = TestRepo::with_files(&[("a", "a"), ("b", "b")]);
    let watch = Rc::new(Twice(Cell::new(0)));
    let mut transaction = begin(&scratch, Rc::clone(&watch) as Rc<dyn Watch>);
    let plan = plan(&transaction, &["a", "b"]);
    let error = transaction.prepare(plan).and_then(|prepared| prepared.commit()).expect_err("it was stopped");
    drop(transaction);
    assert_eq!(watch.0.get(), 2);
    assert_eq!(error.reason().as_str(), "recovery_needed", "{error}");
    assert_eq!(begin(&scratch, Rc::new(Unwatched)).recovered().forward.len(), 1);
    assert_eq!([scratch.read("a"), scratch.read("b")], [b"a!", b"b!"]);
}

#[test]
fn a_file_changed_after_an_interruption_is_left_alone_and_told() {
    let repo = TestRepo::with_files(&[("a", "a"), ("b", "b")]);
    let mut transaction = begin(&repo, Rc::new(StopTwice));
    let plan = plan(&transaction, &["a", "b"]);
    transaction.prepare(plan).and_then(|prepared| prepared.commit()).expect_err("it was stopped");
    drop(transaction);
    repo.write("a", "a! and somebody's own words");
    let recovered = begin(&repo, Rc::new(Unwatched)).recovered().clone();
    assert_eq!(repo.read("a"), b"a! and somebody's own words");
    assert_eq!(repo.read("b"), b"b");
    let left = &recovered.left[0];
    let old = left.backup.as_ref().expect("where the old version is");
    assert_eq!(left.path.to_string_lossy(), "a");
    assert_eq!(std::fs::read(old).expect("it is kept"), b"a");
}

/// Another name for a file, as `ln` makes it.
#[cfg(unix)]
fn link(repo: &TestRepo, from: &str, to: &str) {
    std::fs::hard_link(repo.root().join(from), repo.root().join(to)).expect("linked");
}

#[cfg(unix)]
fn is_one_file(repo: &TestRepo, one: &str, other: &str) -> bool {
    use std::os::unix::fs::MetadataExt;
    let inode = |name| std::fs::metadata(repo.root().join(name)).expect("is there").ino();
    inode(one) == inode(other)
}

#[test]
#[cfg(unix)]
fn a_file_that_is_linked_just_before_its_exchange_keeps_its_other_name_and_its_text() {
    struct LinkAt(std::path::PathBuf);
    impl Watch for LinkAt {
        fn before(&self, step: Step) -> Result<(), TransactionError> {
            if step == Step::Exchange(1) {
                std::fs::hard_link(self.0.join("b"), self.0.join("mine")).expect("linked");
            }
            Ok(())
        }
    }
    for is_deleted in [false, true] {
        let repo = TestRepo::with_files(&[("a", "a"), ("b", "b")]);
        let mut transaction = begin(&repo, Rc::new(LinkAt(repo.root())));
        let mut plan = plan(&transaction, &["a", "b"]);
        if is_deleted {
            let file = &mut plan.files[1];
            (file.change, file.after, file.patch) = (ChangeKind::Delete, None, FilePatch::whole(1, Vec::new()));
        }
        let error = transaction.prepare(plan).and_then(|prepared| prepared.commit()).expect_err("it was linked");
        drop(transaction);
        assert!(error.to_string().contains("hard-linked"), "{error}");
        assert_eq!([repo.read("a"), repo.read("b")], [b"a", b"b"]);
        assert!(is_one_file(&repo, "b", "mine"));
        assert_eq!(names_below(&repo, "backups"), Vec::<String>::new());
    }
}

#[test]
#[cfg(unix)]
fn a_file_that_is_linked_between_an_interruption_and_its_recovery_keeps_its_other_name_and_its_text() {
    // `b` is not exchanged yet; `a` was, and its old file waits in the stage, linked before it came out.
    for (is_exchanged, name) in [(false, "b"), (true, "a")] {
        let repo = TestRepo::with_files(&[("a", "a"), ("b", "b")]);
        let mut transaction = begin(&repo, Rc::new(StopTwice));
        let plan = plan(&transaction, &["a", "b"]);
        let staged = format!(".git/redraft/worktrees/main/stage/{}-0", plan.id);
        transaction.prepare(plan).and_then(|prepared| prepared.commit()).expect_err("it was stopped");
        drop(transaction);
        assert_eq!([repo.read("a"), repo.read("b")], [b"a!".as_slice(), b"b"]);
        link(&repo, if is_exchanged { &staged } else { name }, "mine");
        let recovered = begin(&repo, Rc::new(Unwatched)).recovered().clone();
        assert_eq!((recovered.forward.len(), recovered.back.len(), recovered.left.len()), (0, 1, 0), "{name}");
        assert_eq!([repo.read("a"), repo.read("b")], [b"a", b"b"]);
        assert!(is_one_file(&repo, name, "mine"));
        assert_eq!(names_below(&repo, "backups"), Vec::<String>::new());
        assert_eq!(names_below(&repo, "stage"), Vec::<String>::new());
    }
}

/// Makes a journal one of another run of the system.
fn reboot(scratch: &TestRepo) {
    use super::journal_bytes::{FILE_HEAD, frame, frame_at};
    let path = StateDir::new(&scratch.root().join(".git"), "main").journal();
    let bytes = std::fs::read(&path).expect("a journal");
    let mut out = FILE_HEAD.to_vec();
    let mut from = out.len();
    while let Some((kind, payload, length)) = frame_at(&bytes, from as u64, from) {
        let mut payload = payload.to_vec();
        payload[..16].copy_from_slice(&[7; 16]);
        out.extend(frame(kind, out.len() as u64, &payload));
        from += length;
    }
    assert!(out.len() > FILE_HEAD.len(), "an entry, or nothing is recovered");
    std::fs::write(&path, out).expect("written");
}

#[test]
fn half_an_entry_behind_those_of_another_run_of_the_system_was_cut_off_by_the_power_cut() {
    for (is_rebooted, is_told) in [(false, true), (true, false)] {
        let scratch = TestRepo::with_files(&[("a", "a")]);
        let mut transaction = begin(&scratch, Rc::new(Unwatched));
        let plan = plan(&transaction, &["a"]);
        transaction.prepare(plan).and_then(|prepared| prepared.commit()).expect("it is written");
        drop(transaction);
        if is_rebooted {
            reboot(&scratch);
        }
        let path = StateDir::new(&scratch.root().join(".git"), "main").journal();
        let mut bytes = std::fs::read(&path).expect("a journal");
        let half = bytes[super::journal_bytes::FILE_HEAD.len()..][..60].to_vec();
        bytes.extend(half);
        std::fs::write(&path, bytes).expect("written");
        let transaction = begin(&scratch, Rc::new(Unwatched));
        let told = transaction.notes.iter().any(|note| matches!(note, Note::JournalCutOff { .. }));
        assert_eq!(told, is_told, "{:?}", transaction.notes);
    }
}

#[test]
fn after_a_power_cut_no_file_is_written_for_what_another_program_did() {
    let version =
        |text: &str| crate::transaction::Version { bytes: text.into(), id: blob_id(text.as_bytes()), mode: 0o644 };
    let scratch = TestRepo::new();
    std::fs::write(scratch.root().join("f"), "after").expect("written");
    let file = crate::transaction::ObservedFile {
        change: ChangeKind::Modify,
        path: RepoPath::new(b"f").expect("a path"),
        from: None,
        before: Some(version("before")),
        after: Some(version("after")),
        patch: FilePatch::whole(6, b"after".to_vec()),
        state: Some(PathState::Clean),
        encoding: None,
    };
    let observed = crate::record::Observed::by_tool("sed");
    let meta = RecordMeta { record: RecordKind::History, observed: Some(observed), ..RecordMeta::default() };
    let observation = crate::transaction::Observation { id: RecordId::from_random([3; 8]), meta, files: vec![file] };
    begin(&scratch, Rc::new(Unwatched)).observe(observation).expect("recorded");
    // The disk kept the old text, or nothing: of an edit of redraft's own the new one would be made again.
    for left in ["before", ""] {
        let path = scratch.root().join("f");
        std::fs::write(&path, left).expect("written");
        // Older than the entry: what is younger is somebody's own edit.
        let file = std::fs::File::options().write(true).open(&path).expect("opens");
        file.set_modified(std::time::UNIX_EPOCH).expect("set");
        reboot(&scratch);
        let transaction = begin(&scratch, Rc::new(Unwatched));
        assert!(transaction.recovered().remade.is_empty());
        assert_eq!(std::fs::read_to_string(scratch.root().join("f")).expect("reads"), left);
    }
}

/// Stops before the second exchange; before the first one is taken back, somebody does something.
struct Meanwhile(Box<dyn Fn()>);

impl Watch for Meanwhile {
    fn before(&self, step: Step) -> Result<(), TransactionError> {
        match step {
            Step::Exchange(1) => Err(stopped(step)),
            Step::ExchangeBack(0) => {
                (self.0)();
                Ok(())
            }
            _ => Ok(()),
        }
    }
}

/// Seen: the old file had no place any more, and then its backup went, too.
#[test]
fn what_somebody_does_while_a_transaction_is_taken_back_costs_no_old_text() {
    enum Old {
        InPlace,
        Backup,
    }
    let gone: fn(&TestRepo) = |repo| std::fs::remove_file(repo.root().join("a")).expect("removed");
    let made: fn(&TestRepo) = |repo| repo.write("a", "mine");
    let staged: fn(&TestRepo) = |repo| {
        for name in names_below(repo, "stage").iter().filter(|name| name.contains("-0")) {
            let path = repo.root().join(".git/redraft/worktrees/main/stage").join(name);
            std::fs::remove_file(path).expect("removed");
        }
    };
    let worlds = [
        ("the new file is removed", false, gone, Old::Backup),
        ("the old file is removed from the stage", false, staged, Old::InPlace),
        ("a file is made where one was deleted", true, made, Old::Backup),
        ("a deleted file is removed from the stage", true, staged, Old::InPlace),
    ];
    for (what, is_deleted, does, old) in worlds {
        let repo = Rc::new(TestRepo::with_files(&[("a", "a"), ("b", "b")]));
        let of_watch = Rc::clone(&repo);
        let mut transaction = begin(&repo, Rc::new(Meanwhile(Box::new(move || does(&of_watch)))));
        let mut plan = plan(&transaction, &["a", "b"]);
        if is_deleted {
            let file = &mut plan.files[0];
            (file.change, file.after, file.patch) = (ChangeKind::Delete, None, FilePatch::whole(1, Vec::new()));
        }
        let error = transaction.prepare(plan).and_then(|prepared| prepared.commit()).expect_err("it was stopped");
        drop(transaction);
        let needs_recovery = error.reason().as_str() == "recovery_needed";
        assert_eq!(needs_recovery, matches!(old, Old::Backup), "{what}: {error}");
        let recovered = begin(&repo, Rc::new(Unwatched)).recovered().clone();
        assert_eq!(repo.read("b"), b"b", "{what}");
        match old {
            Old::InPlace => assert_eq!((repo.read("a"), recovered.left.len()), (b"a".to_vec(), 0), "{what}"),
            Old::Backup => {
                let backup = recovered.left[0].backup.clone().expect("where the old version is");
                assert_eq!(std::fs::read(backup).expect("it is kept"), b"a", "{what}");
            }
        }
    }
}

/// A rename of which only the first half was done is taken back: the old file never left its place.
#[test]
fn half_a_rename_is_taken_back_where_another_file_was_changed_since() {
    let repo = TestRepo::with_files(&[("a", "a"), ("b", "b")]);
    let mut transaction = begin(&repo, Rc::new(StopTwice));
    let mut plan = plan(&transaction, &["a", "b"]);
    let target = transaction.root().place(&RepoPath::new(b"c").expect("a path")).expect("a place");
    let file = &mut plan.files[1];
    (file.change, file.from) = (ChangeKind::Rename, Some(std::mem::replace(&mut file.place, target)));
    let staged = repo.root().join(format!(".git/redraft/worktrees/main/stage/{}-1", plan.id));
    transaction.prepare(plan).and_then(|prepared| prepared.commit()).expect_err("it was stopped");
    drop(transaction);
    std::fs::rename(staged, repo.root().join("c")).expect("the first half");
    repo.write("a", "somebody's own words");
    let recovered = begin(&repo, Rc::new(Unwatched)).recovered().clone();
    assert_eq!((recovered.forward.len(), recovered.back.len(), recovered.left.len()), (0, 1, 1));
    assert_eq!([repo.read("a"), repo.read("b")], [b"somebody's own words".to_vec(), b"b".to_vec()]);
    assert!(!repo.root().join("c").exists());
}
