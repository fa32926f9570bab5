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
    let moved = "        return x;\nfn a(p) {\n    }\n}\n        total += item;\nfn b(p) {\n        return x;\n    }\n    }\n}\n";
    for is_by_hand in [false, true] {
        let repo = TestRepo::with_files(&[("f", text)]);
        let id = put(&repo, &edited);
        if is_by_hand {
            repo.write("f", moved);
        } else {
            put(&repo, moved);
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

/// Seen: "one of its lines stands elsewhere in the file", also of the newest record, where another record had changed another word of the line, and
/// was undone.
#[test]
fn a_word_is_taken_back_in_a_line_of_which_another_record_changed_a_word_for_a_while() {
    let text =
        "fn a() {\n    let y = 2;\n    let value = foo(alpha, beta, gamma, delta);\n}\n\nfn b() {\n    bar();\n}\n";
    let repo = || TestRepo::with_files(&[("f", text)]);
    let older = |repo: &TestRepo| repo.edit("f", "foo(alpha", "bar(alpha");
    let own = |repo: &TestRepo| repo.edit("f", "delta", "omega");
    let elsewhere = |repo: &TestRepo| repo.write("f", repo.text("f").replace("bar();", "qar();"));
    let first = repo();
    let ids = [older(&first), own(&first)];
    first.done(&["undo", &ids[0]], "");
    elsewhere(&first);
    first.done(&["undo"], "");
    assert_eq!(first.text("f"), text.replace("bar();", "qar();"));
    // It is done again, where both were undone.
    let both = repo();
    let ids = [older(&both), own(&both)];
    ids.iter().rev().for_each(|id| drop(both.done(&["undo", id], "")));
    both.done(&["redo", &ids[1]], "");
    assert_eq!(both.text("f"), text.replace("delta", "omega"));
    // A later one was undone, and somebody changed a third word.
    for is_by_hand in [false, true] {
        let third = repo();
        let ids = [own(&third), older(&third)];
        if is_by_hand {
            third.write("f", third.text("f").replace("let value", "let count"));
        } else {
            third.edit("f", "let value", "let count");
        }
        ids.iter().rev().for_each(|id| drop(third.done(&["undo", id], "")));
        assert_eq!(third.text("f"), text.replace("let value", "let count"));
    }
}

/// Seen: the same words, of a line that stood nowhere, as the undo of who had put it took it.
#[test]
fn a_deletion_is_done_again_where_its_line_went_with_who_had_put_it() {
    let text = "fn a() {\n    let y = 2;\n}\n\nfn b() {\n    bar();\n}\n\nfn c() {\n    one();\n}\n";
    let undone = |edits: serde_json::Value| {
        let repo = TestRepo::with_files(&[("f", text)]);
        let put = repo.edit("f", "    bar();\n", "    bar();\n    debug(x);\n");
        let took = repo.apply(json!({"path": "f", "edits": edits}));
        repo.done(&["undo", &took], "");
        repo.done(&["undo", &put], "");
        (repo, took)
    };
    let line = json!({"old_string": "    debug(x);\n", "new_string": ""});
    let (repo, took) = undone(json!([line, {"old_string": "let y = 2", "new_string": "let y = 5"}]));
    repo.done(&["redo", &took], "");
    assert_eq!(repo.text("f"), text.replace("y = 2", "y = 5"));
    let (repo, took) = undone(json!([line]));
    repo.write("f", text.replace("one()", "uno()"));
    assert_eq!(repo.refused(&["redo", &took], ""), "nothing_to_undo");
}

/// Seen: the same words, of a blank line that a person had taken, who had put one elsewhere and written something.
#[test]
fn a_blank_line_that_a_person_tidied_away_beside_other_work_does_not_speak_against_an_undo() {
    let text = "fn a() {\n    let y = 2;\n}\n\nfn b() {\n    bar();\n    baz();\n}\n\nfn c() {\n    two();\n}\n";
    let repo = TestRepo::with_files(&[("f", text)]);
    let id = repo.apply(json!({"path": "f", "edits": [
        {"old_string": "    bar();\n", "new_string": "    bar();\n\n"},
        {"old_string": "two()", "new_string": "tri()"},
    ]}));
    let now = text.replace("}\n\nfn b", "}\n\n\nfn b").replace("    let y", "    new();\n    let y");
    repo.write("f", now.replace("two()", "tri()"));
    repo.done(&["undo", &id], "");
    assert_eq!(repo.text("f"), now);
}

/// Seen: "one of its lines stands elsewhere in the file", where `// ` had come, or `pub ` had gone, at the very start of a line.
#[test]
fn a_word_at_the_start_of_a_line_goes_and_comes_back_where_another_record_changed_another_word_there() {
    let repo = TestRepo::with_files(&[("f", "use undo::crossing::NameChange;\nuse undo::files;\n")]);
    let id = repo.edit("f", "use undo::crossing", "// use undo::crossing");
    repo.done(&["undo", &id], "");
    repo.edit("f", "NameChange", "Renamed");
    repo.done(&["redo", &id], "");
    assert_eq!(repo.text("f"), "// use undo::crossing::Renamed;\nuse undo::files;\n");
    let repo = TestRepo::with_files(&[("f", "pub fn b(x: u8) {\n    two();\n}\n\nuse the::thing;\n")]);
    let id = put(&repo, "fn b(x: u8) {\n    two();\n}\n\nuse the::thing;\n");
    repo.edit("f", "x: u8", "y: u8");
    repo.done(&["undo", &id], "");
    assert_eq!(repo.text("f"), "pub fn b(y: u8) {\n    two();\n}\n\nuse the::thing;\n");
}

/// Seen: the same words, where the line of which one went with its writer stands elsewhere as well; and "in place again already" where the line
/// stands, as its writer's edit was done again.
#[test]
fn a_deletion_is_done_again_where_its_line_went_with_its_writer_and_is_not_called_done_where_that_came_back() {
    let text = "fn a() {\n    foo();\n    return;\n}\n\nfn b() {\n    one();\n    two();\n}\n\nfn c() {\n    x();\n}\n";
    let repo = TestRepo::with_files(&[("f", text)]);
    let writer = repo.edit("f", "    one();\n", "    one();\n    return;\n");
    let id = repo.apply(json!({"path": "f", "edits": [
        {"old_string": "    one();\n    return;\n", "new_string": "    one();\n"},
        {"old_string": "x()", "new_string": "y()"},
    ]}));
    repo.done(&["undo", &id], "");
    repo.done(&["undo", &writer], "");
    repo.done(&["redo", &id], "");
    assert_eq!(repo.text("f"), text.replace("x()", "y()"));
    for is_by_hand in [false, true] {
        let repo = TestRepo::with_files(&[("f", text)]);
        let other = (!is_by_hand).then(|| repo.edit("f", "x()", "y()"));
        let writer = repo.edit("f", "    one();\n", "    one();\n    unique();\n");
        let id = repo.edit("f", "    unique();\n", "");
        repo.done(&["undo", &id], "");
        repo.done(&["undo", &writer], "");
        match other {
            Some(other) => drop(repo.done(&["undo", &other], "")),
            None => repo.write("f", repo.text("f").replace("x()", "z()")),
        }
        repo.done(&["redo", &writer], "");
        stays(&repo, ["redo", &id]);
    }
}

/// Seen: the double of another record went for that of one that was undone, as the undo of a third had made one more such line.
#[test]
fn a_doubled_line_is_not_the_one_s_that_was_undone_where_another_undo_made_a_further_one() {
    let text = "#[cfg(unix)]\nimpl Caught {\n    fn by(flag: &A) -> Self {\n        use signal;\n    }\n}\n\n#[cfg(unix)]\nimpl Drop {\n    fn drop() {\n";
    for was_back in [false, true] {
        let repo = TestRepo::with_files(&[("f", text)]);
        let older = repo.edit("f", "unix)]\nimpl Caught", "other)]\nimpl Caught");
        let double = |text: &str| text.replace("#[cfg(unix)]\nimpl Drop", "#[cfg(unix)]\n#[cfg(unix)]\nimpl Drop");
        let first = repo.edit("f", "#[cfg(unix)]\nimpl Drop", "#[cfg(unix)]\n#[cfg(unix)]\nimpl Drop");
        [&first, &older].iter().for_each(|id| drop(repo.done(&["undo", id], "")));
        let moved = text.replace(
            "impl Caught {\n    fn by(flag: &A) -> Self {\n        use signal;\n",
            "        use signal;\nimpl Caught {\n    fn by(flag: &A) -> Self {\n",
        );
        repo.write("f", if was_back { double(&moved) } else { moved });
        repo.edit("f", "#[cfg(unix)]\nimpl Drop", "#[cfg(unix)]\n#[cfg(unix)]\nimpl Drop");
        // Where somebody brought the first one's back, it stands there.
        let expected = if was_back { "undo_conflict" } else { "nothing_to_undo" };
        assert_eq!(repo.refused(&["undo", &first], ""), expected);
    }
}

/// Seen: "taken back already", as the line was taken for one that only came, and that the other record took.
#[test]
fn a_word_at_the_start_of_a_line_stands_there_though_a_record_changed_another_word_of_it() {
    let text = "fn b(x: u8) {\n    two();\n}\n\nuse the::thing as other;\n";
    let (prefixed, both) = (text.replace("fn b", "pub fn b"), text.replace("fn b(x", "pub fn b(y"));
    // Put by a command, which is told by its lines.
    let repo = TestRepo::with_files(&[("f", text)]);
    repo.write("new", &prefixed);
    assert_eq!(repo.redraft(&["run", "--", "cp", "new", "f"], "").status, 0);
    repo.edit("f", "x: u8", "y: u8");
    assert_eq!(repo.text("f"), both);
    let runs = repo.redraft(&["log", "--json"], "").lines();
    repo.done(&["undo", runs[1]["id"].as_str().expect("an id")], "");
    assert_eq!(repo.text("f"), both.replace("pub ", ""));
    // Taken, undone, and done again.
    for old in ["pub fn b", "// use the"] {
        let new = old.split_once(' ').expect("two words").1;
        let text = text.replace(new, old);
        let repo = TestRepo::with_files(&[("f", &text)]);
        let id = repo.edit("f", old, new);
        repo.done(&["undo", &id], "");
        repo.edit("f", if old.starts_with("pub") { "x: u8" } else { "other" }, "another");
        let now = repo.text("f");
        repo.done(&["redo", &id], "");
        assert_eq!(repo.text("f"), now.replace(old, new));
    }
}

/// Seen: a bracket was lost, exit 0, as another record had put one where the moved one had been, or was to go again.
#[test]
fn half_of_a_moved_bracket_is_not_taken_back_where_another_record_put_one_at_its_place() {
    let repo = TestRepo::with_files(&[("f", "f(\n{\na1;\n}\ng(\n{\nb2;\n}\nh(\n")]);
    let moved = put(&repo, "f(\na1;\n}\ng(\n{\nb2;\n}\nh(\n{\n");
    repo.edit("f", "f(\n", "f(\n{\n");
    stays(&repo, ["undo", &moved]);
    let repo = TestRepo::with_files(&[("f", "k4\n}\nk5\nk6\nk7\nk8\n}\nk9\n")]);
    let moved = put(&repo, "k4\n}\nk5\nk6\n}\nk7\nk8\nk9\n");
    repo.done(&["undo", &moved], "");
    repo.edit("f", "k6\n", "k6\n}\n");
    stays(&repo, ["redo", &moved]);
}

/// Seen: the newest record was refused, "another record wrote, and that one was taken back since", whose line stood there.
#[test]
fn a_word_is_taken_back_in_a_line_of_a_record_of_which_other_lines_were_taken_back_by_hand() {
    let text = "# 51 Street\n\nversion = one\n\nlist file\nquiet all\nesac done\n\nexec gzip here\n";
    let repo = TestRepo::with_files(&[("f", text)]);
    repo.apply(json!({"path": "f", "edits": [
        {"old_string": "# 51", "new_string": "51"},
        {"old_string": "list file\n", "new_string": "list file\nlist buffer file\n"},
        {"old_string": "\nexec gzip here\n", "new_string": "\n"},
    ]}));
    let id = repo.edit("f", "list buffer file", "v buffer file");
    repo.write("f", repo.text("f").replace("51", "# 51") + "exec gzip here\n");
    repo.done(&["undo", &id], "");
    assert_eq!(repo.text("f"), text.replace("list file\n", "list file\nlist buffer file\n"));
}

/// Seen: "these lines were changed since", of one of three equal lines, whichever goes.
#[test]
fn a_doubled_line_is_taken_back_where_others_doubled_it_again() {
    let of = |n: usize| format!("alpha\n{}beta\n", "xx\n".repeat(n));
    for is_by_hand in [false, true] {
        for is_whole in [false, true] {
            let repo = TestRepo::with_files(&[("f", &of(1))]);
            let id = if is_whole { put(&repo, &of(2)) } else { repo.edit("f", "alpha\nxx\n", "alpha\nxx\nxx\n") };
            if is_by_hand {
                repo.write("f", of(3));
            } else {
                put(&repo, &of(3));
            }
            repo.done(&["undo", &id], "");
            assert_eq!(repo.text("f"), of(2));
            assert_eq!(repo.refused(&["undo", &id], ""), "nothing_to_undo");
        }
    }
    // One of them went meanwhile, or stood elsewhere, and who knows which.
    for texts in
        [["alpha\nbeta\n", "alpha\nxx\nxx\nxx\nbeta\n"], ["alpha\nxx\nbeta\nxx\n", "alpha\nxx\nxx\nxx\nbeta\n"]]
    {
        let repo = TestRepo::with_files(&[("f", &of(1))]);
        let id = put(&repo, &of(2));
        texts.iter().for_each(|text| drop(put(&repo, text)));
        repo.refused(&["undo", &id], "");
        assert_eq!(repo.text("f"), of(3));
    }
}

/// Seen: a line came back, exit 0, that somebody had discarded with the rest, as the one that stood in its place had been written again by hand.
#[test]
fn a_discarded_line_does_not_come_back_for_one_that_was_gone_meanwhile() {
    let repo = TestRepo::with_files(&[("f", "a\nb\n")]);
    put(&repo, "a\nmine\nb\n");
    let id = put(&repo, "a\ntheirs\nb\n");
    repo.git(&["checkout", "-q", "--", "f"]);
    put(&repo, "a\nb\nc\n");
    repo.write("f", "a\ntheirs\nb\nc\n");
    stays(&repo, ["undo", &id]);
}

/// Seen: "taken back already", of a word that had been undone and redone, as another record had changed a word of the line in between.
#[test]
fn a_word_that_was_redone_stands_there_though_a_record_between_changed_another_word_of_the_line() {
    let text = "fn b() {\n    foo(file, name);\n    baz();\n}\n\nfn c() {\n    one();\n    two();\n}\n";
    let repo = TestRepo::with_files(&[("f", text)]);
    let id = repo.edit("f", "file", "file_new");
    repo.done(&["undo", &id], "");
    repo.edit("f", "name", "name_new");
    repo.done(&["redo", &id], "");
    repo.edit("f", "two()", "tri()");
    repo.done(&["undo", &id], "");
    assert_eq!(repo.text("f"), text.replace("name", "name_new").replace("two()", "tri()"));
}
