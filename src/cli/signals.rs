//! The signals that ask a program to end, caught while somebody listens: what runs then is undone before the end.
//!
//! Owns the only handlers of the process. At all other times a signal ends it at once, which every step of a transaction
//! stands.

use crate::env::Interrupt;

/// An interrupt that SIGINT, SIGTERM and SIGHUP raise.
pub(super) fn interrupt() -> Interrupt {
    #[cfg(unix)]
    return Interrupt::caught(|flag| Box::new(Caught::by(flag)));
    #[cfg(not(unix))]
    Interrupt::default()
}

#[cfg(unix)]
struct Caught(Vec<signal_hook::SigId>);

#[cfg(unix)]
impl Caught {
    fn by(flag: &std::sync::Arc<std::sync::atomic::AtomicBool>) -> Self {
        use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
        let register = |signal| signal_hook::flag::register(signal, std::sync::Arc::clone(flag)).ok();
        Self([SIGINT, SIGTERM, SIGHUP].into_iter().filter_map(register).collect())
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
