//! New files: in the encoding and with the line ends that git's attributes, `.editorconfig` and git's configuration want.

use super::texts::iconv;
use super::{done, named, run};
use crate::support::TestRepo;
use serde_json::json;

/// What a new file with this content holds, in a repository with these files and this configuration.
fn made(files: &[(&str, &str)], config: &[(&str, &str)], path: &str, content: &str) -> Vec<u8> {
    let repo = TestRepo::with_files(files);
    for (key, value) in config {
        repo.git(&["config", key, value]);
    }
    done(&repo, &["apply"], &json!({"path": path, "content": content}));
    repo.read(path)
}

#[test]
fn lines_end_as_the_attributes_say_then_editorconfig_then_the_configuration() {
    let attributes = |text: &'static str| (".gitattributes", text);
    let editorconfig = |text: &'static str| (".editorconfig", text);
    let (lf, crlf) = ("a\nb\n", "a\r\nb\r\n");
    let auto: &[(&str, &str)] = &[("core.autocrlf", "true")];
    let none: &[(&str, &str)] = &[];
    let check = |files: &[(&str, &str)], config: &[(&str, &str)], content: &str, want: &str| {
        let got = made(files, config, "dir/x.bat", content);
        assert_eq!(String::from_utf8_lossy(&got), want, "{files:?} {config:?} {content:?}");
    };
    check(&[], none, lf, lf);
    check(&[], none, crlf, crlf);
    check(&[attributes("*.bat eol=crlf\n")], none, lf, crlf);
    check(&[attributes("*.bat text eol=crlf\n")], none, "a\r\nb\n", crlf);
    check(&[attributes("*.bat text eol=lf\n")], none, crlf, lf);
    check(&[attributes("*.sh eol=crlf\n")], none, lf, lf);
    check(&[attributes("*.bat -text\n")], auto, lf, lf);
    check(&[attributes("*.bat binary\n"), editorconfig("[*]\nend_of_line = crlf\n")], none, lf, lf);
    check(&[editorconfig("root = true\n[*.bat]\nend_of_line = crlf\n")], none, lf, crlf);
    check(&[editorconfig("[*.bat]\nend_of_line = CRLF\n")], none, lf, crlf);
    check(&[editorconfig("[*]\nend_of_line = lf\n")], auto, crlf, lf);
    check(&[attributes("*.bat eol=crlf\n"), editorconfig("[*]\nend_of_line = lf\n")], none, lf, crlf);
    check(
        &[("dir/.editorconfig", "[*]\nend_of_line = crlf\n"), editorconfig("[*]\nend_of_line = lf\n")],
        none,
        lf,
        crlf,
    );
    check(&[("dir/.editorconfig", "root = true\n"), editorconfig("[*]\nend_of_line = crlf\n")], none, lf, lf);
    check(&[editorconfig("[{dir,other}/*.{bat,cmd}]\nend_of_line = crlf\n")], none, lf, crlf);
    check(&[editorconfig("[*]\nend_of_line = crlf\n[*.bat]\nend_of_line = unset\n")], none, lf, lf);
    check(&[], auto, lf, crlf);
    check(&[], auto, "a\r\nb\n", "a\r\nb\n");
    check(&[], &[("core.autocrlf", "input")], lf, lf);
    check(&[attributes("* text=auto\n")], &[("core.eol", "crlf")], lf, crlf);
    check(&[], &[("core.eol", "crlf")], lf, lf);
}

#[test]
fn a_final_newline_is_added_where_it_is_wanted_and_never_taken_away() {
    let check = |files: &[(&str, &str)], content: &str, want: &str| {
        assert_eq!(String::from_utf8_lossy(&made(files, &[], "x.txt", content)), want, "{files:?}");
    };
    check(&[], "a", "a");
    check(&[(".editorconfig", "[*]\ninsert_final_newline = true\n")], "a", "a\n");
    check(&[(".editorconfig", "[*]\ninsert_final_newline = true\n")], "a\n", "a\n");
    check(&[(".editorconfig", "[*]\ninsert_final_newline = true\n")], "", "");
    check(&[(".editorconfig", "[*]\ninsert_final_newline = true\nend_of_line = crlf\n")], "a", "a\r\n");
    check(&[(".editorconfig", "[*]\ninsert_final_newline = false\n")], "a\n", "a\n");
}

#[test]
fn the_charset_is_the_one_that_is_wanted() {
    let check = |files: &[(&str, &str)], want: &[u8]| {
        let got = made(files, &[], "x.txt", "été\n");
        assert_eq!(got, want, "{files:?}");
    };
    let bytes = |mark: &[u8], name: &str| [mark, &iconv("UTF-8", name, "été\n".as_bytes())].concat();
    check(&[], "été\n".as_bytes());
    check(&[(".editorconfig", "[*]\ncharset = utf-8\n")], "été\n".as_bytes());
    check(&[(".editorconfig", "[*]\ncharset = utf-8-bom\n")], &bytes(b"\xef\xbb\xbf", "UTF-8"));
    check(&[(".editorconfig", "[*]\ncharset = latin1\n")], &bytes(b"", "ISO-8859-1"));
    check(&[(".editorconfig", "[*]\ncharset = utf-16le\n")], &bytes(b"\xff\xfe", "UTF-16LE"));
    check(&[(".editorconfig", "[*]\ncharset = UTF-16BE\n")], &bytes(b"\xfe\xff", "UTF-16BE"));
    check(&[(".gitattributes", "*.txt working-tree-encoding=UTF-16LE\n")], &bytes(b"", "UTF-16LE"));
    check(&[(".gitattributes", "*.txt working-tree-encoding=UTF-16\n")], &bytes(b"\xff\xfe", "UTF-16LE"));
    check(&[(".gitattributes", "*.txt working-tree-encoding=UTF-16LE-BOM\n")], &bytes(b"\xff\xfe", "UTF-16LE"));
    let both = [
        (".gitattributes", "*.txt working-tree-encoding=CP1252 eol=crlf\n"),
        (".editorconfig", "[*]\ncharset = utf-8\n"),
    ];
    check(&both, &iconv("UTF-8", "CP1252", "été\r\n".as_bytes()));
    let repo = TestRepo::with_files(&[(".editorconfig", "[*]\ncharset = utf-8-bom\n")]);
    done(&repo, &["apply"], &named(json!({"path": "x.txt", "content": "été\n"}), Some("latin1")));
    assert_eq!(repo.read("x.txt"), bytes(b"", "ISO-8859-1"));
    done(&repo, &["apply"], &json!({"path": "y.txt", "content": "\u{feff}a\n"}));
    assert_eq!(repo.read("y.txt"), b"\xef\xbb\xbfa\n");
    done(&repo, &["undo"], &serde_json::Value::Null);
    assert!(!repo.root().join("y.txt").exists());
    done(&repo, &["redo"], &serde_json::Value::Null);
    assert_eq!(repo.read("y.txt"), b"\xef\xbb\xbfa\n");
}

/// It says how a text is written, and leads nowhere.
#[cfg(unix)]
#[test]
fn an_editorconfig_that_leads_out_or_lies_outside_says_nothing() {
    let repo = TestRepo::with_files(&[("in/a.txt", "a\n")]);
    let outside = repo.root().join("..").join("editorconfig-outside");
    std::fs::write(&outside, "[*]\nend_of_line = crlf\n").expect("written");
    std::os::unix::fs::symlink(&outside, repo.root().join(".editorconfig")).expect("a link");
    done(&repo, &["apply"], &json!({"path": "x.txt", "content": "a\n"}));
    assert_eq!(repo.read("x.txt"), b"a\n");
    std::fs::remove_file(repo.root().join(".editorconfig")).expect("removed");
    let above = repo.root().join("../.editorconfig");
    std::fs::write(&above, "[*]\nend_of_line = crlf\n").expect("written");
    done(&repo, &["apply"], &json!({"path": "y.txt", "content": "a\n"}));
    assert_eq!(repo.read("y.txt"), b"a\n");
    std::fs::remove_file(above).expect("removed");
    // A folder in its place, and bytes that are no text.
    std::fs::create_dir(repo.root().join(".editorconfig")).expect("a folder");
    done(&repo, &["apply"], &json!({"path": "z.txt", "content": "a\n"}));
    std::fs::remove_dir(repo.root().join(".editorconfig")).expect("removed");
    repo.write(".editorconfig", b"[*\n\xff\0=\n[[[\nend_of_line");
    done(&repo, &["apply"], &json!({"path": "v.txt", "content": "a\n"}));
    assert_eq!(repo.read("v.txt"), b"a\n");
    repo.git(&["config", "redraft.deny", ".editorconfig"]);
    repo.write(".editorconfig", "[*]\nend_of_line = crlf\n");
    let (exit, _) =
        run(&repo, &["apply"], &json!({"path": ".editorconfig", "old_string": "crlf", "new_string": "lf"}).to_string());
    assert_eq!(exit, Some(1));
    done(&repo, &["apply"], &json!({"path": "w.txt", "content": "a\n"}));
    assert_eq!(repo.read("w.txt"), b"a\r\n");
}
