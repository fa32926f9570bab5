//! `redraft apply` and `redraft check`.

use super::ask;
use super::context::Context;
use super::output::{self, AnswerForm};
use super::when;
use crate::env::Env;
use crate::git_record::GitOptions;
use crate::history::upkeep::Extent;
use crate::request::{Agent, Dialect, Mode, RecordKind};
use crate::serve::Turn;
use crate::strategy::Level;
use crate::text::{Encoding, quoted_file};
use crate::usecase::{Answer, Overrides, Place, Programs, apply, edit};
use anyhow::Context as _;
use clap::{Args, ValueHint};
use std::fs::File;
use std::io::{self, IsTerminal, Read};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// Apply an edit request: all of it, or nothing
///
/// The request is JSON in one of the known dialects (see `redraft schema`): one file with its edits, or several files in
/// one transaction. Every old text must stand in its file exactly once (CRLF and LF alike), unless the request says
/// otherwise.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  redraft apply request.json
  redraft apply <<'END'
  {\"path\": \"src/a.rs\", \"edits\": [{\"old_string\": \"let x = 1;\", \"new_string\": \"let x = 2;\"}]}
  END
  redraft apply --dialect claude-code --answer native < call.json
  redraft apply --verify 'cargo check -q' request.json     # undone if the check fails
  redraft apply --confirm request.json                     # shows the diff and asks")]
pub(crate) struct ApplyArgs {
    #[command(flatten)]
    request: RequestArgs,
    /// Only show what would be done; write nothing at all
    #[arg(long)]
    dry_run: bool,
}

/// Say what a request would do, and write nothing at all
///
/// The same as `redraft apply --dry-run`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  redraft check request.json && redraft apply request.json
  redraft check --answer text request.json")]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    request: RequestArgs,
}

#[derive(Debug, Args)]
struct RequestArgs {
    /// The request; `-` or nothing is standard input
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    file: Option<PathBuf>,
    /// The request's format, where its shape does not tell: native, standard, claude-code, claude-code-open, opencode,
    /// apply-patch, unified-diff, search-replace, text-editor, gemini, lines
    #[arg(long, value_name = "NAME", value_parser = dialect)]
    dialect: Option<Dialect>,
    /// Whether every edit matches the original text, or each the result of the one before: original, sequence
    #[arg(long, value_name = "MODE", value_parser = mode)]
    mode: Option<Mode>,
    /// How loosely old texts are matched: exact, fuzzy, loose, or one strategy by name
    #[arg(long = "match", value_name = "LEVEL", value_parser = level)]
    level: Option<Level>,
    /// What the files are in, where nothing in them and nothing of git's tells it: shift_jis, windows-1252, utf-16le, ...
    #[arg(long, value_name = "NAME", value_parser = super::read::encoding)]
    encoding: Option<Encoding>,
    /// Where to record: history, commit, stash, none
    #[arg(long, value_name = "KIND", value_parser = record)]
    record: Option<RecordKind>,
    /// Refuse paths that differ from HEAD
    #[arg(long)]
    require_clean: bool,
    /// Refuse files that this session has not read
    #[arg(long)]
    require_read: bool,
    /// Show the diff and ask on the terminal before writing; without a terminal the answer is no
    #[arg(long)]
    confirm: bool,
    /// Run a command after writing; if it fails, everything is undone
    #[arg(long, value_name = "CMD")]
    verify: Option<String>,
    /// How long the command may run, in seconds
    #[arg(long, value_name = "SECONDS", value_parser = when::seconds)]
    verify_timeout: Option<Duration>,
    /// What to say in the record
    #[arg(long, value_name = "TEXT")]
    message: Option<String>,
    /// Who asks, for the record
    #[arg(long, value_name = "NAME")]
    agent: Option<String>,
    /// The session that asks, for the record and for receipts of reads
    #[arg(long, value_name = "NAME")]
    session: Option<String>,
    /// The prompt of a person that the edit belongs to
    #[arg(long, value_name = "NAME")]
    turn: Option<String>,
    /// A smaller sandbox: paths are relative to it, and nothing outside it is touched
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    root: Option<PathBuf>,
    /// How long to wait for another redraft, in seconds; 0 is not at all
    #[arg(long, value_name = "SECONDS", value_parser = when::seconds)]
    lock_timeout: Option<Duration>,
    /// Most lines of the diff preview; 0 is no limit
    #[arg(long, value_name = "N")]
    diff_lines: Option<usize>,
    /// Most bytes of the diff preview; 0 is no limit
    #[arg(long, value_name = "N")]
    diff_bytes: Option<usize>,
    /// With --record commit: another author than you, as `Name <address>`
    #[arg(long, value_name = "AUTHOR")]
    author: Option<String>,
    /// With --record commit: skip the hooks pre-commit and commit-msg, as in git
    #[arg(long)]
    no_verify: bool,
    /// Put the edit into the stash only, and leave the working tree alone; there is no record of it
    #[arg(long)]
    shelve: bool,
    /// Edit the staged version, and carry the edit to the working tree (made for pre-commit hooks)
    #[arg(long)]
    index: bool,
    /// How to print the answer [default: text on a terminal, envelope elsewhere]
    #[arg(long, value_name = "FORM", value_enum)]
    answer: Option<AnswerForm>,
    /// Let a running `redraft serve` do it, which has the repository open; where there is none, or it cannot, it is done here
    #[arg(long)]
    via_server: bool,
}

impl ApplyArgs {
    pub(super) fn run(self, context: &Context) -> ExitCode {
        run(self.request, self.dry_run.into(), context)
    }
}

impl CheckArgs {
    pub(super) fn run(self, context: &Context) -> ExitCode {
        run(self.request, Extent::DryRun, context)
    }
}

fn run(args: RequestArgs, extent: Extent, context: &Context) -> ExitCode {
    let bytes = match read_request(args.file.as_ref(), context) {
        Ok(bytes) => bytes,
        Err(error) => return output::usage(&error),
    };
    let form = AnswerForm::or_default(args.answer);
    #[cfg(target_os = "linux")]
    if args.via_server
        && !io::stdout().is_terminal()
        && let Some(status) = super::via_server::apply(context, &bytes)
    {
        return status;
    }
    let overrides = args.overrides(extent);
    let ask = |diff: &str| ask::on_terminal(diff, "Apply this edit?", &context.env);
    let place = Place { env: &context.env, ask: Some(&ask), programs: Programs::Run, group: None };
    output::answer(context, &apply(&bytes, &overrides, &place), form)
}

#[cfg(target_os = "linux")]
impl ApplyArgs {
    /// Does it for somebody else.
    pub(super) fn served(self, turn: &mut Turn<'_>, env: &Env, input: &[u8]) -> (Answer, AnswerForm) {
        self.request.served(self.dry_run.into(), turn, (env, input))
    }
}

#[cfg(target_os = "linux")]
impl CheckArgs {
    /// Says it to somebody else.
    pub(super) fn served(self, turn: &mut Turn<'_>, env: &Env, input: &[u8]) -> (Answer, AnswerForm) {
        self.request.served(Extent::DryRun, turn, (env, input))
    }
}

impl RequestArgs {
    #[cfg(target_os = "linux")]
    fn served(self, extent: Extent, turn: &mut Turn<'_>, (env, input): (&Env, &[u8])) -> (Answer, AnswerForm) {
        let start = env.clock().instant();
        let form = self.answer.unwrap_or(AnswerForm::Envelope);
        let overrides = self.overrides(extent);
        let place = Place { env, ask: None, programs: Programs::Refused, group: Some(turn.group) };
        (edit::answer(turn.warm.workspace(env), start, input, &overrides, &place), form)
    }

    /// What the flags add to a request.
    fn overrides(self, extent: Extent) -> Overrides {
        Overrides {
            caller: Agent::default(),
            dialect: self.dialect,
            mode: self.mode,
            level: self.level,
            encoding: self.encoding,
            dry_run: extent == Extent::DryRun,
            record: self.record,
            require_clean: self.require_clean,
            require_read: self.require_read,
            message: self.message,
            agent: self.agent,
            session: self.session,
            turn: self.turn,
            root: self.root,
            lock_timeout: self.lock_timeout,
            verify: self.verify,
            verify_timeout: self.verify_timeout,
            confirm: self.confirm,
            diff_lines: self.diff_lines,
            diff_bytes: self.diff_bytes,
            git: GitOptions { no_verify: self.no_verify, author: self.author, shelve: self.shelve, index: self.index },
        }
    }
}

/// All of the request, up to just past the largest size that any configuration can allow to be read.
fn read_request(file: Option<&PathBuf>, context: &Context) -> anyhow::Result<Vec<u8>> {
    const MOST: u64 = 4 << 30;
    let mut bytes = Vec::new();
    let read = match file {
        Some(path) if path.as_os_str() != "-" => {
            File::open(context.env.cwd().join(path)).and_then(|file| file.take(MOST).read_to_end(&mut bytes))
        }
        _ => io::stdin().lock().take(MOST).read_to_end(&mut bytes),
    };
    let name = || match file {
        Some(file) => quoted_file(file),
        None => "standard input".to_owned(),
    };
    read.with_context(|| format!("cannot read the request from {}", name()))?;
    Ok(bytes)
}

fn dialect(name: &str) -> Result<Dialect, String> {
    Dialect::from_name(name).ok_or_else(|| format!("native, {}", Dialect::ALL.map(Dialect::as_str).join(", ")))
}

fn mode(name: &str) -> Result<Mode, String> {
    match name {
        "original" => Ok(Mode::Original),
        "sequence" => Ok(Mode::Sequence),
        _ => Err("original or sequence".to_owned()),
    }
}

fn level(name: &str) -> Result<Level, String> {
    Level::from_name(name).ok_or_else(|| "exact, fuzzy, loose, or a strategy such as line-trimmed".to_owned())
}

fn record(name: &str) -> Result<RecordKind, String> {
    RecordKind::from_name(name).ok_or_else(|| "history, commit, stash or none".to_owned())
}
