//! Refusals for a model: short, whatever was asked, and of what is cut in them that is said.

use crate::support::answer::says_what_to_do;
use crate::support::{Dice, TestRepo};
use serde_json::{Value, json};

/// Bytes of a brief refusal.
const MOST: usize = 1_600;

/// The text of a brief refusal of a request, which keeps to what all of them keep to.
#[track_caller]
fn refused(repo: &TestRepo, request: &Value) -> String {
    refused_by(repo, &["apply"], &request.to_string())
}

#[track_caller]
fn refused_by(repo: &TestRepo, args: &[&str], input: &str) -> String {
    let answer = repo.redraft(&[args, &["--answer", "brief"]].concat(), input);
    assert!(answer.out.len() <= MOST, "{} bytes: {}", answer.out.len(), answer.out);
    let value = answer.json();
    assert_eq!(value["status"], "error", "{}", answer.out);
    assert!(value["data"]["reason"].is_string() && value["error"]["code"].is_string(), "{}", answer.out);
    let text = value["text"].as_str().expect("a text").to_owned();
    let first = text.lines().next().unwrap_or_default();
    assert!(says_what_to_do(first), "no next step in {first:?}");
    assert!(!first.ends_with("..."), "a message that is cut at its end: {first:?}");
    text
}

/// Asserts that no line of a text is the beginning of a longer one of the file, as if that ended there.
#[track_caller]
fn no_line_is_cut_unseen(text: &str, file: &str) {
    for line in text.lines().filter(|line| line.len() > 20) {
        let is_cut = |whole: &str| whole != line && whole.starts_with(line);
        assert!(!file.lines().any(is_cut) || file.lines().any(|whole| whole == line), "cut: {line:?}\n{text}");
    }
}

/// The text that is to be sent, where a text offers one: it stands behind a line that ends in a colon.
fn offered(text: &str) -> Option<&str> {
    let heads = ["send only it, with what it becomes:\n", "send only these as old_string, with what they become:\n"];
    let (_, rest) = heads.iter().find_map(|head| text.split_once(head))?;
    Some(rest.split_once("\nwhat differs").map_or(rest, |(shown, _)| shown))
}

fn edit(path: &str, old: &str, new: &str) -> Value {
    json!({"path": path, "old_string": old, "new_string": new})
}

fn long_line(word: &str) -> String {
    (0..1_400).map(|n| format!("{word}{n} ")).collect()
}

#[test]
fn of_a_long_line_the_part_is_offered_that_the_edit_changes() {
    let file = format!("first();\n{}\nshort();\n{}\n", long_line("word"), long_line("other"));
    let repo = TestRepo::with_files(&[("a.js", &file)]);
    let old = long_line("word").replace("word700 ", "word7OO ");
    let text = refused(&repo, &edit("a.js", &old, &old.replace("word20 ", "WORD ")));
    no_line_is_cut_unseen(&text, &file);
    let part = offered(&text).unwrap_or_else(|| panic!("{text}"));
    assert_eq!((file.matches(part).count(), part.contains("word20")), (1, true), "{text}");
    assert_eq!(repo.redraft(&["apply"], &edit("a.js", part, "WORD").to_string()).status, 0);
}

#[test]
fn of_long_lines_that_differ_the_difference_is_shown() {
    let file = format!("first();\n{}\nshort();\n", long_line("word"));
    let repo = TestRepo::with_files(&[("a.js", &file)]);
    let old = long_line("word").replace("word700 ", "word7OO ");
    for request in [edit("a.js", &old, "gone"), edit("a.js", &format!("{old}\nshort();\n"), "gone")] {
        let text = refused(&repo, &request);
        no_line_is_cut_unseen(&text, &file);
        assert!(text.contains("word7OO") && text.contains("word700"), "{text}");
        assert!(!text.contains("correct these lines"), "lines that are cut cannot be corrected: {text}");
    }
}

#[test]
fn a_part_of_a_long_line_has_its_nearest_text() {
    let file = format!("first();\n{}\nshort();\n", long_line("word"));
    let repo = TestRepo::with_files(&[("a.js", &file)]);
    let old = "word500 word501 word502 word5O3 word504 word505 word506";
    let text = refused(&repo, &edit("a.js", old, "gone"));
    no_line_is_cut_unseen(&text, &file);
    assert!(text.contains("\nword500 word501 word502 word503 word504 word505 word506\n"), "{text}");
}

#[test]
fn an_ambiguous_text_in_long_lines_is_shown_where_it_stands() {
    let line = long_line("w");
    let file: String = (0..8).map(|n| format!("{line}call(); end{n};\nx\n")).collect();
    let repo = TestRepo::with_files(&[("a.txt", &file)]);
    let text = refused(&repo, &edit("a.txt", "call();", "other();"));
    no_line_is_cut_unseen(&text, &file);
    for n in 0..5 {
        let send = format!("for line {}, send this as old_string:\ncall(); end{n}", 2 * n + 1);
        assert!(text.contains(&send), "{text}");
    }
}

#[test]
fn long_paths_leave_room_for_what_to_do() {
    let deep = vec!["component".repeat(20); 5].join("/");
    let near = [
        format!("{deep}/file.txt"),
        format!("{deep}/{}1.rs", "n".repeat(150)),
        format!("{deep}/{}2.rs", "n".repeat(150)),
    ];
    let files: Vec<(&str, &str)> = near.iter().map(|path| (path.as_str(), "x\n")).chain([("a.txt", "x\n")]).collect();
    let repo = TestRepo::with_files(&files);
    let text = refused(&repo, &edit(&format!("{deep}/File.txt"), "x", "y"));
    assert!(text.contains(&format!("\n`{}`", near[0])), "the nearest path in full: {text}");
    let text = refused(&repo, &edit(&format!("src/{}3.rs", "n".repeat(150)), "x", "y"));
    assert!(text.contains("did you mean one of the paths below?"), "{text}");
    let several = |path: &str, old: &str| json!({"files": [edit("a.txt", "x", "y"), edit(path, old, "y")]});
    for request in [
        several(&format!("{deep}/other/none.txt"), "x"),
        several(&near[0], "z"),
        edit(&"x".repeat(5_000), "x", "y"),
        json!({"path": near[0], "content": "x"}),
    ] {
        refused(&repo, &request);
    }
    refused_by(&repo, &["read", &format!("{deep}/other/none.txt")], "");
    refused_by(&repo, &["undo", &"k".repeat(3_000)], "");
}

#[test]
fn many_mistakes_at_once_are_told_with_what_to_do() {
    let repo = TestRepo::with_files(&[("a.txt", "x\n")]);
    let with = |fields: Vec<(String, Value)>| {
        let mut request = edit("a.txt", "x", "y");
        request.as_object_mut().expect("an object").extend(fields);
        request
    };
    let text = refused(&repo, &with((0..200).map(|n| (format!("unknown_field_number_{n}"), json!(n))).collect()));
    assert!(text.contains("the fields of a request: path"), "{text}");
    let text = refused(&repo, &with(vec![("f".repeat(4_000), json!(1)), ("\"".repeat(900), json!(2))]));
    assert!(!text.contains("``"), "{text}");
    refused(&repo, &json!({"path": ["x".repeat(3_000)], "old_string": "x", "new_string": "y"}));
    refused(&repo, &with(vec![("mode".into(), json!("m".repeat(3_000)))]));
    let rest = format!("y\n// ... rest of the code {} ...", "q".repeat(3_000));
    refused(&repo, &edit("a.txt", "x", &rest));
    refused_by(&repo, &["apply"], &format!("{{\"path\": \"{}\",}}", "x".repeat(5_000)));
}

#[test]
fn an_undo_that_does_not_fit_says_what_stands_there() {
    let paths: Vec<String> = (0..12).map(|n| format!("{}/d{n}/a.txt", "folder".repeat(20))).collect();
    let before = "one\ntwo\nthree\nfour\nfive\n";
    let repo = TestRepo::with_files(&paths.iter().map(|path| (path.as_str(), before)).collect::<Vec<_>>());
    let edits = json!([{"old_string": "two", "new_string": "2"}, {"old_string": "four", "new_string": "4"}]);
    let files: Vec<Value> = paths.iter().map(|path| json!({"path": path, "edits": edits})).collect();
    repo.apply(json!({ "files": files }));
    for path in &paths {
        repo.write(path, format!("one\n2 \"changed\"\tsince\nthree\n4 {}\nfive\n", "\"y\t".repeat(900)));
    }
    let text = refused_by(&repo, &["undo"], "");
    assert!(text.contains("\n2 \"changed\"\tsince\n"), "{text}");
    no_line_is_cut_unseen(&text, &repo.text(&paths[0]));
}

#[test]
fn what_a_program_printed_does_not_make_a_refusal_long() {
    let repo = TestRepo::with_files(&[("a.txt", "x\n")]);
    for print in [
        "seq 3000",
        "head -c 9000 /dev/zero | tr '\\0' '\"'",
        "printf '\\001\\377%.0s' $(seq 2000)",
        "printf 'é%.0s' $(seq 2000)",
    ] {
        let verify = format!("{print}; exit 1");
        refused_by(&repo, &["apply", "--verify", &verify], &edit("a.txt", "x", "y").to_string());
    }
}

/// A line of many kinds: code, prose without blanks, quotes that JSON escapes, one that is very long.
fn any_line(dice: &mut Dice) -> String {
    let n = dice.roll(1_000);
    match dice.roll(9) {
        0 => format!("    let value_{n} = compute({n}, \"{n}\");"),
        1 => format!("　　这是第{n}行，内容是一些文字和标点符号。「{n}」再写一些内容，让这一行变得很长很长。"),
        2 => format!("\t\"key_{n}\": [\"\\\\d+\\t\", \"{n}\\\"\"],"),
        3 => "}".to_owned(),
        4 => String::new(),
        5 => format!("{}call({n}); ", "token ".repeat(dice.roll(400))),
        6 => format!("x{}", (0..dice.roll(2_500)).map(|n| char::from(b'a' + (n % 26) as u8)).collect::<String>()),
        7 => format!("// comment {n} \u{1b}[31m \u{c} é \u{a0} \u{202e}"),
        _ => format!("{}fn f{n}() {{", " ".repeat(dice.roll(12))),
    }
}

/// The text as a model may misremember it.
fn drifted(text: &str, dice: &mut Dice) -> String {
    match dice.roll(7) {
        0 => text.replace("    ", "\t"),
        1 => text.replace(|c: char| c.is_ascii_digit(), "7"),
        2 => text.replace('。', ".").replace('　', " "),
        3 => text.replace('"', "\\\""),
        4 => text.lines().map(|line| format!("  {}\n", line.trim())).collect(),
        5 => text.chars().map(|c| if dice.roll(60) == 0 { '#' } else { c }).collect(),
        _ => text.replace('e', "é"),
    }
}

#[test]
fn every_brief_refusal_is_short_whatever_drifted() {
    let mut dice = Dice(11);
    let repo = TestRepo::in_memory();
    let mut refusals = 0;
    for round in 0..60 {
        let lines: Vec<String> = (0..20 + dice.roll(60)).map(|_| any_line(&mut dice)).collect();
        let file = lines.join("\n") + "\n";
        let path = format!("{}f{round}.txt", "d/".repeat(dice.roll(60)));
        repo.write(&path, &file);
        let edits = (0..1 + dice.roll(20)).map(|_| {
            let start = dice.roll(lines.len());
            let end = (start + 1 + dice.roll(30)).min(lines.len());
            let old = drifted(&lines[start..end].join("\n"), &mut dice);
            let new = if dice.roll(2) == 0 { old.replacen('a', "A", 1) } else { "x".to_owned() };
            json!({"old_string": format!("{old} "), "new_string": new})
        });
        let mut request = json!({"path": path, "edits": edits.collect::<Vec<_>>()});
        request["match"] = json!(["exact", "fuzzy", "loose"][dice.roll(3)]);
        if dice.roll(3) == 0 {
            request = json!({"files": [request, edit("none", "x", "y")]});
        }
        let answer = repo.redraft(&["check", "--answer", "brief"], &request.to_string());
        if answer.status != 0 {
            refusals += 1;
            let text = refused_by(&repo, &["check"], &request.to_string());
            no_line_is_cut_unseen(&text, &file);
        }
    }
    assert!(refusals > 50, "{refusals}");
}

/// The text of a refusal in whole.
#[track_caller]
fn text_of(repo: &TestRepo, request: &Value, reason: &str) -> String {
    let answer = repo.redraft(&["apply"], &request.to_string()).json();
    assert_eq!(answer["data"]["reason"], reason, "{answer:#}");
    answer["text"].as_str().expect("a text").to_owned()
}

#[test]
fn in_sequence_the_edit_is_named_that_took_the_place_of_another() {
    let repo = TestRepo::with_files(&[("a.rs", "zero();\none();\ntwo();\n")]);
    let edits = json!([
        {"old_string": "zero", "new_string": "null"},
        {"old_string": "one();\ntwo();", "new_string": "uno();\ntwo();"},
        {"old_string": "one();", "new_string": "1();"}
    ]);
    let text = text_of(&repo, &json!({"path": "a.rs", "edits": edits, "mode": "sequence"}), "no_match");
    assert!(text.starts_with("edit 2: old_string does not occur any more: edit 1 of this request changed"), "{text}");
    assert!(text.contains("\nas the edits up to 1 leave the file:\nline 2:\nuno();"), "{text}");
    let claude = json!({"file_path": repo.root().join("a.rs").to_str(), "edits": edits}).to_string();
    let native = repo.redraft(&["apply", "--answer", "native"], &claude).out;
    assert!(native.contains("edit 1 of this request changed") && native.contains("uno();"), "{native}");
    let created = json!({"file_path": repo.root().join("new.rs").to_str(), "edits": [
        {"old_string": "", "new_string": "one();\n"},
        {"old_string": "one();", "new_string": "uno();"},
        {"old_string": "one();", "new_string": "1();"}
    ]});
    let text = text_of(&repo, &created, "no_match");
    assert!(text.starts_with("edit 2: ") && text.contains("edit 1 of this request changed"), "{text}");
    assert!(!repo.has("new.rs") && repo.text("a.rs") == "zero();\none();\ntwo();\n");
}

#[test]
fn in_sequence_the_edit_is_named_that_wrote_the_text_once_more() {
    let repo = TestRepo::with_files(&[("a.rs", "zero();\none();\n")]);
    let edits = json!([{"old_string": "zero", "new_string": "one"}, {"old_string": "one();", "new_string": "1();"}]);
    let text = text_of(&repo, &json!({"path": "a.rs", "edits": edits, "mode": "sequence"}), "ambiguous");
    assert!(text.contains("edit 0 of this request wrote it once more"), "{text}");
}

#[test]
fn characters_that_look_alike_are_told_apart_by_their_code_points() {
    let repo = TestRepo::with_files(&[(
        "a.txt",
        "caf\u{e9} one\nit\u{2019}s two\nno\u{a0}break\nsc\u{43e}pe four\nzero\u{200b}width\n",
    )]);
    for (old, sent, found) in [
        ("cafe\u{301} one", "cafe\u{301}<U+0301> one", "caf\u{e9}<U+00E9> one"),
        ("it's two", "-it's two", "it\u{2019}<U+2019>s two"),
        ("no break", "-no break", "no<U+00A0>break"),
        ("scope four", "-scope four", "sc\u{43e}<U+043E>pe four"),
        ("zerowidth", "-zerowidth", "zero<U+200B>width"),
    ] {
        let text = text_of(&repo, &edit("a.txt", old, "x"), "no_match");
        assert!(text.contains(sent) && text.contains(found), "{text}");
    }
}

#[test]
fn control_characters_in_a_text_to_be_sent_are_explained() {
    let repo = TestRepo::with_files(&[("a.c", "int one;\n\u{c}\nint two = 2;\u{b}\n")]);
    let text = text_of(&repo, &edit("a.c", "int two = 2; ", "x"), "no_match");
    assert!(text.contains("\\u{b} is the character U+000B itself"), "{text}");
}

#[test]
fn what_git_said_stands_in_the_text() {
    let repo = TestRepo::with_files(&[("a.txt", "x\n")]);
    repo.edit("a.txt", "x", "y");
    let answer = repo.redraft(&["sync", "./nowhere"], "");
    assert_ne!(answer.status, 0);
    let lines: Vec<&str> = answer.err.lines().collect();
    assert!(lines[0].contains("failed; ") && lines.len() > 1, "{}", answer.err);
    assert!(answer.err.contains("nowhere") && answer.err.contains("fatal: "), "{}", answer.err);
}

#[test]
fn a_file_that_is_new_as_a_whole_counts_as_a_whole() {
    let repo = TestRepo::with_files(&[("a.txt", "x\n")]);
    let answer = repo.done(&["apply"], &json!({"path": "b.txt", "content": "line\n".repeat(300)}).to_string());
    assert_eq!((&answer["stats"]["lines_added"], &answer["stats"]["lines_removed"]), (&json!(300), &json!(0)));
}
