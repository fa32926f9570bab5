//! A git commit that is older than a record holds nothing of it, whatever its lines are; and dates that are set take none away that does.

use crate::support::{TestRepo, clean, run};
use serde_json::{Value, json};
use std::process::Command;
use std::time::{Duration, SystemTime};

const TEXT: &str = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\n";

/// Runs git with a date of its own.
fn git_at(repo: &TestRepo, date: &str, args: &[&str]) {
    let mut command = Command::new("git");
    clean(command.args(args), &repo.root()).env("GIT_COMMITTER_DATE", date).env("GIT_AUTHOR_DATE", date);
    let output = command.output().expect("git runs");
    assert!(output.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&output.stderr));
}

fn commit_at(repo: &TestRepo, date: &str) -> String {
    git_at(repo, date, &["commit", "-qam", date]);
    repo.git(&["rev-parse", "HEAD"]).trim().to_owned()
}

/// What a person did on a branch of hers.
fn with_a_fix_on_release() -> (TestRepo, String) {
    let repo = TestRepo::new();
    repo.write("a.txt", TEXT);
    repo.git(&["add", "a.txt"]);
    commit_at(&repo, "2020-01-01T00:00:00Z");
    repo.git(&["checkout", "-qb", "release"]);
    repo.write("a.txt", TEXT.replace("nine", "nine, fixed"));
    let fix = commit_at(&repo, "2020-01-08T00:00:00Z");
    repo.git(&["checkout", "-q", "main"]);
    (repo, fix)
}

fn commit_of(repo: &TestRepo, id: &str) -> Value {
    repo.done(&["show", id, "--json"], "")["commit"].clone()
}

fn line_nine(repo: &TestRepo) -> (Value, Value) {
    let lines = repo.redraft(&["blame", "--json", "a.txt"], "").lines();
    (lines[8]["record"].clone(), lines[8]["commit"].clone())
}

fn edit(repo: &TestRepo) -> String {
    let agent = json!({"name": "bot", "session": "s"});
    repo.apply(json!({"path": "a.txt", "old_string": "nine\n", "new_string": "nine, fixed\n", "agent": agent}))
}

/// Seen: log, show, blame and export gave a person's fix on a release branch to the agent who made the same three weeks later on main.
#[test]
fn a_commit_that_is_older_than_the_edit_does_not_hold_it() {
    for is_packed in [false, true] {
        let (repo, fix) = with_a_fix_on_release();
        let id = edit(&repo);
        if is_packed {
            repo.git(&["gc", "-q"]);
        }
        assert_eq!(commit_of(&repo, &id), Value::Null);
        assert_eq!(repo.redraft(&["log", "--json", "--commit", "release"], "").out, "");
        assert_eq!(repo.redraft(&["log", "--json", "main..release"], "").out, "");
        assert_eq!(repo.redraft(&["export", "agent-trace", "release"], "").out, "");
        repo.git(&["checkout", "-qf", "release"]);
        assert_eq!(line_nine(&repo), (Value::Null, json!(fix)));
        // The agent's own commit is another one, which comes later.
        repo.git(&["checkout", "-q", "main"]);
        repo.write("a.txt", TEXT.replace("nine", "nine, fixed"));
        repo.git(&["commit", "-qam", "the agent's"]);
        let own = repo.git(&["rev-parse", "HEAD"]).trim().to_owned();
        assert_eq!(commit_of(&repo, &id), json!(own));
        assert_eq!(line_nine(&repo), (json!(id), json!(own)));
    }
}

#[test]
fn where_a_record_was_taken_for_the_writer_the_earlier_one_is_named_that_is_in_the_commit() {
    let repo = TestRepo::new();
    repo.write("a.txt", TEXT);
    repo.git(&["add", "a.txt"]);
    commit_at(&repo, "2020-01-01T00:00:00Z");
    repo.git(&["checkout", "-qb", "release"]);
    let first = edit(&repo);
    repo.git(&["commit", "-qam", "the first"]);
    repo.git(&["checkout", "-q", "main"]);
    let second = edit(&repo);
    repo.git(&["checkout", "-qf", "release"]);
    let commit = repo.git(&["rev-parse", "HEAD"]).trim().to_owned();
    assert_eq!(commit_of(&repo, &first), json!(commit));
    assert_eq!(commit_of(&repo, &second), Value::Null);
    assert_eq!(line_nine(&repo), (json!(first), json!(commit)));
}

/// Dates are set by rebases and by variables, and clocks are wrong: none of that takes a commit from a record.
#[test]
fn a_date_before_the_edit_takes_no_commit_from_it() {
    for date in ["2020-01-08T00:00:00Z", "2020-01-01T00:00:00Z", "1980-01-01T00:00:00Z"] {
        let (repo, _) = with_a_fix_on_release();
        let id = edit(&repo);
        repo.git(&["checkout", "-qb", "fix"]);
        let commit = commit_at(&repo, date);
        assert_eq!(commit_of(&repo, &id), json!(commit), "{date}");
        assert_eq!(line_nine(&repo), (json!(id), json!(commit)));
        // Also where HEAD comes by the base of the record again.
        repo.git(&["checkout", "-q", "main"]);
        assert_eq!(commit_of(&repo, &id), json!(commit), "{date}");
        git_at(&repo, date, &["merge", "-q", "--no-ff", "-m", "merged", "fix"]);
        assert_eq!(commit_of(&repo, &id), json!(commit), "{date}");
        assert_eq!(line_nine(&repo), (json!(id), json!(commit)));
    }
}

#[test]
fn a_commit_that_a_hook_saw_the_edit_in_holds_it_whatever_its_date_says() {
    let (repo, hers) = with_a_fix_on_release();
    repo.done(&["hooks", "install", "--json"], "");
    let id = edit(&repo);
    repo.git(&["checkout", "-qb", "fix"]);
    let bin = std::path::Path::new(env!("CARGO_BIN_EXE_redraft")).parent().expect("a folder");
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").expect("PATH"));
    let date = "2020-01-09T00:00:00Z";
    let mut command = Command::new("git");
    clean(command.args(["commit", "-qam", "it"]), &repo.root()).env("PATH", path).env("GIT_COMMITTER_DATE", date);
    assert!(command.status().expect("git runs").success());
    let commit = repo.git(&["rev-parse", "HEAD"]).trim().to_owned();
    repo.git(&["checkout", "-q", "main"]);
    repo.git(&["gc", "-q"]);
    assert_eq!(commit_of(&repo, &id), json!(commit));
    // The log of HEAD would tell it as well.
    std::fs::remove_dir_all(repo.root().join(".git/logs")).expect("a log of HEAD");
    repo.git(&["checkout", "-q", "fix"]);
    assert_eq!(line_nine(&repo), (json!(id), json!(commit)));
    // What a hook saw in one commit is not in every other one.
    repo.git(&["checkout", "-q", "release"]);
    assert_eq!(line_nine(&repo), (Value::Null, json!(hers)));
}

/// Where git packs a commit nothing but the log of HEAD tells when it was made.
#[test]
fn a_packed_commit_that_was_made_behind_the_base_of_the_edit_holds_it_whatever_its_date_says() {
    for is_log_cut in [false, true] {
        let (repo, _) = with_a_fix_on_release();
        let id = edit(&repo);
        if is_log_cut {
            repo.write(".git/logs/HEAD", "");
        } else {
            repo.write("b.txt", "beside\n");
            repo.git(&["add", "b.txt"]);
            git_at(&repo, "2020-01-02T00:00:00Z", &["commit", "-qm", "beside", "b.txt"]);
        }
        let commit = commit_at(&repo, "2020-01-09T00:00:00Z");
        // Other than `git gc` this leaves a log of such dates as it is.
        repo.git(&["repack", "-adq"]);
        assert_eq!(commit_of(&repo, &id), json!(commit), "{is_log_cut}");
        assert_eq!(line_nine(&repo), (json!(id), json!(commit)), "{is_log_cut}");
    }
}

/// The seconds since 1970 of half a day ago, as git takes a date.
fn half_a_day_ago() -> String {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).expect("a time").as_secs();
    format!("@{} +0000", now - 12 * 60 * 60)
}

/// A fix on a branch of a person's, made at a date; she is on the main branch again.
fn with_a_fix_at(date: &str) -> (TestRepo, String) {
    let (repo, _) = with_a_fix_on_release();
    repo.git(&["checkout", "-qb", "later"]);
    repo.write("a.txt", TEXT.replace("nine", "nine, fixed"));
    let fix = commit_at(&repo, date);
    repo.git(&["checkout", "-q", "main"]);
    (repo, fix)
}

/// Clocks are set by zones, and wrong: what is a date of the same day, or one to come, tells nothing.
#[test]
fn a_date_that_is_not_far_off_or_is_to_come_makes_no_commit_older() {
    let (repo, fix) = with_a_fix_at(&half_a_day_ago());
    let id = edit(&repo);
    repo.git(&["gc", "-q"]);
    assert_eq!(commit_of(&repo, &id), json!(fix));
    let (repo, fix) = with_a_fix_at("2090-01-01T00:00:00Z");
    let id = edit(&repo);
    assert_eq!(commit_of(&repo, &id), json!(fix));
}

#[test]
fn a_commit_that_was_older_when_it_was_fetched_does_not_hold_the_edit() {
    let (repo, fix) = with_a_fix_on_release();
    repo.git(&["clone", "-q", "--no-local", "--single-branch", "-b", "main", ".", "../other"]);
    let other = repo.outside().join("other");
    let request = json!({"path": "a.txt", "old_string": "nine\n", "new_string": "nine, fixed\n"}).to_string();
    let id = repo.redraft_in(&other, &["apply"], &request).json()["data"]["record"]["id"].clone();
    let commit = || {
        let id = id.as_str().expect("a record");
        repo.redraft_in(&other, &["show", id, "--json"], "").json()["commit"].clone()
    };
    repo.git(&["-C", "../other", "fetch", "-q", "origin", "release:release"]);
    assert!(other.join(".git/objects").join(&fix[..2]).join(&fix[2..]).exists(), "git fetches few objects as files");
    assert_eq!(commit(), Value::Null);
    repo.git(&["-C", "../other", "checkout", "-qf", "release"]);
    assert_eq!(commit(), Value::Null);
}

#[test]
fn a_commit_without_a_parent_is_older_by_its_date() {
    let (repo, _) = with_a_fix_on_release();
    repo.git(&["checkout", "-q", "--orphan", "alone"]);
    repo.write("a.txt", TEXT.replace("nine", "nine, fixed"));
    commit_at(&repo, "2020-01-09T00:00:00Z");
    repo.git(&["checkout", "-q", "main"]);
    let id = edit(&repo);
    repo.git(&["gc", "-q"]);
    assert_eq!(commit_of(&repo, &id), Value::Null);
}

/// The log of HEAD is of one worktree: that HEAD left the base here says nothing of what was edited there.
#[test]
fn a_commit_in_one_worktree_does_not_hold_a_later_edit_in_another() {
    let repo = TestRepo::new();
    repo.write("a.txt", TEXT);
    repo.git(&["add", "a.txt"]);
    commit_at(&repo, "2020-01-01T00:00:00Z");
    repo.git(&["worktree", "add", "-q", "../linked", "-b", "other"]);
    repo.write("a.txt", TEXT.replace("nine", "nine, fixed"));
    let fix = commit_at(&repo, "2020-01-08T00:00:00Z");
    let request = json!({"path": "a.txt", "old_string": "nine\n", "new_string": "nine, fixed\n"}).to_string();
    let answer = repo.redraft_in(&repo.outside().join("linked"), &["apply"], &request);
    assert_eq!(answer.status, 0, "{}", answer.out);
    assert_eq!(repo.redraft(&["log", "--json", "--commit", "HEAD"], "").out, "");
    assert_eq!(line_nine(&repo), (Value::Null, json!(fix)));
}

/// A command makes its commit before it ends, and its record when it ends.
#[test]
fn the_commit_that_a_command_makes_holds_its_edit_though_the_file_of_the_commit_is_older() {
    let (repo, _) = with_a_fix_on_release();
    let date = half_a_day_ago();
    let script = format!(
        "sed -i 's/^nine$/nine, fixed/' a.txt; GIT_COMMITTER_DATE='{date}' git commit -qam it; sleep 0.1; echo more >> a.txt"
    );
    assert_eq!(repo.redraft(&["run", "--agent", "ann", "--", "sh", "-c", &script], "").status, 0);
    // Without this it would tell the same.
    std::fs::remove_dir_all(repo.root().join(".git/logs")).expect("a log of HEAD");
    let commit = repo.git(&["rev-parse", "HEAD"]).trim().to_owned();
    let id = repo.redraft(&["log", "--json"], "").lines()[0]["id"].as_str().expect("a record").to_owned();
    assert_eq!(commit_of(&repo, &id), json!(commit));
}

/// Neither a hook nor the log of HEAD tells of it, and its file is gone.
#[test]
fn a_commit_that_redraft_made_of_the_edit_holds_it_whatever_its_date_says() {
    let (repo, _) = with_a_fix_on_release();
    let request = json!({
        "path": "a.txt", "old_string": "nine\n", "new_string": "nine, fixed\n", "record": "commit", "message": "it"
    });
    let mut apply = run::command(&repo.root(), &["apply"]);
    apply.env("GIT_COMMITTER_DATE", "2020-01-09T00:00:00Z").env("GIT_AUTHOR_DATE", "2020-01-09T00:00:00Z");
    let answer = run::finish(&mut apply, request.to_string().as_bytes());
    assert_eq!(answer.exit, Some(0), "{answer:?}");
    let id = answer.json()["data"]["record"]["id"].as_str().expect("a record").to_owned();
    let commit = repo.git(&["rev-parse", "HEAD"]).trim().to_owned();
    repo.git(&["repack", "-adq"]);
    std::fs::remove_dir_all(repo.root().join(".git/logs")).expect("a log of HEAD");
    assert_eq!(commit_of(&repo, &id), json!(commit));
    assert_eq!(line_nine(&repo), (json!(id), json!(commit)));
}

/// What another clone's clock said of an edit is not to be compared with when a file was written here.
#[test]
fn a_commit_of_an_edit_of_another_clone_holds_it_though_its_file_is_older() {
    let repo = TestRepo::with_files(&[("a.txt", TEXT)]);
    let other = repo.cloned();
    let request = json!({"path": "a.txt", "old_string": "nine\n", "new_string": "nine, fixed\n"}).to_string();
    let id = repo.redraft_in(&other, &["apply"], &request).json()["data"]["record"]["id"].clone();
    for dir in [&other, &repo.root()] {
        assert_eq!(repo.redraft_in(dir, &["sync", "origin"], "").status, 0);
    }
    repo.write("a.txt", TEXT.replace("nine", "nine, fixed"));
    let commit = commit_at(&repo, &half_a_day_ago());
    let file = repo.root().join(".git/objects").join(&commit[..2]).join(&commit[2..]);
    let an_hour_ago = SystemTime::now() - Duration::from_secs(60 * 60);
    std::fs::File::open(file).expect("a file").set_modified(an_hour_ago).expect("a time");
    assert_eq!(commit_of(&repo, id.as_str().expect("a record")), json!(commit));
    assert_eq!(line_nine(&repo), (id, json!(commit)));
}

/// A shallow clone does not have the commit before it.
#[test]
fn a_commit_whose_parent_is_not_here_is_older_by_its_date() {
    let (repo, _) = with_a_fix_on_release();
    repo.git(&["checkout", "-q", "release"]);
    repo.write("new.txt", TEXT);
    repo.git(&["add", "new.txt"]);
    commit_at(&repo, "2020-01-09T00:00:00Z");
    repo.git(&["clone", "-q", "--no-local", "--depth", "1", "--no-single-branch", "-b", "main", ".", "../other"]);
    let other = repo.outside().join("other");
    repo.git(&["-C", "../other", "branch", "-q", "--no-track", "release", "origin/release"]);
    repo.git(&["-C", "../other", "repack", "-adq"]);
    let request = json!({"path": "new.txt", "content": TEXT}).to_string();
    let id = repo.redraft_in(&other, &["apply"], &request).json()["data"]["record"]["id"].clone();
    let shown = repo.redraft_in(&other, &["show", id.as_str().expect("a record"), "--json"], "").json();
    assert_eq!(shown["commit"], Value::Null);
}

/// When a record was made, to the millisecond.
fn time_of(repo: &TestRepo, id: &str) -> SystemTime {
    let time = repo.done(&["show", id, "--json"], "")["time"].as_str().expect("a time").to_owned();
    assert!(repo.shell(&format!("touch -d {time} .git/time")).success());
    std::fs::metadata(repo.root().join(".git/time")).and_then(|file| file.modified()).expect("a time")
}

fn set_time(repo: &TestRepo, commit: &str, time: SystemTime) {
    let file = repo.root().join(".git/objects").join(&commit[..2]).join(&commit[2..]);
    std::fs::File::open(file).expect("a file").set_modified(time).expect("a time");
}

/// Of the very millisecond of an edit nobody knows what came first.
#[test]
fn a_commit_whose_file_is_as_old_as_the_edit_may_hold_it() {
    let (repo, fix) = with_a_fix_on_release();
    let id = edit(&repo);
    let time = time_of(&repo, &id);
    set_time(&repo, &fix, time);
    assert_eq!(commit_of(&repo, &id), json!(fix));
    set_time(&repo, &fix, time - Duration::from_millis(1));
    assert_eq!(commit_of(&repo, &id), Value::Null);
}

/// Nor of the very second that a date tells, or of one that is just not far off.
#[test]
fn a_commit_may_hold_an_edit_of_the_second_of_its_date_and_of_a_day_later() {
    const DAY: u64 = 24 * 60 * 60;
    for (back, is_packed, is_held) in [(0, false, true), (1, false, false), (DAY, true, true), (DAY + 1, true, false)] {
        let (repo, _) = with_a_fix_on_release();
        let id = edit(&repo);
        let time = time_of(&repo, &id);
        let seconds = time.duration_since(SystemTime::UNIX_EPOCH).expect("a time").as_secs() - back;
        let mut git = Command::new("git");
        let git = clean(git.args(["commit-tree", "release^{tree}", "-p", "main", "-m", "it"]), &repo.root());
        let out = git.env("GIT_COMMITTER_DATE", format!("{seconds} +0000")).output().expect("git runs").stdout;
        let commit = String::from_utf8(out).expect("an id").trim().to_owned();
        repo.git(&["update-ref", "refs/heads/release", &commit]);
        if is_packed {
            repo.git(&["repack", "-adq"]);
        } else {
            set_time(&repo, &commit, time - Duration::from_secs(2 * DAY));
        }
        let held = if is_held { json!(commit) } else { Value::Null };
        assert_eq!(commit_of(&repo, &id), held, "{back}");
    }
}

#[test]
fn a_commit_of_which_the_log_does_not_tell_that_it_came_behind_the_base_is_older_by_its_date() {
    let (repo, _) = with_a_fix_on_release();
    repo.git(&["checkout", "-q", "-b", "later"]);
    repo.write("b.txt", "beside\n");
    repo.git(&["add", "b.txt"]);
    commit_at(&repo, "2020-01-07T00:00:00Z");
    repo.write("a.txt", TEXT.replace("nine", "nine, fixed"));
    commit_at(&repo, "2020-01-09T00:00:00Z");
    let log = repo.text(".git/logs/HEAD");
    repo.git(&["checkout", "-q", "main"]);
    repo.git(&["branch", "-qD", "release"]);
    let id = edit(&repo);
    repo.git(&["repack", "-adq"]);
    repo.write(".git/logs/HEAD", log.lines().last().expect("a commit").to_owned() + "\n");
    assert_eq!(commit_of(&repo, &id), Value::Null);
}
