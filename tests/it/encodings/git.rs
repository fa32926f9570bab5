//! The same files in git: what redraft commits, stages, stashes and tells of them is what git has.

use super::texts::iconv;
use super::{done, edit, named};
use crate::support::TestRepo;
use crate::support::run::redraft;
use serde_json::{Value, json};

/// A name for git's attribute, iconv's name, what stands before the text, and a text.
const CONVERTED: [(&str, &str, &[u8], &str); 7] = [
    ("UTF-16", "UTF-16LE", b"\xff\xfe", "größe = 1\n変数\n"),
    ("UTF-16LE", "UTF-16LE", b"", "größe = 1\n変数\n"),
    ("UTF-16BE", "UTF-16BE", b"", "größe = 1\n変数\n"),
    ("SHIFT-JIS", "SHIFT_JIS", b"", "変数が〜定義 = 1\n能力\n"),
    ("ISO-8859-1", "ISO-8859-1", b"", "größe = 1\nété\n"),
    ("EUC-KR", "EUC-KR", b"", "변수가 = 1\n한국\n"),
    ("CP1251", "CP1251", b"", "длина = 1\nстрока\n"),
];

fn text(first: &str, lines: &str) -> String {
    format!("first {first}\n{lines}two\nthree\nfour\nfive\nsix\nlast\n")
}

fn bytes(iconv_name: &str, mark: &[u8], text: &str) -> Vec<u8> {
    [mark, &iconv("UTF-8", iconv_name, text.as_bytes())].concat()
}

fn blob(repo: &TestRepo, name: &str) -> String {
    repo.git(&["cat-file", "blob", name])
}

#[test]
fn with_working_tree_encoding_git_has_utf8_and_a_commit_is_what_git_would_make() {
    for (attribute, name, mark, lines) in CONVERTED {
        let repo = TestRepo::new();
        repo.write(".gitattributes", format!("*.txt text working-tree-encoding={attribute}\n"));
        repo.write("a.txt", bytes(name, mark, &text("", lines)));
        repo.commit_all("first");
        assert_eq!(blob(&repo, "HEAD:a.txt"), text("", lines), "{attribute}");
        let line = lines.lines().next().expect("a line");
        let new = format!("new {line}");
        let answer = done(&repo, &["apply", "--record", "commit"], &edit("a.txt", line, &new));
        assert_eq!(answer["data"]["files"][0]["state"], "clean", "{attribute}");
        let after = text("", &lines.replacen(line, &new, 1));
        assert_eq!(repo.read("a.txt"), bytes(name, mark, &after), "{attribute}");
        assert_eq!(blob(&repo, "HEAD:a.txt"), after, "{attribute}");
        assert_eq!(repo.git(&["status", "--porcelain"]), "", "{attribute}");
        // The user's own lines stay out of the commit.
        let users = after.replace("last\n", "last of the user\n");
        repo.write("a.txt", bytes(name, mark, &users));
        let answer = done(&repo, &["apply", "--record", "commit"], &edit("a.txt", &new, line));
        assert_eq!(answer["data"]["files"][0]["state"], "modified", "{attribute}");
        assert_eq!(blob(&repo, "HEAD:a.txt"), text("", lines), "{attribute}");
        assert_eq!(repo.read("a.txt"), bytes(name, mark, &users.replace(&new, line)), "{attribute}");
        let diff = repo.git(&["diff"]);
        assert!(diff.contains("+last of the user") && !diff.contains(line), "{attribute}: {diff}");
        // What is shown is what git takes.
        let answer = done(&repo, &["apply"], &edit("a.txt", line, &new));
        let shown = answer["data"]["diff_preview"].as_str().expect("a diff");
        assert!(shown.contains(&format!("+{new}")), "{attribute}: {shown}");
        done(&repo, &["undo"], &Value::Null);
        repo.write("patch", shown);
        repo.git(&["apply", "patch"]);
        assert_eq!(repo.read("a.txt"), bytes(name, mark, &users), "{attribute}");
    }
}

#[test]
fn without_it_git_has_the_bytes_and_a_commit_has_the_edit_alone() {
    for (name, mark, lines) in
        [("UTF-16LE", &b"\xff\xfe"[..], "größe = 1\n変数\n"), ("SHIFT_JIS", b"", "変数が = 1\n能力\n")]
    {
        let repo = TestRepo::new();
        repo.git(&["config", "redraft.encoding", "shift_jis"]);
        repo.write("a.txt", bytes(name, mark, &text("", lines)));
        repo.commit_all("first");
        repo.write(
            "a.txt",
            bytes(name, mark, &text("", lines).replace("last\n", "letzte ü\n".trim_end_matches("ü\n"))),
        );
        let users = text("", lines).replace("last\n", "letzte ");
        let line = lines.lines().next().expect("a line");
        done(&repo, &["apply", "--record", "commit"], &edit("a.txt", line, &format!("new {line}")));
        let want = text("", &lines.replacen(line, &format!("new {line}"), 1));
        repo.git(&["show", "--stat", "HEAD"]);
        let got = repo.try_git(&["cat-file", "blob", "HEAD:a.txt"]).stdout;
        assert_eq!(got, bytes(name, mark, &want), "{name}");
        assert_eq!(repo.read("a.txt"), bytes(name, mark, &users.replacen(line, &format!("new {line}"), 1)), "{name}");
    }
}

#[test]
fn the_staged_version_is_edited_in_its_own_encoding() {
    let attributes = "w.txt text working-tree-encoding=UTF-16LE\nc.txt text working-tree-encoding=SHIFT-JIS eol=crlf\n";
    let files = [("w.txt", "UTF-16LE", &b""[..]), ("c.txt", "SHIFT_JIS", b""), ("m.txt", "UTF-16BE", b"\xfe\xff")];
    for (path, name, mark) in files {
        let repo = TestRepo::new();
        repo.write(".gitattributes", attributes);
        let ends = |text: &str| if path == "c.txt" { text.replace('\n', "\r\n") } else { text.to_owned() };
        let now = text("", "変数 = 1\n能力\n");
        repo.write(path, bytes(name, mark, &ends(&now)));
        repo.commit_all("first");
        let unstaged = now.replace("last", "last, not staged");
        repo.write(path, bytes(name, mark, &ends(&unstaged)));
        done(&repo, &["apply", "--index"], &edit(path, "変数 = 1", "変数 = 2\n新"));
        let change = |text: &str| text.replace("変数 = 1", "変数 = 2\n新");
        assert_eq!(repo.read(path), bytes(name, mark, &ends(&change(&unstaged))), "{path}");
        let staged = repo.try_git(&["cat-file", "blob", &format!(":{path}")]).stdout;
        let want = if path == "m.txt" { bytes(name, mark, &change(&now)) } else { change(&now).into_bytes() };
        assert_eq!(staged, want, "{path}");
        done(&repo, &["undo"], &Value::Null);
        assert_eq!(repo.read(path), bytes(name, mark, &ends(&unstaged)), "{path}");
    }
}

#[test]
fn a_new_file_is_staged_as_git_would() {
    let repo = TestRepo::with_files(&[(".gitattributes", "*.txt text working-tree-encoding=UTF-16\n")]);
    done(&repo, &["apply", "--index"], &json!({"path": "a.txt", "content": "été\n"}));
    assert_eq!(blob(&repo, ":a.txt"), "été\n");
    assert_eq!(repo.read("a.txt"), bytes("UTF-16LE", b"\xff\xfe", "été\n"));
    assert_eq!(repo.git(&["status", "--porcelain"]), "A  a.txt\n");
    done(&repo, &["apply", "--record", "commit"], &json!({"path": "b.txt", "content": "été\n"}));
    assert_eq!(blob(&repo, "HEAD:b.txt"), "été\n");
}

#[test]
fn a_stash_entry_has_what_git_would_have() {
    let repo = TestRepo::with_files(&[(".gitattributes", "*.txt text working-tree-encoding=UTF-16\n")]);
    let before = bytes("UTF-16LE", b"\xff\xfe", &text("", "été\n"));
    repo.write("a.txt", &before);
    repo.commit_all("a");
    done(&repo, &["apply", "--shelve"], &edit("a.txt", "été", "hiver ❄"));
    assert_eq!(repo.read("a.txt"), before);
    repo.git(&["stash", "pop"]);
    assert_eq!(repo.read("a.txt"), bytes("UTF-16LE", b"\xff\xfe", &text("", "hiver ❄\n")));
}

#[test]
fn the_history_shows_texts_and_blame_gives_lines_to_who_wrote_them() {
    for (name, mark, told) in [("UTF-16LE", &b"\xff\xfe"[..], None), ("SHIFT_JIS", b"", Some("shift_jis"))] {
        let repo = TestRepo::new();
        repo.write("a.txt", bytes(name, mark, &text("", "変数 = 1\n能力\n")));
        repo.commit_all("first");
        if told.is_some() {
            repo.git(&["config", "redraft.encoding", "*.txt=shift_jis"]);
        }
        let first = done(&repo, &["apply", "--agent", "one"], &edit("a.txt", "変数 = 1", "変数 = 2"));
        done(&repo, &["apply", "--agent", "two"], &edit("a.txt", "six", "六\n六と半分"));
        let id = first["data"]["record"]["id"].as_str().expect("an id");
        for args in [&["show", id][..], &["diff", id], &["log", "-p"]] {
            let ran = redraft(&repo.root(), args, b"");
            let shown = String::from_utf8_lossy(&ran.stdout).into_owned();
            assert!(shown.contains("-変数 = 1\n+変数 = 2"), "{name} {args:?}: {shown}");
        }
        let between = redraft(&repo.root(), &["diff", "@-", "@"], b"");
        assert!(between.text().contains("+六と半分"), "{name}: {}", between.text());
        let lines: Vec<Value> = redraft(&repo.root(), &["blame", "a.txt", "--json"], b"")
            .text()
            .lines()
            .map(|line| serde_json::from_str(line).expect("JSON"))
            .collect();
        let agents: Vec<Option<&str>> = lines.iter().map(|line| line["agent"].as_str()).collect();
        assert_eq!(
            agents,
            [None, Some("one"), None, None, None, None, None, Some("two"), Some("two"), None],
            "{name}: {lines:#?}"
        );
        assert_eq!(lines[1]["text"], "変数 = 2", "{name}");
        assert!(lines[0]["commit"].is_string() || name == "UTF-16LE", "{name}: {lines:#?}");
        let status = redraft(&repo.root(), &["status", "--json"], b"");
        assert_eq!(status.json()["agent_changes"].as_array().map(Vec::len), Some(1), "{}", status.text());
    }
}

#[test]
fn an_older_edit_is_taken_back_between_later_ones() {
    for (name, mark, told) in
        [("UTF-16LE", &b"\xff\xfe"[..], None), ("UTF-16BE", b"", Some("utf-16be")), ("GBK", b"", Some("gbk"))]
    {
        let repo = TestRepo::new();
        let lines = "变量 = 1\n长度\n";
        repo.write("a.txt", bytes(name, mark, &text("", lines)));
        let apply = |old: &str, new: &str| {
            let answer = done(&repo, &["apply"], &named(edit("a.txt", old, new), told));
            answer["data"]["record"]["id"].as_str().expect("an id").to_owned()
        };
        let first = apply("变量 = 1", "变量 = 二");
        apply("first", "首先\nfirst");
        apply("last", "最后");
        done(&repo, &["undo", &first], &Value::Null);
        let want = text("", lines).replace("first", "首先\nfirst").replace("last", "最后");
        assert_eq!(repo.read("a.txt"), bytes(name, mark, &want), "{name}");
        done(&repo, &["redo"], &Value::Null);
        assert_eq!(repo.read("a.txt"), bytes(name, mark, &want.replace("变量 = 1", "变量 = 二")), "{name}");
        // Somebody else's line is not overwritten.
        let theirs = want.replace("变量 = 1", "变量 = 三");
        repo.write("a.txt", bytes(name, mark, &theirs));
        let ran = redraft(&repo.root(), &["undo", &first], b"");
        assert_eq!(ran.json()["data"]["reason"], "undo_conflict", "{name}: {}", ran.text());
        assert!(ran.text().contains("变量 = 三"), "{name}: {}", ran.text());
        let ran = redraft(&repo.root(), &["undo", &first, "--markers"], b"");
        assert_eq!(ran.exit, Some(0), "{}", ran.text());
        let marked = String::from_utf8(iconv(name, "UTF-8", &repo.read("a.txt")[mark.len()..])).expect("UTF-8");
        assert!(
            marked.contains("<<<<<<< now\n") && marked.contains("变量 = 三\n=======\n变量 = 1\n"),
            "{name}: {marked}"
        );
    }
}
