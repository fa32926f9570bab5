//! `redraft backups`.

use super::ask;
use super::context::Context;
use super::output::{self, Form};
use super::paths;
use crate::env::Env;
use crate::policy::parse_retention;
use crate::text::{quoted_file, quoted_path};
use crate::transaction::{Backup, BackupRetention};
use crate::usecase::restore::{Restored, list, of_record, prune, restore, surplus};
use crate::usecase::{Place, Programs};
use clap::{Args, Subcommand};
use serde_json::json;
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
    /// The files of one backup
    Show {
        /// The record, or the beginning of its id
        id: String,
    },
    /// Bring files back as they were before that edit, as an edit of its own
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
            BackupsCommand::List => list(env).map(|found| lines(env, &found, List::of(self.json.into(), List::Lines))),
            BackupsCommand::Show { id } => {
                of_record(env, &id).map(|found| lines(env, &found, List::of(self.json.into(), List::Files)))
            }
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
                    lines(env, &removed.done, List::of(self.json.into(), List::Lines))
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

/// How backups are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum List {
    Json,
    /// A line for each backup.
    Lines,
    /// A line for each file.
    Files,
}

impl List {
    fn of(form: Form, for_people: Self) -> Self {
        if form == Form::Json { Self::Json } else { for_people }
    }
}

fn lines(env: &Env, backups: &[Backup], list: List) -> String {
    let one = |backup: &Backup| {
        let names = backup.files.iter().map(|(path, size)| paths::json(path, json!({"size_bytes": size})));
        if list == List::Json {
            return output::json(&json!({
                "id": backup.id, "time": backup.time.to_string(), "folder": backup.folder.to_string_lossy(),
                "size_bytes": backup.size(), "files": names.collect::<Vec<_>>(),
            }));
        }
        if list == List::Files {
            let path = |(path, size): &(crate::path::RepoPath, u64)| {
                format!("{size:>10} {}\n", quoted_file(&backup.folder.join(path.to_path())))
            };
            return backup.files.iter().map(path).collect();
        }
        let time = backup.time.to_zoned(env.clock().time_zone()).strftime("%Y-%m-%d %H:%M:%S");
        let first = backup.files.first().map(|(path, _)| quoted_path(path)).unwrap_or_default();
        let more = if backup.files.len() > 1 { format!(" and {} more", backup.files.len() - 1) } else { String::new() };
        format!("{} {time} {:>9} {first}{more}\n", backup.id, backup.size())
    };
    backups.iter().map(one).collect()
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
