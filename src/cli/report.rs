//! `redraft report`.

use super::context::Context;
use super::output::{self, Form};
use super::selection::SelectionArgs;
use super::waiting::Waiting;
use crate::env::Env;
use crate::error::Error;
use crate::history::{Range, Scope};
use crate::text::{one_line, quoted_file};
use crate::usecase::Noted;
use crate::usecase::report::{DEFAULT_NAME, MOST_RECORDS, Progress, Report, ReportRequest, report, save};
use crate::view::report::{Lack, is_report, left_out, page};
use crate::workspace::Workspace;
use clap::{Args, ValueHint};
use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

/// One HTML file that shows what agents did here, to be read like a pull request
///
/// With who, when, why, the diffs, what was undone or committed, and who wrote today's lines. The file needs nothing else:
/// no network, no other file. Without -o it goes to standard output, or, where that is a terminal, to redraft-report.html.
/// Only another report is written over.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  redraft report --open
  redraft report --session s42 -o s42.html
  redraft report main..HEAD > review.html   # the records whose lines these git commits hold
  redraft report kzlm..@                    # after that record, up to the newest
  redraft report --since yesterday --json | jq .summary")]
pub(crate) struct ReportArgs {
    /// Only the records after A, up to B; or those of which the git commits A..B hold lines. A record is an id, the unique
    /// beginning of one, @ (the newest), @-, @-N
    #[arg(value_name = "A..B", value_parser = Range::read)]
    range: Option<Range>,
    #[command(flatten)]
    selection: SelectionArgs,
    /// At most so many records, the newest [default: 5000]
    #[arg(short = 'n', long = "max-count", value_name = "N")]
    limit: Option<usize>,
    /// Those of all worktrees and clones
    #[arg(long)]
    all: bool,
    /// Write it there; - is standard output
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,
    /// Open it: with $BROWSER, or else with the system's program
    #[arg(long)]
    open: bool,
    /// What the page says, as one JSON object on standard output
    #[arg(long, conflicts_with_all = ["output", "open"])]
    json: bool,
}

impl ReportArgs {
    pub(super) fn run(self, context: &Context) -> ExitCode {
        if self.open && self.is_to_standard_output() {
            return output::usage(&anyhow::Error::msg(
                "what goes to standard output (-o -) cannot be opened; leave out --open, or name a file",
            ));
        }
        match self.make(&context.env) {
            Ok(status) => status,
            Err(error) => output::error(&error, self.json.into()),
        }
    }

    fn make(&self, env: &Env) -> Result<ExitCode, Error> {
        let workspace = Workspace::discover(env)?;
        let request = ReportRequest {
            scope: if self.all { Scope::All } else { Scope::Own },
            selection: self.selection.selection(env),
            range: self.range.clone(),
            limit: self.limit,
        };
        let waiting = Waiting::for_what("reading the history", self.json.into());
        let tell = &mut |progress: Progress| waiting.say(&told(&progress));
        let Noted { done, notes } = report(&workspace, &request, tell)?;
        drop(waiting);
        output::warn(&output::sentences(&notes));
        output::warn(&self.lacking(&done));
        if Form::from(self.json) == Form::Json {
            output::print(output::json(&done).as_bytes());
            return Ok(ExitCode::SUCCESS);
        }
        let page = page(&done, env.clock().time_zone());
        let Some(name) = self.file() else {
            output::print(page.as_bytes());
            return Ok(ExitCode::SUCCESS);
        };
        let path = save(env, name, page.as_bytes(), is_report)?;
        output::print(format!("{}\n", quoted_file(&path)).as_bytes());
        Ok(if self.open { opened(env, &path) } else { ExitCode::SUCCESS })
    }

    /// Where it goes; none for standard output.
    fn file(&self) -> Option<&Path> {
        match &self.output {
            Some(_) if self.is_to_standard_output() => None,
            Some(name) => Some(name),
            None if self.open || io::stdout().is_terminal() => Some(Path::new(DEFAULT_NAME)),
            None => None,
        }
    }

    fn is_to_standard_output(&self) -> bool {
        self.output.as_ref().is_some_and(|name| name.as_os_str() == "-")
    }

    fn lacking(&self, report: &Report) -> Vec<String> {
        let said = |(lack, told): (Lack, String)| match (lack, self.limit) {
            // Who asked for so many knows it.
            (Lack::Records, Some(_)) => None,
            (Lack::Records, None) => {
                Some(format!("{told} (-n, by default {MOST_RECORDS}, says how many there may be)"))
            }
            _ => Some(told),
        };
        left_out(report).into_iter().filter_map(said).collect()
    }
}

/// How far it is, for somebody who waits.
fn told(progress: &Progress) -> String {
    match progress {
        Progress::Records(n) => format!("{n} records read"),
        Progress::Files(n) => format!("{n} files looked at"),
    }
}

/// Opens a file for a person.
fn opened(env: &Env, path: &Path) -> ExitCode {
    let mut tried = Vec::new();
    for words in programs(env) {
        let Some((program, args)) = words.split_first() else { continue };
        let mut command = Command::new(program);
        command.args(args).arg(path).current_dir(env.cwd()).stdin(Stdio::inherit());
        // Standard output carries the answer; a browser in a terminal needs that.
        if !io::stdout().is_terminal() {
            command.stdout(Stdio::null());
        }
        let shown = one_line(&program.to_string_lossy()).into_owned();
        match command.status() {
            Ok(status) if status.success() => return ExitCode::SUCCESS,
            Ok(status) => tried.push(format!("{shown}: {status}")),
            Err(error) => tried.push(format!("{shown}: {error}")),
        }
    }
    let told = format!(
        "the report is written, but could not be opened ({}); open it yourself, or set BROWSER to a program that can",
        tried.join("; ")
    );
    output::failed(&anyhow::Error::msg(told))
}

/// Programs that may open a file, in the order in which they are tried: those of `BROWSER`, else the system's.
fn programs(env: &Env) -> Vec<Vec<OsString>> {
    let words = |line: &str| line.split_whitespace().filter(|word| *word != "%s").map(OsString::from).collect();
    match env.variable("BROWSER").and_then(|list| list.to_str()).filter(|list| !list.trim().is_empty()) {
        Some(list) if cfg!(windows) => vec![words(list)],
        Some(list) => list.split(':').map(words).collect(),
        None if cfg!(windows) => vec![["cmd", "/C", "start", ""].map(OsString::from).to_vec()],
        None if cfg!(target_os = "macos") => vec![words("open")],
        None => vec![words("xdg-open")],
    }
}
