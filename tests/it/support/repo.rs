//! A repository in a temporary directory, and plain `git` to look at it with; also for the tests inside of `src/`.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Whether files have CRLF in the tree, and LF in git, wherever a test does not say so itself: to run tests of something else with
/// both (`REDRAFT_TESTS_CRLF=1`; a few that compare ids or bytes then fail by themselves).
pub fn has_crlf() -> bool {
    std::env::var_os("REDRAFT_TESTS_CRLF").is_some()
}

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
        if has_crlf() {
            let info = repo.root().join(".git/info");
            std::fs::create_dir_all(&info).expect("a folder");
            std::fs::write(info.join("attributes"), "* text eol=crlf\n").expect("a written file");
        }
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
        let text = text.as_ref();
        if has_crlf() && !text.contains(&b'\r') {
            let text: Vec<u8> = text.split(|byte| *byte == b'\n').collect::<Vec<_>>().join(&b"\r\n"[..]);
            return std::fs::write(path, text).expect("a written file");
        }
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
    // What is kept in a home goes with the repository's folder.
    let is_temporary = |dir: &&Path| dir.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b".tmp"));
    let home = dir.ancestors().find(is_temporary).unwrap_or(dir);
    command
        .env("HOME", home)
        .current_dir(dir)
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_TEMPLATE_DIR", "")
        .env("GIT_AUTHOR_DATE", "2026-01-02T03:04:05Z")
        .env("GIT_COMMITTER_DATE", "2026-01-02T03:04:05Z")
        .env("LC_ALL", "C")
        .env("TZ", "UTC")
}

impl TestRepo {
    /// Another clone of a remote that this one gets; it is `../other`.
    pub fn cloned(&self) -> PathBuf {
        self.git(&["init", "-q", "--bare", "../remote.git"]);
        self.git(&["remote", "add", "origin", "../remote.git"]);
        self.git(&["push", "-q", "origin", "main"]);
        self.git(&["clone", "-q", "-b", "main", "../remote.git", "../other"]);
        self.outside().join("other")
    }

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
