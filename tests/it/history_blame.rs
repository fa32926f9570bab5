//! Blame and status: records above, git beneath.

use crate::support::TestRepo;
use serde_json::{Value, json};

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
        json!({"in_flight": [], "journal": {"entries": 0}, "agent_changes": [], "troubles": []})
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
    for (range, said) in [("6", "there is no line 6, the file has 5"), ("/six/", "matches \"six\""), ("x", "N,+K")] {
        let refused = repo.redraft(&["blame", "-L", range, "a.txt"], "");
        assert_eq!(refused.status, 2, "{range}");
        assert!(refused.err.contains(said), "{range}: {}", refused.err);
    }
}
