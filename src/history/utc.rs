//! Times as the wire has them.

/// RFC 3339 in UTC, to the millisecond.
pub fn utc(time_ms: i64) -> String {
    let time = jiff::Timestamp::from_millisecond(time_ms).unwrap_or_default();
    time.strftime("%Y-%m-%dT%H:%M:%S%.3fZ").to_string()
}
