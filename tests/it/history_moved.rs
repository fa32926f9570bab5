//! Files that somebody moved without redraft: `blame`, `log PATH` and `status` know the records of the file that is there.

use crate::support::{TestRepo, try_git};
use serde_json::{Value, json};

const TEXT: &str = "one 1\ntwo 2\nthree 3\nfour 4\nfive 5\nsix 6\n";

fn repo() -> TestRepo {
    TestRepo::with_files(&[("a.txt", TEXT), ("other.txt", "nothing of it\n")])
}

/// For each line of a file the beginning of the commit or record, and whether it is a record's.
fn blamed(repo: &TestRepo, path: &str) -> Vec<(Option<String>, Option<String>)> {
    let lines = repo.redraft(&["blame", path, "--json"], "").lines();
    let text = |value: &serde_json::Value| value.as_str().map(str::to_owned);
    lines.iter().map(|line| (text(&line["record"]), text(&line["commit"]))).collect()
}

fn listed(repo: &TestRepo, path: &str) -> Vec<String> {
    let found = repo.redraft(&["log", "--json", path], "").lines();
    found.iter().map(|record| record["id"].as_str().expect("an id").to_owned()).collect()
}

/// Seen: "not committed, by nobody known" for all lines, "no record touched z.txt", and "no changes of agents".
#[test]
fn a_file_that_a_person_moved_has_its_records() {
    let moves: [&[&[&str]]; 4] = [
        &[&["mv", "a.txt", "z.txt"]],
        &[&["mv", "a.txt", "m.txt"], &["commit", "-qam", "moved"], &["mv", "m.txt", "z.txt"]],
        &[
            &["mv", "a.txt", "m.txt"],
            &["commit", "-qam", "moved"],
            &["mv", "m.txt", "z.txt"],
            &["commit", "-qm", "again"],
        ],
        &[],
    ];
    for steps in moves {
        let repo = repo();
        let base = repo.git(&["rev-parse", "HEAD"]).trim().to_owned();
        let id = repo.edit("a.txt", "three 3", "drei 3");
        for step in steps {
            repo.git(step);
        }
        if steps.is_empty() {
            repo.shell("mv a.txt z.txt");
        }
        let lines = blamed(&repo, "z.txt");
        assert_eq!(lines[2].0.as_ref(), Some(&id), "{steps:?}");
        for n in [0, 1, 3, 4, 5] {
            assert_eq!(lines[n], (None, Some(base.clone())), "{steps:?}");
        }
        assert_eq!(listed(&repo, "z.txt"), std::slice::from_ref(&id), "{steps:?}");
        let status = repo.redraft(&["status", "--porcelain"], "").out;
        let want = match steps.len() {
            0 => format!("?E {id} z.txt\n"),
            1 => format!("AE {id} z.txt\n"),
            _ => String::new(),
        };
        assert_eq!(status, want, "{steps:?}");
    }
}

/// Seen: "no changes of agents", and the person's, once it was committed.
#[test]
fn a_file_that_an_agent_made_and_a_person_moved_before_its_commit_is_the_agent_s() {
    let repo = repo();
    let id = repo.apply(json!({"path": "n.txt", "content": "agent one\nagent two\nagent three\n"}));
    repo.shell("mv n.txt z.txt");
    assert_eq!(repo.redraft(&["status", "--porcelain"], "").out, format!("?E {id} z.txt\n"));
    let later = repo.edit("z.txt", "agent two", "agent 2");
    assert_eq!(repo.redraft(&["status", "--porcelain"], "").out, format!("?E {later},{id} z.txt\n"));
    for _ in 0..2 {
        let records: Vec<_> = blamed(&repo, "z.txt").into_iter().map(|(record, _)| record).collect();
        assert_eq!(records, [&id, &later, &id].map(|id| Some(id.clone())));
        assert_eq!(listed(&repo, "z.txt"), [later.clone(), id.clone()]);
        repo.commit_all("all");
    }
}

/// Also where git has no commit yet.
#[test]
fn a_file_that_was_moved_before_the_first_commit_is_the_agent_s() {
    let repo = TestRepo::new();
    let id = repo.apply(json!({"path": "n.txt", "content": "agent one\nagent two\nagent three\n"}));
    repo.shell("mv n.txt z.txt");
    for step in [&["status"][..], &["add", "."], &["commit", "-qm", "first"]] {
        repo.git(step);
        assert!(blamed(&repo, "z.txt").iter().all(|(record, _)| *record == Some(id.clone())), "{step:?}");
    }
}

/// Also where what was done last to it was discarded.
#[test]
fn a_file_that_was_moved_as_head_has_it_has_its_records() {
    let repo = repo();
    let id = repo.edit("a.txt", "three 3", "drei 3");
    repo.commit_all("with it");
    repo.edit("a.txt", "five 5", "fuenf 5");
    repo.git(&["checkout", "-q", "a.txt"]);
    repo.shell("mv a.txt z.txt");
    assert_eq!(blamed(&repo, "z.txt")[2].0, Some(id));
}

#[test]
fn a_moved_folder_has_the_records_of_its_files() {
    let repo = TestRepo::with_files(&[("src/a.txt", TEXT), ("src/b.txt", "b\n")]);
    let id = repo.edit("src/a.txt", "three 3", "drei 3");
    repo.git(&["mv", "src", "lib"]);
    assert_eq!(listed(&repo, "lib"), std::slice::from_ref(&id));
    repo.commit_all("moved");
    assert_eq!(listed(&repo, "lib"), std::slice::from_ref(&id));
    assert_eq!(blamed(&repo, "lib/a.txt")[2].0, Some(id));
}

#[test]
fn what_only_came_when_a_file_went_has_no_records_of_it() {
    let repo = repo();
    let id = repo.edit("a.txt", "three 3", "drei 3");
    // Another file, with some lines of it, and one with none.
    repo.shell("rm a.txt");
    repo.write("z.txt", "one 1\ntwo 2\nall\nelse\nis\nanother's\n");
    assert_eq!(listed(&repo, "z.txt"), [""; 0]);
    assert!(blamed(&repo, "z.txt").iter().all(|(record, _)| record.is_none()));
    assert_eq!(repo.redraft(&["status", "--porcelain"], "").out, format!("DE {id} a.txt\n"));
    // Of two copies neither is the file.
    let copy = TEXT.replace("three 3", "drei 3");
    repo.write("y.txt", &copy);
    repo.write("z.txt", &copy);
    assert_eq!((listed(&repo, "y.txt"), listed(&repo, "z.txt")), (Vec::new(), Vec::new()));
    repo.shell("rm z.txt");
    assert_eq!(listed(&repo, "y.txt"), [id]);
}

#[test]
fn a_file_that_a_person_and_then_an_agent_moved_has_all_its_records() {
    let repo = repo();
    let first = repo.edit("a.txt", "three 3", "drei 3");
    repo.git(&["mv", "a.txt", "b.txt"]);
    repo.commit_all("moved");
    let second = repo.edit("b.txt", "five 5", "fuenf 5");
    repo.apply(json!({"path": "b.txt", "rename_to": "c.txt"}));
    for _ in 0..2 {
        let lines = blamed(&repo, "c.txt");
        assert_eq!((&lines[2].0, &lines[4].0), (&Some(first.clone()), &Some(second.clone())));
        repo.commit_all("all");
    }
}

/// Once, only the record that renamed it was told.
#[test]
fn a_new_file_that_a_record_renamed_has_both_records_in_status() {
    let repo = repo();
    let made = repo.apply(json!({"path": "n.txt", "content": "b1\nb2\nb3\n"}));
    let renamed = repo.apply(json!({"path": "n.txt", "rename_to": "m.txt"}));
    assert_eq!(repo.redraft(&["status", "--porcelain"], "").out, format!("?E {renamed},{made} m.txt\n"));
    repo.shell("mv m.txt k.txt");
    assert_eq!(repo.redraft(&["status", "--porcelain"], "").out, format!("?E {renamed},{made} k.txt\n"));
    assert_eq!(blamed(&repo, "k.txt")[0].0, Some(made));
}

/// Seen: the person who committed the merge, and no record in the commits.
#[test]
fn lines_that_git_brought_from_another_worktree_are_its_record_s() {
    let repo = repo();
    let there = repo.outside().join("there");
    repo.git(&["worktree", "add", "-q", "-b", "w", there.to_str().expect("UTF-8")]);
    let request = json!({"path": "a.txt", "old_string": "three 3", "new_string": "drei 3"}).to_string();
    let answer = repo.redraft_in(&there, &["apply", "--answer", "brief"], &request);
    let id = answer.json()["data"]["record"]["id"].as_str().expect("an id").to_owned();
    repo.write("a.txt", TEXT.replace("three 3", "drei 3"));
    assert_eq!(blamed(&repo, "a.txt")[2], (None, None), "the same line, written by a person here");
    repo.git(&["checkout", "-q", "a.txt"]);
    assert_eq!(repo.redraft_in(&there, &["commit", "-m", "there", &id], "").status, 0);
    repo.git(&["merge", "-q", "w"]);
    assert_eq!(blamed(&repo, "a.txt")[2].0, Some(id.clone()));
    let listed = |args: &[&str]| repo.redraft(&[&["log", "--json"], args].concat(), "").lines();
    for args in [&["HEAD~1..HEAD"][..], &["--commit", "HEAD"]] {
        assert_eq!(listed(args).iter().map(|record| &record["id"]).collect::<Vec<_>>(), [&json!(id)], "{args:?}");
    }
    assert!(listed(&["--commit", "HEAD~1"]).is_empty() && listed(&[]).is_empty());
}

/// Moved and changed by one commit after the other: its text tells nothing of where it was.
#[test]
fn a_file_of_which_two_commits_changed_the_name_and_most_lines_has_its_records() {
    let text: String = (1..11).map(|n| format!("line {n}\n")).collect();
    let repo = TestRepo::with_files(&[("f", &text)]);
    let id = repo.edit("f", "line 5\n", "line 5\nnew\n");
    repo.commit_all("one");
    for (from, to, changed) in [("f", "g", 1..5), ("g", "h", 6..11)] {
        repo.git(&["mv", from, to]);
        let change = |text: String, n: i32| text.replace(&format!("line {n}\n"), &format!("other {n}\n"));
        repo.write(to, changed.fold(repo.text(to), change));
        repo.commit_all("moved");
    }
    assert_eq!(listed(&repo, "h"), std::slice::from_ref(&id));
    assert_eq!(blamed(&repo, "h")[5].0.as_ref(), Some(&id));
}

/// Seen: the edit under the name that was taken back was not in `log PATH`.
#[test]
fn a_file_of_which_a_rename_was_undone_has_the_records_of_the_name_that_it_lost() {
    let repo = repo();
    let rename = repo.apply(json!({"path": "a.txt", "rename_to": "sub/b.txt"}));
    let id = repo.edit("sub/b.txt", "three 3", "drei 3");
    repo.done(&["undo", &rename], "");
    let undo = repo.done(&["log", "--json", "-n", "1"], "")["id"].as_str().expect("an id").to_owned();
    assert_eq!(listed(&repo, "a.txt"), [undo, id, rename]);
}

/// Seen: "no record touched z.txt", once anything was at the name that the file had had.
#[test]
fn a_file_that_a_commit_renamed_has_its_records_whatever_has_the_old_name_now() {
    let repo = repo();
    let id = repo.edit("a.txt", "three 3", "drei 3");
    repo.commit_all("edited");
    repo.git(&["mv", "a.txt", "z.txt"]);
    repo.git(&["commit", "-qm", "moved"]);
    let other = repo.apply(json!({"path": "a.txt", "content": "another\n"}));
    assert_eq!(listed(&repo, "z.txt"), std::slice::from_ref(&id));
    let later = repo.edit("z.txt", "five 5", "fuenf 5");
    assert_eq!(listed(&repo, "z.txt"), [later, id.clone()]);
    assert_eq!(listed(&repo, "a.txt"), [other, id]);
}

/// Seen: `log` and `status` named the record of the file that is gone, and not the one of the file that is there.
#[test]
fn a_file_that_was_moved_to_a_name_that_a_gone_file_had_has_its_own_records() {
    let repo = repo();
    repo.apply(json!({"path": "p.txt", "content": "gone\n"}));
    repo.commit_all("made");
    repo.git(&["rm", "-q", "p.txt"]);
    repo.git(&["commit", "-qm", "gone"]);
    let id = repo.edit("a.txt", "three 3", "drei 3");
    repo.git(&["mv", "a.txt", "p.txt"]);
    assert_eq!(listed(&repo, "p.txt")[0], id);
    assert_eq!(repo.redraft(&["status", "--porcelain"], "").out, format!("AE {id} p.txt\n"));
    repo.commit_all("moved");
    assert_eq!(listed(&repo, "p.txt")[0], id);
    assert_eq!(blamed(&repo, "p.txt")[2].0, Some(id));
}

/// Seen: nobody's line and "no record touched e.txt" once the second commit had taken the old name away.
#[test]
fn a_file_of_which_one_commit_made_the_new_name_and_the_next_took_the_old_away_has_its_records() {
    let repo = repo();
    let id = repo.edit("a.txt", "three 3", "drei 3");
    repo.git(&["mv", "a.txt", "e.txt"]);
    repo.git(&["commit", "-qm", "new", "--", "e.txt"]);
    assert_eq!(blamed(&repo, "e.txt")[2].0.as_ref(), Some(&id));
    repo.git(&["commit", "-qm", "old"]);
    assert_eq!(blamed(&repo, "e.txt")[2].0.as_ref(), Some(&id));
    assert_eq!(listed(&repo, "e.txt"), [id]);
}

/// Seen: the first record's lines were the person's once they were committed, and `log` had the second alone.
#[test]
fn a_file_that_was_moved_between_two_edits_has_both_records_once_git_calls_it_another() {
    let repo = repo();
    let first = repo.edit("a.txt", "two 2\n", "TWO\nTWO b\nTWO c\nTWO d\n");
    repo.git(&["mv", "a.txt", "z.txt"]);
    let second = repo.edit("z.txt", "three 3\nfour 4\nfive 5\nsix 6\n", "THREE\nFOUR\nFIVE\n");
    repo.commit_all("moved");
    let status = repo.git(&["show", "--name-status", "-M", "--format=", "HEAD"]);
    assert!(status.contains("D\ta.txt") && status.contains("A\tz.txt"), "{status}");
    assert_eq!(listed(&repo, "z.txt"), [second.clone(), first.clone()]);
    let lines = blamed(&repo, "z.txt");
    assert_eq!([&lines[1].0, &lines[5].0], [&Some(first.clone()), &Some(second.clone())]);
    let told = repo.redraft(&["log", "--commit", "HEAD", "--json"], "").lines();
    assert_eq!(told.iter().map(|record| &record["id"]).collect::<Vec<_>>(), [&json!(second), &json!(first)]);
}

/// A commit that takes a file away and makes another one of other lines moved nothing.
#[test]
fn a_file_that_a_commit_replaced_by_another_has_no_records_in_that() {
    let repo = repo();
    repo.edit("a.txt", "three 3", "drei 3");
    repo.commit_all("edited");
    repo.git(&["rm", "-q", "a.txt"]);
    repo.write("n.txt", "one 1\ndrei 3\nother\nlines\nin\nit\nof\na person\n");
    repo.commit_all("replaced");
    assert_eq!(listed(&repo, "n.txt"), [""; 0]);
    assert_eq!(blamed(&repo, "n.txt")[1].0, None);
}

/// An agent's edit; one commit makes the new name, perhaps after an edit there and beside other things, and the next takes the old one away.
fn over_two_commits(there: &str, before: &str, beside: &str) -> (TestRepo, String) {
    let repo = repo();
    let id = repo.edit("a.txt", "three 3", "drei 3");
    repo.git(&["mv", "a.txt", "e.txt"]);
    assert!(repo.shell(&format!("{there}; {before}; git add e.txt; git commit -qm new -- e.txt")).success());
    assert!(repo.shell(&format!("{beside}; git commit -qm old")).success());
    (repo, id)
}

#[test]
fn a_moved_file_has_its_records_whatever_else_the_commits_do() {
    let edit = "sed -i 's/^five 5/fuenf 5/' e.txt";
    let many = |n: usize| format!("for n in $(seq {n}); do echo $n > k$n; done; git add .; git commit -qm k -- k*");
    let most = many(63);
    for (there, before, beside) in [
        ("true", "true", "git mv other.txt another.txt"),
        (edit, "cp e.txt other.txt; sed -i 1d other.txt; git add other.txt; git commit -qm o -- other.txt", "true"),
        (edit, &most, "true"),
    ] {
        let (repo, id) = over_two_commits(there, before, beside);
        assert_eq!(listed(&repo, "e.txt"), std::slice::from_ref(&id), "{there}; {before}; {beside}");
        assert_eq!(blamed(&repo, "e.txt")[2].0.as_ref(), Some(&id), "{there}; {before}; {beside}");
    }
    // Among more new files none is looked for that is not as it was left.
    let (repo, _) = over_two_commits(edit, &many(64), "true");
    assert_eq!(listed(&repo, "e.txt"), [""; 0]);
    let (repo, id) = over_two_commits("true", &many(64), "true");
    assert_eq!(listed(&repo, "e.txt"), [id]);
}

#[test]
fn of_two_new_files_with_the_lines_of_a_gone_one_neither_has_its_records() {
    let repo = repo();
    repo.edit("a.txt", TEXT, "un 1\ndeux 2\ntrois 3\nquatre 4\ncinq 5\n");
    assert!(repo.shell("sed 1d a.txt > n.txt; mv a.txt k.txt").success());
    repo.commit_all("both");
    assert_eq!([listed(&repo, "n.txt"), listed(&repo, "k.txt")], [[""; 0]; 2]);
}

#[test]
fn a_copy_has_no_records_of_a_committed_file_that_is_removed_later() {
    let repo = repo();
    let id = repo.edit("a.txt", "three 3", "drei 3");
    repo.commit_all("edited");
    assert!(repo.shell("cp a.txt n.txt").success());
    repo.commit_all("copied");
    repo.git(&["rm", "-q", "a.txt"]);
    repo.commit_all("removed");
    assert_eq!((listed(&repo, "n.txt"), listed(&repo, "a.txt")), (vec![], vec![id]));
}

#[test]
fn an_empty_file_has_no_records_of_one_that_was_emptied_and_removed() {
    let repo = repo();
    repo.edit("a.txt", TEXT, "");
    repo.git(&["mv", "a.txt", "e.txt"]);
    repo.git(&["commit", "-qm", "new", "--", "e.txt"]);
    repo.git(&["commit", "-qm", "old"]);
    assert_eq!(listed(&repo, "e.txt"), [""; 0]);
}

/// Seen: blame gave every line of HEAD to nobody, until the new name was staged.
#[test]
fn what_head_has_of_a_file_that_an_agent_renamed_is_blamed_on_its_commits() {
    let repo = TestRepo::with_files(&[("a.txt", "1\n2\n3\n4\n")]);
    repo.edit("a.txt", "2\n", "two\n");
    repo.apply(json!({"path": "a.txt", "rename_to": "b.txt"}));
    let of_nobody = |path: &str| {
        let lines = repo.redraft(&["blame", path, "--json"], "").lines();
        lines.iter().filter(|line| line["record"].is_null() && line["commit"].is_null()).count()
    };
    assert_eq!(of_nobody("b.txt"), 0);
    // Somebody moves it on, and an agent goes on there.
    repo.shell("mv b.txt c.txt");
    let last = repo.edit("c.txt", "4\n", "four\n");
    assert_eq!(of_nobody("c.txt"), 0);
    assert_eq!(repo.redraft(&["log", "c.txt", "--json"], "").lines().len(), 3);
    assert_eq!(repo.redraft(&["log", "-n1", "c.txt", "--json"], "").lines()[0]["id"], json!(last));
    let status = repo.redraft(&["status", "--json"], "").out;
    assert!(status.contains("c.txt") && !status.contains("\"b.txt\""), "{status}");
}

/// Seen: blame gave all lines to nobody, `log` had the undo alone, and `status` the old name, once the newest edit was undone.
#[test]
fn a_file_that_somebody_moved_is_known_behind_an_undo_there() {
    let repo = TestRepo::with_files(&[("a.txt", "1\n2\n3\n4\n")]);
    let first = repo.edit("a.txt", "2\n", "two\n");
    repo.edit("a.txt", "4\n", "four\n");
    repo.shell("mkdir d; mv a.txt d/b.txt");
    repo.done(&["undo"], "");
    let lines = repo.redraft(&["blame", "d/b.txt", "--json"], "").lines();
    let is_told = |line: &Value| !(line["record"].is_null() && line["commit"].is_null());
    assert!(lines.iter().all(is_told), "{lines:?}");
    assert_eq!(lines[1]["record"], json!(first));
    assert_eq!(repo.redraft(&["log", "d/b.txt", "--json"], "").lines().len(), 3);
    let status = repo.redraft(&["status", "--json"], "").out;
    assert!(status.contains("d/b.txt") && !status.contains("\"a.txt\""), "{status}");
    repo.shell("mv d/b.txt c.txt");
    assert_eq!(repo.redraft(&["blame", "c.txt", "--json"], "").lines()[1]["record"], json!(first));
}

/// Seen: "not committed, by nobody known", "no record touched a.txt" and "no changes of agents"; the commit named no record, and the line was then
/// the person's. Git has had that name all along, so nobody asked who has the file.
#[test]
fn a_file_that_a_person_moved_back_home_or_over_another_has_its_records() {
    let moves: [(&str, &str); 6] = [
        ("git mv a.txt z.txt", "git mv z.txt a.txt"),
        ("git mv a.txt z.txt", "mv z.txt a.txt"),
        ("mv a.txt z.txt", "mv z.txt a.txt"),
        ("git mv a.txt z.txt", "git mv z.txt a.txt; printf 'seven 7\n' >> a.txt"),
        ("cp a.txt z.txt; echo 1 >> z.txt", "mv z.txt other.txt"),
        ("cp a.txt z.txt; echo 1 >> z.txt", "chmod +x z.txt; mv z.txt other.txt"),
    ];
    for (away, home) in moves {
        let repo = repo();
        repo.done(&["hooks", "install", "--json"], "");
        let path = if home.ends_with("other.txt") { "other.txt" } else { "a.txt" };
        assert!(repo.shell(away).success());
        let first = repo.edit("z.txt", "two 2", "agent's 2");
        let second = repo.edit("z.txt", "four 4", "agent's 4");
        assert!(repo.shell(home).success());
        let is_theirs = || {
            let lines = blamed(&repo, path);
            assert_eq!([&lines[1].0, &lines[3].0], [&Some(first.clone()), &Some(second.clone())], "{home}: {lines:?}");
            assert_eq!(listed(&repo, path), [second.clone(), first.clone()], "{home}");
        };
        is_theirs();
        assert!(repo.redraft(&["status"], "").out.contains(path), "{home}");
        repo.git(&["add", "-A"]);
        assert!(try_git(&repo, &["commit", "-qm", "x"]).status.success());
        let named = repo.git(&["log", "-1", "--format=%(trailers:key=Redraft-Id,valueonly)"]);
        assert!(named.contains(&first) && named.contains(&second), "{home}: {named}");
        is_theirs();
    }
}

/// Seen: the lines written under the old name were nobody's once they were committed, as "was there before all records" was asked of the newer name.
#[test]
fn a_file_that_went_to_its_old_name_for_one_edit_after_a_commit_renamed_it_has_its_records() {
    for hooks in [true, false] {
        let repo = repo();
        if hooks {
            repo.done(&["hooks", "install", "--json"], "");
        }
        repo.git(&["mv", "a.txt", "z.txt"]);
        let first = repo.edit("z.txt", "two 2", "agent's 2");
        repo.git(&["commit", "-qam", "renamed"]);
        repo.git(&["mv", "z.txt", "a.txt"]);
        let second = repo.edit("a.txt", "four 4", "agent's 4");
        repo.git(&["mv", "a.txt", "z.txt"]);
        let is_theirs = || {
            let lines = blamed(&repo, "z.txt");
            assert_eq!([&lines[1].0, &lines[3].0], [&Some(first.clone()), &Some(second.clone())], "{lines:?}");
            assert_eq!(listed(&repo, "z.txt"), [second.clone(), first.clone()]);
        };
        is_theirs();
        repo.git(&["commit", "-qam", "edited"]);
        is_theirs();
        repo.done(&["undo", &second], "");
        assert_eq!(blamed(&repo, "z.txt")[3].0, None);
        assert!(repo.shell("grep -q 'four 4' z.txt").success());
    }
}

/// Seen: the lines were nobody's, and `undo` said "the file is no longer there", where an edit under the other name had been discarded first.
#[test]
fn a_file_that_went_home_as_an_earlier_record_had_left_it_has_that_records() {
    for (at_home, before) in [(false, ""), (true, "sed -i 's/five 5/5/' z.txt")] {
        let repo = repo();
        if at_home {
            repo.edit("a.txt", "one 1", "agent's 1");
            repo.git(&["add", "a.txt"]);
        }
        repo.git(&["mv", "a.txt", "z.txt"]);
        assert!(repo.shell(before).success());
        let first = repo.edit("z.txt", "two 2", "agent's 2");
        repo.git(&["add", "z.txt"]);
        let discarded = repo.edit("z.txt", "three 3", "agent's 3");
        repo.git(&["restore", "z.txt"]);
        repo.git(&["mv", "z.txt", "a.txt"]);
        let last = repo.edit("a.txt", "four 4", "agent's 4");
        let lines = blamed(&repo, "a.txt");
        let by: Vec<_> = lines[1..4].iter().map(|(record, _)| record.clone()).collect();
        assert_eq!(by, [Some(first.clone()), None, Some(last)], "{at_home}: {lines:?}");
        assert!(listed(&repo, "a.txt").contains(&first), "{at_home}");
        repo.refused(&["undo", &discarded], "");
        repo.done(&["undo", &first], "");
        assert!(repo.shell("grep -q '^two 2' a.txt && grep -q 'three 3' a.txt && grep -q '4$' a.txt").success());
    }
}

/// Where the other file was edited after the text came to stand there, that is a copy.
#[test]
fn a_copy_of_what_an_earlier_record_had_left_has_no_records_of_a_file_that_is_gone_later() {
    let repo = repo();
    assert!(repo.shell("cp a.txt z.txt").success());
    let first = repo.edit("z.txt", "two 2", "agent's 2");
    assert!(repo.shell("cp z.txt a.txt").success());
    let there = repo.edit("a.txt", "four 4", "agent's 4");
    repo.edit("z.txt", "three 3", "agent's 3");
    assert!(repo.shell("rm z.txt").success());
    assert_eq!(listed(&repo, "a.txt"), [there]);
    assert_eq!(repo.refused(&["undo", &first], ""), "undo_conflict");
}

/// Seen: the first record was taken out of a copy, and the second one out of the file.
#[test]
fn of_a_file_that_was_moved_on_no_record_is_taken_out_of_a_copy_that_stands_where_git_had_it() {
    let edits = ["", "; sed -i 's/six 6/SIX 6/' y.txt"];
    for (edit, is_first) in edits.into_iter().flat_map(|edit| [(edit, true), (edit, false)]) {
        let repo = repo();
        repo.git(&["mv", "a.txt", "z.txt"]);
        let first = repo.edit("z.txt", "two 2", "agent's 2");
        assert!(repo.shell("cp z.txt a.txt").success());
        let second = repo.edit("z.txt", "three 3", "agent's 3");
        assert!(repo.shell(&format!("mv z.txt y.txt{edit}")).success());
        repo.edit("a.txt", "four 4", "agent's 4");
        for id in if is_first { [&first, &second] } else { [&second, &first] } {
            repo.done(&["undo", id], "");
        }
        assert!(repo.text("y.txt").starts_with("one 1\ntwo 2\nthree 3\n"), "{edit}");
        assert!(repo.text("a.txt").contains("agent's 2"), "{edit}");
    }
}

/// Seen: the copy lost the line, "a was renamed since", and the file that was moved kept it.
#[test]
fn of_two_files_that_records_met_as_a_third_one_had_been_left_neither_is_taken_for_it() {
    let repo = repo();
    let first = repo.edit("other.txt", "nothing of it", "agent's 1");
    repo.write("other.txt", format!("agent's 1\n{TEXT}"));
    let line = repo.edit("other.txt", "two 2", "agent's 2");
    assert!(repo.shell("cp other.txt g.txt").success());
    let there = repo.edit("g.txt", "six 6\n", "");
    repo.done(&["undo", &there], "");
    assert!(repo.shell("mv other.txt h.txt").success());
    repo.edit("h.txt", "four 4", "agent's 4");
    let left = [repo.text("g.txt"), repo.text("h.txt")];
    for id in [&line, &first] {
        assert_eq!(repo.refused(&["undo", id], ""), "undo_conflict");
    }
    assert_eq!([repo.text("g.txt"), repo.text("h.txt")], left);
}

/// Seen: "not committed, by nobody known", and of a copy beside it that it was the agent's.
#[test]
fn a_file_that_went_home_or_over_another_one_has_its_records_whatever_its_newest_record_did() {
    let of_second: [(&str, &str); 4] = [("", ""), ("undo", ""), ("delete", ""), ("", "; cp a.txt g.txt")];
    for (second, then) in of_second {
        let repo = repo();
        repo.git(&["mv", "a.txt", "z.txt"]);
        let first = repo.edit("z.txt", "two 2", "agent's 2");
        match second {
            "undo" => {
                let id = repo.edit("z.txt", "six 6", "agent's 6");
                repo.done(&["undo", &id], "");
            }
            "delete" => _ = repo.edit("z.txt", "six 6\n", ""),
            _ => {}
        }
        assert!(repo.shell(&format!("mv z.txt a.txt{then}")).success());
        let is_its = |(record, _): &(Option<String>, Option<String>)| record.as_ref() == Some(&first);
        assert!(is_its(&blamed(&repo, "a.txt")[1]), "{second} {then}");
        assert!(!repo.has("g.txt") || !blamed(&repo, "g.txt").iter().any(is_its), "{second} {then}");
    }
    let repo = repo();
    let first = repo.edit("a.txt", "two 2", "agent's 2");
    assert!(repo.shell("mv a.txt other.txt").success());
    assert_eq!(blamed(&repo, "other.txt")[1].0, Some(first.clone()));
    repo.git(&["add", "-A"]);
    repo.git(&["commit", "-qm", "over another"]);
    assert_eq!(blamed(&repo, "other.txt")[1].0, Some(first));
}

/// What a person moves to such a name, and wrote alone, is nobody else's.
#[test]
fn a_persons_own_text_at_a_name_that_git_has_has_no_records_of_a_file_that_is_gone() {
    for then in [
        "rm z.txt; sed -i 's/three 3/3/' a.txt",
        "rm z.txt; seq 20 > other.txt",
        "sed 's/agent.s 2/2/' z.txt > a.txt; rm z.txt",
    ] {
        let repo = repo();
        assert!(repo.shell("cp a.txt z.txt").success());
        repo.edit("z.txt", "two 2", "agent's 2");
        assert!(repo.shell(then).success());
        let path = if then.contains("other") { "other.txt" } else { "a.txt" };
        assert_eq!(listed(&repo, path), Vec::<String>::new(), "{then}");
        assert!(blamed(&repo, path).iter().all(|(record, _)| record.is_none()), "{then}");
    }
}

/// Of a file that went home, so many edits there are looked through for what was done to it before; what is further back is taken for its own.
#[test]
fn a_file_that_went_home_has_its_records_from_before_behind_fifteen_edits_there() {
    for (edits, is_known) in [(1, true), (15, true), (16, false)] {
        let repo = repo();
        repo.git(&["mv", "a.txt", "z.txt"]);
        let first = repo.edit("z.txt", "two 2", "agent's 2");
        repo.git(&["mv", "z.txt", "a.txt"]);
        let mut last = "four 4".to_owned();
        for n in 0..edits {
            let next = format!("agent's {n}th");
            repo.edit("a.txt", &last, &next);
            last = next;
        }
        let is_its = blamed(&repo, "a.txt")[1].0 == Some(first.clone());
        assert_eq!((is_its, listed(&repo, "a.txt").contains(&first)), (is_known, is_known), "{edits}");
    }
}

#[test]
fn an_agents_line_stays_its_own_in_a_file_that_git_mv_moved_and_a_person_wrote_most_of_since() {
    let head: String = (0..7).map(|n| format!("line {n}\n")).collect();
    let repo = TestRepo::with_files(&[("f", &head)]);
    let edit = repo.edit("f", "line 5\n", "line 5\nan agent's\n");
    repo.git(&["mv", "f", "g"]);
    let put: String = (0..20).map(|n| format!("a person's {n}\n")).collect();
    repo.write("g", repo.text("g").replace("line 2\n", &format!("line 2\n{put}")));
    let lines = blamed(&repo, "g");
    let own: Vec<usize> = (0..lines.len()).filter(|n| lines[*n].0 == Some(edit.clone())).collect();
    assert_eq!(own, [26]);
}

#[test]
fn an_agents_line_stays_its_own_where_a_person_moved_the_file_and_committed_only_that_it_went() {
    let head: String = (0..9).map(|n| format!("line {n}\n")).collect();
    let repo = TestRepo::with_files(&[("f", &head)]);
    let edit = repo.edit("f", "line 5\n", "line 5\nan agent's\n");
    std::fs::rename(repo.root().join("f"), repo.root().join("g")).expect("it is there");
    repo.git(&["commit", "-qam", "it went"]);
    assert_eq!(blamed(&repo, "g")[6].0, Some(edit));
    // Of two that are as it was left neither is told.
    repo.write("h", repo.text("g"));
    assert_eq!(blamed(&repo, "g")[6].0, None);
}
