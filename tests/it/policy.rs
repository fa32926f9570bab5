//! The policy in git's configuration holds for everything that changes files or makes commits.

use crate::support::TestRepo;
use serde_json::{Value, json};

fn edit(old: &str, new: &str) -> Value {
    json!({"path": "a", "old_string": old, "new_string": new})
}

fn repo() -> TestRepo {
    TestRepo::with_files(&[("a", "one\ntwo\nthree\n")])
}

#[test]
fn the_configured_verification_is_asked_for_undo_redo_restore_and_shelve() {
    let repo = repo();
    let id = repo.apply(edit("two", "2"));
    repo.git(&["config", "redraft.verify", "echo asked >> .git/asked; grep -q '^2' a"]);
    let asked = || std::fs::read_to_string(repo.root().join(".git/asked")).unwrap_or_default().lines().count();
    assert_eq!(repo.refused(&["undo"], ""), "verify_failed");
    assert_eq!((repo.text("a").as_str(), asked()), ("one\n2\nthree\n", 1));
    repo.git(&["config", "redraft.verify", "echo asked >> .git/asked; grep -q '^two' a"]);
    repo.done(&["undo"], "");
    assert_eq!(repo.refused(&["redo"], ""), "verify_failed");
    assert_eq!((repo.text("a").as_str(), asked()), ("one\ntwo\nthree\n", 3));
    repo.write("a", "zero\n");
    repo.git(&["config", "redraft.verify", "echo asked >> .git/asked; false"]);
    let restored = repo.redraft(&["backups", "restore", &id], "");
    assert_eq!(restored.status, 3, "{}{}", restored.out, restored.err);
    assert_eq!((repo.text("a").as_str(), asked()), ("zero\n", 4));
    repo.git(&["checkout", "-q", "a"]);
    let shelve = ["apply", "--record", "stash", "--shelve"];
    assert_eq!(repo.refused(&shelve, &edit("two", "2").to_string()), "verify_failed");
    assert_eq!((repo.git(&["stash", "list"]).as_str(), asked()), ("", 5));
    // It sees the text that is shelved, and the working tree is as it was.
    repo.git(&["config", "redraft.verify", "echo asked >> .git/asked; grep -q '^2' a"]);
    let done = repo.done(&shelve, &edit("two", "2").to_string());
    assert_eq!((&done["data"]["applied"], asked()), (&json!(false), 6), "{done}");
    assert_eq!((repo.text("a").as_str(), repo.git(&["stash", "list"]).lines().count()), ("one\ntwo\nthree\n", 1));
    assert_eq!(repo.git(&["status", "--porcelain"]), "");
    let create = json!({"path": "new/deep/b", "content": "x\n"});
    repo.git(&["config", "redraft.verify", "test -f new/deep/b"]);
    repo.done(&shelve, &create.to_string());
    assert!(!repo.has("new"), "folders that were made to try it are gone");
    assert_eq!(repo.redraft(&["fsck"], "").status, 0);
}

#[test]
fn a_verification_of_the_call_does_not_get_round_the_configured_one() {
    let repo = repo();
    repo.git(&["config", "redraft.verify", "false"]);
    for command in ["true", "x }; true; { true", "true\n}; true; {", "true || true", "exit 0", "} || {"] {
        let request = edit("two", "2").to_string();
        assert_eq!(repo.refused(&["apply", "--verify", command], &request), "verify_failed", "{command}");
    }
    repo.git(&["config", "redraft.verify", "true # a remark"]);
    assert_eq!(repo.refused(&["apply", "--verify", "false"], &edit("two", "2").to_string()), "verify_failed");
    repo.git(&["config", "redraft.verify", "exit 0"]);
    assert_eq!(repo.refused(&["apply", "--verify", "false"], &edit("two", "2").to_string()), "verify_failed");
    assert_eq!(repo.text("a"), "one\ntwo\nthree\n");
}

#[test]
fn a_call_gives_the_configured_verification_no_longer_than_the_configuration_does() {
    let repo = repo();
    repo.git(&["config", "redraft.verify", "sleep 2"]);
    repo.git(&["config", "redraft.verifyTimeout", "0.3"]);
    let request = edit("two", "2").to_string();
    assert_eq!(repo.refused(&["apply", "--verify-timeout", "60"], &request), "verify_timeout");
    assert_eq!(repo.text("a"), "one\ntwo\nthree\n");
    // A command of the call's own has no longer either: it runs within the same limit.
    repo.git(&["config", "--unset", "redraft.verify"]);
    let own = ["apply", "--verify", "sleep 2", "--verify-timeout", "60"];
    assert_eq!(repo.refused(&own, &request), "verify_timeout");
    // That another limit holds than was asked for is said where it worked.
    repo.git(&["config", "redraft.verifyTimeout", "20"]);
    let done = repo.done(&["apply", "--verify", "true", "--verify-timeout", "60"], &request);
    let warnings = done["data"]["warnings"].to_string();
    assert!(warnings.contains("redraft.verifyTimeout") && warnings.contains("20"), "{done}");
    // Shorter it may be, and as long as it likes where nothing is configured.
    repo.git(&["config", "redraft.verify", "sleep 2"]);
    let request = edit("three", "3").to_string();
    assert_eq!(repo.refused(&["apply", "--verify-timeout", "0.3"], &request), "verify_timeout");
    repo.git(&["config", "--unset", "redraft.verifyTimeout"]);
    let done = repo.done(&["apply", "--verify-timeout", "600"], &request);
    assert_eq!(done["data"]["warnings"], json!([]), "{done}");
}

#[test]
fn undo_redo_and_restore_ask_on_the_terminal_where_an_edit_does() {
    let repo = repo();
    let id = repo.apply(edit("two", "2"));
    repo.git(&["config", "redraft.confirm", "a"]);
    let commands: [(&[&str], &str, &str); 3] = [
        (&["undo"], "one\n2\nthree\n", "one\ntwo\nthree\n"),
        (&["redo"], "one\ntwo\nthree\n", "one\n2\nthree\n"),
        (&["backups", "restore", &id], "one\n2\nthree\n", "one\ntwo\nthree\n"),
    ];
    for (args, before, after) in commands {
        // Without a terminal nobody can say yes, and that is what is said.
        let alone = without_terminal(&repo, args);
        let told = format!("{}{}", alone.text(), alone.stderr);
        assert_eq!(alone.exit, Some(1), "{args:?}: {told}");
        assert!(told.contains("redraft.confirm") && told.contains("no terminal"), "{args:?}: {told}");
        assert_eq!(repo.text("a"), before, "{args:?}");
        if let Some(told) = on_terminal(&repo, args, "n\n") {
            assert!(told.contains("(y/n)") && told.contains("cancelled by user"), "{args:?}: {told}");
            assert_eq!(repo.text("a"), before, "{args:?}");
            let told = on_terminal(&repo, args, "y\n").expect("it is still there");
            assert!(told.contains("@@ -1,3 +1,3 @@"), "the diff is shown: {told}");
            assert_eq!(repo.text("a"), after, "{args:?}: {told}");
        } else {
            repo.write("a", after);
        }
    }
    // So with an edit itself.
    let request = repo.outside().join("request.json");
    std::fs::write(&request, edit("three", "3").to_string()).expect("writes");
    let alone = without_terminal(&repo, &["apply", request.to_str().expect("UTF-8")]);
    let answer = alone.json();
    assert_eq!(answer["data"]["reason"], "declined", "{answer}");
    assert!(answer["text"].as_str().is_some_and(|text| text.contains("no terminal")), "{answer}");
}

/// In a session of its own, so that the terminal of whoever runs the tests is not to be had.
fn without_terminal(repo: &TestRepo, args: &[&str]) -> crate::support::run::Ran {
    let mut command = std::process::Command::new("setsid");
    crate::support::clean(command.args(["-w", env!("CARGO_BIN_EXE_redraft")]).args(args), &repo.root());
    crate::support::run::finish(&mut command, b"")
}

/// On a terminal where somebody types `answer`; none where there is no script(1).
fn on_terminal(repo: &TestRepo, args: &[&str], answer: &str) -> Option<String> {
    if std::process::Command::new("script").arg("--version").output().is_err() {
        eprintln!("notice: there is no script(1) here; a terminal is not tried");
        return None;
    }
    let line = format!("{} {}", env!("CARGO_BIN_EXE_redraft"), args.join(" "));
    let mut command = std::process::Command::new("script");
    crate::support::clean(command.args(["-qec", &line, "/dev/null"]), &repo.root()).env("TERM", "xterm");
    let ran = crate::support::run::finish(&mut command, answer.as_bytes());
    Some(String::from_utf8_lossy(&ran.stdout).into_owned())
}

#[test]
fn a_negated_pattern_reopens_what_it_names_also_below_a_denied_directory() {
    let repo = repo();
    let create = |path: &str| json!({"path": path, "content": "x\n", "dry_run": true}).to_string();
    let check = |patterns: &[&str], denied: &[&str], open: &[&str]| {
        for pattern in patterns {
            repo.git(&["config", "--add", "redraft.deny", pattern]);
        }
        for path in denied {
            assert_eq!(repo.refused(&["apply"], &create(path)), "policy", "{patterns:?} {path}");
        }
        for path in open {
            assert_eq!(repo.done(&["apply"], &create(path))["data"]["applied"], false, "{patterns:?} {path}");
        }
        repo.git(&["config", "--unset-all", "redraft.deny"]);
    };
    check(&["vendor/", "!vendor/mine.rs"], &["vendor/other.rs", "vendor/x/mine.rs"], &["vendor/mine.rs"]);
    check(&["vendor/", "!vendor/ours/"], &["vendor/x", "vendor/x/ours/y"], &["vendor/ours/x", "vendor/ours/x/y"]);
    check(&["*.pem", "!tests/"], &["a.pem", "src/a.pem"], &["tests/a.pem", "tests/x/a.pem"]);
    // The order decides: what is denied later is denied.
    check(&["!vendor/mine.rs", "vendor/"], &["vendor/mine.rs"], &["src/mine.rs"]);
    check(&["vendor/", "!vendor/ours/", "*.lock"], &["vendor/ours/a.lock"], &["vendor/ours/a.rs"]);
}

#[test]
fn long_output_of_a_verification_is_told_by_its_two_ends() {
    let repo = repo();
    let command = "echo first-line; head -c 300000000 /dev/zero | tr '\\0' x; echo; echo last-line; exit 1";
    let run = format!("ulimit -v 600000; exec {} apply --verify \"$0\"", env!("CARGO_BIN_EXE_redraft"));
    let mut shell = std::process::Command::new("sh");
    crate::support::clean(shell.args(["-c", &run, command]), &repo.root());
    let done = crate::support::run::finish(&mut shell, edit("two", "2").to_string().as_bytes());
    let answer = done.json();
    assert_eq!(answer["data"]["reason"], "verify_failed", "{answer}");
    let output = answer["data"]["hint"]["output"].as_str().expect("an output");
    assert!(
        output.contains("first-line") && output.contains("last-line") && output.contains("bytes left out"),
        "{output}"
    );
    assert!(
        output.len() < 10_000 && answer["text"].as_str().is_some_and(|text| text.contains("last-line")),
        "{answer}"
    );
}

#[test]
fn an_edit_leaves_a_record_unless_the_configuration_says_otherwise() {
    let repo = repo();
    let hidden = json!({"path": "a", "old_string": "two", "new_string": "2", "record": "none"});
    assert_eq!(repo.refused(&["apply"], &hidden.to_string()), "policy");
    assert_eq!(repo.refused(&["apply", "--record", "none"], &edit("two", "2").to_string()), "policy");
    for set in ["history", "commit", "stash"] {
        repo.git(&["config", "redraft.record", set]);
        assert_eq!(repo.refused(&["apply"], &hidden.to_string()), "policy", "{set}");
    }
    repo.git(&["config", "redraft.record", "none"]);
    repo.done(&["apply"], &hidden.to_string());
    repo.done(&["apply"], &edit("three", "3").to_string());
    assert_eq!(repo.redraft(&["log", "--json"], "").out, "");
    repo.git(&["config", "--unset", "redraft.record"]);
    repo.apply(edit("one", "1"));
    let undone = repo.redraft(&["undo", "--record", "none"], "");
    assert_eq!(undone.json()["data"]["reason"], "policy", "{}", undone.out);
    repo.done(&["undo"], "");
}

#[test]
fn what_nobody_reviewed_is_not_committed_by_a_request_either() {
    let repo = repo();
    repo.git(&["config", "redraft.hookPolicy", "unreviewed"]);
    let head = repo.git(&["rev-parse", "HEAD"]);
    let commit = json!({"path": "a", "old_string": "two", "new_string": "2", "record": "commit"});
    let refused = |args: &[&str], input: &str| {
        let answer = repo.redraft(args, input).json();
        assert_eq!(answer["data"]["reason"], "policy", "{args:?}: {answer}");
        assert!(answer["text"].as_str().is_some_and(|text| text.contains("hookPolicy")), "{answer}");
        assert_eq!(
            (repo.git(&["rev-parse", "HEAD"]), repo.git(&["status", "--porcelain"])),
            (head.clone(), String::new())
        );
    };
    for hooks in ["none", "installed"] {
        if hooks == "installed" {
            repo.done(&["hooks", "install", "--json"], "");
        }
        refused(&["apply"], &commit.to_string());
        refused(&["apply", "--dry-run"], &commit.to_string());
        refused(&["apply", "--record", "commit"], &edit("two", "2").to_string());
        refused(&["apply", "--record", "commit", "--no-verify"], &edit("two", "2").to_string());
    }
    repo.git(&["config", "redraft.record", "commit"]);
    refused(&["apply"], &edit("two", "2").to_string());
    repo.git(&["config", "--unset", "redraft.record"]);
    // Into the history and the stash it may go, and taking back may be committed.
    repo.apply(edit("two", "2"));
    repo.done(&["undo"], "");
    assert_eq!(repo.redraft(&["redo", "--record", "commit"], "").json()["data"]["reason"], "policy");
    repo.git(&["config", "redraft.hookPolicy", "leftovers"]);
    let marker = json!({"path": "a", "old_string": "two", "new_string": "<<<<<<< ours\ntwo", "record": "commit"});
    refused_by(&repo, &marker, "conflict marker");
    let omitted =
        json!({"path": "b.py", "content": "def f():\n    pass\n# ... existing code ...\n", "record": "commit"});
    refused_by(&repo, &omitted, "left out");
    assert_eq!(repo.git(&["rev-parse", "HEAD"]), head);
    repo.done(&["apply"], &commit.to_string());
}

fn refused_by(repo: &TestRepo, request: &Value, words: &str) {
    let answer = repo.redraft(&["apply"], &request.to_string()).json();
    assert_eq!(answer["data"]["reason"], "policy", "{answer}");
    assert!(answer["text"].as_str().is_some_and(|text| text.contains(words)), "{answer}");
}

#[test]
fn what_is_written_is_bounded_as_what_is_read() {
    let repo = TestRepo::with_files(&[("a", "x".repeat(1000).as_str()), ("lines", &"x\n".repeat(1000))]);
    repo.git(&["config", "redraft.maxFileSize", "100k"]);
    let long = "y".repeat(1000);
    let too_large = |args: &[&str], request: Value| {
        let answer = repo.redraft(&[&["apply"], args].concat(), &request.to_string()).json();
        assert_eq!(answer["data"]["reason"], "too_large", "{answer}");
        assert_eq!(answer["data"]["hint"]["limit_bytes"], 102_400, "{answer}");
        assert!(answer["data"]["hint"]["size_bytes"].as_u64().is_some_and(|size| size > 102_400), "{answer}");
        assert_eq!(repo.git(&["status", "--porcelain"]), "");
    };
    for path in ["a", "lines"] {
        too_large(&[], json!({"path": path, "old_string": "x", "new_string": long, "replace_all": true}));
        too_large(&["--dry-run"], json!({"path": path, "old_string": "x", "new_string": long, "replace_all": true}));
    }
    too_large(
        &[],
        json!({"path": "lines", "old_string": "x\n", "new_string": format!("{long}\n"), "replace_all": true}),
    );
    too_large(&[], json!({"path": "new", "content": "z".repeat(102_401)}));
    // Each doubles what the one before left.
    let doubling: Vec<Value> = (0..12)
        .map(|n| {
            let letters = ["x", "y"];
            json!({"old_string": letters[n % 2], "new_string": letters[(n + 1) % 2].repeat(2), "replace_all": true})
        })
        .collect();
    too_large(&[], json!({"path": "a", "edits": doubling, "mode": "sequence"}));
    // Together they are too much, though none is.
    let parts: String = ('b'..='k').map(|c| c.to_string().repeat(20)).collect();
    repo.write("parts", parts);
    repo.commit_all("parts");
    let edits: Vec<Value> =
        ('b'..='k').map(|c| json!({"old_string": c.to_string(), "new_string": long, "replace_all": true})).collect();
    too_large(&[], json!({"path": "parts", "edits": edits}));
    // Up to the limit it may be, and what was written can be taken back.
    repo.done(&["apply"], &json!({"path": "new", "content": "z".repeat(102_400)}).to_string());
    repo.done(&["apply"], &json!({"path": "new", "old_string": "z".repeat(102_400), "new_string": "z"}).to_string());
    repo.done(&["undo"], "");
    assert_eq!(repo.read("new").len(), 102_400);
}

#[test]
fn a_result_beyond_the_limit_is_refused_before_its_memory_is_taken() {
    let repo = TestRepo::with_files(&[("a", "x".repeat(100_000).as_str())]);
    for mode in ["original", "sequence"] {
        let edits = json!([{"old_string": "x", "new_string": "y".repeat(100_000), "replace_all": true}]);
        let request = json!({"path": "a", "mode": mode, "edits": edits}).to_string();
        let run = format!("ulimit -v 400000; exec {} apply", env!("CARGO_BIN_EXE_redraft"));
        let mut shell = std::process::Command::new("sh");
        crate::support::clean(shell.args(["-c", &run]), &repo.root());
        let answer = crate::support::run::finish(&mut shell, request.as_bytes()).json();
        assert_eq!(answer["data"]["reason"], "too_large", "{answer}");
        assert_eq!(answer["data"]["hint"]["size_bytes"], 10_000_000_000_u64, "{answer}");
    }
}

/// Seen: `a` to `aa` 26 times in sequence took 726 MB, 40 times 9.5 GB before it was refused, and one replacement of every letter
/// of 100 KB by 9 KB 5.3 GB, while the file may have a gigabyte.
#[test]
fn texts_that_are_written_again_and_again_are_refused_before_their_memory_is_taken() {
    let repo = TestRepo::with_files(&[("many", &"a".repeat(100_000))]);
    let all = |old: &str, new: &str| json!({"old_string": old, "new_string": new, "replace_all": true});
    for (request, limit) in [
        (json!({"path": "many", "mode": "sequence", "edits": vec![all("a", "aa"); 20]}), "places"),
        (json!({"path": "many", "edits": vec![all("a", "b"); 1000]}), "places"),
        (json!({"path": "many", "edits": [all("a", &"b".repeat(9000))]}), "64 MiB"),
        (json!({"path": "many", "mode": "sequence", "edits": [all("a", "bc"), all("b", &"b".repeat(900))]}), "64 MiB"),
    ] {
        let run = format!("ulimit -v 600000; exec {} apply", env!("CARGO_BIN_EXE_redraft"));
        let mut shell = std::process::Command::new("sh");
        crate::support::clean(shell.args(["-c", &run]), &repo.root());
        let answer = crate::support::run::finish(&mut shell, request.to_string().as_bytes()).json();
        assert_eq!(answer["data"]["reason"], "too_large", "{:.80}: {:.600}", request.to_string(), answer.to_string());
        assert!(answer["text"].as_str().is_some_and(|text| text.contains(limit)), "{limit}: {:.600}", answer["text"]);
    }
    // What somebody means is far below: a text of 50 bytes in 100,000 places.
    repo.apply(json!({"path": "many", "edits": [all("a", &"b".repeat(50))]}));
    assert_eq!(repo.read("many").len(), 5_000_000);
}

#[test]
fn very_many_replacements_take_a_small_multiple_of_the_memory_of_the_file() {
    let repo = TestRepo::with_files(&[("a", "a ".repeat(1_000_000).as_str())]);
    for (mode, old, new) in [("original", "a", "b"), ("sequence", "b", "cc")] {
        let edits = json!([{"old_string": old, "new_string": new, "replace_all": true}]);
        let request = json!({"path": "a", "mode": mode, "edits": edits}).to_string();
        // The file has two megabytes; each of a million splices once took a third of a kilobyte on its way.
        let run = format!("ulimit -v 250000; exec {} apply", env!("CARGO_BIN_EXE_redraft"));
        let mut shell = std::process::Command::new("sh");
        crate::support::clean(shell.args(["-c", &run]), &repo.root());
        let ran = crate::support::run::finish(&mut shell, request.as_bytes());
        assert_eq!(ran.exit, Some(0), "{}{}", ran.text(), ran.stderr);
        assert_eq!(ran.json()["data"]["replacements"], 1_000_000);
        assert_eq!(repo.text("a"), format!("{new} ").repeat(1_000_000));
    }
    repo.done(&["undo"], "");
    assert_eq!(repo.text("a"), "b ".repeat(1_000_000));
}

#[test]
fn patterns_match_letters_and_spaces_as_those_of_gitignore_do() {
    let repo = repo();
    let create = |path: &str| json!({"path": path, "content": "x\n", "dry_run": true}).to_string();
    for (pattern, path) in [(".github/", ".GITHUB/workflows/x"), ("*.pem", "A.PEM"), ("/Secret", "sECRET")] {
        repo.git(&["config", "redraft.deny", pattern]);
        repo.git(&["config", "core.ignoreCase", "true"]);
        assert_eq!(repo.refused(&["apply"], &create(path)), "policy", "{pattern} {path}");
        repo.git(&["config", "core.ignoreCase", "false"]);
        assert_eq!(repo.done(&["apply"], &create(path))["data"]["applied"], false, "two names here: {pattern} {path}");
    }
    for (pattern, path) in [("new ", "new"), ("new\\ ", "new "), ("n\\e\\w  ", "new"), ("new\\  ", "new ")] {
        repo.git(&["config", "redraft.deny", pattern]);
        assert_eq!(repo.refused(&["apply"], &create(path)), "policy", "{pattern:?} {path:?}");
    }
}

#[test]
fn patterns_that_match_nothing_and_keys_that_nobody_reads_are_told() {
    let repo = repo();
    let told = |words: &[&str]| {
        let done = repo.done(&["apply", "--dry-run"], &edit("two", "2").to_string());
        let warnings = done["data"]["warnings"].to_string();
        let status = repo.redraft(&["status"], "");
        let gc = repo.redraft(&["gc"], "");
        for word in words {
            assert!(warnings.contains(word) && done["text"].as_str().is_some_and(|text| text.contains(word)), "{done}");
            assert!(status.err.contains(word) && gc.err.contains(word), "{word}: {}{}", status.err, gc.err);
        }
        warnings
    };
    assert_eq!(told(&[]), "[]");
    for pattern in ["./secret", "../a", "sec[", "*.{pem,key}", "a//b", "x\\"] {
        for key in ["redraft.deny", "redraft.confirm"] {
            repo.git(&["config", key, pattern]);
            let shown = format!("{pattern:?}");
            told(&[key, shown.trim_matches('"')]);
            repo.git(&["config", "--unset", key]);
        }
    }
    repo.git(&["config", "redraft.denied", "a"]);
    told(&["redraft.denied", "redraft.deny?"]);
    repo.git(&["config", "--unset", "redraft.denied"]);
    repo.git(&["config", "redraft.require-clean", "true"]);
    told(&["redraft.requireClean?"]);
    repo.git(&["config", "--unset", "redraft.require-clean"]);
    repo.git(&["config", "redraft.src.deny", "a"]);
    told(&["redraft.src.deny"]);
    repo.git(&["config", "--unset", "redraft.src.deny"]);
    // Git does not care for case, and the same holds in every kind of file that it reads.
    repo.git(&["config", "redraft.REQUIRECLEAN", "false"]);
    assert_eq!(told(&[]), "[]");
}

#[test]
fn status_shows_the_policy_in_force_with_where_each_rule_comes_from() {
    let repo =
        TestRepo::with_files(&[("a", "one\n"), ("vendor/x", "x\n"), ("vendor/mine", "x\n"), ("check.sh", "true\n")]);
    repo.write("untracked.pem", "k\n");
    for (key, value) in [
        ("redraft.deny", "vendor/"),
        ("redraft.deny", "!vendor/mine"),
        ("redraft.deny", "*.pem"),
        ("redraft.deny", "sec[ret"),
        ("redraft.deny", "nosuch/"),
        ("redraft.lockTimeout", "3"),
        ("redraft.lockTimeout", "4"),
        ("redraft.denied", "a"),
        ("redraft.VERIFY", "sh ./check.sh --fast"),
        ("core.hooksPath", "githooks"),
        ("include.path", "../team.gitconfig"),
    ] {
        repo.git(&["config", "--add", key, value]);
    }
    repo.write("team.gitconfig", "[redraft]\n\trequireRead\n");
    repo.write("githooks/pre-commit", "#!/bin/sh\n");
    let shown = repo.done(&["status", "--policy", "--json"], "");
    let rules = |key: &str| -> Vec<Value> {
        let rules = shown["rules"].as_array().expect("rules");
        rules.iter().filter(|rule| rule["key"] == key).cloned().collect()
    };
    let deny: Vec<_> = rules("redraft.deny")
        .iter()
        .map(|rule| json!([rule["value"], rule["standing"], rule["matches"], rule["decides"]]))
        .collect();
    let want = json!([
        ["vendor/", "in_force", 2, 1],
        ["!vendor/mine", "in_force", 1, 1],
        ["*.pem", "in_force", 1, 1],
        ["sec[ret", "dead", 0, 0],
        ["nosuch/", "in_force", 0, 0]
    ]);
    assert_eq!(Value::Array(deny), want, "{shown}");
    assert!(rules("redraft.deny")[3]["why"].as_str().is_some_and(|why| why.contains(']')), "{shown}");
    let config = repo.root().join(".git/config");
    let lock = rules("redraft.lockTimeout");
    assert_eq!((&lock[0]["standing"], &lock[1]["standing"]), (&json!("overruled"), &json!("in_force")), "{shown}");
    assert_eq!((&lock[1]["scope"], lock[1]["file"].as_str()), (&json!("local"), config.to_str()), "{shown}");
    assert_eq!(rules("redraft.denied")[0]["standing"], "unknown_key", "{shown}");
    let read = &rules("redraft.requireRead")[0];
    assert!(
        read["value"] == "true" && read["file"].as_str().is_some_and(|file| file.ends_with("team.gitconfig")),
        "{read}"
    );
    let unset = &rules("redraft.maxFileSize")[0];
    assert_eq!(
        (&unset["scope"], &unset["value"], &unset["file"]),
        (&json!("default"), &json!("1073741824"), &Value::Null)
    );
    let named = |path: &str| {
        let all = shown["in_tree"].as_array().expect("a list");
        all.iter().find(|found| found["path"] == path).map(|found| found["named_by"].clone())
    };
    assert_eq!(named("check.sh"), Some(json!("redraft.verify")), "{shown}");
    assert_eq!(named("githooks"), Some(json!("core.hooksPath")), "{shown}");
    assert_eq!(named("team.gitconfig"), Some(json!("include")), "{shown}");
    assert_eq!(shown["in_tree"].as_array().map(Vec::len), Some(3), "and nothing else: {shown}");
    // What is included, but not there yet, would decide once an agent made it.
    repo.git(&["config", "--add", "include.path", "../later/agent.cfg"]);
    repo.git(&["config", "--add", "includeIf.onbranch:x.path", "../other.cfg"]);
    let told = repo.done(&["status", "--policy", "--json"], "");
    for path in ["later/agent.cfg", "other.cfg"] {
        let all = told["in_tree"].as_array().expect("a list");
        let is_told =
            |found: &&Value| found["path"] == path && found["named_by"] == "include" && found["editable"] == true;
        assert_eq!(all.iter().filter(is_told).count(), 1, "{path}: {told}");
    }
    // For people the same, and a value of the command line is known as one.
    let mut command = crate::support::run::command(&repo.root(), &["status", "--policy"]);
    command.env("GIT_CONFIG_COUNT", "1").env("GIT_CONFIG_KEY_0", "redraft.allow").env("GIT_CONFIG_VALUE_0", "src/");
    let shown = crate::support::run::finish(&mut command, b"");
    for line in [
        "redraft.deny = vendor/  (local ",
        "matches 2 files, and decides on 1 of them",
        "matches no path: its `[` has no `]`",
        "matches none of the files here",
        "overruled: a later value counts",
        "redraft.allow = src/  (command)",
        "no setting of redraft",
        "check.sh (redraft.verify)",
        "redraft.diffLines = 100",
    ] {
        assert!(shown.text().contains(line), "{line}: {}", shown.text());
    }
    // Without rules nothing is invented.
    let plain = TestRepo::with_files(&[("a", "one\n")]);
    let shown = plain.done(&["status", "--policy", "--json"], "");
    let all_default = shown["rules"].as_array().expect("rules").iter().all(|rule| rule["scope"] == "default");
    assert!(all_default && shown["in_tree"] == json!([]), "{shown}");
    assert!(!plain.has(".git/redraft"), "looking writes nothing");
}
