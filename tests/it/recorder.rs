//! `redraft hook`: what the tools of a coding harness change becomes records with the right session, turn and call.

use crate::support::{Answer, TestRepo};
use serde_json::{Value, json};

/// A session of Claude Code, as its hooks tell it.
struct Claude<'r> {
    repo: &'r TestRepo,
    session: &'static str,
    turn: &'static str,
    subagent: Option<&'static str>,
}

impl<'r> Claude<'r> {
    fn new(repo: &'r TestRepo, session: &'static str) -> Self {
        Self { repo, session, turn: "t1", subagent: None }
    }

    fn tells(&self, event: &str, more: Value) -> Answer {
        let mut payload = json!({"session_id": self.session, "prompt_id": self.turn, "cwd": self.repo.root(), "hook_event_name": event});
        if let Some(subagent) = self.subagent {
            payload["agent_id"] = json!(subagent);
        }
        let fields = payload.as_object_mut().expect("an object");
        fields.extend(more.as_object().expect("an object").clone());
        told(self.repo, "claude-code", &payload)
    }

    fn before(&self, call: &str, tool: &str, input: &Value) {
        let answer = self.tells("PreToolUse", json!({"tool_name": tool, "tool_input": input, "tool_use_id": call}));
        assert_eq!(answer.out, "{}\n");
    }

    fn after(&self, call: &str, tool: &str, input: &Value) {
        self.tells("PostToolUse", json!({"tool_name": tool, "tool_input": input, "tool_use_id": call}));
    }

    /// A shell call, from before to after.
    fn shell(&self, call: &str, script: &str) {
        let input = json!({"command": script});
        self.before(call, "Bash", &input);
        self.repo.shell(script);
        self.after(call, "Bash", &input);
    }

    fn edit(&self, call: &str, path: &str, text: &str) {
        let input = json!({"file_path": self.repo.root().join(path), "content": text});
        self.before(call, "Write", &input);
        self.repo.write(path, text);
        self.after(call, "Write", &input);
    }
}

/// Hands a payload to the hook, which never fails.
fn told(repo: &TestRepo, harness: &str, payload: &Value) -> Answer {
    let answer = repo.redraft(&["hook", harness], &payload.to_string());
    assert_eq!((answer.status, answer.err.as_str()), (0, ""), "{payload}");
    answer
}

/// What the log says of each record, oldest first: who, with which call and tool, and which files.
fn log(repo: &TestRepo) -> Vec<String> {
    let mut records = repo.redraft(&["log", "--json"], "").lines();
    records.reverse();
    let word = |value: &Value| value.as_str().unwrap_or("-").to_owned();
    let line = |record: &Value| {
        let files: Vec<String> =
            record["files"].as_array().expect("a list").iter().map(|file| word(&file["path"])).collect();
        let agent = &record["agent"];
        let shared = record["observed"]["shared"].as_array().map_or(0, Vec::len);
        let call = if shared > 0 { format!("{shared} calls") } else { word(&agent["call_id"]) };
        let who = format!("{} {} {} {call}", word(&record["session"]), word(&agent["turn"]), word(&agent["subagent"]));
        format!("{who} {}: {}", word(&record["observed"]["tool"]), files.join(" "))
    };
    records.iter().map(line).collect()
}

fn repo() -> TestRepo {
    TestRepo::with_files(&[("a", "one\ntwo\nthree\n"), ("b", "beta\n"), (".gitignore", "*.log\n")])
}

#[test]
fn each_call_that_changes_something_is_one_record_with_its_session_turn_and_call() {
    let repo = repo();
    let mut claude = Claude::new(&repo, "s");
    claude.tells("SessionStart", json!({"source": "startup"}));
    claude.tells("UserPromptSubmit", json!({"prompt": "Do it."}));
    claude.edit("c1", "a", "one\nTWO\nthree\n");
    claude.edit("c2", "new", "hello\n");
    claude.shell("c3", "sed -i s/beta/gamma/ b; git mv a moved; rm new");
    claude.shell("c4", "cat b");
    claude.tells("PostToolBatch", json!({"tool_calls": []}));
    claude.turn = "t2";
    claude.tells("UserPromptSubmit", json!({"prompt": "More."}));
    claude.subagent = Some("helper");
    claude.edit("c5", "b", "delta\n");
    claude.subagent = None;
    claude.tells("Stop", json!({}));
    claude.tells("SessionEnd", json!({"reason": "other"}));
    assert_eq!(
        log(&repo),
        ["s t1 - c1 Write: a", "s t1 - c2 Write: new", "s t1 - c3 Bash: b moved new", "s t2 helper c5 Write: b"]
    );
    let observed = repo.root().join(".git/redraft/worktrees/main/observed");
    let left = std::fs::read_dir(observed).expect("a folder").filter_map(Result::ok);
    let mut left: Vec<_> = left.map(|entry| entry.file_name().into_string().expect("a name")).collect();
    left.sort();
    assert_eq!(left, ["fired-claude-code", "ledger", "lock"]);
    repo.done(&["undo", "--session", "s", "--turn", "t2"], "");
    assert_eq!(repo.text("b"), "gamma\n");
    repo.done(&["undo", "--session", "s"], "");
    assert_eq!(
        (repo.text("a"), repo.text("b"), repo.has("new"), repo.has("moved")),
        ("one\ntwo\nthree\n".into(), "beta\n".into(), false, false)
    );
}

/// The payloads that the real programs sent, with what they changed in between; `-` stands before a script.
fn replay(repo: &TestRepo, harness: &str, steps: &[&str]) {
    for step in steps {
        if let Some(script) = step.strip_prefix("- ") {
            assert!(repo.shell(script).success(), "{script}");
            continue;
        }
        let file = format!("{}/tests/harness/payloads/{harness}/{step}.json", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(&file).expect(&file);
        let root = repo.root().to_string_lossy().into_owned();
        let payload: Value = serde_json::from_str(&text.replace("\"/repo", &format!("\"{root}"))).expect("JSON");
        // No harness is named: the payload tells.
        let answer = repo.redraft(&["hook"], &payload.to_string());
        assert_eq!((answer.status, answer.out.as_str(), answer.err.as_str()), (0, "{}\n", ""), "{step}");
    }
}

/// The log, with the long ids of sessions and turns numbered as they come.
fn short_log(repo: &TestRepo) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let mut short = |word: &str| {
        if word.len() < 12 || word.contains(':') {
            return word.to_owned();
        }
        let at = names.iter().position(|name| name == word).unwrap_or_else(|| {
            names.push(word.to_owned());
            names.len() - 1
        });
        format!("#{at}")
    };
    log(repo).iter().map(|line| line.split(' ').map(&mut short).collect::<Vec<_>>().join(" ")).collect()
}

#[test]
fn codex_tells_nothing_behind_a_failing_call_or_a_patch_inside_of_a_shell() {
    let repo = repo();
    replay(
        &repo,
        "codex",
        &[
            "SessionStart",
            "UserPromptSubmit",
            "PreToolUse-apply_patch",
            "- sed -i s/two/TWO/ a",
            "PreToolUse-apply_patch-missing",
            "PreToolUse-Bash-exit3",
            "- echo x >> b",
            "PostToolUse-Bash-exit3",
            "Stop",
            "SessionEnd",
        ],
    );
    assert_eq!(short_log(&repo), ["#0 #1 - step005n0 Bash: b"], "the payload names a.txt, which is not there");
    let repo = TestRepo::with_files(&[("a.txt", "one\ntwo\n"), ("b.txt", "b\n")]);
    replay(
        &repo,
        "codex",
        &[
            "UserPromptSubmit",
            "PreToolUse-apply_patch-native-0",
            "- mkdir moved; mv a.txt moved/; sed -i s/two/TWO/ moved/a.txt; rm b.txt; echo new > c.txt",
            "PostToolUse-apply_patch-native-0",
            "PreToolUse-Bash-native-1",
            "- echo newer > c.txt",
            "PreToolUse-Bash-native-2",
            "- sed -i s/one/ONE/ moved/a.txt",
            "PreToolUse-Bash-native-3",
            "PreToolUse-Bash-native-4",
            "- echo late >> c.txt",
            "PostToolUse-Bash-native-4",
            "Stop",
        ],
    );
    assert_eq!(
        short_log(&repo),
        [
            "#0 #1 - step000n0 apply_patch: a.txt b.txt c.txt moved/a.txt",
            "#0 #1 - step001n0 Bash: c.txt",
            "#0 #1 - step002n0 Bash: moved/a.txt",
            // The one that yielded, or the one that waited.
            "#0 #1 - 2 calls Bash: c.txt",
        ]
    );
    repo.done(&["undo", "--session", "01a1fef8-9791-7f51-8ee1-c83f71e1a638"], "");
    assert_eq!((repo.text("a.txt"), repo.text("b.txt"), repo.has("c.txt")), ("one\ntwo\n".into(), "b\n".into(), false));
}

#[test]
fn opencode_lets_calls_of_one_answer_overlap() {
    let repo = TestRepo::with_files(&[("a.txt", "one\ntwo\nthree\n"), ("b.txt", "b\n")]);
    replay(&repo, "opencode", &["session.created", "chat.message"]);
    let call = |event: &str, call: &str, tool: &str, args: Value| {
        let (input, output) =
            (json!({"tool": tool, "sessionID": "ses_1", "callID": call, "args": args}), json!({"args": args}));
        told(
            &repo,
            "opencode",
            &json!({"hook_event_name": format!("tool.execute.{event}"), "directory": repo.root(), "input": input, "output": output}),
        );
    };
    let edit = || json!({"filePath": "a.txt", "oldString": "x", "newString": "y"});
    call("before", "c0", "edit", edit());
    call("before", "c1", "edit", edit());
    repo.write("a.txt", "ONE\ntwo\nthree\n");
    call("after", "c0", "edit", edit());
    repo.write("a.txt", "ONE\ntwo\nTHREE\n");
    call("after", "c1", "edit", edit());
    let shell = || json!({"command": "sleep 1"});
    call("before", "c2", "bash", shell());
    call("before", "c3", "bash", shell());
    repo.write("b.txt", "b\nc\n");
    call("after", "c2", "bash", shell());
    repo.write("b.txt", "b\nc\nd\n");
    call("after", "c3", "bash", shell());
    let told = log(&repo);
    assert_eq!(
        told,
        [
            "ses_1 - - c0 edit: a.txt",
            "ses_1 - - c1 edit: a.txt",
            "ses_1 - - 2 calls bash: b.txt",
            "ses_1 - - c3 bash: b.txt"
        ]
    );
}

#[test]
fn an_agent_below_belongs_to_the_turn_of_the_person() {
    let repo = TestRepo::with_files(&[("a.txt", "one\ntwo\nthree\n")]);
    replay(
        &repo,
        "opencode",
        &[
            "session.created",
            "chat.message",
            "tool.execute.before-task",
            "session.created-subagent",
            "tool.execute.before-edit-subagent",
            "- sed -i s/one/ONE/ a.txt",
            "tool.execute.after-edit-subagent",
            "session.idle",
        ],
    );
    // The fixtures are of several runs: the agent below is of another session than the message.
    assert_eq!(short_log(&repo), ["#0 - #1 step001n0a edit: a.txt"]);
    let repo = TestRepo::with_files(&[("a.txt", "one\ntwo\nthree\n")]);
    replay(
        &repo,
        "gemini",
        &["BeforeAgent", "BeforeTool-replace", "- sed -i s/two/TWO/ a.txt", "AfterTool-replace", "AfterAgent"],
    );
    let session = json!({"session_id": "g", "cwd": repo.root()});
    let tell = |event: &str, more: Value| {
        let mut payload = session.clone();
        payload["hook_event_name"] = json!(event);
        payload.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        told(&repo, "gemini", &payload);
    };
    let agent = json!({"tool_name": "invoke_agent", "tool_input": {"agent_name": "generalist"}});
    let replace = json!({"tool_name": "replace", "tool_input": {"file_path": "a.txt"}});
    tell("BeforeAgent", json!({"prompt": "x"}));
    tell("BeforeAgent", json!({"prompt": "y"}));
    tell("BeforeTool", agent.clone());
    tell("BeforeTool", replace.clone());
    repo.write("a.txt", "ONE\nTWO\nthree\n");
    tell("AfterTool", replace.clone());
    tell("AfterTool", agent);
    tell("BeforeTool", replace.clone());
    repo.write("a.txt", "ONE\nTWO\nTHREE\n");
    tell("AfterTool", replace);
    assert_eq!(
        short_log(&repo),
        ["#0 1 - - replace: a.txt", "g 2 generalist - replace: a.txt", "g 2 - - replace: a.txt"]
    );
}

#[test]
fn a_command_in_the_background_is_watched_and_what_a_hook_formats_is_the_hooks() {
    let repo = repo();
    let mut claude = Claude::new(&repo, "s");
    claude.edit("c2", "a", "1\n");
    repo.write("a", "formatted\n");
    claude.tells("PostToolBatch", json!({}));
    let background = json!({"command": "sleep 2; echo late >> b", "run_in_background": true});
    claude.before("c1", "Bash", &background);
    claude.after("c1", "Bash", &background);
    repo.write("b", "beta\nlate\n");
    claude.shell("c3", "echo 2 > a");
    claude.tells("Stop", json!({}));
    // A person, when nothing is on its way.
    repo.write("a", "mine\n");
    claude.turn = "t2";
    claude.edit("c4", "b", "3\n");
    assert_eq!(
        log(&repo),
        [
            "s t1 - c2 Write: a",
            "s t1 - c2 hook: a",
            "s t1 - c1 Bash: b",
            "s t1 - 2 calls Bash: a",
            "s t2 - c4 Write: b"
        ]
    );
}

#[test]
fn two_sessions_at_once_claim_what_they_name_and_share_what_nobody_can_tell() {
    let repo = repo();
    let (one, two) = (Claude::new(&repo, "one"), Claude::new(&repo, "two"));
    let shell = json!({"command": "make"});
    one.before("c1", "Bash", &shell);
    repo.write("a", "made\n");
    two.edit("d1", "b", "by two\n");
    two.before("d2", "Bash", &shell);
    repo.write("c", "by whom?\n");
    two.after("d2", "Bash", &shell);
    repo.write("d", "by one\n");
    one.after("c1", "Bash", &shell);
    assert_eq!(
        log(&repo),
        ["two t1 - d1 Write: b", "one t1 - c1 Bash: a", "- - - 2 calls Bash: c", "one t1 - c1 Bash: d"]
    );
    repo.done(&["undo", "--session", "one"], "");
    assert_eq!(
        (repo.text("a"), repo.text("b"), repo.text("c")),
        ("one\ntwo\nthree\n".into(), "by two\n".into(), "by whom?\n".into())
    );
}

#[test]
fn what_cannot_be_done_disturbs_nobody_and_is_told_by_status() {
    let repo = repo();
    for payload in ["", "x", "[1]", "{\"a\":1}", "{\"session_id\": {\"x\": 1}, \"hook_event_name\": 7}"] {
        for harness in [&["hook"][..], &["hook", "--what"], &["hook", "claude-code"], &["hook", "nobody", "x"]] {
            let answer = repo.redraft(harness, payload);
            assert_eq!((answer.status, answer.out.as_str(), answer.err.as_str()), (0, "{}\n", ""), "{payload}");
        }
    }
    let told = repo.redraft(&["status"], "");
    assert!(told.out.contains("things that hooks of agents could not record"), "{}", told.out);
    let told = repo.redraft(&["status", "--long"], "");
    assert!(told.out.contains("What hooks of agents could not record"), "{}", told.out);
    assert_eq!(
        repo.redraft(&["status", "--json"], "").json()["troubles"][0]["what"],
        json!("there is no payload on standard input")
    );
    let elsewhere = tempfile::tempdir().expect("a folder");
    let payload = json!({"session_id": "s", "cwd": elsewhere.path(), "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {}});
    let answer = repo.redraft_in(elsewhere.path(), &["hook"], &payload.to_string());
    assert_eq!((answer.status, answer.out.as_str()), (0, "{}\n"));
    repo.git(&["config", "redraft.observe", "off"]);
    let claude = Claude::new(&repo, "s");
    claude.edit("c1", "a", "1\n");
    assert_eq!(log(&repo), [""; 0]);
}

#[test]
fn a_rule_on_a_file_is_a_no_in_the_words_of_the_harness() {
    let repo = repo();
    repo.git(&["config", "redraft.deny", "b"]);
    repo.git(&["config", "redraft.confirm", "a"]);
    let claude = Claude::new(&repo, "s");
    let decision = |path: &str| {
        let input = json!({"file_path": repo.root().join(path), "content": "x"});
        let answer = claude.tells("PreToolUse", json!({"tool_name": "Write", "tool_input": input, "tool_use_id": "c"}));
        answer.json()["hookSpecificOutput"]["permissionDecision"].clone()
    };
    assert_eq!((decision("b"), decision("a"), decision("c")), (json!("deny"), json!("ask"), Value::Null));
    let root = repo.root();
    let windsurf = json!({"agent_action_name": "pre_write_code", "trajectory_id": "t", "tool_info": {"file_path": root.join("b")}});
    let answer = repo.redraft(&["hook"], &windsurf.to_string());
    assert_eq!((answer.status, answer.out.as_str()), (2, ""));
    assert!(answer.err.contains("b may not be edited here"), "{}", answer.err);
    for (payload, key, word) in [
        (
            json!({"hook_event_name": "BeforeTool", "session_id": "g", "cwd": root, "tool_name": "replace", "tool_input": {"file_path": "b"}}),
            "decision",
            "deny",
        ),
        (
            json!({"conversation_id": "c", "workspace_roots": [root], "hook_event_name": "preToolUse", "tool_name": "Write", "tool_input": {"file_path": "b"}}),
            "permission",
            "deny",
        ),
        (
            json!({"sessionId": "c", "cwd": root, "toolName": "edit", "toolArgs": "{\"path\": \"b\"}"}),
            "permissionDecision",
            "deny",
        ),
        (json!({"redraft": 1, "event": "before", "cwd": root, "paths": ["b"]}), "decision", "deny"),
    ] {
        assert_eq!(repo.redraft(&["hook"], &payload.to_string()).json()[key], json!(word), "{payload}");
    }
}

#[test]
fn what_redraft_itself_does_inside_of_a_call_is_recorded_once_and_is_the_calls() {
    let repo = repo();
    let redraft = env!("CARGO_BIN_EXE_redraft");
    let request = json!({"path": "a", "old_string": "two", "new_string": "2"});
    let claude = Claude::new(&repo, "s");
    claude.shell(
        "c1",
        &format!("echo x >> a; echo '{request}' | {redraft} apply >/dev/null; echo y >> a; {redraft} run -q -- sh -c 'echo z > b'"),
    );
    claude.tells("Stop", json!({}));
    repo.apply(json!({"path": "b", "content": "by a person\n", "overwrite": true}));
    assert_eq!(
        log(&repo),
        ["s t1 - c1 Bash: a", "s t1 - c1 -: a", "s t1 - c1 Bash: a", "s t1 - c1 sh: b", "- - - - -: b"]
    );
    repo.done(&["undo"], "");
    repo.done(&["undo", "--session", "s"], "");
    assert_eq!((repo.text("a"), repo.text("b")), ("one\ntwo\nthree\n".into(), "beta\n".into()));
}

/// Seen: what the real harness calls its hooks by was taken for the harness, and every call for one of a process that was gone.
#[test]
fn a_hook_that_is_called_by_way_of_another_program_loses_nothing() {
    let repo = repo();
    let python = "import subprocess,sys; sys.exit(subprocess.run(sys.argv[1:]).returncode)";
    let payload = |event: &str, call: &str| json!({"session_id": "s", "prompt_id": "t", "cwd": repo.root(), "hook_event_name": event, "tool_name": "Bash", "tool_input": {"command": "x"}, "tool_use_id": call});
    let tell = |event: &str, call: &str| {
        let script =
            format!("echo '{}' | python3 -c '{python}' {} hook", payload(event, call), env!("CARGO_BIN_EXE_redraft"));
        assert!(repo.shell(&format!("{script} >/dev/null")).success());
    };
    for (call, text) in [("c1", "1\n"), ("c2", "2\n")] {
        tell("PreToolUse", call);
        repo.write("a", text);
        tell("PostToolUse", call);
    }
    assert_eq!(log(&repo), ["s t - c1 Bash: a", "s t - c2 Bash: a"]);
}

/// Seen: the end of a call went to the repository that its command had gone to, and the call stayed open for a day.
#[test]
fn a_call_ends_where_it_began_wherever_the_session_is_now() {
    let repo = repo();
    let other = repo.outside().join("other");
    std::fs::create_dir(&other).expect("made");
    assert!(repo.shell(&format!("git init -q {}", other.display())).success());
    let tell = |event: &str, cwd: &std::path::Path| {
        told(
            &repo,
            "claude-code",
            &json!({"session_id": "s", "prompt_id": "t", "cwd": cwd, "hook_event_name": event, "tool_name": "Bash", "tool_input": {"command": "cd"}, "tool_use_id": "c"}),
        );
    };
    tell("PreToolUse", &repo.root());
    repo.write("a", "1\n");
    tell("PostToolUse", &other);
    repo.write("a", "mine\n");
    tell("Stop", &other);
    assert_eq!(log(&repo), ["s t - c Bash: a"]);
}

/// Seen: what a person did after an interrupt was the agent's, and `undo --session` took it away.
#[test]
fn what_a_person_may_have_done_after_an_interrupt_is_in_no_session() {
    let repo = repo();
    let mut claude = Claude::new(&repo, "s");
    let input = json!({"command": "make"});
    claude.edit("c1", "b", "by the agent\n");
    claude.before("c2", "Bash", &input);
    repo.write("b", "by a person\n");
    claude.turn = "t2";
    claude.tells("UserPromptSubmit", json!({"prompt": "go on"}));
    assert_eq!(log(&repo), ["s t1 - c1 Write: b", "- - - 1 calls Bash: b"]);
    repo.redraft(&["undo", "--session", "s"], "");
    assert_eq!(repo.text("b"), "by a person\n");
}

/// Seen: a call that named files of two repositories, one inside of the other, was one of the outer alone.
#[test]
fn a_file_is_one_of_the_innermost_repository() {
    let repo = repo();
    assert!(repo.shell("git init -q inner; git -C inner config redraft.deny secret; echo x > inner/f").success());
    let told = |event: &str, paths: &[&str]| {
        told(
            &repo,
            "generic",
            &json!({"redraft": 1, "event": event, "session": "s", "call": "c", "cwd": repo.root(), "paths": paths}),
        )
        .json()
    };
    assert_eq!(told("before", &["a", "inner/secret"])["decision"], json!("deny"));
    told("before", &["a", "inner/f"]);
    repo.write("a", "1\n");
    repo.write("inner/f", "2\n");
    told("after", &["a", "inner/f"]);
    assert_eq!(log(&repo), ["s - - c tool: a"]);
    let inner = repo.redraft_in(&repo.root().join("inner"), &["log", "--json"], "").lines();
    assert_eq!(inner[0]["files"][0]["path"], json!("f"));
}

/// Seen: each of these was let through.
#[test]
fn a_rule_on_a_file_holds_however_the_file_is_named() {
    let repo = TestRepo::with_files(&[("sub/secret", "s\n"), ("sub/deep/x", "x\n"), ("q.sql", "-- old\n")]);
    repo.git(&["config", "redraft.deny", "secret"]);
    repo.git(&["config", "redraft.allow", "/q.sql"]);
    std::os::unix::fs::symlink("sub/deep", repo.root().join("link")).expect("made");
    std::os::unix::fs::symlink("sub/secret", repo.root().join("other")).expect("made");
    std::fs::remove_file(repo.root().join("sub/secret")).expect("removed");
    let root = repo.root();
    let uri = format!("file://{}/sub/%73ecret", root.display());
    for path in ["sub/secret", "link/../secret", "other", "sub/deep/../secret", uri.as_str()] {
        let payload =
            json!({"redraft": 1, "event": "before", "session": "s", "call": "c", "cwd": root, "paths": [path]});
        assert_eq!(told(&repo, "generic", &payload).json()["decision"], json!("deny"), "{path}");
    }
    let codex = |tool: &str, command: &str| {
        let payload = json!({"session_id": "s", "turn_id": "t", "cwd": root, "hook_event_name": "PreToolUse", "tool_name": tool, "tool_input": {"command": command}, "tool_use_id": "c"});
        told(&repo, "codex", &payload).json()["hookSpecificOutput"]["permissionDecision"].clone()
    };
    let patch = "apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: secret\n@@\n-s\n+t\n*** End Patch\nEOF";
    assert_eq!(codex("Bash", &format!("cd sub && {patch}")), json!("deny"));
    // A line that is removed is no head of a diff.
    assert_eq!(
        codex("apply_patch", "*** Begin Patch\n*** Update File: q.sql\n@@\n--- old\n+++ new\n*** End Patch"),
        Value::Null
    );
    let code = json!({"hook_event_name": "PreToolUse", "session_id": "s", "cwd": root, "tool_name": "multi_replace_string_in_file", "tool_input": {"replacements": [{"filePath": "sub/secret"}]}, "extensionId": "x"});
    assert_eq!(told(&repo, "copilot", &code).json()["hookSpecificOutput"]["permissionDecision"], json!("deny"));
    // A value that is wrong elsewhere takes no rule away.
    repo.git(&["config", "redraft.snapshotLimit", "lots"]);
    let payload = json!({"redraft": 1, "event": "before", "cwd": root, "paths": ["sub/secret"]});
    assert_eq!(told(&repo, "generic", &payload).json()["decision"], json!("deny"));
}

/// Seen: where the harness names no call, all that it was to write stood in redraft's folder, secrets too.
#[test]
fn what_a_call_is_known_by_holds_nothing_of_its_arguments() {
    let repo = repo();
    let input = json!({"file_path": "x.log", "content": "TOPSECRET"});
    let payload = json!({"session_id": "g", "cwd": repo.root(), "hook_event_name": "BeforeTool", "tool_name": "write_file", "tool_input": input});
    told(&repo, "gemini", &payload);
    let ledger = repo.text(".git/redraft/worktrees/main/observed/ledger");
    assert!(ledger.contains("write_file") && !ledger.contains("TOPSECRET"), "{ledger}");
}

/// Seen: the text of a file was there after `purge` said that it was removed; and what was lost with a damaged list was not told.
#[test]
fn purge_forgets_what_is_kept_for_calls_and_what_is_damaged_is_told() {
    let repo = repo();
    let claude = Claude::new(&repo, "s");
    repo.write("b", "K=TOPSECRET\n");
    let input = json!({"file_path": repo.root().join("b"), "content": "x"});
    claude.before("c1", "Write", &input);
    repo.write("b", "x\n");
    claude.after("c1", "Write", &input);
    let observed = repo.root().join(".git/redraft/worktrees/main/observed");
    let has_text = || {
        let found = std::process::Command::new("grep")
            .args(["-rq", "TOPSECRET"])
            .arg(repo.root().join(".git/redraft"))
            .status();
        found.expect("grep runs").success()
    };
    claude.before("c2", "Bash", &json!({"command": "x"}));
    repo.write("b", "K=TOPSECRET\n");
    claude.tells("PostToolBatch", json!({}));
    claude.before("c3", "Bash", &json!({"command": "x"}));
    assert!(has_text());
    repo.done(&["purge", "--path", "b", "--json", "--yes"], "");
    assert!(!has_text());
    let mut tree = std::fs::read_dir(&observed).expect("a folder").filter_map(Result::ok).map(|entry| entry.path());
    let is_tree = |path: &std::path::PathBuf| path.extension().is_some_and(|end| end == "tree");
    let tree = tree.find(is_tree).expect("a snapshot");
    std::fs::write(tree, "{").expect("written");
    claude.after("c3", "Bash", &json!({"command": "x"}));
    let told = repo.redraft(&["status", "--long"], "").out;
    assert!(told.contains("the list of them was damaged"), "{told}");
}

/// Seen: the record that was made behind a purge had the command line again, with the secret in it.
#[test]
fn purge_takes_the_command_lines_of_calls_on_their_way_too() {
    let repo = repo();
    let claude = Claude::new(&repo, "s");
    repo.write("b", "K=TOPSECRET\n");
    repo.git(&["commit", "-qam", "with it"]);
    repo.edit("b", "TOPSECRET", "other");
    let input = json!({"command": "echo TOPSECRET >> b"});
    claude.before("c1", "Bash", &input);
    repo.write("a", "more\n");
    let has_text = || {
        let mut grep = std::process::Command::new("grep");
        grep.args(["-rq", "TOPSECRET"]).arg(repo.root().join(".git/redraft"));
        grep.status().expect("grep runs").success()
    };
    assert!(has_text());
    repo.done(&["purge", "--path", "b", "--json", "--yes"], "");
    assert!(!has_text());
    claude.after("c1", "Bash", &input);
    assert!(!has_text());
    let record = &repo.redraft(&["log", "--json"], "").lines()[0];
    assert_eq!(record["observed"]["command"], "***", "{record}");
}

/// Seen: the first of two edits that overlap was in no record, or another call's, where the second one ended first.
#[test]
fn calls_that_overlap_may_end_in_any_order() {
    let repo = repo();
    let call = |event: &str, call: &str, tool: &str, path: &str| {
        let args = json!({"filePath": path, "command": "x"});
        told(
            &repo,
            "opencode",
            &json!({"hook_event_name": format!("tool.execute.{event}"), "directory": repo.root(), "input": {"tool": tool, "sessionID": "s", "callID": call, "args": args}, "output": {"args": args}}),
        );
    };
    call("before", "c1", "edit", "a");
    call("before", "c2", "edit", "b");
    repo.write("a", "1\n");
    repo.write("b", "2\n");
    call("after", "c2", "edit", "b");
    call("after", "c1", "edit", "a");
    assert_eq!(log(&repo), ["s - - c1 edit: a", "s - - c2 edit: b"]);
    call("before", "c3", "bash", "");
    call("before", "c4", "edit", "a");
    call("before", "c5", "edit", "b");
    repo.write("a", "4\n");
    call("after", "c5", "edit", "b");
    call("before", "c6", "bash", "");
    call("after", "c4", "edit", "a");
    call("after", "c6", "bash", "");
    call("after", "c3", "bash", "");
    assert_eq!(log(&repo)[2..], ["s - - 2 calls bash: a"], "the shell that was open, or the edit that names it");
}

/// Seen: what a shell wrote into a file behind an edit of it was taken for a formatter's, and what a person wrote before the next prompt, too.
#[test]
fn behind_an_edit_a_file_is_not_only_the_harness_s_hooks_to_change() {
    let repo = repo();
    let (one, two) = (Claude::new(&repo, "one"), Claude::new(&repo, "two"));
    let shell = json!({"command": "x"});
    one.edit("c1", "a", "1\n");
    two.before("d1", "Bash", &shell);
    repo.write("a", "2\n");
    two.after("d1", "Bash", &shell);
    assert_eq!(log(&repo), ["one t1 - c1 Write: a", "- - - 2 calls Bash: a"]);
    one.edit("c2", "b", "1\n");
    repo.write("b", "mine\n");
    one.tells("UserPromptSubmit", json!({"prompt": "x"}));
    one.tells("SessionEnd", json!({}));
    assert_eq!(log(&repo)[2..], ["one t1 - c2 Write: b"]);
}

/// Seen: a bit that a command changed and committed, or changed beside an empty commit, was taken for git's doing.
#[test]
fn a_file_that_may_be_run_now_is_changed_also_where_head_moved() {
    let repo = repo();
    let claude = Claude::new(&repo, "s");
    claude.shell("c1", "chmod +x a; git commit -qam x");
    claude.shell("c2", "git commit -q --allow-empty -m y; chmod +x b");
    assert_eq!(log(&repo), ["s t1 - c1 Bash: a", "s t1 - c2 Bash: b"]);
}

#[test]
fn what_a_shell_checks_out_is_no_edit_where_another_session_names_the_file() {
    let repo = TestRepo::with_files(&[("a", "one\n"), ("b", "one\n")]);
    repo.git(&["checkout", "-q", "-b", "side"]);
    repo.write("a", "side\n");
    repo.commit_all("side");
    repo.git(&["checkout", "-q", "main"]);
    let (one, other) = (Claude::new(&repo, "s1"), Claude::new(&repo, "s2"));
    let shell = json!({"command": "git checkout side"});
    one.before("c1", "Bash", &shell);
    repo.git(&["checkout", "-q", "side"]);
    other.edit("c2", "a", "side\nmore\n");
    one.after("c1", "Bash", &shell);
    assert_eq!(log(&repo), ["s2 t1 - c2 Write: a"]);
    // Its edit through redraft is committed, and the branch is left again.
    one.before("c3", "Bash", &shell);
    repo.apply(json!({"path": "a", "edits": [{"old_string": "more", "new_string": "less"}]}));
    repo.git(&["commit", "-q", "-a", "-m", "less"]);
    repo.git(&["checkout", "-q", "main"]);
    one.after("c3", "Bash", &shell);
    assert_eq!((repo.text("a").as_str(), log(&repo).len()), ("one\n", 2), "{:?}", log(&repo));
}
