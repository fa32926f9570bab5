//! `redraft report`: what the page says, what it never runs, how large it is, and where it is put.
//!
//! What a browser makes of it is looked at by tests/report/chromium.py.

use crate::support::TestRepo;
use crate::support::run::{Ran, command, finish, redraft};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::os::unix::ffi::OsStrExt;

/// An edit in a session and a turn; gives its record.
fn edit(repo: &TestRepo, (agent, session, turn): (&str, &str, &str), path: &str, (old, new): (&str, &str)) -> String {
    let agent = json!({"name": agent, "model": "m-1", "session": session, "turn": turn});
    let edits = json!([{"old_string": old, "new_string": new}]);
    repo.apply(json!({"path": path, "edits": edits, "agent": agent, "message": format!("{new} for {old}")}))
}

fn numbers() -> TestRepo {
    TestRepo::with_files(&[("a", "1\n2\n3\n4\n5\n6\n7\n8\n9\n"), ("b", "one\n\ntwo\n")])
}

/// The page, from standard output.
fn page(repo: &TestRepo, args: &[&str]) -> String {
    let ran = redraft(&repo.root(), &[&["report"], args].concat(), b"");
    assert_eq!(ran.exit, Some(0), "{}", ran.stderr);
    ran.text().to_owned()
}

/// The data, as `--json` has it.
fn data(repo: &TestRepo, args: &[&str]) -> Value {
    repo.redraft(&[&["report", "--json"], args].concat(), "").json()
}

/// The messages of the records, the oldest first.
fn messages(repo: &TestRepo, args: &[&str]) -> Vec<String> {
    let data = data(repo, args);
    let records = data["records"].as_array().expect("records");
    records.iter().map(|record| record["message"].as_str().unwrap_or_default().to_owned()).collect()
}

/// What stands between two texts.
fn between<'t>(text: &'t str, before: &str, after: &str) -> &'t str {
    let (_, rest) = text.split_once(before).unwrap_or_else(|| panic!("no {before}"));
    rest.split_once(after).unwrap_or_else(|| panic!("no {after}")).0
}

#[test]
fn the_page_tells_who_did_what_and_what_became_of_it() {
    let repo = numbers();
    let one = edit(&repo, ("claude", "s1", "t1"), "a", ("1", "ONE"));
    edit(&repo, ("claude", "s1", "t2"), "a", ("5", "FIVE"));
    edit(&repo, ("codex", "s2", "t1"), "b", ("two", "TWO\nTOO"));
    repo.done(&["undo", &one], "");
    let data = data(&repo, &[]);
    let summary = &data["summary"];
    for (key, want) in [
        ("records", 4),
        ("edits", 3),
        ("undone", 1),
        ("files", 2),
        // The undo has none.
        ("sessions", 2),
        ("turns", 3),
        ("lines_added", 4),
        ("lines_removed", 3),
        ("committed", 0),
    ] {
        assert_eq!(summary[key], want, "{key}: {summary}");
    }
    assert_eq!(data["agents"][0]["agent"], "claude");
    assert_eq!(data["sessions"][0]["turns"], json!([{"turn": "t1", "records": [0]}, {"turn": "t2", "records": [1]}]));
    assert_eq!(data["records"][0]["standing"], "undone");
    assert_eq!(data["records"][0]["undone_by"], data["records"][3]["id"]);
    assert_eq!(data["records"][1]["files"][0]["diff"]["text"], "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+FIVE\n 6\n 7\n 8\n");
    let b = data["files"].as_array().expect("files").iter().find(|file| file["path"] == "b").expect("it is there");
    assert_eq!(b["share"], json!({"lines": 4, "by": [{"agent": "codex", "lines": 2}]}));

    let page = page(&repo, &[]);
    assert!(page.contains(&format!("id=\"r-{one}\"")), "8 letters of an id are those of several records");
    assert!(
        page.contains(&format!("href=\"#r-{one}\">{}</a>", &one[..8])) && page.contains(&format!("data-r=\"{one}\""))
    );
    for said in ["FIVE for 5", "turn t2", ">claude<", "undone", "people, or before", "s2", &one[..8], "edit a"] {
        assert!(page.contains(said), "{said}");
    }
    assert!(page.contains("<noscript>") && page.contains("<main>") && page.contains("class=\"skip\""));
}

#[test]
fn what_was_reviewed_is_marked_with_who_and_when() {
    let repo = numbers();
    let seen = edit(&repo, ("claude", "s1", "t1"), "a", ("1", "ONE"));
    let other = edit(&repo, ("claude", "s1", "t1"), "a", ("9", "NINE"));
    repo.git(&["config", "user.name", "Ann <b>O'Hara"]);
    repo.done(&["hooks", "review", &seen, "--json"], "");
    let told = data(&repo, &[]);
    let marks: Vec<&Value> =
        told["records"].as_array().expect("records").iter().map(|record| &record["reviewed"]).collect();
    assert_eq!(marks[0], &repo.redraft(&["show", &seen, "--json"], "").json()["reviewed"]);
    assert_eq!((&marks[0]["by"], marks[1]), (&json!("Ann <b>O'Hara"), &Value::Null));
    let page = page(&repo, &[]);
    let [first, second] = [&seen, &other].map(|id| between(&page, &format!("id=\"r-{id}\""), "</details>"));
    assert!(first.contains("<span class=\"mark reviewed\">reviewed</span>"), "{first}");
    assert!(first.contains("<dt>Reviewed</dt><dd>by Ann &lt;b&gt;O&#39;Hara, <time datetime="), "{first}");
    assert!(!second.contains("eviewed"), "{second}");
}

#[test]
fn the_records_are_those_that_log_would_list() {
    let repo = numbers();
    let one = edit(&repo, ("claude", "s1", "t1"), "a", ("1", "ONE"));
    let two = edit(&repo, ("claude", "s1", "t2"), "a", ("5", "FIVE"));
    let three = edit(&repo, ("codex", "s2", "t1"), "b", ("two", "TWO"));
    let [a, b, c] = ["ONE for 1", "FIVE for 5", "TWO for two"];
    assert_eq!(messages(&repo, &[]), [a, b, c]);
    assert_eq!(messages(&repo, &["--agent", "claude"]), [a, b]);
    assert_eq!(messages(&repo, &["--session", "s1", "--turn", "t2"]), [b]);
    assert_eq!(messages(&repo, &["--since", &two]), [b, c]);
    assert_eq!(messages(&repo, &["-n", "1"]), [c]);
    for is_sealed in [false, true] {
        if is_sealed {
            assert_eq!(repo.redraft(&["gc"], "").status, 0);
        }
        assert_eq!(messages(&repo, &[&format!("{one}..{three}")]), [b, c], "{is_sealed}");
        assert_eq!(messages(&repo, &[&format!("{one}..@-")]), [b]);
        assert_eq!(messages(&repo, &[&format!("..{}", &two[..8])]), [a, b]);
        assert_eq!(messages(&repo, &["@-2..", "--agent", "codex"]), [c]);
    }
    let ran = redraft(&repo.root(), &["report", "--session", "none"], b"");
    assert_eq!((ran.exit, ran.stderr.contains("no record fits")), (Some(1), true), "{}", ran.stderr);
    let ran = redraft(&repo.root(), &["report", &format!("{three}..{one}"), "--json"], b"");
    assert_eq!((ran.exit, ran.json()["error"]["reason"].clone()), (Some(1), json!("no_such_record")));
    let ran = redraft(&repo.root(), &["report", "nowhere..@"], b"");
    assert_eq!((ran.exit, ran.stderr.contains("\"nowhere\"")), (Some(1), true), "{}", ran.stderr);
    assert_eq!(redraft(&repo.root(), &["report", "kzlm"], b"").exit, Some(2));
}

#[test]
fn a_range_of_git_commits_is_of_the_records_that_they_hold() {
    let repo = numbers();
    repo.git(&["remote", "add", "origin", "https://user:secret@github.com/o/r.git"]);
    edit(&repo, ("claude", "s1", "t1"), "a", ("1", "ONE"));
    repo.git(&["commit", "-qam", "one"]);
    repo.git(&["update-ref", "refs/remotes/origin/main", "HEAD"]);
    edit(&repo, ("claude", "s1", "t2"), "a", ("9", "NINE"));
    repo.git(&["commit", "-qam", "two"]);
    edit(&repo, ("claude", "s1", "t3"), "b", ("two", "TWO"));
    assert_eq!(messages(&repo, &["HEAD~1..HEAD"]), ["NINE for 9"]);
    assert_eq!(messages(&repo, &["HEAD~2.."]), ["ONE for 1", "NINE for 9"]);
    let (first, second) = (repo.git(&["rev-parse", "HEAD~1"]), repo.git(&["rev-parse", "HEAD"]));
    let page = page(&repo, &[]);
    assert!(page.contains(&format!("href=\"https://github.com/o/r/commit/{}\"", first.trim())));
    assert!(!page.contains(&format!("commit/{}", second.trim())), "it is not on the remote");
    assert!(page.contains(&second.trim()[..10]));
    assert!(!page.contains("secret") && !data(&repo, &[]).to_string().contains("secret"));
    assert_eq!(data(&repo, &[])["summary"]["committed"], 2);
}

/// Whatever an agent may say.
const HOSTILE: &[&str] = &[
    "</script><script>alert(1)</script>",
    "<!--<script>",
    "]]><img src=x onerror=alert(2)>",
    "\" onmouseover=\"alert(3)\" '",
    "a\u{202e}b\u{2066}c\u{200b}d\u{feff}",
    "\u{1b}[31mred\u{1b}]0;title\u{7}\u{9b}2J",
    "\u{2028}\u{2029}&amp;</style></title>",
];

#[test]
fn nothing_that_an_agent_wrote_is_markup() {
    let repo = numbers();
    for (n, hostile) in HOSTILE.iter().enumerate() {
        let agent = json!({"name": hostile, "model": hostile, "session": hostile, "turn": hostile, "subagent": hostile, "call_id": hostile});
        let edits = json!([{"old_string": (n + 1).to_string(), "new_string": hostile}]);
        let message = format!("{hostile}\n{hostile}\nwith a \0 in it");
        repo.apply(json!({"path": "a", "edits": edits, "message": message, "agent": agent}));
    }
    let name = "<svg onload=alert(4)>\u{202e}.txt";
    repo.apply(json!({"path": name, "content": "x\n", "agent": {"name": "x"}}));
    repo.git(&["checkout", "-q", "-b", "<b>\"x"]);
    for is_large in [false, true] {
        if is_large {
            // So large that the diffs are packed.
            let content: String = (0..9000).map(|n| format!("{n} </script> {}\n", n * 7919)).collect();
            for n in 0..8 {
                repo.apply(json!({"path": format!("large-{n}"), "content": content}));
            }
        }
        let page = page(&repo, &[]);
        assert_eq!(page.contains("type=\"application/zlib\""), is_large);
        let count = |what: &str| page.to_lowercase().matches(what).count();
        assert_eq!((count("<script"), count("</script"), count("<style"), count("</style")), (2, 2, 1, 1));
        assert_eq!((count("<!--"), count("<img"), count("<svg onload"), count("alert(2)>")), (0, 0, 0, 0));
        assert!(page.contains("&lt;svg onload=alert(4)&gt;\\342\\200\\256.txt"), "escaped, where it is");
        assert!(page.contains("&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;"));
        let is_obeyed = |c: char| {
            (c.is_control() && !matches!(c, '\n' | '\t'))
                || matches!(c, '\u{200b}' | '\u{2028}'..='\u{202e}' | '\u{2066}' | '\u{feff}')
        };
        assert_eq!(page.chars().find(|c| is_obeyed(*c)), None);
    }
}

#[test]
fn a_browser_runs_the_one_script_and_loads_nothing() {
    let repo = numbers();
    edit(&repo, ("claude", "s1", "t1"), "a", ("1", "ONE"));
    let page = page(&repo, &[]);
    let policy = between(&page, "Content-Security-Policy\" content=\"", "\">");
    let hash = |text: &str| format!("'sha256-{}'", STANDARD.encode(Sha256::digest(text.as_bytes())));
    let script = hash(between(&page, "\n<script>", "</script>"));
    let style = hash(between(&page, "<style>", "</style>"));
    let wanted = [
        "default-src 'none'",
        &format!("style-src {style}"),
        &format!("script-src {script}"),
        "base-uri 'none'",
        "form-action 'none'",
        "require-trusted-types-for 'script'",
    ];
    for directive in wanted {
        assert!(policy.split("; ").any(|one| one == directive), "{directive}: {policy}");
    }
    for outside in [" src=", "@import", "url(", "innerHTML", "eval(", "fetch(", " style=", " onclick="] {
        assert!(!page.contains(outside), "{outside}");
    }
}

#[test]
fn files_of_all_sorts_are_shown_as_what_they_are() {
    let repo =
        TestRepo::with_files(&[("crlf", "one\r\ntwo\r\nthree\r\n"), ("old", "a\nb\nc\nd\ne\n"), ("gone", "x\n")]);
    let latin = std::ffi::OsStr::from_bytes(b"caf\xe9.txt");
    std::fs::write(repo.root().join(latin), "one\n").expect("a file");
    repo.write(".gitignore", "secret\n");
    repo.write("secret", "password\n");
    repo.apply(json!({"path": "crlf", "old_string": "two", "new_string": "2"}));
    let script = "git mv old new && rm gone && printf 'a\\0b' > binary && for f in caf*; do echo two >> \"$f\"; done";
    assert_eq!(repo.redraft(&["run", "--agent", "me", "--", "sh", "-c", script], "").status, 0);
    repo.apply(json!({"path": "secret", "old_string": "password", "new_string": "hunter2"}));
    let unsealed = page(&repo, &[]);
    assert!(unsealed.contains("git ignores it") && !unsealed.contains("hunter2") && !unsealed.contains("password"));
    assert_eq!(repo.redraft(&["gc"], "").status, 0);
    let data = data(&repo, &[]);
    let records = data["records"].as_array().expect("records").clone();
    let files: Vec<Value> =
        records.iter().flat_map(|record| record["files"].as_array().expect("files").clone()).collect();
    let of = |path: &str| files.iter().find(|file| file["path"] == path).unwrap_or_else(|| panic!("{path}: {files:?}"));
    assert_eq!(of("crlf")["diff"]["text"], "@@ -1,3 +1,3 @@\n one\r\n-two\r\n+2\r\n three\r\n");
    assert_eq!(of("binary")["diff"]["form"], "binary");
    assert_eq!(of("binary")["lines_added"], Value::Null);
    assert_eq!((&of("new")["from"], &of("new")["change"]), (&json!("old"), &json!("rename")));
    assert_eq!(of("gone")["change"], "delete");
    assert_eq!(of("\"caf\\351.txt\"")["lines_added"], 1);
    assert_eq!(of("secret")["diff"], json!({"form": "not_kept", "why": "ignored"}));
    assert!(records.iter().any(|record| record["program"].as_str().is_some_and(|program| program.contains("git mv"))));
    let page = page(&repo, &[]);
    for said in ["old → new", "binary", "caf\\351.txt", "git ignores it", "two\u{240d}\\n"] {
        assert!(page.contains(said), "{said}");
    }
    assert!(!page.contains("hunter2") && !page.contains("password"));
}

#[test]
fn the_same_history_gives_the_same_page() {
    let repo = numbers();
    for n in 1..6 {
        edit(&repo, (&format!("agent {}", n % 3), "s", "t"), "a", (&n.to_string(), &format!("line {n}")));
    }
    let masked = || {
        let page = page(&repo, &[]);
        let made = between(&page, "<footer>", "</p>").to_owned();
        page.replace(&made, "")
    };
    assert_eq!(masked(), masked());
}

#[test]
fn a_history_without_records_has_a_page_too() {
    let repo = numbers();
    assert!(page(&repo, &[]).contains("There is no record yet"));
    assert_eq!(data(&repo, &[])["records"], json!([]));
}

#[test]
fn only_a_report_is_written_over() {
    let repo = numbers();
    edit(&repo, ("claude", "s1", "t1"), "a", ("1", "ONE"));
    let report = |name: &str| redraft(&repo.root(), &["report", "-o", name], b"");
    let told = |ran: &Ran| (ran.exit, ran.text().trim_end().to_owned());
    let path = std::fs::canonicalize(repo.root()).expect("it is there").join("r.html");
    assert_eq!(told(&report("r.html")), (Some(0), path.display().to_string()));
    let first = repo.text("r.html");
    repo.git(&["add", "r.html"]);
    repo.git(&["commit", "-qm", "a report"]);
    edit(&repo, ("claude", "s1", "t1"), "a", ("2", "TWO"));
    assert_eq!(report("r.html").exit, Some(0), "a report, though git tracks it");
    assert!(repo.text("r.html") != first && repo.text("r.html").contains("TWO for 2"));
    repo.write("empty", "");
    assert_eq!(report("empty").exit, Some(0));
    repo.write("notes", "mine\n");
    for (name, reason) in [("b", "is no report"), ("notes", "is no report"), (".", "directory"), ("no/such/x", "write")]
    {
        let ran = report(name);
        assert!(ran.exit != Some(0) && ran.stdout.is_empty() && ran.stderr.contains(reason), "{name}: {ran:?}");
    }
    assert_eq!((repo.text("b").as_str(), repo.text("notes").as_str()), ("one\n\ntwo\n", "mine\n"));
    let left = std::fs::read_dir(repo.root()).expect("a folder").filter_map(Result::ok);
    let left: Vec<_> = left.filter(|entry| entry.file_name().to_string_lossy().contains("tmp")).collect();
    assert!(left.is_empty(), "{left:?}");
    assert!(redraft(&repo.root(), &["report", "-o", "-"], b"").text().starts_with("<!doctype html>"));
}

/// Notes that quoted a report's generator were replaced by one.
#[test]
fn a_file_that_quotes_a_report_is_not_written_over() {
    let repo = numbers();
    edit(&repo, ("claude", "s1", "t1"), "a", ("1", "ONE"));
    let quoting = "notes\n<meta name=\"generator\" content=\"redraft report\">\nmine\n";
    let prefixed = format!("\n{}", page(&repo, &[]));
    for mine in [quoting, &prefixed] {
        repo.write("notes.html", mine);
        let ran = redraft(&repo.root(), &["report", "-o", "notes.html"], b"");
        assert!(ran.exit == Some(1) && ran.stderr.contains("is no report"), "{ran:?}");
        assert_eq!(repo.text("notes.html"), mine);
    }
}

/// A report that was private became readable for all, and one that was read-only was replaced.
#[test]
fn a_report_keeps_its_rights_and_what_may_not_be_written_is_not() {
    use std::os::unix::fs::PermissionsExt;
    let repo = numbers();
    edit(&repo, ("claude", "s1", "t1"), "a", ("1", "ONE"));
    let report = || redraft(&repo.root(), &["report", "-o", "r.html"], b"");
    let mode = || std::fs::metadata(repo.root().join("r.html")).expect("it is there").permissions().mode() & 0o7777;
    assert_eq!(report().exit, Some(0));
    // As of any new file.
    std::fs::write(repo.root().join("new"), "").expect("written");
    let of_new = std::fs::metadata(repo.root().join("new")).expect("it is there").permissions().mode() & 0o7777;
    assert_eq!(mode(), of_new);
    for private in [0o600, 0o640] {
        repo.chmod("r.html", private);
        assert_eq!((report().exit, mode()), (Some(0), private));
    }
    for (text, read_only) in [(repo.text("r.html"), 0o444), (String::new(), 0o400)] {
        repo.chmod("r.html", 0o600);
        repo.write("r.html", &text);
        repo.chmod("r.html", read_only);
        let ran = report();
        assert!(ran.exit != Some(0) && ran.stdout.is_empty() && ran.stderr.contains("read-only"), "{ran:?}");
        assert_eq!((repo.text("r.html"), mode()), (text, read_only));
    }
}

/// A link to nothing was replaced by a file.
#[test]
fn a_report_goes_where_a_link_leads_to_and_not_where_it_leads_to_nothing() {
    let repo = numbers();
    edit(&repo, ("claude", "s1", "t1"), "a", ("1", "ONE"));
    let link = |to: &str, name: &str| std::os::unix::fs::symlink(to, repo.root().join(name)).expect("a link");
    link("nowhere.html", "dangling.html");
    let ran = redraft(&repo.root(), &["report", "-o", "dangling.html"], b"");
    assert!(ran.exit == Some(1) && ran.stdout.is_empty(), "{ran:?}");
    assert!(repo.root().join("dangling.html").is_symlink() && !repo.has("nowhere.html"));
    repo.write("real.html", "");
    link("real.html", "link.html");
    assert_eq!(redraft(&repo.root(), &["report", "-o", "link.html"], b"").exit, Some(0));
    assert!(repo.root().join("link.html").is_symlink() && repo.text("real.html").starts_with("<!doctype html>"));
}

/// A file of the name `-` was written, and opened.
#[test]
fn what_goes_to_standard_output_is_not_opened() {
    let repo = numbers();
    let ran = redraft(&repo.root(), &["report", "--open", "-o", "-"], b"");
    assert_eq!((ran.exit, ran.text(), repo.has("-")), (Some(2), "", false), "{ran:?}");
    assert!(ran.stderr.contains("leave out --open"), "{}", ran.stderr);
}

/// With a remote that was never fetched, all of the history was read to find out that it has no commit; and git's failure there
/// ended the report.
#[test]
fn links_to_commits_are_not_worth_the_history_or_the_report() {
    let repo = numbers();
    repo.git(&["remote", "add", "origin", "https://github.com/o/r.git"]);
    let later = |words: &str| {
        let date = "GIT_COMMITTER_DATE=2026-02-02T03:04:05Z";
        assert!(repo.shell(&format!("{date} git commit -q {words}")).success());
    };
    later("--allow-empty -m later");
    edit(&repo, ("claude", "s1", "t1"), "a", ("1", "ONE"));
    later("-am one");
    let git = |asked: &str| {
        let case = format!("case \" $* \" in *\" --remotes=origin \"*) {asked};; esac");
        repo.script("git", &format!("#!/bin/sh\nPATH=${{PATH#*:}}\n{case}\nexec git \"$@\"\n"));
    };
    git("git \"$@\" | tee -a \"$(dirname \"$0\")/listed\"; exit 0");
    let path = format!("{}:{}", repo.outside().display(), std::env::var("PATH").expect("a path"));
    let run = |args: &[&str]| finish(command(&repo.root(), args).env("PATH", &path), b"");
    let ran = run(&["report", "--json"]);
    assert_eq!((ran.exit, &ran.json()["repository"]["on_remote"]), (Some(0), &json!([])), "{}", ran.stderr);
    let listed = || std::fs::read_to_string(repo.outside().join("listed")).expect("git was asked");
    assert_eq!(listed(), "", "a remote without refs has no commits");
    // Of a remote with commits, none is listed that is older than all that are named.
    repo.git(&["update-ref", "refs/remotes/origin/main", "HEAD"]);
    assert_eq!(run(&["report", "--json"]).json()["repository"]["on_remote"].as_array().map(Vec::len), Some(2));
    assert_eq!(listed(), repo.git(&["rev-list", "-n", "2", "HEAD"]));

    git("echo 'fatal: no luck' >&2; exit 128");
    let ran = run(&["report"]);
    assert!(ran.exit == Some(0) && ran.stderr.contains("no luck"), "{}", ran.stderr);
    assert!(ran.text().contains("ONE for 1") && !ran.text().contains("/commit/"));
}

/// Two names that are no UTF-8 and look the same were one file, with the lines of both and the share of one.
#[test]
fn files_whose_names_look_the_same_are_counted_each() {
    let repo = numbers();
    for name in [&b"x\xe9"[..], b"x\xe8"] {
        std::fs::write(repo.root().join(std::ffi::OsStr::from_bytes(name)), "one\n").expect("a file");
    }
    repo.commit_all("two");
    let script = "for f in x*; do echo two >> \"$f\"; done; printf 'three\\n' >> \"$(printf 'x\\350')\"";
    assert_eq!(repo.redraft(&["run", "--agent", "me", "--", "sh", "-c", script], "").status, 0);
    let data = data(&repo, &[]);
    let files: Vec<(&Value, &Value, &Value)> = data["files"]
        .as_array()
        .expect("files")
        .iter()
        .map(|file| (&file["path"], &file["lines_added"], &file["share"]["lines"]))
        .collect();
    let (first, second) = (json!("\"x\\350\""), json!("\"x\\351\""));
    assert_eq!(files, [(&first, &json!(2), &json!(3)), (&second, &json!(1), &json!(2))]);
    assert_eq!(data["summary"]["files"], 2);
}

/// A file that could not be read was told as one that is gone.
#[test]
fn a_file_that_cannot_be_read_is_warned_of_and_the_report_goes_on() {
    let repo = numbers();
    edit(&repo, ("claude", "s1", "t1"), "a", ("1", "ONE"));
    edit(&repo, ("claude", "s1", "t1"), "b", ("two", "TWO"));
    std::fs::remove_file(repo.root().join("b")).expect("removed");
    let ran = redraft(&repo.root(), &["report", "--json"], b"");
    assert_eq!((ran.exit, ran.stderr.as_str()), (Some(0), ""), "what is gone is no failure");
    assert_eq!(ran.json()["files"][1]["share"], Value::Null);
    repo.chmod("a", 0);
    if rustix::process::geteuid().is_root() {
        return; // who may read everything
    }
    let ran = redraft(&repo.root(), &["report", "--json"], b"");
    assert_eq!((ran.exit, &ran.json()["files"][0]["share"]), (Some(0), &Value::Null));
    assert!(ran.stderr.contains("a") && ran.stderr.contains("ermission denied"), "{}", ran.stderr);
}

#[test]
fn a_report_is_opened_by_the_browser_that_is_asked_for() {
    let repo = numbers();
    edit(&repo, ("claude", "s1", "t1"), "a", ("1", "ONE"));
    repo.script("browser", "#!/bin/sh\nprintf '%s' \"$1\" > \"$(dirname \"$0\")/opened\"\necho noise\n");
    let browser = repo.outside().join("browser");
    let run = |browser: &str| finish(command(&repo.root(), &["report", "--open"]).env("BROWSER", browser), b"");
    let ran = run(&format!("no-such-browser:{}", browser.display()));
    assert_eq!(ran.exit, Some(0), "{}", ran.stderr);
    let opened = std::fs::read_to_string(repo.outside().join("opened")).expect("it was run");
    assert!(opened.ends_with("/redraft-report.html") && ran.text().trim_end() == opened, "{opened} {ran:?}");
    assert!(repo.text("redraft-report.html").starts_with("<!doctype html>"));
    let ran = run("no-such-browser");
    assert_eq!((ran.exit, ran.stderr.contains("set BROWSER")), (Some(3), true), "{}", ran.stderr);
}

#[test]
fn a_thousand_records_have_room_in_a_megabyte() {
    let repo = TestRepo::in_memory();
    let lines: String = (0..1000).map(|n| format!("line {n} of a file that is edited very often\n")).collect();
    (0..20).for_each(|n| repo.write(&format!("src/part/file{n}.rs"), &lines));
    repo.git(&["add", "."]);
    repo.git(&["commit", "-qm", "start"]);
    let env = redraft::Env::in_dir(repo.root()).expect("a folder");
    let workspace = redraft::Workspace::open(&env).expect("it opens");
    for n in 0..1000 {
        let (old, new) = (format!("line {n} of"), format!("the line {n} as agent {} would have it, of", n % 3));
        let edits = [redraft::Edit::new(&*old, &*new).expect("an edit")];
        let mut request = redraft::Request::edit(format!("src/part/file{}.rs", n % 20), edits).expect("a request");
        request.agent.name = Some(format!("agent {}", n % 3));
        request.agent.session = Some(format!("session {}", n / 40));
        request.agent.turn = Some(format!("turn {}", n / 8));
        request.message = Some(format!("say of line {n} who would have it so, for the reader who comes after"));
        workspace.edit(&request, &redraft::EditOptions::default()).expect("it is edited");
    }
    let page = page(&repo, &[]);
    assert!(page.len() < 1_000_000, "{}", page.len());
    assert_eq!(page.matches("<details class=\"r\"").count(), 1000);
    let page = self::page(&repo, &["-n", "10"]);
    assert_eq!(page.matches("<details class=\"r\"").count(), 10);
    assert!(page.contains("older records are left out"));
}
