//! The advisory lock of a working tree: one transaction at a time.
//!
//! Owns `lock` in the state of the worktree, and claims of processes by files, the only uses of fs2. The file is never deleted, or two processes could hold two locks.
//! Invariant: while a [`Lock`] lives, no other redraft writes in this working tree. The kernel releases it at death.

use super::error::TransactionError;
use crate::env::Env;
use crate::worktree::dir::Dir;
use bstr::ByteSlice;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::mpsc;
use std::time::Duration;

/// The width of the note on who holds the lock.
const NOTE: usize = 47;

/// So long is waited for the clock of a file system to move on, in milliseconds.
const MOST_TICKS: u32 = 50;

/// The lock, held.
#[derive(Debug)]
#[must_use]
pub struct Lock {
    file: File,
}

impl Lock {
    /// Takes the lock in the state folder `state`, waiting up to `timeout`.
    ///
    /// The wait is a blocking call on a thread of its own: the kernel queues waiters in order, so nobody starves, which
    /// polling could not promise.
    ///
    /// # Errors
    /// [`TransactionError::LockTimeout`], naming the holder; where the lock file cannot be opened or written.
    pub fn take(state: &Dir, timeout: Duration, env: &Env) -> Result<Self, TransactionError> {
        let start = env.clock().instant();
        let file = state.update(b"lock".as_bstr()).map_err(TransactionError::io("open", "the lock file"))?;
        match fs2::FileExt::try_lock_exclusive(&file) {
            Ok(()) => return Ok(Self::held(file, env)),
            Err(error) if error.raw_os_error() == fs2::lock_contended_error().raw_os_error() => {}
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(TransactionError::io("lock", "the lock file")(error)),
        }
        let (sender, receiver) = mpsc::channel();
        if !timeout.is_zero() {
            let waiting = file.try_clone().map_err(TransactionError::io("open", "the lock file"))?;
            let wait = move || {
                let locked = loop {
                    match fs2::FileExt::lock_exclusive(&waiting) {
                        Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                        done => break done,
                    }
                };
                // Where nobody waits any more, the lock that came too late is given back at once.
                if let Err(mpsc::SendError((waiting, _))) = sender.send((waiting, locked)) {
                    let _ = fs2::FileExt::unlock(&waiting);
                }
            };
            if std::thread::Builder::new().spawn(wait).is_err() {
                return Self::ask_for(file, timeout, env);
            }
        }
        match receiver.recv_timeout(timeout) {
            Ok((file, Ok(()))) => Ok(Self::held(file, env)),
            Ok((_, Err(error))) => Err(TransactionError::io("lock", "the lock file")(error)),
            Err(_) => {
                let waited_ms =
                    u64::try_from(env.clock().instant().duration_since(start).as_millis()).unwrap_or(u64::MAX);
                Err(TransactionError::LockTimeout { holder: holder(file), waited_ms })
            }
        }
    }

    /// Takes the lock where the system has no thread that could wait for it, by asking until it is free.
    fn ask_for(file: File, timeout: Duration, env: &Env) -> Result<Self, TransactionError> {
        match poll(&file, timeout) {
            Ok(()) => Ok(Self::held(file, env)),
            Err(error) if error.raw_os_error() == fs2::lock_contended_error().raw_os_error() => {
                let waited_ms = u64::try_from(timeout.as_millis()).unwrap_or(u64::MAX);
                Err(TransactionError::LockTimeout { holder: holder(file), waited_ms })
            }
            Err(error) => Err(TransactionError::io("lock", "the lock file")(error)),
        }
    }

    /// Notes who holds the lock, for the message of those who wait; a failure is no reason to fail.
    ///
    /// One write over the earlier note, which is as long: to shorten a file can cost more than all the rest of a transaction.
    fn held(mut file: File, env: &Env) -> Self {
        let now = env.clock().now();
        let note = format!("process {} since {now:.0}", env.process_id());
        let _ = file.write_all(format!("{note:NOTE$}\n").as_bytes());
        Self { file }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        let _ = fs2::FileExt::unlock(&self.file);
    }
}

/// A lock that the programs hold, too, which are started while this lives: where this process is killed, it is free when they have
/// ended, so that nobody decides what became of a transaction while one of them still works for it.
#[derive(Debug)]
#[must_use]
pub struct Shared<'l> {
    lock: &'l Lock,
}

impl Lock {
    /// Shares it with the programs that are started.
    pub fn shared(&self) -> Shared<'_> {
        inherit(&self.file, Inherited::Yes);
        Shared { lock: self }
    }
}

impl Drop for Shared<'_> {
    fn drop(&mut self) {
        inherit(&self.lock.file, Inherited::No);
    }
}

/// Whether programs that are started get a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Inherited {
    Yes,
    No,
}

/// Where it cannot be said, it is as it was: then only what this process itself does is guarded.
#[cfg(unix)]
fn inherit(file: &File, inherited: Inherited) {
    use rustix::io::FdFlags;
    let flags = if inherited == Inherited::Yes { FdFlags::empty() } else { FdFlags::CLOEXEC };
    let _ = rustix::io::fcntl_setfd(file, flags);
}

#[cfg(not(unix))]
fn inherit(_: &File, _: Inherited) {}

/// Says that a process is still there, by a file: the kernel takes the claim back when it dies, however it does.
#[derive(Debug)]
#[must_use]
pub struct Claim {
    file: File,
}

impl Claim {
    /// Makes the file, and claims it.
    ///
    /// # Errors
    /// Where it cannot be made, or another process has it.
    pub fn take(path: &Path) -> io::Result<Self> {
        let file = File::options().create(true).truncate(false).write(true).open(path)?;
        fs2::FileExt::try_lock_exclusive(&file)?;
        Ok(Self { file })
    }

    /// Makes the file, and claims it as soon as no other process has it, waiting up to `timeout`.
    ///
    /// # Errors
    /// Where it cannot be made, or another process has it all the time.
    pub fn wait_for(path: &Path, timeout: Duration) -> io::Result<Self> {
        let file = File::options().create(true).truncate(false).write(true).open(path)?;
        poll(&file, timeout)?;
        Ok(Self { file })
    }

    /// The time by the clock of the file system once that has moved on, in nanoseconds since 1970-01-01 UTC: what was written before
    /// is older, and what is written from now on is not.
    ///
    /// # Errors
    /// Where the file cannot be written.
    pub fn next_tick(&self) -> io::Result<i128> {
        let now = || -> io::Result<i128> {
            (&self.file).write_all(b".")?;
            Ok(Dir::meta_of(&self.file)?.mtime_ns)
        };
        let start = now()?;
        for _ in 0..MOST_TICKS {
            let then = now()?;
            if then > start {
                return Ok(then);
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        Ok(start)
    }
}

/// Locks a file as soon as it is free, up to `timeout`.
fn poll(file: &File, timeout: Duration) -> io::Result<()> {
    let mut left = timeout;
    loop {
        match fs2::FileExt::try_lock_exclusive(file) {
            Err(_) if !left.is_zero() => {
                let nap = left.min(Duration::from_millis(2));
                std::thread::sleep(nap);
                left -= nap;
            }
            done => return done,
        }
    }
}

/// Whether somebody has a claim on a file.
pub fn is_claimed(path: &Path) -> bool {
    let Ok(file) = File::open(path) else { return false };
    match fs2::FileExt::try_lock_exclusive(&file) {
        Ok(()) => {
            let _ = fs2::FileExt::unlock(&file);
            false
        }
        Err(_) => true,
    }
}

fn holder(mut file: File) -> String {
    let mut text = String::new();
    let read = file.seek(SeekFrom::Start(0)).and_then(|_| file.read_to_string(&mut text));
    match (read, text.trim()) {
        (Ok(_), text) if !text.is_empty() => told(text.lines().next().unwrap_or(text).trim_end()),
        _ => "process unknown".to_owned(),
    }
}

/// A holder as it noted itself; where no such process is seen (it may run in another container), a program that it started may have the lock.
fn told(noted: &str) -> String {
    let number = noted.strip_prefix("process ").and_then(|rest| rest.split(' ').next()?.parse().ok());
    match number.filter(|number| is_unseen(*number)) {
        Some(_) => format!("{noted}, which is not to be seen any more; a git that it started may still be at work"),
        None => noted.to_owned(),
    }
}

#[cfg(unix)]
fn is_unseen(number: i32) -> bool {
    let process = rustix::process::Pid::from_raw(number);
    process.is_some_and(|process| rustix::process::test_kill_process(process) == Err(rustix::io::Errno::SRCH))
}

#[cfg(not(unix))]
fn is_unseen(_: i32) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_taker_is_told_who_holds_the_lock_and_gets_it_afterwards() {
        let folder = tempfile::tempdir().expect("a folder");
        let state = Dir::open(folder.path()).expect("opens");
        let env = Env::in_dir(folder.path()).expect("absolute");
        let first = Lock::take(&state, Duration::ZERO, &env).expect("free");
        let refused = Lock::take(&state, Duration::from_millis(20), &env).expect_err("held");
        assert!(refused.to_string().contains(&format!("process {}", std::process::id())), "{refused}");
        drop(first);
        let _second = Lock::take(&state, Duration::from_secs(5), &env).expect("free again");
    }
}
