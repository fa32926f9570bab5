//! Random sessions of agents beside each other: all records together are what changed, each change is its author's or shared with
//! it, and undone one by one they give the tree before the first.

use crate::support::{Dice, TestRepo};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::Write;
use std::process::{Command, Stdio};

/// A call that is on its way.
#[derive(Clone)]
struct Call {
    session: usize,
    id: String,
    /// The file that it names; none where it may write any.
    path: Option<&'static str>,
    /// Whether its hook was killed before it, so that nobody knows of it.
    is_unknown: bool,
}

const PATHS: [&str; 5] = ["a", "b", "d/c", "u", "n"];

/// The file in which two branches differ: calls name it, and nothing but git writes it.
const SWITCHED: &str = "k";

/// The files, with their bytes and whether they may be run.
fn files(repo: &TestRepo) -> BTreeMap<&'static str, (Vec<u8>, bool)> {
    let mut found = BTreeMap::new();
    for path in PATHS.iter().filter(|path| repo.has(path)) {
        let mode = std::fs::metadata(repo.root().join(path)).expect("there").permissions();
        found.insert(*path, (repo.read(path), std::os::unix::fs::PermissionsExt::mode(&mode) & 0o111 != 0));
    }
    found
}

struct World<'r> {
    repo: &'r TestRepo,
    dice: &'r mut Dice,
    open: Vec<Call>,
    count: usize,
    /// Who made the text that a file has: the ids of the calls that may be named.
    authors: BTreeMap<String, String>,
    /// The file that a call names.
    names: BTreeMap<String, &'static str>,
    told: Vec<String>,
}

impl World<'_> {
    /// Tells the hook; kills it now and then.
    fn tell(&mut self, event: &str, call: &Call, may_die: Kills) -> bool {
        let mut payload = json!({"redraft": 1, "event": event, "session": format!("s{}", call.session), "turn": "t", "call": call.id, "tool": "x", "cwd": self.repo.root()});
        if let Some(path) = call.path {
            payload["paths"] = json!([path]);
        }
        let is_killed = may_die == Kills::Yes && self.dice.roll(8) == 0;
        self.told.push(format!("{event} {} {:?}{}", call.id, call.path, if is_killed { " killed" } else { "" }));
        let mut command = Command::new(env!("CARGO_BIN_EXE_redraft"));
        crate::support::clean(command.args(["hook"]), &self.repo.root());
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("runs");
        let _ = child.stdin.take().expect("a pipe").write_all(payload.to_string().as_bytes());
        if is_killed {
            std::thread::sleep(std::time::Duration::from_micros(self.dice.roll(12_000) as u64));
            let _ = child.kill();
        }
        let status = child.wait().expect("ends");
        assert!(status.success() || is_killed, "{:#?}", self.told);
        status.success()
    }

    fn step(&mut self) {
        match self.dice.roll(10) {
            0..=2 if self.open.len() < 4 => {
                self.count += 1;
                let path = [None, Some(PATHS[self.dice.roll(PATHS.len())])][self.dice.roll(2)];
                let path = if path.is_some() && self.dice.roll(6) == 0 { Some(SWITCHED) } else { path };
                let (session, id) = (self.dice.roll(2), format!("c{}", self.count));
                let mut call = Call { session, id, path, is_unknown: false };
                call.is_unknown = !self.tell("before", &call, Kills::Yes);
                call.path.map(|path| self.names.insert(call.id.clone(), path));
                self.open.push(call);
            }
            3..=7 if !self.open.is_empty() => {
                let call = self.open[self.dice.roll(self.open.len())].clone();
                // What nobody knows of, nobody can record.
                if !call.is_unknown {
                    self.change(&call);
                }
            }
            _ if !self.open.is_empty() => {
                let call = self.open.remove(self.dice.roll(self.open.len()));
                // Some ends never come, or their hooks die.
                if self.dice.roll(6) > 0 {
                    self.tell("after", &call, Kills::Yes);
                }
            }
            _ => {}
        }
    }

    fn change(&mut self, call: &Call) {
        if call.path == Some(SWITCHED) || (call.path.is_none() && self.dice.roll(5) == 0) {
            let branch = ["main", "side"][self.dice.roll(2)];
            self.told.push(format!("  {} checks {branch} out", call.id));
            self.repo.git(&["checkout", "-q", branch]);
            return;
        }
        let path = call.path.unwrap_or_else(|| PATHS[self.dice.roll(PATHS.len())]);
        let tag = self.dice.roll(1_000_000);
        let file = self.repo.root().join(path);
        self.told.push(format!("  {} changes {path} {tag}", call.id));
        match self.dice.roll(5) {
            0 if self.repo.has(path) => std::fs::remove_file(file).expect("removed"),
            1 if self.repo.has(path) => self.repo.chmod(path, [0o644, 0o755][self.dice.roll(2)]),
            2 => {
                let text = if self.repo.has(path) { self.repo.text(path) } else { String::new() };
                self.repo.write(path, format!("{text}{tag}\n"));
            }
            _ => self.repo.write(path, format!("{tag}\nwhole\n")),
        }
        self.authors.insert(tag.to_string(), call.id.clone());
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kills {
    Yes,
    No,
}

/// `REDRAFT_RUNS` says how many.
#[test]
fn random_sessions_are_recorded_whole_and_undone_exactly() {
    let runs: u64 = std::env::var("REDRAFT_RUNS").ok().and_then(|runs| runs.parse().ok()).unwrap_or(25);
    let from: u64 = std::env::var("REDRAFT_RUNS_FROM").ok().and_then(|from| from.parse().ok()).unwrap_or(1);
    let mut checked = 0;
    for seed in from..from + runs {
        let mut dice = Dice(seed);
        let repo = TestRepo::with_files(&[("a", "1\n2\n3\n"), ("b", "one\n"), ("d/c", "x\n")]);
        repo.git(&["checkout", "-q", "-b", "side"]);
        repo.write(SWITCHED, "the branch's\n");
        repo.commit_all("k");
        repo.git(&["checkout", "-q", "main"]);
        repo.write(SWITCHED, "the other branch's\n");
        repo.commit_all("k");
        repo.write("u", "untracked\n");
        repo.write("b", "dirty\n");
        let before = files(&repo);
        let mut world = World {
            repo: &repo,
            dice: &mut dice,
            open: Vec::new(),
            count: 0,
            authors: BTreeMap::new(),
            names: BTreeMap::new(),
            told: Vec::new(),
        };
        (0..24).for_each(|_| world.step());
        for session in 0..2 {
            let end = Call { session, id: "end".to_owned(), path: None, is_unknown: false };
            world.tell("turn-end", &end, Kills::No);
        }
        let World { told, authors, names, .. } = world;
        let log: Vec<Value> = repo.redraft(&["log", "--json"], "").lines();
        for record in &log {
            let id = record["id"].as_str().expect("an id");
            let is_gits = record["files"].as_array().expect("a list").iter().any(|file| file["path"] == SWITCHED);
            assert!(!is_gits, "seed {seed}: {told:#?} {record}");
            checked += check_author(&repo, record, (&authors, &names), &format!("seed {seed}: {told:#?}"));
            let undone = repo.redraft(&["undo", id], "");
            assert_eq!(undone.status, 0, "seed {seed}: {told:#?} {}{record}", undone.out);
        }
        assert_eq!(files(&repo), before, "seed {seed}: {told:#?}");
        assert_eq!(repo.redraft(&["fsck"], "").status, 0);
    }
    assert!(checked as u64 > runs, "lines whose author was looked at: {checked}");
}

/// Each line that a record brings is one that a call wrote which the record names, or of a file that its call names; gives how many
/// there are.
fn check_author(
    repo: &TestRepo,
    record: &Value,
    (authors, names): (&BTreeMap<String, String>, &BTreeMap<String, &'static str>),
    told: &str,
) -> usize {
    let call = |value: &Value| value.as_str().map(str::to_owned);
    let shared =
        record["observed"]["shared"].as_array().into_iter().flatten().filter_map(|other| call(&other["call_id"]));
    let named: Vec<String> = shared.chain(call(&record["agent"]["call_id"])).collect();
    let shown = repo.redraft(&["show", record["id"].as_str().expect("an id"), "--json"], "").json();
    let mut count = 0;
    for file in shown["files"].as_array().expect("a list") {
        let claims = |call: &String| names.get(call).is_some_and(|path| file["path"] == json!(path));
        let diff = file["diff"].as_str().unwrap_or_default();
        for line in diff.lines().filter_map(|line| line.strip_prefix('+')) {
            if let Some(author) = authors.get(line) {
                let is_named = named.contains(author) || named.iter().all(claims);
                assert!(is_named, "{line} is {author}'s, and the record says {named:?}: {told}\n{record}\n{diff}");
                count += 1;
            }
        }
    }
    count
}
