//! Points in time: read as git reads them, shown as people read them.

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, Zoned};

/// Reads RFC 3339, `YYYY-MM-DD` (midnight here), or git's relative words; gives milliseconds since 1970-01-01 UTC.
///
/// # Errors
/// Where it is none of these; in words.
pub(super) fn parse(text: &str) -> Result<i64, String> {
    parse_at(text, &Zoned::now()).ok_or_else(|| {
        "an RFC 3339 time, YYYY-MM-DD, or words such as \"yesterday\", \"2 hours ago\" or \"3.days\"".to_owned()
    })
}

fn parse_at(text: &str, now: &Zoned) -> Option<i64> {
    let text = text.trim();
    if let Ok(time) = text.parse::<Timestamp>() {
        return Some(time.as_millisecond());
    }
    if let Ok(date) = text.parse::<jiff::civil::DateTime>() {
        return Some(date.to_zoned(now.time_zone().clone()).ok()?.timestamp().as_millisecond());
    }
    // Git takes dots, blanks and hyphens between the words alike.
    let words: Vec<String> =
        text.split(|c: char| ". -_,".contains(c)).filter(|w| !w.is_empty()).map(str::to_lowercase).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).filter(|word| *word != "ago").collect();
    match words.as_slice() {
        ["now"] => return Some(now.timestamp().as_millisecond()),
        ["today" | "midnight"] => return Some(now.start_of_day().ok()?.timestamp().as_millisecond()),
        ["yesterday"] => return Some(now.checked_sub(jiff::Span::new().days(1)).ok()?.timestamp().as_millisecond()),
        _ => {}
    }
    let mut span = jiff::Span::new();
    let mut pairs = words.chunks_exact(2);
    for pair in pairs.by_ref() {
        let number = match pair[0] {
            "a" | "an" | "one" | "last" => 1,
            digits => digits.parse::<i64>().ok().filter(|n| (0..1_000_000).contains(n))?,
        };
        span = match pair[1].trim_end_matches('s') {
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
    if words.is_empty() || !pairs.remainder().is_empty() {
        return None;
    }
    Some(now.checked_sub(span).ok()?.timestamp().as_millisecond())
}

pub(super) use crate::history::utc;

/// As `git log` shows a date, here: `Sat Nov 21 04:16:51 2026 +0100`.
pub(super) fn local(time_ms: i64) -> String {
    let time = Timestamp::from_millisecond(time_ms).unwrap_or_default();
    time.to_zoned(TimeZone::system()).strftime("%a %b %-d %H:%M:%S %Y %z").to_string()
}

/// As people say it: `5 minutes ago`.
pub(super) fn relative(time_ms: i64) -> String {
    relative_at(time_ms, Timestamp::now())
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
        _ => said(seconds / 31_536_000, "year"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, want: &str) {
        let now: Zoned = "2026-11-21T12:00:00+00:00[UTC]".parse().expect("a time");
        assert_eq!(parse_at(text, &now).map(utc).as_deref(), Some(want), "{text}");
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
        check("today", "2026-11-21T00:00:00.000Z");
        assert!(parse("sometime").is_err() && parse("").is_err() && parse("3").is_err());
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
