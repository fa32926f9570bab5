//! The signals that ask a program to end, caught while somebody listens: what runs then is undone before the end.
//!
//! Owns the only handlers of the process, also while another program runs in its place. At all other times a signal ends it at once, which every step of a transaction
//! stands.

use crate::env::Interrupt;
use std::io;
use std::process::{Command, ExitStatus};
#[cfg(unix)]
use std::sync::Arc;
#[cfg(unix)]
use std::sync::atomic::{AtomicBool, Ordering};
#[cfg(unix)]
use std::time::Duration;

/// An interrupt that SIGINT, SIGTERM and SIGHUP raise.
pub(super) fn interrupt() -> Interrupt {
    #[cfg(unix)]
    return Interrupt::caught(|flag| Box::new(Caught::by(flag)));
    #[cfg(not(unix))]
    Interrupt::default()
}

/// Runs a program in the place of this one: a signal of the terminal reaches both, and only the program is to decide what it
/// means; one that asks only this process to end is handed on.
///
/// # Errors
/// Where it cannot be run.
#[cfg(unix)]
pub(super) fn run(command: &mut Command) -> io::Result<ExitStatus> {
    use rustix::process::{Pid, Signal, kill_process};
    use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
    let flag = || Arc::new(AtomicBool::new(false));
    let (ignored, terminate, hang_up) = (flag(), flag(), flag());
    let _ignored = Caught::of(&[SIGINT, SIGQUIT], &ignored);
    let _handed_on = [Caught::of(&[SIGTERM], &terminate), Caught::of(&[SIGHUP], &hang_up)];
    let mut child = command.spawn()?;
    let mut pause = Duration::from_millis(1);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        for (flag, signal) in [(&terminate, Signal::TERM), (&hang_up, Signal::HUP)] {
            if flag.swap(false, Ordering::Relaxed)
                && let Some(pid) = i32::try_from(child.id()).ok().and_then(Pid::from_raw)
            {
                // It may have ended by itself.
                let _ = kill_process(pid, signal);
            }
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

/// As there.
///
/// # Errors
/// Where it cannot be run.
#[cfg(not(unix))]
pub(super) fn run(command: &mut Command) -> io::Result<ExitStatus> {
    command.status()
}

/// A signal that is noticed as long as this lives, instead of ending the process.
pub(super) struct Noticed {
    #[cfg(unix)]
    flag: Arc<AtomicBool>,
    #[cfg(unix)]
    _caught: Caught,
}

impl Noticed {
    /// SIGQUIT: what has the terminal gives it back before it ends.
    #[cfg(feature = "review")]
    pub(super) fn quit() -> Self {
        #[cfg(unix)]
        return Self::of(signal_hook::consts::SIGQUIT);
        #[cfg(not(unix))]
        Self {}
    }

    /// Ctrl-C while a pager has the terminal: it is the pager's. Who reads goes on reading, and no shell reads beside it. What was not
    /// printed by then need not be.
    pub(super) fn ctrl_c() -> Self {
        #[cfg(unix)]
        return Self::of(signal_hook::consts::SIGINT);
        #[cfg(not(unix))]
        Self {}
    }

    #[cfg(unix)]
    fn of(signal: i32) -> Self {
        let flag = Arc::new(AtomicBool::new(false));
        Self { _caught: Caught::of(&[signal], &flag), flag }
    }

    /// Whether it came.
    pub(super) fn came(&self) -> bool {
        #[cfg(unix)]
        return self.flag.load(Ordering::Relaxed);
        #[cfg(not(unix))]
        false
    }
}

/// Stops this process and those that run with it, as ctrl-Z does, until the shell goes on with them.
#[cfg(feature = "review")]
pub(super) fn suspend() {
    #[cfg(unix)]
    {
        // Where the system refuses that, it goes on.
        let _ = rustix::process::kill_current_process_group(rustix::process::Signal::TSTP);
    }
}

#[cfg(unix)]
struct Caught(Vec<signal_hook::SigId>);

#[cfg(unix)]
impl Caught {
    fn by(flag: &Arc<AtomicBool>) -> Self {
        use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
        Self::of(&[SIGINT, SIGTERM, SIGHUP], flag)
    }

    fn of(signals: &[i32], flag: &Arc<AtomicBool>) -> Self {
        let register = |signal| signal_hook::flag::register(signal, Arc::clone(flag)).ok();
        let ignored = ignored();
        let is_ignored = |signal: i32| ignored & 1_u64.checked_shl(signal as u32 - 1).unwrap_or_default() != 0;
        // What whoever started this ignores stays so, also for a program that is run.
        Self(signals.iter().copied().filter(|&signal| !is_ignored(signal)).filter_map(register).collect())
    }
}

#[cfg(unix)]
impl Drop for Caught {
    fn drop(&mut self) {
        for id in self.0.drain(..) {
            signal_hook::low_level::unregister(id);
        }
    }
}

/// The signals that are ignored, the first in the lowest bit; none where the system does not tell.
#[cfg(unix)]
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or_default()
}
