//! The questions of docs/audit.md: each answer on the page is what its command says in the tour's repository.
//!
//! `REDRAFT_UPDATE_DOCS=1` writes the answers anew.

use crate::support::run::REDRAFT;
use crate::support::tree::copy;
use crate::support::{clean, run};
use regex_lite::Regex;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// So many questions the page promises.
const QUESTIONS: usize = 25;
/// Where the page's tour has its repository.
const PLACE: &str = "/tmp/redraft-tour";
const FENCE: &str = "```console\n";

/// A block of the page: a command, and what it answers.
struct Block<'p> {
    command: &'p str,
    answer: &'p str,
}

fn page() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/audit.md")
}

fn blocks(page: &str) -> Vec<Block<'_>> {
    let block = |rest: &'_ str| -> (usize, usize) {
        let line = rest.find('\n').expect("a command has a line");
        (line + 1, rest.find("```").expect("a block ends"))
    };
    page.split(FENCE)
        .skip(1)
        .map(|rest| {
            let (line, end) = block(rest);
            let command = rest[..line].trim_end().strip_prefix("$ ").expect("a block begins with a command");
            Block { command, answer: &rest[line..end] }
        })
        .collect()
}

/// What a command answers on a terminal, in a copy of the tour's repository of its own, which is shown as the page has it.
fn answered(tour: &Path, number: usize, command: &str) -> String {
    let own = tour.with_file_name(format!("question-{number}"));
    copy(tour, &own);
    let asks_for_form =
        ["redraft undo", "redraft redo", "redraft restore"].iter().any(|start| command.starts_with(start));
    let (before, after) = command.split_once(" -- ").map_or((command, String::new()), |(a, b)| (a, format!(" -- {b}")));
    let form = if asks_for_form { " --answer text" } else { "" };
    let mut shell = Command::new("sh");
    let path = Path::new(REDRAFT).parent().expect("it is in a folder").to_string_lossy().into_owned();
    let path = format!("{path}:{}", std::env::var("PATH").unwrap_or_default());
    clean(shell.args(["-c", &format!("{before}{form}{after} 2>&1")]), &own).env("PATH", path);
    let output = shell.output().expect("a shell runs").stdout;
    String::from_utf8(output).expect("UTF-8").replace(&*own.to_string_lossy(), PLACE)
}

/// Without what differs from run to run: git's ids, ids of new records, points in time, ages below an hour.
fn normalised(text: &str) -> String {
    [
        (r"\b[0-9a-f]{7,40}\b", "GIT"),
        (r"\b[k-z]{16}\b", "RECORD"),
        (r"Date:    \w{3} \w{3} \d+ [\d:]+ \d{4} [+-]\d{4}", "Date:    THEN"),
        (r"\b\d{8}T\d{6}\.\d{3}Z", "THEN"),
        (r"\b\d+ (second|minute)s? ago", "NOW"),
    ]
    .iter()
    .fold(text.to_owned(), |text, (pattern, word)| {
        Regex::new(pattern).expect("a pattern").replace_all(&text, *word).into_owned()
    })
}

/// The tour's repository, in a folder that goes with the first of the two.
fn toured() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let place = fs::canonicalize(folder.path()).expect("it is there").join("tour");
    let ran = run::redraft(folder.path(), &["tour", "tour", "--json"], b"");
    assert_eq!(ran.exit, Some(0), "{ran:?}");
    (folder, place)
}

#[test]
fn every_answer_on_the_page_is_what_its_command_says() {
    let text = fs::read_to_string(page()).expect("the page is there");
    let blocks = blocks(&text);
    let (_folder, tour) = toured();
    let mut page_now = text.clone();
    let mut wrong = Vec::new();
    for (number, block) in (1..).zip(&blocks) {
        let now = answered(&tour, number, block.command);
        if normalised(&now) != normalised(block.answer) {
            wrong.push(format!("{number}. {}\non the page:\n{}\nit says:\n{now}", block.command, block.answer));
            let old = format!("{FENCE}$ {}\n{}```", block.command, block.answer);
            page_now = page_now.replacen(&old, &format!("{FENCE}$ {}\n{now}```", block.command), 1);
        }
    }
    if std::env::var_os("REDRAFT_UPDATE_DOCS").is_some() {
        fs::write(page(), page_now).expect("docs/ is there");
        return;
    }
    assert!(
        wrong.is_empty(),
        "run `REDRAFT_UPDATE_DOCS=1 cargo test --test it audit_questions`:\n{}",
        wrong.join("\n")
    );
}

#[test]
fn the_page_has_its_questions_in_order_with_one_command_each() {
    let text = fs::read_to_string(page()).expect("the page is there");
    let parts: Vec<&str> = text.split("\n**").skip(1).collect();
    assert_eq!(parts.len(), QUESTIONS);
    for (number, part) in (1..).zip(&parts) {
        assert!(part.starts_with(&format!("{number}. ")), "question {number}");
        let blocks = blocks(part);
        assert_eq!(blocks.len(), 1, "question {number}");
        assert!(blocks[0].command.starts_with("redraft "), "question {number}");
        assert!(!blocks[0].answer.trim().is_empty(), "question {number}");
    }
    let commands: std::collections::BTreeSet<&str> = blocks(&text).iter().map(|block| block.command).collect();
    assert_eq!(commands.len(), QUESTIONS, "each is another one");
}

#[test]
fn what_differs_from_run_to_run_is_left_out_and_nothing_else() {
    let same = |one: &str, other: &str| assert_eq!(normalised(one), normalised(other));
    same("in 8ada56857b, 3 seconds ago", "in 2024f3bd0b, 1 minute ago");
    same("record zlxwoskruvpoxlup", "record smmlssnqnkvorpqz");
    let differ = |one: &str, other: &str| assert_ne!(normalised(one), normalised(other));
    differ("osoptkux heron, 3 hours ago", "osoptkux heron, 4 hours ago");
    differ("osoptkux heron", "poozxpru heron");
    differ("verify = true", "verify = false");
    differ("1 file", "2 files");
}
