//! The values that an argument may have: what the history knows of, and the words that redraft has for things.
//!
//! Owns which argument takes what. Invariant: it only reads, and looks no longer than [`LONGEST`].

use super::offer::{Candidate, Offer};
use super::spot::{Spot, What};
use crate::cli::records::short;
use crate::env::Env;
use crate::harness::Harness;
use crate::history::{Effect, Filter, History, Item, Scope};
use crate::path::RepoPath;
use crate::record::RecordClass;
use crate::request::Dialect;
use crate::strategy::{Level, Strategy};
use crate::usecase::{from_here, here};
use crate::workspace::Workspace;
use clap::Arg;
use std::collections::BTreeSet;
use std::time::Duration;

/// So long the history is gone through: somebody waits for the answer with every key.
const LONGEST: Duration = Duration::from_millis(30);

/// So many records and names are offered, the newest.
const MOST: usize = 100;

/// What may stand there.
pub(super) fn offer(spot: &Spot<'_>, env: &Env) -> Offer {
    let arg = match spot.what {
        What::Command => return Offer::Values(commands(spot)),
        What::Flag => return Offer::Values(flags(spot)),
        What::Value(arg) => arg,
    };
    let listed = arg.get_possible_values();
    if !listed.is_empty() && arg.get_action().takes_values() {
        let told = |value: &clap::builder::PossibleValue| value.get_help().map(ToString::to_string).unwrap_or_default();
        let shown = listed.iter().filter(|value| !value.is_hide_set());
        return Offer::Values(shown.map(|value| Candidate::new(value.get_name(), told(value))).collect());
    }
    match sort(spot.command.get_name(), arg) {
        Sort::Words(words) => Offer::Values(words.into_iter().map(|word| Candidate::new(word, "")).collect()),
        Sort::Files => Offer::Files,
        Sort::Dirs => Offer::Dirs,
        Sort::Free => Offer::Nothing,
        Sort::Of(kept) => of_history(kept, spot, env).unwrap_or_else(|| kept.without_any()),
    }
}

/// What an argument takes.
enum Sort {
    Words(Vec<&'static str>),
    Of(Kept),
    Files,
    Dirs,
    /// Whatever somebody thinks of.
    Free,
}

/// What the history knows of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kept {
    Records(Standing),
    /// `A..B`.
    Range,
    /// `ID:PATH`.
    RecordOrFile,
    /// A path, or `A..B`.
    PathOrRange,
    Paths,
    Agents,
    Models,
    Sessions,
    Turns,
}

/// Which records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Standing {
    Any,
    /// Edits that can be undone.
    InForce,
    /// Undos that can be taken back.
    Undos,
}

impl Kept {
    /// Where nothing is kept, or it cannot be read.
    fn without_any(self) -> Offer {
        if matches!(self, Self::Paths | Self::PathOrRange) { Offer::Files } else { Offer::Nothing }
    }
}

fn sort(command: &str, arg: &Arg) -> Sort {
    let names = arg.get_value_names().unwrap_or_default();
    let name = names.first().map_or("", |name| name.as_str());
    let standing = match command {
        "undo" => Standing::InForce,
        "redo" => Standing::Undos,
        _ => Standing::Any,
    };
    match (name, arg.get_id().as_str()) {
        ("ID", _) => Sort::Of(Kept::Records(standing)),
        ("TIME|ID", _) => Sort::Of(Kept::Records(Standing::Any)),
        ("ID[:PATH]", _) => Sort::Of(Kept::RecordOrFile),
        ("PATH|A..B", _) => Sort::Of(Kept::PathOrRange),
        ("A..B", _) => Sort::Of(Kept::Range),
        ("PATH" | "PATHS", _) if !matches!(command, "read" | "serve") => Sort::Of(Kept::Paths),
        (_, "agent" | "author") if name == "NAME" => Sort::Of(Kept::Agents),
        (_, "model") => Sort::Of(Kept::Models),
        (_, "session") => Sort::Of(Kept::Sessions),
        (_, "turn") => Sort::Of(Kept::Turns),
        (_, "dialect") => Sort::Words(dialects()),
        ("HARNESS", _) => Sort::Words(Harness::names().collect()),
        ("LEVEL", _) => {
            let levels = [Level::Exact, Level::Fuzzy, Level::Loose].map(Level::as_str);
            let only = Strategy::ALL.iter().map(|strategy| strategy.as_str());
            Sort::Words(levels.into_iter().chain(only.filter(|name| !levels.contains(name))).collect())
        }
        ("MODE", _) => Sort::Words(vec!["original", "sequence"]),
        ("KIND", "kind") => Sort::Words(vec!["edit", "undo", "redo", "external"]),
        ("KIND", _) if matches!(command, "undo" | "redo") => Sort::Words(vec!["history", "commit"]),
        ("KIND", _) => Sort::Words(vec!["history", "commit", "stash", "none"]),
        ("TIME", _) => Sort::Words(vec!["today", "yesterday"]),
        ("FORMAT", _) => Sort::Words(vec!["oneline", "medium"]),
        ("FORM", "date") => {
            Sort::Words(vec!["relative", "local", "iso", "iso-strict", "rfc", "short", "raw", "unix", "format:"])
        }
        ("DIR", _) => Sort::Dirs,
        ("FILE" | "PATH", _) => Sort::Files,
        (_, "command") => Sort::Files,
        _ => Sort::Free,
    }
}

fn dialects() -> Vec<&'static str> {
    ["native"].into_iter().chain(Dialect::ALL.into_iter().map(Dialect::as_str)).collect()
}

fn commands(spot: &Spot<'_>) -> Vec<Candidate> {
    let shown = spot.command.get_subcommands().filter(|command| !command.is_hide_set());
    let told = |command: &clap::Command| command.get_about().map(ToString::to_string).unwrap_or_default();
    shown.map(|command| Candidate::new(command.get_name(), told(command))).collect()
}

/// Long ones, and short ones that have no long form.
fn flags(spot: &Spot<'_>) -> Vec<Candidate> {
    let options = spot
        .command
        .get_opts()
        .chain(spot.command.get_arguments().filter(|arg| !arg.is_positional() && !arg.get_action().takes_values()));
    let mut out = Vec::new();
    for arg in options.filter(|arg| !arg.is_hide_set()) {
        let told = arg.get_help().map(ToString::to_string).unwrap_or_default();
        match (arg.get_long(), arg.get_short()) {
            (Some(long), _) => out.push(Candidate::new(format!("--{long}"), told)),
            (None, Some(short)) => out.push(Candidate::new(format!("-{short}"), told)),
            (None, None) => {}
        }
    }
    out
}

/// None where there is nothing to be read.
fn of_history(kept: Kept, spot: &Spot<'_>, env: &Env) -> Option<Offer> {
    let workspace = Workspace::discover(env).ok()?;
    let history = History::open(workspace.repo()).ok()?;
    let look = Look { history: &history, env, end: env.clock().instant() + LONGEST };
    let value = spot.value;
    let found = match kept {
        Kept::Records(standing) => look.records("", value, standing),
        Kept::Range => look.range(value),
        Kept::RecordOrFile => match value.split_once(':') {
            Some((id, path)) => look.paths(&format!("{id}:"), path, From::Root),
            None => look.range(value),
        },
        Kept::PathOrRange if is_range(value) => look.range(value),
        Kept::PathOrRange | Kept::Paths => look.paths("", value, From::Here),
        Kept::Agents => look.names(|item| item.record.meta.agent.as_deref()),
        Kept::Models => look.names(|item| item.record.meta.model.as_deref()),
        Kept::Sessions => look.names(|item| item.record.meta.session.as_deref()),
        Kept::Turns => look.names(|item| {
            let meta = &item.record.meta;
            let is_meant = spot.session.is_none_or(|session| meta.session.as_deref() == Some(session));
            meta.turn.as_deref().filter(|_| is_meant)
        }),
    };
    Some(if found.is_empty() { kept.without_any() } else { Offer::Values(found) })
}

/// Whether the beginning of a range is typed, and no way up.
fn is_range(value: &str) -> bool {
    value.split_once("..").is_some_and(|(first, _)| !first.is_empty() && !first.contains('/'))
}

/// From where paths are named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum From {
    Here,
    Root,
}

/// A look through the history, from the newest record on.
struct Look<'a> {
    history: &'a History<'a>,
    env: &'a Env,
    end: std::time::Instant,
}

impl Look<'_> {
    fn is_over(&self) -> bool {
        self.env.clock().instant() >= self.end
    }

    fn range(&self, value: &str) -> Vec<Candidate> {
        match value.split_once("..") {
            Some((first, second)) => self.records(&format!("{first}.."), second, Standing::Any),
            None => self.records("", value, Standing::Any),
        }
    }

    fn records(&self, before: &str, typed: &str, standing: Standing) -> Vec<Candidate> {
        let filter = if typed.is_empty() { Filter::default() } else { Filter::of([typed.as_bytes()]) };
        let Ok(found) = self.history.effects(Scope::Own, filter) else { return Vec::new() };
        let mut out = Vec::new();
        for (item, effect) in found.flatten() {
            if out.len() >= MOST || self.is_over() {
                break;
            }
            let id = &item.record.id;
            if id.as_str().starts_with(typed) && is_meant(standing, &item, &effect) {
                let shown = if typed.len() > short(id).len() { id.as_str() } else { short(id) };
                out.push(Candidate::new(format!("{before}{shown}"), self.told(&item, &effect)));
            }
        }
        out
    }

    /// What a record did, and when.
    fn told(&self, item: &Item, effect: &Effect) -> String {
        let record = &item.record;
        let message = record.meta.message.as_ref().and_then(|message| message.lines().next());
        let message = message.map_or(String::new(), |message| format!(": {message}"));
        let undone = effect.undone_by().map_or("", |_| " (undone)");
        let age = crate::env::when::relative(self.env, record.time_ms);
        format!("{age}{undone}, {}{message}", record.subject())
    }

    /// Names, that of the newest record first, each with when it was last at work.
    fn names(&self, name: impl Fn(&Item) -> Option<&str>) -> Vec<Candidate> {
        let Ok(found) = self.history.items(Scope::Own, Filter::default()) else { return Vec::new() };
        let (mut seen, mut out) = (BTreeSet::new(), Vec::new());
        for item in found.flatten() {
            if out.len() >= MOST || self.is_over() {
                break;
            }
            let Some(name) = name(&item) else { continue };
            if seen.insert(name.to_owned()) {
                let age = crate::env::when::relative(self.env, item.record.time_ms);
                let told = match &item.record.meta.agent {
                    Some(agent) if agent != name => format!("{agent}, {age}"),
                    _ => age,
                };
                out.push(Candidate::new(name, told));
            }
        }
        out
    }

    /// The paths that records touched, as far as the next `/` behind what is typed.
    fn paths(&self, before: &str, typed: &str, from: From) -> Vec<Candidate> {
        let Ok(found) = self.history.items(Scope::Own, Filter::default()) else { return Vec::new() };
        let here = here(self.history.repo());
        let written = |path: &RepoPath| match (from, typed.strip_prefix(":/")) {
            (From::Root, _) => path.to_string_lossy(),
            (From::Here, Some(_)) => format!(":/{path}"),
            (From::Here, None) => from_here(path, &here).to_string(),
        };
        let mut out = BTreeSet::new();
        for item in found.flatten() {
            if self.is_over() {
                break;
            }
            let files = item.record.files.iter().flat_map(|file| file.from.iter().chain([&file.path]));
            for path in files.filter(|path| path.base64().is_none()) {
                let path = written(path);
                let Some(rest) = path.strip_prefix(typed) else { continue };
                // What lies above is asked for by two dots.
                if path.starts_with("../") && !typed.starts_with("..") {
                    continue;
                }
                let end = rest.find('/').map_or(path.len(), |at| typed.len() + at + 1);
                out.insert(format!("{before}{}", &path[..end]));
            }
        }
        out.into_iter().map(|path| Candidate::new(path, "")).collect()
    }
}

fn is_meant(standing: Standing, item: &Item, effect: &Effect) -> bool {
    let is_undo = item.record.kind == RecordClass::Undo;
    match standing {
        Standing::Any => true,
        Standing::InForce => !is_undo && effect.undone_by().is_none(),
        Standing::Undos => is_undo && effect.undone_by().is_none(),
    }
}
