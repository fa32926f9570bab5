//! Texts that are near to what was sent: which are taken for it, and what is said of those that are not.

use crate::support::TestRepo;
use serde_json::{Value, json};

const HEAD: &str = "    def test_one(self):\n        out = io.BytesIO()\n        try:\n            uu.decode(inp, out)\n            self.fail(\"No exception raised\")\n        except uu.Error as e:\n            self.check(str(e), \"The last line of the input file is cut\")\n";
const SIBLING: &str = "    def test_two(self):\n        out = io.BytesIO()\n        try:\n            uu.decode(inp, out)\n            self.fail(\"No exception raised\")\n        except uu.Error as e:\n            self.check(str(e), \"The begin line of the input file was cut\")\n";

/// An edit of the first test, by all of its lines but that with its name.
fn request() -> Value {
    let old = HEAD.split_once('\n').expect("lines").1;
    json!({"path": "t.py", "match": "fuzzy", "old_string": old, "new_string": old.replace("io.Bytes", "io.MoreBytes")})
}

/// Seen: the sibling was edited, with `success` and without a word.
#[test]
fn a_sibling_is_not_taken_for_a_text_that_git_has_and_the_file_has_no_more() {
    let repo = TestRepo::with_files(&[("t.py", &format!("{HEAD}\n{SIBLING}"))]);
    repo.write("t.py", SIBLING);
    let answer = repo.redraft(&["apply"], &request().to_string()).json();
    assert_eq!(answer["data"]["reason"], json!("no_match"), "{answer}");
    assert_eq!(repo.text("t.py"), SIBLING);
}

#[test]
fn a_line_that_was_taken_for_a_misquoted_one_is_told() {
    let file = "a = one()\nb = two()\n// the former handler is called there\nc = three()\nd = four()\ne = five()\n";
    let repo = TestRepo::with_files(&[("t.py", file)]);
    let sent = file.replace("the former handler is called there", "the old handler is still called here");
    let request =
        json!({"path": "t.py", "match": "fuzzy", "old_string": sent, "new_string": sent.replace("five", "six")});
    let answer = repo.redraft(&["apply"], &request.to_string()).json();
    assert_eq!(repo.text("t.py"), file.replace("five", "six"), "{answer}");
    let told = answer["text"].as_str().expect("a text");
    assert!(told.contains("line 3 reads otherwise than in old_string") && told.contains("old handler"), "{told}");
}

/// Seen: the text named one of them alone.
#[test]
fn of_texts_that_are_as_near_as_each_other_every_one_is_shown_and_can_be_sent() {
    let text = "[dependencies]\nfnv = \"1.0.6\"\nregex = \"1.1.5\"\nserde = \"1.0\"\n\n[dev-dependencies]\nfnv = \"1.0.6\"\nlog = \"1.1.5\"\nserde = \"1.0\"\n";
    let sent = "fnv = \"1.0.6\"\nstream = \"1.1.5\"\nserde = \"1.0\"";
    for (nth, name) in [(0, "regex"), (1, "log")] {
        let repo = TestRepo::with_files(&[("Cargo.toml", text)]);
        let request =
            json!({"path": "Cargo.toml", "old_string": sent, "new_string": sent.replace("\"1.0\"", "\"1.1\"")});
        let answer = repo.redraft(&["apply", "--answer", "brief"], &request.to_string()).json();
        let told = answer["text"].as_str().expect("a text");
        assert!(told.contains("lines 2 to 4") && told.contains("lines 7 to 9"), "{told}");
        let offered = told.split("send this as old_string:\n").nth(nth + 1).expect("a text of each");
        let offered: Vec<&str> = offered.lines().take(3).collect();
        let offered = offered.join("\n");
        assert!(offered.contains(name), "{told}");
        repo.apply(
            json!({"path": "Cargo.toml", "old_string": offered, "new_string": offered.replace("\"1.0\"", "\"1.1\"")}),
        );
        let edited = repo.text("Cargo.toml");
        assert!(edited.contains(&format!("{name} = \"1.1.5\"\nserde = \"1.1\"")), "{edited}");
    }
}

/// Seen: "goes up by `..`" of a path that does not.
#[test]
fn an_absolute_path_outside_is_refused_for_what_it_is() {
    let repo = TestRepo::with_files(&[("a.txt", "one\n")]);
    let request = json!({"file_path": "/etc/hostname", "old_string": "a", "new_string": "b"});
    let answer = repo.redraft(&["apply"], &request.to_string()).json();
    let told = answer["text"].as_str().expect("a text");
    assert!(told.contains("is outside the root") && !told.contains("goes up"), "{told}");
    assert_eq!(answer["data"]["reason"], json!("outside_root"));
}

/// Seen: each led to another refusal.
#[test]
fn next_steps_for_fields_of_other_tools_lead_on() {
    let repo = TestRepo::with_files(&[("a.txt", "one\n")]);
    let good = json!({"path": "a.txt", "old_string": "one", "new_string": "two"});
    let call = json!({"type": "function", "function": {"name": "edit", "arguments": good.to_string()}});
    let with = |key: &str, value: Value| {
        let mut request = good.clone();
        request.as_object_mut().expect("an object").insert(key.to_owned(), value);
        request
    };
    let check = |request: Value, says: &str, never: &str| {
        let answer = repo.redraft(&["apply"], &request.to_string()).json();
        let told = answer["text"].as_str().expect("a text").to_owned();
        assert!(told.contains(says) && (never.is_empty() || !told.contains(never)), "{request}: {told}");
    };
    check(call, "`function.arguments` alone", "");
    check(with("end_line", json!(3)), "leave it out", "did you mean");
    check(with("insert_line", json!(3)), "to insert lines, send a line that is there", "");
    check(with("line", json!(null)), "leave it out where none is meant", "");
    check(json!({"path": ["a.txt"], "old_string": "one", "new_string": "two"}), "send one path", "joined");
    check(
        json!({"path": "a.txt", "diff": "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+two\n"}),
        "leave",
        "in place of `path`",
    );
    assert_eq!(repo.text("a.txt"), "one\n");
}
