//! A file that somebody else gave the name of a record's file is another one: nothing of the record is taken from it, nor put there.

use crate::support::TestRepo;
use serde_json::json;

/// Two files that begin alike.
fn module(name: &str, year: u32) -> String {
    format!(
        "# Copyright Ada\n# All rights reserved\n# year {year}\nimport os\n\n\ndef {name}_one():\n    return {name}1\n\n\n\
         def {name}_two():\n    return {name}2\n"
    )
}

fn modules() -> TestRepo {
    TestRepo::with_files(&[("a.py", &module("a", 2024)), ("b.py", &module("b", 2024))])
}

/// The refusal of a command; both files stay as they are.
#[track_caller]
fn refused_as_another(repo: &TestRepo, args: &[&str], files: [&str; 2]) {
    let before = files.map(|path| repo.text(path));
    let answer = repo.redraft(args, "");
    let told = answer.json();
    assert_eq!(told["data"]["reason"], "undo_conflict", "{told}");
    assert!(answer.out.contains("nothing in the file there tells that it is the one"), "{told}");
    assert_eq!(files.map(|path| repo.text(path)), before);
}

/// Seen: "A is called b again", of the other file, and the agent's line stood where the user had moved it.
#[test]
fn a_renamed_file_of_which_another_has_the_name_now() {
    for other in ["a1\na2\nb3\nb4\nb5\n", "a1\na2\nb3\nb4\na5\na6\n"] {
        for (is_committed, moved_to) in [(false, "t"), (false, "a"), (true, "t")] {
            let repo = TestRepo::with_files(&[("a", other), ("b", "b1\nb2\nb3\nb4\nb5\n")]);
            let id = repo.apply(json!({"path": "b", "rename_to": "A", "old_string": "b3\n", "new_string": "NEW\n"}));
            if is_committed {
                repo.commit_all("renamed");
            }
            repo.shell(&format!("mv A x && mv a A && mv x {moved_to}"));
            if is_committed {
                repo.commit_all("moved");
            }
            repo.done(&["undo", &id], "");
            assert_eq!((repo.text("A").as_str(), repo.text(moved_to).as_str()), (other, "b1\nb2\nb3\nb4\nb5\n"));
        }
    }
}

/// Seen: the year of the other file went back; or "taken back already", where the record's own file had all of it.
#[test]
fn an_edited_file_of_which_another_has_the_name_now() {
    for are_both_edited in [true, false] {
        let repo = modules();
        if are_both_edited {
            repo.edit("a.py", "# year 2024", "# year 2026");
        }
        let id = repo.edit("b.py", "# year 2024", "# year 2026");
        repo.commit_all("bump");
        repo.git(&["mv", "b.py", "old.py"]);
        repo.git(&["mv", "a.py", "b.py"]);
        let other = repo.text("b.py");
        if are_both_edited {
            refused_as_another(&repo, &["undo", &id], ["b.py", "old.py"]);
        } else {
            repo.done(&["undo", &id], "");
            assert_eq!((repo.text("b.py"), repo.text("old.py")), (other, module("b", 2024)));
            repo.done(&["redo"], "");
        }
        // It has its name again.
        repo.git(&["mv", "b.py", "a.py"]);
        repo.git(&["mv", "old.py", "b.py"]);
        repo.done(&["undo", &id], "");
        assert_eq!(repo.text("b.py"), module("b", 2024));
    }
}

/// Seen: "redid", and the other file had the name and the line.
#[test]
fn a_redo_of_a_rename_of_which_another_file_has_the_name_now() {
    let repo = modules();
    let request =
        json!({"path": "b.py", "rename_to": "c.py", "old_string": "# year 2024", "new_string": "# year 2026"});
    let id = repo.apply(request);
    let undo = repo.done(&["undo", &id], "");
    repo.git(&["mv", "b.py", "old.py"]);
    repo.git(&["mv", "a.py", "b.py"]);
    let undo = undo["data"]["record"]["id"].as_str().expect("an id").to_owned();
    refused_as_another(&repo, &["redo", &undo], ["b.py", "old.py"]);
}

/// What a person makes of a file is no other file: its name is all that is left of it, and nothing else has its text.
#[test]
fn a_file_that_was_written_anew_is_still_the_file() {
    let repo = modules();
    let id = repo.edit("b.py", "# year 2024", "# year 2026");
    repo.write("b.py", "# Copyright Ada\n# All rights reserved\n# year 2026\nimport sys\n\n\nclass Other:\n    x = 1\n    y = 2\n    z = 3\n");
    repo.done(&["undo", &id], "");
    assert!(repo.text("b.py").contains("# year 2024\nimport sys\n"), "{}", repo.text("b.py"));
}

/// Seen: "nothing in the file there tells that it is the one", as a copy of it, or a template, had the very text of the record.
#[test]
fn a_copy_of_the_file_is_in_no_undos_way() {
    let text = "name: app\nversion: 1.0\nowner: ann\n";
    let more: String = (0..40).map(|n| format!("key{n}: value{n}\n")).collect();
    let with = |version: &str| text.replace("1.0", version);
    for (copy, today, want) in [
        ("f.bak", with("1.1") + &more, with("1.0") + &more),
        (
            "template",
            "name: tool\nversion: 1.1\nowner: bob\n".to_owned(),
            "name: tool\nversion: 1.0\nowner: bob\n".to_owned(),
        ),
    ] {
        let repo = TestRepo::with_files(&[("f", text), ("template", &with("1.1"))]);
        let id = repo.edit("f", "version: 1.0", "version: 1.1");
        repo.write(copy, with("1.1"));
        repo.write("f", &today);
        repo.done(&["undo", &id], "");
        assert_eq!(repo.text("f"), want);
    }
}

/// Seen: the line of the other file went back, or "taken back already", where the record's own file had been edited, too.
#[test]
fn a_moved_and_edited_file_of_which_another_has_the_name_now() {
    let own = |text: String, name: &str| {
        text.replace("import", &format!("from {name} import")).replace("# All", &format!("# {name} All"))
    };
    for is_edited in [true, false] {
        let [a, b] = ["a", "b"].map(|name| own(module(name, 2024), name));
        let repo = TestRepo::with_files(&[("a.py", &a), ("b.py", &b)]);
        let id = repo.edit("b.py", "# year 2024", "# year 2026");
        if is_edited {
            repo.write("a.py", repo.text("a.py").replace("2024", "2026"));
        }
        repo.git(&["mv", "b.py", "old.py"]);
        repo.git(&["mv", "a.py", "b.py"]);
        repo.write("old.py", repo.text("old.py").replace("return b1", "return b2"));
        let other = repo.text("b.py");
        // Both have the only line that the record put.
        if is_edited {
            refused_as_another(&repo, &["undo", &id], ["b.py", "old.py"]);
        } else {
            repo.done(&["undo", &id], "");
            assert_eq!((repo.text("b.py"), repo.text("old.py")), (other, b.replace("return b1", "return b2")));
        }
    }
}

/// Seen: "nothing in the file there tells that it is the one", where the user had put one of the agent's edits back by hand: the
/// name that git has was taken for another file.
#[test]
fn a_file_renamed_before_the_edits_of_which_one_was_put_back_by_hand() {
    for (first, second) in [(0, 1), (1, 0)] {
        let repo = modules();
        repo.git(&["mv", "b.py", "moved.py"]);
        let edits = [("def b_two():\n", "def b_two():\n    print()\n    print()\n"), ("    return b1\n", "")];
        let ids = [first, second].map(|n| repo.edit("moved.py", edits[n].0, edits[n].1));
        let (old, new) = edits[first];
        let by_hand = repo.text("moved.py");
        let by_hand = if new.is_empty() {
            by_hand.replace("def b_one():\n", &format!("def b_one():\n{old}"))
        } else {
            by_hand.replace(new, old)
        };
        repo.write("moved.py", &by_hand);
        repo.done(&["undo", &ids[1]], "");
        assert_eq!(repo.text("moved.py"), module("b", 2024));
    }
}

/// The same, where what is left of the agent's edits is only another order of lines.
#[test]
fn a_renamed_file_in_which_lines_were_moved_and_an_older_edit_was_put_back_by_hand() {
    let repo = modules();
    let word = repo.edit("b.py", "# year 2024", "# year 2026");
    repo.git(&["mv", "b.py", "moved.py"]);
    let id =
        repo.edit("moved.py", "# Copyright Ada\n# All rights reserved\n", "# All rights reserved\n# Copyright Ada\n");
    repo.write("moved.py", repo.text("moved.py").replace("2026", "2024"));
    repo.edit("moved.py", "def b_one():\n    return b1\n", "    return b1\ndef b_one():\n");
    repo.done(&["undo", &id], "");
    assert!(repo.text("moved.py").starts_with("# Copyright Ada\n# All rights reserved\n# year 2024\n"));
    repo.refused(&["undo", &word], "");
}

/// The same file moved over by the one that it is a copy of: nothing of the agent's edits is there.
#[test]
fn a_copy_that_git_does_not_have_replaced_by_what_it_is_a_copy_of() {
    let repo = modules();
    repo.shell("cp b.py copy.py");
    let id = repo.edit("copy.py", "    return b1\n", "    return 1\n");
    repo.shell("mv b.py copy.py && echo '# mine' >> copy.py");
    let before = repo.text("copy.py");
    repo.refused(&["undo", &id], "");
    assert_eq!(repo.text("copy.py"), before);
}

/// Seen: "redid", and the other file had the line, as the two had their own names again.
#[test]
fn files_that_had_each_others_names_when_one_was_edited() {
    for is_edited in [true, false] {
        let repo = modules();
        let swap = "mv a.py x && mv b.py a.py && mv x b.py";
        repo.shell(swap);
        let id = repo.edit("b.py", "# All rights reserved", "# No rights reserved");
        repo.done(&["undo", &id], "");
        repo.shell(swap);
        if is_edited {
            repo.edit("a.py", "    return a1\n", "    return a1\n    # more\n");
        }
        refused_as_another(&repo, &["redo", &id], ["a.py", "b.py"]);
        // Edited as they are, it is the same file by its name.
        let id = repo.edit("b.py", "# year 2024", "# year 2026");
        repo.done(&["undo", &id], "");
        repo.done(&["redo", &id], "");
        assert!(repo.text("b.py").contains("2026"));
    }
}

/// The same texts: a file that a person wrote over with another one, and then took back.
#[test]
fn a_file_that_was_a_copy_of_another_when_it_was_edited_and_is_itself_again() {
    let repo = modules();
    repo.shell("cp a.py b.py");
    let id = repo.edit("b.py", "# All rights reserved", "# No rights reserved");
    repo.git(&["checkout", "b.py"]);
    repo.refused(&["undo", &id], "");
    assert_eq!(["a.py", "b.py"].map(|path| repo.text(path)), ["a", "b"].map(|name| module(name, 2024)));
}

/// A file that was another one's copy in part when it was edited, and has its own text again, is itself: what others are like is
/// not asked, as long as none has what the record met.
#[test]
fn a_file_that_has_its_own_text_again_is_itself_where_no_other_has_what_the_record_met() {
    let own = module("b", 2024);
    let more = |line: &str| own.replace("import os\n", &format!("import os\n{line}\n"));
    for (other, user) in [
        // What the record met stands nowhere else: the other file is less like it, was never like it, or is not like it any more.
        (module("a", 2024), "mine = 1"),
        ("x = 1\ny = 2\n".to_owned(), "x = 1"),
        (more("mine = 1\nyours = 2"), "mine = 1"),
    ] {
        let repo = TestRepo::with_files(&[("a.py", &other), ("b.py", &own)]);
        repo.write("b.py", more(user));
        let id = repo.edit("b.py", "# year 2024", "# year 2026");
        if other.contains("yours") {
            repo.write("a.py", "entirely = 1\nelse = 2\n");
        }
        // The user's line goes, the agent's stays.
        repo.write("b.py", own.replace("# year 2024", "# year 2026"));
        repo.done(&["undo", &id], "");
        assert_eq!(repo.text("b.py"), own);
    }
}

/// A file of eight lines, and one like it, made by `sed`.
fn alike(sed: &str) -> TestRepo {
    let text: String = (1..=8).map(|n| format!("l{n} x\n")).collect();
    let repo = TestRepo::with_files(&[("a.txt", &text)]);
    repo.shell(&format!("sed '{sed}' a.txt > b.txt"));
    repo.commit_all("alike");
    repo
}

/// What a command writes is nothing, whatever it says.
#[track_caller]
fn writes_nothing(repo: &TestRepo, args: &[&str]) {
    let names = ["a.txt", "b.txt", "c.txt", "d.txt", "m.txt", "new.txt", "a.bak"];
    let texts = || names.map(|name| repo.has(name).then(|| repo.text(name)));
    let before = texts();
    repo.refused(args, "");
    assert_eq!(texts(), before, "{args:?}");
}

/// Seen: the line of the deleted file came back in one that is like it and was given a new name.
#[test]
fn a_deleted_file_is_not_one_like_it_that_got_a_new_name() {
    for (moves, is_undone) in [
        ("git rm -qf b.txt; git commit -qm gone; git mv a.txt m.txt; git commit -qm moved", false),
        ("rm b.txt; mv a.txt m.txt", false),
        ("rm b.txt; mv a.txt m.txt", true),
        ("git rm -qf b.txt; git mv a.txt m.txt; git commit -qm moved", true),
    ] {
        let repo = alike("s/l4 x/l4 b/");
        let id = repo.edit("b.txt", "l6 x\n", "N N\n");
        if is_undone {
            repo.done(&["undo", &id], "");
        }
        repo.shell(moves);
        writes_nothing(&repo, &[if is_undone { "redo" } else { "undo" }, &id]);
    }
    let repo = alike("s/l4 x/l4 b/");
    let id = repo.edit("b.txt", "l6 x\n", "");
    repo.apply(json!({"path": "b.txt", "delete": true}));
    repo.apply(json!({"path": "a.txt", "rename_to": "m.txt"}));
    writes_nothing(&repo, &["undo", &id]);
    // Both have the same edit: the one that is left has the text that the log left in it.
    let repo = alike("s/l4 x/l4 b/");
    let ids = ["a.txt", "b.txt"].map(|path| repo.edit(path, "l6 x\n", "N N\n"));
    repo.shell("rm a.txt; git mv b.txt m.txt");
    writes_nothing(&repo, &["undo", &ids[0]]);
    repo.done(&["undo", &ids[1]], "");
    assert!(repo.text("m.txt").contains("l4 b\nl5 x\nl6 x\n"));
}

/// Seen: the line of one of two files came back in the other one, which has nothing that the first one lacks.
#[test]
fn a_file_that_lacks_lines_of_the_one_whose_name_it_got_is_another() {
    let exchange = "mv a.txt t.t; mv b.txt a.txt; mv t.t b.txt";
    for sed in ["/l4/d;/l6/d", "s/l4 x/l4 x\\nl4 y/;/l6/d"] {
        for moves in [exchange, "mv b.txt a.txt", "git mv a.txt c.txt; git mv b.txt a.txt; git commit -qm moved"] {
            let repo = alike(sed);
            let id = repo.edit("a.txt", "l6 x\n", "");
            repo.commit_all("edited");
            repo.shell(moves);
            writes_nothing(&repo, &["undo", &id]);
        }
    }
    let repo = alike("/l4/d");
    let id = repo.edit("a.txt", "l6 x\n", "N N\n");
    repo.done(&["undo", &id], "");
    repo.shell(exchange);
    writes_nothing(&repo, &["redo", &id]);
    let repo = alike("/l4/d");
    let id =
        repo.apply(json!({"path": "a.txt", "rename_to": "m.txt", "old_string": "l6 x\n", "new_string": "l6 x\nN N\n"}));
    repo.shell("mv b.txt m.txt");
    writes_nothing(&repo, &["undo", &id]);
}

/// Seen: "nothing in the file there tells that it is the one", as an agent had edited it while another file had its name.
#[test]
fn a_file_that_was_edited_while_it_had_another_name_and_has_its_own_again_is_itself() {
    let repo = alike("s/./b/g");
    let exchange = "mv a.txt t.t; mv b.txt a.txt; mv t.t b.txt";
    let id = repo.edit("a.txt", "l6 x\n", "N N\n");
    repo.shell(exchange);
    repo.edit("b.txt", "l2 x\n", "l2 y\n");
    repo.shell("git add -A; git mv b.txt c.txt; mv a.txt b.txt; mv c.txt a.txt; mv b.txt m.txt");
    repo.done(&["undo", &id], "");
    assert!(repo.text("a.txt").contains("l2 y\n") && !repo.text("a.txt").contains("N N"));
}

/// Seen: the user's file was removed, as it has the text that the agent had given to a file that is gone.
#[test]
fn a_file_with_the_text_of_one_that_an_agent_made_is_not_removed_for_it() {
    let repo = alike("d");
    let id = repo.apply(json!({"path": "n.txt", "content": repo.text("a.txt")}));
    repo.shell("rm n.txt; git mv a.txt m.txt");
    writes_nothing(&repo, &["undo", &id]);
}

/// Seen: "nothing in the file there tells that it is the one", as an agent's copy has the very text that the user made of it; and "no
/// longer there", as a copy was beside the file that had been moved.
#[test]
fn a_copy_that_is_still_there_is_in_no_undos_way() {
    let repo = alike("d");
    let id = repo.edit("a.txt", "l6 x\n", "N N\n");
    let today = repo.text("a.txt").replace("l2 x\n", "l2 x\nuser\n");
    repo.write("a.txt", &today);
    let copy = repo.apply(json!({"path": "m.txt", "content": today}));
    for _ in 0..2 {
        repo.done(&["undo", &id], "");
        assert!(repo.text("a.txt").contains("user\n") && !repo.text("a.txt").contains("N N"));
        repo.done(&["redo", &id], "");
        // Once it is there, and once it is gone by an undo.
        repo.redraft(&["undo", &copy], "");
    }
    let repo = alike("d");
    repo.shell("cp a.txt a.bak");
    let id = repo.edit("a.txt", "l6 x\n", "N N\n");
    repo.shell("mv a.txt c.txt");
    repo.done(&["undo", &id], "");
    assert!(!repo.text("c.txt").contains("N N"));
}

/// Seen: an older edit was undone in its place, as of a file that may have been moved, beside one like it, it was said to be gone.
#[test]
fn a_new_file_that_was_moved_beside_one_like_it_is_the_newest_that_is_undone() {
    let repo = alike("d");
    repo.apply(json!({"path": "other.txt", "content": "some other\nfile here\n"}));
    repo.apply(json!({"path": "new.txt", "content": "a 1\nb 2\nc 3\nd 4\ne 5\n"}));
    repo.shell("cp new.txt a.bak; echo x >> a.bak; mv new.txt m.txt");
    repo.done(&["undo"], "");
    assert!(repo.has("other.txt") && !repo.has("m.txt") && repo.has("a.bak"));
}

/// Seen: a line of the edited file came back in the new file that stands in its place.
#[test]
fn a_new_file_of_an_agent_that_replaced_an_edited_one_is_another() {
    let edit = json!({"path": "a.txt", "old_string": "l4 x\n", "new_string": ""});
    let new = json!({"path": "new.txt", "content": "l8 x\nn 1\nn 2\n"});
    let repo = alike("d");
    let id = repo.apply(json!({"files": [edit.clone(), new.clone()]}));
    repo.shell("mv new.txt a.txt");
    writes_nothing(&repo, &["undo", &id]);
    let repo = alike("d");
    repo.apply(new);
    let id = repo.apply(edit);
    repo.shell("mv new.txt a.txt");
    writes_nothing(&repo, &["undo", &id]);
}

const ROWS: &str = "l1 x\nl2 x\nl3 x\nl4 x\nl5 x\nl6 x\nl7 x\nl8 x\n";

/// A person cut it down, and removed another one.
#[test]
fn a_file_of_which_lines_were_deleted_is_itself_when_one_like_what_is_left_is_gone() {
    let short = ROWS.replace("l4 x\n", "").replace("l6 x\n", "");
    for (other, left) in [(&*short, &*short), ("z\n", "l1 x\n")] {
        let repo = TestRepo::with_files(&[("a.txt", ROWS), ("b.txt", other)]);
        let id = repo.edit("a.txt", "l1 x\n", "l1 x\nNEW\n");
        repo.shell("rm b.txt");
        repo.write("a.txt", left.replace("l1 x\n", "l1 x\nNEW\n"));
        repo.done(&["undo", &id], "");
        assert_eq!(repo.text("a.txt"), left);
    }
}

/// A person took back what he had done to it, and what the record did in part.
#[test]
fn a_renamed_file_is_itself_when_it_is_like_what_an_older_record_left_under_its_old_name() {
    let repo = TestRepo::with_files(&[("p.txt", ROWS)]);
    repo.edit("p.txt", "l1 x\n", "A 1\n");
    repo.shell("sed -i 's/l7 x/u 7/' p.txt");
    repo.apply(json!({"path": "p.txt", "rename_to": "a.txt"}));
    repo.shell("sed -i 's/l2 x/u 2/' a.txt");
    let edits = ["3", "6"].map(|n| json!({"old_string": format!("l{n} x"), "new_string": format!("A {n}")}));
    let id = repo.apply(json!({"path": "a.txt", "edits": edits}));
    repo.shell("sed -i 's/u 2/l2 x/; s/A 3/l3 x/; s/u 7/l7 x/' a.txt");
    repo.done(&["undo", &id], "");
    assert_eq!(repo.text("a.txt"), ROWS.replace("l1 x", "A 1"));
}

/// A person had typed lines of another file there, or the same into both, and took them out again.
#[test]
fn a_file_that_looked_like_another_one_when_it_was_edited_is_itself() {
    let other = format!("{}b9 x\n", ROWS.replace("l7", "b7").replace("l8", "b8"));
    let like = ROWS.replace("l7", "c7").replace("l8", "c8");
    let q = "b7 x\nb8 x\nq 1\nq 2\nq 3\nq 4\nq 5\nq 6\n";
    for (other, files, then) in [
        (&other, "a.txt", "rm b.txt".to_owned()),
        (&other, "a.txt", format!("printf '{q}' > b.txt")),
        (&like, "a.txt b.txt", "true".to_owned()),
    ] {
        let repo = TestRepo::with_files(&[("a.txt", ROWS), ("b.txt", other)]);
        repo.shell(&format!("sed -i 's/[lc]7/b7/; s/[lc]8/b8/' {files}"));
        let id = repo.edit("a.txt", "l2 x\n", "N 2\n");
        repo.shell(&format!("sed -i 's/b7/l7/; s/b8/l8/' a.txt; {then}"));
        repo.done(&["undo", &id], "");
        assert_eq!(repo.text("a.txt"), ROWS, "{then}");
    }
}

/// It was a copy of one that is as git has it, and has the same line by a person.
#[test]
fn a_line_is_not_taken_out_of_a_file_that_was_a_copy_of_another_one_when_it_was_edited() {
    let (own, other) = (format!("own 1\nown 2\nown 3\n{ROWS}"), format!("oth 1\noth 2\noth 3\n{ROWS}"));
    let repo = TestRepo::with_files(&[("a.txt", &own), ("b.txt", &other)]);
    repo.shell("cp b.txt a.txt");
    let id = repo.edit("a.txt", "l7 x\n", "l7 x\nNEW\n");
    repo.write("a.txt", own.replace("l7 x\n", "l7 x\nNEW\n"));
    writes_nothing(&repo, &["undo", &id]);
}

/// Only an older record had left the text there, and the other file is where that was, edited.
#[test]
fn a_text_that_the_log_has_of_another_file_is_that_one() {
    let of_other = ROWS.replace("l1", "v1").replace("l2", "v2").replace("l7 x\n", "l7 x\nNEW\n");
    let repo = TestRepo::with_files(&[("a.txt", ROWS), ("b.txt", "b 1\nb 2\n")]);
    repo.edit("b.txt", "b 1\nb 2\n", &of_other);
    repo.edit("b.txt", &of_other, "q 1\nq 2\nq 3\nq 4\n");
    let id = repo.edit("a.txt", "l7 x\n", "l7 x\nNEW\n");
    repo.shell("mv a.txt b.txt; echo of a person >> b.txt");
    repo.write("a.txt", of_other);
    writes_nothing(&repo, &["undo", &id]);
}

/// Seen: the line was put into the empty file that had the name now, and nothing into the one that the agent had edited.
#[test]
fn a_deleted_line_does_not_come_back_into_an_emptied_file() {
    for then in ["mv a.txt c.txt; : > a.txt", ": > a.txt"] {
        for line in ["l1 x\n", "l4 x\n", "l8 x\n"] {
            let repo = TestRepo::with_files(&[("a.txt", ROWS)]);
            let id = repo.edit("a.txt", line, "");
            repo.shell(then);
            writes_nothing(&repo, &["undo", &id]);
        }
    }
}

/// Seen: "what it did to f is taken back already", as an undo had removed the other file under that name.
#[test]
fn the_creation_of_a_file_is_undone_where_that_of_another_one_was_undone_under_its_name() {
    for (exchange, name) in [("mv f z; mv g f; mv z g", "g"), ("mv f c; mv g f", "c")] {
        for is_edited in [false, true] {
            let repo = TestRepo::with_files(&[("x", "x\n")]);
            let make = |name: &str, text: &str| repo.apply(json!({"path": name, "content": text}));
            let made = [make("f", "f one\nf two\nf three\n"), make("g", "other 1\nother 2\nother 3\n")];
            let edit = is_edited.then(|| repo.edit("f", "f two\n", "f 2\n"));
            repo.shell(exchange);
            repo.done(&["undo", &made[1]], "");
            assert!(!repo.has("f") && repo.has(name), "{exchange}");
            if let Some(edit) = edit {
                repo.done(&["undo", &edit], "");
                assert_eq!(repo.text(name), "f one\nf two\nf three\n", "{exchange}");
            }
            repo.done(&["undo", &made[0]], "");
            assert!(!repo.has(name), "{exchange} {is_edited}");
        }
    }
}

/// Seen: a line that was deleted between a bracket and a test's attribute was put into another file, which has these as well and had got the name.
#[test]
fn a_deleted_line_does_not_come_back_into_a_copy_of_another_file_that_was_put_over_it() {
    let of = |name: &str, line: &str| {
        let test = |n: u32| format!("#[test]\nfn {name}{n}() {{\n    {name}({n});\n}}\n\n");
        format!("// licence\n\n{line}{}{}{}", test(1), test(2), test(3))
    };
    for then in ["cp b.rs a.rs", "cp b.rs a.rs; git commit -qam copied", "mv b.rs a.rs; git checkout -q b.rs"] {
        let repo = TestRepo::with_files(&[("a.rs", &of("one", "use one::all;\n")), ("b.rs", &of("other", ""))]);
        let id = repo.edit("a.rs", "use one::all;\n", "");
        repo.shell(then);
        writes_nothing(&repo, &["undo", &id]);
    }
}

/// What an undo removed under the name that it had got meanwhile is nowhere, and what somebody wrote like it since is another one.
#[test]
fn an_edit_of_a_file_that_was_removed_under_its_new_name_is_not_done_again_in_one_like_it() {
    let repo = TestRepo::with_files(&[("x", "x\n")]);
    let made = repo.apply(json!({"path": "g", "content": ROWS}));
    repo.shell("mv g h");
    let id = repo.edit("h", "l2 x\n", "");
    repo.done(&["undo", &id], "");
    repo.done(&["undo", &made], "");
    assert!(!repo.has("h"));
    let like = ROWS.to_owned() + "of a person\n";
    repo.write("k", &like);
    repo.git(&["add", "-A"]);
    assert_eq!(repo.refused(&["redo", &id], ""), "undo_conflict");
    assert_eq!(repo.text("k"), like);
}

/// Nothing is like it: it was written anew, and that is told.
#[test]
fn a_file_that_was_written_anew_and_is_like_no_other_is_told_by_its_lines() {
    let repo = TestRepo::with_files(&[("a.txt", ROWS), ("b.txt", "b 1\nb 2\n")]);
    let id = repo.edit("a.txt", "l2 x\n", "");
    repo.write("a.txt", "all\nof it\nis\nnew\n");
    let told = repo.redraft(&["undo", &id], "").json();
    assert_eq!(told["data"]["hint"]["conflicts"][0]["why"], "other text was put in its place", "{told}");
}

/// Seen: the redo went into a file that had been the other one, got a new name and grew.
#[test]
fn an_edit_is_not_done_again_in_a_file_that_may_as_well_be_another_one_that_is_gone() {
    for moves in [
        "rm b.txt; mv a.txt m.txt; echo more >> m.txt",
        "rm b.txt; git mv a.txt m.txt; echo more >> m.txt",
        "rm b.txt; git mv a.txt m.txt; git commit -qm moved; echo more >> m.txt",
    ] {
        let repo = alike("");
        let id = repo.edit("b.txt", "l6 x\n", "N N\n");
        repo.done(&["undo", &id], "");
        repo.shell(moves);
        writes_nothing(&repo, &["redo", &id]);
    }
    // It is nearer to the one that was edited, or git knows where that went.
    for (sed, moves) in [
        ("s/l4 x/l4 b/", "rm a.txt; mv b.txt m.txt; echo more >> m.txt"),
        ("", "rm a.txt; git mv b.txt m.txt; echo more >> m.txt"),
    ] {
        let repo = alike(sed);
        let id = repo.edit("b.txt", "l6 x\n", "N N\n");
        repo.done(&["undo", &id], "");
        repo.shell(moves);
        repo.done(&["redo", &id], "");
        assert!(repo.text("m.txt").contains("N N\n"), "{moves}");
    }
}

/// An edit that words do not tell: the file in which it stands is the one, though its twin is gone.
#[test]
fn an_edit_of_white_space_or_brackets_tells_a_moved_file_from_its_twin_that_is_gone() {
    for (old, new) in [
        ("l4 x\n", "    l4 x\n"),
        ("l4 x\n", "}\nl4 x\n"),
        ("l4 x\nl5 x\n", "l5 x\nl4 x\n"),
        ("l4 x\n", "l4 x\nl4 x\n"),
    ] {
        let repo = alike("");
        let before = repo.text("b.txt");
        let id = repo.edit("b.txt", old, new);
        repo.shell("mv b.txt m.txt; rm a.txt; sed -i 's/l8 x/l8 by hand/' m.txt");
        repo.done(&["undo", &id], "");
        assert_eq!(repo.text("m.txt"), before.replace("l8 x", "l8 by hand"), "{new}");
    }
}

/// Seen: the redo went into a file that git has under another name since, which is not there any more.
#[test]
fn an_edit_is_not_done_again_in_a_file_that_git_got_after_it_under_another_name() {
    let text: String = (1..=10).map(|n| format!("line {n} of it\n")).collect();
    for changed in ["", "; echo more >> c.txt"] {
        let repo = TestRepo::with_files(&[("a.txt", &text)]);
        let id = repo.edit("a.txt", "line 4 of it\n", "line 4 of agent\n");
        repo.done(&["undo", &id], "");
        repo.write("b.txt", text.replace("line 1 of it", "another one").replace("line 9 of it", "its own"));
        repo.commit_all("another one");
        repo.shell(&format!("git rm -q a.txt; git mv b.txt c.txt{changed}"));
        writes_nothing(&repo, &["redo", &id]);
        repo.commit_all("moved");
        writes_nothing(&repo, &["redo", &id]);
        repo.shell("git mv c.txt d.txt");
        writes_nothing(&repo, &["redo", &id]);
        repo.shell("git commit -qm 'moved on'");
        writes_nothing(&repo, &["redo", &id]);
    }
    // Git tells that it is the one that was edited.
    let repo = TestRepo::with_files(&[("a.txt", &text)]);
    let id = repo.edit("a.txt", "line 4 of it\n", "line 4 of agent\n");
    repo.done(&["undo", &id], "");
    repo.write("b.txt", text.replace("line 1 of it", "another one").replace("line 9 of it", "its own"));
    repo.commit_all("another one");
    repo.shell("git rm -q b.txt; git mv a.txt c.txt; git commit -qm moved; echo more >> c.txt");
    repo.done(&["redo", &id], "");
    assert_eq!(repo.text("c.txt"), text.replace("4 of it", "4 of agent") + "more\n");
}

/// Seen: the redo went into a file that a record had left with the same text, and that got a new name; the other one is gone.
#[test]
fn an_edit_is_not_done_again_in_a_file_that_a_record_made_alike_beside_it() {
    let text: String = (1..=10).map(|n| format!("line {n} of it\n")).collect();
    let other = text.replace("line 9 of it", "its own");
    for is_made in [false, true] {
        for had in [None, Some(&other)] {
            let repo = TestRepo::with_files(&[("x.txt", "x\n")]);
            if is_made {
                repo.apply(json!({"path": "a.txt", "content": text}));
            } else {
                repo.write("a.txt", &text);
                repo.commit_all("a");
            }
            if let Some(had) = had {
                repo.write("b.txt", had);
                repo.edit("b.txt", "its own\n", "line 9 of it\n");
            } else {
                repo.apply(json!({"path": "b.txt", "content": text}));
            }
            let id = repo.edit("a.txt", "line 4 of it\n", "line 4 of agent\n");
            repo.done(&["undo", &id], "");
            repo.shell("rm a.txt; mv b.txt c.txt");
            writes_nothing(&repo, &["redo", &id]);
        }
    }
}
