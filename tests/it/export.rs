//! `redraft export`: git-ai's notes and agent-trace's records, read by parsers of their own.

use crate::support::{Dice, TestRepo};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

fn edit(repo: &TestRepo, who: (&str, &str), path: &str, (old, new): (&str, &str)) -> String {
    let agent = json!({"name": who.0, "model": "claude-opus-4-5", "session": who.1});
    repo.apply(json!({"path": path, "edits": [{"old_string": old, "new_string": new}], "agent": agent}))
}

fn numbers(count: usize) -> String {
    (0..count).map(|n| format!("line {n}\n")).collect()
}

/// A note as the standard has it: of each file the lines by session key, and what stands behind the divider.
fn parsed(note: &str) -> (BTreeMap<String, BTreeMap<usize, String>>, Value) {
    let mut files: BTreeMap<String, BTreeMap<usize, String>> = BTreeMap::new();
    let (attestation, metadata) = if let Some(metadata) = note.strip_prefix("---\n") {
        ("", metadata)
    } else {
        let (attestation, metadata) = note.split_once("\n---\n").expect("a divider");
        (attestation, metadata)
    };
    let metadata: Value = serde_json::from_str(metadata).expect("JSON");
    let mut file = None;
    let mut last_key = String::new();
    for line in attestation.lines() {
        let Some(entry) = line.strip_prefix("  ") else {
            assert!(!line.starts_with(char::is_whitespace) && !line.is_empty(), "{line:?}");
            let is_quoted = line.starts_with('"') && line.ends_with('"') && line.len() > 2;
            assert_eq!(is_quoted, line.contains(char::is_whitespace), "{line:?}");
            let name = line.trim_matches('"').to_owned();
            assert!(files.insert(name.clone(), BTreeMap::new()).is_none(), "{name} twice");
            file = Some(name);
            last_key.clear();
            continue;
        };
        let (key, ranges) = entry.split_once(' ').expect("a blank");
        assert!(!ranges.contains(' ') && key > last_key.as_str(), "{line:?}");
        key.clone_into(&mut last_key);
        let is_hex =
            |text: &str| text.len() == 14 && text.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b));
        // A person that is known, whom redraft never tells, stands alone.
        let session = if key.strip_prefix("h_").is_some_and(is_hex) {
            assert!(metadata["humans"][key]["author"].is_string(), "{key} is nobody of {metadata}");
            key
        } else {
            let (session, step) = key.split_once("::").expect("a session and a step");
            let is_step = step.strip_prefix("t_").is_some_and(is_hex);
            assert!(session.strip_prefix("s_").is_some_and(is_hex) && is_step, "{key}");
            assert!(metadata["sessions"][session].is_object(), "{key} is no session of {metadata}");
            session
        };
        let lines = files.get_mut(file.as_ref().expect("a file first")).expect("it is there");
        let mut last = 0;
        for range in ranges.split(',') {
            let (first, end) = range.split_once('-').unwrap_or((range, range));
            let (first, end): (usize, usize) = (first.parse().expect("a number"), end.parse().expect("a number"));
            assert!(first > last && end >= first && (first != end || !range.contains('-')), "{line:?}");
            assert!(last == 0 || first > last + 1, "consecutive lines are one range: {line:?}");
            last = end;
            for n in first..=end {
                assert!(lines.insert(n, session.to_owned()).is_none(), "line {n} twice: {note}");
            }
        }
    }
    assert!(files.values().all(|lines| !lines.is_empty()), "a file without lines: {note}");
    assert_eq!(metadata["schema_version"], "authorship/3.0.0");
    assert!(metadata["prompts"].is_object() && metadata["base_commit_sha"].as_str().is_some_and(|id| id.len() == 40));
    for session in metadata["sessions"].as_object().expect("an object").values() {
        for key in ["tool", "id", "model"] {
            assert!(session["agent_id"][key].is_string(), "{session}");
        }
        let attributes = session["custom_attributes"].as_object();
        assert!(attributes.is_none_or(|attributes| attributes.values().all(Value::is_string)));
    }
    (files, metadata)
}

/// The parser takes what the standard shows, and not what it forbids.
#[test]
fn the_parser_is_that_of_the_standard() {
    let metadata = json!({
        "schema_version": "authorship/3.0.0", "git_ai_version": "1.4.5", "base_commit_sha": "1".repeat(40), "prompts": {},
        "humans": {"h_31dce776f88375": {"author": "Developer <dev@example.com>"}},
        "sessions": {
            "s_c9883b05a2487d": {"agent_id": {"tool": "cursor", "id": "x", "model": "m"}, "custom_attributes": {"team": "backend"}},
            "s_e7f2a90b31cc48": {"agent_id": {"tool": "cursor", "id": "y", "model": "m"}, "human_author": "dev@example.com"},
        },
    });
    let of = |lines: &str| format!("{lines}---\n{metadata}\n");
    let shown = of(
        "src/main.rs\n  h_31dce776f88375 42-50\n  s_c9883b05a2487d::t_9f8e7d6c5b4a32 1-10,15-20\n\"src/with space.rs\"\n  s_e7f2a90b31cc48::t_deadbeef012345 1-50\n",
    );
    let (files, _) = parsed(&shown);
    assert_eq!((files["src/main.rs"].len(), files["src/with space.rs"].len()), (25, 50));
    for bad in [
        "src/with space.rs\n  s_e7f2a90b31cc48::t_deadbeef012345 1\n",
        "a\n  s_e7f2a90b31cc48::t_deadbeef012345 2,1\n",
        "a\n  s_e7f2a90b31cc48::t_deadbeef012345 1, 3\n",
        "a\n  s_e7f2a90b31cc48::t_deadbeef012345 0\n",
        "a\n  s_00000000000000::t_deadbeef012345 1\n",
        "a\n",
    ] {
        let bad = of(bad);
        assert!(std::panic::catch_unwind(|| drop(parsed(&bad))).is_err(), "{bad}");
    }
}

fn note(repo: &TestRepo, commit: &str) -> String {
    repo.git(&["notes", "--ref=ai", "show", commit])
}

/// Whose session each line of a note is of.
fn sessions(note: &str) -> BTreeMap<String, BTreeMap<usize, String>> {
    let (files, metadata) = parsed(note);
    let id = |key: String| metadata["sessions"][key]["agent_id"]["id"].as_str().expect("an id").to_owned();
    let lines = |lines: BTreeMap<usize, String>| lines.into_iter().map(|(n, key)| (n, id(key))).collect();
    files.into_iter().map(|(file, of)| (file, lines(of))).collect()
}

#[test]
fn a_note_tells_the_lines_of_each_session() {
    let repo = TestRepo::with_files(&[("a", &numbers(9)), ("with space", "x\n")]);
    edit(&repo, ("claude-code", "s1"), "a", ("line 1\n", "ONE\nONE and a half\n"));
    repo.write("a", repo.text("a").replace("line 4\n", "the user's\n"));
    edit(&repo, ("codex", "s2"), "a", ("line 7\n", "SEVEN\n"));
    edit(&repo, ("codex", "s2"), "with space", ("x\n", "x\ny\n"));
    repo.commit_all("work");
    let dry = repo.redraft(&["export", "git-ai", "--dry-run"], "");
    assert_eq!((dry.status, repo.try_git(&["notes", "--ref=ai", "show", "HEAD"]).status.success()), (0, false));
    let before = (
        repo.git(&["rev-parse", "HEAD"]),
        repo.git(&["status", "--porcelain"]),
        repo.git(&["config", "-l", "--local"]),
    );
    let done = repo.redraft(&["export", "git-ai", "--json"], "");
    assert_eq!(
        (done.status, done.json()["status"].clone(), done.json()["lines"].clone()),
        (0, json!("written"), json!(4))
    );
    let text = note(&repo, "HEAD");
    assert!(dry.out.ends_with(&text), "{}", dry.out);
    assert_eq!(parsed(&text).1["base_commit_sha"], json!(before.0.trim()));
    let wanted = BTreeMap::from([
        ("a".to_owned(), BTreeMap::from([(2, "s1".to_owned()), (3, "s1".to_owned()), (9, "s2".to_owned())])),
        ("with space".to_owned(), BTreeMap::from([(2, "s2".to_owned())])),
    ]);
    assert_eq!(sessions(&text), wanted);
    // Again is no change; and nothing else in the repository changed.
    assert_eq!(repo.redraft(&["export", "git-ai", "--json"], "").json()["status"], "unchanged");
    let after = (
        repo.git(&["rev-parse", "HEAD"]),
        repo.git(&["status", "--porcelain"]),
        repo.git(&["config", "-l", "--local"]),
    );
    assert_eq!(before, after);
    repo.git(&["fsck", "--strict"]);
}

#[test]
fn a_note_of_another_tool_is_left_and_redrafts_own_follows() {
    let repo = TestRepo::with_files(&[("a", &numbers(3))]);
    edit(&repo, ("claude-code", "s1"), "a", ("line 1\n", "ONE\n"));
    repo.commit_all("work");
    let others = "---\n{\"schema_version\":\"authorship/3.0.0\",\"git_ai_version\":\"1.6.24\",\"prompts\":{}}";
    repo.git(&["notes", "--ref=ai", "add", "-m", others]);
    let done = repo.redraft(&["export", "git-ai", "--json"], "");
    assert_eq!((done.status, done.json()["status"].clone()), (0, json!("left")));
    assert!(note(&repo, "HEAD").contains("1.6.24"));
    repo.git(&["notes", "--ref=ai", "remove"]);
    assert_eq!(repo.redraft(&["export", "git-ai", "--json"], "").json()["status"], "written");
    // One of redraft's own for a commit that has no such lines.
    let own = note(&repo, "HEAD");
    repo.write("a", "mine\n");
    repo.commit_all("mine");
    repo.git(&["notes", "--ref=ai", "add", "-m", &own]);
    assert_eq!(repo.redraft(&["export", "git-ai", "--json"], "").json()["status"], "removed");
    assert!(!repo.try_git(&["notes", "--ref=ai", "show", "HEAD"]).status.success());
    assert_eq!(repo.redraft(&["export", "git-ai", "--json"], "").json()["status"], "none");
    // A range, and another ref.
    let done = repo.redraft(&["export", "git-ai", "--json", "--ref", "refs/notes/other", "HEAD~2..HEAD"], "").lines();
    assert_eq!(done.iter().map(|one| one["status"].clone()).collect::<Vec<_>>(), [json!("none"), json!("written")]);
    assert!(!repo.git(&["notes", "--ref=other", "list"]).is_empty());
    for people in ["commits", "notes/commits", "refs/notes/commits"] {
        assert_eq!(repo.redraft(&["export", "git-ai", "--ref", people], "").status, 1, "{people}");
    }
    // One that another clone made.
    let foreign = own.replace("dev.redraft.records\":\"", "dev.redraft.records\":\"kkkkkkkkkkkkkkkk ");
    repo.git(&["notes", "--ref=ai", "add", "-f", "-m", &foreign, "HEAD~1"]);
    assert_eq!(repo.redraft(&["export", "git-ai", "--json", "HEAD~1"], "").json()["status"], "left");
    for bad in ["nothing", "--output=x", "a..nothing"] {
        let answer = repo.redraft(&["export", "git-ai", "--", bad], "");
        assert_eq!(answer.status, 3, "{bad}: {}", answer.err);
    }
}

#[test]
fn amends_rebases_and_line_endings_are_followed() {
    let repo = TestRepo::with_files(&[("a", &numbers(9)), ("b", "b\n")]);
    repo.git(&["config", "core.autocrlf", "true"]);
    repo.write("crlf", "one\r\ntwo\r\n");
    repo.commit_all("crlf");
    edit(&repo, ("claude-code", "s1"), "a", ("line 1\n", "ONE\n"));
    edit(&repo, ("claude-code", "s1"), "crlf", ("two", "TWO"));
    repo.git(&["config", "--unset", "core.autocrlf"]);
    repo.git(&["-c", "core.autocrlf=true", "commit", "-q", "-a", "-m", "first"]);
    // What a later record takes away again, the older commit still has.
    edit(&repo, ("codex", "s2"), "a", ("ONE\n", "UNO\n"));
    repo.git(&["mv", "a", "moved"]);
    repo.git(&["-c", "core.autocrlf=true", "commit", "-q", "-a", "-m", "second"]);
    repo.redraft(&["export", "git-ai", "HEAD~1", "HEAD"], "");
    let line = |file: &str, n: usize, session: &str| (file.to_owned(), BTreeMap::from([(n, session.to_owned())]));
    assert_eq!(sessions(&note(&repo, "HEAD~1")), BTreeMap::from([line("a", 2, "s1"), line("crlf", 2, "s1")]));
    assert_eq!(sessions(&note(&repo, "HEAD")), BTreeMap::from([line("moved", 2, "s2")]));
    repo.git(&["commit", "-q", "--amend", "-m", "second, amended"]);
    assert_eq!(repo.redraft(&["export", "git-ai", "--json"], "").json()["lines"], 1);
}

#[test]
fn of_a_merge_only_what_no_parent_has_is_told() {
    let repo = TestRepo::with_files(&[("a", &numbers(9))]);
    repo.git(&["checkout", "-q", "-b", "side"]);
    edit(&repo, ("claude-code", "s1"), "a", ("line 1\n", "side\n"));
    edit(&repo, ("claude-code", "s1"), "a", ("line 7\n", "seven\n"));
    repo.commit_all("side");
    repo.git(&["checkout", "-q", "main"]);
    repo.write("a", repo.text("a").replace("line 1\n", "main\n"));
    repo.commit_all("main");
    assert!(!repo.try_git(&["merge", "-q", "side"]).status.success(), "a conflict");
    let conflict = "<<<<<<< HEAD\nmain\n=======\nside\n>>>>>>> side\n";
    assert!(repo.text("a").contains(conflict), "{}", repo.text("a"));
    edit(&repo, ("codex", "s2"), "a", (conflict, "both\n"));
    let answer = repo.redraft(&["export", "git-ai"], "");
    assert_eq!((answer.status, answer.err.contains("a merge is in progress")), (1, true), "{}", answer.err);
    repo.commit_all("merged");
    repo.redraft(&["export", "git-ai", "HEAD", "HEAD^2"], "");
    let line = |n: usize, session: &str| BTreeMap::from([("a".to_owned(), BTreeMap::from([(n, session.to_owned())]))]);
    assert_eq!(sessions(&note(&repo, "HEAD")), line(2, "s2"));
    let side = BTreeMap::from([(2, "s1".to_owned()), (8, "s1".to_owned())]);
    assert_eq!(sessions(&note(&repo, "HEAD^2")), BTreeMap::from([("a".to_owned(), side)]));
}

/// The schema of a trace record, written anew from its description.
fn check_trace(record: &Value) {
    let object = |value: &Value, known: &[&str], required: &[&str]| {
        let object = value.as_object().expect("an object");
        assert!(object.keys().all(|key| known.contains(&key.as_str())), "{value}");
        assert!(required.iter().all(|key| object.contains_key(*key)), "{value}");
    };
    object(
        record,
        &["version", "id", "timestamp", "vcs", "tool", "files", "metadata"],
        &["version", "id", "timestamp", "files"],
    );
    let matches = |pattern: &str, value: &Value| {
        regex_lite::Regex::new(pattern).expect("a pattern").is_match(value.as_str().expect("text"))
    };
    assert!(matches(r"^[0-9]+\.[0-9]+\.[0-9]+$", &record["version"]));
    assert!(matches("^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$", &record["id"]));
    assert!(matches(r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$", &record["timestamp"]));
    object(&record["vcs"], &["type", "revision"], &["type", "revision"]);
    assert!(record["vcs"]["type"] == "git" && matches("^[0-9a-f]{40}$", &record["vcs"]["revision"]));
    object(&record["tool"], &["name", "version"], &["name", "version"]);
    assert!(record["metadata"].is_object());
    for file in record["files"].as_array().expect("a list") {
        object(file, &["path", "conversations"], &["path", "conversations"]);
        for conversation in file["conversations"].as_array().expect("a list") {
            object(conversation, &["url", "contributor", "ranges", "related"], &["ranges"]);
            let contributor = &conversation["contributor"];
            object(contributor, &["type", "model_id"], &["type"]);
            assert!(["human", "ai", "mixed", "unknown"].contains(&contributor["type"].as_str().expect("text")));
            assert!(contributor["model_id"].as_str().is_none_or(|model| model.contains('/') && model.len() <= 250));
            for range in conversation["ranges"].as_array().expect("a list") {
                object(range, &["start_line", "end_line", "content_hash", "contributor"], &["start_line", "end_line"]);
                assert!(
                    range["start_line"].as_u64() >= Some(1)
                        && range["end_line"].as_u64() >= range["start_line"].as_u64()
                );
            }
        }
    }
}

/// The schema's own examples, the least one and one with all there is, are of it; others are not.
#[test]
fn the_schema_is_that_of_the_text() {
    let least = json!({
        "version": "0.1.0", "id": "550e8400-e29b-41d4-a716-446655440000", "timestamp": "2026-01-25T10:00:00Z", "vcs": {"type": "git", "revision": "a".repeat(40)},
        "tool": {"name": "redraft", "version": "1"}, "metadata": {"confidence": 0.95, "dev.example": {"x": 1}},
        "files": [{"path": "src/app.ts", "conversations": [{
            "url": "https://example.com/1", "contributor": {"type": "ai", "model_id": "openai/gpt-4o"},
            "ranges": [{"start_line": 1, "end_line": 50, "content_hash": "murmur3:9f2e8a1b"}],
            "related": [{"type": "session", "url": "https://example.com/2"}],
        }]}],
    });
    check_trace(&least);
    for (pointer, value) in [
        ("/version", json!("0.1")),
        ("/id", json!("x")),
        ("/timestamp", json!("2026-01-25T10:00:00+01:00")),
        ("/files/0/conversations/0/ranges/0/start_line", json!(0)),
        ("/files/0/conversations/0/contributor/type", json!("robot")),
        ("/files/0/more", json!(1)),
    ] {
        let mut bad = least.clone();
        match bad.pointer_mut(pointer) {
            Some(place) => *place = value,
            None => bad["files"][0]["more"] = value,
        }
        assert!(std::panic::catch_unwind(|| check_trace(&bad)).is_err(), "{pointer}");
    }
}

#[test]
fn trace_records_are_of_the_schema_and_the_same_twice() {
    let repo = TestRepo::with_files(&[("a", &numbers(9))]);
    edit(&repo, ("claude-code", "s1"), "a", ("line 1\n", "ONE\n"));
    edit(&repo, ("codex", "s2"), "a", ("line 7\n", "SEVEN\n"));
    repo.commit_all("work");
    repo.write("a", "mine\n");
    repo.commit_all("mine");
    let answer = repo.redraft(&["export", "agent-trace", "HEAD~1", "HEAD"], "");
    assert_eq!((answer.status, answer.err.as_str()), (0, ""));
    let records = answer.lines();
    assert_eq!(records.len(), 1, "a commit without such lines has none");
    records.iter().for_each(check_trace);
    let conversations = records[0]["files"][0]["conversations"].as_array().expect("a list");
    assert_eq!(conversations.len(), 2);
    assert_eq!(conversations[0]["contributor"], json!({"type": "ai", "model_id": "anthropic/claude-opus-4-5"}));
    assert_eq!(records[0]["vcs"]["revision"], json!(repo.git(&["rev-parse", "HEAD~1"]).trim()));
    assert_eq!(repo.redraft(&["export", "agent-trace", "HEAD~1"], "").out, answer.out);
}

/// Agents and a person edit, commit and rename: each line that a note gives to a session is one that this session wrote, and
/// each line of the commit that a session wrote is in it. `REDRAFT_RUNS` says how many.
#[test]
fn random_commits_give_each_session_its_lines() {
    let runs: u64 = std::env::var("REDRAFT_RUNS").ok().and_then(|runs| runs.parse().ok()).unwrap_or(15);
    let mut checked = 0;
    for seed in 0..runs {
        let mut dice = Dice(seed);
        let repo = TestRepo::with_files(&[("a", &numbers(20)), ("b", &numbers(20))]);
        let mut count = 0;
        let mut names = ["a".to_owned(), "b".to_owned()];
        for _ in 0..4 {
            // A name that git never had leads nowhere: who renames a file does it first, and once.
            let mut is_touched = [false; 2];
            for _ in 0..=dice.roll(5) {
                count += 1;
                let n = dice.roll(2);
                let path = &names[n].clone();
                let text = repo.text(path);
                let lines: Vec<&str> = text.split_inclusive('\n').collect();
                let line = lines[dice.roll(lines.len())].to_owned();
                match dice.roll(5) {
                    who @ 0..=2 => {
                        let new = format!("s{who} wrote {count}\n");
                        let new = if dice.roll(3) == 0 { format!("{line}{new}") } else { new };
                        edit(&repo, ("claude-code", &format!("s{who}")), path, (&line, &new));
                    }
                    3 => repo.write(path, text.replacen(&line, &format!("person wrote {count}\n"), 1)),
                    _ if is_touched[n] => continue,
                    _ => {
                        let new = format!("{}{count}", ["a", "b"][n]);
                        repo.git(&["mv", path, &new]);
                        names[n] = new;
                    }
                }
                is_touched[n] = true;
            }
            repo.commit_all("step");
        }
        repo.redraft(&["export", "git-ai", "HEAD~4..HEAD"], "");
        for back in 0..4 {
            let commit = format!("HEAD~{back}");
            let there = repo.try_git(&["notes", "--ref=ai", "show", &commit]);
            let noted = if there.status.success() {
                sessions(&String::from_utf8(there.stdout).expect("UTF-8"))
            } else {
                BTreeMap::new()
            };
            let mut wanted: BTreeSet<(String, String, String)> = BTreeSet::new();
            let diff = repo.git(&["show", "--format=", "-M", "-U0", "--no-prefix", &commit]);
            let mut file = String::new();
            for line in diff.lines() {
                if let Some(name) = line.strip_prefix("+++ ") {
                    name.clone_into(&mut file);
                } else if let Some(text) = line.strip_prefix("+s") {
                    wanted.insert((file.clone(), format!("s{}", &text[..1]), format!("s{text}")));
                }
            }
            let mut got = BTreeSet::new();
            for (file, lines) in &noted {
                let text = repo.git(&["show", &format!("{commit}:{file}")]);
                for (n, session) in lines {
                    let line = text.lines().nth(n - 1).expect("a line").to_owned();
                    got.insert((file.clone(), session.clone(), line));
                }
            }
            checked += got.len();
            assert_eq!(got, wanted, "seed {seed} {commit}: {diff}");
        }
    }
    assert!(checked as u64 > runs, "{checked}");
}
