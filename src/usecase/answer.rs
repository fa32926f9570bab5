//! What was done, or why not, as the standard envelope.
//!
//! Owns which fact stands where in it. The sentences are `advice/`'s.

use crate::advice::{self, Named};
use crate::answer::{Context, Data, EditData, Envelope, ErrorBody, FileData, RecordData, Stats, Status};
use crate::change::PathState;
use crate::dialect::Words;
use crate::env::Env;
use crate::error::Error;
use crate::flow::replayed_requests::Answered;
use crate::flow::{Done, diff};
use crate::git::Repo;
use crate::git_record::GitResult;
use crate::patch::DiffLimits;
use crate::path::RepoPath;
use crate::record::Record;
use crate::request::RecordKind;
use crate::task::Judged;
use crate::text::line_numbers;
use serde_json::{Map, Value};
use std::time::Instant;

/// Who asked, when, and in which words: what an answer needs before anything is known of the files.
#[derive(Debug)]
pub struct Asked {
    env: Env,
    start: Instant,
    cwd: String,
    params_input: Value,
    pub(super) words: &'static Words,
}

/// Which files an answer is about, as far as that is known.
#[derive(Debug, Clone, Default)]
pub struct Subject {
    /// Of the first file, relative to the root of the working tree.
    pub path_resolved: Option<String>,
    /// Whether there are several, so that a failing one must be named.
    pub several: bool,
}

/// What the answer to a change needs to know beside what was done.
#[derive(Debug)]
pub struct Answering<'a> {
    /// Who asked.
    pub asked: &'a Asked,
    /// Which files.
    pub subject: Subject,
    /// Of the preview.
    pub limits: DiffLimits,
    /// Where it is recorded.
    pub record: RecordKind,
}

impl Asked {
    /// Asked with `params_input` at `start`, by the clock of `env`, by a caller of these `words`.
    pub fn new(start: Instant, env: &Env, repo: Option<&Repo>, params_input: Value, words: &'static Words) -> Self {
        let cwd = env.cwd();
        // The root has no symlinks.
        let real = match repo.is_some_and(|repo| repo.root() == cwd) {
            true => cwd.to_owned(),
            false => std::fs::canonicalize(cwd).unwrap_or_else(|_| cwd.to_owned()),
        };
        let below = repo.and_then(|repo| real.strip_prefix(repo.root()).ok());
        let cwd = match below {
            Some(below) if below.as_os_str().is_empty() => ".".to_owned(),
            Some(below) => below.to_string_lossy().into_owned(),
            None => ".".to_owned(),
        };
        Self { env: env.clone(), start, cwd, params_input, words }
    }

    pub(super) fn context(&self, subject: &Subject) -> Context {
        Context {
            cwd: self.cwd.clone(),
            params_input: self.params_input.clone(),
            path_resolved: subject.path_resolved.clone(),
        }
    }

    pub(super) fn time_ms(&self) -> u64 {
        u64::try_from(self.env.clock().instant().duration_since(self.start).as_millis()).unwrap_or(u64::MAX)
    }

    /// The answer to a request that was refused, or failed.
    pub fn error(&self, error: &Error, subject: &Subject) -> Envelope {
        let told = advice::explain(error, self.words);
        let named = if subject.several { Named::Both } else { Named::Edit };
        let message = told.place(named) + &told.message;
        let text = advice::error_text(&message, told.reason, &told.more);
        let data = Data {
            failed_index: told.failed_index,
            failed_path: told.failed_path.filter(|_| subject.several),
            reason: Some(told.reason),
            hint: Some(told.hint),
            ..Data::default()
        };
        let stats = Stats { time_ms: self.time_ms(), ..Stats::default() };
        Envelope {
            status: Status::Error,
            data,
            text,
            stats,
            context: self.context(subject),
            error: Some(ErrorBody { code: told.reason.code(), message }),
        }
    }
}

impl Answering<'_> {
    fn context(&self) -> Context {
        self.asked.context(&self.subject)
    }

    fn warnings(&self, done: &Done) -> impl Iterator<Item = String> {
        done.warnings.iter().map(|warning| advice::warning(warning, self.asked.words))
    }

    /// The answer to a change that was refused, or failed.
    pub fn error(&self, error: &Error) -> Envelope {
        self.asked.error(error, &self.subject)
    }

    /// The answer to a change that was made, or in a dry run would be.
    pub fn done(&self, done: &Done) -> Envelope {
        let preview = diff(&done.files, self.limits);
        let files: Vec<FileData> = done.files.iter().map(file_data).collect();
        let replacements = files
            .iter()
            .map(|file| {
                file.edits.iter().map(|edit| edit.replacements).sum::<usize>().max(usize::from(file.edits.is_empty()))
            })
            .sum();
        let status = if done.is_dry_run() || preview.truncated { Status::Partial } else { Status::Success };
        let written: usize = done.files.iter().map(|file| file.planned.after_bytes().len()).sum();
        let text = advice::edited(done, replacements, &preview, self.asked.words);
        let record = (!done.is_dry_run()).then(|| RecordData {
            id: done.id().cloned().filter(|_| self.record != RecordKind::None),
            kind: self.record,
            commit: done.in_git().and_then(GitResult::commit),
            stash: done.in_git().and_then(GitResult::stash),
        });
        let data = Data {
            applied: done.is_applied(),
            diff_preview: preview.text,
            diff_truncated: preview.truncated,
            diff_lossy: preview.lossy,
            replacements,
            files,
            record,
            backup: done.backup().map(|folder| folder.to_string_lossy().into_owned()),
            warnings: self.warnings(done).collect(),
            ..Data::default()
        };
        let stats = Stats {
            time_ms: self.asked.time_ms(),
            bytes_written: if !done.is_applied() { 0 } else { written as u64 },
            lines_added: preview.lines_added,
            lines_removed: preview.lines_removed,
            extra: Map::new(),
        };
        Envelope { status, data, text, stats, context: self.context(), error: None }
    }

    /// The answer as it is recorded for a request that may be sent again: without the request, and without lines of files
    /// that git ignores, which may be secrets.
    pub fn done_text(&self, done: &Done) -> String {
        let mut envelope = self.done(done);
        envelope.context.params_input = Value::Null;
        let is_ignored =
            |file: &Judged| file.planned.base.as_ref().is_some_and(|base| base.state == PathState::Ignored);
        if done.files.iter().any(is_ignored) {
            envelope = envelope.without_diff();
        }
        serde_json::to_string(&envelope).unwrap_or_default()
    }

    /// A recorded answer, given again; where it was purged, what the record itself says.
    pub fn replayed(&self, answered: &Answered) -> Envelope {
        let mut envelope = match answered {
            Answered::Shelved(envelope) => (**envelope).clone(),
            Answered::Recorded(record) => {
                let answer = record.meta.answer.as_ref().and_then(|answer| serde_json::from_str(answer).ok());
                answer.unwrap_or_else(|| purged(record))
            }
        };
        envelope.data.extra.insert("replayed".to_owned(), Value::Bool(true));
        envelope.context = self.context();
        envelope.stats.time_ms = self.asked.time_ms();
        envelope
    }
}

/// The answer to an error outside of any request.
pub fn envelope_of_error(error: &Error, env: &Env, params_input: Value) -> Envelope {
    let asked = Asked::new(env.clock().instant(), env, None, params_input, &Words::COMMAND_LINE);
    asked.error(error, &Subject::default())
}

fn file_data(judged: &Judged) -> FileData {
    let (file, report) = (&judged.planned, &judged.report);
    let readable = file.readable(&report.edits);
    let (base, edits) = match &readable {
        Some(readable) => (readable.before.as_bytes(), &readable.edits),
        None => (file.base_bytes(), &report.edits),
    };
    let ends = edits.iter().flat_map(|edit| {
        let range = &edit.range;
        [range.start, range.end.max(range.start + 1) - 1]
    });
    let numbers = line_numbers(base, &ends.collect::<Vec<_>>());
    let edits = report.edits.iter().zip(numbers.as_chunks().0).map(|(edit, &[start_line, end_line])| EditData {
        index: edit.index,
        strategy: edit.strategy,
        start_line,
        end_line,
        replacements: edit.replacements,
    });
    FileData {
        path: file.place.path.to_string_lossy(),
        path_b64: file.place.path.base64(),
        from: file.from.as_ref().map(|from| from.path.to_string_lossy()),
        from_b64: file.from.as_ref().and_then(|from| from.path.base64()),
        change: file.change,
        before: file.before_id(),
        after: file.after_id(),
        state: file.base.as_ref().map(|base| base.state),
        encoding: file.encoding.map(|encoding| encoding.name().to_owned()),
        edits: edits.collect(),
    }
}

/// What is left of an answer: that it was done, and by which record.
fn purged(record: &Record) -> Envelope {
    let files = record.files.iter().map(|file| FileData {
        path: file.path.to_string_lossy(),
        path_b64: file.path.base64(),
        from: file.from.as_ref().map(RepoPath::to_string_lossy),
        from_b64: file.from.as_ref().and_then(RepoPath::base64),
        change: file.change,
        before: file.before,
        after: file.after,
        state: file.state,
        encoding: file.encoding.map(|encoding| encoding.name().to_owned()),
        edits: Vec::new(),
    });
    let kept = RecordData {
        id: Some(record.id.clone()),
        kind: record.meta.record,
        commit: record.meta.commit,
        stash: record.meta.stash,
    };
    let data = Data { applied: true, files: files.collect(), record: Some(kept), ..Data::default() };
    let text = format!("this request was done before, as record {}", record.id);
    let context = Context { cwd: String::new(), params_input: Value::Null, path_resolved: None };
    Envelope { status: Status::Success, data, text, stats: Stats::default(), context, error: None }.without_diff()
}
