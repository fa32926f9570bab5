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

/// What stands at the end of a text that is cut.
const CUT: &str = "\n[... and more, which the whole envelope has]";

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

/// The message is the text's first line, and the path stands in it, so they go first; then the last lines of the text.
fn shorten_refusal(answer: &mut Value) {
    for (of, key) in [("error", "message"), ("data", "failed_path")] {
        if size(answer) > REFUSAL
            && let Some(object) = answer.get_mut(of).and_then(Value::as_object_mut)
        {
            object.shift_remove(key);
        }
    }
    while let over @ 1.. = size(answer).saturating_sub(REFUSAL) {
        let Some(Value::String(text)) = answer.get_mut("text") else { return };
        let whole = text.strip_suffix(CUT).unwrap_or(text).to_owned();
        // A character takes at most six bytes in JSON; whole lines, unless that leaves none.
        let most = whole.len().saturating_sub((over + CUT.len()).div_ceil(6));
        let end = (0..=most).rev().find(|&at| whole.is_char_boundary(at)).unwrap_or(0);
        let end = whole[..end].rfind('\n').unwrap_or(end);
        if end == 0 {
            return;
        }
        *text = format!("{}{CUT}", &whole[..end]);
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
        let lines = "line; do\n".repeat(900);
        for text in ["x".repeat(5_000), "\"é".repeat(900), lines, format!("line; do\n{}", "y".repeat(2_000))] {
            let brief = envelope(Status::Error, Data::default(), &text).brief();
            assert!(size(&brief) <= REFUSAL, "{}", size(&brief));
            let short = brief["text"].as_str().expect("a text");
            assert!(short.starts_with(&text[..9]) && short.ends_with(CUT), "{short}");
            let shown = short.strip_suffix(CUT).expect("it was cut");
            assert!(!text.contains('\n') || shown.ends_with("; do"), "whole lines: {short}");
        }
        let data = Data { failed_path: Some("a/".repeat(2_000)), ..Data::default() };
        let brief = envelope(Status::Error, data, "a[...]: line; do\nnothing was written").brief();
        assert!(size(&brief) < 200 && brief["text"] == "a[...]: line; do\nnothing was written", "{brief}");
    }

    #[test]
    fn a_success_of_many_files_has_its_size_and_its_diff() {
        let file = |n: usize| FileData {
            path: format!("src/some/folder/file_{n}.rs"),
            from: None,
            path_b64: None,
            from_b64: None,
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
