//! Finding the repository, and how paths stand against HEAD.

mod index;
mod zoo;

use crate::change::PathState;
use crate::code::Reason;
use crate::env::Env;
use crate::git::{GitForm, GitForms, HeadLookup, RawFile, Repo, RepoError, blob_id};
use crate::id::CommitId;
use crate::path::RepoPath;
use crate::testing::TestRepo;

fn path(text: &str) -> RepoPath {
    RepoPath::new(text.as_bytes()).expect("a path")
}

fn discover(dir: impl AsRef<std::path::Path>) -> Result<Repo, RepoError> {
    Repo::discover(&Env::in_dir(dir).expect("an absolute directory"))
}

pub(super) fn open(repo: &TestRepo) -> Repo {
    discover(repo.root()).expect("a repository")
}

/// The commit of a name; none where it names none.
pub(super) fn commit_id(repo: &TestRepo, name: &str) -> Option<CommitId> {
    repo.git(&["rev-parse", name]).trim().parse().ok()
}

fn state(repo: &TestRepo, name: &str) -> PathState {
    let raw = repo.read(name);
    open(repo).state(&path(name), RawFile { id: blob_id(&raw), bytes: &raw, is_executable: false }).expect("a state")
}

fn refused(dir: &std::path::Path) -> Reason {
    discover(dir).err().expect("a refusal").reason()
}

#[test]
fn the_repository_is_found_from_below_and_names_its_directories() {
    let repo = TestRepo::with_files(&[("a/b/c.txt", "x\n")]);
    let found = discover(repo.root().join("a/b")).expect("a repository");
    assert_eq!(found.root(), repo.root());
    assert_eq!(found.root_given(), None);
    assert_eq!(found.git_dir(), repo.root().join(".git"));
    assert_eq!(found.head_id().expect("HEAD"), repo.git(&["rev-parse", "HEAD"]).trim().parse().ok());
    assert_eq!(found.worktree_name(), "main");
}

#[test]
fn a_linked_worktree_has_its_own_git_directory_and_shares_the_common_one() {
    let repo = TestRepo::with_files(&[("a.txt", "x\n")]);
    repo.git(&["worktree", "add", "-q", "../linked"]);
    let found = discover(repo.outside().join("linked")).expect("a repository");
    assert_eq!(found.root(), repo.outside().join("linked"));
    assert_eq!(found.git_dir(), repo.root().join(".git/worktrees/linked"));
    assert_eq!(found.common_dir(), repo.root().join(".git"));
    assert_eq!(found.worktree_name(), "linked");
}

#[cfg(unix)]
#[test]
fn a_root_reached_through_a_symlink_is_known_by_both_spellings() {
    let repo = TestRepo::with_files(&[("a.txt", "x\n")]);
    let link = repo.outside().join("link");
    std::os::unix::fs::symlink(repo.root(), &link).expect("a symlink");
    let found = discover(&link).expect("a repository");
    assert_eq!(found.root(), repo.root());
    assert_eq!(found.root_given(), Some(link.as_path()));
}

#[test]
fn what_is_no_repository_with_files_is_refused_by_name() {
    let repo = TestRepo::new();
    assert_eq!(refused(&repo.outside()), Reason::NotARepository);
    repo.git(&["init", "-q", "--bare", "../bare.git"]);
    assert_eq!(refused(&repo.outside().join("bare.git")), Reason::BareRepository);
    for (key, value) in
        [("extensions.refStorage", "reftable"), ("extensions.objectFormat", "sha256"), ("extensions.fancy", "1")]
    {
        let repo = TestRepo::new();
        repo.git(&["config", "core.repositoryFormatVersion", "1"]);
        repo.git(&["config", key, value]);
        let err = discover(repo.root()).err().expect("a refusal");
        assert_eq!(err.reason(), Reason::UnsupportedRepository, "{err}");
        assert!(err.to_string().contains(value), "{err}");
    }
    let partial = TestRepo::new();
    partial.git(&["config", "core.repositoryFormatVersion", "1"]);
    partial.git(&["config", "extensions.partialClone", "origin"]);
    assert!(discover(partial.root()).is_ok());
}

#[test]
fn a_path_stands_against_head_then_the_index_then_the_ignore_rules() {
    let repo =
        TestRepo::with_files(&[("dir/clean.txt", "x\n"), ("dir/modified.txt", "x\n"), (".gitignore", "*.log\n")]);
    repo.write("dir/modified.txt", "y\n");
    repo.write("dir/added.txt", "x\n");
    repo.git(&["add", "dir/added.txt"]);
    repo.write("dir/untracked.txt", "x\n");
    repo.write("dir/ignored.log", "x\n");
    repo.write("dir/forced.log", "x\n");
    repo.git(&["add", "-f", "dir/forced.log"]);
    assert_eq!(state(&repo, "dir/clean.txt"), PathState::Clean);
    assert_eq!(state(&repo, "dir/modified.txt"), PathState::Modified);
    assert_eq!(state(&repo, "dir/added.txt"), PathState::Added);
    assert_eq!(state(&repo, "dir/untracked.txt"), PathState::Untracked);
    assert_eq!(state(&repo, "dir/ignored.log"), PathState::Ignored);
    assert_eq!(state(&repo, "dir/forced.log"), PathState::Added);
    assert!(!open(&repo).is_ignored(&path("dir/forced.log")).expect("an answer"));
    assert!(open(&repo).is_ignored(&path("not/yet/there.log")).expect("an answer"));
}

/// Everything that `git ls-tree` says of HEAD is found, one path at a time.
fn check_tree(dir: &std::path::Path, repo: &TestRepo) {
    let at = dir.to_str().expect("UTF-8");
    let found = discover(dir).expect("a repository");
    assert_eq!(found.head_id().expect("HEAD"), repo.git(&["-C", at, "rev-parse", "HEAD"]).trim().parse().ok());
    let listed = repo.git(&["-C", at, "ls-tree", "-r", "HEAD"]);
    assert!(listed.lines().count() > 100);
    for line in listed.lines() {
        let (entry, name) = line.split_once('\t').expect("a name");
        let got = found.head_entry(&path(name)).expect("HEAD").expect("a file");
        assert_eq!(format!("{:o} blob {}", got.mode, got.id), entry, "{name}");
    }
    assert_eq!(found.head_entry(&path("dir1/file")).expect("HEAD"), None);
    assert_eq!(found.head_entry(&path("dir1")).expect("HEAD"), None);
}

#[test]
fn files_of_head_are_found_in_loose_and_packed_and_borrowed_and_replaced_objects() {
    let repo = TestRepo::new();
    for round in 0..5 {
        for n in 0..120 {
            repo.write(&format!("dir{}/file {n}.txt", n % 3), format!("{n} {}\n", round * (n % 7)));
        }
        repo.commit_all("a round");
    }
    check_tree(&repo.root(), &repo);
    repo.git(&["gc", "-q", "--aggressive"]);
    check_tree(&repo.root(), &repo);
    repo.write("dir0/new.txt", "x\n");
    repo.commit_all("loose again");
    check_tree(&repo.root(), &repo);
    repo.git(&["clone", "-q", "--shared", ".", "../borrower"]);
    check_tree(&repo.outside().join("borrower"), &repo);
    repo.git(&["symbolic-ref", "refs/heads/other-name", "refs/heads/main"]);
    repo.git(&["symbolic-ref", "HEAD", "refs/heads/other-name"]);
    check_tree(&repo.root(), &repo);
    repo.git(&["replace", "HEAD^{tree}", "HEAD~^{tree}"]);
    check_tree(&repo.root(), &repo);
    let new = open(&repo).head_entry(&path("dir0/new.txt")).expect("HEAD");
    assert_eq!(new, None, "the replaced tree is what git sees");
}

#[test]
fn nothing_is_clean_before_the_first_commit() {
    let repo = TestRepo::new();
    repo.write("a.txt", "x\n");
    assert_eq!(state(&repo, "a.txt"), PathState::Untracked);
    assert_eq!(open(&repo).head_id().expect("HEAD"), None);
}

#[test]
fn a_file_that_differs_only_by_gits_own_conversions_is_clean() {
    let attributes = "*.txt text eol=crlf\n*.id ident\n*.u16 working-tree-encoding=UTF-16LE\n*.lfs filter=touch\n";
    let repo = TestRepo::with_files(&[("a.txt", "x\r\ny\r\n"), (".gitattributes", attributes), ("b.id", "$Id$\n")]);
    repo.git(&["config", "filter.touch.clean", "touch ran; cat"]);
    assert_eq!(state(&repo, "a.txt"), PathState::Clean);
    std::fs::remove_file(repo.root().join("b.id")).expect("a removed file");
    repo.git(&["checkout", "--", "b.id"]);
    assert!(repo.read("b.id").len() > 10);
    assert_eq!(state(&repo, "b.id"), PathState::Clean);
    repo.write("a.txt", "x\r\nz\r\n");
    assert_eq!(state(&repo, "a.txt"), PathState::Modified);

    let found = open(&repo);
    let form = |name: &str, raw: &[u8]| found.git_form(&path(name), raw).expect("a form");
    assert_eq!(form("a.txt", b"x\r\n"), GitForm::Converted(b"x\n".to_vec()));
    assert_eq!(form("a.md", b"x\r\n"), GitForm::Same);
    assert_eq!(form("a.u16", b"x\0\n\0"), GitForm::Converted(b"x\n".to_vec()));
    assert_eq!(form("a.lfs", b"x\n"), GitForm::Filtered);
    assert!(!repo.root().join("ran").exists());
}

#[test]
fn forms_of_many_files_are_those_of_each() {
    let names = ["a.txt", "b.bin", "sub/a.txt", "sub/deep/a.txt", "other/a.txt"];
    for setup in [
        "true",
        "git config core.autocrlf true",
        "git config core.autocrlf input",
        "git config core.autocrlf false",
        "printf '*.txt text\\n' > .gitattributes",
        "mkdir -p sub && printf '*.txt text eol=crlf\\n' > sub/.gitattributes",
        "mkdir -p sub/deep && printf '* ident\\n' > sub/deep/.gitattributes",
        "mkdir -p .git/info && printf 'other/* working-tree-encoding=UTF-16LE\\n' > .git/info/attributes",
        "git config filter.x.clean cat && printf '*.bin filter=x\\n' > .gitattributes",
        "printf '[attr]mine text\\n*.txt mine\\n' > .gitattributes",
    ] {
        let repo = TestRepo::with_files(&[("a.txt", "a\n")]);
        let mut shell = std::process::Command::new("sh");
        assert!(
            shell.args(["-c", setup]).current_dir(repo.root()).status().is_ok_and(|done| done.success()),
            "{setup}"
        );
        let found = open(&repo);
        let mut forms = GitForms::new(&found);
        for raw in [&b"one\r\ntwo\r\n$Id: 1 $\n"[..], b"one\n", b"\0\r\n", b"o\0n\0e\0"] {
            for name in names {
                let (one, many) = (found.git_form(&path(name), raw), forms.of(&path(name), raw));
                assert_eq!(one.as_ref().ok(), many.as_ref().ok(), "{setup}: {name} {raw:?}");
            }
        }
    }
}

#[test]
fn a_submodule_in_head_covers_all_paths_below_it() {
    let repo = TestRepo::with_files(&[("a.txt", "x\n")]);
    let commit = repo.git(&["rev-parse", "HEAD"]);
    repo.git(&["update-index", "--add", "--cacheinfo", &format!("160000,{},lib/sub", commit.trim())]);
    repo.git(&["commit", "-q", "-m", "submodule"]);
    let found = open(&repo);
    assert_eq!(found.head_lookup(&path("lib/sub/x.txt")).expect("HEAD"), HeadLookup::Submodule(path("lib/sub")));
    assert!(matches!(found.head_lookup(&path("lib/sub")), Ok(HeadLookup::Submodule(_))));
    assert!(!matches!(found.head_lookup(&path("lib/other")), Ok(HeadLookup::Submodule(_))));
}

#[test]
fn head_is_read_once_and_again_after_a_refresh() {
    let repo = TestRepo::with_files(&[("a.txt", "x\n")]);
    let found = open(&repo);
    let before = found.head_id().expect("HEAD");
    repo.write("a.txt", "y\n");
    repo.commit_all("second");
    assert_eq!(found.head_id().expect("HEAD"), before);
    found.refresh();
    assert_ne!(found.head_id().expect("HEAD"), before);
    let entry = found.head_entry(&path("a.txt")).expect("HEAD").expect("an entry");
    assert_eq!((entry.id, entry.mode), (blob_id(b"y\n"), 0o100_644));
}

#[test]
fn configuration_is_read_with_its_types_and_all_values() {
    let repo = TestRepo::new();
    for value in ["a", "b"] {
        repo.git(&["config", "--add", "redraft.deny", value]);
    }
    repo.git(&["config", "redraft.diffLines", "2k"]);
    repo.git(&["config", "redraft.requireClean", "yes"]);
    repo.git(&["config", "redraft.diffBytes", "many"]);
    let found = open(&repo);
    assert_eq!(found.config_strings("redraft.deny"), ["a", "b"]);
    assert_eq!(found.config_integer("redraft.diffLines").expect("a number"), Some(2048));
    assert_eq!(found.config_bool("redraft.requireClean").expect("a boolean"), Some(true));
    assert_eq!(found.config_bool("redraft.requireRead").expect("nothing"), None);
    assert_eq!(found.config_integer("redraft.diffBytes").expect_err("an error").reason(), Reason::BadType);
}

/// In the short way where files are plain, else in gix's; in git's own eyes.
#[test]
#[cfg(unix)]
fn head_is_the_commit_that_git_says_however_it_is_named() {
    for (way, is_plain) in [
        ("true", true),
        ("git checkout -q --detach", true),
        ("git checkout -q -b a/b/c", true),
        ("git checkout -q -b 'main\u{a0}' && git commit -q --allow-empty -m there && git branch -f main HEAD~", true),
        ("git pack-refs --all", true),
        (
            "git checkout -q -b other && git symbolic-ref refs/heads/name refs/heads/other && git symbolic-ref HEAD refs/heads/name",
            false,
        ),
        ("rm .git/HEAD && ln -s refs/heads/main .git/HEAD", true),
        ("git tag -a -m t t && git update-ref refs/tags/u t && git checkout -q t", true),
        ("printf 'ref: refs/heads/main  \\n' > .git/HEAD", true),
        ("printf 'ref:refs/heads/main\\n' > .git/HEAD", true),
        (
            "git rev-parse HEAD | tr -d '\\n' > .git/refs/heads/main.new; mv .git/refs/heads/main.new .git/refs/heads/main",
            true,
        ),
        ("cp .git/refs/heads/main .git/refs/heads/x.lock; printf 'ref: refs/heads/x.lock\\n' > .git/HEAD", false),
        ("printf 'ref: refs/heads/../heads/main\\n' > .git/HEAD", false),
        ("git checkout -q --orphan nothing", false),
        ("git commit -q --allow-empty -m two && git replace HEAD HEAD~", true),
    ] {
        let repo = TestRepo::with_files(&[("a", "a\n")]);
        let mut shell = std::process::Command::new("sh");
        let done = crate::testing::clean(&mut shell, &repo.root()).args(["-c", way]).status();
        assert!(done.is_ok_and(|done| done.success()), "{way}");
        let said = repo.try_git(&["rev-parse", "-q", "--verify", "HEAD"]);
        let said = said.status.success().then(|| String::from_utf8_lossy(&said.stdout).trim().to_owned());
        // Where git does not take it for a repository at all, neither is it opened.
        let Ok(opened) = discover(repo.root()) else {
            assert_eq!(said, None, "{way}");
            continue;
        };
        let plain = super::head_file::commit(&opened).map(|id| id.to_string());
        assert_eq!(plain.is_some(), is_plain, "{way}");
        assert!(plain.is_none() || plain == said, "{way}: {plain:?}, but {said:?}");
        assert_eq!(opened.head_id().ok().flatten().map(|id| id.to_string()), said, "{way}");
    }
    // A linked worktree has a HEAD of its own, and branches in common.
    let repo = TestRepo::with_files(&[("a", "a\n")]);
    let linked = repo.outside().join("linked");
    repo.git(&["worktree", "add", "-q", "-b", "side", &linked.to_string_lossy()]);
    let opened = discover(&linked).expect("opens");
    let plain = super::head_file::commit(&opened).map(|id| id.to_string());
    assert_eq!(plain.as_deref(), Some(repo.git(&["rev-parse", "side"]).trim()));
}

#[test]
fn what_head_is_is_read_without_gix_where_it_is_a_plain_file() {
    let repo = TestRepo::with_files(&[("a.txt", "x\n")]);
    let name = || super::head_file::branch_name(&open(&repo));
    repo.git(&["checkout", "-q", "-b", "topic/one"]);
    assert_eq!(name(), Some(Some("refs/heads/topic/one".to_owned())));
    repo.git(&["checkout", "-q", "--detach"]);
    assert_eq!(name(), Some(None));
    repo.write(".git/HEAD", "ref: refs/heads/../x\n");
    assert_eq!(name(), None);
}

#[test]
fn another_branch_is_seen_in_plain_files_and_among_packed_ones() {
    let repo = TestRepo::with_files(&[("a.txt", "x\n")]);
    let steps: [(&[&str], bool); 10] = [
        (&["branch", "same"], false),
        (&["tag", "-m", "x", "tagged"], false),
        (&["pack-refs", "--all"], false),
        (&["symbolic-ref", "refs/heads/deep/alias", "refs/heads/same"], true),
        (&["symbolic-ref", "-d", "refs/heads/deep/alias"], false),
        (&["commit", "-q", "--allow-empty", "-m", "later"], true),
        (&["branch", "-f", "same"], false),
        (&["checkout", "-q", "--detach"], false),
        (&["commit", "-q", "--allow-empty", "-m", "last"], true),
        (&["checkout", "-q", "-b", "deep/er"], true),
    ];
    for (step, expected) in steps {
        repo.git(step);
        assert_eq!(open(&repo).has_other_branches().expect("branches"), expected, "{step:?}");
        let by_gix = open(&repo);
        by_gix.open_now().expect("a repository");
        assert_eq!(by_gix.has_other_branches().expect("branches"), expected, "{step:?}");
    }
}

/// The configuration of a submodule names its working tree, which its linked worktrees are not.
#[cfg(unix)]
#[test]
fn a_linked_worktree_of_a_submodule_is_its_own_working_tree() {
    let repo = TestRepo::with_files(&[("d/a.txt", "x\n")]);
    repo.git(&["clone", "-q", ".", "../sub"]);
    let url = repo.outside().join("sub").display().to_string();
    repo.git(&["-c", "protocol.file.allow=always", "submodule", "add", "-q", &url, "sub"]);
    repo.git(&["-C", "sub", "worktree", "add", "-q", "../../of-sub"]);
    for is_bare_told in [true, false] {
        let found = discover(repo.outside().join("of-sub/d")).expect("a repository");
        assert_eq!(found.root(), repo.outside().join("of-sub"), "{is_bare_told}");
        repo.try_git(&["-C", "sub", "config", "--unset", "core.bare"]);
    }
}

/// What git was asked for depends on the same files, and a server must see them change.
#[cfg(unix)]
#[test]
fn a_configuration_that_git_listed_is_known_by_its_files_and_not_at_all_with_includes() {
    use std::os::unix::fs::MetadataExt;
    let repo = TestRepo::with_files(&[("d/a.txt", "x\n")]);
    let (file, plain) = (repo.root().join(".git/config"), repo.read(".git/config"));
    let opened = |added: &str| {
        std::fs::write(&file, [&plain, added.as_bytes()].concat()).expect("a configuration");
        discover(repo.root().join("d")).expect("a repository")
    };
    let listed = opened("[core]\n\tautocrlf\n");
    let meta = file.metadata().expect("it is there");
    assert!(listed.rule_files().expect("files").contains(&(meta.dev(), meta.ino())));
    assert!(listed.fingerprint(i128::MAX).is_some());
    let including = opened("[INCLUDE]\n\tpath = nothing\n");
    assert!(including.fingerprint(i128::MAX).is_none() && including.rule_files().is_none());
}
