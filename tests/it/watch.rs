//! `redraft watch`: what nobody else records is recorded as nobody's.

use crate::support::run::command;
use crate::support::{TestRepo, clean};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// A watch that runs.
struct Watch {
    child: Child,
    /// Its lines on standard output.
    lines: Receiver<String>,
}

impl Watch {
    fn of(repo: &TestRepo) -> Self {
        let mut command = command(&repo.root(), &["watch", "--json", "--quiet-time", "0.2"]);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("runs");
        let mut said = BufReader::new(child.stderr.take().expect("a pipe"));
        let mut first = String::new();
        said.read_line(&mut first).expect("a line");
        assert!(first.starts_with("redraft: watching "), "{first}");
        std::thread::spawn(move || said.lines().for_each(drop));
        let out = BufReader::new(child.stdout.take().expect("a pipe"));
        let (send, lines) = channel();
        std::thread::spawn(move || out.lines().map_while(Result::ok).for_each(|line| drop(send.send(line))));
        Self { child, lines }
    }

    /// The paths of the next record.
    fn next(&self) -> Value {
        let line = self.lines.recv_timeout(Duration::from_secs(20)).expect("a record");
        serde_json::from_str::<Value>(&line).expect("JSON")["paths"].clone()
    }

    /// Ends it as Ctrl-C does; gives what it still recorded.
    fn end(mut self) -> Vec<Value> {
        let status = Command::new("kill").args(["-INT", &self.child.id().to_string()]).status().expect("runs");
        assert!(status.success());
        assert_eq!(self.child.wait().expect("ends").code(), Some(0));
        let line = |line: String| serde_json::from_str::<Value>(&line).expect("JSON")["paths"].clone();
        self.lines.iter().map(line).collect()
    }
}

/// What the log says, oldest first: the tool, the session and the files.
fn log(repo: &TestRepo) -> Vec<String> {
    let mut records = repo.redraft(&["log", "--json"], "").lines();
    records.reverse();
    let word = |value: &Value| value.as_str().unwrap_or("-").to_owned();
    let line = |record: &Value| {
        let files: Vec<String> =
            record["files"].as_array().expect("a list").iter().map(|file| word(&file["path"])).collect();
        format!("{} {}: {}", word(&record["observed"]["tool"]), word(&record["session"]), files.join(" "))
    };
    records.iter().map(line).collect()
}

fn repo() -> TestRepo {
    TestRepo::with_files(&[("a", "one\n"), ("d/b", "two\n"), (".gitignore", "*.log\ntarget/\n")])
}

#[test]
fn what_nobody_else_records_is_recorded_and_undone() {
    let repo = repo();
    let watch = Watch::of(&repo);
    repo.write("a", "by an editor\n");
    assert_eq!(watch.next(), json!(["a"]));
    // A directory that is new, and one in it.
    repo.write("new/deep/file", "1\n");
    assert_eq!(watch.next(), json!(["new/deep/file"]));
    repo.write("new/deep/file", "2\n");
    assert_eq!(watch.next(), json!(["new/deep/file"]));
    repo.write("x.log", "ignored\n");
    repo.write("target/x", "ignored\n");
    std::fs::remove_file(repo.root().join("d/b")).expect("removed");
    assert_eq!(watch.next(), json!(["d/b"]));
    // What is there when it ends.
    repo.write("a", "at last\n");
    assert_eq!(watch.end(), [json!(["a"])]);
    let who = "unattributed -";
    assert_eq!(log(&repo), ["a", "new/deep/file", "new/deep/file", "d/b", "a"].map(|path| format!("{who}: {path}")));
    for _ in 0..5 {
        repo.done(&["undo"], "");
    }
    assert_eq!((repo.text("a").as_str(), repo.text("d/b").as_str(), repo.has("new")), ("one\n", "two\n", false));
    // Nothing is recorded once it ended.
    repo.write("a", "later\n");
    let payload = json!({"redraft": 1, "event": "prompt", "session": "s", "cwd": repo.root()});
    repo.redraft(&["hook"], &payload.to_string());
    assert_eq!(log(&repo).len(), 10);
}

#[test]
fn what_others_record_is_recorded_once() {
    let repo = repo();
    repo.git(&["checkout", "-q", "-b", "side"]);
    repo.write("d/b", "side\n");
    repo.commit_all("side");
    repo.git(&["checkout", "-q", "main"]);
    let watch = Watch::of(&repo);
    repo.edit("a", "one", "redraft's");
    repo.git(&["checkout", "-q", "side"]);
    let tell = |event: &str, path: &str| {
        let payload = json!({"redraft": 1, "event": event, "session": "s", "call": path, "tool": "write", "cwd": repo.root(), "paths": [path]});
        assert_eq!(repo.redraft(&["hook"], &payload.to_string()).status, 0);
    };
    tell("before", "c");
    repo.write("c", "the agent's\n");
    std::thread::sleep(Duration::from_millis(600));
    tell("after", "c");
    let script = "echo run > r";
    assert!(
        clean(command(&repo.root(), &["run", "-q", "--", "sh", "-c", script]).stdin(Stdio::null()), &repo.root())
            .status()
            .expect("runs")
            .success()
    );
    repo.write("mine", "mine\n");
    while watch.next() != json!(["mine"]) {}
    assert_eq!(watch.end(), [Value::Null; 0]);
    assert_eq!(log(&repo), ["- -: a", "write s: c", "sh -: r", "unattributed -: mine"]);
}

#[test]
fn a_watch_that_is_killed_leaves_nothing_behind() {
    let repo = repo();
    let mut watch = Watch::of(&repo);
    repo.write("a", "seen\n");
    assert_eq!(watch.next(), json!(["a"]));
    watch.child.kill().expect("killed");
    watch.child.wait().expect("ends");
    repo.write("a", "not seen\n");
    let tell = |event: &str| {
        let payload =
            json!({"redraft": 1, "event": event, "session": "s", "call": "1", "tool": "sh", "cwd": repo.root()});
        assert_eq!(repo.redraft(&["hook"], &payload.to_string()).status, 0);
    };
    tell("before");
    repo.write("d/b", "the agent's\n");
    tell("after");
    assert_eq!(log(&repo), ["unattributed -: a", "sh s: d/b"]);
}
