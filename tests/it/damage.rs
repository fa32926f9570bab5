//! Damaged files of redraft's own: every command answers with a reason, none aborts, what is lost is told, and the next edit
//! is recorded.

use crate::support::{Answer, TestRepo};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

const TEXT: &str = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\n";

/// The ways to damage a file.
const WAYS: usize = 5;

/// What is run on a damaged repository, readers first.
const COMMANDS: &[&[&str]] = &[
    &["log", "--json", "--all"],
    &["log", "-p", "--all"],
    &["show", "--json", "@-"],
    &["diff", "@-3", "@"],
    &["blame", "a.txt"],
    &["status"],
    &["fsck"],
    &["backups", "list"],
    &["purge", "--path", "no/such", "--dry-run"],
    &["undo"],
    &["redo"],
    &["recover"],
    &["sync", "../other.git"],
    &["gc"],
    &["purge", "--path", "no/such"],
    &["purge", "--path", "no/such", "--yes"],
];

/// A repository with sealed records and such as are not, with a request that has an id, a receipt, a pin, a second worktree.
fn template() -> (TestRepo, BTreeSet<String>) {
    let repo = TestRepo::with_files(&[("a.txt", TEXT), ("b.txt", TEXT), (".gitignore", "*.secret\n")]);
    repo.git(&["init", "-q", "--bare", "../other.git"]);
    repo.write("key.secret", "password one\n");
    let mut ids = BTreeSet::new();
    let edit = |path: &str, old: &str| repo.edit(path, old, &old.to_uppercase());
    ids.insert(edit("a.txt", "two"));
    ids.insert(edit("b.txt", "six"));
    ids.insert(edit("key.secret", "one"));
    ids.insert(repo.apply(request("a.txt", "five")));
    repo.done(&["undo"], "");
    repo.redraft(&["read", "a.txt", "--session", "s"], "");
    let newest = repo.redraft(&["log", "--json", "-n", "1"], "").lines()[0]["id"].as_str().expect("an id").to_owned();
    assert_eq!(repo.redraft(&["gc", "--pin", &newest], "").status, 0);
    ids.insert(newest);
    ids.insert(edit("b.txt", "seven"));
    ids.insert(edit("a.txt", "eight"));
    repo.git(&["worktree", "add", "-q", "../linked"]);
    let text = json!({"path": "a.txt", "old_string": "two", "new_string": "2"}).to_string();
    let other = repo.redraft_in(&repo.outside().join("linked"), &["apply"], &text).json();
    ids.insert(other["data"]["record"]["id"].as_str().expect("an id").to_owned());
    (repo, ids)
}

fn request(path: &str, old: &str) -> Value {
    json!({"path": path, "old_string": old, "new_string": old.to_uppercase(), "request_id": format!("request {old}")})
}

/// All that redraft stores, relative to its folder.
fn stored(repo: &TestRepo) -> Vec<PathBuf> {
    fn walk(folder: &Path, top: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry")) {
            match entry.file_type().expect("a type").is_dir() {
                true => walk(&entry.path(), top, found),
                false => found.push(entry.path().strip_prefix(top).expect("below").to_owned()),
            }
        }
    }
    let top = repo.root().join(".git/redraft");
    let mut found = Vec::new();
    walk(&top, &top, &mut found);
    found.retain(|path| !path.components().any(|part| part.as_os_str() == "backups"));
    found.sort();
    found
}

/// One way to damage a file; none where it would change nothing.
fn damaged(bytes: &[u8], way: usize) -> Option<Vec<u8>> {
    let mut out = bytes.to_vec();
    let flip = |out: &mut Vec<u8>, at: usize| out[at.min(bytes.len() - 1)] ^= 1;
    match way {
        _ if bytes.is_empty() => return None,
        0 => out.truncate(bytes.len() / 2),
        1 => flip(&mut out, 3),
        2 => flip(&mut out, bytes.len() / 2),
        3 => flip(&mut out, bytes.len() - 2),
        4 => out.clear(),
        _ => return None,
    }
    Some(out)
}

/// The answer of a command: it ended by itself, with a status of the table, and a refusal says why.
fn run(repo: &TestRepo, args: &[&str], stdin: &str, told: &str) -> Answer {
    let answer = repo.redraft(args, stdin);
    let said = format!("{told}: {args:?}: {}{}", answer.out, answer.err);
    assert!(matches!(answer.status, 0 | 1 | 3 | 4), "status {} of {said}", answer.status);
    assert!(!answer.err.contains("panicked"), "{said}");
    assert!(answer.status == 0 || !answer.err.trim().is_empty() || answer.out.contains("\"message\""), "{said}");
    answer
}

fn ids_in(answer: &Answer) -> BTreeSet<String> {
    let lines = answer.out.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    lines.filter_map(|line| line["id"].as_str().map(str::to_owned)).collect()
}

fn copy(repo: &TestRepo) -> TestRepo {
    let copy = TestRepo::in_memory();
    for name in ["repo", "other.git", "linked"] {
        let _ = fs::remove_dir_all(copy.outside().join(name));
        let from = repo.outside().join(name);
        let status = std::process::Command::new("cp").arg("-a").arg(from).arg(copy.outside()).status();
        assert!(status.expect("cp runs").success());
    }
    copy
}

/// Damages one file in every way and runs everything.
fn check(template: &TestRepo, ids: &BTreeSet<String>, path: &Path) {
    let bytes = fs::read(template.root().join(".git/redraft").join(path)).expect("read");
    for way in 0..WAYS {
        let Some(bad) = damaged(&bytes, way) else { continue };
        let told = format!("{} damaged in way {way}", path.display());
        let repo = copy(template);
        let place = repo.root().join(".git/redraft").join(path);
        // Git makes packs read-only.
        let _ = fs::remove_file(&place);
        fs::write(&place, &bad).expect("written");
        // 1. The request that was done is not done again.
        let again = run(&repo, &["apply"], &request("a.txt", "five").to_string(), &told);
        let text = fs::read_to_string(repo.root().join("a.txt")).expect("read");
        assert!(!text.contains("FIVE"), "{told}: done a second time: {}", again.out);
        // 2. Every command ends with a reason; a record that is not seen is told.
        let mut said = again.err;
        let mut seen = None;
        for args in COMMANDS {
            let answer = run(&repo, args, "", &told);
            if *args == ["log", "--json", "--all"] {
                seen = Some(ids_in(&answer));
            }
            let is_damage = answer.out.contains("damage") && !answer.out.contains("no damage");
            let is_said = !answer.err.is_empty() || is_damage || answer.out.contains("note: ");
            if is_said {
                said.push_str(&format!("{args:?}: {}{}\n", answer.out, answer.err));
            }
        }
        let seen = seen.expect("log ran");
        let lost: Vec<_> = ids.difference(&seen).collect();
        assert!(lost.is_empty() || !said.is_empty(), "{told}: {lost:?} are lost without a word");
        // 3. A later edit is done and recorded.
        let edited = run(&repo, &["apply"], &request("b.txt", "nine").to_string(), &told);
        assert_eq!(edited.status, 0, "{told}: {}", edited.out);
        let id = edited.json()["data"]["record"]["id"].as_str().expect("an id").to_owned();
        let log = run(&repo, &["log", "--json", "--all"], "", &told);
        assert!(ids_in(&log).contains(&id), "{told}: the next edit is not in the log: {}{}", log.out, log.err);
        // 4. Maintenance made nothing worse.
        let lost: Vec<String> = seen.difference(&ids_in(&log)).cloned().collect();
        assert!(lost.is_empty(), "{told}: {lost:?} were there before maintenance");
    }
}

#[test]
fn a_damaged_journal_is_told_and_costs_no_later_edit_its_record() {
    let (repo, ids) = template();
    let mut paths = stored(&repo);
    paths.retain(|path| path.starts_with("worktrees"));
    assert!(paths.iter().filter(|path| path.ends_with("journal")).count() == 2, "{paths:?}");
    paths.iter().for_each(|path| check(&repo, &ids, path));
}

#[test]
fn a_damaged_history_is_told_and_loses_nothing_else() {
    let (repo, ids) = template();
    let mut paths = stored(&repo);
    paths.retain(|path| path.starts_with("history.git"));
    for part in ["clone", "packed-refs", "log-index", "objects/pack", "pins"] {
        assert!(paths.iter().any(|path| path.to_string_lossy().contains(part)), "{part}: {paths:?}");
    }
    paths.iter().for_each(|path| check(&repo, &ids, path));
}

/// Puts another `meta.json` into the newest sealed record, and gives that record's id.
fn plant(repo: &TestRepo, change: impl Fn(&mut Value)) -> String {
    let git = |args: &[&str]| repo.git(&[&["--git-dir", ".git/redraft/history.git"], args].concat()).trim().to_owned();
    let name = git(&["for-each-ref", "--format=%(refname)"]);
    let mut meta: Value =
        serde_json::from_str(&git(&["cat-file", "blob", &format!("{name}:meta.json")])).expect("JSON");
    change(&mut meta);
    fs::write(repo.outside().join("meta.json"), meta.to_string()).expect("written");
    let blob = git(&["hash-object", "-w", "../meta.json"]);
    let index = repo.outside().join("index");
    let tree = |args: &[&str]| {
        let mut command = std::process::Command::new("git");
        command.args(["--git-dir", ".git/redraft/history.git"]).args(args).current_dir(repo.root());
        let output = command.env("GIT_INDEX_FILE", &index).output().expect("git runs");
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).expect("UTF-8").trim().to_owned()
    };
    tree(&["read-tree", &name]);
    tree(&["update-index", "--add", "--cacheinfo", &format!("100644,{blob},meta.json")]);
    let tree = tree(&["write-tree"]);
    let commit = git(&[
        "-c",
        "user.name=x",
        "-c",
        "user.email=x@y",
        "commit-tree",
        &tree,
        "-p",
        &format!("{name}^"),
        "-m",
        "forged",
    ]);
    git(&["update-ref", &name, &commit]);
    meta["id"].as_str().expect("an id").to_owned()
}

#[test]
fn a_commit_of_the_history_that_lies_in_the_place_of_another_one_is_told() {
    let repo = TestRepo::with_files(&[("a.txt", TEXT)]);
    repo.edit("a.txt", "two", "2");
    repo.redraft(&["gc"], "");
    let second = repo.edit("a.txt", "four", "4");
    repo.redraft(&["gc"], "");
    let store = repo.root().join(".git/redraft/history.git");
    let git = |args: &[&str]| repo.git(&[&["--git-dir", ".git/redraft/history.git"], args].concat()).trim().to_owned();
    let name = git(&["for-each-ref", "--format=%(refname)"]);
    let tip = git(&["rev-parse", &name]);
    plant(&repo, |meta| meta["message"] = json!("forged"));
    let forged = git(&["rev-parse", &name]);
    git(&["update-ref", &name, &tip]);
    let loose = |id: &str| store.join("objects").join(&id[..2]).join(&id[2..]);
    let packs = fs::read_dir(store.join("objects/pack")).expect("listed").map(|entry| entry.expect("listed").path());
    let aside = repo.outside().join("packs");
    fs::create_dir(&aside).expect("made");
    for pack in packs {
        let to = aside.join(pack.file_name().expect("a name"));
        fs::rename(&pack, &to).expect("moved");
        if to.extension().is_some_and(|extension| extension == "pack") {
            let mut git = std::process::Command::new("git");
            git.arg("--git-dir").arg(&store).args(["unpack-objects", "-q"]);
            git.stdin(fs::File::open(&to).expect("opened"));
            assert!(git.status().expect("git runs").success());
        }
    }
    fs::remove_file(loose(&tip)).expect("removed");
    fs::copy(loose(&forged), loose(&tip)).expect("copied");
    let fsck = repo.redraft(&["fsck"], "");
    assert!(fsck.status == 3 && fsck.err.contains("another one"), "{}{}", fsck.out, fsck.err);
    assert_ne!(repo.redraft(&["show", &second], "").status, 0);
}

/// What is planted in a record, in words and as a change of its JSON.
type Change = (&'static str, fn(&mut Value));

#[test]
fn a_record_with_bad_numbers_is_refused_and_the_others_are_read() {
    let changes: [Change; 7] = [
        ("a start beyond the text", |meta| meta["files"][0]["splices"][0][0] = json!(1_000_000_000)),
        ("a length beyond all memory", |meta| meta["files"][0]["splices"][0][2] = json!(u64::MAX)),
        ("another length of the text", |meta| meta["files"][0]["after_len"] = json!(7)),
        ("an id that is none", |meta| meta["id"] = json!("short")),
        ("a time that is none", |meta| meta["time_ms"] = json!(i64::MIN)),
        ("a path that leads outside", |meta| meta["files"][0]["path"] = json!("../../x")),
        ("a later version", |meta| meta["version"] = json!(9)),
    ];
    let template = TestRepo::with_files(&[("a.txt", TEXT), ("b.txt", TEXT)]);
    template.git(&["init", "-q", "--bare", "../other.git"]);
    let first = template.edit("a.txt", "two", "2");
    let second = template.edit("a.txt", "four", "4");
    template.redraft(&["gc"], "");
    fs::create_dir(template.outside().join("linked")).expect("made");
    for (told, change) in changes {
        let repo = copy(&template);
        plant(&repo, change);
        let log = run(&repo, &["log", "--json"], "", told);
        assert_eq!((log.status, ids_in(&log)), (0, BTreeSet::from([first.clone()])), "{told}: {}", log.err);
        assert!(log.err.contains("bad meta.json"), "{told}: {}", log.err);
        assert_ne!(run(&repo, &["show", &second], "", told).status, 0, "{told}");
        assert_eq!(run(&repo, &["show", &first], "", told).status, 0, "{told}");
        assert_eq!(run(&repo, &["fsck"], "", told).status, 3, "{told}");
        for args in COMMANDS {
            run(&repo, args, "", told);
        }
        // Another clone that fetches it is not harmed either.
        repo.git(&["clone", "-q", ".", "../clone"]);
        let clone = repo.outside().join("clone");
        let text = json!({"path": "b.txt", "old_string": "two", "new_string": "2"}).to_string();
        repo.redraft_in(&clone, &["apply"], &text);
        for args in [&["sync", "../other.git"][..], &["log", "--all"], &["show", &second], &["log", "-p", "--all"]] {
            let answer = repo.redraft_in(&clone, args, "");
            assert!(matches!(answer.status, 0 | 1 | 3), "{told}: {args:?}: {}{}", answer.out, answer.err);
        }
        let log = repo.redraft_in(&clone, &["log", "--json", "--all"], "");
        assert!(ids_in(&log).contains(&first), "{told}: {}{}", log.out, log.err);
        assert!(log.err.contains("bad meta.json"), "{told}: {}", log.err);
        assert_eq!(repo.redraft_in(&clone, &["undo"], "").status, 0);
    }
}

#[test]
fn a_bad_bit_in_the_journals_head_costs_nothing_and_is_told_and_kept_aside() {
    let repo = TestRepo::with_files(&[("a.txt", TEXT)]);
    let mut want = vec![repo.edit("a.txt", "two", "2")];
    let journal = repo.root().join(".git/redraft/worktrees/main/journal");
    let mut bytes = fs::read(&journal).expect("read");
    bytes[5] ^= 1;
    fs::write(&journal, &bytes).expect("written");
    for (old, new) in [("three", "3"), ("four", "4"), ("five", "5")] {
        want.push(repo.edit("a.txt", old, new));
    }
    let log = repo.redraft(&["log", "--json"], "");
    assert_eq!(ids_in(&log), want.iter().cloned().collect());
    assert!(log.err.contains("journal is damaged") && log.err.contains("journal"), "{}", log.err);
    assert_eq!(repo.redraft(&["fsck"], "").status, 3);
    let gc = repo.redraft(&["gc"], "");
    assert_eq!(gc.status, 0);
    let aside = gc.err.split("kept as ").nth(1).expect("the place is told").trim();
    // Behind the first entry there was nothing yet but room.
    let written = bytes.iter().rposition(|byte| *byte != 0).expect("not all zeros") + 1;
    assert!(fs::read(aside).expect("kept").starts_with(&bytes[..written]));
    assert_eq!(ids_in(&repo.redraft(&["log", "--json"], "")), want.iter().cloned().collect());
    let fsck = repo.redraft(&["fsck", "--json"], "");
    assert_eq!((fsck.status, &fsck.json()["problems"]), (0, &json!([])));
    assert!(fsck.out.contains("journal.damaged-"), "{}", fsck.out);
}

#[test]
fn a_log_index_that_lacks_records_or_is_damaged_hides_none_and_is_written_anew() {
    let repo = TestRepo::with_files(&[("a.txt", TEXT)]);
    let mut want: BTreeSet<String> = BTreeSet::new();
    for round in [["two", "three"], ["four", "five"]] {
        want.extend(round.iter().map(|old| repo.edit("a.txt", old, &old.to_uppercase())));
        repo.redraft(&["gc"], "");
    }
    let folder = repo.root().join(".git/redraft/history.git/log-index");
    let index = fs::read_dir(&folder).expect("a folder").next().expect("an index").expect("an entry").path();
    let whole = fs::read(&index).expect("read");
    let seen = |told: &str| assert_eq!(ids_in(&repo.redraft(&["log", "--json"], "")), want, "{told}");
    for at in (0..whole.len()).step_by(7) {
        let mut bytes = whole.clone();
        bytes[at] ^= 16;
        fs::write(&index, &bytes).expect("written");
        seen(&format!("flipped at {at}"));
    }
    fs::write(&index, &whole[..whole.len() / 2]).expect("written");
    let notes = repo.redraft(&["fsck", "--json"], "").json()["notes"].to_string();
    assert!(notes.contains("log index is damaged or out of date"), "{notes}");
    // A checkpoint on top of it says so, and leaves no hole.
    want.insert(repo.edit("a.txt", "eight", "8"));
    let gc = repo.redraft(&["backups", "prune", "--keep", "all"], "");
    assert!(gc.err.contains("written anew"), "{}", gc.err);
    assert_eq!(ids_in(&repo.redraft(&["log", "--json"], "")), want);
    assert_eq!(repo.redraft(&["fsck", "--json"], "").json()["notes"], json!([]));
}

#[test]
fn a_lost_commit_hides_no_record_that_the_log_index_leads_to() {
    let repo = TestRepo::with_files(&[("a.txt", TEXT)]);
    let git = |args: &[&str]| repo.git(&[&["--git-dir", ".git/redraft/history.git"], args].concat());
    let files = |folder: &str| -> Vec<PathBuf> {
        let folder = fs::read_dir(repo.root().join(".git/redraft/history.git").join(folder)).expect("a folder");
        folder.map(|entry| entry.expect("an entry").path()).collect()
    };
    let mut sealed = Vec::new();
    for old in ["two", "four", "eight"] {
        let id = repo.edit("a.txt", old, &old.to_uppercase());
        assert_eq!(repo.redraft(&["backups", "prune", "--keep", "all"], "").status, 0);
        let index = files("log-index").remove(0);
        sealed.push((id, fs::read(&index).expect("an index"), git(&["for-each-ref", "--format=%(objectname)"])));
    }
    // The index has the first record alone, and the commit of the second is nowhere.
    fs::write(files("log-index").remove(0), &sealed[0].1).expect("written");
    let lost = sealed[1].2.trim();
    let has_it = |path: &PathBuf| {
        let listed = repo.git(&["verify-pack", "-v", &path.with_extension("idx").to_string_lossy()]);
        listed.lines().any(|line| line.starts_with(lost))
    };
    let packs = files("objects/pack");
    let pack = packs.iter().filter(|path| path.extension().is_some_and(|end| end == "pack")).find(|path| has_it(path));
    for end in ["pack", "idx", "rev", "bitmap"] {
        let _ = fs::remove_file(pack.expect("a pack").with_extension(end));
    }
    let log = repo.redraft(&["log", "--json"], "");
    assert_eq!(ids_in(&log), BTreeSet::from([sealed[0].0.clone(), sealed[2].0.clone()]), "{}", log.err);
    assert!(log.err.contains(lost), "{}", log.err);
}
