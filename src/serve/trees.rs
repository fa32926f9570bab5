//! A thread for each working tree.
//!
//! Owns the order in which the calls for one tree are done: that in which they came. Does not know what they do.
//! Each thread keeps its tree open for them.

use super::warm::Warm;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

type Job = Box<dyn FnOnce(&mut Warm) + Send>;

/// A tree that nobody calls for so long is closed.
const IDLE: Duration = Duration::from_secs(600);

/// The threads, by the folder that is served; each begins with the first call for its tree.
#[derive(Default)]
pub struct Trees(Mutex<HashMap<PathBuf, Sender<Job>>>);

impl Trees {
    /// Does `work` behind what was asked before it for the same folder.
    pub fn submit(&self, folder: &Path, work: impl FnOnce(&mut Warm) + Send + 'static) {
        let job: Job = Box::new(work);
        let mut threads = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let thread = threads.entry(folder.to_owned()).or_insert_with(begin);
        if let Err(unsent) = thread.send(job) {
            // A thread ends only where a job of it panicked; the next one begins anew.
            let thread = begin();
            _ = thread.send(unsent.0);
            threads.insert(folder.to_owned(), thread);
        }
    }
}

fn begin() -> Sender<Job> {
    let (sender, jobs) = channel::<Job>();
    std::thread::spawn(move || {
        let mut warm = Warm::default();
        loop {
            match jobs.recv_timeout(IDLE) {
                Ok(job) => job(&mut warm),
                Err(RecvTimeoutError::Timeout) => warm = Warm::default(),
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    });
    sender
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
}
