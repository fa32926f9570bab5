//! What `redraft tour` looks at, step by step: commands as a person types them, and a sentence for each.
//!
//! Owns the table and how a line of it becomes arguments. Does not run anything.

use super::records::short;
use crate::usecase::tour::Day;

/// One command of the tour.
pub(super) struct Step {
    /// As it is typed, with the ids of records in it.
    pub line: String,
    /// What is to be seen.
    pub told: &'static str,
    /// The arguments; none where it is to be tried by hand, on a terminal.
    pub args: Option<Vec<String>>,
}

/// Each: the line, with the names of records in braces; what it shows.
const LINES: &[(&str, &str)] = &[
    ("redraft sessions", "The conversations: who worked here, when, how much, and what of it is undone."),
    ("redraft log --oneline", "All that was done, newest first, with what became of it."),
    ("redraft status", "What differs from HEAD because of agents. What somebody changed by hand is not listed."),
    (
        "redraft blame weather/fetch.py",
        "Line by line: git's commit, or the record where an agent's line is not committed. heron changed a line of otter's.",
    ),
    ("redraft show {certificates}", "One record: a command in heron's shell turned the check of certificates off."),
    (
        "redraft diff --session cleanup",
        "What one conversation did as a whole, without what others did and what was undone.",
    ),
    (
        "redraft undo {certificates} --dry-run",
        "What taking that back would do, though other edits came later; without --dry-run it is done, and `redraft redo` brings it back.",
    ),
    (
        REVIEW,
        "The same on a screen of its own, with keys: ? shows them, u undoes what is shown, q ends it. Try it there.",
    ),
    (
        "redraft report -o report.html",
        "All of it as one page, to be read in a browser: `redraft report --open` opens it.",
    ),
];

/// What asks for a terminal of its own.
const REVIEW: &str = "redraft review";

/// What makes an answer be as it is on a terminal, whatever standard output is.
const FOR_PEOPLE: [&str; 2] = ["--answer", "text"];

/// The steps, in order.
pub(super) fn steps(day: &Day) -> Vec<Step> {
    LINES.iter().map(|(line, told)| step(line, told, day)).collect()
}

fn step(line: &str, told: &'static str, day: &Day) -> Step {
    let line = day.records().fold(line.to_owned(), |line, (name, id)| line.replace(&format!("{{{name}}}"), short(id)));
    let mut args: Vec<String> = line.split(' ').skip(1).map(str::to_owned).collect();
    if line.starts_with("redraft undo") {
        args.extend(FOR_PEOPLE.map(str::to_owned));
    }
    Step { args: (line != REVIEW).then_some(args), line, told }
}
