//! The timeline: when which session changed how much.
//!
//! Owns the picture. Its size does not grow with the number of records: what is close together is one bar.

use super::cast::{Cast, name_of, named, session_name_of};
use super::html;
use super::scale::{BREAK, Scale};
use crate::usecase::report::{RecordTold, Standing};
use std::collections::BTreeMap;

/// So many sessions have a lane of their own; of more, each agent has one.
const MOST_LANES: usize = 14;
/// In units of the picture.
const WIDTH: f64 = 1160.0;
const LEFT: f64 = 190.0;
const LANE: f64 = 34.0;
const TOP: f64 = 8.0;
const BAR: f64 = 7.0;
const HIGHEST: f64 = 27.0;
/// A name of a lane has room for so many letters.
const LETTERS: usize = 27;

/// One row of the picture.
struct Lane<'r> {
    /// Not escaped yet.
    name: String,
    agent: Option<&'r str>,
    /// 0-based places of its records.
    records: Vec<usize>,
}

/// The picture; nothing where there is no record.
pub(super) fn timeline(cast: &Cast<'_>) -> String {
    let records = &cast.report().records;
    let mut times: Vec<i64> = records.iter().map(|record| record.time_ms).collect();
    times.sort_unstable();
    let (Some(first), Some(last)) = (times.first(), times.last()) else { return String::new() };
    let scale = Scale::new(&times, WIDTH - LEFT - BAR);
    let lanes = lanes(cast);
    let bottom = TOP + LANE * lanes.len() as f64;
    let mut out = format!(
        "<svg class=\"timeline\" viewBox=\"0 0 {WIDTH} {}\" role=\"img\" aria-label=\"{} in {} from {} to {}; the list of sessions has \
         the same in words\">",
        bottom + 38.0,
        html::counted(records.len(), "record"),
        html::counted(lanes.len(), "lane"),
        cast.time(*first, "%b %-d %H:%M"),
        cast.time(*last, "%b %-d %H:%M"),
    );
    // The bars stand before the lines.
    out.push_str(&axis(cast, &scale, bottom));
    for (n, lane) in lanes.iter().enumerate() {
        out.push_str(&lane_drawn(cast, lane, &scale, TOP + LANE * n as f64));
    }
    out + "</svg>"
}

/// One lane for each session, or, where there are too many, for each agent; what is beyond that is one more.
fn lanes<'r>(cast: &Cast<'r>) -> Vec<Lane<'r>> {
    let report = cast.report();
    if report.sessions.len() <= MOST_LANES {
        let lane = |session: &'r crate::usecase::report::SessionTold| {
            let (agent, name) = (name_of(session.agent.as_deref()), session_name_of(session.session.as_deref()));
            let records = session.turns.iter().flat_map(|turn| turn.records.iter().copied()).collect();
            Lane { name: format!("{agent}, {name}"), agent: session.agent.as_deref(), records }
        };
        return report.sessions.iter().map(lane).collect();
    }
    let mut by: BTreeMap<usize, Lane<'r>> = BTreeMap::new();
    for (n, record) in report.records.iter().enumerate() {
        let agent = record.agent.as_deref();
        let place = cast.number(agent).min(MOST_LANES - 1);
        let name = if place == MOST_LANES - 1 { "other agents" } else { name_of(agent) };
        by.entry(place).or_insert_with(|| Lane { name: name.to_owned(), agent, records: Vec::new() }).records.push(n);
    }
    by.into_values().collect()
}

fn lane_drawn(cast: &Cast<'_>, lane: &Lane<'_>, scale: &Scale, y: f64) -> String {
    let records = &cast.report().records;
    let mut bars: BTreeMap<i64, Vec<usize>> = BTreeMap::new();
    for &n in &lane.records {
        bars.entry((scale.x(records[n].time_ms) / BAR) as i64).or_default().push(n);
    }
    let base = y + LANE - 4.0;
    let mut out = format!(
        "<g><title>{}</title><circle class=\"{}\" cx=\"8\" cy=\"{}\" r=\"4.5\"/><text class=\"lane\" x=\"20\" y=\"{}\">{}</text>\
         <path class=\"line\" d=\"M{LEFT} {base}H{WIDTH}\"/></g>",
        html::line(&lane.name),
        cast.class(lane.agent),
        base - 9.0,
        base - 5.0,
        html::short_line(&lane.name, LETTERS),
    );
    for (column, members) in bars {
        let members: Vec<&RecordTold> = members.iter().map(|n| &records[*n]).collect();
        out.push_str(&bar(cast, &members, (LEFT + column as f64 * BAR, base)));
    }
    out
}

/// What was done at about one time.
fn bar(cast: &Cast<'_>, members: &[&RecordTold], (x, base): (f64, f64)) -> String {
    let Some(first) = members.first() else { return String::new() };
    let files = members.iter().flat_map(|record| &record.files);
    let (added, removed) = files.fold((0, 0), |(added, removed), file| {
        (added + file.lines_added.unwrap_or_default(), removed + file.lines_removed.unwrap_or_default())
    });
    let height = (5.0 + ((1 + added + removed) as f64).log2() * 3.0).min(HIGHEST);
    let is_undone = members.iter().all(|record| record.standing == Standing::Undone);
    let undone = if is_undone { " u" } else { "" };
    let told = if is_undone { ", undone" } else { "" };
    format!(
        "<rect class=\"{}{undone}\" data-r=\"{}\" x=\"{x:.1}\" y=\"{:.1}\" height=\"{height:.1}\"><title>{} {}: \
         {}, +{added} −{removed}{told}</title></rect>",
        cast.class(first.agent.as_deref()),
        first.id.as_str(),
        base - height,
        cast.time(first.time_ms, "%b %-d %H:%M"),
        named(first.agent.as_deref()),
        html::counted(members.len(), "record"),
    )
}

/// Times below, and what is cut out.
fn axis(cast: &Cast<'_>, scale: &Scale, bottom: f64) -> String {
    let mut out = String::new();
    let (mut day, mut day_end) = (String::new(), -1.0);
    let pieces = scale.pieces();
    for (n, piece) in pieces.iter().enumerate() {
        let x = LEFT + piece.x;
        let (clock, date) = (cast.time(piece.from, "%H:%M"), cast.time(piece.from, "%b %-d"));
        let mark = |x: f64, clock: &str| {
            format!(
                "<path class=\"tick\" d=\"M{x:.1} {TOP}V{}\"/><text class=\"time\" x=\"{x:.1}\" y=\"{}\">{clock}</text>",
                bottom + 4.0,
                bottom + 16.0
            )
        };
        out.push_str(&mark(x, &clock));
        if date != day && x > day_end {
            out.push_str(&format!("<text class=\"day\" x=\"{x:.1}\" y=\"{}\">{date}</text>", bottom + 31.0));
            (day, day_end) = (date, x + 46.0);
        }
        for tick in piece.ticks(cast.offset(piece.from), 70.0) {
            out.push_str(&mark(LEFT + scale.x(tick), &cast.time(tick, "%H:%M")));
        }
        if let Some(next) = pieces.get(n + 1) {
            out.push_str(&format!(
                "<rect class=\"gap\" x=\"{:.1}\" y=\"{TOP}\" width=\"{}\" height=\"{}\"><title>{} without a record</title></rect>",
                x + piece.width + 8.0,
                BREAK - 10.0,
                bottom - TOP,
                length(next.from - piece.to)
            ));
        }
    }
    out
}

/// `14 hours`.
fn length(ms: i64) -> String {
    let minutes = ms / 60_000;
    let (count, unit) = match minutes {
        ..120 => (minutes, "minute"),
        120..2880 => (minutes / 60, "hour"),
        _ => (minutes / 1440, "day"),
    };
    html::counted(usize::try_from(count).unwrap_or_default(), unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_idle_time_is_told_in_people_s_units() {
        let told = |minutes: i64| length(minutes * 60_000);
        assert_eq!(
            [31, 119, 120, 2879, 2880].map(told),
            ["31 minutes", "119 minutes", "2 hours", "47 hours", "2 days"]
        );
    }
}
