//! A trace record of agent-trace, version 0.1.0: one JSON object for a git commit.
//!
//! Owns its form. Source: cursor/agent-trace, README.md and `schemas/`.

use super::{Conversation, ExportedCommit, LinesOf, Written};
use crate::id::{CommitId, RecordId};
use serde::Serialize;
use std::collections::BTreeMap;
use uuid::Uuid;

/// The version of the form.
const VERSION: &str = "0.1.0";

/// As much of a model's name as the form takes, in bytes.
const LONGEST_MODEL: usize = 250;

/// The record.
#[derive(Debug, Serialize)]
pub struct TraceRecord {
    version: &'static str,
    id: String,
    timestamp: String,
    vcs: Vcs,
    tool: Tool,
    files: Vec<File>,
    metadata: Metadata,
}

#[derive(Debug, Serialize)]
struct Vcs {
    r#type: &'static str,
    revision: CommitId,
}

#[derive(Debug, Serialize)]
struct Tool {
    name: &'static str,
    version: &'static str,
}

#[derive(Debug, Serialize)]
struct File {
    path: String,
    conversations: Vec<Told>,
}

#[derive(Debug, Serialize)]
struct Told {
    contributor: Contributor,
    ranges: Vec<LineRange>,
}

#[derive(Debug, Serialize)]
struct Contributor {
    r#type: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    model_id: Option<String>,
}

#[derive(Debug, Serialize)]
struct LineRange {
    start_line: usize,
    end_line: usize,
}

#[derive(Debug, Serialize)]
struct Metadata {
    #[serde(rename = "dev.redraft")]
    own: Own,
}

#[derive(Debug, Serialize)]
struct Own {
    /// The sessions that the lines are of.
    sessions: Vec<OwnSession>,
}

#[derive(Debug, Serialize)]
struct OwnSession {
    agent: String,
    session: String,
    model: Option<String>,
    records: Vec<RecordId>,
}

/// The record of a commit; the same commit gives the same bytes.
pub fn record(commit: &ExportedCommit) -> TraceRecord {
    TraceRecord {
        version: VERSION,
        id: Uuid::new_v5(&Uuid::NAMESPACE_URL, format!("redraft:agent-trace:{}", commit.id).as_bytes()).to_string(),
        timestamp: crate::history::utc(commit.time_ms),
        vcs: Vcs { r#type: "git", revision: commit.id },
        tool: Tool { name: "redraft", version: env!("CARGO_PKG_VERSION") },
        files: commit.files.iter().map(file).collect(),
        metadata: Metadata { own: Own { sessions: sessions(commit) } },
    }
}

fn file(Written { path, by }: &Written) -> File {
    let mut found: BTreeMap<&Conversation, Vec<(usize, usize)>> = BTreeMap::new();
    for LinesOf { conversation, lines, .. } in by {
        found.entry(conversation).or_default().extend(lines);
    }
    let told = |(conversation, mut lines): (&Conversation, Vec<(usize, usize)>)| {
        lines.sort_unstable();
        let ranges = lines.into_iter().map(|(start_line, end_line)| LineRange { start_line, end_line }).collect();
        Told { contributor: Contributor { r#type: "ai", model_id: model_id(conversation) }, ranges }
    };
    File { path: path.to_string_lossy(), conversations: found.into_iter().map(told).collect() }
}

fn sessions(commit: &ExportedCommit) -> Vec<OwnSession> {
    let mut found: BTreeMap<&Conversation, Vec<RecordId>> = BTreeMap::new();
    for LinesOf { record, conversation, .. } in commit.files.iter().flat_map(|file| &file.by) {
        let records = found.entry(conversation).or_default();
        if !records.contains(record) {
            records.push(record.clone());
        }
    }
    let told = |(conversation, records): (&Conversation, Vec<RecordId>)| OwnSession {
        agent: conversation.tool.clone(),
        session: conversation.id.clone(),
        model: conversation.model.clone(),
        records,
    };
    found.into_iter().map(told).collect()
}

/// `provider/model`, as models.dev names them; none where the provider is not known.
fn model_id(conversation: &Conversation) -> Option<String> {
    let model = conversation.model.as_ref()?;
    let of = |start: &str| model.starts_with(start);
    let provider = if model.contains('/') {
        None
    } else if of("claude") {
        Some("anthropic")
    } else if of("gpt-") || of("codex-") || of("o1") || of("o3") || of("o4") {
        Some("openai")
    } else if of("gemini") {
        Some("google")
    } else {
        return None;
    };
    let id = provider.map_or_else(|| model.clone(), |provider| format!("{provider}/{model}"));
    (id.len() <= LONGEST_MODEL).then_some(id)
}
