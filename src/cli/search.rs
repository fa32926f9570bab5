//! What records are searched for, as arguments: by git's names.
//!
//! Owns how they become a query. What each means is the history's.

use super::when::{self, When};
use super::{output, records};
use crate::env::Env;
use crate::error::Error;
use crate::git::Repo;
use crate::history::{Case, Change, LogQuery, Pattern};
use crate::record::RecordClass;
use clap::Args;
use std::collections::HashSet;

/// Records by what they say and what they changed.
#[derive(Debug, Args)]
pub(super) struct SearchArgs {
    /// As --agent, by git's name
    #[arg(long, value_name = "NAME", conflicts_with = "agent")]
    author: Option<String>,
    /// Only until then
    #[arg(long, value_name = "TIME", alias = "before", value_parser = when::parse)]
    until: Option<When>,
    /// Only those with a line of their message, or a subject, that has this regular expression; several: any of them
    #[arg(long, value_name = "REGEX")]
    grep: Vec<String>,
    /// Letters of either case are the same to --grep, -S and -G; to regular expressions only a to z
    #[arg(short = 'i', long)]
    regexp_ignore_case: bool,
    /// What --grep has is no regular expression, but the text itself
    #[arg(short = 'F', long)]
    fixed_strings: bool,
    /// Only those that change how often this text is there, in the files that are named: they added it, or removed it
    #[arg(short = 'S', value_name = "TEXT")]
    added_or_removed: Option<String>,
    /// Only those that add or remove a line with this regular expression, in the files that are named
    #[arg(short = 'G', value_name = "REGEX")]
    changed_line: Option<String>,
    /// Only those of which this git commit holds lines, or one of A..B
    #[arg(long, value_name = "COMMIT")]
    commit: Option<String>,
    /// Only of this sort: edit, undo, redo, external
    #[arg(long, value_name = "KIND", value_parser = records::kind_of)]
    kind: Vec<RecordClass>,
}

impl SearchArgs {
    /// Adds what is wanted to a query.
    ///
    /// # Errors
    /// Where git does not know the commit.
    pub(super) fn add_to(&self, query: &mut LogQuery, (env, repo): (&Env, &Repo)) -> Result<(), Error> {
        if self.author.is_some() {
            query.selection.agent.clone_from(&self.author);
        }
        query.until_ms = self.until.map(|when| when.in_ms(env));
        query.kinds.clone_from(&self.kind);
        if let Some(name) = &self.commit {
            let commits: HashSet<_> =
                repo.commits_named(std::slice::from_ref(name))?.into_iter().map(|facts| facts.id).collect();
            if commits.is_empty() {
                output::warn(&[format!("--commit {name} names no commit; give one, or a range that has some")]);
            }
            query.commits = Some(commits);
        }
        Ok(())
    }

    /// The same, of what may be no regular expression.
    ///
    /// # Errors
    /// Where one is none; in words.
    pub(super) fn add_patterns(&self, query: &mut LogQuery) -> Result<(), String> {
        let case = if self.regexp_ignore_case { Case::Ignored } else { Case::Counts };
        let told = |flag: &str, text: &str, why: String| format!("invalid value {text:?} for '{flag}': {why}");
        for text in &self.grep {
            query.patterns.push(match self.fixed_strings {
                true => Pattern::plain(text, case),
                false => Pattern::new(text, case).map_err(|why| told("--grep", text, why))?,
            });
        }
        if let Some(text) = &self.added_or_removed {
            query.changes.push(match case {
                Case::Counts => Change::Count(text.as_bytes().to_vec()),
                Case::Ignored => Change::CountIgnoringCase(text.to_lowercase()),
            });
        }
        if let Some(text) = &self.changed_line {
            query.changes.push(Change::Line(Pattern::new(text, case).map_err(|why| told("-G", text, why))?));
        }
        Ok(())
    }
}
