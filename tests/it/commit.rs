//! `record: commit`: HEAD gets the agent's lines and nothing else, whatever the user has staged or not.

use crate::support::{TestRepo, tree_of};
use serde_json::{Value, json};

const TEXT: &str = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\neleven\ntwelve\n";

fn repo() -> TestRepo {
    TestRepo::with_files(&[("a.txt", TEXT), ("b.txt", TEXT)])
}

fn request(path: &str, old: &str, new: &str) -> Value {
    json!({"path": path, "old_string": old, "new_string": new, "record": "commit", "message": "the agent's\n\nwhy",
        "agent": {"name": "robo", "model": "m1"}})
}

fn commit(repo: &TestRepo, path: &str, old: &str, new: &str) -> Value {
    repo.done(&["apply"], &request(path, old, new).to_string())
}

/// The request must be refused for `reason`, and nothing may have changed, in the working tree or in git's files.
fn check_refused(repo: &TestRepo, args: &[&str], request: &Value, reason: &str) -> Value {
    let look = || {
        let mut all = tree_of(&repo.root());
        all.retain(|file| !file.contains("/.git/redraft"));
        all
    };
    let before = look();
    let answer = repo.redraft(args, &request.to_string());
    let told = answer.json();
    assert_eq!(told["data"]["reason"], json!(reason), "{}", answer.out);
    assert_eq!(told["status"], json!("error"));
    assert_eq!(look(), before);
    told
}

#[test]
fn a_commit_holds_the_edit_with_author_and_trailers() {
    let repo = repo();
    let answer = commit(&repo, "a.txt", "two", "2");
    let head = repo.git(&["rev-parse", "HEAD"]);
    assert_eq!(answer["data"]["record"]["commit"], json!(head.trim()));
    assert_eq!(answer["data"]["record"]["kind"], json!("commit"));
    let id = answer["data"]["record"]["id"].as_str().expect("an id");
    let message = repo.git(&["log", "-1", "--format=%an <%ae>%n%B"]);
    let want =
        format!("Test User <user@example.com>\nthe agent's\n\nwhy\n\nRedraft-Id: {id}\nAssisted-by: robo:m1\n\n");
    assert_eq!(message, want);
    assert_eq!(repo.git(&["show", "HEAD:a.txt"]), TEXT.replace("two", "2"));
    assert_eq!(repo.git(&["status", "--porcelain"]), "");
    assert!(repo.git(&["log", "-g", "-1", "--format=%gs", "HEAD"]).starts_with("commit: the agent's"));
    assert!(repo.git(&["log", "-g", "-1", "--format=%gs", "main"]).starts_with("commit: the agent's"));
    assert!(!repo.has(".git/index.lock"));
    repo.git(&["fsck", "--strict"]);
}

#[test]
fn staged_lines_stay_staged_and_unstaged_ones_unstaged() {
    let repo = repo();
    repo.write("a.txt", TEXT.replace("four", "staged four"));
    repo.write("b.txt", TEXT.replace("one", "staged one"));
    repo.git(&["add", "."]);
    repo.write("a.txt", TEXT.replace("four", "staged four").replace("six", "unstaged six"));
    commit(&repo, "a.txt", "five", "5");
    assert_eq!(repo.git(&["show", "HEAD:a.txt"]), TEXT.replace("five", "5"));
    assert_eq!(repo.git(&["show", ":a.txt"]), TEXT.replace("four", "staged four").replace("five", "5"));
    let now = TEXT.replace("four", "staged four").replace("six", "unstaged six").replace("five", "5");
    assert_eq!(repo.text("a.txt"), now);
    assert_eq!(repo.git(&["status", "--porcelain"]), "MM a.txt\nM  b.txt\n");
    assert_eq!(repo.git(&["show", "--stat", "--format=", "HEAD"]).lines().count(), 2);
}

#[test]
fn an_edit_of_the_users_own_line_is_refused_and_names_it() {
    let repo = repo();
    repo.write("a.txt", TEXT.replace("five", "five of the user"));
    let wish = request("a.txt", "five of the user", "5");
    let told = check_refused(&repo, &["apply"], &wish, "does_not_fit_head");
    let lines = &told["data"]["hint"]["lines"][0];
    assert_eq!((&lines["start_line"], &lines["text"]), (&json!(5), &json!("five of the user\n")));
    assert_eq!(told["data"]["failed_index"], json!(0));
    check_refused(&repo, &["check"], &wish, "does_not_fit_head");
}

#[test]
fn files_are_created_deleted_and_renamed_in_the_commit() {
    let repo = repo();
    repo.write("c.txt", "staged by the user\n");
    repo.git(&["add", "c.txt"]);
    let wish = json!({"record": "commit", "files": [
        {"path": "new/dir/n.txt", "content": "new\n"},
        {"path": "a.txt", "rename_to": "moved/a2.txt", "edits": [{"old_string": "two", "new_string": "2"}]},
        {"path": "b.txt", "delete": true},
    ]});
    repo.done(&["apply"], &wish.to_string());
    let names = repo.git(&["ls-tree", "-r", "--name-only", "HEAD"]);
    assert_eq!(names, "moved/a2.txt\nnew/dir/n.txt\n");
    assert_eq!(repo.git(&["show", "HEAD:moved/a2.txt"]), TEXT.replace("two", "2"));
    assert_eq!(repo.git(&["status", "--porcelain"]), "A  c.txt\n");
    repo.git(&["fsck", "--strict"]);
}

#[test]
fn the_first_commit_of_a_repository_can_be_the_agents() {
    let repo = TestRepo::new();
    let wish = json!({"path": "a.txt", "content": "one\n", "record": "commit"});
    repo.done(&["apply"], &wish.to_string());
    assert_eq!(repo.git(&["log", "--format=%s"]), "create a.txt\n");
    assert_eq!(repo.git(&["log", "-g", "--format=%gs"]), "commit (initial): create a.txt\n");
    assert_eq!(repo.git(&["status", "--porcelain"]), "");
}

#[test]
fn a_detached_head_moves_and_the_branch_does_not() {
    let repo = repo();
    repo.git(&["checkout", "-q", "--detach"]);
    commit(&repo, "a.txt", "two", "2");
    assert_eq!(repo.git(&["rev-parse", "HEAD^"]), repo.git(&["rev-parse", "main"]));
    assert_eq!(repo.git(&["status", "--porcelain"]), "");
}

#[test]
fn what_head_does_not_have_is_not_committed() {
    let repo = repo();
    repo.write("u.txt", "untracked\n");
    check_refused(&repo, &["apply"], &request("u.txt", "untracked", "u"), "does_not_fit_head");
    repo.git(&["add", "u.txt"]);
    check_refused(&repo, &["apply"], &request("u.txt", "untracked", "u"), "does_not_fit_head");
    repo.write(".gitignore", "*.log\n");
    let ignored = json!({"path": "x.log", "content": "x\n", "record": "commit"});
    check_refused(&repo, &["apply"], &ignored, "does_not_fit_head");
}

#[test]
fn operations_in_progress_and_conflicts_are_refused() {
    let repo = repo();
    repo.git(&["checkout", "-q", "-b", "other"]);
    repo.write("a.txt", TEXT.replace("two", "other two"));
    repo.commit_all("other");
    repo.git(&["checkout", "-q", "main"]);
    repo.write("a.txt", TEXT.replace("two", "main two"));
    repo.commit_all("main");
    assert!(!repo.try_git(&["merge", "other"]).status.success());
    let wish = request("b.txt", "two", "2");
    let told = check_refused(&repo, &["apply"], &wish, "operation_in_progress");
    assert_eq!(told["data"]["hint"]["operation"], json!("merge"));
    repo.git(&["merge", "--abort"]);
    assert!(!repo.try_git(&["rebase", "other"]).status.success());
    check_refused(&repo, &["apply"], &wish, "operation_in_progress");
    repo.git(&["rebase", "--abort"]);
    // A stash that does not fit leaves a conflict without an operation.
    repo.write("a.txt", TEXT.replace("two", "stashed two"));
    repo.git(&["stash", "-q"]);
    repo.write("a.txt", TEXT.replace("two", "2nd"));
    repo.commit_all("again");
    assert!(!repo.try_git(&["stash", "pop"]).status.success());
    check_refused(&repo, &["apply"], &request("a.txt", "twelve", "12"), "unmerged");
    commit(&repo, "b.txt", "two", "2");
    assert_eq!(repo.git(&["diff", "--name-only", "--diff-filter=U"]), "a.txt\n");
}

#[test]
fn hooks_see_the_commit_and_their_failure_takes_everything_back() {
    let repo = repo();
    repo.write("a.txt", TEXT.replace("nine", "staged nine"));
    repo.git(&["add", "."]);
    let hook = "#!/bin/sh\ngit diff --cached HEAD > seen; grep -q FORBIDDEN a.txt && { echo no such word >&2; exit 1; }\nrm -f seen.tmp; mv seen \"$(git rev-parse --git-dir)/seen\"\n";
    repo.hook("pre-commit", hook);
    repo.hook("commit-msg", "#!/bin/sh\necho 'Checked: yes' >> \"$1\"\n");
    let head = repo.git(&["rev-parse", "HEAD"]);
    let before = (repo.text("a.txt"), repo.git(&["ls-files", "-s"]));
    let told = repo.redraft(&["apply"], &request("a.txt", "two", "FORBIDDEN").to_string()).json();
    assert_eq!(told["data"]["reason"], json!("hook_failed"), "{told}");
    assert!(told["data"]["hint"]["output"].as_str().expect("output").contains("no such word"), "{told}");
    assert_eq!((repo.text("a.txt"), repo.git(&["ls-files", "-s"])), before);
    assert_eq!(repo.git(&["rev-parse", "HEAD"]), head);
    assert!(!repo.has(".git/index.lock"));
    std::fs::remove_file(repo.root().join("seen")).expect("the hook wrote it");

    let answer = commit(&repo, "a.txt", "two", "2");
    assert_eq!(answer["data"]["record"]["commit"], json!(repo.git(&["rev-parse", "HEAD"]).trim()));
    let seen = repo.text(".git/seen");
    assert!(seen.contains("+2") && !seen.contains("nine\n+"), "{seen}");
    assert!(repo.git(&["log", "-1", "--format=%B"]).contains("Checked: yes"));
    assert_eq!(repo.git(&["show", "HEAD:a.txt"]), TEXT.replace("two", "2"));
    assert_eq!(repo.git(&["diff", "--cached", "--stat"]).lines().count(), 2);
    assert_eq!(repo.git(&["diff"]), "");

    repo.done(&["apply", "--no-verify"], &request("a.txt", "three", "FORBIDDEN").to_string());
    assert!(repo.git(&["show", "HEAD:a.txt"]).contains("FORBIDDEN"));
}

#[test]
fn what_a_formatting_hook_adds_stays_in_the_index() {
    let repo = repo();
    repo.hook("pre-commit", "#!/bin/sh\nsed -i 's/badly/well/' a.txt && git add a.txt\n");
    commit(&repo, "a.txt", "two", "badly");
    assert_eq!(repo.git(&["show", "HEAD:a.txt"]), TEXT.replace("two", "well"));
    assert_eq!(repo.git(&["status", "--porcelain"]), "");
}

#[test]
fn a_commit_that_cannot_be_signed_takes_everything_back() {
    let repo = repo();
    repo.git(&["config", "commit.gpgSign", "true"]);
    repo.git(&["config", "gpg.program", "false"]);
    check_refused_but_for_objects(&repo, "signing_failed");
    repo.hook("post-commit", "#!/bin/sh\n");
    check_refused_but_for_objects(&repo, "signing_failed");
}

fn check_refused_but_for_objects(repo: &TestRepo, reason: &str) {
    let state = || (repo.text("a.txt"), repo.git(&["ls-files", "-s"]), repo.git(&["rev-parse", "HEAD"]));
    let before = state();
    assert_eq!(repo.refused(&["apply"], &request("a.txt", "two", "2").to_string()), reason);
    assert_eq!(state(), before);
    assert!(!repo.has(".git/index.lock"));
}

#[test]
fn a_commit_is_signed_where_git_would() {
    let repo = repo();
    let signer = "#!/bin/sh\ncat > /dev/null\necho '[GNUPG:] SIG_CREATED ' >&2\nprintf -- '-----BEGIN PGP SIGNATURE-----\\n\\nx\\n-----END PGP SIGNATURE-----\\n'\n";
    repo.script("sign", signer);
    repo.git(&["config", "commit.gpgSign", "true"]);
    repo.git(&["config", "gpg.program", &repo.outside().join("sign").to_string_lossy()]);
    commit(&repo, "a.txt", "two", "2");
    assert!(repo.git(&["cat-file", "commit", "HEAD"]).contains("gpgsig -----BEGIN PGP SIGNATURE-----"));
}

/// Seen: `io`, with what git said of a pipe, and no word on what to do.
#[test]
fn a_message_that_no_git_commit_can_have_is_refused_before_anything_is_done() {
    let repo = repo();
    for record in ["commit", "stash"] {
        let mut wish = request("a.txt", "two", "2");
        (wish["message"], wish["record"]) = (json!("x\0y"), json!(record));
        let answer = check_refused(&repo, &["apply"], &wish, "bad_type");
        assert_eq!(answer["error"]["code"], "INVALID_PARAM", "{answer}");
        assert!(
            answer["text"].as_str().is_some_and(|text| text.contains("NUL") && text.contains("`message`")),
            "{answer}"
        );
        check_refused(&repo, &["apply", "--dry-run"], &wish, "bad_type");
    }
}

#[test]
fn the_author_may_be_another() {
    let repo = repo();
    let wish = request("a.txt", "two", "2").to_string();
    repo.done(&["apply", "--author", "A U Thor <a@example.com>"], &wish);
    assert_eq!(repo.git(&["log", "-1", "--format=%an %ae %cn"]), "A U Thor a@example.com Test User\n");
    assert_eq!(repo.refused(&["apply", "--author", "nobody"], &request("a.txt", "three", "3").to_string()), "bad_type");
}

#[test]
fn git_stores_what_its_conversions_make_of_it() {
    let repo = TestRepo::with_files(&[
        (".gitattributes", "*.txt text eol=crlf\n*.big filter=up\n"),
        ("a.txt", &TEXT.replace('\n', "\r\n")),
    ]);
    repo.git(&["config", "filter.up.clean", "tr a-z A-Z"]);
    repo.git(&["config", "filter.up.smudge", "tr A-Z a-z"]);
    repo.write("x.big", TEXT);
    repo.commit_all("big");
    assert_eq!(repo.git(&["show", "HEAD:x.big"]), TEXT.to_uppercase());
    // User lines around, in the working tree's own form.
    repo.write("a.txt", TEXT.replace("six", "user six").replace('\n', "\r\n"));
    repo.write("x.big", TEXT.replace("six", "user six"));
    commit(&repo, "a.txt", "five\nuser", "5\nuser");
    commit(&repo, "x.big", "five\nuser", "5x\nuser");
    assert_eq!(repo.git(&["show", "HEAD:a.txt"]), TEXT.replace("five", "5"));
    assert_eq!(repo.git(&["show", "HEAD:x.big"]), TEXT.replace("five", "5x").to_uppercase());
    let now = TEXT.replace("six", "user six").replace("five", "5").replace('\n', "\r\n");
    assert_eq!(repo.text("a.txt"), now);
    let wish = json!({"path": "new.big", "content": "abc\n", "record": "commit"});
    repo.done(&["apply"], &wish.to_string());
    assert_eq!(repo.git(&["show", "HEAD:new.big"]), "ABC\n");
    assert_eq!(repo.git(&["diff", "--cached", "--name-only"]), "");
}

#[test]
fn the_users_chmod_is_not_committed() {
    let repo = repo();
    repo.git(&["update-index", "--chmod=+x", "b.txt"]);
    repo.git(&["commit", "-q", "-m", "x"]);
    repo.chmod("a.txt", 0o755);
    commit(&repo, "a.txt", "two", "2");
    assert!(repo.git(&["ls-tree", "HEAD", "a.txt"]).starts_with("100644"));
    commit(&repo, "b.txt", "two", "2");
    assert!(repo.git(&["ls-tree", "HEAD", "b.txt"]).starts_with("100755"));
}

#[test]
fn the_index_keeps_its_version_and_extensions() {
    let repo = repo();
    repo.git(&["update-index", "--index-version", "4"]);
    repo.git(&["update-index", "--untracked-cache"]);
    repo.git(&["status"]);
    commit(&repo, "a.txt", "two", "2");
    let index = repo.read(".git/index");
    assert_eq!(&index[4..8], [0, 0, 0, 4]);
    assert!(index.windows(4).any(|w| w == b"UNTR"));
    repo.git(&["update-index", "--split-index"]);
    commit(&repo, "a.txt", "three", "3");
    assert!(repo.read(".git/index").windows(4).any(|w| w == b"link"));
    assert_eq!(repo.git(&["status", "--porcelain"]), "");
}

#[test]
fn a_locked_index_is_waited_for_and_then_refused() {
    let repo = repo();
    repo.write(".git/index.lock", "");
    let wish = request("a.txt", "two", "2");
    let told = repo.redraft(&["apply", "--lock-timeout", "0.05"], &wish.to_string());
    assert_eq!(told.json()["data"]["reason"], json!("index_lock_timeout"));
    assert_eq!(told.status, 4);
    assert_eq!(repo.text("a.txt"), TEXT);
    assert!(repo.has(".git/index.lock"));
}

#[test]
fn other_ways_of_recording_leave_git_alone_and_a_dry_run_everything() {
    let repo = repo();
    let look = |repo: &TestRepo| {
        (
            repo.read(".git/index"),
            repo.git(&["for-each-ref"]),
            repo.git(&["log", "--all", "--format=%H"]),
            repo.git(&["count-objects", "-v"]),
        )
    };
    let before = look(&repo);
    repo.edit("a.txt", "two", "2");
    assert_eq!(look(&repo), before);
    repo.write("b.txt", TEXT.replace("nine", "user nine"));
    for record in ["history", "commit", "stash"] {
        let all = tree_of(&repo.root());
        let mut wish = request("b.txt", "two", "2");
        wish["record"] = json!(record);
        let answer = repo.done(&["check"], &wish.to_string());
        assert_eq!(answer["data"]["applied"], json!(false));
        assert_eq!(tree_of(&repo.root()), all, "{record}");
    }
}

/// One line of the model: as it is in HEAD, in the index, in the working tree; none where it is not there.
type Line = [Option<String>; 3];

fn text(lines: &[Line], which: usize) -> String {
    lines.iter().filter_map(|line| line[which].as_ref()).map(|line| format!("{line}\n")).collect()
}

/// The user's own changes: for `from`, staged and unstaged (1), or unstaged only (2).
fn user_changes(lines: &mut Vec<Line>, random: &mut impl FnMut(usize) -> usize, from: usize, tag: usize) {
    for n in 0..random(3) {
        let at = random(lines.len());
        let new = (random(3) > 0).then(|| format!("user {tag} {n} line {}", random(1000)));
        if random(2) == 0 && new.is_some() {
            let mut line = [None, None, None];
            for slot in &mut line[from..] {
                slot.clone_from(&new);
            }
            lines.insert(at, line);
        } else if lines[at].iter().all(|slot| slot.is_some() && *slot == lines[at][0]) {
            for slot in &mut lines[at][from..] {
                slot.clone_from(&new);
            }
        }
    }
}

#[test]
fn only_the_agents_lines_are_committed_in_random_cases() {
    let cases: u64 = std::env::var("REDRAFT_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(40);
    let repo = TestRepo::new();
    let (mut committed, mut refused) = (0, 0);
    for case in 0..cases {
        let mut seed = case * 7_919 + 17;
        let mut random = |n: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) as usize % n
        };
        let mut lines: Vec<Line> = (0..4 + random(20))
            .map(|n| std::array::from_fn(|_| Some(format!("line {case} {n} of the file"))))
            .collect();
        user_changes(&mut lines, &mut random, 1, 1);
        user_changes(&mut lines, &mut random, 2, 2);
        repo.git(&["reset", "-q", "--hard"]);
        for (which, step) in [(0, "HEAD"), (1, "index"), (2, "tree")] {
            repo.write("f.txt", text(&lines, which));
            match step {
                "HEAD" => repo.commit_all("base"),
                "index" => drop(repo.git(&["add", "f.txt"])),
                _ => {}
            }
        }
        let before = (repo.text("f.txt"), repo.git(&["ls-files", "-s"]), repo.git(&["rev-parse", "HEAD"]));
        // The agent: one or two lines that nobody else changed; or in one case of eight, one that the user did.
        let own: Vec<usize> = (0..lines.len())
            .filter(|&n| lines[n][2].is_some() && lines[n] != std::array::from_fn(|_| lines[n][2].clone()))
            .collect();
        let on_users = random(8) == 0 && !own.is_empty();
        let mut edits = Vec::new();
        for n in 0..1 + random(2) {
            let common: Vec<usize> = (0..lines.len())
                .filter(|&n| {
                    lines[n]
                        .iter()
                        .all(|slot| slot.as_ref().is_some_and(|t| t.ends_with("of the file") && *slot == lines[n][0]))
                })
                .collect();
            let from = if on_users { &own } else { &common };
            if from.is_empty() || (on_users && n > 0) {
                break;
            }
            let at = from[random(from.len())];
            let old = lines[at][2].clone().expect("it is there");
            let new = format!("agent {n}");
            let (edit, change) = match random(3) {
                0 => (json!({"old_string": format!("{old}\n"), "new_string": ""}), [None, None]),
                1 => (json!({"old_string": old, "new_string": new}), [Some(new.clone()), None]),
                _ => (
                    json!({"old_string": old, "new_string": format!("{old}\n{new}")}),
                    [Some(old.clone()), Some(new.clone())],
                ),
            };
            edits.push(edit);
            let [own, below] = change;
            // Marked by another ending, so that the next edit leaves it alone.
            lines[at] = std::array::from_fn(|_| own.clone().map(|t| if t == old { format!("{t} ") } else { t }));
            if below.is_some() {
                lines.insert(at + 1, std::array::from_fn(|_| below.clone()));
            }
        }
        for line in lines.iter_mut().flatten().flatten() {
            if line.ends_with("file ") {
                line.pop();
            }
        }
        if edits.is_empty() {
            continue;
        }
        let wish = json!({"path": "f.txt", "edits": edits, "record": "commit"});
        let answer = repo.redraft(&["apply"], &wish.to_string());
        let told = answer.json();
        if on_users && told["data"]["reason"] == json!("does_not_fit_head") {
            refused += 1;
            let after = (repo.text("f.txt"), repo.git(&["ls-files", "-s"]), repo.git(&["rev-parse", "HEAD"]));
            assert_eq!(after, before, "case {case}");
            continue;
        }
        let shown = format!("case {case}: {wish}\n{}\nbefore:\n{}\nindex:\n{}", answer.out, before.0, before.1);
        assert!(!on_users || told["data"]["applied"] == json!(true), "{shown}");
        assert_eq!(told["data"]["applied"], json!(true), "{shown}");
        if on_users {
            // An insertion beside the user's line takes nothing of it along; the model has no say in where it goes.
            assert!(!repo.git(&["show", "HEAD:f.txt"]).contains("user"), "{shown}");
            committed += 1;
            continue;
        }
        assert_eq!(repo.git(&["show", "HEAD:f.txt"]), text(&lines, 0), "{shown}");
        assert_eq!(repo.git(&["show", ":f.txt"]), text(&lines, 1), "{shown}");
        assert_eq!(repo.text("f.txt"), text(&lines, 2), "{shown}");
        assert_eq!(repo.git(&["rev-parse", "HEAD^"]), before.2, "{shown}");
        committed += 1;
    }
    repo.git(&["fsck", "--strict"]);
    eprintln!("{cases} cases: {committed} committed, {refused} refused");
    assert!(committed > cases / 2);
}

/// Kills redraft while git moves the ref, when that is in `state`; gives the status of the killed run.
fn killed_when(repo: &TestRepo, state: &str, wish: &Value) -> i32 {
    let exit = if state == "prepared" { 1 } else { 0 };
    // The hook's parent is git, and git's parent is redraft.
    let hook =
        format!("#!/bin/sh\n[ \"$1\" = {state} ] || exit 0\nkill -9 $(cut -d' ' -f4 /proc/$PPID/stat)\nexit {exit}\n");
    repo.hook("reference-transaction", &hook);
    let status = repo.redraft(&["apply"], &wish.to_string()).status;
    std::fs::remove_file(repo.root().join(".git/hooks/reference-transaction")).expect("the hook");
    status
}

#[test]
#[cfg(target_os = "linux")]
fn a_run_killed_before_the_ref_moved_is_taken_back() {
    for hook in [None, Some("commit-msg")] {
        let repo = repo();
        if let Some(hook) = hook {
            repo.hook(hook, "#!/bin/sh\n");
        }
        repo.write("b.txt", TEXT.replace("one", "staged one"));
        repo.git(&["add", "."]);
        let before = (repo.git(&["ls-files", "-s"]), repo.git(&["rev-parse", "HEAD"]));
        assert_eq!(killed_when(&repo, "prepared", &request("a.txt", "two", "2")), -1);
        assert_eq!(repo.text("a.txt"), TEXT.replace("two", "2"), "the kill came after the exchange");
        assert!(repo.has(".git/index.lock"));
        let told = repo.done(&["recover"], "");
        assert_eq!(told["data"]["recovered"]["back"].as_array().map(Vec::len), Some(1), "{told}");
        assert_eq!(repo.text("a.txt"), TEXT);
        assert!(!repo.has(".git/index.lock"));
        assert_eq!((repo.git(&["ls-files", "-s"]), repo.git(&["rev-parse", "HEAD"])), before);
        commit(&repo, "a.txt", "two", "2");
        assert_eq!(repo.git(&["status", "--porcelain"]), "M  b.txt\n");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_run_killed_after_the_ref_moved_is_finished() {
    for hook in [None, Some("commit-msg")] {
        let repo = repo();
        if let Some(hook) = hook {
            repo.hook(hook, "#!/bin/sh\n");
        }
        repo.write("b.txt", TEXT.replace("one", "staged one"));
        repo.git(&["add", "."]);
        assert_eq!(killed_when(&repo, "committed", &request("a.txt", "two", "2")), -1);
        // The user goes on with the file before anybody recovers.
        repo.write("a.txt", TEXT.replace("two", "2").replace("nine", "user nine"));
        let told = repo.done(&["recover"], "");
        assert_eq!(told["data"]["recovered"]["forward"].as_array().map(Vec::len), Some(1), "{told}");
        assert_eq!(repo.git(&["show", "HEAD:a.txt"]), TEXT.replace("two", "2"));
        assert_eq!(repo.git(&["status", "--porcelain"]), " M a.txt\nM  b.txt\n");
        assert_eq!(repo.text("a.txt"), TEXT.replace("two", "2").replace("nine", "user nine"));
    }
}

#[test]
fn a_request_sent_again_names_its_commit() {
    for hook in [None, Some("commit-msg")] {
        let repo = repo();
        if let Some(hook) = hook {
            repo.hook(hook, "#!/bin/sh\n");
        }
        let mut wish = request("a.txt", "two", "2");
        wish["request_id"] = json!("r1");
        let first = repo.done(&["apply"], &wish.to_string());
        let again = repo.done(&["apply"], &wish.to_string());
        assert_eq!(again["data"]["record"], first["data"]["record"]);
        assert_eq!(repo.git(&["rev-list", "--count", "HEAD"]), "2\n");
    }
}

#[test]
fn an_undo_can_be_a_reverting_commit() {
    let repo = repo();
    let answer = commit(&repo, "a.txt", "two", "2");
    let id = answer["data"]["record"]["id"].as_str().expect("an id").to_owned();
    repo.write("a.txt", repo.text("a.txt").replace("nine", "staged nine"));
    repo.git(&["add", "a.txt"]);
    repo.write("a.txt", repo.text("a.txt").replace("four", "unstaged four"));
    repo.done(&["undo", &id, "--record", "commit"], "");
    assert_eq!(repo.git(&["show", "HEAD:a.txt"]), TEXT);
    assert_eq!(repo.git(&["show", ":a.txt"]), TEXT.replace("nine", "staged nine"));
    assert_eq!(repo.text("a.txt"), TEXT.replace("nine", "staged nine").replace("four", "unstaged four"));
    assert_eq!(repo.git(&["rev-list", "--count", "HEAD"]), "3\n");
    assert_eq!(repo.git(&["log", "-1", "--format=%s"]), "undo a.txt\n");
}

#[test]
fn a_commit_without_a_message_says_what_was_done_as_the_log_does() {
    let repo = repo();
    repo.redraft(&["apply"], &json!({"path": "a.txt", "rename_to": "b c.txt", "record": "commit"}).to_string());
    let told = repo.redraft(&["log", "--json"], "").lines()[0]["files"][0]["path"].clone();
    assert_eq!(told, "b c.txt");
    assert_eq!(repo.git(&["log", "-1", "--format=%s"]), "rename a.txt to b c.txt\n");
    repo.write("odd\nname", "one\n");
    repo.commit_all("an odd name");
    let request = json!({"path": "odd\nname", "old_string": "one", "new_string": "two", "record": "commit"});
    repo.done(&["apply"], &request.to_string());
    assert_eq!(repo.git(&["log", "-1", "--format=%s"]), "edit \"odd\\nname\"\n");
}

#[test]
fn a_failed_verification_leaves_no_commit() {
    let repo = repo();
    let before = repo.git(&["rev-parse", "HEAD"]);
    let wish = request("a.txt", "two", "2").to_string();
    assert_eq!(repo.refused(&["apply", "--verify", "false"], &wish), "verify_failed");
    assert_eq!((repo.text("a.txt"), repo.git(&["rev-parse", "HEAD"])), (TEXT.to_owned(), before));
    assert_eq!(repo.git(&["status", "--porcelain"]), "");
    assert!(!repo.has(".git/index.lock"));
    repo.done(&["apply", "--verify", "grep -q 2 a.txt"], &wish);
    assert_eq!(repo.git(&["rev-list", "--count", "HEAD"]), "2\n");
}

#[test]
fn a_linked_worktree_commits_on_its_own_branch() {
    let repo = repo();
    let tree = repo.outside().join("linked");
    repo.git(&["worktree", "add", "-q", "-b", "side", &tree.to_string_lossy()]);
    let answer = repo.redraft_in(&tree, &["apply"], &request("a.txt", "two", "2").to_string());
    assert_eq!(answer.status, 0, "{}", answer.out);
    assert_eq!(repo.git(&["rev-list", "--count", "main..side"]), "1\n");
    assert_eq!(repo.git(&["-C", &tree.to_string_lossy(), "status", "--porcelain"]), "");
    assert_eq!(repo.git(&["status", "--porcelain"]), "");
}

#[test]
fn a_quoted_passage_with_a_users_line_in_its_middle_is_committed_without_it() {
    let repo = repo();
    repo.write("a.txt", TEXT.replace("five", "user five"));
    commit(&repo, "a.txt", "three\nfour\nuser five\nsix\nseven", "3\nfour\nuser five\nsix\nseven\n7.5");
    assert_eq!(repo.git(&["show", "HEAD:a.txt"]), TEXT.replace("three", "3").replace("seven\n", "seven\n7.5\n"));
    assert_eq!(repo.git(&["diff", "--numstat"]), "1\t1\ta.txt\n");
    let all = request("a.txt", "four\nuser five\nsix", "4\n5\n6");
    check_refused(&repo, &["apply"], &all, "does_not_fit_head");
}

/// What a filter driver makes of a file is asked of git, before the file goes.
#[test]
fn a_file_with_a_line_that_is_not_committed_is_not_deleted_by_a_commit_where_a_filter_converts_it() {
    let repo = TestRepo::with_files(&[(".gitattributes", "*.big filter=up\n"), ("a.txt", TEXT)]);
    repo.git(&["config", "filter.up.clean", "tr a-z A-Z"]);
    repo.git(&["config", "filter.up.smudge", "tr A-Z a-z"]);
    repo.write("x.big", TEXT);
    repo.commit_all("big");
    let delete = json!({"path": "x.big", "delete": true, "record": "commit"});
    repo.write("x.big", TEXT.replace("six", "user six"));
    let before = repo.git(&["rev-parse", "HEAD"]);
    assert_eq!(repo.refused(&["apply"], &delete.to_string()), "does_not_fit_head");
    assert_eq!(repo.git(&["rev-parse", "HEAD"]), before);
    assert_eq!(repo.text("x.big"), TEXT.replace("six", "user six"));
    repo.write("x.big", TEXT);
    repo.done(&["apply"], &delete.to_string());
    assert_eq!(repo.git(&["ls-tree", "HEAD", "x.big"]), "");
    assert_eq!(repo.git(&["status", "--porcelain"]), "");
}

/// A filter that does not give back what it took: the file is as HEAD has it all the same.
#[test]
fn a_file_of_which_a_filter_keeps_not_all_is_committed_where_git_would_store_it_as_head_has_it() {
    let repo = TestRepo::with_files(&[(".gitattributes", "*.big filter=up\n"), ("a.txt", TEXT)]);
    repo.git(&["config", "filter.up.clean", "tr a-z A-Z"]);
    repo.git(&["config", "filter.up.smudge", "tr A-Z a-z"]);
    repo.write("x.big", TEXT.replace("five", "Five"));
    repo.commit_all("big");
    commit(&repo, "x.big", "Five", "Fuenf");
    assert_eq!(repo.git(&["show", "HEAD:x.big"]), TEXT.replace("five", "fuenf").to_uppercase());
    assert_eq!(repo.text("x.big"), TEXT.replace("five", "Fuenf"));
}

/// It may be renamed there already; what else is staged there is somebody's.
#[test]
fn a_rename_is_committed_where_the_index_has_the_file_at_its_new_path_and_no_other_one() {
    let wish = json!({"path": "a.txt", "rename_to": "c.txt", "record": "commit",
        "edits": [{"old_string": "two", "new_string": "2"}]});
    let repo = TestRepo::with_files(&[("a.txt", TEXT), ("b.txt", "b\n")]);
    repo.git(&["mv", "a.txt", "c.txt"]);
    repo.shell("mv c.txt a.txt");
    repo.done(&["apply"], &wish.to_string());
    assert_eq!(repo.git(&["show", "HEAD:c.txt"]), TEXT.replace("two", "2"));
    assert_eq!((repo.git(&["ls-tree", "HEAD", "a.txt"]), repo.git(&["status", "--porcelain"])), Default::default());
    let repo = TestRepo::with_files(&[("a.txt", TEXT), ("b.txt", "b\n")]);
    let other = repo.git(&["rev-parse", "HEAD:b.txt"]);
    for removed in [&[][..], &["a.txt"]] {
        repo.git(&["update-index", "--add", "--cacheinfo", &format!("100644,{},c.txt", other.trim())]);
        removed.iter().for_each(|path| drop(repo.git(&["rm", "-q", "--cached", path])));
        let (head, index) = (repo.git(&["rev-parse", "HEAD"]), repo.git(&["ls-files", "-s"]));
        assert_eq!(repo.refused(&["apply"], &wish.to_string()), "does_not_fit_head");
        assert_eq!((repo.git(&["rev-parse", "HEAD"]), repo.git(&["ls-files", "-s"])), (head, index));
        assert_eq!(repo.text("a.txt"), TEXT);
    }
}

/// Seen: "a git hook failed … or pass --no-verify", where there was no hook, and --no-verify said so again.
#[test]
fn a_ref_that_git_cannot_move_is_not_called_a_hook_that_failed() {
    for is_signed_by_git in [false, true] {
        let repo = TestRepo::with_files(&[("a.txt", "one\n")]);
        if is_signed_by_git {
            // Then git makes the commit itself.
            repo.hook("commit-msg", "#!/bin/sh\n");
        }
        std::fs::remove_dir_all(repo.root().join(".git/logs")).expect("logs");
        repo.write(".git/logs", "no folder");
        let edit = json!({"path": "a.txt", "old_string": "one", "new_string": "two"}).to_string();
        let answer = repo.redraft(&["apply", "--record", "commit"], &edit).json();
        assert_eq!(answer["data"]["reason"], "io", "{answer}");
        assert!(answer["text"].as_str().is_some_and(|text| text.contains("git could not move HEAD")), "{answer}");
        assert_eq!(repo.text("a.txt"), "one\n");
    }
}
