//! The clock with its time zone, and one for tests.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use std::fmt::Debug;
use std::time::Instant;

/// Tells the time.
pub trait Clock: Debug + Send + Sync {
    /// By the wall: what records carry.
    fn now(&self) -> Timestamp;

    /// Of measuring: what waits and durations are counted with. Runs on even where the other stands, so that every wait ends.
    fn instant(&self) -> Instant {
        Instant::now()
    }

    /// Where the wall is: what people are told the time in, and read dates in.
    fn time_zone(&self) -> TimeZone {
        TimeZone::system()
    }
}

/// The system's clock.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        Timestamp::now()
    }
}

/// A clock that stands, in UTC, so that records are the same in every run.
#[derive(Debug, Clone, Copy)]
pub struct FixedClock(
    /// What it shows.
    pub Timestamp,
);

impl Clock for FixedClock {
    fn now(&self) -> Timestamp {
        self.0
    }

    fn time_zone(&self) -> TimeZone {
        TimeZone::UTC
    }
}
