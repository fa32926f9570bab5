//! `redraft apply --index`: the staged version is edited, what is not staged stays as it is; most of all in pre-commit hooks.

use crate::support::TestRepo;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

const TEXT: &str = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\n";

fn request(old: &str, new: &str) -> Value {
    json!({"path": "a.txt", "old_string": old, "new_string": new})
}

fn staged(repo: &TestRepo) -> String {
    repo.git(&["show", ":a.txt"])
}

#[test]
fn the_staged_version_is_edited_and_unstaged_lines_stay_unstaged() {
    let repo = TestRepo::with_files(&[("a.txt", TEXT), ("b.txt", TEXT)]);
    repo.write("a.txt", TEXT.replace("four", "staged four"));
    repo.git(&["add", "."]);
    let now = TEXT.replace("four", "staged four").replace("one\n", "zero\none\n").replace("six", "unstaged six");
    repo.write("a.txt", &now);
    let answer = repo.done(&["apply", "--index"], &request("five", "5").to_string());
    assert_eq!(staged(&repo), TEXT.replace("four", "staged four").replace("five", "5"));
    assert_eq!(repo.text("a.txt"), now.replace("five", "5"));
    assert_eq!(answer["data"]["files"][0]["edits"][0]["start_line"], json!(6));
    assert!(!repo.has(".git/index.lock"));
    assert_eq!(repo.git(&["status", "--porcelain"]), "MM a.txt\n");
    // The staged text decides what matches.
    assert_eq!(repo.refused(&["apply", "--index"], &request("unstaged six", "6").to_string()), "no_match");
    assert_eq!(repo.refused(&["apply", "--index"], &request("six", "6").to_string()), "unstaged_overlap");
    assert_eq!(repo.text("a.txt"), now.replace("five", "5"));
}

#[test]
fn files_are_created_deleted_and_renamed_in_both() {
    let repo = TestRepo::with_files(&[("a.txt", TEXT), ("b.txt", TEXT)]);
    let wish = json!({"files": [
        {"path": "a.txt", "rename_to": "c.txt", "edits": [{"old_string": "two", "new_string": "2"}]},
        {"path": "b.txt", "delete": true},
        {"path": "d.txt", "content": "d\n"},
    ]});
    repo.done(&["apply", "--index"], &wish.to_string());
    assert_eq!(repo.git(&["ls-files"]), "c.txt\nd.txt\n");
    assert_eq!(repo.git(&["show", ":c.txt"]), TEXT.replace("two", "2"));
    assert_eq!(repo.git(&["diff"]), "");
    repo.write("u.txt", "untracked\n");
    let wish = json!({"path": "u.txt", "old_string": "untracked", "new_string": "u"});
    assert_eq!(repo.refused(&["apply", "--index"], &wish.to_string()), "unstaged_overlap");
}

/// Seen: "Invalid cross-device link", where git itself commits.
#[cfg(unix)]
#[test]
fn an_index_on_another_file_system_is_written_there() {
    use std::os::unix::fs::MetadataExt;
    let elsewhere = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
    let of = |path: &Path| std::fs::metadata(path).expect("there").dev();
    for how in [&["apply", "--index"][..], &["apply", "--record=commit"][..]] {
        let repo = TestRepo::with_files(&[("a.txt", TEXT)]);
        if of(elsewhere.path()) == of(&repo.root()) {
            return;
        }
        let (own, other) = (repo.root().join(".git/index"), elsewhere.path().join("index"));
        std::fs::copy(&own, &other).expect("copied");
        std::fs::remove_file(&own).expect("removed");
        std::os::unix::fs::symlink(&other, &own).expect("linked");
        repo.done(how, &request("five", "5").to_string());
        assert_eq!(staged(&repo), TEXT.replace("five", "5"), "{how:?}");
        assert!(own.is_symlink() && !elsewhere.path().join("index.lock").exists(), "{how:?}");
        assert_eq!(repo.git(&["diff"]), "", "{how:?}");
    }
}

/// `git add` does not stage what git ignores, and its text, which may be a secret, is in no object then.
#[test]
fn a_new_file_that_git_ignores_is_not_staged_and_its_text_not_kept() {
    let repo = TestRepo::with_files(&[("a.txt", TEXT), (".gitignore", "build/\n")]);
    let wish = json!({"files": [
        {"path": "build/secret.txt", "content": "SECRET\n"},
        {"path": "d.txt", "content": "d\n"},
    ], "request_id": "r"});
    let tried = repo.done(&["apply", "--index", "--dry-run"], &wish.to_string());
    for answer in [tried, repo.done(&["apply", "--index"], &wish.to_string())] {
        let told = answer["data"]["warnings"].to_string();
        assert!(told.contains("build/secret.txt is not staged, since git ignores it"), "{answer}");
        assert!(!told.contains("d.txt"), "{answer}");
    }
    assert_eq!(repo.text("build/secret.txt"), "SECRET\n");
    assert_eq!(repo.git(&["diff", "--cached", "--name-only"]), "d.txt\n");
    assert_eq!(repo.redraft(&["gc"], "").status, 0);
    for folder in [".git", ".git/redraft/history.git"] {
        let dir = format!("--git-dir={folder}");
        let all = repo.try_git(&[&dir, "cat-file", "--batch-all-objects", "--batch"]);
        assert!(all.status.success() && !String::from_utf8_lossy(&all.stdout).contains("SECRET"), "{folder}");
    }
    // Alone it is no edit of the index at all; what is staged on purpose is edited as ever.
    let alone = json!({"path": "build/other.txt", "content": "x\n"});
    repo.done(&["apply", "--index"], &alone.to_string());
    repo.git(&["add", "-f", "build/other.txt"]);
    let again = json!({"path": "build/other.txt", "old_string": "x", "new_string": "y"});
    repo.done(&["apply", "--index"], &again.to_string());
    assert_eq!(repo.git(&["show", ":build/other.txt"]), "y\n");
    repo.done(&["undo"], "");
    assert_eq!(repo.git(&["show", ":build/other.txt"]), "x\n");
}

#[test]
fn line_endings_of_the_working_tree_are_kept() {
    let repo =
        TestRepo::with_files(&[(".gitattributes", "*.txt text eol=crlf\n"), ("a.txt", &TEXT.replace('\n', "\r\n"))]);
    repo.write("a.txt", TEXT.replace("nine", "unstaged nine").replace('\n', "\r\n"));
    repo.done(&["apply", "--index"], &request("two\nthree", "2\n2.5\n3").to_string());
    assert_eq!(staged(&repo), TEXT.replace("two\nthree", "2\n2.5\n3"));
    let want = TEXT.replace("two\nthree", "2\n2.5\n3").replace("nine", "unstaged nine").replace('\n', "\r\n");
    assert_eq!(repo.text("a.txt"), want);
}

#[test]
fn a_dry_run_writes_nothing() {
    let repo = TestRepo::with_files(&[("a.txt", TEXT)]);
    let before = crate::support::tree_of(&repo.root());
    repo.done(&["check", "--index"], &request("two", "2").to_string());
    assert_eq!(crate::support::tree_of(&repo.root()), before);
}

/// A repository, and if wanted a linked worktree of it; a hook edits line five of the staged a.txt.
struct Hooked {
    repo: TestRepo,
    tree: PathBuf,
}

impl Hooked {
    fn new(linked: bool) -> Self {
        let repo = TestRepo::with_files(&[("a.txt", TEXT), ("b.txt", TEXT)]);
        let hook = format!(
            "#!/bin/sh\nexec {} apply --index --answer text <<'END' >&2\n{}\nEND\n",
            env!("CARGO_BIN_EXE_redraft"),
            request("five", "5")
        );
        let tree = if linked {
            let tree = repo.outside().join("linked");
            repo.git(&["worktree", "add", "-q", "-b", "side", &tree.to_string_lossy()]);
            tree
        } else {
            repo.root()
        };
        repo.hook("pre-commit", &hook);
        Self { repo, tree }
    }

    fn git(&self, args: &[&str]) -> String {
        let tree = self.tree.to_string_lossy().into_owned();
        self.repo.git(&[&["-C", &tree], args].concat())
    }

    fn write(&self, path: &str, text: &str) {
        std::fs::write(self.tree.join(path), text).expect("a file");
    }

    fn text(&self, path: &str) -> String {
        std::fs::read_to_string(self.tree.join(path)).expect("a file")
    }

    /// Nothing of the hook's or git's is left, and the next commit takes nothing back.
    fn check_rest(&self, status: &str) {
        assert_eq!(self.git(&["status", "--porcelain"]), status);
        let git_dir = self.git(&["rev-parse", "--absolute-git-dir"]);
        let names = std::fs::read_dir(Path::new(git_dir.trim())).expect("a directory");
        let left: Vec<String> = names
            .map(|e| e.expect("an entry").file_name().to_string_lossy().into_owned())
            .filter(|n| n.contains(".lock"))
            .collect();
        assert_eq!(left, Vec::<String>::new());
        self.git(&["fsck", "--strict"]);
        self.git(&["commit", "-q", "--no-verify", "--allow-empty", "-m", "next"]);
        assert_eq!(self.git(&["show", "HEAD:a.txt"]).lines().nth(4), Some("5"));
    }
}

#[test]
fn a_plain_commit_holds_the_hooks_edit() {
    for linked in [false, true] {
        let at = Hooked::new(linked);
        at.write("a.txt", &TEXT.replace("two", "staged two"));
        at.git(&["add", "a.txt"]);
        at.write("a.txt", &TEXT.replace("two", "staged two").replace("nine", "unstaged nine"));
        at.write("b.txt", &TEXT.replace("one", "unstaged one"));
        at.git(&["commit", "-q", "-m", "plain"]);
        assert_eq!(at.git(&["show", "HEAD:a.txt"]), TEXT.replace("two", "staged two").replace("five", "5"));
        let now = TEXT.replace("two", "staged two").replace("nine", "unstaged nine").replace("five", "5");
        assert_eq!(at.text("a.txt"), now);
        at.check_rest(" M a.txt\n M b.txt\n");
    }
}

#[test]
fn a_commit_of_all_holds_the_hooks_edit() {
    for linked in [false, true] {
        let at = Hooked::new(linked);
        at.write("a.txt", &TEXT.replace("two", "user two"));
        at.write("u.txt", "untracked\n");
        at.git(&["commit", "-q", "-a", "-m", "all"]);
        assert_eq!(at.git(&["show", "HEAD:a.txt"]), TEXT.replace("two", "user two").replace("five", "5"));
        assert_eq!(at.text("a.txt"), TEXT.replace("two", "user two").replace("five", "5"));
        at.check_rest("?? u.txt\n");
    }
}

#[test]
fn a_commit_of_paths_holds_the_hooks_edit_and_the_next_one_keeps_it() {
    for linked in [false, true] {
        for path in ["a.txt", "b.txt"] {
            let at = Hooked::new(linked);
            // Staged or not, `commit -- PATH` takes the path as it is in the working tree.
            at.write("b.txt", &TEXT.replace("one", "user one"));
            let mut want = TEXT.to_owned();
            if path == "a.txt" {
                at.write("a.txt", &TEXT.replace("two", "user two"));
                want = want.replace("two", "user two");
            } else {
                // Of a.txt HEAD's version is committed, and what is staged of it stays so.
                at.write("a.txt", &TEXT.replace("two", "staged two"));
                at.git(&["add", "a.txt"]);
            }
            at.git(&["commit", "-q", "-m", "paths", "--", path]);
            assert_eq!(at.git(&["show", "HEAD:a.txt"]), want.replace("five", "5"), "{path}");
            if path == "a.txt" {
                at.check_rest(" M b.txt\n");
            } else {
                assert_eq!(at.text("a.txt"), TEXT.replace("two", "staged two").replace("five", "5"));
                assert_eq!(at.git(&["show", ":a.txt"]), TEXT.replace("two", "staged two").replace("five", "5"));
                at.check_rest("M  a.txt\n");
            }
        }
    }
}

/// Seen: the next commit took the hook's edit back, which the index that stays did not have.
#[cfg(unix)]
#[test]
fn a_commit_of_paths_holds_the_hooks_edit_where_the_index_is_a_link() {
    let at = Hooked::new(false);
    at.repo.shell("mv .git/index .git/real; ln -s real .git/index");
    at.write("a.txt", &TEXT.replace("two", "user two"));
    at.git(&["commit", "-q", "-m", "paths", "--", "a.txt"]);
    assert_eq!(at.git(&["show", "HEAD:a.txt"]), TEXT.replace("two", "user two").replace("five", "5"));
    at.check_rest("");
}

#[test]
fn a_hook_whose_edit_overlaps_unstaged_lines_stops_the_commit() {
    let at = Hooked::new(false);
    at.write("a.txt", &TEXT.replace("two", "staged two"));
    at.git(&["add", "a.txt"]);
    let now = TEXT.replace("two", "staged two").replace("five", "unstaged five");
    at.write("a.txt", &now);
    let output = at.repo.try_git(&["commit", "-q", "-m", "x"]);
    assert!(!output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("not staged"), "{output:?}");
    assert_eq!(at.text("a.txt"), now);
    assert_eq!(at.git(&["rev-list", "--count", "HEAD"]), "1\n");
}

/// Seen: "what is staged of a stays", though nobody touched it since the record staged it.
#[test]
fn what_an_edit_staged_goes_back_whatever_the_user_changed_beside_it() {
    let (base, mine) = ("1\n2\n3\n4\n5\n6\n7\n", "1\n2\nmine\n4\n5\n6\n7\n");
    for (old, new) in [("4\n", ""), ("5\n", "5\n5\n"), ("4\n5\n", "5\n")] {
        let repo = TestRepo::with_files(&[("a", base)]);
        repo.write("a", mine);
        let edit = |old: &str, new: &str| json!({"path": "a", "old_string": old, "new_string": new}).to_string();
        repo.done(&["apply", "--index"], &edit(old, new));
        let staged = repo.git(&["show", ":a"]);
        assert_eq!((staged.clone(), repo.text("a")), (base.replace(old, new), mine.replace(old, new)));
        for _ in 0..2 {
            repo.done(&["undo"], "");
            assert_eq!((repo.git(&["show", ":a"]), repo.text("a")), (base.to_owned(), mine.to_owned()));
            repo.done(&["redo"], "");
            assert_eq!((repo.git(&["show", ":a"]), repo.text("a")), (staged.clone(), mine.replace(old, new)));
        }
        // Sealed, and with another edit that was staged since.
        repo.done(&["apply", "--index"], &edit("6\n", "sechs\n"));
        repo.redraft(&["gc"], "");
        repo.done(&["undo"], "");
        assert_eq!(repo.git(&["show", ":a"]), staged);
        repo.done(&["redo"], "");
        let ids: Vec<String> = repo
            .redraft(&["log", "--json", "--kind", "edit"], "")
            .lines()
            .iter()
            .map(|record| record["id"].as_str().expect("an id").to_owned())
            .collect();
        repo.done(&["undo", &ids[0], &ids[1]], "");
        assert_eq!((repo.git(&["show", ":a"]), repo.text("a")), (base.to_owned(), mine.to_owned()));
    }
}

#[test]
fn what_was_staged_anew_beside_an_edit_is_not_taken_for_what_that_staged() {
    let repo = TestRepo::with_files(&[("a", "1\n2\n3\n4\n5\n6\n7\n")]);
    repo.write("a", "1\n2\nmine\n4\n5\n6\n7\n");
    repo.done(&["apply", "--index"], &json!({"path": "a", "old_string": "4\n", "new_string": ""}).to_string());
    repo.git(&["add", "a"]);
    repo.done(&["undo"], "");
    assert_eq!(repo.git(&["show", ":a"]), "1\n2\nmine\n4\n5\n6\n7\n");
}
