//! `redraft run`.

use super::context::Context;
use super::output;
use super::signals;
use crate::id::RecordId;
use crate::record::{Observed, RecordMeta};
use crate::usecase::Noted;
use crate::usecase::observe::{self, Before, Observations, ObservedRecord};
use clap::Args;
use serde_json::json;
use std::ffi::OsString;
use std::io;
use std::process::{Command, ExitCode, ExitStatus};

/// The commands that this one is started by, for those that are started by it: ids with commas between.
const WITHIN: &str = "REDRAFT_RUN";

/// So many files that are not recorded are told by their names.
const MOST_TOLD: usize = 20;

/// Run a command, and record what it changes in the working tree
///
/// For programs that edit files themselves: sed, a formatter, a codemod, an agent without hooks. The command runs as it
/// would without redraft, with the same input and output; its exit status is this one's. What differs afterwards in files that git
/// does not ignore becomes a record, to be seen in `log`, `show` and `blame` and taken back with `undo`. What redraft itself recorded
/// meanwhile is not recorded twice, and what git checked out with another HEAD, or put together of commits or of a stash entry that were there
/// before, is no edit. Files over 8 MiB and symlinks are not
/// recorded, nor are files of other repositories below; what changed in such files is told on standard error as far as it is seen. Where there is no repository, or nothing can be
/// recorded, the command runs all the same.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  redraft run -- sed -i s/foo/bar/ src/a.rs
  redraft run --agent me --session s1 -- sh -c 'cargo fmt && git mv a.rs b.rs'
  redraft run -q -- npx jscodeshift -t transform.js src

Exit status: that of the command; 126 or 127 where it cannot be run or found; 128 and its number where a signal ended it.")]
pub(crate) struct RunArgs {
    /// Who runs it
    #[arg(long, value_name = "NAME")]
    agent: Option<String>,
    /// Which language model
    #[arg(long, value_name = "NAME")]
    model: Option<String>,
    /// The session that the record belongs to
    #[arg(long, value_name = "NAME")]
    session: Option<String>,
    /// The prompt of a person that it belongs to
    #[arg(long, value_name = "NAME")]
    turn: Option<String>,
    /// What to say in the record
    #[arg(long, value_name = "TEXT")]
    message: Option<String>,
    /// Do not say what was recorded; errors are told
    #[arg(short, long)]
    quiet: bool,
    /// Say what was recorded as one JSON object on standard error, behind what the command says there
    #[arg(long, conflicts_with = "quiet")]
    json: bool,
    /// The command and its arguments
    #[arg(value_name = "COMMAND", required = true, last = true)]
    command: Vec<OsString>,
}

impl RunArgs {
    pub(super) fn run(self, context: &Context) -> ExitCode {
        let outer = context.env.variable(WITHIN).and_then(|outer| outer.to_str());
        let outer = outer.into_iter().flat_map(|outer| outer.split(',')).filter_map(RecordId::parse);
        let outer: Vec<RecordId> = outer.collect();
        let before = observe::before(&context.env, self.meta(), outer.clone());
        let within: Vec<String> =
            outer.iter().chain(before.as_ref().ok().map(Before::id)).map(ToString::to_string).collect();
        let status = match self.execute(context, &within.join(",")) {
            Ok(status) => status,
            Err(error) => {
                let program = self.command.first().map(|program| program.to_string_lossy()).unwrap_or_default();
                output::complain(&format!("cannot run {program}: {error}"));
                return ExitCode::from(if error.kind() == io::ErrorKind::NotFound { 127 } else { 126 });
            }
        };
        let recorded = before.and_then(|before: Before| before.record());
        match recorded {
            Ok(found) => self.tell(&found),
            Err(error) => {
                let told = output::explained(&error);
                if self.json {
                    output::complain_as_json(&json!({"records": [], "unrecorded": [], "warnings": [], "error": told}));
                } else {
                    output::complain(&format!("nothing was recorded: {told}"));
                }
            }
        }
        ExitCode::from(exit_status(status))
    }

    fn execute(&self, context: &Context, within: &str) -> io::Result<ExitStatus> {
        let (program, args) = self.command.split_first().ok_or(io::ErrorKind::NotFound)?;
        let mut command = Command::new(program);
        command.args(args).current_dir(context.env.cwd()).env(WITHIN, within);
        signals::run(&mut command)
    }

    fn meta(&self) -> RecordMeta {
        let words: Vec<String> = self.command.iter().map(|word| word.to_string_lossy().into_owned()).collect();
        RecordMeta {
            agent: self.agent.clone(),
            model: self.model.clone(),
            session: self.session.clone(),
            turn: self.turn.clone(),
            message: self.message.clone(),
            observed: Some(Observed::by_command(&words)),
            ..RecordMeta::default()
        }
    }

    fn tell(&self, Noted { done: Observations { records, unrecorded }, notes }: &Noted<Observations>) {
        let warnings = output::sentences(notes);
        if self.json {
            let one = |record: &ObservedRecord| {
                let mut told = json!({"id": record.id, "paths": super::paths::strings(&record.paths)});
                super::paths::add_bytes(&mut told, "paths_b64", &record.paths);
                told
            };
            let records: Vec<_> = records.iter().map(one).collect();
            let unrecorded: Vec<_> =
                unrecorded.iter().map(|file| super::paths::json(&file.path, json!({"why": file.why}))).collect();
            let told = json!({"records": records, "unrecorded": unrecorded, "warnings": warnings, "error": null});
            output::complain_as_json(&told);
            return;
        }
        for record in records.iter().filter(|_| !self.quiet) {
            let (id, subject) = (&record.id, &record.subject);
            output::complain(&format!("recorded {id} ({subject}); `redraft undo {id}` takes it back"));
        }
        for file in unrecorded.iter().take(MOST_TOLD) {
            output::complain(&format!("not recorded: {} {}", file.path.to_string_lossy(), file.why));
        }
        if let more @ 1.. = unrecorded.len().saturating_sub(MOST_TOLD) {
            output::complain(&format!("not recorded: {more} more files (--json lists them)"));
        }
        output::warn(&warnings);
    }
}

/// As a shell has it.
fn exit_status(status: ExitStatus) -> u8 {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return u8::try_from(128 + signal).unwrap_or(u8::MAX);
    }
    status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(u8::MAX)
}
