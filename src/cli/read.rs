//! `redraft read`.

use super::context::Context;
use super::output::{self, AnswerForm};
use crate::answer::Envelope;
use crate::env::Env;
#[cfg(target_os = "linux")]
use crate::serve::Turn;
use crate::text::Encoding;
#[cfg(target_os = "linux")]
use crate::usecase::read::answer;
use crate::usecase::read::{ReadAnswer, ReadRequest, read};
use clap::{Args, ValueHint};
use std::path::PathBuf;
use std::process::ExitCode;

/// Print a file the way edits see it, and remember that it was read
///
/// What is printed, sent back as old_string, matches. The answer's blob, modification time and size can be sent as
/// expected_blob, expected_mtime_ms and expected_size_bytes, so that an edit of a file that changed is refused.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  redraft read src/a.rs
  redraft read src/a.rs --lines 10:20
  redraft read src/a.rs --fingerprint    # line numbers, and the tag by which edits name this text
  redraft read src/a.rs --session s1     # leaves a receipt, which --require-read asks for")]
pub(crate) struct ReadArgs {
    /// The file, relative to the root of the working tree (or of --root)
    #[arg(value_hint = ValueHint::FilePath)]
    path: PathBuf,
    /// Only these lines: first and last, counted from 1, both included; either may be left out
    #[arg(long, value_name = "A:B", value_parser = lines)]
    lines: Option<(usize, usize)>,
    /// With line numbers, behind the path and the tag that edits by line numbers name (the dialect `lines`)
    #[arg(long, conflicts_with = "answer")]
    fingerprint: bool,
    /// Leave a receipt for this session
    #[arg(long, value_name = "NAME")]
    session: Option<String>,
    /// A smaller sandbox
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    root: Option<PathBuf>,
    /// What the file is in, where nothing in it and nothing of git's tells it: shift_jis, windows-1252, utf-16le, ...
    #[arg(long, value_name = "NAME", value_parser = encoding)]
    encoding: Option<Encoding>,
    /// How to print the answer [default: text on a terminal, envelope elsewhere]
    #[arg(long, value_name = "FORM", value_enum)]
    answer: Option<AnswerForm>,
}

impl ReadArgs {
    pub(super) fn run(self, context: &Context) -> ExitCode {
        let form = AnswerForm::or_default(self.answer);
        let is_numbered = self.fingerprint;
        let Self { path, lines, session, root, encoding, .. } = self;
        let request = ReadRequest { path, lines, session, root, encoding };
        let answer = read(&request, &context.env);
        if let (true, Some(content)) = (is_numbered, &answer.content) {
            output::print_content(&numbered(&request, &answer.envelope, content));
            return output::status(&answer.envelope);
        }
        if let (AnswerForm::Text, Some(content)) = (form, &answer.content) {
            output::print_content(content);
            return output::status(&answer.envelope);
        }
        output::envelope(context, &answer.envelope, form)
    }
}

#[cfg(target_os = "linux")]
impl ReadArgs {
    /// Reads for somebody else.
    pub(super) fn served(self, turn: &mut Turn<'_>, env: &Env) -> (ReadAnswer, AnswerForm) {
        let form = self.answer.unwrap_or(AnswerForm::Envelope);
        let Self { path, lines, session, root, encoding, .. } = self;
        let request = ReadRequest { path, lines, session, root, encoding };
        (answer(turn.warm.workspace(env), env.clock().instant(), &request, env), form)
    }
}

/// `[PATH#TAG]`, then each line behind its number.
fn numbered(request: &ReadRequest, envelope: &Envelope, content: &[u8]) -> Vec<u8> {
    let tag = envelope.data.extra.get("tag").and_then(|tag| tag.as_str()).unwrap_or_default();
    let mut out = format!("[{}#{tag}]\n", request.path.display()).into_bytes();
    let first = request.lines.map_or(1, |(first, _)| first);
    for (n, line) in content.split_inclusive(|&byte| byte == b'\n').enumerate() {
        out.extend_from_slice(format!("{}:", first + n).as_bytes());
        out.extend_from_slice(line);
    }
    if !out.ends_with(b"\n") {
        out.push(b'\n');
    }
    out
}

pub(super) fn encoding(name: &str) -> Result<Encoding, String> {
    Encoding::named(name).ok_or_else(|| "the name of an encoding, such as shift_jis".to_owned())
}

fn lines(text: &str) -> Result<(usize, usize), String> {
    let wrong = || "two line numbers from 1 on, such as 10:20, 10: or :20".to_owned();
    let (first, last) = text.split_once(':').ok_or_else(wrong)?;
    let number = |text: &str, default| if text.is_empty() { Ok(default) } else { text.parse().map_err(|_| wrong()) };
    let (first, last) = (number(first, 1)?, number(last, usize::MAX)?);
    if first == 0 || last < first { Err(wrong()) } else { Ok((first, last)) }
}
