//! The request as it was received, for the answer to show.

use super::*;

#[test]
fn the_request_is_kept_as_received() {
    let raw = r#"{"path":"./a","old_string":"x","new_string":"y"}"#;
    let parsed = parse(raw.as_bytes(), None, Limits::default()).expect(raw);
    assert_eq!(parsed.params_input.to_string(), raw);
}

#[test]
fn a_request_that_is_refused_is_kept_too() {
    let error = error(r#"{"path":"/a","edits":[]}"#, None);
    assert_eq!(error.params_input, json!({"path": "/a", "edits": []}));
    assert_eq!(error.dialect, Some(Dialect::Standard));
}

#[test]
fn what_is_no_json_leaves_nothing_to_keep() {
    let error = error(r#"{"path":"#, None);
    assert_eq!((error.dialect, &error.params_input), (None, &Value::Null));
    assert_eq!(advice::request(&error).reason, Reason::BadJson);
}

#[test]
fn a_request_above_a_mebibyte_is_only_counted() {
    let raw = json!({"path": "a", "content": "x".repeat(SHOWN_REQUEST)}).to_string();
    let parsed = parse(raw.as_bytes(), None, Limits::default()).expect("good");
    assert_eq!(parsed.params_input, json!({"omitted_bytes": raw.len()}));
}

#[test]
fn a_request_that_is_no_object_has_the_wrong_type() {
    for (raw, part) in [("[]", "an array"), (r#""x""#, "the string"), ("null", "null"), ("1.5", "1.5")] {
        for dialect in [None, Some(Dialect::ClaudeCode), Some(Dialect::ClaudeCodeOpen), Some(Dialect::OpenCode)] {
            check_bad(raw, dialect, Reason::BadType, part);
        }
    }
}
