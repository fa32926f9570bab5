//! Undo of an edit among lines that were never committed: they come back with it, but not once a checkout has discarded them.

use crate::support::TestRepo;

/// Seen: a bracket at the start of a file that was just as git has it.
#[test]
fn a_line_that_was_never_committed_does_not_come_back_after_a_checkout() {
    for (head, gone) in [("", "}\n"), ("", "bar();\n"), ("top();\n", "}\n"), ("top();\n", "bar();\n")] {
        let committed = format!("{head}    }}\n}}\nlast();\n");
        let repo = TestRepo::with_files(&[("f", &committed)]);
        let mine = format!("{head}mine();\n{gone}    }}\n}}\nlast();\n");
        repo.write("f", &mine);
        let id = repo.edit("f", &format!("mine();\n{gone}"), "mine();\n");
        // As long as the rest of it is there, it does.
        repo.done(&["undo", &id], "");
        assert_eq!(repo.text("f"), mine);
        repo.done(&["redo", &id], "");
        repo.git(&["checkout", "-q", "f"]);
        let told = repo.said(&["undo", &id]);
        assert!(told.contains("nothing was written: undo only a part"), "{told}");
        // Nor by the redo, which is the newest. Seen: it did.
        assert_eq!(repo.refused(&["undo"], ""), "undo_conflict");
        assert_eq!(repo.text("f"), committed);
    }
}

/// Seen: the file was edited, by an agent or by hand, after a branch switch.
#[test]
fn a_line_that_was_never_committed_does_not_come_back_where_the_file_went_on_after_a_checkout() {
    let committed = "top();\n    }\n}\nlast();\nmore();\nend();\n";
    for then in ["edit", "edit at it", "by hand", "commit"] {
        let repo = TestRepo::with_files(&[("f", committed)]);
        repo.write("f", committed.replace("top();\n", "top();\nmine();\nbar();\n"));
        let id = repo.edit("f", "mine();\nbar();\n", "mine();\n");
        repo.git(&["checkout", "-q", "f"]);
        match then {
            "edit" => drop(repo.edit("f", "more", "less")),
            "edit at it" => drop(repo.edit("f", "top();\n    }\n", "top();\nnew();\n    }\n")),
            _ => repo.write("f", committed.replace("more", "less")),
        }
        if then == "commit" {
            repo.git(&["commit", "-qam", "went on"]);
        }
        let now = repo.text("f");
        assert_eq!(repo.refused(&["undo", &id], ""), "undo_conflict", "{then}");
        assert_eq!(repo.text("f"), now);
    }
}

/// What a checkout discarded is told by what the next record met, too, where that wrote at a place of it since.
#[test]
fn a_line_that_was_never_committed_does_not_come_back_where_a_record_met_the_file_as_git_has_it() {
    let committed = "top();\none();\n    two();\nlast();\nend();\n";
    let with = |take: &dyn Fn(&TestRepo), edit: [&str; 2]| {
        let repo = TestRepo::with_files(&[("f", committed)]);
        repo.write("f", committed.replace("last();\n", "last();\nmine();\nbar();\n"));
        let id = repo.edit("f", "mine();\nbar();\n", "mine();\n");
        take(&repo);
        repo.edit("f", edit[0], edit[1]);
        (repo, id)
    };
    let (repo, id) = with(&|repo| drop(repo.git(&["checkout", "-q", "f"])), ["top();\n", "new();\ntop();\n"]);
    assert!(repo.said(&["undo", &id]).contains("were never committed"));
    assert_eq!(repo.text("f"), format!("new();\n{committed}"));
    // It met what a person had made of them.
    let by_hand = |repo: &TestRepo| repo.write("f", committed.replace("last();\n", "last();\nmine(1);\n"));
    let (repo, id) = with(&by_hand, ["top();\n", "new();\ntop();\n"]);
    repo.done(&["undo", &id], "");
    assert_eq!(repo.text("f"), format!("new();\n{}", committed.replace("last();\n", "last();\nmine(1);\nbar();\n")));
}

/// Seen: the undo of a deletion was refused, its lines untouched, as what a person had changed elsewhere in the file had been discarded.
#[test]
fn a_line_that_was_never_committed_comes_back_where_only_what_was_elsewhere_was_discarded() {
    let committed = "one\ntwo\nthree\nfour\n";
    for there in ["one, changed\ntwo\nthree\nfour\nmine\n", "one\ntwo, changed\nthree\nfour\nmine\n"] {
        let repo = TestRepo::with_files(&[("f", committed)]);
        repo.write("f", there);
        let id = repo.edit("f", "four\nmine\n", "four\n");
        repo.git(&["checkout", "-q", "f"]);
        repo.done(&["undo", &id], "");
        assert_eq!(repo.text("f"), format!("{committed}mine\n"));
    }
}

/// A bracket of git's among them does not part what a person wrote.
#[test]
fn lines_that_were_never_committed_are_together_on_both_sides_of_a_bracket() {
    let committed = "one();\nif x {\n    two();\n}\nthree();\n";
    let repo = TestRepo::with_files(&[("f", committed)]);
    repo.write("f", committed.replace("}\n", "    mine a\n}\nmine b\n"));
    let id = repo.edit("f", "mine b\n", "");
    repo.git(&["checkout", "-q", "f"]);
    assert!(repo.said(&["undo", &id]).contains("were never committed"));
    assert_eq!(repo.text("f"), committed);
}

/// Where what is beside it is edited by hand, it is not known to be discarded.
#[test]
fn a_line_that_was_never_committed_comes_back_where_the_rest_of_it_was_edited() {
    let committed = "top();\n    }\n}\nlast();\nmore();\nend();\n";
    let repo = TestRepo::with_files(&[("f", committed)]);
    repo.write("f", committed.replace("last();\n", "last();\nmine();\n").replace("    }\n", "    }\nbar();\n"));
    let id = repo.edit("f", "    }\nbar();\n", "    }\n");
    repo.write("f", committed.replace("last();\n", "last();\nours();\n"));
    repo.done(&["undo", &id], "");
    assert_eq!(
        repo.text("f"),
        committed.replace("last();\n", "last();\nours();\n").replace("    }\n", "    }\nbar();\n")
    );
}

/// Seen: "lines that were never committed", though the log has who took the others out.
#[test]
fn what_was_undone_beside_it_was_not_discarded() {
    let repo = TestRepo::with_files(&[("f", "one\ntwo\nthree\nfour\nelse:\n")]);
    let first = repo.edit("f", "one\ntwo\n", "eins\nzwei\n");
    let second = repo.edit("f", "four\nelse:\n", "four\nfive\n");
    repo.done(&["undo", &second], "");
    let third = repo.edit("f", "four\n", "vier\n");
    repo.done(&["undo", &first], "");
    repo.done(&["undo", &third], "");
    repo.done(&["redo", &second], "");
    assert_eq!(repo.text("f"), "one\ntwo\nthree\nfour\nfive\n");
}

/// Seen: the line came back alone, as another record had taken the other one for a while.
#[test]
fn what_a_record_took_and_put_back_was_discarded() {
    let repo = TestRepo::with_files(&[("f", "one\ntwo\n")]);
    repo.write("f", "mine one\nmine two\none\ntwo\n");
    let id = repo.edit("f", "mine one\n", "");
    let other = repo.edit("f", "mine two\n", "");
    repo.done(&["undo", &other], "");
    repo.git(&["checkout", "-q", "f"]);
    assert!(repo.said(&["undo", &id]).contains("were never committed"));
    assert_eq!(repo.text("f"), "one\ntwo\n");
}

/// What was not committed is discarded only where all of it is gone that no record took, and only its lines are.
#[test]
fn what_was_committed_meanwhile_was_not_discarded() {
    let committed = "one\ntwo\nthree\nfour\n";
    let with = |mine: &str, take: &str, then: &[(&str, &str)]| {
        let repo = TestRepo::with_files(&[("f", committed)]);
        repo.write("f", mine);
        let id = repo.edit("f", take, "");
        then.iter().for_each(|(old, new)| repo.write("f", repo.text("f").replace(old, new)));
        repo.commit_all("meanwhile");
        repo.done(&["undo", &id], "");
        repo.text("f")
    };
    // All that was not committed.
    assert_eq!(with("mine\none\ntwo\nthree\nfour\n", "mine\n", &[]), "mine\none\ntwo\nthree\nfour\n");
    // A part of it, the rest of which was committed.
    assert_eq!(
        with("mine\none\ntwo\nthree\nmine, too\nfour\n", "mine, too\n", &[]),
        "mine\none\ntwo\nthree\nmine, too\nfour\n"
    );
    // A committed line; what was not was written anew.
    assert_eq!(with("eins\ntwo\nthree\nfour\n", "three\n", &[("eins", "uno")]), "uno\ntwo\nthree\nfour\n");
    // A bracket tells nothing.
    let repo = TestRepo::with_files(&[("f", committed)]);
    repo.write("f", format!("{committed}mine\n}}\n"));
    let id = repo.edit("f", "mine\n", "");
    repo.write("f", committed);
    repo.done(&["undo", &id], "");
    assert_eq!(repo.text("f"), format!("{committed}mine\n"));
}

/// Seen: the undo of a bracket's deletion was refused, as a person's bracket elsewhere in the file had been discarded.
#[test]
fn a_bracket_that_git_had_comes_back_though_another_one_was_discarded() {
    let committed = "top();\n    one();\n}\n    two();\n}\nlast();\n";
    let repo = TestRepo::with_files(&[("f", committed)]);
    repo.write("f", committed.replace("top();\n", "top();\nmine();\n}\n"));
    let id = repo.edit("f", "    two();\n}\n", "    two();\n");
    repo.write("f", committed.replace("two();\n}\n", "two();\n"));
    repo.commit_all("without it");
    repo.done(&["undo", &id], "");
    assert_eq!(repo.text("f"), committed);
}

/// Seen: "lines would come back that were never committed", of lines that another record had written, and a person's commit of what was
/// left passed for a checkout.
#[test]
fn what_a_record_put_comes_back_though_another_one_was_taken_back_by_hand() {
    let committed = "one\ntwo\nthree\nimpl Repo {\n";
    let repo = TestRepo::with_files(&[("f", committed)]);
    repo.edit("f", "impl Repo {\n", "impl Repo {\nput by an agent\n");
    repo.edit("f", "two", "zwei");
    let id = repo.edit("f", "impl Repo {\nput by an agent\n", "");
    repo.write("f", repo.text("f").replace("zwei", "two"));
    repo.commit_all("what is left");
    repo.done(&["undo", &id], "");
    assert_eq!(repo.text("f"), format!("{committed}put by an agent\n"));
}
