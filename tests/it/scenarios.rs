//! Scenarios as files: `tests/scenarios/<dialect>/<name>/` is a request, the tree it meets, and what comes of it.
//!
//! | file | what |
//! |---|---|
//! | `request.json`, or `request` | the bytes on standard input; `{root}`, `{head}`, `{blob:PATH}`, `{mtime_ms:PATH}` are filled in |
//! | `args` | further arguments of `redraft apply`, one a line |
//! | `before/` | the tree of the first git commit; none is an empty one |
//! | `setup` | a shell script for what `before/` cannot hold, run at the root; `$REDRAFT` is the binary, `$REQUEST` the request |
//! | `after/` | the regular files afterwards; none means that nothing changes |
//! | `answer.json`, or `answer.txt` | a part of the answer with the placeholders of `support::answer`; or all of it, as text |
//! | `exit` | the exit status |
//!
//! Of every scenario also: a dry run before it writes nothing at all; an error leaves everything as it was but for
//! `.git/redraft`; nothing else stays behind; and the uncut preview, given to `git apply` on the tree before, makes the
//! tree after.
//!
//! `REDRAFT_SCENARIO=part-of-a-name` runs only those, and prints their answers.

use crate::support::answer::{check_envelope, differs};
use crate::support::run::{REDRAFT, Ran, finish, redraft};
use crate::support::tree::{self, Entry, Tree, assert_same, snapshot};
use crate::support::{TestRepo, clean};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::Command;

const FILES: [&str; 9] =
    ["request.json", "request", "args", "before", "setup", "after", "answer.json", "answer.txt", "exit"];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scenarios")
}

struct Scenario {
    dir: PathBuf,
}

impl Scenario {
    fn has(&self, name: &str) -> bool {
        self.dir.join(name).exists()
    }

    fn read(&self, name: &str) -> Option<Vec<u8>> {
        let path = self.dir.join(name);
        path.exists().then(|| fs::read(path).expect("a readable file"))
    }

    fn text(&self, name: &str) -> Option<String> {
        self.read(name).map(|bytes| String::from_utf8(bytes).expect("UTF-8"))
    }

    /// The repository that the request meets.
    fn repo(&self) -> (TestRepo, Vec<u8>) {
        let repo = TestRepo::in_memory();
        if self.has("before") {
            tree::copy(&self.dir.join("before"), &repo.root());
        }
        repo.commit_all("first");
        let raw = self.read("request").or_else(|| self.read("request.json")).expect("a request");
        let request = filled_in(&raw, &repo);
        if self.has("setup") {
            let path = repo.outside().join("request");
            fs::write(&path, &request).expect("a written request");
            let mut setup = Command::new("sh");
            clean(setup.arg("-eu").arg(self.dir.join("setup")), &repo.root());
            let ran = finish(setup.env("REDRAFT", REDRAFT).env("REQUEST", &path), b"");
            assert_eq!(ran.exit, Some(0), "setup failed: {ran:?}");
        }
        // What the setup made may be what the request speaks of.
        let request = filled_in(&raw, &repo);
        (repo, request)
    }

    fn check(&self) {
        for entry in fs::read_dir(&self.dir).expect("a folder") {
            let name = entry.expect("an entry").file_name().into_string().expect("UTF-8");
            assert!(FILES.contains(&name.as_str()), "{name} is no part of a scenario");
        }
        let (repo, request) = self.repo();
        let args: Vec<String> = self.text("args").unwrap_or_default().lines().map(str::to_owned).collect();
        let dry = self.dry_run(&repo, &args, &request);

        let everything = snapshot(&repo.outside(), &["repo/.git/redraft"]);
        let (files, old) = (snapshot(&repo.root(), &[".git"]), tempfile::tempdir().expect("a temporary directory"));
        tree::copy_files(&repo.root(), old.path());
        let args: Vec<String> = std::iter::once("apply".to_owned()).chain(args).collect();
        let ran = redraft(&repo.root(), &args, &request);
        if std::env::var_os("REDRAFT_SCENARIO").is_some() {
            eprintln!("{}:\n{}{}", self.dir.display(), String::from_utf8_lossy(&ran.stdout), ran.stderr);
        }
        self.check_answer(&ran, &repo);
        if ran.exit != Some(0) {
            assert_same(&snapshot(&repo.outside(), &["repo/.git/redraft"]), &everything, "an error changed something");
            let other = self.reason().filter(|_| dry["status"] == "error");
            assert_eq!(
                other.and_then(|reason| differs(&dry["data"]["reason"], &reason)),
                None,
                "a dry run fails otherwise"
            );
            check_hints(&dry, &repo);
            return;
        }
        let got = snapshot(&repo.root(), &[".git"]);
        if !self.has("after") {
            return assert_same(&got, &files, "nothing was to change");
        }
        let want = expected(&files, &snapshot(&self.dir.join("after"), &[]));
        assert_same(&plain(&got), &want, "the tree after");
        check_modes(&got, &files);
        self.check_preview(&dry, old.path(), &want);
    }

    fn check_answer(&self, ran: &Ran, repo: &TestRepo) {
        let exit: i32 = self.text("exit").expect("an exit status").trim().parse().expect("a number");
        let fill = |text: String| text.replace("{root}", &repo.root().to_string_lossy());
        if let Some(want) = self.text("answer.txt") {
            assert_eq!(ran.text(), fill(want));
        } else {
            let answer = ran.json();
            if answer.get("status").is_some() {
                check_envelope(&answer);
            }
            let want: Value = serde_json::from_str(&fill(self.text("answer.json").expect("an answer"))).expect("JSON");
            if let Some(told) = differs(&answer, &want) {
                panic!("answer{told}\n{answer:#}");
            }
        }
        assert_eq!(ran.exit, Some(exit), "{ran:?}");
        assert_eq!(ran.stderr, "");
    }

    fn reason(&self) -> Option<Value> {
        let answer: Value = serde_json::from_str(&self.text("answer.json")?).expect("JSON");
        answer["data"].get("reason").cloned()
    }

    /// What the same request would do, uncut; writes nothing at all, not even below `.git`.
    fn dry_run(&self, repo: &TestRepo, args: &[String], request: &[u8]) -> Value {
        let mut dry: Vec<&str> = vec!["apply"];
        let mut args = args.iter().map(String::as_str);
        while let Some(arg) = args.next() {
            match arg {
                "--answer" | "--diff-lines" | "--diff-bytes" => drop(args.next()),
                "--dry-run" => {}
                _ => dry.push(arg),
            }
        }
        dry.extend(["--dry-run", "--diff-lines", "0", "--diff-bytes", "0"]);
        let everything = snapshot(&repo.outside(), &[]);
        let ran = redraft(&repo.root(), &dry, request);
        assert_same(&snapshot(&repo.outside(), &[]), &everything, "a dry run wrote something");
        let answer = ran.json();
        check_envelope(&answer);
        answer
    }

    fn check_preview(&self, dry: &Value, old: &Path, want: &Tree) {
        if dry["data"]["diff_lossy"] == true {
            return;
        }
        assert_eq!(dry["data"]["diff_truncated"], false, "{dry:#}");
        let mut apply = Command::new("git");
        clean(apply.args(["apply", "--whitespace=nowarn", "-"]), old);
        apply.env("GIT_CEILING_DIRECTORIES", old.parent().expect("below the temporary directory"));
        let preview = dry["data"]["diff_preview"].as_str().expect("a text");
        let ran = finish(&mut apply, preview.as_bytes());
        assert_eq!(ran.exit, Some(0), "git apply: {}\n{preview}", ran.stderr);
        let (got, files) = (plain(&snapshot(old, &[])), |tree: &Tree| -> Tree {
            tree.iter()
                .filter(|(_, entry)| matches!(entry, Entry::File(..)))
                .map(|(k, v)| (k.clone(), v.clone()))
                .collect()
        });
        assert_same(&files(&got), &files(want), "what git apply makes of the preview");
    }
}

/// A text that a hint offers in place of an old text stands in the file exactly once.
fn check_hints(answer: &Value, repo: &TestRepo) {
    let hint = &answer["data"]["hint"];
    let list = |name: &str| hint[name].as_array().cloned().unwrap_or_default();
    let nearest = list("nearest").into_iter().take(1).map(|near| near["text"].clone());
    let offered = nearest.chain(list("places").into_iter().map(|place| place["extension"].clone()));
    let path = answer["data"]["failed_path"].as_str().or(answer["context"]["path_resolved"].as_str());
    for text in offered.filter_map(|text| text.as_str().map(str::to_owned)) {
        let file = String::from_utf8(repo.read(path.expect("a path"))).expect("UTF-8").replace("\r\n", "\n");
        let text = text.replace("\r\n", "\n");
        let places = (0..file.len()).filter(|&at| file.as_bytes()[at..].starts_with(text.as_bytes())).count();
        assert_eq!(places, 1, "{text:?} is offered in\n{file}");
    }
}

/// `{root}`, `{head}`, `{blob:PATH}` and `{mtime_ms:PATH}`, as the repository has them.
fn filled_in(raw: &[u8], repo: &TestRepo) -> Vec<u8> {
    let Ok(mut text) = String::from_utf8(raw.to_vec()) else { return raw.to_vec() };
    text = text.replace("{root}", &repo.root().to_string_lossy());
    if text.contains("{head}") {
        text = text.replace("{head}", repo.git(&["rev-parse", "HEAD"]).trim());
    }
    for (opening, value) in [("{blob:", blob as fn(&TestRepo, &str) -> String), ("{mtime_ms:", mtime_ms)] {
        while let Some((before, rest)) = text.split_once(opening) {
            let (path, after) = rest.split_once('}').expect("it is closed");
            text = format!("{before}{}{after}", value(repo, path));
        }
    }
    text.into_bytes()
}

fn blob(repo: &TestRepo, path: &str) -> String {
    repo.git(&["hash-object", "--no-filters", path]).trim().to_owned()
}

fn mtime_ms(repo: &TestRepo, path: &str) -> String {
    let meta = fs::metadata(repo.root().join(path)).expect("it is there");
    (meta.mtime() * 1000 + meta.mtime_nsec() / 1_000_000).to_string()
}

/// A tree in which files and directories are told apart by the executable bit only, as git has them.
fn plain(tree: &Tree) -> Tree {
    let bits = |mode: u32| if mode & 0o100 == 0 { 0o644 } else { 0o755 };
    let entry = |entry: &Entry| match entry {
        Entry::File(mode, bytes) => Entry::File(bits(*mode), bytes.clone()),
        Entry::Dir(_) => Entry::Dir(0o755),
        other => other.clone(),
    };
    tree.iter().map(|(path, found)| (path.clone(), entry(found))).collect()
}

/// The tree before with the regular files of `after` in place of its own, and the directories that these need.
fn expected(before: &Tree, after: &Tree) -> Tree {
    let mut want: Tree = plain(before).into_iter().filter(|(_, entry)| !matches!(entry, Entry::File(..))).collect();
    want.extend(plain(after));
    want
}

/// A file that was there keeps its permission bits.
fn check_modes(got: &Tree, before: &Tree) {
    for (path, entry) in got {
        if let (Entry::File(mode, _), Some(Entry::File(old, _))) = (entry, before.get(path)) {
            assert_eq!(mode, old, "the mode of {:?}", bstr::BStr::new(path));
        }
    }
}

/// Runs the scenarios of one dialect, and tells all that fail.
fn check(dialect: &str) {
    let only = std::env::var("REDRAFT_SCENARIO").unwrap_or_default();
    let mut failed = Vec::new();
    let names = names(dialect);
    assert!(!names.is_empty());
    for name in names.iter().filter(|name| name.contains(&only)) {
        let scenario = Scenario { dir: folder().join(dialect).join(name) };
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| scenario.check())) {
            let told = panic.downcast_ref::<String>().cloned();
            let told = told.or_else(|| panic.downcast_ref::<&str>().map(|&text| text.to_owned()));
            failed.push(format!("{dialect}/{name}: {}", told.unwrap_or_default()));
        }
    }
    assert!(failed.is_empty(), "{} of {} failed:\n\n{}", failed.len(), names.len(), failed.join("\n\n"));
}

fn names(dialect: &str) -> BTreeSet<String> {
    let entries = fs::read_dir(folder().join(dialect)).expect("a folder for each dialect");
    entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("UTF-8")).collect()
}

#[test]
fn native() {
    check("native");
}

#[test]
fn standard() {
    check("standard");
}

#[test]
fn claude_code() {
    check("claude-code");
}

#[test]
fn claude_code_open() {
    check("claude-code-open");
}

#[test]
fn opencode() {
    check("opencode");
}

#[test]
fn apply_patch() {
    check("apply-patch");
}

#[test]
fn unified_diff() {
    check("unified-diff");
}

#[test]
fn search_replace() {
    check("search-replace");
}

#[test]
fn text_editor() {
    check("text-editor");
}

#[test]
fn gemini() {
    check("gemini");
}

#[test]
fn lines() {
    check("lines");
}

/// README.md of the scenarios says which of them shows which row of the formats' own tables.
#[test]
fn the_table_of_scenarios_names_folders_that_are_there() {
    let text = fs::read_to_string(folder().join("README.md")).expect("a readable file");
    let mut named = 0;
    let rows = text.lines().filter(|line| line.starts_with('|'));
    for name in rows.flat_map(|line| line.split('`').skip(1).step_by(2)) {
        assert!(folder().join(name).join("exit").exists(), "{name} is not there");
        named += 1;
    }
    assert!(named > 50, "only {named} are named");
}
