//! `redraft tour`: what its repository holds, what it shows, and that nothing beside it is touched.

use crate::support::run::{Ran, command, finish, redraft};
use crate::support::terminal::Terminal;
use crate::support::tree::{assert_same, snapshot};
use crate::support::{TestRepo, clean};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The steps that are run; one more is only named.
const STEPS: usize = 8;

/// A folder without anything in it.
fn folder() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let real = fs::canonicalize(folder.path()).expect("it is there");
    (folder, real)
}

/// A tour in `dir/tour`, made with whatever else the command is given.
fn toured(dir: &Path, more: impl FnOnce(&mut Command)) -> PathBuf {
    let mut tour = command(dir, &["tour", "tour", "--json"]);
    more(&mut tour);
    let ran = finish(&mut tour, b"");
    assert_eq!(ran.exit, Some(0), "{ran:?}");
    steps_are_well(&ran);
    dir.join("tour")
}

/// Plain git's answer in a directory.
fn git(dir: &Path, args: &[&str]) -> String {
    let output = clean(Command::new("git").args(args), dir).output().expect("git runs");
    assert!(output.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[track_caller]
fn steps_are_well(ran: &Ran) {
    let told = ran.json();
    let steps = told["steps"].as_array().expect("steps");
    let run: Vec<&Value> = steps.iter().filter(|step| !step["status"].is_null()).collect();
    assert_eq!((run.len(), steps.len()), (STEPS, STEPS + 1), "{told:#}");
    for step in run {
        assert_eq!(step["status"], 0, "{step:#}");
        assert!(!step["output"].as_str().expect("a text").trim().is_empty(), "{step:#}");
        assert!(!step["command"].as_str().expect("a text").contains('{'), "{step:#}");
    }
}

fn refused(dir: &Path, args: &[&str]) -> String {
    let ran = redraft(dir, &[&["tour", "--json"], args].concat(), b"");
    assert_ne!(ran.exit, Some(0), "{ran:?}");
    ran.json()["error"]["reason"].as_str().expect("a reason").to_owned()
}

#[test]
fn its_repository_holds_a_day_of_two_agents_and_a_person() {
    let (_folder, dir) = folder();
    let root = toured(&dir, |_| ());
    let log = git(&root, &["log", "--format=%an <%ae>: %s"]);
    assert_eq!(log.lines().count(), 4, "{log}");
    assert!(log.lines().all(|line| line.starts_with("Ada <ada@example.com>: ")), "{log}");
    git(&root, &["fsck", "--strict"]);
    let status = git(&root, &["status", "--porcelain"]);
    let want = [
        " M README.md",
        " M config/production.toml",
        " M weather/fetch.py",
        " D weather/parse.py",
        " M weather/show.py",
        "?? weather/days.py",
    ];
    assert_eq!(status.lines().collect::<Vec<_>>(), want);
    let told = redraft(&root, &["report", "--json"], b"").json();
    let summary = &told["summary"];
    for (key, want) in
        [("records", 9), ("edits", 8), ("observed", 1), ("undone", 1), ("committed", 3), ("sessions", 2), ("turns", 5)]
    {
        assert_eq!(summary[key], want, "{key}: {summary}");
    }
    let agents: Vec<&str> =
        told["agents"].as_array().expect("agents").iter().flat_map(|by| by["agent"].as_str()).collect();
    assert_eq!(agents, ["heron", "otter"]);
    let both =
        told["files"].as_array().expect("files").iter().filter(|file| file["by"].as_array().map(Vec::len) == Some(2));
    assert!(both.count() >= 2, "{:#}", told["files"]);
    let changes: Vec<&str> = told["records"]
        .as_array()
        .expect("records")
        .iter()
        .flat_map(|record| record["files"].as_array().expect("files"))
        .flat_map(|file| file["change"].as_str())
        .collect();
    assert!(changes.contains(&"create") && changes.contains(&"rename"), "{changes:?}");
    assert_eq!(redraft(&root, &["fsck"], b"").exit, Some(0));
    let hooks = redraft(&root, &["status"], b"");
    assert_eq!(hooks.stderr, "", "no hook of the day met trouble");
}

/// docs/audit.md names records by their ids.
#[test]
fn two_tours_have_the_same_records_by_the_same_ids_and_the_same_files() {
    let (_folder, dir) = folder();
    let (one, other) = (dir.join("1"), dir.join("2"));
    fs::create_dir(&one).expect("a folder");
    fs::create_dir(&other).expect("a folder");
    let (one, other) = (toured(&one, |_| ()), toured(&other, |_| ()));
    let ids = |root: &Path| redraft(root, &["log", "--format=%H %an %s"], b"").text().to_owned();
    assert_eq!(ids(&one), ids(&other));
    assert_same(&snapshot(&one, &[".git", "report.html"]), &snapshot(&other, &[".git", "report.html"]), "two tours");
}

#[test]
fn without_a_name_it_is_a_new_folder_below_the_temporary_one_and_its_place_is_told_first() {
    let (_folder, dir) = folder();
    let temporary = dir.join("for a while");
    fs::create_dir(&temporary).expect("a folder");
    let mut places = Vec::new();
    for _ in 0..2 {
        let ran = finish(command(&dir, &["tour"]).env("TMPDIR", &temporary), b"");
        assert_eq!((ran.exit, ran.stderr.as_str()), (Some(0), ""), "{ran:?}");
        let first = ran.text().lines().next().expect("a line").to_owned();
        let place = PathBuf::from(first.strip_prefix("The tour's repository is ").expect("it is told"));
        assert!(place.starts_with(&temporary) && place.join(".git").is_dir(), "{first}");
        assert_eq!(ran.text().matches("\n$ redraft ").count(), STEPS + 1, "{}", ran.text());
        #[cfg(unix)]
        assert_eq!(
            std::os::unix::fs::PermissionsExt::mode(&fs::metadata(&place).expect("it is there").permissions()) & 0o777,
            0o700
        );
        assert!(
            ran.text().ends_with(&format!("\nThe repository is left, to try more: cd '{}'\n", place.display())),
            "{}",
            ran.text()
        );
        places.push(place);
    }
    assert_ne!(places[0], places[1]);
    assert_eq!(fs::read_dir(&dir).expect("listed").count(), 1, "nothing else is made");
}

#[test]
fn a_folder_with_something_in_it_a_file_and_a_git_directory_are_refused_and_stay_as_they_are() {
    let repo = TestRepo::with_files(&[("a.txt", "1\n"), ("sub/b.txt", "2\n")]);
    let root = repo.root();
    let before = snapshot(&repo.outside(), &[]);
    for (place, want) in [
        ("sub", "exists"),
        (".", "exists"),
        ("a.txt", "exists"),
        ("a.txt/tour", "exists"),
        (".git", "exists"),
        (".git/tour", "git_internals"),
        (".git/refs/tags", "git_internals"),
        ("sub/../.GIT/tour", "git_internals"),
    ] {
        assert_eq!(refused(&root, &[place]), want, "{place}");
    }
    assert!(matches!(refused(&root, &["/proc/tour"]).as_str(), "io" | "unwritable"));
    let told = redraft(&root, &["tour", "sub"], b"");
    assert!(told.stderr.contains("sub is there already, and is not empty; name a folder that is empty"), "{told:?}");
    assert_eq!(told.text(), "");
    assert_same(&snapshot(&repo.outside(), &[]), &before, "a refusal");
}

#[test]
fn an_empty_folder_is_filled_also_where_a_link_leads_to_it() {
    let (_folder, dir) = folder();
    fs::create_dir(dir.join("empty")).expect("a folder");
    std::os::unix::fs::symlink("empty", dir.join("tour")).expect("a link");
    toured(&dir, |_| ());
    assert!(dir.join("empty/.git/redraft").is_dir());
    assert_eq!(refused(&dir, &["tour"]), "exists", "a second time it is full");
}

#[test]
fn within_another_repository_it_is_one_of_its_own_and_the_outer_one_is_untouched() {
    let repo = TestRepo::with_files(&[("a.txt", "1\n")]);
    let before = snapshot(&repo.root(), &[]);
    let place = toured(&repo.root(), |_| ());
    assert_eq!(git(&place, &["rev-parse", "--show-toplevel"]).trim_end(), place.to_string_lossy());
    assert_eq!(repo.git(&["status", "--porcelain"]), "?? tour/\n");
    fs::remove_dir_all(place).expect("it goes");
    repo.git(&["status"]);
    assert_same(
        &snapshot(&repo.root(), &[".git/index"]),
        &{
            let mut before = before;
            before.remove(&b".git/index"[..]);
            before
        },
        "the outer repository",
    );
}

#[test]
fn a_name_of_two_lines_is_shown_in_one() {
    let (_folder, dir) = folder();
    let ran = redraft(&dir, &["tour", "two\nlines"], b"");
    assert_eq!(ran.exit, Some(0), "{ran:?}");
    assert!(ran.text().lines().next().is_some_and(|line| line.ends_with("two\\nlines\"")), "{}", ran.text());
    assert!(!ran.text().contains("two\nlines"), "{}", ran.text());
}

/// A home whose configuration of git does all that may be in the way, and a folder of hooks that leave a mark.
fn hostile_home(dir: &Path) -> PathBuf {
    let home = dir.join("home");
    let hooks = home.join("template/hooks");
    fs::create_dir_all(&hooks).expect("folders");
    for name in ["pre-commit", "commit-msg", "post-commit", "reference-transaction", "post-checkout"] {
        let hook = hooks.join(name);
        fs::write(&hook, format!("#!/bin/sh\necho {name} >> '{}'\nexit 1\n", dir.join("marked").display()))
            .expect("a hook");
        fs::set_permissions(&hook, std::os::unix::fs::PermissionsExt::from_mode(0o755)).expect("a mode");
    }
    let config = format!(
        "[core]\n\thooksPath = {hooks}\n\tautocrlf = true\n\tpager = false\n\texcludesFile = {dir}/ignored\n[commit]\n\tgpgSign = true\n\ttemplate = {dir}/no-such\n\
         [gpg]\n\tprogram = false\n[init]\n\ttemplateDir = {template}\n\tdefaultBranch = trunk\n\
         [redraft]\n\tdeny = weather/\n\trecord = none\n\tobserve = false\n[user]\n\tname = Somebody Else\n\tuseConfigOnly = true\n",
        hooks = hooks.display(),
        dir = dir.display(),
        template = home.join("template").display(),
    );
    fs::write(dir.join("ignored"), "*.py\n").expect("written");
    fs::write(home.join(".gitconfig"), config).expect("written");
    home
}

#[test]
fn neither_the_users_configuration_nor_variables_of_git_count_in_it() {
    let other = TestRepo::with_files(&[("mine.txt", "1\n")]);
    let (_folder, dir) = folder();
    let home = hostile_home(&dir);
    let (before_home, before) = (snapshot(&home, &[]), snapshot(&other.outside(), &[]));
    let root = toured(&dir, |tour| {
        tour.env("HOME", &home).env_remove("GIT_CONFIG_GLOBAL").env("XDG_CONFIG_HOME", home.join("config"));
        tour.env("GIT_DIR", other.root().join(".git")).env("GIT_WORK_TREE", other.root());
        tour.env("GIT_INDEX_FILE", other.root().join(".git/index"))
            .env("GIT_OBJECT_DIRECTORY", other.root().join(".git/objects"));
        tour.env("GIT_TEMPLATE_DIR", home.join("template")).env("GIT_DEFAULT_HASH", "sha256");
        tour.env("GIT_AUTHOR_NAME", "Somebody").env("GIT_COMMITTER_EMAIL", "else@example.com");
        tour.env("GIT_CONFIG_COUNT", "1").env("GIT_CONFIG_KEY_0", "core.bare").env("GIT_CONFIG_VALUE_0", "true");
    });
    assert!(!dir.join("marked").exists(), "a hook ran");
    assert_eq!(
        git(&root, &["log", "--format=%an %cn %ae %ce %G?"]).lines().next(),
        Some("Ada Ada ada@example.com ada@example.com N")
    );
    assert_eq!(git(&root, &["rev-parse", "--abbrev-ref", "HEAD"]), "main\n");
    assert!(!root.join(".git/hooks/pre-commit").exists());
    assert_same(&snapshot(&home, &[]), &before_home, "the home");
    assert_same(&snapshot(&other.outside(), &[]), &before, "the other repository");
}

#[test]
fn it_needs_no_home_and_no_user() {
    let (_folder, dir) = folder();
    let root = toured(&dir, |tour| {
        tour.env_remove("HOME")
            .env_remove("XDG_CONFIG_HOME")
            .env_remove("GIT_CONFIG_GLOBAL")
            .env_remove("USER")
            .env_remove("TERM");
    });
    assert_eq!(git(&root, &["log", "-1", "--format=%an"]), "Ada\n");
}

/// A commit that the person makes there later is not held up by what holds up their own.
#[test]
fn a_commit_there_runs_no_hook_of_the_user_and_is_not_signed() {
    let (_folder, dir) = folder();
    let home = hostile_home(&dir);
    let root = toured(&dir, |_| ());
    let mut commit = Command::new("git");
    clean(commit.args(["-c", "commit.template=", "commit", "-q", "-a", "-m", "more"]), &root);
    let output = commit.env("HOME", &home).env_remove("GIT_CONFIG_GLOBAL").output().expect("git runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(!dir.join("marked").exists(), "a hook ran");
    assert_eq!(git(&root, &["log", "-1", "--format=%an %s %G?"]), "Ada more N\n");
}

/// Seen: a `.git` was left, which git refuses to work in, and advice that does not count in a tour.
#[test]
fn in_an_empty_folder_of_another_user_it_leaves_nothing_and_says_why() {
    if !rustix::process::geteuid().is_root() {
        eprintln!("notice: only the superuser can give folders away; that of another user is not tried");
        return;
    }
    let (_folder, dir) = folder();
    fs::create_dir(dir.join("theirs")).expect("a folder");
    std::os::unix::fs::chown(dir.join("theirs"), Some(65534), None).expect("chown");
    assert_eq!(refused(&dir, &["theirs"]), "unsafe_owner");
    let ran = redraft(&dir, &["tour", "theirs"], b"");
    assert_eq!(ran.exit, Some(1), "{ran:?}");
    assert!(
        ran.stderr.contains("theirs belongs to another user") && ran.stderr.contains("a folder of your own"),
        "{ran:?}"
    );
    assert_eq!(fs::read_dir(dir.join("theirs")).expect("it is there").count(), 0);
}

#[test]
fn where_there_is_no_git_it_says_so_and_the_folder_stays_empty() {
    let (_folder, dir) = folder();
    let ran = finish(command(&dir, &["tour", "tour"]).env("PATH", dir.join("nothing")), b"");
    assert_eq!(ran.exit, Some(3), "{ran:?}");
    assert!(ran.stderr.contains("git") && ran.stderr.contains("No such file"), "{ran:?}");
    assert_eq!(fs::read_dir(dir.join("tour")).expect("it is there").count(), 0);
}

#[test]
fn who_stops_reading_disturbs_nothing() {
    let (_folder, dir) = folder();
    let mut child = command(&dir, &["tour", "tour"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it runs");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert!(dir.join("tour/report.html").is_file(), "it went to its end");
}

#[test]
fn on_a_terminal_enter_goes_on_and_q_ends_it() {
    let repo = TestRepo::new();
    let Some(mut terminal) = Terminal::of(&repo, "redraft tour tour") else { return };
    terminal.wait_for("The tour's repository is ");
    terminal.answer("Enter goes on, q ends: ", "\n");
    terminal.wait_for("$ redraft sessions");
    terminal.answer("Enter goes on, q ends: ", "\n");
    terminal.wait_for("$ redraft log --oneline");
    terminal.answer("Enter goes on, q ends: ", "q\n");
    let ended = terminal.end();
    assert_eq!(ended.exit, Some(0), "{}", ended.shown);
    assert!(!ended.shown.contains("$ redraft status"), "{}", ended.shown);
    assert!(ended.shown.contains("The repository is left, to try more: cd "), "{}", ended.shown);
    assert!(ended.shown.contains("\u{1b}["), "in colours: {}", ended.shown);

    let Some(terminal) = Terminal::of(&repo, "redraft tour all --no-pause") else { return };
    let ended = terminal.end();
    assert!(ended.exit == Some(0) && !ended.shown.contains("Enter goes on"), "{}", ended.shown);
    assert!(ended.shown.contains("\r") || ended.shown.contains("$ redraft report"), "{}", ended.shown);
}

#[test]
fn ctrl_c_in_a_pause_ends_it_and_the_repository_is_whole() {
    let repo = TestRepo::new();
    let Some(mut terminal) = Terminal::of(&repo, "redraft tour tour") else { return };
    terminal.answer("Enter goes on, q ends: ", "\u{3}");
    let ended = terminal.end();
    assert_eq!(ended.exit, Some(130), "{}", ended.shown);
    let root = repo.root().join("tour");
    git(&root, &["fsck", "--strict"]);
    assert_eq!(redraft(&root, &["fsck"], b"").exit, Some(0));
    assert_eq!(redraft(&root, &["log", "--oneline"], b"").text().lines().count(), 9);
}
