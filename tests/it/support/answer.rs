//! What every answer keeps to, and the comparison of an answer with a part of it.

use redraft::envelope::Envelope;
use redraft::{Code, Reason};
use serde_json::Value;

/// Says how `got` differs from the part `want`, or nothing.
///
/// Objects may have more keys than `want`, arrays may not have more items. A string in angle brackets is a placeholder:
/// `<any>`, `<absent>` (for a key), `<number>`, `<text>` (not empty), `<id>` (of a record), `<blob>`, `<path>` (absolute),
/// `<has ...>` and `<starts ...>` (of a text).
pub fn differs(got: &Value, want: &Value) -> Option<String> {
    match (got, want) {
        (_, Value::String(text)) if text.starts_with('<') && text.ends_with('>') => {
            placeholder(got, &text[1..text.len() - 1])
        }
        (Value::Object(got), Value::Object(want)) => want.iter().find_map(|(key, want)| {
            let told = match got.get(key) {
                None if want == "<absent>" => None,
                None => Some("it is absent".to_owned()),
                Some(_) if want == "<absent>" => Some("it is there".to_owned()),
                Some(got) => differs(got, want),
            };
            told.map(|told| format!(".{key}{told}"))
        }),
        (Value::Array(got), Value::Array(want)) if got.len() == want.len() => {
            let mut items = got.iter().zip(want).enumerate();
            items.find_map(|(at, (got, want))| differs(got, want).map(|told| format!("[{at}]{told}")))
        }
        _ if got == want => None,
        _ => Some(format!(": got {got}, want {want}")),
    }
}

fn placeholder(got: &Value, name: &str) -> Option<String> {
    let text = got.as_str();
    let holds = match name {
        "any" => true,
        "number" => got.is_number(),
        "text" => text.is_some_and(|text| !text.is_empty()),
        "id" => text.is_some_and(|text| text.len() == 16 && text.bytes().all(|b| (b'k'..=b'z').contains(&b))),
        "blob" => text.is_some_and(|text| text.len() == 40 && text.bytes().all(|b| b.is_ascii_hexdigit())),
        "path" => text.is_some_and(|text| text.starts_with('/')),
        _ => match (name.split_once(' '), text) {
            (Some(("has", part)), Some(text)) => text.contains(part),
            (Some(("starts", part)), Some(text)) => text.starts_with(part),
            _ => false,
        },
    };
    (!holds).then(|| format!(": got {got}, want <{name}>"))
}

/// Asserts what holds of every envelope, whatever was asked.
#[track_caller]
pub fn check_envelope(envelope: &Value) {
    let typed: Envelope = serde_json::from_value(envelope.clone()).unwrap_or_else(|e| panic!("{e}: {envelope:#}"));
    let told =
        well_formed(envelope).or_else(|| if typed.error.is_some() { bad_error(envelope) } else { bad_done(envelope) });
    if let Some(told) = told {
        panic!("{told}: {envelope:#}");
    }
}

fn well_formed(envelope: &Value) -> Option<String> {
    let object = envelope.as_object().expect("it was read as one");
    let mut want = vec!["status", "data", "text", "stats", "context"];
    if envelope["status"] == "error" {
        want.push("error");
    }
    if !object.keys().map(String::as_str).eq(want.iter().copied()) {
        return Some("other keys at the top, or in another order".to_owned());
    }
    let data = envelope["data"].as_object().expect("it was read as one");
    for key in [
        "applied",
        "diff_preview",
        "diff_truncated",
        "replacements",
        "failed_index",
        "files",
        "record",
        "backup",
        "warnings",
    ] {
        if !data.contains_key(key) {
            return Some(format!("data has no {key}"));
        }
    }
    if data.contains_key("truncated") || data.contains_key("fallback") {
        return Some("a key of data that no answer may have".to_owned());
    }
    if !envelope["stats"].as_object().is_some_and(|stats| stats.values().all(Value::is_number)) {
        return Some("stats has what is no number".to_owned());
    }
    let text = envelope["text"].as_str().unwrap_or_default();
    (text.trim().is_empty() || text.ends_with('\n')).then(|| "text is empty, or ends in a line break".to_owned())
}

fn bad_error(envelope: &Value) -> Option<String> {
    let (data, message) = (&envelope["data"], envelope["error"]["message"].as_str().unwrap_or_default());
    let find = |name: &Value| Reason::ALL.iter().find(|reason| *name == reason.as_str());
    let Some(reason) = find(&data["reason"]) else { return Some("no reason".to_owned()) };
    let code: Code = reason.code();
    if envelope["error"]["code"] != code.as_str() {
        return Some(format!("code and reason do not go together ({code} has {reason})"));
    }
    if data["applied"] != false || data["replacements"] != 0 || envelope["stats"]["bytes_written"] != 0 {
        return Some("an error that changed something".to_owned());
    }
    if !data["hint"].is_object() || data["files"].as_array().is_none_or(|files| !files.is_empty()) {
        return Some("an error without hint, or with files".to_owned());
    }
    if message.ends_with('.') || message.contains('\n') || message.len() < 20 {
        return Some("a message that is no sentence".to_owned());
    }
    if doubled(message) {
        return Some("a message that says its place twice".to_owned());
    }
    if !says_what_to_do(message) {
        return Some("a message without a next action".to_owned());
    }
    let text = envelope["text"].as_str().unwrap_or_default();
    (text.lines().next() != Some(message)).then(|| "a text whose first line is not the message".to_owned())
}

/// Whether some clause of a message tells its reader to do something.
pub fn says_what_to_do(message: &str) -> bool {
    const VERBS: &[&str] = &[
        "ask", "change", "check", "commit", "edit", "give", "leave", "look", "make", "name", "put", "read", "run",
        "say", "send", "set", "split", "take", "try", "use", "wait", "write",
    ];
    let clauses = message.split([';', ':', '?', '(', ',']).skip(1);
    clauses
        .flat_map(|clause| clause.split(" then ").chain(clause.split(" or ")))
        .any(|clause| VERBS.contains(&clause.trim().split([' ', '\u{2019}']).next().unwrap_or_default()))
}

/// `edit 0: edit 0: ...`
fn doubled(message: &str) -> bool {
    let mut parts = message.split(": ");
    matches!((parts.next(), parts.next()), (Some(first), Some(second)) if first == second)
}

fn bad_done(envelope: &Value) -> Option<String> {
    let (data, text) = (&envelope["data"], envelope["text"].as_str().unwrap_or_default());
    if data.get("reason").is_some() || data.get("hint").is_some() {
        return Some("a reason without an error".to_owned());
    }
    if !data["failed_index"].is_null() {
        return Some("a failed edit without an error".to_owned());
    }
    let partial = envelope["status"] == "partial";
    if partial != text.contains("partial") {
        return Some("the text says partial exactly when the status does".to_owned());
    }
    if partial && !text.starts_with("partial: ") {
        return Some("a text that does not say first that it is partial".to_owned());
    }
    (partial && data["applied"] == true && data["diff_truncated"] != true)
        .then(|| "partial, but neither a dry run nor cut".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_part_of_an_answer_is_compared_key_by_key() {
        let got = json!({"a": 1, "b": ["x", "kkkkzzzzkkkkzzzz"], "c": {"d": null}});
        assert_eq!(differs(&got, &json!({"a": 1, "b": ["<text>", "<id>"], "z": "<absent>"})), None);
        assert_eq!(differs(&got, &json!({"a": 2})), Some(".a: got 1, want 2".to_owned()));
        assert_eq!(
            differs(&got, &json!({"b": ["x"]})),
            Some(".b: got [\"x\",\"kkkkzzzzkkkkzzzz\"], want [\"x\"]".to_owned())
        );
        assert!(differs(&got, &json!({"c": {"e": "<any>"}})).is_some());
        assert!(differs(&got, &json!({"a": "<absent>"})).is_some());
        assert!(differs(&got, &json!({"b": ["<has y>", "<any>"]})).is_some());
    }

    #[test]
    fn a_message_tells_its_reader_what_to_do() {
        assert!(says_what_to_do("edit 0: old_string is empty; give the text to replace"));
        assert!(!says_what_to_do("edit 0: old_string is empty, and that is that"));
        assert!(!says_what_to_do("the file that you read is gone"));
    }

    #[test]
    fn a_message_that_names_its_edit_twice_is_noticed() {
        assert!(doubled("edit 0: edit 0: old_string is gone"));
        assert!(!doubled("edit 0: old_string is gone: edit 0"));
    }
}
