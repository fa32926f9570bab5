//! Who is shown how: the agents' names and colours, the times, the commits.
//!
//! Owns what all parts of a page share. A colour is never all that tells an agent: its name stands beside it.

use super::forge::Forge;
use super::html;
use crate::id::{CommitId, RecordId};
use crate::usecase::report::{Report, Standing};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use std::collections::{HashMap, HashSet};

/// So many agents have colours of their own.
const COLOURS: usize = 8;
/// So many letters of an id are shown.
const SHORT: usize = 8;

/// What all parts of a page need.
pub(super) struct Cast<'r> {
    report: &'r Report,
    zone: TimeZone,
    agents: HashMap<Option<&'r str>, usize>,
    known: HashSet<&'r RecordId>,
    forge: Option<Forge>,
    on_remote: HashSet<CommitId>,
}

impl<'r> Cast<'r> {
    pub(super) fn new(report: &'r Report, zone: TimeZone) -> Self {
        let agents = report.agents.iter().enumerate().map(|(n, agent)| (agent.agent.as_deref(), n));
        Self {
            report,
            zone,
            agents: agents.collect(),
            known: report.records.iter().map(|record| &record.id).collect(),
            forge: report.repository.remote.as_deref().and_then(Forge::of),
            on_remote: report.repository.on_remote.iter().copied().collect(),
        }
    }

    pub(super) fn report(&self) -> &'r Report {
        self.report
    }

    /// The agent's place among all agents.
    pub(super) fn number(&self, agent: Option<&str>) -> usize {
        self.agents.get(&agent).copied().unwrap_or(self.agents.len())
    }

    /// The class that has the agent's colour.
    pub(super) fn class(&self, agent: Option<&str>) -> String {
        format!("a{}", if self.agents.contains_key(&agent) { self.number(agent) % COLOURS } else { COLOURS })
    }

    /// `Nov 24 14:03:22`.
    pub(super) fn time(&self, time_ms: i64, form: &str) -> String {
        let time = Timestamp::from_millisecond(time_ms).unwrap_or_default();
        time.to_zoned(self.zone.clone()).strftime(form).to_string()
    }

    /// How far the clocks here are ahead, in milliseconds.
    pub(super) fn offset(&self, time_ms: i64) -> i64 {
        let time = Timestamp::from_millisecond(time_ms).unwrap_or_default();
        i64::from(self.zone.to_offset(time).seconds()) * 1000
    }

    /// A time as an element.
    pub(super) fn time_element(&self, time_ms: i64, form: &str) -> String {
        format!("<time datetime=\"{}\">{}</time>", crate::history::utc(time_ms), self.time(time_ms, form))
    }

    /// Where a git commit can be looked at; none where the remote is not known to have it.
    pub(super) fn address(&self, id: CommitId) -> Option<String> {
        self.forge.as_ref().filter(|_| self.on_remote.contains(&id)).map(|forge| forge.commit(id))
    }

    /// A git commit.
    pub(super) fn commit(&self, id: CommitId) -> String {
        match self.address(id) {
            Some(address) => {
                format!("<a rel=\"noopener noreferrer\" href=\"{}\"><code>{id:.10}</code></a>", html::line(&address))
            }
            None => format!("<code title=\"{id}\">{id:.10}</code>"),
        }
    }

    /// A record, with a link where it is on the page.
    pub(super) fn record(&self, id: &RecordId) -> String {
        let short = short(id);
        match self.known.contains(id) {
            true => format!("<a href=\"#r-{}\">{short}</a>", id.as_str()),
            false => format!("<code>{short}</code>"),
        }
    }
}

/// The beginning of an id, as it is shown; two records of a page may have the same.
pub(super) fn short(id: &RecordId) -> &str {
    &id.as_str()[..SHORT]
}

/// An agent's name as it is shown.
pub(super) fn named(agent: Option<&str>) -> String {
    html::line(name_of(agent))
}

/// The same, not escaped yet.
pub(super) fn name_of(agent: Option<&str>) -> &str {
    agent.unwrap_or("no name given")
}

/// A session's name as it is shown.
pub(super) fn session_named(session: Option<&str>) -> String {
    html::line(session_name_of(session))
}

/// The same, not escaped yet.
pub(super) fn session_name_of(session: Option<&str>) -> &str {
    session.unwrap_or("no session told")
}

/// What is said of it beside it.
pub(super) fn standing(standing: Standing) -> &'static str {
    match standing {
        Standing::InForce => "in force",
        Standing::PartlyUndone => "partly undone",
        Standing::Undone => "undone",
    }
}
