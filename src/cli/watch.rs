//! `redraft watch`.

use super::context::Context;
use super::output;
use super::when;
use crate::error::Error;
use crate::observe::{FileEvents, Heard};
use crate::usecase::Noted;
use crate::usecase::observe::{self, Before, Observations, ObservedRecord};
use clap::Args;
use serde_json::json;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// So often it is asked whether to stop.
const TICK: Duration = Duration::from_millis(100);

/// Where not all directories can be listened to, the tree is looked at so often.
const POLL: Duration = Duration::from_secs(5);

/// Changes that never pause are recorded so often.
const LONGEST: Duration = Duration::from_secs(10);

/// Record what nobody else does, for as long as this runs
///
/// For editors, and agents without hooks: what changes in files that git does not ignore, and is neither redraft's own edit
/// nor within a call of an agent that hooks tell of, becomes a record of tool `unattributed`, once nothing changed for a
/// while. It can be shown, blamed and undone like any other. Ctrl-C ends it, and records what is left.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  redraft watch
  redraft watch --quiet-time 5 --json >> changes.jsonl")]
pub(crate) struct WatchArgs {
    /// So long nothing must change before it is recorded, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "1", value_parser = when::seconds)]
    quiet_time: Duration,
    /// Tell each record as one JSON object a line
    #[arg(long)]
    json: bool,
}

impl WatchArgs {
    pub(super) fn run(self, context: &Context) -> ExitCode {
        match self.watch(context) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => output::error(&error, self.json.into()),
        }
    }

    fn watch(&self, context: &Context) -> Result<(), Error> {
        let now = || context.env.clock().instant();
        let since = |then: Instant| now().saturating_duration_since(then);
        let listening = context.env.interrupt().listen();
        let mut watch = observe::watch(&context.env)?;
        let mut events = FileEvents::new().map_err(Error::io("listen to", "changes of files"))?;
        events.listen_to_new(watch.repo())?;
        output::complain(&format!("watching {}; Ctrl-C ends it", watch.repo().root().to_string_lossy()));
        if !events.is_complete() {
            let every = POLL.as_secs();
            output::complain(&format!(
                "the system lets not all directories be listened to; looking every {every} seconds"
            ));
        }
        // What changed between the first look and the first word is not heard.
        let (mut first, mut last) = (Some(now()), now());
        while !listening.is_told_to_stop() {
            if events.wait(TICK) == Heard::Something {
                last = now();
                first = first.or(Some(last));
            }
            let is_due = first.is_some_and(|first| since(last) >= self.quiet_time || since(first) >= LONGEST);
            if is_due || (!events.is_complete() && since(last) >= POLL) {
                // What happened in a directory before it was listened to is seen by the next look.
                let has_new = events.listen_to_new(watch.repo())?;
                let is_done = self.look(&mut watch);
                last = now();
                first = if has_new || !is_done { Some(last) } else { None };
            }
        }
        let end = watch.record()?;
        self.tell(&end);
        Ok(())
    }

    /// Whether it could be done; else it is tried again.
    fn look(&self, watch: &mut Before) -> bool {
        match watch.look_again() {
            Ok(found) => {
                self.tell(&found);
                true
            }
            Err(error) => {
                output::complain(&format!("nothing was recorded, it is tried again: {}", output::explained(&error)));
                false
            }
        }
    }

    fn tell(&self, Noted { done: Observations { records, unrecorded }, notes }: &Noted<Observations>) {
        for ObservedRecord { id, subject, paths } in records {
            let line = if self.json {
                let mut told = json!({"id": id, "paths": super::paths::strings(paths)});
                super::paths::add_bytes(&mut told, "paths_b64", paths);
                output::json(&told)
            } else {
                format!("{id} {subject}\n")
            };
            output::print(line.as_bytes());
        }
        for file in unrecorded {
            output::complain(&format!("not recorded: {} {}", file.path.to_string_lossy(), file.why));
        }
        output::warn(&output::sentences(notes));
    }
}
