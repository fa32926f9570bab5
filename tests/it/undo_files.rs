//! Undo and redo where files were moved, replaced, removed or made anew since: which file is the record's, and what is said
//! where there is none.

use crate::support::TestRepo;
use serde_json::{Value, json};

/// One file as it is; none where there is no file.
fn texts<const N: usize>(repo: &TestRepo, paths: [&str; N]) -> [Option<String>; N] {
    paths.map(|path| std::fs::read_to_string(repo.root().join(path)).ok())
}

fn some(text: impl Into<String>) -> Option<String> {
    Some(text.into())
}

fn remove(repo: &TestRepo, path: &str) {
    std::fs::remove_file(repo.root().join(path)).expect("it is there");
}

const ONE: &str = "use std::io;\n\nfn one() {\n    first();\n    second();\n}\n";
const TWO: &str = "use std::io;\n\nfn two() {\n    third();\n    fourth();\n}\n";

#[test]
fn a_file_that_shares_a_use_line_with_the_renamed_one_is_not_renamed_back() {
    let repo = TestRepo::with_files(&[("f.rs", ONE)]);
    let id = repo.apply(json!({"path": "f.rs", "rename_to": "g.rs"}));
    repo.write("g.rs", TWO);
    assert_eq!(repo.refused(&["undo", &id], ""), "undo_conflict");
    assert_eq!(texts(&repo, ["f.rs", "g.rs"]), [None, some(TWO)]);
    // Also where the log has an edit of it, before it was replaced.
    repo.write("g.rs", ONE);
    repo.edit("g.rs", "first()", "first(1)");
    repo.write("g.rs", TWO);
    assert_eq!(repo.refused(&["undo", &id], ""), "undo_conflict");
    assert_eq!(texts(&repo, ["f.rs", "g.rs"]), [None, some(TWO)]);
    // An edited version of it is.
    repo.write("g.rs", ONE.replace("first()", "first(1)").replace("second()", "second(2)"));
    repo.done(&["undo", &id], "");
}

#[test]
fn a_renamed_file_is_known_by_what_the_log_has_of_it_since() {
    let repo = TestRepo::with_files(&[("f.rs", ONE)]);
    let id = repo.apply(json!({"path": "f.rs", "rename_to": "g.rs"}));
    repo.apply(json!({"path": "g.rs", "old_string": "    first();\n    second();\n",
        "new_string": "    a();\n    b();\n    c();\n    d();\n    e();\n"}));
    let now = repo.text("g.rs").replace("a();", "a(1);");
    repo.write("g.rs", &now);
    repo.done(&["undo", &id], "");
    assert_eq!(texts(&repo, ["f.rs", "g.rs"]), [some(now), None]);
}

#[test]
fn a_file_with_the_old_name_that_shares_a_use_line_is_no_rename_taken_back() {
    let repo = TestRepo::with_files(&[("f.rs", ONE)]);
    let id = repo.apply(json!({"path": "f.rs", "rename_to": "g.rs"}));
    remove(&repo, "g.rs");
    repo.write("f.rs", TWO);
    assert_eq!(repo.refused(&["undo", &id], ""), "undo_conflict");
    repo.write("f.rs", ONE.replace("first", "FIRST"));
    assert!(repo.said(&["undo", &id]).contains("taken back already"));
}

fn rename(repo: &TestRepo, from: &str, to: &str) {
    std::fs::rename(repo.root().join(from), repo.root().join(to)).expect("moves");
}

#[test]
fn an_undo_that_git_discarded_can_be_made_again_after_the_file_was_renamed() {
    for is_committed in [false, true] {
        let repo = TestRepo::with_files(&[("f.rs", ONE)]);
        let id = repo.edit("f.rs", "first()", "first(1)");
        repo.commit_all("edited");
        repo.done(&["undo", &id], "");
        repo.git(&["checkout", "-q", "f.rs"]);
        repo.git(&["mv", "f.rs", "g.rs"]);
        if is_committed {
            repo.commit_all("renamed");
        }
        repo.done(&["undo", &id], "");
        assert_eq!(texts(&repo, ["f.rs", "g.rs"]), [None, some(ONE)]);
        assert_eq!(repo.refused(&["undo", &id], ""), "nothing_to_undo");
    }
}

#[test]
fn what_is_undone_is_not_undone_again_in_a_copy_that_the_user_made() {
    let repo = TestRepo::with_files(&[("f.rs", ONE)]);
    let id = repo.edit("f.rs", "first()", "first(1)");
    let made = repo.apply(json!({"path": "n.rs", "content": TWO}));
    let copy = repo.text("f.rs");
    repo.write("copy.rs", &copy);
    repo.write("n2.rs", TWO);
    repo.done(&["undo", &made], "");
    repo.done(&["undo", &id], "");
    remove(&repo, "f.rs");
    for args in [&["undo"][..], &["undo", &id], &["undo", &made]] {
        assert_eq!(repo.refused(args, ""), "nothing_to_undo", "{args:?}");
    }
    assert_eq!(texts(&repo, ["copy.rs", "n2.rs"]), [some(copy), some(TWO)]);
}

#[test]
fn a_record_is_found_through_a_later_rename_of_redrafts_own() {
    let repo = TestRepo::with_files(&[("f.rs", ONE)]);
    let agent = |session: &str| json!({"name": "a", "session": session});
    let id =
        repo.apply(json!({"path": "f.rs", "old_string": "first()", "new_string": "first(1)", "agent": agent("s")}));
    repo.apply(json!({"path": "f.rs", "rename_to": "g.rs", "agent": agent("t")}));
    repo.write("g.rs", repo.text("g.rs").replace("one()", "other_name()"));
    let want = || [None, some(ONE.replace("one()", "other_name()"))];
    for args in [&["undo", &id][..], &["undo", "--session", "s", "--", "g.rs"], &["undo", "--session", "s"]] {
        repo.done(args, "");
        assert_eq!(texts(&repo, ["f.rs", "g.rs"]), want(), "{args:?}");
        repo.done(&["redo", &id], "");
    }
    // And another file that has its old name since is none of it.
    repo.write("f.rs", ONE.replace("first()", "first(1)"));
    repo.done(&["undo", &id], "");
    assert_eq!(texts(&repo, ["f.rs", "g.rs"]), [some(ONE.replace("first()", "first(1)")), want()[1].clone()]);
}

#[test]
fn a_path_that_the_user_gave_the_file_names_its_records() {
    let repo = TestRepo::with_files(&[("f.rs", ONE), ("z", "z\n")]);
    repo.edit("f.rs", "first()", "first(1)");
    repo.edit("z", "z", "Z");
    repo.git(&["mv", "f.rs", "g.rs"]);
    repo.done(&["undo", "--", "g.rs"], "");
    assert_eq!(texts(&repo, ["f.rs", "g.rs", "z"]), [None, some(ONE), some("Z\n")]);
}

#[test]
fn a_file_that_was_renamed_and_edited_is_found_by_most_of_its_lines() {
    let repo = TestRepo::with_files(&[("f.rs", ONE), ("other.rs", TWO)]);
    let id = repo.edit("f.rs", "first()", "first(1)");
    repo.edit("f.rs", "second()", "second(2)");
    rename(&repo, "f.rs", "g.rs");
    repo.write("g.rs", format!("// mine\n{}", repo.text("g.rs")));
    repo.done(&["undo", &id], "");
    assert_eq!(
        texts(&repo, ["f.rs", "g.rs"]),
        [None, some(format!("// mine\n{}", ONE.replace("second()", "second(2)")))]
    );
    repo.done(&["redo"], "");
    // A copy is not the file that the undo found.
    repo.write("h.rs", repo.text("g.rs").replace("mine", "yours"));
    repo.done(&["undo", &id], "");
    assert!(repo.text("h.rs").contains("first(1)"));
    // Of two it could be neither is taken.
    let repo = TestRepo::with_files(&[("f.rs", ONE), ("other.rs", TWO)]);
    let id = repo.edit("f.rs", "first()", "first(1)");
    rename(&repo, "f.rs", "g.rs");
    repo.write("g.rs", format!("// mine\n{}", repo.text("g.rs")));
    repo.write("h.rs", repo.text("g.rs").replace("mine", "yours"));
    assert!(repo.said(&["undo", &id]).contains("its lines stand in several files"));
    remove(&repo, "g.rs");
    remove(&repo, "h.rs");
    // It was moved over another one.
    repo.write("other.rs", ONE.replace("first()", "first(1)"));
    repo.done(&["undo", &id], "");
    assert_eq!(repo.text("other.rs"), ONE);
}

#[test]
fn a_created_file_that_was_moved_and_changed_is_not_said_to_be_taken_back() {
    let more = format!("{ONE}\nfn more() {{}}\n");
    let much = format!("{ONE}{}", TWO.replace("use std::io;\n", "") + "fn a() {}\nfn b() {}\nfn c() {}\nfn d() {}\n");
    for text in [more, much] {
        let repo = TestRepo::with_files(&[("z", "z\n")]);
        let id = repo.apply(json!({"path": "n.rs", "content": ONE}));
        rename(&repo, "n.rs", "q.rs");
        repo.write("q.rs", &text);
        for args in [&["undo"][..], &["undo", &id]] {
            let told = repo.said(args);
            assert!(told.starts_with("cannot undo q.rs: "), "{args:?}: {told}");
        }
        assert_eq!(texts(&repo, ["n.rs", "q.rs"]), [None, some(&text)]);
        remove(&repo, "q.rs");
        assert!(repo.said(&["undo", &id]).contains("taken back already"));
    }
}

#[test]
fn a_created_file_that_was_renamed_by_redraft_is_removed_under_its_new_name() {
    let repo = TestRepo::with_files(&[("z", "z\n")]);
    let id = repo.apply(json!({"path": "n.rs", "content": ONE}));
    repo.apply(json!({"path": "n.rs", "rename_to": "m.rs"}));
    repo.done(&["undo", &id], "");
    assert_eq!(texts(&repo, ["n.rs", "m.rs"]), [None, None]);
}

#[test]
fn a_rename_that_was_renamed_again_is_said_to_be_so() {
    let repo = TestRepo::with_files(&[("f.rs", ONE), ("z", "z\n")]);
    repo.edit("z", "z", "Z");
    let id = repo.apply(json!({"path": "f.rs", "rename_to": "g.rs"}));
    rename(&repo, "g.rs", "h.rs");
    let told = repo.said(&["undo", &id]);
    assert!(told.contains("g.rs was renamed again since, to h.rs"), "{told}");
    let told = repo.said(&["undo"]);
    assert!(told.contains("h.rs keeps its name"), "{told}");
    assert_eq!(texts(&repo, ["f.rs", "h.rs", "z"]), [None, some(ONE), some("z\n")]);
}

#[test]
fn what_was_undone_and_is_there_again_in_part_is_not_said_to_be_undone() {
    let repo = TestRepo::with_files(&[("f.rs", ONE), ("z", "z\n")]);
    let id = repo.apply(json!({"path": "f.rs", "edits": [
        {"old_string": "first()", "new_string": "alpha(1)"}, {"old_string": "fn one", "new_string": "pub fn eins"}]}));
    let edited = repo.text("f.rs");
    repo.done(&["undo", &id], "");
    repo.write("f.rs", edited.replace("pub fn eins", "fn zwei"));
    assert_eq!(repo.refused(&["undo", &id], ""), "undo_conflict");
    let made = repo.apply(json!({"path": "n.rs", "content": TWO}));
    repo.done(&["undo", &made], "");
    repo.write("n.rs", format!("{TWO}fn mine() {{}}\n"));
    assert_eq!(repo.refused(&["undo", &made], ""), "undo_conflict");
    // What was written anew by the user and has nothing of it is no trace.
    repo.write("n.rs", ONE);
    assert_eq!(repo.refused(&["undo", &made], ""), "nothing_to_undo");
}

/// Does these requests in one session.
fn session(repo: &TestRepo, requests: &[Value]) {
    for request in requests {
        let mut request = request.clone();
        request["agent"] = json!({"name": "a", "session": "s"});
        repo.apply(request);
    }
}

#[test]
fn a_session_that_exchanged_names_is_undone_and_redone() {
    let rename = |from: &str, to: &str| json!({"path": from, "rename_to": to});
    let edit = |path: &str, old: &str, new: &str| json!({"path": path, "old_string": old, "new_string": new});
    let make = |path: &str| json!({"path": path, "content": "made\n"});
    let sessions = [
        vec![rename("a", "t"), rename("b", "a"), rename("t", "b")],
        vec![rename("a", "t"), edit("t", "first()", "first(1)"), rename("b", "a"), rename("t", "b")],
        vec![rename("a", "t"), rename("b", "a"), rename("c", "b"), rename("t", "c")],
        vec![rename("b", "t"), rename("a", "b")],
        vec![rename("a", "t"), make("a"), edit("t", "first()", "first(1)")],
        vec![json!({"path": "a", "delete": true}), rename("b", "a"), edit("a", "third()", "third(3)")],
        vec![json!({"path": "a", "delete": true}), rename("b", "a"), make("b")],
    ];
    for requests in sessions {
        let repo = TestRepo::with_files(&[("a", ONE), ("b", TWO), ("c", "ccc\nddd\neee\n")]);
        repo.chmod("a", 0o755);
        let look = || (texts(&repo, ["a", "b", "c", "t"]), repo.git(&["diff", "--summary"]));
        let before = look();
        session(&repo, &requests);
        let after = look();
        repo.done(&["undo", "--session", "s"], "");
        assert_eq!(look(), before, "{requests:?}");
        repo.done(&["redo"], "");
        assert_eq!(look(), after, "{requests:?}");
        repo.done(&["undo"], "");
        assert_eq!(look(), before, "{requests:?}");
    }
}

#[test]
fn later_lines_stay_with_their_files_where_names_are_exchanged_back() {
    let repo = TestRepo::with_files(&[("a", ONE), ("b", TWO)]);
    let rename = |from: &str, to: &str| json!({"path": from, "rename_to": to});
    session(&repo, &[rename("a", "t"), rename("b", "a"), rename("t", "b")]);
    repo.write("b", format!("{ONE}fn mine() {{}}\n"));
    repo.done(&["undo", "--session", "s"], "");
    assert_eq!(texts(&repo, ["a", "b", "t"]), [some(format!("{ONE}fn mine() {{}}\n")), some(TWO), None]);
}

#[test]
fn what_another_record_did_again_is_not_taken_back_by_the_name_of_the_first() {
    let agent = |session: &str| json!({"name": "a", "session": session});
    let edit = |session: &str| json!({"path": "f.rs", "old_string": "second();\n}\n", "new_string": "second();\n}", "agent": agent(session)});
    let repo = TestRepo::with_files(&[("f.rs", ONE)]);
    let first = repo.apply(edit("s"));
    repo.write("f.rs", ONE);
    let second = repo.apply(edit("t"));
    for args in [&["undo", &first][..], &["undo", "--session", "s"]] {
        let told = repo.said(args);
        assert!(told.contains(&format!("record {second} did it again")), "{args:?}: {told}");
    }
    repo.done(&["undo", &second], "");
    assert_eq!(repo.text("f.rs"), ONE);
    // What is redone is its own again.
    repo.done(&["redo"], "");
    repo.done(&["undo", &second], "");
    assert_eq!(repo.text("f.rs"), ONE);
}

#[test]
fn a_plain_undo_that_skips_conflicts_goes_on_to_the_newest_record_that_fits() {
    let repo = TestRepo::with_files(&[("f.rs", ONE), ("z", "z\n")]);
    let fits = repo.edit("z", "z", "Z");
    let stuck = repo.edit("f.rs", "first()", "first(1)");
    repo.write("f.rs", ONE.replace("first()", "mine(2)"));
    assert_eq!(repo.refused(&["undo"], ""), "undo_conflict");
    assert_eq!(repo.text("z"), "Z\n");
    let told = repo.redraft(&["undo", "--skip-conflicts"], "").json();
    assert_eq!((&told["status"], &told["data"]["undone"]), (&json!("partial"), &json!([fits])), "{told}");
    assert_eq!(told["data"]["skipped"][0]["record"], json!(stuck));
    assert_eq!(repo.text("z"), "z\n");
    // Behind it is nothing.
    assert_eq!(repo.refused(&["undo", "--skip-conflicts"], ""), "undo_conflict");
}

#[test]
fn an_undone_session_names_the_records_that_were_taken_back_already_apart() {
    let repo = TestRepo::with_files(&[("f.rs", ONE), ("z", "z\n")]);
    session(
        &repo,
        &[
            json!({"path": "f.rs", "old_string": "first()", "new_string": "first(1)"}),
            json!({"path": "f.rs", "old_string": "second()", "new_string": "second(2)"}),
            json!({"path": "z", "old_string": "z", "new_string": "Z"}),
        ],
    );
    let ids: Vec<Value> = repo.redraft(&["log", "--json"], "").lines().iter().map(|one| one["id"].clone()).collect();
    repo.write("f.rs", ONE.replace("first()", "first(1)"));
    repo.write("z", "z\n");
    let told = repo.done(&["undo", "--session", "s"], "");
    assert_eq!(told["data"]["undone"], json!([ids[2]]), "{told}");
    assert_eq!(told["data"]["already"], json!([ids[0], ids[1]]), "{told}");
    assert!(told["text"].as_str().expect("text").starts_with(&format!("undid {} ", ids[2].as_str().expect("an id"))));
    assert_eq!(repo.text("f.rs"), ONE);
}

#[test]
fn folders_that_an_undo_leaves_empty_go_as_they_do_in_git() {
    let repo = TestRepo::with_files(&[("z", "z\n"), ("dir/kept", "k\n")]);
    let id = repo.apply(json!({"path": "d/e/n", "content": "n\n"}));
    repo.done(&["undo", &id], "");
    assert!(!repo.root().join("d").exists());
    repo.done(&["redo"], "");
    assert_eq!(repo.text("d/e/n"), "n\n");
    // What holds something else stays.
    repo.write("d/mine", "mine\n");
    repo.done(&["undo", &id], "");
    assert!(repo.has("d/mine") && !repo.root().join("d/e").exists());
    let id = repo.apply(json!({"path": "dir/kept", "rename_to": "x/y/kept"}));
    repo.done(&["undo", &id], "");
    assert!(repo.has("dir/kept") && !repo.root().join("x").exists());
    // The directory that the caller is in is not taken away under it.
    let id = repo.apply(json!({"path": "d/e/n", "content": "n\n"}));
    assert_eq!(repo.redraft_in(&repo.root().join("d/e"), &["undo", &id], "").status, 0);
    assert!(repo.root().join("d/e").is_dir() && !repo.has("d/e/n"));
}

#[test]
fn what_an_undo_says_of_commits_and_of_files_is_true() {
    let repo = TestRepo::with_files(&[("f.rs", ONE)]);
    let commit =
        json!({"path": "f.rs", "old_string": "first()", "new_string": "first(1)", "record": "commit"}).to_string();
    repo.done(&["apply"], &commit);
    assert!(repo.said(&["undo", "--dry-run"]).contains("the git commit of it stays"));
    assert!(!repo.said(&["undo", "--record", "commit", "--dry-run"]).contains("stays"));
    assert!(!repo.said(&["undo", "--record", "commit"]).contains("stays"));
    assert_eq!(repo.git(&["show", "HEAD:f.rs"]), ONE);
    // A file that was made and removed again is named.
    session(&repo, &[json!({"path": "n.rs", "content": TWO}), json!({"path": "n.rs", "delete": true})]);
    let told = repo.said(&["undo", "--session", "s"]);
    assert!(told.contains("what it did to n.rs is taken back already"), "{told}");
    // Of a redo it is not said that it is none of an undo.
    let id = repo.edit("f.rs", "second()", "second(2)");
    repo.done(&["undo", &id], "");
    repo.write("f.rs", ONE.replace("second()", "mine(3)"));
    let told = repo.said(&["redo", &id]);
    assert!(told.contains("cannot redo f.rs") && !told.contains("cannot undo"), "{told}");
    repo.write("f.rs", ONE.replace("second()", "second(2)"));
    assert!(repo.said(&["redo", &id]).contains("nothing to redo: what was undone in f.rs is in place again already"));
}

#[test]
fn what_is_staged_goes_back_with_a_part_or_is_told() {
    let text = format!("{ONE}{}last();\n", (0..9).map(|n| format!("line {n}\n")).collect::<String>());
    let repo = TestRepo::with_files(&[("f.rs", &text)]);
    let both = json!({"path": "f.rs", "edits": [
        {"old_string": "first()", "new_string": "first(1)"}, {"old_string": "last()", "new_string": "last(1)"}]});
    let id = repo.done(&["apply", "--index"], &both.to_string())["data"]["record"]["id"].clone();
    let id = id.as_str().expect("an id");
    repo.write("f.rs", format!("{}// mine\n", repo.text("f.rs")));
    repo.done(&["undo", id, "--hunk", "2"], "");
    let half = text.replace("first()", "first(1)");
    assert_eq!(repo.git(&["show", ":f.rs"]), half);
    assert_eq!(repo.text("f.rs"), format!("{half}// mine\n"));
    // The rest is taken back by hand, in the file only.
    repo.write("f.rs", &text);
    let told = repo.said(&["undo", id]);
    assert!(told.contains("f.rs is taken back in the file, but not in what is staged of it"), "{told}");
    repo.git(&["add", "f.rs"]);
    assert!(repo.said(&["undo", id]).contains("is taken back already"));
}

#[test]
fn a_refusal_names_the_git_commit_that_changed_the_lines_where_no_record_did() {
    let repo = TestRepo::with_files(&[("f.rs", ONE)]);
    let conflict = |repo: &TestRepo, id: &str| {
        let told = repo.redraft(&["undo", id], "").json();
        assert_eq!(told["data"]["reason"], json!("undo_conflict"), "{told}");
        (told["data"]["hint"]["conflicts"][0].clone(), told["text"].as_str().expect("text").to_owned())
    };
    let id = repo.edit("f.rs", "first()", "alpha(1)");
    repo.commit_all("with the edit");
    repo.write("f.rs", repo.text("f.rs").replace("alpha(1)", "mine(2)"));
    // Not committed yet: nobody is named.
    let (told, _) = conflict(&repo, &id);
    assert_eq!((&told["changed_by"], &told["commit"]), (&Value::Null, &Value::Null));
    repo.commit_all("mine");
    let commit = repo.git(&["rev-parse", "HEAD"]).trim().to_owned();
    repo.write("other", "x\n");
    repo.commit_all("elsewhere");
    let (told, words) = conflict(&repo, &id);
    assert_eq!((&told["changed_by"], &told["commit"]), (&Value::Null, &json!(commit)), "{told}");
    assert!(words.contains(&format!("(git commit {} changed lines there)", &commit[..10])), "{words}");
}

#[test]
fn a_session_is_undone_where_git_renamed_the_file_between_its_records() {
    let repo = TestRepo::with_files(&[("f.rs", ONE)]);
    session(&repo, &[json!({"path": "f.rs", "old_string": "first()", "new_string": "first(1)"})]);
    repo.git(&["mv", "f.rs", "g.rs"]);
    session(&repo, &[json!({"path": "g.rs", "old_string": "second()", "new_string": "second(2)"})]);
    repo.git(&["mv", "g.rs", "h.rs"]);
    session(&repo, &[json!({"path": "h.rs", "old_string": "one()", "new_string": "eins()"})]);
    let after = repo.text("h.rs");
    repo.done(&["undo", "--session", "s"], "");
    assert_eq!(texts(&repo, ["f.rs", "g.rs", "h.rs"]), [None, None, some(ONE)]);
    repo.done(&["redo"], "");
    assert_eq!(repo.text("h.rs"), after);
}

#[test]
fn a_deleted_file_that_came_back_and_was_moved_does_not_come_back_twice() {
    let repo = TestRepo::with_files(&[("f.rs", ONE), ("z", "z\n")]);
    let id = repo.apply(json!({"path": "f.rs", "delete": true}));
    repo.done(&["undo", &id], "");
    rename(&repo, "f.rs", "g.rs");
    for args in [&["undo"][..], &["undo", &id]] {
        assert_eq!(repo.refused(args, ""), "nothing_to_undo", "{args:?}");
    }
    assert_eq!(texts(&repo, ["f.rs", "g.rs"]), [None, some(ONE)]);
    // Removed for good, it does.
    remove(&repo, "g.rs");
    repo.done(&["undo", &id], "");
    assert_eq!(repo.text("f.rs"), ONE);
}

#[test]
fn what_is_skipped_in_a_file_that_may_be_another_ends_there() {
    let repo = TestRepo::with_files(&[("f.rs", ONE), ("z", "z\n")]);
    session(
        &repo,
        &[
            json!({"path": "f.rs", "old_string": "first()", "new_string": "first(1)"}),
            json!({"path": "z", "old_string": "z", "new_string": "Z"}),
        ],
    );
    rename(&repo, "f.rs", "g.rs");
    let now = ONE.replace("fn one", "// mine\nfn one");
    repo.write("g.rs", &now);
    let told = repo.redraft(&["undo", "--session", "s", "--skip-conflicts"], "").json();
    assert_eq!((&told["status"], &told["data"]["skipped"][0]["path"]), (&json!("partial"), &json!("f.rs")), "{told}");
    assert_eq!(texts(&repo, ["g.rs", "z"]), [some(now), some("z\n")]);
}

#[test]
fn what_another_record_did_again_is_its_own_also_where_git_renamed_the_file_between() {
    let repo = TestRepo::with_files(&[("f.rs", ONE)]);
    let first = repo.edit("f.rs", "first();", "first(1);");
    repo.write("f.rs", ONE);
    repo.git(&["commit", "-qam", "as it was", "--allow-empty"]);
    repo.git(&["mv", "f.rs", "g.rs"]);
    let second = repo.edit("g.rs", "first();", "first(1);");
    let told = repo.said(&["undo", &first]);
    assert!(told.contains("nothing to undo") && told.contains(&second), "{told}");
    assert!(repo.text("g.rs").contains("first(1);"));
    repo.done(&["undo", &second], "");
    assert_eq!(repo.text("g.rs"), ONE);
}

#[test]
fn a_deleted_file_that_git_brought_back_and_an_agent_went_on_with_is_not_restored_beside_it() {
    for then in ["stays", "is moved", "is removed"] {
        for session in [false, true] {
            let repo = TestRepo::with_files(&[("c.rs", ONE), ("z.rs", TWO)]);
            repo.apply(json!({"path": "c.rs", "delete": true, "agent": {"session": "s"}}));
            repo.git(&["checkout", "-q", "c.rs"]);
            let edit =
                json!({"path": "c.rs", "old_string": "first();", "new_string": "first(1);", "agent": {"session": "s"}});
            let edit = repo.apply(edit);
            match then {
                "is moved" => drop(repo.git(&["mv", "c.rs", "d.rs"])),
                "is removed" => remove(&repo, "c.rs"),
                _ => {}
            }
            let undo = if session { &["undo", "--session", "s"][..] } else { &["undo"][..] };
            if then == "is removed" {
                assert_eq!(repo.refused(undo, ""), "undo_conflict");
                continue;
            }
            repo.done(undo, "");
            assert!(repo.said(&["undo", &edit]).contains("undone already"));
            assert_eq!(repo.refused(&["undo"], ""), "nothing_to_undo");
            let (stays, moved) = (some(ONE).filter(|_| then == "stays"), some(ONE).filter(|_| then != "stays"));
            assert_eq!(texts(&repo, ["c.rs", "d.rs"]), [stays, moved], "{session}");
        }
    }
}

#[test]
fn a_deleted_file_is_restored_whatever_an_agent_did_to_another_one_of_its_name() {
    let repo = TestRepo::with_files(&[("c.rs", ONE), ("z.rs", "pub mod c;\n")]);
    let deleted = repo.apply(json!({"path": "c.rs", "delete": true}));
    // Somebody puts another file there, which an agent edits, and takes it away again.
    repo.write("c.rs", "struct Other;\n\nimpl Other {\n    const SIZE: usize = 7;\n}\n");
    repo.edit("c.rs", "7", "8");
    assert_eq!(repo.refused(&["undo", &deleted], ""), "undo_conflict");
    remove(&repo, "c.rs");
    repo.done(&["undo", &deleted], "");
    assert_eq!(texts(&repo, ["c.rs"]), [some(ONE)]);
}

/// Seen: `directory` and `bad_path`, with the advice to name a file in it, of a record that a person had only asked to take back.
#[test]
fn a_file_that_became_a_folder_and_a_folder_that_became_a_file_are_taken_back_in_two_steps_that_the_refusal_tells() {
    for script in
        ["rm a; mkdir a; echo q > a/q", "rm -r s; echo x > s", "rm -r s; echo x > s; rm a; mkdir a; echo q > a/q"]
    {
        let repo = TestRepo::with_files(&[("a", "one\n"), ("s/c", "c\n"), ("s/d/e", "e\n"), ("other", "o\n")]);
        let whole = format!("{script}; echo more >> other");
        assert_eq!(repo.redraft(&["run", "--", "sh", "-c", &whole], "").status, 0);
        let before = repo.git(&["status", "--porcelain", "-uall"]);
        let answer = repo.redraft(&["undo"], "").json();
        let text = answer["text"].as_str().expect("a text");
        assert_eq!(answer["data"]["reason"], "undo_conflict", "{script}: {answer}");
        assert!(text.contains("--skip-conflicts") && text.contains("folder"), "{script}: {text}");
        assert_eq!(repo.git(&["status", "--porcelain", "-uall"]), before, "nothing is written");
        let id = repo.redraft(&["log", "--json"], "").lines()[0]["id"].as_str().expect("an id").to_owned();
        repo.done(&["undo", &id, "--skip-conflicts"], "");
        repo.done(&["undo", &id], "");
        assert_eq!(repo.git(&["status", "--porcelain", "-uall"]), "", "{script}");
    }
}
