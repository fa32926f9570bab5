//! Undo of edits in files that somebody moved, by hand, to where others had been, or exchanged with them: it goes to the file that has the
//! lines, and to no copy of it.

use crate::support::TestRepo;
use serde_json::json;

const F: &str = "f one\nf two\nf three\nf four\n";
const G: &str = "g one\ng two\ng three\ng four\n";
const H: &str = "h one\nh two\nh three\nh four\n";

/// Three files, as git has them.
fn three() -> TestRepo {
    TestRepo::with_files(&[("f", F), ("g", G), ("h", H)])
}

/// Moves a file, over another one if there is one.
fn moved(repo: &TestRepo, from: &str, to: &str) {
    std::fs::rename(repo.root().join(from), repo.root().join(to)).expect("a file");
}

fn copied(repo: &TestRepo, from: &str, to: &str) {
    repo.write(to, repo.read(from));
}

fn exchanged(repo: &TestRepo, one: &str, other: &str) {
    moved(repo, one, "aside");
    moved(repo, other, one);
    moved(repo, "aside", other);
}

/// What the three files hold, in their order.
fn texts(repo: &TestRepo) -> [String; 3] {
    ["f", "g", "h"].map(|path| repo.text(path))
}

#[test]
fn an_undo_goes_to_the_file_that_was_exchanged_with_another_one_of_git_s() {
    let repo = three();
    let id = repo.edit("f", "f two\n", "f two\nadded\n");
    exchanged(&repo, "f", "g");
    repo.done(&["undo", &id], "");
    assert_eq!(texts(&repo), [G, F, H]);
}

#[test]
fn an_undo_goes_to_the_file_that_was_moved_to_the_name_of_one_that_was_moved_on_and_edited() {
    let repo = three();
    let id = repo.edit("f", "f two\n", "changed\n");
    repo.git(&["mv", "g", "k"]);
    repo.write("k", G.replace("g two", "by hand"));
    moved(&repo, "f", "g");
    repo.write("g", repo.text("g") + "by hand, too\n");
    repo.done(&["undo", &id], "");
    assert_eq!(repo.text("g"), format!("{F}by hand, too\n"));
    assert_eq!(repo.text("k"), G.replace("g two", "by hand"));
}

/// Seen: "nothing in the file there tells that it is the one", where a commit has the exchange and an agent edited the file under its other name.
#[test]
fn an_edit_is_undone_in_a_file_that_was_edited_under_another_s_name_and_has_its_own_again() {
    for more in [false, true] {
        let repo = three();
        let id = repo.edit("f", "f two\n", "f two\nadded\n");
        exchanged(&repo, "f", "g");
        repo.git(&["commit", "-qam", "exchange"]);
        let mut others = vec![repo.edit("g", "f four\n", "f 4\n")];
        if more {
            others.push(repo.edit("g", "f one\n", "f 1\n"));
        }
        exchanged(&repo, "f", "g");
        repo.done(&["undo", &id], "");
        let left = F.replace("four", "4");
        assert_eq!(texts(&repo), [if more { left.replace("one", "1") } else { left }, G.to_owned(), H.to_owned()]);
        others.iter().rev().for_each(|id| drop(repo.done(&["undo", id], "")));
        assert_eq!(texts(&repo), [F, G, H]);
    }
}

/// Seen: "the file is no longer there", where the edit was committed before.
#[test]
fn an_edit_that_was_committed_is_undone_where_a_commit_moved_the_file_over_another_one_of_git_s() {
    for more in ["", "by hand\n"] {
        let repo = three();
        let id = repo.edit("g", "g three\n", "changed\n");
        repo.git(&["commit", "-qam", "edit"]);
        repo.git(&["mv", "-f", "g", "f"]);
        repo.write("f", repo.text("f") + more);
        repo.git(&["commit", "-qam", "move"]);
        repo.done(&["undo", &id], "");
        assert_eq!(repo.text("f"), format!("{G}{more}"));
    }
}

#[test]
fn a_copy_that_was_committed_over_another_file_is_not_the_one_where_that_is_removed() {
    let repo = three();
    let id = repo.edit("g", "g three\n", "changed\n");
    repo.git(&["commit", "-qam", "edit"]);
    copied(&repo, "g", "f");
    repo.git(&["commit", "-qam", "copy"]);
    repo.git(&["rm", "-q", "g"]);
    repo.git(&["commit", "-qm", "remove"]);
    let before = repo.text("f");
    assert_ne!(repo.redraft(&["undo", &id], "").status, 0);
    assert_eq!(repo.text("f"), before);
}

#[test]
fn of_a_file_that_was_edited_under_another_s_name_and_its_copy_at_its_own_neither_is_taken() {
    let repo = three();
    let id = repo.edit("f", "f two\n", "f two\nadded\n");
    exchanged(&repo, "f", "g");
    repo.git(&["commit", "-qam", "exchange"]);
    repo.edit("g", "f four\n", "f 4\n");
    copied(&repo, "g", "f");
    let before = texts(&repo);
    assert_ne!(repo.redraft(&["undo", &id], "").status, 0);
    assert_eq!(texts(&repo), before);
}

#[test]
fn files_that_were_exchanged_before_the_edit_and_got_their_names_back_are_not_told_as_changed_since() {
    let repo = three();
    exchanged(&repo, "f", "h");
    let id = repo.edit("h", "f four\n", "changed\n");
    exchanged(&repo, "f", "h");
    repo.git(&["mv", "f", "k"]);
    repo.done(&["undo", &id], "");
    assert_eq!((repo.text("k"), repo.text("h")), (F.to_owned(), H.to_owned()));
}

#[test]
fn an_undo_goes_round_with_three_files_that_got_each_other_s_names() {
    let repo = three();
    let first = repo.edit("f", "f one\n", "");
    let second = repo.edit("f", "f two\n", "f two\nadded\n");
    moved(&repo, "h", "aside");
    moved(&repo, "g", "h");
    moved(&repo, "f", "g");
    moved(&repo, "aside", "f");
    let third = repo.edit("g", "f four\n", "last\n");
    repo.done(&["undo", &second], "");
    assert_eq!(texts(&repo), [H, "f two\nf three\nlast\n", G]);
    repo.done(&["undo", &third], "");
    repo.done(&["undo", &first], "");
    assert_eq!(texts(&repo), [H, F, G]);
}

#[test]
fn edits_of_two_files_that_had_one_name_after_the_other_are_undone_at_once() {
    let repo = three();
    let first = repo.edit("f", "f two\n", "f two\nadded\n");
    exchanged(&repo, "f", "g");
    let second = repo.edit("f", "g two\n", "g two\nadded as well\n");
    repo.done(&["undo", &first, &second], "");
    assert_eq!(texts(&repo), [G, F, H]);
}

#[test]
fn an_undo_after_exchanges_is_done_again_and_undone_again() {
    let repo = three();
    let id = repo.edit("f", "f two\n", "f two\nadded\n");
    exchanged(&repo, "f", "g");
    repo.done(&["undo", &id], "");
    repo.done(&["redo"], "");
    assert_eq!(texts(&repo), [G, &F.replace("f two\n", "f two\nadded\n"), H]);
    repo.done(&["undo", &id], "");
    assert_eq!(texts(&repo), [G, F, H]);
}

#[test]
fn a_copy_that_was_put_aside_is_left_as_it_is_where_another_file_was_copied_over_the_one() {
    let repo = three();
    let id = repo.edit("f", "f two\n", "f two\nadded\n");
    copied(&repo, "f", "aside");
    copied(&repo, "g", "f");
    repo.refused(&["undo", &id], "");
    assert_eq!(repo.text("aside"), F.replace("f two\n", "f two\nadded\n"));
    assert_eq!(texts(&repo), [G, G, H]);
}

#[test]
fn of_a_file_that_was_moved_to_a_name_of_git_s_and_its_copy_neither_is_taken() {
    let repo = three();
    let id = repo.edit("f", "f two\n", "changed\n");
    std::fs::remove_file(repo.root().join("g")).expect("a file");
    moved(&repo, "f", "g");
    copied(&repo, "g", "copy");
    assert!(repo.said(&["undo", &id]).contains("its lines stand in several files"));
    let now = F.replace("f two\n", "changed\n");
    assert_eq!([repo.text("g"), repo.text("copy")], [now.clone(), now]);
}

#[test]
fn a_line_that_somebody_carried_to_another_file_does_not_make_that_the_one() {
    let repo = three();
    let id = repo.edit("f", "f two\n", "f two\nadded\n");
    std::fs::remove_file(repo.root().join("f")).expect("a file");
    exchanged(&repo, "g", "h");
    repo.write("g", format!("{H}added\n"));
    repo.refused(&["undo", &id], "");
    assert_eq!(repo.text("g"), format!("{H}added\n"));
}

#[test]
fn a_redo_does_not_go_to_a_file_like_the_one_that_got_its_name() {
    let alike = |own: &str| format!("{own} one\ncommon\nalso\n{own} two\nagain\nonce more\n");
    let repo = TestRepo::with_files(&[("f", &alike("f")), ("g", &alike("g")), ("h", &alike("h"))]);
    let id = repo.edit("f", "common\n", "changed\n");
    exchanged(&repo, "f", "g");
    repo.done(&["undo", &id], "");
    exchanged(&repo, "h", "g");
    repo.refused(&["redo", &id], "");
    assert_eq!(texts(&repo), [alike("g"), alike("h"), alike("f")]);
    exchanged(&repo, "h", "g");
    repo.done(&["redo", &id], "");
    assert_eq!(repo.text("g"), alike("f").replace("common", "changed"));
}

#[test]
fn a_stash_does_not_make_a_copy_the_file() {
    let repo = three();
    repo.write("f", "f one\nby\nhand\nmost of it\n");
    let id = repo.edit("f", "hand\n", "hand\nadded\n");
    let with = repo.text("f");
    copied(&repo, "f", "copy");
    repo.git(&["stash"]);
    repo.refused(&["undo", &id], "");
    assert_eq!((repo.text("copy"), repo.text("f")), (with.clone(), F.to_owned()));
    repo.git(&["stash", "pop"]);
    repo.done(&["undo", &id], "");
    assert_eq!((repo.text("copy"), repo.text("f")), (with, "f one\nby\nhand\nmost of it\n".to_owned()));
}

#[test]
fn a_file_that_an_agent_made_goes_where_it_was_exchanged_with_another_one() {
    let repo = three();
    let id = repo.apply(json!({"path": "n", "content": "n one\nn two\n"}));
    exchanged(&repo, "n", "f");
    repo.done(&["undo", &id], "");
    assert!(!repo.has("f"));
    assert_eq!(repo.text("n"), F);
}

/// Seen: the line came back in the copy, which alone had a word that was undone in the file itself.
#[test]
fn a_copy_with_an_edit_that_was_undone_since_is_not_taken_for_the_file_that_was_moved() {
    let text: String = (1..=14).map(|n| format!("line {n} of it\n")).collect();
    let repo = TestRepo::with_files(&[("one.txt", &text)]);
    let deleted = repo.edit("one.txt", "line 3 of it\n", "");
    let word = repo.edit("one.txt", "line 9 of it", "line 9 of them");
    repo.commit_all("edited");
    let copy = repo.text("one.txt") + "of a person\n";
    repo.write("dir/copy.txt", &copy);
    repo.done(&["undo", &word], "");
    std::fs::rename(repo.root().join("one.txt"), repo.root().join("moved.txt")).expect("it is there");
    repo.edit("moved.txt", "line 12 of it", "line 12 of all");
    let answer = repo.redraft(&["undo", &deleted], "");
    assert_eq!(repo.text("dir/copy.txt"), copy, "{}", answer.out);
    assert_eq!(answer.status == 0, repo.text("moved.txt").contains("line 3 of it\n"), "{}", answer.out);
}

/// Seen: the undo knew the file by the name of the other one, and what is done again, or undone beside it, was refused.
#[test]
fn files_that_were_exchanged_undone_and_have_their_own_names_again_are_the_records() {
    let repo = three();
    let of_f = repo.edit("f", "f two\n", "f two\nadded\n");
    let of_g = repo.edit("g", "g two\n", "g two\nadded to g\n");
    let also_of_g = repo.edit("g", "g four\n", "g 4\n");
    exchanged(&repo, "f", "g");
    repo.done(&["undo", &of_g], "");
    exchanged(&repo, "f", "g");
    let [f, with_g] = ["f two\nadded\n", "g two\nadded to g\n"];
    let (f, g) = (F.replace("f two\n", f), G.replace("g four\n", "g 4\n"));
    assert_eq!(texts(&repo), [f.clone(), g.clone(), H.to_owned()]);
    repo.done(&["redo", &of_g], "");
    assert_eq!(texts(&repo), [f.clone(), g.replace("g two\n", with_g), H.to_owned()]);
    repo.done(&["undo", &also_of_g], "");
    repo.done(&["undo", &of_f], "");
    assert_eq!(texts(&repo), [F.to_owned(), G.replace("g two\n", with_g), H.to_owned()]);
}

#[test]
fn a_copy_that_has_the_earlier_name_of_an_exchanged_file_is_not_taken_for_it() {
    let repo = three();
    repo.edit("g", "g two\n", "g two\nadded to g\n");
    exchanged(&repo, "f", "g");
    let undo = repo.done(&["undo"], "")["data"]["record"]["id"].as_str().expect("a record").to_owned();
    // The file is elsewhere now, and something that reads just so has its earlier name.
    moved(&repo, "f", "elsewhere");
    copied(&repo, "elsewhere", "g");
    repo.write("f", H);
    let told = repo.redraft(&["redo", &undo], "").json();
    assert_eq!((&told["status"], repo.text("g")), (&json!("error"), G.to_owned()), "{told}");
}

/// Seen: a redo went into an edited copy, since the log had the name of the file for another one's.
#[test]
fn an_edited_copy_is_not_taken_for_a_file_that_has_its_own_name_again() {
    let repo = three();
    let of_f = repo.edit("f", "f two\n", "f two\nadded\n");
    let undo = repo.done(&["undo", &of_f], "")["data"]["record"]["id"].as_str().expect("a record").to_owned();
    repo.edit("f", "f four\n", "");
    repo.commit_all("one of f less");
    let copy = "f one\nf two\nf three\nmore\nlines\n";
    repo.write("copy", copy);
    let of_g = repo.edit("g", "g two\n", "g two\nadded to g\n");
    exchanged(&repo, "f", "g");
    repo.done(&["undo", &of_g], "");
    repo.done(&["redo"], "");
    exchanged(&repo, "f", "g");
    repo.write("f", "f one\nf zwei\nf three\n");
    repo.redraft(&["redo", &undo], "");
    assert_eq!(repo.text("copy"), copy);
}

/// Seen: "nothing in the file there tells that it is the one", though each text stood in one file alone.
#[test]
fn a_file_that_an_agent_made_goes_from_the_name_of_one_that_an_agent_made_before() {
    let repo = TestRepo::with_files(&[("z", "z\n")]);
    let lines = |of: &str| (1..=10).map(|n| format!("{of} line {n}\n")).collect::<String>();
    repo.apply(json!({"path": "a", "content": lines("a")}));
    repo.commit_all("a");
    let id = repo.apply(json!({"path": "n", "content": lines("n")}));
    repo.shell("mv a x; mv n a; mv x n");
    repo.done(&["undo", &id], "");
    assert!(!repo.has("a"));
    assert_eq!(repo.text("n"), lines("a"));
    repo.done(&["redo"], "");
    assert_eq!((repo.text("a"), repo.text("n")), (lines("n"), lines("a")));
}

/// Seen: each file got the other one's line, where a session had put the same line into both, and went on in both after they were exchanged.
#[test]
fn a_line_that_two_exchanged_files_share_goes_into_neither_for_the_other() {
    let text = |file: &str| (1..=12).map(|n| format!("{file} {n}\n")).collect::<String>();
    for at_once in [true, false] {
        let repo = TestRepo::with_files(&[("f", &text("f")), ("g", &text("g"))]);
        let edit = |path: &str, old: &str, new: &str| json!({"path": path, "old_string": old, "new_string": new});
        let session = |mut request: serde_json::Value| {
            request["agent"] = json!({"session": "s"});
            repo.apply(request);
        };
        let both = [edit("f", "f 3\n", "three\n"), edit("g", "g 3\n", "three\n")];
        if at_once {
            session(json!({"files": both}));
        } else {
            both.into_iter().for_each(session);
        }
        exchanged(&repo, "f", "g");
        session(edit("g", "f 9\n", "nine\n"));
        session(edit("f", "g 9\n", "nine\n"));
        let now = ["f", "g"].map(|path| repo.text(path));
        assert_eq!(repo.refused(&["undo", "--session", "s"], ""), "undo_conflict");
        assert_eq!(["f", "g"].map(|path| repo.text(path)), now);
    }
}

/// Seen: "taken back already", and neither came back: the removed one was taken for the made one.
#[test]
fn a_copy_that_a_session_removed_comes_back_and_the_file_that_it_made_goes() {
    let repo = TestRepo::with_files(&[("o", "o\n")]);
    repo.apply(json!({"path": "f", "content": F, "agent": {"session": "s"}}));
    copied(&repo, "f", "g");
    repo.apply(json!({"path": "g", "delete": true, "agent": {"session": "s"}}));
    repo.done(&["undo", "--session", "s"], "");
    assert!(!repo.root().join("f").exists());
    assert_eq!(repo.text("g"), F);
}

/// Seen: "undone already", where the undo had found the file under the name that it was exchanged for, and a checkout gave both theirs again.
#[test]
fn files_that_were_exchanged_and_have_their_names_again_by_a_checkout_are_those_that_git_has() {
    for is_edited in [false, true] {
        let repo = three();
        let id = repo.edit("f", "f two\n", "f two\nadded\n");
        repo.commit_all("edited");
        repo.edit("g", "g three\n", "g 3\n");
        exchanged(&repo, "f", "g");
        repo.done(&["undo", &id], "");
        assert_eq!(texts(&repo), [G.replace("three", "3").as_str(), F, H]);
        if is_edited {
            repo.edit("g", "f four\n", "f 4\n");
        }
        repo.git(&["checkout", "-q", "f", "g"]);
        let told = repo.said(&["undo", &id]);
        assert!(!told.contains("was renamed since"), "{told}");
        assert_eq!(texts(&repo), [F, G, H]);
        repo.done(&["redo"], "");
        assert_eq!(texts(&repo), [F.replace("f two\n", "f two\nadded\n").as_str(), G, H]);
    }
    // What was not committed is discarded, and stays out.
    let repo = three();
    let id = repo.edit("f", "f two\n", "f two\nadded\n");
    exchanged(&repo, "f", "g");
    repo.done(&["undo", &id], "");
    repo.git(&["checkout", "-q", "f", "g"]);
    assert_eq!(repo.refused(&["undo", &id], ""), "nothing_to_undo");
    assert_eq!(texts(&repo), [F, G, H]);
    repo.done(&["redo", &id], "");
    assert_eq!(texts(&repo), [F.replace("f two\n", "f two\nadded\n").as_str(), G, H]);
}

/// Seen: "nothing in the file there tells that it is the one that the record changed", of files that were exchanged, committed so, edited, and exchanged
/// again.
#[test]
fn files_that_were_exchanged_twice_and_edited_meanwhile_are_those_that_they_were() {
    let repo = three();
    let id = repo.edit("f", "f two\n", "f 2\n");
    exchanged(&repo, "f", "g");
    repo.commit_all("exchanged");
    repo.edit("g", "f three\nf four\n", "");
    repo.edit("f", G, &G.replace('g', "another g"));
    exchanged(&repo, "f", "g");
    repo.done(&["undo", &id], "");
    assert_eq!(texts(&repo), ["f one\nf two\n".to_owned(), G.replace('g', "another g"), H.to_owned()]);
}

/// Seen: a redo went into the other file, once the record's own was at home again and had been edited there.
#[test]
fn a_redo_goes_to_the_file_that_is_home_again_and_not_to_the_one_that_it_was_exchanged_with() {
    let text = |name: &str| (1..=4).map(|n| format!("{name} own {n}\ncommon {n}\n")).collect::<String>();
    for is_committed in [false, true] {
        for by_agent in [false, true] {
            let repo = TestRepo::with_files(&[("a", &text("a")), ("b", &text("b"))]);
            let id = repo.edit("a", "common 3", "changed 3");
            exchanged(&repo, "a", "b");
            if is_committed {
                repo.commit_all("exchanged");
            }
            repo.done(&["undo", &id], "");
            exchanged(&repo, "a", "b");
            if by_agent {
                repo.edit("a", "a own 2", "other 2");
            } else {
                repo.write("a", text("a").replace("a own 2", "other 2"));
            }
            repo.done(&["redo", &id], "");
            assert_eq!(repo.text("a"), text("a").replace("a own 2", "other 2").replace("common 3", "changed 3"));
            assert_eq!(repo.text("b"), text("b"));
        }
    }
}

/// Seen: "what it did to f is taken back already", as git had brought another copy of f back there.
#[test]
fn an_edit_in_an_exchanged_file_is_not_called_taken_back_where_its_name_was_checked_out() {
    for (old, new) in [("f two\n", ""), ("f two\n", "f 2\n"), ("f two\n", "f two\nadded\n")] {
        for is_edited_since in [false, true] {
            let repo = three();
            let id = repo.edit("f", old, new);
            exchanged(&repo, "f", "g");
            if is_edited_since {
                repo.edit("g", "f four\n", "f 4\n");
            }
            repo.git(&["checkout", "-q", "HEAD", "--", "f"]);
            let edited = repo.text("g");
            assert_eq!(repo.refused(&["undo", &id], ""), "undo_conflict", "{new:?}");
            assert_eq!(texts(&repo), [F.to_owned(), edited, H.to_owned()]);
        }
    }
}

/// It has its own edit, that is all.
#[test]
fn an_edit_that_was_checked_out_is_taken_back_though_an_equal_file_has_an_equal_one() {
    for order in [["f", "k"], ["k", "f"]] {
        let repo = TestRepo::with_files(&[("f", F), ("k", F)]);
        let ids = order.map(|name| (name, repo.edit(name, "f two\n", "f 2\n")));
        repo.git(&["checkout", "-q", "f"]);
        let (_, id) = ids.iter().find(|(name, _)| *name == "f").expect("it is edited");
        assert_eq!(repo.refused(&["undo", id], ""), "nothing_to_undo", "{order:?}");
    }
}

/// Seen: "what it did to k is taken back already", though the edit is in the file that has the name.
#[test]
fn an_edit_in_a_copy_under_the_old_name_of_a_file_that_git_moved_is_undone_there() {
    let repo = three();
    repo.git(&["mv", "f", "k"]);
    copied(&repo, "k", "f");
    let id = repo.edit("f", "f two\n", "f 2\n");
    repo.done(&["undo", &id], "");
    assert_eq!([repo.text("f"), repo.text("k")], [F, F]);
}

/// Seen: "its lines stand in several files", as git's index still had the edited text under the name that the other file got.
#[test]
fn a_session_is_undone_in_files_that_were_exchanged_after_git_moved_one_of_them() {
    let [a, b]: [String; 2] = ["alpha", "beta"].map(|name| (1..=9).map(|n| format!("{name} line {n}\n")).collect());
    let repo = TestRepo::with_files(&[("a.txt", &a), ("b.txt", &b)]);
    let edit = |path: &str, old: &str, new: &str| {
        let request = json!({"path": path, "old_string": old, "new_string": new});
        repo.done(&["apply", "--session", "s"], &request.to_string());
    };
    edit("a.txt", "alpha line 5\n", "alpha let 5\n");
    repo.shell("git add -A; git mv a.txt c.txt; cp c.txt x; cat b.txt > c.txt; cat x > b.txt; rm x");
    edit("b.txt", "alpha line 9\n", "alpha this 9\n");
    edit("c.txt", "beta line 2\n", "taken\nbeta line 2\n");
    repo.done(&["undo", "--session", "s"], "");
    assert_eq!([repo.text("b.txt"), repo.text("c.txt")], [a, b]);
}

/// Seen: "what would go there was put by another record since", of records that had met the other file.
#[test]
fn what_records_did_to_a_file_that_had_the_name_meanwhile_does_not_speak_against_an_undo() {
    let own = r#"    let three = edit("dir/b.txt", "three", "ann", "third");
    repo.done(&["undo"], "");
    let undo = ids(&repo, &["log", "--json", "-n", "1"]).remove(0);
    let all = [&undo, &three, &two, &one];
    assert_eq!(ids(&repo, &["log", "--json"]).iter().collect::<Vec<_>>(), all);
    assert_eq!(ids(&repo, &["log", "--json", "--agent", "ann"]), [three.clone(), one.clone()]);
    assert_eq!(ids(&repo, &["log", "--json", "--session", "of bob"]), std::slice::from_ref(&two));
    assert_eq!(ids(&repo, &["log", "--json", "--kind", "undo"]), std::slice::from_ref(&undo));
    assert_eq!(ids(&repo, &["log", "--json", "--grep", "second"]), std::slice::from_ref(&two));
    assert_eq!(ids(&repo, &["log", "--json", "-n", "2"]), [undo.clone(), three.clone()]);
    assert_eq!(ids(&repo, &["log", "--json", "--since", "2 hours ago"]).len(), 4);
    assert!(ids(&repo, &["log", "--json", "--until", "2 hours ago"]).is_empty());
    let line = &repo.redraft(&["log", "--json", "--session", "of ann"], "").lines()[0];
    assert_eq!((&line["id"], &line["undone_by"]), (&json!(three), &json!(undo)));
    let text = repo.redraft(&["log", "--oneline"], "").out;
"#;
    let other = r#"            let answer = answer.json();
            let id = answer["data"]["record"]["commit"].as_str().expect("a commit").to_owned();
            let stat = repo.git(&["show", "--numstat", "--format=", &id]);
            assert!(stat.starts_with("1\t1\t"), "one line of each: {stat}");
"#;
    let repo = TestRepo::with_files(&[("f", other), ("g", own)]);
    let id = repo.edit(
        "g",
        r#"    assert_eq!(ids(&repo, &["log", "--json", "--since", "2 hours ago"]).len(), 4);"#,
        "#[command(after_help = \"Examples:",
    );
    exchanged(&repo, "f", "g");
    let by_hand =
        "        }\n        self.0.rsplit_once_str(\"/\").map_or(self.0.as_bstr(), |(_, name)| name.as_bstr())\n";
    repo.write("g", repo.text("g") + by_hand);
    repo.edit("g", "            let id", "    let want: Vec<String> = Reason::ALL\n            let id");
    repo.edit("g", "            let answer = answer.json();\n", "");
    repo.done(&["undo"], "");
    let put = repo.text("g");
    exchanged(&repo, "f", "g");
    let all = "    assert_eq!(ids(&repo, &[\"log\", \"--json\"]).iter().collect::<Vec<_>>(), all);\n";
    repo.write("g", repo.text("g").replace(all, ""));
    repo.done(&["undo", &id], "");
    assert_eq!((repo.text("f"), repo.text("g")), (put, own.replace(all, "")));
}
