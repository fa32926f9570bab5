//! Bad input: random and broken requests are answered, never with a panic, always with what to do next.
//!
//! `REDRAFT_FUZZ_CASES` says how many (2,000), `REDRAFT_FUZZ_SEED` where they start (1). Every case has a number of its
//! own, which a failure names; that number as the seed, with one case, shows it again.

use crate::support::TestRepo;
use crate::support::answer::check_envelope;
use crate::support::run::redraft;
use crate::support::tree::{assert_same, snapshot};
use redraft::{Dialect, EditOptions, Env, Form, Level, Mode, Strategy, Workspace};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

/// SplitMix64: small, and the same on every machine.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: usize) -> usize {
        usize::try_from(self.next() % n.max(1) as u64).expect("below a usize")
    }

    fn of<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }
}

const FILES: &[(&str, &str)] = &[
    ("a.txt", "one\ntwo\none\n"),
    ("src/calc.py", "# Adds.\ndef add(a, b):\n    return a + b\n\nLIMIT = 10\n"),
    ("crlf.txt", "a\r\nb\r\n\r\nc\r\n"),
    ("mixed.txt", "\u{feff}x\r\ny\nz"),
    ("empty.txt", ""),
    ("bin", "a\0b\n"),
    ("d/e/f.js", "const x = 1\nfunction foo() {\n\treturn x\n}\nfunction foo2() {\n\treturn x\n}\n"),
];

const TEXTS: &[&str] = &[
    "",
    " ",
    "\n",
    "\r\n",
    "a",
    "one",
    "two\n",
    "one\ntwo",
    "return a + b",
    "def add(a, b):\n  return a + b\n",
    "\u{0}",
    "\t",
    "// ... rest of the code ...",
    "...",
    "é\u{301}",
    "😀",
    "\u{feff}x",
    "$&",
    "\\1",
    "a\r\nb",
    "const x = 1",
    "return x\n}",
    "x",
    "foo",
    "function foo() {\n\treturn x\n}",
    "zzz zzz zzz zzz\nyyy\nxxx\nwww\n",
];

const PATHS: &[&str] = &[
    "a.txt",
    "./a.txt",
    "src/calc.py",
    "crlf.txt",
    "mixed.txt",
    "empty.txt",
    "bin",
    "d/e/f.js",
    "d",
    "d/",
    "",
    ".",
    "..",
    "../x",
    "/etc/hosts",
    ".git/config",
    ".GIT",
    "a.txt/b",
    "new/x",
    "\u{0}",
    "a\nb",
    "link",
    "out",
    "pipe",
    "sub/x",
    "x.ipynb",
    "🦀",
];

const KEYS: &[&str] = &[
    "path",
    "path_b64",
    "edits",
    "old_string",
    "new_string",
    "replace_all",
    "line",
    "expected_replacements",
    "content",
    "overwrite",
    "delete",
    "rename_to",
    "expected_mtime_ms",
    "expected_size_bytes",
    "expected_blob",
    "files",
    "mode",
    "match",
    "dry_run",
    "require_clean",
    "expected_head",
    "record",
    "message",
    "agent",
    "request_id",
    "file_path",
    "filePath",
    "oldString",
    "newString",
    "replaceAll",
    "name",
    "session",
    "nonsense",
    "",
];

const WORDS: &[&str] =
    &["exact", "fuzzy", "loose", "sequence", "original", "history", "none", "commit", "block-anchor", "YS50eHQ="];

struct Maker<'a> {
    random: Random,
    root: &'a str,
    corpus: &'a [Vec<u8>],
}

impl Maker<'_> {
    fn request(&mut self) -> Vec<u8> {
        match self.random.below(16) {
            0 => (0..self.random.below(120)).map(|_| u8::try_from(self.random.below(256)).expect("a byte")).collect(),
            1 => self.tokens().into_bytes(),
            2 => self.value(0).to_string().into_bytes(),
            3..=11 => {
                let mut raw = self.plausible().to_string().into_bytes();
                if self.random.one_in(12) {
                    self.break_bytes(&mut raw);
                }
                raw
            }
            _ => {
                let corpus = self.corpus;
                let raw = self.random.of(corpus).clone();
                self.broken(raw)
            }
        }
    }

    /// A known request with its values or its bytes changed.
    fn broken(&mut self, mut raw: Vec<u8>) -> Vec<u8> {
        match serde_json::from_slice::<Value>(&raw) {
            Ok(mut value) if !self.random.one_in(3) => {
                for _ in 0..=self.random.below(3) {
                    self.break_value(&mut value);
                }
                value.to_string().into_bytes()
            }
            _ => {
                for _ in 0..=self.random.below(3) {
                    self.break_bytes(&mut raw);
                }
                raw
            }
        }
    }

    fn break_bytes(&mut self, raw: &mut Vec<u8>) {
        let at = self.random.below(raw.len() + 1);
        match self.random.below(5) {
            0 => raw.truncate(at),
            1 => raw.insert(at, *self.random.of(b"{}[]\",:\\\0\xff\x01 \n09u-e")),
            2 if at < raw.len() => drop(raw.remove(at)),
            3 if at < raw.len() => raw[at] ^= 1 << self.random.below(8),
            _ => {
                let piece: Vec<u8> = raw.iter().skip(at).take(20).copied().collect();
                raw.splice(at..at, piece);
            }
        }
    }

    fn break_value(&mut self, value: &mut Value) {
        match value {
            Value::Object(map) if !map.is_empty() && !self.random.one_in(8) => {
                let key = map.keys().nth(self.random.below(map.len())).cloned().unwrap_or_default();
                match self.random.below(5) {
                    0 => drop(map.shift_remove(&key)),
                    1 => drop(map.insert((*self.random.of(KEYS)).to_owned(), self.value(2))),
                    2 => drop(map.insert(key, self.value(2))),
                    _ => map.get_mut(&key).into_iter().for_each(|value| self.break_value(value)),
                }
            }
            Value::Array(items) if !items.is_empty() && !self.random.one_in(8) => {
                let at = self.random.below(items.len());
                match self.random.below(4) {
                    0 => drop(items.remove(at)),
                    1 => items.push(items[at].clone()),
                    _ => self.break_value(&mut items[at]),
                }
            }
            _ => *value = self.value(1),
        }
    }

    fn value(&mut self, depth: usize) -> Value {
        match self.random.below(if depth > 3 { 7 } else { 10 }) {
            0 => Value::Null,
            1 => Value::Bool(self.random.one_in(2)),
            2 => json!(*self.random.of(&[0_i64, 1, -1, 2, 7, i64::MAX, i64::MIN, 1 << 53])),
            3 => json!(*self.random.of(&[0.5, -0.0, 1e300, 3.0, 1e-300])),
            4 => json!(self.text()),
            5 => self.path(),
            6 => json!(*self.random.of(WORDS)),
            7 => (0..self.random.below(4)).map(|_| self.value(depth + 1)).collect(),
            8 => {
                let keys: Vec<String> = (0..self.random.below(5)).map(|_| (*self.random.of(KEYS)).to_owned()).collect();
                keys.into_iter().map(|key| (key, self.value(depth + 1))).collect::<Map<_, _>>().into()
            }
            _ => {
                let depth = 1 + self.random.below(100);
                (0..depth).fold(Value::Null, |inner, _| json!([inner]))
            }
        }
    }

    /// One of the texts, or some lines of a file.
    fn text(&mut self) -> String {
        if self.random.one_in(2) {
            return (*self.random.of(TEXTS)).to_owned();
        }
        let lines: Vec<&str> = self.random.of(FILES).1.split_inclusive('\n').collect();
        let first = self.random.below(lines.len());
        lines.iter().skip(first).take(1 + self.random.below(3)).copied().collect()
    }

    fn path(&mut self) -> Value {
        let path = if self.random.one_in(2) { self.random.of(FILES).0 } else { *self.random.of(PATHS) };
        if self.random.one_in(4) { json!(format!("{}/{path}", self.root)) } else { json!(path) }
    }

    /// Right in its shape, in one dialect or another, with texts and paths drawn at random.
    fn plausible(&mut self) -> Value {
        let (old, new) = (self.text(), self.text());
        let edits: Vec<Value> =
            (0..=self.random.below(4)).map(|_| json!({"old_string": self.text(), "new_string": self.text()})).collect();
        match self.random.below(8) {
            0 => json!({"path": self.path(), "edits": edits, "mode": self.random.of(&["original", "sequence"])}),
            1 => json!({"path": self.path(), "old_string": old, "new_string": new, "replace_all": true}),
            2 => json!({"path": self.path(), "content": new, "overwrite": self.random.one_in(2)}),
            3 => json!({"files": [
                {"path": self.path(), "edits": edits}, {"path": self.path(), "delete": true},
                {"path": self.path(), "rename_to": self.path(), "old_string": old, "new_string": new}
            ]}),
            4 => json!({"path": self.path(), "old_string": old, "new_string": new, "match": self.random.of(WORDS)}),
            5 => json!({"file_path": format!("{}/{}", self.root, self.random.of(PATHS)), "edits": edits}),
            6 => {
                json!({"filePath": self.path(), "oldString": old, "newString": new, "replaceAll": self.random.one_in(3)})
            }
            _ => json!({"path": self.path(), "old_string": old, "new_string": new, "line": self.random.below(9)}),
        }
    }

    fn tokens(&mut self) -> String {
        const TOKENS: &[&str] = &[
            "{",
            "}",
            "[",
            "]",
            ",",
            ":",
            "\"",
            "null",
            "true",
            "-1",
            "1e9",
            "\\u",
            "\\ud800",
            " ",
            "\n",
            "\"path\"",
            "\"edits\"",
        ];
        (0..self.random.below(40)).map(|_| *self.random.of(TOKENS)).collect()
    }

    fn options(&mut self) -> EditOptions<'static> {
        let dialects = [
            None,
            None,
            Some(Dialect::Standard),
            Some(Dialect::ClaudeCode),
            Some(Dialect::ClaudeCodeOpen),
            Some(Dialect::OpenCode),
        ];
        let named = Level::Only(*self.random.of(Strategy::ALL));
        let levels = [None, None, Some(Level::Exact), Some(Level::Fuzzy), Some(Level::Loose), Some(named)];
        let mut options = EditOptions::default();
        options.dry_run = true;
        options.dialect = if self.random.one_in(8) { *self.random.of(&dialects) } else { None };
        options.level = *self.random.of(&levels);
        options.mode = *self.random.of(&[None, Some(Mode::Original), Some(Mode::Sequence)]);
        options.require_clean = self.random.one_in(10);
        options.require_read = self.random.one_in(20);
        options.root = self.random.one_in(10).then(|| "d".into());
        options.diff_lines = Some(self.random.below(30));
        options
    }
}

/// The requests of all scenarios.
fn corpus(root: &str) -> Vec<Vec<u8>> {
    fn collect(dir: &Path, root: &str, into: &mut BTreeMap<String, Vec<u8>>) {
        for entry in fs::read_dir(dir).expect("a readable directory") {
            let path = entry.expect("an entry").path();
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            if matches!(name, "request.json" | "request") {
                let raw = fs::read(&path).expect("a request");
                let filled =
                    String::from_utf8(raw.clone()).map_or(raw, |text| text.replace("{root}", root).into_bytes());
                into.insert(path.to_string_lossy().into_owned(), filled);
            } else if path.is_dir() && !matches!(name, "before" | "after") {
                collect(&path, root, into);
            }
        }
    }
    let mut found = BTreeMap::new();
    collect(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scenarios"), root, &mut found);
    found.into_values().collect()
}

fn repo() -> TestRepo {
    let repo = TestRepo::with_files(FILES);
    fs::write(repo.outside().join("secret"), "x\n").expect("a file");
    std::os::unix::fs::symlink("a.txt", repo.root().join("link")).expect("a symlink");
    std::os::unix::fs::symlink("../secret", repo.root().join("out")).expect("a symlink");
    repo.git(&["init", "-q", "sub"]);
    let ran = std::process::Command::new("mkfifo").arg(repo.root().join("pipe")).status();
    assert!(ran.is_ok_and(|status| status.success()));
    repo
}

fn from_env(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |text| text.parse().expect("a number"))
}

#[test]
fn whatever_is_sent_is_answered() {
    let repo = repo();
    let root = repo.root();
    let before = snapshot(&repo.outside(), &[]);
    let shown = root.to_string_lossy().into_owned();
    let corpus = corpus(&shown);
    assert!(corpus.len() > 100);
    let workspace = Workspace::open(&Env::in_dir(&root).expect("absolute")).expect("a working tree");
    let (first, cases) = (from_env("REDRAFT_FUZZ_SEED", 1), from_env("REDRAFT_FUZZ_CASES", 2_000));
    let mut told: BTreeMap<String, usize> = BTreeMap::new();
    for case in first..first + cases {
        let mut maker =
            Maker { random: Random(case.wrapping_mul(0x2545_f491_4f6c_dd1d)), root: &shown, corpus: &corpus };
        let (request, options) = (maker.request(), maker.options());
        let run = || {
            let answer = workspace.answer(&request, &options);
            check_envelope(&serde_json::from_str(&answer.text(Form::Envelope)).expect("JSON"));
            let native = answer.text(Form::Native);
            match native.strip_prefix('{') {
                Some(_) => assert!(serde_json::from_str::<serde_json::Value>(&native).is_ok_and(|it| it.is_object())),
                None => assert!(!native.trim().is_empty()),
            }
            assert!(!answer.envelope().data.applied);
            answer.envelope().data.reason.map_or("none".to_owned(), |reason| reason.to_string())
        };
        match catch_unwind(AssertUnwindSafe(run)) {
            Ok(reason) if reason == "io" => panic!("case {case}: {}", String::from_utf8_lossy(&request)),
            Ok(reason) => *told.entry(reason).or_default() += 1,
            Err(_) => panic!("case {case}: {}", String::from_utf8_lossy(&request)),
        }
    }
    assert_same(&snapshot(&repo.outside(), &[]), &before, "a dry run wrote something");
    eprintln!("{cases} cases: {told:?}");
    if cases >= 2_000 {
        assert!(told.len() >= 20, "the requests do not reach far: {told:?}");
        assert!(!told.contains_key("bug") && told["none"] > 0);
    }
}

#[test]
fn whatever_is_sent_to_the_binary_is_answered() {
    let repo = repo();
    let shown = repo.root().to_string_lossy().into_owned();
    let corpus = corpus(&shown);
    for case in 0..50 {
        let mut maker = Maker { random: Random(1_000_000 + case), root: &shown, corpus: &corpus };
        let request = maker.request();
        let before = snapshot(&repo.outside(), &["repo/.git/redraft"]);
        let ran = redraft(&repo.root(), &["apply", "--record", "none"], &request);
        let answer = ran.json();
        check_envelope(&answer);
        assert_eq!(ran.stderr, "");
        if answer["status"] == "error" {
            assert!(matches!(ran.exit, Some(1 | 3 | 4)), "{ran:?}");
            assert_same(&snapshot(&repo.outside(), &["repo/.git/redraft"]), &before, "an error changed something");
        } else {
            assert_eq!(ran.exit, Some(0));
        }
    }
}
