//! Which dialect a request's shape tells.

use super::*;

fn check(raw: &str, want: Dialect) {
    let json = json::document::read(raw.as_bytes(), Limits::default()).expect(raw);
    assert_eq!(sniff(&json), want, "{raw}");
}

#[test]
fn the_key_of_the_path_shows_the_dialect() {
    check(r#"{"path":"a","edits":[]}"#, Dialect::Standard);
    check(r#"{"files":[]}"#, Dialect::Standard);
    check(r#"{"path_b64":"YQ=="}"#, Dialect::Standard);
    check(r#"{"file_path":"/a","edits":[]}"#, Dialect::ClaudeCode);
    check(r#"{"file_path":"/a","oldString":"x"}"#, Dialect::ClaudeCode);
    check(r#"{"filePath":"a","oldString":"x","newString":"y"}"#, Dialect::OpenCode);
    check(r#"{"path":"a","file_path":"/a","filePath":"a"}"#, Dialect::Standard);
}

#[test]
fn a_shape_that_shows_nothing_is_standard() {
    for raw in ["{}", "[]", "null", "3", r#""path""#, r#"{"edits":[]}"#, r#"{"file_paths":1}"#] {
        check(raw, Dialect::Standard);
    }
}

#[test]
fn the_order_of_keys_does_not_matter() {
    check(r#"{"edits":[],"old_string":"","file_path":"/a"}"#, Dialect::ClaudeCode);
    check(r#"{"file_path":"/a","path":"a"}"#, Dialect::Standard);
}

#[test]
fn a_forced_dialect_overrules_the_shape() {
    assert_eq!(error(r#"{"path":"a"}"#, Some(Dialect::OpenCode)).dialect, Some(Dialect::OpenCode));
}

#[test]
fn a_dialect_is_found_by_its_name() {
    for dialect in Dialect::ALL {
        assert_eq!(Dialect::from_name(dialect.as_str()), Some(dialect));
    }
    assert_eq!(Dialect::from_name("native"), Some(Dialect::Standard));
    assert_eq!(Dialect::from_name("aider"), None);
}

#[test]
fn only_opencode_is_loose_by_default() {
    let loose: Vec<_> = Dialect::ALL.into_iter().filter(|&d| default_level(d) == Level::Loose).collect();
    assert_eq!(loose, [Dialect::OpenCode]);
}
