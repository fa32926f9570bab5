//! What only the log tells, where equal lines leave a look at the texts in doubt: it has all that was done to the file.

use crate::support::TestRepo;

fn with(text: &str) -> TestRepo {
    TestRepo::with_files(&[("f", text)])
}

#[track_caller]
fn holds(repo: &TestRepo, text: &str) {
    assert_eq!(repo.text("f"), text);
}

/// Changes the file as another program does, which `redraft run` watches.
fn run(repo: &TestRepo, text: &str) -> String {
    repo.write(".git/new", text);
    repo.redraft(&["run", "--", "cp", ".git/new", "f"], "");
    repo.redraft(&["log", "-n", "1", "--json"], "").lines()[0]["id"].as_str().expect("a record").to_owned()
}

/// Seen: "nothing to undo: what it did is taken back already", of a line that another record had doubled and that stood there.
#[test]
fn a_doubled_line_is_there_when_the_block_beside_it_was_undone() {
    for (base, old, block) in
        [("a\nb\n", "b\n", "fn x\n}\n"), ("b\n", "b\n", "fn x\n}\n"), ("a\np\nb\n", "a\n", "x\np\n")]
    {
        let repo = with(base);
        let new = if old == "a\n" { format!("a\n{block}") } else { format!("{block}{old}") };
        let first = repo.edit("f", old, &new);
        let last = block.split_inclusive('\n').next_back().expect("a line");
        let second = repo.edit("f", block, &format!("{block}{last}"));
        repo.done(&["undo", &first], "");
        repo.done(&["undo", &second], "");
        holds(&repo, base);
        repo.done(&["redo", &second], "");
        repo.done(&["undo", &second], "");
        holds(&repo, base);
    }
    // The next line begins as the one that is doubled.
    let repo = with("a\n  w2\n");
    let first = repo.edit("f", "a\n", "a\n  w1\n");
    let second = repo.edit("f", "  w1\n", "  w1\n  w1\n");
    repo.done(&["undo", &first], "");
    repo.done(&["undo", &second], "");
    holds(&repo, "a\n  w2\n");
    // Doubled by another program.
    let repo = with("a\nb\n");
    let first = repo.edit("f", "b\n", "fn x\n}\nb\n");
    let second = run(&repo, "a\nfn x\n}\n}\nb\n");
    repo.done(&["undo", &first], "");
    repo.done(&["undo", &second], "");
    holds(&repo, "a\nb\n");
    // Somebody took it out by hand.
    let repo = with("a\nb\n");
    let first = repo.edit("f", "b\n", "fn x\n}\nb\n");
    let second = repo.edit("f", "fn x\n}\n", "fn x\n}\n}\n");
    repo.done(&["undo", &first], "");
    repo.write("f", "a\nb\n");
    assert!(repo.said(&["undo", &second]).contains("taken back already"));
    // An agent did: which of the two that was is not known.
    let repo = with("a\nb\n");
    repo.edit("f", "b\n", "fn x\n}\nb\n");
    let second = repo.edit("f", "fn x\n}\n", "fn x\n}\n}\n");
    repo.edit("f", "fn x\n}\n}\n", "fn x\n}\n");
    assert!(repo.said(&["undo", &second]).contains("taken back already"));
}

/// Seen: another record's line went, where the record's own had been deleted by a later one.
#[test]
fn a_line_that_a_later_record_deleted_is_not_the_one_that_another_wrote_again() {
    let repo = with("x\nbar\nfoo w\n}\n");
    let first = repo.edit("f", "x\n", "x\nfoo w\n");
    let deleted = repo.edit("f", "foo w\nbar\n", "bar\n");
    let other = repo.edit("f", "bar\n", "");
    let doubled = repo.edit("f", "foo w\n", "foo w\nfoo w\n");
    assert!(repo.said(&["undo", &first]).contains("taken back already"));
    holds(&repo, "x\nfoo w\nfoo w\n}\n");
    for id in [&doubled, &other, &deleted, &first] {
        repo.done(&["undo", id], "");
    }
    holds(&repo, "x\nbar\nfoo w\n}\n");
}

/// Seen: a record that was undone was undone once more, and a committed line went, as a newer one had been asked for after an older one.
#[test]
fn where_all_is_undone_there_is_nothing_left() {
    let repo = with(")\nbar baz\n");
    let first = run(&repo, "bar baz\n)\n");
    let second = repo.edit("f", ")\n", ")\nbar baz\n");
    let third = run(&repo, "bar baz\n)\nbar baz\nbar baz\n");
    let fourth = run(&repo, "bar baz\nbar baz\nbar baz\n");
    let fifth = repo.edit("f", "bar baz\nbar baz\nbar baz\n", "bar baz\nw3\nbar baz\nbar baz\n");
    repo.done(&["undo", &fifth, &third, &second], "");
    repo.done(&["undo"], "");
    repo.done(&["redo"], "");
    repo.done(&["undo", &fourth, &first], "");
    holds(&repo, ")\nbar baz\n");
    assert_eq!(repo.refused(&["undo"], ""), "nothing_to_undo");
    holds(&repo, ")\nbar baz\n");
}

/// Seen: "lines would come back that another record wrote, and that one was taken back since", of a line of a record that is in force, and
/// of a file that is as it was before.
#[test]
fn lines_come_back_that_nobody_took_back() {
    let repo = with("let a = x0;\nsep\nlet b = x0;\nsep\n");
    repo.edit("f", "let b = x0;", "let b = x4;");
    let second = repo.edit("f", "let b = x4;", "let b = x5;");
    repo.done(&["undo", &second], "");
    let third = repo.edit("f", "let a = x0;", "let a = x4;");
    let fourth = repo.edit("f", "let b = x4;", "let b = x5;");
    repo.done(&["undo", &third], "");
    repo.done(&["undo", &fourth], "");
    holds(&repo, "let a = x0;\nsep\nlet b = x4;\nsep\n");

    let repo = with("a\np\nb\nc\n");
    let first = repo.edit("f", "a\n", "a\nx\np\n");
    let second = repo.edit("f", "b\n", "b\np\n");
    repo.done(&["undo", &first], "");
    repo.done(&["undo", &second], "");
    repo.done(&["redo", &first], "");
    holds(&repo, "a\nx\np\np\nb\nc\n");
}
