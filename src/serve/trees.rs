//! A thread for each working tree.
//!
//! Owns the order in which the calls for one tree are done: that in which they came. Does not know what they do.
//! Each thread keeps its tree open for them.

use super::warm::Warm;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Mutex, PoisonError};
use tokio::sync::oneshot;

type Job = Box<dyn FnOnce(&mut Warm) + Send>;

/// The threads, by the folder that is served; each begins with the first call for its tree.
#[derive(Default)]
pub struct Trees(Mutex<HashMap<PathBuf, Sender<Job>>>);

impl Trees {
    /// Does `work` behind what was asked before it for the same folder. What it gives is lost where nobody waits for it.
    pub fn submit<T: Send + 'static>(
        &self,
        folder: &Path,
        work: impl FnOnce(&mut Warm) -> T + Send + 'static,
    ) -> oneshot::Receiver<T> {
        let (sender, receiver) = oneshot::channel();
        let job: Job = Box::new(move |warm| _ = sender.send(work(warm)));
        let mut threads = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let thread = threads.entry(folder.to_owned()).or_insert_with(begin);
        if let Err(unsent) = thread.send(job) {
            // A thread ends only where a job of it panicked; the next one begins anew.
            let thread = begin();
            _ = thread.send(unsent.0);
            threads.insert(folder.to_owned(), thread);
        }
        receiver
    }
}

fn begin() -> Sender<Job> {
    let (sender, jobs) = channel::<Job>();
    std::thread::spawn(move || {
        let mut warm = Warm::default();
        jobs.into_iter().for_each(|job| job(&mut warm));
    });
    sender
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_for_one_folder_is_done_in_order() {
        let trees = Trees::default();
        let (sender, done) = channel();
        let waits: Vec<_> = (0..100)
            .map(|n| {
                let sender = sender.clone();
                trees.submit(Path::new("/a"), move |_| sender.send(n))
            })
            .collect();
        for wait in waits {
            assert!(wait.blocking_recv().is_ok_and(|sent| sent.is_ok()));
        }
        drop(sender);
        assert_eq!(done.into_iter().collect::<Vec<_>>(), (0..100).collect::<Vec<_>>());
    }

    #[test]
    fn a_call_that_panics_takes_no_other_with_it() {
        let trees = Trees::default();
        let failed = trees.submit(Path::new("/a"), |_| -> u8 { panic!("a defect") });
        assert!(failed.blocking_recv().is_err());
        let mut got = None;
        for _ in 0..50 {
            got = trees.submit(Path::new("/a"), |_| 7).blocking_recv().ok();
            if got.is_some() {
                break;
            }
        }
        assert_eq!(got, Some(7));
    }
}
