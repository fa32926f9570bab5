//! Formats of other tools, through the binary: against `git apply`, and what they have beside edits.

use crate::support::{Dice, TestRepo};
use serde_json::json;

/// A text of lines of which many are equal.
fn text(dice: &mut Dice, lines: usize) -> Vec<String> {
    (0..lines).map(|_| format!("line {}", dice.roll(9))).collect()
}

/// Some lines changed, added and taken away.
fn changed(dice: &mut Dice, lines: &[String]) -> Vec<String> {
    let mut new = lines.to_vec();
    for _ in 0..1 + dice.roll(2) {
        let at = dice.roll(new.len().max(1));
        match dice.roll(3) {
            0 if !new.is_empty() => drop(new.remove(at)),
            1 if !new.is_empty() => new[at] = format!("new {}", dice.roll(99)),
            _ => new.insert(at.min(new.len()), format!("more {}", dice.roll(99))),
        }
    }
    new
}

fn joined(lines: &[String], end: &str, last: &str) -> String {
    if lines.is_empty() { String::new() } else { lines.join(end) + last }
}

/// The heads of hunks with other numbers.
fn shifted(dice: &mut Dice, patch: &str) -> String {
    let mut out = String::new();
    for line in patch.split_inclusive('\n') {
        let numbers: Option<(usize, &str)> = line.strip_prefix("@@ -").and_then(|rest| {
            let end = rest.find([',', ' '])?;
            Some((rest[..end].parse().ok()?, &rest[end..]))
        });
        match numbers {
            Some((start, rest)) if start > 1 => {
                let (old, new) = rest.split_once(" +").expect("two sides");
                let end = new.find([',', ' ']).expect("an end");
                let after: usize = new[..end].parse().expect("a number");
                let by = dice.roll(9);
                out.push_str(&format!("@@ -{}{old} +{}{}", start + by, after + by, &new[end..]));
            }
            _ => out.push_str(line),
        }
    }
    out
}

#[test]
fn a_diff_makes_what_git_apply_makes_or_is_refused_where_git_refuses_it() {
    let (mut same, mut refused) = (0, 0);
    for seed in 0..80 {
        let mut dice = Dice(seed);
        let count = 3 + dice.roll(30);
        let old = text(&mut dice, count);
        let new = changed(&mut dice, &old);
        let end = ["\n", "\r\n"][dice.roll(2)];
        let last = [end, ""][dice.roll(2)];
        let repo = TestRepo::with_files(&[("a", &joined(&old, end, last)), ("b", "b\n")]);
        let last = [end, ""][dice.roll(2)];
        repo.write("a", joined(&new, end, last));
        let patch = repo.git(&["diff", "--no-color"]);
        if patch.is_empty() {
            continue;
        }
        // The file that it meets has perhaps other lines before the hunks, or among them.
        let met = if dice.roll(3) > 0 { old.clone() } else { changed(&mut dice, &old) };
        let met = joined(&met, end, last);
        let patch = if dice.roll(2) == 0 { patch } else { shifted(&mut dice, &patch) };
        repo.write("a", &met);
        repo.write("../patch", &patch);
        let is_git = repo.shell("git apply ../patch 2>/dev/null").success();
        let want = repo.read("a");
        repo.write("a", &met);
        let answer = repo.redraft(&["apply", "--dialect", "unified-diff"], &patch);
        assert_eq!(answer.status == 0, is_git, "{seed}: {}\n{patch}\n{met:?}", answer.out);
        assert_eq!(repo.read("a"), want, "{seed}: {patch}\n{met:?}");
        if is_git { same += 1 } else { refused += 1 }
    }
    assert!(same > 20 && refused > 5, "{same} {refused}");
}

/// A patch of codex's format, with so many lines of context.
fn section(path: &str, old: &[String], new: &[String], context: usize) -> String {
    let mut out = format!("*** Update File: {path}\n");
    let ops = similar::capture_diff_slices(similar::Algorithm::Myers, old, new);
    for group in similar::group_diff_ops(ops, context) {
        out.push_str("@@\n");
        for op in &group {
            let lines =
                |sign: &str, lines: &[String]| lines.iter().map(|line| format!("{sign}{line}\n")).collect::<String>();
            match op.tag() {
                similar::DiffTag::Equal => out.push_str(&lines(" ", &old[op.old_range()])),
                _ => out.push_str(&(lines("-", &old[op.old_range()]) + &lines("+", &new[op.new_range()]))),
            }
        }
        if group.last().is_some_and(|op| op.old_range().end == old.len()) {
            out.push_str("*** End of File\n");
        }
    }
    out
}

#[test]
fn a_patch_makes_what_its_writer_meant_or_is_refused_as_ambiguous() {
    let repo = TestRepo::with_files(&[("keep", "k\n")]);
    let mut ambiguous = 0;
    for seed in 0..150 {
        let mut dice = Dice(seed);
        let (end, context) = (["\n", "\r\n"][dice.roll(2)], 1 + dice.roll(3));
        let (mut patch, mut wanted, mut before) = ("*** Begin Patch\n".to_owned(), Vec::new(), Vec::new());
        for path in ["a", "b"] {
            let count = 3 + dice.roll(12);
            let old: Vec<String> = (0..count).map(|_| ["x", "y", "", "  z"][dice.roll(4)].to_owned()).collect();
            let new = changed(&mut dice, &old);
            let last = if old.iter().chain(&new).any(String::is_empty) { end } else { [end, ""][dice.roll(2)] };
            repo.write(path, joined(&old, end, last));
            before.push(joined(&old, end, last));
            wanted.push(joined(&new, end, last));
            patch += &if new == old { String::new() } else { section(path, &old, &new, context) };
        }
        patch += "*** End Patch\n";
        let answer = repo.redraft(&["apply", "--dialect", "apply-patch"], &patch);
        let found = [repo.text("a"), repo.text("b")];
        if answer.status == 0 {
            assert_eq!(found, wanted[..], "{seed}: {patch}\n{before:?}");
            repo.done(&["undo"], "");
            assert_eq!([repo.text("a"), repo.text("b")], before[..], "{seed}: {patch}");
        } else {
            assert_eq!(answer.json()["data"]["reason"], "ambiguous", "{seed}: {patch}\n{before:?}");
            assert_eq!(found, before[..], "{seed}: {patch}");
            ambiguous += 1;
        }
    }
    assert!(ambiguous < 75, "{ambiguous}");
}

#[test]
fn edits_by_line_numbers_in_any_order_make_what_they_say() {
    let repo = TestRepo::with_files(&[("keep", "k\n")]);
    for seed in 0..120 {
        let mut dice = Dice(seed);
        let (end, count) = (["\n", "\r\n"][dice.roll(2)], 2 + dice.roll(12));
        let old: Vec<String> = (0..count).map(|_| ["x", "y", "", "  z"][dice.roll(4)].to_owned()).collect();
        repo.write("a", joined(&old, end, end));
        let (mut new, mut ops, mut at) = (Vec::new(), Vec::new(), 0);
        while at < count {
            let last = (at + 1 + dice.roll(3)).min(count);
            match dice.roll(8) {
                0 => {
                    ops.push(json!({"replace": [at + 1, last], "text": "new\nlines\n"}));
                    new.extend(["new".to_owned(), "lines".to_owned()]);
                    at = last;
                }
                1 => {
                    ops.push(json!({"delete": [at + 1, last]}));
                    at = last;
                }
                2 => {
                    new.extend([old[at].clone(), "put in".to_owned()]);
                    at += 1;
                    ops.push(json!({"insert_after": at, "text": "put in\n"}));
                }
                _ => {
                    new.push(old[at].clone());
                    at += 1;
                }
            }
        }
        for n in (1..ops.len()).rev() {
            ops.swap(n, dice.roll(n + 1));
        }
        if ops.is_empty() {
            continue;
        }
        let tag = repo.done(&["read", "a"], "")["data"]["tag"].clone();
        let request = json!({"path": "a", "fingerprint": tag, "ops": ops}).to_string();
        repo.done(&["apply"], &request);
        assert_eq!(repo.text("a"), joined(&new, end, end), "{seed}: {request} {old:?}");
        repo.done(&["undo"], "");
        assert_eq!(repo.text("a"), joined(&old, end, end), "{seed}: {request}");
    }
}

#[test]
fn blocks_make_what_they_say_or_are_refused_also_of_lines_like_marks() {
    const LINES: [&str; 8] = ["x", "y", "", "  z", "=====", "<<<<<", "======", ">>>>>"];
    let repo = TestRepo::with_files(&[("keep", "k\n")]);
    let mut done = 0;
    for seed in 0..150 {
        let mut dice = Dice(seed);
        let count = 2 + dice.roll(12);
        let line = |dice: &mut Dice| LINES[dice.roll(LINES.len())].to_owned();
        let old: Vec<String> = (0..count).map(|_| line(&mut dice)).collect();
        let old_text = joined(&old, "\n", "\n");
        repo.write("a.txt", &old_text);
        let marks = [("<<<<<<< SEARCH", ">>>>>>> REPLACE"), ("------- SEARCH", "+++++++ REPLACE")][dice.roll(2)];
        let (mut new, mut blocks, mut at) = (Vec::new(), Vec::new(), 0);
        while at < count {
            let last = (at + 1 + dice.roll(3)).min(count);
            let made: Vec<String> = (0..dice.roll(3)).map(|_| line(&mut dice)).collect();
            let is_sought = old[at..last].iter().any(|line| !line.is_empty()) && made != old[at..last];
            if dice.roll(4) == 0 && is_sought {
                let text = |lines: &[String]| lines.iter().map(|line| format!("{line}\n")).collect::<String>();
                blocks.push(format!("{}\n{}=======\n{}{}\n", marks.0, text(&old[at..last]), text(&made), marks.1));
                new.extend(made);
                at = last;
            } else {
                new.push(old[at].clone());
                at += 1;
            }
        }
        for n in (1..blocks.len()).rev() {
            blocks.swap(n, dice.roll(n + 1));
        }
        if blocks.is_empty() {
            continue;
        }
        let request = format!("a.txt\n{}", blocks.concat());
        let answer = repo.redraft(&["apply", "--dialect", "search-replace", "--match", "exact"], &request);
        if answer.status == 0 {
            assert_eq!(
                repo.text("a.txt"),
                joined(&new, "\n", if new.is_empty() { "" } else { "\n" }),
                "{seed}: {request}\n{old:?}"
            );
            done += 1;
        } else {
            assert_eq!(answer.json()["data"]["reason"], "ambiguous", "{seed}: {request}\n{old:?}");
            assert_eq!(repo.text("a.txt"), old_text, "{seed}: {request}");
        }
    }
    assert!(done > 40, "{done}");
}

#[test]
fn several_dividers_of_one_length_are_refused_unless_all_but_one_are_escaped() {
    let repo = TestRepo::with_files(&[("a.rst", "Title\n=======\ntext\n")]);
    let block =
        |divider: &str| format!("a.rst\n<<<<<<< SEARCH\nTitle\n{divider}\n=======\nHead\n{divider}\n>>>>>>> REPLACE\n");
    assert_eq!(repo.refused(&["apply"], &block("=======")), "bad_syntax");
    repo.done(&["apply"], &block("\\======="));
    assert_eq!(repo.text("a.rst"), "Head\n=======\ntext\n");
}

#[test]
fn a_diff_without_prefixes_is_about_the_folder_that_looks_like_one() {
    let repo = TestRepo::with_files(&[("f.py", "one\n"), ("b/f.py", "one\n")]);
    repo.done(&["apply"], "--- b/f.py\n+++ b/f.py\n@@ -1 +1 @@\n-one\n+1\n");
    assert_eq!((repo.text("f.py"), repo.text("b/f.py")), ("one\n".into(), "1\n".into()));
    repo.done(&["apply"], "--- a/f.py\n+++ b/f.py\n@@ -1 +1 @@\n-one\n+1\n");
    assert_eq!(repo.text("f.py"), "1\n");
}

#[test]
fn a_call_of_another_program_is_no_patch_and_a_shells_words_are_no_names() {
    let repo = TestRepo::with_files(&[("a", "x\n")]);
    let patch = "*** Begin Patch\n*** Add File: new\n+x\n*** End Patch\n";
    for words in
        [json!(["rm", "-rf", patch]), json!(["git", "commit", "-m", patch]), json!(["apply_patch", patch, patch])]
    {
        for request in [words.clone(), json!({ "command": words })] {
            assert_ne!(repo.redraft(&["apply"], &request.to_string()).status, 0, "{request}");
        }
    }
    for dir in ["$HOME", "~", "$(pwd)", "d*", "-- d", "'a'\"b\""] {
        let script = format!("cd {dir} && apply_patch <<'EOF'\n{patch}EOF\n");
        assert_ne!(repo.redraft(&["apply", "--dialect", "apply-patch"], &script).status, 0, "{script}");
    }
    assert_eq!(repo.git(&["status", "--porcelain"]), "");
    repo.done(&["apply"], &json!(["bash", "-lc", format!("apply_patch <<'EOF'\n{patch}EOF\n")]).to_string());
    assert_eq!(repo.text("new"), "x\n");
}

#[test]
fn lines_that_are_added_at_the_end_of_the_file_go_there() {
    let repo = TestRepo::with_files(&[("a", "head\nx\n")]);
    repo.done(&["apply"], "*** Begin Patch\n*** Update File: a\n@@ head\n+new\n*** End of File\n*** End Patch\n");
    assert_eq!(repo.text("a"), "head\nx\nnew\n");
}

#[test]
fn a_missing_last_newline_stays_missing_where_the_last_line_stands_elsewhere_too() {
    let repo = TestRepo::with_files(&[("a", "b\nc\nb")]);
    let patch = "*** Begin Patch\n*** Update File: a\n@@\n-c\n@@\n b\n+d\n*** End Patch\n";
    repo.done(&["apply"], patch);
    assert_eq!(repo.text("a"), "b\nb\nd");
}

#[test]
fn a_blank_line_behind_lines_that_are_only_added_is_where_they_go() {
    let repo = TestRepo::with_files(&[("a", "x\n\ny\n")]);
    repo.done(&["apply"], "*** Begin Patch\n*** Update File: a\n@@\n+new\n\n*** End Patch\n");
    assert_eq!(repo.text("a"), "x\nnew\n\ny\n");
}

#[test]
fn a_diff_with_modes_is_applied_with_them() {
    let repo = TestRepo::with_files(&[("run", "echo\n"), ("gone", "x\n")]);
    repo.shell("chmod +x run; printf 'echo 2\\n' > tool; chmod +x tool; rm gone; git add -A");
    let patch = repo.git(&["diff", "--cached", "--no-color"]);
    repo.git(&["reset", "-q", "--hard"]);
    repo.done(&["apply"], &patch);
    repo.git(&["add", "-A"]);
    assert_eq!(repo.git(&["diff", "--cached", "--no-color"]), patch);
    repo.done(&["undo"], "");
    repo.git(&["add", "-A"]);
    assert_eq!(repo.git(&["diff", "--cached", "--no-color"]), "");
}

#[test]
fn the_text_editor_views_and_undoes() {
    let repo = TestRepo::with_files(&[("a.txt", "one\ntwo\nthree\n"), ("b.txt", "b\n")]);
    let call = |value: serde_json::Value| {
        let answer = repo.redraft(&["apply", "--answer", "native"], &value.to_string());
        (answer.status, answer.out)
    };
    let edit = json!({"command": "str_replace", "path": "a.txt", "old_str": "two", "new_str": "2"});
    assert_eq!(call(edit).0, 0);
    repo.edit("b.txt", "b", "B");
    repo.write("a.txt", "one\n2\nthree\nby the user\n");
    let view = json!({"command": "view", "path": "a.txt", "view_range": [2, 3]});
    assert_eq!(call(view), (0, "2\nthree\n".to_owned()));
    let view = json!({"command": "view", "path": repo.root().join("a.txt").display().to_string()});
    assert_eq!(call(view).1, "one\n2\nthree\nby the user\n");
    // The newest edit of this file, and what came later stays.
    let undo = json!({"command": "undo_edit", "path": "a.txt"});
    assert_eq!(call(undo.clone()).0, 0);
    assert_eq!((repo.text("a.txt"), repo.text("b.txt")), ("one\ntwo\nthree\nby the user\n".into(), "B\n".into()));
    let (status, said) = call(undo);
    assert!(status != 0 && said.contains("nothing to undo"), "{said}");
}

#[test]
fn numbers_of_lines_are_those_of_the_text_that_was_read() {
    let repo = TestRepo::with_files(&[("src/a.py", "def f():\n    return 1\nx\n")]);
    let read = repo.redraft(&["read", "src/a.py", "--fingerprint"], "").out;
    let (head, rest) = read.split_once('\n').expect("lines");
    assert_eq!(rest, "1:def f():\n2:    return 1\n3:x\n");
    let patch = format!("{head}\nPUT 2.=2:\n+    return 2\nPUT >$:\n+end\nCUT 3\n");
    repo.done(&["apply"], &patch);
    assert_eq!(repo.text("src/a.py"), "def f():\n    return 2\nend\n");
    // The tag is that of another text now.
    assert_eq!(repo.refused(&["apply"], &patch), "changed_since_read");
    let tag = repo.done(&["read", "src/a.py"], "")["data"]["tag"].as_str().expect("a tag").to_owned();
    repo.done(&["apply"], &format!("[src/a.py#{tag}]\nMV b.py\nPUT <1:\n+first\n"));
    assert_eq!((repo.text("b.py"), repo.has("src/a.py")), ("first\ndef f():\n    return 2\nend\n".into(), false));
}

#[test]
fn a_patch_of_many_megabytes_is_read_in_reasonable_time() {
    let repo = TestRepo::with_files(&[("a", "x\n")]);
    for raw in [
        format!("*** Begin Patch\n*** Update File: a\n{}", "@@ x\n".repeat(2_000_000)),
        format!("--- a/a\n+++ b/a\n{}", "@@ -1 +1 @@\n".repeat(500_000)),
        format!("a\n<<<<<<< SEARCH\n{}", "line\n".repeat(1_000_000)),
        "*** Begin Patch\n".to_owned() + &"\n".repeat(5_000_000),
    ] {
        assert_eq!(repo.refused(&["apply"], &raw), "bad_syntax");
    }
}
