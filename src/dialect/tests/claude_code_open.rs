//! The dialect `claude-code-open`.

use super::*;

fn bad(raw: &str, reason: Reason, part: &str) {
    check_bad(raw, Some(Dialect::ClaudeCodeOpen), reason, part);
}

#[test]
fn edits_match_the_original_and_may_not_nest() {
    let raw = r#"{"file_path":"/w/a","edits":[{"old_string":"x","new_string":"y"}]}"#;
    let request = parsed(raw, Some(Dialect::ClaudeCodeOpen));
    assert_eq!((request.dialect, request.mode, request.refuse_nested), (Dialect::ClaudeCodeOpen, Mode::Original, true));
    assert_eq!(modify(&request), [(&b"x"[..], &b"y"[..], false)]);
}

#[test]
fn it_has_neither_replace_all_nor_a_way_to_create() {
    let edit = |edit: &str| format!(r#"{{"file_path":"/w/a","edits":[{edit}]}}"#);
    bad(
        &edit(r#"{"old_string":"x","new_string":"y","replace_all":false}"#),
        Reason::UnknownField,
        "`edits[0].replace_all`",
    );
    bad(&edit(r#"{"old_string":"","new_string":"y"}"#), Reason::EmptyOldString, "`edits[0].old_string`");
    bad(r#"{"file_path":"/w/a","old_string":"x","new_string":"y"}"#, Reason::UnknownField, "`old_string`");
    bad(r#"{"file_path":"/w/a"}"#, Reason::MissingField, "`edits`");
}
