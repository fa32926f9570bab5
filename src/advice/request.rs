//! What is told of bytes that are no request.
//!
//! Owns the next steps for [`DialectError`]. The fields are named as the request names them, so that no words are needed.

use super::path::next as path_next;
use super::{Explanation, excerpt};
use crate::dialect::{Cause, DialectError, JsonError, Meant, Slip, UnknownField};
use crate::request::EditError;

/// So many fields that are to be left out are named again.
const MOST_NAMED: usize = 4;

/// What to tell the caller.
pub fn explain(error: &DialectError) -> Explanation {
    let mut told = cause(&error.fault.cause);
    told.failed_index = error.fault.edit;
    told.failed_path = error.path();
    told
}

/// What to do about a mistake in JSON.
fn mend(slip: &Slip) -> String {
    let fixed = match slip {
        Slip::Fence => "the document stands in a Markdown fence: send what is between the fences alone",
        Slip::TextBefore => "there is text before the document: send the document alone, from its first `{` on",
        Slip::TextBehind => "there is text behind the document: send the document alone, up to its last `}`",
        Slip::SecondDocument => {
            "there is a second document behind the first: send one, with all that is to be done in it"
        }
        Slip::ClosedTwice(bracket) => return format!("there is a `{bracket}` too many at the end: leave it out"),
        Slip::Comment => "JSON has no comments: leave it out",
        Slip::TrailingComma => "there is a comma behind the last entry: leave it out",
        Slip::NoComma => "a comma is missing between two entries: put it there",
        Slip::SingleQuotes => "there are single quotes around a text: put it in double quotes",
        Slip::CurlyQuotes => "there are typographic quotes around a text: put it in plain double quotes (\")",
        Slip::Backquotes => {
            "there are backquotes around a text: put it in double quotes, with line breaks written as \\n"
        }
        Slip::TripleQuotes => {
            "there are three quotes around a text: put it in one pair, with line breaks written as \\n"
        }
        Slip::BareKey => "a key has no quotes: put it in double quotes",
        Slip::Word(word, instead) => return format!("JSON has no `{word}`: write {instead}"),
        Slip::OpenQuote => "a text ends at a double quote inside it: write that quote as \\\"",
        Slip::Control => "write a line break as \\n and a tab as \\t inside a string",
        Slip::Escape(escape) => {
            let literal = escape.get(1..).unwrap_or_default();
            return format!(
                "JSON has no escape `{escape}`: write a backslash inside a string as \\\\, or `{literal}` without one"
            );
        }
        Slip::Surrogate => "write the character itself, or both halves of its surrogate pair",
        Slip::Twice => "give every key of an object once",
        Slip::TooDeep => "send a flatter document",
        Slip::EndsInString => "the document ends too early: send all of it",
        Slip::EndsBefore(brackets) => return format!("the document ends too early: put `{brackets}` at its end"),
        Slip::NotUtf8 => "send the request in UTF-8",
        Slip::Other => "send one JSON object",
    };
    fixed.to_owned()
}

/// What to tell of bytes that are no JSON.
pub fn json(error: &JsonError) -> Explanation {
    let told = |next: &str| Explanation::of(error.reason(), error, next);
    match error {
        JsonError::TooLarge { limit } => told("split it into several requests").with_hint("limit_bytes", *limit),
        JsonError::Empty => told("send one JSON object"),
        JsonError::Bad { line, column, slip, .. } => {
            told(&mend(slip)).with_hint("line", *line).with_hint("column", *column)
        }
    }
}

/// What to send in place of fields that there are not.
fn unknown(cause: &Cause, fields: &[UnknownField]) -> Explanation {
    let told = Explanation::of(cause.reason(), cause, instead(fields));
    let all: Vec<&str> = fields.iter().map(|unknown| unknown.field.as_str()).collect();
    let mut told = told.with_hint("field", all[0]).with_hint("fields", all.clone());
    told = told.with_hint("known_fields", fields[0].known.to_vec());
    if let Some(Meant::Field(name) | Meant::Outer(name)) = fields[0].meant {
        told = told.with_hint("did_you_mean", name);
    }
    let mut more: Vec<String> = Vec::new();
    for UnknownField { field, key, known, .. } in fields {
        let of = field.strip_suffix(key.as_str()).map_or("", |of| of.trim_end_matches('.'));
        let of = if of.is_empty() { "a request".to_owned() } else { format!("`{of}`") };
        let line = format!("the fields of {of}: {}", known.join(", "));
        if more.len() < 2 && !more.contains(&line) {
            more.push(line);
        }
    }
    told.with_more(&more.join("\n"))
}

fn instead(fields: &[UnknownField]) -> String {
    if let Some((field, inner)) = fields.iter().find_map(|unknown| match unknown.meant {
        Some(Meant::RequestIn(inner)) => Some((&unknown.field, inner)),
        _ => None,
    }) {
        return format!("send the object that stands in `{field}.{inner}` alone, as JSON: that is the request");
    }
    if fields.iter().any(|field| field.meant == Some(Meant::Insertion)) {
        return "to insert lines, send a line that is there as `old_string`, and that line with the new ones as `new_string`"
            .to_owned();
    }
    if let Some(UnknownField { field, .. }) = fields.iter().find(|field| field.meant == Some(Meant::Request)) {
        return format!("send what stands in `{field}` alone: that is the request");
    }
    if let [field] = fields {
        return match field.meant {
            Some(Meant::Field(name)) => {
                format!("did you mean `{name}`? send that in place of {}, or leave it out", key(field))
            }
            Some(Meant::Outer(name)) => format!("put it beside the list, as `{name}`"),
            _ => "leave it out".to_owned(),
        };
    }
    let mut parts: Vec<String> = fields
        .iter()
        .filter_map(|field| match field.meant {
            Some(Meant::Field(name)) => Some(format!("`{name}` in place of {}", key(field))),
            Some(Meant::Outer(name)) => Some(format!("`{name}` beside the list in place of {}", key(field))),
            Some(Meant::Request | Meant::RequestIn(_) | Meant::Insertion) | None => None,
        })
        .collect();
    parts.dedup();
    let out: Vec<String> = fields.iter().filter(|field| field.meant.is_none()).map(key).collect();
    let out = match (out.len(), parts.len()) {
        (0, _) => None,
        (1..=MOST_NAMED, _) => Some(format!("leave out {}", out.join(", "))),
        (_, 0) => Some("leave them out".to_owned()),
        _ => Some("leave out all others of these".to_owned()),
    };
    let send = if parts.is_empty() { None } else { Some(format!("send {}", parts.join(", "))) };
    [send, out].into_iter().flatten().collect::<Vec<_>>().join(", and ")
}

/// The name of a field, as far as it can be shown.
fn key(field: &UnknownField) -> String {
    let is_name = field.field.ends_with(&field.key) && !field.key.is_empty();
    if is_name { format!("`{}`", field.key) } else { excerpt::ends(&format!("{:?}", field.key), 40) }
}

/// What to send in place of a value of another type or range, which the fact names already.
fn correct(expected: &str, found: &str) -> String {
    let quoted = found.strip_prefix("the string \"").and_then(|rest| rest.strip_suffix('"'));
    match (expected, found) {
        _ if expected.starts_with("one of ") => "send one of these".to_owned(),
        _ if found.starts_with("a string with JSON inside") => {
            format!("send {expected} itself, without the quotes around it and the backslashes in it")
        }
        (_, "null") if expected == "a boolean" || expected.starts_with("an integer") => {
            "leave it out where none is meant".to_owned()
        }
        ("a boolean", _) if matches!(quoted, Some("true" | "false")) => {
            format!("send {}, without quotes", quoted.unwrap_or_default())
        }
        (_, _) if expected.starts_with("an integer") && quoted.is_some_and(|text| text.parse::<i64>().is_ok()) => {
            format!("send {}, without quotes", quoted.unwrap_or_default())
        }
        ("a string", "an array") => "send one string, with its lines joined by \\n".to_owned(),
        ("an object", "an array") => {
            "send one object: that in it, without the brackets, or one that names what it holds".to_owned()
        }
        ("an array", "an object") => "put it in brackets, as the one entry of an array".to_owned(),
        _ => format!("send {expected}"),
    }
}

fn cause(cause: &Cause) -> Explanation {
    let told = |next: &str| Explanation::of(cause.reason(), cause, next);
    let of_field = |field: &str, next: &str| told(next).with_hint("field", field);
    match cause {
        Cause::Syntax { line, expected, .. } => {
            let next = match line {
                Some(_) => format!("send {expected} in its place, and all the rest again"),
                None => format!("send all of it: {expected}, is missing"),
            };
            let told = Explanation::of(cause.reason(), cause, next);
            match line {
                Some(line) => told.with_hint("line", *line).with_hint("expected", expected.clone()),
                None => told.with_hint("expected", expected.clone()),
            }
        }
        Cause::Unsupported { line, instead, .. } => {
            Explanation::of(cause.reason(), cause, (*instead).to_owned()).with_hint("line", *line)
        }
        Cause::Json(error) => json(error),
        Cause::Missing { field, advice } if advice.is_empty() => of_field(field, "give it"),
        Cause::Missing { field, advice } => of_field(field, advice),
        Cause::Unknown { fields } => unknown(cause, fields),
        Cause::BadType { field, expected, found } if field.ends_with("path") && found == "an array" => {
            of_field(field, "send one path; of several files, each as an entry of `files`")
                .with_hint("expected", expected.as_str())
                .with_hint("found", found.as_str())
        }
        Cause::BadType { field, expected, found } => of_field(field, &correct(expected, found))
            .with_hint("expected", expected.as_str())
            .with_hint("found", found.as_str()),
        Cause::Contradictory { field, other } => {
            told("send only one of them").with_hint("fields", vec![field.as_str(), other.as_str()])
        }
        Cause::EmptyList { field } => of_field(field, "put at least one entry in it"),
        Cause::SameFileTwice { first, second } => told("put all that is to happen to a file into one entry")
            .with_hint("fields", vec![first.as_str(), second.as_str()]),
        Cause::Edit { old, error: EditError::SameText, .. } => of_field(old, "send the text that it should become"),
        Cause::Edit { old, advice, error: EditError::EmptyOldString, .. } => {
            of_field(old, &format!("give the text to replace, with enough lines around it to be unique{advice}"))
        }
        Cause::Path { field, error } => of_field(field, path_next(error)),
        Cause::NotAbsolute { field } => of_field(field, "give the whole path of the file, from `/` on"),
        Cause::Notebook { field } => of_field(field, "use NotebookEdit for it").with_hint("tool", "NotebookEdit"),
    }
}
