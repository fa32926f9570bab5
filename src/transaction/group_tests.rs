//! Edits that share a sync, stopped and killed at every step.

use super::tests::{begin_at, plan, stopped};
use super::{Group, Led, Transaction, TransactionError, Tried, Unwatched, Watch};
use crate::env::Env;
use crate::id::RecordId;
use crate::testing::TestRepo;
use crate::transaction::journal::Journal;
use crate::transaction::journal_bytes::{Outcome, parse};
use crate::transaction::step::Step;
use crate::worktree::Root;
use std::cell::{Cell, RefCell};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::rc::Rc;

const FILES: [&str; 4] = ["a", "b", "c", "d"];

type Done = Result<(), TransactionError>;

fn scratch() -> TestRepo {
    TestRepo::with_files(&FILES.map(|name| (name, name)))
}

fn led(group: &Group) -> Led<'_> {
    Led { group, may_join: &|_| true }
}

/// Does an edit of each file, each within the one before; gives what came of them, in the order of the files.
fn edit_all(root: &Path, watch: impl Fn(usize) -> Rc<dyn Watch> + 'static) -> Vec<Done> {
    let results: Rc<RefCell<Vec<Option<Done>>>> = Rc::new(RefCell::new(FILES.iter().map(|_| None).collect()));
    let at = Rc::new(Cell::new(0));
    let (told, place, nth) = (Rc::clone(&results), root.to_owned(), Rc::clone(&at));
    let edit = Rc::new(move |transaction: &mut Transaction, group: &Group, n: usize| {
        transaction.watch = watch(n);
        let mut plan = plan(transaction, &[FILES[n]]);
        plan.id = RecordId::from_random([n as u8; 8]);
        let done = transaction.prepare(plan).and_then(|prepared| prepared.commit_in(Some(led(group)))).map(drop);
        told.borrow_mut()[n] = Some(done);
    });
    let within = Rc::clone(&edit);
    let group = Group::new(
        Box::new(move |group| {
            let n = nth.get() + 1;
            if n == FILES.len() {
                return Tried::None;
            }
            nth.set(n);
            let env = Env::in_dir(&place).expect("absolute");
            let mut transaction = group.join(Root::open(&place).expect("opens"), &env).expect("one is open");
            within(&mut transaction, group, n);
            Tried::Done
        }),
        Box::new(|| true),
    );
    let mut transaction = begin_at(root, Rc::new(Unwatched));
    edit(&mut transaction, &group, 0);
    drop(transaction);
    // Where the first stops before its intent, the others are not called.
    results.take().into_iter().flatten().collect()
}

fn texts(root: &Path) -> Vec<String> {
    FILES.iter().map(|name| std::fs::read_to_string(root.join(name)).expect("reads")).collect()
}

fn outcomes(root: &Path) -> Vec<Outcome> {
    let journal = root.join(".git/redraft/worktrees/main").join(Journal::NAME);
    parse(&std::fs::read(journal).expect("a journal")).entries.iter().map(|entry| entry.outcome).collect()
}

/// Stops one step of one edit.
struct StopAt(Option<Step>);

impl Watch for StopAt {
    fn before(&self, step: Step) -> Result<(), TransactionError> {
        if self.0 == Some(step) { Err(stopped(step)) } else { Ok(()) }
    }
}

#[test]
fn one_that_fails_takes_none_of_the_others_with_it() {
    let steps =
        [Step::Stage(0), Step::BackUp(0), Step::CommitIntent, Step::Exchange(0), Step::MarkApplied, Step::CleanUp];
    for (step, which) in steps.into_iter().flat_map(|step| (0..FILES.len()).map(move |which| (step, which))) {
        let scratch = scratch();
        let done = edit_all(&scratch.root(), move |n| Rc::new(StopAt((n == which).then_some(step))));
        let is_first = which == 0 && matches!(step, Step::Stage(_) | Step::BackUp(_) | Step::CommitIntent);
        assert_eq!(done.len(), if is_first { 1 } else { FILES.len() });
        for (n, (text, done)) in texts(&scratch.root()).iter().zip(&done).enumerate() {
            let want = if done.is_ok() { format!("{}!", FILES[n]) } else { FILES[n].to_owned() };
            assert_eq!(*text, want, "{step:?} of {which}: {done:?}");
            assert!(done.is_ok() || n == which, "{step:?} of {which}: {done:?}");
        }
        let before = texts(&scratch.root());
        let recovered = begin_at(&scratch.root(), Rc::new(Unwatched)).recovered().clone();
        assert_eq!(texts(&scratch.root()), before, "{step:?} of {which}");
        assert!(recovered.back.is_empty() && recovered.left.is_empty(), "{recovered:?}");
        assert!(!outcomes(&scratch.root()).contains(&Outcome::Open), "{step:?} of {which}");
        let staged = scratch.root().join(".git/redraft/worktrees/main/stage");
        assert_eq!(std::fs::read_dir(staged).expect("a folder").count(), 0, "{step:?} of {which}");
    }
}

/// Copies the working tree and its repository before each step, as a kill there leaves them.
struct Copies {
    root: PathBuf,
    below: PathBuf,
    count: Rc<Cell<usize>>,
}

impl Watch for Copies {
    fn before(&self, _: Step) -> Result<(), TransactionError> {
        let n = self.count.get();
        let done = Command::new("cp").arg("-a").arg(&self.root).arg(self.below.join(n.to_string())).status();
        assert!(done.expect("cp runs").success());
        self.count.set(n + 1);
        Ok(())
    }
}

#[test]
fn killed_at_any_step_each_whose_intent_is_written_goes_forward_and_no_other() {
    let (scratch, copies) = (scratch(), tempfile::tempdir().expect("a folder"));
    let (count, root, below) = (Rc::new(Cell::new(0)), scratch.root(), copies.path().to_owned());
    let counted = Rc::clone(&count);
    let watch = move |_| -> Rc<dyn Watch> {
        Rc::new(Copies { root: root.clone(), below: below.clone(), count: Rc::clone(&count) })
    };
    let done = edit_all(&scratch.root(), watch);
    assert!(done.len() == FILES.len() && done.iter().all(Result::is_ok), "{done:?}");
    let mut most_open = 0;
    for n in 0..counted.get() {
        let root = copies.path().join(n.to_string());
        let written = outcomes(&root).len();
        most_open = most_open.max(outcomes(&root).iter().filter(|outcome| **outcome == Outcome::Open).count());
        drop(begin_at(&root, Rc::new(Unwatched)));
        let want =
            FILES.iter().enumerate().map(|(n, name)| if n < written { format!("{name}!") } else { (*name).to_owned() });
        assert_eq!(texts(&root), want.collect::<Vec<_>>(), "{n}: {written} intents");
        assert_eq!(outcomes(&root), vec![Outcome::Applied; written], "{n}");
        let again = begin_at(&root, Rc::new(Unwatched));
        assert!(again.recovered().is_empty(), "{n}: {:?}", again.recovered());
    }
    assert_eq!(most_open, FILES.len(), "all were open at once");
}

#[test]
fn a_file_that_somebody_changed_meanwhile_is_kept_and_the_others_are_edited() {
    struct Foreign(PathBuf);
    impl Watch for Foreign {
        fn before(&self, step: Step) -> Result<(), TransactionError> {
            if step == Step::Exchange(0) {
                std::fs::write(&self.0, "somebody's").expect("written");
            }
            Ok(())
        }
    }
    for (which, name) in FILES.iter().enumerate() {
        let scratch = scratch();
        let path = scratch.root().join(name);
        let done = edit_all(&scratch.root(), move |n| -> Rc<dyn Watch> {
            if n == which { Rc::new(Foreign(path.clone())) } else { Rc::new(Unwatched) }
        });
        let want = FILES
            .iter()
            .enumerate()
            .map(|(n, name)| if n == which { "somebody's".to_owned() } else { format!("{name}!") });
        assert_eq!(texts(&scratch.root()), want.collect::<Vec<_>>());
        assert_eq!(
            done.iter().map(Result::is_ok).collect::<Vec<_>>(),
            (0..FILES.len()).map(|n| n != which).collect::<Vec<_>>()
        );
        assert!(begin_at(&scratch.root(), Rc::new(Unwatched)).recovered().is_empty());
    }
}

#[test]
fn who_changes_a_file_of_another_one_or_more_than_its_text_does_not_join() {
    let scratch = scratch();
    std::fs::hard_link(scratch.root().join("a"), scratch.root().join("other name of a")).expect("a link");
    let (root, asked) = (scratch.root(), Rc::new(Cell::new(0)));
    let count = Rc::clone(&asked);
    let group = Group::new(
        Box::new(move |group| {
            count.set(count.get() + 1);
            assert!(group.is_open());
            let env = Env::in_dir(&root).expect("absolute");
            let transaction = group.join(Root::open(&root).expect("opens"), &env).expect("one is open");
            for (path, takes) in [("a", false), ("other name of a", false), ("b", true)] {
                let mut plan = plan(&transaction, &[path]);
                assert_eq!(group.takes(plan.files.iter()), takes, "{path}");
                plan.files[0].change = crate::change::ChangeKind::Delete;
                assert!(!group.takes(plan.files.iter()), "{path}");
            }
            Tried::None
        }),
        Box::new(|| true),
    );
    assert!(!group.is_open());
    // Behind one that says how others are written, all others come.
    scratch.write(".gitattributes", "# none");
    for (paths, leads) in [(["a"], 1), ([".gitattributes"], 0)] {
        asked.set(0);
        let mut transaction = begin_at(&scratch.root(), Rc::new(Unwatched));
        let plan = plan(&transaction, &paths);
        transaction.prepare(plan).and_then(|prepared| prepared.commit_in(Some(led(&group)))).expect("committed");
        assert_eq!(asked.get(), leads, "{paths:?}");
        assert!(!group.is_open());
    }
    // Nor where the caller knows of such files by other names.
    let mut transaction = begin_at(&scratch.root(), Rc::new(Unwatched));
    let plan = plan(&transaction, &["b"]);
    let led = Led { group: &group, may_join: &|files| files.iter().all(|file| file.place.path.file_name() != "b") };
    transaction.prepare(plan).and_then(|prepared| prepared.commit_in(Some(led))).expect("committed");
    assert_eq!(asked.get(), 0);
}
