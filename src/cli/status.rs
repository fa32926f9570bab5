//! `redraft status`.

use super::context::Context;
use super::page::{Page, Paging};
use super::{output, records, when};
use crate::change::PathState;
use crate::error::Error;
use crate::history::{AgentChange, ChangeRecord, FileEffect, History, Status, status};
use crate::observe::{Trouble, troubles};
use crate::record::RecordClass;
use crate::state_dir::StateDir;
use crate::text::{one_line, quoted_path};
use crate::transaction::obstacle;
use crate::usecase::policy_report::{PolicyReport, Rule, Standing, policy_report};
use crate::workspace::Workspace;
use anstyle::AnsiColor;
use clap::Args;
use serde::Serialize;
use std::process::ExitCode;

/// What is in flight, and what agents changed since HEAD, undone or not
///
/// One line a file: two letters, the path, the newest record of it. The first letter is the file against HEAD, as in git: M
/// modified, A added, D deleted, ? untracked, ! ignored. The second is what agents did to it: E edits that are in force, P
/// edits of which some, or parts, are undone, U edits that are all undone (so what still differs is not theirs), R an undo
/// of what HEAD has.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  redraft status
  redraft status --long              # every record behind each file
  redraft status --porcelain -z      # for scripts
  redraft status --policy            # what may agents do here, and who says so?
  redraft status --json | jq '.agent_changes[].path'")]
pub(crate) struct StatusArgs {
    /// All records behind each file
    #[arg(long)]
    long: bool,
    /// For scripts, in a form that stays: `XY ID,ID PATH`, without colours; `# unfinished ID` where something is in flight
    #[arg(long, conflicts_with_all = ["long", "policy", "json"])]
    porcelain: bool,
    /// Lines of --porcelain end with NUL, and paths are not quoted
    #[arg(short = 'z', requires = "porcelain")]
    nul: bool,
    /// The rules in force instead: each, where it comes from, what it matches, and what decides here but lies in the tree
    #[arg(long)]
    policy: bool,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

impl StatusArgs {
    pub(super) fn run(self, context: &Context) -> ExitCode {
        match self.print(context) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => output::error(&error, self.json.into()),
        }
    }

    fn print(&self, context: &Context) -> Result<(), Error> {
        let workspace = Workspace::discover(&context.env)?;
        if self.policy {
            return self.print_policy(&workspace);
        }
        // A value that means nothing stops before anything is said.
        let warnings: Vec<String> = workspace.settings()?.warnings.iter().map(ToString::to_string).collect();
        let history = History::open(workspace.repo())?;
        let found = status(&history, &|path| crate::usecase::read::file_of(&workspace, path))?;
        if self.porcelain {
            output::print(&porcelain(&found, if self.nul { Ending::Nul } else { Ending::Line }));
            output::warn_of(&history);
            return Ok(());
        }
        let mut page = Page::open(&workspace, Paging::unless(self.json.into()));
        let place = StateDir::of(workspace.repo());
        let (troubles, unwritable) = (troubles(&place, context.env.now_ms()), unwritable(&place));
        if self.json {
            page.put_json(&Told { status: &found, troubles: &troubles, unwritable: unwritable.as_deref() });
        } else {
            let first = unwritable.map_or(String::new(), |line| page.paint.colour(&(line + "\n"), AnsiColor::Red));
            let text = if self.long {
                told(&page, &found) + &troubles_told(&page, &troubles)
            } else {
                short(&page, &found) + &troubles_counted(&page, &troubles)
            };
            page.put(&(first + &text));
        }
        output::warn_of(&history);
        output::warn(&warnings);
        Ok(())
    }
}

/// All that is printed as JSON.
#[derive(Serialize)]
struct Told<'a> {
    #[serde(flatten)]
    status: &'a Status,
    troubles: &'a [Trouble],
    /// Why nothing can be recorded now.
    unwritable: Option<&'a str>,
}

/// What is in the way of every record, if something is; then hooks could not even note that.
fn unwritable(place: &StateDir) -> Option<String> {
    let (path, error) = obstacle(place.path())?;
    let path = one_line(&path.to_string_lossy()).into_owned();
    Some(format!("nothing can be recorded: redraft cannot write in {path} ({error}); let it write there again"))
}

/// So many are told, the newest.
const MOST_TROUBLES: usize = 5;

/// What hooks could not do in the last days.
fn troubles_told(page: &Page, troubles: &[Trouble]) -> String {
    if troubles.is_empty() {
        return String::new();
    }
    let mut out = "\nWhat hooks of agents could not record (7 days; `--json` has all):\n".to_owned();
    for trouble in troubles.iter().rev().take(MOST_TROUBLES) {
        let time =
            jiff::Timestamp::from_millisecond(trouble.time_ms).map_or(String::new(), |time| format!("{time:.0}"));
        let harness = trouble.harness.as_deref().unwrap_or("a hook");
        let line = format!("  {time} {harness}: {}\n", one_line(&trouble.what));
        out.push_str(&page.paint.colour(&line, AnsiColor::Red));
    }
    out
}

impl StatusArgs {
    fn print_policy(&self, workspace: &Workspace) -> Result<(), Error> {
        let report = policy_report(workspace)?;
        let mut page = Page::open(workspace, Paging::unless(self.json.into()));
        if self.json {
            page.put_json(&report);
        } else {
            let text = rules_told(&page, &report);
            page.put(&text);
        }
        output::warn(&workspace.settings()?.warnings.iter().map(ToString::to_string).collect::<Vec<_>>());
        Ok(())
    }
}

/// What is set first, what is not behind it.
fn rules_told(page: &Page, report: &PolicyReport) -> String {
    let (defaults, set): (Vec<_>, Vec<_>) = report.rules.iter().partition(|rule| rule.scope == "default");
    let mut out = String::new();
    if set.is_empty() {
        out.push_str("no rules are set; agents may edit every file of the working tree\n");
    }
    for rule in set {
        let line = format!("{} = {}", one_line(&rule.key), one_line(rule.value.as_deref().unwrap_or_default()));
        let file = rule.file.as_ref().map_or(String::new(), |file| format!(" {}", quoted_path(file)));
        out.push_str(&format!("{}  ({}{file})\n", page.paint.colour(&line, AnsiColor::Yellow), rule.scope));
        if let Some(note) = note(rule, report) {
            out.push_str(&format!("    {note}\n"));
        }
    }
    if !report.in_tree.is_empty() {
        out.push_str("\nThese decide here and lie in the working tree:\n");
    }
    for found in &report.in_tree {
        let may =
            if found.editable { "agents may edit it; `redraft.deny` can forbid that" } else { "denied to agents" };
        out.push_str(&format!("  {} ({}): {may}\n", quoted_path(&found.path), one_line(&found.named_by)));
    }
    out.push_str("\nNot set, so as ever:\n");
    for rule in defaults {
        out.push_str(&format!("  {} = {}\n", rule.key, rule.value.as_deref().unwrap_or("(none)")));
    }
    out
}

/// What there is to say of a rule.
fn note(rule: &Rule, report: &PolicyReport) -> Option<String> {
    let files = |count: usize| if count == 1 { "1 file".to_owned() } else { format!("{count} files") };
    match (rule.standing, rule.matches, rule.decides) {
        (Standing::Overruled, ..) => Some("overruled: a later value counts".to_owned()),
        (Standing::UnknownKey, ..) => Some("no setting of redraft: nothing reads it".to_owned()),
        (Standing::Dead, ..) => Some(format!("matches no path: {}", rule.why.as_deref().unwrap_or_default())),
        (Standing::InForce, Some(0), _) if report.all_files => Some("matches none of the files here".to_owned()),
        (Standing::InForce, Some(0), _) => Some(format!("matches none of the first {}", files(report.files))),
        (Standing::InForce, Some(count), Some(0)) => {
            Some(format!("matches {}, but later patterns decide on all of them", files(count)))
        }
        (Standing::InForce, Some(count), Some(decided)) if decided < count => {
            Some(format!("matches {}, and decides on {decided} of them", files(count)))
        }
        (Standing::InForce, Some(count), _) => Some(format!("matches {}", files(count))),
        (Standing::InForce, None, _) => None,
    }
}

/// What ends a line for scripts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ending {
    Line,
    Nul,
}

/// The two letters of a file.
fn letters(change: &AgentChange) -> (char, char) {
    let state = match change.state {
        None => 'D',
        Some(PathState::Clean) => ' ',
        Some(PathState::Modified) => 'M',
        Some(PathState::Added) => 'A',
        Some(PathState::Untracked) => '?',
        Some(PathState::Ignored) => '!',
    };
    let (undos, edits): (Vec<_>, Vec<_>) = change.records.iter().partition(|record| record.kind == RecordClass::Undo);
    let whole = edits.iter().filter(|record| matches!(record.effect, FileEffect::InForce)).count();
    let undone = edits.iter().filter(|record| matches!(record.effect, FileEffect::Undone(_))).count();
    let done = match edits.len() {
        0 if !undos.is_empty() => 'R',
        all if undone == all => 'U',
        all if whole == all => 'E',
        _ => 'P',
    };
    (state, done)
}

fn porcelain(found: &Status, ending: Ending) -> Vec<u8> {
    let mut out = Vec::new();
    let end = if ending == Ending::Nul { b'\0' } else { b'\n' };
    for flight in &found.in_flight {
        out.extend(format!("# unfinished {}", flight.id).bytes());
        out.push(end);
    }
    for change in &found.agent_changes {
        let (state, done) = letters(change);
        let ids: Vec<&str> = change.records.iter().map(|record| record.id.as_str()).collect();
        out.extend(format!("{state}{done} {} ", ids.join(",")).bytes());
        match ending {
            Ending::Nul => out.extend_from_slice(change.raw_path.as_bstr()),
            Ending::Line => out.extend(quoted_path(&change.raw_path).bytes()),
        }
        out.push(end);
    }
    out
}

/// One line a file.
fn short(page: &Page, found: &Status) -> String {
    let mut out = flights(page, found);
    if found.agent_changes.is_empty() {
        out.push_str("no changes of agents since HEAD\n");
    }
    let paths: Vec<_> = found.agent_changes.iter().map(|change| quoted_path(&change.raw_path)).collect();
    let width = paths.iter().map(|path| path.chars().count()).max().unwrap_or(0).min(WIDEST);
    for (change, path) in found.agent_changes.iter().zip(&paths) {
        let (state, done) = letters(change);
        let colour = match done {
            'E' => AnsiColor::Green,
            'P' => AnsiColor::Yellow,
            _ => AnsiColor::Cyan,
        };
        let pad = " ".repeat(width.saturating_sub(path.chars().count()));
        let letters = page.paint.colour(&format!("{state}{done}"), colour);
        out.push_str(&format!("{letters} {path}{pad}  {}\n", behind(page, change)));
    }
    out
}

/// Longer paths push what stands behind them aside.
const WIDEST: usize = 60;

/// The newest record of a file, and how many there are beside it.
fn behind(page: &Page, change: &AgentChange) -> String {
    let Some(record) = change.records.first() else { return String::new() };
    let id = page.paint.colour(records::short(&record.id), AnsiColor::Yellow);
    let agent = one_line(record.agent.as_deref().unwrap_or("an agent"));
    let what = match (undone(record), record.kind) {
        (Some(undone), _) => format!(", {undone}"),
        (None, RecordClass::Undo) => ", an undo".to_owned(),
        (None, _) => String::new(),
    };
    let more = match change.records.len() - 1 {
        0 => String::new(),
        more => format!(" (+{more})"),
    };
    let time = record.time.parse::<jiff::Timestamp>().unwrap_or_default().as_millisecond();
    format!("{id} {agent}, {}{what}{more}", when::relative(&page.env, time))
}

/// By what a record, or a part of it, is undone.
fn undone(record: &ChangeRecord) -> Option<String> {
    match &record.effect {
        FileEffect::InForce => None,
        FileEffect::Partly(_, by) => Some(format!("partly undone by {}", records::short(by))),
        FileEffect::Undone(by) => Some(format!("undone by {}", records::short(by))),
    }
}

/// How many there are.
fn troubles_counted(page: &Page, troubles: &[Trouble]) -> String {
    let what = match troubles.len() {
        0 => return String::new(),
        1 => "1 thing".to_owned(),
        several => format!("{several} things"),
    };
    let line = format!("{what} that hooks of agents could not record in 7 days; `redraft status --long` tells them\n");
    page.paint.colour(&line, AnsiColor::Red)
}

fn flights(page: &Page, found: &Status) -> String {
    let mut out = String::new();
    for flight in &found.in_flight {
        let paths: Vec<_> = flight.raw_paths.iter().map(quoted_path).collect();
        let line = format!("unfinished: {} ({})\n", flight.id, paths.join(", "));
        out.push_str(&page.paint.colour(&line, AnsiColor::Red));
    }
    if !found.in_flight.is_empty() {
        out.push_str("  (if no redraft is running, `redraft recover` finishes or takes it back)\n\n");
    }
    out
}

fn told(page: &Page, found: &Status) -> String {
    let mut out = flights(page, found);
    if found.agent_changes.is_empty() {
        out.push_str("no changes of agents since HEAD\n");
        return out;
    }
    out.push_str("Changes of agents since HEAD:\n  (`redraft show ID` shows one, `redraft undo ID` takes it back)\n");
    for change in &found.agent_changes {
        let state = change.state.map_or("deleted".to_owned(), |state| format!("{state:?}").to_lowercase());
        let path = page.paint.colour(&quoted_path(&change.raw_path), AnsiColor::Green);
        out.push_str(&format!("\n  {state}: {path}\n"));
        for record in &change.records {
            out.push_str(&format!("      {}\n", one(page, record)));
        }
    }
    out
}

fn one(page: &Page, record: &ChangeRecord) -> String {
    let id = page.paint.colour(records::short(&record.id), AnsiColor::Yellow);
    let agent = one_line(record.agent.as_deref().unwrap_or("an agent"));
    let undone = undone(record).map_or(String::new(), |undone| format!(" ({undone})"));
    let what = if record.kind == RecordClass::Undo { "an undo by " } else { "" };
    let reviewed = if record.reviewed.is_some() { ", reviewed" } else { "" };
    format!("{id} {what}{agent}, {}{undone}{reviewed}", record.time)
}
