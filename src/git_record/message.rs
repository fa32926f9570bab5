//! The message of a git commit that redraft makes, and the trailers that name agent edits in others.
//!
//! Never a `Signed-off-by`: that is a person's to give.

use super::fit::EditedFile;
use crate::id::RecordId;
use crate::policy::AgentTrailer;
use crate::record::{RecordClass, RecordMeta, subject};

/// Whose lines a git commit has, and how that is said.
#[derive(Debug, Clone, Default)]
pub struct Credits {
    /// The records that they are of.
    records: Vec<RecordId>,
    /// Who helped, as far as it is known: the agent, and the model.
    helpers: Vec<(Option<String>, Option<String>)>,
    trailer: AgentTrailer,
}

impl Credits {
    /// Those of no record yet.
    pub fn by(trailer: AgentTrailer) -> Self {
        Self { trailer, ..Self::default() }
    }

    /// With those of one more record.
    #[must_use]
    pub fn and(mut self, id: &RecordId, meta: &RecordMeta) -> Self {
        let plain = |text: &String| text.chars().filter(|c| !c.is_control()).collect::<String>();
        self.records.push(id.clone());
        self.helpers.push((meta.agent.as_ref().map(plain), meta.model.as_ref().map(plain)));
        self
    }

    /// The records.
    pub fn records(&self) -> &[RecordId] {
        &self.records
    }

    /// Redraft's trailers, a line each.
    pub fn trailers(&self) -> String {
        let mut out: String = self.records.iter().map(|id| format!("Redraft-Id: {id}\n")).collect();
        let mut told: Vec<String> = Vec::new();
        for helper in self.helpers.iter().filter_map(|(agent, model)| {
            let (one, other) = (agent.as_deref(), model.as_deref());
            one.or(other).map(|first| (first, other.filter(|_| one.is_some())))
        }) {
            let line = match (self.trailer, helper) {
                (AgentTrailer::None, _) => continue,
                (AgentTrailer::AssistedBy, (agent, None)) => format!("Assisted-by: {agent}\n"),
                (AgentTrailer::AssistedBy, (agent, Some(model))) => format!("Assisted-by: {agent}:{model}\n"),
                (AgentTrailer::CoAuthoredBy, (agent, model)) => co_author(agent, model),
            };
            if !told.contains(&line) {
                out.push_str(&line);
                told.push(line);
            }
        }
        out
    }
}

/// An agent as an author has a name and an address: what its maker gave it where that is known, else one that can be nobody's.
fn co_author(agent: &str, model: Option<&str>) -> String {
    let plain = |text: &str| text.chars().filter(|c| !matches!(c, '<' | '>')).collect::<String>();
    let (name, address) = match agent {
        "claude" | "claude-code" => ("Claude".to_owned(), "noreply@anthropic.com".to_owned()),
        other => {
            let local: String =
                other.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' }).collect();
            (plain(other), format!("{local}@agent.invalid"))
        }
    };
    let model = model.map_or(String::new(), |model| format!(" ({})", plain(model)));
    format!("Co-authored-by: {name}{model} <{address}>\n")
}

/// The message of a git commit: the request's, else what was done, as the log has it; then redraft's trailers.
pub fn message(credits: &Credits, class: RecordClass, meta: &RecordMeta, files: &[EditedFile<'_>]) -> String {
    let given = meta.message.as_deref().map(str::trim).filter(|text| !text.is_empty());
    let body = given.map(str::to_owned).or_else(|| {
        let EditedFile { change, from, path, .. } = files.first()?;
        Some(subject(class, *change, *from, path, files.len()))
    });
    let body = body.unwrap_or_else(|| "edit".to_owned());
    format!("{body}\n\n{}", credits.trailers())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(trailer: AgentTrailer, agent: Option<&str>, model: Option<&str>) -> Vec<String> {
        let text = |text: Option<&str>| text.map(str::to_owned);
        let meta = RecordMeta { agent: text(agent), model: text(model), ..RecordMeta::default() };
        let credits =
            Credits::by(trailer).and(&RecordId::from_random([1; 8]), &meta).and(&RecordId::from_random([2; 8]), &meta);
        credits.trailers().lines().skip(2).map(str::to_owned).collect()
    }

    #[test]
    fn each_agent_is_named_once_in_the_form_that_is_wanted() {
        use AgentTrailer::{AssistedBy, CoAuthoredBy};
        assert_eq!(lines(AssistedBy, Some("claude-code"), Some("opus")), ["Assisted-by: claude-code:opus"]);
        assert_eq!(lines(AssistedBy, None, Some("opus")), ["Assisted-by: opus"]);
        assert_eq!(lines(AssistedBy, None, None), [""; 0]);
        assert_eq!(
            lines(CoAuthoredBy, Some("claude-code"), Some("opus")),
            ["Co-authored-by: Claude (opus) <noreply@anthropic.com>"]
        );
        assert_eq!(
            lines(CoAuthoredBy, Some("My <Agent>\n"), None),
            ["Co-authored-by: My Agent <my--agent-@agent.invalid>"]
        );
        assert_eq!(lines(AgentTrailer::None, Some("codex"), None), [""; 0]);
    }
}
