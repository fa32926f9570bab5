//! Formats that are no JSON, their wrappers, and those that came with them.

use super::*;
use crate::request::{Edit, Last, Wish};

/// The edits of the first file: old and new text.
fn hunks(raw: &str) -> Vec<(String, String)> {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let request = parsed(raw, None);
    request.files[0].edits().iter().map(|edit| (text(edit.old()), text(edit.new_text()))).collect()
}

fn pair(old: &str, new: &str) -> (String, String) {
    (old.to_owned(), new.to_owned())
}

fn bad(raw: &str, dialect: Dialect, line: Option<u64>, part: &str) {
    let told = advice::request(&error(raw, Some(dialect)));
    assert_eq!(told.reason, Reason::BadSyntax, "{raw}: {}", told.message);
    assert!(told.message.contains(part), "{raw}: {}", told.message);
    assert_eq!(told.hint.get("line").and_then(Value::as_u64), line, "{raw}: {}", told.message);
}

const PATCH: &str =
    "*** Begin Patch\n*** Update File: a\n@@ class X\n@@   def y\n one\n-two\n+TWO\n*** End of File\n*** End Patch";

#[test]
fn a_patch_is_known_by_its_first_line_in_every_wrapper() {
    let call = |words: &[&str]| json!(words).to_string();
    let script = format!("cd 'sub dir' && apply_patch <<'EOF'\n{PATCH}\nEOF\n");
    let forms = [
        PATCH.to_owned(),
        format!("\n```\n{PATCH}\n```\n"),
        format!("<<'EOF'\n{PATCH}\nEOF"),
        format!("apply_patch <<EOF\n{PATCH}\nEOF"),
        json!(PATCH).to_string(),
        json!({"input": PATCH}).to_string(),
        json!({"patch": PATCH}).to_string(),
        json!({"patchText": PATCH}).to_string(),
        json!({"command": PATCH}).to_string(),
        json!({"command": ["apply_patch", PATCH]}).to_string(),
        call(&["apply_patch", PATCH]),
        call(&["bash", "-lc", &script]),
    ];
    for form in &forms {
        let request = parsed(form, None);
        assert_eq!(request.dialect, Dialect::ApplyPatch, "{form}");
        let edit = &request.files[0].edits()[0];
        assert_eq!((edit.old(), edit.new_text()), (&b"one\ntwo\n"[..], &b"one\nTWO\n"[..]), "{form}");
        let anchor = edit.anchor().expect("a hunk");
        assert_eq!(anchor.behind, [b"class X".to_vec(), b"  def y".to_vec()]);
        assert_eq!((anchor.last, anchor.in_order), (Last::Preferred, true));
    }
    assert_eq!(parsed(&forms[11], None).files[0].path.to_string_lossy(), "sub dir/a");
}

#[test]
fn the_parts_of_a_patch_are_files() {
    let raw = "*** Begin Patch\n*** Add File: new\n+a\n+\n*** Delete File: old\n*** Update File: x\n*** Move to: y\n*** Update File: z\n-1\n\n@@\n 2\n+3\n\n*** End Patch\n";
    let request = parsed(raw, None);
    let names: Vec<String> = request.files.iter().map(|file| file.path.to_string_lossy()).collect();
    assert_eq!(names, ["new", "old", "x", "z"]);
    assert!(matches!(&request.files[0].change, FileChange::Create { content, .. } if content == b"a\n\n"));
    assert!(matches!(request.files[1].change, FileChange::Delete));
    assert!(matches!(&request.files[2].change, FileChange::Rename { edits, .. } if edits.is_empty()));
    let edits: Vec<&[u8]> = request.files[3].edits().iter().map(Edit::old).collect();
    assert_eq!(edits, [&b"1\n"[..], b"2\n"]);
}

#[test]
fn two_parts_about_one_file_are_one_change() {
    let raw = "*** Begin Patch\n*** Update File: a\n-1\n+2\n*** Update File: a\n-3\n+4\n*** Delete File: b\n*** Add File: b\n+x\n*** End Patch";
    let request = parsed(raw, None);
    assert_eq!(request.files.len(), 2);
    let sections: Vec<usize> =
        request.files[0].edits().iter().filter_map(Edit::anchor).map(|anchor| anchor.section).collect();
    assert_eq!(sections, [0, 1]);
    assert!(matches!(request.files[1].change, FileChange::Create { overwrite: true, .. }));
    let raw = "*** Begin Patch\n*** Delete File: a\n*** Update File: a\n-1\n*** End Patch";
    assert_eq!(advice::request(&error(raw, None)).reason, Reason::SameFileTwice);
}

#[test]
fn a_line_that_should_not_be_there_is_told_by_its_number() {
    let patch = Dialect::ApplyPatch;
    bad("x", patch, Some(1), "*** Begin Patch");
    bad("*** Begin Patch\n*** Add File: a\n+x", patch, None, "*** End Patch");
    bad("*** Begin Patch\n*** End Patch", patch, Some(1), "changes a file");
    bad("*** Begin Patch\n*** Change File: a\n*** End Patch", patch, Some(2), "*** Update File");
    bad("*** Begin Patch\n*** Update File: a\n*** End Patch", patch, Some(2), "chunks");
    bad("*** Begin Patch\n*** Update File: a\n@@\nx\n*** End Patch", patch, Some(4), "starts with");
    bad("*** Begin Patch\n*** Update File: a\n-x\n*** End of File\n-y\n*** End Patch", patch, Some(5), "`@@`");
    bad("*** Begin Patch\n*** Delete File: a\n*** End Patch\nx", patch, Some(4), "nothing behind");
    let diff = Dialect::UnifiedDiff;
    bad("x", diff, Some(1), "--- OLD");
    bad("@@ -1 +1 @@\n-a\n+b\n", diff, Some(1), "before a hunk");
    bad("--- a/x\n+++ b/x\n@@ -1 +1 @@\nx\n", diff, Some(4), "starts with");
    bad("--- a/x\n+++ b/x\n@@ -1,x +1 @@\n-a\n", diff, Some(3), "START,COUNT");
    bad("--- a/x\n+++ b/x\n", diff, Some(1), "hunks");
    let blocks = Dialect::SearchReplace;
    bad("<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE", blocks, Some(1), "the path of the file");
    bad("a.x\n<<<<<<< SEARCH\nx\n", blocks, None, "=======");
    bad("a.x\n<<<<<<< SEARCH\nx\n=======\n", blocks, None, ">>>>>>> REPLACE");
    bad("a.x\n>>>>>>> REPLACE\n", blocks, Some(2), "before it");
    bad("[a#12AB]\nPUT 3:\nx\n", Dialect::Lines, Some(3), "begins with `+`");
    bad("[a#12AB]\nMOVE 3\n", Dialect::Lines, Some(2), "`PUT`");
}

#[test]
fn a_hunk_is_at_its_line_of_the_new_file_and_one_that_was_cut_off_is_refused() {
    let raw = |counts: &str, end: &str| format!("--- a/x\n+++ b/x\n@@ {counts} @@\n a\n-b\n+c{end}");
    for (counts, line) in [("-5,2 +7,2", 7), ("-1,2 +0,2", 1)] {
        let anchor = parsed(&raw(counts, "\n"), None).files[0].edits()[0].anchor().cloned().expect("a hunk");
        assert_eq!((anchor.line, anchor.is_first), (Some(line), line == 1), "{counts}");
    }
    for (counts, told) in
        [("-1,3 +1,3", "3 old and 3 new"), ("-1,2 +1,3", "2 old and 3 new"), ("-1,3 +1,2", "3 old and 2 new")]
    {
        bad(&raw(counts, ""), Dialect::UnifiedDiff, None, told);
        assert_eq!(hunks(&raw(counts, "\n")), [pair("a\nb\n", "a\nc\n")], "{counts}: miscounted, and whole");
    }
    assert_eq!(hunks(&raw("-1,1 +1,2", "")), [pair("a\nb\n", "a\nc\n")], "more lines than were told of");
}

#[test]
fn a_diff_of_git_has_names_modes_and_missing_newlines() {
    let raw = "From: someone\n\ndiff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@ fn f()\n a\n-b\n\\ No newline at end of file\n+c\n-- \n2.40\n";
    assert_eq!(hunks(raw), [pair("a\nb", "a\nc\n")]);
    let anchor = parsed(raw, None).files[0].edits()[0].anchor().cloned().expect("a hunk");
    assert_eq!((anchor.line, anchor.is_first, anchor.last), (Some(1), true, Last::UnlessNumberedAlone));
    let raw = "diff --git \"a/n\\303\\251\" \"b/n\\303\\251\"\nnew file mode 100644\nindex 0..1\n--- /dev/null\n+++ \"b/n\\303\\251\"\n@@ -0,0 +1 @@\n+x\n";
    let request = parsed(raw, None);
    assert_eq!(request.files[0].path.to_string_lossy(), "né");
    assert!(matches!(&request.files[0].change, FileChange::Create { content, .. } if content == b"x\n"));
    let raw = "diff --git a/x b/x\ndeleted file mode 100644\nindex 1..0\n--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n";
    let request = parsed(raw, None);
    assert!(matches!(request.files[0].change, FileChange::Delete));
    assert_eq!(request.files[0].expected.text.as_deref(), Some(&b"x\n"[..]));
    let raw = "diff --git a/x b/y\nsimilarity index 100%\nrename from x\nrename to y\n";
    assert!(matches!(&parsed(raw, None).files[0].change, FileChange::Rename { to, .. } if to.to_string_lossy() == "y"));
    for (raw, part) in [
        ("diff --git a/x b/x\nindex 1..2\nBinary files a/x and b/x differ\n", "binary"),
        ("diff --git a/x b/x\nnew file mode 120000\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+t\n", "symbolic link"),
    ] {
        let told = advice::request(&error(raw, None));
        assert_eq!(told.reason, Reason::UnsupportedFile, "{raw}");
        assert!(told.message.contains(part), "{}", told.message);
    }
}

#[test]
fn the_first_of_all_times_tells_a_file_that_is_not_there() {
    for time in
        ["1970-01-01 00:00:00.000000000 +0000", "1969-12-31 19:00:00.000000000 -0500", "1970-01-01 05:30:00 +0530"]
    {
        let request =
            parsed(&format!("--- old/x\t{time}\n+++ new/x\t2026-11-23 08:21:46 +0000\n@@ -0,0 +1 @@\n+a\n"), None);
        assert!(matches!(request.files[0].change, FileChange::Create { .. }), "{time}");
        assert_eq!(request.files[0].path.to_string_lossy(), "x");
        let request =
            parsed(&format!("--- old/x\t2026-11-23 08:21:46 +0000\n+++ new/x\t{time}\n@@ -1 +0,0 @@\n-a\n"), None);
        assert!(matches!(request.files[0].change, FileChange::Delete), "{time}");
    }
}

#[test]
fn a_diff_of_diff_has_times_and_two_folders() {
    for (old, new, want) in [
        ("old/src/x.c\t2020-01-01 00:00:00", "new/src/x.c\t2021", "src/x.c"),
        ("x.c.orig", "x.c", "x.c"),
        ("x.c", "x.c", "x.c"),
        ("src/x.c", "src/x.c", "src/x.c"),
        ("a/x.c", "b/x.c", "x.c"),
    ] {
        let request = parsed(&format!("--- {old}\n+++ {new}\n@@ -1 +1 @@\n-a\n+b\n"), None);
        assert_eq!(request.files[0].path.to_string_lossy(), want);
    }
}

#[test]
fn counts_that_are_wrong_are_counted_again_and_numbers_may_be_missing() {
    let head = "--- a/x\n+++ b/x\n";
    for hunk in ["@@ -1,9 +1,9 @@", "@@ -1 +1 @@", "@@ ... @@", "@@"] {
        assert_eq!(hunks(&format!("{head}{hunk}\n a\n-b\n+c\n\n d\n")), [pair("a\nb\n\nd\n", "a\nc\n\nd\n")], "{hunk}");
    }
    // What looks like the head of a file is a line that goes, where the counts say so.
    assert_eq!(hunks(&format!("{head}@@ -1,2 +1,2 @@\n--- x\n+++ y\n a\n")), [pair("-- x\na\n", "++ y\na\n")]);
    let raw = "```diff\n--- a/x\n+++ b/x\n@@ @@\n-a\n+b\n```\n";
    assert_eq!(hunks(raw), [pair("a\n", "b\n")]);
}

#[test]
fn blocks_are_read_in_every_family() {
    let block = |name: &str| format!("{name}\n<<<<<<< SEARCH\nold\n=======\nnew\n>>>>>>> REPLACE\n");
    for (raw, want) in [
        (block("src/a.py"), "src/a.py"),
        (format!("Here it is:\n\nsrc/a.py\n```python{}```\n", block("")), "src/a.py"),
        (format!("```python\n{}```\n", block("src/a.py")), "src/a.py"),
        (block("**`src/a.py`**:"), "src/a.py"),
        (block("### src/a.py"), "src/a.py"),
        (block("```src/a.py"), "src/a.py"),
        (block("Makefile"), "Makefile"),
        ("a.x\n------- SEARCH\nold\n=======\nnew\n+++++++ REPLACE\n".to_owned(), "a.x"),
        ("a.x\n<<<<< SEARCH\nold\n=====\nnew\n>>>>> REPLACE".to_owned(), "a.x"),
    ] {
        let request = parsed(&raw, None);
        assert_eq!(
            (request.dialect, request.files[0].path.to_string_lossy().as_str()),
            (Dialect::SearchReplace, want),
            "{raw}"
        );
        assert_eq!(hunks(&raw), [pair("old\n", "new\n")], "{raw}");
    }
    let two = format!("{}{}{}", block("a.x"), block("").trim_start(), block("b.x").replace("old", "x"));
    let request = parsed(&two, None);
    assert_eq!(request.files.iter().map(|file| file.edits().len()).collect::<Vec<_>>(), [2, 1]);
    let made = parsed("new.x\n<<<<<<< SEARCH\n=======\nall\n>>>>>>> REPLACE\n", None);
    assert!(
        matches!(&made.files[0].change, FileChange::Create { content, overwrite: false, .. } if content == b"all\n")
    );
}

#[test]
fn roos_blocks_have_numbers_and_escapes() {
    let diff = "<<<<<<< SEARCH\n:start_line:12\n-------\n\\=======\n1 | x\n=======\n\\<<<<<<< SEARCH\n>>>>>>> REPLACE";
    let raw = json!({"path": "a", "diff": diff}).to_string();
    assert_eq!(hunks(&raw), [pair("=======\n1 | x\n", "<<<<<<< SEARCH\n")]);
    assert_eq!(parsed(&raw, None).files[0].edits()[0].anchor().and_then(|anchor| anchor.line), Some(12));
    let diff = "<<<<<<< SEARCH\n1 | x\n2 | y\n=======\n1 | z\n>>>>>>> REPLACE";
    assert_eq!(hunks(&json!({"path": "a", "diff": diff}).to_string()), [pair("x\ny\n", "z\n")]);
}

#[test]
fn the_text_editor_has_its_commands() {
    let read = |value: Value| {
        let request = parsed(&value.to_string(), None);
        assert_eq!(request.dialect, Dialect::TextEditor);
        request
    };
    let request = read(json!({"command": "str_replace", "path": "/w/a", "old_str": "x"}));
    assert_eq!(modify(&request), [(&b"x"[..], &b""[..], false)]);
    for key in ["insert_text", "new_str"] {
        let request = read(json!({"command": "insert", "path": "a", "insert_line": 2, key: "x"}));
        let edit = &request.files[0].edits()[0];
        assert_eq!((edit.new_text(), edit.anchor().and_then(|anchor| anchor.lines)), (&b"x\n"[..], Some((3, 2))));
    }
    assert_eq!(
        read(json!({"command": "view", "path": "a", "view_range": [2, -1]})).wish,
        Wish::View(Some((2, usize::MAX)))
    );
    assert_eq!(read(json!({"command": "undo_edit", "path": "a"})).wish, Wish::Undo);
    check_bad(r#"{"command":"rm","path":"a"}"#, Some(Dialect::TextEditor), Reason::BadType, "undo_edit");
}

#[test]
fn geminis_tools_are_known_by_their_own_keys() {
    let raw = json!({"file_path": "/w/a", "instruction": "why", "old_string": "x", "new_string": "y", "expected_replacements": 2});
    let request = parsed(&raw.to_string(), None);
    assert_eq!((request.dialect, request.message.as_deref()), (Dialect::Gemini, Some("why")));
    assert_eq!(modify(&request), [(&b"x"[..], &b"y"[..], true)]);
    let request = parsed(&json!({"file_path": "a", "content": "all"}).to_string(), None);
    assert!(matches!(&request.files[0].change, FileChange::Create { overwrite: true, .. }));
    let request =
        parsed(&json!({"file_path": "a", "instruction": "", "old_string": "", "new_string": "x"}).to_string(), None);
    assert!(matches!(&request.files[0].change, FileChange::Create { overwrite: false, .. }));
}

#[test]
fn lines_are_named_by_numbers_and_their_text_by_a_fingerprint() {
    let ops = json!([{"replace": [5, 9], "text": "x"}, {"insert_after": 0, "text": "y\n"}, {"delete": [2, 3]}]);
    let request = parsed(&json!({"path": "a", "fingerprint": "12ab", "ops": ops}).to_string(), None);
    let lines: Vec<_> = request.files[0].edits().iter().filter_map(Edit::anchor).map(|anchor| anchor.lines).collect();
    assert_eq!(lines, [Some((5, 9)), Some((1, 0)), Some((2, 3))]);
    assert_eq!(request.files[0].expected.tag.as_deref(), Some("12AB"));
    let raw = "[src/a.py#12AB]\nPUT 5.=9:\n+x\n+y\nPUT >$:\n+end\nCUT 1\n[b#0000]\nREM\n";
    let request = parsed(raw, None);
    assert_eq!((request.dialect, request.files.len()), (Dialect::Lines, 2));
    let lines: Vec<_> = request.files[0].edits().iter().filter_map(Edit::anchor).map(|anchor| anchor.lines).collect();
    assert_eq!(lines, [Some((5, 9)), Some((usize::MAX, usize::MAX - 1)), Some((1, 1))]);
    assert!(matches!(request.files[1].change, FileChange::Delete));
}

/// A good text of each format, to be broken.
const GOOD: [&str; 5] = [
    PATCH,
    "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+c\n@@ ... @@\n-d\n",
    "src/a.py\n```\n<<<<<<< SEARCH\n:start_line:3\n-------\nold\n=======\nnew\n>>>>>>> REPLACE\n```\n",
    "[a#12AB]\nPUT 5.=9:\n+x\nCUT 2\nMV b\n",
    "cd x && apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: a\n+x\n*** End Patch\nEOF",
];

fn total(raw: &[u8], forced: Option<Dialect>) {
    let result = parse(raw, forced, Limits::default());
    match &result {
        Ok(parsed) => assert!(!parsed.request.files.is_empty()),
        Err(error) => assert!(!advice::request(error).message.is_empty()),
    }
    assert_eq!(parse(raw, forced, Limits::default()), result);
}

#[test]
fn a_text_cut_at_every_byte_is_read_or_explained() {
    for good in GOOD {
        for end in 0..=good.len() {
            for forced in [
                None,
                Some(Dialect::ApplyPatch),
                Some(Dialect::UnifiedDiff),
                Some(Dialect::SearchReplace),
                Some(Dialect::Lines),
            ] {
                total(&good.as_bytes()[..end], forced);
            }
        }
    }
}

proptest! {
    #[test]
    fn a_text_with_lines_of_others_is_read_or_explained(
        picks in proptest::collection::vec((0..GOOD.len(), 0..12_usize), 0..20),
        noise in proptest::collection::vec((any::<usize>(), any::<u8>()), 0..4),
        which in 0..5_usize,
    ) {
        let lines = picks.iter().filter_map(|(good, line)| GOOD[*good].lines().nth(*line));
        let mut raw = lines.flat_map(|line| [line, "\n"]).collect::<String>().into_bytes();
        for (at, byte) in noise {
            let len = raw.len().max(1);
            if let Some(place) = raw.get_mut(at % len) {
                *place = byte;
            }
        }
        let forced = [None, Some(Dialect::ApplyPatch), Some(Dialect::UnifiedDiff), Some(Dialect::SearchReplace), Some(Dialect::Lines)];
        total(&raw, forced[which]);
    }
}
