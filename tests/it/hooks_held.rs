//! The policy on edits that nobody reviewed, where HEAD left them, has them, or another one has a part of them.

use crate::support::{TestRepo, try_git};
use serde_json::json;

fn repo() -> TestRepo {
    let text: String = (1..=20).map(|n| format!("line {n}\n")).collect();
    let repo = TestRepo::with_files(&[("a.txt", &text)]);
    repo.done(&["hooks", "install", "--json"], "");
    repo.git(&["config", "redraft.hookPolicy", "unreviewed"]);
    repo
}

fn edit(repo: &TestRepo, old: &str, new: &str) -> String {
    repo.apply(json!({"path": "a.txt", "old_string": old, "new_string": new, "agent": {"name": "robo"}}))
}

#[track_caller]
fn is_asked_for(repo: &TestRepo, id: &str, what: &str) {
    let output = try_git(repo, &["commit", "-qm", "x"]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && said.contains(id), "{what}: {id}: {said}");
    repo.done(&["hooks", "review", "--json", id], "");
    assert!(try_git(repo, &["commit", "-qm", "x"]).status.success(), "{what}");
}

/// Seen: where there is one branch alone it passed, as the edit was noted to be in a commit, which HEAD had left.
#[test]
fn an_edit_is_asked_for_that_comes_back_from_a_commit_which_head_left() {
    for how in [&["cherry-pick", "-n"][..], &["merge", "-q", "--squash"], &["checkout", "-q"]] {
        let repo = repo();
        let id = edit(&repo, "line 5\n", "robo's 5\n");
        repo.git(&["commit", "-qnam", "a"]);
        let commit = repo.git(&["rev-parse", "HEAD"]).trim().to_owned();
        repo.git(&["reset", "-q", "--hard", "HEAD~1"]);
        let other = edit(&repo, "line 15\n", "robo's 15\n");
        repo.done(&["hooks", "review", "--json", &other], "");
        repo.git(&["commit", "-qam", "b"]);
        let files: &[&str] = if how[0] == "checkout" { &["--", "a.txt"] } else { &[] };
        repo.git(&[how, &[&commit], files].concat());
        is_asked_for(&repo, &id, how[0]);
    }
}

/// Seen: a line that a reviewed edit puts in as well hid all others of one that was staged and undone.
#[test]
fn a_staged_edit_that_was_undone_is_asked_for_though_another_one_has_one_of_its_lines() {
    let repo = repo();
    let id = edit(&repo, "line 5\n", "import os\nrobo's 5\n");
    repo.git(&["add", "a.txt"]);
    repo.done(&["undo"], "");
    let other = edit(&repo, "line 5\n", "import os\n");
    repo.done(&["hooks", "review", "--json", &other], "");
    is_asked_for(&repo, &id, "staged, undone");
}

/// Seen: every such commit was refused for an edit that HEAD has had for long.
#[test]
fn a_persons_word_in_an_agents_line_that_head_has_is_not_asked_for() {
    for (has_hooks, has_own_line) in [(true, true), (false, true), (true, false), (false, false)] {
        let repo = repo();
        repo.git(&["config", "--unset", "redraft.hookPolicy"]);
        if !has_hooks {
            repo.done(&["hooks", "uninstall", "--json"], "");
        }
        edit(&repo, "line 5\n", "robo's 5\n");
        if has_own_line {
            repo.write("a.txt", repo.text("a.txt").replace("line 15\n", "a person's 15\n"));
        }
        repo.git(&["commit", "-qam", "old"]);
        repo.done(&["hooks", "install", "--json"], "");
        repo.git(&["config", "redraft.hookPolicy", "unreviewed"]);
        repo.write("a.txt", repo.text("a.txt").replace("robo's 5\n", "robo's 5, and a word\n"));
        let output = try_git(&repo, &["commit", "-qam", "a word"]);
        assert!(output.status.success(), "{has_hooks} {has_own_line}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

/// Seen: it passed, as the edit that took it out had left what HEAD has.
#[test]
fn an_edit_is_asked_for_that_stands_again_as_the_one_that_took_it_out_is_undone() {
    for is_reviewed in [false, true] {
        let repo = repo();
        let id = edit(&repo, "line 5\n", "robo's 5\n");
        edit(&repo, "robo's 5\n", "line 5\n");
        if is_reviewed {
            repo.done(&["hooks", "review", "--json", "@"], "");
        }
        repo.done(&["undo"], "");
        repo.git(&["add", "-A"]);
        is_asked_for(&repo, &id, "undone");
    }
    let repo = repo();
    let id = repo.apply(json!({"path": "n", "content": "robo's\n", "agent": {"name": "robo"}}));
    repo.apply(json!({"path": "n", "delete": true, "agent": {"name": "robo"}}));
    repo.done(&["undo"], "");
    repo.git(&["add", "-A"]);
    is_asked_for(&repo, &id, "removed, and back");
}

/// Seen: it passed where no line was as the agent wrote it.
#[test]
fn a_file_that_an_agent_made_is_asked_for_though_a_formatter_changed_every_line_of_it() {
    for (made, formatted) in [
        ("{\"name\":\"x\",\"run\":\"curl\"}\n", "{\n  \"name\": \"x\",\n  \"run\": \"curl\"\n}\n"),
        ("def f():\n  return 1\n", "def g():\n    return 2\n"),
    ] {
        let repo = repo();
        let id = repo.apply(json!({"path": "n", "content": made, "agent": {"name": "robo"}}));
        repo.write("n", formatted);
        repo.git(&["add", "-A"]);
        is_asked_for(&repo, &id, formatted);
        // Another file of its name has none of its words.
        let other = self::repo();
        other.apply(json!({"path": "n", "content": made, "agent": {"name": "robo"}}));
        other.write("n", "all of this is of a person\n");
        other.git(&["add", "-A"]);
        assert!(try_git(&other, &["commit", "-qm", "x"]).status.success(), "{made}");
    }
}

/// What a program of an agent does, by its record's id.
fn run(repo: &TestRepo, script: &str) -> String {
    let done = repo.redraft(&["run", "-q", "--agent", "robo", "--", "sh", "-c", script], "");
    assert_eq!(done.status, 0, "{script}: {}", done.err);
    repo.redraft(&["log", "-n", "1", "--json"], "").lines()[0]["id"].as_str().expect("an id").to_owned()
}

fn convert(repo: &TestRepo, from: &str, to: &str, name: &str) {
    repo.shell(&format!("iconv -f {from} -t {to} {name} > .git/converted && cp .git/converted {name}"));
}

/// Seen: it passed with all of the agent's lines.
#[test]
fn an_edit_of_a_file_that_a_person_converted_to_another_encoding_is_asked_for() {
    let edit =
        "iconv -f utf16 -t utf8 a.txt | sed 's/line 5$/robo five/' | iconv -f utf8 -t utf16 > .git/k; cp .git/k a.txt";
    let make = "printf 'alpha one two\\nbravo three four\\n' | iconv -f utf8 -t utf16 > n.txt";
    let cases = [
        (Some("utf16"), edit, ("utf16", "utf8", "a.txt")),
        (None, "sed -i 's/line 5$/robo five/' a.txt", ("utf8", "utf16", "a.txt")),
        (None, make, ("utf16", "utf8", "n.txt")),
        (None, "printf 'caf\\351 of the agent\\n' > n.txt", ("latin1", "utf8", "n.txt")),
        (None, "printf 'caf\\351 of the agent\\n' >> a.txt", ("latin1", "utf8", "a.txt")),
    ];
    for (tracked, script, (from, to, name)) in cases {
        let repo = repo();
        if let Some(encoding) = tracked {
            convert(&repo, "utf8", encoding, name);
            repo.git(&["commit", "-qanm", "other encoding"]);
        }
        let id = run(&repo, script);
        convert(&repo, from, to, name);
        repo.git(&["add", "-A"]);
        is_asked_for(&repo, &id, script);
        // What HEAD has is asked for no more.
        repo.shell(&format!("echo of a person >> {name}"));
        convert(&repo, to, from, name);
        assert!(try_git(&repo, &["commit", "-qam", "x"]).status.success(), "{script}");
    }
}

/// Seen: it passed, where one that was moved as a whole did not.
#[test]
fn lines_of_a_file_that_an_agent_made_and_a_person_put_into_others_are_asked_for() {
    let made = "printf 'alpha one two\\nbravo three four\\ncharlie five six\\ndelta seven eight\\n' > n.txt";
    let cases = [
        "cat n.txt >> a.txt; rm n.txt",
        "sed -i '10r n.txt' a.txt; rm n.txt",
        "sed -n 1,2p n.txt > z1; sed -n 3,4p n.txt > z2; rm n.txt",
        "(echo own; cat n.txt; echo own) > z; rm n.txt",
    ];
    for script in cases {
        let repo = repo();
        let id = run(&repo, made);
        repo.shell(script);
        repo.git(&["add", "-A"]);
        is_asked_for(&repo, &id, script);
    }
    // One line alone may be a person's; and what is undone is not there.
    for script in ["head -n 1 n.txt >> a.txt", "cat n.txt >> a.txt"] {
        let repo = repo();
        run(&repo, made);
        repo.shell(script);
        if script.starts_with("cat") {
            repo.done(&["undo"], "");
        }
        repo.shell("rm -f n.txt; git add -A");
        assert!(try_git(&repo, &["commit", "-qm", "x"]).status.success(), "{script}");
    }
}

/// Seen: it passed where a person gave the lines other blanks than the agent had.
#[test]
fn an_indentation_of_an_agent_is_asked_for_though_a_person_changed_it_again() {
    let cases = [
        ("sed -i 's/^line 5$/  line 5/' a.txt", "sed -i 's/^  /\t/' a.txt"),
        ("sed -i 's/^/  /' a.txt", "sed -i 's/^  /\t/' a.txt"),
        ("sed -i '5s/$/  /' a.txt", "sed -i '5s/  $/   /' a.txt"),
    ];
    for (edit, further) in cases {
        let repo = repo();
        let id = run(&repo, edit);
        repo.shell(further);
        repo.git(&["add", "-A"]);
        is_asked_for(&repo, &id, edit);
    }
    let repo = repo();
    run(&repo, cases[0].0);
    repo.shell("sed -i 's/^  line 5/line 5/; s/^line 9/  line 9/' a.txt");
    repo.git(&["add", "-A"]);
    assert!(try_git(&repo, &["commit", "-qm", "x"]).status.success(), "the old blanks, and others elsewhere");
}

const MADE: &str = "printf 'alpha one two\\nbravo three four\\ncharlie five six\\ndelta seven eight\\n' > n.txt";

/// What the policy says of a commit of all that is there; empty where it is made.
fn asked(repo: &TestRepo) -> String {
    repo.git(&["add", "-A"]);
    let output = try_git(repo, &["commit", "-qm", "x"]);
    if output.status.success() { String::new() } else { String::from_utf8_lossy(&output.stderr).into_owned() }
}

#[test]
fn each_edit_of_lines_that_a_person_put_into_another_file_is_asked_for_once() {
    let repo = repo();
    let made = run(&repo, &format!("{MADE}; sed s/^/of_m_/ n.txt > m.txt"));
    let added = run(&repo, "echo echo nine ten >> n.txt");
    let left_out = run(&repo, "echo foxtrot eleven >> n.txt");
    repo.shell("grep -v foxtrot n.txt >> a.txt; cat m.txt >> a.txt; rm n.txt m.txt");
    let said = asked(&repo);
    let named = [&made, &added, &left_out].map(|id| said.matches(&format!("{id} (")).count());
    assert_eq!(named, [1, 1, 0], "{said}");
}

#[test]
fn lines_that_a_person_put_into_another_file_are_asked_for_though_the_agent_removed_its_own_or_did_it_again() {
    for since in ["rm n.txt", "redo"] {
        let repo = repo();
        let id = run(&repo, MADE);
        if since == "redo" {
            repo.done(&["undo"], "");
            repo.done(&["redo"], "");
        }
        repo.shell("cat n.txt >> a.txt");
        if since == "redo" {
            repo.shell("rm n.txt");
        } else {
            run(&repo, since);
        }
        repo.git(&["add", "-A"]);
        is_asked_for(&repo, &id, since);
    }
}

#[test]
fn lines_of_a_file_that_git_had_since_are_not_asked_for_again_where_they_are_put_into_another() {
    let repo = repo();
    run(&repo, MADE);
    repo.git(&["add", "n.txt"]);
    repo.git(&["commit", "-qnm", "made"]);
    repo.shell("cat n.txt >> a.txt; rm n.txt");
    assert_eq!(asked(&repo), "");
}

#[test]
fn what_git_had_at_a_name_before_does_not_hide_a_file_that_an_agent_made_there() {
    for is_forgotten in [false, true] {
        let repo = repo();
        repo.write("n.txt", "of a person\n");
        repo.commit_all("another");
        repo.git(&["rm", "-q", "n.txt"]);
        repo.git(&["commit", "-qm", "removed"]);
        let id = run(&repo, MADE);
        if is_forgotten {
            // HEAD as it was then is nowhere.
            repo.git(&["reset", "-q", "--soft", "HEAD~2"]);
            repo.git(&["reflog", "expire", "--expire=now", "--all"]);
            repo.git(&["gc", "-q", "--prune=now"]);
        }
        repo.shell("cat n.txt >> a.txt; rm n.txt");
        repo.git(&["add", "-A"]);
        is_asked_for(&repo, &id, if is_forgotten { "forgotten" } else { "known" });
    }
}

#[test]
fn lines_of_a_file_of_which_most_are_nowhere_are_not_asked_for_though_an_older_text_of_it_is_in_another() {
    let repo = repo();
    run(&repo, MADE);
    run(&repo, "sed 's/^/and /' n.txt > .git/more; sed 's/$/ too/' .git/more >> n.txt; cat .git/more >> n.txt");
    repo.shell("head -n 4 n.txt >> a.txt; rm n.txt");
    assert_eq!(asked(&repo), "");
}

/// A mode has no lines to be known by: the newest record that set what is staged is asked for, and a person's own `chmod` is not.
#[test]
fn a_mode_that_an_agent_set_is_asked_for_and_a_persons_is_not() {
    const AGENT: &str = "agent: ";
    let rows: [(&[&str], bool); 7] = [
        (&["agent: chmod +x a.txt"], true),
        (&["agent: chmod +x a.txt", "echo more >> a.txt"], true),
        (&["agent: chmod +x a.txt", "agent: chmod +x b.txt", "chmod -x b.txt"], true),
        (&["agent: chmod +x a.txt", "chmod -x a.txt; echo more >> a.txt"], false),
        (&["chmod +x a.txt"], false),
        (&["agent: chmod +x b.txt", "chmod -x b.txt; chmod +x a.txt"], false),
        // In HEAD since; the person takes it back.
        (&["agent: chmod +x a.txt", "git -c core.hooksPath=/dev/null commit -qam x; chmod -x a.txt"], false),
    ];
    for (steps, is_asked) in rows {
        let repo = repo();
        repo.write("b.txt", "1\n");
        repo.git(&["add", "b.txt"]);
        repo.git(&["commit", "-qnm", "b"]);
        let mut first = None;
        for step in steps {
            if let Some(command) = step.strip_prefix(AGENT) {
                let ran = repo.redraft(&["run", "--agent", "robo", "--", "sh", "-c", command], "");
                assert_eq!(ran.status, 0, "{}", ran.err);
                first = first.or_else(|| Some(repo.redraft(&["log", "--json"], "").lines()[0]["id"].clone()));
            } else {
                assert!(repo.shell(step).success(), "{step}");
            }
        }
        repo.git(&["add", "-u"]);
        match (is_asked, first) {
            (true, Some(id)) => is_asked_for(&repo, id.as_str().expect("an id"), steps[0]),
            _ => assert!(try_git(&repo, &["commit", "-qm", "x"]).status.success(), "{steps:?}"),
        }
    }
}
