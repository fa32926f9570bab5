//! A file without an edit has as many lines like those of the edit as it must, whoever moved them about: nothing is called taken back, and no half of
//! an edit is, where that cannot be.

use crate::support::TestRepo;
use serde_json::json;

fn put(repo: &TestRepo, text: &str) -> String {
    repo.apply(json!({"path": "f", "content": text, "overwrite": true}))
}

/// Is as it is, and is not said to be as it would be.
fn stays(repo: &TestRepo, args: [&str; 2]) {
    let text = repo.text("f");
    assert_eq!(repo.refused(&args, ""), "undo_conflict");
    assert_eq!(repo.text("f"), text);
}

/// Seen: "taken back already", as the undo of another one had taken a bracket and a person a blank line.
#[test]
fn a_bracket_of_three_is_not_called_taken_back_where_another_one_s_went() {
    let repo = TestRepo::with_files(&[("f", "\n")]);
    let ids = [["\n", "\n{\n"], ["{\n", "{\n{\n"], ["{\n{\n", "{\n{\n{\n"]].map(|[old, new]| repo.edit("f", old, new));
    repo.done(&["undo", &ids[0]], "");
    repo.write("f", "{\n{\n");
    stays(&repo, ["undo", &ids[2]]);
}

/// Seen: "taken back already", of a blank line that another record moved, where one that took a blank line is undone.
#[test]
fn a_moved_blank_line_is_not_called_taken_back_where_who_took_another_one_was_undone() {
    let repo = TestRepo::with_files(&[("f", "fn f(p) {\n\n")]);
    let ids = ["\nfn f(p) {\n\n", "\nfn f(p) {\n", "fn f(p) {\n\n"].map(|text| put(&repo, text));
    repo.done(&["undo", &ids[1]], "");
    stays(&repo, ["undo", &ids[0]]);
}

/// Seen: a line went and the bracket that had come with it stayed, exit 0, as a record, or a person, had moved the bracket.
#[test]
fn no_half_of_an_edit_is_taken_back_where_the_other_half_was_moved() {
    let text = "fn a(p) {\n    }\n}\nfn b(p) {\n        return x;\n    }\n}\n";
    let edited = format!("        return x;\n{}", text.replacen("    }\n", "    }\n    }\n", 1));
    let moved = format!(
        "        return x;\nfn a(p) {{\n    }}\n}}\n        total += item;\nfn b(p) {{\n        return x;\n    }}\n    }}\n}}\n"
    );
    for is_by_hand in [false, true] {
        let repo = TestRepo::with_files(&[("f", text)]);
        let id = put(&repo, &edited);
        if is_by_hand {
            repo.write("f", &moved);
        } else {
            put(&repo, &moved);
        }
        stays(&repo, ["undo", &id]);
    }
}

/// Who takes a block, or puts one, takes its brackets: another block's are not these.
#[test]
fn a_bracket_that_went_with_its_block_is_gone_though_another_block_came() {
    let text = "fn a() {\n    one();\n}\n\nfn b() {\n    two();\n}\n";
    for is_by_hand in [false, true] {
        let repo = TestRepo::with_files(&[("f", text)]);
        let id = repo.edit("f", "    one();\n", "    if x {\n        one();\n    }\n");
        let now = text.replace("    two();\n", "    while y {\n        two();\n    }\n");
        if is_by_hand {
            repo.write("f", &now);
        } else {
            put(&repo, &now);
        }
        assert_eq!(repo.refused(&["undo", &id], ""), "nothing_to_undo", "{is_by_hand}");
    }
}
