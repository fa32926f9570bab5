//! `--format`: git's placeholders, where they mean the same of a record.
//!
//! Owns which there are. A record has one time and one author, and no committer.

use super::date::DateForm;
use super::page::Page;
use super::paint::Paint;
use super::records;
use crate::history::Logged;
use crate::text::{one_line, visible};
use anstyle::{AnsiColor, Reset, Style};

/// How `log` shows a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Format {
    /// One line.
    Oneline,
    /// As without a format.
    Medium,
    /// As the placeholders say.
    Own {
        parts: Vec<Part>,
        /// Whether what stands between records is their separator; else each ends its line.
        is_separated: bool,
    },
}

/// A piece of a format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Part {
    Text(String),
    Id,
    ShortId,
    Subject,
    Body,
    Whole,
    Agent,
    /// Of the form that `--date` names.
    Date,
    DateIn(DateForm),
    Marks,
    MarksInBrackets,
    Colour(Style),
    NoColour,
}

const KNOWN: &str = "%H and %h (id), %s (subject), %b (body), %B (both), %an (agent), %ad, %ar, %at, %ai, %aI, %aD, %as (date), \
     %d and %D (what is beside it: undone, committed), %C(COLOUR), %Cred, %Cgreen, %Cblue, %Creset, %n, %%, %xNN (up to 7F)";

impl Format {
    /// Reads one as git does: a name, `format:...`, `tformat:...`, or what has a placeholder.
    ///
    /// # Errors
    /// Where a name or a placeholder is not known; in words.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        match text {
            "oneline" => return Ok(Self::Oneline),
            "medium" => return Ok(Self::Medium),
            _ => {}
        }
        let (form, is_separated) = match (text.strip_prefix("format:"), text.strip_prefix("tformat:")) {
            (Some(form), _) => (form, true),
            (None, Some(form)) => (form, false),
            (None, None) if text.contains('%') => (text, false),
            (None, None) => return Err(format!("oneline, medium, or a text with placeholders: {KNOWN}")),
        };
        Ok(Self::Own { parts: parts(form)?, is_separated })
    }
}

fn parts(form: &str) -> Result<Vec<Part>, String> {
    const FIXED: &[(&str, Part)] = &[
        ("H", Part::Id),
        ("h", Part::ShortId),
        ("s", Part::Subject),
        ("b", Part::Body),
        ("B", Part::Whole),
        ("an", Part::Agent),
        ("aN", Part::Agent),
        ("ad", Part::Date),
        ("d", Part::MarksInBrackets),
        ("D", Part::Marks),
        ("Creset", Part::NoColour),
    ];
    const DATES: &[(&str, &str)] =
        &[("ar", "relative"), ("at", "unix"), ("ai", "iso"), ("aI", "iso-strict"), ("aD", "rfc"), ("as", "short")];
    const TEXTS: &[(&str, &str)] = &[("n", "\n"), ("%", "%")];
    let mut out: Vec<Part> = Vec::new();
    let mut rest = form;
    while let Some(at) = rest.find('%') {
        out.push(Part::Text(rest[..at].to_owned()));
        rest = &rest[at + 1..];
        let text = |(name, text): &(&'static str, &str)| (*name, Part::Text((*text).to_owned()));
        let date = |(name, form): &(&'static str, &str)| (*name, Part::DateIn(DateForm::named(form)));
        let known = FIXED.iter().cloned().chain(DATES.iter().map(date)).chain(TEXTS.iter().map(text));
        let found = known.into_iter().find_map(|(name, part)| Some((rest.strip_prefix(name)?, part)));
        let (after, part) = found.or_else(|| byte(rest)).or_else(|| colour(rest)).ok_or_else(|| {
            let unknown: String = rest.chars().take(2).collect();
            format!("%{unknown} is no placeholder here; there are {KNOWN}")
        })?;
        out.push(part);
        rest = after;
    }
    out.push(Part::Text(rest.to_owned()));
    Ok(out)
}

/// `%x00`: a character by its code, where that is its one byte, too.
fn byte(rest: &str) -> Option<(&str, Part)> {
    let digits = rest.strip_prefix('x')?;
    let code = digits.get(..2).filter(|code| code.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
    let code = u8::from_str_radix(code, 16).ok().filter(u8::is_ascii)?;
    Some((&digits[2..], Part::Text(char::from(code).to_string())))
}

/// `%C(yellow)`, `%C(bold red)`, `%Cred`.
fn colour(rest: &str) -> Option<(&str, Part)> {
    let rest = rest.strip_prefix('C')?;
    let Some(rest) = rest.strip_prefix('(') else {
        let known = [("red", AnsiColor::Red), ("green", AnsiColor::Green), ("blue", AnsiColor::Blue)];
        let style = |colour: AnsiColor| Part::Colour(Style::new().fg_color(Some(colour.into())));
        return known.into_iter().find_map(|(name, colour)| Some((rest.strip_prefix(name)?, style(colour))));
    };
    let (words, rest) = rest.split_once(')')?;
    let words = words.strip_prefix("auto,").unwrap_or(words);
    if words == "reset" {
        return Some((rest, Part::NoColour));
    }
    let mut style = Style::new();
    for word in words.split([' ', ',']).filter(|word| !word.is_empty()) {
        style = match word {
            "auto" => style,
            "bold" => style.bold(),
            "dim" => style.dimmed(),
            "ul" => style.underline(),
            "italic" => style.italic(),
            "strike" => style.strikethrough(),
            "reverse" => style.invert(),
            name => style.fg_color(Some(named(name)?.into())),
        };
    }
    Some((rest, Part::Colour(style)))
}

fn named(name: &str) -> Option<AnsiColor> {
    Some(match name {
        "black" => AnsiColor::Black,
        "red" => AnsiColor::Red,
        "green" => AnsiColor::Green,
        "yellow" => AnsiColor::Yellow,
        "blue" => AnsiColor::Blue,
        "magenta" => AnsiColor::Magenta,
        "cyan" => AnsiColor::Cyan,
        "white" => AnsiColor::White,
        _ => return None,
    })
}

/// A record as the parts say, without what ends it.
pub(super) fn shown(page: &Page, logged: &Logged, parts: &[Part], date: Option<&DateForm>) -> String {
    let (record, mut out) = (&logged.item.record, String::new());
    let message = record.meta.message.as_deref().unwrap_or_default().trim_end();
    let in_form = |form: &DateForm| form.shown(&page.env, record.time_ms);
    for part in parts {
        match part {
            Part::Text(text) => out.push_str(text),
            Part::Id => out.push_str(record.id.as_str()),
            Part::ShortId => out.push_str(records::short(&record.id)),
            Part::Subject => out.push_str(&one_line(&record.subject())),
            Part::Body => out.push_str(&body(message)),
            Part::Whole => {
                let gap = if message.is_empty() { "" } else { "\n" };
                out.push_str(&format!("{}\n{gap}{}", one_line(&record.subject()), body(message)));
            }
            Part::Agent => out.push_str(&one_line(record.meta.agent.as_deref().unwrap_or_default())),
            Part::Date => out.push_str(&date.map_or_else(|| in_form(&DateForm::named("default")), in_form)),
            Part::DateIn(form) => out.push_str(&in_form(form)),
            Part::Marks | Part::MarksInBrackets => {
                let marks = records::marks(logged, record).join(", ");
                match part {
                    Part::MarksInBrackets if !marks.is_empty() => out.push_str(&format!(" ({marks})")),
                    _ => out.push_str(&marks),
                }
            }
            Part::Colour(style) if page.paint == Paint::Colour => out.push_str(&style.to_string()),
            Part::NoColour if page.paint == Paint::Colour => out.push_str(&Reset.to_string()),
            Part::Colour(_) | Part::NoColour => {}
        }
    }
    out
}

/// As git has it: with a line break at its end.
fn body(message: &str) -> String {
    if message.is_empty() { String::new() } else { format!("{}\n", visible(message)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_placeholder_is_refused_with_those_that_there_are() {
        for form in ["%", "%q", "%x0", "%xzz", "%xE9", "%C(mauve)", "%cn", "100%"] {
            let why = Format::parse(form).expect_err(form);
            assert!(why.contains("is no placeholder here") && why.contains("%an (agent)"), "{why}");
        }
        assert!(Format::parse("fuller").expect_err("no name").contains("oneline, medium"));
    }

    #[test]
    fn a_format_is_read_as_git_reads_it() {
        let read = |form: &str| match Format::parse(form) {
            Ok(Format::Own { parts, is_separated }) => (parts, is_separated),
            other => panic!("{other:?}"),
        };
        let text = |text: &str| Part::Text(text.to_owned());
        assert_eq!(
            read("format:%h%x41%%b").0,
            [text(""), Part::ShortId, text(""), text("A"), text(""), text("%"), text("b")]
        );
        assert!(read("format:x").1 && !read("tformat:x").1 && !read("%n").1);
        let yellow = Style::new().fg_color(Some(AnsiColor::Yellow.into())).bold();
        assert_eq!(read("%C(auto,bold yellow)").0[1], Part::Colour(yellow));
    }
}
