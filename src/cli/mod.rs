//! The command line: one file per command, `struct XArgs` and `fn run`.
//!
//! Owns arguments, printing and exit statuses. Has no logic of its own: every command is an adapter over a use case.
//! Invariant: standard output carries the answer and nothing else.

mod apply;
mod ask;
mod backups;
mod blame;
mod commit;
mod complete;
mod completions;
mod context;
mod date;
mod diff;
mod editor;
mod export;
mod format;
mod fsck;
mod gc;
mod git_hook;
mod hook;
mod hooks;
mod install;
mod line_range;
mod log;
mod man;
#[cfg(feature = "mcp")]
mod mcp;
mod one_command;
mod output;
mod page;
mod paint;
mod paths;
mod pick;
mod purge;
mod read;
mod records;
mod recover;
mod redo;
mod report;
mod restore;
#[cfg(feature = "review")]
mod review;
mod run;
mod schema;
#[cfg(feature = "review")]
mod screen;
mod search;
mod selection;
#[cfg(target_os = "linux")]
mod serve;
mod sessions;
mod show;
mod signals;
mod stat;
mod status;
mod sync;
mod tour;
mod undo;
mod usage;
#[cfg(target_os = "linux")]
mod via_server;
mod walk;
mod waiting;
mod watch;
mod when;

use crate::env::Env;
use crate::text::quoted_file;
use anyhow::Context as _;
use clap::{CommandFactory, Parser, Subcommand};
use context::Context;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Transactional edits of git working trees, for coding agents and the people who work with them.
///
/// redraft takes an edit request (old text, new text), proves that it fits, writes all files of it or none, keeps the old
/// versions, and records what was done. Requests come as JSON on standard input; answers are JSON on standard output, or
/// text on a terminal.
#[derive(Debug, Parser)]
#[command(name = "redraft", version, propagate_version = true, max_term_width = 100)]
#[command(after_help = "Examples:
  echo '{\"path\": \"src/a.rs\", \"old_string\": \"foo\", \"new_string\": \"bar\"}' | redraft apply
  redraft check request.json          # what would it do?
  redraft read src/a.rs --lines 10:20
  redraft backups list                # the old versions

Paths on the command line begin at the current directory, as git's do, and with :/ at the root of the working tree. Those in requests,
and that of `read`, which requests take up, begin at the root.

Exit status:
  0  done (also a dry run, also where only the preview was cut)
  1  the request or the state is at fault
  2  wrong usage
  3  the system or a program that was run failed
  4  something took too long")]
pub struct Cli {
    /// Run as if started in this directory
    #[arg(short = 'C', value_name = "DIR", global = true)]
    directory: Option<PathBuf>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Apply(apply::ApplyArgs),
    Check(apply::CheckArgs),
    Read(read::ReadArgs),
    Run(run::RunArgs),
    Watch(watch::WatchArgs),
    #[cfg(feature = "mcp")]
    Mcp(mcp::McpArgs),
    #[cfg(target_os = "linux")]
    Serve(serve::ServeArgs),
    Hook(hook::HookArgs),
    Recover(recover::RecoverArgs),
    Log(log::LogArgs),
    Sessions(sessions::SessionsArgs),
    Show(show::ShowArgs),
    Diff(diff::DiffArgs),
    Blame(blame::BlameArgs),
    Status(status::StatusArgs),
    #[cfg(feature = "review")]
    Review(review::ReviewArgs),
    Report(report::ReportArgs),
    Undo(undo::UndoArgs),
    Redo(redo::RedoArgs),
    Restore(restore::RestoreArgs),
    Commit(commit::CommitArgs),
    Backups(backups::BackupsArgs),
    Export(export::ExportArgs),
    Fsck(fsck::FsckArgs),
    Gc(gc::GcArgs),
    Purge(purge::PurgeArgs),
    Sync(sync::SyncArgs),
    Hooks(hooks::HooksArgs),
    Install(install::InstallArgs),
    Uninstall(install::UninstallArgs),
    #[command(hide = true)]
    GitHook(git_hook::GitHookArgs),
    Tour(tour::TourArgs),
    Schema(schema::SchemaArgs),
    #[command(hide = true)]
    Complete(complete::CompleteArgs),
    Completions(completions::CompletionsArgs),
    Man(man::ManArgs),
}

/// Parses the arguments (the first is the program's name), runs the command, gives its exit status.
pub fn main(args: Vec<OsString>) -> ExitCode {
    keep_memory();
    if one_command::is_version(&args) {
        return output::version();
    }
    let parsed = match alone(&args) {
        Some(command) => Ok(Cli { directory: None, command }),
        None => Cli::try_parse_from(&args),
    };
    let cli = match parsed {
        Ok(cli) => cli,
        Err(error) => return usage::misunderstood::<Cli>(&error, &args),
    };
    let env = match surroundings(cli.directory.as_deref()) {
        Ok(env) => env,
        // A harness takes an exit status of 2 for a no.
        Err(_) if matches!(cli.command, Command::Hook(_)) => return hook::neutral(),
        Err(error) => return output::usage(&error),
    };
    let context = Context { env, args };
    let (only_tells, has_own_way) = (cli.command.only_tells(), cli.command.has_own_way_to_warn());
    let code = cli.command.run(&context);
    if !has_own_way {
        output::warn_of_untold(&context);
    }
    if only_tells { output::whole(code) } else { code }
}

impl Command {
    /// Whether the answer is all that it gives.
    fn only_tells(&self) -> bool {
        matches!(
            self,
            Self::Check(_)
                | Self::Read(_)
                | Self::Log(_)
                | Self::Sessions(_)
                | Self::Show(_)
                | Self::Diff(_)
                | Self::Blame(_)
                | Self::Status(_)
                | Self::Report(_)
                | Self::Export(_)
                | Self::Fsck(_)
                | Self::Schema(_)
                | Self::Completions(_)
                | Self::Man(_)
        )
    }

    /// Whether damage that is met is told in its answers, or standard error is no place for it.
    fn has_own_way_to_warn(&self) -> bool {
        match self {
            #[cfg(feature = "mcp")]
            Self::Mcp(_) => true,
            #[cfg(target_os = "linux")]
            Self::Serve(_) => true,
            Self::Apply(_) | Self::Check(_) | Self::Run(_) | Self::Watch(_) | Self::Hook(_) | Self::Complete(_) => true,
            Self::GitHook(args) => !args.may_warn(),
            _ => false,
        }
    }

    fn run(self, context: &Context) -> ExitCode {
        match self {
            Self::Apply(args) => args.run(context),
            Self::Check(args) => args.run(context),
            Self::Read(args) => args.run(context),
            Self::Run(args) => args.run(context),
            Self::Watch(args) => args.run(context),
            #[cfg(feature = "mcp")]
            Self::Mcp(args) => args.run(context),
            #[cfg(target_os = "linux")]
            Self::Serve(args) => args.run(context),
            Self::Hook(args) => args.run(context),
            Self::Recover(args) => args.run(context),
            Self::Log(args) => args.run(context),
            Self::Sessions(args) => args.run(context),
            Self::Show(args) => args.run(context),
            Self::Diff(args) => args.run(context),
            Self::Blame(args) => args.run(context),
            Self::Status(args) => args.run(context),
            #[cfg(feature = "review")]
            Self::Review(args) => args.run(context),
            Self::Report(args) => args.run(context),
            Self::Undo(args) => args.run(context),
            Self::Redo(args) => args.run(context),
            Self::Restore(args) => args.run(context),
            Self::Commit(args) => args.run(context),
            Self::Backups(args) => args.run(context),
            Self::Export(args) => args.run(context),
            Self::Fsck(args) => args.run(context),
            Self::Gc(args) => args.run(context),
            Self::Purge(args) => args.run(context),
            Self::Sync(args) => args.run(context),
            Self::Hooks(args) => args.run(context),
            Self::Install(args) => args.run(context),
            Self::Uninstall(args) => args.run(context),
            Self::GitHook(args) => args.run(context),
            Self::Tour(args) => args.run(context),
            Self::Schema(args) => args.run(),
            Self::Complete(args) => args.run(command(), context),
            Self::Completions(args) => args.run(command()),
            Self::Man(args) => args.run(command(), context),
        }
    }
}

/// The command of these arguments, the first of which is the program's name, where it is one that is called often.
fn alone(args: &[OsString]) -> Option<Command> {
    let (name, own) = args.get(1..)?.split_first()?;
    Some(match name.to_str()? {
        "apply" => Command::Apply(one_command::of(own)?),
        "check" => Command::Check(one_command::of(own)?),
        "read" => Command::Read(one_command::of(own)?),
        "run" => Command::Run(one_command::of(own)?),
        "hook" => Command::Hook(one_command::of(own)?),
        "git-hook" => Command::GitHook(one_command::of(own)?),
        "log" => Command::Log(one_command::of(own)?),
        "show" => Command::Show(one_command::of(own)?),
        "diff" => Command::Diff(one_command::of(own)?),
        "blame" => Command::Blame(one_command::of(own)?),
        "status" => Command::Status(one_command::of(own)?),
        "undo" => Command::Undo(one_command::of(own)?),
        "redo" => Command::Redo(one_command::of(own)?),
        "complete" => Command::Complete(one_command::of(own)?),
        "recover" => Command::Recover(one_command::of(own)?),
        _ => return None,
    })
}

/// What surrounds the process, as if started in `directory`.
fn surroundings(directory: Option<&Path>) -> anyhow::Result<Env> {
    let env = Env::from_process().context("the current directory is gone")?.with_interrupt(signals::interrupt());
    let Some(directory) = directory else { return Ok(env) };
    env.moved_to(directory).with_context(|| format!("cannot change to {}", quoted_file(directory)))
}

/// Makes the allocator keep what is freed until the process ends, which is soon: glibc learns from the first large block
/// that is freed how much to keep, and memory that is given back and taken again costs more than the edit of a file.
fn keep_memory() {
    const LARGE: usize = 30 << 20;
    drop(std::hint::black_box(Vec::<u8>::with_capacity(LARGE)));
}

/// The whole command line, for completions, man pages and docs/cli.md.
pub fn command() -> clap::Command {
    Cli::command()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<OsString> {
        line.split_whitespace().map(OsString::from).collect()
    }

    #[test]
    fn what_is_understood_alone_is_what_the_whole_command_line_understands() {
        for (line, is_alone) in [
            ("redraft apply", true),
            ("redraft apply request.json --dry-run --answer brief --diff-lines 3", true),
            ("redraft apply --agent a --session s --via-server -", true),
            ("redraft check --dialect native", true),
            ("redraft read src/a.rs --lines 10:20", true),
            ("redraft run -- sh -c true", true),
            ("redraft run -- sh --help", false),
            ("redraft hook claude-code", true),
            ("redraft hook --help", false),
            ("redraft hook -hV", false),
            ("redraft hook --version", false),
            ("redraft hook -C dir codex", false),
            ("redraft hook --unknown", true),
            ("redraft log -n 3 --json src", true),
            ("redraft show abc:path", true),
            ("redraft diff --session s", true),
            ("redraft blame a.txt --json", true),
            ("redraft status --json", true),
            ("redraft undo abc def -- a b", true),
            ("redraft redo --dry-run", true),
            ("redraft recover", true),
            ("redraft complete zsh -- redraft lo", true),
            ("redraft -C dir apply", false),
            ("redraft apply -C dir", false),
            ("redraft undo --help", false),
            ("redraft log -h", false),
            ("redraft log --version", false),
            ("redraft apply --no-such-flag", false),
            ("redraft gc", false),
            ("redraft", false),
            ("redraft appl", false),
        ] {
            let whole = Cli::try_parse_from(words(line)).map(|cli| format!("{:?}", cli.command));
            let alone = alone(&words(line)).map(|command| format!("{command:?}"));
            assert_eq!(alone.is_some(), is_alone, "{line}");
            assert!(alone.is_none_or(|alone| whole.is_ok_and(|whole| whole == alone)), "{line}");
        }
    }

    #[test]
    fn the_version_is_asked_for_by_itself() {
        assert!(one_command::is_version(&words("redraft --version")) && one_command::is_version(&words("redraft -V")));
        assert!(
            !one_command::is_version(&words("redraft apply --version")) && !one_command::is_version(&words("redraft"))
        );
    }
}
