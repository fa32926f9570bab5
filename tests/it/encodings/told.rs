//! What is told of encodings: that a name was not followed, and what the records have.

use super::texts::iconv;
use super::{done, edit, named};
use crate::support::TestRepo;
use crate::support::run::redraft;
use serde_json::{Value, json};

fn bytes(mark: &[u8], name: &str, text: &str) -> Vec<u8> {
    [mark, &iconv("UTF-8", name, text.as_bytes())].concat()
}

fn warnings(answer: &Value) -> String {
    answer["data"]["warnings"].to_string()
}

#[test]
fn a_name_that_is_not_followed_is_told() {
    let repo = TestRepo::new();
    let check = |before: &[u8], name: &str, told: &[&str]| {
        repo.write("a.txt", before);
        for request in [
            named(edit("a.txt", "x", "y"), Some(name)),
            named(json!({"path": "a.txt", "content": "neu\n", "overwrite": true}), Some(name)),
        ] {
            let answer = done(&repo, &["apply"], &request);
            let (said, text) = (warnings(&answer), answer["text"].as_str().expect("text"));
            assert!(told.iter().all(|word| said.contains(word) && text.contains(word)), "{name}: {answer:#}");
            assert!(!told.is_empty() || said == "[]", "{name}: {said}");
            done(&repo, &["undo"], &Value::Null);
            assert_eq!(repo.read("a.txt"), before);
        }
        let read = done(&repo, &["read", "a.txt", "--encoding", name], &Value::Null);
        assert!(told.iter().take(2).all(|word| warnings(&read).contains(word)), "{read:#}");
        assert!(!told.is_empty() || warnings(&read) == "[]", "{read:#}");
    };
    let utf16 = bytes(b"\xff\xfe", "UTF-16LE", "x été\n");
    check(&utf16, "latin1", &["utf-16le", "byte order mark", "encoding (iso-8859-1)"]);
    check(&utf16, "utf-16le", &[]);
    check(&utf16, "UTF-16", &[]);
    check(&utf16, "utf-16be", &["utf-16le", "byte order mark"]);
    check("\u{feff}x é\n".as_bytes(), "shift_jis", &["utf-8", "byte order mark", "shift_jis"]);
    check("\u{feff}x é\n".as_bytes(), "utf-8-bom", &[]);
    check("x é\n".as_bytes(), "utf-8", &[]);
    check(&bytes(b"", "CP1252", "x é\n"), "cp1252", &[]);
    repo.write(".gitattributes", "*.txt working-tree-encoding=CP1252\n");
    let text = bytes(b"", "CP1252", "x é€\n");
    check(&text, "latin1", &["windows-1252", "working-tree-encoding", "encoding (iso-8859-1)"]);
    check(&text, "windows-1252", &[]);
    let answer = done(&repo, &["apply"], &named(json!({"path": "new.txt", "content": "é\n"}), Some("shift_jis")));
    assert!(warnings(&answer).contains("windows-1252"), "{answer:#}");
    assert_eq!(repo.read("new.txt"), b"\xe9\n");
}

#[test]
fn the_flag_names_the_encoding_of_a_request_that_cannot() {
    let repo = TestRepo::new();
    let path = repo.root().join("a.txt");
    let path = path.to_str().expect("UTF-8");
    let text = |text: &str| bytes(b"", "EUC-JP", text);
    for request in [
        json!({"path": "a.txt", "old_string": "変数", "new_string": "定数"}),
        json!({"path": "a.txt", "old_string": "変数", "new_string": "定数", "encoding": "latin1"}),
        json!({"file_path": path, "old_string": "変数", "new_string": "定数"}),
        json!({"filePath": path, "oldString": "変数", "newString": "定数"}),
    ] {
        repo.write("a.txt", text("変数 = 1\n"));
        let check = done(&repo, &["check", "--encoding", "euc-jp"], &request);
        assert!(check["data"]["diff_preview"].as_str().is_some_and(|diff| diff.contains("+定数 = 1")), "{check:#}");
        done(&repo, &["apply", "--encoding", "EUC-JP"], &request);
        assert_eq!(repo.read("a.txt"), text("定数 = 1\n"), "{request}");
    }
    let wrong = redraft(&repo.root(), &["apply", "--encoding", "klingon"], b"{}");
    assert_eq!(wrong.exit, Some(2));
}

#[test]
fn a_record_tells_the_encoding_of_its_file_in_the_journal_and_when_it_is_sealed() {
    let repo = TestRepo::new();
    repo.write("a.txt", bytes(b"", "SHIFT_JIS", "表\n"));
    repo.write("b.txt", "plain é\n");
    repo.write("c.txt", bytes(b"\xff\xfe", "UTF-16LE", "x\n"));
    let request = json!({"files": [
        {"path": "a.txt", "old_string": "表", "new_string": "能", "encoding": "shift_jis"},
        {"path": "b.txt", "old_string": "plain", "new_string": "simple"},
        {"path": "c.txt", "old_string": "x", "new_string": "y"},
    ]});
    let id = done(&repo, &["apply"], &request)["data"]["record"]["id"].as_str().expect("an id").to_owned();
    let check = |args: &[&str]| {
        let ran = redraft(&repo.root(), args, b"");
        let line = String::from_utf8(ran.stdout).expect("UTF-8");
        let record: Value = serde_json::from_str(line.lines().next().expect("a line")).expect("JSON");
        let files = record["files"].as_array().expect("files");
        let encodings: Vec<&Value> = files.iter().map(|file| &file["encoding"]).collect();
        assert_eq!(encodings, [&json!("shift_jis"), &Value::Null, &json!("utf-16le")], "{args:?}");
        assert!(!files[1].as_object().expect("a file").contains_key("encoding"));
    };
    for _ in 0..2 {
        check(&["log", "--json"]);
        check(&["show", &id, "--json"]);
        assert_eq!(redraft(&repo.root(), &["gc"], b"").exit, Some(0));
    }
}
