//! Lines of other records that are like a record's own: the log tells whose they are.

use crate::support::TestRepo;

fn with(text: &str) -> TestRepo {
    TestRepo::with_files(&[("f", text)])
}

#[track_caller]
fn holds(repo: &TestRepo, text: &str) {
    assert_eq!(repo.text("f"), text);
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
