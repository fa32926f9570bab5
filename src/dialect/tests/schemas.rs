//! Tool definitions for language models.

use super::*;

#[test]
fn every_name_among_all_tools_is_there_once() {
    let names: Vec<_> = tools(None).into_iter().map(|tool| tool.name).collect();
    let want = [
        "Edit",
        "MultiEdit",
        "redraft",
        "Edit_claude_code",
        "MultiEdit_claude_code",
        "MultiEdit_claude_code_open",
        "edit",
        "apply_patch",
        "apply_diff",
        "replace_in_file",
        "str_replace_based_edit_tool",
        "replace",
        "write_file",
        "edit_lines",
    ];
    assert_eq!(names, want);
}

#[test]
fn a_tool_is_written_with_three_keys() {
    let tool = serde_json::to_value(&tools(Some(Dialect::OpenCode))[0]).expect("serialises");
    let keys: Vec<_> = tool.as_object().expect("an object").keys().cloned().collect();
    assert_eq!(keys, ["name", "description", "input_schema"]);
}

/// A value that the schema allows, with every property that is not in `without`.
fn example(schema: &Value, without: &[&str]) -> Value {
    if let Some(first) = schema["enum"].get(0) {
        return first.clone();
    }
    match schema["type"].as_str().expect("a type") {
        "object" => schema["properties"]
            .as_object()
            .expect("properties")
            .iter()
            .filter(|(key, _)| !without.contains(&key.as_str()))
            .map(|(key, value)| {
                let value = match key.as_str() {
                    "file_path" => json!("/w/a"),
                    "new_string" | "newString" => json!("new"),
                    _ => example(value, without),
                };
                (key.clone(), value)
            })
            .collect::<serde_json::Map<_, _>>()
            .into(),
        "array" => json!([example(&schema["items"], without)]),
        "string" if schema["pattern"].is_string() => json!("e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"),
        "string" if schema["examples"].is_array() => schema["examples"][0].clone(),
        "string" => json!("text"),
        "integer" => json!(1),
        "boolean" => json!(false),
        other => panic!("{other}"),
    }
}

#[test]
fn what_a_schema_allows_is_read() {
    const SINGLE: [&str; 5] = ["old_string", "new_string", "replace_all", "line", "expected_replacements"];
    let others = ["path_b64", "content", "rename_to"];
    // What their fields hold depends on each other.
    let are_alone = [Dialect::TextEditor, Dialect::Gemini, Dialect::Lines];
    for tool in tools(None).into_iter().filter(|tool| tool.name != "redraft" && !are_alone.contains(&tool.dialect)) {
        let raw = example(&tool.input_schema, &[]).to_string();
        assert_eq!(parsed(&raw, Some(tool.dialect)).edit_count(), 1);
    }
    let native = tools(Some(Dialect::Standard)).pop().expect("three tools").input_schema;
    let without = |more: &[&'static str]| [&others[..], more].concat();
    let single = example(&native, &without(&["files", "edits"])).to_string();
    assert_eq!(parsed(&single, None).edit_count(), 1, "{single}");
    let mut several = example(&native, &without(&SINGLE));
    let file_keys: Vec<String> = several["files"][0].as_object().expect("a file").keys().cloned().collect();
    let top = several.as_object_mut().expect("an object");
    file_keys.iter().for_each(|key| drop(top.remove(key)));
    top["files"][0]["edits"] = json!([{"old_string": "x", "new_string": "y"}]);
    assert_eq!(parsed(&several.to_string(), None).edit_count(), 1, "{several}");
}
