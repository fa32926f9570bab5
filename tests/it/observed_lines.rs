//! Whose lines are that git put into a file while a command ran: whichever way it did, and whatever became of the branches.

use crate::support::{TestRepo, clean};
use serde_json::Value;
use std::process::Command;

const EDIT: &str = "sed -i 's/^line 15$/line 15 of bot/' f";

fn lines(changed: &[(usize, &str)]) -> String {
    let line = |n| {
        changed.iter().find(|(at, _)| *at == n).map_or_else(|| format!("line {n}\n"), |(_, line)| format!("{line}\n"))
    };
    (1..=20).map(line).collect()
}

/// A file that Bob changed on the branch `bob`, which `main` of the remote has, and what somebody did since on `main`.
fn repo(rules: &str, since: &str) -> TestRepo {
    let repo = TestRepo::with_files(&[("f", &lines(&[])), ("g", "g\n"), (".gitattributes", rules)]);
    repo.git(&["checkout", "-q", "-b", "bob"]);
    repo.write("f", lines(&[(3, "line three of Bob")]));
    repo.write("g", "g of Bob\n");
    repo.commit_all("Bob's");
    repo.git(&["clone", "-q", "--bare", ".", ".git/remote.git"]);
    repo.git(&["--git-dir=.git/remote.git", "branch", "-f", "main", "bob"]);
    repo.git(&["checkout", "-q", "main"]);
    repo.git(&["remote", "add", "origin", ".git/remote.git"]);
    shell(&repo, &format!("rm f; git checkout f; {since}"));
    repo.git(&["repack", "-adq"]);
    repo
}

fn shell(repo: &TestRepo, script: &str) {
    let mut command = Command::new("sh");
    let done = clean(command.args(["-c", script]), &repo.root()).output().expect("a shell runs");
    assert!(done.status.success(), "{script}: {}", String::from_utf8_lossy(&done.stderr));
}

fn run(repo: &TestRepo, script: &str) {
    let script = format!("unset GIT_AUTHOR_DATE GIT_COMMITTER_DATE; {script}");
    repo.redraft(&["run", "--agent", "bot", "--", "sh", "-c", &script], "");
}

fn persons(repo: &TestRepo) -> Vec<String> {
    repo.text("f").lines().filter(|line| line.contains("Bob") || line.contains("Ada")).map(str::to_owned).collect()
}

fn of_bot(repo: &TestRepo) -> Vec<String> {
    let blamed = repo.redraft(&["blame", "f", "--json"], "").lines();
    let is_bots = |line: &&Value| line["agent"] == "bot";
    blamed.iter().filter(is_bots).map(|line| line["text"].as_str().expect("a text").trim_end().to_owned()).collect()
}

/// Runs a command; nothing of a person's is the bot's, and undo leaves all of it.
#[track_caller]
fn check_theirs((rules, since): (&str, &str), script: &str) {
    let repo = repo(rules, since);
    run(&repo, script);
    let (stood, blamed) = (persons(&repo), of_bot(&repo));
    assert!(!stood.is_empty() && blamed.iter().all(|line| line.contains("of bot")), "{script}: {stood:?} {blamed:?}");
    repo.redraft(&["undo"], "");
    assert_eq!(persons(&repo), stood, "{script}");
    assert!(!repo.text("f").contains("of bot"), "{script}: {}", repo.text("f"));
}

/// Runs a command; its own line is in a record, and undo takes it out, and nothing of a person's.
#[track_caller]
fn check_own(since: &str, script: &str) {
    let repo = repo("", since);
    run(&repo, script);
    let stood = persons(&repo);
    assert!(repo.text("f").contains("of bot"), "{script}: {}", repo.text("f"));
    assert_eq!(repo.redraft(&["log", "--json"], "").lines().len(), 1, "{script}");
    repo.done(&["undo"], "");
    assert!(persons(&repo).len() >= stood.len() && !repo.text("f").contains("of bot"), "{script}: {}", repo.text("f"));
}

const ADA: &str = "sed -i 's/^line 7$/line 7 of Ada/' f; git commit -qam ada";

/// Seen: with an edit that the command committed before, all of the merge was the command's.
#[test]
fn lines_of_a_merge_pull_or_rebase_behind_a_commit_of_the_command_are_no_edit() {
    for bring in [
        "git merge -q --no-edit bob",
        "git rebase -q bob",
        "git pull -q --no-rebase --no-edit origin main",
        "git pull -q --rebase origin main",
    ] {
        check_theirs(("", "true"), &format!("{EDIT}; git commit -qam x; {bring}"));
    }
    let dirty = "sed -i 's/^line 10$/line 10 of Ada/' f";
    check_theirs(("", dirty), &format!("{EDIT}; git pull -q --rebase --autostash origin main; git commit -qam x"));
    check_theirs(
        ("", "true"),
        &format!("git checkout -q -b t; {EDIT}; git commit -qam x; git checkout -q bob; git cherry-pick t"),
    );
}

/// Seen: so were the lines of a file without a conflict, where another one had one.
#[test]
fn lines_beside_a_conflict_in_another_file_are_no_edit() {
    let since = format!("echo 'g ada' > g; {ADA}");
    let gone = format!("{since}; git branch -qD bob; git reflog expire --expire=now --all; git gc -q --prune=now");
    let resolve = "echo both > g";
    for bring in [
        "git pull -q --no-rebase --no-edit origin main",
        "git fetch -q origin; git cherry-pick origin/main",
        "git fetch -q origin; git merge --squash origin/main",
    ] {
        check_theirs(("", &gone), &format!("{bring}; {resolve}; git commit -qam done"));
    }
    let further = format!("{since}; git checkout -q bob; echo more >> f; git commit -qam more; git checkout -q main");
    check_theirs(("", &further), &format!("git cherry-pick bob~1; {resolve}; git add -A; git cherry-pick --continue"));
    check_theirs(("", "true"), &format!("git merge -q --no-commit --no-ff bob; {EDIT}; git commit -qam merged"));
}

/// Seen: so were those of a squash of a branch that was deleted behind it, of a pick of no branch's last commit, and of files that git converts.
#[test]
fn lines_of_a_squash_or_pick_are_no_edit_whatever_became_of_the_branch_and_however_git_stores_them() {
    let squash = "git merge -q --squash bob; git commit -qm sq";
    check_theirs(("", "true"), &format!("{squash}; git branch -qD bob"));
    check_theirs(("", "true"), &format!("{squash}; git branch -qf bob main"));
    let further = "git checkout -q bob; echo more >> f; git commit -qam more; git checkout -q main";
    check_theirs(("", further), "git cherry-pick -n bob~1; git commit -qm x");
    for rules in ["* text eol=crlf", "f filter=up", "f ident"] {
        for bring in [squash, "git cherry-pick -n bob; git commit -qm x"] {
            check_theirs((rules, "git config filter.up.smudge cat; git config filter.up.clean cat"), bring);
        }
    }
}

/// Seen: so were those of what was picked, or taken out of the stash, without a commit, and edited and committed, and of a file of another branch.
#[test]
fn lines_that_left_no_other_trace_are_no_edit_beside_one() {
    for bring in ["git cherry-pick -n bob", "git checkout -q bob -- f"] {
        check_theirs(("", "true"), &format!("{bring}; {EDIT}; git commit -qam x"));
        check_theirs(("", "true"), &format!("{bring}; {EDIT}"));
    }
    check_theirs(
        ("", "sed -i 's/^line 7$/line 7 of Ada/' f; git stash -q"),
        &format!("git stash apply -q; {EDIT}; git commit -qam x"),
    );
}

/// Seen: so were those of commits that the command made one of, by a reset.
#[test]
fn lines_of_commits_that_a_reset_makes_one_of_are_no_edit() {
    check_theirs(("", "true"), "git checkout -q bob; git reset -q --soft main; git commit -qm one");
    check_theirs(("", "true"), "git checkout -q bob; git reset -q HEAD~1; git commit -qam again");
    check_theirs(("", ADA), "git checkout -q bob; git rebase -q main; git reset -q --soft main; git commit -qm one");
}

/// Seen: a file that git did not track and that a person had put away was the command's, and undo removed it.
#[test]
fn a_file_out_of_the_stash_that_git_did_not_track_is_no_edit() {
    for bring in ["git stash pop -q", "git stash apply -q; git add -A; git commit -qm u"] {
        let repo = repo("", "echo 'of Ada' > u; git stash -qu");
        run(&repo, bring);
        assert_eq!(
            (repo.text("u").as_str(), repo.redraft(&["log", "--json"], "").lines().len()),
            ("of Ada\n", 0),
            "{bring}"
        );
    }
}

/// Seen: what a command committed on a branch of its own was recorded nowhere once git put it together with other commits.
#[test]
fn what_a_command_commits_is_its_edit_whichever_way_git_brings_it_back() {
    let own = format!("git checkout -q -b t; {EDIT}; git commit -qam x");
    for bring in [
        "git rebase -q bob; git checkout -q main; git merge -q t",
        "git checkout -q main; git merge -q bob; git merge -q --no-edit t",
        "git checkout -q main; git merge -q bob; git cherry-pick t",
        "git checkout -q main; git gc -q; git merge -q --squash t; git commit -qm t",
    ] {
        check_own("true", &format!("{own}; {bring}"));
    }
    check_own(
        "true",
        &format!("git worktree add -q .git/wt -b t; (cd .git/wt; {EDIT}; git commit -qam x); git merge -q t"),
    );
    let resolve = "sed -i '/^[<=>]/d; s/^line 3 of Ada$/line three of bot/' f; git add f";
    let against = "sed -i 's/^line 3$/line 3 of Ada/' f; git commit -qam ada";
    check_own(against, &format!("git rebase bob; {resolve}; GIT_EDITOR=true git rebase --continue"));
    check_own(
        ADA,
        &format!(
            "GIT_SEQUENCE_EDITOR='sed -i 1s/pick/edit/' git rebase -q -i HEAD~1; {EDIT}; git add -A; GIT_EDITOR=true git rebase --continue"
        ),
    );
}

/// Seen: without a log of HEAD a switch of branches was an edit, and undo wrote one branch's lines over the other's.
#[test]
fn a_switch_of_branches_is_no_edit_where_head_has_no_log() {
    let logless = format!("{ADA}; git config core.logAllRefUpdates false; rm -rf .git/logs");
    for (since, script) in
        [(logless.as_str(), "git checkout -q bob"), (ADA, "git checkout -q bob; git reflog expire --expire=now --all")]
    {
        let repo = repo("", since);
        run(&repo, script);
        assert_eq!(repo.redraft(&["log", "--json"], "").lines().len(), 0, "{script}");
    }
    let repo = repo("", &logless);
    run(&repo, &format!("{EDIT}; git commit -qam x"));
    assert_eq!(repo.redraft(&["log", "--json"], "").lines().len(), 1);
}

/// Seen: a person's side of a conflict was the command's, though it did nothing but stop there.
#[test]
fn a_conflict_is_no_edit_whichever_way_git_comes_to_it() {
    let against = "sed -i 's/^line 3$/line 3 of Ada/' f; git commit -qam ada";
    for bring in [
        "git rebase bob",
        "git pull -q --rebase origin main",
        "git cherry-pick bob",
        "git cherry-pick -n bob",
        "git merge bob",
        "git checkout -q bob; git merge main",
    ] {
        let repo = repo("", against);
        run(&repo, bring);
        assert!(repo.text("f").contains("<<<<<<<"), "{bring}");
        assert_eq!(repo.redraft(&["log", "--json"], "").lines().len(), 0, "{bring}");
        check_theirs(("", against), &format!("{EDIT}; git commit -qam x; {bring}"));
    }
}

/// Seen: the heading was taken for a conflict, and all that the merge brought was the command's.
#[test]
fn lines_of_a_merge_are_no_edit_in_a_file_with_an_underlined_heading() {
    let since = "printf 'Heading\n=======\n' >> f; git commit -qam ada";
    check_theirs(("", since), &format!("{EDIT}; git commit -qam x; git merge -q --no-edit bob"));
}

/// Seen: what was edited in another file than the conflict's was the picked commit's.
#[test]
fn an_edit_of_another_file_beside_a_conflict_is_one() {
    let against = "echo 'g ada' > g; git commit -qam ada";
    for done in ["git commit -qam picked", "git add -A; GIT_EDITOR=true git cherry-pick --continue"] {
        let further = format!(
            "{against}; git checkout -q bob; echo h > h; git add h; git commit -qm h; echo 'g of Bob again' > g; git commit -qam again; git checkout -q main"
        );
        check_own(&further, &format!("git cherry-pick bob; echo both > g; {EDIT}; {done}"));
    }
}

/// Seen: they were the command's where their maker had its name, as on one's own machine is the rule, and undo took them out.
#[test]
fn what_somebody_commits_elsewhere_while_a_command_runs_is_no_edit_of_it() {
    let commit = |dir: &str| {
        let commit = "git -c user.name=\"$name\" -c user.email=\"$mail\" commit -qam ada; git push -q origin HEAD:main";
        let edit = "sed -i 's/^line 7$/line seven of Ada/' f";
        format!("name=$(git config user.name); mail=$(git config user.email); (cd {dir}; {edit}; {commit})")
    };
    let clone = format!("git clone -q .git/remote.git .git/clone; {}", commit(".git/clone"));
    let worktree = commit("../elsewhere");
    for (elsewhere, bring) in [
        (&clone, "git pull -q --no-rebase --no-edit origin main"),
        (&clone, "git fetch -q origin; git checkout -q origin/main -- f"),
        (&worktree, "git merge -q --no-edit elsewhere"),
        (&worktree, "git merge -q --squash elsewhere; git commit -qm squashed"),
        (&worktree, "git checkout -q elsewhere -- f"),
        (&worktree, "git cherry-pick elsewhere"),
    ] {
        let since = "git worktree add -q -b elsewhere ../elsewhere bob; git reset -q --hard bob; git commit -q --allow-empty -m on";
        let alone = repo("", since);
        run(&alone, &format!("{elsewhere}; {bring}"));
        assert_eq!(persons(&alone), ["line three of Bob", "line seven of Ada"], "{bring}");
        assert_eq!(alone.redraft(&["log", "--json"], "").lines().len(), 0, "{bring}");
        // Beside an edit of the command's own, where that stays.
        if !bring.contains("checkout") {
            let beside = repo("", since);
            run(&beside, &format!("{EDIT}; git commit -qam bot; {elsewhere}; {bring}"));
            assert_eq!(of_bot(&beside), ["line 15 of bot"], "{bring}");
            assert_eq!(persons(&beside), ["line three of Bob", "line seven of Ada"], "{bring}");
        }
    }
}

/// Seen: what the command took out was recorded nowhere, and undo of what it changed brought nothing back: git had ended the lines otherwise.
#[test]
fn a_line_that_git_only_ends_otherwise_is_the_commands_to_change_or_take_out() {
    for (was, is) in [("a\r\nb\r\nc\r\nd\r\n", "a\nb\nc\nd\n"), ("a\nb\nc\nd", "a\nb\nc\nd\ne\n")] {
        for (edit, wrote) in [("/^d/d", false), ("s/^d.*/d of bot/", true)] {
            let repo = TestRepo::with_files(&[("f", was), (".gitattributes", "* -text\n")]);
            repo.git(&["checkout", "-q", "-b", "bob"]);
            repo.write("f", is);
            repo.commit_all("Bob's");
            repo.git(&["checkout", "-q", "main"]);
            shell(&repo, "rm f; git checkout -q f; git repack -adq");
            run(&repo, &format!("git merge -q bob; sed -i '{edit}' f"));
            let now = String::from_utf8(repo.read("f")).expect("UTF-8");
            assert_eq!(now.contains("d of bot"), wrote, "{edit}: {now:?}");
            repo.done(&["undo"], "");
            assert_eq!(String::from_utf8(repo.read("f")).expect("UTF-8"), is, "{edit} of {was:?}");
        }
    }
}
