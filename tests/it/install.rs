//! `redraft install` and `uninstall`: hooks in the files of harnesses, and these files byte for byte as they were.

use crate::support::TestRepo;
use crate::support::run::{command, finish};
use serde_json::{Value, json};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// Runs the binary with a home of its own.
fn ran(repo: &TestRepo, args: &[&str]) -> (Option<i32>, String, String) {
    let home = repo.outside().join("home");
    std::fs::create_dir_all(&home).expect("a folder");
    let ran = finish(command(&repo.root(), args).env("HOME", home), b"");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (ran.exit, text(ran.stdout), ran.stderr)
}

fn put(file: &Path, text: &str) {
    std::fs::create_dir_all(file.parent().expect("a folder")).expect("made");
    std::fs::write(file, text).expect("written");
}

/// As people have them: comments, other hooks, odd order, CRLF, one line, tabs, no last newline, trailing commas.
fn configurations() -> Vec<(&'static str, &'static str, String)> {
    let plain = [
        "{}",
        "{}\n",
        "{ }\n\n",
        "{\n}\n",
        "",
        "{\"model\":\"opus\",\"env\":{\"A\":\"b\"}}",
        "{\n  \"permissions\": {\n    \"allow\": [\"Bash(git:*)\"],\n    \"deny\": []\n  },\n  \"hooks\": {}\n}\n",
        "// mine\n{\n  // the model\n  \"model\": \"opus\", /* big */\n}\n",
        "{\n\t\"z\": [1,\n2 ,3],\n\t\"hooks\": {\n\t\t\"Stop\": [\n\t\t\t{ \"hooks\": [ { \"type\": \"command\", \"command\": \"say done\" } ] }\n\t\t]\n\t},\n\t\"a\": null\n}",
        "{\r\n  \"hooks\": {\r\n    \"PreToolUse\": [\r\n      {\"matcher\": \"Bash\", \"hooks\": [{\"type\": \"command\", \"command\": \"guard\"}]}\r\n    ]\r\n  }\r\n}\r\n",
        "\u{feff}{\n    \"a\": 1\n}\n",
        "{\"hooks\":{\"PreToolUse\":[],\"PostToolUse\":[{\"hooks\":[]}]}}",
        "{\n  \"hooks\": {\n    \"PostToolUse\": [\n      {\n        \"matcher\": \"Edit|Write\",\n        \"hooks\": [\n          // format\n          {\"type\": \"command\", \"command\": \"prettier --write\", \"timeout\": 5},\n        ],\n      },\n    ],\n  },\n}\n",
    ];
    let mut all = Vec::new();
    for (harness, file) in [
        ("claude-code", ".claude/settings.json"),
        ("gemini", ".gemini/settings.json"),
        ("codex", ".codex/hooks.json"),
        ("cursor", ".cursor/hooks.json"),
        ("windsurf", ".windsurf/hooks.json"),
    ] {
        all.extend(plain.iter().map(|text| (harness, file, (*text).to_owned())));
    }
    all
}

#[test]
fn a_file_that_nothing_else_changed_comes_back_byte_for_byte() {
    let all = configurations();
    assert!(all.len() >= 30);
    for (n, (harness, name, text)) in all.into_iter().enumerate() {
        let repo = TestRepo::with_files(&[("a", "one\n")]);
        let file = repo.root().join(name);
        put(&file, &text);
        let mode = if n % 2 == 0 { 0o600 } else { 0o640 };
        std::fs::set_permissions(&file, PermissionsExt::from_mode(mode)).expect("set");
        let told = ran(&repo, &["install", harness, "--project", "--dry-run"]);
        assert_eq!((told.0, repo.text(name)), (Some(0), text.clone()), "{told:?}");
        assert!(told.1.contains("redraft hook"), "{told:?}");
        // Twice is once.
        assert_eq!(ran(&repo, &["install", harness, "--project"]).0, Some(0));
        let with = repo.text(name);
        assert!(with.contains(&format!("redraft hook {harness}")), "{with}");
        let again = ran(&repo, &["install", harness, "--project"]);
        assert_eq!((again.1.as_str(), repo.text(name)), ("the hooks are there already\n", with.clone()));
        let is_mode = |want: u32| std::fs::metadata(&file).expect("there").permissions().mode() & 0o777 == want;
        assert!(is_mode(mode));
        assert_eq!(ran(&repo, &["uninstall", harness, "--project"]).0, Some(0));
        assert_eq!(repo.text(name), text, "{harness}");
        assert!(is_mode(mode));
    }
}

#[test]
fn a_file_that_was_changed_since_loses_redrafts_entries_alone() {
    for (harness, name, text) in configurations().into_iter().filter(|(.., text)| !text.is_empty()) {
        let repo = TestRepo::with_files(&[("a", "one\n")]);
        put(&repo.root().join(name), &text);
        ran(&repo, &["install", harness, "--project"]);
        let with = repo.text(name);
        let (mark, body) = with.split_once('{').expect("an object");
        let changed = format!("{mark}{{ \"mine\": true,{body}");
        repo.write(name, &changed);
        assert_eq!(ran(&repo, &["uninstall", harness, "--project"]).0, Some(0));
        let left = repo.text(name);
        assert!(!left.contains("redraft hook") && left.contains("\"mine\": true"), "{left}");
        let comments = text.lines().filter_map(|line| line.find("//").map(|at| line[at..].trim_end()));
        comments.for_each(|comment| assert!(left.contains(comment), "{comment}: {left}"));
        let other = ["say done", "guard", "prettier --write"];
        other.iter().for_each(|word| assert_eq!(left.contains(word), text.contains(word), "{left}"));
    }
}

#[test]
fn what_was_not_there_is_gone_again_and_what_is_anothers_is_left() {
    let repo = TestRepo::with_files(&[("a", "one\n")]);
    let home = repo.outside().join("home");
    for harness in ["opencode", "amp", "cline", "copilot", "droid", "claude-code"] {
        assert_eq!(ran(&repo, &["install", harness]).0, Some(0), "{harness}");
    }
    let plugin = home.join(".config/opencode/plugins/redraft.js");
    assert!(plugin.is_file());
    let hook = home.join("Documents/Cline/Hooks/PreToolUse");
    assert_eq!(std::fs::metadata(&hook).expect("there").permissions().mode() & 0o777, 0o755);
    let told: Value = serde_json::from_str(&ran(&repo, &["install", "--check", "--json"]).1).expect("JSON");
    let of = |name: &str| {
        let all = told["harnesses"].as_array().expect("a list");
        all.iter().find(|one| one["harness"] == json!(name)).expect("one").clone()
    };
    assert_eq!(
        (of("opencode")["user"].as_array().map(Vec::len), of("codex")["user"].as_array().map(Vec::len)),
        (Some(1), Some(0))
    );
    assert_eq!(ran(&repo, &["uninstall"]).0, Some(0));
    let files = crate::support::tree_of(&home);
    let is_state = |file: &String| file.contains("/home/.local");
    assert!(files.iter().all(is_state), "{files:?}");
    // A hook of Cline's that is somebody's own.
    put(&hook, "#!/bin/sh\nexec mine\n");
    let refused = ran(&repo, &["install", "cline"]);
    assert_eq!(refused.0, Some(1));
    assert!(refused.2.contains("PreToolUse is another program's"), "{}", refused.2);
    assert_eq!(std::fs::read_to_string(&hook).expect("there"), "#!/bin/sh\nexec mine\n");
}

#[test]
fn a_file_that_is_not_understood_is_not_touched_and_a_symlink_stays_one() {
    let repo = TestRepo::with_files(&[("a", "one\n")]);
    repo.write(".claude/settings.json", "{\"hooks\": ");
    let refused = ran(&repo, &["install", "claude-code", "--project"]);
    assert_eq!(refused.0, Some(1));
    assert!(refused.2.contains("is no JSON") && refused.2.contains("nothing was changed in it"), "{}", refused.2);
    assert_eq!(repo.text(".claude/settings.json"), "{\"hooks\": ");
    repo.write("dotfiles/settings.json", "{}\n");
    std::fs::remove_file(repo.root().join(".claude/settings.json")).expect("removed");
    std::os::unix::fs::symlink("../dotfiles/settings.json", repo.root().join(".claude/settings.json")).expect("made");
    assert_eq!(ran(&repo, &["install", "claude-code", "--project"]).0, Some(0));
    assert!(repo.text("dotfiles/settings.json").contains("redraft hook claude-code"));
    assert!(std::fs::symlink_metadata(repo.root().join(".claude/settings.json")).expect("there").is_symlink());
    // Who names nothing, and cannot be asked, is told what there is.
    let told = ran(&repo, &["install", "--json"]);
    assert_eq!(told.0, Some(2));
    assert_eq!(ran(&repo, &["install", "emacs"]).0, Some(2));
}

/// A program of this name that answers as codex's app server does.
fn codex(repo: &TestRepo, hooks: &Value) -> std::path::PathBuf {
    let answer = json!({"id": 2, "result": {"data": [{"cwd": repo.root(), "hooks": hooks}]}});
    let script = format!(
        "#!/bin/sh\n[ \"$1\" = app-server ] || exit 1\nread a; read b; read c\ncase $c in *hooks/list*) echo '{{\"method\":\"other\"}}'; echo '{answer}';; esac\nsleep 30\n"
    );
    let folder = repo.outside().join("programs");
    put(&folder.join("codex"), &script);
    std::fs::set_permissions(folder.join("codex"), std::fs::Permissions::from_mode(0o755)).expect("set");
    folder
}

#[test]
fn whether_codex_is_let_run_the_hooks_is_told() {
    let repo = TestRepo::with_files(&[("a", "one\n")]);
    ran(&repo, &["install", "codex"]);
    let hook = |trust: &str| json!([{"command": "redraft hook codex", "trustStatus": trust, "enabled": true}]);
    for (hooks, trust, said) in [
        (hook("untrusted"), json!("untrusted"), "until you trust them"),
        (hook("trusted"), json!("trusted"), "; trusted"),
        (json!([]), json!("unseen"), "does not see them"),
    ] {
        let folder = codex(&repo, &hooks);
        let path = format!("{}:{}", folder.display(), std::env::var("PATH").expect("set"));
        let home = repo.outside().join("home");
        let check = |args: &[&str]| {
            let ran = finish(command(&repo.root(), args).env("HOME", &home).env("PATH", &path), b"");
            String::from_utf8(ran.stdout).expect("UTF-8")
        };
        let told: Value = serde_json::from_str(&check(&["install", "--check", "--json"])).expect("JSON");
        let one = told["harnesses"].as_array().expect("a list").iter().find(|one| one["harness"] == "codex").cloned();
        assert_eq!(one.expect("codex")["trust"], trust);
        assert!(check(&["install", "--check"]).contains(said), "{said}");
    }
    // One that says nothing of use.
    let folder = repo.outside().join("programs");
    put(&folder.join("codex"), "#!/bin/sh\nexit 1\n");
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").expect("set"));
    let home = repo.outside().join("home");
    let ran =
        finish(command(&repo.root(), &["install", "--check", "--json"]).env("HOME", &home).env("PATH", &path), b"");
    assert!(String::from_utf8_lossy(&ran.stdout).contains("\"trust\":null"), "{ran:?}");
}

/// The file of each harness that names its servers, and those with its lists, in a repository.
const SERVERS: [(&str, &str); 8] = [
    ("claude-code", ".mcp.json"),
    ("codex", ".codex/config.toml"),
    ("gemini", ".gemini/settings.json"),
    ("opencode", "opencode.json"),
    ("cursor", ".cursor/mcp.json"),
    ("copilot", ".vscode/mcp.json"),
    ("droid", ".factory/mcp.json"),
    ("amp", ".amp/settings.json"),
];

#[test]
fn the_server_is_named_beside_what_is_there_and_comes_out_byte_for_byte() {
    let json = [
        "{}",
        "",
        "{\n  // mine\n  \"mcpServers\": {\n    \"other\": {\"command\": \"x\"}, // last\n  },\n  \"mcp\": {},\n}\n",
        "{\r\n\t\"servers\": {\"a\": {}},\r\n\t\"permissions\": {\"deny\": [\"WebFetch\"]},\r\n\t\"tools\": {\"exclude\": []}\r\n}\r\n",
    ];
    let toml =
        ["", "model = \"gpt\" # mine\n\n[mcp_servers.other]\ncommand = \"x\"\n", "[a]\r\nb = 1\r\n", "[mcp_servers]\n"];
    for (harness, name) in SERVERS {
        for text in if name.ends_with("toml") { toml } else { json } {
            let repo = TestRepo::with_files(&[("a", "one\n")]);
            put(&repo.root().join(name), text);
            let all = ["install", harness, "--project", "--hooks", "--mcp", "--only-redraft"];
            let told = ran(&repo, &all);
            assert_eq!(told.0, Some(0), "{told:?}");
            let with = repo.text(name);
            assert!(with.contains("redraft") && told.1.contains("redraft"), "{harness}: {with}");
            assert_eq!(with.contains("\r\n"), text.contains("\r\n"), "{with:?}");
            for line in text.lines().filter(|line| line.contains("mine") || line.contains("last")) {
                assert!(with.contains(line.trim_end_matches(',').trim()), "{line} in {with}");
            }
            assert_eq!(ran(&repo, &all).1, "hooks and server are there already\n", "{harness}: {}", repo.text(name));
            assert_eq!(ran(&repo, &["uninstall", harness, "--project"]).0, Some(0));
            assert_eq!(repo.text(name), text, "{harness}");
        }
    }
}

#[test]
fn after_another_change_only_redrafts_own_entries_go() {
    for (harness, name) in SERVERS {
        let repo = TestRepo::with_files(&[("a", "one\n")]);
        ran(&repo, &["install", harness, "--project", "--hooks", "--mcp", "--only-redraft"]);
        let with = repo.text(name);
        let is_toml = name.ends_with("toml");
        let changed = if is_toml { format!("x = 1\n{with}") } else { with.replacen('{', "{\n  \"x\": 1,", 1) };
        put(&repo.root().join(name), &changed);
        assert_eq!(ran(&repo, &["uninstall", harness, "--project"]).0, Some(0));
        let left = repo.text(name);
        assert!(!left.contains("redraft"), "{harness}: {left}");
        let lines: Vec<&str> = left.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        assert!(if is_toml { lines == ["x = 1"] } else { left.contains("\"x\": 1") }, "{harness}: {left}");
    }
}

#[test]
fn only_redraft_takes_the_editors_away_where_there_is_a_list() {
    let repo = TestRepo::with_files(&[("a", "one\n")]);
    for (harness, file, pointer, want) in [
        (
            "claude-code",
            ".claude/settings.json",
            "/permissions/deny",
            json!(["Edit", "Write", "MultiEdit", "NotebookEdit"]),
        ),
        ("gemini", ".gemini/settings.json", "/tools/exclude", json!(["replace", "write_file"])),
        ("opencode", "opencode.json", "/permission/edit", json!("deny")),
    ] {
        assert_eq!(ran(&repo, &["install", harness, "--project", "--only-redraft"]).0, Some(0));
        let value: Value = serde_json::from_str(&repo.text(file)).expect("JSON");
        assert_eq!(value.pointer(pointer), Some(&want), "{value}");
        assert!(value.get("hooks").is_none());
    }
    let (exit, _, said) = ran(&repo, &["install", "cursor", "--project", "--only-redraft"]);
    assert!(exit == Some(0) && said.contains("cursor has no list to take its own editors away by"), "{said}");
    // What somebody else decided stays.
    put(&repo.root().join("opencode.json"), "{\"permission\": {\"edit\": \"ask\"}}");
    let (exit, _, said) = ran(&repo, &["install", "opencode", "--project", "--only-redraft"]);
    assert!(exit == Some(1) && said.contains("has `permission.edit` already, with another value"), "{said}");
    let told = ran(&repo, &["install", "--check", "--json"]).1;
    let told: Value = serde_json::from_str(&told).expect("JSON");
    let cursor =
        told["harnesses"].as_array().expect("a list").iter().find(|one| one["harness"] == "cursor").expect("it");
    assert!(cursor["server"][0].as_str().is_some_and(|file| file.ends_with(".cursor/mcp.json")), "{cursor}");
}
