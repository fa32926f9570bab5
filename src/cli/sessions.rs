//! `redraft sessions`.

use super::context::Context;
use super::output;
use super::page::{Page, Paging};
use super::when::{self, When};
use crate::error::Error;
use crate::history::{History, Scope, SessionSummary, SessionsQuery, UndoneShare};
use crate::text::one_line;
use crate::workspace::Workspace;
use anstyle::AnsiColor;
use clap::Args;
use std::process::ExitCode;

/// The sessions of agents: who, when, how much, and what of it is undone
///
/// One line a session, the one with the newest edit first. Edits that name no session stand together, agent by agent.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  redraft sessions
  redraft sessions --agent claude --since yesterday
  redraft log --session s42            # the edits of one
  redraft undo --session s42           # take all of it back
  redraft sessions --json | jq -r 'select(.undone == \"none\") | .session'")]
pub(crate) struct SessionsArgs {
    /// Only by this agent
    #[arg(long, value_name = "NAME")]
    agent: Option<String>,
    /// Only with an edit since then: RFC 3339, YYYY-MM-DD, or as git says it ("2 hours ago")
    #[arg(long, value_name = "TIME", value_parser = when::parse)]
    since: Option<When>,
    /// At most so many
    #[arg(short = 'n', long = "max-count", value_name = "N")]
    limit: Option<usize>,
    /// Those of all worktrees and clones
    #[arg(long)]
    all: bool,
    /// One JSON object a line
    #[arg(long)]
    json: bool,
}

impl SessionsArgs {
    pub(super) fn run(self, context: &Context) -> ExitCode {
        let json = self.json;
        match self.print(context) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => output::error(&error, json.into()),
        }
    }

    fn print(self, context: &Context) -> Result<(), Error> {
        let workspace = Workspace::discover(&context.env)?;
        let history = History::open(workspace.repo())?;
        let query = SessionsQuery {
            scope: if self.all { Scope::All } else { Scope::Own },
            agent: self.agent,
            since_ms: self.since.map(|when| when.in_ms(&context.env)),
            limit: self.limit,
        };
        let sessions = query.run(&history)?;
        let mut page = Page::open(&workspace, Paging::unless(self.json.into()));
        for session in &sessions {
            let goes_on = if self.json {
                page.put_json(session)
            } else {
                let line = line(&page, session);
                page.put(&line)
            };
            if !goes_on {
                break;
            }
        }
        output::warn_of(&history);
        Ok(())
    }
}

fn line(page: &Page, session: &SessionSummary) -> String {
    let name = session.session.as_ref().map_or_else(|| "(no session)".to_owned(), |name| one_line(name).into_owned());
    let mut out = page.paint.colour(&name, AnsiColor::Yellow);
    match session.undone {
        UndoneShare::None => {}
        UndoneShare::Some => out.push_str(&format!(" {}", page.paint.colour("(partly undone)", AnsiColor::Cyan))),
        UndoneShare::All => out.push_str(&format!(" {}", page.paint.colour("(undone)", AnsiColor::Cyan))),
    }
    if let Some(agent) = &session.agent {
        out.push_str(&format!(" {}", one_line(agent)));
    }
    if !session.models.is_empty() {
        out.push_str(&format!(" ({})", one_line(&session.models.join(", "))));
    }
    let counted = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
    let mut counts = vec![counted(session.records, "edit"), counted(session.files, "file")];
    if session.turns > 0 {
        counts.insert(0, counted(session.turns, "turn"));
    }
    let (added, removed, when) =
        (session.lines_added, session.lines_removed, when::relative(&page.env, session.last_ms()));
    out.push_str(&format!(": {}, +{added} -{removed}, {when}\n", counts.join(", ")));
    out
}
