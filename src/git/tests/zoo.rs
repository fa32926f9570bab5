//! Repositories of every kind: what is found with few looks is what gix finds, and what git says.

use crate::env::Env;
use crate::git::{HeadLookup, Repo, RepoError, plain};
use crate::path::RepoPath;
use crate::testing::TestRepo;
use std::path::{Path, PathBuf};

/// A shell script that makes one in a repository with one commit of `a` and `d/b`, the directory to look from, and whether it is of
/// the usual kind.
const ZOO: &[(&str, &str, bool)] = &[
    ("true", ".", true),
    ("true", "d", true),
    ("mkdir -p d/e/f", "d/e/f", true),
    ("git init -q -b main ../new && cp a ../new", "../new", true),
    ("git checkout -q --detach", ".", true),
    ("git pack-refs --all", ".", true),
    ("git pack-refs --all && git commit -q --allow-empty -m two", ".", true),
    ("git gc -q", "d", true),
    ("git tag -a -m t t && git checkout -q t", ".", true),
    ("git checkout -q -b 'a/\u{e4}-b'", ".", true),
    ("printf 'ref: refs/heads/main  ' > .git/HEAD", ".", true),
    ("rm .git/HEAD && ln -s refs/heads/main .git/HEAD", ".", true),
    ("git symbolic-ref refs/heads/name refs/heads/main && git symbolic-ref HEAD refs/heads/name", ".", true),
    ("git checkout -q --orphan nothing", ".", true),
    ("git commit -q --allow-empty -m two && git replace HEAD HEAD~", ".", true),
    ("git commit -q --allow-empty -m two && git replace HEAD HEAD~ && git pack-refs --all", ".", true),
    ("git clone -q . ../cloned", "../cloned/d", true),
    ("git clone -q --shared . ../shared", "../shared", true),
    ("git clone -q --depth 1 file://$PWD ../shallow", "../shallow", true),
    (
        "git config core.autocrlf true && git config redraft.deny secret && git config --add redraft.deny other",
        ".",
        true,
    ),
    ("rm .git/config", ".", true),
    (
        "printf '\u{feff}[core]\\r\\n\\tbare = false\\r\\n[a \"B c\"]\\r\\n\\tkey\\r\\n\\tkey =\\r\\n' > .git/config",
        ".",
        true,
    ),
    ("git config core.repositoryFormatVersion 1", ".", true),
    ("echo x > a; git stash -q; git worktree add -q ../linked", ".", true),
    ("git init -q d/inner && cp a d/inner", "d/inner", true),
    // What is left to gix.
    ("git worktree add -q ../linked", "../linked/d", false),
    ("git worktree add -q --detach in/side", "in/side", false),
    ("git init -q --separate-git-dir ../elsewhere ../apart && cp a ../apart", "../apart", false),
    ("mv .git ../real && ln -s ../real .git", ".", false),
    ("git clone -q . ../sub && git -c protocol.file.allow=always submodule add -q $PWD/../sub sub", "sub", false),
    ("git clone -q --bare . ../bare.git", "../bare.git", false),
    ("git clone -q --bare . ../bare.git && git -C ../bare.git worktree add -q ../of-bare", "../of-bare", false),
    ("true", ".git", false),
    ("true", ".git/refs", false),
    ("mkdir ../tree && git config core.worktree ../../tree", ".", false),
    ("mkdir ../tree && git config --unset core.bare && git config core.worktree ../../tree", "d", false),
    ("git config core.worktree ../../none", ".", false),
    ("mkdir ../tree && git worktree add -q ../linked && git config core.worktree $PWD/../tree", "../linked", false),
    ("git config core.bare true", ".", false),
    ("printf '[CORE]\\n\\tBare\\n' > .git/config", ".", false),
    ("git config extensions.worktreeConfig true && git config --worktree redraft.deny x", ".", false),
    ("git config core.repositoryFormatVersion 1 && git config extensions.partialClone origin", ".", false),
    ("git sparse-checkout set d", "d", false),
    ("git init -q --object-format=sha256 ../longer && cp a ../longer", "../longer", false),
    ("git config core.repositoryFormatVersion 2", ".", false),
    ("git config core.repositoryFormatVersion 1 && git config extensions.unheardOf yes", ".", false),
    ("git config core.repositoryFormatVersion many", ".", false),
    ("git config include.path more && git config -f .git/more redraft.deny x", ".", false),
    ("git config includeIf.onbranch:main.path more && git config -f .git/more redraft.deny x", ".", false),
    ("printf '[INCLUDE]\\n\\tPATH = more\\n' >> .git/config && git config -f .git/more redraft.deny x", ".", false),
    ("printf '[core]\\n\\tautocrlf\\n' >> .git/config", ".", false),
    (
        "git worktree add -q ../linked && git config includeIf.gitdir:**/worktrees/linked.path more \
         && git config -f .git/more redraft.deny x",
        "../linked",
        false,
    ),
    (
        "git worktree add -q ../linked && git config includeIf.gitdir:**/.git.path more \
         && git config -f .git/more redraft.deny x && git config redraft.deny y",
        "../linked",
        false,
    ),
    (
        "git config includeIf.gitdir:**/.git.path more && git config -f .git/more redraft.deny x \
         && git config --add redraft.deny y",
        ".",
        false,
    ),
    ("git worktree add -q in/side && rm -r .git/worktrees/side", "in/side", false),
    ("git worktree add -q in/side && rm -r .git/worktrees/side && mkdir in/side/deeper", "in/side/deeper", false),
    ("echo '[core' > .git/config", ".", false),
    ("git config core.bare perhaps", ".", false),
    ("git config core.precomposeUnicode true", ".", false),
    ("echo nonsense > .git/HEAD", ".", false),
    ("git symbolic-ref HEAD refs/other/main 2>/dev/null || echo 'ref: refs/other/main' > .git/HEAD", ".", false),
    ("rm .git/HEAD", ".", false),
    ("rm -r .git/objects", ".", false),
    ("rm -r .git/refs", "d", false),
    ("mkdir d/.git", "d", false),
    ("touch d/.git", "d", false),
    ("echo 'gitdir: nowhere' > d/.git", "d", false),
    ("mkdir d/refs d/objects && cp .git/HEAD d/", "d", false),
    ("echo text > d/HEAD", "d", false),
    ("git clone -q . ../other && echo ../../other/.git > .git/commondir", ".", false),
    ("rm -rf .git", ".", false),
    ("ln -s d way", "way", false),
];

/// All that an open repository says of itself, or why there is none.
fn said(opened: Result<Repo, RepoError>) -> Result<String, String> {
    let repo = opened.map_err(|error| format!("{:?}: {error}", error.reason()))?;
    let path = |name: &str| RepoPath::new(name.as_bytes()).expect("a path");
    let found = ["a", "d/b", "d", "none"].map(|name| repo.head_lookup(&path(name)).map_err(|error| error.to_string()));
    let blob = match &found[0] {
        Ok(HeadLookup::File(entry)) => Some(repo.blob(&entry.id).map_err(|error| error.to_string())),
        _ => None,
    };
    let head = repo.head_id().map_err(|error| error.to_string());
    let places = (repo.root(), repo.root_given(), repo.git_dir(), repo.common_dir(), repo.worktree_name());
    let name = repo.head_name().map_err(|error| error.to_string());
    let index = repo.is_in_index(&path("a")).map_err(|error| error.to_string());
    Ok(format!("{places:#?} {head:?} {name:?} {found:#?} {blob:?} {index:?} {:#?}", repo.config_entries()))
}

fn made(script: &str, from: &str) -> (TestRepo, PathBuf) {
    let repo = TestRepo::with_files(&[("a", "a\n"), ("d/b", "b\n")]);
    let mut shell = std::process::Command::new("sh");
    let done = crate::testing::clean(&mut shell, &repo.root()).args(["-c", script]).status();
    assert!(done.is_ok_and(|done| done.success()), "{script}");
    let dir = std::path::absolute(repo.root().join(from)).expect("a path");
    let dir: PathBuf = if from.starts_with("..") { std::fs::canonicalize(&dir).expect("there") } else { dir };
    (repo, dir)
}

/// What is compared with git: the root, HEAD where it is born, and two settings.
#[derive(Debug, PartialEq)]
struct Said {
    root: PathBuf,
    head: Option<String>,
    deny: String,
    autocrlf: Option<String>,
}

/// What git says of the same place.
fn git_says(dir: &Path) -> Option<Said> {
    let ask = |what: &[&str]| {
        let mut git = std::process::Command::new("git");
        let out = crate::testing::clean(&mut git, dir).args(what).output().expect("git runs");
        out.status.success().then(|| String::from_utf8_lossy(&out.stdout).trim_end().to_owned())
    };
    Some(Said {
        root: PathBuf::from(ask(&["rev-parse", "-q", "--show-toplevel"])?),
        head: ask(&["rev-parse", "-q", "--verify", "HEAD"]),
        deny: ask(&["config", "--get-all", "redraft.deny"]).unwrap_or_default(),
        autocrlf: ask(&["config", "--type=bool", "core.autocrlf"]),
    })
}

fn own_says(repo: &Repo) -> Said {
    let deny: Vec<String> = repo.config_strings("redraft.deny").iter().map(ToString::to_string).collect();
    Said {
        root: repo.root().to_owned(),
        head: repo.head_id().ok().flatten().map(|id| id.to_string()),
        deny: deny.join("\n"),
        autocrlf: repo.config_string("core.autocrlf").map(|value| value.to_string()),
    }
}

#[test]
#[cfg(unix)]
fn a_zoo_of_repositories_is_found_as_gix_and_git_find_it() {
    let mut differing = Vec::new();
    for (script, from, is_usual) in ZOO {
        let (_repo, dir) = made(script, from);
        let alone = Env::in_dir(&dir).expect("absolute");
        let of_process = Env::from_process().expect("a directory").moved_to(&dir).expect("a directory");
        for env in [&alone, &of_process] {
            let (own, of_gix) = (said(Repo::discover(env)), said(Repo::of_gix(env)));
            if own != of_gix {
                differing.push(format!("{script}, from {from}: {own:?}, but gix {of_gix:?}"));
            }
        }
        let found = plain::find(&alone);
        if found.is_some() != *is_usual {
            differing.push(format!("{script}, from {from}: usual? {}", found.is_some()));
        }
        // What redraft refuses is its own affair; nothing is found that git does not find, or finds otherwise.
        let Ok(opened) = Repo::discover(&alone) else { continue };
        if opened.head_id().is_err() {
            continue;
        }
        let (own, git) = (Some(own_says(&opened)), git_says(&dir));
        if own != git {
            differing.push(format!("{script}, from {from}: {own:?}, but git {git:?}"));
        }
    }
    assert!(differing.is_empty(), "{}", differing.join("\n"));
}

#[test]
#[cfg(unix)]
fn a_repository_that_somebody_else_owns_is_left_to_gix_which_refuses_it() {
    let (repo, dir) = made("true", "d");
    // Only root may give a file away.
    if std::os::unix::fs::chown(repo.root().join(".git"), Some(12345), None).is_err() {
        eprintln!("left out: this user may not give files away");
        return;
    }
    let env = Env::in_dir(&dir).expect("absolute");
    assert!(plain::find(&env).is_none());
    assert_eq!(said(Repo::discover(&env)), said(Repo::of_gix(&env)));
}
