//! The dialect `opencode`.

use super::*;

#[test]
fn it_takes_absolute_and_relative_paths() {
    let path = |raw: &str| {
        parsed(&json!({"filePath": raw, "oldString": "x", "newString": "y", "replaceAll": true}).to_string(), None)
    };
    assert_eq!(path("/w/a").files[0].path, PathArg::Absolute("/w/a".into()));
    assert!(matches!(path("w/a").files[0].path, PathArg::Relative(_)));
    assert_eq!(modify(&path("a")), [(&b"x"[..], &b"y"[..], true)]);
    assert_eq!((path("a").dialect, path("a").level), (Dialect::OpenCode, None));
}

#[test]
fn errors_are_in_its_own_keys() {
    let pair = |old: &str, new: &str| json!({"filePath": "a", "oldString": old, "newString": new}).to_string();
    check_bad(&pair("x", "x"), None, Reason::SameText, "`oldString` and `newString`");
    check_bad(&pair("", "x"), None, Reason::EmptyOldString, "`oldString`");
    check_bad(r#"{"filePath":"a","oldString":"x"}"#, None, Reason::MissingField, "`newString`");
    check_bad(r#"{"oldString":"x","newString":"y"}"#, None, Reason::MissingField, "`filePath`");
    check_bad(r#"{"filePath":"a","old_string":"x"}"#, None, Reason::UnknownField, "did you mean `oldString`");
}
