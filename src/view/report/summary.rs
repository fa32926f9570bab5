//! The top of the page: what it is about, the counts, the agents, and what it lacks.
//!
//! Owns these parts. The pictures and lists below are others'.

use super::cast::{Cast, named};
use super::html::{counted, line, number};
use super::lacking::left_out;
use crate::usecase::report::{AgentTotals, Selected, Totals};

/// Which repository, which records, made when.
pub(super) fn head(cast: &Cast<'_>) -> String {
    let report = cast.report();
    let repository = &report.repository;
    let branch = repository.branch.as_deref().map_or("no branch".to_owned(), line);
    let head = repository.head.map_or("nothing committed".to_owned(), |head| cast.commit(head));
    let span = match (report.records.first(), report.records.last()) {
        (Some(first), Some(last)) => format!(
            "<p>{} – {}</p>",
            cast.time_element(first.time_ms, "%a %b %-d %Y %H:%M"),
            cast.time_element(last.time_ms, "%a %b %-d %Y %H:%M %z")
        ),
        _ => String::new(),
    };
    format!(
        "<p class=\"kind\">What agents did to</p><h1>{}</h1><p class=\"where\"><span class=\"pill\">{branch}</span> {head} <span \
         class=\"sel\">{}</span></p>{span}",
        line(&repository.name),
        asked(&report.selection)
    )
}

/// What was asked for, in words.
fn asked(selected: &Selected) -> String {
    let named = [
        ("agent", &selected.agent),
        ("session", &selected.session),
        ("turn", &selected.turn),
        ("since", &selected.since),
        ("range", &selected.range),
    ];
    let mut parts: Vec<String> =
        named.iter().filter_map(|(what, value)| Some(format!("{what} {}", line(value.as_ref()?)))).collect();
    if selected.all {
        parts.push("all worktrees and clones".to_owned());
    }
    if parts.is_empty() { "all records of this worktree".to_owned() } else { parts.join(", ") }
}

/// The counts.
pub(super) fn cards(cast: &Cast<'_>) -> String {
    let report = cast.report();
    let all = &report.summary;
    let at_work: Vec<&AgentTotals> = report.agents.iter().filter(|agent| agent.totals.edits > 0).collect();
    let share = |part: usize| (part * 100 + all.edits / 2).checked_div(all.edits).unwrap_or(0);
    let card = |name: &str, value: String, more: String| {
        format!("<div class=\"card\"><dt>{name}</dt><dd>{value}</dd><dd class=\"more\">{more}</dd></div>")
    };
    let undone = match all.partly_undone {
        0 => format!("{} % of the edits", share(all.undone)),
        partly => format!("and {} in part", number(partly)),
    };
    let lines = format!(
        "<span class=\"add\">+{}</span> <span class=\"del\">−{}</span>",
        number(all.lines_added),
        number(all.lines_removed)
    );
    let others = all.records - all.edits;
    let of_edits = match others {
        0 => format!("{} by programs that were observed", number(all.observed)),
        others => format!("and {}", counted(others, "undo or redo").replace("redos", "redo")),
    };
    let cards = [
        card("Agents", number(at_work.len()), names(&at_work)),
        card("Sessions", number(all.sessions), counted(all.turns, "turn")),
        card("Edits", number(all.edits), of_edits),
        card("Files", number(all.files), lines),
        card("Undone", number(all.undone), undone),
        card("In git commits", number(all.committed), format!("{} % of the edits", share(all.committed))),
    ];
    format!("<dl class=\"cards\">{}</dl>", cards.concat())
}

fn names(agents: &[&AgentTotals]) -> String {
    let mut names: Vec<String> = agents.iter().take(3).map(|agent| named(agent.agent.as_deref())).collect();
    if agents.len() > 3 {
        names.push(format!("{} more", agents.len() - 3));
    }
    names.join(", ")
}

/// A line for each agent.
pub(super) fn agents(cast: &Cast<'_>) -> String {
    let row = |agent: &AgentTotals| {
        let name = agent.agent.as_deref();
        let models = if agent.models.is_empty() {
            String::new()
        } else {
            format!("<small>{}</small>", line(&agent.models.join(", ")))
        };
        let Totals { sessions, turns, edits, files, lines_added, lines_removed, undone, .. } = &agent.totals;
        format!(
            "<tr><th scope=\"row\"><i class=\"dot {}\"></i>{}{models}</th><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td \
             class=\"add\">+{}</td><td class=\"del\">−{}</td><td>{}</td></tr>",
            cast.class(name),
            named(name),
            number(*sessions),
            number(*turns),
            number(*edits),
            number(*files),
            number(*lines_added),
            number(*lines_removed),
            number(*undone)
        )
    };
    let rows: String = cast.report().agents.iter().map(row).collect();
    format!(
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Agents\"><table class=\"list\"><thead><tr><th \
         scope=\"col\">Agent</th><th scope=\"col\">Sessions</th><th scope=\"col\">Turns</th><th scope=\"col\">Edits</th><th \
         scope=\"col\">Files</th><th scope=\"col\">Added</th><th scope=\"col\">Removed</th><th \
         scope=\"col\">Undone</th></tr></thead><tbody>{rows}</tbody></table></div>"
    )
}

/// What the page lacks, in sentences.
pub(super) fn lacking(cast: &Cast<'_>) -> String {
    let told = left_out(cast.report());
    if told.is_empty() {
        return String::new();
    }
    let items: String = told.iter().map(|(_, told)| format!("<li>{}</li>", line(told))).collect();
    format!("<ul class=\"lacking\" aria-label=\"What this page lacks\">{items}</ul>")
}
