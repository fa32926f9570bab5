//! fsck, gc, purge and sync.

use crate::support::{Terminal, TestRepo};
use serde_json::{Value, json};

const TEXT: &str = "one\ntwo\nthree\nfour\nfive\nsix\n";

fn repo() -> TestRepo {
    TestRepo::with_files(&[("a.txt", TEXT), ("secret.txt", TEXT)])
}

fn ids(repo: &TestRepo, args: &[&str]) -> Vec<String> {
    let answer = repo.redraft(args, "");
    assert_eq!(answer.status, 0, "{}", answer.err);
    answer.lines().iter().map(|line| line["id"].as_str().expect("an id").to_owned()).collect()
}

fn json(repo: &TestRepo, args: &[&str]) -> Value {
    let answer = repo.redraft(args, "");
    assert_eq!(answer.status, 0, "{}{}", answer.out, answer.err);
    answer.json()
}

fn objects(repo: &TestRepo) -> String {
    let args = ["--git-dir", ".git/redraft/history.git", "cat-file", "--batch-all-objects", "--batch"];
    String::from_utf8_lossy(&repo.try_git(&args).stdout).into_owned()
}

#[test]
fn a_whole_history_has_no_damage_and_a_missing_text_is_found() {
    let repo = repo();
    assert_eq!(json(&repo, &["fsck", "--json"])["records"], json!(0));
    repo.edit("a.txt", "two", "2");
    json(&repo, &["gc", "--json"]);
    repo.edit("a.txt", "six", "6");
    let checked = json(&repo, &["fsck", "--json"]);
    assert_eq!((&checked["records"], &checked["problems"], &checked["notes"]), (&json!(2), &json!([]), &json!([])));
    let packs = repo.root().join(".git/redraft/history.git/objects/pack");
    for entry in std::fs::read_dir(&packs).expect("packs") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|ext| ext == "pack") {
            let mut bytes = std::fs::read(&path).expect("a pack");
            let at = bytes.len() / 2;
            bytes[at] ^= 0xff;
            let mut mode = std::fs::metadata(&path).expect("a pack").permissions();
            #[allow(clippy::permissions_set_readonly_false)]
            mode.set_readonly(false);
            std::fs::set_permissions(&path, mode).expect("a mode");
            std::fs::write(&path, bytes).expect("written");
        }
    }
    let answer = repo.redraft(&["fsck"], "");
    assert_eq!(answer.status, 3, "{}", answer.out);
    assert!(answer.out.contains("damaged"));
}

#[test]
fn gc_keeps_the_newest_and_the_pinned_and_undo_of_them_still_works() {
    let repo = repo();
    let words = ["one", "two", "three", "four", "five", "six"];
    let all: Vec<String> = words.iter().map(|word| repo.edit("a.txt", word, &word.to_uppercase())).collect();
    let dry = json(&repo, &["gc", "--keep-records", "2", "--dry-run", "--json"]);
    assert_eq!(dry["dropped"], json!(0), "what is not sealed is not looked at by a dry run");
    let done = json(&repo, &["gc", "--keep-records", "2", "--pin", &all[1], "--json", "--yes"]);
    assert_eq!((&done["kept"], &done["dropped"], &done["pinned"]), (&json!(3), &json!(3), &json!(1)));
    assert_eq!(ids(&repo, &["log", "--json"]), [all[5].clone(), all[4].clone(), all[1].clone()]);
    assert_eq!(json(&repo, &["fsck", "--json"])["problems"], json!([]));
    assert_eq!(repo.redraft(&["show", "--json", &all[0]], "").status, 1);
    repo.done(&["undo", &all[1]], "");
    assert!(repo.text("a.txt").contains("\ntwo\n"));
    let done = json(&repo, &["gc", "--keep-days", "1", "--unpin", &all[1], "--json"]);
    assert_eq!(done["dropped"], json!(0), "nothing is older than a day by now");
    repo.git(&["config", "redraft.historyRetention", "count=1"]);
    assert_eq!(json(&repo, &["gc", "--json", "--yes"])["dropped"], json!(3));
    repo.edit("secret.txt", "one", "1");
    assert_eq!(ids(&repo, &["log", "--json"]).len(), 2);
}

#[test]
fn purge_takes_the_texts_of_a_path_away_and_leaves_tombstones() {
    let repo = repo();
    let id = repo.apply(json!({"files": [
        {"path": "secret.txt", "old_string": "two", "new_string": "password"},
        {"path": "a.txt", "old_string": "two", "new_string": "2"},
    ], "request_id": "r1"}));
    json(&repo, &["gc", "--json"]);
    assert!(objects(&repo).contains("password"));
    let dry = json(&repo, &["purge", "--path", "secret.txt", "--dry-run", "--json"]);
    assert_eq!(dry, json!({"records": 1, "texts": 2, "answers": 1, "backups": 1, "journals": 0, "foreign": 0}));
    assert!(objects(&repo).contains("password"));
    assert_eq!(json(&repo, &["purge", "--path", "secret.txt", "--json", "--yes"]), dry);
    assert!(!objects(&repo).contains("password"));
    let left =
        std::process::Command::new("grep").args(["-rl", "password", ".git/redraft"]).current_dir(repo.root()).output();
    assert_eq!(String::from_utf8_lossy(&left.expect("grep runs").stdout), "");
    let checked = json(&repo, &["fsck", "--json"]);
    assert_eq!((&checked["problems"], &checked["not_kept"]), (&json!([]), &json!(1)));
    let show = json(&repo, &["show", &id, "--json"]);
    assert_eq!((&show["files"][0]["kept"], &show["files"][0]["diff"]), (&json!("purged"), &json!("")));
    assert_eq!(repo.refused(&["undo", &id], ""), "undo_conflict");
    repo.done(&["undo", &id, "--", "a.txt"], "");
    assert_eq!(repo.text("a.txt"), TEXT);
}

#[test]
fn a_request_that_was_done_is_known_by_its_id_as_long_as_its_record_is() {
    let repo = repo();
    let request = json!({"path": "a.txt", "old_string": "two", "new_string": "2", "request_id": "r1"}).to_string();
    let first = repo.done(&["apply"], &request);
    json(&repo, &["gc", "--json"]);
    // The line comes back, so that doing it twice would be seen.
    repo.edit("a.txt", "2", "two");
    let again = || {
        let answer = repo.done(&["apply"], &request);
        assert_eq!(answer["data"]["record"]["id"], first["data"]["record"]["id"]);
        assert_eq!(answer["data"]["diff_preview"], first["data"]["diff_preview"]);
        assert_eq!(answer["context"]["params_input"], first["context"]["params_input"]);
        assert!(repo.text("a.txt").contains("\ntwo\n"));
    };
    again();
    let folder = repo.root().join(".git/redraft/worktrees/main/requests");
    let file = std::fs::read_dir(&folder).expect("a folder").next().expect("a file").expect("an entry").path();
    // What a power cut may leave of it.
    std::fs::write(&file, "").expect("written");
    again();
    let other = json!({"path": "a.txt", "old_string": "one", "new_string": "1", "request_id": "r1"}).to_string();
    assert_eq!(repo.refused(&["apply"], &other), "request_id_reused");
    json(&repo, &["gc", "--keep-records", "1", "--json", "--yes"]);
    assert_ne!(repo.done(&["apply"], &request)["data"]["record"]["id"], first["data"]["record"]["id"]);
    assert!(repo.text("a.txt").contains("\n2\n"));
}

#[test]
fn the_answer_to_a_request_keeps_no_line_of_an_ignored_file_and_none_of_a_purged_one() {
    let repo = repo();
    repo.write(".gitignore", "*.env\n");
    repo.write("key.env", "user = me\npassword = hunter2\nport = 1\n");
    let secret = json!({"path": "key.env", "old_string": "port = 1", "new_string": "port = 2", "request_id": "r1"});
    let first = repo.done(&["apply"], &secret.to_string());
    assert!(first["data"]["diff_preview"].as_str().expect("a diff").contains("hunter2"), "the caller sees it");
    let plain = json!({"path": "a.txt", "old_string": "two", "new_string": "swordfish", "request_id": "r2"});
    let second = repo.done(&["apply"], &plain.to_string());
    json(&repo, &["gc", "--json"]);
    assert!(!objects(&repo).contains("hunter2") && !objects(&repo).contains("port = 2"));
    json(&repo, &["purge", "--path", "a.txt", "--json", "-y"]);
    assert!(!objects(&repo).contains("swordfish"));
    for (request, first) in [(secret, first), (plain, second)] {
        let again = repo.done(&["apply"], &request.to_string());
        assert_eq!((&again["status"], &again["data"]["diff_preview"]), (&json!("partial"), &json!("")), "{again}");
        assert_eq!(again["data"]["record"]["id"], first["data"]["record"]["id"]);
        assert_eq!(again["data"]["files"][0]["after"], first["data"]["files"][0]["after"]);
    }
}

#[test]
fn two_clones_exchange_their_records_through_a_remote() {
    let repo = repo();
    repo.git(&["init", "-q", "--bare", "../remote.git"]);
    repo.git(&["remote", "add", "origin", "../remote.git"]);
    repo.git(&["push", "-q", "origin", "main"]);
    repo.git(&["clone", "-q", "-b", "main", "../remote.git", "../other"]);
    let own = repo.edit("a.txt", "two", "2");
    assert_eq!(repo.redraft(&["sync", "origin"], "").status, 0);
    let other = repo.outside().join("other");
    let request = json!({"path": "a.txt", "old_string": "six", "new_string": "6"}).to_string();
    let theirs = repo.redraft_in(&other, &["apply"], &request).json()["data"]["record"]["id"]
        .as_str()
        .expect("an id")
        .to_owned();
    let synced = repo.redraft_in(&other, &["sync", "origin"], "");
    assert_eq!(synced.status, 0, "{}{}", synced.out, synced.err);
    assert_eq!(repo.redraft(&["sync", "origin"], "").status, 0);
    let mut all = ids(&repo, &["log", "--json", "--all"]);
    all.sort();
    let mut want = [own.clone(), theirs.clone()];
    want.sort();
    assert_eq!(all, want);
    assert_eq!(ids(&repo, &["log", "--json"]), [own]);
    assert_eq!(json(&repo, &["fsck", "--json"])["problems"], json!([]));
    assert_eq!(json(&repo, &["show", &theirs, "--json"])["files"][0]["path"], json!("a.txt"));
    assert_eq!(repo.redraft(&["sync", "nowhere"], "").status, 3);
}

#[test]
fn what_is_read_while_the_history_is_packed_anew_is_no_damage() {
    let repo = TestRepo::with_files(&[("a.txt", "v0\nx\n")]);
    for n in 0..30 {
        repo.edit("a.txt", &format!("v{n}\n"), &format!("v{}\n", n + 1));
    }
    std::thread::scope(|scope| {
        let packing = scope.spawn(|| {
            for n in 30..50 {
                assert_eq!(repo.redraft(&["gc"], "").status, 0);
                repo.edit("a.txt", &format!("v{n}\n"), &format!("v{}\n", n + 1));
            }
        });
        while !packing.is_finished() {
            for args in [&["log", "--json"][..], &["blame", "a.txt"], &["fsck"], &["diff", "@-5"]] {
                let answer = repo.redraft(args, "");
                assert_eq!((answer.status, answer.err.as_str()), (0, ""), "{args:?}: {}", answer.out);
            }
        }
    });
}

#[test]
fn gc_asks_before_records_are_dropped_and_never_where_none_would_be() {
    let repo = repo();
    let words = ["one", "two", "three", "four"];
    let all: Vec<String> = words.iter().map(|word| repo.edit("a.txt", word, &word.to_uppercase())).collect();
    let count = || ids(&repo, &["log", "--json"]).len();
    for args in [&["gc"][..], &["gc", "--keep-records", "4"], &["gc", "--keep-days", "1"]] {
        let ran = repo.redraft(args, "");
        assert_eq!((ran.status, count()), (0, 4), "{args:?}: {}", ran.err);
    }
    repo.edit("a.txt", "five", "FIVE");
    // Also what was not sealed yet counts.
    let counts = "4 records of 1 file and 0 sessions would be dropped, and 1 kept";
    let ran = repo.redraft(&["gc", "--keep-records", "1"], "y\n");
    assert_eq!((ran.status, ran.out.as_str(), count()), (2, "", 5), "{}", ran.err);
    assert!(ran.err.contains(counts) && ran.err.contains("--yes"), "{}", ran.err);
    repo.git(&["config", "redraft.historyRetention", "count=1"]);
    assert_eq!((repo.redraft(&["gc"], "").status, count()), (2, 5));
    // A pin that is refused is none.
    let ran = repo.redraft(&["gc", "--pin", &all[0]], "");
    assert_eq!((ran.status, count()), (2, 5));
    assert!(ran.err.contains("3 records of"), "{}", ran.err);
    assert!(repo.redraft(&["gc"], "").err.contains(counts));
    // An edit asks nobody, and drops nothing.
    repo.edit("a.txt", "six", "SIX");
    assert_eq!(count(), 6);
    for (typed, exit, left) in [("n\n", 1, 6), ("y\n", 0, 1)] {
        let Some(mut terminal) = Terminal::of(&repo, "redraft gc") else { return };
        terminal.wait_for("5 records of 1 file and 0 sessions would be dropped, and 1 kept");
        terminal.answer("Go on? (y/n): ", typed);
        let ended = terminal.end();
        assert_eq!((ended.exit, count()), (Some(exit), left), "{typed:?}: {}", ended.shown);
    }
}

// Seen: 2 lines removed before the record was sealed, 0 after it, and 2 in `show --numstat`.
#[test]
fn a_deletion_whose_text_only_the_backup_has_counts_the_same_lines_wherever_they_are_counted() {
    let large = format!("{}\n", "large".repeat(200)).repeat(9_000);
    for (path, text, lines) in [("s.ign", "1\n2\n", 2), ("large", large.as_str(), 9_000)] {
        let repo = TestRepo::with_files(&[(".gitignore", "*.ign\n")]);
        repo.write(path, text);
        repo.apply(json!({"path": path, "delete": true}));
        let counted = || {
            let file = repo.redraft(&["log", "--json"], "").lines()[0]["files"][0].clone();
            let session = repo.redraft(&["sessions", "--json"], "").lines()[0].clone();
            let stat = repo.redraft(&["show", "--numstat"], "").out;
            let diff = repo.redraft(&["diff", "@", "--numstat"], "").out;
            (file["lines_added"].clone(), file["lines_removed"].clone(), session["lines_removed"].clone(), stat, diff)
        };
        for sealed in [false, true] {
            let (added, removed, of_session, stat, diff) = counted();
            assert_eq!(
                (added, removed, of_session),
                (json!(0), json!(lines), json!(lines)),
                "{path}, sealed: {sealed}"
            );
            for told in [stat, diff] {
                assert!(told.contains(&format!("0\t{lines}\t{path}")), "{path}, sealed: {sealed}: {told}");
            }
            repo.done(&["gc", "--json"], "");
        }
        std::fs::remove_dir_all(repo.root().join(".git/redraft/worktrees/main/backups")).expect("removed");
        let (added, removed, ..) = counted();
        assert_eq!((added, removed), (Value::Null, Value::Null), "nobody knows");
    }
}
