//! A repository in a temporary directory, plain `git` to look at it with, and the binary to change it with.

pub mod answer;
pub mod dice;
pub mod repo;
pub mod run;
pub mod terminal;
pub mod tree;

pub use dice::{Dice, any_line, changed, joined, number};
pub use repo::{TestRepo, clean};
pub use run::try_git;
use std::path::Path;
use std::process::Command;
pub use terminal::Terminal;

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

    /// The text of an answer.
    pub fn said(&self, args: &[&str]) -> String {
        self.redraft(args, "").json()["text"].as_str().expect("text").to_owned()
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

    /// Runs a shell script in the root.
    pub fn shell(&self, script: &str) -> std::process::ExitStatus {
        clean(Command::new("sh").args(["-c", script]), &self.root()).status().expect("a shell runs")
    }

    /// The text of a file.
    pub fn text(&self, path: &str) -> String {
        let text = String::from_utf8(self.read(path)).expect("UTF-8");
        if !repo::has_crlf() {
            return text;
        }
        assert_eq!(
            text.matches('\r').count(),
            text.matches('\n').count(),
            "{path} has two kinds of line ends: {text:?}"
        );
        text.replace('\r', "")
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
                all.insert(format!("{} {}", path.display(), hash(&bytes)));
            }
        }
    }
    let mut all = std::collections::BTreeSet::new();
    walk(dir, &mut all);
    all
}

fn hash(bytes: &[u8]) -> u64 {
    let mut hasher = std::hash::DefaultHasher::new();
    std::hash::Hash::hash(bytes, &mut hasher);
    std::hash::Hasher::finish(&hasher)
}
