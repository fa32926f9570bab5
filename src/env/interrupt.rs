//! Whether to stop: asked while something runs that may run long.
//!
//! Owns the question. Does not catch signals: the binary does, for as long as somebody listens.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Begins to catch what asks to stop, for as long as what it gives lives.
type Catch = dyn Fn(&Arc<AtomicBool>) -> Box<dyn Send> + Send + Sync;

/// A flag that says to stop; its clones are the same flag.
#[derive(Clone, Default)]
pub struct Interrupt {
    flag: Arc<AtomicBool>,
    catch: Option<Arc<Catch>>,
}

impl Interrupt {
    /// A flag that `catch` raises, which is called whenever somebody begins to listen.
    pub fn caught(catch: impl Fn(&Arc<AtomicBool>) -> Box<dyn Send> + Send + Sync + 'static) -> Self {
        Self { flag: Arc::default(), catch: Some(Arc::new(catch)) }
    }

    /// Says to stop what runs now and is undone when stopped: the command that approves an edit.
    pub fn raise(&self) {
        self.flag.store(true, Ordering::Relaxed);
    }

    /// Whether somebody said to stop; signals say so only while somebody listens.
    pub fn is_raised(&self) -> bool {
        self.flag.load(Ordering::Relaxed)
    }

    /// Begins to listen.
    pub fn listen(&self) -> Listening {
        let caught = self.catch.as_ref().map(|catch| catch(&self.flag));
        Listening { flag: Arc::clone(&self.flag), _caught: caught }
    }
}

impl fmt::Debug for Interrupt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Interrupt").field("flag", &self.flag).finish_non_exhaustive()
    }
}

/// Somebody listens.
#[must_use]
pub struct Listening {
    flag: Arc<AtomicBool>,
    _caught: Option<Box<dyn Send>>,
}

impl Listening {
    /// Whether to stop.
    pub fn is_told_to_stop(&self) -> bool {
        self.flag.load(Ordering::Relaxed)
    }
}
