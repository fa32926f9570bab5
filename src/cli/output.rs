//! Printing: answers, errors, colour.

use super::context::Context;
use super::paint::Paint;
use crate::advice;
use crate::answer::{Envelope, Status};
use crate::dialect::{self, NativeAnswer, Words};
use crate::error::Error;
use crate::history::History;
use crate::patch::hunk_sides;
use crate::text::{json_escaped, quoted_path, visible};
use crate::warning::Warning;
use anstyle::{AnsiColor, Style};
use clap::ValueEnum;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

/// How an answer is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum AnswerForm {
    /// The standard envelope, one JSON document
    Envelope,
    /// The same without the request, nulls, empties, and what its text says too: for a model
    Brief,
    /// What the request's dialect expects
    Native,
    /// For people
    Text,
}

impl AnswerForm {
    /// The form that was asked for, else text on a terminal and the envelope elsewhere.
    pub fn or_default(form: Option<Self>) -> Self {
        form.unwrap_or(if io::stdout().is_terminal() { Self::Text } else { Self::Envelope })
    }
}

/// Prints an answer; the exit status says what it says.
pub(super) fn answer(context: &Context, answer: &crate::usecase::Answer, form: AnswerForm) -> ExitCode {
    let text = match form {
        AnswerForm::Envelope => json(&answer.envelope),
        AnswerForm::Brief => json(&answer.envelope.brief()),
        AnswerForm::Text => human(&answer.envelope, Paint::on_terminal(&context.env)),
        AnswerForm::Native => match dialect::answer(answer.dialect, &answer.envelope, &answer.native) {
            NativeAnswer::Json(value) => json(&value),
            NativeAnswer::Text(text) if io::stdout().is_terminal() => ended(visible(&text).into_owned()),
            NativeAnswer::Text(text) => ended(text),
        },
    };
    print(text.as_bytes());
    status(&answer.envelope)
}

/// Prints which version this is.
pub(super) fn version() -> ExitCode {
    print(concat!("redraft ", env!("CARGO_PKG_VERSION"), "\n").as_bytes());
    ExitCode::SUCCESS
}

/// With a last line break.
pub(super) fn ended(mut text: String) -> String {
    if !text.ends_with('\n') {
        text.push('\n');
    }
    text
}

/// An envelope for people, without colour.
pub(super) fn plain(envelope: &Envelope) -> String {
    human(envelope, Paint::Plain)
}

/// The system failed: text on standard error, exit status 3.
pub(super) fn failed(error: &anyhow::Error) -> ExitCode {
    complain(&format!("{error:#}"));
    ExitCode::from(3)
}

/// Prints an envelope of a command without a dialect.
pub(super) fn envelope(context: &Context, envelope: &Envelope, form: AnswerForm) -> ExitCode {
    let text = match form {
        AnswerForm::Text => human(envelope, Paint::on_terminal(&context.env)),
        AnswerForm::Brief => json(&envelope.brief()),
        AnswerForm::Envelope | AnswerForm::Native => json(envelope),
    };
    print(text.as_bytes());
    status(envelope)
}

/// The exit status that an envelope asks for.
pub(super) fn status(envelope: &Envelope) -> ExitCode {
    match (&envelope.status, &envelope.error) {
        (Status::Error, Some(error)) => ExitCode::from(error.code.exit_status()),
        _ => ExitCode::SUCCESS,
    }
}

/// So many of something.
pub(super) fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// Writes to standard output.
pub(super) fn print(bytes: &[u8]) {
    let mut out = io::stdout().lock();
    if let Err(error) = out.write_all(bytes).and_then(|()| out.flush()) {
        not_printed(&error);
    }
}

/// Writes the text of a file to standard output: as it is, and to a terminal without what would steer it.
pub(super) fn print_content(content: &[u8]) {
    match io::stdout().is_terminal() {
        true => print(visible(&String::from_utf8_lossy(content)).as_bytes()),
        false => print(content),
    }
}

/// Whether something of the answer was not printed.
static IS_CUT: AtomicBool = AtomicBool::new(false);

/// Tells, once, that standard output takes no more. A reader that has gone away is no error.
pub(super) fn not_printed(error: &io::Error) {
    if error.kind() != io::ErrorKind::BrokenPipe && !IS_CUT.swap(true, Ordering::Relaxed) {
        complain(&format!("what was asked for is done, but the answer could not be printed: {error}"));
    }
}

/// The exit status of a command whose answer is all that it does: 3 where the answer is cut.
pub(super) fn whole(code: ExitCode) -> ExitCode {
    if code == ExitCode::SUCCESS && IS_CUT.load(Ordering::Relaxed) { ExitCode::from(3) } else { code }
}

/// A usage error: text on standard error, nothing on standard output, exit status 2.
pub(super) fn usage(error: &anyhow::Error) -> ExitCode {
    complain(&format!("{error:#}"));
    ExitCode::from(2)
}

/// How a command prints that answers no envelope.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// For people.
    Text,
    /// One JSON document a line.
    Json,
}

impl From<bool> for Form {
    /// As a `--json` flag says it.
    fn from(json: bool) -> Self {
        if json { Self::Json } else { Self::Text }
    }
}

/// The error of a command that answers no envelope: text on standard error, and as JSON one line on standard output.
pub(super) fn error(error: &Error, form: Form) -> ExitCode {
    let told = advice::explain(error, &Words::COMMAND_LINE);
    if form == Form::Json {
        let body = serde_json::json!({"code": told.reason.code(), "reason": told.reason, "message": told.message});
        print(json(&serde_json::json!({ "error": body })).as_bytes());
    }
    complain(&told.message);
    if !told.more.is_empty() {
        let _ = writeln!(io::stderr(), "{}", visible(&told.more));
    }
    ExitCode::from(told.reason.code().exit_status())
}

/// One JSON document and a newline; on a terminal with what that would obey written as escapes, which mean the same.
pub(super) fn json(value: &impl serde::Serialize) -> String {
    let mut text = serde_json::to_string(value).expect("answers have string keys and no failing serializer");
    if io::stdout().is_terminal() {
        text = json_escaped(&text).into_owned();
    }
    text.push('\n');
    text
}

/// What a person should know beside the answer, on standard error.
pub(super) fn warn(notes: &[String]) {
    notes.iter().for_each(|note| complain(&format!("warning: {note}")));
}

/// As [`warn`] takes them.
pub(super) fn sentences(warnings: &[Warning]) -> Vec<String> {
    warnings.iter().map(|warning| advice::warning(warning, &Words::COMMAND_LINE)).collect()
}

/// What of the history could not be read, on standard error.
pub(super) fn warn_of(history: &History<'_>) {
    let warnings: Vec<Warning> = history.take_warnings().into_iter().map(Warning::History).collect();
    warn(&sentences(&warnings));
}

/// What of the history could not be read where a command ended early, or looked at it on its way: on standard error.
pub(super) fn warn_of_untold(context: &Context) {
    let untold = context.env.untold().take().into_iter().map(Warning::History);
    warn(&sentences(&untold.collect::<Vec<_>>()));
}

/// An error in a sentence.
pub(super) fn explained(error: &Error) -> String {
    advice::explain(error, &Words::COMMAND_LINE).message
}

/// One JSON document on standard error, where standard output is another program's.
pub(super) fn complain_as_json(value: &impl serde::Serialize) {
    let _ = io::stderr().write_all(json(value).as_bytes());
}

/// A sentence on standard error.
pub(super) fn complain(message: &str) {
    let _ = writeln!(io::stderr(), "redraft: {}", visible(message));
}

/// An envelope for people: what was done, the diff, warnings; or what is wrong and what to do.
fn human(envelope: &Envelope, paint: Paint) -> String {
    let error_style = Style::new().bold().fg_color(Some(AnsiColor::Red.into()));
    let mut out = String::new();
    if let Some(error) = &envelope.error {
        out.push_str(&format!("{} {}\n", paint.with("error:", error_style), visible(&error.message)));
        // The first line of the text is the message.
        if let Some((_, more)) = envelope.text.split_once('\n') {
            out.push_str(&format!("{}\n", visible(more)));
        }
        return out;
    }
    if !envelope.data.diff_preview.is_empty() {
        out.push_str(&diff(&envelope.data.diff_preview, paint));
    }
    out.push_str(&visible(&envelope.text));
    out.push('\n');
    if let Some(backup) = &envelope.data.backup {
        out.push_str(&format!("backup: {}\n", quoted_path(backup)));
    }
    out
}

/// A unified diff in git's colours, with the numbers of old and new lines before each.
pub(super) fn diff(text: &str, paint: Paint) -> String {
    let mut out = String::new();
    let (mut old, mut new) = (0_usize, 0_usize);
    let (mut left_old, mut left_new) = (0_usize, 0_usize);
    let text = visible(text);
    for line in text.split_terminator('\n') {
        if left_old == 0 && left_new == 0 {
            if let Some((from, to)) = hunk_sides(line) {
                (old, left_old) = from;
                (new, left_new) = to;
                out.push_str(&format!("{:>11}{}\n", "", paint.colour(line, AnsiColor::Cyan)));
            } else {
                out.push_str(&format!("{:>11}{}\n", "", paint.with(line, Style::new().bold())));
            }
            continue;
        }
        let numbers = match line.as_bytes().first() {
            Some(b'+') => format!("{:>5} {new:>4} ", ""),
            Some(b'-') => format!("{old:>5} {:>4} ", ""),
            Some(b'\\') => format!("{:>11}", ""),
            _ => format!("{old:>5} {new:>4} "),
        };
        let colour = match line.as_bytes().first() {
            Some(b'+') => Some(AnsiColor::Green),
            Some(b'-') => Some(AnsiColor::Red),
            _ => None,
        };
        if !line.starts_with('+') && !line.starts_with('\\') {
            old += 1;
            left_old = left_old.saturating_sub(1);
        }
        if !line.starts_with('-') && !line.starts_with('\\') {
            new += 1;
            left_new = left_new.saturating_sub(1);
        }
        let shown = colour.map_or_else(|| line.to_owned(), |colour| paint.colour(line, colour));
        out.push_str(&format!("{numbers}{shown}\n"));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diff_for_people_has_line_numbers() {
        let text = "--- a/x\n+++ b/x\n@@ -9,2 +9,2 @@\n a\n-b\n+c\n";
        let got = diff(text, Paint::Plain);
        let want = [
            "           --- a/x",
            "           +++ b/x",
            "           @@ -9,2 +9,2 @@",
            "    9    9  a",
            "   10      -b",
            "        10 +c",
        ];
        assert_eq!(got.lines().collect::<Vec<_>>(), want);
    }
}
