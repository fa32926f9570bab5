//! `undo -i` on a real terminal: what each answer undoes, and what is never written.

use crate::support::{Terminal, TestRepo};
use serde_json::{Value, json};

/// Lines 1 to 60, some of them changed.
fn lines(changed: &[usize]) -> String {
    (1..=60).map(|n| format!("{} {n}\n", if changed.contains(&n) { "changed" } else { "line" })).collect()
}

fn edit(n: usize) -> Value {
    json!({"old_string": format!("line {n}\n"), "new_string": format!("changed {n}\n")})
}

/// A record with three hunks in `a.txt` and two in `b.txt`.
fn five_hunks() -> (TestRepo, String) {
    let repo = TestRepo::with_files(&[("a.txt", &lines(&[])), ("b.txt", &lines(&[]))]);
    let id = repo.apply(json!({"files": [
        {"path": "a.txt", "edits": [edit(5), edit(25), edit(45)]},
        {"path": "b.txt", "edits": [edit(10), edit(50)]},
    ]}));
    (repo, id)
}

const HUNK: &str = "Undo this hunk [y,n,q,a,d,e,?]?";

/// What stays changed of five hunks, once these letters were typed; all of them have to be asked for.
fn check(letters: &str, a: &[usize], b: &[usize]) {
    let (repo, _) = five_hunks();
    let Some(mut terminal) = Terminal::of(&repo, "redraft undo -i") else { return };
    for letter in letters.chars() {
        terminal.answer(HUNK, &format!("{letter}\n"));
    }
    let ended = terminal.end();
    assert_eq!(ended.exit, Some(0), "{letters}: {}", ended.shown);
    assert_eq!(ended.shown.matches(HUNK).count(), letters.len(), "{letters}: {}", ended.shown);
    assert_eq!((repo.text("a.txt"), repo.text("b.txt")), (lines(a), lines(b)), "{letters}");
}

#[test]
fn each_letter_says_what_it_says_to_git() {
    check("yyyyy", &[], &[]);
    check("ynyny", &[25], &[10]);
    check("nnnnn", &[5, 25, 45], &[10, 50]);
    check("nayn", &[5], &[50]);
    check("ydny", &[25, 45], &[10]);
    check("nyq", &[5, 45], &[10, 50]);
    check("q", &[5, 25, 45], &[10, 50]);
    check("?yYny?N", &[45], &[50]);
}

#[test]
fn a_file_of_which_all_hunks_were_chosen_is_as_before_and_one_of_which_some_were_is_not() {
    let (repo, _) = five_hunks();
    let Some(mut terminal) = Terminal::of(&repo, "redraft undo -i") else { return };
    for letter in ["y", "y", "y", "n", "y"] {
        terminal.answer(HUNK, &format!("{letter}\n"));
    }
    let shown = terminal.end().shown;
    assert!(shown.contains("a.txt is as it was before"), "{shown}");
    assert!(shown.contains("b.txt has its old lines back where that was asked for"), "{shown}");
}

#[test]
fn hunks_of_a_file_that_is_not_utf_8_are_shown_as_people_read_them() {
    let in_utf_16 = |text: String| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    let repo = TestRepo::with_files(&[("old.txt", &lines(&[]))]);
    repo.write("wide.txt", in_utf_16(lines(&[])));
    repo.commit_all("wide");
    repo.apply(json!({"files": [
        {"path": "old.txt", "rename_to": "moved.txt"},
        {"path": "wide.txt", "encoding": "utf-16le", "edits": [edit(5)]},
    ]}));
    let Some(mut terminal) = Terminal::of(&repo, "redraft undo -i") else { return };
    terminal.answer("Undo this rename [", "n\n");
    terminal.wait_for("-changed 5");
    terminal.wait_for("+line 5");
    terminal.answer(HUNK, "y\n");
    let ended = terminal.end();
    assert_eq!(ended.exit, Some(0), "{}", ended.shown);
    assert_eq!(repo.read("wide.txt"), in_utf_16(lines(&[])));
}

#[test]
fn the_end_of_the_input_quits_as_in_git() {
    let (repo, _) = five_hunks();
    let Some(mut terminal) = Terminal::of(&repo, "redraft undo -i") else { return };
    terminal.answer(HUNK, "y\n");
    terminal.answer(HUNK, "\u{4}");
    assert_eq!(terminal.end().exit, Some(0));
    assert_eq!((repo.text("a.txt"), repo.text("b.txt")), (lines(&[25, 45]), lines(&[10, 50])));
}

#[test]
fn ctrl_c_at_a_question_writes_nothing_though_something_was_said_yes_to() {
    let (repo, _) = five_hunks();
    let Some(mut terminal) = Terminal::of(&repo, "redraft undo -i; echo status $?") else { return };
    terminal.answer(HUNK, "y\n");
    terminal.answer(HUNK, "\u{3}");
    let ended = terminal.end();
    assert_ne!(ended.exit, Some(0), "{}", ended.shown);
    assert_eq!((repo.text("a.txt"), repo.text("b.txt")), (lines(&[5, 25, 45]), lines(&[10, 50])));
    assert_eq!(repo.redraft(&["log", "--kind", "undo", "--json"], "").out, "");
}

#[test]
fn what_is_picked_is_one_record_that_a_redo_takes_back_and_no_answer_is_none() {
    let (repo, id) = five_hunks();
    let Some(mut terminal) = Terminal::of(&repo, "redraft undo -i --answer envelope > ../answer") else { return };
    for letter in ["n", "y", "n", "y", "y"] {
        terminal.answer(HUNK, &format!("{letter}\n"));
    }
    assert_eq!(terminal.end().exit, Some(0));
    let told = std::fs::read_to_string(repo.outside().join("answer")).expect("an answer");
    let told: Value = serde_json::from_str(&told).expect("what is asked goes to standard error");
    assert_eq!(told["data"]["undone"], json!([id]));
    assert_eq!(told["context"]["params_input"]["interactive"], true, "{told}");
    // The file of which all was picked is undone, the other one in part.
    let undone = |repo: &TestRepo| repo.redraft(&["show", &id, "--json"], "").json()["undone_by"].clone();
    assert_eq!(undone(&repo), Value::Null);
    assert_eq!((repo.text("a.txt"), repo.text("b.txt")), (lines(&[5, 45]), lines(&[])));
    repo.done(&["redo"], "");
    assert_eq!((repo.text("a.txt"), repo.text("b.txt")), (lines(&[5, 25, 45]), lines(&[10, 50])));
    let line = format!("redraft undo -i {id}");
    let Some(mut terminal) = Terminal::of(&repo, &line) else { return };
    terminal.answer(HUNK, "q\n");
    assert!(terminal.end().shown.contains("nothing was chosen, and nothing is undone"));
    // All of it is as good as a plain undo.
    let Some(mut terminal) = Terminal::of(&repo, &line) else { return };
    terminal.answer(HUNK, "a\n");
    terminal.answer(HUNK, "a\n");
    assert_eq!(terminal.end().exit, Some(0));
    assert_ne!(undone(&repo), Value::Null);
}

#[test]
fn each_hunk_is_shown_as_the_undo_would_make_it_and_one_that_does_not_fit_is_told_and_not_asked_for() {
    let (repo, _) = five_hunks();
    repo.write("a.txt", repo.text("a.txt").replace("changed 25\n", "mine, and no other\n"));
    repo.write("b.txt", repo.text("b.txt").replace("changed 10\n", "line 10\n"));
    let Some(mut terminal) = Terminal::of(&repo, "redraft undo -i @") else { return };
    terminal.wait_for("-changed 5");
    terminal.wait_for("+line 5");
    terminal.answer("(1/5) ", "y\n");
    terminal.wait_for("not asked for: a hunk in a.txt: ");
    terminal.answer("(3/5) ", "n\n");
    terminal.wait_for("not asked for: a hunk in b.txt: ");
    terminal.answer("(5/5) ", "y\n");
    let ended = terminal.end();
    assert_eq!(ended.exit, Some(0), "{}", ended.shown);
    assert_eq!(ended.shown.matches(HUNK).count(), 3);
    let mine = |text: String| text.replace("changed 25\n", "mine, and no other\n");
    assert_eq!((repo.text("a.txt"), repo.text("b.txt")), (mine(lines(&[25, 45])), lines(&[])));
}

#[test]
fn where_nothing_fits_nothing_is_asked_for_and_it_is_a_refusal() {
    let repo = TestRepo::with_files(&[("a.txt", &lines(&[]))]);
    repo.apply(json!({"path": "a.txt", "edits": [edit(5)]}));
    repo.write("a.txt", repo.text("a.txt").replace("changed 5\n", "mine, and no other\n"));
    let Some(terminal) = Terminal::of(&repo, "redraft undo -i") else { return };
    let ended = terminal.end();
    assert_eq!((ended.exit, ended.shown.matches("Undo this").count()), (Some(1), 0), "{}", ended.shown);
}

/// The same lines by two records of one session: the older one fits only where the newer one goes, too.
#[test]
fn a_session_is_asked_for_file_by_file_the_newest_first_each_beside_what_was_chosen() {
    let steps = |typed: &[&str]| {
        let repo = TestRepo::with_files(&[("a.txt", &lines(&[])), ("b.txt", &lines(&[]))]);
        let agent = json!({"name": "x", "session": "s"});
        repo.apply(json!({"path": "a.txt", "edits": [edit(5)], "agent": agent}));
        repo.apply(json!({"path": "b.txt", "edits": [edit(7)], "agent": agent}));
        let again = json!({"old_string": "changed 5\n", "new_string": "changed again 5\n"});
        repo.apply(json!({"path": "a.txt", "edits": [again], "agent": agent}));
        let mut terminal = Terminal::of(&repo, "redraft undo -i --session s -- a.txt b.txt")?;
        for letter in typed {
            terminal.answer(HUNK, &format!("{letter}\n"));
        }
        let ended = terminal.end();
        Some((ended, repo.text("a.txt"), repo.text("b.txt")))
    };
    let Some((ended, a, b)) = steps(&["y", "y", "n"]) else { return };
    assert_eq!((a, b), (lines(&[]), lines(&[7])), "{}", ended.shown);
    assert!(ended.shown.contains("-changed 5\n") || ended.shown.contains("-changed 5\u{1b}"), "{}", ended.shown);
    let Some((ended, a, b)) = steps(&["n", "y"]) else { return };
    assert_eq!((a, b), (lines(&[]).replace("line 5\n", "changed again 5\n"), lines(&[])), "{}", ended.shown);
    assert!(ended.shown.contains("not asked for: a hunk in a.txt"), "{}", ended.shown);
    let Some((_, a, b)) = steps(&["d", "y"]) else { return };
    assert_eq!((a, b), (lines(&[]).replace("line 5\n", "changed again 5\n"), lines(&[])));
    let Some((_, a, b)) = steps(&["a", "n"]) else { return };
    assert_eq!((a, b), (lines(&[]), lines(&[7])));
}

#[test]
fn files_that_were_made_removed_and_renamed_are_asked_for_as_such() {
    let repo = TestRepo::with_files(&[("old.txt", &lines(&[])), ("gone.txt", "gone\n")]);
    repo.apply(json!({"files": [
        {"path": "new.txt", "content": "new\n"},
        {"path": "gone.txt", "delete": true},
        {"path": "old.txt", "rename_to": "moved.txt", "edits": [edit(5), edit(45)]},
    ]}));
    let Some(mut terminal) = Terminal::of(&repo, "redraft undo -i") else { return };
    terminal.answer("Undo this creation [y,n,q,a,d,?]?", "e\n");
    terminal.answer("only a hunk can be edited", "n\n");
    terminal.answer("Undo this deletion [", "y\n");
    terminal.answer(HUNK, "y\n");
    terminal.answer(HUNK, "y\n");
    terminal.wait_for("rename from moved.txt");
    terminal.answer("Undo this rename [", "y\n");
    let ended = terminal.end();
    assert_eq!(ended.exit, Some(0), "{}", ended.shown);
    assert!(repo.has("new.txt") && !repo.has("moved.txt"));
    assert_eq!((repo.text("gone.txt"), repo.text("old.txt")), ("gone\n".to_owned(), lines(&[])));
}

#[test]
fn a_file_keeps_its_new_name_where_a_hunk_of_it_is_kept() {
    let repo = TestRepo::with_files(&[("old.txt", &lines(&[]))]);
    repo.apply(json!({"path": "old.txt", "rename_to": "moved.txt", "edits": [edit(5), edit(45)]}));
    let Some(mut terminal) = Terminal::of(&repo, "redraft undo -i") else { return };
    terminal.answer(HUNK, "y\n");
    terminal.answer(HUNK, "n\n");
    let ended = terminal.end();
    assert_eq!((ended.exit, ended.shown.matches("this rename").count()), (Some(0), 0), "{}", ended.shown);
    assert_eq!(repo.text("moved.txt"), lines(&[45]));
}

#[test]
fn while_somebody_thinks_nothing_is_locked_and_what_changed_meanwhile_is_refused_or_kept() {
    let (repo, _) = five_hunks();
    let Some(mut terminal) = Terminal::of(&repo, "redraft undo -i -- a.txt") else { return };
    terminal.answer(HUNK, "y\n");
    terminal.answer(HUNK, "n\n");
    terminal.wait_for(HUNK);
    repo.done(&["apply", "--lock-timeout", "0"], &json!({"path": "a.txt", "edits": [edit(55)]}).to_string());
    terminal.type_in("y\n");
    assert_eq!(terminal.end().exit, Some(0));
    assert_eq!(repo.text("a.txt"), lines(&[25, 55]));

    let (repo, _) = five_hunks();
    let Some(mut terminal) = Terminal::of(&repo, "redraft undo -i -- a.txt") else { return };
    terminal.answer(HUNK, "y\n");
    terminal.answer(HUNK, "n\n");
    terminal.wait_for(HUNK);
    let mine = repo.text("a.txt").replace("changed 5\n", "mine, and no other\n");
    repo.write("a.txt", &mine);
    terminal.type_in("y\n");
    let ended = terminal.end();
    assert_eq!(ended.exit, Some(1), "{}", ended.shown);
    assert_eq!(repo.text("a.txt"), mine, "{}", ended.shown);
}

#[test]
fn a_terminal_obeys_nothing_of_what_is_shown() {
    let evil = "\u{1b}]0;owned\u{7}\u{1b}[2J \u{202e}desrever";
    let repo = TestRepo::with_files(&[("a.txt", "one\n")]);
    let path = format!("odd {evil}");
    repo.apply(json!({"path": path, "content": format!("{evil}\n")}));
    let edit = json!({"path": path, "old_string": "owned", "new_string": format!("other {evil}")});
    repo.apply(edit);
    let Some(mut terminal) = Terminal::of(&repo, "redraft undo -i") else { return };
    terminal.answer(HUNK, "\u{1b}[2J\n");
    terminal.answer("one letter is expected", "q\n");
    let shown = terminal.end().shown;
    // What is typed is shown by the terminal itself.
    assert!(!shown.contains("\u{1b}]0;") && !shown.contains('\u{202e}') && !shown.contains('\u{7}'), "{shown:?}");
}

#[test]
fn without_a_terminal_it_is_wrong_usage_and_with_a_hunk_named_too() {
    let (repo, _) = five_hunks();
    for args in [&["undo", "-i"][..], &["undo", "-i", "--dry-run"]] {
        let ran = repo.redraft(args, "y\ny\ny\ny\ny\n");
        assert_eq!((ran.status, ran.out.as_str()), (2, ""), "{}", ran.err);
        assert!(ran.err.contains("--hunk N"), "{}", ran.err);
    }
    for args in [&["undo", "-i", "--hunk", "1"][..], &["undo", "-i", "--markers"]] {
        assert_eq!(repo.redraft(args, "").status, 2);
    }
    assert_eq!(repo.text("a.txt"), lines(&[5, 25, 45]));
}

/// A record whose changes of lines 5 and 7 are one hunk, and that of line 45 another; and an editor that runs a script with the file as
/// its second word.
fn with_editor(script: &str) -> (TestRepo, String, String) {
    let repo = TestRepo::with_files(&[("a.txt", &lines(&[]))]);
    let id = repo.apply(json!({"path": "a.txt", "edits": [edit(5), edit(7), edit(45)]}));
    let (editor, out) = (repo.outside().join("editor"), repo.outside());
    let told = format!("cp \"$2\" '{0}/shown'; echo \"$2\" > '{0}/place'", out.display());
    std::fs::write(&editor, format!("{told}\n{script}\n")).expect("written");
    let line = format!("GIT_EDITOR='sh {}' redraft undo -i {id}", editor.display());
    (repo, id, line)
}

/// Nothing is left of what was edited.
fn is_tidied(repo: &TestRepo) -> bool {
    let place = std::fs::read_to_string(repo.outside().join("place")).expect("the editor was called");
    let place = std::path::Path::new(place.trim());
    place.starts_with(repo.root().join(".git/redraft")) && !place.exists()
}

const KEEP_7: &str = "sed -i -e 's/^-changed 7$/ changed 7/' -e '/^+line 7$/d' \"$2\"";

#[test]
fn of_an_edited_hunk_is_undone_what_was_left_in_the_editor() {
    let (repo, id, line) = with_editor(KEEP_7);
    let Some(mut terminal) = Terminal::of(&repo, &line) else { return };
    terminal.answer(HUNK, "e\n");
    terminal.answer("(2/2) ", "n\n");
    let ended = terminal.end();
    assert_eq!(ended.exit, Some(0), "{}", ended.shown);
    assert_eq!(repo.text("a.txt"), lines(&[7, 45]), "{}", ended.shown);
    let shown = std::fs::read_to_string(repo.outside().join("shown")).expect("the editor saw it");
    assert!(shown.starts_with("@@ -2,9 +2,9 @@\n line 2\n") && shown.contains("\n-changed 5\n+line 5\n"), "{shown}");
    assert!(!shown.contains("45") && shown.contains("\n# ---\n"), "{shown}");
    assert!(is_tidied(&repo));
    // It is an undo of that change and no other: the rest goes later, and all of it comes back.
    let Some(mut terminal) = Terminal::of(&repo, &format!("redraft undo -i {id}")) else { return };
    terminal.answer("(1/2) ", "y\n");
    terminal.answer("(2/2) ", "y\n");
    assert_eq!(terminal.end().exit, Some(0));
    assert_eq!(repo.text("a.txt"), lines(&[]));
    assert_ne!(repo.redraft(&["show", &id, "--json"], "").json()["undone_by"], Value::Null);
    repo.done(&["redo"], "");
    repo.done(&["redo"], "");
    assert_eq!(repo.text("a.txt"), lines(&[5, 7, 45]));
}

#[test]
fn what_was_edited_away_stays_though_all_other_hunks_go() {
    let (repo, id, line) = with_editor(KEEP_7);
    let Some(mut terminal) = Terminal::of(&repo, &line) else { return };
    terminal.answer(HUNK, "e\n");
    terminal.answer("(2/2) ", "a\n");
    let ended = terminal.end();
    assert_eq!((ended.exit, repo.text("a.txt")), (Some(0), lines(&[7])), "{}", ended.shown);
    assert_eq!(repo.redraft(&["show", &id, "--json"], "").json()["undone_by"], Value::Null);
}

/// What somebody typed is not lost where it is refused: the next `e` goes on from it.
#[test]
fn an_edit_that_is_no_choice_of_the_records_changes_is_refused_and_asked_for_again() {
    let script =
        "if grep -q '^+mine' \"$2\"; then sed -i '/^+mine/d' \"$2\"; else sed -i 's/^+line 5$/+mine 5/' \"$2\"; fi";
    let (repo, _, line) = with_editor(script);
    let Some(mut terminal) = Terminal::of(&repo, &line) else { return };
    terminal.answer(HUNK, "e\n");
    terminal.wait_for("what was left is not some of the record's changes");
    // Without the line that was to come back it is a part of the change.
    terminal.answer(HUNK, "e\n");
    terminal.wait_for("what was left is not some of the record's changes");
    terminal.answer(HUNK, "y\n");
    terminal.answer("(2/2) ", "n\n");
    let ended = terminal.end();
    assert_eq!((ended.exit, repo.text("a.txt")), (Some(0), lines(&[45])), "{}", ended.shown);
    assert!(is_tidied(&repo));
}

#[test]
fn an_edit_that_is_no_hunk_of_the_file_an_empty_one_and_an_editor_that_fails_ask_again() {
    for (script, said) in [
        ("sed -i 's/^ line 4$/ line four/' \"$2\"", "line 4 is not what the file has there"),
        ("sed -i 's/^ line 4$/line 4/' \"$2\"", "line 4 does not begin with"),
        ("sed -i '/^@@/d' \"$2\"", "lines of the file, or heads of hunks, are missing"),
        ("echo '# nothing' > \"$2\"", "no line was left"),
        ("exit 3", "exit status: 3"),
    ] {
        let (repo, _, line) = with_editor(script);
        let Some(mut terminal) = Terminal::of(&repo, &line) else { return };
        terminal.answer(HUNK, "e\n");
        terminal.wait_for(said);
        terminal.answer(HUNK, "n\n");
        terminal.answer("(2/2) ", "y\n");
        let ended = terminal.end();
        assert_eq!((ended.exit, repo.text("a.txt")), (Some(0), lines(&[5, 7])), "{said}: {}", ended.shown);
        assert!(is_tidied(&repo), "{said}");
    }
}

#[test]
fn a_hunk_that_is_left_as_it_is_goes_as_a_whole() {
    let (repo, id, line) = with_editor("true");
    let Some(mut terminal) = Terminal::of(&repo, &line) else { return };
    terminal.answer(HUNK, "e\n");
    terminal.answer("(2/2) ", "y\n");
    let ended = terminal.end();
    assert_eq!((ended.exit, repo.text("a.txt")), (Some(0), lines(&[])), "{}", ended.shown);
    assert_ne!(repo.redraft(&["show", &id, "--json"], "").json()["undone_by"], Value::Null);
}

#[test]
fn what_changed_while_a_hunk_was_edited_is_refused_and_asked_for_again() {
    let (repo, _, line) = with_editor(&format!("{KEEP_7}; sed -i 's/^changed 5$/mine, and no other/' a.txt"));
    let Some(mut terminal) = Terminal::of(&repo, &line) else { return };
    terminal.answer(HUNK, "e\n");
    terminal.wait_for("the file was changed meanwhile");
    terminal.answer(HUNK, "n\n");
    terminal.answer("(2/2) ", "n\n");
    let ended = terminal.end();
    assert_eq!(ended.exit, Some(0), "{}", ended.shown);
    assert_eq!(repo.text("a.txt"), lines(&[5, 7, 45]).replace("changed 5\n", "mine, and no other\n"));
}

#[test]
fn a_file_that_was_cut_while_a_hunk_was_edited_is_told() {
    let (repo, _, line) = with_editor(&format!("{KEEP_7}; sed -i '50,$d' a.txt"));
    let Some(mut terminal) = Terminal::of(&repo, &line) else { return };
    terminal.answer(HUNK, "e\n");
    terminal.wait_for("the file was changed meanwhile");
    terminal.answer(HUNK, "q\n");
    let ended = terminal.end();
    assert_eq!((ended.exit, repo.text("a.txt").lines().count()), (Some(0), 49), "{}", ended.shown);
}

#[test]
fn a_dry_run_asks_and_writes_nothing() {
    let (repo, _) = five_hunks();
    let Some(mut terminal) = Terminal::of(&repo, "redraft undo -i --dry-run") else { return };
    terminal.answer(HUNK, "a\n");
    terminal.answer(HUNK, "d\n");
    let ended = terminal.end();
    assert_eq!(ended.exit, Some(0), "{}", ended.shown);
    assert_eq!(repo.text("a.txt"), lines(&[5, 25, 45]));
}
