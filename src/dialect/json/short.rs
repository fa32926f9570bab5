//! The native request for those who are told of it in few words, and who call its fields what other tools call them.
//!
//! Owns the short description, for callers who pay for every word of it; `standard.rs` has all of it.

use crate::dialect::native::ToolDefinition;
use crate::request::Dialect;
use serde_json::{Map, Value, json};

const TEXT: &str = "Edit files: replace exact text, or create, overwrite, delete, rename. One file (path), or several (files), \
all or nothing. old_string must occur once, with its indentation, unless replace_all. Recorded; `undo` takes it back.";

/// Names of other tools, and redraft's own.
const NAMES: [(&str, &str); 5] = [
    ("file_path", "path"),
    ("filePath", "path"),
    ("oldString", "old_string"),
    ("newString", "new_string"),
    ("replaceAll", "replace_all"),
];

/// What a patch has in itself.
const CHANGES: [&str; 5] = ["path", "files", "edits", "old_string", "content"];

/// What a path stands under.
const PATHS: [&str; 2] = ["path", "rename_to"];

/// The native request as a tool.
pub fn short_tool() -> ToolDefinition {
    let text = || json!({"type": "string"});
    let flag = || json!({"type": "boolean"});
    let edit = json!({
        "old_string": text(),
        "new_string": text(),
        "replace_all": flag(),
        "line": {"type": "integer", "description": "Near it, if ambiguous"}
    });
    let edit = json!({"type": "object", "properties": edit, "required": ["old_string", "new_string"]});
    let properties = json!({
        "path": {"type": "string", "description": "Relative to the root, or absolute"},
        "old_string": text(),
        "new_string": text(),
        "replace_all": flag(),
        "edits": {"type": "array", "description": "Several edits of the file", "items": edit},
        "content": {"type": "string", "description": "Whole text, to create the file"},
        "overwrite": {"type": "boolean", "description": "With content: replace the file"},
        "delete": flag(),
        "rename_to": text(),
        "files": {"type": "array", "description": "Objects with the fields above", "items": {"type": "object"}},
        "patch": {"type": "string", "description": "Instead of all above: an apply_patch patch, unified diff or SEARCH/REPLACE blocks"},
        "match": {"enum": ["exact", "fuzzy"]},
        "mode": {"enum": ["original", "sequence"], "description": "sequence: each edit sees the one before"},
        "dry_run": flag(),
        "message": text(),
        "request_id": text()
    });
    ToolDefinition::new(Dialect::Standard, "edit", TEXT, json!({"type": "object", "properties": properties}))
}

/// Whether a request says what a file becomes, beside a patch.
pub fn names_a_change(object: &Map<String, Value>) -> bool {
    CHANGES.iter().any(|key| object.contains_key(*key))
}

/// Gives the fields of a request, its files and its edits the names that redraft has for them, where it is silent.
pub fn in_own_words(object: &mut Map<String, Value>) {
    for (other, own) in NAMES {
        if !object.contains_key(own)
            && let Some(value) = object.remove(other)
        {
            object.insert(own.to_owned(), value);
        }
    }
    for key in ["files", "edits"] {
        let inner = object.get_mut(key).and_then(Value::as_array_mut).into_iter().flatten();
        inner.filter_map(Value::as_object_mut).for_each(in_own_words);
    }
}

/// The paths of a request in redraft's own words.
pub fn paths_mut(object: &mut Map<String, Value>) -> Vec<&mut String> {
    let mut found = Vec::new();
    for (key, value) in object.iter_mut() {
        match value {
            Value::String(path) if PATHS.contains(&key.as_str()) => found.push(path),
            Value::Array(files) if key == "files" => {
                found.extend(files.iter_mut().filter_map(Value::as_object_mut).flat_map(paths_mut));
            }
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(value: Value) -> Map<String, Value> {
        value.as_object().cloned().unwrap_or_default()
    }

    #[test]
    fn the_names_of_other_tools_are_replaced_everywhere_unless_ours_is_there() {
        let mut request = object(json!({
            "file_path": "a", "oldString": "x", "old_string": "y",
            "files": [{"filePath": "b", "edits": [{"newString": "z", "replaceAll": true}]}]
        }));
        in_own_words(&mut request);
        let want = json!({
            "path": "a", "oldString": "x", "old_string": "y",
            "files": [{"path": "b", "edits": [{"new_string": "z", "replace_all": true}]}]
        });
        assert_eq!(Value::Object(request.clone()), want);
        let paths: Vec<String> = paths_mut(&mut request).into_iter().map(|path| path.clone()).collect();
        assert_eq!(paths, ["b", "a"]);
    }
}
