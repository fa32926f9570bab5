//! What a caller adds to a request, and what it gets back.
//!
//! Owns what goes before the request's own words. Does not read arguments.

use crate::answer::Envelope;
use crate::dialect::NativeContext;
use crate::env::Env;
use crate::flow::Ask;
use crate::git_record::GitOptions;
use crate::policy::Finding;
use crate::request::{Agent, Dialect, Mode, RecordKind, Request};
use crate::strategy::Level;
use crate::text::Encoding;
use crate::transaction::Group;
use crate::warning::Warning;
use std::path::PathBuf;
use std::time::Duration;

/// What was done, and what a person should know beside: damage that was met, and what became of it.
#[derive(Debug, Default)]
pub struct Noted<T> {
    /// What was done.
    pub done: T,
    /// What was met.
    pub notes: Vec<Warning>,
}

/// What the command line (or another adapter) adds to a request; it goes before the request's own words.
#[derive(Debug, Clone, Default)]
pub struct Overrides {
    /// `--dialect`
    pub dialect: Option<Dialect>,
    /// `--mode`
    pub mode: Option<Mode>,
    /// `--match`
    pub level: Option<Level>,
    /// `--encoding`
    pub encoding: Option<Encoding>,
    /// `--dry-run`
    pub dry_run: bool,
    /// `--record`
    pub record: Option<RecordKind>,
    /// `--require-clean`
    pub require_clean: bool,
    /// `--require-read`
    pub require_read: bool,
    /// `--message`
    pub message: Option<String>,
    /// `--agent`
    pub agent: Option<String>,
    /// `--session`
    pub session: Option<String>,
    /// `--turn`
    pub turn: Option<String>,
    /// What is known of the caller without the agent's saying so: what the request says counts where this is silent.
    pub caller: Agent,
    /// `--root`: a smaller sandbox.
    pub root: Option<PathBuf>,
    /// `--lock-timeout`
    pub lock_timeout: Option<Duration>,
    /// `--verify`
    pub verify: Option<String>,
    /// `--verify-timeout`
    pub verify_timeout: Option<Duration>,
    /// `--confirm`
    pub confirm: bool,
    /// `--diff-lines`
    pub diff_lines: Option<usize>,
    /// `--diff-bytes`
    pub diff_bytes: Option<usize>,
    /// `--no-verify`, `--author`, `--shelve`, `--index`
    pub git: GitOptions,
}

impl Overrides {
    pub(super) fn lay_over(&self, request: &mut Request) {
        request.mode = self.mode.unwrap_or(request.mode);
        request.level = self.level.or(request.level);
        for file in &mut request.files {
            file.encoding = self.encoding.or(file.encoding);
        }
        request.dry_run |= self.dry_run;
        request.record = self.record.or(request.record);
        request.require_clean |= self.require_clean;
        request.require_read = if self.require_read { Some(true) } else { request.require_read };
        let over = |own: &mut Option<String>, flag: &Option<String>| {
            if flag.is_some() {
                own.clone_from(flag);
            }
        };
        over(&mut request.message, &self.message);
        over(&mut request.agent.name, &self.agent);
        over(&mut request.agent.session, &self.session);
        over(&mut request.agent.turn, &self.turn);
    }
}

/// Where a use case runs.
pub struct Place<'a> {
    /// What surrounds the caller.
    pub env: &'a Env,
    /// Shown the uncut diff, says whether to go on; none where there is nobody to ask.
    pub ask: Option<Ask<'a>>,
    /// Whether what a person has git, or an edit's verification, run may run.
    pub programs: Programs,
    /// The edits of the same tree that share a sync; none where there are no others in this process.
    pub group: Option<&'a Group>,
}

impl Programs {
    /// Refuses a record in git, and what else runs programs, where none may run.
    pub(super) fn refuse(self, record: RecordKind, also: Option<&'static str>) -> Result<(), Finding> {
        let in_git = matches!(record, RecordKind::Commit | RecordKind::Stash).then_some("a record in git");
        match also.or(in_git).filter(|_| self == Self::Refused) {
            Some(what) => Err(Finding::NotServed(what)),
            None => Ok(()),
        }
    }
}

/// Whether programs may run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Programs {
    /// As if the person had run them.
    Run,
    /// None: they would not run where the person is.
    Refused,
}

/// An answer, and what the dialect's own answer needs beside it.
#[derive(Debug)]
pub struct Answer {
    /// The dialect of the request; standard where it could not be read.
    pub dialect: Dialect,
    /// The standard envelope.
    pub envelope: Envelope,
    /// For the native answer.
    pub native: NativeContext,
}
