//! Answers that need no reader of JSON: the text alone says what was found and what to send next.

use crate::support::answer::check_envelope;
use crate::support::run::redraft;
use crate::support::{Answer, TestRepo};
use serde_json::{Value, json};

/// The text of a request that must be refused for a reason.
#[track_caller]
fn refused(repo: &TestRepo, request: &Value, reason: &str) -> String {
    let answer = repo.redraft(&["apply"], &request.to_string()).json();
    check_envelope(&answer);
    assert_eq!(answer["data"]["reason"], reason, "{answer:#}");
    answer["text"].as_str().expect("a text").to_owned()
}

fn edit(path: &str, old: &str, new: &str) -> Value {
    json!({"path": path, "old_string": old, "new_string": new})
}

/// The answer, and how many bytes it has.
fn brief(repo: &TestRepo, request: &Value) -> (Answer, Value, usize) {
    let answer = repo.redraft(&["apply", "--answer", "brief"], &request.to_string());
    let (value, size) = (answer.json(), answer.out.len());
    (answer, value, size)
}

#[test]
fn a_brief_success_has_the_diff_and_little_more() {
    let repo = TestRepo::with_files(&[("src/a.txt", "x\n"), ("src/b.txt", "x\n")]);
    let files =
        json!({"files": [edit("src/a.txt", "x", "y"), edit("src/b.txt", "x", "y")], "message": "m".repeat(900)});
    let (ran, answer, size) = brief(&repo, &files);
    assert_eq!((ran.status, &answer["status"]), (0, &json!("success")));
    let diff = answer["data"]["diff_preview"].as_str().expect("a diff");
    assert!(size - diff.len() <= 600, "{}", ran.out);
    assert!(answer.get("context").is_none() && !ran.out.contains("null") && !ran.out.contains("[]"), "{}", ran.out);
    let id = answer["data"]["record"]["id"].as_str().expect("an id");
    assert!(answer["text"].as_str().is_some_and(|text| text.ends_with(id)), "{}", ran.out);
    assert_eq!(repo.redraft(&["undo", "--answer", "brief", id], "").json()["status"], "success");
}

#[test]
fn a_brief_refusal_is_short_and_complete_however_long_the_request() {
    let body: String = (0..400).map(|n| format!("    \"let value_{n} = compute({n});\"\n")).collect();
    let repo = TestRepo::with_files(&[("a.txt", &body)]);
    let drifted = body.replace("    \"", "\t\"");
    for request in [
        edit("a.txt", &drifted, "x"),
        edit("a.txt", &drifted[..900], "x"),
        edit("a.txt", "    \"let", "x"),
        edit(&format!("{}.txt", "long/".repeat(300)), "x", "y"),
        json!({"path": "a.txt", "edits": [{"old_string": "x".repeat(3000), "new_string": "y", "zz": "w".repeat(3000)}]}),
    ] {
        let (ran, answer, size) = brief(&repo, &request);
        assert_eq!(ran.status, 1, "{}", ran.out);
        assert!(size <= 1_600, "{size}: {}", ran.out);
        assert!(answer["text"].as_str().is_some_and(|text| text.len() > 60), "{}", ran.out);
        assert!(answer["error"]["code"].is_string() && answer["data"]["reason"].is_string(), "{}", ran.out);
    }
}

#[test]
fn a_long_text_that_drifted_is_answered_with_the_lines_that_the_edit_changes() {
    let body: String = (0..80).map(|n| format!("    let value_{n} = compute({n});\n")).collect();
    let repo = TestRepo::with_files(&[("a.txt", &body)]);
    let old = body.replace("    let", "\tlet");
    let text = refused(&repo, &edit("a.txt", &old, &old.replace("compute(40)", "7")), "no_match");
    let lines = "    let value_39 = compute(39);\n    let value_40 = compute(40);\n    let value_41 = compute(41);";
    assert!(text.contains(&format!("send only these as old_string, with what they become:\n{lines}\n")), "{text}");
    assert_eq!(repo.redraft(&["apply"], &edit("a.txt", lines, "    seven();").to_string()).status, 0);
}

#[test]
fn a_long_text_with_few_lines_that_differ_is_answered_with_those() {
    let body: String = (0..80).map(|n| format!("    let value_{n} = compute({n});\n")).collect();
    let repo = TestRepo::with_files(&[("a.txt", &body)]);
    let old = body.replace("value_40 =", "value_40  =");
    let text = refused(&repo, &edit("a.txt", &old, "gone\n"), "no_match");
    assert!(text.contains("correct these lines of old_string, all others of it stand so at lines 1 to 80"), "{text}");
    assert!(text.ends_with("+41   \u{b7}\u{b7}\u{b7}\u{b7}let value_40 = compute(40);"), "{text}");
}

#[test]
fn every_place_of_an_ambiguous_text_is_in_the_answer() {
    let block = "fn same() {\n    let it = one();\n    two(it);\n    three(it);\n    four(it);\n}\n\n";
    let repo = TestRepo::with_files(&[("a.txt", &format!("{}{block}{block}{block}", "// top\n"))]);
    let text = refused(&repo, &edit("a.txt", "    two(it);", "    2(it);"), "ambiguous");
    for line in [4, 11, 18] {
        assert!(text.contains(&format!("line {line}")), "{text}");
    }
    assert!(text.contains("its number as line"), "{text}");
    let mut with_line = edit("a.txt", "    two(it);", "    2(it);");
    with_line["line"] = json!(11);
    assert_eq!(repo.redraft(&["apply"], &with_line.to_string()).status, 0);
}

#[test]
fn the_other_edits_that_fail_are_named_in_the_text() {
    let repo = TestRepo::with_files(&[("a.txt", "one\ntwo\n")]);
    let edits = ["six", "one", "seven", "eight"].map(|old| json!({"old_string": old, "new_string": "x"}));
    let text = refused(&repo, &json!({"path": "a.txt", "edits": edits}), "no_match");
    assert!(text.contains("\nedits 2, 3 fail, too"), "{text}");
}

#[test]
fn what_is_written_but_not_shown_is_said_first() {
    let repo = TestRepo::with_files(&[("a.txt", "x\n")]);
    let request = json!({"path": "b.txt", "content": "line\n".repeat(300)}).to_string();
    let answer = redraft(&repo.root(), &["apply"], request.as_bytes()).json();
    assert_eq!(answer["status"], "partial");
    let text = answer["text"].as_str().expect("a text");
    assert!(text.starts_with("partial: everything is written, only the diff preview is cut ("), "{text}");
    assert!(text.contains("created b.txt (300 lines); record "), "{text}");
}

/// The first path in backquotes behind "did you mean".
#[track_caller]
fn meant(text: &str) -> String {
    let (_, rest) = text.split_once("did you mean ").unwrap_or_else(|| panic!("{text}"));
    rest.split('`').nth(1).unwrap_or_else(|| panic!("{text}")).to_owned()
}

#[test]
fn a_path_of_every_wrong_form_is_answered_with_the_one_that_is_meant() {
    let files = ["src/main.rs", "src/my_lib/Über uns.md", "README.md", "docs/guide/start.md", "web/app.test.tsx"];
    let repo = TestRepo::with_files(&files.map(|path| (path, "x\n")));
    let root = repo.root().to_str().expect("UTF-8").to_owned();
    for (wrong, right) in [
        ("src/Main.rs", "src/main.rs"),
        ("SRC/main.rs", "src/main.rs"),
        ("src\\main.rs", "src/main.rs"),
        ("a/src/main.rs", "src/main.rs"),
        ("b/src/main.rs", "src/main.rs"),
        ("@src/main.rs", "src/main.rs"),
        ("project/src/main.rs", "src/main.rs"),
        ("../project/src/main.rs", "src/main.rs"),
        ("main.rs", "src/main.rs"),
        ("lib/src/main.rs", "src/main.rs"),
        ("src/mian.rs", "src/main.rs"),
        ("src/main.rs:12", "src/main.rs"),
        ("src/main.rs#L3-L9", "src/main.rs"),
        ("`src/main.rs`", "src/main.rs"),
        ("src/main.rs/", "src/main.rs"),
        (" src/main.rs", "src/main.rs"),
        ("file://src/main.rs", "src/main.rs"),
        (&format!("file://{root}/src/main.rs"), "src/main.rs"),
        (&format!("{root}/src/main.rs"), "src/main.rs"),
        ("/src/main.rs", "src/main.rs"),
        ("/workspace/project/src/main.rs", "src/main.rs"),
        ("C:\\work\\src\\main.rs", "src/main.rs"),
        ("src/my_lib/U\u{308}ber uns.md", "src/my_lib/Über uns.md"),
        ("src/my-lib/%C3%9Cber%20uns.md", "src/my_lib/Über uns.md"),
        ("src/my_lib/Über_uns.md", "src/my_lib/Über uns.md"),
        ("readme.md", "README.md"),
        ("README.rst", "README.md"),
        ("docs/start.md", "docs/guide/start.md"),
        ("guide/start.md", "docs/guide/start.md"),
        ("web/app.test.ts", "web/app.test.tsx"),
    ] {
        let answer = repo.redraft(&["apply", "--dry-run"], &edit(wrong, "x", "y").to_string()).json();
        check_envelope(&answer);
        let text = answer["text"].as_str().expect("a text");
        assert_eq!(meant(text), right, "{wrong:?}: {text}");
    }
    let camel = json!({"filePath": format!("{root}/src/Main.rs"), "oldString": "x", "newString": "y"}).to_string();
    let native = repo.redraft(&["apply", "--answer", "native"], &camel).out;
    assert!(native.starts_with(&format!("File not found: {root}/src/Main.rs\n")), "{native}");
    assert_eq!(meant(&native), format!("{root}/src/main.rs"));
    let relative = json!({"file_path": "src/main.rs", "old_string": "x", "new_string": "y"}).to_string();
    assert_eq!(meant(&repo.redraft(&["apply", "--answer", "native"], &relative).out), format!("{root}/src/main.rs"));
    let new = json!({"file_path": "src/new.rs", "old_string": "", "new_string": "y"}).to_string();
    assert_eq!(meant(&repo.redraft(&["apply", "--answer", "native"], &new).out), format!("{root}/src/new.rs"));
    assert_eq!(meant(&repo.redraft(&["read", "src/Main.rs"], "").out), "src/main.rs");
    let text = refused(&repo, &edit("src/nothing/like/it.xyz", "x", "y"), "no_such_file");
    assert!(text.contains("check the path, or send `content`") && !text.contains("did you mean"), "{text}");
}

#[test]
fn a_file_that_is_near_is_named_before_the_advice_to_create_one() {
    let repo = TestRepo::with_files(&[("src/main.rs", "x\n"), ("tools/main.rs", "x\n")]);
    let text = refused(&repo, &edit("main.rs", "x", "y"), "no_such_file");
    let (near, create) = (text.find("`src/main.rs`, `tools/main.rs`"), text.find("to create it"));
    assert!(near.is_some() && near < create, "{text}");
}

#[test]
fn no_path_is_named_that_may_not_be_edited() {
    let repo = TestRepo::with_files(&[("secret/key.txt", "x\n"), ("src/a.txt", "x\n")]);
    repo.git(&["config", "redraft.deny", "secret/"]);
    repo.git(&["init", "-q", "inner"]);
    std::fs::write(repo.root().join("inner/only.txt"), "x").expect("a file");
    std::os::unix::fs::symlink("/etc", repo.root().join("etc")).expect("a link");
    for wrong in ["key.txt", "only.txt", "passwd", "Secret/key.txt", "config", "src/../../etc/passwd"] {
        let answer = repo.redraft(&["apply"], &edit(wrong, "x", "y").to_string()).json();
        assert_eq!(answer["status"], "error");
        assert!(!answer["text"].as_str().expect("a text").contains("did you mean"), "{wrong}: {}", answer["text"]);
    }
    let sandboxed = repo.redraft(&["apply", "--root", "src"], &edit("A.txt", "x", "y").to_string()).json();
    assert_eq!(meant(sandboxed["text"].as_str().expect("a text")), "a.txt");
}

#[test]
fn a_tree_of_very_many_files_is_looked_through_in_bounded_time() {
    let repo = TestRepo::in_memory();
    for dir in 0..60 {
        let path = repo.root().join(format!("d{dir}"));
        std::fs::create_dir(&path).expect("a directory");
        (0..500).for_each(|n| std::fs::write(path.join(format!("file_{n}.txt")), "").expect("a file"));
    }
    let start = std::time::Instant::now();
    let text = refused(&repo, &edit("elsewhere/nothing_like_it.rs", "x", "y"), "no_such_file");
    assert!(!text.contains("did you mean"), "{text}");
    assert!(start.elapsed() < std::time::Duration::from_secs(2), "{:?}", start.elapsed());
}

#[test]
fn a_file_that_head_has_and_the_working_tree_lacks_is_not_created_anew_by_mistake() {
    let repo = TestRepo::with_files(&[("src/a.txt", "old\n"), ("src/b.txt", "x\n")]);
    std::fs::remove_file(repo.root().join("src/a.txt")).expect("it was there");
    let text = refused(&repo, &edit("src/a.txt", "old", "new"), "no_such_file");
    assert!(text.contains("HEAD has `src/a.txt`") && text.contains("git checkout HEAD -- src/a.txt"), "{text}");
    let text = refused(&repo, &edit("a/src/a.txt", "old", "new"), "no_such_file");
    assert!(text.contains("HEAD has `src/a.txt`"), "{text}");
    let mut create = json!({"path": "src/a.txt", "content": "new\n"});
    let text = refused(&repo, &create, "exists_in_head");
    assert!(text.contains("git checkout HEAD -- src/a.txt") && text.contains("overwrite: true"), "{text}");
    assert!(!repo.has("src/a.txt"));
    let path = repo.root().join("src/a.txt");
    let claude = json!({"file_path": path.to_str(), "old_string": "", "new_string": "new\n"});
    refused(&repo, &claude, "exists_in_head");
    // Whom redraft itself took it away for knows that it is gone.
    repo.apply(json!({"path": "src/b.txt", "delete": true}));
    repo.apply(json!({"path": "src/b.txt", "content": "anew\n"}));
    create["overwrite"] = json!(true);
    assert_eq!(repo.redraft(&["apply"], &create.to_string()).status, 0);
    assert_eq!(repo.text("src/a.txt"), "new\n");
}

#[test]
fn an_edit_of_what_an_earlier_one_writes_is_answered_with_the_mode_for_it() {
    let repo = TestRepo::with_files(&[("a.rs", "one();\nother();\n")]);
    let edits =
        json!([{"old_string": "one();", "new_string": "two();"}, {"old_string": "two();", "new_string": "three();"}]);
    let mut request = json!({"path": "a.rs", "edits": edits});
    let text = refused(&repo, &request, "no_match");
    assert!(text.contains("does after edit 0; send the request with `mode: \"sequence\"`"), "{text}");
    let open = json!({"file_path": repo.root().join("a.rs").to_str(), "edits": edits}).to_string();
    let native = repo.redraft(&["apply", "--dialect", "claude-code-open", "--answer", "native"], &open).out;
    assert!(native.contains("send edit 0 in a request before this one"), "{native}");
    request["mode"] = json!("sequence");
    assert_eq!(repo.redraft(&["apply"], &request.to_string()).status, 0);
    assert_eq!(repo.text("a.rs"), "three();\nother();\n");
    let unrelated =
        json!([{"old_string": "three();", "new_string": "3();"}, {"old_string": "nowhere();", "new_string": "x"}]);
    let text = refused(&repo, &json!({"path": "a.rs", "edits": unrelated}), "no_match");
    assert!(!text.contains("sequence"), "{text}");
}

#[test]
fn placeholders_without_dots_are_refused_in_code_and_headings_are_not() {
    let repo = TestRepo::with_files(&[("a.rs", "fn a() {}\n"), ("a.py", "def a(): pass\n"), ("a.md", "text\n")]);
    for (path, old, new) in [
        ("a.rs", "fn a() {}", "fn b() {}\n// rest of the code remains the same"),
        ("a.rs", "fn a() {}", "fn b() {}\n    ...\n"),
        ("a.py", "def a(): pass", "def b(): pass\n# (existing code)"),
    ] {
        let text = refused(&repo, &edit(path, old, new), "omission_placeholder");
        assert!(text.contains("send the code in full"), "{text}");
    }
    for (path, old, new) in [
        ("a.py", "def a(): pass", "def a():\n    ...\n"),
        ("a.md", "text", "# Existing code\n\n...\n"),
        ("a.rs", "fn a() {}", "// existing users keep their id\nfn b() {}"),
    ] {
        assert_eq!(repo.redraft(&["apply"], &edit(path, old, new).to_string()).status, 0, "{new}");
    }
}

#[test]
fn all_unknown_fields_are_named_at_once_with_what_is_meant_by_them() {
    let repo = TestRepo::with_files(&[("a.txt", "x\n")]);
    let request = json!({"filename": "a.txt", "search": "x", "replace": "y", "explanation": "why", "zz": 1});
    let text = refused(&repo, &request, "unknown_field");
    for part in ["`filename`", "`path` in place of `filename`", "`old_string` in place of `search`", "leave out `zz`"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(text.contains("`new_string` in place of `replace`") && text.contains("`message` in place of"), "{text}");
    let edits = json!([{"oldText": "x", "newText": "y"}, {"oldText": "a", "newText": "b", "file": "a.txt"}]);
    let text = refused(&repo, &json!({"path": "a.txt", "edits": edits, "dryRun": true}), "unknown_field");
    for part in
        ["`edits[0].oldText` (and in 1 more)", "`old_string` in place of `oldText`", "`dry_run` in place of `dryRun`"]
    {
        assert!(text.contains(part), "{part}: {text}");
    }
    let call = json!({"name": "edit", "arguments": {"path": "a.txt", "old_string": "x", "new_string": "y"}});
    assert!(refused(&repo, &call, "unknown_field").contains("send what stands in `arguments` alone"));
}
