//! What a tool answers, told twice: half of the clients show the model only the text, half only the structured content.
//!
//! Owns the shape of both. Invariant: each is complete without the other.

use crate::advice;
use crate::answer::{Envelope, Status};
use crate::dialect::Words;
use crate::env::Env;
use crate::warning::Warning;
use rmcp::model::{CallToolResult, ContentBlock, Resource};
use serde_json::{Map, Value, json};

/// What a tool says.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolAnswer {
    /// For the model.
    pub text: String,
    /// What a program needs besides.
    pub fields: Map<String, Value>,
    /// Whether it was refused, or failed.
    pub is_error: bool,
    /// What is said beside a text that is to be taken as it is; programs have it in a field.
    pub note: Option<String>,
    /// A record that there is more to read of.
    pub more: Option<String>,
}

/// A refusal; boxed, so that the good case stays small.
pub type Refusal = Box<ToolAnswer>;

impl ToolAnswer {
    /// Something that was found out.
    pub fn found(text: String) -> Self {
        Self { text, fields: Map::new(), is_error: false, note: None, more: None }
    }

    /// A refusal.
    pub fn refused(text: impl Into<String>) -> Self {
        Self { is_error: true, ..Self::found(text.into()) }
    }

    /// With a field for programs.
    pub fn with(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.fields.insert(key.to_owned(), value.into());
        self
    }

    /// Adds a line to the note.
    pub fn add_note(&mut self, line: &str) {
        let note = self.note.take().map_or(String::new(), |note| note + "\n");
        self.note = Some(note + line);
    }

    /// With what of the history could not be read on the way; programs have it as `warnings`, too.
    pub fn with_untold(mut self, env: &Env) -> Self {
        let untold = env.untold().take().into_iter().map(Warning::History);
        let told: Vec<String> = untold.map(|warning| advice::warning(&warning, &Words::COMMAND_LINE)).collect();
        if told.is_empty() {
            return self;
        }
        told.iter().for_each(|line| self.add_note(&format!("warning: {line}")));
        self.with("warnings", told)
    }

    /// A change, or why there is none.
    pub fn of_envelope(envelope: &Envelope) -> Self {
        if envelope.status == Status::Error {
            return Self::of_error(envelope);
        }
        let data = &envelope.data;
        let mut text = envelope.text.clone();
        if !data.diff_preview.is_empty() {
            text = format!("{}\n\n{}", text.trim_end(), data.diff_preview);
        }
        let record = data.record.as_ref().and_then(|record| record.id.as_ref());
        let mut answer = Self::found(text).with("applied", data.applied);
        if let Some(id) = record {
            answer = answer.with("record", id.as_str());
            if data.diff_truncated {
                answer.text.push_str(&format!("\nthe rest of the diff: tool `diff` with id {id}\n"));
                answer.more = Some(id.as_str().to_owned());
            }
        }
        if let Some(true) = data.extra.get("replayed").and_then(Value::as_bool) {
            answer = answer.with("replayed", true);
        }
        answer
    }

    fn of_error(envelope: &Envelope) -> Self {
        let brief = envelope.brief();
        let text = brief["text"].as_str().unwrap_or(&envelope.text);
        let mut answer = Self::refused(text);
        for key in ["reason", "failed_index", "failed_path"] {
            if let Some(value) = brief["data"].get(key) {
                answer = answer.with(key, value.clone());
            }
        }
        answer
    }

    /// As the protocol has it.
    pub fn into_result(self) -> CallToolResult {
        let Self { text, fields, is_error, note, more } = self;
        let mut structured = json!({"text": text});
        if let Some(object) = structured.as_object_mut() {
            object.extend(fields);
        }
        let mut content = vec![ContentBlock::text(text)];
        content.extend(note.map(ContentBlock::text));
        content.extend(more.map(|id| {
            let link = Resource::new(format!("redraft://record/{id}/diff"), format!("diff of {id}"));
            ContentBlock::resource_link(link.with_mime_type("text/x-diff"))
        }));
        let mut result = if is_error { CallToolResult::error(content) } else { CallToolResult::success(content) };
        result.structured_content = Some(structured);
        result
    }
}
