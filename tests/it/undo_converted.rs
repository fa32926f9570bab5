//! Undo and redo in files that a person converted to another encoding, or to other line endings, since.

use crate::support::TestRepo;
use serde_json::json;

const TEXT: &str = "101\n102\nMüller, Zürich\n103\n104\nGröße\n";

fn in_encoding(text: &str, encoding: &str) -> Vec<u8> {
    match encoding {
        "latin1" => text.chars().map(|char| u8::try_from(u32::from(char)).expect("Latin-1")).collect(),
        "utf-16le" => [0xFF, 0xFE].into_iter().chain(text.encode_utf16().flat_map(u16::to_le_bytes)).collect(),
        _ => text.as_bytes().to_vec(),
    }
}

/// Seen: Latin-1 bytes were written between lines of UTF-8, and UTF-8 between lines of Latin-1.
#[test]
fn a_file_that_was_converted_to_utf_8_gets_its_lines_back_in_utf_8() {
    let edits = [("Müller, Zürich\n", ""), ("Müller, Zürich", "Mueller, Zuerich"), ("Müller", "Meier"), ("103", "1ö3")];
    for encoding in ["latin1", "utf-16le"] {
        for (old, new) in edits {
            let repo = TestRepo::with_files(&[("f", "")]);
            repo.write("f", in_encoding(TEXT, encoding));
            repo.commit_all("first");
            let id = repo
                .apply(json!({"path": "f", "encoding": encoding, "edits": [{"old_string": old, "new_string": new}]}));
            let edited = TEXT.replace(old, new);
            assert_eq!(std::fs::read(repo.root().join("f")).expect("reads"), in_encoding(&edited, encoding));
            repo.write("f", edited.as_bytes());
            repo.done(&["undo", &id], "");
            assert_eq!(repo.text("f"), TEXT, "{encoding} {old}");
            repo.done(&["redo"], "");
            assert_eq!(repo.text("f"), edited, "{encoding} {old}");
        }
    }
}

#[test]
fn a_file_that_was_converted_from_utf_8_gets_no_bytes_of_it() {
    let repo = TestRepo::with_files(&[("f", TEXT)]);
    repo.edit("f", "Müller, Zürich\n", "");
    let plain = repo.edit("f", "102", "2");
    repo.write("f", in_encoding(&repo.text("f"), "latin1"));
    let now = std::fs::read(repo.root().join("f")).expect("reads");
    repo.done(&["undo", &plain], "");
    assert_eq!(repo.refused(&["undo"], ""), "undo_conflict");
    let text: String = now.iter().map(|byte| char::from(*byte)).collect();
    let want = in_encoding(&text.replace("2\n103", "102\n103"), "latin1");
    assert_eq!(std::fs::read(repo.root().join("f")).expect("reads"), want);
}

/// Seen: a line with the other ending stood among those of the file.
#[test]
fn a_file_whose_line_endings_were_changed_gets_no_line_with_the_old_ones() {
    let lines = "101\n102\n103\n104\n105\n";
    let other = |text: &str| if text.contains('\r') { text.replace('\r', "") } else { text.replace('\n', "\r\n") };
    for text in [lines.to_owned(), lines.replace('\n', "\r\n")] {
        let ending = if text.contains('\r') { "\r\n" } else { "\n" };
        for (old, new) in [("102", "102|new"), ("102|103", "102")] {
            let [old, new] = [old, new].map(|part| part.replace('|', ending) + ending);
            let repo = TestRepo::with_files(&[("f", &text)]);
            let id = repo.edit("f", &old, &new);
            let edited = repo.text("f");
            for command in ["undo", "redo"] {
                let was = repo.text("f");
                repo.write("f", other(&was));
                let done = repo.redraft(&[command, &id], "").status == 0;
                let kinds = |text: &str| (text.matches('\n').count(), text.matches("\r\n").count());
                let now = repo.text("f");
                let (all, long) = kinds(&now);
                assert!(long == 0 || long == all, "{command} {old:?}: {now:?}");
                assert!(done || now == other(&was));
                repo.write("f", if command == "undo" { &edited } else { &was });
                if command == "undo" && !done {
                    repo.done(&["undo", &id], "");
                }
            }
        }
    }
}

/// Seen: a command that checked out another branch and edited a file there, in a tree with CRLF, was recorded as if it had changed all
/// line ends; undo wrote the file with LF.
#[test]
fn undo_of_an_edit_behind_a_checkout_leaves_the_line_ends_as_git_checked_them_out() {
    for setting in ["core.autocrlf=true", "* text=auto eol=crlf", "f text eol=crlf ident"] {
        let repo = TestRepo::with_files(&[]);
        match setting.split_once('=').filter(|_| setting.starts_with("core")) {
            Some((key, value)) => drop(repo.git(&["config", key, value])),
            None => repo.write(".git/info/attributes", format!("{setting}\n")),
        }
        repo.write("f", "a\r\n$Id$\r\nc\r\n");
        repo.commit_all("first");
        repo.git(&["checkout", "-q", "-b", "other"]);
        repo.write("f", "a\r\n$Id$\r\nother\r\nc\r\n");
        repo.commit_all("second");
        repo.git(&["checkout", "-q", "main"]);
        repo.redraft(&["run", "--", "sh", "-c", "git checkout -q other; printf 'agent\\r\\n' >> f"], "");
        let record = &repo.redraft(&["log", "--json"], "").lines()[0];
        assert_eq!(record["files"][0]["lines_added"], 1, "{setting} {record}");
        repo.done(&["undo"], "");
        repo.git(&["checkout", "-q", "other"]);
        let text = repo.text("f");
        repo.git(&["rm", "-q", "--cached", "f"]);
        repo.git(&["reset", "-q", "--hard"]);
        assert_eq!(text, repo.text("f"), "{setting}");
        assert_eq!(text.matches("\r\n").count(), 4, "{setting}");
    }
}

/// A line that comes back would have another ending than all others.
#[test]
fn a_line_does_not_come_back_into_a_file_of_which_all_line_endings_were_converted() {
    let text = "one\r\ntwo\r\nthree\r\nfour\r\nfive\r\n";
    for encoding in ["utf-8", "utf-16le"] {
        let repo = TestRepo::with_files(&[("z", "")]);
        repo.write("f", in_encoding(text, encoding));
        repo.commit_all("first");
        let id = repo.edit("f", "three\n", "");
        let converted = in_encoding("one\ntwo\nfour\nfive\n", encoding);
        repo.write("f", &converted);
        assert_eq!(repo.refused(&["undo", &id], ""), "undo_conflict", "{encoding}");
        assert_eq!(repo.read("f"), converted);
    }
}

/// Seen: refused, as its bytes are not all of its encoding, though each alone went, and nobody touched the file since.
#[test]
fn edits_that_broke_a_utf_16_file_are_taken_back_at_once() {
    let old = in_encoding("one\ntwo\nthree\nfour\n", "utf-16le");
    let old = [&b"\xff\xfe"[..], &old].concat();
    let repo = TestRepo::with_files(&[("x", "x\n")]);
    repo.write("f", &old);
    repo.git(&["add", "f"]);
    repo.git(&["commit", "-qm", "UTF-16"]);
    for script in ["sed -i 1axx f", "echo xx >> f", "sed -i 1d f"] {
        assert_eq!(repo.redraft(&["run", "-q", "--session", "s", "--", "sh", "-c", script], "").status, 0, "{script}");
    }
    repo.done(&["undo", "--session", "s"], "");
    assert_eq!(repo.read("f"), old);
}

/// Seen: a deleted first line came back before the mark, and a mark that an edit had dropped in the middle of the text, or a second time.
#[test]
fn a_byte_order_mark_comes_to_stand_nowhere_but_at_the_start() {
    let (mark, text) = ("\u{feff}", "one\ntwo\nthree\n");
    let marked = |text: &str| format!("{mark}{text}");
    let refused = |repo: &TestRepo, id: &str| {
        let before = repo.text("f");
        assert_eq!(repo.refused(&["undo", id], ""), "undo_conflict");
        assert_eq!(repo.text("f"), before);
    };
    let repo = TestRepo::with_files(&[("f", text)]);
    let id = repo.edit("f", "one\n", "");
    repo.write("f", marked(&repo.text("f")));
    refused(&repo, &id);
    let whole = |repo: &TestRepo, text: &str| repo.apply(json!({"path": "f", "content": text, "overwrite": true}));
    let repo = TestRepo::with_files(&[("f", &marked(text))]);
    let id = whole(&repo, text);
    repo.edit("f", "one", "head\none");
    refused(&repo, &id);
    let repo = TestRepo::with_files(&[("f", &marked(text))]);
    let id = whole(&repo, "one\ntwo\nTHREE\n");
    repo.write("f", marked(&format!("head\n{}", repo.text("f"))));
    refused(&repo, &id);
}
