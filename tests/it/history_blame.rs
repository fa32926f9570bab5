//! Blame and status: records above, git beneath.

use crate::support::{Dice, TestRepo};
use serde_json::{Value, json};
use std::collections::HashMap;

fn repo() -> TestRepo {
    TestRepo::with_files(&[("a.txt", "one\ntwo\nthree\nfour\nfive\nsix\n")])
}

fn edit(repo: &TestRepo, old: &str, new: &str, agent: &str) -> String {
    repo.apply(json!({"path": "a.txt", "old_string": old, "new_string": new, "agent": {"name": agent}}))
}

/// `who:text` for every line: the agent, `git`, or `-`.
fn blamed(repo: &TestRepo, path: &str) -> Vec<String> {
    let answer = repo.redraft(&["blame", path, "--json"], "");
    assert_eq!(answer.status, 0, "{}", answer.err);
    let who = |line: &Value| match (&line["agent"], &line["record"], &line["commit"]) {
        (Value::String(agent), Value::String(_), _) => agent.clone(),
        (_, Value::Null, Value::String(_)) => "git".to_owned(),
        (_, Value::Null, Value::Null) => "-".to_owned(),
        _ => panic!("{line}"),
    };
    answer.lines().iter().map(|line| format!("{}:{}", who(line), line["text"].as_str().expect("text"))).collect()
}

#[test]
fn lines_are_given_to_records_git_and_nobody() {
    let repo = repo();
    edit(&repo, "two", "2\n2b", "ann");
    edit(&repo, "five", "5", "bob");
    repo.write("a.txt", repo.text("a.txt").replace("four\n", "four\nuser\n"));
    let want = ["git:one", "ann:2", "ann:2b", "git:three", "git:four", "-:user", "bob:5", "git:six"];
    assert_eq!(blamed(&repo, "a.txt"), want);
    let first = &repo.redraft(&["blame", "a.txt", "--json"], "").lines()[0];
    assert_eq!(first["commit"], json!(repo.git(&["rev-parse", "HEAD"]).trim()));
    assert_eq!(first["line"], json!(1));
    let written = repo.git(&["log", "-1", "--format=%an|%at"]);
    let (author, time) = written.trim().split_once('|').expect("both");
    let time = jiff::Timestamp::from_second(time.parse().expect("seconds")).expect("a time").strftime("%FT%T.000Z");
    assert_eq!(first["author"], json!(author));
    let lines = repo.redraft(&["blame", "a.txt", "--json"], "").lines();
    assert_eq!(
        (&lines[1]["author"], &lines[5]["author"], &lines[5]["time"]),
        (&json!(null), &json!(null), &json!(null))
    );
    assert!(lines[1]["time"].is_string() && first["time"] == json!(time.to_string()), "{first} {time}");
    let shown = repo.redraft(&["blame", "a.txt"], "").out;
    assert!(shown.lines().next().is_some_and(|line| line.contains(&author[..9]) && line.contains(" ago")), "{shown}");
    repo.commit_all("all");
    let line = &repo.redraft(&["blame", "a.txt", "--json"], "").lines()[5];
    assert_eq!(line["commit"], json!(repo.git(&["rev-parse", "HEAD"]).trim()));
    assert!(repo.redraft(&["blame", "a.txt"], "").out.contains("ann"));
}

#[test]
fn who_writes_a_text_again_that_an_older_edit_left_wrote_its_line() {
    let repo = repo();
    for (old, new, agent) in [("two", "2", "ann"), ("2", "zwei", "bob"), ("zwei", "2", "cy")] {
        edit(&repo, old, new, agent);
    }
    assert_eq!(blamed(&repo, "a.txt")[1], "cy:2");
}

/// Seen: the lines of an edit that nobody had committed were those of the restore, of which no agent is known.
#[test]
fn what_a_restore_brings_back_is_its_first_writer_s() {
    let repo = repo();
    let id = edit(&repo, "two", "2", "ann");
    repo.write("a.txt", repo.text("a.txt").replace("six", "mine"));
    let other = edit(&repo, "five", "5", "bob");
    repo.done(&["undo", &other, &id], "");
    repo.done(&["restore", "--at", &other], "");
    let want = ["git:one", "ann:2", "git:three", "git:four", "bob:5", "-:mine"];
    assert_eq!(blamed(&repo, "a.txt"), want);
    repo.done(&["undo", &other], "");
    assert_eq!(blamed(&repo, "a.txt"), ["git:one", "ann:2", "git:three", "git:four", "git:five", "-:mine"]);
}

#[test]
fn what_an_undo_brings_back_is_its_first_writer_s() {
    let repo = repo();
    edit(&repo, "two", "2", "ann");
    let bob = edit(&repo, "2", "zwei", "bob");
    edit(&repo, "six", "6", "cat");
    repo.done(&["undo", &bob], "");
    let want = ["git:one", "ann:2", "git:three", "git:four", "git:five", "cat:6"];
    assert_eq!(blamed(&repo, "a.txt"), want);
    repo.done(&["redo"], "");
    assert_eq!(blamed(&repo, "a.txt")[1], "bob:zwei");
}

/// Seen: git's commit for the line, whose record `log` gives to that commit.
#[test]
fn a_line_whose_deletion_was_discarded_is_its_writer_s() {
    let repo = repo();
    edit(&repo, "two\n", "two\nANN\n", "ann");
    repo.commit_all("ann");
    edit(&repo, "ANN\nthree\n", "3\n", "bob");
    assert_eq!(blamed(&repo, "a.txt")[2], "bob:3");
    repo.git(&["checkout", "-q", "a.txt"]);
    let all = ["git:one", "git:two", "ann:ANN", "git:three", "git:four", "git:five", "git:six"];
    assert_eq!(blamed(&repo, "a.txt"), all);
    // Moved, it is the person's who moved it.
    repo.write("a.txt", "one\ntwo\nthree\nfour\nfive\nANN\nsix\n");
    assert_eq!(blamed(&repo, "a.txt")[5], "-:ANN");
    repo.write("a.txt", "zero\none\ntwo\nANN\nthree\nfour\nfive\nsix\n");
    assert_eq!(blamed(&repo, "a.txt")[..4], ["-:zero", "git:one", "git:two", "ann:ANN"]);
}

/// For each line of a file the subject of the commit that git blames; none where it is not committed.
fn blamed_by_git(repo: &TestRepo, path: &str) -> Vec<Option<String>> {
    let told = repo.git(&["blame", "--line-porcelain", "--", path]);
    let subjects = told.lines().filter_map(|line| line.strip_prefix("summary "));
    subjects.map(|subject| (!subject.starts_with("Version of ")).then(|| subject.to_owned())).collect()
}

/// Once, all lines between the first and the last changed one of an edit were given to its record.
#[test]
fn of_an_edit_that_spans_many_lines_only_the_changed_ones_are_its_record_s() {
    let repo = TestRepo::with_files(&[("a.txt", "1\n2\n\n4\n5\n6\n\n8\n9\n")]);
    repo.commit_all("base");
    edit(&repo, "2\n\n4\n5\n6\n\n8", "two\n\n4\nnew\n5\n6\n\neight", "ann");
    repo.commit_all("ann");
    let all = ["git:1", "ann:two", "git:", "git:4", "ann:new", "git:5", "git:6", "git:", "ann:eight", "git:9"];
    assert_eq!(blamed(&repo, "a.txt"), all);
    let by_git: Vec<bool> = blamed_by_git(&repo, "a.txt").iter().map(|one| one.as_deref() == Some("ann")).collect();
    assert_eq!(by_git, all.map(|line| line.starts_with("ann")));
    // The whole file, written anew.
    repo.apply(json!({"path": "a.txt", "content": repo.text("a.txt").replace("1\n", "one\n").replace('9', "nine"), "overwrite": true, "agent": {"name": "bob"}}));
    let all = ["bob:one", "ann:two", "git:", "git:4", "ann:new", "git:5", "git:6", "git:", "ann:eight", "bob:nine"];
    assert_eq!(blamed(&repo, "a.txt"), all);
}

/// Once, the lines between those that an undo brought back stayed the undone record's.
#[test]
fn what_an_undo_leaves_is_nobody_s_but_its_writer_s() {
    let repo = repo();
    let ann = edit(&repo, "two\nthree\nfour\nfive", "2\nthree\nfour\n5", "ann");
    repo.write("a.txt", repo.text("a.txt").replace("three", "user"));
    repo.done(&["undo", &ann], "");
    let want = ["git:one", "git:two", "-:user", "git:four", "git:five", "git:six"];
    assert_eq!(blamed(&repo, "a.txt"), want);
    repo.done(&["redo"], "");
    assert_eq!(blamed(&repo, "a.txt"), ["git:one", "ann:2", "-:user", "git:four", "ann:5", "git:six"]);
}

/// A file whose lines are all different, changed by agents and a person, undone and redone.
struct Story {
    repo: TestRepo,
    dice: Dice,
    next: usize,
    /// Who wrote each line that ever was; none for a person.
    writers: HashMap<String, Option<String>>,
    records: Vec<String>,
}

impl Story {
    fn lines(&mut self, count: usize) -> String {
        let first = self.next;
        self.next += count;
        (first..self.next).map(|n| format!("line{n} w{n}\n")).collect()
    }

    /// Lines of the file, and what they become: some of them replaced, left out, or with others before them.
    fn change(&mut self, text: &str) -> (String, String) {
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let (first, some) = (self.dice.roll(lines.len()), 1 + self.dice.roll(8));
        let old = &lines[first..lines.len().min(first + some)];
        let mut new = String::new();
        for (n, line) in old.iter().enumerate() {
            match self.dice.roll(6) {
                0 => new.push_str(&self.lines(1)),
                1 if lines.len() > 8 => {}
                2 => new.push_str(&format!("{}{line}", self.lines(1))),
                _ if n == 0 && old.len() == 1 => new.push_str(&self.lines(2)),
                _ => new.push_str(line),
            }
        }
        (old.concat(), new)
    }

    /// What was done, as the message of a commit of it.
    fn step(&mut self) -> String {
        let text = self.repo.text("a.txt");
        let (old, new) = self.change(&text);
        let (kind, which) = (self.dice.roll(10), self.dice.roll(self.records.len().max(1)));
        let writer = match kind {
            0..5 if old != new => {
                let whole = text.replacen(&old, &new, 1);
                let request = match kind {
                    0 => json!({"path": "a.txt", "content": whole, "overwrite": true}),
                    _ => json!({"path": "a.txt", "old_string": old, "new_string": new}),
                };
                self.records.push(self.repo.apply(request));
                self.records.last().cloned()
            }
            5..7 => {
                self.repo.write("a.txt", text.replacen(&old, &new, 1));
                None
            }
            // What cannot be undone is refused, and nothing is changed.
            7..9 if !self.records.is_empty() => {
                self.repo.redraft(&["undo", &self.records[which]], "");
                return "an undo".to_owned();
            }
            _ => {
                self.repo.redraft(&["redo"], "");
                return "a redo".to_owned();
            }
        };
        for line in new.lines() {
            self.writers.entry(line.to_owned()).or_insert_with(|| writer.clone());
        }
        format!("by {}", writer.as_deref().unwrap_or("a person"))
    }

    /// What blame says is so; where the steps were committed, git says the same of all that was not brought back by an undo.
    fn check(&self, told: &str) {
        let blamed = self.repo.redraft(&["blame", "a.txt", "--json"], "").lines();
        let by_git = blamed_by_git(&self.repo, "a.txt");
        for (line, by_git) in blamed.iter().zip(by_git) {
            let text = line["text"].as_str().expect("text");
            let writer = self.writers.get(text).unwrap_or_else(|| panic!("{told}: {text} is a line that nobody wrote"));
            assert_eq!(line["record"].as_str(), writer.as_deref(), "{told}: {text}, git: {by_git:?}\n{blamed:#?}");
            if let Some(id) = by_git.as_deref().and_then(|subject| subject.strip_prefix("by ")) {
                assert_eq!(writer.as_deref().unwrap_or("a person"), id, "{told}: {text}");
            }
        }
    }
}

/// `REDRAFT_SEQUENCES=100` tells as many stories; the default is small.
#[test]
fn lines_are_their_writers_whatever_is_edited_undone_and_redone_around_them() {
    let stories = std::env::var("REDRAFT_SEQUENCES").ok().and_then(|number| number.parse().ok()).unwrap_or(8);
    for seed in 0..stories {
        let (repo, dice) = (TestRepo::new(), Dice(seed));
        let mut story = Story { repo, dice, next: 0, writers: HashMap::new(), records: Vec::new() };
        let text = story.lines(14);
        story.repo.write("a.txt", &text);
        story.repo.commit_all("base");
        story.writers = text.lines().map(|line| (line.to_owned(), None)).collect();
        for n in 0..10 {
            let before = story.repo.text("a.txt");
            let done = story.step();
            if seed % 2 == 0 && before != story.repo.text("a.txt") {
                story.repo.commit_all(&done);
            }
            if n % 3 == 0 {
                story.check(&format!("story {seed}, step {n}"));
            }
        }
    }
}

#[test]
fn lines_are_followed_through_renames_and_creations() {
    let repo = repo();
    repo.apply(json!({"path": "n.txt", "content": "x\ny\n", "agent": {"name": "ann"}}));
    repo.apply(json!({"path": "n.txt", "rename_to": "m.txt", "edits": [{"old_string": "y", "new_string": "Y"}], "agent": {"name": "bob"}}));
    assert_eq!(blamed(&repo, "m.txt"), ["ann:x", "bob:Y"]);
    let answer = repo.redraft(&["blame", "none.txt", "--json"], "");
    assert_eq!((answer.status, &answer.json()["error"]["reason"]), (1, &json!("no_such_file")));
}

#[test]
fn status_tells_what_agents_changed_since_head() {
    let repo = repo();
    assert_eq!(
        repo.redraft(&["status", "--json"], "").json(),
        json!({"in_flight": [], "journal": {"entries": 0}, "agent_changes": [], "troubles": [], "unwritable": null})
    );
    let one = edit(&repo, "two", "2", "ann");
    let two = edit(&repo, "five", "5", "bob");
    let made = repo.apply(json!({"path": "new.txt", "content": "x\n"}));
    let status = repo.redraft(&["status", "--json"], "").json();
    let ids = |status: &Value| -> Vec<(String, Vec<(String, bool)>)> {
        let changes = status["agent_changes"].as_array().expect("changes");
        let record = |r: &Value| (r["id"].as_str().expect("an id").to_owned(), !r["undone_by"].is_null());
        changes
            .iter()
            .map(|c| {
                (
                    c["path"].as_str().expect("a path").to_owned(),
                    c["records"].as_array().expect("records").iter().map(record).collect(),
                )
            })
            .collect()
    };
    assert_eq!(
        ids(&status),
        [
            ("a.txt".to_owned(), vec![(two.clone(), false), (one.clone(), false)]),
            ("new.txt".to_owned(), vec![(made.clone(), false)])
        ]
    );
    assert_eq!(status["journal"]["entries"], json!(3));
    repo.done(&["undo", &one], "");
    assert_eq!(ids(&repo.redraft(&["status", "--json"], "").json())[0].1, [(two, false), (one, true)]);
    repo.commit_all("all");
    assert_eq!(repo.redraft(&["status", "--json"], "").json()["agent_changes"], json!([]));
    let three = edit(&repo, "six", "6", "ann");
    assert_eq!(ids(&repo.redraft(&["status", "--json"], "").json()), [("a.txt".to_owned(), vec![(three, false),])]);
    assert!(repo.redraft(&["status"], "").out.contains("a.txt"));
}

#[test]
fn blame_of_some_lines_takes_them_as_git_does() {
    let repo = TestRepo::with_files(&[("a.txt", "one\ntwo\nthree\nfour\ntwo\n")]);
    repo.apply(json!({"path": "a.txt", "old_string": "three", "new_string": "3"}));
    for args in [
        &["-L", "2"][..],
        &["-L", "2,4"],
        &["-L", "4,2"],
        &["-L", "2,+2"],
        &["-L", "4,-2"],
        &["-L", ",2"],
        &["-L", "/^t/,+1"],
        &["-L", "1,/two/"],
        &["-L", "2,99"],
        &["-L", "1,1", "-L", "4,5"],
        &["-L", "/two/,+1", "-L", "/two/,+1"],
    ] {
        let own = repo.redraft(&[&["blame", "--json", "a.txt"], args].concat(), "");
        let own: Vec<u64> = own.lines().iter().map(|line| line["line"].as_u64().expect("a number")).collect();
        let git = repo.git(&[&["blame", "-s", "-f"], args, &["--", "a.txt"]].concat());
        let number = |line: &str| line.split(')').next()?.rsplit(' ').next()?.parse().ok();
        assert_eq!(own, git.lines().filter_map(number).collect::<Vec<u64>>(), "{args:?}");
    }
    for (range, said, status) in
        [("6", "there is no line 6, the file has 5", 1), ("/six/", "matches \"six\"", 1), ("x", "N,+K", 2)]
    {
        let refused = repo.redraft(&["blame", "-L", range, "a.txt"], "");
        assert_eq!(refused.status, status, "{range}");
        assert!(refused.err.contains(said), "{range}: {}", refused.err);
    }
    let refused = repo.redraft(&["blame", "--json", "-L", "6", "a.txt"], "");
    assert_eq!((refused.status, &refused.json()["error"]["reason"]), (1, &json!("no_match")));
}

/// Once, nothing matched an empty line, and a backslash before the last slash was taken to escape it.
#[test]
fn empty_lines_and_backslashes_are_looked_for_as_git_does() {
    let repo = TestRepo::with_files(&[("a.txt", "one\n\nthree\\\nfour/\n\nsix\n")]);
    for range in ["1,/^$/", "/^$/,+1", "3,/^$/", "/\\\\/,+1", "/r\\//,+1"] {
        let own = repo.redraft(&["blame", "--json", "-L", range, "a.txt"], "");
        let own: Vec<u64> = own.lines().iter().map(|line| line["line"].as_u64().expect("a number")).collect();
        let git = repo.git(&["blame", "-s", "-L", range, "--", "a.txt"]);
        let number = |line: &str| line.split(')').next()?.rsplit(' ').next()?.parse().ok();
        assert_eq!(own, git.lines().filter_map(number).collect::<Vec<u64>>(), "{range}");
    }
}

#[test]
fn lines_of_every_age_stand_one_below_the_other() {
    let repo = repo();
    let old = jiff::Timestamp::now().as_second() - (4 * 365 + 11 * 30 + 5) * 86_400;
    repo.git(&["commit", "--amend", "-q", "--no-edit", "--date", &format!("@{old} +0000")]);
    edit(&repo, "two", "2", "ann");
    repo.write("a.txt", repo.text("a.txt").replace("three", "user"));
    let told = repo.redraft(&["blame", "a.txt"], "").out;
    assert!(told.contains("4 years, 11 months ago"), "{told}");
    let places: Vec<Option<usize>> = told.lines().map(|line| Some(line[..line.find(") ")?].chars().count())).collect();
    assert!(places.iter().all(|place| place.is_some() && *place == places[0]), "{told}");
}

/// Seen: the committer, or nobody; for a line of the person's, an agent.
#[test]
fn a_line_is_its_writer_s_however_many_edits_were_discarded_since() {
    let all = ["git:one", "ann:ANN", "git:three", "git:four", "git:five", "git:six"];
    for discarded in ["edits", "undo and edit", "rewritten"] {
        let repo = repo();
        let ann = edit(&repo, "two", "ANN", "ann");
        repo.commit_all("ann");
        match discarded {
            "edits" => drop(edit(&repo, "ANN", "bob", "bob")),
            _ => drop(repo.done(&["undo", &ann], "")),
        }
        if discarded == "rewritten" {
            repo.apply(
                json!({"path": "a.txt", "content": "b\nANN\nfive\n", "overwrite": true, "agent": {"name": "bob"}}),
            );
        }
        edit(&repo, "five", "5", "bob");
        repo.git(&["checkout", "-q", "a.txt"]);
        assert_eq!(blamed(&repo, "a.txt"), all);
        // Somebody typed on.
        repo.write("a.txt", repo.text("a.txt") + "seven\n");
        assert_eq!(blamed(&repo, "a.txt")[1], "ann:ANN");
        assert_eq!(blamed(&repo, "a.txt")[6], "-:seven");
    }
    let repo = repo();
    for (content, overwrite) in [("b\n", true), ("b\nfive\n", true)] {
        repo.apply(json!({"path": "a.txt", "content": content, "overwrite": overwrite, "agent": {"name": "bob"}}));
    }
    repo.git(&["checkout", "-q", "a.txt"]);
    assert!(blamed(&repo, "a.txt").iter().all(|line| line.starts_with("git:")));
}

/// Once, they were nobody's.
#[test]
fn lines_of_a_file_that_was_made_or_removed_again_are_their_writer_s() {
    let repo = repo();
    repo.apply(json!({"path": "n.txt", "content": "x\ny\n", "agent": {"name": "ann"}}));
    repo.done(&["undo"], "");
    repo.done(&["redo"], "");
    assert_eq!(blamed(&repo, "n.txt"), ["ann:x", "ann:y"]);
    repo.commit_all("ann");
    assert_eq!(blamed(&repo, "n.txt"), ["ann:x", "ann:y"]);
    repo.apply(json!({"path": "n.txt", "delete": true, "agent": {"name": "bob"}}));
    repo.done(&["undo"], "");
    assert_eq!(blamed(&repo, "n.txt"), ["ann:x", "ann:y"]);
    repo.apply(json!({"path": "n.txt", "delete": true, "agent": {"name": "bob"}}));
    repo.git(&["checkout", "-q", "n.txt"]);
    assert_eq!(blamed(&repo, "n.txt"), ["ann:x", "ann:y"]);
}

/// Seen: the lines were the command's where the file has other ends than git stores, until the record was sealed.
#[test]
fn a_line_that_a_command_took_from_head_again_is_git_s_whatever_ends_the_file_has() {
    for rules in ["", "* text eol=crlf\n", "* text eol=lf\n"] {
        let repo = TestRepo::with_files(&[("a.txt", "one\ntwo\nthree\n"), (".gitattributes", rules)]);
        repo.shell("rm a.txt; git checkout -q a.txt");
        let was = repo.read("a.txt");
        repo.write("a.txt", String::from_utf8(was).expect("UTF-8").replace("two", "of a person"));
        let answer = repo.redraft(&["run", "--agent", "bot", "--", "git", "checkout", "-q", "a.txt"], "");
        assert_eq!(
            (answer.status, repo.redraft(&["log", "--json"], "").lines().len()),
            (0, 1),
            "{rules}: {}",
            answer.err
        );
        assert_eq!(blamed(&repo, "a.txt").iter().filter(|line| line.starts_with("git:")).count(), 3, "{rules}");
    }
}

/// Seen: what was redone while the file had another name was git's, as the records of that name were thought to be older than those of its own.
#[test]
fn lines_of_a_file_that_has_its_first_name_again_are_their_writers_under_either_name() {
    for is_edited_on in [false, true] {
        let lines: String = (1..=6).map(|n| format!("line {n}\nkept {n} as it is\nkept {n}, too\n")).collect();
        let repo = TestRepo::with_files(&[("a.txt", &lines)]);
        let of = |path: &str, old: &str, new: &str| {
            repo.apply(json!({"path": path, "old_string": old, "new_string": new, "agent": {"name": "ann"}}))
        };
        let ann = of("a.txt", "line 4\n", "ANN 4\n");
        repo.done(&["undo", &ann], "");
        of("a.txt", "line 5\n", "ANN 5\n");
        repo.git(&["mv", "a.txt", "b.txt"]);
        of("b.txt", "line 2\n", "ANN 2\n");
        repo.done(&["redo", &ann], "");
        repo.commit_all("under the other name");
        repo.git(&["mv", "b.txt", "a.txt"]);
        if is_edited_on {
            of("a.txt", "line 3\n", "ANN 3\n");
        }
        let lines = blamed(&repo, "a.txt");
        let of_ann: Vec<&str> = lines.iter().filter_map(|line| line.strip_prefix("ann:")).collect();
        let all: &[&str] =
            if is_edited_on { &["ANN 2", "ANN 3", "ANN 4", "ANN 5"] } else { &["ANN 2", "ANN 4", "ANN 5"] };
        assert_eq!(of_ann, all, "{lines:#?}");
    }
}

/// Seen: the line was nobody's, where the undo that was discarded counted as the last word on its record.
#[test]
fn a_line_that_git_brought_back_is_its_writer_s_though_two_records_and_a_person_came_between_and_its_undo_was_discarded()
 {
    for is_committed in [false, true] {
        let repo = TestRepo::with_files(&[("a.txt", "line 0\nkept\nline 1\nkept 1\nline 2\n")]);
        let of = |old: &str, new: &str| {
            repo.apply(json!({"path": "a.txt", "old_string": old, "new_string": new, "agent": {"name": "ann"}}))
        };
        let first = of("line 0", "ANN 0");
        repo.git(&["add", "a.txt"]);
        if is_committed {
            repo.commit_all("what ann put first");
        }
        of("ANN 0", "ANN 1");
        if is_committed {
            repo.commit_all("is gone");
        }
        of("ANN 1", "ANN 2");
        of("ANN 2", "ANN 3");
        // What was committed and taken out again a person writes anew.
        if !is_committed {
            repo.git(&["restore", "a.txt"]);
        }
        repo.write("a.txt", repo.text("a.txt").replace("ANN 3", "ANN 0").replace("line 2", "of a person"));
        if !is_committed {
            repo.done(&["undo", &first], "");
            repo.write("a.txt", repo.text("a.txt").replace("line 0", "ANN 0"));
        }
        let of_ann = if is_committed { "-:ANN 0" } else { "ann:ANN 0" };
        assert_eq!(blamed(&repo, "a.txt")[0], of_ann);
    }
}

/// Seen: the line was a person's in the agent's commit, as git was told to look past the commit that changed it.
#[test]
fn a_line_is_of_the_commit_that_wrote_it_as_it_stands_whatever_commits_git_is_told_to_ignore() {
    let repo = TestRepo::with_files(&[("a.txt", "alpha\nbravo\n")]);
    repo.apply(
        json!({"path": "a.txt", "old_string": "bravo", "new_string": "call(alpha,bravo)", "agent": {"name": "ann"}}),
    );
    repo.commit_all("of the agent");
    repo.write("a.txt", "alpha\ncall(alpha, bravo)\n");
    repo.commit_all("reformatted");
    repo.write("ignored", repo.git(&["rev-parse", "HEAD"]));
    repo.git(&["config", "blame.ignoreRevsFile", "ignored"]);
    let line = &repo.redraft(&["blame", "a.txt", "--json"], "").lines()[1];
    assert_eq!(
        (&line["record"], line["commit"].as_str()),
        (&Value::Null, Some(repo.git(&["rev-parse", "HEAD"]).trim()))
    );
}
