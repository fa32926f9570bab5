//! `redraft backups`.

use super::ask;
use super::context::Context;
use super::output::{self, Form};
use super::paths;
use crate::env::Env;
use crate::history::{BackedUp, OldFile};
use crate::policy::parse_retention;
use crate::text::{quoted_file, quoted_path};
use crate::transaction::{Backup, BackupRetention};
use crate::usecase::restore::{Restored, list, looked_at, prune, restore, surplus};
use crate::usecase::{Place, Programs};
use clap::{Args, Subcommand};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::process::ExitCode;

/// List, show, restore and prune the old versions of edited files
///
/// Every transaction keeps the files it replaces, as plain files that `cp` can bring back.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  redraft backups list
  redraft backups show kzlmnoprstuvwxyz
  redraft backups restore kzlm src/a.rs
  redraft backups prune --keep 'count=100 days=7 size=100m' --dry-run")]
pub(crate) struct BackupsArgs {
    #[command(subcommand)]
    command: Option<BackupsCommand>,
    /// One JSON object a line
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Debug, Subcommand)]
enum BackupsCommand {
    /// The backups, newest first (the default)
    List,
    /// The files of one backup, each held against what is recorded of it
    Show {
        /// The record, or the beginning of its id
        id: String,
    },
    /// Bring files back as they were before that edit, as an edit of its own
    ///
    /// Only what is recorded as the old text is written. Where a backup has another text or is gone, that of the history is taken;
    /// where that is not kept, or nothing is left of the backup, nothing is written. What no record tells of is brought back as it lies there, and told.
    /// A file that is there no more gets the permission bits that it had; one that is there keeps its own.
    Restore {
        /// The record, or the beginning of its id
        id: String,
        /// Only these paths
        paths: Vec<PathBuf>,
    },
    /// Remove backups beyond the retention
    Prune {
        /// What stays: words of count=N, days=N, size=BYTES, or `all` [default: git config redraft.backupRetention]
        #[arg(long, value_name = "WORDS", value_parser = retention)]
        keep: Option<BackupRetention>,
        /// Only say what would be removed
        #[arg(long)]
        dry_run: bool,
    },
}

impl BackupsArgs {
    pub(super) fn run(self, context: &Context) -> ExitCode {
        let env = &context.env;
        let place = Place {
            env,
            ask: Some(&|diff| ask::on_terminal(diff, "Bring this back?", env)),
            programs: Programs::Run,
            group: None,
        };
        let done = match self.command.unwrap_or(BackupsCommand::List) {
            BackupsCommand::List => list(env).map(|found| lines(env, &found, self.json.into())),
            BackupsCommand::Show { id } => looked_at(env, &id).map(|looked| {
                output::warn(&output::sentences(&looked.notes));
                looked.done.iter().map(|one| shown(one, self.json.into())).collect()
            }),
            BackupsCommand::Restore { id, paths } => {
                let restored = paths::parse(&paths, env).and_then(|paths| restore(&place, &id, &paths));
                restored.map(|restored| {
                    output::warn(&output::sentences(&restored.notes));
                    told(&restored.done, self.json.into())
                })
            }
            BackupsCommand::Prune { keep, dry_run } => {
                let removed = if dry_run { surplus(env, keep) } else { prune(env, keep) };
                removed.map(|removed| {
                    output::warn(&output::sentences(&removed.notes));
                    lines(env, &removed.done, self.json.into())
                })
            }
        };
        match done {
            Ok(text) => {
                output::print(text.as_bytes());
                ExitCode::SUCCESS
            }
            Err(error) => output::error(&error, self.json.into()),
        }
    }
}

/// A line for each backup.
fn lines(env: &Env, backups: &[Backup], form: Form) -> String {
    let one = |backup: &Backup| {
        if form == Form::Json {
            let files = backup.files.iter().map(|(path, size)| paths::json(path, json!({"size_bytes": size})));
            return as_json(backup, files.collect());
        }
        let time = backup.time.to_zoned(env.clock().time_zone()).strftime("%Y-%m-%d %H:%M:%S");
        let first = backup.files.first().map(|(path, _)| quoted_path(path)).unwrap_or_default();
        let more = if backup.files.len() > 1 { format!(" and {} more", backup.files.len() - 1) } else { String::new() };
        format!("{} {time} {:>9} {first}{more}\n", backup.id, backup.size())
    };
    backups.iter().map(one).collect()
}

/// A line for each file that is there; for a program those that are gone, too.
fn shown(looked: &BackedUp, form: Form) -> String {
    let backup = looked.backup();
    if form == Form::Json {
        let file =
            |file: &OldFile| paths::json(&file.path, json!({"size_bytes": file.size, "condition": file.condition}));
        return as_json(backup, looked.files().iter().map(file).collect());
    }
    let line = |file: &OldFile| {
        let size = file.size?;
        Some(format!("{size:>10} {}\n", quoted_file(&backup.folder.join(file.path.to_path()))))
    };
    looked.files().iter().filter_map(line).collect()
}

fn as_json(backup: &Backup, files: Vec<Value>) -> String {
    output::json(&json!({
        "id": backup.id, "time": backup.time.to_string(), "folder": backup.folder.to_string_lossy(),
        "size_bytes": backup.size(), "files": files,
    }))
}

fn told(restored: &Restored, form: Form) -> String {
    if form == Form::Json {
        let mut told = json!({"record": restored.id, "restored": paths::strings(&restored.paths)});
        paths::add_bytes(&mut told, "restored_b64", &restored.paths);
        return output::json(&told);
    }
    let path = |path: &crate::path::RepoPath| format!("restored {}\n", quoted_path(path));
    restored.paths.iter().map(path).collect()
}

fn retention(text: &str) -> Result<BackupRetention, String> {
    parse_retention(text).ok_or_else(|| "words of count=N, days=N, size=BYTES, or `all`".to_owned())
}
