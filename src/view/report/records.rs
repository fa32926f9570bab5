//! The records, by session and turn: who, when, why, which files; the diffs are put in when one is unfolded.
//!
//! Owns the list, and the one of sessions beside it. All that is said here is readable without the script.

use super::cast::{Cast, named, session_named, short, standing};
use super::html::{counted, line, lines, number, renamed};
use crate::change::ChangeKind;
use crate::record::{RecordClass, TextsKept};
use crate::usecase::report::{Diff, FileTold, RecordTold, SessionTold, Standing, TurnTold};

/// The sessions and their turns, as links.
pub(super) fn contents(cast: &Cast<'_>) -> String {
    let session = |(n, session): (usize, &SessionTold)| {
        let turns: String = session
            .turns
            .iter()
            .enumerate()
            .filter(|(_, turn)| turn.turn.is_some() || session.turns.len() > 1)
            .map(|(t, turn)| {
                format!(
                    "<li><a href=\"#t{n}-{t}\">{} <small>{}</small></a></li>",
                    turn_named(turn),
                    number(turn.records.len())
                )
            })
            .collect();
        let turns = if turns.is_empty() { turns } else { format!("<ol>{turns}</ol>") };
        format!(
            "<li><a href=\"#s{n}\"><i class=\"dot {}\"></i>{}<small>{} · {}</small></a>{turns}</li>",
            cast.class(session.agent.as_deref()),
            session_named(session.session.as_deref()),
            named(session.agent.as_deref()),
            counted(session.totals.records, "record")
        )
    };
    let sessions: String = cast.report().sessions.iter().enumerate().map(session).collect();
    format!("<ol>{sessions}</ol>")
}

/// All of them.
pub(super) fn sessions(cast: &Cast<'_>) -> String {
    cast.report().sessions.iter().enumerate().map(|(n, session)| session_told(cast, n, session)).collect()
}

fn turn_named(turn: &TurnTold) -> String {
    turn.turn.as_deref().map_or_else(|| "no turn told".to_owned(), |turn| format!("turn {}", line(turn)))
}

fn session_told(cast: &Cast<'_>, n: usize, session: &SessionTold) -> String {
    let totals = &session.totals;
    let mut counts = vec![counted(totals.edits, "edit"), counted(totals.files, "file")];
    if totals.undone + totals.partly_undone > 0 {
        counts.push(format!("{} undone", number(totals.undone + totals.partly_undone)));
    }
    let turns: String = session
        .turns
        .iter()
        .enumerate()
        .map(|(t, turn)| {
            let is_told = turn.turn.is_some() || session.turns.len() > 1;
            // No level of headings is left out.
            let level = if is_told { "h4" } else { "h3" };
            let records: String = turn.records.iter().map(|at| record_told(cast, *at, level)).collect();
            let head = if is_told { format!("<h3>{}</h3>", turn_named(turn)) } else { String::new() };
            format!("<div class=\"turn\" id=\"t{n}-{t}\">{head}{records}</div>")
        })
        .collect();
    format!(
        "<section class=\"session\" id=\"s{n}\" aria-labelledby=\"h{n}\"><header><h2 id=\"h{n}\"><i class=\"dot {}\"></i>{} \
         <small>{}</small></h2><p>{} · <span class=\"add\">+{}</span> <span class=\"del\">−{}</span></p></header>{turns}</section>",
        cast.class(session.agent.as_deref()),
        named(session.agent.as_deref()),
        session_named(session.session.as_deref()),
        counts.join(" · "),
        number(totals.lines_added),
        number(totals.lines_removed)
    )
}

fn record_told(cast: &Cast<'_>, at: usize, level: &str) -> String {
    let record = &cast.report().records[at];
    let (id, shown) = (record.id.as_str(), short(&record.id));
    let sum = |of: fn(&FileTold) -> Option<usize>| record.files.iter().filter_map(of).sum::<usize>();
    let first = record.message.as_deref().and_then(|message| message.trim().lines().next());
    let title = first.map_or_else(|| line(&record.subject), line);
    let second = first.map_or(String::new(), |_| format!("<span class=\"sub\">{}</span>", line(&record.subject)));
    let gone = if record.standing == Standing::Undone { " gone" } else { "" };
    format!(
        "<details class=\"r{gone}\" id=\"r-{id}\" data-n=\"{at}\" data-a=\"{}\"{}><summary><code>{shown}</code><span \
         class=\"t\"><{level}>{title}</{level}>{second}</span>{}<span class=\"d\">{}</span>{}</summary><div class=\"b\">{}{}{}</div></details>",
        cast.number(record.agent.as_deref()),
        states(record),
        marks(record),
        lines_changed(sum(|file| file.lines_added), sum(|file| file.lines_removed)),
        cast.time_element(record.time_ms, "%H:%M:%S"),
        facts(cast, record),
        message(record),
        record.files.iter().map(file_told).collect::<String>(),
    )
}

/// What can be filtered by; of most records nothing needs to be said.
fn states(record: &RecordTold) -> &'static str {
    match (record.standing, record.commits.is_empty()) {
        (Standing::InForce, true) => "",
        (Standing::InForce, false) => " data-s=\"force git\"",
        (Standing::PartlyUndone, true) => " data-s=\"part open\"",
        (Standing::PartlyUndone, false) => " data-s=\"part git\"",
        (Standing::Undone, true) => " data-s=\"undone open\"",
        (Standing::Undone, false) => " data-s=\"undone git\"",
    }
}

fn lines_changed(added: usize, removed: usize) -> String {
    format!("<b class=\"add\">+{}</b> <b class=\"del\">−{}</b>", number(added), number(removed))
}

/// What is said of it in its line.
fn marks(record: &RecordTold) -> String {
    let mut marks = Vec::new();
    match record.kind {
        RecordClass::Edit => {}
        RecordClass::Undo => marks.push(("kind", "undo")),
        RecordClass::Redo => marks.push(("kind", "redo")),
        RecordClass::External => marks.push(("kind", "external")),
    }
    if record.standing != Standing::InForce {
        marks.push(("undone", standing(record.standing)));
    }
    if record.program.is_some() {
        marks.push(("seen", "observed"));
    }
    if !record.commits.is_empty() {
        marks.push(("git", "in git"));
    }
    if record.reviewed.is_some() {
        marks.push(("reviewed", "reviewed"));
    }
    if marks.is_empty() {
        return String::new();
    }
    let marks: String =
        marks.iter().map(|(class, said)| format!("<span class=\"mark {class}\">{said}</span>")).collect();
    format!("<span class=\"marks\">{marks}</span>")
}

/// What made it and became of it. Its model, its whole id and the like are put in when it is unfolded.
fn facts(cast: &Cast<'_>, record: &RecordTold) -> String {
    let mut out = String::new();
    let mut put = |name: &str, value: String| out.push_str(&format!("<dt>{name}</dt><dd>{value}</dd>"));
    if let Some(program) = &record.program {
        put("Command", format!("<code>{}</code>", line(program)));
    }
    if !record.may_be_by.is_empty() {
        let agents: Vec<String> = record.may_be_by.iter().map(|agent| line(agent)).collect();
        put("May be of", agents.join(" or "));
    }
    if let Some(by) = &record.undone_by {
        put("Undone by", cast.record(by));
    }
    if !record.undoes.is_empty() {
        put("Undoes", record.undoes.iter().map(|id| cast.record(id)).collect::<Vec<_>>().join(" "));
    }
    if !record.commits.is_empty() {
        put("Git commits", record.commits.iter().map(|id| cast.commit(*id)).collect::<Vec<_>>().join(" "));
    }
    if let Some(mark) = &record.reviewed {
        let by = line(mark.by.as_deref().unwrap_or("somebody"));
        let at = mark
            .time_ms
            .map_or_else(String::new, |time_ms| format!(", {}", cast.time_element(time_ms, "%b %-d %H:%M")));
        put("Reviewed", format!("by {by}{at}"));
    }
    if out.is_empty() { out } else { format!("<dl class=\"facts\">{out}</dl>") }
}

/// What stands in the line already is not said again.
fn message(record: &RecordTold) -> String {
    let Some((_, rest)) = record.message.as_deref().and_then(|message| message.trim().split_once('\n')) else {
        return String::new();
    };
    if rest.trim().is_empty() { String::new() } else { format!("<p class=\"m\">{}</p>", lines(rest.trim())) }
}

fn file_told(file: &FileTold) -> String {
    let done = match file.change {
        ChangeKind::Modify => "modified",
        ChangeKind::Create => "created",
        ChangeKind::Delete => "deleted",
        ChangeKind::Rename => "renamed",
    };
    let counts = match (file.lines_added, file.lines_removed) {
        (Some(added), Some(removed)) => format!(" {}", lines_changed(added, removed)),
        _ => String::new(),
    };
    let encoding = file.encoding.map_or(String::new(), |encoding| format!(" <small>{}</small>", line(encoding.name())));
    let undone = match file.standing {
        Standing::InForce => String::new(),
        other => format!(" <span class=\"mark undone\">{}</span>", standing(other)),
    };
    format!(
        "<div class=\"f\"><p class=\"p\"><b>{done}</b> <span class=\"path\">{}</span>{counts}{encoding}{undone}</p>{}</div>",
        renamed(file.from.as_ref(), &file.path),
        beside(&file.diff)
    )
}

/// What there is to say of a diff, or instead of it.
fn beside(diff: &Diff) -> String {
    let said = match diff {
        Diff::Hunks { lines_left_out, lossy, .. } => {
            let cut = match lines_left_out {
                0 => None,
                1 => Some("1 line of this diff is left out here; <code>redraft show</code> has it.".to_owned()),
                n => Some(format!(
                    "{} lines of this diff are left out here; <code>redraft show</code> has them.",
                    number(*n)
                )),
            };
            let lossy = lossy
                .then(|| "Bytes that are no UTF-8 are shown as \u{fffd}: this is no patch of the file.".to_owned());
            return cut.into_iter().chain(lossy).map(|said| format!("<p class=\"note\">{said}</p>")).collect();
        }
        Diff::Nothing => "No line of it changed.".to_owned(),
        Diff::Binary => "It is no text (binary).".to_owned(),
        Diff::NotKept { why } => {
            let why = match why {
                TextsKept::Ignored => "git ignores it",
                TextsKept::Large => "it is large",
                TextsKept::Lost => "they were gone when the record was sealed",
                TextsKept::Purged | TextsKept::Stored => "they were purged",
            };
            format!("Its texts are not kept: {why}.")
        }
        Diff::Unreadable => "The history cannot tell it; <code>redraft fsck</code> tells more.".to_owned(),
        Diff::LeftOut => "There is no room for this diff here; <code>redraft show</code> has it.".to_owned(),
    };
    format!("<p class=\"note\">{said}</p>")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A diff that was cut and had such bytes was only said to be cut.
    #[test]
    fn of_a_diff_all_that_it_lacks_is_said() {
        let said = |lines_left_out, lossy| beside(&Diff::Hunks { text: "@@".to_owned(), lines_left_out, lossy });
        assert_eq!(said(0, false), "");
        assert!(said(1, false).contains("1 line of this diff is left out"));
        let both = said(2_000, true);
        assert!(both.contains("2,000 lines of this diff are left out") && both.contains("no UTF-8"), "{both}");
        assert_eq!(both.matches("<p ").count(), 2);
    }
}
