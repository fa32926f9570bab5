//! `redraft serve`, through its socket and `redraft apply --via-server`.

use crate::support::run::{REDRAFT, command};
use crate::support::{TestRepo, clean};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Frames of the journal: an intent, and one that shares the sync of the one before it.
const INTENT: u8 = 1;
const JOINED: u8 = 4;

struct Server {
    child: Child,
    socket: PathBuf,
    /// Whether it goes on only when somebody waits for it.
    is_stopped: bool,
    _folder: tempfile::TempDir,
}

impl Server {
    fn start(repo: &TestRepo, args: &[&str]) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let socket = folder.path().join("run/serve");
        let mut command = command(&repo.root(), &["serve", "--socket"]);
        command.arg(&socket).args(args).stderr(Stdio::null());
        let child = command.spawn().expect("it starts");
        let server = Self { child, socket, is_stopped: false, _folder: folder };
        let begun = Instant::now();
        while !server.socket.exists() {
            assert!(begun.elapsed() < Duration::from_secs(10), "it serves");
            std::thread::sleep(Duration::from_millis(5));
        }
        server
    }

    fn connect(&self) -> Caller {
        let out = UnixStream::connect(&self.socket).expect("it listens");
        let timeout = out.set_read_timeout(Some(Duration::from_secs(20)));
        timeout.expect("a timeout");
        Caller { answers: BufReader::new(out.try_clone().expect("a handle")), out }
    }

    fn signal(&self, name: &str) {
        let done = Command::new("kill").args([name, &self.child.id().to_string()]).status().expect("kill runs");
        assert!(done.success());
    }

    /// Runs `redraft apply --via-server` with a request.
    fn apply(&self, repo: &TestRepo, args: &[&str], request: &Value) -> (i32, String) {
        let mut command = command(&repo.root(), &["apply", "--via-server"]);
        command.args(args).env("REDRAFT_SOCKET", &self.socket);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
        child.stdin.take().expect("an input").write_all(request.to_string().as_bytes()).expect("it reads");
        if self.is_stopped {
            // Who asks the server waits for it.
            std::thread::sleep(Duration::from_millis(300));
            assert!(child.try_wait().expect("a state").is_none(), "{args:?} is not done by the server");
            self.signal("-CONT");
        }
        let out = child.wait_with_output().expect("it ends");
        (out.status.code().unwrap_or(-1), String::from_utf8(out.stdout).expect("text"))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        _ = self.child.kill();
        _ = self.child.wait();
    }
}

struct Caller {
    out: UnixStream,
    answers: BufReader<UnixStream>,
}

impl Caller {
    fn send(&mut self, ask: &Value) {
        self.out.write_all(format!("{ask}\n").as_bytes()).expect("it reads");
    }

    fn next(&mut self) -> Value {
        let mut line = String::new();
        self.answers.read_line(&mut line).expect("an answer");
        serde_json::from_str(&line).unwrap_or(Value::Null)
    }

    fn ask(&mut self, ask: &Value) -> Value {
        self.send(ask);
        self.next()
    }
}

fn edit(old: &str, new: &str) -> Value {
    json!({"path": "a.txt", "old_string": old, "new_string": new})
}

fn call(repo: &TestRepo, request: &Value) -> Value {
    json!({"id": 1, "cwd": repo.root(), "request": request})
}

/// What differs between two runs: ids, times and folders named by them.
fn without_ids(mut answer: Value) -> Value {
    answer["data"]["record"] = Value::Null;
    answer["data"]["backup"] = Value::Null;
    answer["text"] = Value::Null;
    answer["stats"] = Value::Null;
    answer
}

#[test]
fn the_server_answers_what_a_process_of_its_own_answers() {
    for request in [
        edit("two", "2"),
        edit("nothing", "2"),
        json!({"files": [{"path": "a.txt", "old_string": "one", "new_string": "1"}, {"path": "new/b.txt", "content": "b\n"}]}),
        json!({"path": "../a.txt", "old_string": "two", "new_string": "2"}),
        json!({"bad": 1}),
    ] {
        let (here, there) =
            (TestRepo::with_files(&[("a.txt", "one\ntwo\n")]), TestRepo::with_files(&[("a.txt", "one\ntwo\n")]));
        let server = Server::start(&there, &[]);
        let own = here.redraft(&["apply"], &request.to_string());
        let (status, served) = server.apply(&there, &[], &request);
        assert_eq!(status, own.status, "{request}: {served}");
        let served: Value = serde_json::from_str(&served).expect("JSON");
        let own: Value = serde_json::from_str(&own.out).expect("JSON");
        let roots = |value: Value, root: &Path| -> Value {
            serde_json::from_str(&value.to_string().replace(&root.display().to_string(), "ROOT")).expect("JSON")
        };
        assert_eq!(roots(without_ids(served), &there.root()), roots(without_ids(own), &here.root()), "{request}");
        assert_eq!(here.git(&["status", "--porcelain"]), there.git(&["status", "--porcelain"]));
        assert_eq!(here.text("a.txt"), there.text("a.txt"));
    }
}

#[test]
fn each_form_of_an_answer_is_that_of_the_command() {
    let repo = TestRepo::with_files(&[("a.txt", "one\ntwo\n")]);
    let mut server = Server::start(&repo, &[]);
    server.is_stopped = true;
    server.signal("-STOP");
    let (status, text) = server.apply(&repo, &["--answer", "text"], &edit("two", "2"));
    assert!(status == 0 && text.contains("edited a.txt") && !text.contains('{'), "{text}");
    server.signal("-STOP");
    let (_, brief) = server.apply(&repo, &["--answer", "brief"], &edit("2", "two"));
    assert!(brief.starts_with('{') && !brief.contains("params_input"), "{brief}");
    let request = json!({"filePath": "a.txt", "oldString": "two", "newString": "2"});
    server.signal("-STOP");
    let (_, native) = server.apply(&repo, &["--answer", "native", "--message", "why"], &request);
    assert!(native.contains("\"title\""), "{native}");
    assert!(repo.redraft(&["log", "-n", "1"], "").out.contains("why"));
    let mut caller = server.connect();
    let read = caller.ask(&json!({"id": 5, "cwd": repo.root(), "args": ["read", "a.txt", "--answer", "text"]}));
    assert_eq!(read, json!({"id": 5, "status": 0, "output": "one\n2\n"}));
    assert_eq!(caller.ask(&json!({"cwd": repo.root(), "args": ["check"], "request": edit("2", "3")}))["status"], 0);
    assert_eq!(repo.text("a.txt"), "one\n2\n", "a check writes nothing");
}

#[test]
fn where_nobody_serves_it_is_done_here() {
    let repo = TestRepo::with_files(&[("a.txt", "one\ntwo\n")]);
    let mut server = Server::start(&repo, &[]);
    server.signal("-TERM");
    assert!(server.child.wait().expect("it ends").success());
    assert!(!server.socket.exists());
    assert_eq!(server.apply(&repo, &[], &edit("two", "2")).0, 0);
    assert_eq!(repo.text("a.txt"), "one\n2\n");
}

#[test]
fn a_server_without_calls_ends() {
    let repo = TestRepo::with_files(&[("a.txt", "one\ntwo\n")]);
    let mut server = Server::start(&repo, &["--idle", "1"]);
    assert_eq!(server.apply(&repo, &[], &edit("two", "2")).0, 0);
    let begun = Instant::now();
    assert!(server.child.wait().expect("it ends").success());
    assert!(begun.elapsed() > Duration::from_millis(500) && !server.socket.exists());
}

#[test]
fn what_runs_programs_or_asks_a_person_is_handed_back() {
    let repo = TestRepo::with_files(&[("a.txt", "one\ntwo\n"), ("ask.txt", "x\n")]);
    repo.git(&["config", "redraft.confirm", "ask.txt"]);
    let server = Server::start(&repo, &[]);
    let mut caller = server.connect();
    let mut commit = edit("two", "2");
    commit["record"] = json!("commit");
    assert_eq!(caller.ask(&call(&repo, &commit))["reason"], "not_served");
    assert_eq!(repo.text("a.txt"), "one\ntwo\n");
    let asks = json!({"path": "ask.txt", "old_string": "x", "new_string": "y"});
    assert_eq!(caller.ask(&call(&repo, &asks))["reason"], "declined");
    for args in [["status"], ["log"], ["purge"]] {
        let told = caller.ask(&json!({"cwd": repo.root(), "args": args}));
        assert_eq!(told["reason"], "not_served", "{told}");
    }
    // The command does it itself then.
    assert_eq!(server.apply(&repo, &[], &commit).0, 0);
    assert_eq!(repo.git(&["log", "--format=%s", "-n", "1"]), "edit a.txt\n");
    assert_eq!(server.apply(&repo, &["--verify", "false"], &edit("one", "1")).0, 3);
    assert_eq!(repo.text("a.txt"), "one\n2\n");
}

#[test]
fn undo_and_redo_are_done_by_the_server_between_edits() {
    let repo = TestRepo::with_files(&[("a.txt", "one\ntwo\n")]);
    let server = Server::start(&repo, &[]);
    let mut caller = server.connect();
    let ask = |args: &[&str]| json!({"id": args[0], "cwd": repo.root(), "args": args});
    // Sent at once: each sees what the one before it did.
    caller.send(&call(&repo, &edit("one", "1")));
    caller.send(&call(&repo, &edit("two", "2")));
    caller.send(&ask(&["undo"]));
    caller.send(&ask(&["redo"]));
    caller.send(&ask(&["undo", "@-3"]));
    let told: Vec<Value> = (0..5).map(|_| caller.next()).collect();
    assert!(told.iter().all(|told| told["status"] == 0), "{told:?}");
    assert_eq!(repo.text("a.txt"), "one\n2\n");
    let answer: Value = serde_json::from_str(told[4]["output"].as_str().expect("text")).expect("JSON");
    assert_eq!(answer["data"]["applied"], true, "{answer}");
    // What they refuse is what the command refuses, and what runs programs is handed back.
    let refused = caller.ask(&ask(&["undo", "zzzzzz"]));
    let here = repo.redraft(&["undo", "zzzzzz"], "");
    assert_eq!((refused["status"].as_i64(), &refused["reason"]), (Some(here.status.into()), &json!("no_such_record")));
    assert_eq!(caller.ask(&ask(&["undo", "--record", "commit"]))["reason"], "not_served");
    assert_eq!(caller.ask(&ask(&["undo", "-i"]))["reason"], "not_served");
    repo.git(&["config", "redraft.verify", "true"]);
    assert_eq!(caller.ask(&ask(&["undo"]))["reason"], "not_served");
    assert_eq!(repo.text("a.txt"), "one\n2\n");
}

#[test]
fn callers_with_other_surroundings_are_handed_back() {
    let repo = TestRepo::with_files(&[("a.txt", "one\ntwo\n")]);
    let server = Server::start(&repo, &[]);
    let mut caller = server.connect();
    let mut ask = call(&repo, &edit("two", "2"));
    ask["variables"] = json!({"HOME": "/elsewhere"});
    assert_eq!(caller.ask(&ask)["reason"], "not_served");
    ask["variables"] = json!({"GIT_DIR": "/elsewhere/.git"});
    assert_eq!(caller.ask(&ask)["reason"], "not_served");
    assert_eq!(caller.ask(&json!({"cwd": "a", "request": edit("two", "2")}))["reason"], "not_served");
    // Who makes files with another mode gets no answer but this, and makes them itself.
    let mut command = Command::new("sh");
    let script = format!("umask 077; exec {REDRAFT} apply --via-server");
    clean(command.args(["-c", &script]), &repo.root())
        .env("REDRAFT_SOCKET", &server.socket)
        .stdin(Stdio::piped())
        .stdout(Stdio::null());
    let mut child = command.spawn().expect("sh runs");
    let request = json!({"path": "new.txt", "content": "new\n"}).to_string();
    child.stdin.take().expect("an input").write_all(request.as_bytes()).expect("it reads");
    assert!(child.wait().expect("it ends").success());
    let mode = std::fs::metadata(repo.root().join("new.txt")).expect("made").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[test]
fn the_disk_is_seen_as_it_is_however_it_changes_between_calls() {
    let repo = TestRepo::with_files(&[("a.txt", "one\ntwo\n")]);
    let server = Server::start(&repo, &[]);
    let mut caller = server.connect();
    let mut done = |request: &Value| {
        let told = caller.ask(&call(&repo, request));
        (told["status"].as_i64().expect("a status"), told["reason"].as_str().unwrap_or_default().to_owned())
    };
    for n in 0..10 {
        let (old, new) = if n % 2 == 0 { ("two", "2") } else { ("2", "two") };
        assert_eq!(done(&edit(old, new)).0, 0);
        repo.git(&["config", "redraft.deny", "a.txt"]);
        assert_eq!(done(&edit(new, old)), (1, "policy".into()));
        repo.git(&["config", "--unset", "redraft.deny"]);
        assert_eq!(done(&edit("one", "one")), (1, "same_text".into()));
    }
    let mut clean = edit("two", "2");
    clean["require_clean"] = json!(true);
    assert_eq!(done(&clean).0, 0);
    assert_eq!(
        done(&json!({"path": "a.txt", "old_string": "2", "new_string": "3", "require_clean": true})),
        (1, "not_clean".into())
    );
    repo.git(&["commit", "-qam", "two"]);
    assert_eq!(done(&json!({"path": "a.txt", "old_string": "2", "new_string": "3", "require_clean": true})).0, 0);
    // Another repository in its place.
    repo.shell("rm -rf .git; git init -q .; printf 'one\\ntwo\\n' > a.txt");
    assert_eq!(done(&edit("two", "2")).0, 0);
    assert_eq!(repo.redraft(&["log", "--oneline"], "").out.lines().count(), 1);
}

#[test]
fn lines_that_are_no_calls_are_told_and_hold_up_nobody() {
    let repo = TestRepo::with_files(&[("a.txt", "one\ntwo\n")]);
    let server = Server::start(&repo, &[]);
    let mut caller = server.connect();
    for line in ["", "{", "[]", "7", "{\"cwd\": 1}", "{\"cwd\": \"/\", \"extra\": 1}", "\u{0}\u{0}"] {
        caller.out.write_all(format!("{line}\n").as_bytes()).expect("it reads");
        assert_eq!(caller.next()["reason"], "bad_json", "{line:?}");
    }
    // Which call it was is told where that can be read; a key given twice is one that nobody can do.
    for line in [
        "{\"id\": 7}",
        "{\"id\": 7, \"cwd\": \"/\", \"request\": {\"path\": \"a\", \"path\": \"b\"}}",
        "{\"id\": 7, \"cwd\": \"\\ud800\"}",
    ] {
        caller.out.write_all(format!("{line}\n").as_bytes()).expect("it reads");
        let told = caller.next();
        assert_eq!((&told["reason"], &told["id"]), (&json!("bad_json"), &json!(7)), "{line:?}");
    }
    caller.out.write_all(b"{\"cwd\": \"\xff\"}\n").expect("it reads");
    assert_eq!(caller.next()["reason"], "bad_json");
    assert_eq!(caller.ask(&json!({"cwd": "/", "args": ["apply", "--no-such-flag"]}))["status"], 1);
    assert_eq!(caller.ask(&call(&repo, &edit("two", "2")))["status"], 0);
    // Half a line, and the end.
    let mut half = server.connect();
    half.out.write_all(call(&repo, &edit("2", "two")).to_string().as_bytes()).expect("it reads");
    half.out.shutdown(std::net::Shutdown::Write).expect("it ends");
    assert_eq!(half.next()["reason"], "bad_json");
    assert_eq!(repo.text("a.txt"), "one\n2\n");
}

#[test]
fn a_client_that_never_reads_holds_up_nobody_and_is_bounded() {
    let repo = TestRepo::with_files(&[("a.txt", &"line\n".repeat(2_000))]);
    let server = Server::start(&repo, &[]);
    let mut silent = server.connect();
    silent.out.set_write_timeout(Some(Duration::from_millis(300))).expect("a timeout");
    let ask = json!({"cwd": repo.root(), "args": ["read", "a.txt"]}).to_string() + "\n";
    // Its answers fill the pipe; then it may not write any more, either.
    let sent = (0..10_000).take_while(|_| silent.out.write_all(ask.as_bytes()).is_ok()).count();
    assert!(sent < 10_000);
    let mut other = server.connect();
    let begun = Instant::now();
    assert_eq!(other.ask(&json!({"cwd": repo.root(), "request": {"path": "b.txt", "content": "b\n"}}))["status"], 0);
    assert!(begun.elapsed() < Duration::from_secs(10));
}

#[test]
fn thousands_of_calls_without_waiting_are_each_answered_once() {
    let repo = TestRepo::with_files(&[("a.txt", "one\ntwo\n")]);
    let server = Server::start(&repo, &[]);
    let Caller { mut out, mut answers } = server.connect();
    let root = repo.root();
    let writer = std::thread::spawn(move || {
        for n in 0..3_000 {
            let ask = json!({"id": n, "cwd": root, "args": ["read", "a.txt", "--answer", "text"]});
            out.write_all(format!("{ask}\n").as_bytes()).expect("it reads");
        }
    });
    for n in 0..3_000 {
        let mut line = String::new();
        answers.read_line(&mut line).expect("an answer");
        let told: Value = serde_json::from_str(&line).expect("JSON");
        assert_eq!((&told["id"], &told["output"]), (&json!(n), &json!("one\ntwo\n")));
    }
    writer.join().expect("it wrote");
}

/// Edits that wait share a sync; those that depend on one before them see what it wrote.
#[test]
fn edits_that_are_sent_without_waiting_are_done_as_if_one_came_after_the_other() {
    const FILES: usize = 5;
    const EDITS: usize = 400;
    let files: Vec<(String, String)> = (0..FILES).map(|n| (format!("{n}.txt"), "start\n".to_owned())).collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (&name[..], &text[..])).collect();
    let repo = TestRepo::with_files(&files);
    let server = Server::start(&repo, &[]);
    let root = repo.root();
    let callers = (0..3).map(|c| {
        let (caller, root) = (server.connect(), root.clone());
        std::thread::spawn(move || {
            let Caller { mut out, mut answers } = caller;
            let writer = std::thread::spawn(move || {
                for n in 0..EDITS {
                    // Each fits only behind the caller's one before it of that file, some are of two files, some never fit.
                    let file = |at: usize| {
                        let (at, round) = (at % FILES, n / FILES);
                        let old = if round == 0 { "start\n".to_owned() } else { format!("c{c} {}\n", round - 1) };
                        let new = if round == 0 { format!("start\nc{c} 0\n") } else { format!("c{c} {round}\n") };
                        json!({"path": format!("{at}.txt"), "old_string": old, "new_string": new})
                    };
                    let request = match n % 20 {
                        7 => json!({"path": "0.txt", "old_string": "never there", "new_string": "x"}),
                        11 => json!({"path": format!("new {c} {n}"), "content": "new\n"}),
                        _ => json!({"files": [file(n)]}),
                    };
                    let ask = json!({"id": n, "cwd": root, "request": request});
                    out.write_all(format!("{ask}\n").as_bytes()).expect("it reads");
                }
            });
            let mut told = std::collections::BTreeMap::new();
            for _ in 0..EDITS {
                let mut line = String::new();
                answers.read_line(&mut line).expect("an answer");
                let answer: Value = serde_json::from_str(&line).expect("JSON");
                let id = answer["id"].as_u64().expect("a number") as usize;
                assert!(told.insert(id, answer["status"] == 0).is_none(), "{id} is answered once");
            }
            writer.join().expect("it wrote");
            told
        })
    });
    let callers: Vec<_> = callers.collect();
    let told: Vec<_> = callers.into_iter().map(|caller| caller.join().expect("it was answered")).collect();
    let mut done = 0;
    for (c, told) in told.iter().enumerate() {
        done += told.values().filter(|done| **done).count();
        for at in 0..FILES {
            // What was skipped (a creation, or one that never fits) is not followed by anything of this file.
            let rounds = (at..EDITS).step_by(FILES).take_while(|n| !matches!(n % 20, 7 | 11)).count();
            for n in (at..EDITS).step_by(FILES) {
                let fits = n / FILES < rounds || n % 20 == 11;
                assert_eq!(told[&n], fits, "edit {n} of caller {c}");
            }
            let text = repo.text(&format!("{at}.txt"));
            assert!(text.lines().any(|line| line == format!("c{c} {}", rounds - 1)), "{rounds}: {text}");
            assert_eq!(text.lines().filter(|line| line.starts_with(&format!("c{c} "))).count(), 1, "{text}");
        }
    }
    assert_eq!(repo.redraft(&["log", "--json", "--all"], "").lines().len(), done);
    assert_eq!(repo.redraft(&["fsck"], "").status, 0);
}

/// The kinds of the frames in the journal, in order; docs/transaction.md has the form.
fn frames(repo: &TestRepo) -> Vec<u8> {
    let bytes = std::fs::read(repo.root().join(".git/redraft/worktrees/main/journal")).expect("a journal");
    let mut at = 16;
    std::iter::from_fn(|| {
        let head = bytes.get(at..at + 16).filter(|head| head.starts_with(b"rdj1"))?;
        at += 16 + u32::from_le_bytes(head[4..8].try_into().expect("four bytes")) as usize;
        Some(head[8])
    })
    .collect()
}

#[test]
fn of_many_edits_that_wait_sixteen_share_a_sync() {
    let names: Vec<String> = (0..40).map(|n| format!("{n}.txt")).collect();
    let files: Vec<(&str, &str)> = names.iter().map(|name| (&name[..], "one\n")).collect();
    let repo = TestRepo::with_files(&files);
    let mut server = Server::start(&repo, &[]);
    // All are read before the first of them is done: that opens the repository.
    let ask = |name| {
        let request = json!({"path": name, "old_string": "one", "new_string": "1"});
        json!({"id": name, "cwd": repo.root(), "request": request})
    };
    let asks: Vec<Value> = names.iter().map(ask).collect();
    let told = at_once(&mut server, &asks);
    assert!(told.len() == names.len() && told.values().all(|told| told["status"] == 0), "{told:?}");
    assert!(names.iter().all(|name| repo.text(name) == "1\n"));
    let frames = frames(&repo);
    let groups: Vec<usize> = frames.iter().filter(|kind| matches!(**kind, INTENT | JOINED)).fold(
        Vec::new(),
        |mut groups: Vec<usize>, kind| {
            match groups.last_mut().filter(|_| *kind == JOINED) {
                Some(last) => *last += 1,
                None => groups.push(1),
            }
            groups
        },
    );
    assert_eq!(groups.iter().sum::<usize>(), names.len(), "{frames:?}");
    assert_eq!(groups.iter().max(), Some(&16), "{groups:?}");
}

/// Sends calls that are there together when the first of them is done; gives the answers by their ids.
fn at_once(server: &mut Server, asks: &[Value]) -> std::collections::BTreeMap<String, Value> {
    let mut caller = server.connect();
    server.signal("-STOP");
    asks.iter().for_each(|ask| caller.send(ask));
    server.signal("-CONT");
    asks.iter().map(|_| caller.next()).map(|told| (told["id"].to_string(), told)).collect()
}

#[test]
fn behind_an_edit_of_what_says_how_others_are_written_they_are_written_so() {
    let latin = |repo: &TestRepo| assert_eq!(std::fs::read(repo.root().join("b.txt")).expect("reads"), b"\xfc\n");
    let attributes =
        json!({"path": "rules", "old_string": "# none", "new_string": "*.txt working-tree-encoding=latin1"});
    let editors = json!({"path": "rules", "old_string": "# none", "new_string": "[*.txt]\ncharset = latin1"});
    let deny = json!({"path": "rules", "old_string": "# none", "new_string": "[redraft]\n\tdeny = b.txt"});
    let umlaut = json!({"id": 2, "request": {"path": "b.txt", "old_string": "b", "new_string": "ü"}});
    for (setting, first) in [("core.attributesFile", &attributes), ("link", &editors), ("include.path", &deny)] {
        let repo = TestRepo::with_files(&[("rules", "# none\n"), ("b.txt", "b\n"), ("c.txt", "c\n")]);
        match setting {
            "link" => std::os::unix::fs::symlink("rules", repo.root().join(".editorconfig")).expect("a link"),
            _ => _ = repo.git(&["config", setting, &repo.root().join("rules").to_string_lossy()]),
        }
        let mut server = Server::start(&repo, &[]);
        let mut second = umlaut.clone();
        second["cwd"] = json!(repo.root());
        // The first call only opens the tree.
        let warm =
            json!({"id": 0, "cwd": repo.root(), "request": {"path": "c.txt", "old_string": "c", "new_string": "d"}});
        at_once(&mut server, &[warm]);
        let told = at_once(&mut server, &[json!({"id": 1, "cwd": repo.root(), "request": first}), second]);
        assert_eq!(told["1"]["status"], 0, "{setting}: {told:?}");
        match setting {
            "include.path" => assert_eq!((&told["2"]["reason"], &repo.text("b.txt")[..]), (&json!("policy"), "b\n")),
            _ => latin(&repo),
        }
        assert_eq!(frames(&repo).iter().filter(|kind| **kind == JOINED).count(), 0, "{setting}");
    }
}

#[test]
fn a_server_that_nobody_calls_does_the_next_checkpoint_before_it_is_due() {
    let repo = TestRepo::with_files(&[("a.txt", "count 0\n")]);
    let server = Server::start(&repo, &[]);
    let mut caller = server.connect();
    let mut edits = 0..;
    let mut edit_once = || {
        let n = edits.next().expect("one more");
        let request = edit(&format!("count {n}"), &format!("count {}", n + 1));
        assert_eq!(caller.ask(&json!({"cwd": repo.root(), "request": request}))["status"], 0);
    };
    (0..127).for_each(|_| edit_once());
    std::thread::sleep(Duration::from_secs(4));
    assert_eq!(frames(&repo).len(), 2 * 127, "not near");
    edit_once();
    let begun = Instant::now();
    while !frames(&repo).is_empty() {
        assert!(begun.elapsed() < Duration::from_secs(30), "it is done soon");
        std::thread::sleep(Duration::from_millis(50));
    }
    assert_eq!(repo.redraft(&["log", "--json", "--all"], "").lines().len(), 128);
    assert_eq!(repo.redraft(&["fsck"], "").status, 0);
}

#[test]
fn calls_that_are_open_when_the_server_is_told_to_stop_are_done_or_handed_back() {
    let names: Vec<String> = (0..60).map(|n| format!("{n}.txt")).collect();
    let files: Vec<(&str, &str)> = names.iter().map(|name| (&name[..], "one\n")).collect();
    for signal in ["-INT", "-TERM"] {
        let repo = TestRepo::with_files(&files);
        let server = Server::start(&repo, &[]);
        let mut caller = server.connect();
        for name in &names {
            let request = json!({"path": name, "old_string": "one", "new_string": "1"});
            caller.send(&json!({"id": name, "cwd": repo.root(), "request": request}));
        }
        assert_eq!(caller.next()["status"], 0, "they have come");
        server.signal(signal);
        for _ in 1..names.len() {
            let told = caller.next();
            let is_done = told["status"] == 0;
            assert!(is_done || told["reason"] == "not_served", "{told}");
            let name = told["id"].as_str().expect("its id");
            assert_eq!(repo.text(name) == "1\n", is_done, "{told}");
        }
    }
}

#[test]
fn a_server_that_is_told_to_stop_has_its_last_answers_read_before_it_ends() {
    let repo = TestRepo::with_files(&[("a.txt", &"line\n".repeat(20_000))]);
    let server = Server::start(&repo, &[]);
    let mut caller = server.connect();
    for n in 0..40 {
        caller.send(&json!({"id": n, "cwd": repo.root(), "args": ["read", "a.txt", "--answer", "text"]}));
    }
    // The pipe takes some of the answers, and the caller reads none of them for a while.
    std::thread::sleep(Duration::from_millis(500));
    server.signal("-INT");
    std::thread::sleep(Duration::from_millis(500));
    for n in 0..40 {
        assert_eq!(caller.next()["id"], n);
    }
}

/// While an edit waits for its sync, its file is still the old one.
#[test]
fn who_only_looks_sees_what_the_edits_sent_before_it_wrote() {
    let repo = TestRepo::with_files(&[("a.txt", "n0\n"), ("b.txt", "n0\n")]);
    let server = Server::start(&repo, &[]);
    let mut caller = server.connect();
    for n in 0..40 {
        let edit =
            |path: &str| json!({"path": path, "old_string": format!("n{n}"), "new_string": format!("n{}", n + 1)});
        let next = json!({"path": "b.txt", "old_string": format!("n{}", n + 1), "new_string": "x"});
        let view = json!({"command": "view", "path": repo.root().join("b.txt")});
        let asks = [
            json!({"id": 0, "cwd": repo.root(), "request": edit("a.txt")}),
            json!({"id": 1, "cwd": repo.root(), "request": edit("b.txt")}),
            json!({"id": 2, "cwd": repo.root(), "args": ["read", "b.txt", "--answer", "text"]}),
            json!({"id": 3, "cwd": repo.root(), "args": ["check"], "request": edit("b.txt")}),
            json!({"id": 4, "cwd": repo.root(), "args": ["apply", "--dry-run"], "request": next}),
            json!({"id": 5, "cwd": repo.root(), "args": ["apply", "--dialect", "text-editor"], "request": view}),
        ];
        let lines: String = asks.iter().map(|ask| format!("{ask}\n")).collect();
        caller.out.write_all(lines.as_bytes()).expect("it reads");
        let mut told: Vec<Value> = asks.iter().map(|_| caller.next()).collect();
        told.sort_by_key(|told| told["id"].as_u64());
        assert!(told[..2].iter().all(|told| told["status"] == 0), "{told:?}");
        assert_eq!(told[2]["output"], format!("n{}\n", n + 1));
        assert_ne!(told[3]["status"], 0, "its text is not there any more: {}", told[3]);
        assert_eq!(told[4]["status"], 0, "{}", told[4]);
        assert!(told[5]["output"].as_str().is_some_and(|text| text.contains(&format!("n{}", n + 1))), "{}", told[5]);
    }
}

#[test]
fn a_file_at_the_place_of_the_socket_is_left_as_it_is() {
    let repo = TestRepo::with_files(&[("a", "one\n")]);
    repo.write("notes.txt", "precious\n");
    let place = repo.root().join("notes.txt").display().to_string();
    let answer = repo.redraft(&["serve", "--idle", "1", "--socket", &place], "");
    assert_ne!(answer.status, 0);
    assert!(answer.err.contains("is no socket") && !answer.err.contains("serving at"), "{}", answer.err);
    assert_eq!(repo.text("notes.txt"), "precious\n");
}

#[test]
fn a_second_server_is_refused_and_a_dead_ones_socket_is_taken_over() {
    let repo = TestRepo::with_files(&[("a.txt", "one\ntwo\n")]);
    let mut server = Server::start(&repo, &[]);
    let again = || {
        let mut command = command(&repo.root(), &["serve", "--idle", "1", "--socket"]);
        command.arg(&server.socket).output().expect("it ends")
    };
    let told = again();
    assert_eq!(told.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&told.stderr).contains("already"), "{told:?}");
    server.signal("-KILL");
    _ = server.child.wait();
    assert!(server.socket.exists() && again().status.success());
    let folder = server.socket.parent().expect("a folder");
    std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o777)).expect("a mode");
    assert_eq!(again().status.code(), Some(3), "a folder that anybody may write");
    assert_eq!(server.apply(&repo, &[], &edit("two", "2")).0, 0);
}
