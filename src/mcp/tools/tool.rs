//! What a tool is, and what tools have in common.
//!
//! Owns opening the tree of a call, the paths below it, and which records are meant.

use crate::env::Env;
use crate::error::Error;
use crate::history::{Beginning, History, HistoryError, Item, Selection};
use crate::mcp::answer::{Refusal, ToolAnswer};
use crate::mcp::arguments::{self, Arguments};
use crate::mcp::confirm::Asking;
use crate::mcp::roots::Served;
use crate::path::{PathError, RepoPath};
use crate::request::Agent;
use crate::serve::Warm;
use crate::transaction::Group;
use crate::usecase::{envelope_of_error, real};
use crate::workspace::Workspace;
use serde_json::{Map, Value, json};
use std::path::PathBuf;

/// A tool.
pub struct Tool {
    pub name: &'static str,
    pub title: &'static str,
    /// For the model, in words that a search for such a tool finds.
    pub description: fn() -> String,
    pub effect: Effect,
    pub input: fn() -> Input,
    pub run: fn(&Call<'_>, &Opened<'_>, Arguments) -> Result<ToolAnswer, Refusal>,
}

/// The arguments of a tool.
pub struct Input {
    /// Their schemas, by name.
    pub properties: Value,
    /// Which must be there.
    pub required: &'static [&'static str],
}

impl Tool {
    /// Refuses arguments that the tool does not have; `edit`'s are a request's, which says more of them.
    ///
    /// # Errors
    /// Where there is one; the answer names those that there are.
    pub fn refuse_unknown(&self, arguments: &Arguments) -> Result<(), Refusal> {
        let properties = (self.input)().properties;
        let known: Vec<&String> = properties.as_object().into_iter().flat_map(|known| known.keys()).collect();
        let Some(unknown) = arguments.keys().find(|name| self.effect != Effect::Edits && !known.contains(name)) else {
            return Ok(());
        };
        let known: Vec<String> = known.into_iter().map(|name| format!("`{name}`")).collect();
        let text = format!(
            "`{unknown}` is no argument of {}; there are {}; correct it and call again",
            self.name,
            known.join(", ")
        );
        Err(ToolAnswer::refused(text).with("reason", "unknown_field").into())
    }
}

/// What a tool does to files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    Reads,
    /// Does what its arguments say; edits that wait for one another share a sync.
    Edits,
    /// Does to files what records say.
    TakesBack,
}

/// Which tools are offered.
#[derive(Debug, Clone, Copy)]
pub struct Offer {
    pub is_read_only: bool,
    pub has_several_roots: bool,
}

/// What a tool is handed beside its arguments.
pub struct Call<'a> {
    pub env: &'a Env,
    pub caller: &'a Agent,
    pub asking: &'a Asking,
    pub group: &'a Group,
}

/// The tree of a call.
pub struct Opened<'a> {
    pub env: &'a Env,
    pub served: &'a Served,
    pub workspace: &'a Workspace,
    /// What paths are relative to.
    pub base: PathBuf,
    /// Where only a part of the working tree is served: which.
    pub within: Option<RepoPath>,
}

impl<'a> Opened<'a> {
    /// Opens the tree of a folder.
    ///
    /// # Errors
    /// Where it is in no repository.
    pub fn open(env: &'a Env, served: &'a Served, warm: &'a mut Warm) -> Result<Self, Refusal> {
        let workspace = warm.workspace(env).map_err(|error| refusal(&error.into(), env))?;
        let base = served.base(workspace.repo());
        let below = base.strip_prefix(workspace.repo().root()).ok().filter(|below| !below.as_os_str().is_empty());
        let within = match below {
            Some(below) => {
                Some(RepoPath::new(below.as_os_str().as_encoded_bytes()).map_err(|e| refusal(&e.into(), env))?)
            }
            None => None,
        };
        Ok(Self { env, served, workspace, base, within })
    }

    /// The smaller sandbox, where there is one.
    pub fn root(&self) -> Option<PathBuf> {
        self.within.as_ref().map(|_| self.base.clone())
    }

    /// The path of an argument, relative to the root of the working tree.
    ///
    /// # Errors
    /// Where it is none, or lies outside.
    pub fn path(&self, path: &str) -> Result<RepoPath, Refusal> {
        let path = self.served.relative(&self.base, path)?;
        let path = path.trim_end_matches('/');
        let whole = self.within.as_ref().map_or_else(|| path.to_owned(), |within| format!("{within}/{path}"));
        let path = RepoPath::new(whole.as_bytes()).map_err(|error| self.refusal(&error.into()))?;
        // A symlink in it may lead out of what is served.
        let is_within = |within: &RepoPath| real(self.workspace, path.clone()).is_below(within);
        if self.within.as_ref().is_none_or(is_within) {
            return Ok(path);
        }
        Err(self.refusal(&PathError::Outside(path.as_bstr().into()).into()))
    }

    /// The paths of an argument; where there is none, all that is served.
    ///
    /// # Errors
    /// Where one is none, or lies outside.
    pub fn paths(&self, paths: &[String]) -> Result<Vec<RepoPath>, Refusal> {
        if paths.is_empty() {
            return Ok(self.within.iter().cloned().collect());
        }
        paths.iter().map(|path| self.path(path)).collect()
    }

    /// A record; where only a part of the working tree is served, one that is about nothing outside of it.
    ///
    /// # Errors
    /// Where there is none.
    pub fn served_record(&self, history: &History<'_>, id: &str) -> Result<Item, Error> {
        let item = history.find(id)?;
        let is_within = |path: &RepoPath| self.within.as_ref().is_none_or(|within| path.is_below(within));
        let mut files = item.record.files.iter();
        if files.all(|file| is_within(&file.path) && file.from.as_ref().is_none_or(is_within)) {
            return Ok(item);
        }
        Err(HistoryError::NoSuchRecord(format!("{id:?}")).into())
    }

    /// Why something is not done.
    pub fn refusal(&self, error: &Error) -> Refusal {
        refusal(error, self.env)
    }
}

fn refusal(error: &Error, env: &Env) -> Refusal {
    ToolAnswer::of_envelope(&envelope_of_error(error, env, Value::Null)).into()
}

/// Which records are meant.
#[derive(Debug, Default, serde::Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Which {
    pub agent: Option<String>,
    pub session: Option<String>,
    pub turn: Option<String>,
    pub since: Option<String>,
}

impl Which {
    /// As the history has it.
    ///
    /// # Errors
    /// Where a beginning is none.
    pub fn selection(&self, env: &Env) -> Result<Selection, Refusal> {
        let mut selection = Selection::default();
        selection.agent.clone_from(&self.agent);
        selection.session.clone_from(&self.session);
        selection.turn.clone_from(&self.turn);
        if let Some(since) = &self.since {
            let beginning = Beginning::read(since);
            let beginning = beginning.map_err(|why| {
                ToolAnswer::refused(format!("`since` is {since:?}, but must be {why}")).with("reason", "bad_type")
            })?;
            selection.since = Some(beginning.since(env));
        }
        Ok(selection)
    }
}

/// The properties of [`Which`].
fn which() -> Map<String, Value> {
    let text = || json!({"type": "string"});
    let since = json!({"type": "string", "description": "Time or record id"});
    let named = [("session", text()), ("turn", text()), ("since", since)];
    named.into_iter().map(|(name, schema)| (name.to_owned(), schema)).collect()
}

/// These properties, and those of [`Which`].
pub fn with_which(properties: Value) -> Value {
    let mut all = properties.as_object().cloned().unwrap_or_default();
    all.extend(which());
    Value::Object(all)
}

/// Takes the arguments of [`Which`] out of all.
pub fn take_which(arguments: &mut Arguments) -> Result<Which, Refusal> {
    let own = ["agent", "session", "turn", "since"];
    let taken = own.iter().filter_map(|name| Some(((*name).to_owned(), arguments.remove(*name)?)));
    arguments::read(taken.collect())
}
