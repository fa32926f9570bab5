//! Every character of every encoding against iconv: what one has the other has, as the same bytes.
//!
//! Looked at through `redraft read` and a creation: what iconv writes reads as it was, and what redraft writes is iconv's.

use super::texts::iconv;
use super::{done, named};
use crate::support::TestRepo;
use serde_json::{Value, json};
use std::io::Write;
use std::process::{Command, Stdio};

/// The characters that iconv can write in an encoding, of the Basic Multilingual Plane without controls and private ones.
fn known(name: &str) -> String {
    // `-c` leaves out what it cannot write; what comes back is what it can.
    let all: String = (0xa0..0xffff_u32).filter(|n| !(0xe000..0xf900).contains(n)).filter_map(char::from_u32).collect();
    let mut child = Command::new("iconv")
        .args(["-c", "-f", "UTF-8", "-t", name])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("iconv");
    let mut input = child.stdin.take().expect("its input");
    let writer = std::thread::spawn(move || input.write_all(all.as_bytes()));
    let bytes = child.wait_with_output().expect("it ends").stdout;
    writer.join().expect("no panic").expect("all is read");
    String::from_utf8(iconv(name, "UTF-8", &bytes)).expect("UTF-8")
}

#[test]
fn every_character_that_iconv_writes_is_written_and_read_alike() {
    let names = [
        ("latin1", "ISO-8859-1"),
        ("iso-8859-2", "ISO-8859-2"),
        ("iso-8859-9", "ISO-8859-9"),
        ("windows-1250", "CP1250"),
        ("windows-1251", "CP1251"),
        ("windows-1252", "CP1252"),
        ("windows-1253", "CP1253"),
        ("windows-1254", "CP1254"),
        ("windows-1256", "CP1256"),
        ("windows-1257", "CP1257"),
        ("windows-874", "CP874"),
        ("koi8-r", "KOI8-R"),
        ("koi8-u", "KOI8-U"),
        ("ibm866", "CP866"),
        ("shift_jis", "SHIFT_JIS"),
        ("cp932", "CP932"),
        ("euc-jp", "EUC-JP"),
        ("euc-kr", "EUC-KR"),
        ("cp949", "CP949"),
        ("gbk", "GBK"),
        ("gb2312", "GB2312"),
        ("gb18030", "GB18030"),
        ("big5", "BIG5"),
    ];
    for (name, iconv_name) in names {
        let repo = TestRepo::new();
        // Two by which iconv means ASCII's backslash and tilde, which stay themselves.
        let text: String = known(iconv_name).chars().filter(|c| !c.is_ascii() && !matches!(c, '¥' | '‾')).collect();
        assert!(text.chars().count() > 50, "{name}");
        let text = format!("{text}\n");
        let bytes = iconv("UTF-8", iconv_name, text.as_bytes());
        done(&repo, &["apply"], &named(json!({"path": "made.txt", "content": text}), Some(name)));
        assert!(repo.read("made.txt") == bytes, "{name}: written");
        let read = done(&repo, &["read", "made.txt", "--encoding", name], &Value::Null);
        assert!(read["data"]["content"] == text.as_str(), "{name}: read");
    }
}
