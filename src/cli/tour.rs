//! `redraft tour`.
//!
//! Owns showing the steps and the pauses between them. What there is to be seen is made by the use case, what is looked at is in
//! `walk.rs`, and each step is this program, run in the tour's repository.

use super::context::Context;
use super::output::{self, Form};
use super::paint::Paint;
use super::walk::{Step, steps};
use crate::env::{Env, program};
use crate::error::Error;
use crate::text::{quoted_file, shell_word};
use crate::usecase::tour::{make, place, surroundings};
use anstyle::{AnsiColor, Style};
use clap::{Args, ValueHint};
use serde_json::{Value, json};
use std::io::{self, BufRead, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

/// Make a small repository with a day of agents in it, and go through it
///
/// A person and two agents have worked in it: an edit is undone, a file renamed, some of it is committed, and one agent did what it should not
/// have. Then the commands that tell of it are run there, one by one, each with what it shows. On a terminal Enter goes on,
/// and q ends it. The repository is left, to try more: docs/audit.md asks 25 questions of it.
///
/// It is a new folder below the system's temporary folder, or DIR, which must be empty or not there yet. Nothing else is touched, and neither
/// your configuration of git nor its hooks count in it.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  redraft tour
  redraft tour --no-pause | less
  redraft tour ~/try-redraft && cd ~/try-redraft
  redraft tour --json | jq -r .repository")]
pub(crate) struct TourArgs {
    /// Where the repository is to be
    #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
    dir: Option<PathBuf>,
    /// Do not wait between the steps; so it is where there is no terminal
    #[arg(long)]
    no_pause: bool,
    /// One JSON object: where the repository is, and of each step the command, its exit status and its output
    #[arg(long)]
    json: bool,
}

/// Whether somebody wants to go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Going {
    On,
    Ended,
}

impl TourArgs {
    pub(super) fn run(self, context: &Context) -> ExitCode {
        let form = Form::from(self.json);
        let toured = if form == Form::Json { self.as_json(&context.env) } else { self.by_steps(&context.env) };
        toured.unwrap_or_else(|error| output::error(&error, form))
    }

    /// Makes the repository; `told` is shown where it is to be, before anything is in it.
    fn made(&self, env: &Env, told: impl FnOnce(&Path)) -> Result<(PathBuf, Vec<Step>), Error> {
        let root = place(env, self.dir.as_deref())?;
        told(&root);
        let steps = steps(&make(&root, env.clock().now())?);
        Ok((root, steps))
    }

    fn as_json(&self, env: &Env) -> Result<ExitCode, Error> {
        let (root, steps) = self.made(env, |_| ())?;
        let told: Vec<Value> = steps.iter().map(|step| run_quietly(step, &root)).collect::<Result<_, Error>>()?;
        let failed = told.iter().filter(|step| !step["output"].is_null() && step["status"] != 0).count();
        output::print(output::json(&json!({"repository": root.to_string_lossy(), "steps": told})).as_bytes());
        Ok(status(failed))
    }

    fn by_steps(&self, env: &Env) -> Result<ExitCode, Error> {
        let paint = Paint::on_terminal(env);
        let waits = !self.no_pause && io::stdin().is_terminal() && io::stdout().is_terminal();
        let tell = |root: &Path| say(&format!("The tour's repository is {}\n", quoted_file(root)));
        let (root, steps) = self.made(env, tell)?;
        let (mut failed, count) = (0, steps.len());
        for (number, step) in (1..).zip(&steps) {
            if waits && pause(paint) == Going::Ended {
                break;
            }
            let sentence = paint.with(step.told, Style::new().italic());
            let line =
                paint.with(&format!("$ {}", step.line), Style::new().bold().fg_color(Some(AnsiColor::Cyan.into())));
            say(&format!("\n[{number}/{count}] {sentence}\n{line}\n"));
            failed += usize::from(!run_in_view(step, &root)?);
        }
        say(&format!("\nThe repository is left, to try more: cd {}\n", typed(&root)));
        Ok(status(failed))
    }
}

/// A path as a shell takes it, as far as that can be shown.
fn typed(root: &Path) -> String {
    let shown = quoted_file(root);
    if root.to_str() == Some(&shown) { shell_word(&shown) } else { shown }
}

/// What the tour ends with where so many steps failed.
fn status(failed: usize) -> ExitCode {
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::from(3) }
}

fn say(text: &str) {
    output::print(text.as_bytes());
}

/// Waits for Enter; the end of the input, or of the terminal, is an end.
fn pause(paint: Paint) -> Going {
    let question = paint.with("Enter goes on, q ends: ", Style::new().dimmed());
    let mut out = io::stderr().lock();
    let asked = write!(out, "\n{question}").and_then(|()| out.flush());
    drop(out);
    let mut line = Vec::new();
    match asked.and_then(|()| io::stdin().lock().read_until(b'\n', &mut line)) {
        Ok(1..) if !line.trim_ascii().eq_ignore_ascii_case(b"q") => Going::On,
        _ => Going::Ended,
    }
}

/// Runs a step with this one's output; says whether it went well.
fn run_in_view(step: &Step, root: &Path) -> Result<bool, Error> {
    let Some(args) = &step.args else { return Ok(true) };
    let run = command(args, root)?.status().map_err(Error::io("run", step.line.clone()))?;
    Ok(run.success())
}

/// Runs a step, and keeps what it says.
fn run_quietly(step: &Step, root: &Path) -> Result<Value, Error> {
    let told = |status: Option<i32>, output: Option<String>| json!({"command": step.line, "shows": step.told, "status": status, "output": output});
    let Some(args) = &step.args else { return Ok(told(None, None)) };
    let run = command(args, root)?.output().map_err(Error::io("run", step.line.clone()))?;
    let output = [run.stdout, run.stderr].concat();
    Ok(told(run.status.code(), Some(String::from_utf8_lossy(&output).into_owned())))
}

/// This program, in the tour's repository, where nothing of the user's counts.
fn command(args: &[String], root: &Path) -> Result<Command, Error> {
    let mut command = Command::new(program().map_err(Error::io("find", "this program"))?);
    surroundings(root)?.lay_on(&mut command);
    command.args(args).current_dir(root).stdin(Stdio::null());
    Ok(command)
}
