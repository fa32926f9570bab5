//! What looks like a record's own but was put by a later one, after somebody had taken the record back: it does not go for the first one's.

use crate::support::TestRepo;
use serde_json::json;

/// A text of short lines; a dot is a space.
fn text(lines: &str) -> String {
    lines.split('|').map(|line| line.replace('.', " ") + "\n").collect()
}

/// What happens to the file: `R` makes it so by a record, `H` by hand, `U` undoes the record of that number, `D` does it again.
fn told(repo: &TestRepo, steps: &[&str]) -> Vec<String> {
    let mut records = Vec::new();
    for step in steps {
        let (who, lines) = step.split_once(':').expect("who does what");
        match who {
            "R" => {
                let edit = json!({"path": "f", "old_string": repo.text("f"), "new_string": text(lines)});
                records.push(repo.apply(edit));
            }
            "H" => repo.write("f", text(lines)),
            _ => {
                let at: usize = lines.parse().expect("a number");
                let command = if who == "U" { "undo" } else { "redo" };
                repo.done(&[command, &records[at - 1]], "");
            }
        }
    }
    records
}

/// Seen of each: `undo` of the first record took out what the last one had put, and said that the old lines were back; the undo of the last one then had
/// nothing to do.
#[test]
fn what_a_later_record_put_does_not_go_for_an_earlier_one_s_that_somebody_took_back() {
    let rows: [(&str, &[&str]); 20] = [
        ("a|b|c|d", &["R:a|x|b|c|y|d", "H:a|b|c|d", "R:a|x|b|c|d"]),
        ("a|b|c|d", &["R:a|x|b|c|y|d", "H:a|b|c|d", "R:a|b|c|y|d"]),
        ("a|b|c|d", &["R:a|x|b|c|y|d", "H:a|b|c|d", "R:a|x|z|b|c|d"]),
        ("a|b|c|d", &["R:a|x|b|c|y|d", "H:p|b|c|d", "R:p|x|b|c|d"]),
        ("a|b", &["R:a|x|y|b", "H:a|b", "R:a|x|b", "R:a|x|y|b"]),
        ("a|b", &["R:a|x|y|b", "H:p|b", "R:p|x|b", "R:p|x|y|b"]),
        ("a|b|c", &["R:a|x|b|c", "H:a|b|c", "R:a|b|x|c", "R:a|x|b|x|c"]),
        ("a|b|c|d", &["R:a|x|b|c|d", "H:p|b|c|d", "R:p|x|c|d"]),
        ("a|b|c", &["R:a|x|b|c", "H:p|b|c", "R:p|x|B|c"]),
        ("n|K|m", &["R:n|k|K|m", "H:n|b|K|m", "R:n|k|K|m"]),
        ("a|x.1|b", &["R:a|x.2|b", "H:a|x.3|b", "R:a|x.2|b"]),
        ("a|x|b|x|c", &["R:a|..x|b|x|c", "H:a|x|p|b|x|c", "R:a|..x|p|b|x|c"]),
        ("a|x.y|b", &["R:a|..x.y|b", "H:a|x.z|b", "R:a|..x.z|b"]),
        ("a|b|c", &["R:a|x|}|b|c", "H:p|b|}|c", "R:p|x|}|b|}|c"]),
        ("a|x|b|c|e", &["R:a|..x|b|c|e", "H:a|x|b|c|..x|e", "R:a|..x|b|c|..x|e"]),
        ("a|b", &["R:a|x|y|b", "H:p|x|b", "R:p|x|y|b"]),
        ("a|b", &["R:a|x|y|b", "R:a|x|b", "R:a|x|y|b"]),
        ("a|x|u|b", &["R:a|..x|b", "H:a|x|b", "R:a|..x|b"]),
        ("k.=.2;||a|x|}", &["R:k.=.2;|K;|||a|x|}", "H:k.=.2;||}|a|h|x|}", "R:K;|||}|a|h|x|}"]),
        ("u|s|e|b", &["R:u|s||e|e|b", "H:u|h|e|s|e|b", "R:u|h|e|s||e|e|b"]),
    ];
    for (before, steps) in rows {
        let repo = TestRepo::with_files(&[("f", &text(before))]);
        let records = told(&repo, steps);
        let left = repo.text("f");
        let said = repo.said(&["undo", &records[0]]);
        let named = records[1..].iter().find(|id| said.contains(id.as_str()));
        assert_eq!(repo.text("f"), left, "{steps:?}");
        repo.done(&["undo", named.unwrap_or_else(|| panic!("{steps:?}: {said}"))], "");
    }
}

/// Of equal lines, one below the other, any may be meant; what came back by an undo is whose it was, and who puts all back that a record left
/// brings its own back.
#[test]
fn what_is_a_record_s_own_goes_beside_what_later_ones_put() {
    let rows: [(&str, &[&str], usize, &str); 9] = [
        ("a|b", &["R:a|x|b", "R:a|x|x|b"], 1, "a|x|b"),
        ("a|b", &["R:a|x|y|b", "R:a|x|y|x|y|b"], 1, "a|x|y|b"),
        ("b|a|b|w", &["R:a|p|b|a|b|w", "R:a|a|p|b|a|b|w"], 1, "a|b|a|b|w"),
        ("a|b", &["R:a|x|b", "R:a|x|x|b", "U:2"], 1, "a|b"),
        ("a|b|c", &["R:a|x|b|c", "R:a|b|c", "U:2"], 1, "a|b|c"),
        ("a|b", &["R:a|x|y|b", "H:a|b", "R:a|x|z|b", "H:a|x|y|b"], 1, "a|b"),
        ("a|b|c|d", &["R:a|x|b|c|d", "R:a|x|b|c|x|d"], 1, "a|b|c|x|d"),
        ("a|b|c|d", &["R:a|x|b|c|d", "R:a|x|b|c|x|d"], 2, "a|x|b|c|d"),
        ("a|b|c|d", &["R:a|x|b|c|d", "H:a|x|b|c|d|e", "R:a|x|b|C|x|d|e"], 1, "a|b|C|x|d|e"),
    ];
    for (before, steps, of, after) in rows {
        let repo = TestRepo::with_files(&[("f", &text(before))]);
        let records = told(&repo, steps);
        repo.done(&["undo", &records[of - 1]], "");
        assert_eq!(repo.text("f"), text(after), "{steps:?}");
    }
}

/// Seen: the line came back, "f has its old lines back, and later changes in it stay", though the last record had taken it.
#[test]
fn what_a_later_record_took_after_somebody_had_put_it_back_does_not_come_back() {
    let rows: [(&str, &[&str]); 3] = [
        ("s|}|end|}|q|r", &["R:s|}|end|q|r", "H:s|}|end|}|q|R", "R:s|}|end|new.w|q|R", "H:s|}|end|q|new.w|R"]),
        ("a|}|end|r", &["R:end|r", "H:a|}|end|R", "R:a|W|end|R", "R:end|R"]),
        ("a|u.v|b|c", &["R:a|b|c", "H:a|u.v|b|c|d", "R:a|u.w|b|c|d", "R:a|b|c|d"]),
    ];
    for (before, steps) in rows {
        let repo = TestRepo::with_files(&[("f", &text(before))]);
        let records = told(&repo, steps);
        let left = repo.text("f");
        assert_eq!(repo.refused(&["undo", &records[0]], ""), "nothing_to_undo", "{steps:?}");
        assert_eq!(repo.text("f"), left, "{steps:?}");
    }
}

/// Seen: it took out what R2 had put, as a third record had edited that and was undone.
#[test]
fn what_comes_back_by_an_undo_is_of_the_later_record_that_had_put_it() {
    for (before, steps, refused) in [
        ("a|c|d|b", &["R:a|x|b", "H:a|b", "R:a|x|b", "R:a|y|b", "U:3"][..], true),
        ("a|b", &["R:a|x.1|b", "H:a|b", "R:a|x.1|b", "R:a|x.2|b|c", "R:a|x.2|b|c|d", "U:3"], true),
        ("a|b", &["R:a|x|b", "R:a|y|b", "U:2"], false),
    ] {
        let repo = TestRepo::with_files(&[("f", &text(before))]);
        let records = told(&repo, steps);
        let left = repo.text("f");
        let said = repo.said(&["undo", &records[0]]);
        let want = if refused { left } else { text(before) };
        assert_eq!(repo.text("f"), want, "{steps:?}: {said}");
        assert!(!refused || said.contains(&format!("`redraft undo {}`", records[1])), "{steps:?}: {said}");
    }
}

/// Seen: the white space came back that the last record had taken from the line.
#[test]
fn white_space_that_a_later_record_took_does_not_come_back() {
    let rows: [(&str, &[&str], usize); 2] = [
        ("}|k|d|n", &["R:..}|k|d|n", "R:}|y|k|d|n", "H:y|k|d|n", "R:..}|y|k|d|n", "R:}|y|k|d|n"], 2),
        ("a|x;..|b|k", &["R:a|x;|b|y|k", "H:a|b|y|k", "H:a|x;..|b|y|k", "R:a|x;|b|y|k"], 1),
    ];
    for (before, steps, undone) in rows {
        let repo = TestRepo::with_files(&[("f", &text(before))]);
        let records = told(&repo, steps);
        let left = repo.text("f");
        let said = repo.said(&["undo", &records[undone - 1]]);
        assert_eq!(repo.text("f"), left, "{steps:?}: {said}");
        assert!(said.contains(records.last().expect("one")), "{steps:?}: {said}");
    }
}

/// Seen: it came back with the line that this one had taken, as the undo of the first one took it out later.
#[test]
fn a_line_of_a_record_that_was_undone_does_not_come_back_with_one_that_was_undone_before_it() {
    for taken_back in ["U:2", "H:a|p|y|b|w"] {
        let repo = TestRepo::with_files(&[("f", &text("a|p|b|w"))]);
        let records = told(&repo, &["R:a|p|y|b|w", "R:a|b|w", taken_back, "U:1", "H:a|b|W"]);
        let said = repo.said(&["undo", &records[1]]);
        assert_eq!(repo.text("f"), text("a|b|W"), "{said}");
        let why =
            if taken_back == "U:2" { "is undone already" } else { "another record wrote, and that one was taken back" };
        assert!(said.contains(why), "{said}");
    }
}

/// Seen: the line went that the redo of the first record had brought back, as the second one had put its like.
#[test]
fn what_a_redo_of_another_record_brought_back_does_not_go() {
    let repo = TestRepo::with_files(&[("f", &text("a|b|c"))]);
    let records = told(&repo, &["R:a|x|b|c", "R:a|x|x|b|c", "U:1", "R:a|b|c", "D:1"]);
    let said = repo.said(&["undo", &records[1]]);
    assert_eq!(repo.text("f"), text("a|x|b|c"), "{said}");
}

/// Seen: they went, where they had been undone before the second record was made.
#[test]
fn what_a_redo_brought_back_does_not_go_for_a_record_that_was_made_between_its_undo_and_it() {
    let repo = TestRepo::with_files(&[("f", &text("w|p|r|s|t|u"))]);
    let steps =
        ["R:w|p|r|k|.|c|s|t|u", "U:1", "R:w|p|r|.|c|s|t|u", "R:w|p|r|.|c|k|.|s|t|u", "H:w|p|r|.|c|s|t|u", "U:2", "D:1"];
    let records = told(&repo, &steps);
    let said = repo.said(&["undo", &records[2]]);
    assert_eq!(repo.text("f"), text("w|p|r|k|.|c|s|t|u"), "{said}");
    assert!(said.contains("what would go there was put by another record since"), "{said}");
    // Of what a person put there again it is known whose it was.
    let repo = TestRepo::with_files(&[("f", &text("w|p|r|s|t|u"))]);
    let steps = ["R:w|p|r|k|.|c|s|t|u", "U:1", "R:w|p|r|.|c|s|t|u", "R:w|p|r|.|c|k|.|s|t|u"];
    let records = told(&repo, &[&steps[..], &["H:w|p|r|.|c|s|t|u", "H:w|p|r|.|c|k|.|s|t|v"]].concat());
    repo.done(&["undo", &records[2]], "");
    assert_eq!(repo.text("f"), text("w|p|r|.|c|s|t|v"));
}

/// Seen: one half went, and the other one, which somebody had written anew with it, was said to be taken back.
#[test]
fn what_a_record_took_and_somebody_wrote_anew_does_not_go_by_halves() {
    let edit = |repo: &TestRepo, edits: &[(&str, &str)]| {
        let edits: Vec<_> = edits.iter().map(|(old, new)| json!({"old_string": old, "new_string": new})).collect();
        repo.apply(json!({"path": "f", "edits": edits}))
    };
    let (top, word) = (("e\n", "m\nn\no\ne\n"), ("let k2", "7 k2"));
    for (second, is_told) in [(&[("m\nn\no\n", "p\n"), ("7 k2", "let k2")][..], false), (&[("m\nn\no\n", "p\n")], true)]
    {
        let repo = TestRepo::with_files(&[("f", "e\nlet k2 = 2;\nf\n{\nl\n")]);
        let first = edit(&repo, &[top, word]);
        let second = edit(&repo, second);
        let anew = "p\nm\nn\no\ne\n7 k2 = 2;\nf\n{\nl\n";
        repo.write("f", anew);
        let said = repo.said(&["undo", &first]);
        // Where the second record did not come to the other half, that is in force alone.
        let want = if is_told { "p\nm\nn\no\ne\nlet k2 = 2;\nf\n{\nl\n" } else { anew };
        assert_eq!(repo.text("f"), want, "{said}");
        assert!(is_told || said.contains(&format!("record {second} changed lines there")), "{said}");
    }
}

/// Seen: a person's lines went, and the record's own one stayed, which had stood there all along.
#[test]
fn lines_that_a_person_wrote_like_a_record_s_do_not_go_where_one_of_its_own_stands() {
    let repo = TestRepo::with_files(&[("f", &text("p|fn.main|{|y|n|k|m|done|the.end"))]);
    let steps = [
        "R:p|fn.main|{|y|n|k|m|fn.main|end|done|the.end",
        "H:p|fn.main|{|y|s|end|done|the.end",
        "R:p|fn.main|{|y|s|end|fn.main|done|the.end",
        "H:p|fn.main|{|y|s|end|fn.main|fn.main|end|done|the.end",
    ];
    let records = told(&repo, &steps);
    let left = repo.text("f");
    let said = repo.said(&["undo", &records[0]]);
    assert_eq!(repo.text("f"), left, "{said}");
    assert!(said.contains("the lines around its place were changed since"), "{said}");
}

/// Seen: each was refused, where a branch had brought equal lines elsewhere in the file.
#[test]
fn an_equal_line_elsewhere_that_others_put_meanwhile_tells_nothing() {
    let (before, first) = ("one|x|}|mid|two|y|}|end", "one|x|q|ret|}|mid|two|y|}|end");
    let rows: [(&[&str], &str); 2] = [
        // Of another branch, and merged.
        (
            &[
                &format!("R:{first}"),
                &format!("H:{before}"),
                "R:one|x|}|mid|two|y|ret|}|end",
                "H:one|x|q|ret|}|mid|two|y|ret|}|end",
            ],
            "one|x|}|mid|two|y|ret|}|end",
        ),
        // Of another branch, and left there.
        (
            &[
                &format!("R:{first}"),
                &format!("H:{before}"),
                "R:one|x|}|mid|two|y|ret|}|end",
                "H:one|x|q|ret|}|mid|two|y|}|END",
            ],
            "one|x|}|mid|two|y|}|END",
        ),
    ];
    for (steps, want) in rows {
        let repo = TestRepo::with_files(&[("f", &text(before))]);
        let records = told(&repo, steps);
        let said = repo.said(&["undo", &records[0]]);
        assert_eq!(repo.text("f"), text(want), "{steps:?}: {said}");
    }
}

/// Seen: "lines would come back that another record took away since", of a record that had been redone, as was another one, and undone.
#[test]
fn a_redo_of_another_record_that_was_undone_itself_did_nothing_of_it() {
    let repo = TestRepo::with_files(&[("f", &text("w|p|r|s|t|u"))]);
    let records =
        told(&repo, &["R:w|p|r.x|s|t|u", "U:1", "R:w|p|r.z|s|t|u", "U:2", "D:1", "U:1", "D:2", "H:w|p|r.z|s|t|U"]);
    repo.done(&["undo", &records[1]], "");
    assert_eq!(repo.text("f"), text("w|p|r|s|t|U"));
}

/// Seen: "what it did to f is taken back already", of what the redo of a session had brought back with another record.
#[test]
fn a_redo_of_several_records_did_each_of_them_again_for_itself() {
    let repo = TestRepo::with_files(&[("f", &text("a.1|b.2|c.3|d.4|e.5|f.6"))]);
    let in_session = |old: &str, new: &str| {
        let request = json!({"path": "f", "old_string": text(old), "new_string": text(new)}).to_string();
        let told = repo.done(&["apply", "--session", "s"], &request);
        told["data"]["record"]["id"].as_str().expect("an id").to_owned()
    };
    let first = in_session("b.2", "b.2|b.2");
    repo.edit("f", &text("c.3"), "");
    let second = in_session("e.5", "e.5|x.7|y.8");
    repo.done(&["undo", "--session", "s"], "");
    repo.edit("f", &text("d.4"), "");
    repo.done(&["redo", &first], "");
    assert_eq!(repo.text("f"), text("a.1|b.2|b.2|e.5|x.7|y.8|f.6"));
    repo.write("f", text("a.1|b.2|b.2|e.5|x.7|y.8|F.6"));
    repo.done(&["undo", &second], "");
    assert_eq!(repo.text("f"), text("a.1|b.2|b.2|e.5|F.6"));
}

/// Seen: refused, as if a person had written anew the word in a line that the later record had edited and that stood as it had left it.
#[test]
fn a_half_that_a_later_record_edited_is_there_whatever_a_person_wrote_anew_of_the_other_one() {
    let repo = TestRepo::with_files(&[("f", "e 0\nlet k2 = 2;\nf\n{\nl\n")]);
    let edit = |edits: [(&str, &str); 2]| {
        let edits = edits.map(|(old, new)| json!({"old_string": old, "new_string": new}));
        repo.apply(json!({"path": "f", "edits": edits}))
    };
    let first = edit([("e 0\n", "m 1\nn 2\no 3\ne 0\n"), ("let k2", "7 k2")]);
    edit([("m 1\nn 2\no 3\n", "p 9\n"), ("k2 = 2;", "k2 = 3;")]);
    repo.write("f", "p 9\nm 1\nn 2\no 3\ne 0\n7 k2 = 3;\nf\n{\nl\n");
    repo.done(&["undo", &first], "");
    assert_eq!(repo.text("f"), "p 9\nm 1\nn 2\no 3\ne 0\nlet k2 = 3;\nf\n{\nl\n");
}

/// Seen: the line of the later record was indented, as an equal one, which somebody had deleted since, had been before the first one.
#[test]
fn white_space_does_not_come_back_into_a_line_that_a_later_record_put() {
    for (before, after) in [("....z(x,.3);", "..z(x,.3);"), ("..z(x,.3);", "z(x,.3);")] {
        let repo = TestRepo::with_files(&[("f", &text(&format!("d|{before}|x|end")))]);
        let steps = [format!("R:d|{after}|x|end"), "H:d|r|x|end".to_owned(), format!("R:d|{after}|}}|r|x|end")];
        let records = told(&repo, &steps.each_ref().map(String::as_str));
        let said = repo.said(&["undo", &records[0]]);
        assert_eq!(repo.text("f"), text(&format!("d|{after}|}}|r|x|end")), "{said}");
        assert!(said.contains(&records[1]), "{said}");
    }
}

/// Seen: they came back, "f has its old lines back", though the record had been taken back by hand before.
#[test]
fn what_a_redo_of_another_record_and_a_person_took_does_not_come_back() {
    let repo = TestRepo::with_files(&[("f", &text("{|{|u|x|.|end"))]);
    let records = told(
        &repo,
        &["R:{|{|u|x", "U:1", "R:m|{|{|u", "H:{|{|u|x|.|end", "H:{|{|u|.|end|x|.|end", "D:1", "H:{|{|u|.|}", "R:{|{|u"],
    );
    let said = repo.said(&["undo", &records[1]]);
    assert_eq!(repo.text("f"), text("{|{|u"), "{said}");
    assert!(said.contains("lines would come back that another record took away since"), "{said}");
}

/// Seen: "record R2 did it again; `redraft undo R2`", which said that the redo did it again, and so on.
#[test]
fn what_a_redo_brought_back_is_undone_though_another_record_did_the_same_meanwhile() {
    for [before, after] in [["a|b|c", "a|x|b|c"], ["a|x|b|c", "a|b|c"]] {
        let repo = TestRepo::with_files(&[("f", &text(before))]);
        let put = format!("R:{after}");
        let records = told(&repo, &[&put, "U:1", &put, &format!("H:{before}"), "D:1"]);
        assert_eq!(repo.text("f"), text(after));
        repo.done(&["undo", &records[0]], "");
        assert_eq!(repo.text("f"), text(before));
    }
}

/// With `--markers`, too.
#[test]
fn what_a_later_record_put_does_not_go_where_markers_are_asked_for() {
    let repo = TestRepo::with_files(&[("f", &text("a|b|c|d"))]);
    let records = told(&repo, &["R:a|x|b|c|y|d", "H:a|b|c|d", "R:a|x|b|c|d"]);
    let ran = repo.redraft(&["undo", "--markers", &records[0]], "");
    assert_eq!(repo.text("f"), text("a|x|b|c|d"), "{}", ran.out);
    assert_ne!(ran.status, 0, "{}", ran.out);
}

/// Seen: with the text of the later record its trace was gone, and `undo` of the first one took out what that had put.
#[test]
fn what_a_record_may_have_put_whose_text_is_purged_does_not_go_for_an_earlier_one_s() {
    let repo = TestRepo::with_files(&[("f", &text("a|b|c"))]);
    let records = told(&repo, &["R:a|x|b|c", "H:a|b|d", "R:a|x|b|d|e"]);
    repo.done(&["purge", "--yes", "--json", &records[1]], "");
    let said = repo.said(&["undo", &records[0]]);
    assert!(said.contains("a text from between is not kept"), "{said}");
    assert!(said.contains("edit the file yourself (`redraft show ") && !said.contains("--markers"), "{said}");
    assert_eq!(repo.text("f"), text("a|x|b|d|e"));
}

/// Seen: "record X did it again; `redraft undo X` takes that back", which had nothing to do, as somebody had taken X back, too.
#[test]
fn a_record_that_did_it_again_and_was_taken_back_itself_is_not_named() {
    let repo = TestRepo::with_files(&[("f", &text("b|x|r"))]);
    let records = told(&repo, &["R:b|x|x|r", "H:b|x|q", "R:b|x|x|q", "H:b|x|q"]);
    for id in &records {
        let said = repo.said(&["undo", id]);
        assert!(said.contains("is taken back already"), "{said}");
    }
}

/// Seen: "a part of it was taken back already", of a record of one line that is there, with its like beside it.
#[test]
fn it_is_not_said_that_a_part_was_taken_back_where_a_like_line_stands_beside_it() {
    let repo = TestRepo::with_files(&[("f", &text("r|a|e|e|K|e|z"))]);
    let records = told(&repo, &["R:r|a|e|e|e|K|e|z", "H:r|e|a|a|e|e|e|K|e|z"]);
    let said = repo.said(&["undo", &records[0]]);
    assert!(said.contains("a part of it may be taken back already"), "{said}");
}

/// Seen: "what would go there was put by another record since", of the undo of what was done to a line that the record had moved.
#[test]
fn a_move_is_undone_behind_the_undo_of_what_was_done_to_its_lines_since() {
    let rows: [(&str, &[&str], &str); 5] = [
        ("f3|L|f4|f5", &["R:f3|f4|L|f5", "R:f3|f4|f5", "U:2"], "f3|L|f4|f5"),
        ("a|L.of.it|f4|f5", &["R:a|f4|L.of.it|f5", "R:a|f4|f5", "U:2"], "a|L.of.it|f4|f5"),
        ("f3|L|f4|f5|f6", &["R:f3|f4|L|f5|f6", "R:f3|f4|f5|f6", "U:2", "H:f3|f4|L|f5|f7"], "f3|L|f4|f5|f7"),
        ("f3|L|f4|f5|f6", &["R:f3|f4|L|f5|f6", "R:f3|f4|f5|f6", "R:f3|f4|f5|f7", "U:2"], "f3|L|f4|f5|f7"),
        ("f3|L|f4|f5|f6", &["R:f3|f4|L|f5|f6", "R:f3|f4|f5|f6", "H:f3|f4|f5|f7", "U:2"], "f3|L|f4|f5|f7"),
    ];
    for (before, steps, want) in rows {
        let repo = TestRepo::with_files(&[("f", &text(before))]);
        let records = told(&repo, steps);
        repo.done(&["undo", &records[0]], "");
        assert_eq!(repo.text("f"), text(want), "{steps:?}");
    }
}

/// Seen: what the second record had put went, as another hunk of that was undone.
#[test]
fn what_is_left_of_a_record_that_was_undone_in_part_does_not_go() {
    let repo = TestRepo::with_files(&[("f", &text("a|b|1|2|3|4|5|6|7|8|z"))]);
    let first = told(&repo, &["R:a|x|b|1|2|3|4|5|6|7|8|z", "H:a|B|1|2|3|4|5|6|7|8|z"]).remove(0);
    let edits = json!([{"old_string": "a\n", "new_string": "a\nx\n"}, {"old_string": "z\n", "new_string": "y\nz\n"}]);
    let second = repo.apply(json!({"path": "f", "edits": edits}));
    repo.done(&["undo", &second, "--hunk", "2"], "");
    let said = repo.said(&["undo", &first]);
    assert!(said.contains(&format!("record {second} did it again")), "{said}");
    repo.done(&["undo", &second], "");
    assert_eq!(repo.text("f"), text("a|B|1|2|3|4|5|6|7|8|z"));
}

/// Seen: it came back below the blank line that another record had moved, and whose undo had put it back.
#[test]
fn a_line_comes_back_to_its_place_though_the_lines_beside_it_changed_sides_meanwhile() {
    let rows: [(&[&str], &str); 2] = [
        (&["R:x||1|2|3|p", "R:|x|1|2|3|p", "U:2", "H:x||1|2|3|q"], "x|}||1|2|3|q"),
        (
            &["R:x||1|2|3|p", "R:|x|1|2|3|p", "U:2", "H:x||1|2|3|q", "R:..x||1|2|3|q", "H:..x||1|2|3|r", "U:3"],
            "x|}||1|2|3|r",
        ),
    ];
    for (steps, want) in rows {
        let repo = TestRepo::with_files(&[("f", &text("x|}||1|2|3|p"))]);
        let records = told(&repo, steps);
        repo.done(&["undo", &records[0]], "");
        assert_eq!(repo.text("f"), text(want), "{steps:?}");
    }
}

/// Seen: "what would go there was put by another record since", of two lines that this had let change sides, which somebody undid.
#[test]
fn what_is_taken_back_of_a_record_in_part_is_its_own_no_more_though_it_had_only_moved_it() {
    let far = "p1|p2|p3|p4|p5|p6|p7|p8|p9";
    let repo = TestRepo::with_files(&[("f", &text(&format!("h|y|b|{far}|z")))]);
    let first = told(&repo, &[&format!("R:h|Y|B|{far}|z")]).remove(0);
    let edits =
        json!([{"old_string": "Y\nB\n", "new_string": "B\nY\n"}, {"old_string": "z\n", "new_string": "n\nz\n"}]);
    let second = repo.apply(json!({"path": "f", "edits": edits}));
    repo.done(&["undo", &second, "--hunk", "1"], "");
    repo.done(&["undo", &first], "");
    assert_eq!(repo.text("f"), text(&format!("h|y|b|{far}|n|z")));
}

/// Seen: the same of a line that a checkout had taken out of two equal ones, as it had put a space at the end of the line above with it.
#[test]
fn a_line_of_which_the_double_went_with_a_change_of_the_line_above_is_whose_it_was() {
    let repo = TestRepo::with_files(&[("f", &text("v.1|old.9|end.x"))]);
    let committed = "v.1|//.this.is.{.|#include.m.h|end.x";
    let steps: &[&str] = &[
        "R:v.1|//.this.is.{|#include.m.h|end.x",
        &format!("R:{committed}"),
        "R:v.1|//.this.is.{.|#include.m.h|#include.m.h|end.x",
        "U:2",
        &format!("H:{committed}"),
        "U:2",
    ];
    let records = told(&repo, steps);
    repo.done(&["undo", &records[2], &records[0]], "");
    assert_eq!(repo.text("f"), text("v.1|old.9|end.x"));
}

#[test]
fn a_line_that_another_agent_moved_goes_where_a_person_took_the_move_back_and_changed_a_word() {
    let repo = TestRepo::with_files(&[("f", "first word\nmod a;\nmod b;\nmod c;\nmod d;\n\nuse d;\nend\n")]);
    repo.edit("f", "\nuse d;\n", "\nlet call;\nuse d;\n");
    let moved = repo.edit(
        "f",
        "mod b;\nmod c;\nmod d;\n\nlet call;\nuse d;\n",
        "\nlet call;\nuse d;\nmod b;\nmod c;\nmod d;\n",
    );
    let back = "first\nmod a;\nmod b;\nmod c;\nmod d;\n\nlet call;\nuse d;\nend\n";
    repo.write("f", back);
    assert_eq!(repo.refused(&["undo", &moved], ""), "nothing_to_undo");
    repo.done(&["undo"], "");
    assert_eq!(repo.text("f"), back.replace("let call;\n", ""));
}
