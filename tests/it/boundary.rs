//! The boundary: whatever a request says and whatever stands in the tree, git's own files and redraft's records stay out of
//! reach, by what they are and not by what they are called.

use crate::support::TestRepo;
use crate::support::run::{Ran, command, finish};
use crate::support::tree::{assert_same, snapshot};
use serde_json::{Value, json};
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

fn git(at: &Path, args: &[&str]) -> bool {
    crate::support::clean(Command::new("git").args(args), at).output().is_ok_and(|done| done.status.success())
}

/// Every way in which a request can touch a path: to edit it, make something below it, move, remove or replace it.
fn attacks(inside: &str) -> Vec<Value> {
    vec![
        json!({"path": format!("{inside}/config"), "old_string": "[core]", "new_string": "[redraft]\n\tverify = x\n[core]"}),
        json!({"path": format!("{inside}/config"), "content": "[core]\n", "overwrite": true}),
        json!({"path": format!("{inside}/config"), "delete": true}),
        json!({"path": format!("{inside}/hooks/pre-commit"), "content": "#!/bin/sh\n"}),
        json!({"path": format!("{inside}/redraft/new"), "content": "x\n"}),
        json!({"path": format!("{inside}/no/such/folder/x"), "content": "x\n"}),
        json!({"path": format!("{inside}/HEAD"), "rename_to": "moved"}),
        json!({"path": "a", "rename_to": format!("{inside}/refs/heads/x")}),
        json!({"files": [
            {"path": "a", "old_string": "old", "new_string": "new"},
            {"path": format!("{inside}/info/attributes"), "content": "* filter=x\n"},
        ]}),
    ]
}

struct Surroundings<'a> {
    at: &'a Path,
    variables: &'a [(&'a str, &'a str)],
}

impl Surroundings<'_> {
    fn run(&self, args: &[&str], input: &str) -> Ran {
        finish(command(self.at, args).envs(self.variables.iter().copied()), input.as_bytes())
    }

    /// No attack on `inside` gets through, with or without a dry run, and none can even read there.
    fn hold(&self, tree: &Path, inside: &str, reason: &str) {
        let before = snapshot(tree, &[]);
        for request in attacks(inside) {
            for args in [&["apply"][..], &["check"]] {
                let answer = self.run(args, &request.to_string()).json();
                assert_eq!(answer["data"]["reason"], reason, "{request}: {answer}");
            }
        }
        let answer = self.run(&["read", &format!("{inside}/config"), "--root", "."], "").json();
        assert_eq!(answer["data"]["reason"], reason, "{answer}");
        assert_same(&snapshot(tree, &[]), &before, inside);
    }

    fn works(&self, text: &str) {
        let request = json!({"path": "a", "old_string": "old", "new_string": text});
        let answer = self.run(&["check"], &request.to_string()).json();
        assert_eq!(answer["status"], "partial", "{answer}");
    }
}

#[test]
fn a_separate_git_directory_inside_the_tree_is_out_of_reach() {
    let repo = TestRepo::with_files(&[("a", "old\n")]);
    let root = repo.root();
    std::fs::create_dir(root.join("meta")).expect("a folder");
    assert!(git(&root, &["init", "-q", "--separate-git-dir", "meta/store"]));
    repo.edit("a", "old", "older");
    let here = Surroundings { at: &root, variables: &[] };
    here.works("new");
    here.hold(&root, "meta/store", "git_internals");
    // Nor through links of the tree, however many.
    symlink("meta/store", root.join("short")).expect("links");
    symlink("short", root.join("shorter")).expect("links");
    symlink("meta", root.join("above")).expect("links");
    here.hold(&root, "short", "git_internals");
    here.hold(&root, "shorter", "git_internals");
    here.hold(&root, "above/store", "git_internals");
    symlink("meta/store/config", root.join("settings")).expect("links");
    let edit = json!({"path": "settings", "old_string": "[core]", "new_string": "[x]"});
    assert_eq!(repo.refused(&["apply"], &edit.to_string()), "git_internals");
    // What lies beside it, and what is only called alike, is the tree's.
    repo.apply(json!({"path": "meta/store-notes/x", "content": "x\n"}));
    repo.apply(json!({"path": "meta/stor", "content": "x\n"}));
}

#[test]
fn a_git_directory_named_by_the_environment_is_out_of_reach() {
    let repo = TestRepo::with_files(&[("a", "old\n")]);
    let root = repo.root();
    std::fs::rename(root.join(".git"), root.join("dotfiles")).expect("moves");
    for tree in [root.to_str().expect("UTF-8"), "."] {
        let variables = [("GIT_DIR", "dotfiles"), ("GIT_WORK_TREE", tree)];
        let here = Surroundings { at: &root, variables: &variables };
        here.works("new");
        here.hold(&root, "dotfiles", "git_internals");
    }
    let only_dir = [("GIT_DIR", "dotfiles")];
    Surroundings { at: &root, variables: &only_dir }.hold(&root, "dotfiles", "git_internals");
}

#[test]
fn a_symlinked_git_directory_is_out_of_reach_under_its_own_name() {
    let repo = TestRepo::with_files(&[("a", "old\n")]);
    let root = repo.root();
    std::fs::rename(root.join(".git"), root.join("real")).expect("moves");
    symlink("real", root.join(".git")).expect("links");
    Surroundings { at: &root, variables: &[] }.works("new");
    Surroundings { at: &root, variables: &[] }.hold(&root, "real", "git_internals");
}

/// Seen: the file that a linked `.git` leads to could be edited, so that git, and redraft, took another repository for this one.
#[test]
fn the_file_to_which_a_symlinked_dot_git_leads_is_out_of_reach() {
    let repo = TestRepo::with_files(&[("a", "old\n")]);
    let root = repo.root();
    assert!(git(&root, &["init", "-q", "--separate-git-dir", "../real"]));
    repo.shell("mkdir meta; mv .git meta/link; ln -s meta/link .git");
    Surroundings { at: &root, variables: &[] }.works("new");
    let before = snapshot(&root, &[]);
    for request in [
        json!({"path": "meta/link", "old_string": "gitdir", "new_string": "x"}),
        json!({"path": "meta/link", "content": "gitdir: evil\n", "overwrite": true}),
        json!({"path": "meta/link", "delete": true}),
        json!({"path": "meta/link", "rename_to": "moved"}),
        json!({"path": "a", "rename_to": "meta/link"}),
    ] {
        assert_eq!(repo.refused(&["apply"], &request.to_string()), "git_internals", "{request}");
    }
    assert_same(&snapshot(&root, &[]), &before, "meta/link");
    repo.apply(json!({"path": "meta/links", "content": "x\n"}));
}

#[test]
fn the_common_directory_of_linked_worktrees_is_out_of_reach() {
    let repo = TestRepo::with_files(&[("a", "old\n")]);
    let root = repo.root();
    // A worktree that holds the very repository it belongs to.
    let linked = repo.outside().join("linked");
    assert!(git(&root, &["worktree", "add", "-q", linked.to_str().expect("UTF-8"), "-b", "side"]));
    std::fs::rename(root.join(".git"), linked.join("store")).expect("moves");
    std::fs::write(linked.join(".git"), "gitdir: store/worktrees/linked\n").expect("writes");
    let here = Surroundings { at: &linked, variables: &[] };
    here.works("new");
    here.hold(&linked, "store", "git_internals");
    here.hold(&linked, "store/worktrees/linked", "git_internals");
}

#[test]
fn worktrees_inside_a_bare_repository_work() {
    let repo = TestRepo::with_files(&[("a", "old\n")]);
    let bare = repo.outside().join("project.git");
    assert!(git(&repo.outside(), &["clone", "-q", "--bare", "repo", "project.git"]));
    assert!(git(&bare, &["worktree", "add", "-q", "tree"]) || git(&bare, &["worktree", "add", "-q", "tree", "main"]));
    Surroundings { at: &bare.join("tree"), variables: &[] }.works("new");
}

#[test]
fn bare_repositories_below_the_root_are_out_of_reach() {
    let repo = TestRepo::with_files(&[("a", "old\n")]);
    let root = repo.root();
    std::fs::create_dir(root.join("sub")).expect("a folder");
    for name in ["mirror.git", "sub/whatever"] {
        assert!(git(&root, &["init", "-q", "--bare", name]));
        std::fs::create_dir_all(root.join(name).join("redraft")).expect("a folder");
        Surroundings { at: &root, variables: &[] }.hold(&root, name, "submodule");
    }
    symlink("sub/whatever", root.join("link")).expect("links");
    Surroundings { at: &root, variables: &[] }.hold(&root, "link", "submodule");
    repo.apply(json!({"path": "sub/x", "content": "x\n"}));
    // Names alone make no repository.
    for path in ["plain/HEAD", "plain/config", "plain/hooks/x", "refs/a/b", "objects/y"] {
        repo.apply(json!({"path": path, "content": "x\n"}));
    }
}

#[test]
fn no_request_makes_a_repository_of_a_folder() {
    let repo = TestRepo::with_files(&[("a", "old\n")]);
    let files = |order: [&str; 4]| {
        let files: Vec<Value> =
            order.iter().map(|name| json!({"path": format!("trap/{name}"), "content": "x\n"})).collect();
        json!({ "files": files })
    };
    let at_once = files(["HEAD", "config", "objects/x", "refs/x"]);
    assert_eq!(repo.refused(&["apply"], &at_once.to_string()), "submodule");
    assert!(!repo.has("trap"));
    // Nor one after the other, whichever comes last, nor by a move.
    for (trap, last) in [("one", "HEAD"), ("two", "objects/x"), ("three", "refs/x"), ("four", "commondir")] {
        for name in ["HEAD", "objects/x", "refs/x"] {
            if name != last && !(last == "commondir" && name != "HEAD") {
                repo.apply(json!({"path": format!("{trap}/{name}"), "content": "ref: refs/heads/main\n"}));
            }
        }
        let create = json!({"path": format!("{trap}/{last}"), "content": "ref: refs/heads/main\n"});
        assert_eq!(repo.refused(&["apply"], &create.to_string()), "submodule", "{create}");
        let moved = json!({"path": "a", "rename_to": format!("{trap}/{last}")});
        assert_eq!(repo.refused(&["apply"], &moved.to_string()), "submodule", "{moved}");
    }
}

#[test]
fn what_git_refuses_as_a_spelling_of_its_own_directory_is_refused() {
    let repo = TestRepo::with_files(&[("a", "old\n")]);
    let blob = repo.git(&["rev-parse", "HEAD:a"]);
    let heads = [".git", ".GIT", "git~1", "gIt~1", ".g\u{200c}it"];
    let tails = [
        "",
        ".",
        " ",
        "...",
        " . ",
        "::$INDEX_ALLOCATION",
        ":x",
        "\\hooks",
        ".\\hooks",
        " \\hooks\\pre-commit",
        "x",
        "ignore",
    ];
    let befores = ["", "sub\\", "sub/x\\"];
    let afters = ["", "\\config"];
    let mut refused = 0;
    for (head, tail) in heads.iter().flat_map(|head| tails.iter().map(move |tail| (head, tail))) {
        for (before, after) in befores.iter().flat_map(|before| afters.iter().map(move |after| (before, after))) {
            let path = format!("{before}{head}{tail}{after}");
            let entry = format!("100644,{},{path}", blob.trim());
            let strict = ["-c", "core.protectNTFS=true", "-c", "core.protectHFS=true"];
            let add = [&strict[..], &["update-index", "--add", "--cacheinfo", &entry]].concat();
            if repo.try_git(&add).status.success() {
                repo.git(&["update-index", "--force-remove", &path]);
                continue;
            }
            refused += 1;
            let create = json!({"path": path, "content": "x\n"});
            let answer = repo.redraft(&["check"], &create.to_string()).json();
            assert_eq!(answer["data"]["reason"], "git_internals", "{path}: {answer}");
        }
    }
    assert!(refused > 150, "{refused}");
}

#[test]
fn inside_the_git_directory_there_is_no_working_tree() {
    let repo = TestRepo::with_files(&[("a", "old\n")]);
    let root = repo.root();
    let edit = json!({"path": "a", "old_string": "old", "new_string": "new"}).to_string();
    let refused = |at: &Path, variables: &[(&str, &str)]| {
        let answer = Surroundings { at, variables }.run(&["apply"], &edit).json();
        assert_eq!(answer["data"]["reason"], "git_internals", "{at:?} {variables:?}: {answer}");
        assert_eq!(repo.text("a"), "old\n");
    };
    for at in [".git", ".git/hooks", ".git/refs/heads"] {
        std::fs::create_dir_all(root.join(at)).expect("a folder");
        refused(&root.join(at), &[]);
    }
    refused(&root.join(".git"), &[("GIT_DIR", ".")]);
    refused(&root.join(".git"), &[("GIT_DIR", "."), ("GIT_WORK_TREE", ".")]);
    refused(&root.join(".git/hooks"), &[("GIT_DIR", ".."), ("GIT_WORK_TREE", ".")]);
    let linked = repo.outside().join("linked");
    assert!(git(&root, &["worktree", "add", "-q", linked.to_str().expect("UTF-8"), "-b", "side"]));
    refused(&root.join(".git/worktrees/linked"), &[]);
    let sub = root.join("sub");
    std::fs::create_dir(&sub).expect("a folder");
    Surroundings { at: &sub, variables: &[] }.works("new");
}

#[test]
fn what_the_git_directory_leads_to_by_symlinks_is_out_of_reach_in_the_tree() {
    // Each part is moved into the tree, and a link left in its place; what a request then writes there, git would obey.
    for (part, inside, new) in [
        ("hooks", "githooks", "post-commit"),
        ("info", "tools/info", "attributes"),
        ("refs", "refs_", "heads/forged"),
        ("objects", "objects_", "info/alternates"),
        ("worktrees", "trees", "side/config.worktree"),
        ("redraft", "rd", "reviewed"),
        ("redraft/worktrees", "rd", "main/requests/x"),
        ("redraft/worktrees/main", "rd", "sessions/s/x"),
        ("redraft/worktrees/main/sessions", "rd", "s/x"),
    ] {
        let repo = TestRepo::with_files(&[("a", "old\n")]);
        let root = repo.root();
        repo.edit("a", "old", "older");
        let linked = repo.outside().join("side");
        assert!(git(&root, &["worktree", "add", "-q", linked.to_str().expect("UTF-8"), "-b", "side"]));
        let (place, target) = (root.join(".git").join(part), root.join(inside));
        std::fs::create_dir_all(target.parent().expect("a folder")).expect("a folder");
        if place.exists() {
            std::fs::rename(&place, &target).expect("moves");
        }
        symlink(&target, &place).expect("links");
        let before = snapshot(&root, &[]);
        let path = format!("{inside}/{new}");
        for (request, args) in [
            (json!({"path": path, "content": "x\n"}), ["apply", "-"]),
            (json!({"path": "a", "rename_to": path}), ["apply", "-"]),
            (json!({"path": path, "delete": true}), ["apply", "-"]),
            (json!({"path": path, "content": "x\n"}), ["check", "-"]),
        ] {
            assert_eq!(repo.refused(&args, &request.to_string()), "git_internals", "{part}: {request}");
        }
        assert_eq!(repo.refused(&["read", &path], ""), "git_internals", "{part}");
        assert_same(&snapshot(&root, &[]), &before, part);
        repo.apply(json!({"path": "a", "old_string": "older", "new_string": "newer"}));
        repo.apply(json!({"path": format!("{inside}-beside/{new}"), "content": "x\n"}));
    }
}

#[test]
fn what_the_git_directory_of_a_linked_worktree_leads_to_is_out_of_reach_in_its_tree() {
    let repo = TestRepo::with_files(&[("a", "old\n")]);
    let linked = repo.outside().join("side");
    assert!(git(&repo.root(), &["worktree", "add", "-q", linked.to_str().expect("UTF-8"), "-b", "side"]));
    symlink(linked.join("settings"), repo.root().join(".git/worktrees/side/config.worktree")).expect("links");
    let ask = |path: &str| {
        let request = json!({"path": path, "content": "[core]\n\tpager = touch ran\n"}).to_string();
        repo.redraft_in(&linked, &["apply", "--answer", "envelope"], &request)
    };
    let refused = ask("settings");
    assert!(refused.out.contains("git_internals"), "{}{}", refused.out, refused.err);
    assert!(!linked.join("settings").exists());
    assert_eq!(ask("other").status, 0);
}

#[test]
fn a_hook_or_the_configuration_that_is_a_symlink_into_the_tree_is_out_of_reach() {
    let repo = TestRepo::with_files(&[("a", "old\n"), ("scripts/check", "#!/bin/sh\n")]);
    let root = repo.root();
    std::fs::rename(root.join(".git/config"), root.join("cfg")).expect("moves");
    symlink("../cfg", root.join(".git/config")).expect("links");
    std::fs::create_dir_all(root.join(".git/hooks")).expect("a folder");
    symlink("../../scripts/check", root.join(".git/hooks/pre-commit")).expect("links");
    // Nothing is there yet, and the second link is reached by a first one in the tree.
    symlink("../../scripts/later/made", root.join(".git/hooks/post-commit")).expect("links");
    symlink("../../first", root.join(".git/hooks/pre-push")).expect("links");
    symlink("scripts/second", root.join("first")).expect("links");
    std::fs::hard_link(root.join("scripts/check"), root.join("same")).expect("links");
    assert!(git(&root, &["config", "redraft.unusualFiles", "hard-link"]));
    for path in ["cfg", "scripts/check", "scripts/later/made", "scripts/second", "first", "same"] {
        for request in [
            json!({"path": path, "content": "#!/bin/sh\ntouch ran\n", "overwrite": true}),
            json!({"path": "a", "rename_to": path}),
        ] {
            assert_eq!(repo.refused(&["apply"], &request.to_string()), "git_internals", "{request}");
        }
    }
    let told = repo.done(&["status", "--policy", "--json"], "");
    for path in ["cfg", "scripts/check"] {
        let all = told["in_tree"].as_array().expect("a list");
        assert!(all.iter().any(|found| found["path"] == path && found["editable"] == false), "{path}: {told}");
    }
    repo.apply(json!({"path": "scripts/other", "content": "x\n"}));
    repo.apply(json!({"path": "scripts/later/other", "content": "x\n"}));
}

/// Seen: in a home directory with dotfiles an agent wrote `.gitconfig`, and the next edit ran the command that it had put there.
#[test]
fn the_users_own_configuration_is_out_of_reach_where_it_lies_in_the_tree() {
    let repo = TestRepo::with_files(&[("a", "old\n"), ("kept/config", "[user]\n"), ("more", "")]);
    let root = repo.root();
    let home = root.to_str().expect("UTF-8");
    symlink("../../kept/config", {
        std::fs::create_dir_all(root.join(".config/git")).expect("folders");
        root.join(".config/git/config")
    })
    .expect("links");
    let run = |variables: &[(&str, &str)], args: &[&str], input: &str| {
        let mut command = command(&root, args);
        command.env_remove("GIT_CONFIG_GLOBAL").env_remove("XDG_CONFIG_HOME").env("HOME", home);
        finish(command.envs(variables.iter().copied()), input.as_bytes()).json()
    };
    let rule = "[redraft]\n\tverify = touch ran\n";
    let attack = |variables: &[(&str, &str)], path: &str| {
        for request in [
            json!({"path": path, "content": rule, "overwrite": true}),
            json!({"path": "a", "rename_to": path}),
            json!({"path": path, "delete": true}),
        ] {
            let told = run(variables, &["apply"], &request.to_string());
            assert_eq!(told["data"]["reason"], "git_internals", "{request}: {told}");
        }
    };
    for path in [".gitconfig", ".config/git/config", "kept/config"] {
        attack(&[], path);
    }
    attack(&[("GIT_CONFIG_GLOBAL", "own")], "own");
    attack(&[("GIT_CONFIG_SYSTEM", "sys")], "sys");
    attack(&[("XDG_CONFIG_HOME", &format!("{home}/xdg"))], "xdg/git/config");
    // Both are named, and so is what is included from the home directory, which the person has set so.
    assert!(git(&root, &["config", "include.path", "~/more"]));
    let told = run(&[], &["status", "--policy", "--json"], "");
    let found = |path: &str| {
        let all = told["in_tree"].as_array().expect("a list");
        all.iter().find(|found| found["path"] == path).map(|found| found["editable"].clone())
    };
    for (path, editable) in [(".gitconfig", false), ("kept/config", false), ("more", true)] {
        assert_eq!(found(path), Some(json!(editable)), "{path}: {told}");
    }
    let told = run(&[], &["apply"], &json!({"path": ".gitconfig.local", "content": "x\n"}).to_string());
    assert_eq!(told["status"], "success", "what is only called alike is the tree's: {told}");
}
