//! `redraft install` and `redraft uninstall`.

use super::context::Context;
use super::output;
use super::paint::Paint;
use crate::harness::Harness;
use crate::install::{Reach, harnesses, note, without_editors};
use crate::text::{one_line, quoted_file};
use crate::usecase::Reply;
use crate::usecase::codex_trust::Trust;
use crate::usecase::install::{FileDone, InstallOptions, Parts, Standing, Wish, checked, install, standings};
use clap::Args;
use serde_json::json;
use std::process::ExitCode;

/// Put redraft's hooks, and its MCP server, into the configuration of coding harnesses
///
/// The hooks record what the harness's tools change, whatever tool it was; the MCP server (`redraft mcp`) gives it redraft's
/// own tools. Without `--mcp` the hooks are installed, with it the server, with `--hooks --mcp` both.
///
/// Without names it takes those that are used here (their folder is in your home), and asks. Comments, order and foreign entries
/// of the files stay as they are; what changes is shown. `redraft uninstall` takes it out again: byte for byte, where nothing else changed the file since.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  redraft install --check               # what is installed, and has it run here?
  redraft install claude-code --dry-run
  redraft install codex gemini
  redraft install claude-code --project # for everybody who works in this repository
  redraft install gemini --hooks --mcp
  redraft install opencode --only-redraft   # its own editors are taken away

Names: claude-code, codex, gemini, opencode, cursor, copilot, windsurf, cline, droid, amp")]
pub(crate) struct InstallArgs {
    #[command(flatten)]
    choice: Choice,
    /// The hooks; so it is where nothing else is said
    #[arg(long)]
    hooks: bool,
    /// The MCP server
    #[arg(long)]
    mcp: bool,
    /// The MCP server, and take the harness's own editors away: in claude-code, gemini and opencode, which have a list for
    /// that; elsewhere it says that it cannot
    #[arg(long)]
    only_redraft: bool,
    /// Change nothing: say for each harness whether it is used here, where its hooks are installed, when one last ran in this
    /// repository, and (codex tells it) whether you trust them
    #[arg(long, conflicts_with_all = ["project", "dry_run", "names", "hooks", "mcp", "only_redraft"])]
    check: bool,
}

/// Take redraft's hooks out of the configuration of coding harnesses
///
/// Without names it takes them out wherever they are. A file that nothing else changed since is again what it was, byte for byte; in
/// every other one only redraft's own entries go.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  redraft uninstall --dry-run
  redraft uninstall claude-code --project")]
pub(crate) struct UninstallArgs {
    #[command(flatten)]
    choice: Choice,
}

#[derive(Debug, Args)]
struct Choice {
    /// The harnesses
    #[arg(value_name = "HARNESS", value_parser = harness)]
    names: Vec<Harness>,
    /// In the files of this repository, for everybody who works in it
    #[arg(long, conflicts_with = "user")]
    project: bool,
    /// In your own files, for all repositories; so it is where nothing is said
    #[arg(long)]
    user: bool,
    /// Show what would change, and change nothing
    #[arg(long)]
    dry_run: bool,
    /// Answer as JSON; nobody is asked
    #[arg(long)]
    json: bool,
}

fn harness(name: &str) -> Result<Harness, String> {
    let found = Harness::from_name(name).filter(|harness| harnesses().iter().any(|(other, ..)| other == harness));
    let names: Vec<&str> = harnesses().iter().map(|(harness, ..)| harness.name()).collect();
    found.ok_or_else(|| format!("there is no such harness; there are {}", names.join(", ")))
}

impl InstallArgs {
    pub(super) fn run(self, context: &Context) -> ExitCode {
        if self.check {
            return check(context, &self.choice);
        }
        let names = match self.choice.found(context) {
            Ok(names) => names,
            Err(status) => return status,
        };
        let parts = Parts {
            hooks: self.hooks || !(self.mcp || self.only_redraft),
            server: self.mcp || self.only_redraft,
            only_redraft: self.only_redraft,
        };
        self.choice.carry_out(context, &names, (Wish::Install, parts))
    }
}

impl UninstallArgs {
    pub(super) fn run(self, context: &Context) -> ExitCode {
        let all = || harnesses().iter().map(|(harness, ..)| *harness).collect();
        let names = if self.choice.names.is_empty() { all() } else { self.choice.names.clone() };
        self.choice.carry_out(context, &names, (Wish::Uninstall, Parts::ALL))
    }
}

impl Choice {
    /// The harnesses that are named, or those that are there and wanted.
    fn found(&self, context: &Context) -> Result<Vec<Harness>, ExitCode> {
        if !self.names.is_empty() {
            return Ok(self.names.clone());
        }
        let there = standings(&context.env).map_err(|error| output::error(&error, self.json.into()))?;
        let there: Vec<&str> = there.iter().filter(|one| one.is_there).map(|one| one.harness).collect();
        let names: Vec<Harness> = there.iter().filter_map(|name| Harness::from_name(name)).collect();
        if self.dry_run && !names.is_empty() {
            return Ok(names);
        }
        let question = format!("Install hooks for {}?", there.join(", "));
        match if names.is_empty() || self.json {
            Reply::Nobody
        } else {
            super::ask::on_terminal("", &question, &context.env)
        } {
            Reply::Yes => Ok(names),
            Reply::No => Err(ExitCode::SUCCESS),
            Reply::Nobody => {
                let found = if there.is_empty() {
                    "none is found here".to_owned()
                } else {
                    format!("here: {}", there.join(", "))
                };
                Err(output::usage(&anyhow::anyhow!("name the harnesses to install hooks for ({found})")))
            }
        }
    }

    fn carry_out(&self, context: &Context, names: &[Harness], (wish, parts): (Wish, Parts)) -> ExitCode {
        let reach = if self.project { Reach::Project } else { Reach::User };
        let done = install(&context.env, names, InstallOptions { reach, wish, parts, dry_run: self.dry_run });
        let done = match done {
            Ok(done) => done,
            Err(error) => return output::error(&error, self.json.into()),
        };
        if self.json {
            output::print(output::json(&json!({"files": done, "dry_run": self.dry_run})).as_bytes());
        } else {
            output::print(self.told(&done, (wish, parts), Paint::on_terminal(&context.env)).as_bytes());
            let is_changed =
                |harness: &&Harness| done.iter().any(|file| file.is_changed && file.harness == harness.name());
            for told in
                names.iter().filter(is_changed).filter_map(|harness| note(*harness)).filter(|_| wish == Wish::Install)
            {
                output::complain(told);
            }
            for harness in
                names.iter().filter(|harness| wish == Wish::Install && parts.only_redraft && !has_list(**harness))
            {
                output::complain(&format!(
                    "{} has no list to take its own editors away by; tell it in its instructions to edit with redraft",
                    harness.name()
                ));
            }
        }
        for file in done.iter() {
            if let Some(why) = &file.refused {
                output::complain(&format!("{} {why}; nothing was changed in it", quoted_file(&file.file)));
            }
        }
        if done.iter().any(|file| file.refused.is_some()) { ExitCode::FAILURE } else { ExitCode::SUCCESS }
    }

    fn told(&self, done: &[FileDone], (wish, parts): (Wish, Parts), paint: Paint) -> String {
        let changed: Vec<&FileDone> = done.iter().filter(|file| file.is_changed).collect();
        if changed.is_empty() {
            let word = match (wish, parts.server, parts.hooks) {
                (Wish::Uninstall, ..) => "nothing of redraft's is there",
                (Wish::Install, false, _) => "the hooks are there already",
                (Wish::Install, true, false) => "the server is there already",
                (Wish::Install, true, true) => "hooks and server are there already",
            };
            return format!("{word}\n");
        }
        let mut text = String::new();
        for file in changed {
            let word = match (self.dry_run, wish) {
                (true, _) => "would change",
                (false, Wish::Install) => "installed in",
                (false, Wish::Uninstall) => "taken out of",
            };
            text.push_str(&format!("{word} {}\n", quoted_file(&file.file)));
            text.push_str(&output::diff(&file.diff, paint));
        }
        text
    }
}

/// Whether a harness can be told to leave out its own editors.
fn has_list(harness: Harness) -> bool {
    without_editors(harness, Reach::User, std::path::Path::new("")).is_some()
}

fn check(context: &Context, choice: &Choice) -> ExitCode {
    let found = match checked(&context.env) {
        Ok(found) => found,
        Err(error) => return output::error(&error, choice.json.into()),
    };
    if choice.json {
        output::print(output::json(&json!({"harnesses": found})).as_bytes());
    } else {
        let lines: Vec<String> = found.iter().filter(|one| is_told(one)).map(line).collect();
        let text = if lines.is_empty() { "no harness is found here\n".to_owned() } else { lines.concat() };
        output::print(text.as_bytes());
    }
    ExitCode::SUCCESS
}

fn is_told(one: &Standing) -> bool {
    one.is_there || !one.user.is_empty() || !one.project.is_empty() || !one.server.is_empty() || one.fired_ms.is_some()
}

fn line(one: &Standing) -> String {
    let shown = |files: &[std::path::PathBuf]| {
        let files: Vec<String> = files.iter().map(|file| quoted_file(file)).collect();
        files.join(" ")
    };
    let mut places: Vec<String> = Vec::new();
    if !one.user.is_empty() {
        places.push(format!("yours: {}", shown(&one.user)));
    }
    if !one.project.is_empty() {
        places.push(format!("this repository's: {}", shown(&one.project)));
    }
    let places =
        if places.is_empty() { "not installed".to_owned() } else { format!("installed ({})", places.join("; ")) };
    let time = one.fired_ms.and_then(|ms| jiff::Timestamp::from_millisecond(ms).ok());
    let fired = match time {
        Some(time) => format!("a hook ran here about {time:.0}"),
        None => "no hook has run in this repository".to_owned(),
    };
    let server = if one.server.is_empty() { String::new() } else { format!("; MCP server in {}", shown(&one.server)) };
    let is_installed = !one.user.is_empty() || !one.project.is_empty();
    let trust = match one.trust {
        Some(Trust::Trusted) => "; trusted",
        Some(Trust::Untrusted) => "; codex skips them until you trust them (start codex, say /hooks)",
        Some(Trust::Disabled) => "; you turned some of them off (start codex, say /hooks)",
        Some(Trust::Unseen) => {
            "; codex does not see them here (it reads a repository's only where you trust the folder)"
        }
        None if one.harness == "codex" && one.fired_ms.is_none() && is_installed => {
            "; codex skips hooks in silence until you trust them (start codex, say /hooks)"
        }
        None => "",
    };
    one_line(&format!("{:<12} {places}{server}; {fired}{trust}", one.harness)).into_owned() + "\n"
}
