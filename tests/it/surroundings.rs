//! What surrounds a command: git's variables, the user's configuration, `-C`.

use crate::support::{TestRepo, clean};
use std::path::Path;
use std::process::Command;

/// Runs `redraft` in `dir` with these variables; gives its standard output.
fn redraft(dir: &Path, args: &[&str], variables: &[(&str, &str)]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_redraft"));
    clean(command.args(args), dir).env_remove("PWD").envs(variables.iter().copied());
    let output = command.output().expect("redraft runs");
    String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned()
}

fn request(repo: &TestRepo, old: &str, new: &str) {
    let text = serde_json::json!({"path": "a.txt", "old_string": old, "new_string": new}).to_string();
    std::fs::write(repo.outside().join("request.json"), text).expect("a request");
}

fn reason(answer: &str) -> String {
    let answer: serde_json::Value = serde_json::from_str(answer).unwrap_or_default();
    answer["data"]["reason"].as_str().unwrap_or("none").to_owned()
}

#[test]
fn with_a_directory_all_that_is_relative_is_relative_to_it() {
    let repo = TestRepo::with_files(&[("a.txt", "one\n")]);
    request(&repo, "one", "two");
    let got = redraft(Path::new("/"), &["-C", repo.outside().to_str().expect("UTF-8"), "-C", "."], &[]);
    assert!(got.contains("cannot be used multiple times"), "{got}");
    std::fs::copy(repo.root().join(".git/index"), repo.root().join("other-index")).expect("a copy");
    let outside = repo.outside();
    let at = outside.to_str().expect("UTF-8");
    let variables = [("GIT_DIR", "repo/.git"), ("GIT_WORK_TREE", "repo"), ("GIT_INDEX_FILE", "other-index")];
    let got = redraft(Path::new("/"), &["-C", at, "apply", "--record", "commit", "request.json"], &variables);
    assert_eq!(reason(&got), "none", "{got}");
    assert_eq!(repo.text("a.txt"), "two\n");
    assert_eq!(repo.git(&["log", "-1", "--format=%an", "HEAD", "--", "a.txt"]).trim(), "Test User");
    // Git takes a relative index from the root of the working tree.
    let id = repo.git(&["rev-parse", "HEAD:a.txt"]);
    let staged = clean(Command::new("git").args(["ls-files", "-s", "a.txt"]), &repo.root())
        .env("GIT_INDEX_FILE", "other-index")
        .output()
        .expect("git runs");
    assert!(String::from_utf8_lossy(&staged.stdout).contains(id.trim()));
}

#[test]
fn a_working_tree_apart_from_its_repository_is_found_by_both_variables() {
    let repo = TestRepo::with_files(&[("a.txt", "one\n")]);
    std::fs::create_dir(repo.outside().join("tree")).expect("a folder");
    std::fs::write(repo.outside().join("tree/a.txt"), "one\n").expect("a file");
    repo.git(&["config", "core.bare", "true"]);
    request(&repo, "one", "two");
    let variables = [("GIT_DIR", "repo/.git"), ("GIT_WORK_TREE", "tree")];
    let got = redraft(&repo.outside(), &["apply", "request.json"], &variables);
    assert_eq!(reason(&got), "none", "{got}");
    assert_eq!(std::fs::read(repo.outside().join("tree/a.txt")).expect("reads"), b"two\n");
    assert_eq!(repo.text("a.txt"), "one\n");
}

#[test]
fn an_index_that_a_variable_names_says_what_is_added() {
    let repo = TestRepo::with_files(&[("a.txt", "one\n")]);
    repo.write("new.txt", "one\n");
    clean(Command::new("git").args(["add", "new.txt"]), &repo.root())
        .env("GIT_INDEX_FILE", "other-index")
        .status()
        .expect("git runs");
    let text = serde_json::json!({"path": "new.txt", "old_string": "one", "new_string": "two"}).to_string();
    std::fs::write(repo.outside().join("request.json"), text).expect("a request");
    let state = |variables: &[(&str, &str)]| {
        let got = redraft(&repo.root(), &["check", "../request.json"], variables);
        let got: serde_json::Value = serde_json::from_str(&got).expect("JSON");
        got["data"]["files"][0]["state"].as_str().map(str::to_owned)
    };
    assert_eq!(state(&[]).as_deref(), Some("untracked"));
    assert_eq!(state(&[("GIT_INDEX_FILE", "other-index")]).as_deref(), Some("added"));
}

#[test]
fn the_configuration_of_user_system_and_variables_counts_as_in_git() {
    let repo = TestRepo::with_files(&[("a.txt", "one\n")]);
    request(&repo, "one", "two");
    let home = repo.outside().join("home");
    std::fs::create_dir_all(home.join(".config/git")).expect("a folder");
    let deny = "[redraft]\n\tdeny = a.txt\n";
    std::fs::write(repo.outside().join("deny"), deny).expect("a configuration");
    let (home, deny_file) = (home.display().to_string(), repo.outside().join("deny").display().to_string());
    let run = |variables: &[(&str, &str)]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_redraft"));
        clean(command.args(["check", "../request.json"]), &repo.root());
        command.env_remove("GIT_CONFIG_GLOBAL").env_remove("GIT_CONFIG_NOSYSTEM").env("GIT_CONFIG_SYSTEM", "/dev/null");
        command.env("HOME", &home).env_remove("XDG_CONFIG_HOME").envs(variables.iter().copied());
        reason(&String::from_utf8_lossy(&command.output().expect("redraft runs").stdout))
    };
    let place = |name: &str| repo.outside().join("home").join(name);
    assert_eq!(run(&[]), "none");
    assert_eq!(run(&[("GIT_CONFIG_GLOBAL", &deny_file)]), "policy");
    assert_eq!(run(&[("GIT_CONFIG_SYSTEM", &deny_file)]), "policy");
    assert_eq!(run(&[("GIT_CONFIG_SYSTEM", &deny_file), ("GIT_CONFIG_NOSYSTEM", "1")]), "none");
    assert_eq!(run(&[("GIT_CONFIG_PARAMETERS", "'redraft.deny'='a.txt'")]), "policy");
    let counted = [("GIT_CONFIG_COUNT", "1"), ("GIT_CONFIG_KEY_0", "redraft.deny"), ("GIT_CONFIG_VALUE_0", "a.txt")];
    assert_eq!(run(&counted), "policy");
    std::fs::write(place(".gitconfig"), deny).expect("a configuration");
    assert_eq!(run(&[]), "policy");
    assert_eq!(run(&[("GIT_CONFIG_GLOBAL", "/dev/null")]), "none");
    std::fs::rename(place(".gitconfig"), place(".config/git/config")).expect("moves");
    assert_eq!(run(&[]), "policy");
}

#[test]
fn a_ceiling_and_a_directory_that_is_none_are_refused() {
    let repo = TestRepo::with_files(&[("deep/er/a.txt", "one\n")]);
    let ceiling = repo.root().join("deep").display().to_string();
    let got = redraft(&repo.root().join("deep/er"), &["status"], &[("GIT_CEILING_DIRECTORIES", &ceiling)]);
    assert!(got.contains("not inside a git repository") || got.contains("no git repository"), "{got}");
    let got = redraft(&repo.root(), &["-C", "deep/er/a.txt", "status"], &[]);
    assert!(got.contains("cannot change to deep/er/a.txt"), "{got}");
}

#[test]
fn colours_come_where_git_wants_them_and_nobody_forbids_them() {
    let repo = TestRepo::with_files(&[("a.txt", "one\n")]);
    repo.edit("a.txt", "one", "two");
    let log = |variables: &[(&str, &str)]| redraft(&repo.root(), &["log"], variables);
    assert!(!log(&[]).contains('\x1b'), "it is no terminal");
    repo.git(&["config", "color.ui", "always"]);
    assert!(log(&[]).contains('\x1b'));
    assert!(log(&[("TERM", "dumb"), ("NO_COLOR", "")]).contains('\x1b'));
    assert!(!log(&[("NO_COLOR", "1")]).contains('\x1b'));
    repo.git(&["config", "color.ui", "never"]);
    assert!(!log(&[]).contains('\x1b'));
}

#[test]
fn times_are_told_and_read_where_the_clock_is() {
    let repo = TestRepo::with_files(&[("a.txt", "one\n")]);
    repo.edit("a.txt", "one", "two");
    let log = |args: &[&str], zone: &str| redraft(&repo.root(), &[&["log"], args].concat(), &[("TZ", zone)]);
    assert!(log(&[], "XYZ-5").contains(" +0500 ("), "{}", log(&[], "XYZ-5"));
    // A minute from now here is hours ago further west, and far ahead further east.
    let soon = (jiff::Timestamp::now() + jiff::SignedDuration::from_mins(1)).strftime("%Y-%m-%d %H:%M:%S").to_string();
    assert_eq!(log(&["--oneline", "--until", &soon], "XYZ-5").lines().count(), 0);
    assert_eq!(log(&["--oneline", "--until", &soon], "XYZ5").lines().count(), 1);
}

/// Files are not renamed from one mount to another, though both are of one file system.
#[test]
#[cfg(target_os = "linux")]
fn a_file_below_a_bind_mount_of_the_same_file_system_is_edited_and_the_edit_undone() {
    let repo = TestRepo::with_files(&[("d/a.txt", "one\n"), ("mounted/b.txt", "x\n")]);
    let script = r#"
        mount --bind d mounted && echo begun || exit 77
        echo '{"path": "mounted/a.txt", "old_string": "one", "new_string": "two"}' | "$0" apply && cat d/a.txt
        "$0" undo && cat d/a.txt && "$0" fsck && ls -A d
    "#;
    let mut command = std::process::Command::new("unshare");
    let out = command.args(["-rm", "sh", "-c", script, crate::support::run::REDRAFT]).current_dir(repo.root()).output();
    let Ok(out) = out.inspect_err(|error| eprintln!("left out, there is no unshare: {error}")) else { return };
    let text = String::from_utf8_lossy(&out.stdout);
    if !text.starts_with("begun\n") {
        eprintln!("left out, nothing may be mounted here");
        return;
    }
    assert!(out.status.success(), "{text}{}", String::from_utf8_lossy(&out.stderr));
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('{')).collect();
    assert_eq!((lines[1], lines[2], lines.last()), ("two", "one", Some(&"a.txt")), "{text}");
}

/// A linked worktree inside the main one whose own folder was pruned, and a file `.git` that is nonsense.
#[test]
fn below_a_git_file_that_leads_nowhere_the_repository_around_it_is_left_alone() {
    let repo = TestRepo::with_files(&[("a.txt", "one\n"), ("src/a.txt", "one\n")]);
    repo.git(&["worktree", "add", "-q", "agents/x"]);
    std::fs::remove_dir_all(repo.root().join(".git/worktrees/x")).expect("a folder");
    repo.write("junk/deeper/b.txt", "b\n");
    repo.write("junk/.git", "junk\n");
    request(&repo, "one", "two");
    let request = repo.outside().join("request.json").display().to_string();
    for dir in ["agents/x", "agents/x/src", "junk/deeper"] {
        let answer = redraft(&repo.root().join(dir), &["apply", &request], &[]);
        assert_eq!(reason(&answer), "not_a_repository", "{dir}: {answer}");
        assert!(answer.contains("/.git") && answer.contains("git worktree repair"), "{dir}: {answer}");
        assert_eq!((repo.text("a.txt"), repo.text("agents/x/a.txt")), ("one\n".into(), "one\n".into()), "{dir}");
    }
    let answer = redraft(&repo.root().join("src"), &["apply", &request], &[]);
    assert_eq!((reason(&answer).as_str(), repo.text("a.txt").as_str()), ("none", "two\n"), "{answer}");
}

/// Git counts the namespace where others fetch and push.
#[test]
fn a_namespace_is_nothing_to_an_edit() {
    let repo = TestRepo::with_files(&[("a.txt", "one\n")]);
    request(&repo, "one", "two");
    let request = repo.outside().join("request.json").display().to_string();
    let answer = redraft(&repo.root(), &["apply", "--record", "commit", &request], &[("GIT_NAMESPACE", "other")]);
    assert_eq!((reason(&answer).as_str(), repo.text("a.txt").as_str()), ("none", "two\n"), "{answer}");
    assert_eq!(repo.git(&["show", "HEAD:a.txt"]), "two\n");
    assert_eq!(repo.git(&["for-each-ref", "refs/namespaces"]), "");
}

/// A deny of the user that counts in linked worktrees alone, and one whose section is written in capitals.
#[test]
fn an_include_counts_where_it_counts_to_git() {
    let repo = TestRepo::with_files(&[("a.txt", "one\n")]);
    repo.git(&["worktree", "add", "-q", "../linked"]);
    repo.git(&["config", "-f", "../more", "redraft.deny", "a.txt"]);
    let more = repo.outside().join("more").display().to_string();
    request(&repo, "one", "two");
    let request = repo.outside().join("request.json").display().to_string();
    let denied = |dir: &str| reason(&redraft(&repo.outside().join(dir), &["check", &request], &[]));
    repo.git(&["config", "includeIf.gitdir:**/worktrees/linked.path", &more]);
    assert_eq!([denied("linked"), denied("repo")], ["policy", "none"]);
    repo.git(&["config", "--unset", "includeIf.gitdir:**/worktrees/linked.path"]);
    let config = repo.root().join(".git/config");
    let text = std::fs::read_to_string(&config).expect("a configuration");
    std::fs::write(&config, format!("{text}[INCLUDE]\n\tPATH = {more}\n")).expect("a configuration");
    assert_eq!([denied("linked"), denied("repo")], ["policy", "policy"]);
}

/// To git `autocrlf` alone is a yes.
#[test]
fn a_setting_without_a_value_is_a_yes_as_in_git() {
    let repo = TestRepo::with_files(&[("a.txt", "one\n")]);
    let config = repo.root().join(".git/config");
    let text = std::fs::read_to_string(&config).expect("a configuration");
    std::fs::write(&config, format!("{text}[core]\n\tautocrlf\n")).expect("a configuration");
    std::fs::write(repo.outside().join("request.json"), r#"{"path":"new.txt","content":"a\nb\n"}"#).expect("a request");
    let request = repo.outside().join("request.json").display().to_string();
    redraft(&repo.root(), &["apply", &request], &[]);
    assert_eq!(repo.text("new.txt"), "a\r\nb\r\n");
}

/// What is asked is only the answer, so that a full disk must not look like a short one.
#[test]
#[cfg(target_os = "linux")]
fn an_answer_that_could_not_be_written_whole_is_a_failure_where_it_is_all_that_was_asked() {
    let repo = TestRepo::with_files(&[("a.txt", "one\n")]);
    repo.edit("a.txt", "one", "two");
    let commands: [&[&str]; 10] = [
        &["log"],
        &["log", "--json"],
        &["show", "@"],
        &["diff", "@"],
        &["status"],
        &["blame", "a.txt"],
        &["sessions"],
        &["report", "-o", "-"],
        &["read", "a.txt"],
        &["schema"],
    ];
    for args in commands {
        let mut command = Command::new(env!("CARGO_BIN_EXE_redraft"));
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("a device");
        let output = clean(command.args(args), &repo.root()).stdout(full).output().expect("redraft runs");
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(
            (output.status.code(), told.matches("could not be printed").count()),
            (Some(3), 1),
            "{args:?}: {told}"
        );
    }
}

/// The tree has a `.git` of another repository, or none.
#[test]
fn a_working_tree_that_a_setting_names_is_edited_and_committed_to_its_own_repository() {
    for (is_bare_told, has_other) in [(true, false), (false, false), (true, true), (false, true)] {
        let repo = TestRepo::with_files(&[("a.txt", "one\n")]);
        let tree = repo.outside().join("tree");
        std::fs::create_dir(&tree).expect("a folder");
        std::fs::copy(repo.root().join("a.txt"), tree.join("a.txt")).expect("a copy");
        if has_other {
            repo.git(&["-C", "../tree", "init", "-q"]);
        }
        repo.git(&["config", "core.worktree", "../../tree"]);
        if !is_bare_told {
            repo.git(&["config", "--unset", "core.bare"]);
        }
        request(&repo, "one", "two");
        let request = repo.outside().join("request.json").display().to_string();
        let answer = redraft(&repo.root(), &["apply", "--record", "commit", &request], &[]);
        assert_eq!(reason(&answer), "none", "{is_bare_told} {has_other}: {answer}");
        let found = [tree.join("a.txt"), repo.root().join("a.txt")].map(|path| std::fs::read(path).expect("a file"));
        assert_eq!(found, [b"two\n".to_vec(), b"one\n".to_vec()], "{is_bare_told} {has_other}");
        assert_eq!(repo.git(&["show", "HEAD:a.txt"]), "two\n");
        assert_eq!(repo.git(&["status", "--porcelain"]), "", "{is_bare_told} {has_other}");
    }
}

/// A container gives its programs a user of any number and no `HOME`: nobody whom the system's directory of users knows.
#[test]
#[cfg(target_os = "linux")]
fn a_user_without_a_home_and_a_name_edits_and_looks() {
    use std::os::unix::process::CommandExt;
    const NOBODY_S: u32 = 61_234;
    if !rustix::process::geteuid().is_root() {
        eprintln!("left out: only root may run it as somebody else");
        return;
    }
    let repo = TestRepo::with_files(&[("a.txt", "one\n")]);
    request(&repo, "one", "two");
    // The repository, and a copy of the program where such a user may run it.
    std::fs::copy(env!("CARGO_BIN_EXE_redraft"), repo.outside().join("program")).expect("a copy");
    let mut given = Command::new("chown");
    given.args(["-R", &format!("{NOBODY_S}:{NOBODY_S}"), "."]).current_dir(repo.outside());
    assert!(given.status().expect("chown runs").success());
    for args in [&["apply", "../request.json"][..], &["log", "--oneline"], &["undo"], &["status"]] {
        let mut command = Command::new(repo.outside().join("program"));
        clean(command.args(args), &repo.root()).env_remove("HOME").uid(NOBODY_S).gid(NOBODY_S);
        let output = command.output().expect("redraft runs");
        let said = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
        assert_eq!(output.status.code(), Some(0), "{args:?}: {said}");
    }
    assert_eq!(repo.text("a.txt"), "one\n");
}

/// Seen: git worked there, and redraft refused.
#[test]
fn a_repository_of_another_user_is_safe_where_variables_say_so_to_git() {
    if !rustix::process::geteuid().is_root() {
        eprintln!("notice: only the superuser can give folders away; that of another user is not tried");
        return;
    }
    let repo = TestRepo::with_files(&[("a.txt", "one\n")]);
    let mut chown = Command::new("chown");
    assert!(chown.args(["-R", "65534"]).arg(repo.root()).status().expect("chown runs").success());
    let all = [("GIT_CONFIG_COUNT", "1"), ("GIT_CONFIG_KEY_0", "safe.directory"), ("GIT_CONFIG_VALUE_0", "*")];
    let other = [("GIT_CONFIG_COUNT", "1"), ("GIT_CONFIG_KEY_0", "safe.directory"), ("GIT_CONFIG_VALUE_0", "/other")];
    let parameters = [("GIT_CONFIG_PARAMETERS", "'safe.directory'='*'")];
    for (variables, is_safe) in [(&[][..], false), (&other, false), (&all, true), (&parameters, true)] {
        let answer = redraft(&repo.root(), &["read", "a.txt"], variables);
        assert_eq!(answer.contains("unsafe_owner"), !is_safe, "{variables:?}: {answer}");
        assert_eq!(answer.contains("\"content\":\"one\\n\""), is_safe, "{variables:?}: {answer}");
        let mut git = Command::new("git");
        clean(git.args(["status", "--porcelain"]), &repo.root());
        let git = git.envs(variables.iter().copied()).output().expect("git runs");
        assert_eq!(git.status.success(), is_safe, "{variables:?}");
    }
}

/// Seen: `gc` worked on the user's objects, and dropped those that only its branches had.
#[test]
fn the_upkeep_of_the_history_leaves_a_repository_alone_that_the_environment_names() {
    let repo = TestRepo::with_files(&[("a.txt", "one\n")]);
    repo.edit("a.txt", "one", "two");
    repo.git(&["commit", "-qam", "two"]);
    repo.shell("find .git/objects -type f -exec touch -d '2 days ago' {} +");
    let common = repo.root().join(".git");
    let variables = [("GIT_COMMON_DIR", common.to_str().expect("UTF-8"))];
    let got = redraft(&repo.root(), &["gc", "--keep-records", "0", "--yes"], &variables);
    assert!(!got.contains("error"), "{got}");
    assert_eq!(repo.git(&["rev-list", "--objects", "--all"]).lines().count(), 6);
    repo.git(&["fsck", "--strict"]);
}

/// Seen: blame, export and commit failed, and the log named no commits: git does not know whether the file or the commit is meant.
#[test]
fn a_file_that_is_called_as_a_commit_is_changes_nothing_that_git_is_asked() {
    let repo = TestRepo::with_files(&[("a.txt", "one\ntwo\nthree\n")]);
    let edit = |old: &str| {
        let agent = serde_json::json!({"name": "ann", "session": "s"});
        repo.apply(serde_json::json!({"path": "a.txt", "old_string": old, "new_string": "x", "agent": agent}))
    };
    edit("one");
    repo.git(&["commit", "-qam", "two"]);
    edit("three");
    let all = |names: &[&str]| {
        names.iter().for_each(|name| repo.write(name, "x\n"));
        let told = |args: &[&str]| {
            let answer = repo.redraft(args, "");
            (args.join(" "), answer.status, answer.out, answer.err)
        };
        [
            &["blame", "a.txt"][..],
            &["log", "--oneline", "--commit", "HEAD"],
            &["log", "--json"],
            &["status", "--json"],
            &["export", "agent-trace"],
            &["commit", "--session", "s", "--dry-run"],
        ]
        .map(told)
    };
    repo.git(&["config", "core.excludesFile", "/dev/null"]);
    repo.shell("mkdir -p .git/info; echo '*' > .git/info/exclude");
    let before = all(&[]);
    let head = repo.git(&["rev-parse", "HEAD"]);
    let id = head.trim();
    assert_eq!(all(&["HEAD", "^HEAD", "main", id, &format!("^{id}"), "HEAD~1"]), before);
}
