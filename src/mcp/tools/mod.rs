//! The tools, one file each.
//!
//! Owns the table of them, and how they are told to clients. What they have in common stands in `tool.rs`.

mod blame;
mod diff;
mod edit;
pub(super) mod log;
mod read;
mod status;
mod tool;
mod undo;

pub use tool::{Call, Effect, Offer, Opened, Tool};

use rmcp::model::{MetaObject, ToolAnnotations};
use serde_json::{Map, Value, json};
use std::sync::Arc;

const ALL: [&Tool; 8] =
    [&edit::TOOL, &read::TOOL, &undo::UNDO, &undo::REDO, &log::TOOL, &diff::TOOL, &blame::TOOL, &status::TOOL];

fn offered(offer: Offer) -> impl Iterator<Item = &'static Tool> {
    ALL.into_iter().filter(move |tool| !offer.is_read_only || tool.effect == Effect::Reads)
}

/// The tool with this name, where it is offered.
pub fn find(name: &str, offer: Offer) -> Option<&'static Tool> {
    offered(offer).find(|tool| tool.name == name)
}

/// The tools as the protocol has them.
pub fn list(offer: Offer) -> Vec<rmcp::model::Tool> {
    offered(offer).map(|tool| definition(tool, offer)).collect()
}

fn definition(tool: &Tool, offer: Offer) -> rmcp::model::Tool {
    let tool::Input { mut properties, required } = (tool.input)();
    if let (true, Some(properties)) = (offer.has_several_roots, properties.as_object_mut()) {
        properties.insert("root".into(), json!({"type": "string", "description": "Which served folder"}));
    }
    let mut input = json!({"type": "object", "properties": properties});
    if !required.is_empty() {
        input["required"] = json!(required);
    }
    let output = json!({"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]});
    let reads = tool.effect == Effect::Reads;
    let annotations = ToolAnnotations::from_raw(None, Some(reads), Some(!reads), Some(reads), Some(false));
    let definition = rmcp::model::Tool::new(tool.name, (tool.description)(), object(input))
        .with_title(tool.title)
        .with_raw_output_schema(object(output))
        .with_annotations(annotations);
    if tool.name != edit::TOOL.name {
        return definition;
    }
    // Claude Code hides tools behind a search unless they say this.
    definition.with_meta(MetaObject(std::iter::once(("anthropic/alwaysLoad".to_owned(), Value::Bool(true))).collect()))
}

fn object(value: Value) -> Arc<Map<String, Value>> {
    Arc::new(value.as_object().cloned().unwrap_or_default())
}
