//! Whose past a text is that a file has today: an edit of another file, made under its name, is not taken back by it, and one of its own is.

use crate::support::TestRepo;

const F: &str = "f one\nf two\nf three\nf four\nf five\nf six\n";
const G: &str = "alpha bravo\ncharlie delta\ng four\ngolf hotel\nindia juliet\n";

fn exchanged(repo: &TestRepo) {
    repo.shell("mv f aside; mv g f; mv aside g");
}

/// What git has of a file, an edit of that undone.
fn with_a_past(files: &[(&str, &str)]) -> TestRepo {
    let repo = TestRepo::with_files(files);
    let older = repo.edit("f", "five", "5");
    repo.done(&["undo", &older], "");
    repo
}

/// Seen: "what it did to f is taken back already", of an edit in g, each line of which a formatter had changed since.
#[test]
fn an_edit_under_another_file_s_name_is_not_called_taken_back_where_its_file_was_formatted() {
    let formats: [fn(&str) -> String; 3] = [
        |text| text.replace('\n', ";\n"),
        |text| text.replace(' ', " \"").replace('\n', "\"\n"),
        |text| text.to_uppercase(),
    ];
    for format in formats {
        for new in ["", "g 4\n", "g four\nadded\n"] {
            let repo = with_a_past(&[("f", F), ("g", G)]);
            exchanged(&repo);
            let id = repo.edit("f", "g four\n", new);
            repo.write("f", format(&repo.text("f")));
            exchanged(&repo);
            let edited = repo.text("g");
            assert_eq!(repo.refused(&["undo", &id], ""), "undo_conflict", "{edited}");
            assert_eq!([repo.text("f"), repo.text("g")], [F, &edited]);
        }
    }
}

/// What a formatter changes does not make another file of the own one.
#[test]
fn an_edit_of_a_formatted_file_that_was_checked_out_is_taken_back_beside_its_copy() {
    let formats: [fn(&str) -> String; 3] = [
        |text| text.replace('\n', "\u{3001}\n"),
        |text| format!("\u{201c}{}\u{201d}\n", text.trim_end().replace('\n', "\u{201d}\n\u{201c}")),
        |text| text.to_uppercase(),
    ];
    for format in formats {
        let repo = TestRepo::with_files(&[("f", F)]);
        repo.edit("f", "f two\n", "f 2\n");
        repo.write("f", format(&repo.text("f")));
        let line = repo.text("f").lines().nth(3).expect("a line").to_owned() + "\n";
        let id = repo.edit("f", &line, "another\n");
        repo.shell("cp f f.bak; git checkout -q f");
        assert_eq!(repo.refused(&["undo", &id], ""), "nothing_to_undo", "{line}");
    }
}

/// Seen: "what it did to f is taken back already": the text of f is a version of that of g, which the edit met to the byte.
#[test]
fn an_edit_of_a_file_that_is_like_the_one_of_the_name_is_not_called_taken_back() {
    let f: String = (0..8).map(|n| format!("key{n} = value{n}\n")).collect::<String>().replace("value5", "five");
    let g = f.replace("value6", "local6").replace("value7", "local7");
    for is_tracked in [true, false] {
        let repo = if is_tracked { with_a_past(&[("f", &f), ("g", &g)]) } else { with_a_past(&[("f", &f)]) };
        if !is_tracked {
            repo.apply(serde_json::json!({"path": "g", "content": g}));
        }
        exchanged(&repo);
        let id = repo.edit("f", "key6 = local6\n", "");
        repo.shell("mv f c; mv g f");
        let edited = repo.text("c");
        assert_eq!(repo.refused(&["undo", &id], ""), "undo_conflict", "{is_tracked}");
        assert_eq!([repo.text("f"), repo.text("c")], [f.clone(), edited]);
    }
}

/// Seen: with more new files than are read the same answer.
#[test]
fn an_edit_is_not_called_taken_back_where_its_file_may_be_one_of_too_many() {
    let repo = with_a_past(&[("f", F), ("g", G)]);
    exchanged(&repo);
    let id = repo.edit("f", "g four\n", "g 4\n");
    repo.shell("mv f ccc; mv g f; mkdir aa");
    for n in 0..520 {
        repo.write(&format!("aa/{n:03}"), format!("y {n} one\nx {n} two\nx {n} t\nx {n} u\n"));
    }
    assert_eq!(repo.refused(&["undo", &id], ""), "undo_conflict");
    repo.shell("rm -r aa");
    repo.done(&["undo", &id], "");
    assert_eq!(repo.text("ccc"), G);
}

/// Seen: "undid the redo; nothing was left of the edit", which is in the other file: the text of the name is one that an older undo met there.
#[test]
fn an_edit_under_another_file_s_name_is_not_called_taken_back_by_what_an_older_undo_met_there() {
    for is_tracked in [false, true] {
        let repo = TestRepo::with_files(&[("x", "x\n")]);
        repo.write("f", F);
        repo.write("g", G);
        if is_tracked {
            repo.git(&["add", "-A"]);
            repo.git(&["commit", "-qm", "both"]);
        }
        let older = repo.edit("f", "f five\n", "");
        repo.done(&["undo", &older], "");
        repo.done(&["redo", &older], "");
        exchanged(&repo);
        let id = repo.edit("f", "g four\n", "");
        exchanged(&repo);
        let left = [repo.text("f"), repo.text("g")];
        assert_eq!(repo.refused(&["undo", &older, &id], ""), "undo_conflict", "{is_tracked}");
        assert_eq!([repo.text("f"), repo.text("g")], left);
    }
}

/// A file like it got the same edit, that is all.
#[test]
fn an_edit_that_was_checked_out_is_taken_back_though_a_file_like_it_has_the_edit() {
    let long = "one\ntwo\nthree\nfour\n";
    for (text, old, new) in [(long, "two", "2"), ("1.0.0\n", "1.0.0", "1.1.0")] {
        for then in ["cp f k", "sed -i 's/1.0.0/1.1.0/; s/two/2/' k", "cp f k; git add k; git commit -qm k"] {
            let repo = TestRepo::with_files(&[("f", text), ("k", text), ("other", "a\nb\n")]);
            let id = repo.edit("f", old, new);
            let other = repo.edit("other", "a", "A");
            repo.shell(&format!("{then}; git checkout -q f"));
            assert_eq!(repo.refused(&["undo", &id], ""), "nothing_to_undo", "{then}");
            repo.done(&["undo", &id, &other], "");
            assert_eq!([repo.text("other"), repo.text("f")], ["a\nb\n", text]);
        }
    }
}

/// It grew, and its copy with it.
#[test]
fn a_deleted_line_comes_back_into_a_file_that_grew_beside_its_copy() {
    let repo = TestRepo::with_files(&[("f", "title\none\ntwo\nthree\n")]);
    let id = repo.edit("f", "two\n", "");
    let later: String = (0..9).map(|n| format!("later {n}\n")).collect();
    let grown = format!("title\none\nthree\n{later}");
    repo.write("f", &grown);
    repo.write("f.bak", &grown);
    repo.done(&["undo", &id], "");
    assert_eq!([repo.text("f"), repo.text("f.bak")], [grown.replace("one\n", "one\ntwo\n"), grown]);
}

/// Seen: "taken back already", as a file like the edited one was put over its name.
#[test]
fn an_edit_of_a_file_that_was_moved_away_is_not_called_taken_back_by_another_one_that_has_its_name() {
    let like = F.replace("f six", "g six");
    for new in ["", "f 2\n"] {
        let repo = TestRepo::with_files(&[("f", F), ("g", &like)]);
        let id = repo.edit("f", "f two\n", new);
        repo.shell("mv f c; cp g f");
        let edited = repo.text("c");
        assert_eq!(repo.refused(&["undo", &id], ""), "undo_conflict", "{new:?}");
        assert_eq!([repo.text("f"), repo.text("c")], [like.clone(), edited]);
    }
}
