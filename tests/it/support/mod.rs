//! A repository in a temporary directory, plain `git` to look at it with, and the binary to change it with.

pub mod answer;
pub mod run;
pub mod tree;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A repository that goes away with this value. Git's global and system configuration are shut out.
pub struct TestRepo {
    dir: tempfile::TempDir,
}

impl TestRepo {
    /// An empty repository on branch `main`.
    pub fn new() -> Self {
        Self::new_in(tempfile::tempdir().expect("a temporary directory"))
    }

    /// As [`Self::new`], in memory where the system offers that: for many tests that are not about the disk.
    pub fn in_memory() -> Self {
        let dir = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir());
        Self::new_in(dir.expect("a temporary directory"))
    }

    fn new_in(dir: tempfile::TempDir) -> Self {
        let repo = Self { dir };
        std::fs::create_dir(repo.root()).expect("a new directory");
        repo.git(&["init", "-q", "-b", "main"]);
        repo.git(&["config", "user.name", "Test User"]);
        repo.git(&["config", "user.email", "user@example.com"]);
        repo
    }

    /// A repository whose first commit has these files.
    pub fn with_files(files: &[(&str, &str)]) -> Self {
        let repo = Self::new();
        for (path, text) in files {
            repo.write(path, text);
        }
        repo.commit_all("first");
        repo
    }

    /// The directory that holds the repository; whatever lies beside it goes away too.
    pub fn outside(&self) -> PathBuf {
        std::fs::canonicalize(self.dir.path()).expect("it exists")
    }

    /// The root of the working tree: absolute, without symlinks.
    pub fn root(&self) -> PathBuf {
        self.outside().join("repo")
    }

    /// Writes a file, with its directories.
    pub fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        let path = self.root().join(path);
        std::fs::create_dir_all(path.parent().expect("below the root")).expect("directories");
        std::fs::write(path, text).expect("a written file");
    }

    /// The bytes of a file.
    pub fn read(&self, path: &str) -> Vec<u8> {
        std::fs::read(self.root().join(path)).expect("a readable file")
    }

    /// Adds everything and commits it.
    pub fn commit_all(&self, message: &str) {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "--allow-empty", "-m", message]);
    }

    /// Runs git in the root and gives its standard output; it must succeed.
    pub fn git(&self, args: &[&str]) -> String {
        let output = self.try_git(args);
        assert!(output.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("UTF-8")
    }

    /// Runs git in the root.
    pub fn try_git(&self, args: &[&str]) -> Output {
        clean(Command::new("git").args(args), &self.root()).output().expect("git runs")
    }
}

/// Shuts the surroundings out of a command: no configuration but the repository's, fixed time zone and language.
pub fn clean<'a>(command: &'a mut Command, dir: &Path) -> &'a mut Command {
    for (name, _) in std::env::vars_os() {
        if name.as_encoded_bytes().starts_with(b"GIT_") {
            command.env_remove(name);
        }
    }
    command
        .current_dir(dir)
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_TEMPLATE_DIR", "")
        .env("GIT_AUTHOR_DATE", "2026-01-02T03:04:05Z")
        .env("GIT_COMMITTER_DATE", "2026-01-02T03:04:05Z")
        .env("LC_ALL", "C")
        .env("TZ", "UTC")
}

/// What `redraft` printed, and its exit status.
pub struct Answer {
    /// The exit status.
    pub status: i32,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
}

impl Answer {
    /// Standard output as one JSON document.
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {}{}", self.out, self.err))
    }

    /// Standard output as one JSON document a line.
    pub fn lines(&self) -> Vec<serde_json::Value> {
        self.out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
    }
}

impl TestRepo {
    /// Runs `redraft` in the root.
    pub fn redraft(&self, args: &[&str], input: &str) -> Answer {
        self.redraft_in(&self.root(), args, input)
    }

    /// Runs `redraft` in a directory.
    pub fn redraft_in(&self, dir: &Path, args: &[&str], input: &str) -> Answer {
        use std::io::Write;
        let mut command = Command::new(env!("CARGO_BIN_EXE_redraft"));
        let pipe = std::process::Stdio::piped;
        clean(command.args(args), dir).stdin(pipe()).stdout(pipe()).stderr(pipe());
        let mut child = command.spawn().expect("redraft runs");
        // It may end without reading.
        let _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
        let output = child.wait_with_output().expect("redraft ends");
        Answer {
            status: output.status.code().unwrap_or(-1),
            out: String::from_utf8_lossy(&output.stdout).into_owned(),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    /// Runs `redraft` in the root; it must succeed, and its answer is given.
    pub fn done(&self, args: &[&str], input: &str) -> serde_json::Value {
        let answer = self.redraft(args, input);
        assert_eq!(answer.status, 0, "redraft {args:?}: {}{}", answer.out, answer.err);
        answer.json()
    }

    /// Runs `redraft` in the root; it must refuse, and its reason is given.
    pub fn refused(&self, args: &[&str], input: &str) -> String {
        let answer = self.redraft(args, input);
        assert_ne!(answer.status, 0, "redraft {args:?}: {}", answer.out);
        answer.json()["data"]["reason"].as_str().unwrap_or_default().to_owned()
    }

    /// Replaces `old` by `new` in a file, by `redraft apply`; gives the id of the record.
    pub fn edit(&self, path: &str, old: &str, new: &str) -> String {
        self.apply(serde_json::json!({"path": path, "old_string": old, "new_string": new}))
    }

    /// Applies a request; gives the id of the record.
    pub fn apply(&self, request: serde_json::Value) -> String {
        let answer = self.done(&["apply"], &request.to_string());
        answer["data"]["record"]["id"].as_str().expect("a record").to_owned()
    }

    /// The text of a file.
    pub fn text(&self, path: &str) -> String {
        String::from_utf8(self.read(path)).expect("UTF-8")
    }

    /// Whether there is such a file.
    pub fn has(&self, path: &str) -> bool {
        self.root().join(path).exists()
    }
}

/// Every file below a directory, with what it holds, for looking whether anything at all changed.
pub fn tree_of(dir: &Path) -> std::collections::BTreeSet<String> {
    fn walk(dir: &Path, all: &mut std::collections::BTreeSet<String>) {
        for entry in std::fs::read_dir(dir).expect("a directory") {
            let path = entry.expect("an entry").path();
            if std::fs::symlink_metadata(&path).expect("it is there").is_dir() {
                all.insert(path.display().to_string());
                walk(&path, all);
            } else {
                let bytes = std::fs::read(&path).unwrap_or_default();
                all.insert(format!("{} {}", path.display(), redraft::git::blob_id(&bytes)));
            }
        }
    }
    let mut all = std::collections::BTreeSet::new();
    walk(dir, &mut all);
    all
}

impl TestRepo {
    /// Puts an executable script beside the repository.
    pub fn script(&self, name: &str, text: &str) {
        let path = self.outside().join(name);
        std::fs::write(&path, text).expect("a script");
        make_executable(&path);
    }

    /// Installs a git hook.
    pub fn hook(&self, name: &str, text: &str) {
        self.write(&format!(".git/hooks/{name}"), text);
        make_executable(&self.root().join(".git/hooks").join(name));
    }

    /// Sets a file's permission bits.
    pub fn chmod(&self, path: &str, mode: u32) {
        let permissions = std::os::unix::fs::PermissionsExt::from_mode(mode);
        std::fs::set_permissions(self.root().join(path), permissions).expect("a mode");
    }
}

fn make_executable(path: &Path) {
    let permissions = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(path, permissions).expect("a mode");
}
