//! Lines of other records that are like a record's own: the log tells whose they are.

use crate::support::TestRepo;

fn with(text: &str) -> TestRepo {
    TestRepo::with_files(&[("f", text)])
}

#[track_caller]
fn holds(repo: &TestRepo, text: &str) {
    assert_eq!(repo.text("f"), text);
}

fn newest(repo: &TestRepo) -> String {
    repo.redraft(&["log", "-n", "1", "--json"], "").lines()[0]["id"].as_str().expect("a record").to_owned()
}

/// Seen: "record X did it again", of the undo X; `redraft undo X`, as it says, had nothing to do.
#[test]
fn the_redo_that_did_it_again_is_named_and_not_the_undo_that_it_took_back() {
    let repo = with("a1\na2\n");
    repo.edit("f", "a2", "a2\nb2");
    repo.done(&["undo"], "");
    let undo = newest(&repo);
    repo.done(&["undo", &undo], "");
    let first = newest(&repo);
    repo.git(&["checkout", "-q", "f"]);
    repo.done(&["undo", &undo], "");
    let second = newest(&repo);
    assert!(repo.said(&["undo", &first]).contains(&format!("`redraft undo {second}` takes that back")));
    repo.done(&["undo", &second], "");
    holds(&repo, "a1\na2\n");
}

/// Seen: "the lines around its place were changed since", of a doubled bracket, as a line farther off had become two.
#[test]
fn a_doubled_bracket_beside_what_stands_is_there_whatever_was_put_farther_off() {
    let text =
        "use a;\n\nfn one() {\n    if a {\n        first()\n    }\n}\n\n#[cfg(unix)]\nimpl b {\n}\n#[cfg(unix)]\n";
    let repo = with(text);
    let first = repo.edit("f", "first()\n    }\n", "first()\n    }\n    }\n");
    let put = |text: &str| text.replace("#[cfg(unix)]\nimpl", "| key | what |\nOf each:\nimpl");
    repo.write("f", put(&repo.text("f")));
    repo.done(&["undo", &first], "");
    holds(&repo, &put(text));
}
