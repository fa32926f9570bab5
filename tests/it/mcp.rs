//! `redraft mcp`: what clients of both eras of the protocol get.

use crate::support::run::command;
use crate::support::{TestRepo, clean};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// How a client opens.
#[derive(Clone, Copy, PartialEq)]
enum Era {
    /// Each request carries what it needs (2026-07-28).
    Modern,
    /// `initialize` first (2025-11-25).
    Legacy,
}

/// A client, line by line.
struct Client {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    era: Era,
    capabilities: Value,
    next: u64,
}

impl Client {
    fn open(dir: &Path, args: &[&str], era: Era, capabilities: Value) -> Self {
        let args: Vec<&str> = std::iter::once("mcp").chain(args.iter().copied()).collect();
        Self::start(command(dir, &args), era, capabilities)
    }

    fn start(mut command: Command, era: Era, capabilities: Value) -> Self {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("runs");
        let out = BufReader::new(child.stdout.take().expect("a pipe"));
        let (send, lines) = channel();
        std::thread::spawn(move || out.lines().map_while(Result::ok).for_each(|line| drop(send.send(line))));
        let input = child.stdin.take();
        let mut client = Self { child, input, lines, era, capabilities, next: 0 };
        if era == Era::Legacy {
            let info = json!({"name": "test", "version": "1"});
            let answer = client.ask(
                "initialize",
                json!({"protocolVersion": "2025-11-25", "capabilities": client.capabilities, "clientInfo": info}),
            );
            assert_eq!(answer["result"]["protocolVersion"], "2025-11-25", "{answer}");
            client.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        }
        client
    }

    fn of(repo: &TestRepo) -> Self {
        Self::open(&repo.root(), &[], Era::Modern, json!({}))
    }

    fn send(&mut self, message: &Value) {
        self.send_line(&message.to_string());
    }

    fn send_line(&mut self, line: &str) {
        let input = self.input.as_mut().expect("open");
        input.write_all(format!("{line}\n").as_bytes()).expect("it reads");
    }

    fn next(&self) -> Value {
        let line = self.lines.recv_timeout(Duration::from_secs(30)).expect("an answer");
        serde_json::from_str(&line).expect("JSON")
    }

    /// Sends a request, and gives its number.
    fn begin(&mut self, method: &str, mut params: Value) -> u64 {
        self.next += 1;
        if self.era == Era::Modern {
            let meta = json!({
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
                "io.modelcontextprotocol/clientCapabilities": self.capabilities
            });
            let own = params["_meta"].as_object().cloned().unwrap_or_default();
            params["_meta"] = meta;
            params["_meta"].as_object_mut().expect("an object").extend(own);
        }
        self.send(&json!({"jsonrpc": "2.0", "id": self.next, "method": method, "params": params}));
        self.next
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.begin(method, params);
        let answer = self.next();
        assert_eq!(answer["id"], id, "{answer}");
        answer
    }

    fn call(&mut self, tool: &str, arguments: Value) -> Value {
        self.ask("tools/call", json!({"name": tool, "arguments": arguments}))["result"].clone()
    }

    /// Calls a tool that must do it; gives its text, which must stand in the structured content, too.
    fn done(&mut self, tool: &str, arguments: Value) -> String {
        let result = self.call(tool, arguments);
        assert_ne!(result["isError"], true, "{result}");
        text(&result)
    }

    /// Calls a tool that must refuse; gives its text.
    fn refused(&mut self, tool: &str, arguments: Value) -> String {
        let result = self.call(tool, arguments);
        assert_eq!(result["isError"], true, "{result}");
        text(&result)
    }

    /// Closes its input; it must end by itself.
    fn end(mut self) {
        drop(self.input.take());
        assert_eq!(self.child.wait().expect("ends").code(), Some(0));
    }
}

fn text(result: &Value) -> String {
    assert_eq!(result["content"][0]["text"], result["structuredContent"]["text"], "{result}");
    result["structuredContent"]["text"].as_str().expect("a text").to_owned()
}

fn repo() -> TestRepo {
    TestRepo::with_files(&[("a.txt", "one\ntwo\nthree\n"), ("d/b.txt", "x\nx\n")])
}

fn edit(old: &str, new: &str) -> Value {
    json!({"path": "a.txt", "old_string": old, "new_string": new})
}

#[test]
fn both_eras_edit_and_undo_and_are_told_so_twice() {
    for era in [Era::Modern, Era::Legacy] {
        let repo = repo();
        let mut client = Client::open(&repo.root(), &[], era, json!({}));
        let said = client.done("edit", edit("two", "TWO"));
        assert!(said.starts_with("edited a.txt (1 replacement); record ") && said.contains("\n-two\n+TWO\n"), "{said}");
        assert_eq!(repo.text("a.txt"), "one\nTWO\nthree\n");
        assert!(client.done("log", json!({})).contains("[test] edit a.txt"));
        assert!(client.done("blame", json!({"path": "a.txt"})).contains("2: "));
        assert!(client.done("diff", json!({})).contains("+TWO"));
        assert!(client.done("status", json!({})).starts_with("modified a.txt: "));
        assert_eq!(client.done("read", json!({"path": "a.txt"})), "one\nTWO\nthree\n");
        client.done("undo", json!({}));
        assert_eq!(repo.text("a.txt"), "one\ntwo\nthree\n");
        client.done("redo", json!({}));
        assert_eq!(repo.text("a.txt"), "one\nTWO\nthree\n");
        client.end();
        assert_eq!(repo.git(&["status", "--porcelain"]), " M a.txt\n");
    }
}

#[test]
fn the_list_of_tools_is_short_and_says_what_each_does() {
    let repo = repo();
    let mut client = Client::of(&repo);
    let list = client.ask("tools/list", json!({}))["result"].clone();
    let tools = list["tools"].as_array().expect("a list");
    let names: Vec<&str> = tools.iter().filter_map(|tool| tool["name"].as_str()).collect();
    assert_eq!(names, ["edit", "read", "undo", "redo", "log", "diff", "blame", "status"]);
    for tool in tools {
        let hints = &tool["annotations"];
        let reads = !["edit", "undo", "redo"].contains(&tool["name"].as_str().expect("a name"));
        assert_eq!((&hints["readOnlyHint"], &hints["destructiveHint"]), (&json!(reads), &json!(!reads)));
        assert_eq!((&hints["idempotentHint"], &hints["openWorldHint"]), (&json!(reads), &json!(false)));
        assert_eq!((&tool["inputSchema"]["type"], &tool["outputSchema"]["type"]), (&json!("object"), &json!("object")));
    }
    assert_eq!(tools[0]["_meta"], json!({"anthropic/alwaysLoad": true}));
    // About four bytes a token; the count by a tokenizer is in docs/mcp.md.
    assert!(list["tools"].to_string().len() < 6_000, "{}", list["tools"].to_string().len());
    assert_eq!(client.ask("tools/list", json!({}))["result"], list, "always the same");
}

#[test]
fn a_refused_edit_says_what_was_found_and_the_next_one_succeeds() {
    let repo = repo();
    let mut client = Client::of(&repo);
    let said = client.refused("edit", edit("twoo", "TWO"));
    assert!(said.contains("two") && said.contains("nothing was written"), "{said}");
    let result = client.call("edit", json!({"path": "d/b.txt", "old_string": "x", "new_string": "y"}));
    assert_eq!((&result["isError"], &result["structuredContent"]["reason"]), (&json!(true), &json!("ambiguous")));
    client.done("edit", json!({"path": "d/b.txt", "old_string": "x", "new_string": "y", "replace_all": true}));
    assert_eq!(repo.text("d/b.txt"), "y\ny\n");
}

#[test]
fn the_names_that_other_tools_have_and_absolute_paths_are_taken() {
    let repo = repo();
    let mut client = Client::of(&repo);
    let path = repo.root().join("a.txt").display().to_string();
    client.done("edit", json!({"file_path": path, "oldString": "two", "newString": "TWO"}));
    let files = json!([
        {"path": path, "edits": [{"old_string": "one", "new_string": "1"}]},
        {"path": repo.root().join("new.txt").display().to_string(), "content": "new\n"}
    ]);
    client.done("edit", json!({"files": files}));
    assert_eq!((repo.text("a.txt"), repo.text("new.txt")), ("1\nTWO\nthree\n".into(), "new\n".into()));
    let said = client.refused("edit", json!({"path": "/etc/hostname", "old_string": "a", "new_string": "b"}));
    assert!(said.contains("lies outside of"), "{said}");
    client.refused("read", json!({"path": "../x"}));
}

#[test]
fn a_patch_in_any_format_is_an_edit() {
    let repo = repo();
    let mut client = Client::of(&repo);
    let patches = [
        "*** Begin Patch\n*** Update File: a.txt\n-one\n+1\n*** End Patch",
        "--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n 1\n-two\n+2\n three\n",
        "a.txt\n<<<<<<< SEARCH\nthree\n=======\n3\n>>>>>>> REPLACE\n",
    ];
    for patch in patches {
        client.done("edit", json!({"patch": patch}));
    }
    assert_eq!(repo.text("a.txt"), "1\n2\n3\n");
    assert!(client.refused("edit", json!({"patch": "x"})).contains("*** Begin Patch"));
    client.refused("edit", json!({"patch": patches[0], "path": "a.txt"}));
    client.done("edit", json!({"patch": patches[0].replace("-one\n+1", "-1\n+one"), "dry_run": true}));
    assert_eq!(repo.text("a.txt"), "1\n2\n3\n");
}

#[test]
fn what_codex_and_claude_tell_of_the_caller_is_recorded() {
    let repo = repo();
    let mut client = Client::of(&repo);
    let turn = json!({"session_id": "s1", "turn_id": "t1", "model": "m1"});
    let meta = json!({"callId": "c1", "x-codex-turn-metadata": turn});
    client.ask("tools/call", json!({"name": "edit", "arguments": edit("one", "1"), "_meta": meta}));
    let mut own = edit("two", "2");
    own["session"] = json!("mine");
    client.ask("tools/call", json!({"name": "edit", "arguments": own, "_meta": {"claudecode/toolUseId": "u1"}}));
    let records = repo.redraft(&["log", "--json"], "").lines();
    let of = |n: usize| {
        let record = &records[n];
        json!([record["agent"]["name"], record["session"], record["agent"]["turn"], record["agent"]["call_id"]])
    };
    assert_eq!(of(1), json!(["test", "s1", "t1", "c1"]), "{records:?}");
    assert_eq!(of(0), json!(["test", "mine", null, "u1"]));
}

/// Seen: an answer of 200 MB, of a file of one line.
#[test]
fn a_line_as_long_as_a_file_is_read_in_parts_and_each_says_how_to_read_on() {
    let repo = repo();
    let line = "äöü-€ 0123456789".repeat(40_000);
    let whole = format!("first\n{line}\nlast\n");
    repo.write("long.txt", &whole);
    let mut client = Client::of(&repo);
    let (mut found, mut arguments) = (String::new(), json!({"path": "long.txt"}));
    for part in 0.. {
        let result = client.call("read", arguments.clone());
        assert!(result.to_string().len() < 1 << 20, "part {part}");
        let notes = result["content"].to_string();
        found.push_str(result["content"][0]["text"].as_str().expect("a text"));
        if !notes.contains("read on with") {
            break;
        }
        let number = |name: &str| {
            let after = notes.rsplit_once(&format!("`{name}` "))?.1;
            after.chars().take_while(char::is_ascii_digit).collect::<String>().parse::<u64>().ok()
        };
        arguments = json!({"path": "long.txt", "start_line": number("start_line").expect("a line")});
        arguments["start_byte"] = json!(number("start_byte"));
        assert!(part < 9, "{notes}");
    }
    assert!(found == whole, "{} of {} bytes", found.len(), whole.len());
    let said = client.refused("read", json!({"path": "long.txt", "start_line": 1, "start_byte": 6}));
    assert!(said.contains("line 1") && said.contains("`start_byte`"), "{said}");
    // Of many short lines whole ones are given.
    repo.write("many.txt", format!("{}\n", "x".repeat(1023)).repeat(600));
    let answer = client.call("read", json!({"path": "many.txt"}));
    assert_eq!(answer["structuredContent"]["lines"], json!([1, 256]), "{}", answer["content"][1]);
}

/// An agent that names another session's id would have its edits undone or committed with that session's, or pass for one that has read a file.
#[test]
fn a_session_that_the_client_tells_is_not_forged_by_an_argument() {
    let repo = repo();
    let records = |repo: &TestRepo| {
        let records = repo.redraft(&["log", "--json"], "").lines();
        let of = |record: &Value| json!([record["agent"]["name"], record["session"], record["agent"]["turn"]]);
        records.iter().map(of).collect::<Vec<_>>()
    };
    let mut forged = edit("one", "1");
    (forged["session"], forged["turn"]) = (json!("FORGED"), json!("t"));
    forged["agent"] = json!({"name": "somebody", "session": "FORGED too", "turn": "t2"});
    for era in [Era::Modern, Era::Legacy] {
        let mut command = command(&repo.root(), &["mcp"]);
        command.env("CLAUDE_CODE_SESSION_ID", "REAL");
        let mut client = Client::start(command, era, json!({}));
        client.done("edit", forged.clone());
        assert_eq!(records(&repo)[0], json!(["test", "REAL", "t"]));
        repo.redraft(&["undo"], "");
    }
    // What the client says in `_meta` counts as well; without either, the argument does.
    let mut client = Client::of(&repo);
    let meta = json!({"x-codex-turn-metadata": {"session_id": "s1", "turn_id": "t1"}});
    client.ask("tools/call", json!({"name": "edit", "arguments": forged, "_meta": meta}));
    assert_eq!(records(&repo)[0], json!(["test", "s1", "t1"]));
    client.done("edit", json!({"path": "a.txt", "old_string": "two", "new_string": "2", "session": "own"}));
    assert_eq!(records(&repo)[0], json!(["test", "own", null]));
    // Nor does a read count for another session.
    repo.git(&["config", "redraft.requireRead", "true"]);
    let mut command = command(&repo.root(), &["mcp"]);
    command.env("GEMINI_SESSION_ID", "REAL");
    Client::start(command, Era::Modern, json!({})).done("read", json!({"path": "a.txt", "session": "FORGED"}));
    let request = edit("three", "3").to_string();
    assert_eq!(repo.refused(&["apply", "--session", "FORGED"], &request), "not_read");
    repo.done(&["apply", "--session", "REAL"], &request);
}

#[test]
fn a_request_that_is_sent_again_by_another_call_is_done_once() {
    let repo = repo();
    let mut client = Client::of(&repo);
    let mut request = json!({"path": "d/b.txt", "old_string": "x\nx", "new_string": "x\nx\nx"});
    request["request_id"] = json!("r1");
    for call in ["c1", "c2"] {
        let meta = json!({"claudecode/toolUseId": call});
        let answer = client.ask("tools/call", json!({"name": "edit", "arguments": request, "_meta": meta}));
        assert_eq!(answer["result"]["isError"], false, "{answer}");
    }
    assert_eq!(repo.text("d/b.txt"), "x\nx\nx\n");
}

#[test]
fn only_the_folders_that_are_named_are_served() {
    let (one, two) = (repo(), repo());
    let (a, b) = (one.root().join("d").display().to_string(), two.root().display().to_string());
    let mut client = Client::open(Path::new("/"), &["--root", &a, "--root", &b], Era::Modern, json!({}));
    client.done("edit", json!({"path": "b.txt", "old_string": "x\nx", "new_string": "y"}));
    assert_eq!(one.text("d/b.txt"), "y\n");
    client.done("edit", json!({"path": format!("{b}/a.txt"), "old_string": "two", "new_string": "2"}));
    assert_eq!(two.text("a.txt"), "one\n2\nthree\n");
    client.done("edit", json!({"root": b, "path": "a.txt", "old_string": "one", "new_string": "1"}));
    assert_eq!(two.text("a.txt"), "1\n2\nthree\n");
    for path in ["../a.txt".to_owned(), one.root().join("a.txt").display().to_string()] {
        for (tool, arguments) in [
            ("edit", json!({"path": path, "old_string": "one", "new_string": "1"})),
            ("read", json!({"path": path})),
            ("blame", json!({"path": path})),
        ] {
            client.refused(tool, arguments);
        }
    }
    assert_eq!(one.text("a.txt"), "one\ntwo\nthree\n");
    // What lies beside the folder is neither listed nor undone.
    one.edit("a.txt", "one", "1");
    assert!(!client.done("log", json!({})).contains("a.txt"));
    assert!(client.done("status", json!({"root": a})).lines().all(|line| line.contains("d/b.txt")));
    client.done("undo", json!({"root": a}));
    assert_eq!((one.text("a.txt"), one.text("d/b.txt")), ("1\ntwo\nthree\n".into(), "x\nx\n".into()));
    let beside = one.edit("a.txt", "two", "2");
    assert!(client.refused("diff", json!({"id": beside})).contains("there is no record"));
}

/// Seen: "edit secretdir/plans (+1 file)" in the log of a server of another folder, where a record had files of both.
#[test]
fn a_server_of_a_folder_names_no_file_outside_of_it() {
    let repo = repo();
    let folder = repo.root().join("d").display().to_string();
    let both = json!({"message": "m", "agent": {"session": "s1"}, "files": [
        {"path": "a.txt", "old_string": "one", "new_string": "secret"},
        {"path": "d/b.txt", "old_string": "x\nx", "new_string": "y"},
    ]});
    repo.apply(both);
    repo.apply(json!({"files": [
        {"path": "a.txt", "rename_to": "d/inside.txt"},
        {"path": "d/b.txt", "rename_to": "outside.txt"},
    ], "agent": {"session": "s2"}}));
    let mut client = Client::open(Path::new("/"), &["--root", &folder], Era::Modern, json!({}));
    let log = client.done("log", json!({}));
    let resource = client.ask("resources/read", json!({"uri": "redraft://log"})).to_string();
    for log in [&log, &resource] {
        assert!(log.contains("edit d/b.txt: m") && log.contains("rename d/inside.txt (+1 file)"), "{log}");
    }
    let mut told =
        vec![log, resource, client.done("status", json!({})), client.done("blame", json!({"path": "inside.txt"}))];
    told.extend(["s1", "s2"].map(|session| client.done("diff", json!({"session": session}))));
    // A file that was moved out is not taken back there either.
    for arguments in [json!({"session": "s1", "dry_run": true}), json!({"session": "s1"})] {
        told.push(client.refused("undo", arguments));
    }
    assert_eq!((repo.text("outside.txt"), repo.has("d/b.txt")), ("y\n".to_owned(), false));
    for told in told {
        assert!(!told.contains("a.txt") && !told.contains("outside.txt"), "{told}");
    }
}

#[test]
fn of_several_folders_the_one_that_is_meant_is_found_or_asked_for() {
    let (one, two) = (repo(), repo());
    let (a, b) = (one.root().display().to_string(), two.root().display().to_string());
    let mut client = Client::open(Path::new("/"), &["--root", &a, "--root", &b], Era::Modern, json!({}));
    client.done("edit", json!({"path": format!("{a}/a.txt"), "old_string": "one", "new_string": "1"}));
    client.done("edit", json!({"path": format!("{b}/a.txt"), "old_string": "two", "new_string": "2"}));
    // The newest is that of the other folder, and which is meant nobody knows.
    for tool in ["undo", "redo"] {
        let said = client.refused(tool, json!({}));
        assert!(said.contains(&a) && said.contains(&b) && said.contains("`root`"), "{said}");
    }
    assert_eq!((one.text("a.txt"), two.text("a.txt")), ("1\ntwo\nthree\n".into(), "one\n2\nthree\n".into()));
    let log = client.call("log", json!({})).to_string();
    assert!(log.contains("name another as `root`") && log.contains(&b), "{log}");
    assert_eq!(client.done("log", json!({"paths": [format!("{b}/a.txt")]})).lines().count(), 1);
    let id = two.redraft(&["log", "--json"], "").json()["id"].as_str().expect("an id").to_owned();
    assert!(client.done("diff", json!({"id": id})).contains("+2"));
    client.done("undo", json!({"ids": [id]}));
    client.done("undo", json!({"paths": [format!("{a}/a.txt")]}));
    let text = "one\ntwo\nthree\n";
    assert_eq!((one.text("a.txt"), two.text("a.txt")), (text.into(), text.into()));
    let both = [&a, &b].map(|dir| json!({"path": format!("{dir}/a.txt"), "old_string": "one", "new_string": "1"}));
    assert!(client.refused("edit", json!({"files": both})).contains("several of the folders"));
}

#[cfg(unix)]
#[test]
fn a_symlink_leads_no_tool_out_of_the_folder_that_is_served() {
    let repo = repo();
    std::os::unix::fs::symlink("../a.txt", repo.root().join("d/link")).expect("a link");
    repo.edit("a.txt", "one", "1");
    let folder = repo.root().join("d").display().to_string();
    let mut client = Client::open(Path::new("/"), &["--root", &folder], Era::Modern, json!({}));
    for (tool, arguments) in [
        ("log", json!({"paths": ["link"]})),
        ("blame", json!({"path": "link"})),
        ("read", json!({"path": "link"})),
        ("undo", json!({"paths": ["link"]})),
        ("edit", json!({"path": "link", "old_string": "two", "new_string": "2"})),
    ] {
        let said = client.refused(tool, arguments);
        assert!(!said.contains("three"), "{tool}: {said}");
    }
    assert_eq!(repo.text("a.txt"), "1\ntwo\nthree\n");
}

#[test]
fn arguments_that_cannot_be_are_told_with_those_that_can() {
    let repo = repo();
    let mut client = Client::of(&repo);
    for lines in [json!([0, 1]), json!([3, 2]), json!([1, 0]), json!([99, 100])] {
        let said = client.refused("read", json!({"path": "a.txt", "start_line": lines[0], "end_line": lines[1]}));
        assert!(said.contains("`start_line`"), "{lines}: {said}");
    }
    assert_eq!(client.done("read", json!({"path": "a.txt", "start_line": 3, "end_line": 9})), "three\n");
    let said = client.refused("log", json!({"bogus": 1}));
    assert!(["bogus", "paths", "limit", "grep", "session", "since"].iter().all(|name| said.contains(name)), "{said}");
}

#[test]
fn a_read_only_server_has_no_tool_that_writes() {
    let repo = repo();
    let mut client = Client::open(&repo.root(), &["--read-only"], Era::Legacy, json!({}));
    let list = client.ask("tools/list", json!({}))["result"]["tools"].clone();
    assert!(list.as_array().expect("a list").iter().all(|tool| tool["annotations"]["readOnlyHint"] == true));
    let answer = client.ask("tools/call", json!({"name": "edit", "arguments": edit("one", "1")}));
    assert_eq!(answer["error"]["code"], -32602, "{answer}");
    assert_eq!(repo.text("a.txt"), "one\ntwo\nthree\n");
}

fn confirming() -> TestRepo {
    let repo = repo();
    repo.git(&["config", "redraft.confirm", "a.txt"]);
    repo
}

#[test]
fn a_modern_client_asks_the_person_and_calls_again() {
    for (answer, want) in [
        (json!({"action": "accept", "content": {"confirm": true}}), "1\ntwo\nthree\n"),
        (json!({"action": "accept", "content": {"confirm": false}}), "one\ntwo\nthree\n"),
        (json!({"action": "decline"}), "one\ntwo\nthree\n"),
    ] {
        let repo = confirming();
        let mut client = Client::open(&repo.root(), &[], Era::Modern, json!({"elicitation": {"form": {}}}));
        let asked = client.call("edit", edit("one", "1"));
        assert_eq!(asked["resultType"], "input_required", "{asked}");
        let question = &asked["inputRequests"]["confirm"];
        assert!(question["params"]["message"].as_str().is_some_and(|text| text.contains("-one\n+1\n")), "{question}");
        assert_eq!(repo.text("a.txt"), "one\ntwo\nthree\n");
        let again = json!({
            "name": "edit", "arguments": edit("one", "1"),
            "inputResponses": {"confirm": answer}, "requestState": asked["requestState"]
        });
        client.ask("tools/call", again);
        assert_eq!(repo.text("a.txt"), want);
    }
}

#[test]
fn a_yes_to_one_change_is_none_to_another() {
    let repo = confirming();
    let mut client = Client::open(&repo.root(), &[], Era::Modern, json!({"elicitation": {}}));
    let asked = client.call("edit", edit("one", "1"));
    let yes = json!({"confirm": {"action": "accept", "content": {"confirm": true}}});
    let other = json!({
        "name": "edit", "arguments": edit("two", "2"), "inputResponses": yes, "requestState": asked["requestState"]
    });
    let answer = client.ask("tools/call", other);
    assert_eq!(answer["result"]["resultType"], "input_required", "{answer}");
    assert_eq!(repo.text("a.txt"), "one\ntwo\nthree\n");
}

#[test]
fn a_legacy_client_is_asked_during_the_call() {
    for (action, want) in
        [("accept", "1\ntwo\nthree\n"), ("decline", "one\ntwo\nthree\n"), ("cancel", "one\ntwo\nthree\n")]
    {
        let repo = confirming();
        let mut client = Client::open(&repo.root(), &[], Era::Legacy, json!({"elicitation": {}}));
        let id = client.begin("tools/call", json!({"name": "edit", "arguments": edit("one", "1")}));
        let asked = client.next();
        assert_eq!(asked["method"], "elicitation/create", "{asked}");
        // Others are served meanwhile.
        assert!(client.done("log", json!({})).contains("no such record"));
        let result = json!({"action": action, "content": {"confirm": true}});
        client.send(&json!({"jsonrpc": "2.0", "id": asked["id"], "result": result}));
        let answer = client.next();
        assert_eq!((&answer["id"], &answer["result"]["isError"]), (&json!(id), &json!(action != "accept")), "{answer}");
        assert_eq!(repo.text("a.txt"), want);
    }
}

#[test]
fn a_person_is_asked_again_where_the_file_changed_meanwhile() {
    let repo = confirming();
    let mut client = Client::open(&repo.root(), &[], Era::Legacy, json!({"elicitation": {}}));
    let id = client.begin("tools/call", json!({"name": "edit", "arguments": edit("one", "1")}));
    let yes = json!({"action": "accept", "content": {"confirm": true}});
    let first = client.next();
    repo.write("a.txt", "one\nTWO\nthree\n");
    client.send(&json!({"jsonrpc": "2.0", "id": first["id"], "result": yes}));
    let second = client.next();
    assert_eq!(second["method"], "elicitation/create", "{second}");
    assert!(second["params"]["message"].as_str().is_some_and(|message| message.contains("TWO")), "{second}");
    client.send(&json!({"jsonrpc": "2.0", "id": second["id"], "result": yes}));
    let answer = client.next();
    assert_eq!((&answer["id"], &answer["result"]["isError"]), (&json!(id), &json!(false)), "{answer}");
    assert_eq!(repo.text("a.txt"), "1\nTWO\nthree\n");
}

#[test]
fn a_client_that_cannot_ask_says_yes_by_the_digest() {
    let repo = confirming();
    let mut client = Client::of(&repo);
    let result = client.call("edit", edit("one", "1"));
    let digest = result["structuredContent"]["confirm"].as_str().expect("a digest").to_owned();
    assert!(text(&result).contains(&format!("confirm: \"{digest}\"")), "{result}");
    let mut wrong = edit("one", "2");
    wrong["confirm"] = json!(digest);
    client.refused("edit", wrong);
    assert_eq!(repo.text("a.txt"), "one\ntwo\nthree\n");
    let mut right = edit("one", "1");
    right["confirm"] = json!(digest);
    client.done("edit", right);
    assert_eq!(repo.text("a.txt"), "1\ntwo\nthree\n");
}

#[test]
fn a_cancelled_call_writes_nothing_and_is_not_answered() {
    let repo = repo();
    repo.git(&["config", "redraft.verify", "sleep 1"]);
    let mut client = Client::of(&repo);
    let first = client.begin("tools/call", json!({"name": "edit", "arguments": edit("one", "1")}));
    let second = client.begin("tools/call", json!({"name": "edit", "arguments": edit("two", "2")}));
    client.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": second}}));
    assert_eq!(client.next()["id"], first);
    assert!(client.done("log", json!({})).contains("edit a.txt"));
    assert_eq!(repo.text("a.txt"), "1\ntwo\nthree\n");
    // One that is being verified is taken back.
    repo.git(&["config", "redraft.verify", "sleep 30"]);
    let third = client.begin("tools/call", json!({"name": "edit", "arguments": edit("three", "3")}));
    std::thread::sleep(Duration::from_millis(500));
    client.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": third}}));
    client.done("read", json!({"path": "a.txt"}));
    assert_eq!(repo.text("a.txt"), "1\ntwo\nthree\n");
    // A client that cancels what is answered already takes nothing back.
    client.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": first}}));
    assert_eq!(client.done("read", json!({"path": "a.txt"})), "1\ntwo\nthree\n");
}

#[test]
fn a_client_that_asks_for_it_is_told_each_second_that_its_call_is_at_work() {
    for era in [Era::Modern, Era::Legacy] {
        let repo = repo();
        repo.git(&["config", "redraft.verify", "sleep 2.5"]);
        let mut client = Client::open(&repo.root(), &[], era, json!({}));
        let asking = json!({"name": "edit", "arguments": edit("one", "1"), "_meta": {"progressToken": "t7"}});
        let id = client.begin("tools/call", asking);
        let mut told = Vec::new();
        let answer = loop {
            let message = client.next();
            match message["method"].as_str() {
                Some("notifications/progress") => told.push(message["params"].clone()),
                _ => break message,
            }
        };
        assert_eq!(answer["id"], id, "{answer}");
        assert!(told.len() >= 2 && told.iter().all(|told| told["progressToken"] == "t7"), "{told:?}");
        let seconds: Vec<f64> = told.iter().filter_map(|told| told["progress"].as_f64()).collect();
        assert!(seconds.len() == told.len() && seconds.is_sorted_by(|a, b| a < b), "{told:?}");
        // Who did not ask is told nothing, and a short call is not told of.
        repo.git(&["config", "redraft.verify", "sleep 1.5"]);
        client.done("edit", edit("two", "2"));
        repo.git(&["config", "--unset", "redraft.verify"]);
        let params = json!({"name": "edit", "arguments": edit("three", "3"), "_meta": {"progressToken": 8}});
        assert_ne!(client.ask("tools/call", params)["result"]["isError"], true);
    }
}

#[test]
fn what_is_no_message_is_answered_as_json_rpc_says_and_the_next_is_served() {
    let repo = repo();
    let mut client = Client::of(&repo);
    client.done("log", json!({}));
    for (line, code, id) in [
        ("garbage", -32700, json!(null)),
        ("{\"jsonrpc\":\"2.0\",\"id\":900,\"method\":", -32700, json!(null)),
        ("[]", -32600, json!(null)),
        ("5", -32600, json!(null)),
        ("{\"id\":901}", -32600, json!(901)),
        ("{\"jsonrpc\":\"1.0\",\"id\":902,\"method\":\"ping\"}", -32600, json!(902)),
        ("{\"jsonrpc\":\"2.0\",\"id\":903.5,\"method\":\"tools/list\"}", -32600, json!(null)),
    ] {
        client.send_line(line);
        let answer = client.next();
        assert_eq!((&answer["error"]["code"], &answer["id"]), (&json!(code), &id), "{line}: {answer}");
    }
    for (method, params, code) in [
        ("nope", json!({}), -32601),
        ("tools/call", json!({"name": 5}), -32602),
        ("tools/call", json!({"name": "edit", "arguments": [1]}), -32602),
        ("tools/call", json!({"name": "nope"}), -32602),
        ("tools/call", json!({}), -32602),
        ("resources/read", json!({"uri": "redraft://record/nope"}), -32602),
        ("resources/read", json!({"uri": 5}), -32602),
    ] {
        let answer = client.ask(method, params.clone());
        assert_eq!(answer["error"]["code"], code, "{method} {params}: {answer}");
    }
    client.send(&json!({"jsonrpc": "2.0", "id": 904, "method": "tools/list", "params": {"_meta": {
        "io.modelcontextprotocol/protocolVersion": "1900-01-01", "io.modelcontextprotocol/clientCapabilities": {}
    }}}));
    let answer = client.next();
    assert_eq!(
        (&answer["error"]["code"], &answer["error"]["data"]["requested"]),
        (&json!(-32022), &json!("1900-01-01"))
    );
    client.done("edit", edit("one", "1"));
}

#[test]
fn arguments_of_every_wrong_type_are_told_to_the_model() {
    let repo = repo();
    let mut client = Client::of(&repo);
    let wrong = [json!(null), json!(5), json!(-1.5), json!([1]), json!({"a": 1}), json!(true), json!("")];
    let names =
        ["path", "old_string", "edits", "files", "ids", "limit", "id", "session", "start_line", "root", "confirm"];
    for tool in ["edit", "read", "undo", "redo", "log", "diff", "blame", "status"] {
        for name in names {
            for value in &wrong {
                let answer = client.ask("tools/call", json!({"name": tool, "arguments": {name: value}}));
                assert!(answer["result"]["structuredContent"]["text"].is_string(), "{tool} {name} {value}: {answer}");
            }
        }
    }
    assert_eq!(repo.git(&["status", "--porcelain"]), "");
}

#[test]
fn a_stray_notification_before_the_first_request_ends_nothing() {
    let repo = repo();
    for line in [
        json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}),
        json!({"jsonrpc": "2.0", "id": 5, "result": {}}),
    ] {
        let mut client = Client::of(&repo);
        client.send(&line);
        client.ask("server/discover", json!({}));
        client.send(&line);
        client.done("log", json!({}));
        client.end();
    }
}

#[test]
fn a_client_that_probes_and_then_initializes_is_served() {
    let repo = repo();
    let mut client = Client::of(&repo);
    client.send(&json!({"jsonrpc": "2.0", "id": "d", "method": "server/discover"}));
    assert_eq!(client.next()["error"]["code"], -32602);
    let discovered = client.ask("server/discover", json!({}));
    assert!(discovered["result"]["supportedVersions"].to_string().contains("2026-07-28"), "{discovered}");
    client.era = Era::Legacy;
    let params =
        json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
    assert_eq!(client.ask("initialize", params)["result"]["protocolVersion"], "2025-06-18");
    client.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    assert_eq!(client.ask("ping", json!({}))["result"], json!({}));
    client.done("edit", edit("one", "1"));
}

#[test]
fn two_requests_with_one_number_are_not_both_done() {
    let repo = repo();
    repo.git(&["config", "redraft.verify", "sleep 1"]);
    let mut client = Client::of(&repo);
    client.begin("tools/call", json!({"name": "edit", "arguments": edit("one", "1")}));
    client.next = 0;
    client.begin("tools/call", json!({"name": "edit", "arguments": edit("two", "2")}));
    let refused = client.next();
    assert_eq!((&refused["id"], &refused["error"]["code"]), (&json!(null), &json!(-32600)), "{refused}");
    assert_eq!((&client.next()["id"], repo.text("a.txt").as_str()), (&json!(1), "1\ntwo\nthree\n"));
}

#[test]
fn ten_thousand_requests_at_once_are_all_answered() {
    let repo = repo();
    let mut client = Client::open(&repo.root(), &[], Era::Legacy, json!({}));
    let mut input = client.input.take().expect("open");
    let sender = std::thread::spawn(move || {
        for id in 10..10_010 {
            writeln!(input, "{}", json!({"jsonrpc": "2.0", "id": id, "method": "tools/list"})).expect("it reads");
        }
        input
    });
    let mut ids: Vec<u64> = (0..10_000).map(|_| client.next()["id"].as_u64().expect("a number")).collect();
    client.input = Some(sender.join().expect("sent"));
    ids.sort_unstable();
    assert_eq!(ids, (10..10_010).collect::<Vec<_>>());
    client.end();
}

#[test]
#[cfg(target_os = "linux")]
fn a_client_that_never_reads_makes_nothing_grow() {
    let repo = repo();
    let mut command = command(&repo.root(), &["mcp"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("runs");
    let mut input = child.stdin.take().expect("a pipe");
    let (sent, counted) = channel();
    std::thread::spawn(move || {
        let hello = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
            "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}});
        writeln!(input, "{hello}").expect("it reads");
        for id in 2_u64.. {
            if writeln!(input, "{}", json!({"jsonrpc": "2.0", "id": id, "method": "tools/list"})).is_err() {
                return;
            }
            _ = sent.send(id);
        }
    });
    let mut last = 0;
    // It stops to read once its own buffers are full.
    while let Ok(id) = counted.recv_timeout(Duration::from_secs(2)) {
        last = id;
        assert!(id < 50_000, "it goes on reading");
    }
    assert!(last > 10);
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).expect("it runs");
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).expect("a line");
    let kilobytes: u64 = line.split_whitespace().nth(1).and_then(|word| word.parse().ok()).expect("a number");
    assert!(kilobytes < 100_000, "{line}");
    child.kill().expect("killed");
    child.wait().expect("ends");
}

#[test]
fn half_a_line_and_the_end_of_input_end_it_and_a_whole_last_line_counts() {
    let repo = repo();
    let run = |input: &str| {
        let mut child = clean(Command::new(env!("CARGO_BIN_EXE_redraft")).arg("mcp"), &repo.root())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("runs");
        child.stdin.take().expect("a pipe").write_all(input.as_bytes()).expect("it reads");
        child.wait_with_output().expect("ends")
    };
    assert_eq!(run("").status.code(), Some(0));
    assert_eq!(run("{\"jsonrpc\":\"2.0\",\"id\":1,\"meth").status.code(), Some(0));
    let meta = json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}});
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
        "name": "edit", "arguments": edit("one", "1"), "_meta": meta}});
    let done = run(&call.to_string());
    assert!(done.stdout.starts_with(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\""), "{done:?}");
    assert_eq!(repo.text("a.txt"), "1\ntwo\nthree\n");
}

#[test]
fn records_are_resources() {
    let repo = repo();
    let mut client = Client::of(&repo);
    let id = client.call("edit", edit("one", "1"))["structuredContent"]["record"].as_str().expect("an id").to_owned();
    let listed = client.ask("resources/list", json!({}))["result"]["resources"][0]["uri"].clone();
    assert_eq!(listed, "redraft://log");
    let templates = client.ask("resources/templates/list", json!({}))["result"]["resourceTemplates"].clone();
    assert_eq!(templates[1]["uriTemplate"], "redraft://record/{id}/diff");
    let mut read = |uri: String| {
        client.ask("resources/read", json!({"uri": uri}))["result"]["contents"][0]["text"]
            .as_str()
            .expect("text")
            .to_owned()
    };
    assert!(read("redraft://log".to_owned()).contains(&id[..8]));
    assert!(read(format!("redraft://record/{id}/diff")).contains("-one\n+1\n"));
    let record: Value = serde_json::from_str(&read(format!("redraft://record/{id}"))).expect("JSON");
    assert_eq!(record["id"], id);
}
