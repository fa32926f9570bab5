//! A thread for each working tree.
//!
//! Owns the order in which the calls for one tree are done: that in which they came, but for those that share a sync. Does not know
//! what they do. Each thread keeps its tree open for them, and ends where nobody calls for long.

use super::warm::Warm;
use crate::transaction::{Group, Tried};
use std::cell::{Cell, RefCell};
use std::collections::{HashMap, VecDeque};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// What a call has of its tree.
pub struct Turn<'t> {
    /// The tree, kept open.
    pub warm: &'t mut Warm,
    /// The edits of it that share a sync.
    pub group: &'t Group,
}

/// Tells the caller what came of a call.
pub type Tell = Box<dyn FnOnce()>;

enum Job {
    /// Done by itself.
    #[cfg_attr(not(feature = "mcp"), allow(dead_code, reason = "all calls over the socket may join"))]
    Alone(Box<dyn FnOnce(&mut Turn<'_>) + Send>),
    /// May be done within another one, and is done again where it was [postponed](Group::postpone): nobody was told of it then.
    Joining(Box<dyn FnMut(&mut Turn<'_>) -> Tell + Send>),
}

/// A tree that was edited, and that nobody calls for so long, is looked after.
const REST: Duration = Duration::from_secs(2);

/// A tree that nobody calls for so long is closed.
const IDLE: Duration = Duration::from_secs(600);

/// As many calls within each other as share a sync have room on the stack of their thread.
const STACK: usize = 32 << 20;

/// The threads, by the folder that is served.
type Threads = Mutex<HashMap<PathBuf, Sender<Job>>>;

/// The threads of all trees; each begins with the first call for its tree.
#[derive(Default)]
pub struct Trees(Arc<Threads>);

impl Trees {
    /// Does `work` behind what was asked before it for the same folder.
    #[cfg_attr(not(feature = "mcp"), allow(dead_code, reason = "all calls over the socket may join"))]
    pub fn submit(&self, folder: &Path, work: impl FnOnce(&mut Turn<'_>) + Send + 'static) {
        self.send(folder, Job::Alone(Box::new(work)));
    }

    /// As [`Self::submit`], for what may be done within another call that does the same: both share a sync.
    pub fn submit_joining(&self, folder: &Path, work: impl FnMut(&mut Turn<'_>) -> Tell + Send + 'static) {
        self.send(folder, Job::Joining(Box::new(work)));
    }

    fn send(&self, folder: &Path, job: Job) {
        let mut threads = lock(&self.0);
        let begin = || begin(folder.to_owned(), Arc::clone(&self.0));
        let thread = threads.entry(folder.to_owned()).or_insert_with(begin);
        if let Err(unsent) = thread.send(job) {
            // Its thread ended with a job that panicked; the next one begins anew.
            let thread = begin();
            let unsent = thread.send(unsent.0).err();
            threads.insert(folder.to_owned(), thread);
            drop(threads);
            // Where the system has no more threads, it is done here.
            if let Some(unsent) = unsent {
                let (_, jobs) = channel();
                Queue::of(jobs).run(unsent.0, &Group::new(Box::new(|_| Tried::None), Box::new(|| false)));
            }
        }
    }
}

fn lock(threads: &Threads) -> std::sync::MutexGuard<'_, HashMap<PathBuf, Sender<Job>>> {
    threads.lock().unwrap_or_else(PoisonError::into_inner)
}

fn begin(folder: PathBuf, threads: Arc<Threads>) -> Sender<Job> {
    let (sender, jobs) = channel::<Job>();
    let serve = move || {
        let queue = Rc::new(Queue::of(jobs));
        let within = Rc::clone(&queue);
        let waiting = Rc::clone(&queue);
        let group = Group::new(Box::new(move |group| within.try_next(group)), Box::new(move || waiting.is_there()));
        while let Some(job) = queue.wait(IDLE, || end(&threads, &folder, &queue)) {
            queue.run(job, &group);
        }
    };
    // Where there is no thread to be had, nothing can be sent to it.
    _ = std::thread::Builder::new().stack_size(STACK).spawn(serve);
    sender
}

/// Takes a tree that nobody calls from the list; gives the call that came meanwhile, for which it stays.
fn end(threads: &Threads, folder: &Path, queue: &Queue) -> Option<Job> {
    let mut threads = lock(threads);
    let job = queue.jobs.try_recv().ok();
    if job.is_none() {
        threads.remove(folder);
    }
    job
}

/// The calls for one tree.
struct Queue {
    jobs: Receiver<Job>,
    /// Those that were taken and put back, which come before the others.
    first: RefCell<VecDeque<Job>>,
    /// The tree, kept open as often as calls were within each other; the one that was used last comes last.
    spare: RefCell<Vec<Warm>>,
    /// Since it was looked after.
    was_edited: Cell<bool>,
}

impl Queue {
    fn of(jobs: Receiver<Job>) -> Self {
        Self { jobs, first: RefCell::default(), spare: RefCell::default(), was_edited: Cell::default() }
    }

    /// The next call; none where nobody called for so long, and `last` has none either.
    fn wait(&self, idle: Duration, last: impl FnOnce() -> Option<Job>) -> Option<Job> {
        let first = self.first.borrow_mut().pop_front().or_else(|| self.jobs.recv_timeout(REST.min(idle)).ok());
        first.or_else(|| {
            if self.was_edited.take()
                && let Some(warm) = self.spare.borrow().last()
            {
                warm.look_after();
            }
            self.wait_long(idle, last)
        })
    }

    fn wait_long(&self, idle: Duration, last: impl FnOnce() -> Option<Job>) -> Option<Job> {
        match self.jobs.recv_timeout(idle) {
            Ok(job) => Some(job),
            Err(RecvTimeoutError::Timeout) => last(),
            Err(RecvTimeoutError::Disconnected) => None,
        }
    }

    fn run(&self, job: Job, group: &Group) {
        match job {
            Job::Alone(work) => self.with_warm(|warm| work(&mut Turn { warm, group })),
            Job::Joining(mut work) => {
                self.was_edited.set(true);
                self.with_warm(|warm| work(&mut Turn { warm, group }))();
            }
        }
    }

    /// Whether a call waits now.
    fn is_there(&self) -> bool {
        let mut first = self.first.borrow_mut();
        if first.is_empty() {
            first.extend(self.jobs.try_recv());
        }
        !first.is_empty()
    }

    /// Does the next call within another one, where it may be done so.
    fn try_next(&self, group: &Group) -> Tried {
        let first = self.first.borrow_mut().pop_front();
        match first.or_else(|| self.jobs.try_recv().ok()) {
            None => Tried::None,
            Some(Job::Joining(mut work)) => {
                let tell = self.with_warm(|warm| work(&mut Turn { warm, group }));
                if group.take_postponed() {
                    // Those that it was to let join may have been put back before it.
                    self.first.borrow_mut().push_front(Job::Joining(work));
                    return Tried::None;
                }
                tell();
                Tried::Done
            }
            Some(alone) => {
                self.first.borrow_mut().push_front(alone);
                Tried::None
            }
        }
    }

    fn with_warm<T>(&self, work: impl FnOnce(&mut Warm) -> T) -> T {
        let mut warm = self.spare.borrow_mut().pop().unwrap_or_default();
        let done = work(&mut warm);
        self.spare.borrow_mut().push(warm);
        done
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    #[test]
    fn what_is_asked_for_one_folder_is_done_in_order() {
        let trees = Trees::default();
        let (sender, done) = channel();
        for n in 0..100 {
            let sender = sender.clone();
            trees.submit(Path::new("/a"), move |_| _ = sender.send(n));
        }
        drop(sender);
        assert_eq!(done.into_iter().collect::<Vec<_>>(), (0..100).collect::<Vec<_>>());
    }

    #[test]
    fn a_call_that_panics_takes_no_other_with_it() {
        let trees = Trees::default();
        trees.submit(Path::new("/a"), |_| panic!("a defect"));
        for _ in 0..50 {
            let (sender, done) = mpsc::channel();
            trees.submit(Path::new("/a"), move |_| _ = sender.send(7));
            if done.recv() == Ok(7) {
                return;
            }
        }
        panic!("the folder is served no more");
    }

    #[test]
    fn a_tree_that_nobody_calls_is_taken_from_the_list_unless_a_call_came_meanwhile() {
        let (sender, jobs) = channel();
        let queue = Queue::of(jobs);
        let threads = Threads::new(HashMap::from([(PathBuf::from("/a"), sender.clone())]));
        _ = sender.send(Job::Alone(Box::new(|_| ())));
        assert!(end(&threads, Path::new("/a"), &queue).is_some());
        assert_eq!(lock(&threads).len(), 1);
        assert!(end(&threads, Path::new("/a"), &queue).is_none());
        assert_eq!(lock(&threads).len(), 0);
    }

    #[test]
    fn a_call_that_cannot_be_done_within_another_comes_behind_it_and_before_the_others() {
        let (sender, jobs) = channel();
        let queue = Queue::of(jobs);
        let group = Group::new(Box::new(|_| Tried::None), Box::new(|| false));
        let told = Rc::new(RefCell::new(Vec::new()));
        let (order, done) = channel();
        for n in 0..4 {
            let order = order.clone();
            let mut tries = 0;
            let work = move |turn: &mut Turn<'_>| -> Tell {
                tries += 1;
                // The second cannot join.
                if n == 1 && tries == 1 {
                    turn.group.postpone();
                }
                let order = order.clone();
                Box::new(move || _ = order.send(n))
            };
            let job = if n == 3 { Job::Alone(Box::new(|_| ())) } else { Job::Joining(Box::new(work)) };
            _ = sender.send(job);
        }
        drop(order);
        assert_eq!(queue.try_next(&group), Tried::Done);
        assert_eq!(queue.try_next(&group), Tried::None);
        told.borrow_mut().extend(done.try_iter());
        assert_eq!(*told.borrow(), [0], "nobody is told of what was postponed");
        let job = queue.wait(Duration::ZERO, || None).expect("it is there");
        queue.run(job, &group);
        assert_eq!(queue.try_next(&group), Tried::Done);
        assert_eq!(queue.try_next(&group), Tried::None, "one that is done by itself");
        told.borrow_mut().extend(done.try_iter());
        assert_eq!(*told.borrow(), [0, 1, 2]);
        assert!(matches!(queue.wait(Duration::ZERO, || None), Some(Job::Alone(_))));
    }

    #[test]
    fn several_that_are_put_back_within_each_other_are_all_done_in_their_order() {
        thread_local!(static QUEUE: RefCell<Option<Rc<Queue>>> = RefCell::default());
        let (sender, jobs) = channel();
        let queue = Rc::new(Queue::of(jobs));
        QUEUE.set(Some(Rc::clone(&queue)));
        let group = Group::new(Box::new(|_| Tried::None), Box::new(|| false));
        let (order, done) = channel();
        for n in 0..3 {
            let (order, mut is_first) = (order.clone(), true);
            let work = move |turn: &mut Turn<'_>| -> Tell {
                if std::mem::take(&mut is_first) {
                    // The next one comes within this one, and then neither of them can join.
                    QUEUE.with_borrow(|queue| queue.clone().map(|queue| queue.try_next(turn.group)));
                    turn.group.postpone();
                }
                let order = order.clone();
                Box::new(move || _ = order.send(n))
            };
            _ = sender.send(Job::Joining(Box::new(work)));
        }
        assert_eq!(queue.try_next(&group), Tried::None);
        for _ in 0..3 {
            let job = queue.wait(Duration::ZERO, || None).expect("it is there");
            queue.run(job, &group);
        }
        assert_eq!(done.try_iter().collect::<Vec<_>>(), [0, 1, 2]);
    }
}
