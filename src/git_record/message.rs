//! The message of a git commit that redraft makes, and the trailers that name agent edits in others.
//!
//! Never a `Signed-off-by`: that is a person's to give.

use super::fit::EditedFile;
use crate::id::RecordId;
use crate::record::{RecordClass, RecordMeta, subject};

/// Whose lines a git commit has.
#[derive(Debug, Clone, Default)]
pub struct Credits {
    /// The records that they are of.
    pub records: Vec<RecordId>,
    /// Who helped, as [`assisted_by`] says it of each.
    pub agents: Vec<Option<String>>,
}

impl Credits {
    /// Those of one record.
    pub fn of(id: &RecordId, meta: &RecordMeta) -> Self {
        Self { records: vec![id.clone()], agents: vec![assisted_by(meta)] }
    }
}

/// The message of a git commit: the request's, else what was done, as the log has it; then redraft's trailers.
pub fn message(credits: &Credits, class: RecordClass, meta: &RecordMeta, files: &[EditedFile<'_>]) -> String {
    let given = meta.message.as_deref().map(str::trim).filter(|text| !text.is_empty());
    let body = given.map(str::to_owned).or_else(|| {
        let EditedFile { change, from, path, .. } = files.first()?;
        Some(subject(class, *change, *from, path, files.len()))
    });
    let body = body.unwrap_or_else(|| "edit".to_owned());
    format!("{body}\n\n{}", trailers(&credits.records, &credits.agents))
}

/// Redraft's trailers, a line each.
pub fn trailers(ids: &[RecordId], agents: &[Option<String>]) -> String {
    let mut out = String::new();
    for id in ids {
        out.push_str(&format!("Redraft-Id: {id}\n"));
    }
    let mut told: Vec<&String> = Vec::new();
    for agent in agents.iter().flatten() {
        if !told.contains(&agent) {
            out.push_str(&format!("Assisted-by: {agent}\n"));
            told.push(agent);
        }
    }
    out
}

/// Who helped: `AGENT:MODEL`, as far as it is known.
pub fn assisted_by(meta: &RecordMeta) -> Option<String> {
    let plain = |text: &String| text.chars().filter(|c| !c.is_control()).collect::<String>();
    match (meta.agent.as_ref().map(plain), meta.model.as_ref().map(plain)) {
        (Some(agent), Some(model)) => Some(format!("{agent}:{model}")),
        (one, other) => one.or(other),
    }
}
