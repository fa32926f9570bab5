//! `redraft read`.

use super::context::Context;
use super::output::{self, AnswerForm};
use crate::text::{Encoding, visible};
use crate::usecase::read::{ReadRequest, read};
use clap::{Args, ValueHint};
use std::io::IsTerminal;
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
  redraft read src/a.rs --session s1     # leaves a receipt, which --require-read asks for")]
pub(crate) struct ReadArgs {
    /// The file, relative to the root of the working tree (or of --root)
    #[arg(value_hint = ValueHint::FilePath)]
    path: PathBuf,
    /// Only these lines: first and last, counted from 1, both included; either may be left out
    #[arg(long, value_name = "A:B", value_parser = lines)]
    lines: Option<(usize, usize)>,
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
        let Self { path, lines, session, root, encoding, .. } = self;
        let request = ReadRequest { path, lines, session, root, encoding };
        let answer = read(&request, &context.env);
        if let (AnswerForm::Text, Some(content)) = (form, &answer.content) {
            match String::from_utf8_lossy(content) {
                text if std::io::stdout().is_terminal() => output::print(visible(&text).as_bytes()),
                _ => output::print(content),
            }
            return output::status(&answer.envelope);
        }
        output::envelope(context, &answer.envelope, form)
    }
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
