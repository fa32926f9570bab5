//! Any bytes at all: nothing panics, and what is refused is refused with a reason.

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
