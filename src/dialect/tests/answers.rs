//! Answers in the words of each dialect.

use super::*;

fn context() -> NativeContext {
    NativeContext { path: "/w/a.rs".to_owned(), edits: 2 }
}

fn done() -> Envelope {
    let file = FileData {
        path: "a.rs".to_owned(),
        from: None,
        path_b64: None,
        from_b64: None,
        change: crate::change::ChangeKind::Modify,
        before: None,
        after: None,
        state: None,
        encoding: None,
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
