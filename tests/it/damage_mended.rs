//! Damage of what history.git has beside its records: told, mended in place by the next command that writes, and fatal to nothing.

use crate::support::TestRepo;
use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

const TEXT: &str = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\n";

/// Two sealed records and one that is not, with their ids.
fn repo() -> (TestRepo, BTreeSet<String>) {
    let repo = TestRepo::with_files(&[("a.txt", TEXT)]);
    repo.git(&["init", "-q", "--bare", "../other.git"]);
    let mut ids: BTreeSet<String> = [("two", "2"), ("four", "4")].map(|(old, new)| repo.edit("a.txt", old, new)).into();
    repo.done(&["gc", "--json"], "");
    ids.insert(repo.edit("a.txt", "six", "6"));
    (repo, ids)
}

fn store(repo: &TestRepo) -> PathBuf {
    repo.root().join(".git/redraft/history.git")
}

/// The ids of this worktree's own records.
fn own(repo: &TestRepo) -> BTreeSet<String> {
    let log = repo.redraft(&["log", "--json"], "");
    log.lines().iter().map(|line| line["id"].as_str().expect("an id").to_owned()).collect()
}

/// After damage that `word` names: fsck tells it, and so does who mends it; everything works then, with all records.
#[track_caller]
fn mended(repo: &TestRepo, ids: &mut BTreeSet<String>, word: &str) {
    assert_eq!(own(repo), *ids, "{word}");
    let fsck = repo.redraft(&["fsck"], "");
    assert!(fsck.status == 3 && fsck.err.contains(word), "{word}: {}{}", fsck.out, fsck.err);
    ids.insert(repo.edit("a.txt", "eight", "8"));
    let gc = repo.redraft(&["gc"], "");
    assert!(gc.status == 0 && gc.err.contains(word) && gc.err.contains("mended"), "{}{}", gc.out, gc.err);
    for args in [&["sync", "../other.git"][..], &["fsck"], &["gc"]] {
        let answer = repo.redraft(args, "");
        assert!(answer.status == 0 && !answer.err.contains("mended"), "{word}: {args:?}: {}{}", answer.out, answer.err);
    }
    assert_eq!(own(repo), *ids, "{word}");
    let names = fs::read_dir(repo.root().join(".git/redraft")).expect("listed");
    let names = names.map(|entry| entry.expect("an entry").file_name().into_string().expect("UTF-8"));
    assert_eq!(names.filter(|name| name.starts_with("history")).count(), 1, "{word}");
}

#[test]
fn sealed_records_are_this_worktrees_own_after_the_clones_name_is_lost_and_every_writer_works() {
    for removed in [&["clone"][..], &["clone", "config"]] {
        let (repo, mut ids) = repo();
        let name = fs::read_to_string(store(&repo).join("clone")).expect("read");
        removed.iter().for_each(|file| fs::remove_file(store(&repo).join(file)).expect("removed"));
        let log = repo.redraft(&["log"], "");
        assert!(log.err.contains("clone is missing"), "{}", log.err);
        mended(&repo, &mut ids, "clone is missing");
        assert_eq!(fs::read_to_string(store(&repo).join("clone")).expect("read"), name);
    }
}

#[test]
fn a_name_that_nothing_tells_is_asked_for_where_there_are_chains_of_several_clones() {
    let (repo, mut ids) = repo();
    let name = fs::read_to_string(store(&repo).join("clone")).expect("read")[..8].to_owned();
    let git = |args: &[&str]| repo.git(&[&["--git-dir", ".git/redraft/history.git"], args].concat());
    let tip = git(&["for-each-ref", "--format=%(objectname)"]);
    git(&["update-ref", "refs/redraft/zzzzzzzz/main/2020-01", tip.trim()]);
    fs::remove_file(store(&repo).join("clone")).expect("removed");
    git(&["config", "--unset", "redraft.clone"]);
    let log = repo.redraft(&["log"], "");
    assert!(log.status == 3 && log.err.contains(&name) && log.err.contains("git config redraft.clone"), "{}", log.err);
    // An edit is done and recorded all the same.
    ids.insert(repo.edit("a.txt", "ten", "10"));
    git(&["config", "redraft.clone", &name]);
    git(&["update-ref", "-d", "refs/redraft/zzzzzzzz/main/2020-01"]);
    mended(&repo, &mut ids, "clone is missing");
}

/// What is done to the file HEAD, or beside it.
type Damage = fn(PathBuf);

#[test]
fn gc_and_sync_work_after_what_git_needs_of_the_history_is_lost_or_damaged() {
    let head = |repo: &TestRepo| store(repo).join("HEAD");
    let ways: [(&str, Damage); 3] = [
        ("HEAD is missing", |head| fs::remove_file(head).expect("removed")),
        ("HEAD is damaged", |head| fs::write(head, "sef: refs/heads/none\n").expect("written")),
        ("config is missing", |head| fs::remove_file(head.with_file_name("config")).expect("removed")),
    ];
    for (word, damage) in ways {
        let (repo, mut ids) = repo();
        damage(head(&repo));
        mended(&repo, &mut ids, word);
    }
}

#[test]
fn what_git_needs_of_the_history_is_mended_where_nothing_is_left_to_seal() {
    let (repo, ids) = repo();
    repo.done(&["gc", "--json"], "");
    fs::remove_file(store(&repo).join("HEAD")).expect("removed");
    let gc = repo.redraft(&["gc"], "");
    assert!(gc.status == 0 && gc.err.contains("HEAD is missing") && gc.err.contains("mended"), "{}{}", gc.out, gc.err);
    assert!(store(&repo).join("HEAD").exists());
    assert_eq!((repo.redraft(&["fsck"], "").status, own(&repo)), (0, ids));
}
