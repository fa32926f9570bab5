//! Requests of every dialect, good and bad, and the answers in its words.

use super::*;
use crate::advice;
use crate::answer::{Context, Data, ErrorBody, FileData, Stats, Status};
use crate::request::{FileChange, Mode, PathArg, RecordKind};
use proptest::prelude::*;
use serde_json::json;

fn parsed(raw: &str, forced: Option<Dialect>) -> Request {
    match parse(raw.as_bytes(), forced, Limits::default()) {
        Ok(parsed) => parsed.request,
        Err(error) => panic!("{raw}: {}", advice::request(&error).message),
    }
}

fn error(raw: &str, forced: Option<Dialect>) -> DialectError {
    parse(raw.as_bytes(), forced, Limits::default()).expect_err(raw)
}

/// The request is refused for this reason, and the message names the field.
fn check_bad(raw: &str, forced: Option<Dialect>, reason: Reason, part: &str) {
    let told = advice::request(&error(raw, forced));
    assert_eq!(told.reason, reason, "{raw}: {}", told.message);
    assert!(told.message.contains(part), "{raw}: {}", told.message);
    assert!(!told.message.ends_with('.') && !told.message.starts_with(char::is_uppercase), "{}", told.message);
}

fn standard(raw: &str) -> Request {
    parsed(raw, Some(Dialect::Standard))
}

fn bad_standard(raw: &str, reason: Reason, part: &str) {
    check_bad(raw, Some(Dialect::Standard), reason, part);
}

fn modify(request: &Request) -> Vec<(&[u8], &[u8], bool)> {
    match &request.files[0].change {
        FileChange::Modify(edits) => edits.iter().map(|e| (e.old(), e.new_text(), e.replace_all)).collect(),
        other => panic!("{other:?}"),
    }
}

mod shape {
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
}

mod received {
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
}

mod native {
    use super::*;

    #[test]
    fn a_single_edit_and_a_list_of_one_are_the_same() {
        let single = standard(r#"{"path":"a","old_string":"x","new_string":"y","replace_all":true,"line":3}"#);
        let list =
            standard(r#"{"path":"a","edits":[{"old_string":"x","new_string":"y","replace_all":true,"line":3}]}"#);
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
        let request = standard(
            r#"{"path":"a","delete":true,"expected_mtime_ms":null,"expected_size_bytes":null,"dry_run":false}"#,
        );
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
        let raw =
            r#"{"files":[{"path":"a/b","delete":true},{"path":"c","delete":true},{"path":"./a//b","delete":true}]}"#;
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
        bad_standard(
            &edits(r#"{"old_string":"q\n","new_string":"q\r\n"}"#),
            Reason::SameText,
            "`edits[1].old_string` and",
        );
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
}

mod claude {
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
        bad(
            r#"{"file_path":"/w/a","old_string":"","new_string":""}"#,
            Reason::SameText,
            "`old_string` and `new_string`",
        );
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
        bad(
            r#"{"file_path":"/a","old_string":"x","new_string":"y","dry_run":true}"#,
            Reason::UnknownField,
            "`dry_run`",
        );
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
}

mod claude_open {
    use super::*;

    fn bad(raw: &str, reason: Reason, part: &str) {
        check_bad(raw, Some(Dialect::ClaudeCodeOpen), reason, part);
    }

    #[test]
    fn edits_match_the_original_and_may_not_nest() {
        let raw = r#"{"file_path":"/w/a","edits":[{"old_string":"x","new_string":"y"}]}"#;
        let request = parsed(raw, Some(Dialect::ClaudeCodeOpen));
        assert_eq!(
            (request.dialect, request.mode, request.refuse_nested),
            (Dialect::ClaudeCodeOpen, Mode::Original, true)
        );
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
}

mod open_code {
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
}

mod answers {
    use super::*;

    fn context() -> NativeContext {
        NativeContext { path: "/w/a.rs".to_owned(), edits: 2 }
    }

    fn done() -> Envelope {
        let file = FileData {
            path: "a.rs".to_owned(),
            from: None,
            change: crate::change::ChangeKind::Modify,
            before: None,
            after: None,
            state: None,
            edits: vec![],
        };
        Envelope {
            status: Status::Success,
            data: Data { applied: true, replacements: 3, files: vec![file], ..Data::default() },
            text: "edited a.rs".to_owned(),
            stats: Stats { lines_added: 4, lines_removed: 5, ..Stats::default() },
            context: Context::default(),
            error: None,
        }
    }

    fn failed(reason: Reason) -> Envelope {
        Envelope {
            status: Status::Error,
            data: Data { reason: Some(reason), ..Data::default() },
            text: "try this".to_owned(),
            stats: Stats::default(),
            context: Context::default(),
            error: Some(ErrorBody { code: reason.code(), message: "something; do this".to_owned() }),
        }
    }

    fn json_of(dialect: Dialect, envelope: &Envelope) -> Value {
        match super::answer(dialect, envelope, &context()) {
            NativeAnswer::Json(value) => value,
            NativeAnswer::Text(text) => panic!("{text}"),
        }
    }

    fn text_of(dialect: Dialect, envelope: &Envelope) -> String {
        match super::answer(dialect, envelope, &context()) {
            NativeAnswer::Text(text) => text,
            NativeAnswer::Json(value) => panic!("{value}"),
        }
    }

    #[test]
    fn standard_answers_with_the_envelope() {
        assert_eq!(json_of(Dialect::Standard, &done()), serde_json::to_value(done()).expect("serialises"));
    }

    #[test]
    fn opencode_answers_with_title_output_and_metadata() {
        let answer = json_of(Dialect::OpenCode, &done());
        assert_eq!(answer["title"], "a.rs");
        assert_eq!(answer["output"], "Edit applied successfully.");
        assert_eq!(answer["metadata"]["replacements"], 3);
    }

    #[test]
    fn opencode_answers_errors_in_the_words_of_its_harness() {
        for (reason, want) in [
            (Reason::SameText, "No changes to apply: oldString and newString are identical."),
            (Reason::NoSuchFile, "File not found: /w/a.rs"),
            (Reason::Directory, "Path is a directory, not a file: /w/a.rs"),
            (Reason::NulByte, "Cannot edit binary file: /w/a.rs"),
            (Reason::NoMatch, "Could not find oldString in the file...\nsomething; do this"),
            (Reason::Ambiguous, "Found multiple matches for oldString...\nsomething; do this"),
            (Reason::Declined, "Edit cancelled by user"),
            (Reason::OutsideRoot, "something; do this"),
        ] {
            assert_eq!(text_of(Dialect::OpenCode, &failed(reason)), want);
        }
    }

    #[test]
    fn claude_code_answers_with_one_line() {
        assert_eq!(text_of(Dialect::ClaudeCode, &done()), "Successfully applied 2 edits to /w/a.rs");
        let want = "MultiEdit failed: something; do this. No changes were applied.";
        assert_eq!(text_of(Dialect::ClaudeCode, &failed(Reason::NoMatch)), want);
        let mut found = failed(Reason::Ambiguous);
        found.text.push_str("\nfor line 2, send this");
        assert_eq!(text_of(Dialect::ClaudeCode, &found), format!("{want}\nfor line 2, send this"));
        assert_eq!(
            text_of(Dialect::OpenCode, &found),
            "Found multiple matches for oldString...\nsomething; do this\nfor line 2, send this"
        );
        assert_eq!(json_of(Dialect::ClaudeCodeOpen, &found)["message"], "something; do this\nfor line 2, send this");
    }

    #[test]
    fn no_dialect_says_applied_of_a_dry_run() {
        let mut dry = done();
        dry.status = Status::Partial;
        dry.data.applied = false;
        assert_eq!(text_of(Dialect::ClaudeCode, &dry), "edited a.rs");
        assert_eq!(json_of(Dialect::OpenCode, &dry)["output"], "edited a.rs");
        assert_eq!(json_of(Dialect::ClaudeCodeOpen, &dry)["statistics"]["applied"], 0);
    }

    #[test]
    fn claude_code_open_answers_with_statistics_and_eight_phases() {
        let answer = json_of(Dialect::ClaudeCodeOpen, &done());
        assert_eq!((&answer["success"], &answer["message"]), (&json!(true), &json!("edited a.rs")));
        let want = json!({"totalEdits": 2, "applied": 2, "linesAdded": 4, "linesRemoved": 5});
        assert_eq!(answer["statistics"], want);
        assert_eq!(answer["phases"].as_array().map(Vec::len), Some(8));
    }

    #[test]
    fn claude_code_open_names_the_phase_that_failed() {
        for (reason, want) in [
            (Reason::BadJson, "Input validation"),
            (Reason::NoSuchFile, "Input validation"),
            (Reason::NestedConflict, "Conflict detection"),
            (Reason::Ambiguous, "Sequential validation"),
            (Reason::NoSpace, "File write"),
        ] {
            let answer = json_of(Dialect::ClaudeCodeOpen, &failed(reason));
            let phases = answer["phases"].as_array().expect("a list");
            let failed: Vec<_> = phases.iter().filter(|p| p["status"] == "failed").map(|p| &p["name"]).collect();
            assert_eq!(failed, [want], "{reason}");
            assert_eq!(answer["statistics"]["applied"], 0);
        }
    }
}

mod schemas {
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
        for tool in tools(None).into_iter().filter(|tool| tool.name != "redraft") {
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
}

mod any_bytes {
    use super::*;

    /// A good request of each dialect, to be broken.
    const GOOD: [&str; 6] = [
        r#"{"path":"a","edits":[{"old_string":"x","new_string":"\u00e9\n","replace_all":true,"line":3}],"mode":"sequence"}"#,
        r#"{"files":[{"path":"a","content":"x"},{"path":"b","rename_to":"c"}],"agent":{"name":"n"},"record":"none"}"#,
        r#"{"path_b64":"YQ==","delete":true,"expected_mtime_ms":null,"expected_size_bytes":12}"#,
        r#"{"file_path":"/w/a","edits":[{"old_string":"","new_string":"y"},{"old_string":"y","new_string":"z"}]}"#,
        r#"{"file_path":"/w/a","old_string":"x","new_string":"y","replace_all":false}"#,
        r#"{"filePath":"a","oldString":"x","newString":"y","replaceAll":true}"#,
    ];

    fn dialect() -> impl Strategy<Value = Option<Dialect>> {
        prop_oneof![
            Just(None),
            Just(Some(Dialect::Standard)),
            Just(Some(Dialect::ClaudeCode)),
            Just(Some(Dialect::ClaudeCodeOpen)),
            Just(Some(Dialect::OpenCode)),
        ]
    }

    /// A request or an explanation, and the same one each time.
    fn check(raw: &[u8], forced: Option<Dialect>) -> Result<(), TestCaseError> {
        let result = parse(raw, forced, Limits::default());
        match &result {
            Ok(parsed) => {
                prop_assert!(!parsed.request.files.is_empty());
                prop_assert!(forced.is_none_or(|dialect| dialect == parsed.request.dialect));
            }
            Err(error) => prop_assert!(!advice::request(error).message.is_empty()),
        }
        prop_assert_eq!(parse(raw, forced, Limits::default()), result);
        Ok(())
    }

    proptest! {
        #[test]
        fn random_bytes_are_read_or_explained(raw in proptest::collection::vec(any::<u8>(), 0..200), forced in dialect()) {
            check(&raw, forced)?;
        }

        #[test]
        fn a_broken_request_is_read_or_explained(
            which in 0..GOOD.len(),
            forced in dialect(),
            changes in proptest::collection::vec((any::<prop::sample::Index>(), 0..3u8, any::<u8>()), 0..4),
        ) {
            let mut raw = GOOD[which].as_bytes().to_vec();
            for (at, kind, byte) in changes {
                if raw.is_empty() {
                    break;
                }
                let at = at.index(raw.len());
                match kind {
                    0 => raw[at] = byte,
                    1 => drop(raw.remove(at)),
                    _ => raw.insert(at, b"{}[]\",:0n\\"[usize::from(byte) % 10]),
                }
            }
            check(&raw, forced)?;
        }

        #[test]
        fn any_json_is_read_or_explained(
            keys in proptest::collection::vec((0..30usize, 0..8usize), 0..6),
            forced in dialect(),
        ) {
            const KEYS: [&str; 30] = [
                "path", "path_b64", "edits", "old_string", "new_string", "replace_all", "line", "content", "overwrite",
                "delete", "rename_to", "expected_blob", "files", "mode", "match", "dry_run", "agent", "record", "message",
                "request_id", "file_path", "filePath", "oldString", "newString", "replaceAll", "", "\"", "\0", "é", "Path",
            ];
            let values =
                [json!("a"), json!(""), json!("/a"), json!(1), json!(true), json!(null), json!([{"old_string": "x", "new_string": "y"}]), json!([{"path": "b", "delete": true}])];
            let object: serde_json::Map<_, _> =
                keys.iter().map(|&(key, value)| (KEYS[key].to_owned(), values[value].clone())).collect();
            check(Value::Object(object).to_string().as_bytes(), forced)?;
        }
    }

    #[test]
    fn the_good_requests_are_good() {
        for raw in GOOD {
            parsed(raw, None);
        }
    }
}
