//! Mistakes that models make, each made once: the answer's text alone must lead to an attempt that succeeds.
//!
//! Whoever tries again here knows nothing of redraft: it reads sentences, and does what they say.

use crate::support::TestRepo;
use serde_json::{Map, Value, json};

const MAIN: &str = "use std::io;\n\nfn main() {\n    let limit = 10;\n    println!(\"it's {limit}\");\n}\n\nfn other() {\n    let more = 1;\n    drop(more);\n}\n\nfn third() {\n    let more = 1;\n    print(more);\n}\n";
const OLD: &str = "    let limit = 10;";
const NEW: &str = "    let limit = 20;";

/// What came, and what the file must have then.
struct Mistake {
    name: &'static str,
    raw: String,
    want: &'static str,
}

fn mistake(name: &'static str, raw: impl ToString) -> Mistake {
    Mistake { name, raw: raw.to_string(), want: NEW }
}

fn good() -> Value {
    json!({"path": "src/main.rs", "old_string": OLD, "new_string": NEW})
}

/// A good request with some fields in place of others.
fn with(change: Value) -> Value {
    let mut request = good();
    for (key, value) in change.as_object().expect("an object") {
        match value {
            Value::Null => request.as_object_mut().expect("an object").remove(key),
            value => request.as_object_mut().expect("an object").insert(key.clone(), value.clone()),
        };
    }
    request
}

fn wrong_fields() -> Vec<Mistake> {
    let pair = |old: &str, new: &str| json!({old: OLD, new: NEW});
    let file = |key: &str, old: &str, new: &str| json!({key: "src/main.rs", old: OLD, new: NEW});
    vec![
        mistake("search and replace", file("path", "search", "replace")),
        mistake("a filename", file("filename", "search", "replace")),
        mistake("find and replace_with", file("file", "find", "replace_with")),
        mistake("the text editor's fields", file("path", "old_str", "new_str")),
        mistake("camel case", file("path", "oldString", "newString")),
        mistake("the file server's fields", json!({"path": "src/main.rs", "edits": [pair("oldText", "newText")]})),
        mistake("TargetContent", file("TargetFile", "TargetContent", "ReplacementContent")),
        mistake("mixed cases", file("filePath", "old_string", "new_string")),
        mistake("edit for edits", json!({"path": "src/main.rs", "edit": [pair("old_string", "new_string")]})),
        mistake("changes for edits", json!({"path": "src/main.rs", "changes": [pair("old_string", "new_string")]})),
        mistake("an explanation", with(json!({"explanation": "why", "is_final": true}))),
        mistake("a whole call", json!({"name": "redraft", "arguments": good()})),
        mistake("a call with text in it", json!({"name": "redraft", "arguments": good().to_string()})),
    ]
}

fn wrong_types() -> Vec<Mistake> {
    let edits = json!([{"old_string": OLD, "new_string": NEW}]);
    vec![
        mistake("edits as text", json!({"path": "src/main.rs", "edits": edits.to_string()})),
        mistake("the request as text", json!(good().to_string())),
        mistake("a boolean in quotes", with(json!({"replace_all": "true"}))),
        mistake("a number in quotes", with(json!({"line": "4"}))),
        mistake(
            "lines as a list",
            with(json!({"old_string": ["fn main() {", OLD], "new_string": format!("fn main() {{\n{NEW}")})),
        ),
        mistake("a list of one request", json!([good()])),
        mistake("one edit without brackets", json!({"path": "src/main.rs", "edits": edits[0]})),
    ]
}

fn no_json() -> Vec<Mistake> {
    let good = good().to_string();
    vec![
        mistake("a fence", format!("```json\n{good}\n```")),
        mistake("words before", format!("Here is the edit:\n{good}")),
        mistake("words behind", format!("{good}\nThis raises the limit.")),
        mistake("a comment", good.replacen("{", "{\n// raise the limit\n", 1)),
        mistake("a trailing comma", format!("{},}}", good.trim_end_matches('}'))),
        mistake("single quotes", good.replace('"', "'")),
        mistake("a word of Python", format!("{},\"replace_all\":True}}", good.trim_end_matches('}'))),
        mistake("a key without quotes", good.replacen("\"path\"", "path", 1)),
        mistake("typographic quotes", good.replace('"', "\u{201c}")),
        Mistake {
            want: "it's at {limit}",
            ..mistake(
                "an escape of another language",
                with(json!({"old_string": "it's {limit}", "new_string": "it's at {limit}"}))
                    .to_string()
                    .replace("it's", "it\\'s"),
            )
        },
        mistake(
            "a raw line break",
            with(json!({"old_string": format!("fn main() {{\n{OLD}"), "new_string": NEW}))
                .to_string()
                .replace("\\n", "\n"),
        ),
        mistake("brackets that are missing", good.trim_end_matches('}')),
        mistake("a bracket too many", format!("{good}}}")),
        mistake("a comma that is missing", good.replacen("\",\"new_string", "\" \"new_string", 1)),
    ]
}

fn wrong_paths(root: &str) -> Vec<Mistake> {
    let at = |name, path: &str| mistake(name, with(json!({"path": path})));
    vec![
        at("another case", "src/Main.rs"),
        at("backslashes", "src\\main.rs"),
        at("git's prefix", "a/src/main.rs"),
        at("a mention", "@src/main.rs"),
        at("an address", "file://src/main.rs"),
        at("an absolute path", &format!("{root}/src/main.rs")),
        at("a path of another machine", "/workspace/project/src/main.rs"),
        at("a slip of letters", "src/mian.rs"),
        at("a folder that is missing", "main.rs"),
        at("a folder too many", "project/src/main.rs"),
        at("a place behind it", "src/main.rs:4"),
        mistake(
            "a relative path where they are absolute",
            json!({"file_path": "src/main.rs", "old_string": OLD, "new_string": NEW}),
        ),
        Mistake {
            want: "new\n",
            ..mistake("a file that was deleted", json!({"path": "gone.txt", "old_string": "old", "new_string": "new"}))
        },
    ]
}

fn wrong_texts() -> Vec<Mistake> {
    let numbered = "3\tfn main() {\n4\t    let limit = 10;\n5\t    println!(\"it's {limit}\");";
    let old = |name, old: &str| mistake(name, with(json!({"old_string": old, "new_string": NEW})));
    vec![
        old("line numbers", numbered),
        old("tabs for blanks", "fn main() {\n\tlet limit = 10;"),
        old(
            "typographic quotes in the text",
            "    let limit = 10;\n    println!(\u{201c}it\u{2019}s {limit}\u{201d});",
        ),
        old("line breaks escaped twice", "fn main() {\\n    let limit = 10;\\n"),
        old("a slip in the text", "    let limt = 10;\n    println!(\"it's {limit}\");"),
        Mistake {
            want: "    let more = 20;",
            ..mistake(
                "a text that stands twice",
                with(json!({"old_string": "    let more = 1;", "new_string": "    let more = 20;"})),
            )
        },
        Mistake {
            want: "limit = 30;",
            ..mistake(
                "an edit of what an earlier one writes",
                json!({"path": "src/main.rs", "edits": [{"old_string": "limit = 10;", "new_string": "limit = 20;"}, {"old_string": "limit = 20;", "new_string": "limit = 30;"}]}),
            )
        },
        Mistake {
            want: "anew\n",
            ..mistake("a file that is there already", json!({"path": "src/main.rs", "content": "anew\n"}))
        },
    ]
}

fn repo() -> TestRepo {
    let repo = TestRepo::with_files(&[("src/main.rs", MAIN), ("gone.txt", "old\n"), ("README.md", "text\n")]);
    std::fs::remove_file(repo.root().join("gone.txt")).expect("it was there");
    repo
}

#[test]
fn the_text_of_every_mistake_leads_to_an_attempt_that_succeeds() {
    let kinds: [fn(&str) -> Vec<Mistake>; 5] =
        [|_| wrong_fields(), |_| wrong_types(), |_| no_json(), wrong_paths, |_| wrong_texts()];
    let (mut rows, mut failed) = (Vec::new(), Vec::new());
    for kind in kinds {
        for n in 0..kind("").len() {
            let repo = repo();
            let mistake = kind(repo.root().to_str().expect("UTF-8")).remove(n);
            let told = try_twice(&repo, &mistake);
            rows.push(mistake.name);
            failed.extend(told.map(|told| format!("{}: {told}", mistake.name)));
        }
    }
    assert!(rows.len() >= 40, "{}", rows.len());
    assert!(failed.is_empty(), "{} of {}:\n{}", failed.len(), rows.len(), failed.join("\n\n"));
}

/// Says what went wrong, if anything.
fn try_twice(repo: &TestRepo, mistake: &Mistake) -> Option<String> {
    let args = ["apply", "--answer", "brief"];
    let first = repo.redraft(&args, &mistake.raw);
    if first.status == 0 {
        return Some(format!("it was no mistake: {}", first.out));
    }
    let text = first.json()["text"].as_str().unwrap_or_default().to_owned();
    let Some(next) = next_attempt(repo, &mistake.raw, &text) else { return Some(format!("nothing to do in: {text}")) };
    let second = repo.redraft(&args, &next);
    let file = if mistake.name.contains("deleted") { "gone.txt" } else { "src/main.rs" };
    if second.status == 0 && repo.has(file) && repo.text(file).contains(mistake.want) {
        return None;
    }
    Some(format!("{text}\nsent: {next}\nthen: {}", second.json()["text"]))
}

/// What a reader of sentences sends next.
fn next_attempt(repo: &TestRepo, raw: &str, text: &str) -> Option<String> {
    mended_json(raw, text)
        .or_else(|| mended_request(repo, &serde_json::from_str(raw).ok()?, text).map(|v| v.to_string()))
}

fn between<'t>(text: &'t str, before: &str, after: &str) -> Option<&'t str> {
    let rest = &text[text.find(before)? + before.len()..];
    Some(&rest[..rest.find(after)?])
}

/// Where "at line 1, column 2" is.
fn offset(raw: &str, text: &str) -> Option<usize> {
    let line: usize = between(text, " at line ", ",")?.parse().ok()?;
    let column: usize = between(text, ", column ", ";")?.parse().ok()?;
    Some(raw.split_inclusive('\n').take(line - 1).map(str::len).sum::<usize>() + column - 1)
}

fn mended_json(raw: &str, text: &str) -> Option<String> {
    if !text.contains("is not valid JSON") {
        return None;
    }
    let says = |part: &str| text.contains(part);
    Some(match () {
        () if says("send what is between the fences alone") => {
            raw.lines().filter(|line| !line.starts_with("```")).collect()
        }
        () if says("from its first `{` on") => raw[raw.find('{')?..].to_owned(),
        () if says("up to its last `}`") => raw[..=raw.rfind('}')?].to_owned(),
        () if says("JSON has no comments") => raw.lines().filter(|line| !line.trim_start().starts_with("//")).collect(),
        () if says("a comma behind the last entry") => raw.replace(",}", "}"),
        () if says("there are single quotes") => raw.replace('\'', "\""),
        () if says("there are typographic quotes") => raw.replace(['\u{201c}', '\u{201d}'], "\""),
        () if says("a key has no quotes") => raw.replacen("path:", "\"path\":", 1),
        () if says("JSON has no escape") => {
            let escape = between(text, "JSON has no escape `", "`")?;
            raw.replace(escape, &escape[1..])
        }
        () if says("JSON has no `") => {
            let (word, instead) = (between(text, "JSON has no `", "`")?, between(text, "write ", "\n")?);
            raw.replace(word, instead)
        }
        () if says("write a line break as \\n") => raw.replace('\n', "\\n"),
        () if says("` at its end") => format!("{raw}{}", between(text, "put `", "`")?),
        () if says("too many at the end: leave it out") => {
            raw[..raw.rfind(between(text, "there is a `", "`")?)?].to_owned()
        }
        () if says("a comma is missing") => {
            let at = offset(raw, text)?;
            format!("{},{}", &raw[..at], &raw[at..])
        }
        () => return None,
    })
}

fn mended_request(repo: &TestRepo, request: &Value, text: &str) -> Option<Value> {
    let mut request = request.clone();
    let first = text.lines().next().unwrap_or_default();
    if first.contains("not fields that there are") || first.contains("not a field that there is") {
        return mended_fields(request, first);
    }
    if let Some(field) = between(first, "`", "` must be ") {
        let value = retyped(request.get(field)?, first)?;
        request[field] = value;
        return Some(request);
    }
    if first.starts_with("the request must be") {
        return retyped(&request, first);
    }
    if let Some(command) = between(first, "run `git ", "`") {
        repo.git(&command.split(' ').collect::<Vec<_>>());
        return Some(request);
    }
    if let Some(path) = between(first, "did you mean `", "`") {
        let key = ["path", "file_path", "filePath"].into_iter().find(|key| request.get(key).is_some())?;
        request[key] = json!(path);
        return Some(request);
    }
    if first.contains("`mode: \"sequence\"`") {
        request["mode"] = json!("sequence");
        return Some(request);
    }
    if first.contains("`overwrite: true`") {
        request["overwrite"] = json!(true);
        return Some(request);
    }
    let unique =
        text.split_once("send this as old_string:\n").map(|(_, rest)| rest.split("\nfor line ").next().unwrap_or(rest));
    let (_, block) = text.split_once(":\n").unwrap_or_default();
    let near = block.split("\nwhat differs (").next().filter(|near| !near.is_empty());
    let old = unique.or(near)?;
    // What the model meant to change is in its own words; the text around it goes on as the file has it.
    request["new_string"] = match unique {
        Some(old) => json!(old.replace("let more = 1;", "let more = 20;")),
        None => json!(old.replace("limit = 10;", "limit = 20;")),
    };
    request["old_string"] = json!(old);
    Some(request)
}

/// Renames and leaves out what a sentence says.
fn mended_fields(request: Value, first: &str) -> Option<Value> {
    if let Some(field) = between(first, "send what stands in `", "`") {
        return match &request[field] {
            Value::String(text) => serde_json::from_str(text).ok(),
            value => Some(value.clone()),
        };
    }
    let mut renames: Vec<(String, String)> = Vec::new();
    let parts: Vec<&str> = first.split('`').collect();
    for at in 0..parts.len().saturating_sub(2) {
        if parts[at + 1] == " in place of " {
            renames.push((parts[at + 2].to_owned(), parts[at].to_owned()));
        }
    }
    if let (Some(name), Some(field)) =
        (between(first, "did you mean `", "`"), between(first, "send that in place of `", "`"))
    {
        renames.push((field.to_owned(), name.to_owned()));
    }
    let out: Vec<&str> = match first.split_once("leave out ") {
        Some((_, list)) => list.split('`').skip(1).step_by(2).collect(),
        None => Vec::new(),
    };
    Some(renamed(request, &renames, &out))
}

fn renamed(value: Value, renames: &[(String, String)], out: &[&str]) -> Value {
    match value {
        Value::Object(members) => {
            let mut new = Map::new();
            for (key, value) in members {
                if !out.contains(&key.as_str()) {
                    let name = renames.iter().find(|(from, _)| *from == key).map_or(key, |(_, to)| to.clone());
                    new.insert(name, renamed(value, renames, out));
                }
            }
            Value::Object(new)
        }
        Value::Array(items) => items.into_iter().map(|item| renamed(item, renames, out)).collect(),
        value => value,
    }
}

/// A value as a sentence says it should be.
fn retyped(value: &Value, first: &str) -> Option<Value> {
    if first.contains("without the quotes around it and the backslashes in it") || first.contains(", without quotes") {
        return serde_json::from_str(value.as_str()?).ok();
    }
    if first.contains("with its lines joined by \\n") {
        let lines: Vec<&str> = value.as_array()?.iter().filter_map(Value::as_str).collect();
        return Some(json!(lines.join("\n")));
    }
    if first.contains("without the brackets") {
        return value.get(0).cloned();
    }
    first.contains("put it in brackets").then(|| json!([value]))
}
