//! Points in time: read as git reads them, shown as people read them.

use super::Env;
use jiff::civil::DateTime;
use jiff::{SignedDuration, Span, Timestamp};

/// A point in time as it was written: what it stands for depends on the clock, and on where that is.
#[derive(Debug, Clone, Copy)]
pub enum When {
    /// An instant.
    At(Timestamp),
    /// A date and a time of the day, here.
    Here(DateTime),
    /// When today began, here.
    Today,
    /// So long ago.
    Ago(Span),
}

/// Reads RFC 3339, `YYYY-MM-DD` (midnight here), or git's relative words.
///
/// # Errors
/// Where it is none of these; in words.
pub fn parse(text: &str) -> Result<When, String> {
    let text = text.trim();
    if let Ok(time) = text.parse() {
        return Ok(When::At(time));
    }
    if let Ok(date) = text.parse() {
        return Ok(When::Here(date));
    }
    relative_words(text).ok_or_else(|| {
        "an RFC 3339 time, YYYY-MM-DD, or words such as \"yesterday\", \"2 hours ago\" or \"3.days\"".to_owned()
    })
}

fn relative_words(text: &str) -> Option<When> {
    // Git takes dots, blanks and hyphens between the words alike.
    let words: Vec<String> =
        text.split(|c: char| ". -_,".contains(c)).filter(|w| !w.is_empty()).map(str::to_lowercase).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).filter(|word| *word != "ago").collect();
    match words.as_slice() {
        [] => return None,
        ["now"] => return Some(When::Ago(Span::new())),
        ["today" | "midnight"] => return Some(When::Today),
        ["yesterday"] => return Some(When::Ago(Span::new().days(1))),
        _ => {}
    }
    let mut span = Span::new();
    let (pairs, []) = words.as_chunks::<2>() else { return None };
    for [number, unit] in pairs {
        let number = match *number {
            "a" | "an" | "one" | "last" => 1,
            digits => digits.parse::<i64>().ok().filter(|n| (0..1_000_000).contains(n))?,
        };
        span = match unit.trim_end_matches('s') {
            "second" | "sec" => span.try_seconds(number),
            "minute" | "min" => span.try_minutes(number),
            "hour" => span.try_hours(number),
            "day" => span.try_days(number),
            "week" => span.try_weeks(number),
            "month" => span.try_months(number),
            "year" => span.try_years(number),
            _ => return None,
        }
        .ok()?;
    }
    Some(When::Ago(span))
}

impl When {
    /// Milliseconds since 1970-01-01 UTC; what lies before all time is its beginning.
    pub fn in_ms(self, env: &Env) -> i64 {
        let now = || env.clock().now().to_zoned(env.clock().time_zone());
        let zoned = match self {
            Self::At(time) => return time.as_millisecond(),
            Self::Here(date) => date.to_zoned(env.clock().time_zone()),
            Self::Today => now().start_of_day(),
            Self::Ago(span) => now().checked_sub(span),
        };
        zoned.map_or(Timestamp::MIN, |zoned| zoned.timestamp()).as_millisecond()
    }
}

/// As `git log` shows a date, here: `Sat Nov 21 04:16:51 2026 +0100`.
pub fn local(env: &Env, time_ms: i64) -> String {
    let time = Timestamp::from_millisecond(time_ms).unwrap_or_default();
    time.to_zoned(env.clock().time_zone()).strftime("%a %b %-d %H:%M:%S %Y %z").to_string()
}

/// Whether `strftime` takes this form.
pub fn is_form(form: &str) -> bool {
    jiff::fmt::strtime::format(form, &Timestamp::UNIX_EPOCH.to_zoned(jiff::tz::TimeZone::UTC)).is_ok()
}

/// A date here, as `strftime` writes it; none where the form is no such one.
pub fn formed(env: &Env, time_ms: i64, form: &str) -> Option<String> {
    let time = Timestamp::from_millisecond(time_ms).unwrap_or_default();
    jiff::fmt::strtime::format(form, &time.to_zoned(env.clock().time_zone())).ok()
}

/// As people say it: `5 minutes ago`.
pub fn relative(env: &Env, time_ms: i64) -> String {
    relative_at(time_ms, env.clock().now())
}

fn relative_at(time_ms: i64, now: Timestamp) -> String {
    let time = Timestamp::from_millisecond(time_ms).unwrap_or_default();
    let age: SignedDuration = now.duration_since(time);
    let seconds = age.as_secs();
    if seconds < 0 {
        return "in the future".to_owned();
    }
    let said = |n: i64, unit: &str| format!("{n} {unit}{} ago", if n == 1 { "" } else { "s" });
    // Git's own steps.
    match seconds {
        0..90 => said(seconds, "second"),
        90..5400 => said((seconds + 30) / 60, "minute"),
        5400..129_600 => said((seconds + 1800) / 3600, "hour"),
        129_600..1_209_600 => said((seconds + 43_200) / 86_400, "day"),
        1_209_600..6_048_000 => said((seconds + 302_400) / 604_800, "week"),
        6_048_000..31_536_000 => said((seconds + 1_296_000) / 2_592_000, "month"),
        31_536_000..157_680_000 => {
            let months = (seconds / 86_400 * 24 + 365) / 730;
            match (months / 12, months % 12) {
                (years, 0) => said(years, "year"),
                (years, months) => {
                    format!("{} year{}, {}", years, if years == 1 { "" } else { "s" }, said(months, "month"))
                }
            }
        }
        _ => said((seconds / 86_400 + 183) / 365, "year"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::FixedClock;
    use super::*;

    fn check(text: &str, want: &str) {
        let now = "2026-11-21T12:00:00Z".parse().expect("a time");
        let env = Env::in_dir("/").expect("absolute").with_clock(FixedClock(now));
        let utc = |ms| Timestamp::from_millisecond(ms).map(|time| format!("{time:.3}")).unwrap_or_default();
        assert_eq!(parse(text).map(|when| utc(when.in_ms(&env))).as_deref(), Ok(want), "{text}");
    }

    #[test]
    fn times_are_read_as_git_reads_them() {
        check("2026-11-20T10:00:00Z", "2026-11-20T10:00:00.000Z");
        check("2026-11-20", "2026-11-20T00:00:00.000Z");
        check("2026-11-20 08:30:00", "2026-11-20T08:30:00.000Z");
        check("yesterday", "2026-11-20T12:00:00.000Z");
        check("2 hours ago", "2026-11-21T10:00:00.000Z");
        check("3.days.ago", "2026-11-18T12:00:00.000Z");
        check("1 week 2 days ago", "2026-11-12T12:00:00.000Z");
        check("now", "2026-11-21T12:00:00.000Z");
        check("15000 years ago", "-009999-01-02T01:59:59.000Z");
        check("today", "2026-11-21T00:00:00.000Z");
        assert!(parse("sometime").is_err() && parse("").is_err() && parse("3").is_err() && parse("ago").is_err());
    }

    #[test]
    fn ages_are_told_as_git_tells_them() {
        let now = Timestamp::from_second(1_000_000_000).expect("a time");
        let told = |seconds: i64| relative_at((1_000_000_000 - seconds) * 1000, now);
        assert_eq!(
            [1, 89, 90, 3600, 7200, 86_400 * 3].map(told),
            ["1 second ago", "89 seconds ago", "2 minutes ago", "60 minutes ago", "2 hours ago", "3 days ago"]
        );
    }
}
