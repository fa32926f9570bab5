//! The dialect `claude-code`.

use super::*;

fn claude(raw: &str) -> Request {
    let request = parsed(raw, None);
    assert_eq!((request.dialect, request.mode), (Dialect::ClaudeCode, Mode::Sequence));
    request
}

fn bad(raw: &str, reason: Reason, part: &str) {
    check_bad(raw, None, reason, part);
}

#[test]
fn edits_work_in_sequence_on_an_absolute_path() {
    let request = claude(
        r#"{"file_path":"/w/a","edits":[{"old_string":"x","new_string":"y","replace_all":true},{"old_string":"y","new_string":""}]}"#,
    );
    assert_eq!(request.files[0].path, PathArg::Absolute("/w/a".into()));
    assert_eq!(modify(&request), [(&b"x"[..], &b"y"[..], true), (b"y", b"", false)]);
}

#[test]
fn the_single_edit_is_taken_too() {
    let request = claude(r#"{"file_path":"/w/a","old_string":"x","new_string":"y","replace_all":true}"#);
    assert_eq!(modify(&request), [(&b"x"[..], &b"y"[..], true)]);
}

#[test]
fn an_empty_first_old_string_makes_the_file_and_later_edits_work_on_it() {
    let request = claude(
        r#"{"file_path":"/w/a","edits":[{"old_string":"","new_string":"abc"},{"old_string":"b","new_string":"c"}]}"#,
    );
    match &request.files[0].change {
        FileChange::Create { content, overwrite: false, edits } => {
            assert_eq!((&content[..], edits.len()), (&b"abc"[..], 1));
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(NativeContext::of(&request), NativeContext { path: "/w/a".into(), edits: 2 });
}

#[test]
fn an_empty_old_string_later_is_refused() {
    let raw =
        r#"{"file_path":"/w/a","edits":[{"old_string":"x","new_string":"y"},{"old_string":"","new_string":"z"}]}"#;
    bad(raw, Reason::EmptyOldString, "only the first edit");
    assert_eq!(advice::request(&error(raw, None)).failed_index, Some(1));
}

#[test]
fn a_file_made_of_nothing_changes_nothing() {
    bad(r#"{"file_path":"/w/a","old_string":"","new_string":""}"#, Reason::SameText, "`old_string` and `new_string`");
}

#[test]
fn a_relative_path_is_bad() {
    bad(r#"{"file_path":"w/a","old_string":"x","new_string":"y"}"#, Reason::BadPath, "not an absolute path");
    bad(r#"{"file_path":"","old_string":"x","new_string":"y"}"#, Reason::BadPath, "not an absolute path");
    bad(r#"{"file_path":"/w/","old_string":"x","new_string":"y"}"#, Reason::Directory, "slash");
}

#[test]
fn a_notebook_is_refused_with_the_tool_for_it() {
    let raw = r#"{"file_path":"/w/a.IPYNB","old_string":"x","new_string":"y"}"#;
    bad(raw, Reason::UnsupportedFile, "NotebookEdit");
}

#[test]
fn the_schema_is_strict() {
    bad(r#"{"file_path":"/a","old_string":"x","new_string":"y","dry_run":true}"#, Reason::UnknownField, "`dry_run`");
    bad(
        r#"{"file_path":"/a","edits":[{"old_string":"x","new_string":"y","line":1}]}"#,
        Reason::UnknownField,
        "`edits[0].line`",
    );
    bad(r#"{"file_path":"/a","edits":[],"old_string":"x"}"#, Reason::ContradictoryFields, "`old_string`");
    bad(r#"{"file_path":"/a","edits":[]}"#, Reason::EmptyEdits, "`edits` is empty");
    bad(r#"{"file_path":"/a"}"#, Reason::MissingField, "`edits` is missing");
    check_bad(r#"{"edits":[]}"#, Some(Dialect::ClaudeCode), Reason::MissingField, "`file_path` is missing");
}
