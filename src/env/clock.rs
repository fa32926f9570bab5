//! The clock with its time zone, and one for tests.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use std::env;
use std::fmt::Debug;
use std::fs;
use std::sync::LazyLock;
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
        static ZONE: LazyLock<Option<TimeZone>> = LazyLock::new(of_the_machine);
        ZONE.clone().unwrap_or_else(TimeZone::system)
    }
}

/// Where the machine says it is, if `TZ` says nothing else. The library would read every folder of zones for its name,
/// which takes as long as all the rest of a short `log`.
fn of_the_machine() -> Option<TimeZone> {
    const FILE: &str = "/etc/localtime";
    if env::var_os("TZ").is_some() {
        return None;
    }
    let target = fs::read_link(FILE).ok()?;
    let (_, name) = target.to_str()?.split_once("/zoneinfo/")?;
    TimeZone::tzif(name, &fs::read(FILE).ok()?).ok()
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
