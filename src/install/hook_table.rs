//! The hooks of a harness in a file of JSON, with or without comments.
//!
//! Owns adding entries below `hooks` and taking them out. Invariant: no byte of anybody else's changes.

use super::jsonc::{File, Refusal, input};
use jsonc_parser::cst::{CstArray, CstNode};
use serde_json::Value;

/// What is put into a file.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// Keys that the file must have, where it is made.
    pub head: Vec<(&'static str, Value)>,
    /// The events, each with its entry.
    pub hooks: Vec<(&'static str, Value)>,
}

/// What every hook calls.
pub(super) const COMMAND: &str = "redraft hook ";

const HOOKS: &str = "hooks";

/// The text with the entries; another one of redraft's at an event is replaced.
pub(super) fn added(text: &[u8], table: &Table) -> Result<String, Refusal> {
    let file = File::read(text)?;
    let mut is_changed = file.is_new();
    let object = file.root.object_value().ok_or("is no JSON object")?;
    for (key, value) in &table.head {
        if object.get(key).is_none() {
            object.append(key, input(value));
            is_changed = true;
        }
    }
    let hooks = object.object_value_or_create(HOOKS).ok_or("has `hooks` that is no object")?;
    for (event, entry) in &table.hooks {
        let entries =
            hooks.array_value_or_create(event).ok_or_else(|| format!("has `hooks.{event}` that is no list"))?;
        if entries.elements().iter().any(|other| other.to_serde_value().as_ref() == Some(entry)) {
            continue;
        }
        take_own(&entries);
        if entries.elements().is_empty() {
            entries.ensure_multiline();
        }
        entries.append(input(entry));
        is_changed = true;
    }
    Ok(if is_changed { file.changed() } else { file.unchanged() })
}

/// The text without them.
pub(super) fn removed(text: &[u8]) -> Result<String, Refusal> {
    let file = File::read(text)?;
    let Some(object) = file.root.object_value() else { return Ok(file.unchanged()) };
    let Some(hooks) = object.object_value(HOOKS) else { return Ok(file.unchanged()) };
    let mut is_changed = false;
    for event in hooks.properties() {
        let Some(entries) = event.array_value() else { continue };
        let was_empty = entries.elements().is_empty();
        let has_changed = take_own(&entries);
        is_changed |= has_changed;
        if has_changed && !was_empty && entries.elements().is_empty() {
            event.remove();
        }
    }
    if is_changed && hooks.properties().is_empty() {
        object.get(HOOKS).into_iter().for_each(|hooks| hooks.remove());
    }
    Ok(if is_changed { file.changed() } else { file.unchanged() })
}

/// Whether an entry of redraft's is in it.
pub(super) fn is_in(text: &[u8]) -> bool {
    let Ok(file) = File::read(text) else { return false };
    let hooks = file.root.object_value().and_then(|object| object.object_value(HOOKS));
    let entries = hooks.iter().flat_map(|hooks| hooks.properties()).filter_map(|event| event.array_value());
    entries.flat_map(|entries| entries.elements()).any(|entry| is_own(&entry) || inner(&entry).iter().any(is_own))
}

fn take_own(entries: &CstArray) -> bool {
    let mut is_changed = false;
    for entry in entries.elements() {
        let inner = inner(&entry);
        let own: Vec<&CstNode> = inner.iter().filter(|hook| is_own(hook)).collect();
        if is_own(&entry) || (!own.is_empty() && own.len() == inner.len()) {
            entry.remove();
            is_changed = true;
        } else {
            is_changed |= !own.is_empty();
            own.into_iter().for_each(|hook| hook.clone().remove());
        }
    }
    is_changed
}

/// The hooks in a group of them.
fn inner(entry: &CstNode) -> Vec<CstNode> {
    let hooks = entry.as_object().and_then(|object| object.array_value(HOOKS));
    hooks.map(|hooks| hooks.elements()).unwrap_or_default()
}

/// Whether one hook calls redraft.
fn is_own(hook: &CstNode) -> bool {
    let Some(object) = hook.as_object() else { return false };
    ["command", "bash", "powershell"].iter().any(|key| {
        let text = object.get(key).and_then(|prop| prop.value()?.as_string_lit()?.decoded_value().ok());
        text.is_some_and(|text| text.starts_with(COMMAND))
    })
}
