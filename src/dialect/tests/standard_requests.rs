//! The dialect `standard`.

use super::*;

#[test]
fn a_single_edit_and_a_list_of_one_are_the_same() {
    let single = standard(r#"{"path":"a","old_string":"x","new_string":"y","replace_all":true,"line":3}"#);
    let list = standard(r#"{"path":"a","edits":[{"old_string":"x","new_string":"y","replace_all":true,"line":3}]}"#);
    assert_eq!(single, list);
    assert_eq!(modify(&single), [(&b"x"[..], &b"y"[..], true)]);
    assert_eq!((single.mode, single.level, single.dry_run), (Mode::Original, None, false));
}

#[test]
fn every_field_of_the_request_is_read() {
    let head = "E69de29bb2d1d6434b8b29ae775ad8c2e48c5391";
    let request = standard(&format!(
        r#"{{"path":"./a//b","edits":[{{"old_string":"x","new_string":"y","expected_replacements":2}}],
            "expected_mtime_ms":-5,"expected_size_bytes":7,"expected_blob":"{head}","expected_head":"{head}",
            "mode":"sequence","match":"block-anchor","dry_run":true,"require_clean":true,"record":"stash",
            "message":"why","agent":{{"name":"n","model":"m","session":"s","call_id":"c"}},"request_id":"r"}}"#
    ));
    let file = &request.files[0];
    assert_eq!(file.path.to_string_lossy(), "a/b");
    assert_eq!((file.expected.mtime_ms, file.expected.size_bytes), (Some(-5), Some(7)));
    assert_eq!(file.expected.blob, head.parse().ok());
    assert_eq!(file.edits()[0].expected_replacements, Some(2));
    assert_eq!(request.expected_head, head.parse().ok());
    assert_eq!((request.mode, request.level), (Mode::Sequence, Level::from_name("block-anchor")));
    assert!(request.dry_run && request.require_clean);
    assert_eq!((request.record, request.message.as_deref()), (Some(RecordKind::Stash), Some("why")));
    assert_eq!((request.agent.name.as_deref(), request.agent.call_id.as_deref()), (Some("n"), Some("c")));
    assert_eq!((request.agent.model.as_deref(), request.agent.session.as_deref()), (Some("m"), Some("s")));
    assert_eq!(request.request_id.as_deref(), Some("r"));
}

#[test]
fn several_files_keep_their_order_and_their_kinds_of_change() {
    let request = standard(
        r#"{"files":[{"path":"a","content":"","overwrite":true},{"path":"b","delete":true},{"path":"c","rename_to":"d"},
            {"path":"e","rename_to":"f","edits":[{"old_string":"x","new_string":""}]}]}"#,
    );
    let paths: Vec<_> = request.files.iter().map(|f| f.path.to_string_lossy()).collect();
    assert_eq!(paths, ["a", "b", "c", "e"]);
    assert_eq!(request.files[0].change, FileChange::Create { content: vec![], overwrite: true, edits: vec![] });
    assert_eq!(request.files[1].change, FileChange::Delete);
    assert!(matches!(&request.files[2].change, FileChange::Rename { edits, .. } if edits.is_empty()));
    assert!(matches!(&request.files[3].change, FileChange::Rename { edits, .. } if edits.len() == 1));
}

#[test]
fn a_path_in_base64_may_be_any_bytes() {
    let request = standard(r#"{"path_b64":"YS//","delete":true}"#);
    assert!(matches!(&request.files[0].path, PathArg::Relative(path) if path.as_bstr() == &b"a/\xff"[..]));
    bad_standard(r#"{"path_b64":"!","delete":true}"#, Reason::BadType, "base64");
    bad_standard(r#"{"path_b64":"Lw==","delete":true}"#, Reason::AbsolutePath, "path_b64");
}

#[test]
fn null_stands_for_no_expectation_and_for_nothing_else() {
    let request =
        standard(r#"{"path":"a","delete":true,"expected_mtime_ms":null,"expected_size_bytes":null,"dry_run":false}"#);
    assert_eq!(request.files[0].expected, crate::request::Expectation::default());
    bad_standard(r#"{"path":"a","delete":true,"dry_run":null}"#, Reason::BadType, "`dry_run` must be a boolean");
    bad_standard(r#"{"path":null,"delete":true}"#, Reason::BadType, "`path` must be a string, and it is null");
}

#[test]
fn what_is_missing_is_named() {
    bad_standard("{}", Reason::MissingField, "`path` is missing");
    bad_standard(r#"{"path":"a"}"#, Reason::MissingField, "`edits` is missing");
    bad_standard(r#"{"path":"a","old_string":"x"}"#, Reason::MissingField, "`new_string` is missing");
    bad_standard(
        r#"{"files":[{"path":"a","edits":[{"new_string":"x"}]}]}"#,
        Reason::MissingField,
        "`files[0].edits[0].old_string` is missing",
    );
    bad_standard(r#"{"path":"a","overwrite":true}"#, Reason::MissingField, "`content`");
}

#[test]
fn an_unknown_field_is_named_with_the_nearest_known_one() {
    let raw = r#"{"files":[{"path":"b","delete":true},{"path":"a","edits":[{"old_string":"x","newString":"y"}]}]}"#;
    let told = advice::request(&error(raw, None));
    assert_eq!(told.reason, Reason::UnknownField);
    assert!(told.message.starts_with("`files[1].edits[0].newString`"), "{}", told.message);
    assert_eq!(told.hint["did_you_mean"], "new_string");
    assert!(told.hint["known_fields"].as_array().is_some_and(|known| known.contains(&"replace_all".into())));
    assert_eq!((told.failed_index, told.failed_path.as_deref()), (Some(0), Some("a")));
}

#[test]
fn a_wrong_type_says_what_was_expected_and_what_was_found() {
    let told = advice::request(&error(
        r#"{"path":"a","edits":[{"old_string":"x","new_string":"y"},{"old_string":1,"new_string":""}]}"#,
        None,
    ));
    assert_eq!(told.reason, Reason::BadType);
    assert_eq!(told.hint["field"], "edits[1].old_string");
    assert_eq!((&told.hint["expected"], &told.hint["found"]), (&json!("a string"), &json!("the number 1")));
    assert_eq!(told.failed_index, Some(1));
}

#[test]
fn values_out_of_their_range_have_the_wrong_type() {
    for (field, value, part) in [
        ("edits", r#""[]""#, "a string with JSON inside"),
        ("edits", r"{}", "an array"),
        ("edits", r"[1]", "`edits[0]` must be an object"),
        ("content", "1", "a string"),
        ("delete", r#""true""#, "a boolean"),
        ("rename_to", "[]", "a string"),
        ("mode", r#""serial""#, "\"sequence\""),
        ("match", r#""fuzy""#, "\"fuzzy\""),
        ("record", r#""git""#, "\"commit\""),
        ("expected_head", r#""HEAD""#, "40 hexadecimal"),
        ("expected_blob", "1", "40 hexadecimal"),
        ("expected_size_bytes", "-1", "at least 0"),
        ("expected_mtime_ms", "1.5", "an integer"),
        ("expected_mtime_ms", "1e30", "an integer"),
        ("agent", r#""me""#, "an object"),
        ("request_id", r#""""#, "not empty"),
        ("message", "1", "a string"),
    ] {
        let change =
            if ["edits", "content", "delete", "rename_to"].contains(&field) { "" } else { r#","delete":true"# };
        bad_standard(&format!(r#"{{"path":"a","{field}":{value}{change}}}"#), Reason::BadType, part);
    }
    bad_standard(r#"{"path":"a","old_string":"x","new_string":"y","line":0}"#, Reason::BadType, "at least 1");
    bad_standard(r#"{"files":{},"dry_run":true}"#, Reason::BadType, "`files` must be an array");
}

#[test]
fn fields_that_exclude_each_other_are_refused() {
    for rest in [
        r#""path_b64":"YQ==","delete":true"#,
        r#""files":[{"path":"b","delete":true}]"#,
        r#""edits":[{"old_string":"x","new_string":"y"}],"old_string":"x""#,
        r#""edits":[{"old_string":"x","new_string":"y"}],"replace_all":true"#,
        r#""edits":[{"old_string":"x","new_string":"y"}],"content":"z""#,
        r#""old_string":"x","new_string":"y","content":"z""#,
        r#""old_string":"x","new_string":"y","delete":true"#,
        r#""old_string":"x","new_string":"y","overwrite":true"#,
        r#""content":"z","delete":true"#,
        r#""rename_to":"b","delete":true"#,
        r#""rename_to":"b","content":"z""#,
    ] {
        bad_standard(&format!(r#"{{"path":"a",{rest}}}"#), Reason::ContradictoryFields, "exclude each other");
    }
}

#[test]
fn a_flag_that_is_false_is_the_same_as_none() {
    let request = standard(r#"{"path":"a","old_string":"x","new_string":"y","delete":false,"overwrite":false}"#);
    assert_eq!(modify(&request).len(), 1);
}

#[test]
fn an_empty_list_is_refused() {
    bad_standard(r#"{"path":"a","edits":[]}"#, Reason::EmptyEdits, "`edits` is empty");
    bad_standard(r#"{"files":[]}"#, Reason::EmptyEdits, "`files` is empty");
    bad_standard(r#"{"files":[{"path":"a","edits":[]}]}"#, Reason::EmptyEdits, "`files[0].edits` is empty");
}

#[test]
fn one_file_twice_is_refused_however_it_is_spelled() {
    let raw = r#"{"files":[{"path":"a/b","delete":true},{"path":"c","delete":true},{"path":"./a//b","delete":true}]}"#;
    bad_standard(raw, Reason::SameFileTwice, "`files[2].path` names the same file as `files[0].path`");
    let raw = r#"{"files":[{"path":"a","rename_to":"b"},{"path":"b","delete":true}]}"#;
    bad_standard(raw, Reason::SameFileTwice, "`files[1].path` names the same file as `files[0].rename_to`");
    bad_standard(
        r#"{"path":"a","rename_to":"./a"}"#,
        Reason::SameFileTwice,
        "`rename_to` names the same file as `path`",
    );
}

#[test]
fn a_pair_that_is_no_edit_is_refused_by_its_index() {
    let edits = |last: &str| format!(r#"{{"path":"a","edits":[{{"old_string":"x","new_string":"y"}},{last}]}}"#);
    let raw = edits(r#"{"old_string":"","new_string":"y"}"#);
    bad_standard(&raw, Reason::EmptyOldString, "`edits[1].old_string` is empty");
    assert_eq!(advice::request(&error(&raw, None)).failed_index, Some(1));
    bad_standard(&edits(r#"{"old_string":"q\n","new_string":"q\r\n"}"#), Reason::SameText, "`edits[1].old_string` and");
    let single = advice::request(&error(r#"{"path":"a","old_string":"x","new_string":"x"}"#, None));
    assert_eq!((single.reason, single.failed_index), (Reason::SameText, Some(0)));
}

#[test]
fn paths_are_relative_and_inside() {
    let path = |raw: &str| json!({"path": raw, "delete": true}).to_string();
    bad_standard(&path("/etc/passwd"), Reason::AbsolutePath, "`path`: path \"/etc/passwd\" is absolute");
    bad_standard(&path("../x"), Reason::OutsideRoot, "`path`");
    bad_standard(&path(""), Reason::BadPath, "`path`");
    bad_standard(&path("a\0"), Reason::BadPath, "NUL");
    bad_standard(&path("a/"), Reason::Directory, "slash");
    bad_standard(&path(".git/config"), Reason::GitInternals, ".git");
    bad_standard(r#"{"path":"a","rename_to":"/b"}"#, Reason::AbsolutePath, "`rename_to`");
    assert_eq!(advice::request(&error(&path("/x"), None)).failed_path.as_deref(), Some("/x"));
}
