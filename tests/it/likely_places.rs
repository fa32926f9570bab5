//! Which of several places a refused edit is told first.

use crate::support::TestRepo;
use serde_json::{Value, json};

/// Ten functions with one line in common.
fn functions() -> String {
    (0..10).map(|n| format!("fn function_{n}(input_{n}: u8) {{\n    prepare({n});\n    finish();\n}}\n\n")).collect()
}

fn repo() -> TestRepo {
    TestRepo::with_files(&[("a.rs", &functions())])
}

/// The line of the place of `finish();` in a function.
fn line(n: usize) -> usize {
    5 * n + 3
}

/// The lines of the places that a refused request is told, the first of which also comes first in the text.
#[track_caller]
fn places(repo: &TestRepo, request: &Value) -> Vec<usize> {
    let answer = repo.redraft(&["apply"], &request.to_string()).json();
    assert_eq!(answer["data"]["reason"], "ambiguous", "{answer:#}");
    let places = answer["data"]["hint"]["places"].as_array().expect("places");
    let lines: Vec<usize> = places.iter().map(|place| place["line"].as_u64().expect("a number") as usize).collect();
    let text = answer["text"].as_str().expect("a text");
    let said = if lines.is_sorted() { "" } else { "the likeliest first: " };
    assert!(text.contains(&format!("occurs 10 times ({said}lines {}, ", lines[0])), "{text}");
    lines
}

fn request(new: &str) -> Value {
    json!({"path": "a.rs", "old_string": "    finish();", "new_string": new, "agent": {"session": "s"}})
}

#[test]
fn the_place_in_the_lines_that_were_read_last_comes_first() {
    let repo = repo();
    let read = |lines: &str| repo.done(&["read", "a.rs", "--lines", lines, "--session", "s"], "");
    read("1:9");
    read("36:40");
    assert_eq!(places(&repo, &request("    finish(1);"))[0], line(7));
    let mut other = request("    finish(1);");
    other["agent"]["session"] = json!("other");
    assert_eq!(places(&repo, &other)[0], line(0), "another session has read nothing");
}

#[test]
fn the_place_near_the_last_edit_of_the_session_comes_first() {
    let repo = repo();
    let edit =
        json!({"path": "a.rs", "old_string": "prepare(6);", "new_string": "prepare(66);", "agent": {"session": "s"}});
    repo.apply(edit);
    assert_eq!(places(&repo, &request("    finish(1);"))[0], line(6));
}

#[test]
fn the_place_near_rare_words_of_the_new_text_comes_first() {
    assert_eq!(places(&repo(), &request("    finish(input_8);"))[0], line(8));
}

#[test]
fn the_place_nearest_to_the_line_that_is_named_comes_first() {
    let mut request = request("    finish(input_8);");
    request["line"] = json!(line(4) + 1);
    let places = places(&repo(), &request);
    assert_eq!(places[0], line(4));
}

#[test]
fn the_place_between_the_other_edits_of_the_request_comes_first() {
    let edit = |old: &str| json!({"old_string": old, "new_string": format!("{old} //")});
    let edits = [edit("prepare(4);"), edit("    finish();"), edit("fn function_5(")];
    assert_eq!(places(&repo(), &json!({"path": "a.rs", "edits": edits}))[0], line(4));
}

#[test]
fn an_order_of_places_chooses_none() {
    let repo = repo();
    repo.done(&["read", "a.rs", "--lines", "36:40", "--session", "s"], "");
    for level in ["exact", "fuzzy", "loose"] {
        let mut request = request("    finish(input_7);");
        request["match"] = json!(level);
        assert_eq!(repo.refused(&["apply"], &request.to_string()), "ambiguous");
        request["old_string"] = json!("\tfinish();");
        let reason = repo.refused(&["apply"], &request.to_string());
        assert!(["ambiguous", "no_match"].contains(&reason.as_str()), "{level}: {reason}");
    }
    assert_eq!(repo.text("a.rs"), functions());
}
