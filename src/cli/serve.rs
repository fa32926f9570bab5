//! `redraft serve`.

use super::apply::{ApplyArgs, CheckArgs};
use super::context::Context;
use super::one_command;
use super::output::{self, AnswerForm};
use super::read::ReadArgs;
use super::redo::RedoArgs;
use super::undo::UndoArgs;
use super::when;
use crate::answer::Envelope;
use crate::code::Reason;
use crate::dialect::{self, NativeAnswer};
use crate::env::Env;
use crate::serve::{Ask, Options, SocketPath, Told, Turn, listen};
use crate::usecase::Answer;
use anyhow::Context as _;
use clap::{Args, Parser, Subcommand, ValueHint};
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// A line holds a request, as a string in JSON: at most six bytes for each of it, and what goes with it.
const LONGEST_LINE: u64 = 6 * (64 << 20) + (1 << 20);

/// Do edits for other programs, with repositories kept open
///
/// One server for all repositories of a user: `redraft apply --via-server` and programs that speak its protocol (docs/serve.md: one
/// JSON object a line, over a Unix socket) are answered as `redraft apply`, `check`, `read`, `undo` and `redo` would answer. What runs programs
/// (a verification, records in git) or asks a person is handed back, to be done by redraft itself. Ends on Ctrl-C, or when nobody
/// called for long; what is on its way then is done and answered. Only on Linux.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  redraft serve &
  redraft apply --via-server request.json
  redraft serve --idle 60 --socket /run/user/1000/redraft/ci")]
pub(crate) struct ServeArgs {
    /// Where [default: $REDRAFT_SOCKET, else redraft/serve in $XDG_RUNTIME_DIR, else /tmp/redraft-UID/serve]
    #[arg(long, value_name = "PATH", value_hint = ValueHint::FilePath)]
    socket: Option<PathBuf>,
    /// End after so many seconds without a call
    #[arg(long, value_name = "SECONDS", default_value = "900", value_parser = when::seconds)]
    idle: Duration,
}

impl ServeArgs {
    pub(super) fn run(self, context: &Context) -> ExitCode {
        let place = match self.socket {
            Some(path) => SocketPath::at(context.env.cwd().join(path)),
            None => SocketPath::of(&context.env),
        };
        let options = Options { place: place.clone(), idle: self.idle, longest_line: LONGEST_LINE };
        let begun = || output::complain(&format!("serving at {}; Ctrl-C ends it", place.path().display()));
        match listen(&context.env, &options, Box::new(done), begun)
            .with_context(|| format!("cannot serve at {}", place.path().display()))
        {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => output::failed(&error),
        }
    }
}

/// The commands that are served.
#[derive(Debug, Parser)]
#[command(name = "redraft", disable_help_flag = true, disable_help_subcommand = true)]
struct Call {
    /// The caller is there already.
    #[arg(short = 'C', value_name = "DIR", global = true)]
    _directory: Option<PathBuf>,
    #[command(subcommand)]
    command: Served,
}

#[derive(Debug, Subcommand)]
enum Served {
    Apply(ApplyArgs),
    Check(CheckArgs),
    Read(ReadArgs),
    Undo(Box<UndoArgs>),
    Redo(Box<RedoArgs>),
}

/// Does a call as its command would.
fn done(turn: &mut Turn<'_>, env: &Env, ask: &Ask) -> Told {
    let words = if ask.args.is_empty() { vec!["apply".to_owned()] } else { ask.args.clone() };
    let refused = |text: &str| Told::refused(ask.id.clone(), Reason::NotServed, text);
    let command = match parsed(&words) {
        Ok(command) => command,
        Err(error) => {
            let why = "only apply, check, read, undo and redo are served; nothing was done; run redraft by itself";
            return refused(&format!("{}\n{why}", error.to_string().trim_end()));
        }
    };
    // An edit that waits for its sync has not changed its files yet: whoever only looks comes behind it, and undo takes the lock itself.
    if !matches!(command, Served::Apply(_)) && turn.group.is_open() {
        turn.group.postpone();
        return refused("other edits are on their way");
    }
    let input = match (&ask.input, &ask.request) {
        (Some(input), _) => input.clone().into_bytes(),
        (None, Some(request)) => request.to_string().into_bytes(),
        (None, None) => Vec::new(),
    };
    let (answer, form) = match command {
        Served::Apply(args) => ApplyArgs::served(args, turn, env, &input),
        Served::Check(args) => CheckArgs::served(args, turn, env, &input),
        Served::Read(args) => return read(args, turn, env, ask),
        Served::Undo(args) => return undone(args.served(turn, env), ask),
        Served::Redo(args) => return undone(args.served(turn, env), ask),
    };
    told(ask, &answer.envelope, rendered(&answer, form))
}

/// The command of a call.
fn parsed(words: &[String]) -> Result<Served, clap::Error> {
    let own: Vec<OsString> = words.iter().skip(1).map(OsString::from).collect();
    let known = match words.first().map(String::as_str) {
        Some("apply") => one_command::of(&own).map(Served::Apply),
        Some("check") => one_command::of(&own).map(Served::Check),
        Some("read") => one_command::of(&own).map(Served::Read),
        _ => None,
    };
    let whole = || Call::try_parse_from(std::iter::once("redraft").chain(words.iter().map(String::as_str)));
    known.map_or_else(|| whole().map(|call| call.command), Ok)
}

fn undone((answer, form): (Envelope, AnswerForm), ask: &Ask) -> Told {
    told(ask, &answer, envelope(&answer, form))
}

fn read(args: ReadArgs, turn: &mut Turn<'_>, env: &Env, ask: &Ask) -> Told {
    let (answer, form) = args.served(turn, env);
    let output = match (form, answer.content) {
        (AnswerForm::Text, Some(content)) => String::from_utf8_lossy(&content).into_owned(),
        (form, _) => envelope(&answer.envelope, form),
    };
    told(ask, &answer.envelope, output)
}

fn told(ask: &Ask, envelope: &Envelope, output: String) -> Told {
    let status = envelope.error.as_ref().map_or(0, |error| error.code.exit_status());
    let reason = envelope.data.reason.map(|reason| reason.as_str().to_owned());
    Told { id: ask.id.clone(), status, output, reason }
}

fn rendered(answer: &Answer, form: AnswerForm) -> String {
    if form != AnswerForm::Native {
        return envelope(&answer.envelope, form);
    }
    match dialect::answer(answer.dialect, &answer.envelope, &answer.native) {
        NativeAnswer::Json(value) => value.to_string() + "\n",
        NativeAnswer::Text(text) => output::ended(text),
    }
}

/// As it is printed where nobody looks at a terminal.
fn envelope(envelope: &Envelope, form: AnswerForm) -> String {
    let json = |value: serde_json::Result<String>| value.map_or_else(|error| error.to_string(), output::ended);
    match form {
        AnswerForm::Text => output::plain(envelope),
        AnswerForm::Brief => json(serde_json::to_string(&envelope.brief())),
        AnswerForm::Envelope | AnswerForm::Native => json(serde_json::to_string(envelope)),
    }
}
