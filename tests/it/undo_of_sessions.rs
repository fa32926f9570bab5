//! A session is undone as its records are, one by one from the newest: to the very same text, or neither is.
//!
//! `REDRAFT_SESSIONS=1000` runs as many random ones, `REDRAFT_SESSIONS_FROM` from another seed; the default is small.

use crate::support::{Dice, TestRepo, joined, number, tree};
use serde_json::{Value, json};
use std::path::Path;

/// Gives the file a whole text, as a session's program does.
fn write_as(repo: &TestRepo, session: &str, text: &str) {
    let from = repo.outside().join("text");
    std::fs::write(&from, text).expect("written");
    let args = ["run", "-q", "--session", session, "--", "cp", from.to_str().expect("UTF-8"), "f"];
    assert_eq!(repo.redraft(&args, "").status, 0);
}

/// Undoes the records of the session in a copy of the repository, one by one from the newest; the text then, none where one stayed. What
/// the log says is undone is asked for only where `undo --session` took it: a person may have written a line of it since, which an undo
/// that names it takes for its own.
fn one_by_one(repo: &TestRepo, copy: &Path, taken: &[Value]) -> Option<String> {
    let records = repo.redraft_in(copy, &["log", "--session", "s", "--json"], "").lines();
    let is_edit = |record: &&Value| record["kind"].as_str().is_none_or(|kind| kind == "edit");
    let goes = |record: &Value| {
        let told = repo.redraft_in(copy, &["undo", record["id"].as_str().expect("an id")], "").json();
        told["status"] != "error" || told["data"]["reason"] == "nothing_to_undo"
    };
    let is_asked_for = |record: &&Value| record["undone_by"].is_null() || taken.contains(&record["id"]);
    let stayed = records.iter().filter(is_edit).filter(is_asked_for).filter(|record| !goes(record)).count();
    (stayed == 0).then(|| std::fs::read_to_string(copy.join("f")).expect("a text"))
}

/// The lines of three edits of one session; a person wrote below.
fn session(base: &str, edits: &[&str], below: &str) -> TestRepo {
    let repo = TestRepo::with_files(&[("f", base)]);
    edits.iter().for_each(|text| write_as(&repo, "s", text));
    repo.write("f", repo.text("f") + below);
    repo
}

/// Seen: `s1` was left, told as done: the oldest record was judged as if the newer ones were in force.
#[test]
fn a_session_of_equal_lines_leaves_no_line_that_it_wrote() {
    let edits = ["}\ns1\nbase\n}\ns2\n", "}\ns1\n}\nbase\ns2\n", "}\n}\nbase\n}\ns3\n"];
    for args in [&["undo", "--session", "s"][..], &["undo", "--session", "s", "--skip-conflicts"]] {
        let repo = session("}\nbase\n", &edits, "of a person\n");
        repo.done(args, "");
        assert_eq!(repo.text("f"), "}\nbase\nof a person\n", "{args:?}");
    }
}

/// Seen: `x` was left, told as done: a newer record of the session had done it again.
#[test]
fn what_a_session_did_again_goes_with_all_of_it() {
    let repo = TestRepo::with_files(&[("f", "user2\nbase\n")]);
    write_as(&repo, "s", "base\nuser2\n");
    repo.write("f", "user3\nbase\nuser2\n");
    for text in ["x\nuser3\nbase\nuser2\n", "x\nuser3\nbase\n", "user3\n{\n", "x\nuser3\n{\n"] {
        write_as(&repo, "s", text);
    }
    repo.done(&["undo", "--session", "s"], "");
    assert_eq!(repo.text("f"), "user3\nuser2\nbase\n");
}

/// Seen: all of it was refused, as a person's line kept the file from going.
#[test]
fn edits_of_a_file_that_the_session_made_go_where_a_line_of_a_person_keeps_the_file() {
    for is_committed in [false, true] {
        let repo = TestRepo::with_files(&[("g", "g\n")]);
        write_as(&repo, "s", "a\nb\nc\nd\ne\n");
        if is_committed {
            repo.git(&["add", "f"]);
            repo.git(&["commit", "-qm", "made"]);
        }
        write_as(&repo, "s", "a\nB\nc\nd\ne\n");
        write_as(&repo, "s", "a\nB\nc\nD\ne\n");
        repo.write("f", "a\nB\nc\nD\ne\nof a person\n");
        assert_eq!(repo.refused(&["undo", "--session", "s"], ""), "undo_conflict");
        let told = repo.redraft(&["undo", "--session", "s", "--skip-conflicts"], "").json();
        assert_eq!((&told["status"], repo.text("f")), (&json!("partial"), "a\nb\nc\nd\ne\nof a person\n".into()));
        assert_eq!(told["data"]["skipped"].as_array().map(Vec::len), Some(1), "{told}");
        repo.done(&["redo"], "");
        assert_eq!(repo.text("f"), "a\nB\nc\nD\ne\nof a person\n");
    }
}

/// Seen: the edit of another line was left, too.
#[test]
fn an_edit_of_a_made_file_that_does_not_fit_leaves_that_and_the_file_alone() {
    let repo = TestRepo::with_files(&[("g", "g\n")]);
    for text in ["a\nb\nc\nd\ne\n", "a\nB\nc\nd\ne\n", "a\nB\nc\nD\ne\n"] {
        write_as(&repo, "s", text);
    }
    repo.write("f", "a\nB\nc\nD of a person\ne\n");
    let told = repo.redraft(&["undo", "--session", "s", "--skip-conflicts"], "").json();
    assert_eq!((&told["status"], repo.text("f")), (&json!("partial"), "a\nb\nc\nD of a person\ne\n".into()), "{told}");
    assert_eq!(told["data"]["skipped"].as_array().map(Vec::len), Some(2), "{told}");
}

/// Runs what a session's program does.
fn run_as(repo: &TestRepo, session: &str, script: &str) {
    let done = repo.redraft(&["run", "-q", "--session", session, "--", "sh", "-c", script], "");
    assert_eq!(done.status, 0, "{script}: {}", done.err);
}

/// Seen: refused, for what the session made on texts that are gone; the file was to the byte as at the first undo.
#[test]
fn a_session_is_undone_again_after_it_was_undone_and_redone() {
    let numbers: String = (1..=30).map(|n| format!("line {n}\n")).collect();
    let brackets = "}\none\n}\n";
    let cases: [(&str, &[&str]); 4] = [
        (
            &numbers,
            &[
                "sed -i 's/line 5$/five/' f",
                "sed -i 's/five$/cinq/' f",
                "!git checkout -q f",
                "sed -i 's/line 9$/nine/' f",
            ],
        ),
        (
            brackets,
            &[
                "printf 'two\\n' > f",
                "printf 'x\\ntwo\\n' > f",
                "!git checkout -q f",
                "printf 'x\\none\\n}\\n' > f",
                "printf 'x\\n}\\nb\\n}\\n' > f",
            ],
        ),
        (&numbers, &["mv f g", "printf 'h 1\\nh 2\\n' > f", "mv f m"]),
        (
            &numbers,
            &[
                "sed -i 3d f",
                "!git add f; git commit -qm x",
                "sed -i 's/line 9$/nine/' f",
                "!git checkout -q f",
                "sed -i 9d f",
            ],
        ),
    ];
    let mut by_redo = 0;
    for (base, steps) in cases {
        let repo = TestRepo::with_files(&[("f", base)]);
        for step in steps {
            match step.strip_prefix('!') {
                Some(by_person) => assert!(repo.shell(by_person).success()),
                None => run_as(&repo, "s", step),
            }
        }
        let state = || ["f", "g", "m"].map(|name| std::fs::read_to_string(repo.root().join(name)).ok());
        let with = state();
        repo.done(&["undo", "--session", "s"], "");
        let without = state();
        for round in 0..3 {
            let redo = repo.done(&["redo"], "")["data"]["record"]["id"].clone();
            assert_eq!(state(), with, "{steps:?}, {round}: redo");
            let told = repo.done(&["undo", "--session", "s"], "");
            assert_eq!(state(), without, "{steps:?}, {round}: undo");
            // What stands for its records is named.
            by_redo += usize::from(told["data"]["undone"].as_array().is_some_and(|undone| undone.contains(&redo)));
        }
        repo.done(&["redo", "--session", "s"], "");
        assert_eq!(state(), with, "{steps:?}: redo of the session");
        assert_eq!(repo.refused(&["redo"], ""), "nothing_to_undo", "{steps:?}");
    }
    assert!(by_redo > 0);
}

/// Seen: it was refused as no longer there, though one by one it went: another session had gone on in the file before it was removed.
#[test]
fn a_session_is_undone_that_removed_a_file_in_which_another_one_went_on() {
    let numbers: String = (1..=12).map(|n| format!("line {n}\n")).collect();
    let repo = TestRepo::with_files(&[("f", &numbers)]);
    apply(&repo, json!({"path": "f", "old_string": "line 3\n", "new_string": "drei\n"}));
    repo.apply(json!({"path": "f", "old_string": "line 9\n", "new_string": "neun\n", "agent": {"session": "t"}}));
    apply(&repo, json!({"path": "f", "delete": true}));
    apply(&repo, json!({"path": "f", "content": "another\n"}));
    repo.done(&["undo", "--session", "s"], "");
    assert_eq!(repo.text("f"), numbers.replace("line 9", "neun"));
    repo.done(&["redo"], "");
    assert_eq!(repo.text("f"), "another\n");
}

/// Seen: the file came back under the name that a person had given it, told as done.
#[test]
fn a_file_that_a_session_made_and_removed_does_not_come_back_though_a_person_moved_it_in_between() {
    let repo = TestRepo::with_files(&[("o", "o\n")]);
    apply(&repo, json!({"path": "f", "content": "one\ntwo\nthree\n"}));
    repo.shell("mv f g");
    apply(&repo, json!({"path": "g", "delete": true}));
    repo.redraft(&["undo", "--session", "s"], "");
    assert_eq!(["f", "g"].map(|name| repo.root().join(name).exists()), [false, false]);
}

/// Seen: the file of git was taken for the one that the session had made, and went.
#[test]
fn a_file_of_git_over_which_somebody_moved_one_that_a_session_made_does_not_go_with_it() {
    for is_edited in [false, true] {
        let repo = TestRepo::with_files(&[("o", "of git\n")]);
        apply(&repo, json!({"path": "f", "content": "one\ntwo\nthree\n"}));
        if is_edited {
            apply(&repo, json!({"path": "f", "old_string": "two\n", "new_string": "2\n"}));
        }
        repo.shell("mv f o");
        let text = repo.text("o");
        assert_eq!(repo.refused(&["undo", "--session", "s"], ""), "undo_conflict", "{is_edited}");
        assert_eq!(repo.text("o"), text);
    }
}

/// Seen: the edit was taken out of the copy that was edited last.
#[test]
fn of_two_copies_of_a_file_that_is_gone_none_is_taken_for_it() {
    let numbers: String = (1..=12).map(|n| format!("line {n}\n")).collect();
    let repo = TestRepo::with_files(&[("f", &numbers)]);
    apply(&repo, json!({"path": "f", "old_string": "line 3\n", "new_string": "drei\n"}));
    repo.shell("cp f g; cp f h");
    apply(&repo, json!({"path": "g", "old_string": "line 9\n", "new_string": "neun\n"}));
    apply(&repo, json!({"path": "h", "old_string": "line 1\n", "new_string": "eins\n"}));
    repo.shell("rm f");
    repo.redraft(&["undo", "--session", "s", "--skip-conflicts"], "");
    assert_eq!(["g", "h"].map(|name| repo.text(name).contains("drei")), [true, true]);
}

struct World {
    dice: Dice,
    next: usize,
    lines: Vec<String>,
    /// What was done, and what the file was after it.
    steps: Vec<String>,
}

impl World {
    fn line(&mut self, of: &str) -> String {
        const EQUAL: [&str; 5] = ["}", "{", "", "x", "end"];
        if self.dice.roll(2) == 0 {
            return EQUAL[self.dice.roll(EQUAL.len())].to_owned();
        }
        self.next += 1;
        format!("{of}{}", self.next)
    }

    fn change(&mut self, of: &str) {
        let at = self.dice.roll(self.lines.len() + 1);
        let old = at.min(self.lines.len().saturating_sub(1));
        match self.dice.roll(20) {
            0..9 => {
                let line = self.line(of);
                self.lines.insert(at, line);
            }
            _ if self.lines.is_empty() => {}
            9..14 => drop(self.lines.remove(old)),
            14..17 => self.lines[old] = self.line(of),
            _ => {
                let line = self.lines.remove(old);
                let to = self.dice.roll(self.lines.len() + 1);
                self.lines.insert(to, line);
            }
        }
    }

    /// One step of somebody.
    fn step(&mut self, repo: &TestRepo) {
        let (of, changes) = (["s", "s", "s", "s", "t", "user", "undo"][self.dice.roll(7)], self.dice.roll(3) + 1);
        if of == "undo" {
            let records = repo.redraft(&["log", "--json"], "").lines();
            if let Some(record) = (!records.is_empty()).then(|| &records[self.dice.roll(records.len())]) {
                let verb = ["undo", "redo"][self.dice.roll(2)];
                let told = repo.redraft(&[verb, record["id"].as_str().expect("an id")], "").json();
                self.lines = repo.text("f").lines().map(str::to_owned).collect();
                self.steps.push(format!("{verb} {}: {} {:?}", record["id"], told["text"], self.lines));
            }
            return;
        }
        (0..changes).for_each(|_| self.change(of));
        let text = joined(&self.lines);
        self.steps.push(format!("{of} {:?}", self.lines));
        match (of, self.dice.roll(2)) {
            ("user", _) => repo.write("f", text),
            (session, 0) => write_as(repo, session, &text),
            (session, _) => {
                let whole = json!({"path": "f", "content": text, "overwrite": true, "agent": {"session": session}});
                // It may change nothing.
                repo.redraft(&["apply"], &whole.to_string());
            }
        }
    }
}

#[test]
fn a_random_session_is_undone_as_its_records_are_one_by_one() {
    let (from, count) = (number("REDRAFT_SESSIONS_FROM", 0), number("REDRAFT_SESSIONS", 25));
    let mut refused = 0;
    for seed in from..from + count {
        let mut world = World { dice: Dice(seed as u64), next: 0, lines: Vec::new(), steps: Vec::new() };
        (0..8).for_each(|_| world.change("base"));
        let repo = TestRepo::in_memory();
        repo.write("f", joined(&world.lines));
        repo.commit_all("base");
        (0..world.dice.roll(4) + 2).for_each(|_| world.step(&repo));
        let (copy, with) = (repo.outside().join("copy"), repo.text("f"));
        tree::copy(&repo.root(), &copy);
        let told = repo.redraft(&["undo", "--session", "s"], "").json();
        let taken = told["data"]["undone"].as_array().map_or(&[][..], Vec::as_slice);
        let apart = one_by_one(&repo, &copy, taken);
        let is_done = told["status"] != "error" || told["data"]["reason"] == "nothing_to_undo";
        let text = repo.text("f");
        assert!(is_done || apart.is_none(), "seed {seed}: {told}");
        match apart.filter(|_| is_done) {
            Some(apart) => assert_eq!(text, apart, "seed {seed}: {told} {:#?}", world.steps),
            None => refused += 1,
        }
        if told["status"] != "error" && text != with {
            repo.done(&["redo"], "");
            assert_eq!(repo.text("f"), with, "seed {seed}: redo");
            repo.done(&["undo", "--session", "s"], "");
            assert_eq!(repo.text("f"), text, "seed {seed}: undo again");
        }
    }
    eprintln!("{refused} of {count} refused");
    assert!(refused < count, "nothing was compared");
}

fn apply(repo: &TestRepo, mut request: Value) {
    request["agent"] = json!({"session": "s"});
    repo.apply(request);
}

/// Seen: told as done, and the file was there with its first text, or it was refused as no longer there.
#[test]
fn a_session_is_undone_that_removed_a_file_and_made_another_of_its_name() {
    let (delete, make) = (json!({"path": "f", "delete": true}), |text| json!({"path": "f", "content": text}));
    let edit = json!({"path": "f", "old_string": "two\n", "new_string": "2\n"});
    let cases: [(bool, Vec<Value>); 6] = [
        (false, vec![make("one\ntwo\n"), delete.clone(), make("three\n")]),
        (false, vec![make("one\ntwo\n"), delete.clone(), make("one\ntwo\n")]),
        (false, vec![make("one\ntwo\n"), edit.clone(), delete.clone(), make("three\n")]),
        (false, vec![make("one\ntwo\n"), delete.clone(), make("two\nthree\n"), edit.clone(), delete.clone()]),
        (true, vec![edit, delete.clone(), make("three\n")]),
        (true, vec![delete.clone(), make("three\n"), delete, make("four\n")]),
    ];
    for (is_tracked, requests) in cases {
        let text = "one\ntwo\nthree\n";
        let repo =
            if is_tracked { TestRepo::with_files(&[("f", text)]) } else { TestRepo::with_files(&[("g", "g\n")]) };
        requests.iter().for_each(|request| apply(&repo, request.clone()));
        let there = repo.has("f").then(|| repo.text("f"));
        let told = repo.redraft(&["undo", "--session", "s"], "").json();
        // What led back to nothing leaves nothing to undo.
        let is_nothing = told["data"]["reason"] == "nothing_to_undo" && there.is_none() && !is_tracked;
        assert!(told["status"] != "error" || is_nothing, "{requests:?}: {told}");
        assert_eq!(repo.has("f").then(|| repo.text("f")), is_tracked.then(|| text.to_owned()), "{requests:?}: {told}");
        if !is_nothing {
            repo.done(&["redo"], "");
            assert_eq!(repo.has("f").then(|| repo.text("f")), there, "{requests:?}: redone");
        }
    }
}

/// A session that edited `f`, which somebody checked out in between, so that its edits do not fit one by one; it was undone with what the
/// arguments say, and redone. Gives the texts without and with it.
fn redone(repo: &TestRepo, undo: &[&str]) -> [String; 2] {
    let base = repo.text("f");
    run_as(repo, "s", "sed -i 's/line 5$/five/' f");
    run_as(repo, "s", "sed -i 's/five$/cinq/' f");
    repo.git(&["checkout", "-q", "f"]);
    run_as(repo, "s", "sed -i 's/line 9$/nine/' f");
    let with = repo.text("f");
    repo.done(undo, "");
    assert_eq!(repo.text("f"), base);
    repo.done(&["redo"], "");
    assert_eq!(repo.text("f"), with);
    [base, with]
}

fn lines() -> String {
    (1..=30).map(|n| format!("line {n}\n")).collect()
}

#[test]
fn a_session_that_was_undone_and_redone_and_went_on_elsewhere_is_undone_as_a_whole() {
    let repo = TestRepo::with_files(&[("f", &lines()), ("g", "g 1\ng 2\n")]);
    let [without, _] = redone(&repo, &["undo", "--session", "s"]);
    run_as(&repo, "s", "sed -i 's/g 1/g one/' g");
    repo.done(&["undo", "--session", "s"], "");
    assert_eq!((repo.text("f"), repo.text("g")), (without, "g 1\ng 2\n".to_owned()));
    assert_eq!(repo.refused(&["undo", "--session", "s"], ""), "nothing_to_undo");
}

/// More records came since than the session has.
#[test]
fn a_session_that_was_redone_is_undone_whatever_others_did_elsewhere_since() {
    let repo = TestRepo::with_files(&[("f", &lines()), ("g", "g 1\ng 2\n")]);
    let [without, _] = redone(&repo, &["undo", "--session", "s"]);
    for n in 1..=6 {
        let request = json!({"path": "g", "old_string": "g 2\n", "new_string": format!("t {n}\ng 2\n"), "agent": {"session": "t"}});
        repo.apply(request);
    }
    let others = repo.text("g");
    repo.done(&["undo", "--session", "s"], "");
    assert_eq!((repo.text("f"), repo.text("g")), (without, others));
}

/// What a redo brought back of others does not go with it.
#[test]
fn a_session_that_was_undone_and_redone_with_another_one_is_not_undone_with_that() {
    let repo = TestRepo::with_files(&[("f", &lines()), ("g", "g 1\ng 2\n")]);
    let since = repo.apply(json!({"path": "g", "old_string": "g 1", "new_string": "g one", "agent": {"session": "t"}}));
    let [_, with] = redone(&repo, &["undo", "--since", &since]);
    assert_eq!(repo.refused(&["undo", "--session", "s"], ""), "undo_conflict");
    assert_eq!((repo.text("f"), repo.text("g")), (with, "g one\ng 2\n".to_owned()));
}

/// A redo of one hunk is not all of the edit.
#[test]
fn an_edit_of_which_one_hunk_was_undone_and_redone_is_not_told_as_undone_where_another_does_not_fit() {
    let repo = TestRepo::with_files(&[("f", &lines())]);
    let both = json!([{"old_string": "line 3\n", "new_string": "three\n"}, {"old_string": "line 20\n", "new_string": "twenty\n"}]);
    let id = repo.apply(json!({"path": "f", "edits": both}));
    repo.write("f", repo.text("f").replace("twenty", "zwanzig und mehr"));
    let text = repo.text("f");
    repo.done(&["undo", &id, "--hunk", "1"], "");
    repo.done(&["redo"], "");
    assert_eq!(repo.text("f"), text);
    assert_eq!(repo.refused(&["undo", &id], ""), "undo_conflict");
    assert_eq!(repo.text("f"), text);
}

#[test]
fn a_session_of_which_one_file_is_undone_and_another_was_redone_is_undone_in_that() {
    let repo = TestRepo::with_files(&[("f", &lines()), ("g", "g 1\ng 2\n")]);
    run_as(&repo, "s", "sed -i 's/line 20$/twenty/' f; sed -i 's/g 1/g one/' g");
    let id = repo.redraft(&["log", "-n", "1", "--json"], "").lines()[0]["id"].as_str().expect("an id").to_owned();
    repo.git(&["checkout", "-q", "f"]);
    let [without, _] = redone(&repo, &["undo", "--session", "s", "--", "f"]);
    repo.done(&["undo", &id, "--", "g"], "");
    repo.done(&["undo", "--session", "s"], "");
    assert_eq!((repo.text("f"), repo.text("g")), (without, "g 1\ng 2\n".to_owned()));
}

/// Two files with the same text, one after the other: each is itself.
#[test]
fn a_file_that_a_session_made_is_not_the_one_with_its_text_that_the_session_removed() {
    let text = "one\ntwo\nthree\n";
    // One of git's comes back, one that the session made does not.
    for is_of_git in [true, false] {
        let repo = TestRepo::with_files(&[("o", "o\n")]);
        if is_of_git {
            repo.write("g", text);
            repo.commit_all("g");
        } else {
            apply(&repo, json!({"path": "g", "content": text}));
        }
        apply(&repo, json!({"path": "f", "content": text}));
        apply(&repo, json!({"path": "g", "delete": true}));
        repo.done(&["undo", "--session", "s"], "");
        assert_eq!((repo.has("f"), repo.has("g")), (false, is_of_git));
        repo.done(&["redo"], "");
        assert_eq!((repo.has("f"), repo.has("g")), (true, false));
    }
}

/// Seen: `log` said that an edit was in force which was undone before, once the undo of its session was redone.
#[test]
fn a_redo_of_a_sessions_undo_brings_back_nothing_that_was_gone_before_it() {
    let repo = TestRepo::with_files(&[("f", &joined(&(1..=30).map(|n| format!("line {n}")).collect::<Vec<_>>()))]);
    let edit = |new: &str| {
        let request = json!({"path": "f", "old_string": "line 4\n", "new_string": new, "agent": {"session": "s"}});
        repo.apply(request)
    };
    let first = edit("four\n");
    repo.done(&["undo"], "");
    repo.done(&["restore", "--at", &first], "");
    repo.done(&["undo"], "");
    repo.write("f", repo.text("f").replace("line 20", "mine"));
    let second = edit("vier\n");
    let in_force =
        || [&first, &second].map(|id| repo.redraft(&["show", id, "--json"], "").lines()[0]["undone_by"].is_null());
    assert_eq!(in_force(), [false, true]);
    assert_eq!(repo.done(&["undo", "--session", "s"], "")["data"]["already"], json!([first]));
    assert_eq!(in_force(), [false, false]);
    repo.done(&["redo"], "");
    assert!(repo.text("f").contains("vier\n"));
    assert_eq!(in_force(), [false, true]);
}

/// Seen: refused, as the look for what had brought the session back ended at a newer record that was redone, too.
#[test]
fn a_redo_stands_for_its_records_whatever_was_redone_after_it() {
    let lines: String = (1..=30).map(|n| format!("line {n}\n")).collect();
    let repo = TestRepo::with_files(&[("f", &lines), ("g", "g 1\ng 2\n")]);
    run_as(&repo, "s", "sed -i 's/line 5$/five/' f");
    run_as(&repo, "s", "sed -i 's/five$/cinq/' f");
    repo.git(&["checkout", "-q", "f"]);
    run_as(&repo, "s", "sed -i 's/line 9$/nine/' f");
    repo.done(&["undo", "--session", "s"], "");
    repo.done(&["redo"], "");
    run_as(&repo, "s", "sed -i 's/g 1/g one/' g");
    repo.done(&["undo"], "");
    repo.done(&["redo"], "");
    repo.done(&["undo", "--session", "s"], "");
    assert_eq!((repo.text("f"), repo.text("g")), (lines, "g 1\ng 2\n".to_owned()));
}
