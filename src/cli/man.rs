//! `redraft man`.
//!
//! Owns how a page is put together. What stands in it is what the commands say of themselves; how options are written is
//! clap_mangen's.
//! Invariant: `mandoc -Tlint` finds nothing in any page.

use super::context::Context;
use super::output;
use crate::env::Env;
use clap::{Args, Command, ValueHint};
use clap_mangen::Man;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Print the man page, or write one page for each command into a folder
///
/// The date of a page is today, or that of SOURCE_DATE_EPOCH.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  redraft man | man -l -
  redraft man --out ~/.local/share/man/man1")]
pub(crate) struct ManArgs {
    /// The folder for one page per command
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    out: Option<PathBuf>,
}

/// Longer lines of a page are broken, in bytes.
const WIDEST: usize = 79;

impl ManArgs {
    pub(super) fn run(self, command: Command, context: &Context) -> ExitCode {
        let date = date(&context.env);
        let mut command = command.disable_help_subcommand(true);
        command.build();
        let done = match &self.out {
            Some(folder) => write_all(&mut command, &context.env.cwd().join(folder), &date),
            None => page(&mut command, &date).map(|page| output::print(page.as_bytes())),
        };
        match done {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => output::usage(&anyhow::Error::new(error).context("cannot write the man page")),
        }
    }
}

/// The day, so that two builds of one source can have the same pages.
fn date(env: &Env) -> String {
    let of_source = env.variable("SOURCE_DATE_EPOCH").and_then(|text| text.to_str()?.parse().ok());
    let time = of_source.and_then(|seconds| jiff::Timestamp::from_second(seconds).ok());
    let time = time.or_else(|| jiff::Timestamp::from_millisecond(env.now_ms()).ok()).unwrap_or_default();
    time.strftime("%Y-%m-%d").to_string()
}

/// The page of a command, and those of all below it.
fn write_all(command: &mut Command, folder: &Path, date: &str) -> io::Result<()> {
    let name = command.get_display_name().unwrap_or_else(|| command.get_name()).to_owned();
    std::fs::write(folder.join(format!("{name}.1")), page(command, date)?)?;
    let below = command.get_subcommands_mut().filter(|command| !command.is_hide_set());
    below.into_iter().try_for_each(|command| write_all(command, folder, date))
}

fn page(command: &mut Command, date: &str) -> io::Result<String> {
    let usage = command.render_usage().to_string();
    let name = command.get_bin_name().unwrap_or_else(|| command.get_name()).to_owned();
    let title = command.get_display_name().unwrap_or_else(|| command.get_name()).to_uppercase();
    let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let has_commands = command.get_subcommands().any(|command| !command.is_hide_set());
    let man = Man::new(command.clone())
        .title(title)
        .date(date)
        .source(concat!("redraft ", env!("CARGO_PKG_VERSION")))
        .manual("redraft manual");
    let mut out = Vec::new();
    man.render_title(&mut out)?;
    man.render_name_section(&mut out)?;
    out.extend(synopsis(&name, &usage).bytes());
    man.render_description_section(&mut out)?;
    man.render_options_section(&mut out)?;
    if has_commands {
        man.render_subcommands_section(&mut out)?;
    }
    out.extend(sections(&help).bytes());
    Ok(tidied(&String::from_utf8_lossy(&out)))
}

/// As `--help` has it, a line for each form.
fn synopsis(name: &str, usage: &str) -> String {
    let mut out = ".SH SYNOPSIS\n.nf\n".to_owned();
    for line in usage.strip_prefix("Usage:").unwrap_or(usage).lines().map(str::trim) {
        let rest = line.strip_prefix(name).unwrap_or(line);
        out.push_str(&format!("\\fB{}\\fR{}\n", escaped(name), escaped(rest)));
    }
    out + ".fi\n"
}

/// What stands below the options: examples and the like as they are, words as words.
fn sections(help: &str) -> String {
    let (mut out, mut has_notes) = (String::new(), false);
    for block in help.split("\n\n").filter(|block| !block.trim().is_empty()) {
        let (first, rest) = block.split_once('\n').unwrap_or((block, ""));
        if let Some(head) = first.strip_suffix(':') {
            out.push_str(&format!(".SH {}\n.nf\n", head.to_uppercase()));
            rest.lines().for_each(|line| out.push_str(&format!("{}\n", text(line.trim_start()))));
            out.push_str(".fi\n");
            has_notes = false;
            continue;
        }
        let words = match first.split_once(": ") {
            Some(("Exit status", words)) => {
                out.push_str(".SH EXIT STATUS\n");
                format!("{words}\n{rest}")
            }
            _ => {
                out.push_str(if has_notes { ".PP\n" } else { ".SH NOTES\n" });
                has_notes = true;
                block.to_owned()
            }
        };
        out.push_str(&format!("{}\n", text(&words.split_whitespace().collect::<Vec<_>>().join(" "))));
    }
    out
}

/// A line of text, whatever it begins with.
fn text(line: &str) -> String {
    let guard = if line.starts_with(['.', '\'']) { "\\&" } else { "" };
    format!("{guard}{}", escaped(line))
}

fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\e"),
            '-' => out.push_str("\\-"),
            '\'' => out.push_str("\\(aq"),
            c => out.push(c),
        }
    }
    out
}

/// A page as its reader is to get it: no space at the end of a line, no line that is too long, accents as they stand.
fn tidied(page: &str) -> String {
    let mut out = String::with_capacity(page.len() + 1024);
    let mut fill = Fill::Filled;
    let lines: Vec<&str> = page.lines().map(str::trim_end).collect();
    for (n, line) in lines.iter().enumerate() {
        match *line {
            ".nf" => fill = Fill::AsItStands,
            ".fi" => fill = Fill::Filled,
            _ => {}
        }
        // An empty line is a space already; a break beside it does nothing.
        let is_empty = |at: Option<usize>| at.and_then(|at| lines.get(at)).is_some_and(|line| line.is_empty());
        match *line {
            ".br" if is_empty(n.checked_sub(1)) || is_empty(Some(n + 1)) => {}
            "" => out.push_str(".sp\n"),
            line if line.starts_with(['.', '\'']) => out.push_str(&format!("{line}\n")),
            line => broken(&line.replace('`', "\\(ga").replace('^', "\\(ha").replace('~', "\\(ti"), fill, &mut out),
        }
    }
    out
}

/// What becomes of the lines of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fill {
    Filled,
    AsItStands,
}

/// A line of text as several; where lines are not filled, they are one line for the reader all the same.
fn broken(line: &str, fill: Fill, out: &mut String) {
    let mut rest = line;
    while rest.len() > WIDEST {
        let most = rest.floor_char_boundary(WIDEST - 1);
        // A line must not begin with what is a command there, nor end with a space.
        let fits =
            |at: &usize| rest[at + 1..].starts_with(|c: char| c.is_alphanumeric()) && !rest[..*at].ends_with(' ');
        let Some(at) = rest[..most].rmatch_indices(' ').map(|(at, _)| at).find(fits) else { break };
        let (head, tail) = rest.split_at(at);
        out.push_str(head);
        out.push_str(if fill == Fill::Filled { "\n" } else { " \\\n" });
        rest = &tail[1..];
    }
    out.push_str(rest);
    out.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_be_a_command_of_the_page_is_text() {
        assert_eq!(text(".git/hooks isn't `-x`\\"), "\\&.git/hooks isn\\(aqt `\\-x`\\e");
    }

    #[test]
    fn a_long_line_is_broken_where_it_means_the_same() {
        let words = "word ".repeat(40);
        let mut out = String::new();
        broken(words.trim_end(), Fill::Filled, &mut out);
        assert!(out.lines().all(|line| line.len() <= WIDEST && !line.ends_with(' ')));
        assert_eq!(out.split_whitespace().count(), 40);
        let mut kept = String::new();
        broken(words.trim_end(), Fill::AsItStands, &mut kept);
        assert_eq!(kept.replace("\\\n", ""), words.trim_end().to_owned() + "\n");
    }
}
