//! `redraft blame`.

use super::context::Context;
use super::line_range::{self, LineRange};
use super::page::{Page, Paging};
use super::waiting::during;
use super::{output, records, when};
use crate::error::{Error, NoSuchLines};
use crate::git::{Authorship, Repo};
use crate::history::{BlamedLine, History, blame, utc};
use crate::id::CommitId;
use crate::text::{one_line, visible};
use crate::workspace::Workspace;
use anstyle::AnsiColor;
use bstr::ByteSlice;
use clap::Args;
use serde_json::json;
use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;
use std::process::ExitCode;

/// Who wrote each line of a file: a record of an agent, or a git commit
///
/// Uncommitted lines too: those of agents are given to their records, those of nobody known to nobody.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  redraft blame src/a.rs
  redraft blame -L 40,+20 src/a.rs
  redraft blame -L '/^fn main/,/^}/' src/a.rs
  redraft blame src/a.rs --json | jq -r 'select(.agent != null) | .line'")]
pub(crate) struct BlameArgs {
    /// The file
    #[arg(value_name = "PATH")]
    path: PathBuf,
    /// Only these lines: N,M or N,+K or N,-K, where /RE/ may stand for a number; several times for several ranges
    #[arg(short = 'L', value_name = "RANGE", value_parser = line_range::parse)]
    lines: Vec<LineRange>,
    /// One JSON object a line
    #[arg(long)]
    json: bool,
}

impl BlameArgs {
    pub(super) fn run(self, context: &Context) -> ExitCode {
        match self.print(context) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => output::error(&error, self.json.into()),
        }
    }

    fn print(&self, context: &Context) -> Result<(), Error> {
        let workspace = Workspace::discover(&context.env)?;
        let repo = workspace.repo();
        let path = crate::usecase::real(&workspace, super::paths::one(&self.path, repo)?);
        let text = crate::usecase::read::text_of(&workspace, &path)?;
        let wanted = self.wanted(&text)?;
        let history = History::open(repo)?;
        let lines = during("finding who wrote each line", self.json.into(), || blame(&history, &path, &text))?;
        let mut page = Page::open(&workspace, Paging::unless(self.json.into()));
        let mut authors = Authors { repo, known: HashMap::new() };
        for (number, line) in lines.iter().enumerate().filter(|(number, _)| wanted.contains(number)) {
            let author = line.commit.filter(|_| line.record.is_none()).and_then(|commit| authors.of(commit));
            let time_ms = line.record.as_ref().map(|record| record.time_ms).or(author.map(|author| author.time_ms));
            let goes_on = if self.json {
                page.put_json(&json!({
                    "line": number + 1,
                    "record": line.record.as_ref().map(|record| &record.id),
                    "commit": line.commit,
                    "author": author.map(|author| &author.name),
                    "time": time_ms.map(utc),
                    "agent": line.record.as_ref().and_then(|record| record.agent.as_ref()),
                    "text": line.text.strip_suffix(b"\n").unwrap_or(&line.text).to_str_lossy(),
                }))
            } else {
                let shown = self::line(&page, number + 1, line, author);
                page.put(&shown)
            };
            if !goes_on {
                break;
            }
        }
        output::warn_of(&history);
        Ok(())
    }

    /// The lines that are asked for, from 0.
    fn wanted(&self, text: &[u8]) -> Result<BTreeSet<usize>, NoSuchLines> {
        let text = text.to_str_lossy();
        let lines: Vec<&str> = text.lines().collect();
        if self.lines.is_empty() {
            return Ok((0..lines.len()).collect());
        }
        let (mut wanted, mut from) = (BTreeSet::new(), 0);
        for range in &self.lines {
            let found = range.among(&lines, from)?;
            from = found.end;
            wanted.extend(found);
        }
        Ok(wanted)
    }
}

/// The authors of commits, each read once.
struct Authors<'r> {
    repo: &'r Repo,
    known: HashMap<CommitId, Option<Authorship>>,
}

impl Authors<'_> {
    fn of(&mut self, commit: CommitId) -> Option<&Authorship> {
        self.known.entry(commit).or_insert_with(|| self.repo.authorship(commit)).as_ref()
    }
}

/// The longest age, in characters: `4 years, 11 months ago`.
const AGE: usize = 22;

fn line(page: &Page, number: usize, line: &BlamedLine, author: Option<&Authorship>) -> String {
    let who = match (&line.record, &line.commit) {
        (Some(record), _) => {
            let agent = one_line(record.agent.as_deref().unwrap_or("an agent"));
            let told = format!(
                "{} {agent:<12.12} {:<AGE$}",
                records::short(&record.id),
                when::relative(&page.env, record.time_ms)
            );
            page.paint.colour(&told, AnsiColor::Yellow)
        }
        (None, Some(commit)) => {
            let name = author.map_or(String::new(), |author| one_line(&author.name).into_owned());
            let when = author.map_or(String::new(), |author| when::relative(&page.env, author.time_ms));
            format!("{:<8} {name:<12.12} {when:<AGE$}", format!("{commit:.8}"))
        }
        (None, None) => page
            .paint
            .colour(&format!("{:<1$}", "not committed, by nobody known", 8 + 1 + 12 + 1 + AGE), AnsiColor::Cyan),
    };
    let text = line.text.strip_suffix(b"\n").unwrap_or(&line.text).to_str_lossy();
    format!("{who} {number:>5}) {}\n", visible(&text))
}
