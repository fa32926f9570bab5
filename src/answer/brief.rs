//! The envelope for a reader who pays for every word of it.
//!
//! Owns what is left out: the echo of the request, what is null or empty, and what the text or the diff says, too. What is
//! left has the names and types of the envelope.
//! Invariants: a refusal has at most [`REFUSAL`] bytes; a success has at most [`SUCCESS`] beyond its diff, unless it has
//! warnings.

use super::{Envelope, Status};
use serde_json::{Map, Value};

/// Bytes of a refusal, its line ending included.
const REFUSAL: usize = 1_600;
/// Bytes of a success beyond its diff, its line ending included.
const SUCCESS: usize = 600;

/// What of `data` stays of an error: the rest is empty, or in the text.
const OF_ERROR: [&str; 3] = ["reason", "failed_index", "failed_path"];
/// What of `data` the text says, too, or nobody needs who only goes on.
const SAID: [&str; 2] = ["warnings", "backup"];
/// What of a file nobody needs who only goes on.
const OF_FILE: [&str; 3] = ["before", "state", "edits"];

impl Envelope {
    /// The same, as short as it can be.
    pub fn brief(&self) -> Value {
        let mut answer = match serde_json::to_value(self) {
            Ok(Value::Object(answer)) => answer,
            _ => Map::new(),
        };
        answer.shift_remove("context");
        if self.status == Status::Error {
            refusal(&mut answer);
        } else {
            success(&mut answer);
        }
        prune(&mut answer);
        let mut answer = Value::Object(answer);
        if self.status == Status::Error {
            shorten_refusal(&mut answer);
        } else {
            shorten_success(&mut answer);
        }
        answer
    }
}

fn refusal(answer: &mut Map<String, Value>) {
    answer.shift_remove("stats");
    if let Some(Value::Object(data)) = answer.get_mut("data") {
        data.retain(|key, _| OF_ERROR.contains(&key.as_str()));
    }
}

fn success(answer: &mut Map<String, Value>) {
    let Some(Value::Object(data)) = answer.get_mut("data") else { return };
    data.retain(|key, _| !SAID.contains(&key.as_str()));
    if data.get("diff_truncated") == Some(&Value::Bool(false)) {
        data.shift_remove("diff_truncated");
    }
    for file in data.get_mut("files").and_then(Value::as_array_mut).into_iter().flatten() {
        if let Value::Object(file) = file {
            file.retain(|key, _| !OF_FILE.contains(&key.as_str()));
        }
    }
    if let Some(Value::Object(stats)) = answer.get_mut("stats") {
        stats.retain(|key, value| key != "time_ms" && value.as_u64() != Some(0));
    }
}

/// Takes out what is null or empty, all the way down.
fn prune(object: &mut Map<String, Value>) {
    for value in object.values_mut() {
        match value {
            Value::Object(inner) => prune(inner),
            Value::Array(items) => items.iter_mut().filter_map(Value::as_object_mut).for_each(prune),
            _ => {}
        }
    }
    object.retain(|_, value| match value {
        Value::Null => false,
        Value::String(text) => !text.is_empty(),
        Value::Array(items) => !items.is_empty(),
        Value::Object(inner) => !inner.is_empty(),
        _ => true,
    });
}

/// The message is the text's first line, so it goes first; then the end of the text.
fn shorten_refusal(answer: &mut Value) {
    if size(answer) > REFUSAL
        && let Some(error) = answer.get_mut("error").and_then(Value::as_object_mut)
    {
        error.shift_remove("message");
    }
    while let over @ 1.. = size(answer).saturating_sub(REFUSAL) {
        let Some(Value::String(text)) = answer.get_mut("text") else { return };
        let most = text.len().saturating_sub(over.max(2) / 2 + 3);
        let end = (0..=most).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
        if end == 0 {
            return;
        }
        text.truncate(end);
        text.push_str("...");
    }
}

/// The diff names the files, too: first their ids go, then they.
fn shorten_success(answer: &mut Value) {
    let beyond = |answer: &Value| size(answer) - answer["data"].get("diff_preview").map_or(0, size);
    if beyond(answer) > SUCCESS {
        for file in answer["data"].get_mut("files").and_then(Value::as_array_mut).into_iter().flatten() {
            file.as_object_mut().map(|file| file.shift_remove("after"));
        }
    }
    let has_diff = answer["data"].get("diff_preview").is_some();
    if beyond(answer) > SUCCESS && has_diff {
        answer["data"].as_object_mut().map(|data| data.shift_remove("files"));
    }
}

/// Bytes as they go out, with a line ending.
fn size(value: &Value) -> usize {
    value.to_string().len() + 1
}

#[cfg(test)]
mod tests {
    use super::super::{Context, Data, ErrorBody, FileData, Stats};
    use super::*;
    use crate::change::ChangeKind;
    use crate::code::{Code, Reason};
    use serde_json::json;

    fn envelope(status: Status, data: Data, text: &str) -> Envelope {
        let error = (status == Status::Error)
            .then(|| ErrorBody { code: Code::InvalidParam, message: text.lines().next().unwrap_or_default().into() });
        let context = Context { cwd: ".".into(), params_input: json!({"path": "a"}), path_resolved: Some("a".into()) };
        Envelope { status, data, text: text.to_owned(), stats: Stats::default(), context, error }
    }

    #[test]
    fn what_is_null_empty_or_an_echo_is_left_out() {
        let data = Data { reason: Some(Reason::NoMatch), failed_index: Some(0), ..Data::default() };
        let want = json!({
            "status": "error", "data": {"failed_index": 0, "reason": "no_match"}, "text": "edit 0: x; do y",
            "error": {"code": "INVALID_PARAM", "message": "edit 0: x; do y"}
        });
        assert_eq!(envelope(Status::Error, data, "edit 0: x; do y").brief(), want);
        let done = Data { applied: true, diff_preview: "+x\n".into(), replacements: 1, ..Data::default() };
        let want = json!({
            "status": "success", "data": {"applied": true, "diff_preview": "+x\n", "replacements": 1}, "text": "edited a"
        });
        assert_eq!(envelope(Status::Success, done, "edited a").brief(), want);
    }

    #[test]
    fn a_refusal_has_its_size_however_long_its_text() {
        for text in ["x".repeat(5_000), "\"é\n".repeat(900), format!("line; do\n{}", "y".repeat(1_500))] {
            let brief = envelope(Status::Error, Data::default(), &text).brief();
            assert!(size(&brief) <= REFUSAL && size(&brief) > REFUSAL - 400, "{}", size(&brief));
            assert!(brief["text"].as_str().is_some_and(|short| short.starts_with(&text[..8])));
        }
    }

    #[test]
    fn a_success_of_many_files_has_its_size_and_its_diff() {
        let file = |n: usize| FileData {
            path: format!("src/some/folder/file_{n}.rs"),
            from: None,
            change: ChangeKind::Modify,
            before: None,
            after: None,
            state: None,
            encoding: None,
            edits: Vec::new(),
        };
        let diff = "+line\n".repeat(100);
        let data = Data { files: (0..40).map(file).collect(), diff_preview: diff.clone(), ..Data::default() };
        let brief = envelope(Status::Success, data, "edited 40 files").brief();
        assert!(size(&brief) - size(&json!(diff)) <= SUCCESS);
        assert_eq!(brief["data"]["diff_preview"], diff.as_str());
    }
}
