//! Patches that once went to a wrong place, or were refused for a reason that was not so: one case each, named by its symptom.

use crate::support::TestRepo;

/// The file `f` with this text, and what becomes of it by a request.
#[track_caller]
fn makes(text: &str, dialect: &str, request: &str, want: &str) {
    let repo = TestRepo::with_files(&[("f", text)]);
    let answer = repo.redraft(&["apply", "--dialect", dialect], request);
    assert_eq!((answer.status, repo.text("f").as_str()), (0, want), "{request}\n{}", answer.out);
    repo.done(&["undo"], "");
    assert_eq!(repo.text("f"), text, "undone: {request}");
}

/// The same, refused for this reason in these words; nothing is changed.
#[track_caller]
fn refuses(text: &str, dialect: &str, request: &str, (reason, words): (&str, &str)) {
    let repo = TestRepo::with_files(&[("f", text)]);
    let answer = repo.redraft(&["apply", "--dialect", dialect], request);
    let json = answer.json();
    assert_eq!((json["data"]["reason"].as_str(), repo.text("f").as_str()), (Some(reason), text), "{request}\n{json}");
    assert!(json["text"].as_str().is_some_and(|said| said.contains(words)), "{request}\n{}", json["text"]);
    assert_eq!(repo.git(&["status", "--porcelain"]), "", "{request}");
}

fn v4a(chunks: &str) -> String {
    format!("*** Begin Patch\n*** Update File: f\n{chunks}*** End Patch\n")
}

fn udiff(hunks: &str) -> String {
    format!("--- a/f\n+++ b/f\n{hunks}")
}

const PATCH: &str = "apply-patch";
const DIFF: &str = "unified-diff";
const BLOCKS: &str = "search-replace";

#[test]
fn a_chunk_goes_behind_the_line_that_it_names_or_nowhere() {
    let classes = "class A:\n  return first\nclass B:\n  return second\n";
    for (head, words) in [("class B:", "to stand behind \"class B:\""), ("class Zork:", "no line of the file reads")] {
        let chunk = v4a(&format!("@@ {head}\n-  return first\n+  return third\n"));
        refuses(classes, PATCH, &chunk, ("no_match", words));
    }
    let both = "def f():\n  pass\nx = 1\ndef g():\n  x = 1\n";
    refuses(both, PATCH, &v4a("@@ def g():\n-x = 1\n+x = 2\n"), ("no_match", "line 3"));
    makes(both, PATCH, &v4a("@@ def g():\n-  x = 1\n+  x = 2\n"), &both.replace("  x = 1", "  x = 2"));
    // The named line may be the chunk's own first one.
    makes(both, PATCH, &v4a("@@ def g():\n def g():\n-  x = 1\n+  x = 2\n"), &both.replace("  x = 1", "  x = 2"));
    // One that is like it is named, and that looser readings of the chunk stand before it counts, too.
    refuses(both, PATCH, &v4a("@@ def gg():\n-  x = 1\n+  x = 2\n"), ("no_match", "line 4 is like it: \"def g():\""));
    let tabs = "def f():\n\tcall(one,  two)\ndef g():\n\tpass\n";
    refuses(tabs, PATCH, &v4a("@@ def g():\n-    call(one, two)\n+    call(one)\n"), ("no_match", "line 2"));
}

#[test]
fn lines_behind_a_named_one_are_not_put_where_another_chunk_is_or_by_indentation() {
    let text = "q\nb\nb\nq\nfoo\nfoo\nb\nq\n";
    let both = v4a("@@\n-q\n+n1\n+n2\n foo\n foo\n b\n@@ q\n+NEW\n");
    makes(text, PATCH, &both, "q\nb\nb\nn1\nn2\nfoo\nfoo\nb\nq\nNEW\n");
    let text = "b\nb\nQ\nfoo\nfoo\nb\nz\n";
    refuses(text, PATCH, &v4a("@@\n-Q\n+n72\n foo\n foo\n b\n@@ Q\n+NEW\n"), ("no_match", "no line of the file reads"));
    refuses("a\nx\na\n\tfoo\n", PATCH, &v4a("@@ a\n+NEW\n"), ("no_match", "several lines read \"a\" (lines 1, 3)"));
    let text = "Q\n\tfoo()\nb\nQ\n";
    makes(text, PATCH, &v4a("@@\n-Q\n+n1\n \tfoo()\n b\n@@ Q\n+NEW\n"), "n1\n\tfoo()\nb\nQ\nNEW\n");
    refuses("a\nb\n", PATCH, &v4a("@@ zork\n+NEW\n"), ("no_match", "no line of the file reads \"zork\""));
}

#[test]
fn lines_behind_a_last_one_that_goes_begin_with_no_empty_line() {
    makes("b", PATCH, &v4a("@@\n-b\n@@\n+NEW\n"), "NEW");
    let repo = TestRepo::with_files(&[("f", "a\nb")]);
    let tag = repo.done(&["read", "f"], "")["data"]["tag"].clone();
    let ops = serde_json::json!([{"delete": [2, 2]}, {"insert_after": 2, "text": "q"}]);
    let request = serde_json::json!({"path": "f", "fingerprint": tag, "ops": ops});
    let answer = repo.redraft(&["apply", "--dialect", "lines"], &request.to_string());
    assert_eq!((answer.status, repo.text("f").as_str()), (0, "a\nq"), "{}", answer.out);
}

#[test]
fn a_hunk_without_lines_behind_its_change_goes_where_its_number_says_or_to_the_end() {
    makes("x\nx\nx\nx\n", DIFF, &udiff("@@ -2 +2 @@\n-x\n+y\n"), "x\ny\nx\nx\n");
    makes("a\nb\nc\nd\n", DIFF, &udiff("@@ -1,2 +1,2 @@\n a\n-b\n+y\n"), "a\ny\nc\nd\n");
    // Seen: at its number, where a file that had grown has the same line by chance; git takes it at the end.
    refuses("a\n}\nb\n}\n", DIFF, &udiff("@@ -2 +2,2 @@\n }\n+y\n"), ("ambiguous", "lines 2, 4"));
    makes("a\nb\nc\nd\n", DIFF, &udiff("@@ -4,0 +5 @@\n+x\n"), "a\nb\nc\nd\nx\n");
    makes("", DIFF, &udiff("@@ -0,0 +1 @@\n+x\n"), "x\n");
    refuses("a\nb\nc\nd\n", DIFF, &udiff("@@ -2,0 +3 @@\n+x\n"), ("no_match", "send the lines around the change"));
    refuses(
        "a\nb\nc\nd\n",
        DIFF,
        &udiff("@@ -3,1 +3,1 @@\n-b\n+y\n"),
        ("no_match", "stand at line 2, where it cannot go"),
    );
    // As near to one place as to another: git takes one of them.
    let text = "a\nx\nz\nb\nc\nx\nz\nd\n";
    refuses(text, DIFF, &udiff("@@ -4,2 +4,2 @@\n-x\n+y\n z\n"), ("ambiguous", "lines 2, 6"));
}

#[test]
fn a_line_number_between_two_places_chooses_none() {
    let block =
        |line: usize| format!("f\n<<<<<<< SEARCH\n:start_line:{line}\n-------\na\n=======\nX\n>>>>>>> REPLACE\n");
    refuses("a\nb\na\n", BLOCKS, &block(2), ("ambiguous", "lines 1, 3"));
    makes("a\nb\na\n", BLOCKS, &block(3), "a\nb\nX\n");
    makes("a\nb\na", BLOCKS, &block(3), "a\nb\nX");
}

#[test]
fn a_diff_that_is_cut_is_refused() {
    let text: String = (1..30).map(|n| format!("line {n}\n")).collect();
    let repo = TestRepo::with_files(&[("f", &text), ("g", "one\ntwo\n"), ("h", "moved\naway\nas\nit is\n")]);
    repo.write("f", text.replace("line 9\n", "line nine\nand more\n").replace("line 22\n", ""));
    repo.write("g", "one\ntwo\nthree\n");
    repo.shell("git mv h moved; git add -A");
    let diff = repo.git(&["diff", "--cached", "-M"]);
    repo.git(&["reset", "-q", "--hard"]);
    let (mut done, mut refused) = (0, 0);
    for cut in 0..diff.len() {
        let answer = repo.redraft(&["apply", "--dialect", DIFF, "--dry-run"], &diff[..cut]);
        if answer.status != 0 {
            refused += 1;
            continue;
        }
        // What is left is whole lines, or is cut in the last line of a hunk, which may as well be so, or where nothing is said.
        done += 1;
        let last = diff[..cut].rsplit('\n').next().unwrap_or_default();
        let behind = diff[cut..].split_once('\n').map_or("", |(_, behind)| behind);
        let is_end = behind.is_empty() || behind.starts_with("diff ") || behind.starts_with("@@");
        assert!(
            last.is_empty() || is_end || !last.starts_with(['+', '-', ' ', 'r']),
            "{cut}: {:?}\n{}",
            &diff[..cut],
            answer.out
        );
    }
    assert!(done > 0 && refused > 100, "{done} {refused}");
}

#[test]
fn names_without_prefixes_stay_whole_also_of_new_files() {
    let repo = TestRepo::with_files(&[("f", "x\n")]);
    let diff = "diff --git a/b/c a/b/c\nnew file mode 100644\n--- /dev/null\n+++ a/b/c\n@@ -0,0 +1 @@\n+x\n";
    repo.done(&["apply", "--dialect", DIFF], diff);
    assert!(repo.has("a/b/c") && !repo.has("b/c"));
}

#[test]
fn a_rename_is_that_of_the_two_names_on_gits_own_line() {
    let diff = |line: &str| format!("diff --git {line}\nsimilarity index 100%\nrename from f\nrename to new f");
    for line in ["a/f b/new f", "f new f", "old/f x/y/new f"] {
        let repo = TestRepo::with_files(&[("f", "x\n")]);
        repo.done(&["apply", "--dialect", DIFF], &diff(line));
        assert!(repo.has("new f") && !repo.has("f"), "{line}");
    }
    for line in ["a/f b/new foo", "a/ff b/new f", "a/f b/other/of new", "b/new f a/f"] {
        refuses("x\n", DIFF, &diff(line), ("bad_syntax", "rename from"));
    }
}

#[test]
fn blanks_at_the_end_of_a_fenced_diff_are_its_own() {
    makes("a\nb\n", DIFF, "```diff\n--- a/f\n+++ b/f\n@@ -1,2 +1,3 @@\n a\n b\n+tail  \n```\n", "a\nb\ntail  \n");
    makes("a\n   \n", DIFF, "```diff\n--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n-a\n+c\n    \n```", "c\n   \n");
}

#[test]
fn a_diff_that_came_with_crlf_leaves_none_at_an_end_without_a_newline() {
    let diff = udiff("@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+c\n\\ No newline at end of file\n");
    makes("a\nb", DIFF, &diff.replace('\n', "\r\n"), "a\nc");
}

#[test]
fn two_texts_in_one_call_are_not_one() {
    let patch = v4a("@@\n-a\n+b\n");
    let call = serde_json::json!({"input": patch, "patch": "x"}).to_string();
    refuses("a\n", PATCH, &call, ("contradictory_fields", "`patch`"));
}

#[test]
fn blocks_see_what_those_before_them_wrote() {
    let block = |old: &str, new: &str| format!("f\n<<<<<<< SEARCH\n{old}\n=======\n{new}\n>>>>>>> REPLACE\n");
    makes("a\nb\n", BLOCKS, &(block("a", "first") + &block("first", "second")), "second\nb\n");
    makes("a\nb\na\n", BLOCKS, &(block("a\nb", "x\ny") + &block("a", "z")), "x\ny\nz\n");
    // Many are looked for at once, where none depends on another.
    let chain: String = (0..30).map(|n| block(&format!("step {n}"), &format!("step {}", n + 1))).collect();
    makes("step 0\nb\n", BLOCKS, &chain, "step 30\nb\n");
    let text: String = (0..40).map(|n| format!("line {n}\n")).collect();
    let apart: String = (0..30).map(|n| block(&format!("line {n}"), &format!("LINE {n}"))).collect();
    makes(
        &text,
        BLOCKS,
        &apart,
        &(0..40).map(|n| format!("{} {n}\n", if n < 30 { "LINE" } else { "line" })).collect::<String>(),
    );
    let numbered =
        |line: usize| format!("f\n<<<<<<< SEARCH\n:start_line:{line}\n-------\na\n=======\na\nnew\n>>>>>>> REPLACE\n");
    makes("a\nb\na\nb\na\n", BLOCKS, &(numbered(1) + &numbered(3) + &numbered(5)), "a\nnew\nb\na\nnew\nb\na\nnew\n");
}

#[test]
fn only_lines_that_are_the_chunks_are_told_as_its_places() {
    refuses("a\n\n\nb\n", PATCH, &v4a("@@\n-\n+q\n"), ("ambiguous", "occurs 2 times (lines 2, 3)"));
}

#[test]
fn very_many_places_are_ambiguous_and_a_number_decides_between_them() {
    let text = "x\n".repeat(11_000);
    refuses(&text, PATCH, &v4a("@@\n-x\n-x\n+y\n"), ("ambiguous", "occurs"));
    let want = format!("{}y\n{}", "x\n".repeat(50), "x\n".repeat(10_949));
    makes(&text, DIFF, &udiff("@@ -50,3 +50,3 @@\n x\n-x\n+y\n x\n"), &want);
}

#[test]
fn a_text_of_another_version_is_refused_with_the_lines_as_they_are_now() {
    let repo = TestRepo::with_files(&[("f", "a\nb\nc\nd\ne\n")]);
    let tag = repo.done(&["read", "f"], "")["data"]["tag"].clone();
    repo.write("f", "a\nb\nc\nD!\ne\n");
    let request = |tag: &serde_json::Value| {
        serde_json::json!({"path": "f", "fingerprint": tag, "ops": [{"replace": [4, 4], "text": "X"}]}).to_string()
    };
    let answer = repo.redraft(&["apply"], &request(&tag)).json();
    let text = answer["text"].as_str().expect("a text");
    assert!(text.contains("4:D!\n") && !text.contains("would still fit"), "{text}");
    repo.done(&["apply"], &request(&answer["data"]["hint"]["tag"]));
    assert_eq!(repo.text("f"), "a\nb\nc\nX\ne\n");
}

#[test]
fn hashline_in_its_own_envelope_is_no_other_patch() {
    let repo = TestRepo::with_files(&[("f", "a\nb\n")]);
    let tag = repo.done(&["read", "f"], "")["data"]["tag"].as_str().expect("a tag").to_owned();
    repo.done(&["apply"], &format!("*** Begin Patch\n[f#{tag}]\nCUT 1\n*** End Patch\n"));
    assert_eq!(repo.text("f"), "b\n");
}

#[test]
fn a_part_that_changes_nothing_is_told_so() {
    refuses("x\n", PATCH, &v4a("@@\n-x\n+x\n"), ("same_text", "the same"));
    refuses("x\n", BLOCKS, "f\n<<<<<<< SEARCH\nx\n=======\nx\n>>>>>>> REPLACE\n", ("same_text", "the same"));
}

#[test]
fn a_missing_text_may_be_null_and_a_deletion_of_another_text_does_not_still_fit() {
    makes("a\nb\n", "text-editor", r#"{"command":"str_replace","path":"f","old_str":"b\n","new_str":null}"#, "a\n");
    let gone = "diff --git a/f b/f\ndeleted file mode 100644\n--- a/f\n+++ /dev/null\n@@ -1 +0,0 @@\n-other\n";
    let repo = TestRepo::with_files(&[("f", "a\nb\n")]);
    let answer = repo.redraft(&["apply", "--dialect", DIFF], gone).json();
    assert_eq!(answer["data"]["reason"], "changed_since_read");
    assert!(!answer["text"].as_str().is_some_and(|text| text.contains("still fit")), "{}", answer["text"]);
}

#[test]
fn a_single_letter_somewhere_proves_no_edit() {
    let request = r#"{"file_path":"f","old_string":"zork zork zork","new_string":"b"}"#;
    refuses("a\nb\n", "gemini", request, ("no_match", "not found"));
}

/// Seen: 20 chunks (270 bytes) on 20,000 short lines took 5 seconds, 500 on 50,000 more than a minute; 20,000 hunks of a
/// unified diff on such a file took 2.1 GB.
#[test]
fn many_hunks_whose_lines_stand_in_very_many_places_take_neither_long_nor_much() {
    let text: String = (0..50_000_u32).map(|n| ["x\n", "xx\n", "xxx\n"][(n * 7 % 11 % 3) as usize]).collect();
    let repo = TestRepo::with_files(&[("xs", &text)]);
    let chunks = |count: usize, chunk: &str| {
        format!("*** Begin Patch\n*** Update File: xs\n{}*** End Patch\n", chunk.repeat(count))
    };
    let diff: String = (1..4000).map(|n| format!("@@ -{n},1 +{n},1 @@\n-x\n+y\n")).collect();
    for (request, reason) in [
        (chunks(500, "@@ x\n-x\n+y\n"), "ambiguous"),
        (chunks(2000, "@@ x\n-x\n+y\n@@ xx\n-x\n+y\n"), "ambiguous"),
        (chunks(4000, "@@\n-x\n+y\n"), "ambiguous"),
        (format!("--- a/xs\n+++ b/xs\n{diff}"), "no_match"),
    ] {
        // Seconds of the processor, so that other processes do not count.
        let run = format!("ulimit -t 15; ulimit -v 200000; exec {} check", env!("CARGO_BIN_EXE_redraft"));
        let mut shell = std::process::Command::new("sh");
        crate::support::clean(shell.args(["-c", &run]), &repo.root());
        let ran = crate::support::run::finish(&mut shell, request.as_bytes());
        assert_eq!(ran.json()["data"]["reason"], reason, "{:.60}: {}", request, ran.stderr);
    }
}
