//! Undo of edits that were made in two files under each other's names: what an undo found under a new name is one file, what others did under
//! that name before or since is another one's.

use crate::support::TestRepo;
use serde_json::json;

const F: &str = "f one\nf two\nf three\nf four\nf five\nf six\n";
const G: &str = "g one\ng two\ng three\ng four\ng five\ng six\n";

/// Two files, as git has them.
fn two() -> TestRepo {
    TestRepo::with_files(&[("f", F), ("g", G)])
}

fn exchanged(repo: &TestRepo) {
    [("f", "aside"), ("g", "f"), ("aside", "g")].iter().for_each(|(from, to)| moved(repo, from, to));
}

/// An edit of a session.
fn of_session(repo: &TestRepo, path: &str, [old, new]: [&str; 2]) -> String {
    repo.apply(json!({"path": path, "old_string": old, "new_string": new, "agent": {"session": "s"}}))
}

fn moved(repo: &TestRepo, from: &str, to: &str) {
    std::fs::rename(repo.root().join(from), repo.root().join(to)).expect("a file");
}

fn texts(repo: &TestRepo) -> [String; 2] {
    ["f", "g"].map(|path| repo.text(path))
}

/// Seen: the undo of the session looked for the edit of a line without a word in the file that another undo had found meanwhile.
#[test]
fn what_was_edited_at_a_name_that_another_file_had_left_is_undone_there_though_an_undo_found_that_one() {
    let (f, g) = (format!("{F}f seven\nf eight\n"), format!("    ));\n{G}"));
    let repo = TestRepo::with_files(&[("f", &f), ("g", &g)]);
    let undone = of_session(&repo, "g", ["g one\n", "g 1\n"]);
    repo.done(&["undo", &undone], "");
    let id = of_session(&repo, "f", ["f two\n", "f two;\n"]);
    exchanged(&repo);
    of_session(&repo, "f", ["    ));\n", "#    ));\n"]);
    repo.done(&["undo", &id], "");
    assert_eq!(repo.text("g"), f);
    repo.done(&["undo", "--session", "s"], "");
    assert_eq!(texts(&repo), [g, f]);
}

/// The same where nothing but the other file's text tells when the names were exchanged: as it was met there under the new one.
#[test]
fn what_was_met_at_its_new_name_as_it_was_left_is_undone_there_though_a_later_undo_found_it() {
    let repo = two();
    let id = of_session(&repo, "f", ["f two\n", "f two\nadded\n"]);
    exchanged(&repo);
    of_session(&repo, "g", ["f five\n", "f 5\n"]);
    repo.edit("f", "g three\n", "g 3\n");
    repo.done(&["undo", &id], "");
    repo.write("copy", repo.text("g") + "by hand\n");
    repo.done(&["undo", "--session", "s"], "");
    assert_eq!(texts(&repo), [G.replace("three", "3"), F.to_owned()]);
}

/// Seen: "other text was put in its place", of the file that an undo had found under its own name.
#[test]
fn an_edit_of_before_the_exchange_is_undone_at_its_name_though_an_undo_found_another_file_that_had_it() {
    for by_hand in [false, true] {
        let repo = two();
        let id = repo.edit("f", "f two\n", "");
        exchanged(&repo);
        let other = repo.edit("f", "g three\n", "g 3\n");
        if by_hand {
            repo.write("g", repo.text("g") + "by hand\n");
        }
        exchanged(&repo);
        repo.done(&["undo", &other], "");
        repo.done(&["undo", &id], "");
        let more = if by_hand { "by hand\n" } else { "" };
        assert_eq!(texts(&repo), [format!("{F}{more}"), G.to_owned()]);
    }
}

/// The same of several older ones, of which the first made the file.
#[test]
fn all_edits_of_a_file_from_before_the_exchange_are_undone_at_its_name_though_an_undo_found_another_there() {
    let repo = TestRepo::with_files(&[("g", G)]);
    let made = repo.apply(json!({"path": "f", "content": F}));
    let own = ["two", "four", "six"].map(|line| repo.edit("f", &format!("f {line}\n"), &format!("f {line}!\n")));
    exchanged(&repo);
    let other = repo.edit("f", "g three\n", "g 3\n");
    exchanged(&repo);
    repo.done(&["undo", &other], "");
    own.iter().for_each(|id| drop(repo.done(&["undo", id], "")));
    assert_eq!(texts(&repo), [F, G]);
    repo.done(&["undo", &made], "");
    assert!(!repo.root().join("f").exists());
}

/// Seen: "nothing in the file there tells that it is the one": the other's edit under this one's name made a copy of what this one was elsewhere.
#[test]
fn a_deletion_is_undone_at_home_in_a_file_that_was_edited_by_hand_behind_an_edit_away_from_home() {
    let repo = two();
    let id = repo.edit("f", "f two\n", "");
    exchanged(&repo);
    let away = repo.edit("g", "f four\n", "f 4\n");
    let other = repo.edit("f", "g three\n", "g 3\n");
    repo.write("g", repo.text("g").replace("f six", "by hand"));
    repo.done(&["undo", &other], "");
    exchanged(&repo);
    repo.done(&["undo", &id], "");
    assert_eq!(texts(&repo), [F.replace("f four", "f 4").replace("f six", "by hand"), G.to_owned()]);
    repo.done(&["undo", &away], "");
    assert_eq!(texts(&repo), [F.replace("f six", "by hand"), G.to_owned()]);
}

/// Seen: "nothing in the file there tells that it is the one", for what others did under its name was taken for its own.
#[test]
fn a_deletion_is_undone_in_a_file_that_was_edited_away_from_home_while_another_one_was_edited_there() {
    for by_hand in ["", "by hand\n"] {
        let repo = two();
        let id = repo.edit("f", "f two\n", "");
        exchanged(&repo);
        repo.git(&["commit", "-qam", "exchange"]);
        let away = repo.edit("g", "f five\n", "");
        let other = repo.edit("f", "g three\n", "g 3\n");
        repo.write("g", repo.text("g") + by_hand);
        exchanged(&repo);
        repo.done(&["undo", &id], "");
        assert_eq!(texts(&repo), [F.replace("f five\n", "") + by_hand, G.replace("three", "3")]);
        repo.done(&["undo", &other], "");
        repo.done(&["undo", &away], "");
        assert_eq!(texts(&repo), [format!("{F}{by_hand}"), G.to_owned()]);
    }
}

/// The same where the other one was edited at home before, and met as it was left there.
#[test]
fn a_deletion_is_undone_at_home_though_a_file_that_an_agent_had_edited_was_edited_there_meanwhile() {
    let repo = two();
    let id = repo.edit("f", "f two\n", "");
    repo.edit("g", "g two\n", "g 2\n");
    exchanged(&repo);
    repo.git(&["commit", "-qam", "exchange"]);
    repo.edit("f", "g three\n", "g 3\n");
    repo.edit("g", "f five\n", "f 5\n");
    exchanged(&repo);
    repo.done(&["undo", &id], "");
    assert_eq!(texts(&repo), [F.replace("five", "5"), G.replace("two", "2").replace("three", "3")]);
}

/// Seen: "nothing in the file there tells that it is the one", for a record had met it under the other's name, edited by hand.
#[test]
fn an_edit_is_undone_at_home_in_a_file_that_was_edited_by_hand_and_by_an_agent_under_another_s_name() {
    let repo = two();
    let id = repo.edit("f", "f two\n", "f 2\n");
    repo.write("f", repo.text("f").replace("f six", "by hand"));
    exchanged(&repo);
    repo.edit("g", "f four\n", "f 4\n");
    exchanged(&repo);
    repo.done(&["undo", &id], "");
    assert_eq!(texts(&repo), [F.replace("six", "").replace("f \n", "by hand\n").replace("four", "4"), G.to_owned()]);
}

/// Seen: "other text was put in its place": an undo in the other file, at the name that this one had had, counted as one of this.
#[test]
fn a_deletion_beside_a_changed_line_is_undone_in_an_exchanged_file_behind_undos_in_both() {
    let (f, g) = ("one\ntwo\nf three\nfour\nf five\nsix\n", "one\ntwo\ng three\nfour\ng five\nsix\n");
    let repo = TestRepo::with_files(&[("f", f), ("g", g)]);
    let id = repo.edit("f", "f three\n", "");
    let other = repo.edit("g", "g three\n", "g 3\n");
    let first = repo.edit("f", "one\n", "1\n");
    repo.edit("f", "four\n", "4\n");
    exchanged(&repo);
    [&other, &first, &id].iter().for_each(|id| drop(repo.done(&["undo", id], "")));
    assert_eq!(texts(&repo), [g.to_owned(), f.replace("four", "4")]);
}

/// Seen: "what it did is taken back already", of a file that had been elsewhere since; at the name was, as it was before an older record, another one
/// that had had that name before.
#[test]
fn what_another_file_had_before_an_older_record_of_the_name_is_not_what_a_deletion_met_there() {
    for is_committed in [false, true] {
        let repo = TestRepo::with_files(&[("f", F), ("g", G), ("h", &G.replace('g', "h"))]);
        let older = repo.edit("f", "f two\n", "f two!\n");
        exchanged(&repo);
        repo.done(&["undo", &older], "");
        let id = repo.edit("f", "g four\n", "");
        if is_committed {
            repo.git(&["commit", "-qam", "exchanged"]);
        }
        // The deletion's file to `h`, that of the older record home, and the third one to `g`.
        [("f", "aside"), ("g", "f"), ("h", "g"), ("aside", "h")].iter().for_each(|(from, to)| moved(&repo, from, to));
        assert_eq!(repo.refused(&["undo", &id], ""), "undo_conflict");
        assert_eq!(repo.text("f") + &repo.text("h"), F.to_owned() + &G.replace("g four\n", ""));
    }
}

/// What another record did again at the old name is that one's, though the edits that are undone lie on both sides of the renaming.
#[test]
fn what_another_record_did_at_the_old_name_counts_where_edits_before_and_after_a_renaming_by_hand_are_undone() {
    for (again, left) in
        [("f two\n", "f one\nf three\nf four\nf five\nf six\n"), ("f three\n", "f one\nf two\nf four\nf five\nf six\n")]
    {
        let repo = two();
        of_session(&repo, "f", ["f two\n", ""]);
        if again == "f two\n" {
            repo.write("f", F);
        }
        repo.edit("f", again, "");
        moved(&repo, "f", "b");
        of_session(&repo, "b", ["f six\n", "f 6\n"]);
        repo.done(&["undo", "--session", "s"], "");
        assert_eq!(repo.text("b"), left);
    }
}

/// The same where the names were given by records that were undone together: the log does not lead from one name to the other.
#[test]
fn what_another_record_did_at_a_name_that_the_undo_of_several_took_back_counts() {
    for (new, again) in [("f 2\n", "f 2\n"), ("", "")] {
        let repo = two();
        let rename = |from: &str, to: &str| repo.apply(json!({"path": from, "rename_to": to}));
        let [one, two, three] = [("f", "z"), ("g", "f"), ("z", "g")].map(|(from, to)| rename(from, to));
        let id = repo.edit("g", "f two\n", new);
        repo.write("g", F);
        repo.edit("g", "f two\n", again);
        repo.done(&["undo", &one, &two, &three], "");
        assert_eq!(repo.refused(&["undo", &id], ""), "nothing_to_undo");
        assert_eq!(repo.text("f"), F.replace("f two\n", new));
    }
}

/// Seen: "undid 0; nothing was left of 1", where 1 was in force in the file that had had the name meanwhile. Also of files that share lines, or that
/// git does not have.
#[test]
fn of_several_edits_of_a_name_none_is_left_out_as_taken_back_that_was_of_another_file_which_is_elsewhere() {
    let shared = "licence\nof both\nhere\n";
    for (f, g, is_tracked) in [
        (F.to_owned(), G.to_owned(), true),
        (shared.to_owned() + F, shared.to_owned() + G, true),
        (F.to_owned(), G.to_owned(), false),
    ] {
        let repo = TestRepo::with_files(&[("f", &f)]);
        repo.write("g", &g);
        if is_tracked {
            repo.git(&["add", "g"]);
            repo.git(&["commit", "-qm", "g"]);
        }
        let older = repo.edit("f", "f two\n", "f 2\n");
        let undone = repo.edit("f", "f five\n", "f 5\n");
        repo.done(&["undo", &undone], "");
        exchanged(&repo);
        let id = repo.edit("f", "g four\n", "");
        [("f", "c"), ("g", "f")].iter().for_each(|(from, to)| moved(&repo, from, to));
        for ids in [&[id.as_str()][..], &[id.as_str(), older.as_str()]] {
            assert_eq!(repo.refused(&[&["undo"], ids].concat(), ""), "undo_conflict", "{ids:?} {is_tracked}");
        }
        assert_eq!(repo.text("f") + &repo.text("c"), f.replace("two", "2") + &g.replace("g four\n", ""));
        repo.done(&["undo", &older], "");
        assert_eq!(repo.text("f"), f);
    }
}

/// The same where the other one is as git has it again, and the edit's file has a name that nothing had.
#[test]
fn an_edit_of_a_file_of_git_s_that_has_a_new_name_is_not_gone_because_another_one_is_as_git_has_it() {
    let repo = two();
    let undone = repo.edit("f", "f five\n", "f 5\n");
    repo.done(&["undo", &undone], "");
    exchanged(&repo);
    let id = repo.edit("f", "g four\n", "");
    [("f", "c"), ("g", "f")].iter().for_each(|(from, to)| moved(&repo, from, to));
    assert_eq!(repo.refused(&["undo", &id], ""), "undo_conflict");
    assert_eq!(repo.text("c"), G.replace("g four\n", ""));
}

/// The same of one that is nowhere any more: somebody checked out what git has under the name.
#[test]
fn an_edit_of_a_file_that_had_another_s_name_is_gone_when_that_was_checked_out() {
    for (old, new) in [("g four\n", ""), ("g four\n", "g 4\n"), ("g four\n", "g four\nadded\n")] {
        let repo = two();
        repo.edit("f", "f two\n", "f 2\n");
        exchanged(&repo);
        let id = repo.edit("f", old, new);
        repo.git(&["checkout", "-q", "HEAD", "--", "f"]);
        assert_eq!(repo.refused(&["undo", &id], ""), "nothing_to_undo", "{new:?}");
        assert_eq!(repo.text("f"), F);
    }
}

/// What a later record met is another file only if git had just that elsewhere: who rewrote a file did not make it another one, whatever
/// else was moved.
#[test]
fn a_rewritten_file_is_not_another_one_because_some_file_was_moved() {
    let repo = two();
    let id = repo.edit("f", "f two\n", "f 2\n");
    repo.write("f", "all\nof it\nis\nnew\n");
    repo.edit("f", "is\n", "IS\n");
    moved(&repo, "g", "k");
    let refused = repo.redraft(&["undo", &id], "").json();
    assert_eq!(refused["data"]["hint"]["conflicts"][0]["hunk"], 1, "{refused}");
    repo.write("f", F.replace("two", "2"));
    repo.done(&["undo", &id], "");
    assert_eq!(repo.text("f"), F);
}

/// Nor did who formatted it between two edits, and copied it before somebody checked it out.
#[test]
fn a_copy_beside_a_file_that_was_checked_out_does_not_say_that_it_was_another() {
    let repo = two();
    repo.edit("f", "f two\n", "f 2\n");
    repo.write("f", repo.text("f").replace('\n', ";\n"));
    let id = repo.edit("f", "f five;\n", "");
    repo.write("f.bak", repo.text("f"));
    repo.git(&["checkout", "-q", "f"]);
    assert_eq!(repo.refused(&["undo", &id], ""), "nothing_to_undo");
}

/// Beside a file that is as somebody wrote it, and not as git has it, a copy may be the file, but not where git ignores it.
#[test]
fn a_copy_that_git_ignores_is_for_something_else() {
    let met = format!("{F}by hand\n");
    for (copy, reason) in [("dist/f", "nothing_to_undo"), ("f.bak", "undo_conflict")] {
        let repo = TestRepo::with_files(&[("f", F), (".gitignore", "dist/\n")]);
        repo.write("f", &met);
        repo.edit("f", "f two\n", "f 2\n");
        repo.write("f", repo.text("f").replace('\n', ";\n"));
        let id = repo.edit("f", "f five;\n", "");
        repo.write(copy, repo.text("f"));
        repo.write("f", &met);
        assert_eq!(repo.refused(&["undo", &id], ""), reason, "{copy}");
        assert_eq!(repo.text("f"), met);
    }
}

/// Nor did who rewrote it and took it back: it is told that it was taken back, whatever it was meanwhile.
#[test]
fn a_file_that_was_rewritten_and_taken_back_to_before_an_older_record_is_as_it_was_before_the_newer_one() {
    let repo = two();
    repo.edit("f", "f two\n", "f two!\n");
    repo.write("f", "all\nof it\nis\nnew\n");
    let id = repo.edit("f", "is\n", "");
    repo.write("f", F);
    repo.write("g", "of git's\nno more\n");
    assert_eq!(repo.refused(&["undo", &id], ""), "nothing_to_undo");
    assert_eq!(repo.text("f"), F);
}

/// A rewritten file is no other one: nothing in the log or in git is like what was met.
#[test]
fn a_file_that_was_rewritten_by_hand_between_two_edits_is_one_wherever_an_undo_found_it() {
    let rewritten = "f one\nf two!\nnew three\nnew four\nnew five\nnew six\nnew seven\n";
    for (is_over, is_committed) in [(false, false), (true, false), (true, true)] {
        let repo = two();
        let id = repo.edit("f", "f two\n", "f two!\n");
        repo.write("f", rewritten);
        if is_committed {
            repo.git(&["commit", "-qam", "rewritten"]);
        }
        let later = repo.edit("f", "new six\n", "new 6\n");
        let to = if is_over { "g" } else { "c" };
        moved(&repo, "f", to);
        repo.done(&["undo", &later], "");
        if !is_over {
            repo.write("f", repo.text("c"));
        }
        repo.done(&["undo", &id], "");
        assert_eq!(repo.text(to), rewritten.replace("two!", "two"), "{is_over} {is_committed}");
    }
}

/// The copy had just what was left of the file; records went on in the file itself.
#[test]
fn what_was_done_to_a_copy_under_the_name_that_the_file_got_later_does_not_tell_since_when_it_has_that() {
    let repo = TestRepo::with_files(&[("f", F)]);
    let id = repo.edit("f", "f two\n", "f two!\n");
    repo.write("c", repo.text("f"));
    repo.edit("c", "f six\n", "c six\n");
    let later = repo.edit("f", "f four\n", "f four!\n");
    repo.edit("f", "f one\n", "f one!\n");
    std::fs::remove_file(repo.root().join("c")).expect("a file");
    moved(&repo, "f", "c");
    repo.done(&["undo", &id], "");
    repo.write("f", repo.text("c"));
    let copy = repo.text("f");
    repo.done(&["undo", &id, &later], "");
    assert_eq!([repo.text("f"), repo.text("c")], [copy, F.replace("f one", "f one!")]);
}

/// A record renamed it to where it was found, after somebody had moved it.
#[test]
fn an_older_edit_is_undone_where_a_record_gave_the_file_the_name_that_it_was_found_under() {
    let repo = TestRepo::with_files(&[("f", F)]);
    let id = repo.edit("f", "f two\n", "f two!\n");
    let later = repo.edit("f", "f five\n", "f five!\n");
    moved(&repo, "f", "aside");
    repo.apply(json!({"path": "aside", "rename_to": "c"}));
    repo.done(&["undo", &later], "");
    repo.write("f", repo.text("c"));
    let copy = repo.text("f");
    repo.done(&["undo", &id], "");
    assert_eq!([repo.text("f"), repo.text("c")], [copy, F.to_owned()]);
}

/// A copy was put over a file that an agent had made; the one that was moved was edited by hand.
#[test]
fn an_edit_is_not_undone_in_a_copy_that_has_the_name_of_a_file_that_an_agent_made() {
    let repo = TestRepo::with_files(&[("f", F)]);
    let id = repo.edit("f", "f two\n", "f two!\n");
    repo.apply(json!({"path": "x", "content": "first\nsecond\n"}));
    repo.write("x", repo.text("f"));
    moved(&repo, "f", "m");
    repo.write("m", repo.text("m") + "by hand\n");
    repo.edit("x", "f six\n", "x six\n");
    let [moved, copy] = ["m", "x"].map(|path| repo.text(path));
    assert_eq!(repo.refused(&["undo", &id], ""), "undo_conflict");
    assert_eq!(["m", "x"].map(|path| repo.text(path)), [moved, copy]);
}

/// What a person put there once stands elsewhere in git, or was made elsewhere by a newer record: neither came from there.
#[test]
fn a_template_that_was_put_over_a_file_for_a_while_is_not_another_file() {
    let template = "a header\nfirst of it\nsecond of it\nthird of it\n";
    for by_agent in [false, true] {
        let repo = TestRepo::with_files(&[("f", F), ("template", if by_agent { "other\n" } else { template })]);
        let id = repo.edit("f", "f two\n", "f two!\n");
        repo.write("f", template);
        repo.edit("f", "second of it\n", "2nd of it\n");
        let more = repo.text("f");
        repo.write("f", format!("f one\nf two!\nf three\n{more}"));
        if by_agent {
            repo.apply(json!({"path": "copy", "content": template}));
        } else {
            repo.write("template", format!("{template}more\n"));
        }
        repo.done(&["undo", &id], "");
        assert_eq!(repo.text("f"), format!("f one\nf two\nf three\n{more}"));
    }
}

/// Seen in a first version: the other file lost a line of its own, which was the very one that the agent had written in this one.
#[test]
fn an_edit_is_undone_at_home_and_not_in_a_file_that_has_the_same_line_of_its_own() {
    let (f, g) = (F.replace("f three", "both"), G.replace("g three", "both!"));
    for (path, id_first) in [("f", true), ("g", true), ("f", false)] {
        let repo = TestRepo::with_files(&[("f", &f), ("g", &g)]);
        exchanged(&repo);
        let own = || repo.edit("g", "both\n", "both!\n");
        let other = || repo.edit("f", "g six\n", "g six\nadded\n");
        let (id, found) = if id_first {
            (own(), other())
        } else {
            let found = other();
            (own(), found)
        };
        exchanged(&repo);
        repo.done(&["undo", &found], "");
        repo.edit(path, &format!("{path} one\n"), "one more\n");
        exchanged(&repo);
        let left = texts(&repo);
        repo.done(&["undo", &id], "");
        assert_eq!(texts(&repo), [left[0].clone(), left[1].replace("both!", "both")], "{path} {id_first}");
    }
}

/// Seen in a first version: the other file was changed, which another record had left as the one was, or which git had so under a third name.
#[test]
fn a_file_that_has_the_text_of_one_that_was_copied_over_is_not_taken_for_it() {
    let text = "one of it\ntwo of it\nthree of it\n";
    for by_record in [true, false] {
        let repo = TestRepo::with_files(&[("f", F), ("g", G), ("h", text)]);
        let id = repo.edit("f", F, text);
        repo.write("f", G);
        if by_record {
            repo.edit("g", G, text);
        } else {
            moved(&repo, "h", "g");
        }
        assert_eq!(repo.refused(&["undo", &id], ""), "undo_conflict");
        assert_eq!(texts(&repo), [G, text]);
    }
}

/// Seen: it was told that the edit was taken back, as the file that has the name is as it was before an older record; the file that was
/// edited was not git's, and was taken for a copy.
#[test]
fn an_edit_of_a_file_that_git_did_not_have_is_not_called_taken_back_where_that_moved_on() {
    let rewritten = "g one\ng two\ng three\ng four\nby hand\nall of\nthis\nwas put\nthere\nlater\n";
    for is_tracked in [false, true] {
        let repo = TestRepo::with_files(&[("f", F)]);
        repo.write("g", G);
        if is_tracked {
            repo.git(&["add", "-A"]);
            repo.git(&["commit", "-qm", "g"]);
        }
        let older = repo.edit("f", "f five\n", "f 5\n");
        repo.done(&["undo", &older], "");
        exchanged(&repo);
        if is_tracked {
            repo.write("f", rewritten);
        }
        let id = repo.edit("f", "g four\n", "");
        [("f", "c"), ("g", "f")].iter().for_each(|(from, to)| moved(&repo, from, to));
        let edited = repo.text("c");
        assert_eq!(repo.refused(&["undo", &id], ""), "undo_conflict", "{is_tracked}");
        assert_eq!([repo.text("f"), repo.text("c")], [F, &edited]);
    }
}

/// A file that was rewritten, copied and checked out looks the same from here: nothing is called taken back, and the copy stays as it is.
#[test]
fn an_edit_of_a_rewritten_file_is_refused_where_its_copy_may_be_another_one_that_moved_on() {
    let repo = two();
    let older = repo.edit("f", "f five\n", "f 5\n");
    repo.write("f", "all\nof it\nis\nnew\nnow\nand here\n");
    let id = repo.edit("f", "new\n", "");
    let edited = repo.text("f");
    repo.write("f.bak", &edited);
    repo.git(&["checkout", "-q", "f"]);
    assert_eq!(repo.refused(&["undo", &id], ""), "undo_conflict");
    assert_eq!(repo.refused(&["undo", &older], ""), "nothing_to_undo");
    assert_eq!([repo.text("f"), repo.text("f.bak")], [F, &edited]);
}

/// What was edited under its second name belongs to the file that is found under a third.
#[test]
fn two_edits_under_the_first_name_are_undone_under_the_third_behind_one_under_the_second() {
    let repo = two();
    let ids = [("f two\n", ""), ("f four\n", "f 4\n")].map(|(old, new)| repo.edit("f", old, new));
    moved(&repo, "f", "h");
    repo.edit("h", "f six\n", "f 6\n");
    moved(&repo, "h", "k");
    for id in ids.iter().rev() {
        repo.done(&["undo", id], "");
    }
    assert_eq!(repo.text("k"), F.replace("six", "6"));
}

/// What an older record left under the other name, and this one met, is the same file.
#[test]
fn an_edit_under_another_file_s_name_that_was_discarded_stays_so_where_the_names_are_exchanged_later() {
    let repo = two();
    let older = repo.edit("g", "g two\n", "");
    repo.git(&["commit", "-qam", "g"]);
    moved(&repo, "g", "f");
    let id = repo.edit("f", "g five\n", "");
    repo.git(&["reset", "-q", "--hard"]);
    repo.done(&["undo", &older], "");
    exchanged(&repo);
    assert_eq!(repo.refused(&["undo", &id], ""), "nothing_to_undo");
    assert_eq!(texts(&repo), [G, F]);
}
