//! Files in other encodings than UTF-8: edited, read, shown, taken back; and nothing of them is guessed.

mod characters;
mod git;
mod new_files;
mod random;
mod shifting;
mod texts;
mod told;

use crate::support::TestRepo;
use crate::support::answer::check_envelope;
use crate::support::run::redraft;
use serde_json::{Value, json};
use texts::{SAMPLES, iconv};

fn run(repo: &TestRepo, args: &[&str], input: &str) -> (Option<i32>, Value) {
    let ran = redraft(&repo.root(), args, input.as_bytes());
    let answer = ran.json();
    check_envelope(&answer);
    (ran.exit, answer)
}

fn done(repo: &TestRepo, args: &[&str], request: &Value) -> Value {
    let (exit, answer) = run(repo, args, &if request.is_null() { String::new() } else { request.to_string() });
    assert_eq!(exit, Some(0), "{answer:#}");
    answer
}

fn refused(repo: &TestRepo, request: &Value, reason: &str) -> Value {
    let (exit, answer) = run(repo, &["apply"], &request.to_string());
    assert_eq!((exit, &answer["data"]["reason"]), (Some(1), &json!(reason)), "{answer:#}");
    answer
}

fn edit(path: &str, old: &str, new: &str) -> Value {
    json!({"path": path, "old_string": old, "new_string": new})
}

fn named(mut request: Value, encoding: Option<&str>) -> Value {
    if let Some(encoding) = encoding {
        request["encoding"] = encoding.into();
    }
    request
}

#[test]
fn in_every_encoding_a_file_is_edited_read_shown_and_taken_back() {
    for sample in &SAMPLES {
        let repo = TestRepo::new();
        let what = format!("{} {:?}", sample.iconv, sample.mark);
        let text = format!("first line\r\n{}last line\r\n", sample.text.replace('\n', "\r\n"));
        let before = sample.bytes(&text);
        repo.write("a.txt", &before);
        repo.commit_all("first");
        let line = sample.text.lines().next().expect("a line");
        let word = line.split(' ').next().expect("a word");
        let new = format!("{word}\nnew {line}");
        let answer = done(&repo, &["apply"], &named(edit("a.txt", line, &new), sample.name));
        let after = text.replacen(line, &new.replace('\n', "\r\n"), 1);
        assert_eq!(repo.read("a.txt"), sample.bytes(&after), "{what}");
        let file = &answer["data"]["files"][0];
        assert_eq!((&file["edits"][0]["start_line"], &file["edits"][0]["end_line"]), (&json!(2), &json!(2)), "{what}");
        let shown = answer["data"]["diff_preview"].as_str().expect("a diff");
        let is_composed = matches!(sample.iconv, "CP1258");
        assert!(is_composed || shown.contains(&format!("+new {line}")), "{what}: {shown}");
        assert_eq!(answer["data"]["diff_lossy"], Value::Null, "{what}");
        assert_eq!(file["encoding"].is_null(), sample.is_utf8() || line.is_ascii(), "{what}: {file}");

        let mut args = vec!["read", "a.txt", "--lines", "2:3"];
        args.extend(sample.name.iter().flat_map(|name| ["--encoding", *name]));
        let read = done(&repo, &args, &Value::Null);
        let content = read["data"]["content"].as_str().expect("text");
        assert!(is_composed || content == format!("{word}\r\nnew {line}\r\n"), "{what}: {content:?}");
        let again = named(edit("a.txt", content, "gone\n"), sample.name);
        done(&repo, &["apply"], &again);
        assert_eq!(
            repo.read("a.txt"),
            sample.bytes(&after.replacen(&format!("{word}\r\nnew {line}\r\n"), "gone\r\n", 1)),
            "{what}"
        );
        done(&repo, &["undo"], &Value::Null);
        assert_eq!(repo.read("a.txt"), sample.bytes(&after), "{what}");
        let undone = done(&repo, &["undo"], &Value::Null);
        assert_eq!(repo.read("a.txt"), before, "{what}");
        let shown = undone["data"]["diff_preview"].as_str().expect("a diff");
        assert!(is_composed || shown.contains(&format!("-new {line}")), "{what}: {shown}");
        done(&repo, &["redo"], &Value::Null);
        assert_eq!(repo.read("a.txt"), sample.bytes(&after), "{what}");
    }
}

#[test]
fn a_character_that_the_encoding_lacks_is_refused_by_name() {
    for sample in &SAMPLES {
        let Some(lacking) = sample.lacks else { continue };
        let repo = TestRepo::new();
        let before = sample.bytes(sample.text);
        repo.write("a.txt", &before);
        let line = sample.text.lines().next().expect("a line");
        let request = named(edit("a.txt", line, &format!("{line} x{lacking}y")), sample.name);
        let answer = refused(&repo, &request, "unsupported_encoding");
        let number = format!("U+{:04X}", u32::from(lacking));
        let text = answer["text"].as_str().expect("text");
        if sample.iconv != "ASCII" {
            assert!(text.contains(&number), "{}: {text}", sample.iconv);
            assert_eq!(answer["data"]["failed_index"], 0);
        }
        assert_eq!(repo.read("a.txt"), before);
        let request = named(json!({"path": "new.txt", "content": format!("{line} {lacking}\n")}), sample.name);
        let text = refused(&repo, &request, "unsupported_encoding")["text"].to_string();
        assert!(text.contains(&number), "{}: {text}", sample.iconv);
        assert!(!repo.root().join("new.txt").exists());
    }
}

#[test]
fn nothing_is_guessed() {
    let repo = TestRepo::new();
    let bytes = iconv("UTF-8", "SHIFT_JIS", "x = 1\n変数が定義\n".as_bytes());
    repo.write("a.txt", &bytes);
    let answer = refused(&repo, &edit("a.txt", "x = 1", "x = 変"), "unsupported_encoding");
    let possible = answer["data"]["hint"]["possible"].as_array().expect("names");
    assert!(possible.contains(&json!("shift_jis")), "{answer:#}");
    assert!(answer["text"].as_str().expect("text").contains("shift_jis"), "{answer:#}");
    refused(&repo, &edit("a.txt", "変数", "data"), "no_match");
    done(&repo, &["apply"], &edit("a.txt", "x = 1", "x = 2"));
    assert_eq!(repo.read("a.txt"), [b"x = 2\n", &bytes[6..]].concat());
    repo.write("wide.txt", iconv("UTF-8", "UTF-16LE", b"plain\n"));
    refused(&repo, &edit("wide.txt", "plain", "new"), "nul_byte");
    done(&repo, &["apply"], &named(edit("wide.txt", "plain", "new"), Some("utf-16le")));
    assert_eq!(repo.read("wide.txt"), iconv("UTF-8", "UTF-16LE", b"new\n"));
}

#[test]
fn a_file_that_is_not_of_its_encoding_is_edited_by_its_bytes() {
    let repo = TestRepo::new();
    repo.write("a.txt", b"x = 1\n\x95\x5c\n\x81");
    done(&repo, &["apply"], &named(edit("a.txt", "x = 1", "x = 2"), Some("shift_jis")));
    assert_eq!(repo.read("a.txt"), b"x = 2\n\x95\x5c\n\x81");
    refused(&repo, &named(edit("a.txt", "x = 2", "x = 表"), Some("shift_jis")), "unsupported_encoding");
}

#[test]
fn a_name_that_is_none_is_told() {
    let repo = TestRepo::with_files(&[("a.txt", "a\n")]);
    let answer = refused(&repo, &named(edit("a.txt", "a", "b"), Some("klingon")), "bad_type");
    assert!(answer["text"].as_str().expect("text").contains("shift_jis"), "{answer:#}");
}

/// What tells the encoding, the strongest first.
#[test]
fn what_tells_the_encoding_counts_in_its_order() {
    let repo = TestRepo::new();
    let bytes = |name: &str| iconv("UTF-8", name, "été\n".as_bytes());
    let check = |name: &str, request: Option<&str>| {
        repo.write("a.txt", bytes(name));
        done(&repo, &["apply"], &named(edit("a.txt", "été", "éte"), request));
        assert_eq!(repo.read("a.txt"), iconv("UTF-8", name, "éte\n".as_bytes()), "{name}");
    };
    check("UTF-8", None);
    repo.write(".editorconfig", "[*.txt]\ncharset = latin1\n");
    check("ISO-8859-1", None);
    repo.git(&["config", "redraft.encoding", "MACINTOSH"]);
    check("MACINTOSH", None);
    repo.git(&["config", "--add", "redraft.encoding", "*.txt=cp850-is-none"]);
    let (_, answer) = run(&repo, &["apply"], &edit("a.txt", "été", "éte").to_string());
    assert_eq!(answer["data"]["reason"], "bad_type", "{answer:#}");
    repo.git(&["config", "--unset-all", "redraft.encoding"]);
    repo.git(&["config", "--add", "redraft.encoding", "*.txt=macintosh"]);
    repo.git(&["config", "--add", "redraft.encoding", "*.md=utf-8"]);
    check("MACINTOSH", None);
    check("UTF-16BE", Some("utf-16be"));
    repo.write(".gitattributes", "*.txt working-tree-encoding=UTF-16LE\n");
    check("UTF-16LE", Some("utf-16be"));
    let marked = [&b"\xfe\xff"[..], &bytes("UTF-16BE")].concat();
    repo.write("a.txt", &marked);
    done(&repo, &["apply"], &named(edit("a.txt", "été", "éte"), Some("latin1")));
    assert_eq!(repo.read("a.txt"), [&b"\xfe\xff"[..], &iconv("UTF-8", "UTF-16BE", "éte\n".as_bytes())].concat());
}

#[test]
fn a_mark_that_the_old_text_names_and_the_new_one_leaves_out_is_removed() {
    let repo = TestRepo::new();
    for (name, mark) in [("UTF-8", &b"\xef\xbb\xbf"[..]), ("UTF-16LE", b"\xff\xfe"), ("UTF-16BE", b"\xfe\xff")] {
        let bytes = |mark: &[u8], text: &str| [mark, &iconv("UTF-8", name, text.as_bytes())].concat();
        for (old, new, after) in [
            ("\u{feff}été", "été", bytes(b"", "été\r\ntwo\r\n")),
            ("\u{feff}été\n", "hiver\n", bytes(b"", "hiver\r\ntwo\r\n")),
            ("\u{feff}été", "\u{feff}hiver", bytes(mark, "hiver\r\ntwo\r\n")),
            ("été", "hiver", bytes(mark, "hiver\r\ntwo\r\n")),
            ("\u{feff}", "", bytes(b"", "été\r\ntwo\r\n")),
        ] {
            for level in ["exact", "fuzzy"] {
                let before = bytes(mark, "été\r\ntwo\r\n");
                repo.write("a.txt", &before);
                let mut request = edit("a.txt", old, new);
                request["match"] = level.into();
                done(&repo, &["apply"], &request);
                assert_eq!(repo.read("a.txt"), after, "{name} {level}: {old:?} -> {new:?}");
                done(&repo, &["undo"], &Value::Null);
                assert_eq!(repo.read("a.txt"), before, "{name} {level}");
            }
        }
    }
}

#[test]
fn the_mark_of_utf16_is_no_part_of_what_is_read() {
    let repo = TestRepo::new();
    repo.write("a.txt", [&b"\xff\xfe"[..], &iconv("UTF-8", "UTF-16LE", "été\n".as_bytes())].concat());
    let read = done(&repo, &["read", "a.txt"], &Value::Null);
    assert_eq!((&read["data"]["content"], &read["data"]["encoding"]), (&json!("été\n"), &json!("utf-16le")));
    assert_eq!(read["data"]["content_b64"], Value::Null);
    let receipt = done(&repo, &["read", "a.txt", "--session", "s"], &Value::Null);
    assert_eq!(receipt["data"]["blob"], repo.git(&["hash-object", "a.txt"]).trim());
    done(&repo, &["apply", "--session", "s", "--require-read"], &edit("a.txt", "été\n", "hiver\n"));
}

#[test]
fn every_dialect_edits_in_the_encoding_that_the_repository_names() {
    let repo = TestRepo::new();
    repo.git(&["config", "redraft.encoding", "*.txt=euc-jp"]);
    let bytes = |text: &str| iconv("UTF-8", "EUC-JP", text.as_bytes());
    let path = repo.root().join("a.txt");
    let path = path.to_str().expect("UTF-8");
    for request in [
        json!({"path": "a.txt", "edits": [{"old_string": "変数", "new_string": "定数"}], "mode": "sequence"}),
        json!({"file_path": path, "old_string": "変数", "new_string": "定数"}),
        json!({"filePath": path, "oldString": "変数", "newString": "定数"}),
        json!({"path": "a.txt", "old_string": "  変数 = 1;\n  能力 = 2;\n", "new_string": "  定数 = 1;\n  能力 = 2;\n", "match": "fuzzy"}),
    ] {
        repo.write("a.txt", bytes("\t変数 = 1;\n\t能力 = 2;\n"));
        done(&repo, &["apply"], &request);
        assert_eq!(repo.read("a.txt"), bytes("\t定数 = 1;\n\t能力 = 2;\n"), "{request}");
    }
}

#[test]
fn a_whole_file_that_is_written_anew_keeps_its_encoding() {
    let repo = TestRepo::new();
    for (name, mark, told) in [("UTF-16BE", &b"\xfe\xff"[..], None), ("CP1251", b"", Some("windows-1251"))] {
        let bytes = |text: &str| [mark, &iconv("UTF-8", name, text.as_bytes())].concat();
        repo.write("a.txt", bytes("строка\n"));
        let request = json!({"path": "a.txt", "content": "другая\n", "overwrite": true});
        done(&repo, &["apply"], &named(request, told));
        assert_eq!(repo.read("a.txt"), bytes("другая\n"), "{name}");
        done(&repo, &["apply"], &named(json!({"path": "a.txt", "rename_to": "b.txt"}), told));
        done(&repo, &["apply"], &named(edit("b.txt", "другая", "третья"), told));
        assert_eq!(repo.read("b.txt"), bytes("третья\n"), "{name}");
        done(&repo, &["apply"], &json!({"path": "b.txt", "delete": true}));
        done(&repo, &["undo"], &Value::Null);
        assert_eq!(repo.read("b.txt"), bytes("третья\n"), "{name}");
        done(&repo, &["apply"], &json!({"path": "b.txt", "delete": true}));
    }
}
