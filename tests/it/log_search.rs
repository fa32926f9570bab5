//! `log` by git's names: what records are searched for, between which, and in which form they are shown.

use crate::support::TestRepo;
use serde_json::{Value, json};

/// Edits of one file, each a git commit of the same name, too.
fn repo() -> TestRepo {
    let repo = TestRepo::with_files(&[("a.txt", "one\ntwo\nthree\n")]);
    for (name, old, new) in [
        ("First: adds wait(1)", "one", "one\nwait(1)"),
        ("second beside it", "two", "TWO"),
        ("third: Wait twice", "wait(1)", "wait(1)\nwait(2)"),
        ("fourth beside it", "three", "3"),
        ("fifth takes it away", "wait(1)\nwait(2)\n", ""),
    ] {
        let agent = json!({"name": if name.len() > 16 { "long" } else { "short" }});
        repo.apply(json!({"path": "a.txt", "old_string": old, "new_string": new, "message": name, "agent": agent}));
        repo.commit_all(name);
    }
    repo
}

/// The messages of the records that `log` finds.
fn found(repo: &TestRepo, args: &[&str]) -> Vec<String> {
    let answer = repo.redraft(&[&["log", "--json"], args].concat(), "");
    assert_eq!((answer.status, answer.err.as_str()), (0, ""), "{args:?}");
    answer.lines().iter().map(|record| record["message"].as_str().unwrap_or_default().to_owned()).collect()
}

fn ids(repo: &TestRepo) -> Vec<String> {
    let lines = repo.redraft(&["log", "--json"], "").lines();
    lines.iter().map(|record| record["id"].as_str().expect("an id").to_owned()).collect()
}

#[test]
fn changes_and_messages_are_searched_as_git_searches_them() {
    let repo = repo();
    for args in [
        &["-S", "wait("][..],
        &["-S", "WAIT("],
        &["-S", "wait(2)"],
        &["-S", "o"],
        &["-S", "nothing"],
        &["-G", "wait"],
        &["-G", "^wait.[12]"],
        &["-i", "-G", "^WAIT"],
        &["--grep", "Wait"],
        &["--grep", "wait", "-i"],
        &["-F", "--grep", "t(1"],
        &["-F", "--grep", "t.1"],
        &["--grep", "^f", "--grep", "second"],
        &["-S", "wait(1)", "--grep", "First"],
        &["-1", "-G", "wait"],
    ] {
        let git = repo.git(&[&["log", "--format=%s", "-E"], args, &["HEAD~5..HEAD"]].concat());
        assert_eq!(found(&repo, args), git.lines().collect::<Vec<_>>(), "{args:?}");
    }
    assert_eq!(found(&repo, &["-i", "-S", "WAIT(2)"]), ["fifth takes it away", "third: Wait twice"]);
    assert_eq!(found(&repo, &["--author", "short"]), ["fourth beside it", "second beside it"]);
    for bad in [["--grep", "("], ["-G", "["]] {
        let refused = repo.redraft(&["log", bad[0], bad[1]], "");
        assert!(refused.status == 2 && refused.err.contains(bad[0]), "{}", refused.err);
    }
}

/// Once, what a record did to other files counted too, and nothing matched an empty line.
#[test]
fn changes_are_searched_in_the_files_that_are_named() {
    let repo = TestRepo::with_files(&[("d/a.txt", "one\n"), ("b.txt", "two\n")]);
    let edits =
        |path: &str, old: &str, new: &str| json!({"path": path, "edits": [{"old_string": old, "new_string": new}]});
    for (message, files) in [
        ("both", vec![edits("d/a.txt", "one", "bar"), edits("b.txt", "two", "foo\n2\n3\n4\n5")]),
        ("below d", vec![edits("d/a.txt", "bar", "foo bar")]),
        ("an empty line", vec![edits("d/a.txt", "foo", "foo\n\n"), edits("b.txt", "2", "zwei")]),
        ("moved", vec![json!({"path": "b.txt", "rename_to": "d/b.txt"})]),
        (
            "moved and changed",
            vec![
                json!({"path": "d/b.txt", "rename_to": "b.txt", "edits": [{"old_string": "zwei", "new_string": "foo"}]}),
            ],
        ),
        ("away", vec![edits("b.txt", "foo\nfoo\n", ""), edits("d/a.txt", "bar", "Bar")]),
    ] {
        repo.apply(json!({"files": files, "message": message}));
        repo.commit_all(message);
    }
    for args in [
        &["-S", "foo"][..],
        &["-S", "foo", "--", "d"],
        &["-S", "foo", "--", "b.txt"],
        &["-S", "foo", "--", "b.txt", "d/a.txt"],
        &["-G", "foo", "--", "d"],
        &["-G", "foo", "--", "b.txt"],
        &["-i", "-G", "^BAR", "--", "d"],
    ] {
        let git = repo.git(&[&["log", "--format=%s", "-E", "HEAD~6..HEAD"], args].concat());
        assert_eq!(found(&repo, args), git.lines().collect::<Vec<_>>(), "{args:?}");
    }
    // Git finds one at the end of every line, too.
    assert_eq!(found(&repo, &["-G", "^$"]), ["an empty line"]);
    assert_eq!(found(&repo, &["-G", "^$", "--", "d"]), ["an empty line"]);
    assert_eq!(found(&repo, &["-G", "^$", "--", "b.txt"]), [""; 0]);
}

#[test]
fn of_a_text_every_letter_has_case_that_can_be_ignored() {
    let repo = TestRepo::with_files(&[("a.txt", "one\n")]);
    repo.apply(json!({"path": "a.txt", "old_string": "one", "new_string": "Über", "message": "Ärger"}));
    assert_eq!(found(&repo, &["-i", "-F", "--grep", "ärger"]), ["Ärger"]);
    assert_eq!(found(&repo, &["-i", "-S", "über"]), ["Ärger"]);
    assert_eq!(found(&repo, &["-F", "--grep", "ärger"]), [""; 0]);
}

/// Once, `log A..B --agent x` met neither A nor B where others had made them, as soon as they were sealed.
#[test]
fn a_range_ends_where_it_should_also_among_the_records_of_one_agent() {
    let repo = TestRepo::with_files(&[("a.txt", "1\n2\n3\n4\n5\n6\n")]);
    let edit = |line: &str, agent: &str| {
        let agent = json!({"name": agent, "session": format!("of-{agent}"), "turn": format!("turn-{agent}")});
        repo.apply(json!({"path": "a.txt", "old_string": line, "new_string": format!("new {line}"), "message": line, "agent": agent}))
    };
    edit("1", "ann");
    let (after, _, up_to) = (edit("2", "bob"), edit("3", "ann"), edit("4", "bob"));
    edit("5", "ann");
    for is_sealed in [false, true] {
        if is_sealed {
            assert_eq!(repo.redraft(&["gc"], "").status, 0);
        }
        for of in [["--agent", "ann"], ["--session", "of-ann"], ["--turn", "turn-ann"]] {
            let of = |range: &str| found(&repo, &[&[range], &of[..]].concat());
            assert_eq!(of(&format!("{after}..{up_to}")), ["3"], "sealed: {is_sealed}");
            assert_eq!(of(&format!("{after}..")), ["5", "3"], "sealed: {is_sealed}");
            assert_eq!(of(&format!("..{up_to}")), ["3", "1"], "sealed: {is_sealed}");
        }
    }
}

#[test]
fn commits_are_a_range_too() {
    let repo = repo();
    let two = ["fifth takes it away", "fourth beside it"];
    assert_eq!(found(&repo, &["HEAD~2..HEAD"]), two);
    assert_eq!(found(&repo, &["HEAD~2.."]), two);
    assert_eq!(found(&repo, &["HEAD~3..HEAD", "--commit", "HEAD~2.."]), two);
    assert_eq!(found(&repo, &["HEAD~2..HEAD", "-1"]), two[..1]);
    assert_eq!(found(&repo, &["HEAD..HEAD"]), [""; 0]);
    for (range, said) in [
        ("nope..HEAD", "\"nope\" is neither a record nor a git commit; give"),
        ("@..nope", "\"nope\" is neither a record nor a git commit; give"),
        ("@-2..HEAD", "\"@-2\" is a record, \"HEAD\" a git commit"),
    ] {
        let refused = repo.redraft(&["log", range], "");
        assert!(refused.status == 1 && refused.err.contains(said), "{}", refused.err);
    }
    let path = repo.redraft(&["log", "d/../nope"], "");
    assert!(path.status == 0 && path.err.contains("no record touched nope"), "what goes up is a path: {}", path.err);
}

#[test]
fn a_commit_names_the_records_that_it_holds() {
    let repo = repo();
    assert_eq!(found(&repo, &["--commit", "HEAD~2..HEAD"]), ["fifth takes it away", "fourth beside it"]);
    let none = repo.redraft(&["log", "--commit", "HEAD..HEAD"], "");
    assert_eq!((none.status, none.out.as_str()), (0, ""), "no commit holds no record");
    assert!(none.err.contains("HEAD..HEAD names no commit"), "{}", none.err);
    assert_eq!(found(&repo, &["--commit", "HEAD~1"]), ["fourth beside it"]);
    assert_eq!(found(&repo, &["--commit", ":/First"]), ["First: adds wait(1)"]);
    let unknown = repo.redraft(&["log", "--commit", "no-such-commit"], "");
    assert!(unknown.status != 0 && unknown.err.contains("no-such-commit"), "{}", unknown.err);
}

#[test]
fn a_range_leaves_its_beginning_out_and_has_its_end() {
    let repo = repo();
    let ids = ids(&repo);
    for is_sealed in [false, true] {
        if is_sealed {
            assert_eq!(repo.redraft(&["gc"], "").status, 0);
        }
        let of = |from: &str, to: &str| found(&repo, &[&format!("{from}..{to}")]).len();
        assert_eq!(
            found(&repo, &[&format!("{}..{}", ids[3], &ids[1][..6])]),
            ["fourth beside it", "third: Wait twice"]
        );
        assert_eq!((of("@-3", ""), of("", "@-3"), of("@", "@-1"), of("@-4", "@")), (3, 2, 0, 4));
        assert_eq!(found(&repo, &["@-3..@-1", "-n1", "a.txt"]), ["fourth beside it"]);
        assert_eq!(
            found(&repo, &["@-4..", "--reverse", "-S", "wait(2)"]),
            ["third: Wait twice", "fifth takes it away"]
        );
        let shown = repo.redraft(&["show", "@-2..@", "--json"], "").lines();
        assert_eq!(shown.iter().map(|record| record["id"].clone()).collect::<Vec<_>>(), [&ids[0][..], &ids[1]]);
        let two = repo.redraft(&["diff", "@-3", "@"], "");
        assert_eq!((two.status, &two.out), (0, &repo.redraft(&["diff", "@-3.."], "").out));
        assert!(two.out.contains("-wait(1)"), "{}", two.out);
    }
    assert_eq!(repo.redraft(&["log", "zzzz.."], "").status, 1, "there is no such record");
    // A file of such a name is a file.
    repo.write("kk..zz", "old\n");
    repo.edit("kk..zz", "old", "new");
    assert_eq!(found(&repo, &["kk..zz"]).len(), 1);
}

#[test]
fn a_format_means_what_it_means_in_git() {
    let repo = repo();
    repo.apply(json!({"path": "a.txt", "old_string": "3", "new_string": "4"}));
    assert_eq!(repo.redraft(&["gc"], "").status, 0);
    for (format, date) in [
        ("%s", "default"),
        ("tformat:%s%x09%at%%", "default"),
        ("format:%n%s %ad", "iso"),
        ("%ai %aI %aD %as", "default"),
        ("%ad", "local"),
        ("%ad", "iso-strict"),
        ("%ad", "iso-local"),
        ("%ad", "rfc"),
        ("%ad", "raw"),
        ("%ad", "unix"),
        ("%ad", "short"),
        ("%ad", "format:%d.%m.%Y %H"),
        ("%s%x00", "default"),
    ] {
        let (format, date) = (format!("--format={format}"), format!("--date={date}"));
        let own = repo.redraft(&["log", &format, &date], "");
        let git = repo.git(&["--git-dir", ".git/redraft/history.git", "log", "--all", "--topo-order", &format, &date]);
        assert_eq!((own.status, &own.out), (0, &git), "{format} {date}: {}", own.err);
    }
    let shown = |args: &[&str]| repo.redraft(&[&["log"], args].concat(), "").out;
    assert!(shown(&["-1", "--format=%ar", "--date=iso"]).contains(" ago"));
    assert_eq!(shown(&["--reverse", "-1", "--format=%an|%b%C(red)x%Creset"]), "|x\n", "the newest has neither");
    for bad in ["--format=%q", "--format=%xE9", "--format=fuller", "--date=human", "--pretty=%cn"] {
        let refused = repo.redraft(&["log", bad], "");
        assert_eq!((refused.status, refused.out.as_str()), (2, ""), "{bad}");
        assert!(refused.err.contains("%an (agent)") || refused.err.contains("iso-strict"), "{}", refused.err);
    }
}

#[test]
fn the_branch_on_which_an_edit_was_made_is_told_whatever_became_of_it() {
    let repo = TestRepo::with_files(&[("a", "one\n")]);
    let first = repo.git(&["branch", "--show-current"]).trim().to_owned();
    repo.edit("a", "one", "two");
    repo.git(&["checkout", "-q", "-b", "topic/x"]);
    repo.edit("a", "two", "three");
    repo.done(&["undo"], "");
    repo.git(&["checkout", "-q", "--detach"]);
    repo.edit("a", "two", "four");
    repo.git(&["branch", "-D", "topic/x"]);
    for _ in ["in the journal", "sealed"] {
        let log = repo.redraft(&["log", "--json"], "").out;
        let told: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        let branches: Vec<&Value> = told.iter().map(|record| &record["branch"]).collect();
        assert_eq!(branches, [&Value::Null, &json!("topic/x"), &json!("topic/x"), &json!(first)]);
        let full = repo.redraft(&["log"], "").out;
        assert_eq!(full.matches("Branch:  topic/x\nBase:    ").count(), 2, "{full}");
        assert_eq!(full.matches("Branch:  ").count(), 3, "{full}");
        repo.done(&["gc", "--json"], "");
    }
}

#[test]
fn what_is_undone_is_struck_through_and_said() {
    let repo = TestRepo::with_files(&[("a", "one\n")]);
    let id = repo.edit("a", "one", "two");
    repo.done(&["undo"], "");
    let plain = repo.redraft(&["log", "--oneline"], "").out;
    assert!(plain.lines().nth(1).expect("two").contains("(undone by "), "{plain}");
    assert!(!plain.contains('\u{1b}'));
    repo.git(&["config", "color.ui", "always"]);
    let coloured = repo.redraft(&["log", "--oneline"], "").out;
    let lines: Vec<&str> = coloured.lines().collect();
    assert!(lines[1].contains("\u{1b}[9m") && !lines[0].contains("\u{1b}[9m"), "{coloured:?}");
    let full = repo.redraft(&["log", "--date=short", "--grep", "^edit"], "").out;
    assert!(full.contains(&id) && full.contains("\u{1b}[9medit a"), "{full:?}");
    let base = repo.git(&["rev-parse", "HEAD"])[..10].to_owned();
    assert!(full.contains(&format!("Base:    {base}\n")), "{full:?}");
}

#[test]
fn files_and_lines_are_counted_wherever_git_counts_them() {
    let repo = TestRepo::with_files(&[("a", "one\ntwo\n"), ("odd \"name\"", "x\n"), ("gone", "1\n2\n")]);
    repo.apply(json!({"files": [
        {"path": "a", "edits": [{"old_string": "one", "new_string": "1\n1"}]},
        {"path": "odd \"name\"", "edits": [{"old_string": "x", "new_string": "y"}]},
        {"path": "gone", "delete": true},
        {"path": "new", "content": "n\n"},
    ], "agent": {"session": "s1"}}));
    repo.git(&["add", "-A"]);
    let want = repo.git(&["diff", "--cached", "--numstat", "--no-renames"]);
    let mut want: Vec<&str> = want.lines().collect();
    want.sort_unstable();
    let stat = repo.git(&["diff", "--cached", "--shortstat", "--no-renames"]);
    for args in [&["log", "--format=format:"][..], &["diff", "@"], &["diff", "--session", "s1"]] {
        let told = repo.redraft(&[args, &["--numstat"]].concat(), "").out;
        let mut lines: Vec<&str> = told.lines().filter(|line| !line.is_empty()).collect();
        lines.sort_unstable();
        assert_eq!(lines, want, "{args:?}");
        let told = repo.redraft(&[args, &["--stat"]].concat(), "").out;
        assert!(told.ends_with(&stat), "{args:?}: {told} {stat}");
    }
    let shown = repo.redraft(&["show", "--stat"], "").out;
    assert!(shown.starts_with("record ") && shown.ends_with(&stat) && !shown.contains("@@"), "{shown}");
    assert_eq!(repo.redraft(&["show", "--json", "--stat"], "").status, 2);
}

/// Once, `diff --numstat` said that nothing changed where nobody knows.
#[test]
fn what_is_not_kept_is_not_counted() {
    let repo = TestRepo::with_files(&[(".gitignore", "*.env\n"), ("a", "one\n")]);
    repo.write("x.env", "one\n");
    let files = json!([
        {"path": "x.env", "edits": [{"old_string": "one", "new_string": "two\nthree"}]},
        {"path": "a", "edits": [{"old_string": "one", "new_string": "two"}]},
    ]);
    let id = repo.apply(json!({"files": files}));
    assert_eq!(repo.redraft(&["gc"], "").status, 0);
    let told = repo.redraft(&["diff", "--numstat", &id], "").out;
    assert_eq!(told, repo.redraft(&["log", "--format=format:", "--numstat"], "").out.trim_start_matches('\n'));
    assert!(told.contains("-\t-\tx.env\n") && told.contains("1\t1\ta\n"), "{told}");
}
