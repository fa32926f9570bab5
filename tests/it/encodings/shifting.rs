//! Encodings that shift, whose bytes are ASCII: no file in one is edited as if it were ASCII.

use super::texts::iconv;
use super::{done, edit, named, refused, run};
use crate::support::TestRepo;
use serde_json::{Value, json};

/// What a person wrote, and its bytes by iconv; `called` is what redraft calls the encoding.
struct Shifted {
    name: &'static str,
    called: &'static str,
    text: &'static str,
    /// Whether its bytes tell it.
    is_shown: bool,
}

const SHIFTED: [Shifted; 4] = [
    Shifted { name: "ISO-2022-JP", called: "iso-2022-jp", text: "x = 1\n変数が定義\nend\n", is_shown: true },
    Shifted { name: "ISO-2022-KR", called: "iso-2022-kr", text: "x = 1\n변수가 정의\nend\n", is_shown: true },
    Shifted { name: "ISO-2022-CN", called: "iso-2022-cn", text: "x = 1\n变量没有\nend\n", is_shown: true },
    Shifted { name: "UTF-7", called: "utf-7", text: "x = 1\n变量é\nend\n", is_shown: false },
];

impl Shifted {
    fn bytes(&self) -> Vec<u8> {
        let bytes = iconv("UTF-8", self.name, self.text.as_bytes());
        assert!(bytes.is_ascii(), "{}", self.name);
        bytes
    }
}

/// An ASCII text that stands in the bytes of the letters, so that a search among ASCII finds it there.
fn in_letters(bytes: &[u8]) -> String {
    let line = bytes.split(|byte| *byte == b'\n').nth(1).expect("a line");
    let letters = line.iter().skip_while(|byte| !byte.is_ascii_alphanumeric()).skip(2).take(4).copied().collect();
    String::from_utf8(letters).expect("ASCII")
}

fn check_refused(repo: &TestRepo, called: &str, request: &Value) {
    let answer = refused(repo, request, "unsupported_encoding");
    let text = answer["text"].as_str().expect("text");
    assert!(text.to_lowercase().contains(called) && text.contains("iconv"), "{text}");
}

#[test]
fn a_file_that_is_said_to_shift_is_refused_by_name_whoever_says_it() {
    for shifted in &SHIFTED {
        let bytes = shifted.bytes();
        let (ascii, letters) = (edit("a.txt", "x = 1", "x = 2"), edit("a.txt", &in_letters(&bytes), "zz"));
        let check = |files: &[(&str, String)], config: Option<String>, encoding: Option<&str>| {
            let repo = TestRepo::new();
            files.iter().for_each(|(path, text)| repo.write(path, text));
            config.iter().for_each(|value| drop(repo.git(&["config", "redraft.encoding", value])));
            repo.write("a.txt", &bytes);
            for request in [&ascii, &letters] {
                check_refused(&repo, shifted.called, &named(request.clone(), encoding));
            }
            assert_eq!(repo.read("a.txt"), bytes);
            check_refused(&repo, shifted.called, &named(json!({"path": "new.txt", "content": "a\n"}), encoding));
            assert!(!repo.root().join("new.txt").exists());
            // What writes no text of it may be done, and taken back.
            done(&repo, &["apply"], &json!({"path": "a.txt", "rename_to": "b.txt"}));
            done(&repo, &["apply"], &json!({"path": "b.txt", "delete": true}));
            done(&repo, &["undo"], &Value::Null);
            assert_eq!(repo.read("b.txt"), bytes);
        };
        let attribute = format!("*.txt working-tree-encoding={}\n", shifted.name);
        check(&[(".gitattributes", attribute)], None, None);
        check(&[], None, Some(shifted.name));
        check(&[], Some(format!("*.txt={}", shifted.name)), None);
        check(&[(".editorconfig", format!("[*.txt]\ncharset = {}\n", shifted.name))], None, None);
    }
}

#[test]
fn a_file_whose_bytes_show_that_it_shifts_is_refused_by_name() {
    for shifted in SHIFTED.iter().filter(|shifted| shifted.is_shown) {
        let (repo, bytes) = (TestRepo::new(), shifted.bytes());
        repo.write("a.txt", &bytes);
        check_refused(&repo, shifted.called, &edit("a.txt", "x = 1", "x = 2"));
        check_refused(&repo, shifted.called, &edit("a.txt", &in_letters(&bytes), "zz"));
        let read = done(&repo, &["read", "a.txt"], &Value::Null);
        assert_eq!(read["data"]["content"].as_str().map(str::as_bytes), Some(&bytes[..]));
        // Somebody says that it is something else.
        done(&repo, &["apply"], &named(edit("a.txt", "x = 1", "x = 2"), Some("utf-8")));
        let after = String::from_utf8_lossy(&bytes).replacen("x = 1", "x = 2", 1);
        assert_eq!(String::from_utf8_lossy(&repo.read("a.txt")), after);
        repo.write("a.txt", &bytes);
        repo.write(".gitattributes", "*.txt working-tree-encoding=utf-8\n");
        repo.git(&["config", "redraft.encoding", "us-ascii"]);
        done(&repo, &["apply"], &edit("a.txt", "x = 1", "x = 2"));
    }
}

#[test]
fn what_a_terminal_is_sent_and_sums_and_tildes_are_ascii() {
    let repo = TestRepo::new();
    let text = "\x1b[31mred\x1b[0m \x1b(0lqk\x1b(B a+b+AGE-c ~{x~} \x0e\x0f +AOk-\nx = 1\n";
    repo.write("a.txt", text);
    done(&repo, &["apply"], &edit("a.txt", "x = 1", "x = 2"));
    assert_eq!(String::from_utf8_lossy(&repo.read("a.txt")), text.replace("x = 1", "x = 2"));
    done(&repo, &["apply"], &edit("a.txt", "x = 2", "x = é"));
    assert_eq!(String::from_utf8_lossy(&repo.read("a.txt")), text.replace("x = 1", "x = é"));
}

#[test]
fn a_file_that_shifts_is_not_read_as_what_it_is_said_to_be() {
    let repo = TestRepo::new();
    repo.write("a.txt", SHIFTED[0].bytes());
    let (exit, answer) = run(&repo, &["read", "a.txt", "--encoding", "ISO-2022-JP"], "");
    assert_eq!((exit, &answer["data"]["reason"]), (Some(1), &json!("unsupported_encoding")), "{answer:#}");
}

/// UTF-16 without a mark and without a NUL byte: all of its bytes are ASCII.
#[test]
fn a_file_that_is_said_to_be_utf16_is_not_edited_as_ascii() {
    let repo = TestRepo::new();
    let before = iconv("UTF-8", "UTF-16LE", "中乎乐".as_bytes());
    assert!(before.is_ascii());
    repo.write("a.txt", &before);
    refused(&repo, &named(edit("a.txt", "NPN", "x"), Some("utf-16le")), "no_match");
    done(&repo, &["apply"], &named(edit("a.txt", "乎", "x"), Some("utf-16le")));
    assert_eq!(repo.read("a.txt"), iconv("UTF-8", "UTF-16LE", "中x乐".as_bytes()));
}
