//! Group commit: edits of one process that wait for the lock of one tree share a sync.
//!
//! While the intent of one is written and not yet synced, those that wait come to the same point; then one sync is the commit point of
//! all. Owns who is there, and who may join. Where the others come from, and what they do, is handed in.
//! Invariants: no two touch the same file; one that cannot join is done behind the others, as if it had not been tried.

use super::Transaction;
use super::hold::Hold;
use super::plan::{Plan, PlannedFile};
use super::step::Unwatched;
use crate::change::ChangeKind;
use crate::env::Env;
use crate::path::RepoPath;
use crate::worktree::Root;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// So many edits share a sync at most.
const MOST: usize = 16;

/// An edit between its intent and its sync.
struct Member {
    hold: Hold,
    files: Vec<Touched>,
}

/// A file that is about to change: no other of the group may change it, whatever name it has for it.
#[derive(PartialEq, Eq)]
struct Touched {
    path: RepoPath,
    identity: Option<(u64, u64)>,
}

impl Touched {
    fn of(file: &PlannedFile) -> Self {
        Self { path: file.place.path.clone(), identity: file.base_meta().map(|meta| meta.identity) }
    }

    fn meets(&self, other: &Self) -> bool {
        self.path == other.path || (self.identity.is_some() && self.identity == other.identity)
    }
}

/// What came of trying to do one more of those that wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tried {
    /// It was done, or refused.
    Done,
    /// There is none, or the next one cannot join.
    None,
}

/// Does the next of those that wait, within the call: it joins.
pub type Next = dyn Fn(&Group) -> Tried;

/// The edits of one tree that share their syncs.
pub struct Group {
    members: RefCell<Vec<Member>>,
    is_postponed: Cell<bool>,
    next: Box<Next>,
    waits: Box<dyn Fn() -> bool>,
}

/// A group, as an edit leads it: whether others may be done while these files are about to change is asked only where some wait.
#[derive(Clone, Copy)]
pub struct Led<'g> {
    /// The group.
    pub group: &'g Group,
    /// Whether they may.
    pub may_join: &'g dyn Fn(&[PlannedFile]) -> bool,
}

impl Group {
    /// Of those whom `next` does; `waits` says whether it has one.
    pub fn new(next: Box<Next>, waits: Box<dyn Fn() -> bool>) -> Self {
        Self { members: RefCell::default(), is_postponed: Cell::new(false), next, waits }
    }

    /// Whether one waits for its sync: whoever comes now joins it, or is postponed.
    pub fn is_open(&self) -> bool {
        !self.members.borrow().is_empty()
    }

    /// The transaction of one that joins; none where there is nobody to join.
    pub fn join(&self, root: Root, env: &Env) -> Option<Transaction> {
        let hold = self.members.borrow().last().map(|member| member.hold.clone())?;
        Some(Transaction::with(hold, root, env, Rc::new(Unwatched)))
    }

    /// Whether these files may change together with those of the others: they are other ones, are there, and stay there.
    pub fn takes<'f>(&self, mut files: impl Iterator<Item = &'f PlannedFile>) -> bool {
        let members = self.members.borrow();
        let touched =
            |file: &PlannedFile| members.iter().flat_map(|one| &one.files).any(|one| one.meets(&Touched::of(file)));
        files.all(|file| file.change == ChangeKind::Modify && !touched(file))
    }

    /// Has what is being done now be done again, behind the others.
    pub fn postpone(&self) {
        self.is_postponed.set(true);
    }

    /// Whether what was done just now is to be done again; tells it once.
    pub fn take_postponed(&self) -> bool {
        self.is_postponed.take()
    }
}

impl Led<'_> {
    /// Lets those that wait come to the point where this one is, until one of them has synced for all.
    pub(super) fn gather(&self, hold: Hold, plan: &Plan<'_>, is_synced: &dyn Fn() -> bool) {
        let group = self.group;
        // The one that joins last is no member: nobody may join it.
        let has_room = group.members.borrow().len() + 1 < MOST;
        if !has_room || !leads(plan) || !(group.waits)() || !(self.may_join)(&plan.files) {
            return;
        }
        let files = plan.files.iter().map(Touched::of).collect();
        group.members.borrow_mut().push(Member { hold, files });
        while !is_synced() && (group.next)(group) == Tried::Done {}
        group.members.borrow_mut().pop();
    }
}

/// Whether others may come between the intent of a transaction and its end: they see the tree as it was before.
fn leads(plan: &Plan<'_>) -> bool {
    // Files such as `.gitattributes` and `.editorconfig` say how others are written.
    let says = |file: &PlannedFile| file.place.path.file_name().starts_with(b".");
    !plan.is_provisional() && plan.files.iter().all(|file| file.change == ChangeKind::Modify && !says(file))
}
