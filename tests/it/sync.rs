//! Exchanging records with other clones: what comes in, what is refused, and what a remote may not make redraft do.

use crate::support::{Answer, TestRepo};
use serde_json::json;
use std::path::Path;

const TEXT: &str = "one\ntwo\nthree\nfour\nfive\nsix\n";

/// A repository with a remote, and another clone of that.
fn two_clones() -> (TestRepo, std::path::PathBuf) {
    let repo = TestRepo::with_files(&[("a.txt", TEXT)]);
    let other = repo.cloned();
    repo.git(&["-C", "../other", "config", "user.name", "Other"]);
    repo.git(&["-C", "../other", "config", "user.email", "other@example.com"]);
    (repo, other)
}

#[track_caller]
fn synced(repo: &TestRepo, dir: &Path) {
    let answer = repo.redraft_in(dir, &["sync", "origin"], "");
    assert_eq!(answer.status, 0, "{}{}", answer.out, answer.err);
}

fn edit_in(repo: &TestRepo, dir: &Path, old: &str, new: &str) -> String {
    let request = json!({"path": "a.txt", "old_string": old, "new_string": new}).to_string();
    let answer = repo.redraft_in(dir, &["apply"], &request).json();
    answer["data"]["record"]["id"].as_str().expect("an id").to_owned()
}

fn ids_in(repo: &TestRepo, dir: &Path, args: &[&str]) -> Vec<String> {
    let answer = repo.redraft_in(dir, &[&["log", "--json"], args].concat(), "");
    assert_eq!(answer.status, 0, "{}", answer.err);
    let mut ids: Vec<String> =
        answer.lines().iter().map(|record| record["id"].as_str().expect("an id").to_owned()).collect();
    ids.sort();
    ids
}

fn sorted(ids: &[&String]) -> Vec<String> {
    let mut ids: Vec<String> = ids.iter().map(|id| (*id).clone()).collect();
    ids.sort();
    ids
}

/// The names of the chains in a repository.
fn chains(repo: &TestRepo, git_dir: &str) -> Vec<String> {
    let refs = repo.git(&["--git-dir", git_dir, "for-each-ref", "--format=%(refname)"]);
    refs.lines().filter(|name| !name.starts_with("refs/heads/")).map(str::to_owned).collect()
}

fn tip(repo: &TestRepo, git_dir: &str, name: &str) -> String {
    repo.git(&["--git-dir", git_dir, "rev-parse", name]).trim().to_owned()
}

fn fsck_is_clean(repo: &TestRepo, dir: &Path) {
    let answer = repo.redraft_in(dir, &["fsck", "--json"], "").json();
    assert_eq!(answer["problems"], json!([]));
}

#[test]
fn the_first_sync_of_a_fresh_clone_fetches() {
    let (repo, other) = two_clones();
    let own = repo.edit("a.txt", "two", "2");
    synced(&repo, &repo.root());
    synced(&repo, &other);
    assert_eq!(ids_in(&repo, &other, &["--all"]), sorted(&[&own]));
    assert_eq!(ids_in(&repo, &other, &[]), Vec::<String>::new());
    fsck_is_clean(&repo, &other);
    let theirs = edit_in(&repo, &other, "six", "6");
    synced(&repo, &other);
    synced(&repo, &repo.root());
    assert_eq!(ids_in(&repo, &repo.root(), &["--all"]), sorted(&[&own, &theirs]));
    // Nothing of it is in the user's own repository, and what came in is nowhere else.
    assert_eq!(repo.git(&["for-each-ref", "refs/redraft", "refs/incoming"]), "");
    assert!(chains(&repo, ".git/redraft/history.git").iter().all(|name| name.starts_with("refs/redraft/")));
}

#[test]
fn a_chain_that_somebody_rewrote_is_refused_by_name_and_the_old_one_stays() {
    let (repo, other) = two_clones();
    let first = repo.edit("a.txt", "two", "2");
    let second = repo.edit("a.txt", "three", "3");
    synced(&repo, &repo.root());
    synced(&repo, &other);
    let chain = chains(&repo, "../remote.git").remove(0);
    let (kept, rewritten) = (tip(&repo, "../remote.git", &chain), tip(&repo, "../remote.git", &format!("{chain}~")));
    repo.git(&["--git-dir", "../remote.git", "update-ref", &chain, &rewritten]);
    // A third clone's chain comes in all the same.
    repo.git(&["clone", "-q", "-b", "main", "../remote.git", "../third"]);
    let third = repo.outside().join("third");
    let theirs = edit_in(&repo, &third, "six", "6");
    synced(&repo, &third);
    let answer = repo.redraft_in(&other, &["sync", "origin"], "");
    assert_ne!(answer.status, 0, "{}{}", answer.out, answer.err);
    assert!(answer.err.contains(&chain) && answer.err.contains("fast-forward"), "{}", answer.err);
    assert_eq!(tip(&repo, "../other/.git/redraft/history.git", &chain), kept);
    assert_eq!(ids_in(&repo, &other, &["--all"]), sorted(&[&first, &second, &theirs]));
    fsck_is_clean(&repo, &other);
    // Its owner puts it right; what others did to it there does not touch what is here.
    synced(&repo, &repo.root());
    assert_eq!(tip(&repo, "../remote.git", &chain), kept);
    assert_eq!(ids_in(&repo, &repo.root(), &[]), sorted(&[&first, &second]));
    synced(&repo, &other);
}

#[test]
fn a_chain_with_a_record_that_is_here_already_is_refused() {
    let (repo, other) = two_clones();
    let own = repo.edit("a.txt", "two", "2");
    synced(&repo, &repo.root());
    let chain = chains(&repo, "../remote.git").remove(0);
    let commit = tip(&repo, "../remote.git", &chain);
    let forged = "refs/redraft/forgedxx/main/2026-01";
    repo.git(&["--git-dir", "../remote.git", "update-ref", forged, &commit]);
    let answer = repo.redraft(&["sync", "origin"], "");
    assert_ne!(answer.status, 0, "{}{}", answer.out, answer.err);
    assert!(answer.err.contains(forged) && answer.err.contains(&own), "{}", answer.err);
    assert_eq!(repo.redraft(&["show", &own], "").status, 0, "it is not ambiguous");
    assert_eq!(chains(&repo, ".git/redraft/history.git"), std::slice::from_ref(&chain));
    fsck_is_clean(&repo, &repo.root());
    // One of the two is taken where neither was known.
    assert_ne!(repo.redraft_in(&other, &["sync", "origin"], "").status, 0);
    assert_eq!(ids_in(&repo, &other, &["--all"]), [own]);
}

#[test]
fn what_is_no_chain_of_records_is_refused_and_not_stored() {
    let (repo, other) = two_clones();
    let own = repo.edit("a.txt", "two", "2");
    synced(&repo, &repo.root());
    let git = |args: &[&str]| repo.git(&[&["--git-dir", "../remote.git"], args].concat());
    let blob = git(&["rev-parse", "main:a.txt"]);
    git(&["update-ref", "refs/redraft/stranger", "main"]);
    git(&["update-ref", "refs/redraft/abcdefgh/main/2031-13x", "main"]);
    git(&["update-ref", "refs/redraft/abcdefgh/main/2031-12", blob.trim()]);
    git(&["update-ref", "refs/redraft/abcdefgh/main/2031-11", "main"]);
    let answer = repo.redraft_in(&other, &["sync", "origin"], "");
    assert_ne!(answer.status, 0, "{}{}", answer.out, answer.err);
    for name in ["stranger", "2031-13x", "2031-12"] {
        assert!(answer.err.contains(name), "{name}: {}", answer.err);
    }
    let stored = chains(&repo, "../other/.git/redraft/history.git");
    assert!(!stored.iter().any(|name| name.contains("stranger") || name.contains("2031")), "{stored:?}");
    assert_eq!(ids_in(&repo, &other, &["--all"]), [own]);
    fsck_is_clean(&repo, &other);
}

#[test]
fn a_remote_is_never_taken_for_an_option_and_runs_no_program() {
    let (repo, _) = two_clones();
    repo.edit("a.txt", "two", "2");
    let ran = repo.outside().join("ran");
    let touch = format!("touch {}; true", ran.display());
    let option = format!("--upload-pack={touch}");
    let sync = |remote: &str| -> Answer { repo.redraft(&["sync", "--", remote], "") };
    let refused = |remote: &str| {
        let answer = sync(remote);
        assert_ne!(answer.status, 0, "{remote}: {}", answer.out);
        assert!(!ran.exists(), "{remote} ran");
        answer.err
    };
    assert!(refused(&option).contains("begins with"), "the name is refused");
    refused(&format!("--receive-pack={touch}"));
    refused("");
    repo.git(&["config", "remote.bad.url", &option]);
    assert!(refused("bad").contains("begins with"), "its address is refused");
    repo.git(&["config", "--file", ".git/config", "url.--upload-pack=x.insteadOf", "short:"]);
    refused("short:y");
    refused(&format!("ext::sh -c {}", touch.replace(' ', "% ")));
    repo.git(&["config", "remote.ext.url", &format!("ext::sh -c {}", touch.replace(' ', "% "))]);
    refused("ext");
    // Unless the person says to git that it may.
    repo.git(&["config", "protocol.ext.allow", "always"]);
    sync("ext");
    assert!(ran.exists(), "git's own protocol.allow counts");
}

/// Seen: the sync of a restored backup took records from the remote that it had been sent since, without a word.
#[test]
fn a_copy_of_a_clone_overwrites_nothing_that_another_copy_sent() {
    let (repo, other) = two_clones();
    let first = repo.edit("a.txt", "two", "2");
    synced(&repo, &repo.root());
    repo.shell("cp -r . ../backup");
    let backup = repo.outside().join("backup");
    let later = repo.edit("a.txt", "three", "3");
    synced(&repo, &repo.root());
    let chain = chains(&repo, "../remote.git").remove(0);
    let sent = tip(&repo, "../remote.git", &chain);
    let of_backup = edit_in(&repo, &backup, "six", "6");
    let mut says = String::new();
    for _ in 0..2 {
        let answer = repo.redraft_in(&backup, &["sync", "origin"], "");
        assert_ne!(answer.status, 0, "{}", answer.out);
        assert_eq!(tip(&repo, "../remote.git", &chain), sent);
        says = answer.out + &answer.err;
    }
    // To remove it there would lose what the other one sent.
    assert!(!says.contains("remove the ref"), "{says}");
    assert!(says.contains("not sent") && says.contains("restored") && says.contains("history.git aside"), "{says}");
    assert_eq!(ids_in(&repo, &backup, &[]).len(), 2, "its own record is still there");
    // The others, and the first one, go on.
    synced(&repo, &other);
    assert_eq!(ids_in(&repo, &other, &["--all"]), sorted(&[&first, &later]));
    let last = repo.edit("a.txt", "five", "5");
    synced(&repo, &repo.root());
    synced(&repo, &other);
    assert_eq!(ids_in(&repo, &other, &["--all"]), sorted(&[&first, &later, &last]));
    // What it says to do helps.
    repo.shell("mv ../backup/.git/redraft/history.git ../moved.git");
    let fresh = edit_in(&repo, &backup, "four", "4");
    synced(&repo, &backup);
    synced(&repo, &other);
    assert_eq!(ids_in(&repo, &other, &["--all"]), sorted(&[&first, &later, &last, &fresh]));
    assert_eq!(ids_in(&repo, &backup, &["--all"]), sorted(&[&first, &later, &last, &fresh]), "not {of_backup}");
}

/// Seen: after a purge in one clone the other one refused its chain at every sync, kept the secret, and got no later record.
#[test]
fn what_its_owner_purged_or_dropped_is_taken_where_a_person_says_so_and_only_then() {
    let kept_texts = |repo: &TestRepo| {
        let git_dir = "../other/.git/redraft/history.git";
        let id = repo.git(&["hash-object", "s.txt"]);
        repo.try_git(&["--git-dir", git_dir, "cat-file", "-e", id.trim()]).status.success()
    };
    for way in [&["purge", "--path", "s.txt", "--yes"][..], &["gc", "--keep-records", "1", "--yes"]] {
        let (repo, other) = two_clones();
        let secret = repo.apply(json!({"path": "s.txt", "content": "a secret\n"}));
        let first = repo.edit("a.txt", "two", "2");
        synced(&repo, &repo.root());
        let own = chains(&repo, ".git/redraft/history.git").remove(0);
        let name = own.split('/').nth(2).expect("a clone").to_owned();
        let theirs = edit_in(&repo, &other, "six", "6");
        synced(&repo, &other);
        assert!(kept_texts(&repo));
        let done = repo.redraft(way, "");
        assert_eq!(done.status, 0, "{way:?}: {}", done.err);
        let later = repo.edit("a.txt", "three", "3");
        synced(&repo, &repo.root());
        // Not by itself, and not for the word of another clone.
        let before = ids_in(&repo, &other, &["--all"]);
        for args in [&["sync", "origin"][..], &["sync", "origin", "--take-rewritten", "kkkkkkkk"]] {
            let answer = repo.redraft_in(&other, args, "");
            assert_ne!(answer.status, 0, "{}", answer.out);
            assert!(answer.err.contains(&format!("--take-rewritten {name}")), "{}", answer.err);
            assert_eq!(
                answer.err.contains("no records of another clone \"kkkkkkkk\""),
                args.len() == 4,
                "{}",
                answer.err
            );
            assert_eq!(ids_in(&repo, &other, &["--all"]), before);
        }
        let answer = repo.redraft_in(&other, &["sync", "origin", "--take-rewritten", &name], "");
        assert_eq!(answer.status, 0, "{}{}", answer.out, answer.err);
        let is_there = if way[0] == "purge" { vec![&secret, &first] } else { vec![&first] };
        let want = sorted(&[&is_there[..], &[&later, &theirs]].concat());
        assert_eq!(ids_in(&repo, &other, &["--all"]), want);
        assert!(!kept_texts(&repo), "{way:?}");
        fsck_is_clean(&repo, &other);
        // From then on it goes on as before.
        let last = repo.edit("a.txt", "five", "5");
        synced(&repo, &repo.root());
        synced(&repo, &other);
        synced(&repo, &repo.root());
        assert_eq!(
            ids_in(&repo, &other, &["--all"]),
            sorted(&[&want.iter().collect::<Vec<_>>()[..], &[&last]].concat())
        );
        // What is another clone's is not taken so either: neither it nor this clone's own chain is anybody else's to write.
        let foreign = tip(&repo, "../other/.git/redraft/history.git", &own);
        let mine = chains(&repo, "../other/.git/redraft/history.git").into_iter().find(|chain| *chain != own);
        let mine = tip(&repo, "../other/.git/redraft/history.git", &mine.expect("its own"));
        repo.git(&["--git-dir", "../remote.git", "update-ref", &own, &mine]);
        let answer = repo.redraft_in(&other, &["sync", "origin", "--take-rewritten", &name], "");
        assert!(answer.status != 0 && answer.err.contains("is here already"), "{}{}", answer.out, answer.err);
        assert_eq!(tip(&repo, "../other/.git/redraft/history.git", &own), foreign);
    }
}

#[test]
fn what_gc_dropped_of_the_own_chain_is_sent_as_it_is_now() {
    let (repo, other) = two_clones();
    repo.edit("a.txt", "two", "2");
    let kept = repo.edit("a.txt", "three", "3");
    synced(&repo, &repo.root());
    repo.shell("git --git-dir .git/redraft/history.git gc -q --prune=now");
    let answer = repo.redraft(&["gc", "--keep-records", "1", "--yes"], "");
    assert_eq!(answer.status, 0, "{}", answer.err);
    synced(&repo, &repo.root());
    synced(&repo, &repo.root());
    synced(&repo, &other);
    assert_eq!(ids_in(&repo, &other, &["--all"]), sorted(&[&kept]));
}

/// Seen: git took the empty text, told as what becomes of its later one, for damage; the remote refused the records for good.
#[test]
fn records_of_a_file_that_was_empty_are_sound_in_gits_own_eyes() {
    let (repo, _) = two_clones();
    repo.write("empty", "");
    repo.commit_all("an empty file");
    repo.apply(json!({"path": "empty", "content": "three\nfour\n", "overwrite": true}));
    repo.apply(json!({"path": "a.txt", "content": "", "overwrite": true}));
    synced(&repo, &repo.root());
    repo.git(&["--git-dir", ".git/redraft/history.git", "fsck", "--strict"]);
    let told = repo.git(&["--git-dir", ".git/redraft/history.git", "log", "--all", "-p"]);
    assert!(told.contains("+three"), "{told}");
}

/// Seen: only the records of the worktree in which it was called were sent, without a word.
#[test]
fn what_all_worktrees_have_is_sent_also_those_that_are_gone() {
    let (repo, other) = two_clones();
    for name in ["there", "gone"] {
        repo.git(&["worktree", "add", "-q", "--detach", &format!("../{name}")]);
    }
    let dirs = ["there", "gone"].map(|name| repo.outside().join(name));
    let mut ids: Vec<String> = dirs.iter().map(|dir| edit_in(&repo, dir, "one", "x")).collect();
    ids.push(edit_in(&repo, &repo.root(), "one", "y"));
    repo.git(&["worktree", "remove", "-f", "../gone"]);
    synced(&repo, &repo.root());
    synced(&repo, &other);
    let mut all = ids_in(&repo, &other, &["--all"]);
    all.sort();
    ids.sort();
    assert_eq!(all, ids);
    fsck_is_clean(&repo, &repo.root());
}

/// One that is locked is named with its lock, the exit says so, and the rest is sent all the same.
#[test]
fn a_worktree_whose_records_cannot_be_sent_is_named_and_the_others_are_sent() {
    let (repo, other) = two_clones();
    repo.git(&["worktree", "add", "-q", "--detach", "../there"]);
    let there = repo.outside().join("there");
    let held = edit_in(&repo, &there, "one", "x");
    let own = edit_in(&repo, &repo.root(), "one", "y");
    repo.git(&["config", "redraft.lockTimeout", "0"]);
    let lock = std::fs::File::open(repo.root().join(".git/redraft/worktrees/there/lock")).expect("the lock file");
    fs2::FileExt::lock_exclusive(&lock).expect("a lock");
    let answer = repo.redraft_in(&repo.root(), &["sync", "origin"], "");
    assert_ne!(answer.status, 0, "{}{}", answer.out, answer.err);
    assert!(answer.err.contains("there") && answer.err.contains("holds the lock"), "{}{}", answer.out, answer.err);
    synced(&repo, &other);
    assert_eq!(ids_in(&repo, &other, &["--all"]), std::slice::from_ref(&own));
    fs2::FileExt::unlock(&lock).expect("unlocked");
    synced(&repo, &repo.root());
    synced(&repo, &other);
    assert_eq!(ids_in(&repo, &other, &["--all"]), sorted(&[&held, &own]));
}
